# Calls that give nothing stay what they are where rules look at calls.
# RUN: dslc --fp=reassoc --emit=par %s -o - | FileCheck %s
# CHECK: main @main
# CHECK: extern
arg n: int = 100
save("x.npy", rand(1, n))
print(n)
