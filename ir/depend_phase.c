/* Which accesses may run at the same time in two iterations of a parallel.
 *
 * Walks the loop's body.  `up` of a piece of code is what may run before its first barrier, `down` what may run after its
 * last one, and it is clear when it can be passed without one.  In a sequence, the down of what stands before meets the up
 * of what comes after; in a loop with barriers also its own down meets its up of the next turn.  What such a loop passes on to
 * its surroundings is of its first (up) or last (down) turn. */
#include "ir/depend_private.h"
#include "ir/uniform.h"

#include <string.h>

typedef struct { Op *op; const Step *steps; } Item;
typedef VEC(Item) Items;
typedef struct { Items up, down; bool clear; } Part;
typedef struct { Depend *d; Arena *arena; Op *loop, *ignored; PairVec *out; bool is_thread; } Walk;

enum { MAX_PAIRS = 20000 };

/* ---- accesses */

bool access_parts(const Op *op, Value **buf, int *first_index) {
    int at;
    switch (op->code) {
    case OP_LOAD: at = 0; break;
    case OP_STORE: case OP_ATOMIC: at = 1; break;
    default: return false;
    }
    *buf = op_opnd(op, at);
    *first_index = at + 1;
    return true;
}

static Value *buffer_of(const Op *op) { return op_opnd(op, op->code == OP_LOAD ? 0 : 1); }

bool accesses_clash(const Op *a, const Op *b) {
    if (a->code == OP_LOAD && b->code == OP_LOAD) return false;
    return a->code != OP_ATOMIC || b->code != OP_ATOMIC || op_sym(a, A_KIND) != op_sym(b, A_KIND);
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

static void meet(Walk *w, const Items *a, const Items *b, Region *common, Op *succ) {
    for (int i = 0; i < a->len; i++)
        for (int k = a == b ? i : 0; k < b->len; k++) {
            const Item *x = &a->data[i], *y = &b->data[k];
            if (buffer_of(x->op) != buffer_of(y->op) || !accesses_clash(x->op, y->op) || w->out->len >= MAX_PAIRS) continue;
            Pair pair = {{x->op, w->loop, x->steps}, {y->op, w->loop, y->steps}, common, succ, {NULL, 0}, 0};
            vec_push(w->arena, w->out, pair);
        }
}

static Item stepped(Walk *w, Item x, Op *op, StepKind kind) {
    Step *s = NEW(w->arena, Step);
    *s = (Step){op, kind, x.steps};
    return (Item){x.op, s};
}

static void step_all(Walk *w, Items *to, const Items *from, Op *op, StepKind kind) {
    for (int i = 0; i < from->len; i++) vec_push(w->arena, to, stepped(w, from->data[i], op, kind));
}

/* ---- the walk */

static void collect(Walk *w, Op *op, Items *out) {
    if (is_shared(w, op)) vec_push(w->arena, out, ((Item){op, NULL}));
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) collect(w, o, out);
}

static Part part_of_region(Walk *w, Region *r);

static Part part_of_plain(Walk *w, Op *op, Region *common) {
    Part p = {.clear = true};
    collect(w, op, &p.up);
    meet(w, &p.up, &p.up, common, NULL);
    p.down = p.up;
    return p;
}

static Part part_of_loop(Walk *w, Op *op) {
    Part body = {.clear = true}, p = {.clear = true}, condition = {.clear = true};
    for (int i = 0; i < op->nregs; i++) {
        Part one = part_of_region(w, op->regs[i]);
        if (!i && op->nregs > 1) condition = one;
        if (i) { /* the condition of a while, then its body */
            meet(w, &body.down, &one.up, op->parent, NULL);
            if (body.clear) append(w, &body.up, &one.up);
            if (!one.clear) body.down = one.down;
            else append(w, &body.down, &one.down);
            body.clear &= one.clear;
        } else body = one;
    }
    if (body.clear) { /* turns that no barrier separates */
        Items all = {0};
        append(w, &all, &body.up);
        append(w, &all, &body.down);
        meet(w, &all, &all, op->parent, NULL);
        p.up = body.up;
        p.down = body.down;
        return p;
    }
    meet(w, &body.down, &body.up, op->parent, op);
    step_all(w, &p.up, &body.up, op, STEP_FIRST);
    step_all(w, &p.down, &body.down, op, STEP_LAST);
    step_all(w, &p.down, &condition.down, op, STEP_ANY); /* a while is left after its condition */
    return p;
}

static Part part_of_if(Walk *w, Op *op) {
    Part p = {.clear = false}, arm[2];
    for (int i = 0; i < 2; i++) {
        arm[i] = part_of_region(w, op->regs[i]);
        append(w, &p.up, &arm[i].up);
        append(w, &p.down, &arm[i].down);
        p.clear |= arm[i].clear;
    }
    return p;
}

static Part part_of(Walk *w, Op *op, Region *common) {
    if (op == w->ignored || !op_holds_barrier_of(op, w->loop)) return part_of_plain(w, op, common);
    switch (op->code) {
    case OP_BARRIER: return (Part){.clear = false};
    case OP_FOR: case OP_WHILE: return part_of_loop(w, op);
    case OP_IF: return part_of_if(w, op);
    default: return part_of_plain(w, op, common); /* as if its barriers ordered nothing */
    }
}

/* What goes past op without a barrier knows how. */
static void pass_over(Walk *w, Items *down, Op *op) {
    Items before = *down;
    bool known = (op->code == OP_FOR || op->code == OP_WHILE) && op_holds_barrier_of(op, w->loop);
    if (!known) return;
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next)
            if (o != w->ignored && o->code == OP_BARRIER) {
                *down = (Items){0};
                step_all(w, down, &before, op, STEP_ZERO);
                return;
            }
}

static Part part_of_region(Walk *w, Region *r) {
    Part p = {.clear = true};
    for (Op *o = r->first; o; o = o->next) {
        Part one = part_of(w, o, r);
        if (!one.up.len && !one.down.len && one.clear) continue;
        meet(w, &p.down, &one.up, r, NULL);
        if (p.clear) append(w, &p.up, &one.up);
        if (one.clear) {
            if (w->is_thread) pass_over(w, &p.down, o);
            append(w, &p.down, &one.down);
        } else p.down = one.down;
        p.clear &= one.clear;
    }
    return p;
}

/* ---- threads of which only some come to a barrier: its order is not to be relied on */

static bool parts(Depend *d, const Uniform *u, Op *loop, Op *at, Value *v) {
    return value_varies(u, v) && depend_differs(d, loop, at, v, NULL).sat != ANSWER_NO;
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

void pairs_of(Depend *d, Arena *arena, Op *loop, Op *ignored, PairVec *out) {
    Walk w = {.d = d, .arena = arena, .loop = loop, .ignored = ignored, .out = out};
    if (loop->code == OP_SPAWN) {
        Items side[2] = {{0}};
        for (int i = 0; i < 2; i++)
            for (Op *o = loop->regs[i]->first; o; o = o->next) collect(&w, o, &side[i]);
        meet(&w, &side[0], &side[1], NULL, NULL);
        return;
    }
    bool ordered = op_holds_barrier_of(loop, loop);
    if (ordered) {
        Uniform u = uniform_new(arena, loop);
        ordered = !lonely(d, &u, loop, loop->regs[0]);
    }
    w.is_thread = ordered;
    if (ordered) {
        part_of_region(&w, loop->regs[0]);
        return;
    }
    Items all = {0};
    for (Op *o = loop->regs[0]->first; o; o = o->next) collect(&w, o, &all);
    bool thread = op_sym(loop, A_KIND) && !strcmp(op_sym(loop, A_KIND), "thread");
    meet(&w, &all, &all, thread ? loop->regs[0] : NULL, NULL);
}
