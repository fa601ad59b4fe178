/* Text into HTML and JSON, bytes into base64.  Bytes that are not UTF-8 and control characters, which neither format may
 * hold, become U+FFFD. */
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

void put_clean(Text *t, const char *s, size_t n) {
    for (Piece p; n; s += p.used, n -= (size_t)p.used) {
        p = piece_at(s, n);
        text_add(t, p.text, (size_t)p.len);
    }
}

void put_html(Text *t, const char *s, size_t n) {
    for (Piece p; n; s += p.used, n -= (size_t)p.used) {
        p = piece_at(s, n);
        switch (*s) {
        case '&': put(t, "&amp;"); break;
        case '<': put(t, "&lt;"); break;
        case '>': put(t, "&gt;"); break;
        case '"': put(t, "&quot;"); break;
        default: text_add(t, p.text, (size_t)p.len);
        }
    }
}

void put_json(Text *t, const char *s, size_t n) {
    put(t, "\"");
    for (Piece p; n; s += p.used, n -= (size_t)p.used) {
        p = piece_at(s, n);
        switch (*s) {
        case '"': put(t, "\\\""); break;
        case '\\': put(t, "\\\\"); break;
        case '\n': put(t, "\\n"); break;
        case '\t': put(t, "\\t"); break;
        default: text_add(t, p.text, (size_t)p.len);
        }
    }
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
