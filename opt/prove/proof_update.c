/* What is written as an update, a[k] += x, or comes to the same, a[k] = max(a[k], x), in the words of `atomic`. */
#include "opt/prove/proof_words.h"

#include <string.h>

enum { LONGEST = 60 };

/* Its sign; NULL: there is no such update of this type */
static const char *sign_of(const Op *value, DType t) {
    bool number = t != DT_BOOL, whole = dtype_is_int(t);
    switch (value->code) {
    case OP_ADD: return number ? "+=" : NULL;
    case OP_SUB: return number ? "-=" : NULL;
    case OP_MIN: return number ? "min=" : NULL;
    case OP_MAX: return number ? "max=" : NULL;
    case OP_MUL: return whole ? "*=" : NULL;
    case OP_AND: return whole ? "&=" : NULL;
    case OP_OR: return whole ? "|=" : NULL;
    case OP_XOR: return whole || t == DT_BOOL ? "xor=" : NULL;
    default: return NULL;
    }
}

static const Op *read_of(const Op *store, const Op *value, int i) {
    const Op *load = op_opnd(value, i)->def;
    return load && load->code == OP_LOAD && op_same_element(load, store) ? load : NULL;
}

/* The load that the store updates; NULL: it is no update */
static const Op *updated(const Op *store) {
    const Op *value = store->code == OP_STORE ? op_opnd(store, 0)->def : NULL;
    if (!value || value->nopnds != 2 || !sign_of(value, op_opnd(store, 0)->type->dtype)) return NULL;
    const Op *load = read_of(store, value, 0);
    return load || value->code == OP_SUB ? load : read_of(store, value, 1);
}

static const char *text_at(Session *s, Span at) {
    const char *text = at.file >= 0 && at.hi > at.lo ? source_copy(s, at) : "";
    return strlen(text) <= LONGEST && !strchr(text, '\n') ? text : "";
}

/* What is written for v, a part of a statement; else what stands for anything */
static const char *part_text(Session *s, const Value *v, Span statement, const char *anything) {
    Span at = v->def ? v->def->span : statement;
    bool apart = at.file == statement.file && at.lo >= statement.lo && at.hi <= statement.hi &&
                 at.hi - at.lo < statement.hi - statement.lo;
    const char *text = apart ? text_at(s, at) : "";
    return *text ? text : anything;
}

const char *say_update(Session *s, const Op *x, const Op *y) {
    const Op *store = updated(x) ? x : y, *load = updated(store);
    const Op *other = store == x ? y : x;
    if (!load || (other != load && (other->code != OP_STORE || !updated(other)))) return NULL;
    const Op *value = op_opnd(store, 0)->def;
    const char *sign = sign_of(value, op_opnd(store, 0)->type->dtype), *all = text_at(s, store->span);
    if (strstr(all, sign)) return intern_printf(s, "atomic %s", all);
    return intern_printf(s, "atomic %s %s %s", part_text(s, &load->res[0], store->span, "a[i]"), sign,
                         part_text(s, op_opnd(value, op_opnd(value, 0)->def == load), store->span, "..."));
}
