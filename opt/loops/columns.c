/* columns: a triangular nest goes column by column, so that the rows below the diagonal are independent.
 *
 * Needs stage loops, elements that a loop adds to carried (scalar-replace).  In
 * `for i { for (j < i) { B(i, j) }; D(i) }`, as Cholesky's and LU decomposition are written row by row, B(i, j) adds up
 * what earlier columns left: an addition waits for the one before, and no loop is parallel.  Where the dependences
 * allow it (they are compared pair by pair, with isl) it becomes `for j { D(j); parallel (i > j) { B(i, j) } }`: sums
 * of several rows run side by side (lanes.c), by several threads.  Each sum has its order, each element its operations.
 * Loop interchange of an imperfect, triangular nest: Wolfe, High Performance Compilers for Parallel Computing, 1996,
 * section 9.3; the two orders: Golub and Van Loan, Matrix Computations, 1996, sections 3.2.9 and 4.2.5. */
#include "analysis/affine.h"
#include "opt/loops/loops.h"

enum { MAX_ACCESSES = 32, CAP = 100000 };

typedef struct {
    Op *outer, *inner;
    Op *rows[MAX_ACCESSES], *tail[MAX_ACCESSES]; /* accesses in the inner loop; behind it */
    int nrows, ntail;
    int depth; /* indices around outer */
} Nest;

/* ---- which nests */

static bool is_plain_for(const Op *op) {
    int64_t step;
    return op->code == OP_FOR && !op->nres && value_const_int(op_opnd(op, 2), &step) && step == 1;
}

/* Pure operations, then `for j in lo:i`, where i runs from lo too */
static bool find_inner(Nest *n) {
    const Region *r = n->outer->regs[0];
    Op *o = r->first;
    while (o != region_term(r) && op_is_pure(o) && !o->nregs) o = o->next;
    n->inner = o;
    return is_plain_for(o) && value_same_int(op_opnd(o, 0), op_opnd(n->outer, 0)) && op_opnd(o, 1) == r->args[0];
}

/* Sums that wait for each other: a loop that carries floats */
static bool has_sum(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_FOR && o->nres == 1 && dtype_is_float(o->res[0].type->dtype)) return true;
        if (o->code == OP_IF && has_sum(o->regs[0])) return true;
    }
    return false;
}

static bool collect(const Region *r, Op **list, int *n) {
    for (Op *o = r->first; o; o = o->next) {
        bool access = o->code == OP_LOAD || o->code == OP_STORE;
        if (o->code == OP_ALLOC || o->code == OP_ATOMIC || o->code == OP_BARRIER || o->code == OP_WHILE ||
            *n == MAX_ACCESSES)
            return false;
        if (access) list[(*n)++] = o;
        for (int i = 0; i < o->nregs; i++)
            if (!collect(o->regs[i], list, n)) return false;
    }
    return true;
}

static bool collect_all(Nest *n) {
    if (!collect(n->inner->regs[0], n->rows, &n->nrows)) return false;
    for (Op *o = n->inner->next; o; o = o->next) {
        if (o->code == OP_LOAD || o->code == OP_STORE) {
            if (n->ntail == MAX_ACCESSES) return false;
            n->tail[n->ntail++] = o;
        }
        for (int i = 0; i < o->nregs; i++)
            if (!collect(o->regs[i], n->tail, &n->ntail)) return false;
    }
    return true;
}

static bool inside_parallel(const Op *op) {
    for (op = op->parent->owner; op && op->code != OP_ISLAND; op = op->parent->owner)
        if (op->code == OP_PARALLEL) return true;
    return op == NULL;
}

static int count_indices(const Op *op) {
    int n = 0;
    for (op = op->parent->owner; op; op = op->parent->owner)
        n += op->code == OP_FOR ? 1 : op->code == OP_PARALLEL ? op->regs[0]->nargs : 0;
    return n;
}

/* ---- may it */

static const Value *buffer_of(const Op *access) { return op_opnd(access, access->code == OP_STORE); }

/* { instance of a -> instance of b : they touch one element }, in one turn of the loops around the nest; NULL: unknown
 */
static isl_map *meetings(Affine *f, const Nest *n, Op *a, Op *b) {
    isl_map *of_a = affine_access(f, a), *of_b = affine_access(f, b);
    isl_set *dom_a = affine_domain(f, a, NULL), *dom_b = affine_domain(f, b, NULL);
    of_a = isl_map_intersect_domain(of_a, dom_a);
    of_b = isl_map_intersect_domain(of_b, dom_b);
    isl_map *both = isl_map_apply_range(of_a, isl_map_reverse(of_b));
    for (int i = 0; i < n->depth; i++) both = isl_map_equate(both, isl_dim_in, i, isl_dim_out, i);
    return both;
}

static bool is_none(isl_map *map) {
    isl_bool empty = isl_map_is_empty(map);
    isl_map_free(map);
    return empty == isl_bool_true;
}

/* B(i, j) and B(i', j') with i < i' change places when j > j', and run at the same time when j = j'. */
static bool rows_may(Affine *f, const Nest *n, Op *a, Op *b) {
    int i = n->depth, j = n->depth + 1;
    isl_map *later = isl_map_order_lt(meetings(f, n, a, b), isl_dim_in, i, isl_dim_out, i);
    isl_map *same = isl_map_equate(isl_map_copy(later), isl_dim_in, j, isl_dim_out, j);
    bool apart = is_none(isl_map_order_gt(later, isl_dim_in, j, isl_dim_out, j));
    return is_none(same) && apart;
}

/* D(i) and B(i', j') with i < i' change places when j' < i. */
static bool tail_may(Affine *f, const Nest *n, Op *d, Op *b) {
    int i = n->depth, j = n->depth + 1;
    isl_map *later = isl_map_order_lt(meetings(f, n, d, b), isl_dim_in, i, isl_dim_out, i);
    return is_none(isl_map_order_gt(later, isl_dim_in, i, isl_dim_out, j));
}

static bool may_conflict(const Op *a, const Op *b) {
    return buffer_of(a) == buffer_of(b) && (a->code == OP_STORE || b->code == OP_STORE);
}

static bool is_legal(const Nest *n) {
    Affine *f = affine_new(n->outer->parent->func, CAP);
    bool fine = true;
    for (int b = 0; b < n->nrows; b++) {
        for (int a = 0; a < n->nrows && fine; a++)
            fine = !may_conflict(n->rows[a], n->rows[b]) || rows_may(f, n, n->rows[a], n->rows[b]);
        for (int d = 0; d < n->ntail && fine; d++)
            fine = !may_conflict(n->tail[d], n->rows[b]) || tail_may(f, n, n->tail[d], n->rows[b]);
    }
    affine_free(f);
    return fine;
}

/* ---- doing it */

/* What stands before the inner loop, and [from, to), for row i */
static void copy_ops(const Nest *n, Builder *b, Cloner *c, Value *i, const Op *from, const Op *to) {
    map_put(b->module->arena, &c->values, n->outer->regs[0]->args[0], i);
    for (const Op *o = n->outer->regs[0]->first; o != n->inner; o = o->next) clone_op(c, b, o);
    for (const Op *o = from; o != to; o = o->next) clone_op(c, b, o);
}

static void by_columns(const Nest *n) {
    Builder b = builder_before(n->outer), row;
    Value *lo = op_opnd(n->outer, 0), *hi = op_opnd(n->outer, 1);
    Region *body = n->outer->regs[0], *inner = n->inner->regs[0];
    Op *columns = build_for(&b, lo, hi, op_opnd(n->outer, 2), 0, NULL);
    Value *j = columns->regs[0]->args[0];
    Builder in = builder_at_end(b.module, columns->regs[0], b.span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(columns->regs[0]));
    in.span = b.span;
    j->name = inner->args[0]->name;
    Cloner of_tail = {.module = b.module}, of_rows = {.module = b.module};
    copy_ops(n, &in, &of_tail, j, n->inner->next, region_term(body));
    Value *first = index_add(&in, j, build_int(&in, 1)),
          *count = index_max(&in, index_sub(&in, hi, first), build_int(&in, 0));
    in.span = n->inner->span;
    Op *rows = build_plain_parallel(&in, 1, &count, &row);
    Value *i = index_add(&row, first, rows->regs[0]->args[0]);
    i->name = rows->regs[0]->args[0]->name = body->args[0]->name;
    map_put(b.module->arena, &of_rows.values, inner->args[0], j);
    copy_ops(n, &row, &of_rows, i, NULL, NULL);
    clone_region_ops(&of_rows, &row, inner, false);
    op_erase(n->outer);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Nest n = {.outer = o};
        if (is_plain_for(o) && find_inner(&n) && has_sum(n.inner->regs[0]) && !inside_parallel(o) &&
            !op_has_effect(o) && !op_may_trap(o) && collect_all(&n)) {
            n.depth = count_indices(o);
            if (is_legal(&n)) {
                by_columns(&n);
                continue;
            }
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_columns(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body);
}
