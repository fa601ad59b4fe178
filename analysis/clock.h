/* time() parts what is written before it from what is written behind it: what costs anything stays on its side, so that
 * the difference of two times is what the program did between them. */
#ifndef DSL_CLOCK_H
#define DSL_CLOCK_H

#include "ir/ir.h"

/* The operation, what it holds, or what it calls reads the clock. */
bool clock_is_read(const Op *op);
/* Done where `at` stands instead of where it stands, op would come to another side of the clock, or would be done again
 * in each turn of a loop that reads it; op dominates it. */
bool clock_between(const Op *op, const Op *at);
/* A scalar that costs too little to be seen by any clock */
bool clock_overlooks(const Op *op);
/* f is called between islands, maybe between two times: C compilers and LLVM, too, must not take it for a function that
 * only computes, which they would call when they like, or once for two calls. */
bool clock_may_part(const Func *f);

#endif
