/* known-turns: a `while` whose turns can be counted beforehand becomes `for`.
 *
 * What the condition asks is computed of carried values that begin as constants and follow from themselves alone:
 * `var half = 128  while half > 0 { ..; half = half // 2 }`, as trees over the threads of a block are written, goes
 * around eight times.  The values stay carried.  Short ones are written out then (unroll), and derivatives need neither
 * count turns nor keep what they carry.  Needs conditions without effects. */
#include "opt/pass.h"

enum { MAX_TURNS = 64, MAX_CARRIED = 16, FUEL = 64 };

typedef struct {
    const Op *loop;
    Const at[MAX_CARRIED];
    bool known[MAX_CARRIED];
} Turns;

/* A value before the loop, or of a turn, of carried values as they are then */
static bool eval(const Turns *t, const Value *v, int *fuel, Const *out) {
    const Const *c = value_const(v);
    if (c) return *out = *c, true;
    if (v->type->kind != TY_SCALAR || --*fuel < 0) return false;
    if (!v->def) {
        bool carried = v->region->owner == t->loop && t->known[v->index];
        return carried ? *out = t->at[v->index], true : false;
    }
    Const x[3];
    const Op *op = v->def;
    if (op->code == OP_SIZE) {
        *out = (Const){.dtype = DT_I64};
        return size_is_const(op_attr(op, A_SIZE)->sizes[0], &out->i);
    }
    if (op->nregs || op->nopnds < 1 || op->nopnds > 3 || !(op_info(op->code)->traits & TR_ELEM)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (!eval(t, op_opnd(op, i), fuel, &x[i])) return false;
    return const_eval(op->code, v->type->dtype, op->nopnds, x, out);
}

static void begin(Turns *t) {
    for (int i = 0; i < t->loop->nres; i++) {
        int fuel = FUEL;
        t->known[i] = eval(t, op_opnd(t->loop, i), &fuel, &t->at[i]);
    }
}

static void next_turn(Turns *t) {
    Turns next = *t;
    for (int i = 0; i < t->loop->nres; i++) {
        int fuel = FUEL;
        next.known[i] = eval(t, loop_next(t->loop, i), &fuel, &next.at[i]);
    }
    *t = next;
}

static bool is_pure_condition(const Region *r) {
    for (const Op *o = r->first; o != r->last; o = o->next)
        if (!op_is_pure(o)) return false;
    return true;
}

/* How many turns the loop takes; -1: nobody knows, or many */
static int64_t count(const Op *loop) {
    Turns t = {.loop = loop};
    if (loop->nres > MAX_CARRIED || !is_pure_condition(loop->regs[0])) return -1;
    begin(&t);
    for (int64_t n = 0; n <= MAX_TURNS; n++, next_turn(&t)) {
        Const goes_on;
        int fuel = FUEL;
        if (!eval(&t, op_opnd(region_term(loop->regs[0]), 0), &fuel, &goes_on)) return -1;
        if (!goes_on.i) return n;
    }
    return -1;
}

static void to_for(Op *loop, int64_t turns) {
    Builder b = builder_before(loop);
    Value **init = NEWN(b.module->arena, Value *, loop->nopnds + 1);
    for (int i = 0; i < loop->nopnds; i++) init[i] = op_opnd(loop, i);
    Op *made = build_for(&b, build_int(&b, 0), build_int(&b, turns), build_int(&b, 1), loop->nopnds, init);
    Region *from = loop->regs[1], *to = made->regs[0];
    op_move_range(from->first, from->last, to, NULL);
    for (int i = 0; i < from->nargs; i++) {
        to->args[i + 1]->name = from->args[i]->name;
        value_replace_all(from->args[i], to->args[i + 1]);
    }
    for (int i = 0; i < loop->nres; i++) value_take_over(&loop->res[i], &made->res[i]);
    op_erase(loop);
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
        int64_t turns = op->code == OP_WHILE ? count(op) : -1;
        if (turns >= 0) to_for(op, turns);
    }
}

void pass_known_turns(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
