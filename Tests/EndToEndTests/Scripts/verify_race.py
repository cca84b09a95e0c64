"""Checks a race from what a player of the text dialect has read, with nothing but SHA-256.

Reads a transcript on standard input. Prints what was checked; ends with 1 and the reason when something is
wrong.
"""

import hashlib
import re
import sys


def sha256(data):
    return hashlib.sha256(data).digest()


def fail(reason):
    print("wrong: " + reason)
    sys.exit(1)


def check(condition, reason):
    if not condition:
        fail(reason)


def fields(line):
    return dict(re.findall(r"(\w+)=(\S+)", line))


def word(nonce, label, round_, seat):
    return int.from_bytes(sha256(nonce + label + bytes([round_, seat]))[:4], "big")


def dice(key):
    counter = 0
    while True:
        block = sha256(key + counter.to_bytes(4, "big"))
        for offset in range(0, 32, 4):
            value = int.from_bytes(block[offset:offset + 4], "big")
            if value < 4294967292:
                yield value % 6 + 1
        counter += 1


lines = [line.rstrip("\r\n") for line in sys.stdin]
start = max(index for index, line in enumerate(lines) if line.startswith("found "))
record = []
found, over, order = fields(lines[start]), None, None
seats, numbers, drawn, moves = [], {}, [], []
for line in lines[start:]:
    verb = line.split(" ")[0]
    if verb == "found":
        record.append(re.sub(r" seat=\d+", "", line, count=1))
    elif verb in ("seat", "number", "order", "moved", "forfeit"):
        record.append(line)
    elif verb == "over":
        record.append(line.split(" nonce=")[0])
    values = fields(line)
    if verb == "seat":
        seats.append(int(values["n"]))
    elif verb == "number":
        round_, seat = int(values["round"]), int(values["seat"])
        numbers.setdefault(seat, {})[round_] = int(values["value"])
        if values.get("drawn") == "server":
            drawn.append((round_, seat))
    elif verb == "order":
        order = [int(seat) for seat in values["seats"].split(",")]
    elif verb == "moved":
        moves.append(values)
    elif verb == "over":
        over = values
        break
check(over is not None, "the race has no end")

nonce = bytes.fromhex(over["nonce"])
check(len(nonce) == 32, "the nonce has 32 bytes")
check(sha256(nonce).hex() == found["seal"], "the nonce is not the one that was sealed")

for round_, seat in drawn:
    check(numbers[seat][round_] == word(nonce, b"draw", round_, seat), f"the number drawn for seat {seat}")


def rank(seat):
    """Highest first: a tie is settled by the rounds behind it."""
    mask = (lambda r: word(nonce, b"mask", r, seat)) if found["draw"] == "sealed" else (lambda r: 0)
    return [-(value ^ mask(r)) for r, value in sorted(numbers[seat].items())]


check(order == sorted(seats, key=lambda seat: (rank(seat), seat)), f"the order {order}")

final = b"".join(numbers[seat][max(numbers[seat])].to_bytes(4, "big") for seat in seats)
rolls = dice(sha256(nonce + final))
positions = {}
for move in moves:
    steps = next(rolls) if found["rule"] == "turns" else 1
    check(int(move["by"]) == steps, f"event {move['seq']}: {move['by']} in place of {steps}")
    positions[move["player"]] = positions.get(move["player"], 0) + steps
    check(int(move["at"]) == positions[move["player"]], f"event {move['seq']}: the place")

digest = sha256("".join(line + "\n" for line in record).encode()).hex()
check(digest == over["digest"], f"the digest is {digest}")
if over["reason"] == "finish":
    check(positions[over["winner"]] >= int(found["finish"]), "the winner is not at the finish")

count = sum(map(len, numbers.values()))
print(f"seal, {count} numbers, {len(drawn)} drawn, order, {len(moves)} moves, digest")
