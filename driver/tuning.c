/* How launches are coarsened: the options --coarsen-thread and --coarsen-block. */
#include "driver/driver.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* "x:2" at *p, which moves behind it */
static bool factor_parse(const char **p, int by[3]) {
    static const char axes[] = "xyz";
    const char *axis = **p ? strchr(axes, **p) : NULL;
    char *end;
    if (!axis || (*p)[1] != ':') return false;
    long n = strtol(*p + 2, &end, 10);
    if (end == *p + 2 || n < 1 || n > MOST) return false;
    by[axis - axes] = (int)n;
    *p = end;
    return true;
}

bool coarsening_parse(Session *s, const char *kind, const char *text, Coarsening *out) {
    const char *eq = strchr(text, '=');
    *out = (Coarsening){.kind = intern(s, kind), .by = {1, 1, 1}};
    if (eq) out->kernel = intern_n(s, text, (size_t)(eq - text));
    for (const char *p = eq ? eq + 1 : text;; p++) {
        if (!factor_parse(&p, out->by)) return false;
        if (*p != ',') return !*p;
    }
}
