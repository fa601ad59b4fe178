# RUN: run
print(root(fn(x) => x * x + 1, 0.0, 1.0))
