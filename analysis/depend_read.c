/* Values of an instance as polynomials over unknowns.
 *
 * What cannot be computed with becomes an unknown of its own, numbered by operation and operands, so that the same
 * computation on the same operands is the same unknown in both instances: uniform values need no special case. */
#include "analysis/depend_private.h"

#include <string.h>

enum { MAX_DEPTH = 150, MAX_INDEX_DEPTH = 16 };

/* ---- sizes */

static const Poly *read_symbol(Env *e, const char *sym) {
    Query *q = e->q;
    const Poly *p = map_get(&q->size_memo, sym);
    if (p) return p;
    Op *bind = map_get(&q->d->bound, sym);
    if (bind && !env_outside(e, bind->parent)) return read_value(e, op_opnd(bind, 0));
    if (bind) p = read_value(e, op_opnd(bind, 0));
    else {
        int64_t key[] = {KEY_SYM, (intptr_t)sym};
        int a = query_atom(q, ATOM_SIZE, 2, key);
        q->atoms.data[a].sym = sym;
        atom_at_least(q, a, 0);
        p = poly_atom(q->ps, a);
    }
    map_put(q->arena, &q->size_memo, sym, (void *)p);
    if (bind && op_dominates(bind, q->pair->a.loop)) query_fact(q, -1, formula_ge(q, p));
    return p;
}

typedef struct { const Depend *d; const Op *size; bool local; } LocalSize;

static void look_for_bind(void *ctx, const char *sym) {
    LocalSize *l = ctx;
    const Op *bind = map_get(&l->d->bound, sym);
    for (const Region *r = bind ? l->size->parent : NULL; r && r->owner; r = r->owner->parent) {
        l->local |= r == bind->parent;
        if (r->owner->code == OP_ISLAND) return;
    }
}

/* As op_size_is_local, without a look at all operations around: a proof asks it of each size of its context. */
static bool size_is_local(const Depend *d, const Op *op) {
    LocalSize l = {.d = d, .size = op};
    size_each_sym(op_attr(op, A_SIZE)->sizes[0], look_for_bind, &l);
    return l.local;
}

/* x // y with 0 <= x - y*(x//y) < y (y > 0), or y < x - y*(x//y) <= 0, or y = 0: then the division does not run */
const Poly *read_floor(Query *q, const Poly *x, const Poly *y, int inst) {
    int64_t a, b, key[] = {KEY_FLOOR, x ? x->id : 0, y ? y->id : 0};
    if (!x || !y) return NULL;
    if (poly_is_const(x, &a) && poly_is_const(y, &b) && b) {
        int64_t d = a / b;
        return poly_const(q->ps, a % b && (a < 0) != (b < 0) ? d - 1 : d);
    }
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const Poly *v = poly_atom(q->ps, atom);
    if (atom < before) return v;
    q->atoms.data[atom].inst = inst;
    vec_push(q->arena, &q->divisors, y);
    const Poly *rest = poly_sub(q->ps, x, poly_mul(q->ps, y, v)), *one = poly_const(q->ps, 1),
                *zero = poly_const(q->ps, 0);
    const Formula *up = formula_and(q, formula_ge(q, rest), formula_lt(q, rest, y));
    const Formula *down = formula_and(q, formula_ge(q, poly_sub(q->ps, zero, rest)), formula_lt(q, y, rest));
    up = formula_and(q, up, formula_ge(q, poly_sub(q->ps, y, one)));
    down = formula_and(q, down, formula_lt(q, y, zero));
    query_fact(q, atom, formula_or(q, formula_or(q, up, down), formula_eq(q, y)));
    return v;
}

const Poly *read_quotient(Env *e, Op *op, int what, const Poly *x, const Poly *y) {
    Query *q = e->q;
    const Poly *p = read_floor(q, x, y, e->inst);
    if (!p || p->n != 1 || poly_mono(q->ps, p->t[0].mono)->n != 1) return p;
    const char *place = (const char *)op + what;
    int a = poly_mono(q->ps, p->t[0].mono)->atom[0], b = (int)(intptr_t)map_get(&q->quotients[2 - e->inst], place) - 1;
    map_put(q->arena, &q->quotients[e->inst - 1], place, (void *)(intptr_t)(a + 1));
    if (b >= 0 && a != b) q->atoms.data[a].twin = b, q->atoms.data[b].twin = a;
    return p;
}

/* y is not 0, where a division by it has run before the access. */
static void divisor_known(Env *e, Op *op, const Poly *y) {
    if (y && (env_outside(e, op->parent) ? op_dominates(op, e->at.loop) : op_dominates(op, e->at.op)))
        query_fact(e->q, -1, formula_ne(e->q, y, poly_const(e->q->ps, 0)));
}

/* max or min: not below (above) either, and one of them */
static const Poly *read_extreme(Query *q, const Poly *x, const Poly *y, bool max, int inst) {
    int64_t a, key[] = {max ? OP_MAX : OP_MIN, x ? x->id : 0, y ? y->id : 0};
    if (!x || !y) return NULL;
    if (poly_is_const(poly_sub(q->ps, x, y), &a)) return (a > 0) == max ? x : y;
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const Poly *v = poly_atom(q->ps, atom);
    if (atom < before) return v;
    q->atoms.data[atom].inst = inst;
    const Poly *dx = max ? poly_sub(q->ps, v, x) : poly_sub(q->ps, x, v),
                *dy = max ? poly_sub(q->ps, v, y) : poly_sub(q->ps, y, v);
    query_fact(q, atom,
               formula_or(q, formula_and(q, formula_eq(q, dx), formula_ge(q, dy)),
                          formula_and(q, formula_eq(q, dy), formula_ge(q, dx))));
    return v;
}

const Poly *read_size(Env *e, const Size *s) {
    Query *q = e->q;
    SizeNode n = size_node(q->d->session, s);
    if (n.op == 'c') return poly_const(q->ps, n.c);
    if (n.op == 's') return read_symbol(e, n.sym);
    const Poly *x = read_size(e, n.a), *y = read_size(e, n.b);
    switch (n.op) {
    case '+': return poly_add(q->ps, x, y);
    case '*': return poly_mul(q->ps, x, y);
    case '/': return read_floor(q, x, y, 0);
    case '%': return poly_sub(q->ps, x, poly_mul(q->ps, y, read_floor(q, x, y, 0)));
    case 'M': return read_extreme(q, x, y, true, 0);
    default: return read_extreme(q, x, y, false, 0);
    }
}

/* ---- operations */

bool read_end(Env *e, Op *op, const Formula **none, const Formula **last) {
    const Region *body = op->regs[0];
    if (op->code != OP_FOR || env_role(e, body) != ROLE_INNER || region_encloses(body, e->at.op->parent)) return false;
    const Poly *x = read_value(e, body->args[0]);
    *none = read_before_end(e, op, read_value(e, op_opnd(op, 0)), false);
    *last = formula_and(e->q, read_before_end(e, op, x, true),
                        read_before_end(e, op, poly_add(e->q->ps, x, read_value(e, op_opnd(op, 2))), false));
    return (*none)->kind != F_TRUE && (*last)->kind != F_TRUE;
}

static bool is_int(const Value *v) { return v->type->kind == TY_SCALAR && v->type->dtype == DT_I64; }

/* Computed with ints alone from the indices of a comprehension and from what lies outside of it */
static bool follows_indices(const Value *v, const Region *body, int depth) {
    const Op *op = v->def;
    if (v->region == body || !region_encloses(body, value_region(v))) return true;
    if (!op || !is_int(v) || op->nregs || depth > MAX_INDEX_DEPTH) return false;
    switch (op->code) {
    case OP_CONST:
    case OP_SIZE:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_NEG:
    case OP_IDIV:
    case OP_MOD:
    case OP_MIN:
    case OP_MAX: break;
    default: return false;
    }
    for (int i = 0; i < op->nopnds; i++)
        if (!follows_indices(op_opnd(op, i), body, depth + 1)) return false;
    return true;
}

/* An element of [expression of i for i]: the expression at the index that is read */
static const Poly *read_element(Env *e, Op *op) {
    Region *body;
    Value *element = op_comprehended(op, &body);
    if (!element || body->nargs != op->nopnds - 1 || !follows_indices(element, body, 0)) return NULL;
    Env there = *e;
    there.memo = (Map){0};
    for (int i = 0; i < body->nargs; i++) {
        const Poly *p = read_value(e, op_opnd(op, i + 1));
        if (!p) return NULL;
        map_put(e->q->arena, &there.memo, body->args[i], (void *)p);
    }
    return read_value(&there, element);
}

/* What is computed from it is no free int, as others of the question are computed from it, too.  Ints that were
 * computed before the launch are asked about one by one (depend_solve.c). */
static bool atom_ties(const Atom *a) {
    if (a->unsure || a->inst || a->kind == ATOM_SIZE || a->kind == ATOM_IV || a->kind == ATOM_DERIVED) return true;
    return a->value && !dtype_is_float(a->value->type->dtype) && !a->value->def && !a->value->region->owner;
}

/* An unknown named by what computes it */
static const Poly *by_operands(Env *e, Value *v) {
    Query *q = e->q;
    Op *op = v->def;
    int64_t key[16];
    int n = 0;
    bool pure = op_info(op->code)->traits & (TR_PURE | TR_ELEM) || op_reads_constant(op);
    if (op->code == OP_CALL) { /* functions on scalars compute the same from the same */
        Func *f = module_find(q->d->func->module, op_sym(op, A_FUNC));
        pure = f && f->kind == FUNC_FN;
    }
    if (!pure || op->nregs || op->nopnds > 10) return read_unknown(e, v);
    key[n++] = op->code;
    key[n++] = (intptr_t)v->type;
    key[n++] = op->code == OP_CALL ? (intptr_t)op_sym(op, A_FUNC) : 0;
    key[n++] = v->index;
    bool outside_loop = env_outside(e, value_region(v)), outer = true, one_instance = false, tied = false;
    Inputs inputs = {0};
    for (int i = 0; i < op->nopnds; i++) {
        Value *x = op_opnd(op, i);
        const Poly *p = x->type->kind == TY_SCALAR ? read_value(e, x) : NULL;
        if (x->type->kind == TY_SCALAR && !p) return read_unknown(e, v);
        key[n++] = p ? p->id : (intptr_t)x;
        for (int k = 0; p && k < p->n; k++)
            for (int m = 0; m < poly_mono(q->ps, p->t[k].mono)->n; m++) {
                const Atom *a = &q->atoms.data[poly_mono(q->ps, p->t[k].mono)->atom[m]];
                outer &= a->kind == ATOM_SIZE || a->kind == ATOM_PARAM;
                one_instance |= a->inst != 0;
                tied |= atom_ties(a);
                vec_push(q->arena, &inputs, poly_mono(q->ps, p->t[k].mono)->atom[m]);
            }
        if (!p) outer = false;
    }
    int before = q->atoms.len,
        atom = query_atom(q, (outer || outside_loop) && !one_instance ? ATOM_PARAM : ATOM_DATA, n, key);
    if (atom == before) {
        q->atoms.data[atom].value = v;
        q->atoms.data[atom].inst = one_instance ? e->inst : 0;
        q->atoms.data[atom].unsure = tied; /* to other unknowns, in a way that is not followed */
        q->atoms.data[atom].inputs = inputs;
        atom_has_type(q, atom, v->type->dtype);
    }
    return poly_atom(q->ps, atom);
}

static const Poly *read_constant(Env *e, Value *v) {
    Const c = op_attr(v->def, A_VALUE)->c;
    if (c.dtype == DT_BOOL || dtype_is_int(c.dtype)) return poly_const(e->q->ps, c.i);
    int64_t key[] = {OP_CONST, c.dtype, 0};
    memcpy(&key[2], &c.f, sizeof c.f);
    if (!dtype_is_float(c.dtype)) return read_unknown(e, v);
    return poly_atom(e->q->ps, query_atom(e->q, ATOM_PARAM, 3, key));
}

/* One of two, by a condition */
static const Poly *read_choice(Env *e, Value *v, Value *cond, Value *x, Value *y) {
    Query *q = e->q;
    const Poly *c = read_value(e, cond), *a = read_value(e, x), *b = read_value(e, y);
    int64_t known;
    if (!c || !a || !b) return read_unknown(e, v);
    if (poly_is_const(c, &known)) return known ? a : b;
    if (a == b) return a;
    int64_t key[] = {OP_SELECT, c->id, a->id, b->id};
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 4, key);
    const Poly *p = poly_atom(q->ps, atom);
    if (atom < before) return p;
    q->atoms.data[atom].value = v;
    atom_has_type(q, atom, v->type->dtype);
    query_fact(q, atom,
               formula_or(q, formula_and(q, read_condition(e, cond, true), formula_eq(q, poly_sub(q->ps, p, a))),
                          formula_and(q, read_condition(e, cond, false), formula_eq(q, poly_sub(q->ps, p, b)))));
    return p;
}

/* What a loop leaves behind */
static const Poly *read_result(Env *e, Value *v, Op *op) {
    Query *q = e->q;
    const Formula *none, *last;
    if (!read_end(e, op, &none, &last)) return read_unknown(e, v);
    int64_t key[] = {OP_FOR, (intptr_t)v, e->inst};
    int before = q->atoms.len, atom = query_atom(q, ATOM_DERIVED, 3, key);
    const Poly *p = poly_atom(q->ps, atom);
    if (atom < before) return p;
    q->atoms.data[atom].value = v;
    q->atoms.data[atom].inst = e->inst;
    atom_has_type(q, atom, v->type->dtype);
    const Poly *init = read_value(e, op_opnd(op, 3 + v->index)),
                *yield = read_value(e, op_opnd(region_term(op->regs[0]), v->index));
    none = formula_and(q, none, formula_eq(q, poly_sub(q->ps, p, init)));
    query_fact(q, atom, formula_or(q, none, formula_and(q, last, formula_eq(q, poly_sub(q->ps, p, yield)))));
    return p;
}

static const Poly *read_cast(Env *e, Value *v, Value *x) {
    const DTypeInfo *to = dtype_info(v->type->dtype), *from = dtype_info(x->type->dtype);
    bool whole = from->kind == DK_BOOL || from->kind == DK_INT || from->kind == DK_UINT;
    bool wider = to->kind == DK_INT && (to->bytes > from->bytes || (to->bytes == from->bytes && from->kind == DK_INT));
    if (whole && wider) return read_value(e, x);
    Value *inner = x->def && x->def->code == OP_CAST && to->kind == DK_INT && x->type->dtype == DT_U64
                       ? op_opnd(x->def, 0)
                       : NULL;
    if (inner && inner->type->dtype == DT_I64 && range_of(e->q->d->ranges, inner, e->at.op).lo >= 0)
        return to->bytes == 8 ? read_value(e, inner) : read_cast(e, v, inner); /* u64 and back */
    if (!whole || to->bytes >= 8 || from->kind == DK_BOOL) return by_operands(e, v);
    const Poly *p = from->kind == DK_UINT && from->bytes == 8 ? NULL : read_value(e, x);
    IntRange r = {.lo = INT64_MIN, .hi = INT64_MAX};
    if (x->type->dtype == DT_I64) r = range_of(e->q->d->ranges, x, e->at.op);
    IntRange fits = range_of_type(v->type->dtype);
    p = p && r.lo >= fits.lo && r.hi <= fits.hi ? p : read_wrapped(e, p, v->type->dtype);
    return p ? p : by_operands(e, v);
}

/* 2^y for y that is not negative; 2^(y+1) is its double. */
static const Poly *read_power(Query *q, const Poly *y) {
    int64_t c = y ? poly_coef(y, 0) : -1;
    if (c < 0 || c > 40) return NULL;
    for (int i = 0; i < y->n; i++) {
        const Mono *m = poly_mono(q->ps, y->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (!q->atoms.data[m->atom[k]].has_lo || q->atoms.data[m->atom[k]].lo < 0 || y->t[i].coef < 0) return NULL;
    }
    const Poly *rest = poly_sub(q->ps, y, poly_const(q->ps, c));
    int64_t key[] = {KEY_POWER, rest->id};
    if (!rest->n) return poly_const(q->ps, (int64_t)1 << c);
    int atom = query_atom(q, ATOM_DATA, 2, key);
    atom_at_least(q, atom, 1);
    return poly_scale(q->ps, poly_atom(q->ps, atom), (int64_t)1 << c);
}

static bool is_unsigned(const Op *op) { return dtype_info(op->res[0].type->dtype)->kind == DK_UINT; }

static const Poly *read_int_op(Env *e, Op *op) {
    Query *q = e->q;
    Polys *ps = q->ps;
    const Poly *x = read_value(e, op_opnd(op, 0)), *y = op->nopnds > 1 ? read_value(e, op_opnd(op, 1)) : NULL;
    int64_t c;
    if (!x || (op->nopnds > 1 && !y)) return NULL;
    switch (op->code) {
    case OP_ADD: return poly_add(ps, x, y);
    case OP_SUB: return poly_sub(ps, x, y);
    case OP_MUL: return poly_mul(ps, x, y);
    case OP_NEG: return poly_scale(ps, x, -1);
    case OP_IDIV: divisor_known(e, op, y); return read_quotient(e, op, 0, x, y);
    case OP_MOD:
        divisor_known(e, op, y);
        return poly_sub(ps, x, poly_mul(ps, y, read_quotient(e, op, 0, x, y)));
    case OP_AND:
        if (!poly_is_const(y, &c) || c < 0 || c >= INT32_MAX || (c & (c + 1))) return read_bits(e, op);
        y = poly_const(ps, c + 1); /* x & 2^k - 1 is x modulo 2^k, below 0 too */
        return poly_sub(ps, x, poly_mul(ps, y, read_quotient(e, op, 0, x, y)));
    case OP_OR: case OP_XOR: return read_bits(e, op);
    case OP_NOT:
        return poly_sub(ps, poly_const(ps, is_unsigned(op) ? range_of_type(op->res[0].type->dtype).hi : -1), x);
    case OP_ABS: return is_unsigned(op) ? x : read_extreme(q, x, poly_scale(ps, x, -1), true, e->inst);
    case OP_SIGN:
        return read_extreme(q, poly_const(ps, -1), read_extreme(q, poly_const(ps, 1), x, false, e->inst), true,
                            e->inst);
    case OP_MIN: return read_extreme(q, x, y, false, e->inst);
    case OP_MAX: return read_extreme(q, x, y, true, e->inst);
    case OP_SHL:
        if (!is_int(&op->res[0]) &&
            (!poly_is_const(y, &c) || c < 0 || c >= 8 * dtype_info(op->res[0].type->dtype)->bytes))
            return NULL;
        return poly_mul(ps, x, read_power(q, y));
    case OP_IPOW: return poly_is_const(x, &c) && c == 2 ? read_power(q, y) : NULL;
    case OP_SHR:
        return poly_is_const(y, &c) && c >= 0 && c < 40 ? read_floor(q, x, poly_const(ps, (int64_t)1 << c), e->inst)
                                                        : NULL;
    default: return NULL;
    }
}

/* Arithmetic of ints of one type, u64 apart, whose greatest values are no i64 */
static bool is_followed(const Op *op) {
    DType t = op->res[0].type->dtype;
    if (op->nregs || !op->nopnds || op->res[0].type->kind != TY_SCALAR || !dtype_is_int(t) || t == DT_U64) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i)->type->kind != TY_SCALAR || op_opnd(op, i)->type->dtype != t) return false;
    return true;
}

/* Operations on ints whose result is no greater than their operands allow */
static bool stays_in_type(OpCode code) {
    switch (code) {
    case OP_MIN:
    case OP_MAX:
    case OP_MOD:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_SHR:
    case OP_SIGN: return true;
    default: return false;
    }
}

static const Poly *read_op(Env *e, Value *v, Op *op) {
    switch (op->code) {
    case OP_CONST: return read_constant(e, v);
    case OP_SIZE: return size_is_local(e->q->d, op) ? read_unknown(e, v) : read_size(e, op_attr(op, A_SIZE)->sizes[0]);
    case OP_CAST: return read_cast(e, v, op_opnd(op, 0));
    case OP_SELECT: return read_choice(e, v, op_opnd(op, 0), op_opnd(op, 1), op_opnd(op, 2));
    case OP_IF:
        return read_choice(e, v, op_opnd(op, 0), op_opnd(region_term(op->regs[0]), v->index),
                           op_opnd(region_term(op->regs[1]), v->index));
    case OP_FOR: return read_result(e, v, op);
    default: break;
    }
    bool element = op->code == OP_LOAD || op->code == OP_EXTRACT;
    const Poly *p = element && is_int(v) ? read_element(e, op) : NULL;
    if (element && !p) p = read_table(e, op);
    if (p) return p;
    bool exact = !e->q->d->wraps || !is_int(v) || range_exact(e->q->d->ranges, op, e->at.op);
    p = is_followed(op) && exact ? read_int_op(e, op) : NULL;
    if (p && is_int(v)) vec_push(e->q->arena, &e->q->computed, p);
    if (p && !is_int(v) && !stays_in_type(op->code)) p = read_wrapped(e, p, v->type->dtype);
    return p ? p : by_operands(e, v);
}

const Poly *read_value(Env *e, Value *v) {
    const Poly *p = map_get(&e->memo, v);
    if (p) return p;
    if (v->type->kind != TY_SCALAR || e->depth > MAX_DEPTH) return read_unknown(e, v);
    e->depth++;
    p = v->def ? read_op(e, v, v->def) : read_arg(e, v);
    e->depth--;
    if (!p) p = read_unknown(e, v);
    map_put(e->q->arena, &e->memo, v, (void *)p);
    return p;
}
