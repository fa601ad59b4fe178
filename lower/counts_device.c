/* Loops of a GPU that count, atomic h[f(i)] += 1, in few elements: threads that update the same element at the same
 * time wait for each other, and memory of the whole device is far away.  So a block has a copy in shared memory, which
 * its threads update; in the end they update h by what is there.  Blocks are not more than the device runs at a time:
 * each goes through several that the program has, so that it ends once.  Of ints alone: the order of sums of floats
 * would be another one.
 *
 * After: Podlozhnyuk: Histogram calculation in CUDA, NVIDIA 2007. */
#include "lower/lower.h"

enum { THREADS = 256, FEWEST_THREADS = 32, MOST_BLOCKS = 1024, MOST_BYTES = 16 << 10, MOST_COPIES = 4 };

typedef struct {
    Op *loop;    /* over elements, or over blocks */
    Op *threads; /* of blocks: the loop over the threads of one; else NULL */
    int n;
    Value *array[MOST_COPIES], *copy[MOST_COPIES];
    Combine kind[MOST_COPIES];
    int64_t bytes;
} Counts;

/* ---- which loops */

static void find_arrays(void *ctx, Op *op) {
    Counts *c = ctx;
    if (op->code != OP_ATOMIC) return;
    Value *array = op_opnd(op, 1);
    const DTypeInfo *t = dtype_info(array->type->dtype);
    Session *s = c->loop->parent->func->module->session;
    int64_t bytes = t->bytes * type_few_elements(s, array->type, MOST_BYTES / t->bytes);
    for (int i = 0; i < c->n; i++)
        if (c->array[i] == array) return;
    if (value_region(array) != c->loop->parent || t->kind == DK_FLOAT || t->bytes < 4 || !bytes) return;
    Combine kind = loop_combines(c->loop, array);
    if (!kind || c->n == MOST_COPIES || c->bytes + bytes > MOST_BYTES) return;
    c->bytes += bytes;
    c->kind[c->n] = kind;
    c->array[c->n++] = array;
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

static void begin_copies(Builder *b, const Counts *c, const Team *t) {
    for (int k = 0; k < c->n; k++) {
        const Type *of = c->array[k]->type;
        Value *idx[MAX_RANK];
        Builder in = each_element(b, t, of, idx);
        store_safe(&in, build_const(&in, combine_identity(c->kind[k], of->dtype)), c->copy[k], of->rank, idx);
        build_yield(&in, 0, NULL);
    }
}

/* What nobody updated in the block is left alone. */
static void add_copies(Builder *b, const Counts *c, const Team *t) {
    for (int k = 0; k < c->n; k++) {
        const Type *of = c->array[k]->type;
        Value *idx[MAX_RANK];
        Builder in = each_element(b, t, of, idx);
        Value *v = load_safe(&in, c->copy[k], of->rank, idx);
        Value *none = build_const(&in, combine_identity(c->kind[k], of->dtype));
        Builder some;
        build_when(&in, build_binary(&in, OP_NE, v, none), &some);
        atomic_safe(&some, c->kind[k], v, c->array[k], of->rank, idx);
        build_yield(&in, 0, NULL);
    }
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

static void use_copies(const Counts *c) {
    for (int k = 0; k < c->n; k++)
        for (Use *u = c->array[k]->uses, *next; u; u = next) {
            next = u->next;
            if (op_inside(u->user, c->loop)) op_set_opnd(u->user, u->index, c->copy[k]);
        }
}

/* A thread of a block; first, all: the block's number and how many there are, for `turns` of the program */
static void thread_body(Builder *b, const Counts *c, Op *team, Value *first, Value *all, Value *turns) {
    Value *const *iv = team->regs[0]->args, *extents[MAX_RANK];
    operands(team, extents);
    Team t = {index_flatten(b, iv, team->nopnds, extents), loop_all_turns(b, team)};
    begin_copies(b, c, &t);
    build_op(b, OP_BARRIER, team->nopnds, (Value **)iv, 0, NULL, 0);
    Op *loop = build_for(b, first, turns, all, 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    use_copies(c);
    if (c->threads) block_again(&in, c, loop->regs[0]->args[0], iv);
    else elements(&in, c, loop->regs[0]->args[0], &t);
    build_yield(&in, 0, NULL);
    build_op(b, OP_BARRIER, team->nopnds, (Value **)iv, 0, NULL, 0);
    add_copies(b, c, &t);
    build_yield(b, 0, NULL);
}

static void count(Counts *c) {
    Builder b = builder_before(c->loop);
    Value *threads[MAX_RANK] = {build_int(&b, THREADS)}, *turns = loop_all_turns(&b, c->loop);
    int axes = c->threads ? c->threads->nopnds : 1;
    if (c->threads) operands(c->threads, threads);
    else turns = index_ceildiv(&b, turns, THREADS);
    Value *all = index_min(&b, turns, build_int(&b, MOST_BLOCKS));
    Op *blocks = build_parallel(&b, 1, &all, LOOP_BLOCK);
    Builder in = builder_at_end(b.module, blocks->regs[0], b.span);
    for (int k = 0; k < c->n; k++) {
        const Type *t = c->array[k]->type;
        c->copy[k] = build_shared(&in, t->dtype, t->rank, t->dims, "copy");
    }
    Op *team = build_parallel(&in, axes, threads, LOOP_THREAD);
    Builder body = builder_at_end(b.module, team->regs[0], b.span);
    thread_body(&body, c, team, blocks->regs[0]->args[0], all, turns);
    build_yield(&in, 0, NULL);
    op_erase(c->loop);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    if (op->code != OP_ISLAND || !island_is_launches(op)) return;
    for (Op *o = op->regs[0]->first, *next; o; o = next) {
        next = o->next;
        Counts c = {.loop = o};
        if (o->code != OP_PARALLEL || !find_counts(&c)) continue;
        count(&c);
        if (!op_sym(op, A_NAME)) op_set_sym(op, A_NAME, "count");
    }
}

void count_on_device(Func *f) { region_walk(f->body, visit, NULL); }
