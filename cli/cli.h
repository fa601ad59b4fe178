/* The command line itself: options.def and commands.def, read by options.c; what commands share. */
#ifndef DSL_CLI_H
#define DSL_CLI_H

#include "driver/driver.h"

/* What goes to `to`, 1 (stdout) or 2 (stderr), is not shown until silence_end; where it cannot be, it is shown. */
typedef struct { FILE *of; int to, shown; } Silence;
Silence silence_begin(int to);
void silence_end(const Silence *s);

/* Reads argv into o; false after a usage error (reported). */
bool options_parse(Options *o, int argc, char **argv);
void options_help(FILE *out, const Options *o);
const Command *command_find(const char *name);

#endif
