/* licm: what a loop computes anew each time round without need is computed once, before it.
 *
 * needs: nothing; cse after it merges what came out of several places.  Moved are operations that may run where they
 * did not before (op_is_speculatable), whole reductions and loops among them, and, where the loop surely runs, those
 * that may stop the program.  What reads memory moves out of loops that do not write there (Moses, Cytron et al.:
 * Polygeist, PPoPP 2023, "parallel loop-invariant code motion": the iterations of a parallel loop cannot see each
 * other's writes, so that only barriers count besides).  Cheap scalars come out of branches as well; out of a parallel
 * loop, everything does, unless the branch is the same for all iterations.  Reductions and loops over arrays that an
 * island only reads leave the island, so that they are compiled like any other at function level.  `safe` flags of what
 * moves as a whole hold by themselves (that is what speculatable checks); those of accesses moved because the loop runs
 * are dropped.
 * Only what costs nothing leaves a loop that reads the clock (analysis/clock.h). */
#include "analysis/clock.h"
#include "analysis/cost.h"
#include "ir/index.h"
#include "opt/pass.h"

typedef struct {
    Op *loop;
    bool runs, bound_inside;
    Arena *scratch;
    Map *syms;     /* size symbol -> the op that defines it */
    Map written;   /* buffers that the loop writes */
    bool barrier;  /* it has one */
    bool clock;    /* it reads the clock */
    const Region *from; /* of what moves with what it needs: where that may stand, too */
} Licm;

static bool is_loop(const Op *op) {
    switch (op->code) {
    case OP_FOR: case OP_WHILE: case OP_PARALLEL: case OP_GENERATE: case OP_REDUCE: case OP_SCAN: return true;
    default: return false;
    }
}

/* ---- whether a value is the same each time round */

static bool is_in_or_under(const Op *loop, const Region *r) {
    for (const Op *o = r->owner; o; o = o->parent->owner)
        if (o == loop) return true;
    return false;
}

static bool is_outside(const Op *loop, const Value *v) {
    return !is_in_or_under(loop, v->def ? v->def->parent : v->region);
}

/* Who defines the size symbols: the first to mention them bare, or a bind */
static void note_type(Licm *l, const Type *t, Op *op) {
    for (int i = 0; i < t->rank; i++) {
        const char *sym = size_as_sym(t->dims[i]);
        if (sym && !map_has(l->syms, sym)) map_put(l->scratch, l->syms, sym, op);
    }
}

static void note_syms(void *ctx, Op *op) {
    Licm *l = ctx;
    if (op->code == OP_BIND) map_put(l->scratch, l->syms, op_sym(op, A_SYM), op);
    for (int i = 0; i < op->nres; i++) note_type(l, op->res[i].type, op);
}

static void check_sym(void *ctx, const char *sym) {
    Licm *l = ctx;
    const Op *def = map_get(l->syms, sym); /* NULL: a parameter's */
    if (def && is_in_or_under(l->loop, def->parent)) l->bound_inside = true;
}

static void check_type(Licm *l, const Type *t) {
    for (int k = 0; k < t->rank; k++) size_each_sym(t->dims[k], check_sym, l);
}

/* The sizes that op's own types and attribute mention are defined outside of the loop. */
static bool sizes_are_outside(const Licm *outer, const Op *op) {
    Licm l = *outer;
    const Attr *size = op_attr(op, A_SIZE);
    if (size) size_each_sym(size->sizes[0], check_sym, &l);
    for (int i = 0; i < op->nres; i++) check_type(&l, op->res[i].type);
    return !l.bound_inside;
}

/* Operands of op and of all inside it, apart from values that are themselves inside op. */
static bool is_invariant(const Licm *l, const Op *top, const Op *op) {
    const Op *loop = l->loop;
    if (!sizes_are_outside(l, op)) return false;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        bool own = op != top && !is_outside(top, v);
        if (!own && !is_outside(loop, v)) return false;
    }
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!is_invariant(l, top, o)) return false;
    return true;
}

/* ---- whether memory is the same each time round */

static void note_write(void *ctx, Op *op) {
    Licm *l = ctx;
    if (op->code == OP_STORE || op->code == OP_ATOMIC) map_put(l->scratch, &l->written, op_opnd(op, 1), op);
    for (int i = 0; op_brings_elements(op) && i < op->nopnds; i++) map_put(l->scratch, &l->written, op_opnd(op, i), op);
    l->barrier |= op->code == OP_BARRIER;
}

static bool holds_still(const Licm *l, const Value *buf) {
    bool changes = l->barrier && buf->type->space != SPACE_PRIVATE && !value_is_only_read(buf);
    return !map_has(&l->written, buf) && !changes;
}

static bool reads_hold_still(const Licm *l, const Op *op) {
    if (op->code == OP_LOAD && !holds_still(l, op_opnd(op, 0))) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!reads_hold_still(l, o)) return false;
    return true;
}

static bool may_run_before(const Licm *l, const Op *op) {
    return op_is_speculatable_read(op) && reads_hold_still(l, op) && (!l->clock || clock_overlooks(op));
}

/* ---- moving */

/* Traps may come forward only over what neither shows nor changes anything. */
static bool first_to_act(const Op *op) {
    for (const Op *o = op->prev; o; o = o->prev)
        if (op_has_effect(o) || op_writes_memory(o)) return false;
    return true;
}

static bool is_trap_only(const Op *op) {
    return !op->nregs && op_info(op->code)->traits & TR_TRAP && !(op_info(op->code)->traits & (TR_READ | TR_WRITE));
}

static bool is_fresh_memory(const Op *op);

/* Whether this use takes the tensor's memory over, to change it. */
static bool takes_over(const Use *u) {
    switch (u->user->code) {
    case OP_ISLAND: return op_attr(u->user, A_MODES)->ints[u->index] != 0;
    case OP_UPDATE: case OP_INSERT: return u->index == 0;
    case OP_RETYPE: case OP_RESHAPE: return is_fresh_memory(u->user);
    case OP_YIELD: case OP_FOR: case OP_WHILE: case OP_CALL: return true;
    default: return false;
    }
}

/* A tensor that is made afresh each time round and changed in place would, once shared, be copied instead. */
static bool is_fresh_memory(const Op *op) {
    for (int i = 0; i < op->nres; i++) {
        if (op->res[i].type->kind != TY_TENSOR) continue;
        for (const Use *u = op->res[i].uses; u; u = u->next)
            if (takes_over(u)) return true;
    }
    return false;
}

static bool may_move(const Licm *l, const Op *op) {
    if (op->code == OP_PARALLEL || is_fresh_memory(op)) return false; /* threads stay in their block, even idle ones */
    if (op_info(op->code)->traits & TR_TERM || !is_invariant(l, op, op)) return false;
    if (may_run_before(l, op)) return true;
    return l->runs && is_trap_only(op) && first_to_act(op);
}

static void hoist(const Licm *l, Op *op) {
    if (!op_is_speculatable_read(op)) op_remove_attr(op, A_SAFE);
    op_move_before(op, l->loop);
}

static bool is_cheap(const Op *op) {
    return !op->nregs && op->nres == 1 && op->res[0].type->kind == TY_SCALAR &&
           op_info(op->code)->cost <= COST_KEEP;
}

/* While there is a derivative to take, floats stay in their branch: infinity times the zero that comes back to a side
 * not taken would be NaN.  Sums go nonetheless, with what they need, since in a branch each iteration of the loop, and
 * of its adjoint, would take its own; what comes back to them is looked at for such zeros (ad/rules.c, mask). */
static bool must_stay(const Op *branch, const Op *op) {
    if (branch->code != OP_IF || !branch->parent->func->module->derives || op->code == OP_CONST || op->nregs)
        return false;
    for (int i = 0; i < op->nres; i++)
        if (dtype_is_float(op->res[i].type->dtype)) return true;
    return false;
}

static bool is_straight(const Region *r) {
    for (const Op *o = r->first; o; o = o->next)
        if (o->nregs) return false;
    return true;
}

/* A reduction over as much as the loop's turns: were it never needed, the loop would take twice as long; needed in
 * each turn, it would make the loop quadratic. */
static bool is_no_longer(const Op *loop, const Op *op) {
    int64_t turns, n;
    if (loop->code != OP_FOR || op->code != OP_REDUCE || op->regs[0]->nargs != 1) return false;
    if (!is_straight(op->regs[0])) return false;
    if (!value_is_const_int(op_opnd(loop, 0), 0) || !value_is_const_int(op_opnd(loop, 2), 1)) return false;
    bool known = value_const_int(op_opnd(loop, 1), &turns) && value_const_int(op_opnd(op, 0), &n);
    return known ? n <= turns : value_same_int(op_opnd(op, 0), op_opnd(loop, 1));
}

/* ---- with what they need, out of islands and branches */

static bool may_leave(const Licm *l, const Op *op);

/* v is known before the island or loop, or can be. */
static bool leaves(const Licm *l, const Value *v) {
    if (is_outside(l->loop, v)) return true;
    return v->def ? region_encloses(v->def->parent, l->from) && may_leave(l, v->def) : value_is_only_read(v);
}

static bool operands_leave(const Licm *l, const Op *top, const Op *op) {
    if (!sizes_are_outside(l, op)) return false;
    for (int i = 0; i < op->nopnds; i++)
        if ((op == top || is_outside(top, op_opnd(op, i))) && !leaves(l, op_opnd(op, i))) return false;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (!operands_leave(l, top, o)) return false;
    return true;
}

static bool may_leave(const Licm *l, const Op *op) { return may_run_before(l, op) && operands_leave(l, op, op); }

static void leave(const Licm *l, Op *op);

static void operands_first(const Licm *l, Op *op) {
    for (int i = 0; i < op->nopnds; i++) {
        Op *def = op_opnd(op, i)->def;
        if (def && !is_outside(l->loop, &def->res[0]) && region_encloses(def->parent, l->from)) leave(l, def);
    }
    for (int i = 0; i < op->nregs; i++)
        for (Op *o = op->regs[i]->first; o; o = o->next) operands_first(l, o);
}

static void leave(const Licm *l, Op *op) {
    operands_first(l, op);
    op_move_before(op, l->loop);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], island_load_to_extract, l->loop);
    island_load_to_extract(l->loop, op);
}

/* Out of the branches of an if inside the loop: what costs next to nothing, or what some iteration will surely need,
 * and what sums need.  The strands of a spawn both run. */
static void hoist_from_branches(const Licm *loop, Op *branch) {
    Licm moved = *loop, *l = &moved;
    bool all = branch->code == OP_SPAWN || (l->loop->code == OP_PARALLEL && !is_outside(l->loop, op_opnd(branch, 0)));
    for (int i = 0; i < branch->nregs; i++) {
        l->from = branch->regs[i];
        for (Op *op = branch->regs[i]->first, *next; op; op = next) {
            next = op->next;
            bool worth = all || is_cheap(op) || is_no_longer(l->loop, op);
            if (worth && !must_stay(branch, op) && may_run_before(l, op) && is_invariant(l, op, op))
                hoist(l, op);
            else if (worth && op->code == OP_REDUCE && may_leave(l, op)) leave(l, op);
            else if (op->code == OP_IF || op->code == OP_SPAWN) hoist_from_branches(loop, op);
        }
    }
}

static void hoist_from(const Licm *l, Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (may_move(l, op)) hoist(l, op);
        else if (op->code == OP_IF || op->code == OP_SPAWN) hoist_from_branches(l, op);
    }
}

/* ---- out of islands */

/* Reductions and loops, and what they need */
static void leave_island(const Licm *l) {
    for (Op *op = l->loop->regs[0]->first, *next; op; op = next) {
        next = op->next;
        if (op->nregs && op->nres && may_leave(l, op)) leave(l, op);
    }
}

static void visit_region(const Licm *f, Region *r);

/* Inner loops first: what leaves one may leave the next as well. */
static void visit(const Licm *f, Op *op) {
    for (int i = 0; i < op->nregs; i++) visit_region(f, op->regs[i]);
    Licm l = {.loop = op, .scratch = f->scratch, .syms = f->syms, .from = op->nregs ? op->regs[0] : NULL};
    if (op->code == OP_ISLAND && op->parent->func->module->stage < STAGE_LOOPS) leave_island(&l);
    if (!is_loop(op)) return;
    l.clock = clock_is_read(op);
    bool runs = op_surely_runs(op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], note_write, &l);
    for (int i = 0; i < op->nregs; i++) {
        l.runs = op->code == OP_WHILE ? i == 0 : runs && i == 0;
        hoist_from(&l, op->regs[i]);
    }
}

static void visit_region(const Licm *f, Region *r) {
    for (Op *op = r->first, *next; op; op = next) {
        next = op->next;
        visit(f, op);
    }
}

static void visit_func(Func *func) {
    Map syms = {0};
    Licm f = {.scratch = arena_new(), .syms = &syms};
    for (int i = 0; i < func->body->nargs; i++) note_type(&f, func->body->args[i]->type, NULL);
    region_walk(func->body, note_syms, &f);
    visit_region(&f, func->body);
    arena_free(f.scratch);
}

void pass_licm(Module *m, const PassOptions *opts) {
    (void)opts;
    for (int i = 0; i < m->funcs.len; i++) visit_func(m->funcs.data[i]);
}
