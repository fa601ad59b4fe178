/* hoist-axes: what threads compute of some of their indices is computed once for each of those, before the launch.
 *
 * `y[i, j] = x[i, j] / sum(x[i])`, a thread for each element, adds up each row in each of its threads: n*m*m steps.
 * The sum becomes a comprehension over i, before the island, and threads read its element: n*m.  licm does so for what
 * depends on no index, hoist for comprehensions.
 *
 * Moved are reductions and loops that give scalars, with all that they are computed of.  An index is one of a parallel
 * loop, or block*blockdim + thread, which is then counted as one.  Branches around that ask only for such indices come
 * along, so that `if i < n` still stands before x[i]; others do not: rows that no thread asks for are computed in vain.
 * No access may fail there for that reason, which is proved anew (analysis/linear.h); what cannot be proved stays.
 *
 * needs: accesses marked safe are proved again, so nothing of prove-bounds; islands that read what others wrote. */
#include "analysis/cost.h"
#include "analysis/linear.h"
#include "ir/index.h"
#include "opt/tensor/fuse.h"

#include <string.h>

enum { MAX_GUARDS = 16 };

typedef struct {
    Value *index;       /* an index, or the sum that stands for a block's and a thread's */
    const Size *extent;
    Value *iv[2];       /* those indices of loops; the second may be NULL */
} Axis;

typedef struct {
    Op *island, *op; /* op: what is moved */
    Axis axes[TENSOR_RANK];
    int n;
    VEC(Op *) ops;   /* op and what it is computed of, in order */
    bool ok;
} Slice;

typedef struct { Value *cond; bool holds; } Guard;
typedef struct { Guard all[MAX_GUARDS]; int n; } Guards;

/* ---- indices */

static Session *session_of(const Slice *s) { return s->island->parent->func->module->session; }

static bool is_inside(const Slice *s, const Value *v) {
    return region_encloses(s->island->regs[0], value_region(v));
}

static bool is_index(const Value *v, LoopKind kind) {
    const Op *loop = v->def ? NULL : v->region->owner;
    return loop && loop->code == OP_PARALLEL && (kind == LOOP_NONE || op_loop(loop) == kind);
}

static const Size *extent_of(const Slice *s, const Value *iv) {
    const Size *n = value_size(session_of(s), op_opnd(iv->region->owner, iv->index), false);
    return n && size_is_known_at(s->island, n) ? n : NULL;
}

static void add_axis(Slice *s, Axis a) {
    for (int i = 0; i < s->n; i++)
        if (s->axes[i].index == a.index) return;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < 4; k++) s->ok &= !a.iv[k / 2] || s->axes[i].iv[k % 2] != a.iv[k / 2];
    if (!a.extent || s->n == TENSOR_RANK) s->ok = false;
    if (s->ok) s->axes[s->n++] = a;
}

/* block*blockdim and thread, in either order */
static bool is_block_and_thread(const Value *base, const Value *thread, Axis *out) {
    const Op *mul = base->def;
    if (!is_index(thread, LOOP_THREAD) || !mul || mul->code != OP_MUL) return false;
    int at = is_index(op_opnd(mul, 0), LOOP_BLOCK) ? 0 : 1;
    Value *block = op_opnd(mul, at), *size = op_opnd(thread->region->owner, thread->index);
    if (!is_index(block, LOOP_BLOCK) || !value_same_int(op_opnd(mul, 1 - at), size)) return false;
    out->iv[0] = block, out->iv[1] = (Value *)(uintptr_t)thread;
    return true;
}

static bool is_thread_sum(const Slice *s, Value *v, Axis *out) {
    const Op *add = v->def;
    if (!add || add->code != OP_ADD) return false;
    *out = (Axis){.index = v};
    if (!is_block_and_thread(op_opnd(add, 0), op_opnd(add, 1), out) &&
        !is_block_and_thread(op_opnd(add, 1), op_opnd(add, 0), out))
        return false;
    const Size *blocks = extent_of(s, out->iv[0]), *threads = extent_of(s, out->iv[1]);
    out->extent = blocks && threads ? size_mul(session_of(s), blocks, threads) : NULL;
    return true;
}

/* ---- what a value is computed of */

static void slice_op(Slice *s, Op *op);

static void slice_value(Slice *s, Value *v) {
    Axis axis;
    if (!s->ok || !is_inside(s, v)) return;
    if (is_thread_sum(s, v, &axis)) add_axis(s, axis);
    else if (is_index(v, LOOP_NONE)) add_axis(s, (Axis){.index = v, .extent = extent_of(s, v), .iv = {v}});
    else if (v->def) slice_op(s, v->def);
    else s->ok = false;
}

/* Nothing that another place could change, or hold up */
static bool may_be_elsewhere(const Op *op) {
    int but = TR_EFFECT | TR_WRITE | TR_ALLOC;
    if (op_info(op->code)->traits & but || op->code == OP_WHILE || op->code == OP_BARRIER) return false;
    if (op_info(op->code)->traits & TR_READ && !op_reads_constant(op)) return false;
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].type->kind != TY_SCALAR || op->res[i].type->dtype == DT_STR) return false;
    return !op_size_is_local(op);
}

static void slice_operands(Slice *s, const Op *top, Op *op) {
    for (int i = op->code == OP_LOAD; i < op->nopnds && s->ok; i++)
        if (!op_encloses(top, op_opnd(op, i))) slice_value(s, op_opnd(op, i));
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o && s->ok; o = o->next) {
            if (o != region_term(op->regs[i])) s->ok &= may_be_elsewhere(o);
            slice_operands(s, top, o);
        }
}

static void slice_op(Slice *s, Op *op) {
    for (int i = 0; i < s->ops.len; i++)
        if (s->ops.data[i] == op) return;
    s->ok &= may_be_elsewhere(op);
    if (s->ok) slice_operands(s, op, op);
    vec_push(s->island->parent->func->module->arena, &s->ops, op);
}

/* ---- which indices are left */

/* A parallel loop around op has an index of more than one value that the slice does not ask for. */
static bool leaves_an_index(const Slice *s) {
    int64_t c;
    for (const Region *r = s->op->parent; r->owner != s->island; r = r->owner->parent)
        for (int i = 0; r->owner->code == OP_PARALLEL && i < r->nargs; i++) {
            bool used = value_const_int(op_opnd(r->owner, i), &c) && c <= 1;
            for (int k = 0; k < 2 * s->n; k++) used |= s->axes[k / 2].iv[k % 2] == r->args[i];
            if (!used) return true;
        }
    return false;
}

/* Only loops over indices and branches stand around op: in others it depends on the turn. */
static bool is_in_threads(const Slice *s) {
    for (const Region *r = s->op->parent; r->owner != s->island; r = r->owner->parent)
        if (r->owner->code != OP_PARALLEL && r->owner->code != OP_IF) return false;
    return true;
}

/* ---- branches around */

/* cond asks for no index but those of the slice, and cannot fail. */
static bool is_of_axes(const Slice *s, Value *cond) {
    Slice c = {.island = s->island, .op = s->op, .n = s->n, .ok = true};
    memcpy(c.axes, s->axes, sizeof c.axes);
    slice_value(&c, cond);
    for (int i = 0; i < c.ops.len && c.ok; i++) c.ok = op_is_speculatable_read(c.ops.data[i]);
    return c.ok && c.n == s->n;
}

/* i < n of an index, or what is the same: the comprehension goes no further. */
static bool ends_axis(Slice *s, const Op *cond, bool holds) {
    if (!cond || !opcode_is_compare(cond->code)) return false;
    OpCode code = holds ? cond->code : opcode_negated(cond->code);
    int at = code == OP_GT;
    if (code != OP_LT && code != OP_GT) return false;
    for (int i = 0; i < s->n; i++) {
        if (s->axes[i].index != op_opnd(cond, at)) continue;
        const Size *n = value_size(session_of(s), op_opnd(cond, 1 - at), false);
        if (!n || !size_is_natural(session_of(s), n) || !size_is_known_at(s->island, n)) return false;
        s->axes[i].extent = size_min(session_of(s), s->axes[i].extent, n);
        return true;
    }
    return false;
}

static void add_guards(Slice *s, Guards *g, Value *cond, bool holds) {
    const Op *def = cond->def;
    if (def && def->code == (holds ? OP_AND : OP_OR) && is_inside(s, cond))
        for (int i = 0; i < 2; i++) add_guards(s, g, op_opnd(def, i), holds);
    else if (!ends_axis(s, def, holds) && g->n < MAX_GUARDS && is_of_axes(s, cond))
        g->all[g->n++] = (Guard){cond, holds};
}

static Guards guards_of(Slice *s) {
    Guards g = {0};
    for (const Region *r = s->op->parent; r->owner != s->island; r = r->owner->parent)
        if (r->owner->code == OP_IF) add_guards(s, &g, op_opnd(r->owner, 0), r == r->owner->regs[0]);
    return g;
}

/* ---- moving */

typedef struct { Linear *linear; bool ok; } Proof;

static void prove(void *ctx, Op *op) {
    Proof *p = ctx;
    if (!p->ok || !(op_info(op->code)->traits & TR_TRAP)) return;
    op_remove_attr(op, A_SAFE);
    if (op->nregs || op_is_speculatable_read(op)) return;
    p->ok = op->code == OP_EXTRACT && linear_inside(p->linear, op, 0, 1);
    if (p->ok) op_set_flag(op, A_SAFE);
}

static bool cannot_fail(Op *rows) {
    Proof p = {linear_new(rows->parent->func), true};
    region_walk(rows->regs[0], prove, &p);
    linear_free(p.linear);
    return p.ok;
}

static Value *build_guard(Cloner *c, Builder *b, const Slice *s, const Guards *g) {
    Value *all = NULL;
    for (int i = 0; i < g->n; i++) {
        Value *v = clone_slice(c, b, s->island->regs[0], g->all[i].cond);
        all = build_both(b, all, g->all[i].holds ? v : build_unary(b, OP_NOT, v));
    }
    return all;
}

/* Copies of op and of what it is computed of, at b */
static void copy_ops(Cloner *c, Builder *b, const Slice *s, Value **out) {
    for (int i = 0; i < s->ops.len; i++) clone_op(c, b, s->ops.data[i]);
    for (int i = 0; i < s->op->nres; i++) out[i] = clone_value(c, &s->op->res[i]);
}

static void copy_guarded(Cloner *c, Builder *b, const Slice *s, Value *guard, Value **out) {
    if (!guard) return copy_ops(c, b, s, out);
    Builder in;
    Op *branch = guard_open(b, guard, s->op, &in);
    copy_ops(c, &in, s, out);
    guard_close(&in, branch, out);
}

/* The comprehension over the slice's indices, before the island */
static Op *build_rows(const Slice *s, const Guards *g) {
    Module *m = s->island->parent->func->module;
    const Op *op = s->op;
    Builder b = builder_before(s->island);
    b.span = op->span;
    const Size *dims[TENSOR_RANK];
    for (int i = 0; i < s->n; i++) dims[i] = s->axes[i].extent;
    const Type **types = NEWN(m->arena, const Type *, op->nres);
    for (int i = 0; i < op->nres; i++) types[i] = type_tensor(m->session, op->res[i].type->dtype, s->n, dims);
    Op *rows = build_op(&b, OP_GENERATE, 0, NULL, op->nres, types, 1);
    Cloner c = {.module = m}, guard = {.module = m};
    for (int i = 0; i < s->n; i++) {
        Value *iv = region_add_arg(rows->regs[0], type_i64(m), s->axes[i].index->name);
        map_put(m->arena, &c.values, s->axes[i].index, iv);
        map_put(m->arena, &guard.values, s->axes[i].index, iv);
    }
    for (int i = 0; i < s->island->regs[0]->nargs; i++) /* memory: what reads it reads arrays in the end */
        map_put(m->arena, &guard.values, s->island->regs[0]->args[i], s->island->regs[0]->args[i]);
    Builder in = builder_at_end(m, rows->regs[0], b.span);
    Value **out = NEWN(m->arena, Value *, op->nres);
    copy_guarded(&c, &in, s, build_guard(&guard, &in, s, g), out);
    build_yield(&in, op->nres, out);
    region_walk(rows->regs[0], island_load_to_extract, s->island);
    return rows;
}

static bool hoist_op(Slice *s) {
    Guards g = guards_of(s);
    Op *rows = build_rows(s, &g), *op = s->op;
    if (!cannot_fail(rows)) return op_erase(rows), false;
    Value *idx[TENSOR_RANK];
    for (int i = 0; i < s->n; i++) idx[i] = s->axes[i].index;
    Builder b = builder_after(op);
    for (int i = 0; i < op->nres; i++) {
        if (value_unused(&op->res[i])) continue;
        value_replace_all(&op->res[i], load_safe(&b, island_reads(s->island, &rows->res[i]), s->n, idx));
    }
    op_erase(op);
    return true;
}

/* ---- one island */

static bool is_work(const Op *op) {
    bool loops = op->code == OP_REDUCE || op->code == OP_FOR;
    return loops && op->nres > 0 && hoist_cost(op) >= COST_PASS;
}

static void visit(Op *island, Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (is_work(op)) {
            Slice s = {.island = island, .op = op, .ok = true};
            slice_op(&s, op);
            if (s.ok && s.n && is_in_threads(&s) && leaves_an_index(&s)) hoist_op(&s);
        } else if (op->code == OP_PARALLEL || op->code == OP_IF)
            for (int i = 0; i < op->nregs; i++) visit(island, op->regs[i]);
    }
}

static void find_islands(void *ctx, Op *op) {
    (void)ctx;
    if (op->code == OP_ISLAND) visit(op, op->regs[0]);
}

void pass_hoist_axes(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, find_islands, NULL);
}
