/* What a turn of a loop needs of memory: the arrays that it makes, and those of the functions that it calls, each
 * counted once, however often it is made.
 *
 * Sizes are read as they are known before the loop: a symbol that the turn binds to an int from before it is that int,
 * one that a function binds to a parameter, or finds in the type of one, is the argument's. */
#include "opt/loops/ensembles.h"

enum { DEEPEST = 8 }; /* calls inside one another */

/* r: of the loop, or the body of the function that is called; up: where it is called; bound: symbols of r to the ints
 * that they are bound to, NULL: it is not known */
typedef struct Frame {
    const struct Frame *up;
    const Op *call;
    Region *r;
    Map bound;
    int depth;
} Frame;
typedef struct { Builder *b; const Op *loop; const Size *sum; bool unknown; } Bytes;
typedef struct { Bytes *m; const Frame *at; } Reader;

static Session *session_of(const Bytes *m) { return m->b->module->session; }

/* ---- sizes */

static const Size *size_before(void *ctx, const char *sym);

static const Size *read_size(Bytes *m, const Frame *at, const Size *size) {
    return size_subst(session_of(m), size, size_before, &(Reader){m, at});
}

static const Size *unknown(Bytes *m) {
    m->unknown = true;
    return NULL;
}

static const Size *read_value(Bytes *m, const Frame *at, Value *v) {
    int64_t n;
    if (value_const_int(v, &n)) return size_const(session_of(m), n);
    if (v->def && v->def->code == OP_SIZE) return read_size(m, at, op_attr(v->def, A_SIZE)->sizes[0]);
    if (at->call) return v->region == at->r ? read_value(m, at->up, op_opnd(at->call, v->index)) : unknown(m);
    return value_dominates(v, m->loop) ? build_size_of(m->b, v) : unknown(m);
}

/* The size of an argument that the function knows by the symbol */
static const Size *size_of_argument(Bytes *m, const Frame *at, const char *sym) {
    for (int i = 0; i < at->r->nargs; i++) {
        const Type *t = at->r->args[i]->type;
        for (int k = 0; k < t->rank; k++)
            if (size_as_sym(t->dims[k]) == sym)
                return read_size(m, at->up, op_opnd(at->call, i)->type->dims[k]);
    }
    return unknown(m);
}

static const Size *size_before(void *ctx, const char *sym) {
    const Reader *r = ctx;
    if (map_has(&r->at->bound, sym)) {
        Value *v = map_get(&r->at->bound, sym);
        return v ? read_value(r->m, r->at, v) : unknown(r->m);
    }
    return r->at->call ? size_of_argument(r->m, r->at, sym) : NULL;
}

/* ---- frames */

static void note_sizes(void *ctx, Op *op) {
    Frame *at = ctx;
    Arena *a = at->r->func->module->arena;
    if (op->code == OP_BIND) map_put(a, &at->bound, op_sym(op, A_SYM), op_opnd(op, 0));
    for (int i = 0; i < op->nres && op_brings_sizes(op); i++)
        for (int k = 0; k < op->res[i].type->rank; k++) {
            const char *sym = size_as_sym(op->res[i].type->dims[k]);
            if (sym && op_defines_sizes(op) && !map_has(&at->bound, sym)) map_put(a, &at->bound, sym, NULL);
        }
}

static void count_region(Bytes *m, const Frame *at, const Region *r);

static void count_frame(Bytes *m, const Frame *up, const Op *call, Region *r) {
    Frame at = {.up = up, .call = call, .r = r, .depth = up ? up->depth + 1 : 0};
    m->unknown |= at.depth > DEEPEST;
    if (m->unknown) return;
    region_walk(r, note_sizes, &at);
    count_region(m, &at, r);
}

static void count_array(Bytes *m, const Frame *at, const Type *t) {
    Session *s = session_of(m);
    const Size *n = read_size(m, at, type_elements(s, t));
    m->sum = size_add(s, m->sum, size_mul(s, n, size_const(s, dtype_info(t->dtype)->bytes)));
}

static void count_region(Bytes *m, const Frame *at, const Region *r) {
    for (const Op *op = r->first; op && !m->unknown; op = op->next) {
        const Func *f = op->code == OP_CALL ? module_find(m->b->module, op_sym(op, A_FUNC)) : NULL;
        if (op->code == OP_EMPTY) count_array(m, at, op->res[0].type);
        if (f && f->recursive) m->unknown = true;
        else if (f) count_frame(m, at, op, f->body);
        for (int i = 0; i < op->nregs; i++) count_region(m, at, op->regs[i]);
    }
}

const Size *ensemble_bytes(Builder *b, Op *loop) {
    Bytes m = {.b = b, .loop = loop, .sum = size_const(b->module->session, 0)};
    count_frame(&m, NULL, NULL, loop->regs[0]);
    return m.unknown ? NULL : m.sum;
}
