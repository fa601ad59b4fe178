/* Every rule of opt/rules/tensor.rules: programs of random shapes that its left side fits are run by the interpreter as
 * they are, and rewritten; both print the same.  Of rules that change the order of sums the numbers are small and
 * whole, so that sums are exact; of all others special values come first.  A rule that no program fits fails.
 *
 * And the derivative of both by all that they read is one: the vjp of the left side (pipeline_derive), and that of
 * the right one, of small whole numbers and a seed of such, so that it is exact too.  Floats have one; what ints,
 * comparisons and casts to them give has none.  Equals: a rule may give the derivative of min and max to no other of
 * them; but one with :fp, which changes the order in which they are met, is tried with numbers that all differ. */
#include "interp/interp.h"
#include "ir/index.h"
#include "opt/tensor/shape.h"
#include "pipeline/pipeline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TRIES = 30000, ENOUGH = 40, MOST_PARTS = 3, MOST_LEAVES = 24 };

typedef struct { int rank; int64_t dim[MAX_RANK]; } Dims;
typedef struct { bool known; Shape shape; Dims operand, result; } Bound;

typedef struct {
    const RewriteSet *set;
    const Rewrite *rule;
    Session *s;
    Module *m;
    Builder b;
    DType dtype;
    uint64_t seed;
    bool failed, derive;
    bool extreme;          /* derive, and the order may change: reductions are extremes, of numbers that all differ */
    int nnumbers;
    Op *start;             /* derive: leaves go before it */
    Value *leaf[MOST_LEAVES];
    int nleaves;
    Value *var[REWRITE_VARS];
    OpCode family[REWRITE_VARS];
    bool has_family[REWRITE_VARS];
    Bound shape[REWRITE_VARS];
} Trial;

static int pick(Trial *t, int n) {
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((t->seed >> 33) % (uint64_t)n);
}

static const RewriteNode *node_at(const Trial *t, int at) { return &t->set->nodes[at]; }
static int next_of(const Trial *t, int at) { return rewrite_next(t->set->nodes, at); }
static Value *unfit(Trial *t) { return t->failed = true, build_int(&t->b, 0); }

/* ---- shapes */

static Dims random_dims(Trial *t) {
    Dims d = {.rank = 1 + pick(t, 3)};
    for (int i = 0; i < d.rank; i++) d.dim[i] = pick(t, 12) ? 1 + pick(t, 4) : 0;
    return d;
}

static Dims dims_of(const Value *v) {
    Dims d = {.rank = v->type->rank};
    for (int i = 0; i < d.rank; i++) size_is_const(v->type->dims[i], &d.dim[i]);
    return d;
}

static bool same_dims(const Dims *a, const Dims *b) {
    return a->rank == b->rank && !memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim);
}

static const Type *type_with(Trial *t, DType d, const Dims *dims) {
    const Size *size[MAX_RANK];
    for (int i = 0; i < dims->rank; i++) size[i] = size_const(t->s, dims->dim[i]);
    return dims->rank < 0 ? type_scalar(t->s, d) : type_tensor(t->s, d, dims->rank, size);
}

/* ---- leaves */

static Const random_number(Trial *t) {
    static const double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 0.5, 3, -2};
    static const int64_t ints[] = {0, 0, 1, -1, 2, 3, -7, INT32_MAX, INT32_MIN, 100};
    Const c = {.dtype = t->dtype};
    int k = pick(t, 10);
    if (t->extreme) c.f = t->nnumbers++ * 371 % 1009 - 500;
    else if (!dtype_is_float(t->dtype)) c.i = const_wrap(t->dtype, ints[k]);
    else if (t->derive || t->rule->fp != RW_EXACT) c.f = pick(t, 5) - 2 + 0.0;
    else c.f = special[k];
    return c;
}

static Value *with_derivative(Trial *t, Value *v) {
    if (t->nleaves == MOST_LEAVES) return unfit(t);
    return t->leaf[t->nleaves++] = v;
}

static Value *table(Trial *t, Builder *b, const Type *type, int64_t n) {
    Const *c = malloc((size_t)n * sizeof *c);
    for (int64_t i = 0; i < n; i++) c[i] = random_number(t);
    Op *table = build_op(b, OP_TABLE, 0, NULL, 1, &type, 0);
    op_set_consts(table, A_VALUES, (int)n, c);
    free(c);
    return &table->res[0];
}

static Value *leaf(Trial *t, const Dims *dims) {
    int64_t n = 1;
    for (int i = 0; i < dims->rank; i++) n *= dims->dim[i];
    const Type *type = type_with(t, t->dtype, dims);
    Builder b = t->derive ? builder_before(t->start) : t->b;
    Value *v = n ? table(t, &b, type, n) : build_zero(&b, type);
    return t->derive ? with_derivative(t, v) : v;
}

static Value *number(Trial *t, int at) {
    int var = node_at(t, at)->var;
    if (node_at(t, at)->kind != RW_VAR) return unfit(t);
    if (t->var[var]) return t->var[var];
    if (!t->derive || pick(t, 2)) return t->var[var] = build_const(&t->b, random_number(t));
    Builder b = builder_before(t->start);
    return t->var[var] = with_derivative(t, build_const(&b, random_number(t)));
}

/* ---- terms; want: the extents, or NULL */

static Value *make(Trial *t, int at, const Dims *want);

static Value *make_var(Trial *t, int var, const Dims *want) {
    Dims any = random_dims(t);
    if (!t->var[var]) t->var[var] = leaf(t, want ? want : &any);
    any = dims_of(t->var[var]);
    return want && !same_dims(want, &any) ? unfit(t) : t->var[var];
}

static OpCode family_of(Trial *t, int var, int n) {
    static const OpCode one[] = {OP_NEG, OP_ABS, OP_SIGN, OP_NEG}, two[] = {OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_LT};
    if (!t->has_family[var]) t->family[var] = n == 1 ? one[pick(t, 4)] : two[pick(t, 5)];
    t->has_family[var] = true;
    return t->family[var];
}

static Value *make_elementwise(Trial *t, int at, const Dims *want) {
    const RewriteNode *n = node_at(t, at);
    Value *x[2] = {NULL};
    Dims dims;
    int kid = at + 1, count = n->nkids;
    if (node_at(t, kid)->kind == RW_LIST) {
        count = 1 + pick(t, 2);
        for (int i = 0; i < count; i++, want = &dims) {
            Dims any = random_dims(t);
            x[i] = leaf(t, want ? want : &any), dims = dims_of(x[i]);
        }
        if (count == 2 && !pick(t, 4)) x[1] = x[0];
    } else {
        for (int i = 0; i < count && i < 2; i++, kid = next_of(t, kid), want = &dims)
            x[i] = make(t, kid, want), dims = dims_of(x[i]);
    }
    if (t->failed || x[0]->type->dtype == DT_BOOL) return unfit(t);
    OpCode code = n->kind == RW_FAMILY ? family_of(t, n->var, count) : n->op;
    return count == 1 ? build_unary(&t->b, code, x[0]) : build_binary(&t->b, code, x[0], x[1]);
}

/* A matrix with nothing but the second choice beside its diagonal */
static Value *make_select(Trial *t, int at, const Dims *want) {
    int64_t n = 1 + pick(t, 3);
    Dims dims = want ? *want : (Dims){2, {n, n}};
    if (dims.rank != 2 || dims.dim[0] != dims.dim[1]) return unfit(t);
    const Type *bools = type_with(t, DT_BOOL, &dims);
    Op *mask = build_op(&t->b, OP_GENERATE, 0, NULL, 1, &bools, 1);
    Value *i = region_add_arg(mask->regs[0], type_i64(t->m), "i"),
          *j = region_add_arg(mask->regs[0], type_i64(t->m), "j");
    Builder in = builder_at_end(t->m, mask->regs[0], NO_SPAN);
    Value *same = build_binary(&in, OP_EQ, i, j);
    build_yield(&in, 1, &same);
    int on = next_of(t, at + 1);
    Value *x = make(t, on, &dims), *y = t->failed ? x : make(t, next_of(t, on), &dims);
    Value *opnds[] = {&mask->res[0], x, y};
    return t->failed ? x : &build_op(&t->b, OP_SELECT, 3, opnds, 1, &x->type, 0)->res[0];
}

static Value *make_fill(Trial *t, int at, const Dims *want) {
    Dims any = random_dims(t);
    return build_fill(&t->b, number(t, at + 1), type_with(t, t->dtype, want ? want : &any));
}

static Value *make_transpose(Trial *t, int at, Bound *p, const Dims *want) {
    Dims x = want ? *want : random_dims(t);
    if (p->known) x.rank = p->shape.n;
    if (want && want->rank != x.rank) return unfit(t);
    for (int i = 0; i < x.rank && !p->known; i++) {
        int k = pick(t, i + 1);
        p->shape.ints[i] = p->shape.ints[k], p->shape.ints[k] = i;
    }
    p->known = true, p->shape.n = x.rank;
    for (int i = 0; i < x.rank && want; i++) x.dim[p->shape.ints[i]] = want->dim[i];
    Value *v = make(t, at + 1, want || !p->operand.rank ? &x : &p->operand);
    p->operand = dims_of(v);
    return t->failed ? v : build_transpose(&t->b, v, p->shape.ints);
}

static Value *resized(Trial *t, OpCode c, Value *x, const Dims *dims) {
    const Type *type = type_with(t, x->type->dtype, dims);
    return &build_op(&t->b, c, 1, &x, 1, &type, 0)->res[0];
}

static Value *make_broadcast(Trial *t, int at, Bound *a, const Dims *want) {
    Dims to = want ? *want : random_dims(t), x = {0};
    for (int i = 0; i < to.rank && !a->known; i++) {
        if (!pick(t, 3)) continue;
        a->shape.ints[x.rank] = i;
        x.dim[x.rank++] = pick(t, 4) ? to.dim[i] : 1;
    }
    if (!a->known) a->operand = x, a->result = to, a->shape.n = x.rank, a->known = true;
    if (!a->shape.n || (want && !same_dims(want, &a->result))) return unfit(t);
    Value *v = make(t, at + 1, &a->operand);
    Value *made = resized(t, OP_BROADCAST, v, &a->result);
    op_set_ints(made->def, A_AXES, a->shape.n, a->shape.ints);
    return made;
}

static Value *make_reshape(Trial *t, int at, Bound *a, const Dims *want) {
    Dims to = want ? *want : random_dims(t), x = {1, {1}};
    for (int i = 0; i < to.rank; i++) x.dim[0] *= to.dim[i];
    if (a->known) x = a->operand, to = a->result;
    else if (!pick(t, 3)) x = (Dims){2, {x.dim[0], 1}};
    else if (!pick(t, 2)) x = to;
    *a = (Bound){.known = true, .operand = x, .result = to};
    Value *v = make(t, at + 1, &x), *made = resized(t, OP_RESHAPE, v, &to);
    op_set_flag(made->def, A_SAFE);
    return made;
}

/* The same extents: all are known */
static Value *make_retype(Trial *t, int at, const Dims *want) {
    Value *v = make(t, at + 1, want);
    if (t->failed || !v->type->rank) return unfit(t);
    Value *made = &build_op(&t->b, OP_RETYPE, 1, &v, 1, &v->type, 0)->res[0];
    op_set_flag(made->def, A_SAFE);
    return made;
}

/* ---- parts */

/* A part of `count` elements of an axis of `all`; false: there is none */
static bool random_part(Trial *t, int64_t all, int64_t count, int64_t *start, int64_t *step) {
    *step = pick(t, 3) ? 1 : pick(t, 2) ? 2 : -1;
    int64_t reach = count ? (count - 1) * *step : 0, lo = reach < 0 ? -reach : 0, hi = reach > 0 ? reach : 0;
    if (lo + hi >= all + !count) return false;
    *start = lo + pick(t, (int)(all - lo - hi + !count));
    return true;
}

static bool place_part(Trial *t, Bound *s, const Dims *all, const Dims *part) {
    int64_t start;
    if (all->rank != part->rank) return false;
    if (s->known) return s->shape.n == all->rank && same_dims(&s->operand, part) && same_dims(&s->result, all);
    for (int i = 0; i < all->rank; i++) {
        if (!random_part(t, all->dim[i], part->dim[i], &start, &s->shape.ints[i])) return false;
        s->shape.start[i] = build_int(&t->b, start);
    }
    s->shape.n = all->rank, s->known = true, s->operand = *part, s->result = *all;
    return true;
}

static Dims random_of(Trial *t, const Dims *all, bool more) {
    Dims d = *all;
    for (int i = 0; i < d.rank; i++) d.dim[i] = more ? d.dim[i] + pick(t, 4) : d.dim[i] - pick(t, (int)d.dim[i] + 1);
    return d;
}

static Value *placed(Trial *t, OpCode c, Value *x, Value *y, const Bound *s, const Type *type) {
    Value *opnds[MAX_RANK + 2] = {x, y ? y : s->shape.start[0], NULL};
    for (int i = 0; i < s->shape.n; i++) opnds[1 + (y != NULL) + i] = s->shape.start[i];
    Op *op = build_op(&t->b, c, 1 + (y != NULL) + s->shape.n, opnds, 1, &type, 0);
    op_set_ints(op, A_STEPS, s->shape.n, s->shape.ints);
    if (pick(t, 3)) op_set_flag(op, A_SAFE);
    return &op->res[0];
}

static Value *make_slice(Trial *t, int at, Bound *s, const Dims *want) {
    const RewriteNode *kid = node_at(t, at + 1);
    bool fixed = kid->kind == RW_VAR && t->var[kid->var];
    Dims part = want ? *want : random_dims(t), all = random_of(t, &part, pick(t, 4) > 0);
    if (s->known) all = s->result, part = s->operand;
    else if (fixed) all = dims_of(t->var[kid->var]);
    Value *x = make(t, at + 1, &all);
    if (t->failed || (want && !same_dims(want, &part)) || !place_part(t, s, &all, &part)) return unfit(t);
    return placed(t, OP_SLICE, x, NULL, s, type_with(t, x->type->dtype, &part));
}

static Value *make_pad(Trial *t, int at, Bound *s, const Dims *want) {
    Dims all = want ? *want : random_dims(t), part = pick(t, 4) ? random_of(t, &all, false) : all;
    if (s->known) all = s->result, part = s->operand;
    Value *x = make(t, at + 1, &part);
    if (t->failed || (want && !same_dims(want, &all)) || !place_part(t, s, &all, &part)) return unfit(t);
    return placed(t, OP_PAD, x, number(t, next_of(t, at + 1)), s, type_with(t, x->type->dtype, &all));
}

static Value *make_update(Trial *t, int at, Bound *s, const Dims *want) {
    Value *x = make(t, at + 1, want);
    Dims all = dims_of(x), part = pick(t, 4) ? random_of(t, &all, false) : all;
    Value *y = make(t, next_of(t, at + 1), s->known ? &s->operand : &part);
    part = dims_of(y);
    if (t->failed || !place_part(t, s, &all, &part)) return unfit(t);
    return placed(t, OP_UPDATE, x, y, s, x->type);
}

/* ---- several arrays */

static Value *make_concat(Trial *t, int at, Bound *k, const Dims *want) {
    Dims all = want ? *want : random_dims(t);
    Value *x[8];
    int n = 0, kid = at + 1;
    if (!k->known) k->shape.ints[0] = pick(t, all.rank), k->shape.n = 1, k->known = true;
    int axis = (int)k->shape.ints[0];
    if (axis >= all.rank) return unfit(t);
    int64_t left = all.dim[axis];
    for (int i = 0; i < node_at(t, at)->nkids - 1; i++, kid = next_of(t, kid)) {
        bool list = node_at(t, kid)->kind == RW_LIST, last = i == node_at(t, at)->nkids - 2;
        for (int parts = list ? 1 + pick(t, MOST_PARTS) : 1; parts > 0; parts--) {
            Dims d = all;
            d.dim[axis] = last && parts == 1 ? left : pick(t, (int)left + 1);
            left -= d.dim[axis];
            x[n++] = list ? leaf(t, &d) : make(t, kid, &d);
        }
    }
    return t->failed ? unfit(t) : build_concat(&t->b, n, x, axis);
}

/* One operand: axes of the stack, rows and columns, turned or not */
static Dims operand_dims(const Dims *stack, int64_t rows, int64_t columns, bool turned, bool vector) {
    Dims d = *stack;
    if (vector) return (Dims){1, {rows}};
    d.dim[d.rank++] = turned ? columns : rows;
    d.dim[d.rank++] = turned ? rows : columns;
    return d;
}

static Value *make_dot(Trial *t, int at, Bound *turns, const Dims *want) {
    int kind = pick(t, 5); /* matrices, matrix and vector, vector and matrix, two vectors, a stack */
    int64_t m = 1 + pick(t, 3), n = 1 + pick(t, 3), l = 1 + pick(t, 3);
    Dims stack = {.rank = kind == 4};
    stack.dim[0] = 2;
    if (want && want->rank > 0) m = want->dim[stack.rank], n = want->dim[want->rank - 1];
    if (want && want->rank != (kind == 4 ? 3 : kind == 3 ? 0 : kind ? 1 : 2)) return unfit(t);
    if (want && kind == 4) stack.dim[0] = want->dim[0];
    for (int i = 0; i < 2 && !turns->known; i++) turns->shape.ints[i] = pick(t, 2);
    turns->known = true;
    const int64_t *tr = turns->shape.ints;
    bool left = kind == 2 || kind == 3, right = kind == 1 || kind == 3;
    if ((left && tr[0]) || (right && tr[1])) return unfit(t);
    Dims x = operand_dims(&stack, left ? l : m, l, tr[0], left), y = operand_dims(&stack, l, n, tr[1], right);
    const RewriteNode *kid = node_at(t, at + 1);
    if (kid->kind == RW_VAR && t->var[kid->var]) {
        x = dims_of(t->var[kid->var]);
        l = x.dim[x.rank - 1 - (tr[0] && !left)];
        y = operand_dims(&stack, l, n, tr[1], right);
    }
    Value *a = make(t, at + 1, &x), *b = t->failed ? a : make(t, next_of(t, at + 1), &y);
    return t->failed ? a : build_dot(&t->b, a, b, tr[0] || tr[1] ? tr : NULL);
}

static Combine random_kind(Trial *t) {
    static const Combine kinds[] = {COMBINE_ADD, COMBINE_MUL, COMBINE_MIN, COMBINE_MAX};
    bool any = !t->derive || t->rule->fp == RW_EXACT;
    return kinds[any ? pick(t, 4) : pick(t, 2) + 2 * t->extreme];
}

static Value *make_total(Trial *t, int at, Bound *k) {
    Value *x = make(t, at + 1, NULL);
    if (t->failed || x->type->dtype == DT_BOOL || !x->type->rank) return unfit(t);
    if (!k->known) k->shape.kind = random_kind(t), k->known = true;
    return build_reduction(&t->b, x, &k->shape);
}

/* Some axes of a random array, or as many more than are wanted */
static Value *make_along(Trial *t, int at, Bound *k, const Dims *want) {
    Dims x = {.rank = want ? want->rank + 1 + pick(t, 2) : 2 + pick(t, 2)};
    if (k->known) x.rank = k->shape.n;
    int reduced = want ? x.rank - want->rank : 1 + pick(t, x.rank - 1);
    for (int left = reduced; !k->known && left > 0;) {
        int axis = pick(t, x.rank);
        left -= !k->shape.ints[axis], k->shape.ints[axis] = 1;
    }
    if (!k->known) k->shape.kind = random_kind(t), k->shape.n = x.rank, k->known = true;
    for (int i = 0, kept = 0; i < x.rank; i++) {
        bool wanted = want && !k->shape.ints[i] && kept < want->rank;
        x.dim[i] = wanted ? want->dim[kept++] : pick(t, 12) ? 1 + pick(t, 4) : 0;
    }
    Value *v = make(t, at + 1, &x);
    return t->failed || v->type->dtype == DT_BOOL ? unfit(t) : build_reduction(&t->b, v, &k->shape);
}

static Bound *bound_of(Trial *t, int at) {
    int kid = at + 1, shape = at;
    for (int i = 0; i < node_at(t, at)->nkids; i++, kid = next_of(t, kid)) shape = kid;
    return &t->shape[node_at(t, shape)->var];
}

static Value *make_operation(Trial *t, int at, const Dims *want) {
    int values;
    OpCode c = node_at(t, at)->op;
    if (c == OP_SELECT) return make_select(t, at, want);
    if (node_at(t, at)->kind == RW_FAMILY || !shape_carried(c, &values)) return make_elementwise(t, at, want);
    Bound *s = bound_of(t, at);
    switch (c) {
    case OP_FILL: return make_fill(t, at, want);
    case OP_TRANSPOSE: return make_transpose(t, at, s, want);
    case OP_BROADCAST: return make_broadcast(t, at, s, want);
    case OP_RESHAPE: return make_reshape(t, at, s, want);
    case OP_RETYPE: return make_retype(t, at, want);
    case OP_SLICE: return make_slice(t, at, s, want);
    case OP_PAD: return make_pad(t, at, s, want);
    case OP_UPDATE: return make_update(t, at, s, want);
    case OP_CONCAT: return make_concat(t, at, s, want);
    case OP_DOT: return make_dot(t, at, s, want);
    case OP_GENERATE: return make_along(t, at, s, want);
    default: return make_total(t, at, s);
    }
}

static Value *make(Trial *t, int at, const Dims *want) {
    if (t->failed) return unfit(t);
    if (node_at(t, at)->kind == RW_VAR) return make_var(t, node_at(t, at)->var, want);
    Value *v = make_operation(t, at, want);
    Dims d = dims_of(v);
    return want && !t->failed && !same_dims(want, &d) ? unfit(t) : v;
}

/* ---- what a program prints */

static void run(Trial *t, char *out, size_t size) {
    FILE *f = tmpfile();
    InterpOptions options = {0};
    fflush(NULL);
    int saved = dup(1);
    dup2(fileno(f), 1);
    int status = interp_run(t->m, &options);
    fflush(NULL);
    dup2(saved, 1);
    close(saved);
    rewind(f);
    out[fread(out, 1, size - 1, f)] = 0;
    fclose(f);
    if (status) fail_msg("%s: the program ends with status %d", t->rule->text, status);
}

/* The sign of a zero belongs to the order of a sum; and how far columns stand apart, to the sign. */
static void forget_zero_signs(char *text) {
    char *to = text;
    for (const char *at = text; *at; at++)
        if (*at != ' ' && strncmp(at, "-0.", 3)) *to++ = *at;
    *to = 0;
}

static void must_be_sound(Trial *t, const char *when) {
    if (module_verify(t->m, when)) return;
    diag_flush(t->s, stderr, false);
    fail_msg("%s: not well-formed %s", t->rule->text, when);
}

static bool passes(Trial *t) {
    static char before[1 << 15], after[1 << 15];
    Value *v = make(t, t->rule->lhs, NULL);
    if (t->failed) return false;
    Op *root = v->def, *print = build_op(&t->b, OP_PRINT, 1, &v, 0, NULL, 0);
    build_return(&t->b, 0, NULL);
    must_be_sound(t, "as it is made");
    Text text;
    text_init(&text, t->m->arena);
    module_print(&text, t->m);
    run(t, before, sizeof before);
    Builder b = builder_before(root);
    Value *by = tensor_rewrite_by(t->set, t->rule, &b, root);
    if (!by) return false;
    if (by->type != v->type) fail_msg("%s: another type\n%s", t->rule->text, text_str(&text));
    op_set_opnd(print, 0, by);
    must_be_sound(t, "rewritten");
    run(t, after, sizeof after);
    if (t->rule->fp != RW_EXACT) forget_zero_signs(before), forget_zero_signs(after);
    if (strcmp(before, after)) fail_msg("%s\n%s\n%s\n%s", t->rule->text, text_str(&text), before, after);
    return true;
}

/* ---- derivatives */

/* All that stands behind the start becomes a vjp's region, with the leaves as arguments. */
static Op *as_vjp(Trial *t, Value *v) {
    const Type *types[1 + MOST_LEAVES] = {v->type};
    Dims dims = dims_of(v);
    int64_t n = 1;
    for (int i = 0; i < dims.rank; i++) n *= dims.dim[i];
    for (int i = 0; i < t->nleaves; i++) types[1 + i] = t->leaf[i]->type;
    Op *last = t->start->parent->last, *vjp = build_op(&t->b, OP_VJP, 0, NULL, 1 + t->nleaves, types, 1);
    for (int i = 0; i < t->nleaves; i++) {
        value_replace_all(t->leaf[i], region_add_arg(vjp->regs[0], t->leaf[i]->type, "x"));
        op_add_opnd(vjp, t->leaf[i]);
    }
    op_move_range(t->start, last, vjp->regs[0], NULL);
    Builder b = builder_before(vjp), in = builder_at_end(t->m, vjp->regs[0], NO_SPAN);
    Value *one = dims.rank ? NULL : build_const(&b, random_number(t));
    op_add_opnd(vjp, one ? one : n ? table(t, &b, v->type, n) : build_zero(&b, v->type));
    build_yield(&in, 1, &v);
    return vjp;
}

/* What the derivatives of a side by all its leaves are, as text; false: the rule does not fit, or there is none */
static bool derivative(Trial *t, bool right, char *out, size_t size) {
    PassOptions options = {0};
    t->start = build_int(&t->b, 0)->def;
    Value *v = make(t, t->rule->lhs, NULL);
    if (t->failed || !dtype_is_float(v->type->dtype)) return false;
    Op *vjp = as_vjp(t, v);
    Builder b = builder_before(v->def);
    Value *by = right ? tensor_rewrite_by(t->set, t->rule, &b, v->def) : v;
    if (!by) return false;
    op_set_opnd(region_term(vjp->regs[0]), 0, by);
    for (int i = 1; i < vjp->nres; i++) build_op(&t->b, OP_PRINT, 1, (Value *[]){&vjp->res[i]}, 0, NULL, 0);
    build_return(&t->b, 0, NULL);
    must_be_sound(t, "before its derivative");
    t->m->derives = true;
    if (!pipeline_derive(t->m, &options)) fail_msg("%s: no derivative is found", t->rule->text);
    must_be_sound(t, "with its derivative");
    run(t, out, size);
    forget_zero_signs(out);
    return true;
}

static bool derivatives_agree(Trial *left, Trial *right) {
    static char before[1 << 15], after[1 << 15];
    if (!derivative(right, true, after, sizeof after)) return false;
    if (!derivative(left, false, before, sizeof before)) fail_msg("%s: only one has a derivative", left->rule->text);
    Text text;
    text_init(&text, right->m->arena);
    module_print(&text, right->m);
    if (strcmp(before, after))
        fail_msg("%s: the derivative\n%s\n%s\n%s", left->rule->text, text_str(&text), before, after);
    return true;
}

/* ---- */

static Trial begin(const Rewrite *rule, int seed, bool derive) {
    static const DType dtypes[] = {DT_F64, DT_F32, DT_I64, DT_I32};
    Session *s = session_new();
    Module *m = module_new(s);
    m->stage = STAGE_PAR;
    Func *f = func_new(m, "main", FUNC_MAIN, NO_SPAN);
    Trial t = {.set = &tensor_rules, .rule = rule, .s = s, .m = m, .seed = (uint64_t)seed * 0x9e3779b97f4a7c15u + 1,
               .derive = derive};
    t.b = builder_at_end(m, f->body, NO_SPAN);
    t.dtype = dtypes[pick(&t, derive ? 2 : 4)];
    t.extreme = derive && rule->fp != RW_EXACT && pick(&t, 2);
    if (t.extreme) t.dtype = DT_F64; /* in which products of such numbers are exact */
    return t;
}

static void end(Trial *t) {
    module_free(t->m);
    session_free(t->s);
}

static bool keeps_derivative(const Rewrite *rule, int seed) {
    Trial left = begin(rule, seed, true), right = begin(rule, seed, true);
    bool yes = derivatives_agree(&left, &right);
    end(&left), end(&right);
    return yes;
}

static bool tries_once(const Rewrite *rule, int seed) {
    Trial t = begin(rule, seed, false);
    bool yes = passes(&t);
    end(&t);
    return yes;
}

/* Seeds until enough programs fit, or there are no more */
static int count_passed(const Rewrite *rule, bool (*passes)(const Rewrite *, int)) {
    int passed = 0;
    for (int k = 0; k < TRIES && passed < ENOUGH; k++) passed += passes(rule, k);
    if (getenv("DSL_SHOW_RULES")) printf("%s: %d\n", rule->name, passed);
    return passed;
}

static void test_every_rule(void **state) {
    (void)state;
    for (int i = 0; i < tensor_rules.n; i++) {
        const Rewrite *rule = &tensor_rules.rules[i];
        if (!count_passed(rule, tries_once)) fail_msg("%s: no program fits it", rule->text);
    }
}

/* That what the rule fits is ints and bools: it asks for them. */
static bool is_discrete(const Rewrite *rule) {
    for (int i = 0; i < rule->nguards; i++) {
        PredicateId id = tensor_rules.guards[rule->guard + i].id;
        if (id == PRED_INT || id == PRED_DISCRETE) return true;
    }
    return false;
}

static void test_every_derivative(void **state) {
    (void)state;
    for (int i = 0; i < tensor_rules.n; i++) {
        const Rewrite *rule = &tensor_rules.rules[i];
        if (!count_passed(rule, keeps_derivative) && !is_discrete(rule))
            fail_msg("%s: no program fits its derivative", rule->text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_rule), cmocka_unit_test(test_every_derivative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
