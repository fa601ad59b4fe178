/* Matrix products on a GPU.  A block computes a tile of the result.  It goes along the inner axis by some steps at a
 * time: its threads take these columns of the left tile and rows of the right one into shared memory, then each adds
 * to what it has of the result, in registers, all of these steps.  What is taken next comes from memory meanwhile.
 *
 * Every element is one sum over the inner axis, in order, each step rounded once (fma).  Outside of the matrices the
 * tiles are 0.
 *
 * After: Volkov, Demmel: Benchmarking GPUs to tune dense linear algebra, SC 2008; NVIDIA, CUTLASS: fast linear algebra
 * in CUDA C++, 2017. */
#include "lower/lower.h"

enum { THREADS = 256, WIDE_BYTES = 16, ENOUGH_BLOCKS = 128, SMALL = 32, MOST_OWN = 8, MOST_SUMS = 32, MOST_TAKEN = 8 };

/* A tile: rows and columns of the result, steps along the inner axis; rows and columns of each thread */
typedef struct { int64_t rows, cols, steps, tall, wide; } Shape;
static const Shape large = {128, 64, 8, 8, 4}, usual = {64, 64, 8, 4, 4}, small = {16, 16, 16, 1, 1};

/* An operand: its matrices, along whose outer axis the result's rows or columns lie */
typedef struct {
    Value *buf, *outer, *tile;  /* outer: its extent; tile: shared memory, step by row or column */
    bool inner_last;            /* the inner axis is the one whose elements lie side by side */
    int64_t span, pad;          /* rows or columns of a tile; elements between them that nobody uses */
} Side;

typedef struct {
    Shape shape;
    DType dtype;
    int leading;                /* axes before those of the matrices */
    Side side[2];
    Value *out, *inner, *rows, *cols, *stack[MAX_RANK];
    Value *thread, *first[2];   /* of the block: the first row, the first column */
    Value *own[2][MOST_OWN];    /* of the thread: its rows and its columns in the tile */
    int taken[2];               /* elements of each side's tile that a thread takes */
} Product;

static Value *plus(Builder *b, Value *x, int64_t k) { return index_add(b, x, build_int(b, k)); }
static Value *times(Builder *b, Value *x, int64_t k) { return index_mul(b, x, build_int(b, k)); }
static Value *over(Builder *b, Value *x, int64_t k) { return index_floordiv(b, x, k); }

static Value *rest(Builder *b, Value *x, int64_t k) {
    return k == 1 ? build_int(b, 0) : imod_safe(b, x, build_int(b, k));
}

static Value *both_less(Builder *b, Value *x, Value *n, Value *y, Value *m) {
    return build_binary(b, OP_AND, build_binary(b, OP_LT, x, n), build_binary(b, OP_LT, y, m));
}

/* ---- which shape */

static int64_t tiles(int64_t n, int64_t span) { return (n + span - 1) / span; }

/* Large tiles read least, where there are enough of them for all multiprocessors. */
static Shape shape_of(const Op *dot) {
    const Type *t = dot->res[0].type;
    int64_t rows, cols;
    bool known = size_is_const(t->dims[t->rank - 2], &rows) && size_is_const(t->dims[t->rank - 1], &cols);
    if (known && rows <= SMALL && cols <= SMALL) return small;
    if (t->dtype == DT_F64) return usual;
    return known && t->rank == 2 && tiles(rows, large.rows) * tiles(cols, large.cols) < ENOUGH_BLOCKS ? usual : large;
}

/* ---- from memory to the tiles */

/* Which row or column of the tile, and which step, element q of those that a thread takes is: threads beside each other
 * take what lies side by side. */
static void place(Builder *b, const Product *p, const Side *s, int q, Value **at, Value **step) {
    int64_t steps = p->shape.steps;
    if (s->inner_last) {
        *step = rest(b, p->thread, steps);
        *at = plus(b, over(b, p->thread, steps), THREADS / steps * q);
    } else {
        *at = rest(b, p->thread, s->span);
        *step = plus(b, over(b, p->thread, s->span), THREADS / s->span * q);
    }
}

/* The elements that a thread takes of a tile which begins at `from` of the inner axis; 0 outside of the matrix */
static void take(Builder *b, const Product *p, int k, Value *from, Value **out) {
    const Side *s = &p->side[k];
    const Type *t = type_scalar(b->module->session, p->dtype);
    for (int q = 0; q < p->taken[k]; q++) {
        Value *at, *step, *idx[MAX_RANK];
        place(b, p, s, q, &at, &step);
        at = index_add(b, p->first[k], at), step = index_add(b, from, step);
        Value *inside = both_less(b, at, s->outer, step, p->inner);
        Op *choice = build_if(b, inside, 1, &t);
        Builder yes = builder_at_end(b->module, choice->regs[0], b->span),
                no = builder_at_end(b->module, choice->regs[1], b->span);
        for (int i = 0; i < p->leading; i++) idx[i] = p->stack[i];
        idx[p->leading + s->inner_last] = step, idx[p->leading + !s->inner_last] = at;
        Value *x = load_safe(&yes, s->buf, p->leading + 2, idx), *zero = build_zero(&no, t);
        build_yield(&yes, 1, &x);
        build_yield(&no, 1, &zero);
        out[q] = &choice->res[0];
    }
}

/* What nobody uses stands in front of a step's rows or columns: so that LLVM sees that every place that is read as one
 * with its neighbours begins at a multiple of its bytes. */
static Value *in_tile(Builder *b, const Side *s, Value *at) { return plus(b, at, s->pad); }

static void put(Builder *b, const Product *p, int k, Value *const *x) {
    for (int q = 0; q < p->taken[k]; q++) {
        Value *at, *step;
        place(b, p, &p->side[k], q, &at, &step);
        store_safe(b, x[q], p->side[k].tile, 2, (Value *[]){step, in_tile(b, &p->side[k], at)});
    }
}

/* ---- what a thread computes */

/* Its i-th row or column in the tile: as many side by side as one access of shared memory reads; then as many for each
 * of the other threads. */
static Value *own(Builder *b, const Product *p, int k, int64_t i) {
    int64_t n = k ? p->shape.wide : p->shape.tall, threads = p->side[k].span / n;
    int64_t across = p->shape.cols / p->shape.wide, beside = WIDE_BYTES / dtype_info(p->dtype)->bytes;
    Value *which = k ? rest(b, p->thread, across) : over(b, p->thread, across);
    if (beside > n) beside = n;
    return plus(b, times(b, which, beside), i / beside * beside * threads + i % beside);
}

/* One step of those that stand in the tiles, added to the sums */
static void multiply(Builder *b, const Product *p, int64_t step, Value **sums) {
    int64_t tall = p->shape.tall, wide = p->shape.wide;
    Value *x[2][MOST_OWN], *at = build_int(b, step);
    const Type *t = type_scalar(b->module->session, p->dtype);
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < (k ? wide : tall); i++)
            x[k][i] = load_safe(b, p->side[k].tile, 2, (Value *[]){at, in_tile(b, &p->side[k], p->own[k][i])});
    for (int64_t i = 0; i < tall; i++)
        for (int64_t j = 0; j < wide; j++) {
            Value *opnds[] = {x[0][i], x[1][j], sums[i * wide + j]};
            sums[i * wide + j] = &build_op(b, OP_FMA, 3, opnds, 1, &t, 0)->res[0];
        }
}

static void write_out(Builder *b, const Product *p, Value *const *sums) {
    int64_t tall = p->shape.tall, wide = p->shape.wide;
    for (int64_t i = 0; i < tall; i++)
        for (int64_t j = 0; j < wide; j++) {
            Value *idx[MAX_RANK];
            for (int k = 0; k < p->leading; k++) idx[k] = p->stack[k];
            Value *row = idx[p->leading] = index_add(b, p->first[0], p->own[0][i]);
            Value *col = idx[p->leading + 1] = index_add(b, p->first[1], p->own[1][j]);
            Builder inside;
            build_when(b, both_less(b, row, p->rows, col, p->cols), &inside);
            store_safe(&inside, sums[i * wide + j], p->out, p->leading + 2, idx);
        }
}

static void barrier(Builder *b, const Product *p) { build_op(b, OP_BARRIER, 1, (Value **)&p->thread, 0, NULL, 0); }

static void thread_body(Builder *b, Product *p) {
    int n = (int)(p->shape.tall * p->shape.wide), all = n + p->taken[0] + p->taken[1];
    Value *v[MOST_SUMS + 2 * MOST_TAKEN], *zero = build_zero(b, type_scalar(b->module->session, p->dtype));
    for (int i = 0; i < n; i++) v[i] = zero;
    for (int64_t i = 0; i < p->shape.tall; i++) p->own[0][i] = own(b, p, 0, i);
    for (int64_t i = 0; i < p->shape.wide; i++) p->own[1][i] = own(b, p, 1, i);
    for (int k = 0, at = n; k < 2; at += p->taken[k++]) take(b, p, k, build_int(b, 0), v + at);
    Op *loop = build_for(b, build_int(b, 0), p->inner, build_int(b, p->shape.steps), all, v);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *const *args = loop->regs[0]->args + 1, *from = plus(&in, loop->regs[0]->args[0], p->shape.steps);
    for (int k = 0, at = n; k < 2; at += p->taken[k++]) put(&in, p, k, args + at);
    barrier(&in, p);
    for (int k = 0, at = n; k < 2; at += p->taken[k++]) take(&in, p, k, from, v + at);
    for (int i = 0; i < n; i++) v[i] = args[i];
    for (int64_t s = 0; s < p->shape.steps; s++) multiply(&in, p, s, v);
    barrier(&in, p);
    build_yield(&in, all, v);
    for (int i = 0; i < n; i++) v[i] = &loop->res[i];
    write_out(b, p, v);
}

/* ---- the launch */

static Value *tile_of(Builder *b, const Product *p, const Side *s) {
    Session *session = b->module->session;
    const Size *dims[] = {size_const(session, p->shape.steps), size_const(session, s->span + s->pad)};
    return build_shared(b, p->dtype, 2, dims, "tile");
}

/* Blocks in one row, since only that may be long: tiles of a row of tiles, of a matrix, of the stack */
static Op *launch(Builder *b, const Type *t, Product *p) {
    Value *extents[MAX_RANK];
    build_dims(b, t, extents);
    extents[p->leading] = index_ceildiv(b, p->rows, p->shape.rows);
    extents[p->leading + 1] = index_ceildiv(b, p->cols, p->shape.cols);
    Value *blocks = extents[0], *threads = build_int(b, THREADS), *at[MAX_RANK];
    for (int i = 1; i < t->rank; i++) blocks = index_mul(b, blocks, extents[i]);
    Op *grid = build_parallel(b, 1, &blocks, LOOP_BLOCK);
    Builder in = builder_at_end(b->module, grid->regs[0], b->span);
    for (int k = 0; k < 2; k++) p->side[k].tile = tile_of(&in, p, &p->side[k]);
    index_unflatten(&in, grid->regs[0]->args[0], t->rank, extents, at);
    for (int i = 0; i < p->leading; i++) p->stack[i] = at[i];
    p->first[0] = times(&in, at[p->leading], p->shape.rows);
    p->first[1] = times(&in, at[p->leading + 1], p->shape.cols);
    Op *loop = build_parallel(&in, 1, &threads, LOOP_THREAD);
    Builder body = builder_at_end(b->module, loop->regs[0], b->span);
    p->thread = loop->regs[0]->args[0];
    thread_body(&body, p);
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
    return grid;
}

/* The axis of operand k along which it is summed up: 1 for the last */
static bool inner_is_last(const Op *dot, int k) { return k ? dot_turns(dot, 1) : !dot_turns(dot, 0); }

static const Size *size_along(const Op *dot, int k, bool inner) {
    const Type *t = op_opnd(dot, k)->type;
    return t->dims[t->rank - 2 + (inner == inner_is_last(dot, k))];
}

static Side side_of(Builder *b, const Op *dot, int k, const Shape *shape, Value *buf) {
    int64_t pad = WIDE_BYTES / dtype_info(dot->res[0].type->dtype)->bytes;
    return (Side){buf, build_size(b, size_along(dot, k, false)), NULL, inner_is_last(dot, k),
                  k ? shape->cols : shape->rows, pad};
}

bool product_on_device(Op *dot) {
    const Type *t = dot->res[0].type;
    Builder b = builder_before(dot);
    if (size_along(dot, 0, true) != size_along(dot, 1, true)) return false;
    Value *x[2] = {op_opnd(dot, 0), op_opnd(dot, 1)}, *out = build_empty(&b, t, dot->res[0].name), *bufs[2];
    const int64_t written = 1, trans[] = {dot_turns(dot, 0), dot_turns(dot, 1)};
    Op *island = build_island(&b, 1, &out, &written);
    for (int k = 0; k < 2; k++) bufs[k] = k && x[1] == x[0] ? bufs[0] : island_reads(island, x[k]);
    op_set_sym(island, A_NAME, "product");
    Builder in = builder_at_end(b.module, island->regs[0], dot->span);
    Product p = {.shape = shape_of(dot), .dtype = t->dtype, .leading = t->rank - 2, .out = island->regs[0]->args[0]};
    p.inner = build_size(&in, size_along(dot, 0, true));
    for (int k = 0; k < 2; k++) {
        p.side[k] = side_of(&in, dot, k, &p.shape, bufs[k]);
        p.taken[k] = (int)(p.side[k].span * p.shape.steps / THREADS);
    }
    p.rows = p.side[0].outer, p.cols = p.side[1].outer;
    op_set_ints(launch(&in, t, &p), A_TRANS, 2, trans);
    island_finish(island, false);
    op_replace(dot, island);
    return true;
}
