/* Branches and loops at function level. */
#include "ad/ad.h"

static Scope open_scope(Scope *up, Region *of, Op *made, int region) {
    up->inner = made;
    return (Scope){.ad = up->ad, .up = up, .of = of, .b = builder_at_end(up->ad->module, made->regs[region], made->span)};
}

static const Type **types_of(Ad *ad, const ValueList *free, int more) {
    const Type **types = NEWN(ad->arena, const Type *, free->len + more + 1);
    for (int i = 0; i < free->len; i++) types[more + i] = free->data[i]->type;
    return types;
}

/* ---- if: the same branches, each of which hands on what the outer values have gathered */

static void reverse_branch(Scope *s, Op *op, Op *made, int k, const ValueList *free, Value *const *before) {
    Scope in = open_scope(s, op->regs[k], made, k);
    const Op *y = region_term(op->regs[k]);
    Value **out = NEWN(s->ad->arena, Value *, free->len + 1);
    for (int i = 0; i < free->len; i++) set_adjoint(&in, free->data[i], before[i]);
    for (int i = 0; i < op->nres; i++) add_adjoint(&in, op_opnd(y, i), adjoint_of(s, &op->res[i]));
    reverse_region(&in);
    for (int i = 0; i < free->len; i++) out[i] = adjoint_of(&in, free->data[i]);
    build_yield(&in.b, free->len, out);
    s->inner = NULL;
}

/* What is active and yielded from outside counts, too: active_free sees the terminators. */
void reverse_if(Scope *s, Op *op) {
    ValueList free = active_free(s->ad, op);
    Value **before = NEWN(s->ad->arena, Value *, free.len + 1), *cond = primal_of(s, op_opnd(op, 0));
    for (int i = 0; i < free.len; i++) {
        before[i] = adjoint_of(s, free.data[i]);
        if (!before[i]) before[i] = build_zero(&s->b, free.data[i]->type);
    }
    Op *made = build_if(&s->b, cond, free.len, types_of(s->ad, &free, 0));
    for (int k = 0; k < 2; k++) reverse_branch(s, op, made, k, &free, before);
    for (int i = 0; i < free.len; i++) set_adjoint(s, free.data[i], &made->res[i]);
}

/* ---- for: n - 1, .. 0, with the adjoints of what it carries and of what its body sees */

typedef struct {
    Op *forward;    /* the loop that fills tapes: the function's own, or a copy where that has to run again */
    Value *count;   /* iterations */
    const Size *size;
    Value *turn;    /* of the reverse loop: the iteration that it reverses */
    bool from_zero; /* by steps of one */
} Loop;

/* The number of iterations, and of the iteration at i */
static Value *count_of(Builder *b, Value *lo, Value *hi, Value *step, bool from_zero) {
    if (from_zero) return hi;
    Value *less = build_unary(b, OP_NEG, build_binary(b, OP_SUB, hi, lo)), *q = build_binary(b, OP_IDIV, less, step);
    op_set_flag(q->def, A_SAFE);
    return build_unary(b, OP_NEG, q);
}

static Value *turn_of(Builder *b, const Op *loop, bool from_zero) {
    Value *i = loop->regs[0]->args[0];
    if (from_zero) return i;
    Value *q = build_binary(b, OP_IDIV, build_binary(b, OP_SUB, i, op_opnd(loop, 0)), op_opnd(loop, 2));
    op_set_flag(q->def, A_SAFE);
    return q;
}

static bool is_int(const Value *v, int64_t want) {
    return v->def && v->def->code == OP_CONST && op_attr(v->def, A_VALUE)->c.i == want;
}

static const Type *tape_type(const Loop *l, Session *s, const Type *t) {
    const Size *dims[MAX_RANK] = {l->size};
    for (int i = 0; i < t->rank; i++) dims[i + 1] = t->dims[i];
    return type_tensor(s, t->dtype, t->rank + 1, dims);
}

/* One row of a tape under its own type, or the element of a scalar's */
static const Type *row_type(Session *s, const Type *t) {
    const Size *dims[MAX_RANK] = {size_const(s, 1)};
    for (int i = 0; i < t->rank; i++) dims[i + 1] = t->dims[i];
    return type_tensor(s, t->dtype, t->rank + 1, dims);
}

static Op *row_op(Builder *b, OpCode code, Value *tape, Value *row, Value *turn, const Type *result, int rank) {
    Value *opnds[MAX_RANK + 2] = {tape, row}, *zero = build_int(b, 0);
    int64_t steps[MAX_RANK];
    int n = row ? 2 : 1;
    for (int i = 0; i < rank; i++) opnds[n++] = i ? zero : turn, steps[i] = 1;
    Op *op = build_op(b, code, n, opnds, 1, &result, 0);
    op_set_ints(op, A_STEPS, rank, steps);
    op_set_flag(op, A_SAFE);
    return op;
}

static Value *write_row(Builder *b, Value *tape, Value *v, Value *turn) {
    if (!type_is_tensor(v->type)) {
        Value *opnds[] = {tape, v, turn};
        Op *op = build_op(b, OP_INSERT, 3, opnds, 1, &tape->type, 0);
        op_set_flag(op, A_SAFE);
        return &op->res[0];
    }
    const Type *t = row_type(b->module->session, v->type);
    Op *row = build_op(b, OP_RESHAPE, 1, &v, 1, &t, 0);
    op_set_flag(row, A_SAFE);
    return &row_op(b, OP_UPDATE, tape, &row->res[0], turn, tape->type, tape->type->rank)->res[0];
}

static Value *read_row(Builder *b, Value *tape, const Type *t, Value *turn) {
    if (!type_is_tensor(t)) {
        Value *v = build_extract(b, tape, 1, &turn);
        op_set_flag(v->def, A_SAFE);
        return v;
    }
    Value *row = &row_op(b, OP_SLICE, tape, NULL, turn, row_type(b->module->session, t), tape->type->rank)->res[0];
    Op *flat = build_op(b, OP_RESHAPE, 1, &row, 1, &t, 0);
    op_set_flag(flat, A_SAFE);
    return &flat->res[0];
}

/* The loop with one more carried value: the tape of its argument k, written when an iteration begins */
static Value *add_tape(Ad *ad, Loop *l, int k, const Type *type) {
    Op *loop = l->forward;
    Builder b = builder_before(loop);
    const Type **types = NEWN(ad->arena, const Type *, loop->nres + 1);
    Value **opnds = NEWN(ad->arena, Value *, loop->nopnds + 1);
    for (int i = 0; i < loop->nopnds; i++) opnds[i] = op_opnd(loop, i);
    for (int i = 0; i < loop->nres; i++) types[i] = loop->res[i].type;
    types[loop->nres] = tape_type(l, ad->module->session, type);
    Value *zero = build_const(&b, (Const){.dtype = type->dtype});
    opnds[loop->nopnds] = &build_op(&b, OP_FILL, 1, &zero, 1, &types[loop->nres], 0)->res[0];
    Op *new = op_rebuild(loop, loop->nopnds + 1, opnds, loop->nres + 1, types);
    for (int i = 0; i < loop->nres; i++) {
        if (is_active(ad, &loop->res[i])) map_put(ad->arena, &ad->active, &new->res[i], new);
        value_replace_all(&loop->res[i], &new->res[i]);
    }
    Region *body = new->regs[0];
    Value *tape = region_add_arg(body, types[loop->nres], "tape");
    Builder first = builder_before(body->first);
    op_add_opnd(region_term(body), write_row(&first, tape, body->args[k], turn_of(&first, new, l->from_zero)));
    op_erase(loop);
    l->forward = new;
    return &new->res[new->nres - 1];
}

/* An argument of the body: the induction variable is computed, what is carried is read from its tape. */
static Value *loop_argument(Scope *s, Value *arg) {
    Loop *l = s->ctx;
    Builder b = s->inner ? builder_before(s->inner) : s->b;
    if (arg->index == 0) {
        const Op *loop = l->forward;
        if (l->from_zero) return l->turn;
        return build_binary(&b, OP_ADD, op_opnd(loop, 0), build_binary(&b, OP_MUL, l->turn, op_opnd(loop, 2)));
    }
    return read_row(&b, add_tape(s->ad, l, arg->index, arg->type), arg->type, l->turn);
}

static Loop loop_begin(Scope *s, Op *op) {
    Loop l = {.forward = op, .from_zero = is_int(op_opnd(op, 0), 0) && is_int(op_opnd(op, 2), 1)};
    if (s->up) { /* it has to run again, for its tapes */
        Cloner c = {.module = s->ad->module};
        for (int i = 0; i < op->nopnds; i++) map_put(s->ad->arena, &c.values, op_opnd(op, i), primal_of(s, op_opnd(op, i)));
        map_free_values(s, op, &c);
        l.forward = clone_op(&c, &s->b, op);
    }
    Builder b = builder_before(l.forward);
    Value *n = count_of(&b, op_opnd(l.forward, 0), op_opnd(l.forward, 1), op_opnd(l.forward, 2), l.from_zero);
    l.count = build_binary(&b, OP_MAX, n, build_int(&b, 0));
    const char *sym = module_fresh_sym(s->ad->module, "turns");
    build_bind(&b, l.count, sym);
    l.size = size_sym(s->ad->module->session, sym);
    return l;
}

void reverse_for(Scope *s, Op *op) {
    Ad *ad = s->ad;
    Region *body = op->regs[0];
    const Op *y = region_term(body);
    ValueList free = active_free(ad, op), carried = {0};
    Value *seeds[1 + op->nres];
    for (int i = 0; i < op->nres; i++) {
        if (!is_active(ad, &op->res[i])) continue;
        seeds[carried.len] = adjoint_of(s, &op->res[i]);
        vec_push(ad->arena, &carried, body->args[1 + i]);
    }
    int which[1 + op->nres], n = 0;
    for (int i = 0; i < op->nres; i++)
        if (is_active(ad, &op->res[i])) which[n++] = i;
    Value *first[1 + op->nres];
    for (int i = 0; i < n; i++) first[i] = op_opnd(op, 3 + which[i]);
    Loop l = loop_begin(s, op);
    Value **init = NEWN(ad->arena, Value *, n + free.len + 1), **out = NEWN(ad->arena, Value *, n + free.len + 1);
    for (int i = 0; i < n; i++) init[i] = seeds[i] ? seeds[i] : build_zero(&s->b, carried.data[i]->type);
    for (int i = 0; i < free.len; i++) {
        init[n + i] = adjoint_of(s, free.data[i]);
        if (!init[n + i]) init[n + i] = build_zero(&s->b, free.data[i]->type);
    }
    Value *minus = build_int(&s->b, -1), *from = build_binary(&s->b, OP_SUB, l.count, build_int(&s->b, 1));
    Op *made = build_for(&s->b, from, minus, minus, n + free.len, init);
    Scope in = open_scope(s, body, made, 0);
    l.turn = made->regs[0]->args[0];
    in.carried = loop_argument, in.ctx = &l;
    for (int i = 0; i < free.len; i++) set_adjoint(&in, free.data[i], made->regs[0]->args[1 + n + i]);
    for (int i = 0; i < n; i++) add_adjoint(&in, op_opnd(y, which[i]), made->regs[0]->args[1 + i]);
    reverse_region(&in);
    for (int i = 0; i < n; i++) {
        out[i] = adjoint_of(&in, carried.data[i]);
        if (!out[i]) out[i] = build_zero(&in.b, carried.data[i]->type);
    }
    for (int i = 0; i < free.len; i++) out[n + i] = adjoint_of(&in, free.data[i]);
    build_yield(&in.b, n + free.len, out);
    s->inner = NULL;
    for (int i = 0; i < free.len; i++) set_adjoint(s, free.data[i], &made->res[n + i]);
    for (int i = 0; i < n; i++) add_adjoint(s, first[i], &made->res[i]);
}
