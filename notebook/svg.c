/* SVG inside the page, so that its text can be read and its colours follow the page's.
 *
 * Read tag by tag.  Only elements and attributes that draw are taken over, links only to the picture's own parts and to
 * bits that it brings along; of the first other thing, or of tags that do not match, the caller shows the picture as a
 * file instead.  Ids and what refers to them get a prefix: those of two pictures must not meet. */
#include "notebook/write.h"

#include <string.h>
#include <strings.h>

enum { MAX_OPEN = 100 };

typedef struct Name { const char *s; int n; } Name;

typedef struct Svg {
    Text *out;
    const char *at, *end, *prefix, *alt;
    Name open[MAX_OPEN];
    int depth, hidden; /* hidden: depth from which on nothing is shown; 0: none */
} Svg;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool name_is(Name x, const char *s) { return (int)strlen(s) == x.n && !memcmp(x.s, s, (size_t)x.n); }

static bool in_list(Name x, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (name_is(x, list[i])) return true;
    return false;
}

static bool may_draw(Name x) {
    static const char *const elements[] = {
        "svg",      "g",          "path",    "rect",           "circle",         "ellipse", "line",
        "polyline", "polygon",    "text",    "tspan",          "defs",           "use",     "image",
        "clipPath", "mask",       "pattern", "linearGradient", "radialGradient", "stop",    "filter",
        "feFlood",  "feComposite"};
    return in_list(x, elements, sizeof elements / sizeof *elements);
}

static bool is_silent(Name x) { return name_is(x, "title") || name_is(x, "desc"); }

static bool starts(const Svg *v, const char *s) {
    return (size_t)(v->end - v->at) >= strlen(s) && !memcmp(v->at, s, strlen(s));
}

static const char *find(const char *from, const char *end, const char *s) {
    return from < end ? memmem(from, (size_t)(end - from), s, strlen(s)) : NULL;
}

/* ---- attributes */

/* Puts a value whose references url(#...) get the prefix; false: it refers to something else. */
static bool put_value(Svg *v, Name value) {
    const char *p = value.s, *end = p + value.n;
    for (const char *ref; (ref = find(p, end, "url(")); p = ref + strlen("url(#")) {
        if (end - ref < 6 || ref[4] != '#') return false;
        put_clean(v->out, p, (size_t)(ref - p));
        text_printf(v->out, "url(#%s", v->prefix);
    }
    put_clean(v->out, p, (size_t)(end - p));
    return true;
}

static bool put_link(Svg *v, Name value) {
    static const char own[] = "data:image/png;base64,";
    if (value.n && *value.s == '#') {
        text_printf(v->out, "#%s", v->prefix);
        value.s++, value.n--;
    } else if (value.n < (int)strlen(own) || memcmp(value.s, own, strlen(own)) != 0) return false;
    return put_value(v, value);
}

static bool put_attribute(Svg *v, Name name, Name value) {
    bool link = name_is(name, "href") || name_is(name, "xlink:href");
    if ((name.n >= 2 && !strncasecmp(name.s, "on", 2)) || memchr(value.s, '<', (size_t)value.n)) return false;
    if (!strncmp(name.s, "xml", 3)) return true; /* name spaces: HTML knows them */
    text_printf(v->out, " %.*s=\"", name.n, name.s);
    if (name_is(name, "id")) put(v->out, v->prefix);
    bool ok = link ? put_link(v, value) : put_value(v, value);
    put(v->out, "\"");
    return ok;
}

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == ':' || c == '.';
}

static Name read_name(Svg *v) {
    Name x = {v->at, 0};
    while (v->at < v->end && is_name_char(*v->at)) v->at++, x.n++;
    return x;
}

static void skip_spaces(Svg *v) {
    while (v->at < v->end && is_space(*v->at)) v->at++;
}

static bool read_attribute(Svg *v, Name *name, Name *value) {
    *name = read_name(v);
    skip_spaces(v);
    if (!name->n || v->at >= v->end || *v->at++ != '=') return false;
    skip_spaces(v);
    if (v->at >= v->end || (*v->at != '"' && *v->at != '\'')) return false;
    const char *close = memchr(v->at + 1, *v->at, (size_t)(v->end - v->at - 1));
    if (!close) return false;
    *value = (Name){v->at + 1, (int)(close - v->at - 1)};
    v->at = close + 1;
    return !memchr(value->s, '"', (size_t)value->n);
}

/* ---- tags */

static bool copy_attributes(Svg *v) {
    for (skip_spaces(v); v->at < v->end && *v->at != '>' && *v->at != '/'; skip_spaces(v)) {
        Name name, value;
        if (!read_attribute(v, &name, &value)) return false;
        if (!v->hidden && !put_attribute(v, name, value)) return false;
    }
    return v->at < v->end;
}

static void put_role(Svg *v) {
    put(v->out, " role=\"img\" aria-label=\"");
    put_html(v->out, v->alt, strlen(v->alt));
    put(v->out, "\"");
}

static bool open_tag(Svg *v) {
    v->at++;
    Name name = read_name(v);
    bool root = v->depth == 0;
    if (v->depth == MAX_OPEN || root != name_is(name, "svg")) return false;
    v->open[v->depth++] = name;
    if (is_silent(name) && !v->hidden) v->hidden = v->depth;
    if (!v->hidden && !may_draw(name)) return false;
    if (!v->hidden) text_printf(v->out, "<%.*s", name.n, name.s);
    if (root) put_role(v);
    if (!copy_attributes(v)) return false;
    bool empty = *v->at == '/';
    v->at += empty;
    if (v->at >= v->end || *v->at++ != '>') return false;
    if (!v->hidden) put(v->out, empty ? "/>" : ">");
    if (empty && v->hidden == v->depth) v->hidden = 0;
    v->depth -= empty;
    return true;
}

static bool close_tag(Svg *v) {
    v->at += strlen("</");
    Name name = read_name(v), open = v->depth ? v->open[v->depth - 1] : (Name){"", 0};
    skip_spaces(v);
    if (!v->depth || name.n != open.n || memcmp(name.s, open.s, (size_t)name.n) != 0 || v->at >= v->end ||
        *v->at++ != '>')
        return false;
    if (!v->hidden) text_printf(v->out, "</%.*s>", name.n, name.s);
    if (v->hidden == v->depth) v->hidden = 0;
    v->depth--;
    return true;
}

static bool skip_past(Svg *v, const char *s) {
    const char *p = find(v->at, v->end, s);
    if (p) v->at = p + strlen(s);
    return p != NULL;
}

static void put_characters(Svg *v) {
    const char *lt = memchr(v->at, '<', (size_t)(v->end - v->at)), *end = lt ? lt : v->end;
    bool blank = true;
    for (const char *p = v->at; p < end; p++) blank &= is_space(*p);
    if (v->depth && !v->hidden && blank && end > v->at) put(v->out, "\n");
    else if (v->depth && !v->hidden) put_clean(v->out, v->at, (size_t)(end - v->at));
    v->at = end;
}

static bool step(Svg *v) {
    if (starts(v, "<?")) return skip_past(v, "?>");
    if (starts(v, "<!--")) return skip_past(v, "-->");
    if (starts(v, "<![")) return false;
    if (starts(v, "<!")) return skip_past(v, ">");
    if (starts(v, "</")) return close_tag(v);
    if (starts(v, "<")) return open_tag(v);
    put_characters(v);
    return true;
}

bool put_svg(Text *t, const char *svg, size_t n, const char *prefix, const char *alt) {
    Svg v = {.out = t, .at = svg, .end = svg + n, .prefix = prefix, .alt = alt};
    int before = t->len;
    bool ok = true, any = false;
    while (ok && v.at < v.end) {
        ok = step(&v);
        any |= v.depth > 0;
    }
    if (ok && any && !v.depth) return true;
    t->len = before;
    if (t->data) t->data[before] = 0;
    return false;
}
