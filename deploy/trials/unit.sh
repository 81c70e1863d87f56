#!/usr/bin/env bash
# Boots a Debian with systemd in a container of its own, takes the steps of README.md for one machine, as they stand there
# and up to the proxy, and looks at what the unit makes of the service. `make unit-steps`.
set -euo pipefail
cd "$(dirname "$0")/../.."
source deploy/trials/debian.sh
needs debootstrap systemd-nspawn nsenter
container=
finish() {
  [[ -z $container ]] || { kill -TERM "$container" 2>/dev/null && wait "$container" || true; }
  rm -rf --one-file-system "$work"
}
trap finish EXIT

machine=$work/machine
debian "$machine" python3,python3-venv,systemd,systemd-sysv,dbus,curl
wheels "$machine/wheels"
cp "$work/pip.conf" "$machine/etc/pip.conf"
mkdir "$machine/src"
git ls-files -z | tar --null --files-from - -c | tar -x -C "$machine/src"

say "booting it, with no network but its own loopback"
systemd-nspawn --quiet --directory="$machine" --machine="twofold-$$" --register=no --keep-unit --private-network --boot \
  >"$work/boot" 2>&1 </dev/null &
container=$!
init=
for _ in $(seq 50); do
  init=$(cat "/proc/$container/task/$container/children" 2>/dev/null | tr -d ' ') && [[ -n $init ]] && break
  sleep 0.1
done
[[ -n $init ]] || { cat "$work/boot" >&2; exit 1; }
inside() { nsenter --target "$init" --mount --uts --ipc --pid --net env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
for _ in $(seq 100); do
  [[ $(inside systemctl is-system-running 2>/dev/null || true) =~ running|degraded ]] && break
  sleep 0.2
done

say "the README's steps"
awk '/^## One machine/ { found = 1 } found && /^```$/ { exit } inside; found && /^```sh$/ { inside = 1 }' deploy/README.md \
  | sed '/^curl .*readyz$/q' >"$machine/src/steps.sh"
cat "$machine/src/steps.sh"
inside bash -euc 'sudo() { "$@"; }; apt() { :; }; cd /src; source steps.sh' >"$work/log" 2>&1 \
  || { cat "$work/log" >&2; inside journalctl -u twofold >&2; exit 1; }
tail -n 1 "$work/log"
echo

show() { inside systemctl show twofold --property "$1" --value; }
sandboxed() { inside grep -E '^(Uid|CapBnd|NoNewPrivs|Seccomp):' "/proc/$(show MainPID)/status"; }
say "what the unit makes of it"
sandboxed
[[ $(sandboxed | tr -d '\n\t') =~ CapBnd:0+NoNewPrivs:1Seccomp:2 ]] || die "not sandboxed"
inside systemd-analyze security twofold --no-pager | tail -n 1
player=$(play http://127.0.0.1:8000 nsenter --target "$init" --net)
inside runuser -u twofold -- env -C /var/lib/twofold /opt/twofold/bin/twofold players hide "$player"
say "player $player has played, and was hidden beside the running service"

inside systemctl kill --signal=KILL twofold
for _ in $(seq 50); do
  [[ $(show NRestarts) == 1 ]] && inside curl --silent --fail localhost:8000/readyz && break
  sleep 0.2
done
echo
inside curl --silent --fail --output /dev/null localhost:8000/readyz || die "it was not started again"
inside systemctl stop twofold
[[ $(show Result) == success && $(show ExecMainStatus) == 0 ]] || die "stopped with $(show Result)"
say "killed and started again; stopped with status 0; all it wrote:"
inside ls -l /var/lib/twofold
inside systemctl poweroff
wait "$container" || true
container=
