# A loop of the processor that calls a function which launches has one thread: launches are one thread's.
# RUN: dslc --emit=plan --target=cuda %s | FileCheck %s
# RUN: dslc --emit=plan %s | FileCheck --check-prefix=CPU %s
# CHECK: main @main
# CHECK: parallel(%{{.*}}) {kind = plain} {{{$}}
# CHECK: call({{.*}}) {func = @rec}
# CPU: main @main
# CPU: parallel(%{{.*}}) {kind = plain} {  # threads
# CPU: call({{.*}}) {func = @rec}
fn rec(d: int, x: f64) -> f64 {
    if d <= 0 { return x }
    return rec(d - 1, 0.5 * sum(x + f64(k) for k in 0:100))
}
let a = [rec(2, f64(i)) for i in 0:3000]
print(sum(a))
