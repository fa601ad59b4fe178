/* dslc reference: the tables of operations, attributes, passes and rules as Markdown, for docs/ir.md. */
#include "driver/driver.h"
#include "opt/rewrite.h"
#include "pipeline/pipeline.h"

#include <string.h>

typedef struct { const char *title; bool (*has)(const OpInfo *i, OpCode c); } Group;

static bool is_symbolic(const OpInfo *i, OpCode c) { (void)i; return c == OP_CONST || c == OP_SIZE || c == OP_BIND; }
static bool is_elementwise(const OpInfo *i, OpCode c) { (void)c; return i->traits & TR_ELEM; }
static bool is_tensor(const OpInfo *i, OpCode c) { return i->levels == LV_HOST || c == OP_EXTRACT; }
static bool is_of_processes(const OpInfo *i, OpCode c) { (void)i; return c >= OP_PART && c <= OP_ALLGATHER; }
static bool is_memory(const OpInfo *i, OpCode c) { return i->levels == LV_ISLAND || c == OP_ISLAND; }
static bool is_owner(const OpInfo *i, OpCode c) { (void)c; return i->levels == LV_LOOPS; }
static bool is_control(const OpInfo *i, OpCode c) { return i->regions || i->traits & TR_TERM || c == OP_CALL; }
static bool is_rest(const OpInfo *i, OpCode c) { (void)i, (void)c; return true; }

/* An operation belongs to the first group that has it. */
static const Group groups[] = {
    {"Constants and sizes", is_symbolic}, {"Elementwise", is_elementwise}, {"Tensors as values", is_tensor},
    {"Processes", is_of_processes}, {"Islands: memory", is_memory}, {"Tensors with owners (stage loops)", is_owner},
    {"Control", is_control},
    {"The world", is_rest},
};
enum { GROUP_COUNT = sizeof groups / sizeof *groups };

static int group_of(OpCode c) {
    int g = 0;
    while (!groups[g].has(op_info(c), c)) g++;
    return g;
}

static const struct { int trait; const char *word; } trait_words[] = {
    {TR_PURE, "pure"}, {TR_TRAP, "may stop the program"}, {TR_READ, "reads"}, {TR_WRITE, "writes"},
    {TR_EFFECT, "effect"}, {TR_ALLOC, "allocates"}, {TR_COMMUTES, "commutes"},
    {TR_FLOAT, "floats"}, {TR_INT, "ints"}, {TR_BOOL, "gives bool"}, {TR_TERM, "ends a region"}, {TR_LOOP, "loop"},
    {TR_CALL, "calls the C library"}, {TR_OWN, "own arithmetic"},
    {TR_MOVES, "moves elements"}, {TR_NAN, "may make NaN"}, {TR_INF, "may make infinities"},
};

static void print_traits(int traits) {
    const char *sep = "";
    for (size_t i = 0; i < sizeof trait_words / sizeof *trait_words; i++) {
        if (!(traits & trait_words[i].trait)) continue;
        printf("%s%s", sep, trait_words[i].word);
        sep = ", ";
    }
}

/* The last cell of a row of a table */
static void end_row(const char *text) {
    printf(" | ");
    for (; *text; text++) printf(*text == '|' ? "\\|" : "%c", *text);
    printf(" |\n");
}

static void print_op(const OpInfo *i) {
    printf("| `%s` | %s | %s | %s | ", i->mnemonic, i->operands, i->results, i->attrs);
    print_traits(i->traits);
    end_row(i->doc);
}

static void print_group(int g) {
    printf(
        "\n### %s\n\n| operation | operands | results | attributes | traits | meaning |\n|---|---|---|---|---|---|\n",
        groups[g].title);
    for (int c = 0; c < OP_COUNT; c++)
        if (group_of((OpCode)c) == g) print_op(op_info((OpCode)c));
}

static void print_attrs(void) {
    static const char *const types[] = {
        [AT_FLAG] = "flag",        [AT_SYM] = "word",
        [AT_COMBINE] = "word", [AT_LOOP] = "word",
        [AT_STR] = "text",  [AT_CONST] = "constant", [AT_CONSTS] = "constants",
        [AT_INTS] = "ints", [AT_SIZES] = "sizes",    [AT_FUNC] = "function",
    };
    printf("\n## Attributes\n\n| attribute | type | meaning |\n|---|---|---|\n");
    for (int i = 0; i < ATTR_COUNT; i++) {
        printf("| `%s` | %s", attr_table[i].name, types[attr_table[i].type]);
        end_row(attr_table[i].doc);
    }
}

static const char *const places[WHERE_COUNT] = {
    [ANY] = "all", [HOST] = "CPU", [ALONE] = "CPU, not mpi", [RANKS] = "mpi", [ELEMENTS] = "all"};

static void print_passes(void) {
    int n;
    const PassInfo *p = pass_table(&n);
    printf("\n## Passes, in the order of the default pipeline\n\n| pass | stages | from | for | what it does "
           "|\n|---|---|---|---|---|\n");
    for (int i = 0; i < n; i++) {
        printf("| `%s` | %s", p[i].name, stage_name(p[i].in));
        if (p[i].out != p[i].in) printf(" to %s", stage_name(p[i].out));
        printf(" | -O%d | %s", p[i].level, places[p[i].where]);
        end_row(p[i].doc);
    }
}

/* A rule once, though it may be several: for each order of what commutes */
static void print_rules(const char *title, const RewriteSet *set) {
    printf("\n## Rules: %s\n\n```\n", title);
    for (int i = 0; i < set->n; i++)
        if (!i || strcmp(set->rules[i].name, set->rules[i - 1].name)) printf("%s\n", set->rules[i].text);
    printf("```\n");
}

static void print_predicates(void) {
    printf("\n| predicate | holds for |\n|---|---|\n");
#define PREDICATE(id, name, nargs, doc) printf("| `%s` | %s |\n", name, doc);
#include "opt/predicates.def"
#undef PREDICATE
}

static void print_shapes(void) {
    printf("\n| operation | its shape |\n|---|---|\n");
#define SHAPED(op, name, operands, attribute, doc) printf("| `%s` | %s |\n", name, doc);
#include "opt/shapes.def"
#undef SHAPED
    printf("\n| shape, or condition | is, or holds for |\n|---|---|\n");
#define SHAPE(id, name, function, nargs, doc) printf("| `%s` | %s |\n", name, doc);
#include "opt/shapes.def"
#undef SHAPE
}

int cmd_reference(const Options *o) {
    (void)o;
    printf("## Operations\n");
    for (int g = 0; g < GROUP_COUNT; g++) print_group(g);
    print_attrs();
    print_passes();
    print_rules("elementwise", &scalar_rules);
    print_predicates();
    print_rules("whole arrays", &tensor_rules);
    print_shapes();
    print_rules("real numbers (`dslc accuracy`)", &accuracy_rules);
    return EXIT_OK;
}
