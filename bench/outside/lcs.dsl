# Length of the longest common subsequence of two texts, by dynamic programming
const n = 5000
const m = 5000

fn lcs(a: u8[n], b: u8[m]) -> i32 {
    var length = zeros(i32, n + 1, m + 1)
    for i in 0:n {
        for j in 0:m {
            length[i + 1, j + 1] = if a[i] == b[j] { length[i, j] + 1 } else { max(length[i, j + 1], length[i + 1, j]) }
        }
    }
    return length[n, m]
}

let a = [u8(i * 7919 % 10007 % 4) for i in 0:n]
let b = [u8(i * 104729 % 1009 % 4) for i in 0:m]
let warm = lcs(b, a)
print("warm", warm)
let start = time()
let found = lcs(a, b)
let seconds = time() - start
print("check", found)
print("time", seconds)
