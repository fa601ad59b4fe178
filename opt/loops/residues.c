/* residues: a loop whose body asks for remainders and quotients of an index by a small number does as many turns at a
 * time, of which each knows its remainder.
 *
 * Needs stage loops, guards narrowed.  What is gathered from every second place, as the gradients of strided
 * convolutions and of pooling are, asks `if j % 2 == 0 { .. y[j // 2] .. }`: no vectors, and much of the work is to
 * test.  `parallel(n) (j)` becomes `parallel(n // 2) (q)` with the body for j = 2*q, where the remainder is 0 and the
 * quotient q, then for j = 2*q + 1; the turns that are left come behind it.  So too where every second element is read
 * twice, `x[j // 2]`.  Of an outer axis the loop over the others is made so many times.  Unrolling: Allen and Kennedy,
 * Optimizing Compilers for Modern Architectures, 2001, section 8.4. */
#include "opt/loops/split.h"

enum { MOST_TURNS = 16, MOST_OPS = 300, DEEP = 6, FAR = 1 << 30 };

/* ---- what is asked, of what an address or a branch depends on */

static bool is_division(const Op *op, int64_t *by) {
    return (op->code == OP_MOD || op->code == OP_IDIV) && op->res[0].type->kind == TY_SCALAR &&
           op->res[0].type->dtype == DT_I64 && value_const_int(op_opnd(op, 1), by) && *by > 1;
}

/* An index of a loop: of divisions of coef * iv and numbers, or -coef * iv, by divisors of coef the result is known. */
typedef struct { Builder b; const Region *body; Value *iv; int64_t coef; } Index;

/* What op divides is *coef * iv + *rest */
static bool reads_index(Index *at, const Op *op, int64_t *coef, int64_t *rest) {
    IndexLinear x = index_linear(&at->b, at->body, at->iv, op_opnd(op, 0));
    *rest = 0, *coef = x.coef;
    bool plain = x.ok && (x.coef == at->coef || x.coef == -at->coef);
    return plain && (!x.rest || value_const_int(x.rest, rest)) && *rest < FAR && *rest > -FAR;
}

/* Whether an address, or which branch is taken, depends on v */
static bool steers(const Value *v, int depth) {
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *op = u->user;
        if (op->code == OP_LOAD && u->index > 0) return true;
        if (op->code == OP_STORE && u->index > 1) return true;
        if (op->code == OP_IF) return true;
        DType t = op->nres == 1 && !op->nregs && op->code != OP_LOAD ? op->res[0].type->dtype : DT_F64;
        if ((t == DT_I64 || t == DT_BOOL) && depth < DEEP && steers(&op->res[0], depth + 1)) return true;
    }
    return false;
}

typedef struct { Index of; int64_t by, most; } Search;

/* The greatest divisor that is not too large; what goes around once, a ring, is not for turns at a time. */
static void find_division(void *ctx, Op *op) {
    Search *s = ctx;
    int64_t by, coef, rest;
    if (!is_division(op, &by) || by > s->most || by <= s->by) return;
    if (reads_index(&s->of, op, &coef, &rest) && steers(&op->res[0], 0)) s->by = by;
}

static int64_t divisor_of(Op *loop, int axis) {
    int64_t n;
    Search s = {.of = {builder_before(loop), loop->regs[0], loop->regs[0]->args[axis], 1}, .most = MOST_TURNS};
    if (value_const_int(op_opnd(loop, axis), &n) && n / 2 < s.most) s.most = n / 2;
    region_walk(loop->regs[0], find_division, &s);
    return region_count_ops(loop->regs[0]) * s.by <= MOST_OPS ? s.by : 0;
}

/* ---- the loop over quotients */

static void resolve(void *ctx, Op *op) {
    Index *at = ctx;
    int64_t coef, rest, by;
    if (!is_division(op, &by) || at->coef % by || !reads_index(at, op, &coef, &rest)) return;
    Builder b = builder_before(op);
    int64_t more = int_floor_div(rest, by);
    Value *q = index_mul(&b, at->iv, build_int(&b, coef / by));
    Value *v = op->code == OP_MOD ? build_int(&b, rest - by * more) : index_add(&b, q, build_int(&b, more));
    value_replace_all(&op->res[0], v);
}

/* The body at b for j, the index of the axis, and these indices of the others */
static void copy_body(Builder *b, const Op *loop, int axis, Value *j, Value *const *others) {
    const Region *body = loop->regs[0];
    Cloner c = {.module = b->module};
    for (int i = 0; i < body->nargs; i++)
        map_put(b->module->arena, &c.values, body->args[i], i == axis ? j : others[i]);
    clone_region_ops(&c, b, body, false);
}

static Op *open_loop(Builder *b, const Op *loop, int n, Value *const *extents, Builder *in, int first) {
    Op *made = build_parallel(b, n, extents, op_loop(loop));
    if (op_flag(loop, A_SERIAL)) op_set_flag(made, A_SERIAL);
    *in = builder_at_end(b->module, made->regs[0], loop->span);
    for (int i = 0; i < n; i++) made->regs[0]->args[i]->name = loop->regs[0]->args[first + i]->name;
    return made;
}

/* For one remainder: the body, or a loop with it over the axes behind */
static void copy_for(Builder *b, const Op *loop, int axis, Value *j, Value **others, Value *const *extents) {
    int rest = loop->nopnds - axis - 1;
    Builder in = *b;
    if (rest) {
        const Op *made = open_loop(b, loop, rest, extents + axis + 1, &in, axis + 1);
        for (int i = 0; i < rest; i++) others[axis + 1 + i] = made->regs[0]->args[i];
    }
    copy_body(&in, loop, axis, j, others);
    if (rest) build_yield(&in, 0, NULL);
}

/* How many times by there are in all; *rest: how many more, or NULL: none */
static Value *count_whole(Builder *b, Value *all, int64_t by, Value **rest) {
    Session *ss = b->module->session;
    const Size *n = value_size(ss, all, false), *whole = n ? size_floordiv(ss, n, size_const(ss, by)) : NULL, *more;
    int64_t k;
    Value *turns = whole ? build_size(b, whole) : index_floordiv(b, all, by);
    *rest = index_sub(b, all, index_mul(b, turns, build_int(b, by)));
    more = whole ? size_sub(ss, n, size_mul(ss, whole, size_const(ss, by))) : NULL;
    if (more && size_is_const(more, &k) && k == 0) *rest = NULL;
    return turns;
}

static Op *by_quotients(Op *loop, int axis, int64_t by) {
    Builder b = builder_before(loop), in;
    Value *extents[MAX_RANK], *others[MAX_RANK], *more, *turns = build_int(&b, by);
    for (int i = 0; i < loop->nopnds; i++) extents[i] = op_opnd(loop, i);
    Value *whole = count_whole(&b, extents[axis], by, &more);
    extents[axis] = whole;
    Op *made = open_loop(&b, loop, axis + 1, extents, &in, 0);
    for (int i = 0; i < axis; i++) others[i] = made->regs[0]->args[i];
    Value *q = made->regs[0]->args[axis];
    for (int64_t r = 0; r < by; r++) {
        Value *j = index_add(&in, index_mul(&in, q, turns), build_int(&in, r));
        copy_for(&in, loop, axis, j, others, extents);
    }
    build_yield(&in, 0, NULL);
    region_walk(made->regs[0], resolve, &(Index){builder_before(made), made->regs[0], q, by});
    if (more) {
        Value *first = index_mul(&b, whole, turns);
        extents[axis] = more;
        Op *rest = open_loop(&b, loop, loop->nopnds, extents, &in, 0);
        for (int i = 0; i < loop->nopnds; i++) others[i] = rest->regs[0]->args[i];
        copy_body(&in, loop, axis, index_add(&in, first, others[axis]), others);
        build_yield(&in, 0, NULL);
        op_set_flag(rest, A_REST);
    }
    op_erase(loop);
    return made;
}

/* ---- which loops */

static void find_other(void *ctx, Op *op) {
    bool *plain = ctx;
    *plain &= op->code != OP_CHECK && op->code != OP_ATOMIC && !op_has_effect(op);
}

static bool is_candidate(Op *loop) {
    bool plain = true;
    if (op_loop(loop) != LOOP_PLAIN || op_flag(loop, A_REST) || !split_is_innermost(loop, MOST_OPS)) return false;
    region_walk(loop->regs[0], find_other, &plain);
    return plain;
}

static void visit(Region *r);

static bool part_loop(Op *loop) {
    for (int axis = 0; axis < loop->nopnds; axis++) {
        int64_t by = divisor_of(loop, axis);
        if (!by) continue;
        visit(by_quotients(loop, axis, by)->regs[0]);
        return true;
    }
    return false;
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && is_candidate(o) && part_loop(o)) continue;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_residues(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
