#!/bin/bash
# Builds the image's file tree without Docker and tries the server in it, as the image would run it: in a chroot that
# is read-only and has /proc, /dev and a volume at /data as in a container, as the image's user. Checks the first line,
# the greeting, the health check and the end by SIGTERM, then the same with all that docker/compose.yaml says; prints the
# tree's size.
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

# Once more, now with the flags, the environment and the limits of docker/compose.yaml, as process 1 in a network of its
# own, so that the real ports are free.
value() { # key, of the service `server`
    sed -n "/^  server:\$/,/^  [a-z]*:\$/s/^ *$1: *//p" "$here/compose.yaml" | head -n 1
}
words() { # a list of quoted words, one a line
    grep -o '"[^"]*"' <<<"$1" | tr -d '"'
}
readarray -t flags < <(words "$(value command)")
readarray -t probe < <(words "$(value test)" | tail -n +2)
control=$(value CATRACE_CONTROL)
value_of_load() { sed -n "/^  load:\$/,\$s/^ *$1: *//p" "$here/compose.yaml" | tr -d '[]"'; }
readarray -t load < <(words "$(sed -n '/^  load:$/,$s/^ *command: *//p' "$here/compose.yaml")")
grace=$(value stop_grace_period | tr -d s)
if [ ${#flags[@]} -lt 4 ] || [ ${#probe[@]} -lt 2 ] || [ ${#load[@]} -lt 4 ] || [ -z "$control" ] || [ -z "$grace" ]; then
    fail "docker/compose.yaml no longer states command, healthcheck, control socket and grace in the form read here"
fi
grep -q -- '- /run:mode=700,uid=10001,gid=10001,size=64k$' "$here/compose.yaml" ||
    fail "docker/compose.yaml no longer mounts /run as it is mounted here"

# shellcheck disable=SC2016 # the inner shell expands these
composed=(unshare --mount --net --pid --fork --kill-child bash -euc '
    tree=$1 user=$2 nofile=$3 processes=$4
    shift 4
    ip link set lo up
    mount --bind "$tree" "$tree"
    mount -o remount,ro,bind "$tree"
    mount -t proc proc "$tree/proc"
    mount --rbind /dev "$tree/dev"
    mount -t tmpfs -o "mode=1777" data "$tree/data"
    mount -t tmpfs -o "mode=700,uid=${user%:*},gid=${user#*:},size=64k" run "$tree/run"
    exec prlimit "--nofile=$nofile" "--nproc=$processes" -- setpriv --no-new-privs \
        chroot "--userspec=$user" "$tree" "$@"' composed "$tree" "$user" "$(value nofile)" "$(value pids_limit)")
inner=
beside() { # a program in the same container, as `docker compose exec` and the load service run it
    CATRACE_CONTROL=$control nsenter --target "$inner" --mount --net --pid --root --wdns=/ --setuid "${user%:*}" \
        --setgid "${user#*:}" -- "$@"
}
CATRACE_CONTROL=$control "${composed[@]}" "$server" "${flags[@]}" >"$scratch/out" 2>"$scratch/err" </dev/null &
pid=$!
healthy=
for _ in {1..100}; do
    inner=$(tr -d ' ' <"/proc/$pid/task/$pid/children" 2>/dev/null || true)
    if [ -n "$inner" ] && beside "${probe[@]}" 2>/dev/null; then healthy=yes && break; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$healthy" ]; then
    cat "$scratch/out" "$scratch/err" >&2
    fail "with the flags of docker/compose.yaml the server did not become healthy within 10 s (above: what it printed)"
fi
grep -q '^NSpid:.*[[:space:]]1$' "/proc/$inner/status" || fail "the server should be process 1 of its own"
echo "with the flags of docker/compose.yaml it is healthy, as process 1: $(head -n 1 "$scratch/out")"
beside "$server" ctl who >"$scratch/who" || fail "an operator should be answered beside it: $(cat "$scratch/who")"
echo "an operator beside it is answered"
beside "$(value_of_load entrypoint)" "${load[@]}" --seconds 5 >"$scratch/load" 2>&1 ||
    fail "the load service should race without an error, and said: $(tail -n 20 "$scratch/load")"
echo "the load service races without an error, for 5 s"
begin=$(date +%s%N)
kill -TERM "$inner"
status=0
timeout "$grace" tail --pid="$pid" -f /dev/null || fail "the server still runs $grace s after SIGTERM"
wait "$pid" || status=$?
pid=
[ "$status" -eq 0 ] || fail "as process 1 the server should end with 0 after SIGTERM, but ended with $status"
echo "SIGTERM ended it with exit code 0 after $((($(date +%s%N) - begin) / 1000000)) ms, of $grace s that it has"
echo "size of the tree: $(du -sk --apparent-size "$tree" | awk '{printf "%.1f MB", $1 * 1024 / 1000000}')"
