/* join-loads: where branches only choose which element of an array is read, there is one load.
 *
 * Needs proved accesses (`safe`).  `if i == 0 { u[0] } else { u[i - 1] }` is u[max(i - 1, 0)]: the loads of all ways
 * through an `if`, or a select, and those that made what it takes, are a relation of indices (opt/par/origin.h); if it
 * is one formula, one load reads there, and the branches go where nobody else needs them.  What the stencil does at
 * edges is then seen by all that see clamped indices.
 *
 * Only elements that nobody writes meanwhile: of tensors, and of memory that the island only reads.  Branches on
 * remainders stay, which loops over residues do without. */
#include "opt/par/origin.h"
#include "opt/pass.h"

#include <isl/set.h>

enum { MOST_WORK = 50000 /* for one choice */ };
typedef struct { Affine *affine; Func *func; Arena *arena; } Join;

static bool is_read(const Op *op) {
    if (!op || !op_flag(op, A_SAFE)) return false;
    return op->code == OP_EXTRACT || (op->code == OP_LOAD && value_is_only_read(op_opnd(op, 0)));
}

/* All of them are loads of one array, which `at` knows */
static bool are_reads(const OriginVec *all, const Op *at) {
    const Op *first = all->data[0].value->def;
    for (int i = 0; i < all->len; i++) {
        const Op *op = all->data[i].value->def;
        if (!is_read(op) || !origin_same_loops(op->parent, at)) return false;
        if (op->code != first->code || op_opnd(op, 0) != op_opnd(first, 0)) return false;
    }
    return value_dominates(op_opnd(first, 0), at);
}

/* Instances of what chooses -> the element that it takes; NULL: not known */
static isl_map *elements(Join *j, const OriginVec *all) {
    isl_map *m = NULL;
    for (int i = 0; i < all->len; i++) {
        const Origin *o = &all->data[i];
        isl_map *element = origin_access(j->affine, o, o->value->def);
        isl_set *where = element ? origin_where(j->affine, o) : NULL;
        if (!where) return isl_map_free(element), isl_map_free(m), NULL;
        element = isl_map_intersect_domain(element, where);
        m = m ? isl_map_union(m, element) : element;
    }
    isl_set *domain = affine_domain(j->affine, all->data[0].at, NULL);
    return domain ? isl_map_intersect_domain(m, domain) : isl_map_free(m);
}

/* The outermost launch, comprehension or reduction around op; NULL: it runs once */
static const Op *whole(const Op *op) {
    const Op *found = NULL;
    for (const Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code == OP_ISLAND || o->code == OP_GENERATE || o->code == OP_REDUCE || o->code == OP_SCAN) found = o;
    return found;
}

static void look_within(Join *j, const Op *op) {
    if (!j->affine) j->affine = affine_new(j->func, MOST_WORK);
    affine_within(j->affine, op);
    affine_together(j->affine);
}

static void join(Join *j, Op *op, Value *v) {
    OriginVec all = {0};
    ElementPlace place = {0};
    const Op *around = whole(op);
    if (!around || !origins_of(j->arena, op, v, &all) || !are_reads(&all, op)) return;
    look_within(j, around);
    isl_map *m = elements(j, &all);
    Value *joined = NULL;
    if (m && element_find(j->affine, m, &place) && !element_has_quotients(&place)) {
        Builder b = builder_before(op);
        joined = element_read(j->affine, &b, op, all.data[0].value->def, &place);
    }
    element_free(&place);
    isl_map_free(m);
    if (!joined) return;
    value_replace_all(v, joined);
    affine_free(j->affine); /* it is for a function that does not change */
    j->affine = NULL;
}

static void visit(void *ctx, Op *op) {
    if (op->code != OP_IF && op->code != OP_SELECT) return;
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].type->kind == TY_SCALAR && !value_unused(&op->res[i])) join(ctx, op, &op->res[i]);
}

void pass_join_loads(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (!f->body || f->kind == FUNC_EXTERN) continue;
        Join j = {.func = f, .arena = arena_new()};
        region_walk(f->body, visit, &j);
        affine_free(j.affine);
        arena_free(j.arena);
    }
}
