"""The benchmark: `make bench`, or `.venv/bin/python -m tests.bench`. Linux only, everything on loopback.

One run starts all servers at once and measures them in turn, round after round (`--rounds`, default 5; `--quick` for
about a minute), because on a shared machine only figures taken side by side give a ratio. The service as
`twofold serve` runs it (SQLite, synchronous=FULL, rates off) stands beside a bare FastAPI POST, a bare uvicorn
WebSocket echo, and itself with the journal taken out, with a transaction per move, and with an SQLModel session per
move (`runner`). Where Node and their packages are, it also stands beside Colyseus, boardgame.io and a bare `ws` server
with their games in memory (`peers`): `make bench-peers` installs them and measures.

The players are a process of their own (`generator`) on another core: raw sockets, each player sends its next move when
the last one is answered. Capacity is 1e6 divided by the server's CPU microseconds per reply, so it does not depend on
how fast the generator is.

Games are classic 4 x 4; directions are taken from the last answer's `legal_moves`, or from a peer's board, so that
every reply is a real move but for one `start` a game. The rest: the engine alone, CPU by room, memory, fan-out. Goals
are those of performance.md, section 9 (`goals`). To compare the engine with gymnasium-2048,
`pip install gymnasium-2048` into any venv and name its interpreter:
`make bench ARGS="--peer-python /tmp/peer/bin/python"`. The exit status is 0 unless the run itself failed: a ratio
below its floor is said in words.

Two further scripts measure what moves do not: `tests.bench.day` the results of a date that 10,000 simulated players
have finished, `tests.bench.pictures` the drawing of boards and films.
"""
