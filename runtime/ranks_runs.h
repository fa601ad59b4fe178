/* Sets of bytes of an array, as runs: in order, apart, none empty.  For ranks.c, and its memory */
#ifndef DSL_RANKS_RUNS_H
#define DSL_RANKS_RUNS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Run { int64_t from, to; } Run;
typedef struct Runs { Run *v; int n, cap; } Runs;

/* realloc; without memory the program ends */
void *dsl_ranks_memory(void *old, size_t bytes);

void runs_add(Runs *r, int64_t from, int64_t to);
void runs_remove(Runs *r, int64_t from, int64_t to);
/* The first run of r that meets from..to, cut to it; an empty one if there is none */
Run runs_meet(const Runs *r, int64_t from, int64_t to);
void runs_copy(Runs *to, const Runs *from);
void runs_free(Runs *r);

#endif
