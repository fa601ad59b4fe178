let x = [[1.0, 2.0]]
print(mean(2.0), mean("x"), mean(x, axis=2), mean(x, 0, 1), mean(unknown))
print(mean([(1, 2)]), mean(x, axix=0), mean())
