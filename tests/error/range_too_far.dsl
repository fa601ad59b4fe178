# RUN: interp run
fn numbers(lo: int, hi: int) = [i for i in lo:hi:5]
print(numbers(9223372036854775800, 9223372036854775807))
