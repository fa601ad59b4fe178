/* Loops that must not be called free of dependences (`omp simd`), although their iterations are.
 *
 * gcc joins loads, and stores, of elements beside each other that come by strides, x[2*i] and x[2*i + 1], at the place
 * of one of them; and once the iterations do not depend on each other it takes two accesses whose distance it does not
 * know for different elements, within an iteration, too.  So `u[0][2*i + 1] = ..; .. u[t][2*i + 1]` of an iteration may
 * change places, and t may be 0. */
#include "codegen/lies.h"
#include "codegen/plan.h"
#include "ir/index.h"

enum { MOST = 48 };

typedef struct { Arena *arena; const Op *loop; int n; Op *access[MOST]; bool many; } Accesses;

static void find_access(void *ctx, Op *op) {
    Accesses *a = ctx;
    if (op->code != OP_LOAD && op->code != OP_STORE) return;
    if (a->n < MOST) a->access[a->n++] = op;
    else a->many = true;
}

static bool is_strided(const Accesses *a, const Op *access) {
    const Region *body = a->loop->regs[0];
    Lane lane = {.arena = a->arena, .lane = body->args[body->nargs - 1]};
    return access_strides(&lane, access);
}

/* In an iteration they touch the same element, or surely different ones. */
static bool is_known(const Op *x, const Op *y) {
    int from = op_index_first(x), to = op_index_first(y);
    bool same = true;
    for (int i = 0; i < op_buffer(x)->type->rank; i++) {
        int64_t k, l;
        const Value *a = index_without_constant(op_opnd(x, from + i), &k),
                    *b = index_without_constant(op_opnd(y, to + i), &l);
        bool alike = value_same_int(a, b), fixed = value_const_int(a, NULL) && value_const_int(b, NULL);
        if (fixed ? !value_same_int(op_opnd(x, from + i), op_opnd(y, to + i)) : alike && k != l) return true;
        same &= fixed || alike;
    }
    return same;
}

/* Elements of one row, so far from each other */
static bool are_beside(const Op *x, const Op *y) {
    int n = op_buffer(x)->type->rank, from = op_index_first(x), to = op_index_first(y);
    int64_t k, l;
    for (int i = 0; i < n - 1; i++)
        if (!value_same_int(op_opnd(x, from + i), op_opnd(y, to + i))) return false;
    const Value *a = n ? index_without_constant(op_opnd(x, from + n - 1), &k) : NULL,
                *b = n ? index_without_constant(op_opnd(y, to + n - 1), &l) : NULL;
    return n && value_same_int(a, b) && k != l;
}

/* Whether gcc may join the access with another one */
static bool is_joined(const Accesses *a, const Op *access) {
    if (!is_strided(a, access)) return false;
    for (int i = 0; i < a->n; i++) {
        const Op *o = a->access[i];
        if (o->code == access->code && op_buffer(o) == op_buffer(access) && are_beside(o, access)) return true;
    }
    return false;
}

bool plan_may_cross(Arena *arena, const Op *loop) {
    Accesses a = {.arena = arena, .loop = loop};
    region_walk(loop->regs[0], find_access, &a);
    for (int i = 0; i < a.n; i++) {
        if (a.access[i]->code != OP_STORE) continue;
        for (int k = 0; k < a.n; k++) {
            const Op *x = a.access[i], *y = a.access[k];
            if (k == i || op_buffer(x) != op_buffer(y) || is_known(x, y)) continue;
            if (is_joined(&a, x) || is_joined(&a, y)) return true;
        }
    }
    return a.many;
}
