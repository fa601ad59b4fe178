/* Launches of a GPU.  A launch becomes a function kernel(env, lane), run once for each thread, and a call of the
 * runtime with its extents and what the threads need of the function around, env.  What stands in a block beside the
 * loop over its threads all of them compute.
 *
 * For the simulator (runtime/simt.h) the function stands in the module of the program, and lane says which thread it
 * is.  For a GPU (runtime/gpu.h) it stands in a module of its own, behind a kernel whose parameters are the slots of
 * env; registers of the processor say which thread it is, and memory of a block has an address space. */
#include "analysis/axes.h"
#include "codegen/llvm/private.h"
#include "runtime/gpu.h"
#include "runtime/simt.h"

#include <ctype.h>
#include <stddef.h>

enum { AXES = 3, MOST_OPERANDS = 3, ALIGN = 64, MOST_THREADS = 1024, STATIC_SHARED = 48 << 10, PRODUCT_BLOCKS = 2,
       AWAITING_BLOCKS = 5 /* while some wait, others work: 48 registers for each of 256 threads */ };

/* Of a multiprocessor, compute capability 8.0: shared memory, threads and blocks at a time */
enum { SHARED_OF_ALL = 164 << 10, THREADS_OF_ALL = 2048, MOST_BLOCKS = 32 };
/* Compute capability 9.0: of shared memory, which takes a bit more for each block */
enum { SHARED_OF_LARGE = 228 << 10, SHARED_MORE = 1 << 10 };

struct Kernel {
    bool written;           /* blocks and threads are; else a thread is an iteration of the loop */
    const Op *threads;      /* the first loop over threads; NULL: a block is one thread */
    bool turned;            /* their last two axes have changed places */
    LLVMValueRef lane;
    Team team;
    const Rows *found;      /* rows that a team goes through more than once .. */
    Rows rows;              /* .. and where they are */
    LLVMValueRef used;      /* bytes of shared memory that are taken */
    int64_t taken;          /* of a GPU, unless dynamic: the same */
    int loops;              /* over threads that were written */
    bool barriers;
    bool fails;             /* of a GPU: its threads may */
    bool product;           /* it is a matrix product's */
    bool awaits;            /* its blocks await others */
    bool dynamic;           /* of a GPU: how much shared memory it needs is said when it is launched */
    const bool *trusting;   /* of a GPU, by mark: what is done unless a launch before has failed; NULL: nothing is */
    LLVMValueRef failed;    /* .. whether one has; NULL: where that is known */
};

Team *gen_team(Gen *g) { return g->kernel ? &g->kernel->team : NULL; }

bool gen_in_product(const Gen *g) { return g->kernel && g->kernel->product; }

LLVMValueRef gen_lane(Gen *g) { return g->kernel->lane; }

static bool is_of_threads(const Op *op) {
    return op_loop(op) == LOOP_THREAD;
}

/* ---- inside: whether it goes on, which thread it is, barriers */

/* As late as may be: what comes before need not wait for the answer. */
void gen_trust(Gen *g, const Op *op) {
    Kernel *k = g->kernel;
    if (!k || !k->failed || !k->trusting[op->mark]) return;
    LLVMBasicBlockRef stop = gen_block(g, "stop"), on = gen_block(g, "on");
    LLVMBuildCondBr(g->b, k->failed, stop, on);
    gen_at(g, stop);
    LLVMBuildRetVoid(g->b);
    gen_at(g, on);
    k->failed = NULL;
}

LLVMValueRef gen_untrusted(const Gen *g) { return g->kernel ? g->kernel->failed : NULL; }

void gen_untrusted_again(Gen *g, LLVMValueRef untrusted) {
    if (g->kernel) g->kernel->failed = untrusted;
}

static LLVMValueRef lane_field(Gen *g, size_t offset, LLVMTypeRef t) {
    return LLVMBuildLoad2(g->b, t, gen_offset(g, g->kernel->lane, (int64_t)offset), "");
}

static LLVMValueRef special_register(Gen *g, const char *what, int axis) {
    const char *name = arena_printf(g->arena, "llvm.nvvm.read.ptx.sreg.%s.%c", what, "zyx"[axis]);
    return LLVMBuildZExt(g->b, gen_intrinsic(g, name, NULL, 0, NULL), g->i64, "");
}

static LLVMValueRef block_index(Gen *g, int axis) {
    if (g->on_device) return special_register(g, "ctaid", axis);
    return lane_field(g, offsetof(dsl_lane, block) + 8 * (size_t)axis, g->i64);
}

/* Where an axis of threads is on the device */
static int thread_axis(const Kernel *k, int axis) { return !k->turned || axis < 1 ? axis : AXES - axis; }

static LLVMValueRef thread_index(Gen *g, int axis) {
    axis = thread_axis(g->kernel, axis);
    if (g->on_device) return special_register(g, "tid", axis);
    return lane_field(g, offsetof(dsl_lane, thread) + 8 * (size_t)axis, g->i64);
}

/* The indices of a loop over blocks or threads */
static void set_indices(Gen *g, const Op *loop, LLVMValueRef index(Gen *, int)) {
    const Region *body = loop->regs[0];
    for (int i = 0; i < loop->nopnds; i++) gen_set(g, body->args[i], index(g, AXES - loop->nopnds + i));
}

static void barrier(Gen *g, Span at) {
    if (g->on_device) gen_device_barrier(g);
    else gen_call(g, "dsl_simt_barrier", g->nothing, ARGS(g->kernel->lane, gen_site(g, at)));
    g->kernel->barriers = true;
}

void gen_barrier(Gen *g, Op *op) { barrier(g, op->span); }

bool gen_in_kernel(Gen *g, Op *op) {
    if (!is_of_threads(op)) return false;
    if (g->kernel->loops++) barrier(g, op->span); /* the one before it is over */
    set_indices(g, op, thread_index);
    gen_region(g, op->regs[0]);
    return true;
}

/* ---- memory of the block */

static LLVMValueRef bytes_of(Gen *g, const Type *t) {
    LLVMValueRef n = const_i64(g, dtype_info(t->dtype)->bytes), up = const_i64(g, ALIGN - 1);
    for (int i = 0; i < t->rank; i++) n = LLVMBuildNSWMul(g->b, n, gen_size(g, t->dims[i]), "");
    return LLVMBuildAnd(g->b, LLVMBuildNSWAdd(g->b, n, up, ""), const_i64(g, -ALIGN), "");
}

static LLVMValueRef shared_base(Gen *g) {
    return g->on_device ? gen_device_shared(g, 0) : lane_field(g, offsetof(dsl_lane, shared), g->ptr);
}

bool gen_is_shared(const Gen *g, const Op *alloc) {
    return g->kernel && alloc->res[0].type->space == SPACE_SHARED;
}

LLVMValueRef gen_shared_room(Gen *g, LLVMValueRef bytes) {
    LLVMValueRef at = g->kernel->used;
    if (g->on_device && !g->kernel->dynamic) {
        uint64_t n = LLVMConstIntGetZExtValue(bytes);
        g->kernel->taken += (int64_t)n;
        return gen_device_shared(g, n);
    }
    LLVMValueRef base = shared_base(g);
    g->kernel->used = LLVMBuildNSWAdd(g->b, at, bytes, "");
    return LLVMBuildInBoundsGEP2(g->b, g->i8, base, &at, 1, "");
}

LLVMValueRef gen_shared(Gen *g, const Op *alloc) { return gen_shared_room(g, bytes_of(g, alloc->res[0].type)); }

const Rows *gen_kernel_rows(const Gen *g) { return g->kernel ? &g->kernel->rows : NULL; }

/* ---- the function */

static int loop_threads(const Gen *g, const Kernel *k) {
    int most = k->found->n ? k->found->teams * DSL_TEAM : MOST_THREADS;
    return g->opts->emit.block < most ? g->opts->emit.block : most;
}

static int64_t block_iterations(const Gen *g, const Op *op, const Kernel *k) {
    return loop_threads(g, k) / (plan_loop(g->plan, op)->team ? DSL_TEAM : 1);
}

/* Which iteration of its block a thread does */
static LLVMValueRef own_iteration(Gen *g, const Op *op) {
    LLVMValueRef t = thread_index(g, 2);
    if (!plan_loop(g->plan, op)->team) return t;
    g->kernel->team.member = LLVMBuildAnd(g->b, t, const_i64(g, DSL_TEAM - 1), "");
    return LLVMBuildUDiv(g->b, t, const_i64(g, DSL_TEAM), "");
}

/* A loop over elements: blocks of so many iterations, of which the last may have fewer */
static void gen_iteration(Gen *g, const Op *op) {
    LLVMBasicBlockRef work = gen_block(g, "work"), done = gen_block(g, "done");
    LLVMValueRef first = LLVMBuildNSWMul(g->b, block_index(g, 2), const_i64(g, block_iterations(g, op, g->kernel)), "");
    LLVMValueRef own = own_iteration(g, op), i = LLVMBuildNSWAdd(g->b, first, own, "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, i, gen_iterations(g, op, op->nopnds), ""), work, done);
    gen_at(g, work);
    gen_split_index(g, op, op->nopnds, i);
    gen_rows_begin(g, op, &g->kernel->rows, own);
    gen_region(g, op->regs[0]);
    gen_rows_end(g, &g->kernel->rows, op->span);
    LLVMBuildBr(g->b, done);
    gen_at(g, done);
}

static void gen_body(Gen *g, Op *op, Kernel *k, Fn *f) {
    LLVMValueRef group = g->group;
    f->env = LLVMGetParam(f->fn, 0);
    k->lane = LLVMGetParam(f->fn, 1);
    k->used = const_i64(g, 0);
    k->rows = *k->found;
    g->kernel = k, g->group = NULL;
    k->awaits = op_holds(op, OP_AWAIT);
    k->trusting = g->on_device ? plan_trusting(g->plan, op) : NULL;
    k->failed = k->trusting ? gen_device_failed(g) : NULL;
    if (k->written) {
        set_indices(g, op, block_index);
        gen_region(g, op->regs[0]);
    } else gen_iteration(g, op);
    LLVMBuildRetVoid(g->b);
    g->kernel = NULL, g->group = group;
}

static Fn *gen_kernel(Gen *g, Op *op, Kernel *k) {
    LLVMTypeRef params[] = {g->ptr, g->ptr}, type = LLVMFunctionType(g->nothing, params, 2, false);
    LLVMValueRef fn = LLVMAddFunction(g->out, "kernel", type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    Fn *f = gen_fn_begin(g, fn, g->fn);
    gen_body(g, op, k, f);
    gen_fn_end(g, f);
    return f;
}

/* ---- the launch: its extents */

typedef struct { const Op *launch, *threads; Gen *g; LLVMValueRef bytes; } Shape;

static bool is_known_here(const Op *launch, const Value *v) {
    if (!region_encloses(launch->regs[0], value_region(v))) return true;
    if (!v->def) return false;
    if (v->def->code == OP_CONST || v->def->code == OP_SIZE) return true;
    bool known = (op_info(v->def->code)->traits & TR_ELEM) && v->def->nopnds <= MOST_OPERANDS;
    for (int i = 0; i < v->def->nopnds && known; i++) known = is_known_here(launch, op_opnd(v->def, i));
    return known;
}

/* What is computed in the block alike for all of them is computed here again. */
static LLVMValueRef known_here(Gen *g, const Op *launch, const Value *v) {
    LLVMValueRef x[MOST_OPERANDS];
    if (!is_known_here(launch, v)) bug("@%s: the extent of a launch is computed inside it", g->plan->func->name);
    if (!region_encloses(launch->regs[0], value_region(v)) || v->def->code == OP_CONST) return gen_value(g, v);
    if (v->def->code == OP_SIZE) return gen_size(g, op_attr(v->def, A_SIZE)->sizes[0]);
    for (int i = 0; i < v->def->nopnds; i++) x[i] = known_here(g, launch, op_opnd(v->def, i));
    return gen_elementwise(g, v->def, op_opnd(v->def, 0)->type->dtype, x);
}

static void find_threads(void *ctx, Op *op) {
    Shape *s = ctx;
    if (!s->threads && is_of_threads(op)) s->threads = op;
    if (op->code == OP_BIND && !gen_knows_sym(s->g, op_sym(op, A_SYM)) && is_known_here(s->launch, op_opnd(op, 0)))
        gen_bind_to(s->g, op, known_here(s->g, s->launch, op_opnd(op, 0)));
    if (op->code == OP_ALLOC && op->res[0].type->space == SPACE_SHARED && !op->nopnds)
        s->bytes = LLVMBuildNSWAdd(s->g->b, s->bytes, bytes_of(s->g, op->res[0].type), "");
}

static void put(Gen *g, LLVMValueRef grid, size_t offset, LLVMValueRef x) {
    LLVMBuildStore(g->b, x, gen_offset(g, grid, (int64_t)offset));
}

static LLVMValueRef extent(Gen *g, const Op *launch, const Op *loop, int axis) {
    int before = AXES - (loop ? loop->nopnds : 0);
    return axis < before ? const_i64(g, 1) : known_here(g, launch, op_opnd(loop, axis - before));
}

static void put_extents(Gen *g, LLVMValueRef grid, const Op *launch, const Kernel *k) {
    for (int i = 0; i < AXES; i++) {
        size_t at = 8 * (size_t)i, turned = 8 * (size_t)thread_axis(k, i);
        put(g, grid, offsetof(dsl_grid, blocks) + at, extent(g, launch, launch, i));
        put(g, grid, offsetof(dsl_grid, threads) + turned, extent(g, launch, k->threads, i));
    }
}

static void put_iterations(Gen *g, LLVMValueRef grid, const Op *op, const Kernel *k) {
    int64_t each = block_iterations(g, op, k);
    LLVMValueRef n = gen_iterations(g, op, op->nopnds), up = LLVMBuildNSWAdd(g->b, n, const_i64(g, each - 1), "");
    for (int i = 0; i < AXES; i++) {
        bool last = i == AXES - 1;
        LLVMValueRef blocks = last ? LLVMBuildSDiv(g->b, up, const_i64(g, each), "") : const_i64(g, 1);
        put(g, grid, offsetof(dsl_grid, blocks) + 8 * (size_t)i, blocks);
        put(g, grid, offsetof(dsl_grid, threads) + 8 * (size_t)i, const_i64(g, last ? loop_threads(g, k) : 1));
    }
}

static LLVMValueRef gen_grid(Gen *g, const Op *op, const Kernel *k, LLVMValueRef shared) {
    LLVMValueRef grid = gen_stack(g, LLVMArrayType2(g->i64, sizeof(dsl_grid) / 8));
    if (k->written) put_extents(g, grid, op, k);
    else put_iterations(g, grid, op, k);
    put(g, grid, offsetof(dsl_grid, block_rank), const_i64(g, k->written ? op->nopnds : 1));
    put(g, grid, offsetof(dsl_grid, thread_rank), const_i64(g, k->threads ? k->threads->nopnds : 1));
    put(g, grid, offsetof(dsl_grid, shared), shared);
    put(g, grid, offsetof(dsl_grid, barriers), const_i64(g, k->barriers));
    put(g, grid, offsetof(dsl_grid, team), const_i64(g, plan_loop(g->plan, op)->team));
    put(g, grid, offsetof(dsl_grid, ordered), const_i64(g, plan_loop(g->plan, op)->ordered));
    return grid;
}

/* ---- of a GPU: the kernel's name, its parameters, how many threads a block may have */

static const char *kernel_name(Gen *g, const Op *op) {
    const Op *island = op_around(op, OP_ISLAND);
    const char *written = island ? op_sym(island, A_NAME) : NULL;
    char *name = arena_printf(g->arena, "k%d_%s", ++g->kernels, written ? written : "loop");
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    return name;
}

static const char *kinds_of(Gen *g, const Op *op, const Fn *f) {
    char *kinds = arena_alloc(g->arena, (size_t)f->captures.len + 1);
    for (int i = 0; i < f->captures.len; i++) {
        const Value *buf = f->captures.data[i].value;
        bool memory = buf && buf->type->kind == TY_BUF;
        kinds[i] = !memory ? 's' : op_holds_write(op, buf) ? 'w' : 'r';
    }
    kinds[f->captures.len] = 0;
    return kinds;
}

static int block_threads(const Gen *g, const Kernel *k) {
    int64_t n = 1, extent;
    for (int i = 0; k->threads && i < k->threads->nopnds; i++) {
        if (!int_constant(op_opnd(k->threads, i), &extent)) return MOST_THREADS;
        n *= extent;
    }
    return !k->written ? loop_threads(g, k) : n < 1 || n > MOST_THREADS ? MOST_THREADS : (int)n;
}

static bool is_static(LLVMValueRef bytes) {
    return LLVMIsAConstantInt(bytes) && LLVMConstIntGetZExtValue(bytes) <= STATIC_SHARED;
}

/* The same function for the simulator, with the slots of env in the same order */
static LLVMValueRef shadow_of(Gen *g, Op *op, const Kernel *k, const Fn *f) {
    Kernel again = {.written = k->written, .threads = k->threads, .turned = k->turned, .product = k->product};
    again.found = k->found;
    if (!g->opts->shadow) return NULL;
    const Fn *shadow = gen_kernel(g, op, &again);
    if (shadow->captures.len != f->captures.len) bug("a kernel and its shadow take %d and %d arguments",
                                                     f->captures.len, shadow->captures.len);
    for (int i = 0; i < f->captures.len; i++) {
        const Capture *x = &f->captures.data[i], *y = &shadow->captures.data[i];
        if (x->value != y->value || x->sym != y->sym) bug("a kernel and its shadow differ in argument %d", i);
    }
    return shadow->fn;
}

/* What loops of the host around the launch read and write */
static void back_home(Gen *g, const Fn *f) {
    for (int i = 0; i < f->captures.len; i++) {
        const Value *v = f->captures.data[i].value;
        if (v && g->plan->touch[v->id] == TOUCH_WHOLE)
            gen_call(g, "dsl_gpu_home_elements", g->nothing, ARGS(gen_value(g, v)));
    }
}

void gen_kernel_fails(Gen *g) {
    if (g->on_device && g->kernel) g->kernel->fails = true;
}

static void note_kernel(Gen *g, const Op *op, const Kernel *k, const char *name) {
    int threads = block_threads(g, k);
    bool known = !k->threads || threads < MOST_THREADS;
    KernelNote note = {.name = intern(g->session, name), .at = op->span, .threads = known ? threads : 0};
    note.number = g->device->notes.len;
    note.dynamic = k->dynamic;
    note.says = op_sym(op, A_MSG);
    note.work = kernel_work(g->session, op);
    vec_push(session_arena(g->session), &g->device->notes, note);
}

/* Blocks that are to have room in a multiprocessor at a time.  Where their number or shared memory allows fewer than
 * threads do, one: threads then have the registers that they want, and ptxas does not save them for more threads than
 * there can be.  0: as ptxas likes */
static int blocks_with_room(const Kernel *k, int threads) {
    int64_t blocks = k->taken && SHARED_OF_ALL / k->taken < MOST_BLOCKS ? SHARED_OF_ALL / k->taken : MOST_BLOCKS;
    if (k->product) return PRODUCT_BLOCKS;
    if (k->awaits) {
        int64_t most = SHARED_OF_LARGE / (k->taken + SHARED_MORE);
        return most < AWAITING_BLOCKS ? (int)most : AWAITING_BLOCKS;
    }
    return blocks * threads < THREADS_OF_ALL;
}

static void launch_on_device(Gen *g, Op *op, Kernel *k, LLVMValueRef bytes) {
    const char *name = kernel_name(g, op);
    k->dynamic = !is_static(bytes);
    note_kernel(g, op, k, name);
    gen_switch(g);
    Fn *f = gen_kernel(g, op, k);
    const char *kinds = kinds_of(g, op, f);
    bool meet = k->barriers || plan_loop(g->plan, op)->team;
    int threads = block_threads(g, k);
    gen_device_entry(g, name, f, kinds, threads, blocks_with_room(k, threads), meet);
    gen_switch(g);
    gen_at(g, f->resume);
    LLVMValueRef env = gen_env(g, f), grid = gen_grid(g, op, k, bytes);
    bool team = plan_loop(g->plan, op)->team;
    DeviceKernel made = {name, f->captures.len, kinds, k->dynamic, k->fails, team, shadow_of(g, op, k, f)};
    LLVMValueRef site = gen_site(g, op->span), kernel = gen_device_kernel(g, &made), product = gen_product(g, op, f);
    if (product) gen_call(g, "dsl_gpu_multiply", g->nothing, ARGS(site, kernel, env, grid, product));
    else gen_call(g, "dsl_gpu_launch", g->nothing, ARGS(site, kernel, env, grid));
    back_home(g, f);
}

void gen_launch(Gen *g, Op *op) {
    Shape s = {op, NULL, g, const_i64(g, 0)};
    region_walk(op->regs[0], find_threads, &s);
    Rows rows = gen_rows(g, op);
    if (rows.n) s.bytes = gen_rows_bytes(g, &rows);
    Kernel k = {.written = plan_is_block(op), .threads = s.threads, .found = &rows, .product = gen_is_product(op)};
    if (plan_loop(g->plan, op)->where == RUN_ON_GPU) {
        k.turned = k.written && axes_turn(op, s.threads);
        launch_on_device(g, op, &k, s.bytes);
        return;
    }
    Fn *f = gen_kernel(g, op, &k);
    LLVMValueRef env = gen_env(g, f), grid = gen_grid(g, op, &k, s.bytes);
    if (k.written && g->opts->emit.target == TARGET_SIM)
        gen_call(g, "dsl_grid_check", g->nothing, ARGS(gen_site(g, op->span), grid));
    gen_call(g, "dsl_simt_launch", g->nothing, ARGS(gen_site(g, op->span), f->fn, env, grid));
}
