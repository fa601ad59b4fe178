# Loops without turns, slices that grow, places that are not there, loops that became calls: gradients of nests at their edges
fn grown(w0: f64[n], c: f64) -> f64 { # what is written in each turn is longer than in the one before
    var w = w0
    var s = 0.0
    for i in 0:n {
        s += c * w[i]
        w[0:i] = 0.5
    }
    return s
}
print(grad(grown, wrt=c)([0.1, 0.2, 0.4], 0.4), jvp(grown, wrt=c)([0.1, 0.2, 0.4], 0.4, 1.0).1)
fn prefixes(x: f64[n]) -> f64 {
    var u = x
    for i in 0:n { for j in i + 1:n + 1 { u[:i] -= 0.3 * sin(u[:i]) } }
    return sum(u)
}
print(check_grad(prefixes, [0.1, 0.2, 0.3, 0.4]) < 1e-6)
fn none_left(x: f64[n], p: int[n]) -> f64 { # p[n] is not there, nor is a term of the sum that would ask for it
    var s = 0.0
    for j in 0:n + 1 { s += sin(s) * sum(x[k] * x[p[j]] for k in j:n) }
    return s
}
print(none_left([0.1, 0.2], [1, 0]), grad(none_left)([0.1, 0.2], [1, 0]))
fn none_behind(a: f64[n, m], p: int[n]) -> f64 {
    var w = a
    for i in 0:n + 1 { w[i:, 0] = [0.5 * a[p[i], 0] * w[j, 0] for j in i:n] }
    return sum(w^2)
}
print(grad(none_behind)([[1.0, 2.0], [3.0, 4.0]], [0, 1]))
fn asked(a: f64[n, m], p: int[n], k: int) -> f64 = sum(if k < n { a[p[k], 0] * a[j, 1] } else { a[j, 0] } for j in 0:n)
for k in 0:3 { print(grad(asked)([[1.0, 2.0], [3.0, 4.0]], [0, 1], k)) }
fn calls(c: f64, n: int) -> f64 { # a loop that keeps two states, with a nest in it
    var u = [c * p for p in 0:n]
    for i in checkpoint(0:n, slots=2) {
        var b = 0
        for j in 0:n { if c > u[b] { b = j } }
        u[0] = c * sum(c for q in i + 1:b)
    }
    return sum(c * u)
}
print(grad(calls)(0.4, 3))
fn row(p: f64[k]) -> f64[k] {
    var r = p
    for i in 1:k { r[i] = 0.5 * sin(r[i - 1]) + p[i] }
    return r
}
fn never(c: f64, n: int) -> f64 { # z[1:n] of a loop without turns has a size of -1
    var z = [sin(c + p) for p in 0:n + 1]
    var j = 1
    while j < n and c < 0.7 {
        z[1:n] = row(z[1:n])
        j += 1
    }
    return sum(z^2)
}
arg none: int = 0
print(never(0.4, none), grad(never)(0.4, none), grad(never)(0.4, none + 3))
fn set_all(x: f64[n], c: f64) -> f64 {
    var p = x
    for i in 1:n { p[i] = c }
    return sum(p)
}
print([jvp(set_all)([0.1, 0.2, 0.4], 0.4, ([if i == k { 1.0 } else { 0.0 } for i in 0:3], 0.0)).1 for k in 0:3])
fn returns(y: f64[m], u: f64[n], c: f64) -> f64 { # from four loops, which take no turns
    for i in 0:n + 1:2 { for j in n:i - 1:-2 { for k in 0:n + 1:2 { for l in k + 1:n { if u[i] > 0.9 { return y[j + 1] } } } } }
    return c + sum(sin(u))
}
print(returns([0.1, 0.2], zeros(f64, none), 0.5), grad(returns, wrt=y)([0.1, 0.2], zeros(f64, none), 0.5), grad(returns, wrt=y)([0.1, 0.2, 0.3, 0.4], [0.95, 0.1], 0.5))
fn rows_apart(x: f64[n], first: int[m], col: int[e]) -> f64 { # rows of any length in sweeps, two nests that share an axis
    var y = x
    for t in 0:2 { for i in 0:n {
        var s = 0.3
        for k in first[i]:first[i + 1] {
            for l in 0:k % 3 { s = sin(s) + y[col[l]] * y[col[k]] }
            y[col[k]] *= 0.5
        }
        y[i] = s
    } }
    return sum(y^2)
}
print(check_grad(fn(x) => rows_apart(x, [0, 3, 3, 7, 8], [2, 0, 1, 3, 1, 0, 2, 2]), [0.1, 0.2, 0.3, 0.4]) < 1e-6)
fn found(p: f64[k], c: f64) -> f64 {
    for i in 0:k { if c > 0.6 { return 0.5 * c * p[i] } }
    return 0.3 * c
}
fn of_found(y: f64[m], a: f64[n, m], c: f64, start: int[l], par: int[n]) -> f64 { # a search in a sum of an array
    var s = 0.0
    for i in 1:2 {
        var b = [0.3 * sum(found(y, c) * a[par[o], m - 1 - i] for q in start[i]:start[i + 1]) for o in 0:n, p in 0:m]
        s += b[0, 0]
    }
    return s
}
print(grad(of_found, wrt=(y, c))([-0.4, 0.7, 0.5], reshape(arange(12) / 10, 4, 3), 0.8, [0, 3, 5, 6], [0, 0, 1, 1]))
fn none_inside(a: f64[n, m], p: int[n]) -> f64 { # the row p[n] is not there
    var w = a
    var z = 0.3
    for t in 0:2 {
        for i in 0:n + 1 { for j in i + 1:n + 1 { z = 0.6 * z + sin(w[p[i], p[i]] * z) } }
        w[0, t] -= z
    }
    return z + sum(w^2)
}
print(check_grad(fn(v) => none_inside(reshape(v, 2, 2), [1, 0]), [0.1, 0.2, 0.3, 0.4]) < 1e-6)
# More loops than an array may have axes
fn deep(x: f64[n]) -> f64 {
    var u = sin(x)
    for a in 0:2 { for b in 0:2 { for c in 0:2 { for d in 0:2 { for e in 0:2 { for g in 0:2 { for h in 0:2 { for i in 0:2 { for j in 0:2 {
        u[j] = 0.5 * u[j] * u[i] + 0.3 * u[(a + b + c + d + e + g + h) % n]
    } } } } } } } } }
    return sum(u^2)
}
fn deep_rows(x: f64[n]) -> f64 {
    var u = [sin(x[i] + f64(j + k + l + m)) for i in 0:n, j in 0:2, k in 0:2, l in 0:2, m in 0:2]
    for a in 0:2 { for b in 0:2 { for c in 0:2 { for d in 0:2 { for e in 0:2 {
        if a + b > c { u[0, a, b, c, d] = u[1, b, a, c, e]^2 }
        let row = if a == b { u[0] } else { u[1] }
        u[1, e] = 0.3 * row[a] * u[1, e]
    } } } } }
    return sum(u^2)
}
print(check_grad(deep, [0.1, 0.2, 0.3]) < 1e-6, check_grad(deep_rows, [0.1, 0.2, 0.3]) < 1e-6)
