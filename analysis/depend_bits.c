/* Bits of ints, and ints of fewer than 64 bits, as polynomials over quotients.
 *
 * Bits a to b of x are x // 2^a - 2^(b-a) * (x // 2^b), of any sign; & with a constant is a sum of such fields, and
 * x | y = x + y - (x & y), x xor y = x + y - 2*(x & y).  For a power of two d that is no constant, x & d is d or 0 by
 * the lowest bit of x // d, and x & d - 1 is x % d.  A conversion that wraps takes a multiple of 2^bits from x. */
#include "analysis/depend_private.h"

enum { MAX_FIELDS = 6, MAX_BIT = 40, MAX_POWER_DEPTH = 12 };

/* ---- constants */

/* Bits a up to b of x */
static const Poly *field(Query *q, const Poly *x, int a, int b, int inst) {
    const Poly *low = read_floor(q, x, poly_const(q->ps, (int64_t)1 << a), inst),
                *high = read_floor(q, x, poly_const(q->ps, (int64_t)1 << b), inst);
    return poly_sub(q->ps, low, poly_scale(q->ps, high, (int64_t)1 << (b - a)));
}

/* x & c, a field for each run of ones */
static const Poly *and_const(Query *q, const Poly *x, int64_t c, int inst) {
    if (c < 0) return poly_sub(q->ps, x, and_const(q, x, -1 - c, inst));
    const Poly *sum = poly_const(q->ps, 0);
    int fields = 0;
    for (int a = 0; a < MAX_BIT && c >> a; a++) {
        int b = a;
        while (c >> b & 1) b++;
        if (b == a) continue;
        if (b > MAX_BIT || ++fields > MAX_FIELDS) return NULL;
        sum = poly_add(q->ps, sum, poly_scale(q->ps, field(q, x, a, b, inst), (int64_t)1 << a));
        a = b;
    }
    return c >> MAX_BIT ? NULL : sum;
}

/* ---- powers of two */

typedef struct Seen { const Value *v; const struct Seen *before; } Seen; /* carried values that are being looked at */
typedef struct { bool grows, shrinks; } Motion;

static bool is_power(const Value *v, Motion *m, const Seen *seen, int depth);

static bool carried_power(const Op *loop, int at, Motion *m, const Seen *seen, int depth) {
    const Value *arg = loop_carried(loop, at);
    for (const Seen *s = seen; s; s = s->before)
        if (s->v == arg) return true;
    Seen now = {arg, seen};
    return is_power(loop_first(loop, at), m, &now, depth + 1) && is_power(loop_next(loop, at), m, &now, depth + 1);
}

/* Always 0 or a power of two, as long as ints do not wrap */
static bool is_power(const Value *v, Motion *m, const Seen *seen, int depth) {
    const Op *op = v->def, *loop = op ? NULL : v->region->owner;
    if (v->type->kind != TY_SCALAR || v->type->dtype != DT_I64 || depth > MAX_POWER_DEPTH) return false;
    if (!op && loop && loop->code == OP_WHILE) return carried_power(loop, v->index, m, seen, depth);
    if (!op) return loop && loop->code == OP_FOR && v->index && carried_power(loop, v->index - 1, m, seen, depth);
    const Value *x = op->nopnds ? op_opnd(op, 0) : NULL, *y = op->nopnds > 1 ? op_opnd(op, 1) : NULL;
    int64_t c = op->code == OP_CONST ? op_attr(op, A_VALUE)->c.i : 0;
    switch (op->code) {
    case OP_CONST: return c >= 0 && !(c & (c - 1));
    case OP_MUL: m->grows = true; return is_power(x, m, seen, depth + 1) && is_power(y, m, seen, depth + 1);
    case OP_SHL: m->grows = true; return is_power(x, m, seen, depth + 1);
    case OP_IPOW: m->grows = true; return x->def && x->def->code == OP_CONST && op_attr(x->def, A_VALUE)->c.i == 2;
    case OP_SHR: m->shrinks = true; return is_power(x, m, seen, depth + 1);
    case OP_IDIV:
        m->shrinks = true;
        return y->def && y->def->code == OP_CONST && is_power(y, m, seen, depth + 1) && is_power(x, m, seen, depth + 1);
    case OP_SELECT: return is_power(y, m, seen, depth + 1) && is_power(op_opnd(op, 2), m, seen, depth + 1);
    case OP_IF:
        return is_power(op_opnd(region_term(op->regs[0]), v->index), m, seen, depth + 1) &&
               is_power(op_opnd(region_term(op->regs[1]), v->index), m, seen, depth + 1);
    case OP_FOR: case OP_WHILE: return carried_power(op, v->index, m, seen, depth);
    default: return false;
    }
}

/* Where ints wrap: what doubles and is halved may become any multiple of -1, what only doubles 0, a power of two, or
 * the least int. */
static bool is_power_here(const Env *e, const Value *v) {
    Motion m = {false, false};
    return is_power(v, &m, NULL, 0) && !(e->q->d->wraps && m.grows && m.shrinks);
}

/* The power d of d - 1, or NULL */
static Value *power_above(const Env *e, const Value *v) {
    const Op *op = v->def;
    bool one_less = op && ((op->code == OP_SUB && value_is_const_int(op_opnd(op, 1), 1)) ||
                           (op->code == OP_ADD && value_is_const_int(op_opnd(op, 1), -1)));
    return one_less && is_power_here(e, op_opnd(op, 0)) ? op_opnd(op, 0) : NULL;
}

/* x op d, d the power, by whether x has this bit: the lowest one of x // d */
static const Formula *by_bit(Env *e, Op *op, const Poly *v, const Poly *x, const Poly *d) {
    Query *q = e->q;
    const Poly *f = read_quotient(e, op, 0, x, d),
                *bit = poly_sub(q->ps, f, poly_scale(q->ps, read_quotient(e, op, 1, f, poly_const(q->ps, 2)), 2));
    const Poly *none = poly_const(q->ps, 0), *with = op->code == OP_AND  ? d
                                                      : op->code == OP_OR ? x
                                                                          : poly_sub(q->ps, x, d);
    const Poly *without = op->code == OP_AND ? none : poly_add(q->ps, x, d);
    const Formula *yes = formula_and(q, formula_eq(q, poly_sub(q->ps, bit, poly_const(q->ps, 1))),
                                     formula_eq(q, poly_sub(q->ps, v, with)));
    return formula_or(q, formula_and(q, formula_eq(q, bit), formula_eq(q, poly_sub(q->ps, v, without))), yes);
}

/* x op d, where d >= 1; x & d - 1 is the rest */
static const Formula *with_power(Env *e, Op *op, bool mask, const Poly *v, const Poly *x, const Poly *d) {
    Polys *ps = e->q->ps;
    if (!mask) return by_bit(e, op, v, x, d);
    return formula_eq(e->q, poly_sub(ps, v, poly_sub(ps, x, poly_mul(ps, d, read_quotient(e, op, 0, x, d)))));
}

/* What is 0 where d is 0; nothing is known where d, the least int, is below 0. */
static const Poly *read_power_bits(Env *e, Op *op, bool mask, const Poly *x, const Poly *d) {
    Query *q = e->q;
    int64_t c, key[] = {KEY_BITS, mask ? OP_MOD : op->code, x->id, d->id};
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 4, key);
    const Poly *v = poly_atom(q->ps, atom), *zero = op->code == OP_AND && !mask ? poly_const(q->ps, 0) : x;
    if (atom < before) return v;
    q->atoms.data[atom].inst = e->inst;
    const Formula *some = with_power(e, op, mask, v, x, d);
    bool positive = (poly_is_const(d, &c) && c > 0) || poly_is_positive(q, d);
    if (positive) return query_fact(q, atom, some), v;
    some = formula_and(q, formula_ge(q, poly_sub(q->ps, d, poly_const(q->ps, 1))), some);
    const Formula *none = formula_and(q, formula_eq(q, d), formula_eq(q, poly_sub(q->ps, v, zero)));
    const Formula *below = q->d->wraps ? formula_lt(q, d, poly_const(q->ps, 0)) : formula_bool(q, false);
    query_fact(q, atom, formula_or(q, some, formula_or(q, none, below)));
    q->atoms.data[atom].unsure = q->d->wraps;
    return v;
}

/* ---- and, or, xor */

static const Poly *combined(Query *q, OpCode code, const Poly *x, const Poly *y, const Poly *both) {
    if (code == OP_AND) return both;
    return poly_sub(q->ps, poly_add(q->ps, x, y), code == OP_OR ? both : poly_scale(q->ps, both, 2));
}

static const Poly *with_variable(Env *e, Op *op, Value *a, Value *b) {
    Value *mask = op->code == OP_AND ? power_above(e, b) : NULL;
    if (!mask && !is_power_here(e, b)) return NULL;
    const Poly *x = read_value(e, a), *d = read_value(e, mask ? mask : b);
    return x && d ? read_power_bits(e, op, mask != NULL, x, d) : NULL;
}

const Poly *read_bits(Env *e, Op *op) {
    Query *q = e->q;
    Value *a = op_opnd(op, 0), *b = op_opnd(op, 1);
    const Poly *x = read_value(e, a), *y = read_value(e, b);
    int64_t c;
    if (a == b) return op->code == OP_XOR ? poly_const(q->ps, 0) : x;
    if (poly_is_const(x, &c)) return combined(q, op->code, x, y, and_const(q, y, c, e->inst));
    if (poly_is_const(y, &c)) return combined(q, op->code, x, y, and_const(q, x, c, e->inst));
    bool wide = a->type->dtype == DT_I64;
    const Poly *p = wide ? with_variable(e, op, a, b) : NULL;
    return p || !wide ? p : with_variable(e, op, b, a);
}

/* ---- ints of fewer bits */

const Poly *read_wrapped(Env *e, const Poly *p, DType t) {
    Query *q = e->q;
    const DTypeInfo *i = dtype_info(t);
    if (!p || i->bytes >= 8 || (i->kind != DK_INT && i->kind != DK_UINT)) return i->kind == DK_INT ? p : NULL;
    int64_t size = (int64_t)1 << (8 * i->bytes), low = i->kind == DK_INT ? -size / 2 : 0, c;
    if (poly_is_const(p, &c)) return poly_const(q->ps, (int64_t)((uint64_t)(c - low) & (uint64_t)(size - 1)) + low);
    int64_t key[] = {KEY_WRAP, t, p->id}, times[] = {KEY_WRAP, t, p->id, 1};
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const Poly *v = poly_atom(q->ps, atom);
    if (atom < before) return v;
    q->atoms.data[atom].inst = e->inst;
    atom_has_type(q, atom, t);
    int turns = query_atom(q, ATOM_DERIVED, 4, times);
    q->atoms.data[turns].inst = e->inst;
    query_fact(q, atom,
               formula_eq(q, poly_sub(q->ps, poly_sub(q->ps, p, v), poly_scale(q->ps, poly_atom(q->ps, turns), size))));
    return v;
}
