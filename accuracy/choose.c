/* Which way of each formula, under a budget for all.  With a bound of the cost it is a knapsack, with a way to be taken
 * of each formula: dynamic programming over what cost and bits of error the formulas up to one may have together, of
 * which those stay that nothing beats in both. */
#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 2000 };
/* Bits: less is not worth a change; less is no difference; forms that lose less are all as good.  Cost: hardly more;
 * less, to be worth a change */
static const double WORTH = 1, ALIKE = 0.5, GOOD = 1, HARDLY = 1.15, SAVES = 0.9;

/* Up to a formula; before: the state of those before it */
typedef struct { double cost, bits; int way, before; } State;
typedef struct { State *data; int n; } Front;

static double cost_of(const Formula *f, int way) { return (double)f->times * f->ways.data[way].cost; }

/* What is lost of operands that were rounded before is lost in any form. */
static double bits_of(const Formula *f, int way) {
    return fmax(GOOD, fmax(f->ways.data[way].bits, f->loss.rounded));
}

/* More than a digit on average, or a third of them somewhere: less comes and goes with the values. */
static bool loses(const Formula *f) {
    double all = f->dtype == DT_F64 ? 1 : 0.5;
    return f->ways.data[0].bits >= 5 * all || f->ways.data[0].worst >= 20 * all;
}

/* ---- each by itself */

static double least_bits(const Formula *f) {
    double best = INFINITY;
    for (int i = 0; i < f->ways.len; i++) best = fmin(best, bits_of(f, i));
    return best;
}

/* The cheapest of those that are as good as the best, or one that is shorter and costs hardly more */
static int most_accurate(const Formula *f) {
    double best = least_bits(f);
    const Way *w = f->ways.data;
    int cheapest = -1, which = -1;
    if (best > bits_of(f, 0) - WORTH || !loses(f)) return 0;
    for (int i = 0; i < f->ways.len; i++)
        if (bits_of(f, i) <= best + ALIKE && (cheapest < 0 || w[i].cost < w[cheapest].cost)) cheapest = i;
    for (int i = 0; i < f->ways.len; i++) {
        bool good = bits_of(f, i) <= best + ALIKE && w[i].cost <= HARDLY * w[cheapest].cost + 2;
        if (good && (which < 0 || w[i].size < w[which].size)) which = i;
    }
    return which;
}

bool has_better(const Formula *f) { return most_accurate(f) != 0; }

static int cheapest_within(const Formula *f, double error) {
    int which = -1;
    for (int i = 0; i < f->ways.len; i++)
        if (f->ways.data[i].off <= error && (which < 0 || f->ways.data[i].cost < f->ways.data[which].cost)) which = i;
    const Way *w = f->ways.data;
    bool saves = which >= 0 && (w[which].cost <= SAVES * w[0].cost || w[which].bits <= w[0].bits - WORTH);
    return saves ? which : most_accurate(f);
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
            State x = {before->data[s].cost + cost_of(f, w), before->data[s].bits + bits_of(f, w), w, s};
            if (x.cost <= limit) out.data[out.n++] = x;
        }
    prune(&out);
    return out;
}

/* What makes next to no difference is left, unless others need what it saves. */
static void leave_small(Profile *p, double limit) {
    double all = 0;
    for (int i = 0; i < p->formulas.len; i++) all += cost_of(p->formulas.data[i], p->formulas.data[i]->chosen);
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        double without = all - cost_of(f, f->chosen) + cost_of(f, 0);
        bool counts = loses(f) && bits_of(f, 0) - bits_of(f, f->chosen) >= WORTH;
        if (counts || without > limit) continue;
        all = without;
        f->chosen = 0;
    }
}

/* False: nothing costs so little. */
static bool choose_under(Profile *p, double times) {
    Arena *a = arena_new();
    int n = p->formulas.len;
    Front *front = NEWN(a, Front, n + 1);
    double limit = 1e-6;
    for (int i = 0; i < n; i++) limit += times * cost_of(p->formulas.data[i], 0);
    front[0] = (Front){NEW(a, State), 1};
    for (int i = 0; i < n; i++) front[i + 1] = step(a, &front[i], p->formulas.data[i], limit);
    int at = front[n].n - 1; /* the last has the fewest bits */
    bool any = at >= 0;
    for (int i = n; i > 0 && any; i--) {
        const State *s = &front[i].data[at];
        p->formulas.data[i - 1]->chosen = s->way;
        at = s->before;
    }
    arena_free(a);
    if (any) leave_small(p, limit);
    return any;
}

/* ---- one place, one text: of instances of a generic function, the form that is best for all of them together */

static bool same_place(const Formula *x, const Formula *y) {
    return x->span.lo == y->span.lo && x->span.hi == y->span.hi;
}

/* The way of f with that text; 0: NULL is the formula as it is; -1: it has none */
static int way_with(const Formula *f, const char *text) {
    if (!text) return 0;
    for (int i = 1; i < f->ways.len; i++)
        if (!strcmp(f->ways.data[i].text, text)) return i;
    return -1;
}

/* Bits of all formulas at the place, with that text; infinite: one has no such way */
static double bits_of_all(const Profile *p, const Formula *at, const char *text) {
    double sum = 0;
    for (int i = 0; i < p->formulas.len; i++) {
        const Formula *f = p->formulas.data[i];
        int way = same_place(f, at) ? way_with(f, text) : 0;
        if (way < 0) return INFINITY;
        if (same_place(f, at)) sum += bits_of(f, way);
    }
    return sum;
}

static bool all_agree(const Profile *p, const Formula *at) {
    for (int i = 0; i < p->formulas.len; i++) {
        const Formula *f = p->formulas.data[i];
        if (same_place(f, at) && way_with(f, at->ways.data[at->chosen].text) != f->chosen) return false;
    }
    return true;
}

static void agree_on(Profile *p, const Formula *at) {
    const char *best = NULL;
    double least = bits_of_all(p, at, NULL) - WORTH;
    for (int i = 1; i < at->ways.len; i++) {
        double bits = bits_of_all(p, at, at->ways.data[i].text);
        if (bits < least) least = bits, best = at->ways.data[i].text;
    }
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        if (same_place(f, at)) f->chosen = way_with(f, best);
    }
}

static void agree(Profile *p) {
    for (int i = 0; i < p->formulas.len; i++)
        if (!all_agree(p, p->formulas.data[i])) agree_on(p, p->formulas.data[i]);
}

static bool goes_through(const Formula *f, const Formula *let) {
    if (f == let || (f->span.lo <= let->span.lo && let->span.hi <= f->span.hi)) return false;
    for (int i = 0; i < f->nsource; i++) {
        Span at = f->place[i];
        if (at.file == let->span.file && let->span.lo <= at.lo && at.hi <= let->span.hi) return true;
    }
    return false;
}

void put_off_ways(Profile *p) {
    for (int i = 0; i < p->formulas.len; i++)
        for (int k = 0; k < p->formulas.len; k++)
            p->formulas.data[i]->later |=
                p->formulas.data[k]->chosen && goes_through(p->formulas.data[i], p->formulas.data[k]);
    for (int i = 0; i < p->formulas.len; i++)
        if (p->formulas.data[i]->later) p->formulas.data[i]->chosen = 0;
}

bool choose_ways(Profile *p, const AccuracyBudget *budget) {
    bool fits = true;
    for (int i = 0; i < p->formulas.len; i++) {
        Formula *f = p->formulas.data[i];
        f->chosen = budget->error > 0 ? cheapest_within(f, budget->error) : budget->cost > 0 ? 0 : most_accurate(f);
    }
    if (budget->cost > 0 && !(budget->error > 0)) fits = choose_under(p, budget->cost);
    agree(p);
    return fits;
}
