/* Any bytes as IR: reader and verifier; what is valid prints, reads and prints the same again. */
#include "driver/driver.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* NULL: it is not valid */
static Module *read_ir(Session *s, const char *text, size_t n) {
    Module *m = module_parse(s, source_add(s, "fuzz.ir", text, n));
    if (m && module_verify(m, "reading")) return m;
    if (m) module_free(m);
    return NULL;
}

static const char *print(Session *s, const Module *m, Text *to) {
    text_init(to, session_arena(s));
    module_print(to, m);
    return text_str(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *s = session_new();
    Module *m = read_ir(s, (const char *)data, size);
    if (m) {
        Text once, twice;
        print(s, m, &once);
        module_free(m);
        m = read_ir(s, text_str(&once), (size_t)once.len);
        if (!m || strcmp(print(s, m, &twice), text_str(&once))) abort();
        module_free(m);
    }
    session_free(s);
    return 0;
}
