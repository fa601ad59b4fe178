/* Reading, composing and writing of stencils (see stencil.h).
 *
 * The element of a comprehension is read as a sum of elements of arrays at the comprehension's indices and constant
 * distances from them, times factors that do not depend on the indices.  Near the ends of the axes it may be something
 * else: what guards say (`if i >= 1 and i < n - 1 {..} else {..}`), and indices that go around (`(i + 1) % n`) or stop
 * (`min(i + 1, n - 1)`), bound where it is the sum. */
#include "opt/tensor/stencil.h"
#include "ir/index.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 1000, /* of reading an element, of which parts may be used often */
    BORDER = 64,
    DEEP = 6,          /* how far factors are compared */
    FAR = 1 << 30      /* what is added to an index, which does not wrap then */
};

typedef struct {
    const Op *op;
    const Region *body;
    const Type *type;
    Session *s;
    Arena *arena;
    bool quotients; /* by what is no number are products, too */
    int steps;
    Stencil *out;
} Reader;

/* ---- factors */

static const Factor *factor_new(Arena *a, Factor f) {
    Factor *p = NEWN(a, Factor, 1);
    *p = f;
    return p;
}

const Factor *factor_number(Arena *a, double x) { return factor_new(a, (Factor){.op = OP_CONST, .number = x}); }

static const Factor *factor_scalar(Arena *a, Value *v) {
    const Const *c = value_const(v);
    return c ? factor_number(a, c->f) : factor_new(a, (Factor){.op = OP_CONST, .v = v});
}

bool factor_is(const Factor *f, double x) { return f->op == OP_CONST && !f->v && f->number == x; }

static bool is_number(const Factor *f) { return f->op == OP_CONST && !f->v; }

const Factor *factor_of(Arena *a, OpCode op, const Factor *x, const Factor *y) {
    if (is_number(x) && is_number(y)) {
        double p = x->number, q = y->number;
        return factor_number(a, op == OP_ADD ? p + q : op == OP_MUL ? p * q : p / q);
    }
    if (op != OP_ADD && factor_is(x, 0)) return x;
    if (op == OP_MUL && factor_is(y, 0)) return y;
    double neutral = op == OP_ADD ? 0 : 1;
    if (factor_is(y, neutral)) return x;
    if (factor_is(x, neutral) && op != OP_DIV) return y;
    return factor_new(a, (Factor){.op = op, .x = x, .y = y});
}

Value *factor_build(Builder *b, const Factor *f, DType t) {
    if (f->op != OP_CONST) {
        Value *x = factor_build(b, f->x, t);
        return build_binary(b, f->op, x, factor_build(b, f->y, t));
    }
    return f->v ? f->v : build_const(b, (Const){.dtype = t, .f = const_round(t, f->number)});
}

/* ---- taps */

static void add_tap(Arena *a, Stencil *l, const Tap *t, int rank) {
    for (int i = 0; i < l->n; i++) {
        Tap *old = &l->tap[i];
        if (old->array != t->array || memcmp(old->at, t->at, sizeof *t->at * (size_t)rank)) continue;
        old->factor = factor_of(a, OP_ADD, old->factor, t->factor);
        return;
    }
    if (l->n < MOST_TAPS) l->tap[l->n] = *t;
    l->n++; /* too many are told by their number */
}

static bool take_border(int64_t border, int64_t *at) {
    if (border > BORDER) return false;
    if (border > *at) *at = border;
    return true;
}

/* ---- indices: an index of the comprehension, or none, and what does not depend on it */

typedef struct { int axis, sign; const Size *rest; } Sum; /* sign 0: no index */

static bool read_sum(const Reader *r, const Value *v, Sum *out) {
    const Op *op = v->def;
    bool own = region_encloses(r->body, value_region(v));
    if (own && !op && v->region == r->body) return *out = (Sum){v->index, 1, size_const(r->s, 0)}, true;
    if (own && op && (op->code == OP_ADD || op->code == OP_SUB)) {
        Sum x, y;
        if (!read_sum(r, op_opnd(op, 0), &x) || !read_sum(r, op_opnd(op, 1), &y) || (x.sign && y.sign)) return false;
        bool less = op->code == OP_SUB;
        *out = (Sum){x.sign ? x.axis : y.axis, x.sign ? x.sign : less ? -y.sign : y.sign,
                     less ? size_sub(r->s, x.rest, y.rest) : size_add(r->s, x.rest, y.rest)};
        return true;
    }
    *out = (Sum){0, 0, value_size(r->s, v, false)};
    int64_t c;
    return out->rest && (!size_is_const(out->rest, &c) || (c > -FAR && c < FAR));
}

/* index >= bound */
static bool from(const Reader *r, int axis, const Size *bound) {
    int64_t c;
    return size_is_const(bound, &c) && take_border(c, &r->out->lo[axis]);
}

/* index < bound */
static bool below(const Reader *r, int axis, const Size *bound) {
    int64_t c;
    return size_is_const(size_sub(r->s, r->type->dims[axis], bound), &c) && take_border(c, &r->out->up[axis]);
}

static const Size *plus(const Reader *r, const Size *x, int64_t c) { return size_add(r->s, x, size_const(r->s, c)); }

/* sign*index + rest < 0 */
static bool take_less(const Reader *r, const Sum *x) {
    if (x->sign > 0) return below(r, x->axis, size_sub(r->s, size_const(r->s, 0), x->rest));
    return x->sign < 0 && from(r, x->axis, plus(r, x->rest, 1));
}

/* The index is not the first one, or not the last one. */
static bool take_unequal(const Reader *r, const Sum *x) {
    if (!x->sign) return false;
    const Size *at = x->sign < 0 ? x->rest : size_sub(r->s, size_const(r->s, 0), x->rest);
    int64_t c;
    if (size_is_const(at, &c) && c == 0) return from(r, x->axis, size_const(r->s, 1));
    return at == plus(r, r->type->dims[x->axis], -1) && below(r, x->axis, at);
}

static bool take_comparison(const Reader *r, OpCode cmp, const Op *op) {
    Sum x, y;
    if (op_opnd(op, 0)->type->dtype != DT_I64 || !read_sum(r, op_opnd(op, 0), &x)) return false;
    if (!read_sum(r, op_opnd(op, 1), &y) || (x.sign && y.sign)) return false;
    Sum d = {x.sign ? x.axis : y.axis, x.sign ? x.sign : -y.sign, size_sub(r->s, x.rest, y.rest)};
    Sum back = {d.axis, -d.sign, size_sub(r->s, size_const(r->s, 0), d.rest)};
    switch (cmp) {
    case OP_LT: return take_less(r, &d);
    case OP_GT: return take_less(r, &back);
    case OP_LE: d.rest = plus(r, d.rest, -1); return take_less(r, &d);
    case OP_GE: back.rest = plus(r, back.rest, -1); return take_less(r, &back);
    case OP_NE: return take_unequal(r, &d);
    default: return false;
    }
}

/* Where the condition holds, or does not */
static bool take_condition(const Reader *r, const Value *v, bool holds) {
    const Op *op = v->def;
    if (!op || op->parent->func != r->body->func) return false;
    if (op->code == OP_NOT) return take_condition(r, op_opnd(op, 0), !holds);
    if (op->code == (holds ? OP_AND : OP_OR))
        return take_condition(r, op_opnd(op, 0), holds) && take_condition(r, op_opnd(op, 1), holds);
    return opcode_is_compare(op->code) && take_comparison(r, holds ? op->code : opcode_negated(op->code), op);
}

/* Of a choice the side that is taken away from the border; NULL: v is no such choice. */
static const Value *inside(const Reader *r, const Value *v) {
    const Op *op = v->def;
    if (!op || (op->code != OP_IF && op->code != OP_SELECT) || !region_encloses(r->body, op->parent)) return NULL;
    Stencil old = *r->out;
    for (int side = 0; side < 2; side++) {
        *r->out = old;
        if (!take_condition(r, op_opnd(op, 0), !side)) continue;
        return op->code == OP_IF ? op_opnd(region_term(op->regs[side]), v->index) : op_opnd(op, 1 + side);
    }
    return NULL;
}

static bool read_distance(const Reader *r, const Value *v, int axis, const Size **out);

/* x % n is x where that is in 0 .. n-1; n more or less there does not matter. */
static bool read_around(const Reader *r, const Op *mod, int axis, const Size **out) {
    const Size *n = value_size(r->s, op_opnd(mod, 1), false), *x;
    int64_t c, k;
    if (!n || !read_distance(r, op_opnd(mod, 0), axis, &x)) return false;
    if (size_is_const(n, &k) && size_is_const(x, &c)) {
        if (k < 1 || c > INT32_MAX || c < INT32_MIN) return false;
        c %= k;
        x = size_const(r->s, c > k / 2 ? c - k : c < -k / 2 ? c + k : c);
    } else if (!size_is_const(x, NULL)) x = size_sub(r->s, x, n);
    *out = x;
    return from(r, axis, size_sub(r->s, size_const(r->s, 0), x)) && below(r, axis, size_sub(r->s, n, x));
}

/* min(x, e) is x where x < e + 1, max where x >= e. */
static bool read_clamp(const Reader *r, const Op *op, int axis, const Size **out) {
    const Size *e = value_size(r->s, op_opnd(op, 1), false);
    if (!e) e = value_size(r->s, op_opnd(op, 0), false);
    bool first = e && value_size(r->s, op_opnd(op, 1), false) == e;
    if (!e || !read_distance(r, op_opnd(op, !first), axis, out)) return false;
    if (op->code == OP_MAX) return from(r, axis, size_sub(r->s, e, *out));
    return below(r, axis, size_sub(r->s, plus(r, e, 1), *out));
}

/* index + *out, away from the border */
static bool read_distance(const Reader *r, const Value *v, int axis, const Size **out) {
    const Op *op = v->def;
    Sum x;
    if (read_sum(r, v, &x)) return *out = x.rest, x.sign == 1 && x.axis == axis;
    if (!op || !region_encloses(r->body, op->parent)) return false;
    const Value *side = inside(r, v);
    if (side) return read_distance(r, side, axis, out);
    switch (op->code) {
    case OP_MOD: return read_around(r, op, axis, out);
    case OP_MIN: case OP_MAX: return read_clamp(r, op, axis, out);
    case OP_ADD: case OP_SUB: {
        const Size *c = value_size(r->s, op_opnd(op, 1), false);
        if (!c || !read_distance(r, op_opnd(op, 0), axis, out)) return false;
        *out = op->code == OP_ADD ? size_add(r->s, *out, c) : size_sub(r->s, *out, c);
        return true;
    }
    default: return false;
    }
}

/* ---- what a comprehension computes */

static bool read_element(const Reader *r, const Op *op, const Factor *by) {
    Tap t = {.array = op_opnd(op, 0), .factor = by};
    if (!op_flag(op, A_SAFE) || op->nopnds != r->body->nargs + 1) return false;
    if (region_encloses(r->body, value_region(t.array)) || t.array->type->dtype != r->type->dtype) return false;
    for (int i = 0; i < r->body->nargs; i++) {
        const Size *d;
        if (!read_distance(r, op_opnd(op, i + 1), i, &d) || !size_is_const(d, &t.at[i])) return false;
        if (t.at[i] > BORDER || t.at[i] < -BORDER) return false;
    }
    add_tap(r->arena, r->out, &t, r->body->nargs);
    return true;
}

/* A number that is the same for all elements; NULL: v is none. */
static const Factor *read_factor(const Reader *r, Value *v) {
    bool fixed = value_const(v) || !region_encloses(r->body, value_region(v));
    return fixed ? factor_scalar(r->arena, v) : NULL;
}

static bool read_term(Reader *r, Value *v, const Factor *by);

static bool read_product(Reader *r, const Op *op, const Factor *by) {
    Value *x = op_opnd(op, 0), *y = op_opnd(op, 1);
    const Factor *k = read_factor(r, y);
    if (op->code == OP_DIV)
        return k && (is_number(k) || r->quotients) && read_term(r, x, factor_of(r->arena, OP_DIV, by, k));
    if (k) return read_term(r, x, factor_of(r->arena, OP_MUL, by, k));
    return (k = read_factor(r, x)) && read_term(r, y, factor_of(r->arena, OP_MUL, by, k));
}

static bool read_term(Reader *r, Value *v, const Factor *by) {
    const Factor *k = read_factor(r, v), *minus = factor_of(r->arena, OP_MUL, by, factor_number(r->arena, -1));
    Stencil *out = r->out;
    if (k) return out->more = factor_of(r->arena, OP_ADD, out->more, factor_of(r->arena, OP_MUL, by, k)), true;
    const Op *op = v->def;
    if (!op || r->steps++ == MOST_STEPS || out->n > MOST_TAPS) return false;
    switch (op->code) {
    case OP_EXTRACT: return read_element(r, op, by);
    case OP_NEG: return read_term(r, op_opnd(op, 0), minus);
    case OP_ADD: return read_term(r, op_opnd(op, 0), by) && read_term(r, op_opnd(op, 1), by);
    case OP_SUB: return read_term(r, op_opnd(op, 0), by) && read_term(r, op_opnd(op, 1), minus);
    case OP_DIV: case OP_MUL: return read_product(r, op, by);
    case OP_IF: case OP_SELECT: {
        const Value *side = inside(r, v);
        return side && read_term(r, (Value *)(uintptr_t)side, by);
    }
    default: return false;
    }
}

bool stencil_read(const Op *op, const PassOptions *opts, Stencil *out) {
    if (op->code != OP_GENERATE || op->nres != 1 || !dtype_is_float(op->res[0].type->dtype)) return false;
    Module *m = op->parent->func->module;
    Reader r = {.op = op, .body = op->regs[0], .type = op->res[0].type, .s = m->session, .arena = m->arena, .out = out};
    r.quotients = opts->fp == FP_FAST;
    *out = (Stencil){.more = factor_number(m->arena, 0)};
    if (dtype_info(r.type->dtype)->bytes < 4) return false;
    return read_term(&r, op_opnd(region_term(r.body), 0), factor_number(m->arena, 1)) && out->n > 0 &&
           out->n <= MOST_TAPS;
}

/* ---- one of two */

/* Where the element of the inner one that is `at` away is a sum */
static bool take_inner_border(Session *s, const Stencil *inner, const int64_t *at, const Type *array, const Type *whole,
                              Stencil *out) {
    for (int a = 0; a < whole->rank; a++) {
        int64_t more;
        if (inner->lo[a] && !take_border(inner->lo[a] - at[a], &out->lo[a])) return false;
        if (!inner->up[a]) continue;
        if (!size_is_const(size_sub(s, whole->dims[a], array->dims[a]), &more)) return false;
        if (!take_border(more + inner->up[a] + at[a], &out->up[a])) return false;
    }
    return true;
}

bool stencil_compose(Session *s, Arena *arena, const Stencil *outer, const Value *array, const Stencil *inner,
                     const Type *whole, Stencil *out) {
    *out = *outer;
    out->n = 0;
    for (int i = 0; i < outer->n; i++) {
        const Tap *o = &outer->tap[i];
        if (o->array != array) {
            add_tap(arena, out, o, whole->rank);
            continue;
        }
        if (!take_inner_border(s, inner, o->at, array->type, whole, out)) return false;
        out->more = factor_of(arena, OP_ADD, out->more, factor_of(arena, OP_MUL, o->factor, inner->more));
        for (int k = 0; k < inner->n; k++) {
            Tap t = inner->tap[k];
            t.factor = factor_of(arena, OP_MUL, o->factor, t.factor);
            for (int a = 0; a < whole->rank; a++) t.at[a] += o->at[a];
            add_tap(arena, out, &t, whole->rank);
        }
        if (out->n > MOST_TAPS) return false;
    }
    return true;
}

bool stencil_has_border(const Stencil *l, int rank) {
    for (int a = 0; a < rank; a++)
        if (l->lo[a] || l->up[a]) return true;
    return false;
}

/* ---- as operations */

static int by_place(const void *a, const void *b) {
    const Tap *x = a, *y = b;
    for (int i = 0; i < MAX_RANK; i++)
        if (x->at[i] != y->at[i]) return x->at[i] < y->at[i] ? -1 : 1;
    return 0;
}

static Value *element(Builder *b, const Region *body, const Tap *t) {
    Value *at[MAX_RANK];
    for (int i = 0; i < body->nargs; i++) at[i] = index_add(b, body->args[i], build_int(b, t->at[i]));
    return extract_safe(b, t->array, body->nargs, at);
}

static bool same_factor(const Factor *x, const Factor *y, int depth) {
    if (x == y) return true;
    if (x->op != y->op || x->v != y->v || depth == DEEP) return false;
    if (x->op == OP_CONST) return x->number == y->number;
    return same_factor(x->x, y->x, depth + 1) && same_factor(x->y, y->y, depth + 1);
}

static bool is_negative(const Factor *f) { return is_number(f) && f->number < 0; }

/* One that is not less than 0, where that is known */
static const Factor *size_of(Arena *a, const Factor *f) { return is_negative(f) ? factor_number(a, -f->number) : f; }

static Value *add_to(Builder *b, Value *sum, Value *v, bool less) {
    if (sum) return build_binary(b, less ? OP_SUB : OP_ADD, sum, v);
    return less ? build_unary(b, OP_NEG, v) : v;
}

/* What is left of the elements from tap i on with i's factor, but for the sign; these are done then. */
static Value *add_alike(Builder *b, const Region *body, const Stencil *l, int i, bool *done) {
    Arena *a = b->module->arena;
    const Factor *f = l->tap[i].factor, *size = size_of(a, f);
    Value *sum = NULL;
    for (int k = i; k < l->n; k++) {
        const Factor *g = l->tap[k].factor;
        if (done[k] || !same_factor(size, size_of(a, g), 0)) continue;
        sum = add_to(b, sum, element(b, body, &l->tap[k]), is_negative(f) != is_negative(g));
        done[k] = true;
    }
    return sum;
}

/* Elements with one factor are added up first. */
static Value *add_taps(Builder *b, Builder *before, const Region *body, const Stencil *l, DType t) {
    bool done[MOST_TAPS] = {false};
    Value *sum = NULL;
    for (int i = 0; i < l->n; i++) {
        const Factor *f = l->tap[i].factor, *size = size_of(b->module->arena, f);
        if (done[i] || factor_is(f, 0)) continue;
        Value *v = add_alike(b, body, l, i, done);
        if (!factor_is(size, 1)) v = build_binary(b, OP_MUL, v, factor_build(is_number(f) ? b : before, size, t));
        sum = add_to(b, sum, v, is_negative(f));
    }
    return sum;
}

Value *stencil_build(Builder *b, Op *op, Stencil *l) {
    const Region *body = op->regs[0];
    Builder before = builder_before(op);
    DType t = op->res[0].type->dtype;
    qsort(l->tap, (size_t)l->n, sizeof *l->tap, by_place);
    Value *sum = add_taps(b, &before, body, l, t);
    if (sum && factor_is(l->more, 0)) return sum;
    Value *more = factor_build(is_number(l->more) ? b : &before, l->more, t);
    return sum ? build_binary(b, OP_ADD, sum, more) : more;
}
