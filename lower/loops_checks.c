/* hoist-checks: bounds are checked before the loops that do not change the index.
 *
 * Needs stage loops, guards narrowed.  Proves again what the guards left open that are bounds of loops by now.  What is
 * still open for an access that every turn of the loops around it makes, with an index that they do not change, is
 * checked once before them, if they run at all.  The loops are free then to be vectorised and taken apart. */
#include "lower/loops.h"
#include "opt/linear.h"

typedef struct { Op *access, *before; int axis; } Hoist; /* before NULL: proved */

typedef struct {
    Linear *linear;
    Arena *arena;
    VEC(Hoist) hoists;
    VEC(Op *) safe;
} Checks;

static int first_index(const Op *op) { return op->code == OP_LOAD ? 1 : 2; }

/* ---- where to */

static bool proved(Checks *c, Op *op, Value *index, const Size *extent) {
    Linear *l = c->linear;
    linear_at(l, op);
    const Poly *i = linear_value(l, index), *last = linear_sub(l, linear_size(l, extent), linear_const(l, 1));
    return linear_prove(l, op, i) && linear_prove(l, op, linear_sub(l, last, i));
}

/* Whether the number of turns of the loops from `inner` out to below `outer` is known before `outer` */
static bool turns_known(const Op *inner, const Op *outer) {
    for (const Op *o = inner;; o = o->parent->owner) {
        int n = o->code == OP_FOR ? 3 : o->nopnds;
        for (int i = 0; i < n; i++)
            if (region_encloses(outer->regs[0], value_region(op_opnd(o, i)))) return false;
        if (o == outer) return true;
    }
}

static bool is_loop(const Op *op) {
    int64_t step;
    return op->code == OP_PARALLEL || (op->code == OP_FOR && loops_const(op_opnd(op, 2), &step) && step > 0);
}

/* The outermost loop before which the index is known, or NULL */
static Op *outermost(const Op *op, const Value *index) {
    Op *found = NULL;
    for (Op *o = op->parent->owner; o && is_loop(o); o = o->parent->owner) {
        if (region_encloses(o->regs[0], value_region(index)) || !turns_known(op->parent->owner, o)) break;
        found = o;
    }
    return found;
}

/* An access of each turn of the loops around op has the same index, and is checked before them. */
static bool covered(const Checks *c, const Op *op, const Value *index, const Size *extent) {
    for (int i = 0; i < c->hoists.len; i++) {
        const Op *first = c->hoists.data[i].access;
        int axis = c->hoists.data[i].axis, at = first_index(first);
        bool same = op_opnd(first, at + axis) == index && op_opnd(first, at - 1)->type->dims[axis] == extent;
        if (same && op_inside(op, first->parent->owner)) return true;
    }
    return false;
}

static void visit(void *ctx, Op *op) {
    Checks *c = ctx;
    if ((op->code != OP_LOAD && op->code != OP_STORE && op->code != OP_ATOMIC) || op_flag(op, A_SAFE)) return;
    int first = first_index(op), before = c->hoists.len;
    const Type *t = op_opnd(op, first - 1)->type;
    for (int k = 0; k < t->rank; k++) {
        Value *index = op_opnd(op, first + k);
        if (proved(c, op, index, t->dims[k]) || covered(c, op, index, t->dims[k])) continue;
        Hoist h = {op, outermost(op, index), k};
        if (!h.before) {
            c->hoists.len = before;
            return;
        }
        vec_push(c->arena, &c->hoists, h);
    }
    vec_push(c->arena, &c->safe, op);
}

/* ---- the checks */

static Value *both(Builder *b, Value *x, Value *y) { return !x ? y : !y ? x : build_binary(b, OP_AND, x, y); }

static Value *is_less(Builder *b, Value *lo, Value *hi) {
    int64_t x, y;
    if (loops_const(lo, &x) && loops_const(hi, &y) && x < y) return NULL;
    return build_binary(b, OP_LT, lo, hi);
}

/* The access is made at least once; NULL: always. */
static Value *is_made(Builder *b, const Op *access, const Op *outer) {
    Value *made = NULL;
    for (const Op *o = access->parent->owner;; o = o->parent->owner) {
        if (o->code == OP_FOR) made = both(b, made, is_less(b, op_opnd(o, 0), op_opnd(o, 1)));
        else for (int i = 0; i < o->nopnds; i++) made = both(b, made, is_less(b, build_int(b, 0), op_opnd(o, i)));
        if (o == outer) return made;
    }
}

static void hoist(const Hoist *h) {
    Builder b = builder_before(h->before);
    int first = first_index(h->access);
    Session *s = b.module->session;
    b.span = h->access->span;
    Value *index = op_opnd(h->access, first + h->axis), *extent = build_size(&b, op_opnd(h->access, first - 1)->type->dims[h->axis]);
    Value *ok = both(&b, build_binary(&b, OP_GE, index, build_int(&b, 0)), build_binary(&b, OP_LT, index, extent));
    Value *made = is_made(&b, h->access, h->before);
    if (made) ok = build_binary(&b, OP_OR, build_unary(&b, OP_NOT, made), ok);
    Value *opnds[] = {ok, index, extent};
    Op *check = build_op(&b, OP_CHECK, 3, opnds, 0, NULL, 0);
    op_set_sym(check, A_CODE, "E0601");
    op_set_sym(check, A_MSG, intern_printf(s, "index {} is out of bounds for axis %d with size {}", h->axis));
}

void pass_hoist_checks(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Checks c = {.linear = linear_new(f), .arena = m->arena};
        region_walk(f->body, visit, &c);
        linear_free(c.linear);
        for (int k = 0; k < c.hoists.len; k++) hoist(&c.hoists.data[k]);
        for (int k = 0; k < c.safe.len; k++) op_set_flag(c.safe.data[k], A_SAFE);
    }
}
