/* Updates, pads and concats as islands: in place, or into a fresh tensor.
 *
 * In place, what does not change costs nothing; but if the old tensor is needed later, it would be copied first (it has
 * two owners).  Then the new tensor is written once instead: the part from its comprehension, and around it the old
 * elements.  So `next = u; next[1:n-1, 1:m-1] = [.. u ..]` reads u and writes next once.  A part that reads the old
 * tensor, which is not needed otherwise, goes through a tensor of its own when it is small, unless it reads no other
 * elements than those it overwrites, as `u[1:, :] -= ..` does, and of rows beside the one that it writes, as
 * `y[i] = y[i - 1] + x[i]` does.
 *
 * A pad is written around its part likewise, a concat part by part.  What is computed for one of them alone is computed
 * where it is written. */
#include "analysis/linear.h"
#include "lower/lower.h"

#include <string.h>

typedef struct {
    Op *op;
    Value *x, *fill; /* around the part: the old tensor, or, if there is none, what all elements are */
    Value *y, *start[MAX_RANK], *count[MAX_RANK], *extent[MAX_RANK];
    const int64_t *steps;
    int rank;
} Update;

static bool region_reads(const Region *r, const Value *tensor) {
    for (const Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nopnds; i++)
            if (op_opnd(o, i) == tensor) return true;
        for (int i = 0; i < o->nregs; i++)
            if (region_reads(o->regs[i], tensor)) return true;
    }
    return false;
}

/* ---- which way */

/* The innermost region that holds both, or is where v is, in which op, maybe in branches of it, comes before the use */
static bool comes_later(const Value *v, const Op *op, const Op *user) {
    const Region *r = op->parent;
    while (r != value_region(v) && !region_encloses(r, user->parent)) r = r->owner->parent;
    const Op *mine = op_ancestor(op, r), *other = op_ancestor(user, r);
    return mine != other && op_dominates(mine, other);
}

/* Nothing but `op` (and what stands in `except`) uses v from op on, and v is no longer held by a loop around: between
 * the two are branches at most. */
static bool dies_at(const Value *v, const Op *op, const Region *except) {
    for (const Region *r = op->parent; r != value_region(v); r = r->owner->parent)
        if (!r->owner || r->owner->code != OP_IF) return false;
    for (const Use *u = v->uses; u; u = u->next) {
        if (u->user == op || (except && region_encloses(except, u->user->parent))) continue;
        if (comes_later(v, op, u->user)) return false;
    }
    return true;
}

/* The part is the whole but for a border of constant width, or at least half of it. */
static bool is_most(Session *s, const Type *whole, const Type *part) {
    int64_t n, k, all = 1, some = 1;
    for (int i = 0; i < whole->rank; i++) {
        if (size_is_const(whole->dims[i], &n) && size_is_const(part->dims[i], &k)) all *= n, some *= k;
        else if (!size_is_const(size_sub(s, whole->dims[i], part->dims[i]), &n) || n > 64) return false;
    }
    return 2 * some >= all;
}

/* The comprehension that is operand i, and nothing else */
static Op *sole_part(const Op *op, int i) {
    Op *g = op_opnd(op, i)->def;
    bool only = g && g->code == OP_GENERATE && g->nres == 1 && g->parent == op->parent && value_single_use(&g->res[0]);
    return only && island_fits(g) ? g : NULL;
}

static bool is_zero(const Value *v) {
    int64_t c;
    return value_const_int(v, &c) && c == 0;
}

/* start + iv; single: iv is 0 */
static bool is_shifted(const Value *v, const Value *start, const Value *iv, bool single) {
    if (v == iv) return is_zero(start);
    if (single && value_same_int(v, start)) return true;
    if (!v->def || v->def->code != OP_ADD) return false;
    const Value *x = op_opnd(v->def, 0), *y = op_opnd(v->def, 1);
    bool x_moves = x == iv || (single && is_zero(x)), y_moves = y == iv || (single && is_zero(y));
    return (x_moves && value_same_int(y, start)) || (y_moves && value_same_int(x, start));
}

static bool is_single(const Type *part, int axis) {
    int64_t n;
    return size_is_const(part->dims[axis], &n) && n == 1;
}

/* An index of a read is proved not to be start, the only one that is written. */
static bool is_elsewhere(Op *read, Value *v, Value *start) {
    Linear *l = linear_new(read->parent->func);
    linear_at(l, read);
    const Poly *x = linear_value(l, v), *y = linear_value(l, start), *one = linear_const(l, 1);
    bool elsewhere = linear_prove(l, read, linear_sub(l, linear_sub(l, x, y), one)) ||
                     linear_prove(l, read, linear_sub(l, linear_sub(l, y, x), one));
    linear_free(l);
    return elsewhere;
}

/* Of the row that is written, or of any other that is the same for all of the part */
static bool reads_own(const Op *read, const Op *part, const Op *op) {
    for (int k = 0; k + 1 < read->nopnds; k++) {
        const Value *v = op_opnd(read, k + 1), *start = op_opnd(op, k + 2);
        bool one = is_single(part->res[0].type, k), still = one && !op_encloses(part, v);
        if (!still && !is_shifted(v, start, part->regs[0]->args[k], one)) return false;
    }
    return true;
}

static bool reads_other_row(Op *read, const Op *part, const Op *op) {
    for (int k = 0; k + 1 < read->nopnds; k++) {
        bool one = is_single(part->res[0].type, k);
        if (one && is_elsewhere(read, op_opnd(read, k + 1), op_opnd(op, k + 2))) return true;
    }
    return false;
}

/* A read of x, in the part, is of the element that will be written there, or of one in a row that is not written. */
static bool reads_safely(Op *read, const Op *part, const Op *op) {
    return reads_own(read, part, op) || reads_other_row(read, part, op);
}

/* So is every read of x in r. */
static bool reads_own_place(const Region *r, const Op *part, const Op *op) {
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nopnds; i++)
            if (op_opnd(o, i) == op_opnd(op, 0) && (o->code != OP_EXTRACT || i || !reads_safely(o, part, op)))
                return false;
        for (int i = 0; i < o->nregs; i++)
            if (!reads_own_place(o->regs[i], part, op)) return false;
    }
    return true;
}

/* The old tensor goes, and the part reads none of it but what it overwrites. */
static bool may_overwrite(const Op *op, const Op *part) {
    const Region *body = part->regs[0];
    return op_unit_steps(op) && dies_at(op_opnd(op, 0), op, body) && reads_own_place(body, part, op);
}

static bool writes_afresh(const Op *op) {
    const Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    if (!op_unit_steps(op)) return false;
    const Op *part = sole_part(op, 1);
    if (!dies_at(x, op, part ? part->regs[0] : NULL)) return true;
    return part && !may_overwrite(op, part) && region_reads(part->regs[0], x) &&
           is_most(op->parent->func->module->session, x->type, y->type);
}

/* The comprehension that is written straight to its place */
static Op *fused_part(const Op *op) {
    Op *g = sole_part(op, 1);
    return g && (writes_afresh(op) || !region_reads(g->regs[0], op_opnd(op, 0)) || may_overwrite(op, g)) ? g : NULL;
}

Op *update_own_part(const Op *op) {
    Op *g = op_unit_steps(op) ? sole_part(op, 1) : NULL;
    return g && reads_own_place(g->regs[0], g, op) ? g : NULL;
}

bool island_is_update_part(const Op *g) {
    const Use *u = g->nres == 1 ? g->res[0].uses : NULL;
    if (!u) return false;
    switch (u->user->code) {
    case OP_UPDATE: return u->index == 1 && fused_part(u->user) == g;
    case OP_PAD: case OP_CONCAT: return sole_part(u->user, u->index) == g;
    default: return false;
    }
}

/* ---- in place */

/* A comprehension of y's elements, to be written */
static Op *copy_of(Builder *b, Value *y) {
    Op *g = build_op(b, OP_GENERATE, 0, NULL, 1, &y->type, 1);
    for (int i = 0; i < y->type->rank; i++) region_add_arg(g->regs[0], type_i64(b->module), NULL);
    Builder in = builder_at_end(b->module, g->regs[0], b->span);
    Value *v = extract_safe(&in, y, y->type->rank, g->regs[0]->args);
    build_yield(&in, 1, &v);
    return g;
}

static Op *island_in_place(Builder *b, const Update *u, Op *part) {
    const int64_t inout = 2;
    Op *island = build_island(b, 1, &u->x, &inout);
    Builder in = builder_at_end(b->module, island->regs[0], u->op->span);
    island_nest(&in, part, u->count, &(IslandTarget){island->regs[0]->args, u->start, u->steps});
    return island;
}

/* ---- afresh */

static Value *clamp(Builder *b, Value *v, Value *hi) {
    int64_t c;
    if (value_const_int(v, &c) && c == 0) return v;
    return build_binary(b, OP_MAX, build_binary(b, OP_MIN, v, hi), build_int(b, 0));
}

/* Writes the elements around the part with the given outer indices and last index lo .. lo+n-1. */
static void run_around(Builder *b, const Update *u, Value *buf, Value *const *outer, Value *lo, Value *n) {
    Value *at[MAX_RANK];
    Builder in;
    Op *loop = build_plain_parallel(b, 1, &n, &in);
    memcpy(at, outer, sizeof *at * (size_t)u->rank);
    at[u->rank - 1] = index_add(&in, lo, loop->regs[0]->args[0]);
    Value *v = u->fill;
    if (!v) op_set_flag((v = build_extract(&in, u->x, u->rank, at))->def, A_SAFE);
    store_safe(&in, v, buf, u->rank, at);
}

/* A row inside: elements around, the part's, elements around */
static void write_row(Builder *b, const Update *u, Value *buf, Value *const *outer, Value *lo, Value *hi, Op *part) {
    int last = u->rank - 1;
    Value *args[MAX_RANK], *at[MAX_RANK], *v, *zero = build_int(b, 0);
    Builder in;
    run_around(b, u, buf, outer, zero, lo);
    Op *loop = build_plain_parallel(b, 1, &u->count[last], &in);
    for (int i = 0; i < last; i++) args[i] = index_sub(&in, outer[i], u->start[i]);
    args[last] = loop->regs[0]->args[0];
    args[last]->name = part->regs[0]->args[last]->name;
    region_inline(&in, part->regs[0], args, &v);
    memcpy(at, outer, sizeof *at * (size_t)u->rank);
    at[last] = index_add(&in, u->start[last], args[last]);
    store_safe(&in, v, buf, u->rank, at);
    run_around(b, u, buf, outer, hi, index_sub(b, u->extent[last], hi));
}

/* On a device: the element is the part's or the old one */
static void write_element(Builder *b, const Update *u, Value *buf, Value *const *lo, Value *const *hi, Op *part) {
    Builder in;
    Value *args[MAX_RANK], *inside = NULL, *v;
    Value *const *at = build_plain_parallel(b, u->rank, u->extent, &in)->regs[0]->args;
    for (int i = 0; i < u->rank; i++) inside = build_between(&in, inside, at[i], lo[i], hi[i]);
    Op *choice = build_if(&in, inside, 0, NULL);
    Builder yes = builder_at_end(b->module, choice->regs[0], b->span),
            no = builder_at_end(b->module, choice->regs[1], b->span);
    for (int i = 0; i < u->rank; i++) args[i] = index_sub(&yes, at[i], u->start[i]);
    region_inline(&yes, part->regs[0], args, &v);
    store_safe(&yes, v, buf, u->rank, at);
    build_yield(&yes, 0, NULL);
    v = u->fill;
    if (!v) op_set_flag((v = build_extract(&no, u->x, u->rank, at))->def, A_SAFE);
    store_safe(&no, v, buf, u->rank, at);
    build_yield(&no, 0, NULL);
}

static Op *island_afresh(Builder *b, const Update *u, Op *part, bool device) {
    const int64_t out = 1;
    Value *fresh = build_empty(b, u->op->res[0].type, u->op->res[0].name), *lo[MAX_RANK], *hi[MAX_RANK];
    int last = u->rank - 1;
    for (int i = 0; i < u->rank; i++) {
        lo[i] = clamp(b, u->start[i], u->extent[i]);
        hi[i] = index_add(b, lo[i], u->count[i]);
    }
    Op *island = build_island(b, 1, &fresh, &out);
    Value *buf = island->regs[0]->args[0], *outer[MAX_RANK] = {NULL}, *cond = NULL;
    Builder in = builder_at_end(b->module, island->regs[0], u->op->span);
    if (device) {
        write_element(&in, u, buf, lo, hi, part);
        return island;
    }
    if (u->rank == 1) {
        write_row(&in, u, buf, outer, lo[0], hi[0], part);
        return island;
    }
    Op *loop = build_plain_parallel(&in, last, u->extent, &in);
    for (int i = 0; i < last; i++) {
        outer[i] = loop->regs[0]->args[i];
        cond = build_between(&in, cond, outer[i], lo[i], hi[i]);
    }
    Op *row = build_if(&in, cond, 0, NULL);
    Builder yes = builder_at_end(b->module, row->regs[0], b->span),
            no = builder_at_end(b->module, row->regs[1], b->span);
    write_row(&yes, u, buf, outer, lo[last], hi[last], part);
    build_yield(&yes, 0, NULL);
    run_around(&no, u, buf, outer, build_int(&no, 0), u->extent[last]);
    build_yield(&no, 0, NULL);
    return island;
}

/* ---- all of them */

static Update read_update(Builder *b, Op *op, Value *part) {
    Update u = {.op = op, .y = part, .steps = op_attr(op, A_STEPS)->ints, .rank = part->type->rank};
    for (int i = 0; i < u.rank; i++) u.start[i] = op_opnd(op, i + 2);
    build_slice_check(b, op, op->res[0].type, part->type, u.start, u.steps);
    build_dims(b, part->type, u.count);
    build_dims(b, op->res[0].type, u.extent);
    return u;
}

void update_to_island(Op *op, bool device) {
    Builder b = builder_before(op);
    Update u = read_update(&b, op, op_opnd(op, 1));
    u.x = op_opnd(op, 0);
    bool afresh = writes_afresh(op);
    Op *part = fused_part(op);
    bool overwrites = part && may_overwrite(op, part);
    if (!part) part = copy_of(&b, u.y);
    Op *island = afresh ? island_afresh(&b, &u, part, device) : island_in_place(&b, &u, part);
    island_finish(island, overwrites);
    op_replace(op, island);
    op_erase(part);
}

/* Between the part's elements there are others: all are written first. */
static Op *island_spread(Builder *b, const Update *u, Op *part) {
    const int64_t out = 1;
    Value *fresh = build_empty(b, u->op->res[0].type, u->op->res[0].name);
    Op *island = build_island(b, 1, &fresh, &out);
    Builder in = builder_at_end(b->module, island->regs[0], u->op->span), body;
    Op *all = build_plain_parallel(&in, u->rank, u->extent, &body);
    store_safe(&body, u->fill, island->regs[0]->args[0], u->rank, all->regs[0]->args);
    island_nest(&in, part, u->count, &(IslandTarget){island->regs[0]->args, u->start, u->steps});
    return island;
}

void pad_to_island(Op *op, bool device) {
    Builder b = builder_before(op);
    Update u = read_update(&b, op, op_opnd(op, 0));
    u.fill = op_opnd(op, 1);
    Op *part = sole_part(op, 0);
    if (!part) part = copy_of(&b, u.y);
    Op *island = op_unit_steps(op) ? island_afresh(&b, &u, part, device) : island_spread(&b, &u, part);
    island_finish(island, false);
    op_replace(op, island);
    op_erase(part);
}

void concat_to_island(Op *op) {
    Builder b = builder_before(op);
    Session *s = b.module->session;
    const int64_t out = 1, axis = op_attr(op, A_AXES)->ints[0];
    int64_t ones[MAX_RANK];
    int n = op->nopnds;
    const Size *at = size_const(s, 0);
    Value *fresh = build_empty(&b, op->res[0].type, op->res[0].name), *start[MAX_RANK], *count[MAX_RANK];
    for (int i = 0; i < fresh->type->rank; i++) start[i] = build_int(&b, 0), ones[i] = 1;
    Op *island = build_island(&b, 1, &fresh, &out), **parts = NEWN(b.module->arena, Op *, n);
    for (int k = 0; k < n; k++) {
        Builder before = builder_before(island), in = builder_at_end(b.module, island->regs[0], op->span);
        parts[k] = sole_part(op, k);
        if (!parts[k]) parts[k] = copy_of(&before, op_opnd(op, k));
        build_dims(&before, op_opnd(op, k)->type, count);
        start[axis] = build_size(&before, at);
        island_nest(&in, parts[k], count, &(IslandTarget){island->regs[0]->args, start, ones});
        at = size_add(s, at, op_opnd(op, k)->type->dims[axis]);
    }
    island_finish(island, false);
    op_replace(op, island);
    for (int k = 0; k < n; k++) op_erase(parts[k]);
}
