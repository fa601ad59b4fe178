/* inline: calls of small functions, of functions called once, and all calls inside regions that become loops
 * are replaced by the function's body.  What derivatives will be taken of counts, so that one which is called from
 * several places stays a function.
 *
 * needs: nothing.  Functions are taken callees first, so that what is copied is inlined already.  Recursive
 * functions stay calls.  Size symbols of the callee that its parameters define become the arguments' sizes; the
 * others get fresh names, or the names that the call's results gave them.  Functions that nobody calls any more
 * are dropped, unless exported. */
#include "opt/pass.h"

#include <limits.h>
#include <string.h>

enum { SMALL = 40, ONCE = 600, IN_REGION = 400, IN_DERIVATIVE = 20000 }; /* operations */

typedef struct Node {
    Func *func;
    int size;      /* operations, after inlining into it */
    int whole;     /* with those of all that it calls */
    int derived;   /* of these what derivatives are to be taken of, which will be operations here */
    int calls;     /* places that call it */
    int state;     /* 0 new, 1 on the path, 2 done */
    bool recursive, in_islands, was_called;
    bool is_rule;  /* of another function's derivative */
    VEC(Op *) sites; /* calls inside it */
} Node;

typedef struct {
    Module *module;
    Arena *scratch;
    Node *nodes;
    Map by_name; /* callee name -> Node */
    Map definers; /* of the caller: size symbol -> op that defines it; built when needed */
    bool definers_known;
    bool derivatives; /* only calls in what derivatives are taken of */
    bool changed;
} Inliner;

/* ---- the call graph */

/* A check, and what nothing but checks uses, is no work. */
static bool only_checks(const Op *op, int depth) {
    if (op->code == OP_CHECK) return true;
    if (op->nres != 1 || op->nregs || value_unused(&op->res[0]) || depth > 4) return false;
    for (const Use *u = op->res[0].uses; u; u = u->next)
        if (!only_checks(u->user, depth + 1)) return false;
    return true;
}

static void scan_op(Inliner *in, Node *n, Op *op) {
    n->size += !only_checks(op, 0);
    if (!(op_info(op->code)->levels & LV_ISLAND)) n->in_islands = false;
    if (op->code == OP_CALL) vec_push(in->scratch, &n->sites, op);
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) scan_op(in, n, o);
}

static void scan_func(Inliner *in, Node *n) {
    n->size = 0;
    n->in_islands = true;
    n->sites.len = 0;
    for (Op *o = n->func->body->first; o; o = o->next)
        if (o->code != OP_RETURN) scan_op(in, n, o);
}

static Node *callee_of(const Inliner *in, const Op *call) { return map_get(&in->by_name, op_sym(call, A_FUNC)); }

static int add_sizes(int a, int b) { return a > INT_MAX - b ? INT_MAX : a + b; }

/* The rules by which f is differentiated: its vjp, its jvp */
static Node *rule_node(const Inliner *in, const Func *f, int k) {
    const char *name = k ? f->jvp : f->vjp;
    return name ? map_get(&in->by_name, name) : NULL;
}

static void build_graph(Inliner *in) {
    Module *m = in->module;
    in->nodes = NEWN(in->scratch, Node, m->funcs.len);
    for (int i = 0; i < m->funcs.len; i++) {
        in->nodes[i].func = m->funcs.data[i];
        map_put(in->scratch, &in->by_name, m->funcs.data[i]->name, &in->nodes[i]);
        scan_func(in, &in->nodes[i]);
    }
    for (int i = 0; i < m->funcs.len; i++)
        for (int k = 0; k < in->nodes[i].sites.len; k++) {
            Node *callee = callee_of(in, in->nodes[i].sites.data[k]);
            callee->calls++;
            callee->was_called = true;
        }
    for (int i = 0; i < m->funcs.len; i++)
        for (int k = 0; k < 2; k++) {
            Node *rule = rule_node(in, m->funcs.data[i], k);
            if (rule) rule->is_rule = true;
        }
}

/* ---- which calls */

/* While there are derivatives to take, what has a rule is not taken apart. */
static bool keeps_rule(const Func *f) { return f->module->derives && (f->vjp || f->jvp); }

typedef enum { AT_HOST, IN_LOOP_REGION, IN_ISLAND, IN_VJP } Where;

static Where where_is(const Op *call) {
    Where w = AT_HOST;
    for (const Op *o = call->parent->owner; o; o = o->parent->owner) {
        if (o->code == OP_VJP || o->code == OP_JVP)
            return IN_VJP; /* derivatives are taken of operations, not of calls */
        if (o->code == OP_ISLAND) w = IN_ISLAND;
        if (w != IN_ISLAND && (o->code == OP_GENERATE || o->code == OP_REDUCE || o->code == OP_SCAN))
            w = IN_LOOP_REGION;
    }
    return w;
}

static bool wants_inline(const Node *callee, const Op *call) {
    const Func *f = callee->func;
    Where w = where_is(call);
    if (f->kind != FUNC_FN || f->recursive || callee->recursive || !f->body->last || keeps_rule(f))
        return false;
    if (w == IN_ISLAND) return callee->in_islands && callee->size <= IN_REGION;
    if (w == IN_LOOP_REGION) return callee->size <= IN_REGION;
    if (w == IN_VJP) return callee->size <= IN_DERIVATIVE;
    if (add_sizes(callee->size, callee->derived) <= SMALL) return true;
    return callee->calls == 1 && !f->is_export && callee->size <= ONCE;
}

/* ---- size symbols */

typedef struct { Inliner *in; Map sizes; } Renaming;

static const Size *renamed(void *ctx, const char *sym) {
    Renaming *r = ctx;
    const Size *s = map_get(&r->sizes, sym);
    if (s) return s;
    Module *m = r->in->module;
    s = size_sym(m->session, module_fresh_sym(m, sym));
    map_put(r->in->scratch, &r->sizes, sym, (void *)(uintptr_t)s);
    return s;
}

static void bind_dims(Renaming *r, const Type *declared, const Type *given) {
    for (int i = 0; i < declared->rank; i++) {
        const char *sym = size_as_sym(declared->dims[i]);
        if (sym && !map_has(&r->sizes, sym)) map_put(r->in->scratch, &r->sizes, sym, (void *)(uintptr_t)given->dims[i]);
    }
}

static void note_definer(Inliner *in, const Type *t, Op *op) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym && !map_has(&in->definers, sym)) map_put(in->scratch, &in->definers, sym, op);
    }
}

static void note_definers(Inliner *in, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_BIND) map_put(in->scratch, &in->definers, op_sym(o, A_SYM), o);
        for (int i = 0; i < o->nres; i++) note_definer(in, o->res[i].type, o);
        for (int i = 0; i < o->nregs; i++) note_definers(in, o->regs[i]);
    }
}

/* Whether the call is what defines the symbol in its function. */
static bool is_definer(Inliner *in, const Op *call, const char *sym) {
    Region *body = call->parent->func->body;
    if (!in->definers_known) {
        in->definers_known = true;
        in->definers = (Map){0};
        for (int i = 0; i < body->nargs; i++) {
            const Type *t = body->args[i]->type;
            for (int k = 0; k < t->rank; k++)
                if (size_as_sym(t->dims[k])) map_put(in->scratch, &in->definers, size_as_sym(t->dims[k]), in);
        }
        note_definers(in, body);
    }
    return map_get(&in->definers, sym) == call;
}

/* Sizes that the call's results bring keep the names they have in the caller. */
static void bind_results(Renaming *r, const Func *f, Op *call) {
    for (int i = 0; i < f->nres; i++)
        for (int k = 0; k < f->res_types[i]->rank; k++) {
            const char *inner = size_as_sym(f->res_types[i]->dims[k]), *outer = size_as_sym(call->res[i].type->dims[k]);
            if (!inner || !outer || map_has(&r->sizes, inner) || !is_definer(r->in, call, outer)) continue;
            map_put(r->in->scratch, &r->sizes, inner, (void *)(uintptr_t)call->res[i].type->dims[k]);
        }
}

/* ---- one call */

static Value *as_type(Builder *b, Value *v, const Type *t) {
    if (v->type == t) return v;
    return &build_op(b, OP_RETYPE, 1, &v, 1, &t, 0)->res[0];
}

static void name_results(Op *call, Cloner *c, const Op *ret) {
    for (int i = 0; i < call->nres; i++) {
        if (!op_opnd(ret, i)->def || !call->res[i].name) continue; /* a parameter is the argument */
        clone_value(c, op_opnd(ret, i))->name = call->res[i].name;
    }
}

static void inline_call(Inliner *in, Op *call, const Func *f) {
    Renaming names = {.in = in};
    Op *ret = region_term(f->body);
    Session *s = in->module->session;
    Cloner c = {in->module, {0}, renamed, &names, NULL, called_words(s, f->name)};
    if (!source_is_library(s, call->span)) c.call = &call->span;
    Builder b = builder_before(call);
    for (int i = 0; i < call->nopnds; i++) {
        bind_dims(&names, f->body->args[i]->type, op_opnd(call, i)->type);
        map_put(in->module->arena, &c.values, f->body->args[i], op_opnd(call, i));
    }
    bind_results(&names, f, call);
    clone_region_ops(&c, &b, f->body, false);
    name_results(call, &c, ret);
    for (int i = 0; i < call->nres; i++)
        value_replace_all(&call->res[i], as_type(&b, clone_value(&c, op_opnd(ret, i)), call->res[i].type));
    op_erase(call);
}

/* ---- callees first */

/* What n is with all that it calls, which has been visited */
static void measure(Inliner *in, Node *n) {
    n->whole = n->size;
    n->derived = 0;
    for (int i = 0; i < n->sites.len; i++) {
        int callee = callee_of(in, n->sites.data[i])->whole;
        n->whole = add_sizes(n->whole, callee);
        if (where_is(n->sites.data[i]) == IN_VJP) n->derived = add_sizes(n->derived, callee);
    }
}

static void visit(Inliner *in, Node *n) {
    if (n->state) {
        n->recursive |= n->state == 1;
        return;
    }
    n->state = 1;
    for (int i = 0; i < n->sites.len; i++) visit(in, callee_of(in, n->sites.data[i]));
    n->state = 2;
    bool changed = false;
    in->definers_known = false;
    for (int i = 0; i < n->sites.len; i++) {
        Op *call = n->sites.data[i];
        Node *callee = callee_of(in, call);
        if (callee == n || callee->state != 2 || !wants_inline(callee, call)) continue;
        if (in->derivatives && where_is(call) != IN_VJP) continue;
        inline_call(in, call, callee->func);
        callee->calls--;
        for (int k = 0; k < callee->sites.len; k++) callee_of(in, callee->sites.data[k])->calls++;
        changed = true;
    }
    if (changed) scan_func(in, n), in->changed = true;
    measure(in, n);
}

static bool is_root(const Func *f) { return f->kind != FUNC_FN || f->is_export; }

static void mark_live(Inliner *in, Node *n) {
    if (n->state == 3) return;
    n->state = 3;
    for (int i = 0; i < n->sites.len; i++) mark_live(in, callee_of(in, n->sites.data[i]));
    for (int k = 0; k < 2; k++)
        if (keeps_rule(n->func) && rule_node(in, n->func, k)) mark_live(in, rule_node(in, n->func, k));
}

static void forget_rules(Func *f) {
    if (f->vjp && !func_vjp(f)) f->vjp = NULL;
    if (f->jvp && !func_jvp(f)) f->jvp = NULL;
}

/* Functions whose last call was inlined; those that were never called stay. */
static void drop_dead(Inliner *in) {
    Module *m = in->module;
    int kept = 0;
    for (int i = 0; i < m->funcs.len; i++)
        if (is_root(m->funcs.data[i]) || (!in->nodes[i].was_called && !in->nodes[i].is_rule))
            mark_live(in, &in->nodes[i]);
    for (int i = 0; i < m->funcs.len; i++)
        if (in->nodes[i].state == 3) m->funcs.data[kept++] = m->funcs.data[i];
    m->funcs.len = kept;
    for (int i = 0; i < kept; i++) forget_rules(m->funcs.data[i]);
}

/* Whether there was anything to inline */
static bool inline_calls(Module *m, bool derivatives) {
    Inliner in = {.module = m, .scratch = arena_new(), .derivatives = derivatives};
    build_graph(&in);
    for (int i = 0; i < m->funcs.len; i++) visit(&in, &in.nodes[i]);
    drop_dead(&in);
    arena_free(in.scratch);
    return in.changed;
}

void pass_inline(Module *m, const PassOptions *opts) {
    (void)opts;
    inline_calls(m, false);
}

/* The calls that derivatives are taken of, where nothing else is inlined */
void pass_inline_derivatives(Module *m, const PassOptions *opts) {
    (void)opts;
    while (m->derives && inline_calls(m, true)) continue; /* what was inlined has calls of its own */
}
