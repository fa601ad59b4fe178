/* Functions that call themselves and in which nothing can fail but the depth of these calls: they compute with scalars,
 * and call such functions alone.  As they have no effects either, a call that has no room may come back with any
 * result, and the calls around it after it, before the failure is told. */
#include "codegen/plan.h"

enum { MOST_STEP = 64, FRAME = 256, FRAME_OF_OP = 32, STEP_BYTES = 64 << 10 };

static bool is_light(const Light *l, const Module *m, const Region *r);

static bool op_is_light(const Light *l, const Module *m, const Op *op) {
    if (op_info(op->code)->traits & TR_TERM) return true;
    if (op->code == OP_CALL) {
        const Func *callee = module_find(m, op_sym(op, A_FUNC));
        return func_is_light(l, callee) || func_cannot_fail(callee);
    }
    if (op->code != OP_IF && op->code != OP_FOR && op->code != OP_WHILE) return op_is_pure(op) && op->code != OP_FORMAT;
    for (int i = 0; i < op->nregs; i++)
        if (!is_light(l, m, op->regs[i])) return false;
    return true;
}

static bool is_light(const Light *l, const Module *m, const Region *r) {
    for (const Op *op = r->first; op; op = op->next)
        if (!op_is_light(l, m, op)) return false;
    return true;
}

/* C functions call those that are exported as they are written. */
static bool may_be_light(const Func *f) {
    if (f->kind != FUNC_FN || !f->recursive || f->is_export) return false;
    for (int i = 0; i < f->body->nargs; i++)
        if (type_is_tensor(f->body->args[i]->type)) return false;
    for (int i = 0; i < f->nres; i++)
        if (type_is_tensor(f->res_types[i])) return false;
    return true;
}

static void count_op(void *ctx, Op *op) { (void)op, ++*(int64_t *)ctx; }

/* A variable for each operation, as compilers have it that do not optimize */
static int64_t step_of(const Func *f) {
    int64_t ops = 0, step = MOST_STEP;
    region_walk(f->body, count_op, &ops);
    while (step > 1 && step * (FRAME + FRAME_OF_OP * ops) > STEP_BYTES) step /= 2;
    return step;
}

static Map set_of(Arena *a, const FuncVec *funcs) {
    Map set = {0};
    for (int i = 0; i < funcs->len; i++) map_put(a, &set, funcs->data[i], funcs->data[i]);
    return set;
}

static FuncVec those_that_may(Arena *a, const FuncVec *funcs) {
    FuncVec may = {0};
    for (int i = 0; i < funcs->len; i++)
        if (may_be_light(funcs->data[i])) vec_push(a, &may, funcs->data[i]);
    return may;
}

static FuncVec those_that_are(Arena *a, const Light *l, const Module *m, const FuncVec *funcs) {
    FuncVec are = {0};
    for (int i = 0; i < funcs->len; i++)
        if (is_light(l, m, funcs->data[i]->body)) vec_push(a, &are, funcs->data[i]);
    return are;
}

/* All that may be are taken for light, and those that are not go out, until none does. */
Light program_light(Arena *a, const Module *m, const FuncVec *funcs) {
    Light l = {.step = MOST_STEP};
    FuncVec left = those_that_may(a, funcs);
    for (int before = -1; before != left.len;) {
        before = left.len;
        l.funcs = set_of(a, &left);
        left = those_that_are(a, &l, m, &left);
    }
    for (int i = 0; i < left.len; i++)
        if (step_of(left.data[i]) < l.step) l.step = step_of(left.data[i]);
    return l;
}
