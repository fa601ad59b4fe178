/* Functions of pairs of f64 as functions of the module, each made when it is first called. */
#include "opt/pairs/functions.h"

#include <math.h>
#include <string.h>

/* ---- steps that the others take */

Known fn_divided(Known x, double by) {
    double hi = x.hi / by;
    return (Known){hi, (fma(-hi, by, x.hi) + x.lo) / by};
}

Pair fn_polynomial(Builder *b, Pair x, int n, const Pair *c, int few) {
    Value *tail = c[n - 1].hi;
    for (int i = n - 2; i >= few; i--) tail = fn_add(b, fn_mul(b, tail, x.hi), c[i].hi);
    Pair sum = finite_add(b, c[few - 1], pair_of(b, fn_mul(b, tail, x.hi)));
    for (int i = few - 2; i >= 0; i--) sum = finite_add(b, finite_mul(b, sum, x), c[i]);
    return sum;
}

/* ---- roots and remainders */

/* One step of Newton: y - (y^3 - x) / (3 y^2) */
static Pair cube_root(Builder *b, Pair x) {
    Value *first = build_unary(b, OP_CBRT, x.hi);
    Pair y = pair_of(b, first), square = finite_mul(b, y, y);
    Pair rest = finite_div(b, finite_sub(b, finite_mul(b, square, y), x), finite_mul(b, square, fn_number(b, 3, 0)));
    return pair_or_high(b, finite_sub(b, y, rest), first);
}

/* sqrt(x^2 + y^2), both scaled by a power of 2 */
static Pair hypotenuse(Builder *b, Pair x, Pair y) {
    Value *high = build_binary(b, OP_HYPOT, x.hi, y.hi);
    Value *power = build_unary(b, OP_FLOOR, build_unary(b, OP_LOG2, high));
    power = build_binary(b, OP_MAX, build_binary(b, OP_MIN, power, fn_float(b, 1000)), fn_float(b, -1000));
    Value *down = build_unary(b, OP_EXP2, build_unary(b, OP_NEG, power));
    Pair u = pair_scaled(b, x, down), v = pair_scaled(b, y, down);
    Pair root = pair_sqrt(b, finite_add(b, finite_mul(b, u, u), finite_mul(b, v, v)));
    return pair_or_high(b, pair_scaled(b, root, build_unary(b, OP_EXP2, power)), high);
}

/* Quotient rounded down, and remainder with the sign of y: the quotient of pairs may be one off where it is whole. */
typedef struct { Pair whole, rest; } Parted;

static Parted parted(Builder *b, Pair x, Pair y) {
    Pair one = fn_number(b, 1, 0), none = fn_number(b, 0, 0), zero = none;
    Pair q = pair_operation(b, OP_FLOOR, 1, (Pair[]){finite_div(b, x, y)});
    Pair r = finite_sub(b, x, finite_mul(b, q, y));
    Value *other = build_binary(b, OP_NE, fn_below(b, r.hi, 0), fn_below(b, y.hi, 0));
    Value *less = build_binary(b, OP_AND, other, build_binary(b, OP_NE, r.hi, zero.hi));
    r = finite_add(b, r, pair_select(b, less, y, none));
    q = finite_sub(b, q, pair_select(b, less, one, none));
    Pair size_r = pair_operation(b, OP_ABS, 1, &r), size_y = pair_operation(b, OP_ABS, 1, &y);
    Pair size_x = pair_operation(b, OP_ABS, 1, &x); /* a smaller one may leave y by rounding */
    Value *at_least = pair_compare(b, OP_GE, size_x, size_y);
    Value *more = build_binary(b, OP_AND, at_least, pair_compare(b, OP_GE, size_r, size_y));
    return (Parted){finite_add(b, q, pair_select(b, more, one, none)), finite_sub(b, r, pair_select(b, more, y, none))};
}

/* y is infinite, or the quotient has more digits than pairs: of f64 the result is known. */
static Value *is_far(Builder *b, Pair x, Pair y) {
    Value *quotient = build_unary(b, OP_ABS, build_binary(b, OP_DIV, x.hi, y.hi));
    Value *long_one = build_binary(b, OP_GE, quotient, fn_float(b, 0x1p100));
    return build_binary(b, OP_OR, build_unary(b, OP_ISINF, y.hi), long_one);
}

static Pair remainder_of(Builder *b, Pair x, Pair y) {
    Value *high = build_binary(b, OP_MOD, x.hi, y.hi), *far = is_far(b, x, y);
    return pair_or_high(b, pair_select(b, far, pair_of(b, high), parted(b, x, y).rest), high);
}

static Pair quotient_down(Builder *b, Pair x, Pair y) {
    Value *high = build_binary(b, OP_IDIV, x.hi, y.hi), *far = is_far(b, x, y);
    return pair_or_high(b, pair_select(b, far, pair_of(b, high), parted(b, x, y).whole), high);
}

/* ---- each, by operation */

typedef struct { OpCode code; Pair (*one)(Builder *b, Pair x); Pair (*two)(Builder *b, Pair x, Pair y); } Entry;

static const Entry entries[] = {
    {OP_EXP, fn_exp, NULL},     {OP_EXP2, fn_exp2, NULL},   {OP_EXPM1, fn_expm1, NULL}, {OP_LOG, fn_log, NULL},
    {OP_LOG2, fn_log2, NULL},   {OP_LOG10, fn_log10, NULL}, {OP_LOG1P, fn_log1p, NULL}, {OP_POW, NULL, fn_pow},
    {OP_SINH, fn_sinh, NULL},   {OP_COSH, fn_cosh, NULL},   {OP_TANH, fn_tanh, NULL},   {OP_ASINH, fn_asinh, NULL},
    {OP_ACOSH, fn_acosh, NULL}, {OP_ATANH, fn_atanh, NULL}, {OP_SIN, fn_sin, NULL},     {OP_COS, fn_cos, NULL},
    {OP_TAN, fn_tan, NULL},     {OP_ASIN, fn_asin, NULL},   {OP_ACOS, fn_acos, NULL},   {OP_ATAN, fn_atan, NULL},
    {OP_CBRT, cube_root, NULL}, {OP_ATAN2, NULL, fn_atan2}, {OP_HYPOT, NULL, hypotenuse},
    {OP_MOD, NULL, remainder_of}, {OP_IDIV, NULL, quotient_down},
};
enum { ENTRY_COUNT = sizeof entries / sizeof *entries };

static const Entry *entry_of(OpCode c) {
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (entries[i].code == c) return &entries[i];
    return NULL;
}

static const char prefix[] = "pairs.of."; /* not as a function of the program, NAME.pairs */

static Func *make_function(Module *m, const char *name, const Entry *e, Span at) {
    Func *f = func_new(m, name, FUNC_FN, at);
    const Type *t = type_scalar(m->session, DT_F64);
    Builder b = builder_at_end(m, f->body, at);
    Value *v[4];
    for (int i = 0; i < (e->two ? 4 : 2); i++) v[i] = region_add_arg(f->body, t, NULL);
    Pair r = e->two ? e->two(&b, (Pair){v[0], v[1]}, (Pair){v[2], v[3]}) : e->one(&b, (Pair){v[0], v[1]});
    build_return(&b, 2, (Value *[]){r.hi, r.lo});
    f->nres = 2;
    f->res_types = NEWN(m->arena, const Type *, 2);
    f->res_types[0] = f->res_types[1] = t;
    return f;
}

Pair pair_function(Builder *b, OpCode c, int n, const Pair *x) {
    const Entry *e = entry_of(c);
    if (!e) return (Pair){0};
    Module *m = b->module;
    const char *name = intern_printf(m->session, "%s%s", prefix, op_info(c)->mnemonic);
    Func *f = module_find(m, name);
    if (!f) f = make_function(m, name, e, b->span);
    Value *args[4];
    for (int i = 0; i < n; i++) args[2 * i] = x[i].hi, args[2 * i + 1] = x[i].lo;
    const Type *types[] = {x[0].hi->type, x[0].hi->type};
    Op *call = build_op(b, OP_CALL, 2 * n, args, 2, types, 0);
    op_set_sym(call, A_FUNC, name);
    return (Pair){&call->res[0], &call->res[1]};
}

/* ---- those of few calls: their operations in loops become vectors */

enum { FEW_CALLS = 3 };

typedef struct { const Func *of; Arena *arena; VEC(Op *) sites; } Calls;

static void note_call(void *ctx, Op *op) {
    Calls *c = ctx;
    if (op->code == OP_CALL && op_sym(op, A_FUNC) == c->of->name) vec_push(c->arena, &c->sites, op);
}

static void inline_call(const Func *f, Op *call) {
    Builder b = builder_before(call);
    Value *args[4], *r[2];
    for (int i = 0; i < call->nopnds; i++) args[i] = op_opnd(call, i);
    region_inline(&b, f->body, args, r);
    for (int i = 0; i < 2; i++) value_take_over(&call->res[i], r[i]);
    op_erase(call);
}

void pair_functions_inline(Module *m, Arena *scratch) {
    for (int i = 0; i < m->funcs.len; i++) {
        Calls c = {.of = m->funcs.data[i], .arena = scratch};
        if (strncmp(c.of->name, prefix, strlen(prefix)) || c.of->kind != FUNC_FN) continue;
        for (int k = 0; k < m->funcs.len; k++) region_walk(m->funcs.data[k]->body, note_call, &c);
        for (int k = 0; k < c.sites.len && c.sites.len <= FEW_CALLS; k++) inline_call(c.of, c.sites.data[k]);
    }
}
