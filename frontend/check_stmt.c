/* Statements.  Each check returns whether control can reach what follows. */
#include "frontend/check.h"

#include <string.h>

/* ---- let, var, const */

static void give_value(Check *c, Var *v, const Expr *e) {
    if (v->kind == VAR_VAR || v->type->kind != FT_SCALAR) return;
    if (e && e->is_const) {
        v->has_const = true;
        v->cval = e->lit;
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

/* The annotation with its new sizes taken from the value, whose names are then defined. */
static const FType *fill_annotation(Check *c, Stmt *st, const FType *pattern, const NewSizes *fresh, const FType *value) {
    Map set = {0}, found = {0};
    for (int i = 0; i < fresh->len; i++) map_put(c->a, &set, fresh->data[i].sym, st);
    match_sizes(c, &found, pattern, value);
    const FType *t = type_fill(c, pattern, &set, value);
    for (int i = 0; i < fresh->len; i++) {
        const NewSize *n = &fresh->data[i];
        const Size *z = map_get(&found, n->sym);
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
        if (fresh->data[i].name) report_unknown_name(c, fresh->data[i].span, fresh->data[i].name);
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
    Reason why = {.what = "the value", .note_at = st->type->span, .note = "the type is declared here", .broadcast = true};
    const FType *t = type_resolve(c, st->type, &fresh);
    if (!st->a) return check_zero_let(c, st, t, &fresh);
    Expr *e = st->a = check_value(c, st->a, t);
    if (is_error(e) || t->kind == FT_ERROR) return &ftype_error;
    if (is_load(e)) {
        Map set = {0};
        for (int i = 0; i < fresh.len; i++) map_put(c->a, &set, fresh.data[i].sym, st);
        return fill_annotation(c, st, t, &fresh, t);
    }
    t = fill_annotation(c, st, t, &fresh, e->type);
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

static void let_one(Check *c, Stmt *st) {
    const FType *t;
    bool flex = false;
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
    if (v->kind == VAR_CONST && t->kind != FT_SCALAR && t->kind != FT_ERROR && st->a) v->const_expr = st->a;
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
    if (want && want->kind != FT_ERROR && !is_error(e)) e = st->a = coerce(c, e, fill_annotation(c, st, want, &fresh, e->type), &why);
    bool fits = e->type->kind == FT_TUPLE && e->type->nfields == st->names.len;
    if (!fits && !is_error(e)) report(c, e->span, E_TUPLE_COUNT, st->names.len, ftype_str(c->s, e->type));
    if (!fits) {
        define_all_as_errors(c, st);
        return;
    }
    for (int i = 0; i < st->names.len; i++) {
        const Expr *item = e->kind == EX_TUPLE ? e->args.data[i] : NULL;
        if (item && item->flex) item = e->args.data[i] = unflex(c, e->args.data[i]);
        define_let(c, st, i, e->type->fields[i], item);
    }
}

static bool const_size(const FType *t) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++)
        if (!size_is_const(t->dims[i], NULL)) return false;
    for (int i = 0; i < t->nfields; i++)
        if (!const_size(t->fields[i])) return false;
    return true;
}

/* Arrays that belong to one thread lie in its own memory: their size must be a number. */
static void check_private(Check *c, Stmt *st) {
    for (int i = 0; in_device(c) && i < st->vars.len; i++) {
        const Var *v = st->vars.data[i];
        if (v->type->kind == FT_ERROR || const_size(v->type)) continue;
        Diag *d = report(c, v->span, E_PRIVATE_SIZE, v->name, ftype_str(c->s, v->type));
        diag_hint(c->s, d, "compute elements where they are used, or make the array outside");
    }
}

static void check_let(Check *c, Stmt *st) {
    if (st->names.len > 1) let_many(c, st);
    else let_one(c, st);
    check_private(c, st);
}

static void check_shared(Check *c, Stmt *st) {
    const FType *t = &ftype_error;
    if (c->fn->kind != FN_KERNEL) {
        Diag *d = report(c, st->span, E_ONLY_IN_KERNEL, "shared");
        diag_hint(c->s, d, "shared memory belongs to the threads of one block");
    } else if (st->type) {
        t = type_resolve(c, st->type, NULL);
        if (t->kind != FT_ERROR && (t->kind != FT_ARRAY || t->elem->kind != FT_SCALAR)) {
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

/* ---- assignment */

static bool is_captured(const Check *c, const Var *v) {
    for (int i = 0; i < c->fn->caps.len; i++)
        if (c->fn->caps.data[i].local == v) return true;
    return false;
}

static void report_immutable(Check *c, const Expr *t, const Var *v) {
    static const char *const kinds[] = {"defined with let", "a variable", "a constant", "a parameter", "a size", "a loop variable", "shared"};
    Diag *d = report(c, t->span, E_IMMUTABLE, v->name, is_captured(c, v) ? "taken from around a function, which only reads it" : kinds[v->kind]);
    diag_note(c->s, d, v->span, "defined here");
    if (is_captured(c, v)) return;
    if (v->kind == VAR_LET) diag_hint(c->s, d, "define it with `var %s`", v->name);
    else if (v->kind == VAR_PARAM && c->fn->kind == FN_KERNEL) diag_hint(c->s, d, "declare the parameter `%s: out ...` or `inout`", v->name);
    else if (v->kind == VAR_PARAM) diag_hint(c->s, d, "copy it first: var my_%s = %s", v->name, v->name);
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
    if (v->type->kind == FT_SCALAR) diag_hint(c->s, d, "iterations run at the same time: use a reduction, sum(... for i in ...), or a plain `for`");
    else diag_hint(c->s, d, "write single elements: %s[i] = ...", v->name);
}

/* A name that is no variable */
static Expr *target_unknown(Check *c, Expr *t, const Global *g) {
    bool builtin = map_has(&c->builtins, t->name), is_type = name_is_type(c, t->name);
    if (g || builtin || is_type) {
        Diag *d = report(c, t->span, E_IMMUTABLE, t->name, is_type || (g && g->kind == GL_STRUCT) ? "a type" : "a function");
        if (g && !map_has(&c->std, t->name)) diag_note(c->s, d, g->span, "defined here");
        diag_hint(c->s, d, "to make a variable of this name write `var %s = ...`", t->name);
    } else {
        report_unknown_name(c, t->span, t->name);
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
    if (!written) return report_immutable(c, t, v), error_expr(t);
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

/* target op= a */
static void check_update(Check *c, Stmt *st) {
    const FType *t = st->target->type;
    DType d = elem_of(t)->kind == FT_SCALAR ? elem_of(t)->dtype : DT_STR;
    const char *op = intern_printf(c->s, "'%s='", opr_str(st->op));
    Reason why = {.what = intern_printf(c->s, "the operand of %s", op), .note_at = st->target->span,
                  .note = intern_printf(c->s, "this is %s", ftype_str(c->s, t)), .broadcast = true};
    bool bits = st->op == OPR_BITAND || st->op == OPR_BITOR || st->op == OPR_BITXOR || st->op == OPR_SHL || st->op == OPR_SHR;
    bool ok = dtype_is_int(d) || dtype_is_float(d);
    if (!ok || (bits && !dtype_is_int(d))) {
        report(c, st->target->span, bits ? E_NOT_INT : E_NOT_NUMBER, bits ? opr_str(st->op) : op, ftype_str(c->s, t));
        return;
    }
    if (st->op == OPR_DIV && dtype_is_int(d)) {
        diag_hint(c->s, report(c, st->span, E_INT_DIVIDE, ftype_str(c->s, t)), "`/` gives a float: write //=");
        return;
    }
    if ((st->op == OPR_IDIV || st->op == OPR_MOD) && dtype_is_int(d) && st->a->is_const && const_is_zero(st->a->lit))
        report(c, st->a->span, E_ZERO_DIVISOR);
    bool power = st->op == OPR_POW && st->a->is_const && type_is_int(st->a->type);
    st->a = power ? to_dtype(c, st->a, DT_I64) : coerce(c, st->a, t, &why);
}

static void check_assign(Check *c, Stmt *st) {
    Reason why = {.what = "the value", .broadcast = true};
    bool branches = st->a->kind == EX_IF && st->op == OPR_NONE; /* literals in branches look at the target's type */
    if (!branches) st->a = check_value(c, st->a, NULL); /* first: what it reads is what was there before */
    if (st->target->kind == EX_TUPLE && st->op == OPR_NONE) st->target = check_tuple_target(c, st->target);
    else st->target = check_target(c, st->target, st->op != OPR_NONE);
    if (branches) st->a = check_value(c, st->a, st->target->type);
    if (is_error(st->target) || is_error(st->a)) return;
    if (st->op != OPR_NONE) {
        check_update(c, st);
        return;
    }
    const Expr *root = st->target;
    while (root->kind == EX_INDEX || root->kind == EX_FIELD) root = root->a;
    if (root->var) {
        why.note_at = root->var->span;
        why.note = intern_printf(c->s, "'%s' is %s, as it was defined here", root->var->name, ftype_str(c->s, root->var->type));
    }
    st->a = coerce(c, st->a, st->target->type, &why);
}

static void check_atomic(Check *c, Stmt *st) {
    st->a = check_value(c, st->a, NULL);
    if (!in_device(c)) {
        Diag *d = report(c, st->span, E_ONLY_IN_KERNEL, "atomic");
        diag_hint(c->s, d, "outside of kernels and parallel loops a plain assignment does");
        return;
    }
    bool element = st->target->kind == EX_INDEX;
    st->target = check_target(c, st->target, true);
    if (is_error(st->target) || is_error(st->a)) return;
    if (!element || st->target->type->kind != FT_SCALAR) {
        Diag *d = report(c, st->target->span, E_ATOMIC_TARGET);
        diag_hint(c->s, d, "a sum that many threads add to is an array of one element: atomic s[0] += v");
        return;
    }
    if (st->op == OPR_SUB) { /* a -= v is a += -v */
        diag_hint(c->s, report(c, st->span, E_ATOMIC_OP), "write += with the negated value");
        return;
    }
    if (st->op != OPR_ADD && st->op != OPR_MIN && st->op != OPR_MAX) {
        diag_hint(c->s, report(c, st->span, E_ATOMIC_OP), "atomic knows +=, min= and max=");
        return;
    }
    check_update(c, st);
}

/* ---- if and loops */

static bool check_if_stmt(Check *c, Stmt *st) {
    st->a = check_cond(c, st->a);
    bool then_falls = check_block(c, st->body); /* what either branch leaves unsynced stays so */
    bool else_falls = st->else_body ? check_block(c, st->else_body) : true;
    return then_falls || else_falls;
}

/* A break that leaves the loop whose body this is */
static bool has_break(const Block *b) {
    for (int i = 0; b && i < b->stmts.len; i++) {
        const Stmt *st = b->stmts.data[i];
        if (st->kind == ST_BREAK) return true;
        if (st->kind == ST_FOR || st->kind == ST_WHILE) continue;
        if (has_break(st->body) || has_break(st->else_body)) return true;
    }
    return false;
}

/* Results of blocks spawned in a loop must be waited for in the same iteration. */
static void check_loop_sync(Check *c, int before) {
    Fn *fn = c->fn;
    if (fn->pending.len <= before) return;
    const Pending *p = &fn->pending.data[before];
    if (p->var->depth > fn->depth) return;
    Diag *d = report(c, p->span, E_LOOP_SYNC, p->var->name);
    diag_hint(c->s, d, "write `sync` at the end of the loop's body");
}

static bool check_while(Check *c, Stmt *st) {
    int pending = c->fn->pending.len;
    st->a = check_cond(c, st->a);
    c->fn->loops++;
    check_block(c, st->body);
    c->fn->loops--;
    check_loop_sync(c, pending);
    bool forever = st->a->is_const && st->a->lit.i && st->a->type->kind == FT_SCALAR;
    return !forever || has_break(st->body);
}

static void check_inferred_loop(Check *c, Stmt *st) {
    for (int i = 0; i < st->gens.len; i++) {
        const Gen *g = &st->gens.data[i];
        if (g->hi) continue;
        Diag *d = report(c, g->span, E_RANGE_UNKNOWN, g->name);
        diag_hint(c->s, d, "write it: for %s in 0:n", g->name);
        st->gens.data[i].var->type = &ftype_error;
        st->gens.data[i].var->gen = NULL;
    }
}

static void check_for(Check *c, Stmt *st) {
    Fn *fn = c->fn;
    int loops = fn->loops, par = fn->par_depth, pending = fn->pending.len;
    check_gens(c, &st->gens, GENS_LOOP);
    check_inferred_loop(c, st);
    if (st->parallel && fn->kind == FN_KERNEL) {
        Diag *d = report(c, st->span, E_PARALLEL_IN_KERNEL);
        diag_hint(c->s, d, "a kernel is parallel already: each thread computes its part");
    } else if (st->parallel && par) {
        diag_hint(c->s, report(c, st->span, E_PARALLEL_NESTED), "write one: parallel for i in 0:n, j in 0:m");
    }
    if (st->parallel) {
        if (!in_device(c)) not_device(c, "run a parallel loop", st->span);
        fn->par_depth = fn->depth - 1; /* variables of that depth and less are outside */
        fn->par_depth += fn->par_depth == 0;
    }
    fn->loops = st->parallel ? 0 : loops + 1;
    check_block(c, st->body);
    fn->loops = loops;
    fn->par_depth = par;
    check_loop_sync(c, pending);
    scope_pop(c);
}

static void check_jump(Check *c, Stmt *st) {
    const char *word = st->kind == ST_BREAK ? "break" : "continue";
    if (c->fn->loops) return;
    Diag *d = report(c, st->span, E_OUTSIDE_LOOP, word);
    if (c->fn->par_depth) diag_hint(c->s, d, "iterations of a parallel loop run at the same time: none is the first to stop");
    else if (c->fn->spawn_depth) diag_hint(c->s, d, "a spawned block cannot leave the loop around it");
}

/* ---- return */

static void check_return_value(Check *c, Stmt *st) {
    Fn *fn = c->fn;
    Decl *decl = fn->inst ? fn->inst->inst.decl : NULL;
    Reason why = {.what = "the returned value"};
    if (decl && decl->ret) {
        why.note_at = decl->ret->span;
        why.note = "the result is declared here";
    }
    st->a = check_value(c, st->a, fn->ret);
    if (is_error(st->a) || (fn->ret && fn->ret->kind == FT_ERROR)) return;
    if (!fn->ret) { /* T[..]: as the first value returned */
        st->a = unflex(c, st->a);
        fn->ret = fn->inst->inst.ret = st->a->type;
        return;
    }
    if (fn->ret->kind == FT_UNIT) {
        bool test = decl && (decl->kind == DECL_TEST || decl->kind == DECL_BENCH);
        Diag *d = report(c, st->a->span, E_RETURN_VALUE, test ? "test" : fn->title);
        if (test) diag_hint(c->s, d, "a test says what must hold: assert x == 5");
        else if (decl && decl->kind == DECL_KERNEL) diag_hint(c->s, d, "kernels write to `out` and `inout` parameters");
        else diag_hint(c->s, d, "declare it: fn %s(...) -> %s", fn->title, ftype_str(c->s, st->a->type));
        return;
    }
    st->a = coerce(c, st->a, type_fill(c, fn->ret, &fn->exist, st->a->type), &why);
}

static void check_return(Check *c, Stmt *st) {
    Fn *fn = c->fn;
    Diag *d = NULL;
    if (fn->par_depth) d = report(c, st->span, E_RETURN_OUTSIDE, "a parallel loop");
    else if (fn->spawn_depth) d = report(c, st->span, E_RETURN_OUTSIDE, "a spawned block");
    else if (fn->kind == FN_MAIN) d = report(c, st->span, E_RETURN_OUTSIDE, "the main program");
    if (d) return;
    if (st->a) {
        check_return_value(c, st);
        return;
    }
    if (!fn->ret || fn->ret->kind == FT_UNIT || fn->ret->kind == FT_ERROR) return;
    Diag *diag = report(c, st->span, E_RETURN_NOTHING, fn->title, ftype_str(c->s, fn->ret));
    if (fn->inst && fn->inst->inst.decl && fn->inst->inst.decl->ret) diag_note(c->s, diag, fn->inst->inst.decl->ret->span, "the result is declared here");
}

/* ---- spawn and sync */

static void check_spawn(Check *c, Stmt *st) {
    Fn *fn = c->fn;
    int loops = fn->loops, depth = fn->spawn_depth, n = fn->spawned.len;
    not_device(c, "spawn", st->span);
    fn->spawn_depth = fn->depth;
    fn->loops = 0;
    check_block(c, st->body);
    fn->loops = loops;
    fn->spawn_depth = depth;
    for (int i = n; i < fn->spawned.len; i++) {
        vec_push(c->a, &fn->pending, fn->spawned.data[i]);
    }
    if (!depth) fn->spawned.len = n; /* a nested one's are also assigned by the outer one */
}

/* ---- others */

static void check_barrier(Check *c, Stmt *st) {
    if (c->fn->kind == FN_KERNEL) return;
    Diag *d = report(c, st->span, E_ONLY_IN_KERNEL, "barrier");
    diag_hint(c->s, d, "it makes the threads of a block wait for each other");
}

static void check_assert(Check *c, Stmt *st) {
    Reason why = {.what = "the message of assert"};
    st->a = check_cond(c, st->a);
    if (st->b) st->b = coerce(c, check_value(c, st->b, NULL), ftype_scalar(c->s, DT_STR), &why);
    impure(c);
}

static bool is_useless(const Expr *e) {
    switch (e->kind) {
    case EX_CALL: return e->call == CALL_CAST || e->call == CALL_STRUCT ||
                         (e->call == CALL_BUILTIN && builtin_info(e->builtin)->kind != BK_PRINT);
    case EX_IF: return false;
    default: return true;
    }
}

static void check_expr_stmt(Check *c, Stmt *st) {
    Expr *e = st->a = check_expr(c, st->a, NULL);
    if (is_error(e) || !is_useless(e) || c->fn->kind == FN_MAIN) return;
    Diag *d = report(c, st->span, W_NO_EFFECT);
    if (e->kind == EX_BINARY && e->op == OPR_EQ) diag_hint(c->s, d, "to assign write a single =");
}

static bool check_stmt(Check *c, Stmt *st) {
    switch (st->kind) {
    case ST_LET: check_let(c, st); return true;
    case ST_ASSIGN: check_assign(c, st); return true;
    case ST_EXPR: check_expr_stmt(c, st); return true;
    case ST_IF: return check_if_stmt(c, st);
    case ST_FOR: check_for(c, st); return true;
    case ST_WHILE: return check_while(c, st);
    case ST_BREAK: case ST_CONTINUE: check_jump(c, st); return !c->fn->loops;
    case ST_RETURN: check_return(c, st); return false;
    case ST_LAUNCH: check_launch(c, st); return true;
    case ST_BARRIER: check_barrier(c, st); return true;
    case ST_SHARED: check_shared(c, st); return true;
    case ST_ATOMIC: check_atomic(c, st); return true;
    case ST_SPAWN: check_spawn(c, st); return true;
    case ST_SYNC: c->fn->pending.len = 0; return true;
    case ST_ASSERT: check_assert(c, st); return true;
    case ST_BLOCK: return check_block(c, st->body);
    case ST_DECL: case ST_CELL: return true;
    }
    bug("statement %d", st->kind);
}

bool check_stmts(Check *c, StmtVec *v) {
    bool falls = true, told = false;
    for (int i = 0; i < v->len; i++) {
        Stmt *st = v->data[i];
        if (!falls && !told && st->kind != ST_CELL && st->kind != ST_DECL) {
            report(c, st->span, W_UNREACHABLE);
            told = true;
        }
        falls &= check_stmt(c, st);
    }
    return falls;
}

bool check_block(Check *c, Block *b) {
    scope_push(c);
    bool falls = check_stmts(c, &b->stmts);
    scope_pop(c);
    return falls;
}

/* A trailing `if` statement with both branches is the value of its block. */
static void if_as_value(Check *c, Stmt *st) {
    if (st->kind != ST_IF || !st->else_body) return;
    Expr *e = expr_new(c->s, EX_IF, st->span);
    e->a = st->a;
    e->then_block = st->body;
    e->else_block = st->else_body;
    st->kind = ST_EXPR;
    st->a = e;
    st->body = st->else_body = NULL;
}

Expr *check_block_value(Check *c, Block *b, const FType *want) {
    Expr *none = expr_new(c->s, EX_TUPLE, b->span);
    if (b->stmts.len) if_as_value(c, vec_last(&b->stmts));
    if (!b->stmts.len || vec_last(&b->stmts)->kind != ST_EXPR) {
        check_stmts(c, &b->stmts);
        Diag *d = report(c, b->span, E_BLOCK_VALUE);
        diag_hint(c->s, d, "the last line of the block is its value");
        return error_expr(none);
    }
    Stmt *last = vec_last(&b->stmts);
    StmtVec before = b->stmts;
    before.len--;
    check_stmts(c, &before);
    return last->a = check_value(c, last->a, want);
}
