/* known-args: sizes and scalars that are the same constant in every call of a function are constants in its body.
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
    for (int i = k.post.len - 1; i >= 0; i--) {
        specialize(&k, k.post.data[i]);
        fold_binds(k.post.data[i]->func); /* what it hands on may be known now */
    }
    arena_free(k.scratch);
}
