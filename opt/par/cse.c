/* cse: an operation that computes what one above it computes is replaced by it; a load that finds what was
 * loaded or stored above, with no write between, is replaced by that value; a store of what the place holds goes.
 *
 * needs: nothing.  A table of available operations is kept per scope: what a region computes is forgotten when
 * it is left.  Each buffer has a version, which grows with every write; loads are available at the version they were
 * made at.  A loop that writes a buffer starts and ends a version of it.
 *
 * A barrier ends nothing: programs are free of races, so between two accesses of this thread to an element no other
 * thread writes it in the phase (the stretch between two barriers) of the one or of the other; a write in a phase
 * between them stands between them in the text, and is seen there.  Atomics likewise.
 *
 * What costs anything is merged with what stands on its side of the clock alone: behind time() it is done again.
 *
 * Operations that may stop the program are merged too: the first one has stopped it already; so are checks of one
 * condition. */
#include "analysis/clock.h"
#include "opt/pass.h"

#include <string.h>

typedef struct Entry Entry;
struct Entry {
    Op *op;
    Value *value;     /* what a load of this place gives; NULL: the op's own results */
    intptr_t version; /* loads: of the buffer; else the stretch between two times */
    uint64_t hash;
    int bucket;
    Entry *next, *below; /* in the bucket; in the scope */
};

typedef struct {
    Arena *scratch;
    Entry **buckets;
    int nbuckets;
    Entry *scope;
    Map versions; /* buffer -> version, as an int in the pointer */
    intptr_t stretch; /* times that the clock has been read above */
} Cse;

/* ---- keys */

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * UINT64_C(0x9E3779B97F4A7C15) ^ (h >> 29); }

static uint64_t hash_access(const Op *op, int first) {
    uint64_t h = OP_LOAD;
    for (int i = first; i < op->nopnds; i++) h = mix(h, (uintptr_t)op_opnd(op, i));
    return h;
}

static uint64_t hash_op(const Op *op) {
    uint64_t h = op->code;
    if (op->code == OP_LOAD) return hash_access(op, 0);
    for (int i = 0; i < op->nopnds; i++) h = mix(h, (uintptr_t)op_opnd(op, i));
    for (int i = 0; i < op->nres; i++) h = mix(h, (uintptr_t)op->res[i].type);
    const Attr *a = op_attr(op, A_VALUE);
    uint64_t bits;
    if (!a) return h;
    memcpy(&bits, &a->c.f, sizeof bits);
    return mix(h, bits ^ (uint64_t)a->c.i ^ (uintptr_t)a->c.s);
}

static bool same_op(const Op *a, const Op *b) {
    if (a->code != b->code || a->nopnds != b->nopnds || a->nres != b->nres) return false;
    for (int i = 0; i < a->nopnds; i++)
        if (op_opnd(a, i) != op_opnd(b, i)) return false;
    for (int i = 0; i < a->nres; i++)
        if (a->res[i].type != b->res[i].type) return false;
    return op_same_attrs(a, b);
}

/* ---- the table */

static void add(Cse *c, Op *op, Value *value, uint64_t hash, intptr_t version) {
    Entry *e = NEW(c->scratch, Entry);
    int b = (int)(hash % (uint64_t)c->nbuckets);
    *e = (Entry){op, value, version, hash, b, c->buckets[b], c->scope};
    c->buckets[b] = e;
    c->scope = e;
}

static void leave_scope(Cse *c, Entry *mark) {
    for (; c->scope != mark; c->scope = c->scope->below) c->buckets[c->scope->bucket] = c->scope->next;
}

static Entry *find_op(const Cse *c, const Op *op, uint64_t hash, intptr_t version) {
    for (Entry *e = c->buckets[hash % (uint64_t)c->nbuckets]; e; e = e->next)
        if (e->hash == hash && !e->value && e->version == version && same_op(e->op, op)) return e;
    return NULL;
}

/* The newest entry of the place decides: what it holds, or nothing. */
static Value *find_load(const Cse *c, const Op *op, uint64_t hash, intptr_t version) {
    for (Entry *e = c->buckets[hash % (uint64_t)c->nbuckets]; e; e = e->next)
        if (e->hash == hash && e->value && e->version == version && op_same_element(e->op, op)) return e->value;
    return NULL;
}

/* ---- versions of memory */

static intptr_t version_of(const Cse *c, const Value *buf) { return (intptr_t)map_get(&c->versions, buf); }

static void bump(Cse *c, const Value *buf) {
    map_put(c->scratch, &c->versions, buf, (void *)(version_of(c, buf) + 1));
}

static void bump_written(Cse *c, const Op *op) {
    if (op->code == OP_STORE || op->code == OP_ATOMIC) bump(c, op_opnd(op, 1));
    for (int i = 0; op_brings_elements(op) && i < op->nopnds; i++) bump(c, op_opnd(op, i));
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) bump_written(c, o);
}

/* ---- the walk */

/* Merging these would make two tensors one that must then be copied before it is changed. */
static bool is_candidate(const Op *op) {
    int traits = op_info(op->code)->traits;
    bool plain = !op->nregs && op->nres && !(traits & (TR_TERM | TR_READ | TR_WRITE | TR_EFFECT | TR_ALLOC));
    return plain && op->code != OP_FILL && op->code != OP_UPDATE && op->code != OP_INSERT && op->code != OP_BLAS &&
           op->code != OP_VIEW;
}

static void replace(Op *op, Op *by) {
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], &by->res[i]);
    op_erase(op);
}

static void visit_plain(Cse *c, Op *op) {
    uint64_t h = hash_op(op);
    intptr_t version = clock_overlooks(op) ? 0 : c->stretch;
    Entry *e = find_op(c, op, h, version);
    if (e) replace(op, e->op);
    else add(c, op, NULL, h, version);
}

/* What was found true holds below. */
static void visit_check(Cse *c, Op *op) {
    uint64_t h = mix(OP_CHECK, (uintptr_t)op_opnd(op, 0));
    for (Entry *e = c->buckets[h % (uint64_t)c->nbuckets]; e; e = e->next)
        if (e->hash == h && e->op->code == OP_CHECK && op_opnd(e->op, 0) == op_opnd(op, 0)) {
            op_erase(op);
            return;
        }
    add(c, op, NULL, h, 0);
}

static void visit_load(Cse *c, Op *op) {
    uint64_t h = hash_access(op, 0);
    intptr_t version = version_of(c, op_opnd(op, 0));
    Value *v = find_load(c, op, h, version);
    if (!v) {
        add(c, op, &op->res[0], h, version);
        return;
    }
    value_replace_all(&op->res[0], v);
    op_erase(op);
}

/* v, or 0 + v where v is no -0 */
static bool is_same(const Value *x, const Value *v) {
    const Op *sum = x->def;
    if (x == v) return true;
    for (int i = 0; sum && sum->code == OP_ADD && i < 2; i++) {
        const Const *zero = value_const(op_opnd(sum, i));
        if (op_opnd(sum, 1 - i) == v && zero && dtype_is_float(zero->dtype) && zero->f == 0)
            return value_never_minus_zero(v);
    }
    return false;
}

static void visit_store(Cse *c, Op *op) {
    const Value *held = find_load(c, op, hash_access(op, 1), version_of(c, op_opnd(op, 1)));
    if (held && is_same(op_opnd(op, 0), held)) {
        op_erase(op);
        return;
    }
    bump(c, op_opnd(op, 1));
    add(c, op, op_opnd(op, 0), hash_access(op, 1), version_of(c, op_opnd(op, 1)));
}

static void visit_region(Cse *c, Region *r);

static void visit(Cse *c, Op *op) {
    if (is_candidate(op)) visit_plain(c, op);
    else if (op->code == OP_LOAD) visit_load(c, op);
    else if (op->code == OP_STORE) visit_store(c, op);
    else if (op->code == OP_CHECK) visit_check(c, op);
    else if (!op->nregs) bump_written(c, op);
    if (!op->parent) return;
    bool loop = op_info(op->code)->traits & TR_LOOP;
    if ((loop || op->code == OP_EXTERN || op->code == OP_CALL) && clock_is_read(op)) c->stretch++;
    if (!op->nregs) return;
    if (loop || op->code == OP_SPAWN) bump_written(c, op);
    for (int i = 0; i < op->nregs; i++) visit_region(c, op->regs[i]);
    if (op->code == OP_SPAWN) bump_written(c, op); /* elsewhere each store has been met by now */
}

static void visit_region(Cse *c, Region *r) {
    Entry *mark = c->scope;
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        visit(c, op);
    }
    leave_scope(c, mark);
}

static int count_ops(const Region *r) {
    int n = 0;
    for (const Op *o = r->first; o; o = o->next) {
        n++;
        for (int i = 0; i < o->nregs; i++) n += count_ops(o->regs[i]);
    }
    return n;
}

void pass_cse(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) {
        Cse c = {.scratch = arena_new()};
        c.nbuckets = 16 + count_ops(m->funcs.data[i]->body);
        c.buckets = NEWN(c.scratch, Entry *, c.nbuckets);
        visit_region(&c, m->funcs.data[i]->body);
        arena_free(c.scratch);
    }
}
