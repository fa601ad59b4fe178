/* reciprocal: x / y becomes x * (1 / y) where y is a constant or does not change in the loops around.
 *
 * Only with --fp=fast.  Needs stage loops; the one quotient is computed before the outermost loop that does not change
 * y; cse after it merges equal ones.  A constant whose reciprocal is no ordinary number stays. */
#include "opt/pass.h"

#include <math.h>

static bool is_scalar_quotient(const Op *op) {
    DType t = op->nres ? op->res[0].type->dtype : DT_BOOL;
    return op->code == OP_DIV && !type_is_tensor(op->res[0].type) && (t == DT_F64 || t == DT_F32);
}

static bool is_loop(const Op *op) { return op_info(op->code)->traits & TR_LOOP; }

/* The outermost loop around op that y stands before; NULL: none */
static Op *loop_behind(const Op *op, const Value *y) {
    Op *found = NULL;
    for (const Region *r = op->parent; r != value_region(y); r = r->owner->parent)
        if (is_loop(r->owner)) found = r->owner;
    return found;
}

static Value *constant_reciprocal(Builder *b, const Value *y) {
    DType t = y->type->dtype;
    double r = const_round(t, 1 / op_attr(y->def, A_VALUE)->c.f);
    bool ordinary = t == DT_F32 ? isnormal((float)r) : isnormal(r);
    return ordinary ? build_float(b, t, r) : NULL;
}

static Value *reciprocal(Op *op, Value *y) {
    bool constant = value_const(y) != NULL;
    Op *loop = constant ? op : loop_behind(op, y);
    if (!loop) return NULL;
    Builder b = builder_before(loop);
    b.span = op->span;
    return constant ? constant_reciprocal(&b, y) : build_binary(&b, OP_DIV, build_float(&b, y->type->dtype, 1), y);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    Value *r = is_scalar_quotient(op) ? reciprocal(op, op_opnd(op, 1)) : NULL;
    if (!r) return;
    Builder b = builder_before(op);
    Value *product = build_binary(&b, OP_MUL, op_opnd(op, 0), r);
    product->name = op->res[0].name;
    value_replace_all(&op->res[0], product);
    op_erase(op);
}

void pass_reciprocal(Module *m, const PassOptions *opts) {
    if (opts->fp != FP_FAST) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, visit, NULL);
}
