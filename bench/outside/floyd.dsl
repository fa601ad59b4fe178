# Floyd-Warshall: lengths of the shortest paths between all pairs of nodes of a dense graph
const n = 700

kernel relax(d: inout i32[n, n], k: int) {
    let j = block.x * blockdim.x + thread.x
    let i = block.y * blockdim.y + thread.y
    if i < n and j < n {
        let through = d[i, k] + d[k, j]
        if through < d[i, j] { d[i, j] = through }
    }
}

fn shortest(graph: i32[n, n]) -> i32[n, n] {
    var d = graph
    for k in 0:n {
        launch relax[(ceildiv(n, 32), ceildiv(n, 8)), (32, 8)](d, k)
    }
    return d
}

let graph = [if i == j { i32(0) } else { i32(1 + (i * 7919 + j * 104729) % 10007) } for i in 0:n, j in 0:n]
let warm = shortest(graph + 1)
print("warm", sum(f64(warm)))
let start = time()
let d = shortest(graph)
let seconds = time() - start
print("check", sum(f64(d)), d[1, n - 1])
print("time", seconds)
