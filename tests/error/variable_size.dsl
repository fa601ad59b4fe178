var r = zeros(f64, 0)
for i in 0:5 { r = concat(r, [f64(i)]) }
var m = zeros(f64, 0, 3)
for i in 0:3 { m = vstack(m, [[1.0, 2.0, 3.0]]) }
var p = [1.0, 2.0, 3.0]
p = [5.0]
p = 5.0
p[:] = [5.0]
var q = zeros(f64, 2, 3)
q = [1.0, 2.0, 3.0]
q[:] = [1.0, 2.0, 3.0]
let x: f64[3] = [1.0]
let y: f64[n, 3] = [1.0, 2.0, 3.0]
struct Box { side: f64[3] }
var box = Box([1.0, 2.0, 3.0])
box.side = [1.0]
var (a, b) = ([1.0, 2.0], 1.0)
(a, b) = ([1.0], 2.0)
print(r, m, p, q, x, y, box, a, b)
