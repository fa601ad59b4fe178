"""jax.vmap of a function of plate.mlir, over one parameter, both, and along another axis"""
import sys

sys.path.insert(0, ".")
import jax
import numpy as np
import dsl_jax

jax.config.update("jax_enable_x64", True)
warm = dsl_jax.load("plate.mlir", "warm")
us = np.random.default_rng(1).random((3, 300, 200))
ks = np.array([0.1, 0.2, 0.05])
each = [[np.asarray(warm(u, k)[0]) for k in ks] for u in us]
by_k = jax.jit(jax.vmap(warm, in_axes=(None, 0)))(us[0], ks)[0]
both = jax.vmap(warm)(us, ks)[0]
last = jax.vmap(warm, in_axes=(2, None))(np.moveaxis(us, 0, 2), 0.1)[0]
print(all(np.allclose(by_k[i], each[0][i]) and np.allclose(both[i], each[i][i]) and np.allclose(last[i], each[i][0])
          for i in range(3)))
