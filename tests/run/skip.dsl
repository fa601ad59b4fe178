# Loops whose guard seldom holds: inner loops, atomic updates, one place for all; whole strips, what is left, and none
kernel find(place: inout int[2], x: i32[n1], what: i32, n: int) {
    let i = block.x * blockdim.x + thread.x
    if i < n { if x[i] <= what and x[i + 1] > what { atomic place[0] max= i } }
}

kernel mark(seen: inout u8[m], count: inout int[1], frontier: inout u8[n], to: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n and frontier[i] != 0 {
        frontier[i] = 0
        for k in 0:3 { atomic seen[to[i] + k] max= 1 }
        atomic count[0] += 1
    }
}

kernel sums(y: inout f64[n], x: f64[n], limit: f64) {
    let i = block.x * blockdim.x + thread.x
    if i < n {
        if x[i] > limit {
            var s = 0.0
            for k in 0:i { s += x[k] }
            y[i] = s
        }
    }
}

kernel low(least: inout f32[4], x: f32[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n and x[i] < 0 { atomic least[i % 4] min= -2 }
}

fn try(n: int) {
    let x = [i32(3 * i) for i in 0:n + 1]
    var place = [-1, -1]
    for w in 0:3 { launch find[ceildiv(n, 64), 64](place, x, i32(3 * (n - 2) * w // 2), n) }
    print(n, place)
    let to = [i * 37 % n for i in 0:n]
    var seen = zeros(u8, n + 2)
    var count = [0]
    var frontier = [u8(if i % 41 == 40 or i == n - 1 { 1 } else { 0 }) for i in 0:n]
    launch mark[ceildiv(n, 64), 64](seen, count, frontier, to)
    print(sum(int(seen[i]) * (i + 1) for i in 0:n + 2), count, sum(int(frontier[i]) for i in 0:n))
    var y = zeros(f64, n)
    launch sums[ceildiv(n, 64), 64](y, [f64(i * 13 % 101) for i in 0:n], 98.5)
    print(sum(y))
    var least: f32[4] = [0, 0, 0, 0]
    launch low[ceildiv(n, 64), 64](least, [f32(i % 97) - 0.5 for i in 0:n])
    print(least)
}

let sizes = [5, 31, 32, 33, 64, 96, 1000, 20000]
for k in 0:8 { try(sizes[k]) }
