# RUN: notebook
# %% Too far {expect-error}
let x = [1, 2, 3]
x[2]
# %%
y
