/* Nodes from what the grammar has read.  What is easier to say in C than in the grammar is checked here. */
#include "grammar/parse.h"

#include <string.h>

/* ---- expressions */

Expr *tree_int(Parser *p, Span at, int64_t v) {
    Expr *e = expr_new(p->s, EX_INT, at);
    e->lit = (Const){.dtype = literal_int_type(p, at, v), .i = v};
    return e;
}

Expr *tree_float(Parser *p, Span at, double v) {
    Expr *e = expr_new(p->s, EX_FLOAT, at);
    e->lit = (Const){.dtype = DT_F64, .f = v};
    return e;
}

/* 2im is c128(0, 2) */
Expr *tree_imaginary(Parser *p, Span at, double v) {
    Expr *e = expr_new(p->s, EX_CALL, at), *zero = tree_int(p, at, 0);
    zero->lit.dtype = DT_I64;
    e->call = CALL_STRUCT;
    vec_push(p->arena, &e->args, zero);
    vec_push(p->arena, &e->args, tree_float(p, at, v));
    return e;
}

Expr *tree_bool(Parser *p, Span at, bool v) {
    Expr *e = expr_new(p->s, EX_BOOL, at);
    e->lit = (Const){.dtype = DT_BOOL, .i = v};
    return e;
}

Expr *tree_string(Parser *p, Span at, const char *v) {
    Expr *e = expr_new(p->s, EX_STR, at);
    e->lit = (Const){.dtype = DT_STR, .s = v};
    return e;
}

Expr *tree_name(Parser *p, Span at, const char *name) { return expr_name(p->s, at, name); }

Expr *tree_unary(Parser *p, Span at, Opr op, Expr *a) {
    Expr *e = expr_new(p->s, EX_UNARY, at);
    e->op = op;
    e->a = a;
    return e;
}

Expr *tree_binary(Parser *p, Span at, Opr op, Expr *a, Expr *b) {
    Expr *e = expr_new(p->s, EX_BINARY, at);
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

Expr *tree_call(Parser *p, Span at, Expr *callee, const Args *args) {
    Expr *e = expr_new(p->s, EX_CALL, at);
    e->callee = callee;
    e->args = args->exprs;
    e->arg_names = args->names;
    return e;
}

Expr *tree_index(Parser *p, Span at, Expr *a, const SubVec *subs) {
    Expr *e = expr_new(p->s, EX_INDEX, at);
    e->a = a;
    e->subs = *subs;
    return e;
}

Expr *tree_field(Parser *p, Span at, Expr *a, const char *name) {
    Expr *e = expr_new(p->s, EX_FIELD, at);
    e->a = a;
    e->name = name;
    return e;
}

Expr *tree_list(Parser *p, Span at, ExprKind kind, const ExprVec *items) {
    Expr *e = expr_new(p->s, kind, at);
    if (items) e->args = *items;
    return e;
}

Expr *tree_comp(Parser *p, Span at, ExprKind kind, Expr *value, const GenVec *gens) {
    Expr *e = expr_new(p->s, kind, at);
    e->a = value;
    e->gens = *gens;
    return e;
}

/* [v for x in xs if c] and the same in a reduction; frontend/check_filter.c says what it means. */
Expr *tree_filter(Parser *p, Span at, ExprKind kind, Expr *value, const GenVec *gens, Expr *cond) {
    const Gen *g = &gens->data[0];
    Expr *e = tree_comp(p, at, kind, value, gens);
    e->c = cond;
    if (kind != EX_COMP || (gens->len == 1 && (g->hi || g->over))) return e;
    Diag *d = diag_report(p->s, cond->span, E_FILTER);
    if (gens->len == 1) diag_hint(p->s, d, "write its range: for %s in 0:n", g->name);
    return e;
}

Expr *tree_if(Parser *p, Span at, Expr *cond, Block *then_block, Block *else_block) {
    Expr *e = expr_new(p->s, EX_IF, at);
    e->a = cond;
    e->then_block = then_block;
    e->else_block = else_block;
    return e;
}

static void no_defaults(Parser *p, const ParamVec *params, const char *of) {
    for (int i = 0; i < params->len; i++)
        if (params->data[i].value) diag_report(p->s, params->data[i].value->span, E_DEFAULT_PLACE, of);
}

Expr *tree_lambda(Parser *p, Span at, const ParamVec *params, Expr *value) {
    Expr *e = expr_new(p->s, EX_LAMBDA, at);
    no_defaults(p, params, "a lambda");
    e->params = *params;
    e->a = value;
    return e;
}

/* if a = b: taken as a == b */
Expr *tree_condition(Parser *p, Span at, Expr *a, Expr *b, Span eq) {
    Diag *d = diag_report(p->s, eq, E_ASSIGN_IN_COND);
    diag_hint(p->s, d, "write '==' to compare");
    diag_fix(p->s, d, true, eq, "==");
    return tree_binary(p, at, OPR_EQ, a, b);
}

Args *tree_args(Parser *p) { return NEW(p->arena, Args); }

void tree_add_arg(Parser *p, Args *args, const char *name, Expr *value) {
    bool after_named = args->names.len && vec_last(&args->names);
    if (!name && after_named) diag_report(p->s, value->span, E_ARG_ORDER);
    vec_push(p->arena, &args->exprs, value);
    vec_push(p->arena, &args->names, name);
}

Sub *tree_sub(Parser *p, Span at, Expr *lo, Expr *hi, Expr *step, bool slice) {
    Sub *s = NEW(p->arena, Sub);
    s->kind = slice ? SUB_SLICE : SUB_INDEX;
    s->span = at;
    s->index = slice ? NULL : lo;
    s->lo = slice ? lo : NULL;
    s->hi = hi;
    s->step = step;
    return s;
}

Gen *tree_gen(Parser *p, Span at, const char *name, Expr *lo, Expr *hi, Expr *step) {
    Gen *g = NEW(p->arena, Gen);
    g->name = name;
    g->span = at;
    g->lo = lo;
    g->hi = hi;
    g->step = step;
    return g;
}

/* ---- statements */

Block *tree_block(Parser *p, Span at, const StmtVec *stmts) {
    Block *b = NEW(p->arena, Block);
    b->stmts = *stmts;
    b->span = at;
    return b;
}

Block *tree_block_of(Parser *p, Span at, Stmt *only) {
    StmtVec one = {0};
    vec_push(p->arena, &one, only);
    return tree_block(p, at, &one);
}

Stmt *tree_expr_stmt(Parser *p, Span at, Expr *e) {
    Stmt *st = stmt_new(p->s, e->kind == EX_IF ? ST_IF : ST_EXPR, at);
    st->a = e->kind == EX_IF ? e->a : e;
    st->body = e->then_block;
    st->else_body = e->else_block;
    return st;
}

static const char *const let_words[] = {[VAR_LET] = "let", [VAR_VAR] = "var", [VAR_CONST] = "const"};

Names *tree_take(Parser *p, Names *names, const char *name, Span at, const Names *inner) {
    if (inner) name = name_of_part(p->s, ++p->taken);
    vec_push(p->arena, &names->names, name);
    vec_push(p->arena, &names->spans, at);
    vec_push(p->arena, &names->inner, inner);
    return names;
}

void tree_push(Parser *p, StmtVec *to, Stmt *st) {
    vec_push(p->arena, to, st);
    for (int i = 0; i < p->later.len; i++) vec_push(p->arena, to, p->later.data[i]);
    p->later.len = 0;
}

static Stmt *let_of(Parser *p, Span at, VarKind kind, const Names *names, TypeExpr *type, Expr *value) {
    Stmt *st = stmt_new(p->s, ST_LET, at);
    st->var_kind = kind;
    st->names = names->names;
    for (int i = 0; i < names->spans.len; i++) vec_push(p->arena, &st->name_spans, names->spans.data[i]);
    st->type = type;
    st->a = value;
    if (value || (kind == VAR_VAR && type)) return st;
    Diag *d = diag_report(p->s, at, E_NEEDS_VALUE, let_words[kind], names->names.data[0]);
    if (kind == VAR_VAR)
        diag_hint(p->s, d, "give it a value or a type: var %s = 0.0, or var %s: f64", names->names.data[0],
                  names->names.data[0]);
    else diag_hint(p->s, d, "write %s %s = ...", let_words[kind], names->names.data[0]);
    return st;
}

/* let (a, b) = part.1, for what is taken apart itself */
static void take_apart(Parser *p, Span at, VarKind kind, const Names *names) {
    for (int i = 0; i < names->inner.len; i++) {
        if (!names->inner.data[i]) continue;
        Expr *part = expr_new(p->s, EX_NAME, names->spans.data[i]);
        part->name = names->names.data[i];
        vec_push(p->arena, &p->later, let_of(p, at, kind, names->inner.data[i], NULL, part));
        take_apart(p, at, kind, names->inner.data[i]);
    }
}

Stmt *tree_let(Parser *p, Span at, VarKind kind, const Names *names, TypeExpr *type, Expr *value) {
    Stmt *st = let_of(p, at, kind, names, type, value);
    take_apart(p, at, kind, names);
    return st;
}

/* What stands behind ## on the line on which a statement ends, or "" */
static const char *comment_behind(Parser *p, int at) {
    const char *c = p->text + at;
    while (*c == ' ' || *c == '\t') c++;
    if (strncmp(c, "##", 2)) return "";
    c += 2 + (c[2] == ' ');
    size_t n = strcspn(c, "\n");
    while (n && (c[n - 1] == ' ' || c[n - 1] == '\r' || c[n - 1] == '\t')) n--;
    return intern_n(p->s, c, n);
}

Stmt *tree_program_arg(Parser *p, Span at, const char *name, Span name_at, TypeExpr *type, Expr *value,
                       const char *above) {
    Stmt *st = stmt_new(p->s, ST_LET, at);
    const char *behind = comment_behind(p, at.hi);
    st->var_kind = VAR_LET;
    st->is_arg = true;
    st->default_at = value ? value->span : NO_SPAN;
    st->doc = above && *behind ? intern_printf(p->s, "%s\n%s", above, behind) : above ? above : behind;
    vec_push(p->arena, &st->names, name);
    vec_push(p->arena, &st->name_spans, name_at);
    st->type = type;
    st->a = value;
    return st;
}

/* What may stand left of `=`: a name, an element, a field, or a tuple of these. */
static bool assignable(Parser *p, const Expr *e, int depth) {
    switch (e->kind) {
    case EX_NAME: return true;
    case EX_INDEX: case EX_FIELD:
        while (e->kind == EX_INDEX || e->kind == EX_FIELD) e = e->a;
        if (e->kind == EX_NAME) return true;
        break;
    case EX_TUPLE:
        for (int i = 0; i < e->args.len && depth; i++)
            if (!assignable(p, e->args.data[i], depth - 1)) return false;
        if (depth) return true;
        break;
    default: break;
    }
    Diag *d = diag_report(p->s, e->span, E_BAD_TARGET);
    if (e->kind == EX_CALL) diag_hint(p->s, d, "elements stand in square brackets, x[0]; the first has the index 0");
    return false;
}

Stmt *tree_assign(Parser *p, Span at, Expr *target, Opr op, Expr *value) {
    Stmt *st = stmt_new(p->s, ST_ASSIGN, at);
    st->target = target;
    st->op = op;
    st->a = value;
    assignable(p, target, 1);
    return st;
}

Stmt *tree_atomic(Parser *p, Span at, Expr *target, Opr op, Expr *value, Span op_at) {
    Stmt *st = stmt_new(p->s, ST_ATOMIC, at);
    st->target = target;
    st->op = op;
    st->a = value;
    assignable(p, target, 0);
    switch (op) {
    case OPR_NONE:
    case OPR_ADD:
    case OPR_SUB:
    case OPR_MUL:
    case OPR_MIN:
    case OPR_MAX:
    case OPR_BITAND:
    case OPR_BITOR:
    case OPR_BITXOR: break;
    default: diag_report(p->s, op_at, E_ATOMIC_OP);
    }
    return st;
}

Stmt *tree_atomic_read(Parser *p, Span at, Expr *target) {
    Stmt *st = stmt_new(p->s, ST_ATOMIC, at);
    st->target = target;
    assignable(p, target, 0);
    return st;
}

Stmt *tree_atomic_old(Parser *p, Span at, Stmt *atomic, VarKind kind, const Names *names, TypeExpr *type) {
    Stmt *let = tree_let(p, at, kind, names, type, atomic->target);
    atomic->span = at;
    atomic->var_kind = kind;
    atomic->names = let->names;
    atomic->name_spans = let->name_spans;
    atomic->type = type;
    return atomic;
}

Opr tree_min_max(Parser *p, Span at, const char *name) {
    bool min = !strcmp(name, "min"), max = !strcmp(name, "max");
    if (!min && !max) diag_report(p->s, at, E_ATOMIC_OP);
    return min ? OPR_MIN : max ? OPR_MAX : OPR_ADD;
}

static void report_no_range(Parser *p, const GenVec *gens) {
    for (int i = 0; i < gens->len; i++) {
        if (gens->data[i].hi || gens->data[i].over) continue;
        Diag *d = diag_report(p->s, gens->data[i].span, E_LOOP_RANGE);
        diag_hint(p->s, d, "write %s in 0:n", gens->data[i].name);
    }
}

/* for i in 0:n, j in 0:m; or for k, x in xs, which elsewhere counts */
static void report_gens(Parser *p, const GenVec *gens) {
    const Gen *first = &gens->data[0], *second = &gens->data[1];
    Diag *d = diag_report(p->s, second->span, E_FOR_AXES);
    const Expr *call = second->over && second->over->kind == EX_CALL ? second->over->callee : NULL;
    if (call && call->kind == EX_NAME && !strcmp(call->name, "zip"))
        diag_hint(p->s, d, "for both arrays: for i in 0:len(xs) { let %s = xs[i]; let %s = ys[i] ... }", first->name,
                  second->name);
    else if (!first->hi && !first->over && second->over)
        diag_hint(p->s, d, "for the index, too: for %s in 0:len(xs) { let %s = xs[%s] ... }", first->name, second->name,
                  first->name);
    else
        diag_hint(p->s, d,
                  "put a second 'for' into the body, or write 'parallel for' if no iteration needs another's result");
}

Stmt *tree_for(Parser *p, Span at, const GenVec *gens, Block *body, bool parallel, bool progress) {
    Stmt *st = stmt_new(p->s, ST_FOR, at);
    st->gens = *gens;
    st->body = body;
    st->parallel = parallel;
    st->progress = progress;
    if (gens->len > 1 && !parallel) report_gens(p, gens);
    else report_no_range(p, gens);
    return st;
}

Stmt *tree_checkpoint(Parser *p, Span at, const char *name, Span name_at, Gen *over, Block *body) {
    GenVec gens = {0};
    over->name = name;
    over->span = name_at;
    vec_push(p->arena, &gens, *over);
    Stmt *st = tree_for(p, at, &gens, body, false, false);
    st->checkpoint = true;
    return st;
}

/* [grid, block]; a tuple stands for several axes */
static bool launch_axes(Parser *p, ExprVec *axes, Expr *e) {
    if (e->kind != EX_TUPLE) vec_push(p->arena, axes, e);
    else *axes = e->args;
    return axes->len >= 1 && axes->len <= 3;
}

Stmt *tree_launch(Parser *p, Span at, const char *name, Span name_at, const ExprVec *config, Span config_at,
                   const Args *args) {
    Stmt *st = stmt_new(p->s, ST_LAUNCH, at);
    st->name = name;
    st->name_span = name_at;
    st->args = args->exprs;
    for (int i = 0; i < args->names.len; i++)
        if (args->names.data[i]) diag_report(p->s, args->exprs.data[i]->span, E_LAUNCH_NAMED, args->names.data[i]);
    bool ok = config->len == 2 && launch_axes(p, &st->grid, config->data[0]) &&
              launch_axes(p, &st->block, config->data[1]);
    if (!ok) {
        Diag *d = diag_report(p->s, config_at, E_LAUNCH_AXES);
        diag_hint(p->s, d, "write launch %s[grid, block](...), or %s[(gx, gy), (bx, by)](...)", name, name);
    }
    return st;
}

/* ---- types and declarations */

TypeExpr *tree_type(Parser *p, Span at, TypeExprKind kind, const char *name, TypeExpr *elem) {
    TypeExpr *t = NEW(p->arena, TypeExpr);
    t->kind = kind;
    t->span = at;
    t->name = name;
    t->elem = elem;
    return t;
}

TypeExpr *tree_tuple_type(Parser *p, Span at, const TypeExprVec *items) {
    TypeExpr *t = tree_type(p, at, TX_TUPLE, NULL, NULL);
    t->items = *items;
    return t;
}

/* dims NULL: [..]; the name _ stands for any size. */
TypeExpr *tree_array_type(Parser *p, Span at, TypeExpr *elem, const ExprVec *dims) {
    TypeExpr *t = tree_type(p, at, TX_ARRAY, NULL, elem);
    t->any_rank = !dims;
    for (int i = 0; dims && i < dims->len; i++) {
        Expr *e = dims->data[i];
        bool any = e->kind == EX_NAME && !strcmp(e->name, "_");
        vec_push(p->arena, &t->dims, any ? NULL : e);
    }
    return t;
}

Param *tree_param(Parser *p, Span at, const char *name, Mode mode, bool has_mode, TypeExpr *type) {
    Param *q = NEW(p->arena, Param);
    q->name = name;
    q->span = at;
    q->type = type;
    q->mode = mode;
    q->has_mode = has_mode;
    return q;
}

static bool is_literal(const Expr *e) {
    if (e->kind == EX_UNARY && e->op == OPR_NEG) return e->a->kind == EX_INT || e->a->kind == EX_FLOAT;
    return e->kind == EX_INT || e->kind == EX_FLOAT || e->kind == EX_BOOL || e->kind == EX_STR;
}

void tree_default(Parser *p, Param *q, Expr *value) {
    q->value = value;
    if (!is_literal(value)) diag_report(p->s, value->span, E_DEFAULT_VALUE, q->name);
}

Decl *tree_decl(Parser *p, Span at, DeclKind kind, const char *name, Span name_at, const char *doc) {
    Decl *d = NEW(p->arena, Decl);
    d->kind = kind;
    d->span = at;
    d->name = name;
    d->name_span = name_at;
    d->doc = doc;
    return d;
}

Decl *tree_rule(Parser *p, Decl *fn, RuleKind kind) {
    fn->rule = kind;
    fn->rule_of = fn->name;
    fn->name = rule_name(p->s, fn->name, kind);
    return fn;
}

void tree_set_params(Parser *p, Decl *d, const ParamVec *params) {
    if (d->kind == DECL_KERNEL) no_defaults(p, params, "a kernel");
    d->params = *params;
    for (int i = 0; i < params->len; i++) {
        const Param *q = &params->data[i];
        if (!q->type) {
            Diag *g = diag_report(p->s, q->span, E_PARAM_TYPE, q->name);
            diag_hint(p->s, g, "write %s: f64, or %s: f64[n] for an array", q->name, q->name);
        }
        if (q->has_mode && d->kind != DECL_KERNEL) {
            Diag *g = diag_report(p->s, q->span, E_MODE, q->name);
            diag_hint(p->s, g, "a function returns its result; kernels write into 'out' and 'inout' parameters");
        }
        if (i > 0 && params->data[i - 1].value && !q->value) diag_report(p->s, q->span, E_DEFAULT_ORDER, q->name);
    }
}
