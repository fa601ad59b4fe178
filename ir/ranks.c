/* Operations of processes (ranks.h). */
#include "ir/ranks.h"

Value *build_partition(Builder *b, Value *extent, Value *rows, int64_t scale, Value *offset, Value *work, int n,
                       Value *const *arrays) {
    Value **opnds = NEWN(b->module->arena, Value *, PART_ARRAYS + n);
    const Type *i64 = type_i64(b->module);
    opnds[0] = extent, opnds[1] = rows, opnds[2] = build_int(b, scale), opnds[3] = offset, opnds[4] = work;
    for (int i = 0; i < n; i++) opnds[PART_ARRAYS + i] = arrays[i];
    return &build_op(b, OP_PART, PART_ARRAYS + n, opnds, 1, &i64, 0)->res[0];
}

Op *build_over_processes(Builder *b, Value *n, Builder *in, Value **p, Op **share) {
    const Type *two[2] = {type_i64(b->module), type_i64(b->module)};
    Op *loop = build_for(b, build_int(b, 0), n, build_int(b, 1), 0, NULL);
    *in = builder_at_end(b->module, loop->regs[0], b->span);
    *p = loop->regs[0]->args[0];
    *share = build_op(in, OP_SHARE, 1, p, 2, two, 0);
    return loop;
}

void build_rows(Builder *b, OpCode code, Value *x, Value *p, Value *from, Value *to) {
    Value *opnds[4] = {x, p};
    int n = p ? 2 : 1;
    opnds[n] = from, opnds[n + 1] = to;
    build_op(b, code, n + 2, opnds, 0, NULL, 0);
}

Op *build_exchange(Builder *b, Value *extent, int n, Value *const *arrays) {
    Value **opnds = NEWN(b->module->arena, Value *, 1 + n);
    const Type *two[2] = {type_i64(b->module), type_i64(b->module)};
    opnds[0] = extent;
    for (int i = 0; i < n; i++) opnds[1 + i] = arrays[i];
    return build_op(b, OP_EXCHANGE, 1 + n, opnds, 2, two, 0);
}
