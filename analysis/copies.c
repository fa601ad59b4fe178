/* Reads of copies are compared as polynomials: read a of copy i is read b of copy k if each index of a, with i times
 * what it grows by, is that of b, with k times what that grows by. */
#include "analysis/copies.h"

enum {
    MOST_READS = 64,              /* of a thread: they want registers */
    HEAVY = 100, MOST_COST = 480, /* of an iteration, of a thread: what computes more than it reads gains nothing */
    GAIN = 8                      /* one of so many reads */
};

typedef struct {
    const Value *array;
    int rank;
    const Poly *at[MAX_RANK], *step[MAX_RANK];
    bool own; /* nothing is known: no other is the same */
} Read;

typedef struct {
    Linear *l;
    const Region *r;
    Value *iv;
    int n;
    bool fails;
    Read read[COPIES_READS];
} Reads;

static bool same_read(Reads *s, const Read *a, int i, const Read *b, int k) {
    if (a->array != b->array || a->own || b->own) return false;
    for (int d = 0; d < a->rank; d++) {
        const Poly *x = linear_add(s->l, a->at[d], linear_mul(s->l, linear_const(s->l, i), a->step[d])),
                   *y = linear_add(s->l, b->at[d], linear_mul(s->l, linear_const(s->l, k), b->step[d]));
        if (!x || x != y) return false;
    }
    return true;
}

static void add_read(void *ctx, Op *op) {
    Reads *s = ctx;
    if (op->code != OP_LOAD || s->fails) return;
    Value *array = op_opnd(op, 0);
    if (region_encloses(s->r, value_region(array)) || array->def || op_holds_write(s->r->owner, array)) return;
    Read x = {.array = array, .rank = op->nopnds - 1};
    bool moves = false;
    linear_at(s->l, op);
    for (int d = 0; d < x.rank; d++) {
        int64_t step;
        x.at[d] = linear_value(s->l, op_opnd(op, 1 + d));
        x.step[d] = linear_step(s->l, x.at[d], s->iv);
        x.own |= !x.step[d];
        moves |= !x.step[d] || !poly_is_const(x.step[d], &step) || step;
    }
    if (!moves) return;
    for (int i = 0; i < s->n && !s->fails; i++)
        if (same_read(s, &s->read[i], 0, &x, 0)) return;
    s->fails |= s->n == COPIES_READS;
    if (!s->fails) s->read[s->n++] = x;
}

/* No copy before copy i has read what it reads by a. */
static bool is_new(Reads *s, int a, int i) {
    for (int k = 0; k < i; k++)
        for (int b = 0; b < s->n; b++)
            if (same_read(s, &s->read[a], i, &s->read[b], k)) return false;
    return true;
}

bool copies_read(Linear *l, const Region *r, Value *iv, CopiesReads *out) {
    Reads s = {.l = l, .r = r, .iv = iv};
    region_walk((Region *)(uintptr_t)r, add_read, &s);
    *out = (CopiesReads){.reads = s.n};
    for (int i = 0; i < COPIES_MOST && !s.fails; i++) {
        out->together[i + 1] = out->together[i];
        for (int a = 0; a < s.n; a++) out->together[i + 1] += is_new(&s, a, i);
    }
    return !s.fails && s.n;
}

/* ---- whether they pay */

static void find_heavy(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_FOR || op->code == OP_WHILE || op->code == OP_ALLOC || op->code == OP_REDUCE ||
                    op->code == OP_ATOMIC || op->code == OP_BIND || op->code == OP_BARRIER || op->code == OP_CALL ||
                    op->code == OP_PARALLEL || op->code == OP_SPAWN;
}

static void add_cost(void *ctx, Op *op) { *(int *)ctx += op_info(op->code)->cost; }

bool copies_are_light(const Op *loop, int *cost) {
    bool heavy = op_may_trap(loop) || op_has_effect(loop);
    *cost = 0;
    region_walk(loop->regs[0], find_heavy, &heavy);
    region_walk(loop->regs[0], add_cost, cost);
    return !heavy && *cost < HEAVY;
}

double copies_save(const CopiesReads *reads, int by) { return 1 - (double)reads->together[by] / (by * reads->reads); }

int copies_that_pay(const CopiesReads *reads, int cost, int by, bool asked) {
    while (!asked && by > 1 && (reads->together[by] > MOST_READS || by * cost > MOST_COST)) by /= 2;
    return by > 1 && copies_save(reads, by) * GAIN >= 1 ? by : 1;
}
