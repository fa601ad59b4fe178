# Functions without a name, as others write them
let a = map(x -> x + 1, [1, 2])
let b = map(x => x + 1, [1, 2])
let c = map(|x| x + 1, [1, 2])
let d = (x, y) -> x
let e = @(x) x^2
let f = lambda x: x
let x = 1.5
print(f"{x=}")
print(f"{x!r} {x == 1.5} {x != 2}")
print(f"{x!s:>10}")
