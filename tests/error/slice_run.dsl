# RUN: run interp
fn last(x: int[n], k: int) -> int[m] = x[-k:]
print(last(arange(10), 3))
print(last(arange(10), 13))
