/* What an operation may do, all its regions taken together.
 *
 * Memory lives only inside islands, so seen from outside an island neither reads nor writes.  A loop
 * that may run forever counts as a trap: it may be deleted, but not started where it did not run.
 * A value that nobody uses may go with the traps on its way (an element read out of bounds, a division by zero),
 * but not what somebody may rely on to stop the program: sizes that must agree, and writes out of bounds. */
#include "ir/ir.h"

enum { MAY_TRAP = 1, MAY_EFFECT = 2, MAY_READ = 4, MAY_WRITE = 8, MAY_ALLOC = 16, MUST_STOP = 32 };

/* At stage loops values have owners, and an operation that consumes its operands is no pure one. */
static bool consumes(const Op *op) {
    bool loops = op->parent && op->parent->func->module->stage >= STAGE_LOOPS;
    return op->code == OP_VIEW || (op->code == OP_ISLAND && loops);
}

/* A trap that stays although nobody uses the result */
static bool must_stop(const Op *op) {
    return op->code == OP_RETYPE || op->code == OP_STORE || op->code == OP_ATOMIC;
}

/* It may give a size a name: an extent of a result that no operand has. */
static bool may_name_size(const Op *call) {
    const Type *t = call->nres ? call->res[0].type : NULL;
    for (int i = 0; t && i < t->rank; i++) {
        bool named = size_as_sym(t->dims[i]) != NULL;
        for (int k = 0; k < call->nopnds && named; k++) {
            const Type *x = op_opnd(call, k)->type;
            for (int j = 0; j < x->rank; j++) named &= x->dims[j] != t->dims[i];
        }
        if (named) return true;
    }
    return call->nres > 1;
}

/* A function in C of the library only computes; a name is given once. */
static int call_effects(const Op *op) {
    return c_name_computes(op_sym(op, A_FUNC)) && !may_name_size(op) ? MAY_TRAP : MAY_EFFECT;
}

static int own_effects(const Op *op) {
    int traits = op_info(op->code)->traits, e = 0;
    if (traits & TR_TRAP && !op_flag(op, A_SAFE)) e |= must_stop(op) ? MAY_TRAP | MUST_STOP : MAY_TRAP;
    if (op->code == OP_EXTERN) e |= call_effects(op);
    else if (traits & TR_EFFECT) e |= MAY_EFFECT;
    if (traits & TR_READ) e |= MAY_READ;
    if (traits & TR_WRITE) e |= MAY_WRITE;
    if (traits & TR_ALLOC) e |= MAY_ALLOC;
    if (op->code == OP_WHILE) e |= MAY_TRAP | MUST_STOP; /* it may never end */
    if (consumes(op)) e |= MAY_EFFECT;
    return e;
}

static int effects(const Op *op) {
    int e = own_effects(op);
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) e |= effects(o);
    return op->code == OP_ISLAND ? e & ~(MAY_READ | MAY_WRITE | MAY_ALLOC) : e;
}

bool op_is_pure(const Op *op) { return !(op_info(op->code)->traits & TR_TERM) && effects(op) == 0; }
bool op_may_trap(const Op *op) { return effects(op) & MAY_TRAP; }
bool op_has_effect(const Op *op) { return effects(op) & MAY_EFFECT; }
bool op_reads_memory(const Op *op) { return effects(op) & MAY_READ; }
bool op_writes_memory(const Op *op) { return effects(op) & MAY_WRITE; }

bool op_is_scalar_arithmetic(const Op *op) {
    int traits = op_info(op->code)->traits;
    return (traits & TR_ELEM) && (traits & TR_PURE) && op->nres == 1 && op->res[0].type->kind == TY_SCALAR;
}

bool op_only_computes(const Op *op) {
    if (op_has_effect(op) || op_writes_memory(op)) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!op_only_computes(o)) return false;
    return true;
}

bool op_brings_elements(const Op *op) {
    return op->code == OP_EXCHANGE || op->code == OP_ALLGATHER || op->code == OP_AWAIT;
}

int op_moved(const Op *op) {
    int n = 0;
    while (n < op->nopnds && op_opnd(op, n)->type->dtype == op->res[0].type->dtype) n++;
    return n;
}

bool op_holds_write(const Op *op, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (op_inside(u->user, op) && op_writes_memory(u->user)) return true;
    return false;
}

static void find_bind(void *ctx, const char *sym) {
    const Op **op = ctx;
    for (const Region *r = *op ? (*op)->parent : NULL; r && r->owner; r = r->owner->parent) {
        for (const Op *o = r->first; o; o = o->next)
            if (o->code == OP_BIND && op_sym(o, A_SYM) == sym) { *op = NULL; return; }
        if (r->owner->code == OP_ISLAND) return;
    }
}

bool op_size_is_local(const Op *op) {
    const Op *left = op;
    if (op->code == OP_SIZE) size_each_sym(op_attr(op, A_SIZE)->sizes[0], find_bind, &left);
    return !left;
}

bool op_is_removable(const Op *op) {
    return !(op_info(op->code)->traits & TR_TERM) && !(effects(op) & (MAY_EFFECT | MAY_WRITE | MUST_STOP));
}

/* ---- what may run anywhere */

static const Size *size_of_value(const Op *op, Value *v) {
    Session *s = op->parent->func->module->session;
    if (!v->def) return NULL;
    if (v->def->code == OP_SIZE) return op_attr(v->def, A_SIZE)->sizes[0];
    if (v->def->code == OP_CONST && v->type->dtype == DT_I64) return size_const(s, op_attr(v->def, A_VALUE)->c.i);
    return NULL;
}

/* The size that bounds index i of a region: 0 <= i < it.  NULL when it is not plain. */
const Size *index_size(const Value *i) {
    const Op *owner = i->region ? i->region->owner : NULL;
    int64_t lo, step;
    if (!owner || i->region != owner->regs[0]) return NULL;
    switch (owner->code) {
    case OP_GENERATE: case OP_SCAN: return owner->res[0].type->dims[i->index];
    case OP_REDUCE: case OP_PARALLEL: return size_of_value(owner, op_opnd(owner, i->index));
    case OP_FOR:
        if (i->index || !value_const_int(op_opnd(owner, 0), &lo) || !value_const_int(op_opnd(owner, 2), &step))
            return NULL;
        return lo >= 0 && step > 0 ? size_of_value(owner, op_opnd(owner, 1)) : NULL;
    default: return NULL;
    }
}

/* Whether 0 <= i < dim wherever the index's own region runs, in which the access stays. */
static bool index_fits(const Value *i, const Size *dim) {
    int64_t c, n;
    if (value_const_int(i, &c)) return c >= 0 && size_is_const(dim, &n) && c < n;
    return index_size(i) == dim;
}

static bool access_fits(const Op *op, int object, int first) {
    const Type *t = op_opnd(op, object)->type;
    for (int i = first; i < op_index_end(op); i++)
        if (!index_fits(op_opnd(op, i), t->dims[i - first])) return false;
    return true;
}

static bool divisor_fits(const Op *op) {
    int64_t c;
    return dtype_is_float(op_opnd(op, 1)->type->dtype) || (value_const_int(op_opnd(op, 1), &c) && c != 0);
}

/* All of an axis, or at an index of it */
static bool slice_fits(const Op *op) {
    const Type *t = op_opnd(op, 0)->type, *part = op->res[0].type;
    int64_t n;
    for (int i = 0; i < t->rank; i++) {
        const Value *start = op_opnd(op, 1 + i);
        bool whole = value_is_const_int(start, 0) && part->dims[i] == t->dims[i];
        bool one = size_is_const(part->dims[i], &n) && n == 1 && index_fits(start, t->dims[i]);
        if (op_attr(op, A_STEPS)->ints[i] != 1 || (!whole && !one)) return false;
    }
    return true;
}

static bool trap_fits(const Op *op) {
    Session *s = op->parent->func->module->session;
    switch (op->code) {
    case OP_RESHAPE: return type_elements(s, op_opnd(op, 0)->type) == type_elements(s, op->res[0].type);
    case OP_SLICE: return slice_fits(op);
    case OP_EXTRACT: case OP_LOAD: return access_fits(op, 0, 1);
    case OP_INSERT: return access_fits(op, 0, 2);
    case OP_IDIV: case OP_MOD: return divisor_fits(op);
    default: return false;
    }
}

static bool has_axis_of(const Op *op, const Size *dim) {
    for (int k = 0; k < op->nopnds; k++)
        for (int i = 0; i < op_opnd(op, k)->type->rank; i++)
            if (op_opnd(op, k)->type->dims[i] == dim) return true;
    return false;
}

/* No array that op makes has an axis of less than no elements, as x[1:n] has where n is 0. */
static bool sizes_fit(const Op *op) {
    Session *s = op->parent->func->module->session;
    for (int k = 0; k < op->nres; k++) {
        const Type *t = op->res[k].type;
        for (int i = 0; type_is_tensor(t) && i < t->rank; i++)
            if (!size_is_natural(s, t->dims[i]) && !has_axis_of(op, t->dims[i])) return false;
    }
    return true;
}

/* but: traits of effects that are somebody else's care */
static bool speculatable(const Op *op, int but) {
    int traits = op_info(op->code)->traits;
    if (traits & ~but & (TR_EFFECT | TR_READ | TR_WRITE | TR_ALLOC) || op->code == OP_WHILE || consumes(op))
        return false;
    if ((traits & TR_TRAP && !trap_fits(op)) || !sizes_fit(op)) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!speculatable(o, but)) return false;
    return true;
}

bool op_is_speculatable(const Op *op) { return !(op_info(op->code)->traits & TR_TERM) && speculatable(op, 0); }
bool op_is_speculatable_read(const Op *op) {
    return !(op_info(op->code)->traits & TR_TERM) && speculatable(op, TR_READ);
}

bool value_is_only_read(const Value *buf) {
    const Op *island = buf->def ? NULL : buf->region->owner;
    return island && island->code == OP_ISLAND && op_attr(island, A_MODES)->ints[buf->index] == 0;
}

bool op_reads_constant(const Op *op) {
    return op->code == OP_EXTRACT || (op->code == OP_LOAD && value_is_only_read(op_opnd(op, 0)));
}

Value *op_comprehended(const Op *op, Region **body) {
    if (!op_reads_constant(op)) return NULL;
    const Value *array = op_opnd(op, 0);
    if (!array->def && op->code == OP_LOAD) array = op_opnd(array->region->owner, array->index);
    Op *g = array->def;
    if (!g || g->code != OP_GENERATE) return NULL;
    *body = g->regs[0];
    return op_opnd(region_term(*body), array->index);
}

typedef struct { const Value *buf; Combine kind; bool other; } Updates;

static void find_updates(void *ctx, Op *op) {
    Updates *u = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        if (op_opnd(op, i) != u->buf) continue;
        Combine kind = op->code == OP_ATOMIC && i == 1 ? op_combine(op) : COMBINE_NONE;
        u->other |= !kind || op->nres || kind == COMBINE_SET || op_expected(op) || (u->kind && kind != u->kind);
        u->kind = kind;
    }
}

Combine loop_combines(const Op *loop, const Value *buf) {
    Updates u = {.buf = buf};
    for (int i = 0; i < loop->nregs; i++) region_walk(loop->regs[i], find_updates, &u);
    return u.other ? COMBINE_NONE : u.kind;
}
