/* check-nan: with --check-nan a check stands behind each operation that may make NaN (trait TR_NAN; with
 * --check-nan=inf also TR_INF) of operands that are none; it says what the operation gave, of what, for which element,
 * and whether it belongs to a derivative.
 *
 * Needs stage par, derivatives taken.  Leaves the values as they are.  What earlier passes moved to where it runs
 * without need is checked where it is used: in the region that holds all uses, and where these are arms of `select`,
 * before that, if the arm is chosen.  So what `where` does not choose, and what stands before a loop of no turns, stops
 * nobody. */
#include "ir/index.h"
#include "opt/pass.h"

#include <string.h>

enum { MAX_ARMS = 8, MAX_PATHS = 64, MAX_CHAIN = 16, MAX_ARGS = 24 };

typedef struct { Value *cond; bool holds; } Arm; /* an operand of a select, and when it is the chosen one */
typedef struct {
    bool infinities;
    Op *op;         /* what is checked */
    Value *result;
    Arm arms[MAX_ARMS];
    int narms, npaths;
} Check;

/* ---- what is bad */

static bool is_float(const Value *v) { return v->type->kind != TY_BUF && dtype_is_float(v->type->dtype); }

static Value *combined(Builder *b, OpCode c, Value *x, Value *y) { return x ? build_binary(b, c, x, y) : y; }

/* A scalar is NaN, or with infinities no finite number */
static Value *is_bad(const Check *k, Builder *b, Value *v) {
    Value *finite = k->infinities ? build_unary(b, OP_ISFINITE, v) : NULL;
    return finite ? build_unary(b, OP_NOT, finite) : build_unary(b, OP_ISNAN, v);
}

static Op *begin_reduce(Builder *b, int n, Value *const *extents, const Type *result, Combine kind, Builder *in) {
    Op *r = build_op(b, OP_REDUCE, n, extents, 1, &result, 1);
    op_set_combine(r, kind);
    for (int i = 0; i < n; i++) region_add_arg(r->regs[0], type_i64(b->module), "i");
    *in = builder_at_end(b->module, r->regs[0], b->span);
    return r;
}

static Value *element(Builder *b, Value *v, Value *const *idx) {
    return type_is_tensor(v->type) ? extract_safe(b, v, v->type->rank, idx) : v;
}

/* Some element of v is bad */
static Value *any_bad(const Check *k, Builder *b, Value *v) {
    if (!type_is_tensor(v->type)) return is_bad(k, b, v);
    Builder in;
    Value *extents[MAX_RANK];
    build_dims(b, v->type, extents);
    Op *r = begin_reduce(b, v->type->rank, extents, type_scalar(b->module->session, DT_BOOL), COMBINE_OR, &in);
    Value *bad = is_bad(k, &in, element(&in, v, r->regs[0]->args));
    build_yield(&in, 1, &bad);
    return &r->res[0];
}

/* Some operand is bad as a whole; NULL: there is none that could be */
static Value *operands_bad(const Check *k, Builder *b) {
    Value *bad = NULL;
    for (int i = 0; i < k->op->nopnds; i++)
        if (is_float(op_opnd(k->op, i))) bad = combined(b, OP_OR, bad, any_bad(k, b, op_opnd(k->op, i)));
    return bad;
}

/* Some element of what a sum, a product or a scan goes through is bad */
static Value *elements_bad(const Check *k, Builder *b) {
    const Op *op = k->op;
    const Region *from = op->regs[0];
    Value *extents[MAX_RANK];
    Builder in;
    int n = from->nargs;
    if (op->code == OP_SCAN) build_dims(b, op->res[0].type, extents);
    else
        for (int i = 0; i < n; i++) extents[i] = op_opnd(op, i);
    Op *r = begin_reduce(b, n, extents, type_scalar(b->module->session, DT_BOOL), COMBINE_OR, &in);
    Value **yielded = NEWN(b->module->arena, Value *, op->nres);
    region_inline(&in, from, r->regs[0]->args, yielded);
    Value *bad = is_bad(k, &in, yielded[k->result->index]);
    build_yield(&in, 1, &bad);
    return &r->res[0];
}

/* Of this element (idx NULL: the scalar), or of operands and result where they are scalars: the result is bad, its arms
 * are chosen, and of an elementwise operation no operand is bad */
static Value *made_bad(const Check *k, Builder *b, Value *const *idx) {
    Value *bad = is_bad(k, b, element(b, k->result, idx));
    for (int i = 0; i < k->narms; i++) {
        Value *chosen = element(b, k->arms[i].cond, idx);
        bad = build_binary(b, OP_AND, bad, k->arms[i].holds ? chosen : build_unary(b, OP_NOT, chosen));
    }
    for (int i = 0; i < k->op->nopnds && op_info(k->op->code)->traits & TR_ELEM; i++)
        if (is_float(op_opnd(k->op, i)))
            bad = build_binary(b, OP_AND, bad,
                               build_unary(b, OP_NOT, is_bad(k, b, element(b, op_opnd(k->op, i), idx))));
    return bad;
}

/* ---- the message */

/* Asks whether it is NaN, or whether it is a number: that knows what to do with one */
static bool is_question(const Use *u) {
    OpCode c = u->user->code;
    return c == OP_ISNAN || c == OP_ISFINITE || c == OP_ISINF;
}

typedef struct { Text text; Value *args[MAX_ARGS]; int n; } Message;

static void say(Message *m, Value *v) {
    if (m->n < MAX_ARGS) m->args[m->n++] = v;
    text_printf(&m->text, "{}");
}

/* As programs write it: '/', 'sqrt'; of sums, calls and matrix products their name */
static void say_operation(Message *m, const Op *op) {
    const char *sign = op_info(op->code)->ctemplate;
    bool product = op_combine(op) == COMBINE_MUL;
    if (op->code == OP_REDUCE) text_printf(&m->text, "a %s", product ? "product" : "sum");
    else if (op->code == OP_SCAN) text_printf(&m->text, "a running %s", product ? "product" : "sum");
    else if (op->code == OP_EXTERN) text_printf(&m->text, "the C function '%s'", op_sym(op, A_FUNC));
    else if (op->code == OP_DOT) text_printf(&m->text, "'@'");
    else if (op->code == OP_POW) text_printf(&m->text, "'^'");
    else if (op->code == OP_IDIV) text_printf(&m->text, "'//'");
    else if (op->code == OP_MOD) text_printf(&m->text, "'%%'");
    else if (!strncmp(sign, "$0 ", 3)) text_printf(&m->text, "'%c'", sign[3]);
    else text_printf(&m->text, "'%s'", op_called(op->code));
}

static void say_operands(Message *m, Builder *b, const Op *op, Value *const *idx) {
    bool each = op_info(op->code)->traits & TR_ELEM;
    if (!each) text_printf(&m->text, " of numbers");
    for (int i = 0; i < op->nopnds && each; i++) {
        text_printf(&m->text, "%s", i ? " and " : " of ");
        say(m, element(b, op_opnd(op, i), idx));
    }
}

static void say_element(Message *m, const char *name, int n, Value *const *idx) {
    text_printf(&m->text, ", for element [");
    for (int i = 0; i < n; i++) {
        if (i) text_printf(&m->text, ", ");
        say(m, idx[i]);
    }
    text_printf(&m->text, "]");
    if (name) text_printf(&m->text, " of '%s'", name);
}

/* The only use of v that is no question; NULL: there are more, or none */
static const Use *only_use(const Value *v) {
    const Use *only = NULL;
    for (const Use *u = v->uses; u; u = u->next) {
        if (is_question(u)) continue;
        if (only) return NULL;
        only = u;
    }
    return only;
}

/* The element that a scalar goes into, by elementwise operations that nobody else reads */
static bool say_target(Message *m, const Value *v, const Op *at) {
    const Use *u = only_use(v);
    for (int i = 0; i < MAX_CHAIN && u && op_info(u->user->code)->traits & TR_ELEM; i++)
        u = only_use(&u->user->res[0]);
    if (!u) return false;
    const Op *o = u->user;
    const Op *owner = o->parent->owner;
    Value *idx[MAX_RANK];
    bool stored = (o->code == OP_STORE || o->code == OP_ATOMIC) && u->index == 0;
    bool inserted = o->code == OP_INSERT && u->index == 1;
    bool yielded = o->code == OP_YIELD && owner && owner->code == OP_GENERATE && owner->res[u->index].type->rank;
    const Value *into = stored ? op_opnd(o, 1) : inserted ? op_opnd(o, 0) : yielded ? &owner->res[u->index] : NULL;
    if (!into) return false;
    for (int i = 0; i < into->type->rank; i++) {
        idx[i] = yielded ? owner->regs[0]->args[i] : op_opnd(o, 2 + i);
        if (!value_dominates(idx[i], at)) return false;
    }
    say_element(m, into->name, into->type->rank, idx);
    return true;
}

static bool is_said(const Message *m, const Value *v) {
    for (int i = 0; i < m->n; i++)
        if (m->args[i] == v) return true;
    return false;
}

/* The indices of the loops around that have names and are not told yet, the outermost first */
static void say_indices(Message *m, const Region *r) {
    if (!r->owner) return;
    say_indices(m, r->owner->parent);
    OpCode c = r->owner->code;
    bool each = c == OP_PARALLEL || c == OP_GENERATE || (c == OP_REDUCE && r == r->owner->regs[0]);
    int n = each ? r->nargs : c == OP_FOR ? 1 : 0;
    for (int i = 0; i < n; i++) {
        if (!r->args[i]->name || is_said(m, r->args[i])) continue;
        int len = (int)strcspn(r->args[i]->name, "."); /* v.at: which element v is */
        bool counted = !strcmp(r->args[i]->name + len, ".at");
        text_printf(&m->text, counted ? ", %.*s is element " : ", %.*s = ",
                    counted ? len : (int)strlen(r->args[i]->name), r->args[i]->name);
        say(m, r->args[i]);
    }
}

/* Stops the program where ok does not hold; before `at`; idx NULL: of a scalar */
static void build_check(const Check *k, Builder *b, Value *ok, Value *const *idx, const Op *at) {
    Message m = {.args = {ok}, .n = 1};
    text_init(&m.text, b->module->arena);
    say_operation(&m, k->op);
    text_printf(&m.text, " gives ");
    say(&m, element(b, k->result, idx));
    say_operands(&m, b, k->op, idx);
    if (idx) say_element(&m, k->result->name, k->result->type->rank, idx);
    else say_target(&m, k->result, at);
    say_indices(&m, b->region);
    if (k->op->derived) text_printf(&m.text, ", in the derivative");
    Op *check = build_op(b, OP_CHECK, m.n, m.args, 0, NULL, 0);
    op_set_sym(check, A_CODE, "E0638");
    op_set_sym(check, A_MSG, text_str(&m.text));
}

/* ---- the check of one result, before `at` */

static Builder before_with_span(Op *at, Span span) {
    Builder b = builder_before(at);
    b.span = span;
    return b;
}

/* Where the operands of an operation are not elements, they are looked through only when the result is bad. */
static void check_whole(const Check *k, Builder *b, Value *bad, Value *const *idx) {
    Builder in;
    Op *branch = build_when(b, bad, &in);
    bool sums = k->op->code == OP_REDUCE || k->op->code == OP_SCAN;
    Value *from = sums ? elements_bad(k, &in) : operands_bad(k, &in);
    if (!from) from = build_bool(&in, false);
    build_check(k, &in, from, idx, branch);
}

/* The first bad element in the order of rows */
static void check_tensor(const Check *k, Builder *b) {
    const Type *t = k->result->type, *i64 = type_i64(b->module);
    Builder in, then;
    Value *dims[MAX_RANK], *idx[MAX_RANK], *none = build_int(b, INT64_MAX);
    build_dims(b, t, dims);
    Op *r = begin_reduce(b, t->rank, dims, i64, COMBINE_MIN, &in);
    Value *place = index_flatten(&in, r->regs[0]->args, t->rank, dims);
    Value *first = build_select(&in, made_bad(k, &in, r->regs[0]->args), place, none);
    build_yield(&in, 1, &first);
    build_when(b, build_binary(b, OP_NE, &r->res[0], none), &then);
    index_unflatten(&then, &r->res[0], t->rank, dims, idx);
    if (op_info(k->op->code)->traits & TR_ELEM)
        build_check(k, &then, build_binary(&then, OP_EQ, &r->res[0], none), idx, then.before);
    else check_whole(k, &then, build_binary(&then, OP_NE, &r->res[0], none), idx);
}

static void check_before(const Check *k, Op *at) {
    Builder b = before_with_span(at, k->op->span);
    if (type_is_tensor(k->result->type)) return check_tensor(k, &b);
    Value *bad = made_bad(k, &b, NULL);
    if (op_info(k->op->code)->traits & TR_ELEM) build_check(k, &b, build_unary(&b, OP_NOT, bad), NULL, at);
    else check_whole(k, &b, bad, NULL);
}

/* ---- where */

static bool is_arm(const Use *u) { return u->user->code == OP_SELECT && u->index > 0; }

/* NaN goes through it to the result. */
static bool is_passage(const Use *u) {
    int traits = op_info(u->user->code)->traits;
    return u->user->code != OP_SELECT && traits & TR_ELEM && traits & TR_PURE && !(traits & TR_BOOL) &&
           is_float(&u->user->res[0]);
}

/* All that is made of v is an arm of a select; paths counts ways to these, and bounds the search. */
static bool is_guarded(const Value *v, int *paths, int depth) {
    if (depth > MAX_ARMS) return false;
    for (const Use *u = v->uses; u; u = u->next) {
        if (++*paths > MAX_PATHS) return false;
        if (is_question(u) || is_arm(u)) continue;
        if (!is_passage(u) || !is_guarded(&u->user->res[0], paths, depth + 1)) return false;
    }
    return v->uses != NULL;
}

static bool guarded(const Value *v) {
    int paths = 0;
    return is_guarded(v, &paths, 0);
}

/* v carries the result's NaN: checks before each select of which an arm carries it on. */
static void check_arms(Check *k, Value *v, int depth) {
    VEC(Use *) uses = {0};
    Arena *arena = k->op->parent->func->module->arena;
    for (Use *u = v->uses; u; u = u->next) vec_push(arena, &uses, u);
    for (int i = 0; i < uses.len; i++) {
        Use *u = uses.data[i];
        Op *user = u->user;
        if (is_question(u) || depth > MAX_ARMS) continue;
        if (!is_arm(u)) {
            check_arms(k, &user->res[0], depth + 1);
            continue;
        }
        k->arms[k->narms++] = (Arm){op_opnd(user, 0), u->index == 1};
        if (k->narms < MAX_ARMS && guarded(&user->res[0])) check_arms(k, &user->res[0], depth + 1);
        else if (user->res[0].uses && k->npaths++ < MAX_PATHS) check_before(k, user);
        k->narms--;
    }
}

/* The first operation of r in which v is used; *only: all uses are in it */
static Op *first_user(const Value *v, const Region *r, bool *only) {
    Op *first = NULL;
    *only = true;
    for (const Use *u = v->uses; u; u = u->next) {
        if (is_question(u)) continue;
        Op *o = op_ancestor(u->user, r);
        *only &= !first || o == first;
        if (!first || o->order < first->order) first = o;
    }
    return first;
}

/* Arrays are looked through once in a branch or turn, not for each element of a comprehension or in an island. */
static Region *region_with_uses(const Value *v, const Op *o) {
    bool flow = o->code == OP_IF || o->code == OP_FOR || o->code == OP_WHILE;
    bool scalars = !type_is_tensor(v->type) && op_info(v->def->code)->traits & TR_ELEM;
    if (!scalars && !flow) return NULL;
    for (int i = 0; i < o->nregs; i++) {
        bool all = true;
        for (const Use *u = v->uses; u; u = u->next) all &= is_question(u) || op_ancestor(u->user, o->regs[i]);
        if (all) return o->regs[i];
    }
    return NULL;
}

/* Right behind the operation, or in the branch or loop in which alone it is used */
static Op *place_of(const Check *k) {
    Region *r = k->op->parent;
    bool only;
    Op *at = first_user(k->result, r, &only);
    if (!at) return NULL;
    Region *inner = NULL;
    if (!only || !(inner = region_with_uses(k->result, at))) return k->op->next;
    for (;;) {
        at = first_user(k->result, inner, &only);
        Region *deeper = only ? region_with_uses(k->result, at) : NULL;
        if (!deeper) return at;
        inner = deeper;
    }
}

/* ---- which */

static bool is_watched(const Op *op, bool infinities) {
    int traits = op_info(op->code)->traits;
    if (!(traits & (infinities ? TR_NAN | TR_INF : TR_NAN))) return false;
    Combine kind = op_combine(op);
    return kind == COMBINE_NONE || kind == COMBINE_ADD || kind == COMBINE_MUL;
}

static void visit(Region *r, bool infinities) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        bool watched = is_watched(o, infinities);
        for (int i = 0; i < o->nres && watched; i++) {
            Check k = {.infinities = infinities, .op = o, .result = &o->res[i]};
            if (!is_float(k.result) || !k.result->uses) continue;
            if (guarded(k.result)) {
                check_arms(&k, k.result, 0);
                continue;
            }
            Op *at = place_of(&k);
            if (at) check_before(&k, at);
        }
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], infinities);
    }
}

void pass_check_nan(Module *m, const PassOptions *opts) {
    if (!opts->check_nan || m->derives) return;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(m->funcs.data[i]->body, opts->check_nan == CHECK_INF);
}
