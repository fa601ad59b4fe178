# What StableHLO cannot say
# RUN: (dslc --emit=stablehlo %s 2>&1 || echo "status $?") | FileCheck --check-prefix=SIZE %s
# SIZE: errors.dsl:[[#]]:{{.*}}error[E0791]: StableHLO has arrays of known sizes alone: the size n is known only when the program runs
# SIZE: hint: say --size=NAME=NUMBER
# SIZE: status 1
# RUN: (dslc --emit=stablehlo --size=n=3 %s 2>&1 || true) | FileCheck --check-prefix=FILE %s
# FILE: error[E0790]: StableHLO has no way to say this: {{.*}}save
# RUN: (dslc --emit=stablehlo --size=n %s 2>&1 || true) | FileCheck --check-prefix=GIVEN %s
# GIVEN: error[E0794]: 'n' is no size: NAME=NUMBER
# RUN: rm -f %t; (dslc --emit=stablehlo --size=n=3 -o %t %s 2>/dev/null || test ! -e %t)
export fn f(x: f64[n]) -> f64 {
    save("x.npy", x)
    return sum(x)
}
