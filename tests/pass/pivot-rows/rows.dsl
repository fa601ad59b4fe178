# Rows, and columns, that a loop or a launch reads and leaves alone, of a table that it changes, are taken before it, where a
# loop around changes them later: those of pivots, exchanged or not, chosen ones.  So a step keeps a row, not what each of its
# turns has read of it.  Not where it changes them itself, and not what the table still has at the end.
# RUN: dslc check --memory %s 2>&1 | FileCheck %s
# A row of six numbers is 48 bytes: 288 are one for each step, 1728 what all turns read.
# CHECK: kept in all: 912 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(jordan)(randn(1, 6, 6)))
# CHECK: kept in all: 576 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(columns)(randn(1, 6, 6)))
# CHECK: kept in all: 864 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(exchanged)(randn(1, 6, 6)))
# CHECK: kept in all: 1200 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(tableau)(randn(1, 6, 6)))
# CHECK: kept in all: 624 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(side_by_side)(randn(1, 6, 6)))
# CHECK: kept in all: 624 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(launched)(randn(1, 6, 6)))
# CHECK: kept in all: 1280 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(planes)(f32(randn(1, 4, 4, 4))))
# CHECK: kept in all: 1104 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(left)(randn(1, 6, 6)))
# CHECK: kept in all: 2016 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(all_rows)(randn(1, 6, 6)))
# CHECK: kept in all: 240 bytes, for the derivative at {{.*}}rows.dsl:[[#@LINE+1]]:7
print(grad(lasting)(randn(1, 6, 6)))
fn jordan(a: f64[n, n]) -> f64 {
    var x = a
    for k in 0:n {
        let p = x[k, k]
        for j in 0:n { x[k, j] = (if j == k { 1.0 } else { x[k, j] }) / p }
        for i in 0:n {
            if i != k {
                let f = x[i, k]
                for j in 0:n { x[i, j] = (if j == k { 0.0 } else { x[i, j] }) - f * x[k, j] }
            }
        }
    }
    return sum(x^2)
}
fn columns(a: f64[n, n]) -> f64 {
    var x = a
    for k in n - 1:-1:-1 {
        for j in 0:n {
            if k != j {
                let f = sin(x[k, j])
                for i in 0:n { x[i, j] += f * x[i, k] }
            }
        }
    }
    return sum(x^2)
}
fn exchanged(a: f64[n, n]) -> f64 {
    var x = a
    for k in 0:n {
        var p = k
        for i in k + 1:n { if abs(x[i, k]) > abs(x[p, k]) { p = i } }
        for j in 0:n {
            let t = x[k, j]
            x[k, j] = x[p, j]
            x[p, j] = t
        }
        for i in k + 1:n {
            let f = x[i, k] / x[k, k]
            for j in k:n { x[i, j] -= f * x[k, j] }
        }
    }
    return sum([log(abs(x[k, k])) for k in 0:n])
}
fn tableau(a: f64[n, n]) -> f64 {
    var x = a
    for s in 0:n {
        var p = 0
        for i in 1:n { if x[i, s] > x[p, s] { p = i } }
        let d = x[p, s]
        for j in 0:n { x[p, j] /= d }
        for i in 0:n {
            if i != p {
                let f = x[i, s]
                for j in 0:n { x[i, j] -= f * x[p, j] }
            }
        }
    }
    return sum(x^3)
}
fn side_by_side(a: f64[n, n]) -> f64 {
    var x = a
    for k in 0:n {
        let p = x[k, k] + 3.0
        parallel for i in 0:n {
            if i != k {
                let f = x[i, k] / p
                for j in 0:n { x[i, j] -= f * x[k, j] }
            }
        }
    }
    return sum(x^2)
}
kernel eliminate(x: inout f64[n, n], k: int) {
    let i = block.y * blockdim.y + thread.y
    let j = block.x * blockdim.x + thread.x
    if i < n and j < n and i != k and j != k { x[i, j] -= x[i, k] * x[k, j] / (3.0 + x[k, k]) }
}
fn launched(a: f64[n, n]) -> f64 {
    var x = a
    for k in 0:n { launch eliminate[(ceildiv(n, 8), ceildiv(n, 8)), (8, 8)](x, k) }
    return sum(x^2)
}
fn planes(a: f32[n, n, n]) -> f32 {
    var x = a
    for k in 0:n {
        for i in 0:n {
            if i != k { for j in 0:n { for l in 0:n { x[i, j, l] += 0.1 * sin(x[i, j, l]) * x[k, j, l] } } }
        }
    }
    return sum(x^2)
}
fn left(a: f64[n, n]) -> f64 { # the factor is left in the table
    var x = a
    for k in 0:n {
        var p = k
        for i in k + 1:n { if abs(x[i, k]) > abs(x[p, k]) { p = i } }
        for j in 0:n {
            let t = x[k, j]
            x[k, j] = x[p, j]
            x[p, j] = t
        }
        for i in k + 1:n {
            x[i, k] /= x[k, k]
            for j in k + 1:n { x[i, j] -= x[i, k] * x[k, j] }
        }
    }
    return sum([log(abs(x[k, k])) for k in 0:n])
}
fn all_rows(a: f64[n, n]) -> f64 { # the row itself, too
    var x = a
    for k in 0:n {
        for i in 0:n {
            let f = x[i, k]
            for j in 0:n { x[i, j] += f * x[k, j] }
        }
    }
    return sum(x^2)
}
fn lasting(a: f64[n, n]) -> f64 {
    var x = a
    for k in 0:n {
        for i in k + 1:n {
            let f = x[i, k] / x[k, k]
            for j in k:n { x[i, j] -= f * x[k, j] }
        }
    }
    return sum(x^2)
}
