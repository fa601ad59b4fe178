let x = np.sin(1.0)
for i in 0:length([1, 2]) { print(i) }
print(pow(2.0, 3.0), True)
kernel k(y: out f64[n]) { y[threadIdx] = 1.0 }
