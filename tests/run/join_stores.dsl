# Branches that store in the same element: one store, before derivatives are taken
const n = 20
const m = 24

fn inside(i: int, j: int) -> bool = i < n and j < m
fn interior(i: int, j: int) -> bool = i > 0 and j > 0 and i < n - 1 and j < m - 1

# As it is usual: the stencil inside, what was there at the edges
kernel else_if(v: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if interior(i, j) {
        v[i, j] = u[i, j] + 0.125 * (u[i - 1, j] * u[i + 1, j] - u[i, j - 1] * u[i, j + 1])
    } else if i < n and j < m {
        v[i, j] = u[i, j]
    }
}
# Stored, and stored again
kernel again(v: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if inside(i, j) {
        v[i, j] = u[i, j]
        let left = i - 1
        if interior(i, j) {
            v[i, j] = u[i, j] + 0.125 * (u[left, j] * u[i + 1, j] - u[i, j - 1] * u[i, j + 1])
        }
    }
}
# The edge first; the condition of each side is another
kernel edge_first(v: out f64[n, m], u: f64[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i == 0 or j == 0 {
        if inside(i, j) { v[i, j] = u[i, j] }
    } else {
        if i < n - 1 and j < m - 1 {
            v[i, j] = u[i, j] + 0.125 * (u[i - 1, j] * u[i + 1, j] - u[i, j - 1] * u[i, j + 1])
        } else if inside(i, j) {
            v[i, j] = u[i, j]
        }
    }
}
# Edge by edge, along one axis, into two arrays, in another order
kernel edges(v: out f64[n * m], w: out f64[n * m], u: f64[n * m]) {
    let i = block.x * blockdim.x + thread.x
    if i == 0 {
        v[i] = 2 * u[0]
        w[i] = sin(u[1])
    } else if i == n * m - 1 {
        w[i] = cos(u[i])
        v[i] = u[i - 1] * u[i]
    } else if i < n * m {
        v[i] = u[i - 1] - 2 * u[i] + u[i + 1]
        w[i] = u[i] * u[i]
    }
}
# What a place is made of decides
kernel solid(v: out f32[n, m], u: f32[n, m], wall: bool[n, m]) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < m and wall[min(i, n - 1), min(j, m - 1)] {
        v[i, j] = 0
    } else if i < n and j < m {
        v[i, j] = 3 * u[i, j] * u[max(i - 1, 0), j]
    }
}
# These stay: another element, a value that was stored and is read, a barrier between, two branches of which neither
# tells when something is stored
kernel stays(v: inout f64[n * m], u: f64[n * m]) {
    shared s: f64[32]
    let t = thread.x
    let i = block.x * 32 + t
    s[t] = 0
    if i > 0 and i < n * m {
        v[i] = u[i] * 2
    } else if i < n * m {
        v[i * i] = u[i] * 3
    }
    if i < n * m { s[t] = u[i] }
    barrier
    let next = s[31 - t]
    barrier
    if t < 16 { s[t] = next * 2 }
    barrier
    if i > 0 and i < n * m {
        v[i] = v[i] + s[t] * u[i]
        if i % 3 == 0 { v[i] = v[i] * s[t] }
    }
    if i < 5 {
        v[i] = 4 * u[i] * u[i]
    } else if i >= 7 and i < n * m - 1 {
        v[i] = 5 * u[i] * v[i]
    }
}

fn weight(i: int) -> f64 = f64(i * 7919 % 101) / 64 - 0.75
fn total(v: f64[n, m]) -> f64 = sum(weight(i * m + j) * v[i, j] for i in 0:n, j in 0:m)

fn by_else_if(u: f64[n, m]) -> f64 {
    var v = zeros(f64, n, m)
    launch else_if[(ceildiv(m, 8), ceildiv(n, 8)), (8, 8)](v, u)
    return total(v)
}
fn by_again(u: f64[n, m]) -> f64 {
    var v = zeros(f64, n, m)
    launch again[(ceildiv(m, 8), ceildiv(n, 8)), (8, 8)](v, u)
    return total(v)
}
fn by_edge_first(u: f64[n, m]) -> f64 {
    var v = zeros(f64, n, m)
    launch edge_first[(ceildiv(m, 8), ceildiv(n, 8)), (8, 8)](v, u)
    return total(v)
}
fn by_loop(u: f64[n, m]) -> f64 {
    var v = zeros(f64, n, m)
    parallel for i in 0:n, j in 0:m {
        if interior(i, j) {
            v[i, j] = u[i, j] + 0.125 * (u[i - 1, j] * u[i + 1, j] - u[i, j - 1] * u[i, j + 1])
        } else {
            v[i, j] = u[i, j]
        }
    }
    return total(v)
}
fn by_edges(u: f64[n * m]) -> f64 {
    var v = zeros(f64, n * m)
    var w = zeros(f64, n * m)
    launch edges[ceildiv(n * m, 32), 32](v, w, u)
    return sum(weight(i) * (v[i] + v[i] * w[i]) for i in 0:n * m)
}
fn by_solid(u: f32[n, m]) -> f32 {
    var v = zeros(f32, n, m)
    let wall = [(i * 5 + j) % 7 == 0 for i in 0:n, j in 0:m]
    launch solid[(ceildiv(m, 8), ceildiv(n, 8)), (8, 8)](v, u, wall)
    return sum(f32(weight(i * m + j)) * v[i, j] for i in 0:n, j in 0:m)
}
fn by_stays(u: f64[n * m]) -> f64 {
    var v = zeros(f64, n * m)
    launch stays[ceildiv(n * m, 32), 32](v, u)
    return sum(weight(i) * v[i] for i in 0:n * m)
}

let u = [weight(3 * i + 5 * j) for i in 0:n, j in 0:m]
let flat = reshape(u, n * m)
print(by_else_if(u), by_again(u), by_edge_first(u), by_loop(u))
print(by_edges(flat), by_solid(f32(u)), by_stays(flat))
let g = grad(by_else_if)(u)
print(total(g), max(abs(g - grad(by_again)(u))), max(abs(g - grad(by_edge_first)(u))), total(f64(grad(by_solid)(f32(u)))))
let e = grad(by_edges)(flat)
let s = grad(by_stays)(flat)
print(total(reshape(e, n, m)), total(reshape(s, n, m)))

# The slope along a direction
let d = [weight(2 * i + 3) for i in 0:n * m]
let up = flat + 1e-5 * d
let down = flat - 1e-5 * d
print(abs((by_edges(up) - by_edges(down)) / 2e-5 - sum(d * e)) < 1e-5,
      abs((by_stays(up) - by_stays(down)) / 2e-5 - sum(d * s)) < 1e-5)
