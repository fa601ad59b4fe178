/* Rules of opt/rules/accuracy.rules on terms: the sides of a rule are patterns of opt/rewrite.h. */
#include "accuracy/accuracy.h"
#include "opt/rewrite.h"

static const RewriteNode *node_at(int at) { return &accuracy_rules.nodes[at]; }
static int next(int at) { return rewrite_next(accuracy_rules.nodes, at); }

static bool bind(int *var, int term) {
    if (*var < 0) *var = term;
    return *var == term;
}

enum { GENS = REWRITE_VARS }; /* behind the variables: which generator all reductions of the rule have */

static bool matches(const Terms *t, int at, int term, int *var) {
    const RewriteNode *n = node_at(at);
    const Term *x = term_at(t, term);
    if (n->kind == RW_VAR) return bind(&var[n->var], term);
    if (n->kind == RW_CONST) return x->op == OP_CONST && bind(&var[n->var], term);
    if (n->kind == RW_FLOAT) return x->op == OP_CONST && x->number == n->f;
    if (n->kind != RW_OP || x->op != n->op || x->nkids != n->nkids) return false;
    if (n->op == OP_REDUCE && (x->leaf != n->i || !bind(&var[GENS], (int)x->number))) return false;
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = next(kid))
        if (!matches(t, kid, x->kid[i], var)) return false;
    return true;
}

/* -1: a constant that is rounded, of which nobody can say that both sides are equal */
static int build(Terms *t, int at, const int *var) {
    const RewriteNode *n = node_at(at);
    if (n->kind == RW_VAR || n->kind == RW_CONST) return var[n->var];
    if (n->kind == RW_FLOAT) return term_number(t, n->f);
    int kids[3], made;
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = next(kid))
        if ((kids[i] = build(t, kid, var)) < 0) return -1;
    made = n->op == OP_REDUCE ? term_reduce(t, (Combine)n->i, var[GENS], kids[0])
                              : term_make(t, n->op, n->nkids, kids);
    return n->kind == RW_COMPUTED && !term_is(t, made, OP_CONST) ? -1 : made;
}

void term_rewrites(Terms *t, int root, void (*f)(void *ctx, int made), void *ctx) {
    OpCode op = term_at(t, root)->op;
    if (op >= OP_COUNT) return;
    for (int i = accuracy_rules.first[op]; i < accuracy_rules.first[op + 1]; i++) {
        int var[REWRITE_VARS + 1];
        for (int k = 0; k <= REWRITE_VARS; k++) var[k] = -1;
        if (!matches(t, accuracy_rules.rules[i].lhs, root, var)) continue;
        int made = build(t, accuracy_rules.rules[i].rhs, var);
        if (made >= 0) f(ctx, made);
    }
}
