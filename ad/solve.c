/* An index is solved for: the equation's other indices are known (solve.h).
 *
 * What is solved is an interval of values, most often of one: quotients make it longer, a least or greatest of two
 * longer at its end, where it goes on to the end of the index; a factor leaves those that it divides. */
#include "ad/solve.h"
#include "ir/index.h"

/* A step of the path that is being solved: of s, where the equation is u */
typedef struct {
    Solving *s;
    Unsolved *u;
    int axis;
    const Path *path;
    int at;
    const Solution *sol;
    const End *end;
} Here;

Solving start_solving(const Plan *plan, const Region *over, const Type *type) {
    Solving s = {.plan = *plan, .over = over, .type = type, .copies = 1};
    for (int a = 0; a < type->rank; a++)
        s.at[a] = (Unsolved){.form = plan->eq[a].form,
                             .lo = over->args[a],
                             .hi = over->args[a],
                             .width = 1,
                             .chain = plan->eq[a].clamped};
    return s;
}

static const Step *step_of(const Here *h) { return &h->path->step[h->at]; }

static Value *go_on(Emit *e, const Here *h, Value *when) {
    if (when) return guarded(e, when, true, h->path, h->at + 1, h->sol, h->end);
    return descend(e, h->path, h->at + 1, h->sol, h->end);
}

/* ---- terms that are known leave the form */

static bool is_known(const Emit *e, const Path *path, const Value *atom) {
    for (int i = 0; i < path->n; i++) {
        const Value *index = index_of(&path->step[i]);
        if (index && !known_here(e, index) && value_depends(atom, index)) return false;
    }
    return true;
}

static Value *atom_here(Emit *e, const Region *over, const Term *t) {
    return t->atom ? fixed_here(e, t->atom) : over->args[t->axis];
}

Value *less_known(Emit *e, const Region *over, const Path *path, const Form *f, Value *x) {
    for (int i = 0; i < f->n; i++) {
        const Term *t = &f->term[i];
        if (t->atom && !is_known(e, path, t->atom)) continue;
        Value *v = atom_here(e, over, t);
        x = t->c == -1 ? index_add(&e->b, x, v) : index_sub(&e->b, x, index_mul(&e->b, v, build_int(&e->b, t->c)));
    }
    return index_sub(&e->b, x, build_int(&e->b, f->k));
}

void forget_known(const Emit *e, const Path *path, Form *f) {
    Form rest = {0};
    for (int i = 0; i < f->n; i++)
        if (f->term[i].atom && !is_known(e, path, f->term[i].atom)) rest.term[rest.n++] = f->term[i];
    *f = rest;
}

static void leave_known(Emit *e, Here *h) {
    Unsolved *u = h->u;
    u->lo = less_known(e, h->s->over, h->path, &u->form, u->lo);
    u->hi = u->many ? less_known(e, h->s->over, h->path, &u->form, u->hi) : u->lo;
    forget_known(e, h->path, &u->form);
}

static void set_one(Unsolved *u, Value *v) { u->lo = u->hi = v; }

static void require(Emit *e, Unsolved *u, Value *cond) { u->when = build_both(&e->b, u->when, cond); }

/* ---- from a term to its operand */

static Value *quotient(Emit *e, Value *v, Value *by) {
    return value_is_const_int(by, 1) ? v : idiv_safe(&e->b, v, by);
}

/* Of one value: by is not 0, and divides it or there is none. */
static void divide_one(Emit *e, Unsolved *u, Value *by) {
    Value *none = build_int(&e->b, 0);
    require(e, u, build_binary(&e->b, OP_EQ, imod_safe(&e->b, u->lo, by), none));
    set_one(u, quotient(e, u->lo, by));
}

/* by > 0 */
static void divide(Emit *e, Unsolved *u, Value *by) {
    if (!u->many) return divide_one(e, u, by);
    Value *up = index_sub(&e->b, by, build_int(&e->b, 1));
    u->lo = quotient(e, index_add(&e->b, u->lo, up), by);
    u->hi = quotient(e, u->hi, by);
    u->width = 0;
}

static Value *negative(Emit *e, Value *v) { return index_sub(&e->b, build_int(&e->b, 0), v); }

static void negate(Emit *e, Unsolved *u) {
    Value *lo = negative(e, u->hi), *hi = u->many ? negative(e, u->lo) : lo, *open = u->from_start;
    u->lo = lo, u->hi = hi;
    u->from_start = u->to_end, u->to_end = open;
}

static void take_coefficient(Emit *e, Unsolved *u) {
    int64_t c = u->form.term[0].c;
    if (c < 0) negate(e, u);
    if (c != 1 && c != -1) divide(e, u, build_int(&e->b, c < 0 ? -c : c));
}

/* The element's index is no further than the end of a least or greatest: the last index, or the first. */
static bool is_at_edge(Emit *e, const Here *h, const Value *v, bool least, const Value *end) {
    Session *ss = e->b.module->session;
    const Size *last = size_sub(ss, h->s->type->dims[h->axis], size_const(ss, 1));
    return v == h->s->over->args[h->axis] && (least ? value_size(ss, end, false) == last : value_is_const_int(end, 0));
}

static Value *either(Emit *e, Value *x, Value *y) { return x ? build_binary(&e->b, OP_OR, x, y) : y; }

/* min(u, end) or max(u, end): at the end all that is beyond it */
static void unclamp(Emit *e, const Here *h, bool least, Value *end) {
    Unsolved *u = h->u;
    if (h->s->between && u->chain) return;
    Value *near = least ? u->lo : u->hi, *far = least ? u->hi : u->lo;
    Value *beyond = build_binary(&e->b, !u->many ? OP_EQ : least ? OP_GE : OP_LE, far, end);
    Value **here = least ? &u->from_start : &u->to_end, **there = least ? &u->to_end : &u->from_start;
    if (!is_at_edge(e, h, near, least, end)) {
        Value *inside = build_binary(&e->b, least ? OP_LE : OP_GE, near, end);
        require(e, u, either(e, *here, inside));
    }
    *there = either(e, *there, beyond);
    u->many = true;
    u->width = 0;
}

/* u // by */
static void undivide(Emit *e, Unsolved *u, Value *by) {
    Builder *b = &e->b;
    int64_t n;
    Value *more = index_sub(b, by, build_int(b, 1)), *lo = u->lo;
    u->lo = index_mul(b, lo, by);
    u->hi = index_add(b, u->many ? index_mul(b, u->hi, by) : u->lo, more);
    u->width = !u->many && value_const_int(by, &n) ? n : 0;
    u->many = true;
}

bool is_clamp(const Value *atom) { return atom->def && (atom->def->code == OP_MIN || atom->def->code == OP_MAX); }

/* To the operand of the last term of the form, which is no index */
static void open_term(Emit *e, Here *h) {
    Unsolved *u = h->u;
    Value *atom = u->form.term[0].atom, *by = fixed_here(e, fixed_side(e->p, atom)), *inner = moving_side(e->p, atom);
    take_coefficient(e, u);
    if (atom->def->code == OP_MUL) divide_one(e, u, by);
    else if (atom->def->code == OP_IDIV) undivide(e, u, by);
    else unclamp(e, h, atom->def->code == OP_MIN, by);
    u->chain = u->chain && is_clamp(atom) && is_clamp(inner);
    read_form(e->p, &u->form, inner);
    leave_known(e, h);
}

/* ---- the index */

enum { SHORT = 4 };

/* The sum of what body makes; of few turns they are written out. */
static Value *sum_turns(Emit *e, const Here *h, Value *count, TurnFn *body, void *ctx) {
    int64_t n;
    Value *sum = NULL;
    bool few = value_const_int(count, &n) && n <= SHORT && n * h->s->copies <= MOST_COPIES;
    if (!few) return summed_over(e, count, h->end, body, ctx);
    h->s->copies *= (int)n;
    for (int64_t k = 0; k < n; k++) {
        Emit in = {.p = e->p, .up = e, .b = e->b};
        sum = sum_adjoints(e->p->s->ad, &e->b, sum, body(&in, build_int(&e->b, k), ctx));
    }
    return sum;
}

/* The index is first + k * by, which is there for all k, or it is asked. */
typedef struct { const Here *here; Value *first, *by; bool asks; } Turns;

static Value *one_turn(Emit *e, Value *k, void *ctx) {
    const Turns *t = ctx;
    Value *index = index_add(&e->b, t->first, t->by ? index_mul(&e->b, k, t->by) : k);
    const Step *st = step_of(t->here);
    know(e, index_of(st), index);
    return go_on(e, t->here, t->asks ? build_inside(&e->b, index, extent_here(e, st)) : NULL);
}

static Value *where(Emit *e, Value *when, Value *count) {
    count = index_max(&e->b, count, build_int(&e->b, 0));
    return when ? build_select(&e->b, when, count, build_int(&e->b, 0)) : count;
}

/* The index is from the interval. */
static Value *some_turns(Emit *e, const Here *h) {
    Builder *b = &e->b;
    const Unsolved *u = h->u;
    Value *zero = build_int(b, 0), *last = index_sub(b, extent_here(e, step_of(h)), build_int(b, 1));
    Value *lo = u->from_start ? build_select(b, u->from_start, zero, u->lo) : u->lo;
    Value *hi = u->to_end ? build_select(b, u->to_end, last, u->hi) : u->hi;
    Turns t = {h, index_max(b, lo, zero), NULL, false};
    Value *n = index_add(b, index_sub(b, index_min(b, hi, last), t.first), build_int(b, 1));
    return sum_turns(e, h, where(e, u->when, n), one_turn, &t);
}

/* As many as a quotient leaves: a number */
static Value *fixed_turns(Emit *e, const Here *h) {
    Turns t = {h, h->u->lo, NULL, true};
    return sum_turns(e, h, build_int(&e->b, h->u->width), one_turn, &t);
}

static Value *known_turn(Emit *e, const Here *h, Value *index, Value *when) {
    Emit in = {.p = e->p, .up = e, .b = e->b};
    know(&in, index_of(step_of(h)), index);
    return go_on(&in, h, when);
}

static Value *only_turn(Emit *e, const Here *h) {
    const Step *st = step_of(h);
    bool from = st->owner->code == OP_FOR;
    Value *first = from ? value_here(e, op_opnd(st->owner, 0)) : build_int(&e->b, 0), *index = h->u->lo;
    return known_turn(e, h, index, build_between(&e->b, h->u->when, index, first, extent_here(e, st)));
}

/* Every by-th from the first on */
static Value *turns_around(Emit *e, const Here *h, Value *first, Value *by, const Size *around) {
    Builder *b = &e->b;
    const Step *st = step_of(h);
    Value *n = extent_here(e, st), *when = h->u->when;
    if (around && extent_size(st) == around) return known_turn(e, h, first, when);
    if (around && comes_around_once(e->p, st, around))
        return known_turn(e, h, first, build_both(b, when, build_binary(b, OP_LT, first, n)));
    Value *up = index_sub(b, by, build_int(b, 1)), *left = index_add(b, index_sub(b, n, first), up);
    Turns t = {h, first, by, false};
    return sum_turns(e, h, where(e, when, idiv_safe(b, left, by)), one_turn, &t);
}

/* u % by, where u is an index and something known */
static Value *open_remainder(Emit *e, Here *h) {
    Builder *b = &e->b;
    Unsolved *u = h->u;
    Value *atom = u->form.term[0].atom, *n = fixed_side(e->p, atom), *by = fixed_here(e, n);
    const Size *around = value_size(b->module->session, n, false);
    take_coefficient(e, u);
    bool whole = u->lo == h->s->over->args[h->axis] && around == h->s->type->dims[h->axis];
    if (!whole) require(e, u, build_inside(b, u->lo, by));
    by = index_max(b, by, build_int(b, 1));
    read_form(e->p, &u->form, moving_side(e->p, atom));
    leave_known(e, h);
    take_coefficient(e, u);
    return turns_around(e, h, imod_safe(b, u->lo, by), by, around);
}

/* ---- a remainder of more than one index and something known: that it is goes around once, twice, .. */

static Value *step_turns(Emit *e, Here *h);

typedef struct { Here *here; Unsolved saved; Value *v, *n; bool down; } Round;

/* The k-th value, from 1 on, that leaves the remainder v */
static Value *one_round(Emit *e, Value *k, void *ctx) {
    Round *r = ctx;
    Builder *b = &e->b;
    Value *by = index_mul(b, index_add(b, k, build_int(b, 1)), r->n);
    *r->here->u = r->saved;
    set_one(r->here->u, r->down ? index_sub(b, r->v, by) : index_add(b, r->v, by));
    return step_turns(e, r->here);
}

/* The least, or the greatest, that the form can be */
static Value *end_of_form(Emit *e, const Here *h, const Form *f, bool most) {
    Builder *b = &e->b;
    Value *sum = build_int(b, f->k);
    for (int i = 0; i < f->n; i++) {
        const Term *t = &f->term[i];
        Value *v = NULL;
        for (int k = 0; k < h->path->n; k++)
            if (index_of(&h->path->step[k]) == t->atom)
                v = index_sub(b, extent_here(e, &h->path->step[k]), build_int(b, 1));
        if (v && (t->c > 0) != most) continue;
        if (!v) v = atom_here(e, h->s->over, t);
        sum = index_add(b, sum, index_mul(b, v, build_int(b, t->c)));
    }
    return sum;
}

/* Those above v, or below: as many as `end` leaves room for, most often none */
static Value *more_rounds(Emit *e, Round *r, Value *end) {
    Builder *b = &e->b;
    const Type *t = r->here->end->type;
    Value *room = r->down ? index_sub(b, r->v, end) : index_sub(b, end, r->v);
    Value *none = build_binary(b, OP_LT, room, r->n), *v;
    Op *made = build_if(b, none, 1, &t), *outer = enter(e, made);
    Emit in = emit_inside(e, made->regs[1]), out = emit_inside(e, made->regs[0]);
    op_set_flag(made, A_FEW);
    v = build_float(&out.b, t->dtype, 0);
    build_yield(&out.b, 1, &v);
    v = summed_over(&in, idiv_safe(&in.b, room, r->n), r->here->end, one_round, r);
    build_yield(&in.b, 1, &v);
    leave(e, outer);
    return keep_mask(e->p->s->ad, &made->res[0], v);
}

static bool is_positive(const Pull *p, const Form *f) {
    bool all = f->k >= 0;
    for (int i = 0; i < f->n; i++) all &= f->term[i].c > 0 && is_index(p, f->term[i].atom);
    return all;
}

static Value *all_rounds(Emit *e, Here *h) {
    Builder *b = &e->b;
    Unsolved *u = h->u;
    Ad *ad = e->p->s->ad;
    Value *atom = u->form.term[0].atom, *by = fixed_here(e, fixed_side(e->p, atom));
    take_coefficient(e, u);
    require(e, u, build_inside(b, u->lo, by));
    read_form(e->p, &u->form, moving_side(e->p, atom));
    Round r = {h, *u, u->lo, index_max(b, by, build_int(b, 1)), false};
    Form f = u->form;
    Emit first = {.p = e->p, .up = e, .b = e->b};
    Value *sum = step_turns(&first, h);
    sum = sum_adjoints(ad, b, sum, more_rounds(e, &r, end_of_form(e, h, &f, true)));
    r.down = true;
    return is_positive(e->p, &f) ? sum : sum_adjoints(ad, b, sum, more_rounds(e, &r, end_of_form(e, h, &f, false)));
}

/* Of what is left of a remainder nothing is known yet, and it is not that of one shifted index. */
static bool is_remainder(const Here *h, const Pull *p) {
    const Value *atom = h->u->form.n == 1 ? h->u->form.term[0].atom : NULL;
    return atom && !is_index(p, atom) && atom->def->code == OP_MOD;
}

/* Every by-th index is one that leaves the remainder: index + something known */
static bool is_shift(const Emit *e, const Here *h) {
    Form inner;
    int64_t c = 0;
    read_form(e->p, &inner, moving_side(e->p, h->u->form.term[0].atom));
    forget_known(e, h->path, &inner);
    if (inner.n == 1) c = inner.term[0].c;
    return (c == 1 || c == -1) && h->s->plan.role[h->at] == ROLE_SOLVED;
}

/* ---- ends beyond which there are few: the place that is not clamped, then those beyond either end */

typedef struct { const Here *here; Value *when; bool down; } Beyond;

static Value *turn_beyond(Emit *e, Value *k, void *ctx) {
    const Beyond *t = ctx;
    const Step *st = step_of(t->here);
    Value *index = (t->down ? index_sub : index_add)(&e->b, t->here->u->lo, k);
    Value *when = build_both(&e->b, t->when, build_inside(&e->b, index, extent_here(e, st)));
    know(e, index_of(st), index);
    return go_on(e, t->here, when);
}

static Value *ends_written_out(Emit *e, const Here *h) {
    const Unsolved *u = h->u;
    Value *sum = NULL;
    for (int above = 0; above < 2; above++) {
        Value *open = above ? u->to_end : u->from_start;
        for (int64_t k = above; k <= (above ? u->above : u->below); k++) {
            Emit in = {.p = e->p, .up = e, .b = e->b};
            Beyond t = {h, k ? build_both(&e->b, u->when, open) : u->when, !above};
            sum = sum_adjoints(e->p->s->ad, &e->b, sum, turn_beyond(&in, build_int(&e->b, k), &t));
        }
    }
    return sum;
}

static Value *solved_turns(Emit *e, Here *h) {
    Unsolved *u = h->u;
    leave_known(e, h);
    while (!is_index(e->p, u->form.term[0].atom)) {
        if (is_remainder(h, e->p)) return (is_shift(e, h) ? open_remainder : all_rounds)(e, h);
        open_term(e, h);
    }
    take_coefficient(e, u);
    if (!u->many) return only_turn(e, h);
    if (u->ends) return ends_written_out(e, h);
    return (u->width && !u->when ? fixed_turns : some_turns)(e, h);
}

/* ---- classes: of a + c*u = v those a that leave a multiple of c, which are v mod c + k*c; then u is v // c - k */

typedef struct {
    const Here *here;
    bool down;         /* u is k - v // c */
    Value *rest, *by, *from, *skip;
    Value *sign;       /* of u, as it is known when the program runs; NULL: 1 */
    bool fits;         /* a is there for all k */
} Class;

static Value *class_turn(Emit *e, Value *k, void *ctx) {
    Class *c = ctx;
    Builder *b = &e->b;
    const Step *st = step_of(c->here);
    if (c->skip) k = index_add(b, k, c->skip);
    Value *a = index_add(b, c->rest, index_mul(b, k, c->by));
    Value *left = c->down ? index_sub(b, k, c->from) : index_sub(b, c->from, k);
    set_one(c->here->u, c->sign ? index_mul(b, left, c->sign) : left);
    know(e, index_of(st), a);
    return go_on(e, c->here, c->fits ? NULL : build_binary(b, OP_LT, a, extent_here(e, st)));
}

/* How often: ceil(n / by) */
static Value *class_count(Emit *e, Class *c, const Step *st) {
    Builder *b = &e->b;
    int64_t n, by = 0;
    const Size *size = extent_size(st);
    bool same = value_size(b->module->session, c->by, false) == size;
    bool numbers = value_const_int(c->by, &by) && size_is_const(size, &n);
    c->fits = same || by == 1 || (numbers && n % by == 0);
    if (same) return build_int(b, 1);
    if (numbers) return build_int(b, (n + by - 1) / by);
    return quotient(e, index_add(b, extent_here(e, st), index_sub(b, c->by, build_int(b, 1))), c->by);
}

/* Of `count` turns those whose u is there: its index is from 0 to n - 1. */
static Value *bound_turns(Emit *e, Class *c, Value *count, const Step *other) {
    Builder *b = &e->b;
    Value *n = extent_here(e, other), *zero = build_int(b, 0), *next = index_add(b, c->from, build_int(b, 1));
    c->skip = index_max(b, c->down ? c->from : index_sub(b, next, n), zero);
    Value *beyond = c->down ? index_add(b, c->from, n) : next;
    return index_max(b, index_sub(b, index_min(b, count, beyond), c->skip), zero);
}

/* The equation without the term of a, whose coefficient, 1 or -1, is given */
static int64_t take_term(Form *f, const Value *a) {
    int64_t c = 0;
    Form rest = {0};
    for (int i = 0; i < f->n; i++)
        if (f->term[i].atom == a) c = f->term[i].c;
        else rest.term[rest.n++] = f->term[i];
    *f = rest;
    return c;
}

/* The factor of what is left without its sign; the form is its operand's. */
static Value *take_factor(Emit *e, Class *c, Form *f) {
    Builder *b = &e->b;
    Term *t = &f->term[0];
    int64_t k = t->c < 0 ? -t->c : t->c;
    bool product = !is_index(e->p, t->atom) && t->atom->def->code == OP_MUL;
    c->down ^= t->c < 0;
    if (!product) return t->c = 1, build_int(b, k);
    Value *by = fixed_here(e, fixed_side(e->p, t->atom));
    read_form(e->p, f, moving_side(e->p, t->atom));
    if (value_size(b->module->session, by, false)) return by;
    Value *below = build_binary(b, OP_LT, by, build_int(b, 0));
    c->sign = build_select(b, below, build_int(b, -1), build_int(b, 1));
    return build_select(b, below, negative(e, by), by);
}

static Value *class_turns(Emit *e, Here *h) {
    Builder *b = &e->b;
    Unsolved *u = h->u;
    const Step *st = step_of(h);
    Class c = {.here = h};
    leave_known(e, h);
    while (u->form.n == 1) {
        if (is_remainder(h, e->p)) return all_rounds(e, h);
        open_term(e, h);
    }
    c.down = take_term(&u->form, index_of(st)) < 0;
    Value *v = c.down ? negative(e, u->lo) : u->lo;
    c.by = take_factor(e, &c, &u->form);
    c.from = quotient(e, v, c.by);
    c.rest = value_is_const_int(c.by, 1) ? build_int(b, 0) : imod_safe(b, v, c.by);
    Value *count = class_count(e, &c, st);
    if (h->s->plan.bounded[h->at]) count = bound_turns(e, &c, count, &h->path->step[h->at + 1]);
    return sum_turns(e, h, count, class_turn, &c);
}

static Value *step_turns(Emit *e, Here *h) {
    return (h->s->plan.role[h->at] == ROLE_CLASS ? class_turns : solved_turns)(e, h);
}

Value *solve_step(Emit *e, const Path *path, int at, const Solution *sol, const End *end) {
    Solving s = *sol->solving; /* what is made beside it begins with the same */
    Solution in = *sol;
    in.solving = &s;
    Here h = {&s, &s.at[s.plan.axis[at]], s.plan.axis[at], path, at, &in, end};
    return step_turns(e, &h);
}
