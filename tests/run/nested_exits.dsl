fn f(a: int, b: int) -> int {
    var s = 0
    for i in 0:a {
        for j in 0:b {
            if j == 3 { break }
            if (i + j) % 2 == 0 { continue }
            if i * j > 6 { return -s }
            s += 10 * i + j
        }
        if i == 5 { break }
        s += 1000
    }
    return s
}
for i in 0:8 { print(i, f(i, 2), f(i, 9)) }

fn g(x: int) -> int {
    if x > 0 {
        if x > 10 {
            if x > 100 { return 3 }
        } else {
            return 1
        }
    } else if x == 0 {
        return 0
    }
    var y = x
    while y > 50 { y -= 7; if y == 60 { return y } }
    return y
}
print(g(-4), g(0), g(5), g(50), g(81), g(99), g(1000))
