/* even-turns: loops in which threads go by strides, and that carry values, take the same number of turns, and one more
 * under a guard.
 *
 * `for j in t:m:128 { .. }`, for 128 threads t, goes around more often in some threads than in others.  It becomes
 * `for q in 0:m // 128 { .. t + 128 * q .. }`, then `if t + m // 128 * 128 < m { .. }`: the loop around can run inside,
 * where neighbouring threads touch neighbouring elements, and is a vector (lanes, interchange).  Strides may be longer,
 * as those over a grid.
 *
 * Needs constant strides, and bounds that threads have in common; loops around barriers stay. */
#include "ir/index.h"
#include "opt/pass.h"

enum { MAX_OPS = 80 /* written twice */, FEW_THREADS = 8 };

typedef struct {
    Op *loop, *threads;
    Value *base, *turns; /* the thread at index t begins at base + t; all take so many turns */
    int64_t step;
} Stride;

/* Where it begins: base + t, for one index of the threads with a constant extent that the stride steps over */
static bool starts_beside(Stride *s, int64_t *extent) {
    const Region *body = s->threads->regs[0];
    Builder b = builder_before(s->threads);
    for (int k = 0; k < s->threads->nopnds; k++) {
        if (!value_const_int(op_opnd(s->threads, k), extent) || *extent < FEW_THREADS || *extent > s->step) continue;
        IndexLinear lo = index_linear(&b, body, body->args[k], op_opnd(s->loop, 0));
        s->base = lo.ok && lo.coef == 1 ? lo.rest ? lo.rest : build_int(&b, 0) : NULL;
        if (s->base) return true;
    }
    return false;
}

/* Turns that all threads take: the last of them is at base + extent - 1 + step * q */
static bool find_turns(Stride *s) {
    int64_t extent;
    Value *hi = op_opnd(s->loop, 1);
    if (!value_dominates(hi, s->threads) || !starts_beside(s, &extent)) return false;
    Builder b = builder_before(s->threads);
    Value *room = index_sub(&b, index_sub(&b, hi, s->base), build_int(&b, extent - s->step));
    s->turns = index_max(&b, index_floordiv(&b, room, s->step), build_int(&b, 0));
    return true;
}

static bool is_stride(Stride *s, Op *op) {
    if (op->code != OP_FOR || !op->nres || op_flag(op, A_PROGRESS) || op_attr(op, A_CHECKPOINT)) return false;
    if (!value_const_int(op_opnd(op, 2), &s->step)) return false;
    const Op *around = op->parent->owner;
    while (around && around->code == OP_IF) around = around->parent->owner;
    if (!around || around->code != OP_PARALLEL || op_loop(around) == LOOP_BLOCK || s->step < FEW_THREADS) return false;
    if (op_holds(op, OP_BARRIER) || op_holds(op, OP_BIND) || region_count_ops(op->regs[0]) > MAX_OPS) return false;
    s->loop = op;
    s->threads = (Op *)(uintptr_t)around;
    return true;
}

/* The turn at index j, with what is carried in v: what it hands on */
static void copy_turn(const Stride *s, Builder *b, Value *j, Value **v) {
    Value **args = NEWN(b->module->arena, Value *, s->loop->nres + 1);
    args[0] = j;
    for (int i = 0; i < s->loop->nres; i++) args[i + 1] = v[i];
    region_inline(b, s->loop->regs[0], args, v);
}

/* What is carried into the first turn */
static Value **carried(const Stride *s) {
    Value **v = NEWN(s->loop->parent->func->module->arena, Value *, s->loop->nres + 1);
    for (int i = 0; i < s->loop->nres; i++) v[i] = loop_first(s->loop, i);
    return v;
}

static void even(const Stride *s) {
    Op *loop = s->loop;
    int n = loop->nres;
    Builder b = builder_before(loop);
    Value *lo = op_opnd(loop, 0), **v = carried(s);
    const Type **types = NEWN(b.module->arena, const Type *, n + 1);
    for (int i = 0; i < n; i++) types[i] = loop->res[i].type;
    Op *all = build_for(&b, build_int(&b, 0), s->turns, build_int(&b, 1), n, v);
    Builder in = builder_at_end(b.module, all->regs[0], loop->span);
    for (int i = 0; i < n; i++) v[i] = all->regs[0]->args[i + 1];
    copy_turn(s, &in, index_add(&in, lo, index_mul(&in, all->regs[0]->args[0], build_int(&in, s->step))), v);
    build_yield(&in, n, v);
    Value *last = index_add(&b, lo, index_mul(&b, s->turns, build_int(&b, s->step)));
    Op *rest = build_if(&b, build_binary(&b, OP_LT, last, op_opnd(loop, 1)), n, types);
    Builder more = builder_at_end(b.module, rest->regs[0], loop->span),
            none = builder_at_end(b.module, rest->regs[1], loop->span);
    for (int i = 0; i < n; i++) v[i] = &all->res[i];
    build_yield(&none, n, v);
    copy_turn(s, &more, last, v);
    build_yield(&more, n, v);
    for (int i = 0; i < n; i++) value_take_over(&loop->res[i], &rest->res[i]);
    op_erase(loop);
}

static void visit(void *ctx, Op *op) {
    Stride s;
    (void)ctx;
    if (is_stride(&s, op) && find_turns(&s)) even(&s);
}

void pass_even_turns(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) region_walk(m->funcs.data[i]->body, visit, NULL);
}
