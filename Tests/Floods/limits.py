#!/usr/bin/env python3
"""Runs into limits on purpose: what the server does there, that others feel nothing, and how soon all is well.

Each line ends with the time from the moment the cause was taken away to the first answer as usual: a second at most.
A machine that is busy with other things can make it more, so a limit is tried three times before it is called late.
"""

import argparse
import os
import select
import signal
import socket
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RECOVERY = 1.0  # seconds
PATIENCE = 30  # seconds, for what must come and need not come soon
TRIES = 3


class Late(Exception):
    """All is well again, and not as soon as it should be."""


class Server:
    def __init__(self, program, *flags, files=None):
        command = [program, "--memory", "--port", "0", *flags]
        if files:
            command = ["bash", "-c", f"ulimit -n {files}; exec \"$0\" \"$@\"", *command]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if "port=" not in line:
            raise SystemExit(f"the server did not begin: {line}{self.process.stderr.read()}")
        self.port = int(line.rsplit("port=", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def stop_and_read_log(self):
        self.__exit__()
        return self.process.stderr.read()


def connect(server, receive=None, source="127.0.0.1"):
    peer = socket.socket()
    peer.bind((source, 0))
    if receive:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    peer.settimeout(PATIENCE)
    peer.connect(("127.0.0.1", server.port))
    return peer


def answers(peer, seconds):
    """Whether a ping is answered within the time."""
    peer.sendall(b"ping 77\n")
    end, text = time.monotonic() + seconds, b""
    while b"value=77" not in text:
        left = end - time.monotonic()
        if left <= 0 or not select.select([peer], [], [], left)[0]:
            return False
        data = peer.recv(65536)
        if not data:
            return False
        text += data
    return True


def require(condition, text):
    if not condition:
        print(f"  FAILED: {text}")
        sys.exit(1)


def until_answered(make):
    """Seconds until a peer that `make` gives is answered."""
    start = time.monotonic()
    peer = make()
    require(answers(peer, PATIENCE), f"nobody is answered within {PATIENCE} s")
    took = time.monotonic() - start
    peer.close()
    in_time(took, "a new peer was answered")
    return took


def in_time(took, what):
    if took > RECOVERY:
        raise Late(f"{what} after {took:.2f} s")


def fill(server, count):
    """So many connections, as the system takes them; each answered ones is served."""
    peers = [connect(server) for _ in range(count)]
    served = []
    for peer in peers:
        if answers(peer, 5 if not served or served[-1] else 0.05):
            served.append(peer)
        else:
            served.append(None)
    return peers, [peer for peer in served if peer]


def room_is_short(name, server, most):
    """More connections than there is room for: those who are in are served, the others wait, and get in."""
    peers, served = fill(server, most + 10)
    require(len(served) == most, f"{len(served)} are served, not {most}")
    require(answers(served[0], PATIENCE), "who is in is not answered while others wait")
    waiting = next(peer for peer in peers if peer not in served)
    start = time.monotonic()
    for peer in served[:12]:
        peer.close()
    end, text = start + PATIENCE, b""
    while b"value=77" not in text and time.monotonic() < end:
        if select.select([waiting], [], [], end - time.monotonic())[0]:
            data = waiting.recv(65536)
            require(data, "who waited was closed")
            text += data
    took = time.monotonic() - start
    require(b"value=77" in text, f"who waited is not answered within {PATIENCE} s")
    in_time(took, "who waited was answered")
    for peer in peers:
        peer.close()
    again = until_answered(lambda: connect(server))
    print(f"{name}: {most} are served, 10 wait and lose nothing; one of them is answered {took * 1000:.0f} ms after "
          f"room was made, a new one after {again * 1000:.0f} ms", flush=True)


def few_descriptors(program):
    with Server(program, files=64) as server:
        # The first who comes and goes has the system libraries open what they keep.
        until_answered(lambda: connect(server))
        time.sleep(0.2)
        own = server.descriptors()
        # What it says it allows for: `ulimit -n` without what it has open and keeps back.
        peers, served = fill(server, 64)
        most = len(served)
        for peer in peers:
            peer.close()
        require(64 - 20 <= most + own <= 64, f"{most} connections beside {own} descriptors")
        room_is_short("ulimit -n 64", server, most)
        end = time.monotonic() + PATIENCE
        while server.descriptors() > own and time.monotonic() < end:
            time.sleep(0.02)
        require(server.descriptors() <= own, f"{server.descriptors()} descriptors are left, there were {own}")


def few_connections(program):
    with Server(program, "--connections", "20") as server:
        room_is_short("--connections 20", server, 20)


def more_than_allowed(program):
    done = subprocess.run(["bash", "-c", "ulimit -n 64; exec \"$0\" --connections 1000", program],
                          capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    require(done.returncode == 2 and "ulimit -n" in done.stderr, f"{done.returncode}: {done.stderr}")
    print(f"--connections 1000 under ulimit -n 64: refused: {done.stderr.strip()}", flush=True)


def never_reads(program):
    """Who asks and never reads is held back, and closed for asking too much; another who is told much is closed at
    the limit."""
    with Server(program) as server:
        blind = connect(server, receive=1024)
        require(answers(connect(server), PATIENCE), "no answer before")
        before, worst = server.resident(), 0.0
        blind.sendall(b"set notes off\nname blind\n")
        blind.settimeout(0.2)
        asked, is_over = 0, False
        while not is_over and asked < 64 << 20:
            try:
                asked += blind.send(b"help\n" * 300)
            except (TimeoutError, ConnectionError):
                is_over = True
            # Each time somebody else: what one connection may ask for is bounded, too.
            start = time.monotonic()
            with connect(server) as other:
                require(answers(other, PATIENCE), "another is not answered")
            worst = max(worst, time.monotonic() - start)
        require(is_over, "it is read for ever")
        grown = server.resident() - before
        require(grown < 4 << 20, f"{grown} bytes of memory for one who does not read")
        took = until_answered(lambda: connect(server))
        print(f"a reader that never reads: asking ends after {asked / 1024:.0f} KiB, the server grows by "
              f"{grown / 1024:.0f} KiB, others are answered within {worst * 1000:.0f} ms, a new one after "
              f"{took * 1000:.0f} ms", flush=True)


def told_too_much(program):
    """Who watches an endless race and never reads is closed at the limit; the racers feel nothing of it."""
    with Server(program) as server:
        before = server.resident()
        racers = subprocess.Popen(
            [os.path.join(os.path.dirname(program), "catrace-load"), "--connect", f"127.0.0.1:{server.port}",
             "--pairs", "1", "--seconds", "600"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            blind = connect(server, receive=1024)
            blind.sendall(b"set notes off\nname blind\n")
            start = time.monotonic()
            while b"snapshot " not in said(blind, b"watch 1\n"):
                require(time.monotonic() - start < PATIENCE, "the race cannot be watched")
            others, start, most = server.descriptors(), time.monotonic(), before
            while server.descriptors() == others and time.monotonic() - start < 2 * PATIENCE:
                most = max(most, server.resident())
                time.sleep(0.02)
            closed = time.monotonic() - start
            took = until_answered(lambda: connect(server))
        finally:
            racers.send_signal(signal.SIGINT)
            report = racers.communicate(timeout=2 * PATIENCE)[0]
        require(racers.returncode == 0, f"the racers were disturbed: {report}")
        log = server.stop_and_read_log()
        require("event=slow-reader" in log, f"it was not closed as a slow reader: {log}")
        require(most - before < 8 << 20, f"{most - before} bytes of memory")
        print(f"a spectator that never reads: closed as a slow reader after {closed:.1f} s, the server grew by "
              f"{(most - before) / 1024:.0f} KiB, no racer lost anything, a new peer is answered after "
              f"{took * 1000:.0f} ms", flush=True)


def said(peer, line):
    """What comes within a moment behind a line; the rest is left unread."""
    peer.sendall(line)
    time.sleep(0.1)
    return peer.recv(700)


def farewell(peer):
    """All that a peer is told up to the end of its connection."""
    text = b""
    while data := peer.recv(65536):
        text += data
    return text.decode()


def one_address(program):
    """An address has all connections it can have: one more is told so and closed, other addresses feel nothing."""
    most = 32
    with Server(program, "--cap-loopback", "--connects-per-second", "100") as server:
        peers = [connect(server) for _ in range(most)]
        require(all(answers(peer, 2) for peer in peers), "who is in is not answered")
        words = farewell(connect(server))
        require(words.startswith("bye reason=full ") and words.count("\n") == 1, f"one more is told: {words}")
        require(answers(connect(server, source="127.0.0.2"), 2), "another address is not answered")
        require(all(answers(peer, 2) for peer in peers), "who is in is not answered any more")
        peers.pop().close()
        start, attempts = time.monotonic(), 0
        while True:
            peer, attempts = connect(server), attempts + 1
            try:
                if answers(peer, 1):
                    break
            except ConnectionError:
                pass
            require(time.monotonic() - start <= RECOVERY, "there is no room after one has gone")
            time.sleep(0.01)
        took = time.monotonic() - start
        print(f"{most} connections of one address: all are served, one more is told \"{words.strip()}\", another "
              f"address is served; one is let in {took * 1000:.0f} ms after another went", flush=True)


LIMITS = [few_descriptors, more_than_allowed, few_connections, one_address, never_reads, told_too_much]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", default=os.path.join(ROOT, ".build", "release"))
    arguments = parser.parse_args()
    for limit in LIMITS:
        for number in range(1, TRIES + 1):
            try:
                limit(os.path.join(arguments.programs, "catrace-server"))
                break
            except Late as late:
                print(f"  try {number} of {TRIES}: {late}", flush=True)
                require(number < TRIES, "it was late each time")


main()
