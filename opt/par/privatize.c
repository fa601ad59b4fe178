/* privatize: a shared array of which each thread only uses the elements at its own index becomes a private one.
 *
 * Needs proved accesses (`safe`).  Leaves arrays through which threads talk to each other, and those that live across a
 * barrier: on the CPU each thread would keep its elements in an array anyway.  An axis belongs to a thread index when
 * all accesses have the same value there: that index, or its sum with something fixed in the block.  When all indices
 * of the threads have such an axis, different threads use different elements; those axes go, and the others are the
 * private array (an axis of one element when none is left). */
#include "opt/pass.h"

enum { MAX_BYTES = 512 }; /* private arrays are small, and set to zero */

typedef struct { Op *alloc, *threads; bool gone[MAX_RANK]; } Own;

/* The one thread loop with all uses, which are proved loads and stores, beside the alloc; or NULL */
static Op *sole_threads(const Op *alloc) {
    Op *threads = NULL;
    for (const Use *u = alloc->res[0].uses; u; u = u->next) {
        const Op *op = u->user;
        if ((op->code != OP_LOAD && op->code != OP_STORE) || !op_flag(op, A_SAFE)) return NULL;
        Op *around = op_loop_around(op, LOOP_THREAD);
        if (!around || (threads && around != threads)) return NULL;
        threads = around;
    }
    return threads && threads->parent == alloc->parent ? threads : NULL;
}

/* Whether a thread may meet a barrier between two accesses to buf in r */
static bool crosses_barrier(const Region *r, const Value *buf) {
    bool used = false, beyond = false;
    for (const Op *o = r->first; o; o = o->next) {
        bool uses_it = op_mentions(o, buf), waits = op_holds(o, OP_BARRIER);
        if (uses_it && (beyond || (waits && used))) return true;
        if (uses_it && waits && o->code != OP_IF) return true;
        for (int i = 0; uses_it && waits && i < o->nregs; i++)
            if (crosses_barrier(o->regs[i], buf)) return true;
        used |= uses_it;
        beyond |= used && waits;
    }
    return false;
}

/* The value that all accesses have on the axis, or NULL */
static const Value *sole_index(const Op *alloc, int axis) {
    const Value *v = NULL;
    for (const Use *u = alloc->res[0].uses; u; u = u->next) {
        const Value *x = op_opnd(u->user, op_index_first(u->user) + axis);
        if (v && x != v) return NULL;
        v = x;
    }
    return v;
}

/* An axis for every index of the threads */
static bool find_axes(Own *o) {
    const Region *body = o->threads->regs[0];
    int rank = o->alloc->res[0].type->rank;
    for (int i = 0; i < body->nargs; i++) {
        bool found = value_is_const_int(op_opnd(o->threads, i), 1);
        for (int k = 0; k < rank && !found; k++) {
            const Value *v = o->gone[k] ? NULL : sole_index(o->alloc, k);
            found = v && value_shifted_arg(body, v) == body->args[i];
            o->gone[k] |= found;
        }
        if (!found) return false;
    }
    return true;
}

/* The private array's type, or NULL when it would be large */
static const Type *private_type(const Own *o) {
    Session *s = o->alloc->parent->func->module->session;
    const Type *t = o->alloc->res[0].type;
    const Size *dims[MAX_RANK] = {size_const(s, 1)};
    int64_t bytes = dtype_info(t->dtype)->bytes, dim;
    int rank = 0;
    for (int i = 0; i < t->rank; i++) {
        if (o->gone[i]) continue;
        if (!size_is_const(t->dims[i], &dim) || dim < 1 || dim > MAX_BYTES || (bytes *= dim) > MAX_BYTES) return NULL;
        dims[rank++] = t->dims[i];
    }
    return type_buf(s, t->dtype, rank ? rank : 1, dims, SPACE_PRIVATE);
}

/* The access without the axes that are gone */
static void reindex(const Own *o, Op *access, Value *zero) {
    int first = op_index_first(access), rank = o->alloc->res[0].type->rank;
    for (int i = rank - 1; i >= 0; i--)
        if (o->gone[i]) op_remove_opnd(access, first + i);
    if (access->nopnds == first) op_add_opnd(access, zero);
}

static void demote(const Own *o, const Type *type) {
    Builder b = builder_before(o->threads->regs[0]->first);
    Op *alloc = build_op(&b, OP_ALLOC, 0, NULL, 1, &type, 0);
    Value *zero = build_int(&b, 0);
    alloc->res[0].name = o->alloc->res[0].name;
    op_copy_attrs(alloc, o->alloc);
    while (o->alloc->res[0].uses) {
        Op *access = o->alloc->res[0].uses->user;
        reindex(o, access, zero);
        op_set_opnd(access, op_index_first(access) - 1, &alloc->res[0]);
    }
    op_erase(o->alloc);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    if (op->code != OP_ALLOC || op->res[0].type->space != SPACE_SHARED) return;
    Own o = {.alloc = op, .threads = sole_threads(op)};
    bool local = o.threads && !crosses_barrier(o.threads->regs[0], &op->res[0]);
    const Type *type = local && find_axes(&o) ? private_type(&o) : NULL;
    if (type) demote(&o, type);
}

void pass_privatize(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) region_walk(m->funcs.data[i]->body, visit, NULL);
}
