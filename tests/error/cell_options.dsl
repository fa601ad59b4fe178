# RUN: notebook
# %% A title {hide-cod}
let a = 1
# %% {hide-code, tolerance=1e-, no-run=1}
let b = 2
# %% {tolerence=1e-3}
let d = 4
# %% {tolerance, quickly, absolute=-1, , expect-error}
let c = 3
# %% [markdwon]
# Prose
# %% [markdown]
# Not {an-option}
