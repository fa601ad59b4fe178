# Sparse matrices by rows, and systems that are solved by products with their matrix alone.

## Row i has the elements start[i] to start[i + 1] of column and value
struct Csr { rows: int, columns: int, start: int[s], column: i32[k], value: f64[k] }

## The matrix with n rows and m columns whose elements at (i[p], j[p]) are v[p]; those of one place are added
fn csr(n: int, m: int, i: int[p], j: int[p], v: f64[p]) -> Csr {
    assert all(i[q] >= 0 and i[q] < n and j[q] >= 0 and j[q] < m for q in 0:p), f"csr: an index lies outside of {n} rows and {m} columns"
    assert m <= largest(i32), f"csr: {m} columns, more than places of 32 bits know"
    let key = [i[q] * m + j[q] for q in 0:p]
    let order = argsort(key)
    let sorted = key[order]
    let first = nonzero(_new_ones(sorted))
    let k = len(first)
    let values = [sum(v[order[r]] for r in first[q]:(if q + 1 < k { first[min(q + 1, k - 1)] } else { p })) for q in 0:k]
    let places = sorted[first]
    var start = zeros(int, n + 1)
    for q in 0:k { start[places[q] // m + 1] += 1 }
    start = cumsum(start)
    return Csr(n, m, start, [i32(places[q] % m) for q in 0:k], values)
}

# What is proved of a.start[i + 1] rests on this
fn _has_rows(a: Csr) {
    assert a.rows == len(a.start) - 1, f"a sparse matrix of {a.rows} rows needs {a.rows} + 1 places where rows start and end, not {len(a.start)}"
}
## a times a vector
fn times(a: Csr, x: f64[n]) -> f64[rows] {
    assert n == a.columns, f"times: a matrix with {a.columns} columns, and a vector of {n}"
    _has_rows(a)
    let rows = a.rows
    return [sum(a.value[q] * x[a.column[q]] for q in a.start[i]:a.start[i + 1]) for i in 0:rows]
}
## The transpose
fn transposed(a: Csr) -> Csr {
    _has_rows(a)
    let k = len(a.value)
    var row = zeros(int, k)
    for i in 0:a.rows {
        for q in a.start[i]:a.start[i + 1] { row[q] = i }
    }
    return csr(a.columns, a.rows, [int(c) for c in a.column], row, a.value)
}
## All elements
fn dense(a: Csr) -> f64[rows, columns] {
    _has_rows(a)
    let rows = a.rows
    let columns = a.columns
    var d = zeros(f64, rows, columns)
    for i in 0:rows {
        for q in a.start[i]:a.start[i + 1] { d[i, a.column[q]] = a.value[q] }
    }
    return d
}

## The matrix of those elements of a that are not 0
fn sparse(a: f64[n, m]) -> Csr {
    let at = nonzero(flatten(a) != 0)
    return csr(n, m, at // max(m, 1), at % max(m, 1), flatten(a)[at])
}
## A matrix with ones on the diagonal, on as many diagonals below it and as many above it
fn band(n: int, m: int, below: int, above: int) -> Csr {
    assert below >= 0 and above >= 0, f"band: {below} diagonals below, {above} above"
    let width = below + above + 1
    let i = arange(n * width) // width
    let j = i + arange(n * width) % width - below
    let at = nonzero(j >= 0 and j < m)
    return csr(n, m, i[at], j[at], ones(f64, len(at)))
}

## A group for each column, from 0 on: no two columns of one group have an element in the same row. They are taken in order, each into the first
## group that fits (Curtis, Powell and Reid, "On the estimation of sparse Jacobian matrices", 1974)
fn column_groups(a: Csr) -> int[columns] {
    _has_rows(a)
    let columns = a.columns
    let t = transposed(a)
    _has_rows(t)
    var group = full(-1, columns)
    var taken = full(-1, columns + 1)
    for j in 0:columns {
        for q in t.start[j]:t.start[j + 1] {
            let i = t.column[q]
            for r in a.start[i]:a.start[i + 1] {
                let g = group[a.column[r]]
                if g >= 0 { taken[g] = j }
            }
        }
        var g = 0
        while g < j and taken[g] == j { g += 1 }
        group[j] = g
    }
    return group
}
## The Jacobian of f at x, which has elements only where `structure` has some (their values do not matter): as many runs forward as column_groups
## finds groups, not one for each column
fn sparse_jacobian(f: fn(f64[n]) -> f64[m], x: f64[n], structure: Csr) -> Csr {
    assert structure.columns == n, f"sparse_jacobian: a structure with {structure.columns} columns, and a function of {n} elements"
    _has_rows(structure)
    let group = column_groups(structure)
    let column = structure.column
    var value = zeros(f64, len(column))
    for g in 0:(if n > 0 { max(group) + 1 } else { 0 }) {
        let d = jvp(f)(x, [f64(group[j] == g) for j in 0:n]).1
        assert structure.rows == len(d), f"sparse_jacobian: a structure with {structure.rows} rows, and a function with {len(d)} elements"
        for i in 0:structure.rows {
            for q in structure.start[i]:structure.start[i + 1] { if group[column[q]] == g { value[q] = d[i] } }
        }
    }
    return Csr(structure.rows, structure.columns, structure.start, column, value)
}

## The x with product(x) == b, of a symmetric positive definite matrix of which only products with vectors are asked (Hestenes and Stiefel 1952)
fn cg(product: fn(f64[n]) -> f64[n], b: f64[n], tol: f64 = 1e-10, turns: int = 10000) -> f64[n] {
    var x = zeros(f64, n)
    var r = b
    var p = r
    var rr = r @ r
    let least = tol * tol * (b @ b)
    for turn in 0:turns {
        if rr <= least { return x }
        let q = product(p)
        let alpha = rr / (p @ q)
        x += alpha * p
        r -= alpha * q
        let next = r @ r
        p = r + next / rr * p
        rr = next
    }
    assert rr <= least, f"cg: after {turns} turns the residual is {sqrt(rr)}"
    return x
}

## The same with a preconditioner: precondition(r) is about the x with product(x) == r, and as a matrix symmetric and positive definite
fn cg(product: fn(f64[n]) -> f64[n], b: f64[n], precondition: fn(f64[n]) -> f64[n], tol: f64 = 1e-10, turns: int = 10000) -> f64[n] {
    var x = zeros(f64, n)
    var r = b
    var p = precondition(r)
    var rz = r @ p
    let least = tol * tol * (b @ b)
    for turn in 0:turns {
        if r @ r <= least { return x }
        let q = product(p)
        let alpha = rz / (p @ q)
        x += alpha * p
        r -= alpha * q
        let z = precondition(r)
        let next = r @ z
        p = z + next / rz * p
        rz = next
    }
    assert r @ r <= least, f"cg: after {turns} turns the residual is {sqrt(r @ r)}"
    return x
}

## The same of any square matrix that has an inverse: the residual is made least over `basis` directions, again and again (Saad and Schultz, "GMRES", 1986)
fn gmres(product: fn(f64[n]) -> f64[n], b: f64[n], tol: f64 = 1e-10, basis: int = 30, turns: int = 1000) -> f64[n] {
    let most = max(min(basis, n), 1)
    let least = tol * sqrt(b @ b)
    var x = zeros(f64, n)
    for turn in 0:turns {
        let r = b - product(x)
        let size = sqrt(r @ r)
        if size <= least { return x }
        var v = zeros(f64, most + 1, n)
        var h = zeros(f64, most + 1, most)
        var (c, s) = (zeros(f64, most), zeros(f64, most))
        var g = zeros(f64, most + 1)
        v[0] = r / size
        g[0] = size
        var used = 0
        for k in 0:most {
            if abs(g[k]) <= least { break }
            var w = product(v[k])
            for i in 0:k + 1 {
                h[i, k] = w @ v[i]
                w -= h[i, k] * v[i]
            }
            h[k + 1, k] = sqrt(w @ w)
            if h[k + 1, k] > 0 { v[k + 1] = w / h[k + 1, k] }
            for i in 0:k {
                let above = c[i] * h[i, k] + s[i] * h[i + 1, k]
                h[i + 1, k] = c[i] * h[i + 1, k] - s[i] * h[i, k]
                h[i, k] = above
            }
            let length = hypot(h[k, k], h[k + 1, k])
            assert length > 0, "gmres: the matrix is singular"
            c[k] = h[k, k] / length
            s[k] = h[k + 1, k] / length
            h[k, k] = length
            h[k + 1, k] = 0
            g[k + 1] = -s[k] * g[k]
            g[k] = c[k] * g[k]
            used = k + 1
        }
        var y = zeros(f64, most)
        for back in 0:used {
            let i = used - 1 - back
            y[i] = (g[i] - sum(h[i, j] * y[j] for j in i + 1:used)) / h[i, i]
        }
        x += [sum(y[i] * v[i, j] for i in 0:used) for j in 0:n]
    }
    let rest = b - product(x)
    assert sqrt(rest @ rest) <= least, f"gmres: after {turns} rounds the residual is {sqrt(rest @ rest)}"
    return x
}
## The same with a preconditioner: precondition(r) is about the x with product(x) == r
fn gmres(product: fn(f64[n]) -> f64[n], b: f64[n], precondition: fn(f64[n]) -> f64[n], tol: f64 = 1e-10, basis: int = 30, turns: int = 1000) -> f64[n] =
    precondition(gmres(fn(u) => product(precondition(u)), b, tol, basis, turns))

## The elements on the diagonal, 0 where a has none: dividing by them is the simplest preconditioner
fn diagonal(a: Csr) -> f64[k] {
    _has_rows(a)
    let k = min(a.rows, a.columns)
    return [sum(if a.column[q] == i { a.value[q] } else { 0.0 } for q in a.start[i]:a.start[i + 1]) for i in 0:k]
}
## The incomplete factors of a square matrix: L (below the diagonal, on which it has ones) and U, with elements only where a has some, so that
## L @ U is a there (Meijerink and van der Vorst 1977). ilu_solve(ilu(a), r) is a preconditioner, of symmetric positive definite matrices for cg too
fn ilu(a: Csr) -> Csr {
    let n = a.rows
    _has_rows(a)
    assert n == a.columns, f"ilu: a matrix with {n} rows and {a.columns} columns"
    var value = a.value
    var middle = full(-1, n)
    var place = full(-1, n)
    for i in 0:n {
        for q in a.start[i]:a.start[i + 1] {
            place[a.column[q]] = q
            if a.column[q] == i { middle[i] = q }
        }
        assert middle[i] >= 0, f"ilu: row {i} has no element on the diagonal"
        for q in a.start[i]:middle[i] {
            let k = a.column[q]
            value[q] /= value[middle[k]]
            for s in middle[k] + 1:a.start[k + 1] {
                let at = place[a.column[s]]
                if at >= 0 { value[at] -= value[q] * value[s] }
            }
        }
        assert value[middle[i]] != 0, f"ilu: 0 on the diagonal of row {i}"
        for q in a.start[i]:a.start[i + 1] { place[a.column[q]] = -1 }
    }
    return Csr(n, n, a.start, a.column, value)
}
## The x with L @ U @ x == r, of what ilu gave
fn ilu_solve(f: Csr, r: f64[n]) -> f64[n] {
    _has_rows(f)
    assert n == f.rows, f"ilu_solve: a matrix with {f.rows} rows, and a vector of {n}"
    var x = r
    for i in 0:n {
        for q in f.start[i]:f.start[i + 1] {
            if f.column[q] < i { x[i] -= f.value[q] * x[f.column[q]] }
        }
    }
    for back in 0:n {
        let i = n - 1 - back
        var d = 1.0
        for q in f.start[i]:f.start[i + 1] {
            let k = f.column[q]
            if k > i { x[i] -= f.value[q] * x[k] }
            if k == i { d = f.value[q] }
        }
        x[i] /= d
    }
    return x
}
