/* Comprehensions, reductions, scans: regions over index spaces.  Inside islands there are only reductions, and loops
 * around them. */
#include "lower/ast/private.h"
#include "lower/ast/builtins.h"

#include <string.h>

/* ---- generators: i = start + step * k, or over[k], k in 0:extent */

static int64_t step_of(const Gen *g) { return g->step_value ? g->step_value : 1; }

/* The upper bound is evaluated too when that defines a symbol of the extent. */
Value *gen_start(Fn *f, const Gen *g) {
    static const VarVec none;
    if (g->over) elem_freeze(f, g->over, &none);
    Value *lo = g->lo ? lower_scalar(f, g->lo) : NULL;
    if (g->hi && g->extent && expr_has_bind(g->hi)) lower_scalar(f, g->hi);
    return lo;
}

static Value *idiv_const(Fn *f, Value *x, int64_t d) {
    Value *q = idiv_safe(&f->b, x, build_int(&f->b, d));
    return q;
}

/* (hi - lo) / step, rounded up; hi is after lo or there, at most 2^64 away. */
static Value *far_extent(Fn *f, Value *lo, Value *hi, int64_t step) {
    uint64_t size = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    Value *one = build_const(&f->b, (Const){.dtype = DT_U64, .i = 1}), *none = build_binary(&f->b, OP_EQ, lo, hi);
    Value *span = build_cast(&f->b, build_binary(&f->b, OP_SUB, step > 0 ? hi : lo, step > 0 ? lo : hi), DT_U64);
    Value *last = idiv_safe(&f->b, build_binary(&f->b, OP_SUB, span, one),
                               build_const(&f->b, (Const){.dtype = DT_U64, .i = (int64_t)size}));
    Value *count = build_binary(&f->b, OP_ADD, build_cast(&f->b, last, DT_I64), build_int(&f->b, 1));
    return build_select(&f->b, none, build_int(&f->b, 0), count);
}

static Value *near_extent(Fn *f, Value *lo, Value *hi, int64_t step) {
    Value *span = step > 0 ? build_binary(&f->b, OP_SUB, hi, lo) : build_binary(&f->b, OP_SUB, lo, hi);
    int64_t size = step > 0 ? step : -step;
    return idiv_const(f, build_binary(&f->b, OP_ADD, span, build_int(&f->b, size - 1)), size);
}

static Value *range_count(Fn *f, Value *lo, Value *hi, int64_t step) {
    bool from_zero = !lo;
    if (step == 1) return lo ? build_binary(&f->b, OP_SUB, hi, lo) : hi;
    if (from_zero) lo = build_int(&f->b, 0);
    bool near = takes_for_ever(lo, hi, step);
    if (near && (from_zero || (value_is_near(lo) && value_is_near(hi)))) return near_extent(f, lo, hi, step);
    hi = build_binary(&f->b, step > 0 ? OP_MAX : OP_MIN, hi, lo); /* so that the difference does not wrap */
    return near ? near_extent(f, lo, hi, step) : far_extent(f, lo, hi, step);
}

Value *gen_extent(Fn *f, const Gen *g) {
    if (g->extent && (g->over || !g->hi || step_of(g) == 1 || !fn_size_is_unbound(f, g->extent)))
        return fn_size_value(f, g->extent);
    return range_count(f, g->lo ? lower_scalar(f, g->lo) : NULL, lower_scalar(f, g->hi), step_of(g));
}

static void element_bind(Fn *f, const Gen *g, Value *k) {
    if (!k->name) k->name = intern_printf(f->session, "%s.at", g->name);
    Var *v = g->var;
    if (v->type->kind != FT_ARRAY) {
        var_define(f, v, lower_elem(f, g->over, &k));
        return;
    }
    Row *row = NEW(f->arena, Row);
    *row = (Row){g->over, k, f->island};
    map_put(f->arena, &f->rows, v, row);
    if (!f->island) var_define(f, v, row_select(f, lower_expr(f, g->over), k, v->type));
}

void gen_bind(Fn *f, const Gen *g, Value *start, Value *k) {
    if (g->over) {
        element_bind(f, g, k);
        return;
    }
    int64_t step = step_of(g), lo;
    Value *i = step == 1 ? k : build_binary(&f->b, OP_MUL, k, build_int(&f->b, step));
    if (start && !(g->lo && g->lo->is_const && (lo = g->lo->lit.i) == 0)) i = build_binary(&f->b, OP_ADD, start, i);
    var_define(f, g->var, vals_one(f, i));
}

/* Builds the regions' arguments: one index per axis */
static void add_indices(Fn *f, Region *r, int n) {
    for (int i = 0; i < n; i++) region_add_arg(r, type_scalar(f->session, DT_I64), NULL);
}

static Vals op_results(Fn *f, Op *op) {
    Vals r = vals_new(f, op->nres);
    for (int i = 0; i < op->nres; i++) r.v[i] = &op->res[i];
    return r;
}

/* ---- comprehensions */

static Value **gen_starts(Fn *f, const GenVec *gens) {
    Value **start = NEWN(f->arena, Value *, gens->len + 1);
    for (int i = 0; i < gens->len; i++) start[i] = gen_start(f, &gens->data[i]);
    return start;
}

static void bind_gens(Fn *f, const GenVec *gens, Value *const *start, Value *const *k) {
    for (int i = 0; i < gens->len; i++) gen_bind(f, &gens->data[i], start[i], k[i]);
}

static Vals generate(Fn *f, const Expr *e) {
    Value **start = gen_starts(f, &e->gens);
    const Type **types = leaf_types(f, e->type);
    fn_check_array(f, e->type);
    Op *op = build_op(&f->b, OP_GENERATE, 0, NULL, leaf_count(e->type), types, 1);
    Region *r = op->regs[0];
    add_indices(f, r, types[0]->rank);
    Mark outside = region_enter(f, r);
    bind_gens(f, &e->gens, start, r->args);
    Vals v;
    if (e->a->type->kind == FT_ARRAY) {
        elem_prepare(f, e->a);
        v = lower_elem(f, e->a, r->args + e->gens.len);
    } else v = lower_expr(f, e->a);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
    return op_results(f, op);
}

/* x with the array v at the first indices k */
static Value *update_row(Fn *f, Value *x, Value *v, int n, Value *const *k) {
    static const int64_t ones[MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    Value *opnds[MAX_RANK + 2];
    const Size *dims[MAX_RANK];
    int rank = x->type->rank;
    for (int i = 0; i < rank; i++) dims[i] = i < n ? size_const(f->session, 1) : x->type->dims[i];
    const Type *t = type_tensor(f->session, x->type->dtype, rank, dims);
    opnds[0] = x, opnds[1] = build_reshaped(&f->b, v, t);
    for (int i = 0; i < rank; i++) opnds[2 + i] = i < n ? k[i] : build_int(&f->b, 0);
    Op *op = build_op(&f->b, OP_UPDATE, rank + 2, opnds, 1, &x->type, 0);
    op_set_ints(op, A_STEPS, rank, ones);
    op_set_flag(op, A_SAFE);
    return &op->res[0];
}

/* Elements that are arrays to be computed whole: loops that put one after the other */
static Vals comprehension_loops(Fn *f, const Expr *e) {
    int n = e->gens.len;
    Value **start = gen_starts(f, &e->gens), *extents[MAX_RANK];
    const Type **types = leaf_types(f, e->type);
    fn_check_array(f, e->type);
    Vals now = vals_new(f, leaf_count(e->type));
    Nest nest;
    for (int i = 0; i < now.n; i++) now.v[i] = zero_of(f, types[i]);
    for (int i = 0; i < n; i++) extents[i] = build_size(&f->b, types[0]->dims[i]);
    nest_open(f, &nest, n, extents, &now);
    bind_gens(f, &e->gens, start, nest.idx);
    Vals v = vals_copy(f, lower_expr(f, e->a));
    for (int i = 0; i < now.n; i++) v.v[i] = update_row(f, now.v[i], v.v[i], n, nest.idx);
    nest_close(f, &nest, &v);
    return v;
}

Vals lower_comprehension(Fn *f, const Expr *e) {
    bool whole = e->a->type->kind == FT_ARRAY && !elem_is_cheap(e->a);
    return whole ? comprehension_loops(f, e) : generate(f, e);
}

/* ---- what a reduction reduces */

/* `sum(x)`, `sum(x, axis)`, `sum(expr for k ..)`, reduce(f, init, ..) */
typedef struct Reduction {
    const Expr *call, *source;  /* source: the array or generator */
    Combine kind;
    const Inst *inst;           /* custom */
    int ncaptured;
    Value **captured;           /* values the operator captured, passed after its two arguments */
    Vals init;                  /* custom: neutral elements */
    const FType *elem;
} Reduction;

static Combine kind_of(int builtin) {
    switch (builtin) {
    case BI_sum: return COMBINE_ADD;
    case BI_prod: return COMBINE_MUL;
    case BI_min: return COMBINE_MIN;
    case BI_max: return COMBINE_MAX;
    case BI_any: return COMBINE_OR;
    case BI_all: return COMBINE_AND;
    default: return COMBINE_CUSTOM;
    }
}

static Value **captured_values(Fn *f, const Expr *call, int from, int *n) {
    Value **out = NEWN(f->arena, Value *, 1);
    *n = 0;
    for (int i = from; i < call->args.len; i++) {
        Vals v = lower_expr(f, call->args.data[i]);
        Value **more = NEWN(f->arena, Value *, *n + v.n + 1);
        memcpy(more, out, sizeof *out * (size_t)*n);
        memcpy(more + *n, v.v, sizeof *out * (size_t)v.n);
        out = more;
        *n += v.n;
    }
    return out;
}

/* Position of the array or generator; the function argument of reduce and scan is Expr.inst. */
static int source_at(const Expr *call) { return call->builtin == BI_reduce ? 1 : 0; }

static Reduction reduction_of(Fn *f, const Expr *call) {
    Reduction r = {.call = call, .kind = kind_of(call->builtin), .inst = call->inst};
    int at = source_at(call);
    r.source = call->args.data[at];
    r.elem = r.source->kind == EX_GEN ? r.source->type : array_elem(r.source->type);
    if (call->builtin == BI_reduce) r.init = lower_expr(f, call->args.data[0]);
    if (r.inst) r.captured = captured_values(f, call, at + 1, &r.ncaptured);
    return r;
}

/* x op y */
static Vals combine(Fn *f, const Reduction *r, Value *const *x, Value *const *y) {
    if (!r->inst) return vals_one(f, build_binary(&f->b, combine_info(r->kind)->op, x[0], y[0]));
    int n = leaf_count(r->elem);
    Value **args = NEWN(f->arena, Value *, 2 * n + r->ncaptured + 1);
    memcpy(args, x, sizeof *args * (size_t)n);
    memcpy(args + n, y, sizeof *args * (size_t)n);
    memcpy(args + 2 * n, r->captured, sizeof *args * (size_t)r->ncaptured);
    return call_inst(f, r->inst, 2 * n + r->ncaptured, args, r->elem);
}

/* Second region of a custom reduce or scan; its end has the place of the operator, which passes tell of */
static void combine_region(Fn *f, const Reduction *r, Region *region) {
    const Type **types = leaf_types(f, r->elem);
    int n = leaf_count(r->elem);
    for (int i = 0; i < 2 * n; i++) region_add_arg(region, types[i % n], NULL);
    Mark outside = region_enter(f, region);
    Vals v = combine(f, r, region->args, region->args + n);
    f->b.span = fn_place(f, r->call->operator);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
}

/* ---- over all axes */

typedef Vals ReduceBody(Fn *f, const Reduction *r, Value *const *idx, void *ctx);

static Vals build_reduce(Fn *f, const Reduction *r, int n, Value *const *extents, ReduceBody *body, void *ctx) {
    int nres = leaf_count(r->elem);
    bool custom = r->inst != NULL;
    Value **opnds = NEWN(f->arena, Value *, n + nres + 1);
    memcpy(opnds, extents, sizeof *opnds * (size_t)n);
    if (custom) memcpy(opnds + n, r->init.v, sizeof *opnds * (size_t)nres);
    Op *op = build_op(&f->b, OP_REDUCE, n + (custom ? nres : 0), opnds, nres, leaf_types(f, r->elem), custom ? 2 : 1);
    op_set_combine(op, r->kind);
    add_indices(f, op->regs[0], n);
    Mark outside = region_enter(f, op->regs[0]);
    Vals v = body(f, r, op->regs[0]->args, ctx);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
    if (custom) combine_region(f, r, op->regs[1]);
    return op_results(f, op);
}

/* A later range that depends on an earlier variable: reductions inside each other, the same tree */
static bool depends_on_earlier(const GenVec *gens, int i) {
    const Gen *g = &gens->data[i];
    for (int k = 0; k < i; k++) {
        const Var *v = gens->data[k].var;
        if (expr_mentions(g->lo, v) || expr_mentions(g->hi, v) || expr_mentions(g->over, v)) return true;
    }
    return false;
}

/* Where the generators end that go together with the one at from */
static int gens_end(const GenVec *gens, int from) {
    int n = from + 1;
    while (n < gens->len && !depends_on_earlier(gens, n)) n++;
    return n;
}

typedef struct { int from, to; Value **start; } GenRange;
static Vals reduce_gens(Fn *f, const Reduction *r, int from);

static Vals gens_body(Fn *f, const Reduction *r, Value *const *idx, void *ctx) {
    const GenRange *g = ctx;
    const GenVec *gens = &r->source->gens;
    for (int i = g->from; i < g->to; i++) gen_bind(f, &gens->data[i], g->start[i], idx[i - g->from]);
    return g->to < gens->len ? reduce_gens(f, r, g->to) : lower_expr(f, r->source->a);
}

static Vals reduce_gens(Fn *f, const Reduction *r, int from) {
    const GenVec *gens = &r->source->gens;
    GenRange g = {from, gens_end(gens, from), NEWN(f->arena, Value *, gens->len)};
    Value *extents[MAX_RANK];
    if (g.to - from > MAX_RANK) return unsupported(f, r->call, "a reduction over so many variables");
    for (int i = from; i < g.to; i++) {
        g.start[i] = gen_start(f, &gens->data[i]);
        extents[i - from] = gen_extent(f, &gens->data[i]);
    }
    return build_reduce(f, r, g.to - from, extents, gens_body, &g);
}

static Vals array_body(Fn *f, const Reduction *r, Value *const *idx, void *ctx) {
    return f->island ? lower_elem(f, r->source, idx) : read_element(f, *(Vals *)ctx, r->source->type->rank, idx);
}

static Vals reduce_array(Fn *f, const Reduction *r) {
    Value *extents[MAX_RANK];
    Vals x = {0};
    if (f->island) elem_prepare(f, r->source);
    else x = lower_expr(f, r->source);
    for (int i = 0; i < r->source->type->rank; i++) extents[i] = fn_size_value(f, r->source->type->dims[i]);
    return build_reduce(f, r, r->source->type->rank, extents, array_body, &x);
}

/* ---- inside islands: x @ y of two vectors is the sum of the products, in the same tree */

typedef struct { const Expr *x, *y; } Product;

static Vals product_body(Fn *f, const Reduction *r, Value *const *idx, void *ctx) {
    const Product *p = ctx;
    (void)r;
    Value *x = lower_elem(f, p->x, idx).v[0];
    return vals_one(f, build_binary(&f->b, OP_MUL, x, lower_elem(f, p->y, idx).v[0]));
}

Value *lower_dot_in_island(Fn *f, const Expr *e, const Expr *x, const Expr *y) {
    Reduction r = {.call = e, .kind = COMBINE_ADD, .elem = e->type};
    Product p = {x, y};
    elem_prepare(f, x);
    elem_prepare(f, y);
    Value *extent = fn_size_value(f, x->type->dims[0]);
    return build_reduce(f, &r, 1, &extent, product_body, &p).v[0];
}

/* Of matrices and stacks of them an element is such a sum: idx has the stack's indices, then the row and the column */
typedef struct { const Expr *e, *x, *y; const Dest *p; Value *const *idx; } Element;

static void matrix_index(const FType *t, const Element *el, bool left, Value *k, Value **at) {
    int rank = el->e->type->rank, has_row = el->x->type->rank > 1, has_column = el->y->type->rank > 1;
    int stack = rank - has_row - has_column, own = t->rank > 2 ? t->rank - 2 : 0, n = 0;
    for (int i = 0; i < own; i++) at[n++] = el->idx[stack - own + i];
    if (left && has_row) at[n++] = el->idx[stack];
    at[n++] = k;
    if (!left && has_column) at[n++] = el->idx[rank - 1];
}

static Vals element_body(Fn *f, const Reduction *r, Value *const *k, void *ctx) {
    const Element *el = ctx;
    Value *at[MAX_RANK];
    (void)r;
    matrix_index(el->x->type, el, true, k[0], at);
    Value *x = lower_elem(f, el->x, at).v[0];
    matrix_index(el->y->type, el, false, k[0], at);
    return vals_one(f, build_binary(&f->b, OP_MUL, x, lower_elem(f, el->y, at).v[0]));
}

static void element_loop(Fn *f, Value *const *idx, void *ctx) {
    Element *el = ctx;
    Reduction r = {.call = el->e, .kind = COMBINE_ADD, .elem = el->e->type->elem};
    Value *extent = fn_size_value(f, el->x->type->dims[el->x->type->rank - 1]);
    Dest part = dest_at(el->p, el->e->type->rank, idx);
    el->idx = idx;
    dest_store(f, &part, build_reduce(f, &r, 1, &extent, element_body, el));
}

/* Elements are read several times: what is more than a name or a part of one is computed before. */
static void prepare_factor(Fn *f, const Expr *e) {
    bool part = e->kind == EX_NAME || (e->kind == EX_INDEX && e->a->kind == EX_NAME);
    if (part || map_has(&f->prepared, e) || !has_known_sizes(f, e->type)) elem_prepare(f, e);
    else elem_keep(f, e, materialize(f, e));
}

void product_into(Fn *f, const Expr *e, const Expr *x, const Expr *y, const Dest *p) {
    Value *extents[MAX_RANK];
    Element el = {e, x, y, p, NULL};
    prepare_factor(f, x);
    prepare_factor(f, y);
    for (int i = 0; i < e->type->rank; i++) extents[i] = fn_size_value(f, e->type->dims[i]);
    build_loops(f, e->type->rank, extents, element_loop, &el);
}

/* ---- along an axis: a comprehension over the others */

typedef struct { Vals x; int axis; Value *const *outer; const Dest *p; } AxisRead; /* p: in islands */

static Vals axis_body(Fn *f, const Reduction *r, Value *const *idx, void *ctx) {
    const AxisRead *a = ctx;
    Value *at[MAX_RANK];
    int rank = r->source->type->rank;
    for (int i = 0; i < rank; i++) at[i] = i == a->axis ? idx[0] : a->outer[i - (i > a->axis)];
    return a->p ? lower_elem(f, r->source, at) : read_element(f, a->x, rank, at);
}

static Vals reduce_axis(Fn *f, const Reduction *r, int axis) {
    const FType *t = r->source->type;
    AxisRead a = {.x = lower_expr(f, r->source), .axis = axis};
    Value *extent = fn_size_value(f, t->dims[axis]);
    if (t->rank == 1) return build_reduce(f, r, 1, &extent, axis_body, &a);
    Op *op = build_op(&f->b, OP_GENERATE, 0, NULL, leaf_count(r->elem), leaf_types(f, r->call->type), 1);
    add_indices(f, op->regs[0], t->rank - 1);
    Mark outside = region_enter(f, op->regs[0]);
    a.outer = op->regs[0]->args;
    Vals v = build_reduce(f, r, 1, &extent, axis_body, &a);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
    return op_results(f, op);
}

/* The constant axis of sum(x, axis), or -1 */
static int axis_of(const Expr *call) {
    if (call->builtin == BI_reduce || call->args.len < 2 || call->args.data[0]->kind == EX_GEN) return -1;
    int axis = (int)call->args.data[1]->lit.i;
    return axis < 0 ? axis + call->args.data[0]->type->rank : axis;
}

typedef struct { const Reduction *r; AxisRead read; } AxisFill;

static void axis_loop(Fn *f, Value *const *idx, void *ctx) {
    AxisFill *fill = ctx;
    const FType *t = fill->r->source->type;
    Value *extent = fn_size_value(f, t->dims[fill->read.axis]);
    Dest part = dest_at(fill->read.p, t->rank - 1, idx);
    fill->read.outer = idx;
    dest_store(f, &part, build_reduce(f, fill->r, 1, &extent, axis_body, &fill->read));
}

void reduce_axis_into(Fn *f, const Expr *e, const Dest *p) {
    Value *extents[MAX_RANK];
    Reduction r = reduction_of(f, e);
    AxisFill fill = {&r, {.axis = axis_of(e), .p = p}};
    elem_prepare(f, r.source);
    for (int i = 0; i < e->type->rank; i++) extents[i] = fn_size_value(f, e->type->dims[i]);
    build_loops(f, e->type->rank, extents, axis_loop, &fill);
}

Vals lower_reduction(Fn *f, const Expr *e) {
    Reduction r = reduction_of(f, e);
    int axis = axis_of(e);
    if (axis >= 0 && !f->island) return reduce_axis(f, &r, axis);
    return r.source->kind == EX_GEN ? reduce_gens(f, &r, 0) : reduce_array(f, &r);
}

static Reduction scan_of(Fn *f, const Expr *e) {
    Reduction r = reduction_of(f, e);
    if (!r.inst) r.kind = COMBINE_ADD;
    return r;
}

void scan_into(Fn *f, const Expr *e, const Dest *p) {
    Reduction r = scan_of(f, e);
    int64_t n = 0;
    if (r.source->kind == EX_GEN || !size_is_const(fn_size(f, e->type->dims[0]), &n) || n > SHORT_SCAN) {
        unsupported(f, e, "a scan of a range, or of more than 16 elements,");
        return;
    }
    Vals x = materialize(f, r.source), sum = {0};
    for (int64_t k = 0; k < n; k++) {
        Value *at = build_int(&f->b, k);
        Vals v = read_element(f, x, 1, &at);
        Dest part = dest_at(p, 1, &at);
        sum = k ? combine(f, &r, sum.v, v.v) : v;
        dest_store(f, &part, sum);
    }
}

Vals lower_scan(Fn *f, const Expr *e) {
    Reduction r = scan_of(f, e);
    bool gen = r.source->kind == EX_GEN;
    Vals x = gen ? vals_new(f, leaf_count(r.elem)) : lower_expr(f, r.source);
    Value **start = gen_starts(f, &r.source->gens);
    Op *op = build_op(&f->b, OP_SCAN, 0, NULL, x.n, leaf_types(f, e->type), r.inst ? 2 : 1);
    op_set_combine(op, r.kind);
    add_indices(f, op->regs[0], 1);
    Mark outside = region_enter(f, op->regs[0]);
    bind_gens(f, &r.source->gens, start, op->regs[0]->args);
    Vals v = gen ? lower_expr(f, r.source->a) : read_element(f, x, 1, op->regs[0]->args);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
    if (r.inst) combine_region(f, &r, op->regs[1]);
    return op_results(f, op);
}
