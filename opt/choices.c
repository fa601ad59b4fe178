/* The choices of choices.def: finding them by name, and what was chosen. */
#include "opt/pass.h"

#include <stdlib.h>
#include <string.h>

static const ChoiceInfo table[] = {
#define CHOICE(id, name, where, doc, ...) {name, doc, where, {__VA_ARGS__}},
#include "opt/choices.def"
#undef CHOICE
};

const ChoiceInfo *choice_info(ChoiceId id) { return &table[id]; }

const char *choice_word(const PassOptions *opts, ChoiceId id) {
    return table[id].words[opts->choice[id] ? opts->choice[id] - 1 : 0];
}

int64_t choice_int(const PassOptions *opts, ChoiceId id) { return strtoll(choice_word(opts, id), NULL, 10); }

bool choice_is(const PassOptions *opts, ChoiceId id, const char *word) { return !strcmp(choice_word(opts, id), word); }

bool choice_find(const char *name, size_t n, const char *word, ChoiceId *id, int *which) {
    for (int i = 0; i < CHOICE_COUNT; i++)
        if (!strncmp(table[i].name, name, n) && !table[i].name[n])
            for (int k = 0; k < CHOICE_WORDS && table[i].words[k]; k++)
                if (!strcmp(table[i].words[k], word)) return *id = (ChoiceId)i, *which = k, true;
    return false;
}

bool choice_leaves_out(const PassOptions *opts, const char *pass) {
    for (int i = 0; i < CHOICE_COUNT; i++)
        if (!strcmp(table[i].name, pass)) return choice_is(opts, (ChoiceId)i, "no");
    return false;
}

bool choice_say(PassOptions *opts, const char *text) {
    ChoiceId id;
    int which;
    size_t n = strcspn(text, "=");
    if (!text[n] || !choice_find(text, n, text + n + 1, &id, &which)) return false;
    opts->choice[id] = (unsigned char)(which + 1);
    return true;
}
