/* Launches of a GPU.  A launch becomes a function kernel(env, lane), run once for each thread, and a call of the
 * runtime (runtime/simt.h) with its extents and what the threads need of the function around, env.  What stands in a
 * block beside the loop over its threads all of them compute; memory of the block lies at lane->shared. */
#include "codegen/llvm/private.h"
#include "runtime/simt.h"

#include <stddef.h>
#include <string.h>

enum { AXES = 3, ALIGN = 64, THREADS = 256 };

struct Kernel {
    bool written;           /* blocks and threads are; else a thread is an iteration of the loop */
    const Op *threads;      /* the first loop over threads; NULL: a block is one thread */
    LLVMValueRef lane;
    LLVMValueRef used;      /* bytes of shared memory that are taken */
    int loops;              /* over threads that were written */
    bool barriers;
};

static bool is_kind(const Op *op, const char *kind) {
    const char *is = op->code == OP_PARALLEL ? op_sym(op, A_KIND) : NULL;
    return is && !strcmp(is, kind);
}

/* ---- inside */

static LLVMValueRef lane_field(Gen *g, size_t offset, LLVMTypeRef t) {
    return LLVMBuildLoad2(g->b, t, gen_offset(g, g->kernel->lane, (int64_t)offset), "");
}

static LLVMValueRef lane_index(Gen *g, size_t of, int axis) { return lane_field(g, of + 8 * (size_t)axis, g->i64); }

/* The indices of a loop over blocks or threads */
static void set_indices(Gen *g, const Op *loop, size_t of) {
    const Region *body = loop->regs[0];
    for (int i = 0; i < loop->nopnds; i++) gen_set(g, body->args[i], lane_index(g, of, AXES - loop->nopnds + i));
}

static void barrier(Gen *g, Span at) {
    gen_call(g, "dsl_simt_barrier", g->nothing, ARGS(g->kernel->lane, gen_site(g, at)));
    g->kernel->barriers = true;
}

void gen_barrier(Gen *g, Op *op) { barrier(g, op->span); }

bool gen_in_kernel(Gen *g, Op *op) {
    if (!is_kind(op, "thread")) return false;
    if (g->kernel->loops++) barrier(g, op->span); /* the one before it is over */
    set_indices(g, op, offsetof(dsl_lane, thread));
    gen_region(g, op->regs[0]);
    return true;
}

static LLVMValueRef bytes_of(Gen *g, const Type *t) {
    LLVMValueRef n = const_i64(g, dtype_info(t->dtype)->bytes), up = const_i64(g, ALIGN - 1);
    for (int i = 0; i < t->rank; i++) n = LLVMBuildNSWMul(g->b, n, gen_size(g, t->dims[i]), "");
    return LLVMBuildAnd(g->b, LLVMBuildNSWAdd(g->b, n, up, ""), const_i64(g, -ALIGN), "");
}

LLVMValueRef gen_shared(Gen *g, const Op *alloc) {
    LLVMValueRef at = g->kernel->used, base = lane_field(g, offsetof(dsl_lane, shared), g->ptr);
    g->kernel->used = LLVMBuildNSWAdd(g->b, at, bytes_of(g, alloc->res[0].type), "");
    return LLVMBuildInBoundsGEP2(g->b, g->i8, base, &at, 1, "");
}

/* A loop over elements: blocks of THREADS iterations, of which the last may have fewer */
static void gen_iteration(Gen *g, const Op *op) {
    LLVMBasicBlockRef work = gen_block(g, "work"), done = gen_block(g, "done");
    LLVMValueRef first = LLVMBuildNSWMul(g->b, lane_index(g, offsetof(dsl_lane, block), 2), const_i64(g, THREADS), "");
    LLVMValueRef i = LLVMBuildNSWAdd(g->b, first, lane_index(g, offsetof(dsl_lane, thread), 2), "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, i, gen_iterations(g, op, op->nopnds), ""), work, done);
    gen_at(g, work);
    gen_split_index(g, op, op->nopnds, i);
    gen_region(g, op->regs[0]);
    LLVMBuildBr(g->b, done);
    gen_at(g, done);
}

static LLVMValueRef gen_kernel(Gen *g, Op *op, Kernel *k, Fn **made) {
    LLVMTypeRef params[] = {g->ptr, g->ptr}, type = LLVMFunctionType(g->nothing, params, 2, false);
    LLVMValueRef fn = LLVMAddFunction(g->out, "kernel", type), group = g->group;
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    Fn *f = *made = gen_fn_begin(g, fn, g->fn);
    f->env = LLVMGetParam(fn, 0);
    k->lane = LLVMGetParam(fn, 1);
    k->used = const_i64(g, 0);
    g->kernel = k, g->group = NULL;
    if (k->written) {
        set_indices(g, op, offsetof(dsl_lane, block));
        gen_region(g, op->regs[0]);
    } else gen_iteration(g, op);
    LLVMBuildRetVoid(g->b);
    g->kernel = NULL, g->group = group;
    gen_fn_end(g, f);
    return fn;
}

/* ---- the launch */

typedef struct { const Op *threads; Gen *g; LLVMValueRef bytes; } Shape;

static void find_threads(void *ctx, Op *op) {
    Shape *s = ctx;
    if (!s->threads && is_kind(op, "thread")) s->threads = op;
    if (op->code == OP_ALLOC && op->res[0].type->space == SPACE_SHARED)
        s->bytes = LLVMBuildNSWAdd(s->g->b, s->bytes, bytes_of(s->g, op->res[0].type), "");
}

/* What is computed in the block alike for all of them is computed here again. */
static LLVMValueRef known_here(Gen *g, const Op *launch, const Value *v) {
    if (!region_encloses(launch->regs[0], value_region(v)) || v->def->code == OP_CONST) return gen_value(g, v);
    if (v->def->code == OP_SIZE) return gen_size(g, op_attr(v->def, A_SIZE)->sizes[0]);
    bug("@%s: the extent of a launch is computed inside it", g->plan->func->name);
}

static void put(Gen *g, LLVMValueRef grid, size_t offset, LLVMValueRef x) {
    LLVMBuildStore(g->b, x, gen_offset(g, grid, (int64_t)offset));
}

static void put_extents(Gen *g, LLVMValueRef grid, size_t offset, const Op *launch, const Op *loop) {
    int before = AXES - (loop ? loop->nopnds : 0);
    for (int i = 0; i < AXES; i++) {
        LLVMValueRef n = i < before ? const_i64(g, 1) : known_here(g, launch, op_opnd(loop, i - before));
        put(g, grid, offset + 8 * (size_t)i, n);
    }
}

static void put_iterations(Gen *g, LLVMValueRef grid, const Op *op) {
    LLVMValueRef n = gen_iterations(g, op, op->nopnds), up = LLVMBuildNSWAdd(g->b, n, const_i64(g, THREADS - 1), "");
    for (int i = 0; i < AXES; i++) {
        bool last = i == AXES - 1;
        LLVMValueRef blocks = last ? LLVMBuildSDiv(g->b, up, const_i64(g, THREADS), "") : const_i64(g, 1);
        put(g, grid, offsetof(dsl_grid, blocks) + 8 * (size_t)i, blocks);
        put(g, grid, offsetof(dsl_grid, threads) + 8 * (size_t)i, const_i64(g, last ? THREADS : 1));
    }
}

static LLVMValueRef gen_grid(Gen *g, const Op *op, const Kernel *k, LLVMValueRef shared) {
    LLVMValueRef grid = gen_stack(g, LLVMArrayType2(g->i64, sizeof(dsl_grid) / 8));
    if (k->written) {
        put_extents(g, grid, offsetof(dsl_grid, blocks), op, op);
        put_extents(g, grid, offsetof(dsl_grid, threads), op, k->threads);
    } else put_iterations(g, grid, op);
    put(g, grid, offsetof(dsl_grid, block_rank), const_i64(g, k->written ? op->nopnds : 1));
    put(g, grid, offsetof(dsl_grid, thread_rank), const_i64(g, k->threads ? k->threads->nopnds : 1));
    put(g, grid, offsetof(dsl_grid, shared), shared);
    put(g, grid, offsetof(dsl_grid, barriers), const_i64(g, k->barriers));
    put(g, grid, offsetof(dsl_grid, ordered), const_i64(g, plan_loop(g->plan, op)->ordered));
    return grid;
}

void gen_launch(Gen *g, Op *op) {
    Fn *f;
    Shape s = {NULL, g, const_i64(g, 0)};
    region_walk(op->regs[0], find_threads, &s);
    Kernel k = {.written = is_kind(op, "block"), .threads = s.threads};
    LLVMValueRef fn = gen_kernel(g, op, &k, &f), env = gen_env(g, f), grid = gen_grid(g, op, &k, s.bytes);
    gen_call(g, "dsl_simt_launch", g->nothing, ARGS(gen_site(g, op->span), fn, env, grid));
}
