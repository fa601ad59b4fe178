/* Calls: which overload, which instance, arguments in order and converted, sizes of the callee. */
#include "frontend/check.h"

#include <string.h>

typedef struct Match {
    Check *c;
    Decl *d;
    const DeclInfo *info;
    Bindings b;
    bool exact;
    int bad;         /* the argument that does not fit; -1 */
} Match;

/* ---- matching arguments against parameter types */

enum { NO, YES, EXACTLY };

static int bind_tvar(Match *m, const char *name, const FType *t) {
    Check *c = m->c;
    Map seen = {0};
    int count = 0;
    DType d;
    if (t->kind == FT_FUNC || t->kind == FT_TYPE || t->kind == FT_UNIT) return NO;
    t = type_erase(c, t, &seen, &count, name);
    for (int i = 0; i < m->b.v.len; i++) {
        TypeBind *b = &m->b.v.data[i];
        if (b->name != name) continue;
        if (b->type == t) return EXACTLY;
        if (b->type->kind != FT_SCALAR || t->kind != FT_SCALAR || !dtype_join(b->type->dtype, t->dtype, &d)) return NO;
        b->type = ftype_scalar(c->s, d);
        return YES;
    }
    TypeBind b = {name, t};
    vec_push(c->a, &m->b.v, b);
    return EXACTLY;
}

static bool is_tvar(const Match *m, const char *name) {
    for (int i = 0; i < m->info->tvars.len; i++)
        if (m->info->tvars.data[i] == name) return true;
    return false;
}

static bool scalar_name(const Check *c, const char *name, DType *t) {
    if (name == c->n_int) return *t = DT_I64, true;
    return dtype_find(name, t);
}

static int unify_name(Match *m, const char *name, const FType *t, const Expr *e) {
    DType d;
    bool exact;
    if (is_tvar(m, name)) {
        const FType *bound = binding_find(&m->b, name);
        if (e && e->flex && bound && bound->kind == FT_SCALAR && flex_fits(e, bound->dtype)) return EXACTLY;
        return bind_tvar(m, name, t);
    }
    if (scalar_name(m->c, name, &d)) {
        if (t->kind != FT_SCALAR || !coercible(t, e, ftype_scalar(m->c->s, d), &exact)) return NO;
        return exact ? EXACTLY : YES;
    }
    const Decl *s = struct_find(m->c, name);
    return s ? (t->kind == FT_STRUCT && t->decl == s ? EXACTLY : NO) : YES;
}

static int unify(Match *m, const TypeExpr *tx, const FType *t, const Expr *e);

static int unify_array(Match *m, const TypeExpr *tx, const FType *t, const Expr *e) {
    if (t->kind != FT_ARRAY || (!tx->any_rank && t->rank != tx->dims.len)) return NO;
    if (tx->elem->kind != TX_NAME) return unify(m, tx->elem, t->elem, NULL);
    DType d;
    bool exact;
    if (is_tvar(m, tx->elem->name) || !scalar_name(m->c, tx->elem->name, &d)) return unify_name(m, tx->elem->name, t->elem, e);
    if (t->elem->kind != FT_SCALAR || !coercible(t, e, with_dtype(m->c, t, d), &exact)) return NO;
    return exact ? EXACTLY : YES;
}

static int unify_tuple(Match *m, const TypeExpr *tx, const FType *t, const Expr *e) {
    if (t->kind != FT_TUPLE || t->nfields != tx->items.len) return NO;
    int all = EXACTLY;
    for (int i = 0; i < t->nfields; i++) {
        int one = unify(m, tx->items.data[i], t->fields[i], e && e->kind == EX_TUPLE ? e->args.data[i] : NULL);
        all = one < all ? one : all;
    }
    return all;
}

static int unify(Match *m, const TypeExpr *tx, const FType *t, const Expr *e) {
    switch (tx->kind) {
    case TX_NAME: return unify_name(m, tx->name, t, e);
    case TX_ARRAY: return unify_array(m, tx, t, e);
    case TX_TUPLE: return unify_tuple(m, tx, t, e);
    case TX_FUNC: return t->kind == FT_FUNC ? EXACTLY : NO;
    }
    return NO;
}

/* A parameter type with the bindings so far, sizes by name; NULL when a type variable is unbound. */
static const FType *bound_type(Match *m, const TypeExpr *tx) {
    Check *c = m->c;
    DType d;
    if (tx->kind == TX_NAME) {
        if (is_tvar(m, tx->name)) return binding_find(&m->b, tx->name);
        if (scalar_name(c, tx->name, &d)) return ftype_scalar(c->s, d);
        Decl *s = struct_find(c, tx->name);
        return s ? struct_type(c, s, NULL, tx->span) : NULL;
    }
    if (tx->kind == TX_ARRAY && !tx->any_rank && tx->dims.len <= MAX_RANK) {
        const FType *elem = bound_type(m, tx->elem);
        const Size *dims[MAX_RANK];
        for (int i = 0; i < tx->dims.len; i++) {
            const Expr *dim = tx->dims.data[i];
            bool number = dim && dim->kind == EX_INT;
            const char *name = dim && dim->kind == EX_NAME ? dim->name : intern_printf(c->s, "dim%d", i);
            dims[i] = number ? size_const(c->s, dim->lit.i) : size_sym(c->s, name);
        }
        return elem && elem->kind != FT_ARRAY ? ftype_array(c->s, elem, tx->dims.len, dims) : NULL;
    }
    if (tx->kind != TX_TUPLE) return NULL;
    const FType **fields = NEWN(c->a, const FType *, tx->items.len);
    for (int i = 0; i < tx->items.len; i++)
        if (!(fields[i] = bound_type(m, tx->items.data[i]))) return NULL;
    return ftype_tuple(c->s, tx->items.len, fields);
}

static void bind(Match *m, const char *name, const FType *t) {
    TypeBind b = {name, t};
    vec_push(m->c->a, &m->b.v, b);
}

/* A function argument: its instance for the parameter's types tells the type of the result. */
static int unify_func(Match *m, const Param *p, const FType *t, Span at) {
    const TypeExpr *tx = p->type;
    const FType **types = NEWN(m->c->a, const FType *, tx->items.len);
    if (t->kind != FT_FUNC) return NO;
    for (int i = 0; i < tx->items.len; i++) {
        types[i] = bound_type(m, tx->items.data[i]);
        if (!types[i]) {
            report(m->c, at, E_TYPE_VARIABLE, p->name, m->d->name);
            return m->bad = -2, NO;
        }
    }
    const FType *want = tx->elem ? bound_type(m, tx->elem) : NULL;
    InstInfo *inst = func_inst(m->c, t, tx->items.len, types, want, at);
    if (!inst || inst->inst.ret->kind == FT_ERROR) return m->bad = -2, NO; /* reported */
    bind(m, p->name, t);
    return tx->elem ? unify(m, tx->elem, inst->inst.ret, NULL) : EXACTLY;
}

static bool is_open(const TypeExpr *tx) { return tx && tx->kind == TX_ARRAY && tx->any_rank; }

/* T[..]: any rank; the type without its sizes is bound under the parameter's name. */
static int unify_open(Match *m, const Param *p, const FType *t, const Expr *e) {
    Map seen = {0};
    int count = 0;
    if (t->kind == FT_SCALAR && !m->d->is_extern) { /* rank 0 */
        int fit = unify(m, p->type->elem, t, e);
        const FType *elem = bound_type(m, p->type->elem);
        if (fit != NO && elem) bind(m, p->name, elem);
        return fit;
    }
    int fit = unify_array(m, p->type, t, e);
    const FType *elem = bound_type(m, p->type->elem);
    if (fit == NO || !elem || elem->kind == FT_ARRAY) return NO;
    bind(m, p->name, type_erase(m->c, ftype_array(m->c->s, elem, t->rank, t->dims), &seen, &count, p->name));
    return fit;
}

static int pass_of(const Param *p, const Expr *e) {
    if (p->type && p->type->kind == TX_FUNC) return 3;
    if (is_open(p->type)) return 2;
    return e && e->flex;
}

/* First what has a type of its own, then literals, then what builds on the type variables. */
static bool match_params(Match *m, int n, const FType *const *types, Expr *const *args, Span at) {
    m->exact = true;
    m->bad = -1;
    for (int pass = 0; pass < 4; pass++) {
        for (int i = 0; i < n; i++) {
            const Param *p = &m->d->params.data[i];
            const Expr *e = args ? args[i] : NULL;
            if (!p->type || pass_of(p, e) != pass) continue;
            int fit = pass == 3 ? unify_func(m, p, types[i], e ? e->span : at)
                    : pass == 2 ? unify_open(m, p, types[i], e) : unify(m, p->type, types[i], e);
            m->exact &= fit == EXACTLY;
            if (fit != NO) continue;
            if (m->bad == -1) m->bad = i;
            return false;
        }
    }
    return true;
}

static bool match_decl(Match *m, Check *c, Decl *d, int n, const FType *const *types, Expr *const *args, Span at) {
    *m = (Match){.c = c, .d = d, .info = decl_info(c, d), .bad = -1};
    if (n != d->params.len) return false;
    return match_params(m, n, types, args, at);
}

/* ---- choosing */

const char *list_types(Check *c, Expr *const *args, int n) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s%s", i ? ", " : "", ftype_str(c->s, args[i]->type));
    return text_str(&t);
}

static const char *param_text(Check *c, const TypeExpr *tx) {
    size_t len;
    const char *text = source_text(c->s, tx->span.file, &len);
    return intern_n(c->s, text + tx->span.lo, (size_t)(tx->span.hi - tx->span.lo));
}

static const char *params_text(Check *c, const Decl *d) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < d->params.len; i++)
        text_printf(&t, "%s%s", i ? ", " : "", d->params.data[i].type ? param_text(c, d->params.data[i].type) : "?");
    return text_str(&t);
}

static const char *count_words(Check *c, int n) {
    return n == 0 ? "no arguments" : intern_printf(c->s, "%d argument%s", n, n == 1 ? "" : "s");
}

static void note_decl(Check *c, Diag *d, const Decl *decl) {
    if (!decl_is_std(c, decl)) diag_note(c->s, d, decl->name_span, "'%s' is declared here", decl->name);
}

static void report_mismatch(Check *c, const Match *m, Expr *const *args, int n, Span at) {
    const Decl *decl = m->d;
    if (m->bad == -2) return;
    if (n != decl->params.len) {
        Diag *d = report(c, at, E_ARGUMENT_COUNT, decl->name, count_words(c, decl->params.len), n);
        note_decl(c, d, decl);
        return;
    }
    const Param *p = &decl->params.data[m->bad];
    const Expr *arg = args[m->bad];
    Diag *d = report(c, arg->span, E_TYPE_MISMATCH, intern_printf(c->s, "argument '%s' of '%s'", p->name, decl->name),
                          param_text(c, p->type), ftype_str(c->s, arg->type));
    diag_note(c->s, d, p->span, "declared here");
    DType t;
    const TypeExpr *elem = p->type->kind == TX_ARRAY ? p->type->elem : p->type;
    const FType *bound = elem->kind == TX_NAME ? binding_find(&m->b, elem->name) : NULL;
    if (bound) diag_note(c->s, d, arg->span, "%s is %s by the other arguments", elem->name, ftype_str(c->s, bound));
    bool same_rank = arg->type->rank == (p->type->kind == TX_ARRAY ? p->type->dims.len : 0);
    if (elem->kind == TX_NAME && scalar_name(c, elem->name, &t) && type_is_num(arg->type) && same_rank)
        diag_hint(c->s, d, "this can lose something, so it must be written: %s(...)", elem->name);
    else if (arg->type->kind == FT_ARRAY && p->type->kind == TX_ARRAY && !same_rank)
        diag_hint(c->s, d, "it has %d ax%s, the parameter has %d", arg->type->rank, arg->type->rank == 1 ? "is" : "es", p->type->dims.len);
}

static void report_no_overload(Check *c, Decl *head, Expr *const *args, int n, Span at) {
    Diag *d = report(c, at, E_NO_OVERLOAD, head->name, list_types(c, args, n));
    for (const Decl *o = head; o; o = o->next_overload) diag_note(c->s, d, o->name_span, "this one takes (%s)", params_text(c, o));
}

/* Arguments in the order of d's parameters; NULL when a name or the count does not fit. */
static Expr **order_args(Check *c, const Decl *d, const ExprVec *args, const NameVec *names, bool report, Span at) {
    int n = d->params.len, next = 0;
    Expr **out = NEWN(c->a, Expr *, n > args->len ? n : args->len);
    bool named = false;
    for (int i = 0; i < names->len; i++) named |= names->data[i] != NULL;
    if (!named) {
        for (int i = 0; i < args->len; i++) out[i] = args->data[i];
        return out;
    }
    if (args->len != n) return report ? (report(c, at, E_ARGUMENT_COUNT, d->name, count_words(c, n), args->len), NULL) : NULL;
    for (int i = 0; i < n; i++) {
        const char *name = i < names->len ? names->data[i] : NULL;
        int k = name ? 0 : next++;
        while (name && k < n && d->params.data[k].name != name) k++;
        if (k < n && !out[k]) {
            out[k] = args->data[i];
            continue;
        }
        if (!report) return NULL;
        Diag *diag = k < n ? report(c, args->data[i]->span, E_ARGUMENT_TWICE, d->params.data[k].name, d->name)
                           : report(c, args->data[i]->span, E_NO_PARAMETER, d->name, name ? name : "");
        note_decl(c, diag, d);
        VEC(const char *) known = {0};
        for (int p = 0; p < n; p++) vec_push(c->a, &known, d->params.data[p].name);
        const char *near = k < n || !name ? NULL : spell_nearest(name, known.data, known.len);
        if (near) diag_hint(c->s, diag, "did you mean '%s'?", near);
        return NULL;
    }
    return out;
}

static const FType *const *types_of(Check *c, Expr *const *args, int n) {
    const FType **types = NEWN(c->a, const FType *, n);
    for (int i = 0; i < n; i++) types[i] = args[i]->type;
    return types;
}

/* The overload that fits without conversions, else the first that fits.  NULL after reporting. */
static bool choose(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at, Match *best, Expr ***ordered) {
    bool found = false;
    for (Decl *d = head; d; d = d->next_overload) {
        Match m;
        Expr **list = order_args(c, d, args, names, !head->next_overload, at);
        if (!list && !head->next_overload) return false;
        if (!list) continue;
        bool fits = match_decl(&m, c, d, args->len, types_of(c, list, args->len), list, at);
        if (!fits && !head->next_overload) return report_mismatch(c, &m, list, args->len, at), false;
        if (m.bad == -2) return false;
        if (!fits || (found && !m.exact)) continue;
        *best = m;
        *ordered = list;
        found = true;
        if (m.exact) break;
    }
    if (!found) report_no_overload(c, head, args->data, args->len, at);
    return found;
}

/* ---- sizes and conversions of arguments */

typedef struct { const char *sym; bool found; } SymSearch;

static void look_for_sym(void *ctx, const char *sym) {
    SymSearch *s = ctx;
    s->found |= s->sym == sym;
}

static bool type_mentions(const FType *t, const char *sym) {
    SymSearch s = {sym, false};
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) size_each_sym(t->dims[i], look_for_sym, &s);
    for (int i = 0; i < t->nfields && !s.found; i++) s.found = type_mentions(t->fields[i], sym);
    return s.found;
}

static bool inst_mentions(const Inst *inst, const char *sym) {
    if (inst->ret && type_mentions(inst->ret, sym)) return true;
    for (int i = 0; i < inst->params.len; i++)
        if (type_mentions(inst->params.data[i]->type, sym)) return true;
    return false;
}

static const Size *found_size(void *ctx, const char *sym) { return map_get((const Map *)ctx, sym); }

static void add_bind(Check *c, SizeBindVec *binds, Map *found, const char *sym, const Size *z) {
    SizeBind b = {sym, z};
    map_put(c->a, found, sym, (void *)z);
    vec_push(c->a, binds, b);
}

static bool is_solved(const InstInfo *inst, const Var *v) {
    for (int i = 0; i < inst->solved.len; i++)
        if (inst->solved.data[i].var == v) return true;
    return false;
}

/* int parameters whose value is, or must be, a size */
static void bind_ints(Check *c, const InstInfo *info, ExprVec *args, int from, int from_param, SizeBindVec *binds, Map *found) {
    const Inst *inst = &info->inst;
    for (int i = from_param; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        Expr *arg = args->data[from + i - from_param];
        if (!v->sym || is_solved(info, v) || !type_is_scalar(v->type, DT_I64) || !type_is_int(arg->type)) continue;
        bool needed = inst->decl && inst->decl->kind == DECL_KERNEL;
        if (arg->size) add_bind(c, binds, found, v->sym, arg->size);
        else if (needed || inst_mentions(inst, v->sym)) add_bind(c, binds, found, v->sym, size_or_bind(c, arg, v->name));
    }
}

static void bind_sizes(Check *c, const Inst *inst, const ExprVec *args, int from, int from_param, SizeBindVec *binds, Map *found) {
    Map here = {0};
    for (int i = from_param; i < inst->params.len; i++) match_sizes(c, &here, inst->params.data[i]->type, args->data[from + i - from_param]->type);
    for (int i = 0; i < inst->sizes.len; i++) {
        const char *sym = inst->sizes.data[i]->sym;
        const Size *z = map_get(&here, sym);
        if (z && !map_has(found, sym)) add_bind(c, binds, found, sym, z);
    }
}

/* n from a*n + b, the size of an argument's axis. */
static void bind_solved(Check *c, const InstInfo *inst, ExprVec *args, SizeBindVec *binds, Map *found) {
    for (int i = 0; i < inst->solved.len; i++) {
        const Solved *s = &inst->solved.data[i];
        const FType *t = args->data[s->param]->type;
        const Size *d = t->kind == FT_ARRAY ? t->dims[s->axis] : size_const(c->s, 0);
        Expr *arg = args->data[s->self];
        arg->size = size_floordiv(c->s, size_sub(c->s, d, size_subst(c->s, s->b, found_size, found)), s->a);
        arg->var->size = arg->size;
        add_bind(c, binds, found, s->sym, arg->size);
    }
}

bool bind_call(Check *c, const InstInfo *info, ExprVec *args, int from, int from_param, SizeBindVec *binds, Map *found, const Decl *d) {
    const Inst *inst = &info->inst;
    bool ok = true;
    for (int i = from_param; i < inst->params.len; i++) { /* ints first: their own conversion may make them sizes */
        Expr **arg = &args->data[from + i - from_param];
        if (type_is_scalar(inst->params.data[i]->type, DT_I64) && type_is_int((*arg)->type)) *arg = to_dtype(c, *arg, DT_I64);
    }
    bind_ints(c, info, args, from, from_param, binds, found);
    bind_sizes(c, inst, args, from, from_param, binds, found);
    if (!from_param) bind_solved(c, info, args, binds, found);
    for (int i = from_param; i < inst->params.len; i++) {
        const Var *v = inst->params.data[i];
        Expr **arg = &args->data[from + i - from_param];
        Reason why = {.what = intern_printf(c->s, "argument '%s'", v->name), .note_at = v->span, .note = "the parameter"};
        if (d && decl_is_std(c, d)) why.note = NULL;
        *arg = coerce(c, *arg, ftype_subst(c->s, v->type, found_size, found), &why);
        ok &= !is_error(*arg);
    }
    return ok;
}

/* ---- the result's type at a call */

typedef struct { Check *c; Map *found; Map dims; Span at; bool open; } Result;

static void look_if_known(void *ctx, const char *sym) {
    Result *r = ctx;
    r->open |= !map_has(r->found, sym);
}

/* Sizes that only the callee knows become fresh symbols here. */
static void find_open_sizes(Result *r, const FType *t, bool bare) {
    Check *c = r->c;
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        r->open = false;
        size_each_sym(t->dims[i], look_if_known, r);
        if (!r->open || bare != (sym != NULL) || map_has(&r->dims, t->dims[i])) continue;
        const char *base = sym ? sym : "size";
        char first[64];
        size_t n = strcspn(base, ".");
        snprintf(first, sizeof first, "%.*s", n < 60 ? (int)n : 60, base);
        const Size *made = size_sym(c->s, sym_fresh(c, intern(c->s, n ? first : "size"), r->at, "a size of this result"));
        if (sym) map_put(c->a, r->found, sym, (void *)made);
        else map_put(c->a, &r->dims, t->dims[i], (void *)made);
    }
    for (int i = 0; i < t->nfields; i++) find_open_sizes(r, t->fields[i], bare);
}

static const FType *subst_result(Result *r, const FType *t) {
    Check *c = r->c;
    if (t->kind == FT_ARRAY) {
        const Size *dims[MAX_RANK];
        for (int i = 0; i < t->rank; i++) {
            const Size *made = map_get(&r->dims, t->dims[i]);
            dims[i] = made ? made : size_subst(c->s, t->dims[i], found_size, r->found);
        }
        return ftype_array(c->s, t->elem, t->rank, dims);
    }
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return t;
    const FType **fields = NEWN(c->a, const FType *, t->nfields);
    for (int i = 0; i < t->nfields; i++) fields[i] = subst_result(r, t->fields[i]);
    return t->kind == FT_TUPLE ? ftype_tuple(c->s, t->nfields, fields) : ftype_struct(c->s, t->decl, t->nfields, fields, t->names);
}

static const FType *result_type(Check *c, const Inst *inst, Map *found, Span at) {
    Result r = {.c = c, .found = found, .at = at};
    find_open_sizes(&r, inst->ret, true);
    find_open_sizes(&r, inst->ret, false);
    return subst_result(&r, inst->ret);
}

/* ---- calls of functions */

static bool check_arg_list(Check *c, ExprVec *args) {
    bool ok = true;
    for (int i = 0; i < args->len; i++) {
        Expr *e = args->data[i] = check_expr(c, args->data[i], NULL);
        FTypeKind k = e->type->kind;
        if (k == FT_UNIT || k == FT_TYPE) e = args->data[i] = check_value(c, e, NULL); /* reports */
        ok &= !is_error(e);
    }
    return ok;
}

/* The run-time arguments of a chosen overload: without functions, with what these captured. */
static ExprVec runtime_args(Check *c, const InstInfo *inst, const Decl *d, Expr *const *ordered, Span at) {
    ExprVec out = {0};
    for (int i = 0; i < d->params.len; i++)
        if (ordered[i]->type->kind != FT_FUNC) vec_push(c->a, &out, ordered[i]);
    for (int i = 0; i < inst->solved.len; i++) {
        Expr *n = expr_new(c->s, EX_NAME, at);
        n->name = inst->solved.data[i].var->name;
        n->var = var_new(c, VAR_SIZE, n->name, at, inst->solved.data[i].var->type);
        n->type = n->var->type;
        vec_push(c->a, &out, n);
    }
    push_captures(c, &out, inst, at);
    return out;
}

static Expr *finish_call(Check *c, Expr *e, InstInfo *inst, const Decl *d) {
    Map found = {0};
    e->call = d && d->is_extern ? CALL_EXTERN : CALL_FN;
    e->inst = &inst->inst;
    e->arg_names.len = 0;
    inst_uses(c, inst, e->span);
    if (d && d->is_extern) not_device(c, "call C", e->span), impure(c);
    if (!bind_call(c, inst, &e->args, 0, 0, &e->binds, &found, d) || inst->inst.ret->kind == FT_ERROR) return error_expr(e);
    e->type = result_type(c, &inst->inst, &found, e->span);
    return e;
}

static Expr *call_decl(Check *c, Expr *e, Decl *head) {
    Match m;
    Expr **ordered;
    if (head->kind == DECL_KERNEL) {
        Diag *d = report(c, e->span, E_KERNEL_CALLED, head->name);
        note_decl(c, d, head);
        diag_hint(c->s, d, "launch %s[grid, block](...)", head->name);
        return error_expr(e);
    }
    if (!check_arg_list(c, &e->args) || !choose(c, head, &e->args, &e->arg_names, e->span, &m, &ordered)) return error_expr(e);
    InstInfo *inst = inst_of_decl(c, m.d, &m.b, e->span);
    if (!inst || !inst->inst.ret) return error_expr(e);
    e->args = runtime_args(c, inst, m.d, ordered, e->span);
    return finish_call(c, e, inst, m.d);
}

static Expr *call_lambda(Check *c, Expr *e, Expr *lambda) {
    Lam *lam = lambda_of(c, lambda);
    if (!check_arg_list(c, &e->args)) return error_expr(e);
    if (e->args.len != lambda->params.len) {
        Diag *d = report(c, e->span, E_ARGUMENT_COUNT, "this function", count_words(c, lambda->params.len), e->args.len);
        diag_note(c->s, d, lambda->span, "the function is here");
        return error_expr(e);
    }
    for (int i = 0; i < e->args.len; i++) e->args.data[i] = unflex(c, e->args.data[i]);
    InstInfo *inst = inst_of_lambda(c, lam, e->args.len, types_of(c, e->args.data, e->args.len), NULL, e->span);
    if (!inst) return error_expr(e);
    ExprVec args = {0};
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->type->kind != FT_FUNC) vec_push(c->a, &args, e->args.data[i]);
    push_captures(c, &args, inst, e->span);
    e->args = args;
    return finish_call(c, e, inst, NULL);
}

static Expr *call_func(Check *c, Expr *e, const FType *f) {
    return f->lambda ? call_lambda(c, e, f->lambda) : call_decl(c, e, f->decl);
}

static InstInfo *report_func_count(Check *c, Span at, const char *name, int have, int need) {
    report(c, at, E_FUNCTION_ARITY, name, count_words(c, have), count_words(c, need));
    return NULL;
}

static const char *type_list(Check *c, int n, const FType *const *types) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < n; i++) text_printf(&t, "%s%s", i ? ", " : "", ftype_str(c->s, types[i]));
    return text_str(&t);
}

InstInfo *func_inst(Check *c, const FType *f, int n, const FType *const *types, const FType *want, Span at) {
    if (f->lambda) {
        if (f->lambda->params.len != n) return report_func_count(c, at, "this function", f->lambda->params.len, n);
        InstInfo *inst = inst_of_lambda(c, lambda_of(c, f->lambda), n, types, want, at);
        if (inst) inst_uses(c, inst, at);
        return inst;
    }
    Match best, m;
    bool found = false;
    for (Decl *d = f->decl; d && !(found && best.exact); d = d->next_overload) {
        if (!match_decl(&m, c, d, n, types, NULL, at) || (found && !m.exact)) {
            if (m.bad == -2) return NULL;
            continue;
        }
        best = m;
        found = true;
    }
    if (!found && !f->decl->next_overload && f->decl->params.len != n) return report_func_count(c, at, f->decl->name, f->decl->params.len, n);
    if (!found) {
        Diag *d = report(c, at, E_NO_OVERLOAD, f->decl->name, type_list(c, n, types));
        note_decl(c, d, f->decl);
        return NULL;
    }
    InstInfo *inst = inst_of_decl(c, best.d, &best.b, at);
    if (inst && inst->inst.ret) inst_uses(c, inst, at);
    return inst && inst->inst.ret ? inst : NULL;
}

/* ---- casts and structs */

static Expr *check_cast(Check *c, Expr *e, const FType *to) {
    e->call = CALL_CAST;
    if (e->args.len != 1) {
        report(c, e->span, E_ARGUMENT_COUNT, ftype_str(c->s, to), "1 argument", e->args.len);
        return error_expr(e);
    }
    Expr *x = e->args.data[0] = check_value(c, e->args.data[0], NULL);
    if (is_error(x)) return error_expr(e);
    const FType *elem = elem_of(x->type);
    if (elem->kind != FT_SCALAR || elem->dtype == DT_STR || to->kind != FT_SCALAR || to->dtype == DT_STR) {
        report(c, x->span, E_CAST, ftype_str(c->s, to), ftype_str(c->s, x->type));
        return error_expr(e);
    }
    x = e->args.data[0] = unflex(c, x);
    e->type = with_dtype(c, x->type, to->dtype);
    if (x->is_const && e->type->kind == FT_SCALAR) set_const(c, e, const_cast(x->lit, to->dtype));
    else if (e->type == x->type) e->size = x->size;
    return e;
}

static int field_index(const Decl *d, const char *name) {
    for (int i = 0; i < d->fields.len; i++)
        if (d->fields.data[i].name == name) return i;
    return -1;
}

/* Arguments of a struct literal in field order; false after reporting. */
static bool order_fields(Check *c, Expr *e, const Decl *d) {
    int n = d->fields.len, next = 0;
    Expr **out = NEWN(c->a, Expr *, n);
    for (int i = 0; i < e->args.len; i++) {
        const char *name = i < e->arg_names.len ? e->arg_names.data[i] : NULL;
        int k = name ? field_index(d, name) : next++;
        if (k >= 0 && k < n && !out[k]) {
            out[k] = e->args.data[i];
            continue;
        }
        Diag *diag = name && k < 0 ? report(c, e->args.data[i]->span, E_NO_FIELD, d->name, name)
                   : name          ? report(c, e->args.data[i]->span, E_ARGUMENT_TWICE, name, d->name)
                                   : report(c, e->span, E_ARGUMENT_COUNT, d->name, count_words(c, n), e->args.len);
        diag_note(c->s, diag, d->name_span, "the struct is defined here");
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (out[i]) continue;
        Diag *diag = report(c, e->span, E_FIELD_MISSING, d->name, d->fields.data[i].name);
        diag_note(c->s, diag, d->fields.data[i].span, "the field is declared here");
        return false;
    }
    e->args.len = e->arg_names.len = 0;
    for (int i = 0; i < n; i++) vec_push(c->a, &e->args, out[i]);
    return true;
}

/* The sizes of the value's type: from int fields that name them, then from arrays. */
static const FType *struct_value_type(Check *c, Expr *e, Decl *d) {
    NewSizes fresh = {0};
    Map found = {0};
    const FType *pattern = struct_type(c, d, &fresh, e->span);
    if (pattern->kind == FT_ERROR) return pattern;
    for (int i = 0; i < fresh.len; i++) {
        int k = fresh.data[i].field ? field_index(d, fresh.data[i].field) : -1;
        if (k < 0 || !type_is_scalar(pattern->fields[k], DT_I64) || !type_is_int(e->args.data[k]->type)) continue;
        e->args.data[k] = to_dtype(c, e->args.data[k], DT_I64);
        map_put(c->a, &found, fresh.data[i].sym, (void *)size_or_bind(c, e->args.data[k], fresh.data[i].field));
    }
    for (int i = 0; i < pattern->nfields; i++) match_sizes(c, &found, pattern->fields[i], e->args.data[i]->type);
    return ftype_subst(c->s, pattern, found_size, &found);
}

static Expr *check_struct(Check *c, Expr *e, Decl *d) {
    bool ok = true;
    e->call = CALL_STRUCT;
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], NULL);
        ok &= !is_error(e->args.data[i]);
    }
    if (!ok || !order_fields(c, e, d)) return error_expr(e);
    const FType *t = struct_value_type(c, e, d);
    if (t->kind == FT_ERROR) return error_expr(e);
    for (int i = 0; i < t->nfields; i++) {
        Reason why = {.what = intern_printf(c->s, "field '%s' of %s", d->fields.data[i].name, d->name),
                      .note_at = d->fields.data[i].span, .note = "the field is declared here"};
        e->args.data[i] = coerce(c, e->args.data[i], t->fields[i], &why);
        ok &= !is_error(e->args.data[i]);
    }
    e->type = t;
    return ok ? e : error_expr(e);
}

/* ---- all calls */

static Expr *check_anyway(Check *c, Expr *e) { /* arguments, for what is wrong in them */
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->kind != EX_GEN) check_expr(c, e->args.data[i], NULL);
    return error_expr(e);
}

static Expr *report_not_function(Check *c, Expr *e, const FType *t, const Var *v) {
    if (t->kind == FT_ERROR) return check_anyway(c, e);
    Diag *d = report(c, e->callee->span, E_NOT_FUNCTION, ftype_str(c->s, t));
    if (v) diag_note(c->s, d, v->span, "'%s' is defined here", v->name);
    if (v && map_has(&c->builtins, v->name)) diag_hint(c->s, d, "the variable hides the function '%s': give it another name", v->name);
    else if (t->kind == FT_ARRAY) diag_hint(c->s, d, "elements are taken with brackets: x[i]");
    else if (t->kind == FT_SCALAR) diag_hint(c->s, d, "a product is written with *");
    return check_anyway(c, e);
}

static Expr *call_type(Check *c, Expr *e, const FType *t) {
    return t->kind == FT_STRUCT ? check_struct(c, e, t->decl) : check_cast(c, e, t);
}

static Expr *call_global(Check *c, Expr *e, const FType *want) {
    const char *name = e->callee->name;
    Global *g = global_find(c, name);
    const FType *tvar = tvar_find(c, name);
    int b = (int)(intptr_t)map_get(&c->builtins, name);
    DType t;
    if (tvar) return call_type(c, e, tvar);
    if (g && g->kind == GL_FN) return call_decl(c, e, g->decl);
    if (g && g->kind == GL_STRUCT) return check_struct(c, e, g->decl);
    if (g) {
        Expr *callee = check_expr(c, e->callee, NULL);
        return callee->type->kind == FT_FUNC ? call_func(c, e, callee->type) : report_not_function(c, e, callee->type, g->var);
    }
    if (b) return check_builtin(c, e, b - 1, want);
    if (scalar_name(c, name, &t)) return check_cast(c, e, ftype_scalar(c->s, t));
    report_unknown_name(c, e->callee->span, name);
    return check_anyway(c, e);
}

Expr *check_call(Check *c, Expr *e, const FType *want) {
    Var *v = e->callee->kind == EX_NAME ? scope_find(c, e->callee->name) : NULL;
    if (e->callee->kind == EX_NAME && !v) return call_global(c, e, want);
    Expr *callee = e->callee = check_expr(c, e->callee, NULL);
    if (callee->type->kind == FT_FUNC) return call_func(c, e, callee->type);
    if (callee->type->kind == FT_TYPE) return call_type(c, e, callee->type->elem);
    return report_not_function(c, e, callee->type, v);
}

/* ---- launch */

static const int64_t MAX_BLOCK = 1024;

/* A tuple that is not written out, such as a variable: its fields take its place. */
static void spread_tuple(Check *c, ExprVec *v) {
    if (v->len != 1) return;
    Expr *whole = v->data[0];
    if (whole->kind != EX_NAME && whole->kind != EX_FIELD) return;
    Expr *probe = check_value(c, expr_clone(c->s, whole), NULL);
    if (is_error(probe) || probe->type->kind != FT_TUPLE) return;
    v->len = 0;
    for (int i = 0; i < probe->type->nfields; i++) {
        Expr *field = expr_new(c->s, EX_FIELD, whole->span);
        field->a = expr_clone(c->s, whole);
        field->name = intern_printf(c->s, "%d", i);
        vec_push(c->a, v, field);
    }
}

static bool check_extent_list(Check *c, ExprVec *v, const char *what, int64_t *product) {
    bool ok = true;
    *product = 1;
    spread_tuple(c, v);
    for (int i = 0; i < v->len; i++) {
        Expr *e = v->data[i] = coerce_int(c, check_value(c, v->data[i], NULL), intern_printf(c->s, "the %s", what));
        ok &= !is_error(e);
        if (!e->is_const) continue;
        if (e->lit.i < 1) report(c, e->span, E_LAUNCH_EXTENT, what, (long long)e->lit.i);
        else if (*product <= MAX_BLOCK) *product *= e->lit.i;
    }
    return ok;
}

static void check_geometry(Check *c, Stmt *st) {
    int64_t grid, block;
    check_extent_list(c, &st->grid, "grid", &grid);
    check_extent_list(c, &st->block, "block", &block);
    if (block <= MAX_BLOCK) return;
    Span at = span_join(st->block.data[0]->span, vec_last(&st->block)->span);
    diag_hint(c->s, report(c, at, E_BLOCK_LIMIT), "use a smaller block and a larger grid");
}

static Decl *find_kernel(Check *c, Stmt *st) {
    Global *g = global_find(c, st->name);
    if (!g && !scope_find(c, st->name)) return report_unknown_name(c, st->name_span, st->name), NULL;
    if (g && g->kind == GL_FN && g->decl->kind == DECL_KERNEL) return g->decl;
    Diag *d = report(c, st->name_span, E_NOT_KERNEL, st->name);
    if (g) diag_note(c->s, d, g->span, "'%s' is defined here", st->name);
    if (g && g->kind == GL_FN) diag_hint(c->s, d, "a function is called: %s(...)", st->name);
    return NULL;
}

/* Modes must be known before arguments are looked at: those of the overload with as many parameters. */
static const Decl *modes_from(const Decl *head, int n) {
    for (const Decl *d = head; d; d = d->next_overload)
        if (d->params.len == n) return d;
    return head;
}

static bool is_place(const Expr *e) {
    while (e->kind == EX_FIELD && e->name) e = e->a;
    return e->kind == EX_NAME;
}

static bool check_out_arg(Check *c, Expr **arg, const Param *p) {
    if (!is_place(*arg)) {
        Diag *d = report(c, (*arg)->span, E_OUT_ARGUMENT, p->name, p->mode == MODE_OUT ? "out" : "inout");
        diag_note(c->s, d, p->span, "declared here");
        if ((*arg)->kind == EX_INDEX) diag_hint(c->s, d, "launch on a variable, then assign the slice: x[a:b] = y");
        else diag_hint(c->s, d, "give a variable: var y = zeros(f64, n)");
        return false;
    }
    *arg = check_target(c, *arg, p->mode == MODE_INOUT);
    return !is_error(*arg);
}

static bool check_launch_args(Check *c, Stmt *st, const Decl *d) {
    bool ok = true;
    for (int i = 0; i < st->args.len; i++) {
        const Param *p = i < d->params.len ? &d->params.data[i] : NULL;
        if (p && p->mode != MODE_IN) {
            ok &= check_out_arg(c, &st->args.data[i], p);
            continue;
        }
        Expr *e = st->args.data[i] = check_expr(c, st->args.data[i], NULL);
        if (e->type->kind == FT_UNIT || e->type->kind == FT_TYPE) e = st->args.data[i] = check_value(c, e, NULL);
        ok &= !is_error(e);
    }
    return ok;
}

static const Expr *root_of(const Expr *e) {
    while (e->kind == EX_FIELD || e->kind == EX_CONVERT) e = e->a;
    return e;
}

static bool same_place(const Expr *a, const Expr *b) {
    if (a->kind == EX_CONVERT) return same_place(a->a, b);
    if (b->kind == EX_CONVERT) return same_place(a, b->a);
    if (a->kind == EX_FIELD && b->kind == EX_FIELD) return a->field == b->field && same_place(a->a, b->a);
    return root_of(a)->var == root_of(b)->var;
}

/* What is written must have exactly the parameter's type, and be another variable than the other written ones. */
static bool check_written(Check *c, Stmt *st, const Decl *d, Expr *const *ordered) {
    bool ok = true;
    for (int i = 0; i < d->params.len; i++) {
        const Param *p = &d->params.data[i];
        if (p->mode == MODE_IN) continue;
        for (int k = 0; k < i; k++) {
            if (d->params.data[k].mode == MODE_IN || !same_place(ordered[i], ordered[k])) continue;
            Diag *diag = report(c, ordered[i]->span, E_WRITTEN_TWICE, root_of(ordered[i])->name);
            diag_note(c->s, diag, ordered[k]->span, "it is also given here");
            ok = false;
        }
        if (type_same_shape(p->var->type, ordered[i]->type)) continue;
        Diag *diag = report(c, ordered[i]->span, E_TYPE_MISMATCH, intern_printf(c->s, "argument '%s' of '%s'", p->name, d->name),
                                 param_text(c, p->type), ftype_str(c->s, ordered[i]->type));
        diag_note(c->s, diag, p->span, "what is written is not converted");
        ok = false;
    }
    (void)st;
    return ok;
}

void check_launch(Check *c, Stmt *st) {
    NameVec no_names = {0};
    Match m;
    Expr **ordered;
    Map found = {0};
    not_device(c, "launch a kernel", st->span);
    if (in_device(c)) return;
    check_geometry(c, st);
    Decl *head = find_kernel(c, st);
    if (!head) return;
    if (!check_launch_args(c, st, modes_from(head, st->args.len))) return;
    if (!choose(c, head, &st->args, &no_names, st->span, &m, &ordered)) return;
    InstInfo *inst = inst_of_decl(c, m.d, &m.b, st->span);
    if (!inst || !check_written(c, st, m.d, ordered)) return;
    st->args = runtime_args(c, inst, m.d, ordered, st->span);
    st->inst = &inst->inst;
    inst_uses(c, inst, st->span);
    bind_call(c, inst, &st->args, 0, 0, &st->binds, &found, m.d);
}
