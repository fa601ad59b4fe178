/* Value numbering up to a shift of the indices.  `a[i, j - 1] * 2` and `a[i + 3, j] * 2` are one class at two places:
 * what a class is made of is relative to its place, which is that of the first operand (of a load: its indices).  A
 * sign in front of a product or a quotient is kept beside the class, since it may stand in front of an operand as well.
 *
 * The equivalence of Deitz, Chamberlain and Snyder, Eliminating redundancies in sum-of-product array computations, ICS
 * 2001, over all operations, found bottom-up as in global value numbering. */
#include "opt/loops/shifts.h"

#include <string.h>

enum { FAR = 1 << 20, MAX_DEPTH = 12 };

/* ---- indices */

static ShiftsIndex no_index(void) { return (ShiftsIndex){.ok = false}; }

static ShiftsIndex sum_of(ShiftsIndex x, ShiftsIndex y, bool minus) {
    if (!x.ok || !y.ok || (x.axis >= 0 && y.axis >= 0) || (x.base && y.base) || (minus && y.axis >= 0))
        return no_index();
    ShiftsIndex s = {true, x.axis >= 0 ? x.axis : y.axis, minus ? x.c - y.c : x.c + y.c, x.base ? x.base : y.base,
                     x.base && x.minus};
    if (y.base) s.minus = y.minus != minus;
    s.ok = s.c >= -FAR && s.c <= FAR;
    return s;
}

/* Defined outside of the rows, or an index of a loop around them: the same for all of them */
static bool is_fixed(const Shifts *s, const Value *v) {
    if (!v->def && v->region == s->iv[0]->region) return v != s->iv[0] && v != s->iv[1];
    return !region_encloses(s->iv[0]->region, value_region(v));
}

static ShiftsIndex read_index(const Shifts *s, Value *v, int depth) {
    const Op *op = v->def;
    int64_t c;
    if (value_const_int(v, &c)) return (ShiftsIndex){c >= -FAR && c <= FAR, -1, c, NULL, false};
    for (int a = 0; a < SHIFTS_AXES; a++)
        if (s->iv[a] == v) return (ShiftsIndex){.ok = true, .axis = a};
    if (op && (op->code == OP_ADD || op->code == OP_SUB) && depth < MAX_DEPTH && !is_fixed(s, v)) {
        ShiftsIndex x = sum_of(read_index(s, op_opnd(op, 0), depth + 1), read_index(s, op_opnd(op, 1), depth + 1),
                               op->code == OP_SUB);
        if (x.ok) return x;
    }
    return region_encloses(s->body, value_region(v)) ? no_index() : (ShiftsIndex){.ok = true, .axis = -1, .base = v};
}

/* Along a row all places are counted from one base, which may change from row to row; no other may. */
static bool settle(Shifts *s, ShiftsIndex *x) {
    if (x->ok && x->axis == 1) {
        if (x->minus) return false;
        if (!s->has_base) s->has_base = true, s->base = x->base;
        if (s->base != x->base) return false;
        x->base = NULL;
    }
    return x->ok && (!x->base || is_fixed(s, x->base));
}

/* ---- classes */

static bool same_index(const ShiftsIndex *x, const ShiftsIndex *y) {
    return x->axis == y->axis && x->c == y->c && x->base == y->base && x->minus == y->minus;
}

static bool same_kid(const ShiftsClass *x, const ShiftsClass *y, int k) {
    return x->kid[k] == y->kid[k] && x->minus[k] == y->minus[k] && x->by[k][0] == y->by[k][0] &&
           x->by[k][1] == y->by[k][1];
}

static bool same_value(const Value *x, const Value *y) {
    const Const *c = value_const(x), *d = value_const(y);
    return x == y || (c && d && const_same(c, d));
}

static bool same_class(const ShiftsClass *x, const ShiftsClass *y) {
    if (x->hash != y->hash || x->kind != y->kind || x->code != y->code || x->type != y->type || x->n != y->n)
        return false;
    if (x->kind == SHIFTS_OP) {
        for (int k = 0; k < x->n; k++)
            if (!same_kid(x, y, k)) return false;
        return true;
    }
    if (x->kind != SHIFTS_INDEX && !same_value(x->value, y->value)) return false;
    for (int k = 0; k < x->n; k++)
        if (!same_index(&x->index[k], &y->index[k])) return false;
    return true;
}

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15u; }

static uint64_t hash_class(const ShiftsClass *c) {
    uint64_t h = mix(mix((uint64_t)c->kind + 1, (uint64_t)c->code), (uint64_t)c->n);
    if (c->kind == SHIFTS_LOAD) h = mix(h, (uintptr_t)c->value);
    for (int k = 0; k < c->n; k++) {
        if (c->kind != SHIFTS_OP) {
            h = mix(mix(h, (uint64_t)c->index[k].c), (uint64_t)c->index[k].axis);
            continue;
        }
        h = mix(mix(h, (uint64_t)c->kid[k]), (uint64_t)c->by[k][0]);
        h = mix(mix(h, (uint64_t)c->by[k][1]), c->minus[k]);
    }
    return h;
}

static int class_of(Shifts *s, ShiftsClass c) {
    c.hash = hash_class(&c);
    for (int i = s->classes.len - 1; i >= 0; i--)
        if (same_class(&s->classes.data[i], &c)) return i;
    vec_push(s->arena, &s->classes, c);
    return s->classes.len - 1;
}

static void put(Shifts *s, const Value *v, ShiftsValue x) {
    vec_push(s->arena, &s->values, x);
    map_put(s->arena, &s->of, v, (void *)(intptr_t)s->values.len);
}

const ShiftsValue *shifts_of(const Shifts *s, const Value *v) {
    intptr_t at = (intptr_t)map_get(&s->of, v);
    return at && s->values.data[at - 1].class >= 0 ? &s->values.data[at - 1] : NULL;
}

/* Indices become relative to the place, which is where the first of each axis is. */
static ShiftsValue place_of(ShiftsClass *c) {
    ShiftsValue v = {0};
    for (int k = 0; k < c->n; k++) {
        int a = c->index[k].axis;
        if (a < 0) continue;
        if (!c->moves[a]) v.at[a] = c->index[k].c;
        c->moves[a] = true;
        c->index[k].c -= v.at[a];
    }
    return v;
}

static ShiftsValue nothing(void) { return (ShiftsValue){.class = -1}; }

static ShiftsValue read_leaf(Shifts *s, Value *v) {
    ShiftsClass c = {.kind = SHIFTS_FIXED, .type = v->type, .value = v};
    if (v->type == type_i64(s->outer->parent->func->module) && !value_const(v)) {
        c.kind = SHIFTS_INDEX, c.n = 1;
        c.index[0] = read_index(s, v, 0);
        if (settle(s, &c.index[0])) {
            ShiftsValue x = place_of(&c);
            x.class = class_of(s, c);
            return x;
        }
        c.kind = SHIFTS_FIXED, c.n = 0;
    }
    if (!value_const(v) && !is_fixed(s, v)) return nothing();
    return (ShiftsValue){.class = class_of(s, c)};
}

static bool is_written(const Shifts *s, const Value *buf) {
    return region_encloses(s->outer->regs[0], value_region(buf)) || op_holds_write(s->outer, buf);
}

static ShiftsValue read_load(Shifts *s, const Op *op) {
    ShiftsClass c = {.kind = SHIFTS_LOAD, .type = op->res[0].type, .value = op_opnd(op, 0), .n = op->nopnds - 1};
    if (!op_flag(op, A_SAFE) || is_written(s, c.value)) return nothing();
    for (int k = 0; k < c.n; k++) {
        c.index[k] = read_index(s, op_opnd(op, 1 + k), 0);
        if (!settle(s, &c.index[k])) return nothing();
    }
    ShiftsValue x = place_of(&c);
    x.class = class_of(s, c);
    return x;
}

static ShiftsValue read_any(Shifts *s, Op *op);

/* Of an operation before the loop along the row, too */
static ShiftsValue read_value(Shifts *s, Value *v) {
    const ShiftsValue *known = shifts_of(s, v);
    if (known) return *known;
    if (map_has(&s->of, v)) return nothing();
    bool inside = v->def && v->def->parent == s->iv[0]->region && v->def->nres == 1 && !v->def->nregs;
    ShiftsValue x = inside ? read_any(s, v->def) : read_leaf(s, v);
    put(s, v, x);
    return x;
}

/* The sign of a product is that of its factors, to the bit. */
static bool passes_sign(const Op *op) {
    return (op->code == OP_MUL || op->code == OP_DIV) && dtype_is_float(op->res[0].type->dtype);
}

static ShiftsValue read_op(Shifts *s, Op *op) {
    ShiftsClass c = {.kind = SHIFTS_OP, .code = op->code, .type = op->res[0].type, .n = op->nopnds};
    c.value = &op->res[0];
    ShiftsValue out = {0};
    for (int k = 0; k < c.n; k++) {
        ShiftsValue x = read_value(s, op_opnd(op, k));
        if (x.class < 0) return nothing();
        const ShiftsClass *kid = &s->classes.data[x.class];
        c.kid[k] = x.class, c.minus[k] = x.minus;
        if (passes_sign(op)) out.minus ^= x.minus, c.minus[k] = false;
        for (int a = 0; a < SHIFTS_AXES; a++) {
            if (!kid->moves[a]) continue;
            if (!c.moves[a]) out.at[a] = x.at[a];
            c.moves[a] = true;
            c.by[k][a] = x.at[a] - out.at[a];
        }
    }
    out.class = class_of(s, c);
    return out;
}

static ShiftsValue read_any(Shifts *s, Op *op) {
    DType t = op->res[0].type->dtype;
    if (op->code == OP_LOAD) return read_load(s, op);
    if (t == DT_I64 || value_const(&op->res[0])) return read_leaf(s, &op->res[0]);
    if (op->code == OP_NEG && dtype_is_float(t)) {
        ShiftsValue x = read_value(s, op_opnd(op, 0));
        x.minus = !x.minus;
        return x;
    }
    if (!op_is_pure(op) || op->nattrs || op->nopnds > SHIFTS_KIDS || !op->nopnds || op->res[0].type->kind != TY_SCALAR)
        return nothing();
    return read_op(s, op);
}

void shifts_read(Shifts *s) {
    for (Op *o = s->body->first; o; o = o->next)
        if (o->nres == 1 && !o->nregs) put(s, &o->res[0], read_any(s, o));
        else for (int i = 0; i < o->nres; i++) put(s, &o->res[i], nothing());
}
