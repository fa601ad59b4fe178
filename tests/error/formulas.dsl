# RUN: notebook
# %% [markdown]
# # A rod of $\lenght{l}$
# Well: $x_i^2$, prices of 3$ and 5$, `$\nocommand$`, \$\nocommand\$.
#  Twice $\foo x$ and $a \foo$, and $\frac{1}{2$ braces.
#
#     code $\nocommand$
#
# $$
# \left( a + b
# $$
#- $x_1_2$
# $$\begin{matrx}a\end{matrx}$$ and $\sqrt[3]{x$.
# %%
let x = 1 # $\nocommand$
print(x)
