/* Islands: buffers, loads and stores, parallel loops and barriers.
 *
 * A parallel runs its iterations one after another in a seeded order.  Where its threads meet at
 * barriers, each thread is suspended there: it keeps its own slots of the environment and its place in the
 * nest of blocks that contain the barrier (Level), so no native stack is switched. */
#include "interp/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NEST = 32 };

/* ---- buffers */

static Buffer *new_buffer(Interp *in, const Type *t, const char *name, int rank, const int64_t *dim) {
    Buffer *b = calloc(1, sizeof *b);
    if (!b) fatal_oom();
    *b = (Buffer){.rank = rank, .dtype = t->dtype, .bytes = dtype_info(t->dtype)->bytes, .count = 1, .name = name};
    for (int i = 0; i < rank; i++) {
        b->dim[i] = dim[i];
        b->count *= dim[i];
    }
    link_in(&in->buffers, &b->link);
    if (in->tasks) b->shadow = interp_shadow_new(in, b->count);
    return b;
}

void interp_free_buffer(Buffer *b) {
    if (b->array) dsl_release(b->array);
    if (b->array) free(b->undef);
    interp_unkeep(b->shadow);
    link_out(&b->link);
    free(b);
}

void interp_free_allocs(Frame *fr, const Block *b) {
    for (int i = 0; i < b->nallocs; i++) {
        interp_free_buffer(fr->env[b->allocs[i]].b);
        fr->env[b->allocs[i]].b = NULL;
    }
}

/* Memory for a buffer.  It may have more axes than an array, for the threads of a block: these become one with the
 * next. */
static dsl_array *memory_of(Frame *fr, const Op *op, const Type *t, const int64_t *dim) {
    int64_t own[MAX_RANK], first = 1;
    int extra = t->rank > DSL_MAX_RANK ? t->rank - DSL_MAX_RANK : 0;
    for (int i = 0; i < extra; i++) first *= dim[i];
    for (int i = extra; i < t->rank; i++) own[i - extra] = dim[i];
    if (extra) own[0] *= first;
    return dsl_new(interp_site(fr, op), (int)t->dtype, t->rank - extra, own);
}

void interp_OP_ALLOC(Frame *fr, const Inst *in) {
    const Type *t = in->op->res[0].type;
    const char *name = op_sym(in->op, A_NAME);
    int64_t dim[MAX_RANK];
    interp_result_dims(fr, in, 0, dim);
    const Buffer *within = in->op->nopnds ? fr->env[in->a].b : NULL;
    dsl_array *a = within ? dsl_retain(within->array) : memory_of(fr, in->op, t, dim);
    Buffer *b = new_buffer(fr->in, t, name ? name : in->op->res[0].name, t->rank, dim);
    size_t n = (size_t)b->count;
    b->array = a;
    b->data = a->data;
    if (!within) memset(b->data, t->space == SPACE_PRIVATE ? 0 : 0xA5, n * (size_t)b->bytes);
    if (t->space != SPACE_PRIVATE) {
        b->undef = malloc(n ? n : 1);
        if (!b->undef) fatal_oom();
        memset(b->undef, 1, n);
    }
    fr->env[in->r].b = b;
}

static DSL_COLD DSL_NORETURN void fail_unwritten(Frame *fr, const Op *op, const Buffer *b, int64_t at) {
    const char *what = interp_describe_element(fr->in, b, at);
    if (!b->array) interp_broken(fr, op, "%s is read, but nothing was written there", what);
    Text who;
    text_init(&who, fr->in->arena);
    if (fr->task) interp_describe_task(&who, fr->task);
    dsl_say_error(interp_site(fr, op), "E0632", "%s is read before it was written%s%s", what,
                  fr->task ? ", by " : "", text_str(&who));
    dsl_say_hint("shared memory starts undefined: write it first, with a barrier between");
    dsl_stop(1);
}

/* What stage loops reads before it asks whether it is needed (licm) may not be written yet: of a tape, nobody then uses
 * what was read. */
static bool is_read_ahead(const Op *op, const Buffer *b, Access how) {
    return how == ACC_READ && !b->array && op_flag(op, A_SAFE) && op->parent->func->module->stage == STAGE_LOOPS;
}

/* Who does use it gets NaN, or the greatest int, which is no index. */
static Cell unwritten(DType t) {
    if (!dtype_is_float(t)) return interp_kind_identity(COMBINE_MIN, t);
    return interp_const((Const){.dtype = t, .f = (double)NAN});
}

/* The place of an access; checked in every way. */
static inline int64_t access_at(Frame *fr, const Inst *in, int first, const Buffer *b, Access how) {
    int64_t at = interp_index(fr, in, first, b->rank, b->dim);
    if (b->undef && b->undef[at] && is_read_ahead(in->op, b, how)) return at;
    if (b->shadow) interp_shadow_access(fr, in->op, b, at, how);
    if (b->undef) {
        if (how == ACC_WRITE || how == ACC_SET) b->undef[at] = 0;
        else if (b->undef[at]) fail_unwritten(fr, in->op, b, at);
    }
    if (how != ACC_READ && b->readonly) interp_broken(fr, in->op, "a write to a buffer that the island only reads");
    return at;
}

void interp_OP_LOAD(Frame *fr, const Inst *in) {
    const Buffer *b = fr->env[in->a].b;
    int64_t at = access_at(fr, in, 1, b, ACC_READ);
    fr->env[in->r] = b->undef && b->undef[at] ? unwritten(b->dtype) : interp_load(b->dtype, b->data, at);
}

void interp_OP_STORE(Frame *fr, const Inst *in) {
    const Buffer *b = fr->env[in->b].b;
    interp_store(b->dtype, b->data, access_at(fr, in, 2, b, ACC_WRITE), fr->env[in->a]);
}

/* Iterations run one after the other: whom one awaits has been. */
static int64_t *box_of(Frame *fr, const Inst *in, int buf) {
    const Buffer *b = interp_opnd(fr, in, buf).b;
    int64_t at = interp_opnd(fr, in, buf + 1).i;
    if (at < 0 || at >= b->dim[0]) interp_broken(fr, in->op, "box %lld of %lld", (long long)at, (long long)b->dim[0]);
    return (int64_t *)b->data + 2 * at;
}

void interp_OP_SIGNAL(Frame *fr, const Inst *in) {
    int64_t *box = box_of(fr, in, 1);
    box[0] = 0, box[1] = 1;
    interp_store(op_opnd(in->op, 0)->type->dtype, box, 0, interp_opnd(fr, in, 0));
}

void interp_OP_AWAIT(Frame *fr, const Inst *in) {
    const int64_t *box = box_of(fr, in, 0);
    if (!box[1]) interp_broken(fr, in->op, "what is awaited has not been signalled");
    fr->env[in->r] = interp_load(in->op->res[0].type->dtype, box, 0);
}

void interp_OP_PREFETCH(Frame *fr, const Inst *in) { (void)fr, (void)in; }

void interp_OP_ATOMIC(Frame *fr, const Inst *in) {
    const Buffer *b = fr->env[in->b].b;
    bool reads = in->fn || in->op->nres, swaps = in->op->nopnds > 2 + b->rank;
    int64_t at = access_at(fr, in, 2, b, swaps ? ACC_SWAP : reads ? ACC_ATOMIC : ACC_SET);
    Cell old = interp_load(b->dtype, b->data, at), v = fr->env[in->a];
    if (!swaps) interp_store(b->dtype, b->data, at, in->fn ? in->fn(old, v, (Cell){0}) : v);
    else if (old.i == fr->env[in->opnds[2 + b->rank]].i) interp_store(b->dtype, b->data, at, v);
    if (in->op->nres) fr->env[in->r] = old;
}

/* ---- islands */

/* Buffers of operands that are only read hold their tensor meanwhile, so that others are copied. */
static void bind_operands(Frame *fr, const Inst *in, const int64_t *modes, Tensor **held) {
    const Block *body = in->regs[0];
    for (int i = 0; i < in->op->nopnds; i++) {
        held[i] = interp_borrow(fr, in, i);
        if (modes[i] == 0) held[i]->owners++;
    }
    for (int i = 0; i < in->op->nopnds; i++) {
        if (modes[i] != 0) held[i] = interp_unique(fr, in->op, interp_take(fr, in, i));
        const Value *arg = in->op->regs[0]->args[i];
        Buffer *b = new_buffer(fr->in, arg->type, arg->name, held[i]->a->rank, held[i]->a->dim);
        b->data = held[i]->a->data;
        b->undef = held[i]->undef;
        b->readonly = modes[i] == 0;
        fr->env[body->args[i]].b = b;
    }
}

/* At stage loops a tensor may not be lent and given up by one island unless somebody keeps it. */
static void check_owners(Frame *fr, const Inst *in, const int64_t *modes) {
    for (int i = 0; i < in->op->nopnds && !fr->in->managed; i++) {
        Tensor *t = interp_borrow(fr, in, i);
        int64_t consumed = 0, lent = 0;
        for (int k = 0; k < in->op->nopnds; k++) {
            if (interp_borrow(fr, in, k) != t) continue;
            if (modes[k]) consumed++;
            else lent++;
        }
        if (consumed && consumed + (lent > 0) > t->owners)
            interp_broken(fr, in->op, "operand %d is given up more often than it is owned", i);
    }
}

void interp_OP_ISLAND(Frame *fr, const Inst *in) {
    const int64_t *modes = op_attr(in->op, A_MODES)->ints;
    int n = in->op->nopnds, updated = 0;
    Tensor *held[n ? n : 1];
    Cell out[n ? n : 1];
    bool tasks_here = fr->in->opts.check_races && !fr->in->tasks; /* else: in a function called by an island */
    check_owners(fr, in, modes);
    if (tasks_here) fr->in->tasks = arena_new();
    bind_operands(fr, in, modes, held);
    interp_block(fr, in->regs[0]);
    for (int i = 0; i < n; i++) {
        interp_free_buffer(fr->env[in->regs[0]->args[i]].b);
        if (modes[i] == 0) interp_drop(fr, in->op, held[i]);
        else out[updated++].t = held[i];
    }
    if (tasks_here) {
        arena_free(fr->in->tasks);
        fr->in->tasks = NULL;
    }
    interp_put(fr, in, out);
}

/* ---- threads that meet at barriers */

typedef struct {
    const Block *block;
    int pc;
    const Inst *owner; /* NULL: the thread's own block */
    int64_t iv, step;  /* for */
    uint64_t left;
} Level;
typedef struct {
    Level level[MAX_NEST];
    int depth;
    const Inst *at;    /* the barrier it waits at; NULL: it is done */
    Cell *save;
    int64_t iter;
} Thread;

static void push(Thread *t, const Block *b, const Inst *owner) {
    if (t->depth == MAX_NEST) bug("barriers nested too deep");
    t->level[t->depth++] = (Level){.block = b, .owner = owner};
}

static void set_cells(Frame *fr, const int *to, const Cell *from, int n) {
    for (int i = 0; i < n; i++) fr->env[to[i]] = from[i];
}

static void get_cells(Frame *fr, Cell *to, const int *from, int n) {
    for (int i = 0; i < n; i++) to[i] = fr->env[from[i]];
}

/* Begins a for, while or if that has a barrier inside. */
static void enter(Frame *fr, Thread *t, const Inst *in) {
    int n = in->op->nres;
    Cell v[n ? n : 1];
    Level *l = &t->level[t->depth];
    switch (in->op->code) {
    case OP_IF: push(t, in->regs[!fr->env[in->a].i], in); return;
    case OP_WHILE:
        get_cells(fr, v, in->opnds, n);
        set_cells(fr, in->regs[0]->args, v, n);
        push(t, in->regs[0], in);
        return;
    case OP_FOR:
        get_cells(fr, v, in->opnds + 3, n);
        push(t, in->regs[0], in);
        *l = (Level){.block = in->regs[0], .owner = in, .iv = fr->env[in->a].i, .step = fr->env[in->c].i,
                     .left = interp_trips(fr, in)};
        if (l->left == 0) {
            memcpy(&fr->env[in->r], v, sizeof(Cell) * (size_t)n);
            t->depth--;
            return;
        }
        fr->env[l->block->args[0]].i = l->iv;
        set_cells(fr, l->block->args + 1, v, n);
        return;
    default: bug("a barrier cannot stop the threads outside %s", op_info(in->op->code)->mnemonic);
    }
}

/* At the end of a block: on with the loop, or its results and out. */
static void leave(Frame *fr, Thread *t) {
    Level *l = &t->level[t->depth - 1];
    const Inst *in = l->owner;
    int n = in ? in->op->nres : 0;
    Cell v[n ? n : 1];
    bool again = false;
    interp_free_allocs(fr, l->block);
    if (in && in->op->code == OP_WHILE) {
        bool test = l->block == in->regs[0];
        get_cells(fr, v, test ? l->block->args : l->block->yield, n);
        again = !test || fr->env[l->block->yield[0]].i;
        l->block = in->regs[test];
        if (again) set_cells(fr, l->block->args, v, n);
    } else if (in) {
        get_cells(fr, v, l->block->yield, n);
        again = in->op->code == OP_FOR && --l->left > 0;
        if (again) {
            fr->env[l->block->args[0]].i = l->iv += l->step;
            set_cells(fr, l->block->args + 1, v, n);
        }
    }
    l->pc = 0;
    if (again) return;
    if (n) memcpy(&fr->env[in->r], v, sizeof(Cell) * (size_t)n);
    t->depth--;
}

/* To the next barrier or the end. */
static void run_thread(Frame *fr, Thread *t) {
    t->at = NULL;
    while (t->depth) {
        Level *l = &t->level[t->depth - 1];
        if (l->pc == l->block->n) {
            leave(fr, t);
            continue;
        }
        const Inst *in = &l->block->insts[l->pc++];
        if (--fr->in->fuel < 0) interp_no_fuel(fr);
        if (!in->stops) {
            interp_step(fr, in);
        } else if (in->op->code == OP_BARRIER) {
            t->at = in;
            return;
        } else {
            enter(fr, t, in);
        }
    }
}

/* ---- parallel loops */

typedef struct {
    Frame *fr;
    const Inst *in;
    Run run;
    const Run *lasting; /* the run as tasks refer to it */
    Task task;          /* the one under way, where they need not last */
    Task *outer;
    int64_t total;
    Order order;
} Loop;

static void set_task(Loop *l, int64_t iter, int epoch) {
    Arena *a = l->fr->in->tasks;
    Task *t = a ? NEW(a, Task) : &l->task;
    *t = (Task){l->lasting, iter, epoch, l->outer ? l->outer->depth + 1 : 0, l->outer};
    l->fr->task = t;
}

static void set_ivs(Loop *l, int64_t iter) {
    const int *args = l->in->regs[0]->args;
    int n = l->in->op->nopnds;
    if (n == 1) {
        l->fr->env[args[0]].i = iter;
        return;
    }
    for (int i = n - 1; i >= 0; i--) {
        l->fr->env[args[i]].i = iter % l->run.extent[i];
        iter /= l->run.extent[i];
    }
}

static const char *words_of(Loop *l, int64_t iter) {
    Text text;
    text_init(&text, l->fr->in->arena);
    set_task(l, iter, 0);
    interp_describe_task(&text, l->fr->task);
    return text_str(&text);
}

static DSL_COLD DSL_NORETURN void fail_divergence(Loop *l, const Thread *waits, const Thread *other) {
    Interp *in = l->fr->in;
    const char *a = words_of(l, waits->iter), *b = words_of(l, other->iter);
    const dsl_site *at = interp_op_site(in, waits->at->op);
    if (!other->at) {
        dsl_say_error(at, "E0631", "%s waits at this barrier, but %s ended without reaching it", a, b);
    } else {
        dsl_say_error(at, "E0631", "%s waits at this barrier, but %s waits at another one", a, b);
        dsl_say_note(interp_op_site(in, other->at->op), "%s waits here", b);
    }
    dsl_say_hint("every thread of a block must reach every barrier: move it out of the `if` or loop");
    dsl_stop(1);
}

/* Lets every thread run to its next barrier; true when all are done. */
static bool run_epoch(Loop *l, Thread *threads, Cell *shared, size_t bytes, int epoch) {
    Frame *fr = l->fr;
    const Thread *first = NULL;
    l->order = interp_order(fr->in, (uint64_t)l->total);
    for (int64_t k = 0; k < l->total; k++) {
        Thread *t = &threads[interp_order_at(&l->order, (uint64_t)k)];
        memcpy(shared, t->save, bytes);
        set_task(l, t->iter, epoch);
        run_thread(fr, t);
        memcpy(t->save, shared, bytes);
        if (!first) first = t;
        if (first->at != t->at) fail_divergence(l, first->at ? first : t, first->at ? t : first);
    }
    return !first || !first->at;
}

static void run_synced(Loop *l) {
    Frame *fr = l->fr;
    const int *range = l->in->aux;
    size_t cells = (size_t)(range[1] - range[0]), n = (size_t)l->total;
    Cell *shared = &fr->env[range[0]];
    Thread *threads = interp_keep(fr->in, n * sizeof(Thread) + n * cells * sizeof(Cell));
    Cell *saves = (Cell *)(threads + n);
    for (size_t i = 0; i < n; i++) {
        threads[i].iter = (int64_t)i;
        threads[i].save = saves + i * cells;
        push(&threads[i], l->in->regs[0], NULL);
        set_ivs(l, (int64_t)i);
        memcpy(threads[i].save, shared, cells * sizeof(Cell));
    }
    for (int epoch = 0; !run_epoch(l, threads, shared, cells * sizeof(Cell), epoch);) epoch++;
    interp_unkeep(threads);
}

void interp_OP_PARALLEL(Frame *fr, const Inst *in) {
    Loop l = {.fr = fr, .in = in, .run.op = in->op, .lasting = &l.run, .outer = fr->task, .total = 1};
    for (int i = 0; i < in->op->nopnds; i++) {
        l.run.extent[i] = interp_opnd(fr, in, i).i;
        l.total *= l.run.extent[i] > 0 ? l.run.extent[i] : 0;
    }
    if (l.total == 0) return;
    if (!in->aux) interp_foresee(fr, (uint64_t)l.total, in->regs[0]);
    if (fr->in->tasks) {
        Run *r = NEW(fr->in->tasks, Run);
        *r = l.run;
        l.lasting = r;
    }
    if (in->aux) {
        run_synced(&l);
    } else {
        l.order = interp_order(fr->in, op_flag(in->op, A_SERIAL) ? 0 : (uint64_t)l.total);
        for (int64_t k = 0; k < l.total; k++) {
            int64_t iter = (int64_t)interp_order_at(&l.order, (uint64_t)k);
            set_task(&l, iter, 0);
            set_ivs(&l, iter);
            interp_block(fr, in->regs[0]);
        }
    }
    fr->task = l.outer;
}

void interp_OP_BARRIER(Frame *fr, const Inst *in) {
    (void)fr;
    bug("%s: a barrier outside the threads it belongs to", op_info(in->op->code)->mnemonic);
}
