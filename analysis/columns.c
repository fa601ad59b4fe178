#include "analysis/columns.h"

enum { SHORT_COLUMN = 256, MANY_COLUMNS = 1 << 14 };

typedef struct { const Value *own, *outer; ReadsLie lie; } Reads;

static void count_read(void *ctx, Op *op) {
    Reads *r = ctx;
    if ((op->code != OP_LOAD && op->code != OP_EXTRACT) || op->nopnds < 2) return;
    const Value *last = op_opnd(op, op->nopnds - 1);
    if (value_depends(last, r->own)) r->lie.along++;
    else if (value_depends(last, r->outer)) r->lie.beside++;
}

ReadsLie reduce_reads(const Op *reduce, const Value *outer) {
    Region *r = reduce->regs[0];
    Reads reads = {r->args[r->nargs - 1], outer, {0, 0}};
    region_walk(r, count_read, &reads);
    return reads.lie;
}

static Op *only_reduce(const Op *generate) {
    Op *found = NULL;
    const Region *body = generate->regs[0];
    for (Op *o = body->first; o->next; o = o->next) {
        if (found || (o->nregs && o->code != OP_REDUCE)) return NULL;
        if (o->code == OP_REDUCE) found = o;
    }
    if (!found || generate->nres != found->nres) return NULL;
    for (int i = 0; i < found->nres; i++)
        if (op_opnd(region_term(body), i) != &found->res[i]) return NULL;
    return found;
}

static void find_loop(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_REDUCE || (op_info(op->code)->traits & TR_LOOP) != 0;
}

static bool is_long(const Op *reduce) {
    int64_t n;
    bool loops = false;
    region_walk(reduce->regs[0], find_loop, &loops);
    return !loops && reduce->regs[0]->nargs == 1 && op_combine(reduce) != COMBINE_CUSTOM &&
           value_const_int(op_opnd(reduce, 0), &n) && n > SHORT_COLUMN;
}

Op *long_columns(const Op *generate) {
    int64_t columns = 1;
    const Region *body = generate->regs[0];
    Op *reduce = generate->code == OP_GENERATE && body->nargs < MAX_RANK ? only_reduce(generate) : NULL;
    if (!reduce || !is_long(reduce)) return NULL;
    size_is_const(type_elements(generate->parent->func->module->session, generate->res[0].type), &columns);
    ReadsLie lie = reduce_reads(reduce, body->args[body->nargs - 1]);
    return columns >= 1 && columns < MANY_COLUMNS && lie.beside && !lie.along ? reduce : NULL;
}
