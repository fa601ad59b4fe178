/* Lines of StableHLO, and operations that are written once: one that stands already in a region around is not written
 * again, since all are pure. */
#include "codegen/stablehlo/private.h"
#include "runtime/dsl.h"

#include <math.h>
#include <stdlib.h>

static void line_begin(Hlo *h) {
    for (int i = 0; i < h->indent; i++) text_add(h->out, "  ", 2);
}

void hlo_line(Hlo *h, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    line_begin(h);
    text_vprintf(h->out, fmt, ap);
    text_add(h->out, "\n", 1);
    va_end(ap);
}

const char *hlo_fresh(Hlo *h) { return arena_printf(h->arena, "%%%d", h->names++); }

static const char *standing(const Scope *s, const char *what) {
    for (; s; s = s->outer)
        if (map_has(&s->names, what)) return map_get(&s->names, what);
    return NULL;
}

const char *hlo_op(Hlo *h, const char *fmt, ...) {
    va_list ap;
    Text t;
    text_init(&t, h->arena);
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    const char *what = intern_n(h->session, text_str(&t), (size_t)t.len), *name = standing(h->scope, what);
    if (name) return name;
    name = hlo_fresh(h);
    hlo_line(h, "%s = %s", name, what);
    map_put(h->arena, &h->scope->names, what, (void *)name);
    return name;
}

static void scope_push(Hlo *h, bool is_region) {
    Scope *s = NEW(h->arena, Scope);
    *s = (Scope){.outer = h->scope, .is_region = is_region};
    h->scope = s;
}

void hlo_open(Hlo *h) {
    scope_push(h, true);
    h->indent++;
}

void hlo_close(Hlo *h) {
    while (!h->scope->is_region) h->scope = h->scope->outer;
    h->scope = h->scope->outer;
    h->indent--;
}

Mark hlo_mark(Hlo *h) {
    Mark m = {h->out->len, h->indent, h->held.len, h->checks.len, h->nactive, NULL, h->scope, h->fault, h->mask};
    m.held = NEWN(h->arena, Held, h->held.len + 1);
    if (h->held.len) memcpy(m.held, h->held.data, sizeof *m.held * (size_t)h->held.len);
    scope_push(h, false);
    return m;
}

void hlo_back(Hlo *h, const Mark *to) {
    h->out->len = to->len;
    h->out->data[to->len] = 0;
    h->indent = to->indent, h->scope = to->scope, h->fault = to->fault, h->mask = to->mask;
    h->held.len = to->nheld, h->checks.len = to->nchecks, h->nactive = to->nactive;
    if (to->nheld) memcpy(h->held.data, to->held, sizeof *to->held * (size_t)to->nheld);
}

const char *hlo_element(DType t) {
    static const char *const name[] = {
        [DT_BOOL] = "i1", [DT_U8] = "ui8", [DT_U16] = "ui16", [DT_U32] = "ui32", [DT_U64] = "ui64"};
    return t <= DT_U64 && name[t] ? name[t] : dtype_info(t)->name;
}

const char *hlo_type(Hlo *h, DType t, const Shape *s) {
    Text out;
    text_init(&out, h->arena);
    text_printf(&out, "tensor<");
    for (int i = 0; i < s->rank; i++) text_printf(&out, "%lldx", (long long)s->dim[i]);
    text_printf(&out, "%s>", hlo_element(t));
    return text_str(&out);
}

const char *hlo_ints(Hlo *h, int n, const int64_t *v) {
    Text out;
    text_init(&out, h->arena);
    for (int i = 0; i < n; i++) text_printf(&out, "%s%lld", i ? ", " : "", (long long)v[i]);
    return text_str(&out);
}

/* The shortest that reads back as x, with the point that MLIR wants */
static const char *float_text(Hlo *h, double x) {
    char digits[40], *e;
    int n = 1;
    do snprintf(digits, sizeof digits, "%.*g", n, x);
    while (n++ < 17 && strtod(digits, NULL) != x);
    if (strchr(digits, '.')) return arena_printf(h->arena, "%s", digits);
    e = strchr(digits, 'e');
    int front = e ? (int)(e - digits) : (int)strlen(digits);
    return arena_printf(h->arena, "%.*s.0%s", front, digits, digits + front);
}

static const char *not_finite(Hlo *h, DType t, double x) {
    static const struct { DType t; const char *nan, *plus, *minus; } row[] = {
        {DT_F64, "0x7FF8000000000000", "0x7FF0000000000000", "0xFFF0000000000000"},
        {DT_F32, "0x7FC00000", "0x7F800000", "0xFF800000"},
        {DT_F16, "0x7E00", "0x7C00", "0xFC00"},
        {DT_BF16, "0x7FC0", "0x7F80", "0xFF80"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].t == t) return isnan(x) ? row[i].nan : x > 0 ? row[i].plus : row[i].minus;
    return bug("%s is no float", hlo_element(t)), h->word;
}

const char *hlo_literal(Hlo *h, Const c) {
    if (c.dtype == DT_BOOL) return c.i ? "true" : "false";
    if (c.dtype == DT_U64) return arena_printf(h->arena, "%llu", (unsigned long long)c.i);
    if (!dtype_is_float(c.dtype)) return arena_printf(h->arena, "%lld", (long long)c.i);
    return isfinite(c.f) ? float_text(h, c.f) : not_finite(h, c.dtype, c.f);
}

void hlo_fail(Hlo *h, Span at, DiagId why, const char *word) {
    if (h->failed) return;
    h->failed = true, h->at = at.file < 0 ? h->here : at, h->why = why, h->word = word, h->in_turn = why == E_HLO_SIZE;
}

/* ---- what nobody reads */

/* "%12" at p, the number; negative: it is another name */
static int number_at(const char *p) {
    int n = 0;
    if (*p++ != '%' || *p < '0' || *p > '9') return -1;
    while (*p >= '0' && *p <= '9') n = 10 * n + (*p++ - '0');
    return n;
}

/* The result of an operation on one line, of which nothing else follows; negative: the line is something else */
static int only_result(const char *line, const char *end) {
    while (*line == ' ') line++;
    int n = number_at(line);
    const char *name = line + strspn(line, "%0123456789");
    if (n < 0 || strncmp(name, " = ", 3) || end[-1] == '{') return -1;
    return strncmp(name + 3, "stablehlo.while", 15) ? n : -1;
}

static void note_uses(const char *line, const char *end, bool *used) {
    for (; line < end; line++)
        if (*line == '%' && number_at(line) >= 0) used[number_at(line)] = true;
}

void hlo_sweep(Hlo *h, Text *out, const char *body) {
    bool *used = NEWN(h->arena, bool, h->names + 1);
    VEC(const char *) lines = {0};
    for (const char *p = body; *p; p = strchr(p, '\n') + 1) vec_push(h->arena, &lines, p);
    for (int i = lines.len - 1; i >= 0; i--) {
        const char *line = lines.data[i], *end = strchr(line, '\n');
        int n = only_result(line, end);
        if (n >= 0 && !used[n]) lines.data[i] = NULL;
        else note_uses(n < 0 ? line : strchr(line, '='), end, used);
    }
    for (int i = 0; i < lines.len; i++)
        if (lines.data[i]) text_add(out, lines.data[i], (size_t)(strchr(lines.data[i], '\n') + 1 - lines.data[i]));
}
