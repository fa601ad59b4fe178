/* hoist-arrays: what an index does not change is computed before the comprehension, the sum, or the loop: calls, loops,
 * and C functions that only compute, with the arrays that they give.  `sum(sort(x)[i] * i for i in 0:n)` sorts once.
 *
 * What some indices of a comprehension or a sum do not change is done for each of the others, in loops over those that
 * write rows of a table: `[sort(a[i, :])[j] for i in 0:n, j in 0:m]` sorts n times.
 *
 * needs: nothing; leaves the rest to licm, which moves whatever cannot stop the program.  These may, so they are done
 * under the condition that there is a first turn, and come forward only over what neither shows nor changes anything;
 * checks of what does not change come along.  Not out of branches, nor of a loop that only repeats.  `safe` flags
 * are dropped where what stood before might have stopped the program first: then they may say what that has found. */
#include "analysis/clock.h"
#include "analysis/cost.h"
#include "ir/index.h"
#include "opt/pass.h"

enum { MOST_AXES = 4 };

typedef struct {
    Arena *scratch;
    Op *loop;
    Region *body;
    Map fixed;    /* operations of the body that are the same each turn */
    Map taken;    /* of these, what leaves */
    Map definers; /* size symbol -> the operation of the body that defines it */
    bool acts;    /* what stands before shows or changes something */
    bool rows[MAX_RANK]; /* indices that what leaves may depend on: it is done once for each of those */
} Body;

/* ---- what only computes, or stops the program */

static bool acts(const Op *op) {
    if (op->code == OP_CALL || op->code == OP_CHECK || op->code == OP_BIND) return false;
    if (op->code == OP_EXTERN) return !c_name_computes(op_sym(op, A_FUNC));
    return op_info(op->code)->traits & TR_EFFECT || (op->code == OP_FOR && op_flag(op, A_PROGRESS));
}

/* Worth to be done before: a loop in order, or who knows what */
static bool is_work(const Op *op) {
    bool called = op->code == OP_CALL || op->code == OP_EXTERN;
    if (called || op->code == OP_FOR || op->code == OP_WHILE) return true;
    for (int i = 0; i < op->nregs; i++)
        for (const Op *o = op->regs[i]->first; o; o = o->next)
            if (is_work(o)) return true;
    return !op->nregs && op->nres && type_is_tensor(op->res[0].type) && op_may_trap(op) &&
           op_info(op->code)->cost >= COST_PASS;
}

/* ---- what an operation needs of the body */

typedef struct { Body *b; const Op *top; void (*f)(Body *b, Op *needed, void *ctx); void *ctx; } Needs;

static void need_sym(void *ctx, const char *sym) {
    Needs *n = ctx;
    Op *def = map_get(&n->b->definers, sym);
    if (def && def != n->top) n->f(n->b, def, n->ctx);
}

static void need_sizes(void *ctx, Op *op) { op_each_sym(op, need_sym, ctx); }

/* NULL: of the loop's own values, which change */
static void need_values(void *ctx, Op *op) {
    Needs *n = ctx;
    for (int i = 0; i < op->nopnds; i++) {
        const Value *v = op_opnd(op, i);
        if (value_region(v) == n->b->body && (v->def || !n->b->rows[v->index])) n->f(n->b, v->def, n->ctx);
    }
    need_sizes(ctx, op);
}

static void each_need(Body *b, Op *op, void (*f)(Body *b, Op *needed, void *ctx), void *ctx) {
    Needs n = {b, op, f, ctx};
    need_values(&n, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], need_values, &n);
}

static void note_definer(void *ctx, const char *sym) {
    const Needs *n = ctx;
    Body *b = n->b;
    if (map_has(&b->definers, sym) || size_is_known_at(b->loop, size_sym(b->body->func->module->session, sym))) return;
    map_put(b->scratch, &b->definers, sym, (Op *)n->top);
}

static void note_definers(Body *b, Op *op) {
    Needs n = {.b = b, .top = op};
    if (op->code == OP_BIND) note_definer(&n, op_sym(op, A_SYM));
    for (int i = 0; i < op->nres && op_brings_sizes(op); i++)
        for (int k = 0; k < op->res[i].type->rank; k++) {
            const char *sym = size_as_sym(op->res[i].type->dims[k]);
            if (sym) note_definer(&n, sym);
        }
}

/* ---- what leaves */

static void is_changed(Body *b, Op *needed, void *ctx) { *(bool *)ctx |= !needed || !map_has(&b->fixed, needed); }
static void is_taken(Body *b, Op *needed, void *ctx) { *(bool *)ctx |= map_has(&b->taken, needed); }

static void take(Body *b, Op *op, void *ctx) {
    (void)ctx;
    map_put(b->scratch, &b->taken, op, op);
}

static void find_fixed(Body *b) {
    for (Op *o = b->body->first; o != region_term(b->body); o = o->next) {
        bool changes = false, only = !op_reaches(o, acts);
        note_definers(b, o);
        each_need(b, o, is_changed, &changes);
        if (only && !changes && (!b->acts || op_is_speculatable(o))) map_put(b->scratch, &b->fixed, o, o);
        else b->acts |= !only || o->code == OP_CHECK || o->code == OP_BIND;
    }
}

/* Work, with all that hangs on it, and what that needs; false: there is none */
static bool find_taken(Body *b) {
    bool work = false;
    for (Op *o = b->body->first; o != region_term(b->body); o = o->next) {
        bool takes = is_work(o) || o->code == OP_CHECK;
        if (!map_has(&b->fixed, o)) continue;
        work |= is_work(o);
        each_need(b, o, is_taken, &takes);
        if (takes) take(b, o, NULL);
    }
    for (Op *o = region_term(b->body); work && o; o = o->prev)
        if (map_has(&b->taken, o)) each_need(b, o, take, NULL);
    return work;
}

/* ---- where there is a first turn */

/* false: never; *cond: where it is asked, unless it is sure */
static bool ask_above(Builder *b, Value *x, Value *least, Value **cond) {
    int64_t c, d;
    if (value_const_int(x, &c) && value_const_int(least, &d)) return c > d;
    Value *above = build_binary(b, OP_GT, x, least);
    *cond = *cond ? build_binary(b, OP_AND, *cond, above) : above;
    return true;
}

static Value *extent_of(Builder *b, const Op *loop, int i) {
    return loop->code == OP_REDUCE ? op_opnd(loop, i) : build_size(b, loop->res[0].type->dims[i]);
}

static bool ask_runs(Builder *b, const Body *body, Value **cond) {
    const Op *loop = body->loop;
    bool runs = true;
    int64_t step;
    *cond = NULL;
    if (loop->code == OP_FOR) {
        if (!value_const_int(op_opnd(loop, 2), &step) || !step) return false;
        return ask_above(b, op_opnd(loop, step > 0), op_opnd(loop, step < 0), cond);
    }
    for (int i = 0; i < body->body->nargs && runs; i++)
        if (!body->rows[i]) runs = ask_above(b, extent_of(b, loop, i), build_int(b, 0), cond);
    return runs;
}

/* ---- moving */

static void drop_flag(void *ctx, Op *op) {
    (void)ctx;
    if (op_info(op->code)->traits & TR_TRAP && !op_is_speculatable(op)) op_remove_attr(op, A_SAFE);
}

static void move(Body *b, Op *before) {
    bool stops = false;
    for (Op *o = b->body->first, *next; o != region_term(b->body); o = next) {
        next = o->next;
        stops |= !map_has(&b->taken, o) && op_may_trap(o);
        if (!map_has(&b->taken, o)) continue;
        if (stops) {
            drop_flag(NULL, o);
            for (int i = 0; i < o->nregs; i++) region_walk(o->regs[i], drop_flag, NULL);
        }
        op_move_before(o, before);
    }
}

typedef VEC(Value *) Values;

static bool is_by_rest(const Body *b, const Use *u) {
    const Op *at = op_ancestor(u->user, b->body);
    return at && !map_has(&b->taken, at);
}

static bool is_used_by_rest(const Body *b, const Value *v) {
    for (const Use *u = v->uses; u; u = u->next)
        if (is_by_rest(b, u)) return true;
    return false;
}

static void give_rest(const Body *b, const Value *v, Value *instead) {
    for (Use *u = v->uses, *next; u; u = next) {
        next = u->next;
        if (is_by_rest(b, u)) op_set_opnd(u->user, u->index, instead);
    }
}

static bool is_cheap(const Body *b, const Op *op) {
    return map_has(&b->taken, op) && op->nres == 1 && clock_overlooks(op) && op_is_speculatable(op);
}

/* By it, or by what costs nothing and is computed there again */
static bool is_wanted(const Body *b, const Value *v) {
    if (is_used_by_rest(b, v)) return true;
    for (const Use *u = v->uses; u; u = u->next)
        if (u->user->parent == b->body && is_cheap(b, u->user) && is_wanted(b, &u->user->res[0])) return true;
    return false;
}

/* What costs nothing, and the rest needs too, is computed there again. */
static void keep_cheap(Body *b) {
    for (Op *o = region_term(b->body); o; o = o->prev) {
        if (!is_cheap(b, o) || !is_used_by_rest(b, &o->res[0])) continue;
        Builder at = builder_after(o);
        Cloner c = {.module = at.module};
        give_rest(b, &o->res[0], &clone_op(&c, &at, o)->res[0]);
    }
}

/* What stays has a size that is found by what leaves. */
static bool is_sized_by_taken(Body *b, Op *op) {
    bool found = false;
    Needs n = {b, op, is_taken, &found};
    need_sizes(&n, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], need_sizes, &n);
    return found;
}

/* What the rest of the body needs of what leaves; false: it has sizes that nobody knows without it */
static bool find_results(Body *b, Values *out) {
    for (Op *o = b->body->first; o != region_term(b->body); o = o->next) {
        if (!map_has(&b->taken, o) && is_sized_by_taken(b, o)) return false;
        for (int i = 0; map_has(&b->taken, o) && i < o->nres; i++) {
            if (is_cheap(b, o) || !is_wanted(b, &o->res[i])) continue;
            for (int k = 0; k < o->res[i].type->rank; k++)
                if (!size_is_known_at(b->loop, o->res[i].type->dims[k])) return false;
            vec_push(b->scratch, out, &o->res[i]);
        }
    }
    return true;
}

static void move_guarded(Body *b, Builder *at, Value *runs, const Values *out) {
    const Type **types = NEWN(b->scratch, const Type *, out->len + 1);
    Value **zeros = NEWN(b->scratch, Value *, out->len + 1);
    for (int i = 0; i < out->len; i++) types[i] = out->data[i]->type;
    Op *branch = build_if(at, runs, out->len, types);
    Builder in = builder_at_end(at->module, branch->regs[0], at->span);
    Builder other = builder_at_end(at->module, branch->regs[1], at->span);
    for (int i = 0; i < out->len; i++) {
        zeros[i] = build_zero(&other, types[i]);
        branch->res[i].name = out->data[i]->name;
        give_rest(b, out->data[i], &branch->res[i]);
    }
    build_yield(&other, out->len, zeros);
    build_yield(&in, out->len, out->data);
    move(b, region_term(branch->regs[0]));
}

/* ---- for each of some indices */

typedef struct { int n, axis[MAX_RANK]; const Size *dims[MAX_RANK]; Value *iv[MAX_RANK]; Op *loops[MAX_RANK]; } Rows;

/* NULL: it is no size */
static const Size *size_along(const Body *b, int i) {
    if (b->loop->code != OP_REDUCE) return b->loop->res[0].type->dims[i];
    return value_size(b->body->func->module->session, op_opnd(b->loop, i), false);
}

static bool is_extent_left(const Body *b, const Size *size) {
    for (int i = 0; i < b->body->nargs; i++)
        if (!b->rows[i] && size_along(b, i) == size) return true;
    return false;
}

/* Arrays as long as the loop goes along other indices, so that all of them have no more elements than it has turns;
 * where there are only scalars hoist does that, by all threads */
static bool find_rows(const Body *b, const Values *out, Rows *r) {
    bool arrays = false;
    for (int i = 0; i < b->body->nargs; i++) {
        if (!b->rows[i]) continue;
        const Size *n = size_along(b, i);
        if (!n || !size_is_known_at(b->loop, n)) return false;
        r->axis[r->n] = i, r->dims[r->n++] = n;
    }
    for (int i = 0; i < out->len; i++) {
        const Type *t = out->data[i]->type;
        if (r->n + t->rank > TENSOR_RANK) return false;
        arrays |= type_is_tensor(t);
        for (int k = 0; k < t->rank; k++)
            if (!is_extent_left(b, t->dims[k])) return false;
    }
    return arrays;
}

static const Type *table_type(Builder *b, const Rows *r, const Type *t) {
    const Size *dims[MAX_RANK];
    for (int i = 0; i < r->n; i++) dims[i] = r->dims[i];
    for (int i = 0; i < t->rank; i++) dims[r->n + i] = t->dims[i];
    return type_tensor(b->module->session, t->dtype, r->n + t->rank, dims);
}

/* A comprehension of type t that reads x at iv and its own indices but the first, of which it skips some */
static Value *build_read(Builder *b, Value *x, int n, Value *const *iv, const Type *t, int skip) {
    Op *g = build_op(b, OP_GENERATE, 0, NULL, 1, &t, 1);
    Value *idx[MAX_RANK];
    for (int i = 0; i < n; i++) idx[i] = iv[i];
    for (int i = 0; i < t->rank; i++) {
        Value *own = region_add_arg(g->regs[0], type_i64(b->module), NULL);
        if (i >= skip) idx[n + i - skip] = own;
    }
    Builder in = builder_at_end(b->module, g->regs[0], b->span);
    Value *v = extract_safe(&in, x, n + t->rank - skip, idx);
    build_yield(&in, 1, &v);
    return &g->res[0];
}

/* The table with the row of r's indices */
static Value *build_row(Builder *b, const Rows *r, Value *table, Value *v) {
    const Type *t = table->type;
    if (!type_is_tensor(v->type)) return insert_safe(b, table, v, r->n, r->iv);
    Value *start[MAX_RANK];
    const Size *dims[MAX_RANK];
    int64_t steps[MAX_RANK];
    for (int i = 0; i < t->rank; i++) {
        dims[i] = i < r->n ? size_const(b->module->session, 1) : t->dims[i];
        start[i] = i < r->n ? r->iv[i] : build_int(b, 0);
        steps[i] = 1;
    }
    Value *part = build_read(b, v, 0, NULL, type_tensor(b->module->session, t->dtype, t->rank, dims), r->n);
    return update_safe(b, table, part, start, steps);
}

/* Loops over r's indices that fill the tables; they are those results */
static void build_tables(Builder *at, const Body *b, Rows *r, Value *runs, const Values *out) {
    Value **tables = NEWN(b->scratch, Value *, out->len);
    Value *zero = build_int(at, 0), *one = build_int(at, 1);
    for (int i = 0; i < out->len; i++) tables[i] = build_zero(at, table_type(at, r, out->data[i]->type));
    Builder in = *at;
    for (int k = 0; k < r->n; k++) {
        Value *n = build_size(&in, r->dims[k]);
        r->loops[k] = build_for(&in, zero, runs && !k ? build_select(&in, runs, n, zero) : n, one, out->len, tables);
        r->iv[k] = r->loops[k]->regs[0]->args[0];
        for (int i = 0; i < out->len; i++) tables[i] = loop_carried(r->loops[k], i);
        in = builder_at_end(in.module, r->loops[k]->regs[0], in.span);
    }
    for (int i = 0; i < out->len; i++) tables[i] = build_row(&in, r, tables[i], out->data[i]);
    build_yield(&in, out->len, tables);
    for (int k = r->n - 1; k > 0; k--) {
        in = builder_at_end(in.module, r->loops[k - 1]->regs[0], in.span);
        for (int i = 0; i < out->len; i++) tables[i] = &r->loops[k]->res[i];
        build_yield(&in, out->len, tables);
    }
}

/* e, of a row, reads the table. */
static void read_table(Op *e, Value *table, const Rows *r, Value *const *iv) {
    Value *opnds[MAX_RANK + 2] = {table};
    const Type *t = e->res[0].type;
    for (int i = 0; i < r->n; i++) opnds[i + 1] = iv[i];
    for (int i = 1; i < e->nopnds; i++) opnds[r->n + i] = op_opnd(e, i);
    op_replace(e, op_rebuild(e, r->n + e->nopnds, opnds, 1, &t));
}

/* The rest of the body finds v in the table. */
static void read_rows(Body *b, const Rows *r, Value *v, Value *table) {
    Value *iv[MAX_RANK];
    for (int i = 0; i < r->n; i++) iv[i] = b->body->args[r->axis[i]];
    for (Use *u = v->uses, *next; u; u = next) {
        Op *user = u->user;
        for (next = u->next; next && next->user == user;) next = next->next;
        if (is_by_rest(b, u) && user->code == OP_EXTRACT && u->index == 0) read_table(user, table, r, iv);
    }
    if (!is_used_by_rest(b, v)) return;
    Builder at = builder_before(b->body->first);
    give_rest(b, v, type_is_tensor(v->type) ? build_read(&at, table, r->n, iv, v->type, 0)
                                            : extract_safe(&at, table, r->n, iv));
}

typedef struct { const Body *b; const Rows *r; } Turn;

static void take_index(void *ctx, Op *op) {
    const Turn *t = ctx;
    for (int i = 0; i < op->nopnds; i++)
        for (int k = 0; k < t->r->n; k++)
            if (op_opnd(op, i) == t->b->body->args[t->r->axis[k]]) op_set_opnd(op, i, t->r->iv[k]);
}

static void move_rows(Body *b, Builder *at, Rows *r, Value *runs, const Values *out) {
    build_tables(at, b, r, runs, out);
    for (int i = 0; i < out->len; i++) read_rows(b, r, out->data[i], &r->loops[0]->res[i]);
    for (Op *o = b->body->first; o; o = o->next) {
        if (!map_has(&b->taken, o)) continue;
        take_index(&(Turn){b, r}, o);
        for (int i = 0; i < o->nregs; i++) region_walk(o->regs[i], take_index, &(Turn){b, r});
    }
    move(b, r->loops[r->n - 1]->regs[0]->first);
}

/* ---- a loop */

static void hoist_rows(Arena *scratch, Op *loop, int mask) {
    Body b = {.scratch = scratch, .loop = loop, .body = loop->regs[0]};
    Values out = {0};
    Rows r = {0};
    Value *runs;
    for (int i = 0; i < b.body->nargs; i++) b.rows[i] = mask >> i & 1;
    find_fixed(&b);
    if (b.acts || !find_taken(&b)) return;
    Builder at = builder_before(loop);
    if (!find_results(&b, &out) || !find_rows(&b, &out, &r) || !ask_runs(&at, &b, &runs)) return;
    keep_cheap(&b);
    move_rows(&b, &at, &r, runs, &out);
}

/* Who writes a loop whose index nobody asks for, or one that reads the clock, may want its turns to take their time. */
static bool repeats(const Op *loop) { return !loop->regs[0]->args[0]->uses || clock_is_read(loop); }

static void hoist_once(Arena *scratch, Op *loop) {
    Body b = {.scratch = scratch, .loop = loop, .body = loop->regs[0]};
    Values out = {0};
    Value *runs;
    if (loop->code == OP_FOR && repeats(loop)) return;
    find_fixed(&b);
    if (!find_taken(&b)) return;
    bool known = find_results(&b, &out);
    Builder at = builder_before(loop);
    if (!ask_runs(&at, &b, &runs) || (runs && !known)) return;
    if (runs) keep_cheap(&b);
    if (runs) move_guarded(&b, &at, runs, &out);
    else move(&b, loop);
}

static bool holds_work(const Region *r) {
    for (const Op *o = r->first; o; o = o->next)
        if (is_work(o)) return true;
    return false;
}

static void hoist_from(Arena *scratch, Op *loop) {
    int n = loop->regs[0]->nargs;
    if (!holds_work(loop->regs[0])) return;
    hoist_once(scratch, loop);
    if ((loop->code != OP_GENERATE && loop->code != OP_REDUCE) || n > MOST_AXES) return;
    for (int few = 1; few < n; few++)
        for (int mask = 1; mask < (1 << n) - 1; mask++)
            if (__builtin_popcount((unsigned)mask) == few) hoist_rows(scratch, loop, mask);
}

/* Inner loops first: what leaves one may leave the next as well. */
static void visit(Arena *scratch, Region *r) {
    for (Op *o = r->first; o; o = o->next) {
        if (o->code == OP_ISLAND) continue;
        for (int i = 0; i < o->nregs; i++) visit(scratch, o->regs[i]);
        bool loop = o->code == OP_GENERATE || o->code == OP_REDUCE || o->code == OP_SCAN || o->code == OP_FOR;
        if (loop) hoist_from(scratch, o);
    }
}

void pass_hoist_arrays(Module *m, const PassOptions *opts) {
    (void)opts;
    Arena *scratch = arena_new();
    for (int i = 0; i < m->funcs.len; i++)
        if (m->funcs.data[i]->kind != FUNC_EXTERN) visit(scratch, m->funcs.data[i]->body);
    arena_free(scratch);
}
