/* Whole arrays: moving elements.  A slice is what a comprehension reads, an update what one writes. */
#include "codegen/stablehlo/private.h"

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }
static void result(Hlo *h, const Op *op, const Ten *t) { hlo_set(h, &op->res[0], t); }

static void result_dims(Hlo *h, const Op *op, int64_t *dim) { hlo_dims(h, op->span, op->res[0].type, dim); }

static int64_t count_of(int rank, const int64_t *dim) {
    int64_t n = 1;
    for (int i = 0; i < rank; i++) n *= dim[i];
    return n;
}

void hlo_fill(Hlo *h, const Op *op, const char *word) {
    int64_t dim[MAX_RANK];
    (void)word;
    result_dims(h, op, dim);
    int rank = op->res[0].type->rank;
    int64_t n = count_of(rank, dim);
    const Ten **element = n <= MOST_ELEMENTS ? NEWN(h->arena, const Ten *, n + 1) : NULL;
    for (int64_t i = 0; element && i < n; i++) element[i] = operand(h, op, 0);
    result(h, op,
           element ? ten_elements(h, op->res[0].type->dtype, rank, dim, element)
                   : ten_fill(h, operand(h, op, 0), rank, dim));
}

void hlo_broadcast(Hlo *h, const Op *op, const char *word) {
    const Ten *x = ten_written(h, operand(h, op, 0));
    const Attr *axes = op_attr(op, A_AXES);
    int64_t to[HLO_RANK], dim[MAX_RANK];
    result_dims(h, op, dim);
    Ten *r = ten_new(h, x->dtype, x->naxes, x->axis, op->res[0].type->rank, dim, NULL);
    for (int i = 0; i < x->naxes; i++) to[i] = i;
    for (int i = 0; i < x->rank; i++) to[x->naxes + i] = x->naxes + axes->ints[i];
    r->ssa = hlo_op(h, "%s %s, dims = [%s] : (%s) -> %s", word, x->ssa, hlo_ints(h, x->naxes + x->rank, to),
                    ten_type(h, x), ten_type(h, r));
    result(h, op, r);
}

void hlo_reshape(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    int64_t dim[MAX_RANK];
    int rank = op->res[0].type->rank;
    (void)word;
    result_dims(h, op, dim);
    if (count_of(rank, dim) != count_of(x->rank, x->dim)) hlo_fail(h, op->span, E_HLO_STOPS, "the shapes do not fit");
    result(h, op, ten_reshape(h, x, rank, dim));
}

/* Sizes that come with the value are what it has */
void hlo_retype(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0);
    (void)word;
    hlo_define(h, op->res[0].type, x);
    for (int i = 0; i < x->rank; i++)
        if (hlo_extent(h, op->span, op->res[0].type->dims[i]) != x->dim[i])
            hlo_fail(h, op->span, E_HLO_STOPS, "the shapes do not fit");
    result(h, op, x);
}

void hlo_transpose(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, ten_transpose(h, operand(h, op, 0), op_attr(op, A_PERM)->ints));
}

/* An axis for each of the dims, and with it the places start + step * index */
static int part_axes(Hlo *h, const Op *op, int first, int rank, const int64_t *dim, const Ten **index) {
    const int64_t *step = op_attr(op, A_STEPS)->ints;
    int from = h->naxes;
    for (int i = 0; i < rank; i++) {
        const Ten *at = ten_mul(h, ten_axis(h, axis_open(h, dim[i])), ten_int(h, step[i]));
        index[i] = ten_add(h, operand(h, op, first + i), at);
    }
    return from;
}

void hlo_slice(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *index[MAX_RANK];
    int64_t dim[MAX_RANK];
    int all[MOST_AXES];
    (void)word;
    result_dims(h, op, dim);
    int from = part_axes(h, op, 1, x->rank, dim, index);
    for (int i = 0; i < x->rank; i++) all[i] = from + i;
    if (!count_of(x->rank, dim)) result(h, op, ten_fill(h, ten_const(h, (Const){.dtype = x->dtype}), x->rank, dim));
    else {
        hlo_check_index(h, op, x, index);
        result(h, op, ten_close(h, ten_widen(h, ten_read(h, x, index), x->rank, all), from));
    }
    axes_shut(h, x->rank);
}

/* x with the elements of y from the operand `first` on, for each iteration of the first n active axes */
static const Ten *with_part(Hlo *h, const Op *op, const Ten *x, const Ten *y, int first, int n) {
    const Ten *index[MAX_RANK], *mask = h->mask;
    int all[MOST_AXES];
    if (!count_of(y->rank, y->dim)) return x;
    h->mask = NULL;
    x = ten_widen(h, x, n, h->active);
    int from = part_axes(h, op, first, y->rank, y->dim, index);
    for (int i = 0; i < y->rank; i++) all[i] = from + i;
    h->mask = mask;
    hlo_check_index(h, op, x, index);
    h->mask = NULL;
    x = ten_write(h, x, index, ten_open(h, y, y->rank, all), COMBINE_SET);
    axes_shut(h, y->rank);
    h->mask = mask;
    return x;
}

void hlo_update(Hlo *h, const Op *op, const char *word) {
    (void)word;
    result(h, op, with_part(h, op, operand(h, op, 0), operand(h, op, 1), 2, h->nactive));
}

static const Ten *with_element(Hlo *h, const Op *op, const Ten *x, int n) {
    const Ten *index[MAX_RANK], *mask = h->mask;
    for (int i = 0; i < x->rank; i++) index[i] = operand(h, op, 2 + i);
    hlo_check_index(h, op, x, index);
    h->mask = NULL;
    x = ten_write(h, ten_widen(h, x, n, h->active), index, operand(h, op, 1), COMBINE_SET);
    h->mask = mask;
    return x;
}

const Ten *ten_write_turns(Hlo *h, const Op *op, const Ten *x) {
    int n = h->nactive - 1;
    return op->code == OP_UPDATE ? with_part(h, op, x, operand(h, op, 1), 2, n) : with_element(h, op, x, n);
}

/* With known places, in steps forward */
static bool pad_is_known(Hlo *h, const Op *op, const Ten *x, const Ten *with, const int64_t *dim, int64_t *low,
                         int64_t *high, int64_t *between) {
    const int64_t *step = op_attr(op, A_STEPS)->ints;
    if (with->naxes) return false;
    for (int i = 0; i < x->rank; i++) {
        if (!ten_known_int(operand(h, op, 2 + i), &low[i]) || step[i] < 1) return false;
        int64_t reach = x->dim[i] ? (x->dim[i] - 1) * step[i] + 1 : 0;
        between[i] = step[i] - 1, high[i] = dim[i] - low[i] - reach;
        if (low[i] < 0 || high[i] < 0) return false;
    }
    return true;
}

void hlo_pad(Hlo *h, const Op *op, const char *word) {
    const Ten *x = operand(h, op, 0), *with = operand(h, op, 1);
    int64_t low[MAX_RANK], high[MAX_RANK], between[MAX_RANK], dim[MAX_RANK];
    (void)word;
    result_dims(h, op, dim);
    if (pad_is_known(h, op, x, with, dim, low, high, between)) result(h, op, ten_pad(h, x, with, low, high, between));
    else result(h, op, with_part(h, op, ten_fill(h, with, x->rank, dim), x, 2, h->nactive));
}

void hlo_concat(Hlo *h, const Op *op, const char *word) {
    const Ten **part = NEWN(h->arena, const Ten *, op->nopnds);
    (void)word;
    for (int i = 0; i < op->nopnds; i++) part[i] = operand(h, op, i);
    result(h, op, ten_concat(h, op->nopnds, part, (int)op_attr(op, A_AXES)->ints[0]));
}

void hlo_table(Hlo *h, const Op *op, const char *word) {
    const Type *t = op->res[0].type;
    int64_t dim[MAX_RANK];
    (void)word;
    if (t->dtype == DT_STR) {
        hlo_unsupported(h, op, "texts");
        return;
    }
    result_dims(h, op, dim);
    const Attr *values = op_attr(op, A_VALUES);
    const Ten **element = NEWN(h->arena, const Ten *, values->n + 1);
    for (int i = 0; i < values->n; i++) element[i] = ten_const(h, values->consts[i]);
    result(h, op, ten_elements(h, t->dtype, t->rank, dim, element));
}

void hlo_empty(Hlo *h, const Op *op, const char *word) {
    int64_t dim[MAX_RANK];
    (void)word;
    result_dims(h, op, dim);
    result(h, op, ten_fill(h, ten_const(h, (Const){.dtype = op->res[0].type->dtype}), op->res[0].type->rank, dim));
}
