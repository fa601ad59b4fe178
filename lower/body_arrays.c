/* Arrays in the body of a comprehension whose elements cost much and are read more than once: computed before the
 * comprehension, for all of its indices (array expansion: Feautrier, Array expansion, ICS 1988).  So derivatives have a
 * comprehension for each array, not copies of one in the other. */
#include "ir/index.h"
#include "lower/lower.h"

static void find_work(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_REDUCE || op->code == OP_FOR || op->code == OP_WHILE;
}

static bool costs_much(const Op *made) {
    bool work = false;
    region_walk(made->regs[0], find_work, &work);
    return work;
}

/* How many indices stand around op inside of region r */
static int indices_inside(const Op *op, const Region *r) {
    int n = 0;
    for (const Region *at = op->parent; at != r; at = at->owner->parent)
        if (at->owner->code != OP_IF) n += at->nargs;
    return n;
}

static bool is_read_often(const Op *made) {
    int reads = 0;
    for (int i = 0; i < made->nres; i++)
        for (const Use *u = made->res[i].uses; u; u = u->next) {
            reads++;
            if (indices_inside(u->user, made->parent) > made->res[i].type->rank) return true;
        }
    return reads > made->nres;
}

static void find_size(void *ctx, Op *op) { *(bool *)ctx |= op_defines_sizes(op); }

/* The extents of the comprehension's indices; false: they are no sizes of arrays */
static bool extents_of(const Op *o, const Size **dims) {
    const Region *r = o->regs[0];
    bool own = false;
    for (int i = 0; i < o->nregs; i++) region_walk(o->regs[i], find_size, &own);
    for (int i = 0; i < r->nargs; i++) {
        dims[i] = index_size(r->args[i]);
        if (own || !dims[i] || !size_is_natural(r->func->module->session, dims[i])) return false;
    }
    return true;
}

/* What stands before it in the body can be computed elsewhere, too. */
static bool can_move(const Op *made) {
    for (const Op *o = made->parent->first; o != made; o = o->next)
        if (op_has_effect(o) && o->nres) return false;
    return !op_has_effect(made);
}

static bool is_wanted(const Op *o, const Op *made) {
    return made->code == OP_GENERATE && o->regs[0]->nargs + made->regs[0]->nargs <= TENSOR_RANK && costs_much(made) &&
           is_read_often(made) && can_move(made);
}

/* ---- the arrays for all indices */

/* An empty comprehension before o, whose indices are those of o, then those of `made` */
static Op *comprehend_all(const Op *o, const Op *made, const Size *const *dims) {
    Module *m = o->parent->func->module;
    const Size *all[MAX_RANK];
    const Type **types = NEWN(m->arena, const Type *, made->nres);
    int n = o->regs[0]->nargs, rank = made->regs[0]->nargs;
    for (int i = 0; i < n + rank; i++) all[i] = i < n ? dims[i] : made->res[0].type->dims[i - n];
    for (int i = 0; i < made->nres; i++) types[i] = type_tensor(m->session, made->res[i].type->dtype, n + rank, all);
    Builder b = builder_before((Op *)(uintptr_t)o);
    b.span = made->span;
    Op *g = build_op(&b, OP_GENERATE, 0, NULL, made->nres, types, 1);
    for (int i = 0; i < n + rank; i++) {
        const Value *like = i < n ? o->regs[0]->args[i] : made->regs[0]->args[i - n];
        region_add_arg(g->regs[0], like->type, like->name);
    }
    return g;
}

/* Its body: what o's computes before `made`, and an element of that */
static void compute_all(Op *g, const Op *o, const Op *made) {
    Module *m = o->parent->func->module;
    Cloner c = {.module = m};
    Builder b = builder_at_end(m, g->regs[0], made->span);
    int n = o->regs[0]->nargs;
    for (int i = 0; i < n; i++) map_put(m->arena, &c.values, o->regs[0]->args[i], g->regs[0]->args[i]);
    for (const Op *at = o->regs[0]->first; at != made; at = at->next)
        if (!op_has_effect(at)) clone_op(&c, &b, at);
    for (int i = 0; i < made->regs[0]->nargs; i++)
        map_put(m->arena, &c.values, made->regs[0]->args[i], g->regs[0]->args[n + i]);
    clone_region_ops(&c, &b, made->regs[0], true);
}

/* Elements of `made` that are read are those of g. */
static void read_elements(Op *g, const Op *o, Op *made) {
    int n = o->regs[0]->nargs;
    Value *idx[MAX_RANK];
    for (int k = 0; k < made->nres; k++)
        for (const Use *u = made->res[k].uses, *next; u; u = next) {
            Op *e = u->user;
            next = u->next;
            if (e->code != OP_EXTRACT) continue;
            Builder b = builder_before(e);
            for (int i = 0; i < n; i++) idx[i] = o->regs[0]->args[i];
            for (int i = 1; i < e->nopnds; i++) idx[n + i - 1] = op_opnd(e, i);
            Value *v = build_extract(&b, &g->res[k], n + e->nopnds - 1, idx);
            if (op_flag(e, A_SAFE)) op_set_flag(v->def, A_SAFE);
            op_replace(e, v->def);
        }
}

/* In place of `made`, for who reads it as a whole: a row of each of g's arrays */
static void read_row(Op *g, const Op *o, Op *made) {
    Module *m = o->parent->func->module;
    const Type **types = NEWN(m->arena, const Type *, made->nres);
    Value **out = NEWN(m->arena, Value *, made->nres), *idx[MAX_RANK];
    int n = o->regs[0]->nargs, rank = made->regs[0]->nargs;
    for (int i = 0; i < made->nres; i++) types[i] = made->res[i].type;
    Builder b = builder_before(made);
    Op *row = build_op(&b, OP_GENERATE, 0, NULL, made->nres, types, 1);
    for (int i = 0; i < n; i++) idx[i] = o->regs[0]->args[i];
    for (int i = 0; i < rank; i++) idx[n + i] = region_add_arg(row->regs[0], made->regs[0]->args[i]->type, "k");
    Builder in = builder_at_end(m, row->regs[0], made->span);
    for (int i = 0; i < made->nres; i++) out[i] = extract_safe(&in, &g->res[i], n + rank, idx);
    build_yield(&in, made->nres, out);
    op_replace(made, row);
}

static bool is_used(const Op *op) {
    for (int i = 0; i < op->nres; i++)
        if (!value_unused(&op->res[i])) return true;
    return false;
}

Op *expand_body_array(Op *o) {
    const Size *dims[MAX_RANK];
    for (Op *made = o->regs[0]->first; made; made = made->next) {
        if (!is_wanted(o, made)) continue;
        if (!extents_of(o, dims)) return NULL;
        Op *g = comprehend_all(o, made, dims);
        compute_all(g, o, made);
        read_elements(g, o, made);
        if (is_used(made)) read_row(g, o, made);
        else op_erase(made);
        return g;
    }
    return NULL;
}
