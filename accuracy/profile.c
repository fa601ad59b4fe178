/* The values that the leaves of formulas have together, of a run in the interpreter.  A formula that runs often, or on
 * large arrays, keeps some: each is as likely as any other (Vitter, Random sampling with a reservoir, 1985, R). */
#include "accuracy/accuracy.h"
#include "interp/interp.h"

#include <string.h>

enum { AT_ONCE = 24 }; /* elements of an array that one operation shows */

static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* The k-th of n places among count elements, the same for all operands of a formula: the time it runs tells them */
static int64_t place_of(const Formula *f, int k, int n, int64_t count) {
    uint64_t state = (uint64_t)f->times * AT_ONCE + (uint64_t)k;
    int64_t from = count / n * k, width = count / n;
    return n == count ? k : from + (int64_t)(next_random(&state) % (uint64_t)width);
}

static bool same_bits(double a, double b) { return !memcmp(&a, &b, sizeof a); }

/* A leaf that is read twice has the same value both times, or the formula is none. */
static void take_leaf(Formula *f, const Tap *t, int64_t count, const InterpOperands *operands) {
    int n = count < AT_ONCE ? (int)count : AT_ONCE;
    for (int k = 0; k < n; k++) {
        double v = interp_operand(operands, t->operand, place_of(f, k, n, count));
        if (f->fresh[t->leaf] && !same_bits(f->pending[t->leaf][k], v)) f->broken = true;
        f->pending[t->leaf][k] = v;
    }
    f->fresh[t->leaf] = true;
}

static void keep_sample(Formula *f, int k) {
    int at = f->terms->nsamples;
    f->seen++;
    if (at < SAMPLES) f->terms->nsamples++;
    else if ((at = (int)(next_random(&f->random) % (uint64_t)f->seen)) >= SAMPLES) return;
    for (int i = 0; i < f->nleaves; i++) f->terms->leaf[i][at] = f->pending[i][k];
}

static void take_choice(Formula *f, const Tap *t, int64_t count, const InterpOperands *operands) {
    int n = count < AT_ONCE ? (int)count : AT_ONCE;
    for (int k = 0; k < n; k++) {
        bool holds = interp_operand(operands, 0, place_of(f, k, n, count)) != 0;
        f->unchosen[k] |= holds != (t->operand == 1);
    }
}

/* All leaves must have been seen since the last end: else another run of the same came between (recursion). */
static void end_formula(Formula *f, int64_t count) {
    bool all = true;
    for (int i = 0; i < f->nleaves; i++) all &= f->fresh[i];
    int n = count < AT_ONCE ? (int)count : AT_ONCE;
    for (int k = 0; k < n && all; k++)
        if (!f->unchosen[k]) keep_sample(f, k);
    f->times += count;
    memset(f->unchosen, 0, sizeof f->unchosen);
    memset(f->fresh, 0, sizeof f->fresh);
}

/* ---- formulas with sums: all elements of a sum, which is one group of samples */

static void show_all(Formula *f, const Tap *t, int64_t count, const InterpOperands *operands) {
    Shown *s = &f->shown.data[t->shown];
    for (int64_t k = 0; k < count && s->all.len <= MOST_ELEMENTS; k++)
        vec_push(f->arena, &s->all,
                 t->operand == TAP_RESULT ? interp_result(operands) : interp_operand(operands, t->operand, k));
}

/* What leaf i is, of n elements: all of them, or one for all; NULL: neither, or it was read as two values */
static const Shown *leaf_shown(const Formula *f, int i, int n) {
    const Shown *best = NULL;
    for (int k = 0; k < f->shown.len; k++) {
        const Shown *s = &f->shown.data[k];
        if (s->leaf != i) continue;
        if (s->all.len != n && s->all.len != 1) return NULL;
        bool differs = best && best->all.len == n && s->all.len == n &&
                       memcmp(best->all.data, s->all.data, sizeof(double) * (size_t)n) != 0;
        if (differs) return NULL;
        if (!best || s->all.len == n) best = s;
    }
    return best;
}

static void keep_group(Formula *f, int n) {
    Terms *t = f->terms;
    const Shown *s[MOST_LEAVES];
    for (int i = 0; i < f->nleaves; i++)
        if (!(s[i] = leaf_shown(f, i, n))) return;
    for (int i = 0; i < f->nleaves && !t->ngroups; i++) t->leaf[i] = NEWN(t->arena, double, MOST_ELEMENTS);
    for (int i = 0; i < f->nleaves; i++)
        for (int k = 0; k < n; k++) t->leaf[i][t->nsamples + k] = s[i]->all.data[s[i]->all.len == n ? k : 0];
    t->nsamples += n;
    t->group[++t->ngroups] = t->nsamples;
}

static void end_sums(Formula *f, int64_t count) {
    int n = 0;
    for (int k = 0; k < f->shown.len; k++) n = f->shown.data[k].all.len > n ? f->shown.data[k].all.len : n;
    if (n && f->terms->nsamples + n <= MOST_ELEMENTS && f->terms->ngroups < SAMPLES) keep_group(f, n);
    for (int k = 0; k < f->shown.len; k++) f->shown.data[k].all.len = 0;
    f->times += count;
}

static bool wants(void *ctx, const Op *op) {
    const Profile *p = ctx;
    return map_has(&p->of_op, op) || map_has(&p->loop_sums, op);
}

static void see(void *ctx, const Op *op, int64_t count, const InterpOperands *operands) {
    const Taps *taps = map_get(&((Profile *)ctx)->of_op, op);
    LoopSum *sum = map_get(&((Profile *)ctx)->loop_sums, op);
    if (sum) loop_sum_see(sum, operands);
    for (int i = 0; taps && i < taps->len; i++) {
        const Tap *t = &taps->data[i];
        if (t->formula->sums && t->leaf != TAP_END) show_all(t->formula, t, count, operands);
        else if (t->formula->sums) end_sums(t->formula, count);
        else if (t->leaf == TAP_END) end_formula(t->formula, count);
        else if (t->leaf == TAP_START) memset(t->formula->fresh, 0, sizeof t->formula->fresh);
        else if (t->leaf == TAP_CHOICE) take_choice(t->formula, t, count, operands);
        else take_leaf(t->formula, t, count, operands);
    }
}

int profile_run(Profile *p, Module *m, const InterpOptions *opts) {
    const InterpObserver observer = {p, wants, see};
    InterpOptions o = *opts;
    o.observer = &observer;
    return interp_run(m, &o);
}
