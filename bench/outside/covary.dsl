# Columns of a matrix made to have mean 0 and variance 1, and the sums of its transpose: whole-array
const rows = 4000
const columns = 500

fn standard(a: f64[n, m]) -> f64[n, m] {
    let centred = a - sum(a, axis=0) / n
    return centred / sqrt(sum(centred^2, axis=0) / n)
}

let a = [f64((i * columns + j) * 7919 % 10007) / 10007.0 for i in 0:rows, j in 0:columns]
let warm = standard(a + 1).T
print("warm", sum(abs(warm)))
let start = time()
let s = standard(a).T
let seconds = time() - start
print("check", sum(abs(s)), s[columns - 1, 17])
print("time", seconds)
