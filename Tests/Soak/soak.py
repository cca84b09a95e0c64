#!/usr/bin/env python3
"""Rounds of connecting, playing, dropping, returning and leaving, and then churn: nothing may be left of any of it.

After each round the server is asked what lives in it (SIGUSR1), and all of it must be gone: connections, players,
matches, tickets, invites, look-ups, unread and held bytes. Deadlines and descriptors must be back at what they were,
and memory must not grow from the tenth round on.
"""

import argparse
import os
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GONE = ["connections", "players", "matches", "tickets", "invites", "look-ups", "unread", "held"]
MOST_GROWTH = 4 << 20  # bytes of memory, over all rounds from the tenth on
STALE = 64  # entries of ended connections that wait to be swept: see DeadlineHeap
UNNAMED = 60  # seconds; entries that a crowd leaves unswept come due by then


class Failed(Exception):
    """Something is left, or does not come."""


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "--memory", "--port", "0", "--log-level", "error", "--grace-seconds", "5", "--rematch-seconds", "1",
             "--fill-seconds", "3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        self.port = int(self.process.stdout.readline().rsplit("port=", 1)[1])

    def census(self):
        self.process.send_signal(signal.SIGUSR1)
        end = time.monotonic() + 30
        while time.monotonic() < end and select.select([self.process.stderr], [], [], end - time.monotonic())[0]:
            line = self.process.stderr.readline()
            if not line:
                break
            if " event=census " in line:
                fields = (word.split("=") for word in line.split() if "=" in word)
                return {key: int(value) for key, value in fields if value.isdigit()}
            print("  log:", line.rstrip())
        raise Failed(f"no census came; the server's state is {self.process.poll()}")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode


class Player:
    """A text player."""

    def __init__(self, port, alias, key="", seq=0):
        self.alias, self.key, self.text = alias, key, ""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.say("set notes off", f"name {alias} {key}" + (f" seq={seq}" if seq else ""))
        welcome = self.wait("welcome ")
        self.key = key or welcome.rsplit("key=", 1)[1]

    def say(self, *lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def wait(self, *beginnings):
        """The next line that begins so."""
        while True:
            while "\n" in self.text:
                line, self.text = self.text.split("\n", 1)
                if line.startswith(beginnings):
                    return line
            data = self.socket.recv(65536)
            if not data:
                raise Failed(f"{self.alias} was closed, and waited for {beginnings}")
            self.text += data.decode()

    def drop(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def quit(self):
        self.say("quit")
        self.wait("bye ")
        self.socket.close()


def play(players, until):
    """Whoever is on turn moves, until the line comes that is asked for."""
    while True:
        line = players[0].wait("turn ", until)
        if line.startswith(until):
            return line
        alias = line.split(" alias=")[1].split()[0]
        next(player for player in players if player.alias == alias).say("move")


def session(port, keys):
    """Two who race, of whom one drops and returns; a spectator; invites, private races, look-ups, a ticket."""
    ann, bob, cem = (Player(port, name, keys.get(name, "")) for name in ("ann", "bob", "cem"))
    keys.update({player.alias: player.key for player in (ann, bob, cem)})
    ann.say("play 2 finish=12")
    bob.say("play 2 finish=12")
    match = ann.wait("found ").split("match=")[1].split()[0]
    cem.say(f"watch {match}", "alias 1 2 3 999", "who", "matches")
    cem.wait("players ")
    ann.wait("begin ")
    bob.drop()
    ann.wait("gone ")
    bob = Player(port, "bob", bob.key)
    ann.wait("back ")
    bob.wait("snapshot ")
    bob.say("move")
    ann.say("move")
    play([ann, bob], "over ")
    cem.say("unwatch", "invite ann 2", "invite bob 2", "host 2", "play 2 group=77")
    cem.wait("code ", "error ")
    ann.say("leave", "host 3")
    ann.wait("code ", "error ")
    ann.quit()
    bob.drop()
    cem.say("cancel", "leave")
    cem.quit()


def loads(arguments, port):
    """Programs of both dialects, of whom some are cut and come back."""
    done = subprocess.run(
        [os.path.join(arguments.programs, "catrace-load"), "--connect", f"127.0.0.1:{port}", "--players", "40",
         "--seconds", "1", "--text-share", "0.5", "--drops", "10", "--away", "0.2", "--finish", "10"],
        capture_output=True, text=True, timeout=90, check=False)
    if "races" not in done.stdout:
        raise Failed(f"catrace-load ended with {done.returncode}: {done.stdout}{done.stderr}")


def settle(server, start, what, within=60):
    """What is left once the last grace and rematch are over; all of it must be gone."""
    end = time.monotonic() + within
    while True:
        census = server.census()
        left = [key for key in GONE if census[key] != start[key]]
        if census["descriptors"] != start["descriptors"]:
            left.append("descriptors")
        if census["deadlines"] > start["deadlines"] + STALE:
            left.append("deadlines")
        if not left:
            return census
        if time.monotonic() > end:
            raise Failed(f"{what}: {', '.join(left)} did not come back to {start}: {census}")
        time.sleep(0.2)


def churn(arguments, port, seconds, seed):
    """Connects and resets from many clients: bare ones, half a preface, half a line, a name, a ticket."""
    chance, live, made, end = random.Random(seed), [], 0, time.monotonic() + seconds
    flooder = subprocess.Popen([os.path.join(arguments.programs, "flooder"), "resets", str(port), str(seconds)],
                               stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.nice(19))
    try:
        while time.monotonic() < end:
            client = socket.create_connection(("127.0.0.1", port), timeout=30)
            made += 1
            first = chance.choice([b"", b"\xca\x7e", b"\x16\x03", b"nam", b"GET / HTTP/1.1\r\n",
                                   b"name churn-%d\nplay 2 group=%d\n" % (made % 500, made), b"\xff\xfd\x01ping 1\r\n"])
            try:
                client.sendall(first)
            except OSError:
                pass
            live.append(client)
            if len(live) > 200:
                gone = live.pop(chance.randrange(len(live)))
                if chance.random() < 0.7:
                    gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                gone.close()
    finally:
        for client in live:
            client.close()
        flooder.wait(seconds + 30) if sys.exc_info()[0] is None else flooder.kill()
        said = flooder.communicate()[0].strip()
    print(f"churn: {seconds:.0f} s, {made} clients of all kinds, seed {seed}; beside them {said}", flush=True)


def soak(arguments, server):
    """All of it; the lines it prints are what was seen."""
    start, keys, memory = server.census(), {}, []
    print(f"start: {start}", flush=True)
    for number in range(1, arguments.rounds + 1):
        session(server.port, keys)
        loads(arguments, server.port)
        census = settle(server, start, f"round {number}")
        memory.append(census["memory"])
        print(f"round {number}: all gone; descriptors {census['descriptors']}, deadlines {census['deadlines']}, "
              f"memory {census['memory'] / 2**20:.1f} MiB", flush=True)
    if len(memory) > 10:
        growth = memory[-1] - memory[9]
        print(f"memory since the tenth round: {growth / 1024:+.0f} KiB, at most {MOST_GROWTH >> 10} KiB")
        if growth > MOST_GROWTH:
            raise Failed("memory grows")
    churn(arguments, server.port, arguments.churn, arguments.seed)
    before = time.monotonic()
    session(server.port, keys)
    healthy = time.monotonic() - before
    census = settle(server, start, "churn", within=UNNAMED + 30)
    print(f"after the churn: a race of {healthy:.1f} s, then all gone; descriptors {census['descriptors']}, "
          f"memory {census['memory'] / 2**20:.1f} MiB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--churn", type=float, default=600, help="seconds")
    parser.add_argument("--seed", type=int, default=1, help="of the churn")
    parser.add_argument("--programs", default=os.path.join(ROOT, ".build", "release"))
    arguments = parser.parse_args()
    server = Server(os.path.join(arguments.programs, "catrace-server"))
    try:
        soak(arguments, server)
    except (Failed, OSError, subprocess.TimeoutExpired) as error:
        print(f"FAILED: {error}")
        sys.exit(1)
    finally:
        code = server.stop()
    if code != 0:
        print(f"FAILED: the server ended with {code}")
        sys.exit(1)
    print("soak: nothing is left")


if __name__ == "__main__":
    main()
