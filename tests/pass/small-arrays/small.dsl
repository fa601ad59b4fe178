# Arrays of few elements become their elements, in loops, branches and short sums; others, and what is needed as a whole,
# stay arrays.
# RUN: dslc -O2 --emit=c %s | FileCheck %s

# A loop over time, left early, with a branch that gives arrays; rows of a matrix and a table
# CHECK: {{^}}double orbit(double a, int64_t n){{$}}
# CHECK-NOT: dsl_
# CHECK: {{^}}}
export fn orbit(a: f64, n: int) -> f64 {
    var x = [a, 8.0]
    var v = [0.75, 0.0]
    let turn = [[0.0, 1.0], [-1.0, 0.0]]
    for k in 0:n {
        let force = if x[0] > 0 { -x / norm(x)^3 } else { turn @ v }
        x += 0.1 * v
        if x[1] <= 0 { break }
        v += 0.1 * force
    }
    return x[0] + dot(v, x)
}

# Elements at indices that only the run knows
# CHECK: {{^}}int64_t counts(int64_t n){{$}}
# CHECK-NOT: dsl_new
# CHECK: {{^}}}
export fn counts(n: int) -> int {
    var c = zeros(int, 3)
    for i in 0:n { c[i * i % 3] += i }
    return c[0] - c[1] * c[2] + max(c)
}

# What a loop leaves is an array again, one, behind it; derivatives as well
# CHECK: {{^}}dsl_array *last(double a, int64_t n){{$}}
# CHECK-NOT: dsl_new
# CHECK: for (
# CHECK-NOT: dsl_new
# CHECK: {{^    }}}
# CHECK: dsl_new
# CHECK-NOT: dsl_new
# CHECK: {{^}}}
export fn last(a: f64, n: int) -> f64[2] {
    var x = [a, 1.0]
    for k in 0:n { x = [x[1], x[0] * 0.5 + 0.1] }
    return x
}

# Five elements, and arrays that calls get, stay.
# CHECK: {{^}}double five(double a, int64_t n){{$}}
# CHECK: dsl_new
# CHECK: {{^}}}
export fn five(a: f64, n: int) -> f64 {
    var x = [a, a, a, a, a]
    for k in 0:n { x = [x[4 - i] * 0.5 + i for i in 0:5] }
    return x[2]
}
fn deep(x: f64[2], n: int) -> f64 = if n == 0 { x[0] } else { deep(x, n - 1) + deep([x[1], x[0]], n - 1) }
# CHECK: {{^}}double called(double a, int64_t n){{$}}
# CHECK: dsl_new
# CHECK: deep(
# CHECK: {{^}}}
export fn called(a: f64, n: int) -> f64 {
    let x = [a, 1 / a]
    return deep(x, n) + x[1]
}
