/* Changing the graph.
 *
 * Lists of uses are kept at every step.  Operations of a region carry growing order numbers with gaps,
 * so that "comes before" is one comparison; when a gap is used up those around it are numbered again. */
#include "ir/private.h"

#include <string.h>

enum { ORDER_GAP = 1 << 16 };

/* ---- uses */

void use_link(Use *u, Op *user, int index, Value *v) {
    u->val = v;
    u->user = user;
    u->index = index;
    u->prev = NULL;
    u->next = v->uses;
    if (v->uses) v->uses->prev = u;
    v->uses = u;
}

void use_unlink(Use *u) {
    if (u->prev) u->prev->next = u->next;
    else u->val->uses = u->next;
    if (u->next) u->next->prev = u->prev;
    u->prev = u->next = NULL;
}

static void use_move(Use *to, Use *from, Op *user, int index) {
    Value *v = from->val;
    use_unlink(from);
    use_link(to, user, index, v);
}

void op_set_opnd(Op *op, int i, Value *v) {
    if (op->opnds[i].val == v) return;
    use_unlink(&op->opnds[i]);
    use_link(&op->opnds[i], op, i, v);
}

void op_add_opnd(Op *op, Value *v) {
    if (op->nopnds == op->opnd_cap) {
        int cap = op->opnd_cap ? 2 * op->opnd_cap : 4;
        Use *more = NEWN(op->parent->func->module->arena, Use, cap);
        for (int i = 0; i < op->nopnds; i++) use_move(&more[i], &op->opnds[i], op, i);
        op->opnds = more;
        op->opnd_cap = cap;
    }
    use_link(&op->opnds[op->nopnds], op, op->nopnds, v);
    op->nopnds++;
}

void op_remove_opnd(Op *op, int i) {
    use_unlink(&op->opnds[i]);
    for (int k = i + 1; k < op->nopnds; k++) use_move(&op->opnds[k - 1], &op->opnds[k], op, k - 1);
    op->nopnds--;
}

/* ---- accesses */

Value *op_expected(const Op *op) {
    return op->code == OP_ATOMIC && op_combine(op) == COMBINE_CAS ? op_opnd(op, op->nopnds - 1) : NULL;
}

bool op_is_access(const Op *op) { return op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_ATOMIC; }
bool op_tells_rows(const Op *op) { return op->code >= OP_PART && op->code <= OP_ALLGATHER; }

int op_index_first(const Op *access) { return access->code == OP_LOAD ? 1 : 2; }

Value *op_buffer(const Op *access) { return op_opnd(access, op_index_first(access) - 1); }

int op_index_end(const Op *op) { return op->nopnds - (op_expected(op) != NULL); }

bool op_same_element(const Op *x, const Op *y) {
    int n = op_index_end(x) - op_index_first(x);
    if (op_buffer(x) != op_buffer(y) || n != op_index_end(y) - op_index_first(y)) return false;
    for (int i = 0; i < n; i++)
        if (!value_same_int(op_opnd(x, op_index_first(x) + i), op_opnd(y, op_index_first(y) + i))) return false;
    return true;
}

Region *loop_body(const Op *loop) { return loop->regs[loop->nregs - 1]; }

Value *loop_carried(const Op *loop, int i) { return loop_body(loop)->args[i + (loop->code == OP_FOR)]; }

Value *loop_first(const Op *loop, int i) { return op_opnd(loop, i + (loop->code == OP_FOR ? 3 : 0)); }

Value *loop_next(const Op *loop, int i) { return op_opnd(region_term(loop_body(loop)), i); }

int loop_number(const Value *carried) { return carried->index - (carried->region->owner->code == OP_FOR); }

void op_add_index(Op *op, Value *index) {
    Value *expected = op_expected(op);
    if (expected) op_set_opnd(op, op->nopnds - 1, index);
    op_add_opnd(op, expected ? expected : index);
}

/* ---- the list of a region */

/* Evenly new orders for the smallest aligned range of them around op that is sparse enough: one of 2^i orders may hold
 * (4/3)^i operations (Bender, Cole, Demaine, Farach-Colton, Zito: Two simplified algorithms for maintaining order in a
 * list, ESA 2002, section 2). */
static void renumber_around(Op *op) {
    int64_t near = op->prev ? op->prev->order : 0, size = 1, begin;
    Op *first = op, *last = op;
    double room = 1;
    int n = 1;
    do {
        size *= 2;
        room *= 4.0 / 3;
        begin = near & ~(size - 1);
        for (; first->prev && first->prev->order >= begin; n++) first = first->prev;
        for (; last->next && last->next->order < begin + size; n++) last = last->next;
    } while (n > room);
    int64_t step = size / (n + 1);
    for (Op *o = first;; o = o->next) {
        o->order = begin += step;
        if (o == last) return;
    }
}

static void number(Op *op) {
    int64_t lo = op->prev ? op->prev->order : 0;
    int64_t hi = op->next ? op->next->order : lo + 2 * ORDER_GAP;
    op->order = lo + (hi - lo) / 2;
    if (op->order <= lo || op->order >= hi) renumber_around(op);
}

void op_insert(Op *op, Region *r, Op *before) {
    if (before && before->parent != r) bug("insertion before an op of another region");
    op->parent = r;
    op->next = before;
    op->prev = before ? before->prev : r->last;
    if (op->prev) op->prev->next = op;
    else r->first = op;
    if (before) before->prev = op;
    else r->last = op;
    number(op);
}

static void op_unlink(Op *op) {
    Region *r = op->parent;
    if (op->prev) op->prev->next = op->next;
    else r->first = op->next;
    if (op->next) op->next->prev = op->prev;
    else r->last = op->prev;
    op->prev = op->next = NULL;
    op->parent = NULL;
}

/* Lets go of all operands of the ops in r and below, so that they may be dropped in any order. */
static void drop_uses(Op *op) {
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->last; o; o = o->prev) drop_uses(o);
    for (int i = 0; i < op->nopnds; i++) use_unlink(&op->opnds[i]);
    op->nopnds = 0;
}

void op_erase(Op *op) {
    if (!op->parent) bug("%s erased twice", op_info(op->code)->mnemonic);
    drop_uses(op);
    for (int i = 0; i < op->nres; i++)
        if (op->res[i].uses)
            bug("%s erased, but %s uses its result", op_info(op->code)->mnemonic,
                op_info(op->res[i].uses->user->code)->mnemonic);
    op_unlink(op);
}

static void adopt(Region *r, Func *f) {
    r->func = f;
    for (Op *o = r->first; o; o = o->next)
        for (int i = 0; i < o->nregs; i++) adopt(o->regs[i], f);
}

static void op_move(Op *op, Region *r, Op *before) {
    if (op == before) return;
    bool other = op->parent->func != r->func;
    op_unlink(op);
    op_insert(op, r, before);
    for (int i = 0; other && i < op->nregs; i++) adopt(op->regs[i], r->func);
}

void op_move_before(Op *op, Op *before) { op_move(op, before->parent, before); }
void op_move_to_end(Op *op, Region *r) { op_move(op, r, NULL); }

void op_move_range(Op *first, Op *last, Region *r, Op *before) {
    for (Op *op = first, *next;; op = next) {
        next = op->next;
        op_move(op, r, before);
        if (op == last) return;
    }
}

Op *op_rebuild(Op *op, int nopnds, Value *const *opnds, int nres, const Type *const *res) {
    Builder b = builder_before(op);
    Op *new = build_op(&b, op->code, nopnds, opnds, nres, res, 0);
    op_copy_attrs(new, op);
    new->nregs = op->nregs;
    new->regs = op->regs;
    for (int i = 0; i < new->nregs; i++) new->regs[i]->owner = new;
    for (int i = 0; i < nres && i < op->nres; i++) new->res[i].name = op->res[i].name;
    op->nregs = 0;
    op->regs = NULL;
    return new;
}

/* ---- values */

void value_replace_all(Value *from, Value *to) {
    if (from == to) return;
    while (from->uses) op_set_opnd(from->uses->user, from->uses->index, to);
    if (!to->name) to->name = from->name;
}

void value_take_over(Value *from, Value *to) {
    to->name = from->name;
    value_replace_all(from, to);
}

bool value_unused(const Value *v) { return !v->uses; }
bool value_single_use(const Value *v) { return v->uses && !v->uses->next; }
Region *value_region(const Value *v) { return v->def ? v->def->parent : v->region; }

/* ---- dominance */

bool region_encloses(const Region *outer, const Region *inner) {
    while (inner && inner != outer) inner = inner->owner ? inner->owner->parent : NULL;
    return inner != NULL;
}

Op *op_ancestor(const Op *op, const Region *r) {
    while (op && op->parent != r) op = op->parent->owner;
    return (Op *)(uintptr_t)op;
}

bool op_dominates(const Op *a, const Op *b) {
    const Op *at = op_ancestor(b, a->parent);
    return at && (a == b || a->order < at->order);
}

bool value_dominates(const Value *v, const Op *at) {
    if (!v->def) return region_encloses(v->region, at->parent);
    return v->def != at && op_dominates(v->def, at);
}

const Value *value_shifted_arg(const Region *r, const Value *v) {
    if (!v->def) return v->region == r ? v : NULL;
    if (v->def->code != OP_ADD && v->def->code != OP_SUB) return NULL;
    const Value *x = op_opnd(v->def, 0), *y = op_opnd(v->def, 1);
    bool x_inside = region_encloses(r, value_region(x)), y_inside = region_encloses(r, value_region(y));
    if (x_inside == y_inside || (y_inside && v->def->code == OP_SUB)) return NULL;
    return value_shifted_arg(r, x_inside ? x : y);
}

bool op_inside(const Op *op, const Op *outer) {
    for (op = op->parent ? op->parent->owner : NULL; op; op = op->parent->owner)
        if (op == outer) return true;
    return false;
}

bool op_is_sequential_loop(const Op *op) { return op->code == OP_FOR || op->code == OP_WHILE; }

bool region_has_loops(const Region *r) {
    for (const Op *o = r->first; o; o = o->next) {
        if (op_info(o->code)->traits & TR_LOOP) return true;
        for (int i = 0; i < o->nregs; i++)
            if (region_has_loops(o->regs[i])) return true;
    }
    return false;
}

bool op_holds(const Op *op, OpCode c) {
    if (op->code == c) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (op_holds(o, c)) return true;
    return false;
}

/* A search through operands, which notes where it has been once it is a long one: it stays linear. */
typedef struct { const Value *iv; int quick; Arena *arena; Map seen; } Search;

static bool was_seen(Search *s, const Value *v) {
    if (s->quick-- > 0) return false;
    if (!s->arena) s->arena = arena_new();
    if (map_has(&s->seen, v)) return true;
    map_put(s->arena, &s->seen, v, s);
    return false;
}

static bool reaches(Search *s, const Value *v) {
    if (v == s->iv) return true;
    if (!v->def || !region_encloses(s->iv->region, v->def->parent) || was_seen(s, v)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (reaches(s, op_opnd(v->def, i))) return true;
    return false;
}

bool value_depends(const Value *v, const Value *iv) {
    enum { QUICK = 50 };
    Search s = {.iv = iv, .quick = QUICK};
    bool found = reaches(&s, v);
    arena_free(s.arena);
    return found;
}

bool op_mentions(const Op *op, const Value *v) {
    for (int i = 0; i < op->nopnds; i++)
        if (op_opnd(op, i) == v) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (op_mentions(o, v)) return true;
    return false;
}

bool op_holds_barrier_of(const Op *op, const Op *loop) {
    if (op->code == OP_BARRIER) return op_opnd(op, 0)->region && op_opnd(op, 0)->region->owner == loop;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (op_holds_barrier_of(o, loop)) return true;
    return false;
}

Op *region_term(const Region *r) {
    return r->last && op_info(r->last->code)->traits & TR_TERM ? r->last : NULL;
}

/* ---- copies */

Value *clone_value(Cloner *c, Value *v) {
    Value *to = map_get(&c->values, v);
    return to ? to : v;
}

static const Type *clone_type(const Cloner *c, const Type *t) {
    return type_subst(c->module->session, t, c->subst, c->subst_ctx);
}

/* bind defines a symbol: it is renamed where the substitution gives another symbol. */
static Attr clone_attr(const Cloner *c, Attr a) {
    Session *s = c->module->session;
    if (!c->subst) return a;
    if (a.id == A_SYM) {
        const Size *to = c->subst(c->subst_ctx, a.s);
        if (to && size_as_sym(to)) a.s = size_as_sym(to);
    }
    if (attr_table[a.id].type == AT_SIZES) {
        const Size **sizes = NEWN(c->module->arena, const Size *, a.n);
        for (int i = 0; i < a.n; i++) sizes[i] = size_subst(s, a.sizes[i], c->subst, c->subst_ctx);
        a.sizes = sizes;
    }
    return a;
}

static void clone_region(Cloner *c, Region *to, const Region *from) {
    for (int i = 0; i < from->nargs; i++) {
        const Value *arg = from->args[i];
        map_put(c->module->arena, &c->values, arg, region_add_arg(to, clone_type(c, arg->type), arg->name));
    }
    Builder b = builder_at_end(c->module, to, NO_SPAN);
    clone_region_ops(c, &b, from, true);
}

static Span place_of_copy(const Cloner *c, Span at) {
    if (!c->call) return at;
    Session *s = c->module->session;
    return source_is_library(s, at) ? *c->call : span_called(s, at, *c->call, c->how);
}

Op *clone_op(Cloner *c, Builder *b, const Op *op) {
    Arena *a = c->module->arena;
    Value *few_opnds[8], **opnds = op->nopnds <= 8 ? few_opnds : NEWN(a, Value *, op->nopnds);
    const Type *few_types[8], **types = op->nres <= 8 ? few_types : NEWN(a, const Type *, op->nres);
    Span outer = b->span;
    for (int i = 0; i < op->nopnds; i++) opnds[i] = clone_value(c, op_opnd(op, i));
    for (int i = 0; i < op->nres; i++) types[i] = clone_type(c, op->res[i].type);
    b->span = place_of_copy(c, op->span);
    Op *new = build_op(b, op->code, op->nopnds, opnds, op->nres, types, op->nregs);
    b->span = outer;
    new->derived = op->derived;
    for (int i = 0; i < op->nattrs; i++) op_set_attr(new, clone_attr(c, op->attrs[i]));
    for (int i = 0; i < op->nres; i++) {
        new->res[i].name = op->res[i].name;
        map_put(a, &c->values, &op->res[i], &new->res[i]);
    }
    for (int i = 0; i < op->nregs; i++) clone_region(c, new->regs[i], op->regs[i]);
    return new;
}

/* What op, or an operation in its regions, takes of r, without what these regions define */
static void clone_taken(Cloner *c, Builder *b, const Region *r, const Op *whole, const Op *op) {
    for (int i = 0; i < op->nopnds; i++)
        if (op == whole || !op_encloses(whole, op_opnd(op, i))) clone_slice(c, b, r, op_opnd(op, i));
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next) clone_taken(c, b, r, whole, o);
}

Value *clone_slice(Cloner *c, Builder *b, const Region *r, Value *v) {
    if (map_has(&c->values, v) || !region_encloses(r, value_region(v))) return clone_value(c, v);
    clone_taken(c, b, r, v->def, v->def);
    clone_op(c, b, v->def);
    return clone_value(c, v);
}

bool value_is_fixed_in(const Region *r, const Value *v) {
    if (!region_encloses(r, value_region(v))) return true;
    if (!v->def || v->def->nregs || !op_is_pure(v->def)) return false;
    for (int i = 0; i < v->def->nopnds; i++)
        if (!value_is_fixed_in(r, op_opnd(v->def, i))) return false;
    return true;
}

Value *value_outside(Builder *b, const Region *r, Value *v) {
    Cloner c = {.module = b->module};
    return clone_slice(&c, b, r, v);
}

void clone_region_ops(Cloner *c, Builder *b, const Region *r, bool with_term) {
    const Op *last = r->last; /* b may stand in r itself */
    for (const Op *o = r->first; o; o = o->next) {
        bool term = op_info(o->code)->traits & TR_TERM;
        if (!term || with_term) clone_op(c, b, o);
        if (o == last) return;
    }
}

/* ---- walks */

void region_walk(Region *r, void (*f)(void *ctx, Op *op), void *ctx) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        f(ctx, o);
        for (int i = 0; o->parent && i < o->nregs; i++) region_walk(o->regs[i], f, ctx);
    }
}

bool op_has_tensors(const Op *op) {
    for (int i = 0; i < op->nregs; i++) {
        const Region *r = op->regs[i];
        for (int k = 0; k < r->nargs; k++)
            if (type_is_tensor(r->args[k]->type)) return true;
        for (const Op *o = r->first; o; o = o->next) {
            for (int k = 0; k < o->nres; k++)
                if (type_is_tensor(o->res[k].type)) return true;
            for (int k = 0; k < o->nopnds; k++)
                if (type_is_tensor(op_opnd(o, k)->type) && o->code != OP_EXTRACT) return true;
            if (op_has_tensors(o)) return true;
        }
    }
    return false;
}

int region_count_ops(const Region *r) {
    int n = 0;
    for (const Op *o = r->first; o; o = o->next) {
        n++;
        for (int i = 0; i < o->nregs; i++) n += region_count_ops(o->regs[i]);
    }
    return n;
}

/* ---- copies: each symbol has one definition, so what is bound in the copy gets a new name */

void region_inline(Builder *b, const Region *r, Value *const *args, Value **out) {
    SizeNames n = region_new_names((Region *)(uintptr_t)r);
    Cloner c = {.module = b->module};
    if (n.names.len) c.subst = size_new_name, c.subst_ctx = &n;
    for (int i = 0; i < r->nargs; i++) map_put(b->module->arena, &c.values, r->args[i], args[i]);
    clone_region_ops(&c, b, r, false);
    const Op *term = r->last;
    for (int i = 0; i < term->nopnds; i++) out[i] = clone_value(&c, op_opnd(term, i));
}

void op_replace(Op *op, Op *by) {
    for (int i = 0; i < op->nres; i++) value_replace_all(&op->res[i], &by->res[i]);
    op_erase(op);
}

void island_load_to_extract(void *ctx, Op *op) {
    const Op *island = ctx;
    if (island->code != OP_ISLAND || op->code != OP_LOAD || op_opnd(op, 0)->region != island->regs[0]) return;
    Value *idx[MAX_RANK];
    for (int i = 1; i < op->nopnds; i++) idx[i - 1] = op_opnd(op, i);
    Builder b = builder_before(op);
    Value *v = build_extract(&b, op_opnd(island, op_opnd(op, 0)->index), op->nopnds - 1, idx);
    if (op_flag(op, A_SAFE)) op_set_flag(v->def, A_SAFE);
    value_replace_all(&op->res[0], v);
    op_erase(op);
}

Op *extract_inline(Op *e) {
    Value *x = op_opnd(e, 0), **args = NEWN(e->parent->func->module->arena, Value *, e->nopnds);
    Op *g = x->def, *prev = e->prev;
    Region *home = e->parent;
    Builder b = builder_before(e);
    Value **out = NEWN(b.module->arena, Value *, g->nres);
    for (int i = 1; i < e->nopnds; i++) args[i - 1] = op_opnd(e, i);
    region_inline(&b, g->regs[0], args, out);
    Op *first = prev ? prev->next : home->first;
    if (first == e) first = e->next;
    value_replace_all(&e->res[0], out[x->index]);
    op_erase(e);
    bool used = false;
    for (int i = 0; i < g->nres; i++) used |= !value_unused(&g->res[i]);
    if (!used) op_erase(g);
    return first;
}

Op *op_around(const Op *op, OpCode code) {
    Op *o = op->parent->owner;
    while (o && o->code != code) o = o->parent->owner;
    return o;
}

Op *op_loop_around(const Op *op, LoopKind kind) {
    for (Op *o = op->parent->owner; o; o = o->parent->owner)
        if (op_loop(o) == kind) return o;
    return NULL;
}

const Op *op_find_loop(const Op *op, LoopKind kind) {
    const Op *found = op_loop(op) == kind ? op : NULL;
    for (int i = 0; i < op->nregs && !found; i++)
        for (const Op *o = op->regs[i]->first; o && !found; o = o->next) found = op_find_loop(o, kind);
    return found;
}

bool op_encloses(const Op *op, const Value *v) {
    for (int i = 0; i < op->nregs; i++)
        if (region_encloses(op->regs[i], value_region(v))) return true;
    return false;
}

/* ---- attributes */

static bool same_attr(const Attr *a, const Attr *b) {
    if (!b || a->i != b->i || a->s != b->s || a->n != b->n || !const_same(&a->c, &b->c)) return false;
    for (int i = 0; a->consts && i < a->n; i++)
        if (!const_same(&a->consts[i], &b->consts[i])) return false;
    if (a->ints && memcmp(a->ints, b->ints, (size_t)a->n * sizeof *a->ints)) return false;
    return !a->sizes || !memcmp(a->sizes, b->sizes, (size_t)a->n * sizeof *a->sizes);
}

/* Says nothing about the value */
static bool is_remark(AttrId id) { return id == A_SAFE || id == A_MSG || id == A_OTHER; }

static int counted_attrs(const Op *op) {
    int n = 0;
    for (int i = 0; i < op->nattrs; i++) n += !is_remark(op->attrs[i].id);
    return n;
}

bool op_same_attrs(const Op *a, const Op *b) {
    if (counted_attrs(a) != counted_attrs(b)) return false;
    for (int i = 0; i < a->nattrs; i++) {
        const Attr *x = &a->attrs[i];
        if (!is_remark(x->id) && !same_attr(x, op_attr(b, x->id))) return false;
    }
    return true;
}
