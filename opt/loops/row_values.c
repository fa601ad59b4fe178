/* row-values: what a parallel loop reads at one place for a whole row is read before the row.
 *
 * Needs stage loops, guards narrowed.  In `parallel(n, m) (i, j) { d[i, j] = min(d[i, j], d[i, k] + d[k, j]) }` the
 * element d[i, k] is the same for all j; since the loop stores in d, a C compiler must read it anew each turn.
 * Iterations of a parallel loop do not see each other's writes, and one that stores in the element itself has read it
 * before; so the last axis becomes a loop of its own, and the load stands before it.  Loop-invariant code motion: Aho,
 * Lam, Sethi, Ullman, Compilers, 2006, section 9.5. */
#include "opt/loops/split.h"

enum { MAX_OPS = 100, LONG = 16, MOST = 8 };

typedef struct { Op *loads[MOST]; int n; } Fixed;

static bool stores_in(const Op *loop, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code == OP_STORE && u->index == 1 && u->user->parent == loop->regs[0]) return true;
    return false;
}

static bool updates_in(const Op *loop, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->user->code == OP_ATOMIC && op_inside(u->user, loop)) return true;
    return false;
}

/* Subscripts are computed outside the loop, or are indices other than the last, shifted or not. */
static bool is_fixed(const Op *loop, const Op *load) {
    const Region *body = loop->regs[0];
    for (int i = 1; i < op_index_end(load); i++) {
        const Value *v = op_opnd(load, i), *arg = value_shifted_arg(body, v);
        if (!region_encloses(body, value_region(v))) continue;
        if (!arg || arg == body->args[body->nargs - 1]) return false;
    }
    return true;
}

/* Iterations store nothing before they read it: the load stands before all stores in its array. */
static bool stands_first(const Op *load) {
    for (const Op *o = load->prev; o; o = o->prev)
        if (o->code == OP_STORE && op_opnd(o, 1) == op_opnd(load, 0)) return false;
    return true;
}

static bool find(const Op *loop, Fixed *f) {
    int64_t c;
    int ops = 0;
    const Value *n = op_opnd(loop, loop->nopnds - 1);
    *f = (Fixed){.n = 0};
    if (value_const_int(n, &c) && c < LONG) return false;
    for (Op *o = loop->regs[0]->first; o; o = o->next) {
        if (++ops > MAX_OPS || o->nregs || op_may_trap(o)) return false;
        if (o->code != OP_LOAD || f->n == MOST || !op_flag(o, A_SAFE) || !is_fixed(loop, o)) continue;
        const Value *buf = op_opnd(o, 0);
        if (buf->type->space == SPACE_PRIVATE) continue;
        if (stores_in(loop, buf) && !updates_in(loop, buf) && stands_first(o)) f->loads[f->n++] = o;
    }
    return f->n > 0;
}

/* ---- doing it */

/* What computes v in the loop goes before it, too. */
static void move_before(Value *v, Op *inner) {
    Op *op = v->def;
    if (!op || op->parent != inner->regs[0]) return;
    for (int i = 0; i < op->nopnds; i++) move_before(op_opnd(op, i), inner);
    op_move_before(op, inner);
}

/* A row without elements has none to be read either. */
static void read_before(Op *load, Op *inner) {
    int64_t c;
    for (int i = 1; i < load->nopnds; i++) move_before(op_opnd(load, i), inner);
    Value *n = op_opnd(inner, 0);
    if (value_const_int(n, &c)) {
        op_move_before(load, inner);
        return;
    }
    Builder b = builder_before(inner);
    const Type *t = load->res[0].type;
    Op *choice = build_if(&b, build_binary(&b, OP_GT, n, build_int(&b, 0)), 1, &t);
    Builder some = builder_at_end(b.module, choice->regs[0], load->span),
            none = builder_at_end(b.module, choice->regs[1], load->span);
    value_replace_all(&load->res[0], &choice->res[0]);
    op_move_to_end(load, choice->regs[0]);
    Value *read = &load->res[0], *zero = build_zero(&none, t);
    build_yield(&some, 1, &read);
    build_yield(&none, 1, &zero);
}

/* How a loop that was cut runs: rows as it ran, in order in them */
static void mark_row(Op *inner, bool serial) {
    op_set_flag(inner, A_SERIAL);
    if (serial) op_set_flag(inner->parent->owner, A_SERIAL);
}

static void visit(Region *r) {
    Fixed f;
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && op_loop(o) == LOOP_PLAIN && find(o, &f)) {
            bool cut = o->nopnds > 1, serial = op_flag(o, A_SERIAL);
            Op *inner = split_last_axis(o);
            if (cut) mark_row(inner, serial);
            for (int i = 0; i < f.n; i++) read_before(f.loads[i], inner);
        } else
            for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_row_values(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
