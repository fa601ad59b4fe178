/* partition: loops are parted among processes that run the program together, and what they read is sent to them.
 *
 * Needs stage loops, guards narrowed.  Each process runs the whole program with the same scalars.  Of a parallel loop
 * it does a part of the iterations along one axis: those that touch the rows of an array (indices of its first axis)
 * that are at home with it.  So that the loop finds what it reads, in front of it stands, for each process, between
 * which rows its iterations read and write each array (rows.c); the runtime keeps books of who has what (runtime/
 * ranks.h), sends what is missing, and nothing twice: stencils of all widths around a loop are one halo.  Reductions
 * are such loops over chunks, whose sums everybody gets and adds up in the fixed order: same bits as of one process.
 *
 * A loop that cannot be parted, since iterations of two processes might write one row, is done by the process that is
 * at home where it writes first, if it writes at rows that no index moves; else by all of them, as is everything that
 * stands outside of loops: they get the rows that are read, and write alike. */
#include "opt/ranks/ranks.h"
#include "opt/ranks/rows.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 64, MOST_WRITTEN = 32, FEW_ROWS = 8 };

typedef struct { Op *access; Value *buf; bool writes; bool linear; int64_t slope; } Access;
typedef VEC(Access) Accesses;

typedef struct {
    Module *module;
    Arena *scratch;
    Ranges *ranges; /* of the statement that is looked at */
    bool explain;
    Map told;       /* places of which something has been said */
    const char *everywhere; /* of the statement: an array of which every process gets all */
} Partition;

/* ---- --explain-processes */

/* Of each place the first that is said: what a sum does behind its chunks is none of the user's loops. */
DSL_PRINTF(3, 4) static void tell(Partition *p, const Op *op, const char *fmt, ...) {
    Session *s = p->module->session;
    if (!p->explain || op->span.file < 0 || source_is_library(s, op->span)) return;
    Place at = source_place(s, op->span.file, op->span.lo);
    const char *place = intern_printf(s, "%s:%d:%d", source_path(s, op->span.file), at.line, at.col);
    if (map_has(&p->told, place)) return;
    map_put(p->scratch, &p->told, place, p);
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "%s: ", place);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}

static const char *name_of(const Value *buf) {
    const Value *tensor = op_opnd(buf->region->owner, buf->index);
    const char *name = buf->name ? buf->name : tensor->name;
    return name && strcmp(name, "partial") ? name : "what it makes";
}

/* ---- what a statement touches */

static bool is_global(const Value *buf) {
    return !buf->def && buf->region->owner && buf->region->owner->code == OP_ISLAND && buf->type->rank > 0;
}

/* by_all: why all iterations must be done by all processes, or NULL */
typedef struct { Partition *p; const Op *statement; Accesses all; const char *by_all; } Touched;

static const char *why_by_all(const Touched *t, const Op *op) {
    const Module *m = t->p->module;
    bool writes = op->code == OP_STORE || op->code == OP_ATOMIC;
    if (op->code == OP_CALL && !ranks_is_scalar(module_find(m, op_sym(op, A_FUNC))))
        return "it calls a function that has arrays, or prints";
    if (op->code == OP_ATOMIC && is_global(op_buffer(op))) return "iterations update elements by atomic";
    if (writes && !is_global(op_buffer(op)) && !op_encloses(t->statement, op_buffer(op)))
        return "iterations leave something for what follows";
    if (writes && op_buffer(op)->type->dtype == DT_STR) return "it writes texts";
    return NULL;
}

static void look(void *ctx, Op *op) {
    Touched *t = ctx;
    if (!t->by_all) t->by_all = why_by_all(t, op);
    if (!op_is_access(op) || op->code == OP_EXTRACT || !is_global(op_buffer(op))) return;
    bool writes = op->code == OP_STORE || op->code == OP_ATOMIC;
    vec_push(t->p->scratch, &t->all, ((Access){.access = op, .buf = op_buffer(op), .writes = writes}));
}

static Touched touched_by(Partition *p, Op *op) {
    Touched t = {.p = p, .statement = op};
    look(&t, op);
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], look, &t);
    return t;
}

static Value *row_index(const Access *x) { return op_opnd(x->access, op_index_first(x->access)); }

static bool reads(const Access *x) { return x->access->code != OP_STORE; }

/* ---- intervals of rows, of one array, told once */

/* slope: of the rows, or of the columns where there are such */
typedef struct { Value *buf; bool writes, linear; int64_t slope; Rows rows, columns; } Item;
typedef struct { int n; Item v[MOST_ITEMS]; } Items;

static bool same_kind(const Item *x, const Item *y) {
    bool alike = x->buf == y->buf && x->writes == y->writes && x->linear && y->linear && x->slope == y->slope;
    return alike && !x->columns.lo == !y->columns.lo;
}

static bool same_rows(Rows x, Rows y) { return value_same_int(x.lo, y.lo) && value_same_int(x.hi, y.hi); }

/* What moves alike becomes one interval; what stands still stays apart, as it may be the two ends of an array. */
static bool join_rows(Builder *b, Rows *old, Rows new, bool moves) {
    Rows both = rows_hull(b, *old, new);
    int64_t width = rows_width(both);
    if (!moves && !same_rows(*old, new) && (width < 0 || width > FEW_ROWS)) return false;
    *old = both;
    return true;
}

static bool join_items(Builder *b, Item *old, const Item *new) {
    if (!same_kind(old, new)) return false;
    if (!new->columns.lo) return join_rows(b, &old->rows, new->rows, new->slope);
    return join_rows(b, &old->rows, new->rows, false) && join_rows(b, &old->columns, new->columns, true);
}

static bool add_item(Builder *b, Items *all, Item new) {
    for (int i = 0; i < all->n; i++)
        if (join_items(b, &all->v[i], &new)) return true;
    if (all->n == MOST_ITEMS) return false;
    all->v[all->n++] = new;
    return true;
}

static Rows all_rows(Builder *b, const Value *buf) {
    return (Rows){build_int(b, 0), index_sub(b, build_size(b, buf->type->dims[0]), build_int(b, 1))};
}

/* Of rows that are none of the iterations' own each process reads the columns that are its iterations': an access
 * a[j, i] of a loop over i that is parted.  false: it is not so */
static bool add_columns(Items *all, const Access *x, RowsAsk *ask, RowsList rows) {
    int second = op_index_first(x->access) + 1;
    if (x->writes || !ask->iv || !x->linear || x->slope || second >= op_index_end(x->access)) return false;
    Value *index = op_opnd(x->access, second);
    int64_t slope;
    if (!value_depends(index, ask->iv)) return false;
    RowsList l = rows_of(ask, index);
    bool linear = rows_slope(index, ask->iv, &slope) && l.n == 1;
    for (int i = 0; i < rows.n; i++)
        for (int k = 0; k < l.n; k++)
            if (!add_item(ask->b, all, (Item){x->buf, false, linear, slope, rows.v[i], l.v[k]})) return false;
    return l.n > 0;
}

/* The rows of an access; a whole array where they are not known */
static bool add_access(Partition *p, Items *all, const Access *x, RowsAsk *ask, bool writes) {
    Builder *b = ask->b;
    RowsList l = rows_of(ask, row_index(x));
    const Rows none = {0};
    bool known = l.n > 0;
    if (!known) l = (RowsList){.n = 1, .v = {all_rows(b, x->buf)}};
    if (!writes && add_columns(all, x, ask, l)) return true;
    if (!known) p->everywhere = name_of(x->buf);
    for (int k = 0; k < l.n; k++)
        if (!add_item(b, all, (Item){x->buf, writes, x->linear && l.n == 1, x->slope, l.v[k], none})) return false;
    return true;
}

/* ---- by all processes: they get what is read */

static void rows_op(Builder *b, OpCode code, Value *x, Value *p, Rows r) {
    Value *end = index_add(b, r.hi, build_int(b, 1));
    build_rows(b, code, x, p, r.lo, end);
}

static void columns_op(Builder *b, Value *x, Value *p, Rows rows, Rows columns) {
    Value *one = build_int(b, 1), *to = index_add(b, rows.hi, one), *end = index_add(b, columns.hi, one);
    Value *opnds[] = {x, p, rows.lo, to, columns.lo, end};
    build_op(b, OP_COLUMNS, 6, opnds, 0, NULL, 0);
}

static bool add_reads(Partition *p, Builder *b, Items *all, Op *op, const Touched *t) {
    for (int i = 0; i < t->all.len; i++) {
        const Access *x = &t->all.data[i];
        RowsAsk ask = rows_ask(b, op, x->access, p->ranges);
        if (reads(x) && !add_access(p, all, x, &ask, false)) return false;
    }
    return true;
}

static void gather(Partition *p, Op *op, const Touched *t) {
    Builder b = builder_before(op);
    Items all = {0};
    bool told = add_reads(p, &b, &all, op, t);
    for (int i = 0; told && i < all.n; i++) rows_op(&b, OP_ALLGATHER, all.v[i].buf, NULL, all.v[i].rows);
    for (int i = 0; !told && i < t->all.len; i++)
        rows_op(&b, OP_ALLGATHER, t->all.data[i].buf, NULL, all_rows(&b, t->all.data[i].buf));
}

/* ---- which iterations */

/* The loop's axis that is parted, and after which rows: scale*i + offset of an array */
typedef struct { int axis; const Value *iv; Value *home; int64_t scale; Value *offset; } Way;

/* How far an index lies from slope * iv */
static RowsList rest_of(Partition *p, Builder *b, Op *loop, const Access *x, int axis) {
    RowsAsk ask = rows_ask(b, loop, x->access, p->ranges);
    Value *zero = build_int(b, 0), *last = index_sub(b, op_opnd(loop, axis), build_int(b, 1));
    ask.iv = loop->regs[0]->args[axis], ask.rest = true;
    ask.term = (Rows){zero, zero}, ask.bound = (Rows){zero, last};
    return rows_of(&ask, row_index(x));
}

/* What iterations write of an array lies apart: scale*i + lo..hi, and hi - lo < scale */
static bool writes_apart(Partition *p, Builder *b, Op *loop, const Touched *t, const Access *first, int axis) {
    Rows all = {0};
    for (int i = 0; i < t->all.len; i++) {
        const Access *x = &t->all.data[i];
        if (!x->writes || x->buf != first->buf) continue;
        RowsList l = x->linear && x->slope == first->slope ? rest_of(p, b, loop, x, axis) : (RowsList){0};
        if (l.n != 1) return false;
        all = all.lo ? rows_hull(b, all, l.v[0]) : l.v[0];
    }
    int64_t width = rows_width(all);
    return width >= 0 && width < first->slope;
}

static void note_slopes(Touched *t, const Value *iv) {
    for (int i = 0; i < t->all.len; i++)
        t->all.data[i].linear = rows_slope(row_index(&t->all.data[i]), iv, &t->all.data[i].slope);
}

static bool is_home(Partition *p, Builder *b, Op *loop, const Access *x, int axis, Way *way) {
    if (!x->linear || x->slope <= 0 || x->slope <= way->scale) return false;
    RowsList l = rest_of(p, b, loop, x, axis);
    if (l.n != 1 || op_encloses(loop, l.v[0].lo)) return false;
    *way = (Way){axis, loop->regs[0]->args[axis], x->buf, x->slope, l.v[0].lo};
    return true;
}

/* At home is who has the rows of which an iteration touches most: chunks of x rather than their sums. */
static bool find_way(Partition *p, Builder *b, Op *loop, Touched *t, int axis, Way *way) {
    *way = (Way){0};
    note_slopes(t, loop->regs[0]->args[axis]);
    bool stores = false;
    for (int i = 0; i < t->all.len; i++) {
        const Access *x = &t->all.data[i];
        if (!x->writes) continue;
        stores = true;
        if (!x->linear || x->slope <= 0 || !writes_apart(p, b, loop, t, x, axis)) return false;
        is_home(p, b, loop, x, axis, way);
    }
    for (int i = 0; i < t->all.len; i++)
        if (!t->all.data[i].writes) is_home(p, b, loop, &t->all.data[i], axis, way);
    return stores && way->home;
}

/* ---- how much work */

static int64_t cost_of(const Region *r);
static int64_t cost_of_op(const Op *op) {
    int64_t inner = op_info(op->code)->cost, n;
    for (int i = 0; i < op->nregs; i++) inner += cost_of(op->regs[i]);
    if (op->code == OP_FOR) return inner * (loop_turns(op, &n) && n < 1000 ? n : 16);
    if (op->code == OP_PARALLEL) return inner * (value_const_int(op_opnd(op, 0), &n) && n < 1000 ? n : 16);
    return inner < 1 << 20 ? inner : 1 << 20;
}
static int64_t cost_of(const Region *r) {
    int64_t cost = 0;
    for (const Op *o = r->first; o; o = o->next) cost += cost_of_op(o);
    return cost < 1 << 20 ? cost : 1 << 20;
}

/* Cycles, about */
static Value *work_of(Builder *b, const Op *loop) {
    Value *work = build_int(b, 1 + cost_of(loop->regs[0]));
    for (int i = 0; i < loop->nopnds; i++) work = index_mul(b, work, op_opnd(loop, i));
    return work;
}

/* ---- parting a loop */

/* Each array once */
static int arrays_of(const Touched *t, Value **out, int most) {
    int n = 0;
    for (int i = 0; i < t->all.len; i++) {
        int k = 0;
        while (k < n && out[k] != t->all.data[i].buf) k++;
        if (k == most) return -1;
        if (k == n) out[n++] = t->all.data[i].buf;
    }
    return n;
}

/* What one process needs and changes, of which the iterations are `own`; iv NULL: all of the statement's */
static bool say_rows(Partition *p, Builder *in, Op *op, const Touched *t, const Value *iv, Rows own, Value *process) {
    Items all = {0};
    for (int i = 0; i < t->all.len; i++) {
        const Access *x = &t->all.data[i];
        RowsAsk ask = rows_ask(in, op, x->access, p->ranges);
        ask.iv = iv, ask.term = ask.bound = own;
        ask.rest = iv && x->writes; /* as far as writes_apart has looked */
        if (!add_access(p, &all, x, &ask, x->writes)) return false;
    }
    for (int i = 0; i < all.n; i++) {
        const Item *x = &all.v[i];
        if (x->columns.lo) columns_op(in, x->buf, process, x->rows, x->columns);
        else rows_op(in, x->writes ? OP_OWN : OP_NEED, x->buf, process, x->rows);
    }
    return true;
}

/* *from, *to: this process's iterations; false: nothing is changed */
static bool hand_out(Partition *p, Op *op, const Touched *t, const Way *way, Value *extent, Value *work, Value **from,
                     Value **to) {
    Value *bufs[MOST_WRITTEN], *process;
    int n = arrays_of(t, bufs, MOST_WRITTEN);
    if (n < 0) return false;
    Builder b = builder_before(op), in;
    Value *rows = build_size(&b, way->home->type->dims[0]);
    Value *processes = build_partition(&b, extent, rows, way->scale, way->offset, work, n, bufs);
    Op *share, *loop = build_over_processes(&b, processes, &in, &process, &share);
    Rows own = {&share->res[0], index_sub(&in, &share->res[1], build_int(&in, 1))};
    bool ok = say_rows(p, &in, op, t, way->iv, own, process);
    build_yield(&in, 0, NULL);
    if (!ok) {
        op_erase(loop);
        op_erase(processes->def);
        return false;
    }
    Op *exchange = build_exchange(&b, extent, n, bufs);
    *from = &exchange->res[0], *to = &exchange->res[1];
    return true;
}

static bool part_loop(Partition *p, Op *loop, const Touched *t, const Way *way) {
    Builder b = builder_before(loop);
    Value *from, *to, *extent = op_opnd(loop, way->axis), *iv = loop->regs[0]->args[way->axis];
    if (!hand_out(p, loop, t, way, extent, work_of(&b, loop), &from, &to)) return false;
    b = builder_before(loop);
    op_set_opnd(loop, way->axis, index_sub(&b, to, from));
    Builder in = builder_before(loop->regs[0]->first);
    Value *global = build_binary(&in, OP_ADD, iv, from);
    global->name = iv->name;
    for (Use *u = iv->uses, *next; u; u = next) {
        next = u->next;
        if (u->user != global->def) op_set_opnd(u->user, u->index, global);
    }
    return true;
}

/* ---- one process does it: where it writes, at rows that no index moves */

static bool find_place(Partition *p, Builder *b, Op *loop, const Touched *t, Way *way) {
    for (int i = 0; i < t->all.len; i++) {
        const Access *x = &t->all.data[i];
        if (!x->writes) continue;
        for (int k = 0; k < loop->nopnds; k++)
            if (value_depends(row_index(x), loop->regs[0]->args[k])) return false;
        RowsAsk ask = rows_ask(b, loop, x->access, p->ranges);
        RowsList l = rows_of(&ask, row_index(x));
        if (l.n != 1) return false;
        if (!way->home) *way = (Way){.home = x->buf, .scale = 1, .offset = l.v[0].lo};
    }
    return way->home != NULL;
}

static bool leave_to_one(Partition *p, Op *loop, const Touched *t) {
    Builder b = builder_before(loop), in;
    Way way = {0};
    Value *from, *to;
    if (!find_place(p, &b, loop, t, &way)) return false;
    if (!hand_out(p, loop, t, &way, build_int(&b, 1), build_int(&b, 0), &from, &to)) return false;
    b = builder_before(loop);
    build_when(&b, build_binary(&b, OP_LT, from, to), &in);
    op_move_before(loop, in.before);
    return true;
}

/* ---- statements of an island */

static bool do_parallel(Partition *p, Op *loop, Touched *t) {
    if (t->by_all || op_loop(loop) == LOOP_THREAD) return false;
    Way way;
    for (int axis = 0; axis < loop->nopnds; axis++) {
        Builder b = builder_before(loop);
        p->everywhere = NULL;
        if (!find_way(p, &b, loop, t, axis, &way) || !part_loop(p, loop, t, &way)) continue;
        tell(p, loop, p->everywhere ? "parted by rows of %s; each process gets all of %s" : "parted by rows of %s",
             name_of(way.home), p->everywhere);
        return true;
    }
    if (!leave_to_one(p, loop, t)) return false;
    tell(p, loop, "done by one process, where it writes");
    return true;
}

/* Loops that others stand in are theirs to part. */
static void find_parallel(void *ctx, Op *op) {
    int64_t n;
    bool small = op->nopnds == 1 && value_const_int(op_opnd(op, 0), &n) && n <= 64;
    *(bool *)ctx |= op->code == OP_PARALLEL && !op_flag(op, A_SERIAL) && !small;
}

static bool holds_parallel(const Op *op) {
    bool found = false;
    for (int i = 0; i < op->nregs; i++) region_walk(op->regs[i], find_parallel, &found);
    return found;
}

static void do_statements(Partition *p, Region *r);

static void do_statement(Partition *p, Op *op) {
    if (op->code != OP_PARALLEL && op->nregs && op->code != OP_SPAWN && holds_parallel(op)) {
        for (int i = 0; i < op->nregs; i++) do_statements(p, op->regs[i]);
        return;
    }
    Touched t = touched_by(p, op);
    if (!t.all.len) return;
    p->ranges = ranges_new(p->module->session);
    bool parallel = op->code == OP_PARALLEL;
    if (!parallel || !do_parallel(p, op, &t)) {
        bool in_order = !parallel || op_flag(op, A_SERIAL);
        if (in_order) t.by_all = "it runs in order";
        if (!t.by_all) t.by_all = "two processes might write one row";
        if (op->nregs) tell(p, op, "done by all processes: %s", t.by_all);
        gather(p, op, &t);
    }
    ranges_free(p->ranges);
}

static void do_statements(Partition *p, Region *r) {
    for (Op *o = r->first, *next; o; o = next) {
        next = o->next;
        do_statement(p, o);
    }
}

/* ---- at function level */

static bool moves_in(const Op *loop, const Op *extract) {
    for (int i = 1; i < extract->nopnds; i++)
        if (op_encloses(loop, op_opnd(extract, i))) return true;
    return false;
}

/* The outermost loop in which the array stays and the element moves, or NULL */
static Op *loop_over_elements(const Op *extract) {
    Op *found = NULL;
    for (Op *o = extract->parent->owner; o && !op_encloses(o, op_opnd(extract, 0)); o = o->parent->owner)
        if ((o->code == OP_FOR || o->code == OP_WHILE) && moves_in(o, extract)) found = o;
    return found;
}

/* All get what a loop in order reads element by element, before it. */
static void do_elements(Partition *p, Op *extract) {
    Op *loop = loop_over_elements(extract);
    Value *array = op_opnd(extract, 0);
    for (const Op *o = loop ? loop->prev : NULL; o && (o->code == OP_ALLGATHER || op_is_pure(o)); o = o->prev)
        if (o->code == OP_ALLGATHER && op_opnd(o, 0) == array) return;
    if (!loop) return;
    Builder b = builder_before(loop);
    Value *zero = build_int(&b, 0), *rows = build_size(&b, array->type->dims[0]);
    tell(p, loop, "each process gets all of %s", array->name ? array->name : "an array");
    build_rows(&b, OP_ALLGATHER, array, NULL, zero, rows);
}

/* What looks at whole arrays, or single elements, gets them where C is written (codegen/c/ranks.c). */
static void do_op(void *ctx, Op *op) {
    if (op->code == OP_ISLAND) do_statements(ctx, op->regs[0]);
    if (op->code == OP_EXTRACT && op->nopnds > 1) do_elements(ctx, op);
}

void pass_partition(Module *m, const PassOptions *opts) {
    if (!opts->ranks) return;
    Partition p = {.module = m, .scratch = arena_new(), .explain = opts->explain_ranks};
    Map inside = ranks_called_inside(p.scratch, m);
    for (int i = 0; i < m->funcs.len; i++) {
        Func *f = m->funcs.data[i];
        if (f->kind == FUNC_EXTERN || map_has(&inside, f)) continue;
        region_walk(f->body, do_op, &p);
        ranks_merge(f);
    }
    arena_free(p.scratch);
}
