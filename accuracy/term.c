/* Terms, hash-consed, and what they are on the samples: each is computed once. */
#include "accuracy/accuracy.h"
#include "interp/interp.h"

#include <math.h>
#include <string.h>

/* ---- one of each */

static bool same(const Term *a, const Term *b) {
    bool alike = a->op == b->op && a->nkids == b->nkids && a->leaf == b->leaf;
    return alike && !memcmp(a->kid, b->kid, sizeof a->kid) && !memcmp(&a->number, &b->number, sizeof a->number);
}

static uint64_t hash(const Term *x) {
    uint64_t h = 0, bits;
    memcpy(&bits, &x->number, sizeof bits);
    const uint64_t parts[] = {(uint64_t)x->op, (uint64_t)x->leaf, bits, (uint64_t)x->kid[0], (uint64_t)x->kid[1],
                              (uint64_t)x->kid[2]};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) h = (h ^ parts[i]) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
}

static int *slot_of(const Terms *t, const Term *x) {
    for (uint64_t i = hash(x);; i++) {
        int *slot = &t->table[i & (uint64_t)(t->size - 1)];
        if (!*slot || same(&t->terms.data[*slot - 1], x)) return slot;
    }
}

static void grow(Terms *t) {
    t->size = t->size ? 2 * t->size : 256;
    t->table = NEWN(t->arena, int, t->size);
    for (int i = 0; i < t->terms.len; i++) *slot_of(t, &t->terms.data[i]) = i + 1;
}

static int intern_term(Terms *t, Term x) {
    if (2 * t->terms.len >= t->size) grow(t);
    int *slot = slot_of(t, &x);
    if (*slot) return *slot - 1;
    vec_push(t->arena, &t->terms, x);
    vec_push(t->arena, &t->values, (TermValues){0});
    return (*slot = t->terms.len) - 1;
}

int term_leaf(Terms *t, int leaf) { return intern_term(t, (Term){.op = OP_COUNT, .leaf = leaf}); }
int term_number(Terms *t, double x) { return intern_term(t, (Term){.op = OP_CONST, .number = x}); }

int term_raw(Terms *t, OpCode op, int nkids, const int *kids) {
    Term x = {.op = op, .nkids = nkids};
    memcpy(x.kid, kids, sizeof *kids * (size_t)nkids);
    return intern_term(t, x);
}

int term_reduce(Terms *t, Combine kind, int gens, int kid) {
    return intern_term(t, (Term){.op = OP_REDUCE, .nkids = 1, .kid = {kid}, .leaf = (int)kind, .number = gens});
}

int term_again(Terms *t, const Term *x, const int *kids) {
    if (x->op == OP_REDUCE) return term_reduce(t, (Combine)x->leaf, (int)x->number, kids[0]);
    return term_make(t, x->op, x->nkids, kids);
}

/* ---- what a term plainly is, of real numbers */

static bool is_number(const Terms *t, int i, double x) { return term_is(t, i, OP_CONST) && term_at(t, i)->number == x; }

static int make1(Terms *t, OpCode op, int a) { return term_make(t, op, 1, &a); }
static int make2(Terms *t, OpCode op, int a, int b) { return term_make(t, op, 2, (int[]){a, b}); }

/* Of numbers, where the result is one without rounding in the formula's type */
static int folded(Terms *t, OpCode op, int nkids, const int *kids) {
    Real x[3];
    for (int i = 0; i < nkids; i++) {
        if (!term_is(t, kids[i], OP_CONST)) return -1;
        x[i] = (Real){(Wide)term_at(t, kids[i])->number, 0};
    }
    if (op != OP_ADD && op != OP_SUB && op != OP_MUL && op != OP_DIV && op != OP_NEG && op != OP_SQRT) return -1;
    Real r = real_apply(op, x);
    double v = real_round(t->dtype, r.v);
    return isfinite(v) && (Wide)v == r.v && (op != OP_DIV || r.v * x[1].v == x[0].v) ? term_number(t, v) : -1;
}

static int plain_sum(Terms *t, int a, int b) {
    if (is_number(t, a, 0)) return b;
    if (is_number(t, b, 0)) return a;
    if (term_is(t, b, OP_NEG)) return make2(t, OP_SUB, a, term_at(t, b)->kid[0]);
    if (term_is(t, a, OP_NEG)) return make2(t, OP_SUB, b, term_at(t, a)->kid[0]);
    return -1;
}

static int plain_difference(Terms *t, int a, int b) {
    if (a == b) return term_number(t, 0);
    if (is_number(t, b, 0)) return a;
    if (is_number(t, a, 0)) return make1(t, OP_NEG, b);
    if (term_is(t, b, OP_NEG)) return make2(t, OP_ADD, a, term_at(t, b)->kid[0]);
    return -1;
}

static int plain_product(Terms *t, int a, int b) {
    if (is_number(t, a, 0) || is_number(t, b, 0)) return term_number(t, 0);
    if (is_number(t, a, 1)) return b;
    if (is_number(t, b, 1)) return a;
    if (is_number(t, a, -1)) return make1(t, OP_NEG, b);
    if (is_number(t, b, -1)) return make1(t, OP_NEG, a);
    if (term_is(t, a, OP_NEG)) return make1(t, OP_NEG, make2(t, OP_MUL, term_at(t, a)->kid[0], b));
    if (term_is(t, b, OP_NEG)) return make1(t, OP_NEG, make2(t, OP_MUL, a, term_at(t, b)->kid[0]));
    return -1;
}

static int plain_quotient(Terms *t, int a, int b) {
    if (is_number(t, b, 1)) return a;
    if (is_number(t, a, 0)) return a;
    if (a == b) return term_number(t, 1);
    if (term_is(t, a, OP_NEG)) return make1(t, OP_NEG, make2(t, OP_DIV, term_at(t, a)->kid[0], b));
    if (term_is(t, b, OP_NEG)) return make1(t, OP_NEG, make2(t, OP_DIV, a, term_at(t, b)->kid[0]));
    return -1;
}

static int plain_negation(Terms *t, int a) {
    const Term x = *term_at(t, a);
    if (x.op == OP_NEG) return x.kid[0];
    if (x.op == OP_SUB) return make2(t, OP_SUB, x.kid[1], x.kid[0]);
    bool scaled = (x.op == OP_MUL || x.op == OP_DIV) && term_is(t, x.kid[0], OP_CONST);
    if (scaled) return make2(t, x.op, term_number(t, -term_at(t, x.kid[0])->number), x.kid[1]);
    return -1;
}

static int plain(Terms *t, OpCode op, const int *kids) {
    switch (op) {
    case OP_ADD: return plain_sum(t, kids[0], kids[1]);
    case OP_SUB: return plain_difference(t, kids[0], kids[1]);
    case OP_MUL: return plain_product(t, kids[0], kids[1]);
    case OP_DIV: return plain_quotient(t, kids[0], kids[1]);
    case OP_NEG: return plain_negation(t, kids[0]);
    default: return -1;
    }
}

/* 2 * x, x + 1: where a number stands that may stand on either side */
static int usual_order(Terms *t, OpCode op, int nkids, const int *kids) {
    bool first = nkids == 2 && term_is(t, kids[0], OP_CONST), second = nkids == 2 && term_is(t, kids[1], OP_CONST);
    bool swap = first != second && ((op == OP_MUL && second) || (op == OP_ADD && first));
    return term_raw(t, op, nkids, swap ? (int[]){kids[1], kids[0]} : kids);
}

int term_make(Terms *t, OpCode op, int nkids, const int *kids) {
    int x = folded(t, op, nkids, kids);
    if (x < 0) x = plain(t, op, kids);
    return x < 0 ? usual_order(t, op, nkids, kids) : x;
}

/* ---- parts */

static int substitute(Terms *t, int root, int from, int to) {
    if (root == from) return to;
    const Term x = *term_at(t, root);
    int kids[3];
    bool changed = false;
    for (int i = 0; i < x.nkids; i++) {
        kids[i] = substitute(t, x.kid[i], from, to);
        changed |= kids[i] != x.kid[i];
    }
    return changed ? term_again(t, &x, kids) : root;
}

int term_substitute(Terms *t, int root, int from, int to) { return substitute(t, root, from, to); }

static int collect(const Terms *t, int root, int *out, int n, int most) {
    for (int i = 0; i < n; i++)
        if (out[i] == root) return n;
    if (n == most) return n;
    out[n++] = root;
    for (int i = 0; i < term_at(t, root)->nkids; i++) n = collect(t, term_at(t, root)->kid[i], out, n, most);
    return n;
}

int term_subterms(const Terms *t, int root, int *out, int most) { return collect(t, root, out, 0, most); }

enum { MOST_PARTS = 128 };

static int cost_of(const Term *x) {
    OpCode op = x->op == OP_REDUCE ? combine_info((Combine)x->leaf)->op : x->op;
    return x->nkids ? op_info(op)->cost : 0;
}

int term_cost(const Terms *t, int root) {
    int parts[MOST_PARTS], cost = 0;
    int n = term_subterms(t, root, parts, MOST_PARTS);
    for (int i = 0; i < n; i++)
        cost += cost_of(term_at(t, parts[i]));
    return n == MOST_PARTS ? INT32_MAX / 2 : cost;
}

int term_size(const Terms *t, int root) {
    int n = 1;
    for (int i = 0; i < term_at(t, root)->nkids; i++) n += term_size(t, term_at(t, root)->kid[i]);
    return n;
}

/* ---- on the samples */

/* As programs add up: sixteen or fewer from left to right, else the halves */
static double reduced(OpCode op, DType as, const double *v, int n) {
    double pair[2] = {v[0], 0};
    if (n > 16) {
        pair[0] = reduced(op, as, v, n / 2), pair[1] = reduced(op, as, v + n / 2, n - n / 2);
        return interp_apply(op, as, 2, pair);
    }
    for (int i = 1; i < n; i++) pair[1] = v[i], pair[0] = interp_apply(op, as, 2, pair);
    return pair[0];
}

static Real reduced_exactly(OpCode op, const Real *v, int n) {
    Real pair[2] = {v[0]};
    for (int i = 1; i < n; i++) pair[1] = v[i], pair[0] = real_apply(op, pair);
    return pair[0];
}

/* Each sample of a group has what is made of all of them. */
static void compute_groups(Terms *t, const Term *x, DType as, double *out) {
    const double *kid = term_values(t, x->kid[0], as);
    OpCode op = combine_info((Combine)x->leaf)->op;
    for (int g = 0; g < t->ngroups; g++) {
        double all = reduced(op, as, kid + t->group[g], t->group[g + 1] - t->group[g]);
        for (int s = t->group[g]; s < t->group[g + 1]; s++) out[s] = all;
    }
}

static void compute_groups_exactly(Terms *t, const Term *x, Real *out) {
    const Real *kid = term_reals(t, x->kid[0]);
    OpCode op = combine_info((Combine)x->leaf)->op;
    for (int g = 0; g < t->ngroups; g++) {
        Real all = reduced_exactly(op, kid + t->group[g], t->group[g + 1] - t->group[g]);
        for (int s = t->group[g]; s < t->group[g + 1]; s++) out[s] = all;
    }
}

static void compute(Terms *t, int root, DType as, double *out) {
    const Term x = *term_at(t, root);
    if (x.op == OP_REDUCE) return compute_groups(t, &x, as, out);
    const double *kid[3] = {NULL};
    for (int i = 0; i < x.nkids; i++) kid[i] = term_values(t, x.kid[i], as);
    for (int s = 0; s < t->nsamples; s++) {
        double v[3];
        for (int i = 0; i < x.nkids; i++) v[i] = kid[i][s];
        out[s] = x.op == OP_COUNT   ? t->leaf[x.leaf][s]
                 : x.op == OP_CONST ? x.number
                                    : interp_apply(x.op, as, x.nkids, v);
        if (!x.nkids && as == DT_F32) out[s] = (double)(float)out[s];
    }
}

const double *term_values(Terms *t, int root, DType as) {
    int k = as == DT_F64;
    if (t->values.data[root].value[k]) return t->values.data[root].value[k];
    double *v = NEWN(t->arena, double, t->nsamples ? t->nsamples : 1);
    compute(t, root, as, v);
    return t->values.data[root].value[k] = v;
}

const Real *term_reals(Terms *t, int root) {
    if (t->values.data[root].real) return t->values.data[root].real;
    const Term x = *term_at(t, root);
    const Real *kid[3] = {NULL};
    for (int i = 0; i < x.nkids; i++) kid[i] = term_reals(t, x.kid[i]);
    Real *out = NEWN(t->arena, Real, t->nsamples ? t->nsamples : 1);
    if (x.op == OP_REDUCE) compute_groups_exactly(t, &x, out);
    for (int s = 0; s < t->nsamples && x.op != OP_REDUCE; s++) {
        Real v[3];
        for (int i = 0; i < x.nkids; i++) v[i] = kid[i][s];
        out[s] = x.op == OP_COUNT   ? (Real){(Wide)t->leaf[x.leaf][s], 0}
                 : x.op == OP_CONST ? (Real){(Wide)x.number, 0}
                                    : real_apply(x.op, v);
    }
    return t->values.data[root].real = out;
}
