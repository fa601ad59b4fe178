/* coarsen: one thread, or one block, of a launch does the work of several neighbours.
 *
 * Needs launches that are not joined yet.  Thread coarsening by F on an axis of T threads leaves ceil(T/F) of them;
 * thread t does the work of t, t + ceil(T/F), .., so that neighbours still touch neighbouring elements.  Block
 * coarsening by F leaves a launch of G/F blocks, of which block b does the work of F*b .. F*b + F-1, with shared memory
 * for each, and behind it a launch of the G mod F blocks that remain.  The copies run side by side (opt/weave.c):
 * barriers and loops are shared.  What each thread computes is what it computed before, so results keep their bits.
 *
 * After Ivanov, Zinenko, Domke, Endo, Moses: Retargeting and Respecializing GPU Workloads for Performance
 * Portability, CGO 2024, section 4.
 *
 * Which launches, and by how much, is asked for (--coarsen-thread, --coarsen-block, or FILE.tune); of a GPU those whose
 * threads read neighbours are, where nothing is asked for (coarsen_neighbours.c).  Launches that add floats by `atomic`
 * stay as they are: their order is part of the result; as do those with sizes of their own. */
#include "ir/index.h"
#include "opt/par/coarsen.h"
#include "opt/weave.h"

#include <string.h>

static void find_order(void *ctx, Op *op) {
    bool *found = ctx;
    *found |= op->code == OP_BIND || (op->code == OP_ATOMIC && dtype_is_float(op_opnd(op, 0)->type->dtype));
}

static bool may_be_coarsened(const Op *island) {
    bool ordered = false;
    region_walk(island->regs[0], find_order, &ordered);
    return !ordered;
}

/* x is the last axis */
static int axis_of(const Op *loop, int xyz) { return loop->nopnds - 1 - xyz; }

static void map_indices(Weave *w, const Region *from, const Region *to, int axis) {
    for (int i = 0; i < from->nargs; i++) {
        to->args[i]->name = from->args[i]->name;
        map_put(w->module->arena, &w->synced, from->args[i], to->args[i]);
        for (int c = 0; c < w->n && i != axis; c++)
            map_put(w->module->arena, &w->copy[c].values, from->args[i], to->args[i]);
    }
}

static Weave weave_of(const PassOptions *opts, Module *m, int n) {
    Weave w = {.module = m, .n = n, .together = opts->device};
    for (int c = 0; c < n; c++) w.copy[c].module = m;
    return w;
}

static Op *with_extent(Builder *b, const Op *loop, int axis, Value *extent) {
    Value *extents[MAX_RANK];
    for (int i = 0; i < loop->nopnds; i++) extents[i] = op_opnd(loop, i);
    extents[axis] = extent;
    return build_parallel(b, loop->nopnds, extents, op_loop(loop));
}

/* ---- threads */

/* Of a GPU rows of elements lie beside each other in memory, columns do not: there a thread does those one below the
 * other, which have neighbours in common. */
static bool is_beside(const Weave *w, const Op *loop, int axis) { return w->together && axis < loop->nopnds - 1; }

/* Thread c*step + iv, or by*iv + c; the condition that there is one, or NULL when there is for sure */
static Value *thread_copy(Weave *w, Builder *b, const Op *loop, const Op *new, int axis, int c) {
    Value *iv = new->regs[0]->args[axis], *total = op_opnd(loop, axis), *step = op_opnd(new, axis);
    bool beside = is_beside(w, loop, axis);
    Value *index = beside ? index_add(b, index_mul(b, iv, build_int(b, w->n)), build_int(b, c))
                          : index_add(b, iv, index_mul(b, step, build_int(b, c)));
    int64_t t, s;
    bool known = value_const_int(total, &t) && value_const_int(step, &s);
    index->name = loop->regs[0]->args[axis]->name;
    map_put(w->module->arena, &w->copy[c].values, loop->regs[0]->args[axis], index);
    if (c == 0 || (known && (beside ? s * w->n == t : (c + 1) * s <= t))) return NULL;
    return build_binary(b, OP_LT, index, total);
}

static void coarsen_threads(const PassOptions *opts, Op *loop, int axis, int by) {
    Module *m = loop->parent->func->module;
    Builder b = builder_before(loop);
    Value *total = op_opnd(loop, axis), *step = index_ceildiv(&b, total, by), *on[WEAVE_MAX];
    int64_t t, s;
    if (value_const_int(total, &t) && value_const_int(step, &s)) by = s ? (int)((t + s - 1) / s) : 1;
    if (by < 2) return;
    Op *new = with_extent(&b, loop, axis, step);
    Weave w = weave_of(opts, m, by);
    map_indices(&w, loop->regs[0], new->regs[0], axis);
    Builder in = builder_at_end(m, new->regs[0], loop->span);
    for (int c = 0; c < by; c++) on[c] = thread_copy(&w, &in, loop, new, axis, c);
    weave_region(&w, &in, loop->regs[0], on);
    build_yield(&in, 0, NULL);
    if (w.together) index_constants_last(new->regs[0]);
    op_erase(loop);
}

/* ---- blocks */

static Op *whole_blocks(const PassOptions *opts, Builder *b, const Op *loop, int axis, int by, Value *count) {
    Module *m = b->module;
    Op *new = with_extent(b, loop, axis, count);
    Weave w = weave_of(opts, m, by);
    Value *on[WEAVE_MAX] = {NULL};
    map_indices(&w, loop->regs[0], new->regs[0], axis);
    Builder in = builder_at_end(m, new->regs[0], loop->span);
    Value *first = index_mul(&in, new->regs[0]->args[axis], build_int(&in, by));
    for (int c = 0; c < by; c++) {
        Value *index = index_add(&in, first, build_int(&in, c));
        map_put(m->arena, &w.copy[c].values, loop->regs[0]->args[axis], index);
    }
    weave_region(&w, &in, loop->regs[0], on);
    build_yield(&in, 0, NULL);
    return new;
}

/* The blocks from `from` on, as they were */
static Op *rest_of_blocks(Builder *b, const Op *loop, int axis, Value *from, Value *count) {
    Module *m = b->module;
    Op *new = with_extent(b, loop, axis, count);
    Builder in = builder_at_end(m, new->regs[0], loop->span);
    Value *args[MAX_RANK];
    for (int i = 0; i < loop->nopnds; i++) {
        args[i] = new->regs[0]->args[i];
        args[i]->name = loop->regs[0]->args[i]->name;
    }
    args[axis] = index_add(&in, from, args[axis]);
    region_inline(&in, loop->regs[0], args, NULL);
    build_yield(&in, 0, NULL);
    return new;
}

static void coarsen_blocks(const PassOptions *opts, Op *loop, int axis, int by) {
    Builder b = builder_before(loop);
    Value *total = op_opnd(loop, axis), *count = index_ceildiv(&b, index_sub(&b, total, build_int(&b, by - 1)), by);
    Value *done = index_mul(&b, count, build_int(&b, by)), *rest = index_sub(&b, total, done);
    int64_t c;
    if (!value_const_int(count, &c) || c > 0) whole_blocks(opts, &b, loop, axis, by, count);
    if (!value_const_int(rest, &c) || c > 0) rest_of_blocks(&b, loop, axis, done, rest);
    op_erase(loop);
}

/* ---- launches */

typedef void CoarsenFn(const PassOptions *opts, Op *loop, int axis, int by);

static void each_loop(const PassOptions *opts, Region *r, LoopKind kind, int xyz, int by, CoarsenFn *f) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (op_loop(o) == kind) {
            if (axis_of(o, xyz) >= 0) f(opts, o, axis_of(o, xyz), by);
        } else {
            for (int i = 0; i < o->nregs; i++) each_loop(opts, o->regs[i], kind, xyz, by, f);
        }
    }
}

/* The last that names the kernel counts, or else the last for all. */
static const int *factors(const PassOptions *opts, const char *name, LoopKind kind) {
    const int *found = NULL;
    bool named = false;
    for (int i = 0; i < opts->ncoarsen; i++) {
        const Coarsening *c = &opts->coarsen[i];
        if (c->kind != kind || (c->kernel && strcmp(c->kernel, name)) || (named && !c->kernel)) continue;
        found = c->by, named = c->kernel != NULL;
    }
    return found;
}

static void coarsen_launch(const PassOptions *opts, Op *island, const char *name) {
    const int *threads = factors(opts, name, LOOP_THREAD), *blocks = factors(opts, name, LOOP_BLOCK);
    if (!threads && !blocks) coarsen_neighbours(opts, island);
    if ((!threads && !blocks) || !may_be_coarsened(island)) return;
    for (int k = 0; k < 3; k++) {
        if (threads && threads[k] > 1) each_loop(opts, island->regs[0], LOOP_THREAD, k, threads[k], coarsen_threads);
        if (blocks && blocks[k] > 1) each_loop(opts, island->regs[0], LOOP_BLOCK, k, blocks[k], coarsen_blocks);
    }
}

static void visit(void *ctx, Op *op) {
    const char *name = op->code == OP_ISLAND ? op_sym(op, A_NAME) : NULL;
    if (name) coarsen_launch(ctx, op, name);
}

void pass_coarsen(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len && (opts->ncoarsen || opts->device); i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, (void *)(uintptr_t)opts);
}
