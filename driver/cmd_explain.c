/* dslc explain E0123: what a diagnostic means, from its row in base/diags.def.  No code: lists them all. */
#include "driver/driver.h"

#include <string.h>

/* The message with "..." for what a report fills in */
static void put_message(const char *format) {
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            putchar(*p);
            continue;
        }
        p += 1 + strspn(p + 1, "0123456789.*lz");
        fputs(*p == '%' ? "%" : "...", stdout);
    }
}

static int explain_one(const Options *o, const char *code) {
    const DiagInfo *d = diag_find(code);
    if (d) {
        printf("%s: ", d->code);
        put_message(d->message);
        printf("\n\n%s\n", d->explanation);
        if (d == diag_info(E_TUNE_SYNTAX)) tuning_settings(stdout);
        return EXIT_OK;
    }
    Diag *unknown = diag_report(o->session, NO_SPAN, E_UNKNOWN_CODE, code);
    diag_hint(o->session, unknown, "'dslc explain' lists them all");
    return diagnostics_flush(o);
}

static int explain_all(void) {
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagInfo *d = diag_info((DiagId)i);
        printf("%s  ", d->code);
        put_message(d->message);
        putchar('\n');
    }
    return EXIT_OK;
}

int cmd_explain(const Options *o) {
    int status = o->inputs.len ? EXIT_OK : explain_all();
    for (int i = 0; i < o->inputs.len; i++) {
        int one = explain_one(o, o->inputs.data[i]);
        if (one > status) status = one;
    }
    return status;
}
