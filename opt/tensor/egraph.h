/* An e-graph of the whole-array operations of a region: classes of values that are equal, each of one or more
 * operations on classes.  Willsey et al., egg: Fast and extensible equality saturation, POPL 2021, section 3.
 *
 * Its nodes are operations of the region itself, those that were there and those that rules built behind them; what
 * else gives a value is a leaf.  Operations around the region are both: they are done, but rules look into them.  All
 * operations cannot stop the program. */
#ifndef DSL_EGRAPH_H
#define DSL_EGRAPH_H

#include "ir/ir.h"

/* op: NULL of other leaves, and where one like it is in the class; next: of its class, -1; last: of a class, its last
 * node */
typedef struct { Value *v; Op *op; bool leaf; int parent, next, last; } ENode;
typedef struct EGraph {
    Arena *arena;
    Region *region;
    const Op *end; /* of the stretch of it that is looked at: the clock is read there, or it is the region's last */
    VEC(ENode) nodes;
    Map index; /* by value: 1 + its node, or that of an operation like it */
    int *table, size; /* 1 + nodes of operations, by what they do and the classes of their operands */
} EGraph;

/* What may be a node of the region's graph, in it or around it */
bool egraph_takes(const Region *r, const Op *op);
/* Done before the clock was read: a leaf, into which no rule looks */
bool egraph_is_beyond(const EGraph *g, const Op *op);
/* Values that such an operation is computed of: its operands but for where a part begins; of a reduction the array */
int egraph_arity(const Op *op);
Value *egraph_operand(const Op *op, int i);

/* The class of v, which becomes a node, with what it is computed of, when it is met first. */
int egraph_add(EGraph *g, Value *v);
int egraph_class(EGraph *g, const Value *v); /* -1: never met */
int egraph_find(EGraph *g, int node);        /* its class */
/* The value that stands for v's class, the same for all of them; v, if it was never met */
Value *egraph_value(EGraph *g, Value *v);
/* The i-th operation of v's class; NULL: there are less */
Op *egraph_member(EGraph *g, const Value *v, int i);
/* False: they are one class already */
bool egraph_unite(EGraph *g, int a, int b);
/* Operations on what has become one class are one class: until there are no more of them. */
void egraph_close(EGraph *g);

#endif
