/* A condition becomes bounds of a loop's indices.
 *
 * It is taken apart into conjuncts; one that compares c*index + rest with rest fixed in the loop bounds the index; one
 * that does not depend on any index of the loop decides whether it runs at all.  What remains is to be tested inside.
 */
#include "opt/loops/narrow.h"

/* ---- bounds */

static void raise_lo(Narrow *n, int k, Value *v) {
    n->lo[k] = n->lo[k] ? index_max(&n->before, n->lo[k], v) : v;
}
static void cut_hi(Narrow *n, int k, Value *v) {
    n->hi[k] = n->hi[k] ? index_min(&n->before, n->hi[k], v) : v;
}

/* iv CMP bound; false: the bound may wrap */
static bool bound_iv(Narrow *n, int k, OpCode cmp, Value *bound, const Op *old) {
    Value *next = cmp == OP_LE || cmp == OP_GT || cmp == OP_EQ ? index_add(&n->before, bound, build_int(&n->before, 1))
                                                               : NULL;
    if (!range_exact_before(linear_ranges(n->facts), n->loop, next ? next : bound, old)) return false;
    if (cmp == OP_LT) cut_hi(n, k, bound);
    if (cmp == OP_LE || cmp == OP_EQ) cut_hi(n, k, next);
    if (cmp == OP_GT) raise_lo(n, k, next);
    if (cmp == OP_GE || cmp == OP_EQ) raise_lo(n, k, bound);
    return true;
}

/* The positive modulus of v = x % modulus, or x & (2^k - 1), if it is fixed in the loop; else NULL */
static Value *modulus_of(Narrow *n, const Op *op) {
    Builder *b = &n->before;
    if (!op || (op->code != OP_MOD && op->code != OP_AND)) return NULL;
    Value *by = op_opnd(op, 1), *u;
    int64_t c;
    if (value_const_int(by, &c)) {
        if (op->code == OP_AND) return c > 0 && (c & (c + 1)) == 0 && c < INT32_MAX ? build_int(b, c + 1) : NULL;
        return c > 0 && c < INT32_MAX ? build_int(b, c) : NULL;
    }
    if (op->code == OP_AND || region_encloses(n->body, value_region(by))) return NULL;
    u = index_max(b, by, index_sub(b, build_int(b, 0), by));
    return index_max(b, u, build_int(b, 1)); /* perhaps zero where the loop does not run */
}

/* (iv + rest) % modulus == rem */
static bool take_remainder(Narrow *n, Value *x, Value *rem) {
    int64_t r, m = 1;
    Value *mod = value_const_int(rem, &r) && r >= 0 ? modulus_of(n, x->def) : NULL;
    if (!mod || (r > 0 && (!value_const_int(mod, &m) || r >= m))) return false;
    for (int k = 0; k < n->indices; k++) {
        const Op *old = n->loop->prev;
        IndexLinear a = index_linear(&n->before, n->body, n->body->args[k], op_opnd(x->def, 0));
        if (!a.ok || a.coef != 1 || n->stride[k]) continue;
        Value *phase = a.rest ? index_sub(&n->before, build_int(&n->before, r), a.rest) : build_int(&n->before, r);
        if (!range_exact_inside(linear_ranges(n->facts), n->body, op_opnd(x->def, 0), x->def) ||
            !range_exact_before(linear_ranges(n->facts), n->loop, phase, old))
            continue;
        n->stride[k] = mod;
        n->phase[k] = phase;
        return true;
    }
    return false;
}

/* True when the comparison, of x and y at `at`, became bounds. */
static bool take_compare(Narrow *n, OpCode cmp, Value *x, Value *y, const Op *at) {
    if (cmp == OP_NE || (cmp == OP_EQ && n->ranges) || x->type != type_i64(n->before.module)) return false;
    if (cmp == OP_EQ && (take_remainder(n, x, y) || take_remainder(n, y, x))) return true;
    if (!range_exact_inside(linear_ranges(n->facts), n->body, x, at) ||
        !range_exact_inside(linear_ranges(n->facts), n->body, y, at))
        return false;
    for (int k = 0; k < n->indices; k++) {
        const Op *old = n->loop->prev;
        IndexLinear a = index_linear(&n->before, n->body, n->body->args[k], x);
        IndexLinear c = a.ok ? index_linear(&n->before, n->body, n->body->args[k], y) : (IndexLinear){0};
        if (!a.ok || !c.ok) continue;
        int64_t coef = a.coef - c.coef;
        if (coef != 1 && coef != -1) continue;
        return bound_iv(n, k, coef == 1 ? cmp : opcode_mirrored(cmp), index_meeting(&n->before, a, c), old);
    }
    return false;
}

static void test_inside(Narrow *n, Value *c, bool negate) {
    if (negate) c = build_unary(&n->inside, OP_NOT, c);
    n->remains = n->remains ? build_binary(&n->inside, OP_AND, n->remains, c) : c;
}

static bool is_bool(const Value *v, bool what) {
    int64_t c;
    return v->type->dtype == DT_BOOL && value_const_int(v, &c) && c == what;
}

/* The bool `if a {b} {false}` that a short-circuit `and` is, when b may be computed without a; b moves out. */
static Value *short_circuit(Op *op, bool negate) {
    if (op->code != OP_IF || op->nres != 1) return NULL;
    int other = negate ? 0 : 1; /* `if a {true} {b}` is `or` */
    Region *r = op->regs[1 - other];
    if (!is_bool(op_opnd(region_term(op->regs[other]), 0), negate)) return NULL;
    for (Op *o = r->first; o != region_term(r); o = o->next)
        if (!op_is_pure(o)) return NULL;
    Value *b = op_opnd(region_term(r), 0);
    if (region_term(r)->prev) op_move_range(r->first, region_term(r)->prev, op->parent, op);
    return b;
}

/* `if a {b} {false}` where a becomes bounds: inside them it holds, so that b may be computed at once. */
static Value *behind_bounds(Narrow *n, Op *op) {
    if (op->code != OP_IF || op->nres != 1 || !is_bool(op_opnd(region_term(op->regs[1]), 0), false)) return NULL;
    Region *r = op->regs[0];
    const Op *a = op_opnd(op, 0)->def;
    for (Op *o = r->first; o != region_term(r); o = o->next)
        if (op_has_effect(o) || op_writes_memory(o)) return NULL;
    if (!a || a->parent != n->body || !opcode_is_compare(a->code) ||
        !take_compare(n, a->code, op_opnd(a, 0), op_opnd(a, 1), a))
        return NULL;
    Value *b = op_opnd(region_term(r), 0);
    if (region_term(r)->prev) op_move_range(r->first, region_term(r)->prev, op->parent, op);
    return b;
}

enum { MOST_PARTS = 100 }; /* what is made of others twice is taken apart again and again */

void narrow_take_apart(Narrow *n, Value *c, bool negate) {
    Op *d = c->def;
    Value *second;
    if (!region_encloses(n->body, value_region(c)) && !n->ranges) {
        Value *v = negate ? build_unary(&n->before, OP_NOT, c) : c;
        n->only_if = n->only_if ? build_binary(&n->before, OP_AND, n->only_if, v) : v;
        return;
    }
    if (!d || d->parent != n->body || n->parts++ > MOST_PARTS) {
        test_inside(n, c, negate);
    } else if (d->code == OP_NOT) {
        narrow_take_apart(n, op_opnd(d, 0), !negate);
    } else if (d->code == (negate ? OP_OR : OP_AND)) {
        narrow_take_apart(n, op_opnd(d, 0), negate);
        narrow_take_apart(n, op_opnd(d, 1), negate);
    } else if ((second = short_circuit(d, negate))) {
        narrow_take_apart(n, op_opnd(d, 0), negate);
        narrow_take_apart(n, second, negate);
    } else if (!negate && !n->ranges && (second = behind_bounds(n, d))) {
        narrow_take_apart(n, second, false);
    } else if (!opcode_is_compare(d->code) ||
               !take_compare(n, negate ? opcode_negated(d->code) : d->code, op_opnd(d, 0), op_opnd(d, 1), d)) {
        test_inside(n, c, negate);
    }
}

void narrow_guard(Narrow *n, Op *guard) {
    if (n->remains) {
        op_set_opnd(guard, 0, n->remains);
        return;
    }
    Region *r = guard->regs[0];
    if (region_term(r)->prev) op_move_range(r->first, region_term(r)->prev, n->body, guard);
    op_erase(guard);
}

void narrow_renumber(const Region *body, Value *iv, Value *stride, Value *lo) {
    Builder in = builder_before(body->first);
    Value *v = stride ? build_binary(&in, OP_MUL, iv, stride) : iv;
    const Op *scaled = v->def;
    if (lo) v = build_binary(&in, OP_ADD, v, lo);
    v->name = iv->name;
    for (Use *u = iv->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != v->def && u->user != scaled) op_set_opnd(u->user, u->index, v);
    }
}

bool narrow_at_least(const Narrow *n, Value *x, Value *y) {
    linear_at(n->facts, n->loop);
    return linear_prove(n->facts, n->loop, linear_sub(n->facts, linear_value(n->facts, x), linear_value(n->facts, y)));
}

/* A launch of ceildiv(n, 256) blocks has threads enough for n; a block that ends before n has work for all of its
 * threads. */
Value *narrow_least(Narrow *n, Value *extent, Value *hi) {
    if (narrow_at_least(n, extent, hi)) return hi;
    return narrow_at_least(n, hi, extent) ? extent : index_min(&n->before, extent, hi);
}
