/* Launches of a GPU whose threads read neighbours along y or z, u[y - 1, x] + u[y + 1, x]: a thread does what those do
 * that lie beside each other along that axis, and reads once what they have in common.
 *
 * The program sees its threads, its blocks and their sizes as they are written: only which of the GPU's threads does
 * what one of them did changes.  Along the axis a block has fewer threads then; where it has too few, a block does the
 * work of several, too.  Blocks on a plane become wide: rows are read in long pieces, by as many threads as lie beside
 * each other in several of them.  Only of launches without barriers and shared memory, which nothing can stop, and
 * which compute little; launches that give rows to x stay as they are, since there neighbours in a warp are those along
 * y.  What all copies come through is asked once (opt/weave.h). */
#include "analysis/axes.h"
#include "analysis/copies.h"
#include "ir/index.h"
#include "opt/par/coarsen.h"
#include "opt/weave.h"

enum { AXIS_Y = 1, AXIS_Z = 2, OF_Y = 4, OF_Z = 8, LEAST_THREADS = 64, WIDE = 256 };

typedef struct {
    const PassOptions *opts;
    Linear *linear;
    Op *blocks, *threads;
    int cost;
    int64_t all;              /* threads of a block */
    int xyz;                  /* along which axis */
    int by, threads_by, blocks_by; /* work of so many threads; of a block; of so many blocks */
    int wide;                 /* threads along x; 0: as they were */
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

static bool is_power(int64_t n) { return n == (int64_t)1 << index_log2(n); }

/* On a plane, where blocks are less wide than they could be */
static int wide_of(const Merge *m) {
    bool model = choice_is(m->opts, CH_ROW_WIDTH, "model");
    int wide = model ? WIDE : (int)choice_int(m->opts, CH_ROW_WIDTH);
    int64_t x = threads_along(m, 0), y = threads_along(m, AXIS_Y), z = threads_along(m, AXIS_Z);
    bool plane = m->xyz == AXIS_Y && z == 1 && m->blocks_by == 1 && m->threads->nopnds == 2;
    return plane && is_power(x) && is_power(y) && x < wide ? wide : 0;
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
    m->wide = wide_of(m);
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

/* The new loops, and where the threads' work goes */
typedef struct { Op *grid, *team; Builder in, body; } Nest;

/* Blocks and threads along the same axes as before */
static Nest place_copies(const Merge *m, Builder *b, Weave *w, Value **on) {
    Nest n = {.grid = with_fewer(b, m->blocks, m->xyz, m->blocks_by)};
    n.in = builder_at_end(b->module, n.grid->regs[0], b->span);
    n.team = with_fewer(&n.in, m->threads, m->xyz, m->threads_by);
    n.body = builder_at_end(b->module, n.team->regs[0], b->span);
    int of_blocks = axis_of(m->blocks, m->xyz), of_threads = axis_of(m->threads, m->xyz);
    for (int c = 0; c < m->by; c++) {
        int block = c / m->threads_by, thread = c % m->threads_by;
        Value *at = map_copy(w, &n.body, c, m->blocks, n.grid, of_blocks, m->blocks_by, block);
        map_copy(w, &n.body, c, m->threads, n.team, of_threads, m->threads_by, thread);
        if (block) on[c] = build_binary(&n.body, OP_LT, at, op_opnd(m->blocks, of_blocks));
    }
    return n;
}

/* `side` blocks beside each other are one row of threads; the parts of a block, so many rows each, lie along x */
static Nest place_wide(const Merge *m, Builder *b, Weave *w) {
    int64_t narrow = threads_along(m, 0), parts = threads_along(m, AXIS_Y) / m->threads_by, side = m->wide / narrow;
    int rank = m->blocks->nopnds;
    Value *extents[MAX_RANK], *wide = build_int(b, m->wide), *across = op_opnd(m->blocks, rank - 1);
    for (int i = 0; i < rank; i++) extents[i] = op_opnd(m->blocks, i);
    extents[rank - 1] = index_mul(b, index_ceildiv(b, across, side), build_int(b, parts));
    Nest n = {.grid = build_parallel(b, rank, extents, LOOP_BLOCK)};
    n.in = builder_at_end(b->module, n.grid->regs[0], b->span);
    n.team = build_parallel(&n.in, 1, &wide, LOOP_THREAD);
    Builder *in = &n.body;
    *in = builder_at_end(b->module, n.team->regs[0], b->span);
    Value *place = n.grid->regs[0]->args[rank - 1], *t = n.team->regs[0]->args[0];
    Value *part = build_binary(in, OP_AND, place, build_int(in, parts - 1)),
          *group = build_binary(in, OP_SHR, place, build_int(in, index_log2(parts))),
          *first = index_mul(in, group, build_int(in, side)),
          *block = index_add(in, first, build_binary(in, OP_SHR, t, build_int(in, index_log2(narrow)))),
          *x = build_binary(in, OP_AND, t, build_int(in, narrow - 1)),
          *y = index_mul(in, part, build_int(in, m->threads_by));
    for (int c = 0; c < m->by; c++) {
        Map *to = &w->copy[c].values;
        for (int i = 0; i < rank; i++)
            map_put(b->module->arena, to, m->blocks->regs[0]->args[i], i < rank - 1 ? n.grid->regs[0]->args[i] : block);
        map_put(b->module->arena, to, m->threads->regs[0]->args[0], index_add(in, y, build_int(in, c)));
        map_put(b->module->arena, to, m->threads->regs[0]->args[1], x);
    }
    build_when(in, build_binary(in, OP_LT, block, across), in);
    return n;
}

static void merge(const Merge *m) {
    Builder b = builder_before(m->blocks);
    Weave w = {.module = b.module, .n = m->by, .together = true};
    Value *on[WEAVE_MAX] = {NULL};
    for (int c = 0; c < m->by; c++) w.copy[c].module = b.module;
    Nest n = m->wide ? place_wide(m, &b, &w) : place_copies(m, &b, &w, on);
    sink(m->blocks, m->threads);
    weave_region(&w, &n.body, m->threads->regs[0], on);
    Builder end = builder_at_end(b.module, n.team->regs[0], b.span);
    build_yield(&end, 0, NULL);
    build_yield(&n.in, 0, NULL);
    index_constants_last(n.team->regs[0]);
    tell(m, n.grid);
    op_erase(m->blocks);
}

void coarsen_neighbours(const PassOptions *opts, Op *island) {
    if (!opts->device || !opts->level || choice_is(opts, CH_ROWS, "no")) return;
    for (Op *o = island->regs[0]->first, *next; o; o = next) {
        next = o->next;
        if (op_loop(o) != LOOP_BLOCK) continue;
        Merge m = {.opts = opts, .blocks = o};
        if (!is_plain_launch(&m) || axes_turn(m.blocks, m.threads)) continue;
        m.linear = linear_new(island->parent->func);
        bool chosen = choose(&m);
        linear_free(m.linear);
        if (chosen) merge(&m);
    }
}
