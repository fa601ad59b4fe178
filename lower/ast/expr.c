/* Expressions, but for subscripts, calls and reductions.  At function level an operator on arrays is one
 * operation on tensors; inside islands array expressions go through elem.c. */
#include "lower/ast/private.h"

#include <math.h>
#include <string.h>

/* ---- operators */

static OpCode binary_opcode(Opr op) {
    switch (op) {
    case OPR_ADD: return OP_ADD;
    case OPR_SUB: return OP_SUB;
    case OPR_MUL: return OP_MUL;
    case OPR_DIV: return OP_DIV;
    case OPR_IDIV: return OP_IDIV;
    case OPR_MOD: return OP_MOD;
    case OPR_EQ: return OP_EQ;
    case OPR_NE: return OP_NE;
    case OPR_LT: return OP_LT;
    case OPR_LE: return OP_LE;
    case OPR_GT: return OP_GT;
    case OPR_GE: return OP_GE;
    case OPR_AND:
    case OPR_BITAND: return OP_AND;
    case OPR_OR:
    case OPR_BITOR: return OP_OR;
    case OPR_BITXOR: return OP_XOR;
    case OPR_SHL: return OP_SHL;
    case OPR_SHR: return OP_SHR;
    case OPR_MIN: return OP_MIN;
    case OPR_MAX: return OP_MAX;
    default: bug("no operation for operator %d", op);
    }
}

static Value *const_like(Fn *f, const Value *x, double v) {
    Value *c = build_const(&f->b, (Const){.dtype = x->type->dtype, .f = v, .i = (int64_t)v});
    if (x->type->kind == TY_SCALAR) return c;
    return build_fill(&f->b, c, x->type);
}

/* x^k by squaring: even k halves, odd k takes one factor off the right */
static Value *power(Fn *f, Value *x, int64_t k) {
    if (k == 1) return x;
    if (k % 2) return build_binary(&f->b, OP_MUL, power(f, x, k - 1), x);
    Value *half = power(f, x, k / 2);
    return build_binary(&f->b, OP_MUL, half, half);
}

enum { MAX_MULTIPLIED_POWER = 64 };

/* The exponent, when it is a whole constant as the user wrote it */
static bool const_exponent(const Expr *e, int64_t *k) {
    while (e->kind == EX_CONVERT && e->conv != CONV_SIZE && !e->is_const) e = e->a;
    if (!e->is_const || e->type->kind != FT_SCALAR) return false;
    bool real = dtype_is_float(e->lit.dtype);
    if (real && (e->lit.f != floor(e->lit.f) || fabs(e->lit.f) > MAX_MULTIPLIED_POWER)) return false;
    *k = real ? (int64_t)e->lit.f : e->lit.i;
    return *k >= -MAX_MULTIPLIED_POWER && *k <= MAX_MULTIPLIED_POWER;
}

Value *lower_power(Fn *f, Opr op, Value *x, const Expr *b) {
    int64_t k;
    if (op != OPR_POW || !const_exponent(b, &k)) return NULL;
    bool real = dtype_is_float(x->type->dtype);
    if (k < 0 && !real) return NULL;
    if (k == 0) return const_like(f, x, 1);
    return k > 0 ? power(f, x, k) : build_binary(&f->b, OP_DIV, const_like(f, x, 1), power(f, x, -k));
}

Value *lower_operator(Fn *f, Opr op, Value *x, Value *y) {
    if (op == OPR_POW) return build_binary(&f->b, dtype_is_float(x->type->dtype) ? OP_POW : OP_IPOW, x, y);
    return build_binary(&f->b, binary_opcode(op), x, y);
}

static OpCode unary_opcode(Opr op) { return op == OPR_NEG ? OP_NEG : OP_NOT; }

/* ---- and, or on scalars: the right side is evaluated only if it must be */

/* Cheap, pure and never traps */
static bool is_harmless(const Expr *e) {
    if (e->is_const) return true;
    switch (e->kind) {
    case EX_NAME: return true;
    case EX_FIELD: return e->a->kind == EX_NAME;
    case EX_UNARY: return is_harmless(e->a);
    case EX_CONVERT: return e->conv == CONV_DTYPE && is_harmless(e->a);
    case EX_BINARY:
        if (e->op == OPR_MATMUL || e->op == OPR_POW) return false;
        if ((e->op == OPR_IDIV || e->op == OPR_MOD) && dtype_is_int(e->type->dtype))
            return e->b->is_const && e->b->lit.i != 0 && is_harmless(e->a);
        return is_harmless(e->a) && is_harmless(e->b);
    default: return false;
    }
}

static Value *short_circuit(Fn *f, const Expr *e) {
    bool is_and = e->op == OPR_AND;
    Value *x = lower_scalar(f, e->a);
    if (is_harmless(e->b)) return build_binary(&f->b, is_and ? OP_AND : OP_OR, x, lower_scalar(f, e->b));
    Op *op = build_if(&f->b, x, 1, &x->type);
    Mark outside = region_enter(f, op->regs[is_and ? 0 : 1]);
    Value *y = lower_scalar(f, e->b);
    build_yield(&f->b, 1, &y);
    region_leave(f, outside);
    region_enter(f, op->regs[is_and ? 1 : 0]);
    Value *known = build_bool(&f->b, !is_and);
    build_yield(&f->b, 1, &known);
    region_leave(f, outside);
    return &op->res[0];
}

/* ---- shapes */

/* x repeated to type t: scalars fill, arrays keep their trailing axes */
static Value *broadcast(Fn *f, Value *x, const Type *t) {
    if (x->type == t) return x;
    if (x->type->kind == TY_SCALAR) return build_fill(&f->b, x, t);
    int64_t axes[MAX_RANK];
    for (int i = 0; i < x->type->rank; i++) axes[i] = i + t->rank - x->type->rank;
    Op *op = build_op(&f->b, OP_BROADCAST, 1, &x, 1, &t, 0);
    op_set_ints(op, A_AXES, x->type->rank, axes);
    return &op->res[0];
}

Value *lower_retype(Fn *f, Value *x, const Type *t, bool safe) {
    if (x->type == t || x->type->kind == TY_SCALAR) return x;
    Op *op = build_op(&f->b, OP_RETYPE, 1, &x, 1, &t, 0);
    op_set_sym(op, A_MSG, "sizes do not match");
    if (safe) op_set_flag(op, A_SAFE);
    return &op->res[0];
}

/* ---- matrix product */

/* All rows of a stack are one tall matrix, where each of its matrices meets the same y. */
static Value *tall_product(Fn *f, Value *x, Value *y, const Type *t) {
    Session *s = f->b.module->session;
    const Size *tall[2] = {size_const(s, 1), x->type->dims[x->type->rank - 1]};
    for (int i = 0; i < x->type->rank - 1; i++) tall[0] = size_mul(s, tall[0], x->type->dims[i]);
    x = build_reshaped(&f->b, x, type_tensor(s, t->dtype, 2, tall));
    return build_reshaped(&f->b, build_dot(&f->b, x, y, NULL), t);
}

/* The matrix x once for each matrix of a stack like `of` */
static Value *stacked(Fn *f, Value *x, const Type *of) {
    const Size *dims[MAX_RANK];
    for (int i = 0; i < of->rank; i++) dims[i] = i < of->rank - 2 ? of->dims[i] : x->type->dims[i - (of->rank - 2)];
    return broadcast(f, x, type_tensor(f->b.module->session, of->dtype, of->rank, dims));
}

static Value *lower_matmul(Fn *f, const Expr *e) {
    if (f->island) return lower_dot_in_island(f, e, e->a, e->b);
    Value *x = lower_scalar(f, e->a), *y = lower_scalar(f, e->b);
    if (x->type->rank > 2 && y->type->rank <= 2) return tall_product(f, x, y, *leaf_types(f, e->type));
    if (y->type->rank > 2 && x->type->rank == 2) x = stacked(f, x, y->type);
    return build_dot(&f->b, x, y, NULL);
}

/* x repeated, or known by other sizes */
static bool gets_sizes(const Expr *e) {
    return e->kind == EX_CONVERT && e->conv != CONV_DTYPE && e->type->kind == FT_ARRAY;
}

static const Expr *unsized(const Expr *e) { return gets_sizes(e) ? unsized(e->a) : e; }

static Vals sized(Fn *f, const Expr *e, Vals v) {
    if (!gets_sizes(e)) return v;
    v = sized(f, e->a, v);
    Span outside = f->b.span;
    f->b.span = fn_place(f, e->span);
    v = lower_convert(f, e, v);
    f->b.span = outside;
    return v;
}

Vals lower_operands(Fn *f, const Expr *const *e, int n) {
    Vals *parts = NEWN(f->arena, Vals, n + 1);
    for (int i = 0; i < n; i++) parts[i] = lower_expr(f, unsized(e[i]));
    for (int i = 0; i < n; i++) parts[i] = sized(f, e[i], parts[i]);
    return vals_join(f, n, parts);
}

static Value *lower_binary(Fn *f, const Expr *e) {
    const Expr *sides[] = {e->a, e->b};
    int64_t k;
    if (e->op == OPR_MATMUL) return lower_matmul(f, e);
    if ((e->op == OPR_AND || e->op == OPR_OR) && e->type->kind == FT_SCALAR) return short_circuit(f, e);
    bool whole_power = e->op == OPR_POW && const_exponent(e->b, &k);
    Vals v = lower_operands(f, sides, whole_power ? 1 : 2);
    Value *p = lower_power(f, e->op, v.v[0], e->b);
    return p ? p : lower_operator(f, e->op, v.v[0], whole_power ? lower_scalar(f, e->b) : v.v[1]);
}

/* ---- conversions */

static Value *must_agree(Value *v, Span other) {
    if (v->def && v->def->code == OP_RETYPE && !op_attr(v->def, A_OTHER)) op_set_place(v->def, A_OTHER, other);
    return v;
}

Vals lower_convert(Fn *f, const Expr *e, Vals v) {
    const Type **types = leaf_types(f, e->type);
    Vals r = vals_new(f, v.n);
    for (int i = 0; i < v.n; i++)
        r.v[i] = e->conv == CONV_DTYPE       ? build_cast(&f->b, v.v[i], types[i]->dtype)
                 : e->conv == CONV_BROADCAST ? broadcast(f, v.v[i], types[i])
                                             : must_agree(lower_retype(f, v.v[i], types[i], false), e->other);
    return r;
}

/* ---- the rest */

static Value *lower_unary(Fn *f, const Expr *e) {
    return build_unary(&f->b, unary_opcode(e->op), lower_scalar(f, e->a));
}

Vals lower_anew(Fn *f, const Expr *e, Vals (*lower)(Fn *f, const Expr *e)) {
    Map outside = f->prepared;
    f->prepared = (Map){0};
    Vals v = lower(f, e);
    f->prepared = outside;
    return v;
}

const Expr *const_array_of(const Expr *e) { return e->kind == EX_NAME && e->var ? e->var->const_expr : NULL; }

static Vals lower_name(Fn *f, const Expr *e) {
    const Var *v = e->var;
    if (!v) return vals_new(f, 0);
    if (const_array_of(e)) return lower_anew(f, const_array_of(e), lower_expr);
    if (v->has_const) return vals_one(f, build_const(&f->b, v->cval));
    Vals *known = env_get(f, v);
    if (known) return *known;
    if (e->size) return vals_one(f, fn_size_value(f, e->size));
    if (v->size) return vals_one(f, fn_size_value(f, v->size));
    if (leaf_count(v->type)) bug("variable '%s' has no value here", v->name);
    return vals_new(f, 0);
}

static Value *transpose(Fn *f, Value *x, const Type **type) {
    int64_t perm[MAX_RANK];
    int rank = x->type->rank;
    if (rank < 2) return x;
    for (int i = 0; i < rank; i++) perm[i] = rank - 1 - i;
    Op *op = build_op(&f->b, OP_TRANSPOSE, 1, &x, 1, type, 0);
    op_set_ints(op, A_PERM, rank, perm);
    return &op->res[0];
}

static Vals lower_field(Fn *f, const Expr *e) {
    Value *thread = lower_thread_field(f, e);
    if (thread) return vals_one(f, thread);
    Vals v = lower_expr(f, e->a);
    if (e->field >= 0) return vals_part(v, leaf_offset(e->a->type, e->field), leaf_count(e->type));
    Vals r = vals_new(f, v.n);
    const Type **types = leaf_types(f, e->type);
    for (int i = 0; i < v.n; i++) r.v[i] = transpose(f, v.v[i], &types[i]);
    return r;
}

static Vals lower_tuple(Fn *f, const Expr *e) {
    Vals *parts = NEWN(f->arena, Vals, e->args.len + 1);
    for (int i = 0; i < e->args.len; i++) parts[i] = lower_expr(f, e->args.data[i]);
    return vals_join(f, e->args.len, parts);
}

/* x with the value v, an element or an array of the axes after the n-th, at the constant indices at */
static Value *put(Fn *f, Value *x, Value *v, int n, const int64_t *at) {
    static const int64_t ones[MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    Value *opnds[MAX_RANK + 2] = {x, v};
    const Size *dims[MAX_RANK];
    int rank = x->type->rank;
    bool element = v->type->kind == TY_SCALAR;
    for (int k = 0; k < rank; k++) {
        opnds[2 + k] = build_int(&f->b, k < n ? at[k] : 0);
        dims[k] = k < n ? size_const(f->session, 1) : x->type->dims[k];
    }
    if (!element) {
        const Type *row = type_tensor(f->session, v->type->dtype, rank, dims);
        opnds[1] = build_reshaped(&f->b, v, row);
    }
    Op *op = build_op(&f->b, element ? OP_INSERT : OP_UPDATE, 2 + rank, opnds, 1, &x->type, 0);
    if (!element) op_set_ints(op, A_STEPS, rank, ones);
    op_set_flag(op, A_SAFE);
    return &op->res[0];
}

/* What stands in a literal, and in literals in it: a scalar, or a row; at: the n indices of where in the whole */
typedef struct { Vals v; int n; int64_t at[MAX_RANK]; } Part;
typedef VEC(Part) Parts;

static void collect(Fn *f, const Expr *e, Part here, Parts *all) {
    here.n++;
    for (int i = 0; i < e->args.len; i++) {
        const Expr *arg = e->args.data[i];
        here.at[here.n - 1] = i;
        if (arg->kind == EX_ARRAY) {
            collect(f, arg, here, all);
            continue;
        }
        here.v = lower_expr(f, arg);
        vec_push(f->arena, all, here);
    }
}

static bool constant_of(const Value *v, Const *out) {
    if (!v->def || v->type->kind != TY_SCALAR) return false;
    if (v->def->code == OP_CONST) return *out = op_attr(v->def, A_VALUE)->c, true;
    Const x;
    if (v->def->code != OP_NEG && v->def->code != OP_CAST) return false;
    return constant_of(op_opnd(v->def, 0), &x) && const_eval(v->def->code, v->type->dtype, 1, &x, out);
}

enum { FEWEST_IN_TABLE = 16 }; /* below, single elements are constants that passes follow */

/* The k-th leaf of all parts, when they are constants and many */
static Value *table_of(Fn *f, const Parts *all, int k, const Type *type) {
    Const *c = NEWN(f->arena, Const, all->len);
    if (all->len < FEWEST_IN_TABLE || type->dtype == DT_STR) return NULL;
    for (int i = 0; i < all->len; i++)
        if (!constant_of(all->data[i].v.v[k], &c[i])) return NULL;
    Op *op = build_op(&f->b, OP_TABLE, 0, NULL, 1, &type, 0);
    op_set_consts(op, A_VALUES, all->len, c);
    return &op->res[0];
}

static Vals lower_array(Fn *f, const Expr *e) {
    const Type **types = leaf_types(f, e->type);
    Vals r = vals_new(f, leaf_count(e->type));
    Parts all = {0};
    collect(f, e, (Part){0}, &all);
    for (int k = 0; k < r.n; k++) {
        r.v[k] = table_of(f, &all, k, types[k]);
        if (r.v[k]) continue;
        r.v[k] = zero_of(f, types[k]);
        for (int i = 0; i < all.len; i++) r.v[k] = put(f, r.v[k], all.data[i].v.v[k], all.data[i].n, all.data[i].at);
    }
    return r;
}

bool names_buffers(Fn *f, const Expr *e) {
    if (e->kind == EX_NAME) return !const_array_of(e) && !row_named(f, e);
    return e->kind == EX_FIELD ? e->field >= 0 && names_buffers(f, e->a)
                               : e->kind == EX_TUPLE || (e->kind == EX_CALL && e->call == CALL_STRUCT && !e->each);
}

/* e, or what a call computes first, is an array of a size that is not known. */
static bool lacks_sizes(Fn *f, const Expr *e) {
    bool lacks = !has_known_sizes(f, e->type);
    for (int i = 0; e->kind == EX_CALL && e->call == CALL_FN && i < e->args.len; i++)
        lacks |= !names_buffers(f, e->args.data[i]) && !has_known_sizes(f, e->args.data[i]->type);
    return lacks;
}

Vals unsupported(Fn *f, const Expr *e, const char *what) {
    Diag *d = diag_report(f->session, e->span, E_NOT_IN_KERNEL, what);
    const char *sizes = "arrays of a thread have sizes known when compiling, as in f64[3]; or ";
    diag_hint(f->session, d, "%scompute it before the launch or loop, as an array that is read here",
              lacks_sizes(f, e) ? sizes : "");
    for (; f->call; f = f->outer) diag_note(f->session, d, f->call->span, "in a function called here");
    const Type **types = leaf_types(f, e->type);
    Vals r = vals_new(f, leaf_count(e->type));
    for (int i = 0; i < r.n; i++)
        r.v[i] = f->island && types[i]->kind == TY_TENSOR ? alloc_private(f, types[i]) : zero_of(f, types[i]);
    return r;
}

static Vals lower_kind(Fn *f, const Expr *e) {
    if (e->is_const && e->type->kind == FT_SCALAR) return vals_one(f, lower_constant(f, e));
    if (f->island && type_has_array(e->type) && !names_buffers(f, e)) return materialize(f, e);
    switch (e->kind) {
    case EX_INT:
    case EX_FLOAT:
    case EX_BOOL:
    case EX_STR: return vals_one(f, lower_constant(f, e));
    case EX_NAME: return lower_name(f, e);
    case EX_UNARY: return vals_one(f, lower_unary(f, e));
    case EX_BINARY: return vals_one(f, lower_binary(f, e));
    case EX_CALL: return lower_call(f, e);
    case EX_INDEX: return lower_index(f, e);
    case EX_FIELD: return lower_field(f, e);
    case EX_ARRAY: return lower_array(f, e);
    case EX_COMP: return lower_comprehension(f, e);
    case EX_GEN: bug("a generator outside a reduction");
    case EX_TUPLE: return lower_tuple(f, e);
    case EX_FORMAT: return lower_format(f, e);
    case EX_IF: return lower_if_expr(f, e);
    case EX_LAMBDA: return vals_new(f, 0);
    case EX_CONVERT: return lower_convert(f, e, lower_expr(f, e->a));
    }
    bug("expression kind %d", e->kind);
}

Span fn_place(const Fn *f, Span at) {
    for (; f; f = f->outer)
        if (f->how) at = span_called(f->session, at, f->at, f->how);
    return at;
}

Vals lower_expr(Fn *f, const Expr *e) {
    Vals *ready = f->prepared.len ? map_get(&f->prepared, e) : NULL;
    if (ready) return *ready;
    if (e == f->root) return f->root_value;
    Span outside = f->b.span;
    f->b.span = fn_place(f, e->span);
    Vals v = lower_kind(f, e);
    if (e->bind) fn_define_sym(f, e->bind, v.v[0]);
    f->b.span = outside;
    return v;
}

Value *lower_scalar(Fn *f, const Expr *e) {
    Vals v = lower_expr(f, e);
    if (v.n != 1) bug("one value expected, not %d", v.n);
    return v.v[0];
}
