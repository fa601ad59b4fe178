/* What code in memory (codegen/llvm) and the runtime's own loops call where C has a pragma, or a variable of each
 * thread. */
#ifndef DSL_SHARE_H
#define DSL_SHARE_H

#include "dsl.h"

/* Runs body for parts of 0 .. n, by dsl_threads() threads.  chunk 0: a part for each thread; else so many at a time, as
 * threads get done.  worth: threads are worth waking. */
typedef void dsl_body(int64_t lo, int64_t hi, void *env);
void dsl_share_loop(dsl_body *body, void *env, int64_t n, int64_t chunk, bool worth);
/* Both at the same time, as far as there are threads */
typedef void dsl_strand(void *env);
void dsl_run_strands(dsl_strand *first, void *first_env, dsl_strand *second, void *second_env);
void dsl_enter_frame(dsl_frame *f, const dsl_site *at, const char *how);
void dsl_enter_recursive_frame(dsl_frame *f, const dsl_site *at, const char *how, const dsl_site *callee);
void dsl_leave_frame(const dsl_frame *f);
void dsl_print_letters(int align, int sign, int zero, int type, int width, int digits); /* a dsl_format in parts */

#endif
