# RUN: run interp
save("run_0.5", [1.0])
save("x.xyz", [1.0, 2.0])
