/* Words in a text that is not parsed. */
#include "repl/words.h"

#include <string.h>

bool char_in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool text_is_name(const char *s) {
    const char *p = s;
    while (char_in_word(*p)) p++;
    return *s && !*p && !(*s >= '0' && *s <= '9');
}

bool text_is_blank(const char *s) { return !s[strspn(s, " \t\r\n")]; }

const char *text_find(const char *text, const char *p, const char *name) {
    size_t n = strlen(name);
    for (; (p = strstr(p, name)); p += n)
        if ((p == text || (!char_in_word(p[-1]) && p[-1] != '.')) && !char_in_word(p[n])) return p;
    return NULL;
}

bool text_mentions(const char *text, const char *name) { return text_find(text, text, name) != NULL; }
