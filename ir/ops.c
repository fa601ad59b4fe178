/* The tables of operations and attributes, made from ops.def and attrs.def. */
#include "ir/ir.h"

#include <string.h>

const OpInfo op_table[OP_COUNT] = {
#define OP(id, mnemonic, levels, operands, results, regions, traits, attrs, rule, ctemplate, llvm, ad, cost, doc) \
    [id] = {#id, mnemonic, levels, operands, results, regions, traits, attrs, ctemplate, llvm, ad, cost, doc},
#include "ops.def"
#undef OP
};

const AttrInfo attr_table[ATTR_COUNT] = {
#define ATTR(id, name, type, doc) [id] = {name, type, doc},
#include "attrs.def"
#undef ATTR
};

/* Some hundred short names: comparing the first byte first is quick enough for a reader of test files. */
static bool same(const char *a, const char *b) { return a[0] == b[0] && !strcmp(a, b); }

bool opcode_find(const char *mnemonic, OpCode *out) {
    for (int i = 0; i < OP_COUNT; i++)
        if (same(op_table[i].mnemonic, mnemonic)) {
            *out = (OpCode)i;
            return true;
        }
    return false;
}

bool opcode_is_compare(OpCode c) {
    return c == OP_EQ || c == OP_NE || c == OP_LT || c == OP_LE || c == OP_GT || c == OP_GE;
}

OpCode opcode_mirrored(OpCode c) {
    switch (c) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return c;
    }
}

OpCode opcode_negated(OpCode c) {
    switch (c) {
    case OP_EQ: return OP_NE;
    case OP_NE: return OP_EQ;
    case OP_LT: return OP_GE;
    case OP_LE: return OP_GT;
    case OP_GT: return OP_LE;
    case OP_GE: return OP_LT;
    default: return c;
    }
}

static const char *const attr_types[] = {
    [AT_FLAG] = "flag",   [AT_COMBINE] = "combine", [AT_LOOP] = "loop", [AT_SYM] = "sym",     [AT_STR] = "str",
    [AT_CONST] = "const", [AT_CONSTS] = "consts",   [AT_INTS] = "ints", [AT_SIZES] = "sizes", [AT_FUNC] = "func",
};

static bool is_word(const char *at, size_t len, const char *word) {
    return strlen(word) == len && !memcmp(at, word, len);
}

bool attr_next(const char **spec, AttrId *out, bool *optional) {
    const char *name = *spec + strspn(*spec, " ");
    size_t len = strcspn(name, "?:"), all = strcspn(name, " ");
    if (!all) return false;
    *optional = name[len] == '?';
    const char *type = name + len + 1 + *optional;
    *spec = name + all;
    for (int i = 0; i < ATTR_COUNT; i++)
        if (is_word(name, len, attr_table[i].name) &&
            is_word(type, (size_t)(*spec - type), attr_types[attr_table[i].type])) {
            *out = (AttrId)i;
            return true;
        }
    bug("ops.def has an unknown attribute '%.*s'", (int)all, name);
}

bool opcode_takes(OpCode c, AttrId id) {
    AttrId found;
    bool optional;
    for (const char *spec = op_table[c].attrs; attr_next(&spec, &found, &optional);)
        if (found == id) return true;
    return false;
}

bool attr_find(const char *name, AttrId *out) {
    for (int i = 0; i < ATTR_COUNT; i++)
        if (same(attr_table[i].name, name)) {
            *out = (AttrId)i;
            return true;
        }
    return false;
}

const char *op_called(OpCode c) {
    const char *name = op_info(c)->mnemonic;
    switch (c) {
    case OP_CHOL_FACTOR: return "cholesky";
    case OP_LU_FACTOR: case OP_LU_PARTS: return "lu";
    case OP_LU_LOGDET: case OP_LU_SIGN: return "slogdet";
    default: return strncmp(name, "lu_", 3) ? name : name + 3;
    }
}
