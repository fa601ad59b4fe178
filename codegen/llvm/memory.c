/* Islands and their memory: buffers, elements, atomic updates.
 *
 * Buffers of an island never share memory: each is a scope of its own, and an access says which scopes it has nothing
 * to do with. */
#include "codegen/llvm/private.h"
#include "ir/index.h"

#include <string.h>

LLVMValueRef gen_array_field(Gen *g, LLVMValueRef array, int64_t offset, LLVMTypeRef t) {
    return LLVMBuildLoad2(g->b, t, gen_offset(g, array, offset), "");
}

/* ---- islands */

static LLVMValueRef metadata_text(Gen *g, const char *text) {
    return LLVMMetadataAsValue(g->ctx, LLVMMDStringInContext2(g->ctx, text, strlen(text)));
}

static LLVMMetadataRef node(Gen *g, int n, LLVMValueRef *values) {
    LLVMMetadataRef *parts = NEWN(g->arena, LLVMMetadataRef, n + 1);
    for (int i = 0; i < n; i++) parts[i] = LLVMValueAsMetadata(values[i]);
    return LLVMMDNodeInContext2(g->ctx, parts, (size_t)n);
}

/* Of each buffer of the island: its own scope, and those of the others */
static void set_scopes(Gen *g, const Region *body) {
    int n = body->nargs, island = ++g->islands;
    LLVMValueRef name = metadata_text(g, arena_printf(g->arena, "island %d", island)), parts[2];
    parts[1] = LLVMMetadataAsValue(g->ctx, node(g, 1, &name));
    LLVMValueRef *scopes = NEWN(g->arena, LLVMValueRef, n + 1), *others = NEWN(g->arena, LLVMValueRef, n + 1);
    for (int i = 0; i < n; i++) {
        parts[0] = metadata_text(g, arena_printf(g->arena, "island %d buffer %d", island, i));
        scopes[i] = LLVMMetadataAsValue(g->ctx, node(g, 2, parts));
    }
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < n; j++)
            if (j != i) others[k++] = scopes[j];
        g->scopes[body->args[i]->id] = LLVMMetadataAsValue(g->ctx, node(g, 1, &scopes[i]));
        g->others[body->args[i]->id] = k ? LLVMMetadataAsValue(g->ctx, node(g, k, others)) : NULL;
    }
}

static LLVMValueRef in_scope(Gen *g, const Value *buf, LLVMValueRef access) {
    if (g->scopes[buf->id]) LLVMSetMetadata(access, gen_metadata_kind(g, "alias.scope"), g->scopes[buf->id]);
    if (g->others[buf->id]) LLVMSetMetadata(access, gen_metadata_kind(g, "noalias"), g->others[buf->id]);
    if (g->group) LLVMSetMetadata(access, gen_metadata_kind(g, "llvm.access.group"), g->group);
    return access;
}

void gen_island(Gen *g, Op *op) {
    const Attr *modes = op_attr(op, A_MODES);
    const Region *body = op->regs[0];
    for (int i = 0, r = 0; i < op->nopnds; i++) {
        LLVMValueRef x = gen_opnd(g, op, i);
        if (modes->ints[i]) gen_set(g, &op->res[r++], x = gen_written(g, op, i));
        if (g->plan->touch[body->args[i]->id] == TOUCH_WHOLE) gen_home_of(g, x, modes->ints[i]);
        gen_set(g, body->args[i], x);
    }
    for (int i = 0; i < op->nopnds; i++)
        gen_set(g, body->args[i], gen_array_field(g, gen_value(g, body->args[i]), ARRAY_DATA, g->ptr));
    set_scopes(g, body);
    bool outer = g->in_unit;
    g->in_unit = false;
    gen_region(g, body);
    g->in_unit = outer;
}

/* ---- memory inside */

int64_t gen_elements(const Type *t) {
    int64_t all = 1, n;
    for (int i = 0; i < t->rank; i++)
        if (size_is_const(t->dims[i], &n)) all *= n;
    return all;
}

static LLVMValueRef stack_buffer(Gen *g, const Op *op) {
    const Type *t = op->res[0].type;
    int64_t n = gen_elements(t);
    LLVMValueRef p = gen_stack(g, LLVMArrayType2(type_in_memory(g, t->dtype), (uint64_t)n)),
                 bytes = const_i64(g, n * dtype_info(t->dtype)->bytes);
    LLVMSetAlignment(p, 64);
    if (plan_zeroed(g->plan, op)) LLVMBuildMemSet(g->b, p, LLVMConstInt(g->i8, 0, false), bytes, 64);
    return p;
}

static LLVMValueRef scratch_buffer(Gen *g, const Op *op) {
    gen_kernel_fails(g);
    const Type *t = op->res[0].type;
    LLVMValueRef zero = LLVMConstInt(g->i1, plan_zeroed(g->plan, op), false);
    return gen_call(
        g, "dsl_scratch", g->ptr,
        ARGS(gen_site(g, op->span), const_i32(g, (int)t->dtype), const_i32(g, t->rank), gen_dims(g, t), zero));
}

void gen_alloc(Gen *g, Op *op) {
    if (op->nopnds) return gen_set(g, &op->res[0], gen_opnd(g, op, 0));
    bool shared = gen_is_shared(g, op), stack = plan_on_stack(g->plan, op);
    gen_set(g, &op->res[0], shared  ? gen_shared(g, op)
                            : stack ? stack_buffer(g, op)
                                    : scratch_buffer(g, op));
}

/* ---- elements */

void gen_check_index(Gen *g, const Op *op, int first) {
    const Type *t = op_opnd(op, first - 1)->type;
    for (int i = 0; i < t->rank; i++) {
        if (!check_needs_index(&g->checked, op, first, i)) continue;
        LLVMValueRef x = gen_opnd(g, op, first + i), n = gen_array_extent(g, t->dims[i]);
        LLVMValueRef args[] = {gen_site(g, op->span), const_i32(g, i), x, n};
        gen_fail_if(g, LLVMBuildICmp(g->b, LLVMIntUGE, x, n, ""), "dsl_fail_bounds", 4, args);
        vec_push(g->arena, &g->checked, ((Checked){op_opnd(op, first + i), t->dims[i]}));
    }
}

LLVMValueRef gen_index(Gen *g, const Type *t, const Use *idx) {
    LLVMValueRef at = t->rank ? gen_value(g, idx[0].val) : const_i64(g, 0);
    for (int i = 1; i < t->rank; i++) {
        at = LLVMBuildNSWMul(g->b, at, gen_array_extent(g, t->dims[i]), "");
        at = LLVMBuildNSWAdd(g->b, at, gen_value(g, idx[i].val), "");
    }
    return at;
}

/* For a GPU constants that are added to indices are added to the address behind all else: neighbours have that in
 * common, and where sizes are known what they differ in is part of the instruction. */
static LLVMValueRef address_of_neighbour(Gen *g, const Value *buf, const Use *idx) {
    const Type *t = buf->type;
    LLVMTypeRef element = type_in_memory(g, t->dtype);
    LLVMValueRef at = const_i64(g, 0), beside = at;
    for (int i = 0; i < t->rank; i++) {
        int64_t k;
        const Value *v = index_without_constant(idx[i].val, &k);
        if (i) {
            LLVMValueRef n = gen_array_extent(g, t->dims[i]);
            at = LLVMBuildMul(g->b, at, n, ""), beside = LLVMBuildMul(g->b, beside, n, "");
        }
        at = LLVMBuildAdd(g->b, at, gen_value(g, v), "");
        beside = LLVMBuildAdd(g->b, beside, const_i64(g, k), "");
    }
    LLVMValueRef base = LLVMBuildGEP2(g->b, element, gen_value(g, buf), &at, 1, "");
    return LLVMBuildGEP2(g->b, element, base, &beside, 1, "");
}

static LLVMValueRef address(Gen *g, const Op *op, int first) {
    const Value *buf = op_opnd(op, first);
    LLVMValueRef row = gen_row_place(gen_kernel_rows(g), buf);
    if (g->kernel && !buf->def && !row && !gen_in_product(g))
        return address_of_neighbour(g, buf, op->opnds + first + 1);
    LLVMValueRef at = row ? gen_value(g, op_opnd(op, first + buf->type->rank))
                          : gen_index(g, buf->type, op->opnds + first + 1);
    if (row) return LLVMBuildInBoundsGEP2(g->b, type_in_memory(g, buf->type->dtype), row, &at, 1, "");
    return LLVMBuildInBoundsGEP2(g->b, type_in_memory(g, buf->type->dtype), gen_value(g, buf), &at, 1, "");
}

LLVMValueRef gen_from_memory(Gen *g, DType t, LLVMValueRef x) {
    if (t == DT_BOOL) return LLVMBuildTrunc(g->b, x, g->i1, "");
    if (!dtype_is_half(t)) return x;
    x = gen_call(g, arena_printf(g->arena, "dsl_%s_to_f32", dtype_info(t)->name), g->f32, 1, &x);
    gen_extend(g, x, 0, DT_U16); /* its bits */
    return x;
}

LLVMValueRef gen_to_memory(Gen *g, DType t, LLVMValueRef x) {
    if (t == DT_BOOL) return LLVMBuildZExt(g->b, x, g->i8, "");
    return dtype_is_half(t) ? gen_call(g, arena_printf(g->arena, "dsl_f32_to_%s", dtype_info(t)->name),
                                       LLVMInt16TypeInContext(g->ctx), 1, &x)
                            : x;
}

static LLVMValueRef load_from(Gen *g, const Value *buf, LLVMValueRef p) {
    DType t = buf->type->dtype;
    if (gen_is_apart(g, buf)) return gen_from_memory(g, t, gen_element(g, gen_value(g, buf), t, p));
    return gen_from_memory(g, t, in_scope(g, buf, LLVMBuildLoad2(g->b, type_in_memory(g, t), p, "")));
}

static void store_to(Gen *g, const Value *buf, LLVMValueRef p, LLVMValueRef x) {
    DType t = buf->type->dtype;
    x = gen_to_memory(g, t, x);
    if (gen_is_apart(g, buf)) gen_poke(g, gen_value(g, buf), t, p, x);
    else in_scope(g, buf, LLVMBuildStore(g->b, x, p));
}

void gen_load(Gen *g, Op *op) {
    gen_check_index(g, op, 1);
    gen_set(g, &op->res[0], load_from(g, op_opnd(op, 0), address(g, op, 0)));
}

void gen_store(Gen *g, Op *op) {
    gen_check_index(g, op, 2);
    if (!op_opnd(op, 1)->def) gen_team_meets(g, op->span); /* not memory of this thread's own */
    store_to(g, op_opnd(op, 1), address(g, op, 1), gen_opnd(g, op, 0));
}

void gen_prefetch(Gen *g, Op *op) {
    LLVMValueRef args[] = {address(g, op, 0), const_i32(g, 0), const_i32(g, 3), const_i32(g, 1)};
    gen_intrinsic(g, "llvm.prefetch", g->ptr, 4, args);
}

/* ---- what iterations tell each other.  The simulator runs blocks in order: whom one awaits has been. */

static LLVMValueRef box_of(Gen *g, const Op *op, int buf) {
    LLVMValueRef at = LLVMBuildNSWMul(g->b, gen_opnd(g, op, buf + 1), const_i64(g, 2), "");
    return LLVMBuildInBoundsGEP2(g->b, g->i64, gen_opnd(g, op, buf), &at, 1, "");
}

void gen_signal(Gen *g, Op *op) {
    LLVMValueRef box = box_of(g, op, 1), bits = gen_bits(g, gen_opnd(g, op, 0));
    if (g->on_device) gen_device_signal(g, box, bits);
    else LLVMBuildStore(g->b, bits, box);
}

void gen_await(Gen *g, Op *op) {
    LLVMValueRef box = box_of(g, op, 0);
    LLVMValueRef bits = g->on_device ? gen_device_await(g, box) : LLVMBuildLoad2(g->b, g->i64, box, "");
    gen_set(g, &op->res[0], gen_of_bits(g, bits, type_of_value(g, op->res[0].type)));
}

/* ---- atomic updates */

/* x where old is what the compare-and-swap expects */
static LLVMValueRef swapped(Gen *g, const Op *op, LLVMValueRef old, LLVMValueRef x) {
    LLVMValueRef same = LLVMBuildICmp(g->b, LLVMIntEQ, old, gen_opnd(g, op, op->nopnds - 1), "");
    return LLVMBuildSelect(g->b, same, x, old, "");
}

static LLVMValueRef combined(Gen *g, const Op *op, LLVMValueRef old, LLVMValueRef x) {
    Combine kind = op_combine(op);
    if (kind == COMBINE_SET) return x;
    if (op_expected(op)) return swapped(g, op, old, x);
    const Type *t = type_scalar(g->session, op_opnd(op, 1)->type->dtype);
    Value result = {.type = t};
    OpCode code = combine_info(kind)->op;
    Op step = {.code = code, .nopnds = 2, .nres = 1, .opnds = op->opnds, .res = &result, .parent = op->parent};
    return gen_elementwise(g, &step, t->dtype, (LLVMValueRef[]){old, x});
}

static void update_alone(Gen *g, Op *op, LLVMValueRef p) {
    const Value *buf = op_opnd(op, 1);
    LLVMValueRef old = load_from(g, buf, p);
    store_to(g, buf, p, combined(g, op, old, gen_opnd(g, op, 0)));
    if (op->nres) gen_set(g, &op->res[0], old);
}

static LLVMValueRef is_minus_zero(Gen *g, LLVMValueRef x) {
    LLVMTypeRef t = LLVMTypeOf(x), bits = t == g->f64 ? g->i64 : g->i32;
    LLVMValueRef none = LLVMConstBitCast(LLVMConstReal(t, -0.0), bits);
    return LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildBitCast(g->b, x, bits, ""), none, "");
}

/* Threads of a warp add up before what they add to the same element (runtime/gpu/warp.c). */
static void add_in_warp(Gen *g, const Op *op, LLVMValueRef p) {
    const char *name = arena_printf(g->arena, "dsl_warp_add_%s", dtype_info(op_opnd(op, 1)->type->dtype)->name);
    gen_call(g, name, g->nothing, ARGS(p, gen_opnd(g, op, 0)));
}

/* Mostly it is -0.0, which changes nothing; the element is this thread's of its warp. */
static void add_few(Gen *g, const Op *op, LLVMValueRef p) {
    LLVMBasicBlockRef add = gen_block(g, "add"), after = gen_block(g, "after");
    LLVMValueRef x = gen_opnd(g, op, 0);
    LLVMBuildCondBr(g->b, is_minus_zero(g, x), after, add);
    gen_at(g, add);
    LLVMBuildAtomicRMW(g->b, LLVMAtomicRMWBinOpFAdd, p, x, LLVMAtomicOrderingMonotonic, false);
    LLVMBuildBr(g->b, after);
    gen_at(g, after);
}

/* Who does not ask what was there need not read it; bytes and halves have no instruction that does. */
static void set_indivisibly(Gen *g, const Op *op, LLVMValueRef p) {
    DType t = op_opnd(op, 1)->type->dtype;
    LLVMValueRef x = LLVMBuildStore(g->b, gen_to_memory(g, t, gen_opnd(g, op, 0)), p);
    LLVMSetOrdering(x, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(x, (unsigned)dtype_info(t)->bytes);
}

/* A GPU adds floats, and takes the less or the greater of ints, by an instruction; the host keeps the order of floats,
 * and looks first whether there is something to do. */
static bool gen_device_update(Gen *g, Op *op, Update update, LLVMValueRef p) {
    const DTypeInfo *t = dtype_info(op_opnd(op, 1)->type->dtype);
    Combine kind = op_combine(op);
    bool adds = t->kind == DK_FLOAT && t->bytes >= 4 && kind == COMBINE_ADD;
    bool chooses = (t->kind == DK_INT || t->kind == DK_UINT) && t->bytes >= 4 &&
                   (kind == COMBINE_MIN || kind == COMBINE_MAX) && update != UPDATE_EXTREME_SAME;
    if (g->opts->emit.target != TARGET_CUDA) return false;
    if (g->on_device && !op->nres && kind == COMBINE_SET) return set_indivisibly(g, op, p), true;
    if (g->on_device && !op->nres && adds)
        return op_flag(op, A_FEW) ? add_few(g, op, p) : add_in_warp(g, op, p), true;
    if (!adds && !chooses) return false;
    LLVMAtomicRMWBinOp how = adds                  ? LLVMAtomicRMWBinOpFAdd
                             : kind == COMBINE_MIN ? t->kind == DK_INT ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin
                             : t->kind == DK_INT   ? LLVMAtomicRMWBinOpMax
                                                   : LLVMAtomicRMWBinOpUMax;
    LLVMValueRef old = LLVMBuildAtomicRMW(g->b, how, p, gen_opnd(g, op, 0), LLVMAtomicOrderingMonotonic, false);
    if (op->nres) gen_set(g, &op->res[0], old);
    return true;
}

void gen_atomic(Gen *g, Op *op) {
    static const char *const forms[] = {[UPDATE_OPERATOR] = "fetch_%s",
                                        [UPDATE_FETCH] = "fetch_%s",
                                        [UPDATE_EXTREME] = "atomic_%s",
                                        [UPDATE_EXTREME_SAME] = "atomic_%s_same"};
    Update update = g->plan->updates[op->mark];
    DType t = op_opnd(op, 1)->type->dtype;
    gen_check_index(g, op, 2);
    bool swaps = op_expected(op) != NULL;
    LLVMValueRef p = address(g, op, 1), last = swaps ? gen_opnd(g, op, op->nopnds - 1) : NULL,
                 args[] = {p, gen_opnd(g, op, 0), last};
    bool shadow = g->kernel && !g->on_device && g->opts->emit.target == TARGET_CUDA; /* in tests, by one thread */
    if (update == UPDATE_ALONE || (shadow && dtype_is_half(t))) {
        update_alone(g, op, p);
        return;
    }
    if (gen_device_update(g, op, update, p)) return;
    bool gives = update == UPDATE_OPERATOR || update == UPDATE_FETCH;
    const char *form = arena_printf(g->arena, "dsl_%s_%s", swaps ? "%s" : forms[update], dtype_info(t)->name);
    const char *name = arena_printf(g->arena, form, combine_info(op_combine(op))->word);
    LLVMValueRef old = gen_call(g, name, gives ? type_of_scalar(g, t) : g->nothing, 2 + swaps, args);
    gen_extend(g, old, 1, t);
    if (op->nres) gen_set(g, &op->res[0], old);
}
