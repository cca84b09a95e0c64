#!/usr/bin/env python3
"""What players feel while another process holds the database: runs with it free and with it locked, in turns."""

import argparse
import os
import sqlite3
import statistics
import tempfile
import threading
import time

from programs import Server, load


# New players cannot be named while nothing can be written: they come before.
COMING_SECONDS = 1.5


def measure(server, arguments):
    return load(server, "server", "--players", arguments.players, "--rate", arguments.rate, "--pace", 20,
                "--seconds", arguments.seconds)["latency"]


class Lock:
    """The database held by another connection, as by another process, soon after the block is entered until its end."""

    def __init__(self, path):
        self.path, self.over = path, threading.Event()
        self.thread = threading.Thread(target=self.hold)

    def hold(self):
        time.sleep(COMING_SECONDS)
        database = sqlite3.connect(self.path, isolation_level=None, timeout=5)
        database.execute("BEGIN EXCLUSIVE")
        self.over.wait()
        database.execute("ROLLBACK")
        database.close()

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def kept(path):
    with sqlite3.connect(path, timeout=5) as database:
        return database.execute("SELECT count(*) FROM results").fetchone()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=12, help="of each run: five rounds hold it a minute in all")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rate", type=int, default=20, help="races that begin each second")
    arguments = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "catrace.db")
        with Server("server", "--data", directory) as server:
            print("a move, in ms       free: p50    p99    locked: p50    p99   ratio   results kept late", flush=True)
            for number in range(1, arguments.rounds + 1):
                free = measure(server, arguments)
                with Lock(path):
                    locked = measure(server, arguments)
                    before = kept(path)
                time.sleep(3)
                ratios.append(locked["p99_us"] / free["p99_us"])
                print(f"round {number:<2}{free['p50_us'] / 1000:>19.2f}{free['p99_us'] / 1000:>7.2f}"
                      f"{locked['p50_us'] / 1000:>15.2f}{locked['p99_us'] / 1000:>7.2f}{ratios[-1]:>8.2f}"
                      f"{kept(path) - before:>11}", flush=True)
    print(f"p99 locked, of p99 free: median {statistics.median(ratios):.2f} (wanted at most 1.2)")


main()
