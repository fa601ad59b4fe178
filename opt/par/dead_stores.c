/* dead-stores: a store whose element is written again, or whose buffer dies, before anybody reads it goes.
 *
 * Needs proved accesses (`safe`: a store that may stop the program stays).  One walk from the last operation to the
 * first keeps what is certain about the rest of the thread's way: places that it writes before any read of their
 * buffer, and buffers that are not read any more because their region ends, or nobody uses what the island makes of
 * them.
 *
 * A barrier changes nothing: programs are free of races, so in the phase (the stretch between two barriers) of either
 * write no other thread reads the element, and a read in a phase between them stands between them in the text. */
#include "opt/pass.h"

enum { MOST_READS = 32 };

typedef struct Read { const Op *load; int count; const struct Read *next; } Read;
typedef struct Gone Gone;
struct Gone {
    const Value *buf;
    const Op *by; /* the store that writes the place again; NULL: the whole buffer is not read any more, but here: */
    const Read *reads;
    Gone *next;
};
typedef struct { Arena *scratch; } Dead;

static Gone *visit_region(Dead *d, Region *r, Gone *after);

static Gone *push(Dead *d, const Value *buf, const Op *by, const Read *reads, Gone *next) {
    Gone *g = NEW(d->scratch, Gone);
    *g = (Gone){buf, by, reads, next};
    return g;
}

static const Read *also(Dead *d, const Op *load, const Read *others) {
    Read *r = NEW(d->scratch, Read);
    *r = (Read){load, others ? others->count + 1 : 1, others};
    return r;
}

static bool same_place(const Op *a, const Op *b) {
    for (int i = 1; i < a->nopnds; i++)
        if (op_opnd(a, i) != op_opnd(b, i)) return false;
    return true;
}

/* An index of both is constant, and not the same. */
static bool apart(const Op *load, const Op *store) {
    for (int i = 1; i < load->nopnds; i++) {
        int64_t x, y;
        if (value_const_int(op_opnd(load, i), &x) && value_const_int(op_opnd(store, i + 1), &y) && x != y) return true;
    }
    return false;
}

static bool apart_from_all(const Read *r, const Op *store) {
    for (; r; r = r->next)
        if (!apart(r->load, store)) return false;
    return true;
}

static bool is_dead(const Op *store, const Gone *after) {
    const Value *buf = op_opnd(store, 1);
    for (; after; after = after->next) {
        if (after->buf != buf) continue;
        bool gone = after->by ? same_place(after->by, store) : apart_from_all(after->reads, store);
        if (gone) return op_flag(store, A_SAFE);
    }
    return false;
}

static bool reads(const Op *op, const Gone *g) {
    if (op->code == OP_LOAD && op_opnd(op, 0) == g->buf) return !g->by || !apart(op, g->by);
    if (op->code == OP_ATOMIC && op_opnd(op, 1) == g->buf) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (reads(o, g)) return true;
    return false;
}

/* What is left of g before op */
static Gone *drop_read(Dead *d, const Op *op, Gone *g) {
    Gone *first = g, *kept = NULL;
    bool all = true;
    for (; g; g = g->next) {
        bool one = op->code == OP_LOAD && !g->by && (!g->reads || g->reads->count < MOST_READS);
        if (!reads(op, g)) kept = push(d, g->buf, g->by, g->reads, kept);
        else all = false, kept = one ? push(d, g->buf, NULL, also(d, op, g->reads), kept) : kept;
    }
    return all ? first : kept;
}

/* Each turn of the loop has elements of its own: everywhere in it the buffer's index along one axis is the loop's. */
static bool own_elements(const Op *loop, const Value *buf) {
    const Value *index = loop->regs[0]->args[0];
    unsigned axes = ~0u;
    for (const Use *u = buf->uses; u; u = u->next) {
        const Op *op = u->user;
        int first = op->code == OP_LOAD ? 1 : 2;
        unsigned here = 0;
        if (!op_inside(op, loop)) continue;
        bool access = op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_ATOMIC;
        if (u->index != first - 1 || !access) return false;
        for (int i = first; i < op->nopnds; i++)
            if (op_opnd(op, i) == index) here |= 1u << (i - first);
        axes &= here;
    }
    return axes;
}

/* What is certain at the end of a turn: what is before the loop, and no later turn reads what is this turn's own. */
static Gone *at_turn(Dead *d, const Op *loop, Gone *before, const Gone *after) {
    for (const Gone *g = after; g && loop->code == OP_FOR; g = g->next)
        if (!g->by && reads(loop, g) && own_elements(loop, g->buf)) before = push(d, g->buf, NULL, g->reads, before);
    return before;
}

/* Memory of an island whose result nobody uses is not read behind it. */
static Gone *at_island_end(Dead *d, const Op *island, Gone *after) {
    const Attr *modes = op_attr(island, A_MODES);
    for (int i = 0, r = 0; i < island->nopnds; i++)
        if (modes->ints[i] && !island->res[r++].uses) after = push(d, island->regs[0]->args[i], NULL, NULL, after);
    return after;
}

/* Iterations of a parallel loop come after nothing but themselves; other loops come round again. */
static Gone *visit_structure(Dead *d, Op *op, Gone *after) {
    bool again = op_info(op->code)->traits & TR_LOOP && op->code != OP_PARALLEL;
    Gone *before = drop_read(d, op, after),
         *end = again ? at_turn(d, op, before, after) : op->code == OP_ISLAND ? at_island_end(d, op, after) : after;
    for (int i = 0; i < op->nregs; i++) visit_region(d, op->regs[i], end);
    return before;
}

static Gone *visit(Dead *d, Op *op, Gone *after) {
    if (op->nregs) return visit_structure(d, op, after);
    if (op->code == OP_LOAD || op->code == OP_ATOMIC) return drop_read(d, op, after);
    if (op->code != OP_STORE) return after;
    if (!is_dead(op, after)) return push(d, op_opnd(op, 1), op, NULL, after);
    op_erase(op);
    return after;
}

/* What is certain at the region's start, for what is certain at its end */
static Gone *visit_region(Dead *d, Region *r, Gone *after) {
    for (Op *op = r->first; op; op = op->next)
        if (op->code == OP_ALLOC) after = push(d, &op->res[0], NULL, NULL, after);
    for (Op *op = r->last, *prev; op; op = prev) {
        prev = op->prev;
        after = visit(d, op, after);
    }
    return after;
}

void pass_dead_stores(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Dead d = {.scratch = arena_new()};
        visit_region(&d, m->funcs.data[i]->body, NULL);
        arena_free(d.scratch);
    }
}
