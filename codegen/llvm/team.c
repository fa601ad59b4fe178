/* Threads of a GPU that do an iteration together: DSL_TEAM neighbours of a warp, a lane of the tree of reductions each
 * (lower/reduce_tree.h).
 *
 * What stands in the iteration all of them compute, and all of them write: they wait for each other before, so that
 * none reads what another one has written already.  What they share out is the elements of a reduction, and the
 * iterations of loops inside.  Results of lanes change hands by shuffles; at last all have the whole. */
#include "codegen/llvm/private.h"
#include "runtime/simt.h"

enum {
    AHEAD = 8, /* turns whose loads are on their way together, on a GPU */
    GROUPS_AHEAD = 4,
    CHUNK = 16 /* bytes of the largest load */
};

/* Without loops: written out several times it wants no more registers than there are. */
static bool is_straight(const Region *r) { return !region_has_loops(r); }

static Team *together(Gen *g) {
    Team *t = gen_team(g);
    return t && t->member && !t->apart ? t : NULL;
}

void gen_team_meets(Gen *g, Span at) {
    if (!together(g)) return;
    if (g->on_device) gen_device_meet(g);
    else gen_call(g, "dsl_simt_shuffle", g->i64, ARGS(gen_lane(g), gen_site(g, at), const_i64(g, 0), const_i64(g, 0)));
}

/* ---- shuffles */

static unsigned width_of(Gen *g, LLVMTypeRef t) {
    return t == g->f64 ? 64 : t == g->f32 ? 32 : LLVMGetIntTypeWidth(t);
}

static LLVMValueRef shuffle_on_device(Gen *g, LLVMValueRef bits, LLVMValueRef from, unsigned width) {
    LLVMValueRef low = gen_device_shuffle(g, LLVMBuildTrunc(g->b, bits, g->i32, ""), from);
    low = LLVMBuildZExt(g->b, low, g->i64, "");
    if (width <= 32) return low;
    LLVMValueRef half = const_i64(g, 32), high = LLVMBuildLShr(g->b, bits, half, "");
    high = gen_device_shuffle(g, LLVMBuildTrunc(g->b, high, g->i32, ""), from);
    high = LLVMBuildZExt(g->b, high, g->i64, "");
    return LLVMBuildOr(g->b, LLVMBuildShl(g->b, high, half, ""), low, "");
}

/* x of that member of the team */
static LLVMValueRef shuffle(Gen *g, LLVMValueRef x, LLVMValueRef from, Span at) {
    LLVMTypeRef t = LLVMTypeOf(x);
    LLVMValueRef bits = gen_bits(g, x);
    if (g->on_device) bits = shuffle_on_device(g, bits, from, width_of(g, t));
    else bits = gen_call(g, "dsl_simt_shuffle", g->i64, ARGS(gen_lane(g), gen_site(g, at), bits, from));
    return gen_of_bits(g, bits, t);
}

/* ---- a chunk of a reduction */

/* The element at i, into v */
static void element(Gen *g, const Op *op, LLVMValueRef i, LLVMValueRef *v) {
    const Region *r = op->regs[0];
    gen_set(g, r->args[0], i);
    gen_region(g, r);
    for (int k = 0; k < op->nres; k++) v[k] = gen_opnd(g, r->last, k);
}

/* x and y combined, into x */
static void combine(Gen *g, const Op *op, LLVMValueRef *x, LLVMValueRef *y) {
    const Region *r = op->regs[1];
    for (int k = 0; k < op->nres; k++) gen_set(g, r->args[k], x[k]), gen_set(g, r->args[op->nres + k], y[k]);
    gen_region(g, r);
    for (int k = 0; k < op->nres; k++) x[k] = gen_opnd(g, r->last, k);
}

/* A loop over first, first + step, .. below the chunk's length that carries acc */
typedef struct { LLVMValueRef i, *acc; LLVMBasicBlockRef header, body, after; } Turns;

static Turns turns_begin(Gen *g, const Op *op, LLVMValueRef first, LLVMValueRef *acc) {
    Turns t = {.acc = acc, .header = gen_block(g, "turn")};
    t.body = gen_block(g, "body"), t.after = gen_block(g, "after");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, t.header);
    gen_at(g, t.header);
    t.i = LLVMBuildPhi(g->b, g->i64, "");
    LLVMAddIncoming(t.i, &first, &before, 1);
    for (int k = 0; k < op->nres && acc; k++) {
        LLVMValueRef init = acc[k];
        acc[k] = LLVMBuildPhi(g->b, LLVMTypeOf(init), "");
        LLVMAddIncoming(acc[k], &init, &before, 1);
    }
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, t.i, gen_opnd(g, op, 0), ""), t.body, t.after);
    gen_at(g, t.body);
    return t;
}

static void turns_end(Gen *g, const Op *op, const Turns *t, int64_t step, LLVMValueRef *next) {
    LLVMValueRef i = LLVMBuildNSWAdd(g->b, t->i, const_i64(g, step), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(t->i, &i, &here, 1);
    for (int k = 0; k < op->nres && next; k++) LLVMAddIncoming(t->acc[k], &next[k], &here, 1);
    LLVMBuildBr(g->b, t->header);
    gen_at(g, t->after);
}

static bool may_trap(const Region *r) {
    for (const Op *o = r->first; o; o = o->next)
        if (op_may_trap(o)) return true;
    return false;
}

/* What this lane has with what that one has; those behind the half compute what nobody asks for, if that may be */
static void take_half(Gen *g, const Op *op, const Team *t, int half, LLVMValueRef *acc) {
    int n = op->nres;
    LLVMValueRef *other = NEWN(g->arena, LLVMValueRef, 2 * n), *old = other + n;
    LLVMValueRef from = LLVMBuildNSWAdd(g->b, t->member, const_i64(g, half), "");
    for (int k = 0; k < n; k++) other[k] = shuffle(g, old[k] = acc[k], from, op->span);
    if (!may_trap(op->regs[1])) {
        combine(g, op, acc, other);
        return;
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), take = gen_block(g, "take"), after = gen_block(g, "after");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, t->member, const_i64(g, half), ""), take, after);
    gen_at(g, take);
    combine(g, op, acc, other);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, after);
    gen_at(g, after);
    for (int k = 0; k < n; k++) {
        LLVMValueRef p = LLVMBuildPhi(g->b, LLVMTypeOf(acc[k]), "");
        LLVMAddIncoming(p, &old[k], &before, 1);
        LLVMAddIncoming(p, &acc[k], &end, 1);
        acc[k] = p;
    }
}

static void reduce_together(Gen *g, Op *op, Team *t) {
    int n = op->nres;
    LLVMValueRef *acc = NEWN(g->arena, LLVMValueRef, 3 * n), *next = acc + n, *v = next + n;
    for (int k = 0; k < n; k++) acc[k] = gen_opnd(g, op, 1 + k);
    Turns loop = turns_begin(g, op, t->member, acc);
    t->apart = true;
    element(g, op, loop.i, v);
    for (int k = 0; k < n; k++) next[k] = acc[k];
    combine(g, op, next, v);
    turns_end(g, op, &loop, DSL_TEAM, next);
    if (g->on_device && is_straight(op->regs[0])) gen_loop_unrolled(g, loop.header, AHEAD);
    for (int half = DSL_TEAM / 2; half >= 1; half /= 2) take_half(g, op, t, half, acc);
    t->apart = false;
    for (int k = 0; k < n; k++) gen_set(g, &op->res[k], shuffle(g, acc[k], const_i64(g, 0), op->span));
}

/* ---- the same by one thread: the lanes in memory */

static LLVMValueRef lane_slot(Gen *g, const Op *op, LLVMValueRef lanes, LLVMValueRef lane, int k) {
    LLVMValueRef at = LLVMBuildMul(g->b, lane, const_i64(g, 8 * op->nres), "");
    return gen_offset(g, LLVMBuildInBoundsGEP2(g->b, g->i8, lanes, &at, 1, ""), 8 * k);
}

static void lane_get(Gen *g, const Op *op, LLVMValueRef lanes, LLVMValueRef lane, LLVMValueRef *v) {
    for (int k = 0; k < op->nres; k++) v[k] = gen_from_slot(g, op->res[k].type, lane_slot(g, op, lanes, lane, k));
}

static void lane_put(Gen *g, const Op *op, LLVMValueRef lanes, LLVMValueRef lane, LLVMValueRef *v) {
    for (int k = 0; k < op->nres; k++) gen_to_slot(g, v[k], lane_slot(g, op, lanes, lane, k));
}

static void reduce_alone(Gen *g, Op *op) {
    int n = op->nres;
    LLVMValueRef lanes = gen_stack(g, LLVMArrayType2(g->i64, (uint64_t)(DSL_TEAM * n)));
    LLVMValueRef *x = NEWN(g->arena, LLVMValueRef, 2 * n), *y = x + n;
    for (int k = 0; k < n; k++) x[k] = gen_opnd(g, op, 1 + k);
    for (int l = 0; l < DSL_TEAM; l++) lane_put(g, op, lanes, const_i64(g, l), x);
    Turns loop = turns_begin(g, op, const_i64(g, 0), NULL);
    LLVMValueRef lane = LLVMBuildAnd(g->b, loop.i, const_i64(g, DSL_TEAM - 1), "");
    element(g, op, loop.i, y);
    lane_get(g, op, lanes, lane, x);
    combine(g, op, x, y);
    lane_put(g, op, lanes, lane, x);
    turns_end(g, op, &loop, 1, NULL);
    for (int half = DSL_TEAM / 2; half >= 1; half /= 2)
        for (int l = 0; l < half; l++) {
            lane_get(g, op, lanes, const_i64(g, l), x);
            lane_get(g, op, lanes, const_i64(g, l + half), y);
            combine(g, op, x, y);
            lane_put(g, op, lanes, const_i64(g, l), x);
        }
    lane_get(g, op, lanes, const_i64(g, 0), x);
    for (int k = 0; k < n; k++) gen_set(g, &op->res[k], x[k]);
}

void gen_reduce(Gen *g, Op *op) {
    Team *t = together(g);
    if (t) reduce_together(g, op, t);
    else reduce_alone(g, op);
}

/* ---- loops inside: a part of the iterations for each */

typedef struct { const Region *loop; bool found; } Own;

/* Memory that each thread has for itself holds what all of them have written there. */
static void find_own_write(void *ctx, Op *op) {
    Own *o = ctx;
    if (op->code != OP_STORE && op->code != OP_ATOMIC) return;
    const Value *buf = op_opnd(op, 1);
    o->found |= buf->def && !region_encloses(o->loop, value_region(buf));
}

/* Whether each access is of what stands beside that of the iteration before, in memory that begins where a load of
 * CHUNK bytes may; the most bytes of an element */
typedef struct { const Region *loop; bool beside; int64_t bytes; } Beside;

static bool is_beside(const Region *loop, const Op *op, int first) {
    const Type *t = op_opnd(op, first - 1)->type;
    int64_t n, bytes = dtype_info(t->dtype)->bytes;
    for (int i = 0; i < t->rank; i++) {
        const Value *at = op_opnd(op, first + i);
        if (at == loop->args[0] ? i < t->rank - 1 : region_encloses(loop, value_region(at))) return false;
    }
    return t->rank == 1 || (t->rank && size_is_const(t->dims[t->rank - 1], &n) && n * bytes % CHUNK == 0);
}

static void find_beside(void *ctx, Op *op) {
    Beside *b = ctx;
    bool load = op->code == OP_LOAD, store = op->code == OP_STORE;
    if (!load && !store) {
        b->beside &= !op_reads_memory(op) && !op_writes_memory(op);
        return;
    }
    int64_t bytes = dtype_info(op_opnd(op, store)->type->dtype)->bytes;
    b->beside &= is_beside(b->loop, op, 1 + store);
    b->bytes = bytes > b->bytes ? bytes : b->bytes;
}

/* How many iterations beside each other a thread does, whose elements then are one load, one store: 1 to CHUNK / 2 */
static int group_of(const Op *op) {
    Beside b = {op->regs[0], is_straight(op->regs[0]) && op->nopnds == 1, 2};
    if (b.beside) region_walk(op->regs[0], find_beside, &b);
    return b.beside ? (int)(CHUNK / b.bytes) : 1;
}

/* Iterations from `from` on, below `to`, in groups: those of a thread are the member's, then DSL_TEAM groups on */
static void share_out(Gen *g, const Op *op, LLVMValueRef from, LLVMValueRef to, int group) {
    LLVMBasicBlockRef header = gen_block(g, "share"), work = gen_block(g, "work"), after = gen_block(g, "after");
    LLVMValueRef own = LLVMBuildNSWMul(g->b, gen_team(g)->member, const_i64(g, group), "");
    LLVMValueRef first = LLVMBuildNSWAdd(g->b, from, own, ""), i;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, header);
    gen_at(g, header);
    i = LLVMBuildPhi(g->b, g->i64, "");
    LLVMAddIncoming(i, &first, &before, 1);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, i, to, ""), work, after);
    gen_at(g, work);
    for (int k = 0; k < group; k++) {
        gen_split_index(g, op, op->nopnds, LLVMBuildNSWAdd(g->b, i, const_i64(g, k), ""));
        gen_region(g, op->regs[0]);
    }
    LLVMValueRef next = LLVMBuildNSWAdd(g->b, i, const_i64(g, DSL_TEAM * group), "");
    before = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(i, &next, &before, 1);
    LLVMBuildBr(g->b, header);
    if (g->on_device && is_straight(op->regs[0])) gen_loop_unrolled(g, header, group > 1 ? GROUPS_AHEAD : AHEAD);
    gen_at(g, after);
}

bool gen_in_team(Gen *g, Op *op) {
    Team *t = together(g);
    Own own = {op->regs[0], false};
    if (!t || op_flag(op, A_SERIAL)) return false;
    region_walk(op->regs[0], find_own_write, &own);
    if (own.found) return false;
    int group = group_of(op);
    LLVMValueRef n = gen_iterations(g, op, op->nopnds), whole = const_i64(g, 0);
    gen_team_meets(g, op->span);
    t->apart = true;
    if (group > 1) {
        whole = LLVMBuildNSWSub(g->b, n, LLVMBuildURem(g->b, n, const_i64(g, DSL_TEAM * group), ""), "");
        share_out(g, op, const_i64(g, 0), whole, group);
    }
    share_out(g, op, whole, n, 1);
    t->apart = false;
    gen_team_meets(g, op->span);
    return true;
}
