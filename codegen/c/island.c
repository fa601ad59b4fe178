/* Islands: memory, parallel loops, loads and stores.
 *
 * An island is a block that gives each operand a restrict pointer; what it updates is made unique before.
 * The outermost parallel loop gets threads when it is worth it and its iterations may run in any order;
 * sums of floats by `atomic` would depend on the order, so such a loop runs in order, and then the sum
 * needs no atomic.  Innermost parallel loops over straight code are vectorised. */
#include "codegen/c/private.h"

#include <math.h>
#include <string.h>

enum { STACK_BYTES = 32768, SMALL_FRAME = 1024, MAX_UNROLL = 8, VECTOR = 4 };

/* ---- binding tensors */

/* More than can be: the program ends before it has such an array, but the C compiler would not take its type. */
static bool is_absurd(const Type *t) {
    int64_t n, bytes = dtype_info(t->dtype)->bytes;
    for (int i = 1; i < t->rank; i++)
        if (size_is_const(t->dims[i], &n) && __builtin_mul_overflow(bytes, n, &bytes)) return true;
    return false;
}

/* "double (*restrict u)[m]": all axes but the first are part of the pointer's type. */
static const char *pointer_decl(Emit *e, const Type *t, const char *qualifier, const char *ref) {
    if (t->rank < 2) return arena_printf(e->arena, "%s%s *restrict %s", qualifier, c_elem(t->dtype), ref);
    Text text;
    bool absurd = is_absurd(t);
    text_init(&text, e->arena);
    text_printf(&text, "%s%s (*restrict %s)", qualifier, c_elem(t->dtype), ref);
    for (int i = 1; i < t->rank; i++) text_printf(&text, "[%s]", absurd ? "1" : expr_size(e, t->dims[i]).text);
    return text_str(&text);
}

static Var *new_buffer(Emit *e, const Value *buf, const char *otherwise) {
    Var *var = lines_var(&e->lines, NULL);
    emit_bind_var(e, buf, var);
    if (!var->hint) var->hint = otherwise;
    return var;
}

static const char *tensor_hint(Emit *e, const Value *v) {
    const char *hint = name_clean(e->session, v->name);
    return hint ? hint : "tmp";
}

static void bind_buffer(Emit *e, const Value *buf, const Value *tensor, bool writable) {
    Var *var = new_buffer(e, buf, tensor_hint(e, tensor));
    const char *decl = pointer_decl(e, buf->type, writable ? "" : "const ", lines_ref(&e->lines, var));
    const char *text = arena_printf(e->arena, "%s = %s->data;", decl, emit_value(e, tensor).text);
    lines_add(&e->lines, LINE_DECL, var, text);
}

/* Fresh memory that only this island has seen */
static bool is_fresh(const Value *v, const Op *island) {
    return v->def && v->def->code == OP_EMPTY && v->def->parent == island->parent && value_single_use(v);
}

/* The tensor operand, made the only owner of its memory, in the result's variable */
static void make_unique(Emit *e, Op *op, int operand, int result) {
    Value *x = op_opnd(op, operand), *r = &op->res[result];
    const Value *shared = plan_of(e, op)->shares[result];
    const char *text = arena_printf(e->arena, "dsl_unique(%s)", emit_value(e, x).text);
    if (!shared) {
        emit_declare(e, r, "dsl_array *", text, arena_printf(e->arena, "%s;", text));
        return;
    }
    Var *var = e->values[shared->id].var;
    emit_bind_var(e, r, var);
    if (!is_fresh(x, op)) emit_line(e, "%s = %s;", lines_ref(&e->lines, var), text);
}

void emit_island(Emit *e, Op *op) {
    const Attr *modes = op_attr(op, A_MODES);
    const Region *body = op->regs[0];
    for (int i = 0, r = 0; i < op->nopnds; i++)
        if (modes->ints[i]) make_unique(e, op, i, r++);
    emit_open(e, "{");
    for (int i = 0, r = 0; i < op->nopnds; i++) {
        bool writable = modes->ints[i] != 0;
        bind_buffer(e, body->args[i], writable ? &op->res[r] : op_opnd(op, i), writable);
        r += writable;
    }
    emit_region(e, body);
    emit_close(e);
}

/* ---- memory inside */

static bool constant_bytes(const Type *t, int64_t *bytes) {
    int64_t n, total = dtype_info(t->dtype)->bytes;
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &n) || n < 0 || (n && total > STACK_BYTES / n)) return false;
        total *= n;
    }
    *bytes = total;
    return total > 0;
}

/* Recursive functions have many frames. */
static bool on_stack(const Emit *e, const Op *alloc) {
    int64_t bytes;
    return constant_bytes(alloc->res[0].type, &bytes) && (!e->func->recursive || bytes <= SMALL_FRAME);
}

static void alloc_on_stack(Emit *e, const Value *buf, Var *var) {
    const Type *t = buf->type;
    Text text;
    text_init(&text, e->arena);
    text_printf(&text, "_Alignas(64) %s %s", c_elem(t->dtype), lines_ref(&e->lines, var));
    for (int i = 0; i < t->rank; i++) text_printf(&text, "[%s]", expr_size(e, t->dims[i]).text);
    if (!t->rank) text_printf(&text, "[1]");
    text_printf(&text, "%s;", t->space == SPACE_PRIVATE ? " = {0}" : "");
    lines_add(&e->lines, LINE_DECL, var, text_str(&text));
}

static void alloc_scratch(Emit *e, const Op *op, Var *var) {
    const Type *t = op->res[0].type;
    const char *decl = pointer_decl(e, t, "", lines_ref(&e->lines, var));
    lines_add(&e->lines, LINE_DECL, var,
              arena_printf(e->arena, "%s = dsl_scratch(%s, %s, %d, %s, %s);", decl, emit_site(e, op->span), c_dtype(t->dtype), t->rank,
                           emit_dims(e, t), t->space == SPACE_PRIVATE ? "true" : "false"));
}

void emit_alloc(Emit *e, Op *op) {
    Var *var = new_buffer(e, &op->res[0], "tmp");
    const char *name = op_sym(op, A_NAME);
    if (name && !op->res[0].name) var->hint = name_clean(e->session, name);
    if (on_stack(e, op)) alloc_on_stack(e, &op->res[0], var);
    else alloc_scratch(e, op, var);
}

void emit_free_scratch(Emit *e, const Region *r) {
    for (const Op *op = r->last; op; op = op->prev)
        if (op->code == OP_ALLOC && !plan_of(e, op)->dead && !on_stack(e, op))
            emit_line(e, "dsl_scratch_free(%s);", emit_value(e, &op->res[0]).text);
}

/* buffer and indices are the operands from `first` on */
static Expr element(Emit *e, const Op *op, int first) {
    const Value *buf = op_opnd(op, first);
    return expr_index(e, buf->type, emit_value(e, buf).text, op->nopnds - first - 1, op->opnds + first + 1);
}

static bool is_half(DType t) { return t == DT_F16 || t == DT_BF16; }

Expr emit_load(Emit *e, const Op *op) {
    const Type *t = op_opnd(op, 0)->type;
    emit_check_index(e, op, t, 1);
    Expr x = element(e, op, 0);
    return is_half(t->dtype) ? expr_printf(e, PREC_POSTFIX, "dsl_%s_to_f32(%s)", dtype_info(t->dtype)->name, x.text) : x;
}

/* A statement that begins with the element it changes.  Memory of the island's own that nobody reads goes,
 * and its stores with it. */
static void emit_update(Emit *e, const Value *buf, const char *text) {
    if (buf->def) emit_assign(e, e->values[buf->id].var, text);
    else emit_line(e, "%s", text);
}

void emit_store(Emit *e, Op *op) {
    const Value *buf = op_opnd(op, 1);
    DType t = buf->type->dtype;
    emit_check_index(e, op, buf->type, 2);
    const char *target = element(e, op, 1).text, *text;
    Expr v = emit_opnd(e, op, 0);
    if (is_half(t)) text = arena_printf(e->arena, "%s = dsl_f32_to_%s(%s);", target, dtype_info(t)->name, v.text);
    else if (v.op && !strcmp(v.left, target)) text = arena_printf(e->arena, "%s %c= %s;", target, v.op, v.right);
    else text = arena_printf(e->arena, "%s = %s;", target, v.text);
    emit_update(e, buf, text);
}

void emit_prefetch(Emit *e, Op *op) { emit_line(e, "__builtin_prefetch(&%s);", element(e, op, 0).text); }

/* In order: plain updates. */
static const char *atomic_in_order(Emit *e, DType t, const char *target, const char *kind, Expr v) {
    const char *name = dtype_info(t)->name, *sign = plan_update_sign(kind);
    bool sets = !strcmp(kind, "set");
    if (sets && is_half(t)) return arena_printf(e->arena, "%s = dsl_f32_to_%s(%s);", target, name, v.text);
    if (sets) return arena_printf(e->arena, "%s = %s;", target, v.text);
    if (is_half(t)) {
        const char *old = arena_printf(e->arena, "dsl_%s_to_f32(%s)", name, target);
        const char *sum = sign ? expr_binary(e, sign, expr_atom(old), v).text
                               : arena_printf(e->arena, "dsl_%s_f32(%s, %s)", kind, old, v.text);
        return arena_printf(e->arena, "%s = dsl_f32_to_%s(%s);", target, name, sum);
    }
    if (sign) return arena_printf(e->arena, "%s %s= %s;", target, sign, v.text);
    return arena_printf(e->arena, "%s = dsl_%s_%s(%s, %s);", target, kind, name, target, v.text);
}

/* Does each thread have a copy of buf, which the loop over threads brings together? */
static bool has_copy(const Emit *e, const Value *buf) { return e->threads_loop && plan_reduction_of(e->threads_loop, buf); }

/* A constant, or known before the loop */
static bool is_fixed(const Op *loop, const Value *v) {
    return (v->def && v->def->code == OP_CONST) || !region_encloses(loop->regs[0], value_region(v));
}

/* All threads update elements of the array to the same value: who comes second changes nothing. */
static bool is_same_for_all(const Emit *e, const Op *op) {
    const Op *loop = e->threads_loop;
    for (const Use *u = op_opnd(op, 1)->uses; loop && u; u = u->next) {
        if (u->user->code != OP_ATOMIC || !op_inside(u->user, loop)) continue;
        if (op_sym(u->user, A_KIND) != op_sym(op, A_KIND) || op_opnd(u->user, 0) != op_opnd(op, 0)) return false;
    }
    return loop && is_fixed(loop, op_opnd(op, 0));
}

/* What the element was, and then the update, which may depend on it */
static void emit_old(Emit *e, Op *op, const char *text) {
    emit_declare(e, &op->res[0], emit_qualified(e, op->res[0].type, false), text, NULL);
}

static void emit_atomic_alone(Emit *e, Op *op, const char *kind, const char *target, Expr v) {
    DType t = op_opnd(op, 1)->type->dtype;
    if (op->nres) emit_old(e, op, is_half(t) ? arena_printf(e->arena, "dsl_%s_to_f32(%s)", dtype_info(t)->name, target) : target);
    emit_update(e, op_opnd(op, 1), atomic_in_order(e, t, target, kind, v));
}

/* Updates that have an operator in C's atomics and nobody asks what was there before */
static bool is_plain_atomic(const Op *op, const char *kind, DType t) { return !op->nres && plan_update_sign(kind) && t != DT_BOOL; }

void emit_atomic(Emit *e, Op *op) {
    const Type *t = op_opnd(op, 1)->type;
    const char *kind = op_sym(op, A_KIND), *name = dtype_info(t->dtype)->name;
    emit_check_index(e, op, t, 2);
    const char *target = element(e, op, 1).text;
    Expr v = emit_opnd(e, op, 0);
    bool in_order = is_half(t->dtype) || (dtype_is_float(t->dtype) && plan_update_sign(kind)), extreme = !strcmp(kind, "min") || !strcmp(kind, "max");
    if (!e->in_threads || in_order || has_copy(e, op_opnd(op, 1))) {
        emit_atomic_alone(e, op, kind, target, v);
    } else if (is_plain_atomic(op, kind, t->dtype)) {
        emit_pragma(e, "#pragma omp atomic");
        emit_line(e, "%s %s= %s;", target, plan_update_sign(kind), v.text);
    } else if (op->nres || !extreme) {
        const char *call = arena_printf(e->arena, "dsl_fetch_%s_%s(&%s, %s)", kind, name, target, v.text);
        if (op->nres) emit_declare(e, &op->res[0], emit_qualified(e, op->res[0].type, false), call, arena_printf(e->arena, "%s;", call));
        else emit_line(e, "%s;", call);
    } else {
        const char *same = is_same_for_all(e, op) ? "_same" : "";
        emit_line(e, "dsl_atomic_%s%s_%s(&%s, %s);", kind, same, name, target, v.text);
    }
}

/* ---- parallel loops */

static bool const_extent(const Value *v, int64_t *n) {
    if (!v->def || v->def->code != OP_CONST) return false;
    *n = op_attr(v->def, A_VALUE)->c.i;
    return true;
}

/* A power of ten, or two or five times one */
static int64_t round_number(double x) {
    double p = pow(10, floor(log10(x)));
    return (int64_t)(x < 2 * p ? p : x < 5 * p ? 2 * p : 5 * p);
}

typedef struct { double constant; const char *text; int factors; } Work;

/* What is known of an extent that has no value here: min(x, 4096) & -8 is at most 4096. */
static double guess(const Value *extent) {
    const double unknown = 16;
    const Op *def = extent->def;
    int64_t n;
    if (const_extent(extent, &n)) return (double)n;
    if (def && def->code == OP_AND) return guess(op_opnd(def, 0));
    if (def && def->code == OP_MIN)
        for (int i = 0; i < 2; i++)
            if (const_extent(op_opnd(def, i), &n)) return (double)n;
    return unknown;
}

static void work_times(Emit *e, Work *w, const Op *at, const Value *extent, double step) {
    bool here = extent->id < e->nvalues && value_dominates(extent, at) && (e->values[extent->id].var || e->values[extent->id].expr.text);
    int64_t n;
    if (here && !const_extent(extent, &n)) {
        const char *factor = expr_in(e, emit_value(e, extent), PREC_UNARY);
        w->text = w->text ? arena_printf(e->arena, "%s * %s", w->text, factor) : factor;
        w->factors++;
        w->constant /= step;
    } else w->constant *= fmax(1, guess(extent) / step);
}

static double step_of(const Op *loop) {
    int64_t step;
    return const_extent(op_opnd(loop, 2), &step) && step > 1 ? (double)step : 1;
}

/* What an iteration costs, compared with the heaviest nest in it: what stands beside that nest grows as it does. */
static double whole_of_nest(const Op *op) {
    double nest = 1;
    const Op *inner = op, *next;
    while ((next = plan_heaviest_loop(inner->regs[inner->nregs - 1]))) nest *= plan_trip_count(inner = next);
    return fmax(1, (1 + plan_cost(op->regs[0])) / (nest * (1 + plan_cost(inner->regs[inner->nregs - 1]))));
}

/* What the loop costs: a constant times the product of the extents of it and of the heaviest nest inside. */
static Work work_of(Emit *e, const Op *op) {
    Work w = {whole_of_nest(op), NULL, 0};
    for (int i = 0; i < op->nopnds; i++) work_times(e, &w, op, op_opnd(op, i), 1);
    const Op *inner = op, *next;
    while ((next = plan_heaviest_loop(inner->regs[inner->nregs - 1]))) {
        inner = next;
        if (inner->code == OP_WHILE) w.constant *= 16;
        for (int i = 0; inner->code == OP_PARALLEL && i < inner->nopnds; i++) work_times(e, &w, op, op_opnd(inner, i), 1);
        if (inner->code == OP_FOR) work_times(e, &w, op, op_opnd(inner, 1), step_of(inner));
    }
    w.constant *= 1 + plan_cost(inner->regs[inner->nregs - 1]);
    if (inner->code == OP_PARALLEL && plan_is_simple(inner->regs[0]) && !plan_order_matters(inner)) w.constant /= VECTOR;
    return w;
}

typedef struct {
    bool threads, simd;
    int64_t unroll;         /* 0: no */
    const char *schedule;
    int collapse;           /* how many of the loops share the threads */
    const char *condition;  /* " if (parallel: n > 1000)" or "" */
    const char *copies;     /* " reduction(+: h[0:16])" or "" */
} ParallelPlan;

static double thread_cost(const Emit *e) { return (double)e->opts->thread_cost; }

static const char *worth_it(Emit *e, const Work *w) {
    double least = thread_cost(e) / w->constant;
    if (least < 2 || !w->text) return "";
    const char *exact = w->factors > 2 ? "(double)" : "";
    return arena_printf(e->arena, " if (parallel: %s%s > %lld)", exact, w->text, (long long)round_number(least));
}

/* Loops that are real: an extent of 1 is no loop. */
static int real_loops(const Op *op) {
    int n = 0;
    int64_t k;
    for (int i = 0; i < op->nopnds; i++) n += !(const_extent(op_opnd(op, i), &k) && k == 1);
    return n;
}

/* Small buffers of the island that the loop only updates by atomics: a copy for each thread */
static const char *thread_copies(Emit *e, const Op *op) {
    const char *all = "";
    for (int i = 0; i < op->parent->nargs; i++) {
        const Value *buf = op->parent->args[i];
        const char *how = plan_reduction_of(op, buf), *whole = "";
        for (int k = 0; how && k < buf->type->rank; k++) whole = arena_printf(e->arena, "%s[0:%s]", whole, expr_size(e, buf->type->dims[k]).text);
        if (how) all = arena_printf(e->arena, "%s reduction(%s: %s%s)", all, how, emit_value(e, buf).text, whole);
    }
    return all;
}

static void find_while(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_WHILE; }

/* Iterations that are handed out together: as many as are worth it */
static const char *by_the_handful(Emit *e, const Op *op) {
    const double worth = 50000;
    int handful = 64;
    while (handful > 1 && handful * plan_cost(op->regs[0]) > worth) handful /= 2;
    return handful == 1 ? "dynamic" : arena_printf(e->arena, "dynamic, %d", handful);
}

/* Work that ends when it likes is handed out as threads get done; single such iterations, not blocks, by the handful. */
static const char *schedule_of(Emit *e, const Op *op) {
    bool inside = false, direct = false;
    for (Op *o = op->regs[0]->first; o; o = o->next) {
        bool *found = o->code == OP_FOR || o->code == OP_PARALLEL ? &inside : &direct;
        if (o->code == OP_WHILE) direct = true;
        for (int i = 0; i < o->nregs; i++) region_walk(o->regs[i], find_while, found);
    }
    const char *kind = op_sym(op, A_KIND);
    bool block = kind && !strcmp(kind, "block");
    return inside || (direct && block) ? "dynamic" : direct ? by_the_handful(e, op) : e->opts->schedule;
}

static bool depends_on(const Value *v, const Value *iv) {
    if (v == iv) return true;
    if (!v->def || !region_encloses(iv->region, v->def->parent)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (depends_on(op_opnd(v->def, i), iv)) return true;
    return false;
}

/* Neighbouring iterations of the innermost loop read in different rows. */
static bool reads_apart(const Op *loop) {
    const Value *iv = loop->regs[0]->args[loop->nopnds - 1];
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        for (int i = 1; o->code == OP_LOAD && i < o->nopnds - 1; i++)
            if (depends_on(op_opnd(o, i), iv)) return true;
    return false;
}

/* A few iterations that read in different rows are better written out than put together to a vector. */
static int64_t unrolled(const Op *loop) {
    int64_t n;
    return const_extent(op_opnd(loop, loop->nopnds - 1), &n) && n <= MAX_UNROLL && reads_apart(loop) ? n : 0;
}

static ParallelPlan plan_parallel(Emit *e, const Op *op) {
    ParallelPlan p = {.condition = "", .collapse = 1, .copies = ""};
    int loops = real_loops(op);
    bool ordered = plan_order_matters(op), simple = plan_is_simple(op->regs[0]);
    const char *kind = op_sym(op, A_KIND);
    p.simd = simple && !ordered;
    p.unroll = p.simd ? unrolled(op) : 0;
    if (e->in_threads || ordered || op_flag(op, A_SERIAL) || !loops) return p;
    if (op_flag(op, A_TILES)) {
        p.threads = true, p.schedule = schedule_of(e, op);
        p.condition = arena_printf(e->arena, " if (parallel: %s > 1)", expr_in(e, emit_opnd(e, op, 0), PREC_ADD));
        return p;
    }
    Work w = work_of(e, op);
    p.threads = w.text || w.constant >= thread_cost(e);
    p.condition = worth_it(e, &w);
    if (p.threads) p.copies = thread_copies(e, op);
    p.schedule = schedule_of(e, op);
    bool blocks = kind && !strcmp(kind, "block") && !simple;
    p.collapse = blocks ? loops : loops > 2 ? loops - 1 : 1;
    return p;
}

/* What follows "#pragma omp parallel for" */
static const char *sharing(Emit *e, const ParallelPlan *p, bool only) {
    const char *collapse = p->collapse > 1 ? arena_printf(e->arena, " collapse(%d)", p->collapse) : "";
    return arena_printf(e->arena, "%s%s schedule(%s)%s", p->simd && only ? " simd" : "", collapse, p->schedule, p->copies);
}

static const char *whole_pragma(Emit *e, const ParallelPlan *p, bool only) {
    return arena_printf(e->arena, "#pragma omp parallel for%s%s%s", sharing(e, p, only), guard_threads(e), p->condition);
}

/* In a library a failure ends all turns of its thread; or that turn, where leaving the loop early would upset how turns are
 * handed out, or copies brought together. */
static bool leaves_loop(const ParallelPlan *p) { return !strncmp(p->schedule, "static", 6) && !*p->copies; }

static Guard open_threads(Emit *e, const ParallelPlan *p) {
    Guard g = guard_team(e);
    guard_open_region(e, &g, arena_printf(e->arena, "#pragma omp parallel%s%s", guard_threads(e), p->condition));
    if (leaves_loop(p)) guard_try(e, &g);
    return g;
}

static void close_threads(Emit *e, const ParallelPlan *p, Guard *g, bool only) {
    int pragma = g->at[0];
    if (leaves_loop(p)) guard_caught(e, g);
    guard_close_region(e, g);
    if (!guard_team_end(e, g)) e->lines.lines.data[pragma].text = whole_pragma(e, p, only);
}

static void loop_pragma(Emit *e, const ParallelPlan *p, bool first, bool last) {
    const char *simd = p->simd && last ? " simd" : "";
    if (p->threads && first && guard_wanted(e)) emit_pragma(e, "#pragma omp for%s nowait", sharing(e, p, last));
    else if (p->threads && first) emit_pragma(e, "%s", whole_pragma(e, p, last));
    else if (*simd && p->unroll) emit_pragma(e, "#pragma GCC unroll %lld", (long long)p->unroll);
    else if (*simd) emit_pragma(e, "#pragma omp simd");
}

void emit_parallel(Emit *e, Op *op) {
    ParallelPlan p = plan_parallel(e, op);
    const Region *body = op->regs[0];
    bool outer = e->in_threads;
    int opened = 0, loops = real_loops(op);
    bool guarded = p.threads && guard_wanted(e), each_turn = guarded && !leaves_loop(&p);
    Guard g = guarded ? open_threads(e, &p) : (Guard){0};
    e->in_threads |= p.threads;
    bool trace = p.threads && !guarded && e->func->kind == FUNC_FN && (op_may_trap(op) || op_has_effect(op));
    if (trace) emit_line(e, "dsl_launched = dsl_frames;");
    if (p.threads) e->threads_loop = op;
    for (int i = 0; i < op->nopnds; i++) {
        int64_t k;
        if (const_extent(op_opnd(op, i), &k) && k == 1) {
            emit_bind_expr(e, body->args[i], expr_int(e, 0));
            continue;
        }
        loop_pragma(e, &p, opened == 0, opened == loops - 1);
        const char *extent = expr_in(e, emit_opnd(e, op, i), PREC_ADD);
        Var *iv = emit_loop_var(e, body->args[i], e->loop_depth + opened);
        const char *name = lines_ref(&e->lines, iv);
        emit_open_loop(e, iv, arena_printf(e->arena, "for (int64_t %s = 0; %s < %s; %s++) {", name, name, extent, name));
        opened++;
    }
    e->loop_depth += opened;
    if (each_turn) guard_try(e, &g);
    emit_region(e, body);
    if (each_turn) guard_caught(e, &g);
    e->loop_depth -= opened;
    while (opened--) emit_close(e);
    if (trace) emit_line(e, "dsl_launched = NULL;");
    e->in_threads = outer;
    if (p.threads) e->threads_loop = NULL;
    if (guarded) close_threads(e, &p, &g, loops == 1);
}
