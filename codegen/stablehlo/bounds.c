/* Where conditions hold: intervals of axes.  What is asked of an index under a condition (a neighbour that is there
 * behind `if i > 0`) is often decided by them, and one place of an axis (`if thread.x == 0`) is no loop. */
#include "codegen/stablehlo/private.h"

static const Ten *with_bounds(Hlo *h, const Ten *t, const Bounds *b) {
    Ten *r = ten_like(h, DT_BOOL, t, t->ssa);
    return r->bounds = b, r;
}

/* The places i of an axis with coef*i + start < 0, as an interval of 0..extent */
static void solve_less(int64_t coef, int64_t start, int64_t extent, int64_t *lo, int64_t *hi) {
    /* coef*i < -start */
    int64_t limit = -start, by = coef < 0 ? -coef : coef, most = limit - 1;
    int64_t down = most >= 0 ? most / by : -((-most + by - 1) / by); /* floor((-start - 1) / by) */
    *lo = 0, *hi = extent;
    if (coef > 0 && down + 1 < *hi) *hi = down + 1 > 0 ? down + 1 : 0;
    if (coef < 0 && -down > *lo) *lo = -down < extent ? -down : extent;
}

static bool interval_of(const char *how, const Ten *d, int64_t extent, int64_t *lo, int64_t *hi) {
    int64_t coef = d->coef[0], start = d->start;
    if (!strcmp(how, "LT")) return solve_less(coef, start, extent, lo, hi), true;
    if (!strcmp(how, "LE")) return solve_less(coef, start - 1, extent, lo, hi), true;
    if (!strcmp(how, "GT")) return solve_less(-coef, -start, extent, lo, hi), true;
    if (!strcmp(how, "GE")) return solve_less(-coef, -start - 1, extent, lo, hi), true;
    if (strcmp(how, "EQ") || start % coef) return false;
    *lo = -start / coef, *hi = *lo + 1;
    return *lo >= 0 && *hi <= extent;
}

Ten *bounds_of_compare(Hlo *h, Ten *t, const char *how, const Ten *d) {
    int64_t lo, hi, far = (int64_t)1 << 40;
    if (!d || d->base || d->naxes != 1 || d->start > far || d->start < -far || d->coef[0] > far || d->coef[0] < -far)
        return t;
    if (!interval_of(how, d, h->extent[d->axis[0]], &lo, &hi)) return t;
    Bounds *b = NEW(h->arena, Bounds);
    b->exact = true, b->n = 1, b->of[0].axis = d->axis[0], b->of[0].lo = lo, b->of[0].hi = hi;
    return t->bounds = b, t;
}

/* One more interval; false: nothing is left */
static bool narrow(Bounds *b, int axis, int64_t lo, int64_t hi) {
    for (int i = 0; i < b->n; i++) {
        if (b->of[i].axis != axis) continue;
        if (lo > b->of[i].lo) b->of[i].lo = lo;
        if (hi < b->of[i].hi) b->of[i].hi = hi;
        return b->of[i].lo < b->of[i].hi;
    }
    b->of[b->n].axis = axis, b->of[b->n].lo = lo, b->of[b->n].hi = hi;
    b->n++;
    return lo < hi;
}

const Ten *bounds_of_and(Hlo *h, const Ten *both, const Ten *x, const Ten *y) {
    if (!x->bounds && !y->bounds) return both;
    Bounds *b = NEW(h->arena, Bounds);
    if (x->bounds) *b = *x->bounds;
    b->exact = x->bounds && y->bounds && x->bounds->exact && y->bounds->exact;
    bool left = true;
    for (int i = 0; y->bounds && i < y->bounds->n; i++)
        left = narrow(b, y->bounds->of[i].axis, y->bounds->of[i].lo, y->bounds->of[i].hi) && left;
    return left ? with_bounds(h, both, b) : ten_bool(h, false);
}

/* Of one interval that touches an end: the other end */
const Ten *bounds_of_not(Hlo *h, const Ten *not_x, const Ten *x) {
    if (!x->bounds || !x->bounds->exact || x->bounds->n != 1) return not_x;
    int64_t extent = h->extent[x->bounds->of[0].axis], lo = x->bounds->of[0].lo, hi = x->bounds->of[0].hi;
    if (lo > 0 && hi < extent) return not_x;
    Bounds *b = NEW(h->arena, Bounds);
    *b = *x->bounds;
    b->of[0].lo = lo > 0 ? 0 : hi, b->of[0].hi = lo > 0 ? lo : extent;
    return with_bounds(h, not_x, b);
}

const Ten *bounds_at(Hlo *h, const Ten *t, const Ten *from, int axis) {
    if (!from->bounds) return t;
    Bounds *b = NEW(h->arena, Bounds);
    b->exact = from->bounds->exact;
    for (int i = 0; i < from->bounds->n; i++)
        if (from->bounds->of[i].axis != axis) b->of[b->n++] = from->bounds->of[i];
    return b->exact && !b->n ? ten_bool(h, true) : with_bounds(h, t, b);
}

bool bounds_pin(const Ten *t, int axis, int64_t *place) {
    for (int i = 0; t->bounds && i < t->bounds->n; i++)
        if (t->bounds->of[i].axis == axis && t->bounds->of[i].hi == t->bounds->of[i].lo + 1)
            return *place = t->bounds->of[i].lo, true;
    return false;
}
