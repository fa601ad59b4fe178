/* What barrier_lower.c does with each operation and value of a thread loop; decided in barrier_plan.c. */
#ifndef DSL_BARRIER_PLAN_H
#define DSL_BARRIER_PLAN_H

#include "analysis/uniform.h"

typedef struct ThreadPlan {
    Module *module;
    Arena *arena;    /* of the pass */
    Op *loop;        /* parallel over threads */
    Region *body;
    int nvalues;
    Uniform uniform; /* what is the same for all threads, and is computed once */
    bool *stored;    /* by Value.id: kept in a per-thread array because code beyond a barrier needs it */
    Op **home;       /* by Value.id: a load or store of the place where it is found beyond the barrier; NULL: none */
} ThreadPlan;

/* Numbers the values of the loop (Value.id) and its segments (Op.mark: stretches of code without a barrier), and
 * decides. */
ThreadPlan barrier_plan(Arena *arena, Op *loop);

/* Is v defined inside the thread loop (its indices included)? */
bool plan_inside(const ThreadPlan *p, const Value *v);
/* Computed once for the block, not by each thread */
bool plan_uniform_op(const ThreadPlan *p, const Op *op);
/* A carried value or result of a structure with barriers that varies: it lives in an array throughout. */
bool plan_structural(const ThreadPlan *p, const Value *v);
/* Cheap enough to be computed again in another segment */
bool plan_again(const Op *op);
/* A load or store whose place holds v wherever a later segment needs it, or NULL (barrier_home.c) */
Op *plan_home(const ThreadPlan *p, const Value *v);
/* Puts barriers around guards that can become loop bounds, where that costs no array (barrier_split.c). */
void barrier_split(Op *loop);

#endif
