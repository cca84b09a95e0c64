#!/bin/bash
# Builds the image's file tree without Docker and tries the server in it, as the image would run it: in a chroot that
# is read-only and has /proc, /dev and a volume at /data as in a container, as the image's user. Checks the first line,
# the greeting, the health check and the end by SIGTERM; prints the tree's size.
#
#   docker/rootfs.sh PROGRAMS TREE     PROGRAMS: the folder with the release programs; TREE is made anew
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

fail() {
    echo "rootfs: $1" >&2
    exit 1
}

[ $# -eq 2 ] || fail "usage: docker/rootfs.sh PROGRAMS TREE"
if [ "$1" != --try ]; then
    "$here/collect.sh" "$1" "$2"
    echo "the tree is in $2:"
    (cd "$2" && find . -type f -printf '  %9s  %P\n' | sort -k2)
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "the tree is built; trying the server in it takes root: run make rootfs as root"
        # From here on as root, so that the server is this script's own child and gets its signals.
        exec sudo "$here/rootfs.sh" --try "$2"
    fi
fi
tree=$(cd "$2" && pwd)

# How the image starts the server is written in the Dockerfile, and read from there.
user=$(sed -n 's/^USER //p' "$here/Dockerfile")
server=$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$here/Dockerfile")
health=$(sed -n 's/^ *CMD \["\(.*\)", "ping".*/\1/p' "$here/Dockerfile")
if [ -z "$user" ] || [ -z "$server" ] || [ -z "$health" ]; then
    fail "docker/Dockerfile no longer states USER, ENTRYPOINT and HEALTHCHECK in the form read here"
fi

# Mounts that only the command and its children see, and that go with them. /proc is no luxury: from it Swift's runtime
# reads the program's arguments on Linux, and without it every flag is silently lost. Each step replaces the process, so
# that the command keeps the process id.
# shellcheck disable=SC2016 # the inner shell expands these
inside=(unshare --mount bash -euc '
    tree=$1 user=$2
    shift 2
    mount --bind "$tree" "$tree"
    mount -o remount,ro,bind "$tree"
    mount -t proc proc "$tree/proc"
    mount --rbind /dev "$tree/dev"
    mount -t tmpfs -o mode=1777 data "$tree/data"
    exec chroot "--userspec=$user" "$tree" "$@"' inside "$tree" "$user")

scratch=$(mktemp -d)
pid=
clean_up() {
    if [ -n "$pid" ]; then
        kill -KILL "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    fi
    rm -rf "$scratch"
}
trap clean_up EXIT

"${inside[@]}" "$server" --host 127.0.0.1 --port 0 --data /data >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!

port=
for _ in {1..100}; do
    port=$(sed -n '1s/^listening host=127\.0\.0\.1 port=\([0-9]*\)$/\1/p' "$scratch/out")
    if [ -n "$port" ] || ! kill -0 "$pid" 2>/dev/null; then break; fi
    sleep 0.1
done
if [ -z "$port" ]; then
    cat "$scratch/out" "$scratch/err" >&2
    fail "the server did not print its listening line within 10 s (above: what it printed)"
fi
running_as=$(stat -c '%u:%g' "/proc/$pid")
[ "$running_as" = "$user" ] || fail "the server should run as $user, but runs as $running_as"
echo "the server listens on port $port, as user $user"

# A connection that says nothing is greeted after a second.
exec 3<>"/dev/tcp/127.0.0.1/$port"
IFS= read -t 5 -r greeting <&3 || fail "no greeting came within 5 s"
exec 3>&-
greeting=${greeting%$'\r'}
[[ $greeting == "hello server=catrace "* ]] || fail "the greeting should begin 'hello server=catrace', but is '$greeting'"
echo "the greeting came: $greeting"

"${inside[@]}" "$health" ping --connect "127.0.0.1:$port" >"$scratch/health" 2>&1 ||
    fail "the health check failed on a living server: $(cat "$scratch/health")"
echo "the health check passes"

kill -TERM "$pid"
for _ in {1..50}; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
done
! kill -0 "$pid" 2>/dev/null || fail "the server still runs 5 s after SIGTERM"
status=0
wait "$pid" || status=$?
pid=
[ "$status" -eq 0 ] || fail "the server should end with exit code 0 after SIGTERM, but ended with $status"
echo "SIGTERM ended it with exit code 0"

if "${inside[@]}" "$health" ping --connect "127.0.0.1:$port" >/dev/null 2>&1; then
    fail "the health check passes although no server runs"
fi
echo "without a server the health check fails, as it should"
echo "size of the tree: $(du -sk --apparent-size "$tree" | awk '{printf "%.1f MB", $1 * 1024 / 1000000}')"
