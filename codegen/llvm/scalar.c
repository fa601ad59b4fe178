/* Scalar operations: by the instruction or intrinsic that their row of ir/ops.def names for ints, unsigned ints and
 * floats, else by the function that the C path calls too. */
#include "codegen/llvm/private.h"
#include "runtime/divide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *name; LLVMOpcode op; } Instruction;
typedef struct { const char *name; bool real; int predicate; } Comparison;

static bool find_instruction(const char *name, LLVMOpcode *op) {
    static const Instruction table[] = {
        {"add", LLVMAdd},   {"sub", LLVMSub},   {"mul", LLVMMul},   {"udiv", LLVMUDiv},
        {"urem", LLVMURem}, {"and", LLVMAnd},   {"or", LLVMOr},     {"xor", LLVMXor},
        {"fadd", LLVMFAdd}, {"fsub", LLVMFSub}, {"fmul", LLVMFMul}, {"fdiv", LLVMFDiv},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name)) return *op = table[i].op, true;
    return false;
}

static const Comparison *find_comparison(const char *name) {
    static const Comparison table[] = {
        {"eq", false, LLVMIntEQ},   {"ne", false, LLVMIntNE},   {"slt", false, LLVMIntSLT}, {"sle", false, LLVMIntSLE},
        {"sgt", false, LLVMIntSGT}, {"sge", false, LLVMIntSGE}, {"ult", false, LLVMIntULT}, {"ule", false, LLVMIntULE},
        {"ugt", false, LLVMIntUGT}, {"uge", false, LLVMIntUGE}, {"oeq", true, LLVMRealOEQ}, {"une", true, LLVMRealUNE},
        {"olt", true, LLVMRealOLT}, {"ole", true, LLVMRealOLE}, {"ogt", true, LLVMRealOGT}, {"oge", true, LLVMRealOGE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name)) return &table[i];
    return NULL;
}

/* The word of the column for operands of dtype t; NULL: a function */
static const char *mapping(Gen *g, OpCode code, DType t) {
    const char *word = op_info(code)->llvm;
    DTypeKind kind = dtype_info(t)->kind;
    int skip = kind == DK_FLOAT ? 2 : kind == DK_INT ? 0 : 1;
    while (skip-- && *word) word += strcspn(word, " "), word += strspn(word, " ");
    size_t n = strcspn(word, " ");
    return n == 0 || (n == 1 && *word == '-') ? NULL : arena_strndup(g->arena, word, n);
}

static LLVMValueRef unary(Gen *g, const char *how, LLVMValueRef x) {
    if (!strcmp(how, "neg")) return LLVMBuildNeg(g->b, x, "");
    if (!strcmp(how, "fneg")) return LLVMBuildFNeg(g->b, x, "");
    if (!strcmp(how, "not")) return LLVMBuildNot(g->b, x, "");
    bug("the column llvm of ir/ops.def says '%s'", how);
}

static LLVMValueRef instruction(Gen *g, const char *how, int n, LLVMValueRef *x) {
    LLVMOpcode op;
    if (!strncmp(how, "llvm.", 5)) return gen_intrinsic(g, how, LLVMTypeOf(x[0]), n, x);
    const Comparison *c = find_comparison(how);
    if (c && c->real) return LLVMBuildFCmp(g->b, (LLVMRealPredicate)c->predicate, x[0], x[1], "");
    if (c) return LLVMBuildICmp(g->b, (LLVMIntPredicate)c->predicate, x[0], x[1], "");
    if (find_instruction(how, &op)) return LLVMBuildBinOp(g->b, op, x[0], x[1], "");
    return unary(g, how, x[0]);
}

/* Halves round after each operation. */
static LLVMValueRef rounded(Gen *g, DType t, LLVMValueRef x) {
    const char *name = arena_printf(g->arena, "dsl_round_%s", dtype_info(t)->name);
    return dtype_is_half(t) ? gen_call(g, name, g->f32, ARGS(x)) : x;
}

static bool is_loop_in_kernel(const Op *op) {
    return op->code == OP_FOR || op->code == OP_WHILE || op->code == OP_REDUCE ||
           (op->code == OP_PARALLEL && op_loop(op) == LOOP_PLAIN && op->parent->owner->code != OP_ISLAND);
}

static bool is_inside(const Op *op, const Value *v) {
    bool inside = false;
    for (int i = 0; i < op->nregs; i++) inside |= region_encloses(op->regs[i], value_region(v));
    return inside;
}

/* What a thread divides by is the same in all turns of a loop around. */
static bool divides_by_same(const Op *op) {
    for (const Op *o = op->parent->owner; o && o->code != OP_ISLAND; o = o->parent->owner)
        if (is_loop_in_kernel(o)) return !is_inside(o, op_opnd(op, 1));
    return false;
}

static LLVMValueRef quotient_by_constant(Gen *g, LLVMValueRef x, double c) {
    double high = 1 / c, low = fma(-high, c, 1) * high;
    LLVMValueRef args[] = {x, LLVMConstReal(g->f64, c), LLVMConstReal(g->f64, high), LLVMConstReal(g->f64, low)};
    return gen_call_pure(g, "dsl_quotient_by_f64", DT_F64, DT_F64, 4, args);
}

/* x[0] / x[1] on a GPU, by a number that is known or the same for many (runtime/divide.h); NULL: as ever */
static LLVMValueRef quotient(Gen *g, const Op *op, DType t, LLVMValueRef *x) {
    if (!g->on_device || op->code != OP_DIV || (t != DT_F64 && t != DT_F32)) return NULL;
    const Op *by = op_opnd(op, 1)->def;
    bool known = by && by->code == OP_CONST;
    double c = known ? op_attr(by, A_VALUE)->c.f : 0;
    int power = 0;
    if (known && (!isnormal(c) || fabs(frexp(c, &power)) == 0.5)) return NULL; /* of 2^k LLVM makes a product */
    if (known && t == DT_F64 && abs(power) <= DSL_DIVIDE_MOST) return quotient_by_constant(g, x[0], c);
    if (!known && !divides_by_same(op)) return NULL;
    return gen_call_pure(g, t == DT_F64 ? "dsl_quotient_f64" : "dsl_quotient_f32", t, t, 2, x);
}

LLVMValueRef gen_elementwise(Gen *g, const Op *op, DType t, LLVMValueRef *x) {
    LLVMValueRef q = quotient(g, op, t, x);
    if (q) return q;
    const char *how = mapping(g, op->code, t);
    DType result = op->res[0].type->dtype, of = dtype_computed(t);
    LLVMValueRef r = how ? instruction(g, how, op->nopnds, x)
                         : gen_call_pure(g, elementwise_function(g->arena, op), result, of, op->nopnds, x);
    return rounded(g, result, r);
}

static LLVMValueRef *operands(Gen *g, const Op *op) {
    LLVMValueRef *x = NEWN(g->arena, LLVMValueRef, op->nopnds + 1);
    for (int i = 0; i < op->nopnds; i++) x[i] = gen_opnd(g, op, i);
    return x;
}

static DType dtype_of(const Op *op, int i) { return op_opnd(op, i)->type->dtype; }

static void elementwise(Gen *g, Op *op) {
    gen_set(g, &op->res[0], gen_elementwise(g, op, dtype_of(op, 0), operands(g, op)));
}

/* ---- those that may fail */

static LLVMValueRef zero_of(LLVMValueRef x) { return LLVMConstNull(LLVMTypeOf(x)); }

static LLVMValueRef divide_u32(Gen *g, const Op *op, LLVMValueRef *x) {
    LLVMValueRef narrow[2];
    for (int i = 0; i < 2; i++) narrow[i] = LLVMBuildTrunc(g->b, x[i], g->i32, "");
    return LLVMBuildZExt(g->b, gen_elementwise(g, op, DT_U32, narrow), g->i64, "");
}

void gen_divide(Gen *g, Op *op) {
    DType t = dtype_of(op, 0);
    if (dtype_is_int(t) && check_needs_divisor(&g->checked, op)) {
        LLVMValueRef y = gen_opnd(g, op, 1);
        gen_fail_if(g, LLVMBuildICmp(g->b, LLVMIntEQ, y, zero_of(y), ""), "dsl_fail_divzero",
                    ARGS(gen_site(g, op->span)));
        vec_push(g->arena, &g->checked, ((Checked){op_opnd(op, 1), NULL}));
    }
    LLVMValueRef *x = operands(g, op);
    Division how = plan_division(&g->ranges, g->session, op);
    if (how == DIVISION_U32) gen_set(g, &op->res[0], divide_u32(g, op, x));
    else gen_set(g, &op->res[0], gen_elementwise(g, op, how == DIVISION_UNSIGNED ? DT_U64 : t, x));
}

void gen_ipow(Gen *g, Op *op) {
    if (check_needs_exponent(op)) {
        LLVMValueRef y = gen_opnd(g, op, 1), wide = LLVMBuildSExt(g->b, y, g->i64, "");
        gen_fail_if(g, LLVMBuildICmp(g->b, LLVMIntSLT, y, zero_of(y), ""), "dsl_fail_negpow",
                    ARGS(gen_site(g, op->span), wide));
    }
    elementwise(g, op);
}

/* ---- select, cast */

void gen_select(Gen *g, Op *op) {
    gen_set(g, &op->res[0], LLVMBuildSelect(g->b, gen_opnd(g, op, 0), gen_opnd(g, op, 1), gen_opnd(g, op, 2), ""));
}

static LLVMValueRef to_bool(Gen *g, LLVMValueRef x, DType from) {
    if (dtype_is_float(from)) return LLVMBuildFCmp(g->b, LLVMRealUNE, x, zero_of(x), "");
    return LLVMBuildICmp(g->b, LLVMIntNE, x, zero_of(x), "");
}

static LLVMValueRef convert(Gen *g, LLVMValueRef x, DType from, DType to) {
    LLVMTypeRef t = type_of_scalar(g, to);
    bool is_signed = dtype_info(from)->kind == DK_INT;
    if (LLVMTypeOf(x) == t) return x;
    if (dtype_is_float(from)) return LLVMBuildFPCast(g->b, x, t, "");
    if (dtype_is_float(to)) return is_signed ? LLVMBuildSIToFP(g->b, x, t, "") : LLVMBuildUIToFP(g->b, x, t, "");
    return LLVMBuildIntCast2(g->b, x, t, is_signed, "");
}

/* The indefinite ones are of doubles. */
static LLVMValueRef by_function(Gen *g, const Op *op, const char *function, LLVMValueRef x) {
    DType of = op_flag(op, A_INDEFINITE) ? DT_F64 : dtype_computed(dtype_of(op, 0));
    x = convert(g, x, dtype_computed(dtype_of(op, 0)), of);
    return gen_call_of(g, function, op->res[0].type->dtype, of, 1, &x);
}

void gen_cast(Gen *g, Op *op) {
    DType from = dtype_of(op, 0), to = op->res[0].type->dtype;
    const char *function = cast_function(g->arena, op);
    LLVMValueRef x = gen_opnd(g, op, 0), r;
    if (from == to) r = x;
    else if (to == DT_BOOL) r = to_bool(g, x, from);
    else if (function) r = by_function(g, op, function, x);
    else r = rounded(g, to, convert(g, x, dtype_computed(from), to));
    gen_set(g, &op->res[0], r);
}

/* ---- sizes and constants */

void gen_const(Gen *g, Op *op) { (void)g, (void)op; } /* where it is used */

void gen_size_op(Gen *g, Op *op) { gen_set(g, &op->res[0], gen_size(g, op_attr(op, A_SIZE)->sizes[0])); }

void gen_threads(Gen *g, Op *op) {
    LLVMValueRef n = gen_call(g, "dsl_threads", g->i32, 0, NULL);
    gen_set(g, &op->res[0], LLVMBuildSExt(g->b, n, g->i64, ""));
}

/* ---- any operation */

static GenFn *const functions[OP_COUNT] = {
#define LLVM_OP(id, fn) [id] = fn,
#include "codegen/llvm/emit.def"
#undef LLVM_OP
};

static void gen_op(Gen *g, Op *op) {
    if (plan_is_dead(g->plan, op)) return;
    gen_debug_place(g, op->span);
    gen_trust(g, op);
    gen_home(g, op);
    if (functions[op->code]) functions[op->code](g, op);
    else if (op_info(op->code)->traits & TR_ELEM) elementwise(g, op);
    else bug("@%s: '%s' reached the LLVM emitter", g->plan->func->name, op_info(op->code)->mnemonic);
    for (int i = 0; i < op->nres; i++)
        if (type_is_tensor(op->res[i].type)) gen_define_syms(g, op->res[i].type, &op->res[i]);
}

static void free_scratch(Gen *g, const Region *r) {
    for (const Op *op = r->last; op; op = op->prev) {
        bool own = op->code == OP_ALLOC && !op->nopnds && !plan_is_dead(g->plan, op);
        if (own && !plan_on_stack(g->plan, op) && !gen_is_shared(g, op))
            gen_call(g, "dsl_scratch_free", g->nothing, ARGS(gen_value(g, &op->res[0])));
    }
}

void gen_region(Gen *g, const Region *r) {
    int facts = g->checked.len;
    LLVMValueRef untrusted = gen_untrusted(g);
    for (Op *op = r->first; op; op = op->next)
        if (!(op_info(op->code)->traits & TR_TERM)) gen_op(g, op);
    free_scratch(g, r);
    g->checked.len = facts;
    gen_untrusted_again(g, untrusted);
}
