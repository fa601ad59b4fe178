/* How often a place in a kernel runs.
 *
 * Loops of a reduction's tree divide what a loop around them goes through (lower/reduce_tree.h), `for i in 0:n by 1024`
 * and inside of it `for j in 0:min(n - i, 1024)`, or `for j in lane:min(n - i, 1024) by 8` for each of 8 lanes:
 * together they have n turns, not as many as chunks and lanes have at most.  So do blocks that have a chunk each.
 * Other bounds that change with an index around count with its value in the middle. */
#include "codegen/often.h"
#include "ir/index.h"

enum { MAX_DEPTH = 16, MAX_TERMS = 8 };

static const Size *ceildiv(Session *s, const Size *n, int64_t by) {
    return size_floordiv(s, size_add(s, n, size_const(s, by - 1)), size_const(s, by));
}

static bool all_alike(void *ctx, const char *sym, int64_t *out) {
    (void)sym;
    *out = *(const int64_t *)ctx;
    return true;
}

bool often_value(const Size *n, int64_t sizes, int64_t *out) { return size_eval(n, all_alike, &sizes, out); }

/* ---- conditions */

int often_side(Session *s, const Value *cond) {
    const Op *op = cond->def;
    int64_t x, y;
    if (value_const_int(cond, &x)) return !x;
    if (!op || op->nopnds != 2 || op_opnd(op, 0)->type->dtype != DT_I64) return -1;
    const Size *a = value_size(s, op_opnd(op, 0), false), *b = value_size(s, op_opnd(op, 1), false);
    if (!a || !b || !often_value(a, OFTEN_SAMPLE, &x) || !often_value(b, OFTEN_SAMPLE, &y)) return -1;
    switch (op->code) {
    case OP_LT: return !(x < y);
    case OP_LE: return !(x <= y);
    case OP_GT: return !(x > y);
    case OP_GE: return !(x >= y);
    case OP_EQ: return !(x == y);
    case OP_NE: return !(x != y);
    default: return -1;
    }
}

/* ---- sums: a size, and values that are none */

typedef struct {
    Session *s;
    const Size *size;
    int n;
    struct { const Value *v; int64_t coef; } t[MAX_TERMS];
    bool ok;
} Sum;

static void add_value(Sum *sum, const Value *v, int64_t coef) {
    int i = 0;
    while (i < sum->n && sum->t[i].v != v) i++;
    if (i == MAX_TERMS) sum->ok = false;
    if (i == MAX_TERMS) return;
    if (i == sum->n) sum->t[sum->n].v = v, sum->t[sum->n++].coef = 0;
    sum->t[i].coef += coef;
    if (!sum->t[i].coef) sum->t[i] = sum->t[--sum->n];
}

static void add_terms(Sum *sum, const Value *v, int64_t coef, int depth) {
    const Size *n = value_size(sum->s, v, false);
    const Op *op = v->def;
    int64_t k;
    if (n) {
        sum->size = size_add(sum->s, sum->size, size_mul(sum->s, n, size_const(sum->s, coef)));
    } else if (depth < MAX_DEPTH && op && (op->code == OP_ADD || op->code == OP_SUB)) {
        add_terms(sum, op_opnd(op, 0), coef, depth + 1);
        add_terms(sum, op_opnd(op, 1), op->code == OP_ADD ? coef : -coef, depth + 1);
    } else if (depth < MAX_DEPTH && op && op->code == OP_MUL && value_const_int(op_opnd(op, 1), &k)) {
        add_terms(sum, op_opnd(op, 0), coef * k, depth + 1);
    } else {
        add_value(sum, v, coef);
    }
}

static Sum sum_of(Session *s, const Value *v) {
    Sum sum = {.s = s, .size = size_const(s, 0), .ok = true};
    if (v) add_terms(&sum, v, 1, 0);
    return sum;
}

/* ---- about what a value is: with indices in the middle, of a minimum what is known, as long as sizes are large */

static const Size *mean_of(const Often *o, const Value *iv) {
    while (o && (!o->iv || o->iv != iv)) o = o->up;
    return o ? o->mean : NULL;
}

static const Size *about(Session *s, const Often *o, const Value *v, int depth);

static const Size *about_side(Session *s, const Often *o, const Op *op, int k, int depth) {
    int64_t c;
    const Size *n = about(s, o, op_opnd(op, k), depth + 1);
    return n && size_is_const(n, &c) && c > INT32_MAX ? NULL : n; /* larger than anything: it says nothing */
}

/* Where one side is not exact, the other alone, which is a number mostly */
static const Size *less_of(Session *s, const Op *op, const Size *x, const Size *y) {
    bool of_x = value_size(s, op_opnd(op, 0), false), of_y = value_size(s, op_opnd(op, 1), false);
    if (of_x == of_y || (size_is_const(x, NULL) && size_is_const(y, NULL))) return size_min(s, x, y);
    return of_x ? x : y;
}

static const Size *about_op(Session *s, const Often *o, const Op *op, int depth) {
    if (op->code == OP_SELECT) {
        int side = often_side(s, op_opnd(op, 0));
        return side < 0 ? NULL : about(s, o, op_opnd(op, 1 + side), depth + 1);
    }
    if (op->nopnds != 2 || op->nregs) return NULL;
    if (op->code == OP_MIN) {
        const Size *x = about_side(s, o, op, 0, depth), *y = about_side(s, o, op, 1, depth);
        return x && y ? less_of(s, op, x, y) : x ? x : y;
    }
    const Size *x = about(s, o, op_opnd(op, 0), depth + 1), *y = x ? about(s, o, op_opnd(op, 1), depth + 1) : NULL;
    return x && y ? size_combined(s, op->code, x, y) : NULL;
}

/* NULL: not known */
static const Size *about(Session *s, const Often *o, const Value *v, int depth) {
    const Size *n = value_size(s, v, false);
    if (n || depth > MAX_DEPTH) return n;
    return v->def ? about_op(s, o, v->def, depth) : mean_of(o, v);
}

/* ---- loops that divide what one around them goes through */

typedef struct { const Often *by; const Size *covers; } Divided;

/* x is what `o`, going in steps of `step`, has left: of a `for` its end less its index, else a size less step*index */
static const Size *left_of(Session *s, const Often *o, const Value *x, int64_t step) {
    Sum rest = sum_of(s, x);
    if (o->end && o->step == step) {
        add_value(&rest, o->iv, 1);
        add_terms(&rest, o->end, -1, 0);
        int64_t c;
        if (rest.ok && !rest.n && size_is_const(rest.size, &c) && !c) return o->covers;
        rest = sum_of(s, x);
    }
    add_value(&rest, o->iv, step);
    return rest.ok && !rest.n && !o->end ? rest.size : NULL;
}

/* v is min(what is left of a loop around, its step) */
static Divided divided_by(Session *s, const Often *o, const Value *v) {
    int64_t step;
    if (!v->def || v->def->code != OP_MIN) return (Divided){NULL, NULL};
    for (; o->up; o = o->up)
        for (int k = 0; k < 2; k++) {
            if (!value_const_int(op_opnd(v->def, k), &step) || step < 1) continue;
            const Size *covers = left_of(s, o, op_opnd(v->def, 1 - k), step);
            if (covers) return (Divided){o, covers};
        }
    return (Divided){NULL, NULL};
}

/* hi - lo is such a value, but for the numbers of lanes */
static Divided divides(Session *s, const Often *up, const Op *loop) {
    Sum d = sum_of(s, op_opnd(loop, 1));
    int64_t c;
    const Value *v = NULL;
    add_terms(&d, op_opnd(loop, 0), -1, 0);
    if (!d.ok || !size_is_const(d.size, &c) || c) return (Divided){NULL, NULL};
    for (int i = 0; i < d.n; i++) {
        if (d.t[i].coef < 0 && mean_of(up, d.t[i].v)) continue;
        if (v || d.t[i].coef != 1) return (Divided){NULL, NULL};
        v = d.t[i].v;
    }
    return v ? divided_by(s, up, v) : (Divided){NULL, NULL};
}

/* Turns between `by` and here for each of by's: a number, and what is none */
static const Size *turns_since(Session *s, const Often *up, const Often *by, int64_t *number) {
    const Size *rest = size_const(s, 1);
    int64_t c;
    *number = 1;
    for (; up != by; up = up->up)
        if (size_is_const(up->each, &c) && c > 0) *number *= c;
        else rest = size_mul(s, rest, up->each);
    return rest;
}

static void of_divided(Session *s, Often *o, Divided d) {
    int64_t lanes;
    const Size *rest = turns_since(s, o->up, d.by, &lanes), *turns;
    if (o->step % lanes == 0) turns = ceildiv(s, d.covers, o->step / lanes);
    else turns = size_mul(s, size_const(s, lanes), ceildiv(s, d.covers, o->step));
    rest = size_mul(s, rest, d.by->end ? d.by->starts : d.by->up->all);
    o->all = size_mul(s, rest, turns);
    o->starts = rest, o->covers = d.covers;
}

/* ---- loops */

static Often *often_new(Session *s, const Often *up, const Value *iv, int64_t step) {
    Often *o = NEWN(session_arena(s), Often, 1);
    *o = (Often){.up = up, .iv = iv, .step = step, .each = size_const(s, 1)};
    if (!up) return o;
    o->all = o->starts = up->all, o->covers = o->each;
    return o;
}

Often *often_kernel(Session *s, const Size *times) {
    Often *o = often_new(s, NULL, NULL, 1);
    o->all = o->starts = times, o->covers = o->each;
    return o;
}

static void set_turns(Session *s, Often *o, const Size *lo, const Size *covers) {
    int64_t c;
    if (size_is_const(covers, &c) && c < 0) covers = size_const(s, 0);
    o->covers = covers;
    o->each = ceildiv(s, covers, o->step);
    o->all = size_mul(s, o->up->all, o->each);
    const Size *last = size_sub(s, covers, size_const(s, 1));
    if (lo) o->mean = size_add(s, lo, size_floordiv(s, last, size_const(s, 2)));
}

Often *often_for(Session *s, const Often *up, const Op *loop) {
    int64_t step;
    bool known = value_const_int(op_opnd(loop, 2), &step) && step >= 1;
    Often *o = often_new(s, up, loop->regs[0]->args[0], known ? step : 1);
    const Size *lo = about(s, up, op_opnd(loop, 0), 0), *hi = about(s, up, op_opnd(loop, 1), 0);
    Divided d = known ? divides(s, up, loop) : (Divided){NULL, NULL};
    o->end = op_opnd(loop, 1);
    o->guessed = !known || (!d.by && (!lo || !hi));
    if (lo && hi && known) set_turns(s, o, lo, size_sub(s, hi, lo));
    if (d.by) of_divided(s, o, d);
    return o;
}

Often *often_axis(Session *s, const Often *up, const Op *loop, int axis) {
    Often *o = often_new(s, up, loop->regs[0]->args[axis], 1);
    const Size *n = about(s, up, op_opnd(loop, axis), 0);
    Divided d = divided_by(s, up, op_opnd(loop, axis));
    o->guessed = !n && !d.by;
    if (n) set_turns(s, o, size_const(s, 0), n);
    if (d.by) of_divided(s, o, d);
    return o;
}
