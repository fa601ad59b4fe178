# Compare-and-swap beside a plain read, and beside updates, which is no race
var n = [1, 2]
var m = [0, 0]
parallel for i in 0:2 {
    atomic n[0] = 2 if 1
    m[i] = n[0]
}
parallel for i in 0:100 {
    atomic n[0] = 2 if 1
    atomic n[0] += 1
    let now = atomic n[0]
    if now > 1 { atomic n[0] += 3 }
}
