/* Scans as loops.
 *
 * The definition, with blocks of 16 elements, of 16 such blocks, and so on up to 16^5, which stand one behind the
 * other: a block's total combines those of the 16 in it from left to right; what stands before a block is what stands
 * before the one around it, then the totals of those to its left in there; an element is what stands before its run of
 * 16, then its run up to it, from left to right.  So elements of different runs do not wait for each other (one after
 * the other, they wait for each addition), a GPU's blocks tell each other few totals, and errors grow with the
 * logarithm of the length (Higham, The accuracy of floating point summation, SIAM J. Sci. Comput. 14, 1993, section 3).
 *
 * One thread goes through all blocks in order.  Many threads first take the totals of chunks, of 16^3 elements, then
 * one of them makes of each what stands before it, then each element is written once; where elements cost more than
 * to read them, the first time writes runs as they are by themselves, and the second adds what stands before. */
#include "ir/index.h"
#include "lower/fold.h"

#include <string.h>

enum { CHEAP = 8 }; /* operations */

/* What is done with an element: it counts for totals alone; it is written; it is written as of its run alone; it has
 * been, and takes what stands before. */
typedef enum { TOTALS, WHOLE, RUNS, AFTER } Pass;

typedef struct {
    Fold *f;
    Pass pass;
    Value *n;
    Value *const *outs, *const *totals; /* buffers */
} Scan;

int64_t scan_span(int level) { return level ? SCAN_FAN * scan_span(level - 1) : 1; }

/* ---- values that may be none yet */

/* Whether a scan may begin with a neutral element: those of operations that have a name give back each operand as it
 * is. */
static bool has_start(const Fold *f) { return !f->combine; }

static Value **values(const Fold *f) { return NEWN(fold_arena(f), Value *, f->nvals); }

Partial scan_none(Builder *b, const Fold *f) {
    Partial p = {has_start(f) ? NULL : build_bool(b, false), values(f)};
    for (int i = 0; i < f->nvals; i++) {
        DType t = f->op->res[i].type->dtype;
        Const c = has_start(f) ? combine_identity(op_combine(f->op), t) : (Const){.dtype = t};
        /* A sum of floats begins with -0.0: 0.0 would make 0.0 of an element that is -0.0. */
        if (has_start(f) && f->code == OP_ADD && dtype_is_float(t)) c.f = -0.0;
        p.v[i] = build_const(b, c);
    }
    return p;
}

Partial scan_some(const Fold *f, Value *const *v) {
    Partial p = {NULL, values(f)};
    memcpy(p.v, v, sizeof *v * (size_t)f->nvals);
    return p;
}

Partial scan_behind(Builder *b, const Fold *f, Value *i, Value *const *v) {
    Partial p = scan_some(f, v);
    if (!has_start(f)) p.some = build_binary(b, OP_GT, i, build_int(b, 0));
    return p;
}

/* That of two which there is; where there are both, x, which may be none */
static Partial either(Builder *b, const Fold *f, const Partial *x, const Partial *y) {
    Partial p = {NULL, values(f)};
    for (int i = 0; i < f->nvals; i++) p.v[i] = build_select(b, x->some, x->v[i], y->v[i]);
    return p;
}

static Partial both(Builder *b, const Fold *f, const Partial *x, const Partial *y) {
    Partial p = {NULL, values(f)};
    fold_combine((void *)f, b, x->v, y->v, p.v);
    return p;
}

static bool is_none(const Partial *p) {
    int64_t some;
    return p->some && value_const_int(p->some, &some) && !some;
}

Op *scan_if(Builder *b, const Fold *f, Value *cond) {
    const Type **types = NEWN(fold_arena(f), const Type *, f->nvals);
    for (int i = 0; i < f->nvals; i++) types[i] = type_scalar(b->module->session, f->op->res[i].type->dtype);
    return build_if(b, cond, f->nvals, types);
}

Value **scan_results(const Fold *f, Op *op) {
    Value **v = values(f);
    for (int i = 0; i < f->nvals; i++) v[i] = &op->res[i];
    return v;
}

Partial scan_join(Builder *b, const Fold *f, const Partial *x, const Partial *y) {
    if (is_none(x)) return *y;
    if (is_none(y)) return *x;
    if (!x->some && !y->some) return both(b, f, x, y);
    const Partial *a = x->some ? x : y, *z = x->some ? y : x; /* a may be none */
    Op *op = scan_if(b, f, z->some ? build_binary(b, OP_AND, a->some, z->some) : a->some);
    Builder yes = builder_at_end(b->module, op->regs[0], b->span), no = builder_at_end(b->module, op->regs[1], b->span);
    build_yield(&yes, f->nvals, both(&yes, f, x, y).v);
    build_yield(&no, f->nvals, z->some ? either(&no, f, a, z).v : z->v);
    return (Partial){z->some ? build_binary(b, OP_OR, a->some, z->some) : NULL, scan_results(f, op)};
}

/* ---- elements of buffers, at indices that are inside */

void scan_load(Builder *b, const Fold *f, Value *const *bufs, Value *at, Value **out) {
    for (int i = 0; i < f->nvals; i++) out[i] = load_safe(b, bufs[i], 1, &at);
}

void scan_store(Builder *b, const Fold *f, Value *const *v, Value *const *bufs, Value *at) {
    for (int i = 0; i < f->nvals; i++) store_safe(b, v[i], bufs[i], 1, &at);
}

/* ---- loops that carry what they have come to */

ScanTurns scan_turns_begin(Builder *b, const Fold *f, Value *n) {
    ScanTurns t = {.op = build_for(b, build_int(b, 0), n, build_int(b, 1), f->nvals, scan_none(b, f).v)};
    Region *r = t.op->regs[0];
    t.in = builder_at_end(b->module, r, b->span);
    t.i = r->args[0];
    t.sum = scan_behind(&t.in, f, t.i, r->args + 1);
    return t;
}

Partial scan_turns_end(const Fold *f, ScanTurns *t, const Partial *sum) {
    build_yield(&t->in, f->nvals, sum->v);
    return scan_some(f, scan_results(f, t->op));
}

/* ---- blocks */

/* The elements from lo on of which the array has no more than `most` */
static Value *rest_of(Builder *b, const Scan *s, Value *lo, int64_t most) {
    return index_min(b, build_int(b, most), index_sub(b, s->n, lo));
}

/* Elements that the first pass has written as of their runs take what stands before. */
static Partial run_after(Builder *b, const Scan *s, Value *lo, Value *len, const Partial *before) {
    Value **x = values(s->f), **last = values(s->f);
    scan_load(b, s->f, s->outs, index_add(b, lo, index_sub(b, len, build_int(b, 1))), last);
    Op *loop = build_for(b, build_int(b, 0), len, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *at = build_binary(&in, OP_ADD, lo, loop->regs[0]->args[0]);
    scan_load(&in, s->f, s->outs, at, x);
    Partial own = scan_some(s->f, x), all = scan_join(&in, s->f, before, &own);
    scan_store(&in, s->f, all.v, s->outs, at);
    build_yield(&in, 0, NULL);
    return scan_some(s->f, last);
}

static Partial run(Builder *b, const Scan *s, Value *lo, const Partial *before) {
    Value *len = rest_of(b, s, lo, SCAN_FAN), **x = values(s->f);
    if (s->pass == AFTER) return run_after(b, s, lo, len, before);
    ScanTurns t = scan_turns_begin(b, s->f, len);
    Value *at = build_binary(&t.in, OP_ADD, lo, t.i);
    fold_element(s->f, &t.in, &at, x);
    Partial own = scan_some(s->f, x), sum = scan_join(&t.in, s->f, &t.sum, &own), all = sum;
    if (s->pass == WHOLE) all = scan_join(&t.in, s->f, before, &sum);
    if (s->pass != TOTALS) scan_store(&t.in, s->f, all.v, s->outs, at);
    return scan_turns_end(s->f, &t, &sum);
}

/* The block of a level that begins at lo, of which the array has one element at least: its total */
static Partial block(Builder *b, const Scan *s, int level, Value *lo, const Partial *before) {
    if (level == 1) return run(b, s, lo, before);
    int64_t span = scan_span(level - 1);
    ScanTurns t = scan_turns_begin(b, s->f, index_ceildiv(b, rest_of(b, s, lo, scan_span(level)), span));
    Value *at = index_add(&t.in, lo, index_mul(&t.in, t.i, build_int(&t.in, span)));
    bool writes = s->pass == WHOLE || s->pass == AFTER;
    Partial here = writes ? scan_join(&t.in, s->f, before, &t.sum) : t.sum;
    Partial total = block(&t.in, s, level - 1, at, &here), sum = scan_join(&t.in, s->f, &t.sum, &total);
    return scan_turns_end(s->f, &t, &sum);
}

/* ---- above chunks */

/* What is done with a chunk; its total */
typedef Partial ChunkFn(Builder *b, const Scan *s, Value *c, const Partial *before);

static Partial chunk(Builder *b, const Scan *s, Value *c, const Partial *before) {
    return block(b, s, SCAN_CHUNK_LEVEL, index_mul(b, c, build_int(b, SCAN_CHUNK)), before);
}

/* totals[c] becomes the total of the chunks before c. */
static Partial take_before(Builder *b, const Scan *s, Value *c, const Partial *before) {
    Value **v = values(s->f);
    scan_load(b, s->f, s->totals, c, v);
    scan_store(b, s->f, before->v, s->totals, c);
    return scan_some(s->f, v);
}

/* Levels above chunks; blocks of the last one go on one behind the other. */
enum { ABOVE = SCAN_LEVELS - SCAN_CHUNK_LEVEL + 1 };

/* Of `chunks` in all, those of a block of a level, the first of which is c; level 0: this one */
static Partial chunks_of(Builder *b, const Scan *s, int level, Value *c, Value *chunks, const Partial *before,
                         ChunkFn *fn) {
    if (level == 0) return fn(b, s, c, before);
    int64_t span = scan_span(level - 1);
    Value *n = index_ceildiv(b, index_sub(b, chunks, c), span);
    ScanTurns t = scan_turns_begin(b, s->f, level == ABOVE ? n : index_min(b, n, build_int(b, SCAN_FAN)));
    Value *at = index_add(&t.in, c, index_mul(&t.in, t.i, build_int(&t.in, span)));
    Partial here = scan_join(&t.in, s->f, before, &t.sum);
    Partial total = chunks_of(&t.in, s, level - 1, at, chunks, &here, fn), sum = scan_join(&t.in, s->f, &t.sum, &total);
    return scan_turns_end(s->f, &t, &sum);
}

static void all_chunks(Builder *b, const Scan *s, Value *chunks, ChunkFn *fn) {
    Partial none = scan_none(b, s->f);
    chunks_of(b, s, ABOVE, build_int(b, 0), chunks, &none, fn);
}

/* ---- many threads */

/* Of elements that may stop the program, the first one does. */
static bool may_stop(const Fold *f) {
    for (const Op *o = f->element->first; o; o = o->next)
        if (op_may_trap(o)) return true;
    return false;
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

/* Reading the elements twice costs less than reading once more what was written. */
static bool is_cheap(const Fold *f) {
    return has_start(f) && !may_stop(f) && !fold_has_loops(f->element) && only_reads(f->element) &&
           region_count_ops(f->element) <= CHEAP;
}

/* totals[c] becomes the total of chunk c. */
static void chunk_totals(Builder *b, const Scan *s, Value *chunks) {
    Builder in;
    Value *c = build_plain_parallel(b, 1, &chunks, &in)->regs[0]->args[0];
    Partial none = scan_none(&in, s->f), total = chunk(&in, s, c, &none);
    scan_store(&in, s->f, total.v, s->totals, c);
}

static void chunks_after(Builder *b, const Scan *s, Value *chunks) {
    Builder in;
    Value *c = build_plain_parallel(b, 1, &chunks, &in)->regs[0]->args[0], **v = values(s->f);
    scan_load(&in, s->f, s->totals, c, v);
    Partial before = scan_behind(&in, s->f, c, v);
    chunk(&in, s, c, &before);
}

static void by_all(Builder *b, Scan *s, Value *chunks) {
    bool cheap = is_cheap(s->f);
    s->pass = cheap ? TOTALS : RUNS;
    chunk_totals(b, s, chunks);
    all_chunks(b, s, chunks, take_before);
    s->pass = cheap ? WHOLE : AFTER;
    chunks_after(b, s, chunks);
}

static void in_order(Builder *b, Scan *s, Value *chunks) {
    s->pass = WHOLE;
    all_chunks(b, s, chunks, chunk);
}

/* An array that is no more than a block of a level */
static void in_one_block(Builder *b, Scan *s, int level) {
    Partial none = scan_none(b, s->f);
    s->pass = WHOLE;
    block(b, s, level, build_int(b, 0), &none);
}

/* That level; where it is not known, one above chunks */
static int level_of(const Value *n) {
    int64_t c;
    int level = 1;
    if (!value_const_int(n, &c)) return SCAN_CHUNK_LEVEL + 1;
    while (level <= SCAN_CHUNK_LEVEL && scan_span(level) < c) level++;
    return level;
}

/* The body is small enough to stand there three times. */
static bool worth_both(const Fold *f) {
    return !fold_has_loops(f->element) &&
           region_count_ops(f->element) + (f->combine ? region_count_ops(f->combine) : 1) <= FOLD_BIG_BODY;
}

static void by_one_or_all(Builder *b, Scan *s, Value *chunks) {
    Value *alone = build_binary(b, OP_EQ, build_threads(b), build_int(b, 1));
    Value *short_ = build_binary(b, OP_LE, chunks, build_int(b, 1));
    Op *choice = build_if(b, build_binary(b, OP_OR, short_, alone), 0, NULL);
    Builder one = builder_at_end(b->module, choice->regs[0], b->span),
            all = builder_at_end(b->module, choice->regs[1], b->span);
    in_order(&one, s, chunks);
    build_yield(&one, 0, NULL);
    by_all(&all, s, chunks);
    build_yield(&all, 0, NULL);
}

void scan_to_island(Op *op, bool device) {
    Builder b = builder_before(op);
    Fold f = fold_of(&b, op);
    if (device) {
        scan_on_device(&f);
        return;
    }
    Session *session = b.module->session;
    const Size *dim = op->res[0].type->dims[0], *count = fold_chunks(session, dim, SCAN_CHUNK);
    Value *n = build_size(&b, dim), *chunks = build_size(&b, count);
    int level = level_of(n);
    bool is_short = level <= SCAN_CHUNK_LEVEL;
    int nv = f.nvals, all = is_short ? nv : 2 * nv; /* operands: results, totals */
    Value **outs = NEWN(fold_arena(&f), Value *, all);
    for (int i = 0; i < all; i++) {
        const Value *r = &op->res[i % nv];
        if (i < nv) outs[i] = build_empty(&b, r->type, r->name);
        else outs[i] = build_empty(&b, type_tensor(session, r->type->dtype, 1, &count), intern(session, "total"));
    }
    Op *island = build_island(&b, all, outs, fold_all_out(fold_arena(&f), all));
    Scan s = {.f = &f, .n = n, .outs = island->regs[0]->args, .totals = island->regs[0]->args + nv};
    Builder body = builder_at_end(b.module, island->regs[0], op->span);
    if (is_short) in_one_block(&body, &s, level);
    else if (worth_both(&f)) by_one_or_all(&body, &s, chunks);
    else by_all(&body, &s, chunks);
    island_finish(island, false);
    for (int i = 0; i < nv; i++) value_replace_all(&op->res[i], &island->res[i]);
    op_erase(op);
}
