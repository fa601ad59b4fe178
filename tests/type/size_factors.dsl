# A size of twenty factors is not multiplied out
fn f(n0: int, n1: int, n2: int, n3: int, n4: int, n5: int, n6: int, n7: int, n8: int, n9: int, n10: int, n11: int, n12: int, n13: int, n14: int, n15: int, n16: int, n17: int, n18: int, n19: int) -> int {
    let x = zeros(u8, (n0 + 1) * (n1 + 1) * (n2 + 1) * (n3 + 1) * (n4 + 1) * (n5 + 1) * (n6 + 1) * (n7 + 1) * (n8 + 1) * (n9 + 1) * (n10 + 1) * (n11 + 1) * (n12 + 1) * (n13 + 1) * (n14 + 1) * (n15 + 1) * (n16 + 1) * (n17 + 1) * (n18 + 1) * (n19 + 1))
    return len(x)
}
print(f(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
