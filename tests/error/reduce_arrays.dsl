let A = [[1.0, 2.0], [3.0, 4.0]]
print(sum(A[i] for i in 0:2), sum(A, 0))
