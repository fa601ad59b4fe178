/* Comprehensions and reductions, which are pure and have no order: the adjoint of an element is pulled from what uses it.
 *
 * Each place that reads a value from outside stands in a nest of indices: those of the comprehension, then of the reductions within
 * it.  What a scalar gets is a sum over the nest.  What a tensor gets is a comprehension over the tensor: an index of the nest that
 * is an index of the access, plus or minus something fixed, is solved for; the others are summed over (the gather form, without
 * atomics: Hückelheim and others, Transposing stencils, ICPP 2019).  Accesses whose indices cannot be inverted (through other
 * arrays, or scaled) are scattered: by atomic updates, which later passes take apart. */
#include "ad/ad.h"

#include <string.h>

enum { MAX_PATH = 24 };

/* A place in the nest: an index, or a branch of an if */
typedef struct { Op *owner; int index; } Step; /* index: which argument of region 0; of an if: which region */
typedef struct { Step step[MAX_PATH]; int n; } Path;

typedef struct { Scope *s; Op *root; } Pull;

/* Where code goes while a nest is rebuilt; values of the nest that are known here */
typedef struct Emit Emit;
struct Emit {
    Pull *p;
    Emit *up;
    Builder b;
    Map primal, pulled;
};

static Arena *arena_of(const Emit *e) { return e->p->s->ad->arena; }
static Emit emit_inside(Emit *up, Region *r) { return (Emit){.p = up->p, .up = up, .b = builder_at_end(up->b.module, r, up->b.span)}; }
static void know(Emit *e, const Value *v, Value *now) { map_put(arena_of(e), &e->primal, v, now); }

static bool inside_root(const Pull *p, const Value *v) {
    for (int i = 0; i < p->root->nregs; i++)
        if (region_encloses(p->root->regs[i], value_region(v))) return true;
    return false;
}

static bool known_here(const Emit *e, const Value *v) {
    for (; e; e = e->up)
        if (map_has(&e->primal, v)) return true;
    return false;
}

/* op is being made by e: if that is where the reverse itself goes, what is computed there goes before it. */
static Op *enter(Emit *e, Op *op) {
    Scope *s = e->p->s;
    Op *outer = s->inner;
    if (e->b.region == s->b.region) s->inner = op;
    return outer;
}
static void leave(Emit *e, Op *outer) { e->p->s->inner = outer; }

/* ---- the nest's own values, computed anew */

static Value *value_here(Emit *e, Value *v);

static void map_values(Emit *e, const Op *op, Cloner *c) {
    ValueList all = all_free(e->p->s->ad, op);
    for (int i = 0; i < op->nopnds; i++) map_put(arena_of(e), &c->values, op_opnd(op, i), value_here(e, op_opnd(op, i)));
    for (int i = 0; i < all.len; i++) map_put(arena_of(e), &c->values, all.data[i], value_here(e, all.data[i]));
}

static Value *value_here(Emit *e, Value *v) {
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

static bool is_map(const Op *op) { return op->code == OP_GENERATE || op->code == OP_SCAN; }

/* ---- loops that only add up: for derivatives they are sums */

/* v is c plus things that do not mention c, in every branch; *uses: how often c was met */
static bool adds_to(const Value *v, const Value *c, int *uses) {
    const Op *d = v->def;
    if (v == c) return ++*uses, true;
    if (!d || !value_single_use(v)) return false;
    if (d->code == OP_ADD || d->code == OP_SUB)
        return adds_to(op_opnd(d, 0), c, uses) || (d->code == OP_ADD && adds_to(op_opnd(d, 1), c, uses));
    if (d->code != OP_IF) return false;
    return adds_to(op_opnd(region_term(d->regs[0]), v->index), c, uses) && adds_to(op_opnd(region_term(d->regs[1]), v->index), c, uses);
}

static bool is_sum(const Op *op) {
    if (op->code != OP_FOR) return false;
    for (int i = 0; i < op->nres; i++) {
        const Value *c = op->regs[0]->args[1 + i];
        int uses = 0, all = 0;
        for (const Use *u = c->uses; u; u = u->next) all++;
        if (!adds_to(op_opnd(region_term(op->regs[0]), i), c, &uses) || uses != all) return false;
    }
    return true;
}

static bool is_int(const Value *v, int64_t want) {
    return v->def && v->def->code == OP_CONST && op_attr(v->def, A_VALUE)->c.i == want;
}

/* ---- paths: from region `outer` (or from outside of the root) down to an operation */

static bool add_step(Pull *p, Path *path, Op *owner, int index) {
    if (path->n == MAX_PATH) return cannot(p->s->ad, p->root, "a nest this deep"), false;
    path->step[path->n++] = (Step){owner, index};
    return true;
}

/* False: through something that is no nest */
static bool path_to(Pull *p, Path *path, const Op *op, const Region *outer) {
    Region *r = op->parent;
    Op *owner = r->owner;
    if (r == outer) return true;
    if (owner != p->root && !path_to(p, path, owner, outer)) return false;
    if (owner->code == OP_IF) return add_step(p, path, owner, r == owner->regs[1]);
    if (is_sum(owner)) return add_step(p, path, owner, 0);
    if (r != owner->regs[0] || (owner->code != OP_REDUCE && (!is_map(owner) || owner != p->root))) {
        cannot(p->s->ad, owner, owner->code == OP_FOR || owner->code == OP_WHILE ? "a loop inside a comprehension" : "an array made inside a comprehension");
        return false;
    }
    for (int i = 0; i < r->nargs; i++)
        if (!add_step(p, path, owner, i)) return false;
    return true;
}

static Value *index_of(const Step *st) { return st->owner->code == OP_IF ? NULL : st->owner->regs[0]->args[st->index]; }

static Value *extent_here(Emit *e, const Step *st) {
    if (is_map(st->owner)) return build_size(&e->b, st->owner->res[0].type->dims[st->index]);
    Value *n = value_here(e, op_opnd(st->owner, st->owner->code == OP_FOR ? 1 : st->index));
    return n;
}

/* How often a step's index is taken, and which it is the k-th time */
static Value *times_here(Emit *e, const Step *st) {
    if (st->owner->code != OP_FOR) return extent_here(e, st);
    Value *less = build_binary(&e->b, OP_SUB, value_here(e, op_opnd(st->owner, 0)), value_here(e, op_opnd(st->owner, 1)));
    Value *q = build_binary(&e->b, OP_IDIV, less, value_here(e, op_opnd(st->owner, 2)));
    op_set_flag(q->def, A_SAFE);
    return build_binary(&e->b, OP_MAX, build_unary(&e->b, OP_NEG, q), build_int(&e->b, 0));
}

static Value *index_here(Emit *e, const Step *st, Value *k) {
    if (st->owner->code != OP_FOR) return k;
    Value *by = build_binary(&e->b, OP_MUL, k, value_here(e, op_opnd(st->owner, 2)));
    return build_binary(&e->b, OP_ADD, value_here(e, op_opnd(st->owner, 0)), by);
}

static bool from_zero(const Op *owner) { return owner->code != OP_FOR || (is_int(op_opnd(owner, 0), 0) && is_int(op_opnd(owner, 2), 1)); }
static bool by_one(const Op *owner) { return owner->code != OP_FOR || is_int(op_opnd(owner, 2), 1); }

static const Size *extent_size(const Step *st) {
    Session *s = st->owner->parent->func->module->session;
    if (is_map(st->owner)) return st->owner->res[0].type->dims[st->index];
    if (!from_zero(st->owner)) return NULL;
    const Op *d = op_opnd(st->owner, st->owner->code == OP_FOR ? 1 : st->index)->def;
    if (d && d->code == OP_SIZE) return op_attr(d, A_SIZE)->sizes[0];
    if (d && d->code == OP_CONST) return size_const(s, op_attr(d, A_VALUE)->c.i);
    return NULL;
}

/* ---- what the yielded value of a reduction gets */

static Value *pull(Emit *e, Value *v);

static Value *pulled_result(Emit *e, Op *owner, int k) {
    return owner == e->p->root ? adjoint_of(e->p->s, &owner->res[k]) : pull(e, &owner->res[k]);
}

/* reduce of `what` over the extents of owner; body gives the value for its indices */
typedef Value *BodyFn(Emit *e, Op *owner, int k, Value *linear);

static Value *reduce_again(Emit *e, Op *owner, int k, const char *kind, const Type *t, BodyFn *body) {
    int n = owner->regs[0]->nargs;
    Value *extents[MAX_RANK];
    for (int i = 0; i < n; i++) extents[i] = value_here(e, op_opnd(owner, i));
    Op *made = build_op(&e->b, OP_REDUCE, n, extents, 1, &t, 1);
    op_set_sym(made, A_KIND, kind);
    Emit in = emit_inside(e, made->regs[0]);
    Op *outer = enter(e, made);
    Value *linear = NULL;
    for (int i = 0; i < n; i++) {
        Value *at = region_add_arg(made->regs[0], extents[i]->type, "k");
        know(&in, owner->regs[0]->args[i], at);
        linear = linear ? build_binary(&in.b, OP_ADD, build_binary(&in.b, OP_MUL, linear, extents[i]), at) : at;
    }
    Value *v = body(&in, owner, k, linear);
    build_yield(&in.b, 1, &v);
    leave(e, outer);
    return &made->res[0];
}

static Value *yielded(Emit *e, Op *owner, int k) { return value_here(e, op_opnd(region_term(owner->regs[0]), k)); }

static Value *result_here(Emit *e, Op *owner, int k) {
    return owner == e->p->root ? primal_of(e->p->s, &owner->res[k]) : value_here(e, &owner->res[k]);
}

static Value *like(Emit *e, const Value *v, double c) { return build_float(&e->b, v->type->dtype, c); }

static Value *place_of_winner(Emit *e, Op *owner, int k, Value *linear) {
    Value *wins = build_binary(&e->b, OP_EQ, yielded(e, owner, k), result_here(e, owner, k));
    return build_select(&e->b, wins, linear, build_int(&e->b, INT64_MAX));
}

static Value *is_zero(Emit *e, Op *owner, int k, Value *linear) {
    (void)linear;
    Value *v = yielded(e, owner, k), *zero = build_binary(&e->b, OP_EQ, v, like(e, v, 0));
    return build_select(&e->b, zero, build_int(&e->b, 1), build_int(&e->b, 0));
}

static Value *one_for_zero(Emit *e, Op *owner, int k, Value *linear) {
    (void)linear;
    Value *v = yielded(e, owner, k), *zero = build_binary(&e->b, OP_EQ, v, like(e, v, 0));
    return build_select(&e->b, zero, like(e, v, 1), v);
}

/* Where the reduction itself stands, before what is being made there: its indices are not known yet */
static Emit home_of(const Emit *e, const Op *owner) {
    Op *inner = NULL; /* where e's builder stands, what is being made there */
    for (; e->up && known_here(e, owner->regs[0]->args[0]); e = e->up)
        if (e->b.region != e->up->b.region) inner = e->b.region->owner;
    return (Emit){.p = e->p, .up = (Emit *)(uintptr_t)e, .b = inner ? builder_before(inner) : e->b};
}

/* The first of equals gets all */
static Value *pull_extreme(Emit *e, Op *owner, int k, Value *g) {
    const Type *i64 = type_scalar(e->b.module->session, DT_I64);
    Emit home = home_of(e, owner);
    Value *linear = NULL, *winner = reduce_again(&home, owner, k, "min", i64, place_of_winner);
    for (int i = 0; i < owner->regs[0]->nargs; i++) {
        Value *at = value_here(e, owner->regs[0]->args[i]), *n = value_here(e, op_opnd(owner, i));
        linear = linear ? build_binary(&e->b, OP_ADD, build_binary(&e->b, OP_MUL, linear, n), at) : at;
    }
    Value *won = build_select(&e->b, build_binary(&e->b, OP_EQ, linear, winner), g, like(e, g, 0));
    return keep_mask(e->p->s->ad, won, won);
}

/* Without zeros the product over the element; with one zero the product of the others, for that one */
static Value *pull_product(Emit *e, Op *owner, int k, Value *g) {
    const Type *i64 = type_scalar(e->b.module->session, DT_I64);
    Emit home = home_of(e, owner);
    Value *zeros = reduce_again(&home, owner, k, "add", i64, is_zero), *others = reduce_again(&home, owner, k, "mul", g->type, one_for_zero);
    Value *x = yielded(e, owner, k), *none = build_binary(&e->b, OP_EQ, zeros, build_int(&e->b, 0));
    Value *this_one = build_binary(&e->b, OP_AND, build_binary(&e->b, OP_EQ, zeros, build_int(&e->b, 1)), build_binary(&e->b, OP_EQ, x, like(e, x, 0)));
    Value *share = build_select(&e->b, this_one, others, like(e, x, 0));
    return build_binary(&e->b, OP_MUL, g, build_select(&e->b, none, build_binary(&e->b, OP_DIV, others, x), share));
}

static Value *pull_yield(Emit *e, Op *owner, int k) {
    Value *g = pulled_result(e, owner, k);
    if (!g || owner->code == OP_IF || owner->code == OP_FOR) return g;
    if (is_map(owner)) {
        Value *idx[MAX_RANK];
        for (int i = 0; i < owner->regs[0]->nargs; i++) idx[i] = value_here(e, owner->regs[0]->args[i]);
        Value *at = build_extract(&e->b, g, owner->regs[0]->nargs, idx);
        op_set_flag(at->def, A_SAFE);
        return keep_mask(e->p->s->ad, at, g);
    }
    const char *kind = op_sym(owner, A_KIND);
    if (!strcmp(kind, "add")) return g;
    if (!strcmp(kind, "min") || !strcmp(kind, "max")) return pull_extreme(e, owner, k, g);
    if (!strcmp(kind, "mul")) return pull_product(e, owner, k, g);
    return cannot(e->p->s->ad, owner, "a reduction with an operator of its own"), NULL;
}

/* ---- one use of a value, the code for which stands where the use does */

static Value *pull_elementwise(Emit *e, Op *op, int k) {
    Value *g = pull(e, &op->res[0]), *x[3];
    if (!g) return NULL;
    if (!has_adjoint(op->code)) return cannot(e->p->s->ad, op, op_info(op->code)->mnemonic), NULL;
    for (int i = 0; i < op->nopnds; i++) x[i] = rule_reads(op, k, i) ? value_here(e, op_opnd(op, i)) : NULL;
    Value *z = rule_reads(op, k, op->nopnds) ? value_here(e, &op->res[0]) : NULL;
    return elementwise_adjoint(e->p->s->ad, &e->b, op, k, x, z, g);
}

static Value *pull_use(Emit *e, const Use *u) {
    Op *op = u->user;
    if (op->code == OP_YIELD) return pull_yield(e, op->parent->owner, u->index);
    if (is_sum(op) && u->index >= 3) return pull(e, &op->res[u->index - 3]); /* what it begins with */
    if (op_info(op->code)->ad == AD_ZERO || op->nres != 1 || !is_active(e->p->s->ad, &op->res[0])) return NULL;
    if (op_info(op->code)->traits & TR_ELEM) return pull_elementwise(e, op, u->index);
    return cannot(e->p->s->ad, op, op_info(op->code)->mnemonic), NULL;
}

/* ---- down a path: indices are summed over or solved for, branches taken */

/* What stands at the end of the path */
typedef struct End End;
struct End { Value *(*make)(Emit *e, const End *end); const Use *use; Op *access; Value *from; const Type *type; };

/* For index steps that are solved: NULL elsewhere */
typedef struct { Value *solved[MAX_PATH]; bool inside[MAX_PATH]; } Solution;

static Value *descend(Emit *e, const Path *path, int at, const Solution *sol, const End *end);

static Value *guarded(Emit *e, Value *cond, bool when, const Path *path, int at, const Solution *sol, const End *end) {
    Op *made = build_if(&e->b, cond, 1, &end->type);
    Emit in = emit_inside(e, made->regs[!when]), out = emit_inside(e, made->regs[when]);
    Op *outer = enter(e, made);
    Value *v = descend(&in, path, at, sol, end), *zero = build_float(&out.b, end->type->dtype, 0);
    if (!v) v = build_float(&in.b, end->type->dtype, 0);
    build_yield(&in.b, 1, &v);
    build_yield(&out.b, 1, &zero);
    leave(e, outer);
    return &made->res[0];
}

static Value *summed(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    Value *n = times_here(e, &path->step[at]);
    Op *made = build_op(&e->b, OP_REDUCE, 1, &n, 1, &end->type, 1);
    op_set_sym(made, A_KIND, "add");
    Emit in = emit_inside(e, made->regs[0]);
    Value *k = region_add_arg(made->regs[0], n->type, "k");
    Op *outer = enter(e, made);
    know(&in, index_of(&path->step[at]), index_here(&in, &path->step[at], k));
    Value *v = descend(&in, path, at + 1, sol, end);
    if (!v) v = build_float(&in.b, end->type->dtype, 0);
    build_yield(&in.b, 1, &v);
    leave(e, outer);
    return &made->res[0];
}

static Value *solved(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    const Step *st = &path->step[at];
    Emit in = {.p = e->p, .up = e, .b = e->b}; /* the index is known from here on, in no region of its own */
    know(&in, index_of(st), sol->solved[at]);
    if (sol->inside[at]) return descend(&in, path, at + 1, sol, end);
    Value *first = st->owner->code == OP_FOR ? value_here(e, op_opnd(st->owner, 0)) : build_int(&e->b, 0);
    Value *low = build_binary(&e->b, OP_GE, sol->solved[at], first);
    Value *high = build_binary(&e->b, OP_LT, sol->solved[at], extent_here(e, st));
    return guarded(&in, build_binary(&e->b, OP_AND, low, high), true, path, at + 1, sol, end);
}

static Value *descend(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    if (e->p->s->ad->failed) return NULL;
    if (at == path->n) return end->make(e, end);
    const Step *st = &path->step[at];
    if (st->owner->code == OP_IF) {
        Value *v = guarded(e, value_here(e, op_opnd(st->owner, 0)), st->index == 0, path, at + 1, sol, end);
        return keep_mask(e->p->s->ad, v, v);
    }
    return sol && sol->solved[at] ? solved(e, path, at, sol, end) : summed(e, path, at, sol, end);
}

static Value *make_use(Emit *e, const End *end) { return pull_use(e, end->use); }

/* The adjoint of v, a value of the nest: of each use, summed over the indices between v and the use */
static Value *pull(Emit *e, Value *v) {
    if (!is_active(e->p->s->ad, v)) return NULL;
    for (const Emit *at = e; at; at = at->up)
        if (map_has(&at->pulled, v)) return map_get(&at->pulled, v);
    Value *sum = NULL;
    for (const Use *u = v->uses; u; u = u->next) {
        Path path = {0}, rest = {0};
        if (!path_to(e->p, &path, u->user, value_region(v))) return NULL;
        for (int i = 0; i < path.n; i++) { /* what is fixed here already is not summed over */
            const Value *index = index_of(&path.step[i]);
            if (!index || !known_here(e, index)) rest.step[rest.n++] = path.step[i];
        }
        End end = {.make = make_use, .use = u, .type = v->type};
        sum = sum_adjoints(e->p->s->ad, &e->b, sum, descend(e, &rest, 0, NULL, &end));
    }
    map_put(arena_of(e), &e->pulled, v, sum);
    return sum;
}

/* ---- scalars from outside */

static void reverse_scalar(Pull *p, Value *v) {
    Emit e = {.p = p, .b = p->s->b};
    VEC(const Use *) uses = {0}; /* the reverse adds to them */
    for (const Use *u = v->uses; u; u = u->next)
        if (op_inside(u->user, p->root)) vec_push(p->s->ad->arena, &uses, u);
    for (int i = 0; i < uses.len; i++) {
        Path path = {0};
        if (!path_to(p, &path, uses.data[i]->user, NULL)) return;
        End end = {.make = make_use, .use = uses.data[i], .type = v->type};
        e.b = p->s->b;
        add_adjoint(p->s, v, descend(&e, &path, 0, NULL, &end));
    }
}

/* ---- tensors from outside */

static bool depends(const Pull *p, const Value *v) { /* on an index of the nest */
    if (!inside_root(p, v)) return false;
    if (!v->def) return true;
    if (v->def->nregs) return true;
    for (int i = 0; i < v->def->nopnds; i++)
        if (depends(p, op_opnd(v->def, i))) return true;
    return false;
}

/* index of the access = index of the nest + by, or by - index (down) */
typedef struct { Value *index, *by; bool down, minus; } Shift;

static bool read_shift(const Pull *p, Value *v, Shift *out) {
    *out = (Shift){0};
    if (inside_root(p, v) && !v->def) return out->index = v, true;
    if (!v->def || (v->def->code != OP_ADD && v->def->code != OP_SUB)) return false;
    Value *x = op_opnd(v->def, 0), *y = op_opnd(v->def, 1);
    bool add = v->def->code == OP_ADD, left = inside_root(p, x) && !x->def;
    Value *index = left ? x : y, *by = left ? y : x;
    if (!inside_root(p, index) || index->def || depends(p, by)) return false;
    *out = (Shift){index, by, !add && !left, !add && left};
    return true;
}

static int step_of(const Path *path, const Value *index) {
    for (int i = 0; i < path->n; i++)
        if (index_of(&path->step[i]) == index) return i;
    return -1;
}

static Value *unshift(Emit *e, const Shift *sh, Value *j) {
    if (!sh->by) return j;
    Value *by = value_here(e, sh->by);
    return sh->down ? build_binary(&e->b, OP_SUB, by, j) : build_binary(&e->b, sh->minus ? OP_ADD : OP_SUB, j, by);
}

/* Whether each axis of the access is an index of the nest of its own, shifted, or fixed */
static bool can_gather(Pull *p, const Op *access, const Path *path) {
    Shift sh;
    const Value *seen[MAX_RANK] = {0};
    for (int i = 1; i < access->nopnds; i++) {
        if (!depends(p, op_opnd(access, i))) continue;
        if (!read_shift(p, op_opnd(access, i), &sh) || step_of(path, sh.index) < 0 || !by_one(path->step[step_of(path, sh.index)].owner))
            return false;
        for (int k = 1; k < i; k++)
            if (seen[k - 1] == sh.index) return false;
        seen[i - 1] = sh.index;
    }
    return true;
}

/* A place that reads a tensor from outside; from: the adjoints of what it reads, where they were computed before */
typedef struct { Op *op; Path path; Value *from; } Access;

static Value *make_access(Emit *e, const End *end) { return pull(e, &end->access->res[0]); }

static Value *make_from(Emit *e, const End *end) {
    Value *idx[MAX_RANK];
    const Region *r = e->p->root->regs[0];
    for (int i = 0; i < r->nargs; i++) idx[i] = value_here(e, r->args[i]);
    Value *v = build_extract(&e->b, end->from, r->nargs, idx);
    op_set_flag(v->def, A_SAFE);
    return keep_mask(e->p->s->ad, v, end->from);
}

static End end_of(const Access *a) {
    return (End){.make = a->from ? make_from : make_access, .access = a->op, .from = a->from, .type = a->op->res[0].type};
}

/* What the access gives the element at the indices of the region of `over` */
static Value *gathered(Emit *e, const Access *a, const Region *over) {
    Solution sol = {0};
    Value *same = NULL;
    Op *access = a->op;
    const Path *path = &a->path;
    const Type *t = op_opnd(access, 0)->type;
    End end = end_of(a);
    for (int i = 1; i < access->nopnds; i++) {
        Value *v = op_opnd(access, i), *j = over->args[i - 1];
        Shift sh;
        if (!depends(e->p, v)) {
            Value *here = build_binary(&e->b, OP_EQ, value_here(e, v), j);
            same = same ? build_binary(&e->b, OP_AND, same, here) : here;
            continue;
        }
        read_shift(e->p, v, &sh);
        int at = step_of(path, sh.index);
        sol.solved[at] = unshift(e, &sh, j);
        sol.inside[at] = !sh.by && extent_size(&path->step[at]) == t->dims[i - 1];
    }
    return same ? guarded(e, same, true, path, 0, &sol, &end) : descend(e, path, 0, &sol, &end);
}

static void reverse_gathered(Pull *p, Value *tensor, const Access *accesses, int n) {
    Session *ss = p->s->ad->module->session;
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, 1, &tensor->type, 1);
    for (int i = 0; i < tensor->type->rank; i++) region_add_arg(made->regs[0], type_scalar(ss, DT_I64), "j");
    Emit top = {.p = p, .b = p->s->b};
    Emit e = emit_inside(&top, made->regs[0]);
    Value *sum = NULL;
    p->s->inner = made;
    for (int i = 0; i < n; i++) {
        Emit one = {.p = p, .up = &top, .b = e.b};
        sum = sum_adjoints(p->s->ad, &e.b, sum, gathered(&one, &accesses[i], made->regs[0]));
    }
    if (!sum) sum = build_float(&e.b, tensor->type->dtype, 0);
    build_yield(&e.b, 1, &sum);
    p->s->inner = NULL;
    add_adjoint(p->s, tensor, &made->res[0]);
}

/* ---- scattered accesses: values and indices for all of the nest, then atomic updates */

static Value *make_index(Emit *e, const End *end) { return value_here(e, end->use->val); }

/* A comprehension over the indices of the path (branches become 0) of what `end` makes */
static Value *over_nest(Pull *p, const Path *path, const Type *t, const End *end) {
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Emit top = {.p = p, .b = p->s->b}, e = emit_inside(&top, made->regs[0]);
    Solution sol = {0};
    p->s->inner = made;
    for (int i = 0; i < path->n; i++) {
        if (!index_of(&path->step[i])) continue;
        sol.solved[i] = region_add_arg(made->regs[0], type_scalar(p->s->ad->module->session, DT_I64), "i");
        sol.inside[i] = true;
    }
    Value *v = descend(&e, path, 0, &sol, end);
    if (!v) v = build_const(&e.b, (Const){.dtype = end->type->dtype});
    build_yield(&e.b, 1, &v);
    p->s->inner = NULL;
    return &made->res[0];
}

static Op *scatter_island(Scope *s, Value *into, Value *values, Value *const *idx, int n) {
    Session *ss = s->ad->module->session;
    Value *opnds[MAX_RANK + 2] = {into, values};
    int64_t modes[MAX_RANK + 2] = {2, 0};
    for (int i = 0; i < n; i++) opnds[2 + i] = idx[i];
    Op *island = build_op(&s->b, OP_ISLAND, 2 + n, opnds, 1, &into->type, 1);
    op_set_ints(island, A_MODES, 2 + n, modes);
    for (int i = 0; i < 2 + n; i++) {
        const Type *t = opnds[i]->type;
        region_add_arg(island->regs[0], type_buf(ss, t->dtype, t->rank, t->dims, SPACE_GLOBAL), opnds[i]->name);
    }
    Builder b = builder_at_end(s->ad->module, island->regs[0], s->b.span);
    Value *extents[MAX_RANK], **buf = island->regs[0]->args;
    for (int i = 0; i < values->type->rank; i++) extents[i] = build_size(&b, values->type->dims[i]);
    Op *par = build_parallel(&b, values->type->rank, extents, "plain");
    build_yield(&b, 0, NULL);
    Builder in = builder_at_end(s->ad->module, par->regs[0], s->b.span);
    Value *v = build_load(&in, buf[1], values->type->rank, par->regs[0]->args);
    op_set_flag(v->def, A_SAFE);
    Value *some = build_binary(&in, OP_NE, v, build_float(&in, v->type->dtype, 0));
    Op *test = build_if(&in, some, 0, NULL);
    build_yield(&in, 0, NULL);
    Builder then = builder_at_end(s->ad->module, test->regs[0], s->b.span), none = builder_at_end(s->ad->module, test->regs[1], s->b.span);
    Value *update[MAX_RANK + 2] = {v, buf[0]};
    for (int i = 0; i < n; i++) {
        update[2 + i] = build_load(&then, buf[2 + i], values->type->rank, par->regs[0]->args);
        op_set_flag(update[2 + i]->def, A_SAFE);
    }
    Op *atomic = build_op(&then, OP_ATOMIC, 2 + n, update, 0, NULL, 0);
    op_set_sym(atomic, A_KIND, "add");
    op_set_flag(atomic, A_SAFE); /* the access itself was checked */
    build_yield(&then, 0, NULL);
    build_yield(&none, 0, NULL);
    return island;
}

static bool nest_dims(Pull *p, const Path *path, const Size **dims, int *n) {
    *n = 0;
    for (int i = 0; i < path->n; i++) {
        if (!index_of(&path->step[i])) continue;
        if (*n == TENSOR_RANK) return cannot(p->s->ad, p->root, "a nest of this many indices"), false;
        dims[*n] = extent_size(&path->step[i]);
        if (!dims[(*n)++]) return cannot(p->s->ad, p->root, "an access through other arrays in a nest of uneven loops"), false;
    }
    return true;
}

static void reverse_scattered(Pull *p, Value *tensor, const Access *a) {
    Op *access = a->op;
    const Path *path = &a->path;
    Session *ss = p->s->ad->module->session;
    const Size *dims[MAX_RANK];
    Value *idx[MAX_RANK];
    int n;
    if (!nest_dims(p, path, dims, &n)) return;
    End values = end_of(a);
    Value *v = a->from ? a->from : over_nest(p, path, type_tensor(ss, values.type->dtype, n, dims), &values);
    for (int i = 1; i < access->nopnds && !p->s->ad->failed; i++) {
        End index = {.make = make_index, .use = &access->opnds[i], .type = type_scalar(ss, DT_I64)};
        idx[i - 1] = over_nest(p, path, type_tensor(ss, DT_I64, n, dims), &index);
    }
    if (p->s->ad->failed) return;
    Value *into = adjoint_of(p->s, tensor);
    if (!into) into = build_zero(&p->s->b, tensor->type);
    set_adjoint(p->s, tensor, &scatter_island(p->s, into, v, idx, access->nopnds - 1)->res[0]);
}

typedef VEC(Access) AccessList;

/* The accesses of one tensor: what can be gathered, together */
static void reverse_accesses(Pull *p, Value *tensor, const AccessList *all) {
    AccessList gather = {0};
    for (int i = 0; i < all->len && !p->s->ad->failed; i++) {
        const Access *a = &all->data[i];
        if (can_gather(p, a->op, &a->path)) vec_push(p->s->ad->arena, &gather, *a);
        else reverse_scattered(p, tensor, a);
    }
    if (gather.len && !p->s->ad->failed) reverse_gathered(p, tensor, gather.data, gather.len);
}

static AccessList accesses_of(Pull *p, const Value *tensor) {
    AccessList list = {0};
    for (const Use *u = tensor->uses; u; u = u->next) {
        Access a = {.op = u->user};
        if (!op_inside(u->user, p->root)) continue;
        if (u->user->code != OP_EXTRACT) cannot(p->s->ad, u->user, "an array operation inside a comprehension");
        else if (path_to(p, &a.path, u->user, NULL)) vec_push(p->s->ad->arena, &list, a);
    }
    return list;
}

static void reverse_by_pulling(Pull *p, const ValueList *free) {
    for (int i = 0; i < free->len && !p->s->ad->failed; i++) {
        Value *v = free->data[i];
        if (!type_is_tensor(v->type)) {
            reverse_scalar(p, v);
            continue;
        }
        AccessList all = accesses_of(p, v);
        reverse_accesses(p, v, &all);
    }
}

/* ---- bodies with loops: the adjoints of all that is read, for each index, by reversing the body as a function of scalars */

/* One that is more than a sum */
static void find_loop(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_WHILE || (op->code == OP_FOR && !is_sum(op)); }

static bool holds_loop(const Op *op) {
    bool found = false;
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_loop, &found);
    return found;
}

/* Seeds of the body's values at the indices of made */
static void seed_body(Scope *in, const Pull *p, const Op *made) {
    const Op *y = region_term(p->root->regs[0]);
    for (int i = 0; i < p->root->nres; i++) {
        Value *g = adjoint_of(p->s, &p->root->res[i]);
        if (g && is_map(p->root)) {
            g = build_extract(&in->b, g, made->regs[0]->nargs, made->regs[0]->args);
            op_set_flag(g->def, A_SAFE);
        }
        add_adjoint(in, op_opnd(y, i), g);
    }
}

/* A comprehension with the adjoints of `values` at all indices */
static Op *reverse_body(Pull *p, const ValueList *values, const Size *const *dims) {
    Ad *ad = p->s->ad;
    const Region *r = p->root->regs[0];
    const Type **types = NEWN(ad->arena, const Type *, values->len + 1);
    Value **out = NEWN(ad->arena, Value *, values->len + 1);
    for (int i = 0; i < values->len; i++) types[i] = type_tensor(ad->module->session, values->data[i]->type->dtype, r->nargs, dims);
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, values->len, types, 1);
    Scope in = {.ad = ad, .up = p->s, .of = p->root->regs[0], .b = builder_at_end(ad->module, made->regs[0], made->span), .scalars = true};
    p->s->inner = made;
    for (int i = 0; i < r->nargs; i++) {
        Value *at = region_add_arg(made->regs[0], r->args[i]->type, "i");
        map_put(ad->arena, &in.primal, r->args[i], at);
    }
    seed_body(&in, p, made);
    reverse_region(&in);
    for (int i = 0; i < values->len; i++) {
        out[i] = adjoint_of(&in, values->data[i]);
        if (!out[i]) out[i] = build_zero(&in.b, values->data[i]->type);
    }
    build_yield(&in.b, values->len, out);
    p->s->inner = NULL;
    return made;
}

static void reverse_by_body(Pull *p, const ValueList *free) {
    Ad *ad = p->s->ad;
    VEC(AccessList) lists = {0};
    ValueList values = {0};
    const Size *dims[MAX_RANK];
    Path nest = {0};
    int n;
    if (p->root->code == OP_REDUCE && strcmp(op_sym(p->root, A_KIND), "add")) return cannot(ad, p->root, "a loop inside a reduction other than a sum");
    for (int i = 0; i < free->len && !ad->failed; i++) {
        AccessList all = {0};
        if (type_is_tensor(free->data[i]->type)) all = accesses_of(p, free->data[i]);
        else vec_push(ad->arena, &values, free->data[i]);
        for (int k = 0; k < all.len; k++) {
            if (all.data[k].op->parent != p->root->regs[0]) return cannot(ad, all.data[k].op, "an array that is read in a loop or branch inside a comprehension");
            vec_push(ad->arena, &values, &all.data[k].op->res[0]);
        }
        vec_push(ad->arena, &lists, all);
    }
    if (ad->failed || !path_to(p, &nest, region_term(p->root->regs[0]), NULL) || !nest_dims(p, &nest, dims, &n)) return;
    const Op *made = reverse_body(p, &values, dims);
    for (int i = 0, at = 0; i < free->len && !ad->failed; i++) {
        AccessList *all = &lists.data[i];
        if (!type_is_tensor(free->data[i]->type)) add_adjoint(p->s, free->data[i], sum_axes(&p->s->b, &made->res[at++], 0, NULL, NULL));
        for (int k = 0; k < all->len; k++) all->data[k].from = &made->res[at++];
        if (all->len) reverse_accesses(p, free->data[i], all);
    }
}

void reverse_comprehension(Scope *s, Op *op) {
    Pull p = {s, op};
    ValueList free = active_free(s->ad, op);
    if (holds_loop(op)) reverse_by_body(&p, &free);
    else reverse_by_pulling(&p, &free);
}

/* ---- scan: the sums from the other end */

static Value *element_from_end(Builder *b, Value *x, Value *i) {
    Value *last = build_binary(b, OP_SUB, build_size(b, x->type->dims[0]), build_int(b, 1)), *at = build_binary(b, OP_SUB, last, i);
    Value *v = build_extract(b, x, 1, &at);
    op_set_flag(v->def, A_SAFE);
    return v;
}

static Value *from_end(Builder *b, OpCode code, Value *x) {
    Op *made = build_op(b, code, 0, NULL, 1, &x->type, 1);
    if (code == OP_SCAN) op_set_sym(made, A_KIND, "add");
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *v = element_from_end(&in, x, region_add_arg(made->regs[0], type_scalar(b->module->session, DT_I64), "i"));
    build_yield(&in, 1, &v);
    return &made->res[0];
}

/* The adjoint of the elements is the scan, from the end, of that of their scan. */
void reverse_scan(Scope *s, Op *op) {
    if (op->nres != 1 || strcmp(op_sym(op, A_KIND), "add")) return cannot(s->ad, op, "a scan with an operator of its own");
    set_adjoint(s, &op->res[0], from_end(&s->b, OP_GENERATE, from_end(&s->b, OP_SCAN, adjoint_of(s, &op->res[0]))));
    reverse_comprehension(s, op);
}
