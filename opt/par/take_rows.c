/* take-rows: for derivatives, what a turn of a loop does with rows of a table it does with these rows alone.
 *
 * Programs keep what a simulation does in a table, u[t + 1, i] = f(u[t, i], ..), or read what drives it from one.  The
 * reverse of a turn needs what that turn has read, and kept the table for it, of n turns n tables; and what it adds to
 * the derivative of a row it added to all of the table's.  Where a comprehension, a sum, a loop or an island reads
 * elements of an array that the loop around changes, or of others at another place in each turn, all at the same place
 * along some axes, this is a slice before it; an island that writes such a slice, and reads others, gets it and gives
 * it back (`update`).  So a turn keeps rows.
 *
 * needs: slices joined with comprehensions (tensor), bodies of elements (index-bodies), proved indices (prove-bounds).
 */
#include "ir/index.h"
#include "opt/par/rows.h"
#include "opt/pass.h"

enum { MOST_ROWS = 8, MOST_ACCESSES = 64, SPARSE = 8, SHORT = 16 };

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

typedef struct { RowSearch in; VEC(Job *) jobs; } Search;

/* ---- what an operation does with an array */

static bool is_access(const Use *u) {
    bool load = access_is_load(u->user);
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

/* Its number; -1: too many */
static int row_number(const Search *s, Job *j, const Row *row) {
    int64_t by;
    for (int i = 0; i < j->nrows; i++)
        if (row_apart(s->in.linear, &j->rows[i], row, j->x->type->rank, &by) && !by) return i;
    if (j->nrows == MOST_ROWS) return -1;
    j->rows[j->nrows] = *row;
    j->rows[j->nrows].doubtful = !row_is_there(s->in.linear, j->op, j->x->type, row);
    return j->nrows++;
}

/* Of a row that may not be there another one can be taken, as long as there is one. */
static bool all_may_be_taken(const Job *j) {
    for (int i = 0; i < j->nrows; i++) {
        bool some = !j->rows[i].doubtful;
        for (int k = 0; k < j->nrows && !some; k++)
            some = !j->rows[k].doubtful && row_same_axes(&j->rows[i], &j->rows[k], j->x->type->rank);
        if (!some || (i == j->written && j->rows[i].doubtful)) return false;
    }
    return true;
}

/* What is written is one row, and no other one that is read may be the same. */
static bool one_is_written(const Search *s, Job *j) {
    int64_t by;
    j->written = -1;
    for (int i = 0; i < j->n; i++) {
        if (access_is_load(j->accesses[i])) continue;
        if (j->written >= 0 && j->written != j->which[i]) return false;
        j->written = j->which[i];
    }
    for (int i = 0; i < j->nrows && j->written >= 0; i++) {
        bool known = i == j->written ||
                     row_apart(s->in.linear, &j->rows[i], &j->rows[j->written], j->x->type->rank, &by);
        if (!known || (i != j->written && !by)) return false;
    }
    return true;
}

/* Whether the stores, along all axes that move, come to each element: then what the row was does not matter. */
static bool is_written_anew(const Search *s, const Job *j) {
    Op *stores[MOST_ACCESSES];
    int n = 0;
    for (int i = 0; i < j->n; i++) {
        if (j->which[i] != j->written) continue;
        if (access_is_load(j->accesses[i])) return false;
        stores[n++] = j->accesses[i];
    }
    affine_within(s->in.affine, j->op);
    isl_set *touched = affine_touched(s->in.affine, stores, n, true), *all = NULL;
    if (touched) all = affine_extent(s->in.affine, j->op, j->buf->type);
    affine_begin(s->in.affine);
    for (int k = j->x->type->rank - 1; k >= 0 && touched && all; k--) {
        if (!j->rows[j->written].at[k]) continue; /* the row is the same in both */
        touched = isl_set_project_out(touched, isl_dim_set, (unsigned)k, 1);
        all = isl_set_project_out(all, isl_dim_set, (unsigned)k, 1);
    }
    isl_bool covers = touched && all ? isl_set_is_subset(all, touched) : isl_bool_error;
    isl_set_free(touched), isl_set_free(all);
    return affine_end(s->in.affine) && covers == isl_bool_true;
}

/* Rows along all axes but these, of each access */
static bool rows_by(const Search *s, Job *j, const unsigned *axes) {
    j->nrows = 0;
    for (int i = 0; i < j->n; i++) {
        Row row = {{NULL}, false};
        if (!axes[i]) return false;
        for (int k = 0; k < j->x->type->rank; k++)
            if (axes[i] >> k & 1) row.at[k] = access_index(j->accesses[i], k);
        if ((j->which[i] = row_number(s, j, &row)) < 0) return false;
    }
    if (!rows_are_few(j->rows, j->nrows, j->x->type) || !one_is_written(s, j) || !all_may_be_taken(j)) return false;
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
    linear_at(s->in.linear, j->op);
    for (int i = 0; i < j->n; i++) {
        own[i] = row_still_axes(j->op, j->accesses[i], j->x->type->rank);
        common &= own[i];
        if (own[i] == all) own[i] &= all >> 1;
    }
    if (common != all && rows_by_all(s, j, common)) return true;
    for (int k = 0; k < j->x->type->rank; k++)
        if (common >> k & 1 && common != 1u << k && rows_by_all(s, j, 1u << k)) return true;
    return !j->buf && rows_by(s, j, own);
}

/* ---- the rows as arrays of their own */

static Value *take(Builder *b, const Job *j, const RowSlice *s, bool anew) {
    return anew ? build_empty(b, s->own, j->x->name) : row_take(b, j->x, s, j->lasting);
}

/* The island has the row in the place of the array; what it writes goes back into that. */
static Value *exchange(const Job *j, const RowSlice *s, Value *row) {
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
    RowSlice slices[MOST_ROWS];
    Builder b = builder_before(j->op);
    b.span = j->op->span;
    for (int i = 0; i < j->nrows; i++) {
        slices[i] = row_slice(&b, j->op, j->x->type, &j->rows[i]);
        rows[i] = take(&b, j, &slices[i], j->anew && i == j->written);
    }
    int own = j->written < 0 ? 0 : j->written;
    for (int i = 0; i < j->nrows && j->buf; i++)
        if (i != own) rows[i] = island_reads(j->op, rows[i]);
    if (j->buf) rows[own] = exchange(j, &slices[own], rows[own]);
    for (int i = 0; i < j->n; i++)
        row_access(&j->rows[j->which[i]], j->x->type->rank, j->accesses[i], rows[j->which[i]]);
}

/* ---- rows of what does not change: they are copied for their derivative alone, so most of them should be read; and
 * those of a few numbers in sums, coordinates of points, are numbers elsewhere */

/* v is computed of indices, and of what stands before the operation, not of what was read. */
static bool is_counted(const Region *body, const Value *v) {
    const Op *op = v->def;
    if (!region_encloses(body, value_region(v))) return true;
    if (!op) return v->region->owner->code != OP_FOR || loop_number(v) < 0;
    if (op->nregs || op_info(op->code)->traits & TR_READ || op->code == OP_EXTRACT) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_counted(body, op_opnd(op, i))) return false;
    return true;
}

/* How many turns a loop, or threads a parallel one, has; -1: that is known when the program runs */
static double turns_of(const Op *loop) {
    double all = 1;
    int64_t n;
    if (loop->code == OP_FOR) return loop_turns(loop, &n) ? (double)n : -1;
    for (int i = 0; (loop->code == OP_PARALLEL || loop->code == OP_REDUCE) && i < loop->nopnds; i++) {
        if (!value_const_int(op_opnd(loop, i), &n)) return -1;
        all *= (double)n;
    }
    for (int i = 0; loop->code == OP_GENERATE && i < loop->res[0].type->rank; i++) {
        if (!size_is_const(loop->res[0].type->dims[i], &n)) return -1;
        all *= (double)n;
    }
    return all;
}

/* How often the access is made; -1: nobody knows */
static double times_made(const Job *j, const Op *access) {
    double all = 1;
    for (const Op *o = access->parent->owner;; o = o->parent->owner) {
        double turns = turns_of(o);
        if (turns < 0) return -1;
        all *= turns;
        if (o == j->op) return all;
    }
}

static double row_length(const Job *j, const Row *row) {
    double all = 1;
    int64_t n;
    for (int k = 0; k < j->x->type->rank; k++) {
        if (row->at[k]) continue;
        if (!size_is_const(j->x->type->dims[k], &n)) return -1;
        all *= (double)n;
    }
    return all;
}

static bool are_read_along(const Job *j) {
    for (int i = 0; i < j->n; i++) {
        const Row *row = &j->rows[j->which[i]];
        double made = times_made(j, j->accesses[i]), length = row_length(j, row);
        if (made >= 0 && (length < 0 || length > SPARSE * made)) return false;
        if (length >= 0 && length <= SHORT && !rows_step_arrays(j->op)) return false;
        for (int k = 0; k < j->x->type->rank; k++)
            if (!row->at[k] && !is_counted(j->op->regs[0], access_index(j->accesses[i], k))) return false;
    }
    return true;
}

/* Of an array that changes in the loop around, or of which another row is read in each turn */
static bool is_worth_it(const Job *j) {
    return rows_change(j->op, j->x) || (rows_move(j->op, j->x, j->rows, j->nrows) && are_read_along(j));
}

/* ---- where */

static void consider(Search *s, Op *op, Value *x, Value *buf) {
    Job *j = arena_alloc(s->in.scratch, sizeof *j);
    *j = (Job){.op = op, .x = x, .buf = buf};
    if (x->type->rank < 2 || !rows_come_again(op)) return;
    for (int i = 0; i < s->jobs.len; i++) {
        const Job *k = s->jobs.data[i];
        if (k->x == x && (k->op == op || op_inside(op, k->op))) return;
    }
    if (!find_accesses(j) || !find_rows(s, j) || !is_worth_it(j)) return;
    j->lasting = !buf;
    for (int i = 0; i < j->n && j->lasting; i++)
        j->lasting = lasts_for_good(map_get(&s->in.lasting, &j->accesses[i]->res[0]));
    vec_push(s->in.scratch, &s->jobs, j);
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

void pass_take_rows(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Search s = {.in = {0}};
        if (!rows_begin(&s.in, m->funcs.data[i])) continue;
        region_walk(m->funcs.data[i]->body, visit, &s);
        for (int k = 0; k < s.jobs.len; k++) apply(s.jobs.data[k]);
        rows_end(&s.in);
    }
}
