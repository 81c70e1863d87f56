# Sourced by the trials beside it: a folder that goes away, a Debian from nowhere else than apt's own mirror, wheels by
# their hashes, and a game against whatever serves. Runs from the repository's root.
python=${PYTHON:-.venv/bin/python}
suite=${SUITE:-bookworm}
work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" twofold-trial.XXXXXX)

say() { echo "==> $* [${SECONDS} s]"; }
die() { echo "$*" >&2; exit 1; }

needs() {
  [[ $(id -u) -eq 0 ]] || die "this trial needs root: it makes devices and mounts"
  for program; do
    command -v "$program" >/dev/null || die "this trial needs $program: install the Debian package that has it"
  done
}

# debian FOLDER PACKAGE,…
debian() {
  local mirror
  say "Debian $suite, from where apt gets its packages"
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  debootstrap --variant=minbase --include="$2" "$suite" "$1" "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*
}

# wheels FOLDER: the wheels there, and a pip.conf for whoever sees them as /wheels
wheels() {
  say "wheels by their hashes, as this machine's pip gets them"
  # pip asks what this machine's Python needs; Debian's may be an earlier 3.11
  sed "s/ ; python_full_version < '3\.11\.[0-9]*'//" requirements.txt >"$work/requirements.txt"
  "$python" -m pip --disable-pip-version-check -qq download --require-hashes --only-binary :all: --python-version 3.11 \
    --dest "$1" -r "$work/requirements.txt"
  printf '[global]\nno-index = true\nfind-links = /wheels\n' >"$work/pip.conf"
}

# play URL COMMAND…: a game, its picture, its proof and the page, by a Python that COMMAND runs; prints the player's id
play() {
  local url=$1
  shift
  "$@" "$(command -v "$python")" - "$url" <<'PYTHON'
import json
import sys
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(path, body=None, token=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with OPENER.open(urllib.request.Request(sys.argv[1] + path, body, headers), timeout=20) as answer:
        return answer.read()


me = json.loads(ask("/v1/players", b"{}"))
game = "/v1/games/" + json.loads(ask("/v1/games", b'{"mode": "classic"}', me["token"]))["id"]
for way in (b"left", b"down", b"right", b"up"):
    ask(game + "/moves", b'{"direction": "%s"}' % way, me["token"])
assert json.loads(ask("/v1/verify", ask(game + "/export")))["origin"] == "stored"
assert ask(game + "/replay.gif").startswith(b"GIF89a")
assert b"<html" in ask("/")
print(me["player"]["id"])
PYTHON
}
