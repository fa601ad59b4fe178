/* wrap-index: a remainder of which it is known that it goes around at most once becomes a choice.
 *
 * Needs stage loops, guards narrowed.  `x[(i + 1) % n]` of i below n is x[i + 1] but at the end, where it is x[0]: x %
 * n is x or x - n for 0 <= x < 2n, and x or x + n for -n <= x < n.  Which, a comparison says, of which split-index
 * makes edges and a middle: neighbours on a ring or a torus, rolled arrays.  Even where no loop is cut a comparison is
 * cheaper than a division. */
#include "opt/loops/loops.h"
#include "analysis/linear.h"

typedef struct { Op *op; bool below; } Wrap; /* below: the operand may be below 0, else n or more */

typedef struct { Linear *linear; Arena *arena; VEC(Wrap) found; } Wraps;

/* least <= x < beyond */
static bool lies(Wraps *w, Op *op, const Poly *least, const Poly *beyond) {
    Linear *l = w->linear;
    const Poly *x = linear_value(l, op_opnd(op, 0));
    const Poly *low = linear_sub(l, x, least), *high = linear_sub(l, linear_sub(l, beyond, x), linear_const(l, 1));
    return linear_prove(l, op, low) && linear_prove(l, op, high);
}

static bool in_loop(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code == OP_PARALLEL || o->code == OP_FOR) return true;
    return false;
}

static void visit(void *ctx, Op *op) {
    Wraps *w = ctx;
    Linear *l = w->linear;
    if (op->code != OP_MOD || op->res[0].type->dtype != DT_I64 || type_is_tensor(op->res[0].type) || !in_loop(op))
        return;
    linear_at(l, op);
    const Poly *n = linear_value(l, op_opnd(op, 1)), *zero = linear_const(l, 0);
    if (lies(w, op, zero, linear_add(l, n, n))) vec_push(w->arena, &w->found, ((Wrap){op, false}));
    else if (lies(w, op, linear_sub(l, zero, n), n)) vec_push(w->arena, &w->found, ((Wrap){op, true}));
}

static void rewrite(const Wrap *w) {
    Builder b = builder_before(w->op);
    Value *x = op_opnd(w->op, 0), *n = op_opnd(w->op, 1);
    Value *inside = build_binary(&b, w->below ? OP_GE : OP_LT, x, w->below ? build_int(&b, 0) : n);
    Value *around = build_binary(&b, w->below ? OP_ADD : OP_SUB, x, n), *choice = build_select(&b, inside, x, around);
    choice->name = w->op->res[0].name;
    value_replace_all(&w->op->res[0], choice);
    op_erase(w->op);
}

void pass_wrap_index(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Wraps w = {.linear = linear_new(f), .arena = m->arena};
        region_walk(f->body, visit, &w);
        linear_free(w.linear);
        for (int k = 0; k < w.found.len; k++) rewrite(&w.found.data[k]);
    }
}
