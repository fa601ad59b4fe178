/* distribute: a parallel loop becomes two, one after the other, where that lets each run as it should.
 *
 * Needs stage loops; iterations of a parallel loop do not depend on each other, so all of them may do their first part
 * before any does its second.  The second part is either
 *   sums     the atomic updates whose order is part of the result (sums of floats): they run in order, and the work
 *            that leads to them in parallel before it
 *   a guard  that comes last and holds for one value of an index: it becomes a loop over the other indices, and the
 *            rest is free of it; also in a loop inside a parallel one
 * The second loop computes again what is cheap and reads memory that the loop does not write; other values that it
 * needs are kept in arrays with an element for each iteration.  Sums run in order: where what is cheap is much, the
 * values that they add are kept, and the second loop does no more than add.  Where an iteration keeps many values, they
 * stand next to each other: few streams of memory, not one for each.  Two loops that only threads gain from come in
 * rounds, so that what is kept stays in the cache: strip mining.  Loop distribution: Allen and Kennedy,
 * Optimizing Compilers for Modern Architectures, 2001, section 5.2. */
#include "analysis/affine.h"
#include "analysis/cost.h"
#include "opt/loops/loops.h"

#include <limits.h>

enum {
    MANY_STREAMS = 6,    /* that a loop writes: more are slower than one */
    SHORT_ROUND = 1 << 13, /* iterations of a round, at least */
    ROUND_BYTES = 1 << 20  /* that a round keeps, if it is not short */
};

enum {
    FIRST,
    AGAIN,
    SECOND,
    CARRIER,
    KEPT
}; /* Op.mark: first part only; both, computed again; second only; around SECOND; both, kept */

typedef struct {
    Op *loop;
    Region *body;
    Cloner to_second;
    VEC(Value *) kept;
    Value **arrays; /* where kept[i] is kept: at the iteration's indices, and places[i] where it is not negative */
    int *places;
    int64_t round; /* iterations of the first axis that the loop has at most; 0: it goes through all of them */
    const Value *written[32]; /* buffers that the first part writes */
    int nwritten;
    bool values; /* the values that are added are kept, whatever they cost */
    bool impossible;
} Split;

/* ---- marks */

static void mark_first(void *ctx, Op *op) { (void)ctx; op->mark = FIRST; }
static void mark_second(void *ctx, Op *op) { (void)ctx; op->mark = SECOND; }

static bool is_ordered_sum(const Op *op) {
    return op->code == OP_ATOMIC && op_combine(op) == COMBINE_ADD && dtype_is_float(op_opnd(op, 0)->type->dtype);
}

/* What stands around a sum is done twice: a branch, or a loop that carries nothing. */
static void mark_sum(void *ctx, Op *op) {
    Split *s = ctx;
    if (!is_ordered_sum(op) || region_encloses(s->body, value_region(op_opnd(op, 1)))) return;
    op->mark = SECOND;
    s->impossible |= op->nres > 0;
    for (Op *o = op->parent->owner; o != s->loop; o = o->parent->owner) {
        s->impossible |= (o->code != OP_IF && o->code != OP_FOR) || o->nres;
        o->mark = CARRIER;
    }
}

static bool is_written(const Split *s, const Value *buf) {
    for (int i = 0; i < s->nwritten; i++)
        if (s->written[i] == buf) return true;
    return false;
}

static const Value *target_of(const Op *op) {
    return op->code == OP_STORE || op->code == OP_ATOMIC ? op_opnd(op, 1) : NULL;
}

static void find_written(void *ctx, Op *op) {
    Split *s = ctx;
    const Value *buf = op->mark == FIRST ? target_of(op) : NULL;
    if (op->code == OP_BARRIER || op->code == OP_SPAWN || op->code == OP_CALL || op->code == OP_BIND)
        s->impossible = true;
    if (!buf || is_written(s, buf)) return;
    if (s->nwritten == 32) s->impossible = true;
    else s->written[s->nwritten++] = buf;
}

/* ---- what the second part needs */

static void need(Split *s, Value *v);

static void need_operands(Split *s, Op *op) {
    for (int i = 0; i < op->nopnds; i++) need(s, op_opnd(op, i));
}

static bool computed_again(const Split *s, const Op *op) {
    const OpInfo *info = op_info(op->code);
    if (op->nregs || info->traits & (TR_WRITE | TR_EFFECT | TR_ALLOC)) return false;
    if (info->traits & TR_READ && is_written(s, op_opnd(op, 0))) return false;
    return op->parent != s->body || info->cost < COST_CALL;
}

static void keep(Split *s, Value *v) {
    if (v->type->kind != TY_SCALAR) s->impossible = true;
    for (int i = 0; i < s->kept.len; i++)
        if (s->kept.data[i] == v) return;
    v->def->mark = KEPT;
    vec_push(s->loop->parent->func->module->arena, &s->kept, v);
}

static void need(Split *s, Value *v) {
    if (!region_encloses(s->body, value_region(v))) return;
    if (!v->def) {
        Op *owner = v->region->owner;
        s->impossible |= owner != s->loop && owner->mark != CARRIER && owner->mark != SECOND;
        return;
    }
    Op *op = v->def;
    if (op->mark == AGAIN || op->mark == SECOND) return;
    if (op->mark == FIRST && computed_again(s, op)) {
        op->mark = AGAIN;
        need_operands(s, op);
    } else if (op->mark != CARRIER && op->parent == s->body) keep(s, v);
    else s->impossible = true;
}

static void need_of_second(void *ctx, Op *op) {
    Split *s = ctx;
    if (op->mark != SECOND && op->mark != CARRIER) return;
    for (int i = 0; i < op->nopnds; i++) {
        Value *v = op_opnd(op, i);
        bool added = s->values && i == 0 && is_ordered_sum(op);
        if (added && v->def && v->def->parent == s->body && !value_const(v)) keep(s, v);
        else need(s, v);
    }
}

/* The first part must not touch elements that the second one writes. */
typedef struct { const Split *s; Affine *affine; bool found; } Clash;

/* In any two iterations */
static bool are_apart(Clash *c, Op *first, Op *second) {
    if (!c->affine) c->affine = affine_new(c->s->loop->parent->func, 0);
    affine_within(c->affine, c->s->loop);
    isl_set *x = affine_touched(c->affine, &first, 1, false),
            *y = x ? affine_touched(c->affine, &second, 1, false) : NULL;
    bool apart = affine_apart(c->affine, x, y);
    isl_set_free(x), isl_set_free(y);
    return apart;
}

static void find_clash(void *ctx, Op *op) {
    Clash *c = ctx;
    bool access = op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_ATOMIC;
    if (op->mark == SECOND || c->found) return;
    for (int i = 0; i < op->nopnds; i++)
        for (const Use *u = op_opnd(op, i)->uses; u && op_opnd(op, i)->type->kind == TY_BUF; u = u->next) {
            bool both = u->user->mark == SECOND && op_inside(u->user, c->s->loop) &&
                        target_of(u->user) == op_opnd(op, i);
            c->found |= both && !(access && are_apart(c, op, u->user));
        }
}

/* The first part of an iteration touches nothing that the second part of another writes, or its own. */
static bool has_clash(const Split *s) {
    Clash c = {.s = s};
    region_walk(s->body, find_clash, &c);
    affine_free(c.affine);
    return c.found;
}

/* ---- building */

static void carry(Split *s, Builder *b, const Op *op);

/* Where kept value i of the iteration with these indices is: how many indices that takes */
static int place_of(const Split *s, Builder *b, int i, Value *const *ivs, Value **at) {
    int n = s->body->nargs;
    for (int k = 0; k < n; k++) at[k] = ivs[k];
    if (s->places[i] >= 0) at[n++] = build_int(b, s->places[i]);
    return n;
}

static void second_part(Split *s, Builder *b, const Region *r) {
    for (const Op *o = r->first; o != region_term(r); o = o->next) {
        if (o->mark == CARRIER) carry(s, b, o);
        else if (o->mark == AGAIN || o->mark == SECOND) clone_op(&s->to_second, b, o);
        for (int i = 0; o->mark == KEPT && i < s->kept.len; i++) {
            if (s->kept.data[i]->def != o) continue;
            Value *at[MAX_RANK], *ivs[MAX_RANK];
            for (int k = 0; k < s->body->nargs; k++) ivs[k] = clone_value(&s->to_second, s->body->args[k]);
            Value *v = load_safe(b, s->arrays[i], place_of(s, b, i, ivs, at), at);
            map_put(b->module->arena, &s->to_second.values, s->kept.data[i], v);
        }
    }
}

static void carry(Split *s, Builder *b, const Op *op) {
    Value *opnds[3] = {NULL};
    for (int i = 0; i < op->nopnds; i++) opnds[i] = clone_value(&s->to_second, op_opnd(op, i));
    Op *copy = op->code == OP_IF ? build_if(b, opnds[0], 0, NULL) : build_for(b, opnds[0], opnds[1], opnds[2], 0, NULL);
    copy->span = op->span;
    for (int i = 0; i < op->nregs; i++) {
        Builder in = builder_at_end(b->module, copy->regs[i], op->span);
        for (int k = 0; k < op->regs[i]->nargs; k++) {
            copy->regs[i]->args[k]->name = op->regs[i]->args[k]->name;
            map_put(b->module->arena, &s->to_second.values, op->regs[i]->args[k], copy->regs[i]->args[k]);
        }
        second_part(s, &in, op->regs[i]);
        build_yield(&in, 0, NULL);
    }
}

static bool is_kept_as(const Split *s, int i, DType t) { return s->kept.data[i]->type->dtype == t; }

/* The array of kept value i; if there are many of its type, theirs, too */
static void make_array(Split *s, Builder *b, int i, const Size **dims) {
    DType t = s->kept.data[i]->type->dtype;
    int n = 0, rank = s->loop->nopnds;
    for (int k = i; k < s->kept.len; k++) n += is_kept_as(s, k, t);
    bool together = n > MANY_STREAMS && rank < MAX_RANK;
    if (together) dims[rank] = size_const(b->module->session, n);
    Value *array = build_shared(b, t, together ? rank + 1 : rank, dims, together ? NULL : s->kept.data[i]->name);
    for (int k = i, place = 0; k < s->kept.len; k++) {
        if (k > i && (!together || !is_kept_as(s, k, t))) continue;
        s->arrays[k] = array;
        s->places[k] = together ? place++ : -1;
    }
}

/* Arrays with an element for each iteration, before the loop */
static bool make_arrays(Split *s) {
    const Size *dims[MAX_RANK];
    Op *island = s->loop->parent->owner, *around = s->round ? s->loop->parent->owner : s->loop;
    while (island->code == OP_IF || island->code == OP_FOR) island = island->parent->owner;
    Builder b = builder_before(around), outside = builder_before(island);
    Session *session = b.module->session;
    if (!s->kept.len) return true;
    for (int i = 0; i < s->loop->nopnds; i++) {
        Value *extent = op_opnd(s->loop, i);
        bool size = extent->def && (extent->def->code == OP_CONST || extent->def->code == OP_SIZE);
        if (!i && s->round) dims[i] = size_const(session, s->round);
        else if (size || value_dominates(extent, island)) dims[i] = build_size_of(&outside, extent);
        else return false;
    }
    s->arrays = NEWN(b.module->arena, Value *, s->kept.len);
    s->places = NEWN(b.module->arena, int, s->kept.len);
    for (int i = 0; i < s->kept.len; i++)
        if (!s->arrays[i]) make_array(s, &b, i, dims);
    return true;
}

static void erase_second(Region *r) {
    for (Op *o = r->last, *prev; o; o = prev) {
        prev = o->prev;
        if (o->mark == SECOND && !(op_info(o->code)->traits & TR_TERM)) op_erase(o);
        else for (int i = 0; i < o->nregs; i++) erase_second(o->regs[i]);
    }
}

static bool split(Split *s) {
    Op *loop = s->loop;
    if (!make_arrays(s)) return false;
    Value *extents[MAX_RANK];
    for (int i = 0; i < loop->nopnds; i++) extents[i] = op_opnd(loop, i);
    Builder b = builder_after(loop);
    Op *second = build_parallel(&b, loop->nopnds, extents, op_loop(loop));
    second->span = loop->span;
    for (int i = 0; i < loop->nopnds; i++) {
        second->regs[0]->args[i]->name = s->body->args[i]->name;
        map_put(b.module->arena, &s->to_second.values, s->body->args[i], second->regs[0]->args[i]);
    }
    Builder in = builder_at_end(b.module, second->regs[0], loop->span);
    second_part(s, &in, s->body);
    build_yield(&in, 0, NULL);
    for (int i = 0; i < s->kept.len; i++) {
        Builder after = builder_after(s->kept.data[i]->def);
        Value *at[MAX_RANK];
        store_safe(&after, s->kept.data[i], s->arrays[i], place_of(s, &after, i, s->body->args, at), at);
    }
    erase_second(s->body);
    return true;
}

/* Marks are set: SECOND, and CARRIER around them. */
static bool possible(Split *s) {
    region_walk(s->body, find_written, s);
    if (s->impossible) return false;
    region_walk(s->body, need_of_second, s);
    return !s->impossible && s->body->nargs <= MAX_RANK && !has_clash(s);
}

/* ---- sums that run in order */

/* cost: of what is in the first part alone */
typedef struct { bool sums, work, tables; int cost; } Worth;

/* v is read from memory, or computed of what is, in the body. */
static bool is_read(const Split *s, const Value *v, int depth) {
    const Op *op = v->def;
    if (!op || !region_encloses(s->body, op->parent)) return false;
    if (op->code == OP_LOAD) return true;
    for (int i = 0; i < op->nopnds && depth < 8; i++)
        if (is_read(s, op_opnd(op, i), depth + 1)) return true;
    return false;
}

typedef struct { const Split *split; Worth *worth; } Look;

static void look(void *ctx, Op *op) {
    const Look *l = ctx;
    Worth *w = l->worth;
    const OpInfo *info = op_info(op->code);
    bool table = false;
    if (op->mark == SECOND) {
        for (int i = 2; i < op->nopnds; i++) table |= is_read(l->split, op_opnd(op, i), 0);
        w->tables &= table;
        w->sums = true;
    }
    if (op->mark != FIRST && op->mark != KEPT) return;
    w->work |= info->traits & TR_LOOP || info->cost >= COST_CALL;
    w->cost += info->cost;
}

static Worth look_at(const Split *s) {
    Worth w = {.tables = true};
    Look l = {s, &w};
    region_walk(s->body, look, &l);
    w.work |= w.cost >= COST_OF_A_LOOP;
    return w;
}

static void add_cost(void *ctx, Op *op) {
    int *cost = ctx;
    if (op->mark == AGAIN) *cost += op_info(op->code)->cost;
}

/* What the second loop does beside the sums */
static int second_cost(const Split *s) {
    int cost = COST_KEEP * s->kept.len;
    region_walk(s->body, add_cost, &cost);
    return cost;
}

static bool plan_sums(Split *s, Op *loop, bool values, Worth *w) {
    *s = (Split){.loop = loop, .body = loop->regs[0], .to_second = {.module = loop->parent->func->module}};
    s->values = values;
    region_walk(s->body, mark_first, NULL);
    region_walk(s->body, mark_sum, s);
    *w = look_at(s);
    if (!w->sums || s->impossible || (!w->work && !w->tables) || !possible(s)) return false;
    *w = look_at(s); /* what only leads to the sums stays with them */
    return w->work || (w->tables && w->cost >= second_cost(s));
}

/* if there are threads { the loop, which is to be split } else { a copy, which runs in order }: through tables nothing
 * but threads gains. */
static void split_for_threads(Op *loop) {
    Builder b = builder_before(loop);
    Cloner c = {.module = b.module};
    Value *threads = build_threads(&b);
    Op *choice = build_if(&b, build_binary(&b, OP_GT, threads, build_int(&b, 1)), 0, NULL);
    Builder then = builder_at_end(b.module, choice->regs[0], loop->span),
            other = builder_at_end(b.module, choice->regs[1], loop->span);
    op_set_flag(clone_op(&c, &other, loop), A_SERIAL);
    build_yield(&then, 0, NULL);
    build_yield(&other, 0, NULL);
    op_move_before(loop, region_term(choice->regs[0]));
}

static int bytes_kept(const Split *s) {
    int bytes = 0;
    for (int i = 0; i < s->kept.len; i++) bytes += dtype_info(s->kept.data[i]->type->dtype)->bytes;
    return bytes;
}

/* for first in 0:n:round { the loop over the next `round` iterations of its first axis } */
static void run_in_rounds(Op *loop, int64_t round) {
    Builder b = builder_before(loop), in;
    Value *n = op_opnd(loop, 0), *iv = loop->regs[0]->args[0];
    Value *first = loops_open_for(&b, build_int(&b, 0), n, build_int(&b, round), &in);
    first->name = intern(b.module->session, "first");
    Value *size = index_min(&in, index_sub(&in, n, first), build_int(&in, round));
    op_move_before(loop, region_term(first->region));
    op_set_opnd(loop, 0, size);
    Builder body = builder_before(loop->regs[0]->first);
    Value *i = build_binary(&body, OP_ADD, iv, first);
    value_replace_all(iv, i);
    op_set_opnd(i->def, 0, iv);
    i->name = iv->name;
}

/* The second loop computes the values that it adds again, or they are kept where that costs it less. */
static bool split_sums(Op *loop) {
    Split s;
    Worth w;
    int kept = plan_sums(&s, loop, true, &w) ? second_cost(&s) : INT_MAX;
    bool again = plan_sums(&s, loop, false, &w) && second_cost(&s) <= kept;
    if (!again && (kept == INT_MAX || !plan_sums(&s, loop, true, &w))) return false;
    if (!w.tables || op_flag(loop, A_SERIAL)) return split(&s);
    split_for_threads(loop);
    int bytes = bytes_kept(&s);
    int64_t round = SHORT_ROUND, n;
    while (2 * round * bytes <= ROUND_BYTES && bytes) round *= 2;
    bool few = !bytes || s.body->nargs > 1 || (value_const_int(op_opnd(loop, 0), &n) && n <= round);
    if (few) return split(&s);
    run_in_rounds(loop, round);
    bool values = s.values;
    if (!plan_sums(&s, loop, values, &w)) return false;
    s.round = round;
    return split(&s);
}

/* ---- a guard that picks one value of an index */

enum { MOST_PARTS = 100 }; /* of a condition: what is made of others twice has parts without end */

static bool picks_index(const Region *body, const Value *c, int *left) {
    const Op *d = c->def;
    if (!d || d->parent != body || --*left < 0) return false;
    if (d->code == OP_AND) return picks_index(body, op_opnd(d, 0), left) || picks_index(body, op_opnd(d, 1), left);
    if (d->code != OP_EQ) return false;
    for (int i = 0; i < 2; i++) {
        const Value *x = op_opnd(d, i), *y = op_opnd(d, 1 - i);
        int64_t k;
        if (!x->def && x->region == body && (!region_encloses(body, value_region(y)) || value_const_int(y, &k)))
            return true;
    }
    return false;
}

static bool writes_before(const Op *guard) {
    for (const Op *o = guard->prev; o; o = o->prev)
        if (op_writes_memory(o)) return true;
    return false;
}

static bool split_guard(Op *loop) {
    Split s = {.loop = loop, .body = loop->regs[0], .to_second = {.module = loop->parent->func->module}};
    Op *guard = region_term(s.body)->prev;
    if (!guard || guard->code != OP_IF || guard->nres || region_term(guard->regs[1])->prev) return false;
    int left = MOST_PARTS;
    if (!picks_index(s.body, op_opnd(guard, 0), &left) || !writes_before(guard)) return false;
    region_walk(s.body, mark_first, NULL);
    region_walk(guard->regs[0], mark_second, NULL);
    guard->mark = SECOND;
    region_walk(s.body, find_written, &s);
    region_walk(s.body, need_of_second, &s);
    return !s.impossible && !s.kept.len && split(&s);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        bool plain = op_loop(o) == LOOP_PLAIN;
        OpCode around = plain && r->owner ? r->owner->code : OP_COUNT;
        if ((around == OP_ISLAND || around == OP_PARALLEL) && split_guard(o)) continue;
        if (around == OP_ISLAND && split_sums(o)) continue;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_distribute(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
