/* Which accesses may run at the same time in two iterations of a parallel.
 *
 * Walks the loop's body.  `up` of a piece of code is what may run before its first barrier, `down` what may run after
 * its last one, and `ways` are those in which it can be passed without one: an `if` by an arm without barriers, a loop
 * with barriers by no turn.  In a sequence, the down of what stands before meets the up of what comes after; in a loop
 * with barriers also its own down meets its up of the next turn.  What such a loop passes on to its surroundings is of
 * its first (up) or last (down) turn. An access remembers, as steps, which way it passed the rest of its piece; when
 * that cannot be said it is loose: the pair may conflict, but not certainly. */
#include "analysis/depend_private.h"
#include "analysis/uniform.h"

typedef struct { Op *op; const Step *steps; bool loose; } Item; /* a way is an item without an access */
typedef VEC(Item) Items;
typedef struct { Items up, down, ways; } Part;
typedef struct { Arena *arena; Op *loop, *ignored; PairVec *out; } Walk;

enum { MAX_PAIRS = 20000, MAX_WAYS = 4 };

/* ---- accesses */

bool access_parts(const Op *op, Value **buf, int *first_index) {
    if (!op_is_access(op)) return false;
    *buf = op_buffer(op);
    *first_index = op_index_first(op);
    return true;
}

/* A compare-and-swap sees what it finds: it goes with updates of every kind, whose order with each other counts. */
bool accesses_clash(const Op *a, const Op *b) {
    if (a->code == OP_LOAD && b->code == OP_LOAD) return false;
    if (a->code != OP_ATOMIC || b->code != OP_ATOMIC) return true;
    return !op_expected(a) && !op_expected(b) && op_combine(a) != op_combine(b);
}

/* Memory made inside the loop is another one in each iteration. */
static bool is_shared(const Walk *w, const Op *op) {
    Value *buf;
    int first;
    return access_parts(op, &buf, &first) && !region_encloses(w->loop->regs[0], value_region(buf)) &&
           !(w->loop->nregs > 1 && region_encloses(w->loop->regs[1], value_region(buf)));
}

/* ---- pairs */

static void append(Walk *w, Items *to, const Items *from) {
    for (int i = 0; i < from->len; i++) vec_push(w->arena, to, from->data[i]);
}

typedef struct { Region *common; Op *succ; bool later; } Order; /* as in Pair */

static void meet(Walk *w, const Items *a, const Items *b, Order order) {
    for (int i = 0; i < a->len; i++)
        for (int k = a == b ? i : 0; k < b->len; k++) {
            const Item *x = &a->data[i], *y = &b->data[k];
            if (op_buffer(x->op) != op_buffer(y->op) || !accesses_clash(x->op, y->op) || w->out->len >= MAX_PAIRS)
                continue;
            Pair pair = {.a = {x->op, w->loop, x->steps},
                         .b = {y->op, w->loop, y->steps},
                         .common = order.common,
                         .succ = order.succ,
                         .later = order.later,
                         .loose = x->loose || y->loose || order.later};
            vec_push(w->arena, w->out, pair);
        }
}

/* ---- ways */

static const Step *step(Walk *w, Op *op, StepKind kind, const Step *rest) {
    Step *s = NEW(w->arena, Step);
    *s = (Step){op, kind, rest};
    return s;
}

static const Step *chain(Walk *w, const Step *front, const Step *rest) {
    return front ? step(w, front->op, front->kind, chain(w, front->outer, rest)) : rest;
}

static Items free_way(Walk *w) {
    Items one = {0};
    vec_push(w->arena, &one, ((Item){0}));
    return one;
}

static bool is_free(const Items *ways) { return ways->len == 1 && !ways->data[0].steps && !ways->data[0].loose; }

static void step_all(Walk *w, Items *to, const Items *from, Op *op, StepKind kind, bool loose) {
    for (int i = 0; i < from->len; i++) {
        const Item *x = &from->data[i];
        vec_push(w->arena, to,
                 ((Item){x->op, kind == STEP_ANY ? x->steps : step(w, op, kind, x->steps), x->loose || loose}));
    }
}

/* Each of `items` on each of the ways */
static Items along(Walk *w, const Items *items, const Items *ways) {
    Items all = {0};
    for (int k = 0; k < ways->len && !is_free(ways); k++)
        for (int i = 0; i < items->len; i++) {
            const Item *x = &items->data[i], *way = &ways->data[k];
            vec_push(w->arena, &all, ((Item){x->op, chain(w, way->steps, x->steps), x->loose || way->loose}));
        }
    return is_free(ways) ? *items : all;
}

/* Ways behind one another, or beside one another: too many become one that nothing is known of */
static Items few(Walk *w, Items ways) {
    if (ways.len <= MAX_WAYS) return ways;
    Items any = free_way(w);
    any.data[0].loose = true;
    return any;
}

/* A loop that has a turn for certain */
static bool surely_turns(const Op *op) {
    int64_t x[3];
    for (int i = 0; i < 3; i++) {
        const Op *def = op->code == OP_FOR ? op_opnd(op, i)->def : NULL;
        if (!def || def->code != OP_CONST) return false;
        x[i] = op_attr(def, A_VALUE)->c.i;
    }
    return x[2] > 0 ? x[0] < x[1] : x[0] > x[1];
}

/* ---- the walk */

static void collect(Walk *w, Op *op, Items *out) {
    if (is_shared(w, op)) vec_push(w->arena, out, ((Item){op, NULL, false}));
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) collect(w, o, out);
}

static Part part_of_region(Walk *w, Region *r);

/* Nothing in it is ordered; loose: although there are barriers in it */
static Part part_of_plain(Walk *w, Op *op, Region *common, bool loose) {
    Part p = {.ways = free_way(w)};
    collect(w, op, &p.up);
    for (int i = 0; i < p.up.len; i++) p.up.data[i].loose = loose;
    p.ways.data[0].loose = loose;
    meet(w, &p.up, &p.up, (Order){common, NULL, false});
    p.down = p.up;
    return p;
}

/* x, then y behind it */
static Part sequence(Walk *w, const Part *x, const Part *y) {
    Part p = {.up = {0}};
    Items up = along(w, &y->up, &x->ways), down = along(w, &x->down, &y->ways);
    append(w, &p.up, &x->up);
    append(w, &p.up, &up);
    append(w, &p.down, &down);
    append(w, &p.down, &y->down);
    p.ways = few(w, along(w, &y->ways, &x->ways));
    return p;
}

static Part part_of_loop(Walk *w, Op *op) {
    Part turn = part_of_region(w, op->regs[0]), condition = {.ways = free_way(w)}, p = {.up = {0}};
    if (op->code == OP_WHILE) { /* it is left behind its condition */
        Part body = part_of_region(w, op->regs[1]);
        condition = turn;
        meet(w, &condition.down, &body.up, (Order){op->regs[1], NULL, false});
        turn = sequence(w, &condition, &body);
    }
    bool passable = turn.ways.len > 0; /* some turns without a barrier */
    meet(w, &turn.down, &turn.up, (Order){op->parent, op, false});
    if (passable) meet(w, &turn.down, &turn.up, (Order){op->parent, op, true});
    step_all(w, &p.up, &turn.up, op, STEP_FIRST, false);
    step_all(w, &p.down, &turn.down, op, STEP_LAST, false);
    if (passable) step_all(w, &p.up, &turn.up, op, STEP_ANY, true);
    if (passable) step_all(w, &p.down, &turn.down, op, STEP_ANY, true);
    p.down = along(w, &p.down, &condition.ways);
    step_all(w, &p.down, &condition.down, op, STEP_ANY, true);
    if (passable) p.ways = condition.ways;
    for (int i = 0; passable && i < p.ways.len; i++) p.ways.data[i].loose = true;
    if (!passable && !surely_turns(op)) step_all(w, &p.ways, &condition.ways, op, STEP_ZERO, false);
    return p;
}

static Part part_of_if(Walk *w, Op *op) {
    Part p = {.up = {0}};
    for (int i = 0; i < 2; i++) {
        Part arm = part_of_region(w, op->regs[i]);
        append(w, &p.up, &arm.up);
        append(w, &p.down, &arm.down);
        step_all(w, &p.ways, &arm.ways, op, i ? STEP_ELSE : STEP_THEN, false);
    }
    p.ways = few(w, p.ways);
    return p;
}

static Part part_of(Walk *w, Op *op, Region *common) {
    if (op == w->ignored || !op_holds_barrier_of(op, w->loop)) return part_of_plain(w, op, common, false);
    switch (op->code) {
    case OP_BARRIER: return (Part){.up = {0}};
    case OP_FOR: case OP_WHILE: return part_of_loop(w, op);
    case OP_IF: return part_of_if(w, op);
    default: return part_of_plain(w, op, common, true); /* as if its barriers ordered nothing */
    }
}

static Part part_of_region(Walk *w, Region *r) {
    Part p = {.ways = free_way(w)};
    for (Op *o = r->first; o; o = o->next) {
        Part one = part_of(w, o, r);
        if (!one.up.len && !one.down.len && is_free(&one.ways)) continue;
        meet(w, &p.down, &one.up, (Order){r, NULL, false});
        p = sequence(w, &p, &one);
    }
    return p;
}

/* ---- threads of which only some come to a barrier: its order is not to be relied on */

static bool parts(Depend *d, const Uniform *u, Op *loop, Op *at, Value *v) {
    return value_varies(u, v) && depend_differs(d, loop, at, v).sat != ANSWER_NO;
}

static bool lonely(Depend *d, const Uniform *u, Op *loop, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (!op_holds_barrier_of(o, loop)) continue;
        if (o->code == OP_IF && parts(d, u, loop, o, op_opnd(o, 0))) return true;
        for (int i = 0; o->code == OP_FOR && i < 3; i++)
            if (parts(d, u, loop, o, op_opnd(o, i))) return true;
        Op *last = o->code == OP_WHILE ? region_term(o->regs[0]) : NULL;
        if (last && parts(d, u, loop, last, op_opnd(last, 0))) return true;
        for (int i = 0; i < o->nregs; i++)
            if (lonely(d, u, loop, o->regs[i])) return true;
    }
    return false;
}

bool pairs_of(Depend *d, Arena *arena, Op *loop, Op *ignored, PairVec *out) {
    Walk w = {.arena = arena, .loop = loop, .ignored = ignored, .out = out};
    if (loop->code == OP_SPAWN) {
        Items side[2] = {{0}};
        for (int i = 0; i < 2; i++)
            for (Op *o = loop->regs[i]->first; o; o = o->next) collect(&w, o, &side[i]);
        meet(&w, &side[0], &side[1], (Order){0});
        return true;
    }
    bool barriers = op_holds_barrier_of(loop, loop), ordered = barriers;
    if (ordered) {
        Uniform u = uniform_new(arena, loop);
        ordered = !lonely(d, &u, loop, loop->regs[0]);
    }
    if (ordered) {
        part_of_region(&w, loop->regs[0]);
        return true;
    }
    Items all = {0};
    for (Op *o = loop->regs[0]->first; o; o = o->next) collect(&w, o, &all);
    bool thread = op_loop(loop) == LOOP_THREAD;
    meet(&w, &all, &all, (Order){thread ? loop->regs[0] : NULL, NULL, false});
    return !barriers;
}
