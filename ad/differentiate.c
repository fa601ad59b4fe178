/* differentiate: each vjp becomes its function's operations and the reverse of them, each jvp these with their
 * tangents.
 *
 * needs: calls inlined where that is possible.  Leaves no vjp, jvp and no stop_gradient.  Those inside others come
 * first, so that what a derivative is taken of is made of ordinary operations.  What is made goes through the passes
 * before this one again (pass.c). */
#include "ad/checkpoint.h"
#include "ad/forward.h"
#include "ad/history.h"
#include "ad/history_axes.h"
#include "analysis/lasting.h"
#include "opt/dead.h"
#include "opt/pass.h"

static void drop_calls(Ad *ad, const Op *before, Op *last);

static bool unused(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].uses) return false;
    return true;
}

static void drop_call(Ad *ad, Op *op) {
    bool flow = op->code == OP_IF || op->code == OP_FOR || op->code == OP_WHILE,
         holds = flow || op->code == OP_CALL || (op->code == OP_EXTERN && has_own_rule(ad, op));
    if (holds && unused(op) && may_be_left_out(ad, op)) return op_erase(op);
    for (int i = 0; flow && i < op->nregs; i++) drop_calls(ad, NULL, op->regs[i]->last);
}

/* Calls whose values nobody uses stay, as what they print may be wanted; of these, which only compute, neither the
 * function's value nor its reverse needs anything.  From the last to the first, as one may be there for another. */
static void drop_calls(Ad *ad, const Op *before, Op *last) {
    for (Op *o = last, *prev; o != before; o = prev) {
        prev = o->prev;
        drop_call(ad, o);
    }
}

/* What loops carry for such values alone goes first. */
static void drop_carried(const Op *before, Op *last) {
    for (Op *o = last, *prev; o != before; o = prev) {
        prev = o->prev;
        if (o->nregs) dead_in_op(o);
    }
}

static void dissolve(Ad *ad, Op *op) {
    Region *r = op->regs[0], *into = op->parent;
    Op *y = region_term(r);
    for (int i = 0; i < r->nargs; i++) value_replace_all(r->args[i], op_opnd(op, i));
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], op_opnd(y, i));
    op_erase(y);
    const Op *before = op->prev;
    if (r->first) op_move_range(r->first, r->last, into, op);
    Op *after = op->next;
    op_erase(op);
    drop_carried(before, after->prev);
    drop_calls(ad, before, after->prev);
}

typedef struct { Module *module; const PassOptions *opts; Map most; double limit; } Making;

static Ad begin(Making *k, const Op *op) {
    Ad ad = {.module = k->module, .arena = arena_new(), .most = &k->most, .limit = k->limit, .opts = k->opts};
    ad.again = op_around(op, OP_VJP) || op_around(op, OP_JVP);
    return ad;
}

/* A gradient is a sum that begins with 0, so an element of it is never -0.  Else the sign would tell how much is
 * summed: a part that is 0 may be gone after optimization, and 0 + -0 is 0 where -0 alone is -0. */
static Value *sum_from_zero(Builder *b, Value *g) {
    if (!dtype_is_float(g->type->dtype) || value_never_minus_zero(g)) return g;
    return build_binary(b, OP_ADD, g, build_zero(b, g->type));
}

/* The adjoints of the region's arguments are yielded behind its values. */
void reverse_vjp(Ad *ad, Op *op) {
    Region *r = op->regs[0];
    Op *y = region_term(r);
    Scope top = {.ad = ad, .of = r, .b = builder_before(y)};
    active_mark(ad, r);
    lasting_find(ad->arena, r, &ad->lasting, &ad->put);
    keep_histories(ad, r);
    int values = y->nopnds;
    for (int i = 0; i < values; i++) add_adjoint(&top, op_opnd(y, i), op_opnd(op, r->nargs + i)); /* a seed */
    reverse_region(&top);
    drop_histories(ad);
    bool inner = op->parent->func->adds_adjoints && op->parent == op->parent->func->body; /* the sum began elsewhere */
    for (int i = 0; i < r->nargs && !ad->failed; i++) {
        Value *g = adjoint_or_zero(&top, r->args[i]);
        if (!inner) g = sum_from_zero(&top.b, g);
        op_add_opnd(y, build_cast(&top.b, g, op->res[values + i].type->dtype));
    }
}

static bool take_reverse(Making *k, Op *op) {
    Ad ad = begin(k, op);
    Func *f = op->parent->func;
    plan_checkpoints(&ad, op);
    reverse_vjp(&ad, op);
    take_values(&ad);
    if (!ad.failed) check_kept(&ad);
    if (!ad.failed && k->opts && (k->opts->explain_memory || k->opts->explain_grad)) explain_kept(&ad, op->span);
    if (!ad.failed && k->opts && k->opts->explain_grad) explain_anew(&ad);
    if (!ad.failed) dissolve(&ad, op);
    if (!ad.failed) axes_drop(&ad, f);
    arena_free(ad.arena);
    return !ad.failed;
}

/* The tangents of the region's values are yielded behind these. */
static bool take_forward(Making *k, Op *op) {
    Region *r = op->regs[0];
    Op *y = region_term(r);
    Ad ad = begin(k, op);
    Forward fw = {.ad = &ad};
    active_mark(&ad, r);
    for (int i = 0; i < r->nargs; i++) set_tangent(&fw, r->args[i], op_opnd(op, r->nargs + i));
    forward_region(&fw, r);
    Builder b = builder_before(y);
    for (int i = 0, n = y->nopnds; i < n && !ad.failed; i++) op_add_opnd(y, tangent_here(&fw, &b, op_opnd(y, i)));
    if (!ad.failed) dissolve(&ad, op);
    arena_free(ad.arena);
    return !ad.failed;
}

static bool differentiate_in(Making *k, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++)
            if (!differentiate_in(k, o->regs[i])) return false;
        if (o->code != OP_VJP && o->code != OP_JVP) continue;
        if (o->code == OP_VJP ? !take_reverse(k, o) : !take_forward(k, o)) return false;
    }
    return true;
}

bool differentiate_region(Region *r) {
    Making k = {.module = r->func->module};
    return differentiate_in(&k, r);
}

static void forget_stop(void *ctx, Op *op) {
    (void)ctx;
    if (op->code != OP_STOP_GRADIENT) return;
    value_replace_all(&op->res[0], op_opnd(op, 0));
    op_erase(op);
}

void pass_differentiate(Module *m, const PassOptions *opts) {
    if (!m->derives) return;
    Making k = {.module = m, .opts = opts};
    int64_t limit = 0;
    if (opts->memory_limit && !bytes_read(opts->memory_limit, &limit))
        return (void)diag_report(m->session, NO_SPAN, E_BYTES, opts->memory_limit);
    k.limit = (double)limit;
    m->deriving = true;
    bool done = true;
    for (int i = 0; i < m->funcs.len && done; i++)
        done = m->funcs.data[i]->kind == FUNC_EXTERN || differentiate_in(&k, m->funcs.data[i]->body);
    m->deriving = false;
    if (!done) return;
    for (int i = 0; i < m->funcs.len; i++) region_walk(m->funcs.data[i]->body, forget_stop, NULL);
    m->derives = false;
}
