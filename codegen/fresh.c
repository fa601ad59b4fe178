/* Private arrays start as zeros; those whose elements are all written before they are read need none.
 *
 * The array is written row by row, an element of a vector being a row: written rows are those below a bound, which
 * grows as the region of the array is walked.  A row is written by a store, or by one in parallel loops over the rest
 * of its indices; a loop over rows, which begins at one that is written or next, writes row i in turn i; a parallel
 * loop over all indices writes all rows.  Reads are of rows below the bound, at the indices of parallel loops of the
 * same extents.  What stands in branches and other loops may read, and its stores count for nothing. */
#include "codegen/plan.h"
#include "ir/index.h"

typedef struct Fresh {
    Session *session;
    const Value *buf;
    const Value *open[MAX_RANK], *extent[MAX_RANK]; /* indices of the parallel loops around, and their extents */
    int nopen;
    const Value *width[MAX_RANK]; /* of what is written in a row, by axis; NULL: nothing yet */
    int64_t rows;                 /* all before it are written */
    bool whole;                   /* all are */
    const Value *iv;              /* of the loop over rows, or NULL */
    bool turn_done;               /* row iv is written */
} Fresh;

/* The indices in a row, operands from `first` on, are those of the parallel loops around. */
static bool in_row(Fresh *f, const Op *op, int first) {
    if (op->nopnds - first != f->nopen) return false;
    for (int i = 0; i < f->nopen; i++) {
        if (op_opnd(op, first + i) != f->open[i]) return false;
        if (f->width[i] && !value_same_int(f->width[i], f->extent[i])) return false;
    }
    return true;
}

/* v is iv - k, k > 0 */
static bool is_behind(const Value *v, const Value *iv) {
    int64_t k;
    const Op *op = v->def;
    if (!op || (op->code != OP_SUB && op->code != OP_ADD) || op_opnd(op, 0) != iv) return false;
    return int_constant(op_opnd(op, 1), &k) && (op->code == OP_SUB ? k > 0 : k < 0);
}

static bool may_read(Fresh *f, const Op *load) {
    const Value *row = op_opnd(load, 1);
    int64_t k;
    if (!in_row(f, load, 2)) return false;
    if (f->whole || (int_constant(row, &k) && k < f->rows)) return true;
    return f->iv && (is_behind(row, f->iv) || (row == f->iv && f->turn_done));
}

static void write_row(Fresh *f, const Op *store) {
    const Value *row = op_opnd(store, 2);
    int64_t k;
    if (!in_row(f, store, 3)) return;
    if (f->iv && row == f->iv) f->turn_done = true;
    else if (int_constant(row, &k) && k == f->rows) f->rows++;
    else return;
    for (int i = 0; i < f->nopen; i++) f->width[i] = f->extent[i];
}

static bool reads_well(Fresh *f, const Region *r, bool writes);

/* An index before hi comes to all of an axis. */
static bool reaches(const Fresh *f, const Value *hi, const Size *axis) {
    int64_t n, k;
    return int_constant(hi, &k) && size_is_const(axis, &n) ? k >= n : value_size(f->session, hi, false) == axis;
}

/* for i in lo:hi, rows before lo written, each turn of which writes row i */
static bool writes_rows(Fresh *f, const Op *loop) {
    int64_t lo, step;
    if (loop->code != OP_FOR || !int_constant(op_opnd(loop, 0), &lo) || lo < 0 || lo > f->rows) return false;
    if (!int_constant(op_opnd(loop, 2), &step) || step != 1) return false;
    Fresh turn = *f;
    turn.iv = loop->regs[0]->args[0];
    turn.turn_done = false;
    if (!reads_well(&turn, loop->regs[0], true) || !turn.turn_done) return false;
    for (int i = 0; i < MAX_RANK; i++) f->width[i] = turn.width[i];
    int64_t hi;
    if (int_constant(op_opnd(loop, 1), &hi) && hi > f->rows) f->rows = hi;
    f->whole |= reaches(f, op_opnd(loop, 1), f->buf->type->dims[0]);
    return true;
}

/* Each iteration of the parallel loop stores its element, and there is one for each. */
static bool writes_all(const Fresh *f, const Op *parallel) {
    const Type *t = f->buf->type;
    if (parallel->nopnds != t->rank) return false;
    for (int i = 0; i < t->rank; i++)
        if (!reaches(f, op_opnd(parallel, i), t->dims[i])) return false;
    for (const Op *op = parallel->regs[0]->first; op; op = op->next) {
        bool own = op->code == OP_STORE && op_opnd(op, 1) == f->buf;
        for (int i = 0; own && i < t->rank; i++) own = op_opnd(op, 2 + i) == parallel->regs[0]->args[i];
        if (own) return true;
    }
    return false;
}

static bool in_loops(Fresh *f, const Op *parallel, bool writes) {
    int outside = f->nopen;
    if (outside + parallel->nopnds > MAX_RANK) return false;
    for (int i = 0; i < parallel->nopnds; i++) {
        f->extent[f->nopen] = op_opnd(parallel, i);
        f->open[f->nopen++] = parallel->regs[0]->args[i];
    }
    bool well = reads_well(f, parallel->regs[0], writes);
    f->nopen = outside;
    if (writes && !outside && writes_all(f, parallel)) {
        f->whole = true;
        for (int i = 1; i < parallel->nopnds; i++) f->width[i - 1] = op_opnd(parallel, i);
    }
    return well;
}

/* As often as it likes, perhaps never */
static bool reads_well_inside(const Fresh *f, const Op *op) {
    for (int i = 0; i < op->nregs; i++) {
        Fresh inside = *f;
        if (!reads_well(&inside, op->regs[i], false)) return false;
    }
    return true;
}

static bool reads_well(Fresh *f, const Region *r, bool writes) {
    for (const Op *op = r->first; op; op = op->next) {
        if (op->code == OP_LOAD && op_opnd(op, 0) == f->buf && !may_read(f, op)) return false;
        if (op->code == OP_STORE && op_opnd(op, 1) == f->buf && writes) write_row(f, op);
        if (op->code == OP_PARALLEL) {
            if (!in_loops(f, op, writes)) return false;
        } else if (op->nregs && !(writes && writes_rows(f, op)) && !reads_well_inside(f, op)) return false;
    }
    return true;
}

bool plan_is_overwritten(const Op *alloc) {
    const Value *buf = &alloc->res[0];
    if (!buf->type->rank) return false;
    for (const Use *u = buf->uses; u; u = u->next)
        if (!(u->user->code == OP_LOAD && u->index == 0) && !(u->user->code == OP_STORE && u->index == 1)) return false;
    Fresh f = {.session = alloc->parent->func->module->session, .buf = buf};
    return reads_well(&f, alloc->parent, true);
}
