/* Questions about dependence: pairs of instances, each written down and decided. */
#include "analysis/depend_private.h"

#include <isl/options.h>

#include <string.h>

/* ---- one pair */

const Formula *iterations_differ(Query *q, int k, int side) {
    Env *x = &q->env[side], *y = &q->env[1 - side];
    const Formula *f = formula_ge(q, poly_const(q->ps, 0));
    for (int i = 0; i <= k; i++) {
        int64_t key[] = {-2, i, side}, more[] = {-3, i, side};
        const Poly *step = poly_const(q->ps, 0), *far = step;
        if (i == k) {
            int d = query_atom(q, ATOM_IV, 3, key);
            q->atoms.data[d].has_lo = true;
            q->atoms.data[d].lo = 1;
            step = poly_atom(q->ps, d);
        }
        f = formula_and(q, f, formula_eq(q, poly_sub(q->ps, poly_atom(q->ps, y->dim[i]),
                                                     poly_add(q->ps, poly_atom(q->ps, x->dim[i]), step))));
        if (i != k || x->combined[i] < 0 || y->combined[i] < 0 || x->threads != y->threads) continue;
        int d = query_atom(q, ATOM_IV, 3, more);
        q->atoms.data[d].has_lo = true;
        q->atoms.data[d].lo = 1;
        far = poly_atom(q->ps, d);
        f = formula_and(q, f, formula_eq(q, poly_sub(q->ps, poly_atom(q->ps, y->combined[i]),
                                                     poly_add(q->ps, poly_atom(q->ps, x->combined[i]), far))));
    }
    return f;
}

static bool symmetric(const Pair *p) {
    return p->a.op == p->b.op && p->a.loop == p->b.loop && p->a.steps == p->b.steps && !p->succ;
}

static Verdict worse(Verdict a, Verdict b) {
    Verdict v = b.sat == ANSWER_NO || (b.sat == ANSWER_UNKNOWN && a.sat == ANSWER_YES) || (a.exact && !b.exact) ? a : b;
    v.steps = a.steps + b.steps;
    return v;
}

/* inside: only where the element exists */
static Verdict solve_with(Depend *d, const Pair *p, bool inside) {
    Query *q = query_new(d, p);
    Verdict v = {.sat = ANSWER_NO};
    const Formula *same = read_same_element(q);
    const Formula *context = formula_and(q, read_domain(&q->env[0]),
                                         formula_and(q, read_domain(&q->env[1]), read_outer(&q->env[0])));
    if (inside) context = formula_and(q, context, read_inside(&q->env[0]));
    int n = p->depth ? p->depth : q->env[0].ndim;
    if (!n) v = query_solve(q, same, context);
    for (int k = 0; k < n; k++)
        for (int side = 0; side < (symmetric(p) ? 1 : 2) && v.sat == ANSWER_NO; side++)
            v = worse(v, query_solve(q, formula_and(q, iterations_differ(q, k, side), same), context));
    /* what has nothing to do with the element was left out of the question: do both come here, on these ways, at all?
     */
    bool conditional = p->succ || p->a.steps || p->b.steps;
    if (v.sat != ANSWER_NO && conditional && query_solve(q, context, formula_bool(q, true)).sat == ANSWER_NO)
        v.sat = ANSWER_NO;
    return v;
}

/* Most pairs never meet, whatever the sizes of their array. */
static Verdict solve_once(Depend *d, const Pair *p) {
    Verdict v = solve_with(d, p, false);
    return v.sat == ANSWER_NO ? v : solve_with(d, p, true);
}

enum { SHORT_LOOP = 40 };

/* The for around the two accesses, in one turn for both, that has a few turns, known in number; their number */
static Op *short_loop(const Pair *p, int64_t *turns) {
    for (Region *r = p->common; r && r->owner != p->a.loop; r = r->owner->parent) {
        Op *op = r->owner;
        int64_t lo, hi, step;
        if (op->code != OP_FOR || !value_const_int(op_opnd(op, 0), &lo) || !value_const_int(op_opnd(op, 1), &hi) ||
            !value_const_int(op_opnd(op, 2), &step))
            continue;
        int64_t room, last = step > 0 ? 1 : -1;
        if (!step || __builtin_sub_overflow(hi, lo, &room)) continue;
        *turns = room / last <= 0 ? 0 : (room - last) / step + 1;
        if (*turns <= SHORT_LOOP) return op;
    }
    return NULL;
}

Verdict pair_solve(Depend *d, const Pair *p) {
    Verdict all = {.sat = ANSWER_NO};
    int64_t turns;
    if (d->effort > 2 * EFFORT_ALL) return (Verdict){.sat = ANSWER_UNKNOWN};
    depend_allow(d, EFFORT_PAIR);
    Verdict v = solve_once(d, p);
    Op *loop = v.sat != ANSWER_NO && !v.exact && !p->fixed.loop ? short_loop(p, &turns) : NULL;
    if (!loop) return v;
    Pair one = *p; /* what is not affine in the counter may be known of each of its values */
    one.fixed.loop = loop;
    for (one.fixed.turn = 0; one.fixed.turn < turns && all.sat == ANSWER_NO; one.fixed.turn++)
        all = solve_once(d, &one);
    return all;
}

/* ---- the same question about other arrays */

enum { MAX_WORDS = 100 };

struct Proved { Polys *lists; VEC(bool) no; Arena *arena; };

Proved *proved_new(Arena *arena) {
    Proved *k = NEW(arena, Proved);
    *k = (Proved){.lists = polys_new(arena, POLY_DEGREE, POLY_TERMS), .arena = arena};
    return k;
}

/* All that the answer depends on: where an access stands, after which division (its divisor is not 0), and its indices.
 */
static bool say_access(const Instance *x, int64_t *words, int *n) {
    Value *buf;
    int first;
    const Op *division = x->op->prev;
    if (!access_parts(x->op, &buf, &first)) return false;
    while (division && division->code != OP_IDIV && division->code != OP_MOD) division = division->prev;
    words[(*n)++] = (intptr_t)x->loop;
    words[(*n)++] = (intptr_t)x->op->parent;
    words[(*n)++] = (intptr_t)division;
    words[(*n)++] = op_index_end(x->op) - first;
    for (int i = first; i < op_index_end(x->op); i++) words[(*n)++] = (intptr_t)op_opnd(x->op, i);
    for (const Step *s = x->steps; s; s = s->outer) {
        if (*n > MAX_WORDS / 2 - 4) return false;
        words[(*n)++] = (intptr_t)s->op;
        words[(*n)++] = s->kind;
    }
    words[(*n)++] = -1;
    return true;
}

/* The number of the question, or -1 */
static int number_of(Proved *k, const Pair *p) {
    int64_t words[MAX_WORDS];
    int n = 0;
    if (p->fixed.loop || !say_access(&p->a, words, &n) || n > MAX_WORDS / 2 - 4) return -1;
    words[n++] = (intptr_t)p->common;
    words[n++] = (intptr_t)p->succ;
    words[n++] = p->later;
    int start = n, m = 0;
    if (!say_access(&p->b, words + start, &m)) return -1;
    int number = poly_cons(k->lists, start + m, words);
    while (k->no.len <= number) vec_push(k->arena, &k->no, false);
    return number;
}

Verdict pair_solve_once(Depend *d, Proved *k, const Pair *p) {
    int number = number_of(k, p);
    if (number >= 0 && k->no.data[number]) return (Verdict){.sat = ANSWER_NO};
    Verdict v = pair_solve(d, p);
    if (number >= 0) k->no.data[number] = v.sat == ANSWER_NO;
    return v;
}

static Answer answer(Verdict v) { return v.sat == ANSWER_YES && !v.exact ? ANSWER_UNKNOWN : v.sat; }

/* ---- questions */

Answer depend_may_conflict(Depend *d, Op *loop, Op *a, Op *b) {
    return accesses_clash(a, b) ? depend_may_meet(d, loop, a, b) : ANSWER_NO;
}

Answer depend_may_meet(Depend *d, Op *loop, Op *a, Op *b) {
    Value *x, *y;
    int first;
    if (!access_parts(a, &x, &first) || !access_parts(b, &y, &first)) return ANSWER_UNKNOWN;
    if (x != y || region_encloses(loop->regs[0], value_region(x))) return ANSWER_NO;
    d->uniform = (Map){0};
    Pair p = {.a = {a, loop, NULL}, .b = {b, loop, NULL}};
    return answer(pair_solve(d, &p));
}

static Answer solve_all(Depend *d, Arena *arena, const PairVec *pairs, const PairVec *without) {
    Answer r = ANSWER_NO;
    Proved *proved = proved_new(arena);
    for (int i = 0; i < pairs->len && r == ANSWER_NO; i++) {
        bool old = false;
        for (int k = 0; without && !old && k < without->len; k++) {
            const Pair *x = &pairs->data[i], *y = &without->data[k];
            old = x->a.op == y->a.op && x->b.op == y->b.op && x->common == y->common && x->succ == y->succ &&
                  x->later == y->later && !x->a.steps && !x->b.steps && !y->a.steps && !y->b.steps;
        }
        if (!old) r = answer(pair_solve_once(d, proved, &pairs->data[i]));
    }
    return r;
}

enum { MANY = 3000 };

static Answer of_pairs(Depend *d, Op *loop, Op *ignored) {
    Arena *arena = arena_new();
    PairVec now = {0}, kept = {0};
    d->uniform = (Map){0};
    bool ordered = pairs_of(d, arena, loop, ignored, &now);
    if (ignored) pairs_of(d, arena, loop, NULL, &kept);
    bool unknown = now.len > MANY || (ignored && !ordered);
    Answer r = unknown ? ANSWER_UNKNOWN : solve_all(d, arena, &now, &kept);
    arena_free(arena);
    return r;
}

Answer depend_barrier_needed(Depend *d, Op *barrier) {
    Op *loop = barrier->nopnds && op_opnd(barrier, 0)->region ? op_opnd(barrier, 0)->region->owner : NULL;
    return loop && loop->code == OP_PARALLEL ? of_pairs(d, loop, barrier) : ANSWER_UNKNOWN;
}

Answer depend_loop_carried(Depend *d, Op *loop) { return of_pairs(d, loop, NULL); }

typedef struct { Arena *arena; VEC(Op *) ops; } Accesses;
static void collect(void *ctx, Op *op) {
    Accesses *a = ctx;
    Value *buf;
    int first;
    if (access_parts(op, &buf, &first)) vec_push(a->arena, &a->ops, op);
}

static Value *same_buffer(Value *b, int n, Value *const *same) {
    for (int i = 0; i < n; i++)
        if (same[2 * i] == b) return same[2 * i + 1];
    return b;
}

Answer depend_across(Depend *d, Op *p, Op *q, int depth, int nsame, Value *const *same) {
    Arena *arena = arena_new();
    Accesses x = {.arena = arena}, y = {.arena = arena};
    Answer r = ANSWER_NO;
    d->uniform = (Map){0};
    region_walk(p->regs[0], collect, &x);
    region_walk(q->regs[0], collect, &y);
    for (int i = 0; i < x.ops.len && r == ANSWER_NO; i++)
        for (int k = 0; k < y.ops.len && r == ANSWER_NO; k++) {
            Value *a, *b;
            int first;
            access_parts(x.ops.data[i], &a, &first);
            access_parts(y.ops.data[k], &b, &first);
            if (same_buffer(a, nsame, same) != b || !accesses_clash(x.ops.data[i], y.ops.data[k])) continue;
            Pair pair = {.a = {x.ops.data[i], p, NULL}, .b = {y.ops.data[k], q, NULL}, .depth = depth};
            r = answer(pair_solve(d, &pair));
        }
    arena_free(arena);
    return r;
}

/* ---- life */

static void note_bind(void *ctx, Op *op) {
    Depend *d = ctx;
    if (op->code == OP_BIND) map_put(d->arena, &d->bound, op_sym(op, A_SYM), op);
}

Depend *depend_new(Func *f) {
    Arena *a = arena_new();
    Depend *d = NEW(a, Depend);
    *d = (Depend){.func = f,
                  .session = f->module->session,
                  .arena = a,
                  .scratch = arena_new(),
                  .ctx = isl_ctx_alloc(),
                  .ranges = ranges_new(f->module->session)};
    isl_options_set_on_error(d->ctx, ISL_ON_ERROR_CONTINUE);
    if (f->body) region_walk(f->body, note_bind, d);
    return d;
}

void depend_free(Depend *d) {
    if (!d) return;
    isl_ctx_free(d->ctx);
    ranges_free(d->ranges);
    arena_free(d->scratch);
    arena_free(d->arena);
}
