/* Atomic updates of floats to the least or greatest, m[k] max= v.
 *
 * An element ends as what the first update in order gave that reached it, or as what it was.  So for derivatives
 * another island stands behind the one with the values: there that one update is a store, under a branch, and the
 * others are none.  Which thread it is an island between the two finds, by atomic updates of ints to the least number
 * of those that give what is there in the end: the same with any order of threads.  Within a thread it is the first. */
#include "ad/memory.h"
#include "ir/index.h"

static bool is_extreme_update(const Op *op) {
    return op->code == OP_ATOMIC && (op_combine(op) == COMBINE_MIN || op_combine(op) == COMBINE_MAX);
}

/* ---- whether */

/* of: which operands of the island are updated so, and vary; found: one that cannot be done */
typedef struct { Ad *ad; const Op *island; bool *of, any; const Op *unfit; } Extremes;

/* The island neither reads nor writes that memory otherwise. */
static bool is_fit(const Extremes *x, const Op *update) {
    const Value *buf = op_opnd(update, 1);
    if (buf->def || buf->region != x->island->regs[0]) return false;
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->index != 1 || !is_extreme_update(u->user) || op_combine(u->user) != op_combine(update) ||
            (u->user->nres && u->user->res[0].uses)) return false;
    return true;
}

static void find_extreme(void *ctx, Op *op) {
    Extremes *x = ctx;
    if (!is_extreme_update(op) || !is_active(x->ad, op_opnd(op, 1))) return;
    x->any = true;
    if (!is_fit(x, op)) x->unfit = x->unfit ? x->unfit : op;
    else x->of[op_opnd(op, 1)->index] = true;
}

/* ---- islands with more operands */

static Op *with_winners(Ad *ad, Op *op, int more, Value *const *tensors, const int64_t *modes) {
    for (int i = 0; i < more; i++) region_add_buf(op->regs[0], tensors[i]->type, "winner");
    return with_operands(ad, op, more, tensors, modes);
}

typedef struct { Ad *ad; const bool *of; VEC(Op *) list; } Updates;

static void find_update(void *ctx, Op *op) {
    Updates *u = ctx;
    if (is_extreme_update(op) && !op_opnd(op, 1)->def && u->of[op_opnd(op, 1)->index])
        vec_push(u->ad->arena, &u->list, op);
}

static Updates updates_of(Ad *ad, const Op *island, const bool *of) {
    Updates u = {.ad = ad, .of = of};
    region_walk(island->regs[0], find_update, &u);
    return u;
}

/* ---- threads and their numbers */

static Value *number_inside(Builder *b, const Op *at) {
    Value *outer = NULL;
    if (at->code == OP_ISLAND) return NULL;
    outer = number_inside(b, at->parent->owner);
    for (int i = 0; at->code == OP_PARALLEL && i < at->nopnds; i++) {
        Value *index = at->regs[0]->args[i];
        outer = outer ? index_add(b, index_mul(b, outer, op_opnd(at, i)), index) : index;
    }
    return outer;
}

static Value *number_of_thread(Builder *b, const Op *op) {
    Value *number = number_inside(b, op->parent->owner);
    return number ? number : build_int(b, 0);
}

/* x is y, or both are NaN */
static Value *is_same(Builder *b, Value *x, Value *y) {
    Value *nan = build_binary(b, OP_AND, build_unary(b, OP_ISNAN, x), build_unary(b, OP_ISNAN, y));
    return build_binary(b, OP_OR, build_binary(b, OP_EQ, x, y), nan);
}

/* A thread comes to the update, or to another of that memory, more than once. */
static bool may_come_again(const Updates *all, const Op *update) {
    int same = 0;
    for (int i = 0; i < all->list.len; i++) same += op_opnd(all->list.data[i], 1) == op_opnd(update, 1);
    for (const Op *o = update->parent->owner; o->code != OP_ISLAND; o = o->parent->owner)
        same += op_is_sequential_loop(o);
    return same > 1;
}

/* What is updated, as buffers of the island that is being made: the values in the end, the winners, and whether these
 * came */
typedef struct { Value *end, *winner, *came; } Beside;

static int indices_of_update(const Op *update, Value **idx) {
    for (int i = 2; i < update->nopnds; i++) idx[i - 2] = op_opnd(update, i);
    return update->nopnds - 2;
}

static void note_winner(Op *update, const Beside *of) {
    Value *idx[MAX_RANK];
    int n = indices_of_update(update, idx);
    Builder b = builder_before(update), then;
    Value *number = number_of_thread(&b, update);
    build_when(&b, is_same(&b, op_opnd(update, 0), load_safe(&b, of->end, n, idx)), &then);
    atomic_safe(&then, COMBINE_MIN, number, of->winner, n, idx);
    op_erase(update);
}

static void store_winner(Op *update, const Beside *of, bool again) {
    Value *idx[MAX_RANK];
    int n = indices_of_update(update, idx);
    Builder b = builder_before(update), then;
    Value *number = number_of_thread(&b, update);
    Value *wins = build_binary(&b, OP_EQ, load_safe(&b, of->winner, n, idx), number);
    build_when(&b, wins, &then);
    if (again) { /* the first that gives it */
        Value *first = build_binary(&then, OP_EQ, load_safe(&then, of->came, n, idx), build_int(&then, 0));
        first = build_binary(&then, OP_AND, first,
                             is_same(&then, op_opnd(update, 0), load_safe(&then, of->end, n, idx)));
        build_when(&then, first, &b);
        then = b;
        store_safe(&then, build_int(&then, 1), of->came, n, idx);
    }
    store_safe(&then, op_opnd(update, 0), op_opnd(update, 1), n, idx);
    op_erase(update);
}

/* ---- the two islands */

/* Before any update: what is there from the start needs none. */
static Value *no_winners(Builder *b, Value *before, Value *end) {
    Session *ss = b->module->session;
    const Type *t = type_with_dtype(ss, end->type, DT_I64);
    Op *made = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    for (int i = 0; i < t->rank; i++) region_add_arg(made->regs[0], type_scalar(ss, DT_I64), "i");
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value **idx = made->regs[0]->args;
    Value *stays = is_same(&in, extract_safe(&in, before, t->rank, idx), extract_safe(&in, end, t->rank, idx));
    Value *v = build_select(&in, stays, build_int(&in, -1), build_int(&in, INT64_MAX));
    build_yield(&in, 1, &v);
    return &made->res[0];
}

static bool is_only_written(const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code != OP_STORE || u->index != 1) return false;
    return true;
}

static void drop_store(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_STORE && is_only_written(op_opnd(op, 1))) op_erase(op);
}

static Op *copy_of(Ad *ad, Builder *b, const Op *island) {
    Cloner c = {.module = ad->module};
    Op *copy = clone_op(&c, b, island);
    forget_effects(copy);
    return copy;
}

/* The winners of each array that is updated, by an island like the one at hand */
static void find_winning(Ad *ad, Builder *b, const Op *island, const bool *of, Value **winners) {
    int n = island->nopnds, more = 0;
    Value **tensors = NEWN(ad->arena, Value *, 2 * n + 1);
    int64_t *modes = NEWN(ad->arena, int64_t, 2 * n + 1);
    int *at = NEWN(ad->arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        if (!of[i]) continue;
        at[i] = n + more;
        tensors[more] = island_result(island, i), modes[more++] = 0;
        tensors[more] = no_winners(b, op_opnd(island, i), island_result(island, i)), modes[more++] = 2;
    }
    Op *made = with_winners(ad, copy_of(ad, b, island), more, tensors, modes);
    Updates all = updates_of(ad, made, of);
    for (int i = 0; i < all.list.len; i++) {
        Value **args = made->regs[0]->args + at[op_opnd(all.list.data[i], 1)->index];
        note_winner(all.list.data[i], &(Beside){args[0], args[1], NULL});
    }
    region_walk(made->regs[0], drop_store, NULL);
    for (int i = 0; i < n; i++)
        if (of[i]) winners[i] = island_result(made, at[i] + 1);
}

static Op *store_winning(Ad *ad, Builder *b, const Op *island, const bool *of, Value *const *winners) {
    int n = island->nopnds, more = 0;
    Value **tensors = NEWN(ad->arena, Value *, 3 * n + 1);
    int64_t *modes = NEWN(ad->arena, int64_t, 3 * n + 1);
    int *at = NEWN(ad->arena, int, n + 1);
    for (int i = 0; i < n; i++) {
        if (!of[i]) continue;
        at[i] = n + more;
        tensors[more] = island_result(island, i), modes[more++] = 0;
        tensors[more] = winners[i], modes[more++] = 0;
        tensors[more] = build_zero(b, winners[i]->type), modes[more++] = 2;
    }
    Op *made = with_winners(ad, copy_of(ad, b, island), more, tensors, modes);
    Updates all = updates_of(ad, made, of);
    bool *again = NEWN(ad->arena, bool, all.list.len + 1);
    for (int i = 0; i < all.list.len; i++) again[i] = may_come_again(&all, all.list.data[i]);
    for (int i = 0; i < all.list.len; i++) {
        Value **args = made->regs[0]->args + at[op_opnd(all.list.data[i], 1)->index];
        store_winner(all.list.data[i], &(Beside){args[0], args[1], args[2]}, again[i]);
    }
    return made;
}

Op *extremes_as_stores(Ad *ad, Op *island) {
    Extremes x = {.ad = ad, .island = island, .of = NEWN(ad->arena, bool, island->nopnds + 1)};
    region_walk(island->regs[0], find_extreme, &x);
    if (!x.any) return island;
    if (x.unfit)
        return cannot(ad, x.unfit, "an atomic min= or max= of memory that the launch reads or writes otherwise"), NULL;
    Value **winners = NEWN(ad->arena, Value *, island->nopnds + 1);
    Builder b = builder_after(island);
    b.span = island->span;
    find_winning(ad, &b, island, x.of, winners);
    Op *made = store_winning(ad, &b, island, x.of, winners);
    active_op(ad, made);
    return made;
}
