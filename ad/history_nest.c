#include "ad/history_nest.h"

#include "ir/index.h"

enum { MOST_ACCESSES = 256, FEW = 4, MANY = 1000 };

Op *nest_root(const Nest *n) { return n->body->owner; }

/* ---- which arrays */

bool nest_lasts(const Nest *n, const Value *v) {
    const Lasting *put = map_get(&n->ad->put, v);
    const Value *carried = put ? put->carried : map_get(&n->ad->lasting, v);
    return carried && region_encloses(carried->region, n->body);
}

bool nest_is_lost(const Nest *n, const Op *read) {
    return !nest_lasts(n, &read->res[0]) && (read->code != OP_LOAD || is_needed(n->ad, &read->res[0]));
}

static bool is_few(const Size *size) {
    int64_t n;
    return size_is_const(size, &n) && n <= FEW;
}

static bool takes_few_turns(const Op *loop) {
    int64_t n;
    return loop_turns(loop, &n) && n <= FEW;
}

static int long_axes(const Type *t) {
    int n = 0;
    for (int i = 0; i < t->rank; i++) n += !is_few(t->dims[i]);
    return n;
}

/* Of threads in blocks, as one axis of both, the blocks. */
static bool is_long(const Value *index) {
    const Op *owner = index->region->owner;
    int64_t n;
    if (owner->code == OP_FOR) return !takes_few_turns(owner);
    if (blocks_beside(index) && is_long(blocks_beside(index))) return false;
    return !value_const_int(op_opnd(owner, index->index), &n) || n > FEW;
}

static bool is_around(const Op *op, const Op *read) {
    return op->code == OP_FOR || op->code == OP_IF ||
           (read->code == OP_LOAD && (op->code == OP_PARALLEL || op->code == OP_ISLAND));
}

/* How many long axes a turn of the root has of what the place reads; -1: something else than loops, branches and
 * threads is around it, or it has too many axes. */
static int lengths_of(const Nest *n, const Op *read) {
    const Turns t = turns_around(n->body, read->parent);
    int axes = t.len, lengths = 0;
    for (const Op *o = read->parent->owner; o != nest_root(n); o = o->parent->owner)
        if (!is_around(o, read)) return -1;
    if (read->code == OP_SLICE) axes += read->res[0].type->rank, lengths += long_axes(read->res[0].type);
    if (axes > TENSOR_RANK) return -1;
    for (int i = 0; i < t.len; i++) lengths += t.index[i]->region != n->body && is_long(t.index[i]);
    return lengths;
}

typedef struct { Nest *n; bool other; } Threads;

static void find_other(void *ctx, Op *op) {
    Threads *t = ctx;
    switch (op->code) {
    case OP_PARALLEL: case OP_FOR: t->other |= !axes_in_island(&t->n->axes, op->regs[0]->first); return;
    case OP_IF: case OP_REDUCE: case OP_LOAD: case OP_STORE: case OP_CHECK: case OP_YIELD: case OP_PREFETCH: return;
    case OP_ATOMIC: t->other |= op->nres > 0; return;
    default: break;
    }
    bool number = !op->nregs && op->nres == 1;
    t->other |= !number || !(op_info(op->code)->traits & TR_ELEM || value_is_fixed(&op->res[0]));
}

/* Threads that compute of what they read alone, in loops of which it is known how often they go around, and do not wait
 * for each other */
static bool is_plain(Nest *n, const Op *island) {
    Threads t = {n, false};
    region_walk(island->regs[0], find_other, &t);
    return !t.other;
}

/* Not so much that a turn of the root would read more than the array has. */
static bool may_be_seen(Nest *n, const Op *read, const Type *array) {
    int lengths = lengths_of(n, read);
    if (lengths < 0 || lengths > long_axes(array)) return false;
    return read->code != OP_LOAD || is_plain(n, op_around(read, OP_ISLAND));
}

/* The indices of threads, and of loops in them, around a load: of those of the nest, from *first on */
static Turns turns_of_threads(const Nest *n, const Op *load, int *first) {
    *first = turns_around(n->body, op_around(load, OP_ISLAND)->parent).len;
    return turns_around(n->body, load->parent);
}

/* The threads of an island read as much as the array has. */
static bool reads_whole(const Nest *n, const Op *load, const Type *array) {
    int first, lengths = 0;
    const Turns t = turns_of_threads(n, load, &first);
    for (int i = first; i < t.len; i++) lengths += is_long(t.index[i]);
    return lengths >= long_axes(array);
}

/* How many elements the threads of its island read there; what is not known is thought to be MANY. */
static double elements_read(const Nest *n, const Op *load) {
    int first;
    double elements = 1;
    const Turns t = turns_of_threads(n, load, &first);
    for (int i = first; i < t.len; i++) {
        const Op *owner = t.index[i]->region->owner;
        int64_t size;
        bool known = owner->code == OP_FOR ? loop_turns(owner, &size)
                                           : value_const_int(op_opnd(owner, t.index[i]->index), &size);
        if (known) elements *= (double)size;
        else if (is_long(t.index[i])) elements *= MANY;
    }
    return elements;
}

static double elements_of(const Type *t) {
    double elements = 1;
    for (int i = 0; i < t->rank; i++) {
        int64_t size;
        elements *= size_is_const(t->dims[i], &size) ? (double)size : MANY;
    }
    return elements;
}

/* The array itself is less to keep than what islands read of it: more than once as a whole, or, where they do not write
 * it, and the reverse reads it in its place, half of it. */
static bool is_much(const Nest *n, const Versions *v) {
    const Type *array = nest_root(n)->res[v->number].type;
    double before = 0;
    int whole = 0;
    for (int i = 0; i < v->reads.len; i++) {
        const Op *read = v->reads.data[i];
        if (read->code != OP_LOAD || !nest_is_lost(n, read)) continue;
        whole += reads_whole(n, read, array);
        if (!op_holds_write(op_around(read, OP_ISLAND), op_opnd(read, 0))) before += elements_read(n, read);
    }
    return whole > 1 || before >= 0.5 * elements_of(array);
}

static void choose_array(Nest *n, int k) {
    Versions *v = &n->arrays[k];
    const Type *t = nest_root(n)->res[k].type;
    if (!type_is_tensor(t) || !versions_find(n->ad->arena, nest_root(n), k, MOST_ACCESSES, v)) return;
    bool all = true, may = true;
    for (int i = 0; i < v->reads.len; i++) all &= !nest_is_lost(n, v->reads.data[i]);
    for (int i = 0; i < v->reads.len && !all && may; i++)
        may = !nest_is_lost(n, v->reads.data[i]) || may_be_seen(n, v->reads.data[i], t);
    may = may && (all || !is_much(n, v));
    n->known[k] = may, n->kept[k] = may && !all;
}

int nest_array_of(const Nest *n, const Value *v) {
    for (int k = 0; k < nest_root(n)->nres; k++)
        if (n->known[k] && map_has(&n->arrays[k].is, v)) return k;
    return -1;
}

/* ---- which loops */

static void add_island(Nest *n, Op *island) {
    if (map_has(&n->met, island->regs[0])) return;
    map_put(n->ad->arena, &n->met, island->regs[0], island);
    vec_push(n->ad->arena, &n->islands, island);
}

/* What is around the threads of an island, if op stands there */
static void add_loops(Nest *n, const Op *op, bool read) {
    Op *island = op_around(op, OP_ISLAND);
    if (island) add_island(n, island), op = island;
    for (Op *o = op->parent->owner; o != nest_root(n); o = o->parent->owner) {
        if ((o->code != OP_FOR && !read) || map_has(&n->met, o->regs[0])) continue;
        map_put(n->ad->arena, &n->met, o->regs[0], o);
        if (o->code == OP_FOR) vec_push(n->ad->arena, &n->order, o->regs[0]);
        else vec_push(n->ad->arena, &n->branches, o->regs[0]);
    }
}

static void find_loops(Nest *n) {
    n->order.len = n->branches.len = n->islands.len = 0, n->met = (Map){0};
    for (int k = 0; k < nest_root(n)->nres; k++) {
        const Versions *v = &n->arrays[k];
        for (int i = 0; i < v->reads.len && n->kept[k]; i++) add_loops(n, v->reads.data[i], true);
        for (int i = 0; i < v->writes.len && n->kept[k]; i++) add_loops(n, v->writes.data[i], false);
    }
}

/* What op's region reads or changes of the root is none of these. */
static void leave(Nest *n, const Region *body) {
    for (int k = 0; k < nest_root(n)->nres; k++) {
        const Versions *v = &n->arrays[k];
        bool uses = false;
        for (int i = 0; i < v->reads.len; i++) uses |= region_encloses(body, v->reads.data[i]->parent);
        for (int i = 0; i < v->writes.len; i++) uses |= region_encloses(body, v->writes.data[i]->parent);
        if (uses) n->kept[k] = n->known[k] = false;
    }
}

/* The loop, which does not run again, carries another array. */
static bool leave_loop(Nest *n, const Region *body) {
    bool other = false;
    for (int i = 0; i < body->owner->nres; i++)
        other |= type_is_tensor(body->args[1 + i]->type) && nest_array_of(n, body->args[1 + i]) < 0;
    if (other) leave(n, body);
    return other;
}

/* The island, which does not run again, changes another array, or what it computes is not all known. */
static bool leave_island(Nest *n, const Op *island) {
    bool other = !is_plain(n, island);
    for (int i = 0; i < island->nopnds; i++)
        other |= op_attr(island, A_MODES)->ints[i] && nest_array_of(n, op_opnd(island, i)) < 0;
    if (other) leave(n, island->regs[0]);
    return other;
}

bool nest_find(Nest *n) {
    for (int k = 0; k < nest_root(n)->nres; k++) choose_array(n, k);
    for (bool again = true; again;) {
        again = false;
        find_loops(n);
        for (int i = 0; i < n->order.len && !again; i++) again = leave_loop(n, n->order.data[i]);
        for (int i = 0; i < n->islands.len && !again; i++) again = leave_island(n, n->islands.data[i]);
    }
    return n->order.len || n->branches.len || n->islands.len; /* a loop without these has tapes that do as well */
}
