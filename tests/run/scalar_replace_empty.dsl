# Loops that may have no iteration and that update several places which do not move: each place is carried, behind one
# guard.
fn rows(start: int[k], col: int[e], val: int[e], x: int[n]) -> (int[n], int[n]) {
    var y = zeros(int, n)
    var used = zeros(int, n)
    parallel for r in 0:k - 1 {
        for e in start[r]:start[r + 1] {
            y[r] += val[e] * x[col[e]]
            used[r] += 1
        }
    }
    return (y, used)
}

fn triangle(n: int) -> (int[n], int[1]) {
    var y = zeros(int, n)
    var t = zeros(int, 1)
    for i in 0:n {
        for k in 0:i {
            y[i] += k
            t[0] += 1
        }
    }
    return (y, t)
}

## Three places, a sum that the loop carries besides, and floats, downwards
fn three(n: int, last: int[n]) -> (f64[n], f32[2], u8[n], f64) {
    var (a, b, c) = (zeros(f64, n), zeros(f32, 2), zeros(u8, n))
    var all = 0.0
    for i in 0:n {
        var s = 0.5
        for k in last[i]:-1:-1 {
            a[i] = max(a[i], f64(k))
            b[1] += f32(i)
            c[i] += 1
            s += 0.25
        }
        all += s
    }
    return (a, b, c, all)
}

kernel counts(y: inout int[n], seen: inout int[n], first: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        for k in first[i]:n:2 {
            y[i] += k
            seen[i] -= 1
        }
    }
}

## Names that the C library has, too
fn y1(j0: int[n], y0: int[n]) -> (int[n], int[1]) {
    var index = zeros(int, n)
    var gamma = zeros(int, 1)
    for j1 in 0:n { for y1 in 0:j0[j1] { index[j1] += y0[j1] * y1
            gamma[0] += 1 } }
    return (index, gamma)
}

print(rows([0, 2, 2, 3], [0, 1, 2], [1, 2, 3], [5, 6, 7]))
print(triangle(5), triangle(0), triangle(1))
print(three(4, [2, -1, 0, 5]))
var y = zeros(int, 6)
var seen = zeros(int, 6)
launch counts[2, 4](y, seen, [6, 0, 3, 9, 5, 1])
print(y, seen)
print(y1([2, 0, 3], [5, 6, 7]))
