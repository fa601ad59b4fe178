/* Loops whose turns go their own ways are an axis: each turn reads and writes one place of what is carried, where no
 * other turn comes, as the rows of [f(x[i]) for i in 0:n] and the derivatives of such.  Loops in which a turn has
 * work enough stay loops: it fills the device, and needs memory for one turn. */
#include "codegen/stablehlo/private.h"

enum { MOST_AT_ONCE = 1 << 24, MOST_OF_A_TURN = 1 << 16 };

/* Where a turn comes: its index forward or backward from a start, and from a value that all turns share, or NULL */
typedef struct { const Value *base; int64_t start; bool down; } Own;

/* An index of a comprehension that has one place along that dim: 0 */
static bool is_unit_index(const Value *v) {
    int64_t n;
    if (v->def || !v->region->owner || v->region->owner->code != OP_GENERATE) return false;
    return size_is_const(v->region->owner->res[0].type->dims[v->index], &n) && n == 1;
}

/* p and v, which is the same in all turns; or p less v */
static bool place_shift(const Op *loop, Own *p, const Value *v, int64_t sign) {
    int64_t by;
    if (is_unit_index(v)) return true;
    if (value_const_int(v, &by)) return !__builtin_add_overflow(p->start, sign * by, &p->start);
    if (p->base || op_encloses(loop, v) || sign < 0) return false;
    return p->base = v, true;
}

static bool place_of(const Op *loop, const Value *v, Own *p) {
    if (v == loop_body(loop)->args[0]) return *p = (Own){0}, true;
    if (!v->def || (v->def->code != OP_ADD && v->def->code != OP_SUB)) return false;
    const Value *x = op_opnd(v->def, 0), *y = op_opnd(v->def, 1);
    int64_t sign = v->def->code == OP_ADD ? 1 : -1;
    if (place_of(loop, x, p)) return place_shift(loop, p, y, sign);
    if (!place_of(loop, y, p)) return false;
    if (sign < 0 && p->base) return false;
    if (sign < 0) p->start = -p->start, p->down = !p->down;
    return place_shift(loop, p, x, 1);
}

static bool place_is(const Op *loop, const Value *v, const Own *p) {
    Own q;
    return place_of(loop, v, &q) && q.base == p->base && q.start == p->start && q.down == p->down;
}

static bool is_one(const Type *t, int dim) {
    int64_t n;
    return size_is_const(t->dims[dim], &n) && n == 1;
}

/* A dim of what is written along which each turn has one place of its own; negative: there is none */
static int own_dim(const Op *loop, const Op *write, Own *p) {
    const Type *part = write->code == OP_UPDATE ? op_opnd(write, 1)->type : NULL;
    for (int d = 0; d < write->res[0].type->rank; d++)
        if ((!part || is_one(part, d)) && place_of(loop, op_opnd(write, 2 + d), p)) return d;
    return -1;
}

static bool reads_place(const Op *loop, const Use *use, int dim, const Own *p) {
    const Op *op = use->user;
    if (use->index) return false;
    if (op->code == OP_SLICE) return is_one(op->res[0].type, dim) && place_is(loop, op_opnd(op, 1 + dim), p);
    return op->code == OP_EXTRACT && place_is(loop, op_opnd(op, 1 + dim), p);
}

/* What writes the value that is carried, once, and what it then is: nobody else asks that; NULL: it stays as it is */
static bool writer_of(const Op *loop, int i, const Op **out) {
    const Value *carried = loop_carried(loop, i), *next = loop_next(loop, i);
    if (next == carried) return *out = NULL, true;
    const Op *write = next->def;
    bool writes = write && write->parent == loop_body(loop) && (write->code == OP_UPDATE || write->code == OP_INSERT);
    return *out = write, writes && op_opnd(write, 0) == carried && value_single_use(next);
}

static bool is_apart(const Op *loop, int i) {
    const Op *write;
    Own p;
    if (!writer_of(loop, i, &write)) return false;
    if (!write) return true;
    int dim = own_dim(loop, write, &p);
    for (const Use *use = loop_carried(loop, i)->uses; use && dim >= 0; use = use->next)
        if (!(use->user == write && use->index == 0) && !reads_place(loop, use, dim, &p)) return false;
    return dim >= 0;
}

static bool all_apart(const Hlo *h, const Op *loop) {
    for (int i = 0; i < loop->nres; i++)
        if (!is_apart(loop, i)) return false;
    for (int i = 0; i < h->held.len; i++)
        if (op_holds_write(loop, h->held.data[i].buf)) return false;
    return loop->nres && !op_holds(loop, OP_PRINT);
}

/* ---- writing it */

/* The carried values are what they were before the loop: the places that a turn reads are its own */
static void all_turns(Hlo *h, const Op *loop, const Ten **out) {
    const Region *r = loop_body(loop);
    for (const Op *op = r->first; op && !h->failed; op = op->next) {
        int i = 0;
        while (i < loop->nres && (loop_next(loop, i)->def != op || loop_next(loop, i) == loop_carried(loop, i))) i++;
        if (i < loop->nres) out[i] = ten_write_turns(h, op, out[i]);
        else hlo_emit(h, op);
    }
}

bool turns_at_once(Hlo *h, const Op *loop, const Ten *lo, const Ten *step, int64_t turns) {
    const Ten **out = NEWN(h->arena, const Ten *, loop->nres);
    if (turns > MOST_AT_ONCE || !all_apart(h, loop)) return false;
    Mark m = hlo_mark(h);
    int axes = h->naxes, watched = h->watched;
    int64_t widest = h->widest;
    const Ten *at = ten_axis(h, axis_open(h, turns));
    if (watched < 0) h->watched = axes, h->widest = 0;
    hlo_set(h, loop_body(loop)->args[0], ten_add(h, lo, ten_mul(h, at, step)));
    for (int i = 0; i < loop->nres; i++) hlo_set(h, loop_carried(loop, i), out[i] = ten_of(h, loop_first(loop, i)));
    all_turns(h, loop, out);
    axes_shut(h, 1);
    bool done = !h->failed && h->widest <= MOST_AT_ONCE && h->widest / turns <= MOST_OF_A_TURN;
    if (watched < 0) h->watched = watched, h->widest = widest;
    for (int i = 0; i < loop->nres && done; i++) hlo_set(h, &loop->res[i], out[i]);
    if (done) return true;
    h->failed = false;
    hlo_back(h, &m);
    return h->naxes = axes, false;
}
