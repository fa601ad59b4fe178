/* Words that are special only where the grammar needs them, and elsewhere names: a parameter `out`, a field `kernel`, a
 * function `test`.  What stands before and after such a word decides; no name is followed by another name, so that a
 * word before a name is what begins a statement. */
#include "grammar/parse.h"
#include "grammar/parser.tab.h"

static bool is_contextual(int kind) {
    switch (kind) {
    case KERNEL: case LAUNCH: case BARRIER: case SHARED: case ATOMIC: case SPAWN: case SYNC: case PARALLEL: case IMPORT:
    case TEST: case BENCH: case EXTERN: case EXPORT: case OUT: case INOUT: case ARG:
        return true;
    }
    return false;
}

static bool may_be_name(int kind) { return kind == NAME || is_contextual(kind); }

/* x: out f64[n], and in the head of a kernel x: out (f64, int)[n] */
static bool is_mode(WordPlace w) {
    return w.before == ':' && (may_be_name(w.after) || w.after == FN || (w.after == '(' && w.in_kernel_head));
}

/* fn alone may follow extern and export; the others are said to be wrong there. */
static bool begins_declaration(int kind) {
    return kind == FN || kind == STRUCT || kind == CONST || kind == LET || kind == VAR;
}

static bool ends_statement(int kind) { return kind == NEWLINE || kind == ';' || kind == '}' || kind == 0; }

static bool is_special(int kind, WordPlace w) {
    if (w.before == '.' || w.before == ATOMIC) return false;
    bool before_name = may_be_name(w.after), starts = w.starts && !w.nested;
    switch (kind) {
    case OUT: case INOUT: return is_mode(w);
    case BARRIER: case SYNC: return before_name || (starts && ends_statement(w.after));
    case TEST: case BENCH: return before_name || (w.starts && (w.after == STRING || w.after == '{'));
    case IMPORT: return before_name || (w.starts && w.after == STRING);
    case EXTERN: case EXPORT: return before_name || begins_declaration(w.after);
    case ARG: return starts && before_name;
    case PARALLEL: return before_name || w.after == FOR;
    case SPAWN: return before_name || (starts && (w.after == '{' || w.after == '('));
    case ATOMIC: return before_name || (starts && w.after == '(');
    }
    return before_name;
}

int context_kind(int kind, WordPlace w) { return is_contextual(kind) && !is_special(kind, w) ? NAME : kind; }

bool context_matters(int kind) { return is_contextual(kind); }
