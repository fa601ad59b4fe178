/* owners: where all that an iteration adds to an element is computed behind the element's first index, each thread runs
 * all iterations, but of what follows an index only what is its own.
 *
 * Needs stage loops, before scatter, which takes what this leaves; breaks nothing.  The first index of a sum is read or
 * computed somewhere in the loop.  What stands behind it there, up to the end of its region, does nothing but compute
 * and add to elements with this first index, so that only the thread that owns them has to do it.  Indices belong to
 * threads in turn: neighbours are often as much work.  Each element gets the same sums in the same order as in the
 * serial loop, with any number of threads, and nothing is written down.  What stands before the index is done by all
 * threads, and must be little.  The loop as it was remains for one thread, for loops that are short, and for arrays
 * with too few first indices.
 *
 * The owner-computes rule: Callahan, Kennedy, Compiling programs for distributed-memory multiprocessors, The Journal of
 * Supercomputing 2, 1988. */
#include "opt/loops/loops.h"

enum {
    MAX_PLACES = 4,
    MAX_TARGETS = 8,
    MAX_BODY = 1000,
    LITTLE = 4,         /* times what all threads do is less than what one of them does */
    EACH = 4,           /* groups of indices for each thread, at least */
    LINES = 256,        /* bytes of neighbouring elements that belong to one thread */
    LONG = 1 << 18      /* cycles of a loop that is worth threads */
};

typedef struct {
    Op *loop;
    Region *body;
    Module *module;
    Value *place[MAX_PLACES]; /* first indices */
    const Value *target[MAX_TARGETS];
    int nplaces, ntargets, bits; /* 2^bits neighbouring indices are a group */
    double inside, outside;      /* cycles of an iteration */
    bool impossible;
    Value *threads, *thread;
} Owners;

/* ---- sums and their first indices */

static bool is_shared_sum(const Owners *w, const Op *op) {
    return loops_is_sum(op) && !region_encloses(w->body, value_region(op_opnd(op, 1)));
}

static bool is_in_order(const void *w, const Op *op) { return is_shared_sum(w, op); }

static void add_place(Owners *w, Value *v) {
    for (int i = 0; i < w->nplaces; i++)
        if (w->place[i] == v) return;
    if (w->nplaces == MAX_PLACES) w->impossible = true;
    else w->place[w->nplaces++] = v;
}

static void add_target(Owners *w, const Value *buf) {
    for (int i = 0; i < w->ntargets; i++)
        if (w->target[i] == buf) return;
    if (w->ntargets == MAX_TARGETS) w->impossible = true;
    else w->target[w->ntargets++] = buf;
}

/* Each has a first index that is read or computed in the loop. */
static void find_sums(void *ctx, Op *op) {
    Owners *w = ctx;
    w->impossible |= op->code == OP_BARRIER || op->code == OP_SPAWN || op->code == OP_CALL;
    if (op->code == OP_ATOMIC && !is_shared_sum(w, op) && !region_encloses(w->body, value_region(op_opnd(op, 1))))
        w->impossible = true;
    if (w->impossible || !is_shared_sum(w, op)) return;
    Value *place = op->nopnds > 2 && !op->nres ? op_opnd(op, 2) : NULL;
    if (!place || !place->def || !region_encloses(w->body, place->def->parent)) {
        w->impossible = true;
        return;
    }
    add_place(w, place);
    add_target(w, op_opnd(op, 1));
}

/* Nobody else in the loop looks at what is added to. */
static bool only_summed(const Owners *w, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (op_inside(u->user, w->loop) && (!is_shared_sum(w, u->user) || u->index != 1)) return false;
    return true;
}

/* ---- what follows an index */

/* place: what is looked at follows it; NULL: all threads do it.  Effects are on memory of `own`'s, or sums at the
 * place. */
typedef struct { Owners *owners; const Value *place; const Region *own; } Look;

static const Value *place_defined(const Owners *w, const Op *op) {
    for (int i = 0; i < w->nplaces; i++)
        if (w->place[i]->def == op) return w->place[i];
    return NULL;
}

static bool may_stand(const Look *l, const Op *op) {
    if (is_shared_sum(l->owners, op)) return l->place && op_opnd(op, 2) == l->place;
    if (op->code == OP_STORE || op->code == OP_ATOMIC) return region_encloses(l->own, value_region(op_opnd(op, 1)));
    return op->nregs || !op_has_effect(op) || op->code == OP_CHECK;
}

static double look(Look l, const Region *r, double times);

static double look_inside(const Look *l, const Op *op, double times) {
    double cost = times * loops_cost(op);
    bool loop = op_info(op->code)->traits & TR_LOOP;
    l->owners->impossible |= !may_stand(l, op);
    for (int i = 0; i < op->nregs; i++) cost += look(*l, op->regs[i], loop ? times * loops_turns_about(op) : times);
    return cost;
}

/* What follows an index in its region is for its owner; nothing of it may go on to the next turn. */
static double look(Look l, const Region *r, double times) {
    double cost = 0;
    bool outer = !l.place;
    for (const Op *o = r->first; o; o = o->next) {
        const Value *place = place_defined(l.owners, o);
        double more = look_inside(&l, o, times);
        if (l.place && outer) l.owners->inside += more;
        else cost += more;
        if (!place) continue;
        l.owners->impossible |= l.place != NULL || region_term(r)->nopnds;
        l.place = place, l.own = r;
    }
    return cost;
}

/* Neighbouring first indices of an array whose rows are short share lines of the cache. */
static int bits_of(const Type *t) {
    int64_t bytes = dtype_info(t->dtype)->bytes;
    int bits = 0;
    int64_t n;
    for (int i = 1; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &n)) return 0;
        if (bytes < LINES) bytes *= n;
    }
    while (bytes && bytes << bits < LINES) bits++;
    return bits;
}

static bool is_candidate(Owners *w) {
    bool in_order = op_flag(w->loop, A_SERIAL) || op_loop(w->loop) == LOOP_THREAD;
    if (in_order || region_count_ops(w->body) > MAX_BODY) return false;
    region_walk(w->body, find_sums, w);
    if (w->impossible || !w->ntargets) return false;
    for (int i = 0; i < w->ntargets; i++) {
        int bits = bits_of(w->target[i]->type);
        if (!only_summed(w, w->target[i])) return false;
        if (bits > w->bits) w->bits = bits;
    }
    w->outside = look((Look){w, NULL, w->body}, w->body, 1);
    return !w->impossible && w->inside > LITTLE * w->outside;
}

/* ---- the loop of a thread */

/* In place of the sum, where the element is the thread's own */
static void add_plainly(Op *sum) {
    Builder b = builder_before(sum);
    Value *at[MAX_RANK], *buf = op_opnd(sum, 1);
    for (int i = 0; i < buf->type->rank; i++) {
        Value *extent = build_size(&b, buf->type->dims[i]);
        at[i] = op_opnd(sum, 2 + i);
        if (!op_flag(sum, A_SAFE)) build_index_check(&b, build_inside(&b, at[i], extent), at[i], extent, i);
    }
    Value *old = load_safe(&b, buf, buf->type->rank, at);
    store_safe(&b, build_binary(&b, OP_ADD, old, op_opnd(sum, 0)), buf, buf->type->rank, at);
    op_erase(sum);
}

static void add_all(Owners *w, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) add_all(w, o->regs[i]);
        if (is_shared_sum(w, o)) add_plainly(o);
    }
}

/* What follows the index, up to the end of its region, is done if it is the thread's own. */
static void guard(const Owners *w, Value *place) {
    Builder b = builder_after(place->def), in;
    Value *group = w->bits ? build_binary(&b, OP_SHR, place, build_int(&b, w->bits)) : place;
    Value *own = build_binary(&b, OP_EQ, imod_safe(&b, group, w->threads), w->thread);
    Op *when = build_when(&b, own, &in), *last = region_term(when->parent)->prev;
    if (last != when) op_move_range(when->next, last, in.region, in.before);
}

static void find_places(void *ctx, Op *op) {
    Owners *w = ctx;
    if (is_shared_sum(w, op)) add_place(w, op_opnd(op, 2));
}

static void run_owned(Owners *w, Builder *b) {
    Builder in;
    w->thread = loops_open_tiles(b, w->threads, &in);
    w->thread->name = intern(w->module->session, "thread");
    Owners copy = *w;
    Value *none = build_int(&in, 0);
    Op *loop = loops_in_order(&in, w->loop, none, op_opnd(w->loop, 0), (LoopsOrder){is_in_order, w});
    copy.body = loop->regs[0];
    copy.nplaces = 0;
    region_walk(copy.body, find_places, &copy);
    for (int i = 0; i < copy.nplaces; i++) guard(&copy, copy.place[i]);
    add_all(&copy, copy.body);
}

/* ---- when */

/* There are several threads, iterations that are worth them, and groups of indices for each thread. */
static Value *is_worth_it(const Owners *w, Builder *b) {
    Value *ok = build_binary(b, OP_GT, w->threads, build_int(b, 1)), *n = op_opnd(w->loop, 0);
    for (int i = 1; i < w->loop->nopnds; i++) n = index_mul(b, n, op_opnd(w->loop, i));
    int64_t enough = (int64_t)(LONG / (w->inside + w->outside)) + 1;
    ok = build_both(b, ok, build_binary(b, OP_GE, n, build_int(b, enough)));
    Value *groups = index_mul(b, w->threads, build_int(b, EACH << w->bits));
    for (int i = 0; i < w->ntargets; i++)
        ok = build_both(b, ok, build_binary(b, OP_GE, build_size(b, w->target[i]->type->dims[0]), groups));
    return ok;
}

/* if worth it { each thread what is its own } else { the loop as it was } */
static void share_out(Owners *w) {
    Builder b = builder_before(w->loop);
    w->threads = build_threads(&b);
    w->threads->name = intern(w->module->session, "threads");
    Op *choice = build_if(&b, is_worth_it(w, &b), 0, NULL);
    Builder then = builder_at_end(w->module, choice->regs[0], b.span),
            other = builder_at_end(w->module, choice->regs[1], b.span);
    run_owned(w, &then);
    then = builder_at_end(w->module, choice->regs[0], b.span);
    build_yield(&then, 0, NULL);
    op_move_to_end(w->loop, choice->regs[1]);
    build_yield(&other, 0, NULL);
}

static void visit(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Owners w = {.loop = o, .body = o->nregs ? o->regs[0] : NULL, .module = r->func->module};
        if (o->code != OP_PARALLEL) {
            for (int i = 0; i < o->nregs; i++) visit(o->regs[i], opts);
            continue;
        }
        if (!is_candidate(&w)) continue;
        for (int i = 0; i < w.ntargets; i++)
            explain_sum(opts, w.module, o->span, w.target[i]->name,
                        "its owners, where there are several threads: each of them computes what it adds, in order");
        share_out(&w);
    }
}

void pass_owners(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, opts);
}
