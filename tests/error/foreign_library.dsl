# Functions of other libraries that this one has not, or has under another name: never a lookalike
let x = [1.0, 2.0]
let c = nansum(x)
let e = tau
let f = sgn(-1)
let g = isin(x, 1.0)
let j = argwhere(x)
let l = percentile(x, 95)
let m = conv(x, x)
let p = einsum("ij,jk->ik", x, x)
let q = shuffle(x)
seed(1)
let r = factorial(5) + gcd(4, 6)
let s = loadtxt("x.csv")
let t = input("n = ")
let u = sys.argv[1]
let v = getenv("HOME")
let w = complex(1, 2)
fn z(x: ComplexF64) = x
