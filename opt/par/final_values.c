/* final-values: what a loop hands out but never reads is computed after it, for the last turn (final value
 * replacement: Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, section 4.5).
 *
 * `for i in 0:n { inside = t > i and t < 16 - i; .. }` followed by `if inside {..}` keeps one value from the last turn.
 * When that is pure arithmetic on the index and on values from outside, it need not be carried along, nor kept for
 * each thread beyond barriers in the loop.  dce drops the carried value. */
#include "opt/pass.h"

enum { MAX_OPS = 64 };

typedef struct { Op *loop; Region *body; Map needed; Arena *arena; int count; bool fits; } Final;

static void need_value(Final *f, const Value *v) {
    if (value_region(v) != f->body) return;
    if (v->def) map_put(f->arena, &f->needed, v->def, v->def);
    else if (v->index > 0) f->fits = false; /* carried */
}

static void need_operands(Final *f, const Op *op) {
    for (int i = 0; i < op->nopnds; i++) need_value(f, op_opnd(op, i));
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) need_operands(f, o);
}

/* What the k-th yielded value is made of; false when it is more than arithmetic on the index. */
static bool find_needed(Final *f, int k) {
    f->needed = (Map){0}, f->count = 0, f->fits = true;
    need_value(f, op_opnd(region_term(f->body), k));
    for (Op *o = region_term(f->body)->prev; o && f->fits; o = o->prev) {
        if (!map_has(&f->needed, o)) continue;
        if (!op_is_pure(o) || op_reads_memory(o) || ++f->count > MAX_OPS) return false;
        need_operands(f, o);
    }
    return f->fits;
}

static Value *value_of_last_turn(Final *f, Builder *b, int k) {
    Value *lo = op_opnd(f->loop, 0), *hi = op_opnd(f->loop, 1);
    Cloner c = {.module = b->module};
    map_put(f->arena, &c.values, f->body->args[0], build_binary(b, OP_SUB, hi, build_int(b, 1)));
    for (const Op *o = f->body->first; o != region_term(f->body); o = o->next)
        if (map_has(&f->needed, o)) clone_op(&c, b, o);
    Value *last = clone_value(&c, op_opnd(region_term(f->body), k));
    return build_select(b, build_binary(b, OP_LT, lo, hi), last, op_opnd(f->loop, 3 + k));
}

static bool steps_by_one(const Op *loop) { return value_is_const_int(op_opnd(loop, 2), 1); }

static void replace_finals(Op *loop, Arena *arena) {
    Final f = {.loop = loop, .body = loop->regs[0], .arena = arena};
    if (!steps_by_one(loop)) return;
    for (int k = 0; k < loop->nres; k++) {
        Value *r = &loop->res[k];
        if (r->type->kind != TY_SCALAR || value_unused(r) || !value_unused(f.body->args[1 + k]) || !find_needed(&f, k))
            continue;
        Builder b = builder_after(loop);
        value_replace_all(r, value_of_last_turn(&f, &b, k));
    }
}

static void visit(Region *r, Arena *arena) {
    for (Op *o = r->first; o; o = o->next) {
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], arena);
        if (o->code == OP_FOR) replace_finals(o, arena);
    }
}

void pass_final_values(Module *m, const PassOptions *opts) {
    (void)opts;
    Arena *arena = arena_new();
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, arena);
    arena_free(arena);
}
