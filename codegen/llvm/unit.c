/* Code that better code takes the place of while it runs.
 *
 * With two tiers a module is emitted twice: at once, not optimized, and then by another thread, optimized.  Both have
 * the same units, by number: functions, loops of functions, loops of islands, and the bodies of loops that threads
 * share.  The first tier calls a unit through its slot, and looks into the slot again with each turn of a unit's loop:
 * once the second tier's unit stands there, that one does the rest.  A unit that is a loop is a function of env alone:
 * env begins with the loop's state, on the way in and on the way out; behind it stands what the loop uses. */
#include "codegen/llvm/private.h"

#include <string.h>

static bool is_first(const Gen *g) { return g->opts->tier == TIER_FIRST; }

LLVMValueRef gen_unit(Gen *g, LLVMValueRef fn) {
    if (g->opts->tier == TIER_ONLY) return fn;
    const char *name = arena_printf(g->arena, "unit.%d", g->units.len);
    LLVMSetValueName2(fn, name, strlen(name));
    LLVMSetLinkage(fn, is_first(g) ? LLVMInternalLinkage : LLVMExternalLinkage);
    vec_push(g->arena, &g->units, fn);
    return fn;
}

static int unit_number(const Gen *g, LLVMValueRef fn) {
    for (int i = g->units.len - 1; i >= 0; i--)
        if (g->units.data[i] == fn) return i;
    return -1;
}

LLVMValueRef gen_unit_code(Gen *g, LLVMValueRef fn) {
    int number = is_first(g) ? unit_number(g, fn) : -1;
    if (number < 0) return fn;
    LLVMValueRef at = const_i64(g, 8 * number), slot = LLVMConstGEP2(g->i8, g->slots, &at, 1),
                 code = LLVMBuildLoad2(g->b, g->ptr, slot, "");
    LLVMSetOrdering(code, LLVMAtomicOrderingAcquire);
    LLVMSetAlignment(code, 8);
    return code;
}

void gen_unit_call(Gen *g, LLVMValueRef fn, int n, LLVMValueRef *args) {
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), gen_unit_code(g, fn), args, (unsigned)n, "");
}

LLVMBasicBlockRef gen_unit_leave(Gen *g, LLVMValueRef fn, LLVMValueRef *better) {
    LLVMBasicBlockRef leave, stay;
    if (!is_first(g)) return NULL;
    leave = gen_block(g, "leave"), stay = gen_block(g, "stay");
    *better = gen_unit_code(g, fn);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, *better, fn, ""), leave, stay);
    gen_at(g, leave);
    return stay;
}

/* ---- loops */

bool gen_opens_unit(const Gen *g) { return g->opts->tier != TIER_ONLY && !g->in_unit; }

static void put_state(Gen *g, LLVMValueRef env, int n, LLVMValueRef *state) {
    for (int i = 0; i < n; i++)
        if (state[i]) LLVMBuildStore(g->b, state[i], gen_offset(g, env, 8 * i));
}

static void get_state(Gen *g, LLVMValueRef env, int n, LLVMValueRef *state) {
    for (int i = 0; i < n; i++)
        if (state[i]) state[i] = LLVMBuildLoad2(g->b, LLVMTypeOf(state[i]), gen_offset(g, env, 8 * i), "");
}

LoopUnit gen_unit_begin(Gen *g, int n, LLVMValueRef *state) {
    LoopUnit u = {.n = n, .start = NEWN(g->arena, LLVMValueRef, n + 1)};
    for (int i = 0; i < n; i++) u.start[i] = state[i];
    u.fn = gen_unit(g, LLVMAddFunction(g->out, "", LLVMFunctionType(g->nothing, &g->ptr, 1, false)));
    u.made = gen_fn_begin(g, u.fn, g->fn);
    u.made->env = LLVMGetParam(u.fn, 0);
    u.made->nstate = n;
    get_state(g, u.made->env, n, state);
    g->in_unit = true;
    return u;
}

void gen_unit_turn(Gen *g, const LoopUnit *u, LLVMValueRef *state) {
    LLVMValueRef better;
    LLVMBasicBlockRef stay = gen_unit_leave(g, u->fn, &better);
    if (!stay) return;
    put_state(g, u->made->env, u->n, state);
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(u->fn), better, &u->made->env, 1, "");
    LLVMBuildRetVoid(g->b);
    gen_at(g, stay);
}

void gen_unit_end(Gen *g, const LoopUnit *u, LLVMValueRef *state) {
    put_state(g, u->made->env, u->n, state);
    LLVMBuildRetVoid(g->b);
    gen_fn_end(g, u->made);
    g->in_unit = false;
    LLVMValueRef env = gen_env(g, u->made);
    put_state(g, env, u->n, u->start);
    gen_unit_call(g, u->fn, 1, &env);
    get_state(g, env, u->n, state);
}

/* ---- the slots, with the first tier's code in them; the last is null */

void gen_slots(Gen *g) {
    int n = g->units.len;
    if (!is_first(g)) return;
    vec_push(g->arena, &g->units, LLVMConstNull(g->ptr));
    LLVMValueRef all = LLVMConstArray2(g->ptr, g->units.data, (uint64_t)n + 1),
                 slots = LLVMAddGlobal(g->out, LLVMTypeOf(all), SLOTS);
    LLVMSetInitializer(slots, all);
    LLVMReplaceAllUsesWith(g->slots, slots);
    LLVMDeleteGlobal(g->slots);
}
