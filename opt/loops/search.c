/* search: a loop that looks for the first k with c(k) tests a stride of them at a time.
 *
 * Needs stage loops.  `while k < n and not found { if c(k) { ..; found = true }; k += 1 }` changes nothing but k as
 * long as c(k) does not hold, so a loop before it may go ahead by STRIDE while c holds for none of the next STRIDE.
 * Those tests do not wait for each other and become vectors; which one holds, the old loop finds out.  Needs c to be
 * cheap, to depend on k alone, and its loads to be in range for every k below n.  Strip mining of loops with an exit:
 * Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, chapter 7. */
#include "opt/loops/loops.h"

enum { STRIDE = 32, MAX_TEST = 24 };

typedef struct {
    Op *loop;
    Region *test, *body;
    int k, found;           /* which carried values they are */
    Value *end, *holds;     /* k < end; c(k), in the body */
    Op *slice[MAX_TEST];    /* what computes holds, in order */
    int nslice;
} Search;

static bool outside(const Search *s, const Value *v) {
    return !region_encloses(s->body, value_region(v)) && !region_encloses(s->test, value_region(v));
}

static bool is_const_bool(const Value *v, bool what) {
    int64_t c;
    return v->type->dtype == DT_BOOL && value_const_int(v, &c) && c == what;
}

/* `k < end and not found`, nothing else */
static bool match_test(Search *s) {
    const Op *both = op_opnd(region_term(s->test), 0)->def;
    if (!both || both->code != OP_AND || both->parent != s->test) return false;
    for (int i = 0; i < 2; i++) {
        const Op *less = op_opnd(both, i)->def, *not = op_opnd(both, 1 - i)->def;
        if (!less || !not || less->code != OP_LT || not->code != OP_NOT) continue;
        const Value *k = op_opnd(less, 0), *found = op_opnd(not, 0);
        if (k->def || found->def || k->region != s->test || found->region != s->test) continue;
        s->k = k->index, s->found = found->index, s->end = op_opnd(less, 1);
        return outside(s, s->end) && k->type == type_i64(s->loop->parent->func->module);
    }
    return false;
}

/* Where c does not hold, the carried value stays. */
static bool stays(const Search *s, const Value *next, const Value *now) {
    if (next == now) return true;
    const Op *choice = next->def;
    return choice && choice->code == OP_SELECT && op_opnd(choice, 0) == s->holds && op_opnd(choice, 2) == now;
}

static bool match_body(Search *s) {
    Op *yield = region_term(s->body);
    const Op *step = op_opnd(yield, s->k)->def;
    int64_t one;
    if (!step || step->code != OP_ADD || op_opnd(step, 0) != s->body->args[s->k] ||
        !value_const_int(op_opnd(step, 1), &one) || one != 1)
        return false;
    s->holds = op_opnd(yield, s->found);
    if (!s->holds->def || s->holds->def->parent != s->body) return false;
    for (int i = 0; i < yield->nopnds; i++)
        if (i != s->k && i != s->found && !stays(s, op_opnd(yield, i), s->body->args[i])) return false;
    for (const Op *o = s->body->first; o != yield; o = o->next)
        if (o->nregs || op_has_effect(o) || op_writes_memory(o)) return false;
    return true;
}

static bool same_or_below(const Value *end, const Size *extent) {
    int64_t a, b;
    if (value_const_int(end, &a)) return size_is_const(extent, &b) && a <= b;
    return end->def && end->def->code == OP_SIZE && op_attr(end->def, A_SIZE)->sizes[0] == extent;
}

static bool load_fits(const Search *s, const Op *load) {
    const Type *t = op_opnd(load, 0)->type;
    int64_t c, n;
    for (int i = 0; i < t->rank; i++) {
        const Value *index = op_opnd(load, i + 1);
        bool fits = index == s->body->args[s->k]
                        ? same_or_below(s->end, t->dims[i])
                        : value_const_int(index, &c) && c >= 0 && size_is_const(t->dims[i], &n) && c < n;
        if (!fits) return false;
    }
    return true;
}

/* Puts what v needs into the slice; false when it is not for every k. */
static bool need(Search *s, Value *v) {
    if (outside(s, v) || v == s->body->args[s->k]) return true;
    Op *op = v->def;
    if (!op || op->parent != s->body) return false;
    for (int i = 0; i < s->nslice; i++)
        if (s->slice[i] == op) return true;
    bool load = op->code == OP_LOAD;
    if (load ? !load_fits(s, op) : !op_is_pure(op)) return false;
    for (int i = load; i < op->nopnds; i++)
        if (!need(s, op_opnd(op, i))) return false;
    if (s->nslice == MAX_TEST) return false;
    s->slice[s->nslice++] = op;
    return true;
}

/* 0 < how many of c(k), .. c(k + STRIDE - 1) hold, at b */
static Value *count_holds(Search *s, Builder *b, Value *k) {
    LoopsCount c = loops_count_begin(b, STRIDE, build_int(b, 0), k, s->body->args[s->k]);
    for (int i = 0; i < s->nslice; i++) {
        Op *copy = clone_op(&c.copy, &c.in, s->slice[i]);
        if (copy->code == OP_LOAD) op_set_flag(copy, A_SAFE);
    }
    return loops_count_end(
        &c, build_binary(&c.in, OP_ADD, c.so_far, build_cast(&c.in, clone_value(&c.copy, s->holds), DT_I64)));
}

/* end - STRIDE, which does not wrap */
static Value *last_start(const Search *s, Builder *in) {
    Value *last = build_binary(in, OP_SUB, s->end, build_int(in, STRIDE));
    Ranges *r = ranges_new(in->module->session);
    bool exact = range_exact(r, last->def, s->loop);
    ranges_free(r);
    return exact ? last
                 : build_binary(in, OP_SUB, index_max(in, s->end, build_int(in, INT64_MIN + STRIDE)),
                                build_int(in, STRIDE));
}

static void go_ahead(Search *s) {
    Builder b = builder_before(s->loop);
    const Type *i64 = type_i64(b.module), *flag = s->holds->type;
    Value *start = op_opnd(s->loop, s->k), *no = build_bool(&b, false);
    Op *ahead = build_op(&b, OP_WHILE, 1, &start, 1, &i64, 2);
    Value *k = region_add_arg(ahead->regs[0], i64, s->body->args[s->k]->name);
    Builder in = builder_at_end(b.module, ahead->regs[0], b.span);
    Value *room = build_binary(&in, OP_LE, k, last_start(s, &in));
    Op *guard = build_if(&in, room, 1, &flag);
    Builder then = builder_at_end(b.module, guard->regs[0], b.span),
            other = builder_at_end(b.module, guard->regs[1], b.span);
    Value *none = build_binary(&then, OP_EQ, count_holds(s, &then, k), build_int(&then, 0));
    build_yield(&then, 1, &none);
    build_yield(&other, 1, &no);
    Value *more = &guard->res[0];
    build_yield(&in, 1, &more);
    k = region_add_arg(ahead->regs[1], i64, s->body->args[s->k]->name);
    in = builder_at_end(b.module, ahead->regs[1], b.span);
    Value *next = build_binary(&in, OP_ADD, k, build_int(&in, STRIDE));
    build_yield(&in, 1, &next);
    op_set_opnd(s->loop, s->k, &ahead->res[0]);
}

static bool match(Search *s, Op *loop) {
    int64_t first;
    *s = (Search){.loop = loop};
    if (loop->code != OP_WHILE) return false;
    s->test = loop->regs[0], s->body = loop->regs[1];
    if (!match_test(s) || !match_body(s) || !is_const_bool(op_opnd(loop, s->found), false)) return false;
    return value_const_int(op_opnd(loop, s->k), &first) && first >= 0 && need(s, s->holds);
}

static void visit(void *ctx, Op *op) {
    (void)ctx;
    Search s;
    if (match(&s, op)) go_ahead(&s);
}

bool loops_search_takes(Op *loop) {
    Search s;
    return match(&s, loop);
}

void pass_search(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, visit, NULL);
}
