/* Expressions: names, literals, operators, fields, arrays, tuples, if. */
#include "frontend/check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 2000, MAX_SIZE_POWER = 8, MAX_LEAVES = 256 };

bool is_error(const Expr *e) { return e->type && e->type->kind == FT_ERROR; }

Expr *error_expr(Expr *e) {
    e->type = &ftype_error;
    e->size = NULL;
    e->is_const = e->flex = false;
    return e;
}

const char *opr_str(Opr op) {
    static const char *const text[OPR_NONE + 1] = {
        "+", "-", "*", "/", "//", "%", "^", "@", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "-",
        "&", "|", "xor", "~", "<<", ">>", "min", "max", "="};
    return text[op];
}

/* ---- names */

static void check_pending(Check *c, const Expr *e) {
    for (int i = 0; i < c->fn->pending.len; i++) {
        const Pending *p = &c->fn->pending.data[i];
        if (p->var != e->var) continue;
        Diag *d = report(c, e->span, E_BEFORE_SYNC, e->name);
        diag_note(c->s, d, p->span, "assigned here by the spawned block");
        diag_hint(c->s, d, "write `sync` before this line");
        return;
    }
}

static void use_var(Check *c, Expr *e, Var *v, bool reads) {
    e->var = v;
    e->type = v->type;
    e->size = v->size;
    v->used |= reads;
    if (v->has_const) {
        set_const(c, e, v->cval);
        e->flex = v->flex;
    }
    if (reads && v->mode == MODE_OUT && v->kind == VAR_PARAM) {
        Diag *d = report(c, e->span, E_READ_OUT, v->name);
        diag_note(c->s, d, v->span, "declared here");
        diag_hint(c->s, d, "a parameter that is read and written is declared `%s: inout ...`", v->name);
    }
    if (c->fn->pending.len) check_pending(c, e);
}

static void report_thread_alone(Check *c, Expr *e) {
    Diag *d = report(c, e->span, E_THREAD_ALONE, e->name);
    diag_hint(c->s, d, "write %s.x, %s.y or %s.z", e->name, e->name, e->name);
    error_expr(e);
}

/* A name that is no local variable. */
static Expr *check_global_name(Check *c, Expr *e, bool reads) {
    DType t;
    Global *g = global_find(c, e->name);
    const FType *tvar = tvar_find(c, e->name);
    int b = (int)(intptr_t)map_get(&c->builtins, e->name);
    e->type = &ftype_error;
    if (tvar) e->type = ftype_type(c->s, tvar);
    else if (g && g->kind == GL_CONST) {
        global_eval(c, g);
        if (g->var) use_var(c, e, g->var, reads);
    } else if (g && g->kind == GL_FN) e->type = ftype_func(c->s, g->decl, NULL);
    else if (g) e->type = ftype_type(c->s, struct_type(c, g->decl, NULL, e->span));
    else if (b) return builtin_as_lambda(c, e, b - 1);
    else if (e->name == c->n_int) e->type = ftype_type(c->s, ftype_scalar(c->s, DT_I64));
    else if (dtype_find(e->name, &t)) e->type = ftype_type(c->s, ftype_scalar(c->s, t));
    else if (is_thread_name(c, e->name)) report_thread_alone(c, e);
    else report_unknown_name(c, e->span, e->name);
    return e;
}

static Expr *resolve_name(Check *c, Expr *e, bool reads) {
    Var *v = scope_find(c, e->name);
    if (!v) return check_global_name(c, e, reads);
    use_var(c, e, v, reads);
    return e;
}

void check_name(Check *c, Expr *e, bool reads) { resolve_name(c, e, reads); }

/* ---- literals */

static Expr *check_literal(Check *c, Expr *e) {
    static const DType dtypes[] = {[EX_INT] = DT_I64, [EX_FLOAT] = DT_F64, [EX_BOOL] = DT_BOOL, [EX_STR] = DT_STR};
    e->lit.dtype = dtypes[e->kind];
    e->type = ftype_scalar(c->s, e->lit.dtype);
    e->flex = e->kind == EX_INT || e->kind == EX_FLOAT;
    set_const(c, e, e->lit);
    return e;
}

/* ---- operators */

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

/* The value when both sides are known; its size when it has one. */
static Expr *finish_binary(Check *c, Expr *e, bool flex) {
    Const v;
    if (e->type->kind != FT_SCALAR) return e;
    bool known = e->a->is_const && e->b->is_const && fold_binary(e->op, e->a->lit, e->b->lit, e->type->dtype, &v);
    if (known) set_const(c, e, v);
    else if (e->type->dtype == DT_I64) e->size = size_of_binary(c, e);
    e->flex = flex && known;
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
    return finish_binary(c, e, flex && result != DT_BOOL);
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
    if (type_is_num(side->type)) diag_hint(c->s, d, "write a comparison, such as `... != 0`; bits are combined with & | xor ~");
    return error_expr(e);
}

static Expr *check_logic(Check *c, Expr *e) {
    Expr *sides[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        const FType *elem = elem_of(sides[i]->type);
        if (!type_is_scalar(elem, DT_BOOL)) return report_not_bool(c, e, sides[i]);
    }
    return check_bools(c, e);
}

static Expr *check_compare(Check *c, Expr *e) {
    bool equality = e->op == OPR_EQ || e->op == OPR_NE;
    if (equality && both_elems(e, DT_BOOL)) return check_bools(c, e);
    if (equality && both_elems(e, DT_STR)) return report(c, e->span, E_STRING_OPERATION, opr_str(e->op)), error_expr(e);
    return check_arith(c, e);
}

static bool need_ints(Check *c, Expr *e) {
    Expr *sides[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        const FType *elem = elem_of(sides[i]->type);
        if (elem->kind == FT_SCALAR && dtype_is_int(elem->dtype)) continue;
        Diag *d = report(c, sides[i]->span, E_NOT_INT, opr_str(e->op), ftype_str(c->s, sides[i]->type));
        if (elem->kind == FT_SCALAR && elem->dtype == DT_BOOL) diag_hint(c->s, d, "bools are combined with and, or, not");
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
    if (e->b->is_const && type_is_int(e->b->type)) return check_const_power(c, e);
    DType a = elem_of(e->a->type)->dtype, b = elem_of(e->b->type)->dtype;
    if (dtype_is_float(a) && dtype_is_int(b) && !e->a->flex) e->b = to_dtype(c, e->b, a);
    return check_arith(c, e);
}

static Expr *check_matmul(Check *c, Expr *e) {
    DType d;
    Expr *ops[2] = {e->a, e->b};
    for (int i = 0; i < 2; i++) {
        const FType *t = ops[i]->type;
        if (t->kind == FT_ARRAY && t->rank <= 2 && type_is_num(t)) continue;
        Diag *diag = report(c, ops[i]->span, E_MATMUL, ftype_str(c->s, t));
        if (t->kind == FT_SCALAR) diag_hint(c->s, diag, "a number times an array is written with *");
        return error_expr(e);
    }
    if (!operands_join(c, ops, 2, e->span, "'@'", &d)) return error_expr(e);
    e->a = to_dtype(c, e->a, d);
    e->b = to_dtype(c, e->b, d);
    const FType *a = e->a->type, *b = e->b->type;
    const Size *inner = a->dims[a->rank - 1], *other = b->dims[0], *dims[2];
    if (size_differs(c->s, inner, other) > 0) {
        report_sizes(c, e->span, inner, other, a, e->a->span, b, e->b->span);
        return error_expr(e);
    }
    if (inner != other) {
        const Size *fixed[2] = {inner, b->rank == 2 ? b->dims[1] : NULL};
        e->b = wrap(c, e->b, CONV_SIZE, ftype_array(c->s, b->elem, b->rank, fixed));
    }
    int rank = 0;
    if (a->rank == 2) dims[rank++] = a->dims[0];
    if (b->rank == 2) dims[rank++] = b->dims[1];
    e->type = rank ? ftype_array(c->s, a->elem, rank, dims) : a->elem;
    return e;
}

static Expr *check_binary(Check *c, Expr *e) {
    e->a = check_value(c, e->a, NULL);
    e->b = check_value(c, e->b, NULL);
    if (is_error(e->a) || is_error(e->b)) return error_expr(e);
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

static Expr *check_unary(Check *c, Expr *e) {
    Const v;
    e->a = check_value(c, e->a, NULL);
    if (is_error(e->a)) return error_expr(e);
    if (!unary_accepts(e->op, elem_of(e->a->type))) {
        if (e->op == OPR_NOT) return report_not_bool(c, e, e->a);
        DiagId id = e->op == OPR_BITNOT ? E_NOT_INT : E_NOT_NUMBER;
        report(c, e->a->span, id, e->op == OPR_NEG ? "'-'" : opr_str(e->op), ftype_str(c->s, e->a->type));
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

/* ---- fields */

static Expr *check_thread_field(Check *c, Expr *e) {
    bool axis = e->name == c->n_x || e->name == c->n_y || e->name == c->n_z;
    e->type = ftype_scalar(c->s, DT_I64);
    e->a->type = &ftype_unit;
    e->field = e->name == c->n_x ? 0 : e->name == c->n_y ? 1 : 2;
    if (!axis) {
        diag_hint(c->s, report(c, e->span, E_THREAD_AXIS, e->name, e->a->name), "the axes are .x, .y and .z");
        return error_expr(e);
    }
    if (c->fn->kind == FN_KERNEL) return e;
    Diag *d = report(c, e->span, E_OUTSIDE_KERNEL, e->a->name);
    diag_hint(c->s, d, "pass it to this function as a parameter");
    return error_expr(e);
}

static Expr *check_transpose(Check *c, Expr *e) {
    const FType *t = e->a->type;
    const Size *dims[MAX_RANK];
    for (int i = 0; i < t->rank; i++) dims[i] = t->dims[t->rank - 1 - i];
    e->field = -1;
    e->type = ftype_array(c->s, t->elem, t->rank, dims);
    return e;
}

static int find_field(const FType *t, const char *name) {
    for (int i = 0; i < t->nfields; i++)
        if (t->names ? t->names[i] == name : isdigit((unsigned char)name[0]) && atoi(name) == i) return i;
    return -1;
}

static Expr *report_field(Check *c, Expr *e, const FType *t) {
    Diag *d = report(c, e->span, E_NO_FIELD, ftype_str(c->s, e->a->type), e->name);
    const char *near = t->names ? spell_nearest(e->name, t->names, t->nfields) : NULL;
    if (near) diag_hint(c->s, d, "did you mean '.%s'?", near);
    else if (!strcmp(e->name, "shape")) diag_hint(c->s, d, "size(x, axis) is the size of one axis");
    else if (map_has(&c->builtins, e->name)) diag_hint(c->s, d, "functions are called as %s(x)", e->name);
    else if (t->kind == FT_TUPLE) diag_hint(c->s, d, "its fields are .0 to .%d", t->nfields - 1);
    if (t->kind == FT_STRUCT) diag_note(c->s, d, t->decl->name_span, "the struct is defined here");
    return error_expr(e);
}

/* A struct's int field that is also a size of one of its arrays: its value is that size. */
static const Size *size_of_field(Check *c, const FType *t, int field) {
    if (t->kind != FT_STRUCT || !type_is_scalar(t->fields[field], DT_I64)) return NULL;
    const char *name = t->names[field];
    for (int i = 0; i < t->decl->fields.len; i++) {
        const TypeExpr *tx = t->decl->fields.data[i].type;
        if (!tx || tx->kind != TX_ARRAY) continue;
        for (int k = 0; k < tx->dims.len && t->fields[i]->kind == FT_ARRAY; k++)
            if (tx->dims.data[k] && tx->dims.data[k]->kind == EX_NAME && tx->dims.data[k]->name == name)
                return t->fields[i]->dims[k];
    }
    (void)c;
    return NULL;
}

static Expr *check_field(Check *c, Expr *e) {
    if (e->a->kind == EX_NAME && is_thread_name(c, e->a->name) && !scope_find(c, e->a->name)) return check_thread_field(c, e);
    bool shape_only = e->name == c->n_T;
    e->a = check_value(c, e->a, NULL);
    if (is_error(e->a)) return error_expr(e);
    const FType *t = e->a->type, *elem = elem_of(t);
    if (t->kind == FT_ARRAY && shape_only) return check_transpose(c, e);
    e->field = find_field(elem, e->name);
    if (e->field < 0) return report_field(c, e, elem);
    e->type = elem->fields[e->field];
    if (t->kind == FT_ARRAY) {
        if (e->type->kind != FT_SCALAR && e->type->kind != FT_STRUCT && e->type->kind != FT_TUPLE) return report_field(c, e, elem);
        e->type = ftype_array(c->s, e->type, t->rank, t->dims);
    }
    e->size = size_of_field(c, elem, e->field);
    return e;
}

/* ---- arrays and tuples */

static Expr *array_of(Check *c, Expr *e, const FType *elem) {
    const Size *dims[MAX_RANK] = {size_const(c->s, e->args.len)};
    if (elem->rank + 1 > MAX_RANK) return report(c, e->span, E_RANK_LIMIT, MAX_RANK), error_expr(e);
    for (int i = 0; i < elem->rank; i++) dims[i + 1] = elem->dims[i];
    e->type = ftype_array(c->s, elem_of(elem), elem->rank + 1, dims);
    return e;
}

static bool is_element(const FType *t) {
    const FType *elem = elem_of(t);
    if (elem->kind == FT_SCALAR) return elem->dtype != DT_STR;
    for (int i = 0; i < elem->nfields; i++)
        if (elem->fields[i]->kind == FT_ARRAY || !is_element(elem->fields[i])) return false;
    return elem->kind == FT_TUPLE || elem->kind == FT_STRUCT;
}

static Expr *report_element(Check *c, Expr *e, const Expr *at) {
    Diag *d = report(c, at->span, E_ELEMENT_TYPE, ftype_str(c->s, at->type));
    diag_hint(c->s, d, "elements are numbers, bools, or tuples and structs of these");
    return error_expr(e);
}

static bool all_numbers(const ExprVec *v) {
    for (int i = 0; i < v->len; i++)
        if (!type_is_num(v->data[i]->type)) return false;
    return true;
}

/* Elements of one type: numbers are joined, others must be like the first. */
static Expr *join_elements(Check *c, Expr *e, bool flex) {
    const FType *first = e->args.data[0]->type;
    DType d;
    if (all_numbers(&e->args)) {
        if (!values_join(c, e->args.data, e->args.len, e->span, "an array", &d)) return error_expr(e);
        first = with_dtype(c, first, d);
    }
    if (!is_element(first)) return report_element(c, e, e->args.data[0]);
    Reason why = {.what = "each element", .note_at = e->args.data[0]->span, .note = "like the first one"};
    for (int i = 0; i < e->args.len; i++) {
        Expr *arg = e->args.data[i];
        bool was_flex = arg->flex && flex;
        e->args.data[i] = coerce(c, arg, first, &why);
        if (is_error(e->args.data[i])) return error_expr(e);
        e->args.data[i]->flex = was_flex;
    }
    e->flex = flex;
    return array_of(c, e, first);
}

static Expr *check_array(Check *c, Expr *e, const FType *want) {
    const FType *elem_want = NULL;
    if (want && want->kind == FT_ARRAY && want->rank == 1) elem_want = want->elem;
    if (want && want->kind == FT_ARRAY && want->rank > 1) elem_want = ftype_array(c->s, want->elem, want->rank - 1, want->dims + 1);
    if (!e->args.len && elem_want) return array_of(c, e, elem_want);
    if (!e->args.len) {
        Diag *d = report(c, e->span, E_EMPTY_ARRAY);
        diag_hint(c->s, d, "write zeros(f64, 0), or give the variable a type: let x: f64[0] = []");
        return error_expr(e);
    }
    bool ok = true, flex = true;
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], elem_want);
        ok &= !is_error(e->args.data[i]);
        flex &= e->args.data[i]->flex;
    }
    return ok ? join_elements(c, e, flex) : error_expr(e);
}

static Expr *check_tuple(Check *c, Expr *e, const FType *want) {
    const FType **fields = NEWN(c->a, const FType *, e->args.len);
    bool ok = true, wanted = want && want->kind == FT_TUPLE && want->nfields == e->args.len;
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], wanted ? want->fields[i] : NULL);
        fields[i] = e->args.data[i]->type;
        ok &= !is_error(e->args.data[i]);
    }
    if (!ok) return error_expr(e);
    e->type = ftype_tuple(c->s, e->args.len, fields);
    if (e->type->leaves > MAX_LEAVES) return report(c, e->span, E_TYPE_LEAVES, MAX_LEAVES), error_expr(e);
    return e;
}

/* ---- if */

static Expr *set_block_value(Block *b, Expr *value) { return vec_last(&b->stmts)->a = value; }

/* One branch, in a scope of its own; *inner: its type mentions sizes that end with it. */
static Expr *check_branch(Check *c, Block *b, const FType *want, bool *inner) {
    scope_push(c);
    Expr *value = check_block_value(c, b, want);
    if (want && value->flex && want->kind == FT_SCALAR && flex_fits(value, want->dtype)) value = to_dtype(c, value, want->dtype);
    scope_pop(c);
    *inner = !is_error(value) && type_is_dead(c, value->type);
    if (value->size && size_is_dead(c, value->size)) value->size = NULL;
    return value;
}

static bool branches_join(Check *c, Expr *e, Expr **then, Expr **other, bool then_inner) {
    Reason why = {.what = "the value of this branch", .note_at = (*then)->span, .note = "as in the other branch"};
    if (type_is_num((*then)->type) && type_is_num((*other)->type) && (*then)->type->rank == (*other)->type->rank) {
        Expr *ops[2] = {*then, *other};
        DType d;
        if (!values_join(c, ops, 2, e->span, "if", &d)) return false;
        *then = to_dtype(c, *then, d);
        *other = to_dtype(c, *other, d);
    }
    if (then_inner) {
        why.note_at = (*other)->span;
        *then = coerce(c, *then, (*other)->type, &why);
    } else {
        *other = coerce(c, *other, (*then)->type, &why);
    }
    return !is_error(*then) && !is_error(*other);
}

static void fold_if(Check *c, Expr *e, const Expr *then, const Expr *other) {
    if (!e->a->is_const || e->then_block->stmts.len != 1 || e->else_block->stmts.len != 1) return;
    const Expr *taken = e->a->lit.i ? then : other;
    if (taken->is_const && e->type->kind == FT_SCALAR) set_const(c, e, taken->lit);
}

static Expr *check_if(Check *c, Expr *e, const FType *want) {
    bool then_inner, else_inner;
    e->a = check_cond(c, e->a);
    Expr *then = check_branch(c, e->then_block, want, &then_inner);
    if (!e->else_block) return report(c, e->span, E_IF_VALUE), error_expr(e);
    Expr *other = check_branch(c, e->else_block, want, &else_inner);
    if (is_error(then) || is_error(other)) return error_expr(e);
    if (then_inner && else_inner) {
        Diag *d = report(c, e->span, E_SIZE_ESCAPES, ftype_str(c->s, then->type));
        diag_hint(c->s, d, "define the size before the `if`");
        return error_expr(e);
    }
    if (!branches_join(c, e, &then, &other, then_inner)) return error_expr(e);
    set_block_value(e->then_block, then);
    set_block_value(e->else_block, other);
    e->type = then->type;
    fold_if(c, e, then, other);
    return e;
}

/* ---- all of them */

static Expr *check_kind(Check *c, Expr *e, const FType *want) {
    switch (e->kind) {
    case EX_INT: case EX_FLOAT: case EX_BOOL: case EX_STR: return check_literal(c, e);
    case EX_NAME: return resolve_name(c, e, true);
    case EX_UNARY: return check_unary(c, e);
    case EX_BINARY: return check_binary(c, e);
    case EX_CALL: return check_call(c, e, want);
    case EX_INDEX:
        e->a = check_value(c, e->a, NULL);
        check_subs(c, e);
        return e;
    case EX_FIELD: return check_field(c, e);
    case EX_ARRAY: return check_array(c, e, want);
    case EX_COMP: return check_comp(c, e, want);
    case EX_GEN: {
        Diag *d = report(c, e->span, E_GENERATOR_ALONE);
        diag_hint(c->s, d, "write [x for i in 0:n] for an array, or sum(x for i in 0:n)");
        return error_expr(e);
    }
    case EX_TUPLE: return check_tuple(c, e, want);
    case EX_IF: return check_if(c, e, want);
    case EX_LAMBDA:
        lambda_of(c, e);
        e->type = ftype_func(c->s, NULL, e);
        return e;
    case EX_CONVERT: return e;
    }
    bug("expression %d", e->kind);
}

Expr *check_expr(Check *c, Expr *e, const FType *want) {
    if (e->type) return e; /* checked already: part of something rewritten */
    if (c->nesting >= MAX_NESTING) return report(c, e->span, E_TOO_DEEP, MAX_NESTING), error_expr(e);
    c->nesting++;
    e = check_kind(c, e, want);
    c->nesting--;
    return e;
}

Expr *check_value(Check *c, Expr *e, const FType *want) {
    e = check_expr(c, e, want);
    switch (e->type->kind) {
    case FT_UNIT: {
        Diag *d = report(c, e->span, E_NO_VALUE);
        if (e->kind == EX_CALL && e->inst && e->inst->decl) diag_note(c->s, d, e->inst->decl->name_span, "'%s' returns nothing", e->inst->decl->name);
        return error_expr(e);
    }
    case FT_TYPE: {
        Diag *d = report(c, e->span, E_TYPE_AS_VALUE, ftype_str(c->s, e->type->elem));
        diag_hint(c->s, d, "a value of this type is made as %s(...)", ftype_str(c->s, e->type->elem));
        return error_expr(e);
    }
    case FT_FUNC: {
        const char *name = e->name ? e->name : "fn(..)";
        Diag *d = report(c, e->span, E_FUNCTION_AS_VALUE, name);
        diag_hint(c->s, d, "functions are called, %s(...), or passed to a parameter of function type", name);
        return error_expr(e);
    }
    default: return e;
    }
}

Expr *check_cond(Check *c, Expr *e) {
    Reason why = {.what = "a condition"};
    e = check_value(c, e, NULL);
    if (!is_error(e) && e->type->kind == FT_ARRAY && type_is_scalar(e->type->elem, DT_BOOL)) {
        Diag *d = report(c, e->span, E_TYPE_MISMATCH, why.what, "bool", ftype_str(c->s, e->type));
        diag_hint(c->s, d, "write any(...) or all(...); where(c, a, b) chooses element by element");
        return error_expr(e);
    }
    return coerce(c, e, ftype_scalar(c->s, DT_BOOL), &why);
}
