# Loops at function level whose turns write rows, elements, blocks of their own: independent.
# RUN: dslc --emit=loops %s -o - | FileCheck %s
fn steps(a: f64, n: int) -> f64[n] {
    var v = ones(f64, n)
    for t in 0:50 { v = [v[i] + a * v[(i + 1) % n] for i in 0:n] }
    return v
}
fn energy(a: f64, n: int) -> f64 = sum(steps(a, n))

# CHECK-LABEL: func @elements(
# CHECK: for({{.*}}) {independent} : f64[n]
export fn elements(a: f64[n]) -> f64[n] = [energy(x, 100) for x in a]

# CHECK-LABEL: func @rows(
# CHECK: for({{.*}}) {independent} : f64[n, 100]
export fn rows(a: f64[n]) -> f64[n, 100] = [steps(x, 100) for x in a]

# A serial loop, from the last row to the first, which also reads its row
# CHECK-LABEL: func @backward(
# CHECK: for({{.*}}) {independent} : f64[n, 100]
export fn backward(a: f64[n], start: f64[n, 100]) -> f64[n, 100] {
    var m = start
    for k in n-1:-1:-1 { m[k, :] = steps(a[k], 100) + m[k, :] }
    return m
}

# Columns, and one result for each, under a guard
# CHECK-LABEL: func @columns(
# CHECK: for({{.*}}) {independent} : f64[100, n], f64[n]
export fn columns(a: f64[n]) -> (f64[100, n], f64[n]) {
    var m = zeros(f64, 100, n)
    var s = zeros(f64, n)
    for k in 0:n {
        if a[k] > 0 {
            let v = steps(a[k], 100)
            m[:, n - 1 - k] = v
            s[k] = sum(v)
        }
    }
    return (m, s)
}

# Every second row, three axes, an inner loop that writes
# CHECK-LABEL: func @sheets(
# CHECK: for({{.*}}) {independent} : f64[
export fn sheets(a: f64[n]) -> f64[2*n, 3, 100] {
    var m = zeros(f64, 2*n, 3, 100)
    for k in 0:n {
        for j in 0:3 { m[2*k + 1, j, :] = steps(a[k] * j, 100) }
    }
    return m
}

# Blocks of a vector
# CHECK-LABEL: func @blocks(
# CHECK: for({{.*}}) {independent} : f64[
export fn blocks(a: f64[n]) -> f64[100*n] {
    var m = zeros(f64, 100*n)
    for k in 0:n { m[100*k : 100*k + 100] = steps(a[k], 100) }
    return m
}

# A step of 2; a loop inside whose number of turns is not known
# CHECK-LABEL: func @some(
# CHECK: for({{.*}}) {independent} : f64[n]
export fn some(a: f64[n]) -> f64[n] {
    var r = a
    for k in 0:n:2 {
        var v = steps(a[k], 100)
        while sum(v) > 1 { v = v / 2 }
        r[k] = v[0]
    }
    return r
}

# What a turn looks for may be found soon.
# CHECK-LABEL: func @first(
# CHECK: for({{.*}}) {independent} : i64[n]
export fn first(a: f64[n]) -> int[n] {
    var r = zeros(int, n)
    for k in 0:n {
        let v = steps(a[k], 100)
        for i in 0:100 {
            if v[i] > 2 { r[k] = i; break }
        }
    }
    return r
}

# Of two loops in each other the one with more turns
# CHECK-LABEL: func @grid(
# CHECK: for({{.*}}) : f64[3, n] {
# CHECK: for({{.*}}) {independent} : f64[3, n]
export fn grid(a: f64[n]) -> f64[3, n] = [energy(x / (k + 1), 100) for k in 0:3, x in a]
