"""Many races end at once while another process holds the database, and two players go on: many_ends.py PORT DATABASE.

Prints "ended=N told=N moves=N slow=N worst=MS": races that ended, players who were told that the result is not kept
yet, moves of the two meanwhile, how many of them were answered after 100 ms or more, and the slowest.
"""

import asyncio
import sqlite3
import sys
import time

PLAYERS = 200
LOCKED = 5.0  # seconds
SLOW = 0.1


class Player:
    def __init__(self, name):
        self.name = name

    async def come(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.say(f"name {self.name}\nset notes off")
        await self.wait("set notes=off")

    def say(self, text):
        self.writer.write((text + "\n").encode())

    async def wait(self, *prefixes):
        while True:
            line = (await self.reader.readline()).decode()
            if not line:
                raise SystemExit(f"{self.name} was cut off while waiting for {prefixes}")
            if line.startswith(prefixes):
                return line

    async def race_once(self):
        """A race that its first move ends."""
        self.say("play bots=1 rule=dash finish=1")
        await self.wait("begin ")
        self.say("move")
        told = (await self.wait("over ", "notice code=not-kept ")).startswith("notice ")
        if told:
            await self.wait("over ")
        return told


async def pace(one, other, times):
    """Two who move in turns, until cancelled."""
    one.say("play 2 finish=100000000")
    other.say("play 2 finish=100000000")
    for player in (one, other):
        await player.wait("begin ")
    line = await one.wait("turn ")
    await other.wait("turn ")
    first = f"alias={one.name}" in line
    movers = [one, other] if first else [other, one]
    while True:
        for mover in movers:
            begin = time.monotonic()
            mover.say("move")
            for player in movers:
                await player.wait("turn ")
            times.append((begin, time.monotonic() - begin))
            await asyncio.sleep(0.005)


async def main(port, database):
    players = [Player(f"p{number}") for number in range(PLAYERS)]
    pair = [Player("ann"), Player("bob")]
    for player in players + pair:
        await player.come(port)
    times = []
    moving = asyncio.create_task(pace(*pair, times))
    while len(times) < 20 and not moving.done():
        await asyncio.sleep(0.01)
    lock = sqlite3.connect(database, isolation_level=None, timeout=5)
    lock.execute("BEGIN EXCLUSIVE")
    locked = time.monotonic()
    told = await asyncio.gather(*(player.race_once() for player in players))
    await asyncio.sleep(max(0, locked + LOCKED - time.monotonic()))
    unlocked = time.monotonic()
    lock.execute("ROLLBACK")
    lock.close()
    if moving.done():
        moving.result()
    moving.cancel()
    spans = [span for begin, span in times if locked <= begin < unlocked]
    slow = sum(span >= SLOW for span in spans)
    print(f"ended={len(told)} told={sum(told)} moves={len(spans)} slow={slow} worst={max(spans) * 1000:.1f}")


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
