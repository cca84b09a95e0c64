"""What fuzzing begins with: the golden vectors of Protocol/, and scripts of whole sessions."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WHOLE = b"\xff"  # the first byte of a stream: how it is cut


def vectors(name):
    """(frame, lines) of each block."""
    frame, text = b"", b""
    with open(os.path.join(ROOT, "Protocol", "vectors", name), encoding="utf-8") as file:
        for line in [*file, "\n"]:
            word, _, value = line.rstrip("\n").partition(" ")
            if word == "frame":
                frame = bytes.fromhex(value)
            elif word == "text":
                text += value.encode() + b"\n"
            elif not word and frame:
                yield frame, text
                frame, text = b"", b""


# Steps of the script of a server, see ServerScript.swift.
def connect(peer):
    return bytes([peer << 3])


def gone(peer, how=0):
    return bytes([peer << 3 | 1, how])


def wait(seconds):
    return bytes([3, min(255, int((seconds * 1000) ** 0.5) + 1)])


def sent(peer, data):
    return bytes([peer << 3 | 4, len(data)]) + data


def line(peer, text):
    return bytes([peer << 3 | 5]) + text.encode() + b"\n"


def answer(which=0):
    return bytes([6, which])


def preface(peer):
    return bytes([peer << 3 | 7, 3])


def frame(peer, data):
    return bytes([peer << 3 | 7, 4, data[2], len(data) - 3]) + data[3:]


def named(*names):
    """Text players with names, the first in seat 0."""
    script = b"".join(connect(i) + line(i, f"name {name}") for i, name in enumerate(names))
    return script + answer() * len(names)


def race(options="finish=3", names=("ann", "bob")):
    """A race that has begun, begun and drawn by the server for all."""
    script = named(*names) + b"".join(line(i, f"play {len(names)} {options}") for i in range(len(names)))
    return script + wait(1)


def moves(players, rounds):
    return b"".join(line(i, "move") for _ in range(rounds) for i in range(players))


def server_scripts(frames):
    everyone = "ann", "bob", "cem"
    yield race() + moves(2, 12) + line(0, "rematch") + line(1, "rematch") + wait(1) + moves(2, 9)
    yield race("rule=dash finish=5") + moves(2, 6)
    yield race("draw=sealed", everyone) + moves(3, 3) + gone(1) + wait(9) + moves(3, 3) + wait(40)
    yield race() + gone(0) + connect(0) + line(0, "name bob \x01") + answer() + moves(2, 5)
    yield race() + connect(4) + line(4, "name bob \x01 seq=1") + answer() + moves(2, 9) + wait(60)
    yield named(*everyone) + line(0, "invite bob 2 finish=2") + line(1, "accept 1") + wait(1) + moves(2, 9)
    yield named(*everyone) + line(0, "invite bob") + line(1, "decline 1") + line(0, "uninvite 1") + wait(62)
    yield named(*everyone) + line(0, "host 3 finish=2") + line(1, "join \x02") + line(2, "join \x02") + wait(1)
    yield race() + connect(3) + line(3, "name eve") + answer() + line(3, "watch 1") + moves(2, 9) + line(3, "unwatch")
    yield named("ann") + line(0, "play bots=2 finish=4") + b"".join(wait(2) + line(0, "move") for _ in range(9))
    yield named(*everyone) + b"".join(line(0, text) for text in (
        "who", "who a page=2", "matches", "alias 1 2 3", "why", "ping 7", "help", "help play", "set notes off",
        "set auto off", "number 5", "begin", "cancel", "leave", "unwatch", "decline 4", "nmae x")) + answer() * 2
    yield connect(0) + wait(1.1) + wait(60) + connect(1) + sent(1, b"\xca\x7e") + wait(6)
    yield connect(0) + sent(0, b"GET / HTTP/1.1\r\n") + connect(1) + sent(1, b"\x16\x03\x01")
    yield connect(0) + sent(0, b"\xff\xfd\x01name ann\r\x00") + answer() + line(0, "play") + bytes([2]) + wait(31)
    yield named("ann") + bytes([7, 0]) + line(0, "who") * 9 + bytes([7, 1]) + bytes([2])
    yield named(*everyone) + line(0, "play 2-3") + wait(3) + line(1, "play 2-3") + wait(3) + \
        line(1, "cancel") + wait(12)
    yield connect(0) + sent(0, b"\xca\x7e\xac\xe0\x00\x02\x00\x03") + connect(1) + sent(1, b"\xca\x7e\xac\xe1")
    yield race() + line(0, "leave") * 3 + line(0, "play") + wait(70) + line(0, "play")
    yield race("finish=100000000") + wait(21) * 6
    for start in range(0, len(frames), 6):
        script = connect(1) + line(1, "name bob") + answer() + connect(0) + preface(0)
        yield script + frame(0, bytes.fromhex("000a1003616e6e0000000000")) + answer() + b"".join(
            frame(0, data) for data in frames[start:start + 6] if len(data) < 250) + answer() * 3 + wait(30)


def client_scripts(frames):
    """Whoever answers the preface, and then says anything."""
    hello = b"\x00\x08" + b"\xca\x7e\xac\xe0\x00\x01\x00\x00"
    said = [b"\x00" + bytes([len(data)]) + data for data in frames if len(data) < 256]
    for start in range(0, len(said), 5):
        for plays in b"\x00\xff":
            yield bytes([plays]) + hello + b"".join(
                data + bytes([3, index, 1, 9]) for index, data in enumerate(said[start:start + 5]))
    yield b"\xff" + hello + b"".join(said[:40]) + b"\x02" + hello + b"".join(said[-9:])


def all_seeds():
    """(target, input) of every seed."""
    client, server = list(vectors("client.txt")), list(vectors("server.txt"))
    for target, pairs in (("client", client), ("server", server)):
        for data, text in pairs:
            yield f"{target}-frames", WHOLE + data
            yield f"{target}-lines", b"\x00" + text
        yield f"{target}-frames", b"\x04" + b"".join(data for data, _ in pairs)[:4000]
        yield f"{target}-lines", b"\x10" + b"".join(text for _, text in pairs)[:4000]
    for text in (b"\xff\xfb\x1fname ann\r\x00", b"na\x08\x7fping 7\r\n", b"\xff\xfa\x18\x00x\xff\xf0why\r",
                 b"GET / HTTP/1.1\r\n", b"set auto off\nset notes on\nhelp move\nnumber\n", b"a" * 520):
        yield "client-lines", WHOLE + text
    for script in server_scripts([data for data, _ in client]):
        yield "server", script
    for script in client_scripts([data for data, _ in server]):
        yield "client", script
