# A scan gives its first element as it is: minus zero stays, in each chunk of elements and with threads.
let few = cumsum([-0.0, -0.0, 0.0, -0.0])
print(few)
let many = cumsum([-0.0 for i in 0:20000])
print(many[0], many[4095], many[4096], many[19999])
let ones = cumsum([1 for i in 0:50000])
print(ones[0], ones[4096], ones[49999])
let odd = cumsum([if i == 30000 { 0.0 / 0.0 } else { 0.5 } for i in 0:60000])
print(odd[0], odd[16384], odd[29999], odd[30000], odd[59999])
let halves = cumsum([f32(i % 7) * f32(0.25) for i in 0:40000])
print(halves[12345], halves[39999])
# Elements that are written while others are read
var x = [f64(i % 13) - 6.0 for i in 0:50001]
x = cumsum(x)
print(x[4095], x[4096], x[20000], x[50000], sum(x))
print(cumprod([-1.0 for i in 0:10001])[10000], scan(fn(a, b) => max(a, b), [f64(i * 7919 % 10007) for i in 0:30000])[29999])
