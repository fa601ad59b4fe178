/* narrow-guards: a guard on a loop's index becomes the loop's bounds.
 *
 * Leaves `parallel(256) (t) { if 1 <= b*256 + t < n - 1 {..} }` as a loop over
 * just those t, with nothing inside it to keep the C compiler from using vectors; then, at stage loops, marks which
 * parallel loops run in order (`serial`: inside another parallel one, or a few turns).
 *
 * A condition is taken apart into conjuncts; one that compares c*index + rest with rest fixed in the loop bounds the
 * index; one that does not depend on any index of the loop makes the loop empty.  What remains stays a guard. */
#include "opt/loops/narrow.h"

enum { FEW_TURNS = 4 };

/* ---- the loop */

static bool does_nothing(const Region *r) { return r->first == region_term(r); }

/* The `if` that is all the body does: what stands before it may be skipped, after it nothing, and only one side does
 * anything. */
static Op *sole_guard(const Region *body) {
    Op *guard = region_term(body)->prev;
    if (!guard || guard->code != OP_IF || guard->nres || does_nothing(guard->regs[0]) == does_nothing(guard->regs[1]))
        return NULL;
    for (Op *o = body->first; o != guard; o = o->next)
        if (op_has_effect(o) || op_writes_memory(o) || op_may_trap(o)) return NULL;
    return op_holds(guard, OP_BARRIER) ? NULL : guard;
}

/* `if c {} else {..}` becomes `if not c {..} else {}`. */
static void turn_round(Op *guard) {
    Region *r = guard->regs[0];
    Builder b = builder_before(guard);
    op_set_opnd(guard, 0, build_unary(&b, OP_NOT, op_opnd(guard, 0)));
    guard->regs[0] = guard->regs[1];
    guard->regs[1] = r;
}

static Value *divided(Builder *b, OpCode c, Value *x, Value *by) {
    int64_t i, j;
    if (value_const_int(x, &i) && value_const_int(by, &j) && i >= 0) return build_int(b, c == OP_MOD ? i % j : i / j);
    Value *v = build_binary(b, c, x, by);
    op_set_flag(v->def, A_SAFE);
    return v;
}

/* The first index from lo on that is `phase` modulo stride */
static Value *first_in_phase(Builder *b, Value *lo, Value *phase, Value *stride) {
    if (!lo) return divided(b, OP_MOD, phase, stride);
    return index_add(b, lo, divided(b, OP_MOD, index_sub(b, phase, lo), stride));
}

static Value *not_negative(Narrow *n, Value *extent) {
    Value *zero = build_int(&n->before, 0);
    return narrow_at_least(n, extent, zero) ? extent : index_max(&n->before, extent, zero);
}

/* extent - lo, with 0 for a negative extent where the difference may wrap; lo >= 0 */
static Value *difference(Narrow *n, Value *extent, Value *lo) {
    Value *d = index_sub(&n->before, extent, lo);
    ranges_forget(linear_ranges(n->facts));
    if (!d->def || d->def->code != OP_SUB || range_exact(linear_ranges(n->facts), d->def, n->loop)) return d;
    return index_sub(&n->before, not_negative(n, extent), lo);
}

/* Index k of the loop runs from lo to hi now, in steps. */
static void set_bounds(Narrow *n, int k) {
    Builder *b = &n->before;
    Value *extent = op_opnd(n->loop, k), *lo = n->lo[k], *iv = n->body->args[k], *stride = n->stride[k];
    int64_t c;
    if (!n->lo[k] && !n->hi[k] && !stride) return;
    if (n->hi[k]) extent = narrow_least(n, extent, n->hi[k]);
    if (lo && value_const_int(lo, &c) && c <= 0) lo = NULL;
    if (lo && !value_const_int(lo, &c))
        lo = narrow_at_least(n, build_int(b, 0), lo) ? NULL : index_max(b, lo, build_int(b, 0));
    if (stride) lo = first_in_phase(b, lo, n->phase[k], stride);
    if (lo && value_const_int(lo, &c) && c == 0) lo = NULL;
    if (lo) extent = difference(n, extent, lo);
    if (stride) extent = divided(b, OP_IDIV, index_add(b, extent, index_sub(b, stride, build_int(b, 1))), stride);
    op_set_opnd(n->loop, k, not_negative(n, extent));
    if (lo || stride) narrow_renumber(n->body, iv, stride, lo);
}

static bool narrow_once(Linear *facts, Op *loop) {
    Region *body = loop->regs[0];
    Op *guard = sole_guard(body);
    if (!guard) return false;
    if (does_nothing(guard->regs[0])) turn_round(guard);
    Narrow n = {
        .facts = facts, .loop = loop, .body = body, .before = builder_before(loop), .inside = builder_before(guard),
        .indices = body->nargs};
    narrow_take_apart(&n, op_opnd(guard, 0), false);
    bool any = n.only_if != NULL;
    for (int k = 0; k < body->nargs; k++) any |= n.lo[k] || n.hi[k] || n.stride[k];
    if (!any) return false;
    narrow_guard(&n, guard);
    for (int k = 0; k < body->nargs; k++) set_bounds(&n, k);
    if (n.only_if) {
        Value *none = build_int(&n.before, 0);
        op_set_opnd(loop, 0, build_select(&n.before, n.only_if, op_opnd(loop, 0), none));
    }
    return n.remains == NULL;
}

/* ---- a guard that only asks for outer axes goes out of the inner ones */

/* 1 + the last axis of the loop that v depends on; 0: none */
static int op_depth(const Region *body, const Op *op);

static int depth_of(const Region *body, const Value *v) {
    if (!region_encloses(body, value_region(v))) return 0;
    if (!v->def) return v->region == body ? v->index + 1 : body->nargs;
    return op_depth(body, v->def);
}

static int op_depth(const Region *body, const Op *op) {
    int depth = op->nregs ? body->nargs : 0;
    for (int i = 0; i < op->nopnds && depth < body->nargs; i++) {
        int d = depth_of(body, op_opnd(op, i));
        if (d > depth) depth = d;
    }
    return depth;
}

/* `parallel(y, x) { if c(y) {..} }` becomes `parallel(y) { if c(y) { parallel(x) {..} } }`. Says whether. */
static bool split_axes(Op *loop) {
    Region *body = loop->regs[0];
    Op *guard = sole_guard(body);
    int rank = body->nargs, depth = guard ? depth_of(body, op_opnd(guard, 0)) : 0;
    if (!guard || depth == 0 || depth == rank) return false;
    for (Op *o = body->first; o != guard; o = o->next) o->mark = op_depth(body, o) > depth;
    Builder b = builder_before(loop);
    Value *extents[MAX_RANK];
    for (int i = 0; i < rank; i++) extents[i] = op_opnd(loop, i);
    Op *outer = build_parallel(&b, depth, extents, op_loop(loop));
    Region *r = outer->regs[0];
    for (int i = 0; i < depth; i++) {
        r->args[i]->name = body->args[i]->name;
        value_replace_all(body->args[i], r->args[i]);
    }
    Region *then = guard->regs[0];
    op_move_range(body->first, guard, r, NULL);
    Builder end = builder_at_end(b.module, r, loop->span), in = builder_before(then->first);
    build_yield(&end, 0, NULL);
    Op *inner = build_parallel(&in, rank - depth, extents + depth, LOOP_PLAIN);
    for (int i = depth; i < rank; i++) {
        inner->regs[0]->args[i - depth]->name = body->args[i]->name;
        value_replace_all(body->args[i], inner->regs[0]->args[i - depth]);
    }
    Op *term = region_term(then);
    end = builder_at_end(b.module, inner->regs[0], loop->span);
    build_yield(&end, 0, NULL);
    if (term->prev != inner) op_move_range(inner->next, term->prev, inner->regs[0], region_term(inner->regs[0]));
    for (Op *o = r->first, *next, *first = inner->regs[0]->first; o != guard; o = next) {
        next = o->next;
        if (o->mark) op_move_before(o, first);
    }
    op_erase(loop);
    return true;
}

/* Unused operations before the last one of r, or before `at`: what computed the old conditions */
static void drop_unused(Region *r, Op *at) {
    for (Op *o = at ? at->prev : r->last, *prev; o; o = prev) {
        prev = o->prev;
        bool used = o->nres == 0;
        for (int i = 0; i < o->nres; i++) used |= !value_unused(&o->res[i]);
        if (!used && op_is_removable(o)) op_erase(o);
    }
}

static void narrow(Linear *facts, Op *loop) {
    loops_join_guards(facts, loop);
    bool more = true;
    while (more) {
        more = narrow_once(facts, loop);
        drop_unused(loop->regs[0], NULL);
    }
    const Op *guard = sole_guard(loop->regs[0]);
    if (guard && !does_nothing(guard->regs[0])) loops_trim(loop, guard);
    drop_unused(loop->parent, loop);
    split_axes(loop);
}

/* ---- how loops run */

static bool few_turns(const Op *loop) {
    int64_t n = 1, c;
    for (int i = 0; i < loop->nopnds; i++) {
        if (!value_const_int(op_opnd(loop, i), &c)) return false;
        n *= c > FEW_TURNS ? FEW_TURNS + 1 : c;
        if (n > FEW_TURNS) return false;
    }
    return true;
}

static void mark(Region *r, bool inside) {
    for (Op *o = r->first; o; o = o->next) {
        bool parallel = o->code == OP_PARALLEL;
        if (parallel && (inside || few_turns(o))) op_set_flag(o, A_SERIAL);
        for (int i = 0; i < o->nregs; i++) mark(o->regs[i], inside || (parallel && !op_flag(o, A_SERIAL)));
    }
}

static void visit(Linear *facts, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(facts, o->regs[i]);
        if (o->code == OP_PARALLEL) narrow(facts, o);
        if (o->code == OP_FOR && loops_narrow_for(facts, o)) drop_unused(o->regs[0], NULL);
    }
}

void loops_mark(Func *f) { mark(f->body, false); }

bool loops_is_plain(const Op *op) {
    return op->code == OP_PARALLEL && op_loop(op) == LOOP_PLAIN && !op_flag(op, A_TEAM);
}

bool loops_inside_parallel(const Op *op) {
    for (op = op->parent->owner; op && op->code != OP_ISLAND; op = op->parent->owner)
        if (op->code == OP_PARALLEL) return true;
    return false;
}

void pass_narrow_guards(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Linear *facts = linear_new(m->funcs.data[i]);
        visit(facts, m->funcs.data[i]->body);
        linear_free(facts);
        if (m->stage >= STAGE_LOOPS) loops_mark(m->funcs.data[i]);
    }
}
