# Electromagnetic waves on a plane (Yee's scheme), as parallel loops
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
    parallel for j in 0:ny { ey[0, j] = f64(t) }
    parallel for i in 1:nx, j in 0:ny { ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j]) }
    parallel for i in 0:nx, j in 1:ny { ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1]) }
    parallel for i in 0:nx - 1, j in 0:ny - 1 {
        hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])
    }
}
print("time", time() - start)
report(ex)
report(ey)
report(hz)
