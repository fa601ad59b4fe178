/* rows: loops of a GPU whose elements read neighbours along another axis than the last, y[i, j] = x[i - 1, j] +
 * x[i + 1, j] + ..: a thread does several elements beside each other along that axis, so that what they have in common
 * is read once, and stays in registers.
 *
 * Needs stage loops; leaves launches in place of loops over elements.  Blocks are wide along the last axis, so that
 * rows are read in long pieces; axes lie along those of the grid, so that no thread divides to find its place.  What a
 * thread does stands there once side by side (opt/weave.h), for threads all of whose elements are there, and once as a
 * loop over those that are.
 *
 * A grid has up to 65535 blocks along y and z: where there are more, the rest lies behind each other along x, and
 * threads divide after all.
 *
 * After: Micikevicius: 3D finite difference computation on GPUs using CUDA, GPGPU 2009. */
#include "analysis/copies.h"
#include "lower/lower.h"
#include "opt/weave.h"

enum {
    FLAT = 4, DEEP = 8,      /* elements of a thread: where the loop has two axes, where it has more */
    WIDE = 256, NARROW = 64, /* threads along the last axis, likewise: of more axes neighbours lie along two others */
    LEAST_WIDE = 32,
    MOST_BLOCKS = 65535,     /* of a GPU, along y and z */
    FEW = 16,                /* elements along the last axis are no rows */
};

typedef struct {
    const PassOptions *opts;
    Linear *linear;
    Op *loop;
    int axis, last;
    int by, cost;         /* elements of a thread; what one takes to compute */
    CopiesReads reads;
    int threads;          /* of a block */
    Value *log, *wide;    /* of them along the last axis: 1 << log, wide */
    int64_t before;       /* so many of the first block's have no element: threads begin where lines of memory do */
    Value *others;        /* elements along the other axes; NULL: there are none */
    Value *across;        /* blocks along the last axis */
    Value *more_down, *more; /* how often as many blocks as the grid has along y; along y and z */
} Rows;

/* ---- which loops */

static bool is_candidate(const Op *op, int *cost) {
    int64_t n;
    if (!loop_is_of_elements(op) || op->nopnds < 2 || !loop_computes_alone(op) || !copies_are_light(op, cost))
        return false;
    return !(value_const_int(op_opnd(op, op->nopnds - 1), &n) && n < FEW);
}

/* As many as asked for, or as fit and pay */
static int elements_of_thread(const Rows *r) {
    bool model = choice_is(r->opts, CH_ROWS, "model");
    int by = !model ? (int)choice_int(r->opts, CH_ROWS) : r->last > 1 ? DEEP : FLAT;
    int64_t n;
    while (by > 1 && value_const_int(op_opnd(r->loop, r->axis), &n) && n < by) by /= 2;
    return copies_that_pay(&r->reads, r->cost, by, !model);
}

/* The axis along which most reads go; of several the first */
static bool choose_axis(Rows *r) {
    double best = 0;
    for (int a = 0; a < r->last; a++) {
        Rows x = *r;
        x.axis = a;
        if (!copies_read(r->linear, r->loop->regs[0], r->loop->regs[0]->args[a], &x.reads)) return false;
        x.by = elements_of_thread(&x);
        double saved = copies_save(&x.reads, x.by);
        if (saved <= best) continue;
        best = saved, r->axis = a, r->by = x.by, r->reads = x.reads;
    }
    return best > 0;
}

/* ---- how threads lie, as far as it is known before the launch */

/* Less wide where a quarter of the threads would have nothing to do otherwise */
static int log_for(int64_t n, int most) {
    int best = most;
    int64_t idle_least = (n + (1 << most) - 1) >> most << most;
    for (int k = most - 1; 1 << k >= LEAST_WIDE; k--) {
        int64_t all = (n + (1 << k) - 1) >> k << k;
        if (4 * all <= 3 * idle_least) best = k, idle_least = all;
    }
    return best;
}

/* The least power of 2 that is not less than n, up to the most */
static Value *log_when_known(Builder *b, Value *n, int most) {
    Value *log = build_int(b, 0);
    for (int k = 0; k < most; k++)
        log = build_select(b, build_binary(b, OP_GT, n, build_int(b, 1 << k)), build_int(b, k + 1), log);
    return log;
}

enum { LINE = 128, SECTOR = 32 }; /* bytes: what a warp asks for at a time, what memory moves */

/* The first element along the last axis that op writes, as elements behind the beginning of a line; -1: not known, or
 * rows do not begin with one */
static int64_t behind_line(const Rows *r, const Op *op) {
    int64_t k, n, element = dtype_info(op_opnd(op, 1)->type->dtype)->bytes;
    const Region *body = r->loop->regs[0];
    const Type *t = op_opnd(op, 1)->type;
    if (index_without_constant(op_opnd(op, op->nopnds - 1), &k) != body->args[r->last]) return -1;
    if (size_is_const(t->dims[t->rank - 1], &n) && n * element % SECTOR) return -1;
    return (k * element % LINE + LINE) % LINE / element;
}

static int64_t lanes_before(const Rows *r) {
    int64_t before = 0;
    for (const Op *o = r->loop->regs[0]->first; o; o = o->next) {
        if (o->code != OP_STORE) continue;
        int64_t behind = behind_line(r, o);
        if (behind < 0 || (before && before != behind)) return 0;
        before = behind;
    }
    return before;
}

static void choose_width(Builder *b, Rows *r) {
    bool model = choice_is(r->opts, CH_ROW_WIDTH, "model");
    int64_t wide = !model ? choice_int(r->opts, CH_ROW_WIDTH) : r->last > 1 ? NARROW : WIDE, n;
    int most = index_log2(wide < r->threads ? wide : r->threads);
    Value *extent = op_opnd(r->loop, r->last);
    r->before = lanes_before(r);
    r->log = value_const_int(extent, &n) ? build_int(b, log_for(n + r->before, most)) : log_when_known(b, extent, most);
    r->wide = build_binary(b, OP_SHL, build_int(b, 1), r->log);
}

static Value *at_least_0(Builder *b, Value *n) { return index_max(b, n, build_int(b, 0)); }

/* n / 2^log rounded up, and none of less than none */
static Value *blocks_of(Builder *b, Value *n, Value *log) {
    Value *up = index_sub(b, build_binary(b, OP_SHL, build_int(b, 1), log), build_int(b, 1));
    return build_binary(b, OP_SHR, index_add(b, at_least_0(b, n), up), log);
}

/* The grid holds up to so many along y and z; *more: how often that many, if there are more */
static Value *up_to_most(Builder *b, Value *blocks, Value **more) {
    *more = index_ceildiv(b, blocks, MOST_BLOCKS);
    return index_min(b, blocks, build_int(b, MOST_BLOCKS));
}

/* Elements along the axes that are neither the last nor the thread's; NULL: there are no such axes */
static Value *count_others(Builder *b, const Rows *r) {
    Value *n = NULL;
    for (int a = 0; a < r->last; a++)
        if (a != r->axis) {
            Value *extent = at_least_0(b, op_opnd(r->loop, a));
            n = n ? index_mul(b, n, extent) : extent;
        }
    return n;
}

static Op *blocks(Builder *b, Rows *r) {
    Value *high = index_sub(b, build_int(b, index_log2(r->threads)), r->log);
    Value *more_along = build_int(b, 1), *extents[3];
    Value *along = index_ceildiv(b, at_least_0(b, op_opnd(r->loop, r->axis)), r->by);
    int n = 0;
    r->others = count_others(b, r);
    if (r->others) extents[n++] = up_to_most(b, along, &more_along);
    extents[n++] = up_to_most(b, blocks_of(b, r->others ? r->others : along, high), &r->more_down);
    r->across = blocks_of(b, index_add(b, op_opnd(r->loop, r->last), build_int(b, r->before)), r->log);
    r->more = index_mul(b, r->more_down, more_along);
    extents[n++] = index_mul(b, r->across, r->more);
    return build_parallel(b, n, extents, LOOP_BLOCK);
}

/* ---- where a thread is */

enum { ALONG, DOWN, ACROSS, PLACES };

/* The grid does not hold them all: this block is of a later part. */
static void part_of_blocks(Builder *b, const Rows *r, Value **at) {
    const Type *types[PLACES], *t = type_i64(b->module);
    for (int i = 0; i < PLACES; i++) types[i] = t;
    Op *choice = build_if(b, build_binary(b, OP_EQ, r->more, build_int(b, 1)), PLACES, types);
    Builder usual = builder_at_end(b->module, choice->regs[0], b->span),
            other = builder_at_end(b->module, choice->regs[1], b->span);
    build_yield(&usual, PLACES, at);
    Value *part = idiv_safe(&other, at[ACROSS], r->across), *most = build_int(&other, MOST_BLOCKS), *to[PLACES];
    to[ACROSS] = imod_safe(&other, at[ACROSS], r->across);
    to[DOWN] = index_add(&other, at[DOWN], index_mul(&other, most, imod_safe(&other, part, r->more_down)));
    to[ALONG] = index_add(&other, at[ALONG], index_mul(&other, most, idiv_safe(&other, part, r->more_down)));
    build_yield(&other, PLACES, to);
    for (int i = 0; i < PLACES; i++) at[i] = &choice->res[i];
}

/* iv: the thread's first element; the bool that there is one */
static Value *place_of_thread(Builder *b, const Rows *r, Value *const *block, Value *thread, Value **iv) {
    Value *extents[MAX_RANK], *others[MAX_RANK], *high = build_int(b, index_log2(r->threads));
    Value *at[] = {block[ALONG], block[DOWN], block[ACROSS]}, *inside = NULL;
    int n = 0;
    if (!value_is_const_int(r->more, 1)) part_of_blocks(b, r, at);
    Value *one = build_int(b, 1), *right = build_binary(b, OP_AND, thread, index_sub(b, r->wide, one));
    iv[r->last] = index_add(b, build_binary(b, OP_SHL, at[ACROSS], r->log), right);
    if (r->before) {
        iv[r->last] = index_sub(b, iv[r->last], build_int(b, r->before));
        inside = build_binary(b, OP_GE, iv[r->last], build_int(b, 0));
    }
    Value *low = build_binary(b, OP_SHR, thread, r->log),
          *down = index_add(b, build_binary(b, OP_SHL, at[DOWN], index_sub(b, high, r->log)), low);
    iv[r->axis] = index_mul(b, r->others ? at[ALONG] : down, build_int(b, r->by));
    for (int a = 0; a < r->last; a++)
        if (a != r->axis) extents[n++] = op_opnd(r->loop, a);
    index_unflatten(b, down, n, extents, others);
    for (int a = r->last - 1; a >= 0; a--)
        if (a != r->axis) iv[a] = others[--n];
    if (r->others) inside = build_both(b, inside, build_binary(b, OP_LT, down, r->others));
    inside = build_both(b, inside, build_binary(b, OP_LT, iv[r->last], op_opnd(r->loop, r->last)));
    return build_both(b, inside, build_binary(b, OP_LT, iv[r->axis], op_opnd(r->loop, r->axis)));
}

/* ---- what it does */

static void all_elements(Builder *b, const Rows *r, Value *const *iv) {
    const Region *body = r->loop->regs[0];
    Weave w = {.module = b->module, .n = r->by, .together = true};
    Value *on[WEAVE_MAX] = {NULL};
    for (int c = 0; c < r->by; c++) {
        w.copy[c].module = b->module;
        for (int a = 0; a < body->nargs; a++) {
            Value *x = a == r->axis ? index_add(b, iv[a], build_int(b, c)) : iv[a];
            map_put(b->module->arena, &w.copy[c].values, body->args[a], x);
        }
    }
    weave_region(&w, b, body, on);
}

static void some_elements(Builder *b, const Rows *r, Value *const *iv) {
    Value *at[MAX_RANK];
    Op *loop = build_for(b, iv[r->axis], op_opnd(r->loop, r->axis), build_int(b, 1), 0, NULL);
    op_set_flag(loop, A_FEW);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    build_yield(&in, 0, NULL);
    in.before = region_term(loop->regs[0]);
    for (int a = 0; a < r->loop->nopnds; a++) at[a] = a == r->axis ? loop->regs[0]->args[0] : iv[a];
    loop_body_to(&in, r->loop, at);
}

static void compute(Builder *b, const Rows *r, Value *const *iv) {
    Value *end = index_add(b, iv[r->axis], build_int(b, r->by));
    Op *choice = build_if(b, build_binary(b, OP_LE, end, op_opnd(r->loop, r->axis)), 0, NULL);
    op_set_flag(choice, A_FEW);
    Builder all = builder_at_end(b->module, choice->regs[0], b->span),
            some = builder_at_end(b->module, choice->regs[1], b->span);
    all_elements(&all, r, iv);
    build_yield(&all, 0, NULL);
    build_yield(&some, 0, NULL);
    some.before = region_term(choice->regs[1]);
    some_elements(&some, r, iv);
}

/* How many elements the loop has, if sizes say it */
static void count_elements(const Rows *r, Op *grid) {
    Session *s = grid->parent->func->module->session;
    const Size **all = NEWN(grid->parent->func->module->arena, const Size *, 1);
    *all = size_const(s, 1);
    for (int a = 0; a <= r->last && *all; a++) {
        const Size *n = value_size(s, op_opnd(r->loop, a), false);
        *all = n ? size_mul(s, *all, n) : NULL;
    }
    if (*all) op_set_attr(grid, (Attr){.id = A_SIZE, .n = 1, .sizes = all});
}

static void tell(const Rows *r, Op *grid) {
    Session *s = grid->parent->func->module->session;
    const char *before = op_sym(r->loop, A_MSG);
    int by = r->by;
    const char *note = intern_printf(s, "a thread does %d elements beside each other, which take %d reads instead of "
                                        "%d (--choose=rows=no)", by, r->reads.together[by], by * r->reads.reads);
    op_set_sym(grid, A_MSG, before ? intern_printf(s, "%s\n%s", before, note) : note);
}

static void to_rows(Rows *r) {
    Builder b = builder_before(r->loop), some;
    r->threads = (int)choice_int(r->opts, CH_GPU_BLOCK);
    choose_width(&b, r);
    Op *grid = blocks(&b, r), *team;
    Builder in = builder_at_end(b.module, grid->regs[0], b.span);
    Value *threads = build_int(&in, r->threads), *iv[MAX_RANK];
    team = build_parallel(&in, 1, &threads, LOOP_THREAD);
    Builder body = builder_at_end(b.module, team->regs[0], b.span);
    Value **at = grid->regs[0]->args, *block[] = {at[0], at[grid->nopnds - 2], at[grid->nopnds - 1]};
    build_when(&body, place_of_thread(&body, r, block, team->regs[0]->args[0], iv), &some);
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
    compute(&some, r, iv);
    tell(r, grid);
    count_elements(r, grid);
    op_erase(r->loop);
}

typedef struct { const PassOptions *opts; Arena *arena; VEC(Rows) found; } Search;

static void visit(void *ctx, Op *op) {
    Search *s = ctx;
    if (op->code != OP_ISLAND || !island_is_launches(op)) return;
    Linear *l = linear_new(op->parent->func);
    for (Op *o = op->regs[0]->first; o; o = o->next) {
        Rows r = {.opts = s->opts, .linear = l, .loop = o, .last = o->nopnds - 1};
        if (is_candidate(o, &r.cost) && choose_axis(&r)) vec_push(s->arena, &s->found, r);
    }
    linear_free(l);
}

void pass_rows(Module *m, const PassOptions *opts) {
    Search s = {.opts = opts, .arena = m->arena};
    if (!opts->device || choice_is(opts, CH_ROWS, "no")) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, &s);
    for (int i = 0; i < s.found.len; i++) to_rows(&s.found.data[i]);
}
