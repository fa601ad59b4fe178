/* remainders: x % n, where 0 <= x < n is proved, is x.
 *
 * Needs index arithmetic as i64 operations; at stage par.  `roll(a, 0, 0, 1)` goes around along its last axis alone:
 * along the others it says `i % n` of i below n.  What goes around at most once stays: derivatives invert it, and
 * wrap-index makes a choice of it later. */
#include "analysis/linear.h"
#include "opt/pass.h"

typedef struct { Func *func; Linear *linear; Arena *arena; VEC(Op *) idle; } Remainders;

static bool is_idle(Remainders *r, Op *op) {
    if (!r->linear) r->linear = linear_new(r->func);
    Linear *l = r->linear;
    linear_at(l, op);
    const Poly *x = linear_value(l, op_opnd(op, 0)), *n = linear_value(l, op_opnd(op, 1));
    return linear_prove(l, op, x) && linear_prove(l, op, linear_sub(l, linear_sub(l, n, x), linear_const(l, 1)));
}

static void find_idle(void *ctx, Op *op) {
    Remainders *r = ctx;
    if (op->code != OP_MOD || type_is_tensor(op->res[0].type) || op->res[0].type->dtype != DT_I64) return;
    if (is_idle(r, op)) vec_push(r->arena, &r->idle, op);
}

void pass_remainders(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Remainders r = {.func = f, .arena = m->arena};
        region_walk(f->body, find_idle, &r);
        if (r.linear) linear_free(r.linear);
        for (int k = 0; k < r.idle.len; k++) {
            value_replace_all(&r.idle.data[k]->res[0], op_opnd(r.idle.data[k], 0));
            op_erase(r.idle.data[k]);
        }
    }
}
