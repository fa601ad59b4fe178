/* Histories: what a nest of loops reads of arrays that it changes is written down, an element for each turn.
 *
 * A loop in a loop runs again to be reversed, from the arrays as they were: each turn of the outer loop would keep them
 * whole, and an elimination of n rows n matrices.  So before a nest is reversed each place in it that reads such an
 * array puts what it has read into an array of its own, with an axis for each loop around, as one would do by hand:
 * `seen[k, i] = u[i, k]`.  What is put there stays there (analysis/lasting.h), so the reverse reads it there and no
 * loop runs again; so it is with numbers that the inner loops carry or give.  Whose history the reverse does not ask
 * for, is not written: what loops carry for themselves alone goes (opt/dead.h).
 *
 * Not where a turn reads more than the arrays have: loops around a sweep keep the array, and the sweep runs again. */
#include "ad/history.h"

#include "ad/checkpoint.h"
#include "ad/history_nest.h"
#include "ad/memory.h"
#include "analysis/lasting.h"
#include "ir/index.h"
#include "opt/pass.h"

/* ---- what is written down */

static void see(Nest *n, Value *v, Region *of, int number) {
    Seen s = {v, of, number};
    vec_push(n->ad->arena, &n->seen, s);
}

/* What a loop or branch gives that would run again for it */
static void see_given(Nest *n, Region *of, int k) {
    Value *given = &of->owner->res[k];
    if (!given->uses || nest_lasts(n, given) || nest_array_of(n, given) >= 0) return;
    if (turns_around(n->body, of->owner->parent).len + given->type->rank > TENSOR_RANK) return;
    for (int i = 0; type_is_tensor(given->type) && i < given->type->rank; i++)
        if (!size_is_known_at(nest_root(n), given->type->dims[i])) return;
    see(n, NULL, of, k);
}

/* What a loop in threads carries, and what loops, branches and sums there give, which are not run again */
static void see_in_threads(void *ctx, Op *op) {
    Nest *n = ctx;
    for (int k = 0; op->nregs && k < op->nres && !op_around(op, OP_REDUCE); k++) {
        Value *carried = op->code == OP_FOR ? loop_carried(op, k) : NULL;
        if (carried && carried->uses && !nest_lasts(n, carried)) see(n, carried, op->regs[0], 0);
        if (op->res[k].uses && !nest_lasts(n, &op->res[k])) see(n, &op->res[k], op->parent, 0);
    }
}

static void find_seen(Nest *n) {
    for (int i = 0; i < n->islands.len; i++) region_walk(n->islands.data[i]->regs[0], see_in_threads, n);
    for (int k = 0; k < nest_root(n)->nres; k++)
        for (int i = 0; i < n->arrays[k].reads.len && n->kept[k]; i++) {
            Value *v = &n->arrays[k].reads.data[i]->res[0];
            if (nest_is_lost(n, v->def)) see(n, v, v->def->parent, 0);
        }
    for (int i = 0; i < n->branches.len; i++)
        for (int k = 0; k < n->branches.data[i]->owner->nres; k++) see_given(n, n->branches.data[i], k);
    for (int i = 0; i < n->order.len; i++) {
        Region *body = n->order.data[i];
        for (int k = 0; k < body->owner->nres; k++) {
            Value *carried = body->args[1 + k];
            if (!type_is_tensor(carried->type) && carried->uses && !nest_lasts(n, carried)) see(n, carried, body, 0);
            see_given(n, body, k);
        }
    }
}

/* What is known of op's results is so of those of what took its place. */
static void know_results(Ad *ad, const Value *old, const Op *made, int nres) {
    Map *maps[] = {&ad->lasting, &ad->put, &ad->histories};
    for (int i = 0; i < nres; i++)
        for (int k = 0; k < 3; k++)
            if (map_has(maps[k], &old[i])) map_put(ad->arena, maps[k], &made->res[i], map_get(maps[k], &old[i]));
}

/* op, a branch, which hands out one more value like `first`, or, a loop, which carries one that begins so, or, an
 * island, which writes into it */
static Op *with_one_more(Ad *ad, Op *op, Value *first) {
    const Value *old = op->res;
    const int64_t inout = 2;
    int n = op->nres;
    Op *made = op->code == OP_FOR      ? with_carried(ad, op, first)
               : op->code == OP_ISLAND ? with_operands(ad, op, 1, &first, &inout)
                                       : with_handed_out(ad, op, first->type);
    know_results(ad, old, made, n);
    for (int i = 0; i < ad->revolved.len; i++)
        if (ad->revolved.data[i].values == op) ad->revolved.data[i].values = made;
    return made;
}

static bool is_one(const Size *size) {
    int64_t n;
    return size_is_const(size, &n) && n == 1;
}

/* The size of an axis of what is read, which may be known only where it is; then that of the array */
static const Size *axis_size(const Nest *n, const Value *v, int i) {
    const Size *size = v->type->dims[i];
    return size_is_known_at(nest_root(n), size) ? size : op_opnd(v->def, 0)->type->dims[i];
}

/* outer: how many of the loops are around the island that v is in */
static const Type *history_type(const Nest *n, const Turns *t, int outer, const Value *v) {
    const Size *dims[MAX_RANK], *own[MAX_RANK];
    int rank = axes_sizes(&n->axes, t, outer, dims);
    const Layout l = axes_of_threads(&n->axes, t, outer, own);
    layout_sizes(n->ad->module->session, &l, own, dims + rank);
    rank += l.n;
    for (int i = 0; i < v->type->rank; i++)
        if (!is_one(v->type->dims[i])) dims[rank++] = axis_size(n, v, i);
    return type_tensor(n->ad->module->session, v->type->dtype, rank, dims);
}

/* v goes into the history, at this place and, if it is an array, behind it all of v. */
static Value *put_down(Builder *b, Value *history, Value *v, int n, Value **at) {
    int64_t steps[MAX_RANK];
    const Size *dims[MAX_RANK], *one = size_const(b->module->session, 1);
    if (!type_is_tensor(v->type)) return insert_safe(b, history, v, n, at);
    for (int i = 0; i < n; i++) dims[i] = one, steps[i] = 1;
    for (int i = 0; i < v->type->rank; i++)
        if (!is_one(v->type->dims[i])) at[n] = build_int(b, 0), steps[n] = 1, dims[n++] = v->type->dims[i];
    const Type *row = type_tensor(b->module->session, v->type->dtype, n, dims);
    return update_safe(b, history, build_reshaped(b, v, row), at, steps);
}

/* The operations around r in the root, and the root, which is the first */
static int path_length(const Nest *n, const Region *r) {
    int len = 1;
    for (const Op *o = r->owner; o != nest_root(n); o = o->parent->owner) len++;
    return len;
}

static void find_path(const Region *r, Op **path, int len) {
    for (Op *o = r->owner; len; o = o->parent->owner) path[--len] = o;
}

/* A value that is the history: the root has at its end all that is read of it. */
static Value *know_history(Nest *n, Value *history) {
    map_put(n->ad->arena, &n->ad->lasting, history, n->body->args[n->body->nargs - 1]);
    return history;
}

/* The operations of the path are made anew, to carry the history to where v is: as it is there */
static Value *carry_in(Nest *n, Op **path, int len, Value *history, Value **before) {
    for (int i = 0; i < len; i++) {
        before[i] = history;
        path[i] = with_one_more(n->ad, path[i], history);
        if (path[i]->code == OP_ISLAND) return region_add_buf(path[i]->regs[0], history->type, history->name);
        if (path[i]->code != OP_FOR) continue;
        history = region_add_arg(path[i]->regs[0], history->type, history->name);
        know_history(n, history);
    }
    return history;
}

/* Where the history has v: its place, in turns of the loops, is computed at b, and in an island before it. */
static int find_place(const Nest *n, const Turns *t, int outer, Builder *b, Op *island, Value **at) {
    Value *turn[MAX_RANK];
    const Size *own[MAX_RANK];
    const Layout l = axes_of_threads(&n->axes, t, outer, own);
    Builder host = island ? builder_before(island) : *b;
    for (int i = 0; i < t->len; i++) {
        const Op *loop = t->index[i]->region->owner;
        turn[i] = loop->code == OP_FOR ? build_turn(i < outer ? &host : b, loop) : t->index[i];
    }
    int len = axes_place(&n->axes, t, &host, outer, turn, at);
    if (!island) *b = host;
    layout_places(b, &l, own, turn + outer, at + len);
    return len + l.n;
}

/* What has been put down where v is comes back through the path; a branch in which it is not gives what was before. */
static void carry_out(Nest *n, Op **path, int len, Value *history, Value *const *before, const Region *r) {
    for (int i = len - 1; i >= 0; i--) {
        for (int k = 0; k < path[i]->nregs && path[i]->code != OP_ISLAND; k++)
            op_add_opnd(region_term(path[i]->regs[k]), path[i]->regs[k] == r ? history : before[i]);
        history = &path[i]->res[path[i]->nres - 1];
        if (i) know_history(n, history);
        r = path[i]->parent;
    }
}

static void note(Nest *n, Value *v, Op *write, const char *name) {
    Lasting *put = NEW(n->ad->arena, Lasting);
    *put = (Lasting){n->body->args[n->body->nargs - 1], write};
    map_put(n->ad->arena, &n->ad->put, v, put);
    History *h = NEW(n->ad->arena, History);
    const Type *t = op_opnd(write, write->code == OP_STORE)->type;
    const Size *rows = t->dims[0];
    if (rows == axes_rows(&n->axes)) rows = map_has(n->ad->most, n->body) ? rows_of_loop(n->ad, nest_root(n)) : rows;
    h->kept = (Kept){n->body, write->span, name, t, rows, -1, .end = false};
    h->write = write;
    map_put(n->ad->arena, &n->ad->histories, v, h);
    if (write->code == OP_STORE) vec_push(n->ad->arena, &n->ad->in_islands, h);
}

static Op *island_around(const Region *r) {
    return r->owner->code == OP_ISLAND ? r->owner : op_around(r->owner, OP_ISLAND);
}

static void write_down(Nest *n, const Seen *s) {
    Ad *ad = n->ad;
    Value *v = s->v ? s->v : &s->of->owner->res[s->number], *at[MAX_RANK];
    Region *r = value_region(v), *outer = island_around(r) ? island_around(r)->regs[0] : r; /* threads see its memory */
    const Turns t = turns_around(n->body, r);
    int len = path_length(n, outer),
        loops = island_around(r) ? turns_around(n->body, island_around(r)->parent).len : t.len;
    Op **path = NEWN(ad->arena, Op *, len);
    Value **before = NEWN(ad->arena, Value *, len);
    find_path(outer, path, len);
    const char *name = s->v && v->def && !v->def->nregs ? op_opnd(v->def, 0)->name : v->name;
    Builder first = builder_before(nest_root(n));
    Value *history = build_empty(&first, history_type(n, &t, loops, v), name);
    history = carry_in(n, path, len, history, before);
    Op *island = island_around(r), *write;
    Builder b = v->def ? builder_after(v->def) : builder_before(r->first);
    int axes = find_place(n, &t, loops, &b, island, at);
    if (island) write = store_safe(&b, v, history, axes, at);
    else write = know_history(n, put_down(&b, history, v, axes, at))->def;
    carry_out(n, path, len, island ? NULL : &write->res[0], before, outer);
    note(n, v, write, name);
}

static bool is_segments(const Ad *ad, const Op *loop) {
    if (!map_has(ad->most, loop->regs[0])) return false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        if (o->code == OP_FOR && map_has(ad->most, o->regs[0])) return true;
    return false;
}

/* Gives the loop, which may have been made anew */
static Op *keep_nest(Ad *ad, Op *loop) {
    Nest n = {.ad = ad, .body = loop->regs[0], .axes = {.ad = ad, .body = loop->regs[0]}};
    n.arrays = NEWN(ad->arena, Versions, loop->nres + 1);
    n.kept = NEWN(ad->arena, bool, loop->nres + 1), n.known = NEWN(ad->arena, bool, loop->nres + 1);
    if (is_segments(ad, loop) || !nest_find(&n)) return loop;
    for (int i = 0; i < n.order.len; i++)
        if (!axes_known(&n.axes, n.order.data[i]->owner)) return loop;
    axes_find(&n.axes, n.body->args[0]);
    for (int i = 0; i < n.order.len; i++) axes_find(&n.axes, n.order.data[i]->args[0]);
    find_seen(&n);
    for (int i = 0; i < n.order.len; i++) map_put(ad->arena, &ad->inner, n.order.data[i], loop);
    for (int i = 0; i < n.seen.len; i++) write_down(&n, &n.seen.data[i]);
    return nest_root(&n);
}

/* It is not reversed: calls are, in its place. */
static bool is_for_values(const Ad *ad, const Op *op) {
    for (int i = 0; i < ad->revolved.len; i++)
        if (ad->revolved.data[i].values == op) return true;
    return false;
}

void keep_histories(Ad *ad, Region *r) {
    if (ad->opts && ad->opts->ranks) return; /* processes have their own order of axes */
    for (Op *op = r->first; op; op = op->next) {
        if (is_for_values(ad, op)) continue;
        if (op->code == OP_FOR) op = keep_nest(ad, op);
        bool goes_on = op->code == OP_FOR || op->code == OP_WHILE || op->code == OP_IF || op->code == OP_SPAWN;
        for (int i = 0; goes_on && i < op->nregs; i++) keep_histories(ad, op->regs[i]);
    }
}

void drop_histories(Ad *ad) {
    for (int i = 0; i < ad->in_islands.len; i++)
        if (!ad->in_islands.data[i]->told) op_erase(ad->in_islands.data[i]->write);
}
