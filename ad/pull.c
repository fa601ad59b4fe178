/* The adjoint of a value of a nest: what each of its uses gives, summed over the indices between the two. */
#include "ad/solve.h"
#include "ir/index.h"

enum { SHORT_SUM = 4 };

/* ---- what the yielded value of a reduction gets */

static Value *pulled_result(Emit *e, Op *owner, int k) {
    return owner == e->p->root ? adjoint_of(e->p->s, &owner->res[k]) : pull(e, &owner->res[k]);
}

/* reduce of `what` over the extents of owner; body gives the value for its indices */
typedef Value *BodyFn(Emit *e, Op *owner, int k, Value *linear);

static Value *reduce_again(Emit *e, Op *owner, int k, Combine kind, const Type *t, BodyFn *body) {
    int n = owner->regs[0]->nargs;
    Value *extents[MAX_RANK] = {0};
    for (int i = 0; i < n; i++) extents[i] = value_here(e, op_opnd(owner, i));
    Op *made = build_op(&e->b, OP_REDUCE, n, extents, 1, &t, 1);
    op_set_combine(made, kind);
    Emit in = emit_inside(e, made->regs[0]);
    Op *outer = enter(e, made);
    Value *linear = NULL;
    for (int i = 0; i < n; i++) {
        Value *at = region_add_arg(made->regs[0], extents[i]->type, "k");
        know(&in, owner->regs[0]->args[i], at);
        linear = linear ? build_binary(&in.b, OP_ADD, build_binary(&in.b, OP_MUL, linear, extents[i]), at) : at;
    }
    Value *v = body(&in, owner, k, linear);
    build_yield(&in.b, 1, &v);
    leave(e, outer);
    return &made->res[0];
}

static Value *yielded(Emit *e, Op *owner, int k) { return value_here(e, op_opnd(region_term(owner->regs[0]), k)); }

static Value *result_here(Emit *e, Op *owner, int k) {
    return owner == e->p->root ? primal_of(e->p->s, &owner->res[k]) : value_here(e, &owner->res[k]);
}

static Value *like(Emit *e, const Value *v, double c) { return build_float(&e->b, v->type->dtype, c); }

static Value *place_of_winner(Emit *e, Op *owner, int k, Value *linear) {
    Value *wins = build_binary(&e->b, OP_EQ, yielded(e, owner, k), result_here(e, owner, k));
    return build_select(&e->b, wins, linear, build_int(&e->b, INT64_MAX));
}

static Value *is_zero(Emit *e, Op *owner, int k, Value *linear) {
    (void)linear;
    Value *v = yielded(e, owner, k), *zero = build_binary(&e->b, OP_EQ, v, like(e, v, 0));
    return build_select(&e->b, zero, build_int(&e->b, 1), build_int(&e->b, 0));
}

static Value *one_for_zero(Emit *e, Op *owner, int k, Value *linear) {
    (void)linear;
    Value *v = yielded(e, owner, k), *zero = build_binary(&e->b, OP_EQ, v, like(e, v, 0));
    return as_adjoint(&e->b, build_select(&e->b, zero, like(e, v, 1), v));
}

/* Where the reduction itself stands, before what is being made there: its indices are not known yet */
static Emit home_of(const Emit *e, const Op *owner) {
    Op *inner = NULL; /* where e's builder stands, what is being made there */
    for (; e->up && known_here(e, owner->regs[0]->args[0]); e = e->up)
        if (e->b.region != e->up->b.region) inner = e->b.region->owner;
    return (Emit){.p = e->p, .up = (Emit *)(uintptr_t)e, .b = inner ? builder_before(inner) : e->b};
}

static Value *number_here(Emit *e, Op *owner) {
    Value *linear = NULL;
    for (int i = 0; i < owner->regs[0]->nargs; i++) {
        Value *at = value_here(e, owner->regs[0]->args[i]), *n = value_here(e, op_opnd(owner, i));
        linear = linear ? build_binary(&e->b, OP_ADD, build_binary(&e->b, OP_MUL, linear, n), at) : at;
    }
    return linear;
}

/* (least or greatest value, its index) of two such, of which the first in the program stays: NaN comes through */
static void build_better(Op *made, OpCode code, const Type *const *types) {
    Value *x[4];
    for (int i = 0; i < 4; i++) x[i] = region_add_arg(made->regs[1], types[i % 2], "x");
    Builder b = builder_at_end(made->parent->func->module, made->regs[1], made->span);
    Value *better = build_binary(&b, code == OP_MIN ? OP_LT : OP_GT, x[2], x[0]),
          *first = build_binary(&b, OP_AND, build_binary(&b, OP_EQ, x[2], x[0]), build_binary(&b, OP_LT, x[3], x[1]));
    Value *takes = build_binary(&b, OP_OR, better, first);
    build_yield(&b, 2, (Value *[]){build_binary(&b, code, x[0], x[2]), build_select(&b, takes, x[3], x[1])});
}

/* The place of the winner by one reduction of values and indices: each element, which costs something, is computed
 * once.  It does not vary. */
static Value *winner_of_pairs(Emit *e, Op *owner) {
    OpCode code = combine_info(op_combine(owner))->op;
    int n = owner->regs[0]->nargs;
    Value *opnds[MAX_RANK + 2], *none = build_int(&e->b, INT64_MAX);
    const Type *types[] = {owner->res[0].type, none->type};
    for (int i = 0; i < n; i++) opnds[i] = value_here(e, op_opnd(owner, i));
    opnds[n] = build_const(&e->b, combine_identity(op_combine(owner), types[0]->dtype)), opnds[n + 1] = none;
    Op *made = build_op(&e->b, OP_REDUCE, n + 2, opnds, 2, types, 2);
    op_set_combine(made, COMBINE_CUSTOM);
    Emit in = emit_inside(e, made->regs[0]);
    Op *outer = enter(e, made);
    for (int i = 0; i < n; i++)
        know(&in, owner->regs[0]->args[i], region_add_arg(made->regs[0], none->type, "k"));
    Value *at = number_here(&in, owner), *v = build_unary(&in.b, OP_STOP_GRADIENT, yielded(&in, owner, 0));
    build_yield(&in.b, 2, (Value *[]){v, at});
    leave(e, outer);
    build_better(made, code, types);
    return build_select(&e->b, build_unary(&e->b, OP_ISNAN, &made->res[0]), none, &made->res[1]);
}

/* INT64_MAX: there is none */
static Value *winner_of(Emit *e, Op *owner, int k) {
    if (owner->nres == 1 && op_holds(owner, OP_REDUCE) && owner != e->p->root) return winner_of_pairs(e, owner);
    return reduce_again(e, owner, k, COMBINE_MIN, type_scalar(e->b.module->session, DT_I64), place_of_winner);
}

/* The extents of the indices around owner, all of them plain; false: they are not, or there are none */
static bool extents_of(Emit *e, const Path *around, const Size **dims) {
    for (int i = 0; i < around->n; i++)
        if (!index_of(&around->step[i]) || !(dims[i] = extent_size(&around->step[i]))) return false;
    return around->n > 0 && around->n <= TENSOR_RANK && e->p->root->parent == e->p->s->of;
}

/* An array over the indices around, before all that is being made, of what `element` makes of them; *last: the element,
 * NULL: there is none, and the comprehension is not complete */
typedef Value *ElementFn(Emit *e, void *of);

static Op *array_before(Emit *e, const Path *around, const Size *const *dims, DType dtype, ElementFn *element, void *of,
                        Value **last) {
    Scope *s = e->p->s;
    Session *ss = s->ad->module->session;
    const Type *i64 = type_scalar(ss, DT_I64), *t = type_tensor(ss, dtype, around->n, dims);
    Emit top = {.p = e->p, .b = builder_here(s)};
    Op *made = build_op(&top.b, OP_GENERATE, 0, NULL, 1, &t, 1), *outer = s->inner;
    Emit in = emit_inside(&top, made->regs[0]);
    s->inner = made;
    for (int i = 0; i < around->n; i++) know(&in, index_of(&around->step[i]), region_add_arg(made->regs[0], i64, "i"));
    *last = element(&in, of);
    if (*last) build_yield(&in.b, 1, last);
    s->inner = outer;
    return made;
}

static Value *winner_element(Emit *e, void *owner) { return winner_of(e, owner, 0); }

/* The index of the winner at the indices around that are known here; NULL: they are not plain */
static Value *winner_in_array(Emit *e, Op *owner) {
    Path around = {0};
    const Size *dims[MAX_PATH];
    Value *idx[MAX_PATH], *all = map_get(&e->p->winners, owner);
    bool nest = owner != e->p->root && path_to(e->p, &around, owner, NULL) && extents_of(e, &around, dims);
    if (!nest) return NULL;
    if (!all) {
        Value *winner;
        all = &array_before(e, &around, dims, DT_I64, winner_element, owner, &winner)->res[0];
        map_put(arena_of(e), &e->p->winners, owner, all);
    }
    for (int i = 0; i < around.n; i++) idx[i] = value_here(e, index_of(&around.step[i]));
    return extract_safe(&e->b, all, around.n, idx);
}

static Value *winner_here(Emit *e, Op *owner) {
    Value *winner = winner_in_array(e, owner);
    return winner ? winner : winner_of(e, owner, 0);
}

/* Where an index of owner was known before those around it: there is no place outside of owner where these are known.
 * What stands outside is computed here, of them alone. */
static bool is_turned(const Emit *home, const Path *around) {
    for (int i = 0; i < around->n; i++)
        if (index_of(&around->step[i]) && !known_here(home, index_of(&around->step[i]))) return true;
    return false;
}

static Emit outside_of(Emit *e, const Op *owner, bool *turned) {
    Path around = {0};
    Emit home = home_of(e, owner), here = {.p = e->p, .b = e->b};
    *turned = owner != e->p->root && path_to(e->p, &around, owner, NULL) && is_turned(&home, &around);
    for (int i = 0; i < around.n && *turned; i++) {
        Value *index = index_of(&around.step[i]);
        if (index) know(&here, index, value_here(e, index));
    }
    here.b = e->b;
    return *turned ? here : home;
}

static bool index_is_winner(const Emit *e, const Op *owner) {
    for (; e; e = e->up)
        if (map_has(&e->won, owner)) return true;
    return false;
}

/* The first of equals gets all */
static Value *pull_extreme(Emit *e, Op *owner, int k, Value *g) {
    bool turned;
    if (index_is_winner(e, owner)) return g;
    Emit home = outside_of(e, owner, &turned);
    Value *winner = turned ? winner_in_array(e, owner) : NULL, *linear = number_here(e, owner);
    if (!winner) winner = winner_of(&home, owner, k);
    Value *won = build_select(&e->b, build_binary(&e->b, OP_EQ, linear, winner), g, like(e, g, 0));
    return mask(e->p->s->ad, won);
}

static Value *one_for_except(Emit *e, Op *owner, int k, Value *linear) {
    Value *v = yielded(e, owner, k);
    return as_adjoint(&e->b, build_select(&e->b, build_binary(&e->b, OP_EQ, linear, e->p->except), like(e, v, 1), v));
}

/* The product of all others, anew for each element: what can be differentiated again where elements are 0 */
static Value *pull_product_again(Emit *e, Op *owner, int k, Value *g) {
    bool turned;
    e->p->except = number_here(e, owner);
    Emit here = outside_of(e, owner, &turned);
    here.b = e->b;
    return build_binary(&e->b, OP_MUL, g, reduce_again(&here, owner, k, COMBINE_MUL, g->type, one_for_except));
}

/* Without zeros the product over the element; with one zero the product of the others, for that one */
static Value *pull_product(Emit *e, Op *owner, int k, Value *g) {
    const Type *i64 = type_scalar(e->b.module->session, DT_I64);
    bool turned;
    Emit home = outside_of(e, owner, &turned);
    Value *zeros = reduce_again(&home, owner, k, COMBINE_ADD, i64, is_zero),
          *others = reduce_again(&home, owner, k, COMBINE_MUL, g->type, one_for_zero);
    Value *x = as_adjoint(&e->b, yielded(e, owner, k)), *none = build_binary(&e->b, OP_EQ, zeros, build_int(&e->b, 0));
    Value *this_one = build_binary(&e->b, OP_AND, build_binary(&e->b, OP_EQ, zeros, build_int(&e->b, 1)),
                                   build_binary(&e->b, OP_EQ, x, like(e, x, 0)));
    Value *share = build_select(&e->b, this_one, others, like(e, x, 0));
    return build_binary(&e->b, OP_MUL, g, build_select(&e->b, none, build_binary(&e->b, OP_DIV, others, x), share));
}

static Value *pull_yield(Emit *e, Op *owner, int k) {
    Value *g = pulled_result(e, owner, k);
    if (!g || owner->code == OP_IF || owner->code == OP_FOR) return g;
    if (is_map(owner)) {
        Value *idx[MAX_RANK];
        for (int i = 0; i < owner->regs[0]->nargs; i++) idx[i] = value_here(e, owner->regs[0]->args[i]);
        return keep_mask(e->p->s->ad, extract_safe(&e->b, g, owner->regs[0]->nargs, idx), g);
    }
    Combine kind = op_combine(owner);
    if (kind == COMBINE_ADD) return g;
    if (kind == COMBINE_MIN || kind == COMBINE_MAX) return pull_extreme(e, owner, k, g);
    if (kind == COMBINE_MUL)
        return e->p->s->ad->again ? pull_product_again(e, owner, k, g) : pull_product(e, owner, k, g);
    return cannot(e->p->s->ad, owner, "a reduction with an operator of its own"), NULL;
}

/* ---- one use of a value, the code for which stands where the use does */

static Value *pull_elementwise(Emit *e, Op *op, int k) {
    Value *g = pull(e, &op->res[0]), *x[3];
    if (!g) return NULL;
    if (!has_adjoint(op->code)) return cannot(e->p->s->ad, op, op_info(op->code)->mnemonic), NULL;
    for (int i = 0; i < op->nopnds; i++) x[i] = rule_reads(op, k, i) ? value_here(e, op_opnd(op, i)) : NULL;
    Value *z = rule_reads(op, k, op->nopnds) ? value_here(e, &op->res[0]) : NULL;
    return elementwise_adjoint(e->p->s->ad, &e->b, op, k, x, z, g);
}

static Value *pull_use(Emit *e, const Use *u) {
    Op *op = u->user;
    if (op->code == OP_YIELD) return pull_yield(e, op->parent->owner, u->index);
    if (is_sum(op) && u->index >= 3) return pull(e, &op->res[u->index - 3]); /* what it begins with */
    if (op_info(op->code)->ad == AD_ZERO || op->nres != 1 || !is_active(e->p->s->ad, &op->res[0])) return NULL;
    if (op_info(op->code)->traits & TR_ELEM) return pull_elementwise(e, op, u->index);
    return cannot(e->p->s->ad, op, op_info(op->code)->mnemonic), NULL;
}

/* ---- down a path: indices are summed over or solved for, branches taken */

Value *guarded(Emit *e, Value *cond, bool when, const Path *path, int at, const Solution *sol, const End *end) {
    Op *made = build_if(&e->b, cond, 1, &end->type);
    Emit in = emit_inside(e, made->regs[!when]), out = emit_inside(e, made->regs[when]);
    Op *outer = enter(e, made);
    Value *v = descend(&in, path, at, sol, end), *zero = build_float(&out.b, end->type->dtype, 0);
    if (!v) v = build_float(&in.b, end->type->dtype, 0);
    build_yield(&in.b, 1, &v);
    build_yield(&out.b, 1, &zero);
    leave(e, outer);
    return &made->res[0];
}

Value *summed_over(Emit *e, Value *count, const End *end, TurnFn *body, void *ctx) {
    Op *made = build_op(&e->b, OP_REDUCE, 1, &count, 1, &end->type, 1);
    op_set_combine(made, COMBINE_ADD);
    Emit in = emit_inside(e, made->regs[0]);
    Value *k = region_add_arg(made->regs[0], count->type, "k");
    Op *outer = enter(e, made);
    Value *v = body(&in, k, ctx);
    if (!v) v = build_float(&in.b, end->type->dtype, 0);
    build_yield(&in.b, 1, &v);
    leave(e, outer);
    return keep_mask(e->p->s->ad, &made->res[0], v);
}

typedef struct { const Path *path; int at; const Solution *sol; const End *end; } Turn;

static Value *one_turn(Emit *e, Value *k, void *ctx) {
    const Turn *t = ctx;
    know(e, index_of(&t->path->step[t->at]), index_here(e, &t->path->step[t->at], k));
    return descend(e, t->path, t->at + 1, t->sol, t->end);
}

static Value *summed(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    Turn t = {path, at, sol, end};
    return summed_over(e, times_here(e, &path->step[at]), end, one_turn, &t);
}

static Value *solved(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    const Step *st = &path->step[at];
    Value *index = sol->solved[at];
    Emit in = {.p = e->p, .up = e, .b = e->b}; /* the index is known from here on, in no region of its own */
    know(&in, index_of(st), index);
    if (sol->inside[at]) return descend(&in, path, at + 1, sol, end);
    Value *first = st->owner->code == OP_FOR ? value_here(e, op_opnd(st->owner, 0)) : build_int(&e->b, 0);
    Value *low = build_binary(&e->b, OP_GE, index, first);
    Value *high = build_binary(&e->b, OP_LT, index, extent_here(e, st));
    return guarded(&in, build_binary(&e->b, OP_AND, low, high), true, path, at + 1, sol, end);
}

/* Others than the winner get nothing: there is no sum over them. */
static Value *at_winner(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    Op *owner = path->step[at].owner;
    Emit in = {.p = e->p, .up = e, .b = e->b};
    Value *winner = winner_here(e, owner);
    know(&in, owner->regs[0]->args[0], winner);
    map_put(arena_of(e), &in.won, owner, winner);
    in.b = e->b;
    Value *some = build_binary(&in.b, OP_NE, winner, build_int(&in.b, INT64_MAX));
    return mask(e->p->s->ad, guarded(&in, some, true, path, at + 1, sol, end));
}

Value *descend(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    if (e->p->s->ad->failed) return NULL;
    if (at == path->n) return end->make(e, end);
    const Step *st = &path->step[at];
    if (st->owner->code == OP_IF) {
        Value *v = guarded(e, value_here(e, op_opnd(st->owner, 0)), st->index == 0, path, at + 1, sol, end);
        return mask(e->p->s->ad, v);
    }
    if (sol && sol->planned[at]) return solve_step(e, path, at, sol, end);
    if (sol && sol->solved[at]) return solved(e, path, at, sol, end);
    return (st->won ? at_winner : summed)(e, path, at, sol, end);
}

Value *make_use(Emit *e, const End *end) { return pull_use(e, end->use); }

/* ---- adjoints of what loops of the root's body give: where they take such loops, once for each index of the root */

static Value *pulled_here(Emit *e, Value *v);

static Value *pulled_element(Emit *e, void *v) { return pulled_here(e, v); }

static Value *all_pulled(Emit *e, Value *v, const Path *around, const Size *const *dims) {
    Value *g;
    Op *made = array_before(e, around, dims, adjoint_dtype(v->type->dtype), pulled_element, v, &g);
    if (g && (op_holds(made, OP_REDUCE) || op_holds(made, OP_FOR))) return keep_mask(e->p->s->ad, &made->res[0], g);
    op_erase(made);
    return NULL;
}

static void find_other(void *ctx, Op *op) {
    if (op->code == OP_REDUCE && op_combine(op) != COMBINE_ADD) *(bool *)ctx = true;
}

bool only_adds(const Op *root) {
    bool other = root->code == OP_REDUCE && op_combine(root) != COMBINE_ADD;
    for (int i = 0; i < root->nregs; i++) region_walk(root->regs[i], find_other, &other);
    return !other;
}

/* It is no more than a few operations: an array of adjoints over a nest of several indices would be more to keep. */
static bool is_little(const Op *op) {
    int64_t n;
    return op->code == OP_FOR ? loop_turns(op, &n) && n <= SHORT_SUM : reduce_is_short(op);
}

/* NULL: it is computed here */
static Value *pulled_in_array(Emit *e, Value *v) {
    Path around = {0};
    const Size *dims[MAX_PATH];
    Value *idx[MAX_PATH];
    const Op *def = v->def;
    bool loop = def && def->parent == e->p->root->regs[0] && (def->code == OP_REDUCE || def->code == OP_FOR);
    if (!loop || !known_here(e, def->regs[0]->args[0])) return NULL;
    if (!path_to(e->p, &around, def, NULL) || !extents_of(e, &around, dims)) return NULL;
    if (around.n > 1 && is_little(def) && only_adds(e->p->root)) return NULL;
    if (!map_has(&e->p->kept, v)) map_put(arena_of(e), &e->p->kept, v, all_pulled(e, v, &around, dims));
    Value *all = map_get(&e->p->kept, v);
    if (!all) return NULL;
    for (int i = 0; i < around.n; i++) idx[i] = value_here(e, index_of(&around.step[i]));
    return keep_mask(e->p->s->ad, extract_safe(&e->b, all, around.n, idx), all);
}

/* The adjoint of v, a value of the nest: of each use, summed over the indices between v and the use */
static Value *pulled_here(Emit *e, Value *v) {
    Value *sum = NULL;
    UseList uses = uses_from_last(e->p->s->ad, v);
    for (int k = 0; k < uses.len; k++) {
        const Use *u = uses.data[k];
        Path path = {0}, rest = {0};
        if (!may_vary(e->p, u->user, value_region(v))) continue;
        if (!path_to(e->p, &path, u->user, value_region(v))) return NULL;
        for (int i = 0; i < path.n; i++) { /* what is fixed here already is not summed over */
            const Value *index = index_of(&path.step[i]);
            if (index && known_here(e, index)) continue;
            rest.step[rest.n] = path.step[i];
            rest.step[rest.n++].won = is_extreme(&path.step[i]);
        }
        End end = {.make = make_use, .use = u, .type = adjoint_type(e->p->s->ad, v->type)};
        sum = sum_adjoints(e->p->s->ad, &e->b, sum, descend(e, &rest, 0, NULL, &end));
    }
    map_put(arena_of(e), &e->pulled, v, sum);
    return sum;
}

Value *pull(Emit *e, Value *v) {
    if (!is_active(e->p->s->ad, v)) return NULL;
    for (const Emit *at = e; at; at = at->up)
        if (map_has(&at->pulled, v)) return map_get(&at->pulled, v);
    Value *kept = pulled_in_array(e, v);
    return kept ? kept : pulled_here(e, v);
}
