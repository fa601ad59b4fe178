/* wavefront: rows that depend on their left and upper neighbours run staggered, several at a time.
 *
 * Needs stage loops, loops without dependence already parallel.  In `for (i) for (j) a[i,j] = f(a[i,j-1], a[i-1,j+1],
 * ..)` each element waits for the one before it, so that a core's units are idle most of the time.  With w = j + SKEW*i
 * no two points of one w depend on each other: ROWS rows are done together, in the order of w. Lamport, The parallel
 * execution of DO loops, CACM 1974; Wolfe, Loop skewing: the wavefront method revisited, 1986.
 *
 * Done when distances are constants: every index of a buffer that is written is one loop index plus a constant, or
 * fixed; and when the chain from the left neighbour to the element is long (CHAIN cycles). */
#include "analysis/cost.h"
#include "analysis/uniform.h"
#include "opt/loops/loops.h"

enum { ROWS = 8, CHAIN = 16, MAX_OPS = 80, MAX_ACCESSES = 32, MAX_SKEW = 4 };

typedef struct { const Value *buf; int64_t di, dj; bool writes; Op *op; } Access; /* the place, from (i, j) */

typedef struct {
    Op *outer, *inner;
    Access access[MAX_ACCESSES];
    int n;
    int64_t skew;
    bool waits; /* an element needs its neighbour in the row */
} Nest;

/* ---- which nests */

static bool is_plain_for(const Op *op) {
    int64_t step;
    return op->code == OP_FOR && !op->nres && value_const_int(op_opnd(op, 2), &step) && step == 1;
}

static bool find_inner(Nest *n) {
    const Region *r = n->outer->regs[0];
    for (Op *o = r->first; o != region_term(r); o = o->next) {
        if (o->code == OP_FOR && !n->inner) n->inner = o;
        else if (!op_is_pure(o) || o->nregs) return false;
    }
    if (!n->inner || !is_plain_for(n->inner)) return false;
    for (int i = 0; i < 2; i++) {
        const Value *v = op_opnd(n->inner, i);
        if (region_encloses(r, value_region(v)) && !value_const_int(v, NULL)) return false;
    }
    return true;
}

static bool is_straight(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->nregs || o->code == OP_ATOMIC || o->code == OP_BARRIER || o->code == OP_ALLOC || op_has_effect(o) ||
            op_may_trap(o))
            return false;
    }
    return true;
}

/* v = iv + *c */
static bool is_offset(const Value *v, const Value *iv, int64_t *c) {
    *c = 0;
    if (v == iv) return true;
    if (!v->def || (v->def->code != OP_ADD && v->def->code != OP_SUB)) return false;
    const Value *x = op_opnd(v->def, 0), *y = op_opnd(v->def, 1);
    if (v->def->code == OP_ADD) return (x == iv && value_const_int(y, c)) || (y == iv && value_const_int(x, c));
    if (x != iv || !value_const_int(y, c)) return false;
    *c = -*c;
    return true;
}

/* Which axis is i's and which j's, as in the first access to the buffer */
typedef struct { const Value *buf, *fixed[MAX_RANK]; int kind[MAX_RANK]; } Axes;
enum { FIXED, ROW, COLUMN };

static bool read_axes(const Nest *n, const Op *op, Axes *axes, Access *a) {
    const Value *i = n->outer->regs[0]->args[0], *j = n->inner->regs[0]->args[0];
    int first = op_index_first(op), rows = 0, columns = 0;
    for (int k = first; k < op->nopnds; k++) {
        const Value *v = op_opnd(op, k);
        int64_t c;
        axes->kind[k - first] = FIXED;
        axes->fixed[k - first] = v;
        if (is_offset(v, i, &c)) a->di = c, rows++, axes->kind[k - first] = ROW;
        else if (is_offset(v, j, &c)) a->dj = c, columns++, axes->kind[k - first] = COLUMN;
        else if (region_encloses(n->outer->regs[0], value_region(v)) && !value_const_int(v, NULL)) return false;
    }
    return rows == 1 && columns == 1;
}

static bool same_axes(const Axes *x, const Axes *y, int rank) {
    for (int k = 0; k < rank; k++) {
        if (x->kind[k] != y->kind[k]) return false;
        if (x->kind[k] == FIXED && !value_same_int(x->fixed[k], y->fixed[k])) return false;
    }
    return true;
}

static bool is_written(const Nest *n, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code == OP_STORE && u->index == 1 && u->user->parent == n->inner->regs[0]) return true;
    return false;
}

static bool collect(Nest *n) {
    Axes of[MAX_ACCESSES];
    for (Op *o = n->inner->regs[0]->first; o; o = o->next) {
        if ((o->code != OP_LOAD && o->code != OP_STORE) || !is_written(n, op_buffer(o))) continue;
        Access a = {.buf = op_buffer(o), .writes = o->code == OP_STORE, .op = o};
        if (n->n == MAX_ACCESSES || !read_axes(n, o, &of[n->n], &a)) return false;
        for (int k = 0; k < n->n; k++)
            if (n->access[k].buf == a.buf && !same_axes(&of[k], &of[n->n], a.buf->type->rank)) return false;
        n->access[n->n++] = a;
    }
    return true;
}

/* The least skew for which each of two dependent points comes at another w, in their order */
static bool find_skew(Nest *n) {
    for (int x = 0; x < n->n; x++)
        for (int y = 0; y < n->n; y++) {
            const Access *a = &n->access[x], *b = &n->access[y];
            if (a->buf != b->buf || !a->writes) continue;
            int64_t di = a->di - b->di, dj = a->dj - b->dj;
            if (di < 0 || (di == 0 && dj < 0)) di = -di, dj = -dj;
            n->waits |= di == 0 && dj > 0;
            if (di == 0) continue;
            int64_t need = dj >= 1 ? 0 : (1 - dj + di - 1) / di;
            while (n->skew < need) n->skew = n->skew ? 2 * n->skew : 1;
        }
    return n->waits && n->skew <= MAX_SKEW;
}

/* ---- does it pay */

/* Cycles until the result is there; a sum of floats takes 4, a quotient 13 */
static int latency(const Op *op) {
    int cost = op_info(op->code)->cost;
    bool real = dtype_is_float(op->res[0].type->dtype);
    return real && cost < 4 ? 4 : real && cost == COST_DIVISION ? 13 : cost;
}

/* Cycles from a value that the row's own elements decide to the longest way's end; -1: none of them does */
static int chain(const Nest *n) {
    int longest = -1;
    const Region *r = n->inner->regs[0];
    for (Op *o = r->first; o; o = o->next) {
        o->mark = -1;
        for (int k = 0; k < n->n; k++)
            if (n->access[k].op == o && o->code == OP_LOAD && n->access[k].di == 0) o->mark = 0;
        for (int i = 0; i < o->nopnds && o->code != OP_LOAD; i++) {
            const Op *d = op_opnd(o, i)->def;
            if (!d || d->parent != r || d->mark < 0) continue;
            int t = d->mark + (o->nres ? latency(o) : 0);
            if (t > o->mark) o->mark = t;
        }
        if (o->code == OP_STORE && o->mark > longest) longest = o->mark;
    }
    return longest;
}

/* ---- doing it */

static Op *open_for(Builder *b, Value *lo, Value *hi, int64_t step, const char *name, Builder *in) {
    Op *loop = build_for(b, lo, hi, build_int(b, step), 0, NULL);
    loop->regs[0]->args[0]->name = name;
    Builder end = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&end, 0, NULL);
    *in = builder_before(region_term(loop->regs[0]));
    return loop;
}

/* x / skew, rounded down */
static Value *by_skew(Builder *b, const Nest *n, Value *x) {
    int shift = 0;
    while ((int64_t)1 << shift < n->skew) shift++;
    return shift ? build_binary(b, OP_SHR, x, build_int(b, shift)) : x;
}

static Value *bound(Builder *b, Value *v) {
    int64_t c;
    return value_const_int(v, &c) ? build_int(b, c) : v;
}

static void stagger(Nest *n) {
    Builder b = builder_before(n->outer), in, wave, row;
    Session *s = b.module->session;
    Value *top = op_opnd(n->outer, 0), *bottom = op_opnd(n->outer, 1);
    Value *lo = bound(&b, op_opnd(n->inner, 0)), *hi = bound(&b, op_opnd(n->inner, 1)), *skew = build_int(&b, n->skew);
    Op *blocks = open_for(&b, top, bottom, ROWS, NULL, &in);
    Value *first = blocks->regs[0]->args[0], *one = build_int(&in, 1);
    Value *rows = index_min(&in, index_sub(&in, bottom, first), build_int(&in, ROWS));
    Value *end = index_add(&in, hi, index_mul(&in, index_sub(&in, rows, one), skew));
    Value *w = open_for(&in, lo, end, 1, intern(s, "wave"), &wave)->regs[0]->args[0];
    Value *from = index_add(&wave, by_skew(&wave, n, index_sub(&wave, w, hi)), one);
    Value *to = index_add(&wave, by_skew(&wave, n, index_sub(&wave, w, lo)), one);
    from = index_max(&wave, from, build_int(&wave, 0));
    Value *r = open_for(&wave, from, index_min(&wave, to, rows), 1, intern(s, "row"), &row)->regs[0]->args[0];
    Value *i = index_add(&row, first, r), *j = index_sub(&row, w, index_mul(&row, r, skew));
    Value *was_i = n->outer->regs[0]->args[0], *was_j = n->inner->regs[0]->args[0];
    Cloner c = {.module = b.module};
    i->name = was_i->name, j->name = was_j->name;
    map_put(b.module->arena, &c.values, was_i, i);
    map_put(b.module->arena, &c.values, was_j, j);
    for (const Op *o = n->outer->regs[0]->first; o != region_term(n->outer->regs[0]); o = o->next)
        if (o != n->inner) clone_op(&c, &row, o);
    clone_region_ops(&c, &row, n->inner->regs[0], false);
    op_erase(n->outer);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Nest n = {.outer = o};
        if (is_plain_for(o) && find_inner(&n) && region_count_ops(n.inner->regs[0]) <= MAX_OPS &&
            is_straight(n.inner->regs[0]) && collect(&n) && find_skew(&n) && n.skew > 0 && chain(&n) >= CHAIN) {
            stagger(&n);
            continue;
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_wavefront(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
