/* compose: a stencil of a stencil is one stencil, with --fp=reassoc: of y[i] = x[i] - 2*x[i+1] + x[i+2], taken twice,
 * x[i] - 4*x[i+1] + 6*x[i+2] - 4*x[i+3] + x[i+4] is left, and no array in between.
 *
 * Needs stage par, behind fuse, which leaves what would be computed several times.  Where all that reads a linear
 * comprehension (stencil.h) is one other linear one, the factors of the first go into those of the second: the
 * composition of stencils is the product of their polynomials (convolution).  That pays as long as the elements that
 * are read are not many more than both read before, since the array in between is neither written nor read: of two
 * stencils of 7 points in three dimensions there are 25, which are as fast, but their border is not.  Reactant
 * recognises stencils as convolutions, and composes these.
 *
 * Launches, parallel loops and assignments to parts are such comprehensions, too (comprehend.h), those behind
 * narrow-guards; they become some only where a composition comes of it.  Most have a border, of which the composition
 * says nothing: there the elements are computed as they were, those of the array in between where they are read:
 * `if inside both { 5 elements } else { the second, of which each read is the first }`.  The pass interior makes loops
 * of their own of that.  In a loop over time what lies around the part that each turn writes stays what it was before
 * the loop. */
#include "opt/dead.h"
#include "opt/tensor/comprehend.h"
#include "opt/tensor/fuse.h"
#include "opt/tensor/stencil.h"

enum {
    MORE = 2,             /* times as many elements as before are still worth it */
    MORE_WITH_BORDER = 3, /* halves of as many */
    MOST_OPS = 800,       /* of the border */
    SMALL = 64,           /* elements of an array */
    DEEP = 4              /* how far is looked for who wants an array */
};

typedef struct {
    const PassOptions *opts;
    Op *op;         /* what makes the second array */
    const Op *part; /* of an update: the comprehension of what it writes, which goes with it */
    Op *second;     /* its comprehension: op, or before it */
    Op *choice;     /* in that, between a sum and what was there; NULL: none yet */
    Stencil at;     /* where it takes the sum */
} Compose;

/* ---- what may go */

static bool reads_safely(const Use *u) {
    return u->user->code == OP_EXTRACT && u->index == 0 && op_flag(u->user, A_SAFE);
}

/* In a loop array is handed on to the next turn, which wants nothing of it but what it does not write itself, and
 * nobody wants it behind the loop: what the loop carries there.  NULL: no such thing. */
static Value *carried_for(const Value *array) {
    Op *def = array->def, *loop = def->parent->owner, *end = region_term(def->parent);
    Value *carried = NULL;
    for (const Use *u = array->uses; u && loop && loop->code == OP_FOR; u = u->next)
        if (u->user == end && value_unused(&loop->res[u->index])) carried = loop_carried(loop, u->index);
    for (const Use *u = carried ? carried->uses : NULL; u; u = u->next)
        if (u->user != def) return NULL;
    return carried;
}

/* What goes with the operation that makes the second array: nobody else wants it. */
static bool goes(const Compose *c, const Op *op, int depth) {
    if (op == c->op || (c->op != c->second && op_inside(op, c->op))) return true;
    if (c->part && op_inside(op, c->part)) return true;
    bool only = depth < DEEP && op->nres == 1 && op->parent == c->op->parent && op_is_removable(op);
    for (const Use *u = only ? op->res[0].uses : NULL; u; u = u->next) only &= goes(c, u->user, depth + 1);
    return only;
}

static bool only_read_by(const Compose *c, const Value *array) {
    const Value *carried = carried_for(array);
    for (const Use *u = array->uses; u; u = u->next) {
        bool handed_on = carried && u->user == region_term(carried->region) && u->index == loop_number(carried);
        if (!handed_on && !(op_inside(u->user, c->second) && reads_safely(u)) && !goes(c, u->user, 0)) return false;
    }
    return true;
}

static int count_reads(const Op *op, const Value *array) {
    int n = 0;
    for (const Use *u = array->uses; u; u = u->next) n += op_inside(u->user, op);
    return n;
}

static bool may_move(const Compose *c, const Op *def) {
    return def && def->parent == c->op->parent && def->nres == 1 && only_read_by(c, &def->res[0]) &&
           !fuse_extern_between(def, c->op);
}

/* ---- the body */

static Op *read_inside(const Op *op, const Value *array) {
    for (const Use *u = array->uses; u; u = u->next)
        if (op_inside(u->user, op)) return u->user;
    return NULL;
}

/* Each read of array in op is computed there, as first says. */
static void inline_reads(const Op *op, Value *array, Op *first) {
    for (Op *read; &first->res[0] != array && (read = read_inside(op, array));) op_set_opnd(read, 0, &first->res[0]);
    for (Op *read; first->parent && (read = read_inside(op, &first->res[0]));) extract_inline(read);
}

static Value *build_where(Builder *before, Builder *b, const Op *op, const Stencil *l) {
    Session *s = b->module->session;
    const Type *t = op->res[0].type;
    Value *in = NULL;
    for (int a = 0; a < t->rank; a++) {
        Value *lo = l->lo[a] ? build_int(before, l->lo[a]) : NULL, *end = NULL;
        if (l->up[a]) end = build_size(before, size_sub(s, t->dims[a], size_const(s, l->up[a])));
        in = build_between(b, in, op->regs[0]->args[a], lo, end);
    }
    return in;
}

/* Inside the sum, elsewhere what was yielded until now */
static Value *build_choice(Op *op, Stencil *l) {
    Op *term = region_term(op->regs[0]), *last = term->prev;
    Value *old = op_opnd(term, 0), *sum;
    Builder before = builder_before(op), b = builder_before(op->regs[0]->first);
    Op *choice = build_if(&b, build_where(&before, &b, op, l), 1, &old->type);
    op_set_flag(choice, A_FEW);
    Builder yes = builder_at_end(b.module, choice->regs[0], b.span),
            no = builder_at_end(b.module, choice->regs[1], b.span);
    sum = stencil_build(&yes, op, l);
    build_yield(&yes, 1, &sum);
    build_yield(&no, 1, &old);
    if (last) op_move_range(choice->next, last, choice->regs[1], region_term(choice->regs[1]));
    return &choice->res[0];
}

static bool same_border(const Stencil *x, const Stencil *y, int rank) {
    for (int a = 0; a < rank; a++)
        if (x->lo[a] != y->lo[a] || x->up[a] != y->up[a]) return false;
    return true;
}

static void put_sum(Compose *c, Stencil *l) {
    Op *op = c->second;
    Region *body = op->regs[0];
    int rank = op->res[0].type->rank;
    Op *term = region_term(c->choice && same_border(&c->at, l, rank) ? c->choice->regs[0] : body);
    if (term->parent == body && stencil_has_border(l, rank)) {
        Value *v = build_choice(op, l);
        op_set_opnd(term, 0, v);
        c->choice = v->def, c->at = *l;
    } else {
        Builder b = builder_before(term);
        op_set_opnd(term, 0, stencil_build(&b, op, l));
    }
    dead_in_region(body);
}

/* ---- one of two */

/* So few elements that other passes make values of them */
static bool is_small(const Type *t) {
    int64_t all = 1, n;
    for (int i = 0; i < t->rank && all <= SMALL; i++)
        all *= size_is_const(t->dims[i], &n) && n <= SMALL ? n : SMALL + 1;
    return all <= SMALL;
}

/* One element with a factor is no stencil: that is for fuse, if it can see it. */
static bool are_stencils(const Compose *c, const Stencil *l, const Stencil *inner, const Op *def) {
    if (l->n == 1 && (inner->n == 1 || c->op->code != OP_ISLAND)) return false;
    return def->code == OP_GENERATE ? inner->n > 1 : !is_small(def->res[0].type);
}

/* Each element of the border is computed of all that both read. */
static bool pays(const Compose *c, const Value *array, const Op *first, int before, const Stencil *both) {
    const Op *op = c->second;
    if (!stencil_has_border(both, op->res[0].type->rank)) return both->n <= MORE * before;
    return 2 * both->n <= MORE_WITH_BORDER * before &&
           count_reads(op, array) * region_count_ops(first->regs[0]) <= MOST_OPS;
}

/* What def makes, where the composition may take it from.  What a loop carries of it alone is what it was before. */
static Op *first_of(Op *def, Value *carried) {
    Value *before = carried ? loop_first(carried->region->owner, loop_number(carried)) : NULL;
    Op *first = comprehend(def, before);
    bool fits = first && !op_has_effect(first) && !op_has_tensors(first);
    if (fits && carried) fits = !count_reads(first, carried);
    if (first && !fits && first != def) op_erase(first);
    return fits ? first : NULL;
}

/* The composition of l with what makes the array, which goes */
static bool compose_with(Compose *c, const Stencil *l, Op *def) {
    Op *op = c->second;
    Module *m = op->parent->func->module;
    Value *array = &def->res[0], *carried = carried_for(array);
    Op *first = first_of(def, carried);
    Stencil inner, both;
    bool fits = first && stencil_read(first, c->opts, &inner) &&
                stencil_compose(m->session, m->arena, l, array, &inner, op->res[0].type, &both) &&
                are_stencils(c, l, &inner, def) && pays(c, array, first, l->n + inner.n, &both);
    if (fits) {
        put_sum(c, &both);
        inline_reads(op, array, first);
        if (carried) op_set_opnd(region_term(def->parent), loop_number(carried), carried);
    }
    if (first && first->parent && value_unused(&first->res[0])) op_erase(first);
    if (def->parent && value_unused(array)) op_erase(def);
    return fits;
}

static bool compose_one(Compose *c, const Stencil *l) {
    for (int i = 0; i < l->n; i++) {
        Op *def = l->tap[i].array->def;
        if (may_move(c, def) && compose_with(c, l, def)) return true;
    }
    return false;
}

static bool compose(Compose *c) {
    Stencil l;
    bool any = false;
    if (op_has_effect(c->second)) return false;
    while (stencil_read(c->second, c->opts, &l) && compose_one(c, &l)) any = true;
    return any;
}

/* ---- launches, parallel loops, and what is written into the array that is read */

/* Something that op alone reads, and the next turn of a loop */
static bool has_own_operand(const Op *op) {
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        bool own = v->def && v->def->parent == op->parent;
        for (const Use *u = v->uses; u; u = u->next) own &= u->user == op || u->user == region_term(op->parent);
        if (own) return true;
    }
    return false;
}

/* Of y with a part of it written anew, by what is read of y: that part; NULL: op is no such thing. */
static const Op *own_part(const Op *op) {
    const Op *part = op->code == OP_UPDATE ? op_opnd(op, 1)->def : NULL;
    bool own = part && part->code == OP_GENERATE && value_single_use(op_opnd(op, 1)) && op_opnd(op, 0)->def;
    return own && count_reads(part, op_opnd(op, 0)) ? part : NULL;
}

/* Whether a comprehension was made, and may have left scalars that nobody uses */
static bool compose_whole(Op *op, const PassOptions *opts) {
    Compose c = {.opts = opts, .op = op, .part = own_part(op)};
    bool tried = op->code == OP_FOR || (op->code == OP_ISLAND && has_own_operand(op));
    if (c.part || tried) c.second = comprehend(op, NULL);
    if (!c.second) return false;
    if (compose(&c)) op_replace(op, c.second);
    else op_erase(c.second);
    return true;
}

static bool visit(Region *r, const PassOptions *opts) {
    bool changed = false;
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        bool whole = op->code == OP_ISLAND || op->code == OP_UPDATE || op->code == OP_FOR;
        if (whole && compose_whole(op, opts)) changed = true;
        else if (op->code == OP_ISLAND) continue;
        else if (op->code == OP_GENERATE) changed |= compose(&(Compose){.opts = opts, .op = op, .second = op});
        else
            for (int i = 0; i < op->nregs; i++) changed |= visit(op->regs[i], opts);
    }
    return changed;
}

void pass_compose(Module *m, const PassOptions *opts) {
    if (!may_reassociate(opts)) return;
    for (int i = 0; i < m->funcs.len; i++) {
        Region *body = m->funcs.data[i]->body;
        if (body && visit(body, opts)) dead_in_region(body);
    }
}
