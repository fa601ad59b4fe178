/* Which index of a nest is solved for, by which axis of an access, and in what order (solve.h).
 *
 * An axis is an equation: a sum of indices is the element's index.  One index is solved for when the others are known:
 * the longest of those that have no factor, as it is known then by a difference; else what has a factor, `s * i + a`,
 * of which `a` goes through the class of those that leave a remainder of 0: all its turns find an i, if there is one.
 * What equations have in common is replaced first (Gauss).  What is made by a quotient, a least or greatest of two, or
 * a remainder is solved for as its operand. */
#include "ad/solve.h"
#include "analysis/range.h"
#include "ir/index.h"

enum { MOST_FACTOR = 1 << 14 };

typedef struct {
    const Pull *p;
    const Path *path;
    Plan *plan;
    bool known[MAX_PATH]; /* steps whose index is known when the equation is solved */
} Planner;

/* Indices whose loops have sizes that are known before the nest, and may be taken in any order */
static bool is_free(const Planner *pl, const Step *st) {
    OpCode code = st->owner->code;
    bool plain = code == OP_GENERATE || code == OP_REDUCE || code == OP_FOR;
    const Size *n = st->won || !plain || !by_one(st->owner) ? NULL : extent_size(st);
    return n && size_is_known_at(pl->p->root, n); /* it may be one that the nest finds */
}

/* How often an index is taken, as far as it is known: those of the nest are thought to be more than those of sums. */
static int64_t length_of(const Planner *pl, const Step *st) {
    int64_t n;
    if (size_is_const(extent_size(st), &n)) return n;
    return st->owner == pl->p->root ? INT64_MAX : INT64_MAX - 1;
}

static bool mentions(const Planner *pl, const Value *v, int step) {
    const Value *index = index_of(&pl->path->step[step]);
    return index && v && value_depends(v, index);
}

/* The longest loop of those of v whose index is not known; -1: all are known */
static int longest(const Planner *pl, const Value *v) {
    int best = -1;
    for (int i = 0; i < pl->path->n; i++) {
        if (pl->known[i] || !mentions(pl, v, i)) continue;
        const Step *st = &pl->path->step[i];
        if (!extent_size(st)) return i;
        if (best < 0 || length_of(pl, st) > length_of(pl, &pl->path->step[best])) best = i;
    }
    return best;
}

/* ---- which term an equation is solved for */

/* Terms of a form that are not known yet: the one that is solved for; one that goes through a class, or -1 */
typedef struct { int n, pivot, class; bool alike; } Choice;

static int64_t length_of_term(const Planner *pl, const Term *t) {
    const Step *st = &pl->path->step[longest(pl, t->atom)];
    return extent_size(st) ? length_of(pl, st) : 0;
}

static bool is_unit(const Planner *pl, const Term *t) { return is_index(pl->p, t->atom) && (t->c == 1 || t->c == -1); }

static bool has_factor(const Planner *pl, const Term *t) {
    bool product = !is_index(pl->p, t->atom) && t->atom->def->code == OP_MUL;
    return is_index(pl->p, t->atom) ? !is_unit(pl, t) : product && (t->c == 1 || t->c == -1);
}

/* The longest of the terms that `fits`; *alike: nobody knows which */
static int longest_term(const Planner *pl, const Form *f, bool (*fits)(const Planner *, const Term *), bool *alike) {
    int best = -1;
    int64_t most = -1;
    *alike = false;
    for (int i = 0; i < f->n; i++) {
        if (longest(pl, f->term[i].atom) < 0 || (fits && !fits(pl, &f->term[i]))) continue;
        int64_t n = length_of_term(pl, &f->term[i]);
        if (n >= most) *alike = n == most && n >= INT64_MAX - 1;
        if (n > most) best = i, most = n;
    }
    return best;
}

static Choice choose(const Planner *pl, const Form *f) {
    bool any, some;
    Choice c = {.pivot = longest_term(pl, f, NULL, &any), .class = -1};
    for (int i = 0; i < f->n; i++) c.n += longest(pl, f->term[i].atom) >= 0;
    if (c.n < 2 || (!any && is_unit(pl, &f->term[c.pivot]))) return c;
    int unit = longest_term(pl, f, is_unit, &some), heavy = longest_term(pl, f, has_factor, &some);
    if (heavy >= 0 && unit >= 0) return (Choice){c.n, heavy, unit, any};
    if (!any) return c;
    if (unit >= 0 && is_unit(pl, &f->term[c.pivot]))
        for (int i = 0; i < f->n; i++)
            if (i != c.pivot && longest(pl, f->term[i].atom) >= 0 && is_unit(pl, &f->term[i])) c.class = i;
    if (c.class < 0) c.pivot = -1;
    c.alike = true;
    return c;
}

/* ---- one equation */

static void take(Planner *pl, int step, Role role, int axis) {
    pl->known[step] = true;
    pl->plan->role[step] = role;
    pl->plan->axis[step] = axis;
    if (role != ROLE_PATH) pl->plan->order[pl->plan->norder++] = step;
}

/* The indices of v that are not known are summed over. */
static bool sum_over(Planner *pl, const Value *v) {
    for (int i = longest(pl, v); i >= 0; i = longest(pl, v)) {
        if (!is_free(pl, &pl->path->step[i])) return false;
        take(pl, i, ROLE_PATH, 0);
    }
    return true;
}

/* Sums in v do not wrap: what they are compared with, or divided by, are numbers. */
static bool is_exact(const Planner *pl, const Value *v) {
    const Op *op = v->def;
    if (!op || !depends(pl->p, v)) return true;
    bool sum = op->code == OP_ADD || op->code == OP_SUB || op->code == OP_MUL || op->code == OP_NEG;
    if (sum) {
        Ranges *r = ranges_new(pl->p->s->ad->module->session);
        bool exact = range_exact(r, op, op);
        ranges_free(r);
        if (!exact) return false;
    }
    for (int i = 0; i < op->nopnds; i++)
        if (!is_exact(pl, op_opnd(op, i))) return false;
    return true;
}

static bool is_size(const Planner *pl, const Value *v) { return value_size(pl->p->s->ad->module->session, v, false); }

/* Whether a term can be solved for its operand; what that asks for.  *wide: for an interval of values */
static bool look_through(Planner *pl, const Term *t, bool *wide) {
    OpCode code = t->atom->def->code;
    const Value *by = fixed_side(pl->p, t->atom);
    int64_t k;
    bool number = value_const_int(by, &k);
    if (t->c > MOST_FACTOR || t->c < -MOST_FACTOR) return false;
    if ((code == OP_IDIV || code == OP_MOD) && number && k <= 0) return false;
    if ((code == OP_MUL || code == OP_MOD) && *wide) return false;
    if (code == OP_MOD && t->c != 1 && t->c != -1) return false;
    pl->plan->asks |= code == OP_MUL || !is_exact(pl, moving_side(pl->p, t->atom));
    pl->plan->asks |= code == OP_IDIV && !number;
    if (code == OP_MOD && !number && !is_size(pl, by)) return false;
    *wide |= code == OP_IDIV || code == OP_MIN || code == OP_MAX;
    return true;
}

static bool plan_form(Planner *pl, int axis, const Form *f, bool wide);

/* Of indices with numbers as factors, of which it is known how far they go, and what the nest does not change */
static bool is_linear(const Planner *pl, const Form *f) {
    for (int i = 0; i < f->n; i++) {
        const Value *atom = f->term[i].atom;
        if (!depends(pl->p, atom)) continue;
        if (!is_index(pl->p, atom)) return false;
        for (int k = 0; k < pl->path->n; k++)
            if (index_of(&pl->path->step[k]) == atom && !extent_size(&pl->path->step[k])) return false;
    }
    return true;
}

static bool plan_operand(Planner *pl, int axis, const Term *t, bool wide) {
    Form inner;
    if (!look_through(pl, t, &wide) || !read_form(pl->p, &inner, moving_side(pl->p, t->atom))) return false;
    if (t->atom->def->code != OP_MOD) return plan_form(pl, axis, &inner, wide);
    bool alike;
    int at = longest_term(pl, &inner, NULL, &alike);
    if (at < 0 || !is_linear(pl, &inner)) return false;
    return plan_form(pl, axis, &inner, is_unit(pl, &inner.term[at])); /* of an index that is shifted: every n-th */
}

static bool plan_class(Planner *pl, int axis, const Form *f, const Choice *c) {
    const Term *a = &f->term[c->class], *pivot = &f->term[c->pivot];
    int step = longest(pl, a->atom), other = longest(pl, pivot->atom);
    if (!is_free(pl, &pl->path->step[step]) || mentions(pl, pivot->atom, step)) return false;
    pl->plan->bounded[step] = c->alike && is_index(pl->p, pivot->atom) && is_free(pl, &pl->path->step[other]);
    take(pl, step, ROLE_CLASS, axis);
    return true;
}

/* wide: for an interval of its values; so is what is left of a remainder, a number of values */
static bool plan_form(Planner *pl, int axis, const Form *f, bool wide) {
    Choice c = choose(pl, f);
    if (c.pivot < 0 || (wide && c.class >= 0)) return false;
    const Term *pivot = &f->term[c.pivot];
    for (int i = 0; i < f->n; i++)
        if (i != c.pivot && i != c.class && !sum_over(pl, f->term[i].atom)) return false;
    if (c.class >= 0 && !plan_class(pl, axis, f, &c)) return false;
    int step = longest(pl, pivot->atom);
    if (step < 0) return false; /* another term has made it known */
    if (!is_index(pl->p, pivot->atom)) return plan_operand(pl, axis, pivot, wide);
    const Step *st = &pl->path->step[step];
    if (st->won || !by_one(st->owner)) return false;
    if (pivot->c > MOST_FACTOR || pivot->c < -MOST_FACTOR) return false;
    take(pl, step, ROLE_SOLVED, axis);
    return true;
}

/* ---- several equations */

static bool shares(const Planner *pl, const Form *f, const Form *g) {
    for (int i = 0; i < pl->path->n; i++) {
        bool x = false, y = false;
        for (int k = 0; k < f->n && !pl->known[i]; k++) x |= mentions(pl, f->term[k].atom, i);
        for (int k = 0; k < g->n; k++) y |= mentions(pl, g->term[k].atom, i);
        if (x && y) return true;
    }
    return false;
}

/* An index by which the equation goes out of all others, which have it as a term alone; NULL: there is none */
static Value *common(const Planner *pl, int axis) {
    const Plan *plan = pl->plan;
    const Form *f = &plan->eq[axis].form;
    for (int i = 0; i < f->n; i++) {
        if (!is_unit(pl, &f->term[i]) || longest(pl, f->term[i].atom) < 0) continue;
        int terms = 0, mentioned = 0, step = longest(pl, f->term[i].atom);
        for (int a = 0; a < MAX_RANK; a++)
            for (int k = 0; k < plan->eq[a].form.n && plan->eq[a].used; k++) {
                terms += plan->eq[a].form.term[k].atom == f->term[i].atom;
                mentioned += mentions(pl, plan->eq[a].form.term[k].atom, step);
            }
        if (terms > 1 && terms == mentioned) return f->term[i].atom;
    }
    return NULL;
}

/* Equations that share indices with others are solved for one of these, last; their number, and in which order */
static int eliminate(Planner *pl, int *late, Value **index) {
    Plan *plan = pl->plan;
    int n = 0;
    for (int a = 0; a < MAX_RANK; a++) {
        bool shared = false;
        for (int k = a + 1; k < MAX_RANK && plan->eq[a].used; k++)
            shared |= plan->eq[k].used && shares(pl, &plan->eq[a].form, &plan->eq[k].form);
        if (!shared) continue;
        Value *i = common(pl, a);
        if (!i) return -1;
        for (int k = 0; k < MAX_RANK; k++)
            if (k != a && plan->eq[k].used && !form_replace(&plan->eq[k].form, i, &plan->eq[a].form, a)) return -1;
        late[n] = a, index[n++] = i;
    }
    return n;
}

static bool is_late(const int *late, int n, int axis) {
    for (int i = 0; i < n; i++)
        if (late[i] == axis) return true;
    return false;
}

/* What is left of it but the index is summed over. */
static bool plan_late(Planner *pl, int axis, Value *index) {
    const Form *f = &pl->plan->eq[axis].form;
    int step = longest(pl, index);
    if (step < 0) return false;
    for (int i = 0; i < f->n; i++)
        if (f->term[i].atom != index && !sum_over(pl, f->term[i].atom)) return false;
    take(pl, step, ROLE_SOLVED, axis);
    return true;
}

/* The index is a least or greatest of two, and something that the nest does not change. */
static bool is_clamped(const Planner *pl, const Form *f) {
    int moving = 0, clamps = 0;
    for (int i = 0; i < f->n; i++) {
        const Value *atom = f->term[i].atom;
        if (!atom || !depends(pl->p, atom)) continue;
        moving++;
        clamps += f->term[i].c == 1 && atom->def && (atom->def->code == OP_MIN || atom->def->code == OP_MAX);
    }
    return moving == 1 && clamps == 1;
}

/* More than one index of the nest is in it. */
static bool is_of_several(const Planner *pl, const Form *f) {
    int n = 0;
    for (int i = 0; i < pl->path->n; i++) {
        bool found = false;
        for (int k = 0; k < f->n; k++) found |= mentions(pl, f->term[k].atom, i);
        n += found;
    }
    return n > 1;
}

static bool steps_are_free(const Planner *pl) {
    for (int i = 0; i < pl->path->n; i++)
        if (index_of(&pl->path->step[i]) && !is_free(pl, &pl->path->step[i])) return false;
    return true;
}

/* Steps that are summed over, and that no equation mentions, where there are classes */
static void find_apart(Planner *pl) {
    Plan *plan = pl->plan;
    bool classes = false;
    for (int i = 0; i < pl->path->n; i++) classes |= plan->role[i] == ROLE_CLASS;
    for (int i = 0; i < pl->path->n && classes; i++) {
        plan->apart[i] = !pl->known[i];
        for (int a = 0; a < MAX_RANK; a++)
            for (int k = 0; k < plan->eq[a].form.n && plan->eq[a].used; k++)
                plan->apart[i] &= !mentions(pl, plan->eq[a].form.term[k].atom, i);
    }
}

bool plan_axes(const Pull *p, const Op *access, const Path *path, const bool *by_step, const bool *axes, Plan *plan) {
    Planner pl = {.p = p, .path = path, .plan = plan};
    int late[MAX_RANK];
    Value *index[MAX_RANK];
    *plan = (Plan){0};
    for (int i = 0; i < path->n; i++) pl.known[i] = by_step[i];
    for (int a = 0; a < access->nopnds - 1; a++) {
        Equation *eq = &plan->eq[a];
        eq->used = axes[a];
        if (eq->used && !read_form(p, &eq->form, op_opnd(access, a + 1))) return false;
        eq->clamped = eq->used && is_clamped(&pl, &eq->form);
        plan->several |= eq->used && is_of_several(&pl, &eq->form);
    }
    int n = eliminate(&pl, late, index);
    if (n < 0) return false;
    for (int a = 0; a < MAX_RANK; a++)
        if (plan->eq[a].used && !is_late(late, n, a) && !plan_form(&pl, a, &plan->eq[a].form, false)) return false;
    while (n-- > 0)
        if (!plan_late(&pl, late[n], index[n])) return false;
    find_apart(&pl);
    return (!plan->several && !plan->asks) || steps_are_free(&pl);
}

/* ---- the path as it is planned: what is summed over, then what is solved for, then branches */

static void move_step(const Path *path, const Plan *from, int i, Path *to, Plan *plan) {
    plan->role[to->n] = from->role[i];
    plan->axis[to->n] = from->axis[i];
    plan->bounded[to->n] = from->bounded[i];
    to->step[to->n++] = path->step[i];
}

/* Sums over what no equation mentions stand inside of classes, so that these are not asked in each turn. */
static void move_sums(const Path *path, const Plan *from, bool apart, Path *to, Plan *plan) {
    for (int i = 0; i < path->n; i++)
        if (from->role[i] == ROLE_PATH && index_of(&path->step[i]) && from->apart[i] == apart)
            move_step(path, from, i, to, plan);
}

Path sort_path(const Path *path, Plan *plan) {
    Plan from = *plan;
    Path sorted = {0};
    if (!plan->several) return *path;
    move_sums(path, &from, false, &sorted, plan);
    for (int i = 0; i < from.norder; i++) {
        plan->order[i] = sorted.n;
        move_step(path, &from, from.order[i], &sorted, plan);
    }
    move_sums(path, &from, true, &sorted, plan);
    for (int i = 0; i < path->n; i++)
        if (!index_of(&path->step[i])) move_step(path, &from, i, &sorted, plan);
    return sorted;
}

bool comes_around_once(const Pull *p, const Step *st, const Size *around) {
    const Size *n = extent_size(st);
    int64_t more;
    return n && (n == around || (size_is_const(size_sub(p->s->ad->module->session, around, n), &more) && more > 0));
}
