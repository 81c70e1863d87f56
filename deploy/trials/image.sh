#!/usr/bin/env bash
# Builds the Dockerfile without Docker, and without an image from anywhere: debootstrap makes the base, buildah takes the
# steps. Then the image runs as it would: unprivileged, on a read-only root, and is stopped by SIGTERM. `make image-steps`.
set -euo pipefail
cd "$(dirname "$0")/../.."
source deploy/trials/debian.sh
needs debootstrap buildah
port=${PORT:-28431}
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
pid=
finish() {
  [[ -z $pid ]] || kill "$pid" 2>/dev/null || true
  for mounted in "$work"/root/{var/lib/twofold,tmp,proc,dev,}; do umount -l "$mounted" 2>/dev/null || true; done
  rm -rf --one-file-system "$work" # never into what could not be unmounted
}
trap finish EXIT

debian "$work/base" python3,python3-venv
mkdir "$work/context"
tar -C "$work/base" -cf "$work/context/base.tar" .
rm -rf "$work/base"
printf 'FROM scratch\nADD base.tar /\n' >"$work/Base"
buildah "${store[@]}" bud --quiet --file "$work/Base" --tag base "$work/context" >/dev/null
wheels "$work/wheels"

say "the Dockerfile"
buildah "${store[@]}" bud --isolation chroot --network host --format docker --build-arg BASE=localhost/base \
  --volume "$work/wheels:/wheels:ro" --volume "$work/pip.conf:/etc/pip.conf:ro" \
  --file deploy/Dockerfile --tag twofold . >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
grep STEP "$work/log"
buildah "${store[@]}" inspect --type image localhost/twofold | "$python" -c '
import json, sys
config = json.load(sys.stdin)["Docker"]["config"]
assert config["User"] == "10001:10001" and config["StopSignal"] == "SIGTERM", config
assert config["Entrypoint"] == ["twofold"] and config["Cmd"] == ["serve"] and config["Healthcheck"]["Test"][0] == "CMD", config'
root=$(buildah "${store[@]}" mount "$(buildah "${store[@]}" from localhost/twofold)")
say "the image has $(du -sm "$root" | cut -f1) MB, $(du -sm "$root/opt/twofold" | cut -f1) of them the service"
[[ ! -e $root/opt/twofold/bin/pip && ! -e $root/src && ! -e $root/pip ]] || die "left behind: pip or sources"

say "the service on a read-only root, as 10001, with a folder for its data and one for /tmp"
mkdir "$work/root" "$work/data"
chown 10001:10001 "$work/data"
chmod 700 "$work/data"
mount --bind "$root" "$work/root"
mount -o remount,bind,ro "$work/root"
mount -t proc proc "$work/root/proc"
mount --rbind --make-rslave /dev "$work/root/dev" # so that letting go of it here lets go of nothing elsewhere
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$work/root/tmp"
mount --bind "$work/data" "$work/root/var/lib/twofold"
in_image() {
  exec chroot "$work/root" setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all -- \
    env -i -C /var/lib/twofold PATH=/opt/twofold/bin:/usr/bin:/bin PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    TWOFOLD_HOST=127.0.0.1 TWOFOLD_PORT="$port" "$@"
}
(in_image twofold serve) >"$work/log" 2>&1 &
pid=$!
health=$(sed -n 's/^  CMD \(\[.*\]\)$/\1/p' deploy/Dockerfile)
mapfile -t check < <("$python" -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$health")
for _ in $(seq 60); do
  (in_image "${check[@]}") 2>/dev/null && break
  kill -0 "$pid" || { cat "$work/log" >&2; exit 1; }
  sleep 0.2
done
(in_image "${check[@]}")
say "healthy; player $(play "http://127.0.0.1:$port" env) has played"

kill -TERM "$pid"
status=0
wait "$pid" || status=$?
pid=
[[ $status -eq 0 ]] && ! grep -q Traceback "$work/log" || { cat "$work/log" >&2; exit 1; }
say "stopped by SIGTERM, status 0; all it wrote:"
ls -l "$work/data"
