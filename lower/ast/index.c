/* Subscripts, and assignment to variables, fields and elements.
 *
 * At function level an assignment makes a new value of the whole variable: x[i] = v inserts, x[a:b] = y
 * updates, and a field replaces its leaves.  Inside islands it stores. */
#include "lower/ast/private.h"

#include <string.h>

/* ---- subscripts */

static void visit_bind(void *ctx, const Expr *e) {
    if (e->bind) *(bool *)ctx = true;
}
bool expr_has_bind(const Expr *e) {
    bool found = false;
    expr_each(e, visit_bind, &found);
    return found;
}

/* z: the bound e as a size */
static Value *slice_bound(Fn *f, const Expr *e, bool from_end, const Size *z) {
    Value *v = e && !e->is_const && (!from_end || expr_has_bind(e)) ? lower_scalar(f, e) : NULL;
    return v && !from_end ? v : fn_size_value(f, z);
}

/* v is computed from sizes alone */
static bool is_of_sizes(const Value *v) {
    const Op *op = v->def;
    if (!op || (op->code != OP_CONST && op->code != OP_SIZE && op->code != OP_ADD && op->code != OP_SUB)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_of_sizes(op_opnd(op, i))) return false;
    return true;
}

/* Whether the slice has an extent that is not negative.  Bounds are compared as they are, which proofs follow better;
 * of sizes the extent is, which is the same for many slices. */
static Value *slice_goes_on(Fn *f, const Sub *s, Value *lo, Value *hi) {
    int64_t rest = s->step_value > 0 ? s->step_value - 1 : s->step_value + 1;
    bool far = fn_size_may_overflow(f, s->extent);
    if (far && !f->island)
        return build_binary(&f->b, OP_GE, build_size(&f->b, fn_size(f, s->extent)), build_int(&f->b, 0));
    if (!rest && is_of_sizes(lo) && is_of_sizes(hi))
        return build_binary(&f->b, OP_GE, fn_size_value(f, s->extent), build_int(&f->b, 0));
    if (rest) hi = build_binary(&f->b, OP_ADD, hi, build_int(&f->b, rest));
    return build_binary(&f->b, s->step_value > 0 ? OP_LE : OP_GE, lo, hi);
}

/* What becomes of a slice may never need its size: one below 0 stops the program here. */
static void check_slice(Fn *f, const Sub *s, int axis, Value *lo, Value *hi) {
    Value *opnds[] = {slice_goes_on(f, s, lo, hi), lo, hi};
    Span outside = f->b.span;
    f->b.span = fn_place(f, s->span);
    Op *op = build_op(&f->b, OP_CHECK, 3, opnds, 0, NULL, 0);
    f->b.span = outside;
    op_set_sym(op, A_CODE, "E0607");
    op_set_sym(op, A_MSG,
               !s->hi && s->step_value > 0
                   ? intern_printf(f->session, "the slice begins at {}, but axis %d has size {}", axis)
                   : "the slice ends before it starts: from {} to {}");
}

static Axis slice_axis(Fn *f, const Sub *s, int axis, const Size *dim) {
    Axis a = {.kind = AXIS_SLICE, .step = s->step_value};
    int64_t c;
    a.v = slice_bound(f, s->lo, s->from_end, s->start);
    Value *hi = s->hi && expr_has_bind(s->hi) ? slice_bound(f, s->hi, s->to_end, s->end) : NULL;
    if (!fn_size_is_natural(f, s->extent))
        check_slice(f, s, axis, a.v, hi ? hi : slice_bound(f, s->hi, s->to_end, s->end));
    a.extent = fn_size(f, s->extent);
    a.whole = a.step == 1 && a.extent == fn_size(f, dim) && size_is_const(fn_size(f, s->start), &c) && c == 0;
    return a;
}

static Axis sub_axis(Fn *f, const Expr *e, int at) {
    const Sub *s = &e->subs.data[at];
    if (s->kind == SUB_SLICE) return slice_axis(f, s, at, e->a->type->dims[at]);
    if (s->index->type->kind != FT_ARRAY) return (Axis){.kind = AXIS_INDEX, .v = lower_scalar(f, s->index)};
    Axis a = {.kind = AXIS_GATHER, .v = lower_scalar(f, s->index)};
    a.extent = fn_size(f, s->index->type->dims[0]);
    return a;
}

static bool only_whole_slices(const Axes *a) {
    for (int i = 0; i < a->n; i++)
        if (a->axis[i].kind == AXIS_GATHER || (a->axis[i].kind == AXIS_SLICE && !a->axis[i].whole)) return false;
    return true;
}

/* An island around which the row was made has it as a buffer. */
const Row *row_named(Fn *f, const Expr *e) {
    const Row *row = e->kind == EX_NAME && e->var ? map_get(&f->rows, e->var) : NULL;
    return row && row->island == f->island ? row : NULL;
}

/* A row of a row, too, is elements of the array itself. */
Axes row_axes(Fn *f, const Row *row) {
    const Row *outer = map_has(&f->prepared, row->over) ? NULL : row_named(f, row->over);
    Axes a = outer ? row_axes(f, outer) : (Axes){.base = row->over, .n = row->over->type->rank};
    int i = 0;
    for (int k = 0; !outer && k < a.n; k++)
        a.axis[k] = (Axis){.kind = AXIS_SLICE, .step = 1, .whole = true, .extent = fn_size(f, a.base->type->dims[k])};
    while (a.axis[i].kind == AXIS_INDEX) i++;
    a.axis[i] = (Axis){.kind = AXIS_INDEX, .v = row->at};
    return a;
}

/* x[i][j] is x[i, j]: the subscripts of e take the axes that its base leaves whole */
Axes axes_eval(Fn *f, const Expr *e) {
    Axes a = {.base = e->a};
    int at = 0;
    const Row *row = row_named(f, e->a);
    if (row) a = row_axes(f, row);
    else if (e->a->kind == EX_INDEX && e->a->type->kind == FT_ARRAY && !map_has(&f->prepared, e->a)) {
        Axes inner = axes_eval(f, e->a);
        if (only_whole_slices(&inner)) a = inner;
    }
    if (!a.n) a.n = e->subs.len;
    for (int i = 0; i < a.n; i++) {
        if (a.axis[i].v && a.axis[i].kind == AXIS_INDEX) continue;
        if (at < e->subs.len) a.axis[i] = sub_axis(f, e, at);
        at++;
    }
    return a;
}

static Value *slice_coord(Fn *f, const Axis *a, Value *i) {
    if (a->whole) return i;
    Value *far = a->step == 1 ? i : build_binary(&f->b, OP_MUL, i, build_int(&f->b, a->step));
    return build_binary(&f->b, OP_ADD, a->v, far);
}

void axes_map(Fn *f, const Axes *a, Value *const *idx, Value **out) {
    Value *k = NULL; /* the index into all vectors of indices */
    for (int i = 0; i < a->n; i++) {
        const Axis *x = &a->axis[i];
        if (x->kind == AXIS_INDEX) out[i] = x->v;
        else if (x->kind == AXIS_SLICE) out[i] = slice_coord(f, x, *idx++);
        else {
            if (!k) k = *idx++;
            out[i] = read_element(f, vals_one(f, x->v), 1, &k).v[0];
        }
    }
}

static bool has_gather(const Axes *a) {
    for (int i = 0; i < a->n; i++)
        if (a->axis[i].kind == AXIS_GATHER) return true;
    return false;
}

static int result_rank(const Axes *a) {
    int n = has_gather(a);
    for (int i = 0; i < a->n; i++) n += a->axis[i].kind == AXIS_SLICE;
    return n;
}

static bool all_whole(const Axes *a) { return result_rank(a) == a->n && only_whole_slices(a); }

/* ---- reading */

Vals read_element(Fn *f, Vals arrays, int n, Value *const *idx) {
    Vals r = vals_new(f, arrays.n);
    for (int i = 0; i < arrays.n; i++)
        r.v[i] = is_buffer(arrays.v[i]) ? build_load(&f->b, arrays.v[i], n, idx)
                                        : build_extract(&f->b, arrays.v[i], n, idx);
    return r;
}

/* The type of the slice of x by a, with extents 1 where a has an index */
static const Type *slice_type(Fn *f, const Axes *a, const Value *x) {
    const Size *dims[MAX_RANK];
    for (int i = 0; i < x->type->rank; i++)
        dims[i] = i >= a->n                       ? x->type->dims[i]
                  : a->axis[i].kind == AXIS_INDEX ? size_const(f->session, 1)
                                                  : a->axis[i].extent;
    return type_tensor(f->session, x->type->dtype, x->type->rank, dims);
}

/* Operands from `at` on: first indices per axis; attribute: steps */
static int slice_starts(Fn *f, const Axes *a, int rank, Value **opnds, int at, int64_t *steps) {
    for (int i = 0; i < rank; i++) {
        bool whole = i >= a->n || a->axis[i].whole;
        opnds[at++] = whole ? build_int(&f->b, 0) : a->axis[i].v;
        steps[i] = whole || a->axis[i].kind == AXIS_INDEX ? 1 : a->axis[i].step;
    }
    return at;
}

static Value *slice_value(Fn *f, const Axes *a, Value *x, const Type *result) {
    Value *opnds[MAX_RANK + 1] = {x};
    int64_t steps[MAX_RANK];
    int rank = x->type->rank;
    const Type *t = slice_type(f, a, x);
    int n = slice_starts(f, a, rank, opnds, 1, steps);
    Op *op = build_op(&f->b, OP_SLICE, n, opnds, 1, &t, 0);
    op_set_ints(op, A_STEPS, rank, steps);
    return build_reshaped(&f->b, &op->res[0], result);
}

/* x[.., idx, ..] with an index array: a comprehension over the result */
static Vals gather_values(Fn *f, const Axes *a, Vals x, const Type *const *types) {
    Op *op = build_op(&f->b, OP_GENERATE, 0, NULL, x.n, types, 1);
    for (int i = 0; i < types[0]->rank; i++) region_add_arg(op->regs[0], type_scalar(f->session, DT_I64), NULL);
    Mark outside = region_enter(f, op->regs[0]);
    Value *coords[MAX_RANK];
    axes_map(f, a, op->regs[0]->args, coords);
    Vals v = read_element(f, x, a->n, coords);
    build_yield(&f->b, v.n, v.v);
    region_leave(f, outside);
    Vals r = vals_new(f, x.n);
    for (int i = 0; i < x.n; i++) r.v[i] = &op->res[i];
    return r;
}

static Vals select_values(Fn *f, const Axes *a, Vals x, const FType *t) {
    const Type **types = leaf_types(f, t);
    if (!result_rank(a) && x.n && x.v[0]->type->rank == a->n) {
        Value *coords[MAX_RANK];
        axes_map(f, a, NULL, coords);
        return read_element(f, x, a->n, coords);
    }
    if (has_gather(a)) return gather_values(f, a, x, types);
    if (all_whole(a)) return x;
    Vals r = vals_new(f, x.n);
    for (int i = 0; i < x.n; i++) r.v[i] = slice_value(f, a, x.v[i], types[i]);
    return r;
}

Vals row_select(Fn *f, Vals arrays, Value *at, const FType *t) {
    Axes a = {.n = 1, .axis = {{.kind = AXIS_INDEX, .v = at}}};
    return select_values(f, &a, arrays, t);
}

static Vals tuple_part(const Expr *e, Vals v) {
    return vals_part(v, leaf_offset(e->a->type, (int)e->subs.data[0].index->lit.i), leaf_count(e->type));
}

/* Inside islands: an element of an array expression that is no buffer */
static Vals index_expression(Fn *f, const Axes *a) {
    Value *coords[MAX_RANK];
    elem_prepare(f, a->base);
    axes_map(f, a, NULL, coords);
    for (int i = 0; i < a->n; i++) {
        Value *extent = fn_size_value(f, a->base->type->dims[i]), *args[3];
        Value *from = build_binary(&f->b, OP_GE, coords[i], build_int(&f->b, 0));
        args[0] = build_binary(&f->b, OP_AND, from, build_binary(&f->b, OP_LT, coords[i], extent));
        args[1] = coords[i], args[2] = extent;
        Op *op = build_op(&f->b, OP_CHECK, 3, args, 0, NULL, 0);
        op_set_sym(op, A_CODE, "E0601");
        op_set_sym(op, A_MSG, "index {} is out of range for size {}");
    }
    return lower_elem(f, a->base, coords);
}

static Vals index_value(Fn *f, const Expr *e) {
    Axes a = axes_eval(f, e);
    if (f->island && a.base->kind != EX_NAME && a.base->kind != EX_FIELD) return index_expression(f, &a);
    return select_values(f, &a, lower_expr(f, a.base), e->type);
}

const Expr *index_root(const Expr *e) {
    for (e = e->a; e->kind == EX_INDEX && e->a->type->kind == FT_ARRAY; e = e->a) continue;
    return e;
}

/* What is subscripted comes first where its sizes come with it, as with what a call gives: subscripts may count from
 * them. */
Vals lower_index(Fn *f, const Expr *e) {
    if (e->a->type->kind != FT_ARRAY) return tuple_part(e, lower_expr(f, e->a));
    const Expr *root = index_root(e), *outer = f->root;
    if (f->island || root == outer || sizes_are_bound(f, root->type)) return index_value(f, e);
    Vals outside = f->root_value, v = lower_expr(f, root);
    f->root = root, f->root_value = v;
    v = index_value(f, e);
    f->root = outer, f->root_value = outside;
    return v;
}

/* ---- places: what can be assigned */

typedef struct Target Target;
struct Target {
    const Expr *e;
    Target *base; /* NULL: a variable */
    Axes axes;
};

static Target *target_open(Fn *f, const Expr *e) {
    Target *p = NEW(f->arena, Target);
    p->e = e;
    if (e->kind == EX_NAME) return p;
    const Expr *base = e->a;
    if (e->kind == EX_INDEX && e->a->type->kind == FT_ARRAY) {
        p->axes = axes_eval(f, e);
        base = p->axes.base;
    }
    p->base = target_open(f, base);
    return p;
}

static Vals target_read(Fn *f, const Target *p) {
    if (!p->base) return lower_expr(f, p->e);
    Vals base = target_read(f, p->base);
    switch (p->e->kind) {
    case EX_FIELD: return vals_part(base, leaf_offset(p->e->a->type, p->e->field), leaf_count(p->e->type));
    case EX_CONVERT: return lower_convert(f, p->e, base);
    default:
        return p->axes.n ? select_values(f, &p->axes, base, p->e->type) : tuple_part(p->e, base);
    }
}

static Value *insert_value(Fn *f, const Axes *a, Value *x, Value *v) {
    Value *opnds[MAX_RANK + 2] = {x, v};
    int64_t steps[MAX_RANK];
    int rank = x->type->rank;
    bool element = v->type->kind == TY_SCALAR;
    if (all_whole(a)) return v;
    if (!element) opnds[1] = build_reshaped(&f->b, v, slice_type(f, a, x));
    int n = slice_starts(f, a, rank, opnds, 2, steps);
    Op *op = build_op(&f->b, element ? OP_INSERT : OP_UPDATE, n, opnds, 1, &x->type, 0);
    if (!element) op_set_ints(op, A_STEPS, rank, steps);
    return &op->res[0];
}

static void store_element(Fn *f, const Axes *a, Value *buf, Value *v, Value *const *idx) {
    Value *coords[MAX_RANK];
    axes_map(f, a, idx, coords);
    build_store(&f->b, v, buf, a->n, coords);
}

/* x[.., idx, ..] = y with an index array: one element after the other */
static Value *scatter_value(Fn *f, const Axes *a, Value *x, Value *v) {
    Value *extents[MAX_RANK], *opnds[MAX_RANK + 2];
    int n = result_rank(a);
    Vals now = vals_one(f, x);
    Nest nest;
    for (int i = 0; i < n; i++) extents[i] = dim_value(f, v, i);
    nest_open(f, &nest, n, extents, &now);
    opnds[0] = now.v[0];
    opnds[1] = read_element(f, vals_one(f, v), n, nest.idx).v[0];
    axes_map(f, a, nest.idx, opnds + 2);
    now = vals_one(f, &build_op(&f->b, OP_INSERT, a->n + 2, opnds, 1, &x->type, 0)->res[0]);
    nest_close(f, &nest, &now);
    return now.v[0];
}

static void target_write(Fn *f, const Target *p, Vals vals);

static void write_part(Fn *f, const Target *p, int at, Vals vals) {
    Vals all = vals_copy(f, target_read(f, p->base));
    memcpy(all.v + at, vals.v, sizeof *vals.v * (size_t)vals.n);
    target_write(f, p->base, all);
}

static void write_elements(Fn *f, const Target *p, Vals vals) {
    Vals all = vals_copy(f, target_read(f, p->base));
    bool stored = true;
    for (int i = 0; i < all.n; i++) {
        if (is_buffer(all.v[i])) store_element(f, &p->axes, all.v[i], vals.v[i], NULL);
        else {
            stored = false;
            all.v[i] = has_gather(&p->axes) ? scatter_value(f, &p->axes, all.v[i], vals.v[i])
                                            : insert_value(f, &p->axes, all.v[i], vals.v[i]);
        }
    }
    if (!stored) target_write(f, p->base, all);
}

static void target_write(Fn *f, const Target *p, Vals vals) {
    switch (p->e->kind) {
    case EX_NAME:
        vals_hint(f, vals, p->e->var->type, p->e->var->name);
        env_set(f, p->e->var, vals);
        break;
    case EX_FIELD: write_part(f, p, leaf_offset(p->e->a->type, p->e->field), vals); break;
    case EX_CONVERT: {
        const Type **types = leaf_types(f, p->e->a->type);
        Vals back = vals_new(f, vals.n);
        for (int i = 0; i < vals.n; i++) back.v[i] = lower_retype(f, vals.v[i], types[i], true);
        target_write(f, p->base, back);
        break;
    }
    default:
        if (p->axes.n) write_elements(f, p, vals);
        else write_part(f, p, leaf_offset(p->e->a->type, (int)p->e->subs.data[0].index->lit.i), vals);
    }
}

typedef VEC(Target *) TargetVec;

/* Slices are found before the value, which has their sizes (x[:k] = v); the rest, for which open has NULL, afterwards
 * and in order. */
static void open_slices(Fn *f, const Expr *target, TargetVec *open) {
    if (target->kind == EX_TUPLE) {
        for (int i = 0; i < target->args.len; i++) open_slices(f, target->args.data[i], open);
        return;
    }
    vec_push(f->arena, open, target->type->kind == FT_ARRAY ? target_open(f, target) : NULL);
}

void assign_value(Fn *f, const Expr *target, Vals vals) { target_write(f, target_open(f, target), vals); }

/* ---- the statement */

/* x op v; 16-bit floats compute in f32 */
static Value *apply(Fn *f, Opr op, Value *x, Value *v, const Expr *b) {
    DType t = x->type->dtype;
    if (t == DT_F16 || t == DT_BF16) {
        Value *wide = apply(f, op, build_cast(&f->b, x, DT_F32), build_cast(&f->b, v, DT_F32), b);
        return build_cast(&f->b, wide, t);
    }
    Value *p = lower_power(f, op, x, b);
    return p ? p : lower_operator(f, op, x, v);
}

static Vals apply_all(Fn *f, Opr op, Vals x, Vals v, const Expr *b) {
    Vals r = vals_new(f, v.n);
    for (int i = 0; i < v.n; i++) r.v[i] = apply(f, op, x.v[i], v.v[i], b);
    return r;
}

/* open: what open_slices found, from here on; returns what is behind the last target */
static Target **assign_parts(Fn *f, const Expr *target, Vals vals, Target **open) {
    if (target->kind != EX_TUPLE) {
        target_write(f, *open ? *open : target_open(f, target), vals);
        return open + 1;
    }
    int at = 0;
    for (int i = 0; i < target->args.len; i++) {
        const Expr *part = target->args.data[i];
        int n = leaf_count(part->type);
        open = assign_parts(f, part, vals_part(vals, at, n), open);
        at += n;
    }
    return open;
}

/* Inside islands: arrays are assigned element by element */
typedef struct { const Stmt *s; Vals arrays; const Axes *axes; } StoreLoop;

static void store_loop(Fn *f, Value *const *idx, void *ctx) {
    StoreLoop *l = ctx;
    Value *coords[MAX_RANK];
    Vals v = lower_elem(f, l->s->a, idx);
    int n = l->axes ? l->axes->n : l->s->target->type->rank;
    if (l->axes) axes_map(f, l->axes, idx, coords);
    else memcpy(coords, idx, sizeof *coords * (size_t)n);
    if (l->s->op != OPR_NONE) v = apply_all(f, l->s->op, read_element(f, l->arrays, n, coords), v, l->s->a);
    for (int i = 0; i < v.n; i++) build_store(&f->b, v.v[i], l->arrays.v[i], n, coords);
}

static void assign_array(Fn *f, const Stmt *s) {
    const Var *root = target_root(s->target);
    Target *p = target_open(f, s->target);
    if (root && expr_mentions(s->a, root)) elem_keep(f, s->a, materialize(f, s->a));
    else elem_prepare(f, s->a);
    StoreLoop l = {s, p->axes.n ? target_read(f, p->base) : target_read(f, p), p->axes.n ? &p->axes : NULL};
    Value *extents[MAX_RANK];
    for (int i = 0; i < s->target->type->rank; i++) extents[i] = fn_size_value(f, s->target->type->dims[i]);
    build_loops(f, s->target->type->rank, extents, store_loop, &l);
}

/* Inside islands, of structs and tuples with arrays: v, arrays of their own, and values */
typedef struct { const Axes *axes; Vals from, to; } PartLoop;

static void part_loop(Fn *f, Value *const *idx, void *ctx) {
    const PartLoop *l = ctx;
    Value *coords[MAX_RANK];
    Vals v = read_element(f, l->from, l->from.v[0]->type->rank, idx);
    axes_map(f, l->axes, idx, coords);
    for (int i = 0; i < v.n; i++) build_store(&f->b, v.v[i], l->to.v[i], l->axes->n, coords);
}

static void assign_part(Fn *f, const Target *p, Vals v) {
    Value *extents[MAX_RANK];
    PartLoop l = {&p->axes, v, target_read(f, p->base)};
    for (int i = 0; i < p->e->type->rank; i++) extents[i] = fn_size_value(f, p->e->type->dims[i]);
    build_loops(f, p->e->type->rank, extents, part_loop, &l);
}

static void assign_settled(Fn *f, const Expr *target, Vals v) {
    if (target->kind == EX_TUPLE) {
        for (int i = 0, at = 0; i < target->args.len; at += leaf_count(target->args.data[i]->type), i++)
            assign_settled(f, target->args.data[i], vals_part(v, at, leaf_count(target->args.data[i]->type)));
        return;
    }
    Target *p = target_open(f, target);
    if (target->type->kind == FT_ARRAY && p->axes.n) assign_part(f, p, v);
    else if (!type_has_array(target->type)) target_write(f, p, v);
    else {
        Vals out = vals_copy(f, target_read(f, p));
        for (int i = 0; i < out.n; i++)
            if (!is_buffer(out.v[i])) out.v[i] = NULL;
        target_write(f, p, arrays_settle(f, v, out));
    }
}

static Combine atomic_kind(Opr op) {
    switch (op) {
    case OPR_MIN: return COMBINE_MIN;
    case OPR_MAX: return COMBINE_MAX;
    case OPR_MUL: return COMBINE_MUL;
    case OPR_BITAND: return COMBINE_AND;
    case OPR_BITOR: return COMBINE_OR;
    case OPR_BITXOR: return COMBINE_XOR;
    case OPR_NONE: return COMBINE_SET;
    default: return COMBINE_ADD;
    }
}

/* a -= v adds -v.  A read swaps 0 for 0. */
static void lower_atomic(Fn *f, const Stmt *s) {
    bool swaps = s->b || !s->a;
    Value *v = s->a ? lower_scalar(f, s->a) : build_const(&f->b, (Const){.dtype = s->target->type->dtype});
    Value *expected = s->b ? lower_scalar(f, s->b) : v;
    if (s->op == OPR_SUB) v = build_unary(&f->b, OP_NEG, v);
    Axes a = axes_eval(f, s->target);
    Value *opnds[MAX_RANK + 3] = {v, lower_expr(f, a.base).v[0]};
    axes_map(f, &a, NULL, opnds + 2);
    opnds[2 + a.n] = expected;
    Op *op = build_op(&f->b, OP_ATOMIC, 2 + a.n + swaps, opnds, s->vars.len, &v->type, 0);
    op_set_combine(op, swaps ? COMBINE_CAS : atomic_kind(s->op));
    if (s->vars.len) var_define(f, s->vars.data[0], vals_one(f, &op->res[0]));
}

static bool assigns_buffers(Fn *f, const Stmt *s) {
    return f->island && s->target->kind != EX_TUPLE && s->target->type->kind == FT_ARRAY;
}

void lower_assign(Fn *f, const Stmt *s) {
    if (s->kind == ST_ATOMIC) {
        lower_atomic(f, s);
        return;
    }
    if (assigns_buffers(f, s)) {
        assign_array(f, s);
        return;
    }
    if (f->island && type_has_array(s->target->type)) {
        assign_settled(f, s->target, materialize(f, s->a));
        return;
    }
    TargetVec open = {0};
    open_slices(f, s->target, &open);
    Vals v = lower_expr(f, s->a);
    if (s->op != OPR_NONE) {
        if (!open.data[0]) open.data[0] = target_open(f, s->target);
        v = apply_all(f, s->op, target_read(f, open.data[0]), v, s->a);
    }
    assign_parts(f, s->target, v, open.data);
}
