/* Constants with more digits than f64 has, for numbers that are computed as pairs of f64 (--pairs=f64): the program
 * computes them, of literals to all digits that are written: 0.1 becomes 0.1 + -5.55e-18, a sum that passes leave as
 * it is until it is one of pairs. */
#include "lower/ast/private.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- literals */

enum { DIGITS = 60 };
/* A positive decimal number: digit i stands for 10^(top - i) */
typedef struct { int top; int digit[DIGITS]; } Decimal;

static int exponent_read(const char *text, size_t n) {
    bool negative = n && *text == '-';
    int e = 0;
    for (size_t i = 0; i < n; i++)
        if (isdigit((unsigned char)text[i]) && e < 10000) e = 10 * e + text[i] - '0';
    return negative ? -e : e;
}

/* n characters of digits, a point and an exponent; false: it is something else.  top < 0: from its first digit on */
static bool decimal_read(const char *text, size_t n, Decimal *out, const int *top) {
    int before = 0, exponent = 0, first = -1, at = 0;
    size_t end = 0;
    while (end < n && (isdigit((unsigned char)text[end]) || text[end] == '.' || text[end] == '_')) end++;
    if (!end || (end < n && text[end] != 'e' && text[end] != 'E')) return false;
    if (end < n) exponent = exponent_read(text + end + 1, n - end - 1);
    for (size_t i = 0; i < end && text[i] != '.'; i++) before += text[i] != '_';
    *out = (Decimal){0};
    for (size_t i = 0; i < end; i++) {
        if (!isdigit((unsigned char)text[i])) continue;
        int place = before - 1 - at++ + exponent;
        if (first < 0 && text[i] == '0') continue;
        if (first < 0) first = 0, out->top = top ? *top : place;
        int where = out->top - place;
        if (where >= 0 && where < DIGITS) out->digit[where] = text[i] - '0';
    }
    return first == 0;
}

/* x - y, of one top, rounded */
static double decimal_difference(const Decimal *x, const Decimal *y) {
    char text[DIGITS + 32];
    int d[DIGITS], sign = 1, borrow = 0;
    for (int i = 0; i < DIGITS && x->digit[i] == y->digit[i]; i++) sign = 0;
    for (int i = 0; i < DIGITS; i++)
        if (x->digit[i] != y->digit[i]) {
            sign = x->digit[i] > y->digit[i] ? 1 : -1;
            break;
        }
    for (int i = DIGITS - 1; i >= 0; i--) {
        d[i] = sign * (x->digit[i] - y->digit[i]) - borrow;
        borrow = d[i] < 0;
        d[i] += 10 * borrow;
    }
    int n = snprintf(text, sizeof text, "%s0.", sign < 0 ? "-" : "");
    for (int i = 0; i < DIGITS; i++) text[n++] = (char)('0' + d[i]);
    snprintf(text + n, sizeof text - (size_t)n, "e%d", x->top + 1);
    return strtod(text, NULL);
}

/* The number that is written there, in parentheses or not, of which the source may have what is imaginary */
static const char *number_text(const Session *s, Span at, size_t *n) {
    size_t all;
    const char *text = at.file < 0 ? NULL : source_text(s, at.file, &all);
    if (!text || at.hi <= at.lo) return NULL;
    const char *from = text + at.lo, *to = text + at.hi;
    while (from < to && strchr("( \t\r\n", *from)) from++;
    while (from < to && strchr(") \t\r\n", to[-1])) to--;
    if (to - from > 2 && !memcmp(to - 2, "im", 2)) to -= 2;
    *n = (size_t)(to - from);
    return from;
}

/* What is written at this place, less the float that was made of it, or was made of what it is subtracted as; 0:
 * something else is written there */
static double literal_rest(const Session *s, Span at, double value) {
    char known[DIGITS + 32];
    Decimal written, made;
    size_t n;
    const char *text = number_text(s, at, &n);
    if (value < 0) return -literal_rest(s, at, -value);
    if (!text || !isfinite(value) || value == 0) return 0;
    snprintf(known, sizeof known, "%.*e", DIGITS - 2, value);
    if (!decimal_read(known, strlen(known), &made, NULL)) return 0;
    int top = made.top + 1; /* rounding may have brought one digit more */
    decimal_read(known, strlen(known), &made, &top);
    if (!decimal_read(text, n, &written, &top)) return 0;
    double rest = decimal_difference(&written, &made);
    return fabs(rest) <= value * 0x1p-53 ? rest : 0; /* else the float was made of it in another way */
}

/* ---- constants */

static Value *literal(Fn *f, const Expr *e, double value) {
    double rest = literal_rest(f->session, e->span, value);
    Value *v = build_float(&f->b, DT_F64, value);
    return rest == 0 ? v : build_binary(&f->b, OP_ADD, v, build_float(&f->b, DT_F64, rest));
}

static double value_of(const Const *c) {
    return dtype_is_float(c->dtype) ? c->f : c->dtype == DT_U64 ? (double)(uint64_t)c->i : (double)c->i;
}

/* A whole power that a float holds */
static bool exact_power(const Expr *e) {
    double x = value_of(&e->a->lit), y = value_of(&e->b->lit);
    return x == floor(x) && y == floor(y) && powl(x, y) == e->lit.f;
}

static Value *constant(Fn *f, const Expr *e);

static Value *operation(Fn *f, const Expr *e) {
    if (e->op == OPR_POW && exact_power(e)) return build_const(&f->b, e->lit);
    Value *x = constant(f, e->a), *power = lower_power(f, e->op, x, e->b);
    return power ? power : lower_operator(f, e->op, x, constant(f, e->b));
}

static Value *function(Fn *f, const Expr *e) {
    Value *args[3];
    for (int i = 0; i < e->args.len; i++) args[i] = constant(f, e->args.data[i]);
    return lower_elementwise(f, e, args);
}

static bool is_float_function(const Expr *e) {
    OpCode op;
    return e->args.len && e->args.len <= 3 && builtin_elementwise(e, &op) && op != OP_SELECT;
}

static bool is_where(const Expr *e) {
    OpCode op;
    return e->args.len == 3 && builtin_elementwise(e, &op) && op == OP_SELECT;
}

/* e, which is known when compiling, as f64 */
static Value *constant(Fn *f, const Expr *e) {
    bool real = dtype_is_float(e->lit.dtype);
    if (e->kind == EX_INT || e->kind == EX_FLOAT) return literal(f, e, value_of(&e->lit));
    if (real && e->kind == EX_NAME && e->var && e->var->init) return constant(f, e->var->init);
    if (real && e->kind == EX_CONVERT && e->a->is_const) return constant(f, e->a);
    if (real && e->kind == EX_UNARY && e->op == OPR_NEG) return build_unary(&f->b, OP_NEG, constant(f, e->a));
    if (real && e->kind == EX_BINARY && e->a->is_const && e->b->is_const) return operation(f, e);
    if (real && e->kind == EX_CALL && is_float_function(e)) return function(f, e);
    if (real && e->kind == EX_CALL && is_where(e)) return constant(f, e->args.data[e->args.data[0]->lit.i ? 1 : 2]);
    if (real && e->kind == EX_IF) return lower_if_expr(f, e).v[0];
    return build_float(&f->b, DT_F64, value_of(&e->lit));
}

Value *lower_constant(Fn *f, const Expr *e) {
    bool exact = f->l->program->exact_floats && e->lit.dtype == DT_F64 && isfinite(e->lit.f);
    return exact ? constant(f, e) : build_const(&f->b, e->lit);
}
