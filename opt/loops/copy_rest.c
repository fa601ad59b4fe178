/* copy-rest: of an array that an island would write a copy of, only what it does not write is copied.
 *
 * Needs stage loops, guards narrowed.  In `var next = u; launch step(next, u)` both arrays are needed: `retain(u)` says
 * so, and the island, which writes next where u was, copies all of u before.  Of the copy the launch writes over all
 * but the rim.  So the island gets an empty array instead, and its nest goes over all rows: where it wrote, it writes;
 * in front of that and behind, and in the other rows, it copies.  Less memory is touched, and a loop over time is made
 * of nests alone (time-tile).
 *
 * The first nest that touches the array stores at its own indices, moved by what is fixed, as many as there are axes,
 * and reads it nowhere else.  Where branches decide whether it stores, it copies in the others. */
#include "opt/loops/split.h"

enum { MOST = 8, SHORT_ROW = 16 };

typedef struct {
    Op *island, *nest, *inner; /* inner: the loop along the last axis; nest, where there is one loop */
    Value *buf[MOST], *old[MOST];   /* where it writes, and reads what stands elsewhere */
    Op *retain[MOST];
    int n;                     /* arrays that the nest writes in the same box */
    Value *lo[MAX_RANK], *count[MAX_RANK]; /* where the box begins, and how long it is */
    int rank;
} Rest;

static const Region *island_body(const Rest *r) { return r->island->regs[0]; }

/* ---- the nest */

static Op *first_touch(const Rest *r, const Value *buf) {
    Op *first = NULL;
    for (const Use *u = buf->uses; u; u = u->next) {
        Op *top = op_ancestor(u->user, island_body(r));
        if (!first || top->order < first->order) first = top;
    }
    return first;
}

/* The loop in the body of the nest that has all accesses to buf */
static Op *inner_loop(Op *nest, const Value *buf) {
    Op *inner = NULL;
    for (const Use *u = buf->uses; u; u = u->next) {
        if (!op_inside(u->user, nest)) continue;
        Op *o = op_ancestor(u->user, nest->regs[0]);
        if (!loops_is_plain(o) || (inner && inner != o)) return NULL;
        inner = o;
    }
    return inner;
}

static bool find_nest(Rest *r, const Value *buf) {
    int rank = buf->type->rank;
    Op *nest = first_touch(r, buf);
    if (!nest || !loops_is_plain(nest) || nest->nopnds > rank || op_holds(nest, OP_BARRIER)) return false;
    Op *inner = nest->nopnds == rank ? nest : inner_loop(nest, buf);
    if (!inner || (inner != nest && (nest->nopnds != rank - 1 || inner->nopnds != 1))) return false;
    if (r->nest && (r->nest != nest || r->inner != inner)) return false;
    r->nest = nest, r->inner = inner, r->rank = rank;
    return true;
}

static const Value *index_of(const Rest *r, int axis) {
    bool last = axis == r->rank - 1;
    return last ? r->inner->regs[0]->args[r->inner->nopnds - 1] : r->nest->regs[0]->args[axis];
}

/* The access is at the loops' own indices, moved by lo. */
static bool is_own_access(Rest *r, const Op *op, bool first) {
    Builder b = builder_before(r->nest);
    for (int i = 0; i < r->rank; i++) {
        Value *at = op_opnd(op, i + 1 + (op->code == OP_STORE));
        IndexLinear x = index_linear(&b, r->nest->regs[0], index_of(r, i), at);
        if (!x.ok || x.coef != 1) return false;
        Value *lo = x.rest ? x.rest : build_int(&b, 0);
        if (first) r->lo[i] = lo;
        else if (!value_same_int(r->lo[i], lo)) return false;
    }
    return op_flag(op, A_SAFE);
}

/* None of the extents is found out in the nest, or surely nothing. */
static bool find_box(Rest *r) {
    Builder b = builder_before(r->nest);
    for (int i = 0; i < r->rank; i++) {
        const Op *loop = i == r->rank - 1 ? r->inner : r->nest;
        Value *n = op_opnd(loop, i == r->rank - 1 ? loop->nopnds - 1 : i);
        int64_t c;
        if (!value_is_fixed_in(r->nest->regs[0], n) || (value_const_int(n, &c) && c <= 0)) return false;
        r->count[i] = value_outside(&b, r->nest->regs[0], n);
    }
    return true;
}

/* No other loop is between the access and the nest's. */
static bool is_in_branches(const Rest *r, const Op *op) {
    const Region *at = op->parent;
    for (; at != r->inner->regs[0]; at = at->owner->parent)
        if (at->owner->code != OP_IF) return false;
    return true;
}

/* Nothing but the inner loop changes anything, or that has turns: what stands beside it runs in rows of the box. */
static bool keeps_all_work(const Rest *r) {
    bool alone = true;
    for (const Op *o = r->nest->regs[0]->first; r->inner != r->nest && o; o = o->next)
        alone &= o == r->inner || (!op_writes_memory(o) && !op_has_effect(o) && !op_may_trap(o));
    return alone || value_const_int(r->count[r->rank - 1], NULL);
}

/* The box is in the array, whether the nest touches all of it or not. */
static bool is_in_array(const Rest *r, const Type *t) {
    Session *s = r->island->parent->func->module->session;
    for (int i = 0; i < r->rank; i++) {
        const Size *n = value_size(s, r->count[i], true), *rest;
        int64_t lo, c;
        if (!n || !value_const_int(r->lo[i], &lo) || lo < 0) return false;
        rest = size_sub(s, t->dims[i], size_add(s, n, size_const(s, lo)));
        if (size_is_const(rest, &c) ? c < 0 : !size_is_natural(s, rest)) return false;
    }
    return true;
}

static bool accesses_fit(Rest *r, const Value *buf) {
    bool any = false, always = false;
    for (const Use *u = buf->uses; u; u = u->next) {
        const Op *op = u->user;
        if (!op_inside(op, r->nest)) continue;
        bool store = op->code == OP_STORE && u->index == 1;
        if ((!store && op->code != OP_LOAD) || !is_in_branches(r, op)) return false;
        if (!is_own_access(r, op, !r->n && !any)) return false;
        any = true;
        always |= op->parent == r->inner->regs[0];
    }
    return any && (always || is_in_array(r, buf->type));
}

/* ---- branches that do not store */

static bool is_store(const Op *op, const Value *buf) { return op->code == OP_STORE && op_opnd(op, 1) == buf; }

static int count_uses(const Op *op, const Value *buf) {
    int n = 0;
    for (const Use *u = buf->uses; u; u = u->next) n += u->user == op || op_inside(u->user, op);
    return n;
}

static void copy_element(Rest *r, int k, Builder *b) {
    Value *at[MAX_RANK];
    for (int i = 0; i < r->rank; i++) at[i] = index_add(b, (Value *)index_of(r, i), r->lo[i]);
    store_safe(b, load_safe(b, r->old[k], r->rank, at), r->buf[k], r->rank, at);
}

/* In r, where an element is not stored, or read before, it is copied. */
static void complete(Rest *r, int k, Region *in) {
    const Value *buf = r->buf[k];
    Op *first = in->first;
    while (first != region_term(in) && !count_uses(first, buf)) first = first->next;
    if (is_store(first, buf) && count_uses(first, buf) == 1) return;
    bool alone = first->code == OP_IF;
    for (const Op *o = first->next; alone && o; o = o->next) alone = !count_uses(o, buf);
    for (int i = 0; alone && i < 2; i++) complete(r, k, first->regs[i]);
    if (alone) return;
    Builder b = builder_before(first);
    copy_element(r, k, &b);
}

/* ---- rows and ends of rows */

static void copy_row(const Rest *r, Builder *b, Value *const *row, Value *from, Value *count) {
    Builder in;
    Op *loop = build_plain_parallel(b, 1, &count, &in);
    Value *at[MAX_RANK];
    for (int i = 0; i < r->rank - 1; i++) at[i] = row[i];
    at[r->rank - 1] = index_add(&in, loop->regs[0]->args[0], from);
    for (int k = 0; k < r->n; k++) store_safe(&in, load_safe(&in, r->old[k], r->rank, at), r->buf[k], r->rank, at);
}

/* The nest wrote in this row. */
static Value *in_box(const Rest *r, Builder *b, Value *const *row) {
    Value *last = r->count[r->rank - 1], *c = NULL;
    if (!value_const_int(last, NULL)) c = build_binary(b, OP_GT, last, build_int(b, 0));
    for (int i = 0; i < r->rank - 1; i++) {
        Value *end = index_add(b, r->lo[i], r->count[i]), *lo = value_is_const_int(r->lo[i], 0) ? NULL : r->lo[i];
        c = build_between(b, c, row[i], lo, end);
    }
    return c;
}

static void copy_ends(const Rest *r, Value *const *row, Value *whole) {
    Builder front = builder_before(r->inner), behind = builder_before(r->inner->next);
    int last = r->rank - 1;
    Value *end = index_add(&front, r->lo[last], r->count[last]);
    copy_row(r, &front, row, build_int(&front, 0), r->lo[last]);
    copy_row(r, &behind, row, end, index_sub(&behind, whole, end));
}

/* What the nest did in its rows, it does in those of all that there are. */
static void widen_rows(Rest *r) {
    if (r->nest == r->inner) r->inner = split_last_axis(r->nest), r->nest = r->inner->parent->owner;
    Builder b = builder_before(r->nest), in;
    Region *body = r->nest->regs[0];
    int last = r->rank - 1;
    const Type *t = r->buf[0]->type;
    Value *extents[MAX_RANK], *whole = build_size(&b, t->dims[last]);
    for (int i = 0; i < last; i++) extents[i] = build_size(&b, t->dims[i]);
    Op *rows = build_plain_parallel(&b, last, extents, &in);
    Value *const *row = rows->regs[0]->args;
    Op *choice = build_if(&in, in_box(r, &in, row), 0, NULL);
    Builder then = builder_at_end(b.module, choice->regs[0], b.span),
            other = builder_at_end(b.module, choice->regs[1], b.span);
    for (int i = 0; i < last; i++) {
        row[i]->name = body->args[i]->name;
        value_replace_all(body->args[i], index_sub(&then, row[i], r->lo[i]));
    }
    op_move_range(body->first, region_term(body)->prev, choice->regs[0], NULL);
    build_yield(&then, 0, NULL);
    copy_row(r, &other, row, build_int(&other, 0), whole);
    build_yield(&other, 0, NULL);
    copy_ends(r, row, whole);
    op_erase(r->nest);
}

/* In front of the only loop and behind it */
static void copy_around(Rest *r) {
    Builder b = builder_before(r->nest);
    Value *n = r->count[0], *whole = build_size(&b, r->buf[0]->type->dims[0]), *zero = build_int(&b, 0);
    Value *some = build_binary(&b, OP_GT, n, zero), *end = index_add(&b, r->lo[0], n);
    if (value_const_int(n, NULL)) some = NULL;
    Value *front = r->lo[0], *behind = index_sub(&b, whole, end);
    if (some) front = build_select(&b, some, front, whole), behind = build_select(&b, some, behind, zero);
    copy_row(r, &b, NULL, zero, front);
    copy_row(r, &b, NULL, end, behind);
}

static bool is_whole(const Rest *r) {
    for (int i = 0; i < r->rank; i++) {
        const Size *n = value_size(r->nest->parent->func->module->session, r->count[i], false);
        if (!value_is_const_int(r->lo[i], 0) || n != r->buf[0]->type->dims[i]) return false;
    }
    return true;
}

/* ---- which arrays */

/* The k-th of the retains that keep v for others while the island writes it; NULL: there are not as many as arrays that
 * begin as copies of v */
static Op *find_retain(const Op *island, const Value *v, int k) {
    const Attr *modes = op_attr(island, A_MODES);
    Op *found = NULL;
    int copies = 0;
    for (int i = 0; i < island->nopnds; i++) copies += modes->ints[i] && op_opnd(island, i) == v;
    for (Op *o = island->prev; o && o->code == OP_RETAIN; o = o->prev) {
        if (op_opnd(o, 0) != v) continue;
        copies--;
        if (!k--) found = o;
    }
    return copies ? NULL : found;
}

static int count_taken(const Rest *r, const Value *v) {
    int n = 0;
    for (int k = 0; k < r->n; k++) n += op_opnd(r->retain[k], 0) == v;
    return n;
}

/* The island's buffer of v, which it reads */
static Value *read_buffer(Op *island, Value *v) {
    for (int i = 0; i < island->nopnds; i++)
        if (op_opnd(island, i) == v && !op_attr(island, A_MODES)->ints[i]) return island->regs[0]->args[i];
    return island_reads(island, v);
}

static bool is_long(const Rest *r, const Type *t) {
    int64_t n;
    return r->rank == 1 || !size_is_const(t->dims[r->rank - 1], &n) || n >= SHORT_ROW;
}

/* Array k of the island, if its nest is that of r */
static bool take(Rest *r, int k) {
    Value *v = op_opnd(r->island, k), *buf = r->island->regs[0]->args[k];
    Rest old = *r;
    if (!op_attr(r->island, A_MODES)->ints[k] || !v->type->rank) return false;
    Op *retain = find_retain(r->island, v, count_taken(r, v));
    if (!retain || r->n == MOST || (r->n && !type_same_dims(v->type, r->buf[0]->type))) return false;
    if (find_nest(r, buf) && find_box(r) && keeps_all_work(r) && accesses_fit(r, buf)) {
        r->retain[r->n] = retain;
        r->buf[r->n++] = buf;
        if (is_long(r, v->type) || is_whole(r)) return true;
    }
    *r = old;
    return false;
}

static void part(Rest *r) {
    for (int k = 0; k < r->n; k++) op_erase(r->retain[k]);
    for (int k = 0; k < r->n; k++) {
        Value *v = op_opnd(r->island, r->buf[k]->index);
        Builder b = builder_before(r->island);
        op_set_opnd(r->island, r->buf[k]->index, build_empty(&b, v->type, r->buf[k]->name));
        r->old[k] = read_buffer(r->island, v);
        complete(r, k, r->inner->regs[0]);
    }
    if (is_whole(r)) return;
    if (r->rank > 1) widen_rows(r);
    else copy_around(r);
}

static void visit(void *ctx, Op *island) {
    (void)ctx;
    if (island->code != OP_ISLAND) return;
    for (bool more = true; more;) {
        Rest r = {.island = island};
        for (int k = 0; k < island->nopnds; k++) take(&r, k);
        more = r.n > 0;
        if (more) part(&r);
    }
}

void pass_copy_rest(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        if (!m->funcs.data[i]->body) continue;
        region_walk(m->funcs.data[i]->body, visit, NULL);
        loops_mark(m->funcs.data[i]);
    }
}
