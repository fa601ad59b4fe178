/* What structured operations hand on: the variables that their regions assign, the exit flags, and the
 * returned values.
 *
 * There is no jump in the IR.  An exit (break, continue, return) sets its flag; what would have been jumped
 * over is put into an `if` on the flags (stmt.c).  A flag exists only where both outcomes are possible. */
#include "lower/ast/private.h"

/* ---- exit flags */

static int flag_index(unsigned exit) { return exit == X_BREAK ? 0 : exit == X_CONTINUE ? 1 : 2; }

static Value *flag_value(Fn *f, unsigned exit) {
    Value *v = f->exits.flag[flag_index(exit)];
    return v ? v : build_bool(&f->b, f->exits.taken & exit);
}

Value *flag_any(Fn *f, unsigned exits) {
    Value *any = NULL;
    for (unsigned x = X_BREAK; x <= X_RETURN; x <<= 1)
        if (exits & x) any = any ? build_binary(&f->b, OP_OR, any, flag_value(f, x)) : flag_value(f, x);
    return any;
}

/* ---- returned values */

/* A value returned from inside a structure passes through its results, whose sizes must be known before. */
static const Type *join_type(Fn *f, const Type *t) {
    const Size *dims[MAX_RANK];
    if (t->kind != TY_TENSOR) return t;
    for (int i = 0; i < t->rank; i++) {
        bool known = size_is_bound(f, t->dims[i]);
        if (!known) diag_report(f->session, f->b.span, E_RETURN_SIZE, size_str(f->session, t->dims[i]));
        dims[i] = known ? t->dims[i] : size_const(f->session, 0);
    }
    return type_tensor(f->session, t->dtype, t->rank, dims);
}

/* Any value of the type, for paths that do not return; sizes that are not known are 0 */
static Value *placeholder(Fn *f, const Type *t) {
    const Size *dims[MAX_RANK];
    if (t->kind != TY_TENSOR) return zero_of(f, t);
    for (int i = 0; i < t->rank; i++)
        dims[i] = size_is_bound(f, t->dims[i]) ? t->dims[i] : size_const(f->session, 0);
    return zero_of(f, type_tensor(f->session, t->dtype, t->rank, dims));
}

/* In islands a returned array has its place, and is no value. */
static bool has_place(const Fn *f, int k) { return f->result.n && f->result.v[k]; }

static Value *returned_value(Fn *f, int k, const Type *t) {
    if (f->returned.n) return f->returned.v[k];
    if (f->idle.n && f->idle.v[k]->type == t) return f->idle.v[k];
    return placeholder(f, t);
}

/* ---- carries */

static int value_leaves(const Vals *v) {
    int n = 0;
    for (int i = 0; i < v->n; i++) n += !is_buffer(v->v[i]);
    return n;
}

static void carry_types(Fn *f, Carry *c) {
    int n = 0, count = EXIT_COUNT + (f->ret ? leaf_count(f->ret) : 0);
    for (int i = 0; i < c->vars.len; i++) count += env_get(f, c->vars.data[i])->n;
    c->types = NEWN(f->arena, const Type *, count);
    for (int i = 0; i < c->vars.len; i++) {
        const Vals *v = env_get(f, c->vars.data[i]);
        for (int k = 0; k < v->n; k++)
            if (!is_buffer(v->v[k])) c->types[n++] = v->v[k]->type;
    }
    for (unsigned x = X_BREAK; x <= X_RETURN; x <<= 1)
        if (c->exits & x) c->types[n++] = type_scalar(f->session, DT_BOOL);
    if (c->ret) {
        const Type **ret = leaf_types(f, f->ret);
        for (int k = 0; k < leaf_count(f->ret); k++)
            if (!has_place(f, k)) c->types[n++] = join_type(f, ret[k]);
    }
    c->n = n;
}

Carry carry_new(Fn *f, const VarVec *assigned, unsigned exits, bool ret) {
    Carry c = {.exits = exits & X_EXITS, .ret = ret && f->ret};
    for (int i = 0; i < assigned->len; i++) {
        const Vals *v = env_get(f, assigned->data[i]);
        if (v && value_leaves(v)) vec_push(f->arena, &c.vars, assigned->data[i]);
    }
    carry_types(f, &c);
    return c;
}

Value **carry_collect(Fn *f, const Carry *c) {
    Value **out = NEWN(f->arena, Value *, c->n + 1);
    int n = 0;
    for (int i = 0; i < c->vars.len; i++) {
        const Vals *v = env_get(f, c->vars.data[i]);
        for (int k = 0; k < v->n; k++)
            if (!is_buffer(v->v[k])) out[n++] = v->v[k];
    }
    for (unsigned x = X_BREAK; x <= X_RETURN; x <<= 1)
        if (c->exits & x) out[n++] = flag_value(f, x);
    for (int k = 0; n < c->n; k++)
        if (!has_place(f, k)) out[n] = returned_value(f, k, c->types[n]), n++;
    return out;
}

static void name_carried(Value *v, const char *name) {
    if (!v->name) v->name = name;
}

void carry_restore(Fn *f, const Carry *c, Value *const *vals) {
    int n = 0;
    for (int i = 0; i < c->vars.len; i++) {
        Vals v = vals_copy(f, *env_get(f, c->vars.data[i]));
        for (int k = 0; k < v.n; k++) {
            if (is_buffer(v.v[k])) continue;
            name_carried(vals[n], v.v[k]->name);
            v.v[k] = vals[n++];
        }
        env_set(f, c->vars.data[i], v);
    }
    exits_none(f);
    for (unsigned x = X_BREAK; x <= X_RETURN; x <<= 1)
        if (c->exits & x) f->exits.flag[flag_index(x)] = vals[n++];
    if (!c->ret) return;
    f->returned = vals_new(f, leaf_count(f->ret));
    for (int k = 0; k < f->returned.n; k++) f->returned.v[k] = has_place(f, k) ? f->result.v[k] : vals[n++];
}

Mark builder_enter(Fn *f, Builder b) {
    Mark m = {f->b, f->visible->len};
    f->b = b;
    return m;
}

Mark region_enter(Fn *f, Region *r) { return builder_enter(f, builder_at_end(f->l->module, r, f->b.span)); }

void region_leave(Fn *f, Mark m) {
    while (f->visible->len > m.visible) vec_pop(f->visible)->now = NULL;
    f->b = m.b;
}
