/* time-tile: loops over time run several turns at a time on one part of the rows, while those are in the cache.
 *
 * Needs stage loops, nests in their last form.  A turn of `for t { b = f(a); a = g(b) }` passes over all of memory and
 * starts and ends its threads once per nest.  Where each row depends on the rows near it (time.c), a band of turns runs
 * in two phases (split tiling: Krishnamoorthy et al., Effective automatic parallelization of stencil computations, PLDI
 * 2007; Grosser et al., Split tiling for GPUs, GPGPU-6 2013): first each thread its tile of rows, which shrinks turn by
 * turn by as many rows as the others may change; then the gaps between the tiles.  A tile goes through its rows once,
 * with a few rows of every turn behind each other (time skewing: Wonnacott, Achieving scalable locality with time
 * skewing, 2002), so that what is alive is some rows of each tensor.  The elements are computed by the same
 * expressions: the bits are the same.
 *
 * A progress bar counts bands.  Turns that fill no band, or all of them where the rows are long or few, are left to the
 * loop as it was. */
#include "opt/loops/time.h"

enum {
    CACHE = 2 << 20,        /* bytes for the rows of a band, and of a chunk of rows */
    CACHE_OF_TWO = 4 << 20, /* and at most, for a band of two periods */
    CHUNK = 16 << 10,
    GAPS = 8,               /* a tile is so many times as wide as the gap beside it, or wider */
    MAX_TURNS = 64,         /* of one band */
    FEW_TILES = 8,          /* rows for as many tiles, or no band */
    TILE_BYTES = 2 << 20,   /* that pass through a thread for one phase, at least */
    MAX_OPS = 2400,
};

typedef struct {
    TimeLoop *t;
    Builder b;               /* before the loop */
    Cloner outside;          /* what does not change, before the loop */
    Value *extent[TIME_STEPS], *row[TIME_STEPS]; /* of steps: how many rows, or which */
    Value *rows, *row_bytes;
    Value *periods, *done;   /* of the loop, and in bands */
    Value *fit, *chunk;      /* periods of which the cache holds the rows; rows of a chunk */
    Value *turns, *tiles, *width; /* periods of a band; its tiles and their rows */
    bool all;                /* no turn is left for the loop as it was */
    Op *island, *bands;
    int arg[TIME_SLOTS];     /* the island's buffer for a slot; -1: none */
} Tiling;

static int64_t most(const int64_t *x, int n) {
    int64_t best = 0;
    for (int i = 0; i < n; i++) best = x[i] > best ? x[i] : best;
    return best;
}

/* Rows that a tile loses besides those for each period, and one more */
static int64_t slack(const TimeLoop *t) {
    int n = t->period * t->nsteps;
    return most(t->left, n) + most(t->right, n) + t->reach + 1;
}

/* ---- arithmetic before the loop */

static Value *quotient(Builder *b, Value *x, Value *y) {
    int64_t i, j;
    if (value_const_int(y, &j) && j == 1) return x;
    if (value_const_int(x, &i) && value_const_int(y, &j) && i >= 0 && j > 0) return build_int(b, i / j);
    return idiv_safe(b, x, y);
}

static Value *at_least(Builder *b, Value *x, int64_t least) { return index_max(b, x, build_int(b, least)); }
static Value *named(Builder *b, const char *name, Value *v) {
    if (!value_const_int(v, NULL) && !v->name) v->name = intern(b->module->session, name);
    return v;
}
static Value *plus(Builder *b, Value *x, int64_t c) { return index_add(b, x, build_int(b, c)); }
static Value *times(Builder *b, Value *x, int64_t c) { return c ? index_mul(b, x, build_int(b, c)) : build_int(b, 0); }

/* What does not change with the turns, before the loop */
static Value *before_loop(Tiling *g, Value *v) { return clone_slice(&g->outside, &g->b, g->t->loop->regs[0], v); }

/* Bytes of one row of all tensors together */
static Value *bytes_of_row(Tiling *g) {
    Builder *b = &g->b;
    const TimeLoop *t = g->t;
    Value *all = build_int(b, 0);
    for (int r = 0; r < t->nroots; r++) {
        const Type *type = t->root[r]->type;
        int row = t->dim + t->by_turn[r];
        if (type->rank <= row) continue;
        Value *bytes = build_int(b, dtype_info(type->dtype)->bytes);
        for (int i = t->by_turn[r]; i < type->rank; i++)
            if (i != row) bytes = index_mul(b, bytes, build_size(b, type->dims[i]));
        all = index_add(b, all, bytes);
    }
    return at_least(b, all, 1);
}

static void find_extents(Tiling *g) {
    g->rows = build_int(&g->b, 0);
    for (int s = 0; s < g->t->nsteps; s++) {
        const TimeStep *step = &g->t->step[s];
        Value *at = step->axis < 0 ? step->from : op_opnd(step->nest, step->axis);
        g->extent[s] = at ? before_loop(g, at) : build_int(&g->b, 0);
        if (step->axis < 0) g->row[s] = plus(&g->b, g->extent[s], step->base), g->extent[s] = plus(&g->b, g->row[s], 1);
        g->rows = index_max(&g->b, g->rows, g->extent[s]);
    }
}

/* Periods of which so many bytes hold the rows */
static Value *periods_in(Tiling *g, int64_t bytes) {
    Builder *b = &g->b;
    int64_t growth = g->t->grow_right;
    Value *rows = at_least(b, index_sub(b, quotient(b, build_int(b, bytes), g->row_bytes), g->chunk), 0);
    return quotient(b, rows, build_int(b, growth ? growth : 1));
}

/* How many periods run in bands: all, if two turns' rows fit the cache and there are rows for a few tiles */
static void find_periods(Tiling *g) {
    Builder *b = &g->b;
    const TimeLoop *t = g->t;
    int64_t fit, rows, enough = FEW_TILES * (t->grow_left + t->grow_right + slack(t));
    Value *none = build_int(b, 0), *pays;
    Value *last = op_opnd(t->loop, t->by > 0), *first = op_opnd(t->loop, t->by < 0);
    Value *turns = index_max(b, index_sub(b, last, first), none);
    g->periods = quotient(b, turns, build_int(b, t->period));
    g->row_bytes = bytes_of_row(g);
    g->chunk = at_least(b, quotient(b, build_int(b, CHUNK), g->row_bytes), 1);
    g->fit = index_max(b, periods_in(g, CACHE), index_min(b, periods_in(g, CACHE_OF_TWO), build_int(b, 2)));
    if (value_const_int(g->fit, &fit) && value_const_int(g->rows, &rows)) {
        g->all = fit >= 2 && rows >= enough;
        g->done = g->all ? g->periods : none;
    } else {
        pays = build_binary(b, OP_AND, build_binary(b, OP_GE, g->fit, build_int(b, 2)),
                            build_binary(b, OP_GE, g->rows, build_int(b, enough)));
        g->done = build_select(b, pays, g->periods, none);
    }
    g->all &= t->period == 1;
}

/* As many turns as the cache holds rows for; as many tiles as there are threads, if each has work. */
static void find_tiles(Tiling *g) {
    Builder *b = &g->b;
    const TimeLoop *t = g->t;
    int64_t grow = t->grow_left + t->grow_right;
    Value *threads = named(b, "threads", build_threads(b)),
          *share = index_sub(b, quotient(b, g->rows, threads), build_int(b, slack(t)));
    Value *wide = at_least(b, quotient(b, share, build_int(b, grow ? GAPS * grow : 1)), 2);
    Value *most = index_min(b, index_min(b, g->fit, build_int(b, MAX_TURNS)), wide);
    g->turns = named(b, "turns", at_least(b, index_min(b, most, g->periods), 1));
    Value *least = plus(b, times(b, g->turns, grow), slack(t));
    Value *work = quotient(b, index_mul(b, index_mul(b, g->rows, g->row_bytes), g->turns),
                           build_int(b, TILE_BYTES / t->period));
    Value *room = index_min(b, quotient(b, g->rows, least), work);
    g->tiles = named(b, "tiles", at_least(b, index_min(b, threads, room), 1));
    g->width = named(b, "width", quotient(b, plus(b, index_add(b, g->rows, g->tiles), -1), g->tiles));
}

/* What the checks in r ask about, before the loop; says whether there is one. */
static bool find_checked(Tiling *g, const Region *r) {
    bool any = false;
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_ISLAND) any |= find_checked(g, o->regs[0]);
        if (o->code != OP_CHECK) continue;
        any = true;
        for (int i = 0; i < o->nopnds; i++) before_loop(g, op_opnd(o, i));
    }
    return any;
}

static void clone_checks(Tiling *g, const Region *r, Builder *in) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_ISLAND) clone_checks(g, o->regs[0], in);
        if (o->code == OP_CHECK) clone_op(&g->outside, in, o);
    }
}

/* Checks that each turn makes alike are made before the first, if there is one. */
static void add_checks(Tiling *g) {
    const Region *turn = g->t->loop->regs[0];
    if (!find_checked(g, turn)) return;
    Builder in;
    build_when(&g->b, build_binary(&g->b, OP_GT, g->done, build_int(&g->b, 0)), &in);
    clone_checks(g, turn, &in);
}

/* ---- the island */

static bool is_used(const TimeLoop *t, int slot) {
    for (int k = 0; k < t->period; k++)
        for (int r = 0; r < t->nroots; r++)
            if (t->slot[k][r] == slot) return true;
    return false;
}

/* The tensor whose memory the slot is, in the first turn */
static Value *first_of(Tiling *g, int slot) {
    const TimeLoop *t = g->t;
    if (slot < t->ncarried) return op_opnd(t->loop, 3 + slot);
    Value *root = t->root[slot];
    return t->written[slot] ? build_empty(&g->b, root->type, root->name) : root;
}

static void open_island(Tiling *g) {
    const TimeLoop *t = g->t;
    Value *opnds[TIME_SLOTS];
    int64_t modes[TIME_SLOTS];
    int n = 0, at = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < t->nroots; k++) {
            if (t->written[k] == (pass == 1) || !is_used(t, k)) continue;
            g->arg[k] = n;
            opnds[n] = first_of(g, k);
            modes[n++] = pass ? 0 : 2;
        }
    g->island = build_island(&g->b, n, opnds, modes);
    for (int k = 0; k < t->nroots; k++)
        if (t->written[k] && t->root[k]->name) g->island->res[at++].name = t->root[k]->name;
        else at += t->written[k];
    Builder end = builder_at_end(g->b.module, g->island->regs[0], g->b.span);
    build_yield(&end, 0, NULL);
}

/* ---- tiles */

/* Which rows a step does in the k-th period of a band: [low - right edge, high - right edge), not before `left` + left
 * edge; where gap holds (NULL: nowhere): [low - right edge, low + left edge). */
typedef struct { Value *low, *high, *left, *k, *gap; } Rows;

static Value *edge(Builder *b, Value *k, int64_t growth, int64_t start) { return plus(b, times(b, k, growth), start); }

/* What is before the first row is behind the last one. */
static Value *row_around(const Tiling *g, Builder *b, Value *row) {
    Value *before = build_binary(b, OP_LT, row, build_int(b, 0));
    return build_select(b, before, index_add(b, row, g->rows), row);
}

static void add_nest(Tiling *g, Builder *b, Cloner *c, int turn, int s, const Rows *rows) {
    const TimeLoop *t = g->t;
    const TimeStep *step = &t->step[s];
    int u = turn * t->nsteps + s;
    Value *right = edge(b, rows->k, t->grow_right, t->right[u]), *left = edge(b, rows->k, t->grow_left, t->left[u]);
    Value *lo = index_sub(b, rows->low, right), *hi = index_sub(b, rows->high, right);
    if (!t->ring) lo = at_least(b, lo, 0);
    lo = index_max(b, lo, index_add(b, rows->left, left));
    if (rows->gap) hi = build_select(b, rows->gap, index_add(b, rows->low, left), hi);
    if (step->axis < 0) {
        Value *row = g->row[s];
        Value *here = build_binary(b, OP_AND, build_binary(b, OP_LE, lo, row), build_binary(b, OP_LT, row, hi));
        Builder in;
        build_when(b, here, &in);
        clone_op(c, &in, step->nest);
        return;
    }
    Value *count = at_least(b, index_sub(b, index_min(b, hi, g->extent[s]), lo), 0);
    Op *nest = clone_op(c, b, step->nest);
    Value *iv = nest->regs[0]->args[step->axis];
    op_set_opnd(nest, step->axis, count);
    Builder in = builder_before(nest->regs[0]->first);
    Value *row = build_binary(&in, OP_ADD, lo, lo);
    Value *at = t->ring ? row_around(g, &in, row) : row;
    at->name = iv->name;
    value_replace_all(iv, at);
    op_set_opnd(row->def, 0, iv);
}

/* One period, `period` turns of the loop, on some rows */
static void add_period(Tiling *g, Builder *b, Value *first, const Rows *rows) {
    const TimeLoop *t = g->t;
    Arena *a = b->module->arena;
    Region *body = t->loop->regs[0];
    Value *turn = index_add(b, op_opnd(t->loop, 0), times(b, index_add(b, first, rows->k), t->by * t->period));
    for (int j = 0; j < t->period; j++) {
        Cloner c = {.module = b->module};
        map_put(a, &c.values, body->args[0], plus(b, turn, t->by * j));
        int s = 0;
        for (const Op *o = body->first; o != region_term(body); o = o->next) {
            if (o->code != OP_ISLAND) {
                if (o->code != OP_EMPTY && o->code != OP_RELEASE && o->code != OP_CHECK) clone_op(&c, b, o);
                continue;
            }
            for (int i = 0; i < o->nopnds; i++)
                map_put(a, &c.values, o->regs[0]->args[i],
                        g->island->regs[0]->args[g->arg[t->slot[j][loops_time_root(t, op_opnd(o, i))]]]);
            for (const Op *p = o->regs[0]->first; p != region_term(o->regs[0]); p = p->next) {
                if (p->code == OP_PARALLEL) add_nest(g, b, &c, j, s++, rows);
                else if (p->code != OP_CHECK) clone_op(&c, b, p);
            }
        }
    }
}

static Value *open_for(Builder *b, Value *lo, Value *hi, Value *step, const char *name, Builder *in) {
    Op *loop = build_for(b, lo, hi, step, 0, NULL);
    Builder end = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&end, 0, NULL);
    *in = builder_before(region_term(loop->regs[0]));
    loop->regs[0]->args[0]->name = intern(b->module->session, name);
    return loop->regs[0]->args[0];
}

static Value *open_tiles(Builder *b, Value *n, Builder *in) {
    Op *loop = build_plain_parallel(b, 1, &n, in);
    op_set_flag(loop, A_TILES);
    loop->regs[0]->args[0]->name = intern(b->module->session, "tile");
    return loop->regs[0]->args[0];
}

/* A row depends on others than itself. */
static bool has_gaps(const TimeLoop *t) { return t->grow_left || t->grow_right || slack(t) > 1; }

/* The row with which tile i begins; where rows go around the last one is not shorter than the others. */
static Value *start_of(const Tiling *g, Builder *b, Value *i) {
    if (!g->t->ring) return index_mul(b, i, g->width);
    return quotient(b, index_mul(b, i, g->rows), g->tiles);
}

/* A band is two phases, of the same rows of code: the tiles, then the gaps between them, a tile's worth of one row. */
static void add_bands(Tiling *g) {
    const TimeLoop *t = g->t;
    Builder b = builder_before(region_term(g->island->regs[0])), band, phase, tile, chunk, in;
    b.span = g->b.span;
    Value *zero = build_int(&b, 0), *one = build_int(&b, 1), *before = build_int(&b, -((int64_t)1 << 40));
    Value *bands = quotient(&b, plus(&b, index_add(&b, g->done, g->turns), -1), g->turns);
    Value *first = open_for(&b, zero, bands, one, "band", &band), *is_gap = NULL, *skip = zero;
    g->bands = first->region->owner;
    first = index_mul(&band, first, g->turns);
    Value *turns = index_min(&band, g->turns, index_sub(&band, g->done, first));
    int64_t last_edge = most(t->right, t->period * t->nsteps);
    Value *end = index_add(&band, g->rows, edge(&band, plus(&band, turns, -1), t->grow_right, last_edge));

    phase = band;
    if (has_gaps(t)) {
        skip = open_for(&band, zero, plus(&band, one, 1), one, "phase", &phase);
        is_gap = build_binary(&phase, OP_EQ, skip, one);
    }
    if (t->ring) skip = zero; /* there is a gap before the first one, too */
    Value *i = open_tiles(&phase, index_sub(&phase, g->tiles, skip), &tile), *next = plus(&tile, i, 1);
    Value *start = start_of(g, &tile, index_add(&tile, i, skip)), *stop = start_of(g, &tile, next);
    Rows rows = {.left = start, .gap = is_gap};
    if (!t->ring) {
        stop = build_select(&tile, build_binary(&tile, OP_EQ, next, g->tiles), end, index_add(&tile, start, g->width));
        rows.left = build_select(&tile, build_binary(&tile, OP_EQ, i, zero), before, start);
    }
    if (is_gap) {
        rows.left = build_select(&tile, is_gap, before, rows.left);
        stop = build_select(&tile, is_gap, plus(&tile, start, 1), stop);
    }
    rows.low = open_for(&tile, start, stop, g->chunk, "row", &chunk);
    rows.high = index_min(&chunk, index_add(&chunk, rows.low, g->chunk), stop);
    rows.k = open_for(&chunk, zero, turns, one, "turn", &in);
    add_period(g, &in, first, &rows);
}

/* The turns that are left begin where the bands end. */
static void shorten(Tiling *g) {
    const TimeLoop *t = g->t;
    Builder after = builder_before(t->loop);
    int r = 0;
    for (int k = 0; k < t->nroots; k++) {
        if (!t->written[k]) continue;
        Value *result = &g->island->res[r++];
        if (k < t->ncarried) op_set_opnd(t->loop, 3 + k, result);
        else build_op(&after, OP_RELEASE, 1, &result, 0, NULL, 0);
    }
    op_set_opnd(t->loop, 0, index_add(&after, op_opnd(t->loop, 0), times(&after, g->done, t->by * t->period)));
}

/* No turn is left behind the bands, as far as is known. */
static bool is_over(const Tiling *g) {
    int64_t from, to;
    const Op *loop = g->t->loop;
    bool known = value_const_int(op_opnd(loop, 0), &from) && value_const_int(op_opnd(loop, 1), &to);
    return g->all || (known && (g->t->by > 0 ? from >= to : from <= to));
}

/* Whether there are bands, as far as is known */
static bool plan(Tiling *g, TimeLoop *t) {
    int64_t done;
    *g = (Tiling){.t = t, .b = builder_before(t->loop), .outside = {.module = t->loop->parent->func->module}};
    g->b.span = t->loop->span;
    find_extents(g);
    find_periods(g);
    return !value_const_int(g->done, &done) || done;
}

static void tile(Tiling *g) {
    TimeLoop *t = g->t;
    find_tiles(g);
    add_checks(g);
    open_island(g);
    add_bands(g);
    shorten(g);
    if (op_flag(t->loop, A_PROGRESS)) op_set_flag(g->bands, A_PROGRESS);
    if (!is_over(g)) return;
    for (int i = 0; i < t->ncarried; i++) value_replace_all(&t->loop->res[i], op_opnd(t->loop, 3 + i));
    op_erase(t->loop);
}

static bool fits(Tiling *g, TimeLoop *t, Op *loop) {
    return loops_time_read(t, loop) && region_count_ops(loop->regs[0]) * t->period <= MAX_OPS && plan(g, t);
}

/* The loop, or a copy in its place with its nests split; where that would not be tiled the loop stays as it was. */
static bool find(Tiling *g, TimeLoop *t, Op *loop) {
    if (fits(g, t, loop)) return true;
    Op *apart = loop->code == OP_FOR ? loops_time_split(loop) : NULL;
    bool good = apart && fits(g, t, apart);
    if (good) op_replace(loop, apart);
    else if (apart) op_erase(apart);
    return good;
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        TimeLoop t;
        Tiling g;
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (find(&g, &t, o)) tile(&g);
    }
}

void pass_time_tile(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        if (m->funcs.data[i]->kind == FUNC_EXTERN) continue;
        visit(m->funcs.data[i]->body);
        loops_mark(m->funcs.data[i]);
    }
}
