/* Islands: launches and parallel loops in memory.
 *
 * Where each iteration writes elements of its own, and reads what it does not write, an island is a comprehension over
 * each array that it writes: the iteration that writes element j is solved for, and what is not written stays.  That
 * comprehension is made beside the island, for its adjoint alone; the function's own values still come from the island,
 * with its checks. */
#include "ad/memory.h"

enum { MAX_LOOPS = 8 };

typedef struct {
    Ad *ad;
    Op *island, *store;
    Op *loops[MAX_LOOPS];
    int nloops;
    bool failed; /* the threads that write cannot be told */
} Launch;

/* Where code of the comprehension goes, and what values of the island are there */
typedef struct Frame Frame;
struct Frame {
    Launch *l;
    Frame *up;
    Builder b;
    Map known;
};

static bool is_inside(const Launch *l, const Value *v) { return region_encloses(l->island->regs[0], value_region(v)); }

/* ---- what is understood: loops within loops, then code that reads, and stores under branches */

static bool is_plain(const Op *op) {
    return !op->nregs && !(op_info(op->code)->traits & (TR_READ | TR_WRITE | TR_ALLOC | TR_EFFECT));
}

/* The loops from region r inwards; NULL: not of that form */
static Region *read_loops(Launch *l, Region *r) {
    Op *inner = NULL;
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_PARALLEL && inner) return NULL;
        if (o->code == OP_PARALLEL) inner = o;
    }
    if (!inner) return l->nloops ? r : NULL;
    for (Op *o = r->first; o; o = o->next)
        if (o != inner && !is_plain(o) && o->code != OP_CHECK) return NULL;
    if (l->nloops == MAX_LOOPS) return NULL;
    l->loops[l->nloops++] = inner;
    return read_loops(l, inner->regs[0]);
}

typedef struct { Launch *l; bool ok; VEC(Op *) stores; } Reading;

static void read_op(void *ctx, Op *op) {
    Reading *r = ctx;
    switch (op->code) {
    case OP_BARRIER:
    case OP_ATOMIC:
    case OP_ALLOC:
    case OP_SPAWN:
    case OP_PARALLEL:
    case OP_CALL: r->ok = false; return;
    case OP_STORE: vec_push(r->l->ad->arena, &r->stores, op); break;
    default: return;
    }
    for (const Op *o = op->parent->owner; o != r->l->loops[r->l->nloops - 1]; o = o->parent->owner)
        r->ok &= o->code == OP_IF;
}

/* One store for each array.  What is read of it before is old: other iterations do not write it, for that would be a
 * race. */
static bool reads_are_old(const Reading *r) {
    for (int i = 0; i < r->stores.len; i++) {
        const Op *store = r->stores.data[i];
        for (const Use *u = op_opnd(store, 1)->uses; u; u = u->next)
            if (u->user != store && (u->user->code != OP_LOAD || !op_dominates(u->user, store))) return false;
    }
    return true;
}

/* ---- values of the island in the comprehension */

static void know(Frame *f, const Value *v, Value *now) { map_put(f->l->ad->arena, &f->known, v, now); }

static Value *lookup(const Frame *f, const Value *v) {
    for (; f; f = f->up)
        if (map_has(&f->known, v)) return map_get(&f->known, v);
    return NULL;
}

/* Loads become extracts of the arrays that the island was given; what is stored is for other comprehensions. */
static void load_to_extract(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_CHECK || op->code == OP_PRINT || op->code == OP_STORE) return op_erase(op);
    if (op->code != OP_LOAD) return;
    Builder b = builder_before(op);
    Value *idx[MAX_RANK];
    for (int i = 1; i < op->nopnds; i++) idx[i - 1] = op_opnd(op, i);
    op_replace(op, checked_as(extract_safe(&b, op_opnd(op, 0), op->nopnds - 1, idx)->def, op));
}

static Value *value_in(Frame *f, Value *v) {
    if (!is_inside(f->l, v)) return v;
    Value *known = lookup(f, v);
    if (known) return known;
    if (!v->def) return f->l->failed = true, v;
    if (v->def->code == OP_LOAD) {
        Value *idx[MAX_RANK];
        const Value *buf = op_opnd(v->def, 0);
        for (int i = 1; i < v->def->nopnds; i++) idx[i - 1] = value_in(f, op_opnd(v->def, i));
        known = extract_safe(&f->b, op_opnd(f->l->island, buf->index), v->def->nopnds - 1, idx);
        checked_as(known->def, v->def);
        know(f, v, known);
        return known;
    }
    Cloner c = {.module = f->b.module};
    ValueList all = all_free(f->l->ad, v->def);
    for (int i = 0; i < v->def->nopnds; i++)
        map_put(f->l->ad->arena, &c.values, op_opnd(v->def, i), value_in(f, op_opnd(v->def, i)));
    for (int i = 0; i < all.len; i++) {
        Value *u = all.data[i];
        map_put(f->l->ad->arena, &c.values, u,
                u->type->kind == TY_BUF ? op_opnd(f->l->island, u->index) : value_in(f, u));
    }
    Op *copy = clone_op(&c, &f->b, v->def);
    for (int i = 0; i < copy->nregs; i++) region_walk(copy->regs[i], load_to_extract, NULL);
    for (int i = 0; i < copy->nres; i++) know(f, &v->def->res[i], &copy->res[i]);
    return &copy->res[v->index];
}

/* ---- which iteration writes element j */

static bool is_index(const Launch *l, const Value *v, int *loop) {
    for (int i = 0; i < l->nloops; i++)
        if (!v->def && v->region == l->loops[i]->regs[0]) return *loop = i, true;
    return false;
}

static Value *extent_of(const Launch *l, const Value *index) {
    int loop;
    return is_index(l, index, &loop) ? op_opnd(l->loops[loop], index->index) : NULL;
}

/* block * blockdim + thread: *outer, *inner are the indices */
static bool is_joined(const Launch *l, const Value *v, Value **outer, Value **inner) {
    int loop;
    if (!v->def || v->def->code != OP_ADD) return false;
    for (int k = 0; k < 2; k++) {
        Value *m = op_opnd(v->def, k), *t = op_opnd(v->def, !k);
        if (!m->def || m->def->code != OP_MUL || !is_index(l, t, &loop)) continue;
        for (int j = 0; j < 2; j++) {
            Value *b = op_opnd(m->def, j), *by = op_opnd(m->def, !j);
            if (!is_index(l, b, &loop) || !value_same_int(by, extent_of(l, t))) continue;
            *outer = b, *inner = t;
            return true;
        }
    }
    return false;
}

static void require(Frame *f, Value **cond, Value *c) { *cond = *cond ? build_binary(&f->b, OP_AND, *cond, c) : c; }

/* 0 <= v < n */
static void require_in(Frame *f, Value **cond, Value *v, Value *n) {
    require(f, cond, build_binary(&f->b, OP_GE, v, build_int(&f->b, 0)));
    require(f, cond, build_binary(&f->b, OP_LT, v, n));
}

static bool solve(Frame *f, Value *v, Value *j, Value **cond);

/* v = x + c or x - c or c - x with c the same for all iterations */
static bool solve_shifted(Frame *f, const Op *d, Value *j, Value **cond) {
    int loop;
    for (int k = 0; k < 2; k++) {
        Value *x = op_opnd(d, k), *c = op_opnd(d, !k);
        if (is_inside(f->l, c) && !value_is_fixed(c)) continue;
        if (is_index(f->l, c, &loop)) continue;
        Value *by = value_in(f, c);
        Value *at = d->code == OP_ADD ? build_binary(&f->b, OP_SUB, j, by)
                    : k               ? build_binary(&f->b, OP_SUB, by, j)
                                      : build_binary(&f->b, OP_ADD, j, by);
        return solve(f, x, at, cond);
    }
    return false;
}

/* Makes the indices known for which v is j. */
static bool solve(Frame *f, Value *v, Value *j, Value **cond) {
    Value *outer, *inner;
    int loop;
    if (lookup(f, v)) return require(f, cond, build_binary(&f->b, OP_EQ, lookup(f, v), j)), true;
    if (is_index(f->l, v, &loop)) {
        know(f, v, j);
        require_in(f, cond, j, value_in(f, extent_of(f->l, v)));
        return true;
    }
    if (is_joined(f->l, v, &outer, &inner) && !lookup(f, outer) && !lookup(f, inner)) {
        Value *n = value_in(f, extent_of(f->l, inner));
        require_in(f, cond, j, build_binary(&f->b, OP_MUL, value_in(f, extent_of(f->l, outer)), n));
        Value *block = idiv_safe(&f->b, j, n);
        know(f, v, j);
        know(f, outer, block);
        know(f, inner, build_binary(&f->b, OP_SUB, j, build_binary(&f->b, OP_MUL, block, n)));
        return true;
    }
    if (v->def && (v->def->code == OP_ADD || v->def->code == OP_SUB) && is_inside(f->l, v))
        return solve_shifted(f, v->def, j, cond);
    if (is_inside(f->l, v) && !value_const(v)) return false;
    require(f, cond, build_binary(&f->b, OP_EQ, value_in(f, v), j));
    return true;
}

/* An axis of one iteration has index 0. */
static void know_single(Frame *f) {
    for (int i = 0; i < f->l->nloops; i++)
        for (int k = 0; k < f->l->loops[i]->nopnds; k++) {
            const Value *index = f->l->loops[i]->regs[0]->args[k];
            if (value_is_const_int(op_opnd(f->l->loops[i], k), 1) && !lookup(f, index))
                know(f, index, build_int(&f->b, 0));
        }
}

static bool all_known(const Frame *f) {
    for (int i = 0; i < f->l->nloops; i++)
        for (int k = 0; k < f->l->loops[i]->regs[0]->nargs; k++)
            if (!lookup(f, f->l->loops[i]->regs[0]->args[k])) return false;
    return true;
}

/* ---- the comprehension of one store */

/* What the store writes, under the branches around it from the outermost; else the old element */
static Value *written(Frame *f, const Op *const *branches, const bool *negated, int n, Value *old) {
    const Op *store = f->l->store;
    if (!n) return value_in(f, op_opnd(store, 0));
    const Type *t = old->type;
    Value *cond = value_in(f, op_opnd(branches[0], 0));
    Op *made = build_if(&f->b, cond, 1, &t);
    Frame in = {f->l, f, builder_at_end(f->b.module, made->regs[negated[0]], f->b.span), {0}};
    Builder other = builder_at_end(f->b.module, made->regs[!negated[0]], f->b.span);
    Value *v = written(&in, branches + 1, negated + 1, n - 1, old);
    build_yield(&in.b, 1, &v);
    build_yield(&other, 1, &old);
    return &made->res[0];
}

static Value *element(Frame *f, Value *const *j, Value *old) {
    const Op *store = f->l->store, *branches[MAX_LOOPS * 4];
    bool negated[MAX_LOOPS * 4];
    int n = 0, at = MAX_LOOPS * 4;
    const Type *t = old->type;
    Value *cond = NULL;
    for (int i = 2; i < store->nopnds; i++)
        if (!solve(f, op_opnd(store, i), j[i - 2], &cond)) return NULL;
    know_single(f);
    if (!all_known(f)) return NULL;
    for (const Region *r = store->parent; r->owner != f->l->loops[f->l->nloops - 1]; r = r->owner->parent, n++) {
        if (at == 0) return NULL;
        branches[--at] = r->owner, negated[at] = r == r->owner->regs[1];
    }
    Op *made = build_if(&f->b, cond, 1, &t);
    Frame in = {f->l, f, builder_at_end(f->b.module, made->regs[0], f->b.span), {0}};
    Builder other = builder_at_end(f->b.module, made->regs[1], f->b.span);
    Value *v = written(&in, branches + at, negated + at, n, old);
    build_yield(&in.b, 1, &v);
    build_yield(&other, 1, &old);
    return &made->res[0];
}

static Op *comprehension_of(Launch *l) {
    Session *ss = l->ad->module->session;
    Value *array = op_opnd(l->island, op_opnd(l->store, 1)->index);
    Builder b = builder_before(l->island);
    Op *made = build_op(&b, OP_GENERATE, 0, NULL, 1, &array->type, 1);
    for (int i = 0; i < array->type->rank; i++) region_add_arg(made->regs[0], type_scalar(ss, DT_I64), "j");
    Frame f = {l, NULL, builder_at_end(l->ad->module, made->regs[0], l->island->span), {0}};
    Value *old = extract_safe(&f.b, array, array->type->rank, made->regs[0]->args);
    Value *v = element(&f, made->regs[0]->args, old);
    build_yield(&f.b, 1, v ? &v : &old);
    if (v && !l->failed) return made;
    op_erase(made);
    l->failed = false;
    return NULL;
}

/* The result of the island that is the array behind buffer argument k */
static void find_operator(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_REDUCE && op_combine(op) != COMBINE_ADD;
}

/* Where reductions in it become loops, a copy of the island is reversed: values keep their order of combining. */
static void reverse_copy(Scope *s, Op *op) {
    bool found = false;
    region_walk(op->regs[0], find_operator, &found);
    if (!found) return reverse_by_memory(s, op, NULL);
    Builder b = builder_before(op);
    Cloner c = {.module = s->ad->module};
    Op *copy = clone_op(&c, &b, op);
    forget_effects(copy);
    active_op(s->ad, copy);
    serialize_reductions(s->ad, copy);
    active_op(s->ad, copy);
    for (int i = 0; i < op->nres; i++)
        if (adjoint_of(s, &op->res[i])) set_adjoint(s, &copy->res[i], adjoint_of(s, &op->res[i]));
    reverse_by_memory(s, copy, NULL);
}

/* Comprehensions over all that the island writes, or none of them.  Of what would be scattered, each access would
 * compute anew what the body does: such an island is reversed in memory, the body once. */
static bool read_all(Launch *l, const Reading *r, Scope *s, Op **made) {
    for (int i = 0; i < r->stores.len; i++) {
        l->store = r->stores.data[i];
        made[i] = adjoint_of(s, island_result(l->island, op_opnd(l->store, 1)->index)) ? comprehension_of(l) : NULL;
        if (!made[i] && adjoint_of(s, island_result(l->island, op_opnd(l->store, 1)->index))) return false;
        if (made[i]) active_op(s->ad, made[i]);
        if (made[i] && !can_pull(s, made[i])) return false;
        if (made[i] && !s->ad->again && !can_gather_all(s, made[i])) return false;
    }
    return true;
}

typedef struct { const Ad *ad; const Op *island; bool found; } Parts;

static void find_part(void *ctx, Op *op) {
    Parts *p = ctx;
    const Value *buf = op->code == OP_LOAD ? op_opnd(op, 0) : NULL;
    if (!buf || buf->def) return;
    bool known = map_has(&p->ad->lasting, &op->res[0]) || map_has(&p->ad->put, &op->res[0]);
    p->found |= known && !map_has(&p->ad->lasting, op_opnd(p->island, buf->index));
}

/* Some of what it reads of an array is at hand (analysis/lasting.h, history.h), but not all: comprehensions would ask
 * for the array itself, in memory each read is asked for. */
static bool reads_parts(const Ad *ad, const Op *island) {
    Parts p = {ad, island, false};
    region_walk(island->regs[0], find_part, &p);
    return p.found;
}

static void reverse_plain(Scope *s, Op *op) {
    Launch l = {.ad = s->ad, .island = op};
    Region *body = has_own_sizes(op) || reads_parts(s->ad, op) ? NULL : read_loops(&l, op->regs[0]);
    Reading r = {.l = &l, .ok = body != NULL};
    if (body) region_walk(body, read_op, &r);
    Op **made = NEWN(s->ad->arena, Op *, r.stores.len + 1);
    if (!r.ok || !reads_are_old(&r) || !read_all(&l, &r, s, made)) return reverse_copy(s, op);
    for (int i = 0; i < r.stores.len; i++) {
        if (!made[i]) continue;
        set_adjoint(s, &made[i]->res[0], adjoint_of(s, island_result(op, op_opnd(r.stores.data[i], 1)->index)));
        reverse_comprehension(s, made[i]);
    }
    for (int i = 0; i < op->nopnds; i++) { /* arrays that are handed on as they were */
        bool stored = false;
        for (int k = 0; k < r.stores.len; k++) stored |= op_opnd(r.stores.data[k], 1)->index == i;
        if (!stored && op_attr(op, A_MODES)->ints[i] && adjoint_of(s, island_result(op, i)))
            add_adjoint(s, op_opnd(op, i), adjoint_of(s, island_result(op, i)));
    }
}

void reverse_island(Scope *s, Op *op) {
    Op *plain = extremes_as_stores(s->ad, op);
    if (!plain) return;
    for (int i = 0; i < op->nres; i++)
        if (plain != op && adjoint_of(s, &op->res[i])) set_adjoint(s, &plain->res[i], adjoint_of(s, &op->res[i]));
    reverse_plain(s, plain);
}
