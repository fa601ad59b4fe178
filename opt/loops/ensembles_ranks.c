/* The turns of an ensemble are parted among processes: what each of them needs before, and has changed then. */
#include "ir/ranks.h"
#include "opt/loops/ensembles.h"

typedef struct {
    Linear *linear;
    Arena *arena;
    Op *loop;
    Builder in;                  /* in a loop over processes */
    Value *process, *first, *last; /* the index in the turns with which the process begins and ends */
    Map told;                    /* arrays that it has been said to need */
} Parting;

static Value *index_at(Builder *b, const Op *loop, Value *turn) {
    return index_add(b, op_opnd(loop, 0), index_mul(b, op_opnd(loop, 2), turn));
}

/* The rows of step*k + first .. step*k + first + width - 1, for the turns of the process */
static void say_rows(Parting *p, Value *array, const EnsembleRows *rows) {
    int64_t by;
    value_const_int(op_opnd(p->loop, 2), &by);
    bool up = (by > 0) == rows->forth;
    Builder *b = &p->in;
    Value *step = linear_build(p->linear, b, rows->step), *least = linear_build(p->linear, b, rows->first);
    Value *lo = index_add(b, index_mul(b, step, up ? p->first : p->last), least);
    Value *hi = index_add(b, index_mul(b, step, up ? p->last : p->first), least);
    build_rows(b, OP_OWN, array, p->process, lo, index_add(b, hi, linear_build(p->linear, b, rows->width)));
}

/* All get all of what a turn reads of arrays that no turn writes. */
static void say_reads(void *ctx, Op *op) {
    Parting *p = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        Value *v = op_opnd(op, i);
        if (!type_is_tensor(v->type) || op_encloses(p->loop, v) || map_has(&p->told, v)) continue;
        map_put(p->arena, &p->told, v, v);
        if (!v->type->rank) continue;
        Value *zero = build_int(&p->in, 0), *rows = build_size(&p->in, v->type->dims[0]);
        build_rows(&p->in, OP_NEED, v, p->process, zero, rows);
    }
}

/* What each process needs, in a loop over all of them: always, as in turns nothing is asked for */
static void say_needs(Parting *p, const EnsembleRows *rows, Value *turns) {
    Builder b = builder_before(p->loop), *in = &p->in;
    Value *zero = build_int(&b, 0), *much = build_int(&b, INT64_MAX);
    Value *processes = build_partition(&b, turns, turns, 1, zero, much, 0, NULL);
    Op *share;
    build_over_processes(&b, processes, in, &p->process, &share);
    p->first = index_at(in, p->loop, &share->res[0]);
    p->last = index_at(in, p->loop, index_sub(in, &share->res[1], build_int(in, 1)));
    for (int i = 0; i < p->loop->nres; i++)
        if (rows[i].width) say_rows(p, loop_first(p->loop, i), &rows[i]);
    region_walk(p->loop->regs[0], say_reads, p);
    build_yield(in, 0, NULL);
}

void ensemble_part(Linear *l, Op *loop, const EnsembleRows *rows) {
    Parting p = {.linear = l, .arena = arena_new(), .loop = loop};
    Builder b = builder_before(loop);
    Value *turns = index_max(&b, index_turns(&b, loop), build_int(&b, 0));
    say_needs(&p, rows, turns);
    b = builder_before(loop);
    Op *exchange = build_exchange(&b, turns, 0, NULL);
    Value *from = index_at(&b, loop, &exchange->res[0]), *to = index_at(&b, loop, &exchange->res[1]);
    op_set_opnd(loop, 0, from), op_set_opnd(loop, 1, to);
    arena_free(p.arena);
}
