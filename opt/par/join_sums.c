/* join-sums: sums over the same indices that are made of much the same are found together.
 *
 * needs: bodies that are fused, short reductions written out.  The gradient of an energy of pairs is a comprehension
 * over the particles for each component and for each side of the pair, and in each of them a sum over the others that
 * computes the distance anew.  Comprehensions over the same indices whose sums have most of their work in common become
 * one with several results; in its body sums over the same range become one reduction with several results, which
 * computes once what they have in common, up to the sign (cse); branches on one condition, one.  What each sum adds up,
 * and in which order, is what it was: so are the bits. */
#include "opt/pass.h"
#include "opt/par/cse.h"

enum {
    LOOK_BACK = 16, /* operations that are no comprehensions or sums, and those that stand between */
    FAR = 400,
    MANY_OPS = 600, /* of both bodies */
    DEEP = 3,
    MUCH = 24,      /* cycles of an element that are found once instead of twice */
};

typedef VEC(Op *) OpList;
typedef struct { Arena *arena; bool changed; } Join;

/* ---- how much of one is in the other as well */

/* now: values of b -> those of a that are the same, up to the sign; shared, all: cycles, in sums */
typedef struct { Arena *arena; Map now; int64_t shared, all; } Match;

static bool is_alike(const Match *m, const Op *a, const Op *b, int deep);

/* One of them may stand further out. */
static bool is_matched_to(const Match *m, const Value *of_a, const Value *of_b, int deep) {
    if (of_a == of_b || map_get(&m->now, of_b) == of_a || value_same_int(of_a, of_b)) return true;
    return deep > 0 && of_a->def && of_b->def && is_alike(m, of_a->def, of_b->def, deep - 1);
}

static bool is_alike(const Match *m, const Op *a, const Op *b, int deep) {
    bool same = a->code == b->code && a->nopnds == b->nopnds && !a->nregs && op_is_pure(a) && op_same_attrs(a, b);
    for (int i = 0; i < b->nopnds && same; i++) same = is_matched_to(m, op_opnd(a, i), op_opnd(b, i), deep);
    return same;
}

static bool is_matched(const Match *m, const Value *a, const Value *b) { return is_matched_to(m, a, b, DEEP); }

static bool operands_match(const Match *m, const Op *a, const Op *b) {
    bool same = true, turned = b->code == OP_SUB;
    for (int i = 0; i < b->nopnds; i++) same &= is_matched(m, op_opnd(a, i), op_opnd(b, i));
    for (int i = 0; i < b->nopnds && turned; i++) turned = is_matched(m, op_opnd(a, !i), op_opnd(b, i));
    return same || turned;
}

static bool same_results(const Op *a, const Op *b) {
    for (int i = 0; i < b->nres; i++)
        if (a->res[i].type != b->res[i].type) return false;
    return true;
}

static const Op *twin_of(const Match *m, const Region *in, const Op *b) {
    for (const Op *a = in->first; a; a = a->next)
        if (a->code == b->code && a->nopnds == b->nopnds && a->nregs == b->nregs && operands_match(m, a, b) &&
            op_same_attrs(a, b) && (b->nregs || (a->nres == b->nres && same_results(a, b))))
            return a;
    return NULL;
}

static void match_regions(Match *m, const Region *a, const Region *b, bool in_sum);

/* Whether all that b yields is what a yields */
static bool yields_match(const Match *m, const Op *a, const Op *b) {
    for (int r = 0; r < b->nregs; r++)
        for (int i = 0; i < b->nres; i++)
            if (!is_matched(m, op_opnd(region_term(a->regs[r]), i), op_opnd(region_term(b->regs[r]), i))) return false;
    return true;
}

static void match_op(Match *m, const Region *in, const Op *b, bool in_sum) {
    const Op *a = twin_of(m, in, b);
    int64_t cost = in_sum ? op_info(b->code)->cost : 0;
    m->all += cost;
    if (a && !b->nregs) m->shared += cost;
    for (int r = 0; r < b->nregs; r++)
        match_regions(m, a ? a->regs[r] : NULL, b->regs[r], in_sum || b->code == OP_REDUCE);
    if (!a || (b->nregs && (a->nres != b->nres || !yields_match(m, a, b)))) return;
    for (int i = 0; i < b->nres; i++) map_put(m->arena, &m->now, &b->res[i], &a->res[i]);
}

/* a: NULL where there is none */
static void match_regions(Match *m, const Region *a, const Region *b, bool in_sum) {
    static const Region none = {0};
    for (int i = 0; a && i < b->nargs; i++) map_put(m->arena, &m->now, b->args[i], a->args[i]);
    for (const Op *o = b->first; o != region_term(b); o = o->next) match_op(m, a ? a : &none, o, in_sum);
}

static bool have_much_in_common(Join *j, const Op *a, const Op *b) {
    Match m = {.arena = j->arena};
    match_regions(&m, a->regs[0], b->regs[0], b->code == OP_REDUCE);
    return m.shared >= MUCH && m.shared * 2 >= m.all;
}

/* ---- b, behind a, goes to a */

static bool feeds(const Op *o, const Op *by) {
    for (int i = 0; i < o->nres; i++)
        if (op_mentions(by, &o->res[i])) return true;
    return false;
}

static bool feeds_any(const Op *o, const OpList *list) {
    for (int i = 0; i < list->len; i++)
        if (feeds(o, list->data[i])) return true;
    return false;
}

/* What stands between the two and b needs, from the last; false: that is a itself, or cannot stand before a */
static bool needs_between(const Join *j, const Op *a, Op *b, OpList *needs) {
    vec_push(j->arena, needs, b);
    for (Op *o = b->prev; o != a; o = o->prev) {
        if (!feeds_any(o, needs)) continue;
        if (!op_is_pure(o) || needs->len > LOOK_BACK) return false;
        vec_push(j->arena, needs, o);
    }
    return !feeds_any(a, needs);
}

static void move_yields(const Op *from, Region *r, const Region *by, Value **out, int n) {
    Op *y = region_term(by);
    for (int i = 0; i < from->nres; i++) out[n + i] = op_opnd(y, i);
    if (y->prev) op_move_range(by->first, y->prev, r, NULL);
}

/* Region k of both, of a's and b's */
static void join_regions(Join *j, Op *both, const Op *a, const Op *b, int k) {
    Region *r = both->regs[k];
    Value **out = NEWN(j->arena, Value *, both->nres);
    for (int i = 0; i < a->regs[k]->nargs; i++) {
        Value *iv = region_add_arg(r, a->regs[k]->args[i]->type, a->regs[k]->args[i]->name);
        value_replace_all(a->regs[k]->args[i], iv);
        value_replace_all(b->regs[k]->args[i], iv);
    }
    move_yields(a, r, a->regs[k], out, 0);
    move_yields(b, r, b->regs[k], out, a->nres);
    Builder end = builder_at_end(r->func->module, r, both->span);
    build_yield(&end, both->nres, out);
}

static Op *join(Join *j, Op *a, Op *b, const OpList *needs) {
    const Type **types = NEWN(j->arena, const Type *, a->nres + b->nres);
    Value **opnds = NEWN(j->arena, Value *, a->nopnds + 1);
    for (int i = needs->len - 1; i > 0; i--) op_move_before(needs->data[i], a);
    for (int i = 0; i < a->nres; i++) types[i] = a->res[i].type;
    for (int i = 0; i < b->nres; i++) types[a->nres + i] = b->res[i].type;
    for (int i = 0; i < a->nopnds; i++) opnds[i] = op_opnd(a, i);
    Builder before = builder_before(a);
    before.span = a->span;
    Op *both = build_op(&before, a->code, a->nopnds, opnds, a->nres + b->nres, types, a->nregs);
    op_copy_attrs(both, a);
    for (int k = 0; k < a->nregs; k++) join_regions(j, both, a, b, k);
    for (int i = 0; i < a->nres; i++) value_take_over(&a->res[i], &both->res[i]);
    for (int i = 0; i < b->nres; i++) value_take_over(&b->res[i], &both->res[a->nres + i]);
    op_erase(b);
    op_erase(a);
    j->changed = true;
    return both;
}

/* ---- which */

static bool same_extents(const Op *a, const Op *b) {
    if (a->code == OP_GENERATE) return type_same_dims(a->res[0].type, b->res[0].type);
    for (int i = 0; i < a->nopnds; i++)
        if (!value_same_int(op_opnd(a, i), op_opnd(b, i))) return false;
    return true;
}

static bool is_plain(const Op *op, OpCode code) {
    if (op->code != code || op_may_trap(op) || op_has_effect(op) || op_has_tensors(op)) return false;
    return code != OP_REDUCE || (op->nregs == 1 && op_combine(op) != COMBINE_CUSTOM);
}

static bool may_join(Join *j, const Op *a, const Op *b) {
    if (!is_plain(a, b->code) || a->nopnds != b->nopnds || !op_same_attrs(a, b) || !same_extents(a, b)) return false;
    if (b->code == OP_IF) return true;
    return region_count_ops(a->regs[0]) + region_count_ops(b->regs[0]) <= MANY_OPS && have_much_in_common(j, a, b);
}

static bool is_in_the_way(const Op *o) { return o->code == OP_EXTERN || o->code == OP_BIND || op_has_effect(o); }

/* What b becomes with one before it, or NULL */
static Op *join_back(Join *j, Op *b) {
    int met = 0, far = 0;
    for (Op *a = b->prev; a && met < LOOK_BACK && far < FAR && !is_in_the_way(a); a = a->prev, far++) {
        OpList needs = {0};
        if (a->code != b->code) continue;
        met++;
        if (may_join(j, a, b) && needs_between(j, a, b, &needs)) return join(j, a, b, &needs);
    }
    return NULL;
}

static bool is_in_comprehension(const Region *r) {
    return r->owner && (r->owner->code == OP_GENERATE || r->owner->code == OP_REDUCE ||
                        (r->owner->code == OP_IF && is_in_comprehension(r->owner->parent)));
}

static void join_in(Join *j, Region *r, OpCode code) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        for (int i = 0; i < o->nregs; i++) join_in(j, o->regs[i], code);
        if (is_plain(o, code) && (code == OP_GENERATE || is_in_comprehension(r))) join_back(j, o);
    }
}

/* ---- results of a reduction that are the same */

static int first_like(const Op *y, int k) {
    int i = 0;
    while (op_opnd(y, i) != op_opnd(y, k)) i++;
    return i;
}

static Op *without_twins(Join *j, Op *op) {
    Op *y = region_term(op->regs[0]);
    const Type **types = NEWN(j->arena, const Type *, op->nres);
    Value **opnds = NEWN(j->arena, Value *, op->nopnds), **out = NEWN(j->arena, Value *, op->nres);
    int *at = NEWN(j->arena, int, op->nres), n = 0;
    for (int i = 0; i < op->nres; i++) {
        int k = first_like(y, i);
        at[i] = k < i ? at[k] : n;
        if (k == i) types[n] = op->res[i].type, out[n++] = op_opnd(y, i);
    }
    if (n == op->nres) return op;
    for (int i = 0; i < op->nopnds; i++) opnds[i] = op_opnd(op, i);
    Op *less = op_rebuild(op, op->nopnds, opnds, n, types);
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], &less->res[at[i]]);
    op_erase(op);
    Builder end = builder_at_end(less->parent->func->module, less->regs[0], y->span);
    op_erase(y);
    build_yield(&end, n, out);
    return less;
}

static void drop_twins(Join *j, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        if (is_plain(o, OP_REDUCE)) o = without_twins(j, o);
        for (int i = 0; i < o->nregs; i++) drop_twins(j, o->regs[i]);
    }
}

/* ---- */

static void join_sums(Func *f) {
    Join j = {.arena = arena_new()};
    join_in(&j, f->body, OP_GENERATE);
    if (j.changed) cse_signs(f);
    join_in(&j, f->body, OP_REDUCE);
    if (j.changed) cse_signs(f);
    while (j.changed) {
        j.changed = false;
        join_in(&j, f->body, OP_IF);
        cse_signs(f);
        drop_twins(&j, f->body);
    }
    arena_free(j.arena);
}

void pass_join_sums(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) join_sums(m->funcs.data[i]);
}
