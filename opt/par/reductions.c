/* reductions: loops that accumulate become reductions, which threads share: `for i { if x[i] > 0.5 { c += 1 } }` is
 * c + reduce(i) {kind = add} { select(x[i] > 0.5, 1, 0) }.
 *
 * Always what gives the same bits in any order: sums, products and logic of ints and bools, extremes, where they are
 * (`if x[i] > m { m = x[i]; at = i }`), and what was set last.  With --fp=reassoc or fast also sums and products of
 * floats, in the fixed tree (lower/reduce_tree.h), whose bits do not depend on the number of threads.  Needs stage par,
 * loops that count in form `for` and do nothing but this (accumulate.h).
 *
 * An element is what a turn makes of the neutral element.  Which of several equal floats is the greatest matters: 0 and
 * -0 are equal, NaN is passed over by a comparison but not by max, and a derivative goes to one of them.  So the
 * turn is found, by a second reduction, over numbers of turns, where somebody wants to know: for what follows, in
 * derivatives, and where the greatest is a zero that may have either sign.
 *
 * Of few turns nothing is gained: the loop stands in a branch beside the reduction where only the program's run tells.
 * Loops of kernels and parallel loops stay, whose threads run side by side as vector lanes. */
#include "analysis/cost.h"
#include "ir/index.h"
#include "opt/par/accumulate.h"
#include "opt/pass.h"

enum {
    FEW_TURNS = 32,
    SMALL_PICK = 256,   /* turns in which a loop finds a float that it compares as fast */
    SMALL_PLACE = 512,  /* and its place, too */
    SMALL_WORK = 16384, /* cycles that are not worth threads; of ints the C compiler makes vectors in any case */
    MOST_AGAIN = 64     /* cycles of what may be computed for several reductions */
};

typedef struct {
    const PassOptions *opts;
    Module *m;
    Accumulation a;
    Op *loop;
    Builder b;          /* where the reductions go */
    Value *turns[ACCUMULATE_DEEP];
    Value **result;     /* what the loop hands out, for each that it carries */
    bool derives;       /* a derivative is to be taken of it */
} Raise;

/* ---- the code of a turn */

typedef struct { const Raise *r; Cloner c; Builder b; } Turn;

/* What a turn makes of what it carries: `none`, where it leaves it, else what it takes, or leaf if there is one, where
 * that is equal to `equals` if there is one. */
typedef struct { Combine combine; Value *none, *leaf, *equals; } Made;

static Value *take(Turn *t, Value *v) { return clone_slice(&t->c, &t->b, t->r->loop->regs[0], v); }

/* In a branch: what is computed there is not there behind it. */
static Turn turn_in(const Turn *t, Region *region) {
    Turn in = {t->r, {.module = t->c.module}, builder_at_end(t->c.module, region, t->b.span)};
    for (int i = 0; i < t->c.values.len; i++)
        map_put(t->c.module->arena, &in.c.values, t->c.values.keys[i], t->c.values.vals[i]);
    return in;
}

static Value *made(Turn *t, Value *v, const Value *carried, const Made *as);

static bool computes_in_branches(const Op *op) {
    bool any = false;
    for (int i = 0; i < op->nregs; i++) any |= op->regs[i]->first != region_term(op->regs[i]);
    return any;
}

/* What is asked of the turn alone; NULL: nothing.  What is equal to the greatest of all is beyond what is carried. */
static Value *free_part(Turn *t, Value *cond) {
    const Op *op = cond->def;
    Choice both;
    if (accumulate_is_free(&t->r->a, cond)) return take(t, cond);
    bool plain = op->code == OP_AND, either = accumulate_choice(cond, &both);
    if (!plain && !either) return NULL;
    Value *x = free_part(t, plain ? op_opnd(op, 0) : both.cond);
    return build_both(&t->b, free_part(t, plain ? op_opnd(op, 1) : both.side[0]), x);
}

static Value *made_choice(Turn *t, const Choice *choice, bool branch, const Value *carried, const Made *as) {
    Value *cond = as->equals ? free_part(t, choice->cond) : take(t, choice->cond);
    if (!cond) return made(t, choice->side[choice->side[0] == carried], carried, as);
    if (!branch) {
        Value *x = made(t, choice->side[0], carried, as), *y = made(t, choice->side[1], carried, as);
        return build_select(&t->b, cond, x, y);
    }
    Op *op = build_if(&t->b, cond, 1, &as->none->type);
    for (int side = 0; side < 2; side++) {
        Turn in = turn_in(t, op->regs[side]);
        Value *v = made(&in, choice->side[side], carried, as);
        build_yield(&in.b, 1, &v);
    }
    return &op->res[0];
}

static Value *made_leaf(Turn *t, Value *v, const Made *as) {
    if (!as->leaf) return take(t, v);
    if (!as->equals) return as->leaf;
    return build_select(&t->b, build_binary(&t->b, OP_EQ, take(t, v), as->equals), as->leaf, as->none);
}

/* x op y, where none is combined: y */
static Value *made_of(Turn *t, const Op *op, Value *x, Value *y, const Made *as) {
    bool minus = op->code == OP_SUB;
    if (x != as->none) return build_binary(&t->b, minus ? OP_SUB : combine_info(as->combine)->op, x, y);
    return minus ? build_unary(&t->b, OP_NEG, y) : y;
}

static Value *made(Turn *t, Value *v, const Value *carried, const Made *as) {
    const Accumulation *a = &t->r->a;
    Value *chain, *other;
    Choice choice;
    if (v == carried) return as->none;
    if (!accumulate_is_free(a, v)) {
        if ((other = accumulate_other(a, v, as->combine, &chain)) ||
            (other = accumulate_short(a, v, as->combine, &chain))) {
            if (as->leaf) return made_leaf(t, other, as);
            Value *x = made(t, chain, carried, as);
            return made_of(t, v->def, x, take(t, other), as);
        }
        if (accumulate_choice(v, &choice)) return made_choice(t, &choice, computes_in_branches(v->def), carried, as);
    }
    return made_leaf(t, v, as);
}

/* ---- reductions over the turns */

static Value *neutral(Builder *b, const Carry *c, const Type *t) {
    Const none = combine_identity(c->combine, t->dtype);
    if (c->combine == COMBINE_ADD && dtype_is_float(t->dtype)) none.f = -0.0; /* which changes no sum at all */
    return build_const(b, none);
}

/* The turns of the nest have these numbers, one for each loop. */
static void map_turns(Turn *t, Value *const *numbers) {
    for (int i = 0; i < t->r->a.depth; i++) {
        const Op *loop = t->r->a.loop[i];
        Value *iv = index_add(&t->b, op_opnd(loop, 0), index_mul(&t->b, numbers[i], op_opnd(loop, 2)));
        map_put(t->c.module->arena, &t->c.values, loop->regs[0]->args[0], iv);
    }
}

static bool is_reduced(const Carry *c) { return c->kind == CARRY_COMBINES || c->kind == CARRY_PICKS; }

/* What is carried is neutral. */
static void map_carried(Turn *t) {
    const Accumulation *a = &t->r->a;
    for (int k = 0; k < a->n; k++) {
        Value *c = accumulate_now(a, k);
        if (is_reduced(&a->carry[k]))
            map_put(t->c.module->arena, &t->c.values, c, neutral(&t->b, &a->carry[k], c->type));
    }
}

static Op *begin_reduce(Raise *r, Combine kind, int n, const Type *const *types, Turn *t) {
    Op *op = build_op(&r->b, OP_REDUCE, r->a.depth, r->turns, n, types, 1);
    op_set_combine(op, kind);
    Value *numbers[ACCUMULATE_DEEP];
    for (int i = 0; i < r->a.depth; i++) {
        const Value *iv = r->a.loop[i]->regs[0]->args[0];
        numbers[i] = region_add_arg(op->regs[0], iv->type, iv->name);
    }
    *t = (Turn){r, {.module = r->m}, builder_at_end(r->m, op->regs[0], r->loop->span)};
    map_turns(t, numbers);
    map_carried(t);
    return op;
}

/* Derivatives go to the turn that is picked, not through this. */
static Value *shown(Turn *t, const Carry *c, Value *v) {
    bool hides = t->r->derives && c->kind == CARRY_PICKS && dtype_is_float(v->type->dtype);
    return hides ? build_unary(&t->b, OP_STOP_GRADIENT, v) : v;
}

/* One reduction for all of a kind */
static void reduce_kind(Raise *r, Combine kind, Value **reduced) {
    const Accumulation *a = &r->a;
    const Type **types = NEWN(r->m->arena, const Type *, a->n);
    Value **v = NEWN(r->m->arena, Value *, a->n);
    int n = 0;
    for (int k = 0; k < a->n; k++) {
        if (!is_reduced(&a->carry[k]) || a->carry[k].combine != kind) continue;
        types[n++] = r->loop->res[k].type;
        reduced[k] = accumulate_now(a, k);
    }
    if (!n) return;
    Turn t;
    Op *op = begin_reduce(r, kind, n, types, &t);
    n = 0;
    for (int k = 0; k < a->n; k++) {
        if (reduced[k] != accumulate_now(a, k)) continue;
        Made as = {kind, clone_value(&t.c, reduced[k]), NULL, NULL};
        v[n] = shown(&t, &a->carry[k], made(&t, accumulate_next(a, k), reduced[k], &as));
        reduced[k] = &op->res[n++];
    }
    build_yield(&t.b, n, v);
}

static Value *number_of_turn(Turn *t, const Op *reduce) {
    Value *n = reduce->regs[0]->args[0];
    for (int i = 1; i < t->r->a.depth; i++)
        n = index_add(&t->b, index_mul(&t->b, n, t->r->turns[i]), reduce->regs[0]->args[i]);
    return n;
}

static Value *all_turns(Raise *r) {
    Value *n = r->turns[0];
    for (int i = 1; i < r->a.depth; i++) n = index_mul(&r->b, n, r->turns[i]);
    return n;
}

/* The number of the first turn, or the last, that takes what is equal to `equals` (NULL: anything); where there is none
 * it is less than 0, or not less than the number of turns (the neutral element of min in its place would make C
 * compilers branch). */
static Value *find_turn(Raise *r, int k, bool last, Value *equals) {
    const Type *i64 = type_i64(r->m);
    Value *none = last ? build_int(&r->b, -1) : all_turns(r);
    Turn t;
    Combine kind = last ? COMBINE_MAX : COMBINE_MIN;
    Op *op = begin_reduce(r, kind, 1, &i64, &t);
    Made as = {r->a.carry[k].combine, none, number_of_turn(&t, op), equals};
    Value *v = made(&t, accumulate_next(&r->a, k), accumulate_now(&r->a, k), &as);
    build_yield(&t.b, 1, &v);
    return &op->res[0];
}

/* The code of that turn, in a region that is there if there is one */
static Turn turn_again(Raise *r, Region *region, Value *number) {
    Turn t = {r, {.module = r->m}, builder_at_end(r->m, region, r->loop->span)};
    Value *numbers[ACCUMULATE_DEEP];
    for (int i = r->a.depth - 1; i >= 0; i--) {
        numbers[i] = i ? imod_safe(&t.b, number, r->turns[i]) : number;
        if (i) number = idiv_safe(&t.b, number, r->turns[i]);
    }
    map_turns(&t, numbers);
    return t;
}

/* ---- what the loop hands out */

static bool is_float(const Value *v) { return dtype_is_float(v->type->dtype); }

/* The reduced value takes the place of the first one */
static Value *build_taken(Builder *b, const Carry *c, Value *reduced, Value *first) {
    bool greatest = c->combine == COMBINE_MAX;
    return build_binary(b, c->last ? (greatest ? OP_GE : OP_LE) : greatest ? OP_GT : OP_LT, reduced, first);
}

/* The greatest of all, of equals any */
static Value *build_extreme(Builder *b, const Carry *c, Value *reduced, Value *first) {
    if (c->compares) return build_select(b, build_taken(b, c, reduced, first), reduced, first);
    return build_binary(b, combine_info(c->combine)->op, c->last ? first : reduced, c->last ? reduced : first);
}

/* What is left where no turn is taken: what there was; of min and max NaN, if there is one */
static Value *build_untaken(Raise *r, Builder *b, int k, Value *reduced) {
    Value *first = accumulate_first(&r->a, k);
    if (!reduced || r->a.carry[k].compares || !is_float(first)) return first;
    return build_select(b, build_unary(b, OP_ISNAN, reduced), reduced, first);
}

static bool goes_with(const Raise *r, int k, int key) {
    return k == key || (r->a.carry[k].kind == CARRY_FOLLOWS && r->a.carry[k].key == key);
}

/* All that is taken with number `key`, of the turn that is found, if there is one */
static void take_found(Raise *r, int key, Value *is_taken, bool last, Value *number, Value *reduced) {
    const Type **types = NEWN(r->m->arena, const Type *, r->a.n);
    Value **yes = NEWN(r->m->arena, Value *, r->a.n), **no = NEWN(r->m->arena, Value *, r->a.n);
    int n = 0;
    if (last) is_taken = build_both(&r->b, build_binary(&r->b, OP_GE, number, build_int(&r->b, 0)), is_taken);
    for (int k = 0; k < r->a.n; k++)
        if (goes_with(r, k, key)) types[n++] = r->loop->res[k].type;
    Op *op = build_if(&r->b, is_taken, n, types);
    Turn t = turn_again(r, op->regs[0], number);
    Builder none = builder_at_end(r->m, op->regs[1], r->loop->span);
    n = 0;
    for (int k = 0; k < r->a.n; k++) {
        if (!goes_with(r, k, key)) continue;
        yes[n] = take(&t, r->a.carry[k].leaf);
        no[n] = build_untaken(r, &none, k, k == key ? reduced : NULL);
        r->result[k] = &op->res[n++];
    }
    build_yield(&t.b, n, yes);
    build_yield(&none, n, no);
}

/* It is zero, of either sign. */
static void take_zero(Raise *r, int k, Value *reduced) {
    const Carry *c = &r->a.carry[k];
    Value *first = accumulate_first(&r->a, k), *all = build_extreme(&r->b, c, reduced, first), *mine;
    Builder outer = r->b;
    Value *is_zero = build_binary(&outer, OP_EQ, all, build_float(&outer, all->type->dtype, 0));
    Op *op = build_if(&outer, is_zero, 1, &all->type);
    r->b = builder_at_end(r->m, op->regs[0], r->loop->span);
    take_found(r, k, build_taken(&r->b, c, reduced, first), c->last, find_turn(r, k, c->last, reduced), reduced);
    mine = r->result[k];
    build_yield(&r->b, 1, &mine);
    r->b = builder_at_end(r->m, op->regs[1], r->loop->span);
    build_yield(&r->b, 1, &all);
    r->b = outer;
    r->result[k] = &op->res[0];
}

/* XLA says nothing of which zero is greater. */
static bool zeros_differ(const Raise *r, int k) {
    return is_float(&r->loop->res[k]) && !r->opts->arrays &&
           !(value_never_minus_zero(r->a.carry[k].leaf) && value_never_minus_zero(accumulate_first(&r->a, k)));
}

static bool wants_turn(const Raise *r, int k) {
    return r->a.carry[k].followed || (r->derives && is_float(&r->loop->res[k]));
}

static void finish_picked(Raise *r, int k, Value *reduced) {
    const Carry *c = &r->a.carry[k];
    Value *first = accumulate_first(&r->a, k);
    if (wants_turn(r, k))
        take_found(r, k, build_taken(&r->b, c, reduced, first), c->last, find_turn(r, k, c->last, reduced), reduced);
    else if (zeros_differ(r, k)) take_zero(r, k, reduced);
    else r->result[k] = build_extreme(&r->b, c, reduced, first);
}

static void finish(Raise *r, int k, Value *reduced) {
    switch (r->a.carry[k].kind) {
    case CARRY_COMBINES: {
        OpCode code = combine_info(r->a.carry[k].combine)->op;
        r->result[k] = build_binary(&r->b, code, accumulate_first(&r->a, k), reduced);
        return;
    }
    case CARRY_PICKS: finish_picked(r, k, reduced); return;
    case CARRY_SETS: take_found(r, k, NULL, true, find_turn(r, k, true, NULL), NULL); return;
    case CARRY_FOLLOWS: return;
    }
}

static void count_turns(Raise *r) {
    for (int i = 0; i < r->a.depth; i++) {
        Value *n = index_turns(&r->b, r->a.loop[i]);
        bool plain = n->def && n->def->code == OP_SIZE; /* a bound of the loop */
        r->turns[i] = plain ? n : index_max(&r->b, n, build_int(&r->b, 0));
    }
}

static void build_reductions(Raise *r) {
    Value **reduced = NEWN(r->m->arena, Value *, r->a.n);
    for (int k = 0; k < r->a.n; k++) reduced[k] = NULL;
    for (int kind = COMBINE_NONE + 1; kind < COMBINE_COUNT; kind++) {
        Value **of_kind = NEWN(r->m->arena, Value *, r->a.n);
        for (int k = 0; k < r->a.n; k++) of_kind[k] = NULL;
        reduce_kind(r, (Combine)kind, of_kind);
        for (int k = 0; k < r->a.n; k++)
            if (of_kind[k]) reduced[k] = of_kind[k];
    }
    for (int k = 0; k < r->a.n; k++) finish(r, k, reduced[k]);
}

/* ---- is it worth it */

static int64_t cost_of(const Region *region) {
    int64_t cost = 0;
    for (const Op *o = region->first; o; o = o->next) {
        bool loops = o->code == OP_REDUCE || o->code == OP_GENERATE || op_info(o->code)->traits & TR_LOOP;
        cost += op_info(o->code)->cost;
        for (int i = 0; i < o->nregs; i++) cost += cost_of(o->regs[i]) * (loops ? COST_UNKNOWN_TURNS : 1);
    }
    return cost > INT32_MAX ? INT32_MAX : cost;
}

static int64_t cost_of_turn(const Raise *r) { return cost_of(r->a.loop[r->a.depth - 1]->regs[0]); }

static int count_passes(const Raise *r) {
    bool kinds[COMBINE_COUNT] = {false};
    int n = 0;
    for (int k = 0; k < r->a.n; k++) {
        const Carry *c = &r->a.carry[k];
        if (c->kind == CARRY_FOLLOWS) continue;
        bool again = c->kind == CARRY_SETS || (kinds[c->combine] && !c->followed);
        n += !again || c->kind == CARRY_SETS;
        n += c->kind == CARRY_PICKS && wants_turn(r, k);
        kinds[c->combine] |= c->kind != CARRY_SETS;
    }
    return n;
}

/* As many turns, and less, are a loop; 0: none are, or nobody asks: what costs much hides what a reduction takes */
static int64_t small(const Raise *r) {
    int64_t cost = cost_of_turn(r), most = SMALL_WORK / (cost ? cost : 1);
    bool asks = !r->derives && !r->opts->device && !r->opts->ranks && !r->opts->arrays && cost < COST_OF_A_LOOP;
    for (int k = 0; k < r->a.n; k++) {
        const Carry *c = &r->a.carry[k];
        bool floats = is_float(&r->loop->res[k]);
        if (c->kind == CARRY_COMBINES && floats) asks = false; /* whose bits the order decides */
        if (c->kind == CARRY_PICKS && floats && most > SMALL_PICK) most = SMALL_PICK;
        if ((c->kind == CARRY_SETS || c->followed) && most < SMALL_PLACE) most = SMALL_PLACE;
    }
    return asks ? most : 0;
}

/* Known to be few; *all: the number of turns is known */
static bool takes_few(const Raise *r, int64_t most) {
    int64_t all = 1;
    for (int i = 0; i < r->a.depth; i++) {
        int64_t turns;
        if (!loop_turns(r->a.loop[i], &turns)) return false;
        if (turns > INT32_MAX) return false;
        all = all > INT32_MAX ? all : all * turns;
    }
    return all < most;
}

static bool is_worth_it(const Raise *r) {
    if (!r->opts->arrays && takes_few(r, FEW_TURNS > small(r) ? FEW_TURNS : small(r))) return false;
    return count_passes(r) == 1 || cost_of_turn(r) <= MOST_AGAIN;
}

/* ---- the loop goes, or stays for few turns */

static void yield_results(Raise *r, Region *region, Op *loop) {
    Value **v = NEWN(r->m->arena, Value *, r->a.n);
    Builder b = builder_at_end(r->m, region, loop->span);
    for (int k = 0; k < r->a.n; k++) v[k] = &loop->res[k];
    build_yield(&b, r->a.n, v);
}

static void beside_the_loop(Raise *r, int64_t most) {
    const Type **types = NEWN(r->m->arena, const Type *, r->a.n);
    for (int k = 0; k < r->a.n; k++) types[k] = r->loop->res[k].type;
    Op *op = build_if(&r->b, build_binary(&r->b, OP_LE, all_turns(r), build_int(&r->b, most)), r->a.n, types);
    for (int k = 0; k < r->a.n; k++) value_take_over(&r->loop->res[k], &op->res[k]);
    r->b = builder_at_end(r->m, op->regs[1], r->loop->span);
    build_reductions(r);
    build_yield(&r->b, r->a.n, r->result);
    op_move_to_end(r->loop, op->regs[0]);
    yield_results(r, op->regs[0], r->loop);
}

static void rewrite(Raise *r) {
    r->b = builder_before(r->loop);
    r->result = NEWN(r->m->arena, Value *, r->a.n);
    count_turns(r);
    int64_t most = small(r);
    if (most && !takes_few(r, INT32_MAX)) {
        beside_the_loop(r, most);
        return;
    }
    build_reductions(r);
    for (int k = 0; k < r->a.n; k++) value_replace_all(&r->loop->res[k], r->result[k]);
    op_erase(r->loop);
}

/* ---- functions that are called: from kernels and comprehensions, where threads run side by side already; from what a
 * derivative is taken of */

static bool is_parallel(const Op *op) {
    return op->code == OP_PARALLEL || op->code == OP_GENERATE || op->code == OP_REDUCE;
}

static bool is_derived(const Op *op) { return op->code == OP_VJP || op->code == OP_JVP; }

typedef struct { Module *m; bool (*inside)(const Op *op); Map called; bool grew; } Called;

static void find_calls(Called *c, const Region *r, bool inside) {
    for (const Op *o = r->first; o; o = o->next) {
        const Func *f = o->code == OP_CALL && inside ? module_find(c->m, op_sym(o, A_FUNC)) : NULL;
        if (f && !map_has(&c->called, f)) {
            map_put(c->m->arena, &c->called, f, c);
            c->grew = true;
        }
        for (int i = 0; i < o->nregs; i++) find_calls(c, o->regs[i], inside || c->inside(o));
    }
}

static Called called_inside(Module *m, bool (*inside)(const Op *op)) {
    Called c = {.m = m, .inside = inside, .grew = true};
    while (c.grew) {
        c.grew = false;
        for (int i = 0; i < m->funcs.len; i++)
            find_calls(&c, m->funcs.data[i]->body, map_has(&c.called, m->funcs.data[i]));
    }
    return c;
}

/* ---- which loops */

/* It stands there for few turns, beside reductions. */
static bool is_left(const Op *loop) {
    const Op *branch = loop->parent->owner, *asks = NULL;
    if (branch && branch->code == OP_IF && loop->parent == branch->regs[0]) asks = op_opnd(branch, 0)->def;
    return asks && asks->code == OP_LE && value_const_int(op_opnd(asks, 1), NULL) && loop == loop->parent->first &&
           loop->next == region_term(loop->parent) && op_holds(branch, OP_REDUCE);
}

static bool try_raise(const PassOptions *opts, Op *loop, bool derives) {
    Raise r = {.opts = opts, .m = loop->parent->func->module, .loop = loop, .derives = derives};
    if (loop->code != OP_FOR || is_left(loop) || !accumulate_read(loop, may_reassociate(opts), &r.a)) return false;
    if (!is_worth_it(&r)) return false;
    rewrite(&r);
    return true;
}

/* While there are derivatives to take, of what they are taken of alone: all else is asked again behind them. */
static void visit(const PassOptions *opts, Region *region, bool derives) {
    bool later = region->func->module->derives && !derives;
    for (Op *o = region->first, *next; o; o = next) {
        next = o->next;
        if (is_parallel(o) || (!later && try_raise(opts, o, derives))) continue;
        for (int i = 0; i < o->nregs; i++) visit(opts, o->regs[i], derives || is_derived(o));
    }
}

void pass_reductions(Module *m, const PassOptions *opts) {
    Called parallel = called_inside(m, is_parallel), derived = called_inside(m, is_derived);
    for (int i = 0; i < m->funcs.len; i++) {
        const Func *f = m->funcs.data[i];
        if (f->kind != FUNC_EXTERN && !map_has(&parallel.called, f)) visit(opts, f->body, map_has(&derived.called, f));
    }
}
