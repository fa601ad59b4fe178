/* Diagnostics for programs: one JSON object per line. */
#include "base/private.h"

#include <string.h>

static void put_string(FILE *out, const char *text) {
    fputc('"', out);
    int32_t c;
    for (int n = (int)strlen(text), len; n > 0; text += len, n -= len) {
        len = utf8_next(text, n, &c);
        if (c == '"' || c == '\\') fprintf(out, "\\%c", (int)c);
        else if (c < 0x20) fprintf(out, "\\u%04x", c < 0 ? 0xFFFDu : (unsigned)c); /* -1: no UTF-8 */
        else fwrite(text, 1, (size_t)len, out);
    }
    fputc('"', out);
}

static void put_member(FILE *out, const char *name, const char *text) {
    fprintf(out, ",\"%s\":", name);
    put_string(out, text);
}

/* "file":..,"line":..,"col":..,"end_line":..,"end_col":..,"start":..,"end":..; without a place the file is null */
static void put_place(FILE *out, const Session *s, Span at) {
    if (at.file < 0 || at.file >= source_count(s)) {
        fputs("\"file\":null", out);
        return;
    }
    Place from = source_place(s, at.file, at.lo), to = source_place(s, at.file, at.hi);
    fputs("\"file\":", out);
    put_string(out, source_path(s, at.file));
    fprintf(out, ",\"line\":%d,\"col\":%d,\"end_line\":%d,\"end_col\":%d,\"start\":%d,\"end\":%d", from.line, from.col,
            to.line, to.col, at.lo, at.hi);
}

static void put_diag(FILE *out, const Session *s, const Diag *d) {
    fputc('{', out);
    put_place(out, s, d->at);
    put_member(out, "severity", d->severity == SEV_ERROR ? "error" : "warning");
    put_member(out, "code", diag_info(d->id)->code);
    put_member(out, "message", d->text);
    fputs(",\"notes\":[", out);
    for (int i = 0; i < d->notes.len; i++) {
        fputs(i ? ",{" : "{", out);
        put_place(out, s, d->notes.data[i].at);
        put_member(out, "message", d->notes.data[i].text);
        fputc('}', out);
    }
    fputs("],\"hints\":[", out);
    for (int i = 0; i < d->hints.len; i++) {
        if (i) fputc(',', out);
        put_string(out, d->hints.data[i]);
    }
    fputs("],\"fixes\":[", out);
    for (int i = 0; i < d->fixes.len; i++) {
        const Fix *fix = &d->fixes.data[i];
        fputs(i ? ",{" : "{", out);
        put_place(out, s, fix->at);
        put_member(out, "replacement", fix->text);
        fprintf(out, ",\"sure\":%s}", fix->sure ? "true" : "false");
    }
    fputs("]}\n", out);
}

void diag_flush_json(Session *s, FILE *out) {
    int n;
    Diag **list = diag_take_pending(s, &n);
    for (int i = 0; i < n; i++) put_diag(out, s, list[i]);
}
