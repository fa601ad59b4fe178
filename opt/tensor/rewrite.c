/* The engine of opt/rules/tensor.rules: as that of scalar rules (opt/rewrite.c), with shapes, lists of operands, any
 * elementwise operation, and operations that serve nothing else.
 *
 * In an e-graph an operand that should be an operation may be any of its class: all choices are tried, as on an
 * odometer.  What serves others, too, is matched there: whether a rule pays is asked later.
 *
 * Slices, paddings and updates that are matched may stop the program: what they check is checked where they stand. */
#include "analysis/clock.h"
#include "ir/index.h"
#include "opt/tensor/egraph.h"
#include "opt/tensor/shape.h"

#include <string.h>

enum { LIST = 8, MATCHED = 8, PICKS = 8 }; /* operands of a list, operations that carry a shape and are matched */

typedef struct { int n; Value *v[LIST]; } List;

typedef struct {
    const RewriteSet *set;
    const Rewrite *rule;
    Op *root;
    Value *var[REWRITE_VARS];
    const Op *family[REWRITE_VARS]; /* the elementwise operation that stands for it */
    List list[REWRITE_VARS];
    Shape shape[REWRITE_VARS];
    bool has_shape[REWRITE_VARS];
    int item;                       /* of lists, while one is mapped */
    Op *checked[MATCHED];
    int nchecked;
    EGraph *graph; /* NULL: values are what they are computed by */
    int picks, pick[PICKS]; /* of operands that should be operations, in the order in which they are met */
    bool more[PICKS];       /* there are others in the class */
} Match;

static const RewriteNode *node_at(const Match *m, int at) { return &m->set->nodes[at]; }
static int next_of(const Match *m, int at) { return rewrite_next(m->set->nodes, at); }

/* ---- the left side */

static bool matches(Match *m, int at, Value *v, const Op *user);

static bool bind_value(Match *m, int var, Value *v) {
    if (m->graph) v = egraph_value(m->graph, v);
    if (!m->var[var]) m->var[var] = v;
    return m->var[var] == v;
}

static bool bind_family(Match *m, int var, const Op *op) {
    if (!is_elementwise(op)) return false;
    if (!m->family[var]) m->family[var] = op;
    return m->family[var]->code == op->code;
}

static bool bind_shape(Match *m, int var, const Op *op) {
    Shape s = shape_read(op);
    if (m->has_shape[var]) return shape_same(&m->shape[var], &s);
    m->shape[var] = s;
    return m->has_shape[var] = true;
}

static bool bind_list(Match *m, int var, const Op *op, int first, int end) {
    List *l = &m->list[var];
    if (l->n || end - first < 1 || end - first > LIST) return false;
    for (int i = first; i < end; i++)
        l->v[l->n++] = m->graph ? egraph_value(m->graph, op_opnd(op, i)) : op_opnd(op, i);
    return true;
}

static bool keeps_elements(const Op *reshape) {
    Session *s = reshape->parent->func->module->session;
    return type_elements(s, op_opnd(reshape, 0)->type) == type_elements(s, reshape->res[0].type);
}

static bool is_part(const Op *op) { return op->code == OP_SLICE || op->code == OP_PAD || op->code == OP_UPDATE; }

bool tensor_cannot_stop(const Op *op) {
    if (op_flag(op, A_SAFE)) return true;
    return op->code == OP_RESHAPE ? keeps_elements(op) : op->code != OP_RETYPE && !is_part(op);
}

/* What may stop the program is checked where it stands, once the rule applies; of reshape and retype there is no such
 * check. */
static bool may_be_matched(Match *m, Op *op) {
    if (op->nres != 1) return false;
    if (tensor_cannot_stop(op)) return true;
    if (!is_part(op) || m->nchecked == MATCHED) return false;
    m->checked[m->nchecked++] = op;
    return true;
}

static bool operands_match(Match *m, int at, Op *op) {
    const RewriteNode *n = node_at(m, at);
    int values = egraph_arity(op), kid = at + 1, i = 0, any;
    bool carries = shape_carried(op->code, &any);
    if (op->nregs && !reduced_by(op)) return false;
    const Op *user = op->nregs ? reduction_read(op) : op;
    for (int k = 0; k < n->nkids; k++, kid = next_of(m, kid)) {
        const RewriteNode *pattern = node_at(m, kid);
        if (pattern->kind == RW_SHAPE) {
            if (!carries || !bind_shape(m, pattern->var, op)) return false;
        } else if (pattern->kind == RW_LIST) {
            if (!bind_list(m, pattern->var, op, i, values)) return false;
            i = values;
        } else if (i == values || !matches(m, kid, egraph_operand(op, i++), user)) return false;
    }
    return i == values && may_be_matched(m, op);
}

static bool serves_only(const Value *v, const Op *user) {
    if (only_for(v, user)) return true;
    const Op *owner = v->def ? op_ancestor(user, v->def->parent) : NULL;
    return owner && owner != user && value_single_use(v) && reduction_read(owner) == user;
}

static bool fits(Match *m, int at, Op *op) {
    const RewriteNode *n = node_at(m, at);
    if (n->kind == RW_FAMILY) return bind_family(m, n->var, op) && operands_match(m, at, op);
    return n->kind == RW_OP && op->code == n->op && operands_match(m, at, op);
}

/* One of v's class, that whose turn it is */
static Op *picked(Match *m, const Value *v) {
    int k = m->picks;
    if (k == PICKS) return NULL;
    m->picks++;
    m->more[k] = egraph_member(m->graph, v, m->pick[k] + 1) != NULL;
    return egraph_member(m->graph, v, m->pick[k]);
}

static bool matches(Match *m, int at, Value *v, const Op *user) {
    const RewriteNode *n = node_at(m, at);
    if (n->kind == RW_VAR) return bind_value(m, n->var, v);
    if (!m->graph && n->i && !serves_only(v, user)) return false;
    Op *op = m->graph ? picked(m, v) : v->def;
    return op && fits(m, at, op) && (m->graph || !clock_between(op, m->root));
}

/* ---- shapes and conditions */

static Value *bound(const Match *m, int var) { return m->list[var].n ? m->list[var].v[m->item] : m->var[var]; }

static bool make_shape(Match *m, Builder *b, int at, Shape *out);

static bool make_argument(Match *m, Builder *b, int at, Shape *room, ShapeArg *out) {
    const RewriteNode *n = node_at(m, at);
    *out = (ShapeArg){.s = room};
    if (n->kind == RW_VAR) return *out = (ShapeArg){.v = bound(m, n->var)}, true;
    if (n->kind == RW_RESULT) return *out = (ShapeArg){.v = &m->root->res[0]}, true;
    return make_shape(m, b, at, room);
}

static bool call_shape(Match *m, Builder *b, int id, int nargs, const int *args, Shape *out) {
    Shape room[REWRITE_ARGS];
    ShapeArg x[REWRITE_ARGS] = {{0}};
    for (int i = 0; i < nargs; i++)
        if (!make_argument(m, b, args[i], &room[i], &x[i])) return false;
    return shape_make((ShapeId)id, b, x, out);
}

static bool make_shape(Match *m, Builder *b, int at, Shape *out) {
    const RewriteNode *n = node_at(m, at);
    int args[REWRITE_ARGS] = {0};
    if (n->kind == RW_SHAPE) return *out = m->shape[n->var], true;
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = next_of(m, kid)) args[i] = kid;
    return call_shape(m, b, (int)n->i, n->nkids, args, out);
}

static bool guard_holds(Match *m, Builder *b, const RewriteGuard *g) {
    Shape made;
    RewriteArg x[REWRITE_ARGS] = {{0}};
    if ((int)g->id >= PREDICATE_COUNT) return call_shape(m, b, (int)g->id - PREDICATE_COUNT, g->nargs, g->args, &made);
    for (int i = 0; i < g->nargs; i++) {
        const RewriteNode *n = node_at(m, g->args[i]);
        x[i].v = n->kind == RW_RESULT ? &m->root->res[0] : bound(m, n->var);
        x[i].c = value_const(x[i].v);
    }
    return predicate_holds(g->id, x);
}

static const List *list_in(const Match *m, int at) {
    const RewriteNode *n = node_at(m, at);
    if (n->kind == RW_VAR && m->list[n->var].n) return &m->list[n->var];
    const List *found = NULL;
    for (int i = 0, kid = at + 1; i < n->nkids && !found; i++, kid = next_of(m, kid)) found = list_in(m, kid);
    return found;
}

/* All shapes of the right side can be made, and no list is too long. */
static bool can_make(Match *m, Builder *b, int at) {
    const RewriteNode *n = node_at(m, at);
    Shape made;
    if (n->kind == RW_SHAPED) return make_shape(m, b, at, &made);
    int kid = at + 1, values = 0;
    for (int i = 0; i < n->nkids; i++, kid = next_of(m, kid)) {
        RewriteKind k = node_at(m, kid)->kind;
        if (!can_make(m, b, kid)) return false;
        values += k == RW_SHAPE || k == RW_SHAPED ? 0 : k == RW_MAP ? list_in(m, kid + 1)->n : 1;
    }
    return values <= LIST;
}

/* ---- the right side */

typedef struct { Match *m; Builder *b; } Right;

static List build_values(const Right *r, int at);
static Value *build_one(const Right *r, int at) { return build_values(r, at).v[0]; }

static const Type *with_dims(const Right *r, DType t, const Shape *s) {
    return type_tensor(r->b->module->session, t, s->rank, s->dims);
}

static Value *build_like(const Right *r, const Op *family, List x) {
    Session *s = r->b->module->session;
    const Type *t = type_with_dtype(s, x.v[0]->type, family->res[0].type->dtype);
    Op *made = build_op(r->b, family->code, x.n, x.v, 1, &t, 0);
    op_copy_attrs(made, family);
    return &made->res[0];
}

/* A part put into, or around, something */
static Value *build_placed(const Right *r, OpCode c, const List *x, const Shape *s, const Type *t) {
    Value *opnds[MAX_RANK + 2] = {x->v[0], x->v[1]};
    for (int i = 0; i < s->n; i++) opnds[2 + i] = s->start[i];
    Op *made = build_op(r->b, c, 2 + s->n, opnds, 1, &t, 0);
    op_set_ints(made, A_STEPS, s->n, s->ints);
    op_set_flag(made, A_SAFE);
    return &made->res[0];
}

static Value *build_resized(const Right *r, OpCode c, Value *x, const Shape *s) {
    const Type *t = with_dims(r, x->type->dtype, s);
    Op *made = build_op(r->b, c, 1, &x, 1, &t, 0);
    if (c == OP_BROADCAST) op_set_ints(made, A_AXES, s->n, s->ints);
    else op_set_flag(made, A_SAFE);
    return &made->res[0];
}

static Value *build_shaped(const Right *r, OpCode c, const List *x, const Shape *s) {
    switch (c) {
    case OP_FILL: return build_fill(r->b, x->v[0], with_dims(r, x->v[0]->type->dtype, s));
    case OP_BROADCAST: case OP_RESHAPE: return build_resized(r, c, x->v[0], s);
    case OP_TRANSPOSE: return build_transpose(r->b, x->v[0], s->ints);
    case OP_SLICE:
        return slice_safe(r->b, x->v[0], with_dims(r, x->v[0]->type->dtype, s), s->start, s->ints);
    case OP_PAD: return build_placed(r, c, x, s, with_dims(r, x->v[0]->type->dtype, s));
    case OP_UPDATE: return build_placed(r, c, x, s, x->v[0]->type);
    case OP_CONCAT: return x->n == 1 ? x->v[0] : build_concat(r->b, x->n, x->v, (int)s->ints[0]);
    case OP_DOT: return build_dot(r->b, x->v[0], x->v[1], s->ints[0] || s->ints[1] ? s->ints : NULL);
    case OP_REDUCE: case OP_GENERATE: return build_reduction(r->b, x->v[0], s);
    default: bug("rule %s", r->m->rule->name);
    }
}

static void append(List *to, List from) {
    for (int i = 0; i < from.n; i++) {
        if (to->n == LIST) bug("a list is too long");
        to->v[to->n++] = from.v[i];
    }
}

static Value *build_operation(const Right *r, int at) {
    const RewriteNode *n = node_at(r->m, at);
    Shape s = {0};
    List x = {0};
    bool carries = false;
    for (int i = 0, kid = at + 1; i < n->nkids; i++, kid = next_of(r->m, kid)) {
        RewriteKind k = node_at(r->m, kid)->kind;
        if (k != RW_SHAPE && k != RW_SHAPED) append(&x, build_values(r, kid));
        else carries = make_shape(r->m, r->b, kid, &s);
    }
    if (n->kind == RW_FAMILY) return build_like(r, r->m->family[n->var], x);
    if (carries) return build_shaped(r, n->op, &x, &s);
    return x.n == 1 ? build_unary(r->b, n->op, x.v[0]) : build_binary(r->b, n->op, x.v[0], x.v[1]);
}

/* The term for each operand of its list; operands that are one value stay one. */
static List build_map(const Right *r, int term) {
    const List *l = list_in(r->m, term);
    List out = {.n = l->n};
    for (int i = 0; i < l->n; i++) {
        int same = 0;
        while (l->v[same] != l->v[i]) same++;
        r->m->item = i;
        out.v[i] = same < i ? out.v[same] : build_one(r, term);
    }
    r->m->item = 0;
    return out;
}

static List build_values(const Right *r, int at) {
    const RewriteNode *n = node_at(r->m, at);
    if (n->kind == RW_MAP) return build_map(r, at + 1);
    if (n->kind == RW_VAR) return (List){1, {bound(r->m, n->var)}};
    return (List){1, {build_operation(r, at)}};
}

/* ---- */

static void check_where_it_stands(Op *op) {
    Builder b = builder_before(op);
    const Type *whole = op->code == OP_PAD ? op->res[0].type : op_opnd(op, 0)->type;
    const Type *part = op->code == OP_SLICE ? op->res[0].type : op_opnd(op, op->code == OP_UPDATE)->type;
    Shape s = shape_read(op);
    build_slice_check(&b, op, whole, part, s.start, s.ints);
    op_set_flag(op, A_SAFE);
}

/* The rule of m at its root; NULL: it does not fit */
static Value *rewritten(Match *m, Builder *b) {
    const Rewrite *rule = m->rule;
    if (!fits(m, rule->lhs, m->root)) return NULL;
    for (int i = 0; i < rule->nguards; i++)
        if (!guard_holds(m, b, &m->set->guards[rule->guard + i])) return NULL;
    if (!can_make(m, b, rule->rhs)) return NULL;
    for (int i = 0; i < m->nchecked; i++) check_where_it_stands(m->checked[i]);
    return build_one(&(Right){m, b}, rule->rhs);
}

Value *tensor_rewrite_by(const RewriteSet *set, const Rewrite *rule, Builder *b, Op *op) {
    return rewritten(&(Match){.set = set, .rule = rule, .root = op}, b);
}

/* The next choice; false: there is none */
static bool advance(const Match *m, int *pick) {
    int k = m->picks - 1;
    while (k >= 0 && !m->more[k]) k--;
    if (k < 0) return false;
    pick[k]++;
    for (int i = k + 1; i < PICKS; i++) pick[i] = 0;
    return true;
}

int tensor_rewrite_all(const RewriteSet *set, const Rewrite *rule, Builder *b, Op *op, EGraph *graph, int most,
                       Value **out) {
    int pick[PICKS] = {0}, n = 0;
    while (n < most) {
        Match m = {.set = set, .rule = rule, .root = op, .graph = graph};
        memcpy(m.pick, pick, sizeof pick);
        Value *v = rewritten(&m, b);
        if (v) out[n++] = v;
        if (!advance(&m, pick)) break;
    }
    return n;
}

int tensor_rule_after(const RewriteSet *set, const Op *op, int i) {
    int end = set->first[op->code + 1], any = op_info(op->code)->traits & TR_ELEM ? set->first[OP_COUNT] : set->n;
    i = i < 0 ? set->first[op->code] : i + 1;
    if (i >= end && i < any) i = any; /* rules of any elementwise operation come last */
    return i < set->n ? i : -1;
}

Value *tensor_rewrite(const RewriteSet *set, Builder *b, Op *op, RewriteFp fp) {
    Value *v = NULL;
    for (int i = -1; !v && (i = tensor_rule_after(set, op, i)) >= 0;)
        if (set->rules[i].fp <= fp && !set->rules[i].equal) v = tensor_rewrite_by(set, &set->rules[i], b, op);
    return v;
}
