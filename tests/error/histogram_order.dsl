# RUN: interp run
print(histogram([0.5, 0.7], 1.0, 0.0, 2))
