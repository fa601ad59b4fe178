/* The rules of elementwise operations (rules/elementwise.def): a small language of the IR's operations. */
#include "ad/ad.h"

#include <math.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const Rule rules[] = {
#define RULE(code, least, most, ...) {code, least, most, {__VA_ARGS__}},
#include "ad/rules/elementwise.def"
#undef RULE
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

DType adjoint_dtype(DType t) { return t == DT_F16 || t == DT_BF16 ? DT_F32 : t; }

const Type *adjoint_type(const Ad *ad, const Type *t) {
    return type_with_dtype(ad->module->session, t, adjoint_dtype(t->dtype));
}

Value *as_adjoint(Builder *b, Value *v) { return build_cast(b, v, adjoint_dtype(v->type->dtype)); }

Value *adjoint_zero(const Ad *ad, Builder *b, const Value *v) { return build_zero(b, adjoint_type(ad, v->type)); }

const Rule *rule_table(int *n) {
    *n = RULE_COUNT;
    return rules;
}

const Rule *rule_find(OpCode c) {
    for (int i = 0; i < RULE_COUNT; i++)
        if (rules[i].code == c) return &rules[i];
    return NULL;
}

/* ---- reading */

static void next_word(const char **at, char *word, size_t room) {
    size_t n = 0;
    while (**at == ' ' || **at == '(' || **at == ')') (*at)++;
    while (**at && !strchr(" ()", **at) && n + 1 < room) word[n++] = *(*at)++;
    word[n] = 0;
}

static void *read_one(const char **at, const RuleReader *r) {
    char word[40];
    OpCode code;
    void *x[3];
    next_word(at, word, sizeof word);
    if (!opcode_find(word, &code)) return r->leaf(r->ctx, word);
    int n = 1;
    for (const char *p = op_info(code)->operands; *p; p++) n += *p == ' ';
    for (int i = 0; i < n; i++) x[i] = read_one(at, r);
    return r->apply(r->ctx, code, n, x);
}

void *rule_read(const char *text, const RuleReader *reader) { return read_one(&text, reader); }

/* Whether the rule of operand k mentions this atom */
static bool mentions(const Rule *rule, int k, char atom) {
    const char *at = rule->adjoint[k];
    char word[40];
    while (at && *at) {
        next_word(&at, word, sizeof word);
        if (word[0] == atom && !word[1]) return true;
    }
    return false;
}

bool rule_reads(const Op *op, int k, int i) {
    const Rule *rule = rule_find(op->code);
    if (op->code == OP_SELECT) return i == 0;
    return rule && mentions(rule, k, i < op->nopnds ? "xyw"[i] : 'z');
}

/* ---- building */

typedef struct { Builder *b; Value *const *x; Value *z, *g; } Built;

static Value *beside_adjoint(const Built *r, Value *v) {
    return dtype_is_float(v->type->dtype) ? build_cast(r->b, v, r->g->type->dtype) : v;
}

static void *build_leaf(void *ctx, const char *atom) {
    Built *r = ctx;
    const Type *t = r->g->type;
    if (!strcmp(atom, "x")) return beside_adjoint(r, r->x[0]);
    if (!strcmp(atom, "y")) return beside_adjoint(r, r->x[1]);
    if (!strcmp(atom, "w")) return beside_adjoint(r, r->x[2]);
    if (!strcmp(atom, "z")) return beside_adjoint(r, r->z);
    if (!strcmp(atom, "g")) return r->g;
    Value *c = build_float(r->b, t->dtype, strtod(atom, NULL));
    return type_is_tensor(t) ? build_fill(r->b, c, t) : c;
}

static void *build_apply(void *ctx, OpCode code, int n, void *const *x) {
    Built *r = ctx;
    Value *opnds[3];
    for (int i = 0; i < n; i++) opnds[i] = x[i];
    const Type *t = opnds[n - 1]->type;
    if (op_info(code)->traits & TR_BOOL) t = type_with_dtype(r->b->module->session, t, DT_BOOL);
    return &build_op(r->b, code, n, opnds, 1, &t, 0)->res[0];
}

Value *rule_adjoint(Builder *b, const Op *op, int k, Value *const *x, Value *z, Value *g) {
    const Rule *rule = rule_find(op->code);
    Built built = {b, x, z, g};
    RuleReader reader = {build_leaf, build_apply, &built};
    return rule && rule->adjoint[k] && strcmp(rule->adjoint[k], "0") ? rule_read(rule->adjoint[k], &reader) : NULL;
}

Op *checked_as(Op *access, const Op *primal) {
    if (!op_flag(primal, A_SAFE)) op_remove_attr(access, A_SAFE);
    return access;
}

/* ---- adjoints that are 0 because something was not chosen: 0 times infinity is NaN, which must not leak from there */

Value *mask(Ad *ad, Value *v) {
    if (v) map_put(ad->arena, &ad->masked, v, v);
    return v;
}

bool is_masked(const Ad *ad, const Value *v) { return v && map_has(&ad->masked, v); }

Value *keep_mask(Ad *ad, Value *v, const Value *from) {
    return is_masked(ad, from) ? mask(ad, v) : v;
}

enum { MOST_PARTS = 1000 }; /* of a condition: what is made of others twice has parts without end */

/* It is decided by floats that vary, not by indices alone; one of too many parts may be. */
static bool varies(const Ad *ad, const Value *cond, int *left) {
    const Op *def = cond->def;
    if (--*left < 0) return true;
    for (int i = 0; def && i < def->nopnds && op_info(def->code)->traits & TR_BOOL; i++)
        if (is_active(ad, op_opnd(def, i))) return true;
    bool joins = def && (def->code == OP_AND || def->code == OP_OR || def->code == OP_NOT);
    for (int i = 0; joins && i < def->nopnds; i++)
        if (varies(ad, op_opnd(def, i), left)) return true;
    return false;
}

typedef struct { const Ad *ad; bool found; } Choice;

/* A choice between floats that vary, or of what is done with such */
static void find_choice(void *ctx, Op *op) {
    Choice *c = ctx;
    bool choice = op->code == OP_SELECT || op->code == OP_IF || op->code == OP_MIN || op->code == OP_MAX;
    for (int i = 0; i < op->nres && choice; i++) c->found |= is_active(c->ad, &op->res[i]);
    int left = MOST_PARTS;
    c->found |= op->code == OP_IF && varies(c->ad, op_opnd(op, 0), &left);
}

bool has_choice(const Ad *ad, const Op *op) {
    Choice c = {.ad = ad};
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_choice, &c);
    return c.found;
}

Value *sum_adjoints(Ad *ad, Builder *b, Value *x, Value *y) {
    if (!x || !y) return x ? x : y;
    Value *sum = build_binary(b, OP_ADD, x, y);
    return map_has(&ad->masked, x) ? keep_mask(ad, sum, x) : keep_mask(ad, sum, y);
}

static bool is_linear(OpCode c) { return c == OP_ADD || c == OP_SUB || c == OP_NEG; }

/* The number that v is, or that all its elements are; NULL: none that is known */
static const Const *constant_of(const Value *v) {
    while (v->def && (v->def->code == OP_FILL || v->def->code == OP_BROADCAST)) v = op_opnd(v->def, 0);
    return value_const(v);
}

/* The rule of operand k asks something: x^c does not for a constant c that is not 0. */
static bool chooses(const Op *op, int k) {
    const Const *exponent = op->code == OP_POW ? constant_of(op_opnd(op, 1)) : NULL;
    return op->code == OP_HYPOT || (op->code == OP_POW && (k || !exponent || exponent->f == 0));
}

static Value *select_adjoint(Ad *ad, Builder *b, int k, Value *c, Value *g) {
    Value *zero = build_zero(b, g->type), *v = k == 1 ? build_select(b, c, g, zero) : build_select(b, c, zero, g);
    return mask(ad, v);
}

/* Products with a finite constant, and quotients by one that is not 0: 0 stays 0. */
static bool keeps_zero(const Op *op, int k) {
    if ((op->code != OP_MUL && op->code != OP_DIV) || (op->code == OP_DIV && k)) return false;
    const Const *c = constant_of(op_opnd(op, !k));
    return c && isfinite(c->f) && (op->code == OP_MUL || c->f != 0);
}

Value *elementwise_adjoint(Ad *ad, Builder *b, const Op *op, int k, Value *const *x, Value *z, Value *g) {
    if (op->code == OP_SELECT) return k ? select_adjoint(ad, b, k, x[0], g) : NULL;
    if (op->code == OP_CAST) return keep_mask(ad, build_cast(b, g, adjoint_dtype(op_opnd(op, 0)->type->dtype)), g);
    Value *v = rule_adjoint(b, op, k, x, z, g);
    if (!v || is_linear(op->code)) return v ? keep_mask(ad, v, g) : NULL;
    if (op->code == OP_MIN || op->code == OP_MAX) return mask(ad, v);
    if (!map_has(&ad->masked, g)) return chooses(op, k) ? mask(ad, v) : v;
    if (keeps_zero(op, k)) return keep_mask(ad, v, g);
    Value *zero = build_zero(b, g->type), *none = build_binary(b, OP_EQ, g, zero);
    if (ad->again) /* where v is a number it may be differentiated again */
        none = build_binary(b, OP_AND, none, build_unary(b, OP_ISNAN, v));
    return keep_mask(ad, build_select(b, none, zero, v), g);
}

bool has_adjoint(OpCode c) { return c == OP_SELECT || c == OP_CAST || rule_find(c); }
