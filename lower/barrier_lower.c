/* barriers: a loop over the threads of a block that contains barriers becomes loops that contain none.
 *
 * Needs islands whose barriers stand in serial structure (for, while, if) inside one parallel.  Leaves no barrier:
 * the thread loop is split at each (fission), and serial structure with barriers inside goes around the thread
 * loops (interchange).  What is the same for all threads is computed once, for the block.  A value that code beyond
 * a barrier needs lives in an array with one element per thread, or is computed again (barrier_plan.c decides).
 *
 * An `if` on which threads differ does not become structure: its condition, kept or computed again, guards each segment
 * inside, so that a barrier after an early return waits for those that are still there. */
#include "lower/barrier_plan.h"
#include "lower/lower.h"

#include <string.h>

enum { STACK_BYTES = 1 << 14 };

typedef struct Mask { Value *cond; bool negate; struct Mask *outer; } Mask; /* threads for which cond holds */

typedef struct {
    ThreadPlan *plan;
    Builder block;     /* where block-level code goes */
    Op *seg;           /* the open segment's loop over the threads, or NULL */
    Builder in;        /* inside it */
    Cloner here;       /* what the thread loop's values are in the open segment */
    Cloner once;       /* uniform values at block level */
    Map slots;         /* value -> its per-thread array */
    Map expanded;      /* the per-thread buffer of a private alloc that outlives a segment -> itself */
    Mask *mask;
    Value **extents;
    const Size *dims[MAX_RANK]; /* of the thread loop */
    int rank;
    Builder allocs;    /* where per-thread arrays are made: before the thread loop */
} Lower;

static void lower_ops(Lower *l, Region *r);
static Value *seg_get(Lower *l, Value *v);

static bool varies(const Lower *l, const Value *v) { return value_varies(&l->plan->uniform, v); }
static Value **thread_ivs(const Lower *l) { return l->seg->regs[0]->args; }

/* ---- arrays with an element (or a block of them) per thread; the threads' axes come last, for vectors */

static Value *new_array(Lower *l, const char *name, DType t, int rank, const Size *const *inner, Space space) {
    Session *s = l->plan->module->session;
    const Size *dims[MAX_RANK];
    int64_t bytes = dtype_info(t)->bytes, c;
    if (l->rank + rank > MAX_RANK) bug("a per-thread array of rank %d", l->rank + rank);
    for (int i = 0; i < rank; i++) dims[i] = inner[i];
    memcpy(dims + rank, l->dims, sizeof *dims * (size_t)l->rank);
    for (int i = 0; i < l->rank + rank; i++) bytes = bytes && size_is_const(dims[i], &c) ? bytes * c : 0;
    const Type *type = type_buf(s, t, l->rank + rank, dims, space);
    Op *op = build_op(&l->allocs, OP_ALLOC, 0, NULL, 1, &type, 0);
    if (bytes && bytes <= STACK_BYTES) op_set_flag(op, A_STACK);
    op->res[0].name = name;
    return &op->res[0];
}

static Value *slot_of(Lower *l, const Value *v) {
    Value *slot = map_get(&l->slots, v);
    if (slot) return slot;
    slot = new_array(l, v->name, v->type->dtype, 0, NULL, SPACE_SHARED);
    map_put(l->plan->arena, &l->slots, v, slot);
    return slot;
}

/* a and b are one variable (carried value, argument, result) */
static void share_slot(Lower *l, const Value *a, const Value *b) {
    map_put(l->plan->arena, &l->slots, b, slot_of(l, a));
}

/* ---- segments */

static Value *load_slot(Lower *l, Value *slot) {
    Value *v = load_safe(&l->in, slot, l->rank, thread_ivs(l));
    return v;
}

static void store_slot(Lower *l, Value *slot, Value *v) {
    store_safe(&l->in, v, slot, l->rank, thread_ivs(l));
}

static void seg_guard(Lower *l, const Mask *m) {
    if (!m) return;
    seg_guard(l, m->outer);
    Value *c = seg_get(l, m->cond);
    if (m->negate) c = build_unary(&l->in, OP_NOT, c);
    Builder in;
    build_when(&l->in, c, &in);
    l->in = in;
}

static void seg_open(Lower *l) {
    if (l->seg) return;
    Region *body = l->plan->body;
    l->seg = build_parallel(&l->block, l->rank, l->extents, op_loop(l->plan->loop));
    l->in = builder_at_end(l->plan->module, l->seg->regs[0], l->block.span);
    build_yield(&l->in, 0, NULL);
    l->in = builder_before(region_term(l->seg->regs[0]));
    l->here = (Cloner){.module = l->plan->module};
    for (int i = 0; i < l->rank; i++) {
        thread_ivs(l)[i]->name = body->args[i]->name;
        map_put(l->plan->arena, &l->here.values, body->args[i], thread_ivs(l)[i]);
    }
    seg_guard(l, l->mask);
}

/* What only other segments needed; they have it from memory, or computed again. */
static void drop_unused(Region *r) {
    for (Op *o = r->last, *prev; o; o = prev) {
        prev = o->prev;
        bool used = o->nres == 0;
        for (int i = 0; i < o->nres; i++) used |= !value_unused(&o->res[i]);
        if (!used && op_is_removable(o)) op_erase(o);
    }
}

/* A segment that does nothing to memory goes again. */
static void seg_close(Lower *l) {
    if (l->seg) drop_unused(l->in.region);
    if (l->seg && !op_has_effect(l->seg) && !op_writes_memory(l->seg) && !op_may_trap(l->seg)) op_erase(l->seg);
    l->seg = NULL;
}

/* The block-level value of a uniform one */
static Value *once_get(Lower *l, Value *v) { return clone_value(&l->once, v); }

static void resolve_operands(Lower *l, const Op *op);

/* What lies at the place of a load or store */
static Value *load_home(Lower *l, const Op *access) {
    int first = op_index_first(access), n = op_index_end(access) - first;
    Value *idx[MAX_RANK];
    for (int i = 0; i < n; i++) idx[i] = seg_get(l, op_opnd(access, first + i));
    return load_safe(&l->in, op_buffer(access), n, idx);
}

/* v in the open segment */
static Value *seg_get(Lower *l, Value *v) {
    if (!plan_inside(l->plan, v)) return v;
    Value *to = map_get(&l->here.values, v);
    if (to) return to;
    if (!varies(l, v)) to = once_get(l, v);
    else if (map_has(&l->slots, v) && v->type->kind == TY_BUF) to = map_get(&l->slots, v);
    else if (map_has(&l->slots, v)) to = load_slot(l, map_get(&l->slots, v));
    else if (l->plan->home[v->id]) to = load_home(l, l->plan->home[v->id]);
    else {
        resolve_operands(l, v->def);
        clone_op(&l->here, &l->in, v->def);
        return map_get(&l->here.values, v);
    }
    map_put(l->plan->arena, &l->here.values, v, to);
    return to;
}

static void resolve_inside(Lower *l, const Op *top, const Op *op) {
    for (int i = 0; i < op->nopnds; i++) {
        Value *v = op_opnd(op, i);
        bool own = false;
        for (int k = 0; k < top->nregs; k++) own |= region_encloses(top->regs[k], value_region(v));
        if (!own) seg_get(l, v);
    }
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) resolve_inside(l, top, o);
}

static void resolve_operands(Lower *l, const Op *op) { resolve_inside(l, op, op); }

/* ---- private arrays that live across a barrier */

static bool outlives(const Op *alloc) {
    for (const Use *u = alloc->res[0].uses; u; u = u->next)
        if (u->user->mark != alloc->mark) return true;
    return false;
}

/* Zero, as each thread's is */
static void expand_alloc(Lower *l, Op *op) {
    const Type *t = op->res[0].type;
    Value *buf = new_array(l, op->res[0].name, t->dtype, t->rank, t->dims, SPACE_PRIVATE);
    map_put(l->plan->arena, &l->slots, &op->res[0], buf);
    map_put(l->plan->arena, &l->expanded, buf, buf);
}

/* Accesses in the copy of an op to expanded buffers get the thread's indices behind their own. */
static void fix_access(Lower *l, Op *op) {
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first, *next; o; o = next) {
            next = o->next;
            fix_access(l, o);
        }
    if (!op_is_access(op) || !map_has(&l->expanded, op_buffer(op))) return;
    for (int i = 0; i < l->rank; i++) op_add_index(op, thread_ivs(l)[i]);
}

/* ---- operations without barriers */

static void lower_plain(Lower *l, Op *op) {
    if (op->code == OP_ALLOC && outlives(op)) {
        expand_alloc(l, op);
        return;
    }
    seg_open(l);
    resolve_operands(l, op);
    Op *copy = clone_op(&l->here, &l->in, op);
    fix_access(l, copy);
    for (int i = 0; i < op->nres; i++)
        if (l->plan->stored[op->res[i].id]) store_slot(l, slot_of(l, &op->res[i]), &copy->res[i]);
}

/* Before the open segment, which may use it */
static void lower_once(Lower *l, Op *op) {
    Builder b = l->seg ? builder_before(l->seg) : l->block;
    clone_op(&l->once, &b, op);
}

/* ---- structure with barriers inside */

static Value *is_first_thread(Lower *l) {
    Value *all = NULL;
    for (int i = 0; i < l->rank; i++) {
        Value *c = build_binary(&l->in, OP_EQ, thread_ivs(l)[i], build_int(&l->in, 0));
        all = all ? build_binary(&l->in, OP_AND, all, c) : c;
    }
    return all;
}

/* A block-level value on which the threads agree: uniform, or written down by one of them; the segment ends. */
static Value *agreed(Lower *l, Value *v) {
    if (!varies(l, v)) return plan_inside(l->plan, v) ? once_get(l, v) : v;
    Session *s = l->plan->module->session;
    const Size *one = size_const(s, 1);
    const Type *type = type_buf(s, v->type->dtype, 1, &one, SPACE_SHARED);
    Op *cell = build_op(&l->allocs, OP_ALLOC, 0, NULL, 1, &type, 0);
    op_set_flag(cell, A_STACK);
    Value *zero = build_int(&l->allocs, 0);
    if (l->mask) { /* perhaps nobody is there to write it */
        seg_close(l);
        Value *none = build_const(&l->block, (Const){.dtype = v->type->dtype});
        store_safe(&l->block, none, &cell->res[0], 1, &zero);
    }
    seg_open(l);
    Value *x = seg_get(l, v);
    Builder in = l->in;
    if (!l->mask) build_when(&l->in, is_first_thread(l), &in);
    store_safe(&in, x, &cell->res[0], 1, &zero);
    seg_close(l);
    Value *seen = load_safe(&l->block, &cell->res[0], 1, &zero);
    return seen;
}

/* Writes the values that vary to the variables they become; all are read before the first is written. */
static void assign(Lower *l, int n, Value *const *vars, Value *const *vals) {
    Value **now = NEWN(l->plan->arena, Value *, n);
    for (int i = 0; i < n; i++) {
        if (!varies(l, vars[i])) continue;
        seg_open(l);
        now[i] = seg_get(l, vals[i]);
    }
    for (int i = 0; i < n; i++)
        if (varies(l, vars[i])) store_slot(l, slot_of(l, vars[i]), now[i]);
}

/* The block-level values of those that do not vary; returns how many */
static int gather_once(Lower *l, int n, Value *const *vars, Value *const *vals, Value **out) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (!varies(l, vars[i])) out[k++] = plan_inside(l->plan, vals[i]) ? once_get(l, vals[i]) : vals[i];
    return k;
}

static Value **opnd_values(Lower *l, const Op *op, int from) {
    Value **v = NEWN(l->plan->arena, Value *, op->nopnds);
    for (int i = from; i < op->nopnds; i++) v[i - from] = op_opnd(op, i);
    return v;
}

static Value **results(Lower *l, const Op *op) {
    Value **v = NEWN(l->plan->arena, Value *, op->nres);
    for (int i = 0; i < op->nres; i++) v[i] = &op->res[i];
    return v;
}

/* The uniform ones of vars are now the k-th values of news. */
static void define_once(Lower *l, int n, Value *const *vars, Value *const *news) {
    for (int i = 0, k = 0; i < n; i++) {
        if (varies(l, vars[i])) continue;
        if (!news[k]->name) news[k]->name = vars[i]->name;
        map_put(l->plan->arena, &l->once.values, vars[i], news[k++]);
    }
}

/* Region r of the program becomes region `to` at block level; its varying yields go to vars. */
static void lower_into(Lower *l, Region *r, Region *to, int n, Value *const *vars) {
    Builder outer = l->block;
    Value **now = NEWN(l->plan->arena, Value *, n);
    l->block = builder_at_end(l->plan->module, to, outer.span);
    lower_ops(l, r);
    Value **next = opnd_values(l, region_term(r), 0);
    assign(l, n, vars, next);
    seg_close(l);
    int k = gather_once(l, n, vars, next, now);
    build_yield(&l->block, k, now);
    l->block = outer;
}

static void lower_for(Lower *l, Op *op) {
    Region *body = op->regs[0];
    int n = op->nres;
    Value *bound[3], **inits = NEWN(l->plan->arena, Value *, n), **vars = results(l, op), **args = body->args + 1;
    for (int i = 0; i < n; i++)
        if (varies(l, vars[i])) share_slot(l, vars[i], args[i]);
    assign(l, n, vars, opnd_values(l, op, 3));
    for (int i = 0; i < 3; i++) bound[i] = agreed(l, op_opnd(op, i));
    seg_close(l);
    int k = gather_once(l, n, vars, opnd_values(l, op, 3), inits);
    Op *loop = build_for(&l->block, bound[0], bound[1], bound[2], k, inits);
    op_copy_attrs(loop, op);
    loop->regs[0]->args[0]->name = body->args[0]->name;
    map_put(l->plan->arena, &l->once.values, body->args[0], loop->regs[0]->args[0]);
    define_once(l, n, args, loop->regs[0]->args + 1);
    lower_into(l, body, loop->regs[0], n, vars);
    define_once(l, n, vars, results(l, loop));
}

static void lower_while(Lower *l, Op *op) {
    int n = op->nres;
    Value **inits = NEWN(l->plan->arena, Value *, n), **vars = results(l, op);
    const Type **types = NEWN(l->plan->arena, const Type *, n);
    for (int i = 0; i < n; i++)
        if (varies(l, vars[i]))
            share_slot(l, vars[i], op->regs[0]->args[i]), share_slot(l, vars[i], op->regs[1]->args[i]);
    assign(l, n, vars, opnd_values(l, op, 0));
    seg_close(l);
    int k = gather_once(l, n, vars, opnd_values(l, op, 0), inits);
    for (int i = 0; i < k; i++) types[i] = inits[i]->type;
    Op *loop = build_op(&l->block, OP_WHILE, k, inits, k, types, 2);
    for (int i = 0; i < k; i++) {
        region_add_arg(loop->regs[0], types[i], inits[i]->name);
        region_add_arg(loop->regs[1], types[i], inits[i]->name);
    }
    define_once(l, n, op->regs[0]->args, loop->regs[0]->args);
    define_once(l, n, op->regs[1]->args, loop->regs[1]->args);
    Builder outer = l->block;
    l->block = builder_at_end(l->plan->module, loop->regs[0], outer.span);
    lower_ops(l, op->regs[0]);
    Value *go = agreed(l, op_opnd(region_term(op->regs[0]), 0));
    seg_close(l);
    build_yield(&l->block, 1, &go);
    l->block = outer;
    lower_into(l, op->regs[1], loop->regs[1], n, vars);
    define_once(l, n, vars, results(l, loop));
}

static void lower_if_once(Lower *l, Op *op) {
    int n = op->nres, k = 0;
    Value **vars = results(l, op);
    const Type **types = NEWN(l->plan->arena, const Type *, n);
    Value *cond = op_opnd(op, 0);
    seg_close(l);
    for (int i = 0; i < n; i++) {
        if (varies(l, vars[i])) slot_of(l, vars[i]);
        else types[k++] = vars[i]->type;
    }
    Op *to = build_if(&l->block, plan_inside(l->plan, cond) ? once_get(l, cond) : cond, k, types);
    for (int i = 0; i < 2; i++) lower_into(l, op->regs[i], to->regs[i], n, vars);
    define_once(l, n, vars, results(l, to));
}

/* Threads differ: each segment inside is guarded by what the thread decided. */
static void lower_if_masked(Lower *l, Op *op) {
    Value **vars = results(l, op);
    Mask mask = {.cond = op_opnd(op, 0), .outer = l->mask};
    for (int k = 0; k < 2; k++) {
        seg_close(l);
        mask.negate = k == 1;
        l->mask = &mask;
        lower_ops(l, op->regs[k]);
        assign(l, op->nres, vars, opnd_values(l, region_term(op->regs[k]), 0));
        seg_close(l);
        l->mask = mask.outer;
    }
}

static void lower_ops(Lower *l, Region *r) {
    Op *term = region_term(r);
    for (Op *o = r->first; o != term; o = o->next) {
        l->block.span = o->span;
        if (o->code == OP_BARRIER) seg_close(l);
        else if (!op_holds(o, OP_BARRIER)) {
            if (plan_uniform_op(l->plan, o)) lower_once(l, o);
            else lower_plain(l, o);
        } else if (o->code == OP_FOR) lower_for(l, o);
        else if (o->code == OP_WHILE) lower_while(l, o);
        else if (varies(l, op_opnd(o, 0))) lower_if_masked(l, o);
        else lower_if_once(l, o);
    }
}

/* The sizes of the thread loop, bound where their values are known */
static void thread_dims(Lower *l, Op *loop) {
    Op *island = op_around(loop, OP_ISLAND);
    for (int i = 0; i < l->rank; i++) {
        Value *e = op_opnd(loop, i);
        Builder b = builder_before(value_dominates(e, island) ? island : loop);
        l->extents[i] = e;
        l->dims[i] = build_size_of(&b, e);
    }
}

static void lower_threads(Op *loop) {
    barrier_split(loop);
    Arena *arena = arena_new();
    ThreadPlan plan = barrier_plan(arena, loop);
    Lower l = {.plan = &plan, .rank = loop->nopnds, .extents = NEWN(arena, Value *, loop->nopnds),
               .once = {.module = plan.module}};
    thread_dims(&l, loop);
    /* what is made once for all segments stands before the first of them */
    Builder before = builder_before(loop);
    Value *mark = build_int(&before, 0);
    l.allocs = builder_before(mark->def);
    l.block = builder_before(loop);
    lower_ops(&l, plan.body);
    seg_close(&l);
    op_erase(loop);
    op_erase(mark->def);
    arena_free(arena);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_PARALLEL && op_holds_barrier_of(op, op)) lower_threads(op);
}

void pass_barriers(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) region_walk(m->funcs.data[i]->body, visit, NULL);
}
