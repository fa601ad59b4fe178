/* Libraries that a program loads when it first asks for one of their functions. */
#include "runtime/files.h"

#include <dlfcn.h>
#include <string.h>

static void *open_first(const char *files) {
    char name[128];
    void *handle = NULL;
    while (!handle && *files) {
        size_t n = strcspn(files, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, files);
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        files += n + strspn(files + n, " ");
    }
    return handle;
}

void *dsl_library(const dsl_site *at, const char *what, const char *files, const char *package,
                  const DslFunction *functions, int n) {
    void *handle = open_first(files); /* once it is there, that is only a look-up */
    if (!handle) {
        dsl_say_error(at, "E0619", "%s cannot be loaded: %.*s is not there", what, (int)strcspn(files, " "), files);
        dsl_say_hint("Debian: apt install %s", package);
        dsl_stop(1);
    }
    for (int i = 0; i < n; i++) {
        *functions[i].to = dlsym(handle, functions[i].name);
        if (!*functions[i].to) dsl_fail(at, "E0619", "%s has no function %s", what, functions[i].name);
    }
    return handle;
}
