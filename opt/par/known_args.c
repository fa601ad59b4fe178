/* known-args: sizes and scalars that are the same constant in every call of a function are constants in its body; sizes
 * of what it gives that are constants in its body are so in every call.
 *
 * needs: inlined calls, so that few functions remain.  Callers are treated before what they call, so that a constant of
 * the main program arrives at the innermost function.  Exported functions keep their parameters: they have callers that
 * nobody sees. */
#include "opt/par/fold.h"
#include "opt/pass.h"

#include <string.h>

typedef struct Node {
    Func *func;
    VEC(Op *) calls;   /* of it */
    VEC(struct Node *) callees;
    bool visited;
} Node;

typedef struct {
    Module *module;
    Arena *scratch;
    Map by_name;
    Node *nodes;
    VEC(Node *) post; /* callees first */
} Known;

/* ---- the call graph */

typedef struct { Known *k; Node *caller; } Scan;

static void scan_op(void *ctx, Op *op) {
    Scan *s = ctx;
    if (op->code != OP_CALL) return;
    Node *callee = map_get(&s->k->by_name, op_sym(op, A_FUNC));
    if (!callee) return;
    vec_push(s->k->scratch, &callee->calls, op);
    vec_push(s->k->scratch, &s->caller->callees, callee);
}

static void visit(Known *k, Node *n) {
    if (n->visited) return;
    n->visited = true;
    for (int i = 0; i < n->callees.len; i++) visit(k, n->callees.data[i]);
    vec_push(k->scratch, &k->post, n);
}

static void build_graph(Known *k) {
    Module *m = k->module;
    k->nodes = NEWN(k->scratch, Node, m->funcs.len);
    for (int i = 0; i < m->funcs.len; i++) {
        k->nodes[i].func = m->funcs.data[i];
        map_put(k->scratch, &k->by_name, m->funcs.data[i]->name, &k->nodes[i]);
    }
    for (int i = 0; i < m->funcs.len; i++) {
        Scan s = {k, &k->nodes[i]};
        region_walk(m->funcs.data[i]->body, scan_op, &s);
    }
    for (int i = 0; i < m->funcs.len; i++) visit(k, &k->nodes[i]);
}


/* ---- what the calls agree on */

typedef struct { bool conflict, known; Const value; } Agreed; /* of the calls so far */

static void meet(Agreed *a, const Const *c) {
    bool same = a->known && c && const_same(&a->value, c);
    if (!c || (a->known && !same)) a->conflict = true;
    else a->known = true, a->value = *c;
}

/* Parameter i, a scalar.  A function that hands its own parameter on to itself says nothing new. */
static Agreed scalar_of(const Node *n, int i) {
    Agreed a = {0};
    for (int c = 0; c < n->calls.len; c++) {
        const Value *v = op_opnd(n->calls.data[c], i);
        if (v != n->func->body->args[i]) meet(&a, value_const(v));
    }
    return a;
}

/* One size of parameter i */
static Agreed size_of(const Node *n, int i, int axis) {
    Agreed a = {0};
    for (int c = 0; c < n->calls.len; c++) {
        const Op *call = n->calls.data[c];
        const Size *s = op_opnd(call, i)->type->dims[axis];
        Const value = {.dtype = DT_I64};
        if (call->parent->func == n->func && s == n->func->body->args[i]->type->dims[axis]) continue;
        meet(&a, size_is_const(s, &value.i) ? &value : NULL);
    }
    return a;
}

/* ---- one function */

typedef struct { Map sizes; } Sizes;

static const Size *known_size(void *ctx, const char *sym) { return map_get(&((Sizes *)ctx)->sizes, sym); }

static void set_scalar(Node *n, int i) {
    Value *param = n->func->body->args[i];
    Agreed a = scalar_of(n, i);
    if (!a.known || a.conflict || !param->uses) return;
    Builder b = builder_before(n->func->body->first);
    value_replace_all(param, build_const(&b, a.value));
}

static void set_sizes(Known *k, Node *n) {
    Func *f = n->func;
    Sizes sizes = {0};
    for (int i = 0; i < f->body->nargs; i++) {
        const Type *t = f->body->args[i]->type;
        for (int axis = 0; axis < t->rank; axis++) {
            const char *sym = size_as_sym(t->dims[axis]);
            Agreed a = sym && !map_has(&sizes.sizes, sym) ? size_of(n, i, axis) : (Agreed){.conflict = true};
            if (a.known && !a.conflict)
                map_put(k->scratch, &sizes.sizes, sym, (void *)(uintptr_t)size_const(k->module->session, a.value.i));
        }
    }
    if (sizes.sizes.len) func_subst_sizes(f, known_size, &sizes);
}

/* ---- what a function gives */

static bool is_of_params(const Func *f, const char *sym) {
    for (int i = 0; i < f->body->nargs; i++)
        for (int axis = 0; axis < f->body->args[i]->type->rank; axis++)
            if (size_as_sym(f->body->args[i]->type->dims[axis]) == sym) return true;
    return false;
}

/* The number that a size of the results always is */
static Agreed given_size(const Func *f, const char *sym) {
    Agreed a = {.conflict = is_of_params(f, sym)};
    for (int i = 0; i < f->nres; i++) {
        const Value *v = op_opnd(f->body->last, i);
        const Op *retype = v->def && v->def->code == OP_RETYPE ? v->def : NULL;
        for (int axis = 0; axis < f->res_types[i]->rank; axis++) {
            if (size_as_sym(f->res_types[i]->dims[axis]) != sym) continue;
            Const value = {.dtype = DT_I64};
            const Type *t = retype ? op_opnd(retype, 0)->type : v->type;
            meet(&a, t->rank == v->type->rank && size_is_const(t->dims[axis], &value.i) ? &value : NULL);
        }
    }
    return a;
}

/* Where the call is what tells the size, it is the number. */
static void know_at_call(Known *k, Op *call, int result, int axis, const Size *number) {
    const Size *here = call->res[result].type->dims[axis];
    const char *sym = size_as_sym(here);
    Sizes sizes = {0};
    if (!sym || size_is_known_at(call, here)) return;
    map_put(k->scratch, &sizes.sizes, sym, (void *)(uintptr_t)number);
    func_subst_sizes(call->parent->func, known_size, &sizes);
}

static void tell_size(Known *k, Node *n, int result, int axis) {
    Func *f = n->func;
    const char *sym = size_as_sym(f->res_types[result]->dims[axis]);
    Agreed a = sym ? given_size(f, sym) : (Agreed){.conflict = true};
    if (!a.known || a.conflict) return;
    const Size *number = size_const(k->module->session, a.value.i);
    for (int c = 0; c < n->calls.len; c++) know_at_call(k, n->calls.data[c], result, axis, number);
    Sizes sizes = {0};
    map_put(k->scratch, &sizes.sizes, sym, (void *)(uintptr_t)number);
    func_subst_sizes(f, known_size, &sizes);
}

/* f says how another function is differentiated: what it gives is of that one's types. */
static bool is_rule(const Known *k, const Func *f) {
    for (int i = 0; i < k->module->funcs.len; i++) {
        const Func *of = k->module->funcs.data[i];
        if ((of->vjp && !strcmp(of->vjp, f->name)) || (of->jvp && !strcmp(of->jvp, f->name))) return true;
    }
    return false;
}

static void tell_results(Known *k, Node *n) {
    const Func *f = n->func;
    if (f->kind != FUNC_FN || f->is_export || f->recursive || f->vjp || f->jvp || !n->calls.len) return;
    if (!f->body->last || f->body->last->code != OP_RETURN || is_rule(k, f)) return;
    for (int i = 0; i < f->nres; i++)
        for (int axis = 0; axis < f->res_types[i]->rank; axis++) tell_size(k, n, i, axis);
}

static void specialize(Known *k, Node *n) {
    if (n->func->kind != FUNC_FN || n->func->is_export || !n->calls.len || !n->func->body->first) return;
    set_sizes(k, n);
    for (int i = 0; i < n->func->body->nargs; i++)
        if (n->func->body->args[i]->type->kind == TY_SCALAR) set_scalar(n, i);
}

void pass_known_args(Module *m, const PassOptions *opts) {
    (void)opts;
    Known k = {.module = m, .scratch = arena_new()};
    build_graph(&k);
    for (int i = 0; i < k.post.len; i++) tell_results(&k, k.post.data[i]);
    for (int i = k.post.len - 1; i >= 0; i--) {
        specialize(&k, k.post.data[i]);
        fold_binds(k.post.data[i]->func); /* what it hands on may be known now */
    }
    arena_free(k.scratch);
}
