/* What is so of ints that loops carry, in their bodies: how far they have come from where they began.
 *
 * Of one, by what its turns add to it, in branches, too; of two, by what the turns add to their sum or difference. */
#include "analysis/linear_private.h"

enum { MAX_PAIRED = 8, FAR = 1 << 20 };

/* v is base, or more: sums with what is not negative that cannot wrap, through branches and loops */
static bool is_no_less(Linear *l, const Value *v, const Value *base, int fuel) {
    Op *op = v->def;
    if (v == base) return true;
    if (!op || fuel <= 0) return false;
    switch (op->code) {
    case OP_ADD:
        for (int i = 0; i < 2; i++)
            if (is_no_less(l, op_opnd(op, i), base, fuel - 1))
                return range_of(l->ranges, op_opnd(op, 1 - i), op).lo >= 0 && range_exact(l->ranges, op, op);
        return false;
    case OP_MAX: return is_no_less(l, op_opnd(op, 0), base, fuel - 1) || is_no_less(l, op_opnd(op, 1), base, fuel - 1);
    case OP_SELECT:
        return is_no_less(l, op_opnd(op, 1), base, fuel - 1) && is_no_less(l, op_opnd(op, 2), base, fuel - 1);
    case OP_IF:
        return is_no_less(l, op_opnd(region_term(op->regs[0]), v->index), base, fuel - 1) &&
               is_no_less(l, op_opnd(region_term(op->regs[1]), v->index), base, fuel - 1);
    case OP_FOR: case OP_WHILE:
        return is_no_less(l, loop_first(op, v->index), base, fuel - 1) &&
               is_no_less(l, loop_next(op, v->index), loop_carried(op, v->index), fuel - 1);
    default: return false;
    }
}

/* What each turn of a for from lo on by one changes within bounds has changed within as many times these. */
static void facts_of_count(Linear *l, PolyVec *facts, const Op *loop, Value *now, const Poly *first) {
    Region *body = loop_body(loop);
    IntRange turn;
    if (loop->code != OP_FOR || !value_is_const_int(op_opnd(loop, 2), 1)) return;
    if (!range_changes(l->ranges, now, body->first, &turn) || !range_steps(l->ranges, now, body->first)) return;
    const Poly *turns = linear_sub(l, linear_value(l, body->args[0]), linear_value(l, op_opnd(loop, 0))),
               *least = linear_add(l, first, linear_mul(l, turns, linear_const(l, turn.lo))),
               *most = linear_add(l, first, linear_mul(l, turns, linear_const(l, turn.hi)));
    linear_fact(l, facts, linear_sub(l, linear_value(l, now), least));
    linear_fact(l, facts, linear_sub(l, most, linear_value(l, now)));
}

/* What is only counted up is no less than where it began. */
static void facts_of_one(Linear *l, PolyVec *facts, const Op *loop, int i) {
    enum { FUEL = 24 };
    Value *now = loop_carried(loop, i);
    const Poly *first = linear_value(l, loop_first(loop, i));
    facts_of_count(l, facts, loop, now, first);
    if (is_no_less(l, loop_next(loop, i), now, FUEL))
        linear_fact(l, facts, linear_sub(l, linear_value(l, now), first));
}

/* An int that changes from turn to turn, what it is in the first one, and how often it counts in a sum */
typedef struct { Value *now, *first; int64_t times; } Moving;

/* The sum of what all have changed by is 0 modulo 2^64: it is 0 if it cannot be as far from that as 2^64. */
static void fact_balance(Linear *l, PolyVec *facts, const Op *loop, const Moving *m, int n) {
    const __int128 far = (__int128)1 << 64;
    const Poly *sum = linear_const(l, 0);
    __int128 lo = 0, hi = 0;
    for (int i = 0; i < n; i++) {
        IntRange now = range_of(l->ranges, m[i].now, loop_body(loop)->first),
                 first = range_of(l->ranges, m[i].first, loop_body(loop)->first);
        __int128 least = ((__int128)now.lo - first.hi) * m[i].times, most = ((__int128)now.hi - first.lo) * m[i].times;
        lo += m[i].times > 0 ? least : most;
        hi += m[i].times > 0 ? most : least;
        sum = linear_add(l, sum, linear_mul(l, linear_const(l, m[i].times),
                                            linear_sub(l, linear_value(l, m[i].now), linear_value(l, m[i].first))));
    }
    if (lo <= -far || hi >= far) return;
    linear_fact(l, facts, sum);
    linear_fact(l, facts, linear_sub(l, linear_const(l, 0), sum));
}

/* What changes in all turns alike, by a divisor of `by`: the index of a for, or what a while counts */
static bool find_clock(Linear *l, const Op *loop, int64_t by, Moving *clock) {
    IntRange turn;
    int64_t step;
    if (loop->code == OP_FOR) {
        *clock = (Moving){loop_body(loop)->args[0], op_opnd(loop, 0), 0};
        if (value_const_int(op_opnd(loop, 2), &step) && step && by % step == 0) return clock->times = -by / step, true;
    }
    for (int i = 0; i < loop->nres; i++) {
        *clock = (Moving){loop_carried(loop, i), loop_first(loop, i), 0};
        bool known = linear_is_int(clock->now) &&
                     range_changes(l->ranges, clock->now, loop_body(loop)->first, &turn) && turn.lo == turn.hi;
        if (known && turn.lo && by % turn.lo == 0) return clock->times = -by / turn.lo, true;
    }
    return false;
}

/* Of two ints of which each turn changes one or the other the sum or the difference changes evenly (Karr, "Affine
 * relationships among variables of a program", Acta Informatica 6, 1976). */
static void facts_of_pair(Linear *l, PolyVec *facts, const Op *loop, int i, int k) {
    const Op *at = loop_body(loop)->first;
    IntRange turn;
    if (range_changes(l->ranges, loop_carried(loop, i), at, &turn) && turn.lo == turn.hi) return;
    for (int64_t sign = -1; sign <= 1; sign += 2) {
        Moving m[3] = {{loop_carried(loop, i), loop_first(loop, i), 1},
                       {loop_carried(loop, k), loop_first(loop, k), sign}};
        if (!range_changes_both(l->ranges, m[0].now, m[1].now, sign, at, &turn) || turn.lo != turn.hi) continue;
        bool small = turn.lo > -FAR && turn.lo < FAR;
        if (!turn.lo) fact_balance(l, facts, loop, m, 2);
        else if (small && find_clock(l, loop, turn.lo, &m[2])) fact_balance(l, facts, loop, m, 3);
    }
}

void linear_facts_of_carried(Linear *l, PolyVec *facts, const Op *loop) {
    for (int i = 0; i < loop->nres; i++)
        if (linear_is_int(loop_carried(loop, i))) facts_of_one(l, facts, loop, i);
    for (int i = 0; i < loop->nres && i < MAX_PAIRED; i++)
        for (int k = i + 1; k < loop->nres && k < MAX_PAIRED; k++)
            if (linear_is_int(loop_carried(loop, i)) && linear_is_int(loop_carried(loop, k)))
                facts_of_pair(l, facts, loop, i, k);
}
