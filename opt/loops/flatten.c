/* flatten: branches in the inner loop of a parallel one become choices between values, so that the iterations around
 * can run side by side as vector lanes (pass_lanes).
 *
 * Needs stage loops, guards narrowed.  `parallel (i) { for (j) carrying s { k = at[j, i]; if k >= 0 { s += f(x[k]) } }
 * }`:
 *   - bounds are checked by a loop of its own before, which computes only indices and the conditions they stand under;
 *   - both sides of each branch are computed, and the result chosen (if-conversion: Allen, Kennedy, Porterfield,
 * Warren, POPL 1983); a load that is not to be made reads element 0. Worth it when there is much arithmetic for each
 * such load. */
#include "analysis/cost.h"
#include "opt/loops/loops.h"
#include "analysis/linear.h"

enum { MANY = 8, MAX_INNER = 400, FEWEST = 16 };

typedef struct {
    Op *loop, *inner;       /* the parallel loop, its for */
    Linear *linear;
    int loads, flops, ops;  /* loads under branches or of unproved places; what else there is */
    bool branches, impossible;
} Flat;

static bool is_written(const Flat *f, const Value *buf) {
    for (const Use *u = buf->uses; u; u = u->next)
        if ((u->user->code == OP_STORE || u->user->code == OP_ATOMIC) && u->index == 1 && op_inside(u->user, f->loop))
            return true;
    return false;
}

/* ---- does it pay */

/* Element 0 exists wherever op is. */
static bool has_elements(Flat *f, Op *op) {
    const Type *t = op_opnd(op, 0)->type;
    int64_t n;
    for (int k = 0; k < t->rank; k++) {
        if (size_is_const(t->dims[k], &n)
                ? n > 0
                : linear_prove(f->linear, op,
                               linear_sub(f->linear, linear_size(f->linear, t->dims[k]), linear_const(f->linear, 1))))
            continue;
        return false;
    }
    return true;
}

static void survey(Flat *f, Region *r, bool branch) {
    for (Op *o = r->first; o; o = o->next) {
        const OpInfo *info = op_info(o->code);
        bool divides = o->code == OP_DIV || o->code == OP_SQRT;
        f->ops++;
        if (o->code == OP_IF && o->nres) {
            f->branches = true;
            survey(f, o->regs[0], true);
            survey(f, o->regs[1], true);
        } else if (o->code == OP_LOAD) {
            f->loads += branch || !op_flag(o, A_SAFE);
            f->impossible |= is_written(f, op_opnd(o, 0)) || (branch && !has_elements(f, o));
        } else if (o->code != OP_YIELD) {
            bool plain = info->traits & TR_ELEM && !o->nregs && op_is_pure(o) &&
                         (info->cost < COST_CALL || divides || (!branch && info->traits & TR_OWN));
            f->impossible |= !plain && o->code != OP_CONST && o->code != OP_SIZE;
            f->flops += o->nres == 1 && dtype_is_float(o->res[0].type->dtype);
        }
    }
}

static bool matches(Flat *f) {
    int64_t n;
    Value *last = op_opnd(f->loop, f->loop->nopnds - 1);
    if (op_loop(f->loop) != LOOP_PLAIN || (value_const_int(last, &n) && n < FEWEST)) return false;
    for (Op *o = f->loop->regs[0]->first; o && !f->inner; o = o->next) {
        if (o->code == OP_FOR) f->inner = o;
        else if (o->nregs || op_has_effect(o) || op_writes_memory(o) || op_may_trap(o)) return false;
    }
    if (!f->inner || !f->inner->nres) return false;
    for (int i = 0; i < 3; i++)
        if (region_encloses(f->loop->regs[0], value_region(op_opnd(f->inner, i)))) return false;
    for (int i = 0; i < f->inner->nres; i++)
        if (!dtype_is_float(f->inner->res[i].type->dtype)) return false;
    for (Op *o = f->inner->next; o; o = o->next)
        if (op_info(o->code)->traits & TR_LOOP || op_has_effect(o)) return false;
    survey(f, f->inner->regs[0], false);
    return !f->impossible && f->branches && f->ops <= MAX_INNER && f->flops >= MANY * f->loads;
}

/* ---- the loop that checks */

enum { DEEPEST = 8 };

/* Region from[d] is copied to at[d]; what is missing there is added before at[d] goes on. */
typedef struct {
    Flat *flat;
    Cloner copy;
    const Region *from[DEEPEST];
    Builder at[DEEPEST];
    int depth;
    bool impossible;
} Checker;

/* The copy of v, made in the copy of its region if need be */
static Value *copied(Checker *c, Value *v) {
    Value *known = clone_value(&c->copy, v);
    if (known != v || !region_encloses(c->flat->loop->regs[0], value_region(v))) return known;
    Op *op = v->def;
    int d = 0;
    while (d < c->depth && c->from[d] != value_region(v)) d++;
    bool fixed = op && !op->nregs &&
                 (op->code == OP_LOAD ? op_flag(op, A_SAFE) && !is_written(c->flat, op_opnd(op, 0)) : op_is_pure(op));
    if (d == c->depth || !fixed) {
        c->impossible = true;
        return v;
    }
    for (int i = 0; i < op->nopnds && !c->impossible; i++) copied(c, op_opnd(op, i));
    if (!c->impossible) clone_op(&c->copy, &c->at[d], op);
    return clone_value(&c->copy, v);
}

/* An earlier load of the region has the same index on an axis of the same size. */
static bool checked_before(const Op *load, int k) {
    const Size *dim = op_opnd(load, 0)->type->dims[k];
    for (const Op *o = load->prev; o; o = o->prev)
        if (o->code == OP_LOAD && !op_flag(o, A_SAFE) && k + 1 < o->nopnds &&
            op_opnd(o, k + 1) == op_opnd(load, k + 1) && op_opnd(o, 0)->type->dims[k] == dim)
            return true;
    return false;
}

static bool proved(Linear *l, Op *op, Value *index, const Size *dim) {
    linear_at(l, op);
    const Poly *i = linear_value(l, index), *last = linear_sub(l, linear_size(l, dim), linear_const(l, 1));
    return linear_prove(l, op, i) && linear_prove(l, op, linear_sub(l, last, i));
}

static void check_load(Checker *c, Op *load) {
    const Type *t = op_opnd(load, 0)->type;
    for (int k = 0; k < t->rank && !c->impossible; k++) {
        Value *index = op_opnd(load, k + 1);
        if (checked_before(load, k) || proved(c->flat->linear, load, index, t->dims[k])) continue;
        Value *x = copied(c, index);
        if (c->impossible) return;
        Builder *b = &c->at[c->depth - 1];
        b->span = load->span;
        Value *n = build_size(b, t->dims[k]);
        build_index_check(b, build_inside(b, x, n), x, n, k);
    }
}

static bool has_checks(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_LOAD && !op_flag(o, A_SAFE)) return true;
        for (int i = 0; i < o->nregs; i++)
            if (has_checks(o->regs[i])) return true;
    }
    return false;
}

/* Into the copy `to` of r */
static void check_region(Checker *c, Region *r, Region *to) {
    Module *m = c->copy.module;
    int d = c->depth++;
    if (d == DEEPEST) c->impossible = true;
    if (c->impossible) return;
    Builder end = builder_at_end(m, to, c->flat->loop->span);
    build_yield(&end, 0, NULL);
    c->from[d] = r, c->at[d] = builder_before(region_term(to));
    for (Op *o = r->first; o && !c->impossible; o = o->next) {
        if (o->code == OP_LOAD && !op_flag(o, A_SAFE)) check_load(c, o);
        if (o->code != OP_IF || (!has_checks(o->regs[0]) && !has_checks(o->regs[1]))) continue;
        Value *cond = copied(c, op_opnd(o, 0));
        if (c->impossible) break;
        Op *guard = build_if(&c->at[d], cond, 0, NULL);
        c->at[d] = builder_before(guard);
        for (int i = 0; i < 2; i++) check_region(c, o->regs[i], guard->regs[i]);
        c->at[d] = builder_before(region_term(to));
    }
    c->depth = d;
}

/* Puts the loop of checks before f->loop; false, and nothing, when it can't be. */
static bool check_first(Flat *f) {
    Checker c = {.flat = f, .copy = {.module = f->loop->parent->func->module}};
    Arena *arena = c.copy.module->arena;
    Value *extents[MAX_RANK];
    Builder b = builder_before(f->loop);
    Region *body = f->loop->regs[0];
    for (int i = 0; i < f->loop->nopnds; i++) extents[i] = op_opnd(f->loop, i);
    Op *outer = build_parallel(&b, f->loop->nopnds, extents, LOOP_PLAIN);
    for (int i = 0; i < f->loop->nopnds; i++) {
        outer->regs[0]->args[i]->name = body->args[i]->name;
        map_put(arena, &c.copy.values, body->args[i], outer->regs[0]->args[i]);
    }
    Builder end = builder_at_end(b.module, outer->regs[0], f->loop->span);
    Op *inner = build_for(&end, op_opnd(f->inner, 0), op_opnd(f->inner, 1), op_opnd(f->inner, 2), 0, NULL);
    build_yield(&end, 0, NULL);
    map_put(arena, &c.copy.values, f->inner->regs[0]->args[0], inner->regs[0]->args[0]);
    c.from[0] = body, c.at[0] = builder_before(inner), c.depth = 1;
    check_region(&c, f->inner->regs[0], inner->regs[0]);
    if (c.impossible) op_erase(outer);
    return !c.impossible;
}

/* ---- branches */

/* path: under which condition op is reached, or NULL */
static void flatten_region(Region *r, Value *path);

static void flatten_if(Op *op, Value *path) {
    Builder b = builder_before(op);
    Value *cond = op_opnd(op, 0);
    Value *paths[] = {build_both(&b, path, cond), build_both(&b, path, build_unary(&b, OP_NOT, cond))};
    for (int i = 0; i < 2; i++) {
        Region *r = op->regs[i];
        flatten_region(r, paths[i]);
        if (region_term(r)->prev) op_move_range(r->first, region_term(r)->prev, op->parent, op);
    }
    b = builder_before(op);
    for (int i = 0; i < op->nres; i++) {
        Value *x = op_opnd(region_term(op->regs[0]), i), *y = op_opnd(region_term(op->regs[1]), i);
        value_replace_all(&op->res[i], x == y ? x : build_select(&b, cond, x, y));
    }
    op_erase(op);
}

static void flatten_region(Region *r, Value *path) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_IF) flatten_if(o, path);
        if (o->code != OP_LOAD) continue;
        Builder b = builder_before(o);
        for (int i = 1; path && i < o->nopnds; i++)
            op_set_opnd(o, i, build_select(&b, path, op_opnd(o, i), build_int(&b, 0)));
        op_set_flag(o, A_SAFE);
    }
}

static void visit(Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        Flat f = {.loop = o};
        if (o->code == OP_PARALLEL) {
            f.linear = linear_new(r->func);
            bool good = matches(&f) && (!has_checks(f.inner->regs[0]) || check_first(&f));
            linear_free(f.linear);
            if (good) {
                flatten_region(f.inner->regs[0], NULL);
                continue;
            }
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_flatten(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
