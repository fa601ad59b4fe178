/* A token that did not fit, and what would have: what the hints of report.c and written.c look at. */
#ifndef DSL_SLIP_H
#define DSL_SLIP_H

#include "grammar/parse.h"
#include "grammar/parser.tab.h"

typedef struct Slip {
    const Parser *p;
    Token found, last;
    const char *name; /* of found, in the grammar */
    const char *const *expected;
    int n;
} Slip;

/* report.c: whether the token, or a phrase that begins so, would have fitted */
bool slip_wants(const Slip *s, const char *name);
bool slip_wants_operator(const Slip *s);
bool slip_wants_type(const Slip *s);
bool slip_binds(const Slip *s); /* in let, var or const */

/* written.c: what is written, in our words; NULL: nothing is known of it */
const char *slip_written(const Slip *s);
/* sqrt x */
const char *slip_call(const Slip *s);

#endif
