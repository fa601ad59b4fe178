/* What is kept of the turns of a loop at function level: tapes, which the loop, or one that runs it again, carries and
 * writes a row of in each turn.
 *
 * Of what a loop carries that is what it is when a turn begins.  An array of which the body only reads and writes
 * parts (elements, rows) is not kept itself, which would be all of it for each turn: what is read of it is.  So a
 * recurrence along an array of n elements keeps some numbers for each element, where its work is. */
#include "ad/loop.h"
#include "opt/pass.h"

/* ---- tapes: a row for each iteration */

/* Along which axis the turns lie: processes divide the first one, so that theirs is behind it. */
static int turns_axis(const Ad *ad, const Type *row) { return ad->opts && ad->opts->ranks && row->rank > 0; }

static const Type *rows_type(const Ad *ad, const Size *n, const Type *row) {
    const Size *dims[MAX_RANK];
    int axis = turns_axis(ad, row);
    for (int i = 0; i <= row->rank; i++) dims[i] = i == axis ? n : row->dims[i - (i > axis)];
    return type_tensor(ad->module->session, row->dtype, row->rank + 1, dims);
}

static const Type *one_row(const Ad *ad, const Type *row) {
    return rows_type(ad, size_const(ad->module->session, 1), row);
}

/* Row `turn` of the tape (row NULL), or the tape with that row */
static Value *row_op(Builder *b, Value *tape, Value *row, Value *turn, int axis, const Type *result) {
    Value *opnds[MAX_RANK + 2] = {tape, row}, *zero = build_int(b, 0);
    int64_t steps[MAX_RANK];
    int n = row ? 2 : 1;
    for (int i = 0; i < tape->type->rank; i++) opnds[n++] = i == axis ? turn : zero, steps[i] = 1;
    Op *op = build_op(b, row ? OP_UPDATE : OP_SLICE, n, opnds, 1, &result, 0);
    op_set_ints(op, A_STEPS, tape->type->rank, steps);
    op_set_flag(op, A_SAFE);
    return &op->res[0];
}

static Value *write_row(const Ad *ad, Builder *b, Value *tape, Value *v, Value *turn) {
    if (!type_is_tensor(v->type)) return insert_safe(b, tape, v, 1, &turn);
    Value *row = build_reshaped(b, v, one_row(ad, v->type));
    return row_op(b, tape, row, turn, turns_axis(ad, v->type), tape->type);
}

static Value *read_row(const Ad *ad, Builder *b, Value *tape, const Type *t, Value *turn) {
    if (!type_is_tensor(t)) return extract_safe(b, tape, 1, &turn);
    return build_reshaped(b, row_op(b, tape, NULL, turn, turns_axis(ad, t), one_row(ad, t)), t);
}

/* ---- the loop that writes them */

Op *with_carried(Ad *ad, Op *loop, Value *init) {
    const Type **types = NEWN(ad->arena, const Type *, loop->nres + 1);
    Value **opnds = NEWN(ad->arena, Value *, loop->nopnds + 1);
    for (int i = 0; i < loop->nopnds; i++) opnds[i] = op_opnd(loop, i);
    for (int i = 0; i < loop->nres; i++) types[i] = loop->res[i].type;
    types[loop->nres] = init->type, opnds[loop->nopnds] = init;
    Op *new = op_rebuild(loop, loop->nopnds + 1, opnds, loop->nres + 1, types);
    active_replace(ad, loop, new);
    return new;
}

Op *with_handed_out(Ad *ad, Op *branch, const Type *t) {
    const Type **types = NEWN(ad->arena, const Type *, branch->nres + 1);
    Value *cond = op_opnd(branch, 0);
    for (int i = 0; i < branch->nres; i++) types[i] = branch->res[i].type;
    types[branch->nres] = t;
    Op *new = op_rebuild(branch, 1, &cond, branch->nres + 1, types);
    active_replace(ad, branch, new);
    return new;
}

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
    Cloner *c = &l->copy;
    for (int i = 0; i < free.len; i++) map_put(ad->arena, &c->values, free.data[i], primal_of(s, free.data[i]));
    for (int i = 0; i < n; i++) map_put(ad->arena, &c->values, l->body->args[i], made->regs[0]->args[1 + i]);
    Builder in = builder_at_end(ad->module, made->regs[0], l->loop->span);
    clone_region_ops(c, &in, l->body, true);
    op_rename_sizes(made);
    forget_effects(made);
    return made;
}

/* What the loop gives is known where it has run again. */
static void know_results(Scope *s, const Loop *l) {
    for (int i = 0; s->up && i < l->loop->nres; i++)
        map_put(s->ad->arena, &s->primal, &l->loop->res[i], &l->forward->res[i]);
}

/* In another loop it runs again, for its tapes. */
static Op *forward_of(Scope *s, Loop *l) {
    if (l->forward) return l->forward;
    Builder b = builder_before(l->at);
    l->copy.module = s->ad->module;
    l->forward = l->counted ? run_while_again(s, l) : run_again_as(s, &b, l->loop, &l->copy);
    know_results(s, l);
    return l->forward;
}

void loop_ran_again(Scope *s, Loop *l) {
    const Cloner *c = map_get(&s->again, l->loop);
    if (!c) return;
    l->copy = *c;
    l->forward = ((Value *)map_get(&s->primal, &l->loop->res[0]))->def;
}

/* Makes a tape of such rows, which is told to be of `name`, read there; its place among what `forward` gives */
static int add_tape(Scope *s, Loop *l, const Type *row, const char *name, Span at) {
    Ad *ad = s->ad;
    Builder b = builder_before(l->forward);
    const Type *t = rows_type(ad, l->size, row);
    Value *tape = build_empty(&b, t, NULL); /* each turn writes its row */
    int place = l->forward->nres;
    note_kept(ad, (Kept){l->body, at, name, t, rows_of_loop(ad, l->loop), place, .end = false}, l->body);
    l->forward = with_carried(ad, l->forward, tape);
    if (l->loop->code == OP_FOR && !s->up) l->loop = l->forward;
    know_results(s, l);
    region_add_arg(l->forward->regs[0], t, "tape");
    return place;
}

/* b: a place in the body of `forward` where v, a row of the tape, is known */
static void write_tape(const Ad *ad, Loop *l, Builder *b, int place, Value *v) {
    Region *body = l->forward->regs[0];
    Value *turn = build_turn(b, l->forward);
    op_add_opnd(region_term(body), write_row(ad, b, body->args[1 + place], v, turn));
}

static Value *tape_of_carried(Scope *s, Loop *l, int k) {
    struct LoopTape *t = &l->tapes[k];
    if (t->place) return t->with_end ? t->with_end : &l->forward->res[t->place];
    const Value *arg = l->body->args[l->ivs + k];
    Region *body = forward_of(s, l)->regs[0];
    t->place = add_tape(s, l, arg->type, arg->name, l->loop->span);
    Builder first = builder_before(body->first);
    write_tape(s->ad, l, &first, t->place, body->args[1 + k]);
    return &l->forward->res[t->place];
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
    const Type *rows = rows_type(ad, size_add(ss, l->size, size_const(ss, 1)), given->type);
    Value *carried = body->args[1 + t->place], *written = op_opnd(region_term(body), t->place);
    Value *same[] = {op_opnd(l->forward, 3 + t->place), carried, written, tape};
    for (int i = 0; i < ad->kept.len; i++)
        if (ad->kept.data[i].tape == t->place && ad->kept.data[i].of == l->body)
            with_end_row(ss, &ad->kept.data[i], rows);
    for (int i = 0; i < 4; i++) same[i]->type = rows;
    Builder b = builder_after(l->forward);
    t->with_end = write_row(ad, &b, tape, given, l->count);
    for (const Use *u = tape->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != t->with_end->def) op_set_opnd(u->user, u->index, t->with_end);
    }
    return t->with_end;
}

Value *kept_carried(Scope *in, Loop *l, int k) {
    Builder b = builder_here(in);
    return read_row(in->ad, &b, tape_of_carried(in->up, l, k), l->body->args[l->ivs + k]->type, l->turn);
}

/* By a name of its own: the loop is made anew for each tape. */
Value *given_by_loop(Scope *in, Loop *l, int k) {
    struct LoopTape *t = &l->tapes[k];
    if (t->given) return t->given;
    Value *given = &forward_of(in->up, l)->res[k];
    Builder b = builder_after(l->forward);
    return t->given = &build_op(&b, OP_RESHAPE, 1, &given, 1, &given->type, 0)->res[0];
}

Value *kept_yielded(Scope *in, Loop *l, int k) {
    Value *tape = tape_with_end(in->up, l, k);
    Builder b = builder_here(in);
    Value *next = build_binary(&b, OP_ADD, l->turn, build_int(&b, 1));
    return read_row(in->ad, &b, tape, l->body->args[l->ivs + k]->type, next);
}

/* ---- parts of what is carried */

typedef struct { const Type *type; bool all; } Named;

static void is_named(void *ctx, const char *sym) {
    Named *n = ctx;
    bool found = false;
    for (int i = 0; i < n->type->rank; i++) found |= size_as_sym(n->type->dims[i]) == sym;
    n->all &= found;
}

/* The size is the same in all turns: it is made of those of the type, which is that of what the loop carries. */
static bool stays(const Type *carried, const Size *size) {
    Named n = {carried, true};
    size_each_sym(size, is_named, &n);
    return n.all;
}

/* How much of x is v, which is read from it, at most: 0 where x has more elements than a number says; above 1: no part
 * of which a tape could have rows */
static double share_of(const Value *x, const Value *v) {
    double share = 1;
    bool element = !type_is_tensor(v->type);
    for (int i = 0; i < x->type->rank; i++) {
        int64_t part = 1, n;
        if (!element && v->type->dims[i] == x->type->dims[i]) continue;
        if (!element && !size_is_const(v->type->dims[i], &part)) {
            if (!stays(x->type, v->type->dims[i])) return 2;
        } else share *= size_is_const(x->type->dims[i], &n) && n > 0 ? (double)part / (double)n : 0;
    }
    return share;
}

/* In the loop's body, or a branch of it */
static bool in_turn(const Loop *l, const Region *r) {
    while (r != l->body && r->owner && r->owner->code == OP_IF) r = r->owner->parent;
    return r == l->body;
}

typedef struct { const Loop *loop; Arena *arena; Map seen; double share; } Parts;

/* x, what the loop carries or that with parts of it changed, is only read and changed in parts */
static bool only_parts(Parts *p, const Value *x) {
    if (map_has(&p->seen, x)) return true;
    map_put(p->arena, &p->seen, x, (void *)(uintptr_t)x);
    for (const Use *u = x->uses; u; u = u->next) {
        const Op *o = u->user;
        if (!in_turn(p->loop, o->parent) || (u->index && o->code != OP_YIELD)) return false;
        switch (o->code) {
        case OP_EXTRACT: case OP_SLICE: p->share += share_of(x, &o->res[0]); break;
        case OP_INSERT: case OP_UPDATE:
            if (!only_parts(p, &o->res[0])) return false;
            break;
        case OP_YIELD:
            if (o->parent != p->loop->body && !only_parts(p, &o->parent->owner->res[u->index])) return false;
            break;
        default: return false;
        }
    }
    return p->share <= 1;
}

/* Which of what the loop carries x is, with parts of it changed in this turn; -1: none */
static int carried_as(const Loop *l, const Value *x) {
    while (x->def && in_turn(l, x->def->parent)) {
        const Op *o = x->def;
        if (o->code == OP_INSERT || o->code == OP_UPDATE) x = op_opnd(o, 0);
        else if (o->code == OP_IF) x = op_opnd(region_term(o->regs[0]), x->index);
        else return -1;
    }
    return !x->def && x->region == l->body && x->index >= l->ivs ? x->index - l->ivs : -1;
}

/* What reads v from an array: an element, a slice, or a row, which is a slice with fewer axes; NULL: nothing */
static Op *read_of(const Value *v) {
    Op *op = v->def;
    if (op->code == OP_RESHAPE && op_opnd(op, 0)->def && op_opnd(op, 0)->def->parent == op->parent)
        op = op_opnd(op, 0)->def, op = op->code == OP_SLICE ? op : NULL;
    return op && (op->code == OP_EXTRACT || op->code == OP_SLICE) ? op : NULL;
}

static bool is_kept_as_part(Scope *s, const Loop *l, const Value *v) {
    const Op *read = read_of(v);
    if (read && (map_has(&s->ad->lasting, &read->res[0]) || map_has(&s->ad->put, &read->res[0])))
        return false; /* it is read again */
    int k = read ? carried_as(l, op_opnd(read, 0)) : -1;
    if (k < 0 || l->tapes[k].place) return false;
    Parts p = {.loop = l, .arena = s->ad->arena};
    return only_parts(&p, l->body->args[l->ivs + k]);
}

/* v, of a branch in the body, is handed out of it; what the other branch hands out nobody reads. */
static Value *handed_out(Ad *ad, Value *v) {
    Op *new = with_handed_out(ad, v->def->parent->owner, v->type);
    for (int k = 0; k < 2; k++) {
        Op *y = region_term(new->regs[k]);
        Builder b = builder_before(y);
        op_add_opnd(y, new->regs[k] == v->def->parent ? v : build_zero(&b, v->type));
    }
    return &new->res[new->nres - 1];
}

static int tape_of_part(Scope *s, Loop *l, Value *v) {
    for (int i = 0; i < l->parts.len; i++)
        if (l->parts.data[i].of == v) return l->parts.data[i].place;
    forward_of(s, l);
    const Value *x = op_opnd(read_of(v), 0);
    Value *now = map_has(&l->copy.values, v) ? map_get(&l->copy.values, v) : v;
    LoopPart part = {v, add_tape(s, l, v->type, x->name, v->def->span)};
    vec_push(s->ad->arena, &l->parts, part);
    while (now->def->parent != l->forward->regs[0]) now = handed_out(s->ad, now);
    Builder b = builder_after(now->def);
    write_tape(s->ad, l, &b, part.place, now);
    return part.place;
}

Value *kept_part(Scope *in, Scope *at, Loop *l, Value *v) {
    if (!is_kept_as_part(in, l, v)) return NULL;
    int place = tape_of_part(in->up, l, v);
    Builder b = builder_here(at);
    return read_row(in->ad, &b, &l->forward->res[place], v->type, l->turn);
}
