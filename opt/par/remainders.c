/* remainders: x % n, where 0 <= x < n is proved, is x; a comparison of a remainder, or of an index, that always holds,
 * or never, is decided.
 *
 * Needs index arithmetic as i64 operations; at stage par, before fold, which dissolves what was decided.
 * `roll(a, 0, 0, 1)` goes around along its last axis alone: along the others it says `i % n` of i below n.  What goes
 * around at most once stays: derivatives invert it, and wrap-index makes a choice of it later.  The derivative of a
 * launch asks of the threads that it inverts so whether they are there. */
#include "analysis/linear.h"
#include "opt/pass.h"

typedef struct { Op *op; bool holds; } Decided;

typedef struct {
    Func *func;
    Linear *linear;
    Arena *arena;
    VEC(Op *) idle;
    VEC(Decided) decided;
} Remainders;

static bool is_scalar_int(const Value *v) { return v->type->kind == TY_SCALAR && v->type->dtype == DT_I64; }

/* x + more <= y at op */
static bool at_most(Remainders *r, Op *op, Value *x, Value *y, int64_t more) {
    if (!r->linear) r->linear = linear_new(r->func);
    Linear *l = r->linear;
    linear_at(l, op);
    const Poly *gap = linear_sub(l, linear_value(l, y), linear_value(l, x));
    return linear_prove(l, op, linear_sub(l, gap, linear_const(l, more)));
}

static bool is_idle(Remainders *r, Op *op) {
    if (!at_most(r, op, op_opnd(op, 0), op_opnd(op, 1), 1)) return false;
    linear_at(r->linear, op);
    return linear_prove(r->linear, op, linear_value(r->linear, op_opnd(op, 0)));
}

/* A remainder, or an index whose bounds are known */
static bool is_bounded(const Value *v) { return v->def ? v->def->code == OP_MOD : index_size(v) != NULL; }

/* x < y, or x <= y, whichever way it is written */
static void compare(Remainders *r, Op *op, int less, int64_t more) {
    Value *x = op_opnd(op, less), *y = op_opnd(op, !less);
    if (!is_scalar_int(x) || (!is_bounded(x) && !is_bounded(y))) return;
    if (at_most(r, op, x, y, more)) vec_push(r->arena, &r->decided, ((Decided){op, true}));
    else if (at_most(r, op, y, x, 1 - more)) vec_push(r->arena, &r->decided, ((Decided){op, false}));
}

static void visit(void *ctx, Op *op) {
    Remainders *r = ctx;
    switch (op->code) {
    case OP_MOD:
        if (is_scalar_int(&op->res[0]) && is_idle(r, op)) vec_push(r->arena, &r->idle, op);
        break;
    case OP_LT: return compare(r, op, 0, 1);
    case OP_LE: return compare(r, op, 0, 0);
    case OP_GT: return compare(r, op, 1, 1);
    case OP_GE: return compare(r, op, 1, 0);
    default: break;
    }
}

static void replace(Op *op, Value *by) {
    value_replace_all(&op->res[0], by);
    op_erase(op);
}

void pass_remainders(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || !f->body) continue;
        Remainders r = {.func = f, .arena = m->arena};
        region_walk(f->body, visit, &r);
        if (r.linear) linear_free(r.linear);
        for (int k = 0; k < r.decided.len; k++) {
            Builder b = builder_before(r.decided.data[k].op);
            replace(r.decided.data[k].op, build_bool(&b, r.decided.data[k].holds));
        }
        for (int k = 0; k < r.idle.len; k++) replace(r.idle.data[k], op_opnd(r.idle.data[k], 0));
    }
}
