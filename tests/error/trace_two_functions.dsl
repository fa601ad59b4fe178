# RUN: run interp
# calls that keep no frames are told all the same: two functions in turn, called from a loop of one that does
fn down(k: int, s: f64) -> f64 {
    if s < -1.0 { return s }
    return up(k + 1, s * 0.5) + 1
}
fn up(k: int, s: f64) -> f64 {
    var best = s
    for i in 0:3 {
        if i == k % 3 { best = max(best, down(k + i + 1, s + 1)) }
    }
    return best
}
fn first(x: f64[n], k: int) -> f64 {
    if k == 0 { return up(0, x[0]) }
    return first(x, k - 1) + x[k]
}
print(first([1.0, 2.0, 3.0, 4.0], 2))
