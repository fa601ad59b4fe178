# A kernel that does nothing, for a block and a grid of known size
kernel idle(_p: inout f32[n], _q: i32[n], s: f64) {
}
var a = [f32(i) for i in 0:8]
launch idle[1, 1](a, zeros(i32, 8), 0)
launch idle[2, (4, 2)](a, zeros(i32, 8), 0.5)
print(a)
