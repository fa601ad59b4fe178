/* Comprehensions and reductions, which are pure and have no order: the adjoint of an element is pulled from what uses
 * it.
 *
 * Each place that reads a value from outside stands in a nest of indices: those of the comprehension, then of the
 * reductions within it.  What a scalar gets is a sum over the nest.  What a tensor gets is a comprehension over the
 * tensor: an index of the nest that is an index of the access, plus or minus something fixed, is solved for, or one of
 * several that make an index of it (plan.c); the others are summed over (the gather form, without atomics: Hückelheim
 * and others, Transposing stencils, ICPP 2019).  Accesses whose indices cannot be inverted (through other arrays) are
 * scattered: by atomic updates, which later passes take apart. */
#include "ad/memory.h"
#include "ad/pull.h"
#include "ir/index.h"

/* ---- scalars from outside */

static void reverse_scalar(Pull *p, Value *v) {
    Emit e = {.p = p, .b = p->s->b};
    UseList all = uses_from_last(p->s->ad, v), uses = {0}; /* the reverse adds to them */
    for (int i = 0; i < all.len; i++) {
        const Op *user = all.data[i]->user;
        if (op_inside(user, p->root) && may_vary(p, user, NULL)) vec_push(p->s->ad->arena, &uses, all.data[i]);
    }
    explain_adjoint(p->s->ad, p->root->span, v, "a reduction in a fixed tree, over all that read it");
    for (int i = 0; i < uses.len; i++) {
        Path path = {0};
        if (!path_to(p, &path, uses.data[i]->user, NULL)) return;
        End end = {.make = make_use, .use = uses.data[i], .type = adjoint_type(p->s->ad, v->type)};
        e.b = p->s->b;
        add_adjoint(p->s, v, descend(&e, &path, 0, NULL, &end));
    }
}

static AccessList accesses_of(Pull *p, const Value *tensor) {
    AccessList list = {0};
    UseList uses = uses_from_last(p->s->ad, tensor);
    for (int i = 0; i < uses.len; i++) {
        const Use *u = uses.data[i];
        Access a = {.op = u->user};
        if (!op_inside(u->user, p->root) || !may_vary(p, u->user, NULL)) continue;
        if (u->user->code != OP_EXTRACT) cannot(p->s->ad, u->user, "an array operation inside a comprehension");
        else if (path_to(p, &a.path, u->user, NULL)) {
            find_winners(p, &a);
            vec_push(p->s->ad->arena, &list, a);
        }
    }
    return list;
}

static void reverse_by_pulling(Pull *p, const ValueList *free) {
    for (int i = 0; i < free->len && !p->s->ad->failed; i++) {
        Value *v = free->data[i];
        if (!type_is_tensor(v->type)) {
            reverse_scalar(p, v);
            continue;
        }
        AccessList all = accesses_of(p, v);
        reverse_accesses(p, v, &all);
    }
}

/* ---- bodies with loops: the adjoints of all that is read, for each index, by reversing the body as a function of
 * scalars */

/* One that is more than a sum */
static void find_loop(void *ctx, Op *op) {
    *(bool *)ctx |= op->code == OP_WHILE || (op->code == OP_FOR && !is_sum(op));
}

static bool holds_loop(const Op *op) {
    bool found = false;
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_loop, &found);
    return found;
}

/* Seeds of the body's values at the indices of made */
static void seed_body(Scope *in, const Pull *p, const Op *made) {
    const Op *y = region_term(p->root->regs[0]);
    for (int i = 0; i < p->root->nres; i++) {
        Value *g = adjoint_of(p->s, &p->root->res[i]);
        if (g && is_map(p->root)) g = extract_safe(&in->b, g, made->regs[0]->nargs, made->regs[0]->args);
        add_adjoint(in, op_opnd(y, i), g);
    }
}

/* A comprehension with the adjoints of `values` at all indices */
static Op *reverse_body(Pull *p, const ValueList *values, const Size *const *dims) {
    Ad *ad = p->s->ad;
    const Region *r = p->root->regs[0];
    const Type **types = NEWN(ad->arena, const Type *, values->len + 1);
    Value **out = NEWN(ad->arena, Value *, values->len + 1);
    for (int i = 0; i < values->len; i++)
        types[i] = type_tensor(ad->module->session, adjoint_dtype(values->data[i]->type->dtype), r->nargs, dims);
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, values->len, types, 1);
    Scope in = {.ad = ad,
                .up = p->s,
                .of = p->root->regs[0],
                .b = builder_at_end(ad->module, made->regs[0], made->span),
                .scalars = true};
    p->s->inner = made;
    for (int i = 0; i < r->nargs; i++) {
        Value *at = region_add_arg(made->regs[0], r->args[i]->type, "i");
        map_put(ad->arena, &in.primal, r->args[i], at);
    }
    seed_body(&in, p, made);
    reverse_region(&in);
    for (int i = 0; i < values->len; i++) out[i] = adjoint_or_zero(&in, values->data[i]);
    build_yield(&in.b, values->len, out);
    p->s->inner = NULL;
    return made;
}

static void reverse_by_body(Pull *p, const ValueList *free) {
    Ad *ad = p->s->ad;
    VEC(AccessList) lists = {0};
    ValueList values = {0};
    const Size *dims[MAX_RANK];
    Path nest = {0};
    int n;
    if (p->root->code == OP_REDUCE && op_combine(p->root) != COMBINE_ADD)
        return cannot(ad, p->root, "a loop inside a reduction other than a sum");
    for (int i = 0; i < free->len && !ad->failed; i++) {
        AccessList all = {0};
        if (type_is_tensor(free->data[i]->type)) all = accesses_of(p, free->data[i]);
        else vec_push(ad->arena, &values, free->data[i]);
        for (int k = 0; k < all.len; k++) {
            if (all.data[k].op->parent != p->root->regs[0])
                return cannot(ad, all.data[k].op,
                              "an array that is read in a loop or branch, where the loop does more than add up, inside "
                              "a comprehension or a launch");
            vec_push(ad->arena, &values, &all.data[k].op->res[0]);
        }
        vec_push(ad->arena, &lists, all);
    }
    if (ad->failed || !path_to(p, &nest, region_term(p->root->regs[0]), NULL) || !nest_dims(p, &nest, dims, &n)) return;
    const Op *made = reverse_body(p, &values, dims);
    for (int i = 0, at = 0; i < free->len && !ad->failed; i++) {
        AccessList *all = &lists.data[i];
        if (!type_is_tensor(free->data[i]->type))
            add_adjoint(p->s, free->data[i], sum_axes(&p->s->b, &made->res[at++], 0, NULL, NULL));
        for (int k = 0; k < all->len; k++) all->data[k].from = &made->res[at++];
        if (all->len) reverse_accesses(p, free->data[i], all);
    }
}

/* ---- bodies that read columns, x[i,0], x[i,1], ..: where each element's adjoint is pulled, it computes anew what the
 * body does, once for each column.  The body reversed as a whole gives the adjoints of all that it reads. */

enum { MUCH_WORK = 100, DEAR = 100 }; /* float operations times columns; cycles */

typedef struct { int floats, cost; bool plain; } Body;

static void look_at(void *ctx, Op *op) {
    Body *b = ctx;
    bool number = op->nres == 1 && op->res[0].type->kind == TY_SCALAR && dtype_is_float(op->res[0].type->dtype);
    b->floats += number && op_info(op->code)->traits & TR_ELEM;
    b->cost += op_info(op->code)->cost;
    b->plain &= op->nregs == 0 || op->code == OP_IF;
}

/* Whether an index of the access is the same for all indices of the nest */
static bool is_column(const Pull *p, const Op *access) {
    int64_t c;
    for (int i = 1; i < access->nopnds; i++)
        if (!inside_root(p, op_opnd(access, i)) || value_const_int(op_opnd(access, i), &c)) return true;
    return false;
}

/* In a nest of several indices: what it reads depends on all of them, or else there would be an array of adjoints over
 * the nest for what is read over less, such as all pairs of rows. */
static bool moves_with_all(const Path *nest, const Op *access) {
    for (int k = 0; k < nest->n && nest->n > 1; k++) {
        bool moves = false;
        for (int i = 1; i < access->nopnds; i++) moves |= value_depends(op_opnd(access, i), index_of(&nest->step[k]));
        if (!moves) return false;
    }
    return true;
}

/* *scattered: what it reads is at places that other arrays say, and costs less than to be kept for them */
static bool reads_columns(Pull *p, const ValueList *free, bool *scattered) {
    int columns = 0;
    Body body = {.plain = true};
    Path nest = {0};
    if (!is_map(p->root) && (p->root->code != OP_REDUCE || op_combine(p->root) != COMBINE_ADD)) return false;
    region_walk(p->root->regs[0], look_at, &body);
    if (!body.plain || !path_to(p, &nest, region_term(p->root->regs[0]), NULL) || nest.n > TENSOR_RANK) return false;
    for (int i = 0; i < nest.n; i++)
        if (!extent_size(&nest.step[i])) return false;
    for (int i = 0; i < free->len; i++) {
        if (!type_is_tensor(free->data[i]->type)) continue;
        AccessList all = accesses_of(p, free->data[i]);
        for (int k = 0; k < all.len; k++) {
            if (all.data[k].op->parent != p->root->regs[0] || !moves_with_all(&nest, all.data[k].op)) return false;
            columns += is_column(p, all.data[k].op);
            *scattered |= !can_gather(p, all.data[k].op, &all.data[k].path);
        }
    }
    *scattered &= body.cost < DEAR;
    return columns > 1 && (*scattered || columns * body.floats >= MUCH_WORK);
}

/* ---- what cannot be pulled is reversed as memory: a parallel loop that writes the elements */

static void find_other(void *ctx, Op *op) {
    bool *ok = ctx;
    *ok &= op->code != OP_GENERATE && op->code != OP_SCAN && op->code != OP_CALL && op->code != OP_SPAWN &&
           (op->code != OP_REDUCE || op_combine(op) != COMBINE_CUSTOM);
}

static bool pulls(Pull *p, const ValueList *free) {
    bool ok = true, loop = holds_loop(p->root);
    const Size *dims[MAX_RANK];
    int n;
    for (int i = 0; i < p->root->nregs; i++) region_walk(p->root->regs[i], find_other, &ok);
    Combine kind = p->root->code == OP_REDUCE ? op_combine(p->root) : COMBINE_ADD;
    if (kind == COMBINE_CUSTOM || (loop && kind != COMBINE_ADD)) return false;
    for (int i = 0; i < free->len && ok; i++) {
        if (!type_is_tensor(free->data[i]->type)) continue;
        AccessList all = accesses_of(p, free->data[i]);
        for (int k = 0; k < all.len && !p->s->ad->failed; k++) {
            if (loop && all.data[k].op->parent != p->root->regs[0]) ok = false;
            else if (!loop && !can_gather(p, all.data[k].op, &all.data[k].path))
                nest_dims(p, &all.data[k].path, dims, &n);
        }
    }
    return ok && !p->s->ad->failed;
}

bool can_pull(Scope *s, Op *op) {
    Pull p = {.s = s, .root = op};
    ValueList free = active_free(s->ad, op);
    s->ad->trying = true;
    bool ok = pulls(&p, &free);
    s->ad->trying = s->ad->failed = false;
    return ok;
}

/* Whether each access of op, a comprehension, is one whose indices can be solved for: nothing is scattered. */
bool can_gather_all(Scope *s, Op *op) {
    Pull p = {.s = s, .root = op};
    ValueList free = active_free(s->ad, op);
    bool ok = true;
    for (int i = 0; i < free.len; i++) {
        if (!type_is_tensor(free.data[i]->type)) continue;
        AccessList all = accesses_of(&p, free.data[i]);
        for (int k = 0; k < all.len; k++) ok &= can_gather(&p, all.data[k].op, &all.data[k].path);
    }
    return ok;
}

static void find_unfit(void *ctx, Op *op) {
    *(bool *)ctx |= op->code != OP_EXTRACT && !(op_info(op->code)->levels & LV_ISLAND);
}

/* Whether the body computes numbers alone, of numbers and elements of arrays from outside: what an island can do */
static bool computes_numbers(const Op *op) {
    bool unfit = op_has_tensors(op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_unfit, &unfit);
    return !unfit;
}

/* What the island is made from: tensors of the function, and the same at hand */
typedef struct { Op *island; ValueList tensors; } Lowering;

static void lower_access(void *ctx, Op *op) {
    Lowering *l = ctx;
    for (int i = 0; i < l->tensors.len && op->code == OP_EXTRACT; i++) {
        if (op_opnd(op, 0) != l->tensors.data[i]) continue;
        Builder b = builder_before(op);
        Value *idx[MAX_RANK];
        for (int k = 1; k < op->nopnds; k++) idx[k - 1] = op_opnd(op, k);
        Value *v = load_safe(&b, l->island->regs[0]->args[i], op->nopnds - 1, idx);
        return op_replace(op, checked_as(v->def, op));
    }
}

/* Operands: what op reads, then what it makes, which has these types */
static void add_operands(Scope *s, const Op *op, Lowering *l, const Type *const *types) {
    Ad *ad = s->ad;
    int n = l->tensors.len;
    Value **opnds = NEWN(ad->arena, Value *, n + op->nres + 1);
    int64_t *modes = NEWN(ad->arena, int64_t, n + op->nres + 1);
    for (int i = 0; i < n; i++) opnds[i] = l->tensors.data[i];
    for (int i = 0; i < op->nres; i++) opnds[n + i] = build_zero(&s->b, types[i]), modes[n + i] = 1;
    l->island = build_island(&s->b, n + op->nres, opnds, modes);
}

/* The values from outside as they are at hand; which were which */
static void map_outside(Scope *s, const Op *op, Cloner *c, Lowering *l, Map *origin) {
    ValueList all = all_free(s->ad, op);
    for (int i = 0; i < all.len; i++) {
        Value *v = all.data[i], *now = primal_of(s, v);
        map_put(s->ad->arena, &c->values, v, now);
        map_put(s->ad->arena, origin, now, v);
        if (is_active(s->ad, v)) active_value(s->ad, now);
        if (type_is_tensor(v->type)) vec_push(s->ad->arena, &l->tensors, now);
    }
}

/* The island that computes the elements of op, which a comprehension makes or a sum adds up */
static Op *island_of(Scope *s, const Op *op, const Type *const *types, Map *origin) {
    Ad *ad = s->ad;
    Lowering l = {0};
    Cloner c = {.module = ad->module};
    const Region *r = op->regs[0];
    map_outside(s, op, &c, &l, origin);
    add_operands(s, op, &l, types);
    Builder in = builder_at_end(ad->module, l.island->regs[0], op->span);
    Value *extents[MAX_RANK];
    for (int i = 0; i < r->nargs; i++) extents[i] = build_size(&in, types[0]->dims[i]);
    Op *par = build_parallel(&in, r->nargs, extents, LOOP_PLAIN);
    build_yield(&in, 0, NULL);
    for (int i = 0; i < r->nargs; i++) map_put(ad->arena, &c.values, r->args[i], par->regs[0]->args[i]);
    Builder body = builder_at_end(ad->module, par->regs[0], op->span);
    clone_region_ops(&c, &body, r, false);
    for (int i = 0; i < op->nres; i++) {
        Value *v = clone_value(&c, op_opnd(region_term(r), i)), *buf = l.island->regs[0]->args[l.tensors.len + i];
        store_safe(&body, v, buf, r->nargs, par->regs[0]->args);
    }
    build_yield(&body, 0, NULL);
    region_walk(par->regs[0], lower_access, &l);
    forget_effects(l.island);
    return l.island;
}

/* The types of the elements of op */
static const Type **element_types(Scope *s, const Op *op) {
    Session *ss = s->ad->module->session;
    const Type **types = NEWN(s->ad->arena, const Type *, op->nres + 1);
    const Size *dims[MAX_RANK];
    bool sum = op->code == OP_REDUCE;
    for (int i = 0; i < op->regs[0]->nargs && sum; i++) {
        const char *sym = module_fresh_sym(s->ad->module, "terms");
        Value *zero = build_int(&s->b, 0), *n = primal_of(s, op_opnd(op, i));
        build_bind(&s->b, build_binary(&s->b, OP_MAX, n, zero), sym);
        dims[i] = size_sym(ss, sym);
    }
    for (int i = 0; i < op->nres; i++)
        types[i] = sum ? type_tensor(ss, op->res[i].type->dtype, op->regs[0]->nargs, dims) : op->res[i].type;
    return types;
}

static void reverse_as_memory(Scope *s, Op *op) {
    bool sum = op->code == OP_REDUCE;
    bool plain = op->code == OP_GENERATE || (sum && op_combine(op) == COMBINE_ADD);
    if (!plain || !computes_numbers(op)) return reverse_serial(s, op);
    Map origin = {0};
    const Type **types = element_types(s, op);
    Op *island = island_of(s, op, types, &origin);
    active_op(s->ad, island);
    serialize_reductions(s->ad, island);
    active_op(s->ad, island);
    for (int i = 0; i < op->nres; i++) {
        Value *g = adjoint_of(s, &op->res[i]);
        if (g) set_adjoint(s, &island->res[i], sum ? build_fill(&s->b, g, adjoint_type(s->ad, types[i])) : g);
    }
    reverse_by_memory(s, island, &origin);
}

/* Of rows that are read at places which other arrays say each element is scattered: short sums over them are written
 * out, so that the body is reversed once for all. */
static void write_out_rows(Scope *s, Op *op) {
    if (op->regs[0]->nargs > 1 || !only_adds(op) || has_own_sizes(op)) return;
    if (!can_pull(s, op) || can_gather_all(s, op)) return;
    for (Op *o = op->regs[0]->first, *next; o; o = next) {
        next = o->next;
        if (reduce_is_short(o)) reduce_write_out(o);
    }
    active_op(s->ad, op);
}

void reverse_comprehension(Scope *s, Op *op) {
    write_out_rows(s, op);
    Pull p = {.s = s, .root = op};
    ValueList free = active_free(s->ad, op);
    bool masked = has_choice(s->ad, op), scattered = false;
    for (int i = 0; i < op->nres; i++) masked |= is_masked(s->ad, adjoint_of(s, &op->res[i]));
    if (has_own_sizes(op)) reverse_serial(s, op);
    else if (!can_pull(s, op)) reverse_as_memory(s, op);
    else if (holds_loop(op) || reads_columns(&p, &free, &scattered)) {
        if (scattered) reverse_as_memory(s, op);
        else reverse_by_body(&p, &free);
    }
    else reverse_by_pulling(&p, &free);
    for (int i = 0; i < free.len && masked; i++) {
        Value *g = adjoint_of(s, free.data[i]);
        if (g) mask(s->ad, g);
    }
}

/* ---- scan: the sums from the other end */

static Value *element_from_end(Builder *b, Value *x, Value *i) {
    Value *last = build_binary(b, OP_SUB, build_size(b, x->type->dims[0]), build_int(b, 1)),
          *at = build_binary(b, OP_SUB, last, i);
    return extract_safe(b, x, 1, &at);
}

static Value *from_end(Builder *b, OpCode code, Value *x) {
    Op *made = build_op(b, code, 0, NULL, 1, &x->type, 1);
    if (code == OP_SCAN) op_set_combine(made, COMBINE_ADD);
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *v = element_from_end(&in, x, region_add_arg(made->regs[0], type_scalar(b->module->session, DT_I64), "i"));
    build_yield(&in, 1, &v);
    return &made->res[0];
}

/* The adjoint of the elements is the scan, from the end, of that of their scan. */
void reverse_scan(Scope *s, Op *op) {
    if (op_combine(op) != COMBINE_ADD) return reverse_serial(s, op);
    for (int i = 0; i < op->nres; i++) {
        Value *g = adjoint_of(s, &op->res[i]);
        if (g) set_adjoint(s, &op->res[i], from_end(&s->b, OP_GENERATE, from_end(&s->b, OP_SCAN, g)));
    }
    reverse_comprehension(s, op);
}
