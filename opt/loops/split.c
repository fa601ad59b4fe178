/* split-index: a loop in which an index is clamped, or chosen by the loop's own index, becomes loops in which it is
 * not.
 *
 * Needs stage loops, guards narrowed, barriers gone or outside.  `parallel(n) (i) { y[i] = x[max(i - 1, 0)] + x[min(i +
 * 1, n - 1)] }` reads beside i everywhere but at its ends; it becomes the first turn, the last one, and between them a
 * loop whose accesses are affine, which vectors can do.  Only the last axis is cut, and only for what an address or a
 * branch depends on: choices between other values are vectors already.  Index set splitting: Griebl, Feautrier,
 * Lengauer, Index set splitting, IJPP 2000; as loop peeling already in Allen and Kennedy, 2001, section 5.5. */
#include "analysis/uniform.h"
#include "opt/loops/split.h"

enum { MAX_CUTS = 3, MAX_BODY = 200, DEEP = 6, ENOUGH_ROWS = 64, FEW_ELEMENTS = 1 << 16 };

/* Below `at` (an index of the loop) op is one thing, from there on another. */
typedef struct {
    Op *op;             /* min, max, or a comparison */
    Value *at;
    bool one;           /* an equality: only at `at` itself, which is an edge */
    bool main_is_low;
    bool is_truth;      /* op is a comparison: its value in the main part is `truth`, in the other not */
    bool truth;
    Value *main_value, *other_value; /* else */
} Cut;

/* ---- what asks for a cut */

/* Whether an address, or the branch taken, depends on v. */
static bool steers(const Value *v, int depth) {
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *op = u->user;
        if (op->code == OP_LOAD && u->index > 0) return true;
        if ((op->code == OP_STORE || op->code == OP_ATOMIC) && u->index > 1) return true;
        if (op->code == OP_IF && op->nres == 0) return true;
        bool arithmetic = op->nres == 1 && !op->nregs && op->res[0].type->dtype == DT_I64 && op->code != OP_LOAD;
        if (arithmetic && depth < DEEP && steers(&op->res[0], depth + 1)) return true;
    }
    return false;
}

/* iv CMP bound, known to be decided by one index */
static void cut_compare(Builder *b, Cut *c, OpCode cmp, Value *bound) {
    bool above = cmp == OP_LE || cmp == OP_GT;
    c->at = above ? index_add(b, bound, build_int(b, 1)) : bound;
    c->is_truth = true;
    c->one = cmp == OP_EQ || cmp == OP_NE;
    c->main_is_low = false;
    c->truth = cmp == OP_GT || cmp == OP_GE || cmp == OP_NE;
}

/* min or max of x, which moves with the index, and y, which does not */
static void cut_clamp(Builder *b, Cut *c, Value *x, Value *y, IndexLinear lx, IndexLinear ly) {
    bool is_min = c->op->code == OP_MIN, up = lx.coef > 0;
    Value *meet = index_meeting(b, lx, ly);
    c->main_is_low = is_min == up;
    c->at = c->main_is_low ? index_add(b, meet, build_int(b, 1)) : meet;
    c->main_value = x;
    c->other_value = y;
}

static bool asks_at(Builder *b, const Region *body, Op *op, Cut *c) {
    const Value *iv = body->args[body->nargs - 1];
    bool clamp = op->code == OP_MIN || op->code == OP_MAX;
    if ((!clamp && !opcode_is_compare(op->code)) || op_opnd(op, 0)->type != type_i64(b->module)) return false;
    if (!steers(&op->res[0], 0)) return false;
    IndexLinear x = index_linear(b, body, iv, op_opnd(op, 0)), y = x.ok ? index_linear(b, body, iv, op_opnd(op, 1)) : x;
    if (!x.ok || !y.ok || (x.coef != 0) == (y.coef != 0)) return false;
    bool first = x.coef != 0;
    int64_t coef = x.coef - y.coef;
    if (coef != 1 && coef != -1) return false;
    *c = (Cut){.op = op};
    if (clamp) return cut_clamp(b, c, op_opnd(op, !first), op_opnd(op, first), first ? x : y, first ? y : x), true;
    cut_compare(b, c, coef == 1 ? op->code : opcode_mirrored(op->code), index_meeting(b, x, y));
    return true;
}

bool split_exact(Ranges *r, const Region *body, const Op *op, const Value *at, const Op *old) {
    return range_exact_inside(r, body, op_opnd(op, 0), op) && range_exact_inside(r, body, op_opnd(op, 1), op) &&
           range_exact_before(r, body->owner, at, old);
}

static bool asks(Builder *b, const Region *body, Op *op, Cut *c) {
    const Op *old = body->owner->prev;
    if (!asks_at(b, body, op, c)) return false;
    Ranges *r = ranges_new(b->module->session);
    bool exact = split_exact(r, body, op, c->at, old);
    ranges_free(r);
    return exact;
}

static bool find_cut(Builder *b, const Region *body, const Region *r, Cut *c) {
    for (Op *o = r->first; o; o = o->next) {
        if (asks(b, body, o, c)) return true;
        for (int i = 0; i < o->nregs; i++)
            if (find_cut(b, body, o->regs[i], c)) return true;
    }
    return false;
}

/* ---- parts */

/* A choice by `cond`, which is known now; NULL: none is left. */
static Op *choice_by(const Value *cond) {
    for (const Use *u = cond->uses; u; u = u->next)
        if (u->user->code == OP_SELECT && u->index == 0) return u->user;
    return NULL;
}

static void resolve(const Cut *c, bool main) {
    Value *result = &c->op->res[0];
    bool truth = c->truth == main;
    for (Op *o; c->is_truth && (o = choice_by(result));) {
        value_replace_all(&o->res[0], op_opnd(o, truth ? 1 : 2));
        op_erase(o);
    }
    Builder b = builder_before(c->op);
    if (result->uses)
        value_replace_all(result, c->is_truth ? build_bool(&b, truth) : main ? c->main_value : c->other_value);
    op_erase(c->op);
}

void split_range(Op *loop, Value *lo, Value *count) {
    Region *body = loop->regs[0];
    Value *iv = body->args[0];
    int64_t zero;
    op_set_opnd(loop, 0, count);
    if (value_const_int(lo, &zero) && zero == 0) return;
    Builder in = builder_before(body->first);
    Value *moved = build_binary(&in, OP_ADD, iv, lo);
    moved->name = iv->name;
    for (Use *u = iv->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != moved->def) op_set_opnd(u->user, u->index, moved);
    }
}

Op *split_copy(Builder *b, const Op *loop) {
    Value *extent = op_opnd(loop, 0);
    Op *copy = build_parallel(b, 1, &extent, op_loop(loop));
    Value *iv = copy->regs[0]->args[0];
    iv->name = loop->regs[0]->args[0]->name;
    Builder in = builder_at_end(b->module, copy->regs[0], b->span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(copy->regs[0]));
    region_inline(&in, loop->regs[0], &iv, NULL);
    return copy;
}

/* The operation of region `to`, a copy of `from` behind some operations more, that stands where op stands. */
static Op *twin(const Region *from, const Region *to, const Op *op) {
    Op *b = to->last;
    for (const Op *a = from->last; a && b; a = a->prev, b = b->prev) {
        if (a == op) return b;
        for (int i = 0; i < a->nregs; i++)
            if (op_inside(op, a)) {
                Op *found = twin(a->regs[i], b->regs[i], op);
                if (found) return found;
            }
    }
    return NULL;
}

static Value *clamped(Builder *b, Value *v, Value *hi) { return index_max(b, index_min(b, v, hi), build_int(b, 0)); }

static void split(Op *loop, int cuts);

static void resolve_copy(const Cut *c, const Op *loop, const Op *copy, bool main) {
    Cut there = *c;
    there.op = twin(loop->regs[0], copy->regs[0], c->op);
    if (!c->is_truth) {
        there.main_value = op_opnd(there.op, op_opnd(c->op, 0) != c->main_value);
        there.other_value = op_opnd(there.op, op_opnd(c->op, 0) == c->main_value);
    }
    resolve(&there, main);
}

/* [0, at), at itself, and what is behind it */
static void cut_out(Op *loop, const Cut *c, Value *at, bool none_low, int cuts) {
    Builder b = builder_before(loop);
    Value *n = op_opnd(loop, 0), *zero = build_int(&b, 0);
    Value *behind = index_min(&b, index_add(&b, at, build_int(&b, 1)), n), *one = index_sub(&b, behind, at),
          *rest = index_sub(&b, n, behind);
    Op *before = none_low ? NULL : split_copy(&b, loop), *edge = split_copy(&b, loop);
    if (before) resolve_copy(c, loop, before, true);
    if (before) split_range(before, zero, at);
    split_range(edge, at, one);
    resolve(c, true);
    split_range(loop, behind, rest);
    if (before) split(before, cuts + 1);
    split(loop, cuts + 1);
}

static void cut_in_two(Op *loop, const Cut *c, Value *at, int cuts) {
    Builder b = builder_before(loop), after = builder_after(loop);
    Value *n = op_opnd(loop, 0), *zero = build_int(&b, 0), *rest = index_sub(&b, n, at);
    Op *other = split_copy(c->main_is_low ? &after : &b, loop);
    resolve_copy(c, loop, other, false);
    resolve(c, true);
    split_range(other, c->main_is_low ? at : zero, c->main_is_low ? rest : at);
    split_range(loop, c->main_is_low ? zero : at, c->main_is_low ? at : rest);
    if (c->is_truth) split(other, cuts + 1);
    split(loop, cuts + 1);
}

/* The loop is cut at c; it keeps the main part (of two that are both long, the high one). */
static void cut_loop(Op *loop, const Cut *c, int cuts) {
    Builder b = builder_before(loop);
    Value *n = op_opnd(loop, 0), *at = clamped(&b, c->at, n);
    bool none_low = value_same_int(at, build_int(&b, 0)), none_high = value_same_int(at, n);
    if (none_high || (none_low && !c->one)) {
        resolve(c, c->one || none_low != c->main_is_low);
        split(loop, cuts);
    } else if (c->one) {
        cut_out(loop, c, at, none_low, cuts);
    } else {
        cut_in_two(loop, c, at, cuts);
    }
}

static void split(Op *loop, int cuts) {
    Builder b = builder_before(loop);
    Cut c;
    if (cuts < MAX_CUTS && find_cut(&b, loop->regs[0], loop->regs[0], &c)) cut_loop(loop, &c, cuts);
}

/* ---- which loops */

Op *split_last_axis(Op *loop) {
    int rank = loop->nopnds - 1;
    if (!rank) return loop;
    Builder b = builder_before(loop);
    Region *body = loop->regs[0];
    Value *extents[MAX_RANK];
    for (int i = 0; i <= rank; i++) extents[i] = op_opnd(loop, i);
    Op *outer = build_parallel(&b, rank, extents, op_loop(loop));
    Builder in = builder_at_end(b.module, outer->regs[0], loop->span);
    Op *inner = build_parallel(&in, 1, extents + rank, LOOP_PLAIN);
    build_yield(&in, 0, NULL);
    for (int i = 0; i <= rank; i++) {
        Value *arg = i < rank ? outer->regs[0]->args[i] : inner->regs[0]->args[0];
        arg->name = body->args[i]->name;
        value_replace_all(body->args[i], arg);
    }
    op_move_range(body->first, region_term(body), inner->regs[0], NULL);
    op_erase(loop);
    return inner;
}

/* Rows enough for the threads remain when the last axis becomes a loop inside, or there is little for them to do. */
static bool enough_rows(const Op *loop) {
    int64_t rows = 1, c;
    int last = loop->nopnds - 1;
    if (!last || loops_inside_parallel(loop)) return true;
    for (int i = 0; i < last; i++) {
        if (!value_const_int(op_opnd(loop, i), &c)) return true;
        rows *= c;
    }
    bool few = value_const_int(op_opnd(loop, last), &c) && c <= FEW_ELEMENTS / (rows + 1);
    return rows >= ENOUGH_ROWS || few;
}

static void find_nest(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_PARALLEL || op->code == OP_BARRIER || op->code == OP_ALLOC || op->code == OP_ATOMIC;
}

/* Not a block's threads whose barriers are still to come */
bool split_is_innermost(Op *loop, int most_ops) {
    bool nest = false;
    region_walk(loop->regs[0], find_nest, &nest);
    if (nest || op_loop(loop) == LOOP_BLOCK || region_count_ops(loop->regs[0]) > most_ops) return false;
    for (const Op *o = loop->parent->owner; o && o->code != OP_ISLAND; o = o->parent->owner)
        if (o->code == OP_PARALLEL && op_holds(o, OP_BARRIER)) return false;
    return enough_rows(loop);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && op_flag(o, A_REST)) continue; /* few turns */
        if (o->code == OP_PARALLEL && split_is_innermost(o, MAX_BODY)) {
            Builder b = builder_before(o);
            Cut c;
            if (find_cut(&b, o->regs[0], o->regs[0], &c)) split(split_last_axis(o), 0);
            continue;
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_split_index(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        visit(m->funcs.data[i]->body);
        loops_mark(m->funcs.data[i]);
    }
}
