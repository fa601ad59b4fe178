/* The turns of an ensemble are parted among processes: what each of them needs before, and has changed then. */
#include "ir/index.h"
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

static void say(Parting *p, OpCode code, Value *array, Value *from, Value *to) {
    Value *opnds[] = {array, p->process, from, to};
    build_op(&p->in, code, 4, opnds, 0, NULL, 0);
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
    say(p, OP_OWN, array, lo, index_add(b, hi, linear_build(p->linear, b, rows->width)));
}

/* All get all of what a turn reads of arrays that no turn writes. */
static void say_reads(void *ctx, Op *op) {
    Parting *p = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        Value *v = op_opnd(op, i);
        if (!type_is_tensor(v->type) || op_encloses(p->loop, v) || map_has(&p->told, v)) continue;
        map_put(p->arena, &p->told, v, v);
        if (v->type->rank) say(p, OP_NEED, v, build_int(&p->in, 0), build_size(&p->in, v->type->dims[0]));
    }
}

/* What each process needs, in a loop over all of them: always, as in turns nothing is asked for */
static void say_needs(Parting *p, const EnsembleRows *rows, Value *turns) {
    Builder b = builder_before(p->loop), *in = &p->in;
    Value *part[] = {turns, turns, build_int(&b, 1), build_int(&b, 0), build_int(&b, INT64_MAX)};
    const Type *two[] = {type_i64(b.module), type_i64(b.module)};
    Value *processes = &build_op(&b, OP_PART, PART_ARRAYS, part, 1, two, 0)->res[0];
    Op *over = build_for(&b, build_int(&b, 0), processes, build_int(&b, 1), 0, NULL);
    *in = builder_at_end(b.module, over->regs[0], b.span);
    p->process = over->regs[0]->args[0];
    Op *share = build_op(in, OP_SHARE, 1, &p->process, 2, two, 0);
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
    const Type *two[] = {type_i64(b.module), type_i64(b.module)};
    Op *exchange = build_op(&b, OP_EXCHANGE, 1, &turns, 2, two, 0);
    Value *from = index_at(&b, loop, &exchange->res[0]), *to = index_at(&b, loop, &exchange->res[1]);
    op_set_opnd(loop, 0, from), op_set_opnd(loop, 1, to);
    arena_free(p.arena);
}
