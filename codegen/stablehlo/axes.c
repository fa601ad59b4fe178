/* What is done for many elements: comprehensions, reductions, scans, and the loops of islands, as axes. */
#include "codegen/stablehlo/private.h"

enum { FEW_IN_ORDER = 16 };

void hlo_nothing(Hlo *h, const Op *op, const char *word) { (void)h, (void)op, (void)word; }

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }

/* ---- comprehensions */

void hlo_generate(Hlo *h, const Op *op, const char *word) {
    const Region *r = op->regs[0];
    int64_t dim[MAX_RANK];
    int axes[MOST_AXES], from = h->naxes;
    (void)word;
    hlo_dims(h, op->span, op->res[0].type, dim);
    for (int i = 0; i < r->nargs; i++) hlo_set(h, r->args[i], ten_axis(h, axes[i] = axis_open(h, dim[i])));
    hlo_region(h, r);
    for (int k = 0; k < op->nres; k++) {
        const Ten *e = hlo_yield(h, r, k);
        const Ten *all = ten_close(h, ten_widen(h, e, r->nargs, axes), from);
        hlo_set(h, &op->res[k], formula_noted(h, all, r->nargs, axes, e));
    }
    axes_shut(h, r->nargs);
}

/* ---- loops of which iterations may be no more than a linear number: an axis that is long enough, and a mask */

/* The size of an axis for as many iterations; those beyond are not in the mask */
static int64_t extent_of(Hlo *h, const Op *op, const Ten *n) {
    int64_t most;
    if (!ten_most(h, n, &most)) return hlo_fail(h, op->span, E_HLO_SIZE, "the number of iterations"), 1;
    return most > 0 ? most : 0;
}

/* Opens an axis for each extent, the region's arguments; the mask leaves out what is beyond */
static int open_loop(Hlo *h, const Op *op, const Region *r) {
    int from = h->naxes;
    for (int i = 0; i < r->nargs; i++) {
        const Ten *n = operand(h, op, i);
        const Ten *at = ten_axis(h, axis_open(h, extent_of(h, op, n)));
        hlo_set(h, r->args[i], at);
        if (!n->is_known) h->mask = ten_and(h, h->mask, ten_compare(h, "LT", at, n));
    }
    return from;
}

/* ---- reductions by functions of the program */

/* What the region makes of x and y, whose first dims become an axis for that */
static void combined(Hlo *h, const Region *r, int n, const Ten *const *x, const Ten *const *y, const Ten **out) {
    int from = h->naxes, axis = axis_open(h, x[0]->dim[0]);
    for (int k = 0; k < n; k++) {
        hlo_set(h, r->args[k], ten_open(h, x[k], 1, &axis));
        hlo_set(h, r->args[n + k], ten_open(h, y[k], 1, &axis));
    }
    hlo_region(h, r);
    for (int k = 0; k < n; k++) out[k] = ten_close(h, ten_widen(h, hlo_yield(h, r, k), 1, &axis), from);
    axes_shut(h, 1);
}

/* As one of the kinds, or by the region */
static void combine_all(Hlo *h, const Op *op, const Ten *const *x, const Ten *const *y, const Ten **out) {
    if (op_combine(op) == COMBINE_CUSTOM) {
        combined(h, op->regs[1], op->nres, x, y, out);
        return;
    }
    for (int k = 0; k < op->nres; k++) out[k] = ten_binary(h, combine_word(op_combine(op), x[k]->dtype), x[k], y[k]);
}

static const Ten *dim0_part(Hlo *h, const Ten *x, int64_t from, int64_t to) {
    int64_t start[HLO_RANK] = {from}, end[HLO_RANK];
    for (int i = 0; i < x->rank; i++) end[i] = i ? x->dim[i] : to;
    return ten_slice(h, x, start, end, NULL);
}

static void parts(Hlo *h, int n, const Ten *const *x, int64_t from, int64_t to, const Ten **out) {
    for (int k = 0; k < n; k++) out[k] = dim0_part(h, x[k], from, to);
}

static const Ten **tens(Hlo *h, int n) { return NEWN(h->arena, const Ten *, n); }

static void joined(Hlo *h, int n, const Ten *const *x, const Ten *const *y, const Ten **out) {
    for (int k = 0; k < n; k++) out[k] = y[k]->dim[0] ? ten_concat(h, 2, (const Ten *[]){x[k], y[k]}, 0) : x[k];
}

/* Half of the elements with the other half, until there is one; an odd one goes along */
static void halved(Hlo *h, const Op *op, const Ten **x) {
    int n = op->nres;
    while (x[0]->dim[0] > 1) {
        int64_t size = x[0]->dim[0], half = size / 2;
        const Ten **low = tens(h, n), **high = tens(h, n), **rest = tens(h, n);
        parts(h, n, x, 0, half, low), parts(h, n, x, half, 2 * half, high), parts(h, n, x, 2 * half, size, rest);
        combine_all(h, op, low, high, x);
        joined(h, n, x, rest, x);
    }
}

static const Ten *neutral(Hlo *h, const Op *op, int k) { return operand(h, op, op->regs[0]->nargs + k); }

static void reduce_custom(Hlo *h, const Op *op, const Ten **x, int n, const int *axes) {
    for (int i = n - 1; i >= 0; i--) {
        for (int k = 0; k < op->nres; k++) x[k] = ten_close(h, ten_widen(h, x[k], 1, &axes[i]), axes[i]);
        halved(h, op, x);
        for (int k = 0; k < op->nres; k++)
            x[k] = x[k]->dim[0] ? ten_reshape(h, x[k], 0, NULL) : neutral(h, op, k);
    }
}

/* Iterations that are not there give what changes nothing */
static const Ten *element_or_neutral(Hlo *h, const Op *op, int k, const Ten *there) {
    const Ten *e = hlo_yield(h, op->regs[0], k);
    bool custom = op_combine(op) == COMBINE_CUSTOM;
    if (!there) return e;
    return ten_select(h, there, e,
                      custom ? neutral(h, op, k) : ten_const(h, combine_identity(op_combine(op), e->dtype)));
}

/* As many elements as only the program knows: one after another */

static const Ten *next_more(Hlo *h, Loop *l) { return ten_compare(h, "LT", l->slots.slot[0].in, l->ctx); }

static void next_turn(Hlo *h, Loop *l) {
    const Op *op = l->op;
    const Region *r = op->regs[0], *both = op->nregs > 1 ? op->regs[1] : NULL;
    Combine kind = op_combine(op);
    hlo_set(h, r->args[0], l->slots.slot[0].in);
    hlo_region(h, r);
    l->slots.slot[0].next = ten_add(h, l->slots.slot[0].in, ten_int(h, 1));
    for (int k = 0; k < op->nres; k++) {
        const Ten *sum = l->slots.slot[1 + k].in, *e = hlo_yield(h, r, k);
        if (kind != COMBINE_CUSTOM) l->slots.slot[1 + k].next = ten_binary(h, combine_word(kind, e->dtype), sum, e);
        else hlo_set(h, both->args[k], sum), hlo_set(h, both->args[op->nres + k], e);
    }
    if (kind == COMBINE_CUSTOM) hlo_region(h, both);
    for (int k = 0; kind == COMBINE_CUSTOM && k < op->nres; k++) l->slots.slot[1 + k].next = hlo_yield(h, both, k);
}

static void reduce_in_order(Hlo *h, const Op *op) {
    const Ten **first = tens(h, op->nres + 1), **out = tens(h, op->nres + 1);
    Loop l = {.op = op, .n = op->nres + 1, .first = first, .counts = 1, .more = next_more, .turn = next_turn,
              .ctx = operand(h, op, 0)};
    first[0] = ten_int(h, 0);
    for (int k = 0; k < op->nres; k++)
        first[1 + k] = op_combine(op) == COMBINE_CUSTOM
                           ? neutral(h, op, k)
                           : ten_const(h, combine_identity(op_combine(op), op->res[k].type->dtype));
    loop_write(h, &l, out);
    for (int k = 0; k < op->nres; k++) hlo_set(h, &op->res[k], out[1 + k]);
}

/* ---- few elements, which are windows of an array: written out, as slices that XLA fuses with the arithmetic */

/* An element is read at an index that is computed of one of the region's */
static bool reads_window(const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        if (op->nregs) return false;
        int first = op->code == OP_EXTRACT || op->code == OP_LOAD ? 1 : op->nopnds;
        for (int i = first; i < op->nopnds; i++)
            for (int k = 0; k < r->nargs; k++)
                if (op_opnd(op, i) != r->args[k] && value_depends(op_opnd(op, i), r->args[k])) return true;
    }
    return false;
}

/* How many iterations, if that is known and few; else 0 */
static int64_t few_iterations(Hlo *h, const Op *op) {
    int64_t n = 1, extent;
    for (int i = 0; i < op->regs[0]->nargs; i++) {
        if (!ten_known_int(operand(h, op, i), &extent) || extent < 1 || extent > FEW_IN_ORDER) return 0;
        n *= extent;
        if (n > FEW_IN_ORDER) return 0;
    }
    return n;
}

static void reduce_written_out(Hlo *h, const Op *op, int64_t n) {
    const Region *r = op->regs[0];
    const Ten **sum = tens(h, op->nres);
    for (int64_t at = 0; at < n; at++) {
        int64_t rest = at;
        for (int i = r->nargs - 1; i >= 0; i--) {
            int64_t extent = operand(h, op, i)->start;
            hlo_set(h, r->args[i], ten_int(h, rest % extent));
            rest /= extent;
        }
        hlo_region(h, r);
        for (int k = 0; k < op->nres; k++) {
            const Ten *e = hlo_yield(h, r, k);
            sum[k] = at ? ten_binary(h, combine_word(op_combine(op), e->dtype), sum[k], e) : e;
        }
    }
    for (int k = 0; k < op->nres; k++) hlo_set(h, &op->res[k], sum[k]);
}

void hlo_reduce(Hlo *h, const Op *op, const char *word) {
    const Region *r = op->regs[0];
    int64_t most, few = op_combine(op) != COMBINE_CUSTOM && reads_window(r) ? few_iterations(h, op) : 0;
    if (few) {
        reduce_written_out(h, op, few);
        return;
    }
    if (r->nargs == 1 && !ten_most(h, operand(h, op, 0), &most)) {
        reduce_in_order(h, op);
        return;
    }
    const Ten **x = tens(h, op->nres), *mask = h->mask;
    int axes[MOST_AXES];
    (void)word;
    h->mask = NULL;
    int from = open_loop(h, op, r);
    const Ten *there = h->mask;
    h->mask = ten_and(h, mask, there);
    hlo_region(h, r);
    for (int i = 0; i < r->nargs; i++) axes[i] = from + i;
    for (int k = 0; k < op->nres; k++) x[k] = element_or_neutral(h, op, k, there);
    axes_shut(h, r->nargs);
    h->mask = mask;
    if (op_combine(op) == COMBINE_CUSTOM) reduce_custom(h, op, x, r->nargs, axes);
    for (int k = 0; k < op->nres; k++)
        hlo_set(h, &op->res[k],
                op_combine(op) == COMBINE_CUSTOM ? x[k] : ten_reduce(h, op_combine(op), x[k], r->nargs, axes));
}

/* ---- scans */

/* x[from], x[from + step], .. before `to` along the first dim */
static const Ten **strided(Hlo *h, int n, const Ten *const *x, int64_t from, int64_t to, int64_t step) {
    const Ten **out = tens(h, n);
    for (int k = 0; k < n; k++) {
        int64_t start[HLO_RANK] = {from}, end[HLO_RANK], by[HLO_RANK];
        for (int i = 0; i < x[k]->rank; i++) end[i] = i ? x[k]->dim[i] : to, by[i] = i ? 1 : step;
        out[k] = ten_slice(h, x[k], start, end, by);
    }
    return out;
}

/* One after another: of few elements, which XLA fuses */
static void scanned_in_order(Hlo *h, const Op *op, const Ten **x) {
    int n = op->nres, size = (int)x[0]->dim[0];
    const Ten ***all = NEWN(h->arena, const Ten **, size + 1);
    for (int i = 0; i < size; i++) {
        all[i] = strided(h, n, x, i, i + 1, 1);
        if (i) combine_all(h, op, all[i - 1], all[i], all[i]);
    }
    for (int k = 0; k < n && size > 1; k++) {
        const Ten **part = tens(h, size);
        for (int i = 0; i < size; i++) part[i] = all[i][k];
        x[k] = ten_concat(h, size, part, 0);
    }
}

/* What changes nothing that it is added to, -0.0 neither */
static const Ten *nothing(Hlo *h, DType t) {
    return ten_const(h, (Const){.dtype = t, .f = dtype_is_float(t) ? -0.0 : 0});
}

/* even[0], odd[0], even[1], odd[1], ..: both spread out, and added */
static const Ten *interleaved(Hlo *h, const Ten *even, const Ten *odd) {
    int64_t low[HLO_RANK] = {0}, high[HLO_RANK] = {0}, between[HLO_RANK] = {1}, none[HLO_RANK] = {0};
    const Ten *zero = nothing(h, even->dtype);
    bool same = even->dim[0] == odd->dim[0];
    low[0] = 1, high[0] = !same;
    const Ten *second = ten_pad(h, odd, zero, low, high, between);
    high[0] = same;
    const Ten *first = ten_pad(h, even, zero, none, high, between);
    return ten_binary(h, even->dtype == DT_BOOL ? "stablehlo.or" : "stablehlo.add", first, second);
}

/* A tree of 2n steps (Blelloch, "Prefix sums and their applications", 1990): pairs, what these add up to, and from that
 * the elements between */
static void scanned(Hlo *h, const Op *op, const Ten **x) {
    int n = op->nres;
    int64_t size = x[0]->dim[0], half = size / 2;
    if (size <= FEW_IN_ORDER) {
        scanned_in_order(h, op, x);
        return;
    }
    const Ten **odd = strided(h, n, x, 1, size, 2), **even = strided(h, n, x, 2, size, 2), **before = tens(h, n);
    const Ten **first = strided(h, n, x, 0, 1, 1);
    combine_all(h, op, strided(h, n, x, 0, 2 * half, 2), odd, odd);
    scanned(h, op, odd);
    parts(h, n, odd, 0, (size - 1) / 2, before);
    combine_all(h, op, before, even, even);
    joined(h, n, first, even, even);
    for (int k = 0; k < n; k++) x[k] = interleaved(h, even[k], odd[k]);
}

void hlo_scan(Hlo *h, const Op *op, const char *word) {
    const Region *r = op->regs[0];
    const Ten **x = tens(h, op->nres);
    int64_t dim[MAX_RANK];
    (void)word;
    hlo_dims(h, op->span, op->res[0].type, dim);
    int axis = axis_open(h, dim[0]);
    hlo_set(h, r->args[0], ten_axis(h, axis));
    hlo_region(h, r);
    for (int k = 0; k < op->nres; k++) x[k] = ten_close(h, ten_widen(h, hlo_yield(h, r, k), 1, &axis), axis);
    axes_shut(h, 1);
    scanned(h, op, x);
    for (int k = 0; k < op->nres; k++) hlo_set(h, &op->res[k], x[k]);
}

/* ---- islands: buffers hold arrays */

static void buffer_begin(Hlo *h, const Value *buf, const Ten *t) { vec_push(h->arena, &h->held, ((Held){buf, t})); }

void hlo_island(Hlo *h, const Op *op, const char *word) {
    const Region *r = op->regs[0];
    const Attr *modes = op_attr(op, A_MODES);
    int before = h->held.len, k = 0;
    (void)word;
    for (int i = 0; i < op->nopnds; i++) {
        const Ten *t = operand(h, op, i);
        buffer_begin(h, r->args[i], modes->ints[i] ? ten_widen(h, t, h->nactive, h->active) : t);
    }
    hlo_region(h, r);
    for (int i = 0; i < op->nopnds; i++)
        if (modes->ints[i]) hlo_set(h, &op->res[k++], ten_of(h, r->args[i]));
    h->held.len = before;
}

void hlo_parallel(Hlo *h, const Op *op, const char *word) {
    const Ten *mask = h->mask;
    int before = h->held.len;
    (void)word;
    open_loop(h, op, op->regs[0]);
    hlo_region(h, op->regs[0]);
    axes_shut(h, op->regs[0]->nargs);
    h->held.len = before;
    h->mask = mask;
}

void hlo_alloc(Hlo *h, const Op *op, const char *word) {
    const Type *t = op->res[0].type;
    int64_t dim[MAX_RANK];
    (void)word;
    hlo_dims(h, op->span, t, dim);
    const Ten *zero = ten_fill(h, ten_const(h, (Const){.dtype = t->dtype}), t->rank, dim);
    buffer_begin(h, &op->res[0], ten_widen(h, zero, h->nactive, h->active));
}
