let a = 2i + 3.5j
let b: f64[:] = [1.0]
let c::Int = 3
let d = (int) 3.7
let e = sin.([1.0])
__global__ void k(float *x)
struct P { float x; double y; }
enum Color
if 3 > 2 print(1)
import "a.dsl" as a
@njit
%timeit 3
let f = 3 in [1, 2]
export kernel k(y: out f64[n]) { }
export const n = 3
for a, b in zip([1], [2]) { print(a) }
