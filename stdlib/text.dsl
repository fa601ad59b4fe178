# Texts: compared, put together, taken apart.  The C functions are in runtime/text.c.

extern fn dsl_m_text_order(a: str, b: str) -> int
extern fn dsl_m_text_length(s: str) -> int
extern fn dsl_m_text_slice(s: str, from: int, to: int, index: bool) -> str
extern fn dsl_m_text_find(s: str, part: str) -> int
extern fn dsl_m_text_replace(s: str, old: str, new: str) -> str
extern fn dsl_m_text_strip(s: str) -> str
extern fn dsl_m_text_case(s: str, up: bool) -> str
extern fn dsl_m_text_split(s: str, by: str) -> str[found]
extern fn dsl_m_text_join(texts: str[n], between: str) -> str
extern fn dsl_m_text_float(s: str) -> f64
extern fn dsl_m_text_int(s: str) -> int
extern fn dsl_m_text_is_number(s: str) -> bool

# What operators and conversions of texts mean
fn _text_add(a: str, b: str) -> str = f"{a}{b}"
fn _text_eq(a: str, b: str) -> bool = dsl_m_text_order(a, b) == 0
fn _text_ne(a: str, b: str) -> bool = dsl_m_text_order(a, b) != 0
fn _text_lt(a: str, b: str) -> bool = dsl_m_text_order(a, b) < 0
fn _text_le(a: str, b: str) -> bool = dsl_m_text_order(a, b) <= 0
fn _text_gt(a: str, b: str) -> bool = dsl_m_text_order(a, b) > 0
fn _text_ge(a: str, b: str) -> bool = dsl_m_text_order(a, b) >= 0
fn _text_float(s: str) -> f64 = dsl_m_text_float(s)
fn _text_int(s: str) -> int = dsl_m_text_int(s)
fn _text_length(s: str) -> int = dsl_m_text_length(s)
fn _text_at(s: str, i: int) -> str = dsl_m_text_slice(s, i, i, true)
fn _text_from(s: str, from: int) -> str = dsl_m_text_slice(s, from, dsl_m_text_length(s), false)
fn _text_slice(s: str, from: int, to: int) -> str = dsl_m_text_slice(s, from, to, false)

## The texts between the places where `by` stands; between blanks, of which there may be many, when it is ""
fn split(s: str, by: str = "") -> str[found] = dsl_m_text_split(s, by)
## The texts one after the other, with `between` between them
fn join(texts: str[n], between: str = "") -> str = dsl_m_text_join(texts, between)
## The lines of a text
fn lines(s: str) -> str[found] = dsl_m_text_split(dsl_m_text_replace(s, "\r\n", "\n"), "\n")
## The place where a part begins for the first time, or -1
fn find(s: str, part: str) -> int = dsl_m_text_find(s, part)
## Whether a part stands in it; whether it begins, ends with one
fn contains(s: str, part: str) -> bool = dsl_m_text_find(s, part) >= 0
fn starts_with(s: str, part: str) -> bool = dsl_m_text_find(s, part) == 0
fn ends_with(s: str, part: str) -> bool {
    let (n, m) = (dsl_m_text_length(s), dsl_m_text_length(part))
    return n >= m and dsl_m_text_order(dsl_m_text_slice(s, n - min(m, n), n, false), part) == 0
}
## With `new` wherever `old` stands
fn replace(s: str, old: str, new: str) -> str = dsl_m_text_replace(s, old, new)
## Without blanks at both ends
fn strip(s: str) -> str = dsl_m_text_strip(s)
## With great, with small letters; of A to Z
fn upper(s: str) -> str = dsl_m_text_case(s, true)
fn lower(s: str) -> str = dsl_m_text_case(s, false)
## Whether f64(s) is a number
fn is_number(s: str) -> bool = dsl_m_text_is_number(s)
