/* Reads of copies are compared as polynomials: read a of copy i is read b of copy k if each index of a, with i times
 * what it grows by, is that of b, with k times what that grows by. */
#include "analysis/copies.h"

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
