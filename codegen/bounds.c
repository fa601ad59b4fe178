/* Bounds of ints by what they are computed from. */
#include "codegen/plan.h"
#include "runtime/dsl.h"

/* No size, and no index that a loop lives to see, gets anywhere near these bounds. */
static const double LARGEST_SIZE = (double)DSL_MAX_EXTENT, LARGEST_INDEX = 1e17;

static double upper_bound(const Value *v, int fuel);

/* Of a loop's induction variable: below the extent when that has a bound */
static double index_bound(const Value *iv, int fuel) {
    const Op *loop = iv->region->owner;
    if (!loop || (loop->code != OP_PARALLEL && (loop->code != OP_FOR || iv->index))) return -1;
    double end = upper_bound(op_opnd(loop, loop->code == OP_FOR ? 1 : iv->index), fuel - 1);
    if (loop->code == OP_PARALLEL) return end >= 0 ? end : LARGEST_SIZE;
    int64_t step;
    if (!int_constant(op_opnd(loop, 2), &step) || step < 1) return -1;
    if (upper_bound(op_opnd(loop, 0), fuel - 1) < 0) return -1;
    return end >= 0 ? end : LARGEST_INDEX;
}

/* An upper bound of v when v >= 0 for sure, else -1 */
static double upper_bound(const Value *v, int fuel) {
    if (!fuel || v->type->dtype != DT_I64) return -1;
    if (v->region) return index_bound(v, fuel);
    const Op *op = v->def;
    double x, y;
    switch (op->code) {
    case OP_CONST: return (double)op_attr(op, A_VALUE)->c.i;
    case OP_SIZE: return size_as_sym(op_attr(op, A_SIZE)->sizes[0]) ? LARGEST_SIZE : -1;
    case OP_ADD: case OP_MUL: case OP_MIN:
        x = upper_bound(op_opnd(op, 0), fuel - 1), y = upper_bound(op_opnd(op, 1), fuel - 1);
        if (x < 0 || y < 0) return -1;
        x = op->code == OP_ADD ? x + y : op->code == OP_MUL ? x * y : x < y ? x : y;
        return x < 9e18 ? x : -1;
    case OP_MOD: case OP_IDIV:
        x = upper_bound(op_opnd(op, 0), fuel - 1), y = upper_bound(op_opnd(op, 1), fuel - 1);
        if (y < 0) return -1;
        return op->code == OP_MOD ? y : x;
    default: return -1;
    }
}

bool plan_is_natural(const Value *v) { return upper_bound(v, 8) >= 0; }

bool plan_is_size(const Value *v) {
    double most = upper_bound(v, 8);
    return most >= 0 && most <= LARGEST_SIZE;
}

bool plan_may_wrap(Ranges **ranges, Session *s, const Op *loop) {
    int64_t k;
    if (!int_constant(op_opnd(loop, 2), &k)) k = 1;
    if (k == 1 || k == -1) return false;
    if (!*ranges) *ranges = ranges_new(s);
    return !range_counts(*ranges, loop, loop);
}
