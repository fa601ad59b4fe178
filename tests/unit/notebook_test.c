/* Writers of notebooks with what no script should hold: whatever comes in, a page and a .ipynb come out whole, and
 * nothing ends the element or the string that it stands in. */
#include "notebook/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what is checked */

static void assert_utf8(const char *s, size_t n) {
    int32_t c;
    for (size_t i = 0; i < n; i += (size_t)utf8_next(s + i, n - i < 4 ? (int)(n - i) : 4, &c)) {
        utf8_next(s + i, n - i < 4 ? (int)(n - i) : 4, &c);
        assert_true(c >= 0x20 || c == '\n' || c == '\t');
    }
}

/* Tags match; attributes are quoted. */
static void assert_nested(const char *s) {
    char open[400][24];
    int depth = 0;
    for (; (s = strchr(s, '<')); s++) {
        char name[24];
        bool close = s[1] == '/';
        s += 1 + close;
        int n = (int)strcspn(s, " >/\n");
        assert_true(n > 0 && n < (int)sizeof name);
        snprintf(name, sizeof name, "%.*s", n, s);
        bool quoted = false;
        for (; *s && (quoted || *s != '>'); s++) quoted ^= *s == '"';
        assert_true(*s == '>');
        if (s[-1] == '/') continue;
        if (!close) {
            assert_true(depth < 400);
            memcpy(open[depth++], name, sizeof name);
        } else {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        }
    }
    assert_int_equal(depth, 0);
}

static char *written(const Notebook *n, bool (*writer)(const Notebook *, FILE *), size_t *len) {
    char *text = NULL;
    FILE *f = open_memstream(&text, len);
    assert_true(writer(n, f));
    fclose(f);
    return text;
}

/* ---- notebooks */

static Notebook *notebook(Arena *a) {
    Notebook *n = NEW(a, Notebook);
    *n = (Notebook){.arena = a, .path = "dir/x.dsl", .title = "x"};
    return n;
}

static NotebookCell cell(CellKind kind, const char *text) {
    return (NotebookCell){.kind = kind, .title = "", .text = text, .line = 1};
}

static const char hostile[] = "</script><script>alert(1)</script></pre></section>]]>-->\"'&amp;<!-- \x01\x1b[31m "
                              "\xff\xfe\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xef\xbf\xbf"
                              " \xef\xb7\x90"
                              "7\xef\xb7\x91 \\u0000 \\\" $x<y$ \xe2\x80\xa8\n";

static void hostile_text(void **state) {
    (void)state;
    Arena *a = arena_new();
    Notebook *n = notebook(a);
    n->title = n->path = hostile;
    NotebookCell prose = cell(CELL_PROSE, hostile), code = cell(CELL_CODE, hostile);
    code.title = hostile;
    code.failed = true;
    for (OutputKind k = OUT_TEXT; k <= OUT_ERROR; k++)
        vec_push(a, &code.outputs, ((Output){.kind = k, .text = hostile}));
    Figure svg = {hostile, "image/svg+xml", hostile, strlen(hostile), hostile};
    Figure png = {"", "image/png", "\x89PNG\0\xff", 6, "plot\ntitle: a < b\n1 2\n"};
    vec_push(a, &code.outputs, ((Output){.kind = OUT_FIGURE, .text = "", .figure = svg}));
    vec_push(a, &code.outputs, ((Output){.kind = OUT_FIGURE, .text = "", .figure = png}));
    vec_push(a, &n->cells, prose);
    vec_push(a, &n->cells, code);
    size_t len;
    char *page = written(n, notebook_html, &len);
    assert_utf8(page, len);
    assert_null(strstr(page, "<script"));
    assert_int_equal(strlen(page), len);
    assert_non_null(strstr(page, "alt=\"plot; title: a &lt; b\" src=\"data:image/png;base64,iVBORwD/\""));
    assert_non_null(strstr(page, "</html>"));
    free(page);
    char *json = written(n, notebook_ipynb, &len);
    assert_utf8(json, len);
    assert_non_null(strstr(json, "\"image/png\": \"iVBORwD/\""));
    free(json);
    arena_free(a);
}

/* Ten megabytes of output, and prose that is nested ten thousand times */
static void huge(void **state) {
    (void)state;
    Arena *a = arena_new();
    Notebook *n = notebook(a);
    NotebookCell code = cell(CELL_CODE, "1\n");
    Text big, deep;
    text_init(&big, a);
    text_init(&deep, a);
    for (int i = 0; i < 500000; i++) put(&big, "a < b & c > d; 12345\n");
    for (int i = 0; i < 10000; i++) put(&deep, i % 2 ? "> " : "[(");
    put(&deep, "$");
    for (int i = 0; i < 2000; i++) put(&deep, "\\frac{");
    put(&deep, "$");
    vec_push(a, &code.outputs, ((Output){.kind = OUT_TEXT, .text = text_str(&big)}));
    vec_push(a, &n->cells, code);
    vec_push(a, &n->cells, cell(CELL_PROSE, text_str(&deep)));
    size_t len;
    char *page = written(n, notebook_html, &len);
    assert_true(len > 10000000);
    free(page);
    free(written(n, notebook_ipynb, &len));
    arena_free(a);
}

/* ---- formulas: any sequence of their parts is a formula or is shown as its source */

static void random_formulas(void **state) {
    (void)state;
    static const char *const parts[] = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "|",
                                        "^",
                                        "_",
                                        "'",
                                        "&",
                                        "\\\\",
                                        "\\left",
                                        "\\right",
                                        "\\middle",
                                        "\\begin{cases}",
                                        "\\end{cases}",
                                        "\\begin{array}{lc}",
                                        "\\end{array}",
                                        "\\begin",
                                        "\\end",
                                        "\\frac",
                                        "\\sqrt",
                                        "\\sqrt[",
                                        "\\hat",
                                        "\\overbrace",
                                        "\\text{a }",
                                        "\\text",
                                        "\\mathbf",
                                        "\\mathrm",
                                        "\\not",
                                        "\\sum",
                                        "\\int",
                                        "\\limits",
                                        "\\lim",
                                        "\\sin",
                                        "\\alpha",
                                        "\\quad",
                                        "\\",
                                        "\\foo",
                                        "\\hline",
                                        "\\operatorname",
                                        "\\displaystyle",
                                        "\\bigl",
                                        "\\substack",
                                        "\\tag",
                                        "\\pmod",
                                        "x",
                                        "12.5",
                                        "-",
                                        "=",
                                        ",",
                                        "<",
                                        "\"",
                                        "é",
                                        "∑",
                                        "\xff",
                                        ".",
                                        " "};
    srand(1);
    for (int i = 0; i < 20000; i++) {
        Arena *a = arena_new();
        Text tex, out;
        text_init(&tex, a);
        text_init(&out, a);
        for (int k = rand() % 12 + 1; k > 0; k--) put(&tex, parts[(size_t)rand() % (sizeof parts / sizeof *parts)]);
        put_math(&out, text_str(&tex), (size_t)tex.len, i % 2);
        assert_nested(text_str(&out));
        assert_utf8(text_str(&out), (size_t)out.len);
        arena_free(a);
    }
}

static void deep_formulas(void **state) {
    (void)state;
    static const char *const parts[] = {"{",       "\\hat",           "\\not",          "\\frac",   "\\left(", "x^{",
                                        "\\sqrt[", "\\begin{matrix}", "\\displaystyle", "\\mathbf", "\\text{"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        Arena *a = arena_new();
        Text tex, out;
        text_init(&tex, a);
        text_init(&out, a);
        while (tex.len < 4900) put(&tex, parts[i]);
        put_math(&out, text_str(&tex), (size_t)tex.len, true);
        assert_int_equal(strncmp(text_str(&out), "<code", 5), 0);
        arena_free(a);
    }
}

/* ---- pictures */

static void pictures(void **state) {
    (void)state;
    Arena *a = arena_new();
    Text t;
    text_init(&t, a);
    static const char good[] = "<?xml version=\"1.0\"?><!DOCTYPE svg><svg viewBox=\"0 0 1 1\" "
                               "xmlns=\"http://www.w3.org/2000/svg\"><title>no</title>"
                               "<defs><path id='p' d='M0,0'/></defs><use xlink:href='#p'/><g "
                               "clip-path=\"url(#p)\"><text>a &lt; b</text></g></svg>\n";
    assert_true(put_svg(&t, good, strlen(good), "f1_", "alt \"text\""));
    assert_string_equal(text_str(&t),
                        "<svg role=\"img\" aria-label=\"alt &quot;text&quot;\" viewBox=\"0 0 1 1\"><defs><path "
                        "id=\"f1_p\" d=\"M0,0\"/></defs>"
                        "<use xlink:href=\"#f1_p\"/><g clip-path=\"url(#f1_p)\"><text>a &lt; b</text></g></svg>");
    static const char *const bad[] = {"",
                                      "text",
                                      "<svg>",
                                      "<svg></g></svg>",
                                      "<svg><script>x</script></svg>",
                                      "<svg onload=\"x\"></svg>",
                                      "<svg ONLOAD='x'/>",
                                      "<svg><image href=\"http://example.org/\"/></svg>",
                                      "<svg><g style=\"fill:url(http://x)\"/></svg>",
                                      "<svg><foreignObject/></svg>",
                                      "<svg><a href=\"#x\"/></svg>",
                                      "<svg><g x=1/></svg>",
                                      "<svg><g x='a\"b'/></svg>",
                                      "<svg><g",
                                      "<svg><g x",
                                      "<svg><g x=",
                                      "<svg><g x=\"",
                                      "<svg><g /",
                                      "<svg></",
                                      "<svg><!--",
                                      "<svg><![CDATA[x]]></svg>",
                                      "<svg/><p>",
                                      "<svg><style>@import 'x'</style></svg>"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        t.len = 0;
        assert_false(put_svg(&t, bad[i], strlen(bad[i]), "f1_", ""));
        assert_int_equal(t.len, 0);
    }
    arena_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hostile_text), cmocka_unit_test(huge),
                                       cmocka_unit_test(random_formulas), cmocka_unit_test(deep_formulas),
                                       cmocka_unit_test(pictures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
