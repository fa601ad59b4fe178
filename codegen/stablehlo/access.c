/* What indices go through, and arrays by axes in any order. */
#include "codegen/stablehlo/access.h"

#include <stdlib.h>

enum { FAR = 1 << 30 };

/* ---- reading indices */

/* How far one step along the axis goes; of an axis with one place beyond everything: it is the slowest */
static int64_t stride(const Hlo *h, const Ten *t, int i) {
    return h->extent[t->axis[i]] == 1 ? INT64_MAX : t->coef[i];
}

/* Axes from slow to fast; true: each steps over all that are faster */
static bool is_one_walk(const Hlo *h, const Ten *t, Along *out) {
    int64_t coef[MOST_AXES] = {0};
    int several = 0;
    for (int i = 0; i < t->naxes; i++) {
        int64_t by = stride(h, t, i);
        int k = i;
        for (; k > 0 && llabs(coef[k - 1]) < llabs(by); k--) coef[k] = coef[k - 1], out->axis[k] = out->axis[k - 1];
        coef[k] = by, out->axis[k] = t->axis[i];
        several += by != INT64_MAX;
    }
    out->n = t->naxes, out->step = several ? coef[t->naxes - 1] : 1, out->count = 1;
    for (int i = t->naxes - 1; i >= t->naxes - several; i--) {
        if (several > 1 && coef[i] != out->step * out->count) return false;
        out->count *= h->extent[out->axis[i]];
    }
    return several <= 1 || out->step > 0;
}

/* Where a mask leaves out what is beyond the ends, not far beyond */
static bool is_far(const Ten *t) {
    bool far = llabs(t->start) > FAR;
    for (int i = 0; i < t->naxes; i++) far = far || llabs(t->coef[i]) > FAR;
    return far;
}

Along access_along(const Hlo *h, const Ten *t) {
    Along a = {.index = t, .count = 1, .step = 1, .start = t->start, .reach = 1};
    if (!t->is_linear) return a.kind = t->naxes ? AT_ANY : AT_WINDOW, a;
    if (is_far(t)) return a.kind = AT_ANY, a;
    a.kind = t->base ? AT_WINDOW : t->naxes ? AT_STEPS : AT_PLACE;
    if (t->naxes && !is_one_walk(h, t, &a)) a.kind = AT_ANY;
    a.reach = a.count ? (a.count - 1) * llabs(a.step) + 1 : 0;
    return a;
}

/* Also of the axes that x has, which become its first dims */
Access access_of(Hlo *h, const Ten *x, const Ten *const *index) {
    Access a = {.rank = x->naxes + x->rank};
    for (int i = 0; i < x->naxes; i++) a.at[i] = access_along(h, ten_axis(h, x->axis[i]));
    for (int i = 0; i < x->rank; i++) a.at[x->naxes + i] = access_along(h, index[i]);
    return a;
}

int access_axes(const Access *a, int *out) {
    int n = 0;
    for (int i = 0; i < a->rank; i++) n = axes_union(n, out, a->at[i].index->naxes, a->at[i].index->axis, out);
    return n;
}

int access_uses(const Access *a, int axis) {
    int n = 0;
    for (int i = 0; i < a->rank; i++) n += ten_has_axis(a->at[i].index, axis);
    return n;
}

/* Parts of x along its dims say it: no index goes anywhere, no axis stands in two */
bool access_is_part(const Access *a, const Ten *x) {
    for (int i = 0; i < a->rank; i++) {
        if (a->at[i].kind == AT_ANY || (a->at[i].kind == AT_WINDOW && a->at[i].reach > x->dim[i])) return false;
        for (int k = 0; k < a->at[i].index->naxes; k++)
            if (access_uses(a, a->at[i].index->axis[k]) > 1) return false;
    }
    return true;
}

/* ---- axes in any order */

/* A scalar along axes from an array whose dims are these axes, in any order */
const Ten *axes_from_dims(Hlo *h, const Ten *x, int n, const int *axes) {
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
const Ten *axes_to_dims(Hlo *h, const Ten *v, int n, const int *axes) {
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

bool access_has_window(const Access *a, int64_t longer) {
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

const Ten *part_read(Hlo *h, const Ten *x, const Access *a, const int64_t *at, const int64_t *shift,
                                const int64_t *size) {
    x = ten_written(h, x);
    Ten *r = ten_new(h, x->dtype, 0, NULL, x->rank, size, NULL);
    const char *where = starts(h, a, at, shift);
    r->ssa = hlo_op(h, "stablehlo.dynamic_slice %s%s, sizes = [%s] : (%s%s) -> %s", x->ssa, where,
                    hlo_ints(h, x->rank, size), ten_type(h, x), start_types(h, x->rank), ten_type(h, r));
    return r;
}

const Ten *part_written(Hlo *h, const Ten *x, const Ten *part, const Access *a, const int64_t *at) {
    x = ten_written(h, x), part = ten_written(h, part);
    const char *where = starts(h, a, at, NULL);
    return ten_like(h, x->dtype, x,
                    hlo_op(h, "stablehlo.dynamic_update_slice %s, %s%s : (%s, %s%s) -> %s", x->ssa, part->ssa, where,
                           ten_type(h, x), ten_type(h, part), start_types(h, x->rank), ten_type(h, x)));
}

const Ten *ten_zero(Hlo *h, DType t) { return ten_const(h, (Const){.dtype = t}); }

/* The axes in the order of the dims, and their sizes */
int access_walk(const Hlo *h, const Access *a, int *axes, int64_t *size) {
    int n = 0;
    for (int i = 0; i < a->rank; i++)
        for (int k = 0; k < a->at[i].n; k++) {
            axes[n] = a->at[i].axis[k];
            size[n] = h->extent[axes[n]];
            n++;
        }
    return n;
}

/* An array of the axes, whose last dim holds the indices of the dims named */
const Ten *access_indices(Hlo *h, const Access *a, int n, const int64_t *dims, int naxes, const int *axes) {
    const Ten *part[HLO_RANK];
    for (int i = 0; i < n; i++) {
        const Ten *t = ten_widen(h, a->at[dims[i]].index, naxes, axes);
        part[i] = ten_reshape(h, t, 1, (int64_t[]){1});
    }
    return ten_dims(h, n == 1 ? part[0] : ten_concat(h, n, part, 0));
}

Access access_at(Hlo *h, const Access *a, int axis, int64_t place) {
    Access r = {.rank = a->rank};
    for (int i = 0; i < a->rank; i++) r.at[i] = access_along(h, ten_at(h, a->at[i].index, axis, place));
    return r;
}

bool access_is_known(const Access *a, int axis) {
    for (int i = 0; i < a->rank; i++)
        if (!a->at[i].index->is_linear && ten_has_axis(a->at[i].index, axis)) return false;
    return true;
}

bool ten_is_empty(const Ten *x) {
    for (int i = 0; i < x->rank; i++)
        if (!x->dim[i]) return true;
    return false;
}
