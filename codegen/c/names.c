/* Which names C, its library and our runtime have already taken.
 *
 * A name of the program that is taken gets a number behind it.  No variable may be called as one of C's
 * keywords, a macro, or a function that generated code calls; no function, besides, as a library
 * function that compilers know, for a static function of such a name draws a warning. */
#include "codegen/c/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *name; bool everywhere; } Reserved;
static const Reserved reserved_names[] = {
#define RESERVED(name) {name, true},
#define LIBRARY(name) {name, false},
#include "codegen/c/reserved.def"
#undef LIBRARY
#undef RESERVED
};

static int compare(const void *key, const void *row) { return strcmp(key, ((const Reserved *)row)->name); }

static bool in_list(const char *name, size_t n, bool of_function) {
    char copy[32];
    if (n >= sizeof copy) return false;
    memcpy(copy, name, n);
    copy[n] = 0;
    const Reserved *row = bsearch(copy, reserved_names, sizeof reserved_names / sizeof *reserved_names,
                                  sizeof *reserved_names, compare);
    return row && (row->everywhere || of_function);
}

static bool in_family(const char *name) {
    static const char *const families[] = {"dsl_", "DSL_", "omp_", "_", "INT", "UINT", "FP_", "M_"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strncmp(name, families[i], strlen(families[i]))) return true;
    return false;
}

/* Also the variants of the math functions for float and long double, and whole families. */
bool name_is_reserved(const char *name, bool of_function) {
    size_t n = strlen(name);
    if (in_family(name)) return true;
    if (n > 2 && !strcmp(name + n - 2, "_t")) return true;
    bool variant = n > 3 && (name[n - 1] == 'f' || name[n - 1] == 'l');
    return in_list(name, n, of_function) || (variant && in_list(name, n - 1, of_function));
}

const char *name_clean(Session *s, const char *hint) {
    if (!hint || !*hint) return NULL;
    const char *dot = strrchr(hint, '.');
    size_t n = dot && dot != hint && dot[1 + strspn(dot + 1, "0123456789")] == 0 ? (size_t)(dot - hint) : strlen(hint);
    const char *name = intern_n(s, hint, n);
    char copy[64];
    if (n >= sizeof copy) n = sizeof copy - 1;
    for (size_t i = 0; i < n; i++)
        copy[i] = isalnum((unsigned char)name[i]) && (unsigned char)name[i] < 128 ? name[i] : '_';
    copy[n] = 0;
    /* a number behind it would not take it out of a family */
    return isdigit((unsigned char)copy[0]) || in_family(copy)
               ? intern_printf(s, "v%s%s", copy[0] == '_' ? "" : "_", copy)
               : intern(s, copy);
}
