# %% [markdown]
# # Lines that end in CR LF
# %% A cell {hide-code}
let x = 2
print(x)
# %%
# %% Last, without an end
x * 21