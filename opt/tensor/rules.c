/* tensor: rules of whole arrays, applied until none fits: parts of products are products of parts, transposes go into
 * products, vectors are multiplied first, and sums of products need no product.
 *
 * Only with --fp=reassoc or fast: in which order a library adds up depends on the sizes and on what is transposed.  For
 * a GPU what only transposes is always done: its products are sums in order, whatever lies how.
 * Needs stage par, before index-form.  Each rule leaves less to compute, or fewer operations, so this ends; what nobody
 * uses any more is erased at once, for rules that ask whether a product serves nothing else. */
#include "opt/tensor/rules.h"

enum { MAX_ROUNDS = 16 };

/* in_order: elements are the same sums as before */
typedef struct { OpCode root; Value *(*rule)(Builder *, Op *); bool in_order; } TensorRule;

static const TensorRule rules[] = {
    {OP_SLICE, rule_part, false},
    {OP_EXTRACT, rule_part, false},
    {OP_EXTRACT, rule_one_element, false},
    {OP_TRANSPOSE, rule_transposed_product, true},
    {OP_DOT, rule_transposed_operand, true},
    {OP_DOT, rule_vector_first, false},
    {OP_DOT, rule_scaled_operand, false},
    {OP_REDUCE, rule_sum_of_product, false},
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
    Value *opnds[MAX_RANK + 2], *read = op->nregs ? op_opnd(op->regs[0]->first, 0) : NULL;
    int n = op->nopnds;
    for (int i = 0; i < n; i++) opnds[i] = op_opnd(op, i);
    if (!v->name) v->name = op->res[0].name;
    value_replace_all(&op->res[0], v);
    op_erase(op);
    for (int i = 0; i < n; i++) erase_unused(opnds[i]);
    if (read) erase_unused(read);
}

static bool apply(Op *op, bool in_order) {
    Builder b = builder_before(op);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool fits = rules[i].root == op->code && (rules[i].in_order || !in_order);
        Value *v = fits ? rules[i].rule(&b, op) : NULL;
        if (v) return replace(op, v), true;
    }
    return false;
}

static bool visit(Region *r, bool in_order) {
    bool changed = false;
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (op->code == OP_ISLAND) continue;
        if (apply(op, in_order)) {
            changed = true;
            continue;
        }
        for (int i = 0; i < op->nregs; i++) changed |= visit(op->regs[i], in_order);
    }
    return changed;
}

void pass_tensor(Module *m, const PassOptions *opts) {
    bool in_order = opts->fp != FP_REASSOC && opts->fp != FP_FAST;
    if (in_order && !opts->device) return;
    for (int i = 0; i < m->funcs.len; i++)
        for (int k = 0; k < MAX_ROUNDS && m->funcs.data[i]->body && visit(m->funcs.data[i]->body, in_order); k++) {}
}
