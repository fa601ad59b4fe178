/* The operations on elements. */
#include "codegen/stablehlo/access.h"

/* Which element of an array that is known by its elements; negative: it is not, or the place is not known */
int64_t element_place(const Ten *x, const Ten *const *index) {
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
