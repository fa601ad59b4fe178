# Quotients by constants on a GPU: products, and a division only where they could leave the range of numbers.
# RUN: dslc --emit=ptx --cpu=sm_90 %s | FileCheck %s
# CHECK: .entry k{{[0-9]+}}_loop
# CHECK: ld.global
# CHECK: mul.rn.f64
# CHECK: fma.rn.f64
# CHECK: fma.rn.f64
# CHECK: fma.rn.f64
# CHECK-DAG: st.global
# CHECK-DAG: div.rn.f64 {{.*}}, 0d40A3880000000000
export fn by(x: f64[n]) -> f64[n] = x / 2500.0
print(by(ones(f64, 1000))[3])
