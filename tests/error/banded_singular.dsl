# RUN: run
print(solve_banded([[0.0, 0.0]], [1.0, 1.0], 0))
