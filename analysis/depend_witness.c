/* Conflicts that are certain: which threads, which element, for which sizes.
 *
 * The question is asked once more of iterations that surely come (the first turn of loops around both accesses), first
 * with all that comes from outside free, so that the least sizes are found; then for a number of ordinary sizes and
 * launch shapes, each with several values for the other ints, then for sizes of which none is tied to another.  What
 * happens in all of these, and unless isl knows better in all others, is a fault of the kernel; what happens in some
 * depends on its use. */
#include "analysis/depend_private.h"

enum {
    SHAPES = 8,
    LARGE = 6,
    SCATTERED = 24,
    VALUES = 5,
    PLAIN = -1,
    ANYTHING = -2
}; /* PLAIN: free, but nothing below 0, sizes not below 2 */
typedef struct Search Search;
typedef const Formula *Ask(const Search *s, Query *q, int k, int side);
struct Search {
    Depend *d;
    Ask *ask;
    Value *differs;
    Op *barrier;
}; /* differs: on what two threads are asked to disagree on their way to a barrier */

/* ---- the question */

static const Formula *ask_pair(const Search *s, Query *q, int k, int side) {
    (void)s;
    const Formula *f = formula_and(q, read_same_element(q), read_inside(&q->env[0]));
    return q->env[0].ndim ? formula_and(q, iterations_differ(q, k, side), f) : f;
}

/* k-th index below 0 (side 0) or beyond the end */
static const Formula *ask_outside(const Search *s, Query *q, int k, int side) {
    (void)s;
    Env *e = &q->env[0];
    Value *buf;
    int first;
    access_parts(e->at.op, &buf, &first);
    const Poly *i = read_value(e, op_opnd(e->at.op, first + k)), *n = read_size(e, buf->type->dims[k]);
    const Poly *room = side ? poly_sub(q->ps, i, n) : poly_sub(q->ps, poly_const(q->ps, -1), i);
    return formula_ge(q, room);
}

/* The counter in a turn that only x takes */
static const Formula *turns_differ(Query *q, Op *op) {
    int64_t step, key[] = {-4};
    const Formula *f = formula_bool(q, true);
    if (!poly_is_const(read_value(&q->env[0], op_opnd(op, 2)), &step)) return formula_unknown(q);
    int turn = query_atom(q, ATOM_IV, 1, key);
    q->atoms.data[turn].has_lo = true;
    for (int i = 0; i < 2; i++) {
        Env *e = &q->env[i];
        const Poly *at = poly_add(q->ps, read_value(e, op_opnd(op, 0)),
                                   poly_scale(q->ps, poly_atom(q->ps, turn), step));
        f = formula_and(q, f, read_before_end(e, op, at, !i));
        if (!i) f = formula_and(q, f, formula_eq(q, poly_sub(q->ps, read_value(e, op->regs[0]->args[0]), at)));
    }
    return f;
}

/* side: which of the two has the flag, or the greater number */
static const Formula *differs(Query *q, Value *v, int side) {
    Env *x = &q->env[side], *y = &q->env[1 - side];
    if (v->type->dtype == DT_BOOL) return formula_and(q, read_condition(x, v, true), read_condition(y, v, false));
    return formula_ge(q, poly_sub(q->ps, poly_sub(q->ps, read_value(x, v), read_value(y, v)), poly_const(q->ps, 1)));
}

static const Formula *ask_differs(const Search *s, Query *q, int k, int side) {
    (void)k;
    Op *at = q->env[0].at.op, *loop = at->code == OP_YIELD ? at->parent->owner : at; /* of a while, its condition */
    const Formula *f = s->differs ? differs(q, s->differs, side) : turns_differ(q, at);
    return formula_and(q, f, read_way(&q->env[0], loop, s->barrier));
}

/* ---- what comes from outside */

static bool is_free(const Atom *a) {
    return a->kind == ATOM_SIZE ||
           (a->kind == ATOM_PARAM && !atom_is_unsure(a) && !dtype_is_float(a->value->type->dtype));
}

static bool is_size(const Atom *a) {
    bool bound = a->kind == ATOM_SIZE;
    for (const Use *u = a->value ? a->value->uses : NULL; u; u = u->next) bound |= u->user->code == OP_BIND;
    return bound;
}

/* Sizes from 256 to 32768 in any order, in every second shape powers of 2: some are multiples of others, some much
 * less; and launches of fewer threads or of more */
static int64_t scattered(const Atom *a, int n, int shape, int own) {
    uint64_t bits = ((uint64_t)shape * 1009 + (uint64_t)n + 1) * 0x9e3779b97f4a7c15u;
    int64_t r = (int64_t)(bits >> 40), power = (int64_t)1 << r % 7;
    int64_t odd = shape % 2 ? power + r / 7 % power : power;
    if (a->extent && shape == SHAPES + SCATTERED) return a->extent == own ? 8 : 1;
    return a->extent > 1 ? 8 + odd : a->extent ? 1 + odd : 256 * odd;
}

/* Value of the n-th such unknown in a shape and with a set of values */
static int64_t ordinary(const Atom *a, int n, int threads, int shape, int values, int own) {
    static const int64_t size[SHAPES] = {4096, 10007, 640, 3001, 8192, 5000, 2, 5},
                         blocks[SHAPES] = {8, 5, 16, 31, 64, 4, 2, 3};
    static const int64_t line[SHAPES] = {64, 128, 256, 32, 16, 8, 4, 64}, plane[SHAPES] = {16, 8, 4, 32, 2, 5, 3, 16};
    static const int64_t other[VALUES] = {1, 0, -5, 1000003, 2};
    if (a->value && a->value->type->dtype == DT_BOOL) return values & 1;
    if (shape >= SHAPES && (is_size(a) || a->extent)) return scattered(a, n, shape, own);
    if (is_size(a)) return size[shape] + (shape < LARGE ? 504 : 3) * n;
    if (a->extent == 1) return blocks[shape] + n;
    if (a->extent > 1) return threads > 1 ? plane[shape] : line[shape];
    return other[values];
}

/* The extents of the loop whose iterations meet (Atom.extent), of which there are several; 0: one iteration is asked
 * about */
static int own_extent(const Search *s, const Query *q) {
    LoopKind kind = s->ask == ask_outside ? LOOP_NONE : op_loop(q->pair->a.loop);
    return kind == LOOP_THREAD ? 2 : kind != LOOP_NONE;
}

/* What is used of it */
static const Formula *assign(Query *q, const bool *used, int shape, int values, int own) {
    const Formula *f = formula_ge(q, poly_const(q->ps, 0));
    int n = 0, threads = 0;
    for (int i = 0; i < q->atoms.len; i++) threads += q->atoms.data[i].extent > 1;
    for (int i = 0; i < q->atoms.len; i++) {
        const Atom *a = &q->atoms.data[i];
        if (!is_free(a) || !used[i]) continue;
        const Poly *x = poly_atom(q->ps, i);
        if (shape >= 0)
            f = formula_and(
                q, f,
                formula_eq(q, poly_sub(q->ps, x, poly_const(q->ps, ordinary(a, n++, threads, shape, values, own)))));
        else if (shape == PLAIN)
            f = formula_and(q, f, formula_ge(q, poly_sub(q->ps, x, poly_const(q->ps, is_size(a) ? 2 : 0))));
    }
    return f;
}

typedef enum {
    NOTHING,
    ARGUMENTS,
    RESULTS
} Freedom; /* on what the question depends: what callers choose, or what was computed before */

/* What a fact ties to the unknowns that are used is used too. */
static void follow_fact(const Query *q, const Formula *fact, bool *used) {
    if (fact->kind == F_AND) {
        follow_fact(q, fact->a, used);
        follow_fact(q, fact->b, used);
    } else if (formula_mentions(q, fact, used)) formula_atoms(q, fact, used);
}

/* The unknowns that question f is about, in the surroundings `outer`: loops around may end at what was computed. */
static bool *atoms_used(Query *q, const Formula *f, const Formula *outer) {
    bool *used = NEWN(q->arena, bool, q->atoms.len + 1);
    formula_atoms(q, f, used);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < q->facts.len; i++) follow_fact(q, q->facts.data[i].f, used);
        follow_fact(q, outer, used);
    }
    return used;
}

static Freedom freedom_of(const Query *q, const bool *used) {
    Freedom r = NOTHING;
    for (int i = 0; i < q->atoms.len; i++) {
        const Atom *a = &q->atoms.data[i];
        if (!used[i] || !is_free(a)) continue;
        bool argument = a->kind == ATOM_SIZE || (!a->value->def && !a->value->region->owner);
        if (!argument) return RESULTS;
        r = ARGUMENTS;
    }
    return r;
}

/* ---- writing it down */

Value *named_counter(Value *iv) {
    for (Op *op = iv->region->first; op && iv->name; op = op->next)
        for (int i = 0; i < op->nres; i++)
            if (op->res[i].name == iv->name && op->res[i].type == iv->type) return &op->res[i];
    return iv;
}

static void note_ivs(Query *q, Env *e, const int64_t *value, int64_t *out) {
    int n = 0;
    Op *around[2 * MAX_RANK];
    for (Op *op = e->at.op->parent->owner; op && n < 2 * MAX_RANK; op = op->parent->owner)
        if (op->code == OP_PARALLEL) around[n++] = op;
    for (int k = 0; n--;)
        for (int i = 0; i < around[n]->nopnds && k < 2 * MAX_RANK; i++, k++)
            if (!poly_value(q, read_value(e, named_counter(around[n]->regs[0]->args[i])), value, &out[k])) out[k] = 0;
}

/* used: by the question; NULL: all */
static void note_free(Query *q, const int64_t *value, const bool *used, Witness *w) {
    w->nfree = 0;
    for (int i = 0; i < q->atoms.len && w->nfree < MAX_NAMED; i++) {
        const Atom *a = &q->atoms.data[i];
        const char *name = a->sym ? a->sym : a->value ? a->value->name : NULL;
        if (!is_free(a) || !name || (used && !used[i])) continue;
        w->free[w->nfree].name = name;
        w->free[w->nfree++].value = value[i];
    }
}

static void note(Query *q, const int64_t *value, const bool *used, Witness *w) {
    Value *buf;
    int first;
    Op *op = q->env[0].at.op;
    w->found = true;
    for (int i = 0; i < 2; i++) note_ivs(q, &q->env[i], value, w->iv[i]);
    note_free(q, value, used, w);
    if (!access_parts(op, &buf, &first)) return;
    for (int i = 0; i < buf->type->rank && first + i < op->nopnds; i++) {
        poly_value(q, read_value(&q->env[0], op_opnd(op, first + i)), value, &w->index[i]);
        poly_value(q, read_size(&q->env[0], buf->type->dims[i]), value, &w->extent[i]);
    }
}

/* ---- search */

/* Atoms that are read only now have no value yet: everything that note() reads is read before. */
static void read_all(Query *q) {
    int64_t *none = NEWN(q->arena, int64_t, 4096);
    Witness w = {0};
    if (q->atoms.len < 2000) note(q, none, NULL, &w);
}

/* Must something hold that depends on data? Then nothing is certain. */
static bool depends_on_data(const Query *q, const Formula *f) {
    if (f->kind == F_AND) return depends_on_data(q, f->a) || depends_on_data(q, f->b);
    if (f->kind == F_OR) return depends_on_data(q, f->a) && depends_on_data(q, f->b);
    for (int i = 0; f->p && i < f->p->n; i++) {
        const Mono *m = poly_mono(q->ps, f->p->t[i].mono);
        for (int k = 0; k < m->n; k++)
            if (atom_is_unsure(&q->atoms.data[m->atom[k]])) return true;
    }
    return false;
}

typedef enum { MISS, HIT, IMPOSSIBLE } Try;

static int axes_of(const Search *s, const Pair *p) {
    Value *buf;
    int first;
    if (s->ask == ask_differs) return 1;
    access_parts(p->a.op, &buf, &first);
    return s->ask == ask_outside ? buf->type->rank : p->a.loop->code == OP_PARALLEL ? p->a.loop->nopnds : 1;
}

/* When the accesses run */
static const Formula *domain_of(const Search *s, Query *q) {
    const Formula *f = read_domain(&q->env[0]);
    return s->ask != ask_outside ? formula_and(q, f, read_domain(&q->env[1])) : f;
}

/* What of the surroundings has to do with the question; the rest holds, or nobody comes here, whatever the answer is.
 */
static const Formula *tied_to(Query *q, const Formula *outer, const bool *used) {
    if (outer->kind == F_AND) return formula_and(q, tied_to(q, outer->a, used), tied_to(q, outer->b, used));
    return formula_mentions(q, outer, used) ? outer : formula_bool(q, true);
}

/* Some axis and side, with everything free (shape < 0) or given; writes down what was found when `w` is not NULL. */
static Try try_all(const Search *s, const Pair *p, int shape, int values, Witness *w, Freedom *free) {
    Try r = MISS;
    Query *q = query_new(s->d, p);
    const Formula *domain = domain_of(s, q), *outer = read_outer(&q->env[0]);
    read_all(q);
    *free = NOTHING;
    if (depends_on_data(q, domain)) return MISS;
    for (int k = 0; k < axes_of(s, p) && r == MISS; k++)
        for (int side = 0; side < 2 && r == MISS; side++) {
            const Formula *goal = s->ask(s, q, k, side), *f = formula_and(q, goal, domain);
            if (depends_on_data(q, goal)) continue;
            int64_t *value = NULL;
            const bool *used = atoms_used(q, f, outer);
            Freedom now = freedom_of(q, used);
            const Formula *given = formula_and(q, assign(q, used, shape, values, own_extent(s, q)),
                                               tied_to(q, outer, used));
            query_model(q, formula_and(q, given, f), &value);
            if (value) r = HIT;
            if (value && w) note(q, value, used, w);
            if (value || now > *free) *free = now;
            if (!value && shape >= 0 && query_solve(q, given, formula_bool(q, true)).sat == ANSWER_NO) r = IMPOSSIBLE;
        }
    return r;
}

/* Sizes may be meant to be no greater than an array: there must be a fault for small ones, too; and in launches of
 * blocks of one thread, or of one block. */
static bool holds_where_tried(const Search *s, const Pair *p) {
    int hits = 0;
    Freedom free;
    bool outside = s->ask == ask_outside;
    for (int shape = 0; shape <= SHAPES + SCATTERED; shape++)
        for (int values = 0; values < VALUES && (shape < LARGE || shape >= SHAPES || outside); values++) {
            Try r = try_all(s, p, shape, values, NULL, &free);
            if (r == MISS) return false;
            hits += r == HIT;
        }
    return hits > 0;
}

/* Sizes and launches that are no special case */
static const Formula *usual(const Search *s, Query *q, const bool *used, bool *free) {
    const Formula *f = formula_bool(q, true);
    int64_t size = s->ask == ask_outside ? 2 : 256; /* small arrays may be meant */
    int own = own_extent(s, q);
    for (int i = 0; i < q->atoms.len; i++) {
        const Atom *a = &q->atoms.data[i];
        free[i] = used[i] && is_free(a);
        if (!free[i] || (!is_size(a) && !a->extent)) continue;
        f = formula_and(q, f,
                        formula_ge(q, poly_sub(q->ps, poly_atom(q->ps, i),
                                               poly_const(q->ps, a->extent ? 1 + (a->extent == own) : size))));
    }
    return f;
}

/* NO: there are others than those that were tried for which nothing happens. */
static Answer holds_everywhere(const Search *s, const Pair *p) {
    Query *q = query_new(s->d, p);
    const Formula *domain = domain_of(s, q), *outer = read_outer(&q->env[0]), *any = formula_bool(q, false),
                  *yes = formula_bool(q, true);
    const Value *data = NULL;
    for (int k = 0; k < axes_of(s, p); k++)
        for (int side = 0; side < 2; side++) {
            const Formula *goal = s->ask(s, q, k, side);
            if (!depends_on_data(q, goal)) any = formula_or(q, any, goal);
        }
    const Formula *f = relevant(q, formula_and(q, any, domain), yes, &data);
    bool *free = NEWN(q->arena, bool, q->atoms.len + 1);
    const Formula *given = relevant(q, usual(s, q, atoms_used(q, f, outer), free), outer, &data);
    return query_for_all(q, f, given, free);
}

static bool is_always(const Search *s, const Pair *p) {
    return holds_where_tried(s, p) && holds_everywhere(s, p) != ANSWER_NO;
}

static Witness search(Search *s, const Pair *p) {
    Freedom free = NOTHING;
    Witness w = {0};
    Try r = try_all(s, p, PLAIN, 0, &w, &free);
    if (r != HIT) r = try_all(s, p, ANYTHING, 0, &w, &free);
    for (int i = 0; i < SHAPES * VALUES && r != HIT && free; i++) r = try_all(s, p, i % SHAPES, i / SHAPES, &w, &free);
    if (r != HIT) return w;
    w.computed = free == RESULTS;
    w.always = free == NOTHING || (free == ARGUMENTS && s->ask != ask_differs && is_always(s, p));
    return w;
}

/* Is there any solution?  certain: of a question that what was computed before has no part in, as only those are
 * the same in every run */
static bool may_be(const Search *s, const Pair *p, bool certain) {
    bool any = false;
    Query *q = query_new(s->d, p);
    const Formula *domain = domain_of(s, q), *outer = read_outer(&q->env[0]);
    if (certain) read_all(q);
    for (int k = 0; k < axes_of(s, p) && !any; k++)
        for (int side = 0; side < 2 && !any; side++) {
            const Formula *f = s->ask(s, q, k, side);
            if (certain &&
                (depends_on_data(q, f) || freedom_of(q, atoms_used(q, formula_and(q, f, domain), outer)) == RESULTS))
                continue;
            any = query_solve(q, f, formula_and(q, domain, outer)).sat != ANSWER_NO;
        }
    return any;
}

/* Only what is there always; most often the first shape tells that it is not. */
static Witness search_always(Search *s, const Pair *p) {
    Freedom free;
    Witness none = {0};
    if (try_all(s, p, 0, 0, NULL, &free) == MISS) return none;
    Witness w = search(s, p);
    return w.always ? w : none;
}

/* The instance in the first turn of the loops around it, but for `except`. */
static void put_first(Arena *arena, Instance *x, const Op *except) {
    for (Op *op = x->op->parent->owner; op != x->loop; op = op->parent->owner) {
        bool known = op == except;
        for (const Step *s = x->steps; s; s = s->outer) known |= s->op == op;
        if (known || (op->code != OP_FOR && op->code != OP_WHILE)) continue;
        Step *step = NEW(arena, Step);
        *step = (Step){op, STEP_FIRST, x->steps};
        x->steps = step;
    }
}

/* Both in the first turn of all loops; of `succ`, in the first and the second */
static Pair first_turns(Arena *arena, const Pair *p, Op *succ) {
    Pair f = *p;
    put_first(arena, &f.a, NULL);
    put_first(arena, &f.b, succ);
    f.common = p->a.loop->regs[0];
    f.succ = succ;
    f.fixed.loop = NULL;
    return f;
}

static Op *loop_around(const Pair *p) {
    for (Op *op = p->a.op->parent->owner; op != p->a.loop; op = op->parent->owner)
        if ((op->code == OP_FOR || op->code == OP_WHILE) && op_inside(p->b.op, op)) return op;
    return NULL;
}

Witness pair_witness(Depend *d, const Pair *p) {
    if (p->loose) return (Witness){0};
    Arena *arena = arena_new();
    Search s = {.d = d, .ask = ask_pair};
    depend_allow(d, EFFORT_WITNESS);
    bool thread = p->a.loop->code == OP_PARALLEL && p->common;
    if (d->effort > EFFORT_ALL) return arena_free(arena), (Witness){0};
    Witness w = search(&s, p);
    if (!w.found && thread) {
        Pair first = first_turns(arena, p, p->succ);
        w = search(&s, &first);
    }
    Op *loop = !w.found && thread && !p->succ ? loop_around(p) : NULL;
    bool same_turn = loop && region_encloses(loop->regs[loop->nregs - 1], p->common);
    for (int swap = 0; loop && !same_turn && swap < 2 && !w.found; swap++) {
        Pair turned = *p;
        if (swap) turned.a = p->b, turned.b = p->a;
        turned = first_turns(arena, &turned, loop);
        w = search(&s, &turned);
        for (int i = 0; swap && i < 2 * MAX_RANK; i++) {
            int64_t t = w.iv[0][i];
            w.iv[0][i] = w.iv[1][i];
            w.iv[1][i] = t;
        }
    }
    arena_free(arena);
    return w;
}

Op *outermost_parallel(const Op *op) {
    Op *loop = NULL;
    for (Op *o = op->parent->owner; o; o = o->parent->owner)
        if (o->code == OP_PARALLEL) loop = o;
    return loop;
}

Answer depend_outside(Depend *d, Op *access) {
    Op *loop = outermost_parallel(access);
    Pair p = {.a = {access, loop, NULL}, .b = {access, loop, NULL}};
    Search s = {.d = d, .ask = ask_outside};
    Value *buf;
    int first;
    if (!loop || !access_parts(access, &buf, &first)) return ANSWER_UNKNOWN;
    depend_allow(d, EFFORT_ACCESS);
    d->wraps = true;
    bool outside = may_be(&s, &p, false);
    d->wraps = false;
    return outside ? ANSWER_UNKNOWN : ANSWER_NO;
}

Witness access_witness(Depend *d, Op *loop, Op *op) {
    Arena *arena = arena_new();
    Pair any = {.a = {op, loop, NULL}, .b = {op, loop, NULL}}, first = any;
    put_first(arena, &first.a, NULL);
    Search s = {.d = d, .ask = ask_outside};
    Witness w = {0};
    for (int turn = 0; turn < (first.a.steps ? 2 : 1) && !w.found; turn++) {
        depend_allow(d, EFFORT_ACCESS);
        if (d->effort > EFFORT_ALL || !may_be(&s, turn ? &first : &any, true)) continue;
        depend_allow(d, EFFORT_ACCESS);
        w = search_always(&s, turn ? &first : &any);
    }
    arena_free(arena);
    return w;
}

/* ---- values on which threads do not agree */

static const Formula *both_run(Query *q) {
    return formula_and(q, read_domain(&q->env[0]), formula_and(q, read_domain(&q->env[1]), read_outer(&q->env[0])));
}

static Pair same_place(Op *loop, Op *at) {
    return (Pair){.a = {at, loop, NULL}, .b = {at, loop, NULL}, .common = at->parent};
}

Verdict depend_differs(Depend *d, Op *loop, Op *at, Value *v) {
    Pair p = same_place(loop, at);
    Query *q = query_new(d, &p);
    depend_allow(d, EFFORT_PAIR);
    return query_solve(q, differs(q, v, 0), both_run(q));
}

Witness differs_witness(Depend *d, Op *loop, Op *at, Value *v, Op *barrier) {
    Search s = {.d = d, .ask = ask_differs, .differs = v, .barrier = barrier};
    Arena *arena = arena_new();
    Pair p = same_place(loop, at), first = first_turns(arena, &p, NULL);
    depend_allow(d, EFFORT_WITNESS);
    Witness w = search(&s, &p);
    depend_allow(d, EFFORT_WITNESS);
    if (!w.found && first.a.steps) w = search(&s, &first);
    arena_free(arena);
    return w;
}
