/* What a loop accumulates, told by its form.
 *
 * A value c that the loop carries may be combined: its next value is made of c by one operation, c + f(i), in any
 * branch or none, f and what decides depending on the turn alone.  It may be picked: `if f(i) > c { c = f(i) }`, or
 * max(c, f(i)) of floats, whose zeros and NaN tell the order of operands.  It may follow one that is picked, as the
 * place in argmax does, or be set now and then.  All else is a recurrence, and no answer.  (Induction variables and
 * reductions are told apart so in M. Gerlek, E. Stoltz, M. Wolfe, Beyond induction variables, TOPLAS 17, 1995.) */
#include "opt/par/accumulate.h"

enum { MOST_STEPS = 8, MOST_CARRIED = 12 };

Value *accumulate_first(const Accumulation *a, int k) { return loop_first(a->loop[0], k); }
Value *accumulate_now(const Accumulation *a, int k) { return loop_carried(a->loop[a->depth - 1], k); }
Value *accumulate_next(const Accumulation *a, int k) { return loop_next(a->loop[a->depth - 1], k); }

/* ---- what depends on what is carried */

typedef struct { Arena *arena; Accumulation *a; bool grew; } Taint;

static bool is_tainted(const Accumulation *a, const Value *v) { return map_has(&a->tainted, v); }

bool accumulate_is_free(const Accumulation *a, const Value *v) { return !is_tainted(a, v); }

static void taint(Taint *t, Value *v) {
    if (is_tainted(t->a, v)) return;
    map_put(t->arena, &t->a->tainted, v, v);
    t->grew = true;
}

static void taint_region(Taint *t, Region *r);

static bool any_operand(const Taint *t, const Op *op, int n) {
    for (int i = 0; i < n; i++)
        if (is_tainted(t->a, op_opnd(op, i))) return true;
    return false;
}

static bool mentions(const Taint *t, const Op *op) {
    bool any = any_operand(t, op, op->nopnds);
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o && !any; o = o->next) any = mentions(t, o);
    return any;
}

static void taint_results(Taint *t, Op *op) {
    for (int i = 0; i < op->nres; i++) taint(t, &op->res[i]);
}

static void taint_for(Taint *t, Op *op) {
    if (any_operand(t, op, 3)) taint_results(t, op);
    for (int k = 0; k < op->nres; k++)
        if (is_tainted(t->a, loop_first(op, k)) || is_tainted(t->a, loop_next(op, k)))
            taint(t, loop_carried(op, k)), taint(t, &op->res[k]);
}

static void taint_op(Taint *t, Op *op) {
    for (int i = 0; i < op->nregs; i++) taint_region(t, op->regs[i]);
    if (op->code == OP_FOR) taint_for(t, op);
    else if (mentions(t, op)) taint_results(t, op); /* all of a branch: it is computed again as a whole */
}

static void taint_region(Taint *t, Region *r) {
    for (Op *o = r->first; o; o = o->next) taint_op(t, o);
}

static void find_tainted(Accumulation *a, Arena *arena) {
    Taint t = {.arena = arena, .a = a, .grew = true};
    for (int k = 0; k < a->n; k++) taint(&t, loop_carried(a->loop[0], k));
    while (t.grew) {
        t.grew = false;
        taint_region(&t, a->loop[0]->regs[0]);
    }
}

/* ---- the loops */

static bool counts(const Op *loop) {
    int64_t step;
    return loop->code == OP_FOR && loop->nres && value_const_int(op_opnd(loop, 2), &step) && step &&
           op_opnd(loop, 0)->type->dtype == DT_I64 && !op_flag(loop, A_PROGRESS) && !op_attr(loop, A_CHECKPOINT);
}

/* The loop in it that does all the rest of a turn, and is the same box of turns for each */
static Op *handed_on(const Op *loop) {
    const Region *r = loop->regs[0];
    Op *inner = region_term(r)->prev;
    if (!inner || !counts(inner) || inner->nres != loop->nres) return NULL;
    for (int i = 0; i < 3; i++)
        if (region_encloses(r, value_region(op_opnd(inner, i)))) return NULL;
    for (int k = 0; k < loop->nres; k++) {
        bool through = loop_first(inner, k) == loop_carried(loop, k) && loop_next(loop, k) == &inner->res[k];
        if (!through || !value_single_use(loop_carried(loop, k)) || !value_single_use(&inner->res[k])) return NULL;
    }
    return inner;
}

static bool find_loops(Accumulation *a, Op *loop) {
    if (!counts(loop) || loop->nres > MOST_CARRIED || !op_only_computes(loop)) return false;
    for (int k = 0; k < loop->nres; k++)
        if (loop->res[k].type->kind != TY_SCALAR) return false;
    for (a->n = loop->nres; loop && a->depth < ACCUMULATE_DEEP; loop = handed_on(loop)) a->loop[a->depth++] = loop;
    return true;
}

/* ---- what is combined */

bool accumulate_choice(const Value *v, Choice *c) {
    const Op *op = v->def;
    if (!op || (op->code != OP_SELECT && op->code != OP_IF)) return false;
    c->cond = op_opnd(op, 0);
    for (int side = 0; side < 2; side++)
        c->side[side] = op->code == OP_SELECT ? op_opnd(op, 1 + side) : op_opnd(region_term(op->regs[side]), v->index);
    return true;
}

/* op combines by code: so does a difference, and an inequality of bools is their exclusive or. */
static bool does(const Op *op, OpCode code) {
    if (code == OP_XOR && op->code == OP_NE) return op_opnd(op, 0)->type->dtype == DT_BOOL;
    return op->code == code || (code == OP_ADD && op->code == OP_SUB);
}

Value *accumulate_other(const Accumulation *a, const Value *v, Combine kind, Value **chain) {
    const Op *op = v->def;
    OpCode code = combine_info(kind)->op;
    if (!op || !does(op, code)) return NULL;
    for (int i = 0; i < (op->code == OP_SUB ? 1 : 2); i++) {
        if (!is_tainted(a, op_opnd(op, i)) || is_tainted(a, op_opnd(op, 1 - i))) continue;
        *chain = op_opnd(op, i);
        return op_opnd(op, 1 - i);
    }
    return NULL;
}

static bool may_trap_in(const Region *r) {
    for (const Op *o = r->first; o; o = o->next)
        if (op_may_trap(o)) return true;
    return false;
}

Value *accumulate_short(const Accumulation *a, const Value *v, Combine kind, Value **chain) {
    Choice c;
    bool both = kind == COMBINE_AND;
    if (v->type->dtype != DT_BOOL || (!both && kind != COMBINE_OR) || !accumulate_choice(v, &c)) return NULL;
    Value *matters = c.side[!both], *known = c.side[both];
    if (!is_tainted(a, c.cond) || is_tainted(a, matters)) return NULL;
    if (known != c.cond && !value_is_const_int(known, !both)) return NULL;
    if (v->def->code == OP_IF && may_trap_in(v->def->regs[!both])) return NULL;
    *chain = c.cond;
    return matters;
}

static bool combines(const Accumulation *a, const Value *v, const Value *c, Combine kind) {
    Choice choice;
    Value *chain;
    if (v == c) return true;
    if (!v->def || !is_tainted(a, v)) return false;
    if (accumulate_other(a, v, kind, &chain) || accumulate_short(a, v, kind, &chain))
        return combines(a, chain, c, kind);
    if (accumulate_choice(v, &choice))
        return !is_tainted(a, choice.cond) && combines(a, choice.side[0], c, kind) &&
               combines(a, choice.side[1], c, kind);
    const Op *op = v->def;
    if (op->code != OP_FOR || is_tainted(a, op_opnd(op, 0)) || is_tainted(a, op_opnd(op, 1)) ||
        is_tainted(a, op_opnd(op, 2)))
        return false;
    return loop_first(op, v->index) == c && combines(a, loop_next(op, v->index), loop_carried(op, v->index), kind);
}

static bool may_combine(Combine kind, DType t, bool sums) {
    bool logic = kind == COMBINE_AND || kind == COMBINE_OR || kind == COMBINE_XOR;
    if (dtype_is_float(t)) return sums && (kind == COMBINE_ADD || kind == COMBINE_MUL) && (t == DT_F64 || t == DT_F32);
    return t == DT_BOOL ? logic : t != DT_STR;
}

static bool read_combined(Accumulation *a, int k, bool sums) {
    static const Combine kinds[] = {COMBINE_ADD, COMBINE_MUL, COMBINE_MIN, COMBINE_MAX,
                                    COMBINE_AND, COMBINE_OR,  COMBINE_XOR};
    Value *c = accumulate_now(a, k);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!may_combine(kinds[i], c->type->dtype, sums)) continue;
        if (!combines(a, accumulate_next(a, k), c, kinds[i])) continue;
        a->carry[k].kind = CARRY_COMBINES, a->carry[k].combine = kinds[i];
        return true;
    }
    return false;
}

/* ---- what is taken instead: the conditions on the way to it */

typedef struct { const Value *cond; bool yes; } Step;
typedef struct { Step step[MOST_STEPS]; int n; Value *leaf; } Path;

static bool add_step(Path *p, const Value *cond, bool yes) {
    const Op *op = cond->def;
    Choice both;
    if (yes && op && op->code == OP_AND) return add_step(p, op_opnd(op, 0), true) && add_step(p, op_opnd(op, 1), true);
    if (yes && accumulate_choice(cond, &both) && value_is_const_int(both.side[1], 0))
        return add_step(p, both.cond, true) && add_step(p, both.side[0], true);
    if (p->n == MOST_STEPS) return false;
    p->step[p->n++] = (Step){cond, yes};
    return true;
}

/* v is c but where all conditions hold; then it is the leaf. */
static bool read_path(Value *v, const Value *c, Path *p) {
    Choice choice;
    *p = (Path){0};
    while (accumulate_choice(v, &choice) && (choice.side[0] == c || choice.side[1] == c)) {
        bool yes = choice.side[1] == c;
        if (!add_step(p, choice.cond, yes)) return false;
        v = choice.side[!yes];
    }
    p->leaf = v;
    return v != c;
}

static bool same_path(const Path *x, const Path *y) {
    bool same = x->n == y->n;
    for (int i = 0; same && i < x->n; i++)
        same = x->step[i].cond == y->step[i].cond && x->step[i].yes == y->step[i].yes;
    return same;
}

/* The only condition that depends on what is carried; NULL: none, *several: more than one */
static const Step *deciding(const Accumulation *a, const Path *p, bool *several) {
    const Step *found = NULL;
    *several = false;
    for (int i = 0; i < p->n; i++) {
        if (!is_tainted(a, p->step[i].cond)) continue;
        *several = found != NULL;
        found = &p->step[i];
    }
    return found;
}

static bool take_comparison(OpCode code, Carry *c) {
    if (code != OP_GT && code != OP_GE && code != OP_LT && code != OP_LE) return false;
    c->combine = code == OP_GT || code == OP_GE ? COMBINE_MAX : COMBINE_MIN;
    c->last = code == OP_GE || code == OP_LE;
    c->compares = true;
    return true;
}

/* The step asks whether the leaf is beyond c.  Where a comparison of floats does not hold there may be NaN. */
static bool beats(const Step *s, const Value *c, const Value *leaf, Carry *carry) {
    const Op *op = s->cond->def;
    if (!op || !opcode_is_compare(op->code)) return false;
    bool right = op_opnd(op, 1) == c && op_opnd(op, 0) == leaf, left = op_opnd(op, 0) == c && op_opnd(op, 1) == leaf;
    if ((!right && !left) || (!s->yes && dtype_is_float(c->type->dtype))) return false;
    OpCode code = s->yes ? op->code : opcode_negated(op->code);
    return take_comparison(right ? code : opcode_mirrored(code), carry);
}

/* min(c, f(i)), or the other way round: then of equals the first stays */
static bool reaches(const Accumulation *a, Path *p, const Value *c, Carry *carry) {
    Op *op = p->leaf->def;
    if (!op || (op->code != OP_MIN && op->code != OP_MAX)) return false;
    int of = op_opnd(op, 1) == c;
    if (op_opnd(op, of) != c || is_tainted(a, op_opnd(op, 1 - of))) return false;
    p->leaf = op_opnd(op, 1 - of);
    carry->combine = op->code == OP_MIN ? COMBINE_MIN : COMBINE_MAX;
    carry->last = of == 0, carry->compares = false;
    return true;
}

static bool read_picked(Accumulation *a, int k) {
    const Value *c = accumulate_now(a, k);
    Carry *carry = &a->carry[k];
    Path p;
    bool several;
    if (c->type->dtype == DT_BOOL || c->type->dtype == DT_STR || !read_path(accumulate_next(a, k), c, &p)) return false;
    const Step *s = deciding(a, &p, &several);
    if (several) return false;
    bool picks = s ? !is_tainted(a, p.leaf) && beats(s, c, p.leaf, carry) : reaches(a, &p, c, carry);
    if (picks) carry->kind = CARRY_PICKS, carry->leaf = p.leaf;
    return picks;
}

/* The number of the one that picks by the comparison on this way; -1: none */
static int followed_by(const Accumulation *a, const Path *p) {
    Path other;
    for (int k = 0; k < a->n; k++)
        if (a->carry[k].kind == CARRY_PICKS && a->carry[k].compares &&
            read_path(accumulate_next(a, k), accumulate_now(a, k), &other) && same_path(p, &other))
            return k;
    return -1;
}

static bool read_taken(Accumulation *a, int k) {
    Carry *carry = &a->carry[k];
    Path p;
    bool several;
    if (!read_path(accumulate_next(a, k), accumulate_now(a, k), &p) || is_tainted(a, p.leaf)) return false;
    carry->leaf = p.leaf;
    if (!deciding(a, &p, &several)) return carry->kind = CARRY_SETS, true;
    carry->kind = CARRY_FOLLOWS, carry->key = followed_by(a, &p);
    if (carry->key >= 0) a->carry[carry->key].followed = true;
    return carry->key >= 0;
}

/* Those that combine, or pick, are known before those that follow. */
static bool read_carried(Accumulation *a, bool sums) {
    bool *known = NEWN(a->loop[0]->parent->func->module->arena, bool, a->n), all = true;
    for (int k = 0; k < a->n; k++) known[k] = read_picked(a, k);
    for (int k = 0; k < a->n; k++) known[k] = known[k] || read_combined(a, k, sums);
    for (int k = 0; k < a->n; k++) all = all && (known[k] || read_taken(a, k));
    for (int k = 0; k < a->n; k++) {
        bool plain = a->carry[k].kind == CARRY_PICKS && !a->carry[k].followed;
        if (plain && !dtype_is_float(accumulate_now(a, k)->type->dtype)) a->carry[k].kind = CARRY_COMBINES;
    }
    return all;
}

bool accumulate_read(Op *loop, bool sums, Accumulation *a) {
    *a = (Accumulation){0};
    if (!find_loops(a, loop)) return false;
    Arena *arena = loop->parent->func->module->arena;
    a->carry = NEWN(arena, Carry, a->n);
    find_tainted(a, arena);
    return read_carried(a, sums);
}
