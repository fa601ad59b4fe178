# Electromagnetic waves on a plane (Yee's scheme), as assignments of slices
# small: nx=14 ny=17 steps=3
import "report.dsl"
const nx = 1000
const ny = 1200
const steps = 40

var ex = [f64(i) * (j + 1) / nx for i in 0:nx, j in 0:ny]
var ey = [f64(i) * (j + 2) / ny for i in 0:nx, j in 0:ny]
var hz = [f64(i) * (j + 3) / nx for i in 0:nx, j in 0:ny]
let start = time()
for t in 0:steps {
    ey[0, :] = full(f64(t), ny)
    ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
    ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
    hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
}
print("time", time() - start)
report(ex)
report(ey)
report(hz)
