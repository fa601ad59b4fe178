/* Conversions: which are implicit, and making them explicit in the tree.
 *
 * A literal (and a constant expression of literals) is `flex`: it takes the type its context asks for and is then
 * rewritten in place.  Everything else is wrapped in EX_CONVERT: CONV_DTYPE first, then CONV_SIZE, then CONV_BROADCAST.
 */
#include "frontend/check.h"

#include <math.h>
#include <string.h>

/* ---- types */

static int bits(DType d) { return 8 * dtype_info(d)->bytes; }

static bool to_float_widens(DType from, DType to) {
    if (to == DT_F64) return true; /* from any number */
    if (dtype_is_int(from)) return to == DT_F32 && bits(from) <= 16;
    return to == DT_F32 && (from == DT_F16 || from == DT_BF16);
}

static bool is_number(DType d) { return dtype_is_int(d) || dtype_is_float(d); }

bool dtype_widens(DType from, DType to) {
    if (from == to) return true;
    if (!is_number(from) || !is_number(to)) return false;
    if (dtype_is_float(to)) return to_float_widens(from, to);
    if (dtype_is_float(from)) return false;
    bool from_signed = dtype_info(from)->kind == DK_INT, to_signed = dtype_info(to)->kind == DK_INT;
    return bits(from) < bits(to) && (to_signed || !from_signed);
}

bool dtype_join(DType a, DType b, DType *out) {
    if (dtype_widens(a, b)) return *out = b, true;
    if (dtype_widens(b, a)) return *out = a, true;
    bool halves = is_number(a) && is_number(b) && bits(a) <= 16 && bits(b) <= 16 &&
                  (dtype_is_float(a) || dtype_is_float(b));
    return halves ? *out = DT_F32, true : false;
}

const FType *elem_of(const FType *t) { return t->kind == FT_ARRAY ? t->elem : t; }

bool type_is_num(const FType *t) {
    const FType *elem = elem_of(t);
    return elem->kind == FT_SCALAR && is_number(elem->dtype);
}

bool type_is_scalar(const FType *t, DType d) { return t->kind == FT_SCALAR && t->dtype == d; }

bool type_is_int(const FType *t) { return t->kind == FT_SCALAR && dtype_is_int(t->dtype); }

const FType *with_dtype(Check *c, const FType *t, DType d) {
    const FType *elem = ftype_scalar(c->s, d);
    return t->kind == FT_ARRAY ? ftype_array(c->s, elem, t->rank, t->dims) : elem;
}

const FType *shape_type(Check *c, const FType *elem, const Shape *sh) {
    return sh->rank ? ftype_array(c->s, elem, sh->rank, sh->dims) : elem;
}

bool type_same_shape(const FType *a, const FType *b) {
    if (a == b) return true;
    if (a->kind != b->kind || a->rank != b->rank || a->nfields != b->nfields) return false;
    if (a->kind == FT_ARRAY) return a->elem == b->elem;
    if (a->kind != FT_TUPLE && (a->kind != FT_STRUCT || a->decl != b->decl)) return false;
    for (int i = 0; i < a->nfields; i++)
        if (!type_same_shape(a->fields[i], b->fields[i])) return false;
    return true;
}

/* ---- explicit conversions */

Expr *wrap(Check *c, Expr *e, Conv conv, const FType *to) {
    Expr *w = expr_new(c->s, EX_CONVERT, e->span);
    w->a = e;
    w->conv = conv;
    w->type = to;
    return w;
}

Expr *wrap_sizes(Check *c, Expr *e, const FType *to, Span other) {
    Expr *w = wrap(c, e, CONV_SIZE, to);
    w->other = other;
    return w;
}

/* The literal that a constant has become. */
static void become_literal(Check *c, Expr *e, Const v) {
    e->kind = dtype_is_float(v.dtype) ? EX_FLOAT : v.dtype == DT_BOOL ? EX_BOOL : EX_INT;
    e->a = e->b = e->c = e->callee = NULL;
    e->args.len = e->arg_names.len = 0;
    e->flex = false;
    e->call = CALL_NONE;
    e->var = NULL;
    e->size = NULL;
    e->type = ftype_scalar(c->s, v.dtype);
    set_const(c, e, v);
}

/* An array literal of literals takes element type d. */
static void array_to_dtype(Check *c, Expr *e, DType d) {
    for (int i = 0; i < e->args.len; i++) e->args.data[i] = to_dtype(c, e->args.data[i], d);
    e->type = with_dtype(c, e->type, d);
    e->flex = false;
}

Expr *to_dtype(Check *c, Expr *e, DType d) {
    const FType *elem = elem_of(e->type);
    if (elem->dtype == d) {
        e->flex = false;
        return e;
    }
    if (e->type->kind == FT_ARRAY && e->flex) return array_to_dtype(c, e, d), e;
    if (e->type->kind == FT_SCALAR && e->is_const) {
        warn_literal(c, e, d);
        Expr *copy = expr_new(c->s, EX_INT, e->span);
        become_literal(c, copy, const_cast(e->lit, d));
        return copy;
    }
    return wrap(c, e, CONV_DTYPE, with_dtype(c, e->type, d));
}

Expr *unflex(Check *c, Expr *e) {
    if (e->flex) e = to_dtype(c, e, elem_of(e->type)->dtype);
    return e;
}

static bool int_fits(int64_t v, DType d) {
    int n = bits(d);
    if (n == 64) return v >= 0 || dtype_info(d)->kind == DK_INT;
    if (dtype_info(d)->kind == DK_UINT) return v >= 0 && v < (INT64_C(1) << n);
    return v >= -(INT64_C(1) << (n - 1)) && v < (INT64_C(1) << (n - 1));
}

/* Not rounded to infinity */
static bool float_fits(double v, DType d) {
    double least = d == DT_F16 ? 65520 : d == DT_BF16 ? 0x1.ffp127 : d == DT_F32 ? 0x1.ffffffp127 : INFINITY;
    return isinf(v) || fabs(v) < least;
}

static double value_of(const Const *v) { return dtype_is_float(v->dtype) ? v->f : (double)v->i; }

/* A hexadecimal literal is a pattern of bits. */
static bool is_pattern(const Expr *e) { return e->kind == EX_INT && e->lit.i < 0; }

bool flex_fits(const Expr *e, DType d) {
    if (!e->flex || !is_number(d)) return false;
    if (e->type->kind == FT_ARRAY) {
        for (int i = 0; i < e->args.len; i++)
            if (!flex_fits(e->args.data[i], d)) return false;
        return true;
    }
    if (dtype_is_float(d)) return !e->is_const || isnan(value_of(&e->lit)) || float_fits(value_of(&e->lit), d);
    if (d == DT_U64 && is_pattern(e)) return true;
    return e->lit.dtype == DT_I64 && int_fits(e->lit.i, d);
}

/* ---- sizes that must be equal */

typedef struct { Check *c; Diag *d; } SizeNote;

static void note_sym(void *ctx, const char *sym) {
    SizeNote *n = ctx;
    const SymInfo *info = map_get(&n->c->fn->syms, sym);
    if (!info || info->span.file < 0) return;
    if (info->what) diag_note(n->c->s, n->d, info->span, "'%s' is %s", sym, info->what);
    else diag_note(n->c->s, n->d, info->span, "'%s' comes from here", sym);
}

void note_size(Check *c, Diag *d, const Size *z) {
    SizeNote n = {c, d};
    size_each_sym(z, note_sym, &n);
}

Diag *report_sizes(Check *c, Span at, const Size *a, const Size *b, const FType *ta, Span sa, const FType *tb,
                   Span sb) {
    Diag *d = report(c, at, E_SIZE_MISMATCH, size_str(c->s, a), size_str(c->s, b));
    if (ta) diag_note(c->s, d, sa, "this is %s", ftype_str(c->s, ta));
    if (tb) diag_note(c->s, d, sb, "%s is %s", ta ? "and this" : "this", ftype_str(c->s, tb));
    note_size(c, d, a);
    note_size(c, d, b);
    return d;
}

typedef enum { FIT_SAME, FIT_UNKNOWN, FIT_NEVER } Fit;

/* Whether sizes in types of one shape agree; the first pair that never does in *a, *b. */
static Fit sizes_fit(Check *c, const FType *x, const FType *y, const Size **a, const Size **b) {
    Fit fit = FIT_SAME;
    for (int i = 0; x->kind == FT_ARRAY && i < x->rank; i++) {
        if (x->dims[i] == y->dims[i]) continue;
        *a = x->dims[i];
        *b = y->dims[i];
        if (size_differs(c->s, *a, *b) > 0) return FIT_NEVER;
        fit = FIT_UNKNOWN;
    }
    for (int i = 0; i < x->nfields; i++) {
        Fit f = sizes_fit(c, x->fields[i], y->fields[i], a, b);
        if (f == FIT_NEVER) return f;
        if (f != FIT_SAME) fit = f;
    }
    return fit;
}

/* An array of another shape is assigned to a whole variable. */
static void hint_whole(Check *c, Diag *d, const Expr *e, const FType *to, const Reason *why) {
    if (!why || !why->target || why->repeat != REPEAT_NUMBER || e->type->kind != FT_ARRAY || to->kind != FT_ARRAY)
        return;
    const char *name = why->target->kind == EX_NAME ? why->target->name : "x";
    if (e->type->rank < to->rank) diag_hint(c->s, d, "to assign it to every row write %s[:] = ...", name);
    else diag_hint(c->s, d, "a variable keeps its size: make it with room for all, zeros(f64, n), and set %s[count]; "
                            "or give the new array a name of its own with let", name);
}

/* The field of x and y, of structs or tuples, whose sizes never agree; NULL: x and y are none */
static const char *field_that_differs(Check *c, const FType **x, const FType **y) {
    const Size *a, *b;
    for (int i = 0; i < (*x)->nfields; i++) {
        const FType *from = (*x)->fields[i], *to = (*y)->fields[i];
        if (sizes_fit(c, from, to, &a, &b) != FIT_NEVER) continue;
        const char *name = (*x)->names ? (*x)->names[i] : intern_printf(c->s, "%d", i);
        *x = from;
        *y = to;
        const char *inner = field_that_differs(c, x, y);
        return inner ? intern_printf(c->s, "%s.%s", name, inner) : name;
    }
    return NULL;
}

static void note_sizes(Check *c, Diag *d, const Expr *e, const FType *to, const char *what) {
    const FType *from = e->type;
    const char *field = field_that_differs(c, &from, &to);
    if (field) what = intern_printf(c->s, "field '%s' of %s", field, what);
    diag_note(c->s, d, e->span, "%s must be %s, this is %s", what, ftype_str(c->s, to), ftype_str(c->s, from));
}

/* e, whose type differs from `to` in sizes at most. */
static Expr *coerce_sizes(Check *c, Expr *e, const FType *to, const Reason *why) {
    const Size *a, *b;
    switch (sizes_fit(c, e->type, to, &a, &b)) {
    case FIT_SAME: return e;
    case FIT_UNKNOWN:
        return wrap_sizes(c, e, to, why && why->like ? why->like->span : why && why->note ? why->note_at : NO_SPAN);
    case FIT_NEVER: break;
    }
    Diag *d = report(c, e->span, E_SIZE_MISMATCH, size_str(c->s, a), size_str(c->s, b));
    note_sizes(c, d, e, to, why && why->what ? why->what : "it");
    if (why && why->like_note) diag_note(c->s, d, why->like->span, "%s", why->like_note);
    if (why && why->note) diag_note(c->s, d, why->note_at, "%s", why->note);
    note_size(c, d, a);
    note_size(c, d, b);
    hint_whole(c, d, e, to, why);
    return error_expr(e);
}

/* ---- implicit conversion */

bool is_by_literal(const Expr *target) {
    return target && target->kind == EX_NAME && target->var && target->var->by_literal;
}

/* v is an int only because its first value was written without a point. */
void hint_float_start(Check *c, Diag *d, const Var *v) {
    diag_hint(c->s, d, "'%s' is an int because it begins as one: if it is to be a float write var %s = %lld.0", v->name,
              v->name, (long long)v->first);
}

/* An int before the division made it a float */
static bool was_int(const Check *c, const Expr *e) {
    while (e->kind == EX_CONVERT && e->conv == CONV_DTYPE) e = e->a;
    if (type_is_int(e->type)) return true;
    if (e->kind != EX_FLOAT || e->span.file < 0) return false;
    const char *text = source_copy(c->s, e->span);
    const Var *v = scope_find(c, intern(c->s, text)); /* a name whose value is known */
    return v ? type_is_int(v->type) : *text && !text[strspn(text, "0123456789_")];
}

/* The quotient e should be an int. */
void hint_floor(Check *c, Diag *d, const Expr *e) {
    if (!was_int(c, e->a) || !was_int(c, e->b)) {
        hint_cast(
            c, d, e, "int",
            "this is a float, and int cuts off what is behind its point (round(..) gives the nearest first): write");
        return;
    }
    diag_hint(c->s, d, "`/` gives a float: write `//`, which rounds down");
    Span gap = {e->a->span.file, e->a->span.hi, e->b->span.lo, 0};
    const char *between = gap.hi > gap.lo ? source_copy(c->s, gap) : "", *slash = strchr(between, '/');
    if (slash && !strchr(between, '#')) {
        gap.lo += (int)(slash - between);
        gap.hi = gap.lo + 1;
        diag_fix(c->s, d, true, gap, "//");
    }
}

enum { LONG_HINT = 40 };

/* As it is written, without parentheses around it */
static const char *bare_text(Check *c, const Expr *e) {
    if (e->span.file < 0) return "...";
    const char *text = source_copy(c->s, e->span);
    size_t n = strlen(text), i = 0;
    int depth = 0;
    do depth += (text[i] == '(') - (text[i] == ')');
    while (depth && ++i < n);
    bool around = n > 2 && i == n - 1 && !strpbrk(text, "\"#");
    return around ? intern_n(c->s, text + 1, n - 2) : text;
}

const char *short_text(Check *c, const Expr *e) {
    const char *text = bare_text(c, e);
    return strlen(text) <= LONG_HINT && !strchr(text, '\n') ? text : "...";
}

/* e may be written to(e).  Never sure: something is lost, or the type of another thing is what should be mended. */
void hint_cast(Check *c, Diag *d, const Expr *e, const char *to, const char *words) {
    const char *text = bare_text(c, e);
    diag_hint(c->s, d, "%s %s(%s)", words, to, short_text(c, e));
    diag_fix(c->s, d, false, e->span, "%s(%s)", to, text);
}

static void hint_conversion(Check *c, Diag *d, const Expr *e, const FType *to, const Expr *target) {
    const FType *from = e->type, *fe = elem_of(from), *te = elem_of(to);
    bool scalars = fe->kind == FT_SCALAR && te->kind == FT_SCALAR;
    if (is_by_literal(target) && from->kind == FT_SCALAR && dtype_is_float(from->dtype)) {
        hint_float_start(c, d, target->var);
        if (e->kind == EX_BINARY && e->op == OPR_DIV && was_int(c, e->a) && was_int(c, e->b))
            diag_hint(c->s, d, "`/` gives a float, `//` rounds down");
    } else if (hint_gradient_parts(c, d, e)) {
        return;
    } else if (from->kind == FT_TYPE)
        diag_hint(c->s, d, "%s is a type; a value is made as %s(..)", ftype_str(c->s, from->elem),
                  ftype_str(c->s, from->elem));
    else if (from->kind == FT_TUPLE && to->kind == FT_ARRAY)
        diag_hint(c->s, d, "an array is written in brackets: [1.0, 2.0]");
    else if (from->kind == FT_FUNC && to->kind != FT_FUNC)
        diag_hint(c->s, d, "to call it write %s(..)", from->decl ? from->decl->name : "f");
    else if (to->kind == FT_SCALAR && to->dtype == DT_BOOL && scalars && is_number(fe->dtype) &&
             from->kind == FT_SCALAR)
        diag_hint(c->s, d, "compare it: `... != 0`");
    else if (from->kind == FT_ARRAY && to->kind == FT_SCALAR)
        diag_hint(c->s, d, "take one element, x[i], or reduce it: sum(x)");
    else if (from->kind == FT_SCALAR && to->kind == FT_ARRAY && scalars)
        diag_hint(c->s, d, "full(value, n, ..) makes an array of one value");
    else if (type_is_int(to) && e->kind == EX_BINARY && e->op == OPR_DIV && from->kind == FT_SCALAR)
        hint_floor(c, d, e);
    else if (scalars && te->dtype == DT_STR && from->kind == FT_ARRAY)
        diag_hint(c->s, d, "numbers as texts: [str(each) for each in %s]", source_copy(c->s, e->span));
    else if (scalars && te->dtype == DT_STR && !(e->flex && e->is_const))
        diag_hint(c->s, d, "its text is str(%s)", bare_text(c, e));
    else if (scalars && te->dtype == DT_STR) diag_hint(c->s, d, "a text is written in quotes: \"title\"");
    else if (scalars && is_number(te->dtype) && (is_number(fe->dtype) || fe->dtype == DT_BOOL) &&
             from->rank == to->rank)
        hint_cast(c, d, e, ftype_str(c->s, te), "this can lose something, so it must be written:");
}

static void hint_int_range(Check *c, Diag *d, DType to) {
    int n = bits(to);
    bool sign = dtype_info(to)->kind == DK_INT;
    unsigned long long most = sign ? (1ull << (n - 1)) - 1 : n == 64 ? ~0ull : (1ull << n) - 1;
    diag_hint(c->s, d, "%s holds %s%llu to %llu", dtype_info(to)->name, sign ? "-" : "", sign ? most + 1 : 0, most);
}

static Expr *report_type(Check *c, Expr *e, const FType *to, const Reason *why) {
    const char *what = why && why->what ? why->what : "this";
    Diag *d;
    bool literal = e->flex && e->is_const && e->type->kind == FT_SCALAR;
    bool too_large = literal && to->kind == FT_SCALAR && dtype_is_float(to->dtype);
    bool out_of_int = literal && e->lit.dtype == DT_I64 && type_is_int(to);
    if (too_large || out_of_int)
        d = report(c, e->span, E_LITERAL_RANGE, const_str(c, e->lit), ftype_str(c->s, to));
    else
        d = report(c, e->span, E_TYPE_MISMATCH, what, ftype_str(c->s, to), ftype_str(c->s, e->type));
    if (why && why->note) diag_note(c->s, d, why->note_at, "%s", why->note);
    if (too_large)
        diag_hint(c->s, d, "the greatest %s is %s", ftype_str(c->s, to),
                  to->dtype == DT_F16 ? "65504" : "about 3.4e38");
    else if (out_of_int) hint_int_range(c, d, to->dtype);
    else hint_conversion(c, d, e, to, why ? why->target : NULL);
    if (e->type->rank != to->rank) hint_whole(c, d, e, to, why);
    return error_expr(e);
}

bool coercible(const FType *from, const Expr *e, const FType *to, bool *exact) {
    *exact = from == to;
    if (*exact) return true;
    if (from->kind == FT_SCALAR && to->kind == FT_SCALAR)
        return (e && flex_fits(e, to->dtype)) || dtype_widens(from->dtype, to->dtype);
    if (type_same_shape(from, to)) return *exact = true;
    if (from->kind != FT_ARRAY || to->kind != FT_ARRAY || from->rank != to->rank) return false;
    if (from->elem->kind != FT_SCALAR || to->elem->kind != FT_SCALAR) return false;
    return (e && flex_fits(e, to->elem->dtype)) || dtype_widens(from->elem->dtype, to->elem->dtype);
}

/* A tuple written out is converted field by field. */
static Expr *coerce_tuple(Check *c, Expr *e, const FType *to, const Reason *why) {
    bool ok = true;
    for (int i = 0; i < to->nfields; i++) {
        e->args.data[i] = coerce(c, e->args.data[i], to->fields[i], why);
        ok &= !is_error(e->args.data[i]);
    }
    if (!ok) return error_expr(e);
    e->type = to;
    return e;
}

static bool may_repeat(const FType *from, const Expr *e, const FType *to, const Reason *why) {
    bool exact;
    const FType *elem = elem_of(from);
    if (!why || why->repeat < (from->kind == FT_ARRAY ? REPEAT_ARRAY : REPEAT_NUMBER)) return false;
    bool single = from->kind == FT_SCALAR || (from->kind == FT_STRUCT && from == to->elem);
    if (to->kind != FT_ARRAY || from->rank > to->rank || (!single && from->kind != FT_ARRAY)) return false;
    if (e->flex && from->kind == FT_SCALAR) return coercible(elem, e, to->elem, &exact);
    return coercible(elem, NULL, to->elem, &exact) ||
           (e->flex && to->elem->kind == FT_SCALAR && flex_fits(e, to->elem->dtype));
}

/* Whether t, of lower rank or with axes of size 1, stretches to the shape of `to`. */
static bool needs_broadcast(const FType *t, const FType *to) {
    if (t->rank < to->rank) return true;
    for (int i = 0; i < t->rank; i++)
        if (size_is_const(t->dims[i], NULL) && t->dims[i] != to->dims[i]) {
            int64_t k;
            size_is_const(t->dims[i], &k);
            if (k == 1) return true;
        }
    return false;
}

static Expr *broadcast_to(Check *c, Expr *e, const FType *to, const Reason *why) {
    const FType *t = e->type;
    if (t->kind == FT_ARRAY) { /* first the sizes of its own axes, ... */
        const Size *dims[MAX_RANK];
        for (int i = 0; i < t->rank; i++) {
            int64_t k;
            const Size *want = to->dims[to->rank - t->rank + i];
            dims[i] = size_is_const(t->dims[i], &k) && k == 1 ? t->dims[i] : want;
        }
        e = coerce_sizes(c, e, ftype_array(c->s, t->elem, t->rank, dims), why);
        if (is_error(e)) return e;
    }
    return e->type == to ? e : wrap(c, e, CONV_BROADCAST, to); /* ... then stretching */
}

/* Whether e, of numbers or complex ones of less digits, is to have the parts of `to`; its shape may yet be repeated */
static bool to_complex_first(Check *c, const Expr *e, const FType *to, const Reason *why) {
    const FType *elem = elem_of(to);
    if (elem_of(e->type) == elem) return false;
    if (e->type->kind != FT_ARRAY && to->kind == FT_ARRAY && (!why || why->repeat == REPEAT_NEVER)) return false;
    return fits_complex(c, elem_of(e->type), e, elem) || (e->flex && flex_fits(e, complex_part(to)));
}

Expr *coerce(Check *c, Expr *e, const FType *to, const Reason *why) {
    bool exact;
    if (is_error(e) || to->kind == FT_ERROR) return error_expr(e);
    if (is_complex(c, to) && to_complex_first(c, e, to, why)) e = to_complex(c, e, complex_part(to));
    if (is_error(e)) return e;
    if (e->type == to) return e->flex ? to_dtype(c, e, elem_of(to)->dtype) : e;
    if (e->kind == EX_TUPLE && to->kind == FT_TUPLE && e->args.len == to->nfields) return coerce_tuple(c, e, to, why);
    if (may_repeat(e->type, e, to, why) && needs_broadcast(e->type, to)) {
        if (to->elem->kind == FT_SCALAR) e = to_dtype(c, e, to->elem->dtype);
        return broadcast_to(c, e, to, why);
    }
    if (!coercible(e->type, e, to, &exact)) return report_type(c, e, to, why);
    const FType *elem = elem_of(to);
    if ((e->type->kind == FT_SCALAR || e->type->kind == FT_ARRAY) && elem->kind == FT_SCALAR)
        e = to_dtype(c, e, elem->dtype);
    return coerce_sizes(c, e, to, why);
}

Expr *coerce_int(Check *c, Expr *e, const char *what) {
    Reason why = {.what = what};
    if (is_error(e)) return e;
    if (type_is_int(e->type) && !e->flex) return to_dtype(c, e, DT_I64);
    return coerce(c, e, ftype_scalar(c->s, DT_I64), &why);
}

/* ---- operands of one operation */

static bool report_join(Check *c, Expr **ops, int n, Span at, const char *what) {
    const FType *a = ops[0]->type, *b = ops[n - 1]->type;
    Diag *d = report(c, at, E_OPERANDS, what, ftype_str(c->s, a), ftype_str(c->s, b));
    DType da = elem_of(a)->dtype, db = elem_of(b)->dtype;
    bool int_float = dtype_is_int(da) != dtype_is_int(db);
    if (int_float) {
        const char *f = dtype_info(dtype_is_float(da) ? da : db)->name;
        hint_cast(c, d, dtype_is_float(da) ? ops[n - 1] : ops[0], f,
                  intern_printf(c->s, "an int of this width does not fit %s exactly: convert it,", f));
    } else {
        diag_hint(c->s, d, "neither holds all values of the other: convert one, %s(...) or %s(...)",
                  dtype_info(da)->name, dtype_info(db)->name);
    }
    return false;
}

static bool report_not_number(Check *c, const Expr *e, const char *what) {
    Diag *d = report(c, e->span, E_NOT_NUMBER, what, ftype_str(c->s, e->type));
    const FType *elem = elem_of(e->type);
    if (elem->kind == FT_SCALAR && elem->dtype == DT_BOOL)
        diag_hint(c->s, d, "bool is no number: use int(...), or where(c, a, b)");
    if (elem->kind == FT_SCALAR && elem->dtype == DT_STR)
        diag_hint(c->s, d, "values stand in a text as f\"x = {x}\", and print takes several arguments");
    if (e->type->kind == FT_UNIT) diag_hint(c->s, d, "what is called here returns nothing");
    if (!hint_gradient_parts(c, d, e)) hint_flatten(c, d, e, false);
    return false;
}

/* The type that literals alone ask for, beside numbers of type d (DT_COUNT: none). */
static bool join_literal(const Expr *e, DType *d) {
    DType own = elem_of(e->type)->dtype;
    if (*d == DT_COUNT) return *d = own, true;
    DType computed = *d == DT_F16 || *d == DT_BF16 ? DT_F32 : *d;
    if (flex_fits(e, computed)) return true;
    return dtype_is_int(own) == dtype_is_int(*d) || dtype_is_float(*d) ? false : dtype_join(*d, own, d);
}

bool values_join(Check *c, Expr **ops, int n, Span at, const char *what, DType *out) {
    DType d = DT_COUNT;
    bool all_flex = true;
    for (int i = 0; i < n; i++) {
        if (!type_is_num(ops[i]->type)) return report_not_number(c, ops[i], what);
        if (ops[i]->flex) continue;
        DType own = elem_of(ops[i]->type)->dtype;
        if (d == DT_COUNT) d = own;
        else if (!dtype_join(d, own, &d)) return report_join(c, ops, i + 1, at, what);
        all_flex = false;
    }
    for (int i = 0; i < n; i++) {
        if (!ops[i]->flex) continue;
        DType own = elem_of(ops[i]->type)->dtype;
        if (all_flex) d = d == DT_COUNT || dtype_is_float(own) ? own : d;
        else if (!join_literal(ops[i], &d)) {
            report(c, ops[i]->span, E_LITERAL_RANGE, ops[i]->is_const ? const_str(c, ops[i]->lit) : "it",
                   dtype_info(d)->name);
            return false;
        }
    }
    *out = d;
    return true;
}

bool operands_join(Check *c, Expr **ops, int n, Span at, const char *what, DType *out) {
    if (!values_join(c, ops, n, at, what, out)) return false;
    if (*out == DT_F16 || *out == DT_BF16) *out = DT_F32; /* halves are computed in f32 */
    return true;
}

static bool merge_dim(Check *c, const Size **acc, const Size *d) {
    int64_t k;
    if (*acc == d || (size_is_const(d, &k) && k == 1)) return true;
    if (size_is_const(*acc, &k) && k == 1) return *acc = d, true;
    if (size_differs(c->s, *acc, d) > 0) return false;
    if (size_is_const(d, NULL)) *acc = d;
    return true;
}

static bool merge_shape(Check *c, Expr **ops, int i, Span at, Shape *sh) {
    const FType *t = ops[i]->type;
    for (int k = 0; k < t->rank; k++) { /* from the last axis */
        const Size *d = t->dims[t->rank - 1 - k];
        if (k >= sh->rank) continue;
        if (merge_dim(c, &sh->dims[sh->rank - 1 - k], d)) continue;
        int j = 0; /* the operand that brought the other size */
        while (j < i && !(ops[j]->type->rank > k &&
                          ops[j]->type->dims[ops[j]->type->rank - 1 - k] == sh->dims[sh->rank - 1 - k]))
            j++;
        report_sizes(c, at, sh->dims[sh->rank - 1 - k], d, ops[j < i ? j : 0]->type, ops[j < i ? j : 0]->span, t,
                     ops[i]->span);
        return false;
    }
    return true;
}

/* The operand whose sizes those of the result are where they are not those of operand i, or NULL */
static const Expr *other_operand(Expr *const *ops, int n, int i, const Shape *out) {
    for (int j = 0; j < n; j++) {
        const FType *t = ops[i]->type, *u = ops[j]->type;
        for (int k = 1; j != i && k <= t->rank && k <= u->rank; k++)
            if (t->dims[t->rank - k] != u->dims[u->rank - k] && u->dims[u->rank - k] == out->dims[out->rank - k])
                return ops[j];
    }
    return NULL;
}

bool operands_broadcast(Check *c, Expr **ops, int n, Span at, Shape *out) {
    *out = (Shape){0};
    for (int i = 0; i < n; i++) out->rank = ops[i]->type->rank > out->rank ? ops[i]->type->rank : out->rank;
    for (int k = 0; k < out->rank; k++) out->dims[k] = size_const(c->s, 1);
    for (int i = 0; i < n; i++)
        if (!merge_shape(c, ops, i, at, out)) return false;
    for (int i = 0; i < n; i++) {
        if (!out->rank) continue;
        Reason why = {.what = "the operand", .like = other_operand(ops, n, i, out)};
        ops[i] = broadcast_to(c, ops[i], shape_type(c, elem_of(ops[i]->type), out), &why);
        if (is_error(ops[i])) return false;
    }
    return true;
}
