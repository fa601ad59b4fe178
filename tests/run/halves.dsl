let a: f16[3] = [1.0, 0.1, 65504.0]
print(a, a + a, sum(a))
var b: bf16 = 1.0
for i in 0:10 { b += 0.01 }
print(b)
let c = f32([0.5, 0.25]) * 2
print(c)
