/* Array expressions read element by element: inside islands, where there are no array values, and for
 * comprehensions whose element is an array.
 *
 * elem_prepare evaluates once what does not depend on the index (scalars, bounds, arrays that can't be had
 * by element); lower_elem then builds the scalar code of one element.  An expression may be read at several
 * places after one preparation. */
#include "lower/ast/private.h"

/* ---- loops and buffers */

void nest_open(Fn *f, Nest *nest, int n, Value *const *extents, Vals *v) {
    *nest = (Nest){.n = n};
    for (int i = 0; i < n; i++) {
        nest->loop[i] = build_for(&f->b, build_int(&f->b, 0), extents[i], build_int(&f->b, 1), v->n, v->v);
        Region *r = nest->loop[i]->regs[0];
        nest->mark[i] = region_enter(f, r);
        nest->idx[i] = r->args[0];
        *v = (Vals){v->n, r->args + 1};
    }
}

void nest_close(Fn *f, Nest *nest, Vals *v) {
    for (int i = nest->n; i-- > 0;) {
        build_yield(&f->b, v->n, v->v);
        region_leave(f, nest->mark[i]);
        Vals results = vals_new(f, v->n);
        for (int k = 0; k < v->n; k++) results.v[k] = &nest->loop[i]->res[k];
        *v = results;
    }
}

void build_loops(Fn *f, int n, Value *const *extents, LoopBody *body, void *ctx) {
    Vals none = {0};
    Nest nest;
    nest_open(f, &nest, n, extents, &none);
    body(f, nest.idx, ctx);
    nest_close(f, &nest, &none);
}

/* ---- which parts are read by element */

static bool is_array(const Expr *e) { return e->type->kind == FT_ARRAY; }

static bool is_elementwise(const Expr *e) {
    OpCode op;
    if (e->kind == EX_UNARY) return true;
    if (e->kind == EX_BINARY) return e->op != OPR_MATMUL;
    return e->kind == EX_CALL && (e->each || e->call == CALL_CAST || builtin_elementwise(e, &op));
}

static bool is_transpose(const Expr *e) { return e->kind == EX_FIELD && e->field < 0; }
static bool is_names(Fn *f, const Expr *e) { return e->kind == EX_NAME && !const_array_of(e) && !row_named(f, e); }

/* A comprehension whose elements are arrays that take work: each is computed once, as a whole, where there is room */
bool elem_has_rows(Fn *f, const Expr *e) {
    return e->kind == EX_COMP && is_array(e->a) && !elem_is_cheap(e->a) && has_known_sizes(f, e->type);
}

bool elem_is_lazy(Fn *f, const Expr *e) {
    return row_named(f, e) || is_elementwise(e) || is_transpose(e) || (e->kind == EX_COMP && !elem_has_rows(f, e)) ||
           (e->kind == EX_INDEX && e->a->type->kind == FT_ARRAY) || e->kind == EX_CONVERT;
}

bool elem_is_cheap(const Expr *e) {
    if (e->is_const || e->kind == EX_NAME) return true;
    if (e->kind == EX_FIELD || e->kind == EX_UNARY) return elem_is_cheap(e->a);
    if (e->kind == EX_BINARY) return e->op != OPR_MATMUL && elem_is_cheap(e->a) && elem_is_cheap(e->b);
    if (e->kind == EX_INDEX || e->kind == EX_COMP) return elem_is_cheap(e->a);
    if (e->kind == EX_CONVERT) return e->conv != CONV_SIZE && elem_is_cheap(e->a);
    if (e->kind != EX_CALL) return !is_array(e);
    bool holds = e->call == CALL_STRUCT ? is_array(e) : type_has_array(e->type); /* also a part of what it gives */
    if (holds && !is_elementwise(e)) return false;
    for (int i = 0; i < e->args.len; i++)
        if (!elem_is_cheap(e->args.data[i])) return false;
    return true;
}

/* ---- preparing */

void elem_keep(Fn *f, const Expr *e, Vals v) {
    Vals *kept = NEW(f->arena, Vals);
    *kept = v;
    map_put(f->arena, &f->prepared, e, kept);
}

/* Subscripts are kept evaluated, beside the expression: Axes under the address of the list of subscripts. */
static const Axes *prepared_axes(Fn *f, const Expr *e) { return map_get(&f->prepared, &e->subs); }

static void prepare_index(Fn *f, const Expr *e) {
    Axes *a = NEW(f->arena, Axes);
    const Expr *root = index_root(e);
    if (!sizes_are_bound(f, root->type)) elem_prepare(f, root); /* subscripts may count from sizes that come with it */
    *a = axes_eval(f, e);
    map_put(f->arena, &f->prepared, &e->subs, a);
    elem_prepare(f, a->base);
}

/* Sizes that are not known to be those of the type are compared here. */
static void check_sizes(Fn *f, const Expr *e) {
    for (int i = 0; i < e->type->rank; i++) {
        const Size *is = fn_size(f, e->a->type->dims[i]), *wanted = fn_size(f, e->type->dims[i]);
        if (is == wanted) continue;
        Value *x = fn_size_value(f, e->a->type->dims[i]), *y = fn_size_value(f, e->type->dims[i]);
        Value *opnds[] = {build_binary(&f->b, OP_EQ, x, y), x, y};
        Op *op = build_op(&f->b, OP_CHECK, 3, opnds, 0, NULL, 0);
        op_set_sym(op, A_CODE, "E0606");
        op_set_sym(op, A_MSG,
                   intern_printf(f->session, "sizes do not match: axis %d has size {}, but {} is needed", i));
    }
}

static void prepare_gens(Fn *f, const Expr *e) {
    for (int i = 0; i < e->gens.len; i++) {
        const Gen *g = &e->gens.data[i];
        map_put(f->arena, &f->prepared, g, gen_start(f, g));
    }
}

void elem_prepare(Fn *f, const Expr *e) {
    if (e->is_const || is_names(f, e) || row_named(f, e) || map_has(&f->prepared, e)) return;
    if (!is_array(e) || !elem_is_lazy(f, e)) {
        Vals v = lower_expr(f, e);
        elem_keep(f, e, v);
        return;
    }
    if (e->kind == EX_INDEX) prepare_index(f, e);
    else if (e->kind == EX_COMP) prepare_gens(f, e), fn_check_array(f, e->type);
    else if (e->kind == EX_CALL)
        for (int i = 0; i < e->args.len; i++) elem_prepare(f, e->args.data[i]);
    else {
        elem_prepare(f, e->a);
        if (e->kind == EX_CONVERT && e->conv == CONV_SIZE) check_sizes(f, e);
        if (e->b && !e->b->is_const) elem_prepare(f, e->b);
    }
}

/* ---- reading */

static Value *elem_one(Fn *f, const Expr *e, Value *const *idx) { return lower_elem(f, e, idx).v[0]; }

static Vals elem_broadcast(Fn *f, const Expr *e, Value *const *idx) {
    Value *at[MAX_RANK];
    if (!is_array(e->a)) return lower_expr(f, e->a);
    int shift = e->type->rank - e->a->type->rank;
    for (int i = 0; i < e->a->type->rank; i++) {
        bool stretched = fn_size(f, e->a->type->dims[i]) != fn_size(f, e->type->dims[i + shift]);
        at[i] = stretched ? build_int(&f->b, 0) : idx[i + shift];
    }
    return lower_elem(f, e->a, at);
}

static Vals elem_convert(Fn *f, const Expr *e, Value *const *idx) {
    if (e->conv == CONV_BROADCAST) return elem_broadcast(f, e, idx);
    if (e->conv == CONV_SIZE) return lower_elem(f, e->a, idx);
    Vals v = lower_elem(f, e->a, idx), r = vals_new(f, v.n);
    const Type **types = leaf_types(f, array_elem(e->type));
    for (int i = 0; i < v.n; i++) r.v[i] = build_cast(&f->b, v.v[i], types[i]->dtype);
    return r;
}

static Vals elem_comp(Fn *f, const Expr *e, Value *const *idx) {
    for (int i = 0; i < e->gens.len; i++)
        gen_bind(f, &e->gens.data[i], map_get(&f->prepared, &e->gens.data[i]), idx[i]);
    if (!is_array(e->a)) return lower_expr(f, e->a);
    elem_prepare(f, e->a);
    return lower_elem(f, e->a, idx + e->gens.len);
}

static Vals elem_index(Fn *f, const Expr *e, Value *const *idx) {
    const Axes *a = prepared_axes(f, e);
    Value *at[MAX_RANK];
    axes_map(f, a, idx, at);
    return lower_elem(f, a->base, at);
}

static Vals elem_row(Fn *f, const Row *row, Value *const *idx) {
    Value *at[MAX_RANK];
    Axes a = row_axes(f, row);
    axes_map(f, &a, idx, at);
    return lower_elem(f, a.base, at);
}

static Vals elem_transpose(Fn *f, const Expr *e, Value *const *idx) {
    Value *at[MAX_RANK];
    int rank = e->type->rank;
    for (int i = 0; i < rank; i++) at[i] = idx[rank - 1 - i];
    return lower_elem(f, e->a, at);
}

static Vals elem_call(Fn *f, const Expr *e, Value *const *idx) {
    Value *args[4];
    if (e->each) return lower_each_element(f, e, idx);
    if (e->call == CALL_CAST) {
        Value *v = elem_one(f, e->args.data[0], idx);
        return vals_one(f, build_cast(&f->b, v, array_elem(e->type)->dtype));
    }
    if (e->args.len > 4) bug("an elementwise call of %d arguments", e->args.len);
    for (int i = 0; i < e->args.len; i++) args[i] = elem_one(f, e->args.data[i], idx);
    return vals_one(f, lower_elementwise(f, e, args));
}

static Vals elem_operator(Fn *f, const Expr *e, Value *const *idx) {
    Value *x = elem_one(f, e->a, idx);
    if (e->kind == EX_UNARY) return vals_one(f, build_unary(&f->b, e->op == OPR_NEG ? OP_NEG : OP_NOT, x));
    Value *p = lower_power(f, e->op, x, e->b);
    return vals_one(f, p ? p : lower_operator(f, e->op, x, elem_one(f, e->b, idx)));
}

static Vals elem_kind(Fn *f, const Expr *e, Value *const *idx) {
    if (e->kind == EX_NAME) return elem_row(f, row_named(f, e), idx);
    if (e->kind == EX_CONVERT) return elem_convert(f, e, idx);
    if (e->kind == EX_COMP) return elem_comp(f, e, idx);
    if (e->kind == EX_INDEX) return elem_index(f, e, idx);
    if (e->kind == EX_FIELD) return elem_transpose(f, e, idx);
    return e->kind == EX_CALL ? elem_call(f, e, idx) : elem_operator(f, e, idx);
}

Vals lower_elem(Fn *f, const Expr *e, Value *const *idx) {
    if (!is_array(e)) return lower_expr(f, e);
    Span outside = f->b.span;
    f->b.span = fn_place(f, e->span);
    Vals v = map_has(&f->prepared, e) || is_names(f, e) || !elem_is_lazy(f, e)
                 ? read_element(f, lower_expr(f, e), e->type->rank, idx)
                 : elem_kind(f, e, idx);
    f->b.span = outside;
    return v;
}

/* ---- arrays that are run over */

static bool mentions_any(const Expr *e, const VarVec *vars) {
    for (int i = 0; i < vars->len; i++)
        if (type_has_array(vars->data[i]->type) && expr_mentions(e, vars->data[i])) return true;
    return false;
}

static Vals frozen(Fn *f, const Expr *e) {
    if (has_known_sizes(f, e->type)) return materialize(f, e);
    return unsupported(f, e, "a loop over an array of unknown size that its body assigns");
}

void elem_freeze(Fn *f, const Expr *e, const VarVec *assigned) {
    if (!f->island) elem_keep(f, e, lower_expr(f, e));
    else if (mentions_any(e, assigned)) elem_keep(f, e, frozen(f, e));
    else elem_prepare(f, e);
}
