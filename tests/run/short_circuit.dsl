let x = [1, 2, 3]
fn at(i: int, n: int) -> bool {
    print("asked", i)
    return i < n
}
var i = 0
while i < 3 and x[i] < 3 { i += 1 }
print(i)
if i == 99 and x[i] == 0 { print("never") }
if i < 3 or x[i] == 0 { print("yes") }
print(at(1, 2) and at(2, 2), at(1, 2) or at(5, 2))
print(i != 0 and 10 // i == 5, i == 0 or 10 // i == 5)
