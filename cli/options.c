/* Reads the command line.  The table is options.def: the parser, --help and the spelling suggestions
 * all come from it. */
#include "cli/cli.h"
#include "pipeline/pipeline.h"
#include "runtime/dsl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef enum { FLAG, CHOOSE, EDIT, TEXT, NUMBER, COUNT, THREADS, VARY, LEVEL, LIST, COARSEN, CHOICE } OptionKind;
typedef struct {
    const char *name;
    char letter;
    OptionKind kind;
    size_t offset;
    const char *arg, *doc;
    bool secret;
} Option;

static const Option option_table[] = {
#define ROW(name, letter, kind, field, arg, doc, secret) \
    {name, letter, kind, offsetof(Options, field), arg, doc, secret},
#define OPTION(name, letter, kind, field, arg, doc) ROW(name, letter, kind, field, arg, doc, false)
#define SECRET(name, letter, kind, field, arg, doc) ROW(name, letter, kind, field, arg, doc, true)
#include "cli/options.def"
#undef SECRET
#undef OPTION
#undef ROW
};
enum { OPTION_COUNT = sizeof option_table / sizeof *option_table };

#define COMMAND(name, function, args, doc) int function(const Options *o);
#define HIDDEN(name, function, args, doc) COMMAND(name, function, args, doc)
#include "cli/commands.def"
#undef HIDDEN
#undef COMMAND

typedef struct { Command command; bool hidden; } CommandRow;
static const CommandRow command_table[] = {
#define COMMAND(name, function, args, doc) {{name, function, args, doc}, false},
#define HIDDEN(name, function, args, doc) {{name, function, args, doc}, true},
#include "cli/commands.def"
#undef HIDDEN
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof command_table / sizeof *command_table };

/* The field of o that an option sets */
static void *option_field(Options *o, const Option *opt) { return (char *)o + opt->offset; }

static bool number_parse(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return *text && !*end && !errno;
}

/* Which of the alternatives "a|b|c" text is, or -1 */
static int alternative_find(const char *alternatives, const char *text) {
    size_t n = strlen(text);
    for (int i = 0;; i++) {
        size_t len = strcspn(alternatives, "|");
        if (len == n && !strncmp(alternatives, text, n)) return i;
        if (!alternatives[len]) return -1;
        alternatives += len + 1;
    }
}

static bool bad_value(Options *o, const Option *opt, const char *value) {
    Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_VALUE, opt->name, value);
    if (opt->kind == COUNT) diag_hint(o->session, d, "it takes a number from 1 on");
    else if (opt->kind == THREADS) diag_hint(o->session, d, "it takes a number from 1 to %d", DSL_MAX_THREADS);
    else if (opt->kind == VARY) diag_hint(o->session, d, "it takes %s, up to %d values", opt->arg, MOST_VARIED);
    else diag_hint(o->session, d, "it takes %s", opt->arg);
    return false;
}

static bool bad_edit(Options *o, const Option *opt, const char *value) {
    PassEdit none;
    Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_VALUE, opt->name, value);
    diag_hint(o->session, d, "%s", pass_edit_read(o->session, opt->name, value, &none));
    return false;
}

/* NAME=V,V,... without empty ones */
static bool vary_valid(const char *text) {
    int values = 0;
    const char *v = strchr(text, '=');
    if (!v || v == text) return false;
    for (; *v; v += strcspn(v, ","), values++)
        if (!strcspn(++v, ",")) return false;
    return values <= MOST_VARIED;
}

static bool list_add(Options *o, void *list, const char *value) {
    VEC(const char *) *names = list;
    vec_push(session_arena(o->session), names, intern(o->session, value));
    return true;
}

static bool option_set(Options *o, const Option *opt, const char *value) {
    void *field = option_field(o, opt);
    int64_t n;
    switch (opt->kind) {
    case FLAG: *(bool *)field = true; return true;
    case TEXT: *(const char **)field = intern(o->session, value); return true;
    case NUMBER:
        if (!number_parse(value, &n)) return bad_value(o, opt, value);
        *(int64_t *)field = n;
        return true;
    case COUNT:
    case THREADS:
        if (!number_parse(value, &n) || n < 1 || (opt->kind == THREADS && n > DSL_MAX_THREADS))
            return bad_value(o, opt, value);
        *(int64_t *)field = n;
        return true;
    case VARY: return vary_valid(value) ? list_add(o, field, value) : bad_value(o, opt, value);
    case LEVEL:
        if (!number_parse(value, &n) || n < 0 || n > 3) return bad_value(o, opt, value);
        *(int *)field = (int)n;
        return true;
    case CHOOSE: return choice_say(&o->pass, value) || bad_value(o, opt, value);
    case EDIT: return pass_edit_add(o, opt->name, value) || bad_edit(o, opt, value);
    case LIST: return list_add(o, field, value);
    case COARSEN: {
        Coarsening c;
        if (!coarsening_parse(o->session, opt->name + strlen("coarsen-"), value, &c)) return bad_value(o, opt, value);
        vec_push(session_arena(o->session), &o->coarsen, c);
        o->pass.coarsen = o->coarsen.data, o->pass.ncoarsen = o->coarsen.len;
        return true;
    }
    case CHOICE: {
        int i = alternative_find(opt->arg, value);
        if (i < 0) return bad_value(o, opt, value);
        *(int *)field = i;
        return true;
    }
    }
    return false;
}

static const Option *option_by_name(const char *name, size_t n) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (!strncmp(option_table[i].name, name, n) && !option_table[i].name[n]) return &option_table[i];
    return NULL;
}

static const Option *option_by_letter(char c) {
    for (int i = 0; i < OPTION_COUNT; i++)
        if (option_table[i].letter == c && c) return &option_table[i];
    return NULL;
}

static bool unknown_option(Options *o, const char *arg, size_t n) {
    const char *names[OPTION_COUNT];
    for (int i = 0; i < OPTION_COUNT; i++) names[i] = option_table[i].name;
    const char *word = intern_n(o->session, arg, n);
    Diag *d = diag_report(o->session, NO_SPAN, E_UNKNOWN_OPTION, word);
    const char *bare = word + strspn(word, "-");
    const char *near = *bare ? spell_nearest(bare, names, OPTION_COUNT) : NULL;
    if (near) diag_hint(o->session, d, "did you mean '--%s'?", near);
    else diag_hint(o->session, d, "'dslc --help' lists them");
    return false;
}

static bool missing_value(Options *o, const Option *opt) {
    Diag *d = diag_report(o->session, NO_SPAN, E_OPTION_NEEDS_VALUE, opt->name);
    diag_hint(o->session, d, "it takes %s", opt->arg);
    return false;
}

/* --name, --name=value, --name value */
static bool parse_long(Options *o, int argc, char **argv, int *i) {
    const char *name = argv[*i] + 2;
    size_t n = strcspn(name, "=");
    const Option *opt = option_by_name(name, n);
    if (!opt) return unknown_option(o, argv[*i], n + 2);
    if (name[n] == '=') return opt->kind == FLAG ? bad_value(o, opt, name + n + 1) : option_set(o, opt, name + n + 1);
    if (opt->kind == FLAG) return option_set(o, opt, "");
    if (opt->kind == CHOICE) return *(int *)option_field(o, opt) = 1, true;
    if (*i + 1 >= argc) return missing_value(o, opt);
    return option_set(o, opt, argv[++*i]);
}

/* -x, -xVALUE, -x VALUE */
static bool parse_short(Options *o, int argc, char **argv, int *i) {
    const char *arg = argv[*i];
    const Option *opt = option_by_letter(arg[1]);
    if (!opt) return unknown_option(o, arg, strlen(arg));
    if (opt->kind == FLAG) return arg[2] ? unknown_option(o, arg, strlen(arg)) : option_set(o, opt, "");
    if (arg[2]) return option_set(o, opt, arg + 2 + (arg[2] == '='));
    if (*i + 1 >= argc) return missing_value(o, opt);
    return option_set(o, opt, argv[++*i]);
}

/* A word that names no file is a sub-command misspelt, unless it looks like a path. */
static bool unknown_command(Options *o, const char *word) {
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = command_table[i].command.name;
    Diag *d = diag_report(o->session, NO_SPAN, E_UNKNOWN_COMMAND, word);
    const char *near = spell_nearest(word, names, COMMAND_COUNT);
    if (near) diag_hint(o->session, d, "did you mean '%s'?", near);
    else diag_hint(o->session, d, "'dslc --help' lists them; programs end in .dsl");
    return false;
}

static bool parse_word(Options *o, const char *word) {
    if (!o->command && o->inputs.len == 0) {
        o->command = command_find(word);
        if (o->command) return true;
        if (!strpbrk(word, "./")) return unknown_command(o, word);
    }
    vec_push(session_arena(o->session), &o->inputs, intern(o->session, word));
    return true;
}

static void help_commands(FILE *out) {
    fprintf(out, "usage: dslc COMMAND [OPTIONS] FILE       dslc FILE.dsl makes an executable\n\ncommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const Command *c = &command_table[i].command;
        if (!command_table[i].hidden) fprintf(out, "  %-9s %-16s %s\n", c->name, c->args, c->doc);
    }
}

/* Behind the commands in front of what an option does ("test, bench: only those ..."); NULL: there are none */
static const char *behind_commands(const Options *o, const Option *opt) {
    size_t n = strcspn(opt->doc, ",: ");
    if (!opt->doc[n] || opt->doc[n] == ' ' || !command_find(intern_n(o->session, opt->doc, n))) return NULL;
    return strstr(opt->doc, ": ") + 2;
}

static void help_option(FILE *out, const Options *o, const Option *opt) {
    Session *s = o->session;
    const char *doc = behind_commands(o, opt);
    const char *shown = opt->letter
        ? intern_printf(s, "-%c, --%s%s%s", opt->letter, opt->name, *opt->arg ? "=" : "", opt->arg)
        : intern_printf(s, "    --%s%s%s", opt->name, *opt->arg ? "=" : "", opt->arg);
    fprintf(out, "  %-30s %s\n", shown, doc ? doc : opt->doc);
}

/* What `dslc tune` tries: the table opt/choices.def */
static void help_choices(FILE *out) {
    fprintf(out, "\nchoices (--choose=NAME=VALUE), the usual value first:\n");
    for (int i = 0; i < CHOICE_COUNT; i++) {
        const ChoiceInfo *c = choice_info((ChoiceId)i);
        fprintf(out, "  %-14s %s\n  %-14s", c->name, c->doc, "");
        for (int k = 0; k < CHOICE_WORDS && c->words[k]; k++) fprintf(out, " %s", c->words[k]);
        fprintf(out, "\n");
    }
}

/* Where commands are named, only their help has it. */
static bool is_shown(const Options *o, const Option *opt) {
    if (!behind_commands(o, opt)) return !opt->secret;
    for (const char *name = opt->doc;; name += strcspn(name, ",:") + 2) {
        size_t n = strcspn(name, ",:");
        if (o->command && strlen(o->command->name) == n && !strncmp(o->command->name, name, n)) return true;
        if (name[n] != ',') return false;
    }
}

void options_help(FILE *out, const Options *o) {
    if (o->command)
        fprintf(out, "usage: dslc %s [OPTIONS] %s\n%s\n", o->command->name, o->command->args, o->command->doc);
    else help_commands(out);
    fprintf(out, "\noptions:\n");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (is_shown(o, &option_table[i])) help_option(out, o, &option_table[i]);
    if (o->command && o->command->run == cmd_tune) help_choices(out);
}

const Command *command_find(const char *name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(command_table[i].command.name, name)) return &command_table[i].command;
    return NULL;
}

static bool words_parse(Options *o, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (!strcmp(arg, "--")) {
            while (++i < argc) vec_push(session_arena(o->session), &o->prog_args, intern(o->session, argv[i]));
            return true;
        }
        bool ok = !strncmp(arg, "--", 2)  ? parse_long(o, argc, argv, &i)
                  : arg[0] == '-' && arg[1] ? parse_short(o, argc, argv, &i)
                                            : parse_word(o, arg);
        if (!ok) return false;
    }
    return true;
}

/* What rounding takes away is there only where floats are computed as written. */
static bool pairs_fit(Options *o) {
    static const char *const modes[] = {"strict", "contract", "reassoc", "fast"};
    if (o->pass.pairs == PAIRS_NONE || o->pass.fp == FP_STRICT) return true;
    diag_report(o->session, NO_SPAN, E_PAIRS_FP, modes[o->pass.fp]);
    return false;
}

bool options_parse(Options *o, int argc, char **argv) {
    o->pass.level = 2;
    const char *unknown = NULL;
    if (!words_parse(o, argc, argv)) return false;
    if (!warnings_apply(o, &unknown)) return bad_value(o, option_by_letter('W'), unknown);
    return pairs_fit(o);
}
