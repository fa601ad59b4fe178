/* C expressions as text with a precedence, parenthesised only where C or its compilers' warnings need it. */
#include "codegen/c/private.h"
#include "runtime/dsl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *c_elem(DType t) { return dtype_info(t)->ctype; }

/* Halves are computed as floats. */
const char *c_type(DType t) { return c_elem(dtype_computed(t)); }

const char *c_dtype(DType t) {
    static const char *const names[DT_COUNT] = {
        "DSL_BOOL", "DSL_I8", "DSL_I16", "DSL_I32", "DSL_I64", "DSL_U8", "DSL_U16", "DSL_U32", "DSL_U64",
        "DSL_F16", "DSL_BF16", "DSL_F32", "DSL_F64", "DSL_STR",
    };
    return names[t];
}

Expr expr_atom(const char *text) { return (Expr){.text = text, .prec = PREC_ATOM}; }

Expr expr_printf(Emit *e, int prec, const char *fmt, ...) {
    Text t;
    text_init(&t, e->arena);
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    return (Expr){.text = text_str(&t), .prec = prec};
}

const char *expr_in(Emit *e, Expr x, int prec) {
    return x.prec >= prec ? x.text : arena_printf(e->arena, "(%s)", x.text);
}

/* ---- constants */

Expr expr_int(Emit *e, int64_t v) {
    if (v == INT64_MIN) return expr_atom("INT64_MIN");
    Expr x = expr_printf(e, v < 0 ? PREC_UNARY : PREC_ATOM, "%lld", (long long)v);
    x.literal = v >= INT32_MIN && v <= INT32_MAX;
    return x;
}

static Expr expr_uint(Emit *e, DType t, uint64_t v) {
    bool suffix = t == DT_U32 || v > INT64_MAX;
    Expr x = expr_printf(e, PREC_ATOM, "%llu%s", (unsigned long long)v, suffix ? "u" : "");
    x.literal = !suffix && v <= INT32_MAX;
    return x;
}

static bool reads_back(const char *text, double x, bool single) {
    return single ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x;
}

/* The shortest decimal text that reads back as x, without an exponent unless x is very large or small. */
static void float_text(char *buf, size_t cap, double x, bool single) {
    int digits = 1, exponent = x == 0 ? 0 : (int)floor(log10(fabs(x)));
    for (; digits < 17; digits++) {
        snprintf(buf, cap, "%.*g", digits, x);
        if (reads_back(buf, x, single)) break;
    }
    snprintf(buf, cap, "%.*g", digits, x);
    if (strchr(buf, 'e') && exponent > -6 && exponent < 16) {
        char plain[40];
        snprintf(plain, sizeof plain, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 1, x);
        if (reads_back(plain, x, single)) snprintf(buf, cap, "%s", plain);
    }
    if (!strpbrk(buf, ".e")) strcat(buf, ".0");
}

static Expr expr_float(Emit *e, DType t, double x) {
    if (isnan(x)) return expr_atom("NAN");
    if (isinf(x)) return x < 0 ? expr_printf(e, PREC_UNARY, "-INFINITY") : expr_atom("INFINITY");
    char buf[48];
    float_text(buf, sizeof buf - 4, x, t != DT_F64);
    return expr_printf(e, signbit(x) ? PREC_UNARY : PREC_ATOM, "%s%s", buf, t == DT_F64 ? "" : "f");
}

/* Octal escapes end after three digits, so that what follows stays what it is; "??" begins a trigraph. */
const char *expr_str(Emit *e, const char *bytes) {
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "\"");
    for (const char *p = bytes; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\' || (c == '?' && p > bytes && p[-1] == '?')) text_printf(&t, "\\%c", c);
        else if (c == '\n') text_printf(&t, "\\n");
        else if (c == '\t') text_printf(&t, "\\t");
        else if (c < 32 || c == 127) text_printf(&t, "\\%03o", c);
        else text_add(&t, p, 1);
    }
    text_printf(&t, "\"");
    return text_str(&t);
}

Expr expr_const(Emit *e, const Const *c) {
    switch (dtype_info(c->dtype)->kind) {
    case DK_BOOL: return expr_atom(c->i ? "true" : "false");
    case DK_INT: return c->dtype == DT_I32 && c->i == INT32_MIN ? expr_atom("INT32_MIN") : expr_int(e, c->i);
    case DK_UINT: return expr_uint(e, c->dtype, (uint64_t)c->i);
    case DK_FLOAT: return expr_float(e, c->dtype, c->f);
    case DK_STR: return expr_atom(expr_str(e, c->s ? c->s : ""));
    }
    return expr_atom("0");
}

/* ---- operators */

/* prec: of the result; inner: what operands need; chain: a left operand of the same operator goes bare */
typedef struct { const char *op; int prec, inner; bool chain; } Operator;

static const Operator *operator_find(const char *op) {
    static const Operator table[] = {
        {"+", PREC_ADD, PREC_MUL, true},     {"-", PREC_ADD, PREC_MUL, true},
        {"*", PREC_MUL, PREC_UNARY, true},   {"/", PREC_MUL, PREC_UNARY, true},
        {"%", PREC_MUL, PREC_UNARY, true},   {"<<", PREC_SHIFT, PREC_UNARY, false},
        {">>", PREC_SHIFT, PREC_UNARY, false}, {"<", PREC_REL, PREC_ADD, false},
        {"<=", PREC_REL, PREC_ADD, false},   {">", PREC_REL, PREC_ADD, false},
        {">=", PREC_REL, PREC_ADD, false},   {"==", PREC_EQ, PREC_ADD, false},
        {"!=", PREC_EQ, PREC_ADD, false},    {"&", PREC_BAND, PREC_UNARY, true},
        {"|", PREC_BOR, PREC_UNARY, true},   {"^", PREC_XOR, PREC_UNARY, true},
        {"&&", PREC_LAND, PREC_EQ, true},    {"||", PREC_LOR, PREC_EQ, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].op, op)) return &table[i];
    bug("C has no operator '%s'", op);
}

static bool negative_number(Expr x) {
    return x.text[0] == '-' && x.text[1] >= '0' && x.text[1] <= '9' && x.prec == PREC_UNARY;
}

/* a + -1 is a - 1, for floats too */
static const char *flip_sign(const char *op, Expr *b) {
    if (!negative_number(*b) || (strcmp(op, "+") && strcmp(op, "-"))) return op;
    b->text++;
    b->prec = PREC_ATOM;
    return *op == '+' ? "-" : "+";
}

Expr expr_binary(Emit *e, const char *op, Expr a, Expr b) {
    op = flip_sign(op, &b);
    const Operator *o = operator_find(op);
    const char *left = expr_in(e, a, o->chain && a.prec == o->prec ? o->prec : o->inner);
    const char *right = expr_in(e, b, o->inner);
    Expr x = expr_printf(e, o->prec, "%s %s %s", left, op, right);
    if (o->prec == PREC_ADD || o->prec == PREC_MUL) x.left = left, x.right = right, x.op = *op;
    return x;
}

const char *expr_narrow(Emit *e, DType t) {
    bool narrow = dtype_is_int(t) && dtype_info(t)->bytes < 4;
    return narrow ? arena_printf(e->arena, "(%s)", c_type(t)) : "";
}

/* ---- sizes */

/* The positive k when a is -k or -k * something; 0 otherwise. */
static int64_t negated_factor(Session *s, const Size *a, const Size **rest) {
    SizeNode n = size_node(s, a), left;
    *rest = NULL;
    if (n.op == 'c') return n.c < 0 && n.c > INT64_MIN ? -n.c : 0;
    if (n.op != '*') return 0;
    left = size_node(s, n.a);
    *rest = n.b;
    return left.op == 'c' && left.c < 0 && left.c > INT64_MIN ? -left.c : 0;
}

static Expr size_text(Emit *e, const Size *s, bool exists);

static Expr size_limited(Emit *e, const char *op, const Size *a, const Size *b) {
    return expr_printf(e, PREC_POSTFIX, "dsl_size_%s(%s, %s)", op, expr_size(e, a).text, expr_size(e, b).text);
}

static Expr size_sum(Emit *e, const Size *a, const Size *b, bool exists) {
    const Size *rest;
    if (!exists && !size_sum_fits(e->session, a, b)) return size_limited(e, "add", a, b);
    int64_t k = negated_factor(e->session, b, &rest);
    if (!k && negated_factor(e->session, a, &rest)) return size_sum(e, b, a, exists);
    if (!k) return expr_binary(e, "+", size_text(e, a, exists), size_text(e, b, exists));
    Expr minus = !rest    ? expr_int(e, k)
                 : k == 1 ? size_text(e, rest, exists)
                          : expr_binary(e, "*", expr_int(e, k), size_text(e, rest, exists));
    return expr_binary(e, "-", size_text(e, a, exists), minus);
}

static Expr size_product(Emit *e, const Size *a, const Size *b, bool exists) {
    int64_t k;
    if (!exists && !size_product_fits(e->session, a, b)) return size_limited(e, "mul", a, b);
    if (size_is_const(a, &k) && k == -1)
        return expr_printf(e, PREC_UNARY, "-%s", expr_in(e, size_text(e, b, exists), PREC_POSTFIX));
    return expr_binary(e, "*", size_text(e, a, exists), size_text(e, b, exists));
}

static Expr size_call(Emit *e, const char *fn, const Size *a, const Size *b) {
    return expr_printf(e, PREC_POSTFIX, "dsl_%s_i64(%s, %s)", fn, expr_size(e, a).text, expr_size(e, b).text);
}

static Expr size_quotient(Emit *e, const Size *s, const char *op, const char *fn, const Size *a, const Size *b) {
    bool plain = size_quotient_truncates(e->session, s);
    return plain ? expr_binary(e, op, expr_size(e, a), expr_size(e, b)) : size_call(e, fn, a, b);
}

static Expr size_symbol(Emit *e, const char *sym) {
    const char *text = map_get(&e->syms, sym);
    if (!text) bug("size symbol '%s' is used before its definition in @%s", sym, e->func->name);
    return expr_atom(text);
}

/* exists: an array has that size, so that sums and products that wrap around come out right (plan.h) */
static Expr size_text(Emit *e, const Size *s, bool exists) {
    SizeNode n = size_node(e->session, s);
    switch (n.op) {
    case 'c': return expr_int(e, n.c);
    case 's': return size_symbol(e, n.sym);
    case '+': return size_sum(e, n.a, n.b, exists);
    case '*': return size_product(e, n.a, n.b, exists);
    case '/': return size_quotient(e, s, "/", "idiv", n.a, n.b);
    case '%': return size_quotient(e, s, "%", "mod", n.a, n.b);
    case 'M': return size_call(e, "max", n.a, n.b);
    case 'm': return size_call(e, "min", n.a, n.b);
    }
    bug("size node '%c'", n.op);
}

Expr expr_size(Emit *e, const Size *s) { return size_text(e, s, false); }

Expr expr_array_extent(Emit *e, const Size *s) { return size_text(e, s, true); }

/* ---- values and elements */

Expr emit_value(Emit *e, const Value *v) {
    const ValueState *s = &e->values[v->id];
    if (s->var) return expr_atom(lines_ref(&e->lines, s->var));
    if (!s->expr.text)
        bug("@%s: a value of %s is used before it is emitted", e->func->name,
            v->def ? op_info(v->def->code)->mnemonic : "a region");
    return s->expr;
}

/* Buffers of several axes are pointers to (variable-length) arrays, so C does the index arithmetic. */
Expr expr_index(Emit *e, const Type *t, const char *base, int n, const Use *idx) {
    Text text;
    text_init(&text, e->arena);
    text_printf(&text, "%s", base);
    for (int i = 0; i < n; i++) text_printf(&text, "[%s]", emit_value(e, idx[i].val).text);
    if (!t->rank) text_printf(&text, "[0]");
    return (Expr){.text = text_str(&text), .prec = PREC_POSTFIX};
}
