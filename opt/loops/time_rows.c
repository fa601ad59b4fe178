/* Nests over the first and the last row at once become one for each row.
 *
 * What a boundary does, `for j { a[0, j] = a[1, j]; a[n - 1, j] = a[n - 2, j] }`, has no row of its own, as time-tile
 * asks of the steps of a turn; of `for j { a[0, j] = a[1, j] }; for j { .. }` each has.  An iteration touches elements
 * of its own alone, at its own indices in the same places, so all may do their first part before any does the second.
 * Loop distribution: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, section 5.2. */
#include "opt/dead.h"
#include "opt/loops/time.h"

enum { MOST = 8 };

/* All indices of the nest stand in the access, the k-th at[k] places behind its first. */
static bool find_places(const Op *nest, const Op *access, int *at) {
    const Region *body = nest->regs[0];
    int first = access->code == OP_STORE ? 2 : 1;
    for (int k = 0; k < body->nargs; k++) {
        at[k] = -1;
        for (int i = first; i < op_index_end(access) && at[k] < 0; i++)
            if (op_opnd(access, i) == body->args[k]) at[k] = i - first;
        if (at[k] < 0) return false;
    }
    return true;
}

/* Each iteration has elements of its own of what the nest writes. */
static bool owns_elements(const Op *nest, const Value *buf) {
    int place[MAX_RANK], at[MAX_RANK];
    bool first = true;
    for (const Use *u = buf->uses; u; u = u->next) {
        if (u->user->parent != nest->regs[0]) continue;
        if (!find_places(nest, u->user, first ? place : at)) return false;
        for (int k = 0; k < nest->nopnds && !first; k++)
            if (at[k] != place[k]) return false;
        first = false;
    }
    return true;
}

static int find_stores(Op *nest, Op **stores) {
    int n = 0;
    for (Op *o = nest->regs[0]->first; o != region_term(nest->regs[0]); o = o->next) {
        if (o->code == OP_STORE && n < MOST) stores[n++] = o;
        else if (o->code != OP_LOAD && (!op_is_pure(o) || o->nregs)) return 0;
    }
    return n;
}

typedef struct { Arena *arena; Map values; } Seen;

/* What v is made of is read behind `store`; values that were seen are. */
static bool is_read_behind(Seen *seen, const Op *store, const Value *v) {
    if (!v->def || v->def->parent != store->parent || map_has(&seen->values, v)) return true;
    if (v->def->code == OP_LOAD && v->def->order < store->order) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!is_read_behind(seen, store, op_opnd(v->def, i))) return false;
    map_put(seen->arena, &seen->values, v, seen);
    return true;
}

static bool reads_behind(const Op *store, const Op *op) {
    Seen seen = {.arena = arena_new()};
    bool all = true;
    for (int i = 0; all && i < op->nopnds; i++) all = is_read_behind(&seen, store, op_opnd(op, i));
    arena_free(seen.arena);
    return all;
}

static bool may_split(const Op *nest, Op *const *stores, int n) {
    for (int k = 0; k < n; k++)
        if (!owns_elements(nest, op_opnd(stores[k], 1)) || (k && !reads_behind(stores[k - 1], stores[k]))) return false;
    return n > 1;
}

/* Leaves in the nest what the k-th store needs. */
static void keep_store(Op *nest, int keep) {
    int k = 0;
    for (Op *o = nest->regs[0]->first, *next; o != region_term(nest->regs[0]); o = next) {
        next = o->next;
        if (o->code == OP_STORE && k++ != keep) op_erase(o);
    }
    dead_in_region(nest->regs[0]);
}

/* A nest becomes one for each of its stores, if really; whether it may */
static bool split(Op *nest, bool really) {
    Op *stores[MOST];
    int n = find_stores(nest, stores);
    if (!may_split(nest, stores, n)) return false;
    Builder b = builder_before(nest);
    for (int k = 0; really && k + 1 < n; k++) {
        Cloner c = {.module = b.module};
        keep_store(clone_op(&c, &b, nest), k);
    }
    if (really) keep_store(nest, n - 1);
    return true;
}

static bool split_nests(Op *loop, bool really) {
    bool any = false;
    for (Op *o = loop->regs[0]->first; o; o = o->next) {
        if (o->code != OP_ISLAND) continue;
        for (Op *nest = o->regs[0]->first; nest; nest = nest->next)
            if (loops_is_plain(nest)) any |= split(nest, really);
    }
    return any;
}

Op *loops_time_split(Op *loop) {
    if (!split_nests(loop, false)) return NULL;
    Builder b = builder_before(loop);
    Cloner c = {.module = b.module};
    Op *copy = clone_op(&c, &b, loop);
    op_rename_sizes(copy);
    split_nests(copy, true);
    return copy;
}
