/* Binomial checkpoints: a loop as a function that calls itself for its first and its last turns.
 *
 * run(n turns, s slots) = run(m, s), then run(n - m, s - 1) on what that gives.  The adjoint of the second needs the
 * state between the two, which the first computes anew, and which is kept while the second is reversed: s states at
 * most.  With m as below the steps that are computed anew are as few as they can be: for r with
 * C(s + r - 1, s) < n <= C(s + r, s) they are r n - C(s + r, r - 1) (Griewank and Walther, Algorithm 799: Revolve, ACM
 * TOMS 26(1), 2000).  What varies around the loop goes through it as what it carries does, and comes back with
 * adjoints (call.c) that were added in the loop's own order: derivatives have its bits.
 *
 * The values come from the loop itself, which runs once before and keeps nothing: it prints and checks, and how often a
 * `while` goes around is known behind it.  So turns whose number nobody knows before need no order of their own, as
 * those of Wang, Moin and Iaccarino (SIAM J. Sci. Comput. 31(4), 2009) or of Stumm and Walther (32(2), 2010), which
 * keep states before the end is seen: that would save this one run, which a derivative needs for its value, too. */
#include "ad/checkpoint.h"

/* Parameters of the function; behind the states what stays the same */
enum { TURN, TURNS = REVOLVE_TURNS, SLOTS, LO, STEP, STATES = REVOLVE_STATES };

typedef struct Run {
    Ad *ad;
    Op *loop;
    Region *body;
    int ivs; /* of the body, before what is carried */
    Func *func;
    ValueList states, same; /* at the loop: what it carries and what varies around it; the rest that it mentions */
    ValueList along;        /* of that rest what is computed where it is needed, of constants, sizes and the rest */
    const Type **types;     /* of the states */
} Run;

static Value *param(const Run *r, int i) { return r->func->body->args[i]; }

static Op *call_run(const Run *r, Builder *b, Value *turn, Value *n, Value *slots, Value *const *states) {
    int k = 0;
    Value **opnds = NEWN(r->ad->arena, Value *, STATES + r->states.len + r->same.len);
    opnds[k++] = turn, opnds[k++] = n, opnds[k++] = slots, opnds[k++] = param(r, LO), opnds[k++] = param(r, STEP);
    for (int i = 0; i < r->states.len; i++) opnds[k++] = states[i];
    for (int i = 0; i < r->same.len; i++) opnds[k++] = param(r, STATES + r->states.len + i);
    Op *call = build_op(b, OP_CALL, k, opnds, r->states.len, r->types, 0);
    op_set_sym(call, A_FUNC, r->func->name);
    return call;
}

/* How many turns come first: min(C(s + r - 1, s), n - C(s + r - 2, s - 1)) for the least r with C(s + r, s) >= n */
static Value *first_turns(Builder *b, Value *n, Value *s) {
    const Type *i64 = n->type, *types[3] = {i64, i64, i64};
    Value *one = build_int(b, 1), *init[3] = {build_int(b, 0), one, one}; /* r, C(s + r, s), the one before */
    Op *loop = build_op(b, OP_WHILE, 3, init, 3, types, 2);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) region_add_arg(loop->regs[k], i64, "r");
    Builder test = builder_at_end(b->module, loop->regs[0], b->span),
            in = builder_at_end(b->module, loop->regs[1], b->span);
    Value *more = build_binary(&test, OP_LT, loop->regs[0]->args[1], n), **at = loop->regs[1]->args;
    build_yield(&test, 1, &more);
    Value *r = build_binary(&in, OP_ADD, at[0], build_int(&in, 1)),
          *range = build_binary(&in, OP_MUL, at[1], build_binary(&in, OP_ADD, s, r));
    Value *next[3] = {r, idiv_safe(&in, range, r), at[1]};
    build_yield(&in, 3, next);
    Value *before = &loop->res[2], *top = build_binary(b, OP_MUL, before, s),
          *rest = build_binary(b, OP_SUB, build_binary(b, OP_ADD, s, &loop->res[0]), one);
    Value *m = build_binary(b, OP_MIN, before, build_binary(b, OP_SUB, n, idiv_safe(b, top, rest)));
    return build_binary(b, OP_MAX, m, one);
}

/* Uses of v in the loop become uses of by, in their order: in this order their adjoints are added. */
static void give_body(const Run *r, Value *v, Value *by) {
    VEC(Use *) uses = {0};
    for (Use *u = v->uses; u; u = u->next)
        if (u->user != r->loop && op_inside(u->user, r->loop)) vec_push(r->ad->arena, &uses, u);
    for (int i = uses.len - 1; i >= 0; i--) op_set_opnd(uses.data[i]->user, uses.data[i]->index, by);
}

static void adopt(const Run *r, const Op *op) {
    for (int i = 0; i < op->nregs; i++) {
        op->regs[i]->func = r->func;
        for (const Op *o = op->regs[i]->first; o; o = o->next) adopt(r, o);
    }
}

/* What indices are made of comes along, so that as much is known of them as in the loop. */
static void clone_along(const Run *r, Cloner *c, Builder *b) {
    for (int i = 0; i < r->along.len; i++) clone_op(c, b, r->along.data[i]->def);
}

static void bring_along(const Run *r, Builder *b) {
    Cloner c = {.module = r->ad->module};
    int n = STATES + r->states.len;
    for (int i = r->loop->nres; i < r->states.len; i++)
        map_put(r->ad->arena, &c.values, r->states.data[i], param(r, STATES + i));
    for (int i = 0; i < r->same.len; i++) map_put(r->ad->arena, &c.values, r->same.data[i], param(r, n + i));
    clone_along(r, &c, b);
    for (int i = 0; i < r->same.len; i++) give_body(r, r->same.data[i], param(r, n + i));
    for (int i = 0; i < r->along.len; i++) give_body(r, r->along.data[i], clone_value(&c, r->along.data[i]));
}

/* One turn, or none: the loop's own body goes there */
static void run_turn(const Run *r, Builder *b) {
    Region *body = r->body;
    int n = r->states.len, carried = r->loop->nres;
    Value **out = NEWN(r->ad->arena, Value *, n + 1), *some = build_binary(b, OP_EQ, param(r, TURNS), build_int(b, 1));
    Op *made = build_if(b, some, n, r->types);
    Builder in = builder_at_end(b->module, made->regs[0], b->span),
            none = builder_at_end(b->module, made->regs[1], b->span);
    Value *i = build_binary(&in, OP_ADD, param(r, LO), build_binary(&in, OP_MUL, param(r, TURN), param(r, STEP)));
    if (r->ivs) give_body(r, body->args[0], i);
    for (int k = 0; k < n; k++)
        give_body(r, k < carried ? body->args[r->ivs + k] : r->states.data[k], param(r, STATES + k));
    bring_along(r, &in);
    Op *y = region_term(body);
    for (int k = 0; k < n; k++) out[k] = k < carried ? op_opnd(y, k) : param(r, STATES + k);
    op_erase(y);
    for (const Op *o = body->first; o; o = o->next) adopt(r, o);
    if (body->first) op_move_range(body->first, body->last, made->regs[0], NULL);
    build_yield(&in, n, out);
    for (int k = 0; k < n; k++) out[k] = param(r, STATES + k);
    build_yield(&none, n, out);
    for (int k = 0; k < n; k++) out[k] = &made->res[k];
    build_yield(b, n, out);
}

static void run_halves(const Run *r, Builder *b) {
    int n = r->states.len;
    Value *m = first_turns(b, param(r, TURNS), param(r, SLOTS)), *one = build_int(b, 1);
    Value **between = NEWN(r->ad->arena, Value *, n + 1), **out = NEWN(r->ad->arena, Value *, n + 1);
    Op *first = call_run(r, b, param(r, TURN), m, param(r, SLOTS), r->func->body->args + STATES);
    for (int i = 0; i < n; i++) between[i] = &first->res[i];
    Value *fewer = build_binary(b, OP_MAX, build_binary(b, OP_SUB, param(r, SLOTS), one), one);
    Op *last = call_run(r, b, build_binary(b, OP_ADD, param(r, TURN), m), build_binary(b, OP_SUB, param(r, TURNS), m),
                        fewer, between);
    for (int i = 0; i < n; i++) out[i] = &last->res[i];
    build_yield(b, n, out);
}

static void make_function(Run *r) {
    Module *m = r->ad->module;
    Session *s = m->session;
    int n = r->states.len;
    r->func = func_new(m, intern(s, module_fresh_sym(m, "run")), FUNC_FN, r->loop->span);
    r->func->recursive = true;
    r->func->carried = r->loop->nres;
    r->func->nres = n;
    r->func->res_types = NEWN(m->arena, const Type *, n + 1);
    r->types = r->func->res_types;
    for (int i = 0; i < STATES; i++) region_add_arg(r->func->body, type_scalar(s, DT_I64), "k");
    for (int i = 0; i < n; i++) {
        r->func->res_types[i] = r->states.data[i]->type;
        region_add_arg(r->func->body, r->types[i], r->states.data[i]->name);
    }
    for (int i = 0; i < r->same.len; i++) region_add_arg(r->func->body, r->same.data[i]->type, r->same.data[i]->name);
    Builder b = builder_at_end(m, r->func->body, r->loop->span);
    Value *end = build_binary(&b, OP_LE, param(r, TURNS), build_int(&b, 1)), **out = NEWN(r->ad->arena, Value *, n + 1);
    Op *made = build_if(&b, end, n, r->types);
    Builder one = builder_at_end(m, made->regs[0], r->loop->span),
            more = builder_at_end(m, made->regs[1], r->loop->span);
    run_turn(r, &one);
    run_halves(r, &more);
    for (int i = 0; i < n; i++) out[i] = &made->res[i];
    build_return(&b, n, out);
}

/* ---- sizes: a function knows those that are the size of an axis of a parameter */

typedef struct { Ad *ad; Map bare; VEC(const char *) others; } Sizes;

static const Size *see(void *ctx, const char *sym) {
    Sizes *z = ctx;
    if (map_has(&z->bare, sym)) return NULL;
    map_put(z->ad->arena, &z->bare, sym, z);
    vec_push(z->ad->arena, &z->others, sym);
    return NULL;
}

/* An array that nobody reads tells the function each of the others, as n of an array of n + 2; false: the loop itself
 * finds one. */
static bool tell_others(Run *r, const Sizes *z) {
    Session *s = r->ad->module->session;
    Builder b = builder_before(r->loop);
    for (int i = 0; i < z->others.len; i++)
        if (!size_is_known_at(r->loop, size_sym(s, z->others.data[i]))) return false;
    for (int i = 0; i < z->others.len; i++) {
        const Size *size = size_sym(s, z->others.data[i]);
        vec_push(r->ad->arena, &r->same, build_empty(&b, type_tensor(s, DT_BOOL, 1, &size), NULL));
    }
    return true;
}

static void add_bare(Ad *ad, Sizes *z, const ValueList *list) {
    for (int i = 0; i < list->len; i++) {
        const Type *t = list->data[i]->type;
        for (int k = 0; k < t->rank; k++)
            if (size_as_sym(t->dims[k])) map_put(ad->arena, &z->bare, size_as_sym(t->dims[k]), ad);
    }
}

static void see_types(Ad *ad, Sizes *z, const ValueList *list) {
    for (int i = 0; i < list->len; i++)
        for (int k = 0; k < list->data[i]->type->rank; k++)
            size_subst(ad->module->session, list->data[i]->type->dims[k], see, z);
}

/* It knows its sizes, and calls nothing that prints: in a copy of the body, of which nothing stays. */
static bool runs_alone(Run *r) {
    Ad *ad = r->ad;
    Sizes z = {.ad = ad};
    Region scratch = {.func = r->loop->parent->func};
    Cloner c = {.module = ad->module, .subst = see, .subst_ctx = &z};
    bool quiet = true;
    add_bare(ad, &z, &r->states);
    add_bare(ad, &z, &r->same);
    see_types(ad, &z, &r->states);
    see_types(ad, &z, &r->same);
    Builder b = builder_at_end(ad->module, &scratch, r->loop->span);
    clone_along(r, &c, &b);
    clone_along(r, &c, &b);
    clone_region_ops(&c, &b, r->body, false);
    forget_effects_in(&scratch);
    for (Op *o = scratch.first; o; o = o->next) quiet &= may_run_again(ad, o);
    while (scratch.last) op_erase(scratch.last);
    return quiet && tell_others(r, &z);
}

/* The loop as it is, which gives the values */
static Op *values_of(const Run *r) {
    Cloner c = {.module = r->ad->module};
    Builder b = builder_before(r->loop);
    Op *copy = clone_op(&c, &b, r->loop);
    op_rename_sizes(copy);
    return r->ivs ? copy : with_turns(r->ad, copy)->region->owner;
}

static Op *call_first(const Run *r, Builder *b, const Op *values, Value *slots) {
    Value *zero = build_int(b, 0), *lo = r->ivs ? op_opnd(r->loop, 0) : zero,
          *step = r->ivs ? op_opnd(r->loop, 2) : build_int(b, 1),
          *count = r->ivs ? build_count(b, lo, op_opnd(r->loop, 1), step) : turns_of(values),
          **opnds = NEWN(r->ad->arena, Value *, STATES + r->states.len + r->same.len);
    int k = 0;
    opnds[k++] = zero, opnds[k++] = count, opnds[k++] = slots, opnds[k++] = lo, opnds[k++] = step;
    for (int i = 0; i < r->states.len; i++) opnds[k++] = r->states.data[i];
    for (int i = 0; i < r->same.len; i++) opnds[k++] = r->same.data[i];
    Op *call = build_op(b, OP_CALL, k, opnds, r->states.len, r->types, 0);
    op_set_sym(call, A_FUNC, r->func->name);
    return call;
}

static bool comes_along(const Ad *ad, const Value *v) {
    const Op *op = v->def;
    if (!op || is_active(ad, v)) return false;
    if (op->code == OP_FILL) return value_const(op_opnd(op, 0));
    bool whole = !type_is_tensor(v->type) && !dtype_is_float(v->type->dtype) && op->nres == 1;
    return op->code == OP_CONST || op->code == OP_SIZE || (whole && op_info(op->code)->traits & TR_ELEM);
}

static bool is_in(const ValueList *list, int from, const Value *v) {
    for (int i = from; i < list->len; i++)
        if (list->data[i] == v) return true;
    return false;
}

static void add_free(Run *r, Value *v) {
    Arena *a = r->ad->arena;
    bool along = comes_along(r->ad, v), active = is_active(r->ad, v);
    ValueList *list = active ? &r->states : along ? &r->along : &r->same;
    if (is_in(list, active ? r->loop->nres : 0, v)) return; /* what the loop begins with may be used in it, too */
    for (int i = 0; along && i < v->def->nopnds; i++) add_free(r, op_opnd(v->def, i));
    vec_push(a, list, v);
}

bool revolve(Ad *ad, Op *loop, Value *slots) {
    bool is_for = loop->code == OP_FOR;
    Run r = {.ad = ad, .loop = loop, .body = loop->regs[!is_for], .ivs = is_for};
    int n = loop->nres;
    ValueList free = all_free(ad, loop);
    for (int i = 0; i < n; i++) vec_push(ad->arena, &r.states, op_opnd(loop, (is_for ? 3 : 0) + i));
    for (int i = 0; i < free.len; i++) add_free(&r, free.data[i]);
    if (!runs_alone(&r)) return false;
    Op *values = values_of(&r);
    forget_effects(loop);
    make_function(&r);
    Builder b = builder_before(loop);
    Op *call = call_first(&r, &b, values, slots);
    for (int i = 0; i < n; i++) replace_in_order(ad, &loop->res[i], &call->res[i]);
    op_erase(loop);
    vec_push(ad->arena, &ad->revolved, ((Revolved){values, call}));
    return true;
}

void take_values(Ad *ad) {
    for (int k = 0; k < ad->revolved.len; k++) {
        Op *call = ad->revolved.data[k].call, *values = ad->revolved.data[k].values;
        int n = values->nres - (values->code == OP_WHILE);
        for (int i = 0; i < n; i++) value_replace_all(&call->res[i], &values->res[i]);
        op_erase(call);
    }
}
