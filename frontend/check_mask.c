/* Masks and arrays of indices: x[m], x[m] = v, x[m] += v, x[at] += v.  Updates of other forms: check_places.c.
 *
 * They are rewritten as calls of the library (stdlib/array.dsl, the functions that begin with _): how many elements a
 * mask chooses is known when the program runs, and the places of an update are taken one after the other, so that an
 * index that stands in the array twice is updated twice. */
#include "frontend/check.h"

#include <string.h>

bool is_mask(const FType *t) { return t->kind == FT_ARRAY && type_is_scalar(t->elem, DT_BOOL); }

static bool is_indices(const FType *t) {
    return t->kind == FT_ARRAY && t->rank == 1 && t->elem->kind == FT_SCALAR && dtype_is_int(t->elem->dtype);
}

/* The mask has the sizes of what it chooses from. */
static Expr *fitted(Check *c, Expr *mask, const Expr *array, int axis) {
    const Size *const *dims = array->type->dims + axis;
    return coerce(c, mask, ftype_array(c->s, mask->type->elem, mask->type->rank, dims), &(Reason){.what = "the mask"});
}

Expr *mask_places(Check *c, Expr *mask, const Expr *array, int axis) {
    mask = fitted(c, mask, array, axis);
    return is_error(mask) ? mask : check_value(c, call_library(c, mask->span, "_places", 1, &mask), NULL);
}

/* The type of a name or a field of one, before it is checked; NULL: not known so */
static const FType *type_of_place(Check *c, const Expr *e) {
    const Var *v = e->kind == EX_NAME ? scope_find(c, e->name) : NULL;
    const FType *t = e->kind == EX_FIELD ? type_of_place(c, e->a) : NULL;
    int field = t && t->kind == FT_STRUCT ? find_field(t, e->name) : -1;
    return v ? v->type : field >= 0 ? t->fields[field] : NULL;
}

static bool is_of_thread(Check *c, const Expr *e) {
    return e->kind == EX_FIELD && e->a->kind == EX_NAME && is_thread_name(c, e->a->name) && !scope_find(c, e->a->name);
}

/* Whether the subscript might be an array: what is cheap to see before it is checked */
static bool may_be_array(Check *c, const Expr *e) {
    const FType *t = type_of_place(c, e->kind == EX_INDEX ? e->a : e);
    switch (e->kind) {
    case EX_INT: return false;
    case EX_NAME: return t && t->kind == FT_ARRAY;
    case EX_FIELD: return t ? t->kind == FT_ARRAY : !is_of_thread(c, e);
    case EX_UNARY: return may_be_array(c, e->a);
    case EX_BINARY: return may_be_array(c, e->a) || may_be_array(c, e->b);
    case EX_INDEX:
        for (int i = 0; i < e->subs.len; i++)
            if (e->subs.data[i].kind == SUB_SLICE || may_be_array(c, e->subs.data[i].index)) return true;
        return !t || (t->kind == FT_ARRAY && t->rank > e->subs.len);
    default: return true;
    }
}

static bool is_place(const Expr *e) {
    while (e->kind == EX_FIELD) e = e->a;
    return e->kind == EX_NAME;
}

/* Of several axes, or of an array that is computed: its sizes are known only behind it, and the mask has them. */
bool chooses_by_mask(Check *c, Expr *e) {
    Sub *sub = &e->subs.data[0];
    if (e->subs.len != 1 || sub->kind != SUB_INDEX || is_error(e->a) || e->a->type->kind != FT_ARRAY || in_device(c))
        return false;
    if (e->a->type->rank < 2 && (is_place(e->a) || e->a->type->elem->kind != FT_SCALAR)) return false;
    if (!may_be_array(c, sub->index)) return false;
    sub->index = check_value(c, sub->index, NULL);
    return is_mask(sub->index->type) && sub->index->type->rank == e->a->type->rank;
}

Expr *mask_elements(Check *c, Expr *e) {
    Expr *args[] = {e->a, fitted(c, e->subs.data[0].index, e->a, 0)};
    return is_error(args[1]) ? error_expr(e) : check_expr(c, call_library(c, e->span, "_masked", 2, args), NULL);
}

/* ---- assignments */

/* fn(old, by) => old op by */
static Expr *update_lambda(Check *c, Opr op, Span at) {
    static const char *const names[] = {"old", "by"};
    Expr *e = expr_new(c->s, EX_LAMBDA, at), *sum = e->a = expr_new(c->s, EX_BINARY, at);
    sum->op = op;
    for (int i = 0; i < 2; i++) {
        Param p = {.name = intern(c->s, names[i]), .span = at};
        Expr **operand = i ? &sum->b : &sum->a;
        vec_push(c->a, &e->params, p);
        *operand = expr_name(c->s, at, p.name);
    }
    return e;
}

/* The value as elements of x: a number, or one for each place */
static Expr *elements_for(Check *c, Expr *v, const FType *x) {
    Reason why = {.what = "the value"};
    v = check_value(c, v, NULL);
    if (is_error(v)) return v;
    bool many = v->type->kind == FT_ARRAY && v->type->rank == 1;
    return coerce(c, v, many ? ftype_array(c->s, x->elem, 1, v->type->dims) : x->elem, &why);
}

/* The subscripts with [i] behind those that are arrays: rows[i], cols[i] */
static const char *subs_of_thread(Check *c, const Expr *t) {
    const char *all = "";
    for (int i = 0; i < t->subs.len; i++) {
        const Sub *sub = &t->subs.data[i];
        bool array = sub->kind == SUB_INDEX && may_be_array(c, sub->index);
        all = intern_printf(c->s, "%s%s%s%s", all, i ? ", " : "", source_copy(c->s, sub->span), array ? "[i]" : "");
    }
    return all;
}

static void report_in_device(Check *c, const Stmt *st, const Expr *index, bool mask) {
    Diag *d = report(c, st->target->span, E_SCATTER);
    const char *x = source_copy(c->s, st->target->a->span), *at = source_copy(c->s, index->span);
    if (mask) diag_hint(c->s, d, "each thread takes an element: if %s { %s[i] = ... }", at, x);
    else diag_hint(c->s, d, "each thread takes an element: atomic %s[%s] += ...", x, subs_of_thread(c, st->target));
}

/* Gives st a target and a value that say the same: x = put(x, at, v), x = update(fn(old, by) => old op by, x, at, v).
 */
static void rewrite(Check *c, Stmt *st, Expr *target, Expr *x, Expr *at, const char *put, const char *update) {
    Expr *value = st->a, *with_op[] = {NULL, x, at, value};
    Opr op = st->op;
    st->target = target;
    st->op = OPR_NONE;
    if (is_error(value)) return;
    if (is_error(at)) st->a = at;
    else if (op == OPR_NONE) st->a = call_library(c, st->span, put, 3, with_op + 1);
    else {
        with_op[0] = update_lambda(c, op, st->span);
        st->a = call_library(c, st->span, update, 4, with_op);
    }
}

/* x[m] = v, x[m] += v of as many axes as the mask has; x[at] += v */
static void rewrite_elements(Check *c, Stmt *st, Expr *x, Expr *at, bool mask) {
    st->a = elements_for(c, st->a, x->type);
    if (mask) at = fitted(c, at, x, 0);
    rewrite(c, st, st->target->a, x, at, "_put", mask ? "_update" : "_update_at");
}

/* A mask on axis k among other subscripts: x[i, m] is that of the row x[i, :], x[:, m] chooses columns, to which a
 * number goes. */
static void rewrite_axis(Check *c, Stmt *st, int k, Expr *mask) {
    Expr *part = expr_clone(c->s, st->target);
    int axis = 0;
    for (int i = 0; i < k; i++) axis += part->subs.data[i].kind == SUB_SLICE;
    part->subs.data[k] = (Sub){.kind = SUB_SLICE, .span = part->subs.data[k].span};
    Expr *x = check_value(c, expr_clone(c->s, part), NULL);
    if (is_error(x) || x->type->kind != FT_ARRAY || x->type->rank > 2 || x->type->elem->kind != FT_SCALAR) return;
    mask = fitted(c, mask, x, axis);
    if (x->type->rank == 1) {
        st->a = elements_for(c, st->a, x->type);
        rewrite(c, st, part, x, mask, "_put", "_update");
        return;
    }
    st->a = coerce(c, check_value(c, st->a, NULL), x->type->elem, &(Reason){.what = "the value"});
    rewrite(c, st, part, x, mask, axis ? "_put_columns" : "_put_rows", axis ? "_update_columns" : "_update_rows");
}

/* The subscripts that are arrays: how many, the first, checked, and its place */
typedef struct { int n, k; Expr *at; } ArraySubs;

static ArraySubs array_subs(Check *c, const Expr *t) {
    ArraySubs found = {0};
    for (int i = 0; i < t->subs.len; i++) {
        if (t->subs.data[i].kind != SUB_INDEX || !may_be_array(c, t->subs.data[i].index)) continue;
        Expr *index = check_value(c, expr_clone(c->s, t->subs.data[i].index), NULL);
        if (is_error(index)) return error_expr(t->subs.data[i].index), (ArraySubs){0};
        if (index->type->kind != FT_ARRAY) continue;
        if (!found.n++) found.at = index, found.k = i;
    }
    return found;
}

/* x[i][at] as x[i, at], where an array has plain indices first; else t */
static Expr *joined_subs(Check *c, Expr *t) {
    if (t->kind != EX_INDEX || t->a->kind != EX_INDEX) return t;
    Expr *inner = joined_subs(c, t->a), *joined = expr_clone(c->s, inner);
    if (!is_place(inner->a)) return t;
    for (int i = 0; i < inner->subs.len; i++)
        if (inner->subs.data[i].kind != SUB_INDEX || may_be_array(c, inner->subs.data[i].index)) return t;
    const Expr *x = check_value(c, expr_clone(c->s, inner->a), NULL);
    if (is_error(x) || x->type->kind != FT_ARRAY || inner->subs.len + t->subs.len > x->type->rank) return t;
    joined->span = t->span;
    for (int i = 0; i < t->subs.len; i++) vec_push(c->a, &joined->subs, t->subs.data[i]);
    return joined;
}

/* A number goes to all places of a mask of one of the first axes; an array is for the places one after the other. */
static bool takes_number(Check *c, Stmt *st, const Expr *mask, const Expr *x) {
    const Expr *v = check_value(c, expr_clone(c->s, st->a), NULL);
    bool first = st->target->subs.len <= 2 && st->target->subs.len <= x->type->rank;
    if (is_error(v)) error_expr(st->a); /* once is enough */
    return mask->type->rank == 1 && first && !is_error(v) && v->type->kind != FT_ARRAY;
}

bool check_scatter(Check *c, Stmt *st) {
    Expr *t = st->target = joined_subs(c, st->target);
    if (t->kind != EX_INDEX || !is_place(t->a)) return false;
    ArraySubs subs = array_subs(c, t);
    Expr *at = subs.at;
    bool mask = subs.n == 1 && is_mask(at->type);
    bool updates = subs.n && st->op != OPR_NONE && (is_indices(at->type) || (subs.n > 1 && is_mask(at->type)));
    if (!mask && !updates) return false;
    if (in_device(c)) {
        report_in_device(c, st, t->subs.data[subs.k].index, mask);
        error_expr(t->subs.data[subs.k].index);
        return false;
    }
    Expr *x = check_value(c, expr_clone(c->s, t->a), NULL);
    if (is_error(x) || x->type->kind != FT_ARRAY) return false;
    bool scalars = x->type->elem->kind == FT_SCALAR;
    bool whole = scalars && t->subs.len == 1 && (mask ? x->type->rank == at->type->rank : x->type->rank == 1);
    if (whole) return rewrite_elements(c, st, x, at, mask), false;
    if (mask && scalars && takes_number(c, st, at, x)) return rewrite_axis(c, st, subs.k, at), false;
    return st->op != OPR_NONE && update_places(c, st);
}
