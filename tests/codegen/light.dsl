# Functions that call themselves and compute with scalars alone keep no frames for messages; those in which something
# else can fail do, and so does who calls these.
# RUN: dslc --emit=c %s | FileCheck %s
# RUN: (dslc run %s) > %t 2>&1; FileCheck %s --check-prefix=SAID < %t
# RUN: (dslc run -O0 %s) > %t 2>&1; FileCheck %s --check-prefix=SAID < %t
# RUN: (dslc interp %s) > %t 2>&1; FileCheck %s --check-prefix=SAID < %t
# SAID: 55 true 3 61 2.5 (8, 3)
# SAID-NEXT: 20 20 22 8

# Twice, in one expression
# CHECK: static int64_t fib(int64_t n, int64_t room)
# CHECK-NEXT: {
# CHECK-NEXT: if (dsl_no_room(room, {{[0-9]+}}, &site[{{[0-9]+}}])) return 0;
# CHECK-NOT: dsl_enter
# CHECK: fib(n - 1, room - 1)
# CHECK-NEXT: if (dsl_comes_back(&site[{{[0-9]+}}], "'fib' was called here")) return 0;
fn fib(n: int) -> int = if n < 2 { n } else { fib(n - 1) + fib(n - 2) }

# In turn
# CHECK: static bool {{odd|even}}(int64_t n, int64_t room)
# CHECK-NOT: dsl_enter
# CHECK: static bool {{odd|even}}(int64_t n, int64_t room)
# CHECK-NOT: dsl_enter
fn even(n: int) -> bool = if n == 0 { true } else { odd(n - 1) }
fn odd(n: int) -> bool = if n == 0 { false } else { even(n - 1) }

# In a loop of a loop, with conditions
# CHECK: static int64_t paths(int64_t left, int64_t used, int64_t room)
# CHECK-NOT: dsl_enter
fn paths(left: int, used: int) -> int {
    if left == 0 { return 1 }
    var count = 0
    for i in 0:4 {
        var k = i
        while k < 4 {
            if used & (1 << k) == 0 and k % 2 == left % 2 { count += paths(left - 1, used | 1 << k) }
            k += 2
        }
    }
    return count
}

# A function that calls itself calls another one that does
# CHECK: static int64_t ackermann(int64_t m, int64_t n, int64_t room)
# CHECK-NOT: dsl_enter
# CHECK: static double half(double x, int64_t k, int64_t room)
# CHECK: ackermann({{.*}}, room - 1)
# CHECK-NOT: dsl_enter
fn ackermann(m: int, n: int) -> int {
    if m == 0 { return n + 1 }
    if n == 0 { return ackermann(m - 1, 1) }
    return ackermann(m - 1, ackermann(m, n - 1))
}
fn half(x: f64, k: int) -> f64 = if k == 0 { x } else { half(x / 2 + f64(ackermann(1, k) % 2) / 2, k - 1) }

# Several results
# CHECK: static struct both_results both(int64_t n, int64_t room)
# CHECK: return (struct both_results){0};
fn both(n: int) -> (int, int) {
    if n == 0 { return (1, 0) }
    let (a, b) = both(n - 1)
    return (a * 2, b + 1)
}

# A division that may fail; an element that may not be there; a call of such a function
# CHECK: static int64_t steps(int64_t n, int64_t d)
# CHECK: dsl_enter_recursive
fn steps(n: int, d: int) -> int = if n <= d { n } else { steps(n - n // d, d) + 1 }
# CHECK: static int64_t outer(int64_t n, int64_t d)
# CHECK: dsl_enter_recursive
fn outer(n: int, d: int) -> int = if n == 0 { steps(20, d) } else { outer(n - 1, d) }
# CHECK: static int64_t last(dsl_array *x_arr, int64_t i)
# CHECK: dsl_enter_recursive
fn last(x: int[n], i: int) -> int = if x[i] < 0 { i } else { last(x, x[i]) }

# Called from a program and from a loop of threads
# CHECK: fib({{.*}}, dsl_room())
# CHECK-NEXT: dsl_came_back(
print(fib(10), even(10), paths(2, 0) - 3 * paths(1, 3), ackermann(2, 29), half(8.0, 2) , both(3))
print(steps(20, 20), outer(3, 20), outer(1, 19) + last([1, 2, -1], 0), sum(fib(i % 4) for i in 0:8))
