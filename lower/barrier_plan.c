/* Plans the lowering of barriers to loops over the threads: what is the same for all threads of a block, where the
 * code is cut into segments, and which values cross from one segment into another and so need memory.
 *
 * What is kept in memory is a minimum cut: a value needed in a later segment is stored, or computed again there from
 * others that are; a cheap pure operation may be done again, a load only of what has not changed (barrier_home.c).  The
 * cut separates what cannot be done again (source) from what is needed later (sink), each value costing one array. */
#include "analysis/cost.h"
#include "lower/barrier_plan.h"

#include <string.h>

bool plan_inside(const ThreadPlan *p, const Value *v) { return region_encloses(p->body, value_region(v)); }

static bool varies(const ThreadPlan *p, const Value *v) { return value_varies(&p->uniform, v); }

/* ---- numbering */

static int number_values(Region *r, int n) {
    for (int i = 0; i < r->nargs; i++) r->args[i]->id = n++;
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nres; i++) o->res[i].id = n++;
        for (int i = 0; i < o->nregs; i++) n = number_values(o->regs[i], n);
    }
    return n;
}

/* ---- what is the same for all threads of a block */

/* A safe load from memory that nobody writes in the island */
static bool constant_load(const Op *op) {
    if (op->code != OP_LOAD || !op_flag(op, A_SAFE)) return false;
    const Value *buf = op_opnd(op, 0);
    if (buf->def || !buf->region->owner || buf->region->owner->code != OP_ISLAND) return false;
    return op_attr(buf->region->owner, A_MODES)->ints[buf->index] == 0;
}

/* What may stop the program is done by those threads alone that come to it. */
static bool once(const Uniform *u, const Op *op) {
    return (op_is_pure(op) || constant_load(op)) && !op_uses_varying(u, op) &&
           (op_is_speculatable(op) || !op_under_varying(u, op));
}

bool plan_uniform_op(const ThreadPlan *p, const Op *op) { return once(&p->uniform, op); }

/* ---- segments */

static void mark_inside(Op *op, int seg) {
    op->mark = seg;
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) mark_inside(o, seg);
}

static int cut_region(Region *r, int seg) {
    for (Op *o = r->first; o; o = o->next) {
        mark_inside(o, seg);
        if (!op_holds(o, OP_BARRIER)) continue;
        seg++;
        for (int i = 0; i < o->nregs; i++) seg = cut_region(o->regs[i], seg) + 1;
    }
    return seg;
}

bool plan_structural(const ThreadPlan *p, const Value *v) {
    if (!varies(p, v)) return false;
    if (v->def) return op_holds(v->def, OP_BARRIER);
    return v->region != p->body && op_holds(v->region->owner, OP_BARRIER);
}

/* ---- what crosses */

typedef struct { int to, cap, back; } Edge; /* back: index of the reverse edge at `to` */
typedef VEC(Edge) Edges;
typedef struct {
    ThreadPlan *plan;
    Edges *edges;  /* by node: 2*id enters value id, 2*id+1 leaves it; then source and sink */
    bool *known;   /* by Value.id: already in the graph */
    char *rests;   /* by Value.id: 1 + whether it rests on memory; 0: not asked yet */
    bool *seen;    /* by node, of one search */
    int source, sink;
} Cut;

static void cut_edge(Cut *c, int from, int to, int cap) {
    Arena *a = c->plan->arena;
    vec_push(a, &c->edges[from], ((Edge){to, cap, c->edges[to].len}));
    vec_push(a, &c->edges[to], ((Edge){from, 0, c->edges[from].len - 1}));
}

enum { FOREVER = 1 << 28 };

/* Available everywhere without an array of its own */
static bool is_free(const ThreadPlan *p, const Value *v) {
    return !varies(p, v) || (!v->def && v->region == p->body) || plan_structural(p, v) || v->type->kind == TY_BUF;
}

bool plan_again(const Op *op) { return op->nregs == 0 && op_is_pure(op) && op_info(op->code)->cost <= COST_KEEP; }

/* Computed again, v would need a load. */
static bool rests_on_memory(const Cut *c, const Value *v) {
    if (is_free(c->plan, v)) return false;
    if (c->rests[v->id]) return c->rests[v->id] > 1;
    bool yes = !plan_again(v->def);
    for (int i = 0; i < v->def->nopnds && !yes; i++) yes = rests_on_memory(c, op_opnd(v->def, i));
    c->rests[v->id] = (char)(1 + yes);
    return yes;
}

static Op *find_home(const Cut *c, const Value *v) { return rests_on_memory(c, v) ? plan_home(c->plan, v) : NULL; }

static void cut_value(Cut *c, const Value *v) {
    if (is_free(c->plan, v) || c->known[v->id]) return;
    c->known[v->id] = true;
    cut_edge(c, 2 * v->id, 2 * v->id + 1, 1);
    const Op *from = c->plan->home[v->id] = find_home(c, v);
    if (!from && plan_again(v->def)) from = v->def;
    if (!from) {
        cut_edge(c, c->source, 2 * v->id, FOREVER);
        return;
    }
    for (int i = from->code == OP_STORE; i < from->nopnds; i++) {
        const Value *x = op_opnd(from, i);
        cut_value(c, x);
        if (!is_free(c->plan, x)) cut_edge(c, 2 * x->id + 1, 2 * v->id, FOREVER);
    }
}

static bool cut_augment(Cut *c, int node) {
    if (node == c->sink) return true;
    c->seen[node] = true;
    for (int i = 0; i < c->edges[node].len; i++) {
        Edge *e = &c->edges[node].data[i];
        if (e->cap <= 0 || c->seen[e->to] || !cut_augment(c, e->to)) continue;
        e->cap--;
        c->edges[e->to].data[e->back].cap++;
        return true;
    }
    return false;
}

/* A use beyond the segment of the definition */
static void need_value(Cut *c, Value *v, Op *user) {
    if (is_free(c->plan, v)) return;
    bool mask = user->code == OP_IF && op_holds(user, OP_BARRIER); /* asked for in each segment inside */
    if (v->def->mark == user->mark && !mask) return;
    cut_value(c, v);
    cut_edge(c, 2 * v->id + 1, c->sink, FOREVER);
}

static void need_region(Cut *c, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nopnds; i++) need_value(c, op_opnd(o, i), o);
        for (int i = 0; i < o->nregs; i++) need_region(c, o->regs[i]);
    }
}

static void choose_stored(ThreadPlan *p) {
    int nodes = 2 * p->nvalues + 2;
    Cut c = {.plan = p, .edges = NEWN(p->arena, Edges, nodes), .known = NEWN(p->arena, bool, p->nvalues + 1),
             .rests = NEWN(p->arena, char, p->nvalues + 1), .seen = NEWN(p->arena, bool, nodes),
             .source = nodes - 2, .sink = nodes - 1};
    need_region(&c, p->body);
    do memset(c.seen, 0, sizeof *c.seen * (size_t)nodes);
    while (cut_augment(&c, c.source));
    for (int v = 0; v < p->nvalues; v++) p->stored[v] = c.seen[2 * v] && !c.seen[2 * v + 1];
}

ThreadPlan barrier_plan(Arena *arena, Op *loop) {
    Region *body = loop->regs[0];
    ThreadPlan p = {.module = body->func->module, .arena = arena, .loop = loop, .body = body};
    p.nvalues = number_values(body, 0);
    p.stored = NEWN(arena, bool, p.nvalues + 1);
    p.home = NEWN(arena, Op *, p.nvalues + 1);
    p.uniform = uniform_of(arena, loop, once);
    cut_region(body, 0);
    choose_stored(&p);
    return p;
}
