/* What the proofs say of threads, arrays and values. */
#ifndef DSL_PROOF_WORDS_H
#define DSL_PROOF_WORDS_H

#include "ir/depend_private.h"

const char *array_name(const Value *buf);
bool loop_is(const Op *op, const char *kind);
/* "thread 3 of block 0", "iteration i = 4": iv of the parallels around op */
const char *say_who(Arena *arena, const Op *op, const int64_t *iv);
/* "n = 4, m = 2" */
const char *say_values(Arena *arena, const Witness *w);
const char *say_why(Arena *arena, const Verdict *v);

#endif
