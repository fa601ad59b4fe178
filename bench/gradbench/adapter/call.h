/* One evaluation: what it reads, how often it runs, what it answers. */
#ifndef CALL_H
#define CALL_H

#include "json.h"

#include <stdio.h>

typedef struct Part Part;

typedef struct Call {
    const Json *input;
    int threads;
    FILE *out;          /* the output, as JSON */
    const char *error;  /* NULL: none */
    Part *parts;        /* memory of the call */
    int64_t min_runs;
    double min_seconds, seconds;
    int64_t *times;     /* nanoseconds of each run */
    int64_t runs, room, start;
} Call;

void call_begin(Call *c);
void call_end(Call *c); /* frees all but error */

/* Members of the input, and of what stands in it; where one is missing or of another kind, c->error says so, and what
 * is given is empty.  Nested arrays are one after the other. */
const Json *call_member(Call *c, const Json *of, const char *name);
double call_number(Call *c, const Json *of, const char *name);
int64_t call_int(Call *c, const Json *of, const char *name);
double *call_floats(Call *c, const Json *of, const char *name, int64_t *count);
int64_t *call_ints(Call *c, const Json *of, const char *name, int64_t *count);
double *call_repeated(Call *c, const Json *of, const char *name, int64_t times);
double *call_room(Call *c, int64_t count);
/* How many rows an array has, and how many elements the first of them */
int64_t call_rows(Call *c, const Json *of, const char *name);
int64_t call_columns(Call *c, const Json *of, const char *name);

/* for (; call_again(c); call_done(c, status)): as often as the input wants, each run with its time */
bool call_again(Call *c);
void call_done(Call *c, int status, const char *message);

/* Numbers as JSON: arrays of axes' sizes, [] for one number */
void call_write(Call *c, int axes, const int64_t *sizes, const double *x);
void call_write_ints(Call *c, int64_t n, const int64_t *x);

#endif
