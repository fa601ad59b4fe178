/* expand-index: indices made from floats are computed and tested for STRIP turns side by side, before these run.
 *
 * Needs stage loops, behind cast-index: an index is `if(quick one inside) { yield(quick one) } { .. careful one, check
 * .. }`.  In a parallel loop that counts with it (atomic updates), conversions and tests could be vectors, were it not
 * for the updates, and the updates could follow each other without a branch.  So the quick indices of a strip are
 * written down; when all are inside, its turns read them; else they run as they were.  The turns of a parallel loop
 * cannot see each other's writes, so what leads to the indices may come before all of them.  Scalar expansion in a
 * strip-mined loop: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, chapters 5 and 7. */
#include "analysis/cost.h"
#include "opt/loops/loops.h"

enum { STRIP = 64, FEWEST = 4 * STRIP, MAX_OPS = 32, MOST = 3 };

typedef struct { Op *choice; Value *quick, *inside, *at; } Index; /* at: the buffer of a strip */

typedef struct {
    Op *loop;
    Region *body;
    Index index[MOST];
    int n;
} Expand;

/* ---- what can be expanded */

static Op *last_choice(const Region *body) {
    Op *last = NULL;
    for (Op *o = body->first; o; o = o->next)
        if (o->code == OP_IF) last = o;
    return last;
}

/* As cast-index makes it */
static bool is_index(const Expand *e, const Op *op, Index *x) {
    if (op->nres != 1 || op->res[0].type->dtype != DT_I64) return false;
    *x = (Index){.choice = (Op *)op, .inside = op_opnd(op, 0), .quick = op_opnd(region_term(op->regs[0]), 0)};
    const Op *cast = x->quick->def;
    return cast && cast->parent == e->body && cast->code == OP_CAST && op_flag(cast, A_INDEFINITE);
}

/* Says what an atomic update updates */
static bool counts(const Index *x) {
    for (const Use *u = x->choice->res[0].uses; u; u = u->next)
        if (u->user->code == OP_ATOMIC) return true;
    return false;
}

static bool is_cheap(const Op *op) {
    if (op->code == OP_LOAD) return op_flag(op, A_SAFE);
    return !op->nregs && op_is_pure(op) && op_info(op->code)->cost < COST_DIVISION;
}

/* What leads to the indices is cheap and changes nothing; what follows has no loops. */
static bool match(Expand *e) {
    int count = 0;
    Op *last = last_choice(e->body), *o = e->body->first;
    if (!last) return false;
    for (; o != last->next; o = o->next) {
        if (count++ == MAX_OPS) return false;
        if (o->code != OP_IF ? !is_cheap(o)
                             : e->n == MOST || !is_index(e, o, &e->index[e->n]) || !counts(&e->index[e->n]))
            return false;
        if (o->code == OP_IF) e->n++;
    }
    for (; o; o = o->next)
        if (o->nregs) return false;
    return true;
}

static bool is_candidate(const Op *loop) {
    int64_t n;
    if (loop->code != OP_PARALLEL || loop->nopnds != 1 || op_loop(loop) != LOOP_PLAIN) return false;
    return !value_const_int(op_opnd(loop, 0), &n) || n >= FEWEST;
}

/* ---- strips */

static Value *strip_buffer(Builder *b) {
    Session *s = b->module->session;
    const Size *strip = size_const(s, STRIP);
    const Type *t = type_buf(s, DT_I64, 1, &strip, SPACE_PRIVATE);
    Op *op = build_op(b, OP_ALLOC, 0, NULL, 1, &t, 0);
    op_set_flag(op, A_STACK);
    op->res[0].name = intern(s, "at");
    return &op->res[0];
}

/* Writes the quick indices of the STRIP turns from `first` on down; whether all are inside.  A choice stands for its
 * quick index in what leads to the next. */
static Value *all_inside(void *ctx, Builder *b, Value *first) {
    Expand *e = ctx;
    Value *none = build_int(b, 0);
    LoopsCount c = loops_count_begin(b, STRIP, none, first, e->body->args[0]);
    Value *sum = c.so_far, *l = c.loop->regs[0]->args[0];
    int k = 0;
    for (Op *o = e->body->first; k < e->n; o = o->next) {
        if (o->code != OP_IF) {
            Op *copy = clone_op(&c.copy, &c.in, o);
            if (op_flag(o, A_INDEFINITE)) op_set_flag(copy, A_SIMD);
            continue;
        }
        Index *x = &e->index[k++];
        Value *quick = clone_value(&c.copy, x->quick), *one = build_int(&c.in, 1);
        store_safe(&c.in, quick, x->at, 1, &l);
        map_put(b->module->arena, &c.copy.values, &o->res[0], quick);
        sum = build_binary(&c.in, OP_ADD, sum, build_select(&c.in, clone_value(&c.copy, x->inside), none, one));
    }
    return build_binary(b, OP_EQ, loops_count_end(&c, sum), none);
}

/* The turns of a strip, which read their indices */
static void quick_turns(Expand *e, const LoopsStrips *strips, Builder *b) {
    Value *i;
    Region *r = loops_strip_turns(strips, b, true, &i);
    Builder in = builder_at_end(b->module, r, e->loop->span);
    Cloner c = {.module = b->module};
    map_put(b->module->arena, &c.values, e->body->args[0], i);
    int k = 0;
    for (Op *o = e->body->first; o; o = o->next) {
        if (k == e->n || o != e->index[k].choice) {
            clone_op(&c, &in, o);
            continue;
        }
        Value *at = load_safe(&in, e->index[k++].at, 1, &r->args[0]);
        map_put(b->module->arena, &c.values, &o->res[0], at);
    }
}

static void rewrite(Expand *e) {
    LoopsStrips strips = loops_strips(e->loop, STRIP);
    Builder *in = &strips.in;
    for (int k = 0; k < e->n; k++) e->index[k].at = strip_buffer(in);
    Op *choice = build_if(in, loops_strip_ask(&strips, all_inside, e, false), 0, NULL);
    build_yield(in, 0, NULL);
    Builder then = builder_at_end(in->module, choice->regs[0], in->span),
            other = builder_at_end(in->module, choice->regs[1], in->span);
    quick_turns(e, &strips, &then);
    build_yield(&then, 0, NULL);
    loops_strip_move(&strips, &other);
    build_yield(&other, 0, NULL);
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Expand e = {.loop = o, .body = o->nregs ? o->regs[0] : NULL};
        if (is_candidate(o) && match(&e)) {
            rewrite(&e);
            continue;
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_expand_index(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
