# %% Numbers of the kept outputs differ a little {tolerance=1e-3}
print(1.0, [1.0, 20.0, 300.0], "f64", -2.5e-3)
# %% It holds for the cells that follow
3.14159
# %% Near zero {absolute=1e-6}
print("error:", 1e-12)
# %% Exactly {tolerance=0, absolute=0}
0.1
