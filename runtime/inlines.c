/* The short functions that C has inline, for code that is not C: as functions of the runtime, and as bitcode, in which
 * LLVM makes them part of the loops that call them. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DSL_OUT_OF_LINE
#define static
#define inline
#include "runtime/gen.h"
#undef inline
#undef static

#define DEFINE(T, N)                                          \
    bool dsl_isnan_##N(T x), dsl_isinf_##N(T x), dsl_isfinite_##N(T x); \
    bool dsl_isnan_##N(T x) { return isnan(x); }              \
    bool dsl_isinf_##N(T x) { return isinf(x); }              \
    bool dsl_isfinite_##N(T x) { return isfinite(x); }
DEFINE(float, f32)
DEFINE(double, f64)
