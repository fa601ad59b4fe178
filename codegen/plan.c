/* One function: its operations and values are numbered, and for each is decided what codegen/plan.h says. */
#include "codegen/plan.h"

enum { STACK_BYTES = 32768, SMALL_FRAME = 1024 };

/* ---- numbering */

typedef struct { Arena *arena; VEC(Op *) ops; int values; } Census;

static void count_region(Census *c, Region *r) {
    for (int i = 0; i < r->nargs; i++) r->args[i]->id = c->values++;
    for (Op *op = r->first; op; op = op->next) {
        op->mark = c->ops.len;
        vec_push(c->arena, &c->ops, op);
        for (int i = 0; i < op->nres; i++) op->res[i].id = c->values++;
        for (int i = 0; i < op->nregs; i++) count_region(c, op->regs[i]);
    }
}

/* ---- what is dead */

static bool has_live_use(const Plan *p, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (!plan_is_dead(p, u->user)) return true;
    return false;
}

static bool is_dead(const Plan *p, const Op *op) {
    if (!op_is_removable(op)) return false;
    for (int i = 0; i < op->nres; i++)
        if (has_live_use(p, &op->res[i])) return false;
    return true;
}

/* ---- memory */

static bool constant_bytes(const Type *t, int64_t *bytes) {
    int64_t n, total = dtype_info(t->dtype)->bytes;
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &n) || n < 0 || (n && total > STACK_BYTES / n)) return false;
        total *= n;
    }
    *bytes = total;
    return total > 0;
}

/* Recursive functions have many frames. */
static bool fits_stack(const Func *f, const Op *alloc) {
    int64_t bytes;
    return constant_bytes(alloc->res[0].type, &bytes) && (!f->recursive || bytes <= SMALL_FRAME);
}

/* ---- threads */

static void plan_region(Plan *p, Region *r, Around around);

static void plan_touches(Plan *p, const Region *island) {
    for (int i = 0; i < island->nargs; i++)
        p->touch[island->args[i]->id] = plan_touch(p, island, island->args[i]);
}

static void plan_op(Plan *p, Op *op, Around around) {
    if (op->code == OP_ALLOC) {
        p->stack[op->mark] = fits_stack(p->func, op);
        p->zero[op->mark] = op->res[0].type->space == SPACE_PRIVATE && !plan_is_overwritten(op);
    }
    if (op->code == OP_ATOMIC)
        p->updates[op->mark] = around.where ? plan_update_on_device(op, around.where, around.launch)
                                            : plan_update(op, around.loop, around.threads);
    if (op->code == OP_SPAWN && !plan_order_matters(op)) around.threads = true;
    if (op->code == OP_ISLAND) around.touch = plan_island_touch(p, op->regs[0]);
    if (op->code == OP_FOR && op_flag(op, A_INDEPENDENT)) {
        LoopPlan *l = p->loops[op->mark] = plan_turns(p, op, around);
        around.taken |= l->threads;
    }
    if (op->code == OP_PARALLEL) {
        LoopPlan *l = p->loops[op->mark] = plan_parallel(p, op, around);
        if (l->where && !around.launch) around.launch = op;
        if (l->threads) around.loop = op, around.threads = true;
        if (l->where) around.loop = NULL, around.threads = true, around.where = l->where;
    }
    for (int i = 0; i < op->nregs; i++) plan_region(p, op->regs[i], around);
    if (op->code == OP_ISLAND) plan_touches(p, op->regs[0]);
}

static void plan_region(Plan *p, Region *r, Around around) {
    for (Op *op = r->first; op; op = op->next) plan_op(p, op, around);
}

Plan *plan_function(Arena *a, Func *f, const EmitOptions *opts) {
    Census c = {.arena = a};
    count_region(&c, f->body);
    Plan *p = NEW(a, Plan);
    *p = (Plan){.arena = a, .opts = opts, .func = f, .nops = c.ops.len, .nvalues = c.values, .ops = c.ops.data};
    p->dead = NEWN(a, bool, p->nops + 1);
    p->stack = NEWN(a, bool, p->nops + 1);
    p->zero = NEWN(a, bool, p->nops + 1);
    p->loops = NEWN(a, LoopPlan *, p->nops + 1);
    p->updates = NEWN(a, Update, p->nops + 1);
    p->touch = NEWN(a, Touch, p->nvalues + 1);
    for (int i = p->nops - 1; i >= 0; i--) p->dead[i] = is_dead(p, p->ops[i]);
    plan_region(p, f->body, (Around){.where = RUN_HERE});
    return p;
}
