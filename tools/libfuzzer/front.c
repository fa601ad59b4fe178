/* Any bytes as a program: lexer, parser, checker, messages; what is right becomes IR that is valid. */
#include "driver/driver.h"
#include "lower/ast/lower.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lower(Session *s, Program *p) {
    Module *m = lower_program(p);
    if (!diag_error_count(s) && !module_verify(m, "lower")) abort();
    module_free(m);
}

static void show_messages(Session *s) {
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    diag_flush(s, f, true);
    fclose(f);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *s = session_new();
    CheckOptions how = {0};
    if (size % 4 == 0) how.stdlib = stdlib_files(&how.nstdlib); /* reading it takes most of the time */
    Unit *unit = parse_file(s, source_add(s, "fuzz.dsl", (const char *)data, size));
    Program *p = diag_error_count(s) ? NULL : check_program(s, unit, &how);
    if (p && !diag_error_count(s)) lower(s, p);
    show_messages(s);
    session_free(s);
    return 0;
}
