/* Parallel loops: which get threads and from which size on, how their iterations are handed out, which become vectors.
 *
 * The outermost parallel loop gets threads when it is worth it and its iterations may run in any order; sums of floats
 * by `atomic` would depend on the order, so such a loop runs in order, and then the sum needs no atomic.  Innermost
 * parallel loops over straight code are vectorised. */
#include "codegen/plan.h"
#include "ir/index.h"

#include <math.h>
#include <string.h>

enum { MAX_UNROLL = 8, VECTOR = 4, MAX_FACTORS = 64, FEW_TURNS = 100 };

bool plan_is_unit(const Value *extent) {
    int64_t k;
    return int_constant(extent, &k) && k == 1;
}

/* A power of ten, or two or five times one */
static int64_t round_number(double x) {
    double p = pow(10, floor(log10(x)));
    return (int64_t)(x < 2 * p ? p : x < 5 * p ? 2 * p : 5 * p);
}

/* ---- how much work a loop is: a constant times the product of values that are known before it */

typedef struct { double constant; int n; const Value *factors[MAX_FACTORS]; } Work;

/* What is known of an extent that has no value here: min(x, 4096) & -8 is at most 4096. */
static double guess(const Value *extent) {
    const double unknown = 16;
    const Op *def = extent->def;
    int64_t n;
    if (int_constant(extent, &n)) return (double)n;
    if (def && def->code == OP_AND) return guess(op_opnd(def, 0));
    if (def && def->code == OP_MIN)
        for (int i = 0; i < 2; i++)
            if (int_constant(op_opnd(def, i), &n)) return (double)n;
    return unknown;
}

static bool is_here(const Plan *p, const Op *at, const Value *v) {
    return value_dominates(v, at) && !(v->def && plan_is_dead(p, v->def));
}

typedef struct { const Region *r; const Value *found; } Bound;

static void find_bound(void *ctx, const char *sym) {
    Bound *b = ctx;
    for (const Region *r = b->r; r; r = r->owner ? r->owner->parent : NULL)
        for (const Op *op = r->first; op; op = op->next)
            if (op->code == OP_BIND && op_sym(op, A_SYM) == sym) b->found = op_opnd(op, 0);
}

/* Of what is found in a turn of a loop at function level, which makes its arrays: what it grows with, known before the
 * loop, or itself */
static const Value *before_turn(const Plan *p, const Op *at, const Value *v) {
    const Op *op = v->def;
    if (at->code != OP_FOR || !op || is_here(p, at, v)) return v;
    if (op->code == OP_SIZE) {
        Bound b = {op->parent, v};
        size_each_sym(op_attr(op, A_SIZE)->sizes[0], find_bound, &b);
        return b.found;
    }
    if (op->code != OP_ADD && op->code != OP_SUB && op->code != OP_MAX && op->code != OP_AND) return v;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *x = before_turn(p, at, op_opnd(op, i));
        if (is_here(p, at, x) && !int_constant(x, NULL)) return x;
    }
    return v;
}

static void work_times(const Plan *p, Work *w, const Op *at, const Value *extent, double step) {
    extent = before_turn(p, at, extent);
    bool here = is_here(p, at, extent);
    if (here && !int_constant(extent, NULL) && w->n < MAX_FACTORS) {
        w->factors[w->n++] = extent;
        w->constant /= step;
    } else w->constant *= fmax(1, guess(extent) / step);
}

static double step_of(const Op *loop) {
    int64_t step;
    return int_constant(op_opnd(loop, 2), &step) && step > 1 ? (double)step : 1;
}

/* hi - lo, as far as it is a value, or is at most one */
static const Value *distance(const Value *lo, const Value *hi) {
    const Op *op = hi->def;
    if (!op || (op->code != OP_ADD && op->code != OP_MIN)) return NULL;
    for (int i = 0; i < 2; i++) {
        if (op->code == OP_ADD && op_opnd(op, i) == lo) return op_opnd(op, 1 - i);
        const Value *d = op->code == OP_MIN ? distance(lo, op_opnd(op, i)) : NULL;
        if (d) return d;
    }
    return NULL;
}

/* How many turns a for of step 1 takes, or a value that grows as they do */
static const Value *turns_of(const Op *loop) {
    const Value *d = distance(op_opnd(loop, 0), op_opnd(loop, 1));
    return d ? d : op_opnd(loop, 1);
}

/* What an iteration costs, compared with the heaviest nest in it: what stands beside that nest grows as it does. */
static double whole_of_nest(const Op *op) {
    double nest = 1;
    const Op *inner = op, *next;
    while ((next = plan_heaviest_loop(inner->regs[inner->nregs - 1]))) nest *= plan_trip_count(inner = next);
    return fmax(1, (1 + plan_cost(op->regs[0])) / (nest * (1 + plan_cost(inner->regs[inner->nregs - 1]))));
}

/* How many turns a loop whose work is asked for takes */
static void times_turns(const Plan *p, Work *w, const Op *op) {
    int64_t turns, step;
    if (op->code == OP_PARALLEL)
        for (int i = 0; i < op->nopnds; i++) work_times(p, w, op, op_opnd(op, i), 1);
    else if (loop_turns(op, &turns)) w->constant *= fmax(1, (double)turns);
    else if (int_constant(op_opnd(op, 2), &step) && step < 0) work_times(p, w, op, op_opnd(op, 0), (double)-step);
    else work_times(p, w, op, turns_of(op), step_of(op));
}

/* What the loop costs: a constant times the product of the extents of it and of the heaviest nest inside. */
static Work work_of(const Plan *p, const Op *op) {
    Work w = {.constant = whole_of_nest(op)};
    times_turns(p, &w, op);
    const Op *inner = op, *next;
    while ((next = plan_heaviest_loop(inner->regs[inner->nregs - 1]))) {
        inner = next;
        if (inner->code == OP_WHILE) w.constant *= 16;
        for (int i = 0; inner->code == OP_PARALLEL && i < inner->nopnds; i++)
            work_times(p, &w, op, op_opnd(inner, i), 1);
        if (inner->code == OP_FOR) work_times(p, &w, op, turns_of(inner), step_of(inner));
    }
    w.constant *= 1 + plan_cost(inner->regs[inner->nregs - 1]);
    if (inner->code == OP_PARALLEL && plan_is_simple(inner->regs[0]) && !plan_order_matters(inner))
        w.constant /= VECTOR;
    return w;
}

static void set_condition(const Plan *p, LoopPlan *l, int n, const Value *const *factors, int64_t least) {
    l->least = least;
    l->nfactors = n;
    l->factors = NEWN(p->arena, const Value *, n);
    memcpy(l->factors, factors, (size_t)n * sizeof *factors);
}

/* How many turns the loop has that threads share; NULL: it is known */
static const Value *several_turns(const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (!plan_is_unit(op_opnd(op, i))) return int_constant(op_opnd(op, i), NULL) ? NULL : op_opnd(op, i);
    return NULL;
}

static void give_threads_if_worth_it(const Plan *p, LoopPlan *l, const Op *op) {
    Work w = work_of(p, op);
    double cost = (double)p->opts->thread_cost, least = cost / w.constant;
    l->threads = w.n || w.constant >= cost;
    if (w.n && least >= 2) set_condition(p, l, w.n, w.factors, round_number(least));
    if (op->code == OP_PARALLEL && w.n && least < FEW_TURNS && l->collapse == 1) l->turns = several_turns(op);
}

/* The counter of a for may wrap: its turns must be counted. */
static bool may_wrap(const Plan *p, const Op *loop) {
    Ranges *r = NULL;
    bool wraps = plan_may_wrap(&r, p->func->module->session, loop);
    if (r) ranges_free(r);
    return wraps;
}

/* Turns may take as long as they like, and are handed out as threads get done. */
LoopPlan *plan_turns(const Plan *p, const Op *op, Around around) {
    const double worth = 10000;
    LoopPlan *l = NEW(p->arena, LoopPlan);
    l->loops = l->collapse = 1;
    if (around.threads || around.taken || may_wrap(p, op)) return l;
    l->dynamic = true;
    l->handful = 1;
    for (double cost = plan_cost(op->regs[0]); l->handful < 64 && 2 * l->handful * cost <= worth;) l->handful *= 2;
    give_threads_if_worth_it(p, l, op);
    return l;
}

/* ---- handing out */

static bool ends_when_it_likes(const Op *op) { return op->code == OP_WHILE || plan_calls_itself(op); }
static void find_while(void *ctx, Op *op) { *(bool *)ctx |= ends_when_it_likes(op); }

/* How many loops of the nest share the threads; all where each iteration is worth handing out, as calls of functions
 * that call themselves are, which end when they like */
static int shared_loops(const LoopPlan *l, const Op *op, bool as_it_likes) {
    const double much = 5000;
    if (op_flag(op, A_TILES)) return 1;
    if (plan_is_block(op) && !plan_is_simple(op->regs[0])) return l->loops;
    if (as_it_likes && !l->simd && plan_cost(op->regs[0]) >= much) return l->loops;
    return l->loops > 2 ? l->loops - 1 : 1;
}

/* Iterations that are handed out together: as many as are worth it */
static int handful(const LoopPlan *l, const Op *op) {
    const double worth = 50000;
    double cost = plan_cost(op->regs[0]);
    int n = 64, loops = 0;
    for (int i = 0; i < op->nopnds; i++) {
        loops += !plan_is_unit(op_opnd(op, i));
        if (loops > l->collapse) cost *= fmax(1, guess(op_opnd(op, i)));
    }
    while (n > 1 && n * cost > worth) n /= 2;
    return n;
}

/* Work that ends when it likes is handed out as threads get done; single such iterations, not blocks, by the handful.
 */
static void set_schedule(LoopPlan *l, const Op *op) {
    bool inside = false, direct = false;
    for (Op *o = op->regs[0]->first; o; o = o->next) {
        bool *found = o->code == OP_FOR || o->code == OP_PARALLEL ? &inside : &direct;
        if (ends_when_it_likes(o)) direct = true;
        for (int i = 0; i < o->nregs; i++) region_walk(o->regs[i], find_while, found);
    }
    l->dynamic = inside || direct;
    l->collapse = shared_loops(l, op, direct);
    l->handful = inside || !direct || plan_is_block(op) ? 1 : handful(l, op);
}

/* ---- vectors */

/* Rows after the index lie in one line, or in the next. */
static bool is_near(const Op *load, int index) {
    enum { LINE = 64 };
    const Type *t = op_opnd(load, 0)->type;
    int64_t n, bytes = dtype_info(t->dtype)->bytes;
    for (int i = index; i < t->rank; i++)
        bytes = size_is_const(t->dims[i], &n) && n <= LINE ? bytes * n : LINE + 1;
    return bytes <= LINE;
}

/* What is read by neighbouring iterations in different rows: cycles of arithmetic that make up for putting an element
 * into a vector */
static int64_t cost_of_load(const Op *load, const Value *iv) {
    enum { NEAR = 3, APART = 8 };
    for (int i = 1; load->code == OP_LOAD && i < load->nopnds - 1; i++)
        if (value_depends(op_opnd(load, i), iv)) return is_near(load, i) ? NEAR : APART;
    return 0;
}

/* Neighbouring iterations of the innermost loop read in different rows, and do little with it. */
static bool reads_apart(const Op *loop) {
    const Value *iv = loop->regs[0]->args[loop->nopnds - 1];
    int64_t loads = 0, work = 0;
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        bool computes = o->nres == 1 && o->code != OP_LOAD && dtype_is_float(o->res[0].type->dtype);
        loads += cost_of_load(o, iv);
        work += computes ? op_info(o->code)->cost : 0;
    }
    return loads > 0 && work < loads;
}

/* A tile of a transposed copy: n of its elements are a line of an array that others see too. */
static bool fills_line(const Op *loop, int64_t n) {
    enum { LINE = 64 };
    const Region *body = loop->regs[0];
    for (const Op *o = body->first; o; o = o->next)
        if (o->code == OP_STORE && !op_opnd(o, 1)->def &&
            n * dtype_info(op_opnd(o, 0)->type->dtype)->bytes >= LINE &&
            value_shifted_arg(body, op_opnd(o, op_index_end(o) - 1)) == body->args[body->nargs - 1])
            return true;
    return false;
}

/* A few iterations that read in different rows are better written out than put together to a vector, but not where
 * that vector is stored as one, nor where there is more to compute than to read. */
static int64_t unrolled(const Op *loop) {
    const double much = 40;
    int64_t n;
    if (!int_constant(op_opnd(loop, loop->nopnds - 1), &n) || n > MAX_UNROLL || !reads_apart(loop)) return 0;
    if (plan_cost(loop->regs[0]) > much) return 0;
    return fills_line(loop, n) ? 0 : n;
}

/* ---- all of it */

/* Small buffers of the island that the loop only updates by atomics: a copy for each thread */
static void set_copies(const Plan *p, LoopPlan *l, const Op *op) {
    const Region *around = plan_region_of(op);
    l->copies = NEWN(p->arena, Copies, around->nargs + 1);
    for (int i = 0; i < around->nargs; i++) {
        const Value *buf = around->args[i];
        Combine kind = plan_copies_of(op, buf);
        if (kind) l->copies[l->ncopies++] = (Copies){buf, kind};
    }
}

static int count_loops(const Op *op) {
    int n = 0;
    for (int i = 0; i < op->nopnds; i++) n += !plan_is_unit(op_opnd(op, i));
    return n;
}

/* ---- short loops */

/* A few operations on elements, or loops of such, which cannot fail */
typedef struct { int ops; bool fits; } Short;

static void look_at_short(void *ctx, Op *op) {
    Short *s = ctx;
    s->ops++;
    s->fits &= !op_may_trap(op) && (op->nregs || !op_has_effect(op) || op->code == OP_STORE);
}

static bool is_short(const Op *op) {
    enum { MOST = 160 };
    Short s = {.fits = true};
    region_walk(op->regs[0], look_at_short, &s);
    return s.fits && s.ops <= MOST;
}

/* A parallel loop in a loop that runs in order */
static bool runs_often(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (op_is_sequential_loop(o)) return true;
    return false;
}

LoopPlan *plan_parallel(const Plan *p, const Op *op, Around around) {
    LoopPlan *l = NEW(p->arena, LoopPlan);
    bool ordered = plan_order_matters(op), simple = plan_is_simple(op->regs[0]);
    l->collapse = 1;
    l->loops = count_loops(op);
    l->simd = simple && !ordered && !plan_may_cross(p->arena, op);
    l->unroll = l->simd ? unrolled(op) : 0;
    l->ordered = ordered;
    l->where = around.where ? RUN_HERE : plan_where(p, op, around.touch);
    l->team = l->where && op_flag(op, A_TEAM);
    if (l->where || around.threads || around.taken || ordered || op_flag(op, A_SERIAL) || !l->loops) return l;
    if (plan_may_call_launch(p, op)) return l;
    set_schedule(l, op);
    if (op_flag(op, A_TILES)) {
        const Value *tiles = op_opnd(op, 0);
        l->threads = true;
        set_condition(p, l, 1, &tiles, 1);
        return l;
    }
    give_threads_if_worth_it(p, l, op);
    if (l->threads) set_copies(p, l, op);
    l->twice = l->threads && l->nfactors && !l->ncopies && runs_often(op) && is_short(op);
    return l;
}
