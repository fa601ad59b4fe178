/* What -W says, in a session. */
#include "driver/driver.h"

#include <string.h>

/* no-unused, no-W0201, shadow, all, error, error=unused */
static bool warning_apply(Session *s, const char *name) {
    bool off = !strncmp(name, "no-", 3);
    if (!strcmp(name, "error")) return diag_warnings_as_errors(s), true;
    if (!strncmp(name, "error=", 6)) return diag_warning_as_error(s, name + 6);
    return diag_set_warning(s, name + (off ? 3 : 0), !off);
}

bool warnings_apply(const Options *o, const char **unknown) {
    if (o->werror) diag_warnings_as_errors(o->session);
    for (int i = 0; i < o->warnings.len; i++)
        if (!warning_apply(o->session, *unknown = o->warnings.data[i])) return false;
    return true;
}

void options_renew(Options *o) {
    const char *unknown;
    o->session = session_new();
    warnings_apply(o, &unknown);
}
