/* Kernel launches and parallel for: islands.
 *
 * A kernel is lowered into each launch of it:
 *   island(arrays) { parallel block (gz, gy, gx) { shared allocs; parallel thread (bz, by, bx) { body } } }
 * with as many axes as were written, or as the kernel uses of its blocks; sizes of the kernel become those of the
 * launch. A parallel for is an island over the arrays that its body mentions: written ones are inout. */
#include "lower/ast/private.h"

#include <string.h>

/* ---- thread.x and so on */

static int axis_named(const char *name) {
    return !strcmp(name, "x") ? 0 : !strcmp(name, "y") ? 1 : !strcmp(name, "z") ? 2 : -1;
}

Value *lower_thread_field(Fn *f, const Expr *e) {
    if (!f->kernel || e->a->kind != EX_NAME || e->a->var || !e->a->name || !e->name) return NULL;
    int axis = axis_named(e->name);
    if (axis < 0) return NULL;
    const char *base = e->a->name;
    Kernel *k = f->kernel;
    return !strcmp(base, "thread")     ? k->thread[axis]
           : !strcmp(base, "block")    ? k->block[axis]
           : !strcmp(base, "blockdim") ? k->blockdim[axis]
           : !strcmp(base, "griddim")  ? k->griddim[axis]
                                       : NULL;
}

/* ---- the operands of an island */

typedef struct Operands {
    VEC(Value *) v;
    VEC(int64_t) modes;
    VEC(const char *) names;
} Operands;

static void add_operand(Fn *f, Operands *o, Value *v, Mode mode, const char *name) {
    vec_push(f->arena, &o->v, v);
    vec_push(f->arena, &o->modes, (int64_t)mode);
    vec_push(f->arena, &o->names, name);
}

static Op *launch_island(Fn *f, const Operands *o, const char *name) {
    Op *op = build_island(&f->b, o->v.len, o->v.data, o->modes.data);
    if (name) op_set_sym(op, A_NAME, name);
    for (int i = 0; i < o->v.len; i++) op->regs[0]->args[i]->name = o->names.data[i];
    return op;
}

/* ---- grid and block */

static const char axis_letters[] = "xyz";

static void check_value(Fn *f, Value *cond, const char *code, const char *msg, Value *arg) {
    Value *opnds[2] = {cond, arg};
    Op *op = build_op(&f->b, OP_CHECK, 2, opnds, 0, NULL, 0);
    op_set_sym(op, A_CODE, code);
    op_set_sym(op, A_MSG, msg);
}

/* The checker has looked at constants. */
static void check_positive(Fn *f, Value *v, bool grid, int axis) {
    int64_t c;
    if (value_const_int(v, &c)) return;
    const char *msg = intern_printf(f->session, "the %s has size {} along %c; it must be at least 1",
                                    grid ? "grid" : "block", axis_letters[axis]);
    check_value(f, build_binary(&f->b, OP_GE, v, build_int(&f->b, 1)), "E0641", msg, v);
}

enum { MAX_THREADS = 1024 };

static void check_block(Fn *f, int n, Value *const *extents) {
    int64_t c, product = 1;
    Value *threads = NULL;
    for (int i = 0; i < n; i++) {
        if (value_const_int(extents[i], &c)) product *= c > 2 * MAX_THREADS ? 2 * MAX_THREADS : c;
        else threads = threads ? build_binary(&f->b, OP_MUL, threads, extents[i]) : extents[i];
        if (product > 2 * MAX_THREADS) product = 2 * MAX_THREADS;
    }
    if (!threads) return;
    if (product > 1) threads = build_binary(&f->b, OP_MUL, threads, build_int(&f->b, product));
    check_value(f, build_binary(&f->b, OP_LE, threads, build_int(&f->b, MAX_THREADS)), "E0642",
                "a block of {} threads; it may have 1024 at most", threads);
}

/* Values of a launch dimension, [0] is .x; those that were not written are 1 */
static int launch_extents(Fn *f, const ExprVec *v, bool grid, Value **out) {
    for (int i = 0; i < v->len; i++) {
        Span outside = f->b.span;
        f->b.span = fn_place(f, v->data[i]->span);
        out[i] = lower_scalar(f, v->data[i]);
        check_positive(f, out[i], grid, i);
        f->b.span = outside;
    }
    for (int i = v->len; i < 3; i++) out[i] = build_int(&f->b, 1);
    return v->len;
}

/* A parallel over n extents, [0] fastest; ivs gets the indices the same way round */
static Op *build_nest(Fn *f, int n, Value *const *extents, LoopKind kind, const char *hint, Value **ivs) {
    Value *slowest_first[3] = {0};
    for (int i = 0; i < n; i++) slowest_first[i] = extents[n - 1 - i];
    Op *op = build_parallel(&f->b, n, slowest_first, kind);
    for (int i = 0; i < n; i++) {
        ivs[i] = op->regs[0]->args[n - 1 - i];
        ivs[i]->name = intern_printf(f->session, "%s.%c", hint, axis_letters[i]);
    }
    for (int i = n; i < 3; i++) ivs[i] = NULL;
    return op;
}

/* ---- the axes of a kernel */

typedef struct {
    int n;
    bool blocks[3];
} KernelAxes; /* that the kernel mentions; blocks: those along which blocks differ */

static void note_axis(void *ctx, const Expr *e) {
    bool thread = e->kind == EX_FIELD && e->a->kind == EX_NAME && !e->a->var && e->a->name && e->name;
    int axis = thread ? axis_named(e->name) : -1;
    KernelAxes *axes = ctx;
    if (axis < 0) return;
    if (axis >= axes->n) axes->n = axis + 1;
    axes->blocks[axis] |= !strcmp(e->a->name, "block");
}

static KernelAxes kernel_axes(const Inst *kernel) {
    KernelAxes axes = {.n = 1};
    block_each(kernel->body, note_axis, &axes);
    return axes;
}

/* ---- launch */

Fn fn_in_place(Fn *outer, Span at, const char *how) {
    return (Fn){.l = outer->l, .session = outer->session, .arena = outer->arena, .island = true,
                .visible = outer->visible, .outer = outer, .at = at, .how = how};
}

void fn_inherit_sizes(Fn *inner, const SizeBindVec *binds) {
    for (int i = 0; i < binds->len; i++) {
        const SizeBind *bind = &binds->data[i];
        Sym *sym = NEW(inner->arena, Sym);
        *sym = (Sym){.name = bind->sym, .outer = bind->size};
        map_put(inner->arena, &inner->syms, bind->sym, sym);
    }
}

static Vals *launch_arguments(Fn *f, Fn *inner, const Stmt *s, Operands *o) {
    Vals *args = NEWN(f->arena, Vals, s->args.len + 1);
    for (int i = 0; i < s->args.len; i++) {
        const Var *param = s->inst->params.data[i];
        args[i] = lower_expr(f, s->args.data[i]);
        for (int k = 0; k < args[i].n; k++)
            if (type_is_tensor(args[i].v[k]->type)) add_operand(f, o, args[i].v[k], param->mode, param->name);
        if (param->sym && !map_has(&inner->syms, param->sym)) fn_define_sym(inner, param->sym, args[i].v[0]);
    }
    return args;
}

/* Parameters in the environment: buffers for arrays, values for the rest */
static void bind_params(Fn *inner, const Stmt *s, const Vals *args, Region *island) {
    int next = 0;
    for (int i = 0; i < s->args.len; i++) {
        Vals v = vals_copy(inner, args[i]);
        for (int k = 0; k < v.n; k++)
            if (type_is_tensor(v.v[k]->type)) v.v[k] = island->args[next++];
        env_set(inner, s->inst->params.data[i], v);
    }
}

/* The island's results go back to the variables that were passed as out and inout. */
static void assign_results(Fn *f, const Stmt *s, const Vals *args, Op *island) {
    int next = 0;
    for (int i = 0; i < s->args.len; i++) {
        if (s->inst->params.data[i]->mode == MODE_IN) continue;
        Vals v = vals_copy(f, args[i]);
        for (int k = 0; k < v.n; k++)
            if (type_is_tensor(v.v[k]->type)) v.v[k] = &island->res[next++];
        assign_value(f, s->args.data[i], v);
    }
}

static void kernel_body(Fn *inner, const Inst *kernel, Kernel *k, int ngrid, int nblock) {
    Op *blocks = build_nest(inner, ngrid, k->griddim, LOOP_BLOCK, "block", k->block);
    Mark island = region_enter(inner, blocks->regs[0]);
    Op *threads = k->thread_loop = build_nest(inner, nblock, k->blockdim, LOOP_THREAD, "thread", k->thread);
    Mark block = region_enter(inner, threads->regs[0]);
    k->nthread_ivs = nblock;
    for (int i = 0; i < nblock; i++) k->thread_ivs[i] = threads->regs[0]->args[i];
    for (int i = 0; i < 3; i++) {
        if (!k->block[i]) k->block[i] = build_int(&inner->b, 0);
        if (!k->thread[i]) k->thread[i] = build_int(&inner->b, 0);
    }
    lower_body(inner, kernel->body, NULL);
    build_yield(&inner->b, 0, NULL);
    region_leave(inner, block);
    build_yield(&inner->b, 0, NULL);
    region_leave(inner, island);
    build_yield(&inner->b, 0, NULL);
}

/* Those written, and those of which the kernel asks its block: the one block along such an axis stays a loop, to which
 * opt/par/prove_cover.c can give more turns. */
static int block_axes(const Inst *kernel, int written) {
    KernelAxes axes = kernel_axes(kernel);
    int n = 3;
    while (n > written && !axes.blocks[n - 1]) n--;
    return n;
}

void lower_launch(Fn *f, const Stmt *s) {
    Fn inner = fn_in_place(f, s->span, intern_printf(f->session, "'%s' was launched here", s->inst->decl->name));
    Kernel k = {0};
    Operands o = {0};
    fn_inherit_sizes(&inner, &s->binds);
    Vals *args = launch_arguments(f, &inner, s, &o);
    int ngrid = launch_extents(f, &s->grid, true, k.griddim), nblock = launch_extents(f, &s->block, false, k.blockdim);
    check_block(f, nblock, k.blockdim);
    Op *island = launch_island(f, &o, s->inst->decl->name);
    inner.kernel = &k;
    inner.b = builder_at_end(f->l->module, island->regs[0], s->span);
    bind_params(&inner, s, args, island->regs[0]);
    Mark outside = builder_enter(f, f->b);
    kernel_body(&inner, s->inst, &k, block_axes(s->inst, ngrid), nblock);
    map_put(f->l->arena, &f->l->launched, s->inst, f);
    region_leave(f, outside);
    assign_results(f, s, args, island);
}

/* ---- a kernel by itself, in a function whose parameters are its own: any launch of it */

/* A parameter for each extent; blocks that do not differ would all do the same, so that there is one. */
static void alone_extents(Fn *f, const KernelAxes *axes, Kernel *k) {
    for (int i = 0; i < 6; i++) {
        bool grid = i < 3, is_param = i % 3 < axes->n && (!grid || axes->blocks[i]);
        Value **extent = grid ? &k->griddim[i] : &k->blockdim[i - 3];
        if (is_param)
            *extent = region_add_arg(
                f->b.region, type_scalar(f->session, DT_I64),
                intern_printf(f->session, "%s.%c", grid ? "griddim" : "blockdim", axis_letters[i % 3]));
        else *extent = build_int(&f->b, 1);
    }
    for (int i = 0; i < axes->n; i++)
        check_positive(f, k->griddim[i], true, i), check_positive(f, k->blockdim[i], false, i);
    check_block(f, axes->n, k->blockdim);
}

Vals lower_kernel_alone(Fn *f, const Inst *kernel) {
    KernelAxes axes = kernel_axes(kernel);
    Operands o = {0};
    Kernel k = {0};
    for (int i = 0; i < kernel->params.len; i++) {
        const Var *p = kernel->params.data[i];
        const Vals *v = env_get(f, p);
        for (int a = 0; a < v->n; a++)
            if (type_is_tensor(v->v[a]->type)) add_operand(f, &o, v->v[a], p->mode, p->name);
    }
    alone_extents(f, &axes, &k);
    Op *island = launch_island(f, &o, kernel->decl->name);
    int next = 0;
    for (int i = 0; i < kernel->params.len; i++) {
        Vals v = vals_copy(f, *env_get(f, kernel->params.data[i]));
        for (int a = 0; a < v.n; a++)
            if (type_is_tensor(v.v[a]->type)) v.v[a] = island->regs[0]->args[next++];
        env_set(f, kernel->params.data[i], v);
    }
    Mark outside = region_enter(f, island->regs[0]);
    f->kernel = &k;
    f->island = true;
    kernel_body(f, kernel, &k, axes.n, axes.n);
    f->island = false;
    region_leave(f, outside);
    Vals results = vals_new(f, island->nres);
    for (int i = 0; i < results.n; i++) results.v[i] = &island->res[i];
    return results;
}

/* ---- parallel for */

typedef struct { Fn *f; const Var **vars; int n, cap; Map seen; } Capture;

static void visit_capture(void *ctx, const Expr *e) {
    Capture *c = ctx;
    if (e->kind != EX_NAME || !e->var || map_has(&c->seen, e->var)) return;
    const Vals *v = env_get(c->f, e->var);
    bool arrays = false;
    for (int i = 0; v && i < v->n; i++) arrays |= type_is_tensor(v->v[i]->type);
    if (!arrays) return;
    map_put(c->f->arena, &c->seen, e->var, e->var);
    if (c->n == c->cap) c->vars = vec_grow_(c->f->arena, c->vars, c->n, &c->cap, sizeof *c->vars);
    c->vars[c->n++] = e->var;
}

static bool is_assigned(const VarVec *assigned, const Var *v) {
    for (int i = 0; i < assigned->len; i++)
        if (assigned->data[i] == v) return true;
    return false;
}

/* The variables that the body mentions, as operands; env gets their buffers once the island is there */
static void capture_operands(Fn *f, const Stmt *s, Capture *c, Operands *o) {
    block_each(s->body, visit_capture, c);
    const VarVec *assigned = &flow_of_block(f->l, s->body)->assigned;
    for (int i = 0; i < c->n; i++) {
        const Vals *v = env_get(f, c->vars[i]);
        Mode mode = is_assigned(assigned, c->vars[i]) ? MODE_INOUT : MODE_IN;
        for (int k = 0; k < v->n; k++)
            if (type_is_tensor(v->v[k]->type)) add_operand(f, o, v->v[k], mode, c->vars[i]->name);
    }
}

/* The arrays that are run over: read only, as they are before */
static void over_operands(Fn *f, const GenVec *gens, Operands *o) {
    for (int i = 0; i < gens->len; i++) {
        const Expr *over = gens->data[i].over;
        Vals v = over ? lower_expr(f, over) : (Vals){0};
        for (int k = 0; k < v.n; k++) add_operand(f, o, v.v[k], MODE_IN, over->kind == EX_NAME ? over->name : NULL);
    }
}

static void enter_over(Fn *f, const GenVec *gens, Region *r, int next) {
    for (int i = 0; i < gens->len; i++) {
        if (!gens->data[i].over) continue;
        Vals v = vals_new(f, leaf_count(gens->data[i].over->type));
        for (int k = 0; k < v.n; k++) v.v[k] = r->args[next++];
        elem_keep(f, gens->data[i].over, v);
    }
}

/* Swaps the captured arrays for the island's buffers; returns what they were. */
static Vals *enter_buffers(Fn *f, const Capture *c, Region *r) {
    Vals *before = NEWN(f->arena, Vals, c->n + 1);
    int next = 0;
    for (int i = 0; i < c->n; i++) {
        before[i] = *env_get(f, c->vars[i]);
        Vals v = vals_copy(f, before[i]);
        for (int k = 0; k < v.n; k++)
            if (type_is_tensor(v.v[k]->type)) v.v[k] = r->args[next++];
        env_set(f, c->vars[i], v);
    }
    return before;
}

static void leave_buffers(Fn *f, const Capture *c, const Vals *before, const Operands *o, Op *island) {
    int at = 0, res = 0;
    for (int i = 0; i < c->n; i++) {
        Vals v = vals_copy(f, before[i]);
        for (int k = 0; k < v.n; k++)
            if (type_is_tensor(v.v[k]->type) && o->modes.data[at++] != MODE_IN) {
                if (!island->res[res].name) island->res[res].name = c->vars[i]->name;
                v.v[k] = &island->res[res++];
            }
        env_set(f, c->vars[i], v);
    }
}

static void parallel_body(Fn *f, const Stmt *s, Value *const *extents, Value *const *start) {
    Op *op = build_parallel(&f->b, s->gens.len, extents, LOOP_PLAIN);
    Mark outside = region_enter(f, op->regs[0]);
    for (int i = 0; i < s->gens.len; i++) {
        if (!s->gens.data[i].over) op->regs[0]->args[i]->name = s->gens.data[i].name;
        gen_bind(f, &s->gens.data[i], start[i], op->regs[0]->args[i]);
    }
    lower_block(f, s->body);
    exits_none(f);
    build_yield(&f->b, 0, NULL);
    region_leave(f, outside);
}

void lower_parallel_for(Fn *f, const Stmt *s) {
    Value **extents = NEWN(f->arena, Value *, s->gens.len), **start = NEWN(f->arena, Value *, s->gens.len);
    for (int i = 0; i < s->gens.len; i++) {
        start[i] = gen_start(f, &s->gens.data[i]);
        extents[i] = gen_extent(f, &s->gens.data[i]);
    }
    if (f->island) {
        parallel_body(f, s, extents, start);
        return;
    }
    Capture c = {.f = f};
    Operands o = {0};
    capture_operands(f, s, &c, &o);
    int captured = o.v.len;
    over_operands(f, &s->gens, &o);
    Op *island = launch_island(f, &o, NULL);
    Mark outside = region_enter(f, island->regs[0]);
    Vals *before = enter_buffers(f, &c, island->regs[0]);
    enter_over(f, &s->gens, island->regs[0], captured);
    f->island = true;
    parallel_body(f, s, extents, start);
    build_yield(&f->b, 0, NULL);
    f->island = false;
    region_leave(f, outside);
    leave_buffers(f, &c, before, &o, island);
}
