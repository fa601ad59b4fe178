/* What tensor.rules leaves of parts of products: an element of a product, or of what is computed of one element by
 * element, is read of a slice, which those rules take up to rows of the left operand and columns of the right one
 * (XLA and Enzyme-JAX push slices up likewise: slice_dot_general, slice_elementwise, slice_broadcast,
 * slice_transpose); parts of solutions.  Where no product is reached nothing is done: comprehensions compute no more
 * than is read anyway. */
#include "ir/index.h"
#include "opt/tensor/rules.h"

/* ---- elements */

static bool is_solution(const Op *op) {
    return (op->code == OP_LU_SOLVE || op->code == OP_TRISOLVE) && op->res[0].type->rank == 2;
}

static bool passes_parts(const Op *op) {
    switch (op->code) {
    case OP_BROADCAST: case OP_TRANSPOSE: return true;
    case OP_RETYPE: case OP_SLICE: return op_flag(op, A_SAFE);
    default: return is_elementwise(op);
    }
}

/* Whether v, which nothing but `user` uses, is a product, or made of one; known, by values: 1 + whether it is */
static bool reaches(Arena *arena, Map *known, const Value *v, const Op *user) {
    if (!type_is_tensor(v->type) || !only_for(v, user) || v->def->nres != 1) return false;
    if (v->def->code == OP_DOT || is_solution(v->def)) return true;
    uintptr_t before = passes_parts(v->def) ? (uintptr_t)map_get(known, v) : 1;
    if (before) return before == 2;
    bool yes = false;
    for (int i = 0; i < v->def->nopnds; i++) yes |= reaches(arena, known, op_opnd(v->def, i), v->def);
    map_put(arena, known, v, (void *)(uintptr_t)(1 + yes));
    return yes;
}

Value *rule_element(Builder *b, Op *extract) {
    Value *x = op_opnd(extract, 0), *start[MAX_RANK], *zeros[MAX_RANK];
    const Size *dims[MAX_RANK];
    int64_t steps[MAX_RANK];
    Map known = {0};
    int rank = x->type->rank;
    for (int i = 0; i < rank; i++)
        start[i] = op_opnd(extract, i + 1), steps[i] = 1, dims[i] = size_const(b->module->session, 1);
    const Type *t = type_tensor(b->module->session, x->type->dtype, rank, dims);
    if (x->type == t || !reaches(b->module->arena, &known, x, extract)) return NULL;
    check_extract(extract);
    for (int i = 0; i < rank; i++) zeros[i] = build_int(b, 0);
    return extract_safe(b, slice_safe(b, x, t, start, steps), rank, zeros);
}

/* ---- columns of a solution are solutions for columns; of rows all are needed */

Value *rule_columns_of_solution(Builder *b, Op *slice) {
    const Op *op = op_opnd(slice, 0)->def;
    if (!op || !is_solution(op) || !only_for(&op->res[0], slice)) return NULL;
    Value *y = op_opnd(op, op->nopnds - 1), *zero = build_int(b, 0);
    const Type *part = slice->res[0].type;
    const int64_t *steps = op_attr(slice, A_STEPS)->ints;
    const Size *dims[] = {y->type->dims[0], part->dims[1]};
    const Type *t = type_tensor(b->module->session, y->type->dtype, 2, dims);
    if (y->type == t) return NULL;
    Value *rows = op_opnd(slice, 1), *columns = op_opnd(slice, 2);
    build_slice_check(b, slice, y->type, part, (Value *[]){rows, columns}, steps);
    Value *opnds[3];
    for (int i = 0; i < op->nopnds - 1; i++) opnds[i] = op_opnd(op, i);
    opnds[op->nopnds - 1] = slice_safe(b, y, t, (Value *[]){zero, columns}, (int64_t[]){1, steps[1]});
    Op *solution = build_op(b, op->code, op->nopnds, opnds, 1, &t, 0);
    op_copy_attrs(solution, op);
    return slice_safe(b, &solution->res[0], part, (Value *[]){rows, zero}, (int64_t[]){steps[0], 1});
}
