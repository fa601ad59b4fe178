/* coalesce-nests: for derivatives, a loop that does nothing but run a loop over elements of arrays is one loop.
 *
 * `for t in 1:n { for k in 0:m { x[t, k] = f(x[t - 1, k]) } }` becomes `for q in 0:(n - 1) * m`, where t = 1 + q // m
 * and k = q % m (loop coalescing: Polychronopoulos, Loop coalescing: a compiler transformation for parallel machines,
 * ICPP 1987).  A loop keeps, of arrays that it changes element by element, the elements that it reads; of a loop inside
 * of it, which runs again to be reversed, the whole array as each turn begins.
 *
 * Only where a derivative is taken, of loops over rectangles that carry arrays, each of which is read and set by
 * elements alone. */
#include "ir/index.h"
#include "opt/pass.h"

typedef struct { Op *outer, *inner; } Nest;

static bool steps_by_one(const Op *loop) {
    if (loop->code != OP_FOR || op_flag(loop, A_PROGRESS) || op_attr(loop, A_CHECKPOINT)) return false;
    return value_is_const_int(op_opnd(loop, 2), 1);
}

static bool is_nest(Nest *n, Op *outer) {
    const Region *body = outer->regs[0];
    n->outer = outer;
    n->inner = steps_by_one(outer) ? loop_only_inner(outer) : NULL;
    if (!n->inner || !steps_by_one(n->inner)) return false;
    for (const Op *o = body->first; o != n->inner; o = o->next)
        if (op_has_tensors(o)) return false;
    return value_dominates(op_opnd(n->inner, 0), outer) && value_dominates(op_opnd(n->inner, 1), outer);
}

/* Once in a turn of the loop, or in a branch */
static bool in_turn(const Op *o, const Op *loop) {
    const Op *around = o->parent->owner;
    while (around != loop && around->code == OP_IF) around = around->parent->owner;
    return around == loop;
}

/* x, an array that the loop carries or that with elements of it changed, is used by elements and handed on. */
static bool only_elements(const Value *x, const Op *loop) {
    for (const Use *u = x->uses; u; u = u->next) {
        const Op *o = u->user;
        if (!in_turn(o, loop) || (u->index && o->code != OP_YIELD)) return false;
        switch (o->code) {
        case OP_EXTRACT: break;
        case OP_INSERT:
            if (!only_elements(&o->res[0], loop)) return false;
            break;
        case OP_YIELD: {
            const Op *of = o->parent->owner;
            if (of != loop && (of->code != OP_IF || !only_elements(&of->res[u->index], loop))) return false;
            break;
        }
        default: return false;
        }
    }
    return true;
}

static bool sets_elements(const Op *loop) {
    bool any = false;
    for (int i = 0; i < loop->nres; i++) {
        if (!type_is_tensor(loop->res[i].type)) continue;
        any = true;
        if (!only_elements(loop_carried(loop, i), loop)) return false;
    }
    return any;
}

/* How many turns the loop takes, before the nest */
static Value *turns_of(Builder *b, const Op *loop) {
    return index_max(b, index_sub(b, op_opnd(loop, 1), op_opnd(loop, 0)), build_int(b, 0));
}

static void coalesce(const Nest *n) {
    Builder b = builder_before(n->outer);
    int count = n->outer->nres;
    Value **v = NEWN(b.module->arena, Value *, count + 2), *inner = turns_of(&b, n->inner);
    for (int i = 0; i < count; i++) v[i] = loop_first(n->outer, i);
    Value *all = index_mul(&b, turns_of(&b, n->outer), inner);
    Op *made = build_for(&b, build_int(&b, 0), all, build_int(&b, 1), count, v);
    Region *body = made->regs[0];
    Builder in = builder_at_end(b.module, body, n->inner->span);
    Value *q = body->args[0], *t = index_add(&in, idiv_safe(&in, q, inner), op_opnd(n->outer, 0)),
          *k = index_add(&in, imod_safe(&in, q, inner), op_opnd(n->inner, 0));
    t->name = n->outer->regs[0]->args[0]->name, k->name = n->inner->regs[0]->args[0]->name;
    Cloner c = {.module = b.module};
    map_put(b.module->arena, &c.values, n->outer->regs[0]->args[0], t);
    for (const Op *o = n->outer->regs[0]->first; o != n->inner; o = o->next) clone_op(&c, &in, o);
    map_put(b.module->arena, &c.values, n->inner->regs[0]->args[0], k);
    for (int i = 0; i < count; i++) map_put(b.module->arena, &c.values, loop_carried(n->inner, i), body->args[i + 1]);
    clone_region_ops(&c, &in, n->inner->regs[0], true);
    op_rename_sizes(made);
    for (int i = 0; i < count; i++) {
        body->args[i + 1]->name = loop_carried(n->inner, i)->name;
        value_take_over(&n->outer->res[i], &made->res[i]);
    }
    op_erase(n->outer);
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        Nest n;
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
        if (op->code == OP_FOR && op_around(op, OP_VJP) && is_nest(&n, op) && sets_elements(n.inner)) coalesce(&n);
    }
}

void pass_coalesce_nests(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
