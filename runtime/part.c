/* Parts of files that hold many arrays: names, attributes, ranges. */
#include "runtime/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

DslPart dsl_part(const dsl_site *at, const char *path, const char *text) {
    DslPart p = {"", "", NULL};
    size_t name = strcspn(text, "@["), n = 0;
    const char *mark = text + name;
    if (*mark == '@') n = strlen(mark + 1);
    if (*mark == '[') p.ranges = mark + 1;
    if (name >= sizeof p.name || n >= sizeof p.attribute)
        dsl_fail(at, "E0611", "'%s' has no part with such a long name", path);
    while (name > 0 && text[name - 1] == ' ') name--;
    memcpy(p.name, text, name);
    if (n) memcpy(p.attribute, mark + 1, n);
    return p;
}

bool dsl_wants_pairs(const char *part, size_t *name) {
    static const char mark[] = ": re, im";
    size_t n = strlen(part), m = sizeof mark - 1;
    bool wants = n >= m && !strcmp(part + n - m, mark);
    *name = wants ? n - m : n;
    return wants;
}

typedef struct { const char *c; bool bad; } Ranges;

static bool take(Ranges *r, char mark) {
    r->c += strspn(r->c, " ");
    if (*r->c != mark) return false;
    r->c++;
    return true;
}

/* A bound; counted from the end where it has a minus */
static bool bound(Ranges *r, uint64_t size, int64_t *out) {
    char *end;
    r->c += strspn(r->c, " ");
    if (*r->c != '-' && !isdigit((unsigned char)*r->c)) return false;
    errno = 0;
    long long x = strtoll(r->c, &end, 10);
    r->bad |= end == r->c || errno;
    if (*r->c == '-') x += (long long)size;
    r->c = end;
    *out = x;
    return true;
}

static const char *outside(char why[256], int axis, uint64_t size, int64_t at) {
    snprintf(why, 256, "%lld is out of bounds for axis %d with size %llu", (long long)at, axis,
             (unsigned long long)size);
    return why;
}

/* The range of one axis; *index: it is one place */
static const char *one_axis(Ranges *r, DslSlab *s, int k, uint64_t size, bool *index, char why[256]) {
    int64_t from = 0, to = (int64_t)size, step = 1;
    bool some = bound(r, size, &from);
    *index = some;
    if (take(r, ':')) {
        *index = false;
        bound(r, size, &to);
        if (take(r, ':') && (!bound(r, 0, &step) || step < 1)) r->bad = true;
    } else if (!some) r->bad = true;
    if (r->bad) return NULL;
    if (from < 0 || from > (int64_t)size || (*index && from == (int64_t)size)) return outside(why, k, size, from);
    if (*index) to = from + 1;
    if (to < from || to > (int64_t)size) return outside(why, k, size, to);
    s->start[k] = (uint64_t)from;
    s->step[k] = (uint64_t)step;
    s->count[k] = to > from ? (uint64_t)((to - from - 1) / step) + 1 : 0;
    return NULL;
}

const char *dsl_slab(const DslPart *part, int axes, const uint64_t *size, int rank, DslSlab *out, char why[256]) {
    Ranges r = {part->ranges, false};
    *out = (DslSlab){.axes = axes};
    if (axes > DSL_MAX_RANK) return "it has too many axes";
    bool more = part->ranges != NULL;
    for (int k = 0; k < axes; k++) {
        bool index = false;
        out->count[k] = size[k];
        out->step[k] = 1;
        const char *bad = more ? one_axis(&r, out, k, size[k], &index, why) : NULL;
        if (bad) return bad;
        if (!index) out->dim[out->rank++] = (int64_t)out->count[k];
        if (more && !r.bad && !take(&r, ',')) more = false;
    }
    if (part->ranges && (r.bad || !take(&r, ']') || *r.c)) {
        snprintf(why, 256, "'[%.100s' are no ranges for %d axes: write name[0:10, :, 3]", part->ranges, axes);
        return why;
    }
    if (!out->rank && rank == 1) out->dim[out->rank++] = 1; /* a number is a vector of one */
    return NULL;
}

void dsl_fail_part(const dsl_site *at, const char *path, const char *part, const char *names) {
    if (*part) dsl_say_error(at, "E0611", "'%s' has no '%s'", path, part);
    else dsl_say_error(at, "E0611", "'%s' holds several arrays: name one", path);
    if (*names) dsl_say_hint("it has %s", names);
    dsl_stop(1);
}
