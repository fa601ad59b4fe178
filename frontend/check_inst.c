/* Instances: a function, kernel or lambda for one choice of element types and function arguments.
 *
 * The signature is made first; the body is checked from a queue, or at once when the result's type is not written.
 * Functions given as arguments are part of the choice and vanish; what a lambda captured is passed
 * to the instance in extra parameters, whose types are those at home with fresh size symbols. */
#include "frontend/check.h"

#include <string.h>

enum { MAX_DEPTH = 100, MAX_INFER = 100 };

bool decl_is_std(const Check *c, const Decl *d) { return map_has(&c->std_files, (void *)(intptr_t)(d->span.file + 1)); }

/* ---- sizes replaced by symbols */

static const Size *erase_size(Check *c, const Size *z, Map *seen, int *count, const char *base) {
    if (size_is_const(z, NULL)) return z;
    const Size *sym = map_get(seen, z);
    if (sym) return sym;
    sym = size_sym(c->s, intern_printf(c->s, "%s.%d", base, (*count)++));
    map_put(c->a, seen, z, (void *)sym);
    return sym;
}

const FType *type_erase(Check *c, const FType *t, Map *seen, int *count, const char *base) {
    if (t->kind == FT_ARRAY) {
        const Size *dims[MAX_RANK];
        for (int i = 0; i < t->rank; i++) dims[i] = erase_size(c, t->dims[i], seen, count, base);
        return ftype_array(c->s, t->elem, t->rank, dims);
    }
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return t;
    const FType **fields = NEWN(c->a, const FType *, t->nfields);
    for (int i = 0; i < t->nfields; i++) fields[i] = type_erase(c, t->fields[i], seen, count, base);
    return t->kind == FT_TUPLE ? ftype_tuple(c->s, t->nfields, fields) : ftype_struct(c->s, t->decl, t->nfields, fields, t->names);
}

void match_sizes(Check *c, Map *found, const FType *p, const FType *t) {
    if (p->kind != t->kind || p->rank != t->rank || p->nfields != t->nfields) return;
    for (int i = 0; i < p->rank; i++) {
        const char *sym = size_as_sym(p->dims[i]);
        if (sym && !map_has(found, sym)) map_put(c->a, found, sym, (void *)t->dims[i]);
    }
    for (int i = 0; i < p->nfields; i++) match_sizes(c, found, p->fields[i], t->fields[i]);
}

/* ---- making an instance */

static const char *unique_name(Check *c, const char *base) {
    const char *key = intern(c->s, base), *name = key;
    intptr_t n = (intptr_t)map_get(&c->inst_names, key);
    if (n) name = intern_printf(c->s, "%s.%d", base, (int)n + 1);
    map_put(c->a, &c->inst_names, key, (void *)(n + 1));
    return name;
}

static InstInfo *inst_new(Check *c, Decl *d, const char *base, Span at, FnKind kind) {
    InstInfo *inst = NEW(c->a, InstInfo);
    inst->inst.decl = d;
    inst->inst.name = unique_name(c, base);
    inst->asked_at = at;
    inst->asked_by = c->fn ? c->fn->inst : NULL;
    bool generic = !d || d->generic; /* the others are finitely many */
    inst->depth = generic && inst->asked_by ? inst->asked_by->depth + 1 : 0;
    inst->fn = fn_new(c, kind, base);
    inst->fn->inst = inst;
    vec_push(c->a, &c->all, inst);
    return inst;
}

static Fn *enter(Check *c, InstInfo *inst) {
    Fn *saved = c->fn;
    inst->fn->outer = saved;
    c->fn = inst->fn;
    return saved;
}

/* A size of the instance, with symbol sym (already registered) */
static void add_size(Check *c, InstInfo *inst, const char *name, const char *sym, Span at, bool visible) {
    Var *v = var_new(c, VAR_SIZE, name, at, ftype_scalar(c->s, DT_I64));
    v->sym = sym;
    v->size = size_sym(c->s, sym);
    vec_push(c->a, &inst->inst.sizes, v);
    if (visible) scope_define(c, v);
}

static void register_sym(Check *c, const char *sym, Span at, const char *what) {
    SymInfo *info = NEW(c->a, SymInfo);
    *info = (SymInfo){sym, at, what, c->fn->depth, false};
    map_put(c->a, &c->fn->syms, sym, info);
}

typedef struct { Check *c; InstInfo *inst; Span at; } Adopt;

static void adopt_sym(void *ctx, const char *sym) {
    Adopt *a = ctx;
    if (map_has(&a->c->fn->syms, sym)) return;
    register_sym(a->c, sym, a->at, NULL);
    add_size(a->c, a->inst, sym, sym, a->at, false);
}

/* Makes the symbols of an erased type sizes of the instance. */
static void adopt_type(Check *c, InstInfo *inst, const FType *t, Span at) {
    Adopt a = {c, inst, at};
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) size_each_sym(t->dims[i], adopt_sym, &a);
    for (int i = 0; i < t->nfields; i++) adopt_type(c, inst, t->fields[i], at);
}

/* ---- what lambdas captured */

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
        add_size(c, inst, made, made, at, false);
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
    for (int i = first; i < inst->inst.params.len; i++) map_dims(c, inst, inst->inst.params.data[i]->type, &to, inst->inst.params.data[i]->span);
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

static void add_captures(Check *c, InstInfo *inst, const Lam *lam) {
    for (int i = 0; i < lam->caps.len; i++)
        if (!has_captures_of(inst->fn, lam->caps.data[i].of)) add_captures_of(c, inst, lam, lam->caps.data[i].of);
}

static Var *local_of(const Fn *fn, const Lam *of, const Var *outer) {
    for (int i = 0; i < fn->caps.len; i++)
        if (fn->caps.data[i].of == of && fn->caps.data[i].outer == outer) return fn->caps.data[i].local;
    return NULL;
}

void push_captures(Check *c, ExprVec *args, const InstInfo *inst, Span at) {
    for (int i = 0; i < inst->fn->caps.len; i++) {
        const CapBind *cap = &inst->fn->caps.data[i];
        Var *v = local_of(c->fn, cap->of, cap->outer);
        if (!v && c->fn == cap->of->home) v = cap->outer;
        if (!v) bug("'%s' is not passed on to '%s'", cap->outer->name, inst->inst.name);
        Expr *e = expr_new(c->s, EX_NAME, at);
        e->name = v->name;
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
    if (e->kind != EX_NAME || map_has(&cap->seen, e->name)) return;
    map_put(c->a, &cap->seen, e->name, e);
    Var *v = scope_find(c, e->name);
    if (!v) return;
    NamedVar named = {e->name, v};
    vec_push(c->a, &cap->lam->names, named);
    v->used = true;
    if (v->type->kind == FT_FUNC && v->type->lambda) {
        const Lam *inner = map_get(&c->lams, v->type->lambda);
        for (int i = 0; inner && i < inner->caps.len; i++) add_cap(c, cap->lam, inner->caps.data[i].of, inner->caps.data[i].var);
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

/* ---- signatures */

const FType *binding_find(const Bindings *b, const char *name) {
    for (int i = 0; b && i < b->v.len; i++)
        if (b->v.data[i].name == name) return b->v.data[i].type;
    return NULL;
}

static bool is_int_type(const Check *c, const TypeExpr *tx) {
    return tx && tx->kind == TX_NAME && (tx->name == c->n_int || !strcmp(tx->name, "i64"));
}

static Var *define_param(Check *c, InstInfo *inst, Param *p, const FType *type) {
    Var *v = var_new(c, VAR_PARAM, p->name, p->span, type);
    v->mode = p->mode;
    p->var = v;
    if (type->kind != FT_FUNC) vec_push(c->a, &inst->inst.params, v);
    return v;
}

static const char *ordinal(int i) {
    static const char *const words[MAX_RANK] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"};
    return words[i < MAX_RANK ? i : MAX_RANK - 1];
}

/* Bare unknown names among the dims of a parameter's type become sizes of the function. */
static void define_sizes(Check *c, InstInfo *inst, const TypeExpr *tx, const Param *p) {
    if (!tx || tx->kind == TX_FUNC) return;
    for (int i = 0; i < tx->dims.len; i++) {
        const Expr *dim = tx->dims.data[i];
        if (!dim || dim->kind != EX_NAME || scope_find(c, dim->name)) continue;
        const Global *g = global_find(c, dim->name);
        if (g && g->kind == GL_CONST) continue;
        const char *what = tx->dims.len == 1 ? "the size" : intern_printf(c->s, "the %s size", ordinal(i));
        const char *sym = sym_fresh(c, dim->name, dim->span, intern_printf(c->s, "%s of '%s'", what, p->name));
        add_size(c, inst, dim->name, sym, dim->span, true);
    }
    define_sizes(c, inst, tx->elem, p);
    for (int i = 0; i < tx->items.len; i++) define_sizes(c, inst, tx->items.data[i], p);
}

/* ---- sizes inside expressions */

typedef struct { Check *c; Expr *found; int n; } Unknowns;

static void look_for_unknown(void *ctx, Expr *e) {
    Unknowns *u = ctx;
    if (e->kind != EX_NAME || scope_find(u->c, e->name)) return;
    const Global *g = global_find(u->c, e->name);
    if ((g && g->kind == GL_CONST) || map_has(&u->c->builtins, e->name)) return;
    u->n += !u->found || u->found->name != e->name;
    u->found = e;
}

static void define_as_error(void *ctx, Expr *e) {
    Unknowns u = {((Unknowns *)ctx)->c, NULL, 0};
    look_for_unknown(&u, e);
    if (u.n) scope_define(u.c, var_new(u.c, VAR_SIZE, e->name, e->span, &ftype_error));
}

static void report_two_unknown(Check *c, Expr *dim, const Expr *found) {
    Unknowns u = {c, NULL, 0};
    Walk w = {.expr = define_as_error, .ctx = &u};
    Diag *d = report(c, found->span, E_SIZE_UNSOLVED, found->name);
    diag_hint(c->s, d, "let it be a size by itself in another parameter, or pass it: %s: int", found->name);
    walk_expr(&w, dim);
}

/* The only unknown name in f64[2*n]: n becomes an int parameter that calls compute from the size. */
static void define_solved(Check *c, InstInfo *inst, const Param *p, int index) {
    const TypeExpr *tx = p->type;
    if (!tx || tx->kind != TX_ARRAY) return;
    for (int i = 0; i < tx->dims.len; i++) {
        Unknowns u = {c, NULL, 0};
        Walk w = {.expr = look_for_unknown, .ctx = &u};
        walk_expr(&w, tx->dims.data[i]);
        if (u.n > 1) report_two_unknown(c, tx->dims.data[i], u.found);
        if (u.n != 1) continue;
        Var *v = var_new(c, VAR_PARAM, u.found->name, u.found->span, ftype_scalar(c->s, DT_I64));
        var_give_sym(c, v);
        ((SymInfo *)map_get(&c->fn->syms, v->sym))->what = intern_printf(c->s, "found from the size of '%s'", p->name);
        scope_define(c, v);
        Solved s = {.sym = v->sym, .param = index, .axis = i, .var = v, .span = u.found->span};
        vec_push(c->a, &inst->solved, s);
    }
}

typedef struct { const char *sym; const Size *to; } One;

static const Size *subst_one(void *ctx, const char *sym) { return ((One *)ctx)->sym == sym ? ((One *)ctx)->to : NULL; }

static void report_unsolved(Check *c, const Solved *s) {
    Diag *d = report(c, s->span, E_SIZE_UNSOLVED, s->var->name);
    diag_hint(c->s, d, "let it be a size by itself in another parameter, or pass it: %s: int", s->var->name);
}

/* Writes the axis as a*n + b; the parameter itself follows the declared ones. */
static void solve_sizes(Check *c, InstInfo *inst, const Decl *d) {
    for (int i = 0; i < inst->solved.len; i++) {
        Solved *s = &inst->solved.data[i];
        const FType *t = inst->inst.params.data[s->param]->type;
        s->self = inst->inst.params.len;
        s->a = s->b = size_const(c->s, 1);
        vec_push(c->a, &inst->inst.params, s->var);
        if (t->kind != FT_ARRAY) continue;
        One zero = {s->sym, size_const(c->s, 0)}, one = {s->sym, size_const(c->s, 1)};
        const Size *dim = t->dims[s->axis], *n = size_sym(c->s, s->sym);
        s->b = size_subst(c->s, dim, subst_one, &zero);
        s->a = size_sub(c->s, size_subst(c->s, dim, subst_one, &one), s->b);
        int64_t k;
        bool linear = size_is_const(s->a, &k) && k > 0 && size_add(c->s, size_mul(c->s, s->a, n), s->b) == dim;
        if (!linear || d->is_extern || d->is_export) report_unsolved(c, s);
        if (!linear) s->a = size_const(c->s, 1);
    }
}

static const FType *param_type(Check *c, InstInfo *inst, const Param *p, const Bindings *b) {
    NewSizes fresh = {0};
    const TypeExpr *tx = p->type;
    if (!tx) return report(c, p->span, E_PARAM_TYPE, p->name), &ftype_error;
    if (tx->kind == TX_FUNC || (tx->kind == TX_ARRAY && tx->any_rank)) {
        const FType *t = binding_find(b, p->name);
        if (t) adopt_type(c, inst, t, p->span);
        return t ? t : &ftype_error;
    }
    const FType *t = type_resolve(c, tx, &fresh);
    for (int i = 0; i < fresh.len; i++) {
        const NewSize *n = &fresh.data[i];
        SymInfo *info = map_get(&c->fn->syms, n->sym);
        info->what = n->field ? intern_printf(c->s, "a size of '%s'", p->name) : intern_printf(c->s, "a size of '%s'", p->name);
        add_size(c, inst, n->sym, n->sym, n->span, false);
    }
    return t;
}

/* Parameters: ints first, since sizes may be built from them; then names of sizes; then types. */
static void define_params(Check *c, InstInfo *inst, ParamVec *params, const Bindings *b) {
    Var **ints = NEWN(c->a, Var *, params->len);
    for (int i = 0; i < params->len; i++) {
        Param *p = &params->data[i];
        if (!is_int_type(c, p->type)) continue;
        ints[i] = var_new(c, VAR_PARAM, p->name, p->span, ftype_scalar(c->s, DT_I64));
        ints[i]->mode = p->mode;
        var_give_sym(c, ints[i]);
        ((SymInfo *)map_get(&c->fn->syms, ints[i]->sym))->what = intern_printf(c->s, "the parameter '%s'", p->name);
        scope_define(c, ints[i]);
    }
    for (int i = 0; i < params->len; i++) define_sizes(c, inst, params->data[i].type, &params->data[i]);
    for (int i = 0, at = 0; i < params->len; i++) {
        define_solved(c, inst, &params->data[i], at);
        at += !params->data[i].type || params->data[i].type->kind != TX_FUNC;
    }
    for (int i = 0; i < params->len; i++) {
        Param *p = &params->data[i];
        if (ints[i]) {
            p->var = ints[i];
            vec_push(c->a, &inst->inst.params, ints[i]);
            continue;
        }
        Var *v = define_param(c, inst, p, param_type(c, inst, p, b));
        scope_define(c, v);
        if (type_is_scalar(v->type, DT_I64)) var_give_sym(c, v);
    }
}

/* The declared result; its unknown sizes are whatever the value has. */
static void define_result(Check *c, InstInfo *inst, Decl *d) {
    NewSizes fresh = {0};
    const FType *ret = NULL;
    bool open = d->ret && d->ret->kind == TX_ARRAY && d->ret->any_rank;
    if (open && d->is_extern) { /* like the first array of any rank */
        for (int i = 0; i < d->params.len && !ret; i++)
            if (d->params.data[i].type && d->params.data[i].type->any_rank) ret = d->params.data[i].var->type;
    } else if (d->ret && !open) {
        ret = type_resolve(c, d->ret, &fresh);
    } else if (!d->ret && !d->expr_body) {
        ret = &ftype_unit;
    }
    for (int i = 0; i < fresh.len; i++) {
        ((SymInfo *)map_get(&c->fn->syms, fresh.data[i].sym))->what = "a size of the result";
        map_put(c->a, &c->fn->exist, fresh.data[i].sym, inst);
    }
    c->fn->ret = ret;
    inst->inst.ret = ret;
}

static void make_signature(Check *c, InstInfo *inst, Decl *d, const Bindings *b) {
    const DeclInfo *info = decl_info(c, d);
    inst->fn->is_std = decl_is_std(c, d);
    for (int i = 0; b && i < b->v.len; i++) vec_push(c->a, &inst->inst.types, b->v.data[i]);
    for (int i = 0; i < info->tvars.len; i++) {
        const FType *t = binding_find(b, info->tvars.data[i]);
        TypeBind bind = {info->tvars.data[i], t ? t : &ftype_error};
        vec_push(c->a, &inst->fn->types, bind);
        if (t) adopt_type(c, inst, t, d->name_span);
    }
    define_params(c, inst, &d->params, b);
    solve_sizes(c, inst, d);
    for (int i = 0; b && i < b->v.len; i++) {
        const FType *t = b->v.data[i].type;
        if (t->kind == FT_FUNC && t->lambda) add_captures(c, inst, map_get(&c->lams, t->lambda));
    }
    define_result(c, inst, d);
}

/* ---- bodies */

static void check_result_value(Check *c, InstInfo *inst, Expr *e) {
    Reason why = {.what = "the result"};
    Fn *fn = c->fn;
    e = check_value(c, e, fn->ret);
    if (fn->ret && !is_error(e)) {
        const FType *to = type_fill(c, fn->ret, &fn->exist, e->type);
        why.note = inst->inst.decl && inst->inst.decl->ret ? "the declared result" : NULL;
        why.note_at = why.note ? inst->inst.decl->ret->span : NO_SPAN;
        e = coerce(c, e, to, &why);
    } else if (!is_error(e)) {
        e = unflex(c, e);
        inst->inst.ret = fn->ret = e->type;
    } else if (!fn->ret) {
        inst->inst.ret = fn->ret = &ftype_error;
    }
    inst->inst.expr_body = e;
}

static void check_body(Check *c, InstInfo *inst) {
    Decl *d = inst->inst.decl;
    Fn *fn = inst->fn;
    Block *body = d->generic && d->body ? block_clone(c->s, d->body) : d->body;
    inst->inst.body = fn->body = body;
    if (d->expr_body) {
        check_result_value(c, inst, d->generic ? expr_clone(c->s, d->expr_body) : d->expr_body);
        return;
    }
    if (!body) return;
    int errors = diag_error_count(c->s);
    bool falls = check_block(c, body);
    if (!fn->ret) inst->inst.ret = fn->ret = &ftype_unit; /* T[..] and nothing returned: reported below */
    if (falls && d->ret && fn->ret->kind != FT_ERROR) {
        Span end = {body->span.file, body->span.hi > 0 ? body->span.hi - 1 : 0, body->span.hi};
        Diag *diag = report(c, end, E_MISSING_RETURN, d->name);
        diag_note(c->s, diag, d->ret->span, "a result is declared here");
        diag_hint(c->s, diag, "end every path with `return ...`");
    }
    if (d->kind == DECL_KERNEL && errors == diag_error_count(c->s)) check_uniform(c, &inst->inst);
}

static void check_inst(Check *c, InstInfo *inst) {
    if (inst->state != INST_NEW) return;
    int nesting = c->nesting;
    Fn *saved = enter(c, inst);
    inst->state = INST_BUSY;
    c->nesting = 0;
    check_body(c, inst);
    inst->state = INST_READY;
    c->nesting = nesting;
    c->fn = saved;
}

void inst_run_queue(Check *c) {
    while (c->queue_at < c->queue.len) check_inst(c, c->queue.data[c->queue_at++]);
}

static bool too_deep(Check *c, const InstInfo *inst, Span at) {
    if (inst->depth > MAX_DEPTH) {
        Diag *d = report(c, at, E_INSTANCE_DEPTH, inst->inst.decl ? inst->inst.decl->name : "this function", MAX_DEPTH);
        diag_hint(c->s, d, "each call needs an instance with other types or functions: the chain never ends");
        return true;
    }
    if (c->infer_depth <= MAX_INFER) return false;
    diag_hint(c->s, report(c, at, E_INFER_DEPTH, inst->inst.name), "write the result type of '%s': fn f(..) -> type", inst->inst.decl->name);
    return true;
}

/* Checks the body now, to learn the type of the result. */
static void infer_result(Check *c, InstInfo *inst) {
    c->infer_depth++;
    check_inst(c, inst);
    c->infer_depth--;
}

static const char *inst_key(Check *c, const Decl *d, const DeclInfo *info, const Bindings *b) {
    Text t;
    text_init(&t, c->a);
    text_printf(&t, "%p", (const void *)d);
    for (int i = 0; i < info->tvars.len; i++) text_printf(&t, "|%p", (const void *)binding_find(b, info->tvars.data[i]));
    for (int i = 0; i < d->params.len; i++) text_printf(&t, "|%p", (const void *)binding_find(b, d->params.data[i].name));
    return intern(c->s, text_str(&t));
}

InstInfo *inst_of_decl(Check *c, Decl *d, const Bindings *b, Span at) {
    DeclInfo *info = decl_info(c, d);
    const char *key = d->generic ? inst_key(c, d, info, b) : NULL;
    InstInfo *inst = d->generic ? map_get(&c->insts, key) : info->only;
    if (!inst) {
        inst = inst_new(c, d, d->name, at, d->kind == DECL_KERNEL ? FN_KERNEL : FN_HOST);
        if (key) map_put(c->a, &c->insts, key, inst);
        else info->only = inst;
        if (too_deep(c, inst, at)) {
            inst->state = INST_READY;
            inst->inst.ret = &ftype_error;
            return NULL;
        }
        Fn *saved = enter(c, inst);
        make_signature(c, inst, d, b);
        c->fn = saved;
        vec_push(c->a, &c->queue, inst);
    }
    if (!inst->inst.ret && inst->state == INST_NEW) infer_result(c, inst);
    if (!inst->inst.ret && inst->state == INST_BUSY) {
        Diag *diag = report(c, d->name_span, E_RECURSIVE_RESULT, d->name);
        diag_note(c->s, diag, at, "it is used here to find its own type");
        diag_hint(c->s, diag, "write it: fn %s(...) -> f64", d->name);
        inst->inst.ret = inst->fn->ret = &ftype_error;
    }
    return inst;
}

/* ---- lambdas */

static void bind_lambda_names(Check *c, InstInfo *inst, const Lam *lam) {
    for (int i = 0; i < lam->names.len; i++) {
        const NamedVar *n = &lam->names.data[i];
        Var *v = local_of(inst->fn, lam, n->var);
        if (!v) {
            v = NEW(c->a, Var); /* a constant or a function: the same, at this depth */
            *v = *n->var;
            v->depth = inst->fn->depth;
        }
        map_put(c->a, &inst->fn->names, n->name, v);
    }
}

/* The declared type of a lambda's parameter, which arguments of type `given` must fit. */
static const FType *lambda_param_type(Check *c, const Param *p, const FType *given, NewSizes *fresh) {
    bool exact;
    const FType *t = type_resolve(c, p->type, fresh);
    if (t->kind == FT_ERROR || given->kind == FT_ERROR || coercible(given, NULL, t, &exact)) return t;
    Diag *d = report(c, p->span, E_TYPE_MISMATCH, intern_printf(c->s, "the parameter '%s'", p->name), ftype_str(c->s, given), ftype_str(c->s, t));
    diag_note(c->s, d, p->type->span, "declared here, but called with %s", ftype_str(c->s, given));
    diag_hint(c->s, d, "the types of a lambda's parameters may be left out");
    return &ftype_error;
}

static void lambda_signature(Check *c, InstInfo *inst, Lam *lam, const FType *const *types) {
    Expr *e = lam->expr;
    for (int i = 0; i < e->params.len; i++) adopt_type(c, inst, types[i], e->params.data[i].span);
    scope_push(c); /* parameters may hide what is captured */
    int nparams = e->params.len;
    for (int i = 0; i < nparams; i++) vec_push(c->a, &inst->inst.params, (Var *)NULL);
    add_captures(c, inst, lam);
    bind_lambda_names(c, inst, lam);
    scope_push(c);
    VEC(Var *) all = {0}; /* run-time parameters first, then captures */
    for (int i = 0; i < nparams; i++) {
        Param *p = &e->params.data[i];
        NewSizes fresh = {0};
        const FType *t = types[i];
        if (p->type && p->type->kind != TX_FUNC) t = lambda_param_type(c, p, types[i], &fresh);
        for (int k = 0; k < fresh.len; k++) add_size(c, inst, fresh.data[k].sym, fresh.data[k].sym, fresh.data[k].span, fresh.data[k].name != NULL);
        Var *v = var_new(c, VAR_PARAM, p->name, p->span, t);
        scope_define(c, v);
        if (type_is_scalar(t, DT_I64)) var_give_sym(c, v);
        if (t->kind != FT_FUNC) vec_push(c->a, &all, v);
    }
    for (int i = nparams; i < inst->inst.params.len; i++) vec_push(c->a, &all, inst->inst.params.data[i]);
    inst->inst.params.data = all.data;
    inst->inst.params.len = all.len;
    inst->inst.params.cap = all.cap;
}

static const char *lambda_key(Check *c, const Lam *lam, int n, const FType *const *types, const FType *want) {
    Text t;
    text_init(&t, c->a);
    text_printf(&t, "%p>%p", (const void *)lam, (const void *)want);
    for (int i = 0; i < n; i++) text_printf(&t, "|%p", (const void *)types[i]);
    return intern(c->s, text_str(&t));
}

InstInfo *inst_of_lambda(Check *c, Lam *lam, int n, const FType *const *types, const FType *want, Span at) {
    Map seen = {0};
    int count = 0;
    const FType **erased = NEWN(c->a, const FType *, n);
    for (int i = 0; i < n; i++) erased[i] = type_erase(c, types[i], &seen, &count, "s");
    if (want && want->kind != FT_SCALAR) want = NULL; /* sizes in it would be the caller's */
    const char *key = lambda_key(c, lam, n, erased, want);
    InstInfo *inst = map_get(&c->insts, key);
    if (inst) return inst->state == INST_BUSY || !inst->inst.ret ? NULL : inst;
    inst = inst_new(c, NULL, "lambda", at, FN_HOST);
    map_put(c->a, &c->insts, key, inst);
    inst->inst.lambda = lam->expr;
    inst->lam = lam;
    inst->fn->is_std = lam->home->is_std;
    for (int i = 0; i < lam->home->types.len; i++) vec_push(c->a, &inst->fn->types, lam->home->types.data[i]);
    if (too_deep(c, inst, at)) return NULL;
    int nesting = c->nesting;
    Fn *saved = enter(c, inst);
    c->nesting = 0;
    inst->state = INST_BUSY;
    lambda_signature(c, inst, lam, erased);
    inst->fn->ret = want;
    check_result_value(c, inst, expr_clone(c->s, lam->expr->a));
    inst->inst.ret = inst->fn->ret;
    inst->state = INST_READY;
    c->nesting = nesting;
    c->fn = saved;
    return inst;
}

/* ---- where a diagnostic in an instance comes from */

static const char *choice_text(Check *c, const Fn *fn) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < fn->types.len; i++)
        text_printf(&t, "%s%s = %s", i ? ", " : "", fn->types.data[i].name, ftype_str(c->s, fn->types.data[i].type));
    return text_str(&t);
}

Diag *in_context(Check *c, Diag *d) {
    const InstInfo *inst = c->fn ? c->fn->inst : NULL;
    bool std = inst && inst->inst.decl && decl_is_std(c, inst->inst.decl);
    if (!inst || !inst->inst.decl || !inst->inst.decl->generic || inst->asked_at.file < 0) return d;
    if (inst->fn->types.len) diag_note(c->s, d, inst->asked_at, "in '%s' with %s, asked for here", inst->inst.decl->name, choice_text(c, inst->fn));
    else diag_note(c->s, d, inst->asked_at, "in '%s', as asked for here", inst->inst.decl->name);
    for (const InstInfo *by = inst->asked_by; std && by; by = by->asked_by) { /* up to the user's own code */
        std = by->inst.decl && decl_is_std(c, by->inst.decl);
        if (std) diag_note(c->s, d, by->asked_at, "through '%s', called here", by->inst.decl->name);
    }
    return d;
}

/* ---- after all bodies */

void inst_uses(Check *c, InstInfo *callee, Span at) {
    if (c->fn->inst) vec_push(c->a, &c->fn->inst->callees, callee);
    if (!in_device(c)) return;
    DevCall call = {callee, at};
    vec_push(c->a, &c->dev_calls, call);
}

bool in_device(const Check *c) { return c->fn->kind == FN_KERNEL || c->fn->par_depth; }

void not_device(Check *c, const char *why, Span at) {
    InstInfo *inst = c->fn->inst;
    if (in_device(c)) {
        Diag *d = report(c, at, E_HOST_ONLY, c->fn->kind == FN_KERNEL ? "a kernel" : "a parallel loop", why);
        diag_hint(c->s, d, "do this outside");
    }
    if (!inst || inst->not_device) return;
    inst->not_device = why;
    inst->not_device_at = at;
}

void impure(Check *c) {
    if (c->fn->inst) c->fn->inst->impure = true;
}

typedef struct { Check *c; VEC(InstInfo *) stack; int next; bool as_order; } Order;

/* Strongly connected components (Tarjan): callees are placed first; members of a cycle are recursive. */
static void place(Order *o, InstInfo *v) {
    Check *c = o->c;
    v->index = v->low = ++o->next;
    v->on_stack = true;
    vec_push(c->a, &o->stack, v);
    for (int i = 0; i < v->callees.len; i++) {
        InstInfo *w = v->callees.data[i];
        if (!w->index) {
            place(o, w);
            v->low = w->low < v->low ? w->low : v->low;
        } else if (w->on_stack && w->index < v->low) {
            v->low = w->index;
        }
        if (w == v) v->inst.recursive = true;
    }
    if (v->low != v->index) return;
    bool cycle = vec_last(&o->stack) != v;
    for (InstInfo *w = NULL; w != v;) {
        w = vec_pop(&o->stack);
        w->on_stack = false;
        w->inst.recursive |= cycle;
        bool fn = !w->inst.decl || w->inst.decl->kind == DECL_FN;
        if (fn) vec_push(c->a, &c->prog->insts, &w->inst);
    }
}

/* Properties flow from callees to callers until nothing changes. */
static void spread(Check *c) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < c->all.len; i++) {
            InstInfo *v = c->all.data[i];
            for (int k = 0; k < v->callees.len; k++) {
                const InstInfo *w = v->callees.data[k];
                if (w->impure && !v->impure) v->impure = changed = true;
                if (!w->not_device || v->not_device) continue;
                v->not_device = w->not_device;
                v->not_device_at = w->not_device_at;
                changed = true;
            }
        }
    }
}

static void check_device_calls(Check *c) {
    for (int i = 0; i < c->dev_calls.len; i++) {
        const DevCall *call = &c->dev_calls.data[i];
        if (!call->callee->not_device) continue;
        const char *name = call->callee->inst.decl ? call->callee->inst.decl->name : "this function";
        Diag *d = report(c, call->span, E_DEVICE_CALL, name, call->callee->not_device);
        diag_note(c->s, d, call->callee->not_device_at, "here");
    }
}

void inst_finish(Check *c) {
    Order o = {.c = c};
    for (int i = 0; i < c->all.len; i++)
        if (!c->all.data[i]->index) place(&o, c->all.data[i]);
    spread(c);
    for (int i = 0; i < c->all.len; i++) c->all.data[i]->inst.pure = !c->all.data[i]->impure;
    check_device_calls(c);
}
