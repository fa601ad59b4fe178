if x > 0:
    print(x)
for i in 0:10:
    print(i)
while x > 0
    x -= 1
fn f(x: f64):
    return x
if x then { y }
if x == 1
{
    print(1)
}
for (i = 0; i < 3; i++) { print(i) }
