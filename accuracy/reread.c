/* What is offered is read again: the expressions of two texts are one real number, or one of them is wrong.  Names and
 * what else is no arithmetic get numbers by what they say and where their variables are declared; names of `let` are
 * what stands there.  Each trial costs a walk over both expressions; nothing of the IR is asked, nor of a run. */
#include "accuracy/accuracy.h"
#include "accuracy/written.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 400, ENOUGH = 12, DEEPEST = 40, LANES = 3 };

/* Behind `from` places are moved by so many characters. */
typedef struct {
    const Writing *w;
    int from, moved;
    uint64_t trial;
    int depth, lane;   /* lane: which element of arrays */
    const GenVec *gens; /* whose indices say which element; or NULL */
} Reader;

static Real read_expr(const Reader *r, Expr *e);

static const Real unknown = {0, INFINITY};
static Real number(double v) { return (Real){(Wide)v, 0}; }

/* ---- what is no arithmetic: a number by what it says */

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

typedef struct { const Reader *r; uint64_t hash; } Hash;

static bool is_index(const Reader *r, const Var *v) {
    for (int i = 0; r->gens && i < r->gens->len; i++)
        if (r->gens->data[i].var == v) return true;
    return false;
}

static void mix_name(void *ctx, Expr *e) {
    Hash *h = ctx;
    if (e->kind != EX_NAME || !e->var) return;
    if (is_index(h->r, e->var)) {
        h->hash = mix(h->hash, (uint64_t)h->r->lane);
        return;
    }
    int at = e->var->span.lo;
    h->hash = mix(h->hash, (uint64_t)(uint32_t)(at >= h->r->from ? at - h->r->moved : at) + 1);
}

/* From 1e-3 to 1e3, in every second trial above 0 */
static double any_number(uint64_t h, uint64_t trial) {
    double sign = trial % 2 && h & 1 ? -1 : 1, part = (double)(h >> 8 & 0xffff) / 0x10000;
    return sign * pow(10, (double)(int)(h >> 32 & 3) - 2 + part);
}

static Real read_leaf(const Reader *r, Expr *e) {
    const char *text = written_source(r->w, e).text;
    Hash h = {r, mix(1, r->trial)};
    if (!text) return unknown;
    for (const char *c = text; *c; c++)
        if (*c != ' ') h.hash = mix(h.hash, (unsigned char)*c);
    written_names(e, mix_name, &h);
    if (e->type && e->type->kind == FT_ARRAY) h.hash = mix(h.hash, (uint64_t)r->lane);
    return number(any_number(mix(h.hash, 7), r->trial));
}

/* ---- arithmetic */

static Real read_power(const Reader *r, Expr *e) {
    Real x = read_expr(r, e->a), n = read_expr(r, e->b), p = number(1);
    int times = (int)n.v;
    if (n.e != 0 || n.v != (Wide)times || times < 1 || times > 8) return real_apply(OP_POW, (Real[]){x, n});
    for (int i = 0; i < times; i++) p = real_apply(OP_MUL, (Real[]){p, x});
    return p;
}

static Real read_operation(const Reader *r, Expr *e, OpCode op) {
    Expr *const sides[] = {e->a, e->b};
    Real x[3];
    int n = e->kind == EX_CALL ? e->args.len : e->b ? 2 : 1;
    if (op == OP_POW && e->kind != EX_CALL) return read_power(r, e);
    for (int i = 0; i < n && i < 3; i++) x[i] = read_expr(r, e->kind == EX_CALL ? e->args.data[i] : sides[i]);
    return n > 3 ? unknown : real_apply(op, x);
}

/* sum(..), max(..) of one array or generator: COMBINE_NONE if it is something else */
static Combine reduction_of(const Expr *e) {
    bool call = e->kind == EX_CALL && e->call == CALL_BUILTIN && e->callee && e->callee->name && e->args.len == 1;
    for (int k = 0; call && k < COMBINE_COUNT; k++)
        if (reduction_name((Combine)k) && !strcmp(reduction_name((Combine)k), e->callee->name)) return (Combine)k;
    return COMBINE_NONE;
}

/* Of arrays of a few elements */
static Real read_reduction(const Reader *r, Expr *e) {
    Reader in = *r;
    Expr *arg = e->args.data[0];
    Real x[2];
    in.gens = arg->kind == EX_GEN ? &arg->gens : NULL;
    for (in.lane = 0; in.lane < LANES; in.lane++) {
        x[in.lane > 0] = read_expr(&in, arg->kind == EX_GEN ? arg->a : arg);
        if (in.lane) x[0] = real_apply(combine_info(reduction_of(e))->op, x);
    }
    return x[0];
}

static Expr *value_of_block(const Block *b) {
    const Stmt *st = b && b->stmts.len == 1 ? b->stmts.data[0] : NULL;
    return st && st->kind == ST_EXPR ? st->a : NULL;
}

static bool is_where(const Expr *e) {
    bool call = e->kind == EX_CALL && e->call == CALL_BUILTIN && e->callee && e->callee->name && e->args.len == 3;
    return call && !strcmp(e->callee->name, "where");
}

/* The form of two parts, told apart by what is less; other conditions are not looked into. */
static Real read_choice(const Reader *r, Expr *e) {
    bool call = e->kind == EX_CALL;
    Expr *c = call ? e->args.data[0] : e->a, *a = call ? e->args.data[1] : value_of_block(e->then_block);
    Expr *b = call ? e->args.data[2] : value_of_block(e->else_block);
    if (!a || !b || c->kind != EX_BINARY || c->op != OPR_LT) return read_leaf(r, e);
    return read_expr(r, read_expr(r, c->a).v < read_expr(r, c->b).v ? a : b);
}

static Real read_expr(const Reader *above, Expr *e) {
    Reader deeper = *above;
    const Reader *r = &deeper;
    Expr *let = NULL;
    deeper.depth++;
    e = written_bare(e);
    if (!e || r->depth > DEEPEST) return unknown;
    if (e->kind == EX_FLOAT || (e->kind == EX_INT && dtype_is_float(e->lit.dtype))) return number(e->lit.f);
    if (e->kind == EX_INT) return number((double)e->lit.i);
    if (e->kind == EX_NAME && e->is_const) return number(dtype_is_float(e->lit.dtype) ? e->lit.f : (double)e->lit.i);
    if (e->kind == EX_NAME && (let = written_let(r->w, e))) return read_expr(r, let);
    if (e->kind == EX_CALL && e->call == CALL_CAST) return read_expr(r, e->args.data[0]);
    if (reduction_of(e) != COMBINE_NONE) return read_reduction(r, e);
    if (e->kind == EX_IF || is_where(e)) return read_choice(r, e);
    bool operation = e->kind == EX_BINARY || e->kind == EX_UNARY || (e->kind == EX_CALL && e->call == CALL_BUILTIN);
    OpCode op = operation ? written_operator(e) : OP_COUNT;
    return op != OP_COUNT && real_knows(op) ? read_operation(r, e, op) : read_leaf(r, e);
}

/* ---- both */

/* 1: they are one number; 0: nobody knows; -1: they are not */
static int compare(Real a, Real b, double tolerance) {
    if (!isfinite((double)a.v) || !isfinite((double)b.v)) return 0;
    if (!real_is_known(DT_F32, a) || !real_is_known(DT_F32, b)) return 0;
    double apart = fabs((double)(a.v - b.v)), most = fmax(fabs((double)a.v), fabs((double)b.v));
    return apart <= 4 * (double)(a.e + b.e) + tolerance * most ? 1 : -1;
}

bool reads_alike(const Writing *a, Span x, const Writing *b, Span y, double tolerance) {
    const Written *old = written_at(a, x), *new = written_at(b, y);
    Reader one = {.w = a, .from = x.hi}, other = {.w = b, .from = y.hi, .moved = (y.hi - y.lo) - (x.hi - x.lo)};
    int same = 0;
    if (!old || !new) return false;
    for (int i = 0; i < TRIALS && same < ENOUGH; i++) {
        one.trial = other.trial = (uint64_t)i;
        int k = compare(read_expr(&one, old->e), read_expr(&other, new->e), tolerance);
        if (k < 0) return false;
        same += k;
    }
    return same > 0;
}
