/* Assignments: what may be written, and what with. */
#include "frontend/check.h"

#include <string.h>

static bool is_captured(const Check *c, const Var *v) {
    for (int i = 0; i < c->fn->caps.len; i++)
        if (c->fn->caps.data[i].local == v) return true;
    return false;
}

static bool is_around_gens(const Check *c, const Var *v) { return v->depth < c->fn->gens_depth; }

static void report_immutable(Check *c, const Expr *t, Var *v) {
    static const char *const kinds[] = {"defined with let", "a variable",      "a constant", "a parameter",
                                        "a size",           "a loop variable", "shared"};
    const char *what = is_captured(c, v)      ? "taken from around a function, which only reads it"
                       : is_around_gens(c, v) ? "taken from around an expression with `for`, which only reads it"
                                              : kinds[v->kind];
    bool by_place = is_captured(c, v) || is_around_gens(c, v);
    if (v->told && !by_place) return; /* the mistake is the definition, which is one */
    Diag *d = report(c, t->span, E_IMMUTABLE, v->name, what);
    v->used = true; /* it was meant to be */
    v->told |= !by_place;
    if (!v->given) diag_note(c->s, d, v->span, "defined here");
    if (by_place) return;
    bool array = v->type->kind == FT_ARRAY;
    if (v->given) diag_hint(c->s, d, "define it again, as a variable: var %s = %s", v->name, v->name);
    else if (v->kind == VAR_LET) {
        diag_hint(c->s, d, "define it with `var %s`", v->name);
        Span word = {v->span.file, v->span.lo - 4, v->span.lo - 1, 0};
        if (word.lo >= 0 && !strcmp(source_copy(c->s, word), "let")) diag_fix(c->s, d, true, word, "var");
    } else if (v->kind == VAR_PARAM && c->fn->kind == FN_KERNEL && array)
        diag_hint(c->s, d, "declare the parameter `%s: out ...` or `inout`", v->name);
    else if (v->kind == VAR_PARAM) diag_hint(c->s, d, "copy it first: var my_%s = %s", v->name, v->name);
    else if (v->kind == VAR_LOOP && array)
        diag_hint(c->s, d,
                  "it is a value of its own: to change the array run over its indices, for i in 0:n { a[i] = ... }");
}

static void note_spawn_assignment(Check *c, Var *v, Span at) {
    if (!c->fn->spawn_depth || v->depth > c->fn->spawn_depth) return;
    Pending p = {v, at};
    vec_push(c->a, &c->fn->spawned, p);
}

/* In a parallel loop a variable from outside may only be written element by element. */
static void check_parallel_target(Check *c, const Expr *t, const Var *v, bool element) {
    if (!c->fn->par_depth || v->depth > c->fn->par_depth || element) return;
    Diag *d = report(c, t->span, E_PARALLEL_CARRIED, v->name);
    diag_note(c->s, d, v->span, "defined outside of the loop");
    if (v->type->kind == FT_SCALAR)
        diag_hint(c->s, d, "iterations run at the same time: use a reduction, sum(... for i in ...), or a plain `for`");
    else diag_hint(c->s, d, "write single elements: %s[i] = ...", v->name);
}

/* A name that is no variable */
static Expr *target_unknown(Check *c, Expr *t, const Global *g) {
    bool builtin = map_has(&c->builtins, t->name), is_type = name_is_type(c, t->name);
    if (g || builtin || is_type) {
        Diag *d = report(c, t->span, E_IMMUTABLE, t->name,
                         is_type || (g && g->kind == GL_STRUCT) ? "a type" : "a function");
        if (g && g->home != c->std) diag_note(c->s, d, g->span, "defined here");
        diag_hint(c->s, d, "to make a variable of this name write `var %s = ...`", t->name);
    } else {
        Diag *d = report_unknown_name(c, t->span, t->name, NAME_ASSIGNED);
        if (d) {
            diag_hint(c->s, d, "a new variable is made by `var %s = ...`, or `let` when it does not change", t->name);
            diag_fix(c->s, d, t->kind == EX_NAME, (Span){t->span.file, t->span.lo, t->span.lo, 0}, "var ");
        }
    }
    return error_expr(t);
}

static Expr *target_name(Check *c, Expr *t, bool reads, bool element) {
    Var *v = scope_find(c, t->name);
    Global *g = v ? NULL : global_find(c, t->name);
    if (!v && g && g->kind == GL_CONST) {
        global_eval(c, g);
        v = g->var;
    }
    if (!v) return target_unknown(c, t, g);
    check_name(c, t, false);
    if (is_error(t)) return t;
    bool written = v->kind == VAR_VAR || v->kind == VAR_SHARED || (v->kind == VAR_PARAM && v->mode != MODE_IN);
    if (!written || is_around_gens(c, v)) return report_immutable(c, t, v), error_expr(t);
    if (reads && v->kind == VAR_PARAM && v->mode == MODE_OUT) {
        Diag *d = report(c, t->span, E_READ_OUT, v->name);
        diag_note(c->s, d, v->span, "declared here");
        diag_hint(c->s, d, "declare it `%s: inout ...`", v->name);
    }
    v->assigned = true;
    if (v->kind != VAR_VAR) v->used = true;
    t->is_const = false;
    t->size = NULL;
    check_parallel_target(c, t, v, element);
    note_spawn_assignment(c, v, t->span);
    return t;
}

static Expr *find_target(Check *c, Expr *t, bool reads, bool element);

static Expr *target_field(Check *c, Expr *t, bool reads, bool element) {
    t->a = find_target(c, t->a, reads, element);
    if (is_error(t->a)) return error_expr(t);
    if (t->name == c->n_T && t->a->type->kind == FT_ARRAY) {
        diag_hint(c->s, report(c, t->span, E_NOT_ASSIGNABLE), "assign to the array itself: x = y.T");
        return error_expr(t);
    }
    Expr *typed = check_expr(c, t, NULL); /* its a has a type already */
    if (!is_error(typed) && typed->size) {
        diag_hint(c->s, report(c, t->span, E_SIZE_FIELD, t->name), "make a new struct value");
        return error_expr(t);
    }
    return typed;
}

static Expr *find_target(Check *c, Expr *t, bool reads, bool element) {
    switch (t->kind) {
    case EX_NAME: return target_name(c, t, reads, element);
    case EX_INDEX:
        t->a = find_target(c, t->a, reads, true);
        check_subs(c, t);
        for (int i = 0; reads && !is_error(t) && i < t->subs.len; i++) {
            const Sub *sub = &t->subs.data[i];
            if (sub->kind != SUB_INDEX || sub->index->type->kind != FT_ARRAY) continue;
            diag_hint(c->s, report(c, sub->span, E_SCATTER), "write a loop: for k in 0:len(idx) { x[idx[k]] += v[k] }");
            return error_expr(t);
        }
        return t;
    case EX_FIELD: return target_field(c, t, reads, element);
    default: {
        Diag *d = report(c, t->span, E_NOT_ASSIGNABLE);
        diag_hint(c->s, d, "assign to a variable, an element x[i], a slice x[a:b] or a field");
        return error_expr(t);
    }
    }
}

Expr *check_target(Check *c, Expr *t, bool reads) { return find_target(c, t, reads, false); }

/* (a, b) = t */
static Expr *check_tuple_target(Check *c, Expr *t) {
    const FType **fields = NEWN(c->a, const FType *, t->args.len);
    bool ok = true;
    for (int i = 0; i < t->args.len; i++) {
        t->args.data[i] = check_target(c, t->args.data[i], false);
        fields[i] = t->args.data[i]->type;
        ok &= !is_error(t->args.data[i]);
    }
    if (!ok) return error_expr(t);
    t->type = ftype_tuple(c->s, t->args.len, fields);
    return t;
}

/* target op= a of complex numbers, and of structs and tuples, is target = target op a */
static void update_whole(Check *c, Stmt *st) {
    Expr *sum = expr_operator(c->s, st->span, st->op, st->target, st->a);
    if (st->kind == ST_ATOMIC) {
        diag_hint(c->s, report(c, st->target->span, E_ATOMIC_TARGET),
                  "of complex numbers give each part an array of its own: atomic re[i] += z.re");
        return;
    }
    Reason why = {.what = "the value", .repeat = REPEAT_ARRAY, .target = st->target};
    st->op = OPR_NONE;
    st->a = coerce(c, check_value(c, sum, NULL), st->target->type, &why);
}

/* target op= a */
static void check_update(Check *c, Stmt *st) {
    const FType *t = st->target->type;
    DType d = elem_of(t)->kind == FT_SCALAR ? elem_of(t)->dtype : DT_STR;
    const char *op = intern_printf(c->s, "'%s='", opr_str(st->op));
    bool parts = has_parts(c, t) || has_parts(c, st->a->type);
    if (is_complex(c, t) || is_complex(c, st->a->type) || parts) {
        update_whole(c, st);
        return;
    }
    Reason why = {.what = intern_printf(c->s, "the operand of %s", op),
                  .note_at = st->target->span,
                  .note = intern_printf(c->s, "this is %s", ftype_str(c->s, t)),
                  .repeat = REPEAT_ARRAY,
                  .target = st->target};
    bool bits = st->op == OPR_BITAND || st->op == OPR_BITOR || st->op == OPR_BITXOR || st->op == OPR_SHL ||
                st->op == OPR_SHR;
    bool ok = dtype_is_int(d) || dtype_is_float(d), flips = st->op == OPR_BITXOR && d == DT_BOOL;
    if (!flips && (!ok || (bits && !dtype_is_int(d)))) {
        Diag *d = report(c, st->target->span, bits ? E_NOT_INT : E_NOT_NUMBER, bits ? opr_str(st->op) : op,
                         ftype_str(c->s, t));
        const char *name = st->target->kind == EX_NAME ? st->target->name : NULL;
        if (name && st->op == OPR_ADD && type_is_scalar(t, DT_STR))
            diag_hint(c->s, d, "texts are joined in a text: %s = f\"{%s}, ..\"", name, name);
        return;
    }
    if (st->op == OPR_DIV && dtype_is_int(d)) {
        Diag *d = report(c, st->span, E_INT_DIVIDE, ftype_str(c->s, t));
        if (is_by_literal(st->target)) hint_float_start(c, d, st->target->var);
        diag_hint(c->s, d, "`/` gives a float: write //=%s", type_is_int(st->a->type) ? ", which rounds down" : "");
        Span gap = {st->span.file, st->target->span.hi, st->a->span.lo, 0};
        const char *between = source_copy(c->s, gap), *slash = strstr(between, "/=");
        bool sure = type_is_int(st->a->type) && !is_by_literal(st->target);
        if (slash)
            diag_fix(c->s, d, sure,
                     (Span){gap.file, gap.lo + (int)(slash - between), gap.lo + (int)(slash - between) + 2, 0}, "//=");
        return;
    }
    if ((st->op == OPR_IDIV || st->op == OPR_MOD) && dtype_is_int(d) && st->a->is_const && const_is_zero(st->a->lit))
        report(c, st->a->span, E_ZERO_DIVISOR);
    bool power = st->op == OPR_POW && st->a->is_const && type_is_int(st->a->type);
    st->a = power ? to_dtype(c, st->a, DT_I64) : coerce(c, st->a, t, &why);
}

void check_assign(Check *c, Stmt *st) {
    Reason why = {.what = "the value"};
    if (check_scatter(c, st)) return;
    bool branches = st->a->kind == EX_IF && st->op == OPR_NONE; /* literals in branches look at the target's type */
    if (!branches) st->a = check_value(c, st->a, NULL); /* first: what it reads is what was there before */
    bool many = st->target->kind == EX_TUPLE && st->op == OPR_NONE;
    st->target = many ? check_tuple_target(c, st->target) : check_target(c, st->target, st->op != OPR_NONE);
    if (many) st->a = check_apart(c, st->a, st->target->args.len);
    if (branches) st->a = check_value(c, st->a, st->target->type);
    if (is_error(st->target) || is_error(st->a)) return;
    if (st->op != OPR_NONE) {
        check_update(c, st);
        return;
    }
    const Expr *root = why.target = st->target;
    why.repeat = root->kind == EX_INDEX ? REPEAT_ARRAY : REPEAT_NUMBER;
    while (root->kind == EX_INDEX || root->kind == EX_FIELD) root = root->a;
    if (root->var) {
        why.note_at = root->var->span;
        why.note = intern_printf(c->s, "'%s' is %s, as it was defined here", root->var->name,
                                 ftype_str(c->s, root->var->type));
    }
    st->a = coerce(c, st->a, st->target->type, &why);
}

static void report_float_product(Check *c, const Stmt *st) {
    Diag *d = report(c, st->span, E_ATOMIC_PRODUCT, ftype_str(c->s, st->target->type));
    diag_hint(c->s, d, "add logarithms, or let each thread keep its factors: prod(...) of them is a reduction");
}

/* atomic a[i] = v if e, and the read, which is one that changes nothing */
static void check_expected(Check *c, Stmt *st) {
    DType t = st->target->type->dtype;
    if (!dtype_is_int(t) && t != DT_BOOL) {
        const char *does = st->a ? "compares" : "reads";
        Diag *d = report(c, st->span, E_ATOMIC_COMPARE, does, ftype_str(c->s, st->target->type));
        diag_hint(c->s, d, "of floats there are +=, -=, min=, max= and =, whose old value let gives");
    } else if (st->b) {
        st->b = coerce(c, st->b, st->target->type, &(Reason){.what = "what the element is compared with"});
    }
}

/* old: the type of the element, if all is well */
static void check_atomic_update(Check *c, Stmt *st, const FType **old) {
    if (st->a) st->a = check_value(c, st->a, NULL);
    if (st->b) st->b = check_value(c, st->b, NULL);
    if (!in_device(c)) {
        Diag *d = report(c, st->span, E_ONLY_IN_KERNEL, "atomic");
        diag_hint(c->s, d, "outside of kernels and parallel loops a plain assignment does");
        return;
    }
    bool element = st->target->kind == EX_INDEX;
    st->target = check_target(c, st->target, true);
    if (is_error(st->target) || (st->a && is_error(st->a)) || (st->b && is_error(st->b))) return;
    if (!element || st->target->type->kind != FT_SCALAR) {
        Diag *d = report(c, st->target->span, E_ATOMIC_TARGET);
        diag_hint(c->s, d, "a sum that many threads add to is an array of one element: atomic s[0] += v");
        return;
    }
    if (st->op != OPR_NONE) check_update(c, st);
    else if (st->a) st->a = coerce(c, st->a, st->target->type, &(Reason){.what = "the value"});
    if (st->b || !st->a) check_expected(c, st);
    if (st->op == OPR_MUL && dtype_is_float(st->target->type->dtype)) report_float_product(c, st);
    *old = st->target->type;
}

void check_atomic(Check *c, Stmt *st) {
    const FType *old = &ftype_error;
    check_atomic_update(c, st, &old);
    if (!st->names.len) return;
    const Expr *root = st->target;
    while (root->kind == EX_INDEX || root->kind == EX_FIELD) root = root->a;
    if (root->var) root->var->used = true;
    check_old_value(c, st, old);
}

