/* index-bodies: for derivatives, whole arrays in the body of a comprehension become elements.
 *
 * [norm(x[i] - y) for i in 0:n] holds slices, differences and sums of vectors; the adjoint of a comprehension is pulled
 * from elements that it reads (ad/comprehension.c).  Each array that the body computes goes into index form, and its
 * body where an element of it is read.  An element that is read twice is computed twice; cse behind this merges what is
 * the same, and what costs much is computed before the comprehension (body_arrays.c).  So it is in loops that carry
 * numbers alone, with arrays of a few elements.  Arrays that loops carry, or that only a library computes, stay, and so
 * do reads that are not proved.
 *
 * Sizes that are found in the body of a comprehension or launch become numbers, where no array is left that has them:
 * it is then reversed like any other (ad/comprehension.c, ad/launch.c). */
#include "analysis/range.h"
#include "ir/index.h"
#include "lower/lower.h"

enum { MOST_OPS = 2000 }; /* in one body: no chain of arrays doubles it for ever */

static Op *replace_read(Op *e, Value *v, Op *first) {
    value_replace_all(&e->res[0], v);
    op_erase(e);
    return first;
}

/* Whether it is known that all indices are equal, or that some differ; NULL at `same` then */
static bool indices_meet(Builder *b, const Op *e, const Op *insert, Value **same) {
    *same = NULL;
    for (int i = 1; i < e->nopnds; i++) {
        Value *x = op_opnd(e, i), *y = op_opnd(insert, i + 1);
        int64_t c, d;
        bool known = value_const_int(x, &c) && value_const_int(y, &d);
        if (known && c != d) return *same = NULL, false;
        if (x == y || known) continue;
        Value *eq = build_binary(b, OP_EQ, x, y);
        *same = *same ? build_binary(b, OP_AND, *same, eq) : eq;
    }
    return true;
}

/* An element of x with one element replaced: that one, or what x has */
static Op *read_insert(Op *e) {
    Op *insert = op_opnd(e, 0)->def, *next = e->next;
    Builder b = builder_before(e);
    Value *same, *idx[MAX_RANK];
    bool meet = indices_meet(&b, e, insert, &same);
    if (meet && !same) return replace_read(e, op_opnd(insert, 1), next);
    for (int i = 1; i < e->nopnds; i++) idx[i - 1] = op_opnd(e, i);
    Value *other = extract_safe(&b, op_opnd(insert, 0), e->nopnds - 1, idx);
    Op *first = other->def;
    return replace_read(e, meet ? build_select(&b, same, op_opnd(insert, 1), other) : other, first);
}

/* Under another number of axes of size 1 */
static bool reshaped_alike(const Value *x, const Op *e, Value **idx) {
    int from[MAX_RANK], to[MAX_RANK], n = long_axes_alike(x->type, op_opnd(e, 0)->type, from, to);
    for (int i = 0; i < n; i++) idx[from[i]] = op_opnd(e, to[i] + 1);
    return n >= 0;
}

/* The place in rows that e reads */
static Value *flat_place(Builder *b, const Op *e) {
    Value *dims[MAX_RANK], *idx[MAX_RANK];
    build_dims(b, op_opnd(e, 0)->type, dims);
    for (int i = 1; i < e->nopnds; i++) idx[i - 1] = op_opnd(e, i);
    return index_flatten(b, idx, e->nopnds - 1, dims);
}

static Op *read_reshape(Op *e) {
    Op *r = op_opnd(e, 0)->def;
    Value *x = op_opnd(r, 0), *idx[MAX_RANK] = {NULL}, *dims[MAX_RANK];
    Session *s = e->parent->func->module->session;
    if (type_elements(s, x->type) != type_elements(s, r->res[0].type)) return e->next;
    op_set_flag(r, A_SAFE);
    Builder b = builder_before(e);
    if (!reshaped_alike(x, e, idx)) {
        build_dims(&b, x->type, dims);
        index_unflatten(&b, flat_place(&b, e), x->type->rank, dims, idx);
    }
    for (int i = 0; i < x->type->rank; i++)
        if (!idx[i]) idx[i] = build_int(&b, 0);
    Value *v = extract_safe(&b, x, x->type->rank, idx);
    return replace_read(e, v, v->def);
}

/* e reads an array that the body computes: the element is computed where it is read.  What is to be looked at next. */
static Op *forward(Op *e, const Region *body) {
    const Op *made = op_opnd(e, 0)->def;
    if (!made || !op_flag(e, A_SAFE) || !region_encloses(body, made->parent)) return e->next;
    if (region_count_ops(body) > MOST_OPS) return e->next;
    switch (made->code) {
    case OP_GENERATE: return op_has_effect(made) ? e->next : extract_inline(e);
    case OP_INSERT: return op_flag(made, A_SAFE) ? read_insert(e) : e->next;
    case OP_RESHAPE: return read_reshape(e);
    default: return e->next;
    }
}

static void forward_all(Region *r, const Region *body) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_EXTRACT) next = forward(o, body);
        else for (int i = 0; i < o->nregs; i++) forward_all(o->regs[i], body);
    }
}

static bool is_comprehension(const Op *op) {
    return op->code == OP_GENERATE || op->code == OP_REDUCE || op->code == OP_SCAN;
}

/* The inner comprehensions first: an array that is computed before them may be computed before those around. */
static void expand_all(Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nregs; i++) expand_all(o->regs[i]);
        if (is_comprehension(o)) while (region_count_ops(o->regs[0]) < MOST_OPS && expand_body_array(o)) continue;
    }
}

static void index_body(Op *o) {
    if (!op_has_tensors(o)) return;
    index_region(o->regs[0]);
    expand_all(o->regs[0]);
    while (region_count_ops(o->regs[0]) < MOST_OPS) {
        Op *made = expand_body_array(o);
        if (!made) break;
        index_body(made);
    }
    forward_all(o->regs[0], o->regs[0]);
}

/* ---- loops that carry numbers alone, as those that add up do: d = x[i] - x[j] of a few elements */

static void find_long(void *ctx, Op *op) {
    enum { FEW = 8 };
    bool *small = ctx;
    for (int i = 0; i < op->nres; i++) {
        int64_t n = 1, k;
        const Type *t = op->res[i].type;
        for (int a = 0; a < t->rank && type_is_tensor(t); a++)
            n = n <= FEW && size_is_const(t->dims[a], &k) && k >= 0 && k <= FEW ? n * k : FEW + 1;
        *small &= n <= FEW && (!type_is_tensor(t) || (op->code != OP_FOR && op->code != OP_WHILE && op->code != OP_IF));
    }
}

static bool holds_small_arrays(Op *loop) {
    bool small = loop->nres > 0 && op_has_tensors(loop);
    for (int i = 0; i < loop->nres; i++) small &= loop->res[i].type->kind == TY_SCALAR;
    if (small) region_walk(loop->regs[0], find_long, &small);
    return small;
}

static void index_loop(Op *loop) {
    index_region(loop->regs[0]);
    forward_all(loop->regs[0], loop->regs[0]);
}

static void index_bodies(Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_FOR && holds_small_arrays(o)) index_loop(o);
        if (!is_comprehension(o)) {
            for (int i = 0; i < o->nregs; i++) index_bodies(o->regs[i]);
            continue;
        }
        index_body(o);
    }
}

/* ---- sizes that a body finds: the length of x[0:i] is the number i, where no array is left that has it */

typedef struct { Arena *scratch; Ranges *ranges; Map found; VEC(Op *) binds; bool asked; } Lengths;

static void find_bind(void *ctx, Op *op) {
    Lengths *l = ctx;
    if (op->code != OP_BIND) return;
    IntRange n = range_of(l->ranges, op_opnd(op, 0), op);
    if (n.lo >= 0 && range_is_near(n.hi)) map_put(l->scratch, &l->found, op_sym(op, A_SYM), op_opnd(op, 0));
    vec_push(l->scratch, &l->binds, op);
}

static void forget(void *ctx, const char *sym) {
    Lengths *l = ctx;
    if (map_has(&l->found, sym)) map_put(l->scratch, &l->found, sym, NULL);
}

static void forget_sizes(Lengths *l, int n, const Size *const *sizes) {
    for (int i = 0; i < n; i++) size_each_sym(sizes[i], forget, l);
}

static void forget_mentioned(void *ctx, Op *op) {
    Lengths *l = ctx;
    const Attr *sizes = op_attr(op, A_SIZE);
    if (sizes && op->code != OP_SIZE) forget_sizes(l, sizes->n, sizes->sizes);
    for (int i = 0; i < op->nres; i++) forget_sizes(l, op->res[i].type->rank, op->res[i].type->dims);
    for (int r = 0; r < op->nregs; r++)
        for (int i = 0; i < op->regs[r]->nargs; i++)
            forget_sizes(l, op->regs[r]->args[i]->type->rank, op->regs[r]->args[i]->type->dims);
}

static Value *length(const Lengths *l, Builder *b, const Size *size) {
    SizeNode n = size_node(b->module->session, size);
    if (n.op == 'c') return build_int(b, n.c);
    if (n.op == 's') return map_get(&l->found, n.sym) ? map_get(&l->found, n.sym) : build_size(b, size);
    Value *x = length(l, b, n.a), *y = length(l, b, n.b);
    switch (n.op) {
    case '+': return index_add(b, x, y);
    case '*': return index_mul(b, x, y);
    case '/': return build_binary(b, OP_IDIV, x, y);
    case '%': return build_binary(b, OP_MOD, x, y);
    case 'M': return index_max(b, x, y);
    default: return index_min(b, x, y);
    }
}

static void ask(void *ctx, const char *sym) {
    Lengths *l = ctx;
    l->asked |= map_get(&l->found, sym) != NULL;
}

static void replace_sizes(Lengths *l, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) replace_sizes(l, o->regs[i]);
        const Size *size = o->code == OP_SIZE ? op_attr(o, A_SIZE)->sizes[0] : NULL;
        l->asked = false;
        if (size) size_each_sym(size, ask, l);
        if (!l->asked) continue;
        Builder b = builder_before(o);
        value_replace_all(&o->res[0], length(l, &b, size));
        op_erase(o);
    }
}

static void sizes_to_numbers(Op *op) {
    Lengths l = {.scratch = arena_new(), .ranges = ranges_new(op->parent->func->module->session)};
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_bind, &l);
    if (l.binds.len) region_walk(op->regs[0], forget_mentioned, &l);
    ranges_free(l.ranges);
    if (l.binds.len) replace_sizes(&l, op->regs[0]);
    for (int i = 0; i < l.binds.len; i++)
        if (map_get(&l.found, op_sym(l.binds.data[i], A_SYM))) op_erase(l.binds.data[i]);
    arena_free(l.scratch);
}

static void find_bodies(void *ctx, Op *op) {
    (void)ctx;
    if (is_comprehension(op) || op->code == OP_ISLAND) sizes_to_numbers(op);
}

static void find_derivative(void *ctx, Op *op) {
    (void)ctx;
    if (op->code != OP_VJP && op->code != OP_JVP) return;
    index_bodies(op->regs[0]);
    region_walk(op->regs[0], find_bodies, NULL);
}

void pass_index_bodies(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) region_walk(m->funcs.data[i]->body, find_derivative, NULL);
}
