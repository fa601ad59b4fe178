/* saturate: of all that rules make of whole-array operations, the cheapest (equality saturation: Tate et al., Equality
 * saturation: a new approach to optimization, POPL 2009; of tensors Yang et al., TENSAT, MLSys 2021).
 *
 * Needs stage par, before index-form, and --fp=reassoc or fast.  The rules of tensor.rules, those too that tensor does
 * not apply since they leave no less (`equal`), all together make an e-graph of a region grow until nothing is new or
 * it is large; then each value that somebody else needs is computed anew in the cheapest way, if that is cheaper than
 * the way it was written, all such values taken together.  So products of several matrices are taken in the best order,
 * what is common is factored out if that pays, and what two transposes show to be symmetric is not computed twice.
 *
 * What stands between two times (analysis/clock.h) is a graph of its own.
 *
 * Rules build behind the region's operations; what is chosen is built anew where the value stood, and the rest erased.
 * Sizes that are not known are taken for COST_UNKNOWN_TURNS; but what is chosen must cost no more than what was
 * written, either, where one of them is much less or much more: `p @ (q @ x)` of thin p and q makes no large p @ q. */
#include "analysis/clock.h"
#include "analysis/cost.h"
#include "opt/dead.h"
#include "opt/rewrite.h"
#include "opt/tensor/egraph.h"
#include "opt/tensor/shape.h"

#include <math.h>
#include <string.h>

enum {
    MOST_NODES = 800,  /* that rules may make */
    MOST_WRITTEN = 2000,
    MOST_ROUNDS = 6,
    MOST_STEPS = 4,    /* of rules that leave less, in a round */
    MOST_MATCHES = 32, /* of a rule at an operation */
    MOST_NEW = 24,     /* what a rule that leaves no less makes in a round */
    MOST_PASSES = 4,   /* over all classes, while choosing */
    FEWEST = 2,        /* operations on arrays that are worth it */
    LITTLE = COST_UNKNOWN_TURNS / 20,
    MUCH = COST_UNKNOWN_TURNS * 20
};

static const double MOST_COST = 1e300;

typedef struct { int node; double cost; } Choice; /* cost: of its tree */
typedef struct { int a, b; } Equal;
typedef enum { TIME, WORK, MEMORY } Weigh;

typedef struct {
    EGraph *graph;
    Weigh weigh;
    VEC(Equal) equal;    /* found, not yet united */
    bool united;         /* something has been */
    int written;         /* nodes of what was written */
    VEC(int) roots;      /* of those, what others need */
    Choice *choice;      /* by class */
    VEC(const char *) unknown; /* sizes */
    const char *other;   /* of them, one that is not as guessed, */
    int64_t size;        /* but this */
    int *met, counts;    /* by node: the count that met it last; negative while it is counted */
} Saturate;

/* NULL: a leaf, which is there already, or one like it is in the class */
static Op *op_at(const Saturate *s, int node) {
    const ENode *n = &s->graph->nodes.data[node];
    return n->leaf ? NULL : n->op;
}

static bool is_inside(const Region *r, const Op *op) { return op->parent == r && egraph_takes(r, op); }

/* The operation of the region by which v is computed as it was written; NULL: something else */
static Op *written(const Saturate *s, const Value *v) {
    return v->def && is_inside(s->graph->region, v->def) && !egraph_is_beyond(s->graph, v->def) ? v->def : NULL;
}

static int class_of(const Saturate *s, const Op *op, int i) { return egraph_class(s->graph, egraph_operand(op, i)); }

/* ---- growing */

/* What the rule makes of op, a node's: how many operations of that are new.  The node itself may turn out to be like
 * another one meanwhile. */
static int apply_rule(Saturate *s, const Rewrite *rule, int node, Op *op, Builder *b) {
    EGraph *g = s->graph;
    Value *found[MOST_MATCHES];
    int before = g->nodes.len, n = tensor_rewrite_all(&tensor_rules, rule, b, op, g, MOST_MATCHES, found);
    for (int k = 0; k < n; k++) {
        Equal e = {node, egraph_add(g, found[k])};
        vec_push(g->arena, &s->equal, e);
    }
    return g->nodes.len - before;
}

/* All rules, or those that leave no less, at all nodes that there are; left: what each of these may still make */
static void apply_rules(Saturate *s, bool equal, int *left, Builder *b) {
    int n = s->graph->nodes.len;
    s->equal.len = 0;
    for (int node = 0; node < n; node++) {
        Op *op = op_at(s, node);
        for (int i = -1; op && (i = tensor_rule_after(&tensor_rules, op, i)) >= 0;) {
            const Rewrite *rule = &tensor_rules.rules[i];
            if (rule->equal != equal || s->graph->nodes.len >= s->written + MOST_NODES) continue;
            if (!equal) apply_rule(s, rule, node, op, b);
            else if (left[i] > 0) left[i] -= apply_rule(s, rule, node, op, b);
        }
    }
    for (int k = 0; k < s->equal.len; k++) s->united |= egraph_unite(s->graph, s->equal.data[k].a, s->equal.data[k].b);
    egraph_close(s->graph);
}

/* Rules that leave no less are rationed, as by the backoff scheduler of egg, and behind each round of them the others
 * make small what came of it. */
static void grow(Saturate *s) {
    Builder b = builder_before(region_term(s->graph->region));
    int *left = NEWN(s->graph->arena, int, tensor_rules.n);
    s->united = true;
    for (int round = 0; round < MOST_ROUNDS && s->united; round++) {
        s->united = false;
        for (int i = 0; i < tensor_rules.n; i++) left[i] = MOST_NEW;
        apply_rules(s, true, left, &b);
        bool more = s->united;
        for (int step = 0; step < MOST_STEPS && (!step || s->united); step++) {
            s->united = false;
            apply_rules(s, false, left, &b);
            more |= s->united;
        }
        s->united = more;
    }
}

/* ---- what things cost */

static bool guess(void *ctx, const char *name, int64_t *out) {
    const Saturate *s = ctx;
    return *out = name == s->other ? s->size : COST_UNKNOWN_TURNS, true;
}

static double extent(const Saturate *s, const Size *n) {
    int64_t c;
    return size_eval(n, guess, (void *)s, &c) && c > 0 ? (double)c : 1;
}

static double elements(const Saturate *s, const Type *t) {
    double n = 1;
    for (int i = 0; type_is_tensor(t) && i < t->rank; i++) n *= extent(s, t->dims[i]);
    return n;
}

/* How many products are added to an element */
static double depth_of_dot(const Saturate *s, const Op *op) {
    const Type *x = op_opnd(op, 0)->type;
    return extent(s, x->dims[x->rank - (x->rank > 1 && dot_turns(op, 0) ? 2 : 1)]);
}

static double bytes(const Saturate *s, const Op *op) {
    return elements(s, op->res[0].type) * dtype_info(op->res[0].type->dtype)->bytes;
}

/* What operand i is computed by, chosen or as it was written; NULL: something else */
static const Op *operand_op(const Saturate *s, const Op *op, int i, bool chosen) {
    return chosen ? op_at(s, s->choice[class_of(s, op, i)].node) : written(s, egraph_operand(op, i));
}

/* The library reads its operands from memory; a product does eight times the arithmetic of what memory gives. */
static double time_of_dot(const Saturate *s, const Op *op, bool chosen) {
    double n = elements(s, op->res[0].type), memory = n;
    for (int i = 0; i < 2; i++) {
        const Op *by = operand_op(s, op, i, chosen);
        memory += elements(s, op_opnd(op, i)->type) * (by && by->code != OP_DOT && !by->nregs ? 3 : 1);
    }
    return fmax(2 * n * depth_of_dot(s, op) / 8, memory) + 0.01 * memory;
}

/* Elements of 8 bytes that memory gives meanwhile, roughly.  What is computed element by element goes into the loop
 * that reads it. */
static double time_of(const Saturate *s, const Op *op, bool chosen) {
    double n = elements(s, op->res[0].type);
    switch (op->code) {
    case OP_CONST: return 0;
    case OP_DOT: return time_of_dot(s, op, chosen);
    case OP_REDUCE: case OP_GENERATE: return elements(s, egraph_operand(op, 0)->type) * 0.5 + n;
    case OP_TRANSPOSE: case OP_CONCAT: case OP_UPDATE: return n;
    case OP_FILL: case OP_BROADCAST: case OP_RESHAPE: case OP_RETYPE: case OP_SLICE: case OP_PAD: return n * 0.1;
    default: return n * (0.1 + 0.1 * op_info(op->code)->cost);
    }
}

static double work_of(const Saturate *s, const Op *op) {
    double n = elements(s, op->res[0].type);
    if (op->code == OP_DOT) return 2 * n * depth_of_dot(s, op);
    if (op->nregs) return elements(s, egraph_operand(op, 0)->type);
    return is_elementwise(op) ? n : 0;
}

static double cost_of(const Saturate *s, const Op *op, bool chosen) {
    double time = time_of(s, op, chosen), few = 1e-6 * time; /* of equals the quicker one */
    if (s->weigh == TIME) return time;
    if (s->weigh == WORK) return work_of(s, op) + few;
    return (op->code == OP_CONST || op->code == OP_FILL ? 0 : bytes(s, op)) + few;
}

/* ---- choosing: a cheap operation for each class, such that all that others need is cheap together, where what several
 * need is counted once.  That is hard (it is NP-complete); so it begins with the cheapest trees, and with what was
 * written, and goes on by what makes it cheaper, class by class. */

static double cost_with_operands(const Saturate *s, const Op *op) {
    double cost = 0;
    for (int i = 0; i < egraph_arity(op); i++) cost += s->choice[class_of(s, op, i)].cost;
    return isinf(cost) ? cost : fmin(cost + cost_of(s, op, true), MOST_COST); /* a tree counts what is shared again */
}

/* Each class gets the operation whose tree is cheapest, which costs more than what it is computed of. */
static void choose_trees(Saturate *s) {
    int n = s->graph->nodes.len;
    for (int i = 0; i < n; i++) s->choice[i] = (Choice){-1, INFINITY};
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n; i++) {
            const ENode *node = &s->graph->nodes.data[i];
            Choice *c = &s->choice[egraph_find(s->graph, i)];
            double cost = node->leaf ? 0 : node->op ? cost_with_operands(s, node->op) : INFINITY;
            if (!(cost < c->cost * (1 - 1e-12))) continue;
            *c = (Choice){i, cost};
            changed = true;
        }
    }
}

/* Of the operations that class needs, each once; infinite: it would need itself */
static double count(Saturate *s, int class) {
    int *met = &s->met[class];
    const Op *op = op_at(s, s->choice[class].node);
    if (*met == s->counts || !op) return 0;
    if (*met == -s->counts) return INFINITY;
    *met = -s->counts;
    double cost = cost_of(s, op, true);
    for (int i = 0; i < egraph_arity(op); i++) cost += count(s, class_of(s, op, i));
    *met = s->counts;
    return cost;
}

static double count_all(Saturate *s) {
    double cost = 0;
    s->counts++;
    for (int i = 0; i < s->roots.len; i++) cost += count(s, egraph_find(s->graph, s->roots.data[i]));
    return cost;
}

static double count_written(Saturate *s, const Value *v) {
    int *met = &s->met[(intptr_t)map_get(&s->graph->index, v) - 1];
    const Op *op = written(s, v);
    if (*met == s->counts || !op) return 0;
    *met = s->counts;
    double cost = cost_of(s, op, false);
    for (int i = 0; i < egraph_arity(op); i++) cost += count_written(s, egraph_operand(op, i));
    return cost;
}

/* Another operation of the class that makes all of it cheaper */
static bool improve_class(Saturate *s, int class, double *cost) {
    bool improved = false;
    for (int i = class; i >= 0; i = s->graph->nodes.data[i].next) {
        int before = s->choice[class].node;
        if (!op_at(s, i) || i == before) continue;
        s->choice[class].node = i;
        double now = count_all(s);
        if (now < *cost * (1 - 1e-9)) *cost = now, improved = true;
        else s->choice[class].node = before;
    }
    return improved;
}

static double improve(Saturate *s) {
    double cost = count_all(s);
    bool *in_use = NEWN(s->graph->arena, bool, s->graph->nodes.len);
    for (int pass = 0, more = 1; pass < MOST_PASSES && more; pass++) {
        more = 0;
        count_all(s);
        for (int i = 0; i < s->graph->nodes.len; i++) in_use[i] = s->met[i] == s->counts;
        for (int i = 0; i < s->graph->nodes.len; i++)
            if (in_use[i]) more |= improve_class(s, i, &cost);
    }
    return cost;
}

/* What was written, where a class has something of it that does not need itself */
static void choose_written(Saturate *s) {
    for (int i = s->written; i-- > 0;) {
        int class = egraph_find(s->graph, i), before = s->choice[class].node;
        if (!op_at(s, i)) continue;
        s->choice[class].node = i;
        if (isinf(count_all(s))) s->choice[class].node = before;
    }
}

static double count_all_written(Saturate *s) {
    double cost = 0;
    s->counts++;
    for (int i = 0; i < s->roots.len; i++) cost += count_written(s, s->graph->nodes.data[s->roots.data[i]].v);
    return cost;
}

static void note_size(void *ctx, const char *name) {
    Saturate *s = ctx;
    for (int i = 0; i < s->unknown.len; i++)
        if (s->unknown.data[i] == name) return;
    vec_push(s->graph->arena, &s->unknown, name);
}

static void find_unknown(Saturate *s) {
    for (int i = 0; i < s->written; i++) {
        const Type *t = s->graph->nodes.data[i].v->type;
        for (int k = 0; type_is_tensor(t) && k < t->rank; k++) size_each_sym(t->dims[k], note_size, s);
    }
}

/* Whatever one of the unknown sizes is */
static bool never_costs_more(Saturate *s) {
    bool never = true;
    find_unknown(s);
    for (int i = 0; i < 2 * s->unknown.len && never; i++) {
        s->other = s->unknown.data[i / 2], s->size = i % 2 ? MUCH : LITTLE;
        never = count_all(s) <= count_all_written(s) * (1 + 1e-9);
    }
    s->other = NULL;
    return never;
}

/* False: nothing is cheaper than what was written. */
static bool choose(Saturate *s) {
    int n = s->graph->nodes.len;
    s->choice = NEWN(s->graph->arena, Choice, n);
    s->met = NEWN(s->graph->arena, int, n);
    memset(s->met, 0, sizeof *s->met * (size_t)n);
    double old = count_all_written(s);
    choose_trees(s);
    double trees = improve(s);
    Choice *best = NEWN(s->graph->arena, Choice, n);
    memcpy(best, s->choice, sizeof *best * (size_t)n);
    choose_written(s);
    if (improve(s) >= trees) memcpy(s->choice, best, sizeof *best * (size_t)n);
    return count_all(s) < old * (1 - 1e-9) && never_costs_more(s);
}

/* ---- building what was chosen */

typedef struct { Saturate *s; Builder b; Op *at; Map made; bool failed; } Emit;

static Value *emit_class(Emit *e, int class);

/* Numbers that rules made for shapes */
static Value *emit_number(Emit *e, Value *v) {
    if (!v->def || value_dominates(v, e->at)) return v;
    Value *known = map_get(&e->made, v);
    Op *op = v->def;
    if (known && value_dominates(known, e->at)) return known;
    if (op->nres != 1 || op->nregs || !op_is_pure(op)) return e->failed = true, v;
    Cloner c = {.module = e->b.module};
    for (int i = 0; i < op->nopnds; i++)
        map_put(e->s->graph->arena, &c.values, op_opnd(op, i), emit_number(e, op_opnd(op, i)));
    Value *made = &clone_op(&c, &e->b, op)->res[0];
    map_put(e->s->graph->arena, &e->made, v, made);
    return made;
}

typedef struct { Emit *emit; Cloner *cloner; const Op *op; } Numbers;

/* What op uses beside arrays: where parts begin, how far reductions go */
static void emit_numbers(void *ctx, Op *user) {
    const Numbers *n = ctx;
    for (int i = 0; i < user->nopnds; i++) {
        Value *v = op_opnd(user, i);
        if (op_encloses(n->op, v) || map_get(&n->cloner->values, v)) continue;
        map_put(n->emit->s->graph->arena, &n->cloner->values, v, emit_number(n->emit, v));
    }
}

static Value *emit_op(Emit *e, Op *op) {
    Cloner c = {.module = e->b.module};
    Numbers numbers = {e, &c, op};
    bool same = value_dominates(&op->res[0], e->at);
    for (int i = 0; i < egraph_arity(op); i++) {
        Value *x = egraph_operand(op, i), *made = emit_class(e, egraph_class(e->s->graph, x));
        same &= x == made;
        map_put(e->s->graph->arena, &c.values, x, made);
    }
    emit_numbers(&numbers, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], emit_numbers, &numbers);
    if (same || e->failed) return &op->res[0];
    return &clone_op(&c, &e->b, op)->res[0];
}

static Value *emit_class(Emit *e, int class) {
    const ENode *key = &e->s->graph->nodes.data[class];
    Value *known = map_get(&e->made, key);
    if (known && value_dominates(known, e->at)) return known;
    const ENode *node = &e->s->graph->nodes.data[e->s->choice[class].node];
    Value *v = node->v;
    Op *op = node->leaf ? NULL : node->op;
    if (op) v = emit_op(e, op);
    else if (!value_dominates(v, e->at)) e->failed = true;
    map_put(e->s->graph->arena, &e->made, key, v);
    return v;
}

/* Uses of the root's value get the new one, which is in the same class. */
static void renew(Emit *e, int root) {
    Saturate *s = e->s;
    Value *old = s->graph->nodes.data[root].v;
    e->at = old->def;
    e->b = builder_before(e->at);
    e->failed = false;
    Value *v = emit_class(e, egraph_find(s->graph, root));
    if (e->failed || v == old) return;
    if (!v->name) v->name = old->name;
    map_put(s->graph->arena, &s->graph->index, v, (void *)(intptr_t)(root + 1));
    value_replace_all(old, v);
}

static void build_chosen(Saturate *s) {
    Emit e = {.s = s};
    for (int i = 0; i < s->roots.len; i++) renew(&e, s->roots.data[i]);
}

/* ---- a region */

static bool needed_by_others(const Region *r, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next) {
        const Op *at = op_ancestor(u->user, r);
        bool reads_whole = at && at->nregs && is_inside(r, at) && reduced_by(at) == v;
        if (!at || !is_inside(r, at) || (at->nregs && !reads_whole) || clock_between(v->def, at)) return true;
    }
    return false;
}

static int take_written(Saturate *s, Region *r, Op *from) {
    int arrays = 0;
    for (Op *op = from; op != s->graph->end; op = op->next) {
        if (!is_inside(r, op) || op->code == OP_CONST) continue;
        int node = egraph_add(s->graph, &op->res[0]);
        arrays += type_is_tensor(op->res[0].type);
        if (needed_by_others(r, &op->res[0])) vec_push(s->graph->arena, &s->roots, node);
    }
    s->written = s->graph->nodes.len;
    return arrays;
}

static void saturate_stretch(Region *r, Op *from, const Op *to, const PassOptions *opts) {
    EGraph graph = {.arena = arena_new(), .region = r, .end = to};
    const char *weigh = choice_word(opts, CH_WEIGH);
    Saturate s = {.graph = &graph};
    s.weigh = !strcmp(weigh, "work") ? WORK : !strcmp(weigh, "memory") ? MEMORY : TIME;
    if (take_written(&s, r, from) >= FEWEST && s.written <= MOST_WRITTEN && s.roots.len) {
        grow(&s);
        if (choose(&s)) build_chosen(&s);
    }
    arena_free(graph.arena);
}

/* From the last stretch between two times to the first: rules build behind all of them. */
static void saturate_region(Region *r, const PassOptions *opts) {
    for (Op *to = region_term(r), *from, *clock; to; to = clock) {
        for (from = to; from->prev && !clock_is_read(from->prev);) from = from->prev;
        clock = from->prev;
        saturate_stretch(r, from, to, opts);
    }
    dead_in_region(r); /* what rules built and nobody took, and what was written and nobody needs any more */
}

static void visit(Region *r, const PassOptions *opts) {
    for (Op *op = r->first; op; op = op->next)
        for (int i = 0; op->code != OP_ISLAND && op->code != OP_GENERATE && op->code != OP_REDUCE && i < op->nregs; i++)
            visit(op->regs[i], opts);
    if (region_term(r)) saturate_region(r, opts);
}

void pass_saturate(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body, opts);
}
