/* read-current: what a loop or an island reads of an array as it was before, and does not change, it reads of the array
 * as it is.
 *
 * `let row = u[k]`, then `for i in k + 1:n { .. u[i, j] -= f * row[j] .. }`: rows are read where they lie, so the loop
 * would read one array and change another, a copy of all of it for each k.  No element that is read is written: there
 * is one array.
 *
 * needs: slices joined with what reads them (fuse); before loops become parallel (independent).
 */
#include "analysis/affine.h"
#include "analysis/versions.h"
#include "opt/pass.h"

enum { MOST_ACCESSES = 64 };

typedef struct { Arena *scratch; Affine *affine; } Search;

/* None of the elements that are read is written, in any turn of op or by any thread. */
static bool are_left_alone(const Search *s, Op *op, const OpList *reads, const OpList *writes) {
    affine_within(s->affine, op);
    isl_set *read = affine_touched(s->affine, reads->data, reads->len, false),
            *written = read ? affine_touched(s->affine, writes->data, writes->len, false) : NULL;
    bool apart = affine_apart(s->affine, read, written);
    isl_set_free(read), isl_set_free(written);
    return apart;
}

/* ---- loops */

/* The array as it is where `at` stands, in the loop that these are the versions of */
static Value *current(const Versions *v, const Op *at) {
    for (const Region *r = at->parent;; at = r->owner, r = at->parent) {
        for (const Op *op = at->prev; op; op = op->prev)
            for (int i = 0; i < op->nres; i++)
                if (map_has(&v->is, &op->res[i])) return (Value *)&op->res[i];
        for (int i = 0; i < r->nargs; i++)
            if (map_has(&v->is, r->args[i])) return r->args[i];
    }
}

/* Reads in the loop of what it begins with; false: it does something else with it */
static bool find_old_reads(const Search *s, Op *loop, const Value *first, OpList *reads) {
    for (const Use *u = first->uses; u; u = u->next) {
        if (!op_inside(u->user, loop)) continue;
        if ((u->user->code != OP_EXTRACT && u->user->code != OP_SLICE) || u->index) return false;
        vec_push(s->scratch, reads, u->user);
    }
    return reads->len && reads->len <= MOST_ACCESSES;
}

static void visit_loop(const Search *s, Op *loop, int k) {
    Versions v;
    OpList reads = {0};
    const Value *first = loop_first(loop, k);
    if (!type_is_tensor(first->type) || !find_old_reads(s, loop, first, &reads)) return;
    if (!versions_find(s->scratch, loop, k, MOST_ACCESSES, &v) || !v.writes.len) return;
    if (!are_left_alone(s, loop, &reads, &v.writes)) return;
    for (int i = 0; i < reads.len; i++) op_set_opnd(reads.data[i], 0, current(&v, reads.data[i]));
}

/* ---- islands */

/* The k-th operand is the i-th, which the threads change, as it was. */
static void visit_pair(const Search *s, Op *island, int i, int k) {
    OpList old = {0}, none = {0}, own = {0}, writes = {0};
    Value *now = island->regs[0]->args[i];
    if (!versions_in_threads(s->scratch, island->regs[0]->args[k], &old, &none) || !old.len || none.len) return;
    if (!versions_in_threads(s->scratch, now, &own, &writes) || !writes.len) return;
    if (old.len > MOST_ACCESSES || !are_left_alone(s, island, &old, &writes)) return;
    for (int r = 0; r < old.len; r++) op_set_opnd(old.data[r], 0, now);
}

static void visit_island(const Search *s, Op *island) {
    const int64_t *modes = op_attr(island, A_MODES)->ints;
    for (int i = 0; i < island->nopnds; i++)
        for (int k = 0; k < island->nopnds && modes[i]; k++)
            if (k != i && !modes[k] && op_opnd(island, k) == op_opnd(island, i)) visit_pair(s, island, i, k);
}

static void visit(void *ctx, Op *op) {
    if (op->code == OP_ISLAND) visit_island(ctx, op);
    for (int k = 0; op->code == OP_FOR && k < op->nres; k++) visit_loop(ctx, op, k);
}

void pass_read_current(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN) continue;
        Search s = {arena_new(), affine_new(f, 0)};
        region_walk(f->body, visit, &s);
        affine_free(s.affine);
        arena_free(s.scratch);
    }
}
