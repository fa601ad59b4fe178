/* Loops of a GPU that read an array along another axis than they write, r[i, j] = x[j, i] + ..: threads beside each
 * other would read elements that lie far apart.  So a block takes a tile of x, whose rows lie side by side, into shared
 * memory, and reads it from there by columns.  A row of the tile has one element more than it holds: those of a column
 * lie in different banks.
 *
 * After: Ruetsch, Micikevicius: Optimizing matrix transpose in CUDA, NVIDIA 2009. */
#include "lower/lower.h"

enum { TILE = 32, DOWN = 8, THREADS = TILE * DOWN, MOST_TILES = 4, FEW = 16 };

/* Reads of a loop whose last index is its index `axis`; last: the axis along which it writes */
typedef struct {
    Op *loop;
    int axis, last, n;
    Op *load[MOST_TILES];
    Value *tile[MOST_TILES];
    Value *iv[MAX_RANK];        /* of the block, for the axes but these two, whose first ones they are */
    Value *across, *down;       /* of the thread: 0..TILE, 0..DOWN */
} Turn;

/* ---- which loops */

static bool is_index(const Turn *t, const Value *v, int *axis) {
    const Region *r = t->loop->regs[0];
    for (int i = 0; i < r->nargs; i++)
        if (v == r->args[i]) return *axis = i, true;
    return false;
}

/* Where iv stands among the indices of the load; -1: not once, or in something else, too */
static int place_of(const Turn *t, const Op *load, int wanted) {
    int found = -1, axis;
    for (int i = 1; i < load->nopnds; i++) {
        const Value *v = op_opnd(load, i);
        bool index = is_index(t, v, &axis);
        if (value_const_int(v, NULL)) continue;
        if (!index && region_encloses(t->loop->regs[0], value_region(v))) return -1;
        if (!index || axis != wanted) continue;
        if (found >= 0) return -1;
        found = i;
    }
    return found;
}

typedef struct { const Value *buf; bool writes; } Uses;

static void look_at(void *ctx, Op *op) {
    Uses *u = ctx;
    u->writes |= op->code == OP_STORE && op_opnd(op, 1) == u->buf;
}

static bool is_turned(const Turn *t, const Op *op, int *axis) {
    int last = op->nopnds - 1;
    if (op->code != OP_LOAD || op->nopnds < 3 || !op_flag(op, A_SAFE)) return false;
    if (!is_index(t, op_opnd(op, last), axis) || *axis == t->last) return false;
    Uses u = {op_opnd(op, 0), false};
    region_walk(t->loop->regs[0], look_at, &u);
    return !u.writes && place_of(t, op, *axis) == last && place_of(t, op, t->last) > 0;
}

static bool is_few(const Value *extent) {
    int64_t n;
    return value_const_int(extent, &n) && n < FEW;
}

static bool find_turned(Turn *t) {
    for (Op *o = t->loop->regs[0]->first; o && t->n < MOST_TILES; o = o->next) {
        int axis;
        if (!is_turned(t, o, &axis) || (t->n && axis != t->axis)) continue;
        t->axis = axis;
        t->load[t->n++] = o;
    }
    return t->n && !is_few(op_opnd(t->loop, t->axis)) && !is_few(op_opnd(t->loop, t->last));
}

static bool is_candidate(const Op *op) {
    return loop_is_of_elements(op) && op->nopnds >= 2 && loop_computes_alone(op) && !op_holds(op, OP_ATOMIC);
}

/* ---- what is made of them */

static Value *both_inside(Builder *b, const Turn *t, Value *const *iv) {
    Value *x = build_binary(b, OP_LT, iv[t->axis], op_opnd(t->loop, t->axis));
    return build_binary(b, OP_AND, x, build_binary(b, OP_LT, iv[t->last], op_opnd(t->loop, t->last)));
}

/* A loop over the rows of the tile that a thread has, inside of the arrays; iv: its indices, of which the one along
 * `rows` goes with the loop.  row: which of the tile's */
static Op *each_row(Builder *b, const Turn *t, int rows, Value **iv, Value **row, Builder *in) {
    int columns = rows == t->axis ? t->last : t->axis;
    Op *loop = build_for(b, build_int(b, 0), build_int(b, TILE), build_int(b, DOWN), 0, NULL);
    Builder turn = builder_at_end(b->module, loop->regs[0], b->span);
    for (int i = 0; i < t->loop->nopnds; i++) iv[i] = t->iv[i];
    *row = index_add(&turn, loop->regs[0]->args[0], t->down);
    iv[rows] = index_add(&turn, iv[rows], *row);
    iv[columns] = index_add(&turn, iv[columns], t->across);
    build_when(&turn, both_inside(&turn, t, iv), in);
    build_yield(&turn, 0, NULL);
    return loop;
}

/* An index of a read, where the loop's are iv */
static Value *index_here(Builder *b, const Turn *t, Value *v, Value *const *iv) {
    int axis;
    int64_t k;
    if (is_index(t, v, &axis)) return iv[axis];
    return value_const_int(v, &k) ? build_int(b, k) : v;
}

static void bring(Builder *b, const Turn *t) {
    Value *iv[MAX_RANK], *row, *idx[MAX_RANK];
    Builder in;
    each_row(b, t, t->last, iv, &row, &in);
    for (int k = 0; k < t->n; k++) {
        const Op *load = t->load[k];
        for (int i = 1; i < load->nopnds; i++) idx[i - 1] = index_here(&in, t, op_opnd(load, i), iv);
        Value *x = load_safe(&in, op_opnd(load, 0), load->nopnds - 1, idx);
        store_safe(&in, x, t->tile[k], 2, (Value *[]){row, t->across});
    }
}

/* The loop's body, which moves there */
static void compute(Builder *b, const Turn *t) {
    Value *iv[MAX_RANK], *row;
    Builder in;
    each_row(b, t, t->axis, iv, &row, &in);
    for (int k = 0; k < t->n; k++) {
        Value *x = load_safe(&in, t->tile[k], 2, (Value *[]){t->across, row});
        value_replace_all(&t->load[k]->res[0], x);
        op_erase(t->load[k]);
    }
    loop_body_to(&in, t->loop, iv);
}

static void tiles(Builder *b, Turn *t) {
    Session *s = b->module->session;
    const Size *dims[] = {size_const(s, TILE), size_const(s, TILE + 1)};
    for (int k = 0; k < t->n; k++)
        t->tile[k] = build_shared(b, op_opnd(t->load[k], 0)->type->dtype, 2, dims, "tile");
}

/* Blocks in one row: the last axis of tiles first, then the other one, then the axes beside */
static Op *blocks(Builder *b, const Turn *t, Value **extents) {
    Value *n = NULL;
    for (int i = 0; i < t->loop->nopnds; i++) {
        bool tiled = i == t->axis || i == t->last;
        extents[i] = op_opnd(t->loop, i);
        if (tiled) extents[i] = index_ceildiv(b, extents[i], TILE);
        n = n ? index_mul(b, n, extents[i]) : extents[i];
    }
    return build_parallel(b, 1, &n, LOOP_BLOCK);
}

static void turn(Turn *t) {
    Builder b = builder_before(t->loop);
    Value *extents[MAX_RANK], *threads = build_int(&b, THREADS);
    Op *grid = blocks(&b, t, extents);
    Builder in = builder_at_end(b.module, grid->regs[0], t->loop->span);
    tiles(&in, t);
    index_unflatten(&in, grid->regs[0]->args[0], t->loop->nopnds, extents, t->iv);
    t->iv[t->axis] = index_mul(&in, t->iv[t->axis], build_int(&in, TILE));
    t->iv[t->last] = index_mul(&in, t->iv[t->last], build_int(&in, TILE));
    Op *loop = build_parallel(&in, 1, &threads, LOOP_THREAD);
    Builder body = builder_at_end(b.module, loop->regs[0], t->loop->span);
    Value *thread = loop->regs[0]->args[0], *wide = build_int(&body, TILE);
    t->across = imod_safe(&body, thread, wide);
    t->down = idiv_safe(&body, thread, wide);
    bring(&body, t);
    build_op(&body, OP_BARRIER, 1, &thread, 0, NULL, 0);
    compute(&body, t);
    build_yield(&body, 0, NULL);
    build_yield(&in, 0, NULL);
    op_erase(t->loop);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    if (op->code != OP_ISLAND || !island_is_launches(op)) return;
    for (Op *o = op->regs[0]->first, *next; o; o = next) {
        next = o->next;
        Turn t = {.loop = o, .last = o->nopnds - 1};
        if (!is_candidate(o) || !find_turned(&t)) continue;
        turn(&t);
        if (!op_sym(op, A_NAME)) op_set_sym(op, A_NAME, "transpose");
    }
}

void turn_on_device(Func *f) { region_walk(f->body, visit, NULL); }
