/* lanes: neighbouring iterations around a serial loop run side by side, as vector lanes.
 *
 * Needs stage loops, guards narrowed.  `parallel(n) (i) { a; for (j) carrying s { s += f(x[j], y[i]) }; b }` cannot use
 * vectors along j without changing the order of the sum; along i it can.  The last axis of such a loop is cut into
 * blocks of threads with a barrier in the inner loop, which pass_barriers turns inside out: the inner loop goes around
 * a loop over the lanes, and the carried values become arrays of one element per lane.
 *
 * How many lanes (in bytes, of the widest carried value; STRIP, TILE and ROWS are choices, opt/choices.def):
 *   VECTOR  the carried values stay in registers
 *   CHAINS  when each lane reads along a row of its own: sums that do not wait for each other, and no vectors
 *   PAIR    when a turn waits for several operations of the turn before: of two vectors one works while the other waits
 *   WINDOW  when each turn reads beside the turn before, x[i + k], and adds up little: sums of several vectors do not
 *           wait
 *   STRIP   when each turn reads another row, y[j, i]: long enough that a row is read along, in lines and pages
 *   TILE    when neighbours on the axis before the last read the same row (a matrix product): ROWS of them share what
 *           is read, and the blocks of one strip of rows follow each other, so that it stays in the cache.  Register
 *           tiling, as in Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008, section 4
 * The iterations that fill no block stay as they were, or become narrower blocks.
 *
 * Worth it when the inner loop carries floats, or ints whose next value takes several operations, does plain
 * arithmetic, has bounds that are the same for all lanes, and reads elements that all lanes share or that lie beside
 * each other, or each lane its own row along (then the lanes are no vector, but chains of sums that do not wait for
 * each other). */
#include "analysis/uniform.h"
#include "opt/loops/loops.h"

/* SLOW: bytes of what is divided */
enum { VECTOR = 64, PAIR = 128, WINDOW = 256, MAX_BODY = 500, MANY = 8, LONG = 4, FAR = 64, CHAINS = 8, CLOSE = 4,
       LIGHT = 4, SLOW = 8, SHORT = 40 };

/* row: index before the last, or NULL; gathers: loads may go apart; known: 1 + the spread, of values of the body */
typedef struct { const Region *body; const Value *iv, *row; bool gathers; Map *known; } Lanes;
typedef struct { int rows, width; } Shape;

/* ---- does it pay */

static Lanes lanes_of(const Op *loop) {
    const Region *r = loop->regs[0];
    return (Lanes){.body = r,
                   .iv = r->args[r->nargs - 1],
                   .row = r->nargs > 1 ? r->args[r->nargs - 2] : NULL,
                   .known = NEW(r->func->module->arena, Map)};
}

/* How a value or address differs between lanes; NEAR: by a small number each */
typedef enum { SAME, BESIDE, NEAR, APART } Spread;

static Spread spread(const Lanes *l, const Value *v);

static Spread spread_sum(const Lanes *l, const Op *op) {
    Spread x = spread(l, op_opnd(op, 0)), y = spread(l, op_opnd(op, 1));
    if (x == SAME && y == SAME) return SAME;
    if (op->code == OP_ADD && x == SAME) x = y, y = SAME;
    return y == SAME ? x : APART;
}

/* i * 2 and the like */
static Spread spread_product(const Lanes *l, const Op *op) {
    Spread x = spread(l, op_opnd(op, 0)), y = spread(l, op_opnd(op, 1));
    int64_t c;
    if (x == SAME && y == SAME) return SAME;
    for (int i = 0; i < 2; i++)
        if (value_const_int(op_opnd(op, i), &c) && c > 0 && c <= CLOSE && (i ? x : y) == BESIDE) return NEAR;
    return APART;
}

static Spread spread_of_result(const Lanes *l, const Op *op) {
    if (op->nregs) return APART;
    if (op->code == OP_ADD || op->code == OP_SUB) return spread_sum(l, op);
    if (op->code == OP_MUL) return spread_product(l, op);
    for (int i = op->code == OP_LOAD; i < op->nopnds; i++)
        if (spread(l, op_opnd(op, i)) != SAME) return APART;
    return SAME;
}

/* Of an index */
static Spread spread(const Lanes *l, const Value *v) {
    if (v == l->iv) return BESIDE;
    if (!region_encloses(l->body, value_region(v))) return SAME;
    if (!v->def)
        return v->region != l->body && v->region->owner->code == OP_FOR && v->index > 0 ? APART : SAME; /* carried */
    uintptr_t known = (uintptr_t)map_get(l->known, v);
    if (known) return (Spread)(known - 1);
    Spread s = spread_of_result(l, v->def);
    map_put(l->body->func->module->arena, l->known, v, (void *)(uintptr_t)(1 + s));
    return s;
}

static bool beside_each_other(const Lanes *l, const Op *access) {
    for (int i = op_index_first(access); i < access->nopnds; i++) {
        Spread s = spread(l, op_opnd(access, i));
        if (s == APART || (s == NEAR && access->code != OP_LOAD) || (s != SAME && i + 1 < access->nopnds)) return false;
    }
    return true;
}

static bool plain_op(const Lanes *l, const Op *op) {
    const OpInfo *info = op_info(op->code);
    if (op->code == OP_LOAD && l->gathers && op_flag(op, A_SAFE)) return true;
    if (op->code == OP_LOAD || op->code == OP_STORE)
        return op_flag(op, A_SAFE) && beside_each_other(l, op);
    if (op->code == OP_YIELD || op->code == OP_CONST || op->code == OP_SIZE) return true;
    bool checked = info->traits & TR_TRAP && !op_flag(op, A_SAFE);
    return !op->nregs && info->traits & TR_ELEM && !checked && !(info->traits & TR_CALL);
}

static bool good_inner(const Lanes *l, const Op *loop);

/* Plain operations, and in them choices between values, and loops like the one around */
static bool good_body(const Lanes *l, const Region *r, bool loops) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_IF) {
            if (!o->nres || !good_body(l, o->regs[0], false) || !good_body(l, o->regs[1], false)) return false;
        } else if (o->code == OP_FOR) {
            if (!loops || !good_inner(l, o)) return false;
        } else if (!plain_op(l, o)) return false;
    }
    return true;
}

/* Much arithmetic for each load whose lanes go apart */
static bool worth_gathers(const Lanes *l, const Region *r) {
    int apart = 0, flops = 0;
    for (const Op *o = r->first; o; o = o->next) {
        apart += o->code == OP_LOAD && !beside_each_other(l, o);
        flops += o->nres == 1 && op_info(o->code)->traits & TR_ELEM && dtype_is_float(o->res[0].type->dtype);
    }
    return apart > 0 && flops >= MANY * apart;
}

/* The part of a longer loop that one of its strips is: min(what is left, its length) */
static bool is_part(const Value *extent, int64_t *most) {
    return extent->def && extent->def->code == OP_MIN && value_const_int(op_opnd(extent->def, 1), most);
}

static bool at_least(const Value *extent, int n) {
    int64_t c;
    if (extent->def && extent->def->code == OP_AND && value_const_int(op_opnd(extent->def, 1), &c))
        return c >= n; /* a rest */
    return !(value_const_int(extent, &c) || is_part(extent, &c)) || c >= n;
}

/* Each lane reads along a row of its own: what comes next is in the line that was read before. */
static bool reads_along(const Lanes *l, const Op *load, const Value *iv) {
    int last = load->nopnds - 1;
    for (int i = 1; i < load->nopnds; i++)
        if (value_shifted_arg(iv->region, op_opnd(load, i)) != (i == last ? iv : NULL) &&
            spread(l, op_opnd(load, i)) == APART)
            return false;
    return value_shifted_arg(iv->region, op_opnd(load, last)) == iv;
}

/* A sum that waits for the one of the turn before, with little else to do; lanes give it company. */
static bool waits_for_sums(const Lanes *l, const Op *loop) {
    int apart = 0;
    if (loop->code != OP_FOR || !at_least(op_opnd(loop, 1), LONG)) return false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        if (o->code != OP_LOAD || beside_each_other(l, o)) continue;
        apart++;
        if (!reads_along(l, o, loop->regs[0]->args[0])) return false;
    }
    return apart > 0 && apart <= 2;
}

/* A term of the sum v is iv times a size: rows that are written out, as in x[k*n + j] */
static bool steps_over_rows(const Value *v, const Value *iv) {
    const Op *op = v->def;
    int64_t c;
    if (!op || !value_depends(v, iv)) return false;
    if (op->code == OP_ADD || op->code == OP_SUB)
        return steps_over_rows(op_opnd(op, 0), iv) || steps_over_rows(op_opnd(op, 1), iv);
    if (op->code != OP_MUL) return false;
    for (int i = 0; i < 2; i++)
        if (value_const_int(op_opnd(op, i), &c) && c < FAR && c > -FAR) return false;
    return true;
}

static bool reads_beside(const Lanes *l, const Op *load) {
    if (load->code != OP_LOAD) return false;
    const Spread s = spread(l, op_opnd(load, load->nopnds - 1));
    return s == BESIDE || s == NEAR;
}

/* Of a loop, or of a reduction that will be loops */
static int inner_indices(const Op *inner) { return inner->code == OP_FOR ? 1 : inner->regs[0]->nargs; }

/* An element of another row each turn: the inner loop's index is in an axis before the last, that of the lanes in it */
static bool reads_rows(const Lanes *l, const Op *load, const Op *inner) {
    int last = load->nopnds - 1;
    const Region *r = inner->regs[0];
    if (!reads_beside(l, load)) return false;
    for (int k = 0; k < inner_indices(inner); k++) {
        for (int i = 1; i < last; i++)
            if (value_depends(op_opnd(load, i), r->args[k])) return true;
        if (steps_over_rows(op_opnd(load, last), r->args[k])) return true;
    }
    return false;
}

/* Elements beside each other that move along with the inner loop, as x[i + k] */
static bool reads_window(const Lanes *l, const Op *load, const Op *inner) {
    const Region *r = inner->regs[0];
    for (int k = 0; reads_beside(l, load) && k < inner_indices(inner); k++)
        if (value_depends(op_opnd(load, load->nopnds - 1), r->args[k])) return true;
    return false;
}

/* What a turn makes of a carried value takes more than one operation on it: random numbers, hashes, recurrences.  The
 * next turn waits for all of them; a sum, a maximum, a count are one. */
static bool is_chain(const Op *loop, int carried) {
    const Value *arg = loop->regs[0]->args[1 + carried], *next = op_opnd(region_term(loop->regs[0]), carried);
    if (!next->def || next->def->parent != loop->regs[0] || next->def->nregs || value_unused(arg)) return false;
    for (int i = 0; i < next->def->nopnds; i++)
        if (op_opnd(next->def, i) == arg) return false;
    return true;
}

static bool has_chain(const Op *loop) {
    if (loop_bits(loop)) return false;
    for (int i = 0; i < loop->nres; i++)
        if (is_chain(loop, i)) return true;
    return false;
}

/* What it reads lies beside each other for the lanes, and goes on to another row or place with each turn: along the
 * inner loop there are no such vectors. */
static bool reads_across(const Lanes *l, const Op *loop) {
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        if (reads_rows(l, o, loop) || reads_window(l, o, loop)) return true;
    return false;
}

/* Two vectors of all that it carries stay in registers. */
static bool is_narrow(const Op *loop) { return loop->nres <= 2 && region_count_ops(loop->regs[0]) <= SHORT; }

/* The inner loop is one for lanes. */
static bool good_inner(const Lanes *l, const Op *loop) {
    bool waits = reads_across(l, loop) || (is_narrow(loop) && has_chain(loop) && at_least(op_opnd(loop, 1), LONG));
    for (int i = 0; i < 3; i++)
        if (spread(l, op_opnd(loop, i)) != SAME) return false;
    for (int i = 0; i < loop->nres; i++) {
        if (loop->res[i].type->kind != TY_SCALAR) return false;
        waits |= dtype_is_float(loop->res[i].type->dtype);
    }
    Lanes inside = *l;
    inside.gathers = worth_gathers(l, loop->regs[0]) || waits_for_sums(l, loop);
    return waits && good_body(&inside, loop->regs[0], true);
}

/* What may stand behind the inner loop: anything without loops whose iterations may change places */
static bool tail_op(const Op *op) {
    if (op_info(op->code)->traits & (TR_LOOP | TR_EFFECT | TR_ALLOC) || op->code == OP_CALL) return false;
    if (op->code == OP_ATOMIC && dtype_is_float(op_opnd(op, 0)->type->dtype)) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!tail_op(o)) return false;
    return true;
}

static bool has_for(const Region *r) {
    for (const Op *o = r->first; o; o = o->next)
        if (o->code == OP_FOR) return true;
    return false;
}

/* A branch around a loop that all lanes take alike, or none */
static bool is_guard(const Lanes *l, const Op *op) {
    return op->code == OP_IF && !op->nres && spread(l, op_opnd(op, 0)) == SAME && has_for(op->regs[0]) &&
           op->regs[1]->first == region_term(op->regs[1]);
}

/* The first inner loop in r, when lanes pay for it and those behind it; what stands before it is of the body's own
 * level. */
static Op *inner_loop(const Lanes *l, const Region *r) {
    Op *inner = NULL;
    for (Op *o = r->first; o != region_term(r); o = o->next) {
        if ((o->code == OP_FOR || is_guard(l, o)) && !inner) inner = o;
        else if (inner && (tail_op(o) || (o->code == OP_FOR && good_inner(l, o)))) continue;
        else if (o->nregs || o->code == OP_ALLOC || o->code == OP_ATOMIC || op_has_effect(o)) return NULL;
        else if (op_may_trap(o)) return NULL;
    }
    if (inner && inner->code == OP_IF) return inner_loop(l, inner->regs[0]);
    return inner && good_inner(l, inner) ? inner : NULL;
}

static Op *find_inner(const Lanes *l) { return inner_loop(l, l->body); }

/* The loop inside of all, where there is one in each */
static const Op *innermost(const Op *loop) {
    for (const Op *o = loop->regs[0]->first; o; o = o->next)
        if (o->code == OP_FOR) return innermost(o);
    return loop;
}

/* ---- how many */

static bool same_for_rows(const Lanes *l, const Op *load) {
    for (int i = 1; i < load->nopnds; i++)
        if (value_depends(op_opnd(load, i), l->row)) return false;
    return true;
}

static bool rows_agree_on_bounds(const Lanes *l, const Op *inner) {
    for (int i = 0; i < 3; i++)
        if (value_depends(op_opnd(inner, i), l->row)) return false;
    return true;
}

static int widest(const Op *inner) {
    int bytes = 1;
    for (int i = 0; i < inner->nres; i++) {
        int b = dtype_info(inner->res[i].type->dtype)->bytes;
        if (b > bytes) bytes = b;
    }
    return bytes > 4 ? 8 : 4;
}

/* A sum waits for the one of the turn before longer than for what is added. */
static bool is_light(const Region *r) {
    int flops = 0;
    for (const Op *o = r->first; o; o = o->next)
        flops += o->nregs ? LIGHT + 1
                          : o->nres && op_info(o->code)->traits & TR_ELEM && dtype_is_float(o->res[0].type->dtype);
    return flops <= LIGHT;
}

static bool shares_rows(const Lanes *l, const Op *inner) {
    const Op *deep = innermost(inner);
    for (const Op *o = deep->regs[0]->first; l->row && o; o = o->next)
        if (reads_rows(l, o, deep) && same_for_rows(l, o)) return true;
    return false;
}

static void swap_indices(Op *loop, int a, int b) {
    Region *r = loop->regs[0];
    Value *x = op_opnd(loop, a), *arg = r->args[a];
    op_set_opnd(loop, a, op_opnd(loop, b));
    op_set_opnd(loop, b, x);
    r->args[a] = r->args[b], r->args[a]->index = a;
    r->args[b] = arg, arg->index = b;
}

/* Where not the index before the last, but another one has neighbours that read the same row, the two change places: a
 * layer of convolutions, whose outputs read the same rows. */
static void bring_shared_rows(const PassOptions *opts, Op *loop, const Op *inner) {
    Lanes l = lanes_of(loop);
    int rank = loop->nopnds;
    if (rank < 3 || shares_rows(&l, inner) || op_loop(loop) != LOOP_PLAIN) return;
    for (int i = rank - 3; i >= 0; i--) {
        l.row = loop->regs[0]->args[i];
        if (!shares_rows(&l, inner) || !at_least(op_opnd(loop, i), (int)choice_int(opts, CH_LANE_ROWS))) continue;
        swap_indices(loop, i, rank - 2);
        return;
    }
}

static Shape choose_shape(const PassOptions *opts, const Lanes *l, const Op *loop, const Op *inner) {
    const int rows_of_tile = (int)choice_int(opts, CH_LANE_ROWS), tile = (int)choice_int(opts, CH_LANE_BYTES),
              strip = (int)choice_int(opts, CH_STRIP_BYTES);
    bool rows = false, shared = false, window = false;
    int bytes = widest(inner), last = loop->nopnds - 1;
    const Op *deep = innermost(inner);
    for (const Op *o = deep->regs[0]->first; o; o = o->next) {
        window |= reads_window(l, o, deep);
        if (!reads_rows(l, o, deep)) continue;
        rows = true;
        shared |= l->row && same_for_rows(l, o);
    }
    const Value *n = op_opnd(loop, last);
    if (!worth_gathers(l, deep->regs[0]) && waits_for_sums(l, deep)) return (Shape){1, CHAINS};
    if (shared && inner->nres <= 2 && rows_agree_on_bounds(l, inner) && rows_agree_on_bounds(l, deep) &&
        at_least(op_opnd(loop, last - 1), rows_of_tile) && at_least(n, tile / bytes))
        return (Shape){rows_of_tile / inner->nres, tile / bytes};
    if (rows && at_least(n, strip / bytes)) return (Shape){1, strip / bytes};
    if (window && is_light(deep->regs[0]) && at_least(n, WINDOW / bytes)) return (Shape){1, WINDOW / bytes};
    if (is_narrow(deep) && has_chain(deep) && at_least(n, PAIR / bytes)) return (Shape){1, PAIR / bytes};
    return (Shape){1, VECTOR / bytes};
}

/* ---- doing it */

typedef struct { Value *from, *count; } Range; /* from NULL: 0 */

/* A copy of loop over parts of its last two axes */
static Op *copy_part(Builder *b, const Op *loop, Range rows, Range columns) {
    int rank = loop->nopnds;
    Value *extents[MAX_RANK], *idx[MAX_RANK];
    Range part[MAX_RANK];
    Builder in;
    for (int i = 0; i < rank; i++) part[i] = (Range){NULL, op_opnd(loop, i)};
    if (rank > 1) part[rank - 2] = rows;
    part[rank - 1] = columns;
    for (int i = 0; i < rank; i++) extents[i] = part[i].count;
    Op *copy = build_parallel(b, rank, extents, op_loop(loop));
    Builder end = builder_at_end(b->module, copy->regs[0], b->span);
    build_yield(&end, 0, NULL);
    in = builder_before(region_term(copy->regs[0]));
    for (int i = 0; i < rank; i++) {
        idx[i] = copy->regs[0]->args[i];
        idx[i]->name = loop->regs[0]->args[i]->name;
        if (part[i].from) idx[i] = index_add(&in, part[i].from, idx[i]);
    }
    region_inline(&in, loop->regs[0], idx, NULL);
    return copy;
}

/* Into the innermost loops */
static void put_barriers(Op *loop, int rank, Value *const *threads) {
    bool inner = false;
    for (Op *o = loop->regs[0]->first; o; o = o->next) {
        if (o->code != OP_FOR) continue;
        put_barriers(o, rank, threads);
        inner = true;
    }
    if (inner) return;
    Builder in = builder_before(loop->regs[0]->first);
    build_op(&in, OP_BARRIER, rank, threads, 0, NULL, 0);
}

static bool inside_block(const Op *op) {
    for (op = op->parent->owner; op->code != OP_ISLAND; op = op->parent->owner)
        if (op_loop(op) == LOOP_BLOCK) return true;
    return false;
}

/* The loop becomes one over blocks; the block's lanes (and rows) are a loop over threads with the body in it, where
 * the inner loop, or each of several, gets its barrier. */
static void cut_into_blocks(Builder *b, Op *loop, Op *inner, Shape shape, Value *row_blocks, Value *blocks) {
    int rank = loop->nopnds, tile = shape.rows > 1 ? 2 : 1;
    Value *extents[MAX_RANK], *threads[2], **from = loop->regs[0]->args;
    for (int i = 0; i < rank; i++) extents[i] = op_opnd(loop, i);
    extents[rank - 1] = blocks;
    if (tile == 2) extents[rank - 2] = blocks, extents[rank - 1] = row_blocks;
    Op *outer = build_parallel(b, rank, extents, inside_block(loop) ? LOOP_PLAIN : LOOP_BLOCK);
    Value **to = outer->regs[0]->args;
    Builder in = builder_at_end(b->module, outer->regs[0], loop->span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(outer->regs[0]));
    threads[0] = build_int(&in, tile == 2 ? shape.rows : shape.width), threads[1] = build_int(&in, shape.width);
    Value *column = index_mul(&in, to[rank - tile], threads[tile - 1]);
    Value *row = tile == 2 ? index_mul(&in, to[rank - 1], threads[0]) : NULL;
    Op *lanes = build_parallel(&in, tile, threads, LOOP_THREAD);
    Value **thread = lanes->regs[0]->args;
    in = builder_at_end(b->module, lanes->regs[0], loop->span);
    build_yield(&in, 0, NULL);
    in = builder_before(region_term(lanes->regs[0]));
    for (int i = 0; i < rank - tile; i++) value_take_over(from[i], to[i]);
    thread[tile - 1]->name = intern(b->module->session, "lane");
    value_take_over(from[rank - 1], index_add(&in, column, thread[tile - 1]));
    if (tile == 2) {
        thread[0]->name = intern(b->module->session, "row");
        value_take_over(from[rank - 2], index_add(&in, row, thread[0]));
    }
    Op *term = region_term(loop->regs[0]);
    if (term->prev) op_move_range(loop->regs[0]->first, term->prev, lanes->regs[0], in.before);
    put_barriers(inner && inner->parent != lanes->regs[0] ? inner : lanes, tile, thread);
    op_erase(loop);
}

/* A range may end before it begins. */
static Value *not_negative(Builder *b, Value *n) {
    const Size *size = value_size(b->module->session, n, false);
    return size && size_is_natural(b->module->session, size) ? n : index_max(b, n, build_int(b, 0));
}

/* n / width, how far that many blocks reach, and what is left over; says whether something may be. */
static bool count_blocks(Builder *b, Value *n, int width, Value **blocks, Range *rest) {
    int64_t c;
    n = not_negative(b, n);
    if (value_const_int(n, &c)) {
        *blocks = build_int(b, c / width);
        *rest = (Range){build_int(b, c / width * width), build_int(b, c % width)};
        return c % width != 0;
    }
    int shift = 0;
    while (1 << shift < width) shift++;
    *blocks = build_binary(b, OP_SHR, n, build_int(b, shift));
    *rest = (Range){index_mul(b, *blocks, build_int(b, width)), build_binary(b, OP_AND, n, build_int(b, width - 1))};
    return true;
}

static void make_lanes(Op *loop, Op *inner, Shape shape);
static bool waits_for_divisions(const Lanes *l);

/* The columns that fill no block: where their number is known one block of that many, unless that is less than half a
 * vector; else in narrow ones. */
static void rest_of_columns(Op *loop, Shape wide) {
    Lanes l = lanes_of(loop);
    Op *inner = find_inner(&l);
    int bytes = inner ? widest(inner) : SLOW, width = VECTOR / bytes;
    const Value *n = op_opnd(loop, loop->nopnds - 1);
    int64_t c;
    if (!inner && !waits_for_divisions(&l)) return;
    if (value_const_int(n, &c) && 2 * c >= width) make_lanes(loop, inner, (Shape){wide.rows, (int)c});
    else if (wide.width > width && at_least(n, width)) make_lanes(loop, inner, (Shape){1, width});
}

Op *loops_rest_of_blocks(Builder *b, Op *loop, int width, Value **blocks) {
    Value *rows = loop->nopnds > 1 ? op_opnd(loop, loop->nopnds - 2) : NULL;
    Range rest;
    if (!count_blocks(b, op_opnd(loop, loop->nopnds - 1), width, blocks, &rest)) return NULL;
    return copy_part(b, loop, (Range){NULL, rows}, rest);
}

typedef struct { const Op *loop; bool no; } Again;

static void find_change(void *ctx, Op *op) {
    Again *a = ctx;
    const Value *buf = op->code == OP_STORE ? op_opnd(op, 1) : NULL;
    a->no |= op->code == OP_ATOMIC || op->code == OP_CALL;
    for (const Use *u = buf ? buf->uses : NULL; u; u = u->next)
        a->no |= u->user->code == OP_LOAD && op_inside(u->user, a->loop);
}

/* Iterations that run twice store the same again: nothing that is stored is read. */
static bool may_run_twice(const Op *loop) {
    Again a = {.loop = loop};
    region_walk(loop->regs[0], find_change, &a);
    return !a.no;
}

/* A rest of a known number of columns begins earlier where it does not end with a vector, and does again what is done.
 */
static Range whole_vectors(Builder *b, const Op *loop, const Op *inner, Range rest) {
    int64_t first, count, lanes = inner ? VECTOR / 2 / widest(inner) : 1;
    if (!value_const_int(rest.count, &count) || !value_const_int(rest.from, &first)) return rest;
    int64_t more = (lanes - count % lanes) % lanes;
    if (!more || more > first || 2 * count < lanes || !may_run_twice(loop)) return rest;
    return (Range){build_int(b, first - more), build_int(b, count + more)};
}

static void make_lanes(Op *loop, Op *inner, Shape shape) {
    Builder b = builder_before(loop);
    int rank = loop->nopnds;
    Value *n = op_opnd(loop, rank - 1), *m = rank > 1 ? op_opnd(loop, rank - 2) : NULL, *blocks, *row_blocks = NULL;
    Range columns, rows;
    if (count_blocks(&b, n, shape.width, &blocks, &columns)) {
        Op *rest = copy_part(&b, loop, (Range){NULL, m}, whole_vectors(&b, loop, inner, columns));
        rest_of_columns(rest, shape);
    }
    if (shape.rows > 1 && count_blocks(&b, m, shape.rows, &row_blocks, &rows)) {
        Op *rest = copy_part(&b, loop, rows, (Range){NULL, columns.from});
        Lanes l = lanes_of(rest);
        Builder before = builder_before(rest);
        cut_into_blocks(&before, rest, find_inner(&l), (Shape){1, shape.width}, NULL, blocks);
    }
    cut_into_blocks(&b, loop, inner, shape, row_blocks, blocks);
}

/* Loops over the threads of a launch only when their number is known, so that no rest remains. */
static bool is_candidate(const Op *loop) {
    LoopKind kind = op_loop(loop);
    bool known = true;
    for (int i = 0; i < loop->nopnds; i++) known &= value_const_int(op_opnd(loop, i), NULL);
    if (kind != LOOP_PLAIN && !(known && kind == LOOP_THREAD)) return false;
    const Value *n = op_opnd(loop, loop->nopnds - 1);
    int64_t part;
    return (is_part(n, &part) || at_least(n, 16)) && region_count_ops(loop->regs[0]) <= MAX_BODY;
}

/* ---- loops that wait for divisions */

/* An element needs the one of the turn before, and a quotient or root: a core waits for it unless it has other rows to
 * work on, whose elements may then lie apart. */
static bool is_slow_loop(const Lanes *l, const Op *loop, bool *slow) {
    bool divides = false, recurs = loop->nres > 0;
    for (int i = 0; i < 3; i++)
        if (spread(l, op_opnd(loop, i)) != SAME) return false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        bool access = o->code == OP_LOAD || o->code == OP_STORE;
        if (access ? !op_flag(o, A_SAFE) : !plain_op(l, o)) return false;
        divides |= (o->code == OP_DIV || o->code == OP_SQRT) && dtype_is_float(o->res[0].type->dtype);
        for (const Use *u = o->code == OP_STORE ? op_opnd(o, 1)->uses : NULL; u; u = u->next)
            recurs |= u->user->code == OP_LOAD && u->user->parent == o->parent;
    }
    *slow |= divides && recurs;
    return true;
}

/* An array of the iteration's own: one for each lane, whose elements lie beside each other */
static bool is_own_array(const Op *op) { return op->code == OP_ALLOC && op->res[0].type->space == SPACE_PRIVATE; }

static bool waits_for_divisions(const Lanes *l) {
    bool slow = false;
    for (const Op *o = l->body->first; o != region_term(l->body); o = o->next)
        if (is_own_array(o)) continue;
        else if (o->code == OP_FOR ? !is_slow_loop(l, o, &slow) : !tail_op(o) || op_may_trap(o) || o->nregs)
            return false;
    return slow;
}

/* Rows are read along, and nothing else but the lanes' own */
static bool walks_down_rows(const Lanes *l, const Op *loop) {
    bool rows = false;
    for (const Op *o = loop->regs[0]->first; o; o = o->next) {
        const Value *v = o->code == OP_LOAD ? op_opnd(o, 0) : o->code == OP_STORE ? op_opnd(o, 1) : NULL;
        if (!v || (v->def && is_own_array(v->def))) continue;
        if (!beside_each_other(l, o)) return false;
        rows |= reads_rows(l, o, loop);
    }
    return rows;
}

/* Long, as with sums, where rows are read along */
static Shape slow_shape(const PassOptions *opts, const Lanes *l, const Op *loop) {
    bool rows = true;
    for (const Op *o = l->body->first; o; o = o->next) rows &= o->code != OP_FOR || walks_down_rows(l, o);
    const int strip = (int)choice_int(opts, CH_STRIP_BYTES) / SLOW;
    return (Shape){1, rows && at_least(op_opnd(loop, loop->nopnds - 1), strip) ? strip : VECTOR / SLOW};
}

/* ---- several loops one after the other */

/* Where the second inner loop's own work begins: behind the last store before it, or behind the first loop */
static Op *second_part(const Region *body) {
    Op *first = NULL, *cut = NULL;
    for (Op *o = body->first; o; o = o->next) {
        if (o->code == OP_FOR && first) return cut;
        if (o->code == OP_FOR) first = o;
        if (first && (o == first || o->code == OP_STORE)) cut = o->next;
    }
    return NULL;
}

/* Depends on indices and what stands outside alone */
static bool computes_again(const Region *body, const Op *op) {
    if (op->nregs || !op_is_pure(op)) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        if (v->def && v->def->parent == body && !computes_again(body, v->def)) return false;
    }
    return true;
}

/* Nothing but what can be computed again is handed from before the cut to behind it. */
static bool may_cut(const Region *body, const Op *cut) {
    for (const Op *o = body->first; o != cut; o = o->next)
        for (int i = 0; i < o->nres; i++)
            for (const Use *u = o->res[i].uses; u; u = u->next) {
                const Op *at = op_ancestor(u->user, body);
                if (!op_dominates(cut, at)) continue;
                if (!computes_again(body, o)) return false;
            }
    return true;
}

/* A copy of the loop, before it, that does what stands before the cut, or behind it */
static Op *copy_side(const Op *loop, const Op *cut, bool behind) {
    Builder b = builder_before((Op *)loop), in;
    Value *extents[MAX_RANK];
    Cloner c = {.module = b.module};
    for (int i = 0; i < loop->nopnds; i++) extents[i] = op_opnd(loop, i);
    Op *copy = build_plain_parallel(&b, loop->nopnds, extents, &in);
    for (int i = 0; i < loop->nopnds; i++) {
        copy->regs[0]->args[i]->name = loop->regs[0]->args[i]->name;
        map_put(b.module->arena, &c.values, loop->regs[0]->args[i], copy->regs[0]->args[i]);
    }
    bool past = false;
    for (const Op *o = loop->regs[0]->first; o != region_term(loop->regs[0]); o = o->next) {
        past |= o == cut;
        if (past == behind || (!past && computes_again(loop->regs[0], o))) clone_op(&c, &in, o);
    }
    return copy;
}

static bool reads_along_rows(const PassOptions *opts, const Op *loop) {
    Lanes l = lanes_of(loop);
    Op *inner = find_inner(&l);
    return inner && choose_shape(opts, &l, loop, inner).width * widest(inner) > VECTOR;
}

/* Two inner loops, one of which would be for lanes if it were alone: a parallel loop for each.  Iterations do not
 * depend on each other, so all may do their first part before any does its second.  The first of the two, or NULL. */
static Op *split(const PassOptions *opts, Op *loop) {
    if (op_loop(loop) != LOOP_PLAIN) return NULL;
    Op *cut = second_part(loop->regs[0]);
    if (!cut || !may_cut(loop->regs[0], cut)) return NULL;
    Op *first = copy_side(loop, cut, false), *second = copy_side(loop, cut, true);
    if (reads_along_rows(opts, first) || reads_along_rows(opts, second)) {
        op_erase(loop);
        return first;
    }
    op_erase(first);
    op_erase(second);
    return NULL;
}

static void visit(const PassOptions *opts, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (o->code == OP_PARALLEL && op_holds(o, OP_BARRIER)) continue;
        if (o->code == OP_PARALLEL && is_candidate(o)) {
            Lanes l = lanes_of(o);
            Op *inner = find_inner(&l);
            if (inner) {
                bring_shared_rows(opts, o, inner);
                l = lanes_of(o);
                make_lanes(o, inner, choose_shape(opts, &l, o, inner));
                continue;
            }
            if (waits_for_divisions(&l)) {
                make_lanes(o, NULL, slow_shape(opts, &l, o));
                continue;
            }
            Op *first = split(opts, o);
            if (first) {
                next = first;
                continue;
            }
        }
        for (int i = 0; i < o->nregs; i++) visit(opts, o->regs[i]);
    }
}

/* ---- reductions that will be such loops */

static bool is_sole_loop(const Op *op) {
    int others = 0;
    for (const Op *o = op->parent->first; o; o = o->next) others += o != op && o->nregs;
    return others == 0;
}

static bool exact_identity(const Op *reduce) {
    return op_combine(reduce) != COMBINE_CUSTOM && dtype_is_float(reduce->res[0].type->dtype);
}

bool loops_lanes_take(const Op *reduce) {
    const Op *loop = reduce->parent->owner;
    const Region *body = reduce->regs[0];
    if (loop->code != OP_PARALLEL || !is_candidate(loop) || reduce->nres != 1) return false;
    if (!exact_identity(reduce) || !is_sole_loop(reduce)) return false;
    Lanes l = lanes_of(loop);
    bool beside = false;
    for (int i = 0; i < body->nargs; i++)
        if (spread(&l, op_opnd(reduce, i)) != SAME) return false;
    for (const Op *o = body->first; o; o = o->next) {
        if (!plain_op(&l, o)) return false;
        beside |= reads_rows(&l, o, reduce) || reads_window(&l, o, reduce);
    }
    return beside;
}

int loops_chains_width(const Op *inner) { return PAIR / widest(inner); }

bool loops_lanes_are_chains(const Op *loop) {
    if (loop->code != OP_PARALLEL || !is_candidate(loop)) return false;
    Lanes l = lanes_of(loop);
    const Op *inner = find_inner(&l);
    return inner && is_narrow(inner) && has_chain(inner);
}

void pass_lanes(Module *m, const PassOptions *opts) {
    for (int i = 0; i < m->funcs.len; i++) visit(opts, m->funcs.data[i]->body);
}
