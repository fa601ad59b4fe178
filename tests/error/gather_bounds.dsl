# RUN: run interp
# The first element behind the array is told, as in the serial loop.
fn shifted(x: f64[n], by: int) -> f64[n] {
    var y = zeros(f64, n)
    parallel for i in 0:n {
        atomic y[i + by] += x[i]
        atomic y[i + by - 1] += x[i]
    }
    return y
}

let x = ones(f64, 1000)
print(sum(shifted(x, int(sum(x)) - 998)))
