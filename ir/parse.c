/* Reads what print.c writes.
 *
 * A recursive descent over the characters themselves, since % and // mean one thing between operands
 * and another inside sizes.  The first error is reported and ends the reading; all functions then
 * return without consuming more.  Nesting is bounded.  '#' starts a comment. */
#include "ir/private.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 200, MAX_SIZE_NESTING = 100 };

typedef struct {
    Session *session;
    Module *module;
    Func *func;
    Map values; /* name -> Value, NULL when its region was left */
    VEC(const char *) visible;
    Map funcs;  /* name -> Func */
    int file;
    const char *text, *at, *end;
    int depth, size_depth;
    bool failed;
} Parser;

typedef VEC(const char *) NameVec;
typedef VEC(Value *) ValueVec;
typedef VEC(const Type *) TypeVec;
typedef VEC(int64_t) IntVec;
typedef VEC(const Size *) SizeVec;

/* ---- errors and characters */

static Span span_from(const Parser *p, const char *from, const char *to) {
    return (Span){p->file, (int)(from - p->text), (int)(to - p->text), 0};
}

static bool fail_at(Parser *p, const char *at, const char *fmt, ...) DSL_PRINTF(3, 4);
static bool fail_at(Parser *p, const char *at, const char *fmt, ...) {
    if (p->failed) return false;
    p->failed = true;
    Text t;
    va_list ap;
    text_init(&t, session_arena(p->session));
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    diag_report(p->session, span_from(p, at, at < p->end ? at + 1 : at), E_IR_SYNTAX, text_str(&t));
    return false;
}

static void skip_space(Parser *p) {
    while (p->at < p->end) {
        if (*p->at == '#')
            while (p->at < p->end && *p->at != '\n') p->at++;
        else if (isspace((unsigned char)*p->at)) p->at++;
        else return;
    }
}

static bool peek(Parser *p, const char *s) {
    skip_space(p);
    size_t n = strlen(s);
    return !p->failed && (size_t)(p->end - p->at) >= n && !memcmp(p->at, s, n);
}

static bool accept(Parser *p, const char *s) {
    if (!peek(p, s)) return false;
    p->at += strlen(s);
    return true;
}

static bool expect(Parser *p, const char *s) {
    if (accept(p, s)) return true;
    if (p->at < p->end)
        return fail_at(p, p->at, "expected '%s' before '%c'", s, isprint((unsigned char)*p->at) ? *p->at : '?');
    return fail_at(p, p->at, "expected '%s' before the end of the file", s);
}

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

static size_t name_length(const Parser *p) {
    const char *q = p->at;
    while (q < p->end && is_name_char(*q)) q++;
    return (size_t)(q - p->at);
}

/* The word at this place without consuming it; NULL when there is none. */
static const char *peek_word(Parser *p) {
    skip_space(p);
    if (p->failed || p->at >= p->end || !(isalpha((unsigned char)*p->at) || *p->at == '_')) return NULL;
    return intern_n(p->session, p->at, name_length(p));
}

static const char *word(Parser *p, const char *what) {
    const char *w = peek_word(p);
    if (!w) {
        fail_at(p, p->at, "expected %s", what);
        return NULL;
    }
    p->at += strlen(w);
    return w;
}

static bool accept_word(Parser *p, const char *w) {
    const char *got = peek_word(p);
    if (!got || strcmp(got, w)) return false;
    p->at += strlen(w);
    return true;
}

/* A name behind % or @. */
static const char *sigil_name(Parser *p, const char *sigil) {
    if (!expect(p, sigil)) return NULL;
    size_t n = name_length(p);
    if (!n) {
        fail_at(p, p->at, "expected a name after '%s'", sigil);
        return NULL;
    }
    p->at += n;
    return intern_n(p->session, p->at - n, n);
}

/* ---- literals */

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool escape(Parser *p, Text *out) {
    char c = p->at < p->end ? *p->at++ : 0;
    if (c == 'x' && p->end - p->at >= 2 && hex_digit(p->at[0]) >= 0 && hex_digit(p->at[1]) >= 0) {
        c = (char)(hex_digit(p->at[0]) * 16 + hex_digit(p->at[1]));
        p->at += 2;
        if (!c) return fail_at(p, p->at - 2, "a text cannot hold a zero byte");
    } else if (c == 'n') c = '\n';
    else if (c == 't') c = '\t';
    else if (c != '"' && c != '\\') return fail_at(p, p->at - 1, "unknown escape");
    text_add(out, &c, 1);
    return true;
}

static const char *quoted(Parser *p) {
    Text t;
    if (!expect(p, "\"")) return NULL;
    const char *start = p->at - 1;
    text_init(&t, session_arena(p->session));
    while (p->at < p->end && *p->at != '"' && *p->at != '\n') {
        char c = *p->at++;
        if (c == '\\' ? !escape(p, &t) : c == 0) {
            fail_at(p, p->at - 1, "zero byte in a text");
            return NULL;
        }
        if (c != '\\') text_add(&t, &c, 1);
    }
    if (p->at >= p->end || *p->at != '"') {
        fail_at(p, start, "this text has no end");
        return NULL;
    }
    p->at++;
    return intern(p->session, text_str(&t));
}

static bool number_int(Parser *p, int64_t *out) {
    skip_space(p);
    const char *start = p->at;
    bool negative = accept(p, "-");
    if (p->at >= p->end || !isdigit((unsigned char)*p->at)) return fail_at(p, start, "expected an integer");
    errno = 0;
    char *stop;
    unsigned long long u = strtoull(p->at, &stop, 10);
    if (errno || (negative && u > (uint64_t)INT64_MAX + 1)) return fail_at(p, start, "this integer is too large");
    p->at = stop;
    *out = (int64_t)(negative ? 0 - (uint64_t)u : (uint64_t)u);
    return true;
}

/* ---- sizes */

static const Size *size_expr(Parser *p);

/* Keeps fresh symbols (base.s12) of later passes apart from those of the text. */
static void note_symbol(Parser *p, const char *sym) {
    const char *dot = strrchr(sym, '.');
    if (!dot || dot[1] != 's' || !isdigit((unsigned char)dot[2]) || strlen(dot) > 9) return;
    int n = atoi(dot + 2);
    if (n >= p->module->next_sym) p->module->next_sym = n + 1;
}

static const Size *size_call(Parser *p, const char *name) {
    const Size *a = size_expr(p);
    if (!a || !expect(p, ",")) return NULL;
    const Size *b = size_expr(p);
    if (!b || !expect(p, ")")) return NULL;
    return !strcmp(name, "max") ? size_max(p->session, a, b) : size_min(p->session, a, b);
}

static const Size *size_primary(Parser *p) {
    int64_t c;
    if (accept(p, "(")) {
        const Size *s = size_expr(p);
        return s && expect(p, ")") ? s : NULL;
    }
    skip_space(p);
    if (p->at < p->end && isdigit((unsigned char)*p->at)) {
        const char *start = p->at;
        if (!number_int(p, &c)) return NULL;
        if (c < 0) fail_at(p, start, "this integer is too large");
        return size_const(p->session, c);
    }
    const char *name = word(p, "a size");
    if (!name) return NULL;
    if ((!strcmp(name, "max") || !strcmp(name, "min")) && accept(p, "(")) return size_call(p, name);
    note_symbol(p, name);
    return size_sym(p->session, name);
}

static const Size *size_unary(Parser *p) {
    int minuses = 0;
    while (accept(p, "-")) minuses++;
    const Size *s = size_primary(p);
    return s && minuses % 2 ? size_sub(p->session, size_const(p->session, 0), s) : s;
}

static const Size *size_product(Parser *p) {
    const Size *a = size_unary(p);
    while (a && !p->failed) {
        bool mul = accept(p, "*"), div = !mul && accept(p, "//"), mod = !mul && !div && accept(p, "%");
        if (!mul && !div && !mod) return a;
        const Size *b = size_unary(p);
        if (!b) return NULL;
        a = mul ? size_mul(p->session, a, b) : div ? size_floordiv(p->session, a, b) : size_mod(p->session, a, b);
    }
    return NULL;
}

static const Size *size_expr(Parser *p) {
    if (++p->size_depth > MAX_SIZE_NESTING) {
        fail_at(p, p->at, "a size is nested too deeply");
        return NULL;
    }
    const Size *a = size_product(p);
    while (a && (peek(p, "+") || peek(p, "-"))) {
        bool plus = *p->at++ == '+';
        const Size *b = size_product(p);
        if (!b) a = NULL;
        else a = plus ? size_add(p->session, a, b) : size_sub(p->session, a, b);
    }
    p->size_depth--;
    return p->failed ? NULL : a;
}

/* ---- types */

static bool dims(Parser *p, const Size **out, int *rank, int most) {
    *rank = 0;
    if (accept(p, "]")) return true;
    do {
        if (*rank == most) return fail_at(p, p->at, "more than %d dimensions", most);
        if (!(out[(*rank)++] = size_expr(p))) return false;
    } while (accept(p, ","));
    return expect(p, "]");
}

static const Type *buf_type(Parser *p) {
    const Size *d[MAX_RANK];
    DType t;
    int rank;
    if (!expect(p, "<")) return NULL;
    const char *name = word(p, "an element type");
    if (!name) return NULL;
    if (!dtype_find(name, &t)) fail_at(p, p->at - strlen(name), "unknown type '%s'", name);
    if (!expect(p, "[") || !dims(p, d, &rank, MAX_RANK)) return NULL;
    Space space = SPACE_GLOBAL;
    if (accept(p, ",")) {
        if (accept_word(p, "shared")) space = SPACE_SHARED;
        else if (accept_word(p, "private")) space = SPACE_PRIVATE;
        else fail_at(p, p->at, "expected shared or private");
    }
    return expect(p, ">") ? type_buf(p->session, t, rank, d, space) : NULL;
}

static const Type *type(Parser *p) {
    const Size *d[MAX_RANK];
    DType t;
    int rank;
    const char *name = word(p, "a type");
    if (!name) return NULL;
    if (!strcmp(name, "buf")) return buf_type(p);
    if (!dtype_find(name, &t)) {
        fail_at(p, p->at - strlen(name), "unknown type '%s'", name);
        return NULL;
    }
    if (!accept(p, "[")) return type_scalar(p->session, t);
    return dims(p, d, &rank, TENSOR_RANK) ? type_tensor(p->session, t, rank, d) : NULL;
}

static bool type_list(Parser *p, TypeVec *out) {
    do {
        const Type *t = type(p);
        if (!t) return false;
        vec_push(p->module->arena, out, t);
    } while (accept(p, ","));
    return true;
}

/* ---- values */

static Value *use_value(Parser *p) {
    skip_space(p);
    const char *start = p->at, *name = sigil_name(p, "%");
    if (!name) return NULL;
    Value *v = map_get(&p->values, name);
    if (!v) fail_at(p, start, "%%%s is not defined above", name);
    return v;
}

static bool define_value(Parser *p, const char *name, const char *at, Value *v) {
    if (map_get(&p->values, name)) return fail_at(p, at, "%%%s is defined twice", name);
    map_put(p->module->arena, &p->values, name, v);
    vec_push(p->module->arena, &p->visible, name);
    v->name = name[strspn(name, "0123456789")] ? name : NULL;
    return true;
}

static void leave_scope(Parser *p, int height) {
    while (p->visible.len > height) map_put(p->module->arena, &p->values, vec_pop(&p->visible), NULL);
}

/* "(%a: type, ...)" behind the parenthesis. */
static bool region_args(Parser *p, Region *r) {
    if (accept(p, ")")) return true;
    do {
        skip_space(p);
        const char *at = p->at, *name = sigil_name(p, "%");
        if (!name || !expect(p, ":")) return false;
        const Type *t = type(p);
        if (!t || !define_value(p, name, at, region_add_arg(r, t, NULL))) return false;
    } while (accept(p, ","));
    return expect(p, ")");
}

static bool operands(Parser *p, ValueVec *out) {
    if (!accept(p, "(") || accept(p, ")")) return !p->failed;
    do {
        Value *v = use_value(p);
        if (!v) return false;
        vec_push(p->module->arena, out, v);
    } while (accept(p, ","));
    return expect(p, ")");
}

/* ---- attributes */

static bool int_list(Parser *p, Attr *a) {
    IntVec v = {0};
    if (!expect(p, "[")) return false;
    while (!accept(p, "]")) {
        int64_t i;
        if (v.len && !expect(p, ",")) return false;
        if (!number_int(p, &i)) return false;
        vec_push(p->module->arena, &v, i);
    }
    a->n = v.len;
    a->ints = v.data;
    return true;
}

static bool size_list(Parser *p, Attr *a) {
    SizeVec v = {0};
    bool list = accept(p, "[");
    if (!list || !accept(p, "]")) {
        do {
            const Size *s = size_expr(p);
            if (!s) return false;
            vec_push(p->module->arena, &v, s);
        } while (list && accept(p, ","));
        if (list && !expect(p, "]")) return false;
    }
    a->n = v.len;
    a->sizes = v.data;
    return true;
}

static bool is_exponent_sign(const char *at) { return (*at == '+' || *at == '-') && at[-1] == 'e'; }

/* A literal; its dtype is settled by the result's type (finish_const), its text kept in c.s. */
static bool literal(Parser *p, Const *c) {
    skip_space(p);
    if (peek(p, "\"")) {
        c->dtype = DT_STR;
        return (c->s = quoted(p)) != NULL;
    }
    const char *start = p->at;
    if (p->at < p->end && *p->at == '-') p->at++;
    while (p->at < p->end && (is_name_char(*p->at) || is_exponent_sign(p->at))) p->at++;
    if (p->at == start) return fail_at(p, start, "expected a constant");
    c->dtype = DT_COUNT;
    c->s = intern_n(p->session, start, (size_t)(p->at - start));
    return true;
}

static bool literals(Parser *p, Attr *a) {
    VEC(Const) v = {0};
    if (!expect(p, "[")) return false;
    while (!accept(p, "]")) {
        Const c = {0};
        if ((v.len && !expect(p, ",")) || !literal(p, &c)) return false;
        vec_push(p->module->arena, &v, c);
    }
    a->n = v.len;
    a->consts = v.data;
    return true;
}

static bool kind_value(Parser *p, Attr *a) {
    Combine combine = COMBINE_NONE;
    LoopKind loop = LOOP_NONE;
    const char *name = word(p, "a kind");
    if (!name) return false;
    bool found = attr_table[a->id].type == AT_LOOP ? loop_find(name, &loop) : combine_find(name, &combine);
    if (!found) return fail_at(p, p->at - strlen(name), "unknown kind '%s'; %s", name, attr_table[a->id].doc);
    a->i = combine ? (int)combine : (int)loop;
    return true;
}

static bool attr_value(Parser *p, Attr *a) {
    switch (attr_table[a->id].type) {
    case AT_FLAG: return true;
    case AT_COMBINE:
    case AT_LOOP: return kind_value(p, a);
    case AT_SYM:
        a->s = peek(p, "\"") ? quoted(p) : word(p, "a word");
        if (a->s && a->id == A_SYM) note_symbol(p, a->s);
        return a->s != NULL;
    case AT_STR: return (a->s = quoted(p)) != NULL;
    case AT_FUNC: return (a->s = sigil_name(p, "@")) != NULL;
    case AT_CONST: return literal(p, &a->c);
    case AT_CONSTS: return literals(p, a);
    case AT_INTS: return int_list(p, a);
    case AT_SIZES: return size_list(p, a);
    }
    return false;
}

typedef VEC(Attr) AttrVec;

/* The attribute of that name which operations of this code take, or any */
static bool attr_named(OpCode code, const char *name, AttrId *out) {
    bool optional;
    for (const char *spec = op_info(code)->attrs; attr_next(&spec, out, &optional);)
        if (!strcmp(attr_table[*out].name, name)) return true;
    return attr_find(name, out);
}

static bool attr(Parser *p, OpCode code, AttrVec *out) {
    Attr a = {0};
    const char *name = word(p, "an attribute");
    if (!name) return false;
    if (!attr_named(code, name, &a.id)) return fail_at(p, p->at - strlen(name), "unknown attribute '%s'", name);
    if (attr_table[a.id].type != AT_FLAG && !expect(p, "=")) return false;
    if (!attr_value(p, &a)) return false;
    for (int i = 0; i < out->len; i++)
        if (out->data[i].id == a.id) return fail_at(p, p->at, "attribute '%s' is given twice", name);
    vec_push(p->module->arena, out, a);
    return true;
}

/* Whether the brace at this place opens attributes: a known name, then = , or }. */
static bool at_attrs(Parser *p) {
    AttrId id;
    if (!peek(p, "{")) return false;
    const char *brace = p->at++, *name = peek_word(p);
    bool yes = name && attr_find(name, &id);
    if (yes) {
        p->at += strlen(name);
        yes = peek(p, "=") || peek(p, ",") || peek(p, "}");
    }
    p->at = brace;
    return yes;
}

static bool attrs(Parser *p, OpCode code, AttrVec *out) {
    if (!at_attrs(p)) return !p->failed;
    expect(p, "{");
    do {
        if (!attr(p, code, out)) return false;
    } while (accept(p, ","));
    return expect(p, "}");
}

/* ---- constants */

static bool const_int(Parser *p, const char *at, Const *c) {
    char *stop;
    errno = 0;
    bool negative = c->s[0] == '-';
    unsigned long long u = strtoull(c->s + negative, &stop, 10);
    bool digits = isdigit((unsigned char)c->s[negative]);
    if (!digits || *stop || errno) return fail_at(p, at, "'%s' is no integer", c->s);
    int64_t i = (int64_t)(negative ? 0 - (uint64_t)u : (uint64_t)u);
    bool fits = const_wrap(c->dtype, i) == i && (c->dtype == DT_U64 ? !negative : negative ? i <= 0 : i >= 0);
    if (!fits) return fail_at(p, at, "'%s' is out of range for %s", c->s, dtype_info(c->dtype)->name);
    *c = (Const){.dtype = c->dtype, .i = i};
    return true;
}

static bool const_float(Parser *p, const char *at, Const *c) {
    char *stop;
    double f = c->dtype == DT_F64 ? strtod(c->s, &stop) : (double)strtof(c->s, &stop);
    bool hex = strpbrk(c->s, "xX") != NULL;
    if (*stop || stop == c->s || hex) return fail_at(p, at, "'%s' is no number", c->s);
    *c = (Const){.dtype = c->dtype, .f = const_round(c->dtype, f)};
    return true;
}

static bool finish_const(Parser *p, const char *at, Const *c, DType t) {
    bool text = c->dtype == DT_STR;
    if (text != (t == DT_STR)) return fail_at(p, at, "the constant does not fit the type %s", dtype_info(t)->name);
    c->dtype = t;
    if (text) return true;
    if (dtype_is_float(t)) return const_float(p, at, c);
    if (dtype_is_int(t)) return const_int(p, at, c);
    bool yes = !strcmp(c->s, "true");
    if (!yes && strcmp(c->s, "false")) return fail_at(p, at, "'%s' is neither true nor false", c->s);
    *c = (Const){.dtype = t, .i = yes};
    return true;
}

static bool finish_consts(Parser *p, const char *at, Attr *a, DType t) {
    Const *all = NEWN(p->module->arena, Const, a->n);
    for (int i = 0; i < a->n; i++) {
        all[i] = a->consts[i];
        if (!finish_const(p, at, &all[i], t)) return false;
    }
    a->consts = all;
    return true;
}

static bool set_attrs(Parser *p, Op *op, const char *at, const AttrVec *v) {
    for (int i = 0; i < v->len; i++) {
        Attr a = v->data[i];
        AttrType type = attr_table[a.id].type;
        if ((type == AT_CONST || type == AT_CONSTS) && op->nres != 1)
            return fail_at(p, at, "a constant needs one result with a type");
        if (type == AT_CONST && !finish_const(p, at, &a.c, op->res[0].type->dtype)) return false;
        if (type == AT_CONSTS && !finish_consts(p, at, &a, op->res[0].type->dtype)) return false;
        op_set_attr(op, a);
    }
    return true;
}

/* ---- operations */

static bool ops(Parser *p, Region *r);

static bool region(Parser *p, Op *op, int *cap) {
    Region *r = region_new(p->module, op, p->func);
    int height = p->visible.len;
    if (!expect(p, "{")) return false;
    if (++p->depth > MAX_NESTING) return fail_at(p, p->at, "regions are nested too deeply");
    if (op->nregs == *cap) op->regs = vec_grow_(p->module->arena, op->regs, op->nregs, cap, sizeof *op->regs);
    op->regs[op->nregs++] = r;
    if (accept(p, "(") && !region_args(p, r)) return false;
    bool ok = ops(p, r) && expect(p, "}");
    leave_scope(p, height);
    p->depth--;
    return ok;
}

static bool results(Parser *p, NameVec *names) {
    if (!peek(p, "%")) return !p->failed;
    do {
        const char *name = sigil_name(p, "%");
        if (!name) return false;
        vec_push(p->module->arena, names, name);
    } while (accept(p, ","));
    return expect(p, "=");
}

static bool location(Parser *p) {
    int64_t n;
    return !accept(p, "!") || (number_int(p, &n) && expect(p, ":") && number_int(p, &n));
}

static bool mnemonic(Parser *p, OpCode *code) {
    const char *name = word(p, "an operation");
    if (!name) return false;
    return opcode_find(name, code) || fail_at(p, p->at - strlen(name), "unknown operation '%s'", name);
}

/* Back over white space, so that a span ends where the text does. */
static const char *text_end(const char *from, const char *at) {
    while (at > from && isspace((unsigned char)at[-1])) at--;
    return at;
}

static bool op(Parser *p, Region *r) {
    NameVec names = {0};
    ValueVec opnds = {0};
    AttrVec at = {0};
    TypeVec types = {0};
    OpCode code;
    int cap = 0;
    skip_space(p);
    const char *start = p->at;
    if (!results(p, &names) || !mnemonic(p, &code) || !operands(p, &opnds) || !attrs(p, code, &at)) return false;
    if (accept(p, ":") && !type_list(p, &types)) return false;
    if (names.len != types.len)
        return fail_at(p, start, "%d results are named, %d types given", names.len, types.len);
    Builder b = builder_at_end(p->module, r, span_from(p, start, text_end(start, p->at)));
    Op *o = build_op(&b, code, opnds.len, opnds.data, types.len, types.data, 0);
    if (!set_attrs(p, o, start, &at)) return false;
    while (peek(p, "{"))
        if (!region(p, o, &cap)) return false;
    for (int i = 0; i < names.len; i++)
        if (!define_value(p, names.data[i], start, &o->res[i])) return false;
    return location(p);
}

static bool ops(Parser *p, Region *r) {
    while (!p->failed && !peek(p, "}")) {
        if (p->at >= p->end) return fail_at(p, p->at, "the text ends inside a region");
        if (!op(p, r)) return false;
    }
    return !p->failed;
}

/* ---- functions */

static bool func_kind(Parser *p, FuncKind *kind) {
    if (accept_word(p, "func")) *kind = FUNC_FN;
    else if (accept_word(p, "main")) *kind = FUNC_MAIN;
    else if (accept_word(p, "test")) *kind = FUNC_TEST;
    else if (accept_word(p, "bench")) *kind = FUNC_BENCH;
    else if (accept_word(p, "extern") && accept_word(p, "func")) *kind = FUNC_EXTERN;
    else return fail_at(p, p->at, "expected func, main, test, bench or extern func");
    return true;
}

static bool func_results(Parser *p, Func *f) {
    TypeVec types = {0};
    if (!accept(p, "->")) return !p->failed;
    if (!expect(p, "(") || !type_list(p, &types) || !expect(p, ")")) return false;
    f->nres = types.len;
    f->res_types = types.data;
    return true;
}

static bool func(Parser *p) {
    skip_space(p);
    const char *start = p->at;
    bool is_export = accept_word(p, "export"), recursive = accept_word(p, "recursive");
    FuncKind kind = FUNC_FN;
    if (!func_kind(p, &kind)) return false;
    skip_space(p);
    const char *at = p->at, *name = sigil_name(p, "@");
    if (!name) return false;
    if (map_has(&p->funcs, name)) return fail_at(p, at, "function @%s is defined twice", name);
    Func *f = func_new(p->module, name, kind, span_from(p, start, p->at));
    map_put(p->module->arena, &p->funcs, name, f);
    f->is_export = is_export;
    f->recursive = recursive;
    p->func = f;
    leave_scope(p, 0);
    if (peek(p, "\"") && !(f->title = quoted(p))) return false;
    if (!expect(p, "(") || !region_args(p, f->body) || !func_results(p, f)) return false;
    if (accept_word(p, "vjp") && !(f->vjp = sigil_name(p, "@"))) return false;
    if (accept_word(p, "jvp") && !(f->jvp = sigil_name(p, "@"))) return false;
    if (kind == FUNC_EXTERN) return true;
    return expect(p, "{") && ops(p, f->body) && expect(p, "}");
}

static bool header(Parser *p) {
    if (!accept_word(p, "module")) return fail_at(p, p->at, "expected 'module stage=...'");
    if (!accept_word(p, "stage") || !expect(p, "=")) return fail_at(p, p->at, "expected 'stage='");
    const char *name = word(p, "a stage");
    if (!name) return false;
    return stage_find(name, &p->module->stage) || fail_at(p, p->at - strlen(name), "unknown stage '%s'", name);
}

static bool module(Parser *p) {
    if (!header(p)) return false;
    for (skip_space(p); p->at < p->end; skip_space(p))
        if (!func(p)) return false;
    return true;
}

Module *module_parse(Session *s, int file) {
    size_t len;
    Parser p = {.session = s, .file = file, .module = module_new(s)};
    p.text = p.at = source_text(s, file, &len);
    p.end = p.text + len;
    if (module(&p)) return p.module;
    module_free(p.module);
    return NULL;
}
