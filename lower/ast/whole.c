/* Whole arrays inside islands, where there are no array values: private arrays of the thread.
 *
 * Their sizes are known when compiling.  What is read by element (elem.c) is computed in a loop over the elements;
 * literals, rows, products, reductions along an axis, systems of equations and calls put what they make into a place:
 * an array, or a part of it.  Places are new, so that nothing that is read on the way is written.
 * opt/par/own_loops.c and mem2reg make values of those that are small. */
#include "lower/ast/private.h"
#include "lower/ast/builtins.h"

static bool is_array(const Expr *e) { return e->type->kind == FT_ARRAY; }

bool has_known_sizes(Fn *f, const FType *t) {
    for (int i = 0; t->kind == FT_ARRAY && i < t->rank; i++)
        if (!size_is_const(fn_size(f, t->dims[i]), NULL)) return false;
    for (int i = 0; i < t->nfields; i++)
        if (!has_known_sizes(f, t->fields[i])) return false;
    return true;
}

/* ---- places */

Value *alloc_private(Fn *f, const Type *t) {
    const Type *buf = type_buf(f->session, t->dtype, t->rank, t->dims, SPACE_PRIVATE);
    return &build_op(&f->b, OP_ALLOC, 0, NULL, 1, &buf, 0)->res[0];
}

Vals private_arrays(Fn *f, const FType *t) {
    const Type **types = leaf_types(f, t);
    Vals r = vals_new(f, leaf_count(t));
    for (int i = 0; i < r.n; i++) r.v[i] = types[i]->kind == TY_TENSOR ? alloc_private(f, types[i]) : NULL;
    return r;
}

static Dest whole_dest(Vals out) { return (Dest){.out = out}; }

Dest dest_at(const Dest *p, int n, Value *const *idx) {
    Dest part = *p;
    for (int i = 0; i < n; i++) part.at[part.n++] = idx[i];
    return part;
}

void dest_store(Fn *f, const Dest *p, Vals v) {
    for (int i = 0; i < v.n; i++) build_store(&f->b, v.v[i], p->out.v[i], p->n, p->at);
}

/* Extents of e's axes */
static void extents_of(Fn *f, const Expr *e, Value **extents) {
    for (int i = 0; i < e->type->rank; i++) extents[i] = fn_size_value(f, e->type->dims[i]);
}

typedef struct { const Dest *p; Vals from; int rank; } Copy;

static void copy_loop(Fn *f, Value *const *idx, void *ctx) {
    const Copy *c = ctx;
    Dest part = dest_at(c->p, c->rank, idx);
    dest_store(f, &part, read_element(f, c->from, c->rank, idx));
}

/* The arrays of e, which were computed, go to p. */
static void dest_copy(Fn *f, const Expr *e, Vals from, const Dest *p) {
    Value *extents[MAX_RANK];
    Copy c = {p, from, e->type->rank};
    extents_of(f, e, extents);
    build_loops(f, c.rank, extents, copy_loop, &c);
}

static void array_loop(Fn *f, Value *const *idx, void *ctx) {
    Value *const *arrays = ctx;
    int n = arrays[0]->type->rank;
    build_store(&f->b, build_load(&f->b, arrays[0], n, idx), arrays[1], n, idx);
}

void array_copy(Fn *f, Value *from, Value *to) {
    Value *extents[MAX_RANK], *arrays[] = {from, to};
    for (int i = 0; i < to->type->rank; i++) extents[i] = build_size(&f->b, to->type->dims[i]);
    build_loops(f, to->type->rank, extents, array_loop, arrays);
}

Vals arrays_settle(Fn *f, Vals v, Vals out) {
    Vals r = vals_copy(f, v);
    for (int i = 0; i < r.n; i++) {
        if (!out.v[i]) continue;
        array_copy(f, v.v[i], out.v[i]);
        r.v[i] = out.v[i];
    }
    return r;
}

/* ---- what is computed as a whole */

typedef struct { const Expr *e; const Dest *p; } Fill;
static void fill_loop(Fn *f, Value *const *idx, void *ctx) {
    const Fill *fill = ctx;
    Dest part = dest_at(fill->p, fill->e->type->rank, idx);
    dest_store(f, &part, lower_elem(f, fill->e, idx));
}

static void fill(Fn *f, const Expr *e, const Dest *p) {
    Value *extents[MAX_RANK];
    Fill c = {e, p};
    elem_prepare(f, e);
    extents_of(f, e, extents);
    build_loops(f, e->type->rank, extents, fill_loop, &c);
}

static void literal(Fn *f, const Expr *e, const Dest *p) {
    for (int i = 0; i < e->args.len; i++) {
        Value *at = build_int(&f->b, i);
        Dest part = dest_at(p, 1, &at);
        if (is_array(e->args.data[i])) compute_into(f, e->args.data[i], &part);
        else dest_store(f, &part, lower_expr(f, e->args.data[i]));
    }
}

static void rows(Fn *f, const Expr *e, const Dest *p) {
    int n = e->gens.len;
    Value **start = NEWN(f->arena, Value *, n), *extents[MAX_RANK];
    Vals none = {0};
    Nest nest;
    for (int i = 0; i < n; i++) start[i] = gen_start(f, &e->gens.data[i]);
    extents_of(f, e, extents);
    nest_open(f, &nest, n, extents, &none);
    for (int i = 0; i < n; i++) gen_bind(f, &e->gens.data[i], start[i], nest.idx[i]);
    Dest part = dest_at(p, n, nest.idx);
    compute_into(f, e->a, &part);
    nest_close(f, &nest, &none);
}

typedef struct { const Dest *p; Vals v; int rank; } Constant;
static void constant_loop(Fn *f, Value *const *idx, void *ctx) {
    const Constant *c = ctx;
    Dest part = dest_at(c->p, c->rank, idx);
    dest_store(f, &part, c->v);
}

/* zeros, ones, full */
static void filled(Fn *f, const Expr *e, const Dest *p) {
    Value *extents[MAX_RANK];
    Constant c = {p, {0}, e->type->rank};
    if (e->builtin == BI_zeros) return;
    if (e->builtin == BI_full) c.v = lower_expr(f, e->args.data[0]);
    else {
        const Type **types = leaf_types(f, array_elem(e->type));
        c.v = vals_new(f, leaf_count(e->type));
        for (int i = 0; i < c.v.n; i++)
            c.v.v[i] = build_const(&f->b, (Const){.dtype = types[i]->dtype, .f = 1, .i = 1});
    }
    extents_of(f, e, extents);
    build_loops(f, c.rank, extents, constant_loop, &c);
}

/* The elements of another array, in another order: by reshape, or transpose with an order of axes */
typedef struct { const Expr *e; const Dest *p; Vals from; } Moved;

/* idx as one number, row by row, and that as indices of the source */
static void reshaped_index(Fn *f, const Moved *m, Value *const *idx, Value **at) {
    const FType *to = m->e->type, *from = m->e->args.data[0]->type;
    Value *all = build_int(&f->b, 0);
    for (int i = 0; i < to->rank; i++) {
        Value *row = build_binary(&f->b, OP_MUL, all, fn_size_value(f, to->dims[i]));
        all = build_binary(&f->b, OP_ADD, row, idx[i]);
    }
    for (int i = from->rank; i-- > 0;) {
        Value *extent = fn_size_value(f, from->dims[i]);
        at[i] = i ? build_binary(&f->b, OP_MOD, all, extent) : all;
        if (i) all = build_binary(&f->b, OP_IDIV, all, extent);
    }
}

static void moved_loop(Fn *f, Value *const *idx, void *ctx) {
    const Moved *m = ctx;
    const Expr *e = m->e;
    Value *at[MAX_RANK];
    int rank = e->args.data[0]->type->rank;
    if (e->builtin == BI_reshape) reshaped_index(f, m, idx, at);
    else
        for (int i = 0; i < rank; i++) at[e->args.len > 1 ? e->args.data[i + 1]->lit.i : rank - 1 - i] = idx[i];
    Dest part = dest_at(m->p, e->type->rank, idx);
    dest_store(f, &part, read_element(f, m->from, rank, at));
}

static void moved(Fn *f, const Expr *e, const Dest *p) {
    Value *extents[MAX_RANK];
    Moved m = {e, p, lower_expr(f, e->args.data[0])};
    extents_of(f, e, extents);
    build_loops(f, e->type->rank, extents, moved_loop, &m);
}

/* The arrays of the call's arguments have known sizes. */
static bool knows_arguments(Fn *f, const Expr *e) {
    for (int i = 0; i < e->args.len; i++)
        if (!has_known_sizes(f, e->args.data[i]->type)) return false;
    return true;
}

static bool is_call_of(const Expr *e) { return e->kind == EX_CALL && e->call == CALL_FN && !e->each; }

/* What a builtin makes; false: no thread can */
static bool built_in(Fn *f, const Expr *e, const Dest *p) {
    switch (e->builtin) {
    case BI_zeros: case BI_ones: case BI_full: filled(f, e, p); return true;
    case BI_reshape: case BI_transpose: moved(f, e, p); return true;
    case BI_sum: case BI_prod: case BI_min: case BI_max: case BI_any: case BI_all:
        reduce_axis_into(f, e, p);
        return true;
    case BI_scan: case BI_cumsum: scan_into(f, e, p); return true;
    case BI_dot: product_into(f, e, e->args.data[0], e->args.data[1], p); return true;
    case BI_solve: case BI_inv:
        if (!knows_arguments(f, e)) return false;
        dest_copy(f, e, vals_one(f, e->builtin == BI_inv ? inverse_in_island(f, e) : solve_in_island(f, e)), p);
        return true;
    default: return false;
    }
}

static bool is_product(const Expr *e) { return e->kind == EX_BINARY && e->op == OPR_MATMUL; }

/* Fields of what is no variable, elements of tuples, values of blocks and calls: arrays that are there once lower_kind
 * has been there */
static Vals made_elsewhere(Fn *f, const Expr *e) {
    if (is_call_of(e)) return lower_call(f, e);
    if (e->kind == EX_IF) return lower_if_expr(f, e);
    if (e->kind != EX_FIELD) return lower_index(f, e);
    return vals_part(lower_expr(f, e->a), leaf_offset(e->a->type, e->field), leaf_count(e->type));
}

static bool is_made_elsewhere(const Expr *e) {
    return is_call_of(e) || e->kind == EX_IF || (e->kind == EX_FIELD && e->field >= 0) ||
           (e->kind == EX_INDEX && e->a->type->kind != FT_ARRAY);
}

void compute_into(Fn *f, const Expr *e, const Dest *p) {
    Span outside = f->b.span;
    f->b.span = fn_place(f, e->span);
    const Expr *constant = const_array_of(e);
    if (map_has(&f->prepared, e)) dest_copy(f, e, lower_expr(f, e), p);
    else if (constant) {
        Map prepared = f->prepared;
        f->prepared = (Map){0};
        compute_into(f, constant, p);
        f->prepared = prepared;
    } else if (!has_known_sizes(f, e->type)) unsupported(f, e, "an array of a size known only when it runs");
    else if (e->kind == EX_ARRAY) literal(f, e, p);
    else if (elem_has_rows(f, e)) rows(f, e, p);
    else if (is_product(e)) product_into(f, e, e->a, e->b, p);
    else if (elem_is_lazy(f, e) || names_buffers(f, e)) fill(f, e, p);
    else if (is_made_elsewhere(e)) dest_copy(f, e, made_elsewhere(f, e), p);
    else if (e->kind != EX_CALL || e->call != CALL_BUILTIN) unsupported(f, e, "this array expression");
    else if (!built_in(f, e, p)) unsupported(f, e, "linear algebra");
    f->b.span = outside;
}

/* ---- variables' values: private arrays of their own */

/* Tuples and structs that hold arrays, part by part */
static Vals materialize_parts(Fn *f, const Expr *e) {
    Vals *parts = NEWN(f->arena, Vals, e->args.len + 1);
    for (int i = 0; i < e->args.len; i++) {
        const Expr *part = e->args.data[i];
        parts[i] = type_has_array(part->type) ? materialize(f, part) : lower_expr(f, part);
    }
    return vals_join(f, e->args.len, parts);
}

static bool is_parts(const Expr *e) {
    return e->kind == EX_TUPLE || (e->kind == EX_CALL && e->call == CALL_STRUCT && !e->each);
}

Vals materialize(Fn *f, const Expr *e) {
    bool ready = map_has(&f->prepared, e);
    if (is_parts(e) && !ready) return materialize_parts(f, e);
    if (!ready && is_call_of(e)) return lower_call(f, e);
    if (!has_known_sizes(f, e->type) && !const_array_of(e))
        return unsupported(f, e, "an array of a size known only when it runs");
    Vals out = private_arrays(f, e->type);
    if (is_array(e)) {
        Dest p = whole_dest(out);
        compute_into(f, e, &p);
        return out;
    }
    return arrays_settle(f, ready || names_buffers(f, e) ? lower_expr(f, e) : made_elsewhere(f, e), out);
}
