# PageRank of a random graph: each page pulls from those that link to it
const n = 200000
const degree = 8
const iterations = 10
const damping = 0.85

fn pagerank(start: i32[n + 1], source: i32[m], links: i32[n]) -> f64[n] {
    var rank = full(1.0 / n, n)
    for t in 0:iterations {
        let share = rank / f64(links)
        rank = [(1 - damping) / n + damping * sum(share[source[e]] for e in start[v]:start[v + 1]) for v in 0:n]
    }
    return rank
}

let m = n * degree
let source = [i32((e * 7919 + e // 3 * 104729) % n) for e in 0:m]
let start = [i32(if v == n { m } else { v * degree - v % 5 }) for v in 0:n + 1]
var links = zeros(i32, n)
for s in source { links[s] += 1 }
links = [max(c, i32(1)) for c in links]
let warm = pagerank(start, source, links + i32(1))
print("warm", sum(warm))
let begin = time()
let rank = pagerank(start, source, links)
let seconds = time() - begin
print("check", sum(rank), max(rank))
print("time", seconds)
