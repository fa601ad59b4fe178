/* Text into HTML and JSON, bytes into base64.  Bytes that are not UTF-8 and control characters, which neither format
 * may hold, become U+FFFD. */
#include "notebook/write.h"

static const char replacement[] = "\xEF\xBF\xBD";

/* The code point at s, as text that may stand in both formats */
typedef struct Piece { const char *text; int len, used; } Piece;

static Piece piece_at(const char *s, size_t n) {
    int32_t c;
    int used = utf8_next(s, n < 4 ? (int)n : 4, &c);
    bool control = c < 0x20 && c != '\n' && c != '\t';
    bool bad = c < 0 || control || (c >= 0x7F && c < 0xA0) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c < 0xFDF0);
    if (c == '\r') return (Piece){"", 0, used};
    return bad ? (Piece){replacement, 3, used} : (Piece){s, used, used};
}

/* The characters of s, those that have a name by it */
static void put_named(Text *t, const char *s, size_t n, const char *(*name_of)(char c)) {
    for (Piece p; n; s += p.used, n -= (size_t)p.used) {
        p = piece_at(s, n);
        const char *name = name_of(*s);
        if (name) put(t, name);
        else text_add(t, p.text, (size_t)p.len);
    }
}

static const char *no_name(char c) {
    (void)c;
    return NULL;
}

static const char *html_name(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

static const char *json_name(char c) {
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\t': return "\\t";
    default: return NULL;
    }
}

void put_clean(Text *t, const char *s, size_t n) { put_named(t, s, n, no_name); }
void put_html(Text *t, const char *s, size_t n) { put_named(t, s, n, html_name); }

void put_json(Text *t, const char *s, size_t n) {
    put(t, "\"");
    put_named(t, s, n, json_name);
    put(t, "\"");
}

void put_base64(Text *t, const void *bytes, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)b[i] << 16 | (i + 1 < n ? b[i + 1] : 0u) << 8 | (i + 2 < n ? b[i + 2] : 0u);
        char four[4] = {digits[v >> 18], digits[v >> 12 & 63], digits[v >> 6 & 63], digits[v & 63]};
        if (i + 1 >= n) four[2] = '=';
        if (i + 2 >= n) four[3] = '=';
        text_add(t, four, 4);
    }
}
