#define _POSIX_C_SOURCE 200809L
#include "call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Part { Part *next; double data[]; };

void call_begin(Call *c) {
    const Json *runs = json_member(c->input, "min_runs"), *seconds = json_member(c->input, "min_seconds");
    c->min_runs = runs ? (int64_t)runs->number : 1;
    c->min_seconds = seconds ? seconds->number : 0;
}

void call_end(Call *c) {
    for (Part *p = c->parts, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(c->times);
}

/* ---- input */

static void fail(Call *c, const char *message) {
    if (!c->error) c->error = message;
}

const Json *call_member(Call *c, const Json *of, const char *name) {
    const Json *j = json_member(of, name);
    if (!j) fail(c, "a member of the input is missing");
    return j;
}

double call_number(Call *c, const Json *of, const char *name) {
    const Json *j = call_member(c, of, name);
    if (j && j->kind != JSON_NUMBER && j->kind != JSON_BOOL) fail(c, "a member of the input is no number");
    return j ? j->number : 0;
}

int64_t call_int(Call *c, const Json *of, const char *name) { return (int64_t)call_number(c, of, name); }

static int64_t count_numbers(const Json *j) {
    int64_t n = j->kind == JSON_NUMBER;
    for (const Json *x = j->child; x; x = x->next) n += count_numbers(x);
    return n;
}

static double *copy_numbers(const Json *j, double *to) {
    if (j->kind == JSON_NUMBER) *to++ = j->number;
    for (const Json *x = j->child; x; x = x->next) to = copy_numbers(x, to);
    return to;
}

double *call_room(Call *c, int64_t count) {
    Part *p = malloc(sizeof *p + sizeof(double) * (size_t)(count + 1));
    if (!p) abort();
    p->next = c->parts;
    c->parts = p;
    return p->data;
}

double *call_floats(Call *c, const Json *of, const char *name, int64_t *count) {
    const Json *j = call_member(c, of, name);
    int64_t n = j ? count_numbers(j) : 0;
    double *x = call_room(c, n);
    if (j) copy_numbers(j, x);
    if (count) *count = n;
    return x;
}

int64_t *call_ints(Call *c, const Json *of, const char *name, int64_t *count) {
    int64_t n;
    double *x = call_floats(c, of, name, &n);
    int64_t *to = (int64_t *)call_room(c, n);
    for (int64_t i = 0; i < n; i++) to[i] = (int64_t)x[i];
    if (count) *count = n;
    return to;
}

double *call_repeated(Call *c, const Json *of, const char *name, int64_t times) {
    int64_t n;
    double *x = call_floats(c, of, name, &n), *to = call_room(c, n * times);
    for (int64_t i = 0; i < times; i++) memcpy(to + i * n, x, sizeof *x * (size_t)n);
    return to;
}

int64_t call_rows(Call *c, const Json *of, const char *name) {
    const Json *j = call_member(c, of, name);
    return j ? j->length : 0;
}

int64_t call_columns(Call *c, const Json *of, const char *name) {
    const Json *j = call_member(c, of, name);
    return j && j->child ? j->child->length : 0;
}

/* ---- runs */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool call_again(Call *c) {
    if (c->error || (c->runs >= c->min_runs && c->seconds >= c->min_seconds)) return false;
    c->start = now();
    return true;
}

void call_done(Call *c, int status, const char *message) {
    int64_t took = now() - c->start;
    if (status) {
        fail(c, message);
        return;
    }
    if (c->runs == c->room) {
        c->room = 2 * c->room + 16;
        c->times = realloc(c->times, sizeof *c->times * (size_t)c->room);
        if (!c->times) abort();
    }
    c->times[c->runs++] = took;
    c->seconds += 1e-9 * (double)took;
}

/* ---- output */

static void write_number(FILE *out, double x) {
    if (isnan(x)) fputs("NaN", out);
    else if (isinf(x)) fputs(x < 0 ? "-Infinity" : "Infinity", out);
    else fprintf(out, "%.17g", x);
}

static const double *write_array(Call *c, int axes, const int64_t *sizes, const double *x) {
    if (!axes) return write_number(c->out, *x), x + 1;
    fputc('[', c->out);
    for (int64_t i = 0; i < sizes[0]; i++) {
        if (i) fputs(", ", c->out);
        x = write_array(c, axes - 1, sizes + 1, x);
    }
    fputc(']', c->out);
    return x;
}

void call_write(Call *c, int axes, const int64_t *sizes, const double *x) {
    if (!c->error) write_array(c, axes, sizes, x);
}

void call_write_ints(Call *c, int64_t n, const int64_t *x) {
    if (c->error) return;
    for (int64_t i = 0; i < n; i++) fprintf(c->out, "%s%lld", i ? ", " : "[", (long long)x[i]);
    fputc(']', c->out);
}
