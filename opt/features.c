/* Static features of a program, in the manner of Milepost GCC (Fursin et al., 2011): counts of operations, loops and
 * accesses in the IR as written, by one walk that knows which indices run around a place. */
#include "opt/features.h"

#include <string.h>

static const FeatureInfo table[] = {
#define FEATURE(id, name, doc) {name, doc},
#include "opt/features.def"
#undef FEATURE
};

const FeatureInfo *feature_info(FeatureId id) { return &table[id]; }

bool feature_find(const char *name, FeatureId *out) {
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (!strcmp(table[i].name, name)) return *out = (FeatureId)i, true;
    return false;
}

/* What is around a place: indices, parallel loops, loops in order; inner: the innermost index */
typedef struct { int depth, parallel, serial; const Value *inner; } Around;

static void at_least(Features *f, FeatureId id, int64_t n) {
    if (f->of[id] < n) f->of[id] = n;
}

/* ---- values */

static void note_type(Features *f, const Type *t) {
    int64_t n = 1, extent;
    if (t->kind == TY_SCALAR) return;
    at_least(f, FE_RANK, t->rank);
    for (int i = 0; i < t->rank && n; i++) n = size_is_const(t->dims[i], &extent) && extent < 1 << 30 ? n * extent : 0;
    for (int log = 0; n >> log; log++) at_least(f, FE_EXTENT, log);
}

enum { NEAR = 8 }; /* operations that an index is traced through */

/* It was read, or made of a float: nothing is known of it before. */
static bool is_data(const Value *v, int steps) {
    const Op *op = v->def;
    if (!op || !steps) return false;
    if (op->code == OP_LOAD || op->code == OP_EXTRACT) return true;
    if (op->code == OP_CAST && dtype_is_float(op_opnd(op, 0)->type->dtype)) return true;
    if (!(op_info(op->code)->traits & TR_ELEM)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (is_data(op_opnd(op, i), steps - 1)) return true;
    return false;
}

static bool is_shifted(const Value *v) {
    const Op *op = v->def;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB)) return false;
    return value_const(op_opnd(op, 1)) || value_const(op_opnd(op, 0));
}

static bool mentions(const Value *v, const Value *index, int steps) {
    if (v == index) return true;
    if (!v->def || !steps || !(op_info(v->def->code)->traits & TR_ELEM)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (mentions(op_opnd(v->def, i), index, steps - 1)) return true;
    return false;
}

/* ---- accesses */

static int first_index(const Op *op) {
    if (op->code == OP_EXTRACT) return 1;
    return op->code == OP_INSERT ? 2 : op_index_first(op);
}

static void note_access(Features *f, const Op *op, const Around *a) {
    bool reads = op->code == OP_EXTRACT || op->code == OP_LOAD, data = false, shifted = false, column = false;
    int first = first_index(op), end = op_is_access(op) ? op_index_end(op) : op->nopnds;
    for (int i = first; i < end; i++) {
        const Value *v = op_opnd(op, i);
        data |= is_data(v, NEAR);
        shifted |= is_shifted(v);
        if (a->inner && i < end - 1) column |= mentions(v, a->inner, NEAR);
    }
    column &= !a->inner || end == first || !mentions(op_opnd(op, end - 1), a->inner, NEAR);
    f->of[reads ? FE_READS : FE_WRITES]++;
    f->of[reads ? FE_GATHERS : FE_SCATTERS] += data;
    f->of[FE_NEIGHBOURS] += reads && shifted;
    f->of[FE_COLUMNS] += reads && column;
}

/* ---- loops */

static void note_turns(Features *f, const Value *turns) {
    int64_t n;
    if (!value_const_int(turns, &n)) f->of[FE_UNKNOWN]++;
    else if (n <= 16) f->of[FE_SHORT]++;
    else if (n >= 100000) f->of[FE_LONG]++;
}

static void enter_parallel(Features *f, Around *a, const Op *op) {
    f->of[FE_PARALLEL]++;
    if (a->serial && !a->parallel) f->of[FE_OUTER]++;
    for (int i = 0; i < op->nopnds; i++) note_turns(f, op_opnd(op, i));
    a->parallel++;
    a->depth += op->regs[0]->nargs;
}

static void enter_serial(Features *f, Around *a, const Op *op) {
    f->of[op->code == OP_FOR ? FE_SERIAL : FE_WHILES]++;
    f->of[FE_INNER] += a->parallel > 0;
    if (op->code == OP_FOR) note_turns(f, op_opnd(op, 1));
    at_least(f, FE_CARRIED, op->nres);
    a->serial++, a->depth++;
}

static void enter_reduction(Features *f, Around *a, const Op *op) {
    f->of[op->code == OP_SCAN ? FE_SCANS : FE_REDUCTIONS]++;
    f->of[FE_ROW_REDUCTIONS] += a->parallel > 0;
    f->of[FE_OWN_REDUCTIONS] += op->nregs > 1;
    if (op->code == OP_REDUCE && op->nopnds) note_turns(f, op_opnd(op, 0));
    a->depth += op->nregs ? op->regs[0]->nargs : 0;
}

/* What is around the regions of op */
static Around enter(Features *f, const Around *around, const Op *op) {
    Around a = *around;
    if (op->code == OP_PARALLEL || op->code == OP_GENERATE) enter_parallel(f, &a, op);
    else if (op->code == OP_FOR || op->code == OP_WHILE) enter_serial(f, &a, op);
    else if (op->code == OP_REDUCE || op->code == OP_SCAN) enter_reduction(f, &a, op);
    else if (op->code == OP_ISLAND) f->of[FE_LAUNCHES] += op_sym(op, A_NAME) != NULL;
    else return a;
    at_least(f, FE_DEPTH, a.depth);
    const Region *body = op->nregs ? op->regs[0] : NULL;
    bool counts = body && body->nargs && op->code != OP_WHILE && op->code != OP_ISLAND;
    if (counts) a.inner = body->args[op->code == OP_FOR ? 0 : body->nargs - 1];
    return a;
}

/* ---- operations */

static bool is_of_bits(OpCode c) {
    return c == OP_AND || c == OP_OR || c == OP_XOR || c == OP_NOT || c == OP_SHL || c == OP_SHR;
}

static void note_scalar(Features *f, const Op *op, int traits) {
    DType t = op->nopnds ? op_opnd(op, op->nopnds - 1)->type->dtype : op->res[0].type->dtype;
    bool is_float = dtype_is_float(t);
    f->of[is_float ? FE_FLOATS : FE_INTS]++;
    f->of[is_float ? FE_SINGLE : FE_NARROW] += dtype_info(t)->bytes < 8;
    f->of[FE_BITS] += is_of_bits(op->code) && dtype_is_int(t);
    f->of[FE_DIVISIONS] += op->code == OP_DIV || op->code == OP_IDIV || op->code == OP_MOD;
    f->of[FE_FUNCTIONS] += traits & (TR_OWN | TR_CALL) || op->code == OP_SQRT;
    f->of[FE_COMPARES] += opcode_is_compare(op->code);
    f->of[FE_CLAMPS] += op->code == OP_MIN || op->code == OP_MAX || op->code == OP_SELECT;
}

static void note_other(Features *f, const Op *op, const Around *a) {
    switch (op->code) {
    case OP_LOAD:
    case OP_EXTRACT:
    case OP_STORE:
    case OP_INSERT: note_access(f, op, a); break;
    case OP_ATOMIC: note_access(f, op, a), f->of[FE_ATOMICS]++; break;
    case OP_IF: f->of[FE_BRANCHES] += a->depth > 0; break;
    case OP_BARRIER: f->of[FE_BARRIERS]++; break;
    case OP_ALLOC: f->of[FE_SHARED]++; break;
    case OP_CALL: f->of[FE_CALLS]++; break;
    case OP_SPAWN: f->of[FE_STRANDS]++; break;
    case OP_DOT:
    case OP_LU_FACTOR:
    case OP_LU_SOLVE:
    case OP_LU_INV:
    case OP_TRISOLVE:
    case OP_CHOL_FACTOR:
    case OP_EIGH: f->of[FE_PRODUCTS]++; break;
    case OP_BROADCAST:
    case OP_TRANSPOSE:
    case OP_SLICE:
    case OP_UPDATE:
    case OP_PAD:
    case OP_CONCAT: f->of[FE_WHOLE]++; break;
    default: break;
    }
}

static void walk(Features *f, const Region *r, const Around *around) {
    for (const Op *op = r->first; op; op = op->next) {
        int traits = op_info(op->code)->traits;
        if (traits & TR_ELEM) note_scalar(f, op, traits);
        else note_other(f, op, around);
        for (int i = 0; i < op->nres; i++) note_type(f, op->res[i].type);
        Around inside = enter(f, around, op);
        for (int i = 0; i < op->nregs; i++) walk(f, op->regs[i], &inside);
    }
}

Features features_of(Module *m) {
    Features f = {0};
    for (int i = 0; i < m->funcs.len; i++) {
        const Func *fn = m->funcs.data[i];
        if (fn->body && fn->kind != FUNC_TEST && fn->kind != FUNC_BENCH) walk(&f, fn->body, &(Around){0});
    }
    return f;
}
