kernel add(y: out f64[n], x: f64[n], k: f64) { y[thread.x] = x[thread.x] + k }
kernel two(y: out f64[n], z: inout f64[n]) { y[thread.x] = z[thread.x] }
let x = [1.0, 2.0]
var y = zeros(f64, 2)
var z = zeros(f64, 3)
var w = zeros(f32, 2)
launch add[1, 2](x, y, 1.0)
launch add[1, 2](y, z, 1.0)
launch add[1, 2](w, x, 1.0)
launch add[1, 2](y, w, 1)
launch add[1, 2](y + 1, x, 1.0)
launch add[1, 2](y[0:2], x, 1.0)
launch add[1, 2](y, x)
launch add[1, 2](y, x, "k")
launch two[1, 2](y, y)
launch add[1, 2](q, x, 1.0)
