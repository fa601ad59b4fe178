/* Comprehensions and reductions, which are pure and have no order: the adjoint of an element is pulled from what uses it.
 *
 * Each place that reads a value from outside stands in a nest of indices: those of the comprehension, then of the reductions within
 * it.  What a scalar gets is a sum over the nest.  What a tensor gets is a comprehension over the tensor: an index of the nest that
 * is an index of the access, plus or minus something fixed, is solved for; the others are summed over (the gather form, without
 * atomics: Hückelheim and others, Transposing stencils, ICPP 2019).  Accesses whose indices cannot be inverted (through other
 * arrays, or scaled) are scattered: by atomic updates, which later passes take apart. */
#include "ad/pull.h"

#include <string.h>

/* ---- scalars from outside */

static void reverse_scalar(Pull *p, Value *v) {
    Emit e = {.p = p, .b = p->s->b};
    VEC(const Use *) uses = {0}; /* the reverse adds to them */
    for (const Use *u = v->uses; u; u = u->next)
        if (op_inside(u->user, p->root)) vec_push(p->s->ad->arena, &uses, u);
    for (int i = 0; i < uses.len; i++) {
        Path path = {0};
        if (!path_to(p, &path, uses.data[i]->user, NULL)) return;
        End end = {.make = make_use, .use = uses.data[i], .type = v->type};
        e.b = p->s->b;
        add_adjoint(p->s, v, descend(&e, &path, 0, NULL, &end));
    }
}

static AccessList accesses_of(Pull *p, const Value *tensor) {
    AccessList list = {0};
    for (const Use *u = tensor->uses; u; u = u->next) {
        Access a = {.op = u->user};
        if (!op_inside(u->user, p->root)) continue;
        if (u->user->code != OP_EXTRACT) cannot(p->s->ad, u->user, "an array operation inside a comprehension");
        else if (path_to(p, &a.path, u->user, NULL)) vec_push(p->s->ad->arena, &list, a);
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
static void find_loop(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_WHILE || (op->code == OP_FOR && !is_sum(op)); }

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
        if (g && is_map(p->root)) {
            g = build_extract(&in->b, g, made->regs[0]->nargs, made->regs[0]->args);
            op_set_flag(g->def, A_SAFE);
        }
        add_adjoint(in, op_opnd(y, i), g);
    }
}

/* A comprehension with the adjoints of `values` at all indices */
static Op *reverse_body(Pull *p, const ValueList *values, const Size *const *dims) {
    Ad *ad = p->s->ad;
    const Region *r = p->root->regs[0];
    const Type **types = NEWN(ad->arena, const Type *, values->len + 1);
    Value **out = NEWN(ad->arena, Value *, values->len + 1);
    for (int i = 0; i < values->len; i++) types[i] = type_tensor(ad->module->session, values->data[i]->type->dtype, r->nargs, dims);
    Op *made = build_op(&p->s->b, OP_GENERATE, 0, NULL, values->len, types, 1);
    Scope in = {.ad = ad, .up = p->s, .of = p->root->regs[0], .b = builder_at_end(ad->module, made->regs[0], made->span), .scalars = true};
    p->s->inner = made;
    for (int i = 0; i < r->nargs; i++) {
        Value *at = region_add_arg(made->regs[0], r->args[i]->type, "i");
        map_put(ad->arena, &in.primal, r->args[i], at);
    }
    seed_body(&in, p, made);
    reverse_region(&in);
    for (int i = 0; i < values->len; i++) {
        out[i] = adjoint_of(&in, values->data[i]);
        if (!out[i]) out[i] = build_zero(&in.b, values->data[i]->type);
    }
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
    if (p->root->code == OP_REDUCE && strcmp(op_sym(p->root, A_KIND), "add")) return cannot(ad, p->root, "a loop inside a reduction other than a sum");
    for (int i = 0; i < free->len && !ad->failed; i++) {
        AccessList all = {0};
        if (type_is_tensor(free->data[i]->type)) all = accesses_of(p, free->data[i]);
        else vec_push(ad->arena, &values, free->data[i]);
        for (int k = 0; k < all.len; k++) {
            if (all.data[k].op->parent != p->root->regs[0]) return cannot(ad, all.data[k].op, "an array that is read in a loop or branch, where the loop does more than add up, inside a comprehension or a launch");
            vec_push(ad->arena, &values, &all.data[k].op->res[0]);
        }
        vec_push(ad->arena, &lists, all);
    }
    if (ad->failed || !path_to(p, &nest, region_term(p->root->regs[0]), NULL) || !nest_dims(p, &nest, dims, &n)) return;
    const Op *made = reverse_body(p, &values, dims);
    for (int i = 0, at = 0; i < free->len && !ad->failed; i++) {
        AccessList *all = &lists.data[i];
        if (!type_is_tensor(free->data[i]->type)) add_adjoint(p->s, free->data[i], sum_axes(&p->s->b, &made->res[at++], 0, NULL, NULL));
        for (int k = 0; k < all->len; k++) all->data[k].from = &made->res[at++];
        if (all->len) reverse_accesses(p, free->data[i], all);
    }
}

void reverse_comprehension(Scope *s, Op *op) {
    Pull p = {.s = s, .root = op};
    ValueList free = active_free(s->ad, op);
    for (int i = 0; i < op->nregs; i++)
        if (has_own_sizes(s->ad, op->regs[i], op)) return;
    if (holds_loop(op)) reverse_by_body(&p, &free);
    else reverse_by_pulling(&p, &free);
}

/* ---- scan: the sums from the other end */

static Value *element_from_end(Builder *b, Value *x, Value *i) {
    Value *last = build_binary(b, OP_SUB, build_size(b, x->type->dims[0]), build_int(b, 1)), *at = build_binary(b, OP_SUB, last, i);
    Value *v = build_extract(b, x, 1, &at);
    op_set_flag(v->def, A_SAFE);
    return v;
}

static Value *from_end(Builder *b, OpCode code, Value *x) {
    Op *made = build_op(b, code, 0, NULL, 1, &x->type, 1);
    if (code == OP_SCAN) op_set_sym(made, A_KIND, "add");
    Builder in = builder_at_end(b->module, made->regs[0], b->span);
    Value *v = element_from_end(&in, x, region_add_arg(made->regs[0], type_scalar(b->module->session, DT_I64), "i"));
    build_yield(&in, 1, &v);
    return &made->res[0];
}

/* The adjoint of the elements is the scan, from the end, of that of their scan. */
void reverse_scan(Scope *s, Op *op) {
    if (op->nres != 1 || strcmp(op_sym(op, A_KIND), "add")) return cannot(s->ad, op, "a scan with an operator of its own");
    set_adjoint(s, &op->res[0], from_end(&s->b, OP_GENERATE, from_end(&s->b, OP_SCAN, adjoint_of(s, &op->res[0]))));
    reverse_comprehension(s, op);
}
