/* What LLVM is told of loops: that iterations are independent, so that it need not prove it; that few of them are
 * better written out. */
#include "codegen/llvm/private.h"

#include <llvm-c/IRReader.h>
#include <string.h>

unsigned gen_metadata_kind(Gen *g, const char *name) {
    return LLVMGetMDKindIDInContext(g->ctx, name, (unsigned)strlen(name));
}

/* Only the reader of IR can make a node that is distinct and empty. */
LLVMValueRef gen_access_group(Gen *g) {
    static const char text[] = "!group = !{!0}\n!0 = distinct !{}\n";
    LLVMModuleRef m;
    LLVMValueRef group;
    char *failure;
    if (LLVMParseIRInContext(g->ctx, LLVMCreateMemoryBufferWithMemoryRangeCopy(text, sizeof text - 1, "group"), &m,
                             &failure))
        bug("LLVM: %s", failure);
    LLVMGetNamedMetadataOperands(m, "group", &group);
    LLVMDisposeModule(m);
    return group;
}

static LLVMMetadataRef property(Gen *g, const char *name, LLVMMetadataRef value) {
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(g->ctx, name, strlen(name)), value};
    return LLVMMDNodeInContext2(g->ctx, parts, value ? 2 : 1);
}

static LLVMMetadataRef truth(Gen *g) { return LLVMValueAsMetadata(LLVMConstInt(g->i1, 1, false)); }

/* A loop's node names itself first, which makes it one of its own. */
static LLVMValueRef loop_node(Gen *g, int n, const LLVMMetadataRef *properties) {
    LLVMMetadataRef parts[5] = {LLVMMDStringInContext2(g->ctx, "", 0)};
    memcpy(parts + 1, properties, (size_t)n * sizeof *properties);
    LLVMMetadataRef node = LLVMMDNodeInContext2(g->ctx, parts, (size_t)n + 1);
    LLVMValueRef value = LLVMMetadataAsValue(g->ctx, node);
    LLVMReplaceMDNodeOperandWith(value, 0, node);
    return value;
}

static LLVMValueRef latch_of(LLVMBasicBlockRef header) {
    LLVMValueRef phi = LLVMGetFirstInstruction(header);
    return LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, LLVMCountIncoming(phi) - 1));
}

/* Vectors first: LLVM writes short loops out before it looks for vectors, and does not find them then.  What is left of
 * the loop, in vectors and beside them, it may write out. */
static int vectors_first(Gen *g, LLVMMetadataRef *properties) {
    LLVMMetadataRef done = property(g, "llvm.loop.isvectorized", LLVMValueAsMetadata(const_i32(g, 1)));
    properties[0] = property(g, "llvm.loop.vectorize.enable", truth(g));
    properties[1] = property(g, "llvm.loop.unroll.disable", NULL);
    properties[2] = property(g, "llvm.loop.vectorize.followup_all", done);
    return 3;
}

void gen_loop_lanes(Gen *g, LLVMBasicBlockRef header) {
    LLVMMetadataRef properties[4];
    int n = vectors_first(g, properties);
    LLVMSetMetadata(latch_of(header), gen_metadata_kind(g, "llvm.loop"), loop_node(g, n, properties));
}

void gen_loop_stays(Gen *g, LLVMBasicBlockRef header) {
    LLVMMetadataRef property_of = property(g, "llvm.loop.unroll.disable", NULL);
    LLVMSetMetadata(latch_of(header), gen_metadata_kind(g, "llvm.loop"), loop_node(g, 1, &property_of));
}

/* So many turns become one, whose loads are on their way together. */
void gen_loop_unrolled(Gen *g, LLVMBasicBlockRef header, int turns) {
    LLVMMetadataRef property_of = property(g, "llvm.loop.unroll.count", LLVMValueAsMetadata(const_i32(g, turns)));
    LLVMSetMetadata(latch_of(header), gen_metadata_kind(g, "llvm.loop"), loop_node(g, 1, &property_of));
}

void gen_loop_hint(Gen *g, LLVMBasicBlockRef header, const LoopPlan *p, LLVMValueRef group) {
    LLVMMetadataRef properties[4];
    int n = 1;
    if (p->unroll) properties[0] = property(g, "llvm.loop.unroll.full", NULL);
    else n = vectors_first(g, properties);
    properties[n++] = property(g, "llvm.loop.parallel_accesses", LLVMValueAsMetadata(group));
    LLVMSetMetadata(latch_of(header), gen_metadata_kind(g, "llvm.loop"), loop_node(g, n, properties));
}
