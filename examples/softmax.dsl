# %% [markdown]
# # Softmax and log-sum-exp of rows
#
# $\log \sum_j e^{x_j}$ overflows as soon as one $x_j$ is greater than 709. With the greatest element $m$
# taken out,
#
# $$\log \sum_j e^{x_j} = m + \log \sum_j e^{x_j - m},$$
#
# nothing overflows, and the sum is at least 1. Softmax is $e^{x_j - \operatorname{lse}(x)}$.
# %% Rows of numbers up to 1000
const rows = 64
const cols = 300

let x = [1000 * uniform(3, i * cols + j) for i in 0:rows, j in 0:cols]
let top = [max(x[i, j] for j in 0:cols) for i in 0:rows]
let lse = [top[i] + log(sum(exp(x[i, j] - top[i]) for j in 0:cols)) for i in 0:rows]
let p = [exp(x[i, j] - lse[i]) for i in 0:rows, j in 0:cols]

# %% Checks
print("the naive formula gives", log(sum(exp(x[0]))))
print("rows sum to one:", max(abs(sum(p, axis=1) - 1)) < 1e-12)
print("first row agrees with the library:", abs(logsumexp(x[0]) - lse[0]) < 1e-9)
print("lse:", lse[0:4])
assert max(abs(softmax(x[1]) - p[1])) < 1e-12
