/* barrier-elim: a barrier without which no two threads of a block would conflict goes; of two barriers, one that stands
 * between them may do.
 *
 * Needs nothing; the less memory the code around touches, the more barriers go, so cse and dead-stores come before.
 * In the order of the text, each barrier is asked for with all others in place (analysis/depend.h): what it separates
 * is the code back to the barriers before it and on to those after it, around loops too.  When both of two neighbours
 * are needed, the first is tried at the places between them; where it stands for the second as well, that one goes
 * (after the barrier motion of Moses et al., "High-Performance GPU-to-CPU Transpilation", PPoPP 2023, section 4.1).
 * Between sums of floats into one array a barrier stays: they do not race, but their order is part of the result. */
#include "opt/pass.h"

#include "analysis/depend.h"

enum { MAX_PLACES = 6, MAX_BARRIERS = 64, MAX_SUMS = 64 };

typedef struct { Depend *depend; int asked; } Elim;

/* ---- sums of floats: no race, but their order is part of the result */

typedef struct {
    const Op *barrier;
    const Op *before[MAX_SUMS], *after[MAX_SUMS];
    int nbefore, nafter;
    bool passed, many;
} Sums;

static void find_sums(void *ctx, Op *op) {
    Sums *s = ctx;
    s->passed |= op == s->barrier;
    if (op->code != OP_ATOMIC || !dtype_is_float(op_opnd(op, 0)->type->dtype)) return;
    const Op *around = op->parent->owner;
    while (!(op_info(around->code)->traits & TR_LOOP) || !op_inside(s->barrier, around)) around = around->parent->owner;
    bool again = around->code != OP_PARALLEL;
    s->many |= s->nbefore == MAX_SUMS || s->nafter == MAX_SUMS;
    if (s->many) return;
    if (!s->passed || again) s->before[s->nbefore++] = op;
    if (s->passed || again) s->after[s->nafter++] = op;
}

/* Sums into one buffer stand before the barrier and behind it. */
static bool orders_sums(const Op *barrier) {
    Sums s = {.barrier = barrier};
    region_walk(op_around(barrier, OP_PARALLEL)->regs[0], find_sums, &s);
    for (int i = 0; i < s.nbefore; i++)
        for (int k = 0; k < s.nafter; k++)
            if (op_opnd(s.before[i], 1) == op_opnd(s.after[k], 1)) return true;
    return s.many;
}

static bool is_needed(Elim *e, Op *barrier) {
    if (orders_sums(barrier)) return true;
    return e->asked++ > 4 * MAX_BARRIERS || depend_barrier_needed(e->depend, barrier) != ANSWER_NO;
}

static bool touches_memory(const Op *op) { return op_reads_memory(op) || op_writes_memory(op); }

static Op *copy_before(Op *barrier) {
    Builder b = builder_before(barrier);
    Cloner c = {.module = b.module};
    return clone_op(&c, &b, barrier);
}

/* Whether `first`, moved to stand before `at`, does for itself and `second`; if not, it is back where it was. */
static bool serves_both(Elim *e, Op *first, Op *at, Op *second) {
    Op *old = copy_before(first);
    op_move_before(first, at);
    bool both = !is_needed(e, old) && !is_needed(e, second);
    if (both) op_erase(second);
    else op_move_before(first, old);
    op_erase(old);
    return both;
}

/* Whether op and what stands from `from` up to `to` touch a buffer in common */
static bool share_memory(const Op *op, const Op *from, const Op *to) {
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        for (const Op *o = from; v->type->kind == TY_BUF && o != to; o = o->next)
            if (op_mentions(o, v)) return true;
    }
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (share_memory(o, from, to)) return true;
    return false;
}

/* A place pays where what stands before it, up to `first`, and behind it, down to `second`, use different memory. */
static bool is_place(const Op *first, const Op *at, const Op *second) {
    if (!touches_memory(at)) return false;
    bool any = false;
    for (const Op *o = first->next; o != at; o = o->next) {
        any |= touches_memory(o);
        if (share_memory(o, at, second)) return false;
    }
    return any;
}

static void merge_next(Elim *e, Op *first, Op *second) {
    int places = 0;
    for (Op *o = first->next; o != second && places < MAX_PLACES; o = o->next) {
        if (!is_place(first, o, second)) continue;
        if (serves_both(e, first, o, second)) return;
        places++;
    }
}

static Op *next_barrier(const Op *barrier) {
    Op *o = barrier->next;
    while (o && o->code != OP_BARRIER) {
        bool holds = false;
        for (int i = 0; i < o->nregs && !holds; i++)
            for (const Op *in = o->regs[i]->first; in && !holds; in = in->next)
                holds = in->code == OP_BARRIER || in->nregs;
        if (holds) return NULL;
        o = o->next;
    }
    return o;
}

static void remove_needless(Elim *e, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) remove_needless(e, o->regs[i]);
        if (o->code == OP_BARRIER && !is_needed(e, o)) op_erase(o);
    }
}

static void merge(Elim *e, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nregs; i++) merge(e, o->regs[i]);
        Op *second = o->code == OP_BARRIER ? next_barrier(o) : NULL;
        if (second) merge_next(e, o, second);
    }
}

static void find(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_BARRIER; }

void pass_barrier_elim(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        bool any = false;
        region_walk(f->body, find, &any);
        if (!any) continue;
        Elim e = {.depend = depend_new(f)};
        remove_needless(&e, f->body);
        merge(&e, f->body);
        depend_free(e.depend);
    }
}
