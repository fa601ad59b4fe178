/* The predicates of rules: predicates.def. */
#include "opt/rewrite.h"

#include <math.h>

typedef bool PredicateFn(const RewriteArg *x);

static const Type *type_of(const RewriteArg *x) { return x->v->type; }
static DType dtype_of(const RewriteArg *x) { return x->v ? x->v->type->dtype : x->c->dtype; }

static bool is_int(const RewriteArg *x) { return dtype_is_int(dtype_of(x)); }
static bool is_float(const RewriteArg *x) { return dtype_is_float(dtype_of(x)); }
static bool is_unsigned(const RewriteArg *x) { return dtype_info(dtype_of(x))->kind == DK_UINT; }
static bool is_signed(const RewriteArg *x) { return is_float(x) || (is_int(x) && !is_unsigned(x)); }

static bool is_discrete(const RewriteArg *x) { return is_int(x) || dtype_of(x) == DT_BOOL; }
static bool have_same_type(const RewriteArg *x) { return type_of(&x[0]) == type_of(&x[1]); }
static bool is_negative(const RewriteArg *x) { return x->c && is_int(x) && x->c->i < 0 && x->c->i != INT64_MIN; }
static bool is_not_negative(const RewriteArg *x) { return x->c && is_int(x) && !is_negative(x); }

static bool has_exact_inverse(const RewriteArg *x) {
    int e;
    DType t = dtype_of(x);
    if (!x->c || !is_float(x) || !isnormal(x->c->f) || fabs(frexp(x->c->f, &e)) != 0.5) return false;
    return t == DT_F64 ? e > -1020 && e < 1020 : t == DT_F32 && e > -124 && e < 124;
}

/* ---- no-minus-zero: x + 0 is x but for x = -0, and a sum is -0 only where both sides are (IEEE 754, 6.3) */

enum { DEEP = 6, MANY_USES = 40 };

static bool is_code(const Value *v, OpCode c) { return v->def && v->def->code == c; }

static bool never_minus_zero(const Value *v, int deep);

/* Memory of the island's own, which begins as +0 or is written before it is read, where never -0 is stored; taken for
 * granted of `memory` while it is asked about */
static bool holds_no_minus_zero(const Value *memory, int deep) {
    int n = 0;
    if (!is_code(memory, OP_ALLOC) || deep <= 0) return false;
    for (const Use *u = memory->uses; u; u = u->next) {
        const Op *op = u->user;
        if (++n > MANY_USES || (op->code != OP_LOAD && (op->code != OP_STORE || u->index != 1))) return false;
        if (op->code != OP_STORE) continue;
        const Op *sum = op_opnd(op, 0)->def;
        const Op *first = sum && sum->code == OP_ADD ? op_opnd(sum, 0)->def : NULL;
        bool adds = first && first->code == OP_LOAD && op_opnd(first, 0) == memory;
        if (!adds && !never_minus_zero(op_opnd(op, 0), deep - 1)) return false;
    }
    return true;
}

/* A value that a for carries: never -0 at first, and what is added to it keeps it so */
static bool carries_no_minus_zero(const Op *loop, int at, int deep) {
    const Value *next = op_opnd(region_term(loop->regs[0]), at), *arg = loop->regs[0]->args[at + 1];
    bool adds = is_code(next, OP_ADD) && (op_opnd(next->def, 0) == arg || op_opnd(next->def, 1) == arg);
    return never_minus_zero(op_opnd(loop, at + 3), deep - 1) &&
           (adds || next == arg || never_minus_zero(next, deep - 1));
}

static bool never_minus_zero(const Value *v, int deep) {
    const Op *op = v->def;
    const Const *c = value_const(v);
    if (c) return !(c->f == 0 && signbit(c->f));
    if (deep <= 0) return false;
    if (!op) {
        const Op *loop = v->region->owner;
        return loop && loop->code == OP_FOR && v->index > 0 && carries_no_minus_zero(loop, v->index - 1, deep);
    }
    switch (op->code) {
    case OP_ADD: return never_minus_zero(op_opnd(op, 0), deep - 1) || never_minus_zero(op_opnd(op, 1), deep - 1);
    case OP_ABS: return true;
    case OP_CAST: return !dtype_is_float(op_opnd(op, 0)->type->dtype);
    case OP_MUL: return op_opnd(op, 0) == op_opnd(op, 1);
    case OP_FOR: return carries_no_minus_zero(op, v->index, deep);
    case OP_LOAD: return holds_no_minus_zero(op_opnd(op, 0), deep);
    default: return false;
    }
}

static bool is_no_minus_zero(const RewriteArg *x) { return is_float(x) && x->v && never_minus_zero(x->v, DEEP); }

/* ---- the table */

static PredicateFn *const functions[PREDICATE_COUNT] = {
    [PRED_INT] = is_int, [PRED_SIGNED] = is_signed, [PRED_UNSIGNED] = is_unsigned, [PRED_FLOAT] = is_float,
    [PRED_DISCRETE] = is_discrete,
    [PRED_SAME_TYPE] = have_same_type, [PRED_NEGATIVE] = is_negative, [PRED_NOT_NEGATIVE] = is_not_negative,
    [PRED_EXACT_INVERSE] = has_exact_inverse, [PRED_NO_MINUS_ZERO] = is_no_minus_zero,
};

bool predicate_holds(PredicateId id, const RewriteArg *args) { return functions[id](args); }
