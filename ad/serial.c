/* Reductions and scans with operators that have no rule, and comprehensions whose bodies are more than numbers (arrays
 * that a loop or a library makes, sizes that are found there), as loops: their reverse is that of the loop, which adds
 * up serially.  The loop stands before the operation for its adjoint alone; values still come from the operation, with
 * its order of combining. */
#include "ad/memory.h"
#include "ir/index.h"

/* ---- one more element */

Value *takes_over(Builder *b, OpCode kind, Value *x, Value *acc) {
    Value *wins = build_binary(b, kind == OP_MIN ? OP_LT : OP_GT, x, acc);
    return dtype_is_float(x->type->dtype) ? build_binary(b, OP_OR, wins, build_unary(b, OP_ISNAN, x)) : wins;
}

static Value *combine_two(Builder *b, OpCode kind, Value *acc, Value *x) {
    if (kind != OP_MIN && kind != OP_MAX) return build_binary(b, kind, acc, x);
    return build_select(b, takes_over(b, kind, x, acc), x, acc);
}

/* out: may be acc */
static void combine(Arena *a, Builder *b, const Op *op, Value *const *acc, Value *const *x, Value **out) {
    int n = op->nres;
    OpCode kind = combine_info(op_combine(op))->op;
    if (kind != OP_COUNT) {
        for (int i = 0; i < n; i++) out[i] = combine_two(b, kind, acc[i], x[i]);
        return;
    }
    Value **args = NEWN(a, Value *, 2 * n + 1);
    for (int i = 0; i < n; i++) args[i] = acc[i], args[n + i] = x[i];
    region_inline(b, op->regs[1], args, out);
}

/* ---- reductions and comprehensions: a loop in a loop for each axis */

static Op *loop_over_axis(Arena *a, Builder *b, const Op *op, int k, Value **idx, Value **carried) {
    int n = op->nres;
    bool map = op->code == OP_GENERATE;
    Value *extent = map ? build_size(b, op->res[0].type->dims[k]) : op_opnd(op, k);
    Op *loop = build_for(b, build_int(b, 0), extent, build_int(b, 1), n, carried);
    Builder in = builder_at_end(b->module, loop->regs[0], op->span);
    idx[k] = loop->regs[0]->args[0];
    Value **now = NEWN(a, Value *, n + 1), **x = NEWN(a, Value *, n + 1);
    for (int i = 0; i < n; i++) now[i] = loop->regs[0]->args[1 + i];
    if (k + 1 < op->regs[0]->nargs) {
        Op *inner = loop_over_axis(a, &in, op, k + 1, idx, now);
        for (int i = 0; i < n; i++) now[i] = &inner->res[i];
    } else {
        region_inline(&in, op->regs[0], idx, x);
        if (!map) combine(a, &in, op, now, x, now);
        for (int i = 0; i < n && map; i++) now[i] = insert_safe(&in, now[i], x[i], k + 1, idx);
    }
    build_yield(&in, n, now);
    return loop;
}

Op *reduce_as_loop(Ad *ad, Op *op) {
    Builder b = builder_before(op);
    Value **init = NEWN(ad->arena, Value *, op->nres + 1), *idx[MAX_RANK];
    for (int i = 0; i < op->nres; i++) init[i] = build_neutral(&b, op, i);
    return loop_over_axis(ad->arena, &b, op, 0, idx, init);
}

/* The arrays are carried, and get an element each turn. */
static Op *generate_as_loop(Ad *ad, Op *op) {
    Builder b = builder_before(op);
    Value **init = NEWN(ad->arena, Value *, op->nres + 1), *idx[MAX_RANK];
    for (int i = 0; i < op->nres; i++) init[i] = build_empty(&b, op->res[i].type, NULL);
    return loop_over_axis(ad->arena, &b, op, 0, idx, init);
}

/* ---- scans: the loop carries the last element, and the array so far */

/* acc and x combined, but x where the loop begins */
static void next_elements(Arena *a, Builder *b, const Op *op, Value *at, Value *const *acc, Value *const *x,
                          Value **out) {
    int n = op->nres;
    const Type **types = NEWN(a, const Type *, n + 1);
    for (int i = 0; i < n; i++) types[i] = x[i]->type;
    Op *first = build_if(b, build_binary(b, OP_EQ, at, build_int(b, 0)), n, types);
    Builder in = builder_at_end(b->module, first->regs[0], op->span);
    build_yield(&in, n, x);
    in = builder_at_end(b->module, first->regs[1], op->span);
    combine(a, &in, op, acc, x, out);
    build_yield(&in, n, out);
    for (int i = 0; i < n; i++) out[i] = &first->res[i];
}

Op *scan_as_loop(Ad *ad, Op *op) {
    Builder b = builder_before(op);
    int n = op->nres;
    Value **carried = NEWN(ad->arena, Value *, 2 * n + 1), **x = NEWN(ad->arena, Value *, n + 1);
    for (int i = 0; i < n; i++) {
        carried[n + i] = build_const(&b, (Const){.dtype = op->res[i].type->dtype});
        carried[i] = build_fill(&b, carried[n + i], op->res[i].type);
    }
    Op *loop = build_for(&b, build_int(&b, 0), build_size(&b, op->res[0].type->dims[0]), build_int(&b, 1), 2 * n,
                         carried);
    Builder in = builder_at_end(b.module, loop->regs[0], op->span);
    Value **args = loop->regs[0]->args + 1, *at = loop->regs[0]->args[0];
    region_inline(&in, op->regs[0], &at, x);
    next_elements(ad->arena, &in, op, at, args + n, x, carried + n);
    for (int i = 0; i < n; i++) carried[i] = insert_safe(&in, args[i], carried[n + i], 1, &at);
    build_yield(&in, 2 * n, carried);
    return loop;
}

/* ---- their reverse */

void reverse_serial(Scope *s, Op *op) {
    Op *loop = op->code == OP_SCAN       ? scan_as_loop(s->ad, op)
               : op->code == OP_GENERATE ? generate_as_loop(s->ad, op)
                                         : reduce_as_loop(s->ad, op);
    forget_effects(loop);
    active_op(s->ad, loop);
    for (int i = 0; i < op->nres; i++)
        if (adjoint_of(s, &op->res[i])) set_adjoint(s, &loop->res[i], adjoint_of(s, &op->res[i]));
    reverse_loop(s, loop);
}

static void serialize(void *ctx, Op *op) {
    Ad *ad = ctx;
    if (op->code != OP_REDUCE || op_combine(op) == COMBINE_ADD || !is_active(ad, &op->res[0])) return;
    Op *loop = reduce_as_loop(ad, op);
    op_replace(op, loop);
}

void serialize_reductions(Ad *ad, Op *island) {
    for (int i = 0; i < island->nregs; i++) region_walk(island->regs[i], serialize, ad);
}
