/* Fibres: stacks between which one thread of the machine changes by itself. */
#ifndef DSL_FIBRE_H
#define DSL_FIBRE_H

#include <stddef.h>

typedef struct dsl_fibre dsl_fibre;
typedef void dsl_fibre_body(void *arg);

enum { DSL_FIBRE_STACK = 512 << 10 };

/* n fibres of this thread, kept for the next time; NULL: there is no memory.  Those of an earlier call are gone. */
dsl_fibre **dsl_fibres(int n);
/* f will run body(arg) from its beginning. */
void dsl_fibre_begin(dsl_fibre *f, dsl_fibre_body *body, void *arg);
/* Goes on with f until it rests or is done. */
void dsl_fibre_run(dsl_fibre *f);
void dsl_fibre_rest(dsl_fibre *f); /* called by f itself */
char *dsl_fibre_low(const dsl_fibre *f); /* the end of its stack, DSL_FIBRE_STACK below its beginning */

#endif
