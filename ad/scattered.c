/* Accesses of a nest whose indices cannot be solved for: what they give is computed for all of the nest, and added by
 * atomic updates, which later passes take apart (opt/loops/owners.c, scatter.c).
 *
 * In a nest without branches all accesses that have their first index in common are one loop, which goes along the rows
 * where last indices are the nest's own: of w[ids[i], k] the turns i, each of which adds a row.  The order of the sums
 * is that of the nest. */
#include "ad/solve.h"
#include "ir/index.h"

/* ---- element by element: indices for all of the nest, too */

static Value *make_index(Emit *e, const End *end) { return value_here(e, end->use->val); }

/* A comprehension over the indices of the path (branches become 0) of what `end` makes */
static Value *over_nest(Pull *p, const Path *path, const Type *t, const End *end) {
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Emit top = {.p = p, .b = p->s->b}, e = emit_inside(&top, made->regs[0]);
    Solution sol = {0};
    p->s->inner = made;
    for (int i = 0; i < path->n; i++) {
        if (!index_of(&path->step[i]) || path->step[i].won) continue;
        sol.solved[i] = region_add_arg(made->regs[0], type_scalar(p->s->ad->module->session, DT_I64), "i");
        sol.inside[i] = true;
    }
    Value *v = descend(&e, path, 0, &sol, end);
    if (!v) v = build_const(&e.b, (Const){.dtype = end->type->dtype});
    build_yield(&e.b, 1, &v);
    p->s->inner = NULL;
    return &made->res[0];
}

static Op *scatter_island(Scope *s, Value *into, Value *values, Value *const *idx, const Op *access) {
    int n = access->nopnds - 1;
    Value *opnds[MAX_RANK + 2] = {into, values};
    int64_t modes[MAX_RANK + 2] = {2, 0};
    for (int i = 0; i < n; i++) opnds[2 + i] = idx[i];
    Op *island = build_island(&s->b, 2 + n, opnds, modes);
    Builder b = builder_at_end(s->ad->module, island->regs[0], s->b.span);
    Value *extents[MAX_RANK], **buf = island->regs[0]->args;
    for (int i = 0; i < values->type->rank; i++) extents[i] = build_size(&b, values->type->dims[i]);
    Op *par = build_parallel(&b, values->type->rank, extents, LOOP_PLAIN);
    build_yield(&b, 0, NULL);
    Builder in = builder_at_end(s->ad->module, par->regs[0], s->b.span);
    Value *v = load_safe(&in, buf[1], values->type->rank, par->regs[0]->args), *at[MAX_RANK], *some = NULL;
    for (int i = 0; i < n && s->ad->again; i++) { /* of a 0 the derivative may be something else */
        at[i] = load_safe(&in, buf[2 + i], values->type->rank, par->regs[0]->args);
        some = build_both(&in, some, build_binary(&in, OP_LT, at[i], build_size(&in, into->type->dims[i])));
    }
    if (!some) some = build_binary(&in, OP_NE, v, build_float(&in, v->type->dtype, 0));
    Builder then;
    build_when(&in, some, &then);
    build_yield(&in, 0, NULL);
    for (int i = 0; i < n && !s->ad->again; i++)
        at[i] = load_safe(&then, buf[2 + i], values->type->rank, par->regs[0]->args);
    checked_as(atomic_safe(&then, COMBINE_ADD, v, buf[0], n, at), access);
    return island;
}

bool nest_dims(Pull *p, const Path *path, const Size **dims, int *n) {
    *n = 0;
    for (int i = 0; i < path->n; i++) {
        if (!index_of(&path->step[i]) || path->step[i].won) continue;
        if (*n == TENSOR_RANK) return cannot(p->s->ad, p->root, "a nest of this many indices"), false;
        dims[*n] = extent_size(&path->step[i]);
        if (!dims[(*n)++])
            return cannot(p->s->ad, p->root, "an access through other arrays in a nest of uneven loops"), false;
    }
    return true;
}

static void add_elements(Pull *p, Value *tensor, const Access *a) {
    Op *access = a->op;
    const Path *path = &a->path;
    Session *ss = p->s->ad->module->session;
    const Size *dims[MAX_RANK];
    Value *idx[MAX_RANK];
    int n;
    if (!nest_dims(p, path, dims, &n)) return;
    End values = end_of(p, a);
    Value *v = a->from ? a->from : over_nest(p, path, type_tensor(ss, values.type->dtype, n, dims), &values);
    for (int i = 1; i < access->nopnds && !p->s->ad->failed; i++) {
        End index = {.make = make_index, .use = &access->opnds[i], .type = type_scalar(ss, DT_I64)};
        idx[i - 1] = over_nest(p, path, type_tensor(ss, DT_I64, n, dims), &index);
    }
    if (p->s->ad->failed) return;
    Value *into = adjoint_or_zero(p->s, tensor);
    set_adjoint(p->s, tensor, &scatter_island(p->s, into, v, idx, access)->res[0]);
}

/* ---- along rows */

enum { MANY = 16 }; /* accesses of one loop */

/* arrays: of indices that are computed, over all of the nest but what goes along rows; NULL: they are what they say */
typedef struct {
    Pull *p;
    const Access *access[MANY];
    Value *values[MANY], *arrays[MANY][MAX_RANK];
    int n, nest;
    int axis_of[MAX_PATH]; /* by index of the nest: the axis that it is, or 0, which none is */
    const Size *dims[MAX_PATH];
} Rows;

static bool is_plain(const Path *path) {
    for (int i = 0; i < path->n; i++)
        if (!index_of(&path->step[i]) || path->step[i].won) return false;
    return true;
}

static bool share_rows(const Access *x, const Access *y) {
    for (int i = 0; i < x->path.n && x->path.n == y->path.n; i++)
        if (index_of(&x->path.step[i]) != index_of(&y->path.step[i])) return false;
    return x->path.n == y->path.n && op_opnd(x->op, 1) == op_opnd(y->op, 1);
}

static const Value *nest_index(const Rows *r, int i) { return index_of(&r->access[0]->path.step[i]); }
static bool is_along(const Rows *r, int i) { return r->axis_of[i] > 0; }
static Value *index_of_access(const Rows *r, int k, int axis) { return op_opnd(r->access[k]->op, axis + 1); }
static bool as_the_first(const Rows *r, int k, int i) {
    return k && index_of_access(r, k, i) == index_of_access(r, 0, i);
}

/* The axis, behind the first, of which all accesses have this index, and no other axis of them asks for it; 0: none */
static int own_axis(const Rows *r, const Value *index) {
    int axis = 0, rank = r->access[0]->op->nopnds - 1;
    for (int i = 1; i < rank; i++)
        if (index_of_access(r, 0, i) == index) axis = i;
    for (int k = 0; k < r->n; k++)
        for (int i = 0; i < rank; i++) {
            const Value *v = index_of_access(r, k, i);
            if (i == axis && i ? v != index : value_depends(v, index)) return 0;
        }
    return axis;
}

static Value *index_array(const Rows *r, Value *v) {
    Scope *s = r->p->s;
    Session *ss = s->ad->module->session;
    const Size *dims[MAX_PATH];
    int64_t c;
    int n = 0;
    if (!v->def || !inside_root(r->p, v) || value_const_int(v, &c)) return NULL;
    for (int i = 0; i < r->nest; i++)
        if (!is_along(r, i)) dims[n++] = r->dims[i];
    const Type *t = type_tensor(ss, DT_I64, n, dims);
    Op *made = build_op(&s->b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Emit top = {.p = r->p, .b = s->b}, e = emit_inside(&top, made->regs[0]);
    s->inner = made;
    for (int i = 0; i < r->nest; i++)
        if (!is_along(r, i)) know(&e, nest_index(r, i), region_add_arg(made->regs[0], type_scalar(ss, DT_I64), "i"));
    Value *at = value_here(&e, v);
    build_yield(&e.b, 1, &at);
    s->inner = NULL;
    return &made->res[0];
}

/* The island: what it takes, and where the nest's indices are in it */
typedef struct { Op *island; ValueList takes; Value *at[MAX_PATH], *outer[MAX_PATH], *idx[MANY][MAX_RANK]; } Adding;

static void take(Ad *ad, Adding *a, Value *tensor) {
    for (int i = 0; i < a->takes.len; i++)
        if (a->takes.data[i] == tensor) return;
    vec_push(ad->arena, &a->takes, tensor);
}

static Value *buffer_of(const Adding *a, const Value *tensor) {
    int i = 0;
    while (a->takes.data[i] != tensor) i++;
    return a->island->regs[0]->args[i];
}

/* The loop over the indices along rows, or over the others; where its body is */
static Builder open_loop(const Rows *r, Adding *a, Builder *b, bool along) {
    Value *extents[MAX_PATH];
    int n = 0;
    for (int i = 0; i < r->nest; i++)
        if (is_along(r, i) == along) extents[n++] = build_size(b, r->dims[i]);
    if (!n) return *b;
    Op *loop = build_parallel(b, n, extents, LOOP_PLAIN);
    build_yield(b, 0, NULL);
    n = 0;
    for (int i = 0; i < r->nest; i++)
        if (is_along(r, i) == along) a->at[i] = loop->regs[0]->args[n++];
    for (int i = 0; i < n && !along; i++) a->outer[i] = loop->regs[0]->args[i];
    return builder_at_end(b->module, loop->regs[0], b->span);
}

static Value *index_there(const Rows *r, const Adding *a, Builder *b, int k, int axis) {
    Value *v = index_of_access(r, k, axis), *array = r->arrays[k][axis];
    int64_t c;
    if (as_the_first(r, k, axis)) return a->idx[0][axis];
    if (array) return load_safe(b, buffer_of(a, array), array->type->rank, (Value *const *)a->outer);
    for (int i = 0; i < r->nest; i++)
        if (nest_index(r, i) == v) return a->at[i];
    return value_const_int(v, &c) ? build_int(b, c) : primal_of(r->p->s, v);
}

/* into: what is added to, the first that is taken */
static Value *add_there(const Rows *r, const Value *into, Adding *a) {
    Scope *s = r->p->s;
    int rank = into->type->rank;
    int64_t *modes = NEWN(s->ad->arena, int64_t, a->takes.len);
    modes[0] = 2;
    a->island = build_island(&s->b, a->takes.len, a->takes.data, modes);
    s->inner = a->island;
    Builder b = builder_at_end(s->ad->module, a->island->regs[0], s->b.span), out = open_loop(r, a, &b, false);
    for (int k = 0; k < r->n; k++)
        for (int i = 0; i < rank; i++)
            if (r->arrays[k][i]) a->idx[k][i] = index_there(r, a, &out, k, i);
    Builder in = open_loop(r, a, &out, true);
    for (int k = 0; k < r->n; k++) {
        for (int i = 0; i < rank; i++)
            if (!a->idx[k][i]) a->idx[k][i] = index_there(r, a, &in, k, i);
        Value *v = load_safe(&in, buffer_of(a, r->values[k]), r->nest, a->at);
        checked_as(atomic_safe(&in, COMBINE_ADD, v, buffer_of(a, into), rank, a->idx[k]), r->access[k]->op);
    }
    build_yield(&in, 0, NULL);
    s->inner = NULL;
    return &a->island->res[0];
}

static void find_values(Rows *r, int k) {
    const Access *a = r->access[k];
    End end = end_of(r->p, a);
    const Type *t = type_tensor(r->p->s->ad->module->session, end.type->dtype, r->nest, r->dims);
    r->values[k] = a->from ? a->from : over_nest(r->p, &a->path, t, &end);
    for (int i = 0; i < a->op->nopnds - 1; i++)
        r->arrays[k][i] = as_the_first(r, k, i) ? r->arrays[0][i] : index_array(r, index_of_access(r, k, i));
}

static void add_rows(Rows *r, Value *tensor) {
    Scope *s = r->p->s;
    Adding a = {0};
    if (!nest_dims(r->p, &r->access[0]->path, r->dims, &r->nest)) return;
    for (int i = 0; i < r->nest; i++) r->axis_of[i] = own_axis(r, nest_index(r, i));
    for (int k = 0; k < r->n && !s->ad->failed; k++) find_values(r, k);
    if (s->ad->failed) return;
    Value *into = adjoint_or_zero(s, tensor);
    take(s->ad, &a, into);
    for (int k = 0; k < r->n; k++) {
        take(s->ad, &a, r->values[k]);
        for (int i = 0; i < tensor->type->rank; i++)
            if (r->arrays[k][i]) take(s->ad, &a, r->arrays[k][i]);
    }
    set_adjoint(s, tensor, add_there(r, into, &a));
}

/* ---- */

void reverse_scattered(Pull *p, Value *tensor, const AccessList *all) {
    bool *done = NEWN(p->s->ad->arena, bool, all->len + 1);
    for (int i = 0; i < all->len && !p->s->ad->failed; i++) {
        const Access *a = &all->data[i];
        Rows r = {.p = p};
        if (done[i]) continue;
        explain_adjoint(p->s->ad, a->op->span, tensor,
                        "a scatter by atomic updates: the indices that are read cannot be solved for");
        if (!is_plain(&a->path)) {
            add_elements(p, tensor, a);
            continue;
        }
        for (int k = i; k < all->len && r.n < MANY; k++)
            if (!done[k] && is_plain(&all->data[k].path) && share_rows(a, &all->data[k]))
                r.access[r.n++] = &all->data[k], done[k] = true;
        add_rows(&r, tensor);
    }
}
