/* take-rows: for derivatives, what a turn of a loop does with rows of a table it does with these rows alone.
 *
 * Programs keep what a simulation does in a table, u[t + 1, i] = f(u[t, i], ..).  The reverse of a turn needs what that
 * turn has read, and kept the table for it: of n turns n tables.  Where a comprehension, a sum, a loop or an island
 * reads elements of an array that the loop around changes, all at the same place along some axes, this is a slice
 * before it; an island that writes such a slice, and reads others, gets it and gives it back (`update`).  So a turn
 * keeps rows.
 *
 * needs: slices joined with comprehensions (tensor), bodies of elements (index-bodies), proved indices (prove-bounds).
 */
#include "analysis/affine.h"
#include "analysis/lasting.h"
#include "analysis/linear.h"
#include "ir/index.h"
#include "opt/pass.h"

enum { MOST_ROWS = 8, MOST_ACCESSES = 64 };

/* A row: where it is along the axes that stand still; NULL: along this one the accesses go.  doubtful: perhaps it is
 * not there, and not accessed then */
typedef struct { Value *at[MAX_RANK]; bool doubtful; } Row;

/* x: the array; buf: what it is inside of an island, else NULL */
typedef struct {
    Op *op;
    Value *x, *buf;
    int n, which[MOST_ACCESSES]; /* accesses; the row of each */
    Op *accesses[MOST_ACCESSES];
    int nrows, written;          /* the row that is written; -1: none is */
    bool anew;                   /* all of that is written, and none of it read */
    bool lasting;                /* what is read the loop has at its end */
    Row rows[MOST_ROWS];
} Job;

typedef struct {
    Arena *scratch;
    Linear *linear;
    Affine *affine;
    Map lasting;     /* what is read that the loop has at its end; a slice has more, so it says so */
    bool derives;    /* something is differentiated */
    VEC(Job *) jobs;
} Search;

/* ---- what an operation does with an array */

static bool is_load(const Op *access) { return access->code == OP_EXTRACT || access->code == OP_LOAD; }
static Value *index_of(const Op *access, int axis) { return op_opnd(access, (is_load(access) ? 1 : 2) + axis); }

static bool is_access(const Use *u) {
    bool load = is_load(u->user);
    return (load || u->user->code == OP_STORE) && u->index == !load && op_flag(u->user, A_SAFE);
}

static bool find_accesses(Job *j) {
    for (const Use *u = (j->buf ? j->buf : j->x)->uses; u; u = u->next) {
        if (!op_inside(u->user, j->op)) continue;
        if (!is_access(u) || j->n == MOST_ACCESSES) return false;
        j->accesses[j->n++] = u->user;
    }
    return j->n > 0;
}

/* ---- which rows */

/* Axes, a bit for each */
static unsigned all_axes(const Job *j) { return (1u << j->x->type->rank) - 1; }

/* v can be computed before: where no turn, or branch, asks for it, too. */
static bool comes_before(const Job *j, const Value *v) {
    const Region *body = j->op->regs[0];
    const Op *op = v->def;
    if (!region_encloses(body, value_region(v))) return true;
    if (!op || op->nregs || !op_is_pure(op)) return false;
    if (!op_is_speculatable(op) && !(op->parent == body && op_surely_runs(j->op))) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!comes_before(j, op_opnd(op, i))) return false;
    return true;
}

static unsigned still_axes(const Job *j, const Op *access) {
    unsigned axes = 0;
    for (int k = 0; k < j->x->type->rank; k++) axes |= (unsigned)comes_before(j, index_of(access, k)) << k;
    return axes;
}

static bool same_axes(const Row *p, const Row *q, int rank) {
    for (int k = 0; k < rank; k++)
        if (!p->at[k] != !q->at[k]) return false;
    return true;
}

/* By how much rows p and q lie apart, if that is known: along the first axis where it is not 0, or 0 */
static bool apart(const Search *s, const Row *p, const Row *q, int rank, int64_t *by) {
    *by = 0;
    if (!same_axes(p, q, rank)) return false;
    for (int k = 0; k < rank && !*by; k++) {
        if (p->at[k] == q->at[k]) continue;
        const Poly *a = linear_value(s->linear, p->at[k]), *b = linear_value(s->linear, q->at[k]);
        const Poly *d = a && b ? linear_sub(s->linear, a, b) : NULL;
        if (!d || !poly_is_const(d, by)) return false;
    }
    return true;
}

static bool is_there(const Search *s, const Job *j, const Row *row) {
    for (int k = 0; k < j->x->type->rank; k++) {
        if (!row->at[k]) continue;
        const Poly *at = linear_value(s->linear, row->at[k]), *n = linear_size(s->linear, j->x->type->dims[k]),
                   *last = n ? linear_sub(s->linear, n, linear_const(s->linear, 1)) : NULL,
                   *room = at && last ? linear_sub(s->linear, last, at) : NULL;
        if (!room || !linear_prove(s->linear, j->op, at) || !linear_prove(s->linear, j->op, room)) return false;
    }
    return true;
}

/* Its number; -1: too many */
static int row_number(const Search *s, Job *j, const Row *row) {
    int64_t by;
    for (int i = 0; i < j->nrows; i++)
        if (apart(s, &j->rows[i], row, j->x->type->rank, &by) && !by) return i;
    if (j->nrows == MOST_ROWS) return -1;
    j->rows[j->nrows] = *row;
    j->rows[j->nrows].doubtful = !is_there(s, j, row);
    return j->nrows++;
}

/* Of a row that may not be there another one can be taken, as long as there is one. */
static bool all_may_be_taken(const Job *j) {
    for (int i = 0; i < j->nrows; i++) {
        bool some = !j->rows[i].doubtful;
        for (int k = 0; k < j->nrows && !some; k++)
            some = !j->rows[k].doubtful && same_axes(&j->rows[i], &j->rows[k], j->x->type->rank);
        if (!some || (i == j->written && j->rows[i].doubtful)) return false;
    }
    return true;
}

/* What is written is one row, and no other one that is read may be the same. */
static bool one_is_written(const Search *s, Job *j) {
    int64_t by;
    j->written = -1;
    for (int i = 0; i < j->n; i++) {
        if (is_load(j->accesses[i])) continue;
        if (j->written >= 0 && j->written != j->which[i]) return false;
        j->written = j->which[i];
    }
    for (int i = 0; i < j->nrows && j->written >= 0; i++) {
        bool known = i == j->written || apart(s, &j->rows[i], &j->rows[j->written], j->x->type->rank, &by);
        if (!known || (i != j->written && !by)) return false;
    }
    return true;
}

/* All rows together are less than half of an array that has so many; with columns x[i, 0], x[i, 1], x[i, 2] of points
 * nothing would be saved. */
static bool are_few(const Job *j) {
    double share = 0;
    for (int i = 0; i < j->nrows; i++) {
        double part = 1;
        int64_t n;
        for (int k = 0; k < j->x->type->rank; k++)
            if (j->rows[i].at[k]) part *= size_is_const(j->x->type->dims[k], &n) ? 1 / (double)(n > 0 ? n : 1) : 0;
        share += part;
    }
    return share < 0.5;
}

/* Whether the stores, along all axes that move, come to each element: then what the row was does not matter. */
static bool is_written_anew(const Search *s, const Job *j) {
    Op *stores[MOST_ACCESSES];
    int n = 0;
    for (int i = 0; i < j->n; i++) {
        if (j->which[i] != j->written) continue;
        if (is_load(j->accesses[i])) return false;
        stores[n++] = j->accesses[i];
    }
    affine_within(s->affine, j->op);
    isl_set *touched = affine_touched(s->affine, stores, n, true), *all = NULL;
    if (touched) all = affine_extent(s->affine, j->op, j->buf->type);
    affine_begin(s->affine);
    for (int k = j->x->type->rank - 1; k >= 0 && touched && all; k--) {
        if (!j->rows[j->written].at[k]) continue; /* the row is the same in both */
        touched = isl_set_project_out(touched, isl_dim_set, (unsigned)k, 1);
        all = isl_set_project_out(all, isl_dim_set, (unsigned)k, 1);
    }
    isl_bool covers = touched && all ? isl_set_is_subset(all, touched) : isl_bool_error;
    isl_set_free(touched), isl_set_free(all);
    return affine_end(s->affine) && covers == isl_bool_true;
}

/* Rows along all axes but these, of each access */
static bool rows_by(const Search *s, Job *j, const unsigned *axes) {
    j->nrows = 0;
    for (int i = 0; i < j->n; i++) {
        Row row = {{NULL}, false};
        if (!axes[i]) return false;
        for (int k = 0; k < j->x->type->rank; k++)
            if (axes[i] >> k & 1) row.at[k] = index_of(j->accesses[i], k);
        if ((j->which[i] = row_number(s, j, &row)) < 0) return false;
    }
    if (!are_few(j) || !one_is_written(s, j) || !all_may_be_taken(j)) return false;
    j->anew = j->written >= 0 && is_written_anew(s, j);
    return true;
}

static bool rows_by_all(const Search *s, Job *j, unsigned axes) {
    unsigned each[MOST_ACCESSES];
    for (int i = 0; i < j->n; i++) each[i] = axes;
    return rows_by(s, j, each);
}

/* Rows and columns of what is only read may stand beside each other; what is written, and all that is read of it, lies
 * along the same axes: as few as stand still for all, or all but one of these (u[t + 1, 0, i] and u[t + 1, 1, i]). */
static bool find_rows(const Search *s, Job *j) {
    unsigned own[MOST_ACCESSES], all = all_axes(j), common = all;
    linear_at(s->linear, j->op);
    for (int i = 0; i < j->n; i++) {
        own[i] = still_axes(j, j->accesses[i]);
        common &= own[i];
        if (own[i] == all) own[i] &= all >> 1;
    }
    if (common != all && rows_by_all(s, j, common)) return true;
    for (int k = 0; k < j->x->type->rank; k++)
        if (common >> k & 1 && common != 1u << k && rows_by_all(s, j, 1u << k)) return true;
    return !j->buf && rows_by(s, j, own);
}

/* ---- the rows as arrays of their own */

typedef struct { Value *start[MAX_RANK]; int64_t steps[MAX_RANK]; const Type *part, *own; } Slice;

static Value *place_of(Builder *b, const Job *j, const Row *row, int axis) {
    Value *at = value_outside(b, j->op->regs[0], row->at[axis]);
    if (!row->doubtful) return at;
    Value *last = index_sub(b, build_size(b, j->x->type->dims[axis]), build_int(b, 1));
    return index_max(b, index_min(b, at, last), build_int(b, 0));
}

/* Of the row: where it starts; what it is in the array, and by itself */
static Slice slice_of(Builder *b, const Job *j, const Row *row) {
    const Type *t = j->x->type;
    Session *s = b->module->session;
    const Size *part[MAX_RANK], *own[MAX_RANK];
    Slice slice;
    int n = 0;
    for (int k = 0; k < t->rank; k++) {
        slice.start[k] = row->at[k] ? place_of(b, j, row, k) : build_int(b, 0);
        slice.steps[k] = 1;
        part[k] = row->at[k] ? size_const(s, 1) : t->dims[k];
        if (!row->at[k]) own[n++] = t->dims[k];
    }
    slice.part = type_tensor(s, t->dtype, t->rank, part), slice.own = type_tensor(s, t->dtype, n, own);
    return slice;
}

static Value *take(Builder *b, const Job *j, const Slice *s, bool anew) {
    if (anew) return build_empty(b, s->own, j->x->name);
    Value *part = slice_safe(b, j->x, s->part, s->start, s->steps);
    if (j->lasting) op_set_flag(part->def, A_LASTING);
    Value *row = build_reshaped(b, part, s->own);
    row->name = j->x->name;
    return row;
}

static void access_row(const Row *place, int rank, Op *access, Value *row) {
    Value *idx[MAX_RANK];
    Builder b = builder_before(access);
    b.span = access->span;
    int n = 0;
    for (int k = 0; k < rank; k++)
        if (!place->at[k]) idx[n++] = index_of(access, k);
    if (access->code == OP_STORE) store_safe(&b, op_opnd(access, 0), row, n, idx);
    else {
        Value *v = access->code == OP_LOAD ? load_safe(&b, row, n, idx) : extract_safe(&b, row, n, idx);
        v->name = access->res[0].name;
        value_replace_all(&access->res[0], v);
    }
    op_erase(access);
}

/* The island has the row in the place of the array; what it writes goes back into that. */
static Value *exchange(const Job *j, const Slice *s, Value *row) {
    Op *op = j->op;
    int at = j->buf->index;
    Session *session = op->parent->func->module->session;
    op_set_opnd(op, at, row);
    j->buf->type = type_buf(session, s->own->dtype, s->own->rank, s->own->dims, j->buf->type->space);
    if (j->written < 0) return j->buf;
    Value *res = island_result(op, at);
    Builder b = builder_after(op);
    b.span = op->span;
    res->type = s->own;
    Value *back = build_reshaped(&b, res, s->part), *whole = update_safe(&b, j->x, back, s->start, s->steps);
    value_replace_all(res, whole);
    op_set_opnd(back->def, 0, res);
    return j->buf;
}

static void apply(Job *j) {
    Value *rows[MOST_ROWS];
    j->x = j->buf ? op_opnd(j->op, j->buf->index) : op_opnd(j->accesses[0], 0); /* a row may have come back to it */
    Slice slices[MOST_ROWS];
    Builder b = builder_before(j->op);
    b.span = j->op->span;
    for (int i = 0; i < j->nrows; i++) {
        slices[i] = slice_of(&b, j, &j->rows[i]);
        rows[i] = take(&b, j, &slices[i], j->anew && i == j->written);
    }
    int own = j->written < 0 ? 0 : j->written;
    for (int i = 0; i < j->nrows && j->buf; i++)
        if (i != own) rows[i] = island_reads(j->op, rows[i]);
    if (j->buf) rows[own] = exchange(j, &slices[own], rows[own]);
    for (int i = 0; i < j->n; i++)
        access_row(&j->rows[j->which[i]], j->x->type->rank, j->accesses[i], rows[j->which[i]]);
}

/* ---- where */

/* A loop around op, inside of what is differentiated, has another such array in each turn. */
static bool changes(const Op *op, const Value *x) {
    for (const Op *o = op->parent->owner; o && o->code != OP_VJP; o = o->parent->owner)
        if (op_is_sequential_loop(o) && op_encloses(o, x)) return true;
    return false;
}

/* What a loop has at its end that carries an array so is not set by a loop around that one, either: there is none. */
static bool stays_for_good(const Value *carried) {
    const Op *o = carried ? carried->region->owner->parent->owner : NULL;
    while (o && o->code != OP_VJP && !op_is_sequential_loop(o)) o = o->parent->owner;
    return o && o->code == OP_VJP;
}

static void consider(Search *s, Op *op, Value *x, Value *buf) {
    Job *j = arena_alloc(s->scratch, sizeof *j);
    *j = (Job){.op = op, .x = x, .buf = buf};
    if (x->type->rank < 2 || !changes(op, x)) return;
    for (int i = 0; i < s->jobs.len; i++) {
        const Job *k = s->jobs.data[i];
        if (k->x == x && (k->op == op || op_inside(op, k->op))) return;
    }
    if (!find_accesses(j) || !find_rows(s, j)) return;
    j->lasting = !buf;
    for (int i = 0; i < j->n && j->lasting; i++)
        j->lasting = stays_for_good(map_get(&s->lasting, &j->accesses[i]->res[0]));
    vec_push(s->scratch, &s->jobs, j);
}

typedef struct { Search *search; Op *op; } Inside;

static void consider_read(void *ctx, Op *op) {
    Inside *in = ctx;
    Value *x = op->code == OP_EXTRACT ? op_opnd(op, 0) : NULL;
    if (x && !op_encloses(in->op, x)) consider(in->search, in->op, x, NULL);
}

static void visit(void *ctx, Op *op) {
    Search *s = ctx;
    if (op->nregs != 1 || !op_around(op, OP_VJP)) return;
    if (op->code == OP_ISLAND)
        for (int i = 0; i < op->nopnds; i++) consider(s, op, op_opnd(op, i), op->regs[0]->args[i]);
    else if (op->code != OP_VJP) region_walk(op->regs[0], consider_read, &(Inside){s, op});
}

static void find_lasting(void *ctx, Op *op) {
    Search *s = ctx;
    if (op->code != OP_VJP) return;
    s->derives = true;
    lasting_find(s->scratch, op->regs[0], &s->lasting, NULL);
}

static void find_jobs(Search *s, Func *f) {
    s->linear = linear_new(f), s->affine = affine_new(f, 0);
    region_walk(f->body, visit, s);
    linear_free(s->linear);
    affine_free(s->affine);
}

void pass_take_rows(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN) continue;
        Search s = {.scratch = arena_new()};
        region_walk(f->body, find_lasting, &s);
        if (s.derives) find_jobs(&s, f);
        for (int k = 0; k < s.jobs.len; k++) apply(s.jobs.data[k]);
        arena_free(s.scratch);
    }
}
