let A = [[1.0, 2.0]]
var k = 0
print(sum(A, 2), sum(A, axis=-3), sum(A, k), size(A, 5), transpose(A, 0, 0), transpose(A, 0), sum(A, 1.5), max(A, axis=1), len(A, 1))
