/* Rewriting by rules: opt/rules/NAME.rules, which tools/rules.c makes tables of.
 *
 *   (rule NAME LHS => RHS [:fp in-order|reassoc] [:ends (WHY)] [:when (PREDICATE ARG..)..])
 *   (equal NAME LHS => RHS ..), of whole arrays: for equality saturation alone, which finds out whether it pays; of
 *   real numbers (accuracy.rules): for `dslc accuracy`, which finds out which side loses fewer digits
 *
 * A pattern is an operation of ir/ops.def with patterns as operands, (add ?x 0); ?x, any value, everywhere in a rule
 * the same one; #c, a constant; a literal: 0 and -1 of ints and bools (1 is true), 0.0 and -0.0 and inf of floats, true
 * and false.  On the right, #(op ..) is a constant that is computed while compiling; where that fails the rule does not
 * apply.  A literal has the type of what stands beside it, at the top that of the result.  Predicates are those of
 * opt/predicates.def; `result` is the value that goes.  Both sides have the same bits, but for the payload of NaN, for
 * all values of all types that pass the predicates.
 *
 * Rules of whole arrays (tensor.rules, opt/tensor/rewrite.c) have besides: (%f ?x), any elementwise operation that
 * cannot stop the program, on the right that one; !(op ..), whose value serves nothing else; @s behind the operands,
 * what the operation says beside them (opt/shapes.def: axes, starts and steps, extents), the same everywhere but for
 * the extents; @(compose @p @q), a shape made of others; ?x... on the left, all operands that follow, on the right
 * TERM..., the term for each of them; `total`, a reduction of all elements; :fp reassoc, a rule that is for
 * --fp=reassoc and fast alone, :fp in-order, for these and for a GPU; :ends, why a rule that leaves no less by measure
 * does not go on for ever.
 *
 * Operands of operations that commute match in either order (but of min and max: which zero or NaN comes out of floats
 * depends on it); a constant on the right is the usual form, which fold makes first.  The right side weighs less than
 * the left (rules.c), so rewriting ends.  Every rule is compared with itself on samples of every type:
 * tests/unit/rewrite_test. */
#ifndef DSL_REWRITE_H
#define DSL_REWRITE_H

#include "opt/pass.h"

typedef enum {
    RW_OP, RW_VAR, RW_CONST, RW_INT, RW_FLOAT, RW_BOOL, RW_COMPUTED, RW_RESULT,
    RW_FAMILY, RW_LIST, RW_MAP, RW_SHAPE, RW_SHAPED, /* of whole arrays: opt/tensor/rewrite.c */
} RewriteKind;
/* In preorder: nkids subtrees follow.  i: of RW_INT the number, of RW_SHAPED a ShapeId, of a pattern 1: it serves
 * nothing else. */
typedef struct { RewriteKind kind; OpCode op; int nkids, var; int64_t i; double f; } RewriteNode;

enum { REWRITE_VARS = 8, REWRITE_ARGS = 3 };
typedef enum {
#define PREDICATE(id, name, nargs, doc) id,
#include "opt/predicates.def"
#undef PREDICATE
    PREDICATE_COUNT
} PredicateId;
/* args: nodes; from PREDICATE_COUNT on a ShapeId */
typedef struct { PredicateId id; int nargs, args[REWRITE_ARGS]; } RewriteGuard;

/* What rules may change: no bit; how the operands of products lie, of which a library may add up in another order, a
 * GPU does not; the order of sums */
typedef enum { RW_EXACT, RW_IN_ORDER, RW_REASSOC } RewriteFp;
typedef struct Rewrite {
    const char *name, *text; /* text: as in the file */
    int line;
    int lhs, rhs;          /* nodes */
    int guard, nguards;
    RewriteFp fp;          /* what it needs */
    bool equal;            /* both sides are as good: for saturation alone */
} Rewrite;

typedef struct {
    int n;
    const Rewrite *rules;
    const RewriteNode *nodes;
    const RewriteGuard *guards;
    const int *first;
} RewriteSet;
/* first: by opcode, the first rule with that root; one behind the last op ends it */
extern const RewriteSet scalar_rules, tensor_rules, accuracy_rules;

/* What an argument of a predicate is: a value, or a constant (which may also be a value) */
typedef struct { Value *v; const Const *c; } RewriteArg;
bool predicate_holds(PredicateId id, const RewriteArg *args);

/* The first rule that fits op, an operation with one result, is applied: op is replaced and erased.  False: none fits.
 */
bool rewrite_op(const RewriteSet *set, Op *op);
static inline bool rewrite_is_literal(const RewriteNode *n) {
    return n->kind == RW_INT || n->kind == RW_FLOAT || n->kind == RW_BOOL;
}
/* Where the subtree ends */
static inline int rewrite_next(const RewriteNode *nodes, int at) {
    int end = at + 1;
    for (int i = 0; i < nodes[at].nkids; i++) end = rewrite_next(nodes, end);
    return end;
}

#endif
