import MatchRules
import RaceModel
import WireProtocol

/// Time: every deadline of connections, rooms and the lobby, in one place.
extension RaceServer {
    mutating func passDeadlines() {
        if !self.answeredLookUps.isEmpty { self.tellAnswered() }
        self.takeNextTurns()
        self.goOnWithRecords(behind: self.work)
        while let entry = self.deadlines.popDue(self.now) {
            switch entry.owner {
            case .connection(let id):
                guard let slot = self.slot(of: id), self.connections[slot].scheduled == entry.due else {
                    continue
                }
                self.connections[slot].scheduled = nil
                self.fire(connection: slot)
            case .room(let room):
                guard self.rooms.contains(room), self.rooms[room].scheduled == entry.due else { continue }
                self.rooms[room].scheduled = nil
                self.fire(room: room)
            case .door:
                guard self.doorScheduled == entry.due else { continue }
                self.doorScheduled = nil
                self.fireDoor()
            }
        }
        self.passResultDeadlines()
        self.passLifeDeadlines()
        self.expireInvites()
        self.forgetGuests()
    }

    // MARK: Rooms

    /// Keeps one entry in the heap that is not later than anything the room waits for.
    mutating func schedule(room: RoomIndex) {
        if let due = self.rooms[room].takeNewSchedule() { self.insertDeadline(.room(room), due: due) }
    }

    mutating func insertDeadline(_ owner: DeadlineHeap.Owner, due: Instant) {
        self.deadlines.insert(owner, due: due)
        guard self.deadlines.needsSweep else { return }
        var heap = self.deadlines
        heap.sweep { self.isLive($0) }
        self.deadlines = heap
    }

    private func isLive(_ entry: DeadlineHeap.Entry) -> Bool {
        switch entry.owner {
        case .connection(let id):
            self.slot(of: id).map { self.connections[$0].scheduled == entry.due } ?? false
        case .room(let room): self.rooms.contains(room) && self.rooms[room].scheduled == entry.due
        case .door: self.doorScheduled == entry.due
        }
    }

    private mutating func fire(room: RoomIndex) {
        // Everybody was told that the race has no result.
        guard !self.isStopping else { return }
        if let due = self.rooms[room].clockDue, due <= self.now {
            self.rooms[room].clockDue = nil
            self.run(.deadlinePassed, in: room)
        }
        guard self.rooms.contains(room) else { return }
        for seat in self.rooms[room].match.gone where self.rooms[room].graceDue[seat] <= self.now {
            self.run(.graceExpired(seat), in: room)
            guard self.rooms.contains(room) else { return }
        }
        for seat in self.rooms[room].match.gone { self.countDown(seat, in: room) }
        if let due = self.rooms[room].botDue, due <= self.now {
            self.rooms[room].botDue = nil
            self.actForBot(in: room)
        }
        guard self.rooms.contains(room) else { return }
        self.schedule(room: room)
    }

    mutating func hold(_ seat: Seat, in room: RoomIndex) {
        self.rooms[room].graceDue[seat] = self.now + self.configuration.deadlines.grace
        self.setCountdown(seat, in: room)
    }

    /// When the others are told next how long the seat is still held; zero for never.
    private mutating func setCountdown(_ seat: Seat, in room: RoomIndex) {
        let due = self.rooms[room].graceDue[seat]
        let left = (due - self.now).nanoseconds
        let next = Limits.countdown.first { Instant.Span.seconds($0).nanoseconds < left }
        self.rooms[room].countdownDue[seat] =
            next.map { Instant(nanoseconds: due.nanoseconds - Instant.Span.seconds($0).nanoseconds) } ?? .zero
    }

    private mutating func countDown(_ seat: Seat, in room: RoomIndex) {
        let due = self.rooms[room].countdownDue[seat]
        guard due > .zero, due <= self.now else { return }
        var broadcast = self.openBroadcast(room)
        self.announceGone(seat, in: room, &broadcast)
        self.flush(&broadcast)
        self.setCountdown(seat, in: room)
    }

    // MARK: Connections

    mutating func schedule(connection slot: Int) {
        guard let due = self.connectionDue(slot) else { return }
        if let scheduled = self.connections[slot].scheduled, scheduled <= due { return }
        self.connections[slot].scheduled = due
        self.insertDeadline(.connection(self.connections[slot].id), due: due)
    }

    /// The next thing that time does to a connection; nil once it has made itself known.
    private func connectionDue(_ slot: Int) -> Instant? {
        let connection = self.connections[slot]
        guard !connection.isClosing else { return nil }
        switch connection.dialect {
        case .unknown where !connection.greeted, .text where !connection.greeted:
            return connection.accepted + Limits.greeting
        case .preface: return connection.prefaceBegun + Limits.preface
        case .unknown, .binary, .text:
            if connection.player != nil || connection.awaitsHello { return nil }
            return connection.lastMessage + Limits.unnamed
        }
    }

    private mutating func fire(connection slot: Int) {
        guard let due = self.connectionDue(slot) else { return }
        if due <= self.now {
            let id = self.connections[slot].id
            switch self.connections[slot].dialect {
            case .unknown where !self.connections[slot].greeted,
                .text where !self.connections[slot].greeted:
                self.greet(slot)
            case .preface:
                self.close(
                    id, .handshake, "the preface of a binary connection has 8 bytes; they did not come")
            case .unknown, .binary, .text:
                self.close(id, .handshake, "say who you are within a minute: name ann (any free alias)")
            }
        }
        if self.connections[slot].isOpen { self.schedule(connection: slot) }
    }
}
