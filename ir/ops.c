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

bool attr_find(const char *name, AttrId *out) {
    for (int i = 0; i < ATTR_COUNT; i++)
        if (same(attr_table[i].name, name)) {
            *out = (AttrId)i;
            return true;
        }
    return false;
}
