/* reuse: what neighbours in a nest of loops compute again, up to a shift of the indices, is computed once and kept for
 * a few rows.
 *
 * Needs stage loops, nests in their last form.  `y[i, j] = f(a[i, j - 1]) + f(a[i, j + 1]) + f(a[i + 1, j])` computes f
 * three times for each element of a, as the gradient of a stencil does with all that leads to a place, and a stencil of
 * a stencil.  The rows become strips; in each the values f are computed ahead, row by row, into a buffer that holds as
 * many rows as are looked at together, where the row that is written takes the place of the one that nobody looks at
 * any more.  The buffer stays in the near cache: nothing is added to the traffic of memory.  The first rows of a strip
 * are computed by the strip before as well, which the length of a strip makes little of.  The expressions are the same,
 * and so are the bits.
 *
 * Which values are the same: shifts.c.  Array-level common subexpressions: Deitz, Chamberlain, Snyder, ICS 2001; rows
 * that roll through a buffer: Basu and others, Compiler generation and autotuning of communication-avoiding operators
 * for geometric multigrid, HiPC 2013 (partial sums). */
#include "analysis/cost.h"
#include "opt/loops/shifts.h"
#include "opt/loops/split.h"

#include <string.h>

enum {
    MAX_OPS = 1500,
    MAX_REACH_ROWS = 8,  /* rows of a buffer, less one */
    MAX_REACH = 64,      /* and how far it is looked along a row */
    LEAST_STRIP = 8,     /* rows */
    MOST_STRIP = 64,
    MOST_WIDTH = 1 << 16, /* elements of a row: several of them are to lie in a near cache */
    READ = 2,            /* an element of a buffer in the nearest cache, read or written */
    WAIT = 10,           /* for what an array brings, while there is less to do meanwhile */
};

typedef struct { int64_t at[SHIFTS_AXES]; } Spot; /* of the indices, from where the body is */

typedef struct {
    VEC(Spot) places;   /* where the body computes it */
    int user;            /* the only class that is computed of it; NOBODY, SEVERAL */
    bool kept;
    int64_t least[SHIFTS_AXES], reach[SHIFTS_AXES]; /* of the places: least, and most - least */
    int level;           /* 1 + that of the kept ones which it is computed of */
    Value *buf;          /* rows, columns */
} Info;
enum { NOBODY = -1, SEVERAL = -2 };

typedef struct {
    Op *rows, *cols;     /* the loops; flat: the same */
    Shifts s;
    Info *info;          /* by class */
    Map now;             /* indices of loops around the rows: what they are in the new loops */
    int64_t gain;
    int levels;
    bool always;         /* whatever is gained */
} Reuse;

/* What v, an index of a loop around the rows or anything else, is in the new loops */
static Value *now_of(const Reuse *g, Value *v) {
    for (Value *next; v && (next = map_get(&g->now, v));) v = next;
    return v;
}

static const ShiftsClass *class_at(const Reuse *g, int c) { return &g->s.classes.data[c]; }

/* ---- where a class is computed, and for whom */

static void add_place(Reuse *g, const ShiftsValue *v) {
    Info *x = &g->info[v->class];
    for (int i = 0; i < x->places.len; i++)
        if (!memcmp(x->places.data[i].at, v->at, sizeof v->at)) return;
    Spot p = {{v->at[0], v->at[1]}};
    vec_push(g->s.arena, &x->places, p);
}

static void add_user(Reuse *g, Value *v, int user) {
    const ShiftsValue *of = shifts_of(&g->s, v);
    if (!of) return;
    Info *x = &g->info[of->class];
    if (x->user == NOBODY) x->user = user;
    else if (x->user != user) x->user = SEVERAL;
}

static bool is_minus(const Op *op) { return op->code == OP_NEG && dtype_is_float(op->res[0].type->dtype); }

static void find_users(void *ctx, Op *op) {
    Reuse *g = ctx;
    const ShiftsValue *v = op->nres == 1 && op->parent == g->s.body ? shifts_of(&g->s, &op->res[0]) : NULL;
    if (v && op->parent == g->s.body) add_place(g, v);
    if (v && is_minus(op)) return;
    for (int i = 0; i < op->nopnds; i++) add_user(g, op_opnd(op, i), v ? v->class : SEVERAL);
}

/* All of it goes into another class, which is computed as often. */
static bool is_part(const Reuse *g, int c) {
    int user = g->info[c].user;
    return user >= 0 && g->info[user].places.len == g->info[c].places.len;
}

/* ---- what it costs */

typedef struct { int class; int64_t at[SHIFTS_AXES]; } Seen;
typedef struct { const Reuse *g; VEC(Seen) seen; int root; } Costs;

static int64_t cost_of(Costs *k, int c, int64_t row, int64_t col) {
    const ShiftsClass *x = class_at(k->g, c);
    if (x->kind == SHIFTS_FIXED || x->kind == SHIFTS_INDEX) return 0;
    for (int i = 0; i < k->seen.len; i++)
        if (k->seen.data[i].class == c && k->seen.data[i].at[0] == row && k->seen.data[i].at[1] == col) return 0;
    Seen new = {c, {row, col}};
    vec_push(k->g->s.arena, &k->seen, new);
    if (x->kind == SHIFTS_LOAD || (k->g->info[c].kept && c != k->root)) return READ;
    int64_t sum = op_info(x->code)->cost;
    for (int i = 0; i < x->n; i++) sum += cost_of(k, x->kid[i], row + x->by[i][0], col + x->by[i][1]);
    return sum;
}

static void find_reach(Info *x) {
    for (int a = 0; a < SHIFTS_AXES; a++) {
        int64_t lo = INT64_MAX, hi = INT64_MIN;
        for (int i = 0; i < x->places.len; i++) {
            int64_t at = x->places.data[i].at[a];
            lo = at < lo ? at : lo, hi = at > hi ? at : hi;
        }
        x->least[a] = lo, x->reach[a] = hi - lo;
    }
}

/* How many elements a row of the class can have: the size along it of an array that is read; NULL: nobody knows */
static const Size *width_of(const Reuse *g, int c) {
    const ShiftsClass *x = class_at(g, c);
    const Size *found = NULL;
    for (int k = 0; x->kind == SHIFTS_LOAD && k < x->n; k++)
        if (x->index[k].axis == 1) return x->value->type->dims[k];
    for (int k = 0; x->kind == SHIFTS_OP && k < x->n && !found; k++) found = width_of(g, x->kid[k]);
    return found;
}

static bool is_narrow(const Size *width) {
    int64_t n;
    return width && (!size_is_const(width, &n) || n <= MOST_WIDTH);
}

static int level_of(const Reuse *g, int c) {
    const ShiftsClass *x = class_at(g, c);
    int most = 0;
    for (int k = 0; x->kind == SHIFTS_OP && k < x->n; k++) {
        int kid = x->kid[k], level = g->info[kid].kept ? g->info[kid].level + 1 : level_of(g, kid);
        most = level > most ? level : most;
    }
    return most;
}

static bool can_keep(const Reuse *g, int c) {
    const ShiftsClass *x = class_at(g, c);
    return x->kind == SHIFTS_OP && dtype_is_float(x->type->dtype) && dtype_info(x->type->dtype)->bytes >= 4 &&
           x->moves[1] && g->info[c].places.len > 1 && !is_part(g, c);
}

static void decide(Reuse *g, int c) {
    Info *x = &g->info[c];
    Costs k = {.g = g, .root = c};
    if (!can_keep(g, c)) return;
    find_reach(x);
    if (x->reach[0] > MAX_REACH_ROWS || x->reach[1] > MAX_REACH || !is_narrow(width_of(g, c))) return;
    int64_t n = x->places.len, gain = (n - 1) * cost_of(&k, c, 0, 0) - READ * (n + 1);
    if (gain < COST_DIVISION && !g->always) return;
    x->kept = true;
    x->level = level_of(g, c);
    g->gain += gain;
    if (x->level >= g->levels) g->levels = x->level + 1;
}

/* Arrays that pass through the loop along a row.  It waits for them in any case, and a loop with little else to do
 * meanwhile would wait longer in parts. */
static int count_arrays(const Reuse *g) {
    Map seen = {0};
    int n = 0;
    for (const Op *o = g->s.body->first; o; o = o->next) {
        const Value *buf = o->code == OP_LOAD ? op_opnd(o, 0) : o->code == OP_STORE ? op_opnd(o, 1) : NULL;
        if (!buf || map_has(&seen, buf)) continue;
        map_put(g->s.arena, &seen, buf, (void *)buf);
        n++;
    }
    return n;
}

static bool is_worth_it(Reuse *g) {
    shifts_read(&g->s);
    int n = g->s.classes.len;
    g->info = NEWN(g->s.arena, Info, n + 1);
    memset(g->info, 0, sizeof *g->info * (size_t)(n + 1));
    for (int i = 0; i < n; i++) g->info[i].user = NOBODY;
    region_walk((Region *)g->s.body, find_users, g);
    for (int i = 0; i < n; i++) decide(g, i);
    return g->levels && (g->always || g->gain >= WAIT * count_arrays(g));
}

/* ---- computing a class at a place */

typedef struct { int class; int64_t at[SHIFTS_AXES]; Value *v; } Made;
typedef struct {
    Reuse *g;
    Builder *outside, *in;      /* before the loop along the row, and in it */
    Value *row, *col, *turn;    /* the place from which shifts count; the loop's own index */
    VEC(Made) made, slots;      /* of slots: of how many rows, instead of the class */
} Maker;

static Value *plus(Builder *b, Value *x, int64_t c) { return index_add(b, x, build_int(b, c)); }

static Value *index_at(Maker *m, const ShiftsIndex *x, int64_t row, int64_t col) {
    Value *base = now_of(m->g, x->base), *v;
    if (x->axis < 0) v = build_int(m->outside, x->c);
    else v = x->axis ? plus(m->in, m->col, x->c + col) : plus(m->outside, m->row, x->c + row);
    Builder *b = x->axis == 1 ? m->in : m->outside;
    if (!base) return v;
    return x->minus ? index_sub(b, v, base) : index_add(b, v, base);
}

/* Where the buffer has the row */
static Value *slot_of(Maker *m, const Info *x, int64_t row) {
    int rows = (int)x->reach[0] + 1;
    if (rows == 1) return build_int(m->outside, 0);
    for (int i = 0; i < m->slots.len; i++)
        if (m->slots.data[i].class == rows && m->slots.data[i].at[0] == row) return m->slots.data[i].v;
    Value *at = plus(m->outside, m->row, row);
    Made new = {rows, {row, 0}, imod_safe(m->outside, at, build_int(m->outside, rows))};
    vec_push(m->g->s.arena, &m->slots, new);
    return new.v;
}

static Value *read_kept(Maker *m, const Info *x, int64_t row, int64_t col) {
    Value *at[2];
    at[0] = slot_of(m, x, row);
    at[1] = plus(m->in, m->turn, col - x->least[1]);
    return load_safe(m->in, x->buf, 2, at);
}

static Value *make(Maker *m, int c, int64_t row, int64_t col, bool root);

static Value *make_load(Maker *m, const ShiftsClass *x, int64_t row, int64_t col) {
    Value *at[MAX_RANK];
    for (int k = 0; k < x->n; k++) at[k] = index_at(m, &x->index[k], row, col);
    return load_safe(m->in, x->value, x->n, at);
}

static Value *make_op(Maker *m, const ShiftsClass *x, int64_t row, int64_t col) {
    Value *of[SHIFTS_KIDS];
    for (int k = 0; k < x->n; k++) {
        of[k] = make(m, x->kid[k], row + x->by[k][0], col + x->by[k][1], false);
        if (x->minus[k]) of[k] = build_unary(m->in, OP_NEG, of[k]);
    }
    m->in->span = x->value->def->span;
    Op *op = build_op(m->in, x->code, x->n, of, 1, &x->type, 0);
    op->res[0].name = x->value->name;
    op->derived = x->value->def->derived;
    return &op->res[0];
}

static Value *make_any(Maker *m, int c, int64_t row, int64_t col, bool root) {
    const ShiftsClass *x = class_at(m->g, c);
    if (m->g->info[c].kept && !root) return read_kept(m, &m->g->info[c], row, col);
    switch (x->kind) {
    case SHIFTS_LOAD: return make_load(m, x, row, col);
    case SHIFTS_INDEX: return index_at(m, &x->index[0], row, col);
    case SHIFTS_FIXED: return now_of(m->g, x->value);
    default: return make_op(m, x, row, col);
    }
}

/* The class, without its sign, so far from where shifts count; root: although it is kept */
static Value *make(Maker *m, int c, int64_t row, int64_t col, bool root) {
    for (int i = 0; i < m->made.len; i++) {
        const Made *old = &m->made.data[i];
        if (old->class == c && old->at[0] == row && old->at[1] == col) return old->v;
    }
    Made new = {c, {row, col}, make_any(m, c, row, col, root)};
    vec_push(m->g->s.arena, &m->made, new);
    return new.v;
}

/* ---- rows in strips */

/* Rows of a strip: enough that few are computed twice, and strips for all threads */
static Value *strip_of(const Reuse *g, Builder *b, Value *n) {
    Value *least = build_int(b, LEAST_STRIP), *most = build_int(b, MOST_STRIP);
    if (op_flag(g->rows, A_SERIAL)) return index_max(b, n, build_int(b, 1));
    if (g->rows->nopnds > 1) return most;
    Value *share = idiv_safe(b, n, index_mul(b, build_threads(b), build_int(b, 4)));
    return index_max(b, least, index_min(b, most, share));
}

static void make_buffers(Reuse *g, Builder *b) {
    Session *s = b->module->session;
    for (int c = 0; c < g->s.classes.len; c++) {
        Info *x = &g->info[c];
        if (!x->kept) continue;
        const Size *dims[] = {size_const(s, x->reach[0] + 1), width_of(g, c)};
        const Type *t = type_buf(s, class_at(g, c)->type->dtype, 2, dims, SPACE_PRIVATE);
        x->buf = &build_op(b, OP_ALLOC, 0, NULL, 1, &t, 0)->res[0];
        x->buf->name = intern(s, "kept");
    }
}

static void replace_index(Reuse *g, Value *old, Value *new) {
    map_put(g->s.arena, &g->now, old, new);
    value_take_over(old, new);
}

/* The loop over the rows becomes one over strips, in it the buffers and a loop over the strip's rows that carries two
 * ints, or nothing.  The loop over rows. */
static Op *make_strips(Reuse *g, bool carry) {
    Op *old = g->rows;
    Builder b = builder_before(old);
    int last = old->nopnds - 1;
    Value *extents[MAX_RANK], *n = op_opnd(old, last);
    b.span = old->span;
    Value *strip = strip_of(g, &b, n), *one = build_int(&b, 1), *zero = build_int(&b, 0), *none = build_int(&b, -1);
    for (int i = 0; i < last; i++) extents[i] = op_opnd(old, i);
    extents[last] = idiv_safe(&b, index_add(&b, n, index_sub(&b, strip, one)), strip);
    Op *outer = build_parallel(&b, last + 1, extents, LOOP_PLAIN);
    if (op_flag(old, A_SERIAL)) op_set_flag(outer, A_SERIAL);
    Builder in = builder_at_end(b.module, outer->regs[0], old->span);
    make_buffers(g, &in);
    Value *first = index_mul(&in, outer->regs[0]->args[last], strip),
          *count = index_min(&in, strip, index_sub(&in, n, first)), *before[] = {none, none};
    Op *loop = build_for(&in, zero, count, one, carry ? 2 : 0, before);
    build_yield(&in, 0, NULL);
    Builder start = builder_at_end(b.module, loop->regs[0], old->span);
    Value *row = index_add(&start, first, loop->regs[0]->args[0]);
    for (int i = 0; i < last; i++) replace_index(g, old->regs[0]->args[i], outer->regs[0]->args[i]);
    replace_index(g, old->regs[0]->args[last], row);
    op_move_range(old->regs[0]->first, region_term(old->regs[0])->prev, loop->regs[0], NULL);
    g->s.base = now_of(g, g->s.base);
    Value *now[] = {g->s.base ? g->s.base : zero, op_opnd(g->cols, 0)};
    Builder end = builder_at_end(b.module, loop->regs[0], old->span);
    build_yield(&end, carry ? 2 : 0, now);
    g->s.iv[0] = row;
    op_erase(old);
    return loop;
}

/* ---- rows ahead */

/* At b, the k-th of the rows that are kept: the classes of the level that reach as far as `like` */
static void fill_row(Reuse *g, Builder *b, const Info *like, Value *k) {
    Value *count = plus(b, op_opnd(g->cols, 0), like->reach[1]), *row = index_add(b, g->s.iv[0], k);
    Op *loop = build_parallel(b, 1, &count, LOOP_PLAIN);
    Builder outside = builder_before(loop), in = builder_at_end(b->module, loop->regs[0], b->span);
    Value *turn = loop->regs[0]->args[0];
    turn->name = g->s.iv[1]->name;
    Maker m = {.g = g, .outside = &outside, .in = &in, .row = row, .turn = turn};
    m.col = g->s.base ? index_add(&in, turn, g->s.base) : turn;
    for (int c = 0; c < g->s.classes.len; c++) {
        Info *x = &g->info[c];
        if (!x->kept || x->level != like->level || memcmp(x->reach, like->reach, sizeof x->reach)) continue;
        Value *v = make(&m, c, x->least[0], x->least[1], true), *at[] = {slot_of(&m, x, x->least[0]), turn};
        store_safe(&in, v, x->buf, 2, at);
    }
    build_yield(&in, 0, NULL);
}

static bool is_first_alike(const Reuse *g, int c) {
    const Info *x = &g->info[c];
    for (int i = 0; i < c; i++) {
        const Info *y = &g->info[i];
        if (y->kept && y->level == x->level && !memcmp(x->reach, y->reach, sizeof x->reach)) return false;
    }
    return x->kept;
}

/* All rows that are looked at from this one; where the turn before was at the row before, only the last is new. */
static void fill_rows(Reuse *g, Builder *b, const Info *x, Value *follows) {
    Value *last = build_int(b, x->reach[0]), *zero = build_int(b, 0);
    if (!x->reach[0]) {
        fill_row(g, b, x, zero);
        return;
    }
    Value *from = build_select(b, follows, last, zero), *end = plus(b, last, 1);
    Op *loop = build_for(b, from, end, build_int(b, 1), 0, NULL);
    Builder in = builder_at_end(b->module, loop->regs[0], b->span);
    fill_row(g, &in, x, loop->regs[0]->args[0]);
    build_yield(&in, 0, NULL);
}

/* The turn before looked at the same columns. */
static Value *follows_on(const Reuse *g, Builder *b, const Op *rows, bool carry) {
    Value *const *arg = rows->regs[0]->args;
    if (!carry) return build_binary(b, OP_GT, arg[0], build_int(b, 0));
    Value *base = g->s.base ? g->s.base : build_int(b, 0);
    Value *from = build_binary(b, OP_EQ, arg[1], base);
    Value *count = build_binary(b, OP_EQ, arg[2], op_opnd(g->cols, 0));
    return build_binary(b, OP_AND, from, count);
}

static void fill(Reuse *g, const Op *rows, bool carry) {
    Builder b = builder_before(g->cols), in;
    Value *count = op_opnd(g->cols, 0);
    b.span = g->cols->span;
    Value *follows = follows_on(g, &b, rows, carry);
    build_when(&b, build_binary(&b, OP_GT, count, build_int(&b, 0)), &in);
    for (int level = 0; level < g->levels; level++)
        for (int c = 0; c < g->s.classes.len; c++)
            if (g->info[c].level == level && is_first_alike(g, c)) fill_rows(g, &in, &g->info[c], follows);
}

/* In the loop along the row, what is kept is read. */
static void read_all(Reuse *g) {
    Builder outside = builder_before(g->cols);
    Region *body = g->cols->regs[0];
    Maker m = {.g = g, .outside = &outside, .row = g->s.iv[0], .turn = body->args[0]};
    for (Op *o = body->first, *next; o; o = next) {
        next = o->next;
        const ShiftsValue *v = o->nres == 1 ? shifts_of(&g->s, &o->res[0]) : NULL;
        if (!v || !g->info[v->class].kept || is_minus(o)) continue;
        Builder in = builder_before(o);
        m.in = &in;
        Value *now = make(&m, v->class, v->at[0], v->at[1], false);
        if (v->minus) now = build_unary(&in, OP_NEG, now);
        value_replace_all(&o->res[0], now);
    }
}

/* ---- which loops */

static bool changes_by_row(const Reuse *g, const Value *v) {
    return v && region_encloses(g->rows->regs[0], value_region(v)) && (v->def || v == g->s.iv[0]);
}

/* if the rows are narrow { the loops, which are to be rewritten } else { as they are }; nothing where that is known */
static void choose_narrow(Reuse *g) {
    Builder b = builder_before(g->rows);
    Cloner c = {.module = b.module};
    Value *narrow = NULL;
    const Size *last = NULL;
    for (int i = 0; i < g->s.classes.len; i++) {
        const Size *width = g->info[i].kept ? width_of(g, i) : last;
        int64_t n;
        if (width == last || size_is_const(width, &n)) continue;
        Value *elements = build_size(&b, width), *fits = build_binary(&b, OP_LE, elements, build_int(&b, MOST_WIDTH));
        narrow = narrow ? build_binary(&b, OP_AND, narrow, fits) : fits;
        last = width;
    }
    if (!narrow) return;
    Op *choice = build_if(&b, narrow, 0, NULL);
    Builder then = builder_at_end(b.module, choice->regs[0], b.span),
            other = builder_at_end(b.module, choice->regs[1], b.span);
    clone_op(&c, &other, g->rows);
    build_yield(&then, 0, NULL);
    build_yield(&other, 0, NULL);
    op_move_before(g->rows, region_term(choice->regs[0]));
}

static void rewrite(Reuse *g) {
    choose_narrow(g);
    if (g->rows == g->cols) {
        Region *flat = g->rows->regs[0];
        int last = g->rows->nopnds - 1;
        Value *old[MAX_RANK];
        for (int i = 0; i <= last; i++) old[i] = flat->args[i];
        g->cols = split_last_axis(g->rows);
        g->rows = g->cols->parent->owner;
        for (int i = 0; i < last; i++) map_put(g->s.arena, &g->now, old[i], g->rows->regs[0]->args[i]);
        g->s.iv[0] = g->rows->regs[0]->args[last - 1];
    }
    bool carry = changes_by_row(g, g->s.base) || changes_by_row(g, op_opnd(g->cols, 0));
    Op *rows = make_strips(g, carry);
    fill(g, rows, carry);
    read_all(g);
}

static bool try(Op *rows, Op *cols, bool always) {
    bool flat = rows == cols, done;
    int last = rows->nopnds - 1;
    Reuse g = {.rows = rows, .cols = cols, .always = always};
    if (region_count_ops(cols->regs[0]) > MAX_OPS) return false;
    g.s.arena = arena_new();
    g.s.outer = rows;
    g.s.body = cols->regs[0];
    g.s.iv[0] = rows->regs[0]->args[flat ? last - 1 : last];
    g.s.iv[1] = cols->regs[0]->args[flat ? last : 0];
    done = is_worth_it(&g);
    if (done) rewrite(&g);
    arena_free(g.s.arena);
    return done;
}

static bool is_innermost(Op *loop) { return split_is_innermost(loop, MAX_OPS); }

/* The loops along a row in one over rows, the last first; most of the work is there. */
static bool try_nest(Op *rows, bool always) {
    if (op_holds(rows, OP_BARRIER) || op_holds(rows, OP_ALLOC)) return false;
    for (Op *o = rows->regs[0]->last; o; o = o->prev)
        if (loops_is_plain(o) && o->nopnds == 1 && is_innermost(o) && try(rows, o, always)) return true;
    return false;
}

static void visit(Region *r, bool always) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        if (loops_is_plain(o) && (o->nopnds > 1 && is_innermost(o) ? try(o, o, always) : try_nest(o, always))) continue;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i], always);
    }
}

void pass_reuse(Module *m, const PassOptions *opts) {
    bool always = choice_is(opts, CH_REUSE, "always");
    for (int i = 0; i < m->funcs.len; i++) {
        if (!m->funcs.data[i]->body) continue;
        visit(m->funcs.data[i]->body, always);
        loops_mark(m->funcs.data[i]);
    }
}
