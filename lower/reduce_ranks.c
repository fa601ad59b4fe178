/* Reductions along columns of arrays whose rows lie with several processes (docs/mpi.md): chunks of rows in parallel,
 * which each process computes of its own, for all columns; then for each column the rest of the tree over its chunks'
 * results.  The tree is that of reduce_tree.h: the bits are those of one process. */
#include "lower/fold.h"

/* So few rows are not worth it: a chunk of them is one process's.  Then columns go around (opt/ranks/partition.c). */
enum { LONG = 8 * REDUCE_CHUNK };

/* ---- which */

/* rows: arrays that are read along their rows by the reduction's index, others: by an index of the comprehension */
typedef struct { const Region *body; const Value *along; int rows, others; bool loops; } Reads;

static bool depends_on_outer(const Reads *r, const Value *v) {
    for (int i = 0; i < r->body->nargs; i++)
        if (value_depends(v, r->body->args[i])) return true;
    return false;
}

static void look(void *ctx, Op *op) {
    Reads *r = ctx;
    r->loops |= op->code == OP_REDUCE || op_info(op->code)->traits & TR_LOOP;
    if (op->code != OP_EXTRACT || op->nopnds < 2) return;
    const Value *first = op_opnd(op, 1);
    if (depends_on_outer(r, first)) r->others++;
    else if (value_depends(first, r->along)) r->rows += op->nopnds - 2 == r->body->nargs;
}

static bool is_taken(const Op *generate, Op *reduce) {
    Region *inner = reduce->regs[0];
    Reads r = {generate->regs[0], inner->args[0], 0, 0, false};
    int64_t n;
    if (inner->nargs != 1 || reduce->nres != 1 || op_combine(reduce) == COMBINE_CUSTOM) return false;
    if (op_encloses(generate, op_opnd(reduce, 0))) return false;
    if (value_const_int(op_opnd(reduce, 0), &n) && n < LONG) return false;
    region_walk(inner, look, &r);
    return r.rows && !r.others && !r.loops;
}

/* The first of them, before which nothing stands that is not to be computed twice */
static Op *find_columns(const Op *generate) {
    const Region *body = generate->regs[0];
    if (body->nargs >= TENSOR_RANK) return NULL;
    for (Op *o = body->first; o; o = o->next) {
        if (o->code == OP_REDUCE && is_taken(generate, o)) return o;
        if (o->nregs || !op_is_pure(o)) return NULL;
    }
    return NULL;
}

/* ---- chunks of rows, and what they come to */

/* The same as a reduction of several axes, the last of which is the column */
static Op *all_axes(Builder *b, const Op *generate, const Op *reduce) {
    const Region *body = generate->regs[0], *inner = reduce->regs[0];
    int outer = body->nargs;
    Value *extents[MAX_RANK + 1];
    build_dims(b, generate->res[0].type, extents);
    extents[outer] = op_opnd(reduce, 0);
    Op *op = build_op(b, OP_REDUCE, outer + 1, extents, 1, &reduce->res[0].type, 1);
    op_set_combine(op, op_combine(reduce));
    Region *r = op->regs[0];
    Cloner c = {.module = b->module};
    for (int i = 0; i <= outer; i++) {
        const Value *old = i < outer ? body->args[i] : inner->args[0];
        map_put(b->module->arena, &c.values, old, region_add_arg(r, old->type, old->name));
    }
    Builder in = builder_at_end(b->module, r, reduce->span);
    for (const Op *o = body->first; o != reduce; o = o->next) clone_op(&c, &in, o);
    clone_region_ops(&c, &in, inner, true);
    return op;
}

static Value *result(Builder *b, const Fold *f, int rank, const Size *const *dims, const char *name) {
    Session *s = b->module->session;
    return build_empty(b, type_tensor(s, f->op->res[0].type->dtype, rank, dims), name ? intern(s, name) : NULL);
}

/* dims, extents: of the chunks, then of the outer axes */
static Op *chunks_island(Builder *b, Fold *f, const Size *const *dims, Value *const *extents, Value *n) {
    const int64_t out = 1;
    Value *partial = result(b, f, f->rank, dims, "partial"), *v;
    Op *island = build_island(b, 1, &partial, &out);
    Builder at = builder_at_end(b->module, island->regs[0], f->op->span), in;
    Value *const *iv = build_plain_parallel(&at, f->rank, extents, &in)->regs[0]->args;
    for (int i = 1; i < f->rank; i++) f->outer[i - 1] = iv[i];
    fold_chunk(&in, f, iv[0], n, true, &v);
    store_safe(&in, v, island->regs[0]->args[0], f->rank, iv);
    island_finish(island, false);
    return island;
}

static Op *columns_island(Builder *b, Fold *f, const Op *chunks, const Size *const *dims, Value *const *extents) {
    const int64_t out = 1;
    int rank = f->rank - 1;
    Value *sums = result(b, f, rank, dims + 1, f->op->res[0].name), *v;
    Op *island = build_island(b, 1, &sums, &out);
    Value *partial = island_reads(island, &chunks->res[0]);
    f->partials = &partial;
    Builder at = builder_at_end(b->module, island->regs[0], f->op->span), in;
    Value *const *iv = build_plain_parallel(&at, rank, extents + 1, &in)->regs[0]->args;
    fold_row(f, &in, iv, &v);
    store_safe(&in, v, island->regs[0]->args[0], rank, iv);
    island_finish(island, false);
    return island;
}

static Value *by_chunks(Builder *b, const Op *generate, const Op *reduce) {
    Op *op = all_axes(b, generate, reduce);
    Fold f = fold_of(b, op);
    const Size *dims[MAX_RANK];
    Value *extents[MAX_RANK], *n = op_opnd(op, f.rank - 1);
    dims[0] = fold_chunks(b->module->session, build_size_of(b, n), REDUCE_CHUNK);
    for (int i = 1; i < f.rank; i++) dims[i] = generate->res[0].type->dims[i - 1];
    for (int i = 0; i < f.rank; i++) extents[i] = build_size(b, dims[i]);
    f.chunks = extents[0], f.chunks_first = true;
    Op *chunks = chunks_island(b, &f, dims, extents, n), *island = columns_island(b, &f, chunks, dims, extents);
    op_erase(op);
    return &island->res[0];
}

/* A comprehension of the reduction alone */
static Op *by_columns(Builder *b, const Op *generate, const Op *reduce) {
    const Region *body = generate->regs[0];
    const Type *t = generate->res[0].type;
    t = type_tensor(b->module->session, reduce->res[0].type->dtype, t->rank, t->dims);
    Op *op = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Cloner c = {.module = b->module};
    for (int i = 0; i < body->nargs; i++) {
        Value *iv = region_add_arg(op->regs[0], body->args[i]->type, body->args[i]->name);
        map_put(b->module->arena, &c.values, body->args[i], iv);
    }
    Builder in = builder_at_end(b->module, op->regs[0], reduce->span);
    for (const Op *o = body->first; o != reduce; o = o->next) clone_op(&c, &in, o);
    Value *v = &clone_op(&c, &in, reduce)->res[0];
    build_yield(&in, 1, &v);
    return op;
}

/* What the reduction gives in each element of the comprehension, where it is long */
static Value *columns(Builder *b, const Op *generate, const Op *reduce, const PassOptions *opts, LowerGenerate *lower) {
    int64_t known;
    Value *n = op_opnd(reduce, 0);
    if (value_const_int(n, &known)) return by_chunks(b, generate, reduce);
    const Type *t = generate->res[0].type;
    t = type_tensor(b->module->session, reduce->res[0].type->dtype, t->rank, t->dims);
    Op *choice = build_if(b, build_binary(b, OP_GE, n, build_int(b, LONG)), 1, &t);
    Builder many = builder_at_end(b->module, choice->regs[0], b->span);
    Builder few = builder_at_end(b->module, choice->regs[1], b->span);
    Value *v = by_chunks(&many, generate, reduce);
    build_yield(&many, 1, &v);
    Op *plain = by_columns(&few, generate, reduce);
    v = &plain->res[0];
    build_yield(&few, 1, &v);
    lower(plain, opts);
    return &choice->res[0];
}

bool columns_by_ranks(Op *generate, const PassOptions *opts, LowerGenerate *lower) {
    for (Op *reduce; (reduce = find_columns(generate));) {
        Builder b = builder_before(generate), in = builder_before(reduce);
        const Region *body = generate->regs[0];
        Value *v = columns(&b, generate, reduce, opts, lower);
        bool all = generate->nres == 1 && op_opnd(region_term(body), 0) == &reduce->res[0];
        value_replace_all(&reduce->res[0], extract_safe(&in, v, body->nargs, body->args));
        op_erase(reduce);
        if (!all) continue;
        op_replace(generate, v->def);
        return true;
    }
    return false;
}
