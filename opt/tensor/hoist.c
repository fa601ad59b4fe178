/* Work inside a comprehension that does not depend on all of its indices is done before it, once.
 *
 * needs: nothing; leaves comprehensions before those that they were in.
 * An expensive operation of the body that depends on some of the indices becomes a comprehension over those alone;
 * on none, a scalar.  `[x[i,j] / sum(x[i,k] for k) for i, j]` sums each row once.  The operation ran for every index,
 * and did not run at all if there were none: where it could fail, it is done under the condition that there are.
 * Work in a reduction of the body counts that one's indices, too: of `[sum(f(k) * x[i,k] for k) for i]`, where f(k)
 * is a loop itself, each f(k) is computed once. */
#include "analysis/cost.h"
#include "opt/pass.h"
#include "opt/tensor/fuse.h"

#include <string.h>

enum { MAX_NEST = 4 };

typedef struct {
    const Region *body;
    bool iv[MAX_RANK];     /* indices that the slice depends on */
    const Op *nest[MAX_NEST]; /* reductions between the body and what is sliced, and their indices */
    int depth;
    const Region *branch[MAX_NEST]; /* sides of branches between them */
    int branches;
    bool inner[MAX_NEST][MAX_RANK];
    bool ok;               /* the slice may be done elsewhere */
    VEC(Op *) ops;         /* the slice: operations of the body, in order */
} Slice;

/* ---- sizes that the body itself defines: a use of one stays behind its bind */

typedef struct { const Region *body; const Op *top; bool stays; } SymUse;

static const Op *bind_in(const Region *r, const char *sym) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_BIND && op_sym(o, A_SYM) == sym) return o;
        for (int i = 0; i < o->nregs; i++) {
            const Op *found = bind_in(o->regs[i], sym);
            if (found) return found;
        }
    }
    return NULL;
}

static void use_sym(void *ctx, const char *sym) {
    SymUse *u = ctx;
    const Op *bind = bind_in(u->body, sym);
    bool own = false;
    for (int i = 0; bind && i < u->top->nregs; i++) own |= region_encloses(u->top->regs[i], bind->parent);
    u->stays |= bind && !own;
}

static void use_syms(SymUse *u, const Op *op) {
    op_each_sym(op, use_sym, u);
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) use_syms(u, o);
}

static bool needs_own_sizes(const Region *body, const Op *op) {
    SymUse u = {body, op, false};
    use_syms(&u, op);
    return u.stays;
}

/* ---- what a value needs */

static bool in_region(const Region *r, const Value *v) { return region_encloses(r, value_region(v)); }

static void slice_op(Slice *s, Op *op);

/* Whether r is the body, or that of a reduction of the nest */
static bool is_sliced(const Slice *s, const Region *r) {
    bool found = r == s->body;
    for (int i = 0; i < s->depth; i++) found |= r == s->nest[i]->regs[0];
    for (int i = 0; i < s->branches; i++) found |= r == s->branch[i];
    return found;
}

static void depend_on(Slice *s, const Value *iv) {
    if (iv->region == s->body) s->iv[iv->index] = true;
    for (int i = 0; i < s->depth; i++)
        if (iv->region == s->nest[i]->regs[0]) s->inner[i][iv->index] = true;
}

static void slice_operands(Slice *s, const Op *top, Op *op) {
    for (int i = 0; i < op->nopnds; i++) {
        Value *v = op_opnd(op, i);
        if (!in_region(s->body, v)) continue;
        if (!v->def && is_sliced(s, v->region)) depend_on(s, v);
        else if (v->def && is_sliced(s, v->def->parent)) slice_op(s, v->def);
        else {
            bool own = false;
            for (int k = 0; k < top->nregs; k++) own |= region_encloses(top->regs[k], value_region(v));
            s->ok &= own;
        }
    }
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) slice_operands(s, top, o);
}

static void slice_op(Slice *s, Op *op) {
    for (int i = 0; i < s->ops.len; i++)
        if (s->ops.data[i] == op) return;
    if (op_has_effect(op) || needs_own_sizes(s->body, op)) s->ok = false;
    if (!s->ok) return;
    slice_operands(s, op, op);
    vec_push(s->body->func->module->arena, &s->ops, op);
}

/* ---- may it be done where the body might not run at all? */

/* What counts up to `end` stays below extent n. */
static bool ends_inside(const Value *end, const Size *n) {
    int64_t c, size;
    if (end->def && end->def->code == OP_SIZE) return op_attr(end->def, A_SIZE)->sizes[0] == n;
    return value_const_int(end, &c) && size_is_const(n, &size) && c <= size;
}

static bool counts_from_zero_on(const Op *loop) {
    int64_t lo, step;
    return value_const_int(op_opnd(loop, 0), &lo) && lo >= 0 && value_const_int(op_opnd(loop, 2), &step) && step > 0;
}

/* Index v of axis i of t stays inside for whatever reason holds without the loops around `top` */
static bool index_inside(const Region *top, const Slice *s, const Type *t, int i, const Value *v) {
    int64_t c, n;
    if (value_const_int(v, &c)) return c >= 0 && size_is_const(t->dims[i], &n) && c < n;
    if (v->def || !v->region->owner) return false;
    const Op *o = v->region->owner;
    if (v->region == s->body) return o->res[0].type->dims[v->index] == t->dims[i];
    if (!region_encloses(top, v->region)) return false;
    if (o->code == OP_GENERATE) return o->res[0].type->dims[v->index] == t->dims[i];
    if (o->code == OP_FOR && !v->index) return counts_from_zero_on(o) && ends_inside(op_opnd(o, 1), t->dims[i]);
    return o->code == OP_REDUCE && ends_inside(op_opnd(o, v->index), t->dims[i]);
}

static bool op_harmless(const Slice *s, const Op *op) {
    if (op->code == OP_EXTRACT) {
        for (int i = 1; i < op->nopnds; i++)
            if (!index_inside(s->body, s, op_opnd(op, 0)->type, i - 1, op_opnd(op, i))) return false;
    } else if (op->nregs == 0 && op_may_trap(op)) return false;
    if (op->code == OP_WHILE) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!op_harmless(s, o)) return false;
    return true;
}

/* ---- doing it */

static bool is_harmless(const Slice *s) {
    bool harmless = true;
    for (int i = 0; i < s->ops.len; i++) harmless &= op_harmless(s, s->ops.data[i]);
    return harmless;
}

/* All axes that the slice does not depend on have elements; NULL when that is certain or does not matter. */
static Value *guard_of(Builder *b, const Slice *s) {
    if (is_harmless(s)) return NULL;
    const Type *t = s->body->owner->res[0].type;
    Value *all = NULL;
    int64_t n;
    for (int i = 0; i < t->rank; i++) {
        if (s->iv[i] || (size_is_const(t->dims[i], &n) && n > 0)) continue;
        Value *c = build_binary(b, OP_GT, build_size(b, t->dims[i]), build_int(b, 0));
        all = all ? build_binary(b, OP_AND, all, c) : c;
    }
    return all;
}

/* Copies the slice to b, indices replaced by args; out: the copies of op's results */
static void copy_slice(Builder *b, const Slice *s, Value *const *args, Op *op, Value **out) {
    Cloner c = {.module = b->module};
    for (int i = 0; i < s->body->nargs; i++)
        if (args[i]) map_put(b->module->arena, &c.values, s->body->args[i], args[i]);
    for (int i = 0, at = s->body->nargs; i < s->depth; i++)
        for (int k = 0; k < s->nest[i]->regs[0]->nargs; k++, at++)
            if (args[at]) map_put(b->module->arena, &c.values, s->nest[i]->regs[0]->args[k], args[at]);
    for (int i = 0; i < s->ops.len; i++) clone_op(&c, b, s->ops.data[i]);
    for (int i = 0; i < op->nres; i++) out[i] = clone_value(&c, &op->res[i]);
}

Op *guard_open(Builder *b, Value *guard, const Op *op, Builder *in) {
    const Type **types = NEWN(b->module->arena, const Type *, op->nres);
    for (int i = 0; i < op->nres; i++) types[i] = op->res[i].type;
    Op *branch = build_if(b, guard, op->nres, types);
    *in = builder_at_end(b->module, branch->regs[0], b->span);
    return branch;
}

void guard_close(Builder *in, Op *branch, Value **out) {
    build_yield(in, branch->nres, out);
    Builder other = builder_at_end(in->module, branch->regs[1], in->span);
    for (int i = 0; i < branch->nres; i++) out[i] = build_zero(&other, branch->res[i].type);
    build_yield(&other, branch->nres, out);
    for (int i = 0; i < branch->nres; i++) out[i] = &branch->res[i];
}

static void copy_guarded(Builder *b, const Slice *s, Value *const *args, Op *op, Value *guard, Value **out) {
    if (!guard) return copy_slice(b, s, args, op, out);
    Builder in;
    Op *branch = guard_open(b, guard, op, &in);
    copy_slice(&in, s, args, op, out);
    guard_close(&in, branch, out);
}

static bool has_binds(const Slice *s) {
    for (int i = 0; i < s->ops.len; i++)
        if (op_has_effect(s->ops.data[i])) return true;
    return false;
}

/* The extent of axis k of a reduction, where it is a plain size; NULL else */
static const Size *extent_of(Session *ss, const Op *reduce, int k) {
    const Op *extent = op_opnd(reduce, k)->def;
    int64_t c;
    if (value_const_int(op_opnd(reduce, k), &c)) return c >= 0 ? size_const(ss, c) : NULL;
    return extent && extent->code == OP_SIZE ? op_attr(extent, A_SIZE)->sizes[0] : NULL;
}

/* The indices that a slice depends on: what they are, how far they go, their place among all */
typedef struct { Value *iv[MAX_RANK]; const Size *dims[MAX_RANK]; int place[MAX_RANK], n, all; } Axes;

/* false: more than an array has, or a reduction over what has no plain size */
static bool axes_of(const Slice *s, Session *ss, Axes *x) {
    const Op *g = s->body->owner;
    x->all = s->body->nargs;
    for (int i = 0; i < s->body->nargs; i++)
        if (s->iv[i]) x->iv[x->n] = s->body->args[i], x->place[x->n] = i, x->dims[x->n++] = g->res[0].type->dims[i];
    for (int i = 0; i < s->depth; i++)
        for (int k = 0; k < s->nest[i]->regs[0]->nargs; k++, x->all++) {
            if (!s->inner[i][k]) continue;
            const Size *n = extent_of(ss, s->nest[i], k);
            if (!n || x->n == TENSOR_RANK) return false;
            x->iv[x->n] = s->nest[i]->regs[0]->args[k], x->place[x->n] = x->all, x->dims[x->n++] = n;
        }
    return true;
}

/* What op gives to the body: elements of a comprehension over the indices that it depends on, or scalars */
static void hoist_op(const Slice *s, Op *op, const Axes *axes) {
    Arena *a = s->body->func->module->arena;
    Builder b = builder_before(s->body->owner);
    b.span = op->span;
    Value *guard = guard_of(&b, s), **args = NEWN(a, Value *, axes->all + 1), **to = NEWN(a, Value *, op->nres);
    memset(args, 0, sizeof *args * (size_t)(axes->all + 1));
    if (axes->n == 0) copy_guarded(&b, s, args, op, guard, to);
    else {
        const Type **types = NEWN(a, const Type *, op->nres);
        for (int i = 0; i < op->nres; i++)
            types[i] = type_tensor(b.module->session, op->res[i].type->dtype, axes->n, axes->dims);
        Op *rows = build_op(&b, OP_GENERATE, 0, NULL, op->nres, types, 1);
        for (int i = 0; i < axes->n; i++)
            args[axes->place[i]] = region_add_arg(rows->regs[0], type_i64(b.module), axes->iv[i]->name);
        Builder in = builder_at_end(b.module, rows->regs[0], b.span), here = builder_after(op);
        copy_guarded(&in, s, args, op, guard, to);
        build_yield(&in, op->nres, to);
        for (int i = 0; i < op->nres; i++) to[i] = extract_safe(&here, &rows->res[i], axes->n, axes->iv);
    }
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], to[i]);
    op_erase(op);
}

/* Index arithmetic is never worth a table. */
int64_t hoist_cost(const Op *op) {
    if (op->nregs == 0 && op->nres && !dtype_is_float(op->res[0].type->dtype)) return 1;
    int64_t cost = op_info(op->code)->cost;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) cost += hoist_cost(o);
    return op->code == OP_REDUCE || op_info(op->code)->traits & TR_LOOP ? cost + COST_PASS : cost;
}

static bool gives_scalars(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (type_is_tensor(op->res[i].type)) return false;
    return op->nres > 0;
}

static bool is_unused(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (!value_unused(&op->res[i])) return false;
    return true;
}

/* Works on the last use of a slice first, so that a chain moves as a whole. */
static void hoist_from(Op *g) {
    Region *r = g->regs[0];
    for (Op *o = region_term(r)->prev, *prev; o; o = prev) {
        prev = o->prev;
        if (!gives_scalars(o)) continue;
        if (is_unused(o) && op_is_removable(o)) {
            op_erase(o);
            continue;
        }
        if (hoist_cost(o) < COST_PASS) continue;
        Slice s = {.body = r, .ok = true};
        slice_op(&s, o);
        int used = 0;
        for (int i = 0; i < r->nargs; i++) used += s.iv[i];
        Axes axes = {0};
        if (!s.ok || has_binds(&s) || used == r->nargs || !axes_of(&s, r->func->module->session, &axes)) continue;
        hoist_op(&s, o, &axes);
    }
}

/* The same of reductions in branches of g's body that cannot fail, since others may come to another side; sides: those
 * around r, from the outermost */
static void hoist_from_side(Op *g, const Region *const *sides, int n) {
    const Region *body = g->regs[0], *r = sides[n - 1];
    for (Op *o = region_term(r)->prev, *prev; o; o = prev) {
        prev = o->prev;
        Slice s = {.body = body, .ok = true, .branches = n};
        memcpy(s.branch, sides, sizeof *sides * (size_t)n);
        Axes axes = {0};
        int used = 0;
        if (o->code == OP_IF && n < MAX_NEST) {
            for (int i = 0; i < o->nregs; i++) s.branch[n] = o->regs[i], hoist_from_side(g, s.branch, n + 1);
            continue;
        }
        if (o->code != OP_REDUCE || !gives_scalars(o)) continue;
        slice_op(&s, o);
        for (int i = 0; i < body->nargs; i++) used += s.iv[i];
        bool once = s.ok && used < body->nargs && !has_binds(&s) && is_harmless(&s);
        if (once && axes_of(&s, body->func->module->session, &axes)) hoist_op(&s, o, &axes);
    }
}

static void hoist_from_branches(Op *g) {
    for (Op *o = g->regs[0]->first, *next; o; o = next) {
        next = o->next;
        for (int i = 0; o->code == OP_IF && i < o->nregs; i++)
            hoist_from_side(g, (const Region *const[]){o->regs[i]}, 1);
    }
}

/* The same of what stands in reductions of g's body: nest, from the outermost, to the region where it looks */
static void hoist_from_nest(Op *g, const Op *const *nest, int depth) {
    Region *body = g->regs[0], *r = nest[depth - 1]->regs[0];
    for (Op *o = region_term(r)->prev, *prev; o; o = prev) {
        prev = o->prev;
        if (!gives_scalars(o) || hoist_cost(o) < COST_PASS) continue;
        Slice s = {.body = body, .ok = true, .depth = depth};
        memcpy(s.nest, nest, sizeof *nest * (size_t)depth);
        slice_op(&s, o);
        int used = 0;
        for (int i = 0; i < body->nargs; i++) used += s.iv[i];
        Axes axes = {0};
        bool once = s.ok && used < body->nargs && !has_binds(&s) && is_harmless(&s);
        if (once && axes_of(&s, body->func->module->session, &axes)) hoist_op(&s, o, &axes);
        else if (o->code == OP_REDUCE && depth < MAX_NEST) {
            const Op *inner[MAX_NEST];
            memcpy(inner, nest, sizeof *nest * (size_t)depth);
            inner[depth] = o;
            hoist_from_nest(g, inner, depth + 1);
        }
    }
}

static void hoist_from_reductions(Op *g) {
    for (Op *o = g->regs[0]->first, *next; o; o = next) {
        next = o->next;
        const Op *nest[] = {o};
        if (o->code == OP_REDUCE) hoist_from_nest(g, nest, 1);
    }
}

/* A reduction's body: expensive operations whose operands are all from outside move before it. */
static void hoist_invariant(Op *op) {
    Region *r = op->regs[0];
    for (Op *o = r->first, *next; o != region_term(r); o = next) {
        next = o->next;
        if (!gives_scalars(o) || hoist_cost(o) < COST_PASS || !op_is_pure(o)) continue;
        Slice s = {.body = r, .ok = true};
        slice_op(&s, o);
        bool depends = s.ops.len != 1 || !op_harmless(&s, o);
        for (int i = 0; i < r->nargs; i++) depends |= s.iv[i];
        if (s.ok && !depends) op_move_before(o, op);
    }
}

void hoist_work(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_ISLAND) continue;
        for (int i = 0; i < o->nregs; i++) hoist_work(o->regs[i]);
        if (o->code == OP_GENERATE) hoist_from(o), hoist_from_branches(o), hoist_from_reductions(o);
        else if (o->code == OP_REDUCE || o->code == OP_SCAN) hoist_invariant(o);
    }
}

void pass_hoist(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) hoist_work(m->funcs.data[i]->body);
}
