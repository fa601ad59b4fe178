/* Floor division and its remainder: the cheapest way that is right for what is known of the operands. */
#include "codegen/plan.h"

/* Whether an i64 is from 0 to 2^32 - 1 where op runs */
static bool fits_u32(Ranges **ranges, Session *s, Value *v, const Op *op) {
    if (!*ranges) *ranges = ranges_new(s);
    IntRange r = range_of(*ranges, v, op);
    return r.lo >= 0 && r.hi <= UINT32_MAX;
}

static bool both_fit_u32(Ranges **ranges, Session *s, const Op *op) {
    return fits_u32(ranges, s, op_opnd(op, 0), op) && fits_u32(ranges, s, op_opnd(op, 1), op);
}

Division plan_division(Ranges **ranges, Session *s, const Op *op) {
    DType t = op_opnd(op, 0)->type->dtype;
    int64_t k;
    bool by_const = !dtype_is_float(t) && int_constant(op_opnd(op, 1), &k) && k > 0;
    bool is_unsigned = dtype_info(t)->kind == DK_UINT;
    if (t == DT_I64 && !by_const && both_fit_u32(ranges, s, op)) return DIVISION_U32;
    if (is_unsigned ? by_const || t != DT_U64 : by_const && plan_is_natural(op_opnd(op, 0))) return DIVISION_UNSIGNED;
    return by_const && (k & (k - 1)) == 0 ? DIVISION_POWER : DIVISION_FUNCTION;
}
