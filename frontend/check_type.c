/* Type expressions to types.
 *
 * Sizes in a type are ints of the scope.  Where new names are allowed (parameters, results, annotations of
 * let), a bare unknown name makes a fresh size symbol; what that symbol is then equal to is up to the caller.
 * A struct is a tuple with names: sizes of arrays inside it belong to each value's own type. */
#include "frontend/check.h"

#include <ctype.h>
#include <string.h>

enum { MAX_LEAVES = 256 };

typedef struct { const FType *type; NewSizes sizes; enum { S_TODO, S_DOING, S_DONE } state; } StructInfo;

bool type_name_is_var(const Check *c, const char *name) {
    if (!isupper((unsigned char)name[0])) return false;
    for (int i = 1; name[i]; i++)
        if (!isdigit((unsigned char)name[i])) return false;
    return !struct_find((Check *)c, name);
}

Decl *struct_find(Check *c, const char *name) {
    Global *g = global_find(c, name);
    return g && g->kind == GL_STRUCT ? g->decl : NULL;
}

/* ---- facts of a declaration */

static void add_tvar(Check *c, DeclInfo *info, const char *name) {
    for (int i = 0; i < info->tvars.len; i++)
        if (info->tvars.data[i] == name) return;
    vec_push(c->a, &info->tvars, name);
}

static void scan_type(Check *c, DeclInfo *info, const TypeExpr *tx) {
    if (!tx) return;
    DType t;
    if (tx->kind == TX_NAME && !dtype_find(tx->name, &t) && type_name_is_var(c, tx->name)) add_tvar(c, info, tx->name);
    info->has_any_rank |= tx->any_rank;
    info->has_fn |= tx->kind == TX_FUNC;
    scan_type(c, info, tx->elem);
    for (int i = 0; i < tx->items.len; i++) scan_type(c, info, tx->items.data[i]);
}

DeclInfo *decl_info(Check *c, Decl *d) {
    DeclInfo *info = map_get(&c->decls, d);
    if (info) return info;
    info = NEW(c->a, DeclInfo);
    map_put(c->a, &c->decls, d, info);
    FileScope *saved = c->fn->scope;
    c->fn->scope = decl_scope(c, d);
    for (int i = 0; i < d->params.len; i++) scan_type(c, info, d->params.data[i].type);
    c->fn->scope = saved;
    d->generic = info->tvars.len || info->has_any_rank || info->has_fn;
    return info;
}

/* ---- sizes */

const Size *dim_resolve(Check *c, Expr **dim) {
    Expr *e = *dim = coerce_int(c, check_expr(c, *dim, NULL), "a size");
    if (is_error(e)) return NULL;
    if (e->size) return e->size;
    Diag *d = report(c, e->span, E_SIZE_UNKNOWN);
    diag_hint(c->s, d,
              "a size in a type is built from numbers, consts and ints that do not change: `let n = ...` first");
    return NULL;
}

static const Size *new_size(Check *c, NewSizes *fresh, const char *name, Span at) {
    for (int i = 0; name && i < fresh->len; i++)
        if (fresh->data[i].name == name) return size_sym(c->s, fresh->data[i].sym);
    NewSize n = {name, sym_fresh(c, name ? name : "size", at, NULL), at, NULL};
    vec_push(c->a, fresh, n);
    return size_sym(c->s, n.sym);
}

static bool is_new_name(Check *c, const Expr *dim) {
    if (dim->kind != EX_NAME || scope_find(c, dim->name)) return false;
    Global *g = global_find(c, dim->name);
    return !(g && g->kind == GL_CONST);
}

static const Size *resolve_dim(Check *c, const TypeExpr *tx, int i, NewSizes *fresh) {
    Expr *dim = tx->dims.data[i];
    if (!dim && !fresh) return report(c, tx->span, E_SIZE_LEFT_OUT), NULL;
    if (!dim) return new_size(c, fresh, NULL, tx->span);
    if (fresh && is_new_name(c, dim)) return new_size(c, fresh, dim->name, dim->span);
    dim = expr_clone(c->s, dim); /* the same text is resolved once per instance */
    const Size *z = dim_resolve(c, &dim);
    int64_t k;
    if (z && size_is_const(z, &k) && k < 0) return report(c, dim->span, E_SIZE_NEGATIVE, (long long)k), NULL;
    return z;
}

/* ---- type expressions */

static const FType *unknown_type(Check *c, const TypeExpr *tx) {
    if (report_clash(c, tx->span, tx->name)) return &ftype_error;
    Diag *d = report(c, tx->span, E_UNKNOWN_TYPE, tx->name);
    NameVec names = {0};
    for (int t = 0; t < DT_COUNT; t++) vec_push(c->a, &names, dtype_info((DType)t)->name);
    vec_push(c->a, &names, "int");
    global_names(c, c->fn->scope, GL_STRUCT, &names);
    const char *near = spell_nearest(tx->name, names.data, names.len);
    const Foreign *foreign = foreign_find(FOREIGN_TYPE, tx->name);
    if (foreign) {
        diag_hint(c->s, d, "in this language: %s", foreign->hint);
        if (foreign->ours) diag_fix(c->s, d, true, tx->span, "%s", foreign->ours);
    } else if (near) suggest_name(c, d, tx->span, near);
    else if (type_name_is_var(c, tx->name))
        diag_hint(c->s, d, "a type variable must appear in the type of a parameter");
    return &ftype_error;
}

static const FType *resolve_name(Check *c, const TypeExpr *tx, NewSizes *fresh) {
    DType t;
    if (tx->name == c->n_int) return ftype_scalar(c->s, DT_I64);
    if (dtype_find(tx->name, &t)) return ftype_scalar(c->s, t);
    const FType *var = tvar_find(c, tx->name);
    if (var) return var;
    Decl *d = struct_find(c, tx->name);
    return d ? struct_type(c, d, fresh, tx->span) : unknown_type(c, tx);
}

/* Whether values of the type can be the elements of an array. */
static bool can_be_element(const FType *t) {
    if (t->kind == FT_SCALAR) return true;
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return false;
    for (int i = 0; i < t->nfields; i++)
        if (!can_be_element(t->fields[i])) return false;
    return true;
}

/* The field of a struct that no element can have: name, or place.name of a struct in it; NULL: there is none */
static const char *bad_field(Check *c, const FType *t, Span *at) {
    for (int i = 0; t->kind == FT_STRUCT && i < t->nfields; i++) {
        const FType *field = t->fields[i];
        const Param *p = &t->decl->fields.data[i];
        if (can_be_element(field)) continue;
        const char *inner = bad_field(c, field, at);
        if (inner) return intern_printf(c->s, "%s.%s", p->name, inner);
        *at = p->span;
        return intern_printf(c->s, "%s: %s", p->name, param_text(c, p->type));
    }
    return NULL;
}

void hint_element(Check *c, Diag *d, const FType *t) {
    Span at = NO_SPAN;
    const char *field = bad_field(c, t, &at);
    if (field) diag_note(c->s, d, at, "the field '%s' is no element of an array", field);
    if (t->kind == FT_ARRAY) diag_hint(c->s, d, "an array with more axes is written f64[n, m]");
    else if (field)
        diag_hint(c->s, d,
                  "elements are numbers, bools, or tuples and structs of these; keep '%.*s' outside, or a number in "
                  "its place",
                  (int)strcspn(field, ":"), field);
    else diag_hint(c->s, d, "elements are numbers, bools, or tuples and structs of these");
}

static const FType *resolve_array(Check *c, const TypeExpr *tx, NewSizes *fresh) {
    const FType *elem = type_resolve(c, tx->elem, NULL);
    const Size *dims[MAX_RANK];
    bool ok = elem->kind != FT_ERROR;
    if (tx->any_rank) return report(c, tx->span, E_ANY_RANK), &ftype_error;
    if (tx->dims.len > MAX_RANK) return report(c, tx->span, E_RANK_LIMIT, MAX_RANK), &ftype_error;
    if (ok && !can_be_element(elem)) {
        Diag *d = report(c, tx->elem->span, E_ELEMENT_TYPE, ftype_str(c->s, elem));
        hint_element(c, d, elem);
        ok = false;
    }
    for (int i = 0; i < tx->dims.len; i++) {
        dims[i] = resolve_dim(c, tx, i, fresh);
        ok &= dims[i] != NULL;
    }
    return ok ? ftype_array(c->s, elem, tx->dims.len, dims) : &ftype_error;
}

static const FType *resolve_tuple(Check *c, const TypeExpr *tx, NewSizes *fresh) {
    const FType **fields = NEWN(c->a, const FType *, tx->items.len);
    bool ok = true;
    for (int i = 0; i < tx->items.len; i++) {
        fields[i] = type_resolve(c, tx->items.data[i], fresh);
        ok &= fields[i]->kind != FT_ERROR;
    }
    const FType *t = ok ? ftype_tuple(c->s, tx->items.len, fields) : &ftype_error;
    if (t->leaves > MAX_LEAVES) return report(c, tx->span, E_TYPE_LEAVES, MAX_LEAVES), &ftype_error;
    return t;
}

const FType *type_resolve(Check *c, const TypeExpr *tx, NewSizes *fresh) {
    switch (tx->kind) {
    case TX_NAME: return resolve_name(c, tx, fresh);
    case TX_ARRAY: return resolve_array(c, tx, fresh);
    case TX_TUPLE: return resolve_tuple(c, tx, fresh);
    case TX_FUNC: return report(c, tx->span, E_FUNCTION_TYPE), &ftype_error;
    }
    bug("type expression %d", tx->kind);
}

/* ---- structs */

/* Whoever makes a struct may leave the field out: its default value is checked once, here. */
static bool default_fits(Check *c, const Param *p, const FType *t) {
    if (!p->value) return true;
    Reason why = {.what = intern_printf(c->s, "the default value of '%s'", p->name),
                  .note_at = p->span,
                  .note = "the field is declared here"};
    return !is_error(coerce(c, check_value(c, expr_clone(c->s, p->value), NULL), t, &why));
}

static const FType *resolve_fields(Check *c, Decl *d, NewSizes *sizes) {
    int n = d->fields.len;
    const FType **fields = NEWN(c->a, const FType *, n);
    const char **names = NEWN(c->a, const char *, n);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        Param *p = &d->fields.data[i];
        names[i] = p->name;
        fields[i] = p->type ? type_resolve(c, p->type, sizes) : &ftype_error;
        ok &= fields[i]->kind != FT_ERROR && default_fits(c, p, fields[i]);
        for (int j = 0; j < i; j++) {
            if (names[j] != p->name) continue;
            diag_note(c->s, report(c, p->span, E_DUPLICATE, p->name), d->fields.data[j].span, "first defined here");
            ok = false;
        }
    }
    const FType *t = ok ? ftype_struct(c->s, d, n, fields, names) : &ftype_error;
    if (t->leaves > MAX_LEAVES) return report(c, d->name_span, E_TYPE_LEAVES, MAX_LEAVES), &ftype_error;
    return t;
}

static StructInfo *struct_info(Check *c, Decl *d, Span at) {
    StructInfo *info = map_get(&c->structs, d);
    if (!info) {
        info = NEW(c->a, StructInfo);
        map_put(c->a, &c->structs, d, info);
    }
    if (info->state == S_DOING) {
        Diag *diag = report(c, at, E_STRUCT_RECURSIVE, d->name);
        diag_hint(c->s, diag, "keep the others in an array of their own, and an index in the struct");
        info->type = &ftype_error;
        info->state = S_DONE;
    }
    if (info->state == S_DONE) return info;
    Fn *saved = c->fn;
    info->state = S_DOING;
    c->fn = fn_new(c, FN_CONST, d->name);
    c->fn->scope = decl_scope(c, d);
    const FType *t = resolve_fields(c, d, &info->sizes);
    if (info->state == S_DOING) info->type = t;
    info->state = S_DONE;
    c->fn = saved;
    return info;
}

typedef struct { Map to; } Renames;

static const Size *rename_sym(void *ctx, const char *sym) { return map_get(&((Renames *)ctx)->to, sym); }

const FType *struct_type(Check *c, Decl *d, NewSizes *fresh, Span at) {
    StructInfo *info = struct_info(c, d, at);
    if (!info->sizes.len || info->type->kind == FT_ERROR) return info->type;
    Renames r = {0};
    NewSizes unlisted = {0};
    if (!fresh) fresh = &unlisted;
    for (int i = 0; i < info->sizes.len; i++) {
        NewSize n = info->sizes.data[i];
        NewSize made = {NULL, sym_fresh(c, n.sym, at, NULL), at, n.name};
        vec_push(c->a, fresh, made);
        map_put(c->a, &r.to, n.sym, (void *)size_sym(c->s, made.sym));
    }
    return ftype_subst(c->s, info->type, rename_sym, &r);
}

/* ---- filling in what a pattern leaves open */

typedef struct { Check *c; const Map *fresh; Map found; bool open; } Fill;

static void find_sizes(Fill *f, const FType *p, const FType *t) {
    if (p->kind != t->kind || p->rank != t->rank || p->nfields != t->nfields) return;
    for (int i = 0; i < p->rank; i++) {
        const char *sym = size_as_sym(p->dims[i]);
        if (sym && map_has(f->fresh, sym) && !map_has(&f->found, sym))
            map_put(f->c->a, &f->found, sym, (void *)t->dims[i]);
    }
    for (int i = 0; i < p->nfields; i++) find_sizes(f, p->fields[i], t->fields[i]);
}

static const Size *found_size(void *ctx, const char *sym) { return map_get(&((Fill *)ctx)->found, sym); }

static void look_if_open(void *ctx, const char *sym) {
    Fill *f = ctx;
    f->open |= map_has(f->fresh, sym) && !map_has(&f->found, sym);
}

static const FType *fill(Fill *f, const FType *p, const FType *t) {
    if (p->kind != t->kind || p->rank != t->rank || p->nfields != t->nfields) return p;
    Session *s = f->c->s;
    if (p->kind == FT_ARRAY) {
        const Size *dims[MAX_RANK];
        for (int i = 0; i < p->rank; i++) {
            f->open = false;
            size_each_sym(p->dims[i], look_if_open, f);
            dims[i] = f->open ? t->dims[i] : size_subst(s, p->dims[i], found_size, f);
        }
        return ftype_array(s, p->elem, p->rank, dims);
    }
    if (p->kind != FT_TUPLE && p->kind != FT_STRUCT) return p;
    const FType **fields = NEWN(f->c->a, const FType *, p->nfields);
    for (int i = 0; i < p->nfields; i++) fields[i] = fill(f, p->fields[i], t->fields[i]);
    return p->kind == FT_TUPLE ? ftype_tuple(s, p->nfields, fields)
                               : ftype_struct(s, p->decl, p->nfields, fields, p->names);
}

const FType *type_fill(Check *c, const FType *pattern, const Map *fresh, const FType *t) {
    Fill f = {.c = c, .fresh = fresh};
    if (!fresh->len) return pattern;
    find_sizes(&f, pattern, t);
    return fill(&f, pattern, t);
}
