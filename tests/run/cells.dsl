# %% [markdown]
# # A title
# Some prose
# %% first
let x = 3
# %%
print(x + 1)
