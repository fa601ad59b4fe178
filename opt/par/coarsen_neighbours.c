/* Launches of a GPU whose threads read neighbours along y or z, u[y - 1, x] + u[y + 1, x]: a thread does what those do
 * that lie beside each other along that axis, and reads once what they have in common.
 *
 * The program sees its threads, its blocks and their sizes as they are written: which of the GPU's threads does what one
 * of them did is all that changes.  Along the axis a block has fewer threads then; where it has too few, a block does
 * the work of several, too.  Only of launches without barriers and shared memory, which nothing can stop, and which
 * compute little.  What all copies come through is asked once (opt/weave.h). */
#include "analysis/copies.h"
#include "ir/index.h"
#include "opt/par/coarsen.h"
#include "opt/weave.h"

enum { AXIS_Y = 1, AXIS_Z = 2, OF_Y = 4, OF_Z = 8, LEAST_THREADS = 64 };

typedef struct {
    const PassOptions *opts;
    Linear *linear;
    Op *blocks, *threads;
    int cost;
    int64_t all;              /* threads of a block */
    int xyz;                  /* along which axis */
    int by, threads_by, blocks_by; /* work of so many threads; of a block; of so many blocks */
    CopiesReads reads;
} Merge;

static int axis_of(const Op *loop, int xyz) { return loop->nopnds - 1 - xyz; }

static Value *index_along(const Op *loop, int xyz) {
    return axis_of(loop, xyz) >= 0 ? loop->regs[0]->args[axis_of(loop, xyz)] : NULL;
}

static int64_t threads_along(const Merge *m, int xyz) {
    int64_t n = 1;
    if (axis_of(m->threads, xyz) >= 0) value_const_int(op_opnd(m->threads, axis_of(m->threads, xyz)), &n);
    return n;
}

/* ---- which launches */

/* Threads of known number, and before them only what they compute their places of */
static bool is_plain_launch(Merge *m) {
    for (Op *o = m->blocks->regs[0]->first; o; o = o->next) {
        if (op_loop(o) == LOOP_THREAD && !m->threads) m->threads = o;
        else if (o->code != OP_YIELD && (o->nregs || !op_is_pure(o) || m->threads)) return false;
    }
    m->all = 1;
    for (int i = 0; m->threads && i < m->threads->nopnds; i++) {
        int64_t n;
        if (!value_const_int(op_opnd(m->threads, i), &n) || n < 1 || n > 1024) return false;
        m->all *= n;
    }
    return m->threads && copies_are_light(m->threads, &m->cost);
}

/* How the work of `by` threads along the axis is that of one */
static bool fits(Merge *m, int by) {
    int64_t along = threads_along(m, m->xyz), each = by < along ? by : along;
    if (along % each || by % each || m->all / each < LEAST_THREADS) return false;
    m->by = by, m->threads_by = (int)each, m->blocks_by = (int)(by / each);
    return m->blocks_by == 1 || index_along(m->blocks, m->xyz);
}

static bool look_along(Merge *m, int xyz) {
    Value *iv = threads_along(m, xyz) > 1 ? index_along(m->threads, xyz) : index_along(m->blocks, xyz);
    bool model = choice_is(m->opts, CH_ROWS, "model");
    int by = !model ? (int)choice_int(m->opts, CH_ROWS) : xyz == AXIS_Z ? OF_Z : OF_Y;
    m->xyz = xyz;
    if (!iv || !copies_read(m->linear, m->blocks->regs[0], iv, &m->reads)) return false;
    by = copies_that_pay(&m->reads, m->cost, by, !model);
    while (by > 1 && !fits(m, by)) by = copies_that_pay(&m->reads, m->cost, by / 2, !model);
    return by > 1;
}

static bool choose(Merge *m) {
    Merge z = *m, y = *m;
    bool of_z = look_along(&z, AXIS_Z), of_y = look_along(&y, AXIS_Y);
    if (of_z && of_y) of_z = copies_save(&z.reads, z.by) >= copies_save(&y.reads, y.by);
    *m = of_z ? z : y;
    return of_z || of_y;
}

/* ---- what is made of them */

static Op *with_fewer(Builder *b, const Op *loop, int xyz, int by) {
    Value *extents[MAX_RANK];
    for (int i = 0; i < loop->nopnds; i++) {
        int64_t n;
        Value *extent = op_opnd(loop, i);
        if (value_const_int(extent, &n)) extent = build_int(b, n);
        extents[i] = i == axis_of(loop, xyz) ? index_ceildiv(b, extent, by) : extent;
    }
    Op *new = build_parallel(b, loop->nopnds, extents, op_loop(loop));
    for (int i = 0; i < loop->nopnds; i++) new->regs[0]->args[i]->name = loop->regs[0]->args[i]->name;
    return new;
}

/* Each copy's indices of the loop: those of the new one, but along the axis, where it is by*i + nth */
static Value *map_copy(Weave *w, Builder *b, int c, const Op *loop, const Op *new, int axis, int by, int nth) {
    Value *along = NULL;
    for (int i = 0; i < loop->nopnds; i++) {
        Value *x = new->regs[0]->args[i];
        if (i == axis) along = x = index_add(b, index_mul(b, x, build_int(b, by)), build_int(b, nth));
        map_put(b->module->arena, &w->copy[c].values, loop->regs[0]->args[i], x);
    }
    return along;
}

/* What is computed for all threads alike is part of them; licm takes it out again. */
static void sink(Op *blocks, Op *threads) {
    Op *first = threads->regs[0]->first;
    while (blocks->regs[0]->first != threads) op_move_before(blocks->regs[0]->first, first);
}

static void tell(const Merge *m, Op *grid) {
    Session *s = grid->parent->func->module->session;
    const char *note = "a thread does the work of %d along %c, which take %d reads instead of %d (--choose=rows=no)";
    op_set_sym(grid, A_MSG,
               intern_printf(s, note, m->by, "xyz"[m->xyz], m->reads.together[m->by], m->by * m->reads.reads));
}

static void merge(const Merge *m) {
    Builder b = builder_before(m->blocks);
    Module *module = b.module;
    Weave w = {.module = module, .n = m->by, .together = true};
    Value *on[WEAVE_MAX] = {NULL};
    int of_blocks = axis_of(m->blocks, m->xyz), of_threads = axis_of(m->threads, m->xyz);
    Op *grid = with_fewer(&b, m->blocks, m->xyz, m->blocks_by);
    Builder in = builder_at_end(module, grid->regs[0], b.span);
    Op *team = with_fewer(&in, m->threads, m->xyz, m->threads_by);
    Builder body = builder_at_end(module, team->regs[0], b.span);
    for (int c = 0; c < m->by; c++) {
        int block = c / m->threads_by, thread = c % m->threads_by;
        w.copy[c].module = module;
        Value *at = map_copy(&w, &body, c, m->blocks, grid, of_blocks, m->blocks_by, block);
        map_copy(&w, &body, c, m->threads, team, of_threads, m->threads_by, thread);
        if (block) on[c] = build_binary(&body, OP_LT, at, op_opnd(m->blocks, of_blocks));
    }
    sink(m->blocks, m->threads);
    weave_region(&w, &body, m->threads->regs[0], on);
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
    index_constants_last(team->regs[0]);
    tell(m, grid);
    op_erase(m->blocks);
}

void coarsen_neighbours(const PassOptions *opts, Op *island) {
    if (!opts->device || !opts->level || choice_is(opts, CH_ROWS, "no")) return;
    for (Op *o = island->regs[0]->first, *next; o; o = next) {
        next = o->next;
        if (op_loop(o) != LOOP_BLOCK) continue;
        Merge m = {.opts = opts, .blocks = o};
        if (!is_plain_launch(&m)) continue;
        m.linear = linear_new(island->parent->func);
        bool chosen = choose(&m);
        linear_free(m.linear);
        if (chosen) merge(&m);
    }
}
