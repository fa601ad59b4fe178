/* What a turn of a loop needs: memory, for the arrays that it makes, each counted once, however often it is made; and
 * about how many elements its own loops go over, which threads could share instead: those of the smallest array of an
 * island, of the islands in loops inside, or, if there are none, of all.  Functions that are called are looked into.
 *
 * Sizes are read as they are known before the loop: a symbol that the turn binds to an int from before it is that int,
 * one that a function binds to a parameter, or finds in the type of one, is the argument's. */
#include "opt/loops/ensembles.h"

enum { DEEPEST = 8, FEW = 64 }; /* calls inside one another; elements */

/* r: of the loop, or the body of the function that is called; up: where it is called; bound: symbols of r to the ints
 * that they are bound to, NULL: it is not known */
typedef struct Frame {
    const struct Frame *up;
    const Op *call;
    Region *r;
    Map bound;
    int depth;
} Frame;
/* once, often: elements of the longest loop, of those in loops inside; ints: from before the loop, as sizes */
typedef struct { Builder *b; const Op *loop; const Size *bytes, *once, *often; Map ints; bool unknown; } Needs;
typedef struct { Needs *m; const Frame *at; } Reader;

static Session *session_of(const Needs *m) { return m->b->module->session; }

/* ---- sizes */

static const Size *size_before(void *ctx, const char *sym);

static const Size *read_size(Needs *m, const Frame *at, const Size *size) {
    return size_subst(session_of(m), size, size_before, &(Reader){m, at});
}

static const Size *unknown(Needs *m) {
    m->unknown = true;
    return NULL;
}

/* What is too much for a size stops the program where the turn has it, if there is a turn. */
static const Size *size_of_int(Needs *m, Value *v) {
    Value *size = map_has(&m->ints, v) ? NULL : index_min(m->b, v, build_int(m->b, ENSEMBLE_MOST));
    if (size) map_put(m->b->module->arena, &m->ints, v, (void *)(uintptr_t)build_size_of(m->b, size));
    return map_get(&m->ints, v);
}

static const Size *read_value(Needs *m, const Frame *at, Value *v) {
    int64_t n;
    if (value_const_int(v, &n)) return size_const(session_of(m), n);
    if (v->def && v->def->code == OP_SIZE) return read_size(m, at, op_attr(v->def, A_SIZE)->sizes[0]);
    if (at->call) return v->region == at->r ? read_value(m, at->up, op_opnd(at->call, v->index)) : unknown(m);
    return value_dominates(v, m->loop) ? size_of_int(m, v) : unknown(m);
}

/* The size of an argument that the function knows by the symbol */
static const Size *size_of_argument(Needs *m, const Frame *at, const char *sym) {
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

/* inside: a loop inside the turn */
static void count_region(Needs *m, const Frame *at, const Region *r, bool inside);

static void count_frame(Needs *m, const Frame *up, const Op *call, Region *r, bool inside) {
    Frame at = {.up = up, .call = call, .r = r, .depth = up ? up->depth + 1 : 0};
    m->unknown |= at.depth > DEEPEST;
    if (m->unknown) return;
    region_walk(r, note_sizes, &at);
    count_region(m, &at, r, inside);
}

static void count_array(Needs *m, const Frame *at, const Type *t) {
    Session *s = session_of(m);
    const Size *n = read_size(m, at, type_elements(s, t));
    m->bytes = size_add(s, m->bytes, size_mul(s, n, size_const(s, dtype_info(t->dtype)->bytes)));
}

/* Sums and products: no partial results, of which there are few */
static bool is_plain(Session *s, const Size *size) {
    SizeNode n = size_node(s, size);
    return n.op == 'c' || n.op == 's' || ((n.op == '+' || n.op == '*') && is_plain(s, n.a) && is_plain(s, n.b));
}

static void count_loops(Needs *m, const Frame *at, const Op *island, bool inside) {
    Session *s = session_of(m);
    const Size *least = NULL, **longest = inside ? &m->often : &m->once;
    for (int i = 0; i < island->nopnds; i++) {
        const Type *t = op_opnd(island, i)->type;
        const Size *n = type_elements(s, t);
        if (is_plain(s, n) && !type_few_elements(s, t, FEW)) least = least ? size_min(s, least, n) : n;
    }
    if (!least) return;
    least = read_size(m, at, least);
    *longest = *longest ? size_max(s, *longest, least) : least;
}

static void count_op(Needs *m, const Frame *at, const Op *op, bool inside) {
    const Func *f = op->code == OP_CALL ? module_find(m->b->module, op_sym(op, A_FUNC)) : NULL;
    if (op->code == OP_EMPTY) count_array(m, at, op->res[0].type);
    if (f && f->recursive) m->unknown = true;
    else if (f) count_frame(m, at, op, f->body, inside);
    if (op->code == OP_ISLAND && op_holds(op, OP_PARALLEL)) count_loops(m, at, op, inside);
    inside |= op_is_sequential_loop(op);
    for (int i = 0; op->code != OP_ISLAND && i < op->nregs; i++) count_region(m, at, op->regs[i], inside);
}

static void count_region(Needs *m, const Frame *at, const Region *r, bool inside) {
    for (const Op *op = r->first; op && !m->unknown; op = op->next) count_op(m, at, op, inside);
}

bool ensemble_needs(Builder *b, Op *loop, EnsembleNeeds *out) {
    const Size *none = size_const(b->module->session, 0);
    Needs m = {.b = b, .loop = loop, .bytes = none};
    count_frame(&m, NULL, NULL, loop->regs[0], false);
    *out = (EnsembleNeeds){m.bytes, m.often ? m.often : m.once ? m.once : none};
    return !m.unknown;
}
