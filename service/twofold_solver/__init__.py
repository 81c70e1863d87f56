"""A solver for 2048: what each direction is worth, from a trained value network and a full-width search."""
