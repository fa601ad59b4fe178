# Arguments of a program have their default values where none are given; elsewhere `arg` is a name.
arg steps: int = 1000  ## how many
## in seconds
arg dt: f64 = 0.1 / 2
arg verbose: bool = false
arg name: str = "out"
arg small: u8 = 250
arg large: u64 = 0xffffffffffffffff
arg single: f32 = 1.5
arg half: f16 = 0.5
arg less: i8 = -7
const base = 10
arg more: int = 3 * base
let n = steps
arg after: int = n + 1

struct Pair { arg: f64, b: f64 }
fn twice(arg: f64) -> f64 = 2 * arg
fn arg(x: int) -> int = x + 1
kernel fill(arg: out f64[m]) { if thread.x < m { arg[thread.x] = 1 } }

print(steps, dt, verbose, name, small, large, single, half, less, more, after)
let z = [f64(i) for i in 0:steps]
print(sum(z), small + 10, f"{name}-{steps:06d}.npy", twice(arg=3), arg(4))
var y = zeros(f64, 3)
launch fill[1, 3](y)
print(y, Pair(arg=1, b=2).arg)
if verbose { print("never") }
for arg in 0:2 { print(arg) }
