struct P { w: f32, a: i32 }
kernel k(p: inout P[n], q: P[n], s: inout f64[1]) {
  let t = block.x*blockdim.x+thread.x
  if t < n { p[t].w = q[t].w + 1; p[t].a = i32(t); atomic s[0] += f64(p[t].w) }
}
var p = [P(f32(i), 0) for i in 0:10]
let q = p
var s = zeros(f64,1)
launch k[2,5](p, q, s)
print(p[3].w, p[3].a, s)
