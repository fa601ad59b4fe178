/* The expressions of a file by their places, and the names of each of its functions. */
#include "accuracy/written.h"
#include "frontend/check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of a variable of a function; another one has the name, too */
typedef struct { Span at; bool twice, constant; } Name;
struct Writing {
    Session *session;
    Arena *arena;
    int file;
    Map places;     /* by "lo:hi" -> Written */
    Map lets;       /* Var -> Expr, of those that have one name */
    Map operands;   /* places of what stands under an operator */
    Map known;      /* places of what stands in an expression that the checker has computed */
    VEC(Map) names; /* by function: name -> Name */
};

/* ---- what is written where */

Expr *written_bare(Expr *e) {
    while (e && e->kind == EX_CONVERT) e = e->a;
    return e;
}

static const char *key_of(Session *s, Span at) { return intern_printf(s, "%d:%d", at.lo, at.hi); }

static void note_name(Writing *w, const Var *v) {
    Map *names = &vec_last(&w->names);
    Name *n = map_get(names, v->name);
    if (n) {
        n->twice |= n->at.lo != v->span.lo;
        return;
    }
    n = NEW(w->arena, Name);
    *n = (Name){v->span, false, v->kind == VAR_CONST};
    map_put(w->arena, names, v->name, n);
}

static void note_operand(Writing *w, Expr *e) {
    e = written_bare(e);
    if (e && e->span.file == w->file) map_put(w->arena, &w->operands, key_of(w->session, e->span), e);
}

static void note_operands(Writing *w, const Expr *e) {
    bool takes = e->kind == EX_BINARY || e->kind == EX_UNARY || e->kind == EX_INDEX || e->kind == EX_FIELD;
    if (!takes) return;
    note_operand(w, e->a);
    note_operand(w, e->b);
}

static void note_known(Writing *w, Expr *e) {
    e = written_bare(e);
    if (e && e->span.file == w->file) map_put(w->arena, &w->known, key_of(w->session, e->span), e);
}

static void note_expr(void *ctx, Expr *e) {
    Writing *w = ctx;
    note_operands(w, e);
    if (e->is_const) {
        note_known(w, e->a);
        note_known(w, e->b);
        for (int i = 0; i < e->args.len; i++) note_known(w, e->args.data[i]);
    }
    if (e->kind == EX_CONVERT || e->span.file != w->file) return;
    const char *key = key_of(w->session, e->span);
    if (e->kind == EX_NAME && e->var) note_name(w, e->var);
    if (map_has(&w->places, key)) return;
    Written *x = NEW(w->arena, Written);
    *x = (Written){e, w->names.len - 1};
    map_put(w->arena, &w->places, key, x);
}

static void note_let(void *ctx, Stmt *st) {
    Writing *w = ctx;
    bool let = st->kind == ST_LET && st->var_kind == VAR_LET && st->vars.len == 1 && st->a && !st->is_arg;
    if (let && st->vars.data[0]) map_put(w->arena, &w->lets, st->vars.data[0], st->a);
}

static void note_function(Writing *w, Block *body, Expr *expr) {
    const Walk walk = {.expr = note_expr, .stmt = note_let, .ctx = w};
    vec_push(w->arena, &w->names, (Map){0});
    walk_block(&walk, body);
    walk_expr(&walk, expr);
}

static void note_functions(Writing *w, Inst *const *insts, int n) {
    for (int i = 0; i < n; i++) note_function(w, insts[i]->body, insts[i]->expr_body);
}

Writing *writing_of(Session *s, Arena *a, int file, const Program *p) {
    Writing *w = NEW(a, Writing);
    *w = (Writing){.session = s, .arena = a, .file = file};
    Block main = {.stmts = p->main};
    note_function(w, &main, NULL);
    note_functions(w, p->insts.data, p->insts.len);
    note_functions(w, p->kernels.data, p->kernels.len);
    note_functions(w, p->tests.data, p->tests.len);
    return w;
}

const Written *written_at(const Writing *w, Span at) {
    return at.file == w->file ? map_get(&w->places, key_of(w->session, at)) : NULL;
}

void written_constants(const Writing *w, void (*f)(void *ctx, const Written *x), void *ctx) {
    for (int i = 0; i < w->places.len; i++) {
        const Written *x = w->places.vals[i];
        bool whole = x->e->is_const && !map_has(&w->known, w->places.keys[i]);
        bool floats = x->e->type && x->e->type->kind == FT_SCALAR && dtype_is_float(x->e->type->dtype);
        if (whole && floats && (x->e->kind == EX_BINARY || x->e->kind == EX_CALL)) f(ctx, x);
    }
}

Expr *written_let(const Writing *w, const Expr *name) {
    return name->var && !name->var->assigned ? map_get(&w->lets, name->var) : NULL;
}

void written_names(Expr *e, void (*f)(void *ctx, Expr *e), void *ctx) {
    walk_expr(&(Walk){.expr = f, .ctx = ctx}, e);
}

/* ---- what it means elsewhere */

static const char *one_line(const Writing *w, Span at);
static Span without_parentheses(const Writing *w, Span at);

static bool is_number_text(const char *text) {
    char *end;
    strtod(text, &end);
    bool any = (*text >= '0' && *text <= '9') || *text == '.' || *text == '-';
    return any && (!*end || !text[strspn(text, "0123456789_xXabcdefABCDEF")]);
}

/* A literal that the checker made of constants with names: its text */
static const char *named_literal(const Writing *w, const Expr *e) {
    bool literal = e->kind == EX_INT || e->kind == EX_FLOAT;
    const char *text = literal && e->span.file == w->file ? one_line(w, without_parentheses(w, e->span)) : NULL;
    return text && !is_number_text(text) ? text : NULL;
}

static bool is_name(const char *text) {
    for (; isalnum((unsigned char)*text) || *text == '_'; text++) {}
    return !*text;
}

typedef struct { const Writing *w; int ctx; Meaning m; } Look;

/* One name, that of a constant, and of nothing else in the function */
static bool is_stable_name(const Look *k, const char *text) {
    const Name *n = map_get(&k->w->names.data[k->ctx], intern(k->w->session, text));
    return is_name(text) && (!n || (n->constant && !n->twice));
}

static void look_at_literal(Look *k, const Expr *e) {
    const char *text = named_literal(k->w, e);
    if (text) k->m.named = true, k->m.stable &= is_stable_name(k, text);
}

static bool is_stable(const Look *k, const Expr *e) {
    const Var *v = e->var;
    const Name *n = v ? map_get(&k->w->names.data[k->ctx], v->name) : NULL;
    if (!v || v->kind == VAR_CONST) return true;
    return v->kind != VAR_SHARED && !v->assigned && v->mode == MODE_IN && !(n && n->twice);
}

static void look_at(void *ctx, Expr *e) {
    Look *k = ctx;
    switch (e->kind) {
    case EX_NAME: k->m.named = true, k->m.stable &= is_stable(k, e); return;
    case EX_INT: case EX_FLOAT: look_at_literal(k, e); return;
    case EX_CALL: k->m.costly |= e->call != CALL_CAST; return;
    case EX_LAMBDA: case EX_COMP: case EX_GEN: case EX_IF: case EX_FORMAT: k->m.costly = true; return;
    default: return;
    }
}

Meaning written_meaning(const Writing *w, int ctx, Expr *e) {
    Look k = {w, ctx, {true, false, false}};
    walk_expr(&(Walk){.expr = look_at, .ctx = &k}, e);
    k.m.stable &= !k.m.costly;
    return k.m;
}

/* ---- as text */

int written_level(const Expr *e) {
    if (e->kind == EX_UNARY) return e->op == OPR_NEG ? LEVEL_NEG : LEVEL_ANY;
    if (e->kind == EX_INT || e->kind == EX_FLOAT) return e->lit.f < 0 || e->lit.i < 0 ? LEVEL_NEG : LEVEL_ATOM;
    if (e->kind == EX_IF || e->kind == EX_LAMBDA) return LEVEL_ANY;
    if (e->kind != EX_BINARY) return LEVEL_ATOM;
    switch (e->op) {
    case OPR_ADD: case OPR_SUB: return LEVEL_SUM;
    case OPR_MUL: case OPR_DIV: return LEVEL_PRODUCT;
    case OPR_POW: return LEVEL_POWER;
    default: return LEVEL_ANY;
    }
}

static const char *one_line(const Writing *w, Span at) {
    size_t len;
    const char *from = source_text(w->session, at.file, &len) + at.lo, *end = from + (at.hi - at.lo);
    Text t;
    text_init(&t, w->arena);
    for (const char *c = from; c < end; c++) {
        if (*c == '#') return NULL;
        bool breaks = *c == '\n' || *c == '\r';
        text_add(&t, breaks ? " " : c, 1);
        while (breaks && c + 1 < end && strchr(" \t\r\n", c[1])) c++;
    }
    return text_str(&t);
}

const char *written_between(const Writing *w, int lo, int hi) {
    const char *text = one_line(w, (Span){.file = w->file, .lo = lo, .hi = hi});
    return text && !strchr(text, '(') == !strchr(text, ')') ? text : NULL;
}

/* (x + y): the place of x + y */
static Span without_parentheses(const Writing *w, Span at) {
    const char *text = source_text(w->session, at.file, NULL);
    while (at.hi - at.lo > 2 && text[at.lo] == '(' && text[at.hi - 1] == ')') {
        int depth = 1, i = at.lo + 1;
        for (; i < at.hi - 1 && depth; i++) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (!depth) break;
        for (at.lo++, at.hi--; strchr(" \t\r\n", text[at.lo]) && at.lo < at.hi;) at.lo++;
        while (at.hi > at.lo && strchr(" \t\r\n", text[at.hi - 1])) at.hi--;
    }
    return at;
}

int written_room(const Writing *w, const Expr *e) {
    if (!map_has(&w->operands, key_of(w->session, e->span))) return LEVEL_ANY;
    return without_parentheses(w, e->span).lo == e->span.lo ? written_level(e) : LEVEL_ATOM;
}

static DType element_of(const FType *t) { return t->kind == FT_ARRAY ? t->elem->dtype : t->dtype; }

Source written_source(const Writing *w, Expr *e) {
    DType to = DT_COUNT;
    for (; e->kind == EX_CONVERT; e = e->a)
        if (e->conv == CONV_DTYPE && to == DT_COUNT) to = element_of(e->type);
    const char *text = e->span.file == w->file ? one_line(w, without_parentheses(w, e->span)) : NULL;
    bool literal = e->kind == EX_INT || e->kind == EX_FLOAT;
    if (text && named_literal(w, e) && !is_name(text)) return (Source){text, LEVEL_ANY};
    if (!text || to == DT_COUNT || literal) return (Source){text, written_level(e)};
    return (Source){arena_printf(w->arena, "%s(%s)", dtype_info(to)->name, text), LEVEL_ATOM};
}
