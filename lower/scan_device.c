/* Scans on a GPU, by the definition of scan.c: a block of a warp scans ROWS chunks side by side, a thread for each.  A
 * thread goes through its chunk in order; the elements come and go through shared memory, COLS of each chunk at a time,
 * so that threads read and write beside each other.  Of the totals of the chunks, which are few, the host makes those
 * of all chunks before.  Where elements cost no more than to read them, blocks take the totals first, and then write
 * each element once; else they write elements as of their chunks alone, which then take what stands before. */
#include "lower/fold.h"

enum { THREADS = 32, ROWS = 8, COLS = 128 };

/* What a launch of blocks writes: totals of chunks; elements of each chunk by itself, and totals; elements, from the
 * totals of the chunks before */
typedef enum { TOTALS, ALONE, AFTER } Pass;

typedef struct {
    Fold *f;
    Pass pass;
    bool whole;                 /* the block's chunks all are */
    Value *n, *chunks;          /* elements, chunks */
    Value *const *outs, *const *totals;
    Value **tile;               /* shared buffers, one per value: chunk, element */
    Value **before;             /* AFTER: the total of the chunks before the thread's */
    Value *first, *thread;      /* the block's first chunk; which thread this is */
} Scan;

static Value *plus(Builder *b, Value *x, Value *y) { return build_binary(b, OP_ADD, x, y); }
static Value *times(Builder *b, Value *x, int64_t k) { return build_binary(b, OP_MUL, x, build_int(b, k)); }

/* A row has one element more than it holds: threads that look at one element of each row use different banks. */
static void tiles(Builder *b, Scan *s) {
    Session *session = b->module->session;
    const Size *dims[] = {size_const(session, ROWS), size_const(session, COLS + 1)};
    for (int i = 0; i < s->f->nvals; i++)
        s->tile[i] = build_shared(b, s->f->op->res[i].type->dtype, 2, dims, "tile");
}

static void barrier(Builder *b, const Scan *s) { build_op(b, OP_BARRIER, 1, (Value **)&s->thread, 0, NULL, 0); }

static void tile_load(Builder *b, const Scan *s, Value *row, Value *col, Value **out) {
    for (int i = 0; i < s->f->nvals; i++) {
        out[i] = load_safe(b, s->tile[i], 2, (Value *[]){row, col});
    }
}

static void tile_store(Builder *b, const Scan *s, Value *const *v, Value *row, Value *col) {
    for (int i = 0; i < s->f->nvals; i++)
        store_safe(b, v[i], s->tile[i], 2, (Value *[]){row, col});
}

/* An element of the array, and where it is in the tile */
static void move_one(Builder *b, const Scan *s, Value *i, Value *row, Value *col, bool in) {
    Value **v = NEWN(fold_arena(s->f), Value *, s->f->nvals);
    if (in) {
        fold_element(s->f, b, &i, v);
        tile_store(b, s, v, row, col);
    } else {
        tile_load(b, s, row, col, v);
        scan_store(b, s->f, v, s->outs, i);
    }
}

/* Between an array and the tile, a row after the other: threads have elements beside each other */
static void move(Builder *b, const Scan *s, Value *at, bool in) {
    Op *rows = build_for(b, build_int(b, 0), build_int(b, ROWS), build_int(b, 1), 0, NULL);
    Builder row = builder_at_end(b->module, rows->regs[0], b->span);
    Op *parts = build_for(&row, build_int(&row, 0), build_int(&row, COLS), build_int(&row, THREADS), 0, NULL);
    build_yield(&row, 0, NULL);
    Builder each = builder_at_end(b->module, parts->regs[0], b->span), inside;
    Value *r = rows->regs[0]->args[0], *col = plus(&each, parts->regs[0]->args[0], s->thread);
    Value *i = plus(&each, times(&each, plus(&each, s->first, r), SCAN_CHUNK), plus(&each, at, col));
    if (s->whole) move_one(&each, s, i, r, col, in);
    else {
        build_when(&each, build_binary(&each, OP_LT, i, s->n), &inside);
        move_one(&inside, s, i, r, col, in);
    }
    build_yield(&each, 0, NULL);
}

/* acc and the next element, the first of its chunk where `begins` holds */
static void step(Builder *b, const Scan *s, Value *begins, Value *const *acc, Value *const *v, Value **out) {
    int n = s->f->nvals;
    if (scan_has_start(s->f)) {
        fold_combine(s->f, b, acc, v, out);
        return;
    }
    const Type **types = NEWN(fold_arena(s->f), const Type *, n);
    Value **sum = NEWN(fold_arena(s->f), Value *, n);
    for (int i = 0; i < n; i++) types[i] = v[i]->type;
    Op *op = build_if(b, begins, n, types);
    Builder first = builder_at_end(b->module, op->regs[0], b->span),
            later = builder_at_end(b->module, op->regs[1], b->span);
    build_yield(&first, n, v);
    fold_combine(s->f, &later, acc, v, sum);
    build_yield(&later, n, sum);
    for (int i = 0; i < n; i++) out[i] = &op->res[i];
}

/* The thread's row of the tile, whose first element is at `at` of the chunk, from what the chunk has come to */
static void scan_row(Builder *b, const Scan *s, Value *at, Value *const *acc, Value **out) {
    int n = s->f->nvals;
    Value *lo = plus(b, times(b, plus(b, s->first, s->thread), SCAN_CHUNK), at), *len = build_int(b, COLS);
    if (!s->whole) len = build_binary(b, OP_MIN, build_binary(b, OP_SUB, s->n, lo), len);
    Op *loop = build_for(b, build_int(b, 0), len, build_int(b, 1), n, acc);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *k = loop->regs[0]->args[0], **v = NEWN(fold_arena(s->f), Value *, 2 * n), **w = v + n;
    tile_load(&in, s, s->thread, k, v);
    Value *begins = build_binary(&in, OP_EQ, plus(&in, at, k), build_int(&in, 0));
    step(&in, s, begins, loop->regs[0]->args + 1, v, v);
    if (s->pass == AFTER) fold_combine(s->f, &in, s->before, v, w);
    if (s->pass != TOTALS) tile_store(&in, s, s->pass == AFTER ? w : v, s->thread, k);
    build_yield(&in, n, v);
    for (int i = 0; i < n; i++) out[i] = &loop->res[i];
}

/* Those threads that have a chunk */
static void scan_rows(Builder *b, const Scan *s, Value *at, Value *const *acc, Value **out) {
    int n = s->f->nvals;
    const Type **types = NEWN(fold_arena(s->f), const Type *, n);
    for (int i = 0; i < n; i++) types[i] = acc[i]->type;
    Op *op = build_if(b, build_binary(b, OP_LT, s->thread, build_int(b, ROWS)), n, types);
    Builder mine = builder_at_end(b->module, op->regs[0], b->span),
            none = builder_at_end(b->module, op->regs[1], b->span);
    scan_row(&mine, s, at, acc, out);
    build_yield(&mine, n, out);
    build_yield(&none, n, (Value **)acc);
    for (int i = 0; i < n; i++) out[i] = &op->res[i];
}

/* The thread has a chunk, and it is one of the array's. */
static Value *has_chunk(Builder *b, const Scan *s, Value *c) {
    Value *mine = build_binary(b, OP_LT, s->thread, build_int(b, ROWS));
    return build_binary(b, OP_AND, mine, build_binary(b, OP_LT, c, s->chunks));
}

static void put_total(Builder *b, const Scan *s, Value *const *v) {
    Value *c = plus(b, s->first, s->thread);
    Builder inside;
    build_when(b, has_chunk(b, s, c), &inside);
    scan_store(&inside, s->f, v, s->totals, c);
}

/* What stands before the thread's chunk; threads without one have some other */
static void take_before(Builder *b, Scan *s) {
    Value *c = plus(b, s->first, s->thread);
    scan_load(b, s->f, s->totals, index_min(b, c, index_sub(b, s->chunks, build_int(b, 1))), s->before);
}

static void block_body(Builder *b, Scan *s) {
    int n = s->f->nvals;
    Value **v = NEWN(fold_arena(s->f), Value *, n), **start = NEWN(fold_arena(s->f), Value *, n);
    Value *end = build_int(b, SCAN_CHUNK);
    if (!s->whole) end = build_binary(b, OP_MIN, s->n, end);
    scan_start(b, s->f, start);
    if (s->pass == AFTER) take_before(b, s);
    Op *loop = build_for(b, build_int(b, 0), end, build_int(b, COLS), n, start);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *at = loop->regs[0]->args[0];
    move(&in, s, at, true);
    barrier(&in, s);
    scan_rows(&in, s, at, loop->regs[0]->args + 1, v);
    barrier(&in, s);
    if (s->pass != TOTALS) {
        move(&in, s, at, false);
        barrier(&in, s);
    }
    build_yield(&in, n, v);
    for (int i = 0; i < n; i++) v[i] = &loop->res[i];
    if (s->pass != AFTER) put_total(b, s, v);
}

/* All blocks but the last have whole chunks, whose elements need not be asked for one by one. */
static void scan_blocks(Builder *b, Scan *s) {
    Value *rows = build_int(b, ROWS), *threads = build_int(b, THREADS);
    Value *blocks = idiv_safe(b, plus(b, s->chunks, build_int(b, ROWS - 1)), rows);
    Op *launch = build_parallel(b, 1, &blocks, LOOP_BLOCK);
    Builder in = builder_at_end(b->module, launch->regs[0], b->span);
    tiles(&in, s);
    Op *loop = build_parallel(&in, 1, &threads, LOOP_THREAD);
    Builder body = builder_at_end(b->module, loop->regs[0], b->span);
    s->thread = loop->regs[0]->args[0];
    s->first = times(&body, launch->regs[0]->args[0], ROWS);
    Value *end = times(&body, plus(&body, s->first, rows), SCAN_CHUNK);
    Op *choice = build_if(&body, build_binary(&body, OP_LE, end, s->n), 0, NULL);
    for (int i = 0; i < 2; i++) {
        Builder way = builder_at_end(b->module, choice->regs[i], b->span);
        s->whole = i == 0;
        block_body(&way, s);
        build_yield(&way, 0, NULL);
    }
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
}

/* Elements behind the first chunk take the total of the chunks before theirs. */
static void take_totals(Builder *b, const Scan *s) {
    Builder in;
    int nv = s->f->nvals;
    Value *rest = index_max(b, index_sub(b, s->n, build_int(b, SCAN_CHUNK)), build_int(b, 0));
    Value *j = build_plain_parallel(b, 1, &rest, &in)->regs[0]->args[0], *at = plus(&in, j, build_int(&in, SCAN_CHUNK));
    Value *c = idiv_safe(&in, j, build_int(&in, SCAN_CHUNK)), **v = NEWN(fold_arena(s->f), Value *, 2 * nv);
    scan_load(&in, s->f, s->totals, c, v);
    scan_load(&in, s->f, s->outs, at, v + nv);
    fold_combine(s->f, &in, v, v + nv, v);
    scan_store(&in, s->f, v, s->outs, at);
}

/* An island that goes on with the tensors x, of which it reads the last `reads` alone; its buffers are those of s. */
static Op *island_over(Builder *b, Scan *s, int n, Value *const *x, int64_t mode, int reads) {
    int64_t *modes = NEWN(fold_arena(s->f), int64_t, n);
    for (int i = 0; i < n; i++) modes[i] = i < n - reads ? mode : 0;
    Op *island = build_island(b, n, x, modes);
    s->outs = island->regs[0]->args, s->totals = s->outs + (n > s->f->nvals ? s->f->nvals : 0);
    return island;
}

/* Blocks over the arrays x, results and totals */
static void launch(Builder *b, Scan *s, Pass pass, Value **x) {
    int nv = s->f->nvals, writes = pass == ALONE ? 2 * nv : nv;
    s->pass = pass;
    Op *blocks = pass == ALONE    ? island_over(b, s, 2 * nv, x, 1, 0)
                 : pass == TOTALS ? island_over(b, s, nv, x + nv, 1, 0)
                                  : island_over(b, s, 2 * nv, x, 1, nv);
    Builder in = builder_at_end(b->module, blocks->regs[0], b->span);
    scan_blocks(&in, s);
    island_finish(blocks, false);
    for (int i = 0; i < writes; i++) x[pass == TOTALS ? nv + i : i] = &blocks->res[i];
}

static void on_host(Builder *b, Scan *s, Value **x, void totals(Builder *, Fold *, Value *const *, Value *)) {
    int nv = s->f->nvals;
    Op *before = island_over(b, s, nv, x + nv, 2, 0);
    Builder in = builder_at_end(b->module, before->regs[0], b->span);
    totals(&in, s->f, s->totals, s->chunks);
    island_finish(before, false);
    for (int i = 0; i < nv; i++) x[nv + i] = &before->res[i];
}

static void take_up(Builder *b, Scan *s, Value **x) {
    int nv = s->f->nvals;
    Op *carry = island_over(b, s, 2 * nv, x, 2, nv);
    Builder in = builder_at_end(b->module, carry->regs[0], b->span);
    take_totals(&in, s);
    island_finish(carry, false);
    for (int i = 0; i < nv; i++) x[i] = &carry->res[i];
}

void scan_on_device(Fold *f) {
    Builder b = builder_before(f->op);
    Session *session = b.module->session;
    Arena *a = fold_arena(f);
    int nv = f->nvals;
    const Size *dim = f->op->res[0].type->dims[0], *count = fold_chunks(session, dim, SCAN_CHUNK);
    Value **x = NEWN(a, Value *, 2 * nv);
    int64_t c;
    Scan s = {.f = f, .n = build_size(&b, dim), .chunks = build_size(&b, count), .tile = NEWN(a, Value *, nv),
              .before = NEWN(a, Value *, nv)};
    bool one = value_const_int(s.chunks, &c) && c <= 1;
    for (int i = 0; i < 2 * nv; i++) {
        const Value *r = &f->op->res[i % nv];
        x[i] = i < nv ? build_empty(&b, r->type, r->name)
                      : build_empty(&b, type_tensor(session, r->type->dtype, 1, &count), intern(session, "total"));
    }
    if (!one && scan_is_cheap(f, true)) {
        launch(&b, &s, TOTALS, x);
        on_host(&b, &s, x, scan_totals_before);
        launch(&b, &s, AFTER, x);
    } else {
        launch(&b, &s, ALONE, x);
        if (!one) on_host(&b, &s, x, scan_totals), take_up(&b, &s, x);
    }
    for (int i = 0; i < nv; i++) value_replace_all(&f->op->res[i], x[i]);
    op_erase(f->op);
}
