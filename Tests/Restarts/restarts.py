"""Restarts a server in the middle of many races, by SIGTERM, and looks whether anybody loses anything by it.

    restarts.py [--races 500] [--restarts 10] [--programs DIR] [--seconds-between 5] [plain] [activated]

`plain`: each server binds its port itself, so connects in between are refused, and made again. `activated`: this
script holds the listening socket and hands it to each server, as systemd's socket activation does, so none may be
refused. Both, unless one is named. The load harness plays the races and reports; the status is 0 when no race and no
seat was lost, everybody came back from every restart, and (activated) no connect was refused.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATIENCE = 60
DRAIN = 1


class Servers:
    """One server after the other, on one port and one directory."""

    def __init__(self, programs, directory, activated):
        self.program = os.path.join(programs, "catrace-server")
        self.directory = directory
        self.socket = None
        self.process = None
        if activated:
            self.socket = socket.socket()
            self.socket.bind(("127.0.0.1", 0))
            self.socket.listen(4096)
            self.port = self.socket.getsockname()[1]
        else:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]

    def start(self):
        flags = [
            *("--data", self.directory, "--port", str(self.port), "--log-level", "warning"),
            *("--drain-seconds", str(DRAIN)),
        ]
        if self.socket:
            # The shell's process becomes the server's: LISTEN_PID must name it.
            handed = self.socket.fileno()
            script = f'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" "$@" 3<&{handed}'
            command = ["bash", "-c", script, self.program, *flags]
            options = {"pass_fds": [handed]}
        else:
            command, options = [self.program, *flags], {}
        with open(os.path.join(self.directory + ".log"), "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, **options)
        if not self.process.stdout.readline().startswith("listening "):
            raise SystemExit("the server did not start")

    def stop(self):
        """Seconds that it took to end by SIGTERM."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        if status != 0:
            raise SystemExit(f"the server ended with status {status}")
        return time.monotonic() - begin

    def print_log(self):
        """What the servers warned of; that this script sent them signals is no news."""
        with open(self.directory + ".log", encoding="utf-8") as log:
            print("".join(f"  {line}" for line in log if " event=audit " not in line), end="", flush=True)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def count(self, connection, lines, verb, answer):
        """How many there are in all: full pages, and what is on the last one."""
        page, pages, full = 1, 1, 0
        while True:
            connection.sendall(f"{verb} page={page}\n".encode())
            line = next(line for line in lines if line.startswith(answer))
            fields = dict(word.split("=", 1) for word in line.split()[1:])
            pages, count = int(fields["of"]), int(fields["count"])
            if page >= pages:
                return (pages - 1) * full + count
            page, full = pages, count

    def census(self):
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            lines = connection.makefile(encoding="utf-8")
            return tuple(
                self.count(connection, lines, verb, answer)
                for verb, answer in (("who", "players "), ("matches", "matches "))
            )

    def wait_for(self, players, races):
        """Seconds until so many have a place here, and so many races are on, whose players may be on their way."""
        begin = time.monotonic()
        seen = (0, 0)
        while time.monotonic() - begin < PATIENCE:
            try:
                seen = self.census()
            except (OSError, StopIteration):
                pass
            if seen[0] >= players and seen[1] >= races:
                return time.monotonic() - begin
            time.sleep(0.2)
        raise SystemExit(f"{players} players in {races} races were expected, and {seen} are there")


def run(kind, options):
    players = 2 * options.races
    # A few are between two races at any moment.
    racing = options.races * 9 // 10
    with tempfile.TemporaryDirectory(prefix="catrace-restarts-") as directory:
        servers = Servers(options.programs, os.path.join(directory, "data"), kind == "activated")
        report = os.path.join(directory, "report.json")
        load = None
        try:
            servers.start()
            command = [
                *(os.path.join(options.programs, "catrace-load"), "--restarts"),
                *("--connect", f"127.0.0.1:{servers.port}", "--players", str(players), "--seconds", "3600"),
                *("--pace", str(options.pace), "--finish", str(options.finish), "--json", report),
            ]
            load = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            servers.wait_for(players, racing)
            print(f"{kind}: {options.races} races of {players} players", flush=True)
            for number in range(options.restarts):
                time.sleep(options.seconds_between)
                ended = servers.stop()
                servers.start()
                again = servers.wait_for(players, racing)
                print(f"  restart {number + 1}: {ended:.1f} s to its end, races on after {again:.1f} s", flush=True)
            time.sleep(options.seconds_between)
            load.send_signal(signal.SIGINT)
            text = load.communicate(timeout=PATIENCE)[0]
            print("".join(f"  {line}\n" for line in text.splitlines()), end="", flush=True)
            servers.stop()
        finally:
            servers.kill()
            servers.print_log()
            if load and load.poll() is None:
                load.kill()
                load.wait()
        with open(report, encoding="utf-8") as file:
            return check(kind, options, json.load(file))


def check(kind, options, report):
    """Sentences about what was lost."""
    restarts = report["restarts"]
    faults = [
        f"{restarts[key]} {what}"
        for key, what in (
            ("races_lost", "races were lost"),
            ("seats_lost", "seats were lost"),
            ("never_back", "players never came back"),
        )
        if restarts[key]
    ]
    back = restarts["returned_to_race"] + restarts["returned_free"]
    if back != options.restarts * 2 * options.races:
        faults.append(f"{back} returns, not {options.restarts} of each player")
    if restarts["seen"] != options.restarts:
        faults.append(f"{restarts['seen']} restarts were seen, not {options.restarts}")
    if kind == "activated" and restarts["connects_refused"]:
        faults.append(f"{restarts['connects_refused']} connects were refused")
    if report["errors"]:
        faults.append(f"{report['errors']} errors: {report['errors_by_kind']}")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", choices=[[], "plain", "activated"])
    parser.add_argument("--races", type=int, default=500)
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--programs", default=os.path.join(ROOT, ".build", "release"))
    parser.add_argument("--seconds-between", type=float, default=5, help="for all to come back, and to play")
    parser.add_argument("--pace", type=int, default=500, help="milliseconds before each move")
    parser.add_argument("--finish", type=int, default=200, help="fields of each race")
    options = parser.parse_args()
    faults = []
    for kind in options.kinds or ["plain", "activated"]:
        faults += [f"{kind}: {fault}" for fault in run(kind, options)]
    for fault in faults:
        print(fault)
    if not faults:
        print("no race lost, no seat lost, everybody back")
    sys.exit(1 if faults else 0)


main()
