/* Variables of the session as values of a cell, and the other way round. */
#include "lower/ast/lower.h"
#include "repl/cell.h"

#include <string.h>

static void put_layout(Text *t, const FType *type) {
    switch (type->kind) {
    case FT_SCALAR: text_printf(t, "%s", dtype_info(type->dtype)->name); return;
    case FT_ARRAY:
        put_layout(t, type->elem);
        text_printf(t, "[%d]", type->rank);
        return;
    default:
        text_printf(t, "%s(", type->decl ? type->decl->name : "");
        for (int i = 0; i < type->nfields; i++) {
            if (type->names) text_printf(t, "%s:", type->names[i]);
            put_layout(t, type->fields[i]);
            text_printf(t, ",");
        }
        text_printf(t, ")");
    }
}

static const char *layout_of(Run *r, const FType *type) {
    Text t;
    text_init(&t, arena_of(r));
    put_layout(&t, type);
    return text_str(&t);
}

/* The sizes that a struct's declaration fixes are those of the leaves; skip: axes of the arrays around type. */
static bool sizes_fit(const FType *type, const Leaf **leaf, int skip) {
    const Leaf *first = *leaf;
    bool ok = true;
    int64_t n;
    if (type->kind == FT_SCALAR) return ++*leaf, true;
    if (type->kind == FT_ARRAY) {
        for (int i = 0; i < type->rank; i++)
            ok &= !size_is_const(type->dims[i], &n) || n == first->value.as_array->dim[skip + i];
        return sizes_fit(type->elem, leaf, skip + type->rank) && ok;
    }
    for (int i = 0; i < type->nfields; i++) ok &= sizes_fit(type->fields[i], leaf, skip);
    return ok;
}

bool value_fits(Run *r, const Variable *x, const FType *type) {
    const Leaf *leaf = x->leaves;
    return !strcmp(layout_of(r, type), x->layout) && sizes_fit(type, &leaf, 0);
}

static void put_type(Text *t, const FType *type, const Leaf **leaf, int skip) {
    const Leaf *first = *leaf;
    switch (type->kind) {
    case FT_SCALAR:
        text_printf(t, "%s", type->dtype == DT_I64 ? "int" : dtype_info(type->dtype)->name);
        ++*leaf;
        return;
    case FT_ARRAY:
        put_type(t, type->elem, leaf, skip + type->rank);
        for (int i = 0; i < type->rank; i++)
            text_printf(t, "%s%lld", i ? ", " : "[", (long long)first->value.as_array->dim[skip + i]);
        text_printf(t, "]");
        return;
    case FT_TUPLE:
        for (int i = 0; i < type->nfields; i++) {
            text_printf(t, i ? ", " : "(");
            put_type(t, type->fields[i], leaf, skip);
        }
        text_printf(t, ")");
        return;
    default:
        text_printf(t, "%s", type->decl ? type->decl->name : "?");
        *leaf += leaf_count(type);
    }
}

static bool literal_value(const Var *v, const Leaf *l, int64_t *out) {
    if (v->kind == VAR_VAR || v->type->kind != FT_SCALAR) return false;
    switch (l->dtype) {
    case DT_BOOL: *out = l->value.as_bool; return true;
    case DT_I8: *out = l->value.as_i8; return true;
    case DT_I16: *out = l->value.as_i16; return true;
    case DT_I32: *out = l->value.as_i32; return true;
    case DT_I64: *out = l->value.as_i64; return *out > INT64_MIN;
    default: return false;
    }
}

static Variable variable_of(Run *r, const Var *v, Leaf *leaves, int n) {
    Variable x = {.name = v->name, .leaves = leaves, .nleaves = n};
    const Leaf *next = leaves;
    Text t;
    int64_t value;
    text_init(&t, arena_of(r));
    put_type(&t, v->type, &next, 0);
    x.type = text_str(&t);
    x.literal = literal_value(v, leaves, &value);
    x.fixed = v->kind != VAR_VAR;
    x.layout = layout_of(r, v->type);
    if (!x.literal) x.given = intern_printf(r->s, "var %s: %s", x.name, x.type);
    else if (leaves->dtype == DT_BOOL)
        x.given = intern_printf(r->s, "let %s: bool = %s", x.name, value ? "true" : "false");
    else x.given = intern_printf(r->s, "let %s: %s = %lld", x.name, x.type, (long long)value);
    return x;
}

/* let f = fn(x) => ...: no value, but the next cells may use it all the same. */
static void collect_functions(Run *r) {
    for (int i = 0; i < r->program->main.len; i++) {
        const Stmt *st = r->program->main.data[i];
        if (st->kind != ST_LET || st->vars.len != 1 || st->vars.data[0]->type->kind != FT_FUNC ||
            st->span.file != r->file || !strcmp(st->names.data[0], "_"))
            continue;
        const char *text = source_text(r->s, r->file, NULL) + st->span.lo;
        Variable v = {.name = st->names.data[0],
                      .type = "function",
                      .layout = "",
                      .literal = true,
                      .fixed = true,
                      .leaves = NEW(arena_of(r), Leaf),
                      .given = intern_n(r->s, text, (size_t)(st->span.hi - st->span.lo))};
        vec_push(arena_of(r), &r->result.vars, v);
    }
}

void collect_variables(Run *r, const Func *main_func, const dsl_value *results) {
    const Program *p = r->program;
    for (int i = 0, at = 0; i < p->kept.len; i++) {
        int n = leaf_count(p->kept.data[i]->type);
        Leaf *leaves = NEWN(arena_of(r), Leaf, n + 1);
        for (int k = 0; k < n; k++, at++) {
            const Type *t = main_func->res_types[at];
            leaves[k] = (Leaf){t->dtype, type_is_tensor(t), results[at]};
        }
        Variable v = variable_of(r, p->kept.data[i], leaves, n);
        vec_push(arena_of(r), &r->result.vars, v);
    }
    collect_functions(r);
}

dsl_value *cell_arguments(Run *r) {
    const Program *p = r->program;
    VEC(dsl_value) v = {0};
    for (int i = 0; i < p->given.len; i++) {
        const Variable *x = workspace_var(r->w, p->given.data[i]->name);
        for (int k = 0; k < x->nleaves; k++) vec_push(arena_of(r), &v, x->leaves[k].value);
    }
    vec_push(arena_of(r), &v, (dsl_value){0});
    return v.data;
}
