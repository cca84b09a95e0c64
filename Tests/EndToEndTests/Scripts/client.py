#!/usr/bin/env python3
"""A small binary client for Cat Race, written from Protocol/ alone: it plays races and checks that each was fair."""
import argparse
import hashlib
import os
import select
import socket
import struct
import sys
import time

MAGIC, VERSION = b"\xca\x7e\xac\xe0", 1
RULES, DRAWS, FORFEITS = ["turns", "dash"], ["highest", "sealed"], ["left", "missed-turns", "gone"]
OUTCOMES = ["finish", "forfeit", "idle", "no-moves", "abandoned"]
NUMBER, BEGIN, MOVE, HELLO, FIND, WHY, QUIT = 0, 1, 2, 16, 17, 33, 35     # what this client sends
BUSY = {60, 62}                                   # slow-down, unavailable: ask again later
TOO_LATE = {31, 33, 34, 35, 36, 37, 38, 39, 40}   # already-..., wrong-state, stale-turn: news that came too late
# What it reads: the rows of messages.def; a list is name[fields of an entry].
SETTINGS = "rule:u8 draw:u8 finish:u32"
SERVER = {
    0: ("number", "round:u8 seat:u8 value:u32 drawn:u8"), 1: ("begin", "seconds:u16"),
    2: ("moved", "seq:u32 turn:u32 player:u8 by:u8 at:u32 auto:u8"),
    3: ("over", "seq:u32 player1won:u8 winner:u8 reason:u8 nonce:b32 digest:b32 places[rank:u8,player:u8,at:u32]"),
    64: ("welcome", "id:u64 alias:str key:key"), 65: ("error", "code:u16 re:u8 text:str"),
    66: ("bye", "reason:u8 text:str"), 67: ("queued", "waiting:u16 min:u8 max:u8 starts:u16"),
    68: ("found", f"match:u64 seat:u8 {SETTINGS} seal:b32 seats[n:u8,id:u64,alias:str]"),
    70: ("again", "round:u8 seats[seat:u8]"), 71: ("order", "seats[seat:u8]"), 74: ("back", "seat:u8 player:u8"),
    72: ("turn", "seq:u32 turn:u32 player:u8 seconds:u16"), 73: ("gone", "seat:u8 player:u8 seconds:u16"),
    75: ("snapshot", f"match:u64 seat:u8 {SETTINGS} seal:b32 state:u8 seq:u32 turn:u32 onturn:u8 seconds:u16 "
                     "seats[n:u8,number:u8,id:u64,alias:str,at:u32,presence:u8]"),
    83: ("waiting", "who:str what:u8 since:u32 left:u32 then:str"), 85: ("notice", "code:u8 seconds:u16 text:str"),
    86: ("cancelled", "match:u64 alias:str reason:u8 queued:u8"), 87: ("forfeit", "seq:u32 player:u8 reason:u8"),
    88: ("rematch", "player:u8 wants:u8 agreed:u8 of:u8"), 89: ("stopped", "what:u8"),
}


class Failed(Exception):
    """Something that the documents do not allow, or that this client cannot go on from."""


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def word(data):
    return int.from_bytes(data[:4], "big")


def decode(layout, body):
    """The fields of a body, which must be used up."""
    def take(size):
        nonlocal body
        if size > len(body):
            raise Failed(f"too short for {layout}")
        taken, body = body[:size], body[size:]
        return taken

    def value(kind):
        if kind[0] == "u":
            return int.from_bytes(take(int(kind[1:]) // 8), "big")
        data = take(32) if kind == "b32" else take(take(1)[0])
        return data.decode() if kind == "str" else data

    def fields(names):
        return {name: value(kind) for name, kind in (field.split(":") for field in names)}

    message = {}
    for field in layout.split():
        name, _, entry = field.partition("[")
        message.update({name: [fields(entry[:-1].split(",")) for _ in range(take(1)[0])]} if entry else fields([field]))
    if body:
        raise Failed(f"too long for {layout}")
    return message


def show(value):
    rows = ["/".join(map(str, entry.values())) for entry in value] if isinstance(value, list) else None
    return value.hex() if isinstance(value, bytes) else value if rows is None else ",".join(rows)


def dice(key):
    block = 0
    while True:
        for (roll,) in struct.iter_unpack(">I", sha(key, struct.pack(">I", block))):
            if roll < 4294967292:
                yield roll % 6 + 1
        block += 1


class Race:
    """What is known of one match, and how to reckon it again. `found` is its MatchFound or Snapshot."""
    def __init__(self, found):
        self.found, self.match, self.seat = found, found["match"], found["seat"]
        self.turns = found["rule"] == 0
        self.aliases = {entry["n"]: entry["alias"] for entry in found["seats"]}
        self.numbers, self.order, self.log = {}, [], []     # (round, seat): (value, drawn); seats; moved and forfeit
        self.seq = found.get("seq", 0)
        self.turn, self.on_turn = found.get("turn", 0), found.get("onturn", 0)
        self.running, self.over, self.answered = found.get("state") == 3, False, 0
        self.whole = self.seq <= (1 if self.turns else 0)   # event 1 in turns is the first turn: no move is missed
        if found["seats"][0].get("number"):
            self.order = [entry["n"] for entry in sorted(found["seats"], key=lambda e: e["number"])]

    def me(self):
        return self.order.index(self.seat) + 1 if self.order else 0

    def name(self, player):
        return self.aliases[self.order[player - 1]]

    def record(self):
        f = self.found
        yield (f"found match={self.match} of={len(f['seats'])} rule={RULES[f['rule']]} finish={f['finish']} "
               f"draw={DRAWS[f['draw']]} seal={f['seal'].hex()}")
        for s in f["seats"]:
            yield f"seat n={s['n']} player={s['id']} alias={s['alias']}"
        for (rnd, seat), (value, drawn) in sorted(self.numbers.items()):
            yield f"number round={rnd} seat={seat} value={value}" + (" drawn=server" if drawn else "")
        yield "order seats=" + ",".join(map(str, self.order))
        for verb, m in self.log:
            who = f"player={m['player']} alias={self.name(m['player'])}"
            if verb == "forfeit":
                yield f"forfeit seq={m['seq']} {who} reason={FORFEITS[m['reason']]}"
            else:
                yield (f"moved seq={m['seq']} turn={m['turn']} {who} by={m['by']} at={m['at']} of={f['finish']} "
                       f"auto={'yes' if m['auto'] else 'no'}")

    def ending(self, over):
        who = f"winner={over['winner']} alias={self.name(over['winner'])} " if over["winner"] else ""
        won = "yes" if over["player1won"] else "no"
        return f"over seq={over['seq']} player1won={won} {who}reason={OUTCOMES[over['reason']]}"

    def reckon_order(self, nonce):
        """The order that the numbers make; equal ones share out their places in the next round."""
        used = set()

        def settle(seats, rnd):
            if len(seats) == 1 or rnd > 8:
                return sorted(seats)
            equal = {}
            for seat in seats:
                used.add((rnd, seat))
                mask = word(sha(nonce, b"mask", bytes([rnd, seat]))) if self.found["draw"] else 0
                equal.setdefault(self.numbers[rnd, seat][0] ^ mask, []).append(seat)
            return [seat for value in sorted(equal, reverse=True) for seat in settle(equal[value], rnd + 1)]

        order = settle(list(self.aliases), 1)
        return order if used == set(self.numbers) else None

    def check(self, over):
        """Whether each check passed; those that cannot be made are left out."""
        nonce = over["nonce"]
        result = {"seal": sha(nonce) == self.found["seal"], "order": self.order == self.reckon_order(nonce),
                  "server-drawn numbers": all(value == word(sha(nonce, b"draw", bytes(at)))
                                              for at, (value, drawn) in self.numbers.items() if drawn)}
        if not self.whole:
            return result
        last = {seat: value for (rnd, seat), (value, _) in sorted(self.numbers.items())}
        rolls = dice(sha(nonce, *(struct.pack(">I", last[seat]) for seat in sorted(last))))
        left = list(range(1, len(self.order) + 1))
        places, came, turn, winner, fair, right = dict.fromkeys(left, 0), {}, 0, 0, True, True
        for verb, m in self.log:
            player = m["player"]
            right &= player in left and not winner
            if verb == "forfeit":
                left.remove(player)
                continue
            fair &= m["by"] == (next(rolls) if self.turns else 1)
            places[player] += m["by"]
            right &= places[player] == m["at"] and m["turn"] >= turn + self.turns
            turn, came[player] = m["turn"], m["seq"]
            winner = player if m["at"] >= self.found["finish"] else 0
        if OUTCOMES[over["reason"]] == "forfeit":
            winner = left[0] if len(left) == 1 else None
        elif OUTCOMES[over["reason"]] == "idle":
            winner = min((p for p in left if p in came), key=lambda p: (-places[p], came[p]), default=None)
        record = "".join(line + "\n" for line in [*self.record(), self.ending(over)])
        return result | {
            "rolls": fair, "positions": right and {p["player"]: p["at"] for p in over["places"]} == places,
            "winner": over["winner"] == winner and over["player1won"] == (winner == 1),
            "digest": sha(record.encode()) == over["digest"]}


class Client:
    def __init__(self, options):
        self.o, self.key, self.id, self.race, self.sock = options, b"", 0, None, None
        self.checked, self.passed = set(), True             # matches

    def connect(self):
        seq = 0
        if self.race and not self.race.over:
            seq, self.race.answered = self.race.seq, 0      # the answer may be lost: say it again
        name = (f"#{self.id}" if self.key else self.o.name).encode()
        print("connecting", f"again, last event {seq}" if self.key else "", flush=True)
        self.sock = socket.create_connection((self.o.host, self.o.port), timeout=10)
        self.sock.settimeout(None)
        self.input, self.greeted = b"", False
        self.sock.sendall(MAGIC + struct.pack(">HH", VERSION, VERSION))
        self.send(HELLO, bytes([len(name)]) + name + bytes([len(self.key)]) + self.key + struct.pack(">I", seq))

    def send(self, number, body=b""):
        self.sock.sendall(struct.pack(">HB", len(body) + 1, number) + body)

    def read(self):
        """Reads once, and yields every message that is whole and known."""
        data = self.sock.recv(65536)
        if not data:
            raise ConnectionError("the server closed it")
        self.input += data
        if not self.greeted:
            while self.input and self.input[0] < 0x80:      # the greeting for people
                self.input = self.input[1:]
            if len(self.input) < 8:
                return
            if self.input[:6] != MAGIC + struct.pack(">H", VERSION):
                raise Failed("this server speaks something else")
            self.greeted, self.input = True, self.input[8:]
        while len(self.input) >= 2 and len(self.input) >= (end := 2 + int.from_bytes(self.input[:2], "big")):
            frame, self.input = self.input[2:end], self.input[end:]
            if frame[0] in SERVER:
                yield SERVER[frame[0]][0], decode(SERVER[frame[0]][1], frame[1:])

    def run(self):
        lost = 0
        while len(self.checked) < self.o.races:
            try:
                if not self.sock:
                    self.connect()
                if select.select([self.sock], [], [], 0.2)[0]:
                    for verb, message in self.read():
                        lost = 0
                        self.handle(verb, message)
                        self.o.drop_after -= bool(self.race)
                        if self.race and self.o.drop_after == 0:
                            raise ConnectionError("cut on purpose")
                elif self.race and self.race.running and not self.race.turns:
                    self.send(MOVE, bytes(4))               # a dash: a step whenever it is quiet
            except (ConnectionError, TimeoutError) as error:
                print(f"connection lost: {error}", flush=True)
                if self.sock:
                    self.sock.close()
                self.sock, lost = None, lost + 1
                if lost > 5:
                    raise Failed("it does not come back")
                time.sleep(lost / 2)
        self.send(QUIT)
        return self.passed

    def handle(self, verb, m):
        race = self.race
        who = [race.name(m["player"])] if race and race.order and m.get("player") else []
        print(verb, *who, *(f"{k}={show(v)}" for k, v in m.items() if k != "key"), flush=True)
        if verb in ("turn", "moved", "forfeit", "over"):
            if m["seq"] != race.seq + 1 and race.found.get("state") != 4:
                raise Failed(f"event {m['seq']} behind {race.seq}")
            race.seq = m["seq"]
        match verb:
            case "welcome" if self.key:                     # nothing else says whether there is a match or a ticket
                self.send(WHY)
            case "welcome":
                self.key, self.id = m["key"], m["id"]
                self.find()
            case "waiting" if m["what"] in (5, 6):          # for a rematch, or for nothing
                self.race = None
                self.find()
            case "waiting" if race and m["what"] in (3, 4):
                self.begin_or_move()
            case "error" if m["code"] in BUSY:
                time.sleep(5)
                self.find()
            case "error" if m["code"] not in TOO_LATE:
                raise Failed(f"error {m['code']}: {m['text']}")
            case "bye" if m["reason"] == 1:
                raise Failed("taken over by a newer connection")
            case "found":
                self.race = Race(m)
                self.draw(self.o.number)
            case "snapshot":
                self.race = Race(m)
                if m["state"] < 2:                          # it does not say who draws, nor whether we have drawn
                    self.draw()
            case "number":
                race.numbers[m["round"], m["seat"]] = m["value"], m["drawn"]
            case "again" if {"seat": race.seat} in m["seats"]:
                self.draw()
            case "order":
                race.order = [entry["seat"] for entry in m["seats"]]
                self.begin_or_move()
            case "begin":
                race.running = True
            case "turn":
                race.turn, race.on_turn = m["turn"], m["player"]
                self.begin_or_move()
            case "moved" | "forfeit":
                race.log.append((verb, m))
            case "cancelled":
                self.race = None
                if not m["queued"]:
                    self.find()
            case "over":
                race.over, race.running = True, False
                if race.match not in self.checked:          # else told again on a return
                    self.finish(m)

    def find(self):
        self.send(FIND, struct.pack(">BBBBIIB", *self.o.players, RULES.index(self.o.rule), DRAWS.index(self.o.draw),
                                    self.o.finish, 0, self.o.bots))

    def draw(self, number=None):
        self.send(NUMBER, bytes(1) + (os.urandom(4) if number is None else struct.pack(">I", number)))

    def begin_or_move(self):
        race = self.race
        if race.running and race.turns and race.on_turn == race.me() and race.answered != race.turn:
            race.answered = race.turn
            self.send(MOVE, struct.pack(">I", race.turn))
        elif race.me() == 1 and not race.running:
            self.send(BEGIN)

    def finish(self, m):
        race, result = self.race, self.race.check(m)
        fair = all(result.values())
        self.checked.add(race.match)
        self.passed &= fair and len(result) == 7
        print("checked", ", ".join(f"{name}: {'passed' if ok else 'FAILED'}" for name, ok in result.items()))
        print(f"race {len(self.checked)} won by {race.name(m['winner']) if m['winner'] else 'nobody'}, "
              f"{OUTCOMES[m['reason']]};", "fair" if fair else "NOT FAIR", flush=True)
        if len(self.checked) < self.o.races:
            self.find()


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("host")
    p.add_argument("port", type=int)
    p.add_argument("--name", default=f"py-{os.getpid()}x")
    p.add_argument("--rule", choices=RULES, default="turns")
    p.add_argument("--draw", choices=DRAWS, default="highest")
    for name, default in ("--races", 1), ("--finish", 25), ("--bots", 0):
        p.add_argument(name, type=int, default=default)
    p.add_argument("--players", metavar="A-B", help="bots counted; otherwise 2, or with --bots you and they")
    p.add_argument("--number", type=int, help="what to draw in round 1, to force a tie")
    p.add_argument("--drop-after", type=int, default=0, metavar="N", help="cut once, N messages into the first match")
    o = p.parse_args()
    low, _, high = (o.players or str(max(2, o.bots + 1))).partition("-")
    o.players = int(low), int(high or low)
    try:
        return 0 if Client(o).run() else 1
    except (Failed, OSError) as error:
        print(f"failed: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
