/* Parallel loops.  One whose iterations threads share becomes a function body(lo, hi, env), and a call of the runtime
 * that runs it (runtime/share.h); the others are ordinary loops. */
#include "codegen/llvm/private.h"

#include <string.h>

/* ---- loops of one thread */

/* The axis from `first` on that is a loop, or the number of axes; the indices of those before it are 0. */
static int next_loop(Gen *g, const Op *op, int first) {
    while (first < op->nopnds && plan_is_unit(op_opnd(op, first)))
        gen_set(g, op->regs[0]->args[first++], const_i64(g, 0));
    return first;
}

/* The loops of op from axis `first` on, and the body inside */
static void gen_nest(Gen *g, Op *op, int first) {
    const Region *body = op->regs[0];
    const LoopPlan *p = plan_loop(g->plan, op);
    int axis = next_loop(g, op, first);
    if (axis == op->nopnds) {
        gen_region(g, body);
        return;
    }
    LLVMBasicBlockRef header;
    LLVMValueRef i = gen_loop_begin(g, gen_opnd(g, op, axis), &header), outer = g->group;
    gen_set(g, body->args[axis], i);
    bool simd = p->simd && g->opts->level && !g->on_device && next_loop(g, op, axis + 1) == op->nopnds;
    if (simd) g->group = gen_access_group(g);
    gen_nest(g, op, axis + 1);
    gen_loop_end(g, i, header);
    if (simd) gen_loop_hint(g, header, p, g->group);
    g->group = outer;
}

/* ---- copies for each thread */

static LLVMValueRef element(Gen *g, const Copies *c, LLVMValueRef base, LLVMValueRef i) {
    return LLVMBuildInBoundsGEP2(g->b, type_in_memory(g, c->buf->type->dtype), base, &i, 1, "");
}

/* This thread's copy, bound to the buffer */
static LLVMValueRef begin_copy(Gen *g, const Copies *c) {
    int64_t n = gen_elements(c->buf->type);
    Const neutral = combine_identity(c->kind, c->buf->type->dtype);
    LLVMValueRef own = gen_stack(g, LLVMArrayType2(type_in_memory(g, c->buf->type->dtype), (uint64_t)n));
    LLVMBasicBlockRef header;
    LLVMValueRef i = gen_loop_begin(g, const_i64(g, n), &header);
    LLVMBuildStore(g->b, const_of(g, &neutral), element(g, c, own, i));
    gen_loop_end(g, i, header);
    return own;
}

static void end_copy(Gen *g, const Copies *c, LLVMValueRef own, LLVMValueRef shared) {
    DType t = c->buf->type->dtype;
    const char *name = arena_printf(g->arena, "dsl_fetch_%s_%s", combine_info(c->kind)->word, dtype_info(t)->name);
    LLVMBasicBlockRef header;
    LLVMValueRef i = gen_loop_begin(g, const_i64(g, gen_elements(c->buf->type)), &header);
    LLVMValueRef args[] = {element(g, c, shared, i),
                           LLVMBuildLoad2(g->b, type_in_memory(g, t), element(g, c, own, i), "")};
    gen_call_of(g, name, t, t, 2, args);
    gen_loop_end(g, i, header);
}

static LLVMValueRef *begin_copies(Gen *g, const LoopPlan *p) {
    LLVMValueRef *shared = NEWN(g->arena, LLVMValueRef, p->ncopies + 1);
    for (int i = 0; i < p->ncopies; i++) {
        shared[i] = gen_value(g, p->copies[i].buf);
        gen_set(g, p->copies[i].buf, begin_copy(g, &p->copies[i]));
    }
    return shared;
}

static void end_copies(Gen *g, const LoopPlan *p, LLVMValueRef *shared) {
    for (int i = 0; i < p->ncopies; i++) end_copy(g, &p->copies[i], gen_value(g, p->copies[i].buf), shared[i]);
}

/* ---- loops that threads share */

/* How many of the first axes make up the index that is shared */
static int shared_axes(const Op *op, const LoopPlan *p) {
    int n = 0, loops = 0;
    while (n < op->nopnds && loops < p->collapse) loops += !plan_is_unit(op_opnd(op, n++));
    return n;
}

/* How many turns a loop over axis i has; of one with other axes none where there would be less than none. */
static LLVMValueRef turns_of_axis(Gen *g, const Op *op, int i, int axes) {
    int64_t c;
    LLVMValueRef n = gen_opnd(g, op, i), zero = const_i64(g, 0);
    if (axes == 1 || (int_constant(op_opnd(op, i), &c) && c >= 0)) return n;
    return LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntSGT, n, zero, ""), n, zero, "");
}

LLVMValueRef gen_iterations(Gen *g, const Op *op, int axes) {
    LLVMValueRef n = const_i64(g, 1);
    for (int i = 0; i < axes; i++) n = LLVMBuildNSWMul(g->b, n, turns_of_axis(g, op, i, axes), "");
    return n;
}

void gen_split_index(Gen *g, const Op *op, int axes, LLVMValueRef whole) {
    for (int i = axes - 1; i > 0; i--) {
        if (plan_is_unit(op_opnd(op, i))) {
            gen_set(g, op->regs[0]->args[i], const_i64(g, 0));
            continue;
        }
        LLVMValueRef n = gen_opnd(g, op, i);
        gen_set(g, op->regs[0]->args[i], LLVMBuildURem(g->b, whole, n, ""));
        whole = LLVMBuildUDiv(g->b, whole, n, "");
    }
    gen_set(g, op->regs[0]->args[0], whole);
}

/* The indices of the first axes; of one loop it is `whole` itself. */
static void set_indices(Gen *g, const Op *op, int axes, LLVMValueRef whole) {
    int first = next_loop(g, op, 0);
    if (first + 1 < axes) gen_split_index(g, op, axes, whole);
    else gen_set(g, op->regs[0]->args[first], whole);
}

/* Turn `at` of a for: what it carries is the same in all of them */
static void gen_turn_at(Gen *g, Op *op, LLVMValueRef at) {
    LLVMValueRef way = LLVMBuildNSWMul(g->b, at, gen_opnd(g, op, 2), "");
    gen_set(g, op->regs[0]->args[0], LLVMBuildNSWAdd(g->b, gen_opnd(g, op, 0), way, ""));
    gen_region(g, op->regs[0]);
    if (op_flag(op, A_PROGRESS))
        gen_call(g, "dsl_progress_step", g->nothing, ARGS(LLVMBuildLoad2(g->b, g->ptr, g->fn->env, "")));
}

static void gen_iteration(Gen *g, Op *op, int axes, LLVMValueRef at) {
    if (op->code == OP_FOR) {
        gen_turn_at(g, op, at);
        return;
    }
    set_indices(g, op, axes, at);
    gen_nest(g, op, axes);
}

/* The rest, from i on, is left to better code. */
static void leave_body(Gen *g, const LoopPlan *p, LLVMValueRef fn, LLVMValueRef i, LLVMValueRef *shared) {
    LLVMValueRef better;
    LLVMBasicBlockRef stay = gen_unit_leave(g, fn, &better);
    if (!stay) return;
    end_copies(g, p, shared);
    LLVMValueRef args[] = {i, LLVMGetParam(fn, 1), LLVMGetParam(fn, 2)};
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), better, args, 3, "");
    LLVMBuildRetVoid(g->b);
    gen_at(g, stay);
}

/* body(lo, hi, env) for the first axes of op; env begins with the bar of its progress, if it has one */
static LLVMValueRef gen_body(Gen *g, Op *op, const LoopPlan *p, int axes, Fn **made) {
    LLVMTypeRef params[] = {g->i64, g->i64, g->ptr}, type = LLVMFunctionType(g->nothing, params, 3, false);
    LLVMValueRef fn = LLVMAddFunction(g->out, "body", type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    if (gen_opens_unit(g)) gen_unit(g, fn);
    bool outer = g->in_unit;
    g->in_unit = true;
    Fn *f = *made = gen_fn_begin(g, fn, g->fn);
    f->env = LLVMGetParam(fn, 2);
    f->nstate = op_flag(op, A_PROGRESS);
    LLVMValueRef *shared = begin_copies(g, p), lo = LLVMGetParam(fn, 0),
                 n = LLVMBuildNSWSub(g->b, LLVMGetParam(fn, 1), lo, "");
    LLVMBasicBlockRef header;
    LLVMValueRef i = gen_loop_begin(g, n, &header), at = LLVMBuildNSWAdd(g->b, lo, i, "");
    if (!outer) leave_body(g, p, fn, at, shared);
    bool simd = p->simd && g->opts->level && next_loop(g, op, axes) == op->nopnds;
    if (simd) g->group = gen_access_group(g);
    gen_iteration(g, op, axes, at);
    gen_loop_end(g, i, header);
    if (simd) gen_loop_hint(g, header, p, g->group), g->group = NULL;
    end_copies(g, p, shared);
    LLVMBuildRetVoid(g->b);
    g->in_unit = outer;
    return fn;
}

LLVMValueRef gen_env(Gen *g, const Fn *f) {
    int n = f->nstate + f->captures.len;
    if (!n) return LLVMConstNull(g->ptr);
    LLVMValueRef env = gen_stack(g, LLVMArrayType2(g->i64, (uint64_t)n));
    for (int i = 0; i < f->captures.len; i++) {
        const Capture *c = &f->captures.data[i];
        LLVMValueRef x = c->value ? gen_value(g, c->value) : gen_size(g, size_sym(g->session, c->sym));
        LLVMBuildStore(g->b, x, gen_offset(g, env, 8 * (f->nstate + i)));
    }
    return env;
}

/* Whether it is worth waking threads */
static LLVMValueRef condition(Gen *g, const LoopPlan *p) {
    LLVMValueRef work = LLVMConstReal(g->f64, 1), several = LLVMConstInt(g->i1, 1, false);
    if (p->turns) several = LLVMBuildICmp(g->b, LLVMIntSGT, gen_value(g, p->turns), const_i64(g, 1), "");
    if (!p->nfactors) return several;
    for (int i = 0; i < p->nfactors; i++)
        work = LLVMBuildFMul(g->b, work, LLVMBuildSIToFP(g->b, gen_value(g, p->factors[i]), g->f64, ""), "");
    LLVMValueRef much = LLVMBuildFCmp(g->b, LLVMRealOGT, work, LLVMConstReal(g->f64, (double)p->least), "");
    return LLVMBuildAnd(g->b, several, much, "");
}

/* 0: equal parts; else so many iterations at a time, as threads get done */
static int chunk(const Gen *g, const LoopPlan *p) {
    if (p->dynamic) return p->handful;
    return strcmp(g->opts->emit.schedule, "static") ? 1 : 0;
}

static void share(Gen *g, Op *op, const LoopPlan *p, int axes, LLVMValueRef n, LLVMValueRef bar) {
    Fn *f;
    LLVMValueRef fn = gen_body(g, op, p, axes, &f);
    gen_fn_end(g, f);
    LLVMValueRef env = gen_env(g, f);
    if (bar) LLVMBuildStore(g->b, bar, env);
    LLVMValueRef args[] = {gen_unit_code(g, fn), env, n, const_i64(g, chunk(g, p)), condition(g, p)};
    gen_call(g, "dsl_share_loop", g->nothing, 5, args);
}

/* The arrays have one owner: then no turn moves them elsewhere. */
void gen_share_turns(Gen *g, Op *op) {
    LLVMValueRef n = gen_call(g, "dsl_trips", g->i64, ARGS(gen_opnd(g, op, 0), gen_opnd(g, op, 1), gen_opnd(g, op, 2)));
    for (int i = 0; i < op->nres; i++) {
        LLVMValueRef array = gen_unique(g, gen_value(g, loop_first(op, i)));
        gen_set(g, loop_carried(op, i), array);
        gen_set(g, &op->res[i], array);
    }
    LLVMValueRef bar = gen_progress_begin(g, op);
    share(g, op, plan_loop(g->plan, op), 1, n, bar);
    if (bar) gen_call(g, "dsl_progress_end", g->nothing, ARGS(bar));
}

/* A nest of one thread as a unit: its first loop is the body's. */
static void nest_unit(Gen *g, Op *op, const LoopPlan *p) {
    Fn *f;
    int axes = next_loop(g, op, 0) + 1;
    LLVMValueRef n = gen_opnd(g, op, axes - 1), fn = gen_body(g, op, p, axes, &f);
    gen_fn_end(g, f);
    gen_unit_call(g, fn, 3, (LLVMValueRef[]){const_i64(g, 0), n, gen_env(g, f)});
}

void gen_parallel(Gen *g, Op *op) {
    const LoopPlan *p = plan_loop(g->plan, op);
    if (g->kernel && (gen_in_kernel(g, op) || gen_in_team(g, op))) return;
    if (p->where) gen_launch(g, op);
    else if (p->threads) share(g, op, p, shared_axes(op, p), gen_iterations(g, op, shared_axes(op, p)), NULL);
    else if (!g->kernel && !g->on_device && gen_opens_unit(g) && next_loop(g, op, 0) < op->nopnds) nest_unit(g, op, p);
    else gen_nest(g, op, 0);
}
