/* What rules of whole arrays know of shapes: shapes.def. */
#ifndef DSL_SHAPE_H
#define DSL_SHAPE_H

#include "opt/rewrite.h"

typedef enum {
#define SHAPE(id, name, function, nargs, doc) id,
#include "opt/shapes.def"
#undef SHAPE
    SHAPE_COUNT
} ShapeId;

/* What an operation says beside its operands: the numbers of its attribute, where its part begins, and the extents
 * of its result (of a dot, a concat, a total: those that it has).  Of a reduction the kind; of one along axes, for each
 * axis of the array whether it goes along it. */
typedef struct Shape {
    int n, rank;
    Combine kind;
    int64_t ints[MAX_RANK];
    Value *start[MAX_RANK]; /* NULL: none */
    const Size *dims[MAX_RANK];
} Shape;

/* How many values come before the shape, -1: any number; false: op carries none */
bool shape_carried(OpCode c, int *values);
Shape shape_read(const Op *op);
bool shape_same(const Shape *a, const Shape *b); /* the extents aside */

/* An argument: a shape, or a value */
typedef struct { const Shape *s; Value *v; } ShapeArg;
/* What id makes of the arguments, before b; false: nobody knows, or the condition does not hold */
bool shape_make(ShapeId id, Builder *b, const ShapeArg *x, Shape *out);

/* The array of which op combines all elements, a reduction, or all along some axes, a comprehension of reductions that
 * go along the axes in order; NULL: it does something else */
Value *reduced_by(const Op *op);
/* What stands in op and reads that array */
Op *reduction_read(const Op *op);
/* For each axis of that array: is it reduced? */
void reduced_axes(const Op *op, int64_t *out);
/* Such a reduction of x, or of all its elements if s says nothing of axes */
Value *build_reduction(Builder *b, Value *x, const Shape *s);
/* Computed element by element, and cannot stop the program */
static inline bool is_elementwise(const Op *op) { return op_info(op->code)->traits & TR_ELEM && !op_may_trap(op); }
/* Of each element whether its two indices are the same; diagonal.c */
bool is_diagonal_mask(const Value *v);
/* Nothing but op uses v, which stands in its region */
bool only_for(const Value *v, const Op *op);

/* What stands for the result of op by the first rule that fits, built before b; fp: what it may change.  NULL: none
 * fits. */
Value *tensor_rewrite(const RewriteSet *set, Builder *b, Op *op, RewriteFp fp);
/* The same of one rule */
Value *tensor_rewrite_by(const RewriteSet *set, const Rewrite *rule, Builder *b, Op *op);
/* All that it finds for op in an e-graph, at most `most`; their number */
struct EGraph;
int tensor_rewrite_all(const RewriteSet *set, const Rewrite *rule, Builder *b, Op *op, struct EGraph *graph, int most,
                       Value **out);
/* The rule behind rule i that may fit op; behind -1: the first; -1: there is none */
int tensor_rule_after(const RewriteSet *set, const Op *op, int i);
/* An operation of whole arrays that does not stop the program, whatever its operands are; elementwise ones aside */
bool tensor_cannot_stop(const Op *op);

#endif
