/* Tensors: counting, shapes, and the operations on them before stage loops.
 *
 * Reductions and scans follow the language's fixed tree to the letter: it is what every other way of
 * running a program is compared with. */
#include "interp/private.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16, CHUNK = 1024, FAN = 64, LEVELS = 2, SCAN_FAN = 16, SCAN_LEVELS = 5, LANES = 8, MAX_PARTS = 64 };

/* ---- sizes */

int64_t interp_size(const Frame *fr, const SizeCode *c) {
    if (c->op == 'c') return c->c;
    if (c->op == 's') return fr->env[c->slot].i;
    int64_t a = interp_size(fr, c->a), b = interp_size(fr, c->b);
    switch (c->op) {
    case '+': return dsl_size_add(a, b);
    case '*': return dsl_size_mul(a, b);
    case 'M': return a > b ? a : b;
    case 'm': return a < b ? a : b;
    default:
        if (b == 0) dsl_fail_divzero(dsl_current_site());
        return c->op == '/' ? dsl_idiv_i64(a, b) : dsl_mod_i64(a, b);
    }
}

void interp_define_dims(Frame *fr, const DimCode *dims, const Tensor *t) {
    for (int i = 0; i < t->a->rank; i++)
        if (dims[i].define) fr->env[dims[i].slot].i = t->a->dim[i];
}

void interp_check_dims(Frame *fr, const Op *op, const DimCode *dims, const Tensor *t, const char *what) {
    for (int i = 0; i < t->a->rank; i++) {
        if (dims[i].define) continue;
        int64_t want = interp_size(fr, dims[i].size);
        if (want != t->a->dim[i])
            interp_broken(fr, op, "%s has size %lld in axis %d, its type says %lld", what, (long long)t->a->dim[i], i,
                          (long long)want);
    }
}

/* ---- making and counting */

Tensor *interp_adopt(Frame *fr, const Op *op, dsl_array *a) {
    Tensor *t = calloc(1, sizeof *t);
    if (!t) fatal_oom();
    *t = (Tensor){.a = a, .owners = 1, .born = op};
    link_in(&fr->in->tensors, &t->link);
    return t;
}

Tensor *interp_tensor(Frame *fr, const Op *op, DType t, int rank, const int64_t *dim) {
    dsl_array *a = dsl_new(interp_site(fr, op), (int)t, rank, dim);
    if (fr->in->opts.tries) fr->in->fuel -= a->count; /* whoever makes it fills it */
    return interp_adopt(fr, op, a);
}

void interp_result_dims(Frame *fr, const Inst *in, int k, int64_t *dim) {
    const Type *t = in->op->res[k].type;
    for (int i = 0; i < t->rank; i++) {
        if (in->dims[k][i].define)
            interp_broken(fr, in->op, "nothing says what the size %s is", size_as_sym(t->dims[i]));
        dim[i] = interp_size(fr, in->dims[k][i].size);
    }
}

Tensor *interp_result_like(Frame *fr, const Inst *in, int k) {
    int64_t dim[MAX_RANK];
    const Type *t = in->op->res[k].type;
    interp_result_dims(fr, in, k, dim);
    return interp_tensor(fr, in->op, t->dtype, t->rank, dim);
}

static void forget_undef(Tensor *t) {
    free(t->undef);
    t->undef = NULL;
}

void interp_drop(Frame *fr, const Op *op, Tensor *t) {
    if (--t->owners > 0) return;
    dsl_release(t->a);
    forget_undef(t);
    t->a = NULL;
    t->died = op;
    if (!fr->in->managed) return;
    link_out(&t->link);
    free(t);
}

static uint8_t *copy_undef(const Tensor *t) {
    if (!t->undef) return NULL;
    size_t n = (size_t)t->a->count;
    uint8_t *u = malloc(n ? n : 1);
    if (!u) fatal_oom();
    return memcpy(u, t->undef, n);
}

/* Another handle for the memory of t, which ends. */
static Tensor *rehandle(Frame *fr, const Op *op, Tensor *t) {
    Tensor *r = interp_adopt(fr, op, t->a);
    r->undef = t->undef;
    t->a = NULL;
    t->undef = NULL;
    t->owners = 0;
    t->died = op;
    return r;
}

Tensor *interp_unique(Frame *fr, const Op *op, Tensor *t) {
    if (t->owners == 1) return fr->in->managed ? t : rehandle(fr, op, t);
    Tensor *c = interp_adopt(fr, op, dsl_copy(t->a));
    c->undef = copy_undef(t);
    t->owners--;
    return c;
}

Tensor *interp_borrow(Frame *fr, const Inst *in, int i) {
    Tensor *t = interp_opnd(fr, in, i).t;
    if (!t) bug("%s: operand %d was dropped", op_info(in->op->code)->mnemonic, i);
    if (!t->a)
        interp_broken(fr, in->op, "operand %d is used after its last owner gave it up (in %s)", i,
                      t->died ? op_info(t->died->code)->mnemonic : "?");
    return t;
}

Tensor *interp_defined(Frame *fr, const Inst *in, int i) {
    Tensor *t = interp_borrow(fr, in, i);
    if (!t->undef) return t;
    for (int64_t k = 0; k < t->a->count; k++)
        if (t->undef[k]) interp_broken(fr, in->op, "element %lld of operand %d was never written", (long long)k, i);
    forget_undef(t);
    return t;
}

Tensor *interp_take(Frame *fr, const Inst *in, int i) {
    Tensor *t = interp_borrow(fr, in, i);
    if (!fr->in->managed) return t;
    if (in->moves && in->moves[i]) fr->env[in->opnds[i]].t = NULL;
    else t->owners++;
    return t;
}

Cell interp_take_yield(Frame *fr, const Block *b, int i) {
    Cell v = fr->env[b->yield[i]];
    if (!fr->in->managed || !type_is_tensor(op_opnd(b->term, i)->type)) return v;
    if (b->moves && b->moves[i]) fr->env[b->yield[i]].t = NULL;
    else v.t->owners++;
    return v;
}

void interp_set_slot(Frame *fr, int slot, Tensor *t) {
    Tensor *old = fr->env[slot].t;
    fr->env[slot].t = t;
    if (old && fr->in->managed) interp_drop(fr, NULL, old);
}

void interp_put(Frame *fr, const Inst *in, const Cell *v) {
    const Op *op = in->op;
    char what[32];
    for (int k = 0; k < op->nres; k++)
        if (type_is_tensor(op->res[k].type)) interp_define_dims(fr, in->dims[k], v[k].t);
    for (int k = 0; k < op->nres; k++) {
        if (!type_is_tensor(op->res[k].type)) {
            fr->env[in->r + k] = v[k];
            continue;
        }
        const dsl_array *a = v[k].t->a;
        if (!a) interp_broken(fr, op, "result %d has no owner left", k);
        if (a->rank != op->res[k].type->rank || a->dtype != (int)op->res[k].type->dtype)
            bug("%s: result %d is no %s", op_info(op->code)->mnemonic, k, type_str(fr->in->session, op->res[k].type));
        snprintf(what, sizeof what, "result %d", k);
        interp_check_dims(fr, op, in->dims[k], v[k].t, what);
        interp_set_slot(fr, in->r + k, v[k].t);
    }
}

void interp_put_arg(Frame *fr, const Block *b, int i, Cell v) {
    if (!fr->in->managed || !type_is_tensor(b->term->parent->args[i]->type)) {
        fr->env[b->args[i]] = v;
        return;
    }
    interp_set_slot(fr, b->args[i], v.t);
    if (b->arg_dead && b->arg_dead[i]) interp_set_slot(fr, b->args[i], NULL);
}

/* ---- elements */

int64_t interp_index(Frame *fr, const Inst *in, int first, int rank, const int64_t *dim) {
    int64_t at = 0;
    for (int i = 0; i < rank; i++) {
        int64_t k = fr->env[in->opnds[first + i]].i;
        if (DSL_UNLIKELY((uint64_t)k >= (uint64_t)dim[i])) {
            if (op_flag(in->op, A_SAFE))
                interp_broken(fr, in->op, "an access that was proved in bounds has index %lld in axis %d of size %lld",
                              (long long)k, i, (long long)dim[i]);
            dsl_fail_bounds(interp_site(fr, in->op), i, k, dim[i]);
        }
        at = at * dim[i] + k;
    }
    return at;
}

void interp_OP_EXTRACT(Frame *fr, const Inst *in) {
    Tensor *t = interp_borrow(fr, in, 0);
    int64_t at = interp_index(fr, in, 1, t->a->rank, t->a->dim);
    if (t->undef && t->undef[at]) interp_broken(fr, in->op, "element %lld was never written", (long long)at);
    fr->env[in->r] = interp_load((DType)t->a->dtype, t->a->data, at);
}

void interp_OP_INSERT(Frame *fr, const Inst *in) {
    Tensor *t = interp_unique(fr, in->op, interp_take(fr, in, 0));
    int64_t at = interp_index(fr, in, 2, t->a->rank, t->a->dim);
    interp_store((DType)t->a->dtype, t->a->data, at, interp_opnd(fr, in, 1));
    if (t->undef) t->undef[at] = 0;
    interp_put_tensor(fr, in, t);
}

static void fill_all(const dsl_array *a, Cell v) {
    for (int64_t i = 0; i < a->count; i++) interp_store((DType)a->dtype, a->data, i, v);
}

void interp_OP_FILL(Frame *fr, const Inst *in) {
    Tensor *t = interp_result_like(fr, in, 0);
    fill_all(t->a, interp_opnd(fr, in, 0));
    interp_put_tensor(fr, in, t);
}

void interp_OP_TABLE(Frame *fr, const Inst *in) {
    const Attr *values = op_attr(in->op, A_VALUES);
    Tensor *t = interp_result_like(fr, in, 0);
    for (int i = 0; i < values->n; i++)
        interp_store((DType)t->a->dtype, t->a->data, i, interp_const(values->consts[i]));
    interp_put_tensor(fr, in, t);
}

/* ---- strided copies */

/* Strides in bytes, by axis. */
typedef struct { char *at; int64_t stride[MAX_RANK]; } View;

static View view_of(const dsl_array *a) {
    View v = {.at = a->data};
    int64_t bytes = dsl_dtype_bytes(a->dtype);
    for (int i = a->rank - 1; i >= 0; i--) {
        v.stride[i] = bytes;
        bytes *= a->dim[i];
    }
    return v;
}

static void copy_axes(View to, View from, const int64_t *dim, int axis, int rank, size_t bytes) {
    if (axis == rank) {
        memcpy(to.at, from.at, bytes);
        return;
    }
    for (int64_t i = 0; i < dim[axis]; i++) {
        copy_axes(to, from, dim, axis + 1, rank, bytes);
        to.at += to.stride[axis];
        from.at += from.stride[axis];
    }
}

static void copy_view(View to, View from, const dsl_array *shape) {
    copy_axes(to, from, shape->dim, 0, shape->rank, (size_t)dsl_dtype_bytes(shape->dtype));
}

void interp_OP_BROADCAST(Frame *fr, const Inst *in) {
    const dsl_array *x = interp_defined(fr, in, 0)->a;
    Tensor *r = interp_result_like(fr, in, 0);
    View from = view_of(x), wide = {.at = from.at};
    const int64_t *axes = op_attr(in->op, A_AXES)->ints;
    for (int i = 0; i < x->rank; i++) {
        if (x->dim[i] != 1 && x->dim[i] != r->a->dim[axes[i]]) interp_broken(fr, in->op, "axis %d does not fit", i);
        wide.stride[axes[i]] = x->dim[i] == 1 ? 0 : from.stride[i];
    }
    copy_view(view_of(r->a), wide, r->a);
    interp_put_tensor(fr, in, r);
}

void interp_OP_TRANSPOSE(Frame *fr, const Inst *in) {
    const dsl_array *x = interp_defined(fr, in, 0)->a;
    const int64_t *perm = op_attr(in->op, A_PERM)->ints;
    int64_t dim[MAX_RANK];
    View from = view_of(x), turned = {.at = from.at};
    for (int i = 0; i < x->rank; i++) {
        dim[i] = x->dim[perm[i]];
        turned.stride[i] = from.stride[perm[i]];
    }
    Tensor *r = interp_tensor(fr, in->op, (DType)x->dtype, x->rank, dim);
    copy_view(view_of(r->a), turned, r->a);
    interp_put_tensor(fr, in, r);
}

static DSL_COLD DSL_NORETURN void fail_slice(Frame *fr, const Inst *in, int axis, int64_t start, int64_t count,
                                             int64_t size) {
    int64_t known;
    interp_check_proved(fr, in);
    const Type *part = in->op->code == OP_SLICE ? in->op->res[0].type : op_opnd(in->op, 1)->type;
    if (size_is_const(part->dims[axis], &known) && known == 1)
        dsl_fail(interp_site(fr, in->op), "E0601", "index %lld is out of bounds for axis %d with size %lld",
                 (long long)start, axis, (long long)size);
    dsl_fail(interp_site(fr, in->op), "E0601",
             "the slice is out of bounds for axis %d with size %lld: it begins at %lld and has size %lld", axis,
             (long long)size, (long long)start, (long long)count);
}

/* The part of a that starts at the operands from `first` on, of the extents dim; fails when it is not inside. */
static View slice_view(Frame *fr, const Inst *in, const dsl_array *a, int first, const int64_t *dim) {
    View v = view_of(a);
    const int64_t *steps = op_attr(in->op, A_STEPS)->ints;
    for (int i = 0; i < a->rank; i++) {
        int64_t start = interp_opnd(fr, in, first + i).i, last = dsl_add_i64(start, dsl_mul_i64(dim[i] - 1, steps[i]));
        if (dim[i] == 0) start = 0; /* nothing is touched */
        else if (start < 0 || start >= a->dim[i] || last < 0 || last >= a->dim[i])
            fail_slice(fr, in, i, start, dim[i], a->dim[i]);
        v.at += start * v.stride[i];
        v.stride[i] *= steps[i];
    }
    return v;
}

/* Marks the elements of this part of t as written; or fails where one of them never was. */
static void visit_part(Frame *fr, const Inst *in, Tensor *t, View part, const int64_t *dim, int axis, bool writes) {
    if (axis == t->a->rank) {
        int64_t at = (part.at - (char *)t->a->data) / dsl_dtype_bytes(t->a->dtype);
        if (writes) t->undef[at] = 0;
        else if (t->undef[at]) interp_broken(fr, in->op, "element %lld was never written", (long long)at);
        return;
    }
    for (int64_t i = 0; i < dim[axis]; i++, part.at += part.stride[axis])
        visit_part(fr, in, t, part, dim, axis + 1, writes);
}

void interp_OP_SLICE(Frame *fr, const Inst *in) {
    Tensor *t = interp_borrow(fr, in, 0);
    const dsl_array *x = t->a;
    int64_t dim[MAX_RANK];
    interp_result_dims(fr, in, 0, dim);
    View part = slice_view(fr, in, x, 1, dim);
    if (t->undef) visit_part(fr, in, t, part, dim, 0, false);
    Tensor *r = interp_result_like(fr, in, 0);
    copy_view(view_of(r->a), part, r->a);
    interp_put_tensor(fr, in, r);
}

void interp_OP_UPDATE(Frame *fr, const Inst *in) {
    Tensor *y = interp_defined(fr, in, 1);
    y->owners++; /* stays while x changes, even where both are one */
    Tensor *x = interp_unique(fr, in->op, interp_take(fr, in, 0));
    View part = slice_view(fr, in, x->a, 2, y->a->dim);
    copy_view(part, view_of(y->a), y->a);
    if (x->undef) visit_part(fr, in, x, part, y->a->dim, 0, true);
    interp_drop(fr, in->op, y);
    interp_put_tensor(fr, in, x);
}

void interp_OP_PAD(Frame *fr, const Inst *in) {
    const dsl_array *x = interp_defined(fr, in, 0)->a;
    Tensor *r = interp_result_like(fr, in, 0);
    fill_all(r->a, interp_opnd(fr, in, 1));
    copy_view(slice_view(fr, in, r->a, 2, x->dim), view_of(x), x);
    interp_put_tensor(fr, in, r);
}

void interp_OP_CONCAT(Frame *fr, const Inst *in) {
    int64_t axis = op_attr(in->op, A_AXES)->ints[0];
    Tensor *r = interp_result_like(fr, in, 0);
    View to = view_of(r->a);
    for (int k = 0; k < in->op->nopnds; k++) {
        const dsl_array *x = interp_defined(fr, in, k)->a;
        copy_view(to, view_of(x), x);
        to.at += x->dim[axis] * to.stride[axis];
    }
    interp_put_tensor(fr, in, r);
}

static void reshape(Frame *fr, const Inst *in, Tensor *t, const int64_t *dim) {
    const Type *type = in->op->res[0].type;
    int64_t count = 1;
    for (int i = 0; i < type->rank; i++) count = dsl_mul_i64(count, dim[i]);
    if (count != t->a->count) interp_check_proved(fr, in);
    t->a = dsl_reshape(interp_site(fr, in->op), t->a, type->rank, dim);
    interp_put_tensor(fr, in, t);
}

void interp_OP_RESHAPE(Frame *fr, const Inst *in) {
    int64_t dim[MAX_RANK];
    Tensor *t = interp_take(fr, in, 0);
    interp_result_dims(fr, in, 0, dim);
    reshape(fr, in, interp_unique(fr, in->op, t), dim);
}

/* The dims of the result as far as they are known, else those of the tensor. */
static void retype(Frame *fr, const Inst *in, const Tensor *t) {
    int64_t dim[MAX_RANK];
    bool differs = false;
    for (int i = 0; i < t->a->rank; i++) /* a symbol that comes up may come up twice */
        if (in->dims[0][i].define) fr->env[in->dims[0][i].slot].i = t->a->dim[i];
    for (int i = 0; i < t->a->rank; i++) {
        const DimCode *d = &in->dims[0][i];
        dim[i] = d->define ? t->a->dim[i] : interp_size(fr, d->size);
        differs |= dim[i] != t->a->dim[i];
    }
    if (differs) interp_check_proved(fr, in);
    const Attr *msg = op_attr(in->op, A_MSG);
    if (differs) dsl_retype(interp_site(fr, in->op), t->a, dim, msg ? msg->s : NULL, interp_other_site(fr->in, in->op));
}

void interp_OP_RETYPE(Frame *fr, const Inst *in) {
    Tensor *t = interp_take(fr, in, 0);
    retype(fr, in, t);
    interp_put_tensor(fr, in, t);
}

/* With a message it was a retype. */
void interp_OP_VIEW(Frame *fr, const Inst *in) {
    int64_t dim[MAX_RANK];
    Tensor *t = interp_take(fr, in, 0);
    bool is_retype = op_attr(in->op, A_MSG) && t->a->rank == in->op->res[0].type->rank;
    if (is_retype) retype(fr, in, t);
    t = interp_unique(fr, in->op, t);
    if (is_retype) {
        interp_put_tensor(fr, in, t);
        return;
    }
    interp_result_dims(fr, in, 0, dim);
    reshape(fr, in, t, dim);
}

/* ---- comprehensions */

/* Runs an element region at idx and gives what it yields. */
static void element(Frame *fr, const Block *b, const int64_t *idx, Cell *out) {
    for (int i = 0; i < b->nargs; i++) fr->env[b->args[i]].i = idx[i];
    interp_block(fr, b);
    for (int i = 0; i < b->nyield; i++) out[i] = fr->env[b->yield[i]];
}

static int parts_of(const Inst *in) {
    if (in->op->nres > MAX_PARTS) bug("%s with %d results", op_info(in->op->code)->mnemonic, in->op->nres);
    return in->op->nres;
}

void interp_OP_GENERATE(Frame *fr, const Inst *in) {
    int n = parts_of(in);
    Cell r[MAX_PARTS], v[MAX_PARTS];
    int64_t idx[MAX_RANK] = {0};
    for (int k = 0; k < n; k++) r[k].t = interp_result_like(fr, in, k);
    const dsl_array *shape = r[0].t->a;
    for (int64_t at = 0; at < shape->count; at++) {
        element(fr, in->regs[0], idx, v);
        for (int k = 0; k < n; k++) interp_store((DType)r[k].t->a->dtype, r[k].t->a->data, at, v[k]);
        for (int i = shape->rank - 1; i >= 0 && ++idx[i] == shape->dim[i]; i--) idx[i] = 0;
    }
    interp_put(fr, in, r);
}

/* ---- reductions: the fixed tree */

typedef struct {
    Frame *fr;
    const Inst *in;
    int rank, n; /* axes; parts of a value */
    int64_t extent[MAX_RANK], idx[MAX_RANK];
    Cell identity[MAX_PARTS];
} Reduction;

/* a = a op b */
static void combine(Frame *fr, const Inst *in, int n, Cell *a, const Cell *b) {
    if (in->fn) {
        for (int i = 0; i < n; i++) a[i] = in->fn(a[i], b[i], (Cell){0});
        return;
    }
    const Block *c = in->regs[1];
    for (int i = 0; i < n; i++) {
        fr->env[c->args[i]] = a[i];
        fr->env[c->args[n + i]] = b[i];
    }
    interp_block(fr, c);
    for (int i = 0; i < n; i++) a[i] = fr->env[c->yield[i]];
}

static void reduce_axis(Reduction *r, int axis, Cell *out);

static void reduce_element(Reduction *r, int axis, int64_t j, Cell *out) {
    r->idx[axis] = j;
    if (axis + 1 < r->rank) reduce_axis(r, axis + 1, out);
    else element(r->fr, r->in->regs[0], r->idx, out);
}

static void reduce_chunk(Reduction *r, int axis, int64_t lo, int64_t len, Cell *out) {
    Cell lane[LANES][MAX_PARTS], x[MAX_PARTS];
    size_t bytes = sizeof(Cell) * (size_t)r->n;
    for (int l = 0; l < LANES; l++) memcpy(lane[l], r->identity, bytes);
    for (int64_t j = 0; j < len; j++) {
        reduce_element(r, axis, lo + j, x);
        combine(r->fr, r->in, r->n, lane[j % LANES], x);
    }
    static const int joins[][2] = {{0, 4}, {2, 6}, {0, 2}, {1, 5}, {3, 7}, {1, 3}, {0, 1}};
    for (int i = 0; i < LANES - 1; i++) combine(r->fr, r->in, r->n, lane[joins[i][0]], lane[joins[i][1]]);
    memcpy(out, lane[0], bytes);
}

/* How many elements stand together: in a chunk (0), a group of chunks (1), a block of groups (2) */
static int64_t tree_span(int level) { return level ? FAN * tree_span(level - 1) : CHUNK; }

static void reduce_level(Reduction *r, int axis, int level, int64_t lo, int64_t len, Cell *out) {
    Cell part[MAX_PARTS];
    int64_t span = tree_span(level);
    memcpy(out, r->identity, sizeof(Cell) * (size_t)r->n);
    for (int64_t at = 0; at < len; at += span) {
        int64_t n = len - at < span ? len - at : span;
        Cell *to = at ? part : out;
        if (level) reduce_level(r, axis, level - 1, lo + at, n, to);
        else reduce_chunk(r, axis, lo + at, n, to);
        if (at) combine(r->fr, r->in, r->n, out, part);
    }
}

static void reduce_few(Reduction *r, int axis, int64_t n, Cell *out) {
    Cell x[MAX_PARTS];
    memcpy(out, r->identity, sizeof(Cell) * (size_t)r->n);
    for (int64_t j = 0; j < n; j++) {
        reduce_element(r, axis, j, x);
        combine(r->fr, r->in, r->n, out, x);
    }
}

static void reduce_axis(Reduction *r, int axis, Cell *out) {
    int64_t n = r->extent[axis];
    if (n <= FEW) reduce_few(r, axis, n, out);
    else reduce_level(r, axis, LEVELS, 0, n, out);
}

void interp_OP_REDUCE(Frame *fr, const Inst *in) {
    Reduction r = {.fr = fr, .in = in, .rank = in->regs[0]->nargs, .n = parts_of(in)};
    Cell out[MAX_PARTS];
    for (int i = 0; i < r.rank; i++) r.extent[i] = interp_opnd(fr, in, i).i;
    for (int i = 0; i < r.n; i++)
        r.identity[i] = in->fn ? interp_kind_identity(op_combine(in->op), in->op->res[i].type->dtype)
                               : interp_opnd(fr, in, r.rank + i);
    if (r.rank) reduce_axis(&r, 0, out);
    else element(fr, in->regs[0], r.idx, out);
    interp_put(fr, in, out);
}

/* A scan: sum[0] combines the elements of this run so far, sum[k] the blocks of 16^k elements that are complete in the
 * block of 16^(k+1) that this is in, sum[5] all blocks of 16^5 before. */
typedef struct {
    Frame *fr;
    const Inst *in;
    int n;
    bool some[SCAN_LEVELS + 1];
    Cell sum[SCAN_LEVELS + 1][MAX_PARTS];
} Scan;

/* (*some, sum) and x behind it */
static void take_in(const Scan *s, bool *some, Cell *sum, const Cell *x) {
    if (*some) combine(s->fr, s->in, s->n, sum, x);
    else memcpy(sum, x, sizeof *x * (size_t)s->n);
    *some = true;
}

/* What stands before this run, then its elements so far */
static void scanned(const Scan *s, Cell *out) {
    bool some = false;
    for (int k = SCAN_LEVELS; k >= 0; k--)
        if (s->some[k]) take_in(s, &some, out, s->sum[k]);
}

/* `done` elements are done: the blocks that end there are part of those around. */
static void close_blocks(Scan *s, int64_t done) {
    for (int k = 0; k < SCAN_LEVELS && done % SCAN_FAN == 0; k++, done /= SCAN_FAN) {
        take_in(s, &s->some[k + 1], s->sum[k + 1], s->sum[k]);
        s->some[k] = false;
    }
}

void interp_OP_SCAN(Frame *fr, const Inst *in) {
    Scan s = {.fr = fr, .in = in, .n = parts_of(in)};
    Cell r[MAX_PARTS], x[MAX_PARTS];
    for (int k = 0; k < s.n; k++) r[k].t = interp_result_like(fr, in, k);
    for (int64_t j = 0; j < r[0].t->a->count; j++) {
        element(fr, in->regs[0], &j, x);
        take_in(&s, &s.some[0], s.sum[0], x);
        scanned(&s, x);
        for (int k = 0; k < s.n; k++) interp_store((DType)r[k].t->a->dtype, r[k].t->a->data, j, x[k]);
        close_blocks(&s, j + 1);
    }
    interp_put(fr, in, r);
}

/* ---- linear algebra */

typedef struct { const dsl_array *a; int64_t start, stride; } Line; /* elements start, start+stride, .. */

typedef struct { DType t; Line x, y; ElemFn *add, *mul; } Dot;

static Cell dot_product(const Dot *d, int64_t j) {
    Cell a = interp_load(d->t, d->x.a->data, d->x.start + j * d->x.stride);
    Cell b = interp_load(d->t, d->y.a->data, d->y.start + j * d->y.stride);
    return d->mul(a, b, (Cell){0});
}

static Cell dot_few(const Dot *d, int64_t n) {
    Cell total = interp_kind_identity(COMBINE_ADD, d->t);
    for (int64_t j = 0; j < n; j++) total = d->add(total, dot_product(d, j), (Cell){0});
    return total;
}

static Cell dot_chunk(const Dot *d, int64_t lo, int64_t len) {
    Cell s[LANES], none = {0};
    for (int l = 0; l < LANES; l++) s[l] = interp_kind_identity(COMBINE_ADD, d->t);
    for (int64_t j = lo; j < lo + len; j++) s[j % LANES] = d->add(s[j % LANES], dot_product(d, j), none);
    Cell even = d->add(d->add(s[0], s[4], none), d->add(s[2], s[6], none), none);
    Cell odd = d->add(d->add(s[1], s[5], none), d->add(s[3], s[7], none), none);
    return d->add(even, odd, none);
}

static Cell dot_level(const Dot *d, int level, int64_t lo, int64_t len) {
    Cell total = interp_kind_identity(COMBINE_ADD, d->t), none = {0};
    int64_t span = tree_span(level);
    for (int64_t at = 0; at < len; at += span) {
        int64_t n = len - at < span ? len - at : span;
        Cell part = level ? dot_level(d, level - 1, lo + at, n) : dot_chunk(d, lo + at, n);
        total = at ? d->add(total, part, none) : part;
    }
    return total;
}

/* The sum of the products of two lines, in the fixed tree. */
static Cell dot_lines(DType t, Line x, Line y, int64_t n) {
    Dot d = {t, x, y, interp_kind_fn(COMBINE_ADD, t), interp_kind_fn(COMBINE_MUL, t)};
    return n <= FEW ? dot_few(&d, n) : dot_level(&d, LEVELS, 0, n);
}

/* Line i of a along the inner axis of a product, in the matrix that begins at `from`; a vector has one. */
static Line inner_line(const dsl_array *a, int64_t from, bool inner_is_first, int64_t i) {
    if (a->rank == 1) return (Line){a, 0, 1};
    int64_t across = a->dim[a->rank - 1];
    return inner_is_first ? (Line){a, from + i, across} : (Line){a, from + i * across, 1};
}

static int64_t matrix_dim(const dsl_array *a, bool last) { return a->rank == 1 ? 1 : a->dim[a->rank - 2 + last]; }

static void dot_plainly(const dsl_array *a, const dsl_array *b, bool ta, bool tb, dsl_array *r) {
    int64_t inner = a->rank == 1 ? a->dim[0] : matrix_dim(a, !ta), rows = matrix_dim(a, ta), cols = matrix_dim(b, !tb);
    int64_t stack = r->count ? r->count / (rows * cols) : 0;
    for (int64_t s = 0; s < stack; s++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                interp_store((DType)r->dtype, r->data, (s * rows + i) * cols + j,
                             dot_lines((DType)r->dtype, inner_line(a, s * rows * inner, ta, i),
                                       inner_line(b, s * inner * cols, !tb, j), inner));
}

/* Matrix by matrix has the library's rounding; everything else is the fixed tree. */
static void matrix_product(Frame *fr, const Inst *in) {
    const dsl_array *a = interp_defined(fr, in, 0)->a, *b = interp_defined(fr, in, 1)->a;
    bool ta = dot_turns(in->op, 0), tb = dot_turns(in->op, 1);
    if (in->op->res[0].type->kind == TY_SCALAR) {
        fr->env[in->r] = dot_lines((DType)a->dtype, (Line){a, 0, 1}, (Line){b, 0, 1}, a->count);
        return;
    }
    bool library = a->rank >= 2 && b->rank >= 2 && (a->dtype == DSL_F64 || a->dtype == DSL_F32);
    if (library) {
        interp_put_tensor(fr, in, interp_adopt(fr, in->op, dsl_gemm(interp_site(fr, in->op), a, b, ta, tb)));
        return;
    }
    Tensor *r = interp_result_like(fr, in, 0);
    dot_plainly(a, b, ta, tb, r->a);
    interp_put_tensor(fr, in, r);
}

void interp_OP_DOT(Frame *fr, const Inst *in) { matrix_product(fr, in); }
/* ---- stage loops */

void interp_OP_EMPTY(Frame *fr, const Inst *in) {
    Tensor *t = interp_result_like(fr, in, 0);
    size_t n = (size_t)t->a->count;
    t->undef = malloc(n ? n : 1);
    if (!t->undef) fatal_oom();
    memset(t->undef, 1, n);
    memset(t->a->data, 0xA5, n * (size_t)dsl_dtype_bytes(t->a->dtype));
    interp_put_tensor(fr, in, t);
}

void interp_OP_RETAIN(Frame *fr, const Inst *in) { interp_borrow(fr, in, 0)->owners++; }
void interp_OP_RELEASE(Frame *fr, const Inst *in) { interp_drop(fr, in->op, interp_borrow(fr, in, 0)); }
