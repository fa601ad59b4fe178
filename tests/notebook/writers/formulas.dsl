# %% [markdown]
# # Formulas
#
# $\frac{\partial u}{\partial t} = \kappa \nabla^2 u$
#
# $x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$, $\sqrt[3]{x+1}$
#
# $\hat x + \bar{y} + \vec{v} + \overline{z+w} + \underbrace{a+b}_{n}$
#
# $\lim_{n \to \infty} \sin^2 x + 2\log y = \max_i |x_i|$
#
# $\mathbf{A}\mathbf{x} \in \mathbb{R}^n, \mathrm{d}x, \boldsymbol{\alpha}, \mathcal{L}$
#
# $-x + (-y) = e^{-x}, f''(x), x'^2, x^23, \frac12$
#
# $\left( \frac{a}{b} \right)^2 \left. \frac{df}{dx} \right|_{x=0} \bigl( x \bigr)$
#
# $\binom{n}{k} \not= 10 \bmod 3, a \pmod n, \overset{!}{=}$
#
# $50\,\text{m s}^{-1} \% \$ \{ \} \_$, $α → β ≤ ∞$
#
# $$\int_0^\infty e^{-x^2}\,dx = \sum_{\substack{i<j\\k}} a_{ij} \tag{1}$$
#
# $$A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}, f(x) = \begin{cases} 0 & \text{if } x < 0 \\ 1 & \text{otherwise} \end{cases}$$
#
# $$\begin{aligned} a &= b + c \\ &= d \end{aligned}$$
#
# $$
# a &= b \\
# - c &= d
# $$
#
# $$\left[ \begin{array}{lcr} 1 & 22 & 333 \\ \hline 4 & 5 & 6 \end{array} \right] \operatorname*{arg\,max}_\theta$$
#
# Not known: $\foo{x} + \bar y$. Not a formula: ${x$, $x}$, $x^2^3$, $\left( x$, $\begin{foo} x \end{foo}$, a$b, $ x$, \$y\$ and $
#
# | $u_{a}$ * [$x_1$](https://example.org/$y_1$) * `$z_1$` *
