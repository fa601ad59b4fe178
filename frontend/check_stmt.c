/* Statements.  Each check returns whether control can reach what follows. */
#include "frontend/check.h"

#include <string.h>

/* ---- if and loops */

static bool check_if_stmt(Check *c, Stmt *st) {
    st->a = check_cond(c, st->a);
    bool never = is_never(st->a, true), always = is_never(st->a, false);
    c->fn->dead += never;
    bool then_falls = check_block(c, st->body); /* what either branch leaves unsynced stays so */
    c->fn->dead += always - never;
    bool else_falls = st->else_body ? check_block(c, st->else_body) : true;
    c->fn->dead -= always;
    if ((always && !then_falls) || (never && !else_falls)) c->fn->dead++; /* until the block ends */
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
        if (g->hi || g->over) continue;
        Diag *d = report(c, g->span, E_RANGE_UNKNOWN, g->name);
        diag_hint(c->s, d, "write it: for %s in 0:n", g->name);
        st->gens.data[i].var->type = &ftype_error;
        st->gens.data[i].var->gen = NULL;
    }
}

static void warn_empty_loop(Check *c, const Stmt *st) {
    for (int i = 0; i < st->gens.len; i++) {
        const Gen *g = &st->gens.data[i];
        if (!g->lo || !g->hi || g->step || g->lo->kind != EX_INT || g->hi->kind != EX_INT ||
            g->hi->lit.i >= g->lo->lit.i)
            continue;
        Diag *d = report(c, g->span, W_EMPTY_LOOP);
        diag_hint(c->s, d, "to count down write the step: %lld:%lld:-1", (long long)g->lo->lit.i,
                  (long long)g->hi->lit.i);
    }
}

/* 0:2:10, as others write start, step and stop: one turn */
static void warn_long_step(Check *c, const Stmt *st) {
    for (int i = 0; i < st->gens.len; i++) {
        const Gen *g = &st->gens.data[i];
        bool written = g->lo && g->hi && g->step && g->lo->kind == EX_INT && g->hi->kind == EX_INT &&
                       g->step->kind == EX_INT;
        int64_t lo = written ? g->lo->lit.i : 0, hi = written ? g->hi->lit.i : 0, step = written ? g->step->lit.i : 0;
        if (lo >= hi || step <= hi || step < hi - lo) continue;
        Diag *d = report(c, g->span, W_ONE_TURN);
        diag_hint(c->s, d, "the step stands last: %lld:%lld:%lld", (long long)lo, (long long)step, (long long)hi);
    }
}

/* for t in checkpoint(0:n, every=k), slots=k, or memory="2GB" */
static void check_checkpoint(Check *c, Stmt *st) {
    static const char *const settings[] = {"every", "memory", "slots"};
    int k = 0;
    while (st->name && k < 3 && strcmp(st->name, settings[k])) k++;
    if (in_device(c)) diag_hint(c->s, report(c, st->gens.data[0].span, E_CHECKPOINT, "loops in kernels have none"),
                                "what kernels keep for derivatives is an element for each thread and turn");
    if (!st->name) return;
    if (k == 3) {
        const char *what = intern_printf(c->s, "there is no setting '%s'", st->name);
        diag_hint(c->s, report(c, st->name_span, E_CHECKPOINT, what),
                  "settings are every=10, slots=20 and memory=\"2GB\"");
        return;
    }
    const Expr *e = st->b = check_value(c, st->b, NULL);
    if (is_error(e)) return;
    bool bytes = k == 1, text = e->is_const && type_is_scalar(e->type, DT_STR);
    if (!bytes && e->is_const && type_is_int(e->type)) st->plan[k] = e->lit.i;
    if (bytes && text && !bytes_read(e->lit.s, &st->plan[k])) st->plan[k] = 0;
    if (st->plan[k] > 0) return;
    const char *what = bytes ? "this is no amount of memory" : k ? "this is no number of states"
                                                                 : "this is no number of turns";
    diag_hint(c->s, report(c, e->span, E_CHECKPOINT, what),
              bytes ? "a text known when compiling, with KB, MB, GB, KiB, MiB or GiB: memory=\"2GB\""
                    : intern_printf(c->s, "a number from 1 on that is known when compiling: %s=10", settings[k]));
}

/* Behind the body of a parallel loop; private: how many arrays of unknown size there were before it */
static void check_turns(Check *c, Stmt *st, int private) {
    Fn *fn = c->fn;
    st->own_turns = fn->kind != FN_KERNEL && turns_are_own(c, st);
    for (int i = private; !st->own_turns && i < fn->private.len; i++) private_size(c, fn->private.data[i]);
    fn->private.len = private;
}

static void check_for(Check *c, Stmt *st) {
    Fn *fn = c->fn;
    int loops = fn->loops, par = fn->par_depth, pending = fn->pending.len, private = fn->private.len;
    check_gens(c, &st->gens, GENS_LOOP);
    check_inferred_loop(c, st);
    if (st->checkpoint) check_checkpoint(c, st);
    warn_empty_loop(c, st);
    warn_long_step(c, st);
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
    if (st->parallel) check_turns(c, st, private);
    fn->loops = loops;
    fn->par_depth = par;
    check_loop_sync(c, pending);
    scope_pop(c);
}

static void check_jump(Check *c, Stmt *st) {
    const char *word = st->kind == ST_BREAK ? "break" : "continue";
    if (c->fn->loops) return;
    Diag *d = report(c, st->span, E_OUTSIDE_LOOP, word);
    if (c->fn->par_depth)
        diag_hint(c->s, d, "iterations of a parallel loop run at the same time: none is the first to stop");
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
    if (fn->inst && fn->inst->inst.decl && fn->inst->inst.decl->ret)
        diag_note(c->s, diag, fn->inst->inst.decl->ret->span, "the result is declared here");
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

/* A variable of the name is hidden where the word stands alone. */
static bool is_hidden(Check *c, const Stmt *st, const char *word) {
    if (!scope_find(c, intern(c->s, word))) return false;
    Diag *d = report(c, st->span, E_WORD_NOT_NAME, word);
    diag_hint(c->s, d, "write (%s) for its value, or give the variable another name", word);
    return true;
}

static void check_sync(Check *c, const Stmt *st) {
    if (!is_hidden(c, st, "sync")) c->fn->pending.len = 0;
}

static void check_barrier(Check *c, Stmt *st) {
    if (is_hidden(c, st, "barrier")) return;
    if (c->fn->kind == FN_KERNEL) return;
    Diag *d = report(c, st->span, E_ONLY_IN_KERNEL, "barrier");
    diag_hint(c->s, d, "it makes the threads of a block wait for each other");
}

static void check_assert(Check *c, Stmt *st) {
    Reason why = {.what = "the message of assert"};
    c->asserts++;
    st->a = check_cond(c, st->a);
    c->asserts--;
    const Expr *around = c->message;
    c->message = st->b;
    if (st->b) st->b = coerce(c, check_value(c, st->b, NULL), ftype_scalar(c->s, DT_STR), &why);
    c->message = around;
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

/* Tests and benches call functions to see whether and how fast they end. */
static bool runs_by_itself(const Fn *fn) {
    const Decl *d = fn->inst ? fn->inst->inst.decl : NULL;
    return d && (d->kind == DECL_TEST || d->kind == DECL_BENCH);
}

static bool at_top(const Check *c) { return c->fn->kind == FN_MAIN && c->fn->depth == 1; }

static bool is_comparison(const Expr *e) { return e->kind == EX_BINARY && e->op == OPR_EQ; }

/* ends_cell: at the top level, where its value is that of a cell */
static void check_expr_stmt(Check *c, Stmt *st, bool ends_cell) {
    Expr *e = st->a = check_expr(c, st->a, NULL);
    if (is_error(e) || (at_top(c) && !is_comparison(e))) return;
    if (e->kind == EX_CALL && e->call == CALL_FN && !runs_by_itself(c->fn))
        vec_push(c->a, &c->dropped, ((DevCall){(InstInfo *)e->inst, e->span}));
    if (!is_useless(e) || (at_top(c) && ends_cell)) return;
    Diag *d = report(c, st->span, W_NO_EFFECT);
    if (is_comparison(e)) diag_hint(c->s, d, "to assign write a single =");
}

static bool check_stmt(Check *c, Stmt *st, bool ends_cell) {
    switch (st->kind) {
    case ST_LET: check_let(c, st); return true;
    case ST_ASSIGN: check_assign(c, st); return true;
    case ST_EXPR: check_expr_stmt(c, st, ends_cell); return true;
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
    case ST_SYNC: check_sync(c, st); return true;
    case ST_ASSERT: check_assert(c, st); return true;
    case ST_BLOCK: return check_block(c, st->body);
    case ST_DECL: case ST_CELL: return true;
    }
    bug("statement %d", st->kind);
}

static int line_begin(const char *text, int at) {
    while (at > 0 && text[at - 1] != '\n') at--;
    return at;
}

static int indentation(const char *text, int at) {
    return (int)strspn(text + line_begin(text, at), " \t");
}

/* A statement that begins its line with + or - */
static bool begins_with_sign(Check *c, const Stmt *st) {
    size_t len;
    if (st->kind != ST_EXPR || st->span.file < 0 || in_std(c)) return false;
    const char *text = source_text(c->s, st->span.file, &len);
    return strchr("+-", text[st->span.lo]) &&
           line_begin(text, st->span.lo) + indentation(text, st->span.lo) == st->span.lo;
}

static bool blank_line_between(const char *text, int from, int to) {
    for (const char *p = memchr(text + from, '\n', (size_t)(to - from)); p && p < text + to; p = strchr(p + 1, '\n')) {
        const char *end = p + 1 + strspn(p + 1, " \t\r");
        if (*end == '\n' && end < text + to) return true;
    }
    return false;
}

static bool has_value(const Stmt *st) {
    if (st->kind == ST_EXPR) return !st->a->type || st->a->type->kind != FT_UNIT;
    return st->kind == ST_LET || st->kind == ST_ASSIGN || st->kind == ST_RETURN;
}

/* The statement above st that it may have been meant to go on with, or NULL */
static const Stmt *goes_on_from(Check *c, const StmtVec *v, int i) {
    const Stmt *above = i ? v->data[i - 1] : NULL, *st = v->data[i];
    if (!above || !has_value(above) || above->span.file != st->span.file) return NULL;
    size_t len;
    return blank_line_between(source_text(c->s, st->span.file, &len), above->span.hi, st->span.lo) ? NULL : above;
}

static bool is_deeper(Check *c, const Stmt *above, const Stmt *st) {
    size_t len;
    const char *text = source_text(c->s, st->span.file, &len);
    return indentation(text, st->span.lo) > indentation(text, above->span.lo);
}

static void report_line(Check *c, const Stmt *above, const Stmt *st, bool shown) {
    Diag *d = report(c, st->span, E_LINE_SIGN);
    if (above) diag_note(c->s, d, above->span, "this ends with its line");
    diag_hint(c->s, d, "to go on with the line above, put the operator at its end, or the whole in parentheses");
    if (shown) diag_hint(c->s, d, "to show the value, put a blank line above");
}

static bool ends_cell(const StmtVec *v, int i) { return i + 1 == v->len || v->data[i + 1]->kind == ST_CELL; }

/* Statement i of the block, whose value nobody gets, begins its line with + or -: a mistake (false), except that a cell
 * shows the last value, when that stands by itself. */
bool check_line_sign(Check *c, const StmtVec *v, int i) {
    if (!begins_with_sign(c, v->data[i])) return true;
    const Stmt *above = goes_on_from(c, v, i);
    bool shown = at_top(c) && ends_cell(v, i);
    if (shown && !above) return true;
    report_line(c, above, v->data[i], shown);
    return false;
}

bool check_first_stmts(Check *c, StmtVec *v, int n) {
    bool falls = true, told = false;
    for (int i = 0; i < n; i++) {
        Stmt *st = v->data[i];
        if (!check_line_sign(c, v, i)) {
            check_expr(c, st->a, NULL);
            continue;
        }
        if (!falls && !told && st->kind != ST_CELL && st->kind != ST_DECL) {
            report(c, st->span, W_UNREACHABLE);
            told = true;
        }
        falls &= check_stmt(c, st, ends_cell(v, i));
    }
    return falls;
}

bool check_stmts(Check *c, StmtVec *v) { return check_first_stmts(c, v, v->len); }

bool check_block(Check *c, Block *b) {
    int dead = c->fn->dead;
    scope_push(c);
    bool falls = check_stmts(c, &b->stmts);
    scope_pop(c);
    c->fn->dead = dead;
    return falls;
}

void if_as_value(Check *c, Stmt *st) {
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
    check_first_stmts(c, &b->stmts, b->stmts.len - 1);
    const Stmt *above = begins_with_sign(c, last) ? goes_on_from(c, &b->stmts, b->stmts.len - 1) : NULL;
    if (above && is_deeper(c, above, last)) report_line(c, above, last, false);
    return last->a = check_value(c, last->a, want);
}
