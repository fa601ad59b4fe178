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
 * Reductions, and comprehensions that hold some, are compared with all that is in them.
 *
 * What costs anything is merged with what stands on its side of the clock alone: behind time() it is done again.
 *
 * Operations that may stop the program are merged too: the first one has stopped it already; so are checks of one
 * condition. */
#include "analysis/clock.h"
#include "opt/par/cse.h"
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
    bool signs;   /* what is there with the other sign is found */
    intptr_t stretch; /* times that the clock has been read above */
} Cse;

/* ---- keys */

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * UINT64_C(0x9E3779B97F4A7C15) ^ (h >> 29); }

static uint64_t hash_access(const Op *op, int first) {
    uint64_t h = OP_LOAD;
    for (int i = first; i < op->nopnds; i++) h = mix(h, (uintptr_t)op_opnd(op, i));
    return h;
}

/* Values of regions are compared by their numbers there: those of the one region with those of the other. */
typedef struct { Arena *arena; Map numbers; intptr_t last; } Numbers;

static void number(Numbers *n, const Value *v) { map_put(n->arena, &n->numbers, v, (void *)++n->last); }

static uint64_t hash_in(Numbers *n, const Op *op) {
    uint64_t h = op->code;
    for (int i = 0; i < op->nopnds; i++) {
        const void *at = map_get(&n->numbers, op_opnd(op, i));
        h = mix(h, at ? (uintptr_t)at : (uintptr_t)op_opnd(op, i));
    }
    for (int i = 0; i < op->nres; i++) number(n, &op->res[i]);
    for (int k = 0; k < op->nregs; k++) {
        for (int i = 0; i < op->regs[k]->nargs; i++) number(n, op->regs[k]->args[i]);
        for (const Op *o = op->regs[k]->first; o; o = o->next) h = mix(h, hash_in(n, o));
    }
    return h;
}

static uint64_t hash_op(const Op *op) {
    uint64_t h = op->code;
    if (op->code == OP_LOAD) return hash_access(op, 0);
    if (op->nregs) {
        Numbers n = {.arena = arena_new()};
        h = hash_in(&n, op);
        arena_free(n.arena);
    }
    for (int i = 0; i < op->nopnds; i++) h = mix(h, (uintptr_t)op_opnd(op, i));
    for (int i = 0; i < op->nres; i++) h = mix(h, (uintptr_t)op->res[i].type);
    const Attr *a = op_attr(op, A_VALUE);
    uint64_t bits;
    if (!a) return h;
    memcpy(&bits, &a->c.f, sizeof bits);
    return mix(h, bits ^ (uint64_t)a->c.i ^ (uintptr_t)a->c.s);
}

/* like: values of b's regions -> those of a's; NULL: outside of all regions */
typedef struct { Arena *arena; Map of; } Like;

static bool same_values(const Op *a, const Op *b, const Like *like) {
    if (a->code != b->code || a->nopnds != b->nopnds || a->nres != b->nres || a->nregs != b->nregs) return false;
    for (int i = 0; i < a->nopnds; i++) {
        const Value *x = like ? map_get(&like->of, op_opnd(b, i)) : NULL;
        if (op_opnd(a, i) != (x ? x : op_opnd(b, i))) return false;
    }
    for (int i = 0; i < a->nres; i++)
        if (a->res[i].type != b->res[i].type) return false;
    return op_same_attrs(a, b);
}

static bool same_regions(const Op *a, const Op *b, Like *like) {
    for (int i = 0; i < a->nres; i++) map_put(like->arena, &like->of, &b->res[i], (void *)(uintptr_t)&a->res[i]);
    for (int k = 0; k < a->nregs; k++) {
        const Region *r = a->regs[k], *s = b->regs[k];
        if (r->nargs != s->nargs) return false;
        for (int i = 0; i < r->nargs; i++) map_put(like->arena, &like->of, s->args[i], r->args[i]);
        const Op *o = r->first, *p = s->first;
        for (; o && p; o = o->next, p = p->next)
            if (!same_values(o, p, like) || !same_regions(o, p, like)) return false;
        if (o || p) return false;
    }
    return true;
}

static bool same_op(const Op *a, const Op *b) {
    if (!same_values(a, b, NULL)) return false;
    if (!a->nregs) return true;
    Like like = {.arena = arena_new()};
    bool same = same_regions(a, b, &like);
    arena_free(like.arena);
    return same;
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

/* What costs anything is found on this side of the clock alone. */
static intptr_t stretch_of(const Cse *c, const Op *op) { return clock_overlooks(op) ? 0 : c->stretch; }

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

/* ---- floats that are there with the other sign, where cse_signs asks for them */

static Op *find_like(const Cse *c, const Op *op, Value *x, Value *y) {
    Use opnds[2] = {{.val = x}, {.val = y}};
    Op like = *op;
    like.opnds = opnds;
    const Entry *e = find_op(c, &like, hash_op(&like), stretch_of(c, &like));
    return e ? e->op : NULL;
}

static Value *without_sign(Value *v, bool *minus) {
    if (!v->def || v->def->code != OP_NEG || !dtype_is_float(v->type->dtype)) return v;
    *minus = !*minus;
    return op_opnd(v->def, 0);
}

/* With either sign of x and y, which are there as ux and uy without it; *minus: of what is found */
static Op *find_product(const Cse *c, const Op *op, Value *const *x, Value *const *y, const bool *signs, bool *minus) {
    for (int i = 0; i < 4; i++) {
        Value *a = x[i & 1], *b = y[i >> 1];
        Op *found = find_like(c, op, a, b);
        if (!found && op->code == OP_MUL) found = find_like(c, op, b, a);
        *minus = (i & 1 && signs[0]) != (i >> 1 && signs[1]);
        if (found) return found;
    }
    return NULL;
}

static Op *find_either_way(const Cse *c, const Op *op, Value *x, Value *y) {
    Op *found = find_like(c, op, x, y);
    return found ? found : find_like(c, op, y, x);
}

/* *minus: it is that with the other sign */
static Op *find_sum(const Cse *c, const Op *op, Value *x, Value *y, bool both, bool *minus) {
    Op *found = NULL;
    *minus = both;
    if (both && !value_sign_of_zero_lost(&op->res[0])) return NULL;
    if (op->code == OP_ADD) return find_either_way(c, op, x, y);
    if (both) found = find_like(c, op, x, y);
    if (found || !value_sign_of_zero_lost(&op->res[0])) return found;
    *minus = !both;
    return find_like(c, op, y, x);
}

/* As it is, then with both signs turned */
static Op *find_sums(const Cse *c, const Op *op, Value *const *x, Value *const *y, bool both, bool *minus) {
    Op *found = find_sum(c, op, x[0], y[0], false, minus);
    return found || !both ? found : find_sum(c, op, x[1], y[1], true, minus);
}

static Op *find_with_sign(const Cse *c, const Op *op, bool *minus) {
    bool sx = false, sy = false;
    if (!op->nopnds || op->nres != 1) return NULL;
    Value *x = op_opnd(op, 0), *y = op->nopnds > 1 ? op_opnd(op, 1) : NULL;
    if (op->code == OP_EQ || op->code == OP_NE) return find_like(c, op, y, x);
    if (op->res[0].type->kind != TY_SCALAR || !dtype_is_float(op->res[0].type->dtype)) return NULL;
    Value *ux = without_sign(x, &sx), *uy = y ? without_sign(y, &sy) : NULL;
    switch (op->code) {
    case OP_MUL: case OP_DIV:
        return find_product(c, op, (Value *[]){x, ux}, (Value *[]){y, uy}, (bool[]){sx, sy}, minus);
    case OP_ROUND: case OP_TRUNC: return (*minus = sx) ? find_like(c, op, ux, NULL) : NULL;
    case OP_ADD: case OP_SUB: return find_sums(c, op, (Value *[]){x, ux}, (Value *[]){y, uy}, sx && sy, minus);
    default: return NULL;
    }
}

static void replace_value(Op *op, Value *by) {
    value_replace_all(&op->res[0], by);
    op_erase(op);
}

static void visit_plain(Cse *c, Op *op);

/* op becomes found, or its negative */
static void take_sign(Cse *c, Op *op, Op *found, bool minus) {
    Builder b = builder_before(op);
    Value *v = minus ? build_unary(&b, OP_NEG, &found->res[0]) : &found->res[0];
    replace_value(op, v);
    if (minus) visit_plain(c, v->def);
}

/* ---- the walk */

/* Merging these would make two tensors one that must then be copied before it is changed. */
static bool is_candidate(const Op *op) {
    int traits = op_info(op->code)->traits;
    bool plain = !op->nregs && op->nres && !(traits & (TR_TERM | TR_READ | TR_WRITE | TR_EFFECT | TR_ALLOC));
    return plain && op->code != OP_FILL && op->code != OP_UPDATE && op->code != OP_INSERT && op->code != OP_BLAS &&
           op->code != OP_VIEW;
}

static bool reads_memory(const Op *op) {
    bool constant = op->code == OP_LOAD && value_is_only_read(op_opnd(op, 0));
    return op_info(op->code)->traits & TR_READ && !constant;
}

/* A reduction, or a comprehension that holds one, which takes longer than to keep what it gives.  Sizes that its body
 * finds are its own; memory that it reads may have changed. */
static bool is_costly(const Op *op) {
    bool loop = op->code == OP_REDUCE || (op->code == OP_GENERATE && (op_holds(op, OP_REDUCE) || op_holds(op, OP_FOR)));
    return loop && op_is_removable(op) && !op_holds(op, OP_BIND) && !op_reaches(op, reads_memory);
}

static void replace(Op *op, Op *by) {
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], &by->res[i]);
    op_erase(op);
}

static void visit_plain(Cse *c, Op *op) {
    bool minus = false, again = c->signs && op->code == OP_NEG && op_opnd(op, 0)->def;
    uint64_t h = hash_op(op);
    intptr_t stretch = stretch_of(c, op);
    Entry *e = find_op(c, op, h, stretch);
    Op *other = e || !c->signs ? NULL : find_with_sign(c, op, &minus);
    if (e) replace(op, e->op);
    else if (other) take_sign(c, op, other, minus);
    else if (again && op_opnd(op, 0)->def->code == OP_NEG) replace_value(op, op_opnd(op_opnd(op, 0)->def, 0));
    else add(c, op, NULL, h, stretch);
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
    if (is_costly(op)) visit_plain(c, op);
    else if (op->code == OP_SPAWN) bump_written(c, op); /* elsewhere each store has been met by now */
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

static void cse(Func *f, bool signs) {
    Cse c = {.scratch = arena_new(), .signs = signs};
    c.nbuckets = 16 + count_ops(f->body);
    c.buckets = NEWN(c.scratch, Entry *, c.nbuckets);
    visit_region(&c, f->body);
    arena_free(c.scratch);
}

void cse_signs(Func *f) { cse(f, true); }

void pass_cse(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) cse(m->funcs.data[i], false);
}
