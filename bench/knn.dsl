# The nearest of a million points for each of ten queries, in eight dimensions
const n = 1000000
const d = 8
const queries = 10

fn nearest(x: f64[n, d], q: f64[d]) -> int = argmin([sum((x[i, k] - q[k])^2 for k) for i])

let x = [f64((i * 8 + k) * 7919 % 10007) / 10007.0 for i in 0:n, k in 0:d]
let q = [f64((i * 8 + k) * 104729 % 1009) / 1009.0 for i in 0:queries, k in 0:d]
var found = zeros(int, queries)
found[0] = nearest(x, q[0])
let start = time()
for r in 0:queries { found[r] = nearest(x, q[r]) }
let seconds = (time() - start) / queries
print("check", sum(found))
print("time", seconds)
