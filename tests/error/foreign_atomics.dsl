kernel k(a: inout f64[n], v: f64[n], m: inout int[n]) {
    let i = block.x * blockdim.x + thread.x
    atomicAdd(a[i], v[i])
    let old = atomicSub(a[min(i, n - 1)], 2 * v[i])
    atomicMax(m[i], i)
    atomicXor(m[i], 1)
    atomicExch(a[i], 1.0)
    let was = atomicCAS(m[i], 0, i)
    atomic_fetch_add(m[0], 1)
    atomicAdd(a)
    atomicInc(m[0])
}
parallel for i in range(4) { print(i) }
let squares = [i^2 for i in range(2, n)]
for i in range(10, 0, -1) { print(i) }
