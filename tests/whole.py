"""The whole API played through once, kindly and unkindly, by everybody who may; what was secret is handed back."""

import sqlite3
from base64 import b64encode, urlsafe_b64encode
from contextlib import closing
from pathlib import Path

import httpx

from tests.callers import Bare, Caller, Live, answer, player
from tests.service import SECRET


class Secrets:
    """Tokens, codes and seeds, and how each could be spelled; `hidden` are the seeds that nobody may see yet.

    `answers` are all that were given.
    """

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.bytes: set[bytes] = {SECRET}
        self.hidden: set[bytes] = set()
        self.answers: list[str] = []

    def hear(self, response: httpx.Response) -> None:
        self.answers.append(f"{response.headers}{response.read().decode('latin-1')}")

    def spelled(self) -> set[str]:
        spelled = set(self.texts)
        for secret in self.bytes:
            spelled |= {secret.hex(), secret.hex().upper(), b64encode(secret).decode(), repr(secret)[2:-1]}
            spelled |= {urlsafe_b64encode(secret).decode(), secret.hex(" "), str(list(secret))[1:-1]}
        return spelled

    def found_in(self, text: str) -> list[str]:
        return [secret for secret in self.spelled() if secret in text]

    def shown(self) -> list[str]:
        """Hidden seeds that an answer has told."""
        return [seed.hex() for seed in self.hidden for told in self.answers if seed.hex() in told.lower()]


def play_through(url: str, file: Path) -> Secrets:
    """Every operation and every live command at least once; seeds are read from the database, an SQLite file."""
    secrets = Secrets()
    with player(url, "Ada") as ada, player(url) as bob, Caller(url) as nobody:
        for caller in (ada, bob, nobody):
            caller.event_hooks = {"response": [secrets.hear]}
        _be_players(ada, bob, nobody, secrets)
        _play_over_rest(ada, bob, nobody)
        _play_live(ada, url)
        _read(ada, bob, nobody)
        _be_a_nuisance(ada, nobody, url, file, secrets)
        with closing(sqlite3.connect(file)) as beside:
            rows = beside.execute("SELECT id, seed FROM game").fetchall()
            secrets.bytes |= {seed for _, seed in rows}
            secrets.hidden |= {seed for (seed,) in beside.execute("SELECT seed FROM day")}
        secrets.bytes |= secrets.hidden
        for game, seed in rows:
            if any(reader.get(f"/games/{game}").json().get("final") is False for reader in (ada, bob)):
                secrets.hidden |= {seed}
        secrets.hidden -= {bytes.fromhex(seed) for seed in practised(ada)}
        answer_nothing(bob.delete("/players/me"))
    return secrets


def practised(caller: Caller) -> list[str]:
    """The seeds of practice, which are shown at once."""
    return [game["seed"] for game in answer(caller.get("/games?mode=practice&limit=100"))["items"]]


def answer_nothing(response: httpx.Response) -> None:
    assert response.status_code == 204, response.text


def _be_players(ada: Caller, bob: Caller, nobody: Caller, secrets: Secrets) -> None:
    answer(ada.get("/players/me"))
    answer(ada.patch("/players/me", json={"name": "Countess"}))
    code = answer(ada.post("/players/me/link"))["code"]
    device = answer(nobody.post("/players/link", json={"code": code}))["token"]
    token = answer(bob.post("/players/me/token"))["token"]
    secrets.texts |= {str(ada.token), str(bob.token), token, device, code}
    bob.headers["Authorization"] = f"Bearer {token}"
    answer(bob.get("/players/me/records"))


def _play_over_rest(ada: Caller, bob: Caller, nobody: Caller) -> None:
    game = ada.play(ada.new(visibility="private"), 3)["id"]
    answer(ada.get(f"/games/{game}/hint"))
    for op in ("undo", "pause", "resume", "abandon"):
        ada.do(game, op)
    assert ada.get(f"/games/{game}/analysis").status_code in (200, 202)
    ada.do(ada.new("sprint")["id"], "start")
    won = ada.new("practice", board=[[1024, 1024, 0, 0], [0] * 4, [0] * 4, [0] * 4])["id"]
    ada.move(won, "left")
    ada.do(won, "continue")
    ada.play(ada.new("daily"), 2)
    bob.new("moves100")
    answer(nobody.post("/hints", json={"board": [[2, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4]}))
    answer(nobody.post("/slides", json={"board": [[2, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4], "direction": "left"}))


def _play_live(ada: Caller, url: str) -> None:
    game = ada.play(ada.new(), 2)
    with Live(url, ada.token) as live, Live(url) as watcher:
        for who in (live, watcher):
            who.ok("watch", game=game["id"])
        live.ok("move", game=game["id"], direction=game["legal_moves"][0])
        for op in ("undo", "pause", "resume"):
            live.ok(op, game=game["id"])
        watcher.refused("move", game=game["id"], direction="left")
        live.ok("unwatch", game=game["id"])
        live.ok("ping")


def _read(ada: Caller, bob: Caller, nobody: Caller) -> None:
    game = answer(ada.get("/games"))["items"][0]["id"]
    for reader in (ada, bob, nobody):
        for part in ("", "/events", "/export", "/board.svg", "/board.png", "/replay.gif", "/export?raw=1"):
            reader.get(f"/games/{game}{part}")
    answer(nobody.post("/verify", json=answer(nobody.get(f"/games/{game}/export"))))
    date = answer(nobody.get("/daily"))["date"]
    for path in ("/modes", f"/daily/{date}", f"/daily/{date}/results", "/leaderboards?mode=classic"):
        answer(nobody.get(path))
    mine = answer(ada.get("/games?mode=daily"))["items"][0]["id"]
    ada.get(f"/daily/{date}/compare?games={mine},{mine}")
    for path in ("/healthz", "/readyz", "/metrics", "/docs", "/"):
        assert nobody.get(nobody.url + path).status_code == 200


def _be_a_nuisance(ada: Caller, nobody: Caller, url: str, file: Path, secrets: Secrets) -> None:
    """What is wrong is sent with secrets in it, where clients might put them by mistake."""
    wrong = "tf_" + "x" * 43
    secrets.texts.add(wrong)
    game = ada.new()["id"]
    for token in (wrong, str(ada.token)):
        nobody.get(f"/games/{game}", headers={"Authorization": f"Bearer {token}x"})
        nobody.get(f"/games/{game}?token={token}")
        nobody.get(f"/games/{token}")
        nobody.get(f"/games/{game}/{token}")
        nobody.post("/players", json={"name": token, "token": token})
        nobody.post("/players/link", json={"code": token})
        ada.ask(game, "move", direction="left", key=token)
        ada.ask(game, "move", direction=token)
        ada.post("/games", json={"mode": "practice", "seed": token})
    ada.get("/games")  # from here on no move waits that would mend what is damaged below
    with closing(sqlite3.connect(file, isolation_level=None)) as beside:
        beside.execute("BEGIN IMMEDIATE")
        assert ada.ask(game, "pause").status_code == 503
        beside.execute("UPDATE game SET cells = x'00' WHERE id = ?", (ada.game(game)["id"],))
        beside.execute("COMMIT")
        assert "corrupt" in ada.get("/games").text
    port = int(url.rpartition(":")[2])
    with Bare(port, f"Authorization: Bearer {wrong}") as bare:
        bare.send(f'{{"id": 1, "op": "hello", "token": "{wrong}"'.encode())
        bare.text()
        bare.command(id=2, op="hello", token=wrong)
        bare.closed()
    with Bare(port, "Origin: https://elsewhere.example") as refused:
        assert refused.status == 403
