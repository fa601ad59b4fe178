f()
f(1)
f(1, axis=0)
f(a=1, b=2,)
sum(x[k] for k in 0:n)
reduce(fn(a, b) => a + b, 0, x[k] for k in 0:n:2)
max(a[i, j] for i, j)
zeros(f64, n, m)
grad(f, wrt=x)(u)
p.x.y[0].z
t.0.1
t.0[1].2
x[1, 2][3]
f(if a { 1 } else { 2 }, fn(x: f64, y) => x)
Point(x=1, y=2)
x.T.T
thread.x + block.x * blockdim.x
