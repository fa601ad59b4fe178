/* tile: a loop that reads along columns what it writes along rows, or the other way around, runs in tiles.
 *
 * Needs stage loops, guards narrowed, checks hoisted.  In `parallel(n, m) (i, j) { t[i, j] = a[j, i] }` no order of the
 * indices runs along the rows of both arrays: along one of them each turn touches another line, and a line is gone from
 * the cache before its next element is wanted.  A tile has as many columns as a line has elements, so that lines are
 * written whole, and ROWS rows, along which the other array is read.  Tiles of iteration spaces: Wolf and Lam, A data
 * locality optimizing algorithm, PLDI 1991; of transposes: Chatterjee and Sen, Cache-efficient matrix transposition,
 * HPCA 2000.
 *
 * Worth it where a column has more elements than the cache has lines for, and rows are long. */
#include "opt/loops/loops.h"

enum { LINE = 64, ROWS = 128, MOST_COLUMNS = 32, LONG_ROW = 64, FAR = 256, MAX_BODY = 100 };

/* Axis `across` moves along the rows of what the last axis jumps through; bytes: of the elements written */
typedef struct { int across, bytes; } Tiling;

static int axis_of(const Region *body, const Value *index) {
    const Value *arg = value_shifted_arg(body, index);
    return arg ? arg->index : -1;
}

/* The axis along whose rows the access runs while the last index of the loop goes from row to row, or -1 */
static int axis_across(const Region *body, const Op *access) {
    int first = op_index_first(access), end = op_index_end(access), last = body->nargs - 1;
    if (end - first < 2) return -1;
    int along = axis_of(body, op_opnd(access, end - 1));
    if (along < 0 || along == last) return -1;
    for (int i = first; i < end - 1; i++)
        if (axis_of(body, op_opnd(access, i)) == last) return along;
    return -1;
}

/* Does the store run along the last axis, in rows that axis `across` counts? */
static bool writes_rows(const Region *body, const Op *store, int across) {
    int end = op_index_end(store);
    bool counted = false;
    for (int i = 2; i < end - 1; i++) counted |= axis_of(body, op_opnd(store, i)) == across;
    return counted && axis_of(body, op_opnd(store, end - 1)) == body->nargs - 1;
}

static bool is_plain(const Op *op) {
    if (op->code == OP_YIELD) return true;
    if (op->nregs || op_may_trap(op)) return false;
    return op->code == OP_LOAD || op->code == OP_STORE || op_is_pure(op);
}

static bool at_least(const Value *extent, int64_t n) {
    int64_t c;
    return !value_const_int(extent, &c) || c >= n;
}

/* Plain operations, all of which agree on the axis */
static bool find_tiling(const Op *loop, Tiling *t) {
    const Region *body = loop->regs[0];
    int ops = 0;
    bool writes = false;
    *t = (Tiling){.across = -1};
    for (const Op *o = body->first; o; o = o->next) {
        if (!is_plain(o) || ++ops > MAX_BODY) return false;
        int axis = o->code == OP_LOAD || o->code == OP_STORE ? axis_across(body, o) : -1;
        if (axis < 0) continue;
        if (t->across >= 0 && axis != t->across) return false;
        t->across = axis;
    }
    for (const Op *o = body->first; t->across >= 0 && o; o = o->next) {
        if (o->code != OP_STORE || !writes_rows(body, o, t->across)) continue;
        int bytes = dtype_info(op_opnd(o, 0)->type->dtype)->bytes;
        writes = true;
        if (bytes > t->bytes) t->bytes = bytes;
    }
    return writes && at_least(op_opnd(loop, t->across), LONG_ROW) && at_least(op_opnd(loop, loop->nopnds - 1), FAR);
}

/* ---- doing it */

/* What fills no tile, behind it: columns from `first` on, as the loop was. */
static void keep_rest(Builder *b, const Op *loop, Value *first, Value *count) {
    int last = loop->nopnds - 1;
    Value *extents[MAX_RANK], *idx[MAX_RANK];
    for (int i = 0; i <= last; i++) extents[i] = i < last ? op_opnd(loop, i) : count;
    Builder in;
    Op *rest = build_plain_parallel(b, last + 1, extents, &in);
    for (int i = 0; i <= last; i++) {
        idx[i] = rest->regs[0]->args[i];
        idx[i]->name = loop->regs[0]->args[i]->name;
    }
    idx[last] = index_add(&in, first, idx[last]);
    region_inline(&in, loop->regs[0], idx, NULL);
}

/* A serial loop at b, the turns of one axis of a tile; b goes into it. */
static Value *turns(Builder *b, Value *count) {
    Op *loop = build_plain_parallel(b, 1, &count, b);
    op_set_flag(loop, A_SERIAL);
    return loop->regs[0]->args[0];
}

static void tile(Op *loop, Tiling t) {
    Builder b = builder_before(loop);
    int last = loop->nopnds - 1, columns = LINE / t.bytes < MOST_COLUMNS ? LINE / t.bytes : MOST_COLUMNS;
    Value *extents[MAX_RANK], **from = loop->regs[0]->args, *n = op_opnd(loop, last), *m = op_opnd(loop, t.across);
    Value *width = build_int(&b, columns), *height = build_int(&b, ROWS), *tiles = build_binary(&b, OP_IDIV, n, width);
    int64_t whole;
    op_set_flag(tiles->def, A_SAFE);
    if (!value_const_int(n, &whole) || whole % columns) {
        Value *end = index_mul(&b, tiles, width);
        keep_rest(&b, loop, end, index_sub(&b, n, end));
    }
    for (int i = 0; i <= last; i++) extents[i] = op_opnd(loop, i);
    extents[t.across] = index_ceildiv(&b, m, ROWS);
    extents[last] = tiles;
    Op *outer = build_parallel(&b, last + 1, extents, loops_inside_parallel(loop) ? LOOP_PLAIN : LOOP_BLOCK);
    if (op_flag(loop, A_SERIAL)) op_set_flag(outer, A_SERIAL);
    Value **to = outer->regs[0]->args;
    Builder in = builder_at_end(b.module, outer->regs[0], loop->span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(outer->regs[0]));
    Value *row = index_mul(&in, to[t.across], height), *column = index_mul(&in, to[last], width);
    Value *i = turns(&in, index_min(&in, index_sub(&in, m, row), height));
    i = index_add(&in, row, i);
    Value *j = turns(&in, width);
    j = index_add(&in, column, j);
    for (int k = 0; k <= last; k++) value_take_over(from[k], k == t.across ? i : k == last ? j : to[k]);
    Op *end = region_term(loop->regs[0]);
    if (end->prev) op_move_range(loop->regs[0]->first, end->prev, in.before->parent, in.before);
    op_erase(loop);
}

static void visit(Region *r) {
    Tiling t;
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && o->nopnds > 1 && op_loop(o) == LOOP_PLAIN && find_tiling(o, &t)) tile(o, t);
        else
            for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_tile(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) visit(m->funcs.data[i]->body);
}
