/* Interval arithmetic (Moore, Interval Analysis, 1966) over values, on demand, one place at a time.
 *
 * A value's bounds are those of its operation, cut by every comparison of the value itself that is known to hold at the
 * place: a condition of an `if` or `while` around it, or a check before it.  The other side of such a comparison is
 * known one level less well: at level 0 no comparison is looked at, so that nothing is asked for its own sake. */
#include "analysis/range.h"
#include "runtime/dsl.h"

enum { LEVELS = 3, MAX_DEPTH = 100, MAX_USES = 200, MAX_CHAIN = 12, SMALL_STEP = 1024 };

struct Ranges {
    Session *session;
    Arena *arena;
    const Op *at;  /* the place that memo is about */
    Map memo[LEVELS]; /* Value -> IntRange */
    Arena *scratch;
    int depth, level;
};

static const IntRange ANY = {INT64_MIN, INT64_MAX};

/* ---- intervals */

static bool is_any(IntRange x) { return x.lo == INT64_MIN && x.hi == INT64_MAX; }
static IntRange join(IntRange x, IntRange y) {
    return (IntRange){x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi};
}

/* false: may wrap */
static bool add(IntRange x, IntRange y, IntRange *out) {
    return !__builtin_add_overflow(x.lo, y.lo, &out->lo) && !__builtin_add_overflow(x.hi, y.hi, &out->hi);
}

static bool subtract(IntRange x, IntRange y, IntRange *out) {
    return !__builtin_sub_overflow(x.lo, y.hi, &out->lo) && !__builtin_sub_overflow(x.hi, y.lo, &out->hi);
}

static bool multiply(IntRange x, IntRange y, IntRange *out) {
    int64_t a = 0, b = 0, c = 0, d = 0;
    if (__builtin_mul_overflow(x.lo, y.lo, &a) || __builtin_mul_overflow(x.lo, y.hi, &b) ||
        __builtin_mul_overflow(x.hi, y.lo, &c) || __builtin_mul_overflow(x.hi, y.hi, &d))
        return false;
    *out = join(join((IntRange){a, a}, (IntRange){b, b}), join((IntRange){c, c}, (IntRange){d, d}));
    return true;
}

static bool magnitude(IntRange x, IntRange *out) {
    if (x.lo == INT64_MIN) return false;
    *out = (IntRange){0, -x.lo > x.hi ? -x.lo : x.hi};
    return true;
}

static bool shift_left(IntRange x, IntRange y, IntRange *out) {
    if (y.lo < 0 || y.hi > 62) return false;
    return multiply(x, (IntRange){(int64_t)1 << y.lo, (int64_t)1 << y.hi}, out);
}


static bool divide(IntRange x, IntRange y, IntRange *out) {
    if (x.lo == INT64_MIN && y.lo < 0) return false;
    if (y.lo > 0) {
        *out = (IntRange){int_floor_div(x.lo, x.lo < 0 ? y.lo : y.hi), int_floor_div(x.hi, x.hi < 0 ? y.hi : y.lo)};
        return true;
    }
    int64_t most = -x.lo > x.hi && x.lo < 0 ? -x.lo : x.hi; /* a floor quotient is no greater than the dividend */
    *out = x.lo == INT64_MIN ? ANY : (IntRange){-most, most};
    return true;
}

/* The sign of the divisor */
static IntRange modulo(IntRange x, IntRange y) {
    if (x.lo >= 0 && y.lo > 0) return (IntRange){0, x.hi < y.hi ? x.hi : y.hi - 1};
    return (IntRange){y.lo < 0 && y.lo > INT64_MIN ? y.lo + 1 : y.lo < 0 ? y.lo : 0, y.hi > 0 ? y.hi - 1 : 0};
}

/* Of two that may be negative the result has all bits above those of both. */
static IntRange bits_and(IntRange x, IntRange y) {
    if (x.lo < 0 && y.lo < 0) {
        int64_t lo = -1, least = x.lo < y.lo ? x.lo : y.lo;
        while (lo > least && lo > INT64_MIN / 2) lo *= 2;
        return (IntRange){lo > least ? INT64_MIN : lo, x.hi > y.hi ? x.hi : y.hi};
    }
    if (x.lo >= 0 && y.lo >= 0) return (IntRange){0, x.hi < y.hi ? x.hi : y.hi};
    return (IntRange){0, x.lo >= 0 ? x.hi : y.hi};
}

static IntRange bits_or(IntRange x, IntRange y) {
    int64_t most = x.hi > y.hi ? x.hi : y.hi, all = 1;
    if (x.lo < 0 || y.lo < 0) return ANY;
    while (all <= most && all < INT64_MAX / 2) all = 2 * all + 1;
    return (IntRange){0, all < most ? INT64_MAX : all};
}

static IntRange shift_right(IntRange x, IntRange y) {
    if (y.lo == y.hi && y.lo >= 0 && y.lo < 64) return (IntRange){x.lo >> y.lo, x.hi >> y.lo};
    return (IntRange){x.lo < 0 ? x.lo : 0, x.hi < 0 ? -1 : x.hi};
}

IntRange range_of_type(DType t) {
    const DTypeInfo *i = dtype_info(t);
    int64_t half = i->bytes < 8 ? (int64_t)1 << (8 * i->bytes - 1) : 0;
    if (i->kind == DK_BOOL) return (IntRange){0, 1};
    if (i->kind == DK_UINT && half) return (IntRange){0, 2 * half - 1};
    return i->kind == DK_INT && half ? (IntRange){-half, half - 1} : ANY;
}

/* ---- sizes */

static IntRange of_value(Ranges *r, Value *v);

static int64_t limited_sum(int64_t a, int64_t b) {
    int64_t c;
    return !__builtin_add_overflow(a, b, &c) ? c : a < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t limited_product(int64_t a, int64_t b) {
    int64_t c;
    return !__builtin_mul_overflow(a, b, &c) ? c : (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}

/* Sums and products in sizes do not wrap: what does not fit is the greatest int, which is no size. */
static IntRange of_size(Ranges *r, const Size *s) {
    SizeNode n = size_node(r->session, s);
    if (n.op == 'c') return (IntRange){n.c, n.c};
    if (n.op == 's') return (IntRange){0, DSL_MAX_EXTENT};
    IntRange x = of_size(r, n.a), y = of_size(r, n.b), q;
    int64_t a = limited_product(x.lo, y.lo), b = limited_product(x.lo, y.hi), c = limited_product(x.hi, y.lo),
            d = limited_product(x.hi, y.hi);
    switch (n.op) {
    case '+': return (IntRange){limited_sum(x.lo, y.lo), limited_sum(x.hi, y.hi)};
    case '*': return join(join((IntRange){a, a}, (IntRange){b, b}), join((IntRange){c, c}, (IntRange){d, d}));
    case '/': return divide(x, y, &q) ? q : ANY;
    case '%': return modulo(x, y);
    case 'M': return (IntRange){x.lo > y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi};
    default: return (IntRange){x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
    }
}

static const Type *accessed(const Op *at) {
    switch (at->code) {
    case OP_LOAD: case OP_EXTRACT: case OP_INSERT: return op_opnd(at, 0)->type;
    case OP_STORE: case OP_ATOMIC: return op_opnd(at, 1)->type;
    default: return NULL;
    }
}

/* An axis of the array that the place accesses: it exists, so nothing in it has wrapped */
static bool is_extent(const Ranges *r, const Size *s) {
    const Type *t = accessed(r->at);
    for (int i = 0; t && i < t->rank; i++)
        if (t->dims[i] == s) return true;
    return false;
}

/* x*y elements: of two axes of the array that the place accesses, or one that is their product */
static bool is_area(const Ranges *r, const Size *x, const Size *y) {
    const Type *t = accessed(r->at);
    const Size *area = size_mul(r->session, x, y);
    for (int i = 0; t && i < t->rank; i++) {
        if (t->dims[i] == area) return true;
        for (int k = 0; k < t->rank; k++)
            if (i != k && t->dims[i] == x && t->dims[k] == y) return true;
    }
    return false;
}

/* ---- conditions that hold at the place */

static int truth(const Ranges *r, const Value *c, int depth);

static bool is_false(const Value *v, bool what) {
    return v->def && v->def->code == OP_CONST && !op_attr(v->def, A_VALUE)->c.i == !what;
}

/* What the use of a bool says of it: 1 it holds, 0 it does not, -1 nothing */
static int truth_by(const Ranges *r, const Use *u, int depth) {
    const Op *op = u->user;
    int t;
    switch (op->code) {
    case OP_CHECK: return u->index == 0 && op != r->at && op_dominates(op, r->at) ? 1 : -1;
    case OP_NOT: return t = truth(r, &op->res[0], depth + 1), t < 0 ? -1 : !t;
    case OP_AND: return truth(r, &op->res[0], depth + 1) == 1 ? 1 : -1;
    case OP_OR: return truth(r, &op->res[0], depth + 1) == 0 ? 0 : -1;
    case OP_IF:
        if (region_encloses(op->regs[0], r->at->parent)) return 1;
        if (region_encloses(op->regs[1], r->at->parent)) return 0;
        for (int i = 0; i < op->nres; i++) { /* `and` is if a {b} {false}, `or` if a {true} {b} */
            if (op->res[i].type->dtype != DT_BOOL || op->res[i].type->kind != TY_SCALAR) continue;
            t = truth(r, &op->res[i], depth + 1);
            if (t == 1 && is_false(op_opnd(region_term(op->regs[1]), i), false)) return 1;
            if (t == 0 && is_false(op_opnd(region_term(op->regs[0]), i), true)) return 0;
        }
        return -1;
    case OP_YIELD: {
        const Op *owner = op->parent->owner;
        if (owner && owner->code == OP_WHILE && op->parent == owner->regs[0])
            return u->index == 0 && region_encloses(owner->regs[1], r->at->parent) ? 1 : -1;
        if (!owner || owner->code != OP_IF) return -1;
        bool then = op->parent == owner->regs[0];
        const Value *other = op_opnd(region_term(owner->regs[then]), u->index);
        t = truth(r, &owner->res[u->index], depth + 1);
        return t == 1 && then && is_false(other, false) ? 1 : t == 0 && !then && is_false(other, true) ? 0 : -1;
    }
    default: return -1;
    }
}

static int truth(const Ranges *r, const Value *c, int depth) {
    int t = -1, n = 0;
    for (const Use *u = c->uses; u && t < 0 && depth < MAX_CHAIN && n < MAX_USES; u = u->next, n++)
        t = truth_by(r, u, depth);
    return t;
}

/* v is what x is compared with, and `op` is true */
static IntRange cut(IntRange x, OpCode op, IntRange y) {
    bool strict = op == OP_LT || op == OP_GT, above = op == OP_GT || op == OP_GE, below = op == OP_LT || op == OP_LE;
    if ((below || op == OP_EQ) && y.hi > INT64_MIN && x.hi > y.hi - strict) x.hi = y.hi - strict;
    if ((above || op == OP_EQ) && y.lo < INT64_MAX && x.lo < y.lo + strict) x.lo = y.lo + strict;
    return x.lo > x.hi ? (IntRange){x.lo, x.lo} : x; /* nothing runs here */
}

static IntRange of_other(Ranges *r, Value *v) {
    r->level--;
    IntRange x = of_value(r, v);
    r->level++;
    return x;
}

/* In a loop that runs up to v, v is above where it began. */
static IntRange cut_by_loop(Ranges *r, const Use *u, IntRange x) {
    const Op *op = u->user;
    int64_t step;
    if (!region_encloses(op->regs[0], r->at->parent)) return x;
    if (op->code == OP_PARALLEL) return cut(x, OP_GT, (IntRange){0, 0});
    bool up = u->index == 1 && value_const_int(op_opnd(op, 2), &step) && step > 0;
    return up ? cut(x, OP_GT, of_other(r, op_opnd(op, 0))) : x;
}

static IntRange cut_by_uses(Ranges *r, const Value *v, IntRange x) {
    int n = 0;
    if (!r->level) return x;
    for (const Use *u = v->uses; u && n < MAX_USES; u = u->next, n++) {
        const Op *op = u->user;
        if (op->code == OP_FOR || op->code == OP_PARALLEL) x = cut_by_loop(r, u, x);
        if (!opcode_is_compare(op->code) || op->code == OP_NE) continue;
        int t = truth(r, &op->res[0], 0);
        if (t < 0 || (op->code == OP_EQ && !t)) continue;
        OpCode code = t ? op->code : opcode_negated(op->code);
        x = cut(x, u->index ? opcode_mirrored(code) : code, of_other(r, op_opnd(op, 1 - u->index)));
    }
    return x;
}

/* ---- loops */

bool range_is_near(int64_t n) { return n >= -DSL_MAX_EXTENT && n <= DSL_MAX_EXTENT; }

/* It would take months to count from there to where ints end. */
static bool takes_for_ever(IntRange lo, int64_t step) {
    return range_is_near(lo.lo) && range_is_near(lo.hi) && step <= SMALL_STEP && step >= -SMALL_STEP;
}

/* The counter of a for; ANY when it may wrap on the way */
static IntRange of_counter(Ranges *r, const Op *loop) {
    int64_t step, past;
    IntRange lo = of_value(r, op_opnd(loop, 0)), hi = of_value(r, op_opnd(loop, 1));
    if (!value_const_int(op_opnd(loop, 2), &step) || !step || step == INT64_MIN) return ANY;
    bool far = step > 0 ? __builtin_add_overflow(hi.hi, step - 1, &past)
                        : __builtin_sub_overflow(hi.lo, -step - 1, &past);
    if (far && !takes_for_ever(lo, step)) return ANY;
    IntRange x = step > 0 ? (IntRange){lo.lo, hi.hi > INT64_MIN ? hi.hi - 1 : hi.hi}
                          : (IntRange){hi.lo < INT64_MAX ? hi.lo + 1 : hi.lo, lo.hi};
    return x.lo > x.hi ? (IntRange){x.lo, x.lo} : x;
}

static bool is_invariant(const Value *v, const Region *body, int depth) {
    if (!region_encloses(body, value_region(v))) return true;
    if (!v->def || v->def->nregs || !(op_info(v->def->code)->traits & (TR_PURE | TR_ELEM)) || depth > 8) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!is_invariant(op_opnd(v->def, i), body, depth + 1)) return false;
    return true;
}

bool value_is_invariant(const Value *v, const Region *body) { return is_invariant(v, body, 0); }

Value *carried_stride(const Value *v, const Region *body, int at, bool *down) {
    const Op *op = op_opnd(region_term(body), at)->def;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB) || v->type->dtype != DT_I64) return NULL;
    int mine = op_opnd(op, 0) == v ? 0 : op_opnd(op, 1) == v && op->code == OP_ADD ? 1 : -1;
    *down = op->code == OP_SUB;
    return mine >= 0 && is_invariant(op_opnd(op, 1 - mine), body, 0) ? op_opnd(op, 1 - mine) : NULL;
}

/* A sum of values that a loop carries, as they are somewhere in a turn, each times a number */
enum { MAX_SUMMANDS = 2, FUEL = 24 };
typedef struct { const Value *v[MAX_SUMMANDS], *carried[MAX_SUMMANDS]; int64_t times[MAX_SUMMANDS]; int n; } Sum;

static bool change_of(Ranges *r, const Region *body, const Sum *sum, int fuel, IntRange *out);

/* The branch that makes one of the values; NULL: none does */
static const Op *branch_of(const Sum *sum) {
    for (int i = 0; i < sum->n; i++) {
        const Op *op = sum->v[i] == sum->carried[i] ? NULL : sum->v[i]->def;
        if (op && (op->code == OP_IF || op->code == OP_SELECT)) return op;
    }
    return NULL;
}

static const Value *side_of(const Op *branch, const Value *v, int side) {
    return branch->code == OP_IF ? op_opnd(region_term(branch->regs[side]), v->index) : op_opnd(branch, 1 + side);
}

static void add_summand(Sum *to, const Value *v, const Sum *from, int i) {
    to->v[to->n] = v;
    to->carried[to->n] = from->carried[i];
    to->times[to->n++] = from->times[i];
}

/* What one branch makes changes together, the rest by itself. */
static bool change_of_branch(Ranges *r, const Region *body, const Sum *sum, const Op *branch, int fuel, IntRange *out) {
    Sum side[2] = {{.n = 0}, {.n = 0}}, rest = {.n = 0};
    IntRange x, y, z;
    for (int i = 0; i < sum->n; i++) {
        bool made = sum->v[i]->def == branch;
        if (!made) add_summand(&rest, sum->v[i], sum, i);
        for (int k = 0; made && k < 2; k++) add_summand(&side[k], side_of(branch, sum->v[i], k), sum, i);
    }
    return change_of(r, body, &side[0], fuel, &x) && change_of(r, body, &side[1], fuel, &y) &&
           change_of(r, body, &rest, fuel, &z) && add(join(x, y), z, out);
}

/* v[i] is another value and what is the same in all turns: that, times its number; false: it is not */
static bool take_step(Ranges *r, const Region *body, Sum *sum, int i, IntRange *out) {
    const Op *op = sum->v[i]->def;
    if (!op || (op->code != OP_ADD && op->code != OP_SUB)) return false;
    for (int k = 0; k < 2 - (op->code == OP_SUB); k++) {
        Value *by = op_opnd(op, 1 - k);
        if (!is_invariant(by, body, 0)) continue;
        int64_t times = op->code == OP_SUB ? -sum->times[i] : sum->times[i];
        sum->v[i] = op_opnd(op, k);
        return multiply(of_value(r, by), (IntRange){times, times}, out);
    }
    return false;
}

/* Between what bounds lies what a turn of the loop with this body has added to the sum?  In branches, too; what is
 * added is the same in all turns that add it (affine relations: Karr, Acta Informatica 6, 1976).  false: unknown */
static bool change_of(Ranges *r, const Region *body, const Sum *sum, int fuel, IntRange *out) {
    Sum left = *sum;
    IntRange total = {0, 0}, step;
    const Op *branch = branch_of(sum);
    if (fuel <= 0) return false;
    if (branch) return region_encloses(body, branch->parent) && change_of_branch(r, body, sum, branch, fuel - 1, out);
    for (int i = 0; i < left.n; i++) {
        if (left.v[i] == left.carried[i]) continue;
        if (!take_step(r, body, &left, i, &step) || !change_of(r, body, &left, fuel - 1, &total)) return false;
        return add(step, total, out);
    }
    return *out = total, true;
}

static bool stride_of(Ranges *r, const Value *v, const Region *body, int at, IntRange *stride) {
    Sum sum = {.v = {op_opnd(region_term(body), at)}, .carried = {v}, .times = {1}, .n = 1};
    return v->type->dtype == DT_I64 && change_of(r, body, &sum, FUEL, stride);
}

/* What is carried by a for of so many turns, each of which adds as much as the others, or within the same bounds;
 * false: it may wrap, or does otherwise. */
static bool of_progression(Ranges *r, const Value *v, const Op *loop, IntRange *out) {
    IntRange lo = of_value(r, op_opnd(loop, 0)), hi = of_value(r, op_opnd(loop, 1)), turns, stride, far;
    int64_t step;
    if (!stride_of(r, v, loop->regs[0], v->index - 1, &stride) || !value_const_int(op_opnd(loop, 2), &step) || !step)
        return false;
    if (step > 0 ? !subtract(hi, lo, &turns) : !subtract(lo, hi, &turns)) return false;
    turns = (IntRange){0, turns.hi > 0 ? turns.hi : 0};
    return !is_any(of_counter(r, loop)) && multiply(turns, stride, &far) &&
           add(of_value(r, op_opnd(loop, 2 + v->index)), far, out);
}

/* What a while carries and counts up lies above where it began, if its condition keeps it from wrapping; so with
 * counting down. */
static bool of_carried(Ranges *r, const Value *v, const Op *loop, IntRange *out) {
    IntRange stride, next;
    *out = ANY;
    if (v->region != loop->regs[1] || !region_encloses(loop->regs[1], r->at->parent)) return false;
    IntRange x = *out = cut_by_uses(r, loop->regs[0]->args[v->index], ANY),
             first = of_value(r, op_opnd(loop, v->index));
    if (!stride_of(r, v, loop->regs[1], v->index, &stride)) return false;
    bool up = stride.lo >= 0 && add((IntRange){x.hi, x.hi}, stride, &next),
         down = stride.hi <= 0 && add((IntRange){x.lo, x.lo}, stride, &next);
    if (up && x.lo < first.lo) out->lo = first.lo;
    if (down && x.hi > first.hi) out->hi = first.hi;
    return up || down;
}

/* ---- values that are multiplied or divided each turn */

/* By what each turn multiplies what is carried at `at`, or (*down) divides it: a constant of at least 1; 0: it changes
 * otherwise */
static int64_t factor_of(const Region *body, const Value *v, int at, bool *down) {
    const Op *op = op_opnd(region_term(body), at)->def;
    int64_t c;
    if (!op || op->nopnds != 2 || v->type->dtype != DT_I64) return 0;
    bool shift = op->code == OP_SHL || op->code == OP_SHR,
         mine = op_opnd(op, 0) == v && value_const_int(op_opnd(op, 1), &c);
    if (!mine && op->code == OP_MUL) mine = op_opnd(op, 1) == v && value_const_int(op_opnd(op, 0), &c);
    *down = op->code == OP_IDIV || op->code == OP_SHR;
    if (!mine || (!shift && op->code != OP_MUL && op->code != OP_IDIV)) return 0;
    return !shift ? (c >= 1 ? c : 0) : c >= 0 && c < 62 ? (int64_t)1 << c : 0;
}

int64_t carried_factor(const Value *v, const Op *loop, int at, bool *down) {
    return factor_of(loop->regs[loop->nregs - 1], v, at, down);
}

/* What a while compares with a constant to go on: the place of the value that it carries */
static int compared_with(const Op *loop, OpCode *code, int64_t *end) {
    const Op *c = op_opnd(region_term(loop->regs[0]), 0)->def;
    for (int i = 0; c && opcode_is_compare(c->code) && i < 2; i++) {
        const Value *v = op_opnd(c, i);
        if (v->def || v->region != loop->regs[0] || !value_const_int(op_opnd(c, 1 - i), end)) continue;
        *code = i ? opcode_mirrored(c->code) : c->code;
        return v->index;
    }
    return -1;
}

/* No more turns than this (*exact: just as many), of a while that multiplies or divides a value until it has gone past
 * a constant; -1: unknown */
static int turns_of_while(Ranges *r, const Op *loop, bool *exact) {
    OpCode code;
    int64_t end;
    int at = compared_with(loop, &code, &end), n = 0;
    bool down;
    int64_t c = at < 0 ? 0 : factor_of(loop->regs[1], loop_carried(loop, at), at, &down);
    if (c < 2) return -1;
    IntRange x = of_value(r, loop_first(loop, at));
    *exact = x.lo == x.hi;
    if (down) { /* go on while it is above 0, or above more than that */
        bool ends = (code == OP_GT && end >= 0) || (code == OP_GE && end >= 1) || (code == OP_NE && end == 0);
        if (code == OP_GE) end--;
        for (; ends && x.lo >= 0 && x.hi > end; x.hi /= c) n++;
        return ends && x.lo >= 0 ? n : -1;
    }
    if (code == OP_LE && end < INT64_MAX) code = OP_LT, end++;
    if (code != OP_LT || x.lo < 1 || end > INT64_MAX / c) return -1;
    for (; x.lo < end; x.lo *= c) n++;
    return n;
}

static int turns_of(Ranges *r, const Op *loop, bool *exact) {
    int64_t lo, hi, step, room;
    if (loop->code == OP_WHILE) return turns_of_while(r, loop, exact);
    *exact = true;
    bool known = value_const_int(op_opnd(loop, 0), &lo) && value_const_int(op_opnd(loop, 1), &hi) &&
                 value_const_int(op_opnd(loop, 2), &step) && step;
    if (!known || __builtin_sub_overflow(hi, lo, &room)) return -1;
    int64_t n = (room > 0) == (step > 0) && room ? (room - (step > 0 ? 1 : -1)) / step + 1 : 0;
    return n < 64 ? (int)n : -1;
}

static int64_t power_of(int64_t c, int n) { /* at most INT64_MAX */
    int64_t p = 1;
    for (; n > 0 && p < INT64_MAX; n--) p = limited_product(p, c);
    return p;
}

/* What a loop carries (inside), or leaves, when each turn multiplies or divides it and it begins at 0 or above */
static bool of_geometric(Ranges *r, const Op *loop, int at, bool inside, IntRange *out) {
    bool down, exact = false;
    int64_t c = carried_factor(loop_carried(loop, at), loop, at, &down);
    IntRange x = c ? of_value(r, loop_first(loop, at)) : ANY;
    if (!c || x.lo < 0) return false;
    int turns = turns_of(r, loop, &exact);
    int64_t most = turns < 0 ? INT64_MAX : power_of(c, inside && turns ? turns - 1 : turns),
            least = exact && !inside && turns >= 0 ? most : 1;
    *out = down ? (IntRange){x.lo / most, x.hi / least}
                : (IntRange){limited_product(x.lo, least), limited_product(x.hi, most)};
    return down || (turns >= 0 && out->hi < INT64_MAX) || c == 1;
}

/* ---- arguments of regions */

static IntRange below(IntRange extent) { return (IntRange){0, extent.hi > 0 ? extent.hi - 1 : 0}; }

static IntRange of_while(Ranges *r, const Value *v, const Op *loop) {
    IntRange x, y;
    of_carried(r, v, loop, &x);
    if (v->region != loop->regs[1] || !of_geometric(r, loop, v->index, true, &y)) return x;
    return (IntRange){x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
}

static IntRange of_arg(Ranges *r, const Value *v) {
    const Op *op = v->region->owner;
    IntRange x = ANY;
    if (!op) return ANY;
    switch (op->code) {
    case OP_PARALLEL: return below(of_value(r, op_opnd(op, v->index)));
    case OP_REDUCE: return v->region == op->regs[0] ? below(of_value(r, op_opnd(op, v->index))) : ANY;
    case OP_GENERATE: case OP_SCAN:
        return v->region == op->regs[0] ? below(cut(of_size(r, op->res[0].type->dims[v->index]), OP_LE,
                                                    (IntRange){DSL_MAX_EXTENT, DSL_MAX_EXTENT}))
                                        : ANY;
    case OP_FOR:
        return !v->index                                                                     ? of_counter(r, op)
               : of_progression(r, v, op, &x) || of_geometric(r, op, v->index - 1, true, &x) ? x
                                                                                             : ANY;
    case OP_WHILE: return of_while(r, v, op);
    default: return ANY;
    }
}

/* ---- operations */

/* What a counter that goes up stays below; NULL: v is none */
static const Value *counter_end(const Value *v) {
    const Op *loop = v->def ? NULL : v->region->owner;
    int64_t step;
    if (!loop || v->region != loop->regs[0]) return NULL;
    if (loop->code == OP_PARALLEL || loop->code == OP_REDUCE) return op_opnd(loop, v->index);
    bool up = loop->code == OP_FOR && v->index == 0 && value_const_int(op_opnd(loop, 2), &step) && step > 0;
    return up ? op_opnd(loop, 1) : NULL;
}

/* The size that v does not exceed, and is not below 0; NULL: none is known */
static const Size *size_above(Ranges *r, Value *v) {
    const Op *op = v->def, *owner = op ? NULL : v->region->owner;
    if (of_value(r, v).lo < 0) return NULL;
    if (op && op->code == OP_SIZE) return op_attr(op, A_SIZE)->sizes[0];
    if (owner && (owner->code == OP_GENERATE || owner->code == OP_SCAN)) return owner->res[0].type->dims[v->index];
    const Value *end = counter_end(v);
    if (end && end->def && end->def->code == OP_SIZE) return op_attr(end->def, A_SIZE)->sizes[0];
    int n = 0;
    for (const Use *u = v->uses; u && n < MAX_USES; u = u->next, n++) {
        if (u->user->code == OP_BIND && op_dominates(u->user, r->at))
            return size_sym(r->session, op_sym(u->user, A_SYM));
        if (!opcode_is_compare(u->user->code) || u->user->code == OP_NE) continue;
        const Value *other = op_opnd(u->user, 1 - u->index);
        int t = other->def && other->def->code == OP_SIZE ? truth(r, &u->user->res[0], 0) : -1;
        OpCode code = u->index ? opcode_mirrored(u->user->code) : u->user->code;
        if (t >= 0 && !t) code = opcode_negated(code);
        if (t >= 0 && (code == OP_LT || code == OP_LE || code == OP_EQ)) return op_attr(other->def, A_SIZE)->sizes[0];
    }
    return NULL;
}

static bool product(Ranges *r, const Op *op, IntRange x, IntRange y, IntRange *out) {
    if (multiply(x, y, out)) return true;
    if (x.lo < 0 || y.lo < 0) return false;
    const Size *a = size_above(r, op_opnd(op, 0)), *b = a ? size_above(r, op_opnd(op, 1)) : NULL;
    *out = (IntRange){0, DSL_MAX_EXTENT};
    return b && is_area(r, a, b);
}

static bool difference(const Op *op, IntRange x, IntRange y, IntRange *out) {
    bool exact = subtract(x, y, out);
    if (exact && counter_end(op_opnd(op, 1)) == op_opnd(op, 0)) *out = cut(*out, OP_GT, (IntRange){0, 0});
    return exact;
}

/* Elements of a table with these indices: those from the first, along the axes from `axis` on */
static void of_elements(const IntTable *t, const IntRange *index, int axis, int64_t first, IntRange *out) {
    for (int64_t i = index[axis].lo; i <= index[axis].hi; i++) {
        int64_t at = first * t->dim[axis] + i;
        if (axis + 1 < t->rank) of_elements(t, index, axis + 1, at, out);
        else *out = join(*out, (IntRange){t->v[at], t->v[at]});
    }
}

/* An element of an array whose elements are known: what its indices allow */
static bool of_table(Ranges *r, const Op *op, IntRange *out) {
    IntTable t;
    IntRange index[MAX_RANK];
    if (!op_reads_table(op, r->scratch, &t)) return false;
    for (int i = 0; i < t.rank; i++) {
        index[i] = cut(cut(of_value(r, op_opnd(op, 1 + i)), OP_GE, (IntRange){0, 0}), OP_LT,
                       (IntRange){t.dim[i], t.dim[i]});
        if (index[i].lo < 0 || index[i].hi >= t.dim[i]) return false;
    }
    *out = (IntRange){INT64_MAX, INT64_MIN};
    of_elements(&t, index, 0, 0, out);
    return out->lo <= out->hi;
}

/* false: the operation may wrap */
static bool of_op(Ranges *r, const Op *op, IntRange *out) {
    IntRange x = op->nopnds && op->code != OP_SIZE ? of_value(r, op_opnd(op, 0)) : ANY,
             y = op->nopnds > 1 ? of_value(r, op_opnd(op, 1)) : ANY;
    switch (op->code) {
    case OP_CONST: *out = (IntRange){op_attr(op, A_VALUE)->c.i, op_attr(op, A_VALUE)->c.i}; return true;
    case OP_SIZE:
        *out = of_size(r, op_attr(op, A_SIZE)->sizes[0]);
        if (is_extent(r, op_attr(op, A_SIZE)->sizes[0]))
            *out = cut(cut(*out, OP_GE, (IntRange){0, 0}), OP_LE, (IntRange){DSL_MAX_EXTENT, DSL_MAX_EXTENT});
        return true;
    case OP_ADD: return add(x, y, out);
    case OP_SUB: return difference(op, x, y, out);
    case OP_MUL: return product(r, op, x, y, out);
    case OP_NEG: return subtract((IntRange){0, 0}, x, out);
    case OP_SHL: return shift_left(x, y, out);
    case OP_IDIV: return divide(x, y, out);
    case OP_MOD: *out = modulo(x, y); return true;
    case OP_AND: *out = bits_and(x, y); return true;
    case OP_OR: case OP_XOR: *out = bits_or(x, y); return true;
    case OP_SHR: *out = shift_right(x, y); return true;
    case OP_ABS: return magnitude(x, out);
    case OP_NOT: *out = (IntRange){-1 - x.hi, -1 - x.lo}; return true;
    case OP_SIGN: *out = (IntRange){-1, 1}; return true;
    case OP_MIN: *out = (IntRange){x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi}; return true;
    case OP_MAX: *out = (IntRange){x.lo > y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi}; return true;
    case OP_SELECT: *out = join(y, of_value(r, op_opnd(op, 2))); return true;
    case OP_CAST:
        *out = op_opnd(op, 0)->type->dtype == DT_U64 || dtype_is_float(op_opnd(op, 0)->type->dtype) ? ANY : x;
        return true;
    case OP_IPOW: return x.lo == 2 && x.hi == 2 && shift_left((IntRange){1, 1}, y, out);
    default: *out = ANY; return true;
    }
}

static IntRange of_result(Ranges *r, const Value *v) {
    const Op *op = v->def;
    IntRange x;
    if (op->code == OP_IF)
        return join(of_value(r, op_opnd(region_term(op->regs[0]), v->index)),
                    of_value(r, op_opnd(region_term(op->regs[1]), v->index)));
    if (op->code == OP_FOR || op->code == OP_WHILE) return of_geometric(r, op, v->index, false, &x) ? x : ANY;
    if (op->code == OP_EXCHANGE) return join(of_value(r, op_opnd(op, 0)), (IntRange){0, 0}); /* from..to, of extent */
    if (op->nregs || v->index) return ANY;
    Region *body;
    Value *element = op_comprehended(op, &body);
    if (element) return of_value(r, element);
    if (of_table(r, op, &x)) return x;
    return of_op(r, op, &x) ? x : ANY;
}

/* Ints of fewer bits, and bools: what their type has, or less where the operation cannot wrap */
static IntRange of_narrow(Ranges *r, const Value *v) {
    IntRange all = range_of_type(v->type->dtype), x;
    const Op *op = v->def;
    if (!op || is_any(all) || r->depth >= MAX_DEPTH) return all;
    switch (op->code) {
    case OP_CONST: case OP_AND: case OP_SHR: case OP_MOD: case OP_MIN: case OP_MAX: case OP_SELECT: case OP_CAST: break;
    case OP_LOAD: case OP_EXTRACT: return of_table(r, op, &x) ? x : all;
    default: return all;
    }
    r->depth++;
    bool known = of_op(r, op, &x);
    r->depth--;
    return known && x.lo >= all.lo && x.hi <= all.hi ? x : all;
}

static bool is_bound(const Ranges *r, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->code == OP_BIND && op_dominates(u->user, r->at)) return true;
    return false;
}

/* max(v, ..) is a size */
static bool is_bound_above(const Ranges *r, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->code == OP_MAX && is_bound(r, &u->user->res[0])) return true;
    return false;
}

/* What has become a size is one; an int that sizes are computed of has two: what it is above 0, and below. */
static IntRange cut_by_binds(Ranges *r, const Value *v, IntRange x) {
    static const IntRange none = {0, 0}, most = {DSL_MAX_EXTENT, DSL_MAX_EXTENT},
                          least = {-DSL_MAX_EXTENT, -DSL_MAX_EXTENT};
    if (is_bound(r, v)) return cut(cut(x, OP_GE, none), OP_LE, most);
    if (is_bound_above(r, v)) x = cut(x, OP_LE, most);
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->code == OP_NEG && is_bound_above(r, &u->user->res[0])) x = cut(x, OP_GE, least);
    return x;
}

static IntRange of_value(Ranges *r, Value *v) {
    Map *memo = &r->memo[r->level];
    IntRange *known = map_get(memo, v);
    if (v->type->kind != TY_SCALAR) return ANY;
    if (known) return *known;
    if (v->type->dtype != DT_I64) return of_narrow(r, v);
    if (r->depth >= MAX_DEPTH) return ANY;
    known = NEW(r->scratch, IntRange);
    *known = ANY;
    map_put(r->scratch, memo, v, known); /* while it is being looked at */
    r->depth++;
    IntRange x = v->def ? of_result(r, v) : of_arg(r, v);
    if (v->def && v->def->code == OP_CONST) return r->depth--, *known = x; /* its uses are many, and say nothing */
    if (x.lo < 0 || x.hi > DSL_MAX_EXTENT) x = cut_by_binds(r, v, x);
    *known = x;
    *known = cut_by_uses(r, v, x);
    r->depth--;
    return *known;
}

/* ---- questions */

static void go_to(Ranges *r, const Op *at) {
    if (r->at == at) return;
    r->at = at;
    for (int i = 0; i < LEVELS; i++) r->memo[i] = (Map){0};
    arena_clear(r->scratch);
}

void ranges_forget(Ranges *r) { r->at = NULL; }

IntRange range_of(Ranges *r, Value *v, const Op *at) {
    go_to(r, at);
    return of_value(r, v);
}

bool range_exact(Ranges *r, const Op *op, const Op *at) {
    IntRange x;
    go_to(r, at);
    return of_op(r, op, &x);
}

bool range_steps(Ranges *r, const Value *v, const Op *at) {
    const Op *loop = v->region->owner;
    IntRange x;
    go_to(r, at);
    return loop->code == OP_FOR ? of_progression(r, v, loop, &x) : of_carried(r, v, loop, &x);
}

bool range_changes(Ranges *r, const Value *v, const Op *at, IntRange *out) {
    go_to(r, at);
    return stride_of(r, v, v->region, loop_number(v), out);
}

bool range_changes_both(Ranges *r, const Value *v, const Value *w, int64_t times, const Op *at, IntRange *out) {
    const Op *loop = v->region->owner;
    Sum sum = {.v = {loop_next(loop, loop_number(v)), loop_next(loop, loop_number(w))},
               .carried = {v, w}, .times = {1, times}, .n = 2};
    go_to(r, at);
    return change_of(r, v->region, &sum, FUEL, out);
}

bool range_counts(Ranges *r, const Op *loop, const Op *at) {
    go_to(r, at);
    return !is_any(of_counter(r, loop));
}

Ranges *ranges_new(Session *s) {
    Arena *a = arena_new();
    Ranges *r = NEW(a, Ranges);
    *r = (Ranges){.session = s, .arena = a, .scratch = arena_new(), .level = LEVELS - 1};
    return r;
}

void ranges_free(Ranges *r) {
    if (!r) return;
    arena_free(r->scratch);
    arena_free(r->arena);
}

/* ---- ints that wrap: a + b < c is no bound of a where a + b may wrap, nor where c - b may */

static bool is_sum(const Op *op) { return op && (op->code == OP_ADD || op->code == OP_SUB || op->code == OP_MUL); }

bool range_exact_inside(Ranges *r, const Region *body, const Value *v, const Op *at) {
    const Op *op = v->def;
    if (!region_encloses(body, value_region(v)) || !is_sum(op)) return true;
    ranges_forget(r);
    return range_exact(r, op, at) && range_exact_inside(r, body, op_opnd(op, 0), at) &&
           range_exact_inside(r, body, op_opnd(op, 1), at);
}

bool range_exact_before(Ranges *r, const Op *loop, const Value *v, const Op *old) {
    const Op *op = v->def;
    if (op && (op->code == OP_MIN || op->code == OP_MAX) && op->parent == loop->parent &&
        (!old || op->order > old->order))
        return range_exact_before(r, loop, op_opnd(op, 0), old) && range_exact_before(r, loop, op_opnd(op, 1), old);
    if (!is_sum(op) || op->parent != loop->parent || (old && op->order <= old->order)) return true;
    ranges_forget(r);
    return range_exact(r, op, loop) && range_exact_before(r, loop, op_opnd(op, 0), old) &&
           range_exact_before(r, loop, op_opnd(op, 1), old);
}
