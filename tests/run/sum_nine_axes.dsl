# A sum over more axes than an array can have, long enough for threads
let x = [sin(1.0 * i) for i in 0:300]
print(sum(x[a + b + c + d + e + f + g + h] * x[i] for a in 0:2, b in 0:2, c in 0:2, d in 0:2, e in 0:2, f in 0:2, g in 0:2, h in 0:2, i in 0:300))
