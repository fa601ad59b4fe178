/* Which overload a call means: matching arguments against parameter types.
 *
 * Type variables are bound by arguments that have a type of their own, then by literals; then functions given as
 * arguments are instantiated for the parameter types so found, and their results bind what is left. */
#include "frontend/check.h"

#include <stdlib.h>
#include <string.h>

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

bool scalar_name(const Check *c, const char *name, DType *t) {
    if (name == c->n_int) return *t = DT_I64, true;
    return dtype_find(name, t);
}

/* A number for a parameter c128 */
static bool becomes_complex(Check *c, const FType *t, const Expr *e, const Decl *s) {
    DType part;
    return complex_struct(c, s, &part) &&
           fits_complex(c, t, e && e->type->kind == FT_ARRAY ? NULL : e, complex_type(c, part));
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
    if (!s || (t->kind == FT_STRUCT && t->decl == s)) return s ? EXACTLY : YES;
    if (!becomes_complex(m->c, t, e, s)) return NO;
    return m->complex = true, YES;
}

static int unify(Match *m, const TypeExpr *tx, const FType *t, const Expr *e);

static int unify_array(Match *m, const TypeExpr *tx, const FType *t, const Expr *e) {
    if (t->kind != FT_ARRAY || (!tx->any_rank && t->rank != tx->dims.len)) return NO;
    if (tx->elem->kind != TX_NAME) return unify(m, tx->elem, t->elem, NULL);
    DType d;
    bool exact;
    if (is_tvar(m, tx->elem->name) || !scalar_name(m->c, tx->elem->name, &d))
        return unify_name(m, tx->elem->name, t->elem, e);
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

/* Arrays of structs and tuples are an array for each field: a C function that takes any array would see the first
 * alone. */
static int refuse_fields(Match *m, const FType *t, const Expr *e) {
    const char *name = m->d->name,
               *own = in_std(m->c) && c_name_in_library(name) ? c_name_in_library(name) : name;
    Diag *d = report(m->c, e ? e->span : m->d->span, E_ARGUMENT_TYPE, own, "an array of numbers",
                     ftype_str(m->c->s, t));
    const char *field = t->elem->kind == FT_STRUCT ? t->elem->names[0] : "0";
    diag_hint(m->c->s, d, "give it each field: [p.%s for p in ...]", field);
    m->bad = -2;
    return NO;
}

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
    if (m->d->is_extern && t->kind == FT_ARRAY && t->elem->kind != FT_SCALAR) return refuse_fields(m, t, e);
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

/* Argument i fits, or is noted as the one that does not. */
static bool took(Match *m, int i, int fit) {
    m->exact &= fit == EXACTLY;
    if (fit == NO && m->bad == -1) m->bad = i;
    return fit != NO;
}

static bool is_ready(Match *m, const Param *p) {
    for (int i = 0; i < p->type->items.len; i++)
        if (!bound_type(m, p->type->items.data[i])) return false;
    return true;
}

/* The function parameter to look at next: the first whose own parameters are known, as in compose(f: fn(B) -> C, g:
 * fn(A) -> B, x: A) g is before f; else just the first.  -1: none is left. */
static int next_function(Match *m, int n, const bool *done) {
    int first = -1;
    for (int i = 0; i < n; i++) {
        const Param *p = &m->d->params.data[i];
        if (done[i] || !p->type || pass_of(p, NULL) != 3) continue;
        if (is_ready(m, p)) return i;
        if (first < 0) first = i;
    }
    return first;
}

static bool match_functions(Match *m, int n, const FType *const *types, Expr *const *args, Span at) {
    bool *done = NEWN(m->c->a, bool, n + 1);
    for (int i; (i = next_function(m, n, done)) >= 0; done[i] = true)
        if (!took(m, i, unify_func(m, &m->d->params.data[i], types[i], args ? args[i]->span : at))) return false;
    return true;
}

/* First what has a type of its own, then literals, then what builds on the type variables. */
static bool match_params(Match *m, int n, const FType *const *types, Expr *const *args, Span at) {
    m->exact = true;
    m->bad = -1;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < n; i++) {
            const Param *p = &m->d->params.data[i];
            const Expr *e = args ? args[i] : NULL;
            if (!p->type || pass_of(p, e) != pass) continue;
            if (!took(m, i, pass == 2 ? unify_open(m, p, types[i], e) : unify(m, p->type, types[i], e))) return false;
        }
    return match_functions(m, n, types, args, at);
}

bool match_decl(Match *m, Check *c, Decl *d, int n, const FType *const *types, Expr *const *args, Span at) {
    *m = (Match){.c = c, .d = d, .info = decl_info(c, d), .bad = -1};
    if (n != d->params.len) return false;
    return match_params(m, n, types, args, at);
}

/* ---- choosing */

const char *param_text(Check *c, const TypeExpr *tx) {
    size_t len;
    const char *text = source_text(c->s, tx->span.file, &len);
    return intern_n(c->s, text + tx->span.lo, (size_t)(tx->span.hi - tx->span.lo));
}

static const char *params_text(Check *c, const Decl *d) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < d->params.len; i++) {
        const Param *p = &d->params.data[i];
        text_printf(&t, "%s%s%s%s", i ? ", " : "", p->value ? p->name : "", p->value ? "=" : "",
                    p->type ? param_text(c, p->type) : "?");
    }
    return text_str(&t);
}

const char *count_words(Check *c, int n) {
    return n == 0 ? "no arguments" : intern_printf(c->s, "%d argument%s", n, n == 1 ? "" : "s");
}

void note_decl(Check *c, Diag *d, const Decl *decl) {
    if (!decl_is_std(c, decl)) diag_note(c->s, d, decl->name_span, "'%s' is declared here", decl->name);
}

/* A function of the program hides the library's functions of its name. */
void note_hidden(Check *c, Diag *d, const Decl *head) {
    const Global *g = library_find(c, head->name);
    if (map_has(&c->builtins, head->name) && !decl_is_std(c, head))
        diag_note(c->s, d, NO_SPAN, "there is a '%s' of the language too, which the program's own hides", head->name);
    if (g && g->decl && g->decl != head && g->decl->kind == DECL_FN && !source_is_library(c->s, head->span))
        diag_note(c->s, d, g->decl->name_span, "the library has a '%s' too, which the program's own hides", head->name);
}

/* What is said to users of another library */
static void hint_foreign_call(Check *c, Diag *diag, const Decl *d) {
    const Foreign *f = decl_is_std(c, d) ? foreign_find(FOREIGN_CALL, d->name) : NULL;
    if (f) diag_hint(c->s, diag, "%s", f->hint);
}

/* scale(v) of a scalar function: map(scale, v), [power(each, 2) for each in v] */
static void hint_each(Check *c, Diag *d, const Match *m, Expr *const *args) {
    Text t;
    if (m->d->params.len == 1) {
        diag_hint(c->s, d, "for each element: map(%s, %s)", m->d->name, source_copy(c->s, args[0]->span));
        return;
    }
    text_init(&t, c->a);
    for (int i = 0; i < m->d->params.len; i++) {
        const Expr *value = m->d->params.data[i].value;
        if (value && value->span.file == args[i]->span.file && value->span.lo == args[i]->span.lo) continue;
        text_printf(&t, "%s%s", t.len ? ", " : "", i == m->bad ? "each" : source_copy(c->s, args[i]->span));
    }
    diag_hint(c->s, d, "for each element: [%s(%s) for each in %s]", m->d->name, text_str(&t),
              source_copy(c->s, args[m->bad]->span));
}

static bool takes_function(const Decl *d) {
    for (int i = 0; i < d->params.len; i++)
        if (d->params.data[i].type && d->params.data[i].type->kind == TX_FUNC) return true;
    return false;
}

static void report_mismatch(Check *c, const Match *m, Expr *const *args) {
    const Decl *decl = m->d;
    if (m->bad == -2) return;
    const Param *p = &decl->params.data[m->bad];
    const Expr *arg = args[m->bad];
    Diag *d = report(c, arg->span, E_TYPE_MISMATCH, intern_printf(c->s, "argument '%s' of '%s'", p->name, decl->name),
                          param_text(c, p->type), ftype_str(c->s, arg->type));
    diag_note(c->s, d, p->span, "declared here");
    note_hidden(c, d, decl);
    hint_foreign_call(c, d, decl);
    DType t;
    const TypeExpr *elem = p->type->kind == TX_ARRAY ? p->type->elem : p->type;
    if (p->type->kind == TX_ARRAY && hint_flatten(c, d, arg, takes_function(decl))) return;
    const FType *bound = elem->kind == TX_NAME ? binding_find(&m->b, elem->name) : NULL;
    if (bound) diag_note(c->s, d, arg->span, "%s is %s by the other arguments", elem->name, ftype_str(c->s, bound));
    bool same_rank = arg->type->rank == (p->type->kind == TX_ARRAY ? p->type->dims.len : 0);
    if (elem->kind == TX_NAME && scalar_name(c, elem->name, &t) && type_is_num(arg->type) && same_rank && t == DT_STR)
        diag_hint(c->s, d, "a text is written in quotes: \"title\"");
    else if (elem->kind == TX_NAME && scalar_name(c, elem->name, &t) && dtype_is_int(t) && arg->kind == EX_BINARY &&
             arg->op == OPR_DIV && same_rank)
        hint_floor(c, d, arg);
    else if (elem->kind == TX_NAME && scalar_name(c, elem->name, &t) && type_is_num(arg->type) && same_rank &&
             t != elem_of(arg->type)->dtype)
        hint_cast(c, d, arg, elem->name, "this can lose something, so it must be written:");
    else if (arg->type->kind == FT_ARRAY && arg->type->rank == 1 && p->type->kind == TX_NAME &&
             type_is_num(arg->type) && scalar_name(c, elem->name, &t) && t != DT_STR)
        hint_each(c, d, m, args);
    else if (arg->kind == EX_TUPLE && p->type->kind == TX_ARRAY)
        diag_hint(c->s, d, "an array is written in [ ]: [%.*s]", (int)strlen(source_copy(c->s, arg->span)) - 2,
                  source_copy(c->s, arg->span) + 1);
    else if (arg->type->kind == FT_ARRAY && p->type->kind == TX_ARRAY && !same_rank)
        diag_hint(c->s, d, "it has %d ax%s, the parameter has %d", arg->type->rank, arg->type->rank == 1 ? "is" : "es",
                  p->type->dims.len);
}

static bool is_named(const NameVec *names, int i) { return i < names->len && names->data[i]; }

static const char *counts(Check *c, const Decl *d) {
    int most = d->params.len, least = most;
    while (least && d->params.data[least - 1].value) least--;
    return least == most ? count_words(c, most) : intern_printf(c->s, "%d to %d arguments", least, most);
}

static Expr **report_order(Check *c, const Decl *d, Diag *diag) {
    note_decl(c, diag, d);
    note_hidden(c, diag, d);
    return NULL;
}

static int param_index(const Decl *d, const char *name) {
    int k = 0;
    while (k < d->params.len && strcmp(d->params.data[k].name, name)) k++;
    return k;
}

static const Foreign *foreign_param(Check *c, const Decl *head, const char *name) {
    const Foreign *f = decl_is_std(c, head) ? foreign_find(FOREIGN_ARG, name) : NULL;
    for (const Decl *d = head; f && d; d = d->next_overload)
        if (param_index(d, f->ours) < d->params.len) return f;
    return NULL;
}

/* "title, xlabel"; NULL: none has a default value. */
static const char *named_params(Check *c, const Decl *d) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < d->params.len; i++)
        if (d->params.data[i].value) text_printf(&t, "%s%s", t.len ? ", " : "", d->params.data[i].name);
    return t.len ? text_str(&t) : NULL;
}

Span arg_name_span(Check *c, const Expr *value, const char *name) {
    Span at = value->span;
    size_t len, n = strlen(name);
    const char *text = source_text(c->s, at.file, &len);
    int i = at.lo;
    while (i > 0 && strchr(" \t\r\n(=", text[i - 1])) i--;
    if ((size_t)i < n || strncmp(text + i - n, name, n)) return at;
    return (Span){at.file, i - (int)n, i, at.via};
}

static Expr **report_no_parameter(Check *c, const Decl *d, const char *name, Span at) {
    VEC(const char *) known = {0};
    for (int p = 0; p < d->params.len; p++) vec_push(c->a, &known, d->params.data[p].name);
    const char *near = spell_nearest(name, known.data, known.len);
    Diag *diag = report(c, at, E_NO_PARAMETER, d->name, name);
    const Foreign *foreign = foreign_param(c, d, name);
    if (foreign) diag_hint(c->s, diag, "%s", foreign->hint);
    else if (near) diag_hint(c->s, diag, "did you mean '%s'?", near);
    else if (named_params(c, d)) diag_hint(c->s, diag, "parameters with default values: %s", named_params(c, d));
    return report_order(c, d, diag);
}

/* Arguments in the order of d's parameters, with default values; NULL when a name or the count does not fit. */
Expr **order_args(Check *c, const Decl *d, const ExprVec *args, const NameVec *names, bool say, Span at) {
    int n = d->params.len, next = 0;
    Expr **out = NEWN(c->a, Expr *, n);
    bool many = false;
    const char *missing = NULL;
    for (int i = 0; i < args->len; i++) {
        const char *name = is_named(names, i) ? names->data[i] : NULL;
        int k = name ? param_index(d, name) : next++;
        if (k < n && !out[k]) out[k] = args->data[i];
        else if (!name) many = true;
        else if (!say) return NULL;
        else if (k == n) return report_no_parameter(c, d, name, arg_name_span(c, args->data[i], name));
        else
            return report_order(c, d,
                                report(c, arg_name_span(c, args->data[i], name), E_ARGUMENT_TWICE, name, d->name));
    }
    for (int k = 0; k < n; k++) {
        if (!out[k] && d->params.data[k].value) out[k] = check_expr(c, expr_clone(c->s, d->params.data[k].value), NULL);
        if (!out[k] && !missing) missing = d->params.data[k].name;
    }
    if (!many && !missing) return out;
    if (!say) return NULL;
    Diag *diag = report(c, at, E_ARGUMENT_COUNT, d->name, counts(c, d), args->len);
    if (!many) diag_hint(c->s, diag, "'%s' is missing", missing);
    hint_foreign_call(c, diag, d);
    return report_order(c, d, diag);
}

const FType *const *types_of(Check *c, Expr *const *args, int n) {
    const FType **types = NEWN(c->a, const FType *, n);
    for (int i = 0; i < n; i++) types[i] = args[i]->type;
    return types;
}

/* Types as in the call: (str, title=str) */
const char *call_text(Check *c, const ExprVec *args, const NameVec *names) {
    Text t;
    text_init(&t, c->a);
    for (int i = 0; i < args->len; i++) {
        if (i) text_printf(&t, ", ");
        if (is_named(names, i)) text_printf(&t, "%s=", names->data[i]);
        text_printf(&t, "%s", ftype_str(c->s, args->data[i]->type));
    }
    return text_str(&t);
}

/* A name that none of the overloads has; -1: there is none */
static int unknown_name(const Decl *head, const NameVec *names) {
    for (int i = 0; i < names->len; i++) {
        const Decl *d = head;
        while (d && names->data[i] && param_index(d, names->data[i]) == d->params.len) d = d->next_overload;
        if (!d) return i;
    }
    return -1;
}

static bool looks_like(const FType *t, const TypeExpr *x) {
    const FType *elem = elem_of(t);
    const TypeExpr *want = x->kind == TX_ARRAY ? x->elem : x;
    bool text = type_is_scalar(elem, DT_STR), wants_text = want->kind == TX_NAME && !strcmp(want->name, "str");
    return text == wants_text && (elem->kind == FT_TUPLE) == (want->kind == TX_TUPLE) &&
           t->rank == (x->kind == TX_ARRAY ? x->dims.len : 0);
}

/* How well the arguments that have no name fit; more is better. */
static int likeness(const Decl *d, const ExprVec *args, const NameVec *names) {
    int score = 0, given = 0, needed = 0;
    for (int i = 0; i < args->len; i++) {
        if (is_named(names, i)) continue;
        score += i < d->params.len && looks_like(args->data[i]->type, d->params.data[i].type);
        given++;
    }
    while (needed < d->params.len && !d->params.data[needed].value) needed++;
    return 2 * score - abs(needed - given);
}

enum { ALL_SHOWN = 4, NEAREST_SHOWN = 2 };

/* All overloads when they are few, else those that are most like the call */
static void note_overloads(Check *c, Diag *d, const Decl *head, const ExprVec *args, const NameVec *names) {
    VEC(const Decl *) all = {0};
    for (const Decl *o = head; o; o = o->next_overload) vec_push(c->a, &all, o);
    int shown = all.len > ALL_SHOWN ? NEAREST_SHOWN : all.len;
    for (int k = 0; k < shown; k++) {
        int best = k;
        for (int i = k + 1; shown < all.len && i < all.len; i++)
            if (likeness(all.data[i], args, names) > likeness(all.data[best], args, names)) best = i;
        const Decl *o = all.data[best];
        all.data[best] = all.data[k];
        all.data[k] = o;
        diag_note(c->s, d, o->name_span, "this one takes (%s)", params_text(c, o));
    }
    if (shown < all.len) diag_note(c->s, d, NO_SPAN, "there are %d more, which take other arguments", all.len - shown);
}

/* An overload that takes all but argument k, where none of these knows its name; NULL: there is none */
static const Decl *takes_others(Check *c, Decl *head, const ExprVec *args, const NameVec *names, int k) {
    const Decl *lacks = NULL;
    ExprVec others = {0};
    NameVec called = {0};
    Match m;
    for (int i = 0; i < args->len; i++) {
        if (i == k) continue;
        vec_push(c->a, &others, args->data[i]);
        vec_push(c->a, &called, is_named(names, i) ? names->data[i] : NULL);
    }
    for (Decl *d = head; d; d = d->next_overload) {
        Expr **list = order_args(c, d, &others, &called, false, NO_SPAN);
        if (!list || !match_decl(&m, c, d, d->params.len, types_of(c, list, d->params.len), list, NO_SPAN)) continue;
        if (param_index(d, names->data[k]) < d->params.len) return NULL;
        if (!lacks) lacks = d;
    }
    return lacks;
}

/* The name that is wrong with the call: no overload has it; or, where too many are to be shown, none that takes the
 * other arguments.  False: there is none */
static bool report_lacking(Check *c, Decl *head, const ExprVec *args, const NameVec *names) {
    int unknown = unknown_name(head, names), overloads = 0;
    bool everywhere = unknown >= 0;
    const Decl *lacks = everywhere ? takes_others(c, head, args, names, unknown) : NULL;
    for (const Decl *d = head; d; d = d->next_overload) overloads++;
    for (int i = 0; i < names->len && !everywhere && !lacks && overloads > ALL_SHOWN; i++)
        if (names->data[i]) lacks = takes_others(c, head, args, names, unknown = i);
    if (!lacks && !everywhere) return false;
    report_no_parameter(c, lacks ? lacks : head, names->data[unknown], args->data[unknown]->span);
    return true;
}

static void report_no_overload(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at) {
    if (report_lacking(c, head, args, names)) return;
    Diag *d = report(c, at, E_NO_OVERLOAD, head->name, call_text(c, args, names));
    note_overloads(c, d, head, args, names);
    note_hidden(c, d, head);
    hint_foreign_call(c, d, head);
    for (int i = 0; i < args->len && decl_is_std(c, head); i++)
        if (hint_flatten(c, d, args->data[i], false)) break;
}

Found find_overload(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at, Match *best,
                    Expr ***ordered) {
    Found found = FOUND_NONE;
    for (Decl *d = head; d; d = d->next_overload) {
        Match m;
        Expr **list = order_args(c, d, args, names, false, at);
        if (!list) continue;
        bool fits = match_decl(&m, c, d, d->params.len, types_of(c, list, d->params.len), list, at);
        if (m.bad == -2) return FOUND_REPORTED;
        if (!fits || (found && !m.exact && (m.complex || !best->complex))) continue;
        *best = m;
        *ordered = list;
        found = FOUND_ONE;
        if (m.exact) break;
    }
    return found;
}

void report_no_fit(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at) {
    Match m;
    if (head->next_overload) {
        report_no_overload(c, head, args, names, at);
        return;
    }
    Expr **list = order_args(c, head, args, names, true, at);
    if (list && !match_decl(&m, c, head, head->params.len, types_of(c, list, head->params.len), list, at))
        report_mismatch(c, &m, list);
}

bool choose_overload(Check *c, Decl *head, const ExprVec *args, const NameVec *names, Span at, Match *best,
                     Expr ***ordered) {
    Found fit = find_overload(c, head, args, names, at, best, ordered);
    if (fit == FOUND_NONE) report_no_fit(c, head, args, names, at);
    return fit == FOUND_ONE;
}
