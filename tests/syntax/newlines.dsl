# Which newlines end a statement
let a = 1 +
    2 *
    3
let b = (1
    + 2
    - 3)
let c = f(
    1,
    2,
)
let d =
    4
if a > 1 and
   b > 2 {
    c
}
else if b {
    d
}

# a comment between
else
{
    e
}
let e = [
    1, 2,
    3, 4
]
x = 1; y = 2; ; z = 3;
fn g(
    a: f64,
    b: f64,
) -> f64 =
    a + b
let h = [if i > 0 {
    let t = i
    t * 2
} else { 0 } for i in 0:3]
fn k(x: f64) ->
    f64 {
    x
}
let l = fn(x) =>
    x + 1
for i in
    0:3 { }
