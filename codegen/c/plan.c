/* What is decided about a function before its first line is written.
 *
 * Dead operations are left out.  An operation with one use and no name of its own becomes part of the
 * expression that uses it, if nothing between the two changes what it reads: stores for loads, consumed
 * tensors for elements of tensors, early overwritten variables for carried values.  It does not move into
 * loops.  A value handed on for the last time (as an init, to an island that updates it, through an if that
 * may change it) passes on its C variable: loop-carried accumulators become one variable. */
#include "codegen/c/private.h"
#include "runtime/dsl.h"

#include <string.h>

OpPlan *plan_of(const Emit *e, const Op *op) { return &e->plan.ops[op->mark]; }

/* ---- numbering */

typedef struct { VEC(Op *) ops; int values; } Census;

static void count_region(Emit *e, Census *c, Region *r) {
    for (int i = 0; i < r->nargs; i++) r->args[i]->id = c->values++;
    for (Op *op = r->first; op; op = op->next) {
        op->mark = c->ops.len;
        vec_push(e->arena, &c->ops, op);
        for (int i = 0; i < op->nres; i++) op->res[i].id = c->values++;
        for (int i = 0; i < op->nregs; i++) count_region(e, c, op->regs[i]);
    }
}

/* ---- what is dead */

static int live_uses(const Emit *e, const Value *v) {
    int n = 0;
    for (const Use *u = v->uses; u; u = u->next) n += !plan_of(e, u->user)->dead;
    return n;
}

static bool is_dead(const Emit *e, const Op *op) {
    if (!op_is_removable(op)) return false;
    for (int i = 0; i < op->nres; i++)
        if (live_uses(e, &op->res[i])) return false;
    return true;
}

/* ---- who passes on its variable */

static bool is_carried_arg(const Value *v) {
    const Region *r = v->region;
    if (!r || !r->owner) return false;
    return (r->owner->code == OP_FOR && v->index > 0) || r->owner->code == OP_WHILE;
}

static bool is_loop_result(const Value *v) { return v->def && (v->def->code == OP_FOR || v->def->code == OP_WHILE); }

/* Its C variable changes while the value is alive in the IR, or is not const. */
static bool may_change(const Value *v) { return is_carried_arg(v) || is_loop_result(v) || (v->def && v->def->code == OP_IF); }

static bool has_own_variable(const Value *v) {
    if (is_carried_arg(v)) return v->region->owner->code == OP_FOR || v->region == v->region->owner->regs[1];
    return is_loop_result(v) || type_is_tensor(v->type);
}

/* The operation of region r that op is, or is inside of; NULL when it is elsewhere. */
static Op *ancestor_in(const Region *r, Op *op) {
    while (op && op->parent != r) op = op->parent->owner;
    return op;
}

/* No operation after `at` uses v; at itself has `allowed` uses of it, and its regions none unless `inside`. */
static bool ends_at(const Emit *e, const Value *v, Op *at, bool inside, int allowed) {
    if (!has_own_variable(v) || value_region(v) != at->parent) return false;
    for (const Use *u = v->uses; u; u = u->next) {
        if (plan_of(e, u->user)->dead) continue;
        Op *a = ancestor_in(at->parent, u->user);
        if (!a || a->order > at->order) return false;
        if (a != at) continue;
        if (u->user != at && !inside) return false;
        if (u->user == at && --allowed < 0) return false;
    }
    return true;
}

static bool already_shared(const OpPlan *p, int n, const Value *v) {
    for (int i = 0; i < n; i++)
        if (p->shares[i] == v) return true;
    return false;
}

static void share_inits(const Emit *e, Op *op, OpPlan *p, int first) {
    for (int i = 0; i < op->nres; i++) {
        Value *v = op_opnd(op, first + i);
        if (ends_at(e, v, op, false, 1)) p->shares[i] = v;
    }
}

/* if c { yield(v') } else { yield(v) } changes v in place */
static void share_choices(const Emit *e, Op *op, OpPlan *p) {
    for (int i = 0; i < op->nres; i++)
        for (int side = 0; side < 2 && !p->shares[i]; side++) {
            Value *v = op_opnd(op->regs[side]->last, i);
            if (ends_at(e, v, op, true, 0) && !already_shared(p, i, v)) p->shares[i] = v;
        }
}

/* Updated tensors stay in the variables they came in. */
static void share_updates(const Emit *e, Op *op, OpPlan *p) {
    const Attr *modes = op_attr(op, A_MODES);
    for (int i = 0, r = 0; i < op->nopnds; i++) {
        if (modes->ints[i] == 0) continue;
        Value *v = op_opnd(op, i);
        if (ends_at(e, v, op, false, 1)) p->shares[r] = v;
        r++;
    }
}

static void plan_shares(Emit *e, Op *op) {
    OpPlan *p = plan_of(e, op);
    if (!op->nres || (op->code != OP_FOR && op->code != OP_WHILE && op->code != OP_IF && op->code != OP_ISLAND)) return;
    p->shares = NEWN(e->arena, Value *, op->nres);
    if (op->code == OP_FOR) share_inits(e, op, p, 3);
    if (op->code == OP_WHILE) share_inits(e, op, p, 0);
    if (op->code == OP_IF) share_choices(e, op, p);
    if (op->code == OP_ISLAND) share_updates(e, op, p);
}

/* ---- what folds */

static bool consumes_tensors(const Op *op) {
    switch (op->code) {
    case OP_RELEASE: case OP_ISLAND: case OP_VIEW: case OP_CALL: case OP_FOR: case OP_WHILE: case OP_IF: case OP_SPAWN: case OP_EXTERN:
        return true;
    default: return false;
    }
}

static void count_hazards(Emit *e, Op *op) {
    OpPlan *p = plan_of(e, op), *before = op->prev ? plan_of(e, op->prev) : NULL;
    bool shares = false;
    for (int i = 0; p->shares && i < op->nres; i++) shares |= p->shares[i] != NULL;
    p->writes = (before ? before->writes : 0) + (op_writes_memory(op) || op->code == OP_CALL);
    p->owns = (before ? before->owns : 0) + consumes_tensors(op);
    p->early = (before ? before->early : 0) + shares;
}

/* A place whose text runs more than once, or stands there twice */
typedef enum { PLACE_ONCE, PLACE_REPEATED, PLACE_TWICE } Place_;

static Place_ place_of_use(const Op *user, int index) {
    bool safe = op_flag(user, A_SAFE);
    switch (user->code) {
    case OP_FOR:
        if (op_flag(user, A_PROGRESS)) return index < 3 ? PLACE_TWICE : PLACE_ONCE;
        return index == 1 || index == 2 ? PLACE_REPEATED : PLACE_ONCE;
    case OP_PARALLEL: return PLACE_REPEATED;
    case OP_LOAD: case OP_EXTRACT: return safe ? PLACE_ONCE : PLACE_TWICE;
    case OP_STORE: case OP_ATOMIC: return safe || index == 0 ? PLACE_ONCE : PLACE_TWICE;
    case OP_IDIV: case OP_MOD: case OP_IPOW: return safe || index == 0 ? PLACE_ONCE : PLACE_TWICE;
    case OP_BIND: return PLACE_TWICE;
    default: return PLACE_ONCE;
    }
}

static bool is_leaf(const Value *v) { return !v->def || !emit_is_expr(v->def->code) || v->def->code == OP_CONST; }

/* i + 1 and the like: no harm in writing it twice */
static bool is_trivial(const Op *op) {
    if (op->code != OP_ADD && op->code != OP_SUB && op->code != OP_MUL) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        if (!is_leaf(v) && !v->name && value_single_use(v) && !emit_is_inline(v->def)) return false;
        if (may_change(v)) return false;
    }
    return true;
}

static bool reads_elements(const Op *op) { return op->code == OP_LOAD || op->code == OP_EXTRACT; }

static bool reads_changing(const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (may_change(op_opnd(op, i))) return true;
    return false;
}

/* Only through regions that run at most once for each run of op's own */
static bool reachable_without_loops(const Op *op, const Op *root) {
    for (const Region *r = root->parent; r != op->parent; r = r->owner->parent)
        if (!r->owner || (r->owner->code != OP_IF && r->owner->code != OP_ISLAND)) return false;
    return true;
}

static bool hazard_between(const Emit *e, Op *op, Op *until) {
    const OpPlan *from = plan_of(e, op), *to = plan_of(e, until->prev);
    if (op->code == OP_LOAD && to->writes != from->writes) return true;
    if (op->code == OP_EXTRACT && to->owns != from->owns) return true;
    return reads_changing(op) && to->early != from->early;
}

static const Use *only_use(const Emit *e, const Value *v) {
    const Use *found = NULL;
    for (const Use *u = v->uses; u; u = u->next) {
        if (plan_of(e, u->user)->dead) continue;
        if (found) return NULL;
        found = u;
    }
    return found;
}

static void plan_fold(Emit *e, Op *op) {
    OpPlan *p = plan_of(e, op);
    p->root = op;
    if (p->dead || !emit_is_expr(op->code) || op->nres != 1 || op->res[0].name) return;
    const Use *u = only_use(e, &op->res[0]);
    if (!u) return;
    OpPlan *user = plan_of(e, u->user);
    Place_ place = place_of_use(u->user, u->index);
    if (place == PLACE_TWICE && !is_trivial(op)) return;
    bool repeat = user->repeat || place == PLACE_REPEATED;
    if (repeat && (!is_trivial(op) || reads_changing(op))) return;
    Op *root = user->fold ? user->root : u->user;
    if (root->parent != op->parent && (reads_elements(op) || !reachable_without_loops(op, root))) return;
    Op *until = ancestor_in(op->parent, root);
    if (!until || hazard_between(e, op, until)) return;
    p->fold = true;
    p->repeat = repeat;
    p->root = root;
}

void plan_function(Emit *e, Func *f) {
    Census c = {0};
    count_region(e, &c, f->body);
    e->plan.ops = NEWN(e->arena, OpPlan, c.ops.len + 1);
    e->nvalues = c.values;
    e->values = NEWN(e->arena, ValueState, c.values + 1);
    for (int i = c.ops.len - 1; i >= 0; i--) plan_of(e, c.ops.data[i])->dead = is_dead(e, c.ops.data[i]);
    for (int i = 0; i < c.ops.len; i++) plan_shares(e, c.ops.data[i]);
    for (int i = 0; i < c.ops.len; i++) count_hazards(e, c.ops.data[i]);
    for (int i = c.ops.len - 1; i >= 0; i--) plan_fold(e, c.ops.data[i]);
}

/* ---- facts about values */

/* No size, and no index that a loop lives to see, gets anywhere near these bounds. */
static const double LARGEST_SIZE = (double)DSL_MAX_EXTENT, LARGEST_INDEX = 1e17;

static double upper_bound(const Emit *e, const Value *v, int fuel);

/* Of a loop's induction variable: below the extent when that has a bound */
static double index_bound(const Emit *e, const Value *iv, int fuel) {
    const Op *loop = iv->region->owner;
    if (!loop || (loop->code != OP_PARALLEL && (loop->code != OP_FOR || iv->index))) return -1;
    double end = upper_bound(e, op_opnd(loop, loop->code == OP_FOR ? 1 : iv->index), fuel - 1);
    if (loop->code == OP_PARALLEL) return end >= 0 ? end : LARGEST_SIZE;
    const Op *step = op_opnd(loop, 2)->def;
    if (!step || step->code != OP_CONST || op_attr(step, A_VALUE)->c.i < 1) return -1;
    if (upper_bound(e, op_opnd(loop, 0), fuel - 1) < 0) return -1;
    return end >= 0 ? end : LARGEST_INDEX;
}

/* An upper bound of v when v >= 0 for sure, else -1 */
static double upper_bound(const Emit *e, const Value *v, int fuel) {
    if (!fuel || v->type->dtype != DT_I64) return -1;
    if (v->region) return index_bound(e, v, fuel);
    const Op *op = v->def;
    double x, y;
    switch (op->code) {
    case OP_CONST: return (double)op_attr(op, A_VALUE)->c.i;
    case OP_SIZE: return size_as_sym(op_attr(op, A_SIZE)->sizes[0]) ? LARGEST_SIZE : -1;
    case OP_ADD: case OP_MUL: case OP_MIN:
        x = upper_bound(e, op_opnd(op, 0), fuel - 1), y = upper_bound(e, op_opnd(op, 1), fuel - 1);
        if (x < 0 || y < 0) return -1;
        x = op->code == OP_ADD ? x + y : op->code == OP_MUL ? x * y : x < y ? x : y;
        return x < 9e18 ? x : -1;
    case OP_MOD: case OP_IDIV:
        x = upper_bound(e, op_opnd(op, 0), fuel - 1), y = upper_bound(e, op_opnd(op, 1), fuel - 1);
        if (y < 0) return -1;
        return op->code == OP_MOD ? y : x;
    default: return -1;
    }
}

bool plan_is_natural(const Emit *e, const Value *v) { return upper_bound(e, v, 8) >= 0; }

bool plan_is_size(const Emit *e, const Value *v) {
    double most = upper_bound(e, v, 8);
    return most >= 0 && most <= LARGEST_SIZE;
}

/* ---- facts about loops */

double plan_trip_count(const Op *loop) {
    const double unknown = 16;
    double n = 1;
    if (loop->code == OP_WHILE) return unknown;
    int first = loop->code == OP_FOR ? 1 : 0, last = loop->code == OP_FOR ? 2 : loop->nopnds;
    for (int i = first; i < last; i++) {
        const Op *def = op_opnd(loop, i)->def;
        n *= def && def->code == OP_CONST ? (double)op_attr(def, A_VALUE)->c.i : unknown;
    }
    return n > 1 ? n : 1;
}

static bool is_loop(const Op *op) { return op->code == OP_FOR || op->code == OP_WHILE || op->code == OP_PARALLEL; }

double plan_cost(const Region *r) {
    double sum = 0;
    for (const Op *op = r->first; op; op = op->next) {
        double inside = 0;
        for (int i = 0; i < op->nregs; i++) inside += plan_cost(op->regs[i]);
        sum += op_info(op->code)->cost + inside * (is_loop(op) ? plan_trip_count(op) : 1);
    }
    return sum;
}

/* The loop of region r that costs most, or NULL */
const Op *plan_heaviest_loop(const Region *r) {
    const Op *best = NULL;
    double most = 0;
    for (const Op *op = r->first; op; op = op->next) {
        if (!is_loop(op)) continue;
        double cost = plan_cost(op->regs[op->nregs - 1]) * plan_trip_count(op);
        if (cost > most) best = op, most = cost;
    }
    return best;
}

/* Straight-line arithmetic, loads and stores, as vector instructions can do it; calls into libm they cannot. */
bool plan_is_simple(const Region *r) {
    for (const Op *op = r->first; op; op = op->next) {
        const OpInfo *info = op_info(op->code);
        bool checked = info->traits & TR_TRAP && !op_flag(op, A_SAFE);
        bool plain = op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_IF || op->code == OP_YIELD || info->traits & TR_ELEM ||
                     op->code == OP_CONST || op->code == OP_SIZE;
        if (!plain || checked || info->traits & TR_CALL) return false;
        for (int i = 0; i < op->nregs; i++)
            if (!plan_is_simple(op->regs[i])) return false;
    }
    return true;
}

typedef struct { const Op *loop; bool found; } OrderSearch;

static bool is_inside(const Op *loop, const Value *v) {
    for (int i = 0; i < loop->nregs; i++)
        if (region_encloses(loop->regs[i], value_region(v))) return true;
    return false;
}

static void find_ordered_atomic(void *ctx, Op *op) {
    OrderSearch *s = ctx;
    if (op->code != OP_ATOMIC || is_inside(s->loop, op_opnd(op, 1))) return;
    DType t = op_opnd(op, 0)->type->dtype;
    const char *kind = op_sym(op, A_KIND);
    s->found |= dtype_info(t)->kind == DK_FLOAT && (!kind || !strcmp(kind, "add") || !strcmp(kind, "mul") || dtype_info(t)->bytes == 2);
}

bool plan_order_matters(const Op *op) {
    OrderSearch s = {op, false};
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_ordered_atomic, &s);
    return s.found;
}

enum { PRIVATE_COPY = 4096 }; /* elements of a buffer that each thread may have a copy of */

typedef struct { const Value *buf; const char *kind; bool other; } Updates;

static void find_updates(void *ctx, Op *op) {
    Updates *u = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        if (op_opnd(op, i) != u->buf) continue;
        const char *kind = op->code == OP_ATOMIC && i == 1 ? op_sym(op, A_KIND) : NULL;
        u->other |= !kind || op->nres || !strcmp(kind, "set") || (u->kind && strcmp(kind, u->kind));
        u->kind = kind;
    }
}

static bool is_small(const Type *t) {
    int64_t all = 1, n;
    for (int i = 0; i < t->rank; i++) {
        if (!size_is_const(t->dims[i], &n) || n < 1 || n > PRIVATE_COPY / all) return false;
        all *= n;
    }
    return t->rank > 0;
}

const char *plan_update_sign(const char *kind) {
    static const struct { const char *kind, *sign; } signs[] = {{"add", "+"}, {"mul", "*"}, {"and", "&"}, {"or", "|"}, {"xor", "^"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!strcmp(signs[i].kind, kind)) return signs[i].sign;
    return NULL;
}

const char *plan_reduction_of(const Op *loop, const Value *buf) {
    const Type *t = buf->type;
    Updates u = {.buf = buf};
    if (buf->def || value_region(buf) != loop->parent || t->kind != TY_BUF || !is_small(t)) return NULL;
    if (dtype_is_float(t->dtype) || t->dtype == DT_BOOL) return NULL;
    for (int i = 0; i < loop->nregs; i++) region_walk(loop->regs[i], find_updates, &u);
    if (u.other || !u.kind) return NULL;
    return plan_update_sign(u.kind) ? plan_update_sign(u.kind) : u.kind;
}
