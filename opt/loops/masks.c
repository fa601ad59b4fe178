/* masks: neighbouring iterations around a loop of unknown length run side by side, as vector lanes.
 *
 * Needs stage loops, guards narrowed.  `parallel(n) (i) { a; while c(s) { s = f(s) }; b }` becomes a loop over blocks
 * of lanes: a loop over the lanes does a, and keeps s in an array; a while goes on as long as c holds for more than a
 * few lanes, and in it a loop over the lanes sets s to f(s) where c(s) holds and leaves it where not, of which the C
 * compiler makes vectors; a last one does for each lane the turns that are left, and b.  Lanes that have ended wait for
 * the others of their block; what they compute meanwhile is dropped, so c and f may do nothing but arithmetic that
 * cannot stop the program (if-conversion: Allen, Kennedy, Porterfield, Warren, POPL 1983; loops of different lengths:
 * Shin, Hall, Chame, Superword-level parallelism in the presence of control flow, CGO 2005).  The iterations that fill
 * no block stay as they were. */
#include "opt/loops/loops.h"

/* BYTES: of a block, of the widest value: enough vectors that one works while another waits.  More lanes would wait
 * longer.  WIDE: lanes of 8 bytes.  FEW: one lane of so many; a turn of all lanes takes about as long as theirs.
 * LEAST: operations of a turn; of less a core does several turns in the time that it takes. */
enum { BYTES = 128, WIDE = BYTES / 8, FEW = 8, LEAST = 6, MAX_BODY = 120, MAX_CARRIED = 8, MAX_KEPT = 16, FEWEST = 16 };

typedef struct { Value *value, *array; } Kept;

typedef struct {
    Op *loop, *inner;
    Region *body;
    DType flag;         /* a bool of a lane as an int, as wide as the rest */
    int width, nkept;
    Cloner block;       /* what is the same for all lanes of a block */
    Value *first;       /* the index of its first lane */
    Kept kept[MAX_KEPT]; /* what is known before the inner loop and used in it or behind */
    Value *state[MAX_CARRIED];
} Masks;

/* A loop over the lanes of a block */
typedef struct { Builder b; Cloner c; Value *lane; } Lane;

/* ---- does it pay */

static bool is_power_of_two(const Value *v) {
    int64_t n;
    return value_const_int(v, &n) && n > 0 && !(n & (n - 1));
}

/* A vector instruction or a few; quotients of ints by other than powers of two are none. */
static bool is_vector_op(const Op *op) {
    const OpInfo *info = op_info(op->code);
    if (op->code == OP_YIELD || op->code == OP_CONST || op->code == OP_SIZE) return true;
    if (op->code == OP_IDIV || op->code == OP_MOD)
        return dtype_is_int(op->res[0].type->dtype) && is_power_of_two(op_opnd(op, 1));
    if (op->code == OP_CAST && dtype_is_float(op_opnd(op, 0)->type->dtype))
        return dtype_is_float(op->res[0].type->dtype);
    return !op->nregs && info->traits & TR_ELEM && !(info->traits & (TR_TRAP | TR_CALL | TR_OWN));
}

static bool is_vector_type(DType t) { return t == DT_BOOL || dtype_info(t)->bytes >= 4; }

static bool all_vector_ops(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (o->code == OP_IF ? !o->nres || !all_vector_ops(o->regs[0]) || !all_vector_ops(o->regs[1])
                             : !is_vector_op(o))
            return false;
        for (int i = 0; i < o->nres; i++)
            if (o->res[i].type->kind != TY_SCALAR || !is_vector_type(o->res[i].type->dtype)) return false;
    }
    return true;
}

static void count_work(void *ctx, Op *op) {
    int *work = ctx;
    *work += op->code != OP_YIELD && op->code != OP_CONST;
}

static int work_of(const Op *loop) {
    int work = 0;
    for (int i = 0; i < 2; i++) region_walk(loop->regs[i], count_work, &work);
    return work;
}

static bool good_inner(Op *op) {
    if (loops_search_takes(op) || op->nres < 1 || op->nres > MAX_CARRIED) return false;
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].type->kind != TY_SCALAR || !is_vector_type(op->res[i].type->dtype)) return false;
    return all_vector_ops(op->regs[0]) && all_vector_ops(op->regs[1]) && work_of(op) >= LEAST;
}

/* All lanes do it before the inner loop. */
static bool good_before(const Op *op) {
    return !(op_info(op->code)->traits & (TR_LOOP | TR_ALLOC)) && op->code != OP_CALL && op->code != OP_BIND &&
           !op_has_effect(op) && !op_writes_memory(op) && !op_may_trap(op);
}

/* Each lane does it behind, in order. */
static bool good_behind(const Op *op) {
    if (op_info(op->code)->traits & (TR_LOOP | TR_EFFECT | TR_ALLOC) || op->code == OP_CALL || op->code == OP_BIND)
        return false;
    if (op->code == OP_ATOMIC && dtype_is_float(op_opnd(op, 0)->type->dtype)) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!good_behind(o)) return false;
    return true;
}

/* The while, unless vectors are made of its own turns, where all that stands beside it allows blocks */
static Op *find_inner(const Op *loop) {
    Op *inner = NULL;
    for (Op *o = loop->regs[0]->first; o != region_term(loop->regs[0]); o = o->next) {
        if (o->code == OP_WHILE && !inner && good_inner(o)) inner = o;
        else if (inner ? !good_behind(o) : !good_before(o)) return NULL;
    }
    return inner;
}

/* The inner loop of a loop that becomes blocks, or NULL */
static Op *candidate(const Op *loop) {
    int64_t n;
    if (loop->code != OP_PARALLEL || op_loop(loop) != LOOP_PLAIN || op_holds(loop, OP_BARRIER)) return NULL;
    if (value_const_int(op_opnd(loop, loop->nopnds - 1), &n) && n < FEWEST) return NULL;
    return region_count_ops(loop->regs[0]) <= MAX_BODY ? find_inner(loop) : NULL;
}

/* ---- what is kept */

static void widest(void *ctx, Op *op) {
    int *bytes = ctx;
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].type->kind == TY_SCALAR && dtype_info(op->res[i].type->dtype)->bytes > *bytes)
            *bytes = dtype_info(op->res[i].type->dtype)->bytes;
}

static Value *last_index(const Masks *m) { return m->body->args[m->body->nargs - 1]; }

/* The same for all lanes */
static bool is_same(const Masks *m, const Op *op) {
    return op_is_pure(op) && !op->nregs && !value_depends(&op->res[0], last_index(m));
}

/* Used in the inner loop, or behind it */
static bool is_used_later(const Masks *m, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (!op_dominates(op_ancestor(u->user, m->body), m->inner) || op_inside(u->user, m->inner)) return true;
    return false;
}

static bool find_kept(Masks *m) {
    for (Op *o = m->body->first; o != m->inner; o = o->next) {
        if (is_same(m, o)) continue;
        for (int i = 0; i < o->nres; i++) {
            if (!is_used_later(m, &o->res[i])) continue;
            if (m->nkept == MAX_KEPT || !is_vector_type(o->res[i].type->dtype)) return false;
            m->kept[m->nkept++].value = &o->res[i];
        }
    }
    return true;
}

static Value *new_array(const Masks *m, Builder *b, const Value *v) {
    Session *s = b->module->session;
    const Size *width = size_const(s, m->width);
    const DType t = v->type->dtype == DT_BOOL ? m->flag : v->type->dtype;
    const Type *type = type_buf(s, t, 1, &width, SPACE_SHARED);
    Op *op = build_op(b, OP_ALLOC, 0, NULL, 1, &type, 0);
    op_set_flag(op, A_STACK);
    op->res[0].name = v->name;
    return &op->res[0];
}

static Value *int_of(const Masks *m, Builder *b, int64_t n) { return build_cast(b, build_int(b, n), m->flag); }

static Value *as_int(const Masks *m, Builder *b, Value *v) {
    return build_select(b, v, int_of(m, b, 1), int_of(m, b, 0));
}

static void keep(const Masks *m, Lane *l, Value *v, Value *array) {
    if (v->type->dtype == DT_BOOL) v = as_int(m, &l->b, v);
    store_safe(&l->b, v, array, 1, &l->lane);
}

static Value *kept(const Masks *m, Lane *l, Value *array, const Value *v) {
    Value *x = load_safe(&l->b, array, 1, &l->lane);
    return v->type->dtype == DT_BOOL ? build_binary(&l->b, OP_NE, x, int_of(m, &l->b, 0)) : x;
}

/* ---- loops over lanes */

/* b stands in such a loop, whose index is lane; there is what is the same for all lanes. */
static Lane open_lane(const Masks *m, Builder b, Value *lane) {
    Lane l = {.b = b, .c = {.module = b.module}, .lane = lane};
    Arena *a = b.module->arena;
    lane->name = intern(b.module->session, "lane");
    for (int i = 0; i + 1 < m->body->nargs; i++)
        map_put(a, &l.c.values, m->body->args[i], map_get(&m->block.values, m->body->args[i]));
    map_put(a, &l.c.values, last_index(m), index_add(&l.b, m->first, lane));
    for (Op *o = m->body->first; o != m->inner; o = o->next)
        if (is_same(m, o)) map_put(a, &l.c.values, &o->res[0], map_get(&m->block.values, &o->res[0]));
    return l;
}

static Lane open_parallel(const Masks *m, Builder *b) {
    Builder in;
    Value *width = build_int(b, m->width);
    Op *loop = build_plain_parallel(b, 1, &width, &in);
    op_set_flag(loop, A_SERIAL);
    return open_lane(m, in, loop->regs[0]->args[0]);
}

static void load_kept(const Masks *m, Lane *l) {
    for (int k = 0; k < m->nkept; k++)
        map_put(l->b.module->arena, &l->c.values, m->kept[k].value, kept(m, l, m->kept[k].array, m->kept[k].value));
}

static void before_inner(const Masks *m, Builder *b) {
    Lane l = open_parallel(m, b);
    for (Op *o = m->body->first; o != m->inner; o = o->next)
        if (!is_same(m, o)) clone_op(&l.c, &l.b, o);
    for (int k = 0; k < m->nkept; k++) keep(m, &l, clone_value(&l.c, m->kept[k].value), m->kept[k].array);
    for (int i = 0; i < m->inner->nres; i++) keep(m, &l, clone_value(&l.c, op_opnd(m->inner, i)), m->state[i]);
}

/* What is left of the inner loop, for the lanes that go on, and what stands behind it */
static void behind_inner(const Masks *m, Builder *b) {
    Lane l = open_parallel(m, b);
    Value *now[MAX_CARRIED];
    load_kept(m, &l);
    for (int i = 0; i < m->inner->nres; i++) now[i] = kept(m, &l, m->state[i], &m->inner->res[i]);
    Op *rest = clone_op(&l.c, &l.b, m->inner);
    for (int i = 0; i < m->inner->nres; i++) op_set_opnd(rest, i, now[i]);
    for (Op *o = m->inner->next; o != region_term(m->body); o = o->next) clone_op(&l.c, &l.b, o);
}

/* A turn of all lanes; how many of them went on */
static Value *turn(const Masks *m, Builder *b) {
    Value *none = int_of(m, b, 0), *now[MAX_CARRIED];
    Op *loop = build_for(b, build_int(b, 0), build_int(b, m->width), build_int(b, 1), 1, &none);
    op_set_flag(loop, A_SIMD);
    Region *r = loop->regs[0], *test = m->inner->regs[0], *next = m->inner->regs[1];
    Lane l = open_lane(m, builder_at_end(b->module, r, b->span), r->args[0]);
    load_kept(m, &l);
    for (int i = 0; i < m->inner->nres; i++) {
        now[i] = kept(m, &l, m->state[i], &m->inner->res[i]);
        map_put(b->module->arena, &l.c.values, test->args[i], now[i]);
        map_put(b->module->arena, &l.c.values, next->args[i], now[i]);
    }
    clone_region_ops(&l.c, &l.b, test, false);
    Value *goes_on = clone_value(&l.c, op_opnd(region_term(test), 0));
    clone_region_ops(&l.c, &l.b, next, false);
    for (int i = 0; i < m->inner->nres; i++) {
        Value *then = clone_value(&l.c, op_opnd(region_term(next), i));
        if (then != now[i]) keep(m, &l, build_select(&l.b, goes_on, then, now[i]), m->state[i]);
    }
    Value *count = build_binary(&l.b, OP_ADD, r->args[1], as_int(m, &l.b, goes_on));
    build_yield(&l.b, 1, &count);
    return &loop->res[0];
}

/* As long as more than a few lanes go on */
static void masked_while(const Masks *m, Builder *b) {
    b->span = m->inner->span;
    Value *on = int_of(m, b, m->width);
    Op *op = build_op(b, OP_WHILE, 1, &on, 1, &on->type, 2);
    Builder in[2];
    for (int i = 0; i < 2; i++) {
        region_add_arg(op->regs[i], on->type, NULL);
        in[i] = builder_at_end(b->module, op->regs[i], b->span);
    }
    Value *many = build_binary(&in[0], OP_GT, op->regs[0]->args[0], int_of(m, &in[0], m->width / FEW));
    build_yield(&in[0], 1, &many);
    on = turn(m, &in[1]);
    build_yield(&in[1], 1, &on);
}

/* ---- blocks */

/* The body of the loop over blocks begins: its indices, and what is the same for the lanes of one */
static Builder open_blocks(Masks *m, Builder *b, Value *blocks) {
    Value *extents[MAX_RANK];
    Builder in;
    int last = m->loop->nopnds - 1;
    for (int i = 0; i < last; i++) extents[i] = op_opnd(m->loop, i);
    extents[last] = blocks;
    Op *outer = build_plain_parallel(b, last + 1, extents, &in);
    if (op_flag(m->loop, A_SERIAL)) op_set_flag(outer, A_SERIAL);
    m->block = (Cloner){.module = b->module};
    for (int i = 0; i < last; i++) {
        outer->regs[0]->args[i]->name = m->body->args[i]->name;
        map_put(b->module->arena, &m->block.values, m->body->args[i], outer->regs[0]->args[i]);
    }
    m->first = index_mul(&in, outer->regs[0]->args[last], build_int(&in, m->width));
    for (Op *o = m->body->first; o != m->inner; o = o->next)
        if (is_same(m, o)) clone_op(&m->block, &in, o);
    return in;
}

static bool make_blocks(Masks *m) {
    Value *blocks;
    if (!find_kept(m)) return false;
    Builder b = builder_before(m->loop);
    loops_rest_of_blocks(&b, m->loop, m->width, &blocks);
    Builder in = open_blocks(m, &b, blocks);
    for (int k = 0; k < m->nkept; k++) m->kept[k].array = new_array(m, &in, m->kept[k].value);
    for (int i = 0; i < m->inner->nres; i++) m->state[i] = new_array(m, &in, m->inner->regs[1]->args[i]);
    before_inner(m, &in);
    masked_while(m, &in);
    behind_inner(m, &in);
    op_erase(m->loop);
    return true;
}

static bool masks_of(Masks *m, Op *loop) {
    Op *inner = candidate(loop);
    if (!inner) return false;
    const int width = loops_masks_width(inner);
    *m = (Masks){.loop = loop, .inner = inner, .body = loop->regs[0], .flag = width > WIDE ? DT_I32 : DT_I64,
                 .width = width};
    return true;
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        Masks m;
        next = o->next;
        if (masks_of(&m, o) && make_blocks(&m)) continue;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

int loops_masks_width(const Op *inner) {
    int bytes = 4;
    for (int i = 0; i < 2; i++) region_walk(inner->regs[i], widest, &bytes);
    return BYTES / bytes;
}

bool loops_masks_take(const Op *loop) { return candidate(loop) != NULL; }

void pass_masks(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
