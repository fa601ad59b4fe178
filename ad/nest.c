/* The nest of indices that a place of a comprehension stands in, and its values, rebuilt elsewhere. */
#include "ad/pull.h"
#include "ir/index.h"

Arena *arena_of(const Emit *e) { return e->p->s->ad->arena; }
Emit emit_inside(Emit *up, Region *r) {
    return (Emit){.p = up->p, .up = up, .b = builder_at_end(up->b.module, r, up->b.span)};
}
void know(Emit *e, const Value *v, Value *now) { map_put(arena_of(e), &e->primal, v, now); }

bool inside_root(const Pull *p, const Value *v) { return op_encloses(p->root, v); }

bool known_here(const Emit *e, const Value *v) {
    for (; e; e = e->up)
        if (map_has(&e->primal, v)) return true;
    return false;
}

/* op is being made by e: if that is where the reverse itself goes, what is computed there goes before it. */
Op *enter(Emit *e, Op *op) {
    Scope *s = e->p->s;
    Op *outer = s->inner;
    if (e->b.region == s->b.region) s->inner = op;
    return outer;
}
void leave(Emit *e, Op *outer) { e->p->s->inner = outer; }

/* ---- the nest's own values, computed anew */

static void map_values(Emit *e, const Op *op, Cloner *c) {
    ValueList all = all_free(e->p->s->ad, op);
    for (int i = 0; i < op->nopnds; i++)
        map_put(arena_of(e), &c->values, op_opnd(op, i), value_here(e, op_opnd(op, i)));
    for (int i = 0; i < all.len; i++) map_put(arena_of(e), &c->values, all.data[i], value_here(e, all.data[i]));
}

Value *value_here(Emit *e, Value *v) {
    if (!inside_root(e->p, v)) return primal_of(e->p->s, v);
    for (const Emit *at = e; at; at = at->up) {
        Value *known = map_get(&at->primal, v);
        if (known) return known;
    }
    if (!v->def) return cannot(e->p->s->ad, e->p->root, "a loop inside a comprehension"), v;
    Cloner c = {.module = e->b.module};
    map_values(e, v->def, &c);
    Op *copy = clone_op(&c, &e->b, v->def);
    for (int i = 0; i < copy->nres; i++) know(e, &v->def->res[i], &copy->res[i]);
    return &copy->res[v->index];
}

/* Where what op reads, or divides by, is there */
static Value *may_run(Emit *e, const Op *op) {
    Value *cond = NULL;
    if (op->code == OP_IDIV || op->code == OP_MOD)
        return build_binary(&e->b, OP_NE, value_here(e, op_opnd(op, 1)), build_int(&e->b, 0));
    const Type *t = op_opnd(op, 0)->type;
    for (int i = 0; i < t->rank; i++) {
        Value *at = value_here(e, op_opnd(op, 1 + i));
        cond = build_both(&e->b, cond, build_inside(&e->b, at, build_size(&e->b, t->dims[i])));
    }
    return cond;
}

/* op where cond holds, else 0 */
static Value *run_where(Emit *e, Value *v, Value *cond) {
    Op *made = build_if(&e->b, cond, 1, &v->type), *outer = enter(e, made);
    Emit in = emit_inside(e, made->regs[0]), out = emit_inside(e, made->regs[1]);
    Value *x = value_here(&in, v), *none = build_zero(&out.b, v->type);
    op_set_flag(x->def, A_SAFE);
    build_yield(&in.b, 1, &x);
    build_yield(&out.b, 1, &none);
    leave(e, outer);
    know(e, v, &made->res[0]);
    return &made->res[0];
}

Value *fixed_here(Emit *e, Value *v) {
    if (!inside_root(e->p, v) || known_here(e, v) || !v->def || v->def->nregs) return value_here(e, v);
    const Op *op = v->def;
    for (int i = 0; i < op->nopnds; i++) fixed_here(e, op_opnd(op, i));
    bool traps = op->code == OP_EXTRACT || op->code == OP_IDIV || op->code == OP_MOD;
    return traps && !op_is_speculatable(op) ? run_where(e, v, may_run(e, op)) : value_here(e, v);
}

bool is_map(const Op *op) { return op->code == OP_GENERATE || op->code == OP_SCAN; }

/* ---- loops that only add up: for derivatives they are sums */

static bool loop_adds(const Op *loop, int k);

/* v is c plus things that do not mention c, in every branch; *uses: how often c was met */
static bool adds_to(const Value *v, const Value *c, int *uses) {
    const Op *d = v->def;
    if (v == c) return ++*uses, true;
    if (!d || !value_single_use(v)) return false;
    if (d->code == OP_ADD || d->code == OP_SUB)
        return adds_to(op_opnd(d, 0), c, uses) || (d->code == OP_ADD && adds_to(op_opnd(d, 1), c, uses));
    if (d->code == OP_FOR) return loop_adds(d, v->index) && adds_to(op_opnd(d, 3 + v->index), c, uses);
    if (d->code != OP_IF) return false;
    return adds_to(op_opnd(region_term(d->regs[0]), v->index), c, uses) &&
           adds_to(op_opnd(region_term(d->regs[1]), v->index), c, uses);
}

/* What it carries as its k-th value each turn adds to, and does not look at otherwise. */
static bool loop_adds(const Op *loop, int k) {
    const Value *c = loop->regs[0]->args[1 + k];
    int uses = 0, all = 0;
    for (const Use *u = c->uses; u; u = u->next) all++;
    return adds_to(op_opnd(region_term(loop->regs[0]), k), c, &uses) && uses == all;
}

bool is_sum(const Op *op) {
    if (op->code != OP_FOR) return false;
    for (int i = 0; i < op->nres; i++)
        if (!loop_adds(op, i)) return false;
    return true;
}

/* ---- paths: from region `outer` (or from outside of the root) down to an operation */

static bool add_step(Pull *p, Path *path, Op *owner, int index) {
    if (path->n == MAX_PATH) return cannot(p->s->ad, p->root, "a nest this deep"), false;
    path->step[path->n++] = (Step){owner, index, false};
    return true;
}

static bool gives_active(const Ad *ad, const Op *op) {
    bool any = false;
    for (int i = 0; i < op->nres; i++) any |= is_active(ad, &op->res[i]);
    return any;
}

bool may_vary(const Pull *p, const Op *op, const Region *outer) {
    for (const Region *r = op->parent; r != outer && r->owner != p->root; r = r->owner->parent)
        if (!gives_active(p->s->ad, r->owner)) return false;
    return true;
}

/* False: through something that is no nest */
bool path_to(Pull *p, Path *path, const Op *op, const Region *outer) {
    Region *r = op->parent;
    Op *owner = r->owner;
    if (r == outer) return true;
    if (owner != p->root && !path_to(p, path, owner, outer)) return false;
    if (owner->code == OP_IF) return add_step(p, path, owner, r == owner->regs[1]);
    if (is_sum(owner)) return add_step(p, path, owner, 0);
    if (r != owner->regs[0] || (owner->code != OP_REDUCE && (!is_map(owner) || owner != p->root))) {
        cannot(p->s->ad, owner,
               owner->code == OP_FOR || owner->code == OP_WHILE ? "a loop inside a comprehension"
                                                                : "an array made inside a comprehension");
        return false;
    }
    for (int i = 0; i < r->nargs; i++)
        if (!add_step(p, path, owner, i)) return false;
    return true;
}

Value *index_of(const Step *st) { return st->owner->code == OP_IF ? NULL : st->owner->regs[0]->args[st->index]; }

Value *extent_here(Emit *e, const Step *st) {
    if (is_map(st->owner)) return build_size(&e->b, st->owner->res[0].type->dims[st->index]);
    return value_here(e, op_opnd(st->owner, st->owner->code == OP_FOR ? 1 : st->index));
}

/* How often a step's index is taken, and which it is the k-th time */
Value *times_here(Emit *e, const Step *st) {
    if (st->owner->code != OP_FOR) return extent_here(e, st);
    Value *lo = value_here(e, op_opnd(st->owner, 0)), *hi = value_here(e, op_opnd(st->owner, 1));
    return build_count(&e->b, lo, hi, value_here(e, op_opnd(st->owner, 2)));
}

Value *index_here(Emit *e, const Step *st, Value *k) {
    if (st->owner->code != OP_FOR) return k;
    Value *by = build_binary(&e->b, OP_MUL, k, value_here(e, op_opnd(st->owner, 2)));
    return build_binary(&e->b, OP_ADD, value_here(e, op_opnd(st->owner, 0)), by);
}

bool is_extreme(const Step *st) {
    const Op *op = st->owner;
    if (op->code != OP_REDUCE || op->nres != 1 || op->regs[0]->nargs != 1) return false;
    return op_combine(op) == COMBINE_MIN || op_combine(op) == COMBINE_MAX;
}

bool by_one(const Op *owner) { return owner->code != OP_FOR || value_is_const_int(op_opnd(owner, 2), 1); }

const Size *extent_size(const Step *st) {
    const Op *owner = st->owner;
    bool plain = owner->code != OP_FOR || counts_up(op_opnd(owner, 0), op_opnd(owner, 2));
    return plain ? index_size(index_of(st)) : NULL;
}
