/* join-launch: the blocks and threads of a launch become one loop over all threads of an axis.
 *
 * A launch without barriers whose blocks share nothing, and that asks for block and thread only
 * to compute block*blockdim + thread, is `parallel` over that sum: rows stay whole, and guards on it become bounds
 * of one loop.  An axis where the two are used apart keeps both, beside each other; a launch where no axis joins is
 * left alone, as are sums by float `atomic` over several axes, whose order is part of the result. */
#include "ir/index.h"
#include "opt/pass.h"

typedef struct {
    Op *blocks, *threads;
    int rank;                                   /* axes, slowest first */
    Value *block[MAX_RANK], *thread[MAX_RANK];  /* indices; NULL: the launch has none on this axis */
    Value *grid[MAX_RANK], *size[MAX_RANK];     /* extents, NULL alike */
    bool joins[MAX_RANK];
} Launch;

/* The only thing that the body of blocks does, or NULL */
static Op *sole_threads(const Op *blocks) {
    Op *found = NULL;
    for (Op *o = blocks->regs[0]->first; o != region_term(blocks->regs[0]); o = o->next) {
        if (o->code == OP_PARALLEL && !found) found = o;
        else if (found || o->nregs || !op_is_pure(o)) return NULL;
    }
    return found && op_loop(found) == LOOP_THREAD ? found : NULL;
}

static bool is_one(const Value *v) {
    int64_t c;
    return value_const_int(v, &c) && c == 1;
}

/* The other operand of the binary op */
static Value *partner(const Op *op, const Value *v) { return op_opnd(op, op_opnd(op, 0) == v); }

/* block*size: its operation */
static bool is_base(const Op *op, const Value *block, const Value *size) {
    return op && op->code == OP_MUL && (op_opnd(op, 0) == block || op_opnd(op, 1) == block) &&
           value_same_int(partner(op, block), size);
}

static bool is_sum(const Op *op, const Value *base, const Value *thread) {
    return op->code == OP_ADD && (op_opnd(op, 0) == base || op_opnd(op, 1) == base) && partner(op, base) == thread;
}

static bool axis_joins(const Launch *l, int k) {
    const Value *block = l->block[k], *thread = l->thread[k];
    if (!block || !thread) return true;
    if (is_one(l->grid[k]) && value_unused(block)) return true;
    if (is_one(l->size[k]) && value_unused(thread)) return true;
    for (const Use *u = block->uses; u; u = u->next) {
        if (!is_base(u->user, block, l->size[k])) return false;
        for (const Use *s = u->user->res[0].uses; s; s = s->next)
            if (!is_sum(s->user, &u->user->res[0], thread)) return false;
    }
    for (const Use *u = thread->uses; u; u = u->next)
        if (u->user->code != OP_ADD || !is_base(partner(u->user, thread)->def, block, l->size[k])) return false;
    return true;
}

typedef struct { bool sums, barriers; } Found;

static void find(void *ctx, Op *op) {
    Found *f = ctx;
    f->sums |= op->code == OP_ATOMIC && dtype_is_float(op_opnd(op, 0)->type->dtype);
    f->barriers |= op->code == OP_BARRIER;
}

/* Axes from the last (.x) on: the launch may have fewer of one kind than of the other. */
static Launch launch_of(Op *blocks, Op *threads) {
    Launch l = {.blocks = blocks, .threads = threads};
    int nb = blocks->nopnds, nt = threads->nopnds;
    l.rank = nb > nt ? nb : nt;
    for (int i = 0; i < nb; i++)
        l.block[l.rank - nb + i] = blocks->regs[0]->args[i], l.grid[l.rank - nb + i] = op_opnd(blocks, i);
    for (int i = 0; i < nt; i++)
        l.thread[l.rank - nt + i] = threads->regs[0]->args[i], l.size[l.rank - nt + i] = op_opnd(threads, i);
    return l;
}

static bool may_join(Launch *l) {
    bool any = false;
    Found found = {0};
    int axes = 0;
    for (int k = 0; k < l->rank; k++) {
        l->joins[k] = axis_joins(l, k);
        any |= l->joins[k] && l->block[k] && l->thread[k];
        axes += l->joins[k] ? 1 : 2;
        if (l->size[k] && !value_dominates(l->size[k], l->blocks) && !value_const_int(l->size[k], NULL)) return false;
    }
    region_walk(l->threads->regs[0], find, &found);
    return any && axes <= MAX_RANK && !found.barriers && !(found.sums && l->rank > 1);
}

/* The extent, at b */
static Value *extent_at(Builder *b, Value *v) {
    int64_t c;
    return value_const_int(v, &c) ? build_int(b, c) : v;
}

/* What was block*size + thread is iv. */
static void replace_sum(const Launch *l, int k, Value *iv) {
    Value *block = l->block[k], *thread = l->thread[k];
    if (is_one(l->grid[k]) && value_unused(block)) {
        iv->name = thread->name;
        value_replace_all(thread, iv);
        return;
    }
    if (is_one(l->size[k]) && value_unused(thread)) {
        iv->name = block->name;
        value_replace_all(block, iv);
        return;
    }
    while (thread->uses) {
        Op *sum = thread->uses->user;
        if (sum->res[0].name) iv->name = sum->res[0].name;
        value_replace_all(&sum->res[0], iv);
        op_erase(sum);
    }
    while (block->uses) op_erase(block->uses->user);
}

static void move_body(Region *from, Op *skip, Region *to, Op *before) {
    for (Op *o = from->first, *next; o && o != region_term(from); o = next) {
        next = o->next;
        if (o != skip) op_move_range(o, o, to, before);
    }
}

static void join(Launch *l) {
    Builder b = builder_before(l->blocks), in;
    Value *extents[MAX_RANK];
    int n = 0, at = 0;
    for (int k = 0; k < l->rank; k++) {
        Value *g = l->grid[k], *s = l->size[k] ? extent_at(&b, l->size[k]) : NULL;
        if (l->joins[k]) extents[n++] = g && s ? index_mul(&b, g, s) : g ? g : s;
        else extents[n++] = g, extents[n++] = s;
    }
    Op *loop = build_plain_parallel(&b, n, extents, &in);
    Value **ivs = loop->regs[0]->args;
    for (int k = 0; k < l->rank; k++) {
        bool both = l->block[k] && l->thread[k];
        if (both && l->joins[k]) replace_sum(l, k, ivs[at++]);
        else for (int i = 0; i < 2; i++) {
            Value *old = i ? l->thread[k] : l->block[k];
            if (!old) continue;
            ivs[at]->name = old->name;
            value_replace_all(old, ivs[at++]);
        }
    }
    move_body(l->blocks->regs[0], l->threads, loop->regs[0], in.before);
    move_body(l->threads->regs[0], NULL, loop->regs[0], in.before);
    op_erase(l->blocks);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
        if (op_loop(o) != LOOP_BLOCK) continue;
        Op *threads = sole_threads(o);
        if (!threads) continue;
        Launch l = launch_of(o, threads);
        if (may_join(&l)) join(&l);
    }
}

void pass_join_launch(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
