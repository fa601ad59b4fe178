/* loads-ahead: what threads of a GPU read in the next turns of a loop with barriers is on its way in this one.
 *
 * A load of far memory takes hundreds of cycles.  Loops that go through tiles read, wait at a barrier, compute, and
 * wait at another one; neither LLVM nor ptxas moves a load across a barrier, so all threads of a block wait for memory
 * in each turn.  Here the loop carries the elements: the first ones are read before it, a turn begins by reading for
 * one that comes (software pipelining: Lam, PLDI 1988; as matrix products for GPUs do by hand: Volkov and Demmel, SC
 * 2008).  That is so of elements of arrays that the launch does not write, whose place and whose guards are formulas of
 * the loop's index and what stands outside; those of the turn to come are computed for it, and the load is done where
 * they hold, so nothing is read that would not have been.
 *
 * needs: indices that are proved (prove-bounds); a turn that nothing can stop. */
#include "opt/loops/loops.h"

enum {
    MOST_LOADS = 8,
    MOST_STEPS = 64, /* of a formula */
    FAR = 4          /* turns: while memory answers once a block comes to as many barriers */
};

typedef struct {
    Op *launch, *loop;
    Arena *scratch;
    VEC(Op *) loads;
    bool barrier, may_stop;
} Loop;

/* ---- which loads */

static Region *body_of(const Loop *l) { return l->loop->regs[0]; }

/* A formula of the index and of what stands outside */
static bool is_formula(const Loop *l, const Value *v, int *steps) {
    if (!region_encloses(body_of(l), value_region(v))) return true;
    if (!v->def) return v == body_of(l)->args[0];
    bool good = v->def->code == OP_CONST || v->def->code == OP_SIZE || op_is_scalar_arithmetic(v->def);
    good &= ++*steps <= MOST_STEPS && !op_may_trap(v->def);
    for (int i = 0; i < v->def->nopnds && good; i++) good = is_formula(l, op_opnd(v->def, i), steps);
    return good;
}

static bool is_only_read(const Loop *l, const Value *buf) {
    return !buf->def && buf->type->space == SPACE_GLOBAL && !op_holds_write(l->launch, buf);
}

/* Else the loop hands it on to a later turn as it is. */
static bool is_needed_now(const Loop *l, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next) {
        const Region *r = u->user->parent;
        if (u->user->code != OP_YIELD || (r != body_of(l) && r->owner->code != OP_IF)) return true;
        if (r != body_of(l) && is_needed_now(l, &r->owner->res[u->index])) return true;
    }
    return false;
}

static bool is_ahead(const Loop *l, const Op *load) {
    int steps = 0;
    bool good = op_flag(load, A_SAFE) && is_only_read(l, op_opnd(load, 0)) && is_needed_now(l, &load->res[0]);
    for (int i = 1; i < load->nopnds && good; i++) good = is_formula(l, op_opnd(load, i), &steps);
    for (const Op *o = load; o->parent != body_of(l) && good; o = o->parent->owner) {
        const Op *branch = o->parent->owner;
        good = branch->code == OP_IF && is_formula(l, op_opnd(branch, 0), &steps);
    }
    return good;
}

static void look_at(void *ctx, Op *op) {
    Loop *l = ctx;
    l->barrier |= op->code == OP_BARRIER;
    l->may_stop |= op_may_trap(op) || op_has_effect(op);
    if (op->code == OP_LOAD && l->loads.len < MOST_LOADS && is_ahead(l, op)) vec_push(l->scratch, &l->loads, op);
}

/* ---- the loop that carries them */

static Value *copy(Cloner *c, Builder *b, const Loop *l, Value *v) { return clone_slice(c, b, body_of(l), v); }

/* Whether the turn comes to the load, if there is such a turn */
static Value *comes_to(Cloner *c, Builder *b, const Loop *l, const Op *load, Value *turn) {
    Value *comes = turn;
    for (const Op *o = load; o->parent != body_of(l); o = o->parent->owner) {
        Value *cond = copy(c, b, l, op_opnd(o->parent->owner, 0));
        comes = build_both(b, comes, o->parent == o->parent->owner->regs[0] ? cond : build_unary(b, OP_NOT, cond));
    }
    return comes;
}

/* What the load finds in the turn with index iv, which is one of the loop's if `turn` holds; else anything */
static Value *found(Builder *b, const Loop *l, const Op *load, Value *iv, Value *turn) {
    Cloner c = {.module = b->module};
    Value *idx[MAX_RANK];
    map_put(l->scratch, &c.values, body_of(l)->args[0], iv);
    b->span = load->span;
    Op *choice = build_if(b, comes_to(&c, b, l, load, turn), 1, &load->res[0].type);
    Builder some = builder_at_end(b->module, choice->regs[0], load->span),
            none = builder_at_end(b->module, choice->regs[1], load->span);
    for (int i = 1; i < load->nopnds; i++) idx[i - 1] = copy(&c, &some, l, op_opnd(load, i));
    Value *x = load_safe(&some, op_opnd(load, 0), load->nopnds - 1, idx), *zero = build_zero(&none, load->res[0].type);
    build_yield(&some, 1, &x);
    build_yield(&none, 1, &zero);
    choice->res[0].name = load->res[0].name;
    return &choice->res[0];
}

/* Those of the first turns need not wait, either. */
static Builder before_barriers(Op *loop) {
    Op *at = loop;
    while (at->prev && at->prev->code == OP_BARRIER) at = at->prev;
    return builder_before(at);
}

/* How many turns ahead: while another loop runs one is enough */
static int turns_ahead(const Op *loop) { return region_has_loops(loop->regs[0]) ? 1 : FAR; }

/* What the loop carries: as before, then of each load what it finds in this turn and those that come */
typedef struct { Value **first, **next; int old, ahead, all; } Carried;

static Value *later(Builder *b, const Loop *l, Value *iv, int turns) {
    for (int k = 0; k < turns; k++) iv = build_binary(b, OP_ADD, iv, op_opnd(l->loop, 2));
    return iv;
}

static void find_first(const Loop *l, const Carried *c) {
    Builder b = before_barriers(l->loop);
    for (int i = 0; i < c->old; i++) c->first[i] = loop_first(l->loop, i);
    for (int k = 0; k < c->ahead; k++) {
        Value *iv = later(&b, l, op_opnd(l->loop, 0), k), *some = build_binary(&b, OP_LT, iv, op_opnd(l->loop, 1));
        for (int i = 0; i < l->loads.len; i++)
            c->first[c->old + i * c->ahead + k] = found(&b, l, l->loads.data[i], iv, some);
    }
}

/* A turn begins by reading for another one; what it needs itself is there. */
static void find_next(const Loop *l, const Carried *c, Op *loop) {
    Builder in = builder_at_end(l->loop->parent->func->module, loop->regs[0], l->loop->span);
    Value *iv = later(&in, l, loop->regs[0]->args[0], c->ahead),
          *more = build_binary(&in, OP_LT, iv, op_opnd(l->loop, 1));
    for (int i = 0; i < l->loads.len; i++) {
        int at = c->old + i * c->ahead, end = at + c->ahead - 1;
        for (int k = at; k < end; k++) c->next[k] = loop_carried(loop, k + 1);
        c->next[end] = found(&in, l, l->loads.data[i], iv, more);
    }
    for (int i = 0; i < l->loads.len; i++) {
        value_replace_all(&l->loads.data[i]->res[0], loop_carried(loop, c->old + i * c->ahead));
        op_erase(l->loads.data[i]);
    }
}

static void move_body(const Loop *l, const Carried *c, Op *loop) {
    Op *yield = region_term(body_of(l));
    loop->regs[0]->args[0]->name = body_of(l)->args[0]->name;
    value_replace_all(body_of(l)->args[0], loop->regs[0]->args[0]);
    for (int i = 0; i < c->old; i++) {
        value_replace_all(loop_carried(l->loop, i), loop_carried(loop, i));
        value_replace_all(&l->loop->res[i], &loop->res[i]);
        c->next[i] = op_opnd(yield, i);
    }
    op_move_range(body_of(l)->first, yield->prev, loop->regs[0], NULL);
    Builder in = builder_at_end(l->loop->parent->func->module, loop->regs[0], l->loop->span);
    build_yield(&in, c->all, c->next);
}

static void carry(const Loop *l) {
    Op *old = l->loop;
    Carried c = {.old = old->nres, .ahead = turns_ahead(old)};
    c.all = c.old + l->loads.len * c.ahead;
    c.first = NEWN(l->scratch, Value *, 2 * c.all), c.next = c.first + c.all;
    find_first(l, &c);
    Builder b = builder_before(old);
    Op *loop = build_for(&b, op_opnd(old, 0), op_opnd(old, 1), op_opnd(old, 2), c.all, c.first);
    find_next(l, &c, loop);
    move_body(l, &c, loop);
    op_erase(old);
}

/* Loops of a thread, inner ones first */
static void visit(Region *r, Op *launch) {
    for (Op *op = r->first, *next; op; op = next) {
        int64_t step;
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i], op_loop(op) == LOOP_BLOCK ? op : launch);
        if (op->code != OP_FOR || !launch || !value_const_int(op_opnd(op, 2), &step) || step < 1) continue;
        Loop l = {.launch = launch, .loop = op, .scratch = arena_new()};
        region_walk(op->regs[0], look_at, &l);
        if (l.barrier && !l.may_stop && l.loads.len) carry(&l);
        arena_free(l.scratch);
    }
}

void pass_loads_ahead(Module *m, const PassOptions *opts) {
    if (!opts->device) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, NULL);
}
