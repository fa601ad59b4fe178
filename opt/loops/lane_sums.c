/* lane-sums: what a loop combines is found for several turns side by side before it is combined, one by one.
 *
 * Needs stage loops.  `for (i) carrying t { a; for k carrying s { s = f(s, k) }; t = t + s }`, where a and f do not
 * ask for t, becomes a loop over strips: a parallel loop over the turns of a strip does a and the inner loop and keeps
 * s in an array, and a loop behind it combines these in order.  The parallel loop is one for pass_lanes or pass_masks;
 * where neither would take it all stays as it was.  The turns that fill no strip come last, as they were.  Scalar
 * expansion, and distribution of a strip-mined loop: Allen and Kennedy, Optimizing Compilers for Modern Architectures,
 * 2001, chapter 5. */
#include "opt/loops/loops.h"

/* SHORT: turns of an inner loop that the C compiler writes out, so that it can make vectors of the loop around */
enum { MAX_BODY = 150, MAX_KEPT = 8, SHORT = 12 };

typedef struct {
    Op *loop, *inner;
    Region *body;
    Value *kept[MAX_KEPT], *array[MAX_KEPT]; /* what is known when the inner loop ends and used behind it */
    int n, strip; /* turns of a strip */
} Sums;

/* ---- what it may be */

/* Nothing that another turn could notice, or that stops the program, but for a loop that may never end */
static bool is_quiet(const Op *op) {
    return !(op_info(op->code)->traits & TR_ALLOC) && op->code != OP_CALL && op->code != OP_BIND &&
           !op_has_effect(op) && !op_writes_memory(op) && (op->code == OP_WHILE || !op_may_trap(op));
}

static bool mentions_carried(const Sums *s, const Op *op) {
    for (int i = 1; i < s->body->nargs; i++)
        if (op_mentions(op, s->body->args[i])) return true;
    return false;
}

/* Its turns wait for each other, and are many or of a number that is not known. */
static bool good_inner(const Op *op) {
    int64_t turns;
    return op->code == OP_WHILE || (op->code == OP_FOR && !(loop_turns(op, &turns) && turns < SHORT));
}

/* One inner loop; before it and in it nothing of what is carried */
static bool find_parts(Sums *s) {
    for (Op *o = s->body->first; o != region_term(s->body); o = o->next) {
        bool loop = op_info(o->code)->traits & TR_LOOP;
        if (!is_quiet(o) || (loop && s->inner) || (!s->inner && mentions_carried(s, o))) return false;
        if (loop) s->inner = o;
    }
    return s->inner && good_inner(s->inner);
}

static bool is_candidate(const Op *loop) {
    int64_t step;
    if (loop->code != OP_FOR || !loop->nres || !value_const_int(op_opnd(loop, 2), &step) || step != 1) return false;
    for (int i = 0; i < loop->nres; i++)
        if (loop->res[i].type->kind != TY_SCALAR) return false;
    return op_around(loop, OP_ISLAND) && region_count_ops(loop->regs[0]) <= MAX_BODY;
}

static bool is_used_behind(const Sums *s, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (op_dominates(s->inner->next, op_ancestor(u->user, s->body))) return true;
    return false;
}

static bool find_kept(Sums *s) {
    for (Op *o = s->body->first; o != s->inner->next; o = o->next)
        for (int i = 0; i < o->nres && o->code != OP_CONST; i++) {
            if (!is_used_behind(s, &o->res[i])) continue;
            if (s->n == MAX_KEPT || o->res[i].type->kind != TY_SCALAR) return false;
            s->kept[s->n++] = &o->res[i];
        }
    return true;
}

/* ---- strips */

static Value *new_array(const Sums *s, Builder *b, const Value *v) {
    const Size *strip = size_const(b->module->session, s->strip);
    const Type *type = type_buf(b->module->session, v->type->dtype, 1, &strip, SPACE_SHARED);
    Op *op = build_op(b, OP_ALLOC, 0, NULL, 1, &type, 0);
    op_set_flag(op, A_STACK);
    op->res[0].name = v->name;
    return &op->res[0];
}

/* The parallel loop over the turns of the strip that begins with `first` */
static Op *find_strip(const Sums *s, Builder *b, Value *first) {
    Builder in;
    Value *strip = build_int(b, s->strip);
    Op *loop = build_plain_parallel(b, 1, &strip, &in);
    Cloner c = {.module = b->module};
    Value *lane = loop->regs[0]->args[0];
    lane->name = s->body->args[0]->name;
    map_put(b->module->arena, &c.values, s->body->args[0], index_add(&in, first, lane));
    for (Op *o = s->body->first; o != s->inner->next; o = o->next) clone_op(&c, &in, o);
    for (int i = 0; i < s->n; i++) store_safe(&in, clone_value(&c, s->kept[i]), s->array[i], 1, &lane);
    op_set_flag(loop, A_SERIAL);
    return loop;
}

/* What stands behind the inner loop, for each turn of the strip; outer carries the same as the loop did. */
static void combine_strip(const Sums *s, Builder *b, const Op *outer, Value *first) {
    Value **init = outer->regs[0]->args + 1;
    Op *loop = build_for(b, build_int(b, 0), build_int(b, s->strip), build_int(b, 1), s->loop->nres, init);
    Region *r = loop->regs[0];
    Builder in = builder_at_end(b->module, r, b->span);
    Cloner c = {.module = b->module};
    Arena *a = b->module->arena;
    map_put(a, &c.values, s->body->args[0], index_add(&in, first, r->args[0]));
    for (int i = 1; i < r->nargs; i++) map_put(a, &c.values, s->body->args[i], r->args[i]);
    for (Op *o = s->body->first; o != s->inner; o = o->next)
        if (o->code == OP_CONST) clone_op(&c, &in, o);
    for (int i = 0; i < s->n; i++) map_put(a, &c.values, s->kept[i], load_safe(&in, s->array[i], 1, r->args));
    for (Op *o = s->inner->next; o; o = o->next) clone_op(&c, &in, o);
    Value **out = NEWN(a, Value *, loop->nres);
    for (int i = 0; i < loop->nres; i++) out[i] = &loop->res[i];
    build_yield(b, loop->nres, out);
}

/* lo + as many turns as fill strips */
static Value *end_of_strips(const Sums *s, Builder *b, Value *lo, Value *hi) {
    int64_t n;
    Value *count = index_max(b, index_sub(b, hi, lo), build_int(b, 0));
    if (value_const_int(count, &n)) return index_add(b, lo, build_int(b, n / s->strip * s->strip));
    return index_add(b, lo, build_binary(b, OP_AND, count, build_int(b, -(int64_t)s->strip)));
}

/* The loop goes on where the strips end. */
static void begin_behind(Op *loop, const Op *strips, Value *end) {
    op_set_opnd(loop, 0, end);
    for (int i = 0; i < loop->nres; i++) op_set_opnd(loop, 3 + i, (Value *)&strips->res[i]);
}

static bool make_strips(Sums *s) {
    int64_t n;
    Op *loop = s->loop;
    s->strip = s->inner->code == OP_WHILE ? loops_masks_width(s->inner) : loops_chains_width(s->inner);
    if (!find_kept(s) || (loop_turns(loop, &n) && n < s->strip)) return false;
    Builder b = builder_before(loop);
    Value *lo = op_opnd(loop, 0), *end = end_of_strips(s, &b, lo, op_opnd(loop, 1)), **init;
    init = NEWN(b.module->arena, Value *, loop->nres);
    for (int i = 0; i < loop->nres; i++) init[i] = op_opnd(loop, 3 + i);
    Op *strips = build_for(&b, lo, end, build_int(&b, s->strip), loop->nres, init);
    Value *first = strips->regs[0]->args[0];
    Builder in = builder_at_end(b.module, strips->regs[0], loop->span);
    first->name = s->body->args[0]->name;
    for (int i = 0; i < s->n; i++) s->array[i] = new_array(s, &in, s->kept[i]);
    Op *found = find_strip(s, &in, first);
    combine_strip(s, &in, strips, first);
    if (loops_lanes_are_chains(found) || loops_masks_take(found)) {
        begin_behind(loop, strips, end);
        return true;
    }
    op_erase(strips);
    return false;
}

static void visit(Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        Sums s = {.loop = o, .body = o->nregs ? o->regs[0] : NULL};
        if (is_candidate(o) && find_parts(&s) && make_strips(&s)) continue;
        for (int i = 0; i < o->nregs; i++) visit(o->regs[i]);
    }
}

void pass_lane_sums(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit(m->funcs.data[i]->body);
}
