/* The greedy engine of rewrite.h: matches the rules of a set at one operation, and builds the right side of the first
 * that fits. */
#include "opt/rewrite.h"

#include <math.h>

typedef struct {
    const RewriteSet *set;
    const Rewrite *rule;
    Op *root;
    Value *var[REWRITE_VARS];
} Match;

static const RewriteNode *node_at(const Match *m, int at) { return &m->set->nodes[at]; }

/* ---- the left side */

static bool same_float(double a, double b) { return a == b && !signbit(a) == !signbit(b); }

static bool is_literal(const RewriteNode *n, const Const *c) {
    if (n->kind == RW_FLOAT) return dtype_is_float(c->dtype) && same_float(c->f, n->f);
    if (n->kind == RW_BOOL) return c->dtype == DT_BOOL && c->i == n->i;
    return (dtype_is_int(c->dtype) || c->dtype == DT_BOOL) && c->i == const_wrap(c->dtype, n->i);
}

static bool bind(Match *m, int var, Value *v) {
    if (!m->var[var]) m->var[var] = v;
    return m->var[var] == v;
}

/* NULL: no constant that rules speak of */
static const Const *constant_of(const Value *v) {
    const Const *c = value_const(v);
    return c && c->dtype != DT_STR ? c : NULL;
}

static bool matches(Match *m, int at, Value *v);

static bool operands_match(Match *m, int at, const Op *op) {
    const RewriteNode *n = node_at(m, at);
    if (op->nres != 1 || op->nopnds != n->nkids || op->nregs) return false;
    int kid = at + 1;
    for (int i = 0; i < op->nopnds; i++, kid = rewrite_next(m->set->nodes, kid))
        if (!matches(m, kid, op_opnd(op, i))) return false;
    return true;
}

static bool matches(Match *m, int at, Value *v) {
    const RewriteNode *n = node_at(m, at);
    const Const *c;
    switch (n->kind) {
    case RW_VAR: return bind(m, n->var, v);
    case RW_CONST: return constant_of(v) && bind(m, n->var, v);
    case RW_OP: return v->def && v->def->code == n->op && operands_match(m, at, v->def);
    case RW_INT: case RW_FLOAT: case RW_BOOL: return (c = constant_of(v)) && is_literal(n, c);
    default: return false;
    }
}

/* ---- constants */

static Const literal(const RewriteNode *n, DType t) {
    if (dtype_is_float(t)) return (Const){.dtype = t, .f = n->kind == RW_FLOAT ? n->f : (double)n->i};
    return (Const){.dtype = t, .i = const_wrap(t, n->i)};
}

static bool compute(const Match *m, int at, Const *out);

static bool compute_op(const Match *m, int at, Const *out) {
    const RewriteNode *n = node_at(m, at);
    DType beside = m->root->res[0].type->dtype;
    Const x[3];
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(m->set->nodes, kid)) {
        if (rewrite_is_literal(node_at(m, kid))) continue;
        if (!compute(m, kid, &x[i])) return false;
        beside = x[i].dtype;
    }
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(m->set->nodes, kid))
        if (rewrite_is_literal(node_at(m, kid))) x[i] = literal(node_at(m, kid), beside);
    return const_eval(n->op, op_info(n->op)->traits & TR_BOOL ? DT_BOOL : beside, n->nkids, x, out);
}

static bool compute(const Match *m, int at, Const *out) {
    const RewriteNode *n = node_at(m, at);
    if (n->kind == RW_COMPUTED) return compute_op(m, at, out);
    const Const *c = n->kind == RW_CONST ? constant_of(m->var[n->var]) : NULL;
    if (c) *out = *c;
    return c != NULL;
}

/* ---- conditions */

static bool guard_holds(const Match *m, const RewriteGuard *g) {
    RewriteArg args[REWRITE_ARGS] = {{0}};
    Const computed[REWRITE_ARGS];
    for (int i = 0; i < g->nargs; i++) {
        const RewriteNode *n = node_at(m, g->args[i]);
        if (n->kind == RW_RESULT) args[i].v = &m->root->res[0];
        else if (n->kind == RW_VAR || n->kind == RW_CONST)
            args[i].v = m->var[n->var], args[i].c = constant_of(args[i].v);
        else if (compute(m, g->args[i], &computed[i])) args[i].c = &computed[i];
        else return false;
    }
    return predicate_holds(g->id, args);
}

/* Whether all constants that the right side computes can be computed */
static bool is_computable(const Match *m, int at) {
    Const c;
    const RewriteNode *n = node_at(m, at);
    if (n->kind == RW_COMPUTED) return compute(m, at, &c);
    int kid = at + 1;
    for (int i = 0; i < n->nkids; i++, kid = rewrite_next(m->set->nodes, kid))
        if (!is_computable(m, kid)) return false;
    return true;
}

static bool fits(Match *m) {
    const Rewrite *r = m->rule;
    const RewriteGuard *g = m->set->guards + r->guard;
    if (!operands_match(m, r->lhs, m->root)) return false;
    for (int i = 0; i < r->nguards; i++)
        if (!guard_holds(m, &g[i])) return false;
    RewriteKind top = node_at(m, r->rhs)->kind;
    bool literal_top = top != RW_OP && top != RW_VAR && top != RW_CONST;
    return (!literal_top || m->root->res[0].type->kind == TY_SCALAR) && is_computable(m, r->rhs);
}

/* ---- the right side */

static Value *build(const Match *m, Builder *b, int at, DType literals);

/* Literals have the type of what is built beside them; but for the condition of a select. */
static Value *build_operation(const Match *m, Builder *b, int at, DType literals) {
    const RewriteNode *n = node_at(m, at);
    Value *x[3] = {NULL};
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(m->set->nodes, kid)) {
        if (rewrite_is_literal(node_at(m, kid))) continue;
        x[i] = build(m, b, kid, literals);
        if (n->op != OP_SELECT || i) literals = x[i]->type->dtype;
    }
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = rewrite_next(m->set->nodes, kid))
        if (!x[i]) x[i] = build(m, b, kid, literals);
    if (n->op == OP_SELECT) return build_select(b, x[0], x[1], x[2]);
    return n->nkids == 1 ? build_unary(b, n->op, x[0]) : build_binary(b, n->op, x[0], x[1]);
}

static Value *build(const Match *m, Builder *b, int at, DType literals) {
    const RewriteNode *n = node_at(m, at);
    Const c;
    switch (n->kind) {
    case RW_OP: return build_operation(m, b, at, literals);
    case RW_VAR: case RW_CONST: return m->var[n->var];
    case RW_COMPUTED:
        if (!compute(m, at, &c)) bug("rule %s", m->rule->name);
        return build_const(b, c);
    default: return build_const(b, literal(n, literals));
    }
}

static void apply(const Match *m) {
    Builder b = builder_before(m->root);
    value_replace_all(&m->root->res[0], build(m, &b, m->rule->rhs, m->root->res[0].type->dtype));
    op_erase(m->root);
}

bool rewrite_op(const RewriteSet *set, Op *op) {
    for (int i = set->first[op->code]; i < set->first[op->code + 1]; i++) {
        Match m = {.set = set, .rule = &set->rules[i], .root = op};
        if (!fits(&m)) continue;
        apply(&m);
        return true;
    }
    return false;
}
