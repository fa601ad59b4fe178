/* Statements: lines with the source beside them, regions, control flow, functions' ends. */
#include "codegen/c/private.h"

#include <stdlib.h>
#include <string.h>

/* Longer expressions get a variable, also those that are a whole statement's right side. */
enum { LONG_EXPRESSION = 88, LONG_STATEMENT = 300 };

/* ---- lines */

/* "*" "/" and "/" "*" of the source must not end our comment. */
static const char *comment_text(Emit *e, const char *s, int n) {
    char *copy = arena_strndup(e->arena, s, (size_t)n);
    for (char *p = copy; *p; p++)
        if ((p[0] == '/' && p[1] == '*') || (p[0] == '*' && p[1] == '/')) p[1] = ' ';
        else if ((unsigned char)*p < 32) *p = ' ';
    return copy;
}

/* What #line says: the whole path, wherever the debugger runs */
static const char *source_line(Emit *e, int file, int line) {
    const char *path = source_path(e->session, file);
    char *whole = realpath(path, NULL);
    const char *text = arena_printf(e->arena, "%d %s", line, expr_str(e, whole ? whole : path));
    free(whole);
    return text;
}

void emit_place(Emit *e, Span at) {
    if (e->opts->debug && at.file >= 0)
        e->lines.place = source_line(e, at.file, source_place(e->session, at.file, at.lo).line);
}

/* The source line of what is being emitted, once. */
static void show_source(Emit *e) {
    if (e->opts->files || e->pending.file < 0) return;
    Place at = source_place(e->session, e->pending.file, e->pending.lo);
    emit_place(e, e->pending);
    if (e->pending.file == e->shown_file && at.line == e->shown_line) return;
    e->shown_file = e->pending.file;
    e->shown_line = at.line;
    const char *text = at.text;
    int n = at.text_len;
    while (n && (text[0] == ' ' || text[0] == '\t')) text++, n--;
    while (n && strchr(" \t\r\n\\", text[n - 1])) n--;
    const char *name = path_name(source_path(e->session, e->pending.file));
    const char *shown = comment_text(e, name, (int)strlen(name));
    lines_add(&e->lines, LINE_COMMENT, NULL,
              arena_printf(e->arena, "/* %s:%d: %s */", shown, at.line, comment_text(e, text, n)));
}

static const char *format(Emit *e, const char *fmt, va_list ap) {
    Text t;
    text_init(&t, e->arena);
    text_vprintf(&t, fmt, ap);
    return text_str(&t);
}

#define FORMATTED(e, fmt, text)        \
    va_list ap;                        \
    va_start(ap, fmt);                 \
    const char *text = format(e, fmt, ap); \
    va_end(ap)

void emit_line(Emit *e, const char *fmt, ...) {
    FORMATTED(e, fmt, text);
    show_source(e);
    lines_add(&e->lines, LINE_PLAIN, NULL, text);
}

void emit_open(Emit *e, const char *fmt, ...) {
    FORMATTED(e, fmt, text);
    show_source(e);
    lines_add(&e->lines, LINE_OPEN, NULL, text);
}

void emit_pragma(Emit *e, const char *fmt, ...) {
    FORMATTED(e, fmt, text);
    show_source(e);
    lines_add(&e->lines, LINE_PRAGMA, NULL, text);
}

void emit_close(Emit *e) { lines_add(&e->lines, LINE_CLOSE, NULL, "}"); }

Line *emit_open_loop(Emit *e, Var *iv, const char *header) {
    show_source(e);
    return lines_add(&e->lines, LINE_OPEN, iv, header);
}

void emit_assign(Emit *e, Var *var, const char *text) {
    show_source(e);
    lines_add(&e->lines, LINE_ASSIGN, var, text);
}

/* ---- values */

void emit_bind_var(Emit *e, const Value *v, Var *var) {
    e->values[v->id] = (ValueState){.var = var};
    const char *hint = name_clean(e->session, v->name);
    if (!hint && type_is_tensor(v->type)) hint = "tmp";
    if (hint && !var->hint) var->hint = v->type->kind == TY_TENSOR ? intern_printf(e->session, "%s_arr", hint) : hint;
}

void emit_bind_expr(Emit *e, const Value *v, Expr x) { e->values[v->id] = (ValueState){.expr = x}; }

const char *emit_type(const Type *t) { return type_is_tensor(t) ? "dsl_array *" : c_type(t->dtype); }

/* The type before a name: "const double ", "dsl_array *" */
const char *emit_qualified(Emit *e, const Type *t, bool is_mutable) {
    if (type_is_tensor(t)) return emit_type(t);
    return arena_printf(e->arena, "%s%s ", is_mutable ? "" : "const ", c_type(t->dtype));
}

/* "type var = text;", "type var;" when text is NULL.  When nobody reads it: alt, or nothing. */
void emit_declare_into(Emit *e, Var *var, const char *type, const char *text, const char *alt) {
    show_source(e);
    const char *ref = lines_ref(&e->lines, var);
    const char *init = text ? arena_printf(e->arena, " = %s", text) : "";
    lines_add(&e->lines, LINE_DECL, var, arena_printf(e->arena, "%s%s%s;", type, ref, init))->alt = alt;
}

Var *emit_declare(Emit *e, const Value *v, const char *type, const char *text, const char *alt) {
    Var *var = lines_var(&e->lines, NULL);
    emit_bind_var(e, v, var);
    emit_declare_into(e, var, type, text, alt);
    return var;
}

/* A place for messages: an element of the file's table of sites.  Who asks for one may fail. */
const char *emit_site(Emit *e, Span at) {
    e->failures++;
    return arena_printf(e->arena, "&site[%d]", site_number(&e->sites, at));
}

/* ---- size symbols */

static void define_sym(Emit *e, const char *sym, Expr x, const char *type, const char *named) {
    const char *text = x.text;
    if (x.prec != PREC_ATOM || named) {
        Var *var = lines_var(&e->lines, name_clean(e->session, named ? named : sym));
        emit_declare_into(e, var, type, x.text, NULL);
        text = lines_ref(&e->lines, var);
    }
    map_put(e->arena, &e->syms, sym, (void *)(uintptr_t)text);
}

/* Symbols that t mentions bare and that have no definition yet are defined by the sizes of the tensor v. */
void emit_define_syms_of(Emit *e, const Type *t, const Value *v) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (!sym || map_has(&e->syms, sym)) continue;
        define_sym(e, sym, expr_printf(e, PREC_POSTFIX, "%s->dim[%d]", emit_value(e, v).text, i), "const int64_t ",
                   sym);
    }
}

void emit_define_syms(Emit *e, const Value *v) {
    if (type_is_tensor(v->type)) emit_define_syms_of(e, v->type, v);
}

void emit_bind(Emit *e, Op *op) {
    Expr x = emit_opnd(e, op, 0);
    const Value *v = op_opnd(op, 0);
    bool is_const = int_constant(v, NULL);
    /* A constant that is still bound is no size; the C compiler would say so, though the program ends at the bind. */
    const char *type = is_const ? "int64_t " : "const int64_t ";
    define_sym(e, op_sym(op, A_SYM), x, type, is_const || e->values[v->id].var ? NULL : op_sym(op, A_SYM));
    if (plan_is_size(v)) return;
    emit_line(e, "if (DSL_UNLIKELY((uint64_t)%s > DSL_MAX_EXTENT)) dsl_fail_size(%s, %s);", expr_in(e, x, PREC_UNARY),
              emit_site(e, op->span), x.text);
}

/* ---- checks */

/* Checks that the indices, operands from first on, are within t, unless that was proved or checked before. */
void emit_check_index(Emit *e, const Op *op, const Type *t, int first) {
    for (int i = 0; i < t->rank; i++) {
        const Value *index = op_opnd(op, first + i);
        if (!check_needs_index(&e->checked, op, first, i)) continue;
        emit_line(e, "dsl_check_index(%s, %d, %s, %s);", emit_site(e, op->span), i, emit_value(e, index).text,
                  expr_array_extent(e, t->dims[i]).text);
        vec_push(e->arena, &e->checked, ((Checked){index, t->dims[i]}));
    }
}

void emit_check_divisor(Emit *e, const Op *op) {
    const Value *y = op_opnd(op, 1);
    if (!check_needs_divisor(&e->checked, op)) return;
    vec_push(e->arena, &e->checked, ((Checked){y, NULL}));
    emit_line(e, "if (DSL_UNLIKELY(%s == 0)) dsl_fail_divzero(%s);", expr_in(e, emit_value(e, y), PREC_ADD),
              emit_site(e, op->span));
}

/* ---- operations of a region */

static ExprFn *const expr_fns[OP_COUNT] = {
#define EXPR(id, fn) [id] = fn,
#define STMT(id, fn)
#define NEVER(id)
#include "codegen/c/emit.def"
#undef EXPR
#undef STMT
#undef NEVER
};
static StmtFn *const stmt_fns[OP_COUNT] = {
#define EXPR(id, fn)
#define STMT(id, fn) [id] = fn,
#define NEVER(id)
#include "codegen/c/emit.def"
#undef EXPR
#undef STMT
#undef NEVER
};

/* Every operation has a row: a missing one is an undeclared name here. */
enum {
#define EXPR(id, fn) has_emitter_##id,
#define STMT(id, fn) EXPR(id, fn)
#define NEVER(id) EXPR(id, 0)
#include "codegen/c/emit.def"
#undef EXPR
#undef STMT
#undef NEVER
    EMITTER_COUNT
};
#define OP(id, mnemonic, levels, operands, results, regions, traits, attrs, rule, ctemplate, llvm, ad, cost, doc) \
    _Static_assert(has_emitter_##id < EMITTER_COUNT, "");
#include "ir/ops.def"
#undef OP

bool emit_is_expr(OpCode c) { return expr_fns[c] != NULL; }

/* Constants and bare sizes stand where they are used, however often. */
bool emit_is_inline(const Op *op) {
    if (op->code == OP_CONST) return true;
    if (op->code != OP_SIZE) return false;
    const Size *size = op_attr(op, A_SIZE)->sizes[0];
    return size_is_const(size, NULL) || size_as_sym(size);
}

static void emit_expr_op(Emit *e, Op *op) {
    Expr x = expr_fns[op->code](e, op);
    Value *r = &op->res[0];
    const Placement *p = place_of(e, op);
    size_t longest = p->fold && p->root == r->uses->user ? LONG_STATEMENT : LONG_EXPRESSION;
    if ((p->fold && strlen(x.text) <= longest) || emit_is_inline(op)) {
        emit_bind_expr(e, r, x);
        return;
    }
    Var *var = emit_declare(e, r, emit_qualified(e, r->type, false), x.text, NULL);
    if (op->code == OP_LOAD && !var->hint) var->hint = e->values[op_opnd(op, 0)->id].var->hint;
}

static void emit_op(Emit *e, Op *op) {
    if (plan_is_dead(e->plan, op)) return;
    if (op->span.file >= 0) e->pending = op->span;
    emit_gather_operands(e, op);
    if (expr_fns[op->code]) emit_expr_op(e, op);
    else if (stmt_fns[op->code]) stmt_fns[op->code](e, op);
    else bug("@%s: '%s' reached the C emitter", e->func->name, op_info(op->code)->mnemonic);
    for (int i = 0; i < op->nres; i++) emit_define_syms(e, &op->res[i]);
}

void emit_region(Emit *e, const Region *r) {
    int facts = e->checked.len;
    for (Op *op = r->first; op; op = op->next)
        if (!(op_info(op->code)->traits & TR_TERM)) emit_op(e, op);
    emit_free_scratch(e, r);
    e->checked.len = facts;
}

/* ---- assignments */

/* waiting: reads of the variable's old value by assignments that are still to come */
typedef struct { Var *var; const Value *from; Expr value; int waiting; bool done; } Pending;
typedef struct { Emit *e; Map of; VEC(Pending *) ready; } Assign; /* of: Var -> its Pending */

static void assign(Emit *e, Var *var, Expr x) {
    const char *target = lines_ref(&e->lines, var);
    if (!strcmp(x.text, target)) return;
    bool swapped = (x.op == '+' || x.op == '*') && !strcmp(x.right, target);
    if (swapped && strcmp(x.left, target))
        emit_assign(e, var, arena_printf(e->arena, "%s %c= %s;", target, x.op, x.left));
    else if (x.op && !strcmp(x.left, target))
        emit_assign(e, var, arena_printf(e->arena, "%s %c= %s;", target, x.op, x.right));
    else emit_assign(e, var, arena_printf(e->arena, "%s = %s;", target, x.text));
}

/* p begins (delta 1) or ceases to need what its value reads. */
static void need(Assign *a, const Pending *p, int delta) {
    const char *text = p->value.text;
    for (Var *v; (v = lines_next_ref(&a->e->lines, &text));) {
        Pending *q = map_get(&a->of, v);
        if (!q || q == p) continue;
        q->waiting += delta;
        if (!q->waiting && !q->done) vec_push(a->e->arena, &a->ready, q);
    }
}

/* All wait for each other: p's new value goes into a temporary, and is read no more. */
static void cut_cycle(Assign *a, Pending *p) {
    Emit *e = a->e;
    Var *next = lines_var(&e->lines, intern_printf(e->session, "next_%s", p->var->hint ? p->var->hint : "t"));
    emit_declare_into(e, next, emit_qualified(e, p->from->type, false), p->value.text, NULL);
    need(a, p, -1);
    p->value = expr_atom(lines_ref(&e->lines, next));
}

/* All at once: in an order in which nobody is overwritten too early; a cycle is cut by a temporary. */
void emit_assign_all(Emit *e, int n, Var *const *targets, const Use *values) {
    Pending *all = NEWN(e->arena, Pending, n + 1);
    Assign a = {.e = e};
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (!targets[i]) continue;
        Expr x = emit_value(e, values[i].val);
        if (!strcmp(x.text, lines_ref(&e->lines, targets[i]))) continue;
        all[count] = (Pending){targets[i], values[i].val, x, 0, false};
        map_put(e->arena, &a.of, targets[i], &all[count++]);
    }
    for (int i = 0; i < count; i++) need(&a, &all[i], 1);
    for (int i = 0; i < count; i++)
        if (!all[i].waiting) vec_push(e->arena, &a.ready, &all[i]);
    for (int done = 0, left = 0, i = 0; done < count;) {
        if (i == a.ready.len) {
            while (all[left].done) left++;
            cut_cycle(&a, &all[left++]); /* once: others may have to be cut, too, before somebody is ready */
            continue;
        }
        Pending *p = a.ready.data[i++];
        assign(e, p->var, p->value);
        p->done = true;
        done++;
        need(&a, p, -1);
    }
}

/* ---- if, for, while, spawn */

/* The variables of the results: those they share, or new ones, declared without a value */
static Var **result_vars(Emit *e, Op *op) {
    Var **vars = NEWN(e->arena, Var *, op->nres + 1);
    const Placement *p = place_of(e, op);
    for (int i = 0; i < op->nres; i++) {
        const Value *shared = p->shares ? p->shares[i] : NULL;
        if (shared) emit_bind_var(e, &op->res[i], vars[i] = e->values[shared->id].var);
        else vars[i] = emit_declare(e, &op->res[i], emit_qualified(e, op->res[i].type, true), NULL, NULL);
    }
    return vars;
}

static void emit_branch(Emit *e, const Region *r, Var *const *targets) {
    emit_region(e, r);
    const Op *yield = r->last;
    emit_assign_all(e, yield->nopnds, targets, yield->opnds);
}

static bool is_comparison(const Op *op) { return op->code >= OP_EQ && op->code <= OP_GE; }

static const char *opposite(OpCode c) {
    switch (c) {
    case OP_EQ: return "!=";
    case OP_NE: return "==";
    case OP_LT: return ">=";
    case OP_LE: return ">";
    case OP_GT: return "<=";
    default: return "<";
    }
}

/* not v; comparisons turn round where NaN does not forbid it */
Expr emit_negated(Emit *e, const Value *v) {
    const Op *def = v->def;
    bool folded = def && is_comparison(def) && place_of(e, def)->fold && !e->values[v->id].var;
    if (folded && (def->code <= OP_NE || !dtype_is_float(op_opnd(def, 0)->type->dtype)))
        return expr_binary(e, opposite(def->code), emit_opnd(e, def, 0), emit_opnd(e, def, 1));
    return expr_printf(e, PREC_UNARY, "!%s", expr_in(e, emit_value(e, v), PREC_UNARY));
}

/* Every operation of the region becomes part of its result's expression. */
static bool folds_away(Emit *e, const Region *r) {
    for (const Op *op = r->first; op != r->last; op = op->next)
        if (!plan_is_dead(e->plan, op) && !emit_is_inline(op) && !(place_of(e, op)->fold && !op_may_trap(op)))
            return false;
    return true;
}

/* An if with one result and nothing to do is a ?: when that is short. */
static bool emit_conditional(Emit *e, Op *op) {
    const Placement *p = place_of(e, op);
    if (op->nres != 1 || type_is_tensor(op->res[0].type) || (p->shares && p->shares[0])) return false;
    if (!folds_away(e, op->regs[0]) || !folds_away(e, op->regs[1])) return false;
    int lines = e->lines.lines.len;
    emit_region(e, op->regs[0]);
    emit_region(e, op->regs[1]);
    Expr c = emit_opnd(e, op, 0), x = emit_opnd(e, op->regs[0]->last, 0), y = emit_opnd(e, op->regs[1]->last, 0);
    size_t length = strlen(c.text) + strlen(x.text) + strlen(y.text);
    if (length > LONG_EXPRESSION || e->lines.lines.len != lines) {
        e->lines.lines.len = lines;
        return false;
    }
    Expr all = expr_printf(e, PREC_COND, "%s ? %s : %s", expr_in(e, c, PREC_LOR), expr_in(e, x, PREC_LOR),
                           expr_in(e, y, PREC_COND));
    const Value *r = &op->res[0];
    bool right_away = !r->name && value_single_use(r) && r->uses->user == op->next &&
                      op_info(op->next->code)->traits & TR_TERM;
    if (right_away) emit_bind_expr(e, r, all);
    else emit_declare(e, r, emit_qualified(e, r->type, false), all.text, NULL);
    return true;
}

void emit_if(Emit *e, Op *op) {
    if (emit_conditional(e, op)) return;
    Var **vars = result_vars(e, op);
    show_source(e);
    const char *cond = emit_opnd(e, op, 0).text;
    if (op_flag(op, A_FEW)) cond = arena_printf(e->arena, "DSL_LIKELY(%s)", cond);
    Line *open = lines_add(&e->lines, LINE_OPEN, NULL, arena_printf(e->arena, "if (%s) {", cond));
    open->negated = arena_printf(e->arena, "if (%s) {", emit_negated(e, op_opnd(op, 0)).text);
    emit_branch(e, op->regs[0], vars);
    lines_add(&e->lines, LINE_MIDDLE, NULL, "} else {");
    emit_branch(e, op->regs[1], vars);
    emit_close(e);
}

/* Variables for carried values: those they share, or new ones that begin as the inits; results and
 * region arguments are the same variables. */
static Var **carried_vars(Emit *e, Op *op, int first_init, const Region *body, int first_arg) {
    const Placement *p = place_of(e, op);
    Var **vars = NEWN(e->arena, Var *, op->nres + 1);
    for (int i = 0; i < op->nres; i++) {
        const Value *arg = body->args[first_arg + i], *shared = p->shares ? p->shares[i] : NULL;
        vars[i] = shared ? e->values[shared->id].var : lines_var(&e->lines, NULL);
        emit_bind_var(e, arg, vars[i]);
        emit_bind_var(e, &op->res[i], vars[i]);
        if (!shared)
            emit_declare_into(e, vars[i], emit_qualified(e, arg->type, true), emit_opnd(e, op, first_init + i).text,
                              NULL);
    }
    return vars;
}

static const char *loop_header(Emit *e, Op *op, const char *i) {
    Expr lo = emit_opnd(e, op, 0), hi = emit_opnd(e, op, 1), step = emit_opnd(e, op, 2);
    const Op *def = op_opnd(op, 2)->def;
    const char *limit = expr_in(e, hi, PREC_ADD);
    if (!def || def->code != OP_CONST)
        return arena_printf(e->arena, "for (int64_t %s = %s; %s > 0 ? %s < %s : %s > %s; %s += %s) {", i, lo.text,
                            expr_in(e, step, PREC_ADD), i, limit, i, limit, i, step.text);
    int64_t k = op_attr(def, A_VALUE)->c.i;
    const char *advance = k == 1    ? arena_printf(e->arena, "%s++", i)
                          : k == -1 ? arena_printf(e->arena, "%s--", i)
                          : k < 0   ? arena_printf(e->arena, "%s -= %s", i, expr_int(e, -k).text)
                                    : arena_printf(e->arena, "%s += %s", i, step.text);
    return arena_printf(e->arena, "for (int64_t %s = %s; %s %s %s; %s) {", i, lo.text, i, k > 0 ? "<" : ">", limit,
                        advance);
}

/* The iterations are counted, and the counter is not looked at. */
static const char *counted_header(Emit *e, Op *op, const char *i) {
    Var *left = lines_var(&e->lines, "left");
    const char *n = lines_ref(&e->lines, left), *lo = emit_opnd(e, op, 0).text, *hi = emit_opnd(e, op, 1).text;
    const char *step = emit_opnd(e, op, 2).text;
    emit_declare_into(e, left, "int64_t ", arena_printf(e->arena, "dsl_trips(%s, %s, %s)", lo, hi, step), NULL);
    return arena_printf(e->arena, "for (int64_t %s = %s; %s > 0; %s--, %s += %s) {", i, lo, n, n, i, step);
}

Var *emit_loop_var(Emit *e, const Value *iv, int depth) {
    static const char *const usual[] = {"i", "j", "k", "l"};
    Var *var = lines_var(&e->lines, NULL);
    emit_bind_var(e, iv, var);
    if (!var->hint) var->hint = usual[depth & 3];
    return var;
}

static Var *progress_begin(Emit *e, Op *op) {
    if (!op_flag(op, A_PROGRESS)) return NULL;
    Var *bar = lines_var(&e->lines, "bar");
    emit_declare_into(e, bar, "dsl_progress ", NULL, NULL);
    emit_line(e, "dsl_progress_begin(&%s, dsl_trips(%s, %s, %s));", lines_ref(&e->lines, bar), emit_opnd(e, op, 0).text,
              emit_opnd(e, op, 1).text, emit_opnd(e, op, 2).text);
    return bar;
}

/* One owner: then no turn moves the array elsewhere. */
static void make_unique(Emit *e, const Op *op, Var *const *vars) {
    for (int i = 0; i < op->nres; i++) {
        const Value *v = loop_first(op, i);
        const char *name = lines_ref(&e->lines, vars[i]);
        bool fresh = v->def && v->def->code == OP_EMPTY && value_single_use(v);
        if (!fresh) emit_line(e, "%s = dsl_unique(%s);", name, name);
    }
}

/* Turns in any order: what each hands on is the arrays that it had. */
static void emit_independent(Emit *e, Op *op) {
    const LoopPlan *p = plan_loop(e->plan, op);
    const Region *body = op->regs[0];
    make_unique(e, op, carried_vars(e, op, 3, body, 1));
    Var *bar = progress_begin(e, op);
    Threads t = threads_begin(e, op, p);
    threads_pragma(e, op, p, true, false);
    Var *iv = emit_loop_var(e, body->args[0], 0);
    emit_open_loop(e, iv, loop_header(e, op, lines_ref(&e->lines, iv)));
    threads_turn(e, &t);
    emit_region(e, body);
    if (bar) emit_line(e, "dsl_progress_step(&%s);", lines_ref(&e->lines, bar));
    threads_turn_done(e, &t);
    emit_close(e);
    threads_end(e, op, p, &t);
    if (bar) emit_line(e, "dsl_progress_end(&%s);", lines_ref(&e->lines, bar));
}

static void emit_in_order(Emit *e, Op *op) {
    const Region *body = op->regs[0];
    Var **vars = carried_vars(e, op, 3, body, 1);
    Var *bar = progress_begin(e, op);
    Var *iv = emit_loop_var(e, body->args[0], 0);
    const char *i = lines_ref(&e->lines, iv);
    int together = plan_turns_together(op);
    if (op_flag(op, A_FEW) || together > 1) emit_pragma(e, "#pragma GCC unroll %d", together);
    else if (op_flag(op, A_SIMD)) emit_pragma(e, "DSL_LANES");
    emit_open_loop(e, iv, plan_may_wrap(&e->ranges, e->session, op) ? counted_header(e, op, i) : loop_header(e, op, i));
    emit_branch(e, body, vars);
    if (bar) emit_line(e, "dsl_progress_step(&%s);", lines_ref(&e->lines, bar));
    emit_close(e);
    if (bar) emit_line(e, "dsl_progress_end(&%s);", lines_ref(&e->lines, bar));
}

void emit_for(Emit *e, Op *op) {
    const LoopPlan *p = plan_loop(e->plan, op);
    const char *alone = op_flag(op, A_INDEPENDENT) ? emit_alone_begin(e) : NULL;
    if (p && p->threads) emit_independent(e, op);
    else emit_in_order(e, op);
    if (alone) emit_line(e, "dsl_ranks_alone_end(%s);", alone);
}

void emit_while(Emit *e, Op *op) {
    const Region *cond = op->regs[0], *body = op->regs[1];
    Var **vars = carried_vars(e, op, 0, body, 0);
    for (int i = 0; i < op->nres; i++) emit_bind_var(e, cond->args[i], vars[i]);
    emit_open(e, "while (true) {");
    int open = e->lines.lines.len - 1;
    emit_region(e, cond);
    const Value *go_on = op_opnd(cond->last, 0);
    if (e->lines.lines.len == open + 1)
        e->lines.lines.data[open].text = arena_printf(e->arena, "while (%s) {", emit_value(e, go_on).text);
    else emit_line(e, "if (%s) break;", emit_negated(e, go_on).text);
    emit_branch(e, body, vars);
    emit_close(e);
}

/* up: the frames of the thread that spawns the strand, or NULL; guard: in a library, of the strands that run together,
 * which has these frames; else NULL */
static void emit_strand(Emit *e, const Region *r, Var *const *targets, const char *up, Guard *guard) {
    emit_open(e, "{");
    if (guard) guard_begin(e, guard), guard_try(e, guard);
    Var *own = up ? lines_var(&e->lines, "own") : NULL;
    if (up) {
        emit_declare_into(e, own, "const dsl_frame *const ", "dsl_frames", NULL);
        emit_line(e, "dsl_frames = %s;", up);
    }
    emit_branch(e, r, targets);
    if (up) emit_line(e, "dsl_frames = %s;", lines_ref(&e->lines, own));
    if (guard) guard_caught(e, guard), guard_finish(e, guard);
    emit_close(e);
}

/* The first region may run as a task of its own; the function that holds it runs within a team (module.c). */
void emit_spawn(Emit *e, Op *op) {
    Var **vars = result_vars(e, op);
    bool together = !plan_order_matters(op);
    const char *up = NULL;
    bool guarded = together && guard_wanted(e);
    Guard g = guarded ? guard_team(e) : (Guard){0}, *guard = guarded ? &g : NULL;
    if (together && !guarded) {
        Var *frames = lines_var(&e->lines, "up");
        emit_declare_into(e, frames, "const dsl_frame *const ", "dsl_frames", NULL);
        up = lines_ref(&e->lines, frames);
    }
    if (together) emit_pragma(e, "#pragma omp task default(shared)");
    emit_strand(e, op->regs[0], vars, up, guard);
    emit_strand(e, op->regs[1], vars + op->regs[0]->last->nopnds, NULL, guard);
    if (together) emit_line(e, "#pragma omp taskwait");
    if (guarded) guard_team_end(e, guard);
}

void emit_nothing(Emit *e, Op *op) { (void)e, (void)op; }

/* ---- calls and returns */

/* last: one argument more, or NULL */
static const char *call_text(Emit *e, const char *name, const Op *op, const char *last) {
    Text t;
    text_init(&t, e->arena);
    text_printf(&t, "%s(", name);
    for (int i = 0; i < op->nopnds; i++) text_printf(&t, "%s%s", i ? ", " : "", emit_opnd(e, op, i).text);
    if (last) text_printf(&t, "%s%s", op->nopnds ? ", " : "", last);
    text_printf(&t, ")");
    return text_str(&t);
}

static const char *how_called(Emit *e, const Func *callee) {
    return expr_str(e, called_words(e->session, callee->name));
}

/* For the trace of a failure; the result is the frame's name, or NULL. */
static const char *enter_frame(Emit *e, const Op *call, const Func *callee) {
    if (func_cannot_fail(callee) || func_is_light(&e->light, callee)) return NULL;
    Var *frame = lines_var(&e->lines, "frame");
    emit_declare_into(e, frame, "dsl_frame ", NULL, NULL);
    const char *name = lines_ref(&e->lines, frame), *how = how_called(e, callee);
    if (callee->recursive)
        emit_line(e, "dsl_enter_recursive(&%s, %s, %s, %s);", name, emit_site(e, call->span), how,
                  emit_site(e, callee->span));
    else emit_line(e, "dsl_enter(&%s, %s, %s);", name, emit_site(e, call->span), how);
    return name;
}

/* Behind a call of a light function */
static void emit_coming_back(Emit *e, const Op *call, const Func *callee) {
    const char *site = emit_site(e, call->span), *how = how_called(e, callee);
    if (e->room) emit_line(e, "if (dsl_comes_back(%s, %s)) %s", site, how, emit_early_return(e, e->func));
    else emit_line(e, "dsl_came_back(%s, %s);", site, how);
}

void emit_call(Emit *e, Op *op) {
    const Func *f = module_find(e->func->module, op_sym(op, A_FUNC));
    bool light = func_is_light(&e->light, f);
    const char *frame = enter_frame(e, op, f), *callee = emit_func_name(e, f->name);
    const char *room = !light ? NULL
                       : e->room ? arena_printf(e->arena, "%s - 1", lines_ref(&e->lines, e->room))
                                 : "dsl_room()";
    const char *call = call_text(e, callee, op, room), *alone = arena_printf(e->arena, "%s;", call);
    if (op->nres == 0) emit_line(e, "%s", alone);
    if (op->nres == 1)
        emit_declare(e, &op->res[0], emit_qualified(e, op->res[0].type, type_is_tensor(op->res[0].type)), call, alone);
    if (op->nres > 1) {
        Var *all = lines_var(&e->lines, intern_printf(e->session, "%s_", callee));
        emit_declare_into(e, all, arena_printf(e->arena, "const struct %s_results ", callee), call, alone);
        for (int i = 0; i < op->nres; i++)
            emit_declare(e, &op->res[i], emit_qualified(e, op->res[i].type, false),
                         arena_printf(e->arena, "%s.r%d", lines_ref(&e->lines, all), i), NULL);
    }
    if (frame) emit_line(e, "dsl_leave(&%s);", frame);
    if (light) emit_coming_back(e, op, f);
}

/* The terminator of a function's body */
void emit_return(Emit *e, Op *op) {
    if (op->nopnds == 1) emit_line(e, "return %s;", emit_opnd(e, op, 0).text);
    if (op->nopnds < 2) return;
    const char *list = call_text(e, "", op, NULL);
    list = arena_strndup(e->arena, list + 1, strlen(list) - 2);
    emit_line(e, "return (struct %s_results){%s};", emit_func_name(e, e->func->name), list);
}
