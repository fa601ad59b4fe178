#include "json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

typedef struct {
    const char *at;
    int depth;
} Reader;

static Json *read_value(Reader *r);

static void skip_blanks(Reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}

static bool take(Reader *r, char c) {
    skip_blanks(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static bool take_word(Reader *r, const char *word) {
    size_t n = strlen(word);
    if (strncmp(r->at, word, n)) return false;
    r->at += n;
    return true;
}

static bool read_string(Reader *r, const char **text, int64_t *length) {
    if (!take(r, '"')) return false;
    *text = r->at;
    while (*r->at && *r->at != '"') r->at += *r->at == '\\' && r->at[1] ? 2 : 1;
    *length = r->at - *text;
    return take(r, '"');
}

/* Behind the opening bracket; false: something is wrong */
static bool read_children(Reader *r, Json *j, char close) {
    Json **end = &j->child;
    if (take(r, close)) return true;
    do {
        const char *name = NULL;
        int64_t length = 0;
        if (close == '}' && !(read_string(r, &name, &length) && take(r, ':'))) return false;
        Json *x = *end = read_value(r);
        if (!x) return false;
        x->name = name, x->name_length = length;
        j->length++;
        end = &x->next;
    } while (take(r, ','));
    return take(r, close);
}

static bool read_number(Reader *r, Json *j) {
    char *end;
    const char *first = r->at + (*r->at == '-');
    if (!isdigit((unsigned char)*first) && strncmp(first, "NaN", 3) && strncmp(first, "Infinity", 8)) return false;
    j->number = strtod(r->at, &end);
    r->at = end;
    return true;
}

static bool read_into(Reader *r, Json *j) {
    skip_blanks(r);
    switch (*r->at) {
    case '{': j->kind = JSON_OBJECT; return r->at++, read_children(r, j, '}');
    case '[': j->kind = JSON_ARRAY; return r->at++, read_children(r, j, ']');
    case '"': j->kind = JSON_STRING; return read_string(r, &j->text, &j->length);
    case 't': j->kind = JSON_BOOL; j->number = 1; return take_word(r, "true");
    case 'f': j->kind = JSON_BOOL; return take_word(r, "false");
    case 'n': return take_word(r, "null");
    default: j->kind = JSON_NUMBER; return read_number(r, j);
    }
}

static Json *read_value(Reader *r) {
    Json *j = calloc(1, sizeof *j);
    if (!j) abort();
    if (++r->depth <= MAX_DEPTH && read_into(r, j)) return r->depth--, j;
    json_free(j);
    return NULL;
}

void json_free(Json *j) {
    while (j) {
        Json *next = j->next;
        json_free(j->child);
        free(j);
        j = next;
    }
}

const Json *json_member(const Json *j, const char *name) {
    int64_t length = (int64_t)strlen(name);
    if (!j || j->kind != JSON_OBJECT) return NULL;
    for (const Json *x = j->child; x; x = x->next)
        if (x->name_length == length && !memcmp(x->name, name, (size_t)length)) return x;
    return NULL;
}

bool json_is(const Json *j, const char *text) {
    return j && j->kind == JSON_STRING && j->length == (int64_t)strlen(text) && !memcmp(j->text, text, strlen(text));
}

Json *json_parse(const char *text) {
    Reader r = {.at = text};
    Json *j = read_value(&r);
    skip_blanks(&r);
    if (j && *r.at) json_free(j), j = NULL;
    return j;
}
