# The library of the tests in this folder (tests/script/library.sh).

## What the wave runs through.
struct Medium { speed: f64, spacing: f64, damping: f32, name: str, shift: int[2] }
struct Body { x: f64, y: f64, id: i32 }
struct State { u: f64[n, m], time: f64, corner: f64[2, 2] }

const first = 0.5

kernel leap(next: out f64[n, m], u: f64[n, m], c: f64) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i > 0 and i < n - 1 and j > 0 and j < m - 1 {
        next[i, j] = u[i, j] + c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
    }
}

## So many steps of the wave `u`.
## The border stays as it is. /* not the end */
export fn step(u: f64[n, m], medium: Medium, steps: int) -> f64[n, m] {
    assert n > 0 and m > 0, "a wave needs a place"
    let c = first * medium.speed^2 / medium.spacing^2
    var a = u
    for t in 0:steps {
        var next = a
        launch leap[(ceildiv(m, 16), ceildiv(n, 16)), (16, 16)](next, a, c)
        a = next
    }
    return a
}

# ---- arguments and results of all kinds

export fn same(x: f64[n]) -> f64[n] = x
export fn twice(x: f64[n]) -> (f64[n], f64[n]) { return (x, x + x) }
export fn nothing(x: f64[n]) { assert n < 100, "too many" }
export fn halves(x: f16[n], h: f16) -> (f16[n], f16) { return (f16(x + h), h) }
export fn words(s: str, keep: bool) -> (bool, str) { return (not keep, s) }
export fn pair(p: (f64, f32[n]), k: i32) -> (f64, i32) { return (p.0 + f64(sum(p.1)), k) }
export fn medium_of(m: Medium, new: int) -> Medium {
    return Medium(speed=m.speed * 2, spacing=m.spacing, damping=m.damping, name=m.name, shift=[m.shift[1], new])
}
export fn moved(b: Body[n], by: f64) -> Body[n] = [Body(x=p.x + by, y=p.y, id=p.id) for p in b]
export fn every_other(b: Body[n]) -> Body[_] {
    let h = (n + 1) // 2
    return [b[2 * i] for i in 0:h]
}
export fn centre(b: Body[n]) -> Body = Body(x=mean([p.x for p in b]), y=mean([p.y for p in b]), id=i32(n))
export fn advanced(s: State, by: f64) -> State = State(u=s.u + by, time=s.time + by, corner=s.corner.T)
export fn positive(x: f64[n]) -> (f64[found], int[found]) {
    let count = sum([if v > 0 { 1 } else { 0 } for v in x])
    var values = zeros(f64, count)
    var places = zeros(int, count)
    var at = 0
    for i in 0:n {
        if x[i] > 0 {
            values[at] = x[i]
            places[at] = i
            at += 1
        }
    }
    return (values, places)
}
export fn table(n: int, m: int) -> f64[n, 2 * m + 1] = [f64(i * 100 + j) for i in 0:n, j in 0:2*m+1]
export fn product(a: f64[n, k], b: f64[k, m]) -> f64[n, m] = a @ b
export fn solved(a: f64[n, n], b: f64[n]) -> f64[n] = solve(a, b)
export fn hello(new: int) { print("hello", new) }

# ---- failures, in all the places where a loop may have threads

export fn pick(x: f64[n], at: int[k]) -> f64[k] = [x[at[i]] for i in 0:k]
export fn counts(at: int[k], bins: int) -> int[bins] {
    var h = zeros(int, 16)
    parallel for i in 0:k { atomic h[at[i]] += 1 }
    return h[0:bins]
}
## Steps of the Collatz sequence of each number, in a table of the caller's.
export fn collatz(start: int[k], limit: int[m]) -> int[k] {
    var r = zeros(int, k)
    parallel for i in 0:k {
        var x = start[i]
        var n = 0
        while x != 1 {
            x = if x % 2 == 0 { x // 2 } else { 3 * x + 1 }
            n += 1
        }
        r[i] = limit[n]
    }
    return r
}
fn tree(x: int, depth: int, bad: int) -> int {
    if depth == 0 {
        assert x != bad, "the bad leaf"
        let work = [sin(f64(x + i)) for i in 0:20000]
        return if sum(work) > 1e9 { 0 } else { x }
    }
    var a = 0
    spawn { a = tree(2 * x, depth - 1, bad) }
    let b = tree(2 * x + 1, depth - 1, bad)
    sync
    return a + b
}
export fn leaves(depth: int, bad: int) -> int = tree(1, depth, bad)
kernel blocks(y: out f64[n], x: f64[n], at: int[n], width: int) {
    shared s: f64[8192]
    let i = block.x * blockdim.x + thread.x
    s[thread.x] = if i < n { x[i] } else { 0 }
    barrier
    if i < n { y[i] = s[at[i]] }
}
export fn through_blocks(x: f64[n], at: int[n]) -> f64[n] {
    var y = x
    launch blocks[ceildiv(n, 64), 64](y, x, at, 64)
    return y
}
export fn factorial(n: int) -> int {
    if n <= 1 { return 1 }
    return n * factorial(n - 1)
}
export fn much(n: int) -> f64 {
    var a = [f64(i + j) for i in 0:n, j in 0:n]
    for i in 1:n { a[i] += a[i - 1] }
    return a[n - 1, n - 1] + sum(a[:, 0])
}
export fn matching(x: f64[n], y: f64[m]) -> f64 = sum(x[1:] + y)
