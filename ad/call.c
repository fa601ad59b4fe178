/* Calls that stay calls, of functions that call themselves: the adjoint of a call is a call of the function that holds
 * the vjp of the body, for these arguments that vary; a call in that body becomes a call of the same. */
#include "ad/ad.h"

static const char *name_of(Ad *ad, const Op *call, const Func *f) {
    Text t;
    text_init(&t, ad->arena);
    text_printf(&t, "%s.vjp.", f->name);
    for (int i = 0; i < call->nopnds; i++) text_printf(&t, "%d", is_active(ad, op_opnd(call, i)));
    return intern(ad->module->session, text_str(&t));
}

/* Parameters: those of f, then the adjoint of each float among its results.  Results: the adjoints of what varies. */
typedef struct { Func *made; Value **opnds; const Type **types; int nopnds, nres; } Making;

static void add_vjp_operands(Ad *ad, Making *k, const Op *call, const Func *f, Builder *b) {
    const Region *params = f->body;
    for (int i = 0; i < params->nargs; i++)
        if (is_active(ad, op_opnd(call, i))) k->opnds[k->nopnds++] = k->made->body->args[i];
    for (int i = 0; i < f->nres; i++) k->types[k->nres++] = f->res_types[i];
    for (int i = 0; i < k->nopnds; i++) k->types[k->nres++] = k->opnds[i]->type;
    for (int i = 0, seed = params->nargs; i < f->nres; i++) {
        bool varies = dtype_is_float(f->res_types[i]->dtype);
        k->opnds[k->nopnds++] = varies ? k->made->body->args[seed++] : build_zero(b, f->res_types[i]);
    }
}

static void make_body(Ad *ad, Making *k, const Op *call, const Func *f) {
    Builder b = builder_at_end(ad->module, k->made->body, f->span);
    int room = f->body->nargs + f->nres + 1, varying = 0;
    k->opnds = NEWN(ad->arena, Value *, room);
    k->types = NEWN(ad->arena, const Type *, room);
    add_vjp_operands(ad, k, call, f, &b);
    Op *vjp = build_op(&b, OP_VJP, k->nopnds, k->opnds, k->nres, k->types, 1);
    Cloner c = {.module = ad->module};
    for (int i = 0; i < f->body->nargs; i++) {
        Value *arg = k->made->body->args[i];
        if (is_active(ad, op_opnd(call, i))) arg = region_add_arg(vjp->regs[0], arg->type, arg->name), varying++;
        map_put(ad->arena, &c.values, f->body->args[i], arg);
    }
    Builder in = builder_at_end(ad->module, vjp->regs[0], f->span);
    clone_region_ops(&c, &in, f->body, false);
    const Op *ret = region_term(f->body);
    Value **out = NEWN(ad->arena, Value *, room);
    for (int i = 0; i < f->nres; i++) out[i] = clone_value(&c, op_opnd(ret, i));
    build_yield(&in, f->nres, out);
    k->made->nres = varying;
    k->made->res_types = NEWN(ad->module->arena, const Type *, varying + 1);
    for (int i = 0; i < varying; i++) out[i] = &vjp->res[f->nres + i], k->made->res_types[i] = out[i]->type;
    build_return(&b, varying, out);
}

static const Func *vjp_function(Ad *ad, const Op *call, const Func *f) {
    const char *name = name_of(ad, call, f);
    Making k = {.made = module_find(ad->module, name)};
    if (k.made) return k.made;
    k.made = func_new(ad->module, name, FUNC_FN, f->span); /* differentiated when its turn comes: it is the last one */
    k.made->recursive = f->recursive;
    for (int i = 0; i < f->body->nargs; i++)
        region_add_arg(k.made->body, f->body->args[i]->type, f->body->args[i]->name);
    for (int i = 0; i < f->nres; i++)
        if (dtype_is_float(f->res_types[i]->dtype)) region_add_arg(k.made->body, f->res_types[i], "g");
    make_body(ad, &k, call, f);
    return k.made;
}

void reverse_call(Scope *s, Op *op) {
    Ad *ad = s->ad;
    if (!may_run_again(ad, op)) return cannot(ad, op, "a call of a function that calls itself and prints");
    const Func *f = module_find(ad->module, op_sym(op, A_FUNC)), *made = vjp_function(ad, op, f);
    Value **opnds = NEWN(ad->arena, Value *, op->nopnds + op->nres + 1);
    const Type **types = NEWN(ad->arena, const Type *, op->nopnds + 1);
    int n = 0, nres = 0;
    for (int i = 0; i < op->nopnds; i++) opnds[n++] = primal_of(s, op_opnd(op, i));
    for (int i = 0; i < op->nres; i++)
        if (dtype_is_float(op->res[i].type->dtype)) opnds[n++] = adjoint_or_zero(s, &op->res[i]);
    for (int i = 0; i < op->nopnds; i++)
        if (is_active(ad, op_opnd(op, i))) types[nres++] = op_opnd(op, i)->type;
    Op *call = build_op(&s->b, OP_CALL, n, opnds, nres, types, 0);
    op_set_sym(call, A_FUNC, made->name);
    for (int i = 0, k = 0; i < op->nopnds; i++)
        if (is_active(ad, op_opnd(op, i))) add_adjoint(s, op_opnd(op, i), &call->res[k++]);
}

/* ---- whether a call may run again */

typedef struct { Ad *ad; Map seen; bool quiet; } Quiet;

static void look(void *ctx, Op *op) {
    Quiet *q = ctx;
    bool runs = op->code == OP_CALL;
    if (!runs) {
        q->quiet &= !(op_info(op->code)->traits & TR_EFFECT) || op->code == OP_CHECK || op->code == OP_BIND ||
                    op->code == OP_VJP || op->code == OP_JVP;
        return;
    }
    const Func *f = module_find(q->ad->module, op_sym(op, A_FUNC));
    if (map_has(&q->seen, f)) return;
    map_put(q->ad->arena, &q->seen, f, (void *)(uintptr_t)f);
    region_walk(f->body, look, q);
}

bool may_run_again(Ad *ad, Op *op) {
    Quiet q = {.ad = ad, .quiet = true};
    look(&q, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], look, &q);
    return q.quiet;
}
