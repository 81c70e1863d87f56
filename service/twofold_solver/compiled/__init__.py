"""What Numba compiles: learning, and a search that gives the same bits as `twofold_solver.search`. Needs the extra `train`."""
