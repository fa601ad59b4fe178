/* The command line itself: options.def and commands.def, read by options.c. */
#ifndef DSL_CLI_H
#define DSL_CLI_H

#include "driver/driver.h"

/* Reads argv into o; false after a usage error (reported). */
bool options_parse(Options *o, int argc, char **argv);
void options_help(FILE *out, const Options *o);
const Command *command_find(const char *name);

#endif
