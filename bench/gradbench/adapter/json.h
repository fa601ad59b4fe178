/* Reading JSON (RFC 8259), and Python's NaN, Infinity and -Infinity for numbers. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct Json Json;
struct Json {
    JsonKind kind;
    double number;    /* of a bool 0 or 1 */
    const char *text; /* of a string, escapes as they were written: a part of what was parsed, not ended by NUL */
    int64_t length;   /* of a string in bytes, else how many children */
    Json *child;      /* the first */
    Json *next;       /* of the same array or object */
    const char *name; /* in an object: the member's */
    int64_t name_length;
};

/* The value that text, which ends with NUL and outlives it, consists of; NULL: it is none. json_free frees it. */
Json *json_parse(const char *text);
void json_free(Json *j);

/* The member of an object; NULL: none, or no object */
const Json *json_member(const Json *j, const char *name);
bool json_is(const Json *j, const char *text); /* a string that is text */

#endif
