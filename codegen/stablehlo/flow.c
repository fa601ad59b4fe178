/* Branches and loops of the text; what iterations disagree on is done by all, and chosen from. */
#include "codegen/stablehlo/private.h"

enum { MOST_UNROLLED = 512, DEEPEST_CALL = 64, FEW_OPS = 16 };

static const Ten *operand(Hlo *h, const Op *op, int i) { return ten_of(h, op_opnd(op, i)); }

/* ---- loops */

/* turns: how many there are, which are counted; NULL: the index is carried */
typedef struct { const Ten *lo, *hi, *step, *turns; } Range;

/* Iterations around disagree where it begins or ends; or the index goes in steps, which could leave 64 bits behind the
 * end, and which XLA counts wrong where the last one is not whole */
static bool is_counted(const Range *r) {
    return r->lo->naxes || r->hi->naxes || (r->step->start != 1 && r->step->start != -1);
}

static bool turns_of(const Range *r, int64_t *n) {
    if (!r->lo->is_known || !r->hi->is_known) return false;
    __int128 span = (__int128)r->hi->start - r->lo->start, step = r->step->start;
    __int128 turns = step > 0 ? (span + step - 1) / step : (span + step + 1) / step;
    if ((step > 0) != (span > 0) || !span) turns = 0;
    return *n = (int64_t)turns, turns <= INT64_MAX;
}

/* (hi - lo - 1) / step + 1, and none where lo is not before hi */
static const Ten *turns_counted(Hlo *h, const Range *r) {
    int64_t known;
    if (turns_of(r, &known)) return ten_int(h, known);
    bool up = r->step->start > 0;
    const Ten *from = up ? r->lo : r->hi, *to = up ? r->hi : r->lo, *any = ten_compare(h, "LT", from, to);
    const Ten *n = ten_sub(h, to, from), *one = ten_int(h, 1), *by = up ? r->step : ten_sub(h, ten_int(h, 0), r->step);
    if (by->start != 1)
        n = ten_add(h, ten_binary(h, "stablehlo.divide", ten_sub(h, n, one), by), one);
    return ten_select(h, any, n, ten_int(h, 0));
}

static const Ten *for_index(Hlo *h, const Loop *l) {
    const Range *r = l->ctx;
    const Ten *t = l->slots.slot[0].in;
    return r->turns ? ten_add(h, r->lo, ten_mul(h, t, r->step)) : t;
}

static const Ten *for_more(Hlo *h, Loop *l) {
    const Range *r = l->ctx;
    const Ten *t = l->slots.slot[0].in;
    return r->turns ? ten_compare(h, "LT", t, r->turns) : ten_compare(h, r->step->start > 0 ? "LT" : "GT", t, r->hi);
}

static void yields(Hlo *h, Loop *l, const Region *r, int first) {
    for (int i = 0; i < l->op->nres; i++) l->slots.slot[first + i].next = hlo_yield(h, r, i);
}

/* With what is known of it: it stays between where it begins and ends */
static const Ten *index_in_range(Hlo *h, const Ten *index, const Range *r) {
    int64_t least, most;
    bool up = r->step->start > 0;
    if (index->is_linear || !ten_least(h, up ? r->lo : r->hi, &least) || !ten_most(h, up ? r->hi : r->lo, &most))
        return index;
    return ten_between(h, index, up ? least : least + 1, up ? most - 1 : most);
}

static void for_turn(Hlo *h, Loop *l) {
    const Region *r = loop_body(l->op);
    const Range *range = l->ctx;
    hlo_set(h, r->args[0], index_in_range(h, for_index(h, l), range));
    hlo_region(h, r);
    yields(h, l, r, 1);
    l->slots.slot[0].next = ten_add(h, l->slots.slot[0].in, range->turns ? ten_int(h, 1) : range->step);
}

static void for_written(Hlo *h, const Op *op, const Range *r) {
    const Ten **first = NEWN(h->arena, const Ten *, op->nres + 1), **out = NEWN(h->arena, const Ten *, op->nres + 1);
    const Value **carried = NEWN(h->arena, const Value *, op->nres + 1);
    first[0] = r->turns ? ten_int(h, 0) : r->lo;
    for (int i = 0; i < op->nres; i++) first[1 + i] = operand(h, op, 3 + i), carried[1 + i] = loop_carried(op, i);
    Loop l = {.op = op,
              .n = op->nres + 1,
              .first = first,
              .carried = carried,
              .counts = 1,
              .more = for_more,
              .turn = for_turn,
              .ctx = r};
    loop_write(h, &l, out);
    for (int i = 0; i < op->nres; i++) hlo_set(h, &op->res[i], out[1 + i]);
}

/* All turns one after another, since sizes depend on the index */
static void for_unrolled(Hlo *h, const Op *op, const Range *range, int64_t turns) {
    const Region *r = loop_body(op);
    const Ten **now = NEWN(h->arena, const Ten *, op->nres + 1);
    for (int i = 0; i < op->nres; i++) now[i] = operand(h, op, 3 + i);
    for (int64_t k = 0; k < turns && !h->failed; k++) {
        hlo_set(h, r->args[0], ten_int(h, range->lo->start + k * range->step->start));
        for (int i = 0; i < op->nres; i++) hlo_set(h, loop_carried(op, i), now[i]);
        hlo_region(h, r);
        for (int i = 0; i < op->nres; i++) now[i] = hlo_yield(h, r, i);
    }
    for (int i = 0; i < op->nres; i++) hlo_set(h, &op->res[i], now[i]);
}

void hlo_for(Hlo *h, const Op *op, const char *word) {
    Range r = {operand(h, op, 0), operand(h, op, 1), operand(h, op, 2), NULL};
    int64_t turns;
    (void)word;
    if (!r.step->is_known) {
        hlo_unsupported(h, op, "loops whose step is not known");
        return;
    }
    Mark m = hlo_mark(h);
    int axes = h->naxes, prints = h->prints.len;
    bool known = turns_of(&r, &turns);
    if (known && turns <= 1) {
        for_unrolled(h, op, &r, turns);
        return;
    }
    if (known && turns_at_once(h, op, r.lo, r.step, turns)) return;
    if (is_counted(&r)) r.turns = turns_counted(h, &r);
    for_written(h, op, &r);
    if (!h->failed || !h->in_turn || !known || turns > MOST_UNROLLED) return;
    h->failed = false;
    hlo_back(h, &m);
    h->naxes = axes, h->prints.len = prints;
    for_unrolled(h, op, &r, turns);
}

static const Ten *while_more(Hlo *h, Loop *l) {
    const Region *r = l->op->regs[0];
    for (int i = 0; i < l->op->nres; i++) hlo_set(h, r->args[i], l->slots.slot[i].in);
    hlo_region(h, r);
    return hlo_yield(h, r, 0);
}

static void while_turn(Hlo *h, Loop *l) {
    const Region *r = l->op->regs[1];
    for (int i = 0; i < l->op->nres; i++) hlo_set(h, r->args[i], l->slots.slot[i].in);
    hlo_region(h, r);
    yields(h, l, r, 0);
}

/* An int of which XLA does not know where it begins: it counts turns by steps wrong where the last one is not whole */
static const Ten *uncounted(Hlo *h, const Ten *x) {
    if (x->rank || x->naxes || !dtype_is_int(x->dtype)) return x;
    return ten_unary(h, "stablehlo.optimization_barrier", x);
}

void hlo_while(Hlo *h, const Op *op, const char *word) {
    const Ten **first = NEWN(h->arena, const Ten *, op->nres + 1), **out = NEWN(h->arena, const Ten *, op->nres + 1);
    Loop l = {.op = op, .n = op->nres, .first = first, .more = while_more, .turn = while_turn};
    (void)word;
    for (int i = 0; i < op->nres; i++) first[i] = uncounted(h, operand(h, op, i));
    loop_write(h, &l, out);
    for (int i = 0; i < op->nres; i++) hlo_set(h, &op->res[i], out[i]);
}

/* ---- branches */

/* Both are done, each with what it writes under its mask; the values are chosen from */
static void if_chosen(Hlo *h, const Op *op, const Ten *cond) {
    const Ten *mask = h->mask, **then = NEWN(h->arena, const Ten *, op->nres + 1);
    h->mask = ten_and(h, mask, cond);
    hlo_region(h, op->regs[0]);
    for (int i = 0; i < op->nres; i++) then[i] = hlo_yield(h, op->regs[0], i);
    h->mask = ten_and(h, mask, ten_not(h, cond));
    hlo_region(h, op->regs[1]);
    h->mask = mask;
    for (int i = 0; i < op->nres; i++)
        hlo_set(h, &op->res[i], ten_select(h, cond, then[i], hlo_yield(h, op->regs[1], i)));
}

static void if_known(Hlo *h, const Op *op, const Region *r) {
    hlo_region(h, r);
    for (int i = 0; i < op->nres; i++) hlo_set(h, &op->res[i], hlo_yield(h, r, i));
}

/* One side; its values go into slots' next */
static void if_side(Hlo *h, Slots *s, const Region *r) {
    for (int i = 0; i < s->n; i++)
        if (slot_is_state(&s->slot[i])) slot_enter(h, &s->slot[i], s->slot[i].first);
    hlo_region(h, r);
    for (int i = 0, k = 0; i < s->n; i++) {
        s->slot[i].next = slot_is_state(&s->slot[i]) ? slot_now(h, &s->slot[i]) : hlo_yield(h, r, k++);
    }
}

static bool if_attempt(Hlo *h, const Op *op, Slots *s, const char *cond, const char *name, bool *fault) {
    const Ten *before = h->fault;
    bool again = false;
    const char *count = s->n == 1 ? "" : arena_printf(h->arena, ":%d", s->n);
    hlo_line(h, "%s%s%s\"stablehlo.if\"(%s) ({", s->n ? name : "", s->n ? count : "", s->n ? " = " : "", cond);
    for (int side = 0; side < 2; side++) {
        if (side) hlo_line(h, "}, {");
        hlo_open(h);
        if_side(h, s, op->regs[side]);
        again = slots_grew(s) || again;
        if (!*fault && h->fault != before) again = *fault = true;
        for (int i = 0; i < s->n; i++) s->slot[i].in = ten_widen(h, s->slot[i].next, s->slot[i].naxes, s->slot[i].axis);
        slots_return(h, s);
        hlo_close(h);
    }
    hlo_line(h, "}) : (tensor<i1>) -> (%s)", slots_types(h, s));
    return !again;
}

static void if_branches(Hlo *h, const Op *op, const Ten *cond) {
    const char *name = hlo_fresh(h), *text = ten_text(h, cond);
    bool fault = false;
    Slots s = {0}, before = {0};
    for (;;) {
        Mark m = hlo_mark(h);
        int axes = h->naxes;
        s = slots_new(h, op->nres);
        for (int i = 0; i < op->nres; i++) slot_add(&s, ten_const(h, (Const){.dtype = DT_I32}));
        slots_state(h, &s, op, fault);
        slots_take_axes(&s, &before);
        bool done = if_attempt(h, op, &s, text, name, &fault);
        if (done && !s.n) hlo_back(h, &m); /* it does nothing */
        if (done || h->failed) break;
        before = s;
        hlo_back(h, &m);
        h->naxes = axes;
    }
    for (int i = 0; i < s.n; i++) {
        const Ten *t = slot_result(h, &s, i, name);
        if (i < op->nres) hlo_set(h, &op->res[i], t);
        else slot_enter(h, &s.slot[i], t);
    }
}

/* Little enough to be done on both sides */
static bool is_small(const Op *op) {
    int n = 0;
    for (int i = 0; i < op->nregs; i++) {
        n += region_count_ops(op->regs[i]);
        for (const Op *in = op->regs[i]->first; in; in = in->next) n += in->nregs ? FEW_OPS : 0;
    }
    return n < FEW_OPS;
}

void hlo_if(Hlo *h, const Op *op, const char *word) {
    const Ten *cond = operand(h, op, 0);
    (void)word;
    if (cond->is_known) if_known(h, op, op->regs[cond->known.i ? 0 : 1]);
    else if (cond->naxes || is_small(op)) if_chosen(h, op, cond);
    else if_branches(h, op, cond);
}

/* ---- the rest */

void hlo_spawn(Hlo *h, const Op *op, const char *word) {
    int k = 0;
    (void)word;
    for (int i = 0; i < 2; i++) {
        hlo_region(h, op->regs[i]);
        Op *end = region_term(op->regs[i]);
        for (int j = 0; j < end->nopnds; j++) hlo_set(h, &op->res[k++], ten_of(h, op_opnd(end, j)));
    }
}

/* The body in its place, with sizes of its own */
void hlo_call(Hlo *h, const Op *op, const char *word) {
    const Func *f = module_find(h->module, op_sym(op, A_FUNC));
    Map own = {0}, *sizes = h->sizes, values = h->values;
    (void)word;
    if (h->calls == DEEPEST_CALL) {
        hlo_unsupported(h, op, "functions that call themselves as often as values say");
        return;
    }
    const Ten **arg = NEWN(h->arena, const Ten *, op->nopnds + 1), **res = NEWN(h->arena, const Ten *, op->nres + 1);
    for (int i = 0; i < op->nopnds; i++) arg[i] = operand(h, op, i);
    h->sizes = &own, h->values = (Map){0}, h->calls++;
    for (int i = 0; i < op->nopnds; i++) {
        hlo_define(h, f->body->args[i]->type, arg[i]);
        hlo_set(h, f->body->args[i], arg[i]);
    }
    hlo_region(h, f->body);
    for (int i = 0; i < op->nres; i++) res[i] = hlo_yield(h, f->body, i);
    h->sizes = sizes, h->values = values, h->calls--;
    for (int i = 0; i < op->nres; i++) {
        hlo_define(h, op->res[i].type, res[i]);
        hlo_set(h, &op->res[i], res[i]);
    }
}
