# RUN: run interp
# The owner of an index that is outside says so: the message is the same whoever that is.
fn rows(x: f64[n], at: int[n], m: int) -> f64[m, 40] {
    var y = zeros(f64, m, 40)
    parallel for i in 0:n {
        let k = at[i]
        for j in 0:40 { atomic y[k, j] += exp(x[i] * j) }
    }
    return y
}
let n = 20000
let x = [i / n for i in 0:n]
print(sum(rows(x, [i % 1000 for i in 0:n], 1000)) > 0)
print(sum(rows(x, [if i == 7777 { -1 } else { i % 1000 } for i in 0:n], 1000)))
