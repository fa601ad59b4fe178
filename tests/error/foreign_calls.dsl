fn safe(x: f64) -> f64 {
    if x < 0 { error("negative") }
    if x > 9 { exit(1) }
    return x
}
kernel k(y: out f64[n]) {
    let i = blockIdx.y * blockDim.y + threadIdx.y
    if i < n { y[i] = 1.0 }
}
var y = zeros(f64, 8)
var s = "a"
s += "b"
let names = ["a", "b"]
print(safe(1.0), y)
plot("a.png", [1.0], 3, 4)
plot([1.0, 2.0], [1.0, 2.0], color="red")
plot([1, 2], "a", title=3)
plot([1.0, 2.0], [1.0, 2.0], style=3)
plot([1.0, 2.0], [1.0, 2.0], title="a", colour="red")
