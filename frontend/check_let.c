/* let, var, const, shared: definitions. */
#include "frontend/check.h"

#include <string.h>

static void give_value(Check *c, Var *v, const Expr *e) {
    if (v->kind == VAR_VAR || v->type->kind != FT_SCALAR) return;
    if (e && e->is_const) {
        v->has_const = true;
        v->cval = e->lit;
        v->init = e;
        if (v->type->dtype == DT_I64) v->size = size_const(c->s, e->lit.i);
    } else if (v->type->dtype == DT_I64 && e && e->size) {
        v->size = e->size;
    } else if (v->type->dtype == DT_I64) {
        var_give_sym(c, v);
    }
}

static Var *define_let(Check *c, Stmt *st, int i, const FType *t, const Expr *value) {
    Var *v = var_new(c, st->var_kind, st->names.data[i], st->name_spans.data[i], t);
    v->captured = c->fn->kind == FN_MAIN && c->fn->depth == 1;
    give_value(c, v, value);
    scope_define(c, v);
    vec_push(c->a, &st->vars, v);
    return v;
}

static void define_all_as_errors(Check *c, Stmt *st) {
    for (int i = 0; i < st->names.len; i++) define_let(c, st, i, &ftype_error, NULL);
}

/* The value is wrong: the names of the sizes exist all the same. */
static const FType *define_sizes_as_errors(Check *c, const NewSizes *fresh) {
    for (int i = 0; i < fresh->len; i++)
        if (fresh->data[i].name)
            scope_define(c, var_new(c, VAR_SIZE, fresh->data[i].name, fresh->data[i].span, &ftype_error));
    return &ftype_error;
}

/* The annotation with its new sizes taken from the value, whose names are then defined. */
static const FType *fill_annotation(Check *c, Stmt *st, const FType *pattern, const NewSizes *fresh, const FType *value,
                                    bool is_load) {
    Map set = {0}, found = {0};
    for (int i = 0; i < fresh->len; i++) map_put(c->a, &set, fresh->data[i].sym, st);
    match_sizes(c, &found, pattern, value);
    const FType *t = type_fill(c, pattern, &set, value);
    for (int i = 0; i < fresh->len; i++) {
        const NewSize *n = &fresh->data[i];
        const Size *z = map_get(&found, n->sym);
        bool stretched = pattern->kind == FT_ARRAY && value->kind == FT_SCALAR;
        if (!z && !is_load && stretched) {
            if (n->name) report_unknown_name(c, n->span, n->name, NAME_READ);
            else report(c, n->span, E_SIZE_LEFT_OUT);
            t = &ftype_error;
        }
        if (!n->name) continue;
        Var *v = var_new(c, VAR_SIZE, n->name, n->span, ftype_scalar(c->s, DT_I64));
        v->size = z ? z : size_sym(c->s, n->sym);
        v->sym = size_as_sym(v->size) == n->sym ? n->sym : NULL;
        v->used = true;
        scope_define(c, v);
        SizeBind b = {n->sym, NULL};
        if (v->sym) vec_push(c->a, &st->binds, b);
    }
    return t;
}

static bool is_load(const Expr *e) { return e->kind == EX_CALL && e->call == CALL_BUILTIN && e->builtin == BI_load; }

static void report_no_zero(Check *c, Stmt *st, const FType *t) {
    Diag *d = report(c, st->span, E_NO_INITIAL, ftype_str(c->s, t));
    diag_hint(c->s, d, "write `= value`");
}

static bool has_zero(const FType *t) {
    if (t->kind == FT_SCALAR) return t->dtype != DT_STR;
    if (t->kind == FT_ARRAY) return has_zero(t->elem);
    for (int i = 0; i < t->nfields; i++)
        if (!has_zero(t->fields[i])) return false;
    return t->kind == FT_TUPLE || t->kind == FT_STRUCT;
}

/* Without a value: zeros of the type. */
static const FType *check_zero_let(Check *c, Stmt *st, const FType *t, const NewSizes *fresh) {
    for (int i = 0; i < fresh->len; i++) {
        if (fresh->data[i].name) report_unknown_name(c, fresh->data[i].span, fresh->data[i].name, NAME_READ);
        else report(c, fresh->data[i].span, E_SIZE_LEFT_OUT);
    }
    if (fresh->len || t->kind == FT_ERROR) return &ftype_error;
    if (!has_zero(t)) return report_no_zero(c, st, t), &ftype_error;
    if (st->var_kind == VAR_LET) {
        report(c, st->span, E_NEEDS_VALUE, "let", st->names.data[0]);
        return &ftype_error;
    }
    return t;
}

/* The value under the annotation; its type, or FT_ERROR. */
static const FType *check_typed_let(Check *c, Stmt *st) {
    NewSizes fresh = {0};
    Reason why = {
        .what = "the value", .note_at = st->type->span, .note = "the type is declared here", .repeat = REPEAT_NUMBER};
    const FType *t = type_resolve(c, st->type, &fresh);
    if (!st->a) return check_zero_let(c, st, t, &fresh);
    Expr *e = st->a = check_value(c, st->a, t);
    if (is_error(e) || t->kind == FT_ERROR) return define_sizes_as_errors(c, &fresh);
    if (is_load(e)) {
        Map set = {0};
        for (int i = 0; i < fresh.len; i++) map_put(c->a, &set, fresh.data[i].sym, st);
        return fill_annotation(c, st, t, &fresh, t, true);
    }
    t = fill_annotation(c, st, t, &fresh, e->type, false);
    st->a = coerce(c, e, t, &why);
    return is_error(st->a) ? &ftype_error : t;
}

/* Values that a let may hold although they are no run-time values. */
static Expr *check_let_value(Check *c, Stmt *st) {
    Expr *e = check_expr(c, st->a, NULL);
    bool compile_time = e->type->kind == FT_FUNC || e->type->kind == FT_TYPE;
    if (!compile_time || st->var_kind == VAR_VAR) return check_value(c, e, NULL);
    return e;
}

static void require_const(Check *c, Stmt *st) {
    const Expr *e = st->a;
    if (!e || is_error(e) || e->is_const || e->type->kind != FT_SCALAR) return;
    Diag *d = report(c, e->span, E_NOT_CONST, st->names.data[0]);
    diag_hint(c->s, d, "`const` needs a value known while compiling; `let` takes any");
    error_expr(st->a);
}

/* ---- arguments of the program */

static bool is_argument_type(const FType *t) { return t->kind == FT_ERROR || t->kind == FT_SCALAR; }

/* Names that every executable has */
static bool is_taken(const char *name) { return !strcmp(name, "help") || !strcmp(name, "threads"); }

static void check_arg_name(Check *c, const Stmt *st) {
    const char *name = st->names.data[0];
    if (is_taken(name)) report(c, st->name_spans.data[0], E_ARG_NAME, name);
    for (int i = 0; i < c->prog->main.len && c->prog->main.data[i] != st; i++) {
        const Stmt *other = c->prog->main.data[i];
        if (!other->is_arg || other->names.data[0] != name) continue;
        diag_note(c->s, report(c, st->name_spans.data[0], E_DUPLICATE, name), other->name_spans.data[0],
                  "first defined here");
    }
}

static const FType *check_arg_type(Check *c, Stmt *st) {
    if (st->a) return check_typed_let(c, st);
    if (!c->prog->in_session) return type_resolve(c, st->type, NULL);
    Diag *d = report(c, st->span, E_ARG_VALUE, st->names.data[0]);
    diag_hint(c->s, d, "give it a default value: arg %s: %s = ...", st->names.data[0],
              st->type->name ? st->type->name : "int");
    return &ftype_error;
}

/* arg name: type = value; the value is none that is known when compiling. */
static void let_arg(Check *c, Stmt *st) {
    const FType *t = check_arg_type(c, st);
    if (!is_argument_type(t)) {
        Diag *d = report(c, st->type->span, E_ARG_TYPE, ftype_str(c->s, t));
        if (t->kind == FT_ARRAY)
            diag_hint(c->s, d, "let the argument be the name of a file: arg file: str, then load(file)");
        t = &ftype_error;
    }
    check_arg_name(c, st);
    define_let(c, st, 0, t, NULL);
}

static void let_one(Check *c, Stmt *st) {
    const FType *t;
    bool flex = false, by_literal = st->a && !st->type && st->var_kind == VAR_VAR && st->a->kind == EX_INT;
    if (st->type) {
        t = check_typed_let(c, st);
    } else if (!st->a) {
        report(c, st->span, E_NEEDS_VALUE, "let", st->names.data[0]);
        t = &ftype_error;
    } else {
        Expr *e = st->a = check_let_value(c, st);
        flex = e->flex && e->is_const && st->var_kind == VAR_CONST;
        if (e->type->kind == FT_SCALAR || e->type->kind == FT_ARRAY) st->a = unflex(c, e);
        t = st->a->type;
    }
    if (st->var_kind == VAR_CONST) require_const(c, st);
    if (st->a && is_error(st->a)) t = &ftype_error;
    Var *v = define_let(c, st, 0, t, st->a);
    v->flex = flex;
    v->by_literal = by_literal;
    v->first = by_literal ? st->a->lit.i : 0;
    if (v->kind == VAR_CONST && t->kind != FT_SCALAR && t->kind != FT_ERROR && st->a) v->const_expr = st->a;
}

void check_old_value(Check *c, Stmt *st, const FType *t) {
    const FType *want = st->type ? type_resolve(c, st->type, NULL) : t;
    if (want != t && want->kind != FT_ERROR && t->kind != FT_ERROR) {
        report(c, st->type->span, E_TYPE_MISMATCH, "what the element was", ftype_str(c->s, t), ftype_str(c->s, want));
        t = &ftype_error;
    }
    if (st->names.len > 1 && t->kind != FT_ERROR) {
        report(c, st->span, E_TUPLE_COUNT, st->names.len, ftype_str(c->s, t));
        t = &ftype_error;
    }
    if (st->var_kind == VAR_CONST && t->kind != FT_ERROR) {
        report(c, st->span, E_NOT_CONST, st->names.data[0]);
        t = &ftype_error;
    }
    for (int i = 0; i < st->names.len; i++) define_let(c, st, i, t, NULL);
}

/* let (a, a) = t: also at the top level, where a later let may take a name again */
static void report_twice(Check *c, const Stmt *st) {
    for (int i = 1; i < st->names.len; i++)
        for (int k = 0; k < i; k++)
            if (st->names.data[i] == st->names.data[k] && st->names.data[i] != c->n_underscore)
                diag_note(c->s, report(c, st->name_spans.data[i], E_DUPLICATE, st->names.data[i]),
                          st->name_spans.data[k], "first defined here");
}

enum { MOST_APART = 4 };

Expr *check_apart(Check *c, Expr *e, int names) {
    int64_t n;
    const FType *t = e->type;
    if (t->kind != FT_ARRAY || t->rank > 2 || names > MOST_APART) return e;
    if (size_is_const(t->dims[0], &n) && n != names) return e;
    return check_expr(c, call_library(c, e->span, intern_printf(c->s, "_apart%d", names), 1, &e), NULL);
}

static void report_apart(Check *c, const Stmt *st, const Expr *e) {
    Diag *d = report(c, e->span, E_TUPLE_COUNT, st->names.len, ftype_str(c->s, e->type));
    const char *x = e->kind == EX_NAME ? e->name : "y";
    if (e->type->kind == FT_ARRAY) diag_hint(c->s, d, "take elements: let %s = %s[0]", st->names.data[0], x);
    else if (e->type->kind == FT_STRUCT && e->type->nfields)
        diag_hint(c->s, d, "take fields: let %s = %s.%s", st->names.data[0], x, e->type->names[0]);
}

/* let (a, b) = t */
static void let_many(Check *c, Stmt *st) {
    Reason why = {.what = "the value"};
    if (!st->a) {
        report(c, st->span, E_NEEDS_VALUE, "let", st->names.data[0]);
        define_all_as_errors(c, st);
        return;
    }
    NewSizes fresh = {0};
    const FType *want = st->type ? type_resolve(c, st->type, &fresh) : NULL;
    Expr *e = st->a = check_value(c, st->a, want);
    if (want && want->kind != FT_ERROR && !is_error(e))
        e = st->a = coerce(c, e, fill_annotation(c, st, want, &fresh, e->type, false), &why);
    e = st->a = check_apart(c, e, st->names.len);
    bool fits = e->type->kind == FT_TUPLE && e->type->nfields == st->names.len;
    if (!fits) {
        if (!is_error(e)) report_apart(c, st, e);
        define_all_as_errors(c, st);
        return;
    }
    report_twice(c, st);
    for (int i = 0; i < st->names.len; i++) {
        const Expr *item = e->kind == EX_TUPLE ? e->args.data[i] : NULL;
        if (item && item->flex) item = e->args.data[i] = unflex(c, e->args.data[i]);
        define_let(c, st, i, e->type->fields[i], item);
    }
}

void private_size(Check *c, const Var *v) {
    Diag *d = report(c, v->span, E_PRIVATE_SIZE, v->name, ftype_str(c->s, v->type));
    diag_hint(c->s, d, "compute elements where they are used, or make the array outside");
}

/* Arrays that belong to one thread lie in its own memory: their size must be a number.  Of a parallel for it is not
 * known yet whether threads or whole turns run it. */
static void check_private(Check *c, Stmt *st) {
    for (int i = 0; in_device(c) && i < st->vars.len; i++) {
        const Var *v = st->vars.data[i];
        if (v->type->kind == FT_ERROR || ftype_has_const_size(v->type)) continue;
        if (c->fn->kind == FN_KERNEL) private_size(c, v);
        else vec_push(c->a, &c->fn->private, v);
    }
}

void check_let(Check *c, Stmt *st) {
    if (st->names.len > 1) let_many(c, st);
    else if (st->is_arg) let_arg(c, st);
    else let_one(c, st);
    check_private(c, st);
}

void check_shared(Check *c, Stmt *st) {
    const FType *t = &ftype_error;
    if (c->fn->kind != FN_KERNEL) {
        Diag *d = report(c, st->span, E_ONLY_IN_KERNEL, "shared");
        diag_hint(c->s, d, "shared memory belongs to the threads of one block");
    } else if (st->type) {
        t = type_resolve(c, st->type, NULL);
        if (t->kind != FT_ERROR && t->kind != FT_ARRAY) {
            report(c, st->type->span, E_SHARED_TYPE, ftype_str(c->s, t));
            t = &ftype_error;
        }
    }
    const char *name = st->name ? st->name : st->names.data[0];
    Span at = st->name ? st->name_span : st->name_spans.data[0];
    Var *v = var_new(c, VAR_SHARED, name, at, t);
    scope_define(c, v);
    vec_push(c->a, &st->vars, v);
}

