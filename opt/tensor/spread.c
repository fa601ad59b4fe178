/* spread: elements of a reduction that cost much are computed by all threads, and combined then.
 *
 * needs: bodies that are fused.  A reduction of few elements runs in order, as its tree has chunks of a thousand; where
 * each element takes long, they become a comprehension, and the reduction reads its elements.  The tree is that of the
 * reduction, so the result has the same bits. */
#include "ir/index.h"
#include "opt/pass.h"

#include <string.h>

enum {
    FEW = 4096,          /* elements that one thread reduces, as in lower/reduce.c */
    MUCH = 4000,         /* cycles of an element: beside it a store and a load of it are nothing */
    UNKNOWN_TURNS = 1000 /* of a loop whose number of turns is not known */
};

/* ---- cost */

static int64_t region_cost(const Region *r);

static int64_t turns_of(const Op *op) {
    int64_t lo, hi, step;
    if (op->code == OP_WHILE) return UNKNOWN_TURNS;
    if (op->code == OP_REDUCE) {
        int64_t n = 1, c;
        for (int i = 0; i < op->regs[0]->nargs && n < MUCH; i++)
            n *= !value_const_int(op_opnd(op, i), &c) ? 1 : c < 0 ? 0 : c < MUCH ? c : MUCH;
        return n;
    }
    bool known = op->code == OP_FOR && value_const_int(op_opnd(op, 0), &lo) && value_const_int(op_opnd(op, 1), &hi) &&
                 value_const_int(op_opnd(op, 2), &step) && step && !__builtin_sub_overflow(hi, lo, &hi);
    if (!known || (hi > 0) != (step > 0)) return 1; /* of which nothing is known is little */
    int64_t n = hi / step;
    return n < 1 ? 1 : n < MUCH ? n : MUCH;
}

static int64_t op_cost(const Op *op) {
    int64_t inner = 0;
    if (op->code == OP_CALL) {
        const Func *f = module_find(op->parent->func->module, op_sym(op, A_FUNC));
        return f && f->kind == FUNC_FN ? (f->recursive ? MUCH : region_cost(f->body)) : 0;
    }
    for (int i = 0; i < op->nregs; i++) inner += region_cost(op->regs[i]);
    bool loop = op_info(op->code)->traits & TR_LOOP || op->code == OP_REDUCE;
    return op_info(op->code)->cost + inner * (loop ? turns_of(op) : 1);
}

/* At most MUCH */
static int64_t region_cost(const Region *r) {
    int64_t cost = 0;
    for (const Op *o = r->first; o && cost < MUCH; o = o->next) cost += op_cost(o);
    return cost < MUCH ? cost : MUCH;
}

/* ---- */

static bool at_function_level(const Op *op) {
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code != OP_FOR && o->code != OP_WHILE && o->code != OP_IF && o->code != OP_SPAWN) return false;
    return true;
}

/* Few enough to be reduced by one thread, and more than one */
static bool is_short(const Op *op) {
    int64_t n = 1, c;
    for (int i = 0; i < op->regs[0]->nargs; i++) {
        if (!value_const_int(op_opnd(op, i), &c) || c < 1 || c > FEW) return false;
        n *= c;
    }
    return n > 1 && n <= FEW;
}

static bool reaches_out(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_EXTERN || o->code == OP_PRINT) return true;
        for (int i = 0; i < o->nregs; i++)
            if (reaches_out(o->regs[i])) return true;
    }
    return false;
}

static bool is_worth(const Op *op) {
    return op->code == OP_REDUCE && op->nregs == 1 && is_short(op) && at_function_level(op) &&
           region_cost(op->regs[0]) >= MUCH && !reaches_out(op->regs[0]);
}

/* The comprehension of op's elements, before it */
static Op *elements_of(Builder *b, const Op *op) {
    Session *s = b->module->session;
    int rank = op->regs[0]->nargs;
    const Size *dims[MAX_RANK];
    const Type **types = NEWN(b->module->arena, const Type *, op->nres);
    Value **out = NEWN(b->module->arena, Value *, op->nres);
    for (int i = 0; i < rank; i++) dims[i] = build_size_of(b, op_opnd(op, i));
    for (int i = 0; i < op->nres; i++) types[i] = type_tensor(s, op->res[i].type->dtype, rank, dims);
    Op *made = build_op(b, OP_GENERATE, 0, NULL, op->nres, types, 1);
    for (int i = 0; i < rank; i++) region_add_arg(made->regs[0], type_scalar(s, DT_I64), op->regs[0]->args[i]->name);
    Builder in = builder_at_end(b->module, made->regs[0], op->span);
    region_inline(&in, op->regs[0], made->regs[0]->args, out);
    build_yield(&in, op->nres, out);
    return made;
}

static void spread(Op *op) {
    Builder b = builder_before(op);
    Op *elements = elements_of(&b, op);
    int rank = op->regs[0]->nargs;
    const Type **types = NEWN(b.module->arena, const Type *, op->nres);
    Value **opnds = NEWN(b.module->arena, Value *, rank), **out = NEWN(b.module->arena, Value *, op->nres);
    for (int i = 0; i < rank; i++) opnds[i] = op_opnd(op, i);
    for (int i = 0; i < op->nres; i++) types[i] = op->res[i].type;
    Op *made = build_op(&b, OP_REDUCE, rank, opnds, op->nres, types, 1);
    for (int i = 0; i < op->nattrs; i++) op_set_attr(made, op->attrs[i]);
    for (int i = 0; i < rank; i++) region_add_arg(made->regs[0], type_scalar(b.module->session, DT_I64), NULL);
    Builder in = builder_at_end(b.module, made->regs[0], op->span);
    for (int i = 0; i < op->nres; i++) {
        out[i] = extract_safe(&in, &elements->res[i], rank, made->regs[0]->args);
    }
    build_yield(&in, op->nres, out);
    for (int i = 0; i < op->nres; i++) {
        made->res[i].name = op->res[i].name;
        value_replace_all(&op->res[i], &made->res[i]);
    }
    op_erase(op);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (is_worth(o)) spread(o);
    }
}

void pass_spread(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
