/* mem2reg: private arrays whose elements are all named by constants become values.
 *
 * Needs nothing.  Leaves arrays that are indexed by what varies, and those that a condition of a `while` or an inner
 * parallel loop writes.  Control is structured, so no dominance frontiers are needed: going down the region with the
 * present value of each element, an `if` whose sides write an element gets one more result, a loop one more carried
 * value (cf. Aycock and Horspool, "Simple Generation of Static Single-Assignment Form", CC 2000). */
#include "opt/par/mem2reg.h"
#include "opt/pass.h"

#include <string.h>

enum { MAX_ELEMENTS = 32 };

typedef struct { Value *buf; int n; } Promoted;
typedef struct { Value *v[MAX_ELEMENTS]; } Now; /* present value of each element */

/* ---- which */

/* The number of the element that a load or store names, row-major; -1: unknown or none */
static int element_of(const Op *access) {
    int first = op_index_first(access), at = 0;
    const Type *t = op_buffer(access)->type;
    for (int i = 0; i < t->rank; i++) {
        int64_t dim, c;
        if (!size_is_const(t->dims[i], &dim) || !value_const_int(op_opnd(access, first + i), &c) || c < 0 || c >= dim)
            return -1;
        at = at * (int)dim + (int)c;
    }
    return at;
}

int promotable_elements(const Type *t) {
    int64_t n = 1, dim;
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &dim) || dim < 1 || dim > MAX_ELEMENTS) return 0;
        n *= dim;
        if (n > MAX_ELEMENTS) return 0;
    }
    return (int)n;
}

/* Whether a write inside op can become a result or carried value: op holds the store in region r. */
static bool carries(const Op *op, const Region *r) {
    return op->code == OP_IF || op->code == OP_FOR || (op->code == OP_WHILE && r == op->regs[1]);
}

static bool may_write(const Op *store, const Op *alloc) {
    for (const Region *r = store->parent; r != alloc->parent; r = r->owner->parent)
        if (!carries(r->owner, r)) return false;
    return true;
}

static bool is_promotable(const Op *alloc) {
    const Value *buf = &alloc->res[0];
    if (buf->type->space != SPACE_PRIVATE || !promotable_elements(buf->type)) return false;
    for (const Use *u = buf->uses; u; u = u->next) {
        const Op *op = u->user;
        if (op->code != OP_LOAD && op->code != OP_STORE) return false;
        if (element_of(op) < 0 || (op->code == OP_STORE && !may_write(op, alloc))) return false;
    }
    return true;
}

/* ---- how */

static void visit_region(const Promoted *p, Region *r, Now *now);

static bool accesses(const Promoted *p, const Op *op) {
    return (op->code == OP_LOAD || op->code == OP_STORE) && op_buffer(op) == p->buf;
}

static void note_written(const Promoted *p, const Op *op, bool *written) {
    if (op->code == OP_STORE && accesses(p, op)) written[element_of(op)] = true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) note_written(p, o, written);
}

/* The elements written in op, in order; returns how many. */
static int written_in(const Promoted *p, const Op *op, int *which) {
    bool written[MAX_ELEMENTS] = {false};
    int n = 0;
    note_written(p, op, written);
    for (int i = 0; i < p->n; i++)
        if (written[i]) which[n++] = i;
    return n;
}

/* op again with n more results, and with n more operands when it is a loop */
static Op *widen(const Promoted *p, Op *op, int n, const int *which, const Now *now) {
    Arena *a = op->parent->func->module->arena;
    int nopnds = op->nopnds, nres = op->nres;
    Value **opnds = NEWN(a, Value *, nopnds + n);
    const Type **types = NEWN(a, const Type *, nres + n);
    for (int i = 0; i < nopnds; i++) opnds[i] = op_opnd(op, i);
    for (int i = 0; i < nres; i++) types[i] = op->res[i].type;
    for (int i = 0; i < n; i++) {
        types[nres + i] = now->v[which[i]]->type;
        if (op->code != OP_IF) opnds[nopnds++] = now->v[which[i]];
    }
    Op *new = op_rebuild(op, nopnds, opnds, nres + n, types);
    for (int i = 0; i < n; i++) new->res[nres + i].name = p->buf->name;
    for (int i = 0; i < nres; i++) value_replace_all(&op->res[i], &new->res[i]);
    op_erase(op);
    return new;
}

/* Region r of the widened op: its arguments, its body, its yield */
static void visit_branch(const Promoted *p, Region *r, int n, const int *which, const Now *before, bool args,
                         bool yields) {
    Now now = *before;
    for (int i = 0; i < n && args; i++) now.v[which[i]] = region_add_arg(r, before->v[which[i]]->type, p->buf->name);
    visit_region(p, r, &now);
    for (int i = 0; i < n && yields; i++) op_add_opnd(region_term(r), now.v[which[i]]);
}

static void visit_structure(const Promoted *p, Op *op, Now *now) {
    int which[MAX_ELEMENTS], n = written_in(p, op, which), nres = op->nres;
    if (n) op = widen(p, op, n, which, now);
    for (int i = 0; i < op->nregs; i++) {
        bool test = op->code == OP_WHILE && i == 0;
        visit_branch(p, op->regs[i], n, which, now, op->code != OP_IF, !test);
    }
    for (int i = 0; i < n; i++) now->v[which[i]] = &op->res[nres + i];
}

static void visit_region(const Promoted *p, Region *r, Now *now) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (op->nregs) {
            visit_structure(p, op, now);
        } else if (accesses(p, op)) {
            int at = element_of(op);
            if (op->code == OP_STORE) now->v[at] = op_opnd(op, 0);
            else value_replace_all(&op->res[0], now->v[at]);
            op_erase(op);
        }
    }
}

/* Returns what stands before what follows the alloc, which may be made anew. */
static Op *promote(Op *alloc) {
    Promoted p = {&alloc->res[0], promotable_elements(alloc->res[0].type)};
    Builder b = builder_before(alloc);
    Value *zero = build_const(&b, (Const){.dtype = p.buf->type->dtype});
    Now now;
    for (int i = 0; i < p.n; i++) now.v[i] = zero;
    visit_region(&p, alloc->parent, &now);
    op_erase(alloc);
    return zero->def;
}

static void visit(Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->nregs; i++) visit(op->regs[i]);
        if (op->code == OP_ALLOC && is_promotable(op)) next = promote(op)->next;
    }
}

void pass_mem2reg(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
