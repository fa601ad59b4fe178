/* Launches of a loop that are handed to the driver together: between gpu.c, which makes and submits them, and
 * gpu_batch.c, which keeps them. */
#ifndef DSL_GPU_BATCH_H
#define DSL_GPU_BATCH_H

#include "runtime/gpu.h"

/* A launch as the driver takes it; values: of 8 bytes each, for the kernel's parameters */
typedef struct dsl_gpu_call {
    const dsl_site *at;
    const dsl_gpu_kernel *kernel;
    void *function;
    unsigned blocks[3], threads[3], shared; /* x, y, z */
    uint64_t *values;
} dsl_gpu_call;

enum { DSL_GPU_MOST_PARAMS = 256 }; /* of a kernel */

typedef struct dsl_gpu_batch { int64_t replays, replayed; } dsl_gpu_batch; /* graphs that ran, launches in them */

/* Finds the functions that graphs take; where one is missing, or DSL_GPU_GRAPHS=no, no launch is kept. */
void dsl_gpu_batch_open(void *library);
bool dsl_gpu_batch_takes(void); /* launches are kept now */
/* Keeps the launch, a copy of its values; false: there is no room, and it is to be submitted. */
bool dsl_gpu_batch_add(const dsl_gpu_call *call);
/* Runs what is kept: as a graph where the same kernels, in as many blocks, came at this place of an earlier turn; else
 * by submit, one by one. */
void dsl_gpu_batch_run(void submit(const dsl_gpu_call *call));
dsl_gpu_batch dsl_gpu_batch_done(void);

#endif
