/* The kinds of reductions, scans, atomic updates and loops: kinds.def. */
#include "ir/ir.h"

#include <math.h>
#include <string.h>

enum { IN_REDUCE = 1, IN_UPDATE = 2 };

static const CombineInfo combine_table[COMBINE_COUNT] = {
    [COMBINE_NONE] = {.word = "none", .op = OP_COUNT},
#define COMBINE(id, word, op, in, identity, sign) \
    [id] = {word, op, ((in) & IN_REDUCE) != 0, ((in) & IN_UPDATE) != 0, identity, sign},
#include "kinds.def"
#undef COMBINE
};

const CombineInfo *combine_info(Combine kind) { return &combine_table[kind]; }

bool combine_find(const char *word, Combine *out) {
    for (int i = COMBINE_NONE + 1; i < COMBINE_COUNT; i++)
        if (!strcmp(combine_table[i].word, word)) {
            *out = (Combine)i;
            return true;
        }
    return false;
}

const char *loop_word(LoopKind kind) {
    static const char *const words[LOOP_COUNT] = {
        [LOOP_NONE] = "none",
#define LOOP(id, word) [id] = word,
#include "kinds.def"
#undef LOOP
    };
    return words[kind];
}

bool loop_find(const char *word, LoopKind *out) {
    for (int i = LOOP_NONE + 1; i < LOOP_COUNT; i++)
        if (!strcmp(loop_word((LoopKind)i), word)) {
            *out = (LoopKind)i;
            return true;
        }
    return false;
}

static int64_t int_min(DType t) {
    bool is_unsigned = dtype_info(t)->kind == DK_UINT;
    return is_unsigned ? 0 : -(int64_t)(((uint64_t)1 << (8 * dtype_info(t)->bytes - 1)) - 1) - 1;
}

static int64_t int_max(DType t) {
    int bits = 8 * dtype_info(t)->bytes - (dtype_info(t)->kind == DK_INT);
    return (int64_t)(bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1);
}

Const combine_identity(Combine kind, DType t) {
    double x = combine_table[kind].identity;
    if (dtype_is_float(t)) return (Const){.dtype = t, .f = x};
    int64_t least = t == DT_BOOL ? 0 : int_min(t), most = t == DT_BOOL ? 1 : int_max(t);
    if (isinf(x)) return (Const){.dtype = t, .i = x > 0 ? most : least};
    return (Const){.dtype = t, .i = x == -1 && t == DT_BOOL ? 1 : (int64_t)x};
}

bool reduce_is_serial(const Op *op, int64_t *n) {
    enum { FEW = 4096 };
    int64_t c;
    *n = 1;
    for (int i = 0; i < op->regs[0]->nargs; i++) {
        if (!value_const_int(op_opnd(op, i), &c) || c > FEW) return false;
        *n *= c < 0 ? 0 : c;
        if (*n > FEW) return false;
    }
    return true;
}
