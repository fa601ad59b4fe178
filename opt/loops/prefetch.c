/* A loop that carries floats waits for its sums, so it is no vector loop, and its loads come one by one.  When it runs
 * along several arrays, more than the processor's own prefetching follows well (each page begins anew), it asks for
 * what it will touch some hundred turns later.  (How far ahead for accesses that are not direct: Ainsworth and Jones,
 * Software Prefetching for Indirect Memory Accesses, CGO 2017; here they are, and the distance is fixed.) */
#include "opt/loops/loops.h"

#include <string.h>

enum { AHEAD = 2048, LEAST_STREAMS = 3, LEAST_TURNS = 1024, MOST_STREAMS = 8 }; /* AHEAD: bytes */

/* An array along which the loop runs; its last index is that of the loop plus something fixed. */
typedef struct { Value *buf, *idx[MAX_RANK]; const Value *rest; } Stream;
typedef struct {
    Op *loop;
    int n;
    Stream streams[MOST_STREAMS];
    bool refused;
} Walk;

static bool carries_floats(const Op *loop) {
    for (int i = 0; i < loop->nres; i++)
        if (dtype_is_float(loop->res[i].type->dtype)) return true;
    return false;
}

/* A turn for each element of a row, and enough of them */
static bool is_candidate(const Op *op) {
    int64_t lo, hi, step;
    if (op->code != OP_FOR || !carries_floats(op) || !value_const_int(op_opnd(op, 2), &step) || step != 1) return false;
    return !value_const_int(op_opnd(op, 0), &lo) || !value_const_int(op_opnd(op, 1), &hi) || hi - lo >= LEAST_TURNS;
}

static bool is_known(const Walk *w, const Stream *s) {
    for (int i = 0; i < w->n; i++) {
        const Stream *t = &w->streams[i];
        if (t->buf == s->buf && t->rest == s->rest &&
            !memcmp(t->idx, s->idx, sizeof *s->idx * (size_t)(s->buf->type->rank - 1)))
            return true;
    }
    return false;
}

/* What is added to the loop's index, itself when it is nothing; NULL: another kind of index */
static const Value *rest_of(const Walk *w, const Value *last) {
    const Region *body = w->loop->regs[0];
    if (last == body->args[0]) return last;
    const Op *sum = last->def;
    if (!sum || sum->code != OP_ADD) return NULL;
    for (int i = 0; i < 2; i++)
        if (op_opnd(sum, i) == body->args[0] && !region_encloses(body, value_region(op_opnd(sum, !i))))
            return op_opnd(sum, !i);
    return NULL;
}

static bool is_row(const Walk *w, const Stream *s) {
    for (int i = 0; i < s->buf->type->rank - 1; i++)
        if (region_encloses(w->loop->regs[0], value_region(s->idx[i]))) return false;
    return true;
}

static void see(Walk *w, Op *op) {
    if (op->nregs ||
        (op->code != OP_LOAD && op->code != OP_STORE && !op_is_pure(op) && !(op_info(op->code)->traits & TR_TERM))) {
        w->refused = true;
        return;
    }
    if (op->code != OP_LOAD && op->code != OP_STORE) return;
    int first = op->code == OP_STORE;
    Stream s = {.buf = op_opnd(op, first)};
    int rank = s.buf->type->rank;
    for (int i = 0; i < rank; i++) s.idx[i] = op_opnd(op, first + 1 + i);
    if (s.buf->def || rank < 1 || !is_row(w, &s)) return; /* memory of the island's own is small */
    s.rest = rest_of(w, s.idx[rank - 1]);
    if (!s.rest || is_known(w, &s)) return;
    if (w->n == MOST_STREAMS) w->refused = true;
    else w->streams[w->n++] = s;
}

static void ask_for(Walk *w, const Stream *s) {
    const Region *body = w->loop->regs[0];
    int rank = s->buf->type->rank;
    Value *opnds[1 + MAX_RANK] = {s->buf};
    memcpy(opnds + 1, s->idx, sizeof s->idx);
    Builder b = builder_before(body->last);
    opnds[rank] = index_add(&b, opnds[rank], build_int(&b, AHEAD / dtype_info(s->buf->type->dtype)->bytes));
    build_op(&b, OP_PREFETCH, rank + 1, opnds, 0, NULL, 0);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    Walk w = {.loop = op};
    if (!is_candidate(op)) return;
    for (Op *o = op->regs[0]->first; o && !w.refused; o = o->next) see(&w, o);
    if (w.refused || w.n < LEAST_STREAMS) return;
    for (int i = 0; i < w.n; i++) ask_for(&w, &w.streams[i]);
}

void pass_prefetch(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, NULL);
}
