/* Spelling suggestions: the nearest of some names by edit distance (insert, delete, replace, swap
 * neighbours; a change of case is free).  Near means at most a third of the name's letters, and for
 * one or two letters only the case. */
#include "base/base.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NAME = 63 };

static int min3(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* Both names are at most MAX_NAME long.  Three rows of the table are kept, by turns. */
static int distance(const char *a, int na, const char *b, int nb) {
    int rows[3][MAX_NAME + 1];
    for (int j = 0; j <= nb; j++) rows[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *row = rows[i % 3];
        const int *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            row[j] = min3(up[j] + 1, row[j - 1] + 1, up[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
            if (swapped && up2[j - 2] + 1 < row[j]) row[j] = up2[j - 2] + 1;
        }
    }
    return rows[na % 3][nb];
}

const char *spell_nearest(const char *name, const char *const *names, int n) {
    size_t len = strlen(name);
    if (len == 0 || len > MAX_NAME) return NULL;
    const char *best = NULL;
    int limit = (int)len / 3;
    for (int i = 0; i < n; i++) {
        size_t other = strlen(names[i]);
        if (other > MAX_NAME) continue;
        int d = distance(name, (int)len, names[i], (int)other);
        if (d > limit) continue;
        best = names[i];
        limit = d - 1;
    }
    return best;
}
