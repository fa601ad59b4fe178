/* The tables of operations and attributes, made from ops.def and attrs.def. */
#include "ir/ir.h"

#include <string.h>

const OpInfo op_table[OP_COUNT] = {
#define OP(id, mnemonic, levels, operands, results, regions, traits, attrs, ctemplate, llvm, ad, cost, doc) \
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

bool attr_find(const char *name, AttrId *out) {
    for (int i = 0; i < ATTR_COUNT; i++)
        if (same(attr_table[i].name, name)) {
            *out = (AttrId)i;
            return true;
        }
    return false;
}
