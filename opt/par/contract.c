/* contract: x*y + z, x*y - z and z - x*y become one operation that rounds once.
 *
 * Only with --fp=contract or fast.  Needs stage loops, all loops in their last form; leaves products that nobody uses
 * to nobody: they go. Done here, and not by the C compiler, so that a program has the same bits with any number of
 * threads and with every C compiler, and the interpreter can say which.  As C compilers do, a product is joined when
 * all that use it are sums of its own block: then it is not computed a second time.  Of two products in one sum the
 * first is joined. */
#include "opt/pass.h"

static bool is_float(const Value *v) { return v->type->dtype == DT_F64 || v->type->dtype == DT_F32; }

static bool is_sum(const Op *op) { return op->code == OP_ADD || op->code == OP_SUB; }

/* All that use the product are sums beside it, of it and something else. */
static bool joins(const Value *v) {
    const Op *product = v->def;
    if (!product || product->code != OP_MUL || !is_float(v)) return false;
    for (const Use *u = v->uses; u; u = u->next)
        if (!is_sum(u->user) || u->user->parent != product->parent || op_opnd(u->user, 0) == op_opnd(u->user, 1))
            return false;
    return true;
}

static Value *negative(Builder *b, Value *v) { return build_unary(b, OP_NEG, v); }

static void join(Op *sum, int which) {
    Op *product = op_opnd(sum, which)->def;
    Builder b = builder_before(sum);
    Value *x = op_opnd(product, 0), *y = op_opnd(product, 1), *z = op_opnd(sum, 1 - which);
    if (sum->code == OP_SUB && which == 0) z = negative(&b, z);
    if (sum->code == OP_SUB && which == 1) x = negative(&b, x);
    Value *opnds[] = {x, y, z};
    Op *fma = build_op(&b, OP_FMA, 3, opnds, 1, &sum->res[0].type, 0);
    fma->res[0].name = sum->res[0].name;
    value_replace_all(&sum->res[0], &fma->res[0]);
    op_erase(sum);
    if (value_unused(&product->res[0])) op_erase(product);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (!is_sum(o)) continue;
        if (joins(op_opnd(o, 0))) join(o, 0);
        else if (joins(op_opnd(o, 1))) join(o, 1);
    }
}

void pass_contract(Module *m, const PassOptions *opts) {
    if (opts->fp != FP_CONTRACT && opts->fp != FP_FAST) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
