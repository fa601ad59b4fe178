/* Shapes of rules, and what rules ask of them: shapes.def.  What is asked of sizes holds for all values of their
 * symbols, or it does not hold. */
#include "ir/index.h"
#include "opt/tensor/shape.h"

typedef bool ShapeFn(Builder *b, const ShapeArg *x, Shape *out);

static const Type *type_of(const ShapeArg *x) { return x->v->type; }

/* ---- conditions */

static bool is_identity(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    for (int i = 0; i < x->s->n; i++)
        if (x->s->ints[i] != i) return false;
    return true;
}

static bool keeps_order(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    int64_t last = -1, c;
    for (int i = 0; i < x[0].s->n; i++) {
        int64_t axis = x[0].s->ints[i];
        if (size_is_const(type_of(&x[1])->dims[axis], &c) && c == 1) continue;
        if (axis < last) return false;
        last = axis;
    }
    return true;
}

static bool is_turn(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    const int64_t *perm = x->s->ints;
    int n = x->s->n;
    for (int i = 0; i < n - 2; i++)
        if (perm[i] != i) return false;
    return n >= 2 && perm[n - 1] == n - 2 && perm[n - 2] == n - 1;
}

static bool last_two(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    int n = type_of(x)->rank;
    out->n = n;
    for (int i = 0; i < n; i++) out->ints[i] = i < n - 2 ? i : 2 * n - 3 - i;
    return n >= 2;
}

static bool same_dims(int rank, const Size *const *a, const Type *t) {
    if (t->rank != rank) return false;
    for (int i = 0; i < rank; i++)
        if (a[i] != t->dims[i]) return false;
    return true;
}

static bool has_extents_of(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    return same_dims(x[0].s->rank, x[0].s->dims, type_of(&x[1]));
}

static bool is_whole(Builder *b, const ShapeArg *x, Shape *out) {
    const Shape *s = x[0].s;
    for (int i = 0; i < s->rank; i++)
        if (!value_is_const_int(s->start[i], 0) || s->ints[i] != 1) return false;
    return has_extents_of(b, x, out);
}

static bool are_alike(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    return same_dims(type_of(&x[0])->rank, type_of(&x[0])->dims, type_of(&x[1]));
}

static bool is_vector(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, (void)out, type_of(x)->rank == 1; }
static bool is_matrix(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, (void)out, type_of(x)->rank == 2; }

static bool is_zero(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    const Const *c = value_const(x->v);
    return c && c->dtype != DT_STR && !c->i && c->f == 0 && !(1 / c->f < 0);
}

static bool is_one(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    const Const *c = value_const(x->v);
    return c && (dtype_is_float(c->dtype) ? c->f == 1 : dtype_is_int(c->dtype) && c->i == 1);
}

static bool same_value(const Value *x, const Value *y) {
    return x == y || (x && y && x->type == y->type && value_same_int(x, y));
}

static bool are_same(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    const Const *c = value_const(x[0].v), *d = value_const(x[1].v);
    if (same_value(x[0].v, x[1].v)) return true;
    return c && d && c->dtype == d->dtype && dtype_is_float(c->dtype) && c->f == d->f && 1 / c->f == 1 / d->f;
}

static bool adds(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, (void)out, x->s->kind == COMBINE_ADD;
}

/* ---- order of sizes: a <= b surely */

static bool at_most(Builder *b, const Size *x, const Size *y) {
    Session *s = b->module->session;
    return x && y && size_is_natural(s, size_sub(s, y, x));
}

typedef struct { const Size *first, *end; } Span1; /* places first .. end - 1, or fewer */

/* What a part takes of axis i: count elements from start on, forwards; NULL sizes: nobody knows */
static Span1 span_of(Builder *b, const Shape *p, int i, const Size *count) {
    Session *s = b->module->session;
    const Size *first = p->ints[i] > 0 ? value_size(s, p->start[i], false) : NULL;
    if (!first) return (Span1){NULL, NULL};
    const Size *last = size_mul(s, size_sub(s, count, size_const(s, 1)), size_const(s, p->ints[i]));
    return (Span1){first, size_add(s, size_add(s, first, last), size_const(s, 1))};
}

static bool are_apart(Builder *b, const ShapeArg *x, Shape *out) {
    (void)out;
    const Shape *s = x[0].s, *p = x[1].s;
    for (int i = 0; i < s->rank; i++) {
        Span1 mine = span_of(b, s, i, s->dims[i]), other = span_of(b, p, i, type_of(&x[2])->dims[i]);
        if (at_most(b, mine.end, other.first) || at_most(b, other.end, mine.first)) return true;
    }
    return false;
}

static bool is_same_part(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    return shape_same(x[0].s, x[1].s) && same_dims(x[0].s->rank, x[0].s->dims, type_of(&x[2]));
}

/* ---- extents and permutations */

static bool extents_of(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Type *t = type_of(x);
    *out = (Shape){.rank = t->rank};
    for (int i = 0; i < t->rank; i++) out->dims[i] = t->dims[i];
    return true;
}

static bool has_same_indices(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, (void)out, is_diagonal_mask(x->v);
}

static bool along_matrix(const ShapeArg *x, int64_t axis, Shape *out) {
    extents_of(NULL, x, out);
    out->n = 1, out->ints[0] = axis;
    return out->rank == 2;
}

static bool as_rows(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, along_matrix(x, 1, out); }
static bool as_columns(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, along_matrix(x, 0, out); }

static bool compose(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[1].s;
    for (int i = 0; i < out->n; i++) out->ints[i] = x[0].s->ints[x[1].s->ints[i]];
    return true;
}

/* Axis i of `to` is axis k of `from`. */
static void take_axis(Shape *to, int i, const Shape *from, int k) {
    to->ints[i] = from->ints[k], to->start[i] = from->start[k], to->dims[i] = from->dims[k];
}

static bool turned(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[1].s;
    for (int i = 0; i < out->rank; i++) take_axis(out, i, x[1].s, (int)x[0].s->ints[i]);
    return true;
}

static bool before(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[1].s;
    for (int i = 0; i < out->rank; i++) take_axis(out, (int)x[0].s->ints[i], x[1].s, i);
    return true;
}

static bool turned_axis(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[1].s;
    for (int i = 0; i < x[0].s->n; i++)
        if (x[0].s->ints[i] == x[1].s->ints[0]) return out->ints[0] = i, true;
    return false;
}

/* ---- parts */

/* A part of a part, of which each has a start and a step: where the inner one lies in what is around both */
static bool nest(Builder *b, const Shape *around, const Shape *within, Shape *out) {
    for (int i = 0; i < around->rank; i++) {
        Value *offset = index_mul(b, within->start[i], build_int(b, around->ints[i]));
        out->start[i] = index_add(b, around->start[i], offset);
        out->ints[i] = within->ints[i] * around->ints[i];
    }
    return true;
}

static bool part_of_part(Builder *b, const ShapeArg *x, Shape *out) {
    return *out = *x[1].s, nest(b, x[0].s, x[1].s, out);
}

static bool pad_of_pad(Builder *b, const ShapeArg *x, Shape *out) {
    return *out = *x[1].s, nest(b, x[1].s, x[0].s, out);
}

static bool all_of(Builder *b, const Type *t, Shape *out) {
    *out = (Shape){.n = t->rank, .rank = t->rank};
    for (int i = 0; i < t->rank; i++) out->start[i] = build_int(b, 0), out->ints[i] = 1, out->dims[i] = t->dims[i];
    return true;
}

/* An axis of size 1 that is stretched has one element, whatever is read of the result. */
static bool repeated(Builder *b, const ShapeArg *x, Shape *out) {
    const Type *t = type_of(&x[2]);
    all_of(b, t, out);
    for (int i = 0; i < t->rank; i++) {
        int k = (int)x[1].s->ints[i];
        if (t->dims[i] == x[1].s->dims[k]) take_axis(out, i, x[0].s, k);
    }
    return true;
}

static bool axes_to(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[0].s;
    for (int i = 0; i < out->rank; i++) out->dims[i] = x[1].s->dims[i];
    return true;
}

static bool axes_twice(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[1].s;
    out->n = x[0].s->n;
    for (int i = 0; i < out->n; i++) out->ints[i] = x[1].s->ints[x[0].s->ints[i]];
    return true;
}

/* Axes of a broadcast stand in order. */
static bool in_order(const Shape *axes) {
    for (int i = 1; i < axes->n; i++)
        if (axes->ints[i] <= axes->ints[i - 1]) return false;
    return true;
}

static bool axes_turned(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *axes = x[0].s, *perm = x[1].s;
    int64_t to[MAX_RANK];
    *out = *axes;
    for (int i = 0; i < perm->n; i++) to[perm->ints[i]] = i, out->dims[i] = axes->dims[perm->ints[i]];
    for (int i = 0; i < axes->n; i++) out->ints[i] = to[axes->ints[i]];
    return in_order(out);
}

static bool axes_before(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[1].s;
    for (int i = 0; i < out->n; i++) out->ints[x[0].s->ints[i]] = x[1].s->ints[i];
    return in_order(out);
}

/* ---- products: axes of the stack, then rows, then columns */

static bool operand_part(Builder *b, const ShapeArg *x, bool right, Shape *out) {
    const Type *t = type_of(&x[2]);
    int stack = t->rank > 2 ? t->rank - 2 : 0;
    bool flips = x[1].s->ints[right] != right;
    all_of(b, t, out);
    for (int i = 0; i < stack; i++) take_axis(out, i, x[0].s, i);
    int at = right ? x[0].s->rank - 1 : stack;
    if (t->rank > 1) take_axis(out, stack + flips, x[0].s, at);
    return true;
}

static bool rows(Builder *b, const ShapeArg *x, Shape *out) { return operand_part(b, x, false, out); }
static bool columns(Builder *b, const ShapeArg *x, Shape *out) { return operand_part(b, x, true, out); }

static bool turns(Shape *out, int64_t left, int64_t right) {
    *out = (Shape){.n = 2, .ints = {left, right}};
    return true;
}

static bool turn_left(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, !x->s->ints[0], x->s->ints[1]);
}

static bool turn_right(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, x->s->ints[0], !x->s->ints[1]);
}

static bool swapped_turns(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, !x->s->ints[1], !x->s->ints[0]);
}

static bool is_plain_left(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, (void)out, !x->s->ints[0]; }
static bool is_plain_right(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, (void)out, !x->s->ints[1]; }
static bool is_turned_left(Builder *b, const ShapeArg *x, Shape *out) { return !is_plain_left(b, x, out); }
static bool is_turned_right(Builder *b, const ShapeArg *x, Shape *out) { return !is_plain_right(b, x, out); }

static bool of_left(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, turns(out, x->s->ints[0], 0); }
static bool of_right(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, turns(out, x->s->ints[1], 0); }
static bool rights(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, x[0].s->ints[1], x[1].s->ints[1]);
}

static bool lefts(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, x[0].s->ints[0], x[1].s->ints[0]);
}

static bool of_right_behind(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, 0, x->s->ints[1]);
}

static bool of_left_turned(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, turns(out, !x->s->ints[0], 0); }

static bool of_right_turned(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, turns(out, !x->s->ints[1], 0);
}

/* ---- paddings and what stands side by side */

static bool inside(Builder *b, const ShapeArg *x, Shape *out) {
    const Shape *s = x[0].s, *p = x[1].s;
    *out = *s;
    for (int i = 0; i < s->rank; i++) {
        Span1 mine = span_of(b, s, i, s->dims[i]), own = span_of(b, p, i, type_of(&x[2])->dims[i]);
        if (p->ints[i] != 1 || !at_most(b, own.first, mine.first) || !at_most(b, mine.end, own.end)) return false;
    }
    for (int i = 0; i < s->rank; i++) out->start[i] = index_sub(b, s->start[i], p->start[i]);
    return true;
}

static bool front(Builder *b, const ShapeArg *x, Shape *out) {
    int axis = (int)x[1].s->ints[0];
    *out = *x[0].s;
    return at_most(b, span_of(b, out, axis, out->dims[axis]).end, type_of(&x[2])->dims[axis]);
}

static bool behind(Builder *b, const ShapeArg *x, Shape *out) {
    int axis = (int)x[1].s->ints[0];
    const Size *own = type_of(&x[2])->dims[axis];
    *out = *x[0].s;
    if (!at_most(b, own, span_of(b, out, axis, out->dims[axis]).first)) return false;
    out->start[axis] = index_sub(b, out->start[axis], build_size(b, own));
    return true;
}

/* ---- reductions along axes */

/* The array before a transpose: its axis p[i] is axis i behind it.  Reduced axes keep their order. */
static bool along_before(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *p = x[0].s;
    int64_t last = -1;
    *out = *x[1].s;
    for (int i = 0; i < p->n; i++) {
        out->ints[p->ints[i]] = x[1].s->ints[i];
        if (x[1].s->ints[i] && p->ints[i] < last) return false;
        if (x[1].s->ints[i]) last = p->ints[i];
    }
    return true;
}

/* The axis of the result that axis i of the array becomes */
static int64_t kept_before(const Shape *k, int64_t i) {
    int64_t n = 0;
    for (int64_t a = 0; a < i; a++) n += !k->ints[a];
    return n;
}

static bool kept_turn(Builder *b, const ShapeArg *x, Shape *out) {
    const Shape *p = x[0].s;
    Shape before;
    if (!along_before(b, x, &before)) return false;
    *out = (Shape){0};
    for (int i = 0; i < p->n; i++)
        if (!x[1].s->ints[i]) out->ints[out->n++] = kept_before(&before, p->ints[i]);
    return out->rank = out->n, true;
}

/* Of an array that is repeated, then reduced: axes that stay */
static bool kept_axes(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *axes = x[0].s, *k = x[1].s;
    *out = (Shape){0};
    for (int i = 0; i < axes->n; i++)
        if (!k->ints[axes->ints[i]]) out->ints[out->n++] = kept_before(k, axes->ints[i]);
    for (int i = 0; i < k->n; i++)
        if (!k->ints[i]) out->dims[out->rank++] = axes->dims[i];
    return out->n > 0;
}

static bool goes_beside(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b, (void)out;
    for (int i = 0; i < x[0].s->n; i++)
        if (x[1].s->ints[x[0].s->ints[i]]) return false;
    return true;
}

static int count_reduced(const Shape *k) {
    int n = 0;
    for (int i = 0; i < k->n; i++) n += k->ints[i] != 0;
    return n;
}

/* All reduced axes are own ones of what is repeated, none of them stretched. */
static bool along_repeated(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *axes = x[0].s;
    *out = (Shape){.n = axes->n, .kind = x[1].s->kind};
    for (int i = 0; i < axes->n; i++) {
        out->ints[i] = x[1].s->ints[axes->ints[i]];
        if (out->ints[i] && type_of(&x[2])->dims[i] != axes->dims[axes->ints[i]]) return false;
    }
    return count_reduced(out) == count_reduced(x[1].s);
}

static bool kept_part(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = (Shape){0};
    for (int i = 0; i < x[1].s->n; i++)
        if (!x[1].s->ints[i]) take_axis(out, out->n++, x[0].s, i);
    return out->rank = out->n, true;
}

static bool kept_axis(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    int64_t axis = x[0].s->ints[0];
    *out = *x[0].s;
    out->ints[0] = kept_before(x[1].s, axis);
    return !x[1].s->ints[axis];
}

static bool widened(Builder *b, const ShapeArg *x, Shape *out) {
    all_of(b, type_of(&x[2]), out);
    for (int i = 0, at = 0; i < out->n; i++)
        if (!x[1].s->ints[i]) take_axis(out, i, x[0].s, at++);
    return true;
}

static bool same_kind(Builder *b, const ShapeArg *x, Shape *out) {
    return (void)b, *out = *x[1].s, x[0].s->kind == x[1].s->kind;
}

static bool along_both(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    *out = *x[0].s;
    for (int i = 0; i < out->n; i++) out->ints[i] |= x[1].s->ints[kept_before(x[0].s, i)];
    return x[0].s->kind == x[1].s->kind;
}

/* Of matrices: along axis `axis` alone */
static bool along_axis(int axis, Combine kind, Shape *out) {
    *out = (Shape){.n = 2, .kind = kind};
    return out->ints[axis] = 1, true;
}

/* Of a product that is reduced along its rows, or as a whole: the left operand along its rows; likewise columns */
static bool along_rows(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *k = x[1].s;
    return (!k->n || (k->ints[0] && !k->ints[1])) && along_axis(x[0].s->ints[0] ? 1 : 0, k->kind, out);
}

static bool along_columns(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *k = x[1].s;
    return (!k->n || (!k->ints[0] && k->ints[1])) && along_axis(x[0].s->ints[1] ? 0 : 1, k->kind, out);
}

/* A vector that lies along an axis of a matrix, not stretched */
static bool lies_along(const Shape *axes, const ShapeArg *vector) {
    return type_of(vector)->rank == 1 && type_of(vector)->dims[0] == axes->dims[axes->ints[0]];
}

static bool along_other(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    return lies_along(x[0].s, &x[2]) && along_axis(!x[0].s->ints[0], x[1].s->kind, out);
}

static bool lies_reduced(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    int64_t axis = x[0].s->ints[0];
    return lies_along(x[0].s, &x[2]) && x[1].s->ints[axis] && !x[1].s->ints[!axis] && turns(out, !axis, 0);
}

static bool turns_none(Builder *b, const ShapeArg *x, Shape *out) { return (void)b, (void)x, turns(out, 0, 0); }

/* Axes of what is repeated that are not 1, where a reshape has put others of size 1 between them */
static bool axes_long(Builder *b, const ShapeArg *x, Shape *out) {
    (void)b;
    const Shape *dims = x[0].s, *axes = x[1].s;
    Type between = {.rank = dims->rank};
    int from[MAX_RANK], to[MAX_RANK];
    for (int i = 0; i < dims->rank; i++) between.dims[i] = dims->dims[i];
    if (long_axes_alike(type_of(&x[2]), &between, from, to) != type_of(&x[2])->rank) return false;
    *out = *axes;
    out->n = type_of(&x[2])->rank;
    for (int i = 0; i < out->n; i++) out->ints[i] = axes->ints[to[i]];
    return true;
}

/* ---- */

static const struct { ShapeFn *make; } functions[SHAPE_COUNT] = {
#define SHAPE(id, name, function, nargs, doc) [id] = {function},
#include "opt/shapes.def"
#undef SHAPE
};

bool shape_make(ShapeId id, Builder *b, const ShapeArg *x, Shape *out) { return functions[id].make(b, x, out); }

static const struct { OpCode op; int values; AttrId attr; } carriers[] = {
#define SHAPED(op, name, operands, attribute, doc) {op, operands, attribute},
#include "opt/shapes.def"
#undef SHAPED
};
enum { NCARRIERS = sizeof carriers / sizeof *carriers };

bool shape_carried(OpCode c, int *values) {
    for (int i = 0; i < NCARRIERS; i++)
        if (carriers[i].op == c) return *values = carriers[i].values, true;
    return false;
}

static void read_numbers(const Op *op, AttrId id, Shape *out) {
    const Attr *a = id == ATTR_COUNT ? NULL : op_attr(op, id);
    out->n = a ? a->n : 0;
    for (int i = 0; a && i < a->n; i++) out->ints[i] = a->ints[i];
    if (op->code != OP_REDUCE && op->code != OP_GENERATE) return;
    out->kind = op_combine(reduction_read(op)->parent->owner);
    if (op->code == OP_GENERATE) out->n = reduced_by(op)->type->rank, reduced_axes(op, out->ints);
}

Shape shape_read(const Op *op) {
    const Type *t = op->res[0].type;
    Shape s = {.rank = t->rank};
    for (int i = 0; i < t->rank; i++) s.dims[i] = t->dims[i];
    for (int i = 0; i < NCARRIERS; i++) {
        if (carriers[i].op != op->code) continue;
        read_numbers(op, carriers[i].attr, &s);
        bool parts = carriers[i].attr == A_STEPS;
        for (int k = 0; parts && k < s.n; k++) s.start[k] = op_opnd(op, carriers[i].values + k);
    }
    return s;
}

bool shape_same(const Shape *a, const Shape *b) {
    for (int i = 0; i < a->n || i < b->n; i++) /* numbers that are not given are 0 */
        if (a->ints[i] != b->ints[i] || !same_value(a->start[i], b->start[i])) return false;
    return a->kind == b->kind;
}

bool only_for(const Value *v, const Op *op) {
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user != op) return false;
    return v->def && v->def->parent == op->parent;
}
