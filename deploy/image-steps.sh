#!/usr/bin/env bash
# Builds the Dockerfile without Docker, and without an image from anywhere: Debian's debootstrap makes the base, buildah
# takes the steps. Then the image runs as it would: unprivileged, on a read-only root, and is stopped by SIGTERM.
# Needs root, debootstrap, buildah and curl; takes some minutes, fewer where BASE names a base.tar that KEEP once left.
# `make image-steps` calls it.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
suite=${SUITE:-bookworm}
port=${PORT:-28431}

for program in debootstrap buildah curl; do
  command -v "$program" >/dev/null || { echo "image-steps needs $program: apt install $program" >&2; exit 1; }
done
[[ $(id -u) -eq 0 ]] || { echo "image-steps needs root: debootstrap and buildah make devices and mounts" >&2; exit 1; }

work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" twofold-image.XXXXXX)
pid=
finish() {
  [[ -z $pid ]] || kill "$pid" 2>/dev/null || true
  for mounted in "$work"/root/{tmp,proc,dev,} ; do umount -l "$mounted" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
say() { echo "==> $* [${SECONDS} s]"; }

say "a base of Debian $suite, from where apt gets its packages"
if [[ -n ${BASE:-} ]]; then
  cp "$BASE" "$work/base.tar"
else
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  debootstrap --variant=minbase --include=python3,python3-venv "$suite" "$work/base" "$mirror" >"$work/log" 2>&1 \
    || { tail -n 20 "$work/log" >&2; exit 1; }
  tar -C "$work/base" --exclude=./var/cache/apt/archives --exclude=./var/lib/apt/lists -cf "$work/base.tar" .
  rm -rf "$work/base"
  [[ -z ${KEEP:-} ]] || cp "$work/base.tar" "$KEEP"
fi
printf 'FROM scratch\nADD base.tar /\n' >"$work/Base"
mkdir "$work/context" && ln "$work/base.tar" "$work/context/"
buildah "${store[@]}" bud --quiet --file "$work/Base" --tag base "$work/context" >/dev/null

say "wheels, by their hashes, as this machine's pip gets them"
"$python" -m pip --disable-pip-version-check -qq download --require-hashes --only-binary :all: --python-version 3.11 \
  --dest "$work/wheels" -r requirements.txt
printf '[global]\nno-index = true\nfind-links = /wheels\n' >"$work/pip.conf"

say "the Dockerfile"
buildah "${store[@]}" bud --isolation chroot --network host --format docker --build-arg BASE=localhost/base \
  --volume "$work/wheels:/wheels:ro" --volume "$work/pip.conf:/etc/pip.conf:ro" \
  --file deploy/Dockerfile --tag twofold .

container=$(buildah "${store[@]}" from localhost/twofold)
buildah "${store[@]}" inspect --type image localhost/twofold | "$python" -c '
import json, sys
config = json.load(sys.stdin)["Docker"]["config"]
assert config["User"] == "10001:10001" and config["StopSignal"] == "SIGTERM", config
assert config["Entrypoint"] == ["twofold"] and config["Cmd"] == ["serve"] and config["Healthcheck"]["Test"][0] == "CMD"
print("    as", config["User"], config["Entrypoint"] + config["Cmd"], "stopped by", config["StopSignal"])'
root=$(buildah "${store[@]}" mount "$container")
say "the image has $(du -sm "$root" | cut -f1) MB, $(du -sm "$root/opt/twofold" | cut -f1) of them the service"
[[ ! -e $root/opt/twofold/bin/pip && ! -e $root/src && ! -e $root/wheels/* ]] || { echo "left behind: pip or sources" >&2; exit 1; }

say "the service on a read-only root, as 10001, with a folder for its data and one for /tmp"
mkdir "$work/root" "$work/data" && chown 10001:10001 "$work/data" && chmod 0700 "$work/data"
mount --bind "$root" "$work/root" && mount -o remount,bind,ro "$work/root"
mount -t proc proc "$work/root/proc" && mount --rbind /dev "$work/root/dev"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$work/root/tmp"
mount --bind "$work/data" "$work/root/var/lib/twofold"
inside=(setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --
        env -i PATH=/opt/twofold/bin:/usr/bin:/bin PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
        TWOFOLD_HOST=127.0.0.1 "TWOFOLD_PORT=$port" TWOFOLD_RATE_LIMITS=off)
in_root() { exec chroot "$work/root" /bin/sh -c 'cd /var/lib/twofold && exec "$@"' sh "${inside[@]}" "$@"; }
(in_root twofold serve) >"$work/log" 2>&1 &
pid=$!
ready() { curl --silent --fail --noproxy '*' "http://127.0.0.1:$port/readyz" >/dev/null; }
for _ in $(seq 100); do ready && break; kill -0 "$pid" || { cat "$work/log" >&2; exit 1; }; sleep 0.1; done
ready

say "its health check, a game, its picture and its proof"
health=$(sed -n 's/^  CMD \(\[.*\]\)$/\1/p' deploy/Dockerfile)
mapfile -t check < <("$python" -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$health")
(in_root "${check[@]}")
pick() { "$python" -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
ask() { curl --silent --show-error --fail --noproxy '*' "$@"; }
v1="http://127.0.0.1:$port/v1"
token=$(ask -X POST "$v1/players" | pick token)
json=(-H "Authorization: Bearer $token" -H 'Content-Type: application/json')
game=$(ask "$v1/games" "${json[@]}" -d '{"mode": "classic"}' | pick id)
for way in left down right up; do ask "$v1/games/$game/moves" "${json[@]}" -d "{\"direction\": \"$way\"}" >/dev/null; done
ask "$v1/games/$game/export" -H "Authorization: Bearer $token" >"$work/game.json"
ask "$v1/games/$game/replay.gif" | head -c 6 | grep -q GIF89a
ask "$v1/verify" "${json[@]}" --data-binary "@$work/game.json" | grep -q '"origin":"stored"'
ask "http://127.0.0.1:$port/" | grep -q '<html'

kill -TERM "$pid"
status=0; wait "$pid" || status=$?
pid=
[[ $status -eq 0 ]] || { cat "$work/log" >&2; exit 1; }
say "stopped by SIGTERM with status $status; all it wrote:"
ls -l "$work/data" | sed 's/^/    /'
grep -q Traceback "$work/log" && { cat "$work/log" >&2; exit 1; }
say "done"
