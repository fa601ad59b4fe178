# Behind a condition an access outside of its array is a warning that shows the call, the launch and the condition; behind false none
kernel edge(a: inout int[n], d: int) {
    let i = block.x * blockdim.x + thread.x
    if i < 9 { a[i + d] = i }
}
fn go(n: int, d: int) -> int[n] {
    var a = zeros(int, n)
    launch edge[1, 32](a, d)
    return a
}
const debug = false
let odd = uniform(1, 1) > 2.0
if odd { print(go(10, 2)) }
if not odd { print(go(11, 2)) } else { print(go(12, 4)) }
if debug { print(go(9, 1)) }
print(go(10, 1))
