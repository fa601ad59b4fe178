# RUN: check -Wno-unused
# %% shown
let x = 3
let v = [1, 2]
print(x)
-x
# %%
let y = x

-x
# %%
for i in v { print(i) }
-x
# %% not shown
x
-x
# %%
let z = x
# a remark
+ 1
# %%
x == 2
-x
for i in 0:2 {
    v[i] == 5
    x
}
let w = if x > 2 {
    let a = 2
    -a
} else { +x }
let u = (x
    - 1)
# %%
x == 3
