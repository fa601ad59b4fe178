/* specialize: versions of a launch for the usual case of what is clamped (--choose=specialize=..).
 *
 * Tiles are cut off at the border of the data: `let last = min(15, n - 1 - x0)`, `let steps = min(2, left)`.  Nearly
 * always the constant is what comes out, and with it loops have a fixed number of turns and guards go.
 *   launches  a launch that uses such a scalar from outside becomes `if left >= 2 { launch with 2 } else { launch }`
 *   blocks    the same, and for what is clamped by a block, the threads of each block
 * Only for what steers: bounds of loops, conditions and addresses depend on it, which are then known when compiling.
 * Versioning, as for loop invariants in Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, section
 * 5.10.  Only threads that meet at barriers: others are joined with their blocks, and their guards become bounds. */
#include "opt/pass.h"

enum { MOST = 6, DEEP = 12, MAX_OPS = 400 };

typedef struct { Op *clamp[MOST], *inner; int n; } Clamps; /* of what: a launch, or the threads of a block */

/* A whole number kept on one side of a constant. Which operand the constant is, or -1 */
static int bound_of(const Op *op) {
    if (!op || (op->code != OP_MIN && op->code != OP_MAX) || op->res[0].type->kind != TY_SCALAR ||
        op->res[0].type->dtype != DT_I64)
        return -1;
    for (int i = 0; i < 2; i++)
        if (value_const(op_opnd(op, i))) return i;
    return -1;
}

/* A loop's bounds, a condition or an address depends on v. */
static bool steers(const Value *v, int depth) {
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *op = u->user;
        if (op->code == OP_FOR && u->index < 3) return true;
        if (op->code == OP_IF || op->code == OP_SELECT || op->code == OP_PARALLEL || opcode_is_compare(op->code))
            return true;
        bool access = op_is_access(op);
        if (access && u->index >= op_index_first(op)) return true;
        bool arithmetic = op->nres == 1 && !op->nregs && !access && op->res[0].type->dtype == DT_I64;
        if (arithmetic && depth < DEEP && steers(&op->res[0], depth + 1)) return true;
    }
    return false;
}

static void add(Clamps *c, Op *op) {
    if (!steers(&op->res[0], 0)) return;
    for (int i = 0; i < c->n; i++)
        if (c->clamp[i] == op) return;
    if (c->n < MOST) c->clamp[c->n++] = op;
}

/* ---- what is clamped */

static void find_outside(void *ctx, Op *op) {
    Clamps *c = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        Op *def = op_opnd(op, i)->def;
        if (def && !op_inside(def, c->inner) && bound_of(def) >= 0) add(c, def);
    }
}

/* Fixed for all threads, and may be computed before them */
static bool is_fixed(const Op *threads, const Value *v, int depth) {
    if (!region_encloses(threads->regs[0], value_region(v))) return true;
    const Op *op = v->def;
    if (!op || op->nregs || !op_is_pure(op) || depth == DEEP) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!is_fixed(threads, op_opnd(op, i), depth + 1)) return false;
    return true;
}

static void find_fixed(void *ctx, Op *op) {
    Clamps *c = ctx;
    if (bound_of(op) >= 0 && op->res[0].uses && is_fixed(c->inner, &op->res[0], 0)) add(c, op);
}

/* ---- two versions */

/* Each clamp is at its constant. */
static Value *usual_case(Builder *b, const Clamps *c) {
    Value *all = NULL;
    Cloner known = {.module = b->module};
    for (int i = 0; i < c->n; i++) {
        const Op *op = c->clamp[i];
        int k = bound_of(op);
        const Region *threads = c->inner->regs[0]; /* before them it is computed anew */
        Value *x = clone_slice(&known, b, threads, op_opnd(op, 1 - k)),
              *bound = clone_slice(&known, b, threads, op_opnd(op, k));
        Value *usual = build_binary(b, op->code == OP_MIN ? OP_GE : OP_LE, x, bound);
        all = all ? build_binary(b, OP_AND, all, usual) : usual;
    }
    return all;
}

static Op *copy_with_constants(Builder *b, const Clamps *c) {
    Cloner copy = {.module = b->module};
    Value *constants[MOST];
    for (int i = 0; i < c->n; i++) {
        const Op *bound = op_opnd(c->clamp[i], bound_of(c->clamp[i]))->def;
        constants[i] = build_const(b, op_attr(bound, A_VALUE)->c);
        if (!op_inside(c->clamp[i], c->inner))
            map_put(b->module->arena, &copy.values, &c->clamp[i]->res[0], constants[i]);
    }
    Op *made = clone_op(&copy, b, c->inner);
    for (int i = 0; i < c->n; i++) {
        Value *there = clone_value(&copy, &c->clamp[i]->res[0]);
        if (op_inside(c->clamp[i], c->inner)) value_replace_all(there, constants[i]);
    }
    return made;
}

/* Where the one clamp is not at its constant, it is what it clamps. */
static void replace_inside(const Op *op, Value *from, Value *to) {
    for (Use *u = from->uses, *next; u; u = next) {
        next = u->next;
        if (op_inside(u->user, op) && u->user != to->def) op_set_opnd(u->user, u->index, to);
    }
}

/* The copy in which the clamps are constants, or NULL when nothing is clamped */
static Op *two_versions(Clamps *c) {
    if (!c->n) return NULL;
    Op *op = c->inner;
    Builder b = builder_before(op);
    const Type **types = NEWN(b.module->arena, const Type *, op->nres + 1);
    Value **results = NEWN(b.module->arena, Value *, op->nres + 1);
    for (int i = 0; i < op->nres; i++) types[i] = op->res[i].type;
    Op *branch = build_if(&b, usual_case(&b, c), op->nres, types);
    Builder usual = builder_at_end(b.module, branch->regs[0], op->span),
            other = builder_at_end(b.module, branch->regs[1], op->span);
    Op *copy = copy_with_constants(&usual, c);
    for (int i = 0; i < op->nres; i++) {
        value_replace_all(&op->res[i], &branch->res[i]);
        branch->res[i].name = op->res[i].name;
        results[i] = &copy->res[i];
    }
    build_yield(&usual, op->nres, results);
    if (c->n == 1) replace_inside(op, &c->clamp[0]->res[0], op_opnd(c->clamp[0], 1 - bound_of(c->clamp[0])));
    op_move_to_end(op, branch->regs[1]);
    for (int i = 0; i < op->nres; i++) results[i] = &op->res[i];
    build_yield(&other, op->nres, results);
    return copy;
}

/* ---- launches */

static void count(void *ctx, Op *op) {
    *(int *)ctx += op->code == OP_BIND ? MAX_OPS : 1; /* a size has one definition */
}

static bool is_small(const Op *op) {
    int n = 0;
    region_walk(op->regs[0], count, &n);
    return n < MAX_OPS;
}

static void specialize_blocks(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        bool threads = op_loop(op) == LOOP_THREAD;
        Clamps c = {.inner = op};
        if (threads && op_holds(op, OP_BARRIER)) {
            region_walk(op->regs[0], find_fixed, &c);
            two_versions(&c);
        }
        for (int i = 0; i < op->nregs && !threads; i++) specialize_blocks(op->regs[i]);
    }
}

static void specialize_launch(Op *island, bool blocks) {
    Clamps c = {.inner = island};
    if (!op_sym(island, A_NAME) || !op_holds(island, OP_BARRIER) || !is_small(island)) return;
    region_walk(island->regs[0], find_outside, &c);
    Op *usual = two_versions(&c);
    if (blocks) specialize_blocks((usual ? usual : island)->regs[0]);
}

static void visit(Region *r, bool blocks) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (op->code == OP_ISLAND) specialize_launch(op, blocks);
        else
            for (int i = 0; i < op->nregs; i++) visit(op->regs[i], blocks);
    }
}

void pass_specialize(Module *m, const PassOptions *opts) {
    bool blocks = choice_is(opts, CH_SPECIALIZE, "blocks");
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body && (blocks || choice_is(opts, CH_SPECIALIZE, "launches")))
            visit(m->funcs.data[i]->body, blocks);
}
