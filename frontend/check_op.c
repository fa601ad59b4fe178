/* Operators: unary and binary, on scalars and arrays. */
#include "frontend/check.h"

enum { MAX_SIZE_POWER = 8, MAX_MULTIPLIED = 64 };

static const Size *size_of_division(Check *c, Opr op, const Size *a, const Size *b) {
    int64_t k;
    if (!size_is_const(b, &k) || k <= 0) return NULL; /* a symbolic divisor might be zero */
    return op == OPR_IDIV ? size_floordiv(c->s, a, b) : size_mod(c->s, a, b);
}

static const Size *size_of_power(Check *c, const Size *a, const Size *b) {
    int64_t k;
    if (!size_is_const(b, &k) || k < 0 || k > MAX_SIZE_POWER) return NULL;
    const Size *z = size_const(c->s, 1);
    while (k-- > 0) z = size_mul(c->s, z, a);
    return z;
}

static const Size *size_of_binary(Check *c, const Expr *e) {
    const Size *a = e->a->size, *b = e->b->size;
    if (!a || !b) return NULL;
    switch (e->op) {
    case OPR_ADD: return size_add(c->s, a, b);
    case OPR_SUB: return size_sub(c->s, a, b);
    case OPR_MUL: return size_mul(c->s, a, b);
    case OPR_IDIV: case OPR_MOD: return size_of_division(c, e->op, a, b);
    case OPR_POW: return size_of_power(c, a, b);
    default: return NULL;
    }
}

/* Stops no program, and does nothing */
static bool is_harmless(const Expr *e) {
    if (e->is_const) return true;
    switch (e->kind) {
    case EX_NAME: return true;
    case EX_FIELD: case EX_UNARY: case EX_CONVERT: return is_harmless(e->a);
    case EX_BINARY:
        return e->op != OPR_IDIV && e->op != OPR_MOD && e->op != OPR_MATMUL && e->op != OPR_POW && is_harmless(e->a) &&
               is_harmless(e->b);
    default: return false;
    }
}

/* An int that is the same whatever its parts are, as 0 * t is */
static bool value_of(const Expr *e, Const *out) {
    *out = e->is_const ? e->lit : (Const){.dtype = DT_I64};
    return e->is_const ||
           (e->size && type_is_scalar(e->type, DT_I64) && size_is_const(e->size, &out->i) && is_harmless(e));
}

/* The value when both sides are known; its size when it has one. */
static Expr *finish_binary(Check *c, Expr *e, bool flex) {
    Const v, x, y;
    if (e->type->kind != FT_SCALAR) return e;
    bool known = value_of(e->a, &x) && value_of(e->b, &y) && fold_binary(e->op, x, y, e->type->dtype, &v);
    if (known) set_const(c, e, v);
    else if (e->type->dtype == DT_I64) e->size = size_of_binary(c, e);
    e->flex = flex && known;
    if (known) warn_overflow(c, e);
    return e;
}

static bool broadcast_pair(Check *c, Expr *e, Shape *sh) {
    Expr *ops[2] = {e->a, e->b};
    if (!operands_broadcast(c, ops, 2, e->span, sh)) return false;
    e->a = ops[0];
    e->b = ops[1];
    return true;
}

static const char *needs(Check *c, Opr op) { return intern_printf(c->s, "'%s'", opr_str(op)); }

static void check_zero_divisor(Check *c, const Expr *e, DType d) {
    if (!e->b->is_const || !const_is_zero(e->b->lit) || dtype_is_float(d)) return;
    if (e->op == OPR_IDIV || e->op == OPR_MOD) report(c, e->b->span, E_ZERO_DIVISOR);
}

static bool is_comparison(Opr op) { return op >= OPR_EQ && op <= OPR_GE; }
static bool is_arithmetic(Opr op) { return op <= OPR_MATMUL; }

/* Brings both sides to one dtype and shape. */
static bool join_pair(Check *c, Expr *e, DType *d, Shape *sh) {
    Expr *ops[2] = {e->a, e->b};
    if (!operands_join(c, ops, 2, e->span, needs(c, e->op), d)) return false;
    if (e->op == OPR_DIV && dtype_is_int(*d)) *d = DT_F64;
    e->a = to_dtype(c, e->a, *d);
    e->b = to_dtype(c, e->b, *d);
    return broadcast_pair(c, e, sh);
}

static Expr *check_arith(Check *c, Expr *e) {
    DType d;
    Shape sh;
    bool flex = e->a->flex && e->b->flex;
    if (!join_pair(c, e, &d, &sh)) return error_expr(e);
    check_zero_divisor(c, e, d);
    DType result = is_comparison(e->op) ? DT_BOOL : d;
    e->type = shape_type(c, ftype_scalar(c->s, result), &sh);
    e = finish_binary(c, e, flex && result != DT_BOOL);
    if (is_comparison(e->op)) warn_comparison(c, e);
    return e;
}

static bool both_elems(const Expr *e, DType d) {
    const FType *a = elem_of(e->a->type), *b = elem_of(e->b->type);
    return a->kind == FT_SCALAR && b->kind == FT_SCALAR && a->dtype == d && b->dtype == d;
}

/* and, or on bools; also & | xor and == on bools */
static Expr *check_bools(Check *c, Expr *e) {
    Shape sh;
    if (!broadcast_pair(c, e, &sh)) return error_expr(e);
    e->type = shape_type(c, ftype_scalar(c->s, DT_BOOL), &sh);
    return finish_binary(c, e, false);
}

static Expr *report_not_bool(Check *c, Expr *e, const Expr *side) {
    Diag *d = report(c, side->span, E_NOT_BOOL, opr_str(e->op), ftype_str(c->s, side->type));
    if (type_is_num(side->type))
        diag_hint(c->s, d, "write a comparison, such as `... != 0`; bits are combined with & | xor ~");
    return error_expr(e);
}

static Expr *check_logic(Check *c, Expr *e) {
    Expr *sides[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        const FType *elem = elem_of(sides[i]->type);
        if (!type_is_scalar(elem, DT_BOOL)) return report_not_bool(c, e, sides[i]);
    }
    warn_logic(c, e);
    e = check_bools(c, e);
    bool either = e->op == OPR_OR; /* what one side settles, when the other need not be evaluated */
    bool settled = is_never(e->a, !either) || (is_never(e->b, !either) && is_harmless(e->a));
    if (settled && !is_error(e) && e->type->kind == FT_SCALAR) set_const(c, e, (Const){.dtype = DT_BOOL, .i = either});
    return e;
}

static bool is_computed_float(const Expr *e) {
    const FType *elem = elem_of(e->type);
    return elem->kind == FT_SCALAR && dtype_is_float(elem->dtype) && !e->is_const;
}

/* Texts are put together and compared, one by one in arrays of them. */
static Expr *check_texts(Check *c, Expr *e) {
    static const char *const functions[] = {[OPR_ADD] = "_text_add", [OPR_EQ] = "_text_eq", [OPR_NE] = "_text_ne",
                                            [OPR_LT] = "_text_lt",   [OPR_LE] = "_text_le", [OPR_GT] = "_text_gt",
                                            [OPR_GE] = "_text_ge"};
    const char *name = e->op < (int)(sizeof functions / sizeof *functions) ? functions[e->op] : NULL;
    Expr *sides[2] = {e->a, e->b};
    if (name) return check_expr(c, call_library(c, e->span, name, 2, sides), NULL);
    return diag_hint(c->s, report(c, e->span, E_STRING_OPERATION, opr_str(e->op)), "%s", TEXT_HINT), error_expr(e);
}

static bool is_plain_tuple(const FType *t) {
    if (t->kind != FT_TUPLE || t->nfields < 2 || t->nfields > 4) return false;
    for (int i = 0; i < t->nfields; i++)
        if (t->fields[i]->kind != FT_SCALAR && !is_plain_tuple(t->fields[i])) return false;
    return true;
}

/* shape(a) == (3, 4): tuples of single values are equal where all of these are. */
static Expr *check_tuples(Check *c, Expr *e) {
    Expr *sides[] = {e->a, e->b};
    const char *name = e->op == OPR_EQ ? "_tuple_eq" : "_tuple_ne";
    return check_expr(c, call_library(c, e->span, name, 2, sides), NULL);
}

static Expr *check_compare(Check *c, Expr *e) {
    bool equality = e->op == OPR_EQ || e->op == OPR_NE;
    if (equality && is_computed_float(e->a) && is_computed_float(e->b) && !in_std(c))
        diag_hint(c->s, report(c, e->span, W_FLOAT_EQUAL, opr_str(e->op)),
                  "compare with a tolerance: abs(x - y) %s 1e-9 * abs(y)", e->op == OPR_EQ ? "<=" : ">");
    if (equality && both_elems(e, DT_BOOL)) return check_bools(c, e);
    const bool tuples = equality && is_plain_tuple(e->a->type) && is_plain_tuple(e->b->type);
    if (tuples && e->a->type->nfields == e->b->type->nfields) return check_tuples(c, e);
    return check_arith(c, e);
}

static bool need_ints(Check *c, Expr *e) {
    Expr *sides[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        const FType *elem = elem_of(sides[i]->type);
        if (elem->kind == FT_SCALAR && dtype_is_int(elem->dtype)) continue;
        Diag *d = report(c, sides[i]->span, E_NOT_INT, opr_str(e->op), ftype_str(c->s, sides[i]->type));
        if (elem->kind == FT_SCALAR && elem->dtype == DT_BOOL)
            diag_hint(c->s, d, "bools are combined with and, or, not");
        return false;
    }
    return true;
}

static Expr *check_bits(Check *c, Expr *e) {
    if (both_elems(e, DT_BOOL) && e->op != OPR_SHL && e->op != OPR_SHR) return check_bools(c, e);
    if (!need_ints(c, e)) return error_expr(e);
    if (e->op != OPR_SHL && e->op != OPR_SHR) return check_arith(c, e);
    Shape sh;
    bool flex = e->a->flex && e->b->flex;
    DType d = elem_of(e->a->type)->dtype;
    e->a = to_dtype(c, e->a, d);
    e->b = to_dtype(c, e->b, d); /* the amount wraps to the width of what is shifted */
    if (!broadcast_pair(c, e, &sh)) return error_expr(e);
    e->type = shape_type(c, ftype_scalar(c->s, d), &sh);
    return finish_binary(c, e, flex);
}

/* x^k with a constant int k keeps k an int: repeated multiplication. */
static Expr *check_const_power(Check *c, Expr *e) {
    bool flex = e->a->flex && e->b->flex;
    DType d = elem_of(e->a->type)->dtype;
    if (dtype_is_int(d) && e->b->lit.i < 0 && e->a->flex && e->a->is_const) d = DT_F64; /* 2^-1 is 0.5 */
    if (dtype_is_int(d) && e->b->lit.i < 0) {
        Diag *diag = report(c, e->b->span, E_NEGATIVE_POWER);
        diag_hint(c->s, diag, "write f64(x)^%lld, or 1/x", (long long)e->b->lit.i);
        return error_expr(e);
    }
    if (d == DT_F16 || d == DT_BF16) d = DT_F32;
    e->a = to_dtype(c, e->a, d);
    e->b = to_dtype(c, e->b, DT_I64);
    e->type = with_dtype(c, e->a->type, d);
    return finish_binary(c, e, flex);
}

static Expr *check_power(Check *c, Expr *e) {
    if (!type_is_num(e->a->type) || !type_is_num(e->b->type)) return check_arith(c, e); /* reports */
    bool small = e->b->is_const && type_is_int(e->b->type) && e->b->lit.i >= -MAX_MULTIPLIED &&
                 e->b->lit.i <= MAX_MULTIPLIED;
    if (small) return check_const_power(c, e);
    DType a = elem_of(e->a->type)->dtype, b = elem_of(e->b->type)->dtype;
    if (dtype_is_float(a) && dtype_is_int(b) && !e->a->flex) e->b = to_dtype(c, e->b, a);
    return check_arith(c, e);
}

/* Axes that @ pairs: the inner one; of stacks of matrices with as many axes, the leading ones */
static bool matmul_sizes_agree(Check *c, Expr *e) {
    const FType *a = e->a->type, *b = e->b->type;
    const Size *fixed[MAX_RANK] = {NULL}, *wanted[MAX_RANK] = {NULL};
    int inner = b->rank > 1 ? b->rank - 2 : 0;
    bool differ = false;
    for (int i = 0; a->rank == b->rank && i < b->rank - 2; i++) wanted[i] = a->dims[i];
    wanted[inner] = a->dims[a->rank - 1];
    for (int i = 0; i < b->rank; i++) {
        fixed[i] = wanted[i] ? wanted[i] : b->dims[i];
        if (size_differs(c->s, fixed[i], b->dims[i]) > 0)
            return report_sizes(c, e->span, fixed[i], b->dims[i], a, e->a->span, b, e->b->span), false;
        differ |= fixed[i] != b->dims[i];
    }
    if (differ) e->b = wrap_sizes(c, e->b, ftype_array(c->s, b->elem, b->rank, fixed), e->a->span);
    return true;
}

/* The leading axes of the one that has them, then the rows of a, then the columns of b */
static Expr *matmul_type(Check *c, Expr *e) {
    const FType *a = e->a->type, *b = e->b->type, *stack = a->rank > 2 ? a : b;
    const Size *dims[MAX_RANK];
    int rank = 0;
    for (int i = 0; i < stack->rank - 2; i++) dims[rank++] = stack->dims[i];
    if (a->rank > 1) dims[rank++] = a->dims[a->rank - 2];
    if (b->rank > 1) dims[rank++] = b->dims[b->rank - 1];
    e->type = rank ? ftype_array(c->s, a->elem, rank, dims) : a->elem;
    return e;
}

/* A stack on the right has a stack with as many axes on the left, or one matrix for all. */
static bool matmul_axes_fit(Check *c, const Expr *e) {
    const FType *a = e->a->type, *b = e->b->type;
    if (b->rank <= 2 || a->rank == 2 || a->rank == b->rank) return true;
    Diag *diag = report(c, e->span, E_MATMUL_AXES, ftype_str(c->s, a), ftype_str(c->s, b));
    diag_hint(c->s, diag, "the left one must have as many axes, or be a matrix that all of them share");
    return false;
}

static Expr *check_matmul(Check *c, Expr *e) {
    DType d;
    Expr *ops[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        const FType *t = ops[i]->type;
        if (t->kind == FT_ARRAY && type_is_num(t)) continue;
        Diag *diag = report(c, ops[i]->span, E_MATMUL, ftype_str(c->s, t));
        if (t->kind == FT_SCALAR) diag_hint(c->s, diag, "a number times an array is written with *");
        return error_expr(e);
    }
    if (!matmul_axes_fit(c, e) || !operands_join(c, ops, 2, e->span, "'@'", &d)) return error_expr(e);
    if (dtype_is_int(d)) d = reduce_dtype(BI_sum, d); /* its sums are as wide as those of sum */
    e->a = to_dtype(c, e->a, d);
    e->b = to_dtype(c, e->b, d);
    if (!matmul_sizes_agree(c, e)) return error_expr(e);
    return matmul_type(c, e);
}

Expr *check_binary(Check *c, Expr *e) {
    e->a->from_here = e->op == OPR_SUB;
    e->a = check_value(c, e->a, NULL);
    bool settled = (e->op == OPR_AND && is_never(e->a, true)) || (e->op == OPR_OR && is_never(e->a, false));
    c->fn->dead += settled;
    e->b = check_value(c, e->b, NULL);
    c->fn->dead -= settled;
    if (is_error(e->a) || is_error(e->b)) return error_expr(e);
    if (is_arithmetic(e->op) && (has_parts(c, e->a->type) || has_parts(c, e->b->type))) return check_parts_binary(c, e);
    if (is_complex(c, e->a->type) || is_complex(c, e->b->type)) return check_complex_binary(c, e);
    if (both_elems(e, DT_STR)) return check_texts(c, e);
    switch (e->op) {
    case OPR_AND: case OPR_OR: return check_logic(c, e);
    case OPR_BITAND: case OPR_BITOR: case OPR_BITXOR: case OPR_SHL: case OPR_SHR: return check_bits(c, e);
    case OPR_POW: return check_power(c, e);
    case OPR_MATMUL: return check_matmul(c, e);
    default: return is_comparison(e->op) ? check_compare(c, e) : check_arith(c, e);
    }
}

static bool unary_accepts(Opr op, const FType *elem) {
    if (elem->kind != FT_SCALAR) return false;
    if (op == OPR_NOT) return elem->dtype == DT_BOOL;
    if (op == OPR_BITNOT) return dtype_is_int(elem->dtype);
    return dtype_is_int(elem->dtype) || dtype_is_float(elem->dtype);
}

Expr *check_unary(Check *c, Expr *e) {
    Const v;
    e->a->from_here = e->op == OPR_NEG;
    e->a = check_value(c, e->a, NULL);
    if (is_error(e->a)) return error_expr(e);
    if (e->op == OPR_NEG && has_parts(c, e->a->type)) return check_parts_negative(c, e);
    if (e->op == OPR_NEG && is_complex(c, e->a->type)) return check_complex_unary(c, e);
    if (!unary_accepts(e->op, elem_of(e->a->type))) {
        if (e->op == OPR_NOT) return report_not_bool(c, e, e->a);
        DiagId id = e->op == OPR_BITNOT ? E_NOT_INT : E_NOT_NUMBER;
        Diag *d = report(c, e->a->span, id, e->op == OPR_NEG ? "'-'" : opr_str(e->op), ftype_str(c->s, e->a->type));
        hint_gradient_parts(c, d, e->a);
        return error_expr(e);
    }
    bool flex = e->a->flex && e->op != OPR_NOT && e->a->type->kind == FT_SCALAR;
    e->a = flex ? e->a : unflex(c, e->a);
    e->type = e->a->type;
    if (e->a->is_const && fold_unary(e->op, e->a->lit, &v)) {
        set_const(c, e, v);
        e->flex = flex;
    } else if (e->op == OPR_NEG && e->a->size) {
        e->size = size_sub(c->s, size_const(c->s, 0), e->a->size);
    }
    return e;
}

