/* Any bytes as words: texts that programs take apart, arguments, parts of files.  The first byte says which. */
#include "runtime/files.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* stdlib's own: runtime/text.c, runtime/args.c */
int64_t dsl_m_text_order(const char *a, const char *b);
int64_t dsl_m_text_length(const char *s);
const char *dsl_m_text_slice(const char *s, int64_t from, int64_t to, bool index);
int64_t dsl_m_text_find(const char *s, const char *part);
const char *dsl_m_text_replace(const char *s, const char *old, const char *new);
const char *dsl_m_text_strip(const char *s);
const char *dsl_m_text_case(const char *s, bool up);
dsl_array *dsl_m_text_split(const char *s, const char *by);
const char *dsl_m_text_join(const dsl_array *texts, const char *between);
double dsl_m_text_float(const char *s);
bool dsl_m_text_is_number(const char *s);
int64_t dsl_m_text_int(const char *s);
void dsl_x_arg_declare(const char *name, const char *type, const char *value, const char *doc);
void dsl_x_args_read(const char *doc);
int64_t dsl_x_arg_int(const char *name, int64_t value);
double dsl_x_arg_float(const char *name, double value);
bool dsl_x_arg_bool(const char *name, bool value);
const char *dsl_x_arg_str(const char *name, const char *value);

static jmp_buf failed;
static bool armed;

static void jump(void *ctx, int status) {
    (void)ctx;
    longjmp(failed, status ? status : -1);
}

/* Wrong arguments end the program */
void _exit(int status) {
    if (armed) longjmp(failed, 1);
    syscall(SYS_exit_group, status);
    abort();
}

enum { WORDS = 8 };

/* The words of the input, parted by NULs, each a copy; how many */
static int words_of(const uint8_t *data, size_t size, char *words[WORDS]) {
    int n = 0;
    for (size_t at = 0; n < WORDS && at <= size; n++) {
        words[n] = strndup((const char *)data + at, size - at);
        at += strlen(words[n]) + 1;
    }
    for (int i = n; i < WORDS; i++) words[i] = strdup("");
    return n;
}

#define TRY(call) \
    if (!setjmp(failed)) call

static void texts(char *w[WORDS], int at) {
    const int64_t n = dsl_m_text_length(w[0]);
    dsl_array *parts = NULL;
    if (dsl_m_text_order(w[0], w[0])) abort();
    TRY(dsl_m_text_slice(w[0], at % 8, n - at / 8 % 8, false));
    TRY(dsl_m_text_slice(w[0], at % 32, 0, true));
    TRY(dsl_m_text_find(w[0], w[1]));
    TRY(dsl_m_text_replace(w[0], w[1], w[2]));
    TRY(dsl_m_text_strip(w[0]));
    TRY(dsl_m_text_case(w[0], at % 2));
    TRY(dsl_m_text_float(w[0]));
    TRY(dsl_m_text_int(w[0]));
    if (setjmp(failed)) return;
    parts = dsl_m_text_split(w[0], w[1]);
    /* what was taken apart is whole again */
    if (*w[1] && strcmp(dsl_m_text_join(parts, w[1]), w[0])) abort();
    dsl_release(parts);
}

static void arguments(char *w[WORDS], int n) {
    char *line[WORDS + 1] = {"fuzz"};
    for (int i = 0; i < n; i++) line[i + 1] = w[i];
    dsl_set_arguments(n + 1, line);
    armed = true;
    if (!setjmp(failed)) {
        dsl_x_arg_declare("steps", "i64", "10", "how many");
        dsl_x_arg_declare("k", "u8", "1", "");
        dsl_x_arg_declare("big", "u64", "1", "");
        dsl_x_arg_declare("rate_of", "f64", "0.5", "a\nrate");
        dsl_x_arg_declare("small", "f16", "0.5", "");
        dsl_x_arg_declare("name", "str", "a", "");
        dsl_x_arg_declare("all", "bool", "false", "");
        dsl_x_args_read("what it does");
        dsl_x_arg_int("steps", 1);
        if (dsl_x_arg_int("k", 1) < 0 || dsl_x_arg_int("k", 1) > 255) abort();
        dsl_x_arg_float("rate_of", 1);
        dsl_x_arg_bool("all", false);
        if (strlen(dsl_x_arg_str("name", "")) > 4096) abort();
    }
    armed = false;
}

static void part(const char *text, int at) {
    const uint64_t sizes[] = {3, 0, 1000000007, 1};
    char why[256];
    size_t name;
    DslSlab s;
    dsl_wants_pairs(text, &name);
    if (name > strlen(text)) abort();
    if (setjmp(failed)) return;
    const DslPart p = dsl_part(NULL, "f.h5", text);
    const int axes = 1 + at % 4;
    if (dsl_slab(&p, axes, sizes, at / 4 % 4, &s, why)) return;
    for (int k = 0; k < axes; k++)
        if (s.count[k] && (s.count[k] > sizes[k] || s.start[k] + (s.count[k] - 1) * s.step[k] >= sizes[k])) abort();
}

/* READER names one kind; else the first byte chooses */
static int chosen(uint8_t byte) {
    const char *name = getenv("READER");
    return !name ? byte % 3 : !strcmp(name, "arguments") ? 1 : !strcmp(name, "part") ? 2 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    char *w[WORDS];
    const int n = words_of(data + 2, size - 2, w);
    dsl_on_fail(jump, NULL);
    switch (chosen(data[0])) {
    case 0: texts(w, data[1]); break;
    case 1: arguments(w, n); break;
    default: part(w[0], data[1]);
    }
    dsl_on_fail(NULL, NULL);
    for (int i = 0; i < WORDS; i++) free(w[i]);
    return 0;
}
