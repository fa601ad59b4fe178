/* Matrices with nothing but 0 beside their diagonal, as comprehensions write them, become a choice between whole
 * arrays: [if i == j { v[i] } else { 0 } for i, j] is select(i == j, v repeated along the columns, 0), with the same
 * elements.  Rules know then that a product with such a matrix scales rows or columns, and is none with the unit matrix
 * (opt/rules/tensor.rules).  Reactant rewrites such scatters before derivatives are taken. */
#include "ir/index.h"
#include "opt/tensor/rules.h"

typedef struct { const Value *on, *off; } Diagonal; /* what stands on it, and beside it */

static bool is_square(const Type *t) { return t->rank == 2 && t->dims[0] == t->dims[1]; }

static bool asks_same_index(const Value *v, const Region *body) {
    const Op *op = v->def;
    if (!op || op->code != OP_EQ) return false;
    bool turned = op_opnd(op, 0) == body->args[1];
    return op_opnd(op, turned) == body->args[0] && op_opnd(op, !turned) == body->args[1];
}

bool is_diagonal_mask(const Value *v) {
    const Op *op = v->def;
    if (!op || op->code != OP_GENERATE || op->nres != 1 || !is_square(v->type)) return false;
    return asks_same_index(op_opnd(region_term(op->regs[0]), 0), op->regs[0]);
}

/* A number, or v[i] or v[j] of a vector */
static bool may_stand_there(const Value *v, const Region *body) {
    if (!region_encloses(body, value_region(v))) return true;
    const Op *op = v->def;
    if (!op || op->code != OP_EXTRACT || op->nopnds != 2 || !op_flag(op, A_SAFE)) return false;
    const Value *x = op_opnd(op, 0), *i = op_opnd(op, 1);
    return !region_encloses(body, value_region(x)) && x->type->dims[0] == index_size(body->args[0]) &&
           (i == body->args[0] || i == body->args[1]);
}

static bool read_diagonal(const Op *op, Diagonal *d) {
    if (op->code != OP_GENERATE || op->nres != 1 || !is_square(op->res[0].type)) return false;
    const Region *body = op->regs[0];
    const Op *choice = op_opnd(region_term(body), 0)->def;
    if (!choice || choice->parent != body || choice->nres != 1) return false;
    bool select = choice->code == OP_SELECT;
    if ((!select && choice->code != OP_IF) || !asks_same_index(op_opnd(choice, 0), body)) return false;
    d->on = select ? op_opnd(choice, 1) : op_opnd(region_term(choice->regs[0]), 0);
    d->off = select ? op_opnd(choice, 2) : op_opnd(region_term(choice->regs[1]), 0);
    const Const *zero = value_const(d->off);
    return zero && dtype_is_float(zero->dtype) && zero->f == 0 && may_stand_there(d->on, body);
}

static Value *mask_of(Builder *b, const Type *t) {
    const Type *type = type_with_dtype(b->module->session, t, DT_BOOL);
    Op *mask = build_op(b, OP_GENERATE, 0, NULL, 1, &type, 1);
    Value *i = region_add_arg(mask->regs[0], type_i64(b->module), "i"),
          *j = region_add_arg(mask->regs[0], type_i64(b->module), "j");
    Builder in = builder_at_end(b->module, mask->regs[0], b->span);
    Value *same = build_binary(&in, OP_EQ, i, j);
    build_yield(&in, 1, &same);
    return &mask->res[0];
}

static Value *repeated(Builder *b, Value *v, const Type *t) {
    const int64_t axis = 0;
    Op *op = build_op(b, OP_BROADCAST, 1, &v, 1, &t, 0);
    op_set_ints(op, A_AXES, 1, &axis);
    return &op->res[0];
}

Value *rule_diagonal(Builder *b, Op *op) {
    Diagonal d;
    if (!read_diagonal(op, &d)) return NULL;
    const Type *t = op->res[0].type;
    const Region *body = op->regs[0];
    Value *off = build_fill(b, build_const(b, *value_const(d.off)), t), *on = (Value *)d.on;
    const Const *number = value_const(on);
    if (number) on = build_fill(b, build_const(b, *number), t);
    else if (region_encloses(body, value_region(on))) on = repeated(b, op_opnd(on->def, 0), t);
    else on = build_fill(b, on, t);
    Value *opnds[] = {mask_of(b, t), on, off};
    return &build_op(b, OP_SELECT, 3, opnds, 1, &t, 0)->res[0];
}
