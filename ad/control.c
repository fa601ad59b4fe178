/* Branches and loops at function level. */
#include "ad/loop.h"
#include "ad/memory.h"

Scope open_scope(Scope *up, Region *of, Op *made, int region) {
    up->inner = made;
    Scope in = {.ad = up->ad,
                .up = up,
                .of = of,
                .b = builder_at_end(up->ad->module, made->regs[region], made->span),
                .memory = up->memory};
    if (in.memory) open_shadows(&in);
    return in;
}

static const Type **types_of(Ad *ad, const ValueList *free) {
    const Type **types = NEWN(ad->arena, const Type *, free->len + 1);
    for (int i = 0; i < free->len; i++) types[i] = adjoint_type(ad, free->data[i]->type);
    return types;
}

/* ---- if: the same branches, each of which hands on what the outer values have gathered */

/* n results of an operation, and the region that gives them */
typedef struct { Region *of; const Value *res; int n; } Branch;

/* Into region `into` of made goes the reverse of a branch.  before: what has been gathered, NULL for nothing, to which
 * a branch then adds no zero. */
static void reverse_branch(Scope *s, const Branch *branch, Op *made, int into, const ValueList *free,
                           Value *const *before) {
    Scope in = open_scope(s, branch->of, made, into);
    const Op *y = region_term(branch->of);
    Value **out = NEWN(s->ad->arena, Value *, free->len + 1);
    for (int i = 0; i < free->len; i++)
        if (before[i]) set_adjoint(&in, free->data[i], before[i]);
    for (int i = 0; i < branch->n; i++) add_adjoint(&in, op_opnd(y, i), adjoint_of(s, &branch->res[i]));
    reverse_region(&in);
    for (int i = 0; i < free->len; i++) out[i] = adjoint_or_zero(&in, free->data[i]);
    build_yield(&in.b, free->len, out);
    s->inner = NULL;
}

/* What is active and yielded from outside counts, too: active_free sees the terminators. */
void reverse_if(Scope *s, Op *op) {
    ValueList free = active_free(s->ad, op);
    Value **before = NEWN(s->ad->arena, Value *, free.len + 1), *cond = primal_of(s, op_opnd(op, 0));
    for (int i = 0; i < free.len; i++) before[i] = adjoint_of(s, free.data[i]);
    Op *made = build_if(&s->b, cond, free.len, types_of(s->ad, &free));
    Branch both[2]; /* op itself may come to hand out more */
    for (int k = 0; k < 2; k++) both[k] = (Branch){op->regs[k], op->res, op->nres};
    for (int k = 0; k < 2; k++) reverse_branch(s, &both[k], made, k, &free, before);
    op_rename_sizes(made);
    for (int i = 0; i < free.len; i++)
        set_adjoint(s, free.data[i], mask(s->ad, &made->res[i]));
}

/* ---- strands: what each gives is added in the order of the text, so it is the same with any number of threads */

/* One that finds sizes of arrays: its reverse has a region of its own for them. */
static void reverse_apart(Scope *s, Op *op, int k, int first, const ValueList *free) {
    Value **sums = NEWN(s->ad->arena, Value *, free->len + 1);
    for (int i = 0; i < free->len; i++) sums[i] = adjoint_or_zero(s, free->data[i]);
    Op *made = build_if(&s->b, build_bool(&s->b, true), free->len, types_of(s->ad, free));
    Branch strand = {op->regs[k], &op->res[first], region_term(op->regs[k])->nopnds};
    reverse_branch(s, &strand, made, 0, free, sums);
    Builder none = builder_at_end(s->ad->module, made->regs[1], op->span);
    build_yield(&none, free->len, sums);
    op_rename_sizes(made);
    for (int i = 0; i < free->len; i++) set_adjoint(s, free->data[i], &made->res[i]);
}

static void reverse_strand(Scope *s, Op *op, int k, int first, const ValueList *free) {
    const Op *y = region_term(op->regs[k]);
    Scope in = {.ad = s->ad, .up = s, .of = op->regs[k], .b = s->b, .memory = s->memory};
    for (int i = 0; i < y->nopnds; i++) add_adjoint(&in, op_opnd(y, i), adjoint_of(s, &op->res[first + i]));
    reverse_region(&in);
    s->b = in.b;
    for (int i = 0; i < free->len; i++) add_adjoint(s, free->data[i], adjoint_of(&in, free->data[i]));
}

void reverse_spawn(Scope *s, Op *op) {
    int first = 0;
    ValueList free = active_free(s->ad, op);
    bool apart = has_own_sizes(op);
    for (int k = 0; k < 2; k++) {
        if (apart) reverse_apart(s, op, k, first, &free);
        else reverse_strand(s, op, k, first, &free);
        first += region_term(op->regs[k])->nopnds;
    }
}

/* ---- loops: the last iteration first, with the adjoints of what is carried and of what the body sees */

bool counts_up(const Value *lo, const Value *step) {
    return value_is_const_int(lo, 0) && value_is_const_int(step, 1);
}

Value *build_count(Builder *b, Value *lo, Value *hi, Value *step) {
    Value *n = hi;
    if (!counts_up(lo, step)) n = build_unary(b, OP_NEG, idiv_safe(b, build_binary(b, OP_SUB, lo, hi), step));
    return build_binary(b, OP_MAX, n, build_int(b, 0));
}

Value *build_turn(Builder *b, const Op *loop) {
    Value *i = loop->regs[0]->args[0], *lo = op_opnd(loop, 0), *step = op_opnd(loop, 2);
    return counts_up(lo, step) ? i : idiv_safe(b, build_binary(b, OP_SUB, i, lo), step);
}

Value *with_turns(Ad *ad, Op *loop) {
    Builder b = builder_before(loop);
    const Type *i64 = type_scalar(ad->module->session, DT_I64);
    Op *made = with_carried(ad, loop, build_int(&b, 0));
    Value *turns = NULL;
    for (int k = 0; k < 2; k++) turns = region_add_arg(made->regs[k], i64, "turns");
    Op *y = region_term(made->regs[1]);
    Builder end = builder_before(y);
    op_add_opnd(y, build_binary(&end, OP_ADD, turns, build_int(&end, 1)));
    return turns;
}

Value *turns_of(const Op *loop) { return &loop->res[loop->nres - 1]; }

/* An argument of the body: the induction variable is computed, what is carried is read from its tape. */
static Value *loop_argument(Scope *in, Value *arg) {
    Loop *l = in->ctx;
    if (arg->index >= l->ivs && in->memory) return recall(in, arg);
    Builder b = builder_here(in);
    if (arg->index >= l->ivs) return kept_carried(in, l, arg->index - l->ivs);
    if (l->from_zero) return l->turn;
    return build_binary(&b, OP_ADD, l->lo, build_binary(&b, OP_MUL, l->turn, l->step));
}

/* Whether v, of the loop's body, is computed from `from`, which is carried; seen: of what that is known not to be so */
static bool depends_on(Ad *ad, Map *seen, const Loop *l, Value *v, const Value *from) {
    if (v == from) return true;
    if (!v->def || v->def->parent != l->body || map_has(seen, v)) return false;
    map_put(ad->arena, seen, v, v);
    ValueList free = all_free(ad, v->def);
    for (int i = 0; i < v->def->nopnds; i++)
        if (depends_on(ad, seen, l, op_opnd(v->def, i), from)) return true;
    for (int i = 0; i < free.len; i++)
        if (depends_on(ad, seen, l, free.data[i], from)) return true;
    return false;
}

/* A tensor that the next iteration begins with is a row of the tape which it would be computed from, the next one. */
static Value *loop_yielded(Scope *in, Value *v) {
    Loop *l = in->ctx;
    const Op *y = region_term(l->body);
    for (int k = 0; k + l->ivs < l->body->nargs && k < y->nopnds; k++) {
        Map seen = {0};
        if (op_opnd(y, k) != v || !depends_on(in->ad, &seen, l, v, l->body->args[l->ivs + k])) continue;
        return kept_yielded(in, l, k);
    }
    return NULL;
}

static Value *loop_given(Scope *in, const Value *arg) {
    Loop *l = in->ctx;
    return given_by_loop(in, l, arg->index - l->ivs);
}

static Value *loop_part(Scope *in, Scope *at, Value *v) { return kept_part(in, at, in->ctx, v); }

/* Where its turns are counted: before the loop that writes its tapes */
static Builder before_loop(const Scope *s, const Loop *l) { return l->forward ? builder_before(l->forward) : s->b; }

static void count_for(Scope *s, Loop *l) {
    Value *hi = primal_of(s, op_opnd(l->loop, 1));
    if (!s->up) l->forward = l->loop;
    else loop_ran_again(s, l);
    Builder b = before_loop(s, l);
    l->lo = primal_of(s, op_opnd(l->loop, 0)), l->step = primal_of(s, op_opnd(l->loop, 2));
    l->count = build_count(&b, l->lo, hi, l->step);
}

/* The while itself counts its iterations. */
static void count_while(Scope *s, Loop *l) {
    l->counted = with_turns(s->ad, s->up ? run_again(s, &s->b, l->loop) : l->loop)->region->owner;
    if (!s->up) l->loop = l->counted;
    l->count = turns_of(l->counted);
}

static Loop loop_begin(Scope *s, Op *op) {
    bool is_for = op->code == OP_FOR;
    Loop l = {.loop = op, .body = op->regs[!is_for], .ivs = is_for};
    l.tapes = NEWN(s->ad->arena, struct LoopTape, l.body->nargs + 1);
    l.from_zero = !is_for || counts_up(op_opnd(op, 0), op_opnd(op, 2));
    if (s->memory) {
        if (is_for) l.lo = primal_of(s, op_opnd(op, 0)), l.step = primal_of(s, op_opnd(op, 2));
        l.count = count_turns(s, op);
        return l;
    }
    if (is_for) count_for(s, &l);
    else count_while(s, &l);
    const char *sym = module_fresh_sym(s->ad->module, "turns");
    Builder b = is_for ? before_loop(s, &l) : builder_after(l.counted);
    build_bind(&b, l.count, sym);
    l.size = size_sym(s->ad->module->session, sym);
    return l;
}

/* What the reverse loop carries: adjoints of values of the function, each of what it is at the loop's end, or so far */
typedef struct { Value *of, *init; int place; } Gathered; /* place: among the results; -1: from outside */
typedef VEC(Gathered) GatheredList;

static GatheredList gathered_by(Scope *s, Op *op, const Region *body, int ivs) {
    GatheredList list = {0};
    ValueList free = active_free(s->ad, op);
    for (int i = 0; i < op->nres; i++) {
        Gathered g = {body->args[ivs + i], adjoint_of(s, &op->res[i]), i};
        if (is_active(s->ad, &op->res[i])) vec_push(s->ad->arena, &list, g);
    }
    for (int i = 0; i < free.len; i++) {
        Gathered g = {free.data[i], adjoint_of(s, free.data[i]), -1};
        vec_push(s->ad->arena, &list, g);
    }
    return list;
}

static void reverse_body(Scope *s, Loop *l, Op *made, const GatheredList *list) {
    Scope in = open_scope(s, l->body, made, 0);
    Value **out = NEWN(s->ad->arena, Value *, list->len + 1), **args = made->regs[0]->args + 1;
    const Op *y = region_term(l->body);
    in.carried = loop_argument, in.ctx = l;
    if (!s->memory) in.given = loop_given, in.yielded = loop_yielded, in.part = loop_part;
    l->turn = made->regs[0]->args[0];
    l->at = made;
    if (s->memory) map_put(s->ad->arena, &s->memory->turn, l->loop, l->turn);
    for (int i = 0; i < list->len; i++) {
        const Gathered *g = &list->data[i];
        if (g->place < 0) add_adjoint(&in, g->of, args[i]);
    }
    for (int i = 0; i < list->len; i++)
        if (list->data[i].place >= 0) add_adjoint(&in, op_opnd(y, list->data[i].place), args[i]);
    reverse_region(&in);
    for (int i = 0; i < list->len; i++) out[i] = adjoint_or_zero(&in, list->data[i].of);
    build_yield(&in.b, list->len, out);
    op_rename_sizes(made);
    s->inner = NULL;
}

void reverse_loop(Scope *s, Op *op) {
    Ad *ad = s->ad;
    bool is_for = op->code == OP_FOR;
    GatheredList list = gathered_by(s, op, op->regs[!is_for], is_for);
    Value **init = NEWN(ad->arena, Value *, list.len + 1), **begin = NEWN(ad->arena, Value *, list.len + 1);
    for (int i = 0; i < list.len; i++)
        begin[i] = list.data[i].place >= 0 ? op_opnd(op, (is_for ? 3 : 0) + list.data[i].place) : NULL;
    Loop l = loop_begin(s, op);
    for (int i = 0; i < list.len; i++)
        init[i] = list.data[i].init ? list.data[i].init : adjoint_zero(ad, &s->b, list.data[i].of);
    Value *minus = build_int(&s->b, -1), *from = build_binary(&s->b, OP_SUB, l.count, build_int(&s->b, 1));
    Op *made = build_for(&s->b, from, minus, minus, list.len, init);
    bool masked = has_choice(ad, op);
    for (int i = 0; i < list.len; i++) masked |= is_masked(ad, init[i]);
    for (int i = 0; i < list.len && masked; i++) {
        Value *g = made->regs[0]->args[1 + i];
        mask(ad, g), mask(ad, &made->res[i]);
    }
    reverse_body(s, &l, made, &list);
    for (int i = 0; i < list.len; i++)
        if (list.data[i].place < 0) set_adjoint(s, list.data[i].of, &made->res[i]);
    for (int i = 0; i < list.len; i++)
        if (begin[i]) add_adjoint(s, begin[i], &made->res[i]);
}
