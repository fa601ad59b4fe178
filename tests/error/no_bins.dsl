# RUN: run interp
print(histogram([1.0], 0.0, 1.0, 0))
