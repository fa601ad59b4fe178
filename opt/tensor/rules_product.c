/* Of a matrix product that is only summed up, or of which only some elements are read, no matrix is made. */
#include "opt/tensor/rules.h"

static int rank_of(const Value *v) { return v->type->kind == TY_TENSOR ? v->type->rank : 0; }

/* ---- the sum of all elements of a @ b: sums of a's columns times sums of b's rows */

static Value *sum_over(Builder *b, const Size *extent, DType t, Builder *in, Value **index) {
    Session *s = b->module->session;
    const Type *type = type_scalar(s, t);
    Op *sum = build_op(b, OP_REDUCE, 1, (Value *[]){build_size(b, extent)}, 1, &type, 1);
    op_set_combine(sum, COMBINE_ADD);
    *index = region_add_arg(sum->regs[0], type_scalar(s, DT_I64), "l");
    *in = builder_at_end(b->module, sum->regs[0], b->span);
    return &sum->res[0];
}

/* For each index of the axis that stays, the sum over the other one */
static Value *sums_along(Builder *b, Value *m, int axis) {
    Session *s = b->module->session;
    const Type *t = type_tensor(s, m->type->dtype, 1, &m->type->dims[1 - axis]);
    Op *all = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Value *stays = region_add_arg(all->regs[0], type_scalar(s, DT_I64), "k"), *l;
    Builder in = builder_at_end(b->module, all->regs[0], b->span), term;
    Value *sum = sum_over(&in, m->type->dims[axis], m->type->dtype, &term, &l);
    Value *at[] = {axis ? stays : l, axis ? l : stays}, *v = extract_safe(&term, m, 2, at);
    build_yield(&term, 1, &v);
    build_yield(&in, 1, &sum);
    return &all->res[0];
}

Value *rule_sum_of_product(Builder *b, Op *reduce) {
    const Value *m = op_combine(reduce) == COMBINE_ADD ? total_of(reduce) : NULL;
    if (!m || !value_single_use(m) || rank_of(m) != 2 || !dtype_is_float(m->type->dtype)) return NULL;
    const Op *dot = m->def;
    if (!dot || dot->code != OP_DOT || dot->parent != reduce->parent || rank_of(op_opnd(dot, 0)) != 2) return NULL;
    Value *columns = sums_along(b, op_opnd(dot, 0), dot_turns(dot, 0)),
          *rows = sums_along(b, op_opnd(dot, 1), !dot_turns(dot, 1));
    return build_dot(b, columns, rows, NULL);
}

/* ---- elements of a product that are read along one index: the diagonal, one of each row */

/* The comprehension or reduction of one index that op stands in, behind the product */
static bool reads_along(const Op *op, const Op *dot) {
    const Op *owner = op->parent->owner;
    bool along = owner && (owner->code == OP_GENERATE || owner->code == OP_REDUCE) && owner->parent == dot->parent &&
                 op->parent == owner->regs[0] && owner->regs[0]->nargs == 1;
    if (!along) return false;
    const Value *i = owner->regs[0]->args[0];
    for (int k = 0; k < 2; k++)
        if (op_opnd(op, k + 1) == i && index_size(i) == dot->res[0].type->dims[k]) return true;
    return false;
}

Value *rule_one_element(Builder *b, Op *extract) {
    Value *m = op_opnd(extract, 0), *l;
    const Op *dot = m->def;
    if (!dot || dot->code != OP_DOT || rank_of(m) != 2 || !value_single_use(m) || !op_flag(extract, A_SAFE))
        return NULL;
    if (!reads_along(extract, dot)) return NULL;
    Value *x = op_opnd(dot, 0), *y = op_opnd(dot, 1), *i = op_opnd(extract, 1), *j = op_opnd(extract, 2);
    bool tx = dot_turns(dot, 0), ty = dot_turns(dot, 1);
    Builder in;
    Value *sum = sum_over(b, x->type->dims[!tx], x->type->dtype, &in, &l);
    Value *u = extract_safe(&in, x, 2, (Value *[]){tx ? l : i, tx ? i : l}),
          *v = extract_safe(&in, y, 2, (Value *[]){ty ? j : l, ty ? l : j});
    Value *term = build_binary(&in, OP_MUL, u, v);
    build_yield(&in, 1, &term);
    return sum;
}
