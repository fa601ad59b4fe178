/* Reductions and scans as loops, in the fixed tree of reduce_tree.h.
 *
 * Inside an island a reduce becomes serial loops where it stands.  At function level it becomes an island of its
 * own: chunks of the innermost axis (for each index of the outer ones) in parallel, their results into a tensor of
 * partial results, and the rest of the tree over those, in order.  A scan makes two such passes. */
#include "lower/loops.h"
#include "lower/reduce_tree.h"

#include <string.h>

enum { BIG_BODY = 48 }; /* operations; beyond, the body is not worth nine copies */

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
    loops_inline_region(b, ((Fold *)ctx)->element, idx, out);
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
    loops_inline_region(b, f->combine, args, out);
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
    return (ReduceTree){.nvals = f->nvals, .identity = f->identity, .element = fold_element, .combine = fold_combine, .ctx = f, .memory = true,
                        .compact = loops_count_ops(f->element) > BIG_BODY || has_loops(f->element)};
}

void loops_expand_reduce(Op *op) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    ReduceTree t = tree_of(&f);
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
        out[i] = loops_empty(b, type_tensor(s, op->res[i].type->dtype, 1, &one), op->res[i].name);
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
        if (!loops_const(op_opnd(f->op, i), &c) || c > REDUCE_CHUNK) return false;
        n *= c < 0 ? 0 : c;
        if (n > REDUCE_CHUNK) return false;
    }
    return true;
}

static void island_serial(Fold *f) {
    Builder b = builder_before(f->op);
    Value **outs = NEWN(arena_of(f), Value *, f->nvals);
    result_tensors(&b, f->op, outs);
    Op *island = loops_island(&b, f->nvals, outs, all_out(arena_of(f), f->nvals));
    Builder in = builder_at_end(b.module, island->regs[0], f->op->span);
    ReduceTree t = tree_of(f);
    Value *extents[MAX_RANK];
    for (int i = 0; i < f->rank; i++) extents[i] = op_opnd(f->op, i);
    reduce_tree_build(&in, f->rank, extents, &t, outs);
    store_results(&in, f, island, outs);
    loops_island_finish(island, false);
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

/* The running result (NULL before the first chunk) takes another chunk's */
static void take_chunk(Builder *b, Fold *f, Value *c, Value *const *acc, Value *const *chunk, Value **out) {
    if (!f->combine) { /* the identity of these is exact */
        fold_combine(f, b, acc, chunk, out);
        return;
    }
    const Type **types = NEWN(arena_of(f), const Type *, f->nvals);
    for (int i = 0; i < f->nvals; i++) types[i] = acc[i]->type;
    Op *op = build_if(b, build_binary(b, OP_EQ, c, build_int(b, 0)), f->nvals, types);
    Builder first = builder_at_end(b->module, op->regs[0], b->span), later = builder_at_end(b->module, op->regs[1], b->span);
    build_yield(&first, f->nvals, chunk);
    fold_combine(f, &later, acc, chunk, out);
    build_yield(&later, f->nvals, out);
    for (int i = 0; i < f->nvals; i++) out[i] = &op->res[i];
}

/* The chunks of the innermost axis for fixed outer indices, left to right */
static void combine_chunks(void *ctx, Builder *b, Value *const *idx, Value **out) {
    Fold *f = ctx;
    Value *at[MAX_RANK], **chunk = NEWN(arena_of(f), Value *, f->nvals);
    Op *loop = build_for(b, build_int(b, 0), f->chunks, build_int(b, 1), f->nvals, f->identity);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    for (int i = 0; i < f->rank - 1; i++) at[i] = idx[i];
    at[f->rank - 1] = r->args[0];
    for (int i = 0; i < f->nvals; i++) {
        chunk[i] = build_load(&in, f->partials[i], f->rank, at);
        op_set_flag(chunk[i]->def, A_SAFE);
    }
    take_chunk(&in, f, r->args[0], r->args + 1, chunk, chunk);
    build_yield(&in, f->nvals, chunk);
    for (int i = 0; i < f->nvals; i++) out[i] = &loop->res[i];
}

/* Chunk c of the innermost axis of extent n begins at lo and has len elements. */
static void chunk_bounds(Builder *b, Value *c, Value *n, Value **lo, Value **len) {
    *lo = build_binary(b, OP_MUL, c, build_int(b, REDUCE_CHUNK));
    *len = build_binary(b, OP_MIN, build_binary(b, OP_SUB, n, *lo), build_int(b, REDUCE_CHUNK));
}

static void parallel_chunks(Builder *b, Fold *f, Value *const *extents, Value *n) {
    Builder in;
    Op *loop = loops_parallel(b, f->rank, extents, &in);
    Value **ivs = loop->regs[0]->args, *lo, *len, **out = NEWN(arena_of(f), Value *, f->nvals);
    ReduceTree t = tree_of(f);
    t.element = inner_element;
    memcpy(f->outer, ivs, sizeof *ivs * (size_t)f->rank);
    chunk_bounds(&in, ivs[f->rank - 1], n, &lo, &len);
    reduce_tree_chunk(&in, lo, len, &t, out);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(&in, out[i], f->partials[i], f->rank, ivs), A_SAFE);
}

/* The number of chunks of a size */
static const Size *size_chunks(Session *s, const Size *n) {
    return size_floordiv(s, size_add(s, n, size_const(s, REDUCE_CHUNK - 1)), size_const(s, REDUCE_CHUNK));
}

static void island_parallel(Fold *f) {
    Builder b = builder_before(f->op);
    Session *s = b.module->session;
    int nv = f->nvals, rank = f->rank;
    const Size *dims[MAX_RANK];
    Value *extents[MAX_RANK], *n, **outs = NEWN(arena_of(f), Value *, 2 * nv);
    for (int i = 0; i < rank; i++) dims[i] = loops_extent_size(&b, op_opnd(f->op, i));
    n = build_size(&b, dims[rank - 1]);
    dims[rank - 1] = size_chunks(s, dims[rank - 1]);
    for (int i = 0; i < rank; i++) extents[i] = build_size(&b, dims[i]);
    f->chunks = extents[rank - 1];
    result_tensors(&b, f->op, outs);
    for (int i = 0; i < nv; i++)
        outs[nv + i] = loops_empty(&b, type_tensor(s, f->op->res[i].type->dtype, rank, dims), intern(s, "partial"));
    Op *island = loops_island(&b, 2 * nv, outs, all_out(arena_of(f), 2 * nv));
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
    loops_island_finish(island, false);
    take_results(f->op, island);
}

void loops_island_reduce(Op *op) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    if (few_elements(&f)) island_serial(&f);
    else island_parallel(&f);
}

/* ---- scan: chunks by themselves, their totals in order, then the totals before each chunk into it */

/* One chunk from left to right; stores the prefixes and the chunk's total. */
static void scan_chunk(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *c, Value *n) {
    Value *lo, *len, **v = NEWN(arena_of(f), Value *, f->nvals);
    chunk_bounds(b, c, n, &lo, &len);
    fold_element(f, b, &lo, v); /* a chunk has at least one element */
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(b, v[i], outs[i], 1, &lo), A_SAFE);
    Op *loop = build_for(b, build_int(b, 1), len, build_int(b, 1), f->nvals, v);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value *at = build_binary(&in, OP_ADD, lo, r->args[0]);
    fold_element(f, &in, &at, v);
    fold_combine(f, &in, r->args + 1, v, v);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(&in, v[i], outs[i], 1, &at), A_SAFE);
    build_yield(&in, f->nvals, v);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(b, &loop->res[i], totals[i], 1, &c), A_SAFE);
}

/* totals[c] becomes the combination of the totals up to chunk c. */
static void scan_totals(Builder *b, Fold *f, Value *const *totals, Value *chunks) {
    Value **v = NEWN(arena_of(f), Value *, 2 * f->nvals), **w = v + f->nvals;
    Op *loop = build_for(b, build_int(b, 1), chunks, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *c = loop->regs[0]->args[0], *before = build_binary(&in, OP_SUB, c, build_int(&in, 1));
    for (int i = 0; i < f->nvals; i++) {
        v[i] = build_load(&in, totals[i], 1, &before);
        w[i] = build_load(&in, totals[i], 1, &c);
        op_set_flag(v[i]->def, A_SAFE), op_set_flag(w[i]->def, A_SAFE);
    }
    fold_combine(f, &in, v, w, v);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(&in, v[i], totals[i], 1, &c), A_SAFE);
    build_yield(&in, 0, NULL);
}

/* Every chunk but the first takes what stands before it. */
static void scan_carry(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *chunks, Value *n) {
    Builder in, each;
    Value *lo, *len, **v = NEWN(arena_of(f), Value *, 2 * f->nvals), **w = v + f->nvals;
    Value *rest = build_binary(b, OP_SUB, chunks, build_int(b, 1));
    rest = build_binary(b, OP_MAX, rest, build_int(b, 0));
    Value *before = loops_parallel(b, 1, &rest, &in)->regs[0]->args[0];
    Value *c = build_binary(&in, OP_ADD, before, build_int(&in, 1));
    chunk_bounds(&in, c, n, &lo, &len);
    for (int i = 0; i < f->nvals; i++) {
        v[i] = build_load(&in, totals[i], 1, &before);
        op_set_flag(v[i]->def, A_SAFE);
    }
    Value *at = loops_parallel(&in, 1, &len, &each)->regs[0]->args[0];
    at = build_binary(&each, OP_ADD, lo, at);
    for (int i = 0; i < f->nvals; i++) {
        w[i] = build_load(&each, outs[i], 1, &at);
        op_set_flag(w[i]->def, A_SAFE);
    }
    fold_combine(f, &each, v, w, w);
    for (int i = 0; i < f->nvals; i++) op_set_flag(build_store(&each, w[i], outs[i], 1, &at), A_SAFE);
}

void loops_island_scan(Op *op) {
    Builder b = builder_before(op), in;
    Fold f = fold_of(&b, op);
    Session *s = b.module->session;
    int nv = f.nvals;
    const Size *dim = op->res[0].type->dims[0], *count = size_chunks(s, dim);
    Value *n = build_size(&b, dim), *chunks = build_size(&b, count), **outs = NEWN(arena_of(&f), Value *, 2 * nv);
    for (int i = 0; i < nv; i++) {
        outs[i] = loops_empty(&b, op->res[i].type, op->res[i].name);
        outs[nv + i] = loops_empty(&b, type_tensor(s, op->res[i].type->dtype, 1, &count), intern(s, "total"));
    }
    /* operands in the order: results, totals */
    Value **ordered = NEWN(arena_of(&f), Value *, 2 * nv);
    memcpy(ordered, outs, sizeof *outs * (size_t)(2 * nv));
    Op *island = loops_island(&b, 2 * nv, ordered, all_out(arena_of(&f), 2 * nv));
    Value **bufs = NEWN(arena_of(&f), Value *, 2 * nv);
    memcpy(bufs, island->regs[0]->args, sizeof *bufs * (size_t)(2 * nv));
    Builder body = builder_at_end(b.module, island->regs[0], op->span);
    Op *loop = loops_parallel(&body, 1, &chunks, &in);
    scan_chunk(&in, &f, bufs, bufs + nv, loop->regs[0]->args[0], n);
    scan_totals(&body, &f, bufs + nv, chunks);
    scan_carry(&body, &f, bufs, bufs + nv, chunks, n);
    loops_island_finish(island, false);
    for (int i = 0; i < nv; i++) value_replace_all(&op->res[i], &island->res[i]);
    op_erase(op);
}
