#!/usr/bin/env python3
"""What a move costs the server, beside a bare relay that does the same reads and writes without any rules.

Server and relay are measured by one harness, in turns, on one processor, with the harness on another. Printed are
medians over all rounds; ratios are medians of the rounds' ratios. All single figures go to bench.json.
"""

import argparse
import json
import os
import platform
import statistics
import time

from programs import LOAD_PROCESSOR, ROOT, SERVER_PROCESSOR, Server, load, require_two_processors

KINDS = ["floor", "server"]


def measure(kind, pairs, seconds, rate=None, loops=None):
    flags = ["--pairs", pairs, "--seconds", seconds]
    if rate:
        flags += ["--move-rate", f"{rate:.2f}"]
    options = ["--loops", str(loops)] if loops else []
    with Server(kind, *options, everywhere=loops is not None) as server:
        report = load(server, kind, *flags)
    return {
        "moves_per_second": report["moves_per_second"],
        "processor_us": report["server_process"]["processor_us_per_move"],
        "server_share": report["server_process"]["processor_share"],
        "resident_kib": report["server_process"]["resident_bytes"] / 1024,
        "p50_us": report["latency"]["p50_us"],
        "p99_us": report["latency"]["p99_us"],
        "p999_us": report["latency"]["p999_us"],
        "harness_share": report["harness"]["processor_share"],
        "harness_lag_p99_us": report["harness"]["lag"]["p99_us"],
        "harness_bottleneck": report["harness"]["bottleneck"],
    }


def compare(pairs, arguments, rate=None):
    """Rounds of both kinds, the first one changing with each round, so that neither gets the better half of a drift."""
    rounds = []
    for index in range(arguments.rounds):
        order = KINDS if index % 2 == 0 else KINDS[::-1]
        rounds.append({kind: measure(kind, pairs, arguments.seconds, rate) for kind in order})
    return rounds


def compare_loops(pairs, arguments, counts):
    """One server with different numbers of loops, on all processors, the harness on one of them."""
    rounds = []
    for index in range(arguments.rounds):
        order = counts if index % 2 == 0 else counts[::-1]
        rounds.append({loops: measure("server", pairs, arguments.seconds, loops=loops) for loops in order})
    for loops in counts:
        print(
            f"{pairs:>6} {loops:>5} {median(rounds, loops, 'moves_per_second'):>9.0f}"
            f"{median(rounds, loops, 'processor_us'):>9.2f}{100 * median(rounds, loops, 'server_share'):>6.0f} %"
            f"{median(rounds, loops, 'p50_us') / 1000:>9.2f}{median(rounds, loops, 'p99_us') / 1000:>9.2f}"
            f"   {100 * median(rounds, loops, 'harness_share'):.0f} %",
            flush=True,
        )
    return rounds


def median(rounds, kind, key):
    return statistics.median(one[kind][key] for one in rounds)


def ratio(rounds, key):
    return statistics.median(one["server"][key] / one["floor"][key] for one in rounds)


def print_closed(pairs, rounds):
    for kind in KINDS:
        limited = sum(one[kind]["harness_bottleneck"] for one in rounds)
        print(
            f"{pairs:>6} {kind:<7}{median(rounds, kind, 'moves_per_second'):>9.0f}"
            f"{median(rounds, kind, 'processor_us'):>8.2f}{100 * median(rounds, kind, 'server_share'):>6.0f} %"
            f"{median(rounds, kind, 'p50_us') / 1000:>9.2f}{median(rounds, kind, 'p99_us') / 1000:>9.2f}"
            f"{median(rounds, kind, 'p999_us') / 1000:>9.2f}{median(rounds, kind, 'resident_kib'):>9.0f}"
            f"   {100 * median(rounds, kind, 'harness_share'):.0f} %"
            + (f", the bottleneck in {limited} of {len(rounds)}" if limited else "")
        )
    print(
        f"       ratio  {ratio(rounds, 'moves_per_second'):>9.3f}{ratio(rounds, 'processor_us'):>8.3f}",
        flush=True,
    )


def print_open(pairs, rate, rounds):
    for kind in KINDS:
        print(
            f"{pairs:>6} {kind:<7}{rate:>9.0f}{median(rounds, kind, 'processor_us'):>8.2f}"
            f"{median(rounds, kind, 'p50_us') / 1000:>9.2f}{median(rounds, kind, 'p99_us') / 1000:>9.2f}"
            f"{median(rounds, kind, 'p999_us') / 1000:>9.2f}"
            f"   lag p99 {median(rounds, kind, 'harness_lag_p99_us') / 1000:.2f}"
        )
    print(
        f"       ratio           {ratio(rounds, 'processor_us'):>8.3f}         {ratio(rounds, 'p99_us'):>9.3f}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5, help="of each run")
    parser.add_argument("--pairs", default="10 100 1000 4000")
    parser.add_argument("--output", default=os.path.join(ROOT, "bench.json"))
    parser.add_argument("--loops", default="", help="numbers of loops to compare too, as in '1 2'")
    arguments = parser.parse_args()
    require_two_processors()
    points = [int(pairs) for pairs in arguments.pairs.split()]
    print(
        f"{arguments.rounds} rounds of {arguments.seconds} s; server and relay on processor {SERVER_PROCESSOR}, "
        f"harness on {LOAD_PROCESSOR}; load average {os.getloadavg()[0]:.2f}"
    )
    print("\nEndless races of two, every move at once (closed model); latencies in ms")
    print(
        " pairs          moves/s  us/move  busy      p50      p99    p99.9  KiB RSS   harness"
    )
    result = {"machine": platform.platform(), "time": time.strftime("%FT%TZ", time.gmtime())}
    result |= {"rounds": arguments.rounds, "seconds": arguments.seconds, "load_average": os.getloadavg(), "points": []}
    for pairs in points:
        rounds = compare(pairs, arguments)
        print_closed(pairs, rounds)
        result["points"].append(
            {
                "pairs": pairs,
                "closed": rounds,
                "ratio_moves_per_second": ratio(rounds, "moves_per_second"),
                "ratio_processor": ratio(rounds, "processor_us"),
            }
        )
    print("\nHalf of the relay's most moves/s, planned (open model); latencies from the planned moment, in ms")
    print(" pairs          moves/s  us/move      p50      p99    p99.9   harness")
    for point in result["points"]:
        rate = median(point["closed"], "floor", "moves_per_second") / 2
        rounds = compare(point["pairs"], arguments, rate)
        print_open(point["pairs"], rate, rounds)
        point |= {"open_rate": rate, "open": rounds, "ratio_p99": ratio(rounds, "p99_us")}
        point["ratio_processor_open"] = ratio(rounds, "processor_us")
    print("\nThe server by the relay (wanted: us/move at most 1.10, from 1000 pairs 1.15; moves/s at least 0.92, there")
    print("0.88; p99 at half the rate at most 1.5)")
    print(" pairs   moves/s   us/move   half rate: us/move       p99")
    for point in result["points"]:
        print(
            f"{point['pairs']:>6}{point['ratio_moves_per_second']:>10.3f}{point['ratio_processor']:>10.3f}"
            f"{point['ratio_processor_open']:>21.3f}{point['ratio_p99']:>10.3f}"
        )
    counts = [int(count) for count in arguments.loops.split()]
    if counts:
        print("\nThe server on all processors, by its number of loops (the harness needs one of them)")
        print(" pairs loops   moves/s  us/move  busy      p50      p99   harness")
        result["loops"] = [
            {"pairs": pairs, "rounds": compare_loops(pairs, arguments, counts)} for pairs in points
        ]
    with open(arguments.output, "w", encoding="ascii") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


main()
