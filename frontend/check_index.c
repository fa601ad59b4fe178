/* Subscripts, ranges and what is built from ranges: comprehensions and generators.
 *
 * After checking an index has one subscript per axis; vectors of indices in several axes have one length.  A range that
 * is left out ([x[i]^2 for i]) takes the size of the first axis that its bare name indexes; other axes it indexes must
 * have the same size. */
#include "frontend/check.h"

/* ---- extents */

/* How many numbers lie in steps of n from one constant up to before another, which is greater and may be 2^64 away */
static const Size *constant_extent(Check *c, const Size *lo, const Size *hi, int64_t n) {
    int64_t first, end;
    if (n < 2 || !size_is_const(lo, &first) || !size_is_const(hi, &end) || first >= end) return NULL;
    uint64_t last = ((uint64_t)end - (uint64_t)first - 1) / (uint64_t)n;
    return last < INT64_MAX ? size_const(c->s, (int64_t)last + 1) : NULL;
}

const Size *range_extent(Check *c, const Size *lo, const Size *hi, int64_t step) {
    const Size *known = step > 0 ? constant_extent(c, lo, hi, step) : constant_extent(c, hi, lo, -step);
    if (known) return known;
    const Size *span = step > 0 ? size_sub(c->s, hi, lo) : size_sub(c->s, lo, hi);
    int64_t n = step > 0 ? step : -step;
    if (n == 1) return span;
    return size_floordiv(c->s, size_add(c->s, span, size_const(c->s, n - 1)), size_const(c->s, n));
}

/* An int expression as a size: its own, or a fresh symbol bound to its value. */
const Size *size_or_bind(Check *c, Expr *e, const char *base) {
    if (e->size) return e->size;
    if (!e->bind) e->bind = sym_fresh(c, e->kind == EX_NAME ? e->name : base, e->span, "the value of this");
    return size_sym(c->s, e->bind);
}

static Expr *check_int(Check *c, Expr *e, const char *what) { return coerce_int(c, check_value(c, e, NULL), what); }

/* The constant step; 1 when left out.  0 after reporting.  instead: what to write where it varies */
static int64_t check_step(Check *c, Expr **step, const char *instead) {
    if (!*step) return 1;
    Expr *e = *step = check_int(c, *step, "a step");
    if (is_error(e)) return 0;
    if (!e->is_const) {
        diag_hint(c->s, report(c, e->span, E_STEP_NOT_CONST), "%s", instead);
        return 0;
    }
    if (!e->lit.i) report(c, e->span, E_STEP_ZERO);
    return e->lit.i;
}

/* ---- one index */

/* Whether a bound is written so that it counts from the end: -k, -(k + 1), and -k - 1, -k + 1 as well */
static bool is_from_end(const Expr *e) {
    bool less = e->kind == EX_BINARY && (e->op == OPR_SUB || (e->op == OPR_ADD && e->b->kind == EX_INT));
    return less ? is_from_end(e->a) : e->kind == EX_UNARY && e->op == OPR_NEG;
}

typedef struct { const Check *c; bool known; } Named;

static void look_for_name(void *ctx, const char *sym) {
    Named *n = ctx;
    const Var *v = scope_find(n->c, sym);
    n->known &= v && v->size && size_as_sym(v->size) == sym;
}

/* The size as it can be written here; NULL: by the names it has, of which a number has none */
static const char *written_size(Check *c, const Expr *array, int axis) {
    const Size *dim = array->type->dims[axis];
    Named n = {c, true};
    size_each_sym(dim, look_for_name, &n);
    if (n.known && !size_is_const(dim, NULL)) return NULL;
    const char *x = source_copy(c->s, array->span);
    return axis ? intern_printf(c->s, "size(%s, %d)", x, axis) : intern_printf(c->s, "len(%s)", x);
}

/* The place k elements before the end: n - k, len(x) - k where the size has no name */
static const char *before_end(Check *c, const Expr *array, int axis, int64_t k) {
    const char *size = written_size(c, array, axis);
    if (!size) return size_str(c->s, size_sub(c->s, array->type->dims[axis], size_const(c->s, k)));
    return intern_printf(c->s, "%s - %lld", size, (long long)k);
}

static void report_index(Check *c, const Expr *e, const Size *index, const Expr *array, int axis) {
    const Size *dim = array->type->dims[axis];
    int64_t k, n;
    if (size_is_const(index, &k) && k < 0) {
        Diag *d = report(c, e->span, E_NEGATIVE_INDEX, (long long)k);
        const char *from_end = before_end(c, array, axis, -k);
        diag_hint(c->s, d, "to count from the end write %s", from_end);
        diag_fix(c->s, d, size_is_const(dim, NULL), e->span, "%s", from_end);
        return;
    }
    Diag *d = report(c, e->span, E_INDEX_RANGE, size_str(c->s, index), size_str(c->s, dim));
    diag_note(c->s, d, array->span, "this is %s", ftype_str(c->s, array->type));
    if (size_is_const(dim, &n) && n > 0) diag_hint(c->s, d, "valid indices are 0 to %lld", (long long)n - 1);
    else if (!size_is_const(dim, &n)) diag_hint(c->s, d, "the last element is at %s", before_end(c, array, axis, 1));
}

static void check_index_range(Check *c, const Expr *e, const Expr *array, int axis) {
    int64_t k;
    if (!e->size) return;
    bool low = size_is_const(e->size, &k) && k < 0;
    bool high = size_is_const(size_sub(c->s, e->size, array->type->dims[axis]), &k) && k >= 0;
    if (low || high) report_index(c, e, e->size, array, axis);
}

/* The bare name of an open range as an index fixes its extent, or must agree with it. */
static void infer_range(Check *c, Expr *owner, const Expr *index, int axis) {
    Gen *g = index->kind == EX_NAME && index->var ? index->var->gen : NULL;
    if (!g) return;
    const Size *dim = owner->a->type->dims[axis];
    if (!g->extent) {
        if (!size_is_dead(c, dim)) g->extent = dim;
        g->span = index->span; /* where the range was fixed, for messages */
        return;
    }
    if (g->extent == dim) return;
    if (size_differs(c->s, g->extent, dim) > 0) {
        Diag *d = report(c, index->span, E_RANGE_CONFLICT, index->name, size_str(c->s, g->extent), size_str(c->s, dim));
        diag_note(c->s, d, g->span, "here it runs to %s", size_str(c->s, g->extent));
        diag_hint(c->s, d, "write the range: for %s in 0:n", index->name);
        return;
    }
    const FType *t = owner->a->type;
    const Size *dims[MAX_RANK];
    for (int i = 0; i < t->rank; i++) dims[i] = i == axis ? g->extent : t->dims[i];
    owner->a = wrap_sizes(c, owner->a, ftype_array(c->s, t->elem, t->rank, dims), g->span);
}

/* The size of the result's axis for an array of indices; NULL for a plain int or after reporting. */
static const Size *check_sub_index(Check *c, Expr *e, Sub *sub, int axis) {
    sub->index = check_value(c, sub->index, NULL);
    if (!is_error(sub->index) && is_mask(sub->index->type) && sub->index->type->rank == 1 && !in_device(c))
        sub->index = mask_places(c, sub->index, e->a, axis);
    Expr *index = sub->index;
    if (is_error(index)) return NULL;
    if (index->type->kind == FT_ARRAY && index->type->rank == 1 && dtype_is_int(index->type->dtype) &&
        index->type->elem->kind == FT_SCALAR) {
        sub->index = to_dtype(c, index, DT_I64);
        return sub->index->type->dims[0];
    }
    if (index->type->kind == FT_ARRAY) {
        Diag *d = report(c, index->span, E_INDEX_TYPE, ftype_str(c->s, index->type));
        if (type_is_scalar(index->type->elem, DT_BOOL))
            diag_hint(
                c->s, d,
                "the elements where a mask holds are x[nonzero(mask)]; where(mask, x, y) chooses element by element");
        error_expr(index);
        return NULL;
    }
    infer_range(c, e, index, axis);
    bool is_float = index->type->kind == FT_SCALAR && dtype_is_float(index->type->dtype);
    if (is_float || !type_is_int(index->type)) {
        Diag *d = report(c, index->span, E_INDEX_TYPE, ftype_str(c->s, index->type));
        if (is_float && index->kind == EX_BINARY && index->op == OPR_DIV) hint_floor(c, d, index);
        else if (is_float) hint_cast(c, d, index, "int", "write");
        error_expr(index);
        return NULL;
    }
    sub->index = coerce_int(c, index, "an index");
    if (!is_error(sub->index)) check_index_range(c, sub->index, e->a, axis);
    return NULL;
}

/* ---- one slice */

/* A bound; -k is that of k before the end. */
static const Size *check_bound(Check *c, Expr **bound, const Size *dim, bool *from_end) {
    *from_end = is_from_end(*bound);
    Expr *e = *bound = check_int(c, *bound, "a slice bound");
    if (is_error(e)) return NULL;
    if (!*from_end && e->is_const && e->lit.i < 0) report(c, e->span, E_NEGATIVE_INDEX, (long long)e->lit.i);
    bool minus = *from_end && !e->size && e->kind == EX_UNARY && type_is_scalar(e->a->type, DT_I64);
    const Size *z = minus ? size_sub(c->s, size_const(c->s, 0), size_or_bind(c, e->a, "bound"))
                          : size_or_bind(c, e, "bound");
    return *from_end || (e->is_const && e->lit.i < 0) ? size_add(c->s, dim, z) : z;
}

static void report_slice(Check *c, const Expr *at, const Size *value, const Expr *array, const Size *dim) {
    const char *written = at->is_const ? const_str(c, at->lit) : size_str(c->s, value);
    Diag *d = report(c, at->span, E_SLICE_RANGE, written, size_str(c->s, dim));
    diag_note(c->s, d, array->span, "this is %s", ftype_str(c->s, array->type));
}

static bool is_positive(Check *c, const Size *a, const Size *b) { /* a - b > 0 for certain */
    int64_t k;
    return size_is_const(size_sub(c->s, a, b), &k) && k > 0;
}

static void check_slice_range(Check *c, const Sub *sub, const Expr *array, const Size *dim, const Size *lo,
                              const Size *hi) {
    const Size *first = sub->step_value > 0 ? lo : hi, *last = sub->step_value > 0 ? hi : lo;
    const Expr *first_at = sub->step_value > 0 ? sub->lo : sub->hi, *last_at = sub->step_value > 0 ? sub->hi : sub->lo;
    const Size *limit = sub->step_value > 0 ? dim : size_sub(c->s, dim, size_const(c->s, 1));
    int64_t k;
    if (last_at && is_positive(c, last, limit)) report_slice(c, last_at, last, array, dim);
    else if (first_at && is_positive(c, first, limit)) report_slice(c, first_at, first, array, dim);
    else if (first_at && size_is_const(first, &k) && k < (sub->step_value > 0 ? 0 : -1))
        report_slice(c, first_at, first, array, dim);
    else if (size_is_const(sub->extent, &k) && k < 0) {
        Diag *d = report(c, sub->span, E_SLICE_BACKWARDS, size_str(c->s, lo), size_str(c->s, hi));
        if (sub->step_value > 0) diag_hint(c->s, d, "a step of -1 walks backwards: x[5:1:-1]");
    }
}

static const Size *check_sub_slice(Check *c, const Expr *array, Sub *sub, int axis) {
    const Size *dim = array->type->dims[axis], *zero = size_const(c->s, 0), *one = size_const(c->s, 1);
    const Size *lo, *hi;
    bool lo_end = false, hi_end = false;
    sub->step_value = check_step(c, &sub->step,
                                 "take the elements one by one: [x[a + k * s] for k in 0:ceildiv(b - a, s)]");
    bool up = sub->step_value >= 0;
    if (sub->lo) lo = check_bound(c, &sub->lo, dim, &lo_end);
    else lo = up ? zero : size_sub(c->s, dim, one);
    if (sub->hi) hi = check_bound(c, &sub->hi, dim, &hi_end);
    else hi = up ? dim : size_const(c->s, -1);
    if (!lo || !hi || !sub->step_value) return NULL;
    sub->start = lo;
    sub->end = hi;
    sub->from_end = lo_end;
    sub->to_end = hi_end;
    sub->extent = range_extent(c, lo, hi, sub->step_value);
    check_slice_range(c, sub, array, dim, lo, hi);
    return sub->extent;
}

/* ---- the subscripts of one index expression */

static void add_whole_axes(Check *c, Expr *e) {
    while (e->subs.len < e->a->type->rank) {
        Sub whole = {.kind = SUB_SLICE, .span = e->span};
        vec_push(c->a, &e->subs, whole);
    }
}

/* fn(y, t) => y[0], where ode calls it with a number and then a vector */
static void hint_param_order(Check *c, Diag *d, const Expr *e) {
    const InstInfo *inst = c->fn->inst;
    if (!inst || !inst->lam || inst->lam->expr->params.len != 2 || e->kind != EX_NAME) return;
    Var *const *params = inst->inst.params.data;
    if (inst->inst.params.len < 2 || params[0] != e->var || params[1]->type->kind != FT_ARRAY) return;
    diag_hint(c->s, d, "this function is called with a number, '%s', and then an array, '%s'", e->var->name,
              params[1]->name);
}

static bool report_not_array(Check *c, Expr *e) {
    const FType *t = e->a->type;
    Diag *d = report(c, e->a->span, E_NOT_ARRAY, ftype_str(c->s, t));
    hint_param_order(c, d, e->a);
    if (t->kind == FT_TUPLE) diag_hint(c->s, d, "the fields of a tuple are .0, .1 and so on");
    if (type_is_scalar(t, DT_STR)) diag_hint(c->s, d, "%s", TEXT_HINT);
    if (t->kind == FT_STRUCT)
        diag_hint(c->s, d, "the fields of a struct are reached by name: .%s", t->nfields ? t->names[0] : "x");
    return false;
}

static bool check_sub_count(Check *c, Expr *e) {
    const FType *t = e->a->type;
    if (t->kind != FT_ARRAY) return report_not_array(c, e);
    if (e->subs.len <= t->rank) return true;
    Diag *d = report(c, e->span, E_SUBSCRIPT_COUNT, e->subs.len, t->rank, t->rank == 1 ? "axis" : "axes");
    diag_note(c->s, d, e->a->span, "this is %s", ftype_str(c->s, t));
    return false;
}

/* s[i] of a text is a character, s[a:b] a part */
static bool check_text_index(Check *c, Expr *e) {
    if (!type_is_scalar(e->a->type, DT_STR) || e->subs.len != 1 || e->subs.data[0].step) return false;
    const Sub *s = &e->subs.data[0];
    bool index = s->kind == SUB_INDEX;
    if (!index && s->kind != SUB_SLICE) return false;
    Expr *args[3] = {e->a, index ? s->index : s->lo ? s->lo : int_literal(c, e->span, 0), s->hi};
    const char *name = index ? "_text_at" : s->hi ? "_text_slice" : "_text_from";
    *e = *check_expr(c, call_library(c, e->span, name, s->hi && !index ? 3 : 2, args), NULL);
    return true;
}

/* t[1] of a tuple is t.1 */
static bool check_tuple_index(Check *c, Expr *e) {
    const FType *t = e->a->type;
    if (t->kind != FT_TUPLE || e->subs.len != 1 || e->subs.data[0].kind != SUB_INDEX) return false;
    Expr *index = e->subs.data[0].index = coerce_int(c, check_value(c, e->subs.data[0].index, NULL), "an index");
    if (is_error(index)) return error_expr(e), true;
    if (!index->is_const || index->lit.i < 0 || index->lit.i >= t->nfields) {
        Diag *d = index->is_const ? report(c, index->span, E_NO_FIELD, ftype_str(c->s, t), const_str(c, index->lit))
                                  : report(c, index->span, E_TUPLE_INDEX);
        diag_hint(c->s, d, "the fields of this tuple are .0 to .%d", t->nfields - 1);
        return error_expr(e), true;
    }
    e->kind = EX_FIELD;
    e->field = (int)index->lit.i;
    e->name = intern_printf(c->s, "%d", e->field);
    e->type = t->fields[e->field];
    e->subs.len = 0;
    return true;
}

/* Whether the subscript, which is checked, is a vector of indices */
static bool is_vector(const Sub *sub) { return sub->kind == SUB_INDEX && sub->index->type->kind == FT_ARRAY; }

static bool report_apart(Check *c, const Sub *sub) {
    Diag *d = report(c, sub->span, E_VECTORS_APART, "a slice");
    diag_hint(c->s, d, "write which axis is that of the pairs, here the first: [x[i[p], :, k[p]] for p in 0:len(i)]");
    return false;
}

static bool has_one(const Expr *vector) {
    int64_t n;
    return size_is_const(vector->type->dims[0], &n) && n == 1;
}

static bool lengths_agree(Check *c, const Expr *e, const Expr *a, const Expr *b) {
    const FType *ta = a->type, *tb = b->type;
    if (has_one(a) || has_one(b) || size_differs(c->s, ta->dims[0], tb->dims[0]) <= 0) return true;
    Diag *d = report_sizes(c, e->span, ta->dims[0], tb->dims[0], ta, a->span, tb, b->span);
    diag_hint(c->s, d, "vectors of indices are taken in pairs; with all combinations: [x[a, b] for a in i, b in j]");
    return false;
}

/* The only element of a vector, which is checked */
static Expr *only_element(Check *c, Expr *vector) {
    Expr *e = expr_new(c->s, EX_INDEX, vector->span);
    Sub zero = {.kind = SUB_INDEX, .span = vector->span, .index = int_literal(c, vector->span, 0)};
    zero.index = check_value(c, zero.index, NULL);
    vec_push(c->a, &e->subs, zero);
    e->a = vector;
    e->type = vector->type->elem;
    return e;
}

/* The vectors of one length become operands of one size; of others, which have one element, that is taken. */
static bool broadcast_vectors(Check *c, const Expr *e, Sub *const *of, int n, const Size **len) {
    Expr *at[MAX_RANK];
    bool all_one = true;
    int many = 0;
    Shape sh;
    for (int i = 0; i < n; i++) all_one &= has_one(of[i]->index);
    for (int i = 0; i < n; i++)
        if (!all_one && has_one(of[i]->index)) of[i]->index = only_element(c, of[i]->index);
        else at[many++] = of[i]->index;
    if (!operands_broadcast(c, at, many, e->span, &sh)) return false;
    for (int i = 0, k = 0; i < n; i++)
        if (is_vector(of[i])) of[i]->index = at[k++];
    *len = sh.dims[0];
    return true;
}

/* Vectors of indices in several axes are taken together, the p-th of each: they have one length (one index goes with
 * all), which is that of one axis of the result, where the first stands; *len is that length. */
static bool pair_vectors(Check *c, const Expr *e, const Size **len) {
    Sub *of[MAX_RANK];
    bool apart = false;
    int n = 0;
    for (int i = 0; i < e->subs.len; i++) {
        Sub *sub = &e->subs.data[i];
        apart |= n && sub->kind == SUB_SLICE;
        if (!is_vector(sub)) continue;
        if (apart) return report_apart(c, sub);
        if (n && !lengths_agree(c, e, of[0]->index, sub->index)) return false;
        of[n++] = sub;
    }
    return n < 2 || broadcast_vectors(c, e, of, n, len);
}

void check_subs(Check *c, Expr *e) {
    if (!is_error(e->a) && (check_tuple_index(c, e) || check_text_index(c, e))) return;
    Shape sh = {0};
    bool ok = !is_error(e->a) && check_sub_count(c, e);
    int vector = -1; /* the axis of the result that is that of vectors of indices */
    if (!ok) {
        for (int i = 0; i < e->subs.len; i++)
            if (e->subs.data[i].index) check_expr(c, e->subs.data[i].index, NULL);
        error_expr(e);
        return;
    }
    add_whole_axes(c, e);
    for (int i = 0; i < e->subs.len; i++) {
        Sub *sub = &e->subs.data[i];
        bool slice = sub->kind == SUB_SLICE;
        const Size *d = slice ? check_sub_slice(c, e->a, sub, i) : check_sub_index(c, e, sub, i);
        ok &= slice ? d != NULL : !is_error(sub->index);
        if (d && !slice && vector >= 0) continue;
        if (d && !slice) vector = sh.rank;
        if (d) sh.dims[sh.rank++] = d;
    }
    if (!ok || (vector >= 0 && !pair_vectors(c, e, &sh.dims[vector]))) error_expr(e);
    else e->type = shape_type(c, e->a->type->elem, &sh);
}

/* ---- ranges */

typedef struct { const GenVec *gens; const Expr *found; } Dependence;

static void look_for_gen(void *ctx, Expr *e) {
    Dependence *d = ctx;
    for (int i = 0; e->kind == EX_NAME && i < d->gens->len; i++)
        if (d->gens->data[i].name == e->name) d->found = e;
}

/* Ranges that span an array or a parallel loop are independent: none may use the variable of another. */
static bool gens_independent(Check *c, const GenVec *gens, const Gen *g) {
    Dependence dep = {gens, NULL};
    Walk w = {.expr = look_for_gen, .ctx = &dep};
    if (gens->len == 1) return true;
    walk_expr(&w, g->lo);
    walk_expr(&w, g->hi);
    walk_expr(&w, g->over);
    if (!dep.found || scope_find(c, dep.found->name)) return true;
    Diag *d = report(c, dep.found->span, E_RANGE_DEPENDS, g->name, dep.found->name);
    if (g->over)
        diag_hint(c->s, d, "outside of reductions put one inside the other: [[... for %s in ...] for %s in ...]",
                  g->name, dep.found->name);
    else
        diag_hint(c->s, d, "only a reduction may run over a triangle: sum(... for %s in ..., %s in ...)",
                  dep.found->name, g->name);
    return false;
}

/* 0.0:0.1:1.0; reported once. */
static bool has_float_bound(Check *c, Gen *g) {
    Expr **bounds[] = {&g->lo, &g->step, &g->hi};
    for (int i = 0; i < 3; i++) {
        if (!*bounds[i]) continue;
        const Expr *e = *bounds[i] = check_value(c, *bounds[i], NULL);
        if (e->kind == EX_BINARY || e->type->kind != FT_SCALAR || !dtype_is_float(e->type->dtype)) continue;
        Diag *d = report(c, e->span, E_TYPE_MISMATCH,
                         i == 1 ? "a step"
                         : i    ? "the end of a range"
                                : "the start of a range",
                         "int", ftype_str(c->s, e->type));
        diag_hint(c->s, d,
                  "ranges count: for x in linspace(a, b, n), or for i in 0:n with x = a + i * h; int(..) makes an int "
                  "of a float");
        return true;
    }
    return false;
}

/* Bounds and step, or the array.  False after reporting. */
static bool check_range(Check *c, Gen *g, bool need_extent) {
    if (g->over) return check_over(c, g);
    if (has_float_bound(c, g)) return false;
    const Size *zero = size_const(c->s, 0);
    g->step_value = check_step(
        c, &g->step,
        "count the turns: for i from a below b by s, let k run over 0:ceildiv(b - a, s), and i = a + k * s");
    if (g->lo) g->lo = check_int(c, g->lo, "the start of a range");
    if (!g->hi) return g->step_value != 0;
    g->hi = check_int(c, g->hi, "the end of a range");
    if ((g->lo && is_error(g->lo)) || is_error(g->hi) || !g->step_value) return false;
    if (!need_extent && ((g->lo && !g->lo->size) || !g->hi->size)) return true;
    const Size *lo = g->lo ? size_or_bind(c, g->lo, "lo") : zero;
    g->extent = range_extent(c, lo, size_or_bind(c, g->hi, "hi"), g->step_value);
    return true;
}

static void define_gen(Check *c, Gen *g, bool ok) {
    const FType *t = !ok ? &ftype_error : g->over ? over_element(c, g) : ftype_scalar(c->s, DT_I64);
    Var *v = g->var = var_new(c, VAR_LOOP, g->name, g->span, t);
    if (type_is_scalar(t, DT_I64)) var_give_sym(c, v);
    if (!g->hi && !g->over) v->gen = g;
    if (ok && !g->over) v->range = g;
    scope_define(c, v);
}

static bool const_negative(const Size *z) {
    int64_t k;
    return size_is_const(z, &k) && k < 0;
}

void check_gens(Check *c, GenVec *gens, GenUse use) {
    bool *ok = NEWN(c->a, bool, gens->len);
    if (use == GENS_NESTED) { /* a later range may depend on an earlier variable */
        scope_push(c);
        for (int i = 0; i < gens->len; i++) define_gen(c, &gens->data[i], check_range(c, &gens->data[i], false));
        return;
    }
    for (int i = 0; i < gens->len; i++) {
        Gen *g = &gens->data[i];
        ok[i] = gens_independent(c, gens, g) && check_range(c, g, use == GENS_ARRAY);
        if (use == GENS_ARRAY && ok[i] && g->extent && const_negative(g->extent)) {
            Diag *d = report(c, g->span, E_RANGE_NEGATIVE, g->name);
            if (g->step_value == 1) diag_hint(c->s, d, "a step of -1 counts down: 9:-1:-1");
        }
    }
    scope_push(c); /* the bounds belong to the scope around */
    for (int i = 0; i < gens->len; i++) define_gen(c, &gens->data[i], ok[i]);
}

bool finish_gens(Check *c, GenVec *gens) {
    bool ok = true;
    for (int i = 0; i < gens->len; i++) {
        Gen *g = &gens->data[i];
        g->var->gen = NULL;
        if (!g->extent && !g->hi && g->var->type->kind != FT_ERROR) {
            Diag *d = report(c, g->var->span, E_RANGE_UNKNOWN, g->name);
            diag_note(c->s, d, g->var->span, "a range may be left out where the bare name is an index: x[%s]", g->name);
            diag_hint(c->s, d, "write it: for %s in 0:n", g->name);
            ok = false;
        }
        if (!g->hi) g->span = g->var->span;
        ok &= g->var->type->kind != FT_ERROR;
    }
    return ok;
}

/* ---- comprehensions */

static Expr *report_ragged(Check *c, Expr *e) {
    Diag *d = report(c, e->a->span, E_SIZE_ESCAPES, ftype_str(c->s, e->a->type));
    diag_note(c->s, d, e->span, "the rows of an array all have one size, which is known outside");
    return error_expr(e);
}

static bool comp_element_ok(Check *c, Expr *e) {
    bool ok = is_element(e->a->type);
    if (ok) return true;
    Diag *d = report(c, e->a->span, E_ELEMENT_TYPE, ftype_str(c->s, e->a->type));
    hint_element(c, d, e->a->type);
    if (holds_floats(c, e->a))
        diag_hint(c->s, d, "a row for each, of its floats: [flatten(%s) for ...]", short_text(c, e->a));
    return false;
}

static void adapt_literal(Check *c, Expr **e, const FType *want) {
    if ((*e)->flex && want && want->kind == FT_SCALAR && flex_fits(*e, want->dtype)) *e = to_dtype(c, *e, want->dtype);
    *e = unflex(c, *e);
}

/* The value at each index, and the condition.  What is around them is only read there. */
static Expr *check_element(Check *c, Expr *e, const FType *want, bool condition) {
    int outside = c->fn->gens_depth;
    c->fn->gens_depth = c->fn->depth;
    e = condition ? check_cond(c, e) : check_value(c, e, want);
    c->fn->gens_depth = outside;
    return e;
}

Expr *check_comp(Check *c, Expr *e, const FType *want) {
    const FType *elem_want = want && want->kind == FT_ARRAY && want->rank == e->gens.len ? want->elem : NULL;
    if (e->c && !check_filter(c, e)) return error_expr(e);
    check_gens(c, &e->gens, GENS_ARRAY);
    e->a = check_element(c, e->a, elem_want, false);
    if (!is_error(e->a)) adapt_literal(c, &e->a, elem_want);
    bool ok = finish_gens(c, &e->gens);
    scope_pop(c);
    if (is_error(e->a) || !ok || !comp_element_ok(c, e)) return error_expr(e);
    if (type_is_dead(c, e->a->type)) return report_ragged(c, e);
    const Size *dims[MAX_RANK];
    int rank = 0;
    if (e->gens.len + e->a->type->rank > MAX_RANK) return report(c, e->span, E_RANK_LIMIT, MAX_RANK), error_expr(e);
    for (int i = 0; i < e->gens.len; i++) dims[rank++] = e->gens.data[i].extent;
    for (int i = 0; i < e->a->type->rank; i++) dims[rank++] = e->a->type->dims[i];
    e->type = ftype_array(c->s, elem_of(e->a->type), rank, dims);
    return e;
}

Expr *check_gen(Check *c, Expr *e, bool need_extent) {
    check_gens(c, &e->gens, need_extent ? GENS_ARRAY : GENS_NESTED);
    if (e->c) e->c = check_element(c, e->c, NULL, true);
    e->a = check_element(c, e->a, NULL, false);
    if (!is_error(e->a)) e->a = unflex(c, e->a);
    bool ok = finish_gens(c, &e->gens);
    scope_pop(c);
    if (is_error(e->a) || (e->c && is_error(e->c)) || !ok) return error_expr(e);
    if (e->a->type->kind == FT_ARRAY) {
        Diag *d = report(c, e->a->span, E_REDUCE_ARRAYS, ftype_str(c->s, e->a->type));
        diag_hint(c->s, d,
                  "reduce one axis of an array: sum([... for ...], 0), or put the reduction inside: [sum(...) for i]");
        return error_expr(e);
    }
    e->type = e->a->type;
    return e;
}
