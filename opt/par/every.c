/* every: what a loop does each k-th turn stands between loops over the turns in between.
 *
 * `for t { u = step(u); if t % k == 0 { print(sum(u)) } }` becomes a loop over blocks of turns: in it a loop that steps
 * up to the next such turn, and behind that loop what that turn does besides.  All happens in the same order.  The loop
 * inside has nothing in it that prints, saves, or sums over all rows, so its turns may run in bands (time-tile), or as
 * one graph of launches.
 *
 * The branch comes last in the turn, and hands on what the turn has otherwise; it uses the turn's index, what the turn
 * hands on, and what is computed of them.  Strip mining, with the strips' ends at the turns that are asked for: Allen
 * and Kennedy, Optimizing Compilers for Modern Architectures, 2001, chapter 5. */
#include "ir/index.h"
#include "opt/pass.h"

enum { FEWEST = 4, DEEP = 8 };

typedef struct {
    Op *loop, *choice;        /* the branch */
    Region *body;
    Value *period, *phase;    /* it is taken where index + shift = phase modulo period */
    int64_t shift;
    Value **handed;           /* what it hands on from turn to turn */
    bool fits;
} Every;

/* ---- when */

static bool is_outside(const Every *e, const Value *v) { return !region_encloses(e->body, value_region(v)); }

static bool read_index(Every *e, const Value *v) {
    int64_t c;
    const Op *op = v->def;
    if (v == e->body->args[0]) return true;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB)) return false;
    if (op_opnd(op, 0) != e->body->args[0] || !value_const_int(op_opnd(op, 1), &c)) return false;
    e->shift = op->code == OP_ADD ? c : -c;
    return true;
}

static bool read_condition(Every *e) {
    const Op *cmp = op_opnd(e->choice, 0)->def, *mod = cmp && cmp->code == OP_EQ ? op_opnd(cmp, 0)->def : NULL;
    int64_t k;
    if (!mod || mod->code != OP_MOD || cmp->parent != e->body || !value_single_use(op_opnd(e->choice, 0))) return false;
    if (mod->parent != e->body || mod->res[0].type != type_i64(e->body->func->module)) return false;
    e->period = op_opnd(mod, 1), e->phase = op_opnd(cmp, 1);
    bool often = value_const_int(e->period, &k) && k < FEWEST;
    return !often && is_outside(e, e->period) && (is_outside(e, e->phase) || value_const(e->phase)) &&
           read_index(e, op_opnd(mod, 0));
}

/* ---- what */

static void find_handed(Every *e) {
    const Op *term = region_term(e->body);
    e->handed = NEWN(e->body->func->module->arena, Value *, term->nopnds + 1);
    for (int k = 0; k < term->nopnds; k++) {
        Value *v = op_opnd(term, k);
        e->handed[k] = v->def == e->choice ? op_opnd(region_term(e->choice->regs[1]), v->index) : v;
    }
}

static int find_handed_on(const Every *e, const Value *v) {
    for (int k = 0; k < e->loop->nres; k++)
        if (e->handed[k] == v) return k;
    return -1;
}

/* It can be computed again behind a block, of the index of its last turn. */
static bool is_of_index(const Every *e, const Value *v, int depth) {
    if (value_region(v) != e->body) return true;
    if (!v->def) return v == e->body->args[0];
    if (depth == DEEP || v->def->nregs || !op_is_pure(v->def)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (type_is_tensor(op_opnd(v->def, i)->type) || !is_of_index(e, op_opnd(v->def, i), depth + 1)) return false;
    return true;
}

static void check_use(void *ctx, Op *op) {
    Every *e = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        e->fits &= value_region(v) != e->body || find_handed_on(e, v) >= 0 || is_of_index(e, v, 0);
    }
}

static bool has_tensor(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (type_is_tensor(op->res[i].type)) return true;
    return false;
}

/* There is something to do in the turns in between. */
static bool has_work(const Every *e) {
    for (const Op *o = e->body->first; o != e->choice; o = o->next)
        if (has_tensor(o)) return has_tensor(e->loop);
    return false;
}

static bool read_loop(Every *e) {
    const Op *term = region_term(e->body);
    e->choice = term->prev;
    if (!e->choice || e->choice->code != OP_IF || !value_is_const_int(op_opnd(e->loop, 2), 1)) return false;
    if (op_flag(e->loop, A_PROGRESS) || e->choice->regs[1]->first != region_term(e->choice->regs[1])) return false;
    if (!has_work(e) || !read_condition(e)) return false;
    for (int k = 0; k < e->choice->nres; k++)
        for (const Use *u = e->choice->res[k].uses; u; u = u->next)
            if (u->user != term) return false;
    e->fits = true;
    find_handed(e);
    for (int side = 0; side < 2; side++) region_walk(e->choice->regs[side], check_use, e);
    return e->fits;
}

/* ---- blocks */

/* Behind the first turn that is asked for, from the loop's first turn on */
static Value *first_end(const Every *e, Builder *b, Value *from, Value *period) {
    Value *at = index_add(b, from, build_int(b, e->shift));
    Value *ahead = imod_safe(b, index_sub(b, e->phase, at), period);
    return index_add(b, index_add(b, from, ahead), build_int(b, 1));
}

static Value *count_blocks(Builder *b, Value *from, Value *to, Value *end, Value *period) {
    Value *one = build_int(b, 1), *zero = build_int(b, 0);
    Value *behind = index_max(b, index_sub(b, to, end), zero);
    Value *more = idiv_safe(b, index_add(b, behind, index_sub(b, period, one)), period);
    return build_select(b, build_binary(b, OP_GT, to, from), index_add(b, more, one), zero);
}

typedef struct { Cloner c; Builder *b; const Region *turn; } After;

static void move_uses(void *ctx, Op *op) {
    After *a = ctx;
    for (int i = 0; i < op->nopnds; i++)
        if (value_region(op_opnd(op, i)) == a->turn)
            op_set_opnd(op, i, clone_slice(&a->c, a->b, a->turn, op_opnd(op, i)));
}

/* The branch goes behind the loop over the block, before the end of the outer body; there the values of its last turn
 * are what that loop hands on, and what can be computed of the index. */
static void move_choice(Every *e, Op *outer, Op *inner) {
    Builder b = builder_at_end(e->body->func->module, outer->regs[0], e->choice->span);
    After a = {{.module = b.module}, &b, e->body};
    Arena *arena = b.module->arena;
    for (int k = inner->nres - 1; k >= 0; k--)
        if (value_region(e->handed[k]) == e->body) map_put(arena, &a.c.values, e->handed[k], &inner->res[k]);
    map_put(arena, &a.c.values, e->body->args[0], index_sub(&b, op_opnd(inner, 1), build_int(&b, 1)));
    Op *cmp = op_opnd(e->choice, 0)->def, *mod = op_opnd(cmp, 0)->def;
    op_set_opnd(e->choice, 0, clone_slice(&a.c, &b, e->body, op_opnd(e->choice, 0)));
    for (int side = 0; side < 2; side++) region_walk(e->choice->regs[side], move_uses, &a);
    op_erase(cmp);
    if (value_unused(&mod->res[0])) op_erase(mod);
}

/* A loop over blocks in front of e's, and in it one over the turns of a block, in which nothing is yet */
static Op *make_blocks(Every *e, Op **inner) {
    Op *loop = e->loop;
    Builder b = builder_before(loop);
    int n = loop->nres;
    Value **v = NEWN(b.module->arena, Value *, n + 1);
    Value *from = op_opnd(loop, 0), *to = op_opnd(loop, 1), *one = build_int(&b, 1), *zero = build_int(&b, 0);
    Value *period = index_max(&b, e->period, one); /* of what is less, each turn asks: it stops there, or is so */
    int64_t c;
    if (value_const_int(e->phase, &c)) e->phase = build_int(&b, c);
    Value *end = first_end(e, &b, from, period);
    for (int k = 0; k < n; k++) v[k] = op_opnd(loop, 3 + k);
    Op *outer = build_for(&b, zero, count_blocks(&b, from, to, end, period), one, n, v);
    Builder in = builder_at_end(b.module, outer->regs[0], loop->span);
    Value *block = outer->regs[0]->args[0], *stop = index_add(&in, end, index_mul(&in, block, period));
    Value *start = index_max(&in, from, index_sub(&in, stop, period));
    for (int k = 0; k < n; k++) v[k] = outer->regs[0]->args[k + 1];
    *inner = build_for(&in, start, index_min(&in, stop, to), one, n, v);
    return outer;
}

static void part(Every *e) {
    Op *loop = e->loop, *term = region_term(e->body), *inner, *outer = make_blocks(e, &inner);
    Module *m = e->body->func->module;
    int n = loop->nres;
    Value **v = NEWN(m->arena, Value *, n + 1);
    move_choice(e, outer, inner);
    for (int k = 0; k < n; k++) v[k] = op_opnd(term, k)->def == e->choice ? op_opnd(term, k) : &inner->res[k];
    Builder out = builder_at_end(m, outer->regs[0], loop->span), turn = builder_at_end(m, inner->regs[0], loop->span);
    build_yield(&out, n, v);
    op_move_before(e->choice, region_term(outer->regs[0]));
    build_yield(&turn, n, e->handed);
    if (term->prev) op_move_range(e->body->first, term->prev, inner->regs[0], region_term(inner->regs[0]));
    for (int i = 0; i <= n; i++) {
        inner->regs[0]->args[i]->name = e->body->args[i]->name;
        value_replace_all(e->body->args[i], inner->regs[0]->args[i]);
    }
    op_replace(loop, outer);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        Every e = {.loop = o, .body = o->nregs ? o->regs[0] : NULL};
        if (o->code == OP_FOR && read_loop(&e)) part(&e);
        else
            for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_every(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
