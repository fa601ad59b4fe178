/* What a launch does, as formulas of the program's sizes: how much of it memory moves, how much is computed. */
#ifndef DSL_WORK_H
#define DSL_WORK_H

#include "codegen/codegen.h"
#include "codegen/lies.h"

typedef struct KernelWork {
    const Size *reads, *writes; /* bytes, each element of an array that is touched moving once */
    const Size *operations;     /* of floats, by the cost of their rows in ir/ops.def; both sides of a branch */
    DType floats;               /* the widest that it computes with */
    bool guessed;               /* some loop's turns are not known: it counts as one turn */
    int lie[LIES_COUNT];        /* so many accesses of arrays, as the code has them, lie that way */
} KernelWork;

/* A kernel of a GPU, as it was emitted.  Texts live as long as the session. */
typedef struct KernelNote {
    const char *name;
    Span at;
    int number;       /* so many were emitted before */
    int threads;      /* of a block; 0: known when it runs */
    bool dynamic;     /* its shared memory is known when it runs */
    const char *says; /* of how it was made; lines, or NULL */
    KernelWork work;
} KernelNote;

/* Of a parallel loop in an island, all of its iterations */
KernelWork kernel_work(Session *s, const Op *loop);

#endif
