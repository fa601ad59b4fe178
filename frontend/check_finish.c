/* After all bodies: instances in order, callees first; which are recursive or pure; what kernels may call. */
#include "frontend/check.h"

/* ---- where a diagnostic in an instance comes from */

static const char *choice_text(Check *c, const Fn *fn) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < fn->types.len; i++)
        text_printf(&t, "%s%s = %s", i ? ", " : "", fn->types.data[i].name, ftype_str(c->s, fn->types.data[i].type));
    return text_str(&t);
}

static bool is_std(Check *c, const InstInfo *inst) { return inst->inst.decl && decl_is_std(c, inst->inst.decl); }

/* In the library's own code: shown where the user's calls it. */
static void move_to_user(Check *c, Diag *d, const InstInfo *inst, const char *where) {
    const InstInfo *last = inst;
    while (last->asked_by && is_std(c, last->asked_by)) last = last->asked_by;
    diag_move(c->s, d, last->asked_at, "%s", where);
    for (const InstInfo *by = inst; by != last; by = by->asked_by)
        diag_note(c->s, d, by->asked_at, "called here, in '%s'", by->asked_by->inst.decl->name);
}

Diag *in_context(Check *c, Diag *d) {
    diag_in_dead_code(c->s, false);
    const InstInfo *inst = c->fn ? c->fn->inst : NULL;
    if (!inst || !inst->inst.decl || !inst->inst.decl->generic || inst->asked_at.file < 0) return d;
    const char *types = inst->fn->types.len ? arena_printf(c->a, " with %s", choice_text(c, inst->fn)) : "";
    if (is_std(c, inst)) move_to_user(c, d, inst, arena_printf(c->a, "in '%s'%s", inst->inst.decl->name, types));
    else
        diag_note(c->s, d, inst->asked_at, *types ? "in '%s'%s, asked for here" : "in '%s'%s, as asked for here",
                  inst->inst.decl->name, types);
    return d;
}

/* ---- after all bodies */

void inst_uses(Check *c, InstInfo *callee, Span at) {
    callee->called = true;
    if (c->fn->inst) vec_push(c->a, &c->fn->inst->callees, callee);
    else callee->live = true;
    if (!in_device(c)) return;
    DevCall call = {callee, at};
    vec_push(c->a, &c->dev_calls, call);
}

bool in_device(const Check *c) { return c->fn->kind == FN_KERNEL || c->fn->par_depth; }

void not_device(Check *c, const char *why, Span at) {
    InstInfo *inst = c->fn->inst;
    bool told = c->refused.file == at.file && c->refused.lo <= at.lo && at.hi <= c->refused.hi;
    if (in_device(c) && !told) {
        c->refused = at;
        Diag *d = report(c, at, E_HOST_ONLY, c->fn->kind == FN_KERNEL ? "a kernel" : "a parallel loop", why);
        diag_hint(c->s, d, "do this outside");
    }
    if (!inst || inst->not_device) return;
    inst->not_device = why;
    inst->not_device_at = at;
}

void impure(Check *c) {
    if (c->fn->inst) c->fn->inst->impure = true;
}

/* Lambdas that were only looked at, for their types, are not part of the program. */
static void mark_live(InstInfo *v) {
    v->live = true;
    for (int i = 0; i < v->callees.len; i++)
        if (!v->callees.data[i]->live) mark_live(v->callees.data[i]);
}

typedef struct { Check *c; VEC(InstInfo *) stack; int next; bool as_order; } Order;

/* Strongly connected components (Tarjan): callees are placed first; members of a cycle are recursive. */
static void place(Order *o, InstInfo *v) {
    Check *c = o->c;
    v->index = v->low = ++o->next;
    v->on_stack = true;
    vec_push(c->a, &o->stack, v);
    for (int i = 0; i < v->callees.len; i++) {
        InstInfo *w = v->callees.data[i];
        if (!w->index) {
            place(o, w);
            v->low = w->low < v->low ? w->low : v->low;
        } else if (w->on_stack && w->index < v->low) {
            v->low = w->index;
        }
        if (w == v) v->inst.recursive = true;
    }
    if (v->low != v->index) return;
    bool cycle = vec_last(&o->stack) != v;
    for (InstInfo *w = NULL; w != v;) {
        w = vec_pop(&o->stack);
        w->on_stack = false;
        w->inst.recursive |= cycle;
        if (!w->live) continue;
        bool fn = !w->inst.decl || w->inst.decl->kind == DECL_FN;
        if (fn) vec_push(c->a, &c->prog->insts, &w->inst);
        else if (w->inst.decl->kind == DECL_KERNEL) vec_push(c->a, &c->prog->kernels, &w->inst);
    }
}

/* Properties flow from callees to callers until nothing changes. */
static void spread(Check *c) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < c->all.len; i++) {
            InstInfo *v = c->all.data[i];
            for (int k = 0; k < v->callees.len; k++) {
                const InstInfo *w = v->callees.data[k];
                if (w->impure && !v->impure) v->impure = changed = true;
                if (!w->not_device || v->not_device) continue;
                v->not_device = w->not_device;
                v->not_device_at = w->not_device_at;
                changed = true;
            }
        }
    }
}

static void check_device_calls(Check *c) {
    for (int i = 0; i < c->dev_calls.len; i++) {
        const DevCall *call = &c->dev_calls.data[i];
        if (!call->callee->not_device) continue;
        const char *name = call->callee->inst.decl ? call->callee->inst.decl->name : "this function";
        Diag *d = report(c, call->span, E_DEVICE_CALL, name, call->callee->not_device);
        diag_note(c->s, d, call->callee->not_device_at, "here");
    }
}

void inst_finish(Check *c) {
    Order o = {.c = c};
    for (int i = 0; i < c->all.len; i++)
        if (c->all.data[i]->inst.decl || c->all.data[i]->live) mark_live(c->all.data[i]);
    for (int i = 0; i < c->all.len; i++)
        if (!c->all.data[i]->index) place(&o, c->all.data[i]);
    spread(c);
    for (int i = 0; i < c->all.len; i++) c->all.data[i]->inst.pure = !c->all.data[i]->impure;
    check_device_calls(c);
}
