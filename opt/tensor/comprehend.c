/* The comprehension of the elements that an update, a pad, an insert or an island leaves in an array: inside of what is
 * written the element that is written there, around it the one that was there before.
 *
 * `parallel(n - 2) (i) { store(f(i + 1), y, i + 1) }` in an island, behind which y is another value, is
 * generate (p) { if p >= 1 and p < n - 1 { f(p) } else { y[p] } }.  That may be told of an island with one parallel
 * nest, of plain loops, each turn of which writes at most the element that its own indices say, and reads nothing of
 * what the island writes; of branches that store here and there, too; and of a loop that carries the array, if each
 * turn sets the element that its index says, and reads none of it.  Enzyme-JAX raises affine loops to updates so. */
#include "opt/tensor/comprehend.h"
#include "ir/index.h"
#include "opt/dead.h"

enum { BORDER = 64, MOST_OPS = 400 };

typedef struct {
    Op *op;
    Session *s;
    const Type *type;
    int64_t lo[MAX_RANK];      /* of what is written */
    const Size *hi[MAX_RANK];
    Value *old, *around;       /* what was there before, around it: a tensor, or the number that all elements are */
    /* of an island, or a loop */
    Op *nest[MAX_RANK];        /* one inside the other */
    const Op *store;           /* the first one; all are of the same element; of a loop the insert */
    Value *index[MAX_RANK];    /* of the nest, for each axis */
    int64_t shift[MAX_RANK];   /* how far from that the element is */
    int depth, naxes, ops;
    bool sums;                 /* loops that add up are reductions */
    Cloner c;
} Written;

/* ---- what is written is the whole but for a border */

static bool take_axis(Written *w, int axis, int64_t lo, const Size *count) {
    int64_t rest;
    if (lo < 0 || lo > BORDER || !count) return false;
    w->lo[axis] = lo;
    w->hi[axis] = size_add(w->s, count, size_const(w->s, lo));
    return size_is_const(size_sub(w->s, w->type->dims[axis], w->hi[axis]), &rest) && rest <= BORDER;
}

static bool take_part(Written *w, const Type *part) {
    const Op *op = w->op;
    bool fits = op_flag(op, A_SAFE) && op_unit_steps(op);
    for (int i = 0; fits && i < w->type->rank; i++) {
        int64_t lo;
        fits = value_const_int(op_opnd(op, i + 2), &lo) && take_axis(w, i, lo, part->dims[i]);
    }
    return fits;
}

/* ---- islands: the nest */

static bool is_plain_scalar(const Op *o) {
    bool scalar = !o->nregs && op_is_pure(o);
    for (int i = 0; i < o->nopnds; i++) scalar &= op_opnd(o, i)->type->kind == TY_SCALAR;
    return scalar;
}

/* Loops one inside the other, each the only one beside scalars */
static bool find_nest(Written *w, const Region *r) {
    Op *loop = NULL;
    for (Op *o = r->first; o != region_term(r); o = o->next) {
        if (o->code != OP_PARALLEL) continue;
        if (loop || w->depth == MAX_RANK || op_loop(o) != LOOP_PLAIN) return false;
        loop = o;
    }
    if (!loop) return w->depth > 0;
    for (const Op *o = r->first; o != region_term(r); o = o->next)
        if (o != loop && !is_plain_scalar(o)) return false;
    w->nest[w->depth++] = loop;
    return find_nest(w, loop->regs[0]);
}

static bool is_written(const Written *w, const Value *buf) {
    return op_attr(w->op, A_MODES)->ints[buf->index] != 0;
}

static bool fits(Written *w, const Region *r);

/* What a loop over 0:n adds up, floats and nothing else; NULL: it does more */
static const Value *summed(const Op *loop) {
    if (loop->code != OP_FOR || loop->nres != 1 || !dtype_is_float(loop->res[0].type->dtype)) return NULL;
    if (!value_is_const_int(op_opnd(loop, 0), 0) || !value_is_const_int(op_opnd(loop, 2), 1)) return NULL;
    const Value *carried = loop_carried(loop, 0);
    const Op *add = loop_next(loop, 0)->def;
    if (!add || add->code != OP_ADD || add->parent != loop->regs[0] || !value_single_use(carried)) return NULL;
    for (int i = 0; i < 2; i++)
        if (op_opnd(add, i) == carried && value_single_use(&add->res[0])) return op_opnd(add, 1 - i);
    return NULL;
}

static bool op_fits(Written *w, const Op *o) {
    if (w->ops++ == MOST_OPS) return false;
    switch (o->code) {
    case OP_LOAD: return op_flag(o, A_SAFE) && op_opnd(o, 0)->region == w->op->regs[0] && !is_written(w, op_opnd(o, 0));
    case OP_STORE:
        if (!op_flag(o, A_SAFE) || op_opnd(o, 1)->region != w->op->regs[0]) return false;
        if (!w->store) w->store = o;
        return op_same_element(o, w->store);
    case OP_IF: return fits(w, o->regs[0]) && fits(w, o->regs[1]);
    case OP_FOR: return w->sums && summed(o) && fits(w, o->regs[0]);
    default: return is_plain_scalar(o);
    }
}

static bool fits(Written *w, const Region *r) {
    for (const Op *o = r->first; o != region_term(r); o = o->next)
        if (!op_fits(w, o)) return false;
    return true;
}

/* From where to where index iv of the nest goes, sizes; what is less than 0 is no turn, so max(.., 0) says no more. */
static const Size *range_of_index(const Written *w, const Value *iv, int64_t *lo) {
    const Op *loop = iv->region->owner;
    bool serial = loop->code == OP_FOR;
    const Value *n = op_opnd(loop, serial ? 1 : iv->index);
    *lo = 0;
    if (serial && !value_const_int(op_opnd(loop, 0), lo)) return NULL;
    if (n->def && n->def->code == OP_MAX && value_is_const_int(op_opnd(n->def, 1), 0)) n = op_opnd(n->def, 0);
    const Size *hi = value_size(w->s, n, false);
    return hi ? size_sub(w->s, hi, size_const(w->s, *lo)) : NULL;
}

static bool is_index(const Written *w, const Value *v) {
    bool index = false;
    for (int i = 0; i < w->depth; i++) index |= !v->def && v->region == w->nest[i]->regs[0];
    return index;
}

/* An index of the nest, or that and a constant */
static bool take_index(Written *w, int axis, Value *at) {
    Value *iv = at;
    int64_t shift = 0, lo;
    if (at->def && (at->def->code == OP_ADD || at->def->code == OP_SUB)) {
        bool turned = at->def->code == OP_ADD && value_const_int(op_opnd(at->def, 0), &shift);
        if (!turned && !value_const_int(op_opnd(at->def, 1), &shift)) return false;
        if (at->def->code == OP_SUB) shift = -shift;
        iv = op_opnd(at->def, turned);
    }
    if (!is_index(w, iv) || shift > BORDER || shift < -BORDER) return false;
    for (int i = 0; i < axis; i++)
        if (w->index[i] == iv) return false;
    w->index[axis] = iv;
    w->shift[axis] = shift;
    const Size *count = range_of_index(w, iv, &lo);
    return lo <= BORDER && lo >= -BORDER && take_axis(w, axis, lo + shift, count);
}

static int first_index(const Op *store) { return store->code == OP_INSERT ? 2 : op_index_first(store); }

/* As many indices as axes, each an axis' own */
static bool take_indices(Written *w) {
    int indices = 0, first = first_index(w->store);
    for (int i = 0; i < w->depth; i++) indices += w->op->code == OP_FOR ? 1 : w->nest[i]->regs[0]->nargs;
    if (indices != w->type->rank || (w->op->code == OP_ISLAND && op_index_end(w->store) - first != indices))
        return false;
    for (int i = 0; i < indices; i++)
        if (!take_index(w, i, op_opnd(w->store, first + i))) return false;
    return true;
}

static bool take_island(Written *w) {
    const Op *island = w->op;
    if (!find_nest(w, island->regs[0]) || !fits(w, w->nest[w->depth - 1]->regs[0]) || !w->store) return false;
    w->old = op_opnd(island, op_opnd(w->store, 1)->index);
    return take_indices(w);
}

/* ---- loops that run in order, and carry the array: nothing reads it there, and each turn sets one element */

static bool is_read(const Op *o, const Value *carried) {
    return o->code == OP_EXTRACT && op_flag(o, A_SAFE) && op_opnd(o, 0) != carried;
}

static bool find_loops(Written *w, Op *loop) {
    const Region *body = loop->regs[0];
    Op *last = region_term(body)->prev;
    if (w->depth == MAX_RANK || loop->nres != 1 || !value_is_const_int(op_opnd(loop, 2), 1) || !last) return false;
    Value *carried = loop_carried(loop, 0);
    w->nest[w->depth++] = loop;
    if (last->code != OP_FOR && last->code != OP_INSERT) return false;
    if (op_opnd(region_term(body), 0) != &last->res[0]) return false;
    if (op_opnd(last, last->code == OP_FOR ? 3 : 0) != carried || !value_single_use(carried)) return false;
    for (const Op *o = body->first; o != last; o = o->next)
        if (w->ops++ == MOST_OPS || (!is_plain_scalar(o) && !is_read(o, carried))) return false;
    if (last->code == OP_FOR) return find_loops(w, last);
    w->store = last;
    return op_flag(last, A_SAFE);
}

static bool take_loop(Written *w) {
    if (!find_loops(w, w->op)) return false;
    w->old = loop_first(w->op, 0);
    return take_indices(w);
}

/* ---- the comprehension */

/* The element that was there before; of an array all whose elements are one number, that number */
static Value *old_element(Builder *b, Value *old, int rank, Value *const *at) {
    const Op *g = old->def;
    if (!type_is_tensor(old->type)) return old;
    if (g && g->code == OP_GENERATE) {
        Value *v = op_opnd(region_term(g->regs[0]), old->index);
        if (!region_encloses(g->regs[0], value_region(v))) return v;
    }
    return extract_safe(b, old, rank, at);
}

/* Whether the element at these indices is written; NULL: all are */
static Value *inside(const Written *w, Builder *before, Builder *b, Value *const *at) {
    Value *in = NULL;
    for (int i = 0; i < w->type->rank && w->op->code == OP_INSERT; i++)
        in = build_both(b, in, build_binary(b, OP_EQ, at[i], op_opnd(w->op, i + 2)));
    for (int i = 0; i < w->type->rank && w->op->code != OP_INSERT; i++) {
        Value *lo = w->lo[i] ? build_int(before, w->lo[i]) : NULL;
        in = build_between(b, in, at[i], lo, w->hi[i] != w->type->dims[i] ? build_size(before, w->hi[i]) : NULL);
    }
    return in;
}

/* What r, a region of the island, leaves in the element, in which there was v */
static Value *copy_region(Written *w, Builder *b, const Region *r, Value *v);

static void copy_load(Written *w, Builder *b, const Op *load) {
    Value *at[MAX_RANK];
    int n = load->nopnds - 1;
    for (int i = 0; i < n; i++) at[i] = clone_value(&w->c, op_opnd(load, i + 1));
    Value *x = extract_safe(b, op_opnd(w->op, op_opnd(load, 0)->index), n, at);
    x->name = load->res[0].name;
    map_put(w->c.module->arena, &w->c.values, &load->res[0], x);
}

/* One more result: what is in the element behind it; v: NULL, inside a sum, where nothing is written */
static Value *copy_branch(Written *w, Builder *b, const Op *o, Value *v) {
    Arena *a = w->c.module->arena;
    int n = o->nres, all = n + (v != NULL);
    const Type **types = NEWN(a, const Type *, n + 1);
    Value **out = NEWN(a, Value *, n + 1);
    for (int i = 0; i < n; i++) types[i] = o->res[i].type;
    types[n] = v ? v->type : NULL;
    Op *new = build_if(b, clone_value(&w->c, op_opnd(o, 0)), all, types);
    for (int side = 0; side < 2; side++) {
        Builder in = builder_at_end(b->module, new->regs[side], o->span);
        out[n] = copy_region(w, &in, o->regs[side], v);
        for (int i = 0; i < n; i++) out[i] = clone_value(&w->c, op_opnd(region_term(o->regs[side]), i));
        build_yield(&in, all, out);
    }
    for (int i = 0; i < n; i++) map_put(a, &w->c.values, &o->res[i], &new->res[i]);
    return v ? &new->res[n] : NULL;
}

static void copy_sum(Written *w, Builder *b, const Op *loop) {
    Arena *a = w->c.module->arena;
    Value *extent = index_max(b, clone_value(&w->c, op_opnd(loop, 1)), build_int(b, 0)), *first;
    if (value_size(w->s, clone_value(&w->c, op_opnd(loop, 1)), false)) extent = clone_value(&w->c, op_opnd(loop, 1));
    Op *sum = build_op(b, OP_REDUCE, 1, &extent, 1, &loop->res[0].type, 1);
    op_set_combine(sum, COMBINE_ADD);
    const Value *i = loop->regs[0]->args[0];
    map_put(a, &w->c.values, i, region_add_arg(sum->regs[0], i->type, i->name));
    Builder in = builder_at_end(b->module, sum->regs[0], loop->span);
    map_put(a, &w->c.values, loop_carried(loop, 0), build_zero(&in, loop->res[0].type));
    copy_region(w, &in, loop->regs[0], NULL);
    Value *v = clone_value(&w->c, (Value *)summed(loop));
    build_yield(&in, 1, &v);
    first = clone_value(&w->c, loop_first(loop, 0));
    const Const *c = value_const(first);
    v = c && c->f == 0 ? &sum->res[0] : build_binary(b, OP_ADD, first, &sum->res[0]);
    map_put(a, &w->c.values, &loop->res[0], v);
}

static bool is_sum(const Written *w, const Op *o) { return w->sums && o->code == OP_FOR; }

static Value *copy_region(Written *w, Builder *b, const Region *r, Value *v) {
    for (const Op *o = r->first; o != region_term(r); o = o->next) {
        if (o->nres == 1 && map_has(&w->c.values, &o->res[0])) continue;
        if (is_sum(w, o)) {
            copy_sum(w, b, o);
            continue;
        }
        switch (o->code) {
        case OP_PARALLEL: case OP_FOR: return copy_region(w, b, o->regs[0], v);
        case OP_INSERT: return clone_value(&w->c, op_opnd(o, 1));
        case OP_LOAD: copy_load(w, b, o); break;
        case OP_STORE: v = clone_value(&w->c, op_opnd(o, 0)); break;
        case OP_IF: v = copy_branch(w, b, o, v); break;
        default: clone_op(&w->c, b, o);
        }
    }
    return v;
}

static void copy_scalars(Written *w, Builder *b) {
    for (const Op *o = w->op->regs[0]->first; o != w->nest[0]; o = o->next) clone_op(&w->c, b, o);
}

static Value *written_in_nest(Written *w, Builder *b, Value *const *at) {
    Arena *a = w->c.module->arena;
    for (int i = 0; i < w->type->rank; i++) {
        map_put(a, &w->c.values, w->index[i], index_sub(b, at[i], build_int(b, w->shift[i])));
        map_put(a, &w->c.values, op_opnd(w->store, first_index(w->store) + i), at[i]);
    }
    return copy_region(w, b, w->nest[0]->regs[0], old_element(b, w->old, w->type->rank, at));
}

/* An element of the part, computed there where a comprehension makes it */
static Value *written_part(const Written *w, Builder *b, Value *const *at) {
    Value *part = op_opnd(w->op, w->op->code == OP_UPDATE), *own[MAX_RANK], *v;
    for (int i = 0; i < w->type->rank; i++) own[i] = index_sub(b, at[i], build_int(b, w->lo[i]));
    if (!part->def || part->def->code != OP_GENERATE) return extract_safe(b, part, w->type->rank, own);
    Value **out = NEWN(b->module->arena, Value *, part->def->nres);
    region_inline(b, part->def->regs[0], own, out);
    v = out[part->index];
    return v;
}

static Value *written(Written *w, Builder *b, Value *const *at) {
    if (w->op->code == OP_INSERT) return op_opnd(w->op, 1);
    return w->depth ? written_in_nest(w, b, at) : written_part(w, b, at);
}

/* What is written where cond holds (NULL: everywhere), else what is around */
static Value *choose(Written *w, Builder *b, Value *cond, Value *const *at) {
    if (!cond) return written(w, b, at);
    const Type *t = type_elem(w->s, w->type);
    Op *choice = build_if(b, cond, 1, &t);
    Builder yes = builder_at_end(b->module, choice->regs[0], b->span),
            no = builder_at_end(b->module, choice->regs[1], b->span);
    Value *v = written(w, &yes, at);
    build_yield(&yes, 1, &v);
    v = old_element(&no, w->around, w->type->rank, at);
    build_yield(&no, 1, &v);
    return &choice->res[0];
}

static Op *build_comprehension(Written *w) {
    if (!w->around) w->around = w->old;
    Builder b = builder_before(w->op);
    if (w->op->code == OP_ISLAND) copy_scalars(w, &b);
    Op *g = build_op(&b, OP_GENERATE, 0, NULL, 1, &w->type, 1);
    Region *body = g->regs[0];
    for (int i = 0; i < w->type->rank; i++)
        region_add_arg(body, type_i64(b.module), w->depth ? w->index[i]->name : NULL);
    Builder before = builder_before(g), in = builder_at_end(b.module, body, w->op->span);
    Value *v = choose(w, &in, inside(w, &before, &in, body->args), body->args);
    build_yield(&in, 1, &v);
    dead_in_region(body);
    return g;
}

Op *comprehend(Op *op, Value *around) {
    if (op->nres != 1 || !type_is_tensor(op->res[0].type)) return NULL;
    Module *m = op->parent->func->module;
    Written w = {.op = op, .s = m->session, .type = op->res[0].type, .around = around, .c = {.module = m}};
    switch (op->code) {
    case OP_GENERATE: return op;
    case OP_INSERT:
        w.old = op_opnd(op, 0);
        return op_flag(op, A_SAFE) ? build_comprehension(&w) : NULL;
    case OP_UPDATE:
        w.old = op_opnd(op, 0);
        return take_part(&w, op_opnd(op, 1)->type) ? build_comprehension(&w) : NULL;
    case OP_PAD:
        w.old = op_opnd(op, 1);
        return take_part(&w, op_opnd(op, 0)->type) ? build_comprehension(&w) : NULL;
    case OP_ISLAND: return take_island(&w) ? build_comprehension(&w) : NULL;
    case OP_FOR: return take_loop(&w) ? build_comprehension(&w) : NULL;
    default: return NULL;
    }
}

Op *comprehend_sums(Op *island) {
    if (island->code != OP_ISLAND || island->nres != 1) return NULL;
    Module *m = island->parent->func->module;
    Written w = {.op = island, .s = m->session, .type = island->res[0].type, .sums = true, .c = {.module = m}};
    return take_island(&w) ? build_comprehension(&w) : NULL;
}
