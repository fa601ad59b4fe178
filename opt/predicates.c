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

static bool is_no_minus_zero(const RewriteArg *x) { return is_float(x) && x->v && value_never_minus_zero(x->v); }

/* ---- the table */

static PredicateFn *const functions[PREDICATE_COUNT] = {
    [PRED_INT] = is_int, [PRED_SIGNED] = is_signed, [PRED_UNSIGNED] = is_unsigned, [PRED_DISCRETE] = is_discrete,
    [PRED_SAME_TYPE] = have_same_type, [PRED_NEGATIVE] = is_negative, [PRED_NOT_NEGATIVE] = is_not_negative,
    [PRED_EXACT_INVERSE] = has_exact_inverse, [PRED_NO_MINUS_ZERO] = is_no_minus_zero,
};

bool predicate_holds(PredicateId id, const RewriteArg *args) { return functions[id](args); }
