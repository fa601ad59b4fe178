/* lanes: neighbouring iterations around a serial loop run side by side, as vector lanes.
 *
 * Needs stage loops, guards narrowed.  `parallel(n) (i) { a; for (j) carrying s { s += f(x[j], y[i]) }; b }` cannot use
 * vectors along j without changing the order of the sum; along i it can.  The last axis of such a loop is cut into
 * blocks of LANES threads with a barrier in the inner loop, which pass_barriers turns inside out: the inner loop goes
 * around a loop over the lanes, and the carried values become arrays of one element per lane.  The iterations that
 * fill no block stay as they were.
 *
 * Worth it when the inner loop carries something, does plain arithmetic, has bounds that are the same for all lanes,
 * and reads elements that all lanes share or that lie beside each other. */
#include "lower/loops.h"

#include <string.h>

enum { LANES_WIDE = 8, LANES_NARROW = 16, MAX_BODY = 160, EXPENSIVE = 20 };

typedef struct { const Region *body; const Value *iv; } Lanes;

/* ---- does it pay */

typedef enum { SAME, BESIDE, APART } Spread; /* how a value or address differs between lanes */

static Spread spread(const Lanes *l, const Value *v);

static Spread spread_sum(const Lanes *l, const Op *op) {
    Spread x = spread(l, op_opnd(op, 0)), y = spread(l, op_opnd(op, 1));
    if (x == SAME && y == SAME) return SAME;
    bool one = (x == BESIDE && y == SAME) || (op->code == OP_ADD && x == SAME && y == BESIDE);
    return one ? BESIDE : APART;
}

/* Of an index */
static Spread spread(const Lanes *l, const Value *v) {
    if (v == l->iv) return BESIDE;
    if (!region_encloses(l->body, value_region(v)) || !v->def) return SAME;
    const Op *op = v->def;
    if (op->nregs) return APART;
    if (op->code == OP_ADD || op->code == OP_SUB) return spread_sum(l, op);
    for (int i = op->code == OP_LOAD; i < op->nopnds; i++)
        if (spread(l, op_opnd(op, i)) != SAME) return APART;
    return SAME;
}

static bool beside_each_other(const Lanes *l, const Op *access, int first) {
    for (int i = first; i < access->nopnds; i++) {
        Spread s = spread(l, op_opnd(access, i));
        if (s == APART || (s == BESIDE && i + 1 < access->nopnds)) return false;
    }
    return true;
}

static bool plain_op(const Lanes *l, const Op *op) {
    const OpInfo *info = op_info(op->code);
    if (op->code == OP_LOAD) return op_flag(op, A_SAFE) && beside_each_other(l, op, 1);
    if (op->code == OP_YIELD || op->code == OP_CONST || op->code == OP_SIZE) return true;
    bool checked = info->traits & TR_TRAP && !op_flag(op, A_SAFE);
    return !op->nregs && info->traits & TR_ELEM && !checked && !(info->traits & TR_FLOAT && info->cost >= EXPENSIVE);
}

/* The inner loop is one for lanes. */
static bool good_inner(const Lanes *l, const Op *loop) {
    bool floats = false;
    for (int i = 0; i < 3; i++)
        if (spread(l, op_opnd(loop, i)) != SAME) return false;
    for (int i = 0; i < loop->nres; i++) {
        if (loop->res[i].type->kind != TY_SCALAR) return false;
        floats |= dtype_is_float(loop->res[i].type->dtype);
    }
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        if (!plain_op(l, o)) return false;
    return floats;
}

/* The loop's only inner loop, when lanes pay; what stands around it is of the body's own level. */
static Op *find_inner(const Lanes *l) {
    Op *inner = NULL;
    for (Op *o = l->body->first; o != region_term(l->body); o = o->next) {
        if (o->code == OP_FOR && !inner) inner = o;
        else if (o->nregs || o->code == OP_ALLOC || o->code == OP_ATOMIC || op_has_effect(o)) return NULL;
        else if (op_may_trap(o)) return NULL;
    }
    return inner && good_inner(l, inner) ? inner : NULL;
}

static int lane_count(const Op *inner) {
    for (int i = 0; i < inner->nres; i++)
        if (dtype_info(inner->res[i].type->dtype)->bytes > 4) return LANES_WIDE;
    return LANES_NARROW;
}

/* ---- doing it */

/* A copy of loop that starts at `from` on its last axis and has `count` iterations there */
static void copy_rest(Builder *b, const Op *loop, Value *from, Value *count) {
    int rank = loop->nopnds;
    Value *extents[MAX_RANK], *idx[MAX_RANK];
    Builder in;
    for (int i = 0; i < rank; i++) extents[i] = op_opnd(loop, i);
    extents[rank - 1] = count;
    Op *rest = loops_parallel(b, rank, extents, &in);
    for (int i = 0; i < rank; i++) {
        idx[i] = rest->regs[0]->args[i];
        idx[i]->name = loop->regs[0]->args[i]->name;
    }
    idx[rank - 1] = loops_add(&in, from, idx[rank - 1]);
    loops_inline_region(&in, loop->regs[0], idx, NULL);
}

/* The body of loop moves into blocks of `width` threads. */
static void block_last_axis(Builder *b, Op *loop, Value *blocks, int width) {
    int rank = loop->nopnds;
    Value *extents[MAX_RANK];
    Builder in, lane_in;
    for (int i = 0; i < rank; i++) extents[i] = op_opnd(loop, i);
    extents[rank - 1] = blocks;
    Op *outer = build_parallel(b, rank, extents, "block");
    in = builder_at_end(b->module, outer->regs[0], loop->span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(outer->regs[0]));
    Value *n = build_int(&in, width), *base = loops_mul(&in, outer->regs[0]->args[rank - 1], n);
    Op *lanes = build_parallel(&in, 1, &n, "thread");
    Builder end = builder_at_end(b->module, lanes->regs[0], loop->span);
    build_yield(&end, 0, NULL);
    lane_in = builder_before(region_term(lanes->regs[0]));
    Value **from = loop->regs[0]->args, **to = outer->regs[0]->args;
    for (int i = 0; i + 1 < rank; i++) {
        to[i]->name = from[i]->name;
        value_replace_all(from[i], to[i]);
    }
    lanes->regs[0]->args[0]->name = intern(b->module->session, "lane");
    Value *index = loops_add(&lane_in, base, lanes->regs[0]->args[0]);
    index->name = from[rank - 1]->name;
    value_replace_all(from[rank - 1], index);
    Op *term = region_term(loop->regs[0]);
    if (term->prev) op_move_range(loop->regs[0]->first, term->prev, lanes->regs[0], lane_in.before);
}

static void make_lanes(Op *loop, Op *inner) {
    Builder b = builder_before(loop);
    int rank = loop->nopnds, width = lane_count(inner);
    Value *n = op_opnd(loop, rank - 1), *w = build_int(&b, width), *blocks, *done;
    int64_t c;
    if (loops_const(n, &c)) {
        blocks = build_int(&b, c / width);
        done = build_int(&b, c / width * width);
    } else {
        blocks = build_binary(&b, OP_SHR, n, build_int(&b, width == LANES_WIDE ? 3 : 4));
        done = loops_mul(&b, blocks, w);
        c = -1;
    }
    if (c < 0 || c % width) copy_rest(&b, loop, done, loops_sub(&b, n, done));
    Builder in = builder_before(inner->regs[0]->first);
    block_last_axis(&b, loop, blocks, width);
    Value *lane = inner->parent->args[0];
    build_op(&in, OP_BARRIER, 1, &lane, 0, NULL, 0);
    op_erase(loop);
}

static bool is_candidate(const Op *loop) {
    int64_t c;
    if (loop->code != OP_PARALLEL || strcmp(op_sym(loop, A_KIND), "plain")) return false;
    if (loops_const(op_opnd(loop, loop->nopnds - 1), &c) && c < 2 * LANES_WIDE) return false;
    return loops_count_ops(loop->regs[0]) <= MAX_BODY;
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && !strcmp(op_sym(o, A_KIND), "block")) continue;
        if (is_candidate(o)) {
            Lanes l = {o->regs[0], o->regs[0]->args[o->nopnds - 1]};
            Op *inner = find_inner(&l);
            if (inner) {
                make_lanes(o, inner);
                continue;
            }
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_lanes(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
