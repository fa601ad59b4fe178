/* Strip mining: the turns of a loop in strips, about which something is asked before they run (skip, expand-index,
 * search). Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, chapters 5 and 7. */
#include "opt/loops/loops.h"

LoopsStrips loops_strips(Op *loop, int64_t strip) {
    LoopsStrips s = {.loop = loop, .strip = strip};
    Builder b = builder_before(loop);
    Value *n = op_opnd(loop, 0), *length = build_int(&b, strip);
    Value *count = build_binary(&b, OP_IDIV, index_add(&b, n, build_int(&b, strip - 1)), length);
    int64_t whole;
    op_set_flag(count->def, A_SAFE);
    Op *outer = build_parallel(&b, 1, &count, LOOP_PLAIN);
    if (op_flag(loop, A_SERIAL)) op_set_flag(outer, A_SERIAL);
    s.in = builder_at_end(b.module, outer->regs[0], loop->span);
    s.first = build_binary(&s.in, OP_MUL, outer->regs[0]->args[0], length);
    if (!value_const_int(n, &whole) || whole % strip) s.room = build_binary(&s.in, OP_SUB, n, s.first);
    return s;
}

Value *loops_strip_ask(LoopsStrips *s, LoopsStripFn *test, void *ctx, bool rest) {
    Builder *b = &s->in;
    if (!s->room) return test(ctx, b, s->first);
    Value *whole = build_binary(b, OP_GE, s->room, build_int(b, s->strip));
    const Type *flag = whole->type;
    Op *choice = build_if(b, whole, 1, &flag);
    Builder then = builder_at_end(b->module, choice->regs[0], b->span),
            other = builder_at_end(b->module, choice->regs[1], b->span);
    Value *answer = test(ctx, &then, s->first), *known = build_bool(&other, rest);
    build_yield(&then, 1, &answer);
    build_yield(&other, 1, &known);
    return &choice->res[0];
}

Region *loops_strip_turns(const LoopsStrips *s, Builder *b, bool whole, Value **i) {
    Value *strip = build_int(b, s->strip), *count = whole || !s->room ? strip : build_binary(b, OP_MIN, s->room, strip);
    Op *inner = build_parallel(b, 1, &count, LOOP_PLAIN);
    Region *r = inner->regs[0];
    op_set_flag(inner, A_SERIAL);
    r->args[0]->name = s->loop->regs[0]->args[0]->name;
    Builder start = builder_at_end(b->module, r, s->loop->span);
    *i = build_binary(&start, OP_ADD, s->first, r->args[0]);
    return r;
}

void loops_strip_move(const LoopsStrips *s, Builder *b) {
    Region *body = s->loop->regs[0];
    Value *i;
    Region *r = loops_strip_turns(s, b, false, &i);
    op_move_range(body->first, region_term(body), r, NULL);
    value_replace_all(body->args[0], i);
    op_erase(s->loop);
}

LoopsCount loops_count_begin(Builder *b, int64_t strip, Value *none, Value *first, const Value *iv) {
    LoopsCount c = {.loop = build_for(b, build_int(b, 0), build_int(b, strip), build_int(b, 1), 1, &none),
                    .copy.module = b->module};
    Region *r = c.loop->regs[0];
    c.so_far = r->args[1];
    c.in = builder_at_end(b->module, r, b->span);
    map_put(b->module->arena, &c.copy.values, iv, build_binary(&c.in, OP_ADD, first, r->args[0]));
    return c;
}

Value *loops_count_end(LoopsCount *c, Value *sum) {
    build_yield(&c->in, 1, &sum);
    return &c->loop->res[0];
}
