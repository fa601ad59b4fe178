/* Values on which the laws that a combining function must keep are tried. */
#ifndef DSL_COMBINE_SAMPLES_H
#define DSL_COMBINE_SAMPLES_H

#include "ir/ir.h"

enum { SAMPLE_TRIPLES = 24, SAMPLE_WORLDS = 3 };

/* The k-th kind of values, for elements of n scalars (SAMPLE_KINDS: there are no more) */
int sample_kinds(int n);
/* Element `which` (0, 1, 2) of a triple of that kind; types: of its n scalars */
void sample_element(int kind, int triple, int which, int n, const DType *types, Const *out);
/* A value that is not known before the program runs; false: there are none of the type */
bool sample_unknown(int world, DType t, Const *out);
/* "2.3", or "(2, 0.5, true)" of several */
void sample_print(Text *t, int n, const Const *x);

#endif
