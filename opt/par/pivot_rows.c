/* pivot-rows: for derivatives, what a loop reads of rows that it does not change, of an array that it does, is read of
 * these rows as they are before it.
 *
 * Gauss and Jordan, exchanges of rows, the simplex method and shortest paths take multiples of one row from all others.
 * The row changes in later turns of the loop around, so that the reverse needs it as it was, and in the innermost loop
 * it is read for each other row: written down there it would be as much as the whole array for each turn.  As a slice
 * before the loop it is a row.  What nobody changes afterwards is read where it is, at the end (analysis/lasting.h).
 *
 * needs: guards as they are written (`if i != k`), proved indices (prove-bounds).
 */
#include "analysis/versions.h"
#include "opt/par/rows.h"
#include "opt/pass.h"

enum { MOST_ROWS = 4, MOST_ACCESSES = 64 };

/* The rows of x that are read in op, a `for` or an island, and the reads, each of one of them */
typedef struct {
    Op *op;
    Value *x;
    Row rows[MOST_ROWS];
    int nrows, nreads, which[MOST_ACCESSES];
    Op *reads[MOST_ACCESSES];
} Job;

typedef struct {
    RowSearch in;
    Map taken; /* reads that are of rows before a loop further out */
    VEC(Job *) jobs;
} Search;

/* ---- what is read of rows that the loop leaves alone */

static bool is_left_alone(const Search *s, Op *read, isl_set *written) {
    isl_set *elements = affine_touched(s->in.affine, &read, 1, false);
    bool apart = affine_apart(s->in.affine, elements, written);
    isl_set_free(elements);
    return apart;
}

static bool mentions(const Op *read, int rank, const Value *index) {
    for (int k = 0; k < rank; k++)
        if (value_depends(access_index(read, k), index)) return true;
    return false;
}

/* Turns of a loop, or threads, read the same again. */
static bool is_read_again(const Op *op, const Op *read, int rank) {
    for (const Op *o = read->parent->owner;; o = o->parent->owner) {
        int n = o->code == OP_FOR ? 1 : o->code == OP_PARALLEL ? o->nopnds : 0;
        for (int i = 0; i < n; i++) {
            bool single = o->code == OP_PARALLEL && value_is_const_int(op_opnd(o, i), 1);
            if (!single && !mentions(read, rank, o->regs[0]->args[i])) return true;
        }
        if (o == op) return false;
    }
}

static bool read_row(const Search *s, const Job *j, const Op *read, Row *row) {
    int rank = j->x->type->rank;
    unsigned axes = row_still_axes(j->op, read, rank);
    *row = (Row){{NULL}, false};
    for (int k = 0; k < rank; k++)
        if (axes >> k & 1) row->at[k] = access_index(read, k);
    if (axes) row->doubtful = !row_is_there(s->in.linear, j->op, j->x->type, row);
    return axes && (!row->doubtful || row_has_nearest(s->in.linear, j->op, j->x->type, row));
}

static void add_read(Search *s, Job *j, Op *read, isl_set *written) {
    Row row;
    int64_t by;
    int k = 0;
    bool plain = access_is_load(read) && op_flag(read, A_SAFE) && j->nreads < MOST_ACCESSES;
    if (!plain || lasts_for_good(map_get(&s->in.lasting, &read->res[0])) || map_has(&s->taken, read)) return;
    if (!is_read_again(j->op, read, j->x->type->rank)) return;
    if (!read_row(s, j, read, &row) || !is_left_alone(s, read, written)) return;
    while (k < j->nrows && !(row_apart(s->in.linear, &j->rows[k], &row, j->x->type->rank, &by) && !by)) k++;
    if (k == MOST_ROWS) return;
    if (k == j->nrows) j->rows[j->nrows++] = row;
    j->reads[j->nreads] = read, j->which[j->nreads++] = k;
}

/* Single elements are none. */
static bool are_few(const Job *j) {
    Row rows[MOST_ROWS];
    int n = 0;
    for (int i = 0; i < j->nrows; i++)
        if (!row_is_element(&j->rows[i], j->x->type->rank)) rows[n++] = j->rows[i];
    return rows_are_few(rows, n, j->x->type);
}

static void consider(Search *s, Op *op, Value *x, const OpList *reads, const OpList *writes) {
    if (x->type->rank < 2 || !writes->len || !rows_change(op, x)) return;
    Job *j = arena_alloc(s->in.scratch, sizeof *j);
    *j = (Job){.op = op, .x = x};
    affine_within(s->in.affine, op);
    linear_at(s->in.linear, op);
    isl_set *written = affine_touched(s->in.affine, writes->data, writes->len, false);
    for (int i = 0; written && i < reads->len; i++) add_read(s, j, reads->data[i], written);
    isl_set_free(written);
    if (!j->nreads || !are_few(j)) return;
    for (int i = 0; i < j->nreads; i++) map_put(s->in.scratch, &s->taken, j->reads[i], j);
    vec_push(s->in.scratch, &s->jobs, j);
}

/* ---- where */

static void consider_carried(Search *s, Op *loop, int k) {
    Versions v;
    if (!type_is_tensor(loop->res[k].type) || !versions_find(s->in.scratch, loop, k, MOST_ACCESSES, &v)) return;
    consider(s, loop, loop_first(loop, k), &v.reads, &v.writes);
}

static void consider_buffer(Search *s, Op *island, int k) {
    OpList reads = {0}, writes = {0};
    if (!versions_in_threads(s->in.scratch, island->regs[0]->args[k], &reads, &writes)) return;
    consider(s, island, op_opnd(island, k), &reads, &writes);
}

static void visit(void *ctx, Op *op) {
    Search *s = ctx;
    if (!op_around(op, OP_VJP)) return;
    for (int k = 0; op->code == OP_FOR && k < op->nres; k++) consider_carried(s, op, k);
    for (int k = 0; op->code == OP_ISLAND && k < op->nopnds; k++) consider_buffer(s, op, k);
}

/* ---- the rows are taken */

/* The row for threads of the island: one of its operands */
static Value *buffer_of(Op *island, Value *row) {
    for (int i = 0; i < island->nopnds; i++)
        if (op_opnd(island, i) == row) return island->regs[0]->args[i];
    return island_reads(island, row);
}

static void apply(const Job *j) {
    Value *rows[MOST_ROWS];
    Builder b = builder_before(j->op);
    b.span = j->op->span;
    for (int i = 0; i < j->nrows; i++) {
        RowSlice slice = row_slice(&b, j->op, j->x->type, &j->rows[i]);
        bool element = row_is_element(&j->rows[i], j->x->type->rank);
        rows[i] = element ? extract_safe(&b, j->x, j->x->type->rank, slice.start) : row_take(&b, j->x, &slice, false);
    }
    for (int i = 0; i < j->nreads; i++) {
        Op *read = j->reads[i];
        Value *row = rows[j->which[i]];
        if (read->code == OP_LOAD && type_is_tensor(row->type)) row = buffer_of(op_around(read, OP_ISLAND), row);
        row_access(&j->rows[j->which[i]], j->x->type->rank, read, row);
    }
}

void pass_pivot_rows(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Search s = {.in = {0}};
        if (!rows_begin(&s.in, m->funcs.data[i])) continue;
        region_walk(m->funcs.data[i]->body, visit, &s);
        for (int k = 0; k < s.jobs.len; k++) apply(s.jobs.data[k]);
        rows_end(&s.in);
    }
}
