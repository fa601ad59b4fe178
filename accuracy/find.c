/* Formulas of a program.  Operations of the IR say what is computed; the expression at the place of each, what it is in
 * the source.  A formula begins at an operation whose value something else takes than an operation of floats written
 * around it.  It goes down through names of `let`, too, as long as what stands there means the same here. */
#include "accuracy/accuracy.h"
#include "accuracy/written.h"

#include <string.h>

enum { MOST_TERMS = 48 };

typedef struct { Profile *p; Module *module; const Writing *writing; int segment; } Finder;

const char *reduction_name(Combine kind) {
    static const char *const names[COMBINE_COUNT] = {
        [COMBINE_ADD] = "sum", [COMBINE_MUL] = "prod", [COMBINE_MIN] = "min", [COMBINE_MAX] = "max",
    };
    return names[kind];
}

/* ---- which operations, and the expressions of their operands */

static bool same_place(Span a, Span b) { return a.file == b.file && a.lo == b.lo && a.hi == b.hi; }
static DType type_of(const Op *op) { return op->res[0].type->dtype; }

OpCode written_operator(const Expr *e) {
    static const struct { Opr opr; OpCode op; } all[] = {
        {OPR_ADD, OP_ADD}, {OPR_SUB, OP_SUB}, {OPR_MUL, OP_MUL},
        {OPR_DIV, OP_DIV}, {OPR_NEG, OP_NEG}, {OPR_POW, OP_POW},
    };
    for (size_t i = 0; e->kind != EX_CALL && i < sizeof all / sizeof *all; i++)
        if (all[i].opr == e->op) return all[i].op;
    for (int i = 0; e->kind == EX_CALL && e->callee && e->callee->name && i < OP_COUNT; i++)
        if (op_info((OpCode)i)->traits & TR_ELEM && !strcmp(op_info((OpCode)i)->mnemonic, e->callee->name))
            return (OpCode)i;
    return OP_COUNT;
}

/* The operation is what the expression says; powers are products, quotients and roots. */
static bool is_said(const Finder *f, const Op *op, const Expr *e) {
    bool power = e->kind == EX_BINARY && e->op == OPR_POW && op->code != OP_POW;
    if (power && op->code == OP_MUL) return !f->p->derived || op_opnd(op, 0) == op_opnd(op, 1);
    if (power) return !f->p->derived && (op->code == OP_DIV || op->code == OP_SQRT);
    return written_operator(e) == op->code;
}

static const Written *formula_part(const Finder *f, const Op *op) {
    if (!op || op->nres != 1 || !(op_info(op->code)->traits & TR_ELEM) || !real_knows(op->code)) return NULL;
    if (type_of(op) != DT_F32 && type_of(op) != DT_F64) return NULL;
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i)->type->dtype != type_of(op)) return NULL;
    const Written *w = written_at(f->writing, op->span);
    bool takes = w && (w->e->kind == EX_BINARY || w->e->kind == EX_UNARY || w->e->kind == EX_CALL);
    if (!takes || (w->e->kind == EX_CALL && w->e->call != CALL_BUILTIN)) return NULL;
    return is_said(f, op, w->e) ? w : NULL;
}

/* 2 * x, of which a pass has made x * 2 */
static bool is_turned(const Op *op, const Expr *e) {
    bool turns = op->nopnds == 2 && e->kind == EX_BINARY && (op->code == OP_MUL || op->code == OP_ADD);
    return turns && e->a->is_const && !e->b->is_const && value_const(op_opnd(op, 1)) && !value_const(op_opnd(op, 0));
}

/* The expression of operand i; e itself where one expression is several operations (x^3) */
static Expr *operand_expr(const Op *op, Expr *e, int i) {
    const Op *def = op_opnd(op, i)->def;
    bool power = e->kind == EX_BINARY && e->op == OPR_POW && op->code != OP_POW;
    if (def && power && def->span.lo == e->span.lo && def->span.hi == e->span.hi && def->code != OP_CONST) return e;
    if (e->kind == EX_CALL) return i < e->args.len ? e->args.data[i] : NULL;
    if (power) return op->code == OP_MUL || op->code == OP_SQRT ? e->a : NULL;
    return (i == 0) != is_turned(op, e) ? e->a : e->b;
}

/* The user is there, or in a branch there */
static bool leads_to(const Region *from, const Op *user) {
    const Region *r = user->parent;
    while (r != from && r->owner && r->owner->code == OP_IF) r = r->owner->parent;
    return r == from;
}

/* Computed in one piece with the user: nothing comes between that other threads see */
static bool together(const Op *op, const Op *user) {
    return leads_to(op->parent, user) && op->mark == user->mark && type_of(op) == type_of(user) &&
           op->res[0].type->kind == user->res[0].type->kind &&
           type_same_dims(op->res[0].type, user->res[0].type);
}

/* Written inside the only expression that takes it */
static bool is_inner(const Finder *f, const Op *op) {
    const Value *v = &op->res[0];
    if (!v->uses) return false;
    for (const Use *u = v->uses; u; u = u->next) {
        const Written *w = formula_part(f, u->user);
        const Expr *e = w && together(op, u->user) ? operand_expr(u->user, w->e, u->index) : NULL;
        if (!e || !same_place(written_bare((Expr *)e)->span, op->span)) return false;
    }
    return true;
}

/* ---- building a formula */

typedef struct { const Op *op; int operand, leaf; } LeafTap;
typedef struct {
    Finder *f;
    Formula *x;
    int ctx;
    VEC(Source) source;
    VEC(Span) place;
    LeafTap tap[4 * MOST_TERMS];
    int ntaps;
    const char *leaf_text[MOST_LEAVES];
} Make;

/* The first source that a term has stays. */
static int describe(Make *m, int term, Source s, Span at) {
    Arena *a = m->f->p->arena;
    while (m->source.len <= term) {
        vec_push(a, &m->source, ((Source){NULL, 0}));
        vec_push(a, &m->place, NO_SPAN);
    }
    if (!m->source.data[term].text) m->source.data[term] = s;
    if (m->place.data[term].file < 0) m->place.data[term] = at;
    return term;
}

static const Value *peeled(const Value *v) {
    while (v->def && (v->def->code == OP_FILL || v->def->code == OP_BROADCAST || v->def->code == OP_RETYPE))
        v = op_opnd(v->def, 0);
    return v;
}

/* What only moves values */
static bool moves(OpCode c) {
    return c == OP_FILL || c == OP_BROADCAST || c == OP_RETYPE || c == OP_TRANSPOSE || c == OP_SLICE ||
           c == OP_RESHAPE || c == OP_EXTRACT;
}

/* It was rounded where it was made, as far as that is seen from here: elements of memory, and what a function is given,
 * are as they are. */
static bool is_computed(const Value *v) {
    while (v->def && moves(v->def->code)) v = op_opnd(v->def, 0);
    if (!v->def) return v->region && v->region->owner && v->region->owner->code == OP_FOR;
    switch (v->def->code) {
    case OP_LOAD: case OP_CONST: case OP_SIZE: case OP_CAST: case OP_TABLE: case OP_LOADFILE: case OP_GENERATE:
    case OP_CONCAT: case OP_INSERT: case OP_UPDATE: case OP_PAD: case OP_ISLAND: case OP_EMPTY: case OP_ATOMIC:
        return false;
    default: return true;
    }
}

static void note_sum(void *ctx, Op *op) { *(bool *)ctx |= op->code == OP_REDUCE || op->code == OP_DOT; }

/* s += x in a loop */
static bool is_loop_sum(const Value *v) {
    if (!v->def || v->def->code != OP_FOR) return false;
    const Op *yield = v->def->regs[0]->last;
    const Op *add = yield && v->index < yield->nopnds ? op_opnd(yield, v->index)->def : NULL;
    if (!add || add->code != OP_ADD) return false;
    return op_opnd(add, 0)->region == v->def->regs[0] || op_opnd(add, 1)->region == v->def->regs[0];
}

/* A sum, or a mean, perhaps by a function */
static bool is_sum(const Finder *f, const Value *v) {
    bool sums = false;
    if (v->def && v->def->code == OP_DIV) v = op_opnd(v->def, 0);
    if (v->def) note_sum(&sums, v->def);
    if (is_loop_sum(v)) return true;
    const Func *callee = v->def && v->def->code == OP_CALL ? module_find(f->module, op_sym(v->def, A_FUNC)) : NULL;
    if (callee && callee->body) region_walk(callee->body, note_sum, &sums);
    return sums;
}

static void describe_leaf(const Finder *f, Formula *x, int leaf, const Value *v, const Op *user, bool costly) {
    const Value *w = peeled(v);
    bool array = w->type->kind != TY_SCALAR;
    bool whole = array && type_same_dims(w->type, user->res[0].type);
    x->leaf[leaf] = (LeafKind){whole, array, costly, is_computed(w), is_sum(f, w)};
}

static int leaf_named(Make *m, const char *text) {
    for (int i = 0; i < m->x->nleaves; i++)
        if (!strcmp(m->leaf_text[i], text)) return i;
    return -1;
}

/* -1: it cannot be told, or there are too many */
static int make_leaf(Make *m, const Op *user, int i, Expr *use, bool away) {
    if (!use || m->ntaps == 4 * MOST_TERMS) return -1;
    Meaning k = written_meaning(m->f->writing, m->ctx, use);
    Source s = written_source(m->f->writing, use);
    if (!s.text || (away && !k.stable)) return -1;
    int leaf = leaf_named(m, s.text);
    if (leaf < 0) {
        if (m->x->nleaves == MOST_LEAVES) return -1;
        leaf = m->x->nleaves++;
        m->leaf_text[leaf] = s.text;
        describe_leaf(m->f, m->x, leaf, op_opnd(user, i), user, k.costly);
    }
    m->tap[m->ntaps++] = (LeafTap){user, i, leaf};
    return describe(m, term_leaf(m->x->terms, leaf), s, NO_SPAN);
}

static int make_operation(Make *m, const Op *op, bool away);

/* A number as it is written, or as it is.  What a name stands for is a leaf: it may be another number another time. */
static int make_number(Make *m, double v, Expr *use) {
    int term = term_number(m->x->terms, v);
    const Expr *e = written_bare(use);
    bool literal = e && (e->kind == EX_FLOAT || e->kind == EX_INT);
    if (!literal || written_meaning(m->f->writing, m->ctx, use).named) return term;
    return describe(m, term, written_source(m->f->writing, use), NO_SPAN);
}

/* What was made, to be undone: a leaf number is given again, and what its terms were called must not stay. */
typedef struct { int ntaps, nleaves, nsource; Source *source; Span *place; } Mark;

static Mark mark_of(Make *m) {
    int n = m->source.len;
    Arena *a = m->x->terms->arena;
    Mark k = {m->ntaps, m->x->nleaves, n, NEWN(a, Source, n + 1), NEWN(a, Span, n + 1)};
    if (n) memcpy(k.source, m->source.data, sizeof *k.source * (size_t)n);
    if (n) memcpy(k.place, m->place.data, sizeof *k.place * (size_t)n);
    return k;
}

static void undo(Make *m, const Mark *k) {
    m->ntaps = k->ntaps, m->x->nleaves = k->nleaves;
    m->source.len = m->place.len = k->nsource;
    if (k->nsource) memcpy(m->source.data, k->source, sizeof *k->source * (size_t)k->nsource);
    if (k->nsource) memcpy(m->place.data, k->place, sizeof *k->place * (size_t)k->nsource);
}

/* Down into an operation that computes the operand, or -1 */
static int make_inner(Make *m, const Op *user, Expr *use, const Op *op, bool away) {
    const Written *w = formula_part(m->f, op);
    if (!w || !together(op, user) || w->ctx != m->ctx || m->x->terms->terms.len >= MOST_TERMS) return -1;
    Expr *e = written_bare(use);
    bool here = e && same_place(e->span, op->span);
    bool named = e && e->kind == EX_NAME && written_meaning(m->f->writing, m->ctx, e).stable;
    if (!here && !named) return -1;
    const Mark before = mark_of(m);
    int term = make_operation(m, op, away || !here);
    if (term < 0) undo(m, &before);
    return term;
}

/* In a derivative an operation may have the place of another, but not all of what it is computed of. */
static bool is_other(const Make *m, const Value *v, const Expr *e, Expr *use) {
    const Expr *x = written_bare(use);
    if (!m->f->p->derived || !x || x == e || written_operator(x) == OP_COUNT) return false;
    for (v = peeled(v); v->def && v->def->code == OP_CAST;) v = peeled(op_opnd(v->def, 0));
    return !v->def || !same_place(v->def->span, x->span);
}

/* ---- reductions: what they are of, element by element */

/* sum(..), prod(..), min(..), max(..) of one array or generator, which gives what op gives */
static const Written *reduction_part(const Finder *f, const Op *op) {
    const Written *w = op->code == OP_REDUCE && op->nregs == 1 ? written_at(f->writing, op->span) : NULL;
    bool call = w && w->e->kind == EX_CALL && w->e->call == CALL_BUILTIN && w->e->callee && w->e->callee->name;
    if (!call || w->e->args.len != 1 || !reduction_name(op_combine(op))) return NULL;
    return strcmp(w->e->callee->name, reduction_name(op_combine(op))) ? NULL : w;
}

/* Which generator it is, as it is written behind the element; -1: it cannot be told, or there are too many */
static int make_gens(Make *m, const Expr *call) {
    const Expr *arg = call->args.data[0];
    const char *text = "";
    if (arg->kind == EX_GEN && !(text = written_between(m->f->writing, arg->a->span.hi, arg->span.hi))) return -1;
    for (int i = 0; i < m->x->ngens; i++)
        if (!strcmp(m->x->gens[i], text)) return i;
    if (m->x->ngens == MOST_GENS) return -1;
    m->x->gens[m->x->ngens] = text;
    return m->x->ngens++;
}

/* An element that op reads is a leaf. */
static int make_element(Make *m, const Op *op, Expr *use, bool away) {
    if (op->code != OP_EXTRACT) return -1;
    int term = make_leaf(m, op, 0, use, away);
    if (term >= 0) m->tap[m->ntaps - 1].operand = TAP_RESULT;
    return term;
}

static int make_elements(Make *m, const Op *reduce, Expr *arg, bool away) {
    const Value *v = op_opnd(region_term(reduce->regs[0]), 0);
    Expr *use = arg->kind == EX_GEN ? arg->a : arg;
    if (!v->def || !dtype_is_float(v->type->dtype)) return -1;
    const Op *made = v->def;
    if (arg->kind != EX_GEN) made = made->code == OP_EXTRACT ? peeled(op_opnd(made, 0))->def : NULL;
    const Written *w = made ? formula_part(m->f, made) : NULL;
    Expr *e = written_bare(use);
    bool here = w && same_place(e->span, made->span);
    bool named = w && e->kind == EX_NAME && written_meaning(m->f->writing, m->ctx, e).stable;
    if (here || named) return make_operation(m, made, away || !here);
    return make_element(m, v->def, use, away);
}

static int make_reduction(Make *m, Expr *use, const Op *op, bool away) {
    const Written *w = op ? reduction_part(m->f, op) : NULL;
    if (!w || w->ctx != m->ctx || type_of(op) != m->x->dtype) return -1;
    const Expr *e = written_bare(use);
    bool here = e && same_place(e->span, op->span);
    bool named = e && e->kind == EX_NAME && written_meaning(m->f->writing, m->ctx, (Expr *)e).stable;
    if (!here && !named) return -1;
    const Mark before = mark_of(m);
    int gens = make_gens(m, w->e), kid = gens < 0 ? -1 : make_elements(m, op, w->e->args.data[0], away || !here);
    if (kid < 0) return undo(m, &before), -1;
    return describe(m, term_reduce(m->x->terms, op_combine(op), gens, kid), (Source){NULL, 0}, op->span);
}

static int make_operand(Make *m, const Op *user, int i, Expr *e, bool away) {
    Expr *use = operand_expr(user, e, i);
    const Value *v = op_opnd(user, i), *w = peeled(v);
    const Const *c = value_const(w);
    if (!c && is_other(m, v, e, use)) return -1;
    bool named = use && use != e && written_meaning(m->f->writing, m->ctx, use).named;
    if (c && dtype_is_float(c->dtype) && !named) return make_number(m, c->f, use);
    int term = v->def ? make_inner(m, user, use, v->def, away) : -1;
    if (term < 0 && m->x->sums) term = make_reduction(m, use, w->def, away);
    if (term >= 0) {
        bool text = use && use != e && (!away || written_meaning(m->f->writing, m->ctx, use).stable);
        return text ? describe(m, term, written_source(m->f->writing, use), NO_SPAN) : term;
    }
    if (use == e) return -1;
    return make_leaf(m, user, i, use, away);
}

static int make_operation(Make *m, const Op *op, bool away) {
    const Written *w = formula_part(m->f, op);
    int kids[3];
    for (int i = 0; i < op->nopnds; i++)
        if ((kids[i] = make_operand(m, op, is_turned(op, w->e) ? 1 - i : i, w->e, away)) < 0) return -1;
    return describe(m, term_raw(m->x->terms, op->code, op->nopnds, kids), (Source){NULL, 0}, op->span);
}

/* ---- formulas of one place: a kernel that is launched twice, instances of a generic function */

static bool same_formula(const Formula *a, const Formula *b) {
    bool alike = same_place(a->span, b->span) && a->dtype == b->dtype && a->root == b->root && a->array == b->array &&
                 a->sums == b->sums;
    if (!alike || a->terms->terms.len != b->terms->terms.len || a->nleaves != b->nleaves) return false;
    for (int i = 0; i < a->terms->terms.len; i++) {
        const Term *x = term_at(a->terms, i), *y = term_at(b->terms, i);
        if (x->op != y->op || x->leaf != y->leaf || memcmp(x->kid, y->kid, sizeof x->kid) || x->number != y->number)
            return false;
    }
    return true;
}

static Formula *met_before(const Profile *p, const Formula *x) {
    for (int i = 0; i < p->formulas.len; i++)
        if (same_formula(p->formulas.data[i], x)) return p->formulas.data[i];
    return NULL;
}

static void tap(Profile *p, const Op *op, Tap t) {
    Taps *taps = map_get(&p->of_op, op);
    if (!taps) map_put(p->arena, &p->of_op, op, taps = NEW(p->arena, Taps));
    vec_push(p->arena, taps, t);
}

/* The only one that takes the value, if that is where(c, x, y), for x or y */
static const Op *chooser_of(const Op *op) {
    const Use *u = op->res[0].uses;
    if (!u || u->next || u->user->code != OP_SELECT || u->index == 0 || u->user->parent != op->parent) return NULL;
    const Type *c = op_opnd(u->user, 0)->type, *t = u->user->res[0].type;
    bool alike = c->kind == t->kind && (c->kind == TY_SCALAR || type_same_dims(c, t));
    return alike && together(op, u->user) ? u->user : NULL;
}

/* Values that are not chosen do not count: the formula ends where the last `where` around it has chosen. */
static void tap_end(Profile *p, Formula *x, const Op *at) {
    for (const Op *next; (next = chooser_of(at)); at = next)
        tap(p, next, (Tap){x, at->res[0].uses->index, TAP_CHOICE, 0});
    tap(p, at, (Tap){x, -1, TAP_END, 0});
}

static int depth_of(const Region *r) {
    int n = 0;
    for (; r->owner; r = r->owner->parent) n++;
    return n;
}

static bool runs_before(const Op *a, const Op *b) {
    int x = depth_of(a->parent), y = depth_of(b->parent);
    return x != y ? x < y : a->order < b->order;
}

/* Where a part stands before the branch that has the rest: it begins anew there, since the branch may not be taken. */
static void tap_start(Make *m, Formula *x, const Op *root) {
    const Op *first = root;
    for (int i = 0; i < m->ntaps; i++)
        if (runs_before(m->tap[i].op, first)) first = m->tap[i].op;
    if (first->parent != root->parent) tap(m->f->p, first, (Tap){x, -1, TAP_START, 0});
}

/* At a root what is taken of it comes before the end of the formula. */
static void tap_all(Make *m, Formula *x, const Op *root) {
    tap_start(m, x, root);
    for (int i = 0; i < m->ntaps; i++) tap(m->f->p, m->tap[i].op, (Tap){x, m->tap[i].operand, m->tap[i].leaf, 0});
    tap_end(m->f->p, x, root);
}

static Formula *formula_new(Finder *f, Span at, DType t, const Written *w) {
    Formula *x = NEW(f->p->arena, Formula);
    *x = (Formula){.arena = f->p->arena, .span = at, .dtype = t, .level = written_room(f->writing, w->e)};
    x->functions = &f->p->functions;
    x->terms = NEW(f->p->arena, Terms);
    *x->terms = (Terms){.arena = arena_new(), .dtype = x->dtype};
    for (int i = 0; i < MOST_LEAVES; i++) x->terms->leaf[i] = NEWN(x->terms->arena, double, SAMPLES);
    return x;
}

/* The formula that was made, or one like it that was there before */
static Formula *add_formula(Finder *f, Make *m) {
    describe(m, m->x->terms->terms.len - 1, (Source){NULL, 0}, NO_SPAN);
    m->x->source = m->source.data, m->x->place = m->place.data, m->x->nsource = m->source.len;
    Formula *before = met_before(f->p, m->x);
    if (before) return arena_free(m->x->terms->arena), before;
    vec_push(f->p->arena, &f->p->formulas, m->x);
    return m->x;
}

/* What it is made of, through reductions; nothing where there are none */
static void find_sums_at(Finder *f, const Op *op) {
    const Written *w = formula_part(f, op);
    Make m = {.f = f, .x = formula_new(f, op->span, type_of(op), w), .ctx = w->ctx};
    bool any = false;
    m.x->array = op->res[0].type->kind != TY_SCALAR;
    m.x->sums = true;
    m.x->root = make_operation(&m, op, false);
    for (int i = 0; i < m.x->terms->terms.len; i++) any |= term_is(m.x->terms, i, OP_REDUCE);
    if (m.x->root < 0 || !any) return arena_free(m.x->terms->arena);
    Formula *x = add_formula(f, &m);
    for (int i = 0; i < m.ntaps; i++) {
        tap(f->p, m.tap[i].op, (Tap){x, m.tap[i].operand, m.tap[i].leaf, x->shown.len});
        vec_push(f->p->arena, &x->shown, ((Shown){.leaf = m.tap[i].leaf}));
    }
    tap(f->p, op, (Tap){x, -1, TAP_END, 0});
}

static void find_at(Finder *f, const Op *op) {
    const Written *w = formula_part(f, op);
    Make m = {.f = f, .x = formula_new(f, op->span, type_of(op), w), .ctx = w->ctx};
    m.x->array = op->res[0].type->kind != TY_SCALAR;
    m.x->root = make_operation(&m, op, false);
    if (m.x->root < 0) { /* too much, or nothing that can be said: its parts */
        arena_free(m.x->terms->arena);
        for (int i = 0; i < op->nopnds; i++) {
            const Op *def = op_opnd(op, i)->def;
            if (formula_part(f, def) && is_inner(f, def)) find_at(f, def);
        }
        return;
    }
    for (int i = 0; i < m.x->terms->terms.len; i++) m.x->distance |= term_is(m.x->terms, i, OP_ABS);
    Formula *before = add_formula(f, &m);
    tap_all(&m, before, op);
}

/* ---- what the checker has computed: formulas of one sample */

static int make_constant(Make *m, Expr *use);

static int make_known_leaf(Make *m, Expr *use) {
    Source s = written_source(m->f->writing, use);
    if (!s.text) return -1;
    int leaf = leaf_named(m, s.text);
    if (leaf < 0 && m->x->nleaves == MOST_LEAVES) return -1;
    if (leaf < 0) m->leaf_text[leaf = m->x->nleaves++] = s.text;
    m->x->terms->leaf[leaf][0] = use->lit.f;
    return describe(m, term_leaf(m->x->terms, leaf), s, NO_SPAN);
}

static int make_known_operation(Make *m, Expr *e, OpCode op) {
    Expr *const parts[] = {e->a, e->b};
    int n = e->kind == EX_CALL ? e->args.len : e->b ? 2 : 1, kids[3];
    for (int i = 0; i < n && n <= 3; i++) {
        Expr *part = e->kind == EX_CALL ? e->args.data[i] : parts[i];
        if (!part->is_const || part->type != e->type || (kids[i] = make_constant(m, part)) < 0) return -1;
    }
    return n > 3 ? -1 : describe(m, term_raw(m->x->terms, op, n, kids), (Source){NULL, 0}, e->span);
}

static int make_constant(Make *m, Expr *use) {
    Expr *e = written_bare(use);
    bool operation = e == use && (e->kind == EX_BINARY || e->kind == EX_UNARY || e->kind == EX_CALL);
    OpCode op = operation ? written_operator(e) : OP_COUNT;
    if (op != OP_COUNT && real_knows(op)) return make_known_operation(m, e, op);
    bool named = written_meaning(m->f->writing, m->ctx, use).named;
    if (named || e->kind == EX_NAME || operation) return make_known_leaf(m, use);
    return make_number(m, use->lit.f, use);
}

static void find_constant(void *ctx, const Written *w) {
    Finder *f = ctx;
    DType t = w->e->type->dtype;
    if (t != DT_F32 && t != DT_F64) return;
    Formula *x = formula_new(f, w->e->span, t, w);
    Make m = {.f = f, .x = x, .ctx = w->ctx};
    x->root = make_constant(&m, w->e);
    if (x->root < 0 || term_at(x->terms, x->root)->nkids == 0) return arena_free(x->terms->arena);
    x->times = x->terms->nsamples = 1;
    x->constant = true;
    add_formula(f, &m);
}

static void number_op(void *ctx, Op *op) {
    Finder *f = ctx;
    f->segment += op->code == OP_BARRIER;
    op->mark = f->segment;
}

static void look_at_op(void *ctx, Op *op) {
    Finder *f = ctx;
    if (!formula_part(f, op) || is_inner(f, op)) return;
    find_at(f, op);
    find_sums_at(f, op);
}

/* Instances of a generic function with other types, and what else differs at one place */
static void find_shared(Profile *p) {
    for (int i = 0; i < p->formulas.len; i++)
        for (int k = 0; k < i; k++) {
            Formula *x = p->formulas.data[i], *y = p->formulas.data[k];
            if (same_place(x->span, y->span) && x->sums == y->sums) x->shared = y->shared = true;
        }
}

static void note_names(Profile *p, const Unit *u) {
    for (int i = 0; i < u->stmts.len; i++) {
        const Stmt *s = u->stmts.data[i];
        if (s->kind == ST_DECL && s->decl->name) map_put(p->arena, &p->functions, s->decl->name, s->decl);
    }
}

static bool same_texts(const Formula *a, const Formula *b) {
    for (int i = 0; i < a->nsource; i++) {
        const char *x = a->source[i].text, *y = i < b->nsource ? b->source[i].text : NULL;
        if (!x != !y || (x && strcmp(x, y) != 0)) return false;
    }
    return a->nsource == b->nsource;
}

static bool is_among(const Profile *p, const Formula *x) {
    for (int i = 0; i < p->formulas.len; i++)
        if (same_formula(p->formulas.data[i], x) && same_texts(p->formulas.data[i], x)) return true;
    return false;
}

void keep_formulas(Profile *p, const Profile *written) {
    for (int i = 0; i < p->formulas.len; i++) p->formulas.data[i]->broken |= !is_among(written, p->formulas.data[i]);
    for (int i = 0; i < written->formulas.len; i++) arena_free(written->formulas.data[i]->terms->arena);
}

void find_formulas(Profile *p, Module *m, const Program *program) {
    for (int i = 0; i < program->units.len; i++) note_names(p, program->units.data[i]);
    Finder f = {.p = p, .module = m, .writing = writing_of(p->session, p->arena, p->file, program)};
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, number_op, &f);
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->body) region_walk(m->funcs.data[i]->body, look_at_op, &f);
    written_constants(f.writing, find_constant, &f);
    if (!p->derived) find_loop_sums(p, m); /* adjoints are sums at the same places */
    find_shared(p);
}
