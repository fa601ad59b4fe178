/* tensor: rules of whole arrays, applied until none fits: those of opt/rules/tensor.rules, and here of what reads
 * elements: elements of products are products of parts, and sums of products need no product; and of calls.
 *
 * Of products only with --fp=reassoc or fast: in which order a library adds up depends on the sizes and on what is
 * transposed.  For a GPU what only transposes is always done: its products are sums in order, whatever lies how.
 * Needs stage par, before index-form.  Each rule leaves less to compute, or fewer operations, so this ends; what nobody
 * uses any more is erased at once, for rules that ask whether a product serves nothing else. */
#include "opt/dead.h"
#include "opt/tensor/rules.h"

enum { MAX_ROUNDS = 16 };

typedef struct { OpCode root; Value *(*rule)(Builder *, Op *); RewriteFp fp; } TensorRule; /* fp: what it needs */

static const TensorRule rules[] = {
    {OP_SLICE, rule_columns_of_solution, RW_REASSOC},
    {OP_GENERATE, rule_diagonal, RW_REASSOC},
    {OP_EXTRACT, rule_element, RW_REASSOC},
    {OP_EXTRACT, rule_one_element, RW_REASSOC},
    {OP_DOT, rule_inverse_product, RW_REASSOC},
    {OP_RETYPE, rule_sorted_twice, RW_EXACT},
    {OP_GENERATE, rule_sorted_twice, RW_EXACT},
    {OP_REDUCE, rule_reduced_order_int, RW_EXACT},
    {OP_REDUCE, rule_reduced_order, RW_REASSOC},
    {OP_EXTERN, rule_transformed_back, RW_REASSOC},
};

static void erase_unused(Value *v) {
    Op *op = v->def;
    if (!op || !op->parent || !op_is_removable(op) || op->nregs) return; /* no parent: erased already */
    for (int i = 0; i < op->nres; i++)
        if (!value_unused(&op->res[i])) return;
    Value *opnds[MAX_RANK + 2];
    int n = op->nopnds;
    for (int i = 0; i < n; i++) opnds[i] = op_opnd(op, i);
    op_erase(op);
    for (int i = 0; i < n; i++) erase_unused(opnds[i]);
}

/* op's result is v: op goes, and what nothing but op needed. */
static void replace(Op *op, Value *v) {
    Value *opnds[MAX_RANK + 2], *read = op->nregs ? reduced_by(op) : NULL;
    int n = op->nopnds;
    for (int i = 0; i < n; i++) opnds[i] = op_opnd(op, i);
    if (!v->name) v->name = op->res[0].name;
    value_replace_all(&op->res[0], v);
    op_erase(op);
    for (int i = 0; i < n; i++) erase_unused(opnds[i]);
    if (read) erase_unused(read);
}

static bool apply(Op *op, RewriteFp fp) {
    Builder b = builder_before(op);
    Value *v = op->nres == 1 ? tensor_rewrite(&tensor_rules, &b, op, fp) : NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !v; i++)
        if (rules[i].root == op->code && rules[i].fp <= fp) v = rules[i].rule(&b, op);
    if (v) replace(op, v);
    return v != NULL;
}

static bool visit(Region *r, RewriteFp fp) {
    bool changed = false;
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (op->code == OP_ISLAND) continue;
        if (apply(op, fp)) {
            changed = true;
            continue;
        }
        for (int i = 0; i < op->nregs; i++) changed |= visit(op->regs[i], fp);
    }
    return changed;
}

static void find_call(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_EXTERN; }

void pass_tensor(Module *m, const PassOptions *opts) {
    RewriteFp fp = may_reassociate(opts) ? RW_REASSOC : opts->device ? RW_IN_ORDER : RW_EXACT;
    for (int i = 0; i < m->funcs.len; i++) {
        Region *body = m->funcs.data[i]->body;
        int rounds = 0;
        while (rounds < MAX_ROUNDS && body && visit(body, fp)) rounds++;
        bool calls = false;
        if (rounds) region_walk(body, find_call, &calls);
        if (calls) dead_in_region(body); /* what a rule leaves of them stands in comprehensions */
    }
}
