let (a, a) = (1, 2)
let (_, _, b) = (1, 2, 3)
let b = 3
fn f() -> int {
    let (c, d, c) = (1, 2, 3)
    return c + d
}
print(a, b, f())
