/* compose: a stencil of a stencil is one stencil, with --fp=reassoc: of y[i] = x[i] - 2*x[i+1] + x[i+2], taken twice,
 * x[i] - 4*x[i+1] + 6*x[i+2] - 4*x[i+3] + x[i+4] is left, and no array in between.
 *
 * Needs stage par, behind fuse, which leaves what would be computed several times.  A comprehension is linear if its
 * element is a sum of elements of arrays, each at the comprehension's indices and constant distances from them, times
 * constants.  Where all that reads a linear one is one other linear one, the coefficients of the first go into those of
 * the second: the composition of stencils is the product of their polynomials (convolution).  That pays as long as the
 * elements that are read are not many more than both read before, since the array in between is neither written nor
 * read.  Reactant recognises stencils as convolutions, and composes these. */
#include "ir/index.h"
#include "opt/dead.h"
#include "opt/pass.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TAPS = 64,
    MOST_STEPS = 1000, /* of reading an element, of which parts may be used often */
    MORE = 2           /* times as many elements as before are still worth it */
};

/* coefficient * array[i + at[0], j + at[1], ..] */
typedef struct { Value *array; int64_t at[MAX_RANK]; double coefficient; } Tap;
typedef struct { Tap tap[MOST_TAPS]; int n, steps; double more; } Stencil; /* more: a number beside them */

/* ---- what a comprehension computes */

static void add_tap(Stencil *l, const Tap *t, int rank) {
    for (int i = 0; i < l->n; i++) {
        Tap *old = &l->tap[i];
        if (old->array != t->array || memcmp(old->at, t->at, sizeof *t->at * (size_t)rank)) continue;
        old->coefficient += t->coefficient;
        return;
    }
    if (l->n < MOST_TAPS) l->tap[l->n] = *t;
    l->n++; /* too many are told by their number */
}

/* index + distance */
static bool read_distance(const Value *v, const Value *index, int64_t *out) {
    int64_t c;
    const Op *op = v->def;
    if (v == index) return true;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB)) return false;
    bool first = op->code == OP_ADD && value_const_int(op_opnd(op, 0), &c);
    if (!first && !value_const_int(op_opnd(op, 1), &c)) return false;
    *out += op->code == OP_ADD ? c : -c;
    return read_distance(op_opnd(op, first), index, out);
}

static bool read_element(const Region *body, const Op *op, double by, Stencil *out) {
    Tap t = {.array = op_opnd(op, 0), .coefficient = by};
    if (!op_flag(op, A_SAFE) || op->nopnds != body->nargs + 1) return false;
    if (region_encloses(body, value_region(t.array))) return false;
    for (int i = 0; i < body->nargs; i++)
        if (!read_distance(op_opnd(op, i + 1), body->args[i], &t.at[i])) return false;
    add_tap(out, &t, body->nargs);
    return true;
}

static bool read_term(const Region *body, const Value *v, double by, Stencil *out) {
    const Const *c = value_const(v), *k;
    const Op *op = v->def;
    if (c) return out->more += by * c->f, true;
    if (!op || op->parent != body || out->steps++ == MOST_STEPS) return false;
    switch (op->code) {
    case OP_EXTRACT: return read_element(body, op, by, out);
    case OP_NEG: return read_term(body, op_opnd(op, 0), -by, out);
    case OP_ADD: return read_term(body, op_opnd(op, 0), by, out) && read_term(body, op_opnd(op, 1), by, out);
    case OP_SUB: return read_term(body, op_opnd(op, 0), by, out) && read_term(body, op_opnd(op, 1), -by, out);
    case OP_DIV: return (k = value_const(op_opnd(op, 1))) && read_term(body, op_opnd(op, 0), by / k->f, out);
    case OP_MUL:
        if ((k = value_const(op_opnd(op, 0)))) return read_term(body, op_opnd(op, 1), by * k->f, out);
        return (k = value_const(op_opnd(op, 1))) && read_term(body, op_opnd(op, 0), by * k->f, out);
    default: return false;
    }
}

static bool is_linear(const Op *op, Stencil *out) {
    if (op->code != OP_GENERATE || op->nres != 1 || !dtype_is_float(op->res[0].type->dtype)) return false;
    const Region *body = op->regs[0];
    const Value *v = op_opnd(region_term(body), 0);
    DType t = op->res[0].type->dtype;
    out->n = out->steps = 0, out->more = 0;
    if (dtype_info(t)->bytes < 4 || !read_term(body, v, 1, out) || out->n > MOST_TAPS) return false;
    for (int i = 0; i < out->n; i++)
        if (out->tap[i].array->type->dtype != t) return false;
    return out->n > 1;
}

/* ---- one of two */

static bool only_read_by(const Value *array, const Op *op) {
    for (const Use *u = array->uses; u; u = u->next)
        if (!op_inside(u->user, op)) return false;
    return true;
}

/* The taps of op with those of inner, which makes the array, in place of each of that */
static bool put_in(const Stencil *outer, const Value *array, const Stencil *inner, int rank, Stencil *out) {
    out->n = 0, out->more = outer->more;
    for (int i = 0; i < outer->n; i++) {
        const Tap *o = &outer->tap[i];
        if (o->array != array) add_tap(out, o, rank);
        else out->more += o->coefficient * inner->more;
        for (int k = 0; o->array == array && k < inner->n; k++) {
            Tap t = inner->tap[k];
            t.coefficient *= o->coefficient;
            for (int a = 0; a < rank; a++) t.at[a] += o->at[a];
            add_tap(out, &t, rank);
        }
        if (out->n > MOST_TAPS) return false;
    }
    return true;
}

static int by_place(const void *a, const void *b) {
    const Tap *x = a, *y = b;
    for (int i = 0; i < MAX_RANK; i++)
        if (x->at[i] != y->at[i]) return x->at[i] < y->at[i] ? -1 : 1;
    return 0;
}

/* ---- the body */

static Value *element(Builder *b, const Region *body, const Tap *t) {
    Value *at[MAX_RANK];
    for (int i = 0; i < body->nargs; i++) at[i] = index_add(b, body->args[i], build_int(b, t->at[i]));
    return extract_safe(b, t->array, body->nargs, at);
}

static Value *number(Builder *b, DType t, double x) {
    return build_const(b, (Const){.dtype = t, .f = const_round(t, x)});
}

static Value *add_term(Builder *b, Value *sum, Value *v, double coefficient) {
    DType t = v->type->dtype;
    bool less = sum && coefficient < 0;
    double size = less ? -coefficient : coefficient;
    if (size != 1) v = build_binary(b, OP_MUL, v, number(b, t, size));
    return !sum ? v : build_binary(b, less ? OP_SUB : OP_ADD, sum, v);
}

static void compute(Op *op, Stencil *l) {
    Region *body = op->regs[0];
    Op *term = region_term(body);
    Builder b = builder_before(term);
    Value *sum = NULL;
    DType t = op->res[0].type->dtype;
    qsort(l->tap, (size_t)l->n, sizeof *l->tap, by_place);
    for (int i = 0; i < l->n; i++)
        if (l->tap[i].coefficient != 0) sum = add_term(&b, sum, element(&b, body, &l->tap[i]), l->tap[i].coefficient);
    Value *more = l->more != 0 || !sum ? number(&b, t, l->more) : NULL;
    if (more) sum = sum ? build_binary(&b, OP_ADD, sum, more) : more;
    op_set_opnd(term, 0, sum);
    dead_in_region(body);
}

/* The array of a linear comprehension that op alone reads; the composition is in l. */
static Op *compose_one(const Op *op, Stencil *l) {
    int rank = op->regs[0]->nargs;
    for (int i = 0; i < l->n; i++) {
        Value *array = l->tap[i].array;
        Op *def = array->def;
        Stencil inner, both;
        if (!def || def->parent != op->parent || !is_linear(def, &inner) || !only_read_by(array, op)) continue;
        if (!put_in(l, array, &inner, rank, &both) || both.n > MORE * (l->n + inner.n)) continue;
        *l = both;
        return def;
    }
    return NULL;
}

static void compose(Op *op) {
    Stencil l;
    while (is_linear(op, &l)) {
        Op *inner = compose_one(op, &l);
        if (!inner) return;
        compute(op, &l);
        if (value_unused(&inner->res[0])) op_erase(inner);
    }
}

static void visit(Region *r) {
    for (Op *op = r->first; op; op = op->next) {
        if (op->code == OP_ISLAND) continue;
        if (op->code == OP_GENERATE) compose(op);
        for (int i = 0; op->code != OP_GENERATE && i < op->nregs; i++) visit(op->regs[i]);
    }
}

void pass_compose(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
