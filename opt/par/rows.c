#include "opt/par/rows.h"

#include "analysis/lasting.h"
#include "ir/index.h"

/* ---- a search */

typedef struct { RowSearch *search; bool derives; } Derivatives;

static void find_lasting(void *ctx, Op *op) {
    Derivatives *d = ctx;
    if (op->code != OP_VJP) return;
    d->derives = true;
    lasting_find(d->search->scratch, op->regs[0], &d->search->lasting, NULL);
}

bool rows_begin(RowSearch *s, Func *f) {
    Derivatives d = {s, false};
    *s = (RowSearch){0};
    if (f->kind == FUNC_EXTERN) return false;
    s->scratch = arena_new();
    region_walk(f->body, find_lasting, &d);
    if (!d.derives) return arena_free(s->scratch), false;
    s->linear = linear_new(f), s->affine = affine_new(f, 0);
    return true;
}

void rows_end(RowSearch *s) {
    linear_free(s->linear);
    affine_free(s->affine);
    arena_free(s->scratch);
}

/* ---- accesses */

bool access_is_load(const Op *access) { return access->code == OP_EXTRACT || access->code == OP_LOAD; }

Value *access_index(const Op *access, int axis) { return op_opnd(access, (access_is_load(access) ? 1 : 2) + axis); }

/* ---- which rows */

/* v can be computed before op: where no turn, or branch, asks for it, too. */
static bool comes_before(const Op *op, const Value *v) {
    const Region *body = op->regs[0];
    const Op *def = v->def;
    if (!region_encloses(body, value_region(v))) return true;
    if (!def || def->nregs || !op_is_pure(def)) return false;
    if (!op_is_speculatable(def) && !(def->parent == body && op_surely_runs(op))) return false;
    for (int i = 0; i < def->nopnds; i++)
        if (!comes_before(op, op_opnd(def, i))) return false;
    return true;
}

unsigned row_still_axes(const Op *op, const Op *access, int rank) {
    unsigned axes = 0;
    for (int k = 0; k < rank; k++) axes |= (unsigned)comes_before(op, access_index(access, k)) << k;
    return axes;
}

bool row_same_axes(const Row *p, const Row *q, int rank) {
    for (int k = 0; k < rank; k++)
        if (!p->at[k] != !q->at[k]) return false;
    return true;
}

bool row_is_element(const Row *row, int rank) {
    for (int k = 0; k < rank; k++)
        if (!row->at[k]) return false;
    return true;
}

bool row_apart(Linear *l, const Row *p, const Row *q, int rank, int64_t *by) {
    *by = 0;
    if (!row_same_axes(p, q, rank)) return false;
    for (int k = 0; k < rank && !*by; k++) {
        if (p->at[k] == q->at[k]) continue;
        const Poly *a = linear_value(l, p->at[k]), *b = linear_value(l, q->at[k]);
        const Poly *d = a && b ? linear_sub(l, a, b) : NULL;
        if (!d || !poly_is_const(d, by)) return false;
    }
    return true;
}

static const Poly *last_place(Linear *l, const Type *t, int axis) {
    const Poly *n = linear_size(l, t->dims[axis]);
    return n ? linear_sub(l, n, linear_const(l, 1)) : NULL;
}

bool row_has_nearest(Linear *l, Op *op, const Type *t, const Row *row) {
    for (int k = 0; k < t->rank; k++)
        if (row->at[k] && !linear_prove(l, op, last_place(l, t, k))) return false;
    return true;
}

bool row_is_there(Linear *l, Op *op, const Type *t, const Row *row) {
    for (int k = 0; k < t->rank; k++) {
        if (!row->at[k]) continue;
        const Poly *at = linear_value(l, row->at[k]), *last = last_place(l, t, k),
                   *room = at && last ? linear_sub(l, last, at) : NULL;
        if (!room || !linear_prove(l, op, at) || !linear_prove(l, op, room)) return false;
    }
    return true;
}

bool rows_are_few(const Row *rows, int n, const Type *t) {
    double share = 0;
    for (int i = 0; i < n; i++) {
        double part = 1;
        int64_t size;
        for (int k = 0; k < t->rank; k++)
            if (rows[i].at[k]) part *= size_is_const(t->dims[k], &size) ? 1 / (double)(size > 0 ? size : 1) : 0;
        share += part;
    }
    return share < 0.5;
}

/* The next loop in order around op, inside of what is differentiated; NULL: there is none */
static const Op *loop_around(const Op *op) {
    const Op *o = op->parent->owner;
    while (o && o->code != OP_VJP && !op_is_sequential_loop(o)) o = o->parent->owner;
    return o && o->code != OP_VJP ? o : NULL;
}

bool rows_come_again(const Op *op) { return loop_around(op); }

bool rows_change(const Op *op, const Value *x) {
    for (const Op *o = loop_around(op); o; o = loop_around(o))
        if (op_encloses(o, x)) return true;
    return false;
}

static bool is_found_in(const Op *loop, const Row *row, int rank) {
    for (int k = 0; k < rank; k++)
        if (row->at[k] && op_encloses(loop, row->at[k])) return true;
    return false;
}

bool rows_move(const Op *op, const Value *x, const Row *rows, int n) {
    for (const Op *o = loop_around(op); o; o = loop_around(o))
        for (int i = 0; i < n && !op_encloses(o, x); i++)
            if (is_found_in(o, &rows[i], x->type->rank)) return true;
    return false;
}

bool rows_step_arrays(const Op *op) {
    const Op *loop = loop_around(op);
    for (int i = 0; loop && i < loop->nres; i++)
        if (type_is_tensor(loop->res[i].type)) return true;
    return false;
}

bool lasts_for_good(const Value *carried) {
    return carried && op_around(carried->region->owner, OP_VJP) && !loop_around(carried->region->owner);
}

/* ---- the rows as arrays of their own */

static Value *place_of(Builder *b, const Op *op, const Type *t, const Row *row, int axis) {
    Value *at = value_outside(b, op->regs[0], row->at[axis]);
    if (!row->doubtful) return at;
    Value *last = index_sub(b, build_size(b, t->dims[axis]), build_int(b, 1));
    return index_max(b, index_min(b, at, last), build_int(b, 0));
}

RowSlice row_slice(Builder *b, const Op *op, const Type *t, const Row *row) {
    Session *s = b->module->session;
    const Size *part[MAX_RANK], *own[MAX_RANK];
    RowSlice slice;
    int n = 0;
    for (int k = 0; k < t->rank; k++) {
        slice.start[k] = row->at[k] ? place_of(b, op, t, row, k) : build_int(b, 0);
        slice.steps[k] = 1;
        part[k] = row->at[k] ? size_const(s, 1) : t->dims[k];
        if (!row->at[k]) own[n++] = t->dims[k];
    }
    slice.part = type_tensor(s, t->dtype, t->rank, part), slice.own = type_tensor(s, t->dtype, n, own);
    return slice;
}

Value *row_take(Builder *b, Value *x, const RowSlice *s, bool lasting) {
    Value *part = slice_safe(b, x, s->part, s->start, s->steps);
    if (lasting) op_set_flag(part->def, A_LASTING);
    Value *row = build_reshaped(b, part, s->own);
    row->name = x->name;
    return row;
}

void row_access(const Row *place, int rank, Op *access, Value *row) {
    Value *idx[MAX_RANK];
    Builder b = builder_before(access);
    b.span = access->span;
    int n = 0;
    for (int k = 0; k < rank; k++)
        if (!place->at[k]) idx[n++] = access_index(access, k);
    if (!type_is_tensor(row->type) && row->type->kind != TY_BUF) value_replace_all(&access->res[0], row);
    else if (access->code == OP_STORE) store_safe(&b, op_opnd(access, 0), row, n, idx);
    else {
        Value *v = access->code == OP_LOAD ? load_safe(&b, row, n, idx) : extract_safe(&b, row, n, idx);
        v->name = access->res[0].name;
        value_replace_all(&access->res[0], v);
    }
    op_erase(access);
}
