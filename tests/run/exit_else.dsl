# The side that returns sees variables as they were, also when the other one goes first and the rest changes them
fn g(x: int, c: f64) -> int {
    var r = c
    if x < 1 {
        print("rest")
    } else {
        return if r > 2 { 1 } else { 2 }
    }
    r = -1.0
    return int(r)
}
struct S { a: int, b: f64 }
fn h(x: int) -> int {
    var r = S(3, 0)
    for i in 0:4 {
        var t = r.a
        if i < x { } else {
            r.b += t
            continue
        }
        t += 10
        r.a = t
    }
    return r.a + int(100 * r.b)
}
print(g(0, 1), g(2, 1), g(2, 3), h(2), h(0), h(4))
