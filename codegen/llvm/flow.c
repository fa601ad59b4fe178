/* Control flow: branches, loops, calls. */
#include "codegen/llvm/private.h"
#include "ir/index.h"
#include "runtime/dsl.h"

void gen_nothing(Gen *g, Op *op) { (void)g, (void)op; }

static LLVMBasicBlockRef here(Gen *g) { return LLVMGetInsertBlock(g->b); }

static LLVMValueRef phi(Gen *g, LLVMTypeRef t, LLVMValueRef x, LLVMBasicBlockRef from) {
    LLVMValueRef p = LLVMBuildPhi(g->b, t, "");
    LLVMAddIncoming(p, &x, &from, 1);
    return p;
}

static void incoming(LLVMValueRef p, LLVMValueRef x, LLVMBasicBlockRef from) { LLVMAddIncoming(p, &x, &from, 1); }

/* ---- if */

static LLVMValueRef *yields(Gen *g, const Region *r) {
    const Op *yield = r->last;
    LLVMValueRef *x = NEWN(g->arena, LLVMValueRef, yield->nopnds + 1);
    for (int i = 0; i < yield->nopnds; i++) x[i] = gen_opnd(g, yield, i);
    return x;
}

void gen_if(Gen *g, Op *op) {
    LLVMBasicBlockRef side[2] = {gen_block(g, "then"), gen_block(g, "else")}, after = gen_block(g, "after"), from[2];
    LLVMValueRef *x[2];
    LLVMBuildCondBr(g->b, gen_opnd(g, op, 0), side[0], side[1]);
    for (int k = 0; k < 2; k++) {
        gen_at(g, side[k]);
        gen_region(g, op->regs[k]);
        x[k] = yields(g, op->regs[k]);
        from[k] = here(g);
        LLVMBuildBr(g->b, after);
    }
    gen_at(g, after);
    for (int i = 0; i < op->nres; i++) {
        LLVMValueRef p = phi(g, LLVMTypeOf(x[0][i]), x[0][i], from[0]);
        incoming(p, x[1][i], from[1]);
        gen_set(g, &op->res[i], p);
    }
}

/* ---- for and while */

LLVMValueRef gen_loop_begin(Gen *g, LLVMValueRef n, LLVMBasicBlockRef *header) {
    LLVMBasicBlockRef before = here(g), body = gen_block(g, "body"), after = gen_block(g, "after");
    *header = gen_block(g, "loop");
    LLVMBuildBr(g->b, *header);
    gen_at(g, *header);
    LLVMValueRef i = phi(g, g->i64, const_i64(g, 0), before);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, i, n, ""), body, after);
    gen_at(g, body);
    return i;
}

void gen_loop_end(Gen *g, LLVMValueRef i, LLVMBasicBlockRef header) {
    LLVMValueRef next = LLVMBuildNSWAdd(g->b, i, const_i64(g, 1), "");
    LLVMSetNUW(next, true);
    incoming(i, next, here(g));
    LLVMBuildBr(g->b, header);
    gen_at(g, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(header), 1));
}

/* The carried values of a loop, which begins with init, as arguments of its region */
static LLVMValueRef *carried(Gen *g, int n, LLVMValueRef *init, const Region *body, int first_arg,
                             LLVMBasicBlockRef before) {
    LLVMValueRef *all = NEWN(g->arena, LLVMValueRef, n + 1);
    for (int i = 0; i < n; i++) {
        all[i] = phi(g, LLVMTypeOf(init[i]), init[i], before);
        gen_set(g, body->args[first_arg + i], all[i]);
    }
    return all;
}

static void carry_on(Gen *g, const Region *body, LLVMValueRef *all) {
    LLVMValueRef *next = yields(g, body);
    for (int i = 0; i < body->last->nopnds; i++) incoming(all[i], next[i], here(g));
}

/* Whether i goes on: by the sign of the step */
static LLVMValueRef goes_on(Gen *g, const Op *op, LLVMValueRef i, LLVMValueRef hi, LLVMValueRef step) {
    int64_t k;
    bool known = int_constant(op_opnd(op, 2), &k);
    LLVMValueRef up = known && k < 0 ? NULL : LLVMBuildICmp(g->b, LLVMIntSLT, i, hi, "");
    LLVMValueRef down = known && k > 0 ? NULL : LLVMBuildICmp(g->b, LLVMIntSGT, i, hi, "");
    if (!up || !down) return up ? up : down;
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntSGT, step, const_i64(g, 0), ""), up, down, "");
}

LLVMValueRef gen_progress_begin(Gen *g, const Op *op) {
    if (!op_flag(op, A_PROGRESS)) return NULL;
    LLVMValueRef bar = gen_stack(g, LLVMArrayType2(g->i64, sizeof(dsl_progress) / 8));
    LLVMValueRef trips =
        gen_call(g, "dsl_trips", g->i64, ARGS(gen_opnd(g, op, 0), gen_opnd(g, op, 1), gen_opnd(g, op, 2)));
    gen_call(g, "dsl_progress_begin", g->nothing, ARGS(bar, trips));
    return bar;
}

/* What a for begins with, and comes to: the counter, the turns that are left (NULL: the counter says it), the bar of
 * its progress (NULL: none), the carried values */
enum { COUNTER, LEFT, BAR, CARRIED };

/* On a GPU: what such a loop reads is on its way at the same time if it is written out.  LLVM leaves a few turns of it,
 * and ptxas takes the rest only in small kernels. */
static bool is_short_reader(const Op *loop, int64_t *turns) {
    enum { MOST_TURNS = 64, MOST_OPS = 16 };
    int ops = 0, loads = 0;
    if (!loop_turns(loop, turns) || *turns < 2 || *turns > MOST_TURNS) return false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        if (o->nregs || o->code == OP_CALL || o->code == OP_STORE || o->code == OP_ATOMIC) return false;
        ops++, loads += o->code == OP_LOAD;
    }
    return loads && ops <= MOST_OPS;
}

/* On the side of a branch that is not the usual one */
static bool is_rare(const Op *op) {
    const Op *owner = op->parent->owner;
    return owner && owner->code == OP_IF && op_flag(owner, A_FEW) && owner->regs[1] == op->parent;
}

/* Where the counter may wrap, the iterations are counted, and it is not looked at. */
static void for_loop(Gen *g, Op *op, LLVMValueRef *state, const LoopUnit *unit) {
    const Region *r = op->regs[0];
    LLVMValueRef bar = state[BAR], hi = gen_opnd(g, op, 1), step = gen_opnd(g, op, 2), left = NULL;
    LLVMBasicBlockRef before = here(g), header = gen_block(g, "for"), body = gen_block(g, "body"),
                      after = gen_block(g, "after");
    LLVMBuildBr(g->b, header);
    gen_at(g, header);
    LLVMValueRef i = phi(g, g->i64, state[COUNTER], before);
    if (state[LEFT]) left = phi(g, g->i64, state[LEFT], before);
    LLVMValueRef *all = carried(g, op->nres, state + CARRIED, r, 1, before);
    gen_set(g, r->args[0], i);
    LLVMValueRef on = left ? LLVMBuildICmp(g->b, LLVMIntSGT, left, const_i64(g, 0), "") : goes_on(g, op, i, hi, step);
    LLVMBuildCondBr(g->b, on, body, after);
    gen_at(g, body);
    state[COUNTER] = i, state[LEFT] = left;
    for (int k = 0; k < op->nres; k++) state[CARRIED + k] = all[k];
    if (unit) gen_unit_turn(g, unit, state);
    gen_turn(g, op);
    gen_region(g, r);
    if (bar) gen_call(g, "dsl_progress_step", g->nothing, ARGS(bar));
    carry_on(g, r, all);
    incoming(i, left ? LLVMBuildAdd(g->b, i, step, "") : LLVMBuildNSWAdd(g->b, i, step, ""), here(g));
    if (left) incoming(left, LLVMBuildSub(g->b, left, const_i64(g, 1), ""), here(g));
    LLVMBuildBr(g->b, header);
    int64_t turns;
    if (gen_in_product(g) || (g->kernel && is_rare(op))) gen_loop_stays(g, header);
    else if (op_flag(op, A_SIMD)) gen_loop_lanes(g, header);
    else if (g->on_device && is_short_reader(op, &turns)) gen_loop_unrolled(g, header, (int)turns);
    gen_at(g, after);
}

typedef void Loop(Gen *g, Op *op, LLVMValueRef *state, const LoopUnit *unit);

/* The loop, from state to state; unit: what it is where it is one, else NULL */
static void gen_loop(Gen *g, Op *op, Loop *loop, int n, LLVMValueRef *state) {
    if (!gen_opens_unit(g)) {
        loop(g, op, state, NULL);
        return;
    }
    LoopUnit unit = gen_unit_begin(g, n, state);
    loop(g, op, state, &unit);
    gen_unit_end(g, &unit, state);
}

static void in_order(Gen *g, Op *op) {
    LLVMValueRef lo = gen_opnd(g, op, 0), hi = gen_opnd(g, op, 1), step = gen_opnd(g, op, 2),
                 *state = NEWN(g->arena, LLVMValueRef, CARRIED + op->nres);
    bool counted = plan_may_wrap(&g->ranges, g->session, op);
    state[COUNTER] = lo, state[BAR] = gen_progress_begin(g, op);
    state[LEFT] = counted ? gen_call(g, "dsl_trips", g->i64, ARGS(lo, hi, step)) : NULL;
    for (int k = 0; k < op->nres; k++) state[CARRIED + k] = gen_opnd(g, op, 3 + k);
    LLVMValueRef bar = state[BAR];
    gen_loop(g, op, for_loop, CARRIED + op->nres, state);
    gen_turns_end(g, op);
    for (int k = 0; k < op->nres; k++) gen_set(g, &op->res[k], state[CARRIED + k]);
    if (bar) gen_call(g, "dsl_progress_end", g->nothing, ARGS(bar));
}

void gen_for(Gen *g, Op *op) {
    const LoopPlan *p = plan_loop(g->plan, op);
    if (p && p->threads) gen_share_turns(g, op);
    else in_order(g, op);
}

static void while_loop(Gen *g, Op *op, LLVMValueRef *state, const LoopUnit *unit) {
    const Region *cond = op->regs[0], *r = op->regs[1];
    LLVMBasicBlockRef before = here(g), header = gen_block(g, "while"), body = gen_block(g, "body"),
                      after = gen_block(g, "after");
    LLVMBuildBr(g->b, header);
    gen_at(g, header);
    LLVMValueRef *all = carried(g, op->nres, state, r, 0, before);
    if (unit) gen_unit_turn(g, unit, all); /* before the condition, which may do more than look */
    for (int i = 0; i < op->nres; i++) gen_set(g, cond->args[i], all[i]);
    gen_region(g, cond);
    LLVMBuildCondBr(g->b, gen_opnd(g, cond->last, 0), body, after);
    gen_at(g, body);
    gen_turn(g, op);
    gen_region(g, r);
    carry_on(g, r, all);
    LLVMBuildBr(g->b, header);
    gen_at(g, after);
    for (int i = 0; i < op->nres; i++) state[i] = all[i];
}

void gen_while(Gen *g, Op *op) {
    LLVMValueRef *state = NEWN(g->arena, LLVMValueRef, op->nres + 1);
    for (int i = 0; i < op->nres; i++) state[i] = gen_opnd(g, op, i);
    gen_loop(g, op, while_loop, op->nres, state);
    gen_turns_end(g, op);
    for (int i = 0; i < op->nres; i++) gen_set(g, &op->res[i], state[i]);
}

/* ---- spawn */

/* strand(env), which leaves what the region yields at the beginning of env */
static LLVMValueRef strand(Gen *g, const Region *r, LLVMValueRef *env) {
    LLVMValueRef fn = LLVMAddFunction(g->out, "strand", LLVMFunctionType(g->nothing, &g->ptr, 1, false));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    Fn *f = gen_fn_begin(g, fn, g->fn);
    f->env = LLVMGetParam(fn, 0);
    f->nstate = r->last->nopnds;
    gen_region(g, r);
    LLVMValueRef *x = yields(g, r);
    for (int i = 0; i < r->last->nopnds; i++) LLVMBuildStore(g->b, x[i], gen_offset(g, f->env, 8 * i));
    LLVMBuildRetVoid(g->b);
    gen_fn_end(g, f);
    *env = gen_env(g, f);
    return fn;
}

static void run_together(Gen *g, Op *op) {
    LLVMValueRef env[2], fn[2];
    for (int k = 0; k < 2; k++) fn[k] = strand(g, op->regs[k], &env[k]);
    gen_call(g, "dsl_run_strands", g->nothing, ARGS(fn[0], env[0], fn[1], env[1]));
    for (int k = 0, r = 0; k < 2; k++)
        for (int i = 0; i < op->regs[k]->last->nopnds; i++, r++) {
            LLVMValueRef at = gen_offset(g, env[k], 8 * i);
            gen_set(g, &op->res[r], LLVMBuildLoad2(g->b, type_of_value(g, op->res[r].type), at, ""));
        }
}

/* At the same time; or, where that would show, or where launches wait for one device, one after the other */
void gen_spawn(Gen *g, Op *op) {
    if (!plan_order_matters(op) && g->opts->emit.target != TARGET_CUDA) {
        run_together(g, op);
        return;
    }
    for (int k = 0, r = 0; k < 2; k++) {
        gen_region(g, op->regs[k]);
        LLVMValueRef *x = yields(g, op->regs[k]);
        for (int i = 0; i < op->regs[k]->last->nopnds; i++) gen_set(g, &op->res[r++], x[i]);
    }
}

/* ---- calls */

static LLVMValueRef enter_frame(Gen *g, const Op *op, const Func *callee) {
    if (g->on_device || func_cannot_fail(callee)) return NULL;
    LLVMValueRef frame = gen_stack(g, LLVMArrayType2(g->i64, sizeof(dsl_frame) / 8)), site = gen_site(g, op->span);
    LLVMValueRef how = const_text(g, called_words(g->session, callee->name));
    if (callee->recursive)
        gen_call(g, "dsl_enter_recursive_frame", g->nothing, ARGS(frame, site, how, gen_site(g, callee->span)));
    else gen_call(g, "dsl_enter_frame", g->nothing, ARGS(frame, site, how));
    return frame;
}

void gen_call_op(Gen *g, Op *op) {
    const Func *callee = module_find(g->module, op_sym(op, A_FUNC));
    if (!func_cannot_fail(callee)) gen_kernel_fails(g);
    LLVMValueRef frame = enter_frame(g, op, callee), fn = gen_func(g, callee),
                 *args = NEWN(g->arena, LLVMValueRef, op->nopnds + 1);
    for (int i = 0; i < op->nopnds; i++) args[i] = gen_opnd(g, op, i);
    LLVMValueRef code = gen_unit_code(g, fn),
                 r = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), code, args, (unsigned)op->nopnds, "");
    for (int i = 0; i < op->nres; i++)
        gen_set(g, &op->res[i], op->nres == 1 ? r : LLVMBuildExtractValue(g->b, r, (unsigned)i, ""));
    if (frame) gen_call(g, "dsl_leave_frame", g->nothing, ARGS(frame));
}
