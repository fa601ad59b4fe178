/* atomics: an atomic update of an element that only one iteration touches becomes a plain one.
 *
 * needs: nothing; prove-bounds before it keeps the checks away.  Asked of every parallel loop between the update and
 * its memory: whether any access to that memory, in another iteration, may be to the same element (analysis/depend.h).
 * If surely none is, the update is a load, the operation and a store.  That is faster, and a loop with sums of floats,
 * which must run in order as long as they are atomic, may be cut into threads. */
#include "analysis/depend.h"
#include "opt/pass.h"

enum { MANY = 24, DEEP = 12 };

/* Arithmetic on iv, and nothing that was read from memory. */
static bool mentions(const Value *v, const Value *iv, int depth) {
    if (v == iv) return true;
    if (!v->def || v->def->nregs || v->def->code == OP_LOAD || depth == DEEP) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (mentions(op_opnd(v->def, i), iv, depth + 1)) return true;
    return false;
}

/* Iterations that differ in an index that neither the subscripts have nor a branch on the way meet for sure: no need to
 * ask. */
static bool has_index(const Op *atomic, const Op *loop, int k) {
    int64_t c;
    const Value *iv = loop->regs[0]->args[k];
    if (value_const_int(op_opnd(loop, k), &c) && c <= 1) return true;
    for (int i = 2; i < op_index_end(atomic); i++)
        if (mentions(op_opnd(atomic, i), iv, 0)) return true;
    for (const Op *o = atomic->parent->owner; o != loop; o = o->parent->owner)
        if (o->code == OP_IF && mentions(op_opnd(o, 0), iv, 0)) return true;
    return false;
}

/* Subscripts of an axis that are different constants, as those of planes of one array: no need to ask. */
static bool is_apart(const Op *atomic, const Op *other) {
    int64_t x, y;
    int first = op_index_first(other), rank = op_opnd(atomic, 1)->type->rank;
    for (int i = 0; i < rank; i++)
        if (value_const_int(op_opnd(atomic, 2 + i), &x) && value_const_int(op_opnd(other, first + i), &y) && x != y)
            return true;
    return false;
}

/* op reads, writes or updates an element, and nothing else is known of it that keeps it away from atomic's. */
static bool is_near(const Op *atomic, const Op *op) {
    return !op_is_access(op) || !is_apart(atomic, op);
}

static bool touched_in_one(Depend *d, Op *loop, Op *atomic) {
    int others = 0;
    for (int k = 0; k < loop->nopnds; k++)
        if (!has_index(atomic, loop, k)) return false;
    for (const Use *u = op_opnd(atomic, 1)->uses; u; u = u->next)
        others += op_inside(u->user, loop) && is_near(atomic, u->user);
    if (others > MANY || depend_may_meet(d, loop, atomic, atomic) != ANSWER_NO) return false;
    for (const Use *u = op_opnd(atomic, 1)->uses; u; u = u->next)
        if (u->user != atomic && op_inside(u->user, loop) && is_near(atomic, u->user) &&
            depend_may_meet(d, loop, atomic, u->user) != ANSWER_NO)
            return false;
    return true;
}

static bool is_alone(Depend *d, Op *atomic) {
    const Region *home = value_region(op_opnd(atomic, 1));
    for (Region *r = atomic->parent; r != home; r = r->owner->parent)
        if (r->owner->code == OP_PARALLEL && !touched_in_one(d, r->owner, atomic)) return false;
    return true;
}

static Value *updated(Builder *b, const Op *atomic, Value *old) {
    OpCode code = combine_info(op_combine(atomic))->op;
    if (code != OP_COUNT) return build_binary(b, code, old, op_opnd(atomic, 0));
    Value *v = op_opnd(atomic, 0), *expected = op_expected(atomic);
    if (!expected) return v; /* set */
    return v == expected ? old : build_select(b, build_binary(b, OP_EQ, old, expected), v, old);
}

/* The load checks the index for both. */
static void make_plain(Op *atomic) {
    Builder b = builder_before(atomic);
    Value *buf = op_opnd(atomic, 1), *idx[MAX_RANK];
    int n = op_index_end(atomic) - 2;
    for (int i = 0; i < n; i++) idx[i] = op_opnd(atomic, 2 + i);
    Value *old = build_load(&b, buf, n, idx), *now = updated(&b, atomic, old);
    if (op_flag(atomic, A_SAFE)) op_set_flag(old->def, A_SAFE);
    if (now != old) store_safe(&b, now, buf, n, idx);
    if (atomic->nres) value_replace_all(&atomic->res[0], old);
    op_erase(atomic);
}

typedef struct { Arena *scratch; VEC(Op *) found; } Atomics;

/* Half floats are summed wider than they are stored. */
static void find(void *ctx, Op *op) {
    Atomics *a = ctx;
    if (op->code == OP_ATOMIC && dtype_info(op_opnd(op, 0)->type->dtype)->bytes >= 4)
        vec_push(a->scratch, &a->found, op);
}

static const char *name_of(const Op *atomic) { return op_opnd(atomic, 1)->name; }

static void visit(Func *f, const PassOptions *opts) {
    Atomics a = {.scratch = arena_new()};
    region_walk(f->body, find, &a);
    if (a.found.len) {
        Depend *d = depend_new(f);
        for (int i = 0; i < a.found.len; i++)
            if (is_alone(d, a.found.data[i])) {
                if (!f->module->derives)
                    explain_sum(opts, f->module, a.found.data[i]->span, name_of(a.found.data[i]),
                                "plain additions: proved that no other thread or iteration comes to an element");
                make_plain(a.found.data[i]);
            }
        depend_free(d);
    }
    arena_free(a.scratch);
}

void pass_atomics(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i], opts);
}
