/* Rows that a team goes through more than once, such as those of a softmax, are in shared memory meanwhile: far memory
 * is read once, by sixteen bytes, and written once.
 *
 * Such a row is x[.., j] with all but the last index the same in the whole iteration, and j an index of the team's
 * loops inside, which run through all of the last axis.  Threads of a team are the lanes of a warp: in rows that lie
 * an odd number of the lanes' words apart they touch different banks. */
#include "codegen/llvm/private.h"
#include "runtime/simt.h"

#include <string.h>

enum { BANKS = 128, MOST_BYTES = 48 << 10, SOME_BYTES = 34 << 10, MOST_TEAMS = 32, FEWEST_TEAMS = 4, AHEAD = 8 };

/* ---- which rows */

/* The loop inside the team's that op stands in, however deep; NULL: none */
static const Op *inner_of(const Op *team, const Op *op) {
    while (op && op->parent != team->regs[0]) op = op->parent->owner;
    return op;
}

static bool is_whole(const Op *inner, const Type *t) {
    int64_t n, turns;
    bool shared_out = inner->code == OP_REDUCE ? op_flag(inner, A_TEAM)
                                               : inner->code == OP_PARALLEL && inner->nopnds == 1 &&
                                                     !op_flag(inner, A_SERIAL);
    return shared_out && size_is_const(t->dims[t->rank - 1], &n) && value_const_int(op_opnd(inner, 0), &turns) &&
           n == turns;
}

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
    const Op *inner = inner_of(team, op);
    int at = first_index(op), rank = buf->type->rank;
    if (!inner || !is_whole(inner, buf->type) || op_opnd(op, at + rank - 1) != inner->regs[0]->args[0]) return false;
    for (int i = 0; i < rank - 1; i++)
        if (!is_known_before(team, op_opnd(op, at + i))) return false;
    return !other || same_row(op, other, rank);
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

typedef struct { const Op *inner; int loads, stores, always; } Touched; /* always: stores in each of its turns */

static Touched touched(const Op *inner, const Value *buf) {
    Touched t = {.inner = inner};
    for (const Use *u = buf->uses; u; u = u->next) {
        if (!op_inside(u->user, inner)) continue;
        bool store = u->user->code == OP_STORE;
        t.loads += !store, t.stores += store;
        t.always += store && u->user->parent == inner->regs[0];
    }
    return t;
}

/* How often the team goes through the row, and whether it has to be read and written */
static int passes_of(const Op *team, Row *r) {
    int passes = 0;
    for (const Op *o = team->regs[0]->first; o; o = o->next) {
        Touched t = touched(o, r->buf);
        if (!t.loads && !t.stores) continue;
        if (!passes) r->in = t.loads || !t.always;
        r->out |= t.stores > 0;
        passes++;
    }
    return passes;
}

static int64_t stride_of(int64_t bytes, int64_t element) {
    int64_t odd = DSL_TEAM * element, n = (bytes + odd - 1) / odd * odd;
    return n % (2 * odd) ? n : n + odd;
}

typedef struct { const Op *team; Rows *rows; } Search;

static void find_row(void *ctx, Op *op) {
    Search *s = ctx;
    Rows *rows = s->rows;
    if ((op->code != OP_LOAD && op->code != OP_STORE) || rows->n == MOST_ROWS) return;
    const Value *buf = op_opnd(op, first_index(op) - 1);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].buf == buf) return;
    int64_t n, element = dtype_info(buf->type->dtype)->bytes;
    Row r = {.buf = buf, .access = buf->type->rank ? good_access(s->team, buf) : NULL};
    if (!r.access || element < 4 || !size_is_const(buf->type->dims[buf->type->rank - 1], &n)) return;
    r.bytes = n * element;
    r.stride = stride_of(r.bytes, element);
    r.chunk = r.bytes % 16 ? r.bytes % 8 ? 4 : 8 : 16;
    if (n > 0 && r.stride * FEWEST_TEAMS <= MOST_BYTES && passes_of(s->team, &r) > 1) rows->row[rows->n++] = r;
}

Rows gen_rows(const Gen *g, const Op *team) {
    Rows rows = {.n = 0};
    if (!plan_loop(g->plan, team)->team) return rows;
    region_walk(team->regs[0], find_row, &(Search){team, &rows});
    int64_t bytes = 0;
    for (int i = 0; i < rows.n; i++) bytes += rows.row[i].stride;
    while (bytes * FEWEST_TEAMS > MOST_BYTES) bytes -= rows.row[--rows.n].stride;
    rows.teams = MOST_TEAMS;
    while (rows.teams > FEWEST_TEAMS && rows.teams * bytes > SOME_BYTES) rows.teams /= 2;
    return rows;
}

int64_t gen_rows_bytes(const Rows *rows) {
    int64_t bytes = 0;
    for (int i = 0; i < rows->n; i++) bytes += rows->row[i].stride * rows->teams;
    return bytes;
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
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, at, const_i64(g, r->bytes), ""), copy, after);
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

void gen_rows_begin(Gen *g, Rows *rows, LLVMValueRef team, Span at) {
    bool some = false;
    for (int i = 0; i < rows->n; i++) {
        Row *r = &rows->row[i];
        LLVMValueRef room = gen_shared_room(g, const_i64(g, r->stride * rows->teams));
        r->near = plus(g, room, LLVMBuildNSWMul(g->b, team, const_i64(g, r->stride), ""));
        r->far = far_place(g, r);
        if (r->in) copy_row(g, r, false), some = true;
    }
    if (!some) return;
    if (g->on_device && gen_device_copies(g)) gen_device_copied(g);
    gen_team_meets(g, at);
}

void gen_rows_end(Gen *g, const Rows *rows, Span at) {
    bool some = false;
    for (int i = 0; i < rows->n; i++) some |= rows->row[i].out;
    if (some) gen_team_meets(g, at);
    for (int i = 0; i < rows->n; i++)
        if (rows->row[i].out) copy_row(g, &rows->row[i], true);
}

LLVMValueRef gen_row_near(const Rows *rows, const Value *buf) {
    for (int i = 0; rows && i < rows->n; i++)
        if (rows->row[i].buf == buf) return rows->row[i].near;
    return NULL;
}
