/* Reductions on a GPU: teams reduce chunks; then a thread each takes those of a row, or of a group.  Only the results
 * of groups are combined by the host.  Long columns, of which there are not enough for a thread each, are such rows,
 * too: neighbours in a warp have neighbouring columns. */
#include "analysis/columns.h"
#include "lower/fold.h"

/* Fresh tensors of these sizes, one per value */
static Value **device_tensors(Builder *b, const Fold *f, int rank, const Size *const *dims, const char *name) {
    Value **outs = NEWN(fold_arena(f), Value *, f->nvals);
    for (int i = 0; i < f->nvals; i++) {
        const Type *t = type_tensor(b->module->session, f->op->res[i].type->dtype, rank, dims);
        outs[i] = build_empty(b, t, intern(b->module->session, name));
    }
    return outs;
}

/* An island that writes outs and reads the results of `from`, f's partial results from then on;
 * into: the buffers of outs */
static Op *device_island(Builder *b, Fold *f, Value *const *outs, Op *from, Value ***into) {
    int nv = f->nvals;
    Value **bufs = NEWN(fold_arena(f), Value *, nv);
    Op *island = build_island(b, nv, outs, fold_all_out(fold_arena(f), nv));
    for (int i = 0; i < nv && from; i++) bufs[i] = island_reads(island, &from->res[i]);
    *into = island->regs[0]->args;
    if (from) f->partials = bufs;
    return island;
}

static void store_all(Builder *b, const Fold *f, Value *const *v, Value *const *into, Value *const *at, int rank) {
    for (int i = 0; i < f->nvals; i++) store_safe(b, v[i], into[i], rank, at);
}

/* The results of chunks: outer axes, then chunks */
static Op *device_chunks(Builder *b, Fold *f, const Size *const *dims, Value *const *extents, Value *n) {
    Value **into, **outs = device_tensors(b, f, f->rank, dims, "partial");
    Op *island = device_island(b, f, outs, NULL, &into);
    Builder in = builder_at_end(b->module, island->regs[0], f->op->span);
    f->partials = into, f->team = true;
    fold_parallel_chunks(&in, f, extents, n);
    island_finish(island, false);
    return island;
}

/* The results of rows, from those of their chunks */
static Op *device_rows(Builder *b, Fold *f, Op *chunks, const Size *const *dims, Value *const *extents) {
    Value **into, **outs = device_tensors(b, f, f->rank - 1, dims, "row"), **v = NEWN(fold_arena(f), Value *, f->nvals);
    Op *island = device_island(b, f, outs, chunks, &into);
    Builder at = builder_at_end(b->module, island->regs[0], f->op->span), in;
    Value *const *idx = build_plain_parallel(&at, f->rank - 1, extents, &in)->regs[0]->args;
    fold_row(f, &in, idx, v);
    store_all(&in, f, v, into, idx, f->rank - 1);
    island_finish(island, false);
    return island;
}

/* The results of groups, from those of their chunks */
static Op *device_groups(Builder *b, Fold *f, Op *chunks, const Size *count) {
    const Size *groups = fold_chunks(b->module->session, count, REDUCE_FAN);
    Value **into, **outs = device_tensors(b, f, 1, &groups, "group"), **v = NEWN(fold_arena(f), Value *, f->nvals);
    Value *n = build_size(b, groups);
    Op *island = device_island(b, f, outs, chunks, &into);
    Builder at = builder_at_end(b->module, island->regs[0], f->op->span), in;
    Value *g = build_plain_parallel(&at, 1, &n, &in)->regs[0]->args[0], *lo, *len;
    fold_chunk_bounds(&in, g, f->chunks, REDUCE_FAN, &lo, &len);
    fold_level(&in, f, 0, &lo, len, v);
    store_all(&in, f, v, into, &g, 1);
    island_finish(island, false);
    f->chunks = n;
    return island;
}

/* What is left of one axis */
static void device_last(Builder *b, Fold *f, Op *groups) {
    Value **into, **outs = NEWN(fold_arena(f), Value *, f->nvals), **v = NEWN(fold_arena(f), Value *, f->nvals);
    fold_result_tensors(b, f->op, outs);
    Op *island = device_island(b, f, outs, groups, &into);
    Builder in = builder_at_end(b->module, island->regs[0], f->op->span);
    Value *zero = build_int(&in, 0);
    fold_level(&in, f, 1, &zero, f->chunks, v);
    fold_store_results(&in, f, island, v);
    island_finish(island, false);
    fold_take_results(f->op, island);
}

/* The same reduction of the rows' results, which are tensors */
static Op *reduce_of_rows(Builder *b, Fold *f, Op *rows) {
    Arena *a = fold_arena(f);
    int rank = f->rank - 1, nv = f->nvals, more = f->combine ? nv : 0;
    Value **opnds = NEWN(a, Value *, rank + more), **v = NEWN(a, Value *, nv);
    const Type **types = NEWN(a, const Type *, nv);
    for (int i = 0; i < rank; i++) opnds[i] = op_opnd(f->op, i);
    for (int i = 0; i < more; i++) opnds[rank + i] = f->identity[i];
    for (int i = 0; i < nv; i++) types[i] = f->op->res[i].type;
    Op *op = build_op(b, OP_REDUCE, rank + more, opnds, nv, types, f->combine ? 2 : 1);
    op_set_combine(op, op_combine(f->op));
    Region *r = op->regs[0];
    for (int i = 0; i < rank; i++) region_add_arg(r, opnds[i]->type, NULL);
    Builder in = builder_at_end(b->module, r, f->op->span);
    for (int i = 0; i < nv; i++) {
        v[i] = extract_safe(&in, &rows->res[i], rank, r->args);
    }
    build_yield(&in, nv, v);
    if (f->combine) {
        Region *fresh = op->regs[1];
        op->regs[1] = f->combine, f->combine->owner = op;
        f->op->regs[1] = fresh, fresh->owner = f->op;
        Builder end = builder_at_end(b->module, fresh, f->op->span);
        build_yield(&end, 0, NULL);
    }
    op_replace(f->op, op);
    return op;
}

/* The results of the last axis' chunks; dims, extents: of them */
static Op *chunks_of(Builder *b, Fold *f, const Size **dims, Value **extents) {
    int last = f->rank - 1;
    for (int i = 0; i < f->rank; i++) dims[i] = build_size_of(b, op_opnd(f->op, i));
    Value *n = build_size(b, dims[last]);
    dims[last] = fold_chunks(b->module->session, dims[last], REDUCE_CHUNK);
    for (int i = 0; i < f->rank; i++) extents[i] = build_size(b, dims[i]);
    f->chunks = extents[last];
    return device_chunks(b, f, dims, extents, n);
}

void reduce_on_device(Fold *f) {
    Builder b = builder_before(f->op);
    const Size *dims[MAX_RANK];
    Value *extents[MAX_RANK];
    Op *chunks = chunks_of(&b, f, dims, extents);
    if (f->rank == 1) {
        device_last(&b, f, device_groups(&b, f, chunks, dims[0]));
        return;
    }
    reduce_to_island(reduce_of_rows(&b, f, device_rows(&b, f, chunks, dims, extents)), true);
}

/* ---- columns */

/* The same as a reduction of several axes, the last of which is the column; it has no result yet. */
static Op *all_axes(Builder *b, Op *generate, Op *reduce) {
    Region *body = generate->regs[0], *inner = reduce->regs[0];
    Arena *a = b->module->arena;
    int outer = body->nargs;
    int64_t n = 0;
    Value *extents[MAX_RANK + 1];
    const Type **types = NEWN(a, const Type *, reduce->nres);
    build_dims(b, generate->res[0].type, extents);
    value_const_int(op_opnd(reduce, 0), &n);
    extents[outer] = build_int(b, n);
    for (int i = 0; i < reduce->nres; i++) types[i] = reduce->res[i].type;
    Op *op = build_op(b, OP_REDUCE, outer + 1, extents, reduce->nres, types, 1);
    op_set_combine(op, op_combine(reduce));
    Region *r = op->regs[0];
    for (int i = 0; i <= outer; i++) {
        Value *old = i < outer ? body->args[i] : inner->args[0];
        value_replace_all(old, region_add_arg(r, old->type, old->name));
    }
    if (reduce->prev) op_move_range(body->first, reduce->prev, r, NULL);
    op_move_range(inner->first, region_term(inner), r, NULL);
    return op;
}

bool columns_on_device(Op *generate) {
    Op *reduce = long_columns(generate);
    if (!reduce) return false;
    Builder b = builder_before(generate);
    Op *op = all_axes(&b, generate, reduce);
    b = builder_before(generate);
    Fold f = fold_of(&b, op);
    const Size *dims[MAX_RANK];
    Value *extents[MAX_RANK];
    f.across = true;
    Op *rows = device_rows(&b, &f, chunks_of(&b, &f, dims, extents), dims, extents);
    op_erase(op);
    op_replace(generate, rows);
    return true;
}
