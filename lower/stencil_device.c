/* stencil-tiles: loops of a GPU each of whose elements reads several neighbours of an array, y[i, j] = x[i - 1, j] +
 * x[i + 1, j] + ..: threads beside each other read the same elements.
 *
 * Needs stage loops; leaves launches in place of loops over elements.  A block takes a tile of x, with the halo that
 * its elements reach into, to shared memory, each element once; after one barrier it reads neighbours there.
 *
 * The cache of a multiprocessor is the same memory, and gives neighbours to who reads them soon; so a tile pays where
 * an element reads many neighbours and the halo is small beside the tile: by the usual choice from MANY reads on, GAIN
 * for each that a tile takes.  After: Micikevicius: 3D finite difference computation on GPUs using CUDA, GPGPU 2009. */
#include "lower/lower.h"

#include <string.h>

enum {
    THREADS = 256,
    WIDE = 32, /* of a tile, along the last axis; THREADS where it is the only one that neighbours lie along */
    HIGH = 8, DEEP = 4, /* along the next two such axes */
    MOST_TILES = 4,
    MOST_BYTES = 24 << 10, /* of a block: several are on a multiprocessor */
    MOST_TURNS = 32,
    FEW = 16, /* elements along the last axis are no rows */
    MANY = 12, GAIN = 4,
    SOME = 3, SOME_GAIN = 2, /* where it is asked for */
    TOLD = 3,
};

/* An index: the loop's index of `axis` (-1: none) plus lo to hi */
typedef struct { bool ok; int axis; int64_t lo, hi; } Reach;

/* The reads of an array */
typedef struct {
    Value *array, *tile;
    Reach reach[MAX_RANK];  /* of its axes, of all reads */
    VEC(Op *) loads;
    int64_t reads;          /* of an element of the loop: different ones, at most */
    int64_t extent[MAX_RANK], elements; /* of its tile */
    bool out;
} Near;

typedef struct {
    Op *loop;
    Arena *arena;
    int n;
    Near near[MOST_TILES];
    int64_t tile[MAX_RANK]; /* elements of the loop that a block does, along its axes */
    Value *origin[MAX_RANK]; /* the first of them */
    Value *thread;
} Stencil;

/* ---- reading indices */

static const Reach no_reach = {.ok = false};

static bool is_inside(const Stencil *s, const Value *v) { return region_encloses(s->loop->regs[0], value_region(v)); }

/* Of a loop inside, of few turns that are known */
static Reach reach_of_turns(const Op *loop) {
    int64_t lo, step, turns;
    if (loop->code != OP_FOR || !loop_turns(loop, &turns) || turns < 1 || turns > MOST_TURNS) return no_reach;
    if (!value_const_int(op_opnd(loop, 0), &lo) || !value_const_int(op_opnd(loop, 2), &step) || step < 1)
        return no_reach;
    return (Reach){true, -1, lo, lo + (turns - 1) * step};
}

static Reach reach_of(const Stencil *s, const Value *v) {
    int64_t c;
    if (value_const_int(v, &c)) return c > INT32_MAX || c < INT32_MIN ? no_reach : (Reach){true, -1, c, c};
    if (!v->def && v->region == s->loop->regs[0]) return (Reach){true, v->index, 0, 0};
    if (!v->def && v->index == 0 && is_inside(s, v)) return reach_of_turns(v->region->owner);
    if (!v->def || !is_inside(s, v) || (v->def->code != OP_ADD && v->def->code != OP_SUB)) return no_reach;
    Reach x = reach_of(s, op_opnd(v->def, 0)), y = reach_of(s, op_opnd(v->def, 1));
    bool minus = v->def->code == OP_SUB;
    if (!x.ok || !y.ok || (y.axis >= 0 && (minus || x.axis >= 0))) return no_reach;
    Reach sum = {true, x.axis >= 0 ? x.axis : y.axis, x.lo + y.lo, x.hi + y.hi};
    if (minus) sum.lo = x.lo - y.hi, sum.hi = x.hi - y.lo;
    return sum;
}

/* How often an element comes to op; 0: not known */
static int64_t times_of(const Stencil *s, const Op *op) {
    int64_t n = 1, turns;
    for (const Op *o = op->parent->owner; o != s->loop; o = o->parent->owner) {
        if (o->code == OP_IF) continue;
        if (o->code != OP_FOR || !loop_turns(o, &turns) || turns > MOST_TURNS) return 0;
        n *= turns;
    }
    return n;
}

/* ---- which reads */

static Near *near_of(Stencil *s, Value *array) {
    for (int i = 0; i < s->n; i++)
        if (s->near[i].array == array) return &s->near[i];
    if (s->n == MOST_TILES) return NULL;
    s->near[s->n] = (Near){.array = array};
    return &s->near[s->n++];
}

/* The reach of its indices; the last goes with the loop's last, each other with one of the loop's or none. */
static bool reach_of_load(const Stencil *s, const Op *load, Reach *out) {
    int rank = load->nopnds - 1, last = s->loop->nopnds - 1;
    for (int d = 0; d < rank; d++) {
        out[d] = reach_of(s, op_opnd(load, 1 + d));
        if (!out[d].ok) return false;
        for (int e = 0; e < d; e++)
            if (out[d].axis >= 0 && out[e].axis == out[d].axis) return false;
    }
    return rank > 0 && out[rank - 1].axis == last;
}

static void add_load(void *ctx, Op *op) {
    Stencil *s = ctx;
    Reach reach[MAX_RANK];
    if (op->code != OP_LOAD || is_inside(s, op_opnd(op, 0)) || op_opnd(op, 0)->def) return;
    int64_t times = op_flag(op, A_SAFE) ? times_of(s, op) : 0;
    if (!times || !reach_of_load(s, op, reach)) return;
    Near *n = near_of(s, op_opnd(op, 0));
    if (!n) return;
    for (int d = 0; d < op->nopnds - 1; d++) {
        Reach *r = &n->reach[d];
        if (n->loads.len && r->axis != reach[d].axis) return;
        if (!n->loads.len) *r = reach[d];
    }
    for (int d = 0; d < op->nopnds - 1; d++) {
        Reach *r = &n->reach[d];
        r->lo = reach[d].lo < r->lo ? reach[d].lo : r->lo;
        r->hi = reach[d].hi > r->hi ? reach[d].hi : r->hi;
    }
    n->reads += times;
    vec_push(s->arena, &n->loads, op);
}

/* ---- tiles, and whether they pay */

/* Neighbours lie along this axis of the loop. */
static bool is_reached(const Stencil *s, int axis) {
    for (int i = 0; i < s->n; i++)
        for (int d = 0; d < s->near[i].array->type->rank; d++) {
            const Reach *r = &s->near[i].reach[d];
            if (!s->near[i].out && r->axis == axis && r->hi > r->lo) return true;
        }
    return false;
}

static void choose_tile(Stencil *s) {
    static const int64_t others[] = {HIGH, DEEP};
    int last = s->loop->nopnds - 1, found = 0;
    for (int a = last - 1; a >= 0; a--) s->tile[a] = is_reached(s, a) && found < 2 ? others[found++] : 1;
    s->tile[last] = found ? WIDE : THREADS;
}

static void measure(Stencil *s, Near *n) {
    n->elements = 1;
    for (int d = 0; d < n->array->type->rank; d++) {
        const Reach *r = &n->reach[d];
        n->extent[d] = (r->axis >= 0 ? s->tile[r->axis] : 1) + r->hi - r->lo;
        n->elements = n->extent[d] > MOST_BYTES ? MOST_BYTES + 1 : n->elements * n->extent[d];
        if (n->elements > MOST_BYTES) n->elements = MOST_BYTES + 1;
    }
}

static int64_t bytes_of(const Near *n) { return n->elements * dtype_info(n->array->type->dtype)->bytes; }

static int64_t tile_elements(const Stencil *s) {
    int64_t all = 1;
    for (int a = 0; a < s->loop->nopnds; a++) all *= s->tile[a];
    return all;
}

/* reads of an element, against those that bringing its part of the tile takes */
static bool pays(const Stencil *s, const Near *n, bool asked) {
    int64_t all = tile_elements(s);
    int64_t many = asked ? SOME : MANY, gain = asked ? SOME_GAIN : GAIN;
    return n->reads >= many && n->reads * all >= gain * n->elements;
}

static const char *note_of(const Stencil *s, const Near *n, bool tiled) {
    static const char left[] = "reads %lld neighbours of '%s' for an element, which the cache serves; a tile in shared "
                               "memory would take %.1f (--choose=stencil-tiles=yes)";
    Session *session = s->loop->parent->func->module->session;
    const char *name = n->array->name ? n->array->name : "an array";
    double each = (double)n->elements / (double)tile_elements(s);
    long long reads = n->reads;
    return tiled ? intern_printf(session, "tiles of '%s' in shared memory: %lld reads of an element become %.1f", name,
                                 reads, each)
                 : intern_printf(session, left, reads, name, each);
}

static void tell(const Stencil *s, Op *op, bool tiled) {
    Session *session = s->loop->parent->func->module->session;
    for (int i = 0; i < s->n; i++) {
        const Near *n = &s->near[i];
        const char *before = op_sym(op, A_MSG);
        if (n->out || n->reads < TOLD) continue;
        const char *note = note_of(s, n, tiled);
        op_set_sym(op, A_MSG, before ? intern_printf(session, "%s\n%s", before, note) : note);
    }
}

static void drop(Stencil *s, bool asked) {
    for (int i = 0; i < s->n; i++) s->near[i].out |= !pays(s, &s->near[i], asked);
}

static bool any_left(const Stencil *s) {
    for (int i = 0; i < s->n; i++)
        if (!s->near[i].out) return true;
    return false;
}

/* As many as fit */
static void fit(Stencil *s) {
    int64_t bytes = 0;
    for (int i = 0; i < s->n; i++) {
        Near *n = &s->near[i];
        n->out |= bytes + bytes_of(n) > MOST_BYTES;
        if (!n->out) bytes += bytes_of(n);
    }
}

static bool has_few(const Stencil *s) {
    int64_t n;
    return value_const_int(op_opnd(s->loop, s->loop->nopnds - 1), &n) && n < FEW;
}

/* Different ones, at most; FEW * FEW is enough */
static int64_t elements_read(const Near *n) {
    int64_t all = 1;
    for (int d = 0; d < n->array->type->rank && all < FEW * FEW; d++) all *= n->reach[d].hi - n->reach[d].lo + 1;
    return all;
}

static bool find_neighbours(Stencil *s) {
    region_walk(s->loop->regs[0], add_load, s);
    for (int i = 0; i < s->n; i++) {
        Near *n = &s->near[i];
        n->reads = n->reads < elements_read(n) ? n->reads : elements_read(n);
        n->out = n->loads.len == 0 || n->reads < 2 || op_holds_write(s->loop, n->array);
    }
    choose_tile(s);
    for (int i = 0; i < s->n; i++) measure(s, &s->near[i]);
    return any_left(s) && !has_few(s);
}

static bool choose(Stencil *s, bool asked) {
    Stencil before = *s;
    drop(s, asked);
    if (any_left(s)) {
        choose_tile(s);
        for (int i = 0; i < s->n; i++) measure(s, &s->near[i]);
        drop(s, asked);
        fit(s);
    }
    if (any_left(s)) return true;
    tell(&before, s->loop, false);
    return false;
}

/* ---- what is made of them */

/* A loop over elements 0 to n of a tile of these extents, THREADS at a time; idx: where in the tile; inside: it is in
 * the tile, NULL: always */
static Builder each_of(Builder *b, const Stencil *s, int rank, const int64_t *extent, int64_t n, Value **idx,
                       Value **inside) {
    Value *extents[MAX_RANK];
    Op *loop = build_for(b, build_int(b, 0), build_int(b, n), build_int(b, THREADS), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&in, 0, NULL);
    in.before = region_term(loop->regs[0]);
    Value *e = index_add(&in, loop->regs[0]->args[0], s->thread);
    *inside = n % THREADS ? build_binary(&in, OP_LT, e, build_int(&in, n)) : NULL;
    for (int d = 0; d < rank; d++) extents[d] = build_int(&in, extent[d]);
    index_unflatten(&in, e, rank, extents, idx);
    return in;
}

/* The first element of the array along its axis d that the block's tile has */
static Value *first_of(Builder *b, const Stencil *s, const Near *n, int d) {
    const Reach *r = &n->reach[d];
    Value *lo = build_int(b, r->lo);
    return r->axis >= 0 ? index_add(b, s->origin[r->axis], lo) : lo;
}

static void bring(Builder *b, const Stencil *s, const Near *n) {
    const Type *t = n->array->type;
    Value *at[MAX_RANK], *from[MAX_RANK], *inside;
    Builder in = each_of(b, s, t->rank, n->extent, n->elements, at, &inside), some;
    for (int d = 0; d < t->rank; d++) {
        from[d] = index_add(&in, first_of(&in, s, n, d), at[d]);
        inside = build_both(&in, inside, build_inside(&in, from[d], build_size(&in, t->dims[d])));
    }
    build_when(&in, inside, &some);
    store_safe(&some, load_safe(&some, n->array, t->rank, from), n->tile, t->rank, at);
}

static void read_tile(const Stencil *s, const Near *n, Op *load) {
    Builder b = builder_before(load);
    Value *at[MAX_RANK];
    int rank = load->nopnds - 1;
    for (int d = 0; d < rank; d++) at[d] = index_sub(&b, op_opnd(load, 1 + d), first_of(&b, s, n, d));
    value_replace_all(&load->res[0], load_safe(&b, n->tile, rank, at));
    op_erase(load);
}

static void compute(Builder *b, const Stencil *s) {
    int rank = s->loop->nopnds;
    Value *at[MAX_RANK], *inside;
    Builder in = each_of(b, s, rank, s->tile, tile_elements(s), at, &inside), some;
    for (int a = 0; a < rank; a++) {
        at[a] = index_add(&in, s->origin[a], at[a]);
        inside = build_both(&in, inside, build_binary(&in, OP_LT, at[a], op_opnd(s->loop, a)));
    }
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->near[i].loads.len && !s->near[i].out; k++)
            read_tile(s, &s->near[i], s->near[i].loads.data[k]);
    build_when(&in, inside, &some);
    loop_body_to(&some, s->loop, at);
}

static Op *blocks(Builder *b, const Stencil *s, Value **extents) {
    Value *n = NULL;
    for (int a = 0; a < s->loop->nopnds; a++) {
        extents[a] = index_ceildiv(b, op_opnd(s->loop, a), s->tile[a]);
        n = n ? index_mul(b, n, extents[a]) : extents[a];
    }
    return build_parallel(b, 1, &n, LOOP_BLOCK);
}

static void make_tiles(Builder *b, Stencil *s) {
    Session *session = b->module->session;
    const Size *dims[MAX_RANK];
    for (int i = 0; i < s->n; i++) {
        Near *n = &s->near[i];
        const Type *t = n->array->type;
        for (int d = 0; d < t->rank; d++) dims[d] = size_const(session, n->extent[d]);
        if (!n->out) n->tile = build_shared(b, t->dtype, t->rank, dims, "tile");
    }
}

static void tile(Stencil *s) {
    Builder b = builder_before(s->loop);
    Value *extents[MAX_RANK], *threads = build_int(&b, THREADS);
    Op *grid = blocks(&b, s, extents);
    Builder in = builder_at_end(b.module, grid->regs[0], b.span);
    make_tiles(&in, s);
    index_unflatten(&in, grid->regs[0]->args[0], s->loop->nopnds, extents, s->origin);
    for (int a = 0; a < s->loop->nopnds; a++) s->origin[a] = index_mul(&in, s->origin[a], build_int(&in, s->tile[a]));
    Op *team = build_parallel(&in, 1, &threads, LOOP_THREAD);
    Builder body = builder_at_end(b.module, team->regs[0], b.span);
    s->thread = team->regs[0]->args[0];
    for (int i = 0; i < s->n; i++)
        if (!s->near[i].out) bring(&body, s, &s->near[i]);
    build_op(&body, OP_BARRIER, 1, &s->thread, 0, NULL, 0);
    tell(s, grid, true);
    compute(&body, s);
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
    op_erase(s->loop);
}

typedef struct { bool asked; } Asked;

static void visit(void *ctx, Op *op) {
    const Asked *a = ctx;
    if (op->code != OP_ISLAND || !island_is_launches(op)) return;
    for (Op *o = op->regs[0]->first, *next; o; o = next) {
        next = o->next;
        Stencil s = {.loop = o, .arena = op->parent->func->module->arena};
        bool can = loop_is_of_elements(o) && o->nopnds && loop_computes_alone(o) && !op_holds(o, OP_ATOMIC);
        if (!can || !find_neighbours(&s) || !choose(&s, a->asked)) continue;
        tile(&s);
        if (!op_sym(op, A_NAME)) op_set_sym(op, A_NAME, "stencil");
    }
}

void pass_stencil_tiles(Module *m, const PassOptions *opts) {
    Asked a = {choice_is(opts, CH_STENCIL_TILES, "yes")};
    for (int i = 0; i < m->funcs.len && opts->device; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, &a);
}
