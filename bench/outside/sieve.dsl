# The sieve of Eratosthenes
const n = 10000000

fn primes(n: int) -> int {
    var composite = zeros(bool, n + 1)
    var i = 2
    while i * i <= n {
        if not composite[i] {
            for k in 0:ceildiv(n + 1 - i * i, i) { composite[i * i + k * i] = true }
        }
        i += 1
    }
    return sum(int(not composite[i]) for i in 2:n + 1)
}

let warm = primes(n)
let start = time()
let count = primes(n)
let seconds = time() - start
print("check", count, warm)
print("time", seconds)
