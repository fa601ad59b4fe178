# Merge sort, bottom up: runs of one width are merged by one thread each
const n = 1000000

kernel merge(to: out f64[n], from: f64[n], width: int) {
    let lo = (block.x * blockdim.x + thread.x) * 2 * width
    if lo < n {
        let mid = min(lo + width, n)
        let hi = min(lo + 2 * width, n)
        var i = lo
        var j = mid
        for k in lo:hi {
            if i < mid and (j >= hi or from[i] <= from[j]) {
                to[k] = from[i]
                i += 1
            } else {
                to[k] = from[j]
                j += 1
            }
        }
    }
}

fn sorted(x: f64[n]) -> f64[n] {
    var a = x
    var b = x
    var width = 1
    while width < n {
        let threads = ceildiv(n, 2 * width)
        launch merge[ceildiv(threads, 64), 64](b, a, width)
        let old = a
        a = b
        b = old
        width *= 2
    }
    return a
}

let x = [f64(i * 7919 % 1000003) / 1000003.0 for i in 0:n]
let warm = sorted(-x)
print("warm", sum(warm))
let start = time()
let s = sorted(x)
let seconds = time() - start
print("check", s[0], s[n // 2], s[n - 1], all(s[0:n - 1] <= s[1:n]))
print("time", seconds)
