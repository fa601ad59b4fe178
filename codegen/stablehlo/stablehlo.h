/* Programs as StableHLO, for XLA: exported functions of arrays of known sizes (docs/stablehlo.md). */
#ifndef DSL_STABLEHLO_H
#define DSL_STABLEHLO_H

#include "codegen/codegen.h"

/* Adds the module of m, at stage par, to out: its exported functions; if there are none, main, whose results are what
 * it prints.  given: names and values, by turns, of sizes and of parameters that are ints.  False: reported, as what
 * StableHLO cannot say. */
bool emit_stablehlo(Text *out, Module *m, int ngiven, const char *const *given, bool unchecked);

#endif
