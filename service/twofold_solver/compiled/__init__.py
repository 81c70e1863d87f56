"""What Numba compiles: learning, and a search as exact as `twofold_solver.search`. Needs the extra `train`."""
