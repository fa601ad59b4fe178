"""The library from Python, with nothing but ctypes."""
import ctypes as c
import sys

lib = c.CDLL(sys.argv[1])
lib.waves_context_new.restype = c.c_void_p
lib.waves_error.restype = c.c_char_p
for name in ["waves_error", "waves_free", "waves_context_free"]:
    getattr(lib, name).argtypes = [c.c_void_p]


class Medium(c.Structure):
    _fields_ = [("speed", c.c_double), ("spacing", c.c_double), ("damping", c.c_float), ("name", c.c_char_p), ("shift", c.c_int64 * 2)]


class Body(c.Structure):
    _fields_ = [("x", c.c_double), ("y", c.c_double), ("id", c.c_int32)]


doubles, ints = c.POINTER(c.c_double), c.POINTER(c.c_int64)
lib.waves_step.argtypes = [c.c_void_p, c.c_int64, c.c_int64, doubles, c.POINTER(Medium), c.c_int64, doubles]
lib.waves_moved.argtypes = [c.c_void_p, c.c_int64, c.POINTER(Body), c.c_double, c.POINTER(Body)]
lib.waves_positive.argtypes = [c.c_void_p, c.c_int64, doubles, ints, c.POINTER(doubles), c.POINTER(ints)]
lib.waves_pick.argtypes = [c.c_void_p, c.c_int64, c.c_int64, doubles, ints, doubles]

context = lib.waves_context_new()
u = (c.c_double * 12)(0, 0, 0, 0, 0, 1, 2)
r = (c.c_double * 12)()
assert lib.waves_step(context, 3, 4, u, Medium(1, 1, 0.5, b"air", (3, 4)), 1, r) == 0
assert r[6] == -1.5
bodies = (Body * 2)((1, 2, 3), (4, 5, 6))
moved = (Body * 2)()
assert lib.waves_moved(context, 2, bodies, 0.5, moved) == 0 and moved[1].x == 4.5 and moved[1].id == 6
found, values, places = c.c_int64(), doubles(), ints()
assert lib.waves_positive(context, 12, u, found, values, places) == 0
assert values[: found.value] == [1, 2] and places[: found.value] == [5, 6]
lib.waves_free(values)
lib.waves_free(places)
assert lib.waves_step(context, 3, 4, None, Medium(1, 1, 0.5, b"air", (3, 4)), 1, r) == 1
assert lib.waves_error(context) == b"error[E0650]: 'u' is a null pointer"
assert lib.waves_pick(context, 12, 2, u, (c.c_int64 * 2)(3, 12), r) == 4
assert b"index 12 is out of bounds" in lib.waves_error(context)
lib.waves_context_free(context)
print("all is well")
