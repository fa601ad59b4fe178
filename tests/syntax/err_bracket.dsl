let a = (1 + 2
let b = f(a[1)
let c = f(a[1], 2]
let d = f(a))
let e = {
    f(1, 2
}
}
print(
    1,
    2
let f = 3
