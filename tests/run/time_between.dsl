# What is written between two calls of time() is done between them, on its side, in each turn.
let n = 400000
let x = rand(1, n)
const few = 2e-5

for k in 0:3 {
    let a = time()
    let s = sum(sin(x))
    print(time() - a > few)
    print(s)
}

# twice the same, in straight code
fn twice(x: f64[n]) -> f64 {
    let a = time()
    let s = sum(sin(x))
    let b = time()
    let t = sum(sin(x))
    let c = time()
    print(b - a > few, c - b > few)
    return s - t
}
print(twice(x))

# an array from before, in a branch and in turns of a while
fn before(x: f64[n], c: bool) -> f64 {
    let y = [sqrt(x[i]) for i in 0:n]
    var s = 0.0
    if c {
        let a = time()
        s = sum(sin(y))
        print(time() - a > few)
    }
    var k = 0
    while k < 2 {
        let a = time()
        s += sum(sin(y))
        print(time() - a > few)
        k += 1
    }
    return s
}
print(before(x, is_small(x)))
fn is_small(x: f64[n]) -> bool = sum(x) < 1e9

# the clock behind a function
fn now() -> f64 = time()
for k in 0:2 {
    let a = now()
    let s = sum(cos(x))
    print(now() - a > few)
    print(s)
}

# whole arrays
let m = rand(2, 120, 120)
let t0 = time()
let p = m @ m
let t1 = time()
let q = m @ m
let t2 = time()
print(t1 - t0 > few, t2 - t1 > few)
print(sum(p) == sum(q))
let t3 = time()
let u = sort(x)
let t4 = time()
let v = sort(x)
let t5 = time()
print(t4 - t3 > few, t5 - t4 > few)
print(u[7] == v[7])

# a function that only computes, called three times: no C compiler calls it once
fn steps(x: f64) -> f64 {
    var s = x
    for i in 0:20000 { s = s * 0.999 + sin(s) + 0.25 * cos(s) }
    for i in 0:20000 { s = s * 0.998 + sin(s) + 0.25 * cos(s) }
    if s > 4.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 5.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 6.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 7.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 8.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    return s
}
let d0 = time()
let e0 = steps(0.5)
let d1 = time()
let e1 = steps(0.5)
let d2 = time()
let e2 = steps(0.5)
print(d1 - d0 > few, d2 - d1 > few, time() - d2 > few)
print(e0 == e1, e1 == e2)
