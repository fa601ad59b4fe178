# %% markdown
# # Tables
# Text before:
# | size | time *ms* | $|x|$ |
# |:---|--:|:-:|
# | 10 | 1.5 | `a | b` |
# | 100 | 15.25 | c \| d <b>x</b>
# | only |
#
# > a | b
# > --|--
# > 1 | [l](https://example.org)
#
# | a | b |
# |---|
# no table
# %%
1
