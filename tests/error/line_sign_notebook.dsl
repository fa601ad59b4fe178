# RUN: notebook
# %% first
let x = 3
# %%
x
-x
# %%
let y = x
-x
# %%
let z = x
  + 1
# %%
x

-x
