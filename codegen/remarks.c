/* What is decided about a program, as comments behind the operations of its IR: --emit=plan. */
#include "codegen/plan.h"

typedef struct { Arena *arena; const EmitOptions *opts; const Plan *plan; const Map *names; Text *out; bool some; } Say;

/* One more thing about the operation */
static Text *also(Say *s) {
    text_printf(s->out, s->some ? ", " : "");
    s->some = true;
    return s->out;
}

static const char *name_of(const Say *s, const Value *v) { return map_get(s->names, v); }

static void say_threads(Say *s, const LoopPlan *l) {
    text_printf(also(s), "threads");
    for (int i = 0; i < l->nfactors; i++) text_printf(s->out, "%s%%%s", i ? " * " : " if ", name_of(s, l->factors[i]));
    if (l->nfactors) text_printf(s->out, " > %lld", (long long)l->least);
    if (l->turns) text_printf(s->out, "%s%%%s > 1", l->nfactors ? " and " : " if ", name_of(s, l->turns));
    if (l->twice) text_printf(s->out, " (else without a team)");
    if (l->collapse > 1) text_printf(also(s), "collapse %d", l->collapse);
    if (l->dynamic) text_printf(also(s), "dynamic");
    if (l->dynamic && l->handful > 1) text_printf(s->out, " %d", l->handful);
    for (int i = 0; i < l->ncopies; i++)
        text_printf(also(s), "a copy of %%%s for each thread", name_of(s, l->copies[i].buf));
}

static void say_loop(Say *s, const LoopPlan *l) {
    static const char *const launches[] = {[RUN_SIMULATED] = "a simulated launch",
                                           [RUN_ON_GPU] = "a launch on the GPU"};
    if (l->where) text_printf(also(s), "%s", launches[l->where]);
    if (l->team) text_printf(also(s), "several threads for an iteration");
    if (l->threads) say_threads(s, l);
    else if (l->ordered) text_printf(also(s), "in order, for its sums of floats");
    if (l->simd && !l->where) text_printf(also(s), "simd");
    if (l->unroll) text_printf(also(s), "unroll %lld", (long long)l->unroll);
}

static void say_update(Say *s, Update how) {
    static const char *const words[] = {[UPDATE_ALONE] = "nobody else is there",
                                        [UPDATE_OPERATOR] = "indivisible",
                                        [UPDATE_FETCH] = "indivisible, gives what was there",
                                        [UPDATE_EXTREME] = "indivisible, if it is beyond",
                                        [UPDATE_EXTREME_SAME] = "indivisible, if it is beyond; the same by all"};
    text_printf(also(s), "%s", words[how]);
}

static void say_op(void *ctx, Text *out, const Op *op, const Map *names) {
    Say *s = ctx;
    Func *f = op->parent->func;
    if (!s->plan || s->plan->func != f) s->plan = plan_function(s->arena, f, s->opts);
    s->names = names, s->out = out, s->some = false;
    if (plan_is_dead(s->plan, op)) text_printf(also(s), "dead");
    else if (plan_loop(s->plan, op)) say_loop(s, plan_loop(s->plan, op));
    else if (op->code == OP_ATOMIC) say_update(s, s->plan->updates[op->mark]);
    else if (op->code == OP_ALLOC) {
        text_printf(also(s), op->nopnds                      ? "where another was"
                             : plan_on_stack(s->plan, op) ? "on the stack"
                                                          : "on the heap");
        if (plan_zeroed(s->plan, op)) text_printf(also(s), "zeroed");
    }
}

void plan_print(Text *out, const Module *m, const EmitOptions *opts) {
    Say s = {.arena = arena_new(), .opts = opts};
    module_print_remarks(out, m, say_op, &s);
    arena_free(s.arena);
}
