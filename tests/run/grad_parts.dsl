# Recurrences along an array, of which the derivative keeps what each turn reads: elements, rows, parts of rows; read through
# other arrays, changed twice in a turn, in branches, in loops within loops, in loops that are left early and in `while`; what a
# turn reads of what it has just written; swaps; with checkpoints.  Gradients against differences.
fn chain(d: f64[n], b: f64[n]) -> f64[n] {
    var v = b
    for i in 1:n { v[i] = (v[i] + 0.5 * v[i - 1]) / d[i] }
    return v
}
fn tree(d0: f64[n], b: f64[n], parent: int[n]) -> f64[n] {
    var d = d0
    var v = b
    for k in 0:n - 1 {
        let i = n - 1 - k
        let f = 0.5 / d[i]
        d[parent[i]] -= 0.5 * f
        v[parent[i]] += f * v[i]
    }
    v[0] /= d[0]
    for i in 1:n { v[i] = (v[i] + 0.5 * v[parent[i]]) / d[i] }
    return v
}
fn rows(d0: f64[n, m], b: f64[n, m], parent: int[n]) -> f64[n, m] {
    var d = d0
    var v = b
    for k in 0:n - 1 {
        let i = n - 1 - k
        let f = 0.5 / d[i]
        d[parent[i]] -= 0.5 * f
        v[parent[i]] += f * v[i]
    }
    v[0] = v[0] / d[0]
    for i in 1:n { v[i] = (v[i] + 0.5 * v[parent[i]]) / d[i] }
    return v
}
fn branches(b: f64[n]) -> f64[n] {
    var v = b
    for i in 1:n {
        if v[i] > 0.4 {
            v[i] *= sin(v[i - 1])
            if i % 2 == 0 { v[i - 1] = v[i] * v[i] }
        } else { v[i] = exp(v[i - 1]) * v[0] }
    }
    return v
}
fn columns(b: f64[n, m]) -> f64[n, m] {
    var v = b
    for j in 1:m { v[:, j] = v[:, j - 1] * v[:, j] + cos(v[:, j - 1]) }
    return v
}
fn pairs(b: f64[n, 4]) -> f64[n, 4] {
    var v = b
    for i in 1:n {
        let t = v[i, 0:2] * v[i - 1, 2:4]
        v[i, 2:4] = t / (1 + v[i - 1, 0:2]^2)
    }
    return v
}
fn swaps(b: f64[n], at: int[m]) -> f64[n] {
    var v = b
    for k in 0:m {
        let t = v[at[k]]
        v[at[k]] = v[k]^2
        v[k] = t * v[at[k]]
    }
    return v
}
fn until(b: f64[n]) -> f64[n] {
    var v = b
    var i = 1
    while i < n and v[i - 1] < 2.5 {
        v[i] = v[i] * v[i - 1] + 0.7
        i += 1
    }
    return v
}
fn over_time(b: f64[n], c: f64, steps: int) -> f64 {
    var v = b
    var total = 0.0
    for t in checkpoint(0:steps) {
        let d = 2 + c * v^2
        for i in 1:n { v[i] = (v[i] + 0.5 * v[i - 1]) / d[i] }
        for k in 2:n + 1 { v[n - k] = v[n - k] - 0.3 * v[n - k + 1] * v[n - k] }
        total += v[n - 1]
    }
    return total + sum(v^2)
}
fn decomposed(a: f64[n, n]) -> f64[n, n] { # in place, the lower triangle
    var l = a
    for j in 0:n {
        for k in 0:j {
            for i in j:n { l[i, j] -= l[i, k] * l[j, k] }
        }
        l[j, j] = sqrt(l[j, j])
        for i in j + 1:n { l[i, j] /= l[j, j] }
    }
    return l
}
fn weighed(v: f64[n]) -> f64 = sum(v[i]^2 * (1 + 0.1 * i) for i in 0:n)

fn tell(what: str, far: f64) { print(what, if far < 1e-6 { "agrees" } else { str(far) }) }
let n = 7
let x = 0.3 + 0.5 * rand(1, n)
let parent = [0, 0, 1, 1, 0, 4, 3]
tell("chain", check_grad(fn(p) => weighed(chain(1 + p[0:n], p[n:])), rand(2, 2 * n)))
tell("tree", check_grad(fn(p) => weighed(tree(2 + p[0:n], p[n:], parent)), rand(2, 2 * n)))
tell("rows", check_grad(fn(p) => weighed(flatten(rows(2 + reshape(p[0:3 * n], n, 3), reshape(p[3 * n:], n, 3), parent))), rand(2, 6 * n)))
tell("branches", check_grad(fn(p) => weighed(branches(p)), x))
tell("columns", check_grad(fn(p) => weighed(flatten(columns(reshape(p, 3, 5)))), rand(4, 15)))
tell("pairs", check_grad(fn(p) => weighed(flatten(pairs(reshape(p, 5, 4)))), rand(4, 20)))
tell("swaps", check_grad(fn(p) => weighed(swaps(p, [3, 1, 0, 5, 4, 2])), x))
tell("until", check_grad(fn(p) => weighed(until(p)), 1 + x))
tell("over time", check_grad(fn(p) => over_time(p[0:n], p[n], 6), rand(5, n + 1)))
let a = 0.5 * randn(6, 5, 5)
tell("decomposed", check_grad(fn(p) => weighed(flatten(decomposed(reshape(p, 5, 5)))), flatten(a @ a.T + 3 * eye(5))))
print(hessian(fn(v) => sum(chain(1 + v, v)))([0.5, 1.0, 1.5]))
