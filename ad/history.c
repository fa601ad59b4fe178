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

/* Only loops and branches are around op in the nest, and not so many that a turn of the root would read more than the
 * array has. */
static bool may_be_seen(const Nest *n, const Op *op, const Type *array) {
    int axes = 1, lengths = 0;
    for (const Op *o = op->parent->owner; o != root_of(n); o = o->parent->owner) {
        if (o->code != OP_FOR && o->code != OP_IF) return false;
        axes += o->code == OP_FOR, lengths += o->code == OP_FOR && !takes_few_turns(o);
    }
    if (op->code == OP_SLICE) axes += op->res[0].type->rank, lengths += long_axes(op->res[0].type);
    return axes <= TENSOR_RANK && lengths <= long_axes(array);
}

static void choose_array(Nest *n, int k) {
    Versions *v = &n->arrays[k];
    const Type *t = root_of(n)->res[k].type;
    if (!type_is_tensor(t) || !versions_find(n->ad->arena, root_of(n), k, MOST_ACCESSES, v)) return;
    bool all = true, may = true;
    for (int i = 0; i < v->reads.len; i++) all &= lasts(n, &v->reads.data[i]->res[0]);
    for (int i = 0; i < v->reads.len && !all; i++) may &= may_be_seen(n, v->reads.data[i], t);
    n->known[k] = may, n->kept[k] = may && !all;
}

static int array_of(const Nest *n, const Value *v) {
    for (int k = 0; k < root_of(n)->nres; k++)
        if (n->known[k] && map_has(&n->arrays[k].is, v)) return k;
    return -1;
}

/* ---- which loops */

static void add_loops(Nest *n, const Op *op, bool read) {
    const Op *island = op_around(op, OP_ISLAND);
    if (island) op = island; /* a write: its loops are none of the nest */
    for (Op *o = op->parent->owner; o != root_of(n); o = o->parent->owner) {
        if ((o->code != OP_FOR && !read) || map_has(&n->met, o->regs[0])) continue;
        map_put(n->ad->arena, &n->met, o->regs[0], o);
        if (o->code == OP_FOR) vec_push(n->ad->arena, &n->order, o->regs[0]);
        else vec_push(n->ad->arena, &n->branches, o->regs[0]);
    }
}

static void find_loops(Nest *n) {
    n->order.len = n->branches.len = 0, n->met = (Map){0};
    for (int k = 0; k < root_of(n)->nres; k++) {
        const Versions *v = &n->arrays[k];
        for (int i = 0; i < v->reads.len && n->kept[k]; i++) add_loops(n, v->reads.data[i], true);
        for (int i = 0; i < v->writes.len && n->kept[k]; i++) add_loops(n, v->writes.data[i], false);
    }
}

/* The loop, which does not run again, carries another array: then what it carries of the root is none of these. */
static bool leave_loop(Nest *n, const Region *body) {
    bool other = false;
    for (int i = 0; i < body->owner->nres; i++)
        other |= type_is_tensor(body->args[1 + i]->type) && array_of(n, body->args[1 + i]) < 0;
    if (!other) return false;
    for (int k = 0; k < root_of(n)->nres; k++) {
        const Versions *v = &n->arrays[k];
        bool uses = false;
        for (int i = 0; i < v->reads.len; i++) uses |= region_encloses(body, v->reads.data[i]->parent);
        for (int i = 0; i < v->writes.len; i++) uses |= region_encloses(body, v->writes.data[i]->parent);
        if (uses) n->kept[k] = n->known[k] = false;
    }
    return true;
}

static bool find_nest(Nest *n) {
    for (int k = 0; k < root_of(n)->nres; k++) choose_array(n, k);
    for (bool again = true; again;) {
        again = false;
        find_loops(n);
        for (int i = 0; i < n->order.len && !again; i++) again = leave_loop(n, n->order.data[i]);
    }
    return n->order.len || n->branches.len; /* a loop without these has tapes that do as well */
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

static void find_seen(Nest *n) {
    for (int k = 0; k < root_of(n)->nres; k++)
        for (int i = 0; i < n->arrays[k].reads.len && n->kept[k]; i++) {
            Value *v = &n->arrays[k].reads.data[i]->res[0];
            if (!lasts(n, v)) see(n, v, v->def->parent, 0);
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

/* op, a branch, which hands out one more value like `first`, or, a loop, which carries one that begins so */
static Op *with_one_more(Ad *ad, Op *op, Value *first) {
    const Value *old = op->res;
    int n = op->nres;
    Op *made = op->code == OP_FOR ? with_carried(ad, op, first) : with_handed_out(ad, op, first->type);
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

/* The history with v, in this turn */
static Value *put_down(const Axes *axes, const Turns *t, Builder *b, Value *history, Value *v, Value *const *turn) {
    Value *at[MAX_RANK];
    int64_t steps[MAX_RANK];
    const Size *dims[MAX_RANK], *one = size_const(b->module->session, 1);
    int n = axes_place(axes, t, b, t->len, turn, at);
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

/* The operations of the path are made anew, to carry the history to where v is; *turn: of the loops; at: where v is
 * known, if it is an argument of the last of them. */
static Value *carry_in(Nest *n, Op **path, int len, Value *history, Value **before, Value **turn, Builder *at) {
    for (int i = 0; i < len; i++) {
        before[i] = history;
        path[i] = with_one_more(n->ad, path[i], history);
        if (path[i]->code != OP_FOR) continue;
        history = region_add_arg(path[i]->regs[0], history->type, history->name);
        know_history(n, history);
        *at = builder_before(path[i]->regs[0]->first);
        *turn++ = build_turn(at, path[i]);
    }
    return history;
}

/* What has been put down where v is comes back through the path; a branch in which it is not gives what was before. */
static void carry_out(Nest *n, Op **path, int len, Value *history, Value *const *before, const Region *r) {
    for (int i = len - 1; i >= 0; i--) {
        for (int k = 0; k < path[i]->nregs; k++)
            op_add_opnd(region_term(path[i]->regs[k]), path[i]->regs[k] == r ? history : before[i]);
        history = &path[i]->res[path[i]->nres - 1];
        if (i) know_history(n, history);
        r = path[i]->parent;
    }
}

static void note(Nest *n, Value *v, const Op *write, const char *name) {
    Lasting *put = NEW(n->ad->arena, Lasting);
    *put = (Lasting){n->body->args[n->body->nargs - 1], (Op *)(uintptr_t)write};
    map_put(n->ad->arena, &n->ad->put, v, put);
    History *h = NEW(n->ad->arena, History);
    const Size *rows = write->res[0].type->dims[0];
    if (rows == axes_rows(&n->axes)) rows = map_has(n->ad->most, n->body) ? rows_of_loop(n->ad, root_of(n)) : rows;
    h->kept = (Kept){n->body, write->span, name, write->res[0].type, rows, -1, false};
    map_put(n->ad->arena, &n->ad->histories, v, h);
}

static void write_down(Nest *n, const Seen *s) {
    Ad *ad = n->ad;
    Value *v = s->v ? s->v : &s->of->owner->res[s->number];
    Region *r = value_region(v);
    const Turns t = turns_around(n->body, r);
    int len = path_length(n, r);
    Op **path = NEWN(ad->arena, Op *, len);
    Value **before = NEWN(ad->arena, Value *, len), *turn[MAX_RANK];
    find_path(r, path, len);
    const char *name = s->v && v->def ? op_opnd(v->def, 0)->name : v->name;
    Builder b = builder_before(root_of(n)), at;
    Value *history = build_empty(&b, history_type(n, &t, v), name);
    history = carry_in(n, path, len, history, before, turn, &at);
    if (v->def) at = builder_after(v->def);
    history = know_history(n, put_down(&n->axes, &t, &at, history, v, turn));
    carry_out(n, path, len, history, before, r);
    note(n, v, history->def, name);
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
    axes_find(&n.axes, n.body);
    for (int i = 0; i < n.order.len; i++) axes_find(&n.axes, n.order.data[i]);
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
