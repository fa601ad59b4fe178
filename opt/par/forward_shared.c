/* forward-shared: what a thread reads of shared memory it reads where that came from.
 *
 * Needs proved accesses (`safe`).  A tile of an array, with a border that the threads at its edges bring, is written by
 * a block before a barrier and read behind it.  Which thread wrote the element that a load finds, and what that thread
 * had read, are relations of indices (analysis/affine.h): composed, they say which element of the array the load gets,
 * as a function of the reader's own indices.  When that is one formula, such as u[clamp(i - 1), j], the load reads
 * there; stores, memory and barrier are then somebody else's to remove.  A stencil by tiles becomes the plain stencil,
 * whose loops become vectors, and whose derivative is one.
 *
 * What was copied from another tile is read in that, if it is still there.  Only arrays of which all loads can do so,
 * and of which each thread would compute little more than before.  Programs are free of races: what is written behind
 * the load, or in the next turn of a loop around it, is never found.  Tiles of which isl would be asked for long stay:
 * its work is limited for each of them. */
#include "analysis/affine.h"
#include "analysis/cost.h"
#include "opt/par/origin.h"
#include "opt/pass.h"

#include <isl/set.h>

enum { MAX_LEAVES = 4, MAX_CLASSES = 3, MAX_ACCESSES = 64, MOST_WORK = 200000 /* for one tile */ };
typedef VEC(Op *) OpVec;

/* Origins whose values are one expression of elements of the same arrays */
typedef struct {
    Value *sample;
    int nleaves;
    isl_map *element[MAX_LEAVES]; /* instances of the load -> the element of the array */
    isl_set *domain;              /* the instances that find such a value */
} Class;

typedef struct {
    Op *load;
    int nclasses;
    Class classes[MAX_CLASSES];
    ElementPlace places[MAX_CLASSES][MAX_LEAVES];
    isl_basic_set *when[MAX_CLASSES]; /* NULL: the last one, whatever is left */
} Plan;
typedef VEC(Plan *) PlanVec;

typedef struct {
    Affine *affine;
    Arena *arena;
    Op *alloc, *grid, *threads;
    Region *around;   /* all uses of the alloc are in it, and as far as barriers go, in its operations */
    OpVec loads, stores;
    PlanVec plans;
} Forward;

/* ---- who uses the memory */

/* Of one loop over threads; each of them runs in a version of the launch of its own */
static bool gather_uses(Forward *f, Op *threads) {
    f->threads = threads;
    f->around = NULL;
    f->loads.len = f->stores.len = f->plans.len = 0;
    for (const Use *u = f->alloc->res[0].uses; u; u = u->next) {
        Op *op = u->user;
        if (!op_inside(op, threads)) continue;
        if (op->code == OP_LOAD) vec_push(f->arena, &f->loads, op);
        else vec_push(f->arena, &f->stores, op);
        while (f->around && !region_encloses(f->around, op->parent)) f->around = f->around->owner->parent;
        if (!f->around) f->around = op->parent;
    }
    return f->loads.len && f->stores.len && f->loads.len + f->stores.len <= MAX_ACCESSES;
}

/* In different branches of one `if` */
static bool are_alternatives(const Op *x, const Op *y) {
    for (const Op *o = x->parent->owner; o; o = o->parent->owner)
        if (op_inside(y, o)) return o->code == OP_IF && op_ancestor(x, o->regs[0]) != op_ancestor(y, o->regs[0]);
    return false;
}

/* The loops over threads with uses, which are proved loads and stores; no two of them run in one block. */
static bool gather_threads(Forward *f, OpVec *all) {
    for (const Use *u = f->alloc->res[0].uses; u; u = u->next) {
        Op *op = u->user, *threads = op_loop_around(op, LOOP_THREAD);
        bool plain = op->code == OP_LOAD || (op->code == OP_STORE && u->index == 1), known = false;
        if (!plain || !op_flag(op, A_SAFE) || !threads || !op_inside(threads, f->grid)) return false;
        for (int i = 0; i < all->len; i++) {
            known |= all->data[i] == threads;
            if (all->data[i] != threads && !are_alternatives(all->data[i], threads)) return false;
        }
        if (!known) vec_push(f->arena, all, threads);
    }
    return true;
}

/* How many barriers of `around` stand before what holds op; -1: there is one in that */
static int phase(const Forward *f, const Op *op) {
    const Op *top = op_ancestor(op, f->around);
    int n = 0;
    if (op_holds(top, OP_BARRIER)) return -1;
    for (const Op *o = top->prev; o; o = o->prev) n += o->code == OP_BARRIER;
    return n;
}

/* ---- what is written */

static bool is_fixed(const Forward *f, const Value *v) { return value_const(v) || value_dominates(v, f->threads); }

/* Shared memory, which nobody writes from where it is read until behind the barrier where the load would read it: all
 * threads write it before a barrier in front of that, or later.  Not in a loop, whose next turn may. */
static bool stays_until(const Forward *f, const Op *read, const Op *load) {
    int from = op_ancestor(read, f->around) ? phase(f, read) : -1, to = phase(f, load);
    if (from < 0 || !origin_same_loops(f->around, f->threads->regs[0]->last)) return false;
    for (const Use *u = op_opnd(read, 0)->uses; u; u = u->next) {
        if (u->user->code == OP_LOAD || !op_inside(u->user, f->threads)) continue;
        int at = op_ancestor(u->user, f->around) ? phase(f, u->user) : -1;
        if (u->user->code != OP_STORE || at < 0 || (at >= from && at <= to)) return false;
    }
    return true;
}

/* An element of an array that nobody writes in the launch, or of shared memory that still holds it */
static bool is_leaf(const Forward *f, const Op *op, const Op *store, const Op *load) {
    const Value *buf = op->code == OP_LOAD ? op_opnd(op, 0) : NULL;
    if (!buf || !op_flag(op, A_SAFE) || !origin_same_loops(op->parent, store)) return false;
    if (buf->type->space == SPACE_SHARED) return buf != &f->alloc->res[0] && stays_until(f, op, load);
    return !op_encloses(f->grid, buf) && !op_holds_write(f->grid, buf);
}

/* The loads of v, from left to right; cost: of what is computed of them */
static bool find_leaves(const Forward *f, const Op *store, const Op *load, Value *v, Op **leaves, int *n, int *cost) {
    if (is_fixed(f, v)) return true;
    if (!v->def || *cost > COST_KEEP) return false;
    if (is_leaf(f, v->def, store, load)) {
        if (*n == MAX_LEAVES) return false;
        leaves[(*n)++] = v->def;
        return true;
    }
    if (!op_is_scalar_arithmetic(v->def)) return false;
    *cost += op_info(v->def->code)->cost;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!find_leaves(f, store, load, op_opnd(v->def, i), leaves, n, cost)) return false;
    return *cost <= COST_KEEP;
}

static bool same_expression(const Forward *f, Value *x, Value *y) {
    const Const *c = value_const(x), *d = value_const(y);
    if (c && d) return const_same(c, d);
    if (is_fixed(f, x) || is_fixed(f, y)) return x == y;
    const Op *a = x->def, *b = y->def;
    if (a->code != b->code || a->nopnds != b->nopnds || x->type != y->type) return false;
    if (a->code == OP_LOAD) return op_opnd(a, 0) == op_opnd(b, 0);
    for (int i = 0; i < a->nopnds; i++)
        if (!same_expression(f, op_opnd(a, i), op_opnd(b, i))) return false;
    return op_same_attrs(a, b);
}

/* ---- which of them a load finds */

/* The instances of the store with this value */
static isl_set *written_by(Forward *f, const Origin *o) {
    bool exact;
    isl_set *domain = affine_domain(f->affine, o->at, &exact), *where = origin_where(f->affine, o);
    if (domain && where && exact) return isl_set_intersect(domain, where);
    isl_set_free(domain);
    isl_set_free(where);
    return NULL;
}

/* Instances of both are of the same block, and of the same turns of the loops around both */
static isl_map *in_same_turn(const Forward *f, isl_map *m) {
    int first = affine_depth(f->affine, f->threads->parent), threads = f->threads->regs[0]->nargs;
    for (int i = 0; i < affine_depth(f->affine, f->around); i++)
        if (i < first || i >= first + threads) m = isl_map_equate(m, isl_dim_in, i, isl_dim_out, i);
    return m;
}

/* Instances of the load -> instances of the store that wrote what it finds */
static isl_map *found_by(Forward *f, Op *load, const Origin *o) {
    isl_map *read = affine_access(f->affine, load), *write = read ? affine_access(f->affine, o->at) : NULL;
    isl_set *reads = write ? affine_domain(f->affine, load, NULL) : NULL, *writes = reads ? written_by(f, o) : NULL;
    if (!writes) {
        isl_map_free(read);
        isl_map_free(write);
        isl_set_free(reads);
        return NULL;
    }
    affine_begin(f->affine);
    read = isl_map_intersect_domain(read, reads);
    write = isl_map_intersect_domain(write, writes);
    isl_map *m = in_same_turn(f, isl_map_apply_range(read, isl_map_reverse(write)));
    return affine_end(f->affine) ? m : (isl_map_free(m), NULL);
}

static void class_free(Class *c) {
    for (int i = 0; i < c->nleaves; i++) isl_map_free(c->element[i]);
    isl_set_free(c->domain);
}

static bool add_to_class(Forward *f, Class *c, const Origin *o, Op *const *leaves, isl_map *found) {
    bool known = true;
    for (int i = 0; i < c->nleaves; i++) {
        isl_map *element = origin_access(f->affine, o, leaves[i]);
        affine_begin(f->affine);
        element = element ? isl_map_apply_range(isl_map_copy(found), element) : NULL;
        known &= element != NULL;
        c->element[i] = !c->element[i] ? element : isl_map_union(c->element[i], element);
        known &= affine_end(f->affine);
    }
    isl_set *domain = isl_map_domain(found);
    c->domain = c->domain ? isl_set_union(c->domain, domain) : domain;
    return known;
}

static Class *class_of(const Forward *f, Plan *p, const Origin *o, int nleaves) {
    for (int i = 0; i < p->nclasses; i++)
        if (same_expression(f, p->classes[i].sample, o->value)) return &p->classes[i];
    if (p->nclasses == MAX_CLASSES) return NULL;
    p->classes[p->nclasses] = (Class){.sample = o->value, .nleaves = nleaves};
    return &p->classes[p->nclasses++];
}

static bool add_origin(Forward *f, Plan *p, const Origin *o) {
    Op *leaves[MAX_LEAVES];
    int n = 0, cost = 0;
    if (!find_leaves(f, o->at, p->load, o->value, leaves, &n, &cost)) return false;
    isl_map *found = found_by(f, p->load, o);
    if (!found) return false;
    if (isl_map_is_empty(found) == isl_bool_true) return isl_map_free(found), true;
    Class *c = class_of(f, p, o, n);
    return c ? add_to_class(f, c, o, leaves, found) : (isl_map_free(found), false);
}

/* ---- where the load reads instead */

/* Every instance of the load finds a value, of one class */
static bool is_covered(Forward *f, Plan *p) {
    isl_set *left = affine_domain(f->affine, p->load, NULL);
    affine_begin(f->affine);
    bool apart = true;
    for (int i = 0; i < p->nclasses; i++) {
        left = isl_set_subtract(left, isl_set_copy(p->classes[i].domain));
        for (int k = 0; k < i; k++)
            apart &= isl_set_is_disjoint(p->classes[i].domain, p->classes[k].domain) == isl_bool_true;
    }
    bool covered = apart && isl_set_is_empty(left) == isl_bool_true;
    isl_set_free(left);
    return affine_end(f->affine) && covered;
}

static bool find_places(Forward *f, Plan *p) {
    for (int i = 0; i < p->nclasses; i++)
        for (int k = 0; k < p->classes[i].nleaves; k++)
            if (!element_find(f->affine, p->classes[i].element[k], &p->places[i][k])) return false;
    return true;
}

/* Where the load finds a value of the class, as one conjunction; NULL: it is none */
static isl_basic_set *find_when(Forward *f, Plan *p, const Class *c) {
    isl_set *domain = affine_domain(f->affine, p->load, NULL);
    affine_begin(f->affine);
    isl_basic_set *one = affine_conjunction(isl_set_coalesce(isl_set_gist(isl_set_copy(c->domain), domain)));
    return affine_end(f->affine) ? one : isl_basic_set_free(one);
}

/* The classes with conditions first; one needs none */
static bool find_conditions(Forward *f, Plan *p) {
    for (int i = 0, missing = 0; i < p->nclasses && p->nclasses > 1; i++) {
        p->when[i] = find_when(f, p, &p->classes[i]);
        if (!p->when[i] && missing++) return false;
    }
    return true;
}

static void plan_free(Plan *p) {
    for (int i = 0; i < p->nclasses; i++) {
        class_free(&p->classes[i]);
        isl_basic_set_free(p->when[i]);
        for (int k = 0; k < MAX_LEAVES; k++) element_free(&p->places[i][k]);
    }
    *p = (Plan){.load = p->load};
}

static bool plan_from(Forward *f, Plan *p, int oldest, int newest) {
    OriginVec all = {0};
    for (int i = 0; i < f->stores.len; i++) {
        Op *store = f->stores.data[i];
        int at = phase(f, store);
        if (at >= oldest && at <= newest && !origins_of(f->arena, store, op_opnd(store, 0), &all)) return false;
    }
    for (int i = 0; i < all.len; i++)
        if (!add_origin(f, p, &all.data[i])) return false;
    return p->nclasses && is_covered(f, p) && find_places(f, p) && find_conditions(f, p);
}

/* From the last stretch between barriers with stores before the load; where that leaves elements, from all before it */
static bool plan_load(Forward *f, Op *load) {
    Plan *p = NEW(f->arena, Plan);
    int at = phase(f, load), newest = -1;
    *p = (Plan){.load = load};
    vec_push(f->arena, &f->plans, p);
    for (int i = 0; i < f->stores.len; i++) {
        int of = phase(f, f->stores.data[i]);
        if (at < 0 || of < 0 || of == at) return false;
        if (of < at && of > newest) newest = of;
    }
    if (newest < 0) return false;
    if (plan_from(f, p, newest, newest)) return true;
    plan_free(p);
    return newest > 0 && plan_from(f, p, 0, newest);
}

/* ---- the change */

/* What v of the class is for the load; place: of its leaves, the next one first */
static Value *write_value(const Forward *f, Builder *b, const Op *load, Value *v, const ElementPlace **place) {
    Value *x[MAX_RANK];
    const Const *c = value_const(v);
    if (is_fixed(f, v)) return c ? build_const(b, *c) : v;
    const Op *op = v->def;
    if (op->code == OP_LOAD) return element_read(f->affine, b, load, op, (*place)++);
    for (int i = 0; i < op->nopnds; i++) x[i] = write_value(f, b, load, op_opnd(op, i), place);
    Op *same = build_op(b, op->code, op->nopnds, x, 1, (const Type *[]){v->type}, 0);
    op_copy_attrs(same, op);
    return &same->res[0];
}

static Value *write_class(const Forward *f, Builder *b, const Plan *p, int i) {
    const ElementPlace *first = p->places[i];
    return write_value(f, b, p->load, p->classes[i].sample, &first);
}

/* The class without a condition, or the last one, is what is left: it comes last. */
static int last_class(const Plan *p) {
    for (int i = 0; i < p->nclasses; i++)
        if (!p->when[i]) return i;
    return p->nclasses - 1;
}

/* From class i on */
static Value *write_choice(const Forward *f, Builder *b, const Plan *p, int i, int last) {
    if (i == last) i++;
    if (i >= p->nclasses) return write_class(f, b, p, last);
    const Type *type = p->load->res[0].type;
    Op *choice = build_if(b, affine_build_inside(f->affine, b, p->load, p->when[i]), 1, &type);
    Builder yes = builder_at_end(b->module, choice->regs[0], b->span),
            no = builder_at_end(b->module, choice->regs[1], b->span);
    Value *x = write_class(f, &yes, p, i), *y = write_choice(f, &no, p, i + 1, last);
    build_yield(&yes, 1, &x);
    build_yield(&no, 1, &y);
    return &choice->res[0];
}

static void replace_load(const Forward *f, const Plan *p) {
    Builder b = builder_before(p->load);
    value_replace_all(&p->load->res[0], write_choice(f, &b, p, 0, last_class(p)));
    op_erase(p->load);
}

/* One version of the launch */
static void forward_version(Forward *f, Op *threads) {
    bool all = gather_uses(f, threads);
    for (int i = 0; i < f->loads.len && all; i++) all = plan_load(f, f->loads.data[i]);
    for (int i = 0; i < f->plans.len; i++) {
        if (all) replace_load(f, f->plans.data[i]);
        plan_free(f->plans.data[i]);
    }
}

static void forward(Func *func, Op *alloc, Op *grid) {
    OpVec versions = {0};
    Forward f = {.arena = arena_new(), .alloc = alloc, .grid = grid};
    bool plain = gather_threads(&f, &versions);
    for (int i = 0; i < versions.len && plain; i++) {
        f.affine = affine_new(func, MOST_WORK);
        affine_within(f.affine, grid);
        affine_together(f.affine);
        forward_version(&f, versions.data[i]);
        affine_free(f.affine);
    }
    arena_free(f.arena);
}

typedef struct { OpVec allocs; bool derived_only; } Found;

static bool is_derived(const Op *op) { return op_around(op, OP_VJP) || op_around(op, OP_JVP); }

static void add_shared(void *ctx, Op *op) {
    Found *f = ctx;
    if (op->code == OP_ALLOC && op->res[0].type->space == SPACE_SHARED && (!f->derived_only || is_derived(op)))
        vec_push(op->parent->func->module->arena, &f->allocs, op);
}

static void forward_in(Func *func, bool derived_only) {
    Found all = {.derived_only = derived_only};
    region_walk(func->body, add_shared, &all);
    for (int i = 0; i < all.allocs.len; i++) {
        Op *alloc = all.allocs.data[i], *grid = op_loop_around(alloc, LOOP_BLOCK);
        if (grid) forward(func, alloc, grid);
    }
}

/* On a GPU tiles stay as they were written, but where derivatives are taken of them. */
void pass_forward_shared(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->body && f->kind != FUNC_EXTERN) forward_in(f, opts->device);
    }
}
