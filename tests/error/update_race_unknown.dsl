export fn tally(at: int[n]) -> int[8] {
    var b = zeros(int, 8)
    parallel for i in 0:n { b[at[i]] += 1 }
    return b
}
