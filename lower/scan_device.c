/* Scans on a GPU, by the definition of scan.c, in one launch that reads and writes each element once.
 *
 * A block does a chunk: its elements come into shared memory; each thread goes through a run, 16 threads through the
 * totals of the runs of a row, one through those of the rows.  What stands before the chunk it learns from the blocks
 * before (Merrill and Garland, Single-pass parallel prefix scan with decoupled look-back, NVIDIA NVR-2016-002), here
 * always from the same ones, so that the order of the sums is that of the definition: the total of each chunk, of each
 * group of 16 chunks, and of all up to the end of each 16 groups is signalled by who has it first; a block awaits those
 * that stand to the left of it in its group, of its group in the 16 around, and before these.  A GPU starts blocks in
 * order of their numbers, so nobody awaits a block that has no place to run.
 *
 * Values of more than 16 bytes do not fit: their elements wait where the results will be. */
#include "ir/index.h"
#include "lower/fold.h"

enum {
    THREADS = SCAN_CHUNK / SCAN_FAN, /* a run each */
    ROW = SCAN_FAN + 1,              /* of shared memory: threads that look at one of each row use different banks */
    TILE = THREADS * ROW,
    WARP = 32,
    MOST_BYTES = 16, /* of shared values */
    OWN = SCAN_FAN - 1 /* of 16 siblings no more than 15 stand before: here a block keeps what it made of them */
};

typedef struct {
    Fold *f;
    bool shared, whole;   /* elements wait in shared memory; what the last chunk lacks are neutral elements */
    Value *n, *chunks, *groups;
    Value *const *outs, *const *boxes;
    Value *const *tile;   /* shared, one buffer per value, as are: */
    Value *const *runs, *const *rows; /* totals, then what stands before in the row, in the chunk */
    Value *const *near, *const *far;  /* totals of chunks of the group; of groups around, and what stands before them */
    Value *const *room, *at, *side; /* where elements wait */
    int64_t stride;
    Value *chunk, *thread, *first; /* the block's chunk, its first element */
    Value *end;                    /* how many elements the array has from there on */
} Scan;

static Value *plus(Builder *b, Value *x, int64_t k) { return index_add(b, x, build_int(b, k)); }
static Value *times(Builder *b, Value *x, int64_t k) { return index_mul(b, x, build_int(b, k)); }
static Value *over(Builder *b, Value *x, int64_t k) { return index_floordiv(b, x, k); }
static Value *modulo(Builder *b, Value *x, int64_t k) { return imod_safe(b, x, build_int(b, k)); }
static Value *is(Builder *b, OpCode how, Value *x, int64_t k) { return build_binary(b, how, x, build_int(b, k)); }
static Value **values(const Scan *s) { return NEWN(fold_arena(s->f), Value *, s->f->nvals); }

static void barrier(Builder *b, const Scan *s) { build_op(b, OP_BARRIER, 1, (Value **)&s->thread, 0, NULL, 0); }

static Value **shared(Builder *b, const Scan *s, int64_t n, const char *name) {
    Value **bufs = values(s);
    const Size *size = size_const(b->module->session, n);
    for (int i = 0; i < s->f->nvals; i++) bufs[i] = build_shared(b, s->f->op->res[i].type->dtype, 1, &size, name);
    return bufs;
}

static void rooms(Builder *b, Scan *s) {
    if (s->shared) s->tile = shared(b, s, TILE, "tile");
    s->runs = shared(b, s, SCAN_FAN * ROW, "runs");
    s->rows = shared(b, s, SCAN_FAN, "rows");
    s->near = shared(b, s, SCAN_FAN, "near");
    s->far = shared(b, s, SCAN_FAN + 1, "far");
}

static Partial load(Builder *b, const Scan *s, Value *const *bufs, Value *at) {
    Value **v = values(s);
    scan_load(b, s->f, bufs, at, v);
    return scan_some(s->f, v);
}

static void store(Builder *b, const Scan *s, const Partial *x, Value *const *bufs, Value *at) {
    scan_store(b, s->f, x->v, bufs, at);
}

/* Where elements wait: the thread's run from `at` on, and those that it brings in from `side` on, STRIDE apart */
static void waiting_room(Builder *b, Scan *s) {
    if (s->shared) {
        s->room = s->tile, s->at = times(b, s->thread, ROW), s->stride = SCAN_FAN * ROW;
        s->side = index_add(b, s->thread, over(b, s->thread, SCAN_FAN));
    } else {
        s->room = s->outs, s->at = index_add(b, s->first, times(b, s->thread, SCAN_FAN)), s->stride = THREADS;
        s->side = index_add(b, s->first, s->thread);
    }
}

/* ---- between arrays and that room: threads have elements beside each other */

/* Element k of the thread's: where it is in the array, and where it waits */
typedef void EachFn(Builder *b, const Scan *s, Value *i, Value *at);

static void element_in(Builder *b, const Scan *s, Value *i, Value *at) {
    Value **v = values(s);
    fold_element(s->f, b, &i, v);
    scan_store(b, s->f, v, s->room, at);
}

static void element_out(Builder *b, const Scan *s, Value *i, Value *at) {
    Partial v = load(b, s, s->room, at);
    store(b, s, &v, s->outs, i);
}

/* Elements that the array does not have change nothing. */
static void nothing_in(Builder *b, const Scan *s, Value *i, Value *at) {
    (void)i;
    Partial none = scan_none(b, s->f);
    store(b, s, &none, s->room, at);
}

static void each_from(Builder *b, const Scan *s, Value *from, Value *to, EachFn *fn) {
    Op *loop = build_for(b, from, to, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *k = loop->regs[0]->args[0], *i = index_add(&in, index_add(&in, s->first, s->thread), times(&in, k, THREADS));
    fn(&in, s, i, index_add(&in, s->side, times(&in, k, s->stride)));
    build_yield(&in, 0, NULL);
}

/* rest: what is done for elements that the array does not have; NULL: nothing */
static void each(Builder *b, const Scan *s, EachFn *fn, EachFn *rest) {
    Value *none = build_int(b, 0), *all = build_int(b, SCAN_FAN);
    Op *choice = build_if(b, is(b, OP_GE, s->end, SCAN_CHUNK), 0, NULL);
    Builder whole = builder_at_end(b->module, choice->regs[0], b->span),
            last = builder_at_end(b->module, choice->regs[1], b->span);
    each_from(&whole, s, none, all, fn);
    build_yield(&whole, 0, NULL);
    Value *left = index_max(&last, index_sub(&last, s->end, s->thread), none);
    Value *has = index_ceildiv(&last, left, THREADS);
    each_from(&last, s, none, has, fn);
    if (rest) each_from(&last, s, has, all, rest);
    build_yield(&last, 0, NULL);
}

/* ---- totals */

/* Count totals from bufs[at] on, from left to right; replace: what stands before each takes its place. */
static Partial total_of(Builder *b, const Scan *s, Value *const *bufs, Value *at, Value *count, bool replace) {
    ScanTurns t = scan_turns_begin(b, s->f, count);
    Value *here = index_add(&t.in, at, t.i);
    Partial x = load(&t.in, s, bufs, here);
    if (replace) store(&t.in, s, &t.sum, bufs, here);
    Partial sum = scan_join(&t.in, s->f, &t.sum, &x), total = scan_turns_end(s->f, &t, &sum);
    return scan_behind(b, s->f, count, total.v);
}

/* Of the `all` parts of the chunk, each of so many elements, those of the 16 from `first` on that it has */
static Value *parts(Builder *b, const Scan *s, Value *first, int64_t elements) {
    if (s->whole) return build_int(b, SCAN_FAN);
    Value *left = index_sub(b, s->end, times(b, first, elements));
    return index_min(b, index_ceildiv(b, left, elements), build_int(b, SCAN_FAN));
}

static Value *run_length(Builder *b, const Scan *s) {
    Value *len = build_int(b, SCAN_FAN);
    return s->whole ? len : index_min(b, len, index_sub(b, s->end, times(b, s->thread, SCAN_FAN)));
}

/* The thread's run becomes what it is up to each element; its total goes into runs. */
static void scan_run(Builder *b, const Scan *s) {
    ScanTurns t = scan_turns_begin(b, s->f, run_length(b, s));
    Value *at = index_add(&t.in, s->at, t.i);
    Partial x = load(&t.in, s, s->room, at), sum = scan_join(&t.in, s->f, &t.sum, &x);
    store(&t.in, s, &sum, s->room, at);
    Partial total = scan_turns_end(s->f, &t, &sum);
    store(b, s, &total, s->runs, index_add(b, s->thread, over(b, s->thread, SCAN_FAN)));
}

/* In runs: what stands before each in the thread's row; the row's total */
static void scan_row(Builder *b, const Scan *s) {
    Value *count = parts(b, s, times(b, s->thread, SCAN_FAN), SCAN_FAN);
    Partial total = total_of(b, s, s->runs, times(b, s->thread, ROW), count, true);
    store(b, s, &total, s->rows, s->thread);
}

/* ---- what blocks tell each other: totals of chunks, of groups, of all up to the end of each 16 groups */

static void tell(Builder *b, const Scan *s, const Partial *x, Value *place) {
    for (int i = 0; i < s->f->nvals; i++) {
        Value *about[] = {x->v[i], s->boxes[i], place};
        build_op(b, OP_SIGNAL, 3, about, 0, NULL, 0);
    }
}

/* Threads from..from+count await the places from `first` on, one each, and leave what is there in bufs from `to` on. */
static void await(Builder *b, const Scan *s, int from, Value *count, Value *first, Value *const *bufs, int to) {
    Builder in;
    Value *i = plus(b, s->thread, -from), **got = values(s);
    Value *mine = build_binary(b, OP_AND, is(b, OP_GE, i, 0), build_binary(b, OP_LT, i, count));
    build_when(b, mine, &in);
    for (int k = 0; k < s->f->nvals; k++) {
        const Type *t = type_scalar(b->module->session, s->f->op->res[k].type->dtype);
        Value *box[] = {s->boxes[k], index_add(&in, first, i)};
        got[k] = &build_op(&in, OP_AWAIT, 2, box, 1, &t, 0)->res[0];
    }
    scan_store(&in, s->f, got, bufs, plus(&in, i, to));
}

/* Thread 0: the chunk's total, and in rows what stands before each */
static void scan_rows(Builder *b, const Scan *s, bool one) {
    Value *count = parts(b, s, build_int(b, 0), SCAN_FAN * SCAN_FAN);
    Partial total = total_of(b, s, s->rows, build_int(b, 0), count, true);
    if (one) return;
    tell(b, s, &total, s->chunk);
    store(b, s, &total, s->far, build_int(b, OWN));
}

/* Thread 0: what stands before the chunk in its group; of the last one of a group its total, too */
static void scan_group(Builder *b, const Scan *s, Value *place, Value *count) {
    Builder last;
    Partial before = total_of(b, s, s->near, build_int(b, 0), count, false);
    store(b, s, &before, s->near, build_int(b, OWN));
    build_when(b, is(b, OP_EQ, count, SCAN_FAN - 1), &last);
    Partial own = load(&last, s, s->far, build_int(&last, OWN)), total = scan_join(&last, s->f, &before, &own);
    tell(&last, s, &total, place);
    store(&last, s, &total, s->far, build_int(&last, OWN));
}

/* All before the 16 groups around */
static Partial chain_of(Builder *b, const Scan *s, Value *supers) {
    Op *choice = scan_if(b, s->f, is(b, OP_GT, supers, 0));
    Builder some = builder_at_end(b->module, choice->regs[0], b->span),
            none = builder_at_end(b->module, choice->regs[1], b->span);
    build_yield(&some, s->f->nvals, load(&some, s, s->far, build_int(&some, SCAN_FAN)).v);
    build_yield(&none, s->f->nvals, scan_none(&none, s->f).v);
    return scan_behind(b, s->f, supers, scan_results(s->f, choice));
}

/* Thread 0: what stands before the chunk, into near[0] */
static void scan_all(Builder *b, const Scan *s, Value *chunks, Value *groups, Value *supers, Value *place) {
    Builder last;
    Value **w = values(s), *zero = build_int(b, 0);
    Partial chain = chain_of(b, s, supers), left = total_of(b, s, s->far, zero, groups, false);
    Partial before = scan_join(b, s->f, &chain, &left);
    scan_load(b, s->f, s->near, build_int(b, OWN), w);
    Partial near = scan_behind(b, s->f, chunks, w), all = scan_join(b, s->f, &before, &near);
    store(b, s, &all, s->near, zero);
    Value *ends = build_binary(b, OP_AND, is(b, OP_EQ, chunks, SCAN_FAN - 1), is(b, OP_EQ, groups, SCAN_FAN - 1));
    build_when(b, ends, &last);
    Partial own = load(&last, s, s->far, build_int(&last, OWN)), total = scan_join(&last, s->f, &left, &own);
    total = scan_join(&last, s->f, &chain, &total);
    tell(&last, s, &total, place);
}

/* All threads: near[0] becomes what stands before the chunk, where there is something.  First the chunks of the group,
 * whose total others may await, then all before it: to await both at the same time is slower (an H100: by 5 %). */
static void look_back(Builder *b, const Scan *s) {
    Builder one;
    Value *group = over(b, s->chunk, SCAN_FAN), *super = over(b, group, SCAN_FAN);
    Value *chunks = modulo(b, s->chunk, SCAN_FAN), *groups = modulo(b, group, SCAN_FAN);
    Value *place = index_add(b, s->chunks, group), *end = index_add(b, index_add(b, s->chunks, s->groups), super);
    await(b, s, 0, chunks, index_sub(b, s->chunk, chunks), s->near, 0);
    barrier(b, s);
    build_when(b, is(b, OP_EQ, s->thread, 0), &one);
    scan_group(&one, s, place, chunks);
    await(b, s, WARP, groups, index_sub(b, place, groups), s->far, 0);
    await(b, s, 2 * WARP, index_min(b, super, build_int(b, 1)), plus(b, end, -1), s->far, SCAN_FAN);
    barrier(b, s);
    build_when(b, is(b, OP_EQ, s->thread, 0), &one);
    scan_all(&one, s, chunks, groups, super, end);
    barrier(b, s);
}

/* The thread's run takes what stands before it. */
static void take_before(Builder *b, const Scan *s, bool one) {
    Value *row = over(b, s->thread, SCAN_FAN), *run = modulo(b, s->thread, SCAN_FAN);
    Value **v = values(s), **w = values(s), **c = values(s);
    scan_load(b, s->f, s->rows, row, v);
    scan_load(b, s->f, s->runs, index_add(b, times(b, row, ROW), run), w);
    Partial rows = scan_behind(b, s->f, row, v), runs = scan_behind(b, s->f, run, w), before = rows;
    if (!one) {
        scan_load(b, s->f, s->near, build_int(b, 0), c);
        Partial carry = scan_behind(b, s->f, s->chunk, c);
        before = scan_join(b, s->f, &carry, &rows);
    }
    before = scan_join(b, s->f, &before, &runs);
    Op *loop = build_for(b, build_int(b, 0), run_length(b, s), build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *at = index_add(&in, s->at, loop->regs[0]->args[0]);
    Partial x = load(&in, s, s->room, at);
    x = scan_join(&in, s->f, &before, &x);
    store(&in, s, &x, s->room, at);
    build_yield(&in, 0, NULL);
}

/* ---- the launch */

/* What is done by those of the first threads whose part of so many elements is not empty */
static void by_first(Builder *b, const Scan *s, int64_t threads, int64_t elements, Builder *in) {
    Value *some = is(b, OP_LT, s->thread, threads);
    if (!s->whole) {
        Value *has = build_binary(b, OP_LT, times(b, s->thread, elements), s->end);
        some = threads == THREADS ? has : build_binary(b, OP_AND, some, has);
    } else if (threads == THREADS) some = build_bool(b, true);
    build_when(b, some, in);
}

static void chunk(Builder *b, const Scan *s, bool one) {
    Builder in;
    each(b, s, element_in, s->whole ? nothing_in : NULL);
    barrier(b, s);
    by_first(b, s, THREADS, SCAN_FAN, &in);
    scan_run(&in, s);
    barrier(b, s);
    by_first(b, s, SCAN_FAN, SCAN_FAN * SCAN_FAN, &in);
    scan_row(&in, s);
    barrier(b, s);
    build_when(b, is(b, OP_EQ, s->thread, 0), &in);
    scan_rows(&in, s, one);
    if (one) barrier(b, s);
    else look_back(b, s);
    by_first(b, s, THREADS, SCAN_FAN, &in);
    take_before(&in, s, one);
    if (!s->shared) return;
    barrier(b, s);
    each(b, s, element_out, NULL);
}

static void blocks(Builder *b, Scan *s, bool one) {
    Value *threads = build_int(b, THREADS);
    Op *launch = build_parallel(b, 1, &s->chunks, LOOP_BLOCK);
    Builder in = builder_at_end(b->module, launch->regs[0], b->span);
    rooms(&in, s);
    Op *loop = build_parallel(&in, 1, &threads, LOOP_THREAD);
    Builder body = builder_at_end(b->module, loop->regs[0], b->span);
    s->chunk = launch->regs[0]->args[0];
    s->thread = loop->regs[0]->args[0];
    s->first = times(&body, s->chunk, SCAN_CHUNK);
    s->end = index_sub(&body, s->n, s->first);
    waiting_room(&body, s);
    chunk(&body, s, one);
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
}

/* ---- around it */

/* Boxes, in which there is nothing */
static Value *no_boxes(Builder *b, const Size *n) {
    Session *session = b->module->session;
    const Size *dims[] = {n, size_const(session, 2)};
    Value *boxes = build_empty(b, type_tensor(session, DT_I64, 2, dims), intern(session, "boxes"));
    Value *extents[] = {build_size(b, n), build_int(b, 2)};
    int64_t mode = 1;
    Op *island = build_island(b, 1, &boxes, &mode);
    Builder in = builder_at_end(b->module, island->regs[0], b->span), each;
    Op *loop = build_plain_parallel(&in, 2, extents, &each);
    store_safe(&each, build_int(&each, 0), island->regs[0]->args[0], 2, loop->regs[0]->args);
    island_finish(island, false);
    return &island->res[0];
}

static int64_t bytes_of(const Fold *f) {
    int64_t bytes = 0;
    for (int i = 0; i < f->nvals; i++) bytes += dtype_info(f->op->res[i].type->dtype)->bytes;
    return bytes;
}

void scan_on_device(Fold *f) {
    Builder b = builder_before(f->op);
    Session *session = b.module->session;
    int nv = f->nvals;
    const Size *dim = f->op->res[0].type->dims[0], *chunks = fold_chunks(session, dim, SCAN_CHUNK),
               *groups = fold_chunks(session, dim, scan_span(SCAN_CHUNK_LEVEL + 1)),
               *supers = fold_chunks(session, dim, scan_span(SCAN_LEVELS)),
               *places = size_add(session, size_add(session, chunks, groups), supers);
    Scan s = {.f = f, .n = build_size(&b, dim), .chunks = build_size(&b, chunks), .groups = build_size(&b, groups)};
    s.shared = bytes_of(f) <= MOST_BYTES;
    s.whole = s.shared && !f->combine;
    int64_t c;
    bool one = value_const_int(s.chunks, &c) && c <= 1;
    int all = one ? nv : 2 * nv; /* operands: results, boxes */
    Value **x = NEWN(fold_arena(f), Value *, all);
    int64_t *modes = NEWN(fold_arena(f), int64_t, all);
    for (int i = 0; i < all; i++) {
        modes[i] = i < nv ? 1 : 2;
        x[i] = i < nv ? build_empty(&b, f->op->res[i].type, f->op->res[i].name) : no_boxes(&b, places);
    }
    Op *island = build_island(&b, all, x, modes);
    s.outs = island->regs[0]->args, s.boxes = s.outs + nv;
    Builder in = builder_at_end(b.module, island->regs[0], b.span);
    blocks(&in, &s, one);
    island_finish(island, false);
    for (int i = 0; i < nv; i++) value_replace_all(&f->op->res[i], &island->res[i]);
    op_erase(f->op);
}
