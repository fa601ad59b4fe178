/* ensembles: loops at function level whose turns do not depend on each other are marked, for threads.
 *
 * Needs stage loops, owners, islands in their last form: nothing may be moved afterwards.  A simulation that makes
 * arrays, run many times with other parameters, is such a loop: `for k { r[k] = simulate(a[k]) }`.  What it carries
 * are arrays, of which each turn reads and writes places of its own: along one axis all indices are c*k + i, with the
 * same c and 0 <= i < c (or i the same everywhere), which is m[k, ..], m[n-1-k], flat[k*n + i].  An array has one owner
 * while it is written so, so that every turn has the same memory.  Else a turn makes arrays and calls functions, and
 * stops the program where something fails; it prints nothing and calls no functions of C but those that only compute.
 *
 * Where the loops in a turn may be long, two ways stand beside each other, and which one is taken is found when the
 * program runs: the turns at the same time, if those loops are short or the turns enough for all threads, and there is
 * room for what they make; else one after the other, each by all threads.  In a marked loop `threads` is asked anew,
 * since the threads are taken there.
 *
 * Of several processes (--target=mpi) each has a part of the turns, and shares these among its threads.  There the
 * places must be rows: along the first axis. */
#include "opt/loops/ensembles.h"

enum {
    SHORT = 16 << 10,  /* elements of a loop for which threads are not worth waking */
    LONG = 256 << 10,  /* elements of a loop that threads share with profit, and leave the caches if each has its own */
    LITTLE = 4 << 20,  /* bytes that a turn makes, whatever there is of memory */
    MUCH = 256 << 20,  /* bytes that it may make for each thread */
    FEW = 32,          /* turns */
    OFTEN = 64,        /* times that a turn runs such a loop, about */
    LITTLE_WORK = 10000,
    MOST_OPS = 4000    /* of a loop that is written twice */
};

typedef struct { Op *op; int array, first; } Access; /* operands from first on are the indices */
typedef struct {
    Module *module;
    const PassOptions *opts;
    Linear *linear;
    Arena *arena;
    Op *loop;
    VEC(Access) accesses;
    bool fits;
    EnsembleRows *rows; /* of the loop's arrays */
} Ensembles;

/* ---- effects */

static bool is_loud(const Op *op) {
    switch (op->code) {
    case OP_PRINT: case OP_FORMAT: case OP_LOADFILE: case OP_SPAWN: return true;
    case OP_EXTERN: return !c_name_computes(op_sym(op, A_FUNC));
    case OP_FOR: return op_flag(op, A_PROGRESS);
    default: return false;
    }
}

/* ---- the arrays that are carried, and what becomes of them in a turn */

static int carried_by(const Ensembles *s, const Value *v);

static int carried_into(const Ensembles *s, const Op *loop, int i) { return carried_by(s, loop_first(loop, i)); }

static int carried_result(const Ensembles *s, const Op *op, int result) {
    switch (op->code) {
    case OP_FOR: case OP_WHILE: return carried_into(s, op, result);
    case OP_IF: return carried_by(s, op_opnd(region_term(op->regs[0]), result));
    case OP_ISLAND:
        for (int i = 0, r = 0; i < op->nopnds; i++)
            if (op_attr(op, A_MODES)->ints[i] && r++ == result) return carried_by(s, op_opnd(op, i));
        return -1;
    default: return -1;
    }
}

/* The number of the carried array that v is, as a turn has it; -1: none */
static int carried_by(const Ensembles *s, const Value *v) {
    if (!type_is_tensor(v->type)) return -1;
    if (v->region == s->loop->regs[0]) return v->index - 1;
    if (v->def) return op_inside(v->def, s->loop) ? carried_result(s, v->def, v->index) : -1;
    const Op *o = v->region->owner;
    if (!o || !op_inside(o, s->loop) || (o->code != OP_FOR && o->code != OP_WHILE)) return -1;
    return carried_into(s, o, o->code == OP_FOR ? v->index - 1 : v->index);
}

static void note_access(Ensembles *s, Op *op, int array, int first) {
    vec_push(s->arena, &s->accesses, ((Access){op, array, first}));
}

static void look_at_buffer(Ensembles *s, const Value *buf, int array) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (op_is_access(u->user) && u->index == op_index_first(u->user) - 1)
            note_access(s, u->user, array, u->index + 1);
        else s->fits &= u->user->code == OP_PREFETCH || op_tells_rows(u->user);
}

/* Both sides, or the turn of an inner loop, hand on the array that came in. */
static bool hands_on(const Ensembles *s, const Region *r, int operand, int array) {
    return carried_by(s, op_opnd(region_term(r), operand)) == array;
}

static bool yields_it(const Ensembles *s, const Op *yield, int i, int array) {
    const Op *o = yield->parent->owner;
    if (o == s->loop) return i == array;
    if (o->code == OP_IF) return hands_on(s, o->regs[0], i, array) && hands_on(s, o->regs[1], i, array);
    return (o->code == OP_FOR || o->code == OP_WHILE) && carried_into(s, o, i) == array;
}

static void look_at_use(Ensembles *s, Op *op, int i, int array) {
    switch (op->code) {
    case OP_ISLAND: look_at_buffer(s, op->regs[0]->args[i], array); break;
    case OP_EXTRACT: note_access(s, op, array, 1); break;
    case OP_YIELD: s->fits &= yields_it(s, op, i, array); break;
    case OP_FOR: s->fits &= hands_on(s, op->regs[0], i - 3, array); break;
    case OP_WHILE: s->fits &= hands_on(s, op->regs[1], i, array); break;
    default: s->fits = false; /* a retain: somebody keeps the array as it was */
    }
}

static void look_at_op(void *ctx, Op *op) {
    Ensembles *s = ctx;
    for (int i = 0; i < op->nopnds && s->fits; i++) {
        int array = carried_by(s, op_opnd(op, i));
        if (array >= 0) look_at_use(s, op, i, array);
    }
}

/* Each turn hands on what came in. */
static bool carries_arrays(Ensembles *s) {
    const Op *loop = s->loop;
    for (int i = 0; i < loop->nres; i++)
        if (carried_by(s, loop_next(loop, i)) != i) return false;
    s->accesses.len = 0, s->fits = true;
    region_walk(loop->regs[0], look_at_op, s);
    return s->fits;
}

/* ---- places of its own: indices step*k + from .. step*k + from + step - 1 along one axis */

typedef struct { const Poly *step, *rest; } Own;

static bool find_place(Ensembles *s, const Access *a, int axis, Own *out) {
    Linear *l = s->linear;
    Value *k = s->loop->regs[0]->args[0];
    linear_at(l, a->op);
    const Poly *p = linear_value(l, op_opnd(a->op, a->first + axis));
    out->step = p ? linear_step(l, p, k) : NULL;
    out->rest = out->step ? linear_sub(l, p, linear_mul(l, out->step, linear_value(l, k))) : NULL;
    return out->rest != NULL;
}

/* from <= rest < from + step */
static bool is_in_block(Ensembles *s, const Access *a, const Own *p, int64_t from) {
    Linear *l = s->linear;
    const Poly *in = linear_sub(l, p->rest, linear_const(l, from)), *last = linear_sub(l, p->step, linear_const(l, 1));
    linear_at(l, a->op);
    return linear_prove(l, a->op, in) && linear_prove(l, a->op, linear_sub(l, last, in));
}

typedef VEC(Own) Owns;

/* The places of all accesses to the array; false: they have no step in common, or it is not the same in all turns */
static bool find_places(Ensembles *s, int array, int axis, Owns *out) {
    Region *turn = s->loop->regs[0];
    Own p;
    for (int i = 0; i < s->accesses.len; i++) {
        if (s->accesses.data[i].array != array) continue;
        if (!find_place(s, &s->accesses.data[i], axis, &p) || !linear_is_fixed(s->linear, p.step, turn)) return false;
        if (out->len && p.step != out->data[0].step) return false;
        vec_push(s->arena, out, p);
    }
    return true;
}

static bool is_own_place(Ensembles *s, const Owns *all, EnsembleRows *rows) {
    int64_t step;
    for (int i = 1; i < all->len; i++)
        if (all->data[i].rest != all->data[0].rest) return false;
    if (!poly_is_const(all->data[0].step, &step) || !step) return false;
    *rows = (EnsembleRows){all->data[0].step, all->data[0].rest, linear_const(s->linear, 1), step > 0};
    return linear_is_fixed(s->linear, rows->first, s->loop->regs[0]);
}

static bool is_own_block(Ensembles *s, int array, const Owns *all, EnsembleRows *rows) {
    int64_t from = INT64_MAX;
    for (int i = 0; i < all->len; i++) {
        int64_t c = poly_coef(all->data[i].rest, 0);
        if (c < from) from = c;
    }
    for (int i = 0, n = 0; i < s->accesses.len; i++)
        if (s->accesses.data[i].array == array && !is_in_block(s, &s->accesses.data[i], &all->data[n++], from))
            return false;
    *rows = (EnsembleRows){all->data[0].step, linear_const(s->linear, from), all->data[0].step, true};
    return true;
}

static bool is_own_axis(Ensembles *s, int array, int axis, EnsembleRows *rows) {
    Owns all = {0};
    *rows = (EnsembleRows){0};
    if (!find_places(s, array, axis, &all)) return false;
    return !all.len || is_own_place(s, &all, rows) || is_own_block(s, array, &all, rows);
}

static bool has_own_places(Ensembles *s) {
    int n = s->loop->nres;
    s->rows = NEWN(s->arena, EnsembleRows, n);
    for (int k = 0; k < n; k++) {
        int axes = s->opts->ranks ? 1 : s->loop->res[k].type->rank;
        bool own = false;
        for (int axis = 0; axis < axes && !own; axis++) own = is_own_axis(s, k, axis, &s->rows[k]);
        if (!own) return false;
    }
    return true;
}

/* ---- which loops */

/* A turn has loops that threads could share. */
static bool may_share(const Op *loop) { return op_holds(loop, OP_PARALLEL) || op_holds(loop, OP_CALL); }

static bool holds_work(const Region *turn) {
    for (const Op *op = turn->first; op; op = op->next)
        if (may_share(op) || op_holds(op, OP_FOR) || op_holds(op, OP_WHILE)) return true;
    return false;
}

static bool is_ensemble(Ensembles *s, Op *loop) {
    int64_t step;
    if (loop->code != OP_FOR || !loop->nres) return false;
    if (!value_const_int(op_opnd(loop, 2), &step) || !step || !holds_work(loop->regs[0])) return false;
    s->loop = loop;
    return !region_reaches(loop->regs[0], is_loud) && carries_arrays(s) && has_own_places(s);
}

/* The loop that is all that a turn does */
static Op *sole_loop(const Op *loop) {
    Op *inner = NULL;
    for (Op *op = loop->regs[0]->first; op != region_term(loop->regs[0]); op = op->next) {
        if (op->code == OP_FOR && !inner) inner = op;
        else if (op->nregs || !op_is_pure(op)) return NULL;
    }
    return inner;
}

/* Or the loop inside, where that has more turns and the outer one too few for many threads; s->rows are its own */
static Op *more_turns(Ensembles *s, Op *loop) {
    int64_t few, n;
    EnsembleRows *rows = s->rows;
    Op *inner = sole_loop(loop);
    if (!inner || !loop_turns(loop, &few) || few >= FEW) return loop;
    if (loop_turns(inner, &n) && n <= few) return loop;
    if (is_ensemble(s, inner)) return more_turns(s, inner);
    s->rows = rows;
    return loop;
}

typedef struct { Op *loop; EnsembleRows *rows; } Found;
typedef VEC(Found) Founds;

static void find_ensembles(Ensembles *s, Region *r, Founds *out) {
    for (Op *op = r->first; op; op = op->next) {
        if (op->code == OP_ISLAND) continue;
        if (is_ensemble(s, op)) {
            Op *chosen = more_turns(s, op);
            vec_push(s->arena, out, ((Found){chosen, s->rows}));
            continue;
        }
        for (int i = 0; i < op->nregs; i++) find_ensembles(s, op->regs[i], out);
    }
}

/* ---- threads, asked anew */

typedef struct { Builder b; Cloner copy; const Op *loop; } Anew;

static bool comes_of_threads(const Value *v) {
    if (!v->def || v->def->nregs || v->def->code == OP_EXTRACT) return false;
    if (v->def->code == OP_THREADS) return true;
    for (int i = 0; i < v->def->nopnds; i++)
        if (comes_of_threads(op_opnd(v->def, i))) return true;
    return false;
}

static Value *anew(Anew *a, Value *v) {
    if (map_has(&a->copy.values, v) || !comes_of_threads(v)) return clone_value(&a->copy, v);
    for (int i = 0; i < v->def->nopnds; i++) anew(a, op_opnd(v->def, i));
    return &clone_op(&a->copy, &a->b, v->def)->res[0];
}

static void ask_anew(void *ctx, Op *op) {
    Anew *a = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        Value *v = op_opnd(op, i);
        if (!op_encloses(a->loop, v) && comes_of_threads(v)) op_set_opnd(op, i, anew(a, v));
    }
}

static void mark(Op *loop) {
    Region *turn = loop->regs[0];
    Anew a = {.b = builder_before(turn->first), .copy = {.module = turn->func->module}, .loop = loop};
    region_walk(turn, ask_anew, &a);
    op_set_flag(loop, A_INDEPENDENT);
}

/* ---- two ways */

/* n * threads <= most * (turns that run at a time) */
static Value *has_room(Builder *b, const Size *n, int64_t most, Value *turns, Value *threads) {
    Value *needed = index_mul(b, index_min(b, build_size(b, n), build_int(b, ENSEMBLE_MOST)), threads);
    return build_binary(b, OP_LE, needed, index_mul(b, index_min(b, turns, threads), build_int(b, most)));
}

/* The loops in a turn are too short for threads, or there are so many turns that these do as well, and what is made
 * fits; where nobody knows, there are turns for all threads. */
static Value *is_better(Builder *b, const Op *loop, const EnsembleNeeds *needs) {
    Value *threads = build_threads(b), *turns = index_turns(b, loop);
    if (!needs) return build_binary(b, OP_GE, turns, threads);
    Value *is_short = has_room(b, needs->elements, LONG, turns, threads);
    return build_both(b, is_short, has_room(b, needs->bytes, MUCH, threads, threads));
}

/* The loop becomes a choice between itself, which is given back to be marked, and itself. */
static Op *stand_aside(Op *loop, const EnsembleNeeds *needs) {
    Builder b = builder_before(loop);
    const Type **types = NEWN(b.module->arena, const Type *, loop->nres);
    Value **results = NEWN(b.module->arena, Value *, loop->nres);
    for (int i = 0; i < loop->nres; i++) types[i] = loop->res[i].type;
    Op *ways = build_if(&b, is_better(&b, loop, needs), loop->nres, types), *first = NULL;
    for (int side = 0; side < 2; side++) {
        Builder in = builder_at_end(b.module, ways->regs[side], loop->span);
        Cloner c = {.module = b.module};
        Op *copy = clone_op(&c, &in, loop);
        op_rename_sizes(copy);
        if (!side) first = copy;
        for (int i = 0; i < loop->nres; i++) results[i] = &copy->res[i];
        build_yield(&in, loop->nres, results);
    }
    op_replace(loop, ways);
    return first;
}

static bool is_at_most(const Size *size, int64_t most) {
    int64_t n;
    return size_is_const(size, &n) && n <= most;
}

/* Not worth a message; elements: of a loop in a turn */
static bool is_little(const Op *loop, const Size *elements) {
    int64_t turns, n;
    return loop_turns(loop, &turns) && size_is_const(elements, &n) && turns < LITTLE_WORK && n < LITTLE_WORK &&
           OFTEN * turns * n < LITTLE_WORK;
}

static void share(Ensembles *s, Op *loop) {
    Builder b = builder_before(loop);
    EnsembleNeeds needs;
    bool known = ensemble_needs(&b, loop, &needs);
    if (s->opts->ranks && known && is_little(loop, needs.elements)) return;
    if (!known || !is_at_most(needs.elements, SHORT) || !is_at_most(needs.bytes, LITTLE)) {
        if (region_count_ops(loop->regs[0]) > MOST_OPS) return;
        loop = stand_aside(loop, known ? &needs : NULL);
    }
    mark(loop);
    if (!s->opts->ranks) return;
    explain_turns(s->opts, s->module, loop->span);
    ensemble_part(s->linear, loop, s->rows);
}

void pass_ensembles(Module *m, const PassOptions *opts) {
    Ensembles s = {.module = m, .opts = opts, .arena = arena_new()};
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        Founds found = {0};
        if (f->kind == FUNC_EXTERN) continue;
        s.linear = linear_new(f);
        find_ensembles(&s, f->body, &found);
        for (int k = 0; k < found.len; k++) {
            s.rows = found.data[k].rows;
            share(&s, found.data[k].loop);
        }
        linear_free(s.linear);
    }
    arena_free(s.arena);
}
