# RUN: run interp
# a kernel, the function that it calls, the launch, the function that launches; the same from any thread
fn look(at: int, limit: int) -> int { return 100 // (limit - at) }
fn at(x: f64[n], i: int) -> f64 = x[i]
kernel gather(y: out f64[n], x: f64[m], index: int[n]) {
    let i = block.x * blockdim.x + thread.x
    if i < n { y[i] = at(x, index[i]) }
}
fn gathered(x: f64[m], index: int[n]) -> f64[n] {
    var y = zeros(f64, n)
    launch gather[ceildiv(n, 64), 64](y, x, index)
    return y
}
fn twice(x: f64[m], index: int[n]) -> f64 { return sum(gathered(gathered(x, index), index)) }
print(look(1, 2), twice([1.0, 2.0], [0, 1, 0]))
print(twice(ones(f64, 900), [if i == 700 { 901 } else { i % 900 } for i in 0:1000]))
