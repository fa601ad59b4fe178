/* Branches and loops at function level. */
#include "ad/checkpoint.h"
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
    for (int i = 0; i < free->len; i++) types[i] = free->data[i]->type;
    return types;
}

/* ---- if: the same branches, each of which hands on what the outer values have gathered */

/* Into region `into` of made goes the reverse of region k of op, which gives op's results from `first` on.  before:
 * what has been gathered, NULL for nothing, to which a branch then adds no zero. */
static void reverse_branch(Scope *s, Op *op, int k, int first, Op *made, int into, const ValueList *free,
                           Value *const *before) {
    Scope in = open_scope(s, op->regs[k], made, into);
    const Op *y = region_term(op->regs[k]);
    Value **out = NEWN(s->ad->arena, Value *, free->len + 1);
    for (int i = 0; i < free->len; i++)
        if (before[i]) set_adjoint(&in, free->data[i], before[i]);
    for (int i = 0; i < y->nopnds; i++) add_adjoint(&in, op_opnd(y, i), adjoint_of(s, &op->res[first + i]));
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
    for (int k = 0; k < 2; k++) reverse_branch(s, op, k, 0, made, k, &free, before);
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
    reverse_branch(s, op, k, first, made, 0, free, sums);
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

typedef struct {
    Op *loop;       /* of the function, ... */
    Op *counted;    /* ... and where that is a while, the one that counts its iterations */
    Region *body;
    int ivs;        /* arguments of the body before what is carried */
    Op *forward;    /* the `for` that fills tapes: the loop itself, or one that runs it again; NULL: not made yet */
    Op *at;         /* where that goes: before this */
    bool from_zero; /* by steps of one */
    Value *lo, *step, *count; /* iterations */
    const Size *size;
    Value *turn;    /* of the reverse loop: the iteration that it reverses */
    struct LoopTape {
        int place;       /* which result of `forward` it is; 0: none yet */
        Value *with_end; /* the tape with a last row, of what the loop gives, or NULL */
    } *tapes;            /* of each carried value */
} Loop;

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

/* ---- tapes: a row for each iteration */

static const Type *rows_type(Session *s, const Size *n, const Type *t) {
    const Size *dims[MAX_RANK] = {n};
    for (int i = 0; i < t->rank; i++) dims[i + 1] = t->dims[i];
    return type_tensor(s, t->dtype, t->rank + 1, dims);
}

static Value *reshaped(Builder *b, Value *v, const Type *t) {
    Op *op = build_op(b, OP_RESHAPE, 1, &v, 1, &t, 0);
    op_set_flag(op, A_SAFE);
    return &op->res[0];
}

/* Row `turn` of the tape (row NULL), or the tape with that row */
static Value *row_op(Builder *b, Value *tape, Value *row, Value *turn, const Type *result) {
    Value *opnds[MAX_RANK + 2] = {tape, row}, *zero = build_int(b, 0);
    int64_t steps[MAX_RANK];
    int n = row ? 2 : 1;
    for (int i = 0; i < tape->type->rank; i++) opnds[n++] = i ? zero : turn, steps[i] = 1;
    Op *op = build_op(b, row ? OP_UPDATE : OP_SLICE, n, opnds, 1, &result, 0);
    op_set_ints(op, A_STEPS, tape->type->rank, steps);
    op_set_flag(op, A_SAFE);
    return &op->res[0];
}

static Value *write_row(Builder *b, Value *tape, Value *v, Value *turn) {
    Session *s = b->module->session;
    if (type_is_tensor(v->type))
        return row_op(b, tape, reshaped(b, v, rows_type(s, size_const(s, 1), v->type)), turn, tape->type);
    return insert_safe(b, tape, v, 1, &turn);
}

static Value *read_row(Builder *b, Value *tape, const Type *t, Value *turn) {
    Session *s = b->module->session;
    if (type_is_tensor(t)) return reshaped(b, row_op(b, tape, NULL, turn, rows_type(s, size_const(s, 1), t)), t);
    return extract_safe(b, tape, 1, &turn);
}

/* The loop with one more carried value */
static Op *with_carried(Ad *ad, Op *loop, Value *init) {
    const Type **types = NEWN(ad->arena, const Type *, loop->nres + 1);
    Value **opnds = NEWN(ad->arena, Value *, loop->nopnds + 1);
    for (int i = 0; i < loop->nopnds; i++) opnds[i] = op_opnd(loop, i);
    for (int i = 0; i < loop->nres; i++) types[i] = loop->res[i].type;
    types[loop->nres] = init->type, opnds[loop->nopnds] = init;
    Op *new = op_rebuild(loop, loop->nopnds + 1, opnds, loop->nres + 1, types);
    active_replace(ad, loop, new);
    return new;
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

/* A `for` that does what the while does, once its iterations are counted */
static Op *run_while_again(Scope *s, Loop *l) {
    Builder b = builder_before(l->at);
    Ad *ad = s->ad;
    int n = l->body->nargs;
    Value **init = NEWN(ad->arena, Value *, n + 1), *zero = build_int(&b, 0);
    for (int i = 0; i < n; i++) init[i] = primal_of(s, op_opnd(l->loop, i));
    ValueList free = all_free(ad, l->loop);
    for (int i = 0; i < free.len; i++) primal_of(s, free.data[i]);
    Op *made = build_for(&b, zero, l->count, build_int(&b, 1), n, init);
    Cloner c = {.module = ad->module};
    for (int i = 0; i < free.len; i++) map_put(ad->arena, &c.values, free.data[i], primal_of(s, free.data[i]));
    for (int i = 0; i < n; i++) map_put(ad->arena, &c.values, l->body->args[i], made->regs[0]->args[1 + i]);
    Builder in = builder_at_end(ad->module, made->regs[0], l->loop->span);
    clone_region_ops(&c, &in, l->body, true);
    op_rename_sizes(made);
    forget_effects(made);
    return made;
}

/* In another loop it runs again, for its tapes. */
static Op *forward_of(Scope *s, Loop *l) {
    if (l->forward) return l->forward;
    Builder b = builder_before(l->at);
    return l->forward = l->counted ? run_while_again(s, l) : run_again(s, &b, l->loop);
}

/* Makes the tape of the carried value k, written when an iteration begins */
static void add_tape(Scope *s, Loop *l, int k) {
    Ad *ad = s->ad;
    Builder b = builder_before(forward_of(s, l));
    const Value *arg = l->body->args[l->ivs + k];
    const Type *t = rows_type(ad->module->session, l->size, arg->type);
    Value *tape = build_empty(&b, t, NULL); /* each turn writes its row */
    l->tapes[k].place = l->forward->nres;
    Kept kept = {l->body, l->loop->span, arg->name, t, rows_of_loop(ad, l->loop), l->tapes[k].place, false};
    vec_push(ad->arena, &ad->kept, kept);
    l->forward = with_carried(ad, l->forward, tape);
    if (l->loop->code == OP_FOR && !s->up) l->loop = l->forward;
    Region *body = l->forward->regs[0];
    tape = region_add_arg(body, t, "tape");
    Builder first = builder_before(body->first);
    op_add_opnd(region_term(body), write_row(&first, tape, body->args[1 + k], build_turn(&first, l->forward)));
}

static Value *tape_of_carried(Scope *s, Loop *l, int k) {
    struct LoopTape *t = &l->tapes[k];
    if (!t->place) add_tape(s, l, k);
    return t->with_end ? t->with_end : &l->forward->res[t->place];
}

static void with_end_row(Session *s, Kept *k, const Type *t) {
    k->type = t, k->end = true;
    k->rows = size_add(s, k->rows, size_const(s, 1));
}

/* The tape of the carried value k gets a last row: what the loop gives. */
static Value *tape_with_end(Scope *s, Loop *l, int k) {
    struct LoopTape *t = &l->tapes[k];
    if (t->with_end) return t->with_end;
    Ad *ad = s->ad;
    Session *ss = ad->module->session;
    Value *tape = tape_of_carried(s, l, k), *given = &l->forward->res[k];
    Region *body = l->forward->regs[0];
    const Type *rows = rows_type(ss, size_add(ss, l->size, size_const(ss, 1)), given->type);
    Value *carried = body->args[1 + t->place], *written = op_opnd(region_term(body), t->place);
    Value *same[] = {op_opnd(l->forward, 3 + t->place), carried, written, tape};
    for (int i = 0; i < ad->kept.len; i++)
        if (ad->kept.data[i].tape == t->place && ad->kept.data[i].of == l->body)
            with_end_row(ss, &ad->kept.data[i], rows);
    for (int i = 0; i < 4; i++) same[i]->type = rows;
    Builder b = builder_after(l->forward);
    t->with_end = write_row(&b, tape, given, l->count);
    for (const Use *u = tape->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != t->with_end->def) op_set_opnd(u->user, u->index, t->with_end);
    }
    return t->with_end;
}

/* An argument of the body: the induction variable is computed, what is carried is read from its tape. */
static Value *loop_argument(Scope *in, Value *arg) {
    Loop *l = in->ctx;
    if (arg->index >= l->ivs && in->memory) return recall(in, arg);
    Builder b = builder_here(in);
    if (arg->index >= l->ivs)
        return read_row(&b, tape_of_carried(in->up, l, arg->index - l->ivs), arg->type, l->turn);
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
        Value *tape = tape_with_end(in->up, l, k);
        Builder b = builder_here(in);
        return read_row(&b, tape, v->type, build_binary(&b, OP_ADD, l->turn, build_int(&b, 1)));
    }
    return NULL;
}

static void count_for(Scope *s, Loop *l) {
    Builder b = s->up ? s->b : builder_before(l->loop);
    Value *hi = primal_of(s, op_opnd(l->loop, 1));
    if (!s->up) l->forward = l->loop;
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
    Builder b = is_for ? s->up ? s->b : builder_before(l.loop) : builder_after(l.counted);
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
    if (!s->memory) in.yielded = loop_yielded;
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
        init[i] = list.data[i].init ? list.data[i].init : build_zero(&s->b, list.data[i].of->type);
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
