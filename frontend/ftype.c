/* Types of the source language.  The record itself is the key under which it is interned (with the
 * lists it points to interned before it), so equal types are equal pointers. */
#include "ast/ast.h"

#include <string.h>

const FType ftype_error = {.kind = FT_ERROR}, ftype_unit = {.kind = FT_UNIT};

static const FType *ftype_intern(Session *s, const FType *key) {
    return (const FType *)(const void *)intern_n(s, (const char *)key, sizeof *key);
}

/* One copy of a list of pointers. */
static const void *intern_list(Session *s, const void *list, int n) {
    return n ? (const void *)intern_n(s, list, (size_t)n * sizeof(void *)) : NULL;
}

static FType *blank(FType *key, FTypeKind kind) {
    memset(key, 0, sizeof *key); /* padding too: the bytes are the key */
    key->kind = kind;
    return key;
}

static int count_leaves(const FType *t) {
    int n = 0;
    for (int i = 0; i < t->nfields; i++) n += t->fields[i]->nfields ? t->fields[i]->leaves : 1;
    return n;
}

const FType *ftype_scalar(Session *s, DType t) {
    FType key;
    blank(&key, FT_SCALAR)->dtype = t;
    return ftype_intern(s, &key);
}

const FType *ftype_array(Session *s, const FType *elem, int rank, const Size *const *dims) {
    FType key;
    blank(&key, FT_ARRAY)->elem = elem;
    key.dtype = elem->dtype;
    key.rank = rank;
    key.dims = intern_list(s, dims, rank);
    return ftype_intern(s, &key);
}

const FType *ftype_tuple(Session *s, int n, const FType *const *fields) {
    FType key;
    blank(&key, FT_TUPLE)->nfields = n;
    key.fields = intern_list(s, fields, n);
    key.leaves = count_leaves(&key);
    return ftype_intern(s, &key);
}

const FType *ftype_struct(Session *s, Decl *decl, int n, const FType *const *fields, const char *const *names) {
    FType key;
    blank(&key, FT_STRUCT)->nfields = n;
    key.fields = intern_list(s, fields, n);
    key.names = intern_list(s, names, n);
    key.decl = decl;
    key.leaves = count_leaves(&key);
    return ftype_intern(s, &key);
}

const FType *ftype_func(Session *s, Decl *decl, Expr *lambda) {
    FType key;
    blank(&key, FT_FUNC)->decl = decl;
    key.lambda = lambda;
    return ftype_intern(s, &key);
}

const FType *ftype_type(Session *s, const FType *t) {
    FType key;
    blank(&key, FT_TYPE)->elem = t;
    return ftype_intern(s, &key);
}

const FType *ftype_subst(Session *s, const FType *t, SizeSubst f, void *ctx) {
    if (t->kind == FT_ARRAY) {
        const Size **dims = NEWN(session_arena(s), const Size *, t->rank);
        for (int i = 0; i < t->rank; i++) dims[i] = size_subst(s, t->dims[i], f, ctx);
        return ftype_array(s, t->elem, t->rank, dims);
    }
    if (t->kind != FT_TUPLE && t->kind != FT_STRUCT) return t;
    const FType **fields = NEWN(session_arena(s), const FType *, t->nfields);
    for (int i = 0; i < t->nfields; i++) fields[i] = ftype_subst(s, t->fields[i], f, ctx);
    return t->kind == FT_TUPLE ? ftype_tuple(s, t->nfields, fields)
                               : ftype_struct(s, t->decl, t->nfields, fields, t->names);
}

static void put(Text *out, const char *s) { text_add(out, s, strlen(s)); }

static void put_type(Text *out, const FType *t);

static void put_list(Text *out, int n, const FType *const *list) {
    for (int i = 0; i < n; i++) {
        if (i) put(out, ", ");
        put_type(out, list[i]);
    }
}

static void put_array(Text *out, const FType *t) {
    put_type(out, t->elem);
    put(out, "[");
    for (int i = 0; i < t->rank; i++) {
        if (i) put(out, ", ");
        size_print(out, t->dims[i]);
    }
    put(out, "]");
}

static void put_type(Text *out, const FType *t) {
    switch (t->kind) {
    case FT_ERROR: put(out, "?"); return;
    case FT_UNIT: put(out, "no value"); return;
    case FT_SCALAR: put(out, t->dtype == DT_I64 ? "int" : dtype_info(t->dtype)->name); return;
    case FT_ARRAY: put_array(out, t); return;
    case FT_TUPLE:
        put(out, "(");
        put_list(out, t->nfields, t->fields);
        put(out, ")");
        return;
    case FT_STRUCT: put(out, t->decl->name); return;
    case FT_FUNC: text_printf(out, "function %s", t->decl ? t->decl->name : "fn(..)"); return;
    case FT_TYPE:
        put(out, "type ");
        put_type(out, t->elem);
        return;
    }
}

const char *ftype_str(Session *s, const FType *t) {
    Text text;
    text_init(&text, session_arena(s));
    put_type(&text, t);
    return text_str(&text);
}

bool ftype_has_const_size(const FType *t) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++)
        if (!size_is_const(t->dims[i], NULL)) return false;
    for (int i = 0; i < t->nfields; i++)
        if (!ftype_has_const_size(t->fields[i])) return false;
    return true;
}

static bool is_int(const FType *t) { return t->kind == FT_SCALAR && t->dtype == DT_I64; }

bool is_size_field(const FType *t, int field, int *array, int *axis) {
    if (t->kind != FT_STRUCT || !is_int(t->fields[field])) return false;
    const char *name = t->names[field];
    for (*array = 0; *array < t->decl->fields.len; ++*array) {
        const TypeExpr *tx = t->decl->fields.data[*array].type;
        if (!tx || tx->kind != TX_ARRAY || t->fields[*array]->kind != FT_ARRAY) continue;
        for (*axis = 0; *axis < tx->dims.len; ++*axis) {
            const Expr *dim = tx->dims.data[*axis];
            if (dim && dim->kind == EX_NAME && dim->name == name) return true;
        }
    }
    return false;
}
