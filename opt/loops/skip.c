/* skip: strips of a loop whose guard holds for none of their turns are passed over.
 *
 * Needs stage loops, guards narrowed, checks hoisted.  `parallel (n) (i) { if c(i) { .. } }` where what stands under c
 * cannot become vectors, but c can: c is tested for STRIP turns side by side, and the turns run only where it held for
 * one.  The turns of a parallel loop cannot see each other's writes, so c may come before all of them.  Strip mining of
 * loops with control flow: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, chapter 7.
 *
 * Worth it when c costs little beside what it guards (inner loops, atomic updates), or holds for one turn at most: one
 * that stores in a place that is the same for all. */
#include "analysis/cost.h"
#include "opt/loops/loops.h"
#include "analysis/linear.h"

enum { STRIP = 32, FEWEST = 2 * STRIP, MAX_TEST = 24 };

typedef struct {
    Linear *linear;        /* once it is asked */
    Op *loop, *guard;
    Region *body;
    VEC(Op *) slice;       /* what computes the condition, in order; ifs in it are choices between bools */
    DType narrowest;       /* of what is compared */
    Arena *arena;
} Skip;

/* ---- the condition */

static bool outside(const Skip *s, const Value *v) { return !region_encloses(s->body, value_region(v)); }

/* The same for all turns, or one more from turn to turn */
typedef enum { SAME, BESIDE, APART } Spread;

static Spread spread(const Skip *s, const Value *v) {
    if (v == s->body->args[0]) return BESIDE;
    if (outside(s, v)) return SAME;
    const Op *op = v->def;
    if (!op || op->nregs) return APART;
    if (op->code == OP_ADD || op->code == OP_SUB) {
        Spread x = spread(s, op_opnd(op, 0)), y = spread(s, op_opnd(op, 1));
        if (x == BESIDE && y == SAME) return BESIDE;
        if (x == SAME && y == BESIDE && op->code == OP_ADD) return BESIDE;
        return x == SAME && y == SAME ? SAME : APART;
    }
    for (int i = op->code == OP_LOAD; i < op->nopnds; i++)
        if (spread(s, op_opnd(op, i)) != SAME) return APART;
    return SAME;
}

static bool along_row(const Skip *s, const Op *load) {
    for (int i = 1; i < load->nopnds; i++) {
        Spread x = spread(s, op_opnd(load, i));
        if (x == APART || (x == BESIDE && i + 1 < load->nopnds)) return false;
    }
    return true;
}

/* Index k of op is inside wherever the body runs: proved at its start, or because each turn makes an access with it. */
static bool always_inside(Skip *s, Op *load, int k) {
    if (!s->linear) s->linear = linear_new(s->body->func);
    Linear *l = s->linear;
    const Size *dim = op_opnd(load, 0)->type->dims[k];
    for (const Op *o = s->body->first; o; o = o->next)
        if (o->code == OP_LOAD && op_flag(o, A_SAFE) && k + 1 < o->nopnds &&
            op_opnd(o, k + 1) == op_opnd(load, k + 1) && op_opnd(o, 0)->type->dims[k] == dim)
            return true;
    linear_at(l, s->guard);
    const Poly *i = linear_value(l, op_opnd(load, k + 1)),
               *last = linear_sub(l, linear_size(l, dim), linear_const(l, 1));
    return linear_prove(l, s->guard, i) && linear_prove(l, s->guard, linear_sub(l, last, i));
}

static bool may_load(Skip *s, Op *load) {
    if (!op_flag(load, A_SAFE) || !along_row(s, load)) return false;
    for (int k = 0; load->parent != s->body && k + 1 < load->nopnds; k++)
        if (!always_inside(s, load, k)) return false;
    return true;
}

static bool need(Skip *s, Value *v);

static bool need_branch(Skip *s, Region *r) {
    for (Op *o = r->first; o; o = o->next)
        if (o->nregs) return false;
    return need(s, op_opnd(region_term(r), 0));
}

/* Puts what v needs into the slice; false when it is nothing for vectors. */
static bool need(Skip *s, Value *v) {
    if (outside(s, v) || v == s->body->args[0]) return true;
    Op *op = v->def;
    if (!op) return false;
    for (int i = 0; i < s->slice.len; i++)
        if (s->slice.data[i] == op) return true;
    if (s->slice.len == MAX_TEST) return false;
    const OpInfo *info = op_info(op->code);
    if (op->code == OP_IF) {
        if (op->nres != 1 || v->type->dtype != DT_BOOL || !need(s, op_opnd(op, 0))) return false;
        if (!need_branch(s, op->regs[0]) || !need_branch(s, op->regs[1])) return false;
    } else {
        if (op->code == OP_LOAD ? !may_load(s, op) : op->nregs || !op_is_pure(op) || info->cost >= COST_DIVISION)
            return false;
        for (int i = op->code == OP_LOAD; i < op->nopnds; i++)
            if (!need(s, op_opnd(op, i))) return false;
    }
    if (info->traits & TR_BOOL && !dtype_is_float(op_opnd(op, 0)->type->dtype)) {
        DType t = op_opnd(op, 0)->type->dtype;
        if (dtype_info(t)->bytes < dtype_info(s->narrowest)->bytes) s->narrowest = t;
    }
    vec_push(s->arena, &s->slice, op);
    return true;
}

/* ---- does it pay */

/* Grows, or falls, with the index by the same amount each turn */
static bool is_straight(const Skip *s, const Value *v) {
    Spread how = spread(s, v);
    const Op *op = v->def;
    if (how != APART) return true;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB && op->code != OP_MUL)) return false;
    bool one_fixed = spread(s, op_opnd(op, 0)) == SAME || spread(s, op_opnd(op, 1)) == SAME;
    return (one_fixed || op->code != OP_MUL) && is_straight(s, op_opnd(op, 0)) && is_straight(s, op_opnd(op, 1));
}

/* Holds for turns that follow each other: the loop's ends (trim.c) are all there is to pass over. */
static bool holds_in_a_run(const Skip *s, const Value *c) {
    const Op *op = c->def;
    int64_t no;
    if (outside(s, c)) return true;
    if (!op) return false;
    if (op->code == OP_AND) return holds_in_a_run(s, op_opnd(op, 0)) && holds_in_a_run(s, op_opnd(op, 1));
    if (op->code == OP_IF && value_const_int(op_opnd(region_term(op->regs[1]), 0), &no) && !no)
        return holds_in_a_run(s, op_opnd(op, 0)) && holds_in_a_run(s, op_opnd(region_term(op->regs[0]), 0));
    bool order = op->code == OP_LT || op->code == OP_LE || op->code == OP_GT || op->code == OP_GE;
    return order && is_straight(s, op_opnd(op, 0)) && is_straight(s, op_opnd(op, 1));
}

static bool stores_in_one_place(const Skip *s, const Op *op) {
    if (op->code != OP_STORE) return false;
    for (int i = 2; i < op->nopnds; i++)
        if (spread(s, op_opnd(op, i)) != SAME) return false;
    return true;
}

static bool is_worth(const Skip *s, const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (op_info(o->code)->traits & TR_LOOP || o->code == OP_ATOMIC || stores_in_one_place(s, o)) return true;
        for (int i = 0; i < o->nregs; i++)
            if (is_worth(s, o->regs[i])) return true;
    }
    return false;
}

/* Only for what the guard guards, or asks */
static bool only_guarded(Skip *s) {
    for (Op *o = s->body->first; o; o = o->next) {
        if (o == s->guard || o->code == OP_YIELD) continue;
        if (op_has_effect(o) || op_writes_memory(o) || op_may_trap(o) ||
            op_info(o->code)->traits & (TR_ALLOC | TR_LOOP))
            return false;
    }
    return true;
}

static Op *last_but_yield(const Region *r) {
    Op *yield = region_term(r);
    return yield ? yield->prev : NULL;
}

static bool matches(Skip *s) {
    int64_t n;
    const Op *loop = s->loop;
    if (loop->nopnds != 1 || op_loop(loop) == LOOP_BLOCK) return false;
    if (value_const_int(op_opnd(loop, 0), &n) && n < FEWEST) return false;
    s->guard = last_but_yield(s->body);
    if (!s->guard || s->guard->code != OP_IF || s->guard->nres || s->guard->regs[1]->first->code != OP_YIELD)
        return false;
    Value *c = op_opnd(s->guard, 0);
    if (outside(s, c) || !is_worth(s, s->guard->regs[0]) || !only_guarded(s)) return false;
    return !holds_in_a_run(s, c) && need(s, c) && spread(s, c) == APART;
}

/* ---- strips */

static void copy_slice(Skip *s, Cloner *c, Builder *b) {
    for (int i = 0; i < s->slice.len; i++) {
        Op *op = s->slice.data[i];
        if (op->code != OP_IF) {
            clone_op(c, b, op);
            continue;
        }
        Value *cond = clone_value(c, op_opnd(op, 0)), *yes = clone_value(c, op_opnd(region_term(op->regs[0]), 0));
        Value *no = clone_value(c, op_opnd(region_term(op->regs[1]), 0));
        int64_t k;
        Value *v = value_const_int(no, &k) && !k ? build_binary(b, OP_AND, cond, yes) : build_select(b, cond, yes, no);
        map_put(s->arena, &c->values, &op->res[0], v);
    }
}

static DType signed_as_wide_as(DType t) {
    switch (dtype_info(t)->bytes) {
    case 1: return DT_I8;
    case 2: return DT_I16;
    case 4: return DT_I32;
    default: return DT_I64;
    }
}

/* Whether the condition holds for one of the STRIP turns from `first` on; counted in ints as wide as what is compared
 */
static Value *holds_for_one(void *ctx, Builder *b, Value *first) {
    Skip *s = ctx;
    Value *none = build_cast(b, build_int(b, 0), signed_as_wide_as(s->narrowest));
    LoopsCount c = loops_count_begin(b, STRIP, none, first, s->body->args[0]);
    copy_slice(s, &c.copy, &c.in);
    Value *holds = build_cast(&c.in, clone_value(&c.copy, op_opnd(s->guard, 0)), none->type->dtype);
    return build_binary(b, OP_NE, loops_count_end(&c, build_binary(&c.in, OP_ADD, c.so_far, holds)), none);
}

/* What is no whole strip runs. */
static void rewrite(Skip *s) {
    LoopsStrips strips = loops_strips(s->loop, STRIP);
    Builder *in = &strips.in;
    Builder run;
    build_when(in, loops_strip_ask(&strips, holds_for_one, s, true), &run);
    build_yield(in, 0, NULL);
    loops_strip_move(&strips, &run);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL) {
            Skip s = {.loop = o, .body = o->regs[0], .narrowest = DT_I64, .arena = r->func->module->arena};
            bool good = matches(&s);
            if (s.linear) linear_free(s.linear);
            if (good) {
                rewrite(&s);
                continue;
            }
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_skip(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
