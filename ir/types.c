/* Types, interned.  The record itself is the key: a Type holds no padding and only interned sizes, so
 * that equal types are equal bytes and the session's table of texts keeps one copy of each. */
#include "ir/ir.h"

#include <string.h>

static const Type *type_intern(Session *s, const Type *key) {
    return (const Type *)(const void *)intern_n(s, (const char *)key, sizeof *key);
}

static const Type *shaped(Session *s, TypeKind kind, DType t, int rank, const Size *const *dims, Space space) {
    Type key;
    memset(&key, 0, sizeof key);
    if (rank < 0 || rank > (kind == TY_TENSOR ? TENSOR_RANK : MAX_RANK)) bug("type of rank %d", rank);
    key.kind = kind;
    key.dtype = t;
    key.space = space;
    key.rank = rank;
    for (int i = 0; i < rank; i++) key.dims[i] = dims[i];
    return type_intern(s, &key);
}

const Type *type_scalar(Session *s, DType t) { return shaped(s, TY_SCALAR, t, 0, NULL, SPACE_GLOBAL); }

const Type *type_tensor(Session *s, DType t, int rank, const Size *const *dims) {
    return shaped(s, TY_TENSOR, t, rank, dims, SPACE_GLOBAL);
}

const Type *type_buf(Session *s, DType t, int rank, const Size *const *dims, Space space) {
    return shaped(s, TY_BUF, t, rank, dims, space);
}

const Type *type_elem(Session *s, const Type *t) { return type_scalar(s, t->dtype); }

const Type *type_with_dtype(Session *s, const Type *t, DType d) {
    return t->dtype == d ? t : shaped(s, t->kind, d, t->rank, t->dims, t->space);
}

const Size *type_elements(Session *s, const Type *t) {
    const Size *n = size_const(s, 1);
    for (int i = 0; i < t->rank; i++) n = size_mul(s, n, t->dims[i]);
    return n;
}

int64_t type_few_elements(Session *s, const Type *t, int64_t most) {
    int64_t n;
    return size_is_const(type_elements(s, t), &n) && n >= 1 && n <= most ? n : 0;
}

const Type *type_subst(Session *s, const Type *t, SizeSubst f, void *ctx) {
    const Size *dims[MAX_RANK];
    if (t->rank == 0 || !f) return t;
    for (int i = 0; i < t->rank; i++) dims[i] = size_subst(s, t->dims[i], f, ctx);
    return shaped(s, t->kind, t->dtype, t->rank, dims, t->space);
}

/* ---- text */

static void print_shape(Text *out, const Type *t) {
    text_printf(out, "%s[", dtype_info(t->dtype)->name);
    for (int i = 0; i < t->rank; i++) {
        if (i) text_add(out, ", ", 2);
        size_print(out, t->dims[i]);
    }
    text_add(out, "]", 1);
}

void type_print(Text *out, const Type *t) {
    static const char *const space_suffix[] = {"", ", shared", ", private"};
    switch (t->kind) {
    case TY_SCALAR: text_printf(out, "%s", dtype_info(t->dtype)->name); return;
    case TY_TENSOR: print_shape(out, t); return;
    case TY_BUF:
        text_add(out, "buf<", 4);
        print_shape(out, t);
        text_printf(out, "%s>", space_suffix[t->space]);
        return;
    }
}

const char *type_str(Session *s, const Type *t) {
    Text text;
    text_init(&text, session_arena(s));
    type_print(&text, t);
    return text_str(&text);
}

const Type *type_i64(const Module *m) { return type_scalar(m->session, DT_I64); }

bool type_same_dims(const Type *x, const Type *y) {
    bool same = x->rank == y->rank;
    for (int i = 0; same && i < x->rank; i++) same = x->dims[i] == y->dims[i];
    return same;
}
