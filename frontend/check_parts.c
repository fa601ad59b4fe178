/* Structs and tuples of floats as vectors: p + q, a * p part by part, flatten(p) and unflatten(v, p).
 *
 * Each becomes a function of its operands, (fn(x, y) => P(x.w + y.w, x.b + y.b))(p, q), so that all that comes behind
 * the checker sees parts alone.  Arrays of structs and tuples are taken element by element. */
#include "frontend/check.h"

#include <string.h>

static bool is_record(const FType *t) { return t->kind == FT_STRUCT || t->kind == FT_TUPLE; }

bool has_parts(const Check *c, const FType *t) { return is_record(elem_of(t)) && !is_complex(c, t); }

bool holds_floats(const Check *c, const Expr *e) {
    return e->kind != EX_TUPLE && is_record(e->type) && !is_complex(c, e->type) && has_floats(e->type);
}

bool hint_flatten(Check *c, Diag *d, const Expr *e, bool of_function) {
    if (!holds_floats(c, e)) return false;
    const char *p = short_text(c, e);
    if (e->kind == EX_NAME && strcmp(e->name, p) != 0) p = "p"; /* of the checker */
    if (of_function)
        diag_hint(c->s, d, "flatten(%s) is an array of its floats, and fn(v) => f(unflatten(v, %s)) "
                           "the function of that", p, p);
    else diag_hint(c->s, d, "flatten(%s) is an array of its floats", p);
    return true;
}

/* ---- expressions, not checked yet */

static Expr *number(Check *c, Span at, int64_t v) {
    Expr *e = expr_new(c->s, EX_INT, at);
    e->lit = (Const){.dtype = DT_I64, .i = v};
    return e;
}

static Expr *binary(Check *c, Span at, Opr op, const Expr *a, const Expr *b) {
    return expr_operator(c->s, at, op, expr_clone(c->s, a), expr_clone(c->s, b));
}

static const char *part_name(Check *c, const FType *t, int i) {
    return t->names ? t->names[i] : intern_printf(c->s, "%d", i);
}

static Expr *part_of(Check *c, const FType *t, const Expr *x, int i) {
    return expr_field(c->s, expr_clone(c->s, x), part_name(c, t, i));
}

/* size(x), or along an axis */
static Expr *size_of(Check *c, const Expr *x, int axis) {
    Expr *args[] = {expr_clone(c->s, x), axis < 0 ? NULL : number(c, x->span, axis)};
    return call_builtin(c, x->span, BI_size, axis < 0 ? 1 : 2, args);
}

static Expr *cast(Check *c, Expr *x, DType d) {
    return call_of(c, x->span, library_name(c, x->span, dtype_info(d)->name), 1, &x);
}

/* The parts become a struct or tuple of type t. */
static Expr *record_of(Check *c, const FType *t, Span at, ExprVec parts) {
    Expr *e = expr_new(c->s, t->kind == FT_TUPLE ? EX_TUPLE : EX_CALL, at);
    e->makes = t->decl;
    e->args = parts;
    return e;
}

/* The int field of x that is a size: that of its array, since in a gradient the field itself is 0; NULL: it is none */
static Expr *size_field(Check *c, const FType *t, const Expr *x, int field) {
    int array, axis;
    return is_size_field(t, field, &array, &axis) ? size_of(c, part_of(c, t, x, array), axis) : NULL;
}

static const char *index_name(Check *c, int axis) { return intern_printf(c->s, "i.%d", axis); }

static Expr *element_of(Check *c, const Expr *x, int rank) {
    Expr *e = expr_new(c->s, EX_INDEX, x->span);
    e->a = expr_clone(c->s, x);
    for (int i = 0; i < rank; i++) {
        Sub sub = {.kind = SUB_INDEX, .span = x->span, .index = expr_name(c->s, x->span, index_name(c, i))};
        vec_push(c->a, &e->subs, sub);
    }
    return e;
}

/* [element for ..], of the sizes of x */
static Expr *elements_like(Check *c, const Expr *x, int rank, Expr *element) {
    Expr *e = expr_new(c->s, EX_COMP, x->span);
    e->a = element;
    for (int i = 0; i < rank; i++) {
        Gen g = {.name = index_name(c, i), .span = x->span, .hi = size_of(c, x, i)};
        vec_push(c->a, &e->gens, g);
    }
    return e;
}

/* The value of body, of the names x. and y. */
static Expr *apply(Check *c, Span at, Expr *body, int n, Expr *const *args) {
    static const char *const names[] = {"x.", "y."};
    Expr *fn = expr_new(c->s, EX_LAMBDA, at);
    fn->a = body;
    for (int i = 0; i < n; i++) {
        Param p = {.name = intern(c->s, names[i]), .span = at};
        vec_push(c->a, &fn->params, p);
    }
    return check_expr(c, call_of(c, at, fn, n, args), NULL);
}

static Expr *operand_name(Check *c, Span at, int i) { return expr_name(c->s, at, intern(c->s, i ? "y." : "x.")); }

/* ---- operators */

/* An operand: a struct, of which each part is taken, or one number for all */
typedef struct Side { Expr *e; bool parts; } Side;
typedef struct Combine { Check *c; Span at; Opr op; } Combine;

static Side side_part(Check *c, Side s, const FType *t, int i) {
    return s.parts ? (Side){part_of(c, t, s.e, i), true} : s;
}

static Side side_element(Check *c, Side s, int rank) {
    return s.parts ? (Side){element_of(c, s.e, rank), true} : s;
}

static Expr *combine(const Combine *m, const FType *t, Side x, Side y);

static Expr *combine_parts(const Combine *m, const FType *t, Side x, Side y) {
    ExprVec parts = {0};
    for (int i = 0; i < t->nfields; i++) {
        Expr *size = size_field(m->c, t, x.parts ? x.e : y.e, i);
        if (!size) size = combine(m, t->fields[i], side_part(m->c, x, t, i), side_part(m->c, y, t, i));
        vec_push(m->c->a, &parts, size);
    }
    return record_of(m->c, t, m->at, parts);
}

/* Halves are computed as f32. */
static Expr *combine_leaf(const Combine *m, const FType *t, Side x, Side y) {
    const FType *elem = elem_of(t);
    Expr *e = binary(m->c, m->at, m->op, x.e, y.e);
    if (m->op == OPR_NEG) e->kind = EX_UNARY;
    bool half = elem->kind == FT_SCALAR && (elem->dtype == DT_F16 || elem->dtype == DT_BF16);
    return half && m->op != OPR_NEG ? cast(m->c, e, elem->dtype) : e;
}

/* x op y, of type t, or -x */
static Expr *combine(const Combine *m, const FType *t, Side x, Side y) {
    if (!has_parts(m->c, t)) return combine_leaf(m, t, x, y);
    if (t->kind != FT_ARRAY) return combine_parts(m, t, x, y);
    Expr *element = combine_parts(m, t->elem, side_element(m->c, x, t->rank), side_element(m->c, y, t->rank));
    return elements_like(m->c, x.parts ? x.e : y.e, t->rank, element);
}

/* The first part that is no float, and its place as it is written behind a point; NULL: there is none */
static const FType *find_other(Check *c, const FType *t, const char **place) {
    t = elem_of(t);
    if (is_complex(c, t) || (t->kind == FT_SCALAR && dtype_is_float(t->dtype))) return NULL;
    *place = NULL;
    if (!is_record(t)) return t;
    for (int i = 0, array, axis; i < t->nfields; i++) {
        const FType *other = is_size_field(t, i, &array, &axis) ? NULL : find_other(c, t->fields[i], place);
        if (!other) continue;
        const char *name = part_name(c, t, i);
        *place = *place ? intern_printf(c->s, "%s.%s", name, *place) : name;
        return t->fields[i]->kind == FT_ARRAY ? t->fields[i] : other;
    }
    return NULL;
}

static bool all_floats(Check *c, const Expr *e, const char *op) {
    const char *place;
    const FType *other = find_other(c, e->type, &place);
    if (!other) return true;
    Diag *d = report(c, e->span, E_FLOAT_PARTS, op, place, ftype_str(c->s, e->type), ftype_str(c->s, other));
    if (!hint_gradient_parts(c, d, e))
        diag_hint(c->s, d,
                  has_floats(e->type) ? "keep '%s' outside, or take the floats alone: flatten(p), of which "
                                        "unflatten(v, p) is p with other floats"
                                      : "write the parts that are meant",
                  place);
    return false;
}

static bool takes_factor(const Check *c, const FType *leaf, const Expr *k) {
    bool exact;
    if (is_complex(c, leaf)) return k->type == leaf || fits_complex(c, k->type, k, leaf);
    return coercible(k->type, k, leaf, &exact);
}

/* Whether each part times the number k is a part of the same type still; reports the first that is not */
static bool fits_parts(Check *c, const FType *t, const char *place, Expr *k, const char *op) {
    t = elem_of(t);
    for (int i = 0, array, axis; has_parts(c, t) && i < t->nfields; i++) {
        if (is_size_field(t, i, &array, &axis)) continue;
        const char *name = part_name(c, t, i);
        if (place) name = intern_printf(c->s, "%s.%s", place, name);
        if (!fits_parts(c, t->fields[i], name, k, op)) return false;
    }
    if (has_parts(c, t) || takes_factor(c, t, k)) return true;
    const char *does = !strcmp(op, "'/'") ? "divides" : "multiplies";
    Reason why = {.what = intern_printf(c->s, "the number that %s the field '%s'", does, place)};
    coerce(c, k, t, &why);
    return false;
}

static bool is_single_number(const Check *c, const FType *t) {
    return (t->kind == FT_SCALAR && type_is_num(t)) || (t->kind == FT_STRUCT && is_complex(c, t));
}

/* What e is a multiple of, or its negative */
static const Expr *scaled(Check *c, const Expr *e) {
    const char *own = operand_name(c, e->span, 0)->name;
    while (e->kind == EX_CALL && e->callee && e->callee->kind == EX_LAMBDA && e->callee->params.len &&
           e->callee->params.data[0].name == own)
        e = e->args.data[0];
    return e;
}

static Expr *report_operation(Check *c, Expr *e, const char *op) {
    const Expr *side = has_parts(c, e->a->type) ? e->a : e->b;
    Diag *d = report(c, side->span, E_NOT_NUMBER, op, ftype_str(c->s, side->type));
    if (!hint_gradient_parts(c, d, scaled(c, side)))
        diag_hint(c->s, d,
                  "of structs and tuples of floats there are p + q, p - q, -p, a * p, p / a with a number a; anything "
                  "else is done with %s",
                  side->type->kind == FT_ARRAY ? "an array of each field: p.x * q.x"
                                               : "an array of the floats: unflatten(flatten(p)^2, p)");
    return error_expr(e);
}

/* The number, as the parts take it: what is written stays a literal beside each */
static Side factor(Check *c, Expr *k, int i, ExprVec *args) {
    bool known = k->is_const && k->flex;
    if (complex_literal(c, k)) return (Side){expr_clone(c->s, k), false};
    if (!known) {
        vec_push(c->a, args, k);
        return (Side){operand_name(c, k->span, i), false};
    }
    Expr *e = expr_new(c->s, dtype_is_float(k->lit.dtype) ? EX_FLOAT : EX_INT, k->span);
    e->lit = k->lit;
    return (Side){e, false};
}

static Expr *scale(Check *c, Expr *e, const char *op) {
    bool left = has_parts(c, e->a->type);
    Expr *p = left ? e->a : e->b, *k = left ? e->b : e->a;
    if (!all_floats(c, p, op) || !fits_parts(c, p->type, NULL, k, op)) return error_expr(e);
    ExprVec args = {0};
    vec_push(c->a, &args, p);
    Combine m = {c, e->span, e->op};
    Side x = {operand_name(c, p->span, 0), true}, y = factor(c, k, 1, &args);
    return apply(c, e->span, combine(&m, p->type, left ? x : y, left ? y : x), args.len, args.data);
}

/* Literal tuples become like the other side. */
static Expr *add(Check *c, Expr *e, const char *op) {
    bool turned = e->a->kind == EX_TUPLE && e->b->kind != EX_TUPLE;
    Expr **like = turned ? &e->b : &e->a, **other = turned ? &e->a : &e->b;
    Reason why = {.what = intern_printf(c->s, "the other operand of %s", op),
                  .note_at = (*like)->span,
                  .note = intern_printf(c->s, "this is %s", ftype_str(c->s, (*like)->type))};
    if (!all_floats(c, *like, op)) return error_expr(e);
    *other = coerce(c, *other, (*like)->type, &why);
    if (is_error(*other)) return error_expr(e);
    Combine m = {c, e->span, e->op};
    Side x = {operand_name(c, e->a->span, 0), true}, y = {operand_name(c, e->b->span, 1), true};
    return apply(c, e->span, combine(&m, (*like)->type, x, y), 2, (Expr *[]){e->a, e->b});
}

Expr *check_parts_binary(Check *c, Expr *e) {
    const char *op = intern_printf(c->s, "'%s'", opr_str(e->op));
    bool a = has_parts(c, e->a->type), b = has_parts(c, e->b->type);
    bool scaled = (a && is_single_number(c, e->b->type) && (e->op == OPR_MUL || e->op == OPR_DIV)) ||
                  (b && is_single_number(c, e->a->type) && e->op == OPR_MUL);
    if (scaled) return scale(c, e, op);
    if (a && b && (e->op == OPR_ADD || e->op == OPR_SUB)) return add(c, e, op);
    return report_operation(c, e, op);
}

Expr *check_parts_negative(Check *c, Expr *e) {
    if (!all_floats(c, e->a, "'-'")) return error_expr(e);
    Combine m = {c, e->span, e->op};
    Side x = {operand_name(c, e->a->span, 0), true};
    return apply(c, e->span, combine(&m, e->a->type, x, (Side){NULL, false}), 1, &e->a);
}

/* ---- flatten(p) */

/* A part of floats, of the rank of the array that holds it */
typedef struct Leaf { Expr *e; DType d; int rank; } Leaf;
typedef VEC(Leaf) LeafVec;

/* x, of type t, as parts of floats; rank: of the array of t that it is, or 0 */
static void find_leaves(Check *c, const FType *t, const Expr *x, int rank, LeafVec *out) {
    if (t->kind == FT_ARRAY) return find_leaves(c, t->elem, x, t->rank, out);
    for (int i = 0; i < t->nfields && is_record(t); i++)
        find_leaves(c, t->fields[i], part_of(c, t, x, i), rank, out);
    if (t->kind != FT_SCALAR || !dtype_is_float(t->dtype)) return;
    Leaf leaf = {expr_clone(c->s, x), t->dtype, rank};
    vec_push(c->a, out, leaf);
}

static DType join_leaves(const LeafVec *leaves) {
    DType d = leaves->data[0].d;
    for (int i = 1; i < leaves->len; i++)
        if (!dtype_join(d, leaves->data[i].d, &d)) d = DT_F32; /* the two halves */
    return d;
}

static Expr *vector_of(Check *c, const Leaf *leaf, DType d) {
    Expr *e = leaf->e;
    if (leaf->rank > 1) e = call_builtin(c, e->span, BI_reshape, 2, (Expr *[]){e, size_of(c, e, -1)});
    return leaf->d == d ? e : cast(c, e, d);
}

/* One vector after the other; single floats in a row are one. */
static ExprVec vectors_of(Check *c, const LeafVec *leaves, DType d) {
    ExprVec out = {0};
    bool open = false;
    for (int i = 0; i < leaves->len; i++) {
        const Leaf *leaf = &leaves->data[i];
        Expr *e = vector_of(c, leaf, d);
        if (!leaf->rank && !open) vec_push(c->a, &out, expr_new(c->s, EX_ARRAY, e->span));
        open = !leaf->rank;
        if (open) vec_push(c->a, &vec_last(&out)->args, e);
        else vec_push(c->a, &out, e);
    }
    return out;
}

/* Halves are joined, not one to all before it, so that little is copied again. */
static Expr *join(Check *c, Span at, Expr *const *v, int n) {
    if (n == 1) return v[0];
    Expr *halves[] = {join(c, at, v, n / 2), join(c, at, v + n / 2, n - n / 2)};
    return call_library(c, at, "concat", 2, halves);
}

static const Size *elements(Check *c, const FType *t) {
    const Size *n = size_const(c->s, 1);
    for (int i = 0; i < t->rank; i++) n = size_mul(c->s, n, t->dims[i]);
    return n;
}

static Expr *check_flatten(Check *c, Expr *e) {
    LeafVec leaves = {0};
    Expr *x = unflex(c, e->args.data[0]);
    const FType *t = x->type;
    const Size *n = elements(c, t);
    if (t->kind == FT_ARRAY) return with_axes(c, x, 1, &n, e->span);
    find_leaves(c, t, operand_name(c, e->span, 0), 0, &leaves);
    if (!leaves.len)
        return report_argument(c, x, e->builtin, "an array, or a struct or tuple with floats"), error_expr(e);
    ExprVec v = vectors_of(c, &leaves, join_leaves(&leaves));
    return apply(c, e->span, join(c, e->span, v.data, v.len), 1, &x);
}

/* ---- unflatten(v, p) */

/* Where the next part stands in the vector; in arrays of structs the parts of all elements, of which this is one */
typedef struct Cut { Check *c; DType d; Expr *at; const Expr *count, *index; } Cut;

static void go_on(Cut *cut, const Expr *by, Span span) { cut->at = binary(cut->c, span, OPR_ADD, cut->at, by); }

static Expr *taken(Cut *cut, const Expr *index, const Expr *end, Span at) {
    Expr *e = expr_new(cut->c->s, EX_INDEX, at);
    Sub sub = {.kind = end ? SUB_SLICE : SUB_INDEX, .span = at};
    e->a = operand_name(cut->c, at, 0);
    *(end ? &sub.lo : &sub.index) = expr_clone(cut->c->s, index);
    sub.hi = expr_clone(cut->c->s, end);
    vec_push(cut->c->a, &e->subs, sub);
    return e;
}

static Expr *take_number(Cut *cut, DType d, Span at) {
    Expr *index = cut->index ? binary(cut->c, at, OPR_ADD, cut->at, cut->index) : cut->at;
    Expr *e = taken(cut, index, NULL, at);
    go_on(cut, cut->count ? cut->count : number(cut->c, at, 1), at);
    return d == cut->d ? e : cast(cut->c, e, d);
}

static Expr *take_array(Cut *cut, const FType *t, const Expr *x) {
    Check *c = cut->c;
    const Expr *from = cut->at;
    go_on(cut, size_of(c, x, -1), x->span);
    Expr *e = taken(cut, from, cut->at, x->span), *args[MAX_RANK + 1] = {e};
    for (int i = 0; i < t->rank; i++) args[i + 1] = size_of(c, x, i);
    if (t->rank > 1) e = call_builtin(c, x->span, BI_reshape, t->rank + 1, args);
    return t->elem->dtype == cut->d ? e : cast(c, e, t->elem->dtype);
}

static Expr *take(Cut *cut, const FType *t, const Expr *x);

static Expr *take_parts(Cut *cut, const FType *t, const Expr *x) {
    ExprVec parts = {0};
    for (int i = 0; i < t->nfields; i++) {
        Expr *size = size_field(cut->c, t, x, i);
        vec_push(cut->c->a, &parts, size ? size : take(cut, t->fields[i], part_of(cut->c, t, x, i)));
    }
    return record_of(cut->c, t, x->span, parts);
}

/* Counted row by row */
static Expr *index_in(Check *c, const Expr *x, int rank) {
    Expr *index = expr_name(c->s, x->span, index_name(c, 0));
    for (int i = 1; i < rank; i++)
        index = binary(c, x->span, OPR_ADD, binary(c, x->span, OPR_MUL, index, size_of(c, x, i)),
                       expr_name(c->s, x->span, index_name(c, i)));
    return index;
}

static Expr *take_elements(Cut *cut, const FType *t, const Expr *x) {
    Cut inner = {cut->c, cut->d, cut->at, size_of(cut->c, x, -1), index_in(cut->c, x, t->rank)};
    Expr *element = take_parts(&inner, t->elem, element_of(cut->c, x, t->rank));
    cut->at = inner.at;
    return elements_like(cut->c, x, t->rank, element);
}

/* What is like x, of type t: floats of the vector, and what is none from x */
static Expr *take(Cut *cut, const FType *t, const Expr *x) {
    const FType *elem = elem_of(t);
    if (is_record(elem)) return t->kind == FT_ARRAY ? take_elements(cut, t, x) : take_parts(cut, t, x);
    if (!dtype_is_float(elem->dtype)) return expr_clone(cut->c->s, x);
    return t->kind == FT_ARRAY ? take_array(cut, t, x) : take_number(cut, t->dtype, x->span);
}

/* How many floats values of type t have */
static const Size *count_floats(Check *c, const FType *t) {
    if (t->kind == FT_ARRAY) return size_mul(c->s, elements(c, t), count_floats(c, t->elem));
    const Size *n = size_const(c->s, t->kind == FT_SCALAR && dtype_is_float(t->dtype));
    for (int i = 0; i < t->nfields && is_record(t); i++) n = size_add(c->s, n, count_floats(c, t->fields[i]));
    return n;
}

static Expr *check_unflatten(Check *c, Expr *e) {
    Expr *v = e->args.data[0] = unflex(c, e->args.data[0]), *x = e->args.data[1] = unflex(c, e->args.data[1]);
    const FType *t = x->type, *elem = v->type->kind == FT_ARRAY && v->type->rank == 1 ? v->type->elem : NULL;
    bool floats = elem && elem->kind == FT_SCALAR && dtype_is_float(elem->dtype);
    const Size *n = t->kind == FT_ARRAY ? elements(c, t) : count_floats(c, t);
    Reason why = {.what = "the first argument of unflatten", .note_at = x->span, .note = "as many as in this"};
    if (t->kind != FT_ARRAY && (!has_floats(t) || !floats))
        return report_argument(c, floats ? x : v, e->builtin, floats ? "what holds floats" : "a vector of floats"),
               error_expr(e);
    if (floats && t->kind == FT_ARRAY && t->elem->kind == FT_SCALAR && has_floats(t))
        v = to_dtype(c, v, t->elem->dtype);
    v = coerce(c, v, ftype_array(c->s, t->kind == FT_ARRAY ? t->elem : elem, 1, &n), &why);
    if (is_error(v)) return error_expr(e);
    if (t->kind == FT_ARRAY) return with_axes(c, v, t->rank, t->dims, e->span);
    Cut cut = {c, elem->dtype, number(c, e->span, 0), NULL, NULL};
    return apply(c, e->span, take(&cut, t, operand_name(c, e->span, 1)), 2, (Expr *[]){v, x});
}

Expr *check_parts_call(Check *c, Expr *e, int b) {
    int n = b == BI_flatten ? 1 : 2;
    if (!want_count(c, e, b, n, n) || !check_args(c, e, 0)) return error_expr(e);
    return b == BI_flatten ? check_flatten(c, e) : check_unflatten(c, e);
}
