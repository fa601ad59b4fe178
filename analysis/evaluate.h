/* What a piece of the program gives for values that are chosen: at compile time, of scalars. */
#ifndef DSL_EVALUATE_H
#define DSL_EVALUATE_H

#include "ir/ir.h"

/* outer chooses a value from outside of the region that constants do not tell; false: it is unknown. */
typedef struct Evaluator {
    const Module *module;
    Arena *arena;  /* for values: whoever evaluates clears it */
    int64_t fuel;  /* operations that may still run */
    bool (*outer)(void *ctx, const Value *v, Const *out);
    void *ctx;
} Evaluator;

/* What a scalar comes to by constants, and values that outer chooses, alone */
bool evaluate_value(Evaluator *e, const Value *v, Const *out);
/* What r yields for these arguments.  False: something unknown is used, it would stop the program, do more than
 * compute, or take more fuel than there is. */
bool evaluate_region(Evaluator *e, const Region *r, const Const *args, Const *out);

#endif
