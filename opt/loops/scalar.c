/* scalar-replace: an element that a serial loop reads and writes each iteration is carried in a value.
 *
 * Needs stage loops, accesses proved (`safe`).  `for (k) { s[i] = s[i] + f(k) }` becomes a loop that carries s[i], with
 * a load before it and a store behind.  The place must be the same in all iterations; whatever else the loop reads of
 * that buffer lies elsewhere (analysis/depend.h) and is read before the element is written, in case there is one
 * iteration only. Callahan, Carr, Kennedy, Improving register allocation for subscripted variables, PLDI 1990,
 * section 3. A loop that may have no iteration gets one guard around all its loads and stores. */
#include "analysis/depend.h"
#include "analysis/uniform.h"
#include "opt/loops/loops.h"

enum { FIRST_CARRIED = 3 }; /* operands of a `for` before those that it carries: from, to, step */

typedef struct { Depend *depend; Op *loop, *store; bool ok; } Candidate;

static bool is_access(const Op *op) { return op->code == OP_LOAD || op->code == OP_STORE; }

static bool is_fixed(const Region *body, const Op *access) {
    for (int i = op_index_first(access); i < access->nopnds; i++) {
        const Value *v = op_opnd(access, i);
        if (region_encloses(body, value_region(v)) && !value_const_int(v, NULL)) return false;
    }
    return true;
}

/* Another use of the buffer inside the loop lets the element be carried. */
static bool allows(const Candidate *c, Op *user) {
    if (!is_access(user)) return false;
    if (op_same_element(user, c->store)) return user->parent == c->store->parent && op_flag(user, A_SAFE);
    if (user->code != OP_LOAD || !op_dominates(user, c->store)) return false;
    return depend_may_conflict(c->depend, c->loop, c->store, user) == ANSWER_NO;
}

/* The element is read first, then written, at the loop's own level. */
static bool is_candidate(Candidate *c) {
    const Region *body = c->loop->regs[0];
    Value *buf = op_opnd(c->store, 1);
    bool read_first = false;
    if (!op_flag(c->store, A_SAFE) || !is_fixed(body, c->store)) return false;
    if (region_encloses(body, value_region(buf))) return false;
    for (const Op *o = body->first; o != c->store; o = o->next) {
        if (o->code == OP_STORE && op_same_element(o, c->store)) return false; /* that one is tried */
        read_first |= o->code == OP_LOAD && op_same_element(o, c->store);
    }
    if (!read_first) return false;
    for (const Use *u = buf->uses; u; u = u->next)
        if (region_encloses(body, u->user->parent) && !allows(c, u->user)) return false;
    return true;
}

/* ---- doing it */

static bool has_iterations(const Op *loop) {
    int64_t lo, hi, step;
    return value_const_int(op_opnd(loop, 0), &lo) && value_const_int(op_opnd(loop, 1), &hi) &&
           value_const_int(op_opnd(loop, 2), &step) && (step > 0 ? lo < hi : lo > hi);
}

/* Puts the loop inside `if` it has an iteration.  What it hands out is what it began with where it has none. */
static void guard(Op *loop) {
    Builder b = builder_before(loop);
    const Type **types = NEWN(b.module->arena, const Type *, loop->nres + 1);
    Value **first = NEWN(b.module->arena, Value *, loop->nres + 1),
          **last = NEWN(b.module->arena, Value *, loop->nres + 1);
    int64_t step = 0;
    value_const_int(op_opnd(loop, 2), &step);
    for (int i = 0; i < loop->nres; i++)
        types[i] = loop->res[i].type, first[i] = op_opnd(loop, FIRST_CARRIED + i), last[i] = &loop->res[i];
    Value *some = build_binary(&b, step > 0 ? OP_LT : OP_GT, op_opnd(loop, 0), op_opnd(loop, 1));
    Op *test = build_if(&b, some, loop->nres, types);
    for (int i = 0; i < loop->nres; i++) value_replace_all(last[i], &test->res[i]);
    Builder in = builder_at_end(b.module, test->regs[0], loop->span),
            none = builder_at_end(b.module, test->regs[1], loop->span);
    build_yield(&none, loop->nres, first);
    build_yield(&in, loop->nres, last);
    op_move_before(loop, region_term(test->regs[0]));
}

static void index_of(Builder *b, const Op *access, Value **idx) {
    int64_t c;
    for (int i = op_index_first(access); i < access->nopnds; i++) {
        Value *v = op_opnd(access, i);
        idx[i - op_index_first(access)] = value_const_int(v, &c) ? build_int(b, c) : v;
    }
}

/* Loads of the store's place take the value at hand, stores replace it; all go. */
static Value *thread_value(Region *body, Op *store, Value *now) {
    for (Op *o = body->first, *next; o != region_term(body); o = next) {
        next = o->next;
        if (!is_access(o) || !op_same_element(o, store)) continue;
        if (o->code == OP_STORE) now = op_opnd(o, 0);
        else value_replace_all(&o->res[0], now);
        if (o != store) op_erase(o);
    }
    op_erase(store);
    return now;
}

static Op *carry(Candidate *c) {
    Op *loop = c->loop;
    Arena *arena = loop->parent->func->module->arena;
    Builder b = builder_before(loop);
    Value *idx[MAX_RANK], *buf = op_opnd(c->store, 1);
    int rank = buf->type->rank, n = loop->nres;
    index_of(&b, c->store, idx);
    Value *first = load_safe(&b, buf, rank, idx);
    Value **opnds = NEWN(arena, Value *, loop->nopnds + 1);
    const Type **types = NEWN(arena, const Type *, n + 1);
    for (int i = 0; i < loop->nopnds; i++) opnds[i] = op_opnd(loop, i);
    for (int i = 0; i < n; i++) types[i] = loop->res[i].type;
    opnds[loop->nopnds] = first, types[n] = first->type;
    Op *new = op_rebuild(loop, loop->nopnds + 1, opnds, n + 1, types);
    for (int i = 0; i < n; i++) value_replace_all(&loop->res[i], &new->res[i]);
    Region *body = new->regs[0];
    Value *now = region_add_arg(body, first->type, buf->name);
    op_add_opnd(region_term(body), thread_value(body, c->store, now));
    Builder after = builder_after(new);
    Op *last = build_store(&after, &new->res[n], buf, rank, idx);
    op_set_flag(last, A_SAFE);
    op_erase(loop);
    return new;
}

static void visit(Depend *d, Region *r);

static void replace_in(Depend *d, Op *loop) {
    bool guarded = has_iterations(loop);
    for (Op *o = loop->regs[0]->first; o; o = o->next) {
        Candidate c = {.depend = d, .loop = loop, .store = o};
        if (o->code != OP_STORE || !is_candidate(&c)) continue;
        if (!guarded) guard(loop);
        guarded = true;
        loop = carry(&c);
        o = loop->regs[0]->first;
    }
}

static void visit(Depend *d, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; i < o->nregs; i++) visit(d, o->regs[i]);
        if (o->code == OP_FOR && value_const_int(op_opnd(o, 2), NULL) && !op_holds(o, OP_BARRIER)) replace_in(d, o);
    }
}

void pass_scalar_replace(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        if (m->funcs.data[i]->kind == FUNC_EXTERN) continue;
        Depend *d = depend_new(m->funcs.data[i]);
        visit(d, m->funcs.data[i]->body);
        depend_free(d);
    }
}
