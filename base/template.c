/* Texts with places for values: "t = {:.3f}", as formatted texts of the language have them and operations carry them.
 * A brace of the text itself is doubled. */
#include "base/base.h"

#include <string.h>

enum { MAX_WIDTH = 200, MAX_DIGITS = 99 };

bool template_next(const char **at, FormatPart *out) {
    const char *p = *at;
    if (!*p) return false;
    *out = (FormatPart){.text = p};
    if ((*p == '{' || *p == '}') && p[1] == *p) {
        out->len = 1;
        *at = p + 2;
    } else if (*p == '{') {
        out->is_place = true;
        out->text += 1 + (p[1] == ':');
        out->len = (int)strcspn(out->text, "}");
        *at = out->text + out->len + (out->text[out->len] == '}');
    } else {
        out->len = *p == '}' ? 1 : (int)strcspn(p, "{}");
        *at = p + out->len;
    }
    return true;
}

bool template_is_whole(const char *format) {
    for (FormatPart p; template_next(&format, &p);)
        if (p.is_place ? p.text[p.len] != '}' : *p.text == '}' && p.text[1] != '}') return false;
    return true;
}

void template_add_text(Text *t, const char *s, int len) {
    for (int i = 0; i < len; i++)
        text_add(t, s[i] == '{' ? "{{" : s[i] == '}' ? "}}" : &s[i], s[i] == '{' || s[i] == '}' ? 2 : 1);
}

void template_add_place(Text *t, const char *spec, int len) { text_printf(t, len ? "{:%.*s}" : "{}", len, spec); }

int template_places(const char *format) {
    int n = 0;
    for (FormatPart p; template_next(&format, &p);) n += p.is_place;
    return n;
}

/* ---- what stands behind the colon: [<>^][+][0][width][.digits][letter] */

static bool digit(char c) { return c >= '0' && c <= '9'; }

/* At most max; false when greater */
static bool read_number(const char **p, int max, int *out) {
    for (*out = 0; digit(**p); ++*p)
        if ((*out = *out * 10 + (**p - '0')) > max) return false;
    return true;
}

const char *spec_read(const char *text, int len, FormatSpec *out) {
    char copy[32] = "";
    const char *p = copy;
    *out = (FormatSpec){0};
    if (len >= (int)sizeof copy) return "a format is short: [<>^][+][0][width][.digits][letter]";
    memcpy(copy, text, (size_t)len);
    if (*p && strchr("<>^", *p)) out->align = *p++;
    if (*p == '+') out->sign = *p++;
    if (*p == '0' && !out->align) out->zero = *p++;
    if (!read_number(&p, MAX_WIDTH, &out->width)) return "a width is at most 200";
    bool precise = *p == '.';
    if (precise && !digit(*++p)) return "the number of digits stands behind the point: .3f";
    if (!read_number(&p, MAX_DIGITS, &out->digits)) return "at most 99 digits can be asked for";
    if (*p && strchr("dxfeg", *p)) out->type = *p++;
    if (*p == ',' || *p == '_') return "digits are not grouped";
    if (*p == '%') return "write f\"{100*x:.1f} %\"";
    if (*p == 's') return "a text needs no letter: {name:10}";
    if (*p) return "a format is [<>^][+][0][width][.digits][letter]; letters are f e g for numbers, d x for ints";
    bool point = out->type && strchr("feg", out->type);
    if (precise && !point) return "digits need a letter: .3f, .3e or .3g";
    if (point && !precise) out->digits = 6;
    return NULL;
}

bool spec_fits(const FormatSpec *spec, DType t) {
    DTypeKind kind = dtype_info(t)->kind;
    bool number = kind != DK_BOOL && kind != DK_STR, is_int = number && kind != DK_FLOAT;
    if (spec->type == 'd' || spec->type == 'x') return is_int;
    return number || !(spec->type || spec->sign || spec->zero);
}
