/* Evaluation of regions of scalars: control and calls here, operations by ir/eval.c.
 *
 * A call has a frame of its own, which maps values to constants, since a function may call itself. */
#include "analysis/evaluate.h"

enum { MOST_CALLS = 100, MOST_OPERANDS = 100 }; /* calls, and operands from outside, inside one another */

typedef struct { Evaluator *e; Map values; int depth, outside; } Frame;

static bool run_region(Frame *fr, const Region *r, Const *out);
static bool get(Frame *fr, const Value *v, Const *out);

/* ---- values */

static void set(Frame *fr, const Value *v, Const x) {
    Const *at = map_get(&fr->values, v);
    if (!at) map_put(fr->e->arena, &fr->values, v, at = NEW(fr->e->arena, Const));
    *at = x;
}

static bool run_elementwise(Frame *fr, const Op *op, Const *out) {
    Const x[3];
    bool scalars = op_info(op->code)->traits & TR_ELEM && op->nopnds <= 3 && op->res[0].type->kind == TY_SCALAR;
    for (int i = 0; scalars && i < op->nopnds; i++) scalars = get(fr, op_opnd(op, i), &x[i]);
    if (scalars && op->code == OP_SELECT) return *out = x[x[0].i ? 1 : 2], true;
    return scalars && const_eval(op->code, op->res[0].type->dtype, op->nopnds, x, out);
}

/* One from outside of the region, which is computed there, or chosen */
static bool get_outer(Frame *fr, const Value *v, Const *out) {
    Evaluator *e = fr->e;
    if (v->type->kind != TY_SCALAR || --e->fuel < 0 || fr->outside == MOST_OPERANDS) return false;
    fr->outside++;
    bool known = (v->def && run_elementwise(fr, v->def, out)) || e->outer(e->ctx, v, out);
    fr->outside--;
    if (known) set(fr, v, *out);
    return known;
}

static bool get(Frame *fr, const Value *v, Const *out) {
    const Const *at = map_get(&fr->values, v), *known = at ? at : value_const(v);
    return known ? (*out = *known, true) : get_outer(fr, v, out);
}

bool evaluate_value(Evaluator *e, const Value *v, Const *out) {
    Frame fr = {.e = e};
    return get(&fr, v, out);
}

static bool operands(Frame *fr, const Op *op, int from, int n, Const *out) {
    for (int i = 0; i < n; i++)
        if (!get(fr, op_opnd(op, from + i), &out[i])) return false;
    return true;
}

static void set_args(Frame *fr, const Region *r, int from, int n, const Const *x) {
    for (int i = 0; i < n; i++) set(fr, r->args[from + i], x[i]);
}

static Const *room(Frame *fr, int n) { return NEWN(fr->e->arena, Const, n + 1); }

/* ---- operations */

static bool run_if(Frame *fr, const Op *op, Const *out) {
    Const holds;
    return get(fr, op_opnd(op, 0), &holds) && run_region(fr, op->regs[holds.i ? 0 : 1], out);
}

static bool run_for(Frame *fr, const Op *op, Const *out) {
    Const range[3];
    const Region *body = op->regs[0];
    if (!operands(fr, op, 0, 3, range) || range[0].dtype != DT_I64 || !range[2].i) return false;
    if (!operands(fr, op, 3, op->nres, out)) return false;
    int64_t hi = range[1].i, step = range[2].i;
    for (Const i = range[0]; step > 0 ? i.i < hi : i.i > hi;) {
        set(fr, body->args[0], i);
        set_args(fr, body, 1, op->nres, out);
        if (!run_region(fr, body, out)) return false;
        if (__builtin_add_overflow(i.i, step, &i.i)) break;
    }
    return true;
}

static bool run_while(Frame *fr, const Op *op, Const *out) {
    Const holds;
    if (!operands(fr, op, 0, op->nres, out)) return false;
    for (;;) {
        set_args(fr, op->regs[0], 0, op->nres, out);
        if (!run_region(fr, op->regs[0], &holds)) return false;
        if (!holds.i) return true;
        set_args(fr, op->regs[1], 0, op->nres, out);
        if (!run_region(fr, op->regs[1], out)) return false;
    }
}

/* An array that is passed on is unknown where it is read. */
static bool run_call(Frame *fr, const Op *op, Const *out) {
    const Func *f = module_find(fr->e->module, op_sym(op, A_FUNC));
    Frame inner = {.e = fr->e, .depth = fr->depth + 1};
    Const x;
    if (!f || !f->body || f->kind == FUNC_EXTERN || inner.depth > MOST_CALLS) return false;
    for (int i = 0; i < op->nopnds; i++) {
        if (op_opnd(op, i)->type->kind != TY_SCALAR) continue;
        if (!get(fr, op_opnd(op, i), &x)) return false;
        set(&inner, f->body->args[i], x);
    }
    return run_region(&inner, f->body, out);
}

static bool run_check(Frame *fr, const Op *op) {
    Const holds;
    return get(fr, op_opnd(op, 0), &holds) && holds.i;
}

static bool run_op(Frame *fr, const Op *op, Const *out) {
    int64_t n;
    switch (op->code) {
    case OP_CONST: return *out = op_attr(op, A_VALUE)->c, true;
    case OP_SIZE:
        *out = (Const){.dtype = DT_I64};
        return size_is_const(op_attr(op, A_SIZE)->sizes[0], &n) && (out->i = n, true);
    case OP_IF: return run_if(fr, op, out);
    case OP_FOR: return run_for(fr, op, out);
    case OP_WHILE: return run_while(fr, op, out);
    case OP_CALL: return run_call(fr, op, out);
    case OP_CHECK: return run_check(fr, op);
    default: return run_elementwise(fr, op, out);
    }
}

/* Runs r, whose arguments have their values, and gives what it yields or returns. */
static bool run_region(Frame *fr, const Region *r, Const *out) {
    const Op *op = r->first;
    for (; op != r->last; op = op->next) {
        Const *x = room(fr, op->nres);
        if (--fr->e->fuel < 0 || !run_op(fr, op, x)) return false;
        for (int i = 0; i < op->nres; i++) set(fr, &op->res[i], x[i]);
    }
    return --fr->e->fuel >= 0 && operands(fr, op, 0, op->nopnds, out);
}

bool evaluate_region(Evaluator *e, const Region *r, const Const *args, Const *out) {
    Frame fr = {.e = e};
    set_args(&fr, r, 0, r->nargs, args);
    return run_region(&fr, r, out);
}
