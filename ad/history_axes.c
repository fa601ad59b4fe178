/* The axes of what a nest of loops writes down.
 *
 * A loop whose turns are others in each turn of the loops around it, but by sums of their indices, as in a triangle,
 * has as long an axis as it takes turns at most; what is beyond is never touched.  Others, as those along the rows of
 * a sparse matrix, share an axis with the loops around: before the nest is counted where the turns of each begin. */
#include "ad/history_axes.h"

#include "ir/index.h"

/* first: where on it the turns begin that the loop takes in a turn of the loops around, which have no axes of their own
 * then; NULL: they have */
typedef struct { const Size *size; Value *first; } Axis;

static Op *root_of(const Axes *a) { return a->body->owner; }

/* ---- whether the turns are known before */

/* v is computed of indices of loops in the nest, and of what stands before it, by what cannot fail there. */
static bool is_known(const Axes *a, const Value *v, bool always) {
    if (value_dominates(v, root_of(a))) return true;
    if (!v->def) return v->region->owner->code == OP_FOR && loop_number(v) < 0;
    const Op *op = v->def;
    if (op->nregs || !(op_is_speculatable(op) || (always && op_is_pure(op)))) return false;
    if (op->code == OP_SIZE && !size_is_known_at(root_of(a), op_attr(op, A_SIZE)->sizes[0])) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_known(a, op_opnd(op, i), always)) return false;
    return true;
}

bool axes_known(const Axes *a, const Op *loop) {
    bool always = true;
    int depth = 2;
    for (const Op *o = loop->parent->owner; o != root_of(a); o = o->parent->owner)
        if (o->code == OP_FOR) depth++;
        else always = false;
    if (depth > TENSOR_RANK) return false;
    for (int i = 0; i < 3; i++)
        if (loop != root_of(a) && !is_known(a, op_opnd(loop, i), always)) return false;
    return true;
}

/* ---- loops around a place, and their axes */

Turns turns_around(const Region *body, const Region *r) {
    Turns t = {0};
    int at = 0;
    for (const Op *o = r->owner; o != body->owner; o = o->parent->owner) at += o->code == OP_FOR;
    t.len = at + 1;
    for (const Op *o = r->owner; at >= 0; o = o->parent->owner)
        if (o->code == OP_FOR) t.around[at--] = o->regs[0];
    return t;
}

static const Axis *axis_of(const Axes *a, const Turns *t, int i) { return map_get(&a->of, t->around[i]); }

int axes_sizes(const Axes *a, const Turns *t, int loops, const Size **dims) {
    int rank = 0;
    for (int i = 0; i < loops; i++) {
        const Axis *axis = axis_of(a, t, i);
        if (axis->first) rank = 0;
        dims[rank++] = axis->size;
    }
    return rank;
}

int axes_place(const Axes *a, const Turns *t, Builder *b, int loops, Value *const *turn, Value **at) {
    int rank = 0;
    for (int i = 0; i < loops; i++) {
        const Axis *axis = axis_of(a, t, i);
        if (!axis->first) {
            at[rank++] = turn[i];
            continue;
        }
        at[0] = index_add(b, extract_safe(b, axis->first, rank, at), turn[i]);
        rank = 1;
    }
    return rank;
}

/* The greatest that v, the number of turns of the last loop, is in the turns of the loops around: in their first or
 * last turns, if it is linear in their indices.  NULL: it is not */
static Value *greatest(const Turns *t, Value *v) {
    for (int i = t->len - 2; v && i >= 0; i--) {
        Op *loop = t->around[i]->owner;
        int64_t step;
        if (!value_const_int(op_opnd(loop, 2), &step) || (step != 1 && step != -1)) return NULL;
        Builder b = builder_before(loop);
        IndexLinear x = index_linear(&b, loop->regs[0], loop->regs[0]->args[0], v);
        Value *last = index_sub(&b, op_opnd(loop, 1), build_int(&b, step));
        Value *end = (x.coef > 0) == (step > 0) ? last : op_opnd(loop, 0);
        if (!x.rest) x.rest = build_int(&b, 0);
        v = !x.ok ? NULL : x.coef ? index_add(&b, x.rest, index_mul(&b, end, build_int(&b, x.coef))) : x.rest;
    }
    return v;
}

/* carried: how many turns of the last loop came before; where they begin, for all turns of the loops around */
typedef struct { const Axes *a; const Turns *t; Value *turn[MAX_RANK], *carried[2]; } Count;

/* In turns of the loops before the k-th, which are known */
static void count_turns(Count *n, Builder *b, const Cloner *before, int k) {
    const Op *loop = n->t->around[k]->owner;
    const Region *r = n->a->body;
    Cloner c = {.module = b->module};
    Value *at[MAX_RANK];
    for (int i = 0; i < k; i++) {
        const Value *iv = n->t->around[i]->args[0];
        map_put(b->module->arena, &c.values, iv, map_get(&before->values, iv));
    }
    Value *lo = clone_slice(&c, b, r, op_opnd(loop, 0)), *step = clone_slice(&c, b, r, op_opnd(loop, 2));
    Value *count = build_count(b, lo, clone_slice(&c, b, r, op_opnd(loop, 1)), step);
    if (k == n->t->len - 1) {
        int rank = axes_place(n->a, n->t, b, k, n->turn, at);
        n->carried[1] = insert_safe(b, n->carried[1], n->carried[0], rank, at);
        n->carried[0] = index_add(b, n->carried[0], count);
        return;
    }
    Op *all = build_for(b, build_int(b, 0), count, build_int(b, 1), 2, n->carried);
    Region *body = all->regs[0];
    Builder in = builder_at_end(b->module, body, b->span);
    n->turn[k] = body->args[0];
    map_put(b->module->arena, &c.values, loop->regs[0]->args[0], index_add(&in, lo, index_mul(&in, n->turn[k], step)));
    for (int i = 0; i < 2; i++) n->carried[i] = body->args[1 + i];
    count_turns(n, &in, &c, k + 1);
    build_yield(&in, 2, n->carried);
    for (int i = 0; i < 2; i++) n->carried[i] = &all->res[i];
}

/* A size that is v, or 0 */
static const Size *size_of(Axes *a, Builder *b, Value *v) {
    Session *s = a->ad->module->session;
    const Size *size = value_size(s, v, false);
    if (size && size_is_known_at(root_of(a), size))
        return size_is_natural(s, size) ? size : size_max(s, size, size_const(s, 0));
    const char *sym = module_fresh_sym(a->ad->module, "turns");
    build_bind(b, build_binary(b, OP_MAX, v, build_int(b, 0)), sym);
    vec_push(a->ad->arena, &a->ad->extents, sym);
    return size_sym(s, sym);
}

static Value *linear_count(const Turns *t) {
    Op *loop = t->around[t->len - 1]->owner;
    Builder in = builder_before(loop);
    Value *lo = op_opnd(loop, 0), *hi = op_opnd(loop, 1);
    if (value_is_const_int(op_opnd(loop, 2), 1)) return greatest(t, index_sub(&in, hi, lo));
    return value_is_const_int(op_opnd(loop, 2), -1) ? greatest(t, index_sub(&in, lo, hi)) : NULL;
}

static Axis shared_axis(Axes *a, const Turns *t, Builder *b) {
    const Size *dims[MAX_RANK];
    Cloner none = {.module = b->module};
    const Op *root = root_of(a);
    if (t->len == 1)
        return (Axis){size_of(a, b, build_count(b, op_opnd(root, 0), op_opnd(root, 1), op_opnd(root, 2))), NULL};
    int rank = axes_sizes(a, t, t->len - 1, dims);
    const Type *firsts = type_tensor(b->module->session, DT_I64, rank, dims);
    Count n = {.a = a, .t = t, .carried = {build_int(b, 0), build_empty(b, firsts, NULL)}};
    count_turns(&n, b, &none, 0);
    return (Axis){size_of(a, b, n.carried[0]), n.carried[1]};
}

void axes_find(Axes *a, Region *body) {
    if (map_has(&a->of, body)) return;
    Turns t = turns_around(a->body, body);
    for (int i = 0; i < t.len - 1; i++) axes_find(a, t.around[i]);
    Builder b = builder_before(root_of(a));
    Axis *axis = NEW(a->ad->arena, Axis);
    Value *most = linear_count(&t);
    *axis = most ? (Axis){size_of(a, &b, most), NULL} : shared_axis(a, &t, &b);
    map_put(a->ad->arena, &a->of, body, axis);
}

const Size *axes_rows(const Axes *a) { return ((const Axis *)map_get(&a->of, a->body))->size; }

/* ---- what nobody asked for */

typedef struct { Ad *ad; Map mentioned; VEC(Op *) unused; } Sizes;

static void mention_sym(void *ctx, const char *sym) {
    Sizes *s = ctx;
    map_put(s->ad->arena, &s->mentioned, sym, s);
}

static void find_mentioned(void *ctx, Op *op) {
    if (op->code != OP_EMPTY || op->res[0].uses) op_each_sym(op, mention_sym, ctx);
}

static bool is_extent(const Sizes *s, const char *sym) {
    for (int i = 0; i < s->ad->extents.len; i++)
        if (s->ad->extents.data[i] == sym) return true;
    return false;
}

static void find_unused(void *ctx, Op *op) {
    Sizes *s = ctx;
    bool bind = op->code == OP_BIND && !map_has(&s->mentioned, op_sym(op, A_SYM)) && is_extent(s, op_sym(op, A_SYM));
    if (bind || (op->code == OP_EMPTY && !op->res[0].uses)) vec_push(s->ad->arena, &s->unused, op);
}

void axes_drop(Ad *ad, Func *f) {
    Sizes s = {.ad = ad};
    if (!ad->extents.len) return;
    region_walk(f->body, find_mentioned, &s);
    region_walk(f->body, find_unused, &s);
    for (int i = 0; i < s.unused.len; i++) op_erase(s.unused.data[i]);
}
