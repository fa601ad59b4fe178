# RUN: notebook
# %% [markdown]
# # Pictures
# Not there: ![pic](nope.png); elsewhere: ![web](https://example.org/x.png).
# - no picture: ![text](pictures.dsl), in code `![pic](none.png)`
# %% markdown
# The last one: ![a
# b](sub/none.svg "title")
# %%
print(1)
