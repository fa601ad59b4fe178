/* Where an access lies for threads beside each other: by how much its indices grow from thread to thread.  Loops turn
 * as often for all of them, as they do while a warp stays together. */
#include "codegen/lies.h"

#include <string.h>

enum { MOST_OPERANDS = 3, NEAR = 8, MOST_SHIFT = 31 }; /* NEAR: so many elements come from memory together */

/* known: by `by`, or by a size */
typedef struct { bool known, sized; int64_t by; } Step;

static const Step same = {true, false, 0}, anywhere = {false, false, 0};

static bool is_same(Step x) { return x.known && !x.sized && !x.by; }

/* One of them, as threads or loops like it */
static Step either(Step x, Step y) {
    if (!x.known || !y.known) return anywhere;
    return is_same(x) ? y : is_same(y) || (x.sized == y.sized && x.by == y.by) ? x : anywhere;
}

static Step sum(Step x, Step y, int sign) {
    if (!x.known || !y.known) return anywhere;
    return (Step){true, x.sized || y.sized, x.by + sign * y.by};
}

static Step scaled(Step x, int64_t by) { return (Step){x.known, x.sized, x.by * by}; }

static Step product(const Op *op, Step x, Step y) {
    int64_t k;
    const Value *factor = op_opnd(op, is_same(x) ? 0 : 1);
    Step moves = is_same(x) ? y : x;
    if (!moves.known || !(is_same(x) || is_same(y))) return anywhere;
    return value_const_int(factor, &k) ? scaled(moves, k) : (Step){true, true, 0};
}

/* by: 0, if it is not known before; more than a warp has threads, then */
static Step quotient(Step x, Step y, int64_t by) {
    if (!x.known || !is_same(y)) return anywhere;
    if (x.sized || is_same(x)) return x;
    if (by <= 0) return same;
    return (Step){true, false, x.by / by ? x.by / by : by < NEAR};
}

static Step shifted(const Op *op, Step x, Step y) {
    int64_t k;
    bool known = value_const_int(op_opnd(op, 1), &k) && k >= 0 && k <= MOST_SHIFT;
    if (op->code == OP_SHR) return quotient(x, y, known ? (int64_t)1 << k : 0);
    if (!is_same(y)) return anywhere;
    return known ? scaled(x, (int64_t)1 << k) : (Step){x.known, true, 0};
}

static Step divided(const Op *op, Step x, Step y) {
    int64_t k;
    return quotient(x, y, value_const_int(op_opnd(op, 1), &k) ? k : 0);
}

static Step step_of_elementwise(const Op *op, const Step *x) {
    switch (op->code) {
    case OP_CAST: return x[0];
    case OP_NEG: return scaled(x[0], -1);
    case OP_ADD: return sum(x[0], x[1], 1);
    case OP_SUB: return sum(x[0], x[1], -1);
    case OP_MUL: return product(op, x[0], x[1]);
    case OP_MIN:
    case OP_MAX: return either(x[0], x[1]);
    case OP_SELECT: return either(x[1], x[2]);
    case OP_AND:
    case OP_MOD: return is_same(x[1]) ? x[0] : anywhere;
    case OP_SHL:
    case OP_SHR: return shifted(op, x[0], x[1]);
    case OP_IDIV: return divided(op, x[0], x[1]);
    default: return anywhere;
    }
}

static Step step_of(Lane *l, const Value *v);

/* The index of a `for` begins where the thread begins; what loops carry, too, and goes on alike */
static Step step_of_argument(Lane *l, const Value *v) {
    const Op *loop = v->region->owner;
    if (!loop || (loop->code != OP_FOR && loop->code != OP_WHILE)) return same;
    if (loop->code == OP_FOR && loop_number(v) < 0) return step_of(l, op_opnd(loop, 0));
    return step_of(l, loop_first(loop, loop_number(v)));
}

static Step step_of_result(Lane *l, const Op *op, const Value *v) {
    Step x = same;
    int i = 0;
    while (&op->res[i] != v) i++;
    for (int k = 0; k < op->nregs && op->code == OP_IF; k++)
        x = either(x, step_of(l, op_opnd(region_term(op->regs[k]), i)));
    if (op->code == OP_IF) return x;
    for (int k = 0; k < op->nopnds; k++)
        if (!is_same(step_of(l, op_opnd(op, k)))) return anywhere;
    return op->code == OP_FOR ? step_of(l, loop_next(op, i)) : same;
}

static Step step_of_operation(Lane *l, const Op *op, const Value *v) {
    Step x[MOST_OPERANDS];
    bool all = true;
    if (op->nregs || op->nopnds > MOST_OPERANDS) return step_of_result(l, op, v);
    for (int i = 0; i < op->nopnds; i++) all &= is_same(x[i] = step_of(l, op_opnd(op, i)));
    return all ? same : step_of_elementwise(op, x);
}

/* Each value once: a value that is asked for by what it is made of, round a loop, is the same for all until then. */
static Step step_of(Lane *l, const Value *v) {
    if (v == l->lane) return (Step){true, false, 1};
    Step *known = map_get(&l->seen, v);
    if (known) return *known;
    Step *step = NEW(l->arena, Step);
    *step = same;
    map_put(l->arena, &l->seen, v, step);
    return *step = v->def ? step_of_operation(l, v->def, v) : step_of_argument(l, v);
}

/* From thread to thread, in elements as they lie in memory */
static Step step_in_memory(Lane *l, const Op *access) {
    const Type *t = op_buffer(access)->type;
    Step all = same, row = {true, false, 1};
    for (int axis = t->rank - 1; axis >= 0; axis--) {
        Step s = step_of(l, op_opnd(access, op_index_first(access) + axis));
        int64_t n;
        if (!is_same(s)) all = sum(all, (Step){s.known, s.sized || row.sized, s.by * row.by}, 1);
        if (size_is_const(t->dims[axis], &n)) row.by *= n;
        else row.sized = true;
    }
    return all;
}

static bool is_number(Step s) { return s.known && !s.sized; }

static int64_t positive(int64_t n) { return n < 0 ? -n : n; }

typedef struct { Lane *lane; const Op *access; int64_t by, n; } Fill;

static void count_alike(void *ctx, Op *op) {
    Fill *f = ctx;
    if (op->code != f->access->code || op_buffer(op) != op_buffer(f->access)) return;
    Step s = step_in_memory(f->lane, op);
    f->n += is_number(s) && positive(s.by) == f->by;
}

/* A few steps, between which the thread's other accesses lie, as of the parts of a record: together they are beside
 * each other.  Each may have a guard of its own. */
static bool fills(Lane *l, const Op *access, int64_t by) {
    Fill f = {l, access, by, 0};
    Region *r = access->parent;
    while (r->owner && r->owner->code == OP_IF) r = r->owner->parent;
    if (by > 1 && by <= NEAR) region_walk(r, count_alike, &f);
    return f.n >= by;
}

Lies access_lies(Lane *l, const Op *access) {
    Step s = step_in_memory(l, access);
    int64_t by = positive(s.by);
    if (!s.known) return LIES_GATHERED;
    if (is_same(s)) return LIES_SAME;
    if (!s.sized && (by == 1 || fills(l, access, by))) return LIES_BESIDE;
    return l->around && access_lies(l->around, access) == LIES_BESIDE ? LIES_BESIDE : LIES_STRIDED;
}

bool access_strides(Lane *l, const Op *access) {
    Step s = step_in_memory(l, access);
    return s.known && (s.sized || positive(s.by) > 1);
}
