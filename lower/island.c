/* Making islands out of comprehensions: outputs are operands given by the caller, inputs are found in the body. */
#include "lower/lower.h"

#include <string.h>

/* The buffer of a tensor from outside; a new `in` operand when it is met first */
static Value *buffer_for(Op *island, Map *bufs, Value *tensor) {
    Module *m = island->parent->func->module;
    if (tensor->type->kind == TY_BUF) return tensor;
    Value *buf = map_get(bufs, tensor);
    if (buf) return buf;
    buf = island_reads(island, tensor);
    map_put(m->arena, bufs, tensor, buf);
    return buf;
}

static void extract_to_load(Op *island, Map *bufs, Op *op) {
    Value *idx[MAX_RANK], *buf = buffer_for(island, bufs, op_opnd(op, 0));
    for (int i = 1; i < op->nopnds; i++) idx[i - 1] = op_opnd(op, i);
    Builder b = builder_before(op);
    Value *v = build_load(&b, buf, op->nopnds - 1, idx);
    if (op_flag(op, A_SAFE)) op_set_flag(v->def, A_SAFE);
    v->name = op->res[0].name;
    value_replace_all(&op->res[0], v);
    op_erase(op);
}

static void capture(Op *island, Map *bufs, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) capture(island, bufs, o->regs[i]);
        if (o->code == OP_EXTRACT) extract_to_load(island, bufs, o);
    }
}

/* Expanding a reduce may bring reduces of its body along: they stand where it stood, and are met next. */
void expand_reduces(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_REDUCE && !op_flag(o, A_TEAM)) {
            Op *prev = o->prev;
            expand_reduce(o);
            next = prev ? prev->next : r->first;
            continue;
        }
        for (int i = 0; i < o->nregs; i++) expand_reduces(o->regs[i]);
    }
}

void island_finish(Op *island, bool in_place) {
    Module *m = island->parent->func->module;
    Map bufs = {0};
    const Attr *given = op_attr(island, A_MODES);
    for (int i = 0; i < given->n && in_place; i++)
        if (given->ints[i] == 2) map_put(m->arena, &bufs, op_opnd(island, i), island->regs[0]->args[i]);
    if (!region_term(island->regs[0])) {
        Builder end = builder_at_end(m, island->regs[0], island->span);
        build_yield(&end, 0, NULL);
    }
    capture(island, &bufs, island->regs[0]);
    expand_reduces(island->regs[0]);
}

/* A loop over the extents at b, in which `in` is left, and its indices.  A row, as what a turn of a loop reads of a
 * matrix or writes to a tape, needs no loop over rows. */
static void open_nest(Builder *b, int rank, Value *const *extents, Builder *in, Value **at) {
    Value *loops[MAX_RANK], *zero = NULL;
    int axis[MAX_RANK], n = 0;
    for (int i = 0; i < rank; i++) {
        bool one_row = value_is_const_int(extents[i], 1) && (i < rank - 1 || n);
        if (one_row) at[i] = zero = zero ? zero : build_int(b, 0);
        else axis[n] = i, loops[n++] = extents[i];
    }
    Op *loop = build_plain_parallel(b, n, loops, in);
    for (int k = 0; k < n; k++) at[axis[k]] = loop->regs[0]->args[k];
}

/* The comprehension's body as a parallel loop at b; the body moves out of op. */
void island_nest(Builder *b, Op *op, Value *const *extents, const IslandTarget *to) {
    Region *body = op->regs[0];
    int rank = body->nargs, n = op->nres;
    Builder in;
    Value **vals = NEWN(b->module->arena, Value *, n), *at[MAX_RANK];
    open_nest(b, rank, extents, &in, at);
    for (int i = 0; i < rank; i++) {
        if (!at[i]->def) at[i]->name = body->args[i]->name;
        value_replace_all(body->args[i], at[i]);
    }
    Op *term = region_term(body);
    if (term->prev) op_move_range(body->first, term->prev, in.before->parent, in.before);
    for (int k = 0; k < n; k++) vals[k] = op_opnd(term, k);
    for (int i = 0; i < rank && to->start; i++)
        at[i] = index_add(&in, to->start[i], index_mul(&in, at[i], build_int(&in, to->steps[i])));
    for (int k = 0; k < n; k++) store_safe(&in, vals[k], to->bufs[k], rank, at);
}

/* ---- what may stand in an island */

static bool region_fits(const Region *r);

static bool op_fits(const Op *o) {
    bool known = o->code == OP_EXTRACT || o->code == OP_REDUCE;
    if (!known && !(op_info(o->code)->levels & LV_ISLAND)) return false;
    for (int i = 0; i < o->nres; i++)
        if (type_is_tensor(o->res[i].type)) return false;
    for (int i = 0; i < o->nopnds; i++)
        if (type_is_tensor(op_opnd(o, i)->type) && o->code != OP_EXTRACT) return false;
    for (int i = 0; i < o->nregs; i++)
        if (!region_fits(o->regs[i])) return false;
    return true;
}

static bool region_fits(const Region *r) {
    for (int i = 0; i < r->nargs; i++)
        if (type_is_tensor(r->args[i]->type)) return false;
    for (const Op *o = r->first; o; o = o->next)
        if (!op_fits(o)) return false;
    return true;
}

bool island_fits(const Op *op) {
    for (int i = 0; i < op->nregs; i++)
        if (!region_fits(op->regs[i])) return false;
    return true;
}
