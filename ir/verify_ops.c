/* The rules of single operations: element types, shapes, arguments of regions, signatures.
 *
 * Elementwise operations are checked from their traits; all others have a function in the switch at
 * the end.  Shapes are compared by their sizes' normal forms: where they may differ when the program
 * runs, a `retype` stands between. */
#include "ir/private.h"

#define FAIL(...) verify_fail(v, op, __VA_ARGS__)

typedef Verifier V;

/* ---- questions about types */

static const Type *opnd_type(const Op *op, int i) { return op_opnd(op, i)->type; }
static const Type *res_type(const Op *op, int i) { return op->res[i].type; }
static bool is_scalar(const Type *t) { return t->kind == TY_SCALAR; }
static bool is_i64(const Type *t) { return t->kind == TY_SCALAR && t->dtype == DT_I64; }
static bool is_bool(const Type *t) { return t->kind == TY_SCALAR && t->dtype == DT_BOOL; }
static bool is_number(const Type *t) { return t->dtype != DT_BOOL && t->dtype != DT_STR; }
static bool is_tensor_of(const Type *t, int rank) { return t->kind == TY_TENSOR && t->rank == rank; }
static const char *str(V *v, const Type *t) { return type_str(v->session, t); }

static bool same_shape(const Type *a, const Type *b) { return a->kind == b->kind && type_same_dims(a, b); }

/* ---- common checks; each reports */

static bool want_i64(V *v, const Op *op, int from, int end) {
    for (int i = from; i < end; i++)
        if (!is_i64(opnd_type(op, i))) return FAIL("operand %d is %s, not i64", i, str(v, opnd_type(op, i)));
    return true;
}

static bool want_tensor(V *v, const Op *op, int i) {
    return opnd_type(op, i)->kind == TY_TENSOR || FAIL("operand %d is %s, not a tensor", i, str(v, opnd_type(op, i)));
}

static bool want_type(V *v, const Op *op, const char *what, const Type *got, const Type *want) {
    return got == want || FAIL("%s is %s, not %s", what, str(v, got), str(v, want));
}

static bool want_res(V *v, const Op *op, const Type *want) {
    return want_type(v, op, "the result", res_type(op, 0), want);
}

static bool want_dtype(V *v, const Op *op, DType got, DType want) {
    return got == want || FAIL("element types %s and %s differ", dtype_info(got)->name, dtype_info(want)->name);
}

static bool want_args(V *v, const Op *op, int r, int n) {
    return op->regs[r]->nargs == n || FAIL("region %d has %d arguments, not %d", r, op->regs[r]->nargs, n);
}

/* The terminator of region r yields n values; its presence is checked elsewhere. */
static const Op *yield_of(V *v, const Op *op, int r, int n) {
    const Op *y = region_term(op->regs[r]);
    if (!y) return FAIL("region %d has no terminator", r), NULL;
    if (y->nopnds != n) return FAIL("region %d yields %d values, not %d", r, y->nopnds, n), NULL;
    return y;
}

static bool yields_results(V *v, const Op *op, int r, int first, int n) {
    const Op *y = yield_of(v, op, r, n);
    for (int i = 0; y && i < n; i++)
        if (!want_type(v, op, "a yielded value", opnd_type(y, i), res_type(op, first + i))) return false;
    return y != NULL;
}

static bool args_are_i64(V *v, const Op *op, int r) {
    for (int i = 0; i < op->regs[r]->nargs; i++)
        if (!is_i64(op->regs[r]->args[i]->type)) return FAIL("argument %d of region %d is not i64", i, r);
    return true;
}

static bool ints_of(V *v, const Op *op, AttrId id, int n) {
    const Attr *a = op_attr(op, id);
    return a->n == n || FAIL("'%s' has %d numbers, not %d", attr_table[id].name, a->n, n);
}

/* ---- elementwise */

static bool takes_bool(OpCode c) {
    return c == OP_AND || c == OP_OR || c == OP_XOR || c == OP_NOT || c == OP_EQ || c == OP_NE || c == OP_SELECT ||
           c == OP_CAST;
}

static bool elem_dtype(V *v, const Op *op, const Type *t) {
    int traits = op_info(op->code)->traits;
    bool bits = op->code == OP_AND || op->code == OP_OR || op->code == OP_XOR || op->code == OP_NOT;
    bool ok = true;
    if (traits & TR_FLOAT) ok = dtype_is_float(t->dtype);
    else if (traits & TR_INT) ok = dtype_is_int(t->dtype);
    else if (bits) ok = !dtype_is_float(t->dtype) && t->dtype != DT_STR;
    else if (!takes_bool(op->code)) ok = is_number(t);
    return ok || FAIL("no %s of %s", op_info(op->code)->mnemonic, dtype_info(t->dtype)->name);
}

static bool elementwise(V *v, const Op *op) {
    int first = op->code == OP_SELECT;
    const Type *t = opnd_type(op, first), *r = res_type(op, 0);
    if (t->kind == TY_BUF) return FAIL("an operand is a buffer");
    if (t->kind == TY_TENSOR && v->module->stage >= STAGE_LOOPS) return FAIL("a tensor operation at stage loops");
    for (int i = first + 1; i < op->nopnds; i++)
        if (!want_type(v, op, "an operand", opnd_type(op, i), t)) return false;
    if (!elem_dtype(v, op, t)) return false;
    if (first && !want_type(v, op, "the condition", opnd_type(op, 0), type_with_dtype(v->session, t, DT_BOOL)))
        return false;
    if (op->code == OP_CAST) {
        if (op_flag(op, A_INDEFINITE) && (!dtype_is_float(t->dtype) || r->dtype != DT_I64))
            return FAIL("indefinite, but not from a float to i64");
        if (op_flag(op, A_SIMD) && !op_flag(op, A_INDEFINITE)) return FAIL("simd, but not indefinite");
        bool text = t->dtype == DT_STR || r->dtype == DT_STR;
        return (same_shape(t, r) && !text) || FAIL("no cast from %s to %s", str(v, t), str(v, r));
    }
    return want_res(v, op, op_info(op->code)->traits & TR_BOOL ? type_with_dtype(v->session, t, DT_BOOL) : t);
}

/* ---- constants and sizes */

static bool constant(V *v, const Op *op) {
    return want_res(v, op, type_scalar(v->session, op_attr(op, A_VALUE)->c.dtype));
}

static bool size(V *v, const Op *op) {
    return ints_of(v, op, A_SIZE, 1) && want_res(v, op, type_scalar(v->session, DT_I64));
}

/* ---- tensors as values */

static bool fill(V *v, const Op *op) {
    if (res_type(op, 0)->kind != TY_TENSOR) return FAIL("the result is no tensor");
    return want_type(v, op, "the operand", opnd_type(op, 0), type_elem(v->session, res_type(op, 0)));
}

/* Operand 0 and the result are tensors of one element type. */
static bool tensor_to_tensor(V *v, const Op *op) {
    if (!want_tensor(v, op, 0)) return false;
    if (res_type(op, 0)->kind != TY_TENSOR) return FAIL("the result is no tensor");
    return want_dtype(v, op, res_type(op, 0)->dtype, opnd_type(op, 0)->dtype);
}

static bool broadcast(V *v, const Op *op) {
    const Type *x = opnd_type(op, 0), *r = res_type(op, 0);
    const int64_t *axes = op_attr(op, A_AXES)->ints;
    if (!tensor_to_tensor(v, op) || !ints_of(v, op, A_AXES, x->rank)) return false;
    for (int i = 0; i < x->rank; i++) {
        int64_t one;
        if (axes[i] < 0 || axes[i] >= r->rank || (i && axes[i] <= axes[i - 1]))
            return FAIL("axes are not increasing axes of the result");
        bool stretched = size_is_const(x->dims[i], &one) && one == 1;
        if (x->dims[i] != r->dims[axes[i]] && !stretched) return FAIL("axis %d does not fit the result", i);
    }
    return true;
}

static bool retype(V *v, const Op *op) {
    return tensor_to_tensor(v, op) &&
           (res_type(op, 0)->rank == opnd_type(op, 0)->rank || FAIL("retype changes the rank"));
}

static bool transpose(V *v, const Op *op) {
    const Type *x = opnd_type(op, 0), *r = res_type(op, 0);
    unsigned seen = 0;
    if (!tensor_to_tensor(v, op) || !ints_of(v, op, A_PERM, x->rank)) return false;
    if (r->rank != x->rank) return FAIL("transpose changes the rank");
    for (int i = 0; i < x->rank; i++) {
        int64_t k = op_attr(op, A_PERM)->ints[i];
        if (k < 0 || k >= x->rank || seen & 1u << k) return FAIL("perm is no permutation");
        seen |= 1u << k;
        if (r->dims[i] != x->dims[k]) return FAIL("axis %d of the result has another size", i);
    }
    return true;
}

static bool slice(V *v, const Op *op, int fixed) {
    int rank = opnd_type(op, 0)->rank;
    if (!tensor_to_tensor(v, op) || !ints_of(v, op, A_STEPS, rank)) return false;
    for (int i = 0; i < rank; i++)
        if (op_attr(op, A_STEPS)->ints[i] == 0) return FAIL("a step of 0");
    if (op->nopnds != fixed + rank) return FAIL("%d starts for rank %d", op->nopnds - fixed, rank);
    return want_i64(v, op, fixed, op->nopnds);
}

static bool slice_out(V *v, const Op *op) {
    return slice(v, op, 1) && (res_type(op, 0)->rank == opnd_type(op, 0)->rank || FAIL("slice changes the rank"));
}

static bool update(V *v, const Op *op) {
    if (!slice(v, op, 2) || !want_tensor(v, op, 1) || !want_res(v, op, opnd_type(op, 0))) return false;
    if (opnd_type(op, 1)->rank != opnd_type(op, 0)->rank) return FAIL("the slice has another rank");
    return want_dtype(v, op, opnd_type(op, 1)->dtype, opnd_type(op, 0)->dtype);
}
static bool pad(V *v, const Op *op) {
    const Type *x = opnd_type(op, 0);
    if (!slice(v, op, 2)) return false;
    if (res_type(op, 0)->rank != x->rank) return FAIL("pad changes the rank");
    return want_type(v, op, "the value", opnd_type(op, 1), type_elem(v->session, x));
}
static bool concat(V *v, const Op *op) {
    if (op->nopnds < 1) return FAIL("nothing to put together");
    if (!tensor_to_tensor(v, op) || !ints_of(v, op, A_AXES, 1)) return false;
    const Type *r = res_type(op, 0);
    int64_t axis = op_attr(op, A_AXES)->ints[0];
    if (axis < 0 || axis >= r->rank) return FAIL("no axis %d", (int)axis);
    const Size *sum = size_const(v->session, 0);
    for (int k = 0; k < op->nopnds; k++) {
        if (!want_tensor(v, op, k) || !want_dtype(v, op, opnd_type(op, k)->dtype, r->dtype)) return false;
        if (opnd_type(op, k)->rank != r->rank) return FAIL("operand %d has another rank", k);
        for (int i = 0; i < r->rank; i++)
            if (i != axis && opnd_type(op, k)->dims[i] != r->dims[i])
                return FAIL("axis %d of operand %d does not fit the result", i, k);
        sum = size_add(v->session, sum, opnd_type(op, k)->dims[axis]);
    }
    return sum == r->dims[axis] || FAIL("the operands' extents do not add up to the result's");
}

/* Operand `object` is indexed by all operands from `first` on. */
static bool indexed(V *v, const Op *op, int object, int first) {
    int rank = opnd_type(op, object)->rank, n = op_index_end(op) - first;
    if (n != rank) return FAIL("%d indices for rank %d", n, rank);
    return want_i64(v, op, first, first + n);
}

static bool extract(V *v, const Op *op) {
    return want_tensor(v, op, 0) && indexed(v, op, 0, 1) && want_res(v, op, type_elem(v->session, opnd_type(op, 0)));
}

static bool insert(V *v, const Op *op) {
    if (!want_tensor(v, op, 0) || !indexed(v, op, 0, 2) || !want_res(v, op, opnd_type(op, 0))) return false;
    return want_type(v, op, "the element", opnd_type(op, 1), type_elem(v->session, opnd_type(op, 0)));
}

/* Region 0 takes n indices and yields one scalar of each result's element type. */
static bool element_region(V *v, const Op *op, int n) {
    const Op *y = yield_of(v, op, 0, op->nres);
    if (!y || !want_args(v, op, 0, n) || !args_are_i64(v, op, 0)) return false;
    for (int i = 0; i < op->nres; i++)
        if (!want_type(v, op, "a yielded value", opnd_type(y, i), type_elem(v->session, res_type(op, i)))) return false;
    return true;
}

static bool generate(V *v, const Op *op) {
    if (!op->nres) return FAIL("no result");
    for (int i = 0; i < op->nres; i++)
        if (res_type(op, i)->kind != TY_TENSOR || !same_shape(res_type(op, i), res_type(op, 0)))
            return FAIL("the results are not tensors of one shape");
    return element_region(v, op, res_type(op, 0)->rank);
}

static const char *kind_word(const Op *op) { return combine_info(op_combine(op))->word; }

/* Region 1 (custom): takes a.., b.. and yields the combination. */
static bool combiner(V *v, const Op *op) {
    bool custom = op_combine(op) == COMBINE_CUSTOM;
    if (op->nregs != 1 + custom) return FAIL("%d regions for kind %s", op->nregs, kind_word(op));
    if (!custom) return true;
    const Op *y = yield_of(v, op, 1, op->nres);
    if (!y || !want_args(v, op, 1, 2 * op->nres)) return false;
    for (int i = 0; i < 2 * op->nres; i++) {
        const Type *want = type_elem(v->session, res_type(op, i % op->nres));
        if (!want_type(v, op, "an argument of the second region", op->regs[1]->args[i]->type, want)) return false;
        if (i < op->nres && !want_type(v, op, "a combined value", opnd_type(y, i), want)) return false;
    }
    return true;
}

static bool fixed_kind(V *v, const Op *op) {
    if (!combine_info(op_combine(op))->in_reduce) return FAIL("nothing is reduced by %s", kind_word(op));
    bool logic = op_combine(op) == COMBINE_AND || op_combine(op) == COMBINE_OR ||
                 op_combine(op) == COMBINE_XOR;
    if (op_combine(op) == COMBINE_CUSTOM) return true;
    for (int i = 0; i < op->nres; i++) {
        bool fits = logic ? !dtype_is_float(res_type(op, i)->dtype) && res_type(op, i)->dtype != DT_STR
                          : is_number(res_type(op, i));
        if (!fits) return FAIL("no %s of %s", kind_word(op), dtype_info(res_type(op, i)->dtype)->name);
    }
    return true;
}

static bool reduce(V *v, const Op *op) {
    bool custom = op_combine(op) == COMBINE_CUSTOM;
    int extents = op->nopnds - (custom ? op->nres : 0);
    if (!op->nregs || !op->nres) return FAIL("a reduction has regions and results");
    if (extents < 0 || extents > MAX_RANK) return FAIL("%d operands", op->nopnds);
    for (int i = 0; i < extents; i++)
        if (!is_i64(opnd_type(op, i))) return FAIL("extent %d is not i64", i);
    for (int i = 0; i < op->nres; i++) {
        if (!is_scalar(res_type(op, i))) return FAIL("result %d is no scalar", i);
        if (custom && !want_type(v, op, "a neutral element", opnd_type(op, extents + i), res_type(op, i))) return false;
    }
    return fixed_kind(v, op) && element_region(v, op, extents) && combiner(v, op);
}

static bool scan(V *v, const Op *op) {
    if (!op->nregs || !op->nres) return FAIL("a scan has regions and results");
    for (int i = 0; i < op->nres; i++)
        if (!is_tensor_of(res_type(op, i), 1) || !same_shape(res_type(op, i), res_type(op, 0)))
            return FAIL("the results are not one-dimensional tensors of one size");
    return fixed_kind(v, op) && element_region(v, op, 1) && combiner(v, op);
}

/* ---- linear algebra */

static bool floats(V *v, const Op *op) {
    for (int i = 0; i < op->nopnds; i++) {
        if (!want_tensor(v, op, i) || !want_dtype(v, op, opnd_type(op, i)->dtype, opnd_type(op, 0)->dtype))
            return false;
    }
    for (int i = 0; i < op->nres; i++)
        if (!want_dtype(v, op, res_type(op, i)->dtype, opnd_type(op, 0)->dtype)) return false;
    return true;
}

/* A vector has no outer axis; leading axes beyond two are a stack's, the same of both. */
static bool dot(V *v, const Op *op) {
    const Type *x = opnd_type(op, 0), *y = opnd_type(op, 1);
    const Attr *t = op_attr(op, A_TRANS);
    const Size *outer[MAX_RANK];
    int rank = 0, nx = x->rank - 2, ny = y->rank - 2;
    if (!floats(v, op) || (t && !ints_of(v, op, A_TRANS, 2))) return false;
    if (nx < -1 || ny < -1 || ((nx > 0 || ny > 0) && nx != ny)) return FAIL("dot of ranks %d and %d", x->rank, y->rank);
    for (; rank < nx; rank++)
        if ((outer[rank] = x->dims[rank]) != y->dims[rank]) return FAIL("the stacks' sizes differ on axis %d", rank);
    bool tx = t && t->ints[0], ty = t && t->ints[1];
    const Size *inner_x = nx < 0 ? x->dims[0] : x->dims[nx + !tx], *inner_y = ny < 0 ? y->dims[0] : y->dims[ny + ty];
    if (nx >= 0) outer[rank++] = x->dims[nx + tx];
    if (ny >= 0) outer[rank++] = y->dims[ny + !ty];
    if (inner_x != inner_y)
        return FAIL("inner sizes %s and %s differ", size_str(v->session, inner_x), size_str(v->session, inner_y));
    return want_res(v, op, rank ? type_tensor(v->session, x->dtype, rank, outer) : type_scalar(v->session, x->dtype));
}

static bool square(V *v, const Op *op) {
    const Type *a = opnd_type(op, 0);
    if (!floats(v, op)) return false;
    return (is_tensor_of(a, 2) && a->dims[0] == a->dims[1]) || FAIL("%s is no square matrix", str(v, a));
}

static bool solve(V *v, const Op *op) {
    const Type *a = opnd_type(op, 0), *b = opnd_type(op, 1);
    if (!square(v, op)) return false;
    if (b->rank < 1 || b->rank > 2 || b->dims[0] != a->dims[0]) return FAIL("%s does not fit %s", str(v, b), str(v, a));
    return want_res(v, op, b);
}

/* Factors f, p of a matrix, from operand `at` on */
static bool lu_at(V *v, const Op *op, int at) {
    const Type *f = opnd_type(op, at), *p = opnd_type(op, at + 1);
    if (!is_tensor_of(f, 2) || f->dims[0] != f->dims[1] || !dtype_is_float(f->dtype))
        return FAIL("%s is no factor", str(v, f));
    return want_type(v, op, "the order of the rows", p, type_tensor(v->session, DT_I64, 1, f->dims));
}

static bool lu_factor(V *v, const Op *op) {
    const Type *a = opnd_type(op, 0);
    if (!is_tensor_of(a, 2) || a->dims[0] != a->dims[1] || !dtype_is_float(a->dtype))
        return FAIL("%s is no square matrix", str(v, a));
    return want_type(v, op, "the factor", res_type(op, 0), a) &&
           want_type(v, op, "the order of the rows", res_type(op, 1), type_tensor(v->session, DT_I64, 1, a->dims));
}

static bool lu_solve(V *v, const Op *op) {
    const Type *f = opnd_type(op, 0), *b = opnd_type(op, 2);
    if (!lu_at(v, op, 0) || !want_tensor(v, op, 2) || !want_dtype(v, op, b->dtype, f->dtype)) return false;
    if (b->rank < 1 || b->rank > 2 || b->dims[0] != f->dims[0]) return FAIL("%s does not fit %s", str(v, b), str(v, f));
    return want_res(v, op, b);
}

static bool lu_parts(V *v, const Op *op) {
    const Type *f = opnd_type(op, 0);
    return lu_at(v, op, 0) && want_type(v, op, "l", res_type(op, 0), f) && want_type(v, op, "u", res_type(op, 1), f);
}

static bool eigh(V *v, const Op *op) {
    const Type *a = opnd_type(op, 0);
    if (!square(v, op)) return false;
    return want_res(v, op, type_tensor(v->session, a->dtype, 1, a->dims)) &&
           want_type(v, op, "the second result", res_type(op, 1), a);
}

/* ---- control */

static bool branch(V *v, const Op *op) {
    if (!is_bool(opnd_type(op, 0))) return FAIL("the condition is no bool");
    for (int r = 0; r < 2; r++)
        if (!want_args(v, op, r, 0) || !yields_results(v, op, r, 0, op->nres)) return false;
    return true;
}

/* Operands from `first` on, the arguments of region r from `skip` on, and the results are the carried values. */
static bool carried(V *v, const Op *op, int first, int r, int skip) {
    if (op->nopnds - first != op->nres) return FAIL("%d values go in, %d come out", op->nopnds - first, op->nres);
    if (!want_args(v, op, r, skip + op->nres)) return false;
    for (int i = 0; i < op->nres; i++) {
        if (res_type(op, i)->kind == TY_BUF) return FAIL("a buffer is carried");
        if (!want_type(v, op, "an initial value", opnd_type(op, first + i), res_type(op, i))) return false;
        if (!want_type(v, op, "a carried argument", op->regs[r]->args[skip + i]->type, res_type(op, i))) return false;
    }
    return true;
}

/* Of independent turns nothing comes back but what they have written. */
static bool carries_arrays(V *v, const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (!type_is_tensor(op->res[i].type)) return FAIL("independent turns carry a %s", str(v, op->res[i].type));
    return true;
}

static bool for_loop(V *v, const Op *op) {
    const Type *t = opnd_type(op, 0);
    if (!is_scalar(t) || !dtype_is_int(t->dtype)) return FAIL("the bounds are %s, not ints", str(v, t));
    for (int i = 1; i < 3; i++)
        if (!want_type(v, op, "a bound", opnd_type(op, i), t)) return false;
    if (!carried(v, op, 3, 0, 1) || !yields_results(v, op, 0, 0, op->nres)) return false;
    if (op_flag(op, A_INDEPENDENT) && !carries_arrays(v, op)) return false;
    return want_type(v, op, "the index", op->regs[0]->args[0]->type, t);
}

static bool while_loop(V *v, const Op *op) {
    if (!carried(v, op, 0, 0, 0) || !carried(v, op, 0, 1, 0)) return false;
    const Op *y = yield_of(v, op, 0, 1);
    if (!y) return false;
    return (is_bool(opnd_type(y, 0)) || FAIL("the first region yields no bool")) &&
           yields_results(v, op, 1, 0, op->nres);
}

static bool spawn(V *v, const Op *op) {
    const Op *a = region_term(op->regs[0]);
    int n = a ? a->nopnds : 0;
    if (n > op->nres) return FAIL("region 0 yields %d values", n);
    if (!want_args(v, op, 0, 0) || !want_args(v, op, 1, 0)) return false;
    return yields_results(v, op, 0, 0, n) && yields_results(v, op, 1, n, op->nres - n);
}

static bool ret(V *v, const Op *op) {
    const Func *f = op->parent->func;
    if (op->nopnds != f->nres) return FAIL("%d values returned, %d declared", op->nopnds, f->nres);
    for (int i = 0; i < f->nres; i++)
        if (!want_type(v, op, "a returned value", opnd_type(op, i), f->res_types[i])) return false;
    return true;
}

/* ---- calls: sizes of the callee are those of the arguments */

typedef struct { Map sizes; bool unknown; } Binding;

static const Size *bound_size(void *ctx, const char *sym) {
    Binding *b = ctx;
    const Size *s = map_get(&b->sizes, sym);
    b->unknown |= !s;
    return s;
}

static void bind_dims(Binding *b, Arena *a, const Type *param, const Type *arg) {
    for (int i = 0; i < param->rank; i++) {
        const char *sym = size_as_sym(param->dims[i]);
        if (sym && !map_has(&b->sizes, sym)) map_put(a, &b->sizes, sym, (void *)(uintptr_t)arg->dims[i]);
    }
}

/* Whether t is the declared type under the binding; sizes that only the callee knows fit any. */
static bool fits(V *v, Binding *b, const Type *declared, const Type *t) {
    if (declared->kind != t->kind || declared->dtype != t->dtype || declared->rank != t->rank) return false;
    for (int i = 0; i < t->rank; i++) {
        b->unknown = false;
        const Size *want = size_subst(v->session, declared->dims[i], bound_size, b);
        if (!b->unknown && want != t->dims[i]) return false;
    }
    return true;
}

static bool signature(V *v, const Op *op, const Func *f, Arena *scratch) {
    Binding b = {0};
    if (f->body->nargs != op->nopnds)
        return FAIL("@%s takes %d arguments, not %d", f->name, f->body->nargs, op->nopnds);
    if (f->nres != op->nres) return FAIL("@%s returns %d values, not %d", f->name, f->nres, op->nres);
    for (int i = 0; i < op->nopnds; i++) {
        const Type *want = f->body->args[i]->type, *got = opnd_type(op, i);
        if (want->kind != got->kind || want->dtype != got->dtype || want->rank != got->rank)
            return FAIL("argument %d is %s, @%s takes %s", i, str(v, got), f->name, str(v, want));
        bind_dims(&b, scratch, want, got);
    }
    for (int i = 0; i < op->nopnds; i++)
        if (!fits(v, &b, f->body->args[i]->type, opnd_type(op, i)))
            return FAIL("argument %d is %s, @%s takes %s", i, str(v, opnd_type(op, i)), f->name,
                        str(v, f->body->args[i]->type));
    for (int i = 0; i < op->nres; i++)
        if (!fits(v, &b, f->res_types[i], res_type(op, i)))
            return FAIL("result %d is %s, @%s returns %s", i, str(v, res_type(op, i)), f->name,
                        str(v, f->res_types[i]));
    return true;
}

/* That of a value, or f32 beside floats of 16 bits, whose adjoints are summed so */
static bool adjoint_type(V *v, const Op *op, const char *what, const Type *got, const Type *value) {
    bool wide = (value->dtype == DT_F16 || value->dtype == DT_BF16) && got->dtype == DT_F32;
    return want_type(v, op, what, got, wide ? type_with_dtype(v->session, value, DT_F32) : value);
}

/* Arguments, then seeds; values, then adjoints */
static bool vjp(V *v, const Op *op) {
    int n = op->regs[0]->nargs, values = op->nres - n;
    const Op *y = region_term(op->regs[0]);
    if (values < 1 || op->nopnds != op->nres) return FAIL("%d operands and %d results", op->nopnds, op->nres);
    if (!y || y->nopnds != values) return FAIL("the region does not yield %d values", values);
    for (int i = 0; i < n; i++)
        if (!want_type(v, op, "an argument", op->regs[0]->args[i]->type, opnd_type(op, i)) ||
            !adjoint_type(v, op, "an adjoint", res_type(op, values + i), opnd_type(op, i))) return false;
    for (int i = 0; i < values; i++)
        if (!want_type(v, op, "a yielded value", opnd_type(y, i), res_type(op, i)) ||
            !adjoint_type(v, op, "a seed", opnd_type(op, n + i), res_type(op, i))) return false;
    return true;
}

/* Arguments, then their tangents; values, then theirs */
static bool jvp(V *v, const Op *op) {
    int n = op->regs[0]->nargs, values = op->nres / 2;
    const Op *y = region_term(op->regs[0]);
    if (values < 1 || op->nres % 2 || op->nopnds != 2 * n)
        return FAIL("%d operands and %d results", op->nopnds, op->nres);
    if (!y || y->nopnds != values) return FAIL("the region does not yield %d values", values);
    for (int i = 0; i < 2 * n; i++)
        if (!want_type(v, op, "an argument", op->regs[0]->args[i % n]->type, opnd_type(op, i))) return false;
    for (int i = 0; i < 2 * values; i++)
        if (!want_type(v, op, "a yielded value", opnd_type(y, i % values), res_type(op, i))) return false;
    return true;
}

static bool call(V *v, const Op *op) {
    const char *name = op_sym(op, A_FUNC);
    const Func *f = module_find(v->module, name);
    bool is_extern = op->code == OP_EXTERN;
    if (!f) return FAIL("there is no function @%s", name);
    if (f->kind != (is_extern ? FUNC_EXTERN : FUNC_FN))
        return FAIL("@%s is no %sfunction", name, is_extern ? "extern " : "");
    Arena *scratch = arena_new();
    bool ok = signature(v, op, f, scratch);
    arena_free(scratch);
    return ok;
}

/* ---- islands */

static bool island_buffers(V *v, const Op *op, const int64_t *modes) {
    int updated = 0;
    for (int i = 0; i < op->nopnds; i++) {
        const Type *t = opnd_type(op, i);
        if (!want_tensor(v, op, i)) return false;
        if (modes[i] < 0 || modes[i] > 2) return FAIL("mode %d", (int)modes[i]);
        const Type *buf = type_buf(v->session, t->dtype, t->rank, t->dims, SPACE_GLOBAL);
        if (!want_type(v, op, "an argument", op->regs[0]->args[i]->type, buf)) return false;
        if (modes[i] == 0) continue;
        if (updated == op->nres) return FAIL("fewer results than out and inout operands");
        if (!want_type(v, op, "a result", res_type(op, updated++), t)) return false;
    }
    return updated == op->nres || FAIL("more results than out and inout operands");
}

static bool island(V *v, const Op *op) {
    if (!ints_of(v, op, A_MODES, op->nopnds) || !want_args(v, op, 0, op->nopnds)) return false;
    return island_buffers(v, op, op_attr(op, A_MODES)->ints) && yield_of(v, op, 0, 0);
}

/* The innermost parallel of the kind around op. */
static const Op *around(const Op *op, LoopKind kind) {
    for (op = op->parent->owner; op; op = op->parent->owner)
        if (op_loop(op) == kind) return op;
    return NULL;
}

static bool parallel(V *v, const Op *op) {
    if (!op->nopnds || op->nopnds > MAX_RANK) return FAIL("%d extents", op->nopnds);
    if (!want_i64(v, op, 0, op->nopnds)) return false;
    if (!want_args(v, op, 0, op->nopnds) || !args_are_i64(v, op, 0)) return false;
    bool is_block = op_loop(op) == LOOP_BLOCK, is_thread = op_loop(op) == LOOP_THREAD;
    if (is_block && around(op, LOOP_BLOCK)) return FAIL("blocks inside blocks");
    if (is_thread && !around(op, LOOP_BLOCK)) return FAIL("threads outside a block");
    return yield_of(v, op, 0, 0) != NULL;
}

static bool barrier(V *v, const Op *op) {
    const Op *p = op->nopnds && op_opnd(op, 0)->region ? op_opnd(op, 0)->region->owner : NULL;
    if (!p || p->code != OP_PARALLEL || op->nopnds != p->nopnds)
        return FAIL("the operands are not the indices of one parallel");
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i) != p->regs[0]->args[i]) return FAIL("the operands are not the indices of one parallel");
    return true;
}

/* In the memory of another alloc, which has its own */
static bool alloc_within(V *v, const Op *op) {
    const Op *around = op->nopnds ? op_opnd(op, 0)->def : NULL;
    if (!op->nopnds) return true;
    if (!around || around->code != OP_ALLOC || around->nopnds) return FAIL("operand 0 is no alloc of its own memory");
    bool shared = res_type(op, 0)->space == SPACE_SHARED && opnd_type(op, 0)->space == SPACE_SHARED;
    if (!shared || around->parent != op->parent) return FAIL("only shared memory of one region is used twice");
    return op->nopnds == 1 || FAIL("%d operands, not one", op->nopnds);
}

static bool alloc(V *v, const Op *op) {
    return (res_type(op, 0)->kind == TY_BUF || FAIL("the result is no buffer")) && alloc_within(v, op);
}

static bool want_buf(V *v, const Op *op, int i) {
    return opnd_type(op, i)->kind == TY_BUF || FAIL("operand %d is %s, not a buffer", i, str(v, opnd_type(op, i)));
}

static bool load(V *v, const Op *op) {
    return want_buf(v, op, 0) && indexed(v, op, 0, 1) && want_res(v, op, type_elem(v->session, opnd_type(op, 0)));
}

/* What a compare-and-swap expects is of the element's type: an int or a bool. */
static bool swap(V *v, const Op *op) {
    const Value *expected = op_expected(op);
    if (!expected) return true;
    if (dtype_is_float(expected->type->dtype)) return FAIL("compare-and-swap of floats");
    return want_type(v, op, "the expected value", expected->type, opnd_type(op, 0));
}

static bool store(V *v, const Op *op) {
    if (!want_buf(v, op, 1) || !indexed(v, op, 1, 2)) return false;
    bool updates = op->code == OP_ATOMIC;
    if (updates && !combine_info(op_combine(op))->in_update) return FAIL("nothing is updated by %s", kind_word(op));
    if (updates && !swap(v, op)) return false;
    if (op->nres > 1) return FAIL("more than one result");
    if (op->nres && !want_res(v, op, type_elem(v->session, opnd_type(op, 1)))) return false;
    return want_type(v, op, "the element", opnd_type(op, 0), type_elem(v->session, opnd_type(op, 1)));
}

/* ---- the world */

static bool all_scalars(V *v, const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (!is_scalar(opnd_type(op, i))) return FAIL("operand %d is no scalar", i);
    return true;
}

static bool place_fits(V *v, const Op *op, int i, const FormatPart *p) {
    FormatSpec spec;
    if (i >= op->nopnds) return true; /* their number is checked */
    return (!spec_read(p->text, p->len, &spec) && spec_fits(&spec, opnd_type(op, i)->dtype)) ||
           FAIL("'%.*s' is no format for operand %d", p->len, p->text, i);
}

static bool formatted(V *v, const Op *op) {
    const char *at = op_sym(op, A_FORMAT);
    int first = op->code == OP_CHECK, n = first;
    if (op->code == OP_FORMAT && !(is_scalar(res_type(op, 0)) && res_type(op, 0)->dtype == DT_STR))
        return FAIL("the result is no text");
    if (at && !template_is_whole(at)) return FAIL("a brace of the format has no partner");
    for (FormatPart p; at && template_next(&at, &p);)
        if (p.is_place && !place_fits(v, op, n++, &p)) return false;
    return !op_sym(op, A_FORMAT) || n == op->nopnds || FAIL("%d places for %d operands", n - first, op->nopnds - first);
}

static bool check(V *v, const Op *op) {
    return (is_bool(opnd_type(op, 0)) || FAIL("the condition is no bool")) && all_scalars(v, op) && formatted(v, op);
}

static bool loadfile(V *v, const Op *op) {
    const Type *path = opnd_type(op, 0);
    if (!is_scalar(path) || path->dtype != DT_STR) return FAIL("the path is no text");
    if (op->nopnds > 1 && (op->nopnds > 2 || !is_scalar(opnd_type(op, 1)) || opnd_type(op, 1)->dtype != DT_STR))
        return FAIL("the part is no text");
    return res_type(op, 0)->kind == TY_TENSOR || FAIL("the result is no tensor");
}

static bool tensor_result(V *v, const Op *op) {
    return res_type(op, 0)->kind == TY_TENSOR || FAIL("the result is no tensor");
}

static bool table(V *v, const Op *op) {
    const Attr *a = op_attr(op, A_VALUES);
    const Type *t = res_type(op, 0);
    int64_t count = 1, n;
    if (t->dtype == DT_STR) return FAIL("texts are no elements");
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &n)) return FAIL("a size that is no constant");
        if (__builtin_mul_overflow(count, n, &count)) return FAIL("a size that is too large");
    }
    if (a->n != count) return FAIL("%d elements for %lld", a->n, (long long)count);
    for (int i = 0; i < a->n; i++)
        if (a->consts[i].dtype != t->dtype) return FAIL("an element of another type");
    return true;
}

/* Where an operation names buffers: of its operands from, up to end */
typedef struct { int from, end; } Places;

static Places buffer_places(const Op *op) {
    switch (op->code) {
    case OP_ALLOC: case OP_LOAD: case OP_PREFETCH: case OP_NEED: case OP_COLUMNS: case OP_OWN: case OP_ALLGATHER:
    case OP_AWAIT:
        return (Places){0, 1};
    case OP_STORE: case OP_ATOMIC: case OP_SIGNAL: return (Places){1, 2};
    case OP_PART: return (Places){PART_ARRAYS, op->nopnds};
    case OP_EXCHANGE: return (Places){1, op->nopnds};
    default: return (Places){0, 0};
    }
}

/* Buffers are named only where they are accessed. */
static bool buffers_stay(V *v, const Op *op) {
    Places p = buffer_places(op);
    for (int i = 0; i < op->nopnds; i++)
        if ((i < p.from || i >= p.end) && opnd_type(op, i)->kind == TY_BUF)
            return FAIL("operand %d: a buffer leaves its island", i);
    return true;
}

/* ---- what processes tell each other */

static bool want_arrays(V *v, const Op *op, int from) {
    for (int i = from; i < op->nopnds; i++)
        if (opnd_type(op, i)->kind != TY_BUF || !opnd_type(op, i)->rank) return FAIL("operand %d has no rows", i);
    return true;
}

static bool gives_i64s(V *v, const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (!want_type(v, op, "a result", res_type(op, i), type_scalar(v->session, DT_I64))) return false;
    return true;
}

static bool part(V *v, const Op *op) {
    return want_i64(v, op, 0, PART_ARRAYS) && want_arrays(v, op, PART_ARRAYS) && gives_i64s(v, op);
}
static bool share(V *v, const Op *op) { return want_i64(v, op, 0, 1) && gives_i64s(v, op); }
static bool exchange(V *v, const Op *op) { return want_i64(v, op, 0, 1) && want_arrays(v, op, 1) && gives_i64s(v, op); }
/* Operand `at`: boxes; the one behind it says which. */
static bool box(V *v, const Op *op, int at) {
    const Type *t = opnd_type(op, at);
    int64_t words;
    if (!want_buf(v, op, at) || !want_i64(v, op, at + 1, op->nopnds)) return false;
    bool good = t->dtype == DT_I64 && t->rank == 2 && size_is_const(t->dims[1], &words) && words == 2;
    return (good && op->nopnds == at + 2) || FAIL("boxes are of i64[n, 2], and one is named");
}

static bool want_number(V *v, const Op *op, const Type *t) {
    return t->kind == TY_SCALAR || FAIL("no number is in a box");
}

static bool signal(V *v, const Op *op) { return box(v, op, 1) && want_number(v, op, opnd_type(op, 0)); }
static bool await(V *v, const Op *op) {
    return box(v, op, 0) && op->nres == 1 && want_number(v, op, res_type(op, 0));
}
static bool rows_of(V *v, const Op *op) {
    const Type *t = opnd_type(op, 0);
    if ((t->kind != TY_BUF && !type_is_tensor(t)) || !t->rank) return FAIL("operand 0 has no rows");
    return want_i64(v, op, 1, op->nopnds);
}

static bool columns_of(V *v, const Op *op) {
    return rows_of(v, op) && (opnd_type(op, 0)->rank > 1 || FAIL("operand 0 has no columns"));
}

static bool gives_i64(V *v, const Op *op) { return want_res(v, op, type_scalar(v->session, DT_I64)); }
static bool takes_i64(V *v, const Op *op) { return want_i64(v, op, 0, op->nopnds); }
static bool square_to_same(V *v, const Op *op) { return square(v, op) && want_res(v, op, opnd_type(op, 0)); }
static bool lu_to_same(V *v, const Op *op) { return lu_at(v, op, 0) && want_res(v, op, opnd_type(op, 0)); }
static bool lu_to_number(V *v, const Op *op) {
    return lu_at(v, op, 0) && want_res(v, op, type_elem(v->session, opnd_type(op, 0)));
}
static bool lu_det(V *v, const Op *op) {
    return lu_at(v, op, 1) && want_type(v, op, "the matrix", opnd_type(op, 0), opnd_type(op, 1)) &&
           want_res(v, op, type_elem(v->session, opnd_type(op, 0)));
}
static bool prefetch(V *v, const Op *op) { return want_buf(v, op, 0) && indexed(v, op, 0, 1); }
static bool constant_table(V *v, const Op *op) { return tensor_result(v, op) && table(v, op); }
static bool takes_tensor(V *v, const Op *op) { return want_tensor(v, op, 0); }
/* A yield is what the operation around wants. */
static bool seen_by_owner(V *v, const Op *op) { return (void)v, (void)op, true; }
/* A call of the library that bufferize makes of an operation with a rule */
static bool anything(V *v, const Op *op) { return (void)v, (void)op, true; }

static bool (*const rules[OP_COUNT])(V *v, const Op *op) = {
#define OP(id, mnemonic, levels, operands, results, regions, traits, attrs, rule, ctemplate, llvm, ad, cost, doc) \
    [id] = rule,
#include "ir/ops.def"
#undef OP
};

bool verify_op_types(Verifier *v, const Op *op) {
    if (!buffers_stay(v, op)) return false;
    return rules[op->code](v, op);
}
