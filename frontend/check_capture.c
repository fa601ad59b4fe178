/* What a lambda captures: variables of the function around it are passed to its instances in extra parameters, whose
 * types are those at home with fresh size symbols. */
#include "frontend/check.h"

static const Size *subst_sym(void *ctx, const char *sym) { return map_get((const Map *)ctx, sym); }

static bool var_has_no_value(const Var *v) {
    FTypeKind k = v->type->kind;
    return v->has_const || v->const_expr || k == FT_FUNC || k == FT_TYPE || k == FT_ERROR;
}

/* Bare sizes of a captured array become sizes of the instance. */
static void map_dims(Check *c, InstInfo *inst, const FType *t, Map *to, Span at) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (!sym || map_has(to, sym)) continue;
        const char *made = sym_fresh(c, sym, at, NULL);
        inst_add_size(c, inst, made, made, at, false);
        map_put(c->a, to, sym, (void *)size_sym(c->s, made));
    }
    for (int i = 0; i < t->nfields; i++) map_dims(c, inst, t->fields[i], to, at);
}

static Var *add_capture(Check *c, InstInfo *inst, const Cap *cap) {
    Var *v = var_new(c, VAR_PARAM, cap->var->name, cap->var->span, cap->var->type);
    CapBind bind = {cap->of, cap->var, v};
    vec_push(c->a, &inst->inst.params, v);
    vec_push(c->a, &inst->fn->caps, bind);
    return v;
}

/* Parameters for the captures that belong to `of`, whose types are in the symbols of of->home. */
static void add_captures_of(Check *c, InstInfo *inst, const Lam *lam, const Lam *of) {
    Map to = {0};
    int first = inst->inst.params.len;
    for (int i = 0; i < lam->caps.len; i++) {
        const Cap *cap = &lam->caps.data[i];
        if (cap->of != of) continue;
        Var *v = add_capture(c, inst, cap);
        if (!type_is_scalar(v->type, DT_I64) || (cap->var->size && !cap->var->sym)) continue;
        var_give_sym(c, v);
        if (cap->var->sym) map_put(c->a, &to, cap->var->sym, (void *)v->size);
    }
    for (int i = first; i < inst->inst.params.len; i++)
        map_dims(c, inst, inst->inst.params.data[i]->type, &to, inst->inst.params.data[i]->span);
    for (int i = first; i < inst->inst.params.len; i++) {
        Var *v = inst->inst.params.data[i];
        const Var *outer = inst->fn->caps.data[inst->fn->caps.len - (inst->inst.params.len - i)].outer;
        v->type = ftype_subst(c->s, v->type, subst_sym, &to);
        if (!v->size && outer->size) v->size = size_subst(c->s, outer->size, subst_sym, &to);
    }
}

static bool has_captures_of(const Fn *fn, const Lam *of) {
    for (int i = 0; i < fn->caps.len; i++)
        if (fn->caps.data[i].of == of) return true;
    return false;
}

void inst_add_captures(Check *c, InstInfo *inst, const Lam *lam) {
    for (int i = 0; i < lam->caps.len; i++)
        if (!has_captures_of(inst->fn, lam->caps.data[i].of)) add_captures_of(c, inst, lam, lam->caps.data[i].of);
}

Var *capture_local(const Fn *fn, const Lam *of, const Var *outer) {
    for (int i = 0; i < fn->caps.len; i++)
        if (fn->caps.data[i].of == of && fn->caps.data[i].outer == outer) return fn->caps.data[i].local;
    return NULL;
}

void push_captures(Check *c, ExprVec *args, const InstInfo *inst, Span at) {
    for (int i = 0; i < inst->fn->caps.len; i++) {
        const CapBind *cap = &inst->fn->caps.data[i];
        Var *v = capture_local(c->fn, cap->of, cap->outer);
        if (!v && c->fn == cap->of->home) v = cap->outer;
        if (!v) bug("'%s' is not passed on to '%s'", cap->outer->name, inst->inst.name);
        Expr *e = expr_name(c->s, at, v->name);
        e->var = v;
        e->type = v->type;
        e->size = v->size;
        v->used = true;
        vec_push(c->a, args, e);
    }
}

static bool has_cap(const Lam *lam, const Lam *of, const Var *v) {
    for (int i = 0; i < lam->caps.len; i++)
        if (lam->caps.data[i].of == of && lam->caps.data[i].var == v) return true;
    return false;
}

static void add_cap(Check *c, Lam *lam, Lam *of, Var *v) {
    if (has_cap(lam, of, v)) return;
    Cap cap = {of, v};
    v->used = true;
    vec_push(c->a, &lam->caps, cap);
}

typedef struct { Check *c; Lam *lam; Map seen; } Capture;

static void capture_name(void *ctx, Expr *e) {
    Capture *cap = ctx;
    Check *c = cap->c;
    if (e->kind != EX_NAME || e->of_library || map_has(&cap->seen, e->name)) return;
    map_put(c->a, &cap->seen, e->name, e);
    Var *v = scope_find(c, e->name);
    if (!v) return;
    NamedVar named = {e->name, v};
    vec_push(c->a, &cap->lam->names, named);
    v->used = true;
    if (v->type->kind == FT_FUNC && v->type->lambda) {
        const Lam *inner = map_get(&c->lams, v->type->lambda);
        for (int i = 0; inner && i < inner->caps.len; i++)
            add_cap(c, cap->lam, inner->caps.data[i].of, inner->caps.data[i].var);
    }
    if (!var_has_no_value(v)) add_cap(c, cap->lam, cap->lam, v);
}

typedef struct { Check *c; Lam *lam; Map defined; Span at; } SymCapture;

static void define_bare(SymCapture *sc, const FType *t) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym) map_put(sc->c->a, &sc->defined, sym, sc->lam);
    }
    for (int i = 0; i < t->nfields; i++) define_bare(sc, t->fields[i]);
}

/* A symbol that no captured array or int defines is captured itself. */
static void capture_sym(void *ctx, const char *sym) {
    SymCapture *sc = ctx;
    if (map_has(&sc->defined, sym)) return;
    map_put(sc->c->a, &sc->defined, sym, sc->lam);
    Var *v = var_new(sc->c, VAR_SIZE, sym, sc->at, ftype_scalar(sc->c->s, DT_I64));
    v->sym = sym;
    v->size = size_sym(sc->c->s, sym);
    add_cap(sc->c, sc->lam, sc->lam, v);
}

static void capture_type_syms(SymCapture *sc, const FType *t) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) size_each_sym(t->dims[i], capture_sym, sc);
    for (int i = 0; i < t->nfields; i++) capture_type_syms(sc, t->fields[i]);
}

static void capture_syms(Check *c, Lam *lam) {
    SymCapture sc = {c, lam, {0}, lam->expr->span};
    int n = lam->caps.len;
    for (int i = 0; i < n; i++) {
        if (lam->caps.data[i].of != lam) continue;
        const Var *v = lam->caps.data[i].var;
        define_bare(&sc, v->type);
        if (v->sym) map_put(c->a, &sc.defined, v->sym, lam);
    }
    for (int i = 0; i < n; i++) {
        if (lam->caps.data[i].of != lam) continue;
        const Var *v = lam->caps.data[i].var;
        capture_type_syms(&sc, v->type);
        if (v->size) size_each_sym(v->size, capture_sym, &sc);
    }
}

Lam *lambda_of(Check *c, Expr *e) {
    Lam *lam = map_get(&c->lams, e);
    if (lam) return lam;
    lam = NEW(c->a, Lam);
    map_put(c->a, &c->lams, e, lam);
    lam->expr = e;
    lam->home = c->fn;
    Capture cap = {c, lam, {0}};
    for (int i = 0; i < e->params.len; i++) map_put(c->a, &cap.seen, e->params.data[i].name, e);
    Walk w = {.expr = capture_name, .ctx = &cap};
    walk_expr(&w, e);
    capture_syms(c, lam);
    return lam;
}
