/* Of a matrix product of which only some elements are read no matrix is made; products with inverses. */
#include "opt/tensor/rules.h"

static int rank_of(const Value *v) { return v->type->kind == TY_TENSOR ? v->type->rank : 0; }

static Value *sum_over(Builder *b, const Size *extent, DType t, Builder *in, Value **index) {
    Session *s = b->module->session;
    const Type *type = type_scalar(s, t);
    Op *sum = build_op(b, OP_REDUCE, 1, (Value *[]){build_size(b, extent)}, 1, &type, 1);
    op_set_combine(sum, COMBINE_ADD);
    *index = region_add_arg(sum->regs[0], type_scalar(s, DT_I64), "l");
    *in = builder_at_end(b->module, sum->regs[0], b->span);
    return &sum->res[0];
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

/* ---- a product with an inverse that serves nothing else solves: fewer operations, and digits stay */

static Value *turned(Builder *b, Value *x) {
    return x->type->rank == 2 ? build_transpose(b, x, (int64_t[]){1, 0}) : x;
}

/* k: which operand is the inverse; x inv(a) is what a transposed solves for x transposed, transposed */
static Value *solved_instead(Builder *b, const Op *dot, int k) {
    const Op *inverse = op_opnd(dot, k)->def;
    Value *rhs = op_opnd(dot, 1 - k);
    bool with_transpose = dot_turns(dot, k) != (k == 1);
    if (dot_turns(dot, 1 - k) != (k == 1)) rhs = turned(b, rhs);
    Value *x = build_lu_solve(b, op_opnd(inverse, 0), op_opnd(inverse, 1), rhs, with_transpose);
    const char *asked = op_sym(inverse, A_MSG);
    op_set_sym(x->def, A_MSG, asked ? asked : "inv");
    return k == 1 ? turned(b, x) : x;
}

Value *rule_inverse_product(Builder *b, Op *dot) {
    for (int k = 0; k < 2; k++) {
        const Value *x = op_opnd(dot, k);
        bool is_inverse = x->def && x->def->code == OP_LU_INV && x->def->parent == dot->parent;
        if (is_inverse && value_single_use(x)) return solved_instead(b, dot, k);
    }
    return NULL;
}
