/* Scans as loops.
 *
 * The definition: chunks of 4096 from left to right, the totals of the chunks from left to right, and each element
 * is its place in its chunk after the total of the chunks before.  Two ways to it: one thread keeps the total as it
 * goes, of floats with two chunks side by side, whose sums do not wait for each other.  Many threads scan the chunks by
 * themselves, then the totals in order, then bring the totals into the chunks; or, where the elements cost no more than
 * to read them, they take the totals of the chunks first, and write each element once. */
#include "lower/fold.h"

#include <string.h>

enum { SIDE = 4 }; /* chunks that are summed side by side */

typedef struct {
    Fold *f;
    Value *chunk, **before;
} Carry; /* before: the total of the chunks before; NULL: not asked for */

/* Whether a scan may begin with a neutral element: those of operations that have a name give back each operand as it
 * is. */
bool scan_has_start(const Fold *f) { return !f->combine; }

/* The neutral elements; some value where there is none that is exact.  A sum of floats begins with -0.0: 0.0 would make
 * 0.0 of an element that is -0.0. */
void scan_start(Builder *b, const Fold *f, Value **out) {
    for (int i = 0; i < f->nvals; i++) {
        DType t = f->op->res[i].type->dtype;
        Const c = scan_has_start(f) ? combine_identity(op_combine(f->op), t) : (Const){.dtype = t};
        if (scan_has_start(f) && f->code == OP_ADD && dtype_is_float(t)) c.f = -0.0;
        out[i] = build_const(b, c);
    }
}

/* before op v; v itself in the first chunk */
static void carry_into(Builder *b, const Carry *k, Value *const *v, Value **out) {
    int n = k->f->nvals;
    if (scan_has_start(k->f)) {
        fold_combine(k->f, b, k->before, v, out);
        return;
    }
    const Type **types = NEWN(fold_arena(k->f), const Type *, n);
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
void scan_load(Builder *b, const Fold *f, Value *const *bufs, Value *at, Value **out) {
    for (int i = 0; i < f->nvals; i++) {
        out[i] = load_safe(b, bufs[i], 1, &at);
    }
}

void scan_store(Builder *b, const Fold *f, Value *const *v, Value *const *bufs, Value *at) {
    for (int i = 0; i < f->nvals; i++) store_safe(b, v[i], bufs[i], 1, &at);
}

static void scan_put(Builder *b, const Carry *k, Value *const *v, Value *const *outs, Value *at) {
    Value *const *w = v;
    if (k->before) {
        Value **sum = NEWN(fold_arena(k->f), Value *, k->f->nvals);
        carry_into(b, k, v, sum);
        w = sum;
    }
    scan_store(b, k->f, w, outs, at);
}

/* What the loop over a chunk begins with: neutral elements, or the first element, stored already (a chunk has at least
 * one). The result: how many elements are done. */
static int64_t scan_begin(Builder *b, const Carry *k, Value *const *outs, Value *lo, Value **v) {
    if (scan_has_start(k->f)) {
        scan_start(b, k->f, v);
        return 0;
    }
    fold_element(k->f, b, &lo, v);
    scan_put(b, k, v, outs, lo);
    return 1;
}

/* One chunk from left to right; stores the elements; total: what the chunk combines to. */
static void scan_chunk(Builder *b, const Carry *k, Value *const *outs, Value *n, Value **total) {
    Fold *f = k->f;
    Value *lo, *len, **v = NEWN(fold_arena(f), Value *, f->nvals);
    fold_chunk_bounds(b, k->chunk, n, SCAN_CHUNK, &lo, &len);
    int64_t done = scan_begin(b, k, outs, lo, v);
    Op *loop = build_for(b, build_int(b, done), len, build_int(b, 1), f->nvals, v);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Value *at = build_binary(&in, OP_ADD, lo, r->args[0]);
    fold_element(f, &in, &at, v);
    fold_combine(f, &in, r->args + 1, v, v);
    scan_put(&in, k, v, outs, at);
    build_yield(&in, f->nvals, v);
    for (int i = 0; i < f->nvals; i++) total[i] = &loop->res[i];
}

/* Each element of the chunk at lo takes what stands before it. */
static void scan_add(Builder *b, Fold *f, Value *const *outs, Value *const *before, Value *lo, Value *len) {
    Builder each;
    Op *loop = build_plain_parallel(b, 1, &len, &each);
    Value **w = NEWN(fold_arena(f), Value *, f->nvals), *at = build_binary(&each, OP_ADD, lo, loop->regs[0]->args[0]);
    scan_load(&each, f, outs, at, w);
    fold_combine(f, &each, before, w, w);
    scan_store(&each, f, w, outs, at);
}

/* Whole chunks two by two: the left one has the total before it, the right one gets it afterwards.  v: the total of all
 * of them */
static void scan_pairs(Builder *b, Fold *f, Value *const *outs, Value *pairs, Value **v) {
    int nv = f->nvals;
    Op *loop = build_for(b, build_int(b, 0), pairs, build_int(b, 1), nv, v);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Carry left = {f, r->args[0], r->args + 1}, right = {f, r->args[0], NULL};
    Value **x = NEWN(fold_arena(f), Value *, 2 * nv), **y = x + nv;
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
    scan_put(&each, &left, x, outs, at);
    fold_element(f, &each, &to, y);
    fold_combine(f, &each, args + 1 + nv, y, y);
    scan_put(&each, &right, y, outs, to);
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
    Value **v = NEWN(fold_arena(f), Value *, f->nvals), *from = build_int(b, 0);
    scan_start(b, f, v);
    int64_t one;
    if (waits_for_floats(f) && !may_stop(f) && !(value_const_int(chunks, &one) && one <= 2)) {
        Value *pairs = idiv_safe(b, n, build_int(b, 2 * SCAN_CHUNK));
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
    Value *c = build_plain_parallel(b, 1, &chunks, &in)->regs[0]->args[0], **v = NEWN(fold_arena(f), Value *, f->nvals);
    scan_chunk(&in, &(Carry){f, c, NULL}, outs, n, v);
    scan_store(&in, f, v, totals, c);
}

/* totals[c] becomes the combination of the totals up to chunk c. */
void scan_totals(Builder *b, Fold *f, Value *const *totals, Value *chunks) {
    Value **v = NEWN(fold_arena(f), Value *, 2 * f->nvals), **w = v + f->nvals;
    Op *loop = build_for(b, build_int(b, 1), chunks, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *c = loop->regs[0]->args[0], *before = build_binary(&in, OP_SUB, c, build_int(&in, 1));
    scan_load(&in, f, totals, before, v);
    scan_load(&in, f, totals, c, w);
    fold_combine(f, &in, v, w, v);
    scan_store(&in, f, v, totals, c);
    build_yield(&in, 0, NULL);
}

/* Every chunk but the first takes what stands before it. */
static void scan_carry(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    Value *lo, *len, **v = NEWN(fold_arena(f), Value *, f->nvals);
    Value *rest = build_binary(b, OP_SUB, chunks, build_int(b, 1));
    rest = build_binary(b, OP_MAX, rest, build_int(b, 0));
    Value *before = build_plain_parallel(b, 1, &rest, &in)->regs[0]->args[0];
    Value *c = build_binary(&in, OP_ADD, before, build_int(&in, 1));
    fold_chunk_bounds(&in, c, n, SCAN_CHUNK, &lo, &len);
    scan_load(&in, f, totals, before, v);
    scan_add(&in, f, outs, v, lo, len);
}

static bool only_reads(const Region *element) {
    for (const Op *o = element->first; o; o = o->next) {
        bool index = o->nres == 1 && !dtype_is_float(o->res[0].type->dtype) &&
                     (o->code == OP_ADD || o->code == OP_SUB || o->code == OP_MUL);
        if (!index && o->code != OP_EXTRACT && o->code != OP_LOAD && o->code != OP_CONST && o->code != OP_SIZE &&
            o->code != OP_YIELD)
            return false;
    }
    return true;
}

/* Reading the elements twice costs less than reading once more what was written; a GPU computes while it reads. */
bool scan_is_cheap(const Fold *f, bool device) {
    if (!scan_has_start(f) || may_stop(f) || fold_has_loops(f->element)) return false;
    return region_count_ops(f->element) <= 8 && (device || only_reads(f->element));
}

/* The totals of `wide` chunks side by side, the first one at lo, whose number is c */
static void totals_of(Builder *b, Fold *f, Value *const *totals, Value *c, Value *lo, Value *len, int wide) {
    int nv = f->nvals;
    Value **v = NEWN(fold_arena(f), Value *, nv * wide), **x = NEWN(fold_arena(f), Value *, nv);
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
        scan_store(b, f, x, totals, index_add(b, c, build_int(b, k)));
    }
}

/* totals[c] becomes the total of chunk c: whole chunks, SIDE at a time, then the rest. */
static void scan_totals_first(Builder *b, Fold *f, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    int wide = waits_for_floats(f) ? SIDE : 1;
    Value *lo, *len, *groups = idiv_safe(b, n, build_int(b, wide * SCAN_CHUNK));
    Value *g = build_plain_parallel(b, 1, &groups, &in)->regs[0]->args[0];
    Value *c = index_mul(&in, g, build_int(&in, wide)), *whole = build_int(&in, SCAN_CHUNK);
    totals_of(&in, f, totals, c, index_mul(&in, c, whole), whole, wide);
    Op *rest = build_for(b, index_mul(b, groups, build_int(b, wide)), chunks, build_int(b, 1), 0, NULL);
    in = builder_at_end(b->module, rest->regs[0], b->span);
    fold_chunk_bounds(&in, rest->regs[0]->args[0], n, SCAN_CHUNK, &lo, &len);
    totals_of(&in, f, totals, rest->regs[0]->args[0], lo, len, 1);
    build_yield(&in, 0, NULL);
}

/* totals[c] becomes the total of the chunks before c. */
void scan_totals_before(Builder *b, Fold *f, Value *const *totals, Value *chunks) {
    Value **v = NEWN(fold_arena(f), Value *, f->nvals);
    scan_start(b, f, v);
    Op *loop = build_for(b, build_int(b, 0), chunks, build_int(b, 1), f->nvals, v);
    Value **args = loop->regs[0]->args;
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    scan_load(&in, f, totals, args[0], v);
    scan_store(&in, f, args + 1, totals, args[0]);
    fold_combine(f, &in, args + 1, v, v);
    build_yield(&in, f->nvals, v);
}

static void scan_from_totals(Builder *b, Fold *f, Value *const *outs, Value *const *totals, Value *chunks, Value *n) {
    Builder in;
    Value *c = build_plain_parallel(b, 1, &chunks, &in)->regs[0]->args[0],
          **v = NEWN(fold_arena(f), Value *, 2 * f->nvals);
    scan_load(&in, f, totals, c, v);
    scan_chunk(&in, &(Carry){f, c, v}, outs, n, v + f->nvals);
}

/* The body is small enough to stand there for one thread and for many. */
static bool worth_two(const Fold *f) {
    return !fold_has_loops(f->element) &&
           region_count_ops(f->element) + (f->combine ? region_count_ops(f->combine) : 1) <= FOLD_BIG_BODY;
}

static void scan_by_all(Builder *b, Fold *f, Value *const *bufs, Value *chunks, Value *n) {
    Value *const *totals = bufs + f->nvals;
    if (scan_is_cheap(f, false)) {
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

void scan_to_island(Op *op, bool device) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    if (device) {
        scan_on_device(&f);
        return;
    }
    Session *s = b.module->session;
    const Size *dim = op->res[0].type->dims[0], *count = fold_chunks(s, dim, SCAN_CHUNK);
    Value *n = build_size(&b, dim), *chunks = build_size(&b, count);
    int64_t c;
    bool is_short = value_const_int(chunks, &c) && c <= 1;
    int nv = f.nvals, all = is_short ? nv : 2 * nv; /* operands: results, totals */
    Value **outs = NEWN(fold_arena(&f), Value *, all), **bufs = NEWN(fold_arena(&f), Value *, all);
    for (int i = 0; i < all; i++) {
        const Value *r = &op->res[i % nv];
        if (i < nv) outs[i] = build_empty(&b, r->type, r->name);
        else outs[i] = build_empty(&b, type_tensor(s, r->type->dtype, 1, &count), intern(s, "total"));
    }
    Op *island = build_island(&b, all, outs, fold_all_out(fold_arena(&f), all));
    memcpy(bufs, island->regs[0]->args, sizeof *bufs * (size_t)all);
    Builder body = builder_at_end(b.module, island->regs[0], op->span);
    if (is_short) scan_in_order(&body, &f, bufs, chunks, n);
    else if (worth_two(&f)) scan_by_one_or_all(&body, &f, bufs, chunks, n);
    else scan_by_all(&body, &f, bufs, chunks, n);
    island_finish(island, false);
    for (int i = 0; i < nv; i++) value_replace_all(&op->res[i], &island->res[i]);
    op_erase(op);
}
