# Words that are special only where they stand: as names of everything that has a name
let out = zeros(f64, 3)
fn test(x: f64) -> f64 = x + 1
struct S { kernel: f64, barrier: int
  test: f64
  sync: f64[3] }
fn weigh(bench: int, shared: f64 = 1.0) -> f64 = bench * shared
const spawned = 4
kernel step(out: out f64[n], inout: f64[n], launch: inout f64[export], atomic: int) {
    let barrier = 3
    shared shared: f64[4]
    let t = thread.x
    shared[t] = 1
    if t < n { out[t] = shared[t] + inout[t] + barrier + atomic }
    if t == 0 { atomic launch[0] += 1.0 }
    if t == 1 { atomic launch[export - 1] max= 7.0 }
}
kernel kernel(shared: inout int[n]) {
    if block.x < n { shared[block.x] += 1 }
}
kernel waits(y: inout int[n]) {
    shared out: int[4]
    out[thread.x] = y[thread.x]
    barrier
    y[thread.x] = out[3 - thread.x]; barrier
    if y[0] > 0 { barrier }
}
var sync = 3
sync = 4
sync += 1
let s = S(kernel=1, barrier=2, test=3, sync=out)
print(out, test(1), s.kernel, s.sync, weigh(bench=3, shared=2), sync, f"{sync} {out[0]:.2f} {(sync)}")
var launch = ones(f64, 2)
var parallel = zeros(f64, 4)
launch step[1, spawned](parallel, ones(f64, 4), launch, 2)
print(parallel, launch)
var counts = [1, 2, 3]
launch kernel[3, 1](counts)
print(counts)
var order = [1, 2, 3, 4]
launch waits[1, 4](order)
print(order)
fn waiting() -> f64 {
    var spawn = 0.0
    var two = 0
    spawn spawn = test(3)
    spawn { two = 2 }
    sync
    return spawn + two
}
print(waiting(), (sync), [
    sync,
    5,
])
let export = [1, 2, 3]
for import in export { print(import) }
for out in 0:2 { print(out) }
parallel for atomic in 0:3 { atomic parallel[atomic] max= 9 }
print(parallel[0:sync - 3], out[0:1], [bench for bench in 0:3], if sync > 3 { (sync) } else { 0 })
fn extern(parallel: fn(f64) -> f64, inout: f64) = parallel(inout)
print(extern(test, 2), extern(fn(out) => 2 * out, 4.0), sum(kernel * export[kernel] for kernel in 0:3))
let (thread, block) = (1, 2)
print(thread + block, export[0:thread], test(export[1]))
test "x" { assert test(1) == 2 }
bench "y" { assert test(1) == 2 }
