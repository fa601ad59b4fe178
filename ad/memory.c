/* Islands whose memory is reversed, in the manner of imperative programs.
 *
 * The adjoint of an island is an island: each parallel loop one of the same extent, each barrier a barrier, in the
 * reverse order; beside each buffer that varies lies one with the adjoints of its elements.  A load adds to the adjoint
 * of what it read; a store takes the adjoint of what it wrote, and leaves 0; an atomic sum reads it.  Where the island
 * has no race its reverse has none: two threads meet in an element only where both read it, so both add, by atomic
 * updates, which pass atomics makes plain where one thread alone comes.  Shared memory for adjoints begins with 0,
 * which the threads write, and a barrier.  What a value from outside of all threads gets is an array with an element
 * for each thread, and summed outside.
 *
 * Values that this needs are computed anew from what is only read, or were kept (tape.c). */
#include "ad/memory.h"

#include "ad/layout.h"
#include "ir/index.h"

static bool is_private(const Value *buf) { return buf->type->space == SPACE_PRIVATE; }

static Value *shadow_of(const Memory *m, const Value *buf) { return map_get(&m->shadow, buf); }

/* ---- accesses */

static Value *load_checked(Scope *s, const Op *primal, Value *shadow, int n, Value *const *idx) {
    return &checked_as(load_safe(&s->b, shadow, n, idx)->def, primal)->res[0];
}

static void reverse_load(Scope *s, Op *op) {
    Value *g = adjoint_of(s, &op->res[0]), *shadow = shadow_of(s->memory, op_opnd(op, 0)), *idx[MAX_RANK];
    if (!g || !shadow) return;
    int n = indices_of(s, op, 1, idx);
    explain_adjoint(s->ad, op->span, op_opnd(op, 0),
                    is_private(shadow) ? "plain additions: the memory is the thread's own"
                                       : "atomic updates, unless a later pass proves or rearranges them (below)");
    if (is_private(shadow)) {
        Value *old = load_checked(s, op, shadow, n, idx);
        store_safe(&s->b, build_binary(&s->b, OP_ADD, old, g), shadow, n, idx);
    } else checked_as(atomic_safe(&s->b, COMBINE_ADD, g, shadow, n, idx), op);
}

static void reverse_store(Scope *s, Op *op) {
    Value *shadow = shadow_of(s->memory, op_opnd(op, 1)), *idx[MAX_RANK];
    if (!shadow) return;
    int n = indices_of(s, op, 2, idx);
    Value *g = load_checked(s, op, shadow, n, idx);
    store_safe(&s->b, build_zero(&s->b, g->type), shadow, n, idx);
    if (s->memory->masked) mask(s->ad, g);
    add_adjoint(s, op_opnd(op, 0), g);
}

static void reverse_atomic(Scope *s, Op *op) {
    Value *shadow = shadow_of(s->memory, op_opnd(op, 1)), *idx[MAX_RANK];
    if (!shadow) return;
    if (op_combine(op) != COMBINE_ADD) return cannot(s->ad, op, "an atomic update other than +=, min= and max=");
    if (op->nres && adjoint_of(s, &op->res[0])) return cannot(s->ad, op, "what was there before an atomic update");
    int n = indices_of(s, op, 2, idx);
    Value *g = load_checked(s, op, shadow, n, idx);
    if (s->memory->masked) mask(s->ad, g);
    add_adjoint(s, op_opnd(op, 0), g);
}

static void reverse_barrier(Scope *s, Op *op) {
    Value *idx[MAX_RANK];
    int n = indices_of(s, op, 0, idx);
    build_op(&s->b, OP_BARRIER, n, idx, 0, NULL, 0);
}

/* ---- memory for adjoints */

void open_shadows(Scope *in) {
    Memory *m = in->memory;
    for (Op *o = in->of->first; o; o = o->next) {
        if (o->code != OP_ALLOC || !is_active(in->ad, &o->res[0])) continue;
        const Type *t = adjoint_type(in->ad, o->res[0].type);
        Op *made = build_op(&in->b, OP_ALLOC, 0, NULL, 1, &t, 0);
        map_put(in->ad->arena, &m->shadow, &o->res[0], &made->res[0]);
        if (!is_private(&o->res[0])) vec_push(in->ad->arena, &m->shared, &made->res[0]);
    }
}

/* The number of this thread among those of the parallel loop, and how many there are */
static void number_thread(Builder *b, const Op *par, Value **number, Value **count) {
    *number = build_int(b, 0), *count = build_int(b, 1);
    for (int i = 0; i < par->nopnds; i++) {
        *number = i ? build_binary(b, OP_ADD, build_binary(b, OP_MUL, *number, op_opnd(par, i)), par->regs[0]->args[i])
                    : par->regs[0]->args[0];
        *count = i ? build_binary(b, OP_MUL, *count, op_opnd(par, i)) : op_opnd(par, 0);
    }
}

/* Each thread writes every so manieth element. */
static void set_zero_by_number(Builder *b, const Op *par, Value *buf) {
    Value *number, *count, *total = build_int(b, 1), *dims[MAX_RANK], *idx[MAX_RANK];
    number_thread(b, par, &number, &count);
    build_dims(b, buf->type, dims);
    for (int i = 0; i < buf->type->rank; i++) total = build_binary(b, OP_MUL, total, dims[i]);
    Op *loop = build_for(b, number, total, count, 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    index_unflatten(&in, loop->regs[0]->args[0], buf->type->rank, dims, idx);
    store_safe(&in, build_float(&in, buf->type->dtype, 0), buf, buf->type->rank, idx);
    build_yield(&in, 0, NULL);
}

/* The last axes of buf have the extents of the threads: each thread writes those that are its own, in loops over the
 * axes before.  False: they have others. */
static bool set_zero_own(Builder b, const Op *par, Value *buf) {
    int rank = buf->type->rank, n = par->nopnds;
    Value *idx[MAX_RANK], *zero = build_int(&b, 0), *one = build_int(&b, 1);
    if (rank < n) return false;
    for (int i = 0; i < n; i++)
        if (index_size(idx[rank - n + i] = par->regs[0]->args[i]) != buf->type->dims[rank - n + i]) return false;
    for (int i = 0; i < rank - n; i++) {
        Op *loop = build_for(&b, zero, build_size(&b, buf->type->dims[i]), one, 0, NULL);
        idx[i] = loop->regs[0]->args[0];
        b = builder_at_end(b.module, loop->regs[0], b.span);
        build_yield(&b, 0, NULL);
        b = builder_before(region_term(loop->regs[0]));
    }
    store_safe(&b, build_float(&b, buf->type->dtype, 0), buf, rank, idx);
    return true;
}

static void set_zero(Builder *b, const Op *par, Value *buf) {
    if (!set_zero_own(*b, par, buf)) set_zero_by_number(b, par, buf);
}

static bool is_zero_before(const Memory *m, const Value *shared, const Op *par) {
    for (int i = 0; i < m->zeroed.len; i++)
        if (m->zeroed.data[i].shared == shared && op_dominates(m->zeroed.data[i].by, par)) return true;
    return false;
}

/* In the first loop over threads of each branch: launches come in versions, of which one runs. */
static void set_shared(Scope *in, const Op *par) {
    Memory *m = in->memory;
    bool any = false;
    for (int i = 0; i < m->shared.len; i++) {
        Value *shared = m->shared.data[i];
        if (is_zero_before(m, shared, par)) continue;
        set_zero(&in->b, par, shared);
        vec_push(in->ad->arena, &m->zeroed, ((struct Zeroed){shared, par}));
        any = true;
    }
    if (any) build_op(&in->b, OP_BARRIER, par->nopnds, par->regs[0]->args, 0, NULL, 0);
}

/* ---- parallel loops */

/* What v, from outside, gets from each thread: into an array that is summed behind the island, or by it behind the
 * threads; gives this array */
static Value *keep_sum(Scope *in, Op *par, Value *v, Value *g) {
    Memory *m = in->memory;
    Extents e = {0};
    Value *idx[MAX_RANK];
    explain_adjoint(in->ad, par->span, v, "a reduction in a fixed tree, of an element for each thread");
    Op first = {.parent = par->regs[0]};
    if (!extents_around(m, &first, &e)) return NULL;
    Builder host = builder_before(m->reverse.op);
    Value *into = open_operand(m, &m->reverse, build_zero(&host, type_of_extents(m, &e, g->type->dtype)), 2);
    struct Slot slot = {v, m->reverse.operands.len - 1};
    if (!region_encloses(m->island->regs[0], value_region(v))) vec_push(in->ad->arena, &m->slots, slot);
    indices_around(in, &first, idx);
    if (!e.n) idx[e.n++] = build_int(&in->b, 0);
    if (region_encloses(m->island->regs[0], value_region(v))) store_safe(&in->b, g, into, e.n, idx);
    else store_safe(&in->b, build_binary(&in->b, OP_ADD, load_safe(&in->b, into, e.n, idx), g), into, e.n, idx);
    return into;
}

/* The sum of what the threads of par have left in `from`, for a value that was computed before them */
static Value *sum_of_threads(Scope *s, Op *par, Value *from) {
    Value *idx[MAX_RANK], *extents[MAX_RANK];
    const Type *elem = type_elem(s->ad->module->session, from->type);
    int n = 0, before = from->type->rank;
    for (int i = 0; i < par->nopnds; i++)
        if (!value_is_const_int(op_opnd(par, i), 1)) extents[n++] = primal_of(s, op_opnd(par, i));
    int around = indices_around(s, par, idx);
    if (!n && !around) idx[0] = build_int(&s->b, 0);
    if (!n) return load_safe(&s->b, from, before, idx);
    Op *sum = build_op(&s->b, OP_REDUCE, n, extents, 1, &elem, 1);
    op_set_combine(sum, COMBINE_ADD);
    Builder in = builder_at_end(s->b.module, sum->regs[0], s->b.span);
    for (int i = 0; i < n; i++) idx[before - n + i] = region_add_arg(sum->regs[0], extents[i]->type, "k");
    Value *v = load_safe(&in, from, from->type->rank, idx);
    build_yield(&in, 1, &v);
    return &sum->res[0];
}

static void reverse_parallel(Scope *s, Op *op) {
    Value *extents[MAX_RANK];
    int n = indices_of(s, op, 0, extents);
    LoopKind kind = op_loop(op);
    ValueList free = active_free(s->ad, op);
    Op *made = build_parallel(&s->b, n, extents, kind);
    Scope in = open_scope(s, op->regs[0], made, 0);
    for (int i = 0; i < n; i++) map_put(s->ad->arena, &in.primal, op->regs[0]->args[i], made->regs[0]->args[i]);
    if (kind == LOOP_THREAD) set_shared(&in, made);
    reverse_region(&in);
    Value **kept = NEWN(s->ad->arena, Value *, free.len + 1);
    for (int i = 0; i < free.len && !s->ad->failed; i++)
        if (adjoint_of(&in, free.data[i])) kept[i] = keep_sum(&in, op, free.data[i], adjoint_of(&in, free.data[i]));
    build_yield(&in.b, 0, NULL);
    s->inner = NULL;
    for (int i = 0; i < free.len && !s->ad->failed; i++)
        if (kept[i] && region_encloses(s->memory->island->regs[0], value_region(free.data[i])))
            add_adjoint(s, free.data[i], sum_of_threads(s, op, kept[i]));
}

/* ---- sums in threads: what each of their terms gets */

/* A loop over axis k of the sum and those behind it; what is carried are the adjoints of what the terms mention */
static void sum_loop(Scope *s, Builder *b, Op *op, int k, Value **idx, const ValueList *free, Value **carried) {
    Value *zero = build_int(b, 0), *one = build_int(b, 1);
    Op *loop = build_for(b, zero, primal_of(s, op_opnd(op, k)), one, free->len, carried);
    idx[k] = loop->regs[0]->args[0];
    for (int i = 0; i < free->len; i++) carried[i] = loop->regs[0]->args[1 + i];
    Builder in = builder_at_end(b->module, loop->regs[0], op->span);
    if (k + 1 < op->nopnds) sum_loop(s, &in, op, k + 1, idx, free, carried);
    else {
        Scope body = open_scope(s, op->regs[0], loop, 0);
        for (int i = 0; i < op->nopnds; i++) map_put(s->ad->arena, &body.primal, op->regs[0]->args[i], idx[i]);
        for (int i = 0; i < free->len; i++) set_adjoint(&body, free->data[i], carried[i]);
        for (int i = 0; i < op->nres; i++)
            add_adjoint(&body, op_opnd(region_term(op->regs[0]), i), adjoint_of(s, &op->res[i]));
        reverse_region(&body);
        for (int i = 0; i < free->len; i++) carried[i] = adjoint_of(&body, free->data[i]);
        in = body.b;
    }
    build_yield(&in, free->len, carried);
    for (int i = 0; i < free->len; i++) carried[i] = &loop->res[i];
}

static void reverse_sum(Scope *s, Op *op) {
    Ad *ad = s->ad;
    ValueList free = active_free(ad, op);
    Value **carried = NEWN(ad->arena, Value *, free.len + 1), *idx[MAX_RANK];
    for (int i = 0; i < op->nopnds; i++) primal_of(s, op_opnd(op, i));
    for (int i = 0; i < free.len; i++) carried[i] = adjoint_or_zero(s, free.data[i]);
    sum_loop(s, &s->b, op, 0, idx, &free, carried);
    s->inner = NULL;
    for (int i = 0; i < free.len; i++) set_adjoint(s, free.data[i], carried[i]);
}

/* Whether op writes memory, or waits, so that it is reversed though nobody asks for its results */
static void find_write(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_STORE || op->code == OP_ATOMIC || op->code == OP_BARRIER || op->code == OP_PARALLEL;
}

static bool writes(const Op *op) {
    bool found = false;
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_write, &found);
    return found;
}

bool reverse_memory(Scope *s, Op *op) {
    switch (op->code) {
    case OP_PARALLEL: return reverse_parallel(s, op), true;
    case OP_LOAD: return reverse_load(s, op), true;
    case OP_STORE: return reverse_store(s, op), true;
    case OP_ATOMIC: return reverse_atomic(s, op), true;
    case OP_BARRIER: return reverse_barrier(s, op), true;
    case OP_ALLOC: case OP_PREFETCH: return true;
    case OP_IF: return writes(op) ? reverse_if(s, op), true : false;
    case OP_FOR: case OP_WHILE: return writes(op) ? reverse_loop(s, op), true : false;
    case OP_SPAWN: return cannot(s->ad, op, "spawn in a launch or parallel loop"), true;
    case OP_REDUCE: return adjoint_of(s, &op->res[0]) ? reverse_sum(s, op), true : true;
    default: return false;
    }
}

/* ---- the island */

/* The result of the k-th operand, which is written */
typedef struct { Ad *ad; VEC(Op *) list; Memory *m; bool uneven; } Loops;

/* Loops that not all threads go around alike: the island is run once more to count their turns, and must be as it was
 * then. */
static void find_uneven(void *ctx, Op *op) {
    Loops *l = ctx;
    int n = op->code == OP_FOR ? 3 : op->code == OP_REDUCE ? op->regs[0]->nargs : 0;
    for (int i = 0; i < n; i++) l->uneven |= !known_at_host(l->m, op_opnd(op, i));
}

static void find_while(void *ctx, Op *op) {
    Loops *l = ctx;
    if (op->code == OP_WHILE) vec_push(l->ad->arena, &l->list, op);
}

/* The island runs again for its tapes, if there are any, where it stands in a loop or has uneven loops, and where it
 * has a `while`, which counts its turns there. */
static void begin_forward(Memory *m, bool stands_here) {
    Scope *s = m->host;
    Ad *ad = s->ad;
    Loops whiles = {.ad = ad, .m = m}, copies = {.ad = ad};
    m->forward.op = m->island;
    region_walk(m->island->regs[0], find_while, &whiles);
    region_walk(m->island->regs[0], find_uneven, &whiles);
    m->again = (s->up && !stands_here) || whiles.list.len || whiles.uneven;
    if (!whiles.list.len) return;
    m->forward.op = clone_island(m, &m->clone, &s->b);
    region_walk(m->forward.op->regs[0], find_while, &copies);
    for (int i = 0; i < whiles.list.len; i++) {
        Op *loop = whiles.list.data[i];
        Value *turns = with_turns(ad, copies.list.data[i]);
        map_put(ad->arena, &m->turns, loop, turns);
        for (int k = 0; k < loop->nres; k++)
            map_put(ad->arena, &m->clone.values, &loop->res[k], &turns->region->owner->res[k]);
    }
    forget_effects(m->forward.op);
}

/* The buffer with the adjoints of an operand: which operand of the reverse it is; -1: the operand does not vary.
 * goes_on: it begins with what its adjoint is so far, and is the adjoint behind the reverse. */
typedef struct { int operand; bool goes_on; } Buffer;

/* What the island only reads; once, if it reads it as several. */
static bool may_go_on(const Memory *m, int operand) {
    const int64_t *modes = op_attr(m->island, A_MODES)->ints;
    Value *tensor = op_opnd(m->island, operand);
    if (modes[operand] || !adjoint_of(m->host, tensor)) return false;
    for (int i = 0; i < m->island->nopnds; i++)
        if (op_opnd(m->island, i) == tensor && (i < operand || modes[i])) return false;
    return true;
}

static Buffer open_buffer(Memory *m, int i, bool apart) {
    Scope *s = m->host;
    Value *arg = m->island->regs[0]->args[i], *tensor = op_opnd(m->island, i), *g = NULL;
    if (!is_active(s->ad, arg)) return (Buffer){.operand = -1};
    Builder b = builder_before(m->reverse.op);
    Buffer made = {m->reverse.operands.len, !apart && may_go_on(m, i)};
    if (op_attr(m->island, A_MODES)->ints[i]) g = adjoint_of(s, island_result(m->island, i));
    else if (made.goes_on) g = adjoint_of(s, tensor);
    if (!g) g = adjoint_zero(s->ad, &b, tensor);
    if (!g->name) g->name = arg->name;
    map_put(s->ad->arena, &m->shadow, arg, open_operand(m, &m->reverse, g, 2));
    return made;
}

static void take_buffer(Memory *m, const Op *reverse, Buffer buffer, Value *tensor) {
    Scope *s = m->host;
    Value *g = island_result(reverse, buffer.operand);
    if (m->masked || is_masked(s->ad, m->reverse.operands.data[buffer.operand])) mask(s->ad, g);
    if (buffer.goes_on) set_adjoint(s, tensor, g);
    else add_adjoint(s, tensor, g);
}

/* What values from outside get before the threads begin */
static void keep_single(Scope *in, const ValueList *free) {
    Memory *m = in->memory;
    for (int i = 0; i < free->len; i++) {
        Value *v = free->data[i], *g = adjoint_of(in, v), *zero;
        if (!g) continue;
        Builder host = builder_before(m->reverse.op);
        Value *into = open_operand(m, &m->reverse, build_zero(&host, type_of_extents(m, &(Extents){0}, g->type->dtype)),
                                   2);
        struct Slot slot = {v, m->reverse.operands.len - 1};
        vec_push(in->ad->arena, &m->slots, slot);
        zero = build_int(&in->b, 0);
        store_safe(&in->b, g, into, 1, &zero);
    }
}

static Value *origin_of(const Map *origin, Value *v) { return origin && map_has(origin, v) ? map_get(origin, v) : v; }

/* Numbers from outside, which a branch of the island may use: what comes back to them is 0 where it is not taken. */
static void give_to_numbers(Memory *m, const Op *reverse, const Map *origin) {
    Scope *s = m->host;
    bool masked = m->masked || op_holds(m->island, OP_IF);
    for (int i = 0; i < m->slots.len; i++) {
        Value *sum = sum_axes(&s->b, island_result(reverse, m->slots.data[i].operand), 0, NULL, NULL);
        add_adjoint(s, origin_of(origin, m->slots.data[i].of), masked ? mask(s->ad, sum) : sum);
    }
}

void reverse_by_memory(Scope *s, Op *island, const Map *origin) {
    Ad *ad = s->ad;
    Memory m = {.host = s, .island = island, .masked = has_choice(ad, island), .columns = threads_go_down(island)};
    for (int i = 0; i < island->nres; i++) m.masked |= is_masked(ad, adjoint_of(s, &island->res[i]));
    int n = island->nopnds;
    Buffer *buffers = NEWN(ad->arena, Buffer, n + 1);
    Value **tensors = NEWN(ad->arena, Value *, n + 1);
    if (has_own_sizes(island))
        return cannot(ad, island, "an array whose size is found in a launch or parallel loop (a for goes through)");
    begin_forward(&m, origin != NULL);
    m.reverse.op = build_op(&s->b, OP_ISLAND, 0, NULL, 0, NULL, 1);
    op_set_ints(m.reverse.op, A_MODES, 0, NULL);
    for (int i = 0; i < n; i++) tensors[i] = origin_of(origin, op_opnd(island, i));
    for (int i = 0; i < n; i++) buffers[i] = open_buffer(&m, i, origin);
    Scope in = {.ad = ad,
                .up = s,
                .of = island->regs[0],
                .b = builder_at_end(ad->module, m.reverse.op->regs[0], island->span),
                .memory = &m};
    s->inner = m.forward.op != island ? m.forward.op : m.reverse.op;
    open_shadows(&in);
    ValueList free = active_free(ad, island);
    reverse_region(&in);
    keep_single(&in, &free);
    build_yield(&in.b, 0, NULL);
    s->inner = NULL;
    if (ad->failed) return;
    const Op *forward = m.tapes.len ? close_island(&m, &m.forward) : m.forward.op;
    int first = forward->nres - m.tapes.len;
    for (int i = 0; i < m.tapes.len; i++)
        m.reverse.operands.data[m.tapes.data[i].operand] = (Value *)&forward->res[first + i];
    const Op *reverse = close_island(&m, &m.reverse);
    if (m.forward.op != island && !m.tapes.len) op_erase(m.forward.op);
    for (int i = 0; i < n; i++)
        if (buffers[i].operand >= 0) take_buffer(&m, reverse, buffers[i], tensors[i]);
    give_to_numbers(&m, reverse, origin);
}
