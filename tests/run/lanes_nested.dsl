# Lanes around loops in loops, with choices and stores behind them; an index that the loops do not change
kernel nearest(who: inout i32[n], changed: inout int[1], x: f32[d, n], y: f32[k, d], w: f32[d, m], col: int) {
    let i = block.x * blockdim.x + thread.x
    if i >= n { return }
    var best: f32 = 1e30
    var at = i32(-1)
    for c in 0:k {
        var dist: f32 = 0
        for j in 0:d {
            let t = (x[j, i] - y[c, j]) * w[j, col]
            dist += t * t
        }
        if dist < best {
            best = dist
            at = i32(c)
        }
    }
    if who[i] != at {
        who[i] = at
        atomic changed[0] += 1
    }
}

fn total(n: int, col: int) -> int {
    let x = [f32(sin(f64(i * 7 + j))) for j in 0:5, i in 0:n]
    let y = [f32(cos(f64(i * 3 + j))) for i in 0:6, j in 0:5]
    let w = [f32(1 + (i + j) % 3) for i in 0:5, j in 0:4]
    var who = full(i32(2), n)
    var changed = zeros(int, 1)
    launch nearest[ceildiv(n, 32), 32](who, changed, x, y, w, col)
    return changed[0] * 1000 + sum(int(who[i]) * (i % 5) for i in 0:n)
}
for n in 1:120:17 { print(n, total(n, n % 4)) }
