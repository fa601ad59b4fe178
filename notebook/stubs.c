/* Stands in for what is not there yet: goes with serve.c. */
#include "notebook/notebook.h"

__attribute__((weak)) int notebook_watch(const Options *o) { return (void)o, EXIT_USAGE; }
