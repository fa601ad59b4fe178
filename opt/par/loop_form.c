/* loop-form: loops in their plainest form, which the passes after this one know how to treat.
 *
 *   `break` in the last turn   a flag that ends a loop only where the count ends it anyway goes
 *   while                      one that counts up to a fixed bound becomes `for`
 *   one turn at most           `for i in t:100:128`, where t >= 0, becomes `if t < 100`
 *   last value                 a carried value that each turn makes anew, from its index alone, is computed once,
 * behind the loop (final value replacement of scalar evolution: Bachmann, Wang, Zima, ISSAC 1994)
 *
 * needs: folded conditions.  Leaves carried values that nobody reads to dce. */
#include "analysis/linear.h"
#include "opt/par/fold.h"
#include "opt/pass.h"

enum { MAX_SLICE = 24, DEEP = 8 };

typedef struct { Func *func; Linear *linear; } Forms;

/* Facts of the function as it is now; a change makes them old. */
static Linear *facts_at(Forms *f, const Op *op) {
    if (!f->linear) f->linear = linear_new(f->func);
    linear_at(f->linear, op);
    return f->linear;
}

static void changed(Forms *f) {
    linear_free(f->linear);
    f->linear = NULL;
}

/* a >= b at op */
static bool at_least(Linear *l, Op *op, const Poly *a, const Poly *b) {
    return linear_prove(l, op, linear_sub(l, a, b));
}

static bool is_true(const Value *v, bool what) {
    const Const *c = value_const(v);
    return c && c->dtype == DT_BOOL && c->i == what;
}

static bool from_outside(const Op *loop, const Value *v) {
    return !region_encloses(loop->regs[0], value_region(v)) &&
           (loop->nregs < 2 || !region_encloses(loop->regs[1], value_region(v)));
}

/* ---- while loops that count: carried value `at` goes up by `step` as long as it is below `bound` */

typedef struct { int at; Value *bound; int64_t step; } Count;

static int carried_index(const Op *loop, const Value *v) {
    return v->region == loop->regs[0] && !v->def ? v->index : -1;
}

/* test: a comparison in the condition of the loop */
static bool counts(const Op *loop, const Value *test, Count *c) {
    const Op *cmp = test->def;
    if (!cmp || (cmp->code != OP_LT && cmp->code != OP_GT)) return false;
    Value *x = op_opnd(cmp, cmp->code == OP_GT), *bound = op_opnd(cmp, cmp->code == OP_LT);
    int at = carried_index(loop, x);
    if (at < 0 || x->type->dtype != DT_I64 || !from_outside(loop, bound)) return false;
    const Op *next = op_opnd(region_term(loop->regs[1]), at)->def;
    if (!next || next->code != OP_ADD) return false;
    const Value *iv = loop->regs[1]->args[at];
    int other = op_opnd(next, 0) == iv ? 1 : op_opnd(next, 1) == iv ? 0 : -1;
    if (other < 0 || !value_const_int(op_opnd(next, other), &c->step) || c->step <= 0) return false;
    c->at = at;
    c->bound = bound;
    return true;
}

static Value *condition_of(const Op *loop) { return op_opnd(region_term(loop->regs[0]), 0); }

/* ---- break in the last turn */

/* Whether the loop's count has ended wherever v, yielded at the end of a turn, is true */
static bool ends_anyway(Forms *f, const Op *loop, const Count *c, Value *v, Op *where, int depth) {
    if (is_true(v, false)) return true;
    Linear *l = facts_at(f, where);
    if (is_true(v, true))
        return at_least(l, where, linear_value(l, op_opnd(region_term(loop->regs[1]), c->at)),
                        linear_value(l, c->bound));
    Op *branch = v->def;
    if (depth > DEEP || !branch || branch->code != OP_IF || !region_encloses(loop->regs[1], branch->parent))
        return false;
    for (int i = 0; i < 2; i++) {
        Op *term = region_term(branch->regs[i]);
        if (!ends_anyway(f, loop, c, op_opnd(term, v->index), term, depth + 1)) return false;
    }
    return true;
}

/* `i < n and not stop` becomes `i < n`. */
static bool drop_flag(Forms *f, Op *loop) {
    Op *both = condition_of(loop)->def;
    Count c;
    if (!both || both->code != OP_AND) return false;
    for (int i = 0; i < 2; i++) {
        Op *no = op_opnd(both, i)->def;
        int flag = no && no->code == OP_NOT ? carried_index(loop, op_opnd(no, 0)) : -1;
        if (flag < 0 || !is_true(op_opnd(loop, flag), false) || !counts(loop, op_opnd(both, 1 - i), &c)) continue;
        Op *term = region_term(loop->regs[1]);
        if (!ends_anyway(f, loop, &c, op_opnd(term, flag), term, 0)) continue;
        op_set_opnd(region_term(loop->regs[0]), 0, op_opnd(both, 1 - i));
        return true;
    }
    return false;
}

/* ---- while to for */

static bool pure_condition(const Op *loop) {
    for (const Op *o = loop->regs[0]->first; o != region_term(loop->regs[0]); o = o->next)
        if (!op_is_pure(o)) return false;
    return true;
}

/* Adding the step to an index below the bound cannot wrap around. */
static bool cannot_wrap(const Count *c) {
    int64_t bound;
    if (c->step == 1) return true;
    return c->step < INT32_MAX && ((value_const_int(c->bound, &bound) && bound < INT32_MAX) ||
                                   (c->bound->def && c->bound->def->code == OP_SIZE));
}

static bool to_for(Op *loop) {
    Count c;
    if (!pure_condition(loop) || !counts(loop, condition_of(loop), &c) || !cannot_wrap(&c)) return false;
    if (loop->res[c.at].uses && c.step != 1) return false;
    int n = 0;
    Value **init = NEWN(loop->parent->func->module->arena, Value *, loop->nopnds + 1);
    Builder b = builder_before(loop);
    for (int i = 0; i < loop->nopnds; i++)
        if (i != c.at) init[n++] = op_opnd(loop, i);
    Op *made = build_for(&b, op_opnd(loop, c.at), c.bound, build_int(&b, c.step), n, init);
    Region *from = loop->regs[1], *to = made->regs[0];
    Op *term = region_term(from);
    op_remove_opnd(term, c.at);
    op_move_range(from->first, term, to, NULL);
    for (int i = 0, k = 0; i < from->nargs; i++) {
        Value *arg = to->args[i == c.at ? 0 : ++k];
        if (from->args[i]->name) arg->name = from->args[i]->name;
        value_replace_all(from->args[i], arg);
    }
    for (int i = 0, k = 0; i < loop->nres; i++) {
        if (i == c.at) continue;
        made->res[k].name = loop->res[i].name;
        value_replace_all(&loop->res[i], &made->res[k++]);
    }
    if (loop->res[c.at].uses)
        value_replace_all(&loop->res[c.at], build_binary(&b, OP_MAX, op_opnd(loop, c.at), c.bound));
    op_erase(loop);
    return true;
}

/* ---- one turn at most */

static bool to_if(Forms *f, Op *loop) {
    Linear *l = facts_at(f, loop);
    Value *lo = op_opnd(loop, 0), *hi = op_opnd(loop, 1);
    int64_t step;
    if (!value_const_int(op_opnd(loop, 2), &step) || step <= 1) return false;
    if (!at_least(l, loop, linear_add(l, linear_value(l, lo), linear_const(l, step)), linear_value(l, hi)))
        return false;
    Builder b = builder_before(loop);
    const Type **types = NEWN(b.module->arena, const Type *, loop->nres + 1);
    for (int i = 0; i < loop->nres; i++) types[i] = loop->res[i].type;
    Op *branch = build_if(&b, build_binary(&b, OP_LT, lo, hi), loop->nres, types);
    Region *body = loop->regs[0];
    value_replace_all(body->args[0], lo);
    for (int i = 1; i < body->nargs; i++) value_replace_all(body->args[i], op_opnd(loop, 2 + i));
    op_move_range(body->first, region_term(body), branch->regs[0], NULL);
    Builder other = builder_at_end(b.module, branch->regs[1], loop->span);
    Value **init = NEWN(b.module->arena, Value *, loop->nres + 1);
    for (int i = 0; i < loop->nres; i++) init[i] = op_opnd(loop, 3 + i);
    build_yield(&other, loop->nres, init);
    for (int i = 0; i < loop->nres; i++) {
        branch->res[i].name = loop->res[i].name;
        value_replace_all(&loop->res[i], &branch->res[i]);
    }
    op_erase(loop);
    return true;
}

/* ---- last value */

/* Whether v is made from the index and from outside alone; counts the operations. */
static bool from_index(const Region *body, const Value *v, int *size) {
    if (!region_encloses(body, value_region(v))) return true;
    if (!v->def) return v == body->args[0];
    const Op *op = v->def;
    if (op->parent != body || op->nregs || !(op_info(op->code)->traits & TR_PURE) || ++*size > MAX_SLICE) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!from_index(body, op_opnd(op, i), size)) return false;
    return true;
}

/* some ? v : init */
static Value *if_any(Builder *b, Value *some, Value *v, Value *init) {
    if (is_true(init, false)) return build_binary(b, OP_AND, some, v);
    if (is_true(init, true)) return build_binary(b, OP_OR, build_unary(b, OP_NOT, some), v);
    return build_select(b, some, v, init);
}

static bool last_value(Forms *f, Op *loop, int k) {
    Region *body = loop->regs[0];
    Value *v = op_opnd(region_term(body), k), *lo = op_opnd(loop, 0), *hi = op_opnd(loop, 1);
    int size = 0;
    int64_t step;
    bool anew = v->type->kind == TY_SCALAR && loop->res[k].uses && !body->args[k + 1]->uses;
    if (!anew || !value_const_int(op_opnd(loop, 2), &step) || step != 1 || !from_index(body, v, &size)) return false;
    Linear *l = facts_at(f, loop);
    bool runs = at_least(l, loop, linear_value(l, hi), linear_add(l, linear_value(l, lo), linear_const(l, 1)));
    Builder b = builder_after(loop);
    Cloner c = {.module = b.module};
    map_put(b.module->arena, &c.values, body->args[0], build_binary(&b, OP_SUB, hi, build_int(&b, 1)));
    Value *last = clone_slice(&c, &b, body, v);
    if (!runs) last = if_any(&b, build_binary(&b, OP_LT, lo, hi), last, op_opnd(loop, 3 + k));
    if (!last->name && last->def) last->name = loop->res[k].name;
    value_replace_all(&loop->res[k], last);
    return true;
}

/* ---- the walk */

static void visit_while(Forms *f, Op **op) {
    Op *before = (*op)->prev;
    Region *r = (*op)->parent;
    bool any = drop_flag(f, *op), made = to_for(*op);
    if (any || made) changed(f);
    if (!made) return;
    *op = before ? before->next : r->first;
    while ((*op)->code != OP_FOR) *op = (*op)->next; /* behind the constant that is its step */
}

static void visit(Forms *f, Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        if (op->code == OP_WHILE) visit_while(f, &op);
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(f, op->regs[i]);
        if (op->code != OP_FOR) continue;
        for (int k = 0; k < op->nres; k++)
            if (last_value(f, op, k)) changed(f);
        if (to_if(f, op)) changed(f);
    }
}

void pass_loop_form(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Forms f = {.func = m->funcs.data[i]};
        if (f.func->kind == FUNC_EXTERN || !f.func->body->first) continue;
        visit(&f, f.func->body);
        changed(&f);
    }
}
