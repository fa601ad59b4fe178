var n = [1, 2]
parallel for i in 0:2 {
    atomic n[0] += 2 if 1
}
parallel for i in 0:2 {
    atomic n[0]
}
