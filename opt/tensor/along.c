/* Reductions of arrays: of all elements, `reduce(..) { extract(x, ..) }`, or along axes, a comprehension of such. */
#include "ir/index.h"
#include "opt/tensor/shape.h"

static Op *sum_in(const Op *op) {
    const Region *r = op->code == OP_GENERATE && op->nregs == 1 && op->nres == 1 ? op->regs[0] : NULL;
    Op *sum = r ? r->first : NULL;
    return sum && sum->code == OP_REDUCE && op_opnd(region_term(r), 0) == &sum->res[0] ? sum : NULL;
}

static Op *read_in(const Op *sum) {
    if (sum->code != OP_REDUCE || sum->nregs != 1 || sum->nres != 1) return NULL;
    const Region *r = sum->regs[0];
    Op *read = r->first;
    return read && read->code == OP_EXTRACT && op_opnd(region_term(r), 0) == &read->res[0] ? read : NULL;
}

Op *reduction_read(const Op *op) {
    const Op *sum = op->code == OP_REDUCE ? op : sum_in(op);
    return sum ? read_in(sum) : NULL;
}

Value *reduced_by(const Op *op) {
    const Op *read = reduction_read(op);
    if (!read) return NULL;
    Value *x = op_opnd(read, 0);
    const Region *sum = read->parent, *kept = op->regs[0] == sum ? NULL : op->regs[0];
    int nkept = 0, nsum = 0;
    if (region_encloses(op->regs[0], value_region(x))) return NULL;
    for (int i = 0; i < x->type->rank; i++) {
        const Value *at = op_opnd(read, i + 1);
        bool in_order = (kept && nkept < kept->nargs && at == kept->args[nkept]) ? ++nkept
                      : nsum < sum->nargs && at == sum->args[nsum]               ? ++nsum
                                                                                 : false;
        if (!in_order || index_size(at) != x->type->dims[i]) return NULL;
    }
    return nsum == sum->nargs && (!kept || nkept == kept->nargs) ? x : NULL;
}

void reduced_axes(const Op *op, int64_t *out) {
    const Op *read = reduction_read(op);
    for (int i = 1; i < read->nopnds; i++) out[i - 1] = value_region(op_opnd(read, i)) == read->parent;
}

/* ---- */

static Value *build_sum(Builder *b, Value *x, Combine kind, int rank, Value **extents, Value **at, const bool *summed) {
    const Type *t = type_elem(b->module->session, x->type);
    Op *sum = build_op(b, OP_REDUCE, rank, extents, 1, &t, 1);
    op_set_combine(sum, kind);
    for (int i = 0; i < x->type->rank; i++)
        if (summed[i]) at[i] = region_add_arg(sum->regs[0], type_i64(b->module), "i");
    Builder in = builder_at_end(b->module, sum->regs[0], b->span);
    Value *v = extract_safe(&in, x, x->type->rank, at);
    build_yield(&in, 1, &v);
    return &sum->res[0];
}

Value *build_reduction(Builder *b, Value *x, const Shape *s) {
    Value *extents[MAX_RANK], *at[MAX_RANK];
    const Size *dims[MAX_RANK];
    bool summed[MAX_RANK];
    int nkept = 0, nsum = 0;
    for (int i = 0; i < x->type->rank; i++) {
        summed[i] = !s->n || s->ints[i];
        if (summed[i]) extents[nsum++] = build_size(b, x->type->dims[i]);
        else dims[nkept++] = x->type->dims[i];
    }
    if (!nkept) return build_sum(b, x, s->kind, nsum, extents, at, summed);
    const Type *t = type_tensor(b->module->session, x->type->dtype, nkept, dims);
    Op *all = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    for (int i = 0; i < x->type->rank; i++)
        if (!summed[i]) at[i] = region_add_arg(all->regs[0], type_i64(b->module), "j");
    Builder in = builder_at_end(b->module, all->regs[0], b->span);
    Value *v = build_sum(&in, x, s->kind, nsum, extents, at, summed);
    build_yield(&in, 1, &v);
    return &all->res[0];
}
