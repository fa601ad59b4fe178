/* Histories: what a nest of loops reads of arrays that it changes is written down, an element for each turn.
 *
 * A loop in a loop runs again to be reversed, from the arrays as they were: each turn of the outer loop would keep them
 * whole, and an elimination of n rows n matrices.  So before a nest is reversed each place in it that reads such an
 * array puts what it has read into an array of its own, with an axis for each loop around, as one would do by hand:
 * `seen[k, i] = u[i, k]`.  What is put there stays there (analysis/lasting.h), so the reverse reads it there and no
 * loop runs again; so it is with numbers that the inner loops carry or give.  Whose history the reverse does not ask
 * for, is not written: what loops carry for themselves alone goes (opt/dead.h).
 *
 * A loop whose turns are others in each turn of the loops around it, but by sums of their indices, as in a triangle,
 * has as long an axis as it takes turns at most; what is beyond is never touched.  Others, as those along the rows of a
 * sparse matrix, share an axis with the loops around: counted before the nest is where the turns of each begin there.
 *
 * Not where a turn reads more than the arrays have: loops around a sweep keep the array, and the sweep runs again. */
#include "ad/history.h"

#include "ad/checkpoint.h"
#include "analysis/lasting.h"
#include "analysis/versions.h"
#include "ir/index.h"
#include "opt/pass.h"

enum { MOST_ACCESSES = 256, FEW = 4 };

/* v, an argument of the region or made in it; or, v NULL, what the loop or branch gives that has it, by its number */
typedef struct { Value *v; Region *of; int number; } Seen;

/* first: where on it the turns begin that the loop takes in a turn of the loops around, which have no axes of their own
 * then; NULL: they have */
typedef struct { const Size *size; Value *first; } Axis;

typedef struct {
    Ad *ad;
    Op *root;         /* the outermost loop */
    Region *body;     /* its own */
    Versions *arrays; /* of each that it carries */
    bool *kept;       /* whose reads are written down */
    bool *known;      /* these, and those of which the loop has at its end whatever is read */
    Map met;          /* regions that have been met */
    VEC(Region *) order;    /* the bodies of the others that read or change what is kept */
    VEC(Region *) branches; /* of branches around such reads, one of each */
    Map axes;         /* body -> the Axis of its loop */
    VEC(Seen) seen;
} Nest;

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
    for (const Op *o = op->parent->owner; o != n->root; o = o->parent->owner) {
        if (o->code != OP_FOR && o->code != OP_IF) return false;
        axes += o->code == OP_FOR, lengths += o->code == OP_FOR && !takes_few_turns(o);
    }
    if (op->code == OP_SLICE) axes += op->res[0].type->rank, lengths += long_axes(op->res[0].type);
    return axes <= MAX_RANK && lengths <= long_axes(array);
}

static void choose_array(Nest *n, int k) {
    Versions *v = &n->arrays[k];
    const Type *t = n->root->res[k].type;
    if (!type_is_tensor(t) || !versions_find(n->ad->arena, n->root, k, MOST_ACCESSES, v)) return;
    bool all = true, may = true;
    for (int i = 0; i < v->reads.len; i++) all &= lasts(n, &v->reads.data[i]->res[0]);
    for (int i = 0; i < v->reads.len && !all; i++) may &= may_be_seen(n, v->reads.data[i], t);
    n->known[k] = may, n->kept[k] = may && !all;
}

static int array_of(const Nest *n, const Value *v) {
    for (int k = 0; k < n->root->nres; k++)
        if (n->known[k] && map_has(&n->arrays[k].is, v)) return k;
    return -1;
}

/* ---- which loops */

static void add_loops(Nest *n, const Op *op, bool read) {
    for (Op *o = op->parent->owner; o != n->root; o = o->parent->owner) {
        if ((o->code != OP_FOR && !read) || map_has(&n->met, o->regs[0])) continue;
        map_put(n->ad->arena, &n->met, o->regs[0], o);
        if (o->code == OP_FOR) vec_push(n->ad->arena, &n->order, o->regs[0]);
        else vec_push(n->ad->arena, &n->branches, o->regs[0]);
    }
}

static void find_loops(Nest *n) {
    n->order.len = n->branches.len = 0, n->met = (Map){0};
    for (int k = 0; k < n->root->nres; k++) {
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
    for (int k = 0; k < n->root->nres; k++) {
        const Versions *v = &n->arrays[k];
        bool uses = false;
        for (int i = 0; i < v->reads.len; i++) uses |= region_encloses(body, v->reads.data[i]->parent);
        for (int i = 0; i < v->writes.len; i++) uses |= region_encloses(body, v->writes.data[i]->parent);
        if (uses) n->kept[k] = n->known[k] = false;
    }
    return true;
}

static bool find_nest(Nest *n) {
    for (int k = 0; k < n->root->nres; k++) choose_array(n, k);
    for (bool again = true; again;) {
        again = false;
        find_loops(n);
        for (int i = 0; i < n->order.len && !again; i++) again = leave_loop(n, n->order.data[i]);
    }
    return n->order.len || n->branches.len; /* a loop without these has tapes that do as well */
}

/* ---- how many turns */

/* v is computed of indices of loops in the nest, and of what stands before it, by what cannot fail there. */
static bool is_known(const Nest *n, const Value *v, bool always) {
    if (value_dominates(v, n->root)) return true;
    if (!v->def) return v->region->owner->code == OP_FOR && loop_number(v) < 0;
    const Op *op = v->def;
    if (op->nregs || !(op_is_speculatable(op) || (always && op_is_pure(op)))) return false;
    if (op->code == OP_SIZE && !size_is_known_at(n->root, op_attr(op, A_SIZE)->sizes[0])) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_known(n, op_opnd(op, i), always)) return false;
    return true;
}

static bool has_known_turns(const Nest *n, const Op *loop) {
    bool always = true;
    int depth = 2;
    for (const Op *o = loop->parent->owner; o != n->root; o = o->parent->owner)
        if (o->code == OP_FOR) depth++;
        else always = false;
    if (depth > MAX_RANK) return false;
    for (int i = 0; i < 3; i++)
        if (loop != n->root && !is_known(n, op_opnd(loop, i), always)) return false;
    return true;
}

/* The bodies of the loops of the nest around a place, outermost first */
typedef struct { Nest *n; Region *around[MAX_RANK]; int len; } Turns;

static Turns turns_around(Nest *n, const Region *r) {
    Turns t = {.n = n};
    int at = 0;
    for (const Op *o = r->owner; o != n->root; o = o->parent->owner) at += o->code == OP_FOR;
    t.len = at + 1;
    for (const Op *o = r->owner; at >= 0; o = o->parent->owner)
        if (o->code == OP_FOR) t.around[at--] = o->regs[0];
    return t;
}

static const Axis *axis_of(const Turns *t, int i) { return map_get(&t->n->axes, t->around[i]); }

/* The axes of the first of these loops: how many */
static int sizes_of(const Turns *t, int loops, const Size **dims) {
    int rank = 0;
    for (int i = 0; i < loops; i++) {
        const Axis *a = axis_of(t, i);
        if (a->first) rank = 0;
        dims[rank++] = a->size;
    }
    return rank;
}

/* Where on them these turns are */
static int place_of(const Turns *t, Builder *b, int loops, Value *const *turn, Value **at) {
    int rank = 0;
    for (int i = 0; i < loops; i++) {
        const Axis *a = axis_of(t, i);
        if (!a->first) {
            at[rank++] = turn[i];
            continue;
        }
        at[0] = index_add(b, extract_safe(b, a->first, rank, at), turn[i]);
        rank = 1;
    }
    return rank;
}

/* The greatest that v, the number of turns of the last loop, is in the turns of the loops around: in their first or
 * last turns, if it is linear in their indices.  NULL: it is not */
static Value *greatest(const Turns *t, Value *v) {
    for (int i = t->len - 2; v && i >= 0; i--) {
        Op *loop = t->around[i]->owner;
        int64_t step;
        if (!value_const_int(op_opnd(loop, 2), &step) || (step != 1 && step != -1)) return NULL;
        Builder b = builder_before(loop);
        IndexLinear x = index_linear(&b, loop->regs[0], loop->regs[0]->args[0], v);
        Value *last = index_sub(&b, op_opnd(loop, 1), build_int(&b, step));
        Value *end = (x.coef > 0) == (step > 0) ? last : op_opnd(loop, 0);
        if (!x.rest) x.rest = build_int(&b, 0);
        v = !x.ok ? NULL : x.coef ? index_add(&b, x.rest, index_mul(&b, end, build_int(&b, x.coef))) : x.rest;
    }
    return v;
}

/* In turns of the loops before the k-th, which are known: carried[0], how many turns of the last loop came before, goes
 * into carried[1], where they begin. */
static void count_turns(const Turns *t, Builder *b, const Cloner *before, int k, Value **turn, Value **carried) {
    const Op *loop = t->around[k]->owner;
    const Region *r = t->n->body;
    Cloner c = {.module = b->module};
    Value *at[MAX_RANK];
    for (int i = 0; i < k; i++) {
        const Value *iv = t->around[i]->args[0];
        map_put(b->module->arena, &c.values, iv, map_get(&before->values, iv));
    }
    Value *lo = clone_slice(&c, b, r, op_opnd(loop, 0)), *step = clone_slice(&c, b, r, op_opnd(loop, 2));
    Value *count = build_count(b, lo, clone_slice(&c, b, r, op_opnd(loop, 1)), step);
    if (k == t->len - 1) {
        int rank = place_of(t, b, k, turn, at);
        carried[1] = insert_safe(b, carried[1], carried[0], rank, at);
        carried[0] = index_add(b, carried[0], count);
        return;
    }
    Op *all = build_for(b, build_int(b, 0), count, build_int(b, 1), 2, carried);
    Region *body = all->regs[0];
    Builder in = builder_at_end(b->module, body, b->span);
    turn[k] = body->args[0];
    map_put(b->module->arena, &c.values, loop->regs[0]->args[0], index_add(&in, lo, index_mul(&in, turn[k], step)));
    Value *inner[] = {body->args[1], body->args[2]};
    count_turns(t, &in, &c, k + 1, turn, inner);
    build_yield(&in, 2, inner);
    for (int i = 0; i < 2; i++) carried[i] = &all->res[i];
}

/* A size that is v, or 0 */
static const Size *size_of(Nest *n, Builder *b, Value *v) {
    Session *s = n->ad->module->session;
    const Size *size = value_size(s, v, false);
    if (size && size_is_known_at(n->root, size))
        return size_is_natural(s, size) ? size : size_max(s, size, size_const(s, 0));
    const char *sym = module_fresh_sym(n->ad->module, "turns");
    build_bind(b, build_binary(b, OP_MAX, v, build_int(b, 0)), sym);
    vec_push(n->ad->arena, &n->ad->extents, sym);
    return size_sym(s, sym);
}

static Value *linear_count(const Turns *t) {
    Op *loop = t->around[t->len - 1]->owner;
    Builder in = builder_before(loop);
    Value *lo = op_opnd(loop, 0), *hi = op_opnd(loop, 1);
    if (value_is_const_int(op_opnd(loop, 2), 1)) return greatest(t, index_sub(&in, hi, lo));
    return value_is_const_int(op_opnd(loop, 2), -1) ? greatest(t, index_sub(&in, lo, hi)) : NULL;
}

static Axis shared_axis(const Turns *t, Builder *b) {
    const Size *dims[MAX_RANK];
    Value *turn[MAX_RANK];
    Cloner none = {.module = b->module};
    if (t->len == 1) {
        Op *loop = t->n->root;
        return (Axis){size_of(t->n, b, build_count(b, op_opnd(loop, 0), op_opnd(loop, 1), op_opnd(loop, 2))), NULL};
    }
    int rank = sizes_of(t, t->len - 1, dims);
    const Type *firsts = type_tensor(b->module->session, DT_I64, rank, dims);
    Value *carried[] = {build_int(b, 0), build_empty(b, firsts, NULL)};
    count_turns(t, b, &none, 0, turn, carried);
    return (Axis){size_of(t->n, b, carried[0]), carried[1]};
}

/* Of the loops around, too, which come first */
static void find_axis(Nest *n, Region *body) {
    if (map_has(&n->axes, body)) return;
    Turns t = turns_around(n, body);
    for (int i = 0; i < t.len - 1; i++) find_axis(n, t.around[i]);
    Builder b = builder_before(n->root);
    Axis *a = NEW(n->ad->arena, Axis);
    Value *most = linear_count(&t);
    *a = most ? (Axis){size_of(n, &b, most), NULL} : shared_axis(&t, &b);
    map_put(n->ad->arena, &n->axes, body, a);
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
    for (int i = 0; type_is_tensor(given->type) && i < given->type->rank; i++)
        if (!size_is_known_at(n->root, given->type->dims[i])) return;
    see(n, NULL, of, k);
}

static void find_seen(Nest *n) {
    for (int k = 0; k < n->root->nres; k++)
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

/* op, a branch, which hands out one more value of type t, or, a loop, which carries one, of what it begins with */
static Op *with_one_more(Ad *ad, Op *op, Value *first) {
    const Value *old = op->res;
    int n = op->nres;
    Op *made;
    if (op->code == OP_FOR) made = with_carried(ad, op, first);
    else {
        const Type **types = NEWN(ad->arena, const Type *, n + 1);
        Value *cond = op_opnd(op, 0);
        for (int i = 0; i < n; i++) types[i] = op->res[i].type;
        types[n] = first->type;
        made = op_rebuild(op, 1, &cond, n + 1, types);
        active_replace(ad, op, made);
    }
    know_results(ad, old, made, n);
    for (int i = 0; i < ad->revolved.len; i++)
        if (ad->revolved.data[i].values == op) ad->revolved.data[i].values = made;
    return made;
}

/* The size of an axis of what is read, which may be known only where it is; then that of the array */
static const Size *axis_size(const Nest *n, const Value *v, int i) {
    const Size *size = v->type->dims[i];
    return size_is_known_at(n->root, size) ? size : op_opnd(v->def, 0)->type->dims[i];
}

static const Type *history_type(const Turns *t, const Value *v) {
    const Size *dims[MAX_RANK];
    int rank = sizes_of(t, t->len, dims);
    for (int i = 0; i < v->type->rank; i++)
        if (!is_one(v->type->dims[i])) dims[rank++] = axis_size(t->n, v, i);
    return type_tensor(t->n->ad->module->session, v->type->dtype, rank, dims);
}

/* The history with v, in this turn */
static Value *put_down(const Turns *t, Builder *b, Value *history, Value *v, Value *const *turn) {
    Value *at[MAX_RANK];
    int64_t steps[MAX_RANK];
    const Size *dims[MAX_RANK], *one = size_const(b->module->session, 1);
    int n = place_of(t, b, t->len, turn, at);
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
    for (const Op *o = r->owner; o != n->root; o = o->parent->owner) len++;
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
        bool root = path[i] == n->root;
        before[i] = history;
        path[i] = with_one_more(n->ad, path[i], history);
        if (root) n->root = path[i];
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
    const Axis *root = map_get(&n->axes, n->body);
    const Size *rows = write->res[0].type->dims[0];
    if (rows == root->size) rows = map_has(n->ad->most, n->body) ? rows_of_loop(n->ad, n->root) : rows;
    h->kept = (Kept){n->body, write->span, name, write->res[0].type, rows, -1, false};
    map_put(n->ad->arena, &n->ad->histories, v, h);
}

static void write_down(Nest *n, const Seen *s) {
    Ad *ad = n->ad;
    Value *v = s->v ? s->v : &s->of->owner->res[s->number];
    Region *r = value_region(v);
    const Turns t = turns_around(n, r);
    int len = path_length(n, r);
    Op **path = NEWN(ad->arena, Op *, len);
    Value **before = NEWN(ad->arena, Value *, len), *turn[MAX_RANK];
    find_path(r, path, len);
    const char *name = s->v && v->def ? op_opnd(v->def, 0)->name : v->name;
    Builder b = builder_before(n->root), at;
    Value *history = build_empty(&b, history_type(&t, v), name);
    history = carry_in(n, path, len, history, before, turn, &at);
    if (v->def) at = builder_after(v->def);
    history = know_history(n, put_down(&t, &at, history, v, turn));
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
    Nest n = {.ad = ad, .root = loop, .body = loop->regs[0]};
    n.arrays = NEWN(ad->arena, Versions, loop->nres + 1);
    n.kept = NEWN(ad->arena, bool, loop->nres + 1), n.known = NEWN(ad->arena, bool, loop->nres + 1);
    if (is_segments(ad, loop) || !find_nest(&n)) return loop;
    for (int i = 0; i < n.order.len; i++)
        if (!has_known_turns(&n, n.order.data[i]->owner)) return loop;
    find_axis(&n, n.body);
    for (int i = 0; i < n.order.len; i++) find_axis(&n, n.order.data[i]);
    find_seen(&n);
    for (int i = 0; i < n.order.len; i++) map_put(ad->arena, &ad->inner, n.order.data[i], n.root);
    for (int i = 0; i < n.seen.len; i++) write_down(&n, &n.seen.data[i]);
    return n.root;
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

/* ---- what nobody asked for */

typedef struct { Ad *ad; Map mentioned; VEC(Op *) unused; } Sizes;

static void mention_sym(void *ctx, const char *sym) {
    Sizes *s = ctx;
    map_put(s->ad->arena, &s->mentioned, sym, s);
}

static void mention_type(Sizes *s, const Type *t) {
    for (int i = 0; i < t->rank; i++) size_each_sym(t->dims[i], mention_sym, s);
}

static void find_mentioned(void *ctx, Op *op) {
    Sizes *s = ctx;
    const Attr *sizes = op_attr(op, A_SIZE);
    for (int i = 0; sizes && i < sizes->n; i++) size_each_sym(sizes->sizes[i], mention_sym, s);
    for (int i = 0; i < op->nres; i++)
        if (op->code != OP_EMPTY || op->res[0].uses) mention_type(s, op->res[i].type);
    for (int k = 0; k < op->nregs; k++)
        for (int i = 0; i < op->regs[k]->nargs; i++) mention_type(s, op->regs[k]->args[i]->type);
}

static bool is_extent(const Sizes *s, const char *sym) {
    for (int i = 0; i < s->ad->extents.len; i++)
        if (s->ad->extents.data[i] == sym) return true;
    return false;
}

static void find_unused(void *ctx, Op *op) {
    Sizes *s = ctx;
    bool bind = op->code == OP_BIND && !map_has(&s->mentioned, op_sym(op, A_SYM)) && is_extent(s, op_sym(op, A_SYM));
    if (bind || (op->code == OP_EMPTY && !op->res[0].uses)) vec_push(s->ad->arena, &s->unused, op);
}

void drop_extents(Ad *ad, Func *f) {
    Sizes s = {.ad = ad};
    if (!ad->extents.len) return;
    region_walk(f->body, find_mentioned, &s);
    region_walk(f->body, find_unused, &s);
    for (int i = 0; i < s.unused.len; i++) op_erase(s.unused.data[i]);
}
