/* Launches as a GPU runs them, on this machine's threads: what code in memory (codegen/llvm) calls for --target=sim.
 *
 * A thread of a launch is a fibre: it runs until it comes to a barrier, then the next thread of its block does.  Blocks
 * share the threads of OpenMP.  Indices and extents are listed slowest first, z y x; axes that a launch does not have
 * are in front, with extent 1. */
#ifndef DSL_SIMT_H
#define DSL_SIMT_H

#include "dsl.h"

/* One thread of a launch, as its kernel sees it */
typedef struct dsl_lane {
    int64_t block[3], thread[3];
    char *shared; /* memory of its block, 64-byte aligned */
} dsl_lane;

/* All fields are of 8 bytes: generated code fills them in. */
typedef struct dsl_grid {
    int64_t blocks[3], threads[3];
    int64_t block_rank, thread_rank; /* how many axes were written, for messages */
    int64_t shared;                  /* bytes for each block */
    int64_t barriers;                /* there are barriers */
    int64_t team;                    /* not the threads of a block meet, but those of each team */
    int64_t ordered;                 /* blocks, and their threads, run one after the other: sums of floats by atomic */
} dsl_grid;

/* No GPU takes more than 65535 blocks along y and z, 2^31 - 1 along x, 64 threads of a block along z.  false: that is
 * so, in words. */
enum { DSL_GRID_WORDS = 80 };
bool dsl_grid_fits(const dsl_grid *grid, char words[DSL_GRID_WORDS]);
/* A failure at `at` of what does not fit */
void dsl_grid_check(const dsl_site *at, const dsl_grid *grid);

/* Threads that do an element together: neighbours, in one warp */
enum { DSL_TEAM = 8 };

typedef void dsl_kernel(void *env, dsl_lane *lane);

/* Runs kernel for every thread of every block; nothing where an extent is less than 1.  A failure of one of them ends
 * the program; so does a barrier that not all threads of a block come to (E0631), and memory that there is not
 * (E0603), at `at`. */
void dsl_simt_launch(const dsl_site *at, dsl_kernel *kernel, void *env, const dsl_grid *grid);
void dsl_simt_barrier(dsl_lane *lane, const dsl_site *at);
/* What the member `from` of this thread's team hands in (as the shuffles of a warp do); all of them come here.  In a
 * launch of teams barriers are for a team, too. */
int64_t dsl_simt_shuffle(dsl_lane *lane, const dsl_site *at, int64_t x, int64_t from);

#endif
