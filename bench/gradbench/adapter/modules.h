#ifndef MODULES_H
#define MODULES_H

#include "call.h"

typedef void Run(Call *c);

/* Reads the input, runs the function, writes the output, or sets c->error.  NULL: there is none; function NULL: any of
 * the module */
Run *find_function(const Json *module, const Json *function);

#endif
