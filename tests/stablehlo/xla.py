"""Runs main of StableHLO modules by XLA and compares what it returns with what the interpreter printed.

usage: xla.py NAME.mlir NAME.txt ..      prints a line for each pair: ok, or what differs
"""
import multiprocessing
import re
import sys

SECONDS = 120  # for one module: XLA compiles some long programs for longer
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)\b|\btrue\b|\bfalse\b")


def results(path):
    import jax
    import numpy as np
    from jax._src.lib import xla_client

    jax.config.update("jax_enable_x64", True)
    devices = jax.devices()[:1]
    executable = devices[0].client.compile_and_load(
        open(path).read(), xla_client.DeviceList(tuple(devices)), xla_client.CompileOptions())
    arrays = executable.execute_sharded([]).disassemble_into_single_device_arrays()
    return [np.asarray(a[0]) for a in arrays]


def value(word):
    return float(word == "true") if word in ("true", "false") else float(word)


def compare(module, printed):
    import numpy as np

    text, source = open(printed).read(), open(module).read()
    found = results(module)
    if "The last result is the number of the first check" in source:
        if int(found[-1]):
            return f"check {int(found[-1])} failed"
        found = found[:-1]
    halves = any(a.dtype.itemsize == 2 and a.dtype.kind in "fV" for a in found)
    found = np.concatenate([np.ravel(a).astype(np.float64) for a in found]) if found else np.zeros(0)
    wanted = np.array([value(w) for w in NUMBER.findall(text)])
    if len(found) != len(wanted):
        return f"{len(found)} numbers, {len(wanted)} printed"
    near = np.isclose(found, wanted, rtol=2e-3 if halves else 2e-5, atol=1e-9, equal_nan=True)
    k = int(np.argmin(near)) if len(near) else 0
    return "ok" if near.all() else f"number {k} is {found[k]}, printed {wanted[k]}"


def work(pipe):
    while True:
        try:
            pipe.send(compare(*pipe.recv()))
        except EOFError:
            return
        except Exception as e:  # what XLA says of the module
            pipe.send("XLA: " + str(e).strip().split("\n")[0][:200])


def start():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    worker = context.Process(target=work, args=(theirs,), daemon=True)
    worker.start()
    return worker, ours


def main():
    worker, pipe = start()
    for pair in zip(sys.argv[1::2], sys.argv[2::2]):
        pipe.send(pair)
        if pipe.poll(SECONDS):
            print(pair[0], pipe.recv(), flush=True)
            continue
        print(pair[0], f"takes longer than {SECONDS} seconds", flush=True)
        worker.kill()
        worker, pipe = start()


if __name__ == "__main__":
    main()
