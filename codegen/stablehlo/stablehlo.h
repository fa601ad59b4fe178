/* Programs as StableHLO, for XLA: exported functions of arrays of known sizes (docs/stablehlo.md). */
#ifndef DSL_STABLEHLO_H
#define DSL_STABLEHLO_H

#include "codegen/codegen.h"

typedef struct {
    int nsizes, nfunctions;
    const char *const *sizes;     /* "n=1000": a size of parameters, or a parameter that is an int */
    const char *const *functions; /* of those that are exported, these alone; none: all; "f:s": parted at parameter s */
    bool unchecked;               /* without a result that says which check failed */
    bool fast;                    /* products of matrices as exact as is fast, not as the type is */
} StablehloOptions;

/* Adds the module of m, at stage par, to out: its exported functions; if there are none, main, whose results are what
 * it prints.  False: reported, as what StableHLO cannot say, or as a size or function that there is not. */
bool emit_stablehlo(Text *out, Module *m, const StablehloOptions *how);

#endif
