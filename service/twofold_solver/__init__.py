"""The solver: what each direction of a 2048 position is worth, by a trained value network and a full-width search.

`twofold_solver.solver` is the way in; nothing is loaded before. Figures and training are in README.md beside this file.
"""
