/* reassociate: `for k in lo:hi { s += f(k) }` of floats becomes s + sum(f(k) for k in lo:hi).
 *
 * Only with --fp=reassoc or fast.  Needs stage par, loops that count in form `for`; leaves reductions in the fixed tree
 * (lower/reduce_tree.h), whose bits do not depend on the number of threads.  The loop must carry sums and nothing else,
 * and only compute and read.  Loops of few turns stay, and those of kernels and parallel loops, whose threads run side
 * by side as vector lanes. */
#include "opt/pass.h"

enum { FEW_TURNS = 32 };

/* The other operand of the sum that ends the loop's k-th carried value; NULL where it is no sum, or is looked at
 * elsewhere */
static Value *addend(const Op *loop, int k) {
    const Value *s = loop->regs[0]->args[k + 1], *last = op_opnd(region_term(loop->regs[0]), k);
    Op *sum = last->def;
    if (!sum || sum->code != OP_ADD || sum->parent != loop->regs[0] || !value_single_use(last) || !value_single_use(s))
        return NULL;
    if (s->type->dtype != DT_F64 && s->type->dtype != DT_F32) return NULL;
    return op_opnd(sum, 0) == s ? op_opnd(sum, 1) : op_opnd(sum, 1) == s ? op_opnd(sum, 0) : NULL;
}

static bool only_computes(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (op_has_effect(o) || op_writes_memory(o) || o->code == OP_BIND) return false;
        for (int i = 0; i < o->nregs; i++)
            if (!only_computes(o->regs[i])) return false;
    }
    return true;
}

static bool takes_turns(const Op *loop) {
    int64_t lo, hi, step;
    if (!value_const_int(op_opnd(loop, 2), &step) || step != 1) return false;
    return !value_const_int(op_opnd(loop, 0), &lo) || !value_const_int(op_opnd(loop, 1), &hi) || hi - lo >= FEW_TURNS;
}

static bool is_in_parallel(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code == OP_PARALLEL || o->code == OP_GENERATE) return true;
    return false;
}

static bool matches(const Op *loop) {
    if (loop->code != OP_FOR || !loop->nres || !takes_turns(loop) || is_in_parallel(loop) ||
        !only_computes(loop->regs[0]))
        return false;
    for (int k = 0; k < loop->nres; k++)
        if (type_is_tensor(loop->res[k].type) || !addend(loop, k)) return false;
    return true;
}

/* The loop's turns as elements */
static void elements(Op *loop, Op *reduce, Value **addends) {
    Module *m = loop->parent->func->module;
    Region *r = reduce->regs[0];
    Value *i = region_add_arg(r, op_opnd(loop, 0)->type, loop->regs[0]->args[0]->name);
    Builder b = builder_at_end(m, r, loop->span);
    Cloner c = {.module = m};
    map_put(m->arena, &c.values, loop->regs[0]->args[0], build_binary(&b, OP_ADD, op_opnd(loop, 0), i));
    for (const Op *o = loop->regs[0]->first; o != region_term(loop->regs[0]); o = o->next) {
        bool is_total = false;
        for (int k = 0; k < loop->nres; k++) is_total |= op_opnd(region_term(loop->regs[0]), k)->def == o;
        if (!is_total) clone_op(&c, &b, o);
    }
    for (int k = 0; k < loop->nres; k++) addends[k] = clone_value(&c, addends[k]);
    build_yield(&b, loop->nres, addends);
}

static void rewrite(Op *loop) {
    int n = loop->nres;
    Builder b = builder_before(loop);
    Arena *arena = b.module->arena;
    const Type **types = NEWN(arena, const Type *, n);
    Value **addends = NEWN(arena, Value *, n);
    for (int k = 0; k < n; k++) types[k] = loop->res[k].type, addends[k] = addend(loop, k);
    Value *turns = build_binary(&b, OP_MAX, build_binary(&b, OP_SUB, op_opnd(loop, 1), op_opnd(loop, 0)),
                                build_int(&b, 0));
    Op *reduce = build_op(&b, OP_REDUCE, 1, &turns, n, types, 1);
    op_set_combine(reduce, COMBINE_ADD);
    elements(loop, reduce, addends);
    for (int k = 0; k < n; k++)
        value_replace_all(&loop->res[k], build_binary(&b, OP_ADD, op_opnd(loop, 3 + k), &reduce->res[k]));
    op_erase(loop);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (matches(o)) rewrite(o);
    }
}

void pass_reassociate(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
