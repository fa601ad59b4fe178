/* Rules of matrix products: transposed operands and products are read as they lie; a vector is multiplied first; of a
 * product that is only summed up, or of which only some elements are read, no matrix is made.  (Enzyme-JAX:
 * transpose_dot_general, dot_general_simplify; Tensat: matmul associativity; Aho, Sethi, Ullman on chains.) */
#include "opt/tensor/rules.h"

static int rank_of(const Value *v) { return v->type->kind == TY_TENSOR ? v->type->rank : 0; }

/* ---- transposes */

/* The two last axes change places, and nothing else does. */
static bool is_matrix_transpose(const Op *op) {
    if (!op || op->code != OP_TRANSPOSE) return false;
    const Attr *perm = op_attr(op, A_PERM);
    for (int i = 0; i < perm->n - 2; i++)
        if (perm->ints[i] != i) return false;
    return perm->n >= 2 && perm->ints[perm->n - 1] == perm->n - 2 && perm->ints[perm->n - 2] == perm->n - 1;
}

Value *rule_transposed_operand(Builder *b, Op *dot) {
    Value *v[2] = {op_opnd(dot, 0), op_opnd(dot, 1)};
    int64_t trans[] = {dot_turns(dot, 0), dot_turns(dot, 1)};
    if (!is_matrix_transpose(v[0]->def) && !is_matrix_transpose(v[1]->def)) return NULL;
    for (int i = 0; i < 2; i++)
        if (is_matrix_transpose(v[i]->def)) v[i] = op_opnd(v[i]->def, 0), trans[i] = !trans[i];
    return build_dot(b, v[0], v[1], trans);
}

Value *rule_transposed_product(Builder *b, Op *transpose) {
    Value *product = op_opnd(transpose, 0);
    const Op *dot = product->def;
    if (!is_matrix_transpose(transpose) || !dot || dot->code != OP_DOT || !only_for(product, transpose)) return NULL;
    return build_dot(b, op_opnd(dot, 1), op_opnd(dot, 0), (int64_t[]){!dot_turns(dot, 1), !dot_turns(dot, 0)});
}

/* ---- a vector first: (a @ b) @ v is a @ (b @ v), v @ (a @ b) is (v @ a) @ b */

static bool is_plain_product(const Value *v, const Op *user) {
    return rank_of(v) == 2 && only_for(v, user) && v->def->code == OP_DOT && rank_of(op_opnd(v->def, 0)) == 2;
}

Value *rule_vector_first(Builder *b, Op *dot) {
    Value *x = op_opnd(dot, 0), *y = op_opnd(dot, 1);
    bool left = rank_of(y) == 1 && is_plain_product(x, dot), right = rank_of(x) == 1 && is_plain_product(y, dot);
    if (!left && !right) return NULL;
    const Op *m = left ? x->def : y->def;
    Value *vector = left ? y : x, *part[2] = {op_opnd(m, 0), op_opnd(m, 1)};
    /* The vector meets the columns' operand first where it stands on the right of a product that is not turned. */
    bool turned = dot_turns(dot, left ? 0 : 1), second = left != turned;
    for (int i = 0; i < 2; i++) {
        int at = second ? 1 - i : i;
        bool columns = second != dot_turns(m, at);
        vector = build_dot(b, part[at], vector, (int64_t[]){!columns, 0});
    }
    return vector;
}

/* ---- (a * c) @ v is (a @ v) * c, c a number */

static Value *factor_of_all(const Value *v) {
    const Op *fill = v->def;
    return fill && fill->code == OP_FILL ? op_opnd(fill, 0) : NULL;
}

Value *rule_scaled_operand(Builder *b, Op *dot) {
    for (int i = 0; i < 2; i++) {
        Value *v = op_opnd(dot, i), *other = op_opnd(dot, 1 - i);
        if (rank_of(v) != 2 || rank_of(other) != 1 || !only_for(v, dot) || v->def->code != OP_MUL) continue;
        for (int k = 0; k < 2; k++) {
            Value *c = factor_of_all(op_opnd(v->def, k)), *m = op_opnd(v->def, 1 - k);
            if (!c) continue;
            const int64_t trans[] = {dot_turns(dot, 0), dot_turns(dot, 1)};
            Value *product = i ? build_dot(b, other, m, trans) : build_dot(b, m, other, trans);
            Value *scale = build_fill(b, c, product->type);
            return build_binary(b, OP_MUL, product, scale);
        }
    }
    return NULL;
}

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
    const Region *r = reduce->regs[0];
    const Op *read = reduce->nopnds == 2 && reduce->nres == 1 ? r->first : NULL;
    if (!read || read->code != OP_EXTRACT || op_combine(reduce) != COMBINE_ADD) return NULL;
    const Value *m = op_opnd(read, 0);
    if (op_opnd(region_term(r), 0) != &read->res[0] || !value_single_use(m) || rank_of(m) != 2 ||
        !dtype_is_float(m->type->dtype))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (op_opnd(read, i + 1) != r->args[i] || index_size(r->args[i]) != m->type->dims[i]) return NULL;
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
