/* Loops of a GPU that count, atomic h[f(i)] += 1, in few elements: threads that update the same element at the same
 * time wait for each other, and memory of the whole device is far away.  So a block has a copy in shared memory, which
 * its threads update; in the end they update h by what is there.  Blocks are not more than the device runs at a time:
 * each goes through several that the program has, so that it ends once.
 *
 * Of an array whose size is known when the program runs the copy has the first elements; those behind are updated where
 * they are.  Sums of floats in a launch, too, have no order on a GPU; on the simulator they have.
 *
 * After: Podlozhnyuk: Histogram calculation in CUDA, NVIDIA 2007. */
#include "lower/lower.h"

enum { THREADS = 256, FEWEST_THREADS = 32, MOST_BLOCKS = 1024, MOST_BYTES = 16 << 10, PART_BYTES = 4 << 10,
       MOST_COPIES = 4 };

typedef struct {
    Value *array, *of_block;
    Combine kind;
    int64_t part; /* it has so many elements, whatever the array has; 0: all of them */
} Copy;

typedef struct {
    Op *loop;    /* over elements, or over blocks */
    Op *threads; /* of blocks: the loop over the threads of one; else NULL */
    bool floats; /* their sums have no order */
    int n;
    Copy copies[MOST_COPIES];
    int64_t bytes;
} Counts;

/* ---- which loops */

static bool is_possible(const Counts *c, const Copy *x) {
    const DTypeInfo *t = dtype_info(x->array->type->dtype);
    if (!x->kind || t->bytes < 4 || value_region(x->array) != c->loop->parent) return false;
    return t->kind != DK_FLOAT || (c->floats && c->threads && x->kind == COMBINE_ADD);
}

/* Bytes of the copy; 0: the array has too many elements */
static int64_t measure(Session *s, Copy *x) {
    int64_t each = dtype_info(x->array->type->dtype)->bytes, n;
    bool known = size_is_const(type_elements(s, x->array->type), &n);
    x->part = known ? 0 : PART_BYTES / each;
    return known ? each * type_few_elements(s, x->array->type, MOST_BYTES / each) : PART_BYTES;
}

static void find_arrays(void *ctx, Op *op) {
    Counts *c = ctx;
    if (op->code != OP_ATOMIC || c->n == MOST_COPIES) return;
    Copy x = {.array = op_opnd(op, 1)};
    for (int i = 0; i < c->n; i++)
        if (c->copies[i].array == x.array) return;
    x.kind = loop_combines(c->loop, x.array);
    if (!is_possible(c, &x)) return;
    int64_t bytes = measure(c->loop->parent->func->module->session, &x);
    if (!bytes || c->bytes + bytes > MOST_BYTES) return;
    c->bytes += bytes;
    c->copies[c->n++] = x;
}

/* The loop over threads that a block is, but for what is computed before it; NULL: it is more */
static Op *threads_of(const Op *blocks) {
    Op *found = NULL;
    for (Op *o = blocks->regs[0]->first; o->next; o = o->next) {
        if (op_loop(o) == LOOP_THREAD && !found) found = o;
        else if (o->nregs || !op_is_pure(o)) return NULL;
    }
    return found;
}

/* Enough of them, and how many is said before the launch */
static bool has_threads(const Counts *c) {
    int64_t all = 1, n;
    for (int i = 0; i < c->threads->nopnds; i++) {
        const Value *extent = op_opnd(c->threads, i);
        if (region_encloses(c->loop->regs[0], value_region(extent))) return false;
        all = value_const_int(extent, &n) && n >= 1 && n <= 1024 ? all * n : FEWEST_THREADS;
    }
    return all >= FEWEST_THREADS;
}

static bool find_counts(Counts *c) {
    bool plain = loop_is_of_elements(c->loop);
    c->threads = op_loop(c->loop) == LOOP_BLOCK ? threads_of(c->loop) : NULL;
    if (!plain && (!c->threads || !has_threads(c))) return false;
    if (!loop_computes_alone(plain ? c->loop : c->threads)) return false;
    region_walk(c->loop->regs[0], find_arrays, c);
    return c->n > 0;
}

/* ---- what is made of them */

typedef struct { Value *thread, *threads; } Team; /* which of a block, of how many */

/* A loop of the thread over its elements of a copy; idx: the element */
static Builder each_element(Builder *b, const Team *t, const Type *of, Value **idx) {
    Value *extents[MAX_RANK], *n = build_size(b, type_elements(b->module->session, of));
    build_dims(b, of, extents);
    Op *loop = build_for(b, t->thread, n, t->threads, 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    index_unflatten(&in, loop->regs[0]->args[0], of->rank, extents, idx);
    return in;
}

/* What a copy begins with, and adds nothing.  Of floats -0.0: with 0.0 the sum of an element of -0.0 and 0.0 would not
 * be seen, which is 0.0. */
static Const start_of(const Copy *x) {
    Const c = combine_identity(x->kind, x->array->type->dtype);
    if (x->kind == COMBINE_ADD && dtype_is_float(c.dtype)) c.f = -0.0;
    return c;
}

static void begin_copies(Builder *b, const Counts *c, const Team *t) {
    for (const Copy *x = c->copies; x < c->copies + c->n; x++) {
        const Type *of = x->of_block->type;
        Value *idx[MAX_RANK];
        Builder in = each_element(b, t, of, idx);
        store_safe(&in, build_const(&in, start_of(x)), x->of_block, of->rank, idx);
        build_yield(&in, 0, NULL);
    }
}

/* What nobody updated in the block is left alone.  Of floats no comparison tells -0.0 from 0.0: the update does. */
static void add_copy(Builder *b, const Copy *x, const Team *t) {
    const Type *of = x->of_block->type, *all = x->array->type;
    Value *idx[MAX_RANK], *extents[MAX_RANK];
    Builder in = each_element(b, t, of, idx), some = in;
    Value *v = load_safe(&in, x->of_block, of->rank, idx), *start = build_const(&in, start_of(x));
    bool floats = dtype_is_float(of->dtype);
    if (!floats) build_when(&in, build_binary(&in, OP_NE, v, start), &some);
    if (x->part) {
        build_dims(&some, all, extents);
        index_unflatten(&some, idx[0], all->rank, extents, idx);
    }
    Op *update = atomic_safe(&some, x->kind, v, x->array, all->rank, idx);
    if (floats) op_set_flag(update, A_FEW);
    build_yield(&in, 0, NULL);
}

static void operands(const Op *op, Value **out) {
    for (int i = 0; i < op->nopnds; i++) out[i] = op_opnd(op, i);
}

/* The program's block of this number, by the threads of this one */
static void block_again(Builder *b, const Counts *c, Value *number, Value *const *threads) {
    Value *extents[MAX_RANK], *iv[MAX_RANK];
    operands(c->loop, extents);
    index_unflatten(b, number, c->loop->nopnds, extents, iv);
    loop_body_to(b, c->loop, iv);
    loop_body_to(b, c->threads, threads);
    op_erase(c->threads);
}

/* As many elements as there are threads, by one each */
static void elements(Builder *b, const Counts *c, Value *number, const Team *t) {
    Value *extents[MAX_RANK], *iv[MAX_RANK];
    operands(c->loop, extents);
    Value *i = index_add(b, index_mul(b, number, t->threads), t->thread);
    Builder inside;
    build_when(b, build_binary(b, OP_LT, i, loop_all_turns(b, c->loop)), &inside);
    index_unflatten(&inside, i, c->loop->nopnds, extents, iv);
    loop_body_to(&inside, c->loop, iv);
}

/* idx is in the array, at `flat` of all elements, which the copy has */
static Value *copy_has(Builder *b, const Copy *x, const Op *op, Value *const *idx, Value *const *extents, Value *flat) {
    Value *has = build_binary(b, OP_LT, flat, build_int(b, x->part)), *zero = build_int(b, 0);
    for (int i = 0; i < x->array->type->rank && !op_flag(op, A_SAFE); i++) {
        has = build_binary(b, OP_AND, has, build_binary(b, OP_GE, idx[i], zero));
        has = build_binary(b, OP_AND, has, build_binary(b, OP_LT, idx[i], extents[i]));
    }
    return has;
}

/* An update of the copy where that has the element, else as it was */
static void update_part(const Copy *x, Op *op) {
    Builder b = builder_before(op);
    int rank = x->array->type->rank;
    Value *idx[MAX_RANK], *extents[MAX_RANK];
    for (int i = 0; i < rank; i++) idx[i] = op_opnd(op, 2 + i);
    build_dims(&b, x->array->type, extents);
    Value *flat = index_flatten(&b, idx, rank, extents);
    Op *choice = build_if(&b, copy_has(&b, x, op, idx, extents, flat), 0, NULL);
    Builder here = builder_at_end(b.module, choice->regs[0], b.span);
    atomic_safe(&here, x->kind, op_opnd(op, 0), x->of_block, 1, &flat);
    build_yield(&here, 0, NULL);
    op_move_to_end(op, choice->regs[1]);
    Builder there = builder_at_end(b.module, choice->regs[1], b.span);
    build_yield(&there, 0, NULL);
}

static void use_copies(const Counts *c) {
    for (const Copy *x = c->copies; x < c->copies + c->n; x++)
        for (Use *u = x->array->uses, *next; u; u = next) {
            next = u->next;
            if (!op_inside(u->user, c->loop)) continue;
            if (x->part) update_part(x, u->user);
            else op_set_opnd(u->user, u->index, x->of_block);
        }
}

static void turn(Builder *b, const Counts *c, Value *number, Op *team, const Team *t) {
    if (c->threads) block_again(b, c, number, team->regs[0]->args);
    else elements(b, c, number, t);
}

/* A thread of a block; first, all: the block's number and how many there are, for `turns` of the program */
static void thread_body(Builder *b, const Counts *c, Op *team, Value *first, Value *all, Value *turns) {
    Value *const *iv = team->regs[0]->args, *extents[MAX_RANK];
    operands(team, extents);
    Team t = {index_flatten(b, iv, team->nopnds, extents), loop_all_turns(b, team)};
    begin_copies(b, c, &t);
    build_op(b, OP_BARRIER, team->nopnds, (Value **)iv, 0, NULL, 0);
    use_copies(c);
    if (turns == all) turn(b, c, first, team, &t);
    else {
        Op *loop = build_for(b, first, turns, all, 0, NULL);
        Builder in = builder_at_end(b->module, loop->regs[0], b->span);
        turn(&in, c, loop->regs[0]->args[0], team, &t);
        build_yield(&in, 0, NULL);
    }
    build_op(b, OP_BARRIER, team->nopnds, (Value **)iv, 0, NULL, 0);
    for (int k = 0; k < c->n; k++) add_copy(b, &c->copies[k], &t);
    build_yield(b, 0, NULL);
}

static void make_copy(Builder *b, Copy *x) {
    const Type *t = x->array->type;
    const Size *part = size_const(b->module->session, x->part), *const *dims = x->part ? &part : t->dims;
    x->of_block = build_shared(b, t->dtype, x->part ? 1 : t->rank, dims, "copy");
}

static void count(Counts *c) {
    Builder b = builder_before(c->loop);
    Value *threads[MAX_RANK] = {build_int(&b, THREADS)}, *turns = loop_all_turns(&b, c->loop);
    int axes = c->threads ? c->threads->nopnds : 1;
    if (c->threads) operands(c->threads, threads);
    else turns = index_ceildiv(&b, turns, THREADS);
    int64_t n;
    bool few = value_const_int(turns, &n) && n <= MOST_BLOCKS;
    Value *all = few ? turns : index_min(&b, turns, build_int(&b, MOST_BLOCKS));
    Op *blocks = build_parallel(&b, 1, &all, LOOP_BLOCK);
    Builder in = builder_at_end(b.module, blocks->regs[0], b.span);
    for (int k = 0; k < c->n; k++) make_copy(&in, &c->copies[k]);
    Op *team = build_parallel(&in, axes, threads, LOOP_THREAD);
    Builder body = builder_at_end(b.module, team->regs[0], b.span);
    thread_body(&body, c, team, blocks->regs[0]->args[0], all, turns);
    build_yield(&in, 0, NULL);
    op_erase(c->loop);
}

static void visit(void *ctx, Op *op) {
    const PassOptions *opts = ctx;
    if (op->code != OP_ISLAND || !island_is_launches(op)) return;
    for (Op *o = op->regs[0]->first, *next; o; o = next) {
        next = o->next;
        Counts c = {.loop = o, .floats = opts->unordered};
        if (o->code != OP_PARALLEL || !find_counts(&c)) continue;
        count(&c);
        if (!op_sym(op, A_NAME)) op_set_sym(op, A_NAME, "count");
    }
}

void count_on_device(Func *f, const PassOptions *opts) { region_walk(f->body, visit, (void *)opts); }
