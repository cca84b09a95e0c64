"""Kills a server at random moments while people race, and looks whether all they were told is kept.

    python3 Tests/EndToEndTests/Scripts/crash.py --server .build/release/catrace-server --rounds 200

Each round: the server starts on the same directory; players race short races over TCP; it is killed (SIGKILL). Then:
`check` finds the file sound, with standings that follow from the records; each result that was told in `over`, without
a `not-kept` ahead of it, is there once, with the digest that was told; and everybody whose claim was answered is the
same player in the next round. The last line has the figures; exit status 1 when anything was wrong.
"""

import argparse
import os
import random
import selectors
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time


class Player:
    """One connection of somebody who races again and again."""

    def __init__(self, game, alias, rng):
        self.game = game
        self.alias = alias
        self.rng = rng
        self.key = None
        self.id = None
        self.match = None
        self.is_warned = False
        self.buffer = b""
        self.socket = None

    def connect(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setblocking(False)
        self.buffer = b""
        self.match = None
        self.is_warned = False
        self.say(f"name {self.alias} {self.key}" if self.key else f"name {self.alias}")

    def say(self, line):
        try:
            self.socket.send(line.encode() + b"\n")
        except OSError:
            pass  # the server was killed

    def play(self):
        opponents = self.rng.choice(["2", "2", "2-3", "bots=1"])
        rule = self.rng.choice(["turns", "turns", "dash"])
        self.say(f"play {opponents} finish={self.rng.randint(1, 6)} rule={rule}")

    def read(self):
        """False: the connection is gone. What had come until then counts as read."""
        is_open = True
        while True:
            try:
                data = self.socket.recv(65536)
            except BlockingIOError:
                break
            except OSError:
                is_open = False
                break
            if not data:
                is_open = False
                break
            self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            self.hear(line.decode())
        return is_open

    def hear(self, line):
        words = line.split()
        fields = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        verb = words[0] if words else ""
        if verb == "welcome":
            self.welcome(int(fields["player"]), fields.get("key"))
            self.play()
        elif verb == "found":
            self.match = int(fields["match"])
        elif verb == "turn" and fields["alias"] == self.alias:
            self.say("move")
        elif verb == "begin" or (verb == "moved" and fields["alias"] == self.alias):
            if self.game.dashes.get(self.match) or verb == "begin":
                self.say("move")
        elif verb == "notice" and fields["code"] == "not-kept":
            self.is_warned = True
        elif verb == "over":
            self.game.told(self.match, fields["digest"], self.is_warned)
            self.is_warned = False
            self.play()
        elif verb == "cancelled":
            self.play()
        elif verb == "error" and fields.get("code") not in ("not-your-turn", "wrong-state", "not-in-match"):
            self.game.complain(f"{self.alias} was answered: {line}")
        if verb == "found":
            self.game.dashes[self.match] = fields.get("rule") == "dash"

    def welcome(self, player, key):
        self.key = key or self.key
        if self.id is None:
            self.id = player
            if player in self.game.ids:
                self.game.complain(f"id {player} was given out twice")
            self.game.ids.add(player)
        elif self.id != player:
            self.game.complain(f"{self.alias} was player {self.id}, and is now {player}")


class Game:
    """What was told, over all rounds."""

    def __init__(self, server, directory, rng):
        self.server = server
        self.directory = directory
        self.rng = rng
        self.results = {}
        self.warned = 0
        self.dashes = {}
        self.ids = set()
        self.faults = []
        self.players = []
        self.plant = False
        self.kept = 0

    def complain(self, sentence):
        self.faults.append(sentence)
        print(f"fault: {sentence}", flush=True)

    def told(self, match, digest, is_warned):
        if is_warned:
            self.warned += 1
            return
        if self.results.setdefault(match, digest) != digest:
            self.complain(f"match {match} was told with two digests, or its number was given out twice")

    def start(self):
        command = [self.server, "--port", "0", "--data", self.directory, "--log-level", "error", "--fill-seconds", "1"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        return process, int(line.rsplit("port=", 1)[1])

    def round(self, number):
        process, port = self.start()
        try:
            # New people in every round: some are killed in the middle of their claim.
            newcomers = [Player(self, f"r{number}-{index}", self.rng) for index in range(4)]
            crowd = self.rng.sample(self.players, min(12, len(self.players))) + newcomers
            # Who got no answer may be known or not; only who was welcomed comes back.
            self.race(crowd, port, process)
            self.players += [player for player in newcomers if player.key]
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        if self.plant and self.results:
            self.lose_one()
        self.check()

    def lose_one(self):
        with sqlite3.connect(f"{self.directory}/catrace.db") as database:
            database.execute("DELETE FROM results WHERE match = ?", [max(self.results)])
        database.close()

    def race(self, crowd, port, process):
        with selectors.DefaultSelector() as selector:
            for player in crowd:
                player.connect(port)
                selector.register(player.socket, selectors.EVENT_READ, player)
            end = time.monotonic() + self.rng.uniform(0.05, 1.2)
            while (left := end - time.monotonic()) > 0:
                for key, _ in selector.select(left):
                    if not key.data.read():
                        self.complain(f"{key.data.alias} lost the connection before the kill")
                        selector.unregister(key.fileobj)
            process.send_signal(signal.SIGKILL)
            process.wait()
            for player in crowd:
                # All that was on its way.
                player.socket.setblocking(True)
                player.socket.settimeout(5)
                while player.read():
                    pass
                player.socket.close()

    def check(self):
        answer = subprocess.run(
            [self.server, "check", "--data", self.directory], capture_output=True, text=True, check=False)
        if answer.returncode != 0:
            self.complain(f"check says: {answer.stdout}{answer.stderr}")
        file = f"file:{self.directory}/catrace.db?mode=ro"
        with sqlite3.connect(file, uri=True) as database:
            kept = {}
            for match, record in database.execute("SELECT match, record FROM results"):
                if match in kept:
                    self.complain(f"match {match} is kept twice")
                kept[match] = record
            aliases = dict(database.execute("SELECT id, alias FROM players"))
        database.close()
        for match, digest in self.results.items():
            if match not in kept:
                self.complain(f"the result of match {match} was told, and is gone")
            elif bytes.fromhex(digest) not in kept[match]:
                self.complain(f"the record of match {match} has not the digest {digest} that was told")
        for player in self.players:
            if aliases.get(player.id) != player.alias:
                self.complain(f"{player.alias} was welcomed as player {player.id}, and is gone")
        self.kept = len(kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", default=".build/release/catrace-server")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument(
        "--plant", action="store_true", help="lose a result behind each round, to see that it is noticed")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="catrace-crash-") as directory:
        game = Game(os.path.abspath(options.server), directory + "/data", random.Random(options.seed))
        game.plant = options.plant
        start = time.monotonic()
        for number in range(1, options.rounds + 1):
            game.round(number)
            if number % 20 == 0:
                print(f"{number} rounds: {len(game.results)} results told, {game.kept} kept", flush=True)
    if not game.results:
        game.complain("no race ended, which tells nothing")
    print(
        f"crash rounds={options.rounds} players={len(game.ids)} told={len(game.results)} kept={game.kept}"
        f" not-kept-notices={game.warned} faults={len(game.faults)} seconds={time.monotonic() - start:.0f}"
    )
    sys.exit(1 if game.faults else 0)


main()
