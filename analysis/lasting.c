/* Arrays of which a loop still has, at its end, whatever it has read.
 *
 * Dynamic programming, factorisations and recurrences set an element once, and read what is set.  No element that is
 * read, be it one of before the loop, is set afterwards: then the array that the loop gives has all of them, and the
 * reverse needs no tape; it reads there (a special case of what is to be recorded: Hascoet, Naumann, Pascual, "To be
 * recorded" analysis in reverse-mode automatic differentiation, 2005; here what would be recorded is not overwritten).
 *
 * Asked is for each read and each write of the array's versions in the loop, the nests, branches and islands in it: is
 * there an instance of the read and a later one of the write at the same element?  isl says no, or what is read is
 * kept.  So the table of a dynamic program may as well be filled by antidiagonals, in parallel. */
#include "analysis/lasting.h"

#include "analysis/affine.h"
#include "analysis/versions.h"

#include <isl/space.h>

enum { MOST_ACCESSES = 24 };

typedef struct { Op *op; bool asked; isl_map *elements; } Access; /* elements: once asked for; NULL: unknown */

typedef struct {
    Affine *affine;
    Versions all;
    Access reads[MOST_ACCESSES];
    Access writes[MOST_ACCESSES];
} Array;

typedef struct { Arena *arena; Affine *affine; Map *read, *written; } Search;

/* ---- which comes first */

static bool is_in_memory(const Op *access) {
    return access->code == OP_LOAD || access->code == OP_STORE || access->code == OP_ATOMIC;
}

/* The array as it is read, or has been written */
static const Value *version_of(const Op *access) {
    bool read = access->code == OP_EXTRACT || access->code == OP_SLICE;
    return read ? op_opnd(access, 0) : &access->res[0];
}

/* Where access is, if that is to memory, or else the version that it is of: a region that op stands in, too; *after: op
 * comes behind it there */
static const Region *meeting(const Op *access, const Op *op, bool *after) {
    const Value *version = is_in_memory(access) ? NULL : version_of(access);
    const Region *r = version ? value_region(version) : access->parent;
    const Op *from = version ? version->def : access, *to;
    while (!(to = op_ancestor(op, r))) from = r->owner, r = from->parent;
    *after = from ? from != to && op_dominates(from, to) : true;
    return r;
}

/* The island of both, if its threads wait for each other, or meet in what they write: what one has read, another may
 * write later.  NULL: what two threads do with an element has no order, so it is not done. */
static const Op *common_island(const Op *access, const Op *write) {
    const Op *island = is_in_memory(access) ? op_around(access, OP_ISLAND) : NULL;
    if (!island || !op_inside(write, island)) return NULL;
    return write->code == OP_ATOMIC || op_holds(island, OP_BARRIER) ? island : NULL;
}

/* Pairs of which the second comes later in a loop around both: the first k of their indices are the same. */
static isl_map *later(isl_space *space, int k, bool down) {
    isl_map *map = isl_map_universe(space);
    for (int i = 0; i < k; i++) map = isl_map_equate(map, isl_dim_in, i, isl_dim_out, i);
    if (down) return isl_map_order_gt(map, isl_dim_in, k, isl_dim_out, k);
    return isl_map_order_lt(map, isl_dim_in, k, isl_dim_out, k);
}

/* Whether the turns of the loop of this index have an order, and which; NOBODY: that is not known */
typedef enum { UP, DOWN, NONE, NOBODY } Direction;

static Direction direction(const Value *iv) {
    const Op *loop = iv->region->owner;
    int64_t step;
    if (loop->code == OP_PARALLEL) return NONE;
    if (loop->code != OP_FOR || !value_const_int(op_opnd(loop, 2), &step) || !step) return NOBODY;
    return step < 0 ? DOWN : UP;
}

/* All pairs of the space in which the write comes after the other; NULL: nobody knows */
static isl_map *order_of(const Array *a, isl_space *space, const Op *access, Op *write) {
    bool after;
    const Op *island = common_island(access, write);
    const Region *r = island ? after = true, island->parent : meeting(access, write, &after);
    int depth = affine_depth(a->affine, r);
    isl_map *order = isl_map_empty(isl_space_copy(space));
    for (int k = 0; k < depth; k++) {
        Direction way = direction(affine_iv(a->affine, write, k));
        if (way == NOBODY) {
            isl_map_free(order), isl_space_free(space);
            return NULL;
        }
        if (way != NONE) order = isl_map_union(order, later(isl_space_copy(space), k, way == DOWN));
    }
    if (!after) return isl_space_free(space), order;
    isl_map *same = isl_map_universe(space);
    for (int k = 0; k < depth; k++) same = isl_map_equate(same, isl_dim_in, k, isl_dim_out, k);
    return isl_map_union(order, same);
}

/* ---- does the write change what is read, or has been written, before */

static isl_map *read_elements(Affine *affine, Op *access) {
    isl_set *domain = affine_domain(affine, access, NULL);
    isl_map *map = affine_access(affine, access);
    if (domain && map) return isl_map_intersect_domain(map, domain);
    isl_set_free(domain), isl_map_free(map);
    return NULL;
}

/* The caller frees the map. */
static isl_map *elements_of(const Array *a, Access *access) {
    if (!access->asked) access->elements = read_elements(a->affine, access->op);
    access->asked = true;
    return isl_map_copy(access->elements);
}

static bool stays(const Array *a, Access *access, Access *write) {
    isl_map *from = elements_of(a, access), *to = elements_of(a, write);
    if (!from || !to) return isl_map_free(from), isl_map_free(to), false;
    affine_begin(a->affine);
    isl_map *pairs = isl_map_apply_range(from, isl_map_reverse(to));
    isl_map *order = pairs ? order_of(a, isl_map_get_space(pairs), access->op, write->op) : NULL;
    bool known = order;
    if (order) pairs = isl_map_intersect(pairs, order);
    isl_bool none = known && pairs ? isl_map_is_empty(pairs) : isl_bool_error;
    isl_map_free(pairs);
    return affine_end(a->affine) && none == isl_bool_true;
}

/* Whatever is written */
static bool lasts(Array *a, Access *access) {
    bool known = op_flag(access->op, A_LASTING);
    for (int k = 0; k < a->all.writes.len && !known; k++)
        if (!stays(a, access, &a->writes[k])) return false;
    return true;
}

/* ---- all loops */

/* Of several loops around, the outermost: it is asked for first. */
static void note(Arena *arena, Map *map, Value *v, void *what) {
    if (!map_has(map, v)) map_put(arena, map, v, what);
}

/* What is put there, where it is computed: it is there whenever that is. */
static void note_written(Arena *arena, Array *a, Value *carried, Map *written) {
    for (int i = 0; i < a->all.writes.len; i++) {
        Op *write = a->writes[i].op;
        Value *v = op_opnd(write, write->code != OP_STORE);
        if (write->code == OP_ATOMIC || !v->def || v->def->parent != write->parent || value_is_fixed(v)) continue;
        if (!lasts(a, &a->writes[i])) continue;
        Lasting *l = NEW(arena, Lasting);
        *l = (Lasting){carried, write};
        note(arena, written, v, l);
        Value *whole = v->def->code == OP_RESHAPE ? op_opnd(v->def, 0) : v;
        if (whole->def && whole->def->parent == write->parent) note(arena, written, whole, l);
    }
}

static void begin_accesses(Array *a) {
    for (int i = 0; i < a->all.reads.len; i++) a->reads[i] = (Access){.op = a->all.reads.data[i]};
    for (int i = 0; i < a->all.writes.len; i++) a->writes[i] = (Access){.op = a->all.writes.data[i]};
}

static void end_accesses(Array *a) {
    for (int i = 0; i < a->all.reads.len; i++) isl_map_free(a->reads[i].elements);
    for (int i = 0; i < a->all.writes.len; i++) isl_map_free(a->writes[i].elements);
}

static void look_at(Search *s, Op *loop, int k) {
    Array a = {.affine = s->affine};
    Value *carried = loop_carried(loop, k);
    if (!type_is_tensor(carried->type) || map_has(s->read, carried)) return;
    if (!versions_find(s->arena, loop, k, MOST_ACCESSES, &a.all)) return;
    affine_within(s->affine, loop);
    begin_accesses(&a);
    int lasting = 0;
    for (int i = 0; i < a.all.reads.len; i++) {
        if (!lasts(&a, &a.reads[i])) continue;
        note(s->arena, s->read, &a.reads[i].op->res[0], carried);
        lasting++;
    }
    for (int i = 0; i < a.all.order.len && lasting == a.all.reads.len; i++)
        if (op_encloses(loop, a.all.order.data[i])) note(s->arena, s->read, a.all.order.data[i], carried);
    if (s->written) note_written(s->arena, &a, carried, s->written);
    end_accesses(&a);
}

static void visit(Search *s, Region *r) {
    for (Op *op = r->first; op; op = op->next) {
        for (int k = 0; op->code == OP_FOR && k < op->nres; k++) look_at(s, op, k);
        for (int i = 0; i < op->nregs; i++) visit(s, op->regs[i]);
    }
}

void lasting_find(Arena *arena, Region *r, Map *read, Map *written) {
    Search s = {arena, affine_new(r->func, 0), read, written};
    visit(&s, r);
    affine_free(s.affine);
}
