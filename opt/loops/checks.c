/* hoist-checks: bounds are checked before the loops around an access.
 *
 * Needs guards narrowed.  Proves again what the guards left open that are bounds of loops by now.  What is
 * still open for an access that every iteration of the loops around it makes is checked once before them, if they run
 * at all: the index itself where they do not change it, else its least and its greatest value (ends.c; Gupta,
 * Optimizing array bound checks using flow analysis, 1993: propagation of checks out of loops).  Both are values that
 * it takes, so that the program stops exactly if it would have.  The loops are free then to be vectorised and taken
 * apart.  At stage par it does so for reductions alone, which are no loops any more when they have become trees of
 * loops. */
#include "opt/loops/loops.h"
#include "analysis/linear.h"

#include <string.h>

/* ends: LOOPS_NO_ENDS where the loops do not change the index */
typedef struct { Op *access, *before; int axis; LoopsEndsKind ends; } Hoist;

typedef struct {
    Linear *linear;
    Arena *arena;
    VEC(Hoist) hoists;
    VEC(Op *) safe;
    bool reductions; /* only what they read */
} Checks;

static bool is_read(const Op *op) { return op->code == OP_LOAD || op->code == OP_EXTRACT; }
static int first_index(const Op *op) { return is_read(op) ? 1 : 2; }

/* ---- where to */

static bool proved(Checks *c, Op *op, Value *index, const Size *extent) {
    Linear *l = c->linear;
    linear_at(l, op);
    const Poly *i = linear_value(l, index), *last = linear_sub(l, linear_size(l, extent), linear_const(l, 1));
    return linear_prove(l, op, i) && linear_prove(l, op, linear_sub(l, last, i));
}

/* The bounds of the loop, but for those that are sizes */
static int bounds(const Op *loop) {
    return loop->code == OP_FOR ? 3 : loop->code == OP_GENERATE ? 0 : loop->regs[0]->nargs;
}

static bool known_before(const Op *loop, const Value *v) {
    if (!region_encloses(loop->regs[0], value_region(v))) return true;
    return value_is_fixed(v);
}

/* Whether the number of turns of the loops from `inner` out to below `outer` is known before `outer` */
static bool turns_known(const Op *inner, const Op *outer) {
    for (const Op *o = inner;; o = o->parent->owner) {
        for (int i = 0; i < bounds(o); i++)
            if (!known_before(outer, op_opnd(o, i))) return false;
        if (o == outer) return true;
    }
}

/* A size has its name from a bind, or from a call that gives an array.  What the program asserts comes first. */
static void find_what_stays(void *ctx, Op *op) {
    bool brings = op->code == OP_CALL || op->code == OP_EXTERN || op->code == OP_LOADFILE;
    for (int i = 0; brings && i < op->nres; i++) *(bool *)ctx |= type_is_tensor(op->res[i].type);
    const char *code = op->code == OP_CHECK ? op_sym(op, A_CODE) : NULL;
    *(bool *)ctx |= op->code == OP_BIND || (code && !strcmp(code, "E0640"));
}

/* What op accesses, or a size, is known inside the loop alone, or something is asserted there. */
static bool stays_inside(const Op *loop, const Op *op) {
    bool found = false;
    for (int i = 0; i < loop->nregs; i++) region_walk(loop->regs[i], find_what_stays, &found);
    return found || region_encloses(loop->regs[0], value_region(op_opnd(op, first_index(op) - 1)));
}

/* r: the region in which the access is made */
static bool is_loop(const Region *r) {
    const Op *op = r->owner;
    int64_t step;
    if (!op || r != op->regs[0]) return false;
    if (op->code == OP_PARALLEL || op->code == OP_REDUCE || op->code == OP_GENERATE) return true;
    return op->code == OP_FOR && value_const_int(op_opnd(op, 2), &step) && step > 0;
}

/* The outermost loop before which the index is known, or else its ends are; NULL: there is none */
static Hoist outermost(Checks *c, Op *op, int axis) {
    Value *index = op_opnd(op, first_index(op) + axis);
    Hoist fixed = {.access = op, .axis = axis}, ends = fixed;
    for (Region *r = op->parent; is_loop(r) && turns_known(op->parent->owner, r->owner); r = r->owner->parent) {
        Op *o = r->owner;
        if (stays_inside(o, op)) break;
        if (!region_encloses(o->regs[0], value_region(index))) fixed.before = o;
        LoopsEndsKind kind = loops_has_ends(linear_ranges(c->linear), o, op, index);
        if (kind) ends.before = o, ends.ends = kind;
    }
    return ends.before && ends.before != fixed.before ? ends : fixed;
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
    if ((!is_read(op) && op->code != OP_STORE && op->code != OP_ATOMIC) || op_flag(op, A_SAFE)) return;
    const Op *loop = op->parent->owner;
    if (c->reductions ? !loop || loop->code != OP_REDUCE : op->code == OP_EXTRACT) return;
    int first = first_index(op), before = c->hoists.len;
    const Type *t = op_opnd(op, first - 1)->type;
    for (int k = 0; k < t->rank; k++) {
        Value *index = op_opnd(op, first + k);
        if (proved(c, op, index, t->dims[k]) || covered(c, op, index, t->dims[k])) continue;
        Hoist h = outermost(c, op, k);
        if (!h.before) {
            c->hoists.len = before;
            return;
        }
        vec_push(c->arena, &c->hoists, h);
    }
    vec_push(c->arena, &c->safe, op);
}

/* ---- the checks */

static Value *is_less(Builder *b, Value *lo, Value *hi) {
    int64_t x, y;
    if (value_const_int(lo, &x) && value_const_int(hi, &y) && x < y) return NULL;
    return build_binary(b, OP_LT, lo, hi);
}

/* The access is made at least once; NULL: always. */
static Value *is_made(Builder *b, const Op *access, const Op *outer) {
    Value *made = NULL;
    for (const Op *o = access->parent->owner;; o = o->parent->owner) {
        if (o->code == OP_FOR) made = build_both(b, made, is_less(b, loops_bound(b, o, 0), loops_bound(b, o, 1)));
        for (int i = 0; o->code != OP_FOR && i < o->regs[0]->nargs; i++)
            made = build_both(b, made, is_less(b, build_int(b, 0), loops_bound(b, o, i)));
        if (o == outer) return made;
    }
}

typedef struct { Value *ok, *bad; } Verdict; /* bad: an index outside, if not ok */

static Value *not_negative(Builder *b, Value *x) {
    int64_t c;
    return value_const_int(x, &c) && c >= 0 ? NULL : build_binary(b, OP_GE, x, build_int(b, 0));
}

static Verdict check_index(Builder *b, Value *index, Value *extent) {
    return (Verdict){build_both(b, not_negative(b, index), build_binary(b, OP_LT, index, extent)), index};
}

/* bad: of the indices that are too large the first one, if they come in order */
static Verdict check_ends(Builder *b, const LoopsEnds *e, Value *extent) {
    Value *from = index_plus(b, e->least, e->fixed, false), *to = index_plus(b, e->most, e->fixed, false);
    Value *first = e->takes_all ? index_max(b, from, extent) : to, *low = not_negative(b, from);
    Value *end = e->fixed ? index_sub(b, extent, e->most) : extent;
    Value *high = build_binary(b, OP_LT, e->fixed ? e->fixed : e->most, end);
    if (!low && e->takes_all) first = value_const_int(from, NULL) ? extent : first;
    return (Verdict){build_both(b, low, high), low ? build_select(b, low, first, from) : first};
}

static void hoist(const Hoist *h) {
    Builder b = builder_before(h->before);
    int first = first_index(h->access);
    b.span = h->access->span;
    Value *index = op_opnd(h->access, first + h->axis);
    Value *extent = build_size(&b, op_opnd(h->access, first - 1)->type->dims[h->axis]);
    LoopsEnds ends = h->ends ? loops_ends(&b, h->before, index, h->ends) : (LoopsEnds){0};
    Verdict v = h->ends ? check_ends(&b, &ends, extent) : check_index(&b, index, extent);
    Value *made = is_made(&b, h->access, h->before);
    if (made) v.ok = build_binary(&b, OP_OR, build_unary(&b, OP_NOT, made), v.ok);
    build_index_check(&b, v.ok, v.bad, extent, h->axis);
}

void pass_hoist_checks(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Checks c = {.linear = linear_new(f), .arena = m->arena, .reductions = m->stage < STAGE_LOOPS};
        region_walk(f->body, visit, &c);
        linear_free(c.linear);
        for (int k = 0; k < c.hoists.len; k++) hoist(&c.hoists.data[k]);
        for (int k = 0; k < c.safe.len; k++) op_set_flag(c.safe.data[k], A_SAFE);
    }
}
