/* Threads and values of a witness as the program names them; why nothing is known. */
#include "opt/prove/proof_words.h"

#include <isl/point.h>
#include <isl/val.h>

#include <string.h>

const char *array_name(const Value *buf) {
    const char *name = buf->name;
    if (!name && buf->def) name = op_sym(buf->def, A_NAME);
    return name ? name : "an array";
}

/* Coordinates as the program names them: x first */
static void say_index(Text *t, const Op *loop, const int64_t *iv) {
    int n = loop->nopnds;
    if (op_loop(loop) == LOOP_PLAIN) {
        for (int i = 0; i < n; i++) {
            const char *name = loop->regs[0]->args[i]->name;
            text_printf(t, "%s%s%s%lld", i ? ", " : "", name ? name : "", name ? " = " : "", (long long)iv[i]);
        }
        return;
    }
    text_printf(t, n > 1 ? "(" : "");
    for (int i = n - 1; i >= 0; i--) text_printf(t, "%lld%s", (long long)iv[i], i ? ", " : "");
    text_printf(t, n > 1 ? ")" : "");
}

/* "thread 3 of block 0", "iteration i = 4" */
const char *say_who(Arena *arena, const Op *op, const int64_t *iv) {
    Op *around[2 * MAX_RANK];
    int n = 0, at = 0;
    Text t;
    text_init(&t, arena);
    for (Op *o = op->parent->owner; o && n < 2 * MAX_RANK; o = o->parent->owner)
        if (o->code == OP_PARALLEL) around[n++] = o;
    for (int i = n - 1; i >= 0; i--) at += around[i]->nopnds;
    for (int i = 0; i < n; i++) {
        at -= around[i]->nopnds;
        text_printf(&t, "%s%s ", i ? " of " : "",
                    op_loop(around[i]) == LOOP_PLAIN ? "iteration" : loop_word(op_loop(around[i])));
        say_index(&t, around[i], iv + at);
    }
    return text_str(&t);
}

const char *say_values(Arena *arena, const Witness *w) {
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < w->nfree; i++)
        text_printf(&t, "%s%s = %lld", i ? ", " : "", w->free[i].name, (long long)w->free[i].value);
    return text_str(&t);
}

/* Ints of fewer bits, or without sign, that wrap: "u64(t) - 1", "i8(t)"; NULL: nothing of the kind */
static const char *say_conversion(Arena *arena, const Value *x) {
    const Op *op = x ? x->def : NULL;
    if (!op || op->code != OP_CAST || x->type->kind != TY_SCALAR) return NULL;
    const Value *from = op_opnd(op, 0);
    DType to = x->type->dtype, t = from->type->dtype;
    if (!dtype_is_int(to) || !dtype_is_int(t)) return NULL;
    const char *inside = say_conversion(arena, from);
    if (inside) return inside;
    if (to == DT_I64 && from->def && from->def->nopnds > 1)
        return arena_printf(arena, "arithmetic of %s can wrap around", dtype_info(t)->name);
    return arena_printf(arena, "the conversion to %s can wrap around", dtype_info(to)->name);
}

const char *say_why(Arena *arena, const Verdict *v) {
    const Value *x = v->why;
    const char *conversion = say_conversion(arena, x);
    if (conversion) return conversion;
    if (x && x->def && (x->def->code == OP_LOAD || x->def->code == OP_EXTRACT))
        return arena_printf(arena, "it depends on the elements of '%s'", array_name(op_opnd(x->def, 0)));
    if (x && !x->def && x->name && x->region->owner && x->region->owner->code == OP_WHILE)
        return strchr(x->name, '.')
                   ? "what a loop carries changes from one turn to the next"
                   : arena_printf(arena, "'%s', which a loop carries, changes from one turn to the next", x->name);
    if (x && !x->def && x->name)
        return arena_printf(arena, "'%s' changes from one turn of a loop to the next", x->name);
    if (x && x->name)
        return arena_printf(arena, "it depends on '%s', which is no sum of multiples of indices and sizes", x->name);
    if (v->data) return "it depends on values that are known only when the program runs";
    return v->product ? "sizes or indices that vary are multiplied" : "there are too many cases";
}

/* ---- elements that no thread writes */

static int64_t coordinate(isl_point *p, int i) {
    isl_val *v = isl_point_get_coordinate_val(p, isl_dim_set, i);
    int64_t n = isl_val_get_num_si(v);
    isl_val_free(v);
    return n;
}

static void add_element(Text *t, const char *name, isl_point *p, int from, int to) {
    text_printf(t, "%s[", name);
    for (int i = from; i < to; i++) text_printf(t, "%s%lld", i > from ? ", " : "", (long long)coordinate(p, i));
    text_printf(t, "]");
}

const char *say_elements(Session *s, isl_set *missed, const char *name) {
    Text t;
    text_init(&t, session_arena(s));
    int n = (int)isl_set_dim(missed, isl_dim_param), all = n + (int)isl_set_dim(missed, isl_dim_set);
    isl_set *flat = isl_set_move_dims(isl_set_copy(missed), isl_dim_set, 0, isl_dim_param, 0, (unsigned)n);
    isl_point *first = isl_set_sample_point(isl_set_lexmin(isl_set_copy(flat)));
    for (int i = 0, told = 0; i < n; i++) {
        const char *param = isl_set_get_dim_name(missed, isl_dim_param, (unsigned)i);
        if (param && param[0] != 'v')
            text_printf(&t, "%s%s = %lld", told++ ? ", " : "with ", param + 2, (long long)coordinate(first, i));
        flat = isl_set_fix_si(flat, isl_dim_set, (unsigned)i, (int)coordinate(first, i));
    }
    isl_point *last = isl_set_sample_point(isl_set_lexmax(flat));
    text_printf(&t, t.len ? " no thread writes " : "no thread writes ");
    add_element(&t, name, first, n, all);
    bool same = true;
    for (int i = n; i < all; i++) same &= coordinate(first, i) == coordinate(last, i);
    if (!same) text_printf(&t, " to "), add_element(&t, name, last, n, all);
    isl_point_free(first);
    isl_point_free(last);
    return text_str(&t);
}

/* ---- asserts */

enum { MAX_DEPTH = 24 };

/* Whether v is made of a size or another int that is known only when the program runs */
static bool is_of_sizes(const Value *v, int depth) {
    const Op *op = v->def;
    if (v->type->dtype != DT_I64) return false;
    if (!op || op->nregs || depth > MAX_DEPTH || op->code == OP_SIZE) return true;
    for (int i = 0; i < op->nopnds; i++)
        if (is_of_sizes(op_opnd(op, i), depth + 1)) return true;
    return op->code != OP_CONST && !op->nopnds;
}

/* Whether a condition says more of sizes than that they are large enough */
static bool says_of_sizes(const Value *v, int depth) {
    const Op *op = v->def;
    if (!op || depth > MAX_DEPTH) return true;
    switch (op->code) {
    case OP_CONST: case OP_NE: return false;
    case OP_EQ: return is_of_sizes(op_opnd(op, 0), 0) || is_of_sizes(op_opnd(op, 1), 0);
    case OP_LT: case OP_LE: return is_of_sizes(op_opnd(op, 0), 0);
    case OP_GT: case OP_GE: return is_of_sizes(op_opnd(op, 1), 0);
    case OP_AND: return says_of_sizes(op_opnd(op, 0), depth + 1) || says_of_sizes(op_opnd(op, 1), depth + 1);
    case OP_IF:
        for (int i = 0; i < 2; i++)
            if (says_of_sizes(op_opnd(region_term(op->regs[i]), v->index), depth + 1)) return true;
        return says_of_sizes(op_opnd(op, 0), depth + 1);
    default: return true;
    }
}

static bool asserts_before(const Op *op) {
    for (; op; op = op->parent->owner)
        for (const Op *o = op->prev; o; o = o->prev) {
            bool is_assert = o->code == OP_CHECK && op_sym(o, A_CODE) && !strcmp(op_sym(o, A_CODE), "E0640");
            if (is_assert && says_of_sizes(op_opnd(o, 0), 0)) return true;
        }
    return false;
}

bool proof_is_missed(isl_set *missed, const Op *island) {
    bool found = missed && isl_set_is_empty(missed) == isl_bool_false;
    return found && !(isl_set_dim(missed, isl_dim_param) > 0 && asserts_before(island));
}
