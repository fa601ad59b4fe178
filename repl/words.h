/* Words in a text that is not parsed. */
#ifndef DSL_WORDS_H
#define DSL_WORDS_H

#include <stdbool.h>

bool char_in_word(char c); /* letters, digits, _ */
bool text_is_blank(const char *s);
bool text_is_name(const char *s); /* one word and no more, and no number */
/* The next place from p on where the name stands as a word of text, and not as a field; NULL: none */
const char *text_find(const char *text, const char *p, const char *name);
bool text_mentions(const char *text, const char *name);

#endif
