# Where time() is called, functions that are called between islands are no functions that only compute, in the eyes of C
# compilers, which would call them once for two calls; elsewhere, and in islands, they are.
# RUN: dslc --emit=c %s | FileCheck %s
# RUN: dslc --emit=llvm %s | FileCheck --check-prefix=LLVM %s
# CHECK: static double steps(double x){{$}}
# CHECK-NEXT: {
# CHECK: __asm__ volatile("");
# CHECK: static void script(void){{$}}
# CHECK-NOT: __asm__
# LLVM: define {{.*}}f.steps
# LLVM: call void asm sideeffect "", ""()
fn steps(x: f64) -> f64 {
    var s = x
    for i in 0:20000 { s = s * 0.999 + sin(s) + 0.25 * cos(s) }
    for i in 0:20000 { s = s * 0.998 + sin(s) + 0.25 * cos(s) }
    if s > 4.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 5.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 6.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    if s > 7.0 { s = s + exp(s); s = s * 2.0 + tan(s) }
    return s
}
let a = time()
let s = steps(0.5)
let b = time()
print(s == steps(0.5), b - a)
