/* Reductions and scans as loops, in the fixed tree of reduce_tree.h.
 *
 * Inside an island a reduce becomes serial loops where it stands.  At function level it becomes an island of its
 * own: chunks of the innermost axis (for each index of the outer ones) in parallel, their results into a tensor of
 * partial results, and the rest of the tree over those, in order. */
#include "lower/lower.h"
#include "lower/reduce_tree.h"
#include "opt/loops/loops.h"

#include <string.h>

enum {
    BIG_BODY = 48,    /* operations; beyond, the body is not worth nine copies */
    SIDE = 4,         /* chunks that are summed side by side */
    FEW = 4096,       /* elements that one thread reduces */
    SCAN_CHUNK = 4096
};

typedef struct {
    Op *op;
    int rank, nvals;
    Value **identity;
    Region *element, *combine; /* combine NULL: the operation `code` */
    OpCode code;
    Value *outer[MAX_RANK];    /* indices of the outer axes while a chunk of the innermost is built */
    Value **partials;          /* buffers */
    Value *chunks;             /* how many chunks the innermost axis has */
} Fold;

static Arena *arena_of(const Fold *f) { return f->op->parent->func->module->arena; }

static void fold_element(void *ctx, Builder *b, Value *const *idx, Value **out) {
    region_inline(b, ((Fold *)ctx)->element, idx, out);
}

static void fold_combine(void *ctx, Builder *b, Value *const *x, Value *const *y, Value **out) {
    Fold *f = ctx;
    if (!f->combine) {
        for (int i = 0; i < f->nvals; i++) out[i] = build_binary(b, f->code, x[i], y[i]);
        return;
    }
    Value **args = NEWN(arena_of(f), Value *, 2 * f->nvals);
    memcpy(args, x, sizeof *args * (size_t)f->nvals);
    memcpy(args + f->nvals, y, sizeof *args * (size_t)f->nvals);
    region_inline(b, f->combine, args, out);
}

static bool has_loops(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_REDUCE || op_info(o->code)->traits & TR_LOOP) return true;
        for (int i = 0; i < o->nregs; i++)
            if (has_loops(o->regs[i])) return true;
    }
    return false;
}

static bool is_custom(const Op *op) { return !strcmp(op_sym(op, A_KIND), "custom"); }

/* Describes op, which stands before b's point; the neutral elements are built with b. */
static Fold fold_of(Builder *b, Op *op) {
    Fold f = {.op = op, .nvals = op->nres, .element = op->regs[0], .rank = op->regs[0]->nargs};
    f.identity = NEWN(arena_of(&f), Value *, f.nvals);
    if (is_custom(op)) f.combine = op->regs[1];
    else if (!reduce_kind_op(op_sym(op, A_KIND), &f.code)) bug("reduce kind %s", op_sym(op, A_KIND));
    for (int i = 0; i < f.nvals && op->code == OP_REDUCE; i++)
        f.identity[i] = f.combine ? op_opnd(op, f.rank + i)
                                  : build_const(b, reduce_kind_identity(op_sym(op, A_KIND), op->res[i].type->dtype));
    return f;
}

static ReduceTree tree_of(Fold *f) {
    return (ReduceTree){.nvals = f->nvals,
                        .identity = f->identity,
                        .element = fold_element,
                        .combine = fold_combine,
                        .ctx = f,
                        .memory = true,
                        .compact = region_count_ops(f->element) > BIG_BODY || has_loops(f->element)};
}

void expand_reduce(Op *op) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    ReduceTree t = tree_of(&f);
    t.nested = loops_lanes_take(op);
    Value **extents = NEWN(arena_of(&f), Value *, f.rank), **out = NEWN(arena_of(&f), Value *, f.nvals);
    for (int i = 0; i < f.rank; i++) extents[i] = op_opnd(op, i);
    reduce_tree_build(&b, f.rank, extents, &t, out);
    for (int i = 0; i < f.nvals; i++) value_replace_all(&op->res[i], out[i]);
    op_erase(op);
}

/* ---- at function level */

/* One-element tensors, one per value, of the values' types */
static void result_tensors(Builder *b, const Op *op, Value **out) {
    Session *s = b->module->session;
    const Size *one = size_const(s, 1);
    for (int i = 0; i < op->nres; i++)
        out[i] = build_empty(b, type_tensor(s, op->res[i].type->dtype, 1, &one), op->res[i].name);
}

/* The results, read from their tensors after the island; op goes. */
static void take_results(Op *op, Op *island) {
    Builder b = builder_before(op);
    Value *zero = build_int(&b, 0);
    for (int i = 0; i < op->nres; i++) {
        Value *v = build_extract(&b, &island->res[i], 1, &zero);
        op_set_flag(v->def, A_SAFE);
        v->name = op->res[i].name;
        value_replace_all(&op->res[i], v);
    }
    op_erase(op);
}

static void store_results(Builder *b, const Fold *f, Op *island, Value *const *vals) {
    Value *zero = build_int(b, 0);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(b, vals[i], island->regs[0]->args[i], 1, &zero), A_SAFE);
}

static const int64_t *all_out(Arena *a, int n) {
    int64_t *modes = NEWN(a, int64_t, n);
    for (int i = 0; i < n; i++) modes[i] = 1;
    return modes;
}

static bool few_elements(const Fold *f) {
    int64_t c, n = 1;
    for (int i = 0; i < f->rank; i++) {
        if (!value_const_int(op_opnd(f->op, i), &c) || c > FEW) return false;
        n *= c < 0 ? 0 : c;
        if (n > FEW) return false;
    }
    return true;
}

static void island_serial(Fold *f) {
    Builder b = builder_before(f->op);
    Value **outs = NEWN(arena_of(f), Value *, f->nvals);
    result_tensors(&b, f->op, outs);
    Op *island = island_new(&b, f->nvals, outs, all_out(arena_of(f), f->nvals));
    Builder in = builder_at_end(b.module, island->regs[0], f->op->span);
    ReduceTree t = tree_of(f);
    Value *extents[MAX_RANK];
    for (int i = 0; i < f->rank; i++) extents[i] = op_opnd(f->op, i);
    reduce_tree_build(&in, f->rank, extents, &t, outs);
    store_results(&in, f, island, outs);
    island_finish(island, false);
    take_results(f->op, island);
}

/* An element of the innermost axis, the outer indices being fixed */
static void inner_element(void *ctx, Builder *b, Value *const *idx, Value **out) {
    Fold *f = ctx;
    Value *all[MAX_RANK];
    memcpy(all, f->outer, sizeof all);
    all[f->rank - 1] = idx[0];
    fold_element(f, b, all, out);
}

/* The running result takes another one; the first, c being 0, is taken as it is */
static void take_chunk(Builder *b, Fold *f, Value *c, Value *const *acc, Value *const *chunk, Value **out) {
    if (!f->combine) { /* the identity of these is exact */
        fold_combine(f, b, acc, chunk, out);
        return;
    }
    const Type **types = NEWN(arena_of(f), const Type *, f->nvals);
    for (int i = 0; i < f->nvals; i++) types[i] = acc[i]->type;
    Op *op = build_if(b, build_binary(b, OP_EQ, c, build_int(b, 0)), f->nvals, types);
    Builder first = builder_at_end(b->module, op->regs[0], b->span),
            later = builder_at_end(b->module, op->regs[1], b->span);
    build_yield(&first, f->nvals, chunk);
    fold_combine(f, &later, acc, chunk, out);
    build_yield(&later, f->nvals, out);
    for (int i = 0; i < f->nvals; i++) out[i] = &op->res[i];
}

/* The chunk at the indices, the last of which counts chunks */
static void load_chunk(Builder *b, Fold *f, Value *const *at, Value **out) {
    for (int i = 0; i < f->nvals; i++) {
        out[i] = build_load(b, f->partials[i], f->rank, at);
        op_set_flag(out[i]->def, A_SAFE);
    }
}

/* n chunks, the first of them at the indices `at`: those that stand together at this level of the tree combine first,
 * left to right. */
static void combine_level(Builder *b, Fold *f, int level, Value *const *at, Value *n, Value **out) {
    Value *here[MAX_RANK], **part = NEWN(arena_of(f), Value *, f->nvals);
    int64_t span = reduce_span(level) / REDUCE_CHUNK;
    Op *loop = build_for(b, build_int(b, 0), n, build_int(b, span), f->nvals, f->identity);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    memcpy(here, at, sizeof *here * (size_t)f->rank);
    here[f->rank - 1] = index_add(&in, at[f->rank - 1], r->args[0]);
    Value *left = level ? index_min(&in, index_sub(&in, n, r->args[0]), build_int(&in, span)) : NULL;
    if (level) combine_level(&in, f, level - 1, here, left, part);
    else load_chunk(&in, f, here, part);
    take_chunk(&in, f, r->args[0], r->args + 1, part, part);
    build_yield(&in, f->nvals, part);
    for (int i = 0; i < f->nvals; i++) out[i] = &loop->res[i];
}

/* The chunks of the innermost axis for fixed outer indices */
static void combine_chunks(void *ctx, Builder *b, Value *const *idx, Value **out) {
    Fold *f = ctx;
    Value *at[MAX_RANK];
    int64_t n;
    int level = REDUCE_LEVELS;
    while (level > 0 && value_const_int(f->chunks, &n) && n <= reduce_span(level) / REDUCE_CHUNK) level--;
    for (int i = 0; i < f->rank - 1; i++) at[i] = idx[i];
    at[f->rank - 1] = build_int(b, 0);
    combine_level(b, f, level, at, f->chunks, out);
}

/* Chunk c of an axis of extent n begins at lo and has len elements. */
static void chunk_bounds(Builder *b, Value *c, Value *n, int64_t chunk, Value **lo, Value **len) {
    *lo = build_binary(b, OP_MUL, c, build_int(b, chunk));
    *len = build_binary(b, OP_MIN, build_binary(b, OP_SUB, n, *lo), build_int(b, chunk));
}

static void parallel_chunks(Builder *b, Fold *f, Value *const *extents, Value *n) {
    Builder in;
    Op *loop = build_plain_parallel(b, f->rank, extents, &in);
    Value **ivs = loop->regs[0]->args, *lo, *len, **out = NEWN(arena_of(f), Value *, f->nvals);
    ReduceTree t = tree_of(f);
    t.element = inner_element;
    memcpy(f->outer, ivs, sizeof *ivs * (size_t)f->rank);
    chunk_bounds(&in, ivs[f->rank - 1], n, REDUCE_CHUNK, &lo, &len);
    reduce_tree_chunk(&in, lo, len, &t, out);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(&in, out[i], f->partials[i], f->rank, ivs), A_SAFE);
}

/* The number of chunks of a size */
static const Size *size_chunks(Session *s, const Size *n, int64_t chunk) {
    return size_floordiv(s, size_add(s, n, size_const(s, chunk - 1)), size_const(s, chunk));
}

static void island_parallel(Fold *f) {
    Builder b = builder_before(f->op);
    Session *s = b.module->session;
    int nv = f->nvals, rank = f->rank;
    const Size *dims[MAX_RANK];
    Value *extents[MAX_RANK], *n, **outs = NEWN(arena_of(f), Value *, 2 * nv);
    for (int i = 0; i < rank; i++) dims[i] = build_size_of(&b, op_opnd(f->op, i));
    n = build_size(&b, dims[rank - 1]);
    dims[rank - 1] = size_chunks(s, dims[rank - 1], REDUCE_CHUNK);
    for (int i = 0; i < rank; i++) extents[i] = build_size(&b, dims[i]);
    f->chunks = extents[rank - 1];
    result_tensors(&b, f->op, outs);
    for (int i = 0; i < nv; i++)
        outs[nv + i] = build_empty(&b, type_tensor(s, f->op->res[i].type->dtype, rank, dims), intern(s, "partial"));
    Op *island = island_new(&b, 2 * nv, outs, all_out(arena_of(f), 2 * nv));
    f->partials = island->regs[0]->args + nv;
    Builder in = builder_at_end(b.module, island->regs[0], f->op->span);
    parallel_chunks(&in, f, extents, n);
    if (rank == 1) combine_chunks(f, &in, NULL, outs);
    else {
        ReduceTree t = tree_of(f);
        t.element = combine_chunks, t.compact = true;
        reduce_tree_build(&in, rank - 1, extents, &t, outs);
    }
    store_results(&in, f, island, outs);
    island_finish(island, false);
    take_results(f->op, island);
}

void reduce_to_island(Op *op) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    if (few_elements(&f)) island_serial(&f);
    else island_parallel(&f);
}

/* ---- scan
 *
 * The definition: chunks of 4096 from left to right, the totals of the chunks from left to right, and each element
 * is its place in its chunk after the total of the chunks before.  Two ways to it: one thread keeps the total as it
 * goes, of floats with two chunks side by side, whose sums do not wait for each other.  Many threads scan the chunks by
 * themselves, then the totals in order, then bring the totals into the chunks; or, where the elements cost no more than
 * to read them, they take the totals of the chunks first, and write each element once. */

typedef struct {
    Fold *f;
    Value *chunk, **before;
} Carry; /* before: the total of the chunks before; NULL: not asked for */

/* Whether a scan may begin with a neutral element: those of operations that have a name give back each operand as it
 * is. */
static bool has_start(const Fold *f) { return !f->combine; }

/* The neutral elements; some value where there is none that is exact.  A sum of floats begins with -0.0: 0.0 would make
 * 0.0 of an element that is -0.0. */
static void scan_start(Builder *b, const Fold *f, Value **out) {
    for (int i = 0; i < f->nvals; i++) {
        DType t = f->op->res[i].type->dtype;
        Const c = has_start(f) ? reduce_kind_identity(op_sym(f->op, A_KIND), t) : (Const){.dtype = t};
        if (has_start(f) && f->code == OP_ADD && dtype_is_float(t)) c.f = -0.0;
        out[i] = build_const(b, c);
    }
}

/* before op v; v itself in the first chunk */
static void carry_into(Builder *b, const Carry *k, Value *const *v, Value **out) {
    int n = k->f->nvals;
    if (has_start(k->f)) {
        fold_combine(k->f, b, k->before, v, out);
        return;
    }
    const Type **types = NEWN(arena_of(k->f), const Type *, n);
    for (int i = 0; i < n; i++) types[i] = v[i]->type;
    Op *op = build_if(b, build_binary(b, OP_GT, k->chunk, build_int(b, 0)), n, types);
    Builder later = builder_at_end(b->module, op->regs[0], b->span),
            first = builder_at_end(b->module, op->regs[1], b->span);
    build_yield(&first, n, v);
    fold_combine(k->f, &later, k->before, v, out);
    build_yield(&later, n, out);
    for (int i = 0; i < n; i++) out[i] = &op->res[i];
}

/* One element of each buffer, at an index that is inside */
static void load_each(Builder *b, const Fold *f, Value *const *bufs, Value *at, Value **out) {
    for (int i = 0; i < f->nvals; i++) {
        out[i] = build_load(b, bufs[i], 1, &at);
        op_set_flag(out[i]->def, A_SAFE);
    }
}

static void store_each(Builder *b, const Fold *f, Value *const *v, Value *const *bufs, Value *at) {
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(b, v[i], bufs[i], 1, &at), A_SAFE);
}

static void scan_store(Builder *b, const Carry *k, Value *const *v, Value *const *outs, Value *at) {
    Value *const *w = v;
    if (k->before) {
        Value **sum = NEWN(arena_of(k->f), Value *, k->f->nvals);
        carry_into(b, k, v, sum);
        w = sum;
    }
    store_each(b, k->f, w, outs, at);
}

/* What the loop over a chunk begins with: neutral elements, or the first element, stored already (a chunk has at least
 * one). The result: how many elements are done. */
static int64_t scan_begin(Builder *b, const Carry *k, Value *const *outs, Value *lo, Value **v) {
    if (has_start(k->f)) {
        scan_start(b, k->f, v);
        return 0;
    }
    fold_element(k->f, b, &lo, v);
    scan_store(b, k, v, outs, lo);
    return 1;
}

/* One chunk from left to right; stores the elements; total: what the chunk combines to. */
static void scan_chunk(Builder *b, const Carry *k, Value *const *outs, Value *n, Value **total) {
    Fold *f = k->f;
    Value *lo, *len, **v = NEWN(arena_of(f), Value *, f->nvals);
    chunk_bounds(b, k->chunk, n, SCAN_CHUNK, &lo, &len);
    int64_t done = scan_begin(b, k, outs, lo, v);
    Op *loop = build_for(b, build_int(b, done), len, build_int(b, 1), f->nvals, v);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value *at = build_binary(&in, OP_ADD, lo, r->args[0]);
    fold_element(f, &in, &at, v);
    fold_combine(f, &in, r->args + 1, v, v);
    scan_store(&in, k, v, outs, at);
    build_yield(&in, f->nvals, v);
    for (int i = 0; i < f->nvals; i++) total[i] = &loop->res[i];
}

/* Each element of the chunk at lo takes what stands before it. */
static void scan_add(Builder *b, Fold *f, Value *const *outs, Value *const *before, Value *lo, Value *len) {
    Builder each;
    Op *loop = build_plain_parallel(b, 1, &len, &each);
    Value **w = NEWN(arena_of(f), Value *, f->nvals), *at = build_binary(&each, OP_ADD, lo, loop->regs[0]->args[0]);
    load_each(&each, f, outs, at, w);
    fold_combine(f, &each, before, w, w);
    store_each(&each, f, w, outs, at);
}

/* Whole chunks two by two: the left one has the total before it, the right one gets it afterwards.  v: the total of all
 * of them */
static void scan_pairs(Builder *b, Fold *f, Value *const *outs, Value *pairs, Value **v) {
    int nv = f->nvals;
    Op *loop = build_for(b, build_int(b, 0), pairs, build_int(b, 1), nv, v);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Carry left = {f, r->args[0], r->args + 1}, right = {f, r->args[0], NULL};
    Value **x = NEWN(arena_of(f), Value *, 2 * nv), **y = x + nv;
    Value *lo = build_binary(&in, OP_MUL, r->args[0], build_int(&in, 2 * SCAN_CHUNK)),
          *hi = build_binary(&in, OP_ADD, lo, build_int(&in, SCAN_CHUNK));
    int64_t done = scan_begin(&in, &left, outs, lo, x);
    scan_begin(&in, &right, outs, hi, y);
    Op *chunk = build_for(&in, build_int(&in, done), build_int(&in, SCAN_CHUNK), build_int(&in, 1), 2 * nv, x);
    Value **args = chunk->regs[0]->args;
    Builder each = builder_at_end(b->module, chunk->regs[0], b->span);
    Value *at = build_binary(&each, OP_ADD, lo, args[0]), *to = build_binary(&each, OP_ADD, hi, args[0]);
    fold_element(f, &each, &at, x);
    fold_combine(f, &each, args + 1, x, x);
    scan_store(&each, &left, x, outs, at);
    fold_element(f, &each, &to, y);
    fold_combine(f, &each, args + 1 + nv, y, y);
    scan_store(&each, &right, y, outs, to);
    build_yield(&each, 2 * nv, x);
    for (int i = 0; i < 2 * nv; i++) x[i] = &chunk->res[i];
    carry_into(&in, &left, x, x);
    scan_add(&in, f, outs, x, hi, build_int(&in, SCAN_CHUNK));
    fold_combine(f, &in, x, y, y);
    build_yield(&in, nv, y);
    for (int i = 0; i < nv; i++) v[i] = &loop->res[i];
}

static bool waits_for_floats(const Fold *f) {
    for (int i = 0; i < f->nvals; i++)
        if (dtype_is_float(f->op->res[i].type->dtype)) return true;
    return false;
}

/* Of elements that may stop the program, the first one does. */
static bool may_stop(const Fold *f) {
    for (const Op *o = f->element->first; o; o = o->next)
        if (op_may_trap(o)) return true;
    return false;
}

/* All chunks in order */
static void scan_in_order(Builder *b, Fold *f, Value *const *outs, Value *chunks, Value *n) {
    Value **v = NEWN(arena_of(f), Value *, f->nvals), *from = build_int(b, 0);
    scan_start(b, f, v);
    int64_t one;
    if (waits_for_floats(f) && !may_stop(f) && !(value_const_int(chunks, &one) && one <= 2)) {
        Value *pairs = build_binary(b, OP_IDIV, n, build_int(b, 2 * SCAN_CHUNK));
        op_set_flag(pairs->def, A_SAFE);
        scan_pairs(b, f, outs, pairs, v);
        from = build_binary(b, OP_MUL, pairs, build_int(b, 2));
    }
    Op *loop = build_for(b, from, chunks, build_int(b, 1), f->nvals, v);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Carry k = {f, r->args[0], r->args + 1};
    scan_chunk(&in, &k, outs, n, v);
    carry_into(&in, &k, v, v);
    build_yield(&in, f->nvals, v);
}

static void scan_chunks(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    Value *c = build_plain_parallel(b, 1, &chunks, &in)->regs[0]->args[0], **v = NEWN(arena_of(f), Value *, f->nvals);
    scan_chunk(&in, &(Carry){f, c, NULL}, outs, n, v);
    store_each(&in, f, v, totals, c);
}

/* totals[c] becomes the combination of the totals up to chunk c. */
static void scan_totals(Builder *b, Fold *f, Value *const *totals, Value *chunks) {
    Value **v = NEWN(arena_of(f), Value *, 2 * f->nvals), **w = v + f->nvals;
    Op *loop = build_for(b, build_int(b, 1), chunks, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *c = loop->regs[0]->args[0], *before = build_binary(&in, OP_SUB, c, build_int(&in, 1));
    load_each(&in, f, totals, before, v);
    load_each(&in, f, totals, c, w);
    fold_combine(f, &in, v, w, v);
    store_each(&in, f, v, totals, c);
    build_yield(&in, 0, NULL);
}

/* Every chunk but the first takes what stands before it. */
static void scan_carry(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    Value *lo, *len, **v = NEWN(arena_of(f), Value *, f->nvals);
    Value *rest = build_binary(b, OP_SUB, chunks, build_int(b, 1));
    rest = build_binary(b, OP_MAX, rest, build_int(b, 0));
    Value *before = build_plain_parallel(b, 1, &rest, &in)->regs[0]->args[0];
    Value *c = build_binary(&in, OP_ADD, before, build_int(&in, 1));
    chunk_bounds(&in, c, n, SCAN_CHUNK, &lo, &len);
    load_each(&in, f, totals, before, v);
    scan_add(&in, f, outs, v, lo, len);
}

/* Reading the elements twice costs less than reading once more what was written. */
static bool is_cheap(const Fold *f) {
    for (const Op *o = f->element->first; o; o = o->next) {
        bool index = o->nres == 1 && !dtype_is_float(o->res[0].type->dtype) &&
                     (o->code == OP_ADD || o->code == OP_SUB || o->code == OP_MUL);
        if (!index && o->code != OP_EXTRACT && o->code != OP_LOAD && o->code != OP_CONST && o->code != OP_SIZE &&
            o->code != OP_YIELD)
            return false;
    }
    return has_start(f) && !may_stop(f) && region_count_ops(f->element) <= 8;
}

/* The totals of `wide` chunks side by side, the first one at lo, whose number is c */
static void totals_of(Builder *b, Fold *f, Value *const *totals, Value *c, Value *lo, Value *len, int wide) {
    int nv = f->nvals;
    Value **v = NEWN(arena_of(f), Value *, nv * wide), **x = NEWN(arena_of(f), Value *, nv);
    for (int k = 0; k < wide; k++) scan_start(b, f, v + k * nv);
    Op *loop = build_for(b, build_int(b, 0), len, build_int(b, 1), nv * wide, v);
    Value **args = loop->regs[0]->args;
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    for (int k = 0; k < wide; k++) {
        Builder before = builder_before(loop);
        Value *from = index_add(&before, lo, build_int(&before, k * SCAN_CHUNK)),
              *at = build_binary(&in, OP_ADD, from, args[0]);
        fold_element(f, &in, &at, x);
        fold_combine(f, &in, args + 1 + k * nv, x, v + k * nv);
    }
    build_yield(&in, nv * wide, v);
    for (int k = 0; k < wide; k++) {
        for (int i = 0; i < nv; i++) x[i] = &loop->res[k * nv + i];
        store_each(b, f, x, totals, index_add(b, c, build_int(b, k)));
    }
}

/* totals[c] becomes the total of chunk c: whole chunks, SIDE at a time, then the rest. */
static void scan_totals_first(Builder *b, Fold *f, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    int wide = waits_for_floats(f) ? SIDE : 1;
    Value *lo, *len, *groups = build_binary(b, OP_IDIV, n, build_int(b, wide * SCAN_CHUNK));
    op_set_flag(groups->def, A_SAFE);
    Value *g = build_plain_parallel(b, 1, &groups, &in)->regs[0]->args[0];
    Value *c = index_mul(&in, g, build_int(&in, wide)), *whole = build_int(&in, SCAN_CHUNK);
    totals_of(&in, f, totals, c, index_mul(&in, c, whole), whole, wide);
    Op *rest = build_for(b, index_mul(b, groups, build_int(b, wide)), chunks, build_int(b, 1), 0, NULL);
    in = builder_at_end(b->module, rest->regs[0], b->span);
    chunk_bounds(&in, rest->regs[0]->args[0], n, SCAN_CHUNK, &lo, &len);
    totals_of(&in, f, totals, rest->regs[0]->args[0], lo, len, 1);
    build_yield(&in, 0, NULL);
}

/* totals[c] becomes the total of the chunks before c. */
static void scan_totals_before(Builder *b, Fold *f, Value *const *totals, Value *chunks) {
    Value **v = NEWN(arena_of(f), Value *, f->nvals);
    scan_start(b, f, v);
    Op *loop = build_for(b, build_int(b, 0), chunks, build_int(b, 1), f->nvals, v);
    Value **args = loop->regs[0]->args;
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    load_each(&in, f, totals, args[0], v);
    store_each(&in, f, args + 1, totals, args[0]);
    fold_combine(f, &in, args + 1, v, v);
    build_yield(&in, f->nvals, v);
}

static void scan_from_totals(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    Value *c = build_plain_parallel(b, 1, &chunks, &in)->regs[0]->args[0],
          **v = NEWN(arena_of(f), Value *, 2 * f->nvals);
    load_each(&in, f, totals, c, v);
    scan_chunk(&in, &(Carry){f, c, v}, outs, n, v + f->nvals);
}

/* The body is small enough to stand there for one thread and for many. */
static bool worth_two(const Fold *f) {
    return !has_loops(f->element) &&
           region_count_ops(f->element) + (f->combine ? region_count_ops(f->combine) : 1) <= BIG_BODY;
}

static void scan_by_all(Builder *b, Fold *f, Value *const *bufs, Value *chunks, Value *n) {
    Value *const *totals = bufs + f->nvals;
    if (is_cheap(f)) {
        scan_totals_first(b, f, totals, chunks, n);
        scan_totals_before(b, f, totals, chunks);
        scan_from_totals(b, f, bufs, totals, chunks, n);
        return;
    }
    scan_chunks(b, f, bufs, totals, chunks, n);
    scan_totals(b, f, totals, chunks);
    scan_carry(b, f, bufs, totals, chunks, n);
}

static void scan_by_one_or_all(Builder *b, Fold *f, Value *const *bufs, Value *chunks, Value *n) {
    Value *alone = build_binary(b, OP_EQ, build_threads(b), build_int(b, 1));
    Value *short_ = build_binary(b, OP_LE, chunks, build_int(b, 1));
    Op *choice = build_if(b, build_binary(b, OP_OR, short_, alone), 0, NULL);
    Builder one = builder_at_end(b->module, choice->regs[0], b->span),
            all = builder_at_end(b->module, choice->regs[1], b->span);
    scan_in_order(&one, f, bufs, chunks, n);
    build_yield(&one, 0, NULL);
    scan_by_all(&all, f, bufs, chunks, n);
    build_yield(&all, 0, NULL);
}

void scan_to_island(Op *op) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    Session *s = b.module->session;
    const Size *dim = op->res[0].type->dims[0], *count = size_chunks(s, dim, SCAN_CHUNK);
    Value *n = build_size(&b, dim), *chunks = build_size(&b, count);
    int64_t c;
    bool is_short = value_const_int(chunks, &c) && c <= 1;
    int nv = f.nvals, all = is_short ? nv : 2 * nv; /* operands: results, totals */
    Value **outs = NEWN(arena_of(&f), Value *, all), **bufs = NEWN(arena_of(&f), Value *, all);
    for (int i = 0; i < all; i++) {
        const Value *r = &op->res[i % nv];
        if (i < nv) outs[i] = build_empty(&b, r->type, r->name);
        else outs[i] = build_empty(&b, type_tensor(s, r->type->dtype, 1, &count), intern(s, "total"));
    }
    Op *island = island_new(&b, all, outs, all_out(arena_of(&f), all));
    memcpy(bufs, island->regs[0]->args, sizeof *bufs * (size_t)all);
    Builder body = builder_at_end(b.module, island->regs[0], op->span);
    if (is_short) scan_in_order(&body, &f, bufs, chunks, n);
    else if (worth_two(&f)) scan_by_one_or_all(&body, &f, bufs, chunks, n);
    else scan_by_all(&body, &f, bufs, chunks, n);
    island_finish(island, false);
    for (int i = 0; i < nv; i++) value_replace_all(&op->res[i], &island->res[i]);
    op_erase(op);
}
