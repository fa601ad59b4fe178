/* Changes of the default pipeline: a pass is left out, runs once more behind another, or runs there instead of where it
 * stands.
 *
 * A pass is named by its row in passes.def: NAME, or NAME.N for the N-th of several rows of this name.  Left out may be
 * what -O0 leaves out, too; and a pass may run wherever the program is at a stage at which the table runs it.  So the
 * program stays right, and is only faster or slower. */
#include "pipeline/pipeline.h"

#include <string.h>

static bool has_name(const PassInfo *p, const char *name, size_t n) {
    return !strncmp(p->name, name, n) && !p->name[n];
}

/* Of the first n rows, those of this name */
static int rows_of_name(const PassInfo *table, int n, const char *name, size_t len) {
    int rows = 0;
    for (int i = 0; i < n; i++) rows += has_name(&table[i], name, len);
    return rows;
}

const char *pass_row_name(Session *s, int row) {
    int n;
    const PassInfo *table = pass_table(&n);
    const char *name = table[row].name;
    size_t len = strlen(name);
    if (rows_of_name(table, n, name, len) == 1) return name;
    return intern_printf(s, "%s.%d", name, rows_of_name(table, row + 1, name, len));
}

static const char *no_pass(Session *s, const char *name, size_t len) {
    int n;
    const PassInfo *table = pass_table(&n);
    const char **names = NEWN(session_arena(s), const char *, n);
    for (int i = 0; i < n; i++) names[i] = table[i].name;
    const char *word = intern_n(s, name, len), *near = spell_nearest(word, names, n);
    return near ? intern_printf(s, "there is no pass '%s': did you mean '%s'?", word, near)
                : intern_printf(s, "there is no pass '%s'", word);
}

/* NAME or NAME.N */
static const char *row_read(Session *s, const char *text, int *row) {
    int n;
    const PassInfo *table = pass_table(&n);
    size_t len = strcspn(text, ".");
    int number = 0;
    if (!rows_of_name(table, n, text, len)) return no_pass(s, text, len);
    for (*row = 0; *row < n; ++*row) {
        if (!has_name(&table[*row], text, len)) continue;
        if (!strcmp(pass_row_name(s, *row), text)) return NULL;
        number++;
    }
    const char *name = intern_n(s, text, len);
    return number == 1 ? intern_printf(s, "the pass is '%s'", name)
                       : intern_printf(s, "the passes of this name are %s.1 to %s.%d", name, name, number);
}

bool pass_may_be_left_out(const PassInfo *p) {
    return p->in == p->out && p->when == ALWAYS && p->level >= 1 && p->level <= 3;
}

/* The row by which the pass of this name runs at a stage; negative: it does not */
static int row_at_stage(const char *name, size_t len, Stage stage) {
    int n;
    const PassInfo *table = pass_table(&n);
    for (int i = 0; i < n; i++)
        if (has_name(&table[i], name, len) && pass_may_be_left_out(&table[i]) && table[i].in == stage) return i;
    return -1;
}

/* What a pass leaves to another, which has to come behind it */
static const struct { const char *pass, *needs; } followed[] = {{"lanes", "barriers"}};

static bool is_followed(const char *name, int behind) {
    int n, row = behind;
    const PassInfo *table = pass_table(&n);
    for (size_t i = 0; i < sizeof followed / sizeof *followed; i++)
        if (!strcmp(name, followed[i].pass)) {
            while (++row < n && strcmp(table[row].name, followed[i].needs)) continue;
            return row < n;
        }
    return true;
}

/* Where something may run behind: `behind` becomes the row */
static const char *place_read(Session *s, const char *text, int *behind) {
    int n;
    const char *why = row_read(s, text, behind);
    return why || pass_table(&n)[*behind].when == ALWAYS ? why
                                                        : intern_printf(s, "'%s' does not always run", text);
}

/* "PASS@PLACE": PASS, whose row is drop where it moves, runs behind PLACE. */
static const char *placed_read(Session *s, const char *text, bool move, PassEdit *out) {
    int n;
    const PassInfo *table = pass_table(&n);
    size_t len = strcspn(text, "@");
    if (!text[len]) return "it takes PASS@PASS";
    const char *what = intern_n(s, text, len), *why = place_read(s, text + len + 1, &out->behind);
    if (!why && move) why = row_read(s, what, &out->drop);
    if (why) return why;
    if (!move && !rows_of_name(table, n, what, len)) return no_pass(s, what, len);
    Stage stage = table[out->behind].out;
    const char *name = move ? table[out->drop].name : what;
    if (move && !pass_may_be_left_out(&table[out->drop])) return intern_printf(s, "'%s' stays where it is", what);
    out->run = row_at_stage(name, strlen(name), stage);
    if (out->run >= 0 && !is_followed(name, out->behind)) return intern_printf(s, "'%s' has to run before that", name);
    return out->run >= 0 ? NULL : intern_printf(s, "'%s' does not run at stage %s", name, stage_name(stage));
}

const char *pass_edit_read(Session *s, const char *kind, const char *text, PassEdit *out) {
    int n;
    *out = (PassEdit){-1, -1, -1};
    if (strcmp(kind, "without-pass")) return placed_read(s, text, !strcmp(kind, "move-pass"), out);
    const char *why = row_read(s, text, &out->drop);
    return why || pass_may_be_left_out(&pass_table(&n)[out->drop]) ? why
                                                                  : intern_printf(s, "'%s' must run", text);
}
