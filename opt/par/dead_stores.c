/* dead-stores: a store whose element is written again, or whose buffer dies, before anybody reads it goes.
 *
 * Needs proved accesses (`safe`: a store that may stop the program stays).  One walk from the last operation to the
 * first keeps what is certain about the rest of the thread's way: places that it writes before any read of their
 * buffer, and buffers that are not read any more because their region ends.
 *
 * A barrier changes nothing: programs are free of races, so in the phase (the stretch between two barriers) of either
 * write no other thread reads the element, and a read in a phase between them stands between them in the text. */
#include "opt/pass.h"

typedef struct Gone Gone;
struct Gone {
    const Value *buf;
    const Op *by; /* the store that writes the place again; NULL: the whole buffer is not read any more */
    Gone *next;
};
typedef struct { Arena *scratch; } Dead;

static Gone *visit_region(Dead *d, Region *r, Gone *after);

static Gone *push(Dead *d, const Value *buf, const Op *by, Gone *next) {
    Gone *g = NEW(d->scratch, Gone);
    *g = (Gone){buf, by, next};
    return g;
}

static bool same_place(const Op *a, const Op *b) {
    for (int i = 1; i < a->nopnds; i++)
        if (op_opnd(a, i) != op_opnd(b, i)) return false;
    return true;
}

static bool is_dead(const Op *store, const Gone *after) {
    const Value *buf = op_opnd(store, 1);
    for (; after; after = after->next)
        if (after->buf == buf && (!after->by || same_place(after->by, store))) return op_flag(store, A_SAFE);
    return false;
}

/* An index of both is constant, and not the same. */
static bool apart(const Op *load, const Op *store) {
    for (int i = 1; i < load->nopnds; i++) {
        int64_t x, y;
        if (value_const_int(op_opnd(load, i), &x) && value_const_int(op_opnd(store, i + 1), &y) && x != y) return true;
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
        if (reads(op, g)) all = false;
        else kept = push(d, g->buf, g->by, kept);
    }
    return all ? first : kept;
}

/* Iterations of a parallel loop come after nothing but themselves; other loops come round again. */
static Gone *visit_structure(Dead *d, Op *op, Gone *after) {
    bool again = op_info(op->code)->traits & TR_LOOP && op->code != OP_PARALLEL;
    Gone *before = drop_read(d, op, after);
    for (int i = 0; i < op->nregs; i++) visit_region(d, op->regs[i], again ? before : after);
    return before;
}

static Gone *visit(Dead *d, Op *op, Gone *after) {
    if (op->nregs) return visit_structure(d, op, after);
    if (op->code == OP_LOAD || op->code == OP_ATOMIC) return drop_read(d, op, after);
    if (op->code != OP_STORE) return after;
    if (!is_dead(op, after)) return push(d, op_opnd(op, 1), op, after);
    op_erase(op);
    return after;
}

/* What is certain at the region's start, for what is certain at its end */
static Gone *visit_region(Dead *d, Region *r, Gone *after) {
    for (Op *op = r->first; op; op = op->next)
        if (op->code == OP_ALLOC) after = push(d, &op->res[0], NULL, after);
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
