#!/usr/bin/env python3
"""What honest players feel while others flood the server: quiet and flooded runs in turns, for each flood.

The players are of catrace-load in the open model: their moves are timed from the moment they were planned for. The
server is pinned to one processor; the harness and the flooder share the other, where the flooder gets what the
harness leaves (SCHED_IDLE: any other task would keep the harness waiting for some milliseconds at a time).
`lag` is how late the harness itself was: where it grows with the flood, so does what it measures.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Bench"))
import programs  # noqa: E402

FLOODS = [("resets", 0), ("trickle", 500), ("lookups", 20), ("unread", 64), ("frames", 1_000_000), ("tls", 200),
          ("guesser", 50)]
WANTED = 1.5


def place(processor, real_time=None, idle=False):
    """Where a program runs, and before whom: with a real-time priority, other work of the machine waits for it."""
    def prepare():
        os.sched_setaffinity(0, {processor})
        if idle:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        elif real_time:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(real_time))
    return prepare


def certificate(folder):
    """The server speaks TLS as well, as one in the open would: flags for it."""
    certificate, key = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    return ["--tls-cert", certificate, "--tls-key", key]


def measure(server, seconds, arguments, flood=None, count=0):
    """A run of the honest players, and what the flooder did meanwhile."""
    flooder = None
    if flood:
        # It begins while they come, and ends behind them.
        flooder = subprocess.Popen(
            [os.path.join(arguments.programs, "flooder"), flood, str(server.port),
             str(seconds + (0.5 if arguments.check else 2)), str(count)],
            stdout=subprocess.PIPE, text=True,
            preexec_fn=place(programs.LOAD_PROCESSOR, idle=True))
    try:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            before = server.processor_seconds()
            done = subprocess.run(
                [os.path.join(arguments.programs, "catrace-load"), "--connect", f"127.0.0.1:{server.port}",
                 "--players", str(arguments.players), "--rate", str(arguments.rate), "--pace", "20",
                 "--seconds", str(seconds), "--json", file.name],
                preexec_fn=place(programs.LOAD_PROCESSOR, 1 if arguments.real_time else None),
                capture_output=True, text=True, check=False,
                timeout=seconds + 60)
            if not os.path.getsize(file.name):
                raise SystemExit(f"catrace-load ended with {done.returncode}: {done.stdout}{done.stderr}")
            report = json.load(file)
        used = server.processor_seconds() - before
        said = flooder.communicate(timeout=30)[0].strip() if flooder else ""
    finally:
        if flooder and flooder.poll() is None:
            flooder.kill()
            flooder.wait()
    return {"p99": report["latency"]["p99_us"] / 1000, "p50": report["latency"]["p50_us"] / 1000,
            "lag": report["harness"]["lag"]["p99_us"] / 1000, "good": done.returncode == 0,
            "errors": "" if done.returncode == 0 else done.stdout, "said": said, "processor": used,
            "resident": server.resident_bytes()}


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=30, help="of each flood")
    parser.add_argument("--rounds", type=int, default=3, help="pairs of a quiet and a flooded run, in this time")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rate", type=int, default=20, help="races that begin each second")
    parser.add_argument("--programs", default=programs.RELEASE, help="where the programs were built")
    parser.add_argument("--judge", action="store_true", help="end with 1 when a ratio is over what is wanted")
    parser.add_argument("--real-time", action="store_true",
                        help="before all other work of this machine (as root): for one that is not quiet; where the "
                             "server is busy all the time the kernel halts it 50 ms a second, and that is the p99")
    parser.add_argument("--check", action="store_true", help="only flooded runs: does anything break?")
    parser.add_argument("floods", nargs="*")
    arguments = parser.parse_args()
    programs.RELEASE = arguments.programs
    if not arguments.check:
        programs.require_two_processors()
    seconds = max(1, arguments.seconds // arguments.rounds)
    print(f"{arguments.players} players, {arguments.rate} races/s; server on processor {programs.SERVER_PROCESSOR}, "
          f"harness and flooder (SCHED_IDLE) on {programs.LOAD_PROCESSOR}; load average {os.getloadavg()[0]:.2f}; "
          f"{arguments.rounds} rounds of {seconds} s quiet and {seconds} s flooded; medians, ms, MiB")
    print(f"{'flood':<9}{'p50 quiet':>10}{'p50 flood':>10}{'p99 quiet':>10}{'p99 flood':>10}{'ratio':>7}"
          f"{'lag quiet':>10}{'lag flood':>10}"
          f"{'busy':>6}{'MiB':>6}  what the flooder did in the last round", flush=True)
    good = True
    for flood, count in FLOODS:
        if arguments.floods and flood not in arguments.floods:
            continue
        with tempfile.TemporaryDirectory() as folder, programs.Server("server", *certificate(folder)) as server:
            if arguments.real_time:
                for thread in os.listdir(f"/proc/{server.pid}/task"):
                    os.sched_setscheduler(int(thread), os.SCHED_RR, os.sched_param(2))
            pairs = []
            for _ in range(arguments.rounds):
                quiet = None if arguments.check else measure(server, seconds, arguments)
                flooded = measure(server, seconds, arguments, flood, count)
                pairs.append((quiet or flooded, flooded))
            quiet, flooded = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            ratio = statistics.median(b["p99"] / a["p99"] for a, b in pairs)
            said = flooded[-1]["said"].replace("\n", "; ")
            print(f"{flood:<9}{median(quiet, 'p50'):>10.2f}{median(flooded, 'p50'):>10.2f}"
                  f"{median(quiet, 'p99'):>10.2f}{median(flooded, 'p99'):>10.2f}{ratio:>7.2f}"
                  f"{median(quiet, 'lag'):>10.2f}{median(flooded, 'lag'):>10.2f}"
                  f"{100 * median(flooded, 'processor') / seconds:>5.0f}%"
                  f"{max(run['resident'] for run in flooded) / 2**20:>6.0f}  {said}", flush=True)
            if server.process.poll() is not None:
                raise SystemExit(f"the server ended with {server.process.returncode}")
            for run in flooded if arguments.check else quiet + flooded:
                if not run["good"]:
                    print("  players saw errors:\n" + "\n".join(
                        "    " + line for line in run["errors"].splitlines()[:40]))
                    good = False
            good &= not arguments.judge or ratio <= WANTED
    sys.exit(0 if good else 1)


main()
