/* A loop of the function that only adds up numbers, with all that stands in it, is reversed as the reduction that it
 * is: its turns have no order for the adjoints of what it reads, which are pulled (comprehension.c) instead of being
 * added to element by element, one turn after the other.  The loop itself stays. */
#include "ad/loop.h"
#include "ad/pull.h"
#include "ir/index.h"

static void find_unfit(void *ctx, Op *op) {
    bool *fits = ctx;
    *fits &= op->code != OP_WHILE && op->code != OP_CALL && op->code != OP_SPAWN && (op->code != OP_FOR || is_sum(op));
}

static bool adds_numbers(Op *loop) {
    bool fits = is_sum(loop) && !op_has_effect(loop) && !op_has_tensors(loop);
    for (int i = 0; i < loop->nres; i++) fits &= loop->res[i].type->kind == TY_SCALAR;
    if (fits) region_walk(loop->regs[0], find_unfit, &fits);
    return fits;
}

/* Before the loop; its elements are what a turn adds to nothing */
static Op *as_reduction(Ad *ad, Op *loop) {
    Builder b = builder_before(loop);
    Value *lo = op_opnd(loop, 0), *n = op_opnd(loop, 1), *step = op_opnd(loop, 2);
    bool is_size = counts_up(lo, step) && value_size(ad->module->session, n, false);
    const Type **types = NEWN(ad->arena, const Type *, loop->nres);
    Value **args = NEWN(ad->arena, Value *, loop->nres + 1), **out = NEWN(ad->arena, Value *, loop->nres);
    for (int i = 0; i < loop->nres; i++) types[i] = loop->res[i].type;
    b.span = loop->span;
    if (!is_size) n = build_count(&b, lo, n, step);
    Op *sum = build_op(&b, OP_REDUCE, 1, &n, loop->nres, types, 1);
    op_set_combine(sum, COMBINE_ADD);
    Builder in = builder_at_end(ad->module, sum->regs[0], loop->span);
    Value *k = region_add_arg(sum->regs[0], n->type, loop->regs[0]->args[0]->name);
    args[0] = counts_up(lo, step) ? k : build_binary(&in, OP_ADD, lo, build_binary(&in, OP_MUL, k, step));
    for (int i = 0; i < loop->nres; i++) args[1 + i] = build_zero(&in, types[i]);
    region_inline(&in, loop->regs[0], args, out);
    build_yield(&in, loop->nres, out);
    active_op(ad, sum);
    return sum;
}

/* Of each array that varies the loops go along an axis as a whole: a comprehension over it does not do more than they
 * do. */
typedef struct { const Ad *ad; const Op *sum; bool all; } Cover;

static bool goes_along(Session *s, const Value *index, const Size *dim) {
    const Op *owner = index->def ? NULL : index->region->owner;
    if (owner && owner->code == OP_FOR && index->index == 0) return value_size(s, op_opnd(owner, 1), false) == dim;
    return owner && index_size(index) == dim;
}

static void find_cover(void *ctx, Op *op) {
    Cover *c = ctx;
    bool along = false;
    if (op->code != OP_EXTRACT || op_encloses(c->sum, op_opnd(op, 0)) || !is_active(c->ad, op_opnd(op, 0))) return;
    for (int i = 1; i < op->nopnds; i++)
        along |= goes_along(c->ad->module->session, op_opnd(op, i), op_opnd(op, 0)->type->dims[i - 1]);
    c->all &= along;
}

static bool covers_arrays(const Ad *ad, const Op *sum) {
    Cover c = {.ad = ad, .sum = sum, .all = true};
    region_walk(sum->regs[0], find_cover, &c);
    return c.all;
}

bool reverse_sum_loop(Scope *s, Op *loop) {
    if (s->memory || s->scalars || s->up || !adds_numbers(loop)) return false;
    Op *sum = as_reduction(s->ad, loop);
    bool pulls = covers_arrays(s->ad, sum) && !has_own_sizes(sum) && can_pull(s, sum) && can_gather_all(s, sum);
    for (int i = 0; i < loop->nres && pulls; i++) set_adjoint(s, &sum->res[i], adjoint_of(s, &loop->res[i]));
    if (pulls) reverse_comprehension(s, sum);
    for (int i = 0; i < loop->nres && pulls; i++) add_adjoint(s, op_opnd(loop, 3 + i), adjoint_of(s, &loop->res[i]));
    op_erase(sum);
    return pulls;
}
