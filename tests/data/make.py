# Makes the files beside it, as others write them: python3 tests/data/make.py (NumPy, h5py, netCDF4)
import os, struct, zlib
import h5py, netCDF4
import numpy as np
os.chdir(os.path.dirname(os.path.abspath(__file__)))
x = np.arange(12.0).reshape(3, 4) / 8
np.savez("stored.npz", x=x, turned=np.asfortranarray(x), number=np.array(2.5), z=np.array([1 + 2j, 3]))
np.savez_compressed("deflated.npz", x=x, counts=np.arange(300, dtype=np.int32), big=x.astype(">f8"))

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

def png(name, columns, rows, depth, kind, interlaced, lines, *more):
    with open(name, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, depth, kind, 0, 0, interlaced)))
        for k, data in more:
            f.write(chunk(k, data))
        f.write(chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))

# Pixel (y, x) is 16 y + x, in the seven passes of Adam
passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
lines = b""
for x0, y0, dx, dy in passes:
    for y in range(y0, 10, dy):
        if x0 < 11:
            lines += b"\0" + bytes(16 * y + x for x in range(x0, 11, dx))
png("interlaced.png", 11, 10, 8, 0, 1, lines)
# Four colours with 2 bits each, one of them half clear
png("palette.png", 5, 2, 2, 3, 0, b"\0\x1b\x00" + b"\0\xe4\xc0",
    (b"PLTE", bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])), (b"tRNS", bytes([255, 255, 128])))
# 16 bits, gray, where 258 is clear
png("clear.png", 2, 1, 16, 0, 0, b"\0\x01\x02\xff\xff", (b"tRNS", b"\x01\x02"))

with h5py.File("several.h5", "w") as f:
    f["x"] = np.arange(24.0).reshape(4, 6)
    f["x"].attrs["units"] = "m/s"
    f["x"].attrs["scale"] = 2.5
    f["group/counts"] = np.arange(5, dtype=np.int32)
    f["flags"] = np.array([True, False])
    f["name"] = "a text"
    f["number"] = 3.5
    f["big"] = np.arange(5, dtype=">f4")
    f.attrs["title"] = np.bytes_("fixed")
    f.create_dataset("tiles", data=np.arange(400.0).reshape(20, 20), chunks=(5, 5), compression="gzip")
for name, kind in ("classic.nc", "NETCDF3_CLASSIC"), ("four.nc", "NETCDF4"):
    with netCDF4.Dataset(name, "w", format=kind) as d:
        d.createDimension("time", None)
        d.createDimension("x", 3)
        v = d.createVariable("T", "i2", ("time", "x"), fill_value=-999)
        v.scale_factor, v.add_offset, v.units = 0.1, 10.0, "degC"
        v[0:2, :] = np.ma.array([[10.1, 10.2, 10.3], [11, 12, 13]], mask=[[0, 1, 0], [0, 0, 0]])
        d.createVariable("k", "i4", ("x",))[:] = [1, 2, 3]
        d.title = "hello"
        if kind == "NETCDF4":
            d.createGroup("group").createVariable("y", "f4", ("x",))[:] = [1, 2, 3]
