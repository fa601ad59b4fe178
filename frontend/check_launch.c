/* launch k[grid, block](args) */
#include "frontend/check.h"

#include <string.h>

static const int64_t MAX_BLOCK = 1024;

/* ---- (n + 31)/32: the same rounded up, as C writes it.  Read before checking, which folds constants. */

enum { MAX_TERMS = 8 };
typedef struct Terms { /* of a sum */
    const Expr *v[MAX_TERMS];
    bool minus[MAX_TERMS];
    int n;
} Terms;

static void add_terms(Terms *t, const Expr *e, bool minus) {
    bool sum = e->kind == EX_BINARY && (e->op == OPR_ADD || e->op == OPR_SUB);
    if (sum) {
        add_terms(t, e->a, minus);
        add_terms(t, e->b, minus != (e->op == OPR_SUB));
    } else if (t->n < MAX_TERMS) {
        t->minus[t->n] = minus;
        t->v[t->n++] = e;
    }
}

static void drop_term(Terms *t, int i) {
    for (t->n--; i < t->n; i++) t->v[i] = t->v[i + 1], t->minus[i] = t->minus[i + 1];
}

static int find_int(const Terms *t, int64_t value, bool minus) {
    for (int i = 0; i < t->n; i++)
        if (t->v[i]->kind == EX_INT && t->v[i]->lit.i == value && t->minus[i] == minus) return i;
    return -1;
}

/* Without what rounds up: + 31, or + block - 1 */
static void drop_rounding(Check *c, Terms *t, const Expr *block) {
    int whole = t->n > 1 && block->kind == EX_INT ? find_int(t, block->lit.i - 1, false) : -1,
        less = t->n > 2 ? find_int(t, 1, true) : -1;
    if (whole >= 0) {
        drop_term(t, whole);
        return;
    }
    for (int i = 0; less >= 0 && i < t->n; i++) {
        if (t->minus[i] || strcmp(source_copy(c->s, t->v[i]->span), source_copy(c->s, block->span))) continue;
        drop_term(t, i > less ? i : less);
        drop_term(t, i > less ? less : i);
        return;
    }
}

static const char *sum_text(Check *c, const Terms *t) {
    const char *text = "";
    for (int i = 0; i < t->n; i++)
        text = intern_printf(c->s, "%s%s%s", text,
                             t->minus[i] ? i ? " - " : "-"
                             : i         ? " + "
                                         : "",
                             source_copy(c->s, t->v[i]->span));
    return text;
}

/* What is to be rounded up; more: one is added to the quotient, (n - 1)/32 + 1 */
static const char *dividend_text(Check *c, const Expr *quotient, bool more) {
    Terms t = {0};
    add_terms(&t, quotient->a, false);
    int one = more && t.n > 1 ? find_int(&t, 1, true) : -1;
    if (one >= 0) drop_term(&t, one);
    else if (!more) drop_rounding(c, &t, quotient->b);
    return sum_text(c, &t);
}

static bool is_quotient(const Expr *e) { return e->kind == EX_BINARY && e->op == OPR_DIV && e->span.file >= 0; }

/* The quotient in n/32, or in n/32 + 1; NULL: it is neither */
static const Expr *quotient_in(const Expr *e) {
    if (is_quotient(e)) return e;
    bool more = e->kind == EX_BINARY && e->op == OPR_ADD && e->b->kind == EX_INT && e->b->lit.i == 1;
    return more && is_quotient(e->a) ? e->a : NULL;
}

/* nx/16 blocks are no int, and nx//16 too few. */
static void report_float_extent(Check *c, const Expr *e, const Expr *q, const char *what) {
    Diag *d = report(c, e->span, E_TYPE_MISMATCH, intern_printf(c->s, "the %s", what), "int", ftype_str(c->s, e->type));
    const char *n = dividend_text(c, q, q->span.hi < e->span.hi), *block = source_copy(c->s, q->b->span);
    diag_hint(c->s, d, "as many blocks of %s as reach the end of %s are ceildiv(%s, %s)", block, n, n, block);
    diag_fix(c->s, d, false, e->span, "ceildiv(%s, %s)", n, block);
}

static bool check_extent_list(Check *c, ExprVec *v, const char *what, int64_t *product) {
    bool ok = true;
    *product = 1;
    const Expr *alone = v->len == 1 && quotient_in(v->data[0]) ? expr_clone(c->s, v->data[0]) : NULL;
    if (v->len == 1) spread_tuple(c, v, 0);
    for (int i = 0; i < v->len; i++) {
        const Expr *written = alone ? alone : quotient_in(v->data[i]) ? expr_clone(c->s, v->data[i]) : NULL;
        Expr *e = check_value(c, v->data[i], NULL);
        bool is_float = e->type->kind == FT_SCALAR && dtype_is_float(e->type->dtype);
        if (written && is_float) report_float_extent(c, e, quotient_in(written), what), error_expr(e);
        e = v->data[i] = coerce_int(c, e, intern_printf(c->s, "the %s", what));
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
    if (!g && !scope_find(c, st->name)) return report_unknown_name(c, st->name_span, st->name, NAME_READ), NULL;
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

static const Expr *root_of(const Expr *e) {
    while (e->kind == EX_FIELD || e->kind == EX_CONVERT) e = e->a;
    return e;
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
    if (is_error(*arg)) return false;
    if (p->mode == MODE_INOUT) root_of(*arg)->var->used = true; /* the kernel reads it */
    return true;
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
        Diag *diag = report(c, ordered[i]->span, E_TYPE_MISMATCH,
                            intern_printf(c->s, "argument '%s' of '%s'", p->name, d->name), param_text(c, p->type),
                            ftype_str(c->s, ordered[i]->type));
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
    if (!choose_overload(c, head, &st->args, &no_names, st->span, &m, &ordered)) return;
    InstInfo *inst = inst_of_decl(c, m.d, &m.b, st->span);
    if (!inst || !check_written(c, st, m.d, ordered)) return;
    st->args = runtime_args(c, inst, m.d, ordered, st->span);
    st->inst = &inst->inst;
    inst_uses(c, inst, st->span);
    bind_call(c, inst, &st->args, 0, 0, &st->binds, &found, m.d);
}
