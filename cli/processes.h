/* dslc run --processes: starts the program's processes by MPI's launcher and waits for them. */
#ifndef DSL_PROCESSES_H
#define DSL_PROCESSES_H

#include "driver/build.h"

/* The status of dslc; the executable is removed where it has no place in a cache. */
int processes_run(const Options *o, const Executable *x);

#endif
