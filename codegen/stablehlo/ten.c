/* Values of StableHLO: axes of loops in front of dims of their own. */
#include "codegen/stablehlo/private.h"

const Ten *ten_of(Hlo *h, const Value *v) {
    const Ten *t = map_get(&h->values, v);
    if (t) return t;
    if (v->type->kind == TY_BUF)
        for (int i = h->held.len - 1; i >= 0; i--)
            if (h->held.data[i].buf == v) return h->held.data[i].held;
    bug("a value without StableHLO: %s", v->def ? op_info(v->def->code)->mnemonic : "an argument");
}

void hlo_set(Hlo *h, const Value *v, const Ten *t) { map_put(h->arena, &h->values, v, (void *)t); }

Ten *ten_new(Hlo *h, DType t, int naxes, const int *axes, int rank, const int64_t *dim, const char *ssa) {
    Ten *r = NEW(h->arena, Ten);
    *r = (Ten){.dtype = t, .naxes = naxes, .rank = rank, .ssa = ssa};
    if (naxes) memcpy(r->axis, axes, sizeof *axes * (size_t)naxes);
    if (rank) memcpy(r->dim, dim, sizeof *dim * (size_t)rank);
    return r;
}

Ten *ten_like(Hlo *h, DType t, const Ten *shape, const char *ssa) {
    return ten_new(h, t, shape->naxes, shape->axis, shape->rank, shape->dim, ssa);
}

const Ten *ten_const(Hlo *h, Const c) {
    Ten *r = ten_new(h, c.dtype, 0, NULL, 0, NULL, NULL);
    r->is_known = true, r->known = c;
    if (c.dtype == DT_I64) r->is_linear = true, r->start = c.i;
    return r;
}

const Ten *ten_int(Hlo *h, int64_t v) { return ten_const(h, (Const){.dtype = DT_I64, .i = v}); }
const Ten *ten_bool(Hlo *h, bool v) { return ten_const(h, (Const){.dtype = DT_BOOL, .i = v}); }

bool ten_known_int(const Ten *t, int64_t *out) {
    if (!t->is_known || dtype_is_float(t->dtype)) return false;
    return *out = t->known.i, true;
}

const Ten *ten_axis(Hlo *h, int axis) {
    Ten *r = ten_new(h, DT_I64, 1, &axis, 0, NULL, NULL);
    r->is_linear = true, r->coef[0] = 1;
    return r;
}

/* ---- shapes */

Shape ten_shape(const Hlo *h, const Ten *t) {
    Shape s = {.rank = t->naxes + t->rank};
    for (int i = 0; i < t->naxes; i++) s.dim[i] = h->extent[t->axis[i]];
    for (int i = 0; i < t->rank; i++) s.dim[t->naxes + i] = t->dim[i];
    return s;
}

/* How many elements arrays have along axes that are watched */
static void watch(Hlo *h, const Ten *t, const Shape *s) {
    int64_t n = 1;
    if (h->watched < 0 || !t->naxes || t->axis[t->naxes - 1] < h->watched) return;
    for (int i = 0; i < s->rank; i++)
        if (__builtin_mul_overflow(n, s->dim[i], &n)) n = INT64_MAX;
    if (n > h->widest) h->widest = n;
}

const char *ten_type(Hlo *h, const Ten *t) {
    Shape s = ten_shape(h, t);
    watch(h, t, &s);
    return hlo_type(h, t->dtype, &s);
}

bool ten_has_axis(const Ten *t, int axis) {
    for (int i = 0; i < t->naxes; i++)
        if (t->axis[i] == axis) return true;
    return false;
}

bool ten_same(const Ten *x, const Ten *y) {
    bool same = x->ssa && x->ssa == y->ssa && x->naxes == y->naxes;
    for (int i = 0; same && i < x->naxes; i++) same = x->axis[i] == y->axis[i];
    return x == y || same;
}

int axes_union(int n, const int *x, int m, const int *y, int *out) {
    int k = 0, all[MOST_AXES];
    for (int i = 0, j = 0; i < n || j < m;) {
        int next = j >= m || (i < n && x[i] <= y[j]) ? x[i] : y[j];
        if (i < n && x[i] == next) i++;
        if (j < m && y[j] == next) j++;
        if (k == MOST_AXES) bug("more than %d loops in each other", MOST_AXES);
        all[k++] = next;
    }
    if (k) memcpy(out, all, sizeof *all * (size_t)k);
    return k;
}

int axis_open(Hlo *h, int64_t extent) {
    if (h->nactive == MOST_AXES) {
        hlo_fail(h, NO_SPAN, E_HLO_AXES, NULL);
        h->nactive--;
    }
    if (h->naxes == h->axes_cap) h->extent = vec_grow_(h->arena, h->extent, h->naxes, &h->axes_cap, sizeof *h->extent);
    h->extent[h->naxes] = extent;
    h->active[h->nactive++] = h->naxes;
    return h->naxes++;
}

void axes_shut(Hlo *h, int n) { h->nactive -= n; }

/* ---- text of what is known or linear */

static const char *const_text(Hlo *h, Const c) {
    if (c.dtype == DT_STR) return hlo_fail(h, NO_SPAN, E_HLO_UNSUPPORTED, "texts"), "";
    return hlo_op(h, "stablehlo.constant dense<%s> : tensor<%s>", hlo_literal(h, c), hlo_element(c.dtype));
}

static const Ten *iota(Hlo *h, int axis) {
    Ten *r = ten_new(h, DT_I64, 1, &axis, 0, NULL, NULL);
    r->ssa = hlo_op(h, "stablehlo.iota dim = 0 : %s", ten_type(h, r));
    return r;
}

static const Ten *broadcast(Hlo *h, const Ten *t, int naxes, const int *axes);

static const Ten *written_int(Hlo *h, int64_t v) {
    return ten_new(h, DT_I64, 0, NULL, 0, NULL, const_text(h, (Const){.dtype = DT_I64, .i = v}));
}

static const Ten *elementwise(Hlo *h, const char *word, const Ten *x, const Ten *y) {
    int axes[MOST_AXES], n = axes_union(x->naxes, x->axis, y->naxes, y->axis, axes);
    x = broadcast(h, x, n, axes), y = broadcast(h, y, n, axes);
    return ten_like(h, DT_I64, x, hlo_op(h, "%s %s, %s : %s", word, x->ssa, y->ssa, ten_type(h, x)));
}

/* base + start + coef * index + .. */
static const Ten *linear_written(Hlo *h, const Ten *t) {
    const Ten *sum = t->base;
    for (int i = 0; i < t->naxes; i++) {
        const Ten *part = iota(h, t->axis[i]);
        if (t->coef[i] != 1) part = elementwise(h, "stablehlo.multiply", part, written_int(h, t->coef[i]));
        sum = sum ? elementwise(h, "stablehlo.add", sum, part) : part;
    }
    if (!sum) return written_int(h, t->start);
    return t->start ? elementwise(h, "stablehlo.add", sum, written_int(h, t->start)) : sum;
}

/* ---- arrays by their elements */

static int64_t count_of(const Ten *t) {
    int64_t n = 1;
    for (int i = 0; i < t->rank; i++) n *= t->dim[i];
    return n;
}

const Ten *ten_elements(Hlo *h, DType t, int rank, const int64_t *dim, const Ten *const *element) {
    Ten *r = ten_new(h, t, 0, NULL, rank, dim, NULL);
    int64_t n = count_of(r);
    for (int64_t i = 0; i < n; i++)
        r->naxes = axes_union(r->naxes, r->axis, element[i]->naxes, element[i]->axis, r->axis);
    return r->element = element, r;
}

/* "[[1, 2], [3, 4]]" */
static const Ten *const *nested(Hlo *h, Text *out, const Ten *const *e, int rank, const int64_t *dim) {
    if (!rank) return text_printf(out, "%s", hlo_literal(h, (*e)->known)), e + 1;
    text_printf(out, "[");
    for (int64_t i = 0; i < dim[0]; i++) {
        if (i) text_printf(out, ", ");
        e = nested(h, out, e, rank - 1, dim + 1);
    }
    text_printf(out, "]");
    return e;
}

static bool all_known(const Ten *t, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (!t->element[i]->is_known) return false;
    return true;
}

static bool all_the_same(const Ten *t, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (t->element[i] != t->element[0]) return false;
    return n > 0;
}

static const Ten *elements_written(Hlo *h, const Ten *t) {
    int64_t n = count_of(t);
    if (!n) return ten_fill(h, ten_const(h, (Const){.dtype = t->dtype}), t->rank, t->dim);
    if (all_the_same(t, n)) return ten_fill(h, t->element[0], t->rank, t->dim);
    if (all_known(t, n)) {
        Text values;
        text_init(&values, h->arena);
        nested(h, &values, t->element, t->rank, t->dim);
        return ten_like(h, t->dtype, t,
                        hlo_op(h, "stablehlo.constant dense<%s> : %s", text_str(&values), ten_type(h, t)));
    }
    const Ten **part = NEWN(h->arena, const Ten *, n);
    for (int64_t i = 0; i < n; i++) part[i] = ten_reshape(h, t->element[i], 1, (int64_t[]){1});
    return ten_reshape(h, n > 1 ? ten_concat(h, (int)n, part, 0) : part[0], t->rank, t->dim);
}

const Ten *ten_written(Hlo *h, const Ten *t) {
    if (t->ssa) return t;
    if (t->element) return elements_written(h, t);
    if (t->is_known) return ten_new(h, t->dtype, 0, NULL, 0, NULL, const_text(h, t->known));
    return linear_written(h, t);
}

const char *ten_text(Hlo *h, const Ten *t) { return ten_written(h, t)->ssa; }

/* ---- more axes */

static const Ten *broadcast(Hlo *h, const Ten *t, int naxes, const int *axes) {
    int64_t to[HLO_RANK];
    int all[MOST_AXES], n = axes_union(t->naxes, t->axis, naxes, axes, all);
    t = ten_written(h, t);
    if (n == t->naxes) return t;
    for (int i = 0, k = 0; i < n; i++)
        if (ten_has_axis(t, all[i])) to[k++] = i;
    for (int i = 0; i < t->rank; i++) to[t->naxes + i] = n + i;
    Ten *r = ten_new(h, t->dtype, n, all, t->rank, t->dim, NULL);
    r->ssa = hlo_op(h, "stablehlo.broadcast_in_dim %s, dims = [%s] : (%s) -> %s", t->ssa,
                    hlo_ints(h, t->naxes + t->rank, to), ten_type(h, t), ten_type(h, r));
    return r;
}

const Ten *ten_widen(Hlo *h, const Ten *t, int naxes, const int *axes) { return broadcast(h, t, naxes, axes); }

const Ten *ten_alike(Hlo *h, const Ten *t, const Ten *like) { return broadcast(h, t, like->naxes, like->axis); }

const Ten *ten_close(Hlo *h, const Ten *t, int from) {
    t = ten_written(h, t);
    int keep = 0;
    while (keep < t->naxes && t->axis[keep] < from) keep++;
    Shape s = ten_shape(h, t);
    Ten *r = ten_new(h, t->dtype, keep, t->axis, s.rank - keep, s.dim + keep, t->ssa);
    return r->filled = t->filled, r;
}

const Ten *ten_dims(Hlo *h, const Ten *t) { return ten_close(h, t, 0); }

const Ten *ten_open(Hlo *h, const Ten *t, int n, const int *axes) {
    int all[MOST_AXES], k = axes_union(t->naxes, t->axis, n, axes, all);
    return ten_new(h, t->dtype, k, all, t->rank - n, t->dim + n, ten_text(h, t));
}

/* ---- moving dims; those of axes stand in front and stay */

const Ten *ten_fill(Hlo *h, const Ten *scalar, int rank, const int64_t *dim) {
    const Ten *x = ten_written(h, scalar);
    Ten *r = ten_new(h, x->dtype, x->naxes, x->axis, rank, dim, NULL);
    int64_t to[HLO_RANK];
    if (!rank) return x;
    for (int i = 0; i < x->naxes; i++) to[i] = i;
    r->ssa = hlo_op(h, "stablehlo.broadcast_in_dim %s, dims = [%s] : (%s) -> %s", x->ssa, hlo_ints(h, x->naxes, to),
                    ten_type(h, x), ten_type(h, r));
    return r->filled = x->naxes ? NULL : scalar, r;
}

const Ten *ten_transpose(Hlo *h, const Ten *t, const int64_t *perm) {
    int64_t all[HLO_RANK], dim[HLO_RANK];
    bool same = true;
    t = ten_written(h, t);
    for (int i = 0; i < t->naxes; i++) all[i] = i;
    for (int i = 0; i < t->rank; i++) {
        all[t->naxes + i] = t->naxes + perm[i], dim[i] = t->dim[perm[i]];
        same = same && perm[i] == i;
    }
    if (same) return t;
    Ten *r = ten_new(h, t->dtype, t->naxes, t->axis, t->rank, dim, NULL);
    r->ssa = hlo_op(h, "stablehlo.transpose %s, dims = [%s] : (%s) -> %s", t->ssa,
                    hlo_ints(h, t->naxes + t->rank, all), ten_type(h, t), ten_type(h, r));
    return r;
}

static bool same_dims(int rank, const int64_t *x, const int64_t *y) {
    return !rank || !memcmp(x, y, sizeof *x * (size_t)rank);
}

const Ten *ten_reshape(Hlo *h, const Ten *t, int rank, const int64_t *dim) {
    t = ten_written(h, t);
    if (rank == t->rank && same_dims(rank, dim, t->dim)) return t;
    Ten *r = ten_new(h, t->dtype, t->naxes, t->axis, rank, dim, NULL);
    r->ssa = hlo_op(h, "stablehlo.reshape %s : (%s) -> %s", t->ssa, ten_type(h, t), ten_type(h, r));
    return r;
}

const Ten *ten_slice(Hlo *h, const Ten *t, const int64_t *start, const int64_t *end, const int64_t *step) {
    int64_t dim[HLO_RANK];
    Text part;
    bool whole = true;
    t = ten_written(h, t);
    text_init(&part, h->arena);
    for (int i = 0; i < t->naxes; i++) text_printf(&part, "%s0:%lld", i ? ", " : "", (long long)h->extent[t->axis[i]]);
    for (int i = 0; i < t->rank; i++) {
        int64_t by = step ? step[i] : 1;
        dim[i] = end[i] > start[i] ? (end[i] - start[i] + by - 1) / by : 0;
        whole = whole && dim[i] == t->dim[i];
        text_printf(&part, "%s%lld:%lld", i + t->naxes ? ", " : "", (long long)start[i], (long long)end[i]);
        if (by != 1) text_printf(&part, ":%lld", (long long)by);
    }
    if (whole) return t;
    Ten *r = ten_new(h, t->dtype, t->naxes, t->axis, t->rank, dim, NULL);
    r->ssa = hlo_op(h, "stablehlo.slice %s [%s] : (%s) -> %s", t->ssa, text_str(&part), ten_type(h, t), ten_type(h, r));
    return r;
}

const Ten *ten_pad(Hlo *h, const Ten *t, const Ten *with, const int64_t *low, const int64_t *high,
                   const int64_t *between) {
    int64_t lo[HLO_RANK] = {0}, hi[HLO_RANK] = {0}, in[HLO_RANK] = {0}, dim[HLO_RANK];
    bool none = true;
    t = ten_written(h, t);
    for (int i = 0, k = t->naxes; i < t->rank; i++, k++) {
        lo[k] = low[i], hi[k] = high[i], in[k] = between ? between[i] : 0;
        dim[i] = t->dim[i] + low[i] + high[i] + (t->dim[i] > 0 ? (t->dim[i] - 1) * in[k] : 0);
        none = none && !lo[k] && !hi[k] && !in[k];
    }
    if (none) return t;
    int n = t->naxes + t->rank;
    Ten *r = ten_new(h, t->dtype, t->naxes, t->axis, t->rank, dim, NULL);
    const char *fill = ten_text(h, with);
    r->ssa = hlo_op(h, "stablehlo.pad %s, %s, low = [%s], high = [%s], interior = [%s] : (%s, tensor<%s>) -> %s",
                    t->ssa, fill, hlo_ints(h, n, lo), hlo_ints(h, n, hi), hlo_ints(h, n, in), ten_type(h, t),
                    hlo_element(t->dtype), ten_type(h, r));
    return r;
}

const Ten *ten_concat(Hlo *h, int n, const Ten *const *part, int dim) {
    int naxes = 0, axes[MOST_AXES];
    int64_t size = 0;
    Text names, types;
    text_init(&names, h->arena), text_init(&types, h->arena);
    for (int i = 0; i < n; i++) naxes = axes_union(naxes, axes, part[i]->naxes, part[i]->axis, axes);
    for (int i = 0; i < n; i++) {
        const Ten *x = ten_widen(h, part[i], naxes, axes);
        size += x->dim[dim];
        text_printf(&names, "%s%s", i ? ", " : "", x->ssa);
        text_printf(&types, "%s%s", i ? ", " : "", ten_type(h, x));
    }
    Ten *r = ten_new(h, part[0]->dtype, naxes, axes, part[0]->rank, part[0]->dim, NULL);
    r->dim[dim] = size;
    r->ssa = hlo_op(h, "stablehlo.concatenate %s, dim = %d : (%s) -> %s", text_str(&names), naxes + dim,
                    text_str(&types), ten_type(h, r));
    return r;
}

const Ten *ten_reverse(Hlo *h, const Ten *t, int dim) {
    t = ten_written(h, t);
    return ten_like(h, t->dtype, t,
                    hlo_op(h, "stablehlo.reverse %s, dims = [%d] : %s", t->ssa, t->naxes + dim, ten_type(h, t)));
}

static const Ten *linear_at(Hlo *h, const Ten *t, int axis, int64_t place) {
    Ten *r = ten_new(h, DT_I64, 0, NULL, 0, NULL, NULL);
    r->is_linear = true, r->base = t->base, r->start = t->start;
    for (int i = 0; i < t->naxes; i++)
        if (t->axis[i] == axis) r->start += t->coef[i] * place;
        else r->axis[r->naxes] = t->axis[i], r->coef[r->naxes++] = t->coef[i];
    return r->naxes || r->base ? r : ten_int(h, r->start);
}

const Ten *ten_at(Hlo *h, const Ten *t, int axis, int64_t place) {
    if (!ten_has_axis(t, axis)) return t;
    if (t->is_linear) return linear_at(h, t, axis, place);
    const Ten *x = ten_dims(h, t);
    int64_t start[HLO_RANK] = {0}, end[HLO_RANK], dim[HLO_RANK];
    int axes[MOST_AXES], n = 0, k = 0;
    for (int i = 0; i < x->rank; i++) {
        bool here = i < t->naxes && t->axis[i] == axis;
        start[i] = here ? place : 0, end[i] = here ? place + 1 : x->dim[i];
        if (!here) dim[k++] = x->dim[i];
        if (!here && i < t->naxes) axes[n++] = t->axis[i];
    }
    x = ten_reshape(h, ten_slice(h, x, start, end, NULL), k, dim);
    return ten_new(h, t->dtype, n, axes, t->rank, t->dim, x->ssa);
}
