# Variables of inner blocks, assigned there, in loops that may break: they end with their block.
fn count(x: int[n], most: int) -> int {
    var total = 0
    for i in 0:n {
        if x[i] > 2 {
            total += 1
        } else {
            var left = n
            left -= i
            total += left
        }
        if total > most { break }
    }
    return total
}
print(count([1, 5, 2, 7], 100), count([1, 5, 2, 7], 3), count([3, 3], 1))
