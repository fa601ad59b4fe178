/* interior: a loop whose branches ask where its index is becomes a loop over the turns for which all of them are
 * taken, without them, and one over the rest.
 *
 * Needs stage loops, guards narrowed, barriers gone or outside.  What is gathered from neighbours, as the gradients of
 * stencils are, has a guard for each neighbour: `parallel(n, m) (i, j) { y[i, j] = (if j >= 1 { x[i, j - 1] } else
 * { 0 }) + (if i + 1 < n and j >= 2 { .. } else { 0 }) }`.  In each row the guards that bound the last index have a
 * common range, which is the interior where those that ask for the row hold as well; elsewhere it is empty.  There
 * nothing keeps the C compiler from using vectors.  Where one branch alone asks, the rest has its other side alone;
 * what is marked as usual (few) is the interior, however much there is to do beside it.  split-index cuts for each
 * comparison, and what an address depends on; here many comparisons make one cut.
 * Index set splitting: Griebl, Feautrier, Lengauer, IJPP 2000. */
#include "opt/loops/split.h"

enum { MOST_OPS = 2500, SHORT = 16 };

typedef struct {
    Op *loop;
    Region *body;
    Builder b;             /* before the loop */
    Ranges *ranges;
    const Op *old;         /* the last operation before the loop when the work began */
    Value *lo, *hi, *also; /* where all hold: from lo to hi, in rows where also; NULL: no bound */
    VEC(Value *) held;     /* conditions that hold there */
    VEC(Op *) branches;    /* that are taken there */
    int asked;             /* how many were looked at */
    bool bounded;
} Interior;

/* ---- what is asked */

static bool is_comparison(OpCode c) { return opcode_is_compare(c) && c != OP_EQ && c != OP_NE; }

static bool is_held(const Interior *in, const Value *v) {
    for (int i = 0; i < in->held.len; i++)
        if (in->held.data[i] == v) return true;
    return false;
}

static void hold(Interior *in, Value *v) { vec_push(in->b.module->arena, &in->held, v); }

/* iv CMP bound, or of LE and GT the one below it, becomes a bound of the interior. */
static void take_bound(Interior *in, OpCode cmp, Value *bound) {
    if (cmp == OP_GE || cmp == OP_GT) in->lo = in->lo ? index_max(&in->b, in->lo, bound) : bound;
    else in->hi = in->hi ? index_min(&in->b, in->hi, bound) : bound;
    in->bounded = true;
}

static bool is_exact(Interior *in, const Op *op, const Value *bound) {
    ranges_forget(in->ranges);
    return split_exact(in->ranges, in->body, op, bound, in->old);
}

static void require(Interior *in, Value *v) { in->also = in->also ? build_binary(&in->b, OP_AND, in->also, v) : v; }

/* From where on a multiple of the index, and a rest, are what they are compared with; down: the last that is no more */
static Value *meeting_of_many(Interior *in, IndexLinear x, IndexLinear y, bool down) {
    Builder *b = &in->b;
    IndexLinear many = x.coef ? x : y, other = x.coef ? y : x;
    int64_t by = many.coef < 0 ? -many.coef : many.coef;
    Value *zero = build_int(b, 0), *rest = many.rest ? many.rest : zero, *end = other.rest ? other.rest : zero;
    Value *far = many.coef < 0 ? index_sub(b, rest, end) : index_sub(b, end, rest);
    return index_floordiv(b, down ? far : index_add(b, far, build_int(b, by - 1)), by);
}

/* A comparison of the last index with what the row knows, or of what the row knows */
static bool take_comparison(Interior *in, Op *op) {
    const Value *iv = in->body->args[0];
    if (op_opnd(op, 0)->type != type_i64(in->b.module)) return false;
    IndexLinear x = index_linear(&in->b, in->body, iv, op_opnd(op, 0)),
                y = x.ok ? index_linear(&in->b, in->body, iv, op_opnd(op, 1)) : x;
    if (!x.ok || !y.ok) return false;
    int64_t coef = x.coef - y.coef;
    if (!x.coef && !y.coef) {
        Value *zero = build_int(&in->b, 0);
        require(in, build_binary(&in->b, op->code, x.rest ? x.rest : zero, y.rest ? y.rest : zero));
        return true;
    }
    if (x.coef && y.coef) return false;
    OpCode cmp = coef > 0 ? op->code : opcode_mirrored(op->code);
    bool beyond = cmp == OP_LE || cmp == OP_GT;
    Value *bound = coef == 1 || coef == -1 ? index_meeting(&in->b, x, y) : meeting_of_many(in, x, y, beyond);
    if (beyond) bound = index_add(&in->b, bound, build_int(&in->b, 1));
    return is_exact(in, op, bound) && (take_bound(in, cmp, bound), true);
}

/* The conjuncts of a condition; whether all of them are understood */
static bool take(Interior *in, Value *v) {
    if (is_held(in, v)) return true;
    if (value_const(v)) return value_is_const_int(v, true);
    if (!region_encloses(in->body, value_region(v))) return require(in, v), hold(in, v), true;
    Op *op = v->def;
    if (!op) return false;
    if (op->code == OP_AND && v->type->dtype == DT_BOOL) {
        bool x = take(in, op_opnd(op, 0)), y = take(in, op_opnd(op, 1));
        return x && y;
    }
    if (!is_comparison(op->code) || !take_comparison(in, op)) return false;
    return hold(in, v), true;
}

/* A branch whose work is done where its condition holds, or that usually does */
static bool is_guard(const Op *op) {
    return op->code == OP_IF &&
           (op_flag(op, A_FEW) || region_count_ops(op->regs[0]) > region_count_ops(op->regs[1]));
}

/* Of what is usual nothing is asked on the other side. */
static void visit_branches(Interior *in, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        bool taken = is_guard(o) && (in->asked++, take(in, op_opnd(o, 0)));
        if (taken) vec_push(in->b.module->arena, &in->branches, o);
        for (int i = 0; i < o->nregs && !(i && taken && op_flag(o, A_FEW)); i++) visit_branches(in, o->regs[i]);
    }
}

/* ---- the two loops */

/* The branch is its first or its second region. */
static void decide(Op *branch, int side) {
    Op *term = region_term(branch->regs[side]);
    if (term->prev) op_move_range(branch->regs[side]->first, term->prev, branch->parent, branch);
    for (int k = 0; k < branch->nres; k++) value_replace_all(&branch->res[k], op_opnd(term, k));
    op_erase(branch);
}

/* In the loop itself, which is the interior now */
static void assume(Interior *in) {
    Builder at = builder_before(in->body->first);
    Value *yes = build_bool(&at, true);
    for (int i = 0; i < in->held.len; i++)
        for (Use *u = in->held.data[i]->uses, *next; u; u = next) {
            next = u->next;
            if (op_inside(u->user, in->loop)) op_set_opnd(u->user, u->index, yes);
        }
    for (int i = in->branches.len - 1; i >= 0; i--) decide(in->branches.data[i], 0); /* the innermost first */
}

static Op *first_guard(Region *r) {
    Op *found = NULL;
    for (Op *o = r->first; o && !found; o = o->next) {
        if (is_guard(o)) return o;
        for (int i = 0; i < o->nregs && !found; i++) found = first_guard(o->regs[i]);
    }
    return found;
}

/* The copy runs from 0 to lo and from hi on. */
static void leave_out(Op *copy, Value *lo, Value *hi) {
    Builder before = builder_before(copy), b = builder_before(copy->regs[0]->first);
    Value *iv = copy->regs[0]->args[0], *length = index_sub(&before, hi, lo), *below, *moved;
    op_set_opnd(copy, 0, index_sub(&before, op_opnd(copy, 0), length));
    below = build_binary(&b, OP_LT, iv, lo);
    Value *behind = build_binary(&b, OP_ADD, iv, length);
    moved = build_select(&b, below, iv, behind);
    moved->name = iv->name;
    for (Use *u = iv->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != below->def && u->user != moved->def && u->user != behind->def)
            op_set_opnd(u->user, u->index, moved);
    }
}

static void part(Interior *in) {
    Builder *b = &in->b;
    Value *n = op_opnd(in->loop, 0), *zero = build_int(b, 0);
    Value *lo = in->lo ? index_min(b, index_max(b, in->lo, zero), n) : zero,
          *hi = index_max(b, in->hi ? index_min(b, in->hi, n) : n, lo);
    if (in->also) lo = build_select(b, in->also, lo, n), hi = build_select(b, in->also, hi, n);
    Op *copy = split_copy(b, in->loop);
    if (op_flag(in->branches.data[0], A_FEW)) op_set_flag(copy, A_REST);
    if (in->asked == 1) decide(first_guard(copy->regs[0]), 1); /* the interior has all turns that it is for */
    assume(in);
    split_range(in->loop, lo, index_sub(b, hi, lo));
    leave_out(copy, lo, hi);
}

/* ---- which loops */

static void find_other(void *ctx, Op *op) {
    bool *plain = ctx;
    *plain &= op->code == OP_IF || (!op->nregs && op->code != OP_CHECK && !op_has_effect(op));
}

static void find_guard(void *ctx, Op *op) { *(bool *)ctx |= is_guard(op); }

static bool is_candidate(Op *loop) {
    bool plain = true, guards = false;
    int64_t n;
    if (!split_is_innermost(loop, MOST_OPS)) return false;
    if (value_const_int(op_opnd(loop, loop->nopnds - 1), &n) && n < SHORT) return false;
    region_walk(loop->regs[0], find_other, &plain);
    region_walk(loop->regs[0], find_guard, &guards);
    return plain && guards;
}

static void part_loop(Op *loop) {
    loop = split_last_axis(loop);
    Interior in = {.loop = loop,
                   .body = loop->regs[0],
                   .b = builder_before(loop),
                   .ranges = ranges_new(loop->parent->func->module->session),
                   .old = loop->prev};
    visit_branches(&in, in.body);
    if (in.bounded && in.branches.len) part(&in);
    ranges_free(in.ranges);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && is_candidate(o)) {
            part_loop(o);
            continue;
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_interior(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        if (!m->funcs.data[i]->body) continue;
        visit(m->funcs.data[i]->body);
        loops_mark(m->funcs.data[i]);
    }
}
