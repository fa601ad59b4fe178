/* The axes of what a nest of loops writes down.
 *
 * A loop whose turns are others in each turn of the loops around it, but by sums of their indices and by the least or
 * greatest of such, as in a triangle, a band or along antidiagonals, has as long an axis as it takes turns at most;
 * what is beyond is never touched.  Others, as those along the rows of a sparse matrix, share an axis with the loops
 * around: before the nest is counted where the turns of each begin. */
#include "ad/history_axes.h"

#include "ir/index.h"

enum { MOST_BOUNDS = 8 };

/* first: where on it the turns begin that the loop takes in a turn of the loops around, which have no axes of their own
 * then; NULL: they have */
typedef struct { const Size *size; Value *first; } Axis;

static Op *root_of(const Axes *a) { return a->body->owner; }

/* ---- whether the turns are known before */

static bool is_turn(const Value *v) {
    const Op *owner = v->region->owner;
    return owner->code == OP_PARALLEL || (owner->code == OP_FOR && loop_number(v) < 0);
}

/* The indices of op's region that have more than one value; their number */
static int indices_of_loop(const Op *op, Value **out) {
    int n = 0;
    if (op->code == OP_FOR) out[n++] = op->regs[0]->args[0];
    for (int i = 0; op->code == OP_PARALLEL && i < op->nopnds; i++)
        if (!value_is_const_int(op_opnd(op, i), 1)) out[n++] = op->regs[0]->args[i];
    return n;
}

Turns turns_around(const Region *body, const Region *r) {
    Turns t = {0};
    if (r != body) t = turns_around(body, r->owner->parent);
    Value *own[MAX_RANK];
    int n = indices_of_loop(r->owner, own);
    for (int i = 0; i < n; i++, t.len++)
        if (t.len < MAX_RANK) t.index[t.len] = own[i];
    return t;
}

/* v is computed of indices of loops in the nest, and of what stands before it, by what cannot fail there. */
static bool is_known(const Axes *a, const Value *v, bool always) {
    if (value_dominates(v, root_of(a))) return true;
    if (!v->def) return is_turn(v);
    const Op *op = v->def;
    if (op->nregs || !(op_is_speculatable(op) || (always && op_is_pure(op)))) return false;
    if (op->code == OP_SIZE && !size_is_known_at(root_of(a), op_attr(op, A_SIZE)->sizes[0])) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_known(a, op_opnd(op, i), always)) return false;
    return true;
}

bool axes_known(const Axes *a, const Op *loop) {
    bool always = true;
    for (const Op *o = loop->parent->owner; o != root_of(a); o = o->parent->owner) always &= o->code != OP_IF;
    if (turns_around(a->body, loop->regs[0]).len > TENSOR_RANK) return false;
    int n = loop->code == OP_FOR ? 3 : loop->nopnds;
    for (int i = 0; i < n; i++)
        if (loop != root_of(a) && !is_known(a, op_opnd(loop, i), always)) return false;
    return true;
}

/* ---- axes of the loops around a place */

static const Axis *axis_of(const Axes *a, const Turns *t, int i) { return map_get(&a->of, t->index[i]); }

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

/* The least and the greatest that an index is, where its loop goes around; false: it does not go one by one */
static bool ends_of(Builder *b, const Value *index, Value **first, Value **last) {
    const Op *loop = index->region->owner;
    int64_t step;
    if (loop->code == OP_PARALLEL) {
        *first = build_int(b, 0);
        return *last = index_sub(b, op_opnd(loop, index->index), build_int(b, 1)), true;
    }
    if (!value_const_int(op_opnd(loop, 2), &step) || (step != 1 && step != -1)) return false;
    Value *end = index_sub(b, op_opnd(loop, 1), build_int(b, step));
    *first = step > 0 ? op_opnd(loop, 0) : end, *last = step > 0 ? end : op_opnd(loop, 0);
    return true;
}

/* The greatest that v, the number of turns of the last loop, is in the turns of the loops around: in their first or
 * last turns, if it is linear in their indices.  NULL: it is not */
static Value *greatest(const Turns *t, Value *v) {
    for (int i = t->len - 2; v && i >= 0; i--) {
        const Region *body = t->index[i]->region;
        Value *first, *last;
        Builder b = builder_before(body->owner);
        IndexLinear x = index_linear(&b, body, t->index[i], v);
        if (!x.ok || (x.coef && !ends_of(&b, t->index[i], &first, &last))) return NULL;
        v = x.rest ? x.rest : build_int(&b, 0);
        if (x.coef) v = index_add(&b, v, index_mul(&b, x.coef > 0 ? last : first, build_int(&b, x.coef)));
    }
    return v;
}

/* The least, or the greatest, of these */
typedef struct { Value *of[MOST_BOUNDS]; int n; } Bounds;

static void add_bounds(Builder *b, OpCode code, const Bounds *x, const Bounds *y, Bounds *out) {
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < y->n && out->n < MOST_BOUNDS; k++)
            out->of[out->n++] = (code == OP_ADD ? index_add : index_sub)(b, x->of[i], y->of[k]);
}

/* v, which is known at b, as the least, or greatest, of sums; of too many the first. */
static Bounds bounds_of(const Axes *a, Builder *b, Value *v, bool least) {
    OpCode code = v->def && !value_dominates(v, root_of(a)) ? v->def->code : OP_CONST;
    bool joined = code == (least ? OP_MIN : OP_MAX), sum = code == OP_ADD || code == OP_SUB;
    Bounds out = {{v}, 1};
    if (!joined && !sum) return out;
    Bounds x = bounds_of(a, b, op_opnd(v->def, 0), least),
           y = bounds_of(a, b, op_opnd(v->def, 1), code == OP_SUB ? !least : least);
    if (joined) out = x;
    else out.n = 0;
    if (sum) add_bounds(b, code, &x, &y, &out);
    for (int i = 0; joined && i < y.n && out.n < MOST_BOUNDS; i++) out.of[out.n++] = y.of[i];
    return out;
}

/* As much as v, which is known at b, is at most in the turns of the loops around; NULL: nobody knows */
static Value *at_most(const Axes *a, const Turns *t, Builder *b, Value *v) {
    Builder first = builder_before(root_of(a));
    if (v->def && v->def->code == OP_MAX && !value_dominates(v, root_of(a))) {
        Value *x = at_most(a, t, b, op_opnd(v->def, 0)), *y = x ? at_most(a, t, b, op_opnd(v->def, 1)) : NULL;
        return y ? index_max(&first, x, y) : NULL;
    }
    Bounds all = bounds_of(a, b, v, true);
    Value *most = NULL;
    for (int i = 0; i < all.n; i++) {
        Value *x = greatest(t, all.of[i]);
        if (x) most = most ? index_min(&first, most, x) : x;
    }
    return most;
}

/* carried: how many turns of the last loop came before; where they begin, for all turns of the loops around */
typedef struct { const Axes *a; const Turns *t; Value *turn[MAX_RANK], *carried[2]; } Count;

/* In turns of the loops before the k-th, which are known */
static void count_before(Count *n, Builder *b, const Cloner *before, int k) {
    const Op *loop = n->t->index[k]->region->owner;
    const Region *r = n->a->body;
    Cloner c = {.module = b->module};
    Value *at[MAX_RANK];
    for (int i = 0; i < k; i++) {
        const Value *iv = n->t->index[i];
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
    count_before(n, &in, &c, k + 1);
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

static Value *most_turns(const Axes *a, const Turns *t) {
    const Value *index = t->index[t->len - 1];
    Op *loop = index->region->owner;
    Builder b = builder_before(loop);
    if (loop->code == OP_PARALLEL) return at_most(a, t, &b, op_opnd(loop, index->index));
    Value *lo = op_opnd(loop, 0), *hi = op_opnd(loop, 1);
    if (value_is_const_int(op_opnd(loop, 2), 1)) return at_most(a, t, &b, index_sub(&b, hi, lo));
    return value_is_const_int(op_opnd(loop, 2), -1) ? at_most(a, t, &b, index_sub(&b, lo, hi)) : NULL;
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
    count_before(&n, b, &none, 0);
    return (Axis){size_of(a, b, n.carried[0]), n.carried[1]};
}

/* Those of an index: it itself is the last. */
static Turns turns_to(const Axes *a, const Value *index) {
    Turns t = turns_around(a->body, index->region);
    while (t.index[t.len - 1] != index) t.len--;
    return t;
}

static void add_axis(Axes *a, const Value *index, Axis made) {
    Axis *axis = NEW(a->ad->arena, Axis);
    *axis = made;
    map_put(a->ad->arena, &a->of, index, axis);
}

void axes_find(Axes *a, Value *index) {
    if (map_has(&a->of, index)) return;
    Turns t = turns_to(a, index);
    for (int i = 0; i < t.len - 1; i++) axes_find(a, t.index[i]);
    Builder b = builder_before(root_of(a));
    Value *most = most_turns(a, &t);
    add_axis(a, index, most ? (Axis){size_of(a, &b, most), NULL} : shared_axis(a, &t, &b));
}

Layout axes_of_threads(const Axes *a, const Turns *t, int outer, const Size **sizes) {
    for (int i = outer; i < t->len; i++) sizes[i - outer] = axis_of(a, t, i)->size;
    return layout_of(t->index + outer, t->len - outer, false);
}

bool axes_in_island(Axes *a, const Op *op) {
    Value *own[MAX_RANK];
    Builder b = builder_before(root_of(a));
    for (const Op *o = op->parent->owner; o->code != OP_ISLAND; o = o->parent->owner) {
        int n = indices_of_loop(o, own);
        if (n && !axes_known(a, o)) return false;
        for (int i = 0; i < n; i++) {
            if (map_has(&a->of, own[i])) continue;
            Turns t = turns_to(a, own[i]);
            Value *most = most_turns(a, &t);
            if (!most) return false;
            add_axis(a, own[i], (Axis){size_of(a, &b, most), NULL});
        }
    }
    return true;
}

const Size *axes_rows(const Axes *a) { return ((const Axis *)map_get(&a->of, a->body->args[0]))->size; }

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
