/* Arrays of ints whose elements are all known while compiling: literals such as [1, 0, 3, 2].
 *
 * One of many elements is a `table`; one of few is made of zeros, element by element: a tensor by inserts, memory of a
 * thread by stores beside its alloc. */
#include "ir/index.h"
#include "ir/ir.h"

enum { MOST_ELEMENTS = 4096, MOST_USES = 512, MOST_INSERTS = 64 };

static bool has_room(const Type *t, IntTable *out) {
    int64_t n = 1;
    if (!dtype_is_int(t->dtype) || t->dtype == DT_U64 || !t->rank) return false;
    out->rank = t->rank;
    for (int i = 0; i < t->rank; i++) {
        int64_t *dim = &out->dim[i];
        if (!size_is_const(t->dims[i], dim) || *dim < 1 || *dim > MOST_ELEMENTS / n) return false;
        n *= *dim;
    }
    out->n = (int)n;
    return true;
}

/* The place of what op, whose indices begin at operand `first`, accesses; -1: not known, or none */
static int64_t place_in(const IntTable *t, const Op *op, int first) {
    int64_t at = 0, k;
    for (int i = 0; i < t->rank; i++) {
        if (!value_const_int(op_opnd(op, first + i), &k) || k < 0 || k >= t->dim[i]) return -1;
        at = at * t->dim[i] + k;
    }
    return at;
}

static bool constant_int(const Value *v, int64_t *out) {
    if (!v->def || v->def->code != OP_CONST || !dtype_is_int(v->type->dtype)) return false;
    *out = op_attr(v->def, A_VALUE)->c.i;
    return true;
}

/* ---- tensors */

static bool by_table(const Op *op, int64_t *values) {
    const Attr *a = op_attr(op, A_VALUES);
    for (int i = 0; i < a->n; i++) values[i] = a->consts[i].i;
    return true;
}

static bool by_fill(const Op *op, const Value *array, int n, int64_t *values) {
    int64_t c;
    const Value *v = op->code == OP_FILL ? op_opnd(op, 0) : op_opnd(region_term(op->regs[0]), array->index);
    if (!constant_int(v, &c)) return false;
    for (int i = 0; i < n; i++) values[i] = c;
    return true;
}

/* Inserts from the last one back: what is inserted later stays. */
static bool by_inserts(const Value *array, const IntTable *t, int64_t *values, bool *known) {
    int64_t at, c;
    for (int i = 0; i < MOST_INSERTS && array->def; i++, array = op_opnd(array->def, 0)) {
        const Op *op = array->def;
        if (op->code == OP_TABLE || op->code == OP_FILL || op->code == OP_GENERATE) {
            int64_t all[MOST_ELEMENTS];
            if (!(op->code == OP_TABLE ? by_table(op, all) : by_fill(op, array, t->n, all))) return false;
            for (int k = 0; k < t->n; k++)
                if (!known[k]) values[k] = all[k];
            return true;
        }
        if (op->code != OP_INSERT || (at = place_in(t, op, 2)) < 0 || !constant_int(op_opnd(op, 1), &c)) return false;
        if (!known[at]) values[at] = c, known[at] = true;
    }
    return false;
}

/* ---- memory of one thread */

/* Nothing but stores of constants, one after the other beside the alloc, and reads behind them */
static bool by_stores(const Op *alloc, const IntTable *t, int64_t *values) {
    const Op *store[MOST_ELEMENTS] = {NULL}, *last = alloc;
    const Value *buf = &alloc->res[0];
    int64_t at;
    int n = 0;
    for (const Use *u = buf->uses; u; u = u->next) {
        const Op *op = u->user;
        if (op->code == OP_LOAD) continue;
        if (op->code != OP_STORE || u->index != 1 || op->parent != alloc->parent || ++n > MOST_USES) return false;
        if ((at = place_in(t, op, 2)) < 0 || !constant_int(op_opnd(op, 0), &values[at])) return false;
        if (!store[at] || store[at]->order < op->order) store[at] = op;
        if (op->order > last->order) last = op;
    }
    for (int i = 0; i < t->n; i++)
        if (!store[i] || !constant_int(op_opnd(store[i], 0), &values[i])) values[i] = 0;
    for (const Use *u = buf->uses; u; u = u->next) {
        const Op *beside = u->user->code == OP_LOAD ? op_ancestor(u->user, alloc->parent) : NULL;
        if (u->user->code == OP_LOAD && (!beside || beside->order <= last->order)) return false;
    }
    return true;
}

/* ---- */

bool op_reads_table(const Op *read, Arena *arena, IntTable *out) {
    if (read->code != OP_LOAD && read->code != OP_EXTRACT) return false;
    const Value *array = op_opnd(read, 0);
    if (!has_room(array->type, out)) return false;
    if (array->def && array->def->code == OP_ALLOC) {
        int64_t *values = NEWN(arena, int64_t, out->n);
        out->v = values;
        return array->type->space == SPACE_PRIVATE && by_stores(array->def, out, values);
    }
    if (!op_reads_constant(read)) return false;
    if (!array->def && read->code == OP_LOAD) array = op_opnd(array->region->owner, array->index);
    if (!array->def) return false;
    int64_t *values = NEWN(arena, int64_t, out->n);
    out->v = values;
    return by_inserts(array, out, values, NEWN(arena, bool, out->n));
}
