/* Calls with whole arrays in launches and parallel loops, of functions that have rules of derivatives.
 *
 * Such a function is part of the loop (call.c), where nobody could ask for its rule.  Where a derivative comes by, what
 * it gives is computed before the island, by a call that stays one: once where its arguments are the same for all
 * threads, else for each of them, under the branches around it, as an array that the threads read.  What cannot be
 * computed there (arrays that the island changes or has of its own, what its loops carry) keeps the derivative of the
 * body, and a warning says so. */
#include "ir/index.h"
#include "lower/ast/private.h"

enum { MAX_AROUND = 16 };

/* What stands between the island and the call, from outside; the region of each in which the call is */
typedef struct Around { Op *op; int region; } Around;

typedef struct Outside {
    Lower *l;
    const RuledCall *call;
    Op *island;
    Around around[MAX_AROUND];
    int n;
    VEC(Value *) indices; /* of parallel loops, that it depends on */
    Map known;            /* value of the island -> the same before it */
} Outside;

void note_ruled(Fn *f, const Expr *e, Vals args, Vals *values) {
    const Inst *inst = e->inst;
    if (!inst->rule[RULE_VJP] && !inst->rule[RULE_JVP]) return;
    RuledCall c = {inst, args, vals_new(f, values->n), e->span};
    for (int i = 0; i < values->n; i++) {
        if (dtype_is_float(values->v[i]->type->dtype))
            values->v[i] = build_unary(&f->b, OP_STOP_GRADIENT, values->v[i]); /* until all is lowered */
        c.values.v[i] = values->v[i];
    }
    vec_push(f->arena, &f->l->ruled, c);
}

static bool is_marked(const Value *v) { return dtype_is_float(v->type->dtype); }

/* ---- which functions and islands are differentiated: those that a vjp or jvp comes to */

typedef struct { Lower *l; Map funcs; VEC(const Func *) todo; } Reached;

static void reach_call(void *ctx, Op *op) {
    Reached *r = ctx;
    if (op->code != OP_CALL) return;
    const Func *f = module_find(r->l->module, op_sym(op, A_FUNC));
    if (map_has(&r->funcs, f)) return;
    map_put(r->l->arena, &r->funcs, f, r);
    vec_push(r->l->arena, &r->todo, f);
}

static void reach_derivative(void *ctx, Op *op) {
    if (op->code == OP_VJP || op->code == OP_JVP) region_walk(op->regs[0], reach_call, ctx);
}

static Reached find_reached(Lower *l) {
    Reached r = {.l = l};
    for (int i = 0; i < l->module->funcs.len; i++) region_walk(l->module->funcs.data[i]->body, reach_derivative, &r);
    while (r.todo.len) region_walk(r.todo.data[--r.todo.len]->body, reach_call, &r);
    return r;
}

static bool is_reached(const Reached *r, const Op *op) {
    return op_around(op, OP_VJP) || op_around(op, OP_JVP) || map_has(&r->funcs, op->parent->func);
}

/* ---- what can be known before the island */

static bool is_inside(const Outside *o, const Value *v) {
    return region_encloses(o->island->regs[0], value_region(v));
}

static bool is_thread_index(const Outside *o, const Value *v) {
    for (int i = 0; i < o->n && !v->def; i++)
        if (o->around[i].op->code == OP_PARALLEL && v->region == o->around[i].op->regs[0]) return true;
    return false;
}

static void need_index(Outside *o, Value *index) {
    for (int i = 0; i < o->indices.len; i++)
        if (o->indices.data[i] == index) return;
    vec_push(o->l->arena, &o->indices, index);
}

/* Numbers computed of indices, sizes, and elements of arrays that are only read */
static bool is_known(Outside *o, Value *v) {
    if (!is_inside(o, v) || value_is_only_read(v) || value_is_fixed(v)) return true;
    if (is_thread_index(o, v)) return need_index(o, v), true;
    const Op *d = v->def;
    bool plain = d && !d->nregs && d->nres == 1 &&
                 (op_info(d->code)->traits & TR_ELEM || d->code == OP_LOAD || d->code == OP_STOP_GRADIENT);
    for (int i = 0; plain && i < d->nopnds; i++) plain = is_known(o, op_opnd(d, i));
    return plain;
}

/* The extents of the loops whose indices matter do not depend on threads themselves. */
static bool extents_are_known(Outside *o) {
    int n = o->indices.len;
    for (int i = 0; i < n; i++) {
        const Value *index = o->indices.data[i];
        if (!is_known(o, op_opnd(index->region->owner, index->index)) || o->indices.len > n) return false;
    }
    return n <= TENSOR_RANK;
}

static bool find_around(Outside *o, const Op *at) {
    Around out[MAX_AROUND];
    int n = 0;
    const Region *r = at->parent;
    for (; r->owner->code != OP_ISLAND && n < MAX_AROUND; r = r->owner->parent)
        out[n++] = (Around){r->owner, r == r->owner->regs[0] ? 0 : 1};
    o->island = r->owner;
    o->n = n;
    for (int i = 0; i < n; i++) o->around[i] = out[n - 1 - i];
    return o->island->code == OP_ISLAND;
}

/* Where it depends on threads the branches around it matter, too: under them its arguments are what they should be. */
static bool can_stand_outside(Outside *o) {
    const RuledCall *c = o->call;
    for (int i = 0; i < c->args.n; i++)
        if (!is_known(o, c->args.v[i])) return false;
    for (int i = 0; i < o->n && o->indices.len; i++)
        if (o->around[i].op->code == OP_IF && !is_known(o, op_opnd(o->around[i].op, 0))) return false;
    return extents_are_known(o);
}

/* ---- the call before the island */

static Value *outside(Outside *o, Builder *b, Value *v) {
    if (map_has(&o->known, v)) return map_get(&o->known, v);
    if (!is_inside(o, v)) return v;
    if (value_is_only_read(v)) return op_opnd(o->island, v->index);
    Value *now, *idx[MAX_RANK];
    const Op *d = v->def;
    if (d->code == OP_LOAD) {
        for (int i = 1; i < d->nopnds; i++) idx[i - 1] = outside(o, b, op_opnd(d, i));
        now = build_extract(b, outside(o, b, op_opnd(d, 0)), d->nopnds - 1, idx);
    } else {
        Cloner c = {.module = o->l->module};
        for (int i = 0; i < d->nopnds; i++)
            map_put(o->l->arena, &c.values, op_opnd(d, i), outside(o, b, op_opnd(d, i)));
        now = &clone_op(&c, b, d)->res[0];
    }
    map_put(o->l->arena, &o->known, v, now);
    return now;
}

static Op *call_outside(Outside *o, Builder *b) {
    const RuledCall *c = o->call;
    Value **args = NEWN(o->l->arena, Value *, c->args.n + 1);
    const Type **types = NEWN(o->l->arena, const Type *, c->values.n + 1);
    for (int i = 0; i < c->args.n; i++) args[i] = outside(o, b, c->args.v[i]);
    for (int i = 0; i < c->values.n; i++) types[i] = c->values.v[i]->type;
    b->span = c->at;
    Op *call = build_op(b, OP_CALL, c->args.n, args, c->values.n, types, 0);
    op_set_sym(call, A_FUNC, c->inst->name);
    return call;
}

/* The call under the branches from the k-th that stands around it on; its values, or 0 */
static Op *call_under(Outside *o, Builder *b, int k) {
    while (k < o->n && o->around[k].op->code != OP_IF) k++;
    if (k == o->n) return call_outside(o, b);
    const Vals *v = &o->call->values;
    const Type **types = NEWN(o->l->arena, const Type *, v->n + 1);
    Value **out = NEWN(o->l->arena, Value *, v->n + 1);
    for (int i = 0; i < v->n; i++) types[i] = v->v[i]->type;
    Op *branch = build_if(b, outside(o, b, op_opnd(o->around[k].op, 0)), v->n, types);
    int region = o->around[k].region;
    Builder in = builder_at_end(o->l->module, branch->regs[region], b->span),
            other = builder_at_end(o->l->module, branch->regs[!region], b->span);
    const Op *inner = call_under(o, &in, k + 1);
    for (int i = 0; i < v->n; i++) out[i] = (Value *)&inner->res[i];
    build_yield(&in, v->n, out);
    for (int i = 0; i < v->n; i++) out[i] = build_zero(&other, types[i]);
    build_yield(&other, v->n, out);
    return branch;
}

/* Arrays with an element for each of the threads */
static Op *call_for_threads(Outside *o, Builder *b) {
    const Vals *v = &o->call->values;
    const Size *dims[MAX_RANK];
    const Type **types = NEWN(o->l->arena, const Type *, v->n + 1);
    Value **out = NEWN(o->l->arena, Value *, v->n + 1);
    for (int i = 0; i < o->indices.len; i++) {
        const Value *index = o->indices.data[i];
        dims[i] = build_size_of(b, outside(o, b, op_opnd(index->region->owner, index->index)));
    }
    for (int i = 0; i < v->n; i++)
        types[i] = type_tensor(o->l->session, v->v[i]->type->dtype, o->indices.len, dims);
    Op *made = build_op(b, OP_GENERATE, 0, NULL, v->n, types, 1);
    for (int i = 0; i < o->indices.len; i++) {
        Value *index = o->indices.data[i];
        map_put(o->l->arena, &o->known, index, region_add_arg(made->regs[0], index->type, index->name));
    }
    Builder in = builder_at_end(o->l->module, made->regs[0], b->span);
    const Op *one = call_under(o, &in, 0);
    for (int i = 0; i < v->n; i++) out[i] = (Value *)&one->res[i], made->res[i].name = o->call->inst->decl->name;
    build_yield(&in, v->n, out);
    return made;
}

/* ---- the island takes what was computed */

static void replace_mark(Lower *l, Value *v, Value *by) {
    Op *mark = v->def;
    value_replace_all(v, by);
    for (int i = 0; i < l->ruled.len; i++) /* it may be an argument of another */
        for (int k = 0; k < l->ruled.data[i].args.n; k++)
            if (l->ruled.data[i].args.v[k] == v) l->ruled.data[i].args.v[k] = by;
    op_erase(mark);
}

static void take_values(Outside *o, const Op *made) {
    const Vals *v = &o->call->values;
    for (int i = 0; i < v->n; i++) {
        if (!is_marked(v->v[i])) continue;
        Value *now = (Value *)&made->res[i];
        Builder b = builder_before(v->v[i]->def);
        if (o->indices.len) now = load_safe(&b, island_reads(o->island, now), o->indices.len, o->indices.data);
        replace_mark(o->l, v->v[i], now);
    }
}

static void leave_in_place(Lower *l, const RuledCall *c) {
    for (int i = 0; i < c->values.n; i++)
        if (is_marked(c->values.v[i])) replace_mark(l, c->values.v[i], op_opnd(c->values.v[i]->def, 0));
}

static const Op *mark_of(const RuledCall *c) {
    for (int i = 0; i < c->values.n; i++)
        if (is_marked(c->values.v[i])) return c->values.v[i]->def;
    return NULL;
}

static void settle(Lower *l, const RuledCall *c, const Reached *r) {
    const Op *mark = mark_of(c);
    Outside o = {.l = l, .call = c};
    if (!mark || !is_reached(r, mark)) return leave_in_place(l, c);
    if (!find_around(&o, mark) || !can_stand_outside(&o)) {
        Diag *d = diag_report(l->session, c->at, W_RULE_ASIDE, c->inst->decl->name);
        diag_hint(l->session, d, "compute it before the launch or loop, which then takes the value");
        return leave_in_place(l, c);
    }
    Builder b = builder_before(o.island);
    b.span = c->at;
    take_values(&o, o.indices.len ? call_for_threads(&o, &b) : call_outside(&o, &b));
}

void settle_ruled(Lower *l) {
    if (!l->ruled.len) return;
    Reached r = find_reached(l);
    for (int i = 0; i < l->ruled.len; i++) settle(l, &l->ruled.data[i], &r);
}
