/* element-loops: loops that set elements of an array, each turn one of its own, become comprehensions: `for i { for j {
 * y[j, i] = x[i, j] } }` is [x[i, j] for j, i].
 *
 * Needs stage par, in which an array that a loop changes is carried, and inserted into.  The loops stand one inside
 * the other; each index of the array is one of theirs, with a factor and something fixed added, or fixed; what the
 * array itself is asked for is the element that is set, or such as later turns set, which both are those from before
 * the loops (as affine loops are raised in Enzyme-JAX: writes after reads may be lined up).  Loops whose index says no
 * place add to the element: they become a loop for each element, or, where floats may be added up in another order, a
 * sum, which may be part of a matrix product (raise.c).  What is written is a box of the array, the rest an update
 * leaves.
 *
 * For StableHLO all such loops go.  Else what works in place stays, since that is as fast: a comprehension is better
 * where it is the whole array, and what was there before is not asked for, or where a matrix product comes of it. */
#include "ir/index.h"
#include "opt/dead.h"
#include "opt/pass.h"
#include "opt/tensor/product.h"

enum { MOST_OPS = 200 };

typedef struct { int loop; int64_t coef; Value *rest; } Axis; /* loop -1: fixed */

typedef struct {
    const PassOptions *opts;
    Module *m;
    Session *s;
    Builder b;             /* before the nest */
    Op *loop[MAX_RANK], *insert;
    int depth, axis_of[MAX_RANK]; /* of a loop; -1: it adds up */
    Axis axis[MAX_RANK];
    int64_t step[MAX_RANK];
    Value *turns[MAX_RANK];       /* of a loop */
    const Type *type;
    Value *old, *carried;         /* the array before, and in the innermost body */
    bool asks_old, adds, whole;
    const Size *extent[MAX_RANK];
    Value *start[MAX_RANK];       /* of the box */
} Nest;

/* ---- the loops */

static const Region *outer_body(const Nest *n) { return n->loop[0]->regs[0]; }
static bool is_outside(const Nest *n, const Value *v) { return !region_encloses(outer_body(n), value_region(v)); }

static bool take_loop(Nest *n, Op *loop) {
    int64_t step;
    if (n->depth == MAX_RANK || loop->nres != 1 || !type_is_tensor(loop->res[0].type)) return false;
    if (!value_const_int(op_opnd(loop, 2), &step) || !step || step > INT32_MAX || step < -INT32_MAX) return false;
    if (op_flag(loop, A_PROGRESS) || op_attr(loop, A_CHECKPOINT)) return false;
    n->step[n->depth] = step;
    n->loop[n->depth++] = loop;
    return is_outside(n, op_opnd(loop, 0)) && is_outside(n, op_opnd(loop, 1));
}

/* Each loop does nothing with the array but to give it to the next one, the last sets an element. */
static bool find_loops(Nest *n, Op *loop) {
    if (!op_only_computes(loop) || region_count_ops(loop->regs[0]) > MOST_OPS || !take_loop(n, loop)) return false;
    n->carried = loop_carried(loop, 0);
    Op *last = loop_next(loop, 0)->def;
    if (!last || last->parent != loop->regs[0] || !value_single_use(&last->res[0])) return false;
    if (last->code == OP_FOR)
        return loop_first(last, 0) == n->carried && value_single_use(n->carried) && find_loops(n, last);
    n->insert = last;
    return last->code == OP_INSERT && op_opnd(last, 0) == n->carried && op_flag(last, A_SAFE);
}

/* ---- the place of the element */

static bool take_axis(Nest *n, int axis, Value *at) {
    Axis *a = &n->axis[axis];
    a->loop = -1;
    if (is_outside(n, at)) return a->rest = at, true;
    for (int k = 0; k < n->depth; k++) {
        IndexLinear l = index_linear(&n->b, outer_body(n), n->loop[k]->regs[0]->args[0], at);
        if (!l.ok || (!l.coef && a->loop >= 0)) continue;
        if (l.coef && (n->axis_of[k] >= 0 || l.coef > INT32_MAX || l.coef < -INT32_MAX)) return false;
        *a = (Axis){l.coef ? k : -1, l.coef, l.rest ? l.rest : build_int(&n->b, 0)};
        if (l.coef) n->axis_of[k] = axis;
        return true;
    }
    return false;
}

static bool find_axes(Nest *n) {
    for (int k = 0; k < n->depth; k++) n->axis_of[k] = -1;
    for (int i = 0; i < n->type->rank; i++)
        if (!take_axis(n, i, op_opnd(n->insert, i + 2))) return false;
    for (int k = 0; k < n->depth; k++) n->adds |= n->axis_of[k] < 0;
    return true;
}

/* ---- what is asked of the array */

static bool is_own(const Nest *n, const Op *read) {
    for (int i = 0; i < n->type->rank; i++)
        if (op_opnd(read, i + 1) != op_opnd(n->insert, i + 2)) return false;
    return true;
}

/* How far the element that is read lies from the one that is set along an axis; false: nobody knows */
static bool read_distance(Nest *n, int axis, Value *at, int64_t *d) {
    const Axis *a = &n->axis[axis];
    const Value *iv = a->loop < 0 ? NULL : n->loop[a->loop]->regs[0]->args[0];
    IndexLinear l = {.ok = true, .rest = at};
    if (iv) l = index_linear(&n->b, outer_body(n), iv, at);
    if (!l.ok || l.coef != a->coef || (l.rest && !is_outside(n, l.rest))) return false;
    const Size *x = l.rest ? value_size(n->s, l.rest, false) : size_const(n->s, 0);
    const Size *y = value_size(n->s, a->rest, false);
    return x && y && size_is_const(size_sub(n->s, x, y), d);
}

/* A later turn sets it, or none. */
static bool is_set_later(Nest *n, const Op *read) {
    int64_t turns[MAX_RANK] = {0};
    for (int i = 0; i < n->type->rank; i++) {
        const Axis *a = &n->axis[i];
        int64_t d, by = a->loop < 0 ? 0 : a->coef * n->step[a->loop];
        if (!read_distance(n, i, op_opnd(read, i + 1), &d)) return false;
        if (by ? d % by != 0 : d != 0) return true;
        if (by) turns[a->loop] = d / by;
    }
    for (int k = 0; k < n->depth; k++)
        if (turns[k]) return turns[k] > 0;
    return false;
}

static bool reads_fit(Nest *n) {
    bool own = false;
    for (const Use *u = n->carried->uses; u; u = u->next) {
        if (u->user == n->insert) continue;
        if (u->user->code != OP_EXTRACT || u->index || !op_flag(u->user, A_SAFE)) return false;
        n->asks_old = true;
        if (is_own(n, u->user)) own = true;
        else if (n->adds || !is_set_later(n, u->user)) return false;
    }
    return own || !n->adds;
}

/* ---- the order in which the program may stop: that of the elements */

static bool in_order(const Nest *n) {
    int next = 0;
    for (int i = 0; i < n->type->rank; i++) {
        if (n->axis[i].loop < 0) continue;
        if (n->axis[i].loop != next++ || n->axis[i].coef * n->step[n->axis[i].loop] < 0) return false;
    }
    return !n->adds;
}

/* ---- the box */

static Value *count_turns(Nest *n, int k) { return index_turns(&n->b, n->loop[k]); }

static bool is_size(const Value *v, const Size *size) {
    return v->def && v->def->code == OP_SIZE && op_attr(v->def, A_SIZE)->sizes[0] == size;
}

/* As many turns as the axis is long need no bound from below. */
static void find_turns(Nest *n, int k) {
    Value *count = count_turns(n, k);
    const Size *size = value_size(n->s, count, false), *dim = n->axis_of[k] < 0 ? NULL : n->type->dims[n->axis_of[k]];
    if (size && size == dim) n->turns[k] = is_size(count, size) ? count : build_size(&n->b, size);
    else if (size && size_is_const(size, &(int64_t){0})) n->turns[k] = build_size(&n->b, size);
    else n->turns[k] = count->def && count->def->code == OP_SIZE ? count : index_max(&n->b, count, build_int(&n->b, 0));
}

static int64_t stride(const Nest *n, const Axis *a) { return a->loop < 0 ? 1 : a->coef * n->step[a->loop]; }

static void find_start(Nest *n, int i) {
    const Axis *a = &n->axis[i];
    int64_t by = stride(n, a);
    n->start[i] = a->rest;
    n->extent[i] = size_const(n->s, 1);
    if (a->loop < 0) return;
    Value *coef = build_int(&n->b, a->coef), *turns = n->turns[a->loop], *one = build_int(&n->b, 1);
    n->start[i] = index_add(&n->b, a->rest, index_mul(&n->b, coef, op_opnd(n->loop[a->loop], 0)));
    if (by < 0)
        n->start[i] = index_add(&n->b, n->start[i],
                                index_mul(&n->b, build_int(&n->b, by), index_sub(&n->b, turns, one)));
    n->extent[i] = value_size(n->s, count_turns(n, a->loop), false);
}

static bool find_box(Nest *n) {
    n->whole = true;
    for (int k = 0; k < n->depth; k++) find_turns(n, k);
    for (int i = 0; i < n->type->rank; i++) {
        find_start(n, i);
        const Size *from = value_size(n->s, n->start[i], false);
        int64_t at, by = stride(n, &n->axis[i]);
        bool begins = from && size_is_const(from, &at) && !at;
        n->whole &= begins && (by == 1 || by == -1) && n->extent[i] == n->type->dims[i];
    }
    for (int i = 0; i < n->type->rank; i++)
        if (!n->extent[i]) return false;
    return true;
}

/* ---- an element */

/* The number that all elements are; NULL: they are not one */
static Value *same_number(const Value *array) {
    const Op *g = array->def;
    if (g && g->code == OP_FILL) return op_opnd(g, 0);
    if (!g || g->code != OP_GENERATE) return NULL;
    Value *v = op_opnd(region_term(g->regs[0]), array->index);
    if (!region_encloses(g->regs[0], value_region(v))) return v;
    const Const *c = value_const(v);
    Builder b = builder_before((Op *)g);
    return c ? build_const(&b, *c) : NULL;
}

static Value *old_element(const Nest *n, Builder *b, Value *const *at) {
    Value *number = same_number(n->old);
    return number ? number : extract_safe(b, n->old, n->type->rank, at);
}

typedef struct { const Nest *n; Cloner c; } Element;

static Value *take(Element *e, Builder *b, Value *v) { return clone_slice(&e->c, b, outer_body(e->n), v); }

/* What it asks of the array, but for its own element, which is `own` */
static void map_reads(Element *e, Builder *b, Value *own) {
    const Nest *n = e->n;
    Value *at[MAX_RANK];
    for (Use *u = n->carried->uses; u; u = u->next) {
        if (u->user == n->insert) continue;
        Value *v = own;
        for (int i = 0; i < n->type->rank && !is_own(n, u->user); i++) at[i] = take(e, b, op_opnd(u->user, i + 1));
        if (!is_own(n, u->user)) v = extract_safe(b, n->old, n->type->rank, at);
        map_put(n->m->arena, &e->c.values, &u->user->res[0], v);
    }
}

static void map_turn(Element *e, Builder *b, int k, Value *turn) {
    const Op *loop = e->n->loop[k];
    Value *iv = index_add(b, op_opnd(loop, 0), index_mul(b, turn, op_opnd(loop, 2)));
    map_put(e->n->m->arena, &e->c.values, loop->regs[0]->args[0], iv);
}

/* The loops that add, from the k-th on, one inside the other */
static Value *add_in_order(Element *e, Builder *b, int k, Value *own) {
    const Nest *n = e->n;
    while (k < n->depth && n->axis_of[k] >= 0) k++;
    if (k == n->depth) {
        map_reads(e, b, own);
        return take(e, b, op_opnd(n->insert, 1));
    }
    Op *loop = build_for(b, op_opnd(n->loop[k], 0), op_opnd(n->loop[k], 1), op_opnd(n->loop[k], 2), 1, &own);
    Region *r = loop->regs[0];
    r->args[0]->name = n->loop[k]->regs[0]->args[0]->name;
    map_put(n->m->arena, &e->c.values, n->loop[k]->regs[0]->args[0], r->args[0]);
    Builder in = builder_at_end(n->m, r, b->span);
    Value *v = add_in_order(e, &in, k + 1, r->args[1]);
    build_yield(&in, 1, &v);
    return &loop->res[0];
}

/* What the array is asked for; NULL: not once */
static const Op *only_read(const Nest *n) {
    const Op *read = NULL;
    for (const Use *u = n->carried->uses; u; u = u->next) {
        if (u->user == n->insert) continue;
        if (read) return NULL;
        read = u->user;
    }
    return read;
}

/* What is added each turn, floats; NULL: something else is done */
static Value *addend(const Nest *n) {
    Value *v = op_opnd(n->insert, 1);
    Op *add = v->def;
    const Op *read = only_read(n);
    DType t = v->type->dtype;
    if (!n->adds || !read || !add || add->code != OP_ADD || (t != DT_F64 && t != DT_F32)) return NULL;
    if (!value_single_use(&read->res[0]) || read->res[0].uses->user != add) return NULL;
    return op_opnd(add, op_opnd(add, 0) == &read->res[0]);
}

static Value *add_up(Element *e, Builder *b, Value *added, Value *own) {
    const Nest *n = e->n;
    Value *extents[MAX_RANK];
    int axes = 0;
    for (int k = 0; k < n->depth; k++)
        if (n->axis_of[k] < 0) extents[axes++] = n->turns[k];
    Op *sum = build_op(b, OP_REDUCE, axes, extents, 1, &added->type, 1);
    op_set_combine(sum, COMBINE_ADD);
    Builder in = builder_at_end(n->m, sum->regs[0], b->span);
    for (int k = 0; k < n->depth; k++)
        if (n->axis_of[k] < 0)
            map_turn(e, &in, k, region_add_arg(sum->regs[0], type_i64(n->m), n->loop[k]->regs[0]->args[0]->name));
    Value *v = take(e, &in, added);
    build_yield(&in, 1, &v);
    const Const *c = value_const(own);
    return c && c->f == 0 ? &sum->res[0] : build_binary(b, OP_ADD, own, &sum->res[0]);
}

/* Of turn `turn` of the box along its axis, which may go the other way */
static void map_axis(Element *e, Builder *b, int axis, Value *turn, Value **place) {
    const Nest *n = e->n;
    const Axis *a = &n->axis[axis];
    int64_t by = stride(n, a);
    *place = index_add(b, n->start[axis], index_mul(b, turn, build_int(b, by < 0 ? -by : by)));
    if (a->loop < 0) return;
    if (by < 0) turn = index_sub(b, index_sub(b, n->turns[a->loop], build_int(b, 1)), turn);
    map_turn(e, b, a->loop, turn);
}

/* What may be less than nothing where there is no turn is a size of its own. */
static void name_extents(Nest *n) {
    for (int i = 0; i < n->type->rank; i++)
        if (n->axis[i].loop >= 0 && n->extent[i] != n->type->dims[i])
            n->extent[i] = build_size_of(&n->b, n->turns[n->axis[i].loop]);
}

static Op *build_elements(Nest *n, bool sums) {
    name_extents(n);
    const Type *t = type_tensor(n->s, n->type->dtype, n->type->rank, n->extent);
    Op *g = build_op(&n->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Builder in = builder_at_end(n->m, g->regs[0], n->insert->span);
    Element e = {n, {.module = n->m}};
    Value *at[MAX_RANK], *own = NULL;
    for (int i = 0; i < n->type->rank; i++) {
        const Op *loop = n->axis[i].loop < 0 ? NULL : n->loop[n->axis[i].loop];
        Value *q = region_add_arg(g->regs[0], type_i64(n->m), loop ? loop->regs[0]->args[0]->name : NULL);
        map_axis(&e, &in, i, q, &at[i]);
    }
    if (n->asks_old) own = old_element(n, &in, at);
    Value *added = sums ? addend(n) : NULL, *v = added ? add_up(&e, &in, added, own) : add_in_order(&e, &in, 0, own);
    build_yield(&in, 1, &v);
    dead_in_region(g->regs[0]);
    return g;
}

static Value *build_updated(Nest *n, Value *box) {
    if (n->whole) return box;
    int64_t steps[MAX_RANK];
    for (int i = 0; i < n->type->rank; i++) {
        int64_t by = stride(n, &n->axis[i]);
        steps[i] = by < 0 ? -by : by;
    }
    return update_safe(&n->b, n->old, box, n->start, steps);
}

/* ---- which loops */

static bool read_nest(Nest *n, Op *loop) {
    n->type = loop->res[0].type;
    if (!find_loops(n, loop)) return false;
    n->old = loop_first(loop, 0);
    if (!find_axes(n) || !reads_fit(n)) return false;
    return (in_order(n) || !op_may_trap(loop)) && find_box(n);
}

/* As a matrix product: what comes of it stays, or nothing. */
static bool becomes_product(Nest *n, Op *loop) {
    if (!may_reassociate(n->opts) || !n->whole) return false;
    Op *g = build_elements(n, true);
    value_replace_all(&loop->res[0], &g->res[0]);
    if (raise_products(g)) return op_erase(loop), true;
    value_replace_all(&g->res[0], &loop->res[0]);
    op_erase(g);
    return false;
}

static bool is_better(const Nest *n) {
    if (n->opts->arrays) return true;
    return n->whole && !n->adds && (!n->asks_old || same_number(n->old));
}

static bool try_raise(const PassOptions *opts, Op *loop) {
    Module *m = loop->parent->func->module;
    Nest n = {.opts = opts, .m = m, .s = m->session, .b = builder_before(loop)};
    if (loop->code != OP_FOR || loop->nres != 1 || !type_is_tensor(loop->res[0].type)) return false;
    if (!read_nest(&n, loop)) return false;
    if (becomes_product(&n, loop)) return true;
    if (!is_better(&n)) return false;
    value_replace_all(&loop->res[0], build_updated(&n, &build_elements(&n, may_reassociate(opts))->res[0]));
    op_erase(loop);
    return true;
}

static void visit(const PassOptions *opts, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL || o->code == OP_GENERATE || o->code == OP_REDUCE || try_raise(opts, o)) continue;
        for (int i = 0; i < o->nregs; i++) visit(opts, o->regs[i]);
    }
}

void pass_element_loops(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++) {
        if (m->funcs.data[i]->kind == FUNC_EXTERN) continue;
        visit(opts, m->funcs.data[i]->body);
        dead_in_region(m->funcs.data[i]->body);
    }
}
