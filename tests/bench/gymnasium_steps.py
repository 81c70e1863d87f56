"""gymnasium-2048's env.step alone, in whatever interpreter has it: `gymnasium_steps.py SECONDS` prints JSON.

Knows no Twofold. As in `engine`: random directions, a new game when over, only moves that change the board are
counted, CPU time.
"""

import importlib
import json
import random
import sys
import time
from importlib.metadata import version


def main(seconds: float) -> None:
    env = importlib.import_module("gymnasium_2048.envs").TwentyFortyEightEnv()
    chance = random.Random(2048)
    env.reset(seed=2048)
    steps = 0
    began = time.process_time()
    while (took := time.process_time() - began) < seconds:
        for _ in range(200):
            _, _, over, _, _ = env.step(chance.randrange(4))
            steps += env.is_legal
            if over:
                env.reset()
    print(json.dumps({"rate": steps / took, "version": version("gymnasium-2048")}))


if __name__ == "__main__":
    main(float(sys.argv[1]))
