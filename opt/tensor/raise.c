/* raise: sums of products of two factors that are matrix products become them: [sum(a[i, k] * b[k, j] for k) for i, j]
 * is a @ b.
 *
 * Only with --fp=reassoc or fast, since a library adds up in another order.  Needs stage par, before index-form, and
 * leaves `dot`s of whole arrays, in stacks where both factors have further indices in common: the sum is an element of
 * that, wherever else it is part of (Reactant raises loops to such operations; Tensor Comprehensions begin with them).
 *
 * The sum stands in a comprehension, or in a reduction, at function level.  The owner's indices that both factors
 * depend on are those of stacks, the others rows or columns; the sum's are what the product sums over, and several of
 * each are one (the axes of a tensor contraction).  A factor that is an element of an array, read at these indices in
 * an order that fits, is that array under another shape, perhaps turned.  Any other, such as x[l, i, j + v] of a
 * convolution, is first written out, for all indices that it depends on (im2col: K. Chellapilla, S. Puri, P. Simard,
 * High performance convolutional neural networks for document processing, 2006, section 4).  What has no rows or no
 * columns stays: it is as fast as loops. */
#include "ir/index.h"
#include "opt/dead.h"
#include "opt/pass.h"
#include "opt/tensor/comprehend.h"
#include "opt/tensor/product.h"

enum { MOST_SCALES = 4, SMALL = 8, LITTLE = 2000, DEEP = 12 };
enum { MOST_WRITTEN = 64 << 20 }; /* bytes, of what is more than the program has written */

typedef struct { int n; Value *at[MAX_RANK]; } Indices;

typedef struct {
    Value *value;
    unsigned of_owner, of_sum; /* which indices it depends on */
    unsigned all_of_owner, all_of_sum; /* those that alone go through an axis of an array */
    Indices own;               /* the owner's that it depends on alone */
    const Op *read;            /* the array's element that it is, at plain indices; NULL: it is more */
    int rank;                  /* the most axes of an array that it reads */
} Factor;

typedef struct {
    Op *owner, *sum; /* the operation whose indices the sum is for */
    Factor x, y;
    Indices stack, inner;
    Value *scale[MOST_SCALES]; /* factors that are the same for all of the sum */
    int nscales, nfactors;
} Raise;

/* ---- what a factor is */

static bool is_of(const Value *v, const Op *op) { return !v->def && v->region == op->regs[0]; }

static bool read_value(const Raise *r, const Value *v, Factor *f, int depth);

/* An index of an element along an axis of that size */
static bool read_place(const Raise *r, const Value *v, const Size *dim, Factor *f, int depth) {
    Factor one = {0};
    if (!read_value(r, v, &one, depth)) return false;
    for (int i = 0; i < MAX_RANK; i++) {
        if (!one.of_sum && one.of_owner == 1u << i && index_size(r->owner->regs[0]->args[i]) == dim)
            f->all_of_owner |= 1u << i;
        if (!one.of_owner && one.of_sum == 1u << i && index_size(r->sum->regs[0]->args[i]) == dim)
            f->all_of_sum |= 1u << i;
    }
    f->of_owner |= one.of_owner, f->of_sum |= one.of_sum;
    f->all_of_owner |= one.all_of_owner, f->all_of_sum |= one.all_of_sum;
    if (f->rank < one.rank) f->rank = one.rank;
    return true;
}

/* v is computed of indices, and elements of arrays that are there before the owner, without branches. */
static bool read_value(const Raise *r, const Value *v, Factor *f, int depth) {
    if (is_of(v, r->owner)) return f->of_owner |= 1u << v->index, true;
    if (is_of(v, r->sum)) return f->of_sum |= 1u << v->index, true;
    if (!region_encloses(r->owner->regs[0], value_region(v))) return !type_is_tensor(v->type) || depth;
    const Op *op = v->def;
    bool element = op && op->code == OP_EXTRACT && op_flag(op, A_SAFE);
    if (!op || op->nregs || depth > DEEP || !(element || op_info(op->code)->traits & TR_PURE)) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Size *dim = element && i ? op_opnd(op, 0)->type->dims[i - 1] : NULL;
        if (!read_place(r, op_opnd(op, i), dim, f, depth + 1)) return false;
    }
    if (element && f->rank < op->nopnds - 1) f->rank = op->nopnds - 1;
    return true;
}

/* All axes of the array, each by an index of its own */
static bool is_plain(const Raise *r, const Op *op) {
    if (!op || op->code != OP_EXTRACT || region_encloses(r->owner->regs[0], value_region(op_opnd(op, 0)))) return false;
    for (int i = 1; i < op->nopnds; i++) {
        const Value *at = op_opnd(op, i);
        if (!(is_of(at, r->owner) || is_of(at, r->sum)) || index_size(at) != op_opnd(op, 0)->type->dims[i - 1])
            return false;
        for (int k = 1; k < i; k++)
            if (op_opnd(op, k) == at) return false;
    }
    return true;
}

static bool read_factor(const Raise *r, Value *v, Factor *f) {
    *f = (Factor){.value = v};
    if (is_plain(r, v->def)) f->read = v->def;
    else if (v->def && v->def->code == OP_EXTRACT && !op_flag(v->def, A_SAFE)) return false;
    if (!f->read) return read_value(r, v, f, 0) && f->rank;
    f->rank = f->read->nopnds - 1;
    for (int i = 1; i < f->read->nopnds; i++) read_value(r, op_opnd(f->read, i), f, 1);
    f->all_of_owner = f->of_owner, f->all_of_sum = f->of_sum;
    return true;
}

/* The two factors of a product of several that depend on the sum's indices, and those that do not */
static bool read_product(Raise *r, Value *v) {
    const Op *op = v->def;
    if (!region_encloses(r->sum->regs[0], value_region(v)))
        return r->nscales < MOST_SCALES && (r->scale[r->nscales++] = v, true);
    if (op && op->code == OP_MUL) return read_product(r, op_opnd(op, 0)) && read_product(r, op_opnd(op, 1));
    return r->nfactors < 2 && read_factor(r, v, r->nfactors++ ? &r->y : &r->x);
}

/* ---- its indices */

static void add_index(Indices *s, Value *v) {
    for (int i = 0; i < s->n; i++)
        if (s->at[i] == v) return;
    s->at[s->n++] = v;
}

/* Those of op that are in the set: as the array that is read has them, or else in op's order */
static void add_indices(Indices *s, const Op *op, unsigned set, const Op *read) {
    for (int i = 1; read && i < read->nopnds; i++) {
        Value *v = op_opnd(read, i);
        if (is_of(v, op) && set >> v->index & 1) add_index(s, v);
    }
    for (int i = 0; i < op->regs[0]->nargs; i++)
        if (set >> i & 1) add_index(s, op->regs[0]->args[i]);
}

static bool have_sizes(const Indices *s) {
    for (int i = 0; i < s->n; i++)
        if (!index_size(s->at[i])) return false;
    return true;
}

/* Rows, columns and stacks of the product; false: it has no rows or columns, or one factor is the same for all that an
 * index of the sum goes through. */
static bool find_indices(Raise *r) {
    unsigned both = r->x.of_owner & r->y.of_owner, all = (1u << r->sum->regs[0]->nargs) - 1;
    const Op *read = r->x.read ? r->x.read : r->y.read;
    if (r->x.of_sum != all || r->y.of_sum != all) return false;
    add_indices(&r->stack, r->owner, both, read);
    add_indices(&r->inner, r->sum, all, read);
    add_indices(&r->x.own, r->owner, r->x.of_owner & ~both, r->x.read);
    add_indices(&r->y.own, r->owner, r->y.of_owner & ~both, r->y.read);
    return r->x.own.n && r->y.own.n && r->stack.n + 2 <= TENSOR_RANK && have_sizes(&r->stack) &&
           have_sizes(&r->inner) && have_sizes(&r->x.own) && have_sizes(&r->y.own) &&
           r->stack.n + r->x.own.n + r->y.own.n <= TENSOR_RANK;
}

static int last_index(const Factor *f) {
    int last = 0;
    for (int i = 0; i < f->own.n; i++)
        if (f->own.at[i]->index > last) last = f->own.at[i]->index;
    return last;
}

/* The product's columns are those of the owner's index that comes last, along which its elements lie side by side. */
static void order_factors(Raise *r) {
    if (last_index(&r->x) < last_index(&r->y)) return;
    Factor x = r->x;
    r->x = r->y, r->y = x;
}

static const Size *size_of(Session *s, const Indices *set) {
    const Size *n = size_const(s, 1);
    for (int i = 0; i < set->n; i++) n = size_mul(s, n, index_size(set->at[i]));
    return n;
}

/* ---- arrays under another shape */

/* The axes from `from` on are these indices, in order. */
static bool has_axes(const Op *read, int from, const Indices *s) {
    for (int i = 0; i < s->n; i++)
        if (op_opnd(read, 1 + from + i) != s->at[i]) return false;
    return true;
}

/* The array that a factor reads has stacks, and then rows or columns and what is summed over, in either order. */
static bool has_shape(const Raise *r, const Factor *f, bool inner_first) {
    const Op *read = f->read;
    int n = r->stack.n, own = n + (inner_first ? r->inner.n : 0), inner = n + (inner_first ? 0 : f->own.n);
    return read && has_axes(read, 0, &r->stack) && has_axes(read, own, &f->own) && has_axes(read, inner, &r->inner);
}

static bool is_written(const Raise *r, const Factor *f) { return !has_shape(r, f, false) && !has_shape(r, f, true); }

static void add_dims(const Size **dims, int *n, const Indices *s) {
    for (int i = 0; i < s->n; i++) dims[(*n)++] = index_size(s->at[i]);
}

/* x, whose axes are those of stacks, and then of two groups, as a stack of matrices */
static Value *as_matrices(const Raise *r, Builder *b, Value *x, const Indices *rows, const Indices *columns) {
    Session *s = b->module->session;
    const Size *dims[MAX_RANK];
    int n = 0;
    add_dims(dims, &n, &r->stack);
    dims[n++] = size_of(s, rows);
    dims[n++] = size_of(s, columns);
    return build_reshaped(b, x, type_tensor(s, x->type->dtype, n, dims));
}

/* ---- is it worth it */

static bool may_be_more(const Size *n, int64_t than) {
    int64_t k;
    return !size_is_const(n, &k) || k > than;
}

/* When the program runs: where what is written out takes no more than MOST_WRITTEN bytes, and is read often */
typedef enum { NEVER, WHEN_FITS, ALWAYS } Worth;

static Session *session_of(const Raise *r) { return r->owner->parent->func->module->session; }

/* An element for each one of an array, always; else as many as fit, if that is known */
static Worth worth_writing(const Raise *r, const Factor *f) {
    Session *s = session_of(r);
    int64_t n;
    int rank = r->stack.n + f->own.n + r->inner.n;
    bool each_once = rank <= f->rank && f->all_of_owner == f->of_owner && f->all_of_sum == f->of_sum;
    if (!is_written(r, f) || each_once) return ALWAYS;
    if (rank > TENSOR_RANK) return NEVER;
    const Size *all = size_mul(s, size_mul(s, size_of(s, &r->stack), size_of(s, &f->own)), size_of(s, &r->inner));
    if (!size_is_const(all, &n)) return WHEN_FITS;
    return n <= MOST_WRITTEN / dtype_info(f->value->type->dtype)->bytes ? ALWAYS : NEVER;
}

static const Size *size_of_product(const Raise *r) {
    Session *s = session_of(r);
    return size_mul(s, size_of(s, &r->stack), size_mul(s, size_of(s, &r->x.own), size_of(s, &r->y.own)));
}

/* A reduction needs no array of the products, which may be large. */
static Worth worth_keeping(const Raise *r) {
    int64_t n, bytes = dtype_info(r->sum->res[0].type->dtype)->bytes;
    if (r->owner->code != OP_REDUCE) return ALWAYS;
    if (!size_is_const(size_of_product(r), &n)) return WHEN_FITS;
    return n <= MOST_WRITTEN / bytes ? ALWAYS : NEVER;
}

static Worth lesser(Worth x, Worth y) { return x < y ? x : y; }

/* A library is worth its call where sums are not short, and a size of the result may be large; what is written out for
 * it must be read often, and sums be longer. */
static Worth worth(const Raise *r) {
    Session *s = session_of(r);
    const Size *inner = size_of(s, &r->inner), *work = size_mul(s, inner, size_of_product(r));
    bool x_large = may_be_more(size_of(s, &r->x.own), SMALL), y_large = may_be_more(size_of(s, &r->y.own), SMALL);
    Worth kept = worth_keeping(r);
    if (!may_be_more(inner, SMALL) || !may_be_more(work, LITTLE)) return NEVER;
    if (!is_written(r, &r->x) && !is_written(r, &r->y)) return x_large || y_large ? kept : NEVER;
    if (!may_be_more(inner, 2 * SMALL) || !x_large || !y_large) return NEVER;
    return lesser(kept, lesser(worth_writing(r, &r->x), worth_writing(r, &r->y)));
}

static Worth read_sum(Raise *r) {
    const Op *sum = r->sum;
    DType t = sum->res[0].type->dtype;
    if (sum->nres != 1 || op_combine(sum) != COMBINE_ADD || (t != DT_F64 && t != DT_F32)) return NEVER;
    if (!read_product(r, op_opnd(region_term(sum->regs[0]), 0)) || r->nfactors != 2 || !find_indices(r)) return NEVER;
    order_factors(r);
    return worth(r);
}

/* ---- the product */

static void add_args(Builder *b, Cloner *c, Op *g, const Indices *s) {
    for (int i = 0; i < s->n; i++) {
        Value *arg = region_add_arg(g->regs[0], type_i64(b->module), s->at[i]->name);
        map_put(b->module->arena, &c->values, s->at[i], arg);
    }
}

/* The factor for all indices that it depends on: those of stacks, then these and those */
static Value *written(const Raise *r, Builder *b, const Factor *f, const Indices *first, const Indices *last) {
    Session *s = b->module->session;
    const Size *dims[MAX_RANK];
    int n = 0;
    add_dims(dims, &n, &r->stack);
    add_dims(dims, &n, first);
    add_dims(dims, &n, last);
    const Type *t = type_tensor(s, f->value->type->dtype, n, dims);
    Op *g = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Cloner c = {.module = b->module};
    add_args(b, &c, g, &r->stack);
    add_args(b, &c, g, first);
    add_args(b, &c, g, last);
    Builder in = builder_at_end(b->module, g->regs[0], b->span);
    Value *v = clone_slice(&c, &in, r->owner->regs[0], f->value);
    build_yield(&in, 1, &v);
    return &g->res[0];
}

/* The factor as a stack of matrices, with what is summed over last or first; *turned: it is the other way around. */
static Value *matrices(const Raise *r, Builder *b, const Factor *f, bool inner_first, int64_t *turned) {
    *turned = !has_shape(r, f, inner_first) && has_shape(r, f, !inner_first);
    bool first = inner_first != *turned;
    const Indices *rows = first ? &r->inner : &f->own, *columns = first ? &f->own : &r->inner;
    Value *x = is_written(r, f) ? written(r, b, f, rows, columns) : op_opnd(f->read, 0);
    return as_matrices(r, b, x, rows, columns);
}

/* All sums: with the axes of stacks, rows and columns */
static Value *whole_product(const Raise *r) {
    Builder b = builder_before(r->owner);
    b.span = r->sum->span;
    int64_t trans[2];
    Value *x = matrices(r, &b, &r->x, false, &trans[0]), *y = matrices(r, &b, &r->y, true, &trans[1]);
    Value *product = build_dot(&b, x, y, trans);
    const Size *dims[MAX_RANK];
    int n = 0;
    add_dims(dims, &n, &r->stack);
    add_dims(dims, &n, &r->x.own);
    add_dims(dims, &n, &r->y.own);
    return build_reshaped(&b, product, type_tensor(b.module->session, product->type->dtype, n, dims));
}

static void add_values(Value **at, int *n, const Indices *s) {
    for (int i = 0; i < s->n; i++) at[(*n)++] = s->at[i];
}

static void put_element(const Raise *r, Value *product) {
    Value *at[MAX_RANK];
    int n = 0;
    add_values(at, &n, &r->stack);
    add_values(at, &n, &r->x.own);
    add_values(at, &n, &r->y.own);
    Builder b = builder_before(r->sum);
    Value *v = extract_safe(&b, product, n, at);
    for (int i = 0; i < r->nscales; i++) v = build_binary(&b, OP_MUL, v, r->scale[i]);
    value_replace_all(&r->sum->res[0], v);
    op_erase(r->sum);
}

/* ---- both ways, where sizes are not known */

static Value *float_size(Builder *b, Value *n, const Indices *s) {
    for (int i = 0; i < s->n; i++)
        n = build_binary(b, OP_MUL, n, build_cast(b, build_size(b, index_size(s->at[i])), DT_F64));
    return n;
}

/* also, what is written for f fits; NULL: nothing is asked */
static Value *build_fits(const Raise *r, Builder *b, Value *also, const Factor *f) {
    if (worth_writing(r, f) == ALWAYS) return also;
    Value *bytes = build_float(b, DT_F64, dtype_info(f->value->type->dtype)->bytes);
    bytes = float_size(b, float_size(b, float_size(b, bytes, &r->stack), &f->own), &r->inner);
    return build_both(b, build_binary(b, OP_LE, bytes, build_float(b, DT_F64, MOST_WRITTEN)), also);
}

/* The product fits; NULL: nothing is asked */
static Value *build_keeps(const Raise *r, Builder *b) {
    if (worth_keeping(r) == ALWAYS) return NULL;
    Value *bytes = build_float(b, DT_F64, dtype_info(r->sum->res[0].type->dtype)->bytes);
    bytes = float_size(b, float_size(b, float_size(b, bytes, &r->stack), &r->x.own), &r->y.own);
    return build_binary(b, OP_LE, bytes, build_float(b, DT_F64, MOST_WRITTEN));
}

static Value *build_more(Builder *b, Value *also, const Indices *s) {
    Value *n = float_size(b, build_float(b, DT_F64, 1), s);
    return build_both(b, build_binary(b, OP_GT, n, build_float(b, DT_F64, SMALL)), also);
}

static bool asks_whether_it_fits(const Value *v) {
    const Op *op = v->def;
    if (op && op->code == OP_AND) return asks_whether_it_fits(op_opnd(op, 0)) || asks_whether_it_fits(op_opnd(op, 1));
    const Const *c = op && op->code == OP_LE ? value_const(op_opnd(op, 1)) : NULL;
    return c && c->dtype == DT_F64 && c->f == MOST_WRITTEN;
}

/* It stands where such a question was answered. */
static bool is_one_way(const Op *owner) {
    for (const Op *o = owner->parent->owner; o; o = o->parent->owner)
        if (o->code == OP_IF && asks_whether_it_fits(op_opnd(o, 0))) return true;
    return false;
}

static void yield_results(Region *r, Op *op) {
    Builder b = builder_at_end(r->func->module, r, op->span);
    Value **v = NEWN(b.module->arena, Value *, op->nres);
    for (int i = 0; i < op->nres; i++) v[i] = &op->res[i];
    build_yield(&b, op->nres, v);
}

/* A comprehension of all elements of one array is that array. */
static void drop_copy(Op *g) {
    const Value *v = g->code == OP_GENERATE && g->nres == 1 ? op_opnd(region_term(g->regs[0]), 0) : NULL;
    const Op *e = v ? v->def : NULL;
    if (!e || e->code != OP_EXTRACT || op_opnd(e, 0)->type != g->res[0].type || op_encloses(g, op_opnd(e, 0))) return;
    for (int i = 1; i < e->nopnds; i++)
        if (op_opnd(e, i) != g->regs[0]->args[i - 1]) return;
    value_take_over(&g->res[0], op_opnd(e, 0));
    op_erase(g);
}

/* if it fits { the owner with the product } else { as it is } */
static void raise_both_ways(const Raise *r) {
    Op *owner = r->owner;
    Builder b = builder_before(owner);
    const Type **types = NEWN(b.module->arena, const Type *, owner->nres);
    for (int i = 0; i < owner->nres; i++) types[i] = owner->res[i].type;
    Value *fits = build_fits(r, &b, build_fits(r, &b, build_keeps(r, &b), &r->x), &r->y);
    fits = build_more(&b, build_more(&b, fits, &r->x.own), &r->y.own);
    Op *branch = build_if(&b, fits, owner->nres, types);
    for (int i = 0; i < owner->nres; i++) value_take_over(&owner->res[i], &branch->res[i]);
    Cloner c = {.module = b.module};
    Builder in = builder_at_end(b.module, branch->regs[0], owner->span);
    Op *copy = clone_op(&c, &in, owner);
    Raise again = {.owner = copy, .sum = clone_value(&c, &r->sum->res[0])->def};
    if (read_sum(&again) == NEVER) bug("raise: a copy is no product");
    put_element(&again, whole_product(&again));
    yield_results(branch->regs[0], copy);
    drop_copy(copy);
    op_move_to_end(owner, branch->regs[1]);
    yield_results(branch->regs[1], owner);
}

/* Indices of parts that begin at 0 */
static void drop_zeros(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) drop_zeros(o->regs[i]);
        if (o->code != OP_ADD || !value_is_const_int(op_opnd(o, 1), 0) || dtype_is_float(o->res[0].type->dtype))
            continue;
        value_replace_all(&o->res[0], op_opnd(o, 0));
        op_erase(o);
    }
}

/* Sums that are computed for each index of owner, unconditionally */
bool raise_products(Op *owner) {
    bool any = false;
    drop_zeros(owner->regs[0]);
    for (Op *o = owner->regs[0]->first, *next; o; o = next) {
        next = o->next;
        Raise r = {.owner = owner, .sum = o};
        Worth w = o->code == OP_REDUCE ? read_sum(&r) : NEVER;
        if (w == ALWAYS) put_element(&r, whole_product(&r));
        if (w == WHEN_FITS && !is_one_way(owner)) return raise_both_ways(&r), true;
        any |= w == ALWAYS;
    }
    if (any) drop_copy(owner);
    return any;
}

static void visit(Region *region) {
    for (Op *o = region->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_GENERATE || o->code == OP_REDUCE) raise_products(o);
        else if (o->code != OP_ISLAND)
            for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

/* ---- launches: those whose threads each add up an element */

static void raise_launches(Region *region) {
    for (Op *o = region->first, *next; o; o = next) {
        next = o->next;
        Op *g = comprehend_sums(o);
        for (int i = 0; i < o->nregs && o->code != OP_ISLAND; i++) raise_launches(o->regs[i]);
        if (!g) continue;
        value_replace_all(&o->res[0], &g->res[0]);
        if (raise_products(g)) {
            op_erase(o);
            continue;
        }
        value_replace_all(&g->res[0], &o->res[0]);
        op_erase(g);
    }
}

void pass_raise_launches(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++) {
        raise_launches(m->funcs.data[i]->body);
        dead_in_region(m->funcs.data[i]->body);
    }
}

void pass_raise(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
