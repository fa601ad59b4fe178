/* sum-loops: in a nest that adds floats to elements which several of its iterations come to, each sum gets a nest of
 * its own, in which the loops that tell its elements are outside and parallel, and the others are inside and carry the
 * sum.
 *
 * Needs stage loops, barriers that are loops, and sums that are still atomic updates, whose order is that of the serial
 * loop; leaves plain stores.  The nest is a parallel loop inside another (so it runs in order), with `for`s in it, and
 * does nothing but add to memory of the iteration around it what it computes from memory that it does not write.  For
 * one element the loops that are none of its indices go on in their order, so it gets the same sums in the same order.
 * Adjoints of shared memory are such sums: by element in place of by thread they run in registers and vectors.  Loop
 * distribution and interchange: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, sections 5.2
 * and 5.4. */
#include "opt/loops/loops.h"

enum { MAX_SUMS = 4, MAX_LOOPS = 8, MAX_BODY = 60 };

/* A loop of the nest, or one axis of it, from outside to inside */
typedef struct {
    Op *op;
    Value *iv;
    int axis; /* of a parallel loop; -1: a for */
} Level;

typedef struct {
    Op *loop;
    Module *module;
    Op *sum[MAX_SUMS];
    int nsums;
    bool impossible, shared; /* shared: a sum has an element that several iterations of the parallel loop come to */
} Nest;

/* ---- what is in the nest */

static bool is_outside(const Nest *n, const Value *v) { return !region_encloses(n->loop->regs[0], value_region(v)); }

static bool is_plain_for(const Nest *n, const Op *op) {
    if (op->code != OP_FOR || op->nres) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_outside(n, op_opnd(op, i)) && !value_const(op_opnd(op, i))) return false;
    return true;
}

static void find_sums(void *ctx, Op *op) {
    Nest *n = ctx;
    if (loops_is_sum(op) && op_flag(op, A_SAFE) && !op->nres && n->nsums < MAX_SUMS) {
        n->sum[n->nsums++] = op;
        return;
    }
    bool load = op->code == OP_LOAD && op_flag(op, A_SAFE), term = op_info(op->code)->traits & TR_TERM;
    if (!load && !term && !is_plain_for(n, op) && (op->nregs || !op_is_pure(op))) n->impossible = true;
}

/* The loops around a sum, the outermost first: how many */
static int levels_of(const Nest *n, const Op *sum, Level *out) {
    const Op *around[MAX_LOOPS];
    int depth = 0, k = 0;
    for (const Op *o = sum->parent->owner; o != n->loop; o = o->parent->owner) {
        if (depth == MAX_LOOPS) return 0;
        around[depth++] = o;
    }
    if (depth + n->loop->nopnds > MAX_LOOPS) return 0;
    for (int i = 0; i < n->loop->nopnds; i++) out[k++] = (Level){n->loop, n->loop->regs[0]->args[i], i};
    while (depth--) out[k++] = (Level){(Op *)around[depth], around[depth]->regs[0]->args[0], -1};
    return k;
}

static int index_of(const Op *sum, const Value *iv) {
    for (int i = 2; i < sum->nopnds; i++)
        if (op_opnd(sum, i) == iv) return i;
    return -1;
}

static bool is_level(const Level *levels, int n, const Value *v) {
    for (int i = 0; i < n; i++)
        if (levels[i].iv == v) return true;
    return false;
}

/* Each iteration of the loops around has memory of its own. */
static bool is_private(const Nest *n, const Value *target) {
    if (!target->def || target->def->code != OP_ALLOC) return false;
    for (const Op *o = n->loop->parent->owner; o && o->code != OP_ISLAND; o = o->parent->owner)
        if (o->code == OP_PARALLEL && !region_encloses(o->regs[0], value_region(target))) return false;
    return true;
}

/* Nobody else in the nest touches the target, and its indices are loops', which turn a known number of times, or
 * fixed. */
static bool may_move(Nest *n, const Op *sum) {
    Level levels[MAX_LOOPS];
    int depth = levels_of(n, sum, levels);
    const Value *target = op_opnd(sum, 1);
    int64_t turns;
    if (!depth || !is_outside(n, target) || !is_private(n, target)) return false;
    for (const Use *u = target->uses; u; u = u->next)
        if (op_inside(u->user, n->loop) && u->user != sum) return false;
    for (int i = 2; i < sum->nopnds; i++)
        if (!is_outside(n, op_opnd(sum, i)) && !is_level(levels, depth, op_opnd(sum, i))) return false;
    bool any = false;
    for (int i = 0; i < depth; i++) {
        bool own = index_of(sum, levels[i].iv) >= 0;
        any |= own;
        if (own && levels[i].axis < 0 && !loop_turns(levels[i].op, &turns)) return false;
        if (!own && levels[i].axis >= 0) n->shared = true;
    }
    return any;
}

static bool is_candidate(Nest *n) {
    if (!loops_inside_parallel(n->loop) || op_flag(n->loop, A_SERIAL)) return false;
    if (region_count_ops(n->loop->regs[0]) > MAX_BODY) return false;
    region_walk(n->loop->regs[0], find_sums, n);
    for (int i = 0; i < n->nsums && !n->impossible; i++) n->impossible |= !may_move(n, n->sum[i]);
    return n->nsums && !n->impossible && n->shared;
}

/* ---- the nest of a sum */

/* Loops from level i on that are none of the element's, at b, which carry the sum so far; what it is behind them */
static Value *add_up(const Nest *n, Cloner *c, Builder *b, const Op *sum, const Level *levels, int depth, int i,
                     Value *so_far) {
    while (i < depth && index_of(sum, levels[i].iv) >= 0) i++;
    if (i == depth) return build_binary(b, OP_ADD, so_far, clone_slice(c, b, n->loop->regs[0], op_opnd(sum, 0)));
    const Level *l = &levels[i];
    Value *bound[3]; /* from, to, step */
    for (int k = 0; k < 3 && l->axis < 0; k++) bound[k] = clone_slice(c, b, n->loop->regs[0], op_opnd(l->op, k));
    if (l->axis >= 0) bound[0] = build_int(b, 0), bound[1] = op_opnd(l->op, l->axis), bound[2] = build_int(b, 1);
    Op *loop = build_for(b, bound[0], bound[1], bound[2], 1, &so_far);
    Builder in = builder_at_end(n->module, loop->regs[0], b->span);
    loop->regs[0]->args[0]->name = l->iv->name;
    map_put(n->module->arena, &c->values, l->iv, loop->regs[0]->args[0]);
    Value *next = add_up(n, c, &in, sum, levels, depth, i + 1, loop->regs[0]->args[1]);
    build_yield(&in, 1, &next);
    return &loop->res[0];
}

/* The levels that are indices of the sum, as they follow each other in it */
static int own_levels(const Op *sum, const Level *levels, int depth, const Level **out) {
    int k = 0;
    for (int i = 2; i < sum->nopnds; i++)
        for (int j = 0; j < depth; j++)
            if (levels[j].iv == op_opnd(sum, i) && index_of(sum, levels[j].iv) == i) out[k++] = &levels[j];
    return k;
}

static Value *extent_of(Builder *b, const Level *l) {
    int64_t turns = 0;
    if (l->axis >= 0) return op_opnd(l->op, l->axis);
    loop_turns(l->op, &turns);
    return build_int(b, turns);
}

/* The index of a level that is iteration i of a parallel loop, upwards */
static Value *upwards(Builder *b, const Level *l, Value *i) {
    int64_t lo, step, turns;
    if (l->axis >= 0) return i;
    loop_turns(l->op, &turns);
    value_const_int(op_opnd(l->op, 0), &lo);
    value_const_int(op_opnd(l->op, 2), &step);
    if (step < 0) lo += (turns - 1) * step, step = -step;
    return index_add(b, index_mul(b, i, build_int(b, step)), build_int(b, lo));
}

static void move_sum(const Nest *n, const Op *sum) {
    Level levels[MAX_LOOPS];
    const Level *own[MAX_LOOPS];
    Builder b = builder_before(n->loop), in;
    Cloner c = {.module = n->module};
    Value *extents[MAX_LOOPS], *at[MAX_RANK];
    int depth = levels_of(n, sum, levels), nown = own_levels(sum, levels, depth, own), rank = sum->nopnds - 2;
    for (int i = 0; i < nown; i++) extents[i] = extent_of(&b, own[i]);
    Op *nest = build_plain_parallel(&b, nown, extents, &in);
    for (int i = 0; i < nown; i++) {
        nest->regs[0]->args[i]->name = own[i]->iv->name;
        map_put(n->module->arena, &c.values, own[i]->iv, upwards(&in, own[i], nest->regs[0]->args[i]));
    }
    for (int i = 0; i < rank; i++) at[i] = clone_value(&c, op_opnd(sum, 2 + i));
    Value *old = load_safe(&in, op_opnd(sum, 1), rank, at),
          *all = add_up(n, &c, &in, sum, levels, depth, 0, old);
    store_safe(&in, all, op_opnd(sum, 1), rank, at);
}

static void visit(Region *r, const PassOptions *opts) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Nest n = {.loop = o, .module = r->func->module};
        if (o->code == OP_PARALLEL && is_candidate(&n)) {
            for (int i = 0; i < n.nsums; i++) {
                explain_sum(opts, n.module, o->span, op_opnd(n.sum[i], 1)->name,
                            "plain additions: all of an element one after the other");
                move_sum(&n, n.sum[i]);
            }
            op_erase(o);
            continue;
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], opts);
    }
}

void pass_sum_loops(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, opts);
}
