/* What the proofs say of threads, arrays and values. */
#ifndef DSL_PROOF_WORDS_H
#define DSL_PROOF_WORDS_H

#include "analysis/depend_private.h"

#include <isl/set.h>

const char *array_name(const Value *buf);
/* "thread 3 of block 0", "iteration i = 4": iv of the parallels around op */
const char *say_who(Arena *arena, const Op *op, const int64_t *iv);
/* "n = 4, m = 2" */
const char *say_values(Arena *arena, const Witness *w);
/* "atomic a[0] += x[i]", where x and y are an update without `atomic` and what it reads, or two updates; else NULL */
const char *say_update(Session *s, const Op *x, const Op *y);
const char *say_why(Arena *arena, const Verdict *v);
/* "with n = 65 no thread writes y[64] to y[70]": the least values of what is not constant, and of these the first and
 * last element; not of an empty set */
const char *say_elements(Session *s, isl_set *missed, const char *name);
/* Whether elements are missed: some, and not only for particular sizes where an assert on the way to the launch says of
 * sizes more than that they are large enough, so that they may be other than any.  missed: may be NULL, unknown */
bool proof_is_missed(isl_set *missed, const Op *island);

/* Never, or when the condition of an `if` holds, or does not; NULL: whenever the function is called */
typedef struct { bool never; const Op *condition; bool holds; } When;
When proof_when(Arena *arena, const Module *m, const Func *f, const Op *op);

#endif
