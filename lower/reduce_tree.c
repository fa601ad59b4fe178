/* Builds the fixed reduction tree out of loops (reduce_tree.h says which tree).
 * Few elements are a plain loop, which carries the result.  Where only the program's run tells how many there are, that
 * loop stands in a branch beside the tree, or, when the code of an element is not to stand there twice, all elements go
 * into lane 0.
 * Of ints, which give the same in any order, a chunk is a plain loop, and so is all that one thread reduces.
 * The lanes of a chunk are a private array, eight elements a turn; or they follow each other in a nest of loops, when
 * what runs side by side are the iterations around (lanes.c). */
#include "lower/reduce_tree.h"

#include <math.h>
#include <string.h>

/* few: the axis has few elements, where that is to be asked of each chunk; else NULL */
typedef struct { const ReduceTree *tree; int rank, axis; Value *const *extents, *few; Value *idx[MAX_RANK]; } Walk;

static Arena *arena_of(Builder *b) { return b->module->arena; }

static void axis_build(Builder *b, Walk *w, Value **out);

/* The value of the current axis at index j: the element, or the reduction over the axes after it */
static void axis_element(Builder *b, Walk *w, Value *j, Value **out) {
    w->idx[w->axis] = j;
    if (w->axis + 1 == w->rank) {
        w->tree->element(w->tree->ctx, b, w->idx, out);
        return;
    }
    Value *few = w->few;
    w->few = NULL, w->axis++;
    axis_build(b, w, out);
    w->few = few, w->axis--;
}

static void combine(Builder *b, const Walk *w, Value *const *x, Value *const *y, Value **out) {
    w->tree->combine(w->tree->ctx, b, x, y, out);
}

/* ((0+4)+(2+6)) + ((1+5)+(3+7)): halves the lanes three times; the result is lane 0 */
static void lanes_combine(Builder *b, const Walk *w, Value **lanes) {
    int nv = w->tree->nvals;
    for (int half = REDUCE_LANES / 2; half >= 1; half /= 2)
        for (int l = 0; l < half; l++) combine(b, w, lanes + l * nv, lanes + (l + half) * nv, lanes + l * nv);
}

/* `if cond { x } else { y }` of nvals values, each side filled by what is given: two builders to be closed by finish */
typedef struct { Op *op; Builder yes, no; } Fork;

static Fork fork_build(Builder *b, Value *cond, int n, Value *const *like) {
    const Type **types = NEWN(arena_of(b), const Type *, n);
    for (int k = 0; k < n; k++) types[k] = like[k]->type;
    Op *op = build_if(b, cond, n, types);
    return (Fork){op, builder_at_end(b->module, op->regs[0], b->span), builder_at_end(b->module, op->regs[1], b->span)};
}

static void fork_close(Fork *f, Value *const *yes, Value *const *no, Value **out) {
    int n = f->op->nres;
    build_yield(&f->yes, n, yes);
    build_yield(&f->no, n, no);
    for (int k = 0; k < n; k++) out[k] = &f->op->res[k];
}

/* ---- few elements */

static Value *is_few(Builder *b, Value *n) { return build_binary(b, OP_LE, n, build_int(b, REDUCE_FEW)); }

/* Elements lo .. hi-1 in order, starting from `from` */
static Op *loop_in_order(Builder *b, Walk *w, Value *lo, Value *hi, Value *const *from, Value **out) {
    int nv = w->tree->nvals;
    Op *loop = build_for(b, lo, hi, build_int(b, 1), nv, from);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value **v = NEWN(arena_of(b), Value *, nv);
    axis_element(&in, w, r->args[0], v);
    w->tree->combine_next(w->tree->ctx, &in, r->args + 1, v, v);
    build_yield(&in, nv, v);
    for (int k = 0; k < nv; k++) out[k] = &loop->res[k];
    return loop;
}

/* The few elements 0 .. n-1 */
static void in_order(Builder *b, Walk *w, Value *n, Value *const *from, Value **out) {
    Op *loop = loop_in_order(b, w, build_int(b, 0), n, from, out);
    if (!value_const_int(n, NULL)) op_set_flag(loop, A_FEW);
}

/* Known how many: where it is less than a turn of the tree, no loop at all.  Of -0.0 alone the sum is 0.0, whether that
 * is added first or last; behind the others it may be seen to change nothing. */
static void few_build(Builder *b, Walk *w, Value *extent, int64_t n, Value **out) {
    int nv = w->tree->nvals;
    if (w->tree->compact || n > REDUCE_LANES) {
        in_order(b, w, extent, w->tree->identity, out);
        return;
    }
    Value **v = NEWN(arena_of(b), Value *, 2 * nv), **acc = v + nv;
    bool exact = w->tree->exact && n > 0;
    if (exact) axis_element(b, w, build_int(b, 0), acc);
    else memcpy(acc, w->tree->identity, sizeof *acc * (size_t)nv);
    for (int64_t j = exact; j < n; j++) {
        axis_element(b, w, build_int(b, j), v);
        w->tree->combine_next(w->tree->ctx, b, acc, v, acc);
    }
    if (exact) combine(b, w, acc, w->tree->identity, acc);
    memcpy(out, acc, sizeof *out * (size_t)nv);
}

/* ---- lanes in memory: one private array of eight per value */

static Value *lane_array(Builder *b, const Value *identity) {
    Session *s = b->module->session;
    const Size *lanes = size_const(s, REDUCE_LANES);
    const Type *t = type_buf(s, identity->type->dtype, 1, &lanes, SPACE_PRIVATE);
    Op *op = build_op(b, OP_ALLOC, 0, NULL, 1, &t, 0);
    op_set_flag(op, A_STACK);
    op->res[0].name = intern(s, "lane");
    return &op->res[0];
}

/* Private memory begins as zero. */
static bool is_zero(const Value *v) {
    const Const *c = value_const(v);
    return c && (dtype_is_float(c->dtype) ? c->f == 0 && !signbit(c->f) : c->i == 0);
}

static Value *lane_load(Builder *b, Value *array, Value *l) {
    Value *v = load_safe(b, array, 1, &l);
    return v;
}

static void lane_store(Builder *b, Value *v, Value *array, Value *l) {
    store_safe(b, v, array, 1, &l);
}

/* Opens a loop over lanes 0 .. n-1, to be closed by a yield. */
static Builder lane_loop(Builder *b, Value *n, Value **l) {
    Op *loop = build_parallel(b, 1, &n, LOOP_PLAIN);
    op_set_flag(loop, A_SERIAL);
    *l = loop->regs[0]->args[0];
    (*l)->name = intern(b->module->session, "l");
    return builder_at_end(b->module, loop->regs[0], b->span);
}

static void arrays_init(Builder *b, const Walk *w, Value **arrays) {
    for (int k = 0; k < w->tree->nvals; k++) {
        Value *l, *identity = w->tree->identity[k];
        arrays[k] = lane_array(b, identity);
        if (is_zero(identity)) continue;
        Builder in = lane_loop(b, build_int(b, REDUCE_LANES), &l);
        lane_store(&in, identity, arrays[k], l);
        build_yield(&in, 0, NULL);
    }
}

/* Lane l of the first n takes the element at `first` + l. */
static void arrays_turn(Builder *b, Walk *w, Value *first, Value *n, Value *const *arrays) {
    int nv = w->tree->nvals;
    Value **v = NEWN(arena_of(b), Value *, 2 * nv), **acc = v + nv, *l;
    Builder in = lane_loop(b, n, &l);
    axis_element(&in, w, build_binary(&in, OP_ADD, first, l), v);
    for (int k = 0; k < nv; k++) acc[k] = lane_load(&in, arrays[k], l);
    combine(&in, w, acc, v, v);
    for (int k = 0; k < nv; k++) lane_store(&in, v[k], arrays[k], l);
    build_yield(&in, 0, NULL);
}

/* The same in order, for when few elements go into one lane: mask is 0 then, else REDUCE_LANES - 1. */
static void arrays_turn_masked(Builder *b, Walk *w, Value *first, Value *n, Value *mask, Value *const *arrays) {
    int nv = w->tree->nvals;
    Value **v = NEWN(arena_of(b), Value *, 2 * nv), **acc = v + nv;
    Op *loop = build_for(b, build_int(b, 0), n, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *l = loop->regs[0]->args[0], *lane = build_binary(&in, OP_AND, l, mask);
    l->name = intern(b->module->session, "l");
    axis_element(&in, w, build_binary(&in, OP_ADD, first, l), v);
    for (int k = 0; k < nv; k++) acc[k] = lane_load(&in, arrays[k], lane);
    combine(&in, w, acc, v, v);
    for (int k = 0; k < nv; k++) lane_store(&in, v[k], arrays[k], lane);
    build_yield(&in, 0, NULL);
}

/* Turns of eight from 0 up to `to` */
static void arrays_turns(Builder *b, Walk *w, Value *lo, Value *to, Value *const *arrays) {
    Op *loop = build_for(b, build_int(b, 0), to, build_int(b, REDUCE_LANES), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    arrays_turn(&in, w, build_binary(&in, OP_ADD, lo, loop->regs[0]->args[0]), build_int(&in, REDUCE_LANES), arrays);
    build_yield(&in, 0, NULL);
}

static void lanes_load(Builder *b, const Walk *w, Value *const *arrays, Value **lanes) {
    int nv = w->tree->nvals;
    for (int l = 0; l < REDUCE_LANES; l++) {
        Value *at = build_int(b, l);
        for (int k = 0; k < nv; k++) lanes[l * nv + k] = lane_load(b, arrays[k], at);
    }
    lanes_combine(b, w, lanes);
}

/* ---- lanes one after the other: loops over a, b, c in 0 .. 1 from outside in, lane a + 2b + 4c; what a loop carries
 * is combined when the next one is done.  Lanes without elements are left out. */

static void nested_lanes(Builder *b, Walk *w, Value *from, Value *to, int64_t weight, bool full, Value **out) {
    int nv = w->tree->nvals;
    bool elements = weight == REDUCE_LANES;
    Value *lo = elements ? from : build_int(b, 0), *hi = elements ? to : build_int(b, 2 * weight);
    if (!elements && !full) hi = build_binary(b, OP_MIN, hi, build_binary(b, OP_SUB, to, from));
    Op *loop = build_for(b, lo, hi, build_int(b, weight), nv, w->tree->identity);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value **v = NEWN(arena_of(b), Value *, nv), *i = r->args[0];
    if (elements) axis_element(&in, w, i, v);
    else nested_lanes(&in, w, build_binary(&in, OP_ADD, from, i), to, 2 * weight, full, v);
    combine(&in, w, r->args + 1, v, v);
    build_yield(&in, nv, v);
    for (int k = 0; k < nv; k++) out[k] = &loop->res[k];
}

static void nested_chunk(Builder *b, Walk *w, Value *lo, Value *len, Value **out) {
    int64_t n;
    nested_lanes(b, w, lo, build_binary(b, OP_ADD, lo, len), 1, value_const_int(len, &n) && n >= REDUCE_LANES, out);
}

/* ---- a chunk that a team does: it stays a reduce, whatever its kind was by its regions */

static Op *team_reduce(Builder *b, const Walk *w, Value *len) {
    int nv = w->tree->nvals;
    Value **opnds = NEWN(arena_of(b), Value *, nv + 1);
    const Type **types = NEWN(arena_of(b), const Type *, nv);
    opnds[0] = len;
    for (int k = 0; k < nv; k++) opnds[k + 1] = w->tree->identity[k], types[k] = opnds[k + 1]->type;
    Op *op = build_op(b, OP_REDUCE, nv + 1, opnds, nv, types, 2);
    op_set_combine(op, COMBINE_CUSTOM);
    op_set_flag(op, A_TEAM);
    region_add_arg(op->regs[0], len->type, NULL);
    for (int k = 0; k < 2 * nv; k++) region_add_arg(op->regs[1], types[k % nv], NULL);
    return op;
}

static void chunk_of_team(Builder *b, Walk *w, Value *lo, Value *len, Value **out) {
    int nv = w->tree->nvals;
    Op *op = team_reduce(b, w, len);
    Value **v = NEWN(arena_of(b), Value *, nv), **both = op->regs[1]->args;
    Builder in = builder_at_end(b->module, op->regs[0], b->span),
            with = builder_at_end(b->module, op->regs[1], b->span);
    axis_element(&in, w, build_binary(&in, OP_ADD, lo, op->regs[0]->args[0]), v);
    build_yield(&in, nv, v);
    combine(&with, w, both, both + nv, v);
    build_yield(&with, nv, v);
    for (int k = 0; k < nv; k++) out[k] = &op->res[k];
}

/* Full turns of known length, and a rest */
static void known_turns(Builder *b, Walk *w, Value *lo, int64_t n, Value *const *arrays) {
    int64_t full = n & -REDUCE_LANES;
    arrays_turns(b, w, lo, build_int(b, full), arrays);
    if (n > full) arrays_turn(b, w, build_binary(b, OP_ADD, lo, build_int(b, full)), build_int(b, n - full), arrays);
}

/* The same where only the run tells.  Elements that are costly to repeat, or few, are taken one at a time. */
static void unknown_turns(Builder *b, Walk *w, Value *lo, Value *len, Value *const *arrays) {
    Value *zero = build_int(b, 0), *last = build_int(b, REDUCE_LANES - 1), *mask = last;
    if (w->few) mask = build_select(b, w->few, zero, last);
    if (w->tree->compact || w->axis + 1 < w->rank) {
        arrays_turn_masked(b, w, lo, len, mask, arrays);
        return;
    }
    Value *full = build_binary(b, OP_AND, len, build_int(b, -REDUCE_LANES));
    if (w->few) full = build_select(b, w->few, zero, full);
    arrays_turns(b, w, lo, full, arrays);
    Value *first = build_binary(b, OP_ADD, lo, full), *rest = build_binary(b, OP_SUB, len, full);
    if (w->few) arrays_turn_masked(b, w, first, rest, mask, arrays);
    else arrays_turn(b, w, first, build_binary(b, OP_AND, len, last), arrays);
}

/* Lane 0 has it all where there are few; lanes that got nothing change nothing, if the neutral elements are exact. */
static void arrays_result(Builder *b, Walk *w, Value *const *arrays, Value **out) {
    int nv = w->tree->nvals;
    Value **lanes = NEWN(arena_of(b), Value *, (REDUCE_LANES + 1) * nv), **one = lanes + REDUCE_LANES * nv;
    if (!w->few || w->tree->exact) {
        lanes_load(b, w, arrays, lanes);
        memcpy(out, lanes, sizeof *out * (size_t)nv);
        return;
    }
    Fork f = fork_build(b, w->few, nv, w->tree->identity);
    for (int k = 0; k < nv; k++) one[k] = lane_load(&f.yes, arrays[k], build_int(&f.yes, 0));
    lanes_load(&f.no, w, arrays, lanes);
    fork_close(&f, one, lanes, out);
}

static void chunk_in_memory(Builder *b, Walk *w, Value *lo, Value *len, Value **out) {
    Value **arrays = NEWN(arena_of(b), Value *, w->tree->nvals);
    int64_t n;
    arrays_init(b, w, arrays);
    if (value_const_int(len, &n)) known_turns(b, w, lo, n, arrays);
    else unknown_turns(b, w, lo, len, arrays);
    arrays_result(b, w, arrays, out);
}

static void chunk_build(Builder *b, Walk *w, Value *lo, Value *len, Value **out) {
    if (w->tree->team && w->axis + 1 == w->rank) chunk_of_team(b, w, lo, len, out);
    else if (w->tree->free) loop_in_order(b, w, lo, build_binary(b, OP_ADD, lo, len), w->tree->identity, out);
    else if (w->tree->nested) nested_chunk(b, w, lo, len, out);
    else chunk_in_memory(b, w, lo, len, out);
}

/* The running result takes the next one, or is that where `first` holds */
static void results_step(Builder *b, Walk *w, Value *first, Value *const *acc, Value *const *next, Value **out) {
    int nv = w->tree->nvals;
    Value **sum = NEWN(arena_of(b), Value *, nv);
    Fork f = fork_build(b, first, nv, next);
    combine(&f.no, w, acc, next, sum);
    fork_close(&f, next, sum, out);
}

static Value *is_multiple(Builder *b, Value *at, int64_t span) {
    return build_binary(b, OP_EQ, build_binary(b, OP_AND, at, build_int(b, span - 1)), build_int(b, 0));
}

static Value *is_const(Builder *b, Value *at, int64_t c) { return build_binary(b, OP_EQ, at, build_int(b, c)); }

/* ---- a loop for each level */

/* Elements lo .. lo+len-1, of which those that stand together at this level combine first; lo may be NULL: 0 */
static void level_build(Builder *b, Walk *w, int level, Value *lo, Value *len, Value **out) {
    int nv = w->tree->nvals;
    Op *loop = build_for(b, build_int(b, 0), len, build_int(b, reduce_span(level)), nv, w->tree->identity);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value **part = NEWN(arena_of(b), Value *, nv), *at = r->args[0];
    Value *n = build_binary(&in, OP_MIN, build_binary(&in, OP_SUB, len, at), build_int(&in, reduce_span(level)));
    Value *from = lo ? build_binary(&in, OP_ADD, lo, at) : at;
    if (level) level_build(&in, w, level - 1, from, n, part);
    else chunk_build(&in, w, from, n, part);
    if (w->tree->nested) combine(&in, w, r->args + 1, part, part);
    else results_step(&in, w, is_const(&in, at, 0), r->args + 1, part, part);
    build_yield(&in, nv, part);
    for (int k = 0; k < nv; k++) out[k] = &loop->res[k];
}

/* Nobody lives to see a reduction of 2^62 elements: so the loop over them does not wrap. */
static Value *counted(Builder *b, Value *extent) {
    bool known = value_is_fixed(extent);
    return known ? extent : build_binary(b, OP_MIN, extent, build_int(b, INT64_MAX / 2));
}

/* ---- one loop, for when most reductions are of few elements: it carries the results of the group, the block and all
 * blocks so far; acc: the three */

/* At the beginning of a group, not the first: the one before goes to its block, and a block that is full to all. */
static void group_ends(Builder *b, Walk *w, Value *at, Value *const *acc, Value **out) {
    int nv = w->tree->nvals;
    Value *group = build_binary(b, OP_SUB, at, build_int(b, reduce_span(1)));
    results_step(b, w, is_multiple(b, group, reduce_span(2)), acc + nv, acc, out + nv);
    Fork f = fork_build(b, is_multiple(b, at, reduce_span(2)), nv, acc + 2 * nv);
    results_step(&f.yes, w, is_const(&f.yes, at, reduce_span(2)), acc + 2 * nv, out + nv, out + 2 * nv);
    fork_close(&f, out + 2 * nv, acc + 2 * nv, out + 2 * nv);
}

static void chunk_ends(Builder *b, Walk *w, Value *at, Value *const *acc, Value *const *chunk, Value **out) {
    int nv = w->tree->nvals, all = 3 * nv;
    size_t bytes = sizeof *out * (size_t)nv;
    Value **begun = NEWN(arena_of(b), Value *, 4 * all), **first = begun + all, **later = first + all,
          **next = later + all;
    Fork f = fork_build(b, is_multiple(b, at, reduce_span(1)), all, acc);
    Fork g = fork_build(&f.yes, is_const(&f.yes, at, 0), all, acc);
    for (int k = 0; k < all; k++) first[k] = later[k] = next[k] = acc[k];
    group_ends(&g.no, w, at, acc, later);
    memcpy(first, chunk, bytes), memcpy(later, chunk, bytes);
    fork_close(&g, first, later, begun);
    combine(&f.no, w, acc, chunk, next);
    fork_close(&f, begun, next, out);
}

/* The last group goes to its block, and that to all. */
static void all_ends(Builder *b, Walk *w, Value *n, Value *const *acc, Value **out) {
    int nv = w->tree->nvals;
    Value **sum = NEWN(arena_of(b), Value *, nv);
    Fork f = fork_build(b, build_binary(b, OP_GT, n, build_int(b, reduce_span(1))), nv, acc);
    Value *last = build_binary(&f.yes, OP_SUB, n, build_int(&f.yes, 1));
    last = build_binary(&f.yes, OP_AND, last, build_int(&f.yes, -reduce_span(1)));
    results_step(&f.yes, w, is_multiple(&f.yes, last, reduce_span(2)), acc + nv, acc, sum);
    results_step(&f.yes, w, build_binary(&f.yes, OP_LE, n, build_int(&f.yes, reduce_span(2))), acc + 2 * nv, sum, sum);
    fork_close(&f, sum, acc, out);
}

static void flat_build(Builder *b, Walk *w, Value *n, Value **out) {
    int nv = w->tree->nvals, all = 3 * nv;
    Value **acc = NEWN(arena_of(b), Value *, all + nv), **chunk = acc + all;
    for (int k = 0; k < all; k++) acc[k] = w->tree->identity[k % nv];
    Op *loop = build_for(b, build_int(b, 0), n, build_int(b, REDUCE_CHUNK), all, acc);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value *at = r->args[0];
    Value *len = build_binary(&in, OP_MIN, build_binary(&in, OP_SUB, n, at), build_int(&in, REDUCE_CHUNK));
    chunk_build(&in, w, at, len, chunk);
    chunk_ends(&in, w, at, r->args + 1, chunk, acc);
    build_yield(&in, all, acc);
    for (int k = 0; k < all; k++) acc[k] = &loop->res[k];
    all_ends(b, w, n, acc, out);
}

/* The tree over all elements of an axis; it has more than a few, unless `few` says otherwise. */
static void tree_build(Builder *b, Walk *w, Value *n, Value **out) {
    int level = REDUCE_LEVELS;
    int64_t c;
    bool known = value_const_int(n, &c);
    while (known && level > 0 && c <= reduce_span(level)) level--;
    if (known && c <= REDUCE_CHUNK) chunk_build(b, w, build_int(b, 0), n, out);
    else if (known || w->tree->nested) level_build(b, w, level, NULL, counted(b, n), out);
    else flat_build(b, w, n, out);
}

/* Both ways, one of which has nothing to do; the neutral elements are exact. */
static void nested_either(Builder *b, Walk *w, Value *n, Value **out) {
    Value *few = is_few(b, n), *zero = build_int(b, 0), **all = NEWN(arena_of(b), Value *, w->tree->nvals);
    tree_build(b, w, build_select(b, few, zero, n), all);
    in_order(b, w, build_select(b, few, n, zero), all, out);
}

static void unknown_build(Builder *b, Walk *w, Value *n, Value **out) {
    Value *const *none = w->tree->identity, *few = is_few(b, n);
    if (w->tree->nested) {
        nested_either(b, w, n, out);
        return;
    }
    bool team = w->tree->team && w->axis + 1 == w->rank;
    if (!team && (w->tree->compact || w->axis + 1 < w->rank)) {
        w->few = few;
        tree_build(b, w, n, out);
        w->few = NULL;
        return;
    }
    int nv = w->tree->nvals;
    Value **yes = NEWN(arena_of(b), Value *, 2 * nv), **no = yes + nv;
    Fork f = fork_build(b, few, nv, none);
    op_set_flag(f.op, A_FEW);
    in_order(&f.yes, w, n, none, yes);
    tree_build(&f.no, w, n, no);
    fork_close(&f, yes, no, out);
}

static void axis_build(Builder *b, Walk *w, Value **out) {
    Value *extent = w->extents[w->axis];
    int64_t n;
    bool known = value_const_int(extent, &n);
    if (w->tree->free && !w->tree->team && (!known || n > REDUCE_FEW))
        loop_in_order(b, w, build_int(b, 0), extent, w->tree->identity, out);
    else if (!known) unknown_build(b, w, extent, out);
    else if (n <= REDUCE_FEW) few_build(b, w, extent, n, out);
    else tree_build(b, w, extent, out);
}

/* Of a team: the loop in order stands beside its chunk. */
static void team_either(Builder *b, Walk *w, Value *few, Value *lo, Value *len, Value **out) {
    int nv = w->tree->nvals;
    Value **yes = NEWN(arena_of(b), Value *, 2 * nv), **no = yes + nv;
    Fork f = fork_build(b, few, nv, w->tree->identity);
    in_order(&f.yes, w, len, w->tree->identity, yes);
    chunk_build(&f.no, w, lo, len, no);
    fork_close(&f, yes, no, out);
}

void reduce_tree_chunk(Builder *b, Value *n, Value *lo, Value *len, const ReduceTree *t, Value **out) {
    Walk w = {.tree = t, .rank = 1, .extents = &len};
    int64_t c;
    if (value_const_int(n, &c) && c > REDUCE_FEW) {
        chunk_build(b, &w, lo, len, out);
    } else if (value_const_int(n, &c)) {
        few_build(b, &w, n, c, out);
    } else if (t->team) {
        team_either(b, &w, is_few(b, n), lo, len, out);
    } else {
        w.few = is_few(b, n);
        chunk_build(b, &w, lo, len, out);
    }
}

void reduce_tree_build(Builder *b, int rank, Value *const *extents, const ReduceTree *t, Value **out) {
    Walk w = {.tree = t, .rank = rank, .extents = extents};
    axis_build(b, &w, out);
}
