fn classify(x: int) -> str {
    if x < 0 { return "negative" } else if x == 0 { return "zero" }
    if x < 10 {
        return "small"
    }
    return "large"
}
for i in -2:3 { print(i, classify(i)) }
print(classify(10))

var total = 0
for i in 0:10 {
    if i % 3 == 0 { continue }
    if i > 7 { break }
    total += i
}
print(total)

var k = 27
var steps = 0
while k != 1 {
    k = if k % 2 == 0 { k // 2 } else { 3 * k + 1 }
    steps += 1
}
print(steps)

for i in 10:0:-3 { print(i) }
for i in 5:5 { print("never", i) }

var n = 0
while true {
    n += 1
    if n % 2 == 0 { continue }
    if n > 8 { break }
    print("odd", n)
}
print(n)
