/* gather: sums of floats by atomic into neighbours become, for each element, the sum of what its neighbours give it.
 *
 * Needs stage loops, guards narrowed.  `parallel(n) (i) { atomic y[i - 1] += a(i); atomic y[i + 1] += b(i) }` must run
 * in order, as the order of sums of floats is part of the result.  But which iterations add to y[j], and in which
 * order, is known: j - 1 gives b, then j + 1 gives a.  So each element can be computed by itself: `parallel (j) { y[j]
 * += b(j - 1); y[j] += a(j + 1) }`, with threads and vectors, and the same bits.  Elements to which all sums of the
 * loop add are a loop without guards; those at the edges test which iterations there are.  A short loop of constant
 * length around a sum stands for as many sums.
 *
 * Inverting an affine access: the transformation from push to pull, as between scatter and gather in Kjolstad and
 * others, Simit, TOG 2016, section 5; adjoints of stencils are inverted so by Hueckelheim and others, Automatic
 * differentiation for adjoint stencil loops, ICPP 2019. */
#include "opt/loops/loops.h"

enum {
    MAX_SUMS = 32,
    MAX_AXES = 4,
    MAX_DEPTH = 12,
    MAX_OPS = 40,
    MAX_COPIES = 3000,
    MAX_REACH = 1 << 10,
    FAR = 1 << 30
};

/* index = iv of `axis` (-1: none) + c + base, or - base */
typedef struct { bool ok; int axis; int64_t c; Value *base; bool minus; } Shift;

typedef struct { Value *iv; int64_t value; } Known; /* of a loop of constant length around a sum */

typedef struct {
    Op *op;
    Known known[MAX_AXES];
    int nknown, place;          /* among the sums of an iteration */
    int64_t c[MAX_AXES];        /* by axis of the loop: it adds to the element so far beyond the iteration */
} Sum;

typedef struct {
    Op *loop;
    Region *body;
    Value *buf;
    VEC(Sum) sums;
    Shift shift[MAX_RANK];      /* of the first sum, by axis of buf; the others only differ in c */
    int64_t least[MAX_AXES], reach[MAX_AXES]; /* of the c: least, and most - least */
    Arena *arena;
    int nops;
    bool impossible;
} Gather;

/* ---- reading indices */

static Shift no_shift(void) { return (Shift){.ok = false}; }
static Shift constant(int64_t c) { return c > FAR || c < -FAR ? no_shift() : (Shift){.ok = true, .axis = -1, .c = c}; }

static Shift sum_of(Shift x, Shift y, bool minus) {
    if (!x.ok || !y.ok || (x.axis >= 0 && y.axis >= 0) || (x.base && y.base) || (minus && y.axis >= 0))
        return no_shift();
    Shift s = {true, x.axis >= 0 ? x.axis : y.axis, minus ? x.c - y.c : x.c + y.c, x.base ? x.base : y.base, x.minus};
    if (y.base) s.minus = y.minus != minus;
    s.ok = s.c >= -FAR && s.c <= FAR;
    return s;
}

static Shift read_shift(const Gather *g, const Sum *s, Value *v, int depth) {
    const Op *op = v->def;
    int64_t c;
    if (value_const_int(v, &c)) return constant(c);
    for (int i = 0; i < s->nknown; i++)
        if (s->known[i].iv == v) return constant(s->known[i].value);
    if (!region_encloses(g->body, value_region(v))) return (Shift){.ok = true, .axis = -1, .base = v};
    if (!op) return v->region == g->body ? (Shift){.ok = true, .axis = v->index} : no_shift();
    if ((op->code != OP_ADD && op->code != OP_SUB) || depth == MAX_DEPTH) return no_shift();
    return sum_of(read_shift(g, s, op_opnd(op, 0), depth + 1), read_shift(g, s, op_opnd(op, 1), depth + 1),
                  op->code == OP_SUB);
}

/* Each index of the loop moves along an axis of its own. */
static bool uses_all_axes(const Gather *g) {
    int used = 0;
    for (int k = 0; k < g->buf->type->rank; k++) {
        int axis = g->shift[k].axis;
        if (axis < 0) continue;
        if (used & 1 << axis) return false;
        used |= 1 << axis;
    }
    return used == (1 << g->body->nargs) - 1;
}

static bool same_but_c(Shift x, Shift y) {
    return x.ok && y.ok && x.axis == y.axis && x.base == y.base && x.minus == y.minus;
}

static bool read_sum(Gather *g, Sum *s) {
    bool first = !g->sums.len;
    for (int k = 0; k < g->buf->type->rank; k++) {
        Shift x = read_shift(g, s, op_opnd(s->op, 2 + k), 0);
        if (first) g->shift[k] = x;
        if (!same_but_c(x, g->shift[k]) || (x.axis < 0 && x.c != g->shift[k].c)) return false;
        if (x.axis >= 0) s->c[x.axis] = x.c;
    }
    return !first || uses_all_axes(g);
}

/* ---- what an iteration adds */

static bool is_sum(const Op *op) {
    DType t = op->code == OP_ATOMIC ? op_opnd(op, 0)->type->dtype : DT_BOOL;
    return (t == DT_F32 || t == DT_F64) && op_combine(op) == COMBINE_ADD;
}

/* v can be computed for any iteration: from indices and memory that the loop does not change. */
static bool can_rebuild(Gather *g, const Sum *s, const Value *v) {
    const Op *op = v->def;
    if (!region_encloses(g->body, value_region(v)) || v->region == g->body) return true;
    for (int i = 0; i < s->nknown; i++)
        if (s->known[i].iv == v) return true;
    if (!op || op->nregs || op->nres != 1 || ++g->nops > MAX_OPS * MAX_SUMS) return false;
    if (op->code == OP_LOAD
            ? op_holds_write(g->loop, op_opnd(op, 0))
            : op->code != OP_CONST && op->code != OP_SIZE && !op_is_pure(op) && !(op_info(op->code)->traits & TR_TRAP))
        return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!can_rebuild(g, s, op_opnd(op, i))) return false;
    return true;
}

static bool can_rebuild_sum(Gather *g, const Sum *s) {
    for (const Op *o = s->op->parent->owner; o != g->loop; o = o->parent->owner)
        if (o->code == OP_IF && !can_rebuild(g, s, op_opnd(o, 0))) return false;
    return can_rebuild(g, s, op_opnd(s->op, 0));
}

static void add_sum(Gather *g, Op *op, const Sum *around) {
    Sum s = *around;
    s.op = op, s.place = g->sums.len;
    if (g->sums.len == MAX_SUMS || !read_sum(g, &s) || !can_rebuild_sum(g, &s)) g->impossible = true;
    else vec_push(g->arena, &g->sums, s);
}

static void find_sums(Gather *g, const Region *r, const Sum *around);

/* The loop's iterations, one after the other */
static void unroll(Gather *g, const Op *loop, const Sum *around) {
    int64_t lo, hi, step;
    bool fixed = value_const_int(op_opnd(loop, 0), &lo) && value_const_int(op_opnd(loop, 1), &hi) &&
                 value_const_int(op_opnd(loop, 2), &step);
    if (!fixed || loop->nres || !step || around->nknown == MAX_AXES || lo > FAR || lo < -FAR) {
        g->impossible = true;
        return;
    }
    Sum s = *around;
    Known *k = &s.known[s.nknown++];
    k->iv = loop->regs[0]->args[0];
    for (k->value = lo; !g->impossible && (step > 0 ? k->value < hi : k->value > hi); k->value += step) {
        if (k->value > FAR || k->value < -FAR) g->impossible = true;
        else find_sums(g, loop->regs[0], &s);
    }
}

static void find_sums(Gather *g, const Region *r, const Sum *around) {
    for (Op *o = r->first; o && !g->impossible; o = o->next) {
        if (o->code == OP_ATOMIC && op_opnd(o, 1) == g->buf) add_sum(g, o, around);
        else if (!op_mentions(o, g->buf)) continue;
        else if (o->code == OP_FOR) unroll(g, o, around);
        else if (o->code != OP_IF || o->nres) g->impossible = true;
        else for (int i = 0; i < 2; i++) find_sums(g, o->regs[i], around);
    }
}

/* Of two sums into one element, that of the earlier iteration comes first: it is the one that reaches further. */
static bool comes_first(const Gather *g, const Sum *x, const Sum *y) {
    for (int a = 0; a < g->body->nargs; a++)
        if (x->c[a] != y->c[a]) return x->c[a] > y->c[a];
    return x->place < y->place;
}

static void sort(Gather *g) {
    Sum *s = g->sums.data;
    for (int i = 1; i < g->sums.len; i++)
        for (int k = i; k && comes_first(g, &s[k], &s[k - 1]); k--) {
            Sum t = s[k];
            s[k] = s[k - 1], s[k - 1] = t;
        }
}

static void find_reach(Gather *g) {
    for (int a = 0; a < g->body->nargs; a++) {
        int64_t lo = INT64_MAX, hi = INT64_MIN;
        for (int i = 0; i < g->sums.len; i++) {
            int64_t c = g->sums.data[i].c[a];
            if (c < lo) lo = c;
            if (c > hi) hi = c;
        }
        g->least[a] = lo, g->reach[a] = hi - lo;
    }
}

/* ---- building */

typedef struct {
    Value *lo, *count;
} Part; /* of an axis: from lo on, where 0 is the least element that an iteration 0 adds to */

static void write_value(Builder *b, const Op *sum, Value *v, Value *buf, Value *const *at) {
    store_safe(b, v, buf, sum->nopnds - 2, at);
}

static Value *read_value(Builder *b, const Gather *g, const Op *sum, Value *const *at) {
    b->span = sum->span;
    Value *v = build_load(b, g->buf, sum->nopnds - 2, at);
    if (op_flag(sum, A_SAFE)) op_set_flag(v->def, A_SAFE);
    return v;
}

/* The element with what s gives it, if the branches from `inner` out to the loop lead to s */
static Value *added(const Gather *g, const Sum *s, Cloner *c, Builder *b, Value *old, const Region *inner);

static Value *added_in_branch(const Gather *g, const Sum *s, Cloner *c, Builder *b, Value *old, const Op *branch,
                              const Region *inner) {
    Value *cond = clone_slice(c, b, g->body, op_opnd(branch, 0));
    Op *copy = build_if(b, cond, 1, &old->type);
    int side = region_encloses(branch->regs[1], inner);
    Builder in = builder_at_end(b->module, copy->regs[side], b->span),
            other = builder_at_end(b->module, copy->regs[!side], b->span);
    Value *new = added(g, s, c, &in, old, branch->regs[side]);
    build_yield(&in, 1, &new);
    build_yield(&other, 1, &old);
    return &copy->res[0];
}

/* The outermost branch around s that is inside region r; NULL: none */
static const Op *next_branch(const Sum *s, const Region *r) {
    const Op *found = NULL;
    for (const Region *at = s->op->parent; at != r; at = at->owner->parent)
        if (at->owner->code == OP_IF) found = at->owner;
    return found;
}

static Value *added(const Gather *g, const Sum *s, Cloner *c, Builder *b, Value *old, const Region *inner) {
    const Op *branch = next_branch(s, inner);
    if (branch) return added_in_branch(g, s, c, b, old, branch, s->op->parent);
    b->span = s->op->span;
    return build_binary(b, OP_ADD, old, clone_slice(c, b, g->body, op_opnd(s->op, 0)));
}

/* The iteration of s that adds to the element; whether there is one, in *exists unless that is NULL */
static void map_iteration(const Gather *g, const Sum *s, Cloner *c, Builder *b, const Part *part, Value *const *t,
                          Value **exists) {
    for (int a = 0; a < g->body->nargs; a++) {
        Value *back = build_int(b, s->c[a] - g->least[a]), *iv = index_add(b, t[a], index_sub(b, part[a].lo, back));
        iv->name = g->body->args[a]->name;
        map_put(b->module->arena, &c->values, g->body->args[a], iv);
        if (!exists) continue;
        *exists = build_both(b, *exists, build_binary(b, OP_GE, iv, build_int(b, 0)));
        *exists = build_both(b, *exists, build_binary(b, OP_LT, iv, op_opnd(g->loop, a)));
    }
    for (int k = 0; k < s->nknown; k++)
        map_put(b->module->arena, &c->values, s->known[k].iv, build_int(b, s->known[k].value));
}

/* The element's indices */
static void element(const Gather *g, Builder *b, const Part *part, Value *const *t, Value **at) {
    for (int k = 0; k < g->buf->type->rank; k++) {
        const Shift *x = &g->shift[k];
        Value *rest = x->axis < 0 ? build_int(b, x->c)
                                  : index_add(b, part[x->axis].lo, build_int(b, g->least[x->axis]));
        if (x->base) rest = x->minus ? index_sub(b, rest, x->base) : index_add(b, rest, x->base);
        at[k] = x->axis < 0 ? rest : index_add(b, t[x->axis], rest);
    }
}

/* In branches as they are around s: it adds to the element. */
static void add_in_branches(const Gather *g, const Sum *s, Cloner *c, Builder *b, Value *const *at,
                            const Region *inner) {
    const Op *branch = next_branch(s, inner);
    if (!branch) {
        write_value(b, s->op, added(g, s, c, b, read_value(b, g, s->op, at), inner), g->buf, at);
        return;
    }
    Op *copy = build_if(b, clone_slice(c, b, g->body, op_opnd(branch, 0)), 0, NULL);
    int side = region_encloses(branch->regs[1], s->op->parent);
    Builder in = builder_at_end(b->module, copy->regs[side], b->span),
            other = builder_at_end(b->module, copy->regs[!side], b->span);
    add_in_branches(g, s, c, &in, at, branch->regs[side]);
    build_yield(&in, 0, NULL);
    build_yield(&other, 0, NULL);
}

/* A sum that is in no branch, or NULL: the element that it adds to is there. */
static const Sum *sure_sum(const Gather *g) {
    for (int i = 0; i < g->sums.len; i++)
        if (!next_branch(&g->sums.data[i], g->body)) return &g->sums.data[i];
    return NULL;
}

/* All sums add to each element of the part, unless their branches are not taken. */
static void gather_all(const Gather *g, Builder *b, const Part *part, Value *const *t) {
    Value *at[MAX_RANK], *v = NULL;
    const Sum *sure = sure_sum(g);
    element(g, b, part, t, at);
    if (sure) v = read_value(b, g, sure->op, at);
    for (int i = 0; i < g->sums.len; i++) {
        Cloner c = {.module = b->module};
        map_iteration(g, &g->sums.data[i], &c, b, part, t, NULL);
        if (sure) v = added(g, &g->sums.data[i], &c, b, v, g->body);
        else add_in_branches(g, &g->sums.data[i], &c, b, at, g->body);
    }
    if (sure) write_value(b, sure->op, v, g->buf, at);
}

/* Each sum adds if its iteration exists. */
static void gather_some(const Gather *g, Builder *b, const Part *part, Value *const *t) {
    Value *at[MAX_RANK];
    element(g, b, part, t, at);
    for (int i = 0; i < g->sums.len; i++) {
        const Sum *s = &g->sums.data[i];
        Cloner c = {.module = b->module};
        Value *exists = NULL;
        map_iteration(g, s, &c, b, part, t, &exists);
        Builder in;
        build_when(b, exists, &in);
        add_in_branches(g, s, &c, &in, at, g->body);
    }
}

static void gather_part(const Gather *g, Builder *b, const Part *part, bool all) {
    Value *extents[MAX_AXES];
    Builder in;
    for (int a = 0; a < g->body->nargs; a++) extents[a] = part[a].count;
    Op *nest = build_plain_parallel(b, g->body->nargs, extents, &in);
    for (int a = 0; a < g->body->nargs; a++) nest->regs[0]->args[a]->name = g->body->args[a]->name;
    if (all) gather_all(g, &in, part, nest->regs[0]->args);
    else gather_some(g, &in, part, nest->regs[0]->args);
}

/* The low edge of an axis, the middle, the high edge */
static void parts_of(const Gather *g, Builder *b, int axis, Part *low, Part *middle, Part *high) {
    Value *n = op_opnd(g->loop, axis), *reach = build_int(b, g->reach[axis]), *end = index_max(b, n, reach);
    *low = (Part){build_int(b, 0), reach};
    *middle = (Part){reach, index_sub(b, end, reach)};
    *high = (Part){end, index_max(b, index_sub(b, index_add(b, n, reach), end), build_int(b, 0))};
}

/* From this axis on: a slab at its low end, over the whole of the axes behind it; its middle, taken apart along those;
 * the high end */
static void gather_from(const Gather *g, Builder *b, int axis, Part *part) {
    Part low, middle, high;
    int rank = g->body->nargs;
    if (axis == rank) {
        gather_part(g, b, part, true);
        return;
    }
    parts_of(g, b, axis, &low, &middle, &high);
    for (int end = 0; end < 2; end++) {
        for (int a = axis + 1; a < rank; a++)
            part[a] = (Part){build_int(b, 0), index_add(b, index_max(b, op_opnd(g->loop, a), build_int(b, 0)),
                                                        build_int(b, g->reach[a]))};
        part[axis] = end ? high : low;
        if (g->reach[axis]) gather_part(g, b, part, false);
        part[axis] = middle;
        if (!end) gather_from(g, b, axis + 1, part);
    }
}

static void gather(const Gather *g, Builder *b) {
    Part part[MAX_AXES];
    gather_from(g, b, 0, part);
}

/* ---- which loops */

static bool only_sums(const Gather *g) {
    for (const Use *u = g->buf->uses; u; u = u->next)
        if (op_inside(u->user, g->loop) && (!is_sum(u->user) || u->index != 1)) return false;
    return true;
}

static bool is_gatherable(Gather *g) {
    Sum none = {0};
    if (!only_sums(g)) return false;
    find_sums(g, g->body, &none);
    if (g->impossible || !g->sums.len || g->nops * (2 * g->body->nargs + 1) > MAX_COPIES ||
        g->nops > MAX_OPS * g->sums.len)
        return false;
    sort(g);
    find_reach(g);
    for (int a = 0; a < g->body->nargs; a++)
        if (g->reach[a] > MAX_REACH) return false;
    return true;
}

static void erase_sums(const Gather *g) {
    for (int i = 0; i < g->sums.len; i++) {
        bool again = false; /* of a loop that stands for several */
        for (int k = 0; k < i; k++) again |= g->sums.data[k].op == g->sums.data[i].op;
        if (!again) op_erase(g->sums.data[i].op);
    }
}

static Value *next_buffer(const Op *loop, const Value *const *tried, int n) {
    const Region *home = loop->parent;
    while (home->owner && home->owner->code != OP_ISLAND) home = home->owner->parent;
    for (int i = 0; i < home->nargs; i++) {
        bool seen = false;
        for (int k = 0; k < n; k++) seen |= tried[k] == home->args[i];
        for (const Use *u = seen ? NULL : home->args[i]->uses; u; u = u->next)
            if (is_sum(u->user) && u->index == 1 && op_inside(u->user, loop)) return home->args[i];
    }
    return NULL;
}

static void sweep(Region *r) {
    for (Op *o = r->last, *prev; o; o = prev) {
        bool used = o->code == OP_YIELD || op_writes_memory(o) || op_has_effect(o) || !op_is_removable(o);
        prev = o->prev;
        for (int i = 0; i < o->nregs; i++) sweep(o->regs[i]);
        for (int i = 0; i < o->nres; i++) used |= !value_unused(&o->res[i]);
        if (!used) op_erase(o);
    }
}

static bool does_something(const Op *loop) {
    return op_writes_memory(loop) || op_has_effect(loop) || op_may_trap(loop);
}

/* Each array that the loop adds to by itself; what is left of the loop comes before. */
static void visit_loop(Op *loop, const PassOptions *opts) {
    enum { MOST = 4 };
    const Value *tried[MOST];
    Value *buf;
    bool changed = false;
    for (int n = 0; n < MOST && (buf = next_buffer(loop, tried, n)); n++) {
        Arena *scratch = arena_new();
        Gather g = {.loop = loop, .body = loop->regs[0], .buf = buf, .arena = scratch};
        tried[n] = buf;
        if (is_gatherable(&g)) {
            Builder b = builder_after(loop);
            b.span = loop->span;
            explain_sum(opts, loop->parent->func->module, loop->span, buf->name,
                        "a gather: each element sums what its neighbours give it, without atomic updates");
            gather(&g, &b);
            erase_sums(&g);
            changed = true;
        }
        arena_free(scratch);
    }
    if (changed) sweep(loop->regs[0]);
    if (changed && !does_something(loop)) op_erase(loop);
}

static bool is_candidate(const Op *op) {
    return op->code == OP_PARALLEL && op->nopnds <= MAX_AXES && op_loop(op) == LOOP_PLAIN &&
           !op_holds(op, OP_BARRIER);
}

static void visit(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (is_candidate(o)) visit_loop(o, opts);
        else if (o->code != OP_PARALLEL) for (int i = 0; i < o->nregs; i++) visit(o->regs[i], opts);
    }
}

void pass_gather(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++) {
        if (!m->funcs.data[i]->body) continue;
        visit(m->funcs.data[i]->body, opts);
        if (!opts->device) loops_mark(m->funcs.data[i]);
    }
}
