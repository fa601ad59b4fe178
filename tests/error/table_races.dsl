# Arrays of known ints as indices: two elements are equal; colours have one in common; all differ, and leave the array
fn twice(x: f64[n]) -> f64[4] {
    let p = [1, 0, 1, 2]
    var y = zeros(f64, 4)
    parallel for j in 0:4 { y[p[j]] = 2 * x[j] }
    return y
}
fn colours(x: f64[n]) -> f64[8] {
    let red = [0, 2, 5, 4]
    let black = [1, 7, 5, 3]
    var y = ones(f64, 8)
    parallel for j in 0:4 { y[red[j]] = y[black[3 - j]] + x[j] }
    return y
}
fn outside(x: f64[n]) -> f64[4] {
    let p = [1, 4, 0, 2]
    var y = zeros(f64, 4)
    parallel for j in 0:4 { y[p[j]] = 2 * x[j] }
    return y
}
let x = ones(f64, 8)
print(twice(x), colours(x), outside(x))
