/* The plugin that holds LLVM (codegen/llvm/llvm.h): where it lies, and loading it. */
#include "driver/build.h"

#include <dlfcn.h>
#include <unistd.h>

const char *plugin_path(Session *s) {
    const char *folders[2];
    own_folders(s, folders);
    for (int i = 0; i < 2; i++) {
        const char *path = intern_printf(s, "%s/libdslllvm.so", folders[i]);
        if (!access(path, R_OK)) return path;
    }
    return NULL;
}

static const LlvmPlugin *plugin_missing(const Options *o, const char *why) {
    const char *folders[2];
    own_folders(o->session, folders);
    Diag *d = diag_report(o->session, NO_SPAN, E_NO_LLVM);
    if (why) diag_hint(o->session, d, "it is there, but cannot be loaded: %s", why);
    else
        diag_hint(o->session, d, "libdslllvm.so belongs beside the dslc binary (%s); it is built where LLVM 19 is: "
                                 "apt install llvm-19-dev", folders[0]);
    return NULL;
}

void plugin_prepare(Session *s) {
    const char *path = plugin_path(s);
    if (path) dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

const LlvmPlugin *plugin_load(const Options *o) {
    const char *path = plugin_path(o->session);
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return library ? dlsym(library, LLVM_PLUGIN_SYMBOL) : plugin_missing(o, path ? dlerror() : NULL);
}
