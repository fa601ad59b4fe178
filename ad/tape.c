/* What the reverse of an island needs of its values: what can be computed from what is only read is computed anew; what
 * was read from memory that changes, and what loops carried, is kept in tapes: arrays with an element for each thread
 * and turn.
 *
 * So the extents of tapes are those of the parallel loops and the numbers of turns of the loops around the value, and
 * have to be known before the island. */
#include "ad/layout.h"
#include "ad/memory.h"

bool is_written(const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if (u->index == 1 && (u->user->code == OP_STORE || u->user->code == OP_ATOMIC)) return true;
    return false;
}

/* ---- operands of islands that are being made */

Value *open_operand(Memory *m, Open *o, Value *tensor, int mode) {
    Ad *ad = m->host->ad;
    vec_push(ad->arena, &o->operands, tensor);
    vec_push(ad->arena, &o->modes, (int64_t)mode);
    return region_add_buf(o->op->regs[0], tensor->type, tensor->name);
}

Value *buffer_of(Memory *m, Value *tensor) {
    for (int i = 0; i < m->reverse.operands.len; i++)
        if (m->reverse.operands.data[i] == tensor && !m->reverse.modes.data[i])
            return m->reverse.op->regs[0]->args[i];
    return open_operand(m, &m->reverse, tensor, 0);
}

Op *with_operands(Ad *ad, Op *island, int n, Value *const *tensors, const int64_t *modes) {
    int had = island->nopnds, nres = island->nres;
    Value **opnds = NEWN(ad->arena, Value *, had + n + 1);
    int64_t *all = NEWN(ad->arena, int64_t, had + n + 1);
    const Type **types = NEWN(ad->arena, const Type *, nres + n + 1);
    for (int i = 0; i < nres; i++) types[i] = island->res[i].type;
    for (int i = 0; i < had + n; i++) {
        opnds[i] = i < had ? op_opnd(island, i) : tensors[i - had];
        all[i] = i < had ? op_attr(island, A_MODES)->ints[i] : modes[i - had];
        if (i >= had && all[i]) types[nres++] = opnds[i]->type;
    }
    Op *made = op_rebuild(island, had + n, opnds, nres, types);
    op_set_ints(made, A_MODES, had + n, all);
    active_replace(ad, island, made);
    return made;
}

/* The island with the operands that came */
Op *close_island(Memory *m, Open *o) {
    return o->op = with_operands(m->host->ad, o->op, o->operands.len, o->operands.data, o->modes.data);
}

/* ---- the run that writes tapes: the island itself, or it once more, once it is asked for */

static bool is_to_run(const Memory *m) { return m->again && m->forward.op == m->island; }

/* What the island needs to know goes before this. */
static Op *place_at_host(const Memory *m) { return is_to_run(m) ? m->reverse.op : m->forward.op; }

static Builder host_builder(const Memory *m) { return builder_before(place_at_host(m)); }

/* ---- values that all threads agree on */

static bool in_island(const Memory *m, const Value *v) { return region_encloses(m->island->regs[0], value_region(v)); }

/* Computed from other values, or a constant */
static bool is_computed(const Value *v) {
    const Op *d = v->def;
    return d && !d->nregs && d->nres == 1 && (op_info(d->code)->traits & TR_ELEM || value_is_fixed(v));
}

bool known_at_host(const Memory *m, const Value *v) {
    if (!in_island(m, v)) return true;
    if (!is_computed(v) || dtype_is_float(v->type->dtype)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!known_at_host(m, op_opnd(v->def, i))) return false;
    return true;
}

/* Before `at`, where the host stands */
static Value *build_at_host(Memory *m, Op *at, Value *v) {
    if (!in_island(m, v)) return primal_of(m->host, v);
    Cloner c = {.module = m->host->ad->module};
    for (int i = 0; i < v->def->nopnds; i++)
        map_put(m->host->ad->arena, &c.values, op_opnd(v->def, i), build_at_host(m, at, op_opnd(v->def, i)));
    Builder b = builder_before(at);
    return &clone_op(&c, &b, v->def)->res[0];
}

Value *value_at_host(Memory *m, Value *v) {
    return known_at_host(m, v) ? build_at_host(m, place_at_host(m), v) : NULL;
}

static Value *host_const(const Memory *m, int64_t v) {
    Builder b = host_builder(m);
    return build_int(&b, v);
}

/* ---- the turns of a `while` that all threads agree on: what its condition needs, counted before the island */

typedef struct { Memory *m; Op *loop, *made; bool *needed; Map known; Builder b; bool changed; } Slice;

static bool in_loop(const Slice *s, const Value *v) {
    return region_encloses(s->loop->regs[0], value_region(v)) || region_encloses(s->loop->regs[1], value_region(v));
}

/* v, which is marked, where the turns are counted */
static Value *sliced(Slice *s, Value *v) {
    Value *known = map_get(&s->known, v);
    if (known) return known;
    if (!in_loop(s, v)) return build_at_host(s->m, s->made, v);
    Cloner c = {.module = s->b.module};
    for (int i = 0; i < v->def->nopnds; i++)
        map_put(s->m->host->ad->arena, &c.values, op_opnd(v->def, i), sliced(s, op_opnd(v->def, i)));
    Value *made = &clone_op(&c, &s->b, v->def)->res[0];
    map_put(s->m->host->ad->arena, &s->known, v, made);
    return made;
}

/* Marks what v needs of what the loop carries; false: memory, or something else that only the island knows */
static bool need(Slice *s, Value *v) {
    for (int k = 0; k < 2 && !v->def; k++)
        if (v->region == s->loop->regs[k]) return s->changed |= !s->needed[v->index], s->needed[v->index] = true;
    if (!in_loop(s, v)) return known_at_host(s->m, v);
    if (!is_computed(v)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!need(s, op_opnd(v->def, i))) return false;
    return true;
}

static Value *count_while(Memory *m, Op *loop) {
    Value *counted = map_get(&m->counted, loop);
    if (counted) return counted;
    Ad *ad = m->host->ad;
    int n = loop->nres, kept = 0;
    Slice s = {.m = m, .loop = loop, .needed = NEWN(ad->arena, bool, n + 1), .changed = true};
    if (!need(&s, op_opnd(region_term(loop->regs[0]), 0))) return NULL;
    while (s.changed) {
        s.changed = false;
        for (int i = 0; i < n; i++)
            if (s.needed[i] &&
                (!need(&s, op_opnd(region_term(loop->regs[1]), i)) || !known_at_host(m, op_opnd(loop, i))))
                return NULL;
    }
    Value **init = NEWN(ad->arena, Value *, n + 1), **next = NEWN(ad->arena, Value *, n + 1);
    const Type **types = NEWN(ad->arena, const Type *, n + 1);
    for (int i = 0; i < n; i++)
        if (s.needed[i]) init[kept] = value_at_host(m, op_opnd(loop, i)), types[kept] = init[kept]->type, kept++;
    init[kept] = host_const(m, 0), types[kept] = init[kept]->type;
    Builder b = host_builder(m);
    Op *made = s.made = build_op(&b, OP_WHILE, kept + 1, init, kept + 1, types, 2);
    for (int k = 0; k < 2; k++) {
        int at = 0;
        s.known = (Map){0};
        s.b = builder_at_end(b.module, made->regs[k], loop->span);
        for (int i = 0; i < n; i++)
            if (s.needed[i])
                map_put(ad->arena, &s.known, loop->regs[k]->args[i], region_add_arg(made->regs[k], types[at++], "c"));
        Value *turns = region_add_arg(made->regs[k], types[kept], "turns");
        at = 0;
        if (!k) next[at++] = sliced(&s, op_opnd(region_term(loop->regs[0]), 0));
        for (int i = 0; i < n && k; i++)
            if (s.needed[i]) next[at++] = sliced(&s, op_opnd(region_term(loop->regs[1]), i));
        if (k) next[at++] = build_binary(&s.b, OP_ADD, turns, build_int(&s.b, 1));
        build_yield(&s.b, at, next);
    }
    map_put(ad->arena, &m->counted, loop, &made->res[kept]);
    return &made->res[kept];
}

/* ---- the island once more */

/* The island once more; in *c its values */
Op *clone_island(Memory *m, Cloner *c, Builder *b) {
    Scope *s = m->host;
    c->module = s->ad->module;
    ValueList free = all_free(s->ad, m->island);
    for (int i = 0; i < m->island->nopnds; i++)
        map_put(s->ad->arena, &c->values, op_opnd(m->island, i), primal_of(s, op_opnd(m->island, i)));
    for (int i = 0; i < free.len; i++) map_put(s->ad->arena, &c->values, free.data[i], primal_of(s, free.data[i]));
    return clone_op(c, b, m->island);
}

/* ---- how much stands around a value */

static Value *turns_at_host(Memory *m, Op *loop) {
    if (loop->code == OP_WHILE) return count_while(m, loop);
    Value *lo = value_at_host(m, op_opnd(loop, 0)), *hi = value_at_host(m, op_opnd(loop, 1)),
          *step = value_at_host(m, op_opnd(loop, 2));
    Builder b = host_builder(m);
    return lo && hi && step ? build_count(&b, lo, hi, step) : NULL;
}

/* The operation that stands in `copy`, a copy of `of`, where op stands in `of` */
static Op *counterpart(const Op *op, const Op *of, Op *copy) {
    if (op == of) return copy;
    const Op *owner = op->parent->owner;
    int k = 0;
    while (owner->regs[k] != op->parent) k++;
    Op *at = counterpart(owner, of, copy)->regs[k]->first;
    for (const Op *o = op->parent->first; o != op; o = o->next) at = at->next;
    return at;
}

/* Where no count is known before the island it runs once more, before, to find the greatest: kept is room for that
 * many. `of`: a loop, or a sum and which of its extents. */
static Value *greatest_count(Memory *m, Op *of, int axis) {
    Ad *ad = m->host->ad;
    Builder b = host_builder(m);
    Cloner c = {0};
    Value *zero = build_int(&b, 0), *most = build_fill(&b, zero, type_of_extents(m, &(Extents){0}, DT_I64)), *count;
    most->name = "most";
    Open run = {.op = clone_island(m, &c, &b)};
    Op *copy = counterpart(of, m->island, run.op);
    if (of->code == OP_WHILE) copy = with_turns(ad, copy)->region->owner;
    forget_effects(run.op);
    Builder at = of->code == OP_WHILE ? builder_after(copy) : builder_before(copy);
    if (of->code == OP_WHILE) count = turns_of(copy);
    else if (of->code == OP_REDUCE) count = op_opnd(copy, axis);
    else count = build_count(&at, op_opnd(copy, 0), op_opnd(copy, 1), op_opnd(copy, 2));
    Value *first = build_int(&at, 0);
    atomic_safe(&at, COMBINE_MAX, count, open_operand(m, &run, most, 2), 1, &first);
    Op *made = close_island(m, &run);
    return extract_safe(&b, &made->res[made->nres - 1], 1, &zero);
}

static const Size *size_of_value(Memory *m, Value *v) {
    if (v->def && v->def->code == OP_SIZE) return op_attr(v->def, A_SIZE)->sizes[0];
    if (v->def && v->def->code == OP_CONST)
        return size_const(m->host->ad->module->session, op_attr(v->def, A_VALUE)->c.i);
    const char *sym = module_fresh_sym(m->host->ad->module, "kept");
    Builder b = host_builder(m);
    build_bind(&b, v, sym);
    return size_sym(m->host->ad->module->session, sym);
}

/* what: what has this extent, for the next time */
static bool add_extent(Memory *m, Extents *out, const void *what, Value *v, const Op *where) {
    if (out->n == TENSOR_RANK)
        return cannot(m->host->ad, where, "a nest of this many loops in a launch or parallel loop"), false;
    const Size *known = map_get(&m->extent, what);
    if (!known) map_put(m->host->ad->arena, &m->extent, what, (void *)(uintptr_t)(known = size_of_value(m, v)));
    out->dims[out->n++] = known;
    return true;
}

static bool add_loop(Memory *m, Extents *out, Op *loop) {
    Value *n = map_has(&m->extent, loop) ? NULL : turns_at_host(m, loop);
    if (!n && !map_has(&m->extent, loop)) n = greatest_count(m, loop, 0);
    return add_extent(m, out, loop, n, loop);
}

static bool add_index(Memory *m, Extents *out, Op *owner, int i) {
    const Value *index = owner->regs[0]->args[i];
    Value *n = map_has(&m->extent, index) ? NULL : value_at_host(m, op_opnd(owner, i));
    if (!n && !map_has(&m->extent, index) && owner->code == OP_PARALLEL)
        return cannot(m->host->ad, owner, "a parallel loop, the extent of which is found in a launch"), false;
    if (!n && !map_has(&m->extent, index)) n = greatest_count(m, owner, i);
    return add_extent(m, out, index, n, owner);
}

/* The axes around a place in the island, outermost first: the loop of each, and its index, NULL for a `while`.  other:
 * something else that is around it */
typedef struct { Op *loop[MAX_RANK]; Value *index[MAX_RANK]; int n; Op *other; } Around;

static bool is_loop(const Op *op) { return op->code == OP_FOR || op->code == OP_WHILE; }

static void find_around(const Memory *m, Op *owner, Around *out) {
    if (owner == m->island) return;
    find_around(m, owner->parent->owner, out);
    bool indexed = owner->code == OP_PARALLEL || owner->code == OP_REDUCE;
    if (is_loop(owner))
        out->loop[out->n] = owner, out->index[out->n++] = owner->code == OP_FOR ? owner->regs[0]->args[0] : NULL;
    for (int i = 0; indexed && i < owner->regs[0]->nargs; i++)
        if (!value_is_const_int(op_opnd(owner, i), 1))
            out->loop[out->n] = owner, out->index[out->n++] = owner->regs[0]->args[i];
    if (!is_loop(owner) && !indexed && owner->code != OP_IF && !out->other) out->other = owner;
}

static Around around(const Memory *m, Op *owner) {
    Around a = {.n = 0};
    find_around(m, owner, &a);
    return a;
}

bool extents_around(Memory *m, const Op *op, Extents *out) {
    const Around a = around(m, op->parent->owner);
    if (a.other) return cannot(m->host->ad, a.other, "what this reads of memory that changes"), false;
    for (int i = 0; i < a.n; i++) {
        bool known = is_loop(a.loop[i]) ? add_loop(m, out, a.loop[i]) : add_index(m, out, a.loop[i], a.index[i]->index);
        if (!known) return false;
    }
    return true;
}

/* Where the reverse at s is along these */
static void reverse_indices(Scope *s, const Around *a, Value **idx) {
    for (int i = 0; i < a->n; i++)
        idx[i] = is_loop(a->loop[i]) ? map_get(&s->memory->turn, a->loop[i]) : primal_of(s, a->index[i]);
}

int indices_around(Scope *s, const Op *op, Value **idx) {
    const Around a = around(s->memory, op->parent->owner);
    reverse_indices(s, &a, idx);
    return a.n;
}

const Type *type_of_extents(const Memory *m, const Extents *e, DType t) {
    Session *ss = m->host->ad->module->session;
    const Size *one = size_const(ss, 1);
    return e->n ? type_tensor(ss, t, e->n, e->dims) : type_tensor(ss, t, 1, &one);
}

/* ---- tapes */

static void run_forward(Memory *m) {
    if (!is_to_run(m)) return;
    Builder b = builder_before(m->reverse.op);
    m->host->inner = m->forward.op = clone_island(m, &m->clone, &b);
    forget_effects(m->forward.op);
}

/* A value of the island, in the run that writes tapes */
static Value *forward_value(Memory *m, Value *v) {
    run_forward(m);
    return m->again ? clone_value(&m->clone, v) : v;
}

/* The turn of a loop, at the begin of its body; terms: values of a sum that is run in order */
static Value *forward_turn(Memory *m, Op *loop, Cloner *terms) {
    if (loop->code == OP_WHILE) return clone_value(terms, map_get(&m->turns, loop));
    const Region *body = clone_value(terms, forward_value(m, loop->regs[0]->args[0]))->region;
    Builder b = builder_before(body->first);
    return build_turn(&b, body->owner);
}

/* Where the run that writes tapes is along these */
static void forward_indices(Memory *m, const Around *a, Cloner *terms, Value **idx) {
    for (int i = 0; i < a->n; i++)
        idx[i] = is_loop(a->loop[i]) ? forward_turn(m, a->loop[i], terms)
                                     : clone_value(terms, forward_value(m, a->index[i]));
}

/* The place in a tape that lies so, at b, of where it is around; the number of its axes */
static int place_in_tape(const Memory *m, Builder *b, const Around *a, Value *const *at, Value **out) {
    const Size *sizes[MAX_RANK];
    const Layout l = layout_of(a->index, a->n, m->columns);
    for (int i = 0; i < a->n; i++) sizes[i] = a->index[i] ? map_get(&m->extent, a->index[i]) : NULL;
    layout_places(b, &l, sizes, at, out);
    if (l.n) return l.n;
    out[0] = build_int(b, 0);
    return 1;
}

/* Sums have no place to write tapes: before one runs a loop over its terms, whose values are in *terms. */
static void loop_over_terms(Memory *m, Op *sum, Cloner *terms) {
    Op *run = forward_value(m, sum->regs[0]->args[0])->region->owner;
    Builder b = builder_before(run);
    for (int i = 0; i < run->regs[0]->nargs; i++) {
        Op *loop = build_for(&b, build_int(&b, 0), op_opnd(run, i), build_int(&b, 1), 0, NULL);
        map_put(m->host->ad->arena, &terms->values, run->regs[0]->args[i], loop->regs[0]->args[0]);
        Builder in = builder_at_end(b.module, loop->regs[0], run->span);
        build_yield(&in, 0, NULL);
        b = builder_before(loop->regs[0]->first);
    }
    clone_region_ops(terms, &b, run->regs[0], false);
}

/* The sum that v is a part of; NULL: none */
static Op *sum_around(const Memory *m, const Value *v) {
    for (Op *o = value_region(v)->owner; o != m->island; o = o->parent->owner)
        if (o->code == OP_REDUCE) return o;
    return NULL;
}

/* A tape for what `now` is at `at`, in the run that writes tapes; owner: what stands around it in the island */
static Tape *write_tape(Memory *m, const void *of, Value *now, Op *at, Op *owner, Cloner *terms) {
    Ad *ad = m->host->ad;
    Extents e = {0};
    Region here = {.owner = owner};
    Op first = {.parent = &here};
    run_forward(m);
    if (!extents_around(m, &first, &e)) return NULL;
    Value *at_turn[MAX_RANK], *idx[MAX_RANK];
    const Around a = around(m, owner);
    const Layout l = layout_of(a.index, a.n, m->columns);
    Extents laid = {.n = l.n};
    forward_indices(m, &a, terms, at_turn);
    layout_sizes(ad->module->session, &l, e.dims, laid.dims);
    Builder host = host_builder(m);
    Value *kept = build_empty(&host, type_of_extents(m, &laid, now->type->dtype), NULL),
          *into = open_operand(m, &m->forward, kept, 1), *from = open_operand(m, &m->reverse, kept, 0);
    Tape t = {of, from, m->reverse.operands.len - 1};
    const Value *source = now->def && now->def->code == OP_LOAD ? op_opnd(now->def, 0) : now;
    Span at_source = now->def ? now->def->span : owner->span;
    note_kept(ad, (Kept){NULL, at_source, source->name, kept->type, kept->type->dims[0], 0, .end = false}, m->host->of);
    Builder b = builder_before(at);
    store_safe(&b, now, into, place_in_tape(m, &b, &a, at_turn, idx), idx);
    vec_push(ad->arena, &m->tapes, t);
    return &m->tapes.data[m->tapes.len - 1];
}

static Tape *new_tape(Memory *m, Value *v) {
    Cloner terms = {.module = m->host->ad->module};
    Op *sum = sum_around(m, v);
    if (sum) loop_over_terms(m, sum, &terms);
    Value *now = clone_value(&terms, forward_value(m, v));
    return write_tape(m, v, now, now->def ? now->def->next : now->region->first, value_region(v)->owner, &terms);
}

static Value *read_tape(Scope *s, const Tape *t, Op *owner, DType dtype) {
    Builder b = builder_here(s);
    if (!t) return build_const(&b, (Const){.dtype = dtype}); /* reported */
    Value *at_turn[MAX_RANK], *idx[MAX_RANK];
    const Around a = around(s->memory, owner);
    reverse_indices(s, &a, at_turn);
    return load_safe(&b, t->from, place_in_tape(s->memory, &b, &a, at_turn, idx), idx);
}

static Tape *tape_of(Memory *m, const void *of) {
    for (int i = 0; i < m->tapes.len; i++)
        if (m->tapes.data[i].of == of) return &m->tapes.data[i];
    return NULL;
}

Value *count_turns(Scope *s, Op *loop) {
    Memory *m = s->memory;
    if (loop->code == OP_FOR)
        return build_count(&s->b, primal_of(s, op_opnd(loop, 0)), primal_of(s, op_opnd(loop, 1)),
                           primal_of(s, op_opnd(loop, 2)));
    Value *n = count_while(m, loop);
    if (n) return n;
    Tape *t = tape_of(m, loop);
    Op *run = ((Value *)map_get(&m->turns, loop))->region->owner;
    Cloner none = {.module = s->ad->module};
    if (!t) t = write_tape(m, loop, turns_of(run), run->next, loop->parent->owner, &none);
    return read_tape(s, t, loop->parent->owner, DT_I64);
}

/* ---- what is kept, and what is computed anew */

typedef struct { const Memory *m; bool changes; } Change;

/* Whether what is read of buf may be another thing later, and the reverse does not have it as it was */
static bool may_change(const Memory *m, const Value *buf) { return is_written(buf) && !map_has(&m->replayed, buf); }

static void find_change(void *ctx, Op *op) {
    Change *c = ctx;
    c->changes |= op->code == OP_STORE || op->code == OP_ATOMIC || op->code == OP_BARRIER || op->code == OP_CALL ||
                op->code == OP_PARALLEL || op->code == OP_ALLOC;
    c->changes |= op->code == OP_LOAD && may_change(c->m, op_opnd(op, 0));
}

static bool is_kept(const Memory *m, const Value *v) {
    Op *d = v->def;
    if (!d) return true; /* what a loop carries */
    if (d->code == OP_LOAD) return may_change(m, op_opnd(d, 0));
    if (d->code == OP_FOR || d->code == OP_WHILE || d->code == OP_ATOMIC || d->code == OP_CALL) return true;
    Change c = {m, false};
    for (int i = 0; i < d->nregs; i++) region_walk(d->regs[i], find_change, &c);
    return c.changes;
}

Value *recall(Scope *s, Value *v) {
    Memory *m = s->memory;
    if (v->type->kind == TY_BUF && !v->def)
        return buffer_of(m, primal_of(m->host, op_opnd(m->island, v->index)));
    if (v->type->kind == TY_BUF || !is_kept(m, v)) return NULL;
    Tape *t = tape_of(m, v);
    if (!t) t = new_tape(m, v);
    return read_tape(s, t, value_region(v)->owner, v->type->dtype);
}
