/* merge-shared: shared arrays that a block uses one after the other have one memory (Enzyme merges allocations of one
 * scope likewise; here the types may differ).
 *
 * Needs stage loops, behind all passes that ask which accesses meet: for those each alloc is memory of its own.  Leaves
 * allocs with an operand, a larger or equal alloc above in whose memory they are.  Of arrays whose sizes are not known
 * it is known which is larger where they are the same.
 *
 * Of two arrays one must be over for all threads before any touches the other: in the order of operations nothing that
 * uses the one stands behind what uses the other, and on a GPU there is a barrier behind its last use on each way.
 * Branches, loops and the loops over threads are entered; a loop that uses both goes around, so they stay two.
 *
 * barrier-elim has taken away what separated nothing.  Where a block takes much, a barrier comes back before the first
 * use of the one, for the memory of the other: on a GPU what it does not take lets more blocks run, or is cache. */
#include "opt/pass.h"

/* MOST: arrays of a region that are looked at.  SHARE: bytes of a block for each of its threads that are little. */
enum { MOST = 32, SHARE = 8, USUAL_BLOCK = 256, LARGEST_BLOCK = 1024 };

/* ---- is one over before the other begins */

typedef struct {
    const Value *old, *young;
    bool device;
    bool waits;   /* a barrier may come */
    Op *at;       /* before this operation, which uses the young one */
    bool open;    /* a thread may still be at the old one */
    bool begun;   /* one may be at the young one */
    bool threads; /* a loop over threads came by: before the next one all of them wait */
    bool meet;    /* not so */
} Walk;

static void walk(Walk *w, const Region *r);

static bool uses(const Op *op, const Value *v) { return op->code != OP_ALLOC && op_mentions(op, v); }

static bool region_uses(const Region *r, const Value *v) {
    for (const Op *o = r->first; o; o = o->next)
        if (uses(o, v)) return true;
    return false;
}

static bool has_barrier(const Region *r) {
    for (const Op *o = r->first; o; o = o->next)
        if (o->code == OP_BARRIER) return true;
    return false;
}

static bool is_thread_loop(const Op *op) { return op_loop(op) == LOOP_THREAD; }

/* All threads of the block come by there, or none. */
static bool is_common(const Region *r) {
    return is_thread_loop(r->owner) || (r->owner->code == OP_IF && has_barrier(r));
}

/* Which branch is taken a thread knows for itself alone. */
static void walk_branches(Walk *w, const Op *op) {
    Walk x = *w, y = *w;
    bool apart = region_uses(op->regs[0], w->old) && region_uses(op->regs[1], w->young);
    apart |= region_uses(op->regs[1], w->old) && region_uses(op->regs[0], w->young);
    walk(&x, op->regs[0]);
    walk(&y, op->regs[1]);
    w->at = x.at ? x.at : y.at;
    w->open = x.open || y.open;
    w->begun = x.begun || y.begun;
    w->meet = x.meet || y.meet || (w->device && apart) || (x.at && y.at && x.at != y.at);
}

static void walk_loop(Walk *w, const Op *op) {
    bool open = w->open, threads = w->threads;
    w->meet |= uses(op, w->old) && uses(op, w->young);
    for (int i = 0; i < op->nregs; i++) walk(w, op->regs[i]);
    if (op->code == OP_WHILE) walk(w, op->regs[0]);
    w->open |= open; /* it may run no turn */
    w->threads = threads;
}

static void walk_threads(Walk *w, const Op *op) {
    if (w->threads) w->open = false;
    w->threads = true;
    walk(w, op->regs[0]);
}

static void walk_op(Walk *w, const Op *op) {
    bool old = uses(op, w->old), young = uses(op, w->young);
    if (op->code == OP_BARRIER) w->open = false;
    else if (op->code == OP_IF) walk_branches(w, op);
    else if (op->code == OP_FOR || op->code == OP_WHILE) walk_loop(w, op);
    else if (w->device && is_thread_loop(op)) walk_threads(w, op);
    else {
        w->meet |= (old && (young || w->begun)) || (young && w->open);
        w->open |= old && w->device;
        w->begun |= young;
    }
}

static void walk(Walk *w, const Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        bool begins = w->open && uses(o, w->young) && !uses(o, w->old);
        if (begins && w->waits && !w->at && is_common(r)) w->at = o, w->open = false;
        walk_op(w, o);
    }
}

/* *at: where a barrier is needed for that, or NULL */
static bool is_over_before(const Op *old, const Op *young, bool device, bool waits, Op **at) {
    Walk w = {.old = &old->res[0], .young = &young->res[0], .device = device, .waits = waits};
    walk(&w, old->parent);
    *at = w.at;
    return !w.meet;
}

/* ---- whose memory is large enough */

/* 0: it is not known */
static int64_t known_bytes(const Op *alloc) {
    const Type *t = alloc->res[0].type;
    int64_t n, bytes = dtype_info(t->dtype)->bytes;
    for (int i = 0; i < t->rank; i++)
        if (!size_is_const(t->dims[i], &n) || n < 1 || __builtin_mul_overflow(bytes, n, &bytes)) return 0;
    return bytes;
}

static int64_t bytes_or_much(const Op *alloc) {
    int64_t bytes = known_bytes(alloc);
    return bytes ? bytes : SHARE * LARGEST_BLOCK;
}

static bool has_room(const Op *x, const Op *within) {
    const Type *t = x->res[0].type, *around = within->res[0].type;
    int64_t less = known_bytes(x), more = known_bytes(within);
    if (less && more) return less <= more;
    return type_same_dims(t, around) && dtype_info(t->dtype)->bytes <= dtype_info(around->dtype)->bytes;
}

/* ---- arrays of one region */

typedef struct {
    Op *alloc[MOST];
    int of[MOST]; /* the array in whose memory it is: itself, or a larger one */
    int n;
    bool device;
    int64_t bytes, enough; /* what a block takes; what is little */
} Arrays;

static bool goes_with(const Arrays *a, int i, int k, Op **at) {
    const Op *x = a->alloc[i], *y = a->alloc[k];
    if (is_over_before(x, y, a->device, false, at) || is_over_before(y, x, a->device, false, at)) return true;
    if (!a->device || a->bytes <= a->enough) return false;
    return is_over_before(x, y, true, true, at) || is_over_before(y, x, true, true, at);
}

static void wait_before(Op *at) {
    const Op *threads = at->parent->owner;
    while (!is_thread_loop(threads)) threads = threads->parent->owner;
    Builder b = builder_before(at);
    build_op(&b, OP_BARRIER, threads->nopnds, threads->regs[0]->args, 0, NULL, 0);
}

/* With all that are in one memory already; barriers that this needs stand there then. */
static bool goes_with_all(const Arrays *a, int i, int of) {
    Op *at[MOST];
    int n = 0;
    for (int k = 0; k < i; k++) {
        if (a->of[k] != of) continue;
        if (!goes_with(a, i, k, &at[n])) return false;
        n += at[n] && (!n || at[n] != at[n - 1]);
    }
    for (int k = 0; k < n; k++) wait_before(at[k]);
    return true;
}

/* All that are in the memory of k go to i. */
static void move_to(Arrays *a, int k, int i) {
    for (int j = 0; j < i; j++)
        if (a->of[j] == k) a->of[j] = i;
}

static void place(Arrays *a, int i) {
    Op *x = a->alloc[i];
    a->of[i] = i;
    for (int k = 0; k < i && a->of[i] == i; k++) {
        Op *y = a->alloc[k];
        bool within = has_room(x, y), around = known_bytes(x) && known_bytes(y);
        if (a->of[k] != k || !(within || around) || !goes_with_all(a, i, k)) continue;
        a->bytes -= bytes_or_much(within ? x : y);
        if (!within) return move_to(a, k, i);
        a->of[i] = k;
    }
}

static void merge(const Arrays *a) {
    bool above[MOST] = {false};
    for (int i = 0; i < a->n; i++) {
        Op *x = a->alloc[i], *within = a->alloc[a->of[i]];
        if (x == within) continue;
        if (a->of[i] > i && !above[a->of[i]]) op_move_before(within, x); /* its size is known anywhere */
        above[a->of[i]] = true;
        op_add_opnd(x, &within->res[0]);
    }
}

static int64_t threads_of(const Region *block) {
    int64_t n = 1;
    const Op *o = block->first;
    while (o && !is_thread_loop(o)) o = o->next;
    for (int i = 0; o && i < o->nopnds; i++) {
        const Const *c = value_const(op_opnd(o, i));
        if (!c || c->i < 1 || c->i > LARGEST_BLOCK) return USUAL_BLOCK;
        n *= c->i;
    }
    return o ? n : USUAL_BLOCK;
}

/* On a GPU a block's own: there its threads begin and end together. */
static void merge_in(Region *r, bool device) {
    Arrays a = {.device = device};
    if (device && (!r->owner || op_loop(r->owner) != LOOP_BLOCK)) return;
    for (Op *o = r->first; o && a.n < MOST; o = o->next) {
        if (o->code != OP_ALLOC || o->res[0].type->space != SPACE_SHARED) continue;
        a.alloc[a.n++] = o;
        a.bytes += bytes_or_much(o);
    }
    if (a.n > 1) a.enough = SHARE * threads_of(r);
    for (int i = 0; i < a.n; i++) place(&a, i);
    merge(&a);
}

static void visit(Region *r, bool device) {
    merge_in(r, device);
    for (Op *o = r->first; o; o = o->next)
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], device);
}

void pass_merge_shared(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, opts->device);
}
