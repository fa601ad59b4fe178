/* Operations at function level: the adjoint of the results is pushed to the operands, from the last operation to the
 * first. */
#include "ad/memory.h"
#include "analysis/lasting.h"

void cannot(Ad *ad, const Op *op, const char *why) {
    if (!ad->failed && !ad->trying) diag_report(ad->module->session, op->span, E_NO_DERIVATIVE, why);
    ad->failed = true;
}

void cannot_call(Ad *ad, const Op *op) {
    const char *name = func_c_name(module_find(ad->module, op_sym(op, A_FUNC)));
    if (!ad->failed && !ad->trying) {
        Diag *d = diag_report(ad->module->session, op->span, E_NO_DERIVATIVE, "a call of C");
        diag_hint(ad->module->session, d, "say how it is differentiated, beside its declaration: vjp fn %s(.., s) or "
                                          "jvp fn %s(.., d)", name, name);
    }
    ad->failed = true;
}

/* ---- values of the function, here */

static Scope *scope_of(Scope *s, const Value *v) {
    const Region *r = value_region(v);
    while (s->up && s->of != r) s = s->up;
    return s;
}

Builder builder_here(const Scope *s) { return s->inner ? builder_before(s->inner) : s->b; }

static void map_free_values(Scope *s, const Op *op, Cloner *c) {
    ValueList all = all_free(s->ad, op);
    for (int i = 0; i < all.len; i++) map_put(s->ad->arena, &c->values, all.data[i], primal_of(s, all.data[i]));
}

static void forget_effect(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_PRINT || op->code == OP_CHECK) op_erase(op);
}

void forget_effects_in(Region *r) { region_walk(r, forget_effect, NULL); }

void forget_effects(Op *op) {
    for (int i = 0; i < op->nregs; i++) forget_effects_in(op->regs[i]);
}

/* A copy in s of an operation of the function, to be run again: what it prints and checks was printed and checked */
Op *run_again_as(Scope *s, Builder *b, const Op *op, Cloner *c) {
    for (int i = 0; i < op->nopnds; i++)
        map_put(s->ad->arena, &c->values, op_opnd(op, i), primal_of(s, op_opnd(op, i)));
    map_free_values(s, op, c);
    Op *copy = clone_op(c, b, op);
    op_rename_sizes(copy);
    forget_effects(copy);
    if (!may_run_again(s->ad, copy))
        cannot(s->ad, op, "a call that prints or calls C, the result of which the derivative needs once more");
    return copy;
}

Op *run_again(Scope *s, Builder *b, const Op *op) {
    Cloner c = {.module = s->ad->module};
    return run_again_as(s, b, op, &c);
}

static Value *compute_anew(Scope *s, Value *v) {
    Op *op = v->def;
    Builder b = builder_here(s);
    vec_push(s->ad->arena, &s->ad->anew, op);
    Cloner *c = NEW(s->ad->arena, Cloner);
    c->module = s->ad->module;
    Op *copy = run_again_as(s, &b, op, c);
    if (op->code == OP_FOR) map_put(s->ad->arena, &s->again, op, c);
    for (int i = 0; i < op->nres; i++) map_put(s->ad->arena, &s->primal, &op->res[i], &copy->res[i]);
    return &copy->res[v->index];
}

/* v, of a loop's body or a branch of it, from the loop's tapes; NULL: computed anew */
static Value *kept_of(Scope *at, Value *v) {
    Scope *in = at;
    while (in->up && !in->part && in->of->owner->code == OP_IF) in = in->up;
    return in->part ? in->part(in, at, v) : NULL;
}

/* What the loop gives that carries this array, of which it has all that is asked for at its end; NULL: it is none */
static Value *given_by_loop_of(Scope *s, const Value *carried) {
    if (carried && map_has(&s->ad->inner, carried->region)) return NULL;
    while (carried && s->of != carried->region) s = s->up;
    return carried && s->given ? s->given(s, carried) : NULL;
}

static bool is_version(const Value *v) {
    return !v->def || v->def->code == OP_INSERT || v->def->code == OP_UPDATE || v->def->nregs;
}

/* What v was read of the array, is read of what the loop gives. */
static Value *read_again(Scope *s, const Value *v, Value *array) {
    Cloner c = {.module = s->ad->module};
    for (int i = 1; i < v->def->nopnds; i++)
        map_put(s->ad->arena, &c.values, op_opnd(v->def, i), primal_of(s, op_opnd(v->def, i)));
    if (v->def->code == OP_LOAD) array = buffer_of(s->memory, array);
    map_put(s->ad->arena, &c.values, op_opnd(v->def, 0), array);
    Builder b = builder_here(s);
    return &clone_op(&c, &b, v->def)->res[0];
}

/* What v was put into the array, is read there. */
static Value *read_written(Scope *s, const Value *v, const Op *write, Value *array) {
    Value *idx[MAX_RANK];
    for (int i = 2; i < write->nopnds; i++) idx[i - 2] = primal_of(s, op_opnd(write, i));
    Builder b = builder_here(s);
    if (write->code == OP_STORE) return load_safe(&b, buffer_of(s->memory, array), write->nopnds - 2, idx);
    if (write->code == OP_INSERT) return extract_safe(&b, array, write->nopnds - 2, idx);
    Value *part = slice_safe(&b, array, op_opnd(write, 1)->type, idx, op_attr(write, A_STEPS)->ints);
    return build_reshaped(&b, part, v->type);
}

static void tell_history(Ad *ad, const Value *v) {
    History *h = map_get(&ad->histories, v);
    if (!h || h->told) return;
    note_kept(ad, h->kept, h->kept.of);
    h->told = true;
}

/* v of what a loop still has at its end; NULL: it is nothing of the kind */
static Value *lasting_of(Scope *at, Value *v) {
    const Lasting *put = map_get(&at->ad->put, v);
    Value *array = given_by_loop_of(at, put ? put->carried : map_get(&at->ad->lasting, v));
    if (!array || (!put && is_version(v))) return array;
    tell_history(at->ad, v);
    Value *known = put ? read_written(at, v, put->write, array) : read_again(at, v, array);
    return map_put(at->ad->arena, &at->primal, v, known), known;
}

Value *primal_of(Scope *s, Value *v) {
    Scope *at = scope_of(s, v);
    if (!at->up || value_region(v) != at->of) return v; /* it dominates the whole reverse */
    Value *known = map_get(&at->primal, v);
    if (known || (known = lasting_of(at, v))) return known;
    if (at->memory && (v->def || v->type->kind == TY_BUF)) known = recall(at, v);
    if (known) return map_put(s->ad->arena, &at->primal, v, known), known;
    if (at->yielded && v->def && type_is_tensor(v->type) && (known = at->yielded(at, v)))
        return map_put(s->ad->arena, &at->primal, v, known), known;
    if (v->def && (known = kept_of(at, v))) return map_put(s->ad->arena, &at->primal, v, known), known;
    if (v->def) return compute_anew(at, v);
    known = at->carried ? at->carried(at, v) : NULL;
    if (!known) bug("an argument of a region that is reversed is not known");
    map_put(s->ad->arena, &at->primal, v, known);
    return known;
}

/* ---- adjoints */

Value *adjoint_of(Scope *s, const Value *v) { return map_get(&s->adjoint, v); }
void set_adjoint(Scope *s, Value *v, Value *g) { map_put(s->ad->arena, &s->adjoint, v, g); }

void add_adjoint(Scope *s, Value *v, Value *g) {
    if (!g || !is_active(s->ad, v)) return;
    set_adjoint(s, v, sum_adjoints(s->ad, &s->b, adjoint_of(s, v), keep_mask(s->ad, as_adjoint(&s->b, g), g)));
}

Value *adjoint_or_zero(Scope *s, Value *v) {
    Value *g = adjoint_of(s, v);
    return g ? g : adjoint_zero(s->ad, &s->b, v);
}

/* ---- operations with rules of their own */

static void reverse_elementwise(Scope *s, Op *op, Value *g) {
    Value *x[3];
    if (!has_adjoint(op->code)) return cannot(s->ad, op, op_info(op->code)->mnemonic);
    for (int k = 0; k < op->nopnds; k++) {
        if (!is_active(s->ad, op_opnd(op, k))) continue;
        for (int i = 0; i < op->nopnds; i++) x[i] = rule_reads(op, k, i) ? primal_of(s, op_opnd(op, i)) : NULL;
        Value *z = rule_reads(op, k, op->nopnds) ? primal_of(s, &op->res[0]) : NULL;
        add_adjoint(s, op_opnd(op, k), elementwise_adjoint(s->ad, &s->b, op, k, x, z, g));
    }
}

/* The sum over all axes of g but those in keep */
Value *sum_axes(Builder *b, Value *g, int nkept, const int64_t *keep, const Type *t) {
    Session *ss = b->module->session;
    const Type *i64 = type_scalar(ss, DT_I64), *elem = type_elem(ss, g->type);
    Value *idx[MAX_RANK] = {0}, *extents[MAX_RANK];
    Op *all = nkept ? build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1) : NULL;
    Builder in = all ? builder_at_end(b->module, all->regs[0], b->span) : *b;
    for (int i = 0; i < nkept; i++) idx[keep[i]] = region_add_arg(all->regs[0], i64, "i");
    int n = 0;
    for (int i = 0; i < g->type->rank; i++)
        if (!idx[i]) extents[n++] = build_size(&in, g->type->dims[i]);
    Op *sum = build_op(&in, OP_REDUCE, n, extents, 1, &elem, 1);
    op_set_combine(sum, COMBINE_ADD);
    for (int i = 0; i < g->type->rank; i++)
        if (!idx[i]) idx[i] = region_add_arg(sum->regs[0], i64, "k");
    Builder body = builder_at_end(b->module, sum->regs[0], b->span);
    Value *v = build_extract(&body, g, g->type->rank, idx);
    build_yield(&body, 1, &v);
    if (!all) return &sum->res[0];
    v = &sum->res[0];
    build_yield(&in, 1, &v);
    return &all->res[0];
}

static void reverse_broadcast(Scope *s, Op *op, Value *g) {
    Value *x = op_opnd(op, 0);
    const int64_t *axes = op_attr(op, A_AXES)->ints;
    const Size *dims[MAX_RANK];
    int64_t keep[MAX_RANK], one;
    int n = 0;
    for (int i = 0; i < x->type->rank; i++) {
        bool stretched = size_is_const(x->type->dims[i], &one) && one == 1 &&
                         g->type->dims[axes[i]] != x->type->dims[i];
        if (!stretched) dims[n] = x->type->dims[i], keep[n++] = axes[i];
    }
    const Type *t = n ? type_tensor(s->ad->module->session, g->type->dtype, n, dims)
                      : type_elem(s->ad->module->session, g->type);
    Value *sum = n == g->type->rank ? g : sum_axes(&s->b, g, n, keep, t);
    const Type *whole = adjoint_type(s->ad, x->type);
    if (!n) sum = build_fill(&s->b, sum, whole);
    else if (n < x->type->rank) sum = &build_op(&s->b, OP_RESHAPE, 1, &sum, 1, &whole, 0)->res[0];
    add_adjoint(s, x, sum);
}

static void reverse_transpose(Scope *s, Op *op, Value *g) {
    const int64_t *perm = op_attr(op, A_PERM)->ints;
    int64_t inverse[MAX_RANK];
    for (int i = 0; i < g->type->rank; i++) inverse[perm[i]] = i;
    add_adjoint(s, op_opnd(op, 0), build_transpose(&s->b, g, inverse));
}

/* slice or update of x by y as op says, its starts at hand */
static Value *sliced(Scope *s, const Op *op, int first, Value *x, Value *y, const Type *t) {
    Value *opnds[MAX_RANK + 2] = {x, y};
    int n = y ? 2 : 1;
    for (int i = first; i < op->nopnds; i++) opnds[n++] = primal_of(s, op_opnd(op, i));
    Op *made = build_op(&s->b, y ? OP_UPDATE : OP_SLICE, n, opnds, 1, &t, 0);
    op_set_ints(made, A_STEPS, t->rank, op_attr(op, A_STEPS)->ints);
    op_set_flag(made, A_SAFE); /* the operation itself was checked */
    return &made->res[0];
}

static void reverse_slice(Scope *s, Op *op, Value *g) {
    Value *x = op_opnd(op, 0), *old = adjoint_or_zero(s, x);
    Value *sum = sum_adjoints(s->ad, &s->b, sliced(s, op, 1, old, NULL, g->type), g);
    set_adjoint(s, x, sliced(s, op, 1, old, sum, old->type));
}

static void reverse_update(Scope *s, Op *op, Value *g) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    if (is_active(s->ad, y)) add_adjoint(s, y, sliced(s, op, 2, g, NULL, adjoint_type(s->ad, y->type)));
    if (is_active(s->ad, x)) add_adjoint(s, x, sliced(s, op, 2, g, adjoint_zero(s->ad, &s->b, y), g->type));
}

/* Of v what no part of x covers: the adjoint of a tensor of v around x */
static void reverse_pad(Scope *s, Op *op, Value *g) {
    Value *x = op_opnd(op, 0), *v = op_opnd(op, 1);
    if (is_active(s->ad, x)) add_adjoint(s, x, sliced(s, op, 2, g, NULL, adjoint_type(s->ad, x->type)));
    if (!is_active(s->ad, v)) return;
    Value *around = sliced(s, op, 2, g, adjoint_zero(s->ad, &s->b, x), g->type);
    add_adjoint(s, v, sum_axes(&s->b, around, 0, NULL, NULL));
}

static void reverse_concat(Scope *s, Op *op, Value *g) {
    int64_t axis = op_attr(op, A_AXES)->ints[0];
    const Size *at = size_const(s->ad->module->session, 0);
    for (int k = 0; k < op->nopnds; k++) {
        Value *x = op_opnd(op, k);
        if (is_active(s->ad, x)) add_adjoint(s, x, build_part(&s->b, g, adjoint_type(s->ad, x->type), (int)axis, at));
        at = size_add(s->ad->module->session, at, x->type->dims[axis]);
    }
}

int indices_of(Scope *s, const Op *op, int first, Value **idx) {
    for (int i = first; i < op->nopnds; i++) idx[i - first] = primal_of(s, op_opnd(op, i));
    return op->nopnds - first;
}

static Value *inserted(Scope *s, const Op *op, int first, Value *x, Value *v) {
    Value *idx[MAX_RANK];
    int n = indices_of(s, op, first, idx);
    return &checked_as(insert_safe(&s->b, x, v, n, idx)->def, op)->res[0];
}

static Value *extracted(Scope *s, const Op *op, int first, Value *x) {
    Value *idx[MAX_RANK];
    int n = indices_of(s, op, first, idx);
    return &checked_as(extract_safe(&s->b, x, n, idx)->def, op)->res[0];
}

static void reverse_extract(Scope *s, Op *op, Value *g) {
    Value *x = op_opnd(op, 0), *old = adjoint_or_zero(s, x);
    set_adjoint(s, x, inserted(s, op, 1, old, sum_adjoints(s->ad, &s->b, extracted(s, op, 1, old), g)));
}

static void reverse_insert(Scope *s, Op *op, Value *g) {
    Value *x = op_opnd(op, 0), *v = op_opnd(op, 1);
    if (is_active(s->ad, v)) add_adjoint(s, v, extracted(s, op, 2, g));
    if (is_active(s->ad, x)) add_adjoint(s, x, inserted(s, op, 2, g, adjoint_zero(s->ad, &s->b, v)));
}

/* ---- all of them */

static void reverse_op(Scope *s, Op *op) {
    bool wanted = false;
    for (int i = 0; i < op->nres; i++) wanted |= adjoint_of(s, &op->res[i]) != NULL;
    if (s->ad->failed) return;
    s->b.span = op->span;
    if (s->memory && reverse_memory(s, op)) return;
    if (!wanted) return;
    Value *g = adjoint_of(s, &op->res[0]);
    switch (op->code) {
    case OP_IF: return reverse_if(s, op);
    case OP_FOR: case OP_WHILE:
        if (!reverse_sum_loop(s, op)) reverse_loop(s, op);
        return;
    case OP_GENERATE: case OP_REDUCE: return reverse_comprehension(s, op);
    case OP_SCAN: return reverse_scan(s, op);
    case OP_ISLAND: return reverse_island(s, op);
    case OP_CALL: case OP_EXTERN: return reverse_call(s, op);
    case OP_SPAWN: return reverse_spawn(s, op);
    case OP_FILL: {
        add_adjoint(s, op_opnd(op, 0), sum_axes(&s->b, g, 0, NULL, NULL));
        return;
    }
    case OP_BROADCAST: return reverse_broadcast(s, op, g);
    case OP_RESHAPE: case OP_RETYPE: {
        const Type *t = adjoint_type(s->ad, op_opnd(op, 0)->type);
        Op *back = build_op(&s->b, op->code, 1, &g, 1, &t, 0);
        op_set_flag(back, A_SAFE);
        add_adjoint(s, op_opnd(op, 0), &back->res[0]);
        return;
    }
    case OP_TRANSPOSE: return reverse_transpose(s, op, g);
    case OP_SLICE: return reverse_slice(s, op, g);
    case OP_UPDATE: return reverse_update(s, op, g);
    case OP_PAD: return reverse_pad(s, op, g);
    case OP_CONCAT: return reverse_concat(s, op, g);
    case OP_EXTRACT:
        if (!s->scalars || region_encloses(s->of, value_region(op_opnd(op, 0)))) reverse_extract(s, op, g);
        return;
    case OP_INSERT: return reverse_insert(s, op, g);
    case OP_EMPTY: return;
    default: break;
    }
    if (op_info(op->code)->traits & TR_ELEM) reverse_elementwise(s, op, g);
    else if (!reverse_matrix(s, op)) cannot(s->ad, op, op_info(op->code)->mnemonic);
}

/* ---- sizes that the region finds */

static void find_size(void *ctx, Op *op) { *(bool *)ctx |= op_defines_sizes(op); }

bool has_own_sizes(const Op *op) {
    bool found = false;
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_size, &found);
    return found;
}

/* They belong to one run of it: the reverse finds them anew, first of all, and gets names of its own for them when it
 * is made (op_rename_sizes). */
static void find_sizes(Scope *s) {
    for (Op *o = s->of->first; o && !s->ad->failed; o = o->next) {
        if (o->code == OP_BIND) build_bind(&s->b, primal_of(s, op_opnd(o, 0)), op_sym(o, A_SYM));
        else if (op_defines_sizes(o)) primal_of(s, &o->res[0]);
    }
}

void reverse_region(Scope *s) {
    VEC(Op *) ops = {0};
    if (s->up && !s->memory) find_sizes(s);
    if (s->memory) replay_memory(s);
    for (Op *o = s->of->first; o && !(op_info(o->code)->traits & TR_TERM); o = o->next) vec_push(s->ad->arena, &ops, o);
    for (int i = ops.len - 1; i >= 0; i--) reverse_op(s, ops.data[i]);
}
