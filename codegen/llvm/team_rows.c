/* Rows that a team goes through more than once, such as those of a softmax, are in shared memory meanwhile: far memory
 * is read once, by up to sixteen bytes, and written once.
 *
 * Such a row is x[.., j] with all but the last index the same in the whole iteration.  Threads of a team are lanes of a
 * warp: in rows that lie an odd number of the lanes' words apart they touch different banks.  Where rows are of a
 * length that is known only as the program runs, they are where they belong if they turn out to be too long. */
#include "codegen/llvm/private.h"
#include "ir/index.h"
#include "runtime/simt.h"

#include <string.h>

enum { MOST_BYTES = 48 << 10, SOME_BYTES = 34 << 10, MOST_TEAMS = 32, USUAL_TEAMS = 8, FEWEST_TEAMS = 4, AHEAD = 8 };

/* ---- which rows */

static const Size *length_of(const Value *buf) { return buf->type->dims[buf->type->rank - 1]; }

static bool is_known_before(const Op *team, const Value *v) {
    return !region_encloses(team->regs[0], value_region(v)) || (!v->def && value_region(v) == team->regs[0]);
}

static int first_index(const Op *op) { return op->code == OP_STORE ? 2 : 1; }

static bool same_row(const Op *a, const Op *b, int rank) {
    for (int i = 0; i < rank - 1; i++)
        if (op_opnd(a, first_index(a) + i) != op_opnd(b, first_index(b) + i)) return false;
    return true;
}

static bool is_good(const Op *team, const Value *buf, const Op *op, const Op *other) {
    if (op->code != OP_LOAD && op->code != OP_STORE) return false;
    for (int i = 0; i < buf->type->rank - 1; i++)
        if (!is_known_before(team, op_opnd(op, first_index(op) + i))) return false;
    return !other || same_row(op, other, buf->type->rank);
}

/* An access of buf inside the loop if all are good, else NULL */
static const Op *good_access(const Op *team, const Value *buf) {
    const Op *one = NULL;
    for (const Use *u = buf->uses; u; u = u->next) {
        if (!op_inside(u->user, team)) continue;
        if (!is_good(team, buf, u->user, one)) return NULL;
        one = u->user;
    }
    return one;
}

/* How many of the loop's indices are among those in front: with none the row is that of all iterations, with all it is
 * the iteration's alone. */
static int own_indices(const Op *team, const Row *r) {
    const Region *body = team->regs[0];
    int own = 0;
    for (int i = 0; i < body->nargs; i++) {
        bool found = false;
        for (int k = 0; k < r->buf->type->rank - 1; k++)
            found |= op_opnd(r->access, first_index(r->access) + k) == body->args[i];
        own += found;
    }
    return own;
}

typedef struct { int loads, stores; bool all; } Touched; /* all: each element is stored, and none is read */

/* What op, one of the iteration's own, does with the row */
static Touched touched(const Gen *g, const Op *op, const Value *buf) {
    Touched t = {0};
    bool whole = op->code == OP_PARALLEL && op->nopnds == 1 &&
                 value_size(g->session, op_opnd(op, 0), false) == length_of(buf);
    for (const Use *u = buf->uses; u; u = u->next) {
        if (!op_inside(u->user, op) && u->user != op) continue;
        bool store = u->user->code == OP_STORE;
        t.loads += !store, t.stores += store;
        t.all |= store && whole && u->user->parent == op->regs[0] &&
                 op_opnd(u->user, u->user->nopnds - 1) == op->regs[0]->args[0];
    }
    t.all &= !t.loads;
    return t;
}

/* How often the team goes through the row, and whether it has to be read and written */
static int passes_of(const Gen *g, const Op *team, Row *r) {
    int passes = 0;
    bool some = false;
    for (const Op *o = team->regs[0]->first; o; o = o->next) {
        Touched t = touched(g, o, r->buf);
        if (!t.loads && !t.stores) continue;
        if (!some) r->in = !t.all;
        some = true;
        r->out |= t.stores > 0;
        passes += o->nregs > 0;
    }
    return passes;
}

static int64_t stride_of(int64_t bytes, int64_t element) {
    int64_t odd = DSL_TEAM * element, n = (bytes + odd - 1) / odd * odd;
    return n % (2 * odd) ? n : n + odd;
}

typedef struct { const Gen *g; const Op *team; Rows *rows; } Search;

static void find_row(void *ctx, Op *op) {
    Search *s = ctx;
    Rows *rows = s->rows;
    if ((op->code != OP_LOAD && op->code != OP_STORE) || rows->n == MOST_ROWS) return;
    const Value *buf = op_opnd(op, first_index(op) - 1);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].buf == buf) return;
    int64_t n = 0, element = dtype_info(buf->type->dtype)->bytes;
    Row r = {.buf = buf, .access = buf->type->rank ? good_access(s->team, buf) : NULL};
    if (!r.access || element < 4 || !own_indices(s->team, &r) || !is_known_before(s->team, buf)) return;
    bool known = size_is_const(length_of(buf), &n);
    int64_t bytes = n * element;
    r.stride = known ? stride_of(bytes, element) : 0;
    r.chunk = !known ? element : bytes % 16 ? bytes % 8 ? 4 : 8 : 16;
    if ((known && !n) || r.stride * FEWEST_TEAMS > MOST_BYTES || passes_of(s->g, s->team, &r) < 2) return;
    if (r.out && own_indices(s->team, &r) < s->team->regs[0]->nargs) return;
    rows->row[rows->n++] = r;
    rows->some_unknown |= !known;
}

Rows gen_rows(const Gen *g, const Op *team) {
    Rows rows = {.n = 0};
    if (!plan_loop(g->plan, team)->team) return rows;
    region_walk(team->regs[0], find_row, &(Search){g, team, &rows});
    int64_t bytes = 0;
    for (int i = 0; i < rows.n; i++) bytes += rows.row[i].stride;
    while (bytes * FEWEST_TEAMS > MOST_BYTES) bytes -= rows.row[--rows.n].stride;
    rows.teams = rows.some_unknown ? USUAL_TEAMS : MOST_TEAMS;
    while (rows.teams > FEWEST_TEAMS && rows.teams * bytes > SOME_BYTES) rows.teams /= 2;
    return rows;
}

static LLVMValueRef bytes_of(Gen *g, const Row *r) {
    LLVMValueRef element = const_i64(g, dtype_info(r->buf->type->dtype)->bytes);
    return LLVMBuildNSWMul(g->b, gen_array_extent(g, length_of(r->buf)), element, "");
}

/* stride_of, where the length is known as the program runs */
static LLVMValueRef stride(Gen *g, const Row *r) {
    if (r->stride) return const_i64(g, r->stride);
    int64_t odd = DSL_TEAM * dtype_info(r->buf->type->dtype)->bytes;
    LLVMValueRef up = LLVMBuildNSWAdd(g->b, bytes_of(g, r), const_i64(g, odd - 1), "");
    up = LLVMBuildAnd(g->b, up, const_i64(g, -odd), "");
    return LLVMBuildOr(g->b, up, const_i64(g, odd), "");
}

LLVMValueRef gen_rows_bytes(Gen *g, const Rows *rows) {
    LLVMValueRef bytes = const_i64(g, 0);
    for (int i = 0; i < rows->n; i++) bytes = LLVMBuildNSWAdd(g->b, bytes, stride(g, &rows->row[i]), "");
    bytes = LLVMBuildNSWMul(g->b, bytes, const_i64(g, rows->teams), "");
    if (!rows->some_unknown) return bytes;
    LLVMValueRef fits = LLVMBuildICmp(g->b, LLVMIntULE, bytes, const_i64(g, MOST_BYTES), "");
    return LLVMBuildSelect(g->b, fits, bytes, const_i64(g, 0), "");
}

/* ---- copies, a chunk of a thread of the team at a time */

static LLVMTypeRef chunk_type(Gen *g, const Row *r) {
    return r->chunk == 4 ? g->i32 : LLVMVectorType(g->i32, (unsigned)(r->chunk / 4));
}

static void copy_chunk(Gen *g, const Row *r, LLVMValueRef to, LLVMValueRef from) {
    LLVMValueRef x = LLVMBuildLoad2(g->b, chunk_type(g, r), from, "");
    LLVMSetAlignment(x, (unsigned)r->chunk);
    LLVMSetAlignment(LLVMBuildStore(g->b, x, to), (unsigned)r->chunk);
}

static LLVMValueRef plus(Gen *g, LLVMValueRef p, LLVMValueRef bytes) {
    return LLVMBuildInBoundsGEP2(g->b, g->i8, p, &bytes, 1, "");
}

static void copy_row(Gen *g, const Row *r, bool out) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), header = gen_block(g, "row"), copy = gen_block(g, "copy"),
                      after = gen_block(g, "after");
    LLVMValueRef first = LLVMBuildNSWMul(g->b, gen_team(g)->member, const_i64(g, r->chunk), ""), at, next;
    LLVMBuildBr(g->b, header);
    gen_at(g, header);
    at = LLVMBuildPhi(g->b, g->i64, "");
    LLVMAddIncoming(at, &first, &before, 1);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, at, r->end, ""), copy, after);
    gen_at(g, copy);
    LLVMValueRef near = plus(g, r->near, at), far = plus(g, r->far, at);
    if (out) copy_chunk(g, r, far, near);
    else if (g->on_device && gen_device_copies(g)) gen_device_copy(g, near, far, r->chunk);
    else copy_chunk(g, r, near, far);
    next = LLVMBuildNSWAdd(g->b, at, const_i64(g, DSL_TEAM * r->chunk), "");
    LLVMAddIncoming(at, &next, &copy, 1);
    LLVMBuildBr(g->b, header);
    if (g->on_device) gen_loop_unrolled(g, header, AHEAD);
    gen_at(g, after);
}

/* The row is in the array, whatever guards say: an index of the loop, whose end is that of the axis */
static bool is_inside(const Gen *g, const Op *team, const Row *r, int axis) {
    const Value *at = op_opnd(r->access, first_index(r->access) + axis);
    const Region *body = team->regs[0];
    for (int i = 0; i < body->nargs; i++)
        if (body->args[i] == at) return value_size(g->session, op_opnd(team, i), false) == r->buf->type->dims[axis];
    return false;
}

/* Its bytes; 0 where it is outside of the array, as a guard inside the iteration may know */
static LLVMValueRef bytes_inside(Gen *g, const Op *team, const Row *r) {
    LLVMValueRef bytes = bytes_of(g, r);
    for (int i = 0; i < r->buf->type->rank - 1; i++) {
        if (is_inside(g, team, r, i)) continue;
        LLVMValueRef at = gen_value(g, op_opnd(r->access, first_index(r->access) + i));
        LLVMValueRef inside = LLVMBuildICmp(g->b, LLVMIntULT, at, gen_array_extent(g, r->buf->type->dims[i]), "");
        bytes = LLVMBuildSelect(g->b, inside, bytes, const_i64(g, 0), "");
    }
    return bytes;
}

/* The row's first element in the array */
static LLVMValueRef far_place(Gen *g, const Row *r) {
    const Type *t = r->buf->type;
    const Use *idx = r->access->opnds + first_index(r->access);
    LLVMValueRef at = const_i64(g, 0);
    for (int i = 0; i < t->rank; i++) {
        if (i) at = LLVMBuildNSWMul(g->b, at, gen_array_extent(g, t->dims[i]), "");
        if (i < t->rank - 1) at = LLVMBuildNSWAdd(g->b, at, gen_value(g, idx[i].val), "");
    }
    at = LLVMBuildNSWMul(g->b, at, const_i64(g, dtype_info(t->dtype)->bytes), "");
    return plus(g, gen_value(g, r->buf), at);
}

/* Rows that turn out to be too long stay where they are; all of a launch's blocks see it alike. */
static LLVMBasicBlockRef begin_if_near(Gen *g, const Rows *rows) {
    if (!rows->some_unknown) return NULL;
    LLVMBasicBlockRef near = gen_block(g, "near"), on = gen_block(g, "on");
    LLVMBuildCondBr(g->b, rows->near, near, on);
    gen_at(g, near);
    return on;
}

static void end_if_near(Gen *g, LLVMBasicBlockRef on) {
    if (!on) return;
    LLVMBuildBr(g->b, on);
    gen_at(g, on);
}

/* Where rows are meanwhile */
static void place_rows(Gen *g, const Op *op, Rows *rows, LLVMValueRef team) {
    LLVMValueRef zero = const_i64(g, 0);
    if (rows->some_unknown) rows->near = LLVMBuildICmp(g->b, LLVMIntNE, gen_rows_bytes(g, rows), zero, "");
    for (int i = 0; i < rows->n; i++) {
        Row *r = &rows->row[i];
        LLVMValueRef each = stride(g, r), all = LLVMBuildNSWMul(g->b, each, const_i64(g, rows->teams), "");
        r->near = plus(g, gen_shared_room(g, all), LLVMBuildNSWMul(g->b, team, each, ""));
        r->far = far_place(g, r);
        r->end = bytes_inside(g, op, r);
        r->place = rows->some_unknown ? LLVMBuildSelect(g->b, rows->near, r->near, r->far, "") : r->near;
    }
}

void gen_rows_begin(Gen *g, const Op *op, Rows *rows, LLVMValueRef team) {
    bool some = false;
    for (int i = 0; i < rows->n; i++) some |= rows->row[i].in;
    place_rows(g, op, rows, team);
    if (!some) return;
    LLVMBasicBlockRef on = begin_if_near(g, rows);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].in) copy_row(g, &rows->row[i], false);
    if (g->on_device && gen_device_copies(g)) gen_device_copied(g);
    gen_team_meets(g, op->span);
    end_if_near(g, on);
}

void gen_rows_end(Gen *g, const Rows *rows, Span at) {
    bool some = false;
    for (int i = 0; i < rows->n; i++) some |= rows->row[i].out;
    if (!some) return;
    LLVMBasicBlockRef on = begin_if_near(g, rows);
    gen_team_meets(g, at);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].out) copy_row(g, &rows->row[i], true);
    end_if_near(g, on);
}

LLVMValueRef gen_row_place(const Rows *rows, const Value *buf) {
    for (int i = 0; rows && i < rows->n; i++)
        if (rows->row[i].buf == buf) return rows->row[i].place;
    return NULL;
}
