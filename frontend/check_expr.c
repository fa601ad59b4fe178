/* Expressions: names, literals, operators, fields, arrays, tuples, if. */
#include "frontend/check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 120000, MAX_LEAVES = 256 };

bool is_error(const Expr *e) { return e->type && e->type->kind == FT_ERROR; }

Expr *error_expr(Expr *e) {
    e->type = &ftype_error;
    e->size = NULL;
    e->is_const = e->flex = false;
    return e;
}

const char *opr_str(Opr op) {
    static const char *const text[OPR_NONE + 1] = {
        "+", "-", "*", "/", "//", "%", "^", "@", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "-",
        "&", "|", "xor", "~", "<<", ">>", "min", "max", "="};
    return text[op];
}

/* ---- names */

Var *named_var(const Check *c, const Expr *e) { return e->of_library ? NULL : scope_find(c, e->name); }

Global *named_global(Check *c, const Expr *e) {
    return e->of_library ? library_find(c, e->name) : global_find(c, e->name);
}

static void check_pending(Check *c, const Expr *e) {
    for (int i = 0; i < c->fn->pending.len; i++) {
        const Pending *p = &c->fn->pending.data[i];
        if (p->var != e->var) continue;
        Diag *d = report(c, e->span, E_BEFORE_SYNC, e->name);
        diag_note(c->s, d, p->span, "assigned here by the spawned block");
        diag_hint(c->s, d, "write `sync` before this line");
        return;
    }
}

static void use_var(Check *c, Expr *e, Var *v, bool reads) {
    e->var = v;
    e->type = v->type;
    e->size = v->size;
    v->used |= reads;
    if (v->has_const) {
        set_const(c, e, v->cval);
        e->flex = v->flex;
    }
    if (reads && v->mode == MODE_OUT && v->kind == VAR_PARAM) {
        Diag *d = report(c, e->span, E_READ_OUT, v->name);
        diag_note(c->s, d, v->span, "declared here");
        diag_hint(c->s, d, "a parameter that is read and written is declared `%s: inout ...`", v->name);
    }
    if (c->fn->pending.len) check_pending(c, e);
}

static void report_thread_alone(Check *c, Expr *e) {
    Diag *d = report(c, e->span, E_THREAD_ALONE, e->name);
    diag_hint(c->s, d, "write %s.x, %s.y or %s.z", e->name, e->name, e->name);
    error_expr(e);
}

static void function_as_value(Check *c, Expr *e, Decl *head) {
    for (Decl *d = head; d; d = d->next_overload) decl_info(c, d)->as_value = true;
    e->type = ftype_func(c->s, head, NULL);
}

/* A name that is no local variable. */
static Expr *check_global_name(Check *c, Expr *e, bool reads) {
    DType t;
    Global *g = named_global(c, e);
    const FType *tvar = tvar_find(c, e->name);
    int b = (int)(intptr_t)map_get(&c->builtins, e->name);
    e->type = &ftype_error;
    if (tvar) e->type = ftype_type(c->s, tvar);
    else if (g && g->kind == GL_CONST) {
        global_eval(c, g);
        if (g->var) use_var(c, e, g->var, reads);
    } else if (g && g->kind == GL_FN) function_as_value(c, e, g->decl);
    else if (g) e->type = ftype_type(c->s, struct_type(c, g->decl, NULL, e->span));
    else if (b) return builtin_as_lambda(c, e, b - 1);
    else if (e->name == c->n_int) e->type = ftype_type(c->s, ftype_scalar(c->s, DT_I64));
    else if (dtype_find(e->name, &t)) e->type = ftype_type(c->s, ftype_scalar(c->s, t));
    else if (is_thread_name(c, e->name)) report_thread_alone(c, e);
    else report_unknown_name(c, e->span, e->name, NAME_READ);
    return e;
}

static Expr *resolve_name(Check *c, Expr *e, bool reads) {
    Var *v = named_var(c, e);
    if (!v) return check_global_name(c, e, reads);
    use_var(c, e, v, reads);
    return e;
}

void check_name(Check *c, Expr *e, bool reads) { resolve_name(c, e, reads); }

/* ---- literals */

static Expr *check_literal(Check *c, Expr *e) {
    static const DType dtypes[] = {[EX_INT] = DT_I64, [EX_FLOAT] = DT_F64, [EX_BOOL] = DT_BOOL, [EX_STR] = DT_STR};
    if (e->lit.dtype != DT_U64) e->lit.dtype = dtypes[e->kind];
    e->type = ftype_scalar(c->s, e->lit.dtype);
    e->flex = e->lit.dtype == DT_I64 || e->lit.dtype == DT_F64;
    set_const(c, e, e->lit);
    return e;
}

/* ---- fields */

static Expr *check_thread_field(Check *c, Expr *e) {
    bool axis = e->name == c->n_x || e->name == c->n_y || e->name == c->n_z;
    e->type = ftype_scalar(c->s, DT_I64);
    e->a->type = &ftype_unit;
    e->field = e->name == c->n_x ? 0 : e->name == c->n_y ? 1 : 2;
    if (!axis) {
        diag_hint(c->s, report(c, e->span, E_THREAD_AXIS, e->name, e->a->name), "the axes are .x, .y and .z");
        return error_expr(e);
    }
    if (c->fn->kind == FN_KERNEL) return e;
    Diag *d = report(c, e->span, E_OUTSIDE_KERNEL, e->a->name);
    diag_hint(c->s, d, "pass it to this function as a parameter");
    return error_expr(e);
}

static Expr *check_transpose(Check *c, Expr *e) {
    const FType *t = e->a->type;
    const Size *dims[MAX_RANK];
    if (t->rank == 1 && !in_std(c))
        diag_hint(c->s, report(c, e->span, W_TRANSPOSED_VECTOR),
                  "products of vectors and matrices are r @ r, a @ r; r * r is element by element");
    for (int i = 0; i < t->rank; i++) dims[i] = t->dims[t->rank - 1 - i];
    e->field = -1;
    e->type = ftype_array(c->s, t->elem, t->rank, dims);
    return e;
}

int find_field(const FType *t, const char *name) {
    for (int i = 0; i < t->nfields; i++)
        if (t->names ? t->names[i] == name : isdigit((unsigned char)name[0]) && atoi(name) == i) return i;
    return -1;
}

/* Where in the structs that t holds the field is: "a." of a.x; NULL: nowhere */
static const char *path_to_field(Check *c, const FType *t, const char *name) {
    for (int i = 0; t->names && i < t->nfields; i++) {
        const FType *in = elem_of(t->fields[i]);
        if (in->kind != FT_STRUCT) continue;
        if (find_field(in, name) >= 0) return intern_printf(c->s, "%s.", t->names[i]);
        const char *path = path_to_field(c, in, name);
        if (path) return intern_printf(c->s, "%s.%s", t->names[i], path);
    }
    return NULL;
}

static Expr *report_field(Check *c, Expr *e, const FType *t) {
    Diag *d = report(c, e->span, E_NO_FIELD, ftype_str(c->s, e->a->type), e->name);
    const char *near = t->names ? spell_nearest(e->name, t->names, t->nfields) : NULL;
    const Foreign *foreign = foreign_find(FOREIGN_FIELD, e->name);
    Span last = e->span;
    last.lo = last.hi - (int)strlen(e->name);
    const char *path = path_to_field(c, t, e->name);
    if (path) {
        diag_hint(c->s, d, "it is a field of a struct in it: .%s%s", path, e->name);
        diag_fix(c->s, d, false, last, "%s%s", path, e->name);
    }
    else if (near) {
        diag_hint(c->s, d, "did you mean '.%s'?", near);
        diag_fix(c->s, d, false, last, "%s", near);
    }
    else if (foreign) diag_hint(c->s, d, "%s", foreign->hint);
    else if (map_has(&c->builtins, e->name) || global_find(c, e->name))
        diag_hint(c->s, d, "functions are called as %s(x)", e->name);
    else if (t->kind == FT_TUPLE) diag_hint(c->s, d, "its fields are .0 to .%d", t->nfields - 1);
    if (t->kind == FT_STRUCT) diag_note(c->s, d, t->decl->name_span, "the struct is defined here");
    return error_expr(e);
}

/* np.sin, np.linalg.solve: the name that stands for another language's library, or NULL */
static const Expr *foreign_prefix(Check *c, const Expr *e) {
    while (e->kind == EX_FIELD) e = e->a;
    bool known = e->kind != EX_NAME || e->type || scope_find(c, e->name) || global_find(c, e->name);
    return !known && foreign_find(FOREIGN_PREFIX, e->name) ? e : NULL;
}

/* random.uniform(0, 1): of the same name, but its arguments mean other things here */
static bool names_random(const Expr *e) {
    for (; e->kind == EX_FIELD; e = e->a)
        if (!strcmp(e->name, "random")) return true;
    return e->kind == EX_NAME && !strcmp(e->name, "random");
}

static Expr *report_prefix(Check *c, Expr *e, const Expr *prefix) {
    const Foreign *other = foreign_function(e->name);
    Diag *d = report(c, e->span, E_UNKNOWN_NAME, prefix->name);
    if (map_has(&c->builtins, e->name) || global_find(c, e->name)) {
        diag_hint(c->s, d, "names of the library have no prefix: write %s", e->name);
        diag_fix(c->s, d, !names_random(e), e->span, "%s", e->name);
    } else if (other) diag_hint(c->s, d, "in this language: %s", other->hint);
    else diag_hint(c->s, d, "names of the library have no prefix: sin(x), zeros(f64, n), pi");
    return error_expr(e);
}

static Expr *check_field(Check *c, Expr *e) {
    const Expr *prefix = foreign_prefix(c, e->a);
    if (prefix) return report_prefix(c, e, prefix);
    if (e->a->kind == EX_NAME && is_thread_name(c, e->a->name) && !scope_find(c, e->a->name))
        return check_thread_field(c, e);
    bool shape_only = e->name == c->n_T;
    e->a = check_value(c, e->a, NULL);
    if (is_error(e->a)) return error_expr(e);
    const FType *t = e->a->type, *elem = elem_of(t);
    if (t->kind == FT_ARRAY && shape_only) return check_transpose(c, e);
    e->field = find_field(elem, e->name);
    if (e->field < 0) return report_field(c, e, elem);
    e->type = elem->fields[e->field];
    if (t->kind == FT_ARRAY) {
        if (e->type->kind != FT_SCALAR && e->type->kind != FT_STRUCT && e->type->kind != FT_TUPLE)
            return report_field(c, e, elem);
        e->type = ftype_array(c->s, e->type, t->rank, t->dims);
    }
    int array, axis;
    e->size = is_size_field(elem, e->field, &array, &axis) ? elem->fields[array]->dims[axis] : NULL;
    return e;
}

/* ---- arrays and tuples */

static Expr *array_of(Check *c, Expr *e, const FType *elem) {
    const Size *dims[MAX_RANK] = {size_const(c->s, e->args.len)};
    if (elem->rank + 1 > MAX_RANK) return report(c, e->span, E_RANK_LIMIT, MAX_RANK), error_expr(e);
    for (int i = 0; i < elem->rank; i++) dims[i + 1] = elem->dims[i];
    e->type = ftype_array(c->s, elem_of(elem), elem->rank + 1, dims);
    return e;
}

bool is_element(const FType *t) {
    const FType *elem = elem_of(t);
    if (elem->kind == FT_SCALAR) return true;
    for (int i = 0; i < elem->nfields; i++)
        if (elem->fields[i]->kind == FT_ARRAY || !is_element(elem->fields[i])) return false;
    return elem->kind == FT_TUPLE || elem->kind == FT_STRUCT;
}

static Expr *report_element(Check *c, Expr *e, const Expr *at) {
    Diag *d = report(c, at->span, E_ELEMENT_TYPE, ftype_str(c->s, at->type));
    if (at->type->kind == FT_SCALAR)
        diag_hint(c->s, d, "names of lines or columns are one text, with commas: \"a, b\"");
    hint_element(c, d, at->type);
    return error_expr(e);
}

static int leading_numbers(const ExprVec *v) {
    int n = 0;
    while (n < v->len && type_is_num(v->data[n]->type)) n++;
    return n;
}

/* The numbers in the rows of a literal are literals still. */
static void stay_flex(Expr *e) {
    e->flex = true;
    for (int i = 0; e->type->kind == FT_ARRAY && i < e->args.len; i++) stay_flex(e->args.data[i]);
}

/* Numbers beside complex ones become complex. */
static bool complex_elements(Check *c, Expr *e) {
    DType part;
    if (!join_complex(c, e->args.data, e->args.len, e->span, "an array", &part)) return false;
    for (int i = 0; i < e->args.len; i++) e->args.data[i] = to_complex(c, e->args.data[i], part);
    return true;
}

/* Elements of one type: numbers are joined (those before the first that is none), others must be like the first. */
static Expr *join_elements(Check *c, Expr *e, bool flex) {
    const FType *first = e->args.data[0]->type;
    DType d;
    int numbers = leading_numbers(&e->args);
    if (has_complex(c, &e->args)) {
        if (!complex_elements(c, e)) return error_expr(e);
        first = e->args.data[0]->type;
    } else if (numbers) {
        if (!values_join(c, e->args.data, numbers, e->span, "an array", &d)) return error_expr(e);
        first = with_dtype(c, first, d);
    }
    if (!is_element(first)) return report_element(c, e, e->args.data[0]);
    Reason why = {.what = "each element", .note_at = e->args.data[0]->span, .note = "like the first one"};
    for (int i = 0; i < e->args.len; i++) {
        Expr *arg = e->args.data[i];
        bool was_flex = arg->flex && flex;
        e->args.data[i] = coerce(c, arg, first, &why);
        if (is_error(e->args.data[i])) return error_expr(e);
        if (was_flex) stay_flex(e->args.data[i]);
    }
    e->flex = flex;
    return array_of(c, e, first);
}

static Expr *check_array(Check *c, Expr *e, const FType *want) {
    const FType *elem_want = NULL;
    if (want && want->kind == FT_ARRAY && want->rank == 1) elem_want = want->elem;
    if (want && want->kind == FT_ARRAY && want->rank > 1)
        elem_want = ftype_array(c->s, want->elem, want->rank - 1, want->dims + 1);
    if (!e->args.len && elem_want) return array_of(c, e, elem_want);
    if (!e->args.len) {
        Diag *d = report(c, e->span, E_EMPTY_ARRAY);
        diag_hint(c->s, d,
                  "arrays do not grow: make it with all its elements, [... for i in 0:n], or with room for them, "
                  "zeros(f64, n), "
                  "and set them one by one; one without elements is zeros(f64, 0)");
        return error_expr(e);
    }
    bool ok = true, flex = true;
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], elem_want);
        ok &= !is_error(e->args.data[i]);
        flex &= e->args.data[i]->flex;
    }
    return ok ? join_elements(c, e, flex) : error_expr(e);
}

static Expr *check_tuple(Check *c, Expr *e, const FType *want) {
    const FType **fields = NEWN(c->a, const FType *, e->args.len);
    bool ok = true, wanted = want && want->kind == FT_TUPLE && want->nfields == e->args.len;
    for (int i = 0; i < e->args.len; i++) {
        e->args.data[i] = check_value(c, e->args.data[i], wanted ? want->fields[i] : NULL);
        fields[i] = e->args.data[i]->type;
        ok &= !is_error(e->args.data[i]);
    }
    if (!ok) return error_expr(e);
    e->type = ftype_tuple(c->s, e->args.len, fields);
    if (e->type->leaves > MAX_LEAVES) return report(c, e->span, E_TYPE_LEAVES, MAX_LEAVES), error_expr(e);
    return e;
}

/* ---- if */

/* A condition of constants that is never so */
bool is_never(const Expr *cond, bool so) {
    return cond->is_const && cond->type->kind == FT_SCALAR && !!cond->lit.i != so;
}

static Expr *set_block_value(Block *b, Expr *value) { return vec_last(&b->stmts)->a = value; }

/* One branch, in a scope of its own; *inner: its type mentions sizes that end with it. */
static Expr *check_branch(Check *c, Block *b, const FType *want, bool nobody_comes, bool *inner) {
    int dead = c->fn->dead;
    scope_push(c);
    c->fn->dead += nobody_comes;
    Expr *value = check_block_value(c, b, want);
    c->fn->dead = dead;
    if (want && value->flex && want->kind == FT_SCALAR && flex_fits(value, want->dtype))
        value = to_dtype(c, value, want->dtype);
    scope_pop(c);
    *inner = !is_error(value) && type_is_dead(c, value->type);
    if (value->size && size_is_dead(c, value->size)) value->size = NULL;
    return value;
}

static bool branches_join(Check *c, Expr *e, Expr **then, Expr **other, bool then_inner) {
    Reason why = {.what = "the value of this branch", .note_at = (*then)->span, .note = "as in the other branch"};
    if (type_is_num((*then)->type) && type_is_num((*other)->type) && (*then)->type->rank == (*other)->type->rank) {
        Expr *ops[2] = {*then, *other};
        DType d;
        if (!values_join(c, ops, 2, e->span, "if", &d)) return false;
        *then = to_dtype(c, *then, d);
        *other = to_dtype(c, *other, d);
    }
    if (is_complex(c, (*then)->type) != is_complex(c, (*other)->type)) {
        Expr **real = is_complex(c, (*then)->type) ? other : then;
        const FType *to = (real == then ? *other : *then)->type;
        if (fits_complex(c, (*real)->type, *real, to)) *real = to_complex(c, *real, complex_part(to));
    }
    if (then_inner) {
        why.note_at = (*other)->span;
        *then = coerce(c, *then, (*other)->type, &why);
    } else {
        *other = coerce(c, *other, (*then)->type, &why);
    }
    return !is_error(*then) && !is_error(*other);
}

static void fold_if(Check *c, Expr *e, const Expr *then, const Expr *other) {
    if (!e->a->is_const || e->then_block->stmts.len != 1 || e->else_block->stmts.len != 1) return;
    const Expr *taken = e->a->lit.i ? then : other;
    if (taken->is_const && e->type->kind == FT_SCALAR) set_const(c, e, taken->lit);
}

static Expr *check_if(Check *c, Expr *e, const FType *want) {
    bool then_inner, else_inner;
    e->a = check_cond(c, e->a);
    Expr *then = check_branch(c, e->then_block, want, is_never(e->a, true), &then_inner);
    if (!e->else_block) return report(c, e->span, E_IF_VALUE), error_expr(e);
    Expr *other = check_branch(c, e->else_block, want, is_never(e->a, false), &else_inner);
    if (is_error(then) && is_never(e->a, true)) then = other;
    if (is_error(other) && is_never(e->a, false)) other = then;
    if (is_error(then) || is_error(other)) return error_expr(e);
    if (then_inner && else_inner) {
        Diag *d = report(c, e->span, E_SIZE_ESCAPES, ftype_str(c->s, then->type));
        diag_hint(c->s, d, "define the size before the `if`");
        return error_expr(e);
    }
    if (!branches_join(c, e, &then, &other, then_inner)) return error_expr(e);
    set_block_value(e->then_block, then);
    set_block_value(e->else_block, other);
    e->type = then->type;
    fold_if(c, e, then, other);
    return e;
}

/* ---- all of them */

static Expr *check_kind(Check *c, Expr *e, const FType *want) {
    switch (e->kind) {
    case EX_INT: case EX_FLOAT: case EX_BOOL: case EX_STR: return check_literal(c, e);
    case EX_NAME: return resolve_name(c, e, true);
    case EX_UNARY: return check_unary(c, e);
    case EX_BINARY: return check_binary(c, e);
    case EX_CALL: return check_call(c, e, want);
    case EX_INDEX:
        e->a = check_value(c, e->a, NULL);
        if (has_new_axis(e) && !scope_find(c, intern(c->s, "newaxis")))
            return is_error(e->a) ? error_expr(e) : check_new_axis(c, e);
        if (chooses_by_mask(c, e)) return mask_elements(c, e);
        check_subs(c, e);
        return e;
    case EX_FIELD: return check_field(c, e);
    case EX_ARRAY: return check_array(c, e, want);
    case EX_COMP: return check_comp(c, e, want);
    case EX_GEN: {
        Diag *d = report(c, e->span, E_GENERATOR_ALONE);
        diag_hint(c->s, d, "write [x for i in 0:n] for an array, or sum(x for i in 0:n)");
        return error_expr(e);
    }
    case EX_TUPLE: return check_tuple(c, e, want);
    case EX_FORMAT: return check_format(c, e);
    case EX_IF: return check_if(c, e, want);
    case EX_LAMBDA:
        lambda_of(c, e);
        e->type = ftype_func(c->s, NULL, e);
        return e;
    case EX_CONVERT: return e;
    }
    bug("expression %d", e->kind);
}

Expr *check_expr(Check *c, Expr *e, const FType *want) {
    if (e->type) return e; /* checked already: part of something rewritten */
    if (c->nesting >= MAX_NESTING) return report(c, e->span, E_TOO_DEEP, MAX_NESTING), error_expr(e);
    c->nesting++;
    e = check_kind(c, e, want);
    c->nesting--;
    return e;
}

Expr *check_value(Check *c, Expr *e, const FType *want) {
    e = check_expr(c, e, want);
    switch (e->type->kind) {
    case FT_UNIT: {
        Diag *d = report(c, e->span, E_NO_VALUE);
        if (e->kind == EX_CALL && e->inst && e->inst->decl)
            diag_note(c->s, d, e->inst->decl->name_span, "'%s' returns nothing", e->inst->decl->name);
        return error_expr(e);
    }
    case FT_TYPE: {
        Diag *d = report(c, e->span, E_TYPE_AS_VALUE, ftype_str(c->s, e->type->elem));
        diag_hint(c->s, d, "a value of this type is made as %s(...)", ftype_str(c->s, e->type->elem));
        return error_expr(e);
    }
    case FT_FUNC: {
        const char *name = e->name ? e->name : "fn(..)";
        Diag *d = report(c, e->span, E_FUNCTION_AS_VALUE, name);
        if (e->type->decl && e->type->decl->kind == DECL_KERNEL) {
            diag_hint(c->s, d, "a kernel is launched: launch %s[grid, block](...)", name);
            return error_expr(e);
        }
        diag_hint(c->s, d, "functions are called, %s(...), or passed to a parameter of function type", name);
        return error_expr(e);
    }
    default: return e;
    }
}

Expr *check_cond(Check *c, Expr *e) {
    Reason why = {.what = "a condition"};
    e = check_value(c, e, NULL);
    if (!is_error(e) && e->type->kind == FT_ARRAY && type_is_scalar(e->type->elem, DT_BOOL)) {
        Diag *d = report(c, e->span, E_TYPE_MISMATCH, why.what, "bool", ftype_str(c->s, e->type));
        diag_hint(c->s, d, "write any(...) or all(...); where(c, a, b) chooses element by element");
        return error_expr(e);
    }
    return coerce(c, e, ftype_scalar(c->s, DT_BOOL), &why);
}
