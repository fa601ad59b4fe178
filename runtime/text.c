/* Texts: UTF-8, whose places are counted in characters.  Each that is made is there once, to the end of the process
 * (dsl_text). */
#include "runtime/dsl.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Room for a text that is put together */
typedef struct { char *p; size_t n, room; } Room;

static void add(Room *r, const char *s, size_t n) {
    if (r->n + n + 1 > r->room) {
        char *more = realloc(r->p, r->room = 2 * (r->n + n + 1));
        if (!more) {
            free(r->p);
            dsl_fail(dsl_current_site(), "E0603", "not enough memory for a text");
        }
        r->p = more;
    }
    memcpy(r->p + r->n, s, n);
    r->p[r->n += n] = 0;
}

static const char *keep(Room *r) {
    const char *text = dsl_text(dsl_current_site(), r->p ? r->p : "", r->n);
    free(r->p);
    return text;
}

static bool goes_on(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static int64_t length(const char *s) {
    int64_t n = 0;
    for (; *s; s++) n += !goes_on(*s);
    return n;
}

/* What this thread knows of texts that it asked for last: how long they are, and the place where it was.  Texts do not
 * change, and stay. */
typedef struct {
    const char *text, *at; /* at: where character `place` begins */
    int64_t length, place;
    bool bytes;            /* each character is one */
} Known;
static _Thread_local Known asked[8];

static Known *know(const char *s) {
    Known *k = &asked[(uintptr_t)s / 16 % 8];
    if (k->text != s) {
        int64_t n = length(s);
        *k = (Known){s, s, n, 0, s[n] == 0};
    }
    return k;
}

/* The byte where character i begins, or where the text ends; i <= length */
static const char *character(Known *k, int64_t i) {
    if (k->bytes) return k->text + i;
    if (i < k->place) k->at = k->text, k->place = 0;
    while (k->place < i) {
        k->at++;
        k->place += !goes_on(*k->at);
    }
    return k->at;
}

/* ---- stdlib/text.dsl */

int64_t dsl_m_text_order(const char *a, const char *b) { return strcmp(a, b); }

int64_t dsl_m_text_length(const char *s) { return know(s)->length; }

const char *dsl_m_text_slice(const char *s, int64_t from, int64_t to, bool index) {
    const dsl_site *at = dsl_current_site();
    Known *k = know(s);
    int64_t n = k->length;
    if (from < 0 && !index) from += n;
    if (to < 0 && !index) to += n;
    if (from < 0 || from > n || (index && from == n)) dsl_fail_bounds(at, 0, from, n);
    if (index) to = from + 1;
    if (to < 0 || to > n) dsl_fail_bounds(at, 0, to, n);
    if (to < from) dsl_fail_size(at, to - from);
    const char *begin = character(k, from);
    return dsl_text(at, begin, (size_t)(character(k, to) - begin));
}

int64_t dsl_m_text_find(const char *s, const char *part) {
    const char *found = strstr(s, part);
    int64_t n = 0;
    for (const char *c = s; found && c < found; c++) n += !goes_on(*c);
    return found ? n : -1;
}

const char *dsl_m_text_replace(const char *s, const char *old, const char *new) {
    Room r = {0};
    size_t n = strlen(old);
    for (const char *next; n && (next = strstr(s, old)); s = next + n) {
        add(&r, s, (size_t)(next - s));
        add(&r, new, strlen(new));
    }
    add(&r, s, strlen(s));
    return keep(&r);
}

static bool is_blank(char c) { return c && strchr(" \t\r\n\f\v", c); }

const char *dsl_m_text_strip(const char *s) {
    while (is_blank(*s)) s++;
    size_t n = strlen(s);
    while (n && is_blank(s[n - 1])) n--;
    return dsl_text(dsl_current_site(), s, n);
}

const char *dsl_m_text_case(const char *s, bool up) {
    Room r = {0};
    add(&r, s, strlen(s));
    for (size_t i = 0; i < r.n; i++)
        if (isascii((unsigned char)r.p[i])) r.p[i] = (char)(up ? toupper(r.p[i]) : tolower(r.p[i]));
    return keep(&r);
}

/* The part at *s, and *s behind what parts it from the next; false: there is none */
static bool next_part(const char **s, const char *by, const char **from, size_t *n) {
    if (!*s) return false;
    if (!*by) {
        while (is_blank(**s)) ++*s;
        *from = *s;
        while (**s && !is_blank(**s)) ++*s;
        *n = (size_t)(*s - *from);
        return *n > 0;
    }
    const char *end = strstr(*s, by);
    *from = *s;
    *n = end ? (size_t)(end - *s) : strlen(*s);
    *s = end ? end + strlen(by) : NULL;
    return true;
}

dsl_array *dsl_m_text_split(const char *s, const char *by) {
    const char *at = s, *from;
    size_t n;
    int64_t count = 0;
    while (next_part(&at, by, &from, &n)) count++;
    dsl_array *out = dsl_new(dsl_current_site(), DSL_STR, 1, &count);
    at = s;
    for (int64_t i = 0; next_part(&at, by, &from, &n); i++)
        ((const char **)out->data)[i] = dsl_text(dsl_current_site(), from, n);
    return out;
}

const char *dsl_m_text_join(const dsl_array *texts, const char *between) {
    Room r = {0};
    for (int64_t i = 0; i < texts->count; i++) {
        const char *text = ((const char *const *)texts->data)[i];
        if (i) add(&r, between, strlen(between));
        add(&r, text, strlen(text));
    }
    return keep(&r);
}

/* ---- numbers */

static DSL_COLD __attribute__((noreturn)) void fail_number(const char *s, const char *what) {
    dsl_fail(dsl_current_site(), "E0637", "'%.100s' is %s", s, what);
}

static bool read_float(const char *s, double *x) {
    char *end;
    while (is_blank(*s)) s++;
    const char *digits = s + (*s == '-' || *s == '+');
    bool word = !strncasecmp(digits, "nan", 3) || !strncasecmp(digits, "inf", 3);
    *x = strtod(s, &end);
    if (end == s || strpbrk(s, "xX(") || (!word && !isdigit((unsigned char)*digits) && *digits != '.')) return false;
    while (is_blank(*end)) end++;
    return !*end;
}

double dsl_m_text_float(const char *s) {
    double x;
    if (!read_float(s, &x)) fail_number(s, "no number");
    return x;
}

bool dsl_m_text_is_number(const char *s) {
    double x;
    return read_float(s, &x);
}

int64_t dsl_m_text_int(const char *s) {
    char *end;
    double x;
    errno = 0;
    long long n = strtoll(s, &end, 10);
    bool any = end > s;
    while (is_blank(*end)) end++;
    if (any && !*end && !errno) return n;
    fail_number(s, any && !*end ? "no value of type int" : read_float(s, &x) ? "no int: take int(f64(s))" : "no int");
}
