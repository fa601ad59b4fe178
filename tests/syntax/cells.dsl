# %% [markdown]
# # A title
# Some prose with `code`, "quotes" and (unbalanced brackets.
# %% Setup
let x = 1
# %%
let y = 2 # %% not a cell
  # %% not one either
#%% tight
let z = 3
# %% [markdown] Titled
# The end
