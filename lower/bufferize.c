/* bufferize: values become memory.
 *
 * Needs index form.  Leaves stage loops: at function level only fresh tensors (empty), islands that write them,
 * views, library calls, and control; no comprehension, reduction, slice or update.  Which tensor may be written in
 * place is found when the program runs, by its owners: an inout operand of an island is copied if it has more than
 * one.  So update and insert are islands that write just what changes.  At last every tensor gets its owners
 * (owner.c).
 *
 * A comprehension whose body still computes with tensors (nothing could fuse them away) is done element after
 * element at function level. */
#include "lower/lower.h"

#include <string.h>

static void lower_region(Region *r, const PassOptions *opts);

/* ---- comprehensions */

/* ---- in place: a tensor that dies here and is read only where the element is written */

static bool reads_at(const Op *e, const Region *body) {
    if (e->code != OP_EXTRACT || !op_flag(e, A_SAFE) || e->nopnds != body->nargs + 1) return false;
    for (int i = 0; i < body->nargs; i++)
        if (op_opnd(e, i + 1) != body->args[i]) return false;
    return true;
}

/* Freshly made where it can be seen: an island's or library's result, or what a loop carries */
static bool likely_sole_owner(const Value *v) {
    if (v->def) return v->def->code == OP_ISLAND || v->def->code == OP_BLAS || v->def->code == OP_CALL;
    const Op *o = v->region->owner;
    return o && (o->code == OP_FOR || (o->code == OP_WHILE && v->region == o->regs[1]));
}

static bool may_overwrite(const Value *v, const Op *g, const Type *t) {
    if (v->type != t || value_region(v) != g->parent || !likely_sole_owner(v)) return false;
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *at = op_ancestor(u->user, g->parent);
        if (at == g ? u->index != 0 || !reads_at(u->user, g->regs[0]) : op_dominates(g, at)) return false;
    }
    return true;
}

/* A tensor read in r that op may overwrite; not one of the n taken */
static Value *find_overwritten(const Op *op, const Region *r, const Type *t, Value *const *taken, int n) {
    for (const Op *o = r->first; o; o = o->next) {
        Value *v = o->code == OP_EXTRACT ? op_opnd(o, 0) : NULL;
        for (int i = 0; i < n && v; i++)
            if (taken[i] == v) v = NULL;
        if (v && may_overwrite(v, op, t)) return v;
        for (int i = 0; i < o->nregs; i++)
            if ((v = find_overwritten(op, o->regs[i], t, taken, n))) return v;
    }
    return NULL;
}

static void lower_generate(Op *op, const PassOptions *opts) {
    Builder b = builder_before(op);
    Arena *a = b.module->arena;
    int n = op->nres;
    Value *extents[MAX_RANK], **outs = NEWN(a, Value *, n);
    int64_t *modes = NEWN(a, int64_t, n);
    build_dims(&b, op->res[0].type, extents);
    for (int k = 0; k < n; k++) {
        outs[k] = find_overwritten(op, op->regs[0], op->res[k].type, outs, k);
        modes[k] = outs[k] ? 2 : 1;
        if (!outs[k]) outs[k] = build_empty(&b, op->res[k].type, op->res[k].name);
    }
    Op *island = build_island(&b, n, outs, modes);
    Builder in = builder_at_end(b.module, island->regs[0], op->span);
    island_nest(&in, op, extents, &(IslandTarget){.bufs = island->regs[0]->args});
    if (opts->device) team_choose(island);
    island_finish(island, true);
    op_replace(op, island);
}

/* One element after the other at function level: nested loops that carry the tensors and insert */
static void generate_in_order(Op *op, const PassOptions *opts) {
    Builder b = builder_before(op);
    Region *body = op->regs[0];
    int n = op->nres, rank = body->nargs;
    Value **carried = NEWN(b.module->arena, Value *, n), *extents[MAX_RANK], *opnds[MAX_RANK + 2];
    Op *loops[MAX_RANK];
    build_dims(&b, op->res[0].type, extents);
    for (int k = 0; k < n; k++) carried[k] = build_empty(&b, op->res[k].type, op->res[k].name);
    for (int i = 0; i < rank; i++) {
        loops[i] = build_for(&b, build_int(&b, 0), extents[i], build_int(&b, 1), n, carried);
        opnds[i + 2] = loops[i]->regs[0]->args[0];
        opnds[i + 2]->name = body->args[i]->name;
        value_replace_all(body->args[i], opnds[i + 2]);
        memcpy(carried, loops[i]->regs[0]->args + 1, sizeof *carried * (size_t)n);
        b = builder_at_end(b.module, loops[i]->regs[0], op->span);
    }
    Op *term = region_term(body);
    if (term->prev) op_move_range(body->first, term->prev, b.region, NULL);
    for (int k = 0; k < n; k++) {
        opnds[0] = carried[k], opnds[1] = op_opnd(term, k);
        Op *insert = build_op(&b, OP_INSERT, rank + 2, opnds, 1, &carried[k]->type, 0);
        op_set_flag(insert, A_SAFE);
        carried[k] = &insert->res[0];
    }
    build_yield(&b, n, carried);
    for (int i = rank - 2; i >= 0; i--) {
        b = builder_at_end(b.module, loops[i]->regs[0], op->span);
        for (int k = 0; k < n; k++) carried[k] = &loops[i + 1]->res[k];
        build_yield(&b, n, carried);
    }
    Op *first = loops[0];
    op_replace(op, first);
    lower_region(first->regs[0], opts);
}

static void lower_fold(Op *op, const PassOptions *opts) {
    if (!island_fits(op)) generate_in_order(split_elements(op), opts);
    if (op->code == OP_SCAN) scan_to_island(op, opts->device);
    else reduce_to_island(op, opts->device);
}

static void lower_island(Op *op, const PassOptions *opts) {
    if (opts->device) team_choose(op);
    expand_reduces(op->regs[0]);
}

/* ---- one element */

static void lower_insert(Op *op) {
    Builder b = builder_before(op);
    Value *x = op_opnd(op, 0), *idx[MAX_RANK];
    const int64_t inout = 2;
    for (int i = 2; i < op->nopnds; i++) idx[i - 2] = op_opnd(op, i);
    Op *island = build_island(&b, 1, &x, &inout);
    Builder in = builder_at_end(b.module, island->regs[0], op->span);
    Op *store = build_store(&in, op_opnd(op, 1), island->regs[0]->args[0], op->nopnds - 2, idx);
    if (op_flag(op, A_SAFE)) op_set_flag(store, A_SAFE);
    island_finish(island, false);
    op_replace(op, island);
}

/* ---- views and the library */

/* Another operation with the same operands, from the first that counts on, results and attributes */
static Op *recoded_from(Op *op, OpCode code, int first) {
    Builder b = builder_before(op);
    Value **opnds = NEWN(b.module->arena, Value *, op->nopnds);
    const Type **types = NEWN(b.module->arena, const Type *, op->nres);
    for (int i = first; i < op->nopnds; i++) opnds[i - first] = op_opnd(op, i);
    for (int i = 0; i < op->nres; i++) types[i] = op->res[i].type;
    Op *new = build_op(&b, code, op->nopnds - first, opnds, op->nres, types, 0);
    op_copy_attrs(new, op);
    op_replace(op, new);
    return new;
}

static Op *recoded(Op *op, OpCode code) { return recoded_from(op, code, 0); }

/* A view with a message checks each size; without one, only their product. */
static void lower_retype(Op *op) {
    Op *view = recoded(op, OP_VIEW);
    if (!op_sym(view, A_MSG)) op_set_sym(view, A_MSG, "sizes do not match");
}

/* The matrix of a determinant is there for derivatives. */
static void lower_library(Op *op, const char *name) {
    op_set_sym(recoded_from(op, OP_BLAS, op->code == OP_LU_DET), A_NAME, name);
}

/* ---- the walk */

static void lower_op(Op *op, const PassOptions *opts) {
    switch (op->code) {
    case OP_GENERATE:
        if (island_is_update_part(op)) return;
        if (opts->device && opts->level > 0 && columns_on_device(op)) return;
        if (opts->ranks && island_fits(op) && columns_by_ranks(op, opts, lower_generate)) return;
        if (island_fits(op)) lower_generate(op, opts);
        else generate_in_order(op, opts);
        return;
    case OP_REDUCE: case OP_SCAN: lower_fold(op, opts); return;
    case OP_ISLAND: lower_island(op, opts); return;
    case OP_UPDATE: update_to_island(op, opts->device); return;
    case OP_PAD: pad_to_island(op, opts->device); return;
    case OP_CONCAT: concat_to_island(op); return;
    case OP_INSERT: lower_insert(op); return;
    case OP_RESHAPE: recoded(op, OP_VIEW); return;
    case OP_RETYPE: lower_retype(op); return;
    case OP_DOT: /* of matrices: index-form leaves no other */
        if (!opts->device || !product_on_device(op)) lower_library(op, "gemm");
        return;
    case OP_TRISOLVE: case OP_CHOL_FACTOR: case OP_CHOLESKY: case OP_EIGH:
    case OP_LU_FACTOR: case OP_LU_SOLVE: case OP_LU_INV: case OP_LU_DET: case OP_LU_LOGDET: case OP_LU_SIGN:
    case OP_LU_PARTS:
        lower_library(op, op_info(op->code)->mnemonic);
        return;
    case OP_FOR: case OP_WHILE:
        if (serial_to_island(op)) return;
        /* fall through */
    case OP_IF: case OP_SPAWN:
        for (int i = 0; i < op->nregs; i++) lower_region(op->regs[i], opts);
        return;
    default: return;
    }
}

static void lower_region(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        lower_op(o, opts);
    }
}

void pass_bufferize(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++) {
        if (m->funcs.data[i]->kind == FUNC_EXTERN) continue;
        bool device = opts->level > 0 && opts->device;
        if (device && !choice_is(opts, CH_SCATTER, "no")) sum_on_device(m->funcs.data[i], opts);
        lower_region(m->funcs.data[i]->body, opts);
        if (opts->level > 0 && !choice_is(opts, CH_MERGE, "no")) islands_merge(m->funcs.data[i], opts);
        if (device) turn_on_device(m->funcs.data[i]), count_on_device(m->funcs.data[i], opts);
    }
    m->stage = STAGE_LOOPS;
    own_tensors(m);
}
