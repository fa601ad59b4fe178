/* Code in colours: the language's own lexer says what each word is. */
#include "notebook/write.h"

#include <string.h>

static bool is_type(const char *s, int n) {
    DType t;
    char name[16];
    if (n >= (int)sizeof name) return false;
    memcpy(name, s, (size_t)n);
    name[n] = 0;
    return dtype_find(name, &t) || !strcmp(name, "int");
}

/* A class of the style sheet; NULL: plain */
static const char *colour(const char *code, const Lexemes *words, int i) {
    Lexeme w = words->data[i];
    bool called = i + 1 < words->len && words->data[i + 1].lo == w.hi && code[w.hi] == '(';
    switch (w.kind) {
    case LEXEME_COMMENT: return "c";
    case LEXEME_KEYWORD: return "k";
    case LEXEME_NUMBER: return "n";
    case LEXEME_STRING: return "s";
    case LEXEME_NAME: return is_type(code + w.lo, w.hi - w.lo) ? "t" : called ? "f" : NULL;
    case LEXEME_SIGN: return NULL;
    }
    return NULL;
}

void put_code(Text *t, const char *code) {
    Session *s = session_new();
    size_t len = strlen(code);
    Lexemes words = lexemes_of(s, source_add(s, "", code, len));
    int at = 0;
    for (int i = 0; i < words.len; i++) {
        Lexeme w = words.data[i];
        const char *class = colour(code, &words, i);
        put_html(t, code + at, (size_t)(w.lo - at));
        if (class) text_printf(t, "<i class=%s>", class);
        put_html(t, code + w.lo, (size_t)(w.hi - w.lo));
        if (class) put(t, "</i>");
        at = w.hi;
    }
    put_html(t, code + at, len - (size_t)at);
    session_free(s);
}
