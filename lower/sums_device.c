/* Loops of a GPU that add floats to elements that are known when the program runs, atomic h[at[i]] += x[i]: the order
 * of the sums is part of the result, and threads come in any.  So a kernel writes down which element gets what, in the
 * order of the iterations; the entries are sorted by element, those of one element staying in that order; then a
 * thread for each element adds up its own.  The bits are those of the loop in order.
 *
 * Needs stage par, where sorting is islands and scans like others.  The sort goes by digits, the least first: a thread
 * counts the digits of a chunk of entries, a scan of the counts, digit by digit and chunk by chunk, tells where each
 * chunk's entries of a digit begin, and the thread brings them there.  An element is looked up among the sorted
 * entries by halving.  Knuth, The Art of Computer Programming, volume 3, sections 5.2.5 and 6.2.1; by chunks: Zagha,
 * Blelloch, Radix sort for vector multiprocessors, Supercomputing 1991.
 *
 * Sums into neighbours, h[i + 1] += x[i], are left to gather (opt/loops/gather.c), which needs no list. */
#include "lower/lower.h"

#include <string.h>

enum { BITS = 6, DIGITS = 1 << BITS, CHUNK = 128, MOST_TARGETS = 4, MOST_EACH = 64, KEY_BITS = 63 };

/* An array that is added to, and its entries: which element, counted row by row, gets what.  Where a turn of the loop
 * writes less than `each`, the others name the element behind the last. */
typedef struct {
    Value *array;         /* the buffer */
    int operand, result;  /* of the island */
    int64_t each;         /* entries of an iteration */
    bool maybe;           /* not all of them are always written */
    Value *at, *what;     /* buffers */
} Target;

typedef struct {
    Op *island, *loop;
    int n;
    Target target[MOST_TARGETS];
    bool far;        /* some index is no neighbour's */
    bool impossible;
} Sums;

/* ---- which loops */

static bool is_sum(const Op *op) {
    if (op->code != OP_ATOMIC || op->nres || op_combine(op) != COMBINE_ADD) return false;
    const DTypeInfo *t = dtype_info(op_opnd(op, 1)->type->dtype);
    return t->kind == DK_FLOAT && t->bytes >= 4;
}

static bool is_sum_into(const Op *op, const Value *array) { return is_sum(op) && op_opnd(op, 1) == array; }

/* An index of the loop, and what does not change in it */
static bool is_near(const Sums *s, const Value *v) {
    if (!region_encloses(s->loop->regs[0], value_region(v)) || value_const_int(v, NULL)) return true;
    if (!v->def) return v->region == s->loop->regs[0] || v->region->owner->code == OP_FOR;
    return (v->def->code == OP_ADD || v->def->code == OP_SUB) && is_near(s, op_opnd(v->def, 0)) &&
           is_near(s, op_opnd(v->def, 1));
}

static void find_targets(void *ctx, Op *op) {
    Sums *s = ctx;
    if (!is_sum(op)) return;
    Value *array = op_opnd(op, 1);
    if (region_encloses(s->loop->regs[0], value_region(array))) return; /* a thread's own */
    for (int i = 2; i < op->nopnds; i++) s->far |= !is_near(s, op_opnd(op, i));
    for (int i = 0; i < s->n; i++)
        if (s->target[i].array == array) return;
    s->impossible |= s->n == MOST_TARGETS || array->def || array->region != s->island->regs[0] || !array->type->rank;
    if (!s->impossible) s->target[s->n++] = (Target){.array = array, .operand = array->index};
}

/* Nobody else in the island looks at it. */
static bool only_summed(const Sums *s, const Target *t) {
    for (const Use *u = t->array->uses; u; u = u->next)
        if (!op_inside(u->user, s->loop) || u->index != 1 || !is_sum(u->user)) return false;
    return op_attr(s->island, A_MODES)->ints[t->operand] == 2;
}

/* Entries that a turn of r writes for t, at most; -1: not known before */
static int64_t entries_of(const Region *r, Target *t) {
    int64_t sum = 0, turns;
    for (const Op *o = r->first; o; o = o->next) {
        sum += is_sum_into(o, t->array);
        for (int i = 0; i < o->nregs; i++) {
            int64_t inside = entries_of(o->regs[i], t);
            if (!inside) continue;
            t->maybe |= o->code == OP_IF;
            bool known = o->code == OP_IF || (o->code == OP_FOR && loop_turns(o, &turns) && turns <= MOST_EACH);
            if (inside < 0 || !known) return -1;
            sum += o->code == OP_FOR ? inside * turns : inside;
        }
        if (sum > MOST_EACH) return -1;
    }
    return sum;
}

/* v may be computed before the island. */
static bool comes_out(const Op *island, const Value *v) {
    const Op *op = v->def;
    if (!region_encloses(island->regs[0], value_region(v))) return true;
    if (!op || op->parent != island->regs[0] || op->nregs || !op_is_pure(op)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!comes_out(island, op_opnd(op, i))) return false;
    return true;
}

static bool find_sums(Sums *s) {
    region_walk(s->loop->regs[0], find_targets, s);
    if (s->impossible || !s->n || !s->far || !loop_computes_alone(s->loop)) return false;
    for (int i = 0; i < s->n; i++) {
        Target *t = &s->target[i];
        t->each = entries_of(s->loop->regs[0], t);
        if (t->each <= 0 || !only_summed(s, t)) return false;
    }
    for (int i = 0; i < s->loop->nopnds; i++)
        if (!comes_out(s->island, op_opnd(s->loop, i))) return false;
    return true;
}

/* ---- small builders */

static Value *shifted(Builder *b, OpCode code, Value *v, Value *bits) { return build_binary(b, code, v, bits); }

static Value *get(Builder *b, Value *buf, Value *at) { return load_safe(b, buf, 1, &at); }
static void put(Builder *b, Value *v, Value *buf, Value *at) { store_safe(b, v, buf, 1, &at); }

static Value *open_for(Builder *b, Value *lo, Value *hi, int64_t step, Builder *in) {
    Op *loop = build_for(b, lo, hi, build_int(b, step), 0, NULL);
    Builder end = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&end, 0, NULL);
    *in = builder_before(region_term(loop->regs[0]));
    in->span = b->span;
    return loop->regs[0]->args[0];
}

/* A tensor of n elements that nobody has written */
static Value *list_of(Builder *b, DType t, const Size *n, const char *name) {
    Session *s = b->module->session;
    return build_empty(b, type_tensor(s, t, 1, &n), intern(s, name));
}

static Value *open_chunks(Builder *b, Op *island, Value *n, Builder *in) {
    Builder inside = builder_at_end(b->module, island->regs[0], b->span);
    return build_plain_parallel(&inside, 1, &n, in)->regs[0]->args[0];
}

/* ---- writing down */

static void check_indices(Builder *b, const Op *sum, const Type *t) {
    for (int i = 0; i < t->rank && !op_flag(sum, A_SAFE); i++) {
        Value *index = op_opnd(sum, 2 + i), *extent = build_size(b, t->dims[i]);
        build_index_check(b, build_inside(b, index, extent), index, extent, i);
    }
}

static void write_one(Op *sum, const Target *t, Value *slot) {
    Builder b = builder_before(sum);
    Value *extents[MAX_RANK], *idx[MAX_RANK];
    const Type *type = t->array->type;
    check_indices(&b, sum, type);
    build_dims(&b, type, extents);
    for (int i = 0; i < type->rank; i++) idx[i] = op_opnd(sum, 2 + i);
    put(&b, index_flatten(&b, idx, type->rank, extents), t->at, slot);
    put(&b, op_opnd(sum, 0), t->what, slot);
    op_erase(sum);
}

/* The sums of r become entries from `first` on; the result: how many places they take */
static int64_t write_down(const Module *m, Region *r, Target *t, Value *first) {
    int64_t done = 0, turns;
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Builder b = builder_before(o);
        if (is_sum_into(o, t->array)) {
            write_one(o, t, index_add(&b, first, build_int(&b, done++)));
            continue;
        }
        for (int i = 0; i < o->nregs; i++) {
            Target look = *t;
            int64_t inside = entries_of(o->regs[i], &look);
            if (!inside) continue;
            Value *begin = index_add(&b, first, build_int(&b, done));
            if (o->code == OP_FOR) {
                Builder in = builder_before(o->regs[0]->first);
                Value *way = index_sub(&in, o->regs[0]->args[0], op_opnd(o, 0));
                Value *turn = idiv_safe(&in, way, op_opnd(o, 2));
                begin = index_add(&in, begin, index_mul(&in, turn, build_int(&in, inside)));
            }
            write_down(m, o->regs[i], t, begin);
            loop_turns(o, &turns);
            done += o->code == OP_FOR ? inside * turns : inside;
        }
    }
    return done;
}

static void write_entries(const Sums *s, Target *t) {
    Region *body = s->loop->regs[0];
    Builder b = builder_before(body->first), in;
    Value *extents[MAX_RANK];
    for (int i = 0; i < s->loop->nopnds; i++) extents[i] = op_opnd(s->loop, i);
    Value *i = index_flatten(&b, body->args, s->loop->nopnds, extents);
    Value *first = index_mul(&b, i, build_int(&b, t->each));
    if (t->maybe) {
        Value *none = build_size(&b, type_elements(b.module->session, t->array->type));
        Value *k = open_for(&b, build_int(&b, 0), build_int(&b, t->each), 1, &in);
        put(&in, none, t->at, index_add(&in, first, k));
        put(&in, build_const(&in, (Const){.dtype = t->array->type->dtype}), t->what, index_add(&in, first, k));
    }
    write_down(b.module, body, t, first);
}

/* ---- the sort */

typedef struct { const Size *entries, *chunks; Value *n, *nchunks; } Extent;

/* Where digit k of a chunk is counted */
static Value *place_of(Builder *b, const Extent *e, Value *digit, Value *chunk) {
    return index_add(b, index_mul(b, digit, e->nchunks), chunk);
}

static Value *digit_of(Builder *b, Value *key, Value *shift) {
    return build_binary(b, OP_AND, shifted(b, OP_SHR, key, shift), build_int(b, DIGITS - 1));
}

static Value *chunk_end(Builder *b, const Extent *e, Value *chunk, Value **lo) {
    *lo = index_mul(b, chunk, build_int(b, CHUNK));
    return index_min(b, index_add(b, *lo, build_int(b, CHUNK)), e->n);
}

static Value *count_digits(Builder *b, const Extent *e, Value *at, Value *shift) {
    Session *s = b->module->session;
    const int64_t out = 1;
    Value *counts = list_of(b, DT_I64, size_mul(s, size_const(s, DIGITS), e->chunks), "counts"), *lo;
    Op *island = build_island(b, 1, &counts, &out);
    Value *to = island->regs[0]->args[0], *keys = island_reads(island, at);
    Builder in, each;
    Value *chunk = open_chunks(b, island, e->nchunks, &in);
    Value *k = open_for(&in, build_int(&in, 0), build_int(&in, DIGITS), 1, &each);
    put(&each, build_int(&each, 0), to, place_of(&each, e, k, chunk));
    Value *hi = chunk_end(&in, e, chunk, &lo), *j = open_for(&in, lo, hi, 1, &each);
    Value *place = place_of(&each, e, digit_of(&each, get(&each, keys, j), shift), chunk);
    put(&each, index_add(&each, get(&each, to, place), build_int(&each, 1)), to, place);
    op_set_sym(island, A_NAME, "count_digits");
    island_finish(island, false);
    return &island->res[0];
}

/* Of each place the end of its entries */
static Value *ends_of(Builder *b, Value *counts) {
    Op *scan = build_op(b, OP_SCAN, 0, NULL, 1, &counts->type, 1);
    op_set_combine(scan, COMBINE_ADD);
    Value *i = region_add_arg(scan->regs[0], type_scalar(b->module->session, DT_I64), NULL);
    Builder in = builder_at_end(b->module, scan->regs[0], b->span);
    Value *x = extract_safe(&in, counts, 1, &i);
    build_yield(&in, 1, &x);
    return &scan->res[0];
}

/* From the last entry of a chunk to the first: each goes before those of its digit that went already. */
static void move_entries(Builder *b, const Extent *e, Value **lists, Value *ends, Value *shift) {
    Value *outs[] = {list_of(b, DT_I64, e->entries, "at"),
                     list_of(b, lists[1]->type->dtype, e->entries, "what"), ends}, *lo;
    const int64_t modes[] = {1, 1, 2};
    Op *island = build_island(b, 3, outs, modes);
    Value *at = island_reads(island, lists[0]), *what = island_reads(island, lists[1]), **to = island->regs[0]->args;
    Builder in, each;
    Value *chunk = open_chunks(b, island, e->nchunks, &in), *hi = chunk_end(&in, e, chunk, &lo);
    Value *k = open_for(&in, build_int(&in, 0), index_sub(&in, hi, lo), 1, &each);
    Value *j = index_sub(&each, index_sub(&each, hi, build_int(&each, 1)), k), *key = get(&each, at, j);
    Value *place = place_of(&each, e, digit_of(&each, key, shift), chunk);
    Value *p = index_sub(&each, get(&each, to[2], place), build_int(&each, 1));
    put(&each, p, to[2], place);
    put(&each, key, to[0], p);
    put(&each, get(&each, what, j), to[1], p);
    op_set_sym(island, A_NAME, "move_sums");
    island_finish(island, false);
    lists[0] = &island->res[0], lists[1] = &island->res[1];
}

/* How many digits the numbers up to n have */
static Value *digits_of(Builder *b, Value *n) {
    Value *digits = build_int(b, 0);
    for (int bits = 0; bits < KEY_BITS; bits += BITS) {
        Value *more = build_binary(b, OP_GT, shifted(b, OP_SHR, n, build_int(b, bits)), build_int(b, 0));
        digits = index_add(b, digits, build_cast(b, more, DT_I64));
    }
    return digits;
}

static void sort_entries(Builder *b, const Extent *e, Value *elements, Value **lists) {
    Op *loop = build_for(b, build_int(b, 0), digits_of(b, elements), build_int(b, 1), 2, lists);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *shift = index_mul(&in, loop->regs[0]->args[0], build_int(&in, BITS));
    Value *now[] = {loop->regs[0]->args[1], loop->regs[0]->args[2]};
    move_entries(&in, e, now, ends_of(&in, count_digits(&in, e, now[0], shift)), shift);
    build_yield(&in, 2, now);
    lists[0] = &loop->res[0], lists[1] = &loop->res[1];
}

/* ---- adding */

/* The first of the sorted keys that is not less */
static Value *look_up(Builder *b, Value *keys, Value *n, Value *key) {
    Value *init[] = {build_int(b, 0), n};
    const Type *types[] = {n->type, n->type};
    Op *loop = build_op(b, OP_WHILE, 2, init, 2, types, 2);
    for (int i = 0; i < 4; i++) region_add_arg(loop->regs[i / 2], n->type, NULL);
    Value **test = loop->regs[0]->args, **now = loop->regs[1]->args;
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *more = build_binary(&in, OP_LT, test[0], test[1]);
    build_yield(&in, 1, &more);
    in = builder_at_end(b->module, loop->regs[1], b->span);
    Value *middle = shifted(&in, OP_SHR, index_add(&in, now[0], now[1]), build_int(&in, 1));
    Value *less = build_binary(&in, OP_LT, get(&in, keys, middle), key);
    Value *next[] = {build_select(&in, less, index_add(&in, middle, build_int(&in, 1)), now[0]),
                     build_select(&in, less, now[1], middle)};
    build_yield(&in, 2, next);
    return &loop->res[0];
}

/* A thread for each element, which adds what its entries say, in their order */
static Value *add_entries(Builder *b, const Extent *e, Value *array, Value *const *lists) {
    const int64_t inout = 2;
    int rank = array->type->rank;
    Value *extents[MAX_RANK];
    build_dims(b, array->type, extents);
    Op *island = build_island(b, 1, &array, &inout);
    Value *to = island->regs[0]->args[0], *at = island_reads(island, lists[0]), *what = island_reads(island, lists[1]);
    Builder inside = builder_at_end(b->module, island->regs[0], b->span), in;
    Value **iv = build_plain_parallel(&inside, rank, extents, &in)->regs[0]->args;
    Value *i = index_flatten(&in, iv, rank, extents), *lo = look_up(&in, at, e->n, i);
    Value *hi = look_up(&in, at, e->n, index_add(&in, i, build_int(&in, 1))), *old = load_safe(&in, to, rank, iv);
    Op *loop = build_for(&in, lo, hi, build_int(&in, 1), 1, &old);
    Builder each = builder_at_end(b->module, loop->regs[0], b->span);
    Value *sum = build_binary(&each, OP_ADD, loop->regs[0]->args[1], get(&each, what, loop->regs[0]->args[0]));
    build_yield(&each, 1, &sum);
    store_safe(&in, &loop->res[0], to, rank, iv);
    op_set_sym(island, A_NAME, "add_sorted");
    island_finish(island, false);
    return &island->res[0];
}

/* ---- the island with lists beside its arrays, and what comes after it */

static void bring_out(const Op *island, Value *v) {
    if (!region_encloses(island->regs[0], value_region(v))) return;
    for (int i = 0; i < v->def->nopnds; i++) bring_out(island, op_opnd(v->def, i));
    op_move_before(v->def, (Op *)island);
}

static Extent extent_of(Builder *b, const Target *t, const Size *turns) {
    Session *s = b->module->session;
    Extent e = {.entries = size_mul(s, turns, size_const(s, t->each))};
    e.chunks = size_floordiv(s, size_add(s, e.entries, size_const(s, CHUNK - 1)), size_const(s, CHUNK));
    e.n = build_size(b, e.entries), e.nchunks = build_size(b, e.chunks);
    return e;
}

static void number_results(Sums *s) {
    const Attr *modes = op_attr(s->island, A_MODES);
    for (int k = 0; k < s->n; k++)
        for (int i = 0; i < s->target[k].operand; i++) s->target[k].result += modes->ints[i] != 0;
}

/* The same island that writes the lists, too */
static void with_lists(Sums *s, Value *const *lists) {
    Op *old = s->island;
    int more = 2 * s->n, n = old->nopnds + more, results = old->nres + more;
    Module *m = old->parent->func->module;
    Value **opnds = NEWN(m->arena, Value *, n);
    const Type **types = NEWN(m->arena, const Type *, results);
    int64_t *modes = NEWN(m->arena, int64_t, n);
    for (int i = 0; i < old->nopnds; i++) opnds[i] = op_opnd(old, i), modes[i] = op_attr(old, A_MODES)->ints[i];
    for (int i = 0; i < old->nres; i++) types[i] = old->res[i].type;
    for (int i = 0; i < more; i++) {
        const Type *t = lists[i]->type;
        opnds[old->nopnds + i] = lists[i], types[old->nres + i] = t, modes[old->nopnds + i] = 1;
        Value *buf = region_add_arg(old->regs[0], type_buf(m->session, t->dtype, 1, t->dims, SPACE_GLOBAL),
                                    lists[i]->name);
        if (i % 2) s->target[i / 2].what = buf;
        else s->target[i / 2].at = buf;
    }
    s->island = op_rebuild(old, n, opnds, results, types);
    op_set_ints(s->island, A_MODES, n, modes);
    if (!op_sym(s->island, A_NAME)) op_set_sym(s->island, A_NAME, "write_sums");
    for (int i = 0; i < old->nres; i++) value_replace_all(&old->res[i], &s->island->res[i]);
    op_erase(old);
}

static void add_in_order(Sums *s) {
    Value *lists[2 * MOST_TARGETS];
    Extent extent[MOST_TARGETS];
    int first = s->island->nres;
    for (int i = 0; i < s->loop->nopnds; i++) bring_out(s->island, op_opnd(s->loop, i));
    Builder b = builder_before(s->island);
    b.span = s->loop->span;
    const Size *turns = build_size_of(&b, index_max(&b, loop_all_turns(&b, s->loop), build_int(&b, 0)));
    number_results(s);
    for (int k = 0; k < s->n; k++) {
        extent[k] = extent_of(&b, &s->target[k], turns);
        lists[2 * k] = list_of(&b, DT_I64, extent[k].entries, "at");
        lists[2 * k + 1] = list_of(&b, s->target[k].array->type->dtype, extent[k].entries, "what");
    }
    with_lists(s, lists);
    for (int k = 0; k < s->n; k++) write_entries(s, &s->target[k]);
    b = builder_after(s->island);
    b.span = s->loop->span;
    for (int k = 0; k < s->n; k++) {
        Value *array = &s->island->res[s->target[k].result];
        Value *sorted[] = {&s->island->res[first + 2 * k], &s->island->res[first + 2 * k + 1]};
        Value *elements = build_size(&b, type_elements(b.module->session, array->type));
        sort_entries(&b, &extent[k], elements, sorted);
        Value *sum = add_entries(&b, &extent[k], array, sorted);
        value_replace_all(array, sum);
        op_set_opnd(sum->def, 0, array);
    }
}

static void explain(const Sums *s, const PassOptions *opts) {
    static const char how[] = "a deterministic scatter: threads write down what they add, which is sorted by element "
                              "and added in order";
    for (int k = 0; k < s->n; k++)
        explain_sum(opts, s->island->parent->func->module, s->loop->span, s->target[k].array->name, how);
}

static void look_into(Op *island, const PassOptions *opts) {
    for (Op *o = island->regs[0]->first; o; o = o->next) {
        Sums s = {.island = island, .loop = o};
        if (o->code != OP_PARALLEL || !loop_is_of_elements(o) || !find_sums(&s)) continue;
        explain(&s, opts);
        add_in_order(&s);
        return;
    }
}

static void visit(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) look_into(o, opts);
        else for (int i = 0; i < o->nregs; i++) visit(o->regs[i], opts);
    }
}

void sum_on_device(Func *f, const PassOptions *opts) { visit(f->body, opts); }
