/* scatter: sums of floats by atomic, whose order is part of the result, are shared out among the threads.
 *
 * Needs stage loops, as the last pass over nests; breaks nothing.  The iterations of the loop come in rounds.  In a
 * round each thread runs some that follow each other, but instead of adding it writes down which element gets what: a
 * list for each bucket of neighbouring elements, in blocks, so that the memory is bounded however the elements are
 * spread.  Then each thread takes buckets, and adds what their lists have in the order of the iterations.  So each
 * element gets the same sums in the same order as in the serial loop, with any number of threads.  The serial loop
 * remains for one thread, for loops that are short, and for those whose sums cost less in order than lists would.
 *
 * How much one iteration can write down is known before the loop, or found out by a pass over what its inner loops are
 * counted by. Beamer, Asanovic, Patterson, Reducing Pagerank communication via propagation blocking, IPDPS 2017; the
 * order kept is that of a stable counting sort, Knuth, The Art of Computer Programming, volume 3, section 5.2. */
#include "opt/loops/loops.h"

enum {
    BLOCK_BITS = 8,
    BLOCK = 1 << BLOCK_BITS, /* entries of a block of a list */
    ROOM = 1 << 17,
    MOST_ROOM = 1 << 20, /* entries of a thread in a round: usually, and when one iteration needs more */
    FEWEST = 1 << 16, /* entries of the whole loop that are worth it */
    SHARE = 1 << 13, /* entries of a thread in a round that are worth it */
    BUCKETS = 8, /* for each thread */
    NEAR = 1 << 18, /* bytes that a cache close by holds: elements there are updated quickly */
    MORE_THREADS = 4, /* that it takes to gain, where sums are slow, and where they are quick */
    MUCH_WORK = 40, /* cycles for each sum, which make lists cheap in comparison */
    MAX_TARGETS = 4,
    MAX_BODY = 400
};

/* An array that the loop adds to, and its lists; all of them have an axis for the threads. */
typedef struct {
    Value *buf;
    Value *at[MAX_RANK], *what; /* of an entry: the element's indices, and what it gets */
    Value *end;                 /* by bucket: behind the last entry; then the number of blocks taken */
    Value *next;                /* by block: the one that follows it in its list */
    Value *scale;               /* of the place of an element; 2^32 of it are a bucket */
} Target;

typedef struct {
    Op *loop;
    Region *body;
    Module *module;
    Target target[MAX_TARGETS];
    int ntargets;
    double work, sums; /* of an iteration: cycles, and how often it adds */
    bool impossible, spread;
    bool apart; /* a sum is none of several next to each other along the last axis, which would share a line */
    Value *threads, *buckets;
    Value *need;                /* entries of an iteration, at most */
    Value *all;                 /* entries of all, at most */
} Scatter;

/* ---- what the loop adds to */

static int target_of(const Scatter *s, const Value *buf) {
    for (int i = 0; i < s->ntargets; i++)
        if (s->target[i].buf == buf) return i;
    return -1;
}

/* The last index is a constant, or counts a loop within: the sum is one of several beside each other. */
static bool is_along(const Scatter *s, const Op *sum) {
    int64_t c;
    const Value *last = op_opnd(sum, sum->nopnds - 1);
    if (sum->nopnds == 3) return false;
    if (value_const_int(last, &c)) return true;
    return !last->def && last->region != s->body && region_encloses(s->body, last->region) &&
           last->region->owner->code == OP_FOR && last->index == 0;
}

/* In the loop or a copy of it */
static bool is_ordered(const Scatter *s, const Op *op) { return loops_is_sum(op) && target_of(s, op_opnd(op, 1)) >= 0; }

static bool is_in_order(const void *s, const Op *op) { return is_ordered(s, op); }

static void add_target(Scatter *s, Value *buf) {
    if (target_of(s, buf) >= 0) return;
    if (s->ntargets == MAX_TARGETS || !buf->type->rank) s->impossible = true;
    else s->target[s->ntargets++].buf = buf;
}

static void find_sums(void *ctx, Op *op) {
    Scatter *s = ctx;
    bool half = op->code == OP_ATOMIC && dtype_is_float(op_opnd(op, 0)->type->dtype) &&
                dtype_info(op_opnd(op, 0)->type->dtype)->bytes == 2;
    if (op->code == OP_BARRIER || op->code == OP_SPAWN || half) s->impossible = true;
    if (!loops_is_sum(op) || region_encloses(s->body, value_region(op_opnd(op, 1)))) return;
    s->apart |= !is_along(s, op);
    add_target(s, op_opnd(op, 1));
    for (int i = 2; i < op->nopnds; i++) s->spread |= region_encloses(s->body, value_region(op_opnd(op, i)));
}

/* Nobody else in the loop looks at what is added to, or asks what was there. */
static bool only_summed(const Scatter *s, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (op_inside(u->user, s->loop) && (!is_ordered(s, u->user) || u->user->nres || u->index != 1)) return false;
    return true;
}

static bool holds_sums(const Scatter *s, const Op *op) {
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (is_ordered(s, o) || holds_sums(s, o)) return true;
    return false;
}

/* ---- how much an iteration writes down */

/* v, computed at b from what is known there; NULL: it cannot be.  Only what each iteration computes in any case. */
static Value *known(const Scatter *s, Cloner *c, Builder *b, Value *v) {
    Value *mapped = clone_value(c, v);
    const Op *op = v->def;
    if (mapped != v || !region_encloses(s->body, value_region(v))) return mapped;
    if (!op || op->nregs || op->nres != 1) return NULL;
    bool load = op->code == OP_LOAD && !op_holds_write(s->loop, op_opnd(op, 0));
    if (op->code != OP_CONST && op->code != OP_SIZE && (op->parent != s->body || (!load && !op_is_pure(op))))
        return NULL;
    for (int i = 0; i < op->nopnds; i++)
        if (!known(s, c, b, op_opnd(op, i))) return NULL;
    clone_op(c, b, op);
    return clone_value(c, v);
}

static Value *bounded(Builder *b, Value *n) {
    return index_min(b, index_max(b, n, build_int(b, 0)), build_int(b, MOST_ROOM + 1));
}

static Value *turns_of(const Scatter *s, Cloner *c, Builder *b, const Op *loop) {
    int64_t step;
    Value *lo = known(s, c, b, op_opnd(loop, 0)), *hi = lo ? known(s, c, b, op_opnd(loop, 1)) : NULL;
    if (!hi || !value_const_int(op_opnd(loop, 2), &step) || !step) return NULL;
    Value *way = step > 0 ? index_sub(b, hi, lo) : index_sub(b, lo, hi);
    if (step == 1 || step == -1) return bounded(b, way);
    Value *turns = idiv_safe(b, bounded(b, way), build_int(b, step > 0 ? step : -step));
    return index_add(b, turns, build_int(b, 1));
}

static Value *extents_of(const Scatter *s, Cloner *c, Builder *b, const Op *loop, int first) {
    Value *n = build_int(b, 1);
    for (int i = first; n && i < loop->nopnds; i++) {
        Value *extent = known(s, c, b, op_opnd(loop, i));
        n = extent ? bounded(b, index_mul(b, n, bounded(b, extent))) : NULL;
    }
    return n;
}

static Value *need_of(const Scatter *s, Cloner *c, Builder *b, const Region *r);

static Value *need_inside(const Scatter *s, Cloner *c, Builder *b, const Op *op) {
    if (is_ordered(s, op)) return build_int(b, 1);
    if (op->code == OP_IF) {
        Value *x = need_of(s, c, b, op->regs[0]), *y = x ? need_of(s, c, b, op->regs[1]) : NULL;
        return y ? index_max(b, x, y) : NULL;
    }
    Value *turns = op->code == OP_FOR        ? turns_of(s, c, b, op)
                   : op->code == OP_PARALLEL ? extents_of(s, c, b, op, 0)
                                             : NULL;
    Value *inside = turns ? need_of(s, c, b, op->regs[0]) : NULL;
    return inside ? bounded(b, index_mul(b, turns, inside)) : NULL;
}

static Value *need_of(const Scatter *s, Cloner *c, Builder *b, const Region *r) {
    Value *sum = build_int(b, 0);
    for (const Op *o = r->first; sum && o; o = o->next) {
        if (!is_ordered(s, o) && !holds_sums(s, o)) continue;
        Value *more = need_inside(s, c, b, o);
        sum = more ? index_add(b, sum, more) : NULL;
    }
    return sum;
}

/* Of an iteration of the first axis: those of the others belong to it. */
static Value *need_of_row(const Scatter *s, Cloner *c, Builder *b) {
    Value *row = extents_of(s, c, b, s->loop, 1), *one = row ? need_of(s, c, b, s->body) : NULL;
    return one ? bounded(b, index_mul(b, row, one)) : NULL;
}

/* ---- small builders */

static Value *shift(Builder *b, OpCode c, Value *v, int bits) { return build_binary(b, c, v, build_int(b, bits)); }

static Value *read(Builder *b, Value *buf, Value *i, Value *j) {
    Value *at[] = {i, j};
    return load_safe(b, buf, buf->type->rank, at);
}

static void write(Builder *b, Value *v, Value *buf, Value *i, Value *j) {
    Value *at[] = {i, j};
    store_safe(b, v, buf, buf->type->rank, at);
}

static Value *alloc(Builder *b, DType t, const char *name, const Size *first, const Size *second) {
    const Size *dims[] = {first, second};
    return build_shared(b, t, second ? 2 : 1, dims, name);
}

/* ---- the most that any iteration needs, where that is not the same for all */

/* Of the share of thread t, at b: most and sum of the needs. */
static bool find_needs(const Scatter *s, Builder *b, Value *t, Value **most, Value **sum) {
    Value *n = op_opnd(s->loop, 0),
          *share = idiv_safe(b, index_add(b, n, index_sub(b, s->threads, build_int(b, 1))), s->threads);
    Value *lo = index_min(b, index_mul(b, t, share), n), *hi = index_min(b, index_add(b, lo, share), n),
          *none = build_int(b, 0);
    Value *init[] = {none, none};
    Op *loop = build_for(b, lo, hi, build_int(b, 1), 2, init);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Cloner c = {.module = b->module};
    map_put(b->module->arena, &c.values, s->body->args[0], loop->regs[0]->args[0]);
    Value *need = need_of_row(s, &c, &in);
    if (!need) return false;
    Value *next[] = {index_max(&in, loop->regs[0]->args[1], need), index_add(&in, loop->regs[0]->args[2], need)};
    build_yield(&in, 2, next);
    *most = &loop->res[0], *sum = &loop->res[1];
    return true;
}

/* Each thread looks at its share; then all of them are brought together. */
static bool look_at_needs(Scatter *s, Builder *b) {
    const Size *n = build_size_of(b, s->threads);
    Value *needs = alloc(b, DT_I64, "needs", n, size_const(b->module->session, 2)), *most, *sum,
          *none = build_int(b, 0), *one = build_int(b, 1);
    Builder in;
    Value *t = loops_open_tiles(b, s->threads, &in);
    if (!find_needs(s, &in, t, &most, &sum)) return false;
    write(&in, most, needs, t, none);
    write(&in, sum, needs, t, one);
    Value *init[] = {none, none};
    Op *loop = build_for(b, none, s->threads, one, 2, init);
    Value **args = loop->regs[0]->args;
    in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *next[] = {index_max(&in, args[1], read(&in, needs, args[0], none)),
                     index_add(&in, args[2], read(&in, needs, args[0], one))};
    build_yield(&in, 2, next);
    s->need = &loop->res[0], s->all = &loop->res[1];
    return true;
}

/* ---- lists */

static Value *elements_of(Builder *b, const Type *t) {
    Value *n = build_size(b, t->dims[0]);
    for (int i = 1; i < t->rank; i++) n = index_mul(b, n, build_size(b, t->dims[i]));
    return n;
}

static void make_lists(Scatter *s, Builder *b, Target *t, Value *room) {
    const Size *n = build_size_of(b, s->threads), *ends = build_size_of(b, index_add(b, s->buckets, build_int(b, 16)));
    Value *blocks = index_add(b, shift(b, OP_SHR, index_add(b, room, build_int(b, BLOCK - 1)), BLOCK_BITS), s->buckets);
    const Size *nblocks = build_size_of(b, blocks), *places = build_size_of(b, shift(b, OP_SHL, blocks, BLOCK_BITS));
    const Type *type = t->buf->type;
    for (int i = 0; i < type->rank; i++) t->at[i] = alloc(b, DT_I32, "at", n, places);
    t->what = alloc(b, type->dtype, "what", n, places);
    t->next = alloc(b, DT_I32, "next", n, nblocks);
    t->end = alloc(b, DT_I64, "end", n, ends);
    t->scale = idiv_safe(b, shift(b, OP_SHL, s->buckets, 32), index_max(b, elements_of(b, type), build_int(b, 1)));
}

/* Bucket k begins with block k. */
static void clear_lists(Scatter *s, Builder *b, Value *thread) {
    Builder in;
    Value *k = loops_count_to(b, s->buckets, &in);
    for (int i = 0; i < s->ntargets; i++) write(&in, shift(&in, OP_SHL, k, BLOCK_BITS), s->target[i].end, thread, k);
    for (int i = 0; i < s->ntargets; i++) write(b, s->buckets, s->target[i].end, thread, s->buckets);
}

static void check_index(Builder *b, Value *index, const Type *t, int axis) {
    Value *extent = build_size(b, t->dims[axis]);
    build_index_check(b, build_inside(b, index, extent), index, extent, axis);
}

/* The place behind p, which is full: the first of a new block if p's ends there */
static Value *place_behind(Scatter *s, Builder *b, const Target *t, Value *thread, Value *p) {
    Value *q = index_add(b, p, build_int(b, 1)),
          *full = build_binary(b, OP_EQ, build_both(b, q, build_int(b, BLOCK - 1)), build_int(b, 0));
    Op *choice = build_if(b, full, 1, &q->type);
    Builder then = builder_at_end(b->module, choice->regs[0], b->span),
            other = builder_at_end(b->module, choice->regs[1], b->span);
    Value *block = read(&then, t->end, thread, s->buckets);
    write(&then, build_cast(&then, block, DT_I32), t->next, thread, shift(&then, OP_SHR, p, BLOCK_BITS));
    write(&then, index_add(&then, block, build_int(&then, 1)), t->end, thread, s->buckets);
    Value *first = shift(&then, OP_SHL, block, BLOCK_BITS);
    build_yield(&then, 1, &first);
    build_yield(&other, 1, &q);
    return &choice->res[0];
}

/* In place of the sum: an entry in the list of its element's bucket */
static void write_down(Scatter *s, Op *sum, Value *thread) {
    Builder b = builder_before(sum);
    const Target *t = &s->target[target_of(s, op_opnd(sum, 1))];
    const Type *type = t->buf->type;
    Value *place = op_opnd(sum, 2);
    for (int i = 0; i < type->rank && !op_flag(sum, A_SAFE); i++) check_index(&b, op_opnd(sum, 2 + i), type, i);
    for (int i = 1; i < type->rank; i++)
        place = index_add(&b, index_mul(&b, place, build_size(&b, type->dims[i])), op_opnd(sum, 2 + i));
    Value *bucket = shift(&b, OP_SHR, index_mul(&b, place, t->scale), 32), *p = read(&b, t->end, thread, bucket);
    for (int i = 0; i < type->rank; i++) write(&b, build_cast(&b, op_opnd(sum, 2 + i), DT_I32), t->at[i], thread, p);
    write(&b, op_opnd(sum, 0), t->what, thread, p);
    write(&b, place_behind(s, &b, t, thread, p), t->end, thread, bucket);
    op_erase(sum);
}

static void rewrite_sums(Scatter *s, Region *r, Value *thread) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++)
            if (holds_sums(s, o)) rewrite_sums(s, o->regs[i], thread);
        if (is_ordered(s, o)) write_down(s, o, thread);
    }
}

/* ---- a round */

/* Iterations lo to hi of the first axis, at b */
static void write_lists(Scatter *s, Builder *b, Value *thread, Value *lo, Value *hi) {
    Op *first = loops_in_order(b, s->loop, lo, hi, (LoopsOrder){is_in_order, s});
    rewrite_sums(s, first->regs[0], thread);
}

static void add_entries(Builder *b, const Target *t, Value *thread, Value *lo, Value *hi) {
    Builder in;
    Value *p = loops_open_for(b, lo, hi, build_int(b, 1), &in), *at[MAX_RANK];
    int rank = t->buf->type->rank;
    for (int i = 0; i < rank; i++) at[i] = build_cast(&in, read(&in, t->at[i], thread, p), DT_I64);
    Value *old = load_safe(&in, t->buf, rank, at),
          *new = build_binary(&in, OP_ADD, old, read(&in, t->what, thread, p));
    store_safe(&in, new, t->buf, rank, at);
}

/* Block after block up to the last one, which is not full */
static void add_list(Builder *b, const Target *t, Value *thread, Value *bucket) {
    Value *end = read(b, t->end, thread, bucket), *last = shift(b, OP_SHR, end, BLOCK_BITS);
    Op *loop = build_op(b, OP_WHILE, 1, &bucket, 1, &bucket->type, 2);
    Value *block = region_add_arg(loop->regs[0], bucket->type, "block");
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *more = build_binary(&in, OP_NE, block, last);
    build_yield(&in, 1, &more);
    block = region_add_arg(loop->regs[1], bucket->type, "block");
    in = builder_at_end(b->module, loop->regs[1], b->span);
    Value *lo = shift(&in, OP_SHL, block, BLOCK_BITS);
    add_entries(&in, t, thread, lo, index_add(&in, lo, build_int(&in, BLOCK)));
    Value *next = build_cast(&in, read(&in, t->next, thread, block), DT_I64);
    build_yield(&in, 1, &next);
    add_entries(b, t, thread, shift(b, OP_SHL, last, BLOCK_BITS), end);
}

static void add_lists(Scatter *s, Builder *b) {
    for (int i = 0; i < s->ntargets; i++) {
        Builder in, each;
        Value *bucket = loops_open_tiles(b, s->buckets, &in), *thread = loops_count_to(&in, s->threads, &each);
        bucket->name = intern(b->module->session, "bucket");
        thread->name = intern(b->module->session, "thread");
        add_list(&each, &s->target[i], thread, bucket);
    }
}

static void add_rounds(Scatter *s, Builder *b) {
    Value *n = op_opnd(s->loop, 0), *room = index_max(b, s->need, build_int(b, ROOM));
    Value *turns = idiv_safe(b, room, index_max(b, s->need, build_int(b, 1))), *span = index_mul(b, turns, s->threads);
    s->buckets = index_mul(b, s->threads, build_int(b, BUCKETS));
    for (int i = 0; i < s->ntargets; i++) make_lists(s, b, &s->target[i], room);
    Builder round, in;
    Value *rounds = idiv_safe(b, index_add(b, n, index_sub(b, span, build_int(b, 1))), span);
    Value *first = loops_count_to(b, rounds, &round);
    first = index_mul(&round, first, span);
    Value *thread = loops_open_tiles(&round, s->threads, &in);
    first->name = intern(b->module->session, "first");
    thread->name = intern(b->module->session, "thread");
    clear_lists(s, &in, thread);
    Value *lo = index_min(&in, index_add(&in, first, index_mul(&in, thread, turns)), n),
          *hi = index_min(&in, index_add(&in, lo, turns), n);
    write_lists(s, &in, thread, lo, hi);
    add_lists(s, &round);
}

/* ---- when */

/* What an iteration does, and how many sums */
static void add_work(Scatter *s, const Region *r, double times) {
    for (const Op *o = r->first; o; o = o->next) {
        if (is_ordered(s, o)) s->sums += times;
        else s->work += times * loops_cost(o);
        bool loop = op_info(o->code)->traits & TR_LOOP;
        for (int i = 0; i < o->nregs; i++) add_work(s, o->regs[i], loop ? times * loops_turns_about(o) : times);
    }
}

/* Indices fit 32 bits, and there are threads enough for the lists to be worth it. */
static Value *is_worth_it(const Scatter *s, Builder *b) {
    Value *far = NULL, *ok = build_binary(b, OP_GT, s->threads, build_int(b, 1));
    for (int i = 0; i < s->ntargets; i++) {
        Value *n = elements_of(b, s->target[i].buf->type);
        ok = build_both(b, ok, build_binary(b, OP_LE, n, build_int(b, INT32_MAX)));
        far = i ? index_max(b, far, n) : n;
    }
    if (s->work >= MUCH_WORK * s->sums) return ok;
    Value *many = build_binary(b, OP_GE, s->threads, build_int(b, MORE_THREADS));
    if (!s->apart) return build_both(b, ok, many);
    Value *is_far = build_binary(b, OP_GT, far, build_int(b, NEAR / dtype_info(s->target[0].buf->type->dtype)->bytes));
    return build_both(b, ok, build_binary(b, OP_OR, is_far, many));
}

/* Whether lists of what is needed are long enough, and fit */
static Value *is_enough(const Scatter *s, Builder *b) {
    Value *n = op_opnd(s->loop, 0), *need = index_max(b, s->need, build_int(b, 1));
    Value *fits = build_binary(b, OP_LE, need, build_int(b, MOST_ROOM)),
          *enough = build_binary(b, OP_GE, s->all, build_int(b, FEWEST));
    Value *turns = idiv_safe(b, build_int(b, ROOM), need),
          *mean = idiv_safe(b, s->all, index_max(b, n, build_int(b, 1)));
    Value *long_ = build_binary(b, OP_GE,
                                index_mul(b, index_max(b, turns, build_int(b, 1)), index_add(b, mean, build_int(b, 1))),
                                build_int(b, SHARE));
    return build_both(b, build_both(b, fits, enough), long_);
}

static void needs_of_all(Scatter *s, Builder *b) {
    s->all = index_mul(b, bounded(b, op_opnd(s->loop, 0)), s->need);
}

/* if worth it { rounds } else { the loop as it was } */
static void choose(Scatter *s, Builder *b, Value *when) {
    Op *choice = build_if(b, when, 0, NULL);
    Builder then = builder_at_end(s->module, choice->regs[0], b->span),
            other = builder_at_end(s->module, choice->regs[1], b->span);
    add_rounds(s, &then);
    build_yield(&then, 0, NULL);
    op_move_to_end(s->loop, choice->regs[1]);
    build_yield(&other, 0, NULL);
}

/* The needs are looked at only where the rest is in favour. */
static bool find_varying(Scatter *s, Builder *b, Value *ok) {
    const Type *types[] = {s->threads->type, s->threads->type};
    Op *choice = build_if(b, ok, 2, types);
    Builder then = builder_at_end(s->module, choice->regs[0], b->span),
            other = builder_at_end(s->module, choice->regs[1], b->span);
    if (!look_at_needs(s, &then)) {
        op_erase(choice);
        return false;
    }
    Value *found[] = {s->need, s->all}, *none[] = {build_int(&other, 0), build_int(&other, 0)};
    build_yield(&then, 2, found);
    build_yield(&other, 2, none);
    s->need = &choice->res[0], s->all = &choice->res[1];
    return true;
}

static void scatter(Scatter *s) {
    Builder b = builder_before(s->loop);
    Cloner c = {.module = s->module};
    s->need = need_of_row(s, &c, &b);
    s->threads = build_threads(&b);
    s->threads->name = intern(b.module->session, "threads");
    Value *ok = is_worth_it(s, &b);
    if (s->need) needs_of_all(s, &b);
    else if (!find_varying(s, &b, ok)) return;
    choose(s, &b, build_both(&b, ok, is_enough(s, &b)));
}

static bool is_candidate(Scatter *s) {
    bool in_order = op_flag(s->loop, A_SERIAL) || op_loop(s->loop) == LOOP_THREAD;
    if (in_order || region_count_ops(s->body) > MAX_BODY) return false;
    region_walk(s->body, find_sums, s);
    if (!s->ntargets || s->impossible || !s->spread) return false;
    for (int i = 0; i < s->ntargets; i++)
        if (!only_summed(s, s->target[i].buf)) return false;
    add_work(s, s->body, 1);
    return true;
}

static void visit(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Scatter s = {.loop = o, .body = o->nregs ? o->regs[0] : NULL, .module = r->func->module};
        if (o->code == OP_PARALLEL) {
            bool can = is_candidate(&s);
            for (int i = 0; i < s.ntargets && can; i++)
                explain_sum(opts, s.module, o->span, s.target[i].buf->name,
                            "a deterministic scatter: threads write down what they add, and those that own the "
                            "elements add it in order");
            if (can) scatter(&s);
            continue;
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], opts);
    }
}

void pass_scatter(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, opts);
}
