/* Loops of the host that launch kernels of a GPU tell the runtime where their turns begin, so that launches of turns
 * that are alike are handed over together (runtime/gpu_batch.c).  Of loops in each other the inner ones. */
#include "codegen/llvm/private.h"
#include "runtime/gpu.h"

static bool launches(const Gen *g, const Op *op);

static bool some_launch(const Gen *g, const Op *op) {
    bool some = false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) some |= launches(g, o);
    return some;
}

/* A function may do so, too. */
static bool launches(const Gen *g, const Op *op) {
    if (op->code == OP_PARALLEL) return plan_loop(g->plan, op)->where == RUN_ON_GPU;
    return op->code == OP_CALL || some_launch(g, op);
}

static bool holds_such_loop(const Gen *g, const Op *op) {
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if ((op_is_sequential_loop(o) && some_launch(g, o)) ||
                (o->code != OP_PARALLEL && holds_such_loop(g, o)))
                return true;
    return false;
}

static bool has_turns(const Gen *g, const Op *op) {
    if (g->opts->emit.target != TARGET_CUDA || g->on_device || g->kernel) return false;
    return some_launch(g, op) && !holds_such_loop(g, op);
}

void gen_turn(Gen *g, const Op *op) {
    if (!has_turns(g, op)) return;
    LLVMTypeRef t = LLVMArrayType2(g->i64, sizeof(dsl_gpu_steps) / 8);
    LLVMValueRef steps = LLVMAddGlobal(g->out, t, "steps");
    LLVMSetInitializer(steps, LLVMConstNull(t));
    LLVMSetLinkage(steps, LLVMInternalLinkage);
    gen_call(g, "dsl_gpu_turn", g->nothing, ARGS(steps));
}

void gen_turns_end(Gen *g, const Op *op) {
    if (has_turns(g, op)) gen_call(g, "dsl_gpu_turns_end", g->nothing, 0, NULL);
}
