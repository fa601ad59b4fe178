# RUN: run
print(ode(fn(t, y) => [y[0] * y[0]], [1.0], [0.0, 2.0]))
