/* Loads of a kernel before divisions and roots.  ptxas makes a branch of each of them, for the numbers that want more
 * work, and moves no load across: the loads between would be waited for one after the other.  So what a block of code
 * reads comes before its first division, as far as its place is known there and nothing that is written between may be
 * there: then all is on its way together.  No bit changes. */
#include "codegen/llvm/private.h"

#include <string.h>

enum { MOST_LOADS = 20, MOST_WRITES = 8 }; /* of a block: they want registers */

/* A block from its first division on, as far as it was looked at.  behind: what is computed there, FIXED, or FLOATING
 * where it could stand before the division.  written: of which memory (memory_of), or anything */
enum { FIXED = 1, FLOATING = 2 };
typedef struct {
    Arena *arena;
    LLVMBuilderRef before; /* the division */
    Map behind;
    int loads, nwritten;
    LLVMValueRef written[MOST_WRITES];
    bool anything;
} Block;

/* ---- what instructions are */

static bool calls(LLVMValueRef i, const char *part) {
    size_t n;
    LLVMValueRef fn = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return fn && LLVMIsAFunction(fn) && strstr(LLVMGetValueName2(fn, &n), part);
}

static bool is_division(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFDiv: case LLVMFRem: return true;
    case LLVMCall:
        return calls(i, "llvm.sqrt") || calls(i, "llvm.nvvm.sqrt") || calls(i, "llvm.nvvm.div") ||
               calls(i, DEVICE_QUOTIENT);
    default: return false;
    }
}

/* Computes a place, and nothing else */
static bool is_of_places(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr: case LLVMAddrSpaceCast: case LLVMBitCast: case LLVMAdd: case LLVMSub: case LLVMMul:
    case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor: case LLVMZExt: case LLVMSExt:
    case LLVMTrunc: case LLVMICmp: case LLVMSelect: return true;
    default: return false;
    }
}

static bool is_shift(LLVMValueRef p) {
    if (LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p)) return true;
    if (!LLVMIsAConstantExpr(p)) return false;
    LLVMOpcode op = LLVMGetConstOpcode(p);
    return op == LLVMGetElementPtr || op == LLVMAddrSpaceCast;
}

/* What p is a place of: an argument of the kernel, memory of the block; NULL: of either */
static LLVMValueRef memory_of(LLVMValueRef p) {
    while (is_shift(p)) p = LLVMGetOperand(p, 0);
    return LLVMIsAArgument(p) || LLVMIsAGlobalVariable(p) ? p : NULL;
}

static bool has_attribute(LLVMValueRef argument, const char *name) {
    if (!LLVMIsAArgument(argument)) return false;
    LLVMValueRef fn = LLVMGetParamParent(argument);
    unsigned i = 0;
    while (LLVMGetParam(fn, i) != argument) i++;
    return LLVMGetEnumAttributeAtIndex(fn, i + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* Reads and writes no memory, and meets nobody */
static bool is_arithmetic(LLVMValueRef i) {
    static const char *const pure[] = {"llvm.fabs", "llvm.fma", "llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"};
    if (is_division(i) || is_of_places(i) || LLVMIsABinaryOperator(i) || LLVMIsAUnaryOperator(i)) return true;
    if (LLVMIsACastInst(i) || LLVMIsACmpInst(i)) return true;
    for (size_t k = 0; k < sizeof pure / sizeof *pure; k++)
        if (calls(i, pure[k])) return true;
    return false;
}

/* ---- what is written between the division and a load */

static void note_write(Block *b, LLVMValueRef i) {
    LLVMValueRef to = LLVMIsAStoreInst(i) ? memory_of(LLVMGetOperand(i, 1)) : NULL;
    if (LLVMIsALoadInst(i) || is_arithmetic(i)) return;
    if (to && b->nwritten < MOST_WRITES) b->written[b->nwritten++] = to;
    else b->anything = true;
}

/* Of two arrays the kernel says that one is nobody else's. */
static bool may_be_one(LLVMValueRef x, LLVMValueRef y) {
    if (x == y) return true;
    if (!LLVMIsAArgument(x) || !LLVMIsAArgument(y)) return false;
    return !has_attribute(x, "noalias") && !has_attribute(y, "noalias");
}

static bool may_be_written(const Block *b, LLVMValueRef p) {
    LLVMValueRef of = memory_of(p);
    for (int i = 0; i < b->nwritten; i++)
        if (!of || may_be_one(of, b->written[i])) return true;
    return b->anything;
}

/* ---- what moves */

static intptr_t place_of(const Block *b, LLVMValueRef x) { return (intptr_t)map_get(&b->behind, x); }

static bool operands_float(const Block *b, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (place_of(b, LLVMGetOperand(i, (unsigned)k)) == FIXED) return false;
    return true;
}

/* Before the division, and before it what it is computed of */
static void move(Block *b, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (place_of(b, LLVMGetOperand(i, (unsigned)k))) move(b, LLVMGetOperand(i, (unsigned)k));
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(b->before, i);
    map_put(b->arena, &b->behind, i, NULL);
}

static bool may_move(const Block *b, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) return false;
    LLVMValueRef of = memory_of(LLVMGetOperand(i, 0));
    if (!of || !LLVMIsAArgument(of)) return false; /* shared memory and the thread's own are near */
    return b->loads < MOST_LOADS && operands_float(b, i) && !may_be_written(b, LLVMGetOperand(i, 0));
}

static void from_division_on(Block *b, LLVMValueRef division) {
    LLVMPositionBuilderBefore(b->before, division);
    for (LLVMValueRef i = division, next; i && !LLVMIsATerminatorInst(i); i = next) {
        next = LLVMGetNextInstruction(i);
        note_write(b, i);
        if (may_move(b, i)) {
            move(b, i);
            b->loads++;
        } else {
            intptr_t place = is_of_places(i) && operands_float(b, i) ? FLOATING : FIXED;
            map_put(b->arena, &b->behind, i, (void *)place);
        }
    }
}

static void in_block(Arena *a, LLVMBuilderRef builder, LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && !is_division(i)) i = LLVMGetNextInstruction(i);
    Block b = {.arena = a, .before = builder};
    if (i) from_division_on(&b, i);
}

void llvm_loads_first(LLVMModuleRef m) {
    Arena *a = arena_new();
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) in_block(a, builder, b);
    LLVMDisposeBuilder(builder);
    arena_free(a);
}
