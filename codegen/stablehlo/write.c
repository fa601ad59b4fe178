/* Elements that are written, for all iterations at once: as parts where each index is linear in axes of its own; else
 * scattered. */
#include "codegen/stablehlo/access.h"

#include <stdlib.h>

enum { MOST_TURNS = 8 };

/* ---- writing parts */

/* From first to last - 1 the turns of the walk that are inside of the dim */
static void inside(const Along *l, int64_t start, int64_t step, int64_t dim, int64_t *first, int64_t *last) {
    *first = start < 0 ? (-start + step - 1) / step : 0;
    *last = dim > start ? (dim - start + step - 1) / step : 0;
    if (*last > l->count) *last = l->count;
    if (*first > *last) *first = *last;
}

/* What is written to a part: where along each dim, in steps that are positive, and what was cut off at the ends */
typedef struct { int64_t start[HLO_RANK], step[HLO_RANK], first[HLO_RANK], last[HLO_RANK]; bool dense; } Target;

static Target target_of(const Ten *x, const Access *a) {
    Target t = {.dense = true};
    for (int i = 0; i < a->rank; i++) {
        const Along *l = &a->at[i];
        bool back = l->step < 0;
        t.step[i] = llabs(l->step), t.start[i] = l->start + (back ? (l->count - 1) * l->step : 0);
        if (l->kind == AT_WINDOW) t.start[i] = 0, t.first[i] = 0, t.last[i] = l->count;
        else inside(l, t.start[i], t.step[i], x->dim[i], &t.first[i], &t.last[i]);
        t.start[i] += t.first[i] * t.step[i];
        if (t.last[i] - t.first[i] <= 1) t.step[i] = 1;
        t.dense = t.dense && t.step[i] == 1;
    }
    return t;
}

/* v along the dims of the part */
static const Ten *laid(Hlo *h, const Ten *v, const Access *a, const Target *t) {
    int axes[MOST_AXES];
    int64_t size[HLO_RANK];
    int n = access_walk(h, a, axes, size);
    v = axes_to_dims(h, v, n, axes);
    for (int i = 0; i < a->rank; i++) size[i] = a->at[i].count;
    v = ten_reshape(h, v, a->rank, size);
    for (int i = 0; i < a->rank; i++)
        if (a->at[i].step < 0) v = ten_reverse(h, v, i);
    return ten_slice(h, v, t->first, t->last, NULL);
}

static const Ten *old_part(Hlo *h, const Ten *x, const Access *a, const Target *t) {
    int64_t size[HLO_RANK], end[HLO_RANK];
    for (int i = 0; i < a->rank; i++) {
        size[i] = t->last[i] - t->first[i];
        end[i] = t->start[i] + (size[i] > 0 ? (size[i] - 1) * t->step[i] + 1 : 0);
    }
    return access_has_window(a, -1) ? part_read(h, x, a, t->start, NULL, size)
                                    : ten_slice(h, x, t->start, end, t->step);
}

/* Whether an element of an array of x's size is in the part */
static const Ten *part_places(Hlo *h, const Ten *x, const Target *t) {
    const Ten *in = NULL;
    int from = h->naxes, axes[HLO_RANK], n = 0;
    for (int i = 0; i < x->rank; i++) {
        int64_t count = t->last[i] - t->first[i];
        axes[n++] = axis_open(h, x->dim[i]);
        const Ten *at = ten_axis(h, axes[i]), *shifted = ten_sub(h, at, ten_int(h, t->start[i]));
        in = ten_and(h, in, ten_compare(h, "GE", at, ten_int(h, t->start[i])));
        in = ten_and(h, in, ten_compare(h, "LE", at, ten_int(h, t->start[i] + (count - 1) * t->step[i])));
        if (t->step[i] == 1) continue;
        shifted = ten_binary(h, "stablehlo.remainder", shifted, ten_int(h, t->step[i]));
        in = ten_and(h, in, ten_compare(h, "EQ", shifted, ten_int(h, 0)));
    }
    in = ten_close(h, ten_widen(h, in, n, axes), from);
    axes_shut(h, n);
    return in;
}

/* The part at its place in an array of x's size, the rest of which is `with` */
static const Ten *in_place(Hlo *h, const Ten *x, const Ten *part, const Ten *with, const Access *a, const Target *t) {
    int64_t low[HLO_RANK], high[HLO_RANK], between[HLO_RANK];
    for (int i = 0; i < a->rank; i++) {
        int64_t n = t->last[i] - t->first[i], reach = n > 0 ? (n - 1) * t->step[i] + 1 : 0;
        low[i] = t->start[i], high[i] = x->dim[i] - t->start[i] - reach, between[i] = t->step[i] - 1;
    }
    return ten_pad(h, part, with, low, high, between);
}

/* As a choice between arrays of x's size, which XLA fuses with what makes the part, and parts among devices */
static const Ten *put_chosen(Hlo *h, const Ten *x, const Ten *part, const Access *a, const Target *t) {
    return ten_select(h, part_places(h, x, t), in_place(h, x, part, ten_zero(h, x->dtype), a, t), x);
}

static int64_t count_of(const Ten *x) {
    int64_t n = 1;
    for (int i = 0; i < x->rank; i++) n *= x->dim[i];
    return n;
}

static bool same_size(const Ten *x, const Ten *y) {
    for (int i = 0; i < x->rank; i++)
        if (x->dim[i] != y->dim[i]) return false;
    return true;
}

static const Ten *put(Hlo *h, const Ten *x, const Ten *part, const Access *a, const Target *t) {
    if (ten_is_empty(part) || ten_is_empty(x)) return x;
    if (same_size(x, part)) return part;
    if (x->filled && !access_has_window(a, -1)) return in_place(h, x, part, x->filled, a, t);
    bool little = t->dense && count_of(part) < count_of(x) / 2;
    return little || access_has_window(a, -1) ? part_written(h, x, part, a, t->start) : put_chosen(h, x, part, a, t);
}

static const Ten *write_part(Hlo *h, const Ten *x, const Access *a, const Ten *v, const Ten *mask, Combine kind) {
    Target t = target_of(x, a);
    const Ten *part = laid(h, v, a, &t), *old = mask || kind != COMBINE_SET ? old_part(h, x, a, &t) : NULL;
    if (kind != COMBINE_SET) part = ten_combine(h, kind, old, part);
    if (mask) part = ten_select(h, laid(h, mask, a, &t), part, old);
    return put(h, x, part, a, &t);
}

/* ---- scatters */

/* Iterations that are not in the mask write behind the end, which is nowhere */
static Access masked(Hlo *h, const Access *a, const Ten *x, const Ten *mask) {
    Access r = *a;
    if (mask) r.at[0].index = ten_select(h, mask, ten_written(h, a->at[0].index), ten_int(h, x->dim[0]));
    return r;
}

static const Ten *scattered(Hlo *h, const Ten *x, const Access *a, const Ten *v, const Ten *mask, Combine kind) {
    int axes[MOST_AXES], n;
    int64_t dims[HLO_RANK];
    if (ten_is_empty(x)) return x;
    Access to = masked(h, a, x, mask);
    n = axes_union(v->naxes, v->axis, 0, NULL, axes);
    for (int i = 0; i < to.rank; i++)
        n = axes_union(n, axes, to.at[i].index->naxes, to.at[i].index->axis, axes), dims[i] = i;
    const Ten *index = access_indices(h, &to, to.rank, dims, n, axes), *update = ten_dims(h, ten_widen(h, v, n, axes));
    const char *r = hlo_fresh(h), *e = hlo_element(x->dtype), *all = hlo_ints(h, to.rank, dims);
    x = ten_written(h, x);
    hlo_line(h,
             "%s = \"stablehlo.scatter\"(%s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<"
             "inserted_window_dims = [%s], scatter_dims_to_operand_dims = [%s], index_vector_dim = %d>, "
             "indices_are_sorted = false, unique_indices = false}> ({",
             r, x->ssa, index->ssa, update->ssa, all, all, n);
    hlo_line(h, "^bb0(%%old: tensor<%s>, %%new: tensor<%s>):", e, e);
    if (kind == COMBINE_SET) hlo_line(h, "  stablehlo.return %%new : tensor<%s>", e);
    else {
        hlo_line(h, "  %%both = %s %%old, %%new : tensor<%s>", combine_word(kind, x->dtype), e);
        hlo_line(h, "  stablehlo.return %%both : tensor<%s>", e);
    }
    hlo_line(h, "}) : (%s, %s, %s) -> %s", ten_type(h, x), ten_type(h, index), ten_type(h, update), ten_type(h, x));
    return ten_like(h, x->dtype, x, r);
}

/* ---- who writes */

static bool is_among(int axis, int n, const int *axes) {
    for (int i = 0; i < n; i++)
        if (axes[i] == axis) return true;
    return false;
}

/* Active axes that no index has, but those that are pinned */
static int others_of(const Hlo *h, const Access *a, int npins, const int *pins, int *out) {
    int n = 0;
    for (int i = 0; i < h->nactive; i++)
        if (!access_uses(a, h->active[i]) && !is_among(h->active[i], npins, pins)) out[n++] = h->active[i];
    return n;
}

static bool has_any(const Ten *t, int n, const int *axes) {
    for (int i = 0; t && i < n; i++)
        if (ten_has_axis(t, axes[i])) return true;
    return false;
}

/* What all iterations that write the same element give it */
static const Ten *added_up(Hlo *h, const Ten *v, const Ten *mask, Combine kind, int n, const int *axes) {
    if (mask) v = ten_select(h, mask, v, ten_const(h, combine_identity(kind, v->dtype)));
    return ten_reduce(h, kind, v, n, axes);
}

bool hlo_runs_never(const Hlo *h) {
    for (int i = 0; i < h->nactive; i++)
        if (!h->extent[h->active[i]]) return true;
    return h->mask && h->mask->is_known && !h->mask->known.i;
}

/* Axes that the mask pins to a place, and no dim of x is: that place alone, in the access, in v and in what is returned
 * of the mask (NULL: nothing) */
static const Ten *at_pins(Hlo *h, const Ten *x, Access *a, const Ten **v, const Ten *mask, int *npins, int *pins) {
    int64_t place;
    *npins = 0;
    for (int i = 0; mask && i < h->nactive; i++) {
        int axis = h->active[i];
        if (ten_has_axis(x, axis) || !access_is_known(a, axis) || !bounds_pin(mask, axis, &place)) continue;
        *a = access_at(h, a, axis, place);
        *v = ten_at(h, *v, axis, place);
        mask = bounds_at(h, ten_at(h, mask, axis, place), mask, axis);
        pins[(*npins)++] = axis;
        if (mask->is_known) mask = NULL;
    }
    return mask;
}

/* Combined into the one place, then into the other, each by the iterations that mean it */
static const Ten *write_picked(Hlo *h, const Ten *x, const Ten *const *index, const Ten *v, Combine kind, int at) {
    const Ten *own[MAX_RANK], *mask = h->mask;
    const Pick *p = index[at]->pick;
    for (int i = 0; i < x->rank; i++) own[i] = index[i];
    own[at] = p->then;
    h->mask = ten_and(h, mask, p->cond);
    x = ten_write(h, x, own, v, kind);
    own[at] = p->other;
    h->mask = ten_and(h, mask, ten_not(h, p->cond));
    x = ten_write(h, x, own, v, kind);
    h->mask = mask;
    return x;
}

/* A short axis that goes through a window along with another one, x[i + a]; negative: there is none */
static int window_of(const Hlo *h, const Ten *index) {
    const Ten *leaf = index;
    while (leaf->pick) leaf = leaf->pick->then->naxes ? leaf->pick->then : leaf->pick->other;
    if (leaf->around) leaf = leaf->around;
    if (!pick_is_known(index) || leaf->naxes < 2 || access_along(h, leaf).kind != AT_ANY) return -1;
    for (int i = 0; i < leaf->naxes; i++)
        if (h->extent[leaf->axis[i]] <= MOST_TURNS) return leaf->axis[i];
    return -1;
}

static int window_axis(const Hlo *h, const Ten *x, const Ten *const *index) {
    int axis = -1;
    for (int i = 0; i < x->rank && axis < 0; i++) axis = window_of(h, index[i]);
    for (int i = 0; i < x->rank; i++)
        if (axis >= 0 && ten_has_axis(index[i], axis) && !pick_is_known(index[i])) return -1;
    return axis >= 0 && !ten_has_axis(x, axis) ? axis : -1;
}

/* One place of the axis after another */
static const Ten *write_windows(Hlo *h, const Ten *x, const Ten *const *index, const Ten *v, Combine kind, int axis) {
    const Ten *own[MAX_RANK], *mask = h->mask;
    int active[MOST_AXES], n = h->nactive, k = 0;
    memcpy(active, h->active, sizeof active);
    for (int i = 0; i < n; i++)
        if (active[i] != axis) h->active[k++] = active[i];
    h->nactive = k;
    for (int64_t at = 0; at < h->extent[axis]; at++) {
        for (int i = 0; i < x->rank; i++) own[i] = pick_at(h, index[i], axis, at);
        h->mask = mask ? ten_at(h, mask, axis, at) : NULL;
        x = ten_write(h, x, own, ten_at(h, v, axis, at), kind);
    }
    memcpy(h->active, active, sizeof active);
    h->nactive = n, h->mask = mask;
    return x;
}

/* Around the end: x turned until what is written goes along it, and back */
static const Ten *write_around(Hlo *h, const Ten *x, const Ten *const *index, const Ten *v, Combine kind, int at,
                               int64_t begin, const Ten *along) {
    const Ten *own[MAX_RANK];
    int64_t dim = x->dim[at];
    for (int i = 0; i < x->rank; i++) own[i] = i == at ? along : index[i];
    x = ten_write(h, ten_rotated(h, x, at, begin), own, v, kind);
    return ten_rotated(h, x, at, (dim - begin) % dim);
}

const Ten *ten_write(Hlo *h, const Ten *x, const Ten *const *index, const Ten *v, Combine kind) {
    int axes[MOST_AXES], picked = pick_first(x->rank, index);
    Access a = access_of(h, x, index);
    const Ten *whole = ten_dims(h, x), *mask = h->mask && !h->mask->is_known ? h->mask : NULL, *r;
    if (hlo_runs_never(h)) return x;
    int axis = kind != COMBINE_SET ? window_axis(h, x, index) : -1;
    if (axis >= 0) return write_windows(h, x, index, v, kind, axis);
    if (picked >= 0) return write_picked(h, x, index, v, kind, picked);
    for (int i = 0; i < x->rank; i++) {
        const Ten *along;
        int64_t begin;
        if (access_goes_around(h, index[i], x->dim[i], &begin, &along))
            return write_around(h, x, index, v, kind, i, begin, along);
    }
    int npins, pins[MOST_AXES];
    mask = at_pins(h, x, &a, &v, mask, &npins, pins);
    int n = others_of(h, &a, npins, pins, axes);
    if (n && kind != COMBINE_SET) v = added_up(h, v, mask, kind, n, axes), mask = NULL, n = 0;
    if (access_is_part(&a, whole) && !has_any(v, n, axes) && !has_any(mask, n, axes) &&
        !(mask && access_has_window(&a, 1)) && (target_of(whole, &a).dense || !access_has_window(&a, -1)))
        r = write_part(h, whole, &a, v, mask, kind);
    else r = scattered(h, whole, &a, v, mask, kind);
    return ten_open(h, r, x->naxes, x->axis);
}
