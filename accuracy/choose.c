/* Which way of each formula, under a budget for all.  With a bound of the cost it is a knapsack, with a way to be taken
 * of each formula: dynamic programming over what cost and bits of error the formulas up to one may have together, of
 * which those stay that nothing beats in both. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_STATES = 2000 };
static const double WORTH = 1, ALIKE = 0.5; /* bits: less is not worth a change; less is no difference */

/* Up to a formula; before: the state of those before it */
typedef struct { double cost, bits; int way, before; } State;
typedef struct { State *data; int n; } Front;

static double cost_of(const Formula *f, int way) { return (double)f->times * f->ways.data[way].cost; }

/* ---- each by itself */

/* The cheapest of those that are as good as the best */
static int most_accurate(const Formula *f) {
    double best = INFINITY;
    for (int i = 0; i < f->ways.len; i++) best = fmin(best, f->ways.data[i].bits);
    if (best > f->ways.data[0].bits - WORTH) return 0;
    int which = -1;
    for (int i = 0; i < f->ways.len; i++)
        if (f->ways.data[i].bits <= best + ALIKE && (which < 0 || f->ways.data[i].cost < f->ways.data[which].cost)) which = i;
    return which;
}

static int cheapest_within(const Formula *f, double error) {
    int which = -1;
    for (int i = 0; i < f->ways.len; i++)
        if (f->ways.data[i].off <= error && (which < 0 || f->ways.data[i].cost < f->ways.data[which].cost)) which = i;
    return which < 0 ? most_accurate(f) : which;
}

/* ---- all together */

static int by_cost(const void *a, const void *b) {
    const State *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->bits < y->bits ? -1 : x->bits > y->bits;
}

/* Those that cost more and are no better go; of too many, every second one. */
static void prune(Front *f) {
    int n = 0;
    qsort(f->data, (size_t)f->n, sizeof *f->data, by_cost);
    for (int i = 0; i < f->n; i++)
        if (!n || f->data[i].bits < f->data[n - 1].bits - 1e-9) f->data[n++] = f->data[i];
    for (; n > MOST_STATES; n = (n + 1) / 2)
        for (int i = 0; 2 * i < n; i++) f->data[i] = f->data[2 * i];
    f->n = n;
}

static Front step(Arena *a, const Front *before, const Formula *f, double limit) {
    Front out = {NEWN(a, State, before->n * f->ways.len), 0};
    for (int s = 0; s < before->n; s++)
        for (int w = 0; w < f->ways.len; w++) {
            State x = {before->data[s].cost + cost_of(f, w), before->data[s].bits + f->ways.data[w].bits, w, s};
            if (x.cost <= limit) out.data[out.n++] = x;
        }
    prune(&out);
    return out;
}

static void choose_under(Profile *p, double times) {
    Arena *a = arena_new();
    int n = p->formulas.len;
    Front *front = NEWN(a, Front, n + 1);
    double limit = 1e-6;
    for (int i = 0; i < n; i++) limit += times * cost_of(p->formulas.data[i], 0);
    front[0] = (Front){NEW(a, State), 1};
    for (int i = 0; i < n; i++) front[i + 1] = step(a, &front[i], p->formulas.data[i], limit);
    int at = front[n].n - 1; /* the last has the fewest bits; none: nothing is as cheap as that */
    for (int i = n; i > 0 && at >= 0; i--) {
        const State *s = &front[i].data[at];
        p->formulas.data[i - 1]->chosen = s->way;
        at = s->before;
    }
    arena_free(a);
}

/* ---- one place, one text: what instances of a generic function do not agree about is left */

static const char *chosen_text(const Formula *f) { return f->chosen ? f->ways.data[f->chosen].text : NULL; }

static bool same_text(const char *a, const char *b) {
    if (!a || !b) return a == b;
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

static void agree(Profile *p) {
    for (int i = 0; i < p->formulas.len; i++)
        for (int k = 0; k < p->formulas.len; k++) {
            Formula *x = p->formulas.data[i], *y = p->formulas.data[k];
            if (x->span.lo != y->span.lo || x->span.hi != y->span.hi) continue;
            if (!same_text(chosen_text(x), chosen_text(y))) x->chosen = y->chosen = 0;
        }
}

void choose_ways(Profile *p, const AccuracyBudget *budget) {
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        f->chosen = budget->error > 0 ? cheapest_within(f, budget->error) : budget->cost > 0 ? 0 : most_accurate(f);
    }
    if (budget->cost > 0 && !(budget->error > 0)) choose_under(p, budget->cost);
    agree(p);
}
