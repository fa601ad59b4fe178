/* Elementary functions of f64 and f32, the same bits everywhere: dsl_exp and dsl_expf are for generated programs, where
 * loops with them become vectors; dsl_call_exp and dsl_call_expf are calls, for the interpreter and for what is
 * computed one at a time.
 *
 * They are made of fma.  A program for processors that may have none calls the runtime, which looks whether this one
 * has. */
#ifndef DSL_ELEMENTARY_H
#define DSL_ELEMENTARY_H

#include <stdint.h>

/* Functions of one argument.  Of the second line, and of pow, the runtime has vectors (elementary.c), which loops call.
 */
#define DSL_ELEMENTARY(X)                                                                                 \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(erf)
#define DSL_ELEMENTARY_TRIG(X) X(sin) X(cos) X(tan)

#define DSL_DECLARE(name)                                                                                 \
    double dsl_call_##name(double) __attribute__((const));                                                \
    float dsl_call_##name##f(float) __attribute__((const));
DSL_ELEMENTARY(DSL_DECLARE)
DSL_ELEMENTARY_TRIG(DSL_DECLARE)
#undef DSL_DECLARE
double dsl_call_pow(double, double) __attribute__((const));
float dsl_call_powf(float, float) __attribute__((const));

#define DSL_BY_CALL(name)                                                                                 \
    static inline double dsl_##name(double x) { return dsl_call_##name(x); }                              \
    static inline float dsl_##name##f(float x) { return dsl_call_##name##f(x); }

#if defined(DSL_ELEMENTARY_OWN) || defined(__FMA__) || !(defined(__x86_64__) || defined(__i386__))
#include "elementary_own.h"
#else
DSL_ELEMENTARY(DSL_BY_CALL)
#endif

#if defined(DSL_ELEMENTARY_OWN)
#elif defined(DSL_OUT_OF_LINE) /* elementary.c has those of the second line */
#elif defined(__x86_64__) && defined(__FMA__) && defined(__GNUC__) && !defined(__clang__)
#define DSL_DECLARE(name)                                                                                 \
    double dsl_##name(double) __attribute__((const, simd("notinbranch")));                                \
    float dsl_##name##f(float) __attribute__((const, simd("notinbranch")));
DSL_ELEMENTARY_TRIG(DSL_DECLARE)
#undef DSL_DECLARE
double dsl_pow(double, double) __attribute__((const, simd("notinbranch")));
float dsl_powf(float, float) __attribute__((const, simd("notinbranch")));
#else
DSL_ELEMENTARY_TRIG(DSL_BY_CALL)
static inline double dsl_pow(double x, double y) { return dsl_call_pow(x, y); }
static inline float dsl_powf(float x, float y) { return dsl_call_powf(x, y); }
#endif
#undef DSL_BY_CALL

#endif
