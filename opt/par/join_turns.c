/* join-turns: turns that threads share by strides are one loop again.
 *
 * Needs proved accesses (`safe`).  `for j in t:m:128 { y[j] = .. }`, for 128 threads t of a block, goes through 0:m in
 * the order in which threads come, which is none: the first thread may do all of it, in order, between two barriers.
 * On a CPU threads of a block take turns anyway, and a loop along neighbours is a vector.  What a turn needs of its
 * thread must be the same for all (analysis/uniform.h).
 *
 * Where such a loop is all that a launch does, by strides over all threads of the grid, and its turns do not depend on
 * each other, it is one parallel loop. */
#include "analysis/depend.h"
#include "analysis/uniform.h"
#include "ir/index.h"
#include "opt/pass.h"

typedef struct {
    Op *loop, *threads, *blocks; /* blocks: around the threads */
    Value *base;                 /* where the first thread begins, known before the threads or the blocks */
    int64_t step;
} Turns;

/* ---- what is understood */

static bool is_plain_access(const Op *o) {
    return (o->code == OP_LOAD || o->code == OP_STORE) && op_buffer(o)->type->space != SPACE_PRIVATE;
}

/* Nothing in it stops the program, is seen outside, or has an order */
static bool is_quiet(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (!o->nregs && (op_may_trap(o) || op_has_effect(o))) return false;
        if (!o->nregs && (op_reads_memory(o) || op_writes_memory(o)) && !is_plain_access(o)) return false;
        if (o->code == OP_BARRIER || o->code == OP_BIND || o->code == OP_PARALLEL) return false;
        for (int i = 0; i < o->nregs; i++)
            if (!is_quiet(o->regs[i])) return false;
    }
    return true;
}

static bool is_stride(Turns *t, Op *op) {
    if (op->code != OP_FOR || op->nres || op_flag(op, A_PROGRESS) || op_attr(op, A_CHECKPOINT)) return false;
    if (!value_const_int(op_opnd(op, 2), &t->step) || t->step < 2 || !is_quiet(op->regs[0])) return false;
    t->loop = op;
    t->threads = op_loop_around(op, LOOP_THREAD);
    t->blocks = t->threads ? op_loop_around(t->threads, LOOP_BLOCK) : NULL;
    return t->blocks;
}

/* Of what the loop takes from outside of itself, something is not the same wherever the other loop stands */
static bool takes(const Uniform *u, const Op *loop, const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nopnds; i++)
            if (!op_encloses(loop, op_opnd(o, i)) && value_varies(u, op_opnd(o, i))) return true;
        for (int i = 0; i < o->nregs; i++)
            if (takes(u, loop, o->regs[i])) return true;
    }
    return false;
}

/* ---- numbers of threads */

/* Indices of the threads, and perhaps of the blocks, with their extents */
typedef struct { int n; Value *of[6], *extent[6]; int64_t coef[6]; } Indices;

static void add_indices(Indices *all, const Op *loop) {
    for (int i = 0; i < loop->nopnds; i++, all->n++) {
        all->of[all->n] = loop->regs[0]->args[i];
        all->extent[all->n] = op_opnd(loop, i);
    }
}

/* v as the sum of the indices, times their coef, and what is known before `outer`, at b, added to *base */
static bool linear(Builder *b, const Op *outer, Value *v, int64_t scale, Indices *all, Value **base) {
    int64_t by;
    const Op *d = v->def;
    if (!op_encloses(outer, v)) {
        *base = index_add(b, *base, index_mul(b, v, build_int(b, scale)));
        return true;
    }
    for (int i = 0; i < all->n; i++)
        if (all->of[i] == v) return all->coef[i] += scale, true;
    if (!d) return false;
    if (d->code == OP_MUL && value_const_int(op_opnd(d, 1), &by))
        return linear(b, outer, op_opnd(d, 0), scale * by, all, base);
    if (d->code != OP_ADD && d->code != OP_SUB) return false;
    return linear(b, outer, op_opnd(d, 0), scale, all, base) &&
           linear(b, outer, op_opnd(d, 1), d->code == OP_SUB ? -scale : scale, all, base);
}

/* The sum numbers the threads from 0 on, as many as the stride is long. */
static bool counts_all(const Turns *t, const Indices *all) {
    int64_t count = 1, extent;
    bool used[6] = {false};
    for (int found = 0, k; found < all->n; found++) {
        for (k = 0; k < all->n; k++) {
            bool known = value_const_int(all->extent[k], &extent);
            if (known && !used[k] && (all->coef[k] == count || extent == 1)) break;
        }
        if (k == all->n) return false;
        used[k] = true;
        count *= extent;
    }
    return count == t->step;
}

/* The loop begins at the number of its thread, behind what is known before `outer` */
static bool begins_at_number(Turns *t, const Op *outer, Indices *all) {
    Builder b = builder_before((Op *)(uintptr_t)outer);
    t->base = build_int(&b, 0);
    return linear(&b, outer, op_opnd(t->loop, 0), 1, all, &t->base) && counts_all(t, all);
}

/* ---- of a block */

static bool is_of_block(Turns *t, const Uniform *u) {
    Indices all = {0};
    if (value_varies(u, op_opnd(t->loop, 1)) || op_under_varying(u, t->loop)) return false;
    if (takes(u, t->loop, t->loop->regs[0])) return false;
    add_indices(&all, t->threads);
    return begins_at_number(t, t->threads, &all);
}

static Value *is_first(Builder *b, int n, Value *const *index) {
    Value *first = NULL;
    for (int k = 0; k < n; k++) first = build_both(b, first, build_binary(b, OP_EQ, index[k], build_int(b, 0)));
    return first;
}

static void give_to_first(const Turns *t) {
    Op *loop = t->loop;
    int n = t->threads->nopnds;
    Value *const *index = t->threads->regs[0]->args;
    Builder before = builder_before(loop), behind = builder_after(loop), in;
    build_op(&before, OP_BARRIER, n, index, 0, NULL, 0);
    build_op(&behind, OP_BARRIER, n, index, 0, NULL, 0);
    op_set_opnd(loop, 0, t->base);
    op_set_opnd(loop, 2, build_int(&before, 1));
    build_when(&before, is_first(&before, n, index), &in);
    op_move_before(loop, in.before);
}

/* ---- of a grid */

/* Beside it the threads, and the blocks, only compute scalars. */
static bool is_all(const Turns *t) {
    const Op *around[] = {t->loop, t->threads};
    if (t->loop->parent != t->threads->regs[0] || t->threads->parent != t->blocks->regs[0]) return false;
    for (int k = 0; k < 2; k++)
        for (const Op *o = around[k]->parent->first; o != around[k]->parent->last; o = o->next)
            if (o != around[k] && (o->nregs || !op_is_pure(o))) return false;
    return true;
}

/* Some value that a turn takes from outside is not known before the blocks. */
static bool knows_thread(const Turns *t, const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nopnds; i++)
            if (!op_encloses(t->loop, op_opnd(o, i)) && !value_dominates(op_opnd(o, i), t->blocks)) return true;
        for (int i = 0; i < o->nregs; i++)
            if (knows_thread(t, o->regs[i])) return true;
    }
    return false;
}

static bool is_of_grid(Turns *t, Depend *d) {
    Indices all = {0};
    if (!is_all(t) || knows_thread(t, t->loop->regs[0])) return false;
    if (!value_dominates(op_opnd(t->loop, 1), t->blocks)) return false;
    add_indices(&all, t->blocks);
    add_indices(&all, t->threads);
    return begins_at_number(t, t->blocks, &all) && depend_loop_carried(d, t->loop) == ANSWER_NO;
}

static void make_parallel(const Turns *t) {
    Builder b = builder_before(t->blocks), in;
    Value *n = index_max(&b, index_sub(&b, op_opnd(t->loop, 1), t->base), build_int(&b, 0));
    Op *all = build_plain_parallel(&b, 1, &n, &in);
    Value *i = index_add(&in, all->regs[0]->args[0], t->base);
    region_inline(&in, t->loop->regs[0], &i, NULL);
    op_erase(t->blocks);
}

/* ---- */

typedef struct { Func *func; VEC(Op *) loops; } Found;

static void find(void *ctx, Op *op) {
    Found *f = ctx;
    Turns t;
    if (is_stride(&t, op)) vec_push(op->parent->func->module->arena, &f->loops, op);
}

static void join(Func *f, Op *op) {
    Turns t;
    Depend *d = depend_new(f);
    Arena *arena = arena_new();
    if (is_stride(&t, op)) {
        Uniform u = uniform_new(arena, t.threads);
        if (is_of_grid(&t, d)) make_parallel(&t);
        else if (is_of_block(&t, &u)) give_to_first(&t);
    }
    arena_free(arena);
    depend_free(d);
}

void pass_join_turns(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Found f = {.func = m->funcs.data[i]};
        if (f.func->kind == FUNC_EXTERN) continue;
        region_walk(f.func->body, find, &f);
        for (int k = 0; k < f.loops.len; k++) join(f.func, f.loops.data[k]);
    }
}
