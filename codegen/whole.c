/* Arrays all elements of which a launch writes over: where others still need what they had, no copy is to be made.
 *
 * All accesses in the island are stores.  One of them stands in a launch under no branches but guards by which indices
 * stay in the array, and its indices are, for each axis, block * threads + thread, of an axis of the launch each, or
 * one of the two, with as many as the array has elements along it, or more. */
#include "codegen/plan.h"
#include "ir/index.h"

typedef struct {
    Session *session;
    const Type *type;
    const Op *store, *blocks, *threads; /* threads NULL: a loop over elements */
    bool used[2][MAX_RANK];             /* axes of the loops that an index has taken */
} Whole;

static const Value *index_of(const Whole *w, int axis) { return op_opnd(w->store, 2 + axis); }

/* ---- guards */

/* v as an extent comes to the end of the axis. */
static bool reaches(const Whole *w, const Value *v, const Size *axis) {
    int64_t n, k;
    if (int_constant(v, &k) && size_is_const(axis, &n)) return k >= n;
    return value_size(w->session, v, false) == axis;
}

static bool is_below_end(const Whole *w, const Value *index, const Value *end) {
    for (int i = 0; i < w->type->rank; i++)
        if (index_of(w, i) == index && reaches(w, end, w->type->dims[i])) return true;
    return false;
}

/* It holds for all indices of the array (holds), or for none. */
static bool is_guard(const Whole *w, const Value *cond, bool holds) {
    const Op *op = cond->def;
    if (!op || op->nopnds != 2) return false;
    const Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    if (op->code == (holds ? OP_AND : OP_OR)) return is_guard(w, x, holds) && is_guard(w, y, holds);
    if (op->code == (holds ? OP_LT : OP_GE)) return is_below_end(w, x, y);
    return op->code == (holds ? OP_GT : OP_LE) && is_below_end(w, y, x);
}

/* The loop around the store, behind guards; NULL: something else is around it */
static const Op *loop_around(const Whole *w, const Op *op) {
    const Region *r = op->parent;
    for (; r->owner && r->owner->code == OP_IF; r = r->owner->parent)
        if (!is_guard(w, op_opnd(r->owner, 0), r == r->owner->regs[0])) return NULL;
    return r->owner && r->owner->code == OP_PARALLEL && !op_flag(r->owner, A_SERIAL) ? r->owner : NULL;
}

/* ---- indices */

static int axis_of(const Op *loop, const Value *v) {
    for (int i = 0; loop && i < loop->nopnds; i++)
        if (loop->regs[0]->args[i] == v) return i;
    return -1;
}

/* Takes the axis that v counts, for one index; its extent */
static const Value *take(Whole *w, const Op *loop, const Value *v) {
    int i = axis_of(loop, v);
    bool *used = w->used[loop == w->threads];
    if (i < 0 || used[i]) return NULL;
    used[i] = true;
    return op_opnd(loop, i);
}

/* So many blocks of so many threads */
static bool blocks_reach(const Whole *w, const Value *blocks, int64_t threads, const Size *axis) {
    Session *s = w->session;
    const Size *up = size_add(s, axis, size_const(s, threads - 1));
    int64_t n, k;
    if (int_constant(blocks, &k) && size_is_const(axis, &n)) return k * threads >= n;
    return value_size(s, blocks, false) == size_floordiv(s, up, size_const(s, threads));
}

/* block * threads, with this number of threads; the block's index, or NULL */
static const Value *first_of_block(const Value *v, int64_t threads) {
    int64_t k;
    const Op *op = v->def;
    if (!op || op->code != OP_MUL) return NULL;
    for (int i = 0; i < 2; i++)
        if (int_constant(op_opnd(op, i), &k) && k == threads) return op_opnd(op, 1 - i);
    return NULL;
}

static bool goes_through(Whole *w, const Value *index, const Size *axis) {
    const Op *op = index->def;
    if (!op) {
        const Value *extent = take(w, axis_of(w->blocks, index) >= 0 ? w->blocks : w->threads, index);
        return extent && reaches(w, extent, axis);
    }
    for (int i = 0; i < 2 && op->code == OP_ADD; i++) {
        const Value *thread = op_opnd(op, i), *threads, *block, *blocks;
        int64_t n;
        if (axis_of(w->threads, thread) < 0) continue;
        threads = take(w, w->threads, thread);
        if (!threads || !int_constant(threads, &n) || n < 1) return false;
        block = first_of_block(op_opnd(op, 1 - i), n);
        blocks = block ? take(w, w->blocks, block) : NULL;
        return blocks && blocks_reach(w, blocks, n, axis);
    }
    return false;
}

static bool is_everywhere(const Op *store, const Region *body) {
    Whole w = {.session = body->owner->parent->func->module->session, .type = op_opnd(store, 1)->type, .store = store};
    const Op *loop = loop_around(&w, store);
    if (!loop) return false;
    if (op_loop(loop) == LOOP_THREAD) w.threads = loop, loop = loop_around(&w, loop);
    w.blocks = loop;
    if (!loop || loop->parent != body || op_loop(loop) == LOOP_THREAD) return false;
    if (op_loop(loop) != LOOP_BLOCK && loop->nopnds != w.type->rank) return false; /* an axis beside may have none */
    for (int i = 0; i < w.type->rank; i++)
        if (!goes_through(&w, index_of(&w, i), w.type->dims[i])) return false;
    return w.type->rank > 0;
}

bool plan_is_written_over(const Op *island, int operand) {
    const Value *buf = island->regs[0]->args[operand];
    bool found = false;
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code != OP_STORE || u->index != 1) return false;
    for (const Use *u = buf->uses; u && !found; u = u->next) found = is_everywhere(u->user, island->regs[0]);
    return found;
}
