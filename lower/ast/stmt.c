/* Statements.
 *
 * Blocks are lowered in order.  A statement that may end in an exit as well as fall through puts the rest
 * of its block inside an `if`: `if c { return }; rest` becomes if c {..} else { rest }, without flags; other
 * shapes set flags (join.c) and test them.  Loops with break or return become `while` loops. */
#include "lower/ast/private.h"

#include <string.h>

static unsigned stmts_from(Fn *f, const Block *b, int i);

static bool one_way(unsigned exits) { return (exits & (exits - 1)) == 0; }

/* After a join; where it ends one way that is known without a flag */
static void join_restore(Fn *f, const Carry *c, Op *op, unsigned exits) {
    Value **vals = NEWN(f->arena, Value *, c->n + 1);
    for (int i = 0; i < c->n; i++) vals[i] = &op->res[op->nres - c->n + i];
    if (!c->ret) f->returned.n = 0;
    carry_restore(f, c, vals);
    if (one_way(exits) && exits != X_FALL) exit_taken(f, exits);
}

/* ---- if */

typedef unsigned Part(Fn *f, void *ctx); /* builds one side; returns the ways it ends */
typedef struct { Fn *f; const Block *block; const Block *rest; int at; } Side;

/* Both sides begin with the variables as they were before, and nothing has exited. */
typedef struct { Carry vars; Value **values; } Before;

static Before before_sides(Fn *f, const VarVec *assigned) {
    Before before = {.vars = carry_new(f, assigned, 0, false)};
    before.values = carry_collect(f, &before.vars);
    return before;
}

static void side_begin(Fn *f, const Before *before) {
    carry_restore(f, &before->vars, before->values);
    f->returned.n = 0;
}

static void side_build(Fn *f, Region *r, const Carry *c, const Before *before, Part *part, void *ctx) {
    Mark outside = region_enter(f, r);
    side_begin(f, before);
    part(f, ctx);
    build_yield(&f->b, c->n, carry_collect(f, c));
    region_leave(f, outside);
}

/* An if whose sides assign `assigned` (and those of `touched` that end with it) and end in the ways of exits.  When all
 * return, variables end there. */
static void build_sides(Fn *f, Value *cond, const VarVec *assigned, const VarVec *touched, unsigned exits,
                        Part *then_part, void *then_ctx, Part *else_part, void *else_ctx) {
    static const VarVec none;
    Before before = before_sides(f, touched);
    Carry c = carry_new(f, exits == X_RETURN ? &none : assigned, one_way(exits) ? 0 : exits, exits & X_RETURN);
    Op *op = build_if(&f->b, cond, c.n, c.types);
    side_build(f, op->regs[0], &c, &before, then_part, then_ctx);
    side_build(f, op->regs[1], &c, &before, else_part, else_ctx);
    side_begin(f, &before);
    join_restore(f, &c, op, exits);
}

/* One side of an if: its block, then, where it falls through, the rest of the block around it */
static unsigned side_part(Fn *f, void *ctx) {
    Side *s = ctx;
    unsigned exits = s->block ? lower_block(f, s->block) : X_FALL;
    if (!s->rest || !(exits & X_FALL)) return exits;
    if (exits == X_FALL) return stmts_from(f, s->rest, s->at);
    return bug("a side with a rest ends two ways"), 0;
}

static unsigned block_exits(Fn *f, const Block *b) { return b ? flow_of_block(f->l, b)->exits : X_FALL; }

static unsigned rest_exits(Fn *f, const Block *b, int i) { return flow_of_block(f->l, b)->rest[i]; }

static void lower_if(Fn *f, const Stmt *s) {
    if (s->a->is_const) {
        const Block *taken = s->a->lit.i ? s->body : s->else_body;
        if (taken) lower_block(f, taken);
        return;
    }
    const Flow *flow = flow_of_stmt(f->l, s);
    Side then_side = {f, s->body, NULL, 0}, else_side = {f, s->else_body, NULL, 0};
    build_sides(f, lower_scalar(f, s->a), &flow->assigned, &flow->assigned, flow->exits, side_part, &then_side,
                side_part, &else_side);
}

/* if c { .. exit }; rest: the rest goes to the side that falls through */
static bool takes_rest(Fn *f, const Stmt *s) {
    if (s->kind != ST_IF || s->a->is_const) return false;
    unsigned t = block_exits(f, s->body), e = block_exits(f, s->else_body);
    return (!(t & X_FALL) && e == X_FALL) || (!(e & X_FALL) && t == X_FALL);
}

static unsigned if_with_rest(Fn *f, const Stmt *s, const Block *b, int i) {
    unsigned then_exits = block_exits(f, s->body), else_exits = block_exits(f, s->else_body);
    unsigned exits = ((then_exits | else_exits) & ~(unsigned)X_FALL) | rest_exits(f, b, i);
    bool then_falls = then_exits == X_FALL;
    Side then_side = {f, s->body, then_falls ? b : NULL, i}, else_side = {f, s->else_body, then_falls ? NULL : b, i};
    const Flow *flow = flow_of_block(f->l, b);
    build_sides(f, lower_scalar(f, s->a), &flow->assigned, &flow->all, exits, side_part, &then_side, side_part,
                &else_side);
    return exits;
}

/* ---- the rest after something that may have exited */

typedef struct { const Block *b; int at; Exits exits; Vals returned; } Rest;

static unsigned exited_part(Fn *f, void *ctx) {
    Rest *r = ctx;
    f->exits = r->exits;
    f->returned = r->returned;
    return 0;
}

static unsigned rest_part(Fn *f, void *ctx) {
    Rest *r = ctx;
    return stmts_from(f, r->b, r->at);
}

static unsigned guarded_rest(Fn *f, unsigned exits, const Block *b, int i) {
    if (i >= b->stmts.len) return exits;
    Rest r = {.b = b, .at = i, .exits = f->exits, .returned = f->returned};
    unsigned all = (exits & ~(unsigned)X_FALL) | rest_exits(f, b, i);
    const VarVec *assigned = &flow_of_block(f->l, b)->assigned;
    build_sides(f, flag_any(f, exits), assigned, assigned, all, exited_part, &r, rest_part, &r);
    return all;
}

/* ---- loops */

/* A loop's region: arguments become the current values */
static void loop_begin(Fn *f, const Carry *c, Region *r, int first) {
    f->returned.n = 0;
    carry_restore(f, c, r->nargs ? r->args + first : NULL);
}

/* The body of a loop that carries exits: none was taken when it begins.  Returns f->idle to go back to. */
static Vals body_begin(Fn *f, const Carry *c, Region *r, int first) {
    Vals idle = f->idle;
    loop_begin(f, c, r, first);
    exits_none(f);
    if (c->ret) f->idle = vals_copy(f, f->returned);
    f->returned.n = 0;
    return idle;
}

static void loop_end(Fn *f, const Carry *c, Op *op, int first) {
    Value **vals = NEWN(f->arena, Value *, c->n + 1);
    for (int i = 0; i < c->n; i++) vals[i] = &op->res[first + i];
    if (!c->ret) f->returned.n = 0;
    carry_restore(f, c, vals);
    f->exits.flag[0] = f->exits.flag[1] = NULL; /* a loop's own */
}

static Value *loop_step(Fn *f, const Gen *g) {
    return g->step_value || !g->step ? build_int(&f->b, g->step_value ? g->step_value : 1) : lower_scalar(f, g->step);
}

/* The variable of a turn: the index, or the element there */
static void turn_begin(Fn *f, const Gen *g, Value *i) {
    if (g->over) gen_bind(f, g, NULL, i);
    else var_define(f, g->var, vals_one(f, i));
}

static void plain_for(Fn *f, const Stmt *s, Value *lo, Value *hi, Value *step) {
    Carry c = carry_new(f, &flow_of_stmt(f->l, s)->assigned, 0, false);
    Op *op = build_for(&f->b, lo, hi, step, c.n, carry_collect(f, &c));
    if (s->progress) op_set_flag(op, A_PROGRESS);
    if (s->checkpoint) op_set_ints(op, A_CHECKPOINT, 3, s->plan);
    Mark outside = region_enter(f, op->regs[0]);
    loop_begin(f, &c, op->regs[0], 1);
    turn_begin(f, &s->gens.data[0], op->regs[0]->args[0]);
    lower_block(f, s->body);
    build_yield(&f->b, c.n, carry_collect(f, &c));
    region_leave(f, outside);
    loop_end(f, &c, op, 0);
}

/* A `while` that carries `first` (may be NULL) and then the carry; its regions get their arguments. */
static Op *build_while(Fn *f, Value *first, const Carry *c) {
    int n = c->n + (first != NULL);
    Value **init = NEWN(f->arena, Value *, n + 1), **now = carry_collect(f, c);
    const Type **types = NEWN(f->arena, const Type *, n + 1);
    if (first) init[0] = first;
    if (c->n) memcpy(init + (first != NULL), now, sizeof *now * (size_t)c->n);
    for (int i = 0; i < n; i++) types[i] = i == 0 && first ? first->type : c->types[i - (first != NULL)];
    Op *op = build_op(&f->b, OP_WHILE, n, init, n, types, 2);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < n; i++) region_add_arg(op->regs[r], types[i], init[i]->name);
    return op;
}

static void yield_with(Fn *f, Value *first, const Carry *c) {
    Value **out = NEWN(f->arena, Value *, c->n + 1), **now = carry_collect(f, c);
    out[0] = first;
    if (c->n) memcpy(out + 1, now, sizeof *now * (size_t)c->n);
    build_yield(&f->b, c->n + 1, out);
}

static Value *before_end(Fn *f, const Gen *g, Value *i, Value *hi, Value *step) {
    if (g->step_value >= 0 && !(g->step && !g->step_value)) return build_binary(&f->b, OP_LT, i, hi);
    if (g->step_value < 0) return build_binary(&f->b, OP_GT, i, hi);
    Value *up = build_binary(&f->b, OP_GT, step, build_int(&f->b, 0));
    return build_select(&f->b, up, build_binary(&f->b, OP_LT, i, hi), build_binary(&f->b, OP_GT, i, hi));
}

/* i + step; where that would wrap, the end of the ints, which is not before hi */
static Value *next_index(Fn *f, Value *i, const Value *lo, const Value *hi, Value *step) {
    int64_t s = step->def->code == OP_CONST ? op_attr(step->def, A_VALUE)->c.i : 1;
    if (s == 1 || s == -1 || takes_for_ever(lo, hi, s)) return build_binary(&f->b, OP_ADD, i, step);
    Value *room = build_int(&f->b, s > 0 ? INT64_MAX - s : INT64_MIN - s);
    return build_binary(&f->b, OP_ADD, build_binary(&f->b, s > 0 ? OP_MIN : OP_MAX, i, room), step);
}

/* for with break or return: counts in a while */
static void exiting_for(Fn *f, const Stmt *s, unsigned exits, Value *lo, Value *hi, Value *step) {
    const Gen *g = &s->gens.data[0];
    Carry c = carry_new(f, &flow_of_stmt(f->l, s)->assigned, exits & (X_BREAK | X_RETURN), exits & X_RETURN);
    Op *op = build_while(f, lo, &c);
    Mark outside = region_enter(f, op->regs[0]);
    loop_begin(f, &c, op->regs[0], 1);
    Value *more = before_end(f, g, op->regs[0]->args[0], hi, step);
    more = build_binary(&f->b, OP_AND, more, build_unary(&f->b, OP_NOT, flag_any(f, c.exits)));
    build_yield(&f->b, 1, &more);
    region_leave(f, outside);
    region_enter(f, op->regs[1]);
    Vals idle = body_begin(f, &c, op->regs[1], 1);
    Value *i = op->regs[1]->args[0];
    turn_begin(f, g, i);
    lower_block(f, s->body);
    yield_with(f, next_index(f, i, lo, hi, step), &c);
    region_leave(f, outside);
    f->idle = idle;
    loop_end(f, &c, op, 1);
}

static void lower_for(Fn *f, const Stmt *s) {
    if (s->parallel && (f->island || !s->own_turns || !turns_make_arrays(s))) {
        lower_parallel_for(f, s);
        return;
    }
    const Gen *g = &s->gens.data[0];
    if (g->over) elem_freeze(f, g->over, &flow_of_stmt(f->l, s)->assigned);
    Value *lo = g->lo ? lower_scalar(f, g->lo) : build_int(&f->b, 0);
    Value *hi = g->hi ? lower_scalar(f, g->hi) : gen_extent(f, g);
    Value *step = loop_step(f, g);
    unsigned exits = flow_of_block(f->l, s->body)->exits;
    if (exits & (X_BREAK | X_RETURN)) exiting_for(f, s, exits, lo, hi, step);
    else plain_for(f, s, lo, hi, step);
}

/* The condition region: a loop that has exited does not evaluate its condition again */
static void while_condition(Fn *f, const Stmt *s, const Carry *c) {
    Value *cond;
    if (c->exits) {
        const Type *boolean = type_scalar(f->session, DT_BOOL);
        Op *op = build_if(&f->b, flag_any(f, c->exits), 1, &boolean);
        Mark outside = region_enter(f, op->regs[0]);
        Value *no = build_bool(&f->b, false);
        build_yield(&f->b, 1, &no);
        region_leave(f, outside);
        region_enter(f, op->regs[1]);
        cond = lower_scalar(f, s->a);
        build_yield(&f->b, 1, &cond);
        region_leave(f, outside);
        cond = &op->res[0];
    } else cond = lower_scalar(f, s->a);
    build_yield(&f->b, 1, &cond);
}

static void lower_while(Fn *f, const Stmt *s) {
    unsigned exits = flow_of_block(f->l, s->body)->exits & (X_BREAK | X_RETURN);
    Carry c = carry_new(f, &flow_of_stmt(f->l, s)->assigned, exits, exits & X_RETURN);
    Op *op = build_while(f, NULL, &c);
    Mark outside = region_enter(f, op->regs[0]);
    loop_begin(f, &c, op->regs[0], 0);
    while_condition(f, s, &c);
    region_leave(f, outside);
    region_enter(f, op->regs[1]);
    Vals idle = body_begin(f, &c, op->regs[1], 0);
    lower_block(f, s->body);
    build_yield(&f->b, c.n, carry_collect(f, &c));
    region_leave(f, outside);
    f->idle = idle;
    loop_end(f, &c, op, 0);
}

/* ---- spawn: a fork of the block and of what follows it up to sync, or to the end of the block around */

static int find_sync(const Block *b, int i) {
    while (i < b->stmts.len && b->stmts.data[i]->kind != ST_SYNC) i++;
    return i;
}

/* Variables that the statements define for those after sync; false: sizes are among them, which can't leave a region */
static bool defined_between(Fn *f, const Block *b, int i, int end, VarVec *out) {
    for (; i < end; i++) {
        const Stmt *s = b->stmts.data[i];
        if (flow_of_stmt(f->l, s)->exits != X_FALL) return false;
        if (s->kind != ST_LET) continue;
        if (s->binds.len) return false;
        for (int k = 0; k < s->vars.len; k++) {
            if (s->vars.data[k]->sym || !sizes_are_bound(f, s->vars.data[k]->type)) return false;
            vec_push(f->arena, out, s->vars.data[k]);
        }
    }
    return true;
}

static int var_leaves(const VarVec *v) {
    int n = 0;
    for (int i = 0; i < v->len; i++) n += leaf_count(v->data[i]->type);
    return n;
}

/* Current values of variables, one after the other */
static Value **vars_collect(Fn *f, const VarVec *v) {
    Value **out = NEWN(f->arena, Value *, var_leaves(v) + 1);
    int n = 0;
    for (int i = 0; i < v->len; i++) {
        const Vals *vals = env_get(f, v->data[i]);
        memcpy(out + n, vals->v, sizeof *out * (size_t)vals->n);
        n += vals->n;
    }
    return out;
}

static void vars_restore(Fn *f, const VarVec *v, Value *results) {
    for (int i = 0; i < v->len; i++) {
        Vals vals = vals_new(f, leaf_count(v->data[i]->type));
        for (int k = 0; k < vals.n; k++) vals.v[k] = results++;
        vals_hint(f, vals, v->data[i]->type, v->data[i]->name);
        env_set(f, v->data[i], vals);
    }
}

/* Adds those of `assigned` that exist here and are not in seen */
static void assigned_here(Fn *f, const VarVec *assigned, Map *seen, VarVec *out) {
    for (int i = 0; i < assigned->len; i++) {
        Var *v = assigned->data[i];
        if (!env_get(f, v) || map_has(seen, v)) continue;
        map_put(f->arena, seen, v, v);
        vec_push(f->arena, out, v);
    }
}

static int var_types(Fn *f, const VarVec *v, const Type **out) {
    int n = 0;
    for (int i = 0; i < v->len; i++) {
        int k = leaf_count(v->data[i]->type);
        memcpy(out + n, leaf_types(f, v->data[i]->type), sizeof *out * (size_t)k);
        n += k;
    }
    return n;
}

static void stmts_between(Fn *f, const Block *b, int i, int end);

static void build_spawn(Fn *f, const Block *b, int i, int end, const VarVec *first, const VarVec *second) {
    int n1 = var_leaves(first), n2 = var_leaves(second);
    const Type **types = NEWN(f->arena, const Type *, n1 + n2 + 1);
    var_types(f, first, types);
    var_types(f, second, types + n1);
    Op *op = build_op(&f->b, OP_SPAWN, 0, NULL, n1 + n2, types, 2);
    Mark outside = region_enter(f, op->regs[0]);
    Value **before = vars_collect(f, first);
    lower_block(f, b->stmts.data[i]->body);
    build_yield(&f->b, n1, vars_collect(f, first));
    region_leave(f, outside);
    int at = 0;
    for (int k = 0; k < first->len; at += env_get(f, first->data[k])->n, k++) {
        Vals v = {leaf_count(first->data[k]->type), before + at};
        env_set(f, first->data[k], v);
    }
    region_enter(f, op->regs[1]);
    stmts_between(f, b, i + 1, end);
    build_yield(&f->b, n2, vars_collect(f, second));
    region_leave(f, outside);
    vars_restore(f, first, op->res);
    vars_restore(f, second, op->res + n1);
}

/* Returns where lowering goes on: at the sync */
static int lower_spawn(Fn *f, const Block *b, int i) {
    const Stmt *s = b->stmts.data[i];
    int end = find_sync(b, i + 1);
    VarVec first = {0}, second = {0};
    Map seen1 = {0}, seen2 = {0};
    assigned_here(f, &flow_of_stmt(f->l, s)->assigned, &seen1, &first);
    for (int k = i + 1; k < end; k++)
        assigned_here(f, &flow_of_stmt(f->l, b->stmts.data[k])->assigned, &seen2, &second);
    if (f->island || !defined_between(f, b, i + 1, end, &second)) {
        lower_block(f, s->body); /* in order: the same result */
        return i + 1;
    }
    build_spawn(f, b, i, end, &first, &second);
    return end;
}

static void stmts_between(Fn *f, const Block *b, int i, int end) {
    while (i < end) {
        const Stmt *s = b->stmts.data[i];
        if (s->kind == ST_SPAWN) {
            i = lower_spawn(f, b, i);
            continue;
        }
        lower_stmt(f, s);
        i++;
    }
}

/* ---- simple statements */

static void lower_let(Fn *f, const Stmt *s) {
    if (s->var_kind == VAR_CONST) return;
    Vals v;
    if (s->is_arg) v = vals_one(f, lower_program_arg(f, s));
    else if (s->a) v = f->island && type_has_array(s->a->type) ? materialize(f, s->a) : lower_expr(f, s->a);
    else {
        const FType *t = s->vars.data[0]->type;
        const Type **types = leaf_types(f, t);
        v = vals_new(f, leaf_count(t));
        for (int k = 0; k < v.n; k++)
            v.v[k] = f->island && types[k]->kind == TY_TENSOR ? alloc_private(f, types[k]) : zero_of(f, types[k]);
    }
    int at = 0;
    for (int i = 0; i < s->vars.len; i++) {
        Var *var = s->vars.data[i];
        int n = leaf_count(var->type);
        if (var->kind != VAR_CONST) var_define(f, var, vals_part(v, at, n));
        at += n;
    }
}

/* What is returned; in islands arrays go to the place that the call has for them. */
static Vals returned_of(Fn *f, const Expr *e) {
    if (!f->result.n) return lower_expr(f, e);
    if (e->type->kind != FT_ARRAY) return arrays_settle(f, lower_expr(f, e), f->result);
    Dest p = {.out = f->result};
    compute_into(f, e, &p);
    return f->result;
}

static void lower_return(Fn *f, const Stmt *s) {
    f->returned = s->a ? returned_of(f, s->a) : vals_new(f, 0);
    exit_taken(f, X_RETURN);
}

/* The text of an expression as the user wrote it, on one line */
static const char *source_of(Fn *f, const Expr *e) {
    size_t len;
    if (e->span.file < 0) return "";
    const char *text = source_text(f->session, e->span.file, &len);
    const char *from = text + e->span.lo;
    const char *eol = memchr(from, '\n', (size_t)(e->span.hi - e->span.lo));
    return intern_n(f->session, from, (size_t)(eol ? eol - from : e->span.hi - e->span.lo));
}

static bool has_array(const Expr *e) {
    for (int i = 0; i < e->args.len; i++)
        if (e->args.data[i]->type->kind != FT_SCALAR) return true;
    return false;
}

/* The check makes a text of numbers itself, when it fails. */
static void lower_assert(Fn *f, const Stmt *s) {
    ValueVec opnds = {0};
    vec_push(f->arena, &opnds, lower_scalar(f, s->a));
    const char *msg = "assertion failed: {}", *format = NULL;
    const char *text = !s->b ? source_of(f, s->a) : s->b->is_const ? s->b->lit.s : NULL;
    if (text && !strstr(text, "{}")) msg = intern_printf(f->session, "assertion failed: %s", text);
    else if (text) vec_push(f->arena, &opnds, build_const(&f->b, (Const){.dtype = DT_STR, .s = text}));
    else if (s->b->kind == EX_FORMAT && s->b->args.len && !has_array(s->b)) format = lower_template(f, s->b, &opnds);
    else vec_push(f->arena, &opnds, lower_scalar(f, s->b));
    Op *op = build_op(&f->b, OP_CHECK, opnds.len, opnds.data, 0, NULL, 0);
    op_set_sym(op, A_CODE, "E0640");
    op_set_sym(op, A_MSG, msg);
    if (format) op_set_sym(op, A_FORMAT, format);
}

static void lower_barrier(Fn *f) {
    if (f->kernel) build_op(&f->b, OP_BARRIER, f->kernel->nthread_ivs, f->kernel->thread_ivs, 0, NULL, 0);
}

static void lower_shared(Fn *f, const Stmt *s) {
    Builder here = f->b;
    f->b = builder_before(f->kernel->thread_loop);
    f->b.span = fn_place(f, s->span);
    for (int i = 0; i < s->vars.len; i++) {
        Var *var = s->vars.data[i];
        const Type **types = leaf_types(f, var->type);
        Vals v = vals_new(f, leaf_count(var->type));
        for (int k = 0; k < v.n; k++) {
            const Type *buf = type_buf(f->session, types[k]->dtype, types[k]->rank, types[k]->dims, SPACE_SHARED);
            v.v[k] = &build_op(&f->b, OP_ALLOC, 0, NULL, 1, &buf, 0)->res[0];
        }
        var_define(f, var, v);
    }
    f->b = here;
}

static void lower_in_span(Fn *f, const Stmt *s) {
    switch (s->kind) {
    case ST_LET: lower_let(f, s); break;
    case ST_ASSIGN:
    case ST_ATOMIC: lower_assign(f, s); break;
    case ST_EXPR: lower_expr(f, s->a); break;
    case ST_IF: lower_if(f, s); break;
    case ST_FOR: lower_for(f, s); break;
    case ST_WHILE: lower_while(f, s); break;
    case ST_BREAK: exit_taken(f, X_BREAK); break;
    case ST_CONTINUE: exit_taken(f, X_CONTINUE); break;
    case ST_RETURN: lower_return(f, s); break;
    case ST_LAUNCH: lower_launch(f, s); break;
    case ST_BARRIER: lower_barrier(f); break;
    case ST_SHARED: lower_shared(f, s); break;
    case ST_ASSERT: lower_assert(f, s); break;
    case ST_BLOCK: lower_block(f, s->body); break;
    case ST_SPAWN: lower_block(f, s->body); break;
    case ST_SYNC:
    case ST_DECL:
    case ST_CELL: break;
    }
}

void lower_stmt(Fn *f, const Stmt *s) {
    Span outside = f->b.span;
    f->b.span = fn_place(f, s->span);
    lower_in_span(f, s);
    f->b.span = outside;
}

/* Lowers statements from the i-th on; returns the ways they end. */
static unsigned stmts_from(Fn *f, const Block *b, int i) {
    while (i < b->stmts.len) {
        const Stmt *s = b->stmts.data[i];
        if (s->kind == ST_SPAWN) {
            i = lower_spawn(f, b, i);
            continue;
        }
        i++;
        bool rest = takes_rest(f, s);
        if (!rest) lower_stmt(f, s);
        unsigned exits = flow_of_stmt(f->l, s)->exits;
        if (!rest && !(exits & X_FALL)) return exits;
        if (!rest && exits == X_FALL) continue;
        Span outside = f->b.span;
        f->b.span = fn_place(f, s->span);
        exits = rest ? if_with_rest(f, s, b, i) : guarded_rest(f, exits, b, i);
        f->b.span = outside;
        return exits;
    }
    return X_FALL;
}

unsigned lower_block(Fn *f, const Block *b) { return stmts_from(f, b, 0); }

/* ---- if as an expression: the value of a block is its last statement's expression */

static Vals block_value(Fn *f, const Block *b) {
    for (int i = 0; i + 1 < b->stmts.len; i++) lower_stmt(f, b->stmts.data[i]);
    const Stmt *last = b->stmts.len ? b->stmts.data[b->stmts.len - 1] : NULL;
    if (!last) return vals_new(f, 0);
    if (last->kind == ST_EXPR) return lower_expr(f, last->a);
    lower_stmt(f, last);
    return vals_new(f, 0);
}

/* v without the arrays that have a place */
static Vals without_places(Fn *f, Vals v, Vals places) {
    Vals r = vals_new(f, v.n);
    r.n = 0;
    for (int i = 0; i < v.n; i++)
        if (!places.n || !places.v[i]) r.v[r.n++] = v.v[i];
    return r;
}

/* places: those of the arrays of the value, in islands */
static void value_side(Fn *f, Region *r, const Block *b, const Carry *c, const Before *before, Vals places) {
    Mark outside = region_enter(f, r);
    side_begin(f, before);
    Vals v = b ? block_value(f, b) : vals_new(f, 0);
    if (places.n) v = without_places(f, arrays_settle(f, v, places), places);
    Value **out = NEWN(f->arena, Value *, v.n + c->n + 1), **carried = carry_collect(f, c);
    if (v.n) memcpy(out, v.v, sizeof *out * (size_t)v.n);
    if (c->n) memcpy(out + v.n, carried, sizeof *out * (size_t)c->n);
    build_yield(&f->b, v.n + c->n, out);
    region_leave(f, outside);
}

Vals lower_if_expr(Fn *f, const Expr *e) {
    if (e->a->is_const) return block_value(f, e->a->lit.i ? e->then_block : e->else_block);
    VarVec assigned = {0};
    Map seen = {0};
    assigned_here(f, &flow_of_block(f->l, e->then_block)->assigned, &seen, &assigned);
    if (e->else_block) assigned_here(f, &flow_of_block(f->l, e->else_block)->assigned, &seen, &assigned);
    Value *cond = lower_scalar(f, e->a);
    Before before = before_sides(f, &assigned);
    Carry c = carry_new(f, &assigned, 0, false);
    Vals places = {0};
    if (f->island && type_has_array(e->type)) places = private_arrays(f, e->type);
    int n = 0, leaves = leaf_count(e->type);
    const Type **types = NEWN(f->arena, const Type *, leaves + c.n + 1), **all = leaf_types(f, e->type);
    for (int i = 0; i < leaves; i++)
        if (!places.n || !places.v[i]) types[n++] = all[i];
    if (c.n) memcpy(types + n, c.types, sizeof *types * (size_t)c.n);
    Op *op = build_if(&f->b, cond, n + c.n, types);
    value_side(f, op->regs[0], e->then_block, &c, &before, places);
    value_side(f, op->regs[1], e->else_block, &c, &before, places);
    join_restore(f, &c, op, X_FALL);
    Vals r = vals_new(f, leaves);
    for (int i = 0, k = 0; i < leaves; i++) r.v[i] = places.n && places.v[i] ? places.v[i] : &op->res[k++];
    return r;
}

void lower_body(Fn *f, const Block *body, const Expr *expr) {
    exits_none(f);
    f->returned = vals_new(f, 0);
    if (expr) f->returned = returned_of(f, expr);
    else if (body) lower_block(f, body);
}
