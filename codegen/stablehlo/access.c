/* Elements of arrays, for all iterations at once: as slices, paddings and updates of parts where each index is linear
 * in axes of its own; as few slices side by side where one is a window (i + a); else gathered and scattered. */
#include "codegen/stablehlo/private.h"

#include <stdlib.h>

enum { MOST_SLICES = 64, FAR = 1 << 30 };

/* What one index goes through: one known place; start, start + step, .. along axes, the first one slowest; these from a
 * base on that only the program knows, or one place that it knows; or anything */
typedef enum { AT_PLACE, AT_STEPS, AT_WINDOW, AT_ANY } AlongKind;
typedef struct {
    AlongKind kind;
    int64_t start, step, count, reach; /* reach: how many elements from the first to the last */
    int n, axis[MOST_AXES];
    const Ten *index;
} Along;
typedef struct { int rank; Along at[HLO_RANK]; } Access;

/* ---- reading indices */

/* Axes from slow to fast; true: each steps over all that are faster */
static bool is_one_walk(const Hlo *h, const Ten *t, Along *out) {
    int64_t coef[MOST_AXES] = {0};
    for (int i = 0; i < t->naxes; i++) {
        int k = i;
        for (; k > 0 && llabs(coef[k - 1]) < llabs(t->coef[i]); k--)
            coef[k] = coef[k - 1], out->axis[k] = out->axis[k - 1];
        coef[k] = t->coef[i], out->axis[k] = t->axis[i];
    }
    out->n = t->naxes, out->step = coef[t->naxes - 1], out->count = 1;
    for (int i = t->naxes - 1; i >= 0; i--) {
        if (t->naxes > 1 && coef[i] != out->step * out->count) return false;
        out->count *= h->extent[out->axis[i]];
    }
    return t->naxes == 1 || out->step > 0;
}

/* Where a mask leaves out what is beyond the ends, not far beyond */
static bool is_far(const Ten *t) {
    bool far = llabs(t->start) > FAR;
    for (int i = 0; i < t->naxes; i++) far = far || llabs(t->coef[i]) > FAR;
    return far;
}

static Along along_of(const Hlo *h, const Ten *t) {
    Along a = {.index = t, .count = 1, .step = 1, .start = t->start, .reach = 1};
    if (!t->is_linear) return a.kind = t->naxes ? AT_ANY : AT_WINDOW, a;
    if (is_far(t)) return a.kind = AT_ANY, a;
    a.kind = t->base ? AT_WINDOW : t->naxes ? AT_STEPS : AT_PLACE;
    if (t->naxes && !is_one_walk(h, t, &a)) a.kind = AT_ANY;
    a.reach = a.count ? (a.count - 1) * llabs(a.step) + 1 : 0;
    return a;
}

/* Also of the axes that x has, which become its first dims */
static Access access_of(Hlo *h, const Ten *x, const Ten *const *index) {
    Access a = {.rank = x->naxes + x->rank};
    for (int i = 0; i < x->naxes; i++) a.at[i] = along_of(h, ten_axis(h, x->axis[i]));
    for (int i = 0; i < x->rank; i++) a.at[x->naxes + i] = along_of(h, index[i]);
    return a;
}

static int access_axes(const Access *a, int *out) {
    int n = 0;
    for (int i = 0; i < a->rank; i++) n = axes_union(n, out, a->at[i].index->naxes, a->at[i].index->axis, out);
    return n;
}

static int uses_of(const Access *a, int axis) {
    int n = 0;
    for (int i = 0; i < a->rank; i++) n += ten_has_axis(a->at[i].index, axis);
    return n;
}

/* Parts of x along its dims say it: no index goes anywhere, no axis stands in two */
static bool is_part(const Access *a, const Ten *x) {
    for (int i = 0; i < a->rank; i++) {
        if (a->at[i].kind == AT_ANY || (a->at[i].kind == AT_WINDOW && a->at[i].reach > x->dim[i])) return false;
        for (int k = 0; k < a->at[i].index->naxes; k++)
            if (uses_of(a, a->at[i].index->axis[k]) > 1) return false;
    }
    return true;
}

/* ---- axes in any order */

/* A scalar along axes from an array whose dims are these axes, in any order */
static const Ten *from_dims(Hlo *h, const Ten *x, int n, const int *axes) {
    int64_t perm[HLO_RANK];
    int sorted[MOST_AXES] = {0}, k = 0;
    for (int i = 0; i < n; i++) k = axes_union(k, sorted, 1, &axes[i], sorted);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (axes[j] == sorted[i]) perm[i] = j;
    x = ten_transpose(h, x, perm);
    return ten_new(h, x->dtype, k, sorted, 0, NULL, x->ssa);
}

/* Its inverse: v, which has no other axes than these, as an array with them for dims in this order */
static const Ten *to_dims(Hlo *h, const Ten *v, int n, const int *axes) {
    int64_t perm[HLO_RANK];
    int sorted[MOST_AXES] = {0}, k = 0;
    for (int i = 0; i < n; i++) k = axes_union(k, sorted, 1, &axes[i], sorted);
    v = ten_widen(h, v, k, sorted);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (sorted[j] == axes[i]) perm[i] = j;
    return ten_transpose(h, ten_dims(h, v), perm);
}

/* ---- parts */

static bool has_window(const Access *a, int64_t longer) {
    for (int i = 0; i < a->rank; i++)
        if (a->at[i].kind == AT_WINDOW && a->at[i].reach > longer) return true;
    return false;
}

/* The first element of a window, when the program runs */
static const Ten *window_start(Hlo *h, const Along *l, int64_t shift) {
    const Ten *t = l->index;
    int64_t least = l->step < 0 ? (l->count - 1) * l->step : 0;
    const Ten *base = !t->is_linear ? t : t->base;
    return ten_add(h, base, ten_int(h, (t->is_linear ? t->start : 0) + least + shift));
}

/* ", %i, %j": where a part begins; shift: of windows, what stands in front of the array */
static const char *starts(Hlo *h, const Access *a, const int64_t *at, const int64_t *shift) {
    Text t;
    text_init(&t, h->arena);
    for (int i = 0; i < a->rank; i++) {
        bool window = a->at[i].kind == AT_WINDOW;
        text_printf(&t, ", %s",
                    ten_text(h, window ? window_start(h, &a->at[i], shift ? shift[i] : 0) : ten_int(h, at[i])));
    }
    return text_str(&t);
}

static const char *start_types(Hlo *h, int n) {
    Text t;
    text_init(&t, h->arena);
    for (int i = 0; i < n; i++) text_printf(&t, ", tensor<i64>");
    return text_str(&t);
}

static const Ten *dynamic_slice(Hlo *h, const Ten *x, const Access *a, const int64_t *at, const int64_t *shift,
                                const int64_t *size) {
    x = ten_written(h, x);
    Ten *r = ten_new(h, x->dtype, 0, NULL, x->rank, size, NULL);
    const char *where = starts(h, a, at, shift);
    r->ssa = hlo_op(h, "stablehlo.dynamic_slice %s%s, sizes = [%s] : (%s%s) -> %s", x->ssa, where,
                    hlo_ints(h, x->rank, size), ten_type(h, x), start_types(h, x->rank), ten_type(h, r));
    return r;
}

static const Ten *dynamic_update(Hlo *h, const Ten *x, const Ten *part, const Access *a, const int64_t *at) {
    x = ten_written(h, x), part = ten_written(h, part);
    const char *where = starts(h, a, at, NULL);
    return ten_like(h, x->dtype, x,
                    hlo_op(h, "stablehlo.dynamic_update_slice %s, %s%s : (%s, %s%s) -> %s", x->ssa, part->ssa, where,
                           ten_type(h, x), ten_type(h, part), start_types(h, x->rank), ten_type(h, x)));
}

static const Ten *zero_of(Hlo *h, DType t) { return ten_const(h, (Const){.dtype = t}); }

/* The windows, all of the other dims.  XLA moves a window that reaches beyond an end back into the array; so where a
 * mask may leave out what is beyond, the array is longer at both ends. */
static const Ten *read_windows(Hlo *h, const Ten *x, const Access *a) {
    int64_t at[HLO_RANK] = {0}, size[HLO_RANK], more[HLO_RANK] = {0};
    if (!has_window(a, -1)) return x;
    for (int i = 0; i < a->rank; i++) {
        bool window = a->at[i].kind == AT_WINDOW;
        size[i] = window ? a->at[i].reach : x->dim[i];
        more[i] = window && h->mask ? a->at[i].reach - 1 : 0;
    }
    return dynamic_slice(h, ten_pad(h, x, zero_of(h, x->dtype), more, more, NULL), a, at, more, size);
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
    x = ten_pad(h, x, zero_of(h, x->dtype), low, high, NULL);
    x = ten_slice(h, x, start, end, step);
    for (int i = 0; i < a->rank; i++)
        if (a->at[i].step < 0) x = ten_reverse(h, x, i);
    return x;
}

/* The axes in the order of the dims, and their sizes */
static int walk_axes(const Hlo *h, const Access *a, int *axes, int64_t *size) {
    int n = 0;
    for (int i = 0; i < a->rank; i++)
        for (int k = 0; k < a->at[i].n; k++) {
            axes[n] = a->at[i].axis[k];
            size[n] = h->extent[axes[n]];
            n++;
        }
    return n;
}

static const Ten *read_part(Hlo *h, const Ten *x, const Access *a) {
    int axes[MOST_AXES];
    int64_t size[HLO_RANK];
    int n = walk_axes(h, a, axes, size);
    return from_dims(h, ten_reshape(h, read_known(h, read_windows(h, x, a), a), n, size), n, axes);
}

/* ---- gathers */

/* An index that takes all of the dim, along an axis of its own */
static bool is_whole(const Access *a, int i, int64_t dim) {
    const Along *l = &a->at[i];
    return l->kind == AT_STEPS && l->n == 1 && l->start == 0 && l->step == 1 && l->count == dim &&
           uses_of(a, l->axis[0]) == 1;
}

/* An array of the axes, whose last dim holds the indices of the dims named */
static const Ten *index_array(Hlo *h, const Access *a, int n, const int64_t *dims, int naxes, const int *axes) {
    const Ten *part[HLO_RANK];
    for (int i = 0; i < n; i++) {
        const Ten *t = ten_widen(h, a->at[dims[i]].index, naxes, axes);
        part[i] = ten_reshape(h, t, 1, (int64_t[]){1});
    }
    return ten_dims(h, n == 1 ? part[0] : ten_concat(h, n, part, 0));
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
    const Ten *index = index_array(h, a, n, sought, naxes, axes);
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
    return from_dims(h, r, naxes + nwhole, axes);
}

/* ---- windows: x[i + a] as one slice for each a */

static Access access_at(Hlo *h, const Access *a, int axis, int64_t place) {
    Access r = {.rank = a->rank};
    for (int i = 0; i < a->rank; i++) r.at[i] = along_of(h, ten_at(h, a->at[i].index, axis, place));
    return r;
}

static bool known_everywhere(const Access *a, int axis) {
    for (int i = 0; i < a->rank; i++)
        if (!a->at[i].index->is_linear && ten_has_axis(a->at[i].index, axis)) return false;
    return true;
}

/* The shortest axis without which the rest is a part, or a window again; negative: there is none */
static int window_axis(Hlo *h, const Access *a, const Ten *x, int64_t most) {
    int best = -1;
    for (int i = 0; i < a->rank; i++)
        for (int k = 0; a->at[i].kind == AT_ANY && a->at[i].index->is_linear && k < a->at[i].index->naxes; k++) {
            int axis = a->at[i].index->axis[k];
            int64_t n = h->extent[axis];
            if (n < 1 || n > most || !known_everywhere(a, axis) || (best >= 0 && h->extent[best] <= n)) continue;
            Access rest = access_at(h, a, axis, 0);
            if (is_part(&rest, x) || window_axis(h, &rest, x, most / n) >= 0) best = axis;
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

static bool is_empty(const Ten *x) {
    for (int i = 0; i < x->rank; i++)
        if (!x->dim[i]) return true;
    return false;
}

/* x has no axes */
static const Ten *access_read(Hlo *h, const Ten *x, const Access *a) {
    if (is_empty(x)) return zero_of(h, x->dtype); /* nobody comes here */
    if (is_part(a, x)) return read_part(h, x, a);
    int axis = window_axis(h, a, x, MOST_SLICES);
    return axis >= 0 ? windows(h, x, a, axis) : gathered(h, x, a);
}

/* Which element of an array that is known by its elements; negative: it is not, or the place is not known */
static int64_t element_place(const Ten *x, const Ten *const *index) {
    int64_t at = 0;
    for (int i = 0; i < x->rank; i++) {
        const Ten *k = index[i];
        if (!x->element || !k->is_known || k->start < 0 || k->start >= x->dim[i]) return -1;
        at = at * x->dim[i] + k->start;
    }
    return x->element ? at : -1;
}

/* x with v there */
static const Ten *with_known(Hlo *h, const Ten *x, int64_t at, const Ten *v) {
    int64_t n = 1;
    for (int i = 0; i < x->rank; i++) n *= x->dim[i];
    const Ten **element = NEWN(h->arena, const Ten *, n);
    memcpy(element, x->element, sizeof *element * (size_t)n);
    element[at] = v;
    return ten_elements(h, x->dtype, x->rank, x->dim, element);
}

/* ---- around the end: x[(i + 1) % n] is x[i] of an array that begins with its second element */

/* Where the array must begin for index to go along it without a remainder, that is *along; false: it is not so */
static bool goes_around(Hlo *h, const Ten *index, int64_t dim, int64_t *begin, const Ten **along) {
    const Ten *from = index->around;
    int64_t most;
    if (!from || index->wrap != dim) return false;
    *begin = (from->start % dim + dim) % dim;
    *along = ten_sub(h, from, ten_int(h, from->start));
    const Ten *natural = ten_compare(h, "GE", *along, ten_int(h, 0));
    return natural->is_known && natural->known.i && ten_most(h, *along, &most) && most < dim;
}

/* x from `begin` on along a dim, then what is in front of it */
static const Ten *rotated(Hlo *h, const Ten *x, int dim, int64_t begin) {
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

const Ten *ten_read(Hlo *h, const Ten *x, const Ten *const *index) {
    int64_t known = element_place(x, index), begin;
    const Ten *own[MAX_RANK];
    if (known >= 0) return x->element[known];
    for (int i = 0; i < x->rank; i++) {
        own[i] = index[i];
        if (goes_around(h, index[i], x->dim[i], &begin, &own[i])) x = rotated(h, x, i, begin);
        else own[i] = index[i];
    }
    Access a = access_of(h, x, own);
    return access_read(h, ten_dims(h, x), &a);
}

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
    int n = walk_axes(h, a, axes, size);
    v = to_dims(h, v, n, axes);
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
    return has_window(a, -1) ? dynamic_slice(h, x, a, t->start, NULL, size) : ten_slice(h, x, t->start, end, t->step);
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
    return ten_select(h, part_places(h, x, t), in_place(h, x, part, zero_of(h, x->dtype), a, t), x);
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
    if (is_empty(part) || is_empty(x)) return x;
    if (same_size(x, part)) return part;
    if (x->filled && !has_window(a, -1)) return in_place(h, x, part, x->filled, a, t);
    bool little = t->dense && count_of(part) < count_of(x) / 2;
    return little || has_window(a, -1) ? dynamic_update(h, x, part, a, t->start) : put_chosen(h, x, part, a, t);
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
    if (is_empty(x)) return x;
    Access to = masked(h, a, x, mask);
    n = axes_union(v->naxes, v->axis, 0, NULL, axes);
    for (int i = 0; i < to.rank; i++)
        n = axes_union(n, axes, to.at[i].index->naxes, to.at[i].index->axis, axes), dims[i] = i;
    const Ten *index = index_array(h, &to, to.rank, dims, n, axes), *update = ten_dims(h, ten_widen(h, v, n, axes));
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
        if (!uses_of(a, h->active[i]) && !is_among(h->active[i], npins, pins)) out[n++] = h->active[i];
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
        if (ten_has_axis(x, axis) || !known_everywhere(a, axis) || !bounds_pin(mask, axis, &place)) continue;
        *a = access_at(h, a, axis, place);
        *v = ten_at(h, *v, axis, place);
        mask = bounds_at(h, ten_at(h, mask, axis, place), mask, axis);
        pins[(*npins)++] = axis;
        if (mask->is_known) mask = NULL;
    }
    return mask;
}

const Ten *ten_write(Hlo *h, const Ten *x, const Ten *const *index, const Ten *v, Combine kind) {
    int axes[MOST_AXES];
    Access a = access_of(h, x, index);
    const Ten *whole = ten_dims(h, x), *mask = h->mask && !h->mask->is_known ? h->mask : NULL, *r;
    if (hlo_runs_never(h)) return x;
    int npins, pins[MOST_AXES];
    mask = at_pins(h, x, &a, &v, mask, &npins, pins);
    int n = others_of(h, &a, npins, pins, axes);
    if (n && kind != COMBINE_SET) v = added_up(h, v, mask, kind, n, axes), mask = NULL, n = 0;
    if (is_part(&a, whole) && !has_any(v, n, axes) && !has_any(mask, n, axes) && !(mask && has_window(&a, 1)) &&
        (target_of(whole, &a).dense || !has_window(&a, -1)))
        r = write_part(h, whole, &a, v, mask, kind);
    else r = scattered(h, whole, &a, v, mask, kind);
    return ten_open(h, r, x->naxes, x->axis);
}

/* ---- operations */

static void indices(Hlo *h, const Op *op, int first, int n, const Ten **out) {
    for (int i = 0; i < n; i++) out[i] = ten_of(h, op_opnd(op, first + i));
}

void hlo_check_index(Hlo *h, const Op *op, const Ten *x, const Ten *const *index) {
    if (op_flag(op, A_SAFE)) return;
    for (int i = 0; i < x->rank; i++) {
        const Ten *low = ten_compare(h, "GE", index[i], ten_int(h, 0));
        const Ten *high = ten_compare(h, "LT", index[i], ten_int(h, x->dim[i]));
        hlo_check(h, op->span, "E0601", arena_printf(h->arena, "an index is out of bounds for axis %d", i),
                  ten_and(h, low, high));
    }
}

static const Ten *element(Hlo *h, const Op *op, const Ten *x, int first) {
    const Ten *index[MAX_RANK];
    indices(h, op, first, x->rank, index);
    hlo_check_index(h, op, x, index);
    return ten_read(h, x, index);
}

void hlo_extract(Hlo *h, const Op *op, const char *word) {
    (void)word;
    hlo_set(h, &op->res[0], element(h, op, ten_of(h, op_opnd(op, 0)), 1));
}

void hlo_load(Hlo *h, const Op *op, const char *word) { hlo_extract(h, op, word); }

/* Written for those of the active iterations that x is of */
static const Ten *with_element(Hlo *h, const Op *op, const Ten *x, const Ten *v, int first, Combine kind) {
    const Ten *index[MAX_RANK];
    indices(h, op, first, x->rank, index);
    hlo_check_index(h, op, x, index);
    return ten_write(h, x, index, v, kind);
}

void hlo_insert(Hlo *h, const Op *op, const char *word) {
    (void)word;
    const Ten *x = ten_of(h, op_opnd(op, 0)), *v = ten_of(h, op_opnd(op, 1)), *mask = h->mask, *index[MAX_RANK] = {0};
    indices(h, op, 2, x->rank, index);
    int64_t known = element_place(x, index);
    if (known >= 0) {
        hlo_set(h, &op->res[0], with_known(h, x, known, v));
        return;
    }
    h->mask = NULL;
    x = ten_widen(h, x, h->nactive, h->active);
    hlo_set(h, &op->res[0], with_element(h, op, x, v, 2, COMBINE_SET));
    h->mask = mask;
}

void hlo_hold(Hlo *h, const Value *buf, const Ten *t) {
    for (int i = h->held.len - 1; i >= 0; i--)
        if (h->held.data[i].buf == buf) {
            h->held.data[i].held = t;
            return;
        }
    bug("a buffer that holds nothing");
}

void hlo_store(Hlo *h, const Op *op, const char *word) {
    (void)word;
    Value *buf = op_buffer(op);
    hlo_hold(h, buf, with_element(h, op, ten_of(h, buf), ten_of(h, op_opnd(op, 0)), op_index_first(op), COMBINE_SET));
}

void hlo_atomic(Hlo *h, const Op *op, const char *word) {
    Value *buf = op_buffer(op);
    Combine kind = op_combine(op);
    if (kind == COMBINE_CAS || (op->nres && !value_unused(&op->res[0]))) {
        hlo_unsupported(h, op, "what an element was before an atomic update");
        return;
    }
    (void)word;
    hlo_hold(h, buf, with_element(h, op, ten_of(h, buf), ten_of(h, op_opnd(op, 0)), op_index_first(op), kind));
}
