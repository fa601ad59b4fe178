/* The e-graph: union-find over nodes, and a table of operations, which is made anew when classes have become one. */
#include "opt/tensor/egraph.h"
#include "analysis/clock.h"
#include "opt/tensor/shape.h"

#include <string.h>

/* ---- operations */

static bool has_value(const Type *t) { return type_is_tensor(t) || (t->kind == TY_SCALAR && dtype_is_float(t->dtype)); }

bool egraph_takes(const Region *r, const Op *op) {
    if (!region_encloses(op->parent, r) || op->nres != 1 || !has_value(op->res[0].type)) return false;
    if (op->code == OP_REDUCE || op->code == OP_GENERATE) return reduced_by(op) != NULL;
    int values;
    if (shape_carried(op->code, &values)) return tensor_cannot_stop(op);
    return op->code == OP_CONST || is_elementwise(op);
}

bool egraph_is_beyond(const EGraph *g, const Op *op) {
    return op_dominates(op, g->end) && clock_between(op, g->end);
}

int egraph_arity(const Op *op) {
    int n = op->nopnds;
    if (op->nregs) return 1;
    shape_carried(op->code, &n);
    return n < 0 ? op->nopnds : n;
}

Value *egraph_operand(const Op *op, int i) { return op->nregs ? reduced_by(op) : op_opnd(op, i); }

/* ---- classes */

int egraph_find(EGraph *g, int node) {
    ENode *n = g->nodes.data;
    while (n[node].parent != node) node = n[node].parent = n[n[node].parent].parent;
    return node;
}

int egraph_class(EGraph *g, const Value *v) {
    intptr_t at = (intptr_t)map_get(&g->index, v);
    return at ? egraph_find(g, (int)at - 1) : -1;
}

Value *egraph_value(EGraph *g, Value *v) {
    int class = egraph_class(g, v);
    return class < 0 ? v : g->nodes.data[class].v;
}

Op *egraph_member(EGraph *g, const Value *v, int i) {
    for (int node = egraph_class(g, v); node >= 0; node = g->nodes.data[node].next) {
        Op *op = g->nodes.data[node].op;
        if (op && i-- == 0) return op;
    }
    return NULL;
}

bool egraph_unite(EGraph *g, int a, int b) {
    ENode *n = g->nodes.data;
    a = egraph_find(g, a), b = egraph_find(g, b);
    if (a == b) return false;
    int root = a < b ? a : b, other = a < b ? b : a;
    n[other].parent = root;
    n[n[root].last].next = other;
    n[root].last = n[other].last;
    return true;
}

/* ---- equal operations */

static bool same_operands(EGraph *g, const Op *a, const Op *b, bool turned) {
    int n = egraph_arity(a);
    for (int i = 0; i < n; i++)
        if (egraph_class(g, egraph_operand(a, i)) != egraph_class(g, egraph_operand(b, turned ? n - 1 - i : i)))
            return false;
    return true;
}

/* Which zero or NaN comes out of min and max depends on the order. */
static bool commutes(const Op *op) {
    return op_info(op->code)->traits & TR_COMMUTES && op->code != OP_MIN && op->code != OP_MAX && op->nopnds == 2;
}

static bool same_saying(const Op *a, const Op *b) {
    int values;
    if (!shape_carried(a->code, &values)) return op_same_attrs(a, b);
    Shape x = shape_read(a), y = shape_read(b);
    return shape_same(&x, &y);
}

static bool same_op(EGraph *g, const Op *a, const Op *b) {
    if (a->code != b->code || a->res[0].type != b->res[0].type || egraph_arity(a) != egraph_arity(b)) return false;
    if (!same_operands(g, a, b, false) && !(commutes(a) && same_operands(g, a, b, true))) return false;
    return same_saying(a, b);
}

/* The same for operations that same_op calls the same */
static unsigned hash_op(EGraph *g, const Op *op) {
    unsigned h = (unsigned)op->code * 2654435761u ^ (unsigned)((uintptr_t)op->res[0].type >> 4);
    bool any_order = commutes(op);
    for (int i = 0; i < egraph_arity(op); i++) {
        unsigned x = ((unsigned)egraph_class(g, egraph_operand(op, i)) + 1) * 2246822519u;
        x ^= x >> 15;
        h = any_order ? h + x : h * 31 + x;
    }
    return h ^ h >> 13;
}

/* Where op or one like it is in the table, or would be */
static int *entry(EGraph *g, const Op *op) {
    unsigned mask = (unsigned)g->size - 1, at = hash_op(g, op) & mask;
    while (g->table[at] && !same_op(g, g->nodes.data[g->table[at] - 1].op, op)) at = (at + 1) & mask;
    return &g->table[at];
}

static void make_table(EGraph *g) {
    g->size = g->size ? g->size : 64;
    while (g->size < 4 * g->nodes.len) g->size *= 2;
    g->table = NEWN(g->arena, int, g->size);
    memset(g->table, 0, sizeof *g->table * (size_t)g->size);
}

/* Nodes of operations go into an empty table; those that are alike are united. */
static bool fill_table(EGraph *g) {
    bool changed = false;
    make_table(g);
    for (int i = 0; i < g->nodes.len; i++) {
        ENode *n = &g->nodes.data[i];
        int *at = n->op ? entry(g, n->op) : NULL;
        if (at && *at) changed |= egraph_unite(g, *at - 1, i), n->op = NULL;
        else if (at) *at = i + 1;
    }
    return changed;
}

void egraph_close(EGraph *g) {
    while (fill_table(g)) {}
}

int egraph_add(EGraph *g, Value *v) {
    int class = egraph_class(g, v);
    if (class >= 0) return class;
    Op *op = v->def && egraph_takes(g->region, v->def) && !egraph_is_beyond(g, v->def) ? v->def : NULL;
    for (int i = 0; op && i < egraph_arity(op); i++) egraph_add(g, egraph_operand(op, i));
    if (g->size < 2 * g->nodes.len + 2) egraph_close(g);
    int *at = op ? entry(g, op) : NULL, node = at ? *at - 1 : -1;
    if (node < 0) {
        node = g->nodes.len;
        vec_push(g->arena, &g->nodes, ((ENode){v, op, !op || op->parent != g->region, node, -1, node}));
        if (at) *at = node + 1;
    }
    map_put(g->arena, &g->index, v, (void *)(intptr_t)(node + 1));
    return egraph_find(g, node);
}
