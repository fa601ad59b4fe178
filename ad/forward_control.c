/* Forward derivatives of branches, loops, strands and calls: tangents go where the values go. */
#include "ad/forward.h"

void yield_tangents(Forward *fw, const Op *op, Region *r, int first) {
    Op *y = region_term(r);
    Builder b = builder_before(y);
    for (int i = 0, n = y->nopnds; i < n; i++)
        if (is_active(fw->ad, &op->res[first + i])) op_add_opnd(y, tangent_here(fw, &b, op_opnd(y, i)));
}

Op *with_tangents(Forward *fw, Op *op, int more, Value *const *opnds) {
    Arena *a = fw->ad->arena;
    Value **all = NEWN(a, Value *, op->nopnds + more + 1);
    const Type **types = NEWN(a, const Type *, 2 * op->nres + 1);
    int n = op->nres, values = op->nres;
    for (int i = 0; i < op->nopnds; i++) all[i] = op_opnd(op, i);
    for (int i = 0; i < more; i++) all[op->nopnds + i] = opnds[i];
    for (int i = 0; i < values; i++) types[i] = op->res[i].type;
    for (int i = 0; i < values; i++)
        if (is_active(fw->ad, &op->res[i])) types[n++] = op->res[i].type;
    Op *new = op_rebuild(op, op->nopnds + more, all, n, types);
    active_replace(fw->ad, op, new);
    n = values;
    for (int i = 0; i < values; i++)
        if (is_active(fw->ad, &new->res[i])) set_tangent(fw, &new->res[i], &new->res[n++]);
    return new;
}

void forward_branch(Forward *fw, Op *op) {
    for (int k = 0; k < 2; k++) {
        forward_region(fw, op->regs[k]);
        yield_tangents(fw, op, op->regs[k], 0);
    }
    with_tangents(fw, op, 0, NULL);
}

/* What varies of what a loop carries is carried with its tangent. */
void forward_loop(Forward *fw, Op *op) {
    Builder b = builder_before(op);
    bool is_for = op->code == OP_FOR;
    int first = is_for ? 3 : 0, more = 0;
    Value **init = NEWN(fw->ad->arena, Value *, op->nres + 1);
    for (int k = 0; k < op->nregs; k++) {
        Region *r = op->regs[k];
        for (int i = 0; i < op->nres; i++)
            if (is_active(fw->ad, &op->res[i]))
                set_tangent(fw, r->args[is_for + i], region_add_arg(r, op->res[i].type, "d"));
    }
    for (int i = 0; i < op->nres; i++)
        if (is_active(fw->ad, &op->res[i])) init[more++] = tangent_here(fw, &b, op_opnd(op, first + i));
    for (int k = 0; k < op->nregs; k++) forward_region(fw, op->regs[k]);
    yield_tangents(fw, op, op->regs[op->nregs - 1], 0);
    with_tangents(fw, op, more, init);
}

/* Results are those of the first strand with their tangents, then those of the second. */
void forward_spawn(Forward *fw, Op *op) {
    int split = region_term(op->regs[0])->nopnds, n = 0, values = op->nres;
    const Type **types = NEWN(fw->ad->arena, const Type *, 2 * values + 1);
    int *where = NEWN(fw->ad->arena, int, values + 1), *tangent = NEWN(fw->ad->arena, int, values + 1);
    for (int k = 0; k < 2; k++) {
        int from = k ? split : 0, to = k ? values : split;
        forward_region(fw, op->regs[k]);
        yield_tangents(fw, op, op->regs[k], from);
        for (int i = from; i < to; i++) types[n] = op->res[i].type, where[i] = n++;
        for (int i = from; i < to; i++)
            if (is_active(fw->ad, &op->res[i])) types[n] = op->res[i].type, tangent[i] = n++;
    }
    Op *new = op_rebuild(op, 0, NULL, n, types);
    for (int i = 0; i < values; i++) {
        Value *v = &new->res[where[i]];
        if (is_active(fw->ad, &op->res[i])) active_value(fw->ad, v), set_tangent(fw, v, &new->res[tangent[i]]);
        value_replace_all(&op->res[i], v);
    }
    op_erase(op);
}

/* ---- calls that stay: of the function that gives tangents behind its values, for these arguments that vary */

static const char *tangent_name(const Forward *fw, const Op *call, const Func *f) {
    Text t;
    text_init(&t, fw->ad->arena);
    text_printf(&t, "%s.jvp.", f->name);
    for (int i = 0; i < call->nopnds; i++) text_printf(&t, "%d", tangent_of(fw, op_opnd(call, i)) != NULL);
    return intern(fw->ad->module->session, text_str(&t));
}

/* The results are those of f, then a tangent of each float. */
static void set_results(Forward *fw, Func *made, const Func *f) {
    made->res_types = NEWN(fw->ad->module->arena, const Type *, 2 * f->nres + 1);
    for (int i = 0; i < f->nres; i++) made->res_types[made->nres++] = f->res_types[i];
    for (int i = 0; i < f->nres; i++)
        if (dtype_is_float(f->res_types[i]->dtype)) made->res_types[made->nres++] = f->res_types[i];
}

static void forward_body(Ad *ad, const Func *f, Func *made) {
    Forward inner = {.ad = ad};
    for (int i = 0, n = f->body->nargs; i < f->body->nargs; i++)
        if (is_active(ad, made->body->args[i])) set_tangent(&inner, made->body->args[i], made->body->args[n++]);
    active_region(ad, made->body);
    forward_region(&inner, made->body);
    Op *ret = region_term(made->body);
    Builder b = builder_before(ret);
    for (int i = 0; i < f->nres; i++)
        if (dtype_is_float(f->res_types[i]->dtype)) op_add_opnd(ret, tangent_here(&inner, &b, op_opnd(ret, i)));
}

static const Func *tangent_function(Forward *fw, const Op *call, const Func *f) {
    Ad *ad = fw->ad;
    const char *name = tangent_name(fw, call, f);
    Func *made = module_find(ad->module, name);
    if (made) return made;
    made = func_new(ad->module, name, FUNC_FN, f->span);
    made->recursive = f->recursive;
    set_results(fw, made, f);
    Cloner c = {.module = ad->module};
    for (int i = 0; i < f->body->nargs; i++)
        map_put(ad->arena, &c.values, f->body->args[i],
                region_add_arg(made->body, f->body->args[i]->type, f->body->args[i]->name));
    for (int i = 0; i < f->body->nargs; i++) {
        if (!tangent_of(fw, op_opnd(call, i))) continue;
        active_value(ad, made->body->args[i]);
        region_add_arg(made->body, f->body->args[i]->type, "d");
    }
    Builder b = builder_at_end(ad->module, made->body, f->span);
    clone_region_ops(&c, &b, f->body, true);
    if (!differentiate_region(made->body)) ad->failed = true;
    else forward_body(ad, f, made);
    return made;
}

static void forward_by_rule(Forward *fw, Op *op) {
    Builder b = builder_after(op);
    Value **d = NEWN(fw->ad->arena, Value *, op->nopnds + 1);
    bool any = false;
    for (int i = 0; i < op->nopnds; i++) {
        bool varies = dtype_is_float(op_opnd(op, i)->type->dtype);
        any |= tangent_of(fw, op_opnd(op, i)) != NULL;
        d[i] = varies ? tangent_here(fw, &b, op_opnd(op, i)) : NULL;
    }
    const Op *call = any ? call_tangent(fw->ad, &b, op, d) : NULL;
    for (int i = 0, k = 0; call && i < op->nres; i++)
        if (dtype_is_float(op->res[i].type->dtype)) set_tangent(fw, &op->res[i], (Value *)(uintptr_t)&call->res[k++]);
}

void forward_call(Forward *fw, Op *op) {
    if (has_own_rule(fw->ad, op)) return forward_by_rule(fw, op);
    if (op->code == OP_EXTERN) return cannot_call(fw->ad, op);
    const Func *f = module_find(fw->ad->module, op_sym(op, A_FUNC));
    Value **opnds = NEWN(fw->ad->arena, Value *, 2 * op->nopnds + 1);
    int n = 0;
    for (int i = 0; i < op->nopnds; i++) opnds[n++] = op_opnd(op, i);
    for (int i = 0; i < op->nopnds; i++)
        if (tangent_of(fw, op_opnd(op, i))) opnds[n++] = tangent_of(fw, op_opnd(op, i));
    if (n == op->nopnds) return;
    const Func *made = tangent_function(fw, op, f);
    for (int i = 0; i < op->nres; i++)
        if (dtype_is_float(op->res[i].type->dtype)) active_value(fw->ad, &op->res[i]);
    Op *new = with_tangents(fw, op, n - op->nopnds, opnds + op->nopnds);
    op_set_sym(new, A_FUNC, made->name);
}
