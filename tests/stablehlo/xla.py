"""Runs main of StableHLO modules by XLA and compares what it returns with what the interpreter printed.

usage: xla.py NAME.mlir NAME.txt ..      prints a line for each pair: ok, or what differs
"""
import re
import sys

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
from jax._src.lib import xla_client  # noqa: E402

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)\b|\btrue\b|\bfalse\b")


def results(path):
    devices = jax.devices()[:1]
    executable = devices[0].client.compile_and_load(
        open(path).read(), xla_client.DeviceList(tuple(devices)), xla_client.CompileOptions())
    return [np.asarray(r[0]) for r in executable.execute_sharded([]).disassemble_into_single_device_arrays()]


def value(word):
    return {"true": 1.0, "false": 0.0}.get(word) if word in ("true", "false") else float(word)


def compare(module, printed):
    text = open(printed).read()
    if "..." in text:
        return "too much to print"
    found = results(module)
    has = "The last result is the number of the first check" in open(module).read()
    if has:
        if int(found[-1]):
            return f"check {int(found[-1])} failed"
        found = found[:-1]
    found = np.concatenate([np.ravel(x).astype(np.float64) for x in found]) if found else np.zeros(0)
    wanted = np.array([value(w) for w in NUMBER.findall(text)])
    if len(found) != len(wanted):
        return f"{len(found)} numbers, {len(wanted)} printed"
    near = np.isclose(found, wanted, rtol=2e-5, atol=1e-9, equal_nan=True)
    if near.all():
        return "ok"
    k = int(np.argmin(near))
    return f"number {k} is {found[k]}, printed {wanted[k]}"


for module, printed in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        print(module, compare(module, printed), flush=True)
    except Exception as e:  # what XLA says of the module
        print(module, "XLA:", str(e).strip().split("\n")[0][:200], flush=True)
