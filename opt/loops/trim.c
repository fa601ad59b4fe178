/* Guards on a multiple of the index that only the running program knows: `parallel (n) (i) { if i*width < m {..} }`
 * ends where they no longer hold, so that threads share the turns that do something.
 *
 * i*width may wrap, and width may be negative: that is asked before the loop, which has all its turns then; and so the
 * guard stays. */
#include "opt/loops/narrow.h"

enum { MOST_PARTS = 100 };
typedef struct { Builder b; Op *loop; int axis, parts; } Trim; /* parts: of conditions, so far */

/* coef*index + rest, both fixed in the loop, as ints that wrap; NULL: 0 */
typedef struct { bool ok; Value *coef, *rest; } Scaled;

static Value *times(Builder *b, Value *x, Value *y) { return x && y ? index_mul(b, x, y) : NULL; }

static Value *plus(Builder *b, Value *x, Value *y, bool minus) { return x || y ? index_plus(b, x, y, minus) : NULL; }

static Scaled scaled(Trim *t, Value *v) {
    const Region *body = t->loop->regs[0];
    Builder *b = &t->b;
    int64_t c;
    if (v == body->args[t->axis]) return (Scaled){.ok = true, .coef = build_int(b, 1)};
    if (!region_encloses(body, value_region(v))) return (Scaled){.ok = true, .rest = v};
    if (value_const_int(v, &c)) return (Scaled){.ok = true, .rest = build_int(b, c)};
    const Op *d = v->def;
    if (!d || (d->code != OP_ADD && d->code != OP_SUB && d->code != OP_MUL)) return (Scaled){0};
    Scaled x = scaled(t, op_opnd(d, 0)), y = x.ok ? scaled(t, op_opnd(d, 1)) : x;
    if (!y.ok || (d->code == OP_MUL && x.coef && y.coef)) return (Scaled){0};
    if (d->code != OP_MUL) {
        bool minus = d->code == OP_SUB;
        return (Scaled){true, plus(b, x.coef, y.coef, minus), plus(b, x.rest, y.rest, minus)};
    }
    Value *across = plus(b, times(b, x.coef, y.rest), times(b, y.coef, x.rest), false);
    return (Scaled){true, across, times(b, x.rest, y.rest)};
}

static Value *power_of_two(Builder *b, int k) { return build_int(b, (int64_t)1 << k); }

static Value *is_near(Builder *b, Value *v) {
    enum { NEAR = 61 };
    Value *most = power_of_two(b, NEAR), *least = index_sub(b, build_int(b, 0), most);
    return build_both(b, build_binary(b, OP_LE, v, most), build_binary(b, OP_GE, v, least));
}

/* coef*i is below 2^62 for all turns, so that nothing wraps with what is near */
static Value *is_exact(Builder *b, Value *coef, Value *extent) {
    enum { SMALL = 31 };
    Value *positive = build_binary(b, OP_GT, coef, build_int(b, 0)), *most = power_of_two(b, SMALL);
    Value *small = build_both(b, build_binary(b, OP_LE, coef, most), build_binary(b, OP_LE, extent, most));
    return build_both(b, positive, small);
}

/* The loop ends where coef*i + rest reaches `end`. */
static void end_at(Trim *t, Scaled x, Value *end) {
    Builder *b = &t->b;
    Value *extent = op_opnd(t->loop, t->axis), *ok = build_both(b, is_exact(b, x.coef, extent), is_near(b, end));
    if (x.rest) ok = build_both(b, ok, is_near(b, x.rest));
    Value *one = build_int(b, 1), *room = plus(b, plus(b, end, x.rest, true), index_sub(b, x.coef, one), false);
    Value *turns = build_binary(b, OP_IDIV, index_max(b, room, build_int(b, 0)), index_max(b, x.coef, one));
    op_set_flag(turns->def, A_SAFE);
    op_set_opnd(t->loop, t->axis, build_select(b, ok, index_min(b, extent, turns), extent));
}

static bool trim_compare(Trim *t, OpCode cmp, Value *x, Value *y) {
    int64_t c;
    if (x->type != type_i64(t->b.module) || (cmp != OP_LT && cmp != OP_LE)) return false;
    Scaled of = scaled(t, x), end = of.ok && of.coef ? scaled(t, y) : (Scaled){0};
    if (!end.ok || end.coef || value_const_int(of.coef, &c)) return false;
    Value *last = end.rest ? end.rest : build_int(&t->b, 0);
    end_at(t, of, cmp == OP_LE ? index_add(&t->b, last, build_int(&t->b, 1)) : last);
    return true;
}

/* Takes the first bound of c, all parts of which hold where c does. */
static bool trim_by(Trim *t, Value *c) {
    Op *d = c->def;
    int64_t no;
    if (!d || t->parts++ > MOST_PARTS) return false;
    if (d->code == OP_AND) return trim_by(t, op_opnd(d, 0)) || trim_by(t, op_opnd(d, 1));
    if (d->code == OP_IF && value_const_int(op_opnd(region_term(d->regs[1]), 0), &no) && !no)
        return trim_by(t, op_opnd(d, 0)) || trim_by(t, op_opnd(region_term(d->regs[0]), 0));
    return opcode_is_compare(d->code) && (trim_compare(t, d->code, op_opnd(d, 0), op_opnd(d, 1)) ||
                                          trim_compare(t, opcode_mirrored(d->code), op_opnd(d, 1), op_opnd(d, 0)));
}

static bool is_trimmed(const Value *extent) {
    return extent->def && extent->def->code == OP_SELECT && op_opnd(extent->def, 2)->type == extent->type &&
           op_opnd(extent->def, 1)->def && op_opnd(extent->def, 1)->def->code == OP_MIN;
}

void loops_trim(Op *loop, const Op *guard) {
    for (int k = 0; k < loop->nopnds; k++) {
        Trim t = {.b = builder_before(loop), .loop = loop, .axis = k};
        if (!is_trimmed(op_opnd(loop, k)) && trim_by(&t, op_opnd(guard, 0))) return;
    }
}
