/* Calls that stay calls: of functions that call themselves, and of those with rules of their own.
 *
 * The adjoint of a call is a call of the function that holds the vjp of the body, for these arguments that vary; a call
 * in that body becomes a call of the same.  Where the program says how a function is differentiated, it is a call of
 * that rule.  A rule is linear in its direction, so one serves both ways: what a jvp gives to the adjoints of its
 * directions is a vjp, and the other way round. */
#include "ad/checkpoint.h"

static const char *name_of(Ad *ad, const bool *varies, bool adds, const Func *f) {
    Text t;
    text_init(&t, ad->arena);
    text_printf(&t, "%s.%s.", f->name, adds ? "adjoint" : "vjp");
    for (int i = 0; i < f->body->nargs; i++) text_printf(&t, "%d", varies[i]);
    return intern(ad->module->session, text_str(&t));
}

/* Parameters: those of f, then the adjoint of each float among its results.  Results: the adjoints of what varies.
 * adds: the last parameters are the adjoints so far of what varies, and each comes back with what f adds to
 * it: as if f gave its parameters, too, whose adjoints those are.  So calls make no arrays for adjoints, nor add them
 * up. */
typedef struct {
    const Ad *ad;
    Func *made;
    const bool *varies;
    bool adds;
    Value **opnds;
    const Type **types;
    int nopnds, nres;
} Making;

/* Of a number or array of type t that is an adjoint: rules of the program's own have adjoints like the values. */
static const Type *passed_type(const Making *k, const Type *t) { return k->adds ? adjoint_type(k->ad, t) : t; }

static bool comes_back(const Making *k, int i) {
    return k->adds && k->varies[i];
}

static void add_vjp_operands(Making *k, const Func *f, Builder *b) {
    const Region *params = f->body;
    int seed = params->nargs;
    for (int i = 0; i < params->nargs; i++)
        if (k->varies[i]) k->opnds[k->nopnds++] = k->made->body->args[i];
    for (int i = 0; i < f->nres; i++) k->types[k->nres++] = f->res_types[i];
    for (int i = 0; i < params->nargs; i++)
        if (comes_back(k, i)) k->types[k->nres++] = params->args[i]->type;
    for (int i = 0; i < k->nopnds; i++) k->types[k->nres++] = passed_type(k, k->opnds[i]->type);
    for (int i = 0; i < f->nres; i++) {
        bool varies = dtype_is_float(f->res_types[i]->dtype);
        k->opnds[k->nopnds++] = varies ? k->made->body->args[seed++] : build_zero(b, f->res_types[i]);
    }
    while (seed < k->made->body->nargs) k->opnds[k->nopnds++] = k->made->body->args[seed++];
}

static void make_body(Ad *ad, Making *k, const Func *f) {
    Builder b = builder_at_end(ad->module, k->made->body, f->span);
    int room = 2 * f->body->nargs + f->nres + 1, varying = 0, values = f->nres;
    k->opnds = NEWN(ad->arena, Value *, room);
    k->types = NEWN(ad->arena, const Type *, room);
    add_vjp_operands(k, f, &b);
    Op *vjp = build_op(&b, OP_VJP, k->nopnds, k->opnds, k->nres, k->types, 1);
    Cloner c = {.module = ad->module};
    for (int i = 0; i < f->body->nargs; i++) {
        Value *arg = k->made->body->args[i];
        if (k->varies[i]) arg = region_add_arg(vjp->regs[0], arg->type, arg->name), varying++;
        map_put(ad->arena, &c.values, f->body->args[i], arg);
    }
    Builder in = builder_at_end(ad->module, vjp->regs[0], f->span);
    clone_region_ops(&c, &in, f->body, false);
    const Op *ret = region_term(f->body);
    Value **out = NEWN(ad->arena, Value *, room);
    for (int i = 0; i < f->nres; i++) out[i] = clone_value(&c, op_opnd(ret, i));
    for (int i = 0; i < f->body->nargs; i++)
        if (comes_back(k, i)) out[values++] = clone_value(&c, f->body->args[i]);
    build_yield(&in, values, out);
    k->made->nres = varying;
    k->made->res_types = NEWN(ad->module->arena, const Type *, varying + 1);
    for (int i = 0; i < varying; i++) out[i] = &vjp->res[values + i], k->made->res_types[i] = out[i]->type;
    build_return(&b, varying, out);
}

/* The vjp of f by the arguments that vary */
static const Func *vjp_function(Ad *ad, const bool *varies, bool adds, const Func *f) {
    const char *name = name_of(ad, varies, adds, f);
    Making k = {.ad = ad, .made = module_find(ad->module, name), .varies = varies, .adds = adds};
    if (k.made) return k.made;
    k.made = func_new(ad->module, name, FUNC_FN, f->span); /* differentiated when its turn comes: it is the last one */
    k.made->recursive = f->recursive;
    for (int i = 0; i < f->body->nargs; i++)
        region_add_arg(k.made->body, f->body->args[i]->type, f->body->args[i]->name);
    for (int i = 0; i < f->nres; i++)
        if (dtype_is_float(f->res_types[i]->dtype)) region_add_arg(k.made->body, passed_type(&k, f->res_types[i]), "g");
    for (int i = 0; i < f->body->nargs; i++)
        if (comes_back(&k, i)) region_add_arg(k.made->body, passed_type(&k, f->body->args[i]->type), "sum");
    k.made->adds_adjoints = adds;
    k.made->reverses = f;
    make_body(ad, &k, f);
    return k.made;
}

/* ---- a call that is being made: its operands, and types of its results */

typedef struct { Value **opnds; const Type **types; int n, nres; } Call;

static Call call_begin(Ad *ad, const Op *op) {
    int room = 4 * (op->nopnds + op->nres) + 1;
    return (Call){NEWN(ad->arena, Value *, room), NEWN(ad->arena, const Type *, room), 0, 0};
}

static void add_operand(Call *c, Value *v) { c->opnds[c->n++] = v; }
static void add_type(Call *c, const Type *t) { c->types[c->nres++] = t; }

static Op *call_end(const Call *c, Builder *b, const Func *f) {
    Op *call = build_op(b, OP_CALL, c->n, c->opnds, c->nres, c->types, 0);
    op_set_sym(call, A_FUNC, f->name);
    return call;
}

static bool is_float(const Value *v) { return dtype_is_float(v->type->dtype); }

/* ---- rules of the program's own */

static const Func *rule_of_call(const Ad *ad, const Op *op, bool vjp) {
    if (op->code != OP_CALL && op->code != OP_EXTERN) return NULL;
    const Func *f = module_find(ad->module, op_sym(op, A_FUNC));
    return vjp ? func_vjp(f) : func_jvp(f);
}

bool has_own_rule(const Ad *ad, const Op *op) { return rule_of_call(ad, op, true) || rule_of_call(ad, op, false); }

static bool rule_wants_results(const Ad *ad, const Op *op, bool vjp) {
    const Func *rule = rule_of_call(ad, op, vjp);
    return rule && rule_takes_results(module_find(ad->module, op_sym(op, A_FUNC)), rule);
}

/* The transpose of a rule in its directions, which are its last arguments and like these values.  In *c stand what it
 * takes before them, and behind that what its results get. */
static Op *call_transposed(Ad *ad, Call *c, Builder *b, const Func *rule, int ndirections, Value *const *directions) {
    int first = rule->body->nargs - ndirections;
    bool *varies = NEWN(ad->arena, bool, rule->body->nargs + 1);
    for (int i = 0; i < ndirections; i++) varies[first + i] = true, add_type(c, directions[i]->type);
    Call all = {NEWN(ad->arena, Value *, rule->body->nargs + rule->nres + 1), c->types, 0, c->nres};
    for (int i = 0; i < first; i++) add_operand(&all, c->opnds[i]);
    for (int i = 0; i < ndirections; i++) add_operand(&all, build_zero(b, directions[i]->type));
    for (int i = 0; i < rule->nres; i++) add_operand(&all, c->opnds[first + i]); /* what the rule gives */
    return call_end(&all, b, vjp_function(ad, varies, false, rule));
}

/* The adjoints of the floats among the operands, from those of the results; x, z: operands and results at hand */
static Op *call_adjoint(Ad *ad, Builder *b, const Op *op, Value *const *x, Value *const *z, Value *const *g) {
    const Func *vjp = rule_of_call(ad, op, true), *rule = vjp ? vjp : rule_of_call(ad, op, false);
    Call c = call_begin(ad, op);
    VEC(Value *) floats = {0};
    for (int i = 0; i < op->nopnds; i++) add_operand(&c, x[i]);
    for (int i = 0; z && i < op->nres; i++) add_operand(&c, z[i]);
    for (int i = 0; i < op->nres; i++)
        if (is_float(&op->res[i])) add_operand(&c, g[i]);
    for (int i = 0; i < op->nopnds; i++)
        if (is_float(op_opnd(op, i))) vec_push(ad->arena, &floats, op_opnd(op, i));
    if (!vjp) return call_transposed(ad, &c, b, rule, floats.len, floats.data);
    for (int i = 0; i < floats.len; i++) add_type(&c, floats.data[i]->type);
    return call_end(&c, b, vjp);
}

/* The tangents of the floats among the results, from those of the operands */
Op *call_tangent(Ad *ad, Builder *b, const Op *op, Value *const *d) {
    const Func *jvp = rule_of_call(ad, op, false), *rule = jvp ? jvp : rule_of_call(ad, op, true);
    Call c = call_begin(ad, op);
    VEC(Value *) floats = {0};
    bool results = rule_wants_results(ad, op, !jvp);
    for (int i = 0; i < op->nopnds; i++) add_operand(&c, op_opnd(op, i));
    for (int i = 0; results && i < op->nres; i++) add_operand(&c, (Value *)(uintptr_t)&op->res[i]);
    for (int i = 0; i < op->nopnds; i++)
        if (is_float(op_opnd(op, i))) add_operand(&c, d[i]);
    for (int i = 0; i < op->nres; i++)
        if (is_float(&op->res[i])) vec_push(ad->arena, &floats, (Value *)(uintptr_t)&op->res[i]);
    if (!jvp) return call_transposed(ad, &c, b, rule, floats.len, floats.data);
    for (int i = 0; i < floats.len; i++) add_type(&c, floats.data[i]->type);
    return call_end(&c, b, jvp);
}

static void reverse_by_rule(Scope *s, Op *op) {
    Ad *ad = s->ad;
    bool results = rule_wants_results(ad, op, rule_of_call(ad, op, true) != NULL);
    Value **x = NEWN(ad->arena, Value *, op->nopnds + 1), **z = results ? NEWN(ad->arena, Value *, op->nres + 1) : NULL,
          **g = NEWN(ad->arena, Value *, op->nres + 1);
    for (int i = 0; i < op->nopnds; i++) x[i] = primal_of(s, op_opnd(op, i));
    for (int i = 0; results && i < op->nres; i++) z[i] = primal_of(s, &op->res[i]);
    for (int i = 0; i < op->nres; i++)
        if (is_float(&op->res[i]))
            g[i] = build_cast(&s->b, adjoint_or_zero(s, &op->res[i]), op->res[i].type->dtype);
    Op *call = call_adjoint(ad, &s->b, op, x, z, g);
    for (int i = 0, k = 0; i < op->nopnds; i++)
        if (is_float(op_opnd(op, i))) add_adjoint(s, op_opnd(op, i), &call->res[k++]);
}

/* ---- whether a call may run again */

/* checks: something in it may stop the program */
typedef struct { Ad *ad; Map seen; bool quiet, checks; const Op *extern_call; } Quiet;

/* C of the library that only computes; what varies of its results has a rule, or is refused */
static bool only_computes(const Op *op) {
    return op->code == OP_EXTERN && c_name_computes(op_sym(op, A_FUNC));
}

static void look(void *ctx, Op *op) {
    Quiet *q = ctx;
    if (only_computes(op)) return;
    bool runs = op->code == OP_CALL || (op->code == OP_EXTERN && has_own_rule(q->ad, op));
    if (!runs) {
        q->checks |= op->code == OP_CHECK;
        if (op->code == OP_EXTERN && !q->extern_call) q->extern_call = op;
        q->quiet &= !(op_info(op->code)->traits & TR_EFFECT) || op->code == OP_CHECK || op->code == OP_BIND ||
                    op->code == OP_VJP || op->code == OP_JVP;
        return;
    }
    const Func *f = module_find(q->ad->module, op_sym(op, A_FUNC));
    if (f->kind == FUNC_EXTERN || map_has(&q->seen, f)) return;
    map_put(q->ad->arena, &q->seen, f, (void *)(uintptr_t)f);
    region_walk(f->body, look, q);
}

static Quiet look_into(Ad *ad, Op *op) {
    Quiet q = {.ad = ad, .quiet = true};
    look(&q, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], look, &q);
    return q;
}

bool may_run_again(Ad *ad, Op *op) { return look_into(ad, op).quiet; }

bool may_be_left_out(Ad *ad, Op *op) {
    Quiet q = look_into(ad, op);
    return q.quiet && !q.checks;
}

/* ---- adjoints of calls */

/* What v has so far, which goes into the call and comes back with more; of an array that is given twice, once */
static Value *take_adjoint(Scope *s, Value *v) {
    Value *g = adjoint_or_zero(s, v);
    set_adjoint(s, v, NULL);
    return g;
}

/* Of a loop that became calls (revolve.c) adjoints are added as of the loop: what goes through takes what it has so far
 * behind the last turn, and what the first turn begins with gets the sum of its turns. */
static bool sums_apart(const Op *call, const Func *f) {
    const Func *in = call->parent->func;
    return f->carried && in != f && in->reverses != f;
}

static bool goes_through(const Op *call, const Func *f, int result) {
    return sums_apart(call, f) && result >= f->carried;
}

static void add_seeds(Scope *s, Call *c, Op *op, const Func *f) {
    for (int i = 0; i < op->nres; i++) {
        if (!is_float(&op->res[i])) continue;
        Value *v = goes_through(op, f, i) ? op_opnd(op, REVOLVE_STATES + i) : NULL;
        if (v) add_adjoint(s, &op->res[i], take_adjoint(s, v));
        add_operand(c, adjoint_or_zero(s, &op->res[i]));
    }
}

static void add_call_adjoints(Scope *s, const Op *op, const Func *f, const bool *varies, Op *call, Value **before) {
    bool loop = sums_apart(op, f);
    for (int through = loop; through >= 0; through--)
        for (int i = 0, k = 0; i < op->nopnds; i++) {
            if (!varies[i]) continue;
            Value *g = keep_mask(s->ad, &call->res[k++], before[i]);
            if (!loop || goes_through(op, f, i - REVOLVE_STATES) == through)
                add_adjoint(s, op_opnd(op, i), loop ? mask(s->ad, g) : g);
        }
}

void reverse_call(Scope *s, Op *op) {
    Ad *ad = s->ad;
    if (has_own_rule(ad, op)) return reverse_by_rule(s, op);
    if (op->code == OP_EXTERN) return cannot_call(ad, op);
    Quiet q = look_into(ad, op);
    if (q.extern_call) return cannot_call(ad, q.extern_call);
    if (!q.quiet) return cannot(ad, op, "a call of a function that calls itself and prints");
    const Func *f = module_find(ad->module, op_sym(op, A_FUNC));
    bool *varies = NEWN(ad->arena, bool, op->nopnds + 1);
    Value **before = NEWN(ad->arena, Value *, op->nopnds + 1);
    Call c = call_begin(ad, op);
    for (int i = 0; i < op->nopnds; i++) varies[i] = is_active(ad, op_opnd(op, i));
    for (int i = 0; i < op->nopnds; i++) add_operand(&c, primal_of(s, op_opnd(op, i)));
    add_seeds(s, &c, op, f);
    for (int i = 0; i < op->nopnds; i++) {
        if (!varies[i]) continue;
        add_type(&c, adjoint_type(ad, op_opnd(op, i)->type));
        before[i] = sums_apart(op, f) ? adjoint_zero(ad, &s->b, op_opnd(op, i)) : take_adjoint(s, op_opnd(op, i));
        add_operand(&c, before[i]);
    }
    Op *call = call_end(&c, &s->b, vjp_function(ad, varies, true, f));
    add_call_adjoints(s, op, f, varies, call, before);
}
