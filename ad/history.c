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
#include "ad/history_axes.h"
#include "ad/memory.h"
#include "analysis/lasting.h"
#include "analysis/versions.h"
#include "ir/index.h"
#include "opt/pass.h"

enum { MOST_ACCESSES = 256, FEW = 4 };

/* v, an argument of the region or made in it; or, v NULL, what the loop or branch gives that has it, by its number */
typedef struct { Value *v; Region *of; int number; } Seen;

typedef struct {
    Ad *ad;
    Region *body;     /* of the outermost loop, the root */
    Versions *arrays; /* of each that it carries */
    bool *kept;       /* whose reads are written down */
    bool *known;      /* these, and those of which the loop has at its end whatever is read */
    Map met;          /* regions that have been met */
    VEC(Region *) order;    /* the bodies of the others that read or change what is kept */
    VEC(Op *) islands;      /* that read what is kept */
    VEC(Region *) branches; /* of branches around such reads, one of each */
    Axes axes;
    VEC(Seen) seen;
} Nest;

/* It is made anew for each history. */
static Op *root_of(const Nest *n) { return n->body->owner; }

/* ---- which arrays */

/* What was read is read again, of what the root, or a loop around it, gives. */
static bool lasts(const Nest *n, const Value *v) {
    const Lasting *put = map_get(&n->ad->put, v);
    const Value *carried = put ? put->carried : map_get(&n->ad->lasting, v);
    return carried && region_encloses(carried->region, n->body);
}

/* A read that the reverse may ask for, of what will have been changed; of what is read in loops of the nest itself, all
 * that is. */
static bool is_lost(const Nest *n, const Op *read) {
    return !lasts(n, &read->res[0]) && (read->code != OP_LOAD || is_needed(n->ad, &read->res[0]));
}

static bool is_one(const Size *size) {
    int64_t n;
    return size_is_const(size, &n) && n == 1;
}

static bool is_few(const Size *size) {
    int64_t n;
    return size_is_const(size, &n) && n <= FEW;
}

static bool takes_few_turns(const Op *loop) {
    int64_t n;
    return loop_turns(loop, &n) && n <= FEW;
}

static int long_axes(const Type *t) {
    int n = 0;
    for (int i = 0; i < t->rank; i++) n += !is_few(t->dims[i]);
    return n;
}

/* Of threads in blocks, as one axis of both, the blocks. */
static bool is_long(const Value *index) {
    const Op *owner = index->region->owner, *blocks = op_loop_around(owner, LOOP_BLOCK);
    int64_t n;
    if (owner->code == OP_FOR) return !takes_few_turns(owner);
    if (op_loop(owner) == LOOP_THREAD && blocks && is_long(blocks->regs[0]->args[index->index])) return false;
    return !value_const_int(op_opnd(owner, index->index), &n) || n > FEW;
}

static bool is_around(const Op *op, const Op *read) {
    return op->code == OP_FOR || op->code == OP_IF ||
           (read->code == OP_LOAD && (op->code == OP_PARALLEL || op->code == OP_ISLAND));
}

/* How many long axes a turn of the root has of what the place reads; -1: something else than loops, branches and
 * threads is around it, or it has too many axes. */
static int lengths_of(const Nest *n, const Op *read) {
    const Turns t = turns_around(n->body, read->parent);
    int axes = t.len, lengths = 0;
    for (const Op *o = read->parent->owner; o != root_of(n); o = o->parent->owner)
        if (!is_around(o, read)) return -1;
    if (read->code == OP_SLICE) axes += read->res[0].type->rank, lengths += long_axes(read->res[0].type);
    if (axes > TENSOR_RANK) return -1;
    for (int i = 0; i < t.len; i++) lengths += t.index[i]->region != n->body && is_long(t.index[i]);
    return lengths;
}

typedef struct { Nest *n; bool other; } Threads;

static void find_other(void *ctx, Op *op) {
    Threads *t = ctx;
    switch (op->code) {
    case OP_PARALLEL: case OP_FOR: t->other |= !axes_in_island(&t->n->axes, op->regs[0]->first); return;
    case OP_IF: case OP_REDUCE: case OP_LOAD: case OP_STORE: case OP_CHECK: case OP_YIELD: case OP_PREFETCH: return;
    case OP_ATOMIC: t->other |= op->nres > 0; return;
    default: t->other |= op->nregs || op->nres != 1 || !(op_info(op->code)->traits & TR_ELEM || value_is_fixed(&op->res[0]));
    }
}

/* Threads that compute of what they read alone, in loops of which it is known how often they go around, and do not wait
 * for each other */
static bool is_plain(Nest *n, const Op *island) {
    Threads t = {n, false};
    region_walk(island->regs[0], find_other, &t);
    return !t.other;
}

/* Not so much that a turn of the root would read more than the array has. */
static bool may_be_seen(Nest *n, const Op *read, const Type *array) {
    int lengths = lengths_of(n, read);
    if (lengths < 0 || lengths > long_axes(array)) return false;
    return read->code != OP_LOAD || is_plain(n, op_around(read, OP_ISLAND));
}

/* The threads of an island read as much as the array has. */
static bool reads_whole(const Nest *n, const Op *read, const Type *array) {
    if (read->code != OP_LOAD) return false;
    const Turns t = turns_around(n->body, read->parent);
    int lengths = 0;
    for (int i = turns_around(n->body, op_around(read, OP_ISLAND)->parent).len; i < t.len; i++)
        lengths += is_long(t.index[i]);
    return lengths >= long_axes(array);
}

/* Of what islands read more than once as a whole the array itself is less to keep. */
static bool is_much(const Nest *n, const Versions *v) {
    int whole = 0;
    for (int i = 0; i < v->reads.len; i++) {
        const Op *read = v->reads.data[i];
        whole += is_lost(n, read) && reads_whole(n, read, root_of(n)->res[v->number].type);
    }
    return whole > 1;
}

static void choose_array(Nest *n, int k) {
    Versions *v = &n->arrays[k];
    const Type *t = root_of(n)->res[k].type;
    if (!type_is_tensor(t) || !versions_find(n->ad->arena, root_of(n), k, MOST_ACCESSES, v)) return;
    bool all = true, may = true;
    for (int i = 0; i < v->reads.len; i++) all &= !is_lost(n, v->reads.data[i]);
    for (int i = 0; i < v->reads.len && !all && may; i++)
        may = !is_lost(n, v->reads.data[i]) || may_be_seen(n, v->reads.data[i], t);
    may = may && (all || !is_much(n, v));
    n->known[k] = may, n->kept[k] = may && !all;
}

static int array_of(const Nest *n, const Value *v) {
    for (int k = 0; k < root_of(n)->nres; k++)
        if (n->known[k] && map_has(&n->arrays[k].is, v)) return k;
    return -1;
}

/* ---- which loops */

static void add_island(Nest *n, Op *island) {
    if (map_has(&n->met, island->regs[0])) return;
    map_put(n->ad->arena, &n->met, island->regs[0], island);
    vec_push(n->ad->arena, &n->islands, island);
}

/* What is around the threads of an island, if op stands there */
static void add_loops(Nest *n, const Op *op, bool read) {
    Op *island = op_around(op, OP_ISLAND);
    if (island) add_island(n, island), op = island;
    for (Op *o = op->parent->owner; o != root_of(n); o = o->parent->owner) {
        if ((o->code != OP_FOR && !read) || map_has(&n->met, o->regs[0])) continue;
        map_put(n->ad->arena, &n->met, o->regs[0], o);
        if (o->code == OP_FOR) vec_push(n->ad->arena, &n->order, o->regs[0]);
        else vec_push(n->ad->arena, &n->branches, o->regs[0]);
    }
}

static void find_loops(Nest *n) {
    n->order.len = n->branches.len = n->islands.len = 0, n->met = (Map){0};
    for (int k = 0; k < root_of(n)->nres; k++) {
        const Versions *v = &n->arrays[k];
        for (int i = 0; i < v->reads.len && n->kept[k]; i++) add_loops(n, v->reads.data[i], true);
        for (int i = 0; i < v->writes.len && n->kept[k]; i++) add_loops(n, v->writes.data[i], false);
    }
}

/* What op's region reads or changes of the root is none of these. */
static void leave(Nest *n, const Region *body) {
    for (int k = 0; k < root_of(n)->nres; k++) {
        const Versions *v = &n->arrays[k];
        bool uses = false;
        for (int i = 0; i < v->reads.len; i++) uses |= region_encloses(body, v->reads.data[i]->parent);
        for (int i = 0; i < v->writes.len; i++) uses |= region_encloses(body, v->writes.data[i]->parent);
        if (uses) n->kept[k] = n->known[k] = false;
    }
}

/* The loop, which does not run again, carries another array. */
static bool leave_loop(Nest *n, const Region *body) {
    bool other = false;
    for (int i = 0; i < body->owner->nres; i++)
        other |= type_is_tensor(body->args[1 + i]->type) && array_of(n, body->args[1 + i]) < 0;
    if (other) leave(n, body);
    return other;
}

/* The island, which does not run again, changes another array, or what it computes is not all known. */
static bool leave_island(Nest *n, const Op *island) {
    bool other = !is_plain(n, island);
    for (int i = 0; i < island->nopnds; i++)
        other |= op_attr(island, A_MODES)->ints[i] && array_of(n, op_opnd(island, i)) < 0;
    if (other) leave(n, island->regs[0]);
    return other;
}

static bool find_nest(Nest *n) {
    for (int k = 0; k < root_of(n)->nres; k++) choose_array(n, k);
    for (bool again = true; again;) {
        again = false;
        find_loops(n);
        for (int i = 0; i < n->order.len && !again; i++) again = leave_loop(n, n->order.data[i]);
        for (int i = 0; i < n->islands.len && !again; i++) again = leave_island(n, n->islands.data[i]);
    }
    return n->order.len || n->branches.len || n->islands.len; /* a loop without these has tapes that do as well */
}

/* ---- what is written down */

static void see(Nest *n, Value *v, Region *of, int number) {
    Seen s = {v, of, number};
    vec_push(n->ad->arena, &n->seen, s);
}

/* What a loop or branch gives that would run again for it */
static void see_given(Nest *n, Region *of, int k) {
    Value *given = &of->owner->res[k];
    if (!given->uses || lasts(n, given) || array_of(n, given) >= 0) return;
    if (turns_around(n->body, of->owner->parent).len + given->type->rank > TENSOR_RANK) return;
    for (int i = 0; type_is_tensor(given->type) && i < given->type->rank; i++)
        if (!size_is_known_at(root_of(n), given->type->dims[i])) return;
    see(n, NULL, of, k);
}

/* What a loop in threads carries, and what loops, branches and sums there give, which are not run again */
static void see_in_threads(void *ctx, Op *op) {
    Nest *n = ctx;
    for (int k = 0; op->nregs && k < op->nres && !op_around(op, OP_REDUCE); k++) {
        Value *carried = op->code == OP_FOR ? loop_carried(op, k) : NULL;
        if (carried && carried->uses && !lasts(n, carried)) see(n, carried, op->regs[0], 0);
        if (op->res[k].uses && !lasts(n, &op->res[k])) see(n, &op->res[k], op->parent, 0);
    }
}

static void find_seen(Nest *n) {
    for (int i = 0; i < n->islands.len; i++) region_walk(n->islands.data[i]->regs[0], see_in_threads, n);
    for (int k = 0; k < root_of(n)->nres; k++)
        for (int i = 0; i < n->arrays[k].reads.len && n->kept[k]; i++) {
            Value *v = &n->arrays[k].reads.data[i]->res[0];
            if (is_lost(n, v->def)) see(n, v, v->def->parent, 0);
        }
    for (int i = 0; i < n->branches.len; i++)
        for (int k = 0; k < n->branches.data[i]->owner->nres; k++) see_given(n, n->branches.data[i], k);
    for (int i = 0; i < n->order.len; i++) {
        Region *body = n->order.data[i];
        for (int k = 0; k < body->owner->nres; k++) {
            Value *carried = body->args[1 + k];
            if (!type_is_tensor(carried->type) && carried->uses && !lasts(n, carried)) see(n, carried, body, 0);
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

/* The size of an axis of what is read, which may be known only where it is; then that of the array */
static const Size *axis_size(const Nest *n, const Value *v, int i) {
    const Size *size = v->type->dims[i];
    return size_is_known_at(root_of(n), size) ? size : op_opnd(v->def, 0)->type->dims[i];
}

static const Type *history_type(const Nest *n, const Turns *t, const Value *v) {
    const Size *dims[MAX_RANK];
    int rank = axes_sizes(&n->axes, t, t->len, dims);
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
    for (const Op *o = r->owner; o != root_of(n); o = o->parent->owner) len++;
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
static int find_place(const Nest *n, const Turns *t, Builder *b, Op *island, Value **at) {
    Value *turn[MAX_RANK];
    Builder host = island ? builder_before(island) : *b;
    int outer = island ? turns_around(n->body, island->parent).len : t->len;
    for (int i = 0; i < t->len; i++) {
        const Op *loop = t->index[i]->region->owner;
        turn[i] = loop->code == OP_FOR ? build_turn(i < outer ? &host : b, loop) : t->index[i];
    }
    int len = axes_place(&n->axes, t, &host, outer, turn, at);
    for (int i = outer; i < t->len; i++) at[len++] = turn[i];
    if (!island) *b = host;
    return len;
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
    if (rows == axes_rows(&n->axes)) rows = map_has(n->ad->most, n->body) ? rows_of_loop(n->ad, root_of(n)) : rows;
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
    Region *r = value_region(v), *outer = island_around(r) ? island_around(r)->regs[0] : r; /* its threads see its memory */
    const Turns t = turns_around(n->body, r);
    int len = path_length(n, outer);
    Op **path = NEWN(ad->arena, Op *, len);
    Value **before = NEWN(ad->arena, Value *, len);
    find_path(outer, path, len);
    const char *name = s->v && v->def && !v->def->nregs ? op_opnd(v->def, 0)->name : v->name;
    Builder first = builder_before(root_of(n));
    Value *history = build_empty(&first, history_type(n, &t, v), name);
    history = carry_in(n, path, len, history, before);
    Op *island = island_around(r), *write;
    Builder b = v->def ? builder_after(v->def) : builder_before(r->first);
    int axes = find_place(n, &t, &b, island, at);
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
    if (is_segments(ad, loop) || !find_nest(&n)) return loop;
    for (int i = 0; i < n.order.len; i++)
        if (!axes_known(&n.axes, n.order.data[i]->owner)) return loop;
    axes_find(&n.axes, n.body->args[0]);
    for (int i = 0; i < n.order.len; i++) axes_find(&n.axes, n.order.data[i]->args[0]);
    find_seen(&n);
    for (int i = 0; i < n.order.len; i++) map_put(ad->arena, &ad->inner, n.order.data[i], loop);
    for (int i = 0; i < n.seen.len; i++) write_down(&n, &n.seen.data[i]);
    return root_of(&n);
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
