#!/bin/bash
# Lays out the image's file tree: the programs, the shared libraries they need and the few files the C library reads.
# Used by docker/Dockerfile and by docker/rootfs.sh, so that both make the same tree.
#
#   docker/collect.sh PROGRAMS TREE     PROGRAMS: the folder with the release programs; TREE is made anew
set -euo pipefail

if [ $# -ne 2 ] || [ ! -d "$1" ]; then
    echo "usage: docker/collect.sh PROGRAMS TREE, where PROGRAMS is the folder with the release programs" >&2
    exit 2
fi
programs=$1
tree=$2

rm -rf "$tree"
# Where a container engine mounts the kernel's own file systems.
mkdir -p "$tree/etc" "$tree/usr/bin" "$tree/proc" "$tree/dev" "$tree/sys" "$tree/run"

# Players and results; whoever the server runs as may write here, and nowhere else.
mkdir -m 1777 "$tree/data"

for name in catrace-server catrace catrace-load; do
    install -m 755 "$programs/$name" "$tree/usr/bin/$name"
    # Without its symbols a program is about half the size; the image holds no debugger that could read them.
    strip "$tree/usr/bin/$name"

    if ldd "$programs/$name" | grep 'not found' >&2; then
        echo "$name needs libraries that are not installed here (above)" >&2
        exit 1
    fi
    # Lines read "libm.so.6 => /lib/…/libm.so.6 (0x…)" or, for the loader, "/lib64/ld-linux-x86-64.so.2 (0x…)".
    ldd "$programs/$name" | sed -nE 's/^\s*(.* => )?(\/[^ ]+) \(0x[0-9a-f]+\)$/\2/p' | while IFS= read -r library; do
        if [ ! -e "$tree$library" ]; then
            # At the path the loader looks at; the link's target, not the link.
            install -D -m 755 "$(readlink -f "$library")" "$tree$library"
        fi
    done
done

echo 'catrace:x:10001:10001:Cat Race:/:/nonexistent' >"$tree/etc/passwd"
echo 'catrace:x:10001:' >"$tree/etc/group"
# Host names: the hosts file first, then DNS. A container engine puts its own hosts and resolv.conf over these.
echo 'hosts: files dns' >"$tree/etc/nsswitch.conf"
printf '127.0.0.1 localhost\n::1 localhost\n' >"$tree/etc/hosts"
chmod 644 "$tree"/etc/*
