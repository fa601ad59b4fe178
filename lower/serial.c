/* Serial loops at function level over tensors: one island instead of an operation per element.
 *
 * A for or while whose carried tensors are only read and written element by element, or in short rows, each version of
 * a tensor being dead once the next one exists, is a loop over memory: each carried tensor becomes one buffer (a "line"
 * of values: initial value, argument, inserts and updates, yield, result), extract a load, insert a store, an update a
 * loop over its part.  What is read as it was before the loop is another buffer.  First the loop is checked, then
 * rewritten; carried scalars that are needed afterwards come out in tensors of one element. */
#include "lower/lower.h"

#include <string.h>

enum { SHORT = 64 }; /* elements of a part, or of a reduction, that are not worth a loop of threads */

typedef struct {
    Module *module;
    Arena *arena;
    Map line;               /* value -> 1 + its line */
    VEC(Value *) now;       /* by line: the version that holds */
    Op *loop;
    Region *outer;          /* where the loop stands */
    Cloner clone;
    Value **bufs;           /* by line */
} Lines;

/* ---- checking */

static bool check_region(Lines *l, const Region *r);

static int line_of(const Lines *l, const Value *v) { return (int)(intptr_t)map_get(&l->line, v) - 1; }
static void set_line(Lines *l, const Value *v, int line) {
    map_put(l->arena, &l->line, v, (void *)(intptr_t)(line + 1));
}

/* v becomes the version that holds. */
static void advance(Lines *l, Value *v, int line) {
    set_line(l, v, line);
    l->now.data[line] = v;
}

static bool is_current(const Lines *l, const Value *v) {
    int line = line_of(l, v);
    return line >= 0 && l->now.data[line] == v;
}

/* From before the loop: read only */
static bool from_outside(const Lines *l, const Value *v) { return !op_encloses(l->loop, v); }

/* The k-th tensor that the region yields must be the version that holds of the given line. */
static bool yields_lines(const Lines *l, const Region *r, int from, const Value *vars, int n, const int *lines) {
    const Op *term = region_term(r);
    for (int i = 0; i < n; i++) {
        if (!type_is_tensor(vars[i].type)) continue;
        const Value *v = op_opnd(term, i + from);
        if (line_of(l, v) != lines[i] || !is_current(l, v)) return false;
    }
    return true;
}

/* Lines of a loop's carried tensors, each at its present version; -1 for scalars. False when two share one. */
static bool carried_lines(Lines *l, const Op *op, int skip, int *lines) {
    for (int i = 0; i < op->nres; i++) {
        lines[i] = -1;
        if (!type_is_tensor(op->res[i].type)) continue;
        if (!is_current(l, op_opnd(op, i + skip))) return false;
        lines[i] = line_of(l, op_opnd(op, i + skip));
        for (int k = 0; k < i; k++)
            if (lines[k] == lines[i]) return false;
    }
    return true;
}

static void advance_all(Lines *l, Value *const *vars, int n, const int *lines) {
    for (int i = 0; i < n; i++)
        if (lines[i] >= 0) advance(l, vars[i], lines[i]);
}

static Value **result_list(const Lines *l, const Op *op) {
    Value **v = NEWN(l->arena, Value *, op->nres);
    for (int i = 0; i < op->nres; i++) v[i] = (Value *)&op->res[i];
    return v;
}

static bool check_for(Lines *l, const Op *op) {
    int *lines = NEWN(l->arena, int, op->nres);
    if (op_flag(op, A_PROGRESS) || !carried_lines(l, op, 3, lines)) return false;
    advance_all(l, op->regs[0]->args + 1, op->nres, lines);
    if (!check_region(l, op->regs[0]) || !yields_lines(l, op->regs[0], 0, op->res, op->nres, lines)) return false;
    advance_all(l, result_list(l, op), op->nres, lines);
    return true;
}

static bool check_while(Lines *l, const Op *op) {
    int *lines = NEWN(l->arena, int, op->nres);
    if (!carried_lines(l, op, 0, lines)) return false;
    advance_all(l, op->regs[0]->args, op->nres, lines);
    if (!check_region(l, op->regs[0])) return false;
    for (int i = 0; i < op->nres; i++)
        if (lines[i] >= 0 && !is_current(l, op->regs[0]->args[i])) return false;
    advance_all(l, op->regs[1]->args, op->nres, lines);
    if (!check_region(l, op->regs[1]) || !yields_lines(l, op->regs[1], 0, op->res, op->nres, lines)) return false;
    advance_all(l, result_list(l, op), op->nres, lines);
    return true;
}

static bool check_if(Lines *l, const Op *op) {
    int n = l->now.len, *lines = NEWN(l->arena, int, op->nres);
    Value **before = NEWN(l->arena, Value *, n);
    memcpy(before, l->now.data, sizeof *before * (size_t)n);
    for (int k = 0; k < 2; k++) {
        memcpy(l->now.data, before, sizeof *before * (size_t)n);
        if (!check_region(l, op->regs[k])) return false;
        const Op *term = region_term(op->regs[k]);
        for (int i = 0; i < op->nres && k == 0; i++)
            lines[i] = type_is_tensor(op->res[i].type) ? line_of(l, op_opnd(term, i)) : -1;
        if (!yields_lines(l, op->regs[k], 0, op->res, op->nres, lines)) return false;
        for (int i = 0; i < n; i++) {
            int found = l->now.data[i] == before[i];
            for (int j = 0; j < op->nres; j++) found += lines[j] == i;
            if (!found) return false; /* changed, but not handed on */
        }
    }
    for (int i = 0; i < op->nres; i++)
        for (int j = 0; j < i; j++)
            if (lines[i] >= 0 && lines[i] == lines[j]) return false;
    memcpy(l->now.data, before, sizeof *before * (size_t)n);
    advance_all(l, result_list(l, op), op->nres, lines);
    return true;
}

/* A long reduction is better done in parallel, by itself: only those that change from turn to turn, or are short. */
static bool check_reduce(Lines *l, const Op *op) {
    int64_t c;
    bool varies = false;
    for (int i = 0; i < op->regs[0]->nargs; i++) {
        const Value *e = op_opnd(op, i);
        if (!from_outside(l, e) && !value_is_fixed(e)) varies = true;
        else if (value_const_int(e, &c) && c <= SHORT) continue;
        else if (!varies) return false;
    }
    for (int i = 0; i < op->nregs; i++)
        if (!check_region(l, op->regs[i])) return false;
    return true;
}

/* An element of a tensor, or that as another type */
static bool is_element(const Value *v) {
    while (v->def && v->def->code == OP_CAST) v = op_opnd(v->def, 0);
    return v->def && v->def->code == OP_EXTRACT;
}

/* Few elements, or the row that data name, as in a[label[i]] += b[i]: no other turn can do it at the same time. */
static bool is_short_part(const Op *update) {
    const Type *t = op_opnd(update, 1)->type;
    int64_t n, all = 1;
    for (int i = 0; i < t->rank; i++) all *= size_is_const(t->dims[i], &n) && n <= SHORT ? n : SHORT + 1;
    if (all <= SHORT) return true;
    for (int i = 2; i < update->nopnds; i++)
        if (is_element(op_opnd(update, i))) return true;
    return false;
}

static Op *part_of(const Op *update) { return is_short_part(update) ? update_own_part(update) : NULL; }

/* Its elements are computed where the update stands. */
static bool check_part(const Op *g) {
    const Use *u = g->nres == 1 ? g->res[0].uses : NULL;
    return u && u->user->code == OP_UPDATE && part_of(u->user) == g;
}

static bool check_update(Lines *l, Op *op) {
    const Op *part = part_of(op);
    if (!part || !is_current(l, op_opnd(op, 0)) || !check_region(l, part->regs[0])) return false;
    advance(l, &op->res[0], line_of(l, op_opnd(op, 0)));
    return true;
}

static bool check_op(Lines *l, Op *op) {
    switch (op->code) {
    case OP_GENERATE: return check_part(op);
    case OP_UPDATE: return check_update(l, op);
    case OP_EXTRACT:
        return is_current(l, op_opnd(op, 0)) || from_outside(l, op_opnd(op, 0));
    case OP_INSERT:
        if (!is_current(l, op_opnd(op, 0))) return false;
        advance(l, &op->res[0], line_of(l, op_opnd(op, 0)));
        return true;
    case OP_FOR: return check_for(l, op);
    case OP_WHILE: return check_while(l, op);
    case OP_IF: return check_if(l, op);
    case OP_REDUCE: return check_reduce(l, op);
    case OP_YIELD: return true;
    default: break;
    }
    if (!(op_info(op->code)->levels & LV_ISLAND) || op->nregs) return false;
    for (int i = 0; i < op->nopnds; i++)
        if (type_is_tensor(op_opnd(op, i)->type)) return false;
    for (int i = 0; i < op->nres; i++)
        if (type_is_tensor(op->res[i].type)) return false;
    return true;
}

static bool check_region(Lines *l, const Region *r) {
    for (Op *o = r->first; o; o = o->next)
        if (!check_op(l, o)) return false;
    return true;
}

/* ---- rewriting: lines go, scalars stay */

static void emit_region(Lines *l, Builder *b, const Region *r);

static Value *mapped(Lines *l, Value *v) { return clone_value(&l->clone, v); }

/* vars, news: of a line its buffer, of a scalar the next of news */
static void map_vars(Lines *l, Value *const *vars, int n, Value *const *news) {
    for (int i = 0, k = 0; i < n; i++) {
        int line = line_of(l, vars[i]);
        if (line < 0 && vars[i]->name) news[k]->name = vars[i]->name;
        map_put(l->arena, &l->clone.values, vars[i], line >= 0 ? l->bufs[line] : news[k++]);
    }
}

static int scalar_operands(Lines *l, const Op *op, int from, Value **out) {
    int n = 0;
    for (int i = from; i < op->nopnds; i++)
        if (!type_is_tensor(op_opnd(op, i)->type)) out[n++] = mapped(l, op_opnd(op, i));
    return n;
}

static int scalar_types(const Op *op, const Type **out) {
    int n = 0;
    for (int i = 0; i < op->nres; i++)
        if (!type_is_tensor(op->res[i].type)) out[n++] = op->res[i].type;
    return n;
}

static void emit_into(Lines *l, Region *to, const Region *r) {
    Builder b = builder_at_end(l->module, to, r->owner->span);
    emit_region(l, &b, r);
    Value **v = NEWN(l->arena, Value *, region_term(r)->nopnds);
    int n = scalar_operands(l, region_term(r), 0, v);
    build_yield(&b, n, v);
}

static Op *emit_for(Lines *l, Builder *b, const Op *op) {
    Value **init = NEWN(l->arena, Value *, op->nopnds);
    int n = scalar_operands(l, op, 3, init);
    Op *to = build_for(b, mapped(l, op_opnd(op, 0)), mapped(l, op_opnd(op, 1)), mapped(l, op_opnd(op, 2)), n, init);
    to->regs[0]->args[0]->name = op->regs[0]->args[0]->name;
    map_put(l->arena, &l->clone.values, op->regs[0]->args[0], to->regs[0]->args[0]);
    map_vars(l, op->regs[0]->args + 1, op->nres, to->regs[0]->args + 1);
    emit_into(l, to->regs[0], op->regs[0]);
    return to;
}

static Op *emit_while(Lines *l, Builder *b, const Op *op) {
    Value **init = NEWN(l->arena, Value *, op->nopnds);
    const Type **types = NEWN(l->arena, const Type *, op->nres);
    int n = scalar_operands(l, op, 0, init);
    scalar_types(op, types);
    Op *to = build_op(b, OP_WHILE, n, init, n, types, 2);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) region_add_arg(to->regs[k], types[i], init[i]->name);
        map_vars(l, op->regs[k]->args, op->nres, to->regs[k]->args);
        emit_into(l, to->regs[k], op->regs[k]);
    }
    return to;
}

static Op *emit_if(Lines *l, Builder *b, const Op *op) {
    const Type **types = NEWN(l->arena, const Type *, op->nres);
    int n = scalar_types(op, types);
    Op *to = build_if(b, mapped(l, op_opnd(op, 0)), n, types);
    for (int k = 0; k < 2; k++) emit_into(l, to->regs[k], op->regs[k]);
    return to;
}

static void emit_insert(Lines *l, Builder *b, Op *op) {
    Value *idx[MAX_RANK], *buf = l->bufs[line_of(l, op_opnd(op, 0))];
    for (int i = 2; i < op->nopnds; i++) idx[i - 2] = mapped(l, op_opnd(op, i));
    Op *store = build_store(b, mapped(l, op_opnd(op, 1)), buf, op->nopnds - 2, idx);
    if (op_flag(op, A_SAFE)) op_set_flag(store, A_SAFE);
    map_put(l->arena, &l->clone.values, &op->res[0], buf);
}

static void emit_update(Lines *l, Builder *b, Op *op) {
    const Type *whole = op->res[0].type, *type = op_opnd(op, 1)->type;
    const Region *body = part_of(op)->regs[0];
    Value *start[MAX_RANK], *count[MAX_RANK], *at[MAX_RANK], *buf = l->bufs[line_of(l, op_opnd(op, 0))];
    Builder in;
    for (int i = 0; i < type->rank; i++) start[i] = mapped(l, op_opnd(op, i + 2));
    build_slice_check(b, op, whole, type, start, op_attr(op, A_STEPS)->ints);
    build_dims(b, type, count);
    Value **iv = build_plain_parallel(b, type->rank, count, &in)->regs[0]->args;
    for (int i = 0; i < type->rank; i++) {
        iv[i]->name = body->args[i]->name;
        map_put(l->arena, &l->clone.values, body->args[i], iv[i]);
        at[i] = index_add(&in, start[i], iv[i]);
    }
    emit_region(l, &in, body);
    store_safe(&in, mapped(l, op_opnd(region_term(body), 0)), buf, type->rank, at);
    map_put(l->arena, &l->clone.values, &op->res[0], buf);
}

static Op *emit_op(Lines *l, Builder *b, Op *op) {
    b->span = op->span;
    Op *to = NULL;
    switch (op->code) {
    case OP_GENERATE: return NULL; /* goes where it is written */
    case OP_UPDATE: emit_update(l, b, op); return NULL;
    case OP_INSERT: emit_insert(l, b, op); return NULL;
    case OP_FOR: to = emit_for(l, b, op); break;
    case OP_WHILE: to = emit_while(l, b, op); break;
    case OP_IF: to = emit_if(l, b, op); break;
    default: clone_op(&l->clone, b, op); return NULL;
    }
    map_vars(l, result_list(l, op), op->nres, result_list(l, to));
    return to;
}

static void emit_region(Lines *l, Builder *b, const Region *r) {
    for (Op *o = r->first; o != region_term(r); o = o->next) emit_op(l, b, o);
}

/* ---- the island */

static bool starts_lines(Lines *l, int skip) {
    Op *op = l->loop;
    bool any = false;
    for (int i = 0; i < op->nres; i++) {
        if (!type_is_tensor(op->res[i].type)) continue;
        Value *v = op_opnd(op, i + skip);
        if (line_of(l, v) >= 0) return false;
        set_line(l, v, l->now.len);
        vec_push(l->arena, &l->now, v);
        any = true;
    }
    return any;
}

static void rewrite(Lines *l, int skip) {
    Op *op = l->loop;
    Builder b = builder_before(op);
    Session *s = l->module->session;
    const Size *one = size_const(s, 1);
    int n = 0, lines = l->now.len;
    Value **outs = NEWN(l->arena, Value *, op->nres);
    int64_t *modes = NEWN(l->arena, int64_t, op->nres);
    for (int i = 0; i < op->nres; i++)
        if (type_is_tensor(op->res[i].type)) outs[n] = op_opnd(op, i + skip), modes[n++] = 2;
    for (int i = 0; i < op->nres; i++)
        if (!type_is_tensor(op->res[i].type) && !value_unused(&op->res[i]))
            outs[n] = build_empty(&b, type_tensor(s, op->res[i].type->dtype, 1, &one), op->res[i].name), modes[n++] = 1;
    Op *island = build_island(&b, n, outs, modes);
    l->bufs = NEWN(l->arena, Value *, n);
    memcpy(l->bufs, island->regs[0]->args, sizeof *l->bufs * (size_t)n);
    l->clone = (Cloner){.module = l->module};
    Builder in = builder_at_end(l->module, island->regs[0], op->span);
    emit_op(l, &in, op);
    Value *zero = build_int(&in, 0), *after_zero = NULL;
    for (int i = 0, k = lines, line = 0; i < op->nres; i++) {
        if (type_is_tensor(op->res[i].type)) {
            value_replace_all(&op->res[i], &island->res[line++]);
            continue;
        }
        if (value_unused(&op->res[i])) continue;
        store_safe(&in, mapped(l, &op->res[i]), l->bufs[k], 1, &zero);
        Builder after = builder_before(op);
        if (!after_zero) after_zero = build_int(&after, 0);
        Value *v = extract_safe(&after, &island->res[k++], 1, &after_zero);
        value_replace_all(&op->res[i], v);
    }
    island_finish(island, false);
    op_erase(op);
}

bool serial_to_island(Op *op) {
    int skip = op->code == OP_FOR ? 3 : 0;
    Arena *arena = arena_new();
    Lines l = {.module = op->parent->func->module, .arena = arena, .loop = op, .outer = op->parent};
    bool fits = starts_lines(&l, skip) && (op->code == OP_FOR ? check_for(&l, op) : check_while(&l, op));
    if (fits) rewrite(&l, skip);
    arena_free(arena);
    return fits;
}
