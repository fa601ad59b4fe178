/* What a loop over time does, step by step, and how far its rows reach.
 *
 * A turn of the loop is read as a list of parallel nests over memory; tensors that the turns hand on, exchange, make
 * anew and drop are roots that move from slot to slot.  Every access to a slot that is written must be a constant
 * number of rows away from the row of its nest.  Then row x of a step depends on rows x + d of earlier steps alone,
 * with d from an interval for each pair of steps, and the slopes of a tile's edges are the least that keep those rows
 * inside.  What a turn writes into a part of its own (tape[t, ..]) no other depends on. */
#include "opt/loops/time.h"

#include <string.h>

enum { MAX_GROWTH = 16 };

int loops_time_root(const TimeLoop *t, const Value *tensor) { return (int)(intptr_t)map_get(&t->roots, tensor) - 1; }

static void set_root(TimeLoop *t, const Value *tensor, int root) {
    map_put(t->loop->parent->func->module->arena, &t->roots, tensor, (void *)(intptr_t)(root + 1));
}

static int new_root(TimeLoop *t, Value *tensor) {
    if (t->nroots == TIME_SLOTS) return -1;
    t->root[t->nroots] = tensor;
    t->next[t->nroots] = -1;
    set_root(t, tensor, t->nroots);
    return t->nroots++;
}

/* ---- what does not change */

static bool is_scalar_op(const Op *o) {
    if (!op_is_pure(o) || o->nregs) return false;
    for (int i = 0; i < o->nopnds; i++)
        if (op_opnd(o, i)->type->kind != TY_SCALAR) return false;
    for (int i = 0; i < o->nres; i++)
        if (o->res[i].type->kind != TY_SCALAR) return false;
    return true;
}

/* One that each turn makes alike */
static bool is_fixed_check(const TimeLoop *t, const Op *o) {
    bool fixed = o->code == OP_CHECK;
    for (int i = 0; i < o->nopnds; i++)
        fixed &= op_opnd(o, i)->type->kind == TY_SCALAR && value_is_fixed_in(t->loop->regs[0], op_opnd(o, i));
    return fixed;
}

/* ---- the turn, operation by operation */

static bool add_step(TimeLoop *t, Op *island, Op *nest) {
    if (t->nsteps == TIME_STEPS || op_may_trap(nest) || op_has_effect(nest) || op_holds(nest, OP_BARRIER) ||
        op_holds(nest, OP_ATOMIC))
        return false;
    t->step[t->nsteps++] = (TimeStep){.island = island, .nest = nest};
    return true;
}

static bool read_island(TimeLoop *t, Op *island) {
    const Attr *modes = op_attr(island, A_MODES);
    for (int i = 0, r = 0; i < island->nopnds; i++) {
        Value *x = op_opnd(island, i);
        int root = loops_time_root(t, x);
        bool outside = !region_encloses(t->loop->regs[0], value_region(x));
        if (root < 0 && outside && !modes->ints[i]) root = new_root(t, x);
        if (root < 0) return false;
        if (modes->ints[i]) set_root(t, &island->res[r++], root);
    }
    for (Op *o = island->regs[0]->first; o != region_term(island->regs[0]); o = o->next)
        if (o->code == OP_PARALLEL ? !add_step(t, island, o) : !is_scalar_op(o) && !is_fixed_check(t, o)) return false;
    return true;
}

/* Each of the roots of the turn ends once: it is handed on, or dropped. */
static bool read_end(TimeLoop *t, Op *yield, int ndropped, const int *dropped) {
    bool taken[TIME_SLOTS] = {false};
    for (int i = 0; i < t->ncarried; i++) {
        int r = loops_time_root(t, op_opnd(yield, i));
        if (r < 0 || taken[r]) return false;
        taken[t->next[i] = r] = true;
    }
    for (int m = t->ncarried; m < t->nroots; m++) {
        if (t->root[m]->region || t->root[m]->def->parent != t->loop->regs[0]) continue;
        for (int k = 0; k < ndropped && t->next[m] < 0; k++) {
            if (taken[dropped[k]] || t->root[dropped[k]]->type != t->root[m]->type) continue;
            taken[t->next[m] = dropped[k]] = true;
        }
        if (t->next[m] < 0) return false;
    }
    for (int m = 0; m < t->nroots; m++)
        if (t->next[m] < 0) t->next[m] = m;
    return true;
}

static bool read_turn(TimeLoop *t) {
    Region *body = t->loop->regs[0];
    int dropped[TIME_SLOTS], n = 0;
    for (int i = 1; i < body->nargs; i++)
        if (!type_is_tensor(body->args[i]->type) || new_root(t, body->args[i]) < 0) return false;
    t->ncarried = t->nroots;
    for (Op *o = body->first; o != region_term(body); o = o->next) {
        switch (o->code) {
        case OP_ISLAND:
            if (!read_island(t, o)) return false;
            break;
        case OP_EMPTY:
            if (new_root(t, &o->res[0]) < 0) return false;
            t->nmade++;
            break;
        case OP_RELEASE: {
            int root = loops_time_root(t, op_opnd(o, 0));
            if (root < 0 || n == TIME_SLOTS) return false;
            dropped[n++] = root;
            break;
        }
        default:
            if (!is_scalar_op(o) && !is_fixed_check(t, o)) return false;
        }
    }
    return t->nsteps && n == t->nmade && read_end(t, region_term(body), n, dropped);
}

/* ---- who has which memory */

static bool find_slots(TimeLoop *t) {
    for (int r = 0; r < t->nroots; r++) t->slot[0][r] = r;
    for (t->period = 1; t->period <= TIME_PERIOD; t->period++) {
        bool back = true;
        int last = t->period - 1, at[TIME_SLOTS];
        for (int r = 0; r < t->nroots; r++) back &= (at[r] = t->slot[last][t->next[r]]) == r;
        if (back) return t->period * t->nsteps <= TIME_STEPS;
        for (int r = 0; r < t->nroots && t->period < TIME_PERIOD; r++) t->slot[t->period][r] = at[r];
    }
    return false;
}

static void find_written(TimeLoop *t) {
    for (int s = 0; s < t->nsteps; s++) {
        const Op *island = t->step[s].island;
        const Attr *modes = op_attr(island, A_MODES);
        for (int i = 0; i < island->nopnds; i++)
            for (int k = 0; k < t->period && modes->ints[i]; k++)
                t->written[t->slot[k][loops_time_root(t, op_opnd(island, i))]] = true;
    }
}

static bool is_written(const TimeLoop *t, int root) {
    bool any = false;
    for (int k = 0; k < t->period; k++) any |= t->written[t->slot[k][root]];
    return any;
}

/* ---- rows */

/* v is what is returned + *c, or *c alone (NULL) */
static Value *offset(Value *v, int64_t *c) {
    int64_t d;
    *c = 0;
    if (value_const_int(v, c)) return NULL;
    if (!v->def || (v->def->code != OP_ADD && v->def->code != OP_SUB)) return v;
    bool minus = v->def->code == OP_SUB;
    Value *x = offset(op_opnd(v->def, 0), c), *y = offset(op_opnd(v->def, 1), &d);
    *c += minus ? -d : d;
    if (!y || (!x && !minus)) return x ? x : y;
    *c = 0;
    return v;
}

/* v as an index into n rows, behind the last of which the first one follows: *base + *c, or *c alone (NULL).  It is
 * known to be a row; so what is n more or less is the same one. */
typedef struct { Session *s; const Size *n; } Ring;
static bool around(const Ring *r, Value *v, Value **base, int64_t *c);

static bool around_sum(const Ring *r, const Op *op, Value **base, int64_t *c) {
    Value *more;
    int64_t d;
    bool minus = op->code == OP_SUB;
    if (!around(r, op_opnd(op, 0), base, c) || !around(r, op_opnd(op, 1), &more, &d)) return false;
    if (more && (*base || minus)) return false;
    if (more) *base = more;
    *c += minus ? -d : d;
    return true;
}

static bool around_choice(const Ring *r, const Op *op, Value **base, int64_t *c) {
    Value *other;
    int64_t d;
    return around(r, op_opnd(op, 1), base, c) && around(r, op_opnd(op, 2), &other, &d) && *base == other && *c == d;
}

static bool around(const Ring *r, Value *v, Value **base, int64_t *c) {
    int64_t n;
    *base = NULL, *c = 0;
    if (value_size(r->s, v, false) == r->n) return true;
    if (!value_const_int(v, c)) {
        bool fits = true;
        switch (v->def ? v->def->code : OP_CONST) {
        case OP_ADD: case OP_SUB: fits = around_sum(r, v->def, base, c); break;
        case OP_SELECT: fits = around_choice(r, v->def, base, c); break;
        case OP_MOD:
            fits = value_size(r->s, op_opnd(v->def, 1), false) == r->n && around(r, op_opnd(v->def, 0), base, c);
            break;
        default: *base = v;
        }
        if (!fits) return false;
    }
    if (!size_is_const(r->n, &n) || n <= 0) return true;
    *c %= n;
    *c = *c > n / 2 ? *c - n : *c < -n / 2 ? *c + n : *c;
    return true;
}

/* The turn's own index, or (not itself) so far from it */
static bool is_turn(const TimeLoop *t, Value *v, bool itself) {
    int64_t c;
    return offset(v, &c) == t->loop->regs[0]->args[0] && (!itself || !c);
}

/* tape[t, ..]: each turn writes a part of its own, in one step, and no turn reads it. */
static bool writes_own_part(TimeLoop *t, int root, int step, const Op *o) {
    if (!t->by_turn[root]) t->writer[root] = step;
    return o->code == OP_STORE && is_turn(t, op_opnd(o, 2), true) && t->next[root] == root && t->writer[root] == step;
}

static bool has_rows(const TimeLoop *t, int root) {
    for (int i = 0; i < t->naccesses; i++)
        if (t->access[i].root == root) return true;
    return false;
}

/* Of rows that no index of a nest tells */
static bool is_same_row(const TimeLoop *t, const Value *x, const Value *y) {
    return (!x && !y) || (x && y && value_same_int(x, y) && value_is_fixed_in(t->loop->regs[0], x));
}

static bool is_own_index(const TimeStep *s, const Value *v) {
    return v && !v->def && v->region == s->nest->regs[0];
}

/* The row v of n as `from` + *c; *c alone: NULL */
static Value *find_row(TimeLoop *t, const TimeStep *s, Value *v, const Size *n, int64_t *c) {
    Value *from = offset(v, c), *base;
    Ring r = {t->loop->parent->func->module->session, n};
    int64_t d;
    if (!from || is_own_index(s, from) || !around(&r, v, &base, &d) || !is_own_index(s, base)) return from;
    t->ring = n, *c = d;
    return base;
}

/* Where rows go around, all steps go over all rows, and all arrays that are written have as many. */
static bool fits_ring(const TimeLoop *t) {
    Session *session = t->loop->parent->func->module->session;
    for (int i = 0; t->ring && i < t->naccesses; i++) {
        const TimeStep *s = &t->step[t->access[i].step];
        if (s->axis < 0 || value_size(session, op_opnd(s->nest, s->axis), false) != t->ring) return false;
        if (t->root[t->access[i].root]->type->dims[t->dim] != t->ring) return false;
    }
    return true;
}

typedef struct { TimeLoop *t; int step; bool first, ok; } Reading;

static void read_access(void *ctx, Op *o) {
    Reading *r = ctx;
    TimeLoop *t = r->t;
    TimeStep *s = &t->step[r->step];
    if (o->code != OP_LOAD && o->code != OP_STORE) return;
    int at = o->code == OP_STORE;
    const Value *buf = op_opnd(o, at);
    if (buf->region != s->island->regs[0]) return;
    int root = loops_time_root(t, op_opnd(s->island, buf->index));
    int64_t c;
    bool by_turn = t->by_turn[root] || is_turn(t, op_opnd(o, at + 1), false);
    if (by_turn && is_written(t, root)) r->ok &= writes_own_part(t, root, r->step, o) && !has_rows(t, root);
    t->by_turn[root] |= by_turn;
    if (by_turn || !is_written(t, root)) return;
    r->ok &= t->dim < buf->type->rank && t->naccesses < TIME_ACCESSES;
    if (!r->ok) return;
    Value *from = find_row(t, s, op_opnd(o, at + 1 + t->dim), buf->type->dims[t->dim], &c);
    int axis = is_own_index(s, from) ? from->index : -1;
    if (r->first) s->axis = axis, s->from = from, s->base = c;
    r->first = false;
    r->ok &= s->axis == axis && (axis >= 0 || is_same_row(t, s->from, from));
    t->access[t->naccesses++] = (TimeAccess){r->step, root, axis < 0 ? c - s->base : c, o->code == OP_STORE};
}

static bool read_rows(TimeLoop *t) {
    t->naccesses = 0;
    t->ring = NULL;
    memset(t->by_turn, 0, sizeof t->by_turn);
    for (int s = 0; s < t->nsteps; s++) {
        Reading r = {t, s, true, true};
        region_walk(t->step[s].nest->regs[0], read_access, &r);
        if (!r.ok || r.first) return false;
    }
    return fits_ring(t);
}

/* ---- slopes */

/* Whether steps of one period touch elements in common, one of them writing, and how many rows further on the element
 * is from the row of the second than from that of the first */
typedef struct { bool meet; int64_t least, most; } Distance;
typedef struct { Distance of[TIME_STEPS][TIME_STEPS]; int n; } Distances;

static void add_distance(TimeLoop *t, Distance *x, int64_t d) {
    if (!x->meet || d < x->least) x->least = d;
    if (!x->meet || d > x->most) x->most = d;
    x->meet = true;
    if (d > t->reach || -d > t->reach) t->reach = d < 0 ? -d : d;
}

static void find_distances(TimeLoop *t, Distances *all) {
    *all = (Distances){.n = t->period * t->nsteps};
    for (int ka = 0; ka < t->period; ka++)
        for (int kb = 0; kb < t->period; kb++)
            for (int i = 0; i < t->naccesses; i++)
                for (int j = 0; j < t->naccesses; j++) {
                    const TimeAccess *a = &t->access[i], *b = &t->access[j]; /* b's step comes after a's */
                    if (t->slot[ka][a->root] != t->slot[kb][b->root] || (!a->writes && !b->writes)) continue;
                    int from = ka * t->nsteps + a->step, to = kb * t->nsteps + b->step;
                    add_distance(t, &all->of[from][to], b->delta - a->delta);
                }
}

/* One round: every edge moves where the rows its step depends on make it; says whether one did. */
static bool move_edges(const Distances *all, bool left, int64_t *edge, int64_t growth) {
    bool moved = false;
    for (int from = 0; from < all->n; from++)
        for (int to = 0; to < all->n; to++) {
            const Distance *x = &all->of[from][to];
            int64_t need = edge[from] + (left ? -x->least : x->most) - (from < to ? 0 : growth);
            if (x->meet && edge[to] < need) edge[to] = need, moved = true;
        }
    return moved;
}

static bool find_edges(const Distances *all, bool left, int64_t *edge, int64_t *growth) {
    for (*growth = 0; *growth <= MAX_GROWTH; ++*growth) {
        for (int u = 0; u < all->n; u++) edge[u] = 0;
        for (int round = 0; round <= all->n; round++)
            if (!move_edges(all, left, edge, *growth)) return true;
    }
    return false;
}

/* ---- all of it */

static bool has_fixed_rows(const TimeLoop *t) {
    const Region *turn = t->loop->regs[0];
    for (int s = 0; s < t->nsteps; s++)
        if (t->step[s].axis >= 0 && !value_is_fixed_in(turn, op_opnd(t->step[s].nest, t->step[s].axis))) return false;
    return true;
}

bool loops_time_read(TimeLoop *t, Op *loop) {
    Distances all;
    int64_t step;
    *t = (TimeLoop){.loop = loop};
    if (loop->code != OP_FOR || !loop->nres) return false;
    if (!value_const_int(op_opnd(loop, 2), &step) || (step != 1 && step != -1)) return false;
    if (!read_turn(t) || !find_slots(t)) return false;
    t->by = step;
    find_written(t);
    for (t->dim = 0; t->dim < MAX_RANK; t->dim++)
        if (read_rows(t)) break;
    if (t->dim == MAX_RANK || !has_fixed_rows(t)) return false;
    find_distances(t, &all);
    return find_edges(&all, true, t->left, &t->grow_left) && find_edges(&all, false, t->right, &t->grow_right);
}
