/* Forward derivatives of comprehensions, reductions and scans: the region makes tangents beside its values. */
#include "ad/forward.h"

/* Tangents beside the values, in the operation itself */
static void forward_beside(Forward *fw, Op *op) {
    forward_region(fw, op->regs[0]);
    yield_tangents(fw, op, op->regs[0], 0);
    with_tangents(fw, op, 0, NULL);
}

/* ---- an operation beside op, over the same indices, of what its region computes */

static Op *open_beside(Forward *fw, Builder *b, Op *op, Cloner *c, int nres, const Type *const *types, int ninit,
                       Value *const *init) {
    int n = op->code == OP_REDUCE ? op->regs[0]->nargs : 0;
    Value *opnds[MAX_RANK + 4];
    for (int i = 0; i < n; i++) opnds[i] = op_opnd(op, i);
    for (int i = 0; i < ninit && op->code == OP_REDUCE; i++) opnds[n++] = init[i];
    Op *made = build_op(b, op->code, n, opnds, nres, types, ninit ? 2 : 1);
    for (int i = 0; i < op->regs[0]->nargs; i++) {
        Value *at = region_add_arg(made->regs[0], op->regs[0]->args[i]->type, "i");
        map_put(fw->ad->arena, &c->values, op->regs[0]->args[i], at);
    }
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    clone_region_ops(c, &in, op->regs[0], false);
    return made;
}

/* ---- least and greatest of an array: the tangent of the first that is it */

static Value *number_of(Builder *b, const Op *op, const Region *r) {
    Value *linear = r->args[0];
    for (int i = 1; i < r->nargs; i++)
        linear = build_binary(b, OP_ADD, build_binary(b, OP_MUL, linear, op_opnd(op, i)), r->args[i]);
    return linear;
}

static Value *place_of(Forward *fw, Builder *b, Op *op, int k) {
    const Type *i64 = type_scalar(b->module->session, DT_I64);
    Cloner c = {.module = b->module};
    Op *made = open_beside(fw, b, op, &c, 1, &i64, 0, NULL);
    op_set_combine(made, COMBINE_MIN);
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *wins = build_binary(&in, OP_EQ, clone_value(&c, op_opnd(region_term(op->regs[0]), k)), &op->res[k]);
    Value *v = build_select(&in, wins, number_of(&in, op, made->regs[0]), build_int(&in, INT64_MAX));
    build_yield(&in, 1, &v);
    return &made->res[0];
}

static void forward_extreme(Forward *fw, Builder *b, Op *op, int k) {
    Value *t = tangent_of(fw, op_opnd(region_term(op->regs[0]), k)), *place;
    if (!t) return;
    place = place_of(fw, b, op, k);
    Cloner c = {.module = b->module};
    Op *made = open_beside(fw, b, op, &c, 1, &op->res[k].type, 0, NULL);
    op_set_combine(made, COMBINE_ADD);
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *here = build_binary(&in, OP_EQ, number_of(&in, op, made->regs[0]), place);
    Value *v = build_select(&in, here, clone_value(&c, t), build_zero(&in, t->type));
    build_yield(&in, 1, &v);
    set_tangent(fw, &op->res[k], &made->res[0]);
}

/* ---- products, and running extremes: pairs of value and tangent are combined */

static void combine_pairs(Builder *in, Combine kind, Value *const *x, Value **out) {
    Value *a = x[0], *da = x[1], *b = x[2], *db = x[3];
    if (kind == COMBINE_MUL) {
        out[0] = build_binary(in, OP_MUL, a, b);
        out[1] = build_binary(in, OP_ADD, build_binary(in, OP_MUL, da, b), build_binary(in, OP_MUL, a, db));
        return;
    }
    Value *wins = takes_over(in, kind == COMBINE_MIN ? OP_MIN : OP_MAX, b, a);
    out[0] = build_select(in, wins, b, a);
    out[1] = build_select(in, wins, db, da);
}

static void forward_pairs(Forward *fw, Builder *b, Op *op, int k) {
    Value *v = op_opnd(region_term(op->regs[0]), k), *t = tangent_of(fw, v);
    if (!t) return;
    const Type *types[] = {op->res[k].type, op->res[k].type}, *elem = v->type;
    Value *init[] = {build_float(b, elem->dtype, 1), build_float(b, elem->dtype, 0)};
    Cloner c = {.module = b->module};
    Op *made = open_beside(fw, b, op, &c, 2, types, 2, init);
    op_set_combine(made, COMBINE_CUSTOM);
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *out[] = {clone_value(&c, v), clone_value(&c, t)}, *x[4];
    build_yield(&in, 2, out);
    for (int i = 0; i < 4; i++) x[i] = region_add_arg(made->regs[1], elem, i % 2 ? "d" : "x");
    in = builder_at_end(b->module, made->regs[1], b->span);
    combine_pairs(&in, op_combine(op), x, out);
    build_yield(&in, 2, out);
    set_tangent(fw, &op->res[k], &made->res[1]);
}

/* ---- operators of the program's own: they combine values and tangents */

/* The arguments of the combining region, a.. and b.., get their tangents behind them: a.., da.., b.., db.. */
static void add_pair_args(Forward *fw, const Op *op, Region *r) {
    Value **args = NEWN(fw->ad->arena, Value *, 4 * op->nres + 1);
    int n = 0, values = op->nres;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < values; i++) args[n++] = r->args[k * values + i];
        for (int i = 0; i < values; i++) {
            if (!is_active(fw->ad, &op->res[i])) continue;
            Value *of = r->args[k * values + i];
            set_tangent(fw, of, args[n++] = region_add_arg(r, of->type, "d"));
        }
    }
    for (int i = 0; i < n; i++) r->args[i] = args[i], args[i]->index = i;
}

static void forward_custom(Forward *fw, Op *op) {
    Builder b = builder_before(op);
    int extents = op->code == OP_REDUCE ? op->regs[0]->nargs : 0, more = 0;
    Value **init = NEWN(fw->ad->arena, Value *, op->nres + 1);
    forward_region(fw, op->regs[0]);
    yield_tangents(fw, op, op->regs[0], 0);
    add_pair_args(fw, op, op->regs[1]);
    forward_region(fw, op->regs[1]);
    yield_tangents(fw, op, op->regs[1], 0);
    for (int i = 0; i < op->nres && op->code == OP_REDUCE; i++)
        if (is_active(fw->ad, &op->res[i])) init[more++] = tangent_here(fw, &b, op_opnd(op, extents + i));
    with_tangents(fw, op, more, init);
}

void forward_comprehension(Forward *fw, Op *op) {
    Combine kind = op->code == OP_GENERATE ? COMBINE_ADD : op_combine(op);
    if (kind == COMBINE_ADD) return forward_beside(fw, op);
    if (kind == COMBINE_CUSTOM) return forward_custom(fw, op);
    Builder b = builder_after(op);
    b.span = op->span;
    bool least = op->code == OP_REDUCE && kind != COMBINE_MUL;
    forward_region(fw, op->regs[0]);
    for (int k = 0; k < op->nres; k++) {
        if (least) forward_extreme(fw, &b, op, k);
        else forward_pairs(fw, &b, op, k);
    }
}
