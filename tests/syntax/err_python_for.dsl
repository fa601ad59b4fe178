for i in range(5):
    print(i)
for j in range(2, len(xs)): print(j)
if true { for k in range(min(3, n), (2 + 1) * 5, 2): # all
    print(k) }
parallel for l in range(n):
    x[l] = 1
for i in 0:5:
    print(i)
kernel k(a: inout f64[n]) {
    atomicAdd(&a[thread.x], 1.0)
    let x = a[0] & 1
}
