/* Reductions as loops, in the fixed tree of reduce_tree.h.
 *
 * Inside an island a reduce becomes serial loops where it stands.  At function level it becomes an island of its
 * own: chunks of the innermost axis (for each index of the outer ones) in parallel, their results into a tensor of
 * partial results, and the rest of the tree over those, in order. */
#include "lower/fold.h"
#include "opt/loops/loops.h"

#include <string.h>

Arena *fold_arena(const Fold *f) { return f->op->parent->func->module->arena; }

void fold_element(void *ctx, Builder *b, Value *const *idx, Value **out) {
    region_inline(b, ((Fold *)ctx)->element, idx, out);
}

void fold_combine(void *ctx, Builder *b, Value *const *x, Value *const *y, Value **out) {
    Fold *f = ctx;
    if (!f->combine) {
        for (int i = 0; i < f->nvals; i++) out[i] = build_binary(b, f->code, x[i], y[i]);
        return;
    }
    Value **args = NEWN(fold_arena(f), Value *, 2 * f->nvals);
    memcpy(args, x, sizeof *args * (size_t)f->nvals);
    memcpy(args + f->nvals, y, sizeof *args * (size_t)f->nvals);
    region_inline(b, f->combine, args, out);
}

bool fold_has_loops(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_REDUCE || op_info(o->code)->traits & TR_LOOP) return true;
        for (int i = 0; i < o->nregs; i++)
            if (fold_has_loops(o->regs[i])) return true;
    }
    return false;
}

/* The second of two values is a place, as in argmin: the element's index, the combined one that of either side, before
 * all elements a negative number. */
static bool picks_place(const Fold *f) {
    int64_t none;
    if (!f->combine || f->nvals != 2 || f->rank != 1) return false;
    const Value *place = op_opnd(region_term(f->element), 1), *chosen = op_opnd(region_term(f->combine), 1);
    const Op *choice = chosen->def;
    if (place != f->element->args[0] || !choice || choice->code != OP_SELECT) return false;
    for (int i = 1; i < 3; i++)
        if (op_opnd(choice, i) != f->combine->args[1] && op_opnd(choice, i) != f->combine->args[3]) return false;
    return value_const_int(f->identity[1], &none) && none < 0;
}

/* Elements that are taken in order have places in order: none is before what was picked so far. */
static void fold_combine_next(void *ctx, Builder *b, Value *const *x, Value *const *y, Value **out) {
    const Fold *f = ctx;
    const Value *picked = f->nvals > 1 ? x[1] : NULL;
    Value *next = f->nvals > 1 ? y[1] : NULL;
    fold_combine(ctx, b, x, y, out);
    for (const Use *u = next && picks_place(f) ? next->uses : NULL; u; u = u->next) {
        if (u->user->code != OP_LT || u->index != 0 || op_opnd(u->user, 1) != picked) continue;
        Builder before = builder_before(u->user);
        value_replace_all(&u->user->res[0], build_bool(&before, false));
    }
}

static bool is_custom(const Op *op) { return op_combine(op) == COMBINE_CUSTOM; }

/* Describes op, which stands before b's point; the neutral elements are built with b. */
Fold fold_of(Builder *b, Op *op) {
    Fold f = {.op = op, .nvals = op->nres, .element = op->regs[0], .rank = op->regs[0]->nargs};
    f.identity = NEWN(fold_arena(&f), Value *, f.nvals);
    if (is_custom(op)) f.combine = op->regs[1];
    else f.code = combine_info(op_combine(op))->op;
    for (int i = 0; i < f.nvals && op->code == OP_REDUCE; i++) f.identity[i] = build_neutral(b, op, i);
    return f;
}

static ReduceTree tree_of(Fold *f) {
    return (ReduceTree){.nvals = f->nvals,
                        .identity = f->identity,
                        .element = fold_element,
                        .combine = fold_combine,
                        .combine_next = fold_combine_next,
                        .ctx = f,
                        .exact = !f->combine,
                        .free = !f->combine && dtype_is_int(f->op->res[0].type->dtype),
                        .team = f->team,
                        .compact = region_count_ops(f->element) > FOLD_BIG_BODY || fold_has_loops(f->element)};
}

void expand_reduce(Op *op) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    ReduceTree t = tree_of(&f);
    t.team = team_does(op);
    t.nested = !t.team && loops_lanes_take(op);
    Value **extents = NEWN(fold_arena(&f), Value *, f.rank), **out = NEWN(fold_arena(&f), Value *, f.nvals);
    for (int i = 0; i < f.rank; i++) extents[i] = op_opnd(op, i);
    reduce_tree_build(&b, f.rank, extents, &t, out);
    for (int i = 0; i < f.nvals; i++) value_replace_all(&op->res[i], out[i]);
    op_erase(op);
}

/* ---- at function level */

/* One-element tensors, one per value, of the values' types */
void fold_result_tensors(Builder *b, const Op *op, Value **out) {
    Session *s = b->module->session;
    const Size *one = size_const(s, 1);
    for (int i = 0; i < op->nres; i++)
        out[i] = build_empty(b, type_tensor(s, op->res[i].type->dtype, 1, &one), op->res[i].name);
}

/* The results, read from their tensors after the island; op goes. */
void fold_take_results(Op *op, Op *island) {
    Builder b = builder_before(op);
    Value *zero = build_int(&b, 0);
    for (int i = 0; i < op->nres; i++) {
        Value *v = extract_safe(&b, &island->res[i], 1, &zero);
        v->name = op->res[i].name;
        value_replace_all(&op->res[i], v);
    }
    op_erase(op);
}

void fold_store_results(Builder *b, const Fold *f, Op *island, Value *const *vals) {
    Value *zero = build_int(b, 0);
    for (int i = 0; i < f->nvals; i++) store_safe(b, vals[i], island->regs[0]->args[i], 1, &zero);
}

const int64_t *fold_all_out(Arena *a, int n) {
    int64_t *modes = NEWN(a, int64_t, n);
    for (int i = 0; i < n; i++) modes[i] = 1;
    return modes;
}

static void island_serial(Fold *f) {
    Builder b = builder_before(f->op);
    Value **outs = NEWN(fold_arena(f), Value *, f->nvals);
    fold_result_tensors(&b, f->op, outs);
    Op *island = build_island(&b, f->nvals, outs, fold_all_out(fold_arena(f), f->nvals));
    Builder in = builder_at_end(b.module, island->regs[0], f->op->span);
    ReduceTree t = tree_of(f);
    Value *extents[MAX_RANK];
    for (int i = 0; i < f->rank; i++) extents[i] = op_opnd(f->op, i);
    reduce_tree_build(&in, f->rank, extents, &t, outs);
    fold_store_results(&in, f, island, outs);
    island_finish(island, false);
    fold_take_results(f->op, island);
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
    const Type **types = NEWN(fold_arena(f), const Type *, f->nvals);
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
    Value *place[MAX_RANK];
    int by = f->chunks_first ? f->rank - 1 : 0;
    for (int i = 0; i < f->rank; i++) place[i] = at[(i + by) % f->rank];
    for (int i = 0; i < f->nvals; i++) out[i] = load_safe(b, f->partials[i], f->rank, place);
}

/* n chunks, the first of them at the indices `at`: those that stand together at this level of the tree combine first,
 * left to right. */
void fold_level(Builder *b, Fold *f, int level, Value *const *at, Value *n, Value **out) {
    Value *here[MAX_RANK], **part = NEWN(fold_arena(f), Value *, f->nvals);
    int64_t span = reduce_span(level) / REDUCE_CHUNK;
    Op *loop = build_for(b, build_int(b, 0), n, build_int(b, span), f->nvals, f->identity);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    memcpy(here, at, sizeof *here * (size_t)f->rank);
    here[f->rank - 1] = index_add(&in, at[f->rank - 1], r->args[0]);
    Value *left = level ? index_min(&in, index_sub(&in, n, r->args[0]), build_int(&in, span)) : NULL;
    if (level) fold_level(&in, f, level - 1, here, left, part);
    else load_chunk(&in, f, here, part);
    take_chunk(&in, f, r->args[0], r->args + 1, part, part);
    build_yield(&in, f->nvals, part);
    for (int i = 0; i < f->nvals; i++) out[i] = &loop->res[i];
}

/* The chunks of the innermost axis for fixed outer indices */
void fold_row(void *ctx, Builder *b, Value *const *idx, Value **out) {
    Fold *f = ctx;
    Value *at[MAX_RANK];
    int64_t n;
    int level = REDUCE_LEVELS;
    while (level > 0 && value_const_int(f->chunks, &n) && n <= reduce_span(level) / REDUCE_CHUNK) level--;
    for (int i = 0; i < f->rank - 1; i++) at[i] = idx[i];
    at[f->rank - 1] = build_int(b, 0);
    fold_level(b, f, level, at, f->chunks, out);
}

/* Chunk c of an axis of extent n begins at lo and has len elements. */
void fold_chunk_bounds(Builder *b, Value *c, Value *n, int64_t chunk, Value **lo, Value **len) {
    *lo = build_binary(b, OP_MUL, c, build_int(b, chunk));
    *len = build_binary(b, OP_MIN, build_binary(b, OP_SUB, n, *lo), build_int(b, chunk));
}

/* Their loop; iv: its indices in the order of the axes */
static Op *chunks_loop(Builder *b, const Fold *f, Value *const *extents, Value **iv, Builder *in) {
    Value *turned[MAX_RANK];
    int rank = f->rank, by = f->across ? rank - 1 : 0;
    for (int i = 0; i < rank; i++) turned[i] = extents[(i + by) % rank];
    Op *loop = build_plain_parallel(b, rank, turned, in);
    for (int i = 0; i < rank; i++) iv[(i + by) % rank] = loop->regs[0]->args[i];
    return loop;
}

void fold_chunk(Builder *b, Fold *f, Value *c, Value *n, bool nested, Value **out) {
    Value *lo, *len;
    ReduceTree t = tree_of(f);
    t.element = inner_element, t.nested = nested;
    fold_chunk_bounds(b, c, n, REDUCE_CHUNK, &lo, &len);
    reduce_tree_chunk(b, n, lo, len, &t, out);
}

void fold_parallel_chunks(Builder *b, Fold *f, Value *const *extents, Value *n) {
    Builder in;
    Value *ivs[MAX_RANK], **out = NEWN(fold_arena(f), Value *, f->nvals);
    Op *loop = chunks_loop(b, f, extents, ivs, &in);
    if (f->team) op_set_flag(loop, A_TEAM);
    memcpy(f->outer, ivs, sizeof *ivs * (size_t)f->rank);
    fold_chunk(&in, f, ivs[f->rank - 1], n, false, out);
    for (int i = 0; i < f->nvals; i++) store_safe(&in, out[i], f->partials[i], f->rank, ivs);
}

/* The number of chunks of a size */
const Size *fold_chunks(Session *s, const Size *n, int64_t chunk) {
    return size_floordiv(s, size_add(s, n, size_const(s, chunk - 1)), size_const(s, chunk));
}

static void island_parallel(Fold *f) {
    Builder b = builder_before(f->op);
    Session *s = b.module->session;
    int nv = f->nvals, rank = f->rank;
    const Size *dims[MAX_RANK];
    Value *extents[MAX_RANK], *n, **outs = NEWN(fold_arena(f), Value *, 2 * nv);
    for (int i = 0; i < rank; i++) dims[i] = build_size_of(&b, op_opnd(f->op, i));
    n = build_size(&b, dims[rank - 1]);
    dims[rank - 1] = fold_chunks(s, dims[rank - 1], REDUCE_CHUNK);
    for (int i = 0; i < rank; i++) extents[i] = build_size(&b, dims[i]);
    f->chunks = extents[rank - 1];
    fold_result_tensors(&b, f->op, outs);
    for (int i = 0; i < nv; i++)
        outs[nv + i] = build_empty(&b, type_tensor(s, f->op->res[i].type->dtype, rank, dims), intern(s, "partial"));
    Op *island = build_island(&b, 2 * nv, outs, fold_all_out(fold_arena(f), 2 * nv));
    f->partials = island->regs[0]->args + nv;
    Builder in = builder_at_end(b.module, island->regs[0], f->op->span);
    fold_parallel_chunks(&in, f, extents, n);
    if (rank == 1) fold_row(f, &in, NULL, outs);
    else {
        ReduceTree t = tree_of(f);
        t.element = fold_row, t.compact = true;
        reduce_tree_build(&in, rank - 1, extents, &t, outs);
    }
    fold_store_results(&in, f, island, outs);
    island_finish(island, false);
    fold_take_results(f->op, island);
}

void reduce_to_island(Op *op, bool device) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    int64_t n;
    bool many = f.rank > TENSOR_RANK; /* more axes than an array of partial results can have */
    if (device && f.rank && !many) reduce_on_device(&f);
    else if (many || reduce_is_serial(op, &n)) island_serial(&f);
    else island_parallel(&f);
}
