/* Which indices and divisors must be looked at when the program runs: those not proved, not constant, not looked at
 * before. */
#include "codegen/plan.h"

static bool known_in_range(const Value *index, const Size *extent) {
    int64_t n, i;
    return int_constant(index, &i) && size_is_const(extent, &n) && i >= 0 && i < n;
}

static bool already_checked(const CheckedVec *known, const Value *index, const Size *extent) {
    for (int i = 0; i < known->len; i++)
        if (known->data[i].index == index && known->data[i].extent == extent) return true;
    return false;
}

bool check_needs_index(const CheckedVec *known, const Op *op, int first, int axis) {
    const Value *index = op_opnd(op, first + axis);
    const Size *extent = op_opnd(op, first - 1)->type->dims[axis];
    return !op_flag(op, A_SAFE) && !known_in_range(index, extent) && !already_checked(known, index, extent);
}

bool check_needs_divisor(const CheckedVec *known, const Op *op) {
    int64_t k;
    const Value *y = op_opnd(op, 1);
    return !op_flag(op, A_SAFE) && !(int_constant(y, &k) && k != 0) && !already_checked(known, y, NULL);
}

bool check_needs_exponent(const Op *op) {
    int64_t k;
    bool is_signed = dtype_info(op_opnd(op, 0)->type->dtype)->kind == DK_INT;
    return !op_flag(op, A_SAFE) && is_signed && !(int_constant(op_opnd(op, 1), &k) && k >= 0);
}
