#!/usr/bin/env python3
"""How the server bears many connections: idle, racing, and coming all at once; and what a crowd adds to a move."""

import argparse
import os
import selectors
import socket
import statistics
import struct
import subprocess
import time

from programs import LOAD_PROCESSOR, RELEASE, SERVER_PROCESSOR, Server, load, pinned, require_two_processors

PREFACE = bytes.fromhex("CA7EACE000010001")
WELCOME = 64


def hello(name):
    body = bytes([16, len(name)]) + name.encode() + bytes([0]) + struct.pack(">I", 0)
    return PREFACE + struct.pack(">H", len(body)) + body


def connect_all(port, count, first_bytes, is_greeted, patience=60):
    """Connections that have sent their first bytes and been greeted, and the seconds that took in all."""
    selector = selectors.EpollSelector()
    sockets = []
    start = time.monotonic()

    def read(connection, state):
        state["got"] += connection.recv(4096)
        if is_greeted(state["got"]):
            selector.unregister(connection)
            return 1
        return 0

    greeted = 0
    while greeted < count:
        # As many at once as the listener's queue holds: the kernel turns more away, and they come a second late.
        while len(sockets) < count and len(sockets) - greeted < 4000:
            connection = socket.socket()
            connection.setblocking(False)
            # One source address has too few ports for all.
            connection.bind((f"127.0.0.{2 + len(sockets) % 4}", 0))
            connection.connect_ex(("127.0.0.1", port))
            selector.register(
                connection, selectors.EVENT_WRITE, {"number": len(sockets), "got": b""}
            )
            sockets.append(connection)
            if len(sockets) % 256 == 0:
                break
        for key, _ in selector.select(0.01):
            if key.events == selectors.EVENT_WRITE:
                key.fileobj.send(first_bytes(key.data["number"]))
                selector.modify(key.fileobj, selectors.EVENT_READ, key.data)
            else:
                greeted += read(key.fileobj, key.data)
        if time.monotonic() - start > patience:
            raise SystemExit(f"only {greeted} of {count} connections were greeted within {patience} s")
    return sockets, time.monotonic() - start


def is_welcomed(got):
    return len(got) > 11 and got[10] == WELCOME


def close_all(sockets):
    for connection in sockets:
        connection.close()


def start_times():
    times = []
    for _ in range(7):
        start = time.monotonic()
        with Server("server"):
            times.append((time.monotonic() - start) * 1000)
    print(f"start to 'listening': {statistics.median(times):.1f} ms (7 starts, median; wanted: under 50)", flush=True)


def idle(count, seconds, rounds):
    def p99(server):
        return load(server, "server", "--pairs", 1, "--move-rate", 100, "--seconds", 5)["latency"]["p99_us"]

    with Server("server", "--connections", str(count + 10)) as server, Server("server") as other:
        empty = server.resident_bytes()
        sockets, took = connect_all(server.port, count, lambda number: hello(f"i{number}"), is_welcomed)
        time.sleep(2)
        each = (server.resident_bytes() - empty) / count
        before = server.processor_seconds()
        time.sleep(seconds)
        used = server.processor_seconds() - before
        # In turns, the first one changing, so that neither gets the better half of a drift.
        pairs = []
        for index in range(max(5, rounds)):
            order = [server, other] if index % 2 == 0 else [other, server]
            times = {one.pid: p99(one) for one in order}
            pairs.append((times[server.pid], times[other.pid]))
        close_all(sockets)
    beside, alone = (statistics.median(times) for times in zip(*pairs))
    ratio = statistics.median(one / two for one, two in pairs)
    print(
        f"{count} idle, named in {took:.1f} s: {each:.0f} bytes of the process each (wanted: at most 1536), "
        f"{used:.2f} s of processor time in {seconds} s\n"
        f"  a pair racing beside them: p99 {beside:.0f} us, on an empty server {alone:.0f} us "
        f"(ratio {ratio:.2f}, the median of {len(pairs)}; wanted: at most 2)",
        flush=True,
    )


def racing(pairs, seconds):
    # One move of each player every two seconds.
    # (Turns begin while the others still come: they may wait longer for their first move.)
    with Server("server", "--connections", str(2 * pairs), "--turn-seconds", "600") as server:
        report = load(server, "server", "--pairs", pairs, "--move-rate", pairs, "--seconds", seconds)
    latency, process = report["latency"], report["server_process"]
    print(
        f"{2 * pairs} players racing, each with a move every 2 s: p50 {latency['p50_us'] / 1000:.2f} ms, "
        f"p99 {latency['p99_us'] / 1000:.2f} ms (wanted: under 20), p99.9 {latency['p999_us'] / 1000:.2f} ms, "
        f"{latency['count']} moves, errors {report['errors']}\n"
        f"  server {100 * process['processor_share']:.0f} % of one processor, "
        f"{process['processor_us_per_move']:.2f} us a move, {process['resident_bytes'] / 2 / pairs:.0f} bytes a player; "
        f"harness lag p99 {report['harness']['lag']['p99_us'] / 1000:.2f} ms",
        flush=True,
    )


def storm(count):
    times = []
    for _ in range(3):
        with Server("server") as server:
            sockets, took = connect_all(server.port, count, lambda number: hello(f"s{number}"), is_welcomed)
            close_all(sockets)
        times.append(took)
    print(
        f"a storm of {count} connects: all welcome within {statistics.median(times):.2f} s "
        f"(3 storms, median; wanted: 2)",
        flush=True,
    )


def crowded(matches, rounds, seconds):
    """10 pairs race at full speed, alone and among many matches that wait for a move."""
    ratios, alone, among = [], [], []
    flags = ["--turn-seconds", "86400", "--connections", str(matches + 40)]
    with Server("server", *flags) as empty, Server("server", *flags) as full:
        # A race against the computer: one connection each. The text dialect draws and begins by itself.
        sockets, _ = connect_all(
            full.port,
            matches,
            lambda number: f"name c{number}\nplay bots=1 finish=100000000\n".encode(),
            lambda got: b"\nturn " in got and b"alias=c" in got.rsplit(b"\nturn ", 1)[1],
        )
        for index in range(rounds):
            cost = {}
            for server in [empty, full] if index % 2 == 0 else [full, empty]:
                report = load(server, "server", "--pairs", 10, "--seconds", seconds)
                cost[server] = report["server_process"]["processor_us_per_move"]
            alone.append(cost[empty])
            among.append(cost[full])
            ratios.append(cost[full] / cost[empty])
        close_all(sockets)
    print(
        f"10 pairs at full speed among {matches} other matches: {statistics.median(among):.2f} us a move, "
        f"without them {statistics.median(alone):.2f} (ratio {statistics.median(ratios):.3f}; wanted: at most 1.15)",
        flush=True,
    )


def core(rounds):
    def run(matches, active):
        command = [os.path.join(RELEASE, "core-bench"), str(matches), str(active), "1000000"]
        line = subprocess.run(
            command, preexec_fn=pinned(SERVER_PROCESSOR), capture_output=True, text=True, check=True
        ).stdout
        return {key: int(value) for key, value in (word.split("=") for word in line.split())}

    few, many, all_of_them = [], [], []
    for _ in range(rounds):
        few.append(run(10, 10)["nanoseconds-per-move"])
        many.append(run(50_000, 10)["nanoseconds-per-move"])
    for _ in range(2):
        all_of_them.append(run(2_000, 2_000)["nanoseconds-per-move"])
    ratio = statistics.median(right / left for left, right in zip(few, many))
    print(
        f"the core alone, 10 races that move: {statistics.median(few):.0f} ns a move; among 50000 matches of 100000 "
        f"connections {statistics.median(many):.0f} ns (ratio {ratio:.3f}; wanted: at most 1.3)\n"
        f"  2000 races that all move, one after the other (caches are cold): {min(all_of_them)} ns",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=10, help="of each run")
    parser.add_argument("--idle-seconds", type=int, default=60)
    parser.add_argument("--connections", type=int, default=19_000)
    parser.add_argument("--only", default="start idle racing storm crowded core")
    arguments = parser.parse_args()
    require_two_processors()
    os.sched_setaffinity(0, {LOAD_PROCESSOR})
    parts = arguments.only.split()
    if "start" in parts:
        start_times()
    if "idle" in parts:
        idle(arguments.connections, arguments.idle_seconds, arguments.rounds)
    if "racing" in parts:
        racing(arguments.connections // 2, arguments.seconds)
    if "storm" in parts:
        storm(10_000)
    if "crowded" in parts:
        crowded(10_000, arguments.rounds, 3)
    if "core" in parts:
        core(arguments.rounds)


main()
