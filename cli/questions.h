/* What `dslc tune` asks: questions, each with the ways that answer it. */
#ifndef DSL_QUESTIONS_H
#define DSL_QUESTIONS_H

#include "driver/build.h"

enum { MOST_WAYS = MOST_VARIED };

/* One line of FILE.tune; about: the kernel, constant or pass, or NULL; usual: what happens without it */
typedef struct { const char *key, *about, *value; double ratio; bool usual; } Setting;
typedef struct { const char *name; Setting ways[MOST_WAYS]; int n; } Question; /* name: one of its own */
typedef VEC(Question) Questions;
typedef VEC(const char *) Names;

bool setting_same_question(const Setting *x, const Setting *y);

/* In this order: the C compiler, opt/choices.def, each of the kernels (one that is NULL: all of them), the number of
 * threads, the passes.  What the command line says is not asked. */
void ask_compiler(const Options *o, Questions *out);
void ask_choices(const Options *o, Questions *out);
void ask_kernel(const Options *o, const char *name, Questions *out);
void ask_threads(const Options *o, Questions *out);
void ask_passes(const Options *o, Questions *out);
bool ask_constant(const Options *o, const char *vary, Question *out); /* of a --vary */

/* ---- ways.c: settings as executables */
/* o with a setting (NULL: none), and what was kept about other questions; what is said first counts. */
bool way_options(Options *o, const Setting *setting, const Setting *kept, int n);
/* The program with these options; false: reported, or nothing is said */
bool way_build(const Options *o, Racer *w);
bool way_build_silently(const Options *o, Racer *w);
bool racers_same(const Racer *x, const Racer *y); /* flags that make no difference make the same file */

/* Runs the program as it is, some times, and says how long it takes; false: reported */
bool race_prepare(Race *r, const Racer *plain);

/* ---- learn.c: --learn */
int learn_programs(const Options *o);

#endif
