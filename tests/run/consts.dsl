const n = 4
const scale = 2.0^-1
let name = "const"
const table = [1.0, 2.0, 4.0]
fn f(i: int) -> f64 = table[i] * scale
print(n, scale, name, table, f(2), zeros(f64, n))
kernel k(x: out f64[n]) { x[thread.x] = f(thread.x % 3) + n }
var x = zeros(f64, n)
launch k[1, n](x)
print(x)
if n == 4 { print("four") } else { print("other") }
