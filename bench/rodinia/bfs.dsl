# Rodinia bfs: breadth-first search, level by level, one thread per node
# small: n=700 reps=2
import "random.dsl"
const n = 1000000
const reps = 5

struct Node { start: i32, edges: i32 }

## Node `tid` of the frontier marks its neighbours.
kernel expand(mask: inout u8[n], updating: inout u8[n], visited: u8[n], nodes: Node[n], edges: i32[m]) {
    let tid = block.x * blockdim.x + thread.x
    if tid < n and mask[tid] != 0 {
        mask[tid] = 0
        for e in nodes[tid].start:nodes[tid].start + nodes[tid].edges {
            let id = edges[e]
            if visited[id] == 0 {
                atomic updating[id] max= 1
            }
        }
    }
}

## The nodes found get their cost and are the next frontier.  (The suite's expand stores the cost, several threads the same one in
## one place: here each thread stores its own.)
kernel advance(mask: inout u8[n], visited: inout u8[n], updating: inout u8[n], cost: inout i32[n], over: inout i32[1], level: i32) {
    let tid = block.x * blockdim.x + thread.x
    if tid < n and updating[tid] != 0 {
        mask[tid] = 1
        visited[tid] = 1
        updating[tid] = 0
        cost[tid] = level
        atomic over[0] max= 1
    }
}

fn bfs(nodes: Node[n], edges: i32[m], source: int) -> i32[n] {
    var mask = zeros(u8, n)
    var updating = zeros(u8, n)
    var visited = zeros(u8, n)
    var cost = full(i32(2147483647), n)
    mask[source] = 1
    visited[source] = 1
    cost[source] = 0
    var level = i32(0)
    var more = true
    while more {
        level += 1
        var over = zeros(i32, 1)
        launch expand[ceildiv(n, 512), 512](mask, updating, visited, nodes, edges)
        launch advance[ceildiv(n, 512), 512](mask, visited, updating, cost, over, level)
        more = over[0] != 0
    }
    return cost
}

# A random graph: 2 to 10 edges at each node
let degree = [int(mix(i) % 9) + 2 for i in 0:n]
let ends = cumsum(degree)
let nodes = [Node(i32(ends[i] - degree[i]), i32(degree[i])) for i in 0:n]
let nedges = ends[n - 1]
let edges = [i32(mix(e + 7777777) % u32(n)) for e in 0:nedges]
var cost = bfs(nodes, edges, 0)
let start = time()
for r in 0:reps { cost = bfs(nodes, edges, r * 17) }
let seconds = (time() - start) / reps
let reached = [cost[i] < 2147483647 for i in 0:n]
print("check", sum(if reached[i] { int(cost[i]) * (i % 101 + 1) } else { 7 } for i in 0:n))
print("time", seconds)

