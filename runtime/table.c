/* Tables in texts: .csv, .tsv, .txt and .dat.
 *
 * A row is a line.  Values are parted by commas, or where the first row has none by semicolons, tabs or blanks,
 * whatever the name ends in.
 * `#` begins a comment.  A first row that holds something else than numbers names the columns; where there is none, a
 * comment right above the numbers may, as numpy.savetxt writes it.  Quotes may stand around values.  What is missing
 * (nothing, NA, nan, null) is nan.
 *
 * The file is read whole and gone through twice: once for the number of rows, once for the values.  Most decimal
 * numbers need one multiplication or division of two floats that are exact (Clinger, How to read floating point numbers
 * accurately, PLDI 1990); most others the same with 64 bits; the rest is left to strtod. */
#include "runtime/files.h"

#include <float.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_COLUMNS = 100000 };

typedef struct { const char *text; size_t n; } Piece;

typedef struct {
    const dsl_site *at;
    const char *path, *column; /* column "": all */
    char *text;
    const char *end;
    char separator;            /* ' ': any blanks */
    Piece *names;              /* of columns; NULL: there are none */
    int64_t columns, rows, skipped; /* skipped: lines before the first row of values */
    const char *first;         /* that row */
    int64_t first_line;
    bool in_comment;           /* where quotes need not be closed */
    int64_t line, field;       /* being read; fields are counted from 1 */
    int dtype;
    int64_t *place;            /* of each column in a row of the result, or -1; NULL: all are wanted */
    int64_t wanted;            /* columns */
    dsl_array *made;           /* not whole yet */
} Table;

/* ---- what is wrong */

static void drop(Table *t) {
    free(t->text);
    free(t->names);
    free(t->place);
    dsl_release(t->made);
    t->text = NULL;
    t->names = NULL;
    t->place = NULL;
    t->made = NULL;
}

/* What is wrong: the file, the line or the value that was read last */
typedef enum { FILE_WRONG, LINE_WRONG, VALUE_WRONG } Wrong;

static DSL_COLD __attribute__((format(printf, 3, 4))) void say_wrong(const Table *t, Wrong what, const char *fmt, ...) {
    char why[512], place[160] = "";
    size_t n = 0;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    if (what != FILE_WRONG) n = (size_t)sprintf(place, "line %lld", (long long)t->line);
    if (what == VALUE_WRONG) n += (size_t)sprintf(place + n, ", field %lld", (long long)t->field);
    if (what == VALUE_WRONG && t->names && t->field <= t->columns) {
        Piece name = t->names[t->field - 1];
        n += (size_t)sprintf(place + n, " (%.*s)", (int)(name.n < 60 ? name.n : 60), name.text);
    }
    if (what != FILE_WRONG) strcpy(place + n, ": ");
    dsl_say_error(t->at, "E0611", "'%s' is not a readable table: %s%s", t->path, place, why);
}

#define fail(t, ...) (say_wrong(t, __VA_ARGS__), drop(t), dsl_stop(1))

/* ---- pieces of a line */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static const char *skip_blanks(const char *c) {
    while (*c == ' ' || *c == '\t' || *c == '\r') c++;
    return c;
}

static bool ends_line(const char *c) { return *c == '\n' || !*c || *c == '#'; }

static const char *next_line(const Table *t, const char *c) {
    const char *eol = memchr(c, '\n', (size_t)(t->end - c));
    return eol ? eol + 1 : t->end;
}

/* Blanks that part no values */
static const char *skip_space(const Table *t, const char *c) {
    if (t->separator != '\t') return skip_blanks(c);
    while (*c == ' ' || *c == '\r') c++;
    return c;
}

/* The value at *c, without blanks and quotes around it; *c is then at what parts it from the next, or at the end of the
 * line. */
static Piece piece(Table *t, const char **c) {
    const char *s = *c;
    t->field++;
    s = skip_space(t, s);
    if (*s == '"') {
        const char *from = ++s;
        while (*s && *s != '\n' && (*s != '"' || s[1] == '"')) s += *s == '"' ? 2 : 1;
        if (*s != '"' && !t->in_comment) fail(t, VALUE_WRONG, "the quote is not closed on its line");
        *c = *s == '"' ? skip_space(t, s + 1) : s;
        return (Piece){from, (size_t)(s - from)};
    }
    const char *from = s;
    if (t->separator == ' ') while (*s && *s != '\n' && !is_blank(*s) && *s != '#') s++;
    else while (*s && *s != '\n' && *s != t->separator && *s != '#') s++;
    *c = s;
    while (s > from && is_blank(s[-1])) s--;
    return (Piece){from, (size_t)(s - from)};
}

/* From behind a value to the next one; false: the line ends */
static bool advance(const Table *t, const char **c) {
    if (t->separator == ' ') {
        *c = skip_blanks(*c);
        return !ends_line(*c);
    }
    if (**c != t->separator) return false;
    ++*c;
    return true;
}

/* ---- values */

static bool is_missing(Piece p) {
    static const char *const words[] = {"", "na", "n/a", "nan", "null", "none", "-nan", "missing"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == p.n && !strncasecmp(words[i], p.text, p.n)) return true;
    return false;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool read_slowly(Piece p, double *out) {
    char room[512], *end;
    if (p.n >= sizeof room) return false;
    memcpy(room, p.text, p.n);
    room[p.n] = 0;
    if (strchr(room, 'x') || strchr(room, 'X') || strchr(room, '(')) return false;
    *out = strtod(room, &end);
    return end != room && !*end;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* digits * 10^scale where both factors are exact with 64 bits: it is rounded once to these, so that rounding it to 53
 * gives the nearest double, unless it lies about half way between two of these. */
static bool read_with_64_bits(uint64_t digits, int scale, double *out) {
#if LDBL_MANT_DIG == 64
    static const long double high[] = {1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    int n = scale < 0 ? -scale : scale;
    if (n > 27) return false;
    long double power = n > 22 ? high[n - 23] : (long double)powers[n],
                x = scale < 0 ? (long double)digits / power : (long double)digits * power;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t rest = bits & 0x7ff;
    *out = (double)x;
    return rest < 0x3fe || rest > 0x402;
#else
    (void)digits, (void)scale, (void)out;
    return false;
#endif
}

static bool read_float(Piece p, double *out) {
    const char *c = p.text, *end = c + p.n;
    bool minus = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+')) c++;
    uint64_t digits = 0;
    int count = 0, scale = 0, exponent = 0;
    for (; c < end && is_digit(*c); c++, count++) digits = digits * 10 + (uint64_t)(*c - '0');
    if (c < end && *c == '.')
        for (c++; c < end && is_digit(*c); c++, count++, scale--) digits = digits * 10 + (uint64_t)(*c - '0');
    if (!count || count > 19) return read_slowly(p, out);
    if (c < end && (*c == 'e' || *c == 'E')) {
        bool down = ++c < end && *c == '-';
        if (c < end && (*c == '-' || *c == '+')) c++;
        if (c == end) return false;
        for (; c < end && is_digit(*c) && exponent < 1000; c++) exponent = exponent * 10 + (*c - '0');
        scale += down ? -exponent : exponent;
    }
    if (c < end) return false;
    bool few = !(digits >> 53) && scale >= -22 && scale <= 22;
    double x = few ? scale < 0 ? (double)digits / powers[-scale] : (double)digits * powers[scale] : 0;
    if (!few && !read_with_64_bits(digits, scale, &x)) return read_slowly(p, out);
    *out = minus ? -x : x;
    return true;
}

static bool read_int(Piece p, bool *minus, uint64_t *out) {
    size_t i = p.n && (*p.text == '-' || *p.text == '+');
    *minus = p.n && *p.text == '-';
    *out = 0;
    if (i == p.n) return false;
    for (; i < p.n; i++)
        if (!is_digit(p.text[i]) || __builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(p.text[i] - '0'), out))
            return false;
    return true;
}

/* A whole number that is written as a float, 1990.0 or 1.99e+03 */
static bool read_whole(Piece p, bool *minus, uint64_t *out) {
    double x;
    if (!read_float(p, &x) || x != floor(x) || fabs(x) > 0x1p53) return false;
    *minus = x < 0;
    *out = (uint64_t)fabs(x);
    return true;
}

static bool is_number(Piece p) {
    double x;
    return read_float(p, &x) || is_missing(p);
}

static bool is_bool(Piece p) {
    return (p.n == 4 && !strncasecmp(p.text, "true", 4)) || (p.n == 5 && !strncasecmp(p.text, "false", 5));
}

/* Of this table */
static bool is_value(const Table *t, Piece p) { return is_number(p) || (t->dtype == DSL_BOOL && is_bool(p)); }

/* What printf shows of it */
static int shown(Piece p) { return p.n < 100 ? (int)p.n : 100; }

/* A text stands where a number should: columns of both are loaded by their names */
static DSL_COLD __attribute__((noreturn)) void fail_text(Table *t, Piece p, const char *kind) {
    say_wrong(t, VALUE_WRONG, "'%.*s' is no %s", shown(p), p.text, kind);
    if (strspn(p.text, "+-0123456789,") >= p.n && memchr(p.text, ',', p.n))
        dsl_say_hint("numbers are written with a point: 1.5");
    else if (t->names && t->field <= t->columns) {
        Piece name = t->names[t->field - 1];
        dsl_say_hint("load its texts by let x: str[n] = load(\"%s\", \"%.*s\")%s", t->path, shown(name), name.text,
                     *t->column ? "" : ", and the columns of numbers by their names, too: \"a, b\"");
    }
    drop(t);
    dsl_stop(1);
}

static void put_float(Table *t, dsl_array *a, int64_t i, Piece p) {
    double x;
    bool is_there = read_float(p, &x);
    if (!is_there && !is_missing(p)) fail_text(t, p, "number");
    if (!is_there) x = NAN;
    switch (t->dtype) {
    case DSL_F16: ((dsl_f16 *)a->data)[i] = dsl_f32_to_f16((float)x); break;
    case DSL_BF16: ((dsl_bf16 *)a->data)[i] = dsl_f32_to_bf16((float)x); break;
    case DSL_F32: ((float *)a->data)[i] = (float)x; break;
    default: ((double *)a->data)[i] = x;
    }
}

/* Two's complement of so many bytes */
static void put_bits(dsl_array *a, int64_t i, uint64_t x) {
    int n = dsl_dtype_bytes(a->dtype);
    for (int k = 0; k < n; k++) ((unsigned char *)a->data)[i * n + k] = (unsigned char)(x >> 8 * k);
}

static void put_int(Table *t, dsl_array *a, int64_t i, Piece p) {
    bool minus, is_signed = t->dtype >= DSL_I8 && t->dtype <= DSL_I64;
    uint64_t x, most = UINT64_MAX >> (64 - 8 * dsl_dtype_bytes(t->dtype) + is_signed);
    const char *type = dsl_dtype_name(t->dtype);
    if (is_missing(p)) fail(t, VALUE_WRONG, "a value is missing, and %s has no nan: load it as f64", type);
    if (!read_int(p, &minus, &x) && !read_whole(p, &minus, &x)) {
        if (!is_number(p)) fail_text(t, p, "int");
        fail(t, VALUE_WRONG, "'%.*s' is no int: load it as f64", shown(p), p.text);
    }
    if (minus ? x > (is_signed ? most + 1 : 0) : x > most)
        fail(t, VALUE_WRONG, "%.*s is no value of type %s", (int)p.n, p.text, type);
    put_bits(a, i, minus ? -x : x);
}

static void put_bool(Table *t, dsl_array *a, int64_t i, Piece p) {
    bool digit = p.n == 1 && (*p.text == '0' || *p.text == '1');
    if (digit || is_bool(p)) ((bool *)a->data)[i] = p.n == 4 || *p.text == '1';
    else fail(t, VALUE_WRONG, "'%.*s' is neither true nor false", shown(p), p.text);
}

/* Quotes that are doubled between quotes stand for one */
static void put_text(Table *t, dsl_array *a, int64_t i, Piece p) {
    bool quoted = p.text > t->text && p.text[-1] == '"' && p.n > 1;
    char *copy = malloc(p.n + 1);
    size_t n = 0;
    if (!copy) fail(t, VALUE_WRONG, "there is not enough memory");
    for (size_t k = 0; k < p.n; k++) {
        copy[n++] = p.text[k];
        if (quoted && p.text[k] == '"' && k + 1 < p.n && p.text[k + 1] == '"') k++;
    }
    ((const char **)a->data)[i] = dsl_text(t->at, copy, n);
    free(copy);
}

static void put_value(Table *t, dsl_array *a, int64_t i, Piece p) {
    if (t->dtype == DSL_STR) {
        put_text(t, a, i, p);
        return;
    }
    if (t->dtype == DSL_BOOL) put_bool(t, a, i, p);
    else if (t->dtype >= DSL_F16) put_float(t, a, i, p);
    else put_int(t, a, i, p);
}

/* ---- the head: what parts values, names, the number of columns */

static int64_t count_columns(Table *t, const char *c) {
    int64_t n = 0;
    t->field = 0;
    do {
        piece(t, &c);
        if (++n > MOST_COLUMNS) fail(t, FILE_WRONG, "it has more than %d columns", MOST_COLUMNS);
    } while (advance(t, &c));
    return n;
}

static char find_separator(const char *c) {
    static const char marks[] = ",;\t";
    for (const char *m = marks; *m; m++) {
        bool quoted = false;
        for (const char *s = c; *s && *s != '\n' && (quoted || *s != '#'); s++) {
            quoted ^= *s == '"';
            if (*s == *m && !quoted) return *m;
        }
    }
    return ' ';
}

static void take_names(Table *t, const char *c, int64_t columns) {
    t->names = calloc((size_t)columns, sizeof *t->names);
    if (!t->names) fail(t, FILE_WRONG, "there is not enough memory for its names");
    for (int64_t k = 0; k < columns; k++) {
        t->names[k] = piece(t, &c);
        advance(t, &c);
    }
}

static bool all_values(Table *t, const char *c) {
    do
        if (!is_value(t, piece(t, &c))) return false;
    while (advance(t, &c));
    return true;
}

/* The first line from c on that holds something; comment: the last line before that was a comment, what is behind its
 * mark */
static const char *find_row(Table *t, const char *c, const char **comment) {
    for (; c < t->end; c = next_line(t, c), t->line++) {
        const char *s = skip_blanks(c);
        if (*s == '#') *comment = s + 1;
        else if (*s != '\n' && *s) return c;
    }
    return c;
}

/* A comment may name the columns: as many words as there are columns, none of them a number */
static void names_of_comment(Table *t, const char *c) {
    char between = t->separator;
    if (!c) return;
    if (between != ' ' && find_separator(c) != between) t->separator = ' ';
    c = skip_blanks(c);
    t->in_comment = true;
    bool fits = !ends_line(c) && count_columns(t, c) == t->columns && !all_values(t, c);
    if (fits) take_names(t, c, t->columns);
    t->separator = between;
    t->in_comment = false;
}

static void read_head(Table *t) {
    const char *comment = NULL, *c = t->text;
    if (!strncmp(c, "\xEF\xBB\xBF", 3)) c += 3;
    t->line = 1;
    c = find_row(t, c, &comment);
    if (c == t->end) fail(t, FILE_WRONG, "it holds no values");
    t->separator = find_separator(c);
    t->columns = count_columns(t, c);
    if (t->dtype == DSL_STR ? *t->column != 0 : !all_values(t, c)) {
        take_names(t, c, t->columns);
        c = next_line(t, c);
        t->line++;
        c = find_row(t, c, &comment);
    } else {
        names_of_comment(t, comment);
    }
    t->first = c;
    t->first_line = t->line;
}

/* ---- which columns */

static DSL_COLD __attribute__((noreturn)) void fail_column(Table *t, Piece name) {
    char names[600] = "", wrong[80];
    size_t n = 0;
    for (int64_t k = 0; t->names && k < t->columns && n < sizeof names - 80; k++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%.*s", k ? ", " : "",
                              (int)(t->names[k].n < 60 ? t->names[k].n : 60), t->names[k].text);
    bool named = t->names != NULL;
    snprintf(wrong, sizeof wrong, "%.*s", (int)(name.n < 79 ? name.n : 79), name.text);
    drop(t);
    dsl_say_error(t->at, "E0611", "'%s' has no column '%s'", t->path, wrong);
    if (named) dsl_say_hint("its columns are %s", names);
    if (named && strchr(wrong, ',')) dsl_say_hint("several columns make a matrix: let x: f64[n, m] = ...");
    if (!named) dsl_say_hint("its columns have no names: load all as a matrix, x[:, k] is a column");
    dsl_stop(1);
}

static int64_t find_column(Table *t, Piece name) {
    for (int64_t k = 0; t->names && k < t->columns; k++)
        if (t->names[k].n == name.n && !memcmp(t->names[k].text, name.text, name.n)) return k;
    fail_column(t, name);
}

/* The name that begins at c and ends before what parts names, without the blanks around it */
static Piece next_name(const char **c, const char *separator) {
    const char *from = *c + strspn(*c, " "), *end = from + strcspn(from, separator);
    *c = end + (*end == *separator);
    while (end > from && end[-1] == ' ') end--;
    return (Piece){.text = from, .n = (size_t)(end - from)};
}

/* A vector is one column; of a matrix names are parted by commas, or semicolons where names have commas */
static void choose_columns(Table *t, int rank) {
    t->wanted = t->columns;
    if (!*t->column) return;
    const char *separator = strchr(t->column, ';') ? ";" : ",";
    t->wanted = 0;
    t->place = malloc(sizeof *t->place * (size_t)t->columns);
    if (!t->place) fail(t, FILE_WRONG, "not enough memory");
    for (int64_t k = 0; k < t->columns; k++) t->place[k] = -1;
    for (const char *c = t->column; *c;) {
        Piece name = {.text = c, .n = strlen(c)};
        if (rank == 2) name = next_name(&c, separator);
        else c += name.n;
        const int64_t k = find_column(t, name);
        if (t->place[k] >= 0) fail(t, FILE_WRONG, "its column '%.*s' is asked for twice", (int)name.n, name.text);
        t->place[k] = t->wanted++;
    }
}

/* ---- all of it */

static void read_file(Table *t) {
    size_t n;
    t->text = (char *)dsl_read_all(t->at, t->path, &n);
    t->end = t->text + n;
    const char *zero = memchr(t->text, 0, n);
    if (zero) t->line = 1;
    for (const char *c = t->text; zero && c < zero; c++) t->line += *c == '\n';
    if (zero) fail(t, LINE_WRONG, "a byte of 0 stands here: this is no text");
}

static void count_rows(Table *t) {
    for (const char *c = t->first; c < t->end; c = next_line(t, c)) t->rows += !ends_line(skip_blanks(c));
}

/* The values of a row into the elements from `at` on: all, or those of some columns */
static void read_row(Table *t, const char *c, dsl_array *a, int64_t at) {
    int64_t k = 0;
    t->field = 0;
    do {
        Piece p = piece(t, &c);
        const int64_t place = k >= t->columns ? -1 : t->place ? t->place[k] : k;
        if (place >= 0) put_value(t, a, at + place, p);
        k++;
    } while (advance(t, &c));
    if (t->separator != ' ' && !ends_line(skip_blanks(c))) fail(t, VALUE_WRONG, "behind a quote the value must end");
    if (k != t->columns)
        fail(t, LINE_WRONG, "%lld value%s here, and %lld in the first row", (long long)k,
             k == 1 ? " stands" : "s stand", (long long)t->columns);
}

static dsl_array *read_rows(Table *t, int rank) {
    int64_t dim[2] = {t->rows, t->wanted}, at = 0;
    bool lies = rank == 1 && t->wanted != 1; /* one row */
    dsl_array *a = t->made = dsl_new(t->at, t->dtype, rank, lies ? dim + 1 : dim);
    t->line = t->first_line;
    for (const char *c = t->first; c < t->end; c = next_line(t, c), t->line++) {
        if (ends_line(skip_blanks(c))) continue;
        read_row(t, c, a, at);
        at += t->wanted;
    }
    t->made = NULL;
    return a;
}

static DSL_COLD __attribute__((noreturn)) void fail_rank(Table *t, int rank) {
    long long rows = t->rows, columns = t->columns;
    bool named = t->names != NULL;
    drop(t);
    dsl_say_error(t->at, "E0613",
                  "'%s' holds a table of %lld rows and %lld columns, but an array with %d ax%s is needed", t->path,
                  rows, columns, rank, rank == 1 ? "is" : "es");
    if (rank == 1)
        dsl_say_hint(named ? "name a column, load(\"%s\", \"NAME\"), or load all: let x: f64[n, m] = ..."
                           : "load all: let x: f64[n, m] = load(\"%s\"); x[:, k] is a column",
                     t->path);
    else dsl_say_hint("load it as a matrix, let x: f64[n, m] = load(\"%s\"), and reshape that", t->path);
    dsl_stop(1);
}

dsl_array *dsl_table_load(const dsl_site *at, const char *path, const char *column, int dtype, int rank) {
    Table t = {.at = at, .path = path, .column = column, .dtype = dtype};
    read_file(&t);
    read_head(&t);
    count_rows(&t);
    choose_columns(&t, rank);
    if (rank != 2 && (rank != 1 || (t.wanted != 1 && t.rows != 1))) fail_rank(&t, rank);
    dsl_array *a = read_rows(&t, rank);
    drop(&t);
    return a;
}

/* ---- writing */

typedef struct { const dsl_array *a; const char *names; char separator; } Saved;

static int value_text(char out[DSL_FLOAT_TEXT], const dsl_array *a, int64_t i) {
    switch (a->dtype) {
    case DSL_BOOL: return sprintf(out, "%s", ((bool *)a->data)[i] ? "true" : "false");
    case DSL_I8: return sprintf(out, "%d", ((int8_t *)a->data)[i]);
    case DSL_I16: return sprintf(out, "%d", ((int16_t *)a->data)[i]);
    case DSL_I32: return sprintf(out, "%d", ((int32_t *)a->data)[i]);
    case DSL_I64: return sprintf(out, "%lld", (long long)((int64_t *)a->data)[i]);
    case DSL_U8: return sprintf(out, "%u", ((uint8_t *)a->data)[i]);
    case DSL_U16: return sprintf(out, "%u", ((uint16_t *)a->data)[i]);
    case DSL_U32: return sprintf(out, "%u", ((uint32_t *)a->data)[i]);
    case DSL_U64: return sprintf(out, "%llu", (unsigned long long)((uint64_t *)a->data)[i]);
    case DSL_F16: return dsl_format_f32(out, dsl_f16_to_f32(((dsl_f16 *)a->data)[i]));
    case DSL_BF16: return dsl_format_f32(out, dsl_bf16_to_f32(((dsl_bf16 *)a->data)[i]));
    case DSL_F32: return dsl_format_f32(out, ((float *)a->data)[i]);
    default: return dsl_format_f64(out, ((double *)a->data)[i]);
    }
}

/* In quotes where it could be read as something else */
static void put_saved_text(FILE *f, const char *text, char separator) {
    bool plain = *text && !strpbrk(text, "\"#\n\r\t ") && !strchr(text, separator);
    if (plain) fputs(text, f);
    else {
        putc('"', f);
        for (; *text; text++) {
            if (*text == '"') putc('"', f);
            putc(*text == '\n' || *text == '\r' ? ' ' : *text, f); /* a value stands on one line */
        }
        putc('"', f);
    }
}

static void put_names(FILE *f, const Saved *s) {
    if (!*s->names) return;
    for (const char *c = s->names;;) {
        size_t n = strcspn(c, ",");
        const char *from = skip_blanks(c);
        int m = (int)(c + n - from);
        while (m > 0 && is_blank(from[m - 1])) m--;
        bool quoted = m > 0 && (memchr(from, s->separator, (size_t)m) || *from == '#');
        fprintf(f, quoted ? "\"%.*s\"" : "%.*s", m < 0 ? 0 : m, from);
        c += n;
        if (!*c++) break;
        fputc(s->separator, f);
    }
    fputc('\n', f);
}

static bool write_table(FILE *f, const void *what) {
    const Saved *s = what;
    int64_t columns = s->a->rank == 2 ? s->a->dim[1] : 1;
    char text[DSL_FLOAT_TEXT];
    put_names(f, s);
    for (int64_t i = 0; i < s->a->count; i++) {
        if (s->a->dtype == DSL_STR) put_saved_text(f, ((const char *const *)s->a->data)[i], s->separator);
        else fwrite(text, 1, (size_t)value_text(text, s->a, i), f);
        fputc((i + 1) % columns ? s->separator : '\n', f);
    }
    return !ferror(f);
}

static int64_t count_names(const char *names) {
    int64_t n = *names != 0;
    for (; *names; names++) n += *names == ',';
    return n;
}

static DSL_COLD __attribute__((noreturn)) void fail_names(const dsl_site *at, const char *path, int64_t names,
                                                          int64_t columns) {
    dsl_say_error(at, "E0614", "cannot write '%s': %lld names for %lld columns", path, (long long)names,
                  (long long)columns);
    dsl_say_hint("commas part the names of columns: save(\"%s\", x, \"a, b\")", path);
    if (columns == 1 && names > 1) dsl_say_hint("a vector is one column; several are [a, b].T");
    dsl_stop(1);
}

void dsl_table_save(const dsl_site *at, const char *path, const dsl_array *a, const char *names) {
    const char *dot = strrchr(path, '.');
    Saved s = {a, names, !strcasecmp(dot, ".csv") ? ',' : !strcasecmp(dot, ".tsv") ? '\t' : ' '};
    int64_t columns = a->rank == 2 ? a->dim[1] : 1, n = count_names(names);
    if (a->rank > 2) {
        dsl_say_error(at, "E0614", "cannot write '%s': a table has rows and columns, and the array %d axes", path,
                      a->rank);
        dsl_say_hint("let the name end in .npy, or save each matrix: x[0]");
        dsl_stop(1);
    }
    if (n && n != columns) fail_names(at, path, n, columns);
    dsl_write(at, path, write_table, &s);
}

bool dsl_is_table(const char *path) { return dsl_ends_in(path, ".csv .tsv .txt .dat"); }
