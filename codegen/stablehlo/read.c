/* Elements that are read, for all iterations at once: as slices and paddings where each index is linear in axes of its
 * own; as few slices side by side where one is a window (i + a), as two where it goes around; else gathered. */
#include "codegen/stablehlo/access.h"

#include <stdlib.h>

enum { MOST_SLICES = 64 };

/* The windows, all of the other dims.  XLA moves a window that reaches beyond an end back into the array; so where a
 * mask may leave out what is beyond, the array is longer at both ends. */
static const Ten *read_windows(Hlo *h, const Ten *x, const Access *a) {
    int64_t at[HLO_RANK] = {0}, size[HLO_RANK], more[HLO_RANK] = {0};
    if (!access_has_window(a, -1)) return x;
    for (int i = 0; i < a->rank; i++) {
        bool window = a->at[i].kind == AT_WINDOW;
        size[i] = window ? a->at[i].reach : x->dim[i];
        more[i] = window && h->mask ? a->at[i].reach - 1 : 0;
    }
    return part_read(h, ten_pad(h, x, ten_zero(h, x->dtype), more, more, NULL), a, at, more, size);
}

/* The elements that each index comes by; what is beyond the ends is 0: a mask leaves it out */
static const Ten *read_known(Hlo *h, const Ten *x, const Access *a) {
    int64_t low[HLO_RANK], high[HLO_RANK], start[HLO_RANK], end[HLO_RANK], step[HLO_RANK];
    for (int i = 0; i < a->rank; i++) {
        const Along *l = &a->at[i];
        bool window = l->kind == AT_WINDOW; /* all of it, already */
        int64_t first = !window ? l->start : l->step < 0 ? l->reach - 1 : 0, last = first + (l->count - 1) * l->step;
        int64_t least = first < last ? first : last, most = first < last ? last : first;
        if (l->count == 0) least = most = 0;
        low[i] = least < 0 ? -least : 0, high[i] = most >= x->dim[i] ? most - x->dim[i] + 1 : 0;
        start[i] = least + low[i], end[i] = l->count ? most + low[i] + 1 : start[i], step[i] = llabs(l->step);
    }
    x = ten_pad(h, x, ten_zero(h, x->dtype), low, high, NULL);
    x = ten_slice(h, x, start, end, step);
    for (int i = 0; i < a->rank; i++)
        if (a->at[i].step < 0) x = ten_reverse(h, x, i);
    return x;
}

static const Ten *read_part(Hlo *h, const Ten *x, const Access *a) {
    int axes[MOST_AXES];
    int64_t size[HLO_RANK];
    int n = access_walk(h, a, axes, size);
    return axes_from_dims(h, ten_reshape(h, read_known(h, read_windows(h, x, a), a), n, size), n, axes);
}

/* ---- gathers */

/* An index that takes all of the dim, along an axis of its own */
static bool is_whole(const Access *a, int i, int64_t dim) {
    const Along *l = &a->at[i];
    return l->kind == AT_STEPS && l->n == 1 && l->start == 0 && l->step == 1 && l->count == dim &&
           access_uses(a, l->axis[0]) == 1;
}

static const Ten *gathered(Hlo *h, const Ten *x, const Access *a) {
    int64_t sought[HLO_RANK] = {0}, offset[HLO_RANK], size[HLO_RANK];
    int n = 0, nwhole = 0, naxes = 0, axes[2 * MOST_AXES] = {0}, whole[MOST_AXES];
    for (int i = 0; i < a->rank; i++) {
        bool all = is_whole(a, i, x->dim[i]);
        size[i] = all ? x->dim[i] : 1;
        if (all) whole[nwhole++] = a->at[i].axis[0];
        else {
            sought[n++] = i;
            naxes = axes_union(naxes, axes, a->at[i].index->naxes, a->at[i].index->axis, axes);
        }
    }
    const Ten *index = access_indices(h, a, n, sought, naxes, axes);
    Ten *r = ten_new(h, x->dtype, 0, NULL, naxes + nwhole, x->dim, NULL);
    for (int i = 0; i < nwhole; i++) offset[i] = naxes + i, axes[naxes + i] = whole[i];
    for (int i = 0; i < naxes + nwhole; i++) r->dim[i] = h->extent[axes[i]];
    const char *map = hlo_ints(h, n, sought);
    r->ssa = hlo_op(
        h,
        "\"stablehlo.gather\"(%s, %s) <{dimension_numbers = #stablehlo.gather<%s%s%scollapsed_slice_dims = [%s], "
        "start_index_map = [%s], index_vector_dim = %d>, indices_are_sorted = false, "
        "slice_sizes = array<i64: %s>}> : (%s, %s) -> %s",
        x->ssa, index->ssa, nwhole ? "offset_dims = [" : "", hlo_ints(h, nwhole, offset), nwhole ? "], " : "", map, map,
        naxes, hlo_ints(h, x->rank, size), ten_type(h, x), ten_type(h, index), ten_type(h, r));
    return axes_from_dims(h, r, naxes + nwhole, axes);
}

/* ---- windows: x[i + a] as one slice for each a */

/* The shortest axis without which the rest is a part, or a window again; negative: there is none */
static int window_axis(Hlo *h, const Access *a, const Ten *x, int64_t most) {
    int best = -1;
    for (int i = 0; i < a->rank; i++)
        for (int k = 0; a->at[i].kind == AT_ANY && a->at[i].index->is_linear && k < a->at[i].index->naxes; k++) {
            int axis = a->at[i].index->axis[k];
            int64_t n = h->extent[axis];
            if (n < 1 || n > most || !access_is_known(a, axis) || (best >= 0 && h->extent[best] <= n)) continue;
            Access rest = access_at(h, a, axis, 0);
            if (access_is_part(&rest, x) || window_axis(h, &rest, x, most / n) >= 0) best = axis;
        }
    return best;
}

static const Ten *access_read(Hlo *h, const Ten *x, const Access *a);

static const Ten *windows(Hlo *h, const Ten *x, const Access *a, int axis) {
    int axes[MOST_AXES], n = access_axes(a, axes), front = 0, others[MOST_AXES], nothers = 0;
    const Ten **part = NEWN(h->arena, const Ten *, h->extent[axis]);
    int64_t size[HLO_RANK];
    for (int i = 0; i < n; i++) {
        size[i] = axes[i] == axis ? 1 : h->extent[axes[i]];
        if (axes[i] == axis) front = i;
        else others[nothers++] = axes[i];
    }
    for (int64_t k = 0; k < h->extent[axis]; k++) {
        Access at = access_at(h, a, axis, k);
        part[k] = ten_reshape(h, ten_dims(h, ten_widen(h, access_read(h, x, &at), nothers, others)), n, size);
    }
    const Ten *r = ten_concat(h, (int)h->extent[axis], part, front);
    return ten_new(h, x->dtype, n, axes, 0, NULL, r->ssa);
}

/* x has no axes */
static const Ten *access_read(Hlo *h, const Ten *x, const Access *a) {
    if (ten_is_empty(x)) return ten_zero(h, x->dtype); /* nobody comes here */
    if (access_is_part(a, x)) return read_part(h, x, a);
    int axis = window_axis(h, a, x, MOST_SLICES);
    return axis >= 0 ? windows(h, x, a, axis) : gathered(h, x, a);
}

/* ---- around the end: x[(i + 1) % n] is x[i] of an array that begins with its second element */

/* Where the array must begin for index to go along it without a remainder, that is *along; false: it is not so */
bool access_goes_around(Hlo *h, const Ten *index, int64_t dim, int64_t *begin, const Ten **along) {
    const Ten *from = index->around;
    int64_t most;
    if (!from || index->wrap != dim || index->past) return false;
    *begin = (from->start % dim + dim) % dim;
    *along = ten_sub(h, from, ten_int(h, from->start));
    const Ten *natural = ten_compare(h, "GE", *along, ten_int(h, 0));
    return natural->is_known && natural->known.i && ten_most(h, *along, &most) && most < dim;
}

const Ten *ten_rotated(Hlo *h, const Ten *x, int dim, int64_t begin) {
    int64_t start[HLO_RANK] = {0}, end[HLO_RANK];
    const Ten *part[2];
    if (!begin) return x;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < x->rank; i++) start[i] = 0, end[i] = x->dim[i];
        if (side) end[dim] = begin;
        else start[dim] = begin;
        part[side] = ten_slice(h, x, start, end, NULL);
    }
    return ten_concat(h, 2, part, dim);
}

/* What stands at either place; beyond the ends, where the other one is meant, is 0 */
static const Ten *read_picked(Hlo *h, const Ten *x, const Ten *const *index, int at) {
    const Ten *own[MAX_RANK], *mask = h->mask;
    const Pick *p = index[at]->pick;
    for (int i = 0; i < x->rank; i++) own[i] = index[i];
    own[at] = p->then;
    h->mask = ten_and(h, mask, p->cond);
    const Ten *then = ten_read(h, x, own);
    own[at] = p->other;
    h->mask = ten_and(h, mask, ten_not(h, p->cond));
    const Ten *other = ten_read(h, x, own);
    h->mask = mask;
    return ten_select(h, p->cond, then, other);
}

const Ten *ten_read(Hlo *h, const Ten *x, const Ten *const *index) {
    int64_t known = element_place(x, index), begin;
    const Ten *own[MAX_RANK], *computed;
    if (known >= 0) return x->element[known];
    if ((computed = formula_read(h, x, index))) return computed;
    if (x->filled) return x->filled;
    int picked = pick_first(x->rank, index);
    if (picked >= 0) return read_picked(h, x, index, picked);
    for (int i = 0; i < x->rank; i++) {
        own[i] = index[i];
        if (access_goes_around(h, index[i], x->dim[i], &begin, &own[i])) x = ten_rotated(h, x, i, begin);
        else own[i] = index[i];
    }
    Access a = access_of(h, x, own);
    return access_read(h, ten_dims(h, x), &a);
}
