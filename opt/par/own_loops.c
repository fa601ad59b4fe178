/* own-loops: short loops over the elements of a thread's array become their turns, one after the other, so that mem2reg
 * makes values of the elements (a full unrolling before scalar replacement: Muchnick, Advanced Compiler Design and
 * Implementation, 1997, sections 17.4 and 12.2).
 *
 * `let d = p[i] - p[j]` of rows of three elements is a loop that fills a private array, sum(d^2) one that reads it.
 * Needs nothing.  An array counts whose indices are all constants as soon as loops with few turns are none; their
 * bounds, and the lengths of reductions, may depend on such loops around.  Outer loops go first: behind them the bounds
 * of the inner ones are known.  A reduction of 16 elements or fewer combines from left to right, along the last axis
 * first.
 *
 * Before derivatives only loops with little work count.  Values need not be kept for them, as arrays are that change in
 * a loop; but the derivative of a loop that reads an array is one loop that adds to its elements, that of its turns one
 * after the other is a sum for each, with all work behind it. */
#include "ir/index.h"
#include "opt/pass.h"
#include "opt/par/mem2reg.h"

/* FEW: as many turns as a small vector has elements, which may hold much work, such as those of a small system; longer
 * loops, such as those over what derivatives keep of a time loop, hold MOST_LONG operations in all. */
enum { MOST_TURNS = 16, MOST_OPS = 2000, FEW = 4, MOST_LONG = 400, MOST_DERIVED = 100, MOST_ROUNDS = 8, DEEPEST = 16 };

/* loops: those around indices of arrays that count; most: operations of one */
typedef struct { Module *module; Map loops; int64_t most; bool changed; } Own;

/* ---- which loops */

static bool is_index(const Op *loop, const Value *v) { return loop->code != OP_FOR || v == loop->regs[0]->args[0]; }

/* Loops of which the turns could be written out, were their bounds known */
static bool is_plain(const Op *op) {
    switch (op->code) {
    case OP_FOR: return !op_flag(op, A_PROGRESS) && !op_attr(op, A_CHECKPOINT);
    case OP_PARALLEL: return op_loop(op) == LOOP_PLAIN;
    case OP_REDUCE: return op->nregs == 1 && op_combine(op) != COMBINE_CUSTOM;
    default: return false;
    }
}

typedef VEC(const Op *) Loops;

/* v is made of constants and of indices of loops, which go to `loops` */
static bool is_countable(Own *o, const Value *v, Loops *loops, int depth) {
    if (depth > DEEPEST) return false;
    if (value_const_int(v, NULL)) return true;
    if (v->def) {
        bool all = v->def->nopnds && !v->def->nregs && (op_info(v->def->code)->traits & TR_ELEM);
        for (int i = 0; all && i < v->def->nopnds; i++) all = is_countable(o, op_opnd(v->def, i), loops, depth + 1);
        return all;
    }
    const Op *loop = v->region->owner;
    if (!loop || !is_plain(loop) || !is_index(loop, v)) return false;
    int bounds = loop->code == OP_FOR ? 3 : loop->nopnds;
    for (int i = 0; i < bounds; i++)
        if (!is_countable(o, op_opnd(loop, i), loops, depth + 1)) return false;
    vec_push(o->module->arena, loops, loop);
    return true;
}

/* Turns along each axis; false: they are not known, or many */
static bool turns_of(const Op *op, int64_t *first, int64_t *step, int64_t *turns) {
    int n = op->code == OP_FOR ? 1 : op->nopnds;
    int64_t all = 1;
    for (int i = 0; i < n; i++) {
        first[i] = 0, step[i] = 1;
        if (op->code == OP_FOR) {
            if (!loop_turns(op, &turns[i])) return false;
            value_const_int(op_opnd(op, 0), &first[i]), value_const_int(op_opnd(op, 2), &step[i]);
        } else if (!value_const_int(op_opnd(op, i), &turns[i])) return false;
        if (turns[i] < 0 || turns[i] > MOST_TURNS) return false;
        all *= turns[i];
    }
    return all <= MOST_OPS;
}

static int64_t count_ops(Region *r);

/* As they will be once the short loops inside are none */
static int64_t weight(Op *op) {
    int64_t first[MAX_RANK], step[MAX_RANK], turns[MAX_RANK], n = 1, inside = 0;
    for (int i = 0; i < op->nregs; i++) inside += count_ops(op->regs[i]);
    if (is_plain(op) && op->nregs && turns_of(op, first, step, turns))
        for (int i = 0; i < (op->code == OP_FOR ? 1 : op->nopnds); i++) n *= turns[i];
    return 1 + inside * n;
}

static int64_t count_ops(Region *r) {
    int64_t n = 0;
    for (Op *op = r->first; op && n <= MOST_OPS; op = op->next) n += weight(op);
    return n;
}

static void look_at_alloc(void *ctx, Op *alloc) {
    Own *o = ctx;
    Loops loops = {0};
    if (alloc->code != OP_ALLOC || alloc->res[0].type->space != SPACE_PRIVATE) return;
    if (!promotable_elements(alloc->res[0].type)) return;
    for (const Use *u = alloc->res[0].uses; u; u = u->next) {
        const Op *op = u->user;
        if (op->code != OP_LOAD && op->code != OP_STORE) return;
        for (int i = op_index_first(op); i < op->nopnds; i++)
            if (!is_countable(o, op_opnd(op, i), &loops, 0)) return;
    }
    for (int i = 0; i < loops.len; i++)
        if (weight((Op *)(uintptr_t)loops.data[i]) > o->most) return;
    for (int i = 0; i < loops.len; i++) map_put(o->module->arena, &o->loops, loops.data[i], (void *)loops.data[i]);
}

/* ---- turns */

typedef struct { Builder b; const Op *op; int64_t first[MAX_RANK], step[MAX_RANK], turns[MAX_RANK]; } Unroll;

/* The body at constant indices, args[0 ..]; what it yields goes to out */
static void turn(Unroll *u, Value **args, Value **out) { region_inline(&u->b, u->op->regs[0], args, out); }

static Value *index_at(Unroll *u, int axis, int64_t t) {
    return build_int(&u->b, (int64_t)((uint64_t)u->first[axis] + (uint64_t)t * (uint64_t)u->step[axis]));
}

static void write_out_for(Unroll *u, Value **values) {
    const Op *op = u->op;
    Value **args = NEWN(u->b.module->arena, Value *, op->nres + 1);
    for (int i = 0; i < op->nres; i++) values[i] = op_opnd(op, 3 + i);
    for (int64_t t = 0; t < u->turns[0]; t++) {
        args[0] = index_at(u, 0, t);
        for (int i = 0; i < op->nres; i++) args[1 + i] = values[i];
        turn(u, args, values);
    }
}

static void write_out_axes(Unroll *u, int axis, Value **args, Value **values) {
    const Op *op = u->op;
    int n = op->nopnds;
    Value **out = NEWN(u->b.module->arena, Value *, op->nres + 1);
    if (axis == n) {
        turn(u, args, values);
        return;
    }
    for (int i = 0; i < op->nres; i++)
        values[i] = build_const(&u->b, combine_identity(op_combine(op), op->res[i].type->dtype));
    for (int64_t t = 0; t < u->turns[axis]; t++) {
        args[axis] = index_at(u, axis, t);
        write_out_axes(u, axis + 1, args, out);
        for (int i = 0; i < op->nres; i++)
            values[i] = build_binary(&u->b, combine_info(op_combine(op))->op, values[i], out[i]);
    }
}

/* ---- what indices are now */

static bool fold_index(Op *op) {
    Const x[3], c;
    if (op->nres != 1 || !op->nopnds || op->nopnds > 3 || !(op_info(op->code)->traits & TR_ELEM)) return false;
    if (type_is_tensor(op->res[0].type) || !dtype_is_int(op->res[0].type->dtype)) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Const *v = value_const(op_opnd(op, i));
        if (!v) return false;
        x[i] = *v;
    }
    if (!const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, &c)) return false;
    Builder b = builder_before(op);
    value_replace_all(&op->res[0], build_const(&b, c));
    op_erase(op);
    return true;
}

static void fold_indices(Op *first, const Op *end) {
    for (Op *op = first, *next; op && op != end; op = next) {
        next = op->next;
        for (int i = 0; i < op->nregs; i++) fold_indices(op->regs[i]->first, NULL);
        fold_index(op);
    }
}

static bool is_much(Op *op, const int64_t *turns) {
    int64_t most = 0;
    for (int i = 0; i < (op->code == OP_FOR ? 1 : op->nopnds); i++) most = turns[i] > most ? turns[i] : most;
    return weight(op) > (most > FEW ? MOST_LONG : MOST_OPS);
}

static bool unroll(Op *op) {
    Unroll u = {.b = builder_before(op), .op = op};
    Value *args[MAX_RANK], **values = NEWN(u.b.module->arena, Value *, op->nres + 1);
    if (!turns_of(op, u.first, u.step, u.turns) || is_much(op, u.turns)) return false;
    Region *r = op->parent;
    Op *before = op->prev, *behind = op->next;
    if (op->code == OP_FOR) write_out_for(&u, values);
    else write_out_axes(&u, 0, args, values);
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], values[i]);
    op_erase(op);
    fold_indices(before ? before->next : r->first, behind);
    return true;
}

static void visit(Own *o, Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (map_has(&o->loops, op) && !op_holds(op, OP_BIND) && unroll(op)) { /* a size has one definition */
            o->changed = true;
            continue;
        }
        for (int i = 0; i < op->nregs; i++) visit(o, op->regs[i]);
    }
}

void pass_own_loops(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        bool changed = true;
        for (int round = 0; changed && round < MOST_ROUNDS; round++) {
            Own o = {.module = m, .most = m->derives ? MOST_DERIVED : MOST_OPS};
            region_walk(m->funcs.data[i]->body, look_at_alloc, &o);
            if (o.loops.len) visit(&o, m->funcs.data[i]->body);
            changed = o.changed;
        }
    }
}
