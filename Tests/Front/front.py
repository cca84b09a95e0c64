"""A race server behind HAProxy with TLS and under Prometheus: Debian's programs with the configurations of docker/.

    front.py [--build release]

Of docker/haproxy and docker/prometheus only addresses, ports and paths are changed; a certificate is made for the run.
Players come from several addresses of this machine: by `openssl s_client`, by our client with --tls, and by netcat
through HAProxy, and race each other. Then bans and caps must act on the address each player really has; a race must
outlive a restart of the server behind HAProxy, and a connect that comes meanwhile must wait for it; and Prometheus must
know the server's figures and raise the alarm once it is gone. The status is 0 when all of that held.
"""

import argparse
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from programs import PATIENCE, Fault, Stage, wait_until  # noqa: E402


def say(text):
    print(text, flush=True)


def fields(line):
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


class Person:
    """Somebody at a program that takes lines and shows lines, who moves whenever it is their turn."""

    def __init__(self, stage, name, words, mute=False):
        self.name = name
        self.mute = mute
        self.lines = []
        # Of our client: what it would tell a person on the terminal, and its keys, where nobody's home is.
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            env=dict(os.environ, XDG_STATE_HOME=os.path.join(stage.folder, name)))
        stage.running.append(self.process)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            line = line.rstrip("\r\n")
            self.lines.append(line)
            if not self.mute and line.startswith("turn ") and fields(line).get("alias") == self.name:
                self.say("move")

    def say(self, *lines):
        try:
            for line in lines:
                self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            pass  # What is missing then, the check says.

    def wait(self, start):
        """The first line that begins so."""
        return wait_until(
            f"'{start}' for {self.name}, who saw {self.lines[-5:]}",
            lambda: next((line for line in list(self.lines) if line.startswith(start)), None))


class Visitor:
    """A bare connection from an address of this machine, through HAProxy, with TLS or without."""

    def __init__(self, stage, address, tls):
        port = stage.ports["tls" if tls else "plain"]
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(address, 0))
        if tls:
            context = ssl.create_default_context(cafile=stage.authority)
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self.lines = self.socket.makefile(encoding="utf-8", newline="\n")

    def ask(self, line, start):
        """The answer that begins so, or the server's farewell."""
        try:
            self.socket.sendall((line + "\n").encode())
        except OSError:
            pass  # A farewell may be there yet.
        return self.wait(start)

    def wait(self, start):
        try:
            for line in self.lines:
                if line.startswith((start, "bye ")):
                    return line.rstrip()
        except OSError as fault:
            return f"(lost: {fault})"
        return "(the end)"

    def close(self):
        self.lines.close()
        self.socket.close()


def expect(what, found, wanted):
    if not found.startswith(wanted):
        raise Fault(f"{what}: '{wanted}' was expected, and came: {found}")


def race(stage):
    """Three ways in, one race; the server knows where each of them is."""
    wish = "play 3 finish=40"
    port, secure = str(stage.ports["plain"]), stage.ports["tls"]
    people = [
        Person(stage, "ann", [stage.program("catrace"), "play", "--guest", "--name", "ann", "--players", "3",
                              "--finish", "40", "--auto", "--tls", "--ca", stage.authority, "--connect",
                              f"localhost:{secure}"], mute=True),
        Person(stage, "bob", ["openssl", "s_client", "-quiet", "-verify_return_error", "-CAfile", stage.authority,
                              "-bind", "127.0.0.21:0", "-connect", f"127.0.0.1:{secure}"]),
        Person(stage, "cat", ["nc", "-s", "127.0.0.22", "127.0.0.1", port]),
    ]
    for person in people[1:]:
        person.say(f"name {person.name}", wish)
    for person in people:
        person.wait("found ")
    players = {fields(line)["alias"]: fields(line) for line in stage.ctl("who").splitlines() if " alias=" in line}
    for name, address in (("ann", "127.0.0.1"), ("bob", "127.0.0.21"), ("cat", "127.0.0.22")):
        if players[name]["address"] != address:
            raise Fault(f"{name} is at {address}, and the server says {players[name]}")
    overs = {fields(person.wait("over "))["digest"] for person in people}
    if len(overs) != 1:
        raise Fault(f"not all saw the same race: {overs}")
    people[0].wait("# check dice: passed")
    for person in people:
        person.say("quit")
    say("one race of catrace --tls, openssl s_client and netcat, each known by its own address; all saw the same, "
        "and the client checked it")


def ban(stage):
    visitors = [Visitor(stage, address, tls) for address, tls in
                (("127.0.0.31", True), ("127.0.0.31", False), ("127.0.0.32", True))]
    for visitor in visitors:
        expect("before the ban", visitor.ask("ping 1", "pong "), "pong value=1")
    expect("the ban", stage.ctl("ban", "127.0.0.31", "for=600", "reason=rude"), "closed connections=2")
    for visitor in visitors[:2]:
        expect("whoever is banned", visitor.wait("bye "), "bye reason=banned")
    expect("their neighbour", visitors[2].ask("ping 2", "pong "), "pong value=2")
    for tls in (True, False):
        expect("whoever is banned comes again", Visitor(stage, "127.0.0.31", tls).wait("bye "), "bye reason=banned")
    stage.ctl("unban", "127.0.0.31")
    again = Visitor(stage, "127.0.0.31", True)
    expect("behind the ban", again.ask("ping 3", "pong "), "pong value=3")
    for visitor in [*visitors, again]:
        visitor.close()
    say("a ban of 127.0.0.31 closed its two connections, over TLS and without, and kept out two more; 127.0.0.32 "
        "stayed; lifted, 127.0.0.31 was let in")


def cap(stage):
    """Four connections an address: the fifth is refused, whichever way it comes, and other addresses don't count."""
    visitors = [Visitor(stage, "127.0.0.41", tls) for tls in (True, False, True, False)]
    for visitor in visitors:
        expect("within the cap", visitor.ask("ping 1", "pong "), "pong value=1")
    for tls in (True, False):
        expect("beyond the cap", Visitor(stage, "127.0.0.41", tls).wait("bye "), "bye reason=full")
    other = Visitor(stage, "127.0.0.42", True)
    expect("another address", other.ask("ping 2", "pong "), "pong value=2")
    visitors.pop().close()

    def is_free():
        visitor = Visitor(stage, "127.0.0.41", False)
        answer = visitor.ask("ping 3", "pong ")
        visitor.close()
        return answer.startswith("pong ")
    wait_until("a place that became free can be had", is_free)
    for visitor in [*visitors, other]:
        visitor.close()
    direct = socket.create_connection(("127.0.0.1", stage.ports["proxied"]), PATIENCE,
                                      source_address=("127.0.0.66", 0))
    try:
        direct.sendall(b"PROXY TCP4 127.0.0.42 127.0.0.1 5555 7223\r\nping 1\n")
        answer = direct.recv(100)
    except OSError:
        answer = b""
    if b"pong" in answer:
        raise Fault("somebody who is no proxy was believed")
    say("a cap of 4 connections held 127.0.0.41 at four, over TLS and without together, and nobody else; a header "
        "from 127.0.0.66, which is no proxy, was not believed")


def restart(stage):
    """A race under way, and somebody who connects while there is no server."""
    bots = [
        Person(stage, name, [stage.program("catrace"), "bot", "--name", name, "--races", "1", "--players",
                             "2", "--finish", "60", "--tls", "--ca", stage.authority, "--connect",
                             f"localhost:{stage.ports['tls']}"], mute=True)
        for name in ("robo", "tick")]
    watcher = Visitor(stage, "127.0.0.51", False)
    watcher.ask("name eve", "welcome ")

    def match():
        watcher.socket.sendall(b"matches\nping 9\n")
        found = None
        for line in watcher.lines:
            if line.startswith("match ") and "state=active" in line:
                found = fields(line)["id"]
            if line.startswith("pong "):
                return found
    under_way = wait_until("the bots race", match)
    begin = time.monotonic()
    stage.stop_server()
    waiting = Visitor(stage, "127.0.0.52", True)
    stage.start_server()
    expect("whoever connects without a server", waiting.ask("ping 4", "pong "), "pong value=4")
    seconds = time.monotonic() - begin
    for bot in bots:
        bot.wait(f"race n=1 match={under_way} ")
    for visitor in (watcher, waiting):
        visitor.close()
    if "count=1 left-out=0" not in open(os.path.join(stage.folder, "server.log"), encoding="utf-8").read():
        raise Fault("the server says of no race that it went on with it")
    say(f"match {under_way} outlived a restart of the server; who connected to HAProxy meanwhile was answered "
        f"{seconds:.1f} s after SIGTERM")


def watched(stage):
    wanted = {
        'up{job="catrace"}': lambda value: value == 1,
        'catrace_turned_away_total{reason="banned"}': lambda value: value >= 2,
        'catrace_turned_away_total{reason="full"}': lambda value: value >= 2,
        'sum(catrace_connections)': lambda value: value >= 1,
        'process_open_fds{job="catrace"} / process_max_fds{job="catrace"}': lambda value: 0 < value < 0.9,
        'catrace_results_pending': lambda value: value == 0,
    }
    # With somebody here: otherwise HAProxy's own looks are all there is, now and then.
    guest = Visitor(stage, "127.0.0.61", True)
    guest.ask("name gus", "welcome ")
    for expression, holds in wanted.items():
        def told(expression=expression, holds=holds):
            value = stage.query(expression)
            return value is not None and holds(value)
        wait_until(f"Prometheus knows {expression}", told)
    guest.close()
    say("Prometheus answers: " + "; ".join(f"{expression} = {stage.query(expression):g}" for expression in wanted))
    states = stage.alerts()
    if len(states) < 6 or set(states.values()) != {"inactive"}:
        raise Fault(f"no alert should be up: {states}")
    say(f"{len(states)} alerts, none of them up")


def alarm(stage):
    stage.stop_server()
    begin = time.monotonic()
    wait_until("CatRaceDown is pending", lambda: stage.alerts()["CatRaceDown"] == "pending")
    wait_until("CatRaceDown fires", lambda: stage.alerts()["CatRaceDown"] == "firing", 2 * PATIENCE)
    others = {name for name, state in stage.alerts().items() if state == "firing"} - {"CatRaceDown"}
    if others:
        raise Fault(f"these alerts are up as well: {others}")
    say(f"without a server CatRaceDown was up after {time.monotonic() - begin:.0f} s, and no other alert")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="release", choices=["debug", "release"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="catrace-front-") as folder:
        stage = Stage(options.build, folder)
        try:
            stage.start_server()
            stage.start_haproxy()
            stage.check_watching()
            stage.start_prometheus()
            say("haproxy -c, promtool check config, check rules, test rules and check metrics have no complaint")
            for part in (race, ban, cap, watched, restart, alarm):
                part(stage)
        except Fault as fault:
            stage.end()
            for name in ("server.log", "haproxy.log", "prometheus.log"):
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    with open(path, encoding="utf-8") as file:
                        say(f"--- the end of {name}\n{file.read()[-2000:]}")
            say(f"front: {fault}")
            sys.exit(1)
        finally:
            stage.end()
    say("all of it held")


main()
