import MatchRules
import RaceModel
import WireProtocol

/// Connections come, say what they speak, speak, and go.
extension RaceServer {
    mutating func accept(_ id: ConnectionID, address: NetworkAddress) {
        let slot = Int(id.slot)
        while self.connections.count <= slot { self.connections.append(.vacant) }
        self.connections[slot] = Connection(id: id, address: address, accepted: self.now)
        if self.isStopping {
            return self.close(id, .shutdown, "the server is stopping: try again in a minute")
        }
        self.reserveMatches()
        guard self.letIn(slot) else { return }
        self.log(.debug, "connected", [("connection", id.slot), ("address", address)])
        self.schedule(connection: slot)
    }

    /// From here on it is as if it had just come: a handshake took part of its first second.
    mutating func secure(_ id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing else { return }
        self.connections[slot].isSecure = true
        self.connections[slot].accepted = self.now
        self.connections[slot].lastMessage = self.now
    }

    /// The live connection of this id, not one that took its place.
    func slot(of id: ConnectionID) -> Int? {
        let slot = Int(id.slot)
        guard slot < self.connections.count, self.connections[slot].id == id else { return nil }
        return slot
    }

    /// - Returns: whether it was a move and nothing else.
    mutating func receive(_ bytes: ArraySlice<UInt8>, from id: ConnectionID) -> Bool {
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing, !self.isStopping else {
            return false
        }
        if self.takeMove(bytes, from: slot) { return true }
        var input = bytes
        if self.connections[slot].dialect == .unknown { self.chooseDialect(slot, first: bytes.first) }
        self.awaitTurnIfDue(slot)
        self.work(slot, &input)
        return false
    }

    /// What nearly all input is: one whole frame with a move, from a player who waits for nothing. It takes the short
    /// way here, and does what it would do on the long one.
    /// - Returns: false when it is anything else; then nothing is done.
    private mutating func takeMove(_ bytes: ArraySlice<UInt8>, from slot: Int) -> Bool {
        guard self.connections[slot].dialect == .binary, let player = self.connections[slot].player,
            let turn = self.connections[slot].frames.onlyMove(in: bytes), !self.mustHold(slot),
            !self.connections[slot].effort.isGreat(now: self.now)
        else { return false }
        let before = self.work
        self.isCharged = false
        self.connections[slot].lastMessage = self.now
        self.players[player].lastMessage = self.now
        let who = Requester(
            connection: self.connections[slot].id, player: player, request: ClientMessageNumber.move.rawValue)
        self.play(.moved(self.players[player].seat, turn: turn), of: who)
        self.outbox.work += Self.workPerRequest + bytes.count
        if self.isCharged {
            self.connections[slot].effort.add(Self.workPerBeginning + self.work - before, now: self.now)
        }
        return true
    }

    /// The peer sends no more. What it still has to get is answered first.
    mutating func endInput(_ id: ConnectionID) {
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing else { return }
        self.connections[slot].inputEnded = true
        self.closeIfAnswered(slot)
    }

    mutating func forget(_ id: ConnectionID, _ loss: ConnectionLoss) {
        guard let slot = self.slot(of: id) else { return }
        if loss == .slowReader {
            self.log(.info, "slow-reader", [("connection", id.slot), ("limit", Limits.unreadOutputBytes)])
        }
        self.log(.debug, "disconnected", [("connection", id.slot), ("loss", loss.name)])
        self.detachPlayer(slot)
        self.leaveDoor(slot)
        self.connections[slot] = .vacant
    }

    /// Says why, and closes behind it. The seat, if there is one, is held.
    mutating func close(_ id: ConnectionID, _ reason: ByeReason, _ text: String) {
        guard let slot = self.slot(of: id), !self.connections[slot].isClosing else { return }
        // A peer that has not said what it speaks is told in text, unless it has begun a binary preface.
        self.log(.debug, "closing", [("connection", id.slot), ("reason", reason.name)])
        self.send(.bye(reason, text: text), to: id)
        self.connections[slot].isClosing = true
        self.connections[slot].held = []
        self.outbox.outputs.append(.close(id))
        self.detachPlayer(slot)
    }

    /// Of a connection that is not anyone yet.
    private mutating func closeSilently(_ slot: Int) {
        self.connections[slot].isClosing = true
        self.outbox.outputs.append(.close(self.connections[slot].id))
    }

    /// A half-closed peer whose last answer has been given is closed; a seat it has is held like any dropped
    /// one.
    mutating func closeIfAnswered(_ slot: Int) {
        let connection = self.connections[slot]
        guard connection.isOpen, connection.inputEnded, !connection.isClosing, !connection.awaitsHello,
            !connection.waitsForTurn, connection.openLookUps == 0, connection.held.isEmpty
        else { return }
        if let player = connection.player, let room = self.players[player].room,
            self.rooms[room].state != .done
        {
            let seconds = self.shown(self.configuration.deadlines.grace)
            self.send(
                .notice(
                    .halfClosed, seconds: seconds,
                    text: "you closed your sending side; your seat is held: come back with your name and key"),
                to: connection.id)
        }
        self.close(connection.id, .halfClosed, "you closed your sending side and everything is answered")
    }

    // MARK: What it speaks

    private mutating func chooseDialect(_ slot: Int, first: UInt8?) {
        guard let first else { return }
        let id = self.connections[slot].id
        switch FirstByte(first) {
        case .binary:
            self.connections[slot].dialect = .preface
            self.connections[slot].prefaceBegun = self.now
            self.schedule(connection: slot)
        case .tls:
            self.log(
                .info, "tls-refused", [("connection", id.slot), ("address", self.connections[slot].address)])
            self.closeSilently(slot)
        case .text:
            // Greeted with the first line, so that a web browser gets one line of an answer; or by time.
            self.connections[slot].dialect = .text
        }
    }

    mutating func greet(_ slot: Int) {
        guard !self.connections[slot].greeted else { return }
        self.connections[slot].greeted = true
        self.sendText(Greeting.line + Greeting.notes, to: self.connections[slot].id)
    }

    private mutating func takePreface(_ slot: Int, _ input: inout ArraySlice<UInt8>) throws(ProtocolViolation)
    {
        guard let offer = try self.connections[slot].offers.next(in: &input) else { return }
        let id = self.connections[slot].id
        self.connections[slot].dialect = .binary
        let start = self.outbox.bytes.count
        Preface.appendAnswer(to: offer, to: &self.outbox.bytes)
        self.outbox.outputs.append(.send(id, start..<self.outbox.bytes.count))
        guard offer.chosen == 0 else { return }
        self.log(
            .info, "version-refused",
            [("connection", id.slot), ("offered", "\(offer.lowest)-\(offer.highest)")])
        // The error frame is the only one that every version can read: no goodbye behind it.
        self.closeSilently(slot)
    }

    // MARK: Input to messages

    /// Decodes and handles what is there, until it is used up, the connection closes, or an answer must come
    /// first.
    mutating func work(_ slot: Int, _ input: inout ArraySlice<UInt8>) {
        // What waited here for an answer of the store, or for its turn, came too late: races are saved as they were.
        guard !self.isStopping else { return }
        let id = self.connections[slot].id
        let start = self.work
        // When this batch is full already, one message each: nobody is passed over, and it ends soon.
        let share = start <= Limits.workPerRound ? Limits.workPerTurn : 0
        var beginning = Self.workPerBeginning
        while self.connections[slot].id == id, !self.connections[slot].isClosing {
            if self.work - start > share, !input.isEmpty { self.awaitTurn(slot) }
            if self.mustHold(slot) {
                guard !input.isEmpty else { return }
                return self.hold(slot, input)
            }
            let (before, bytes) = (self.work, input.count)
            self.isCharged = false
            let goesOn =
                switch self.connections[slot].dialect {
                case .unknown: false
                case .preface: self.workPreface(slot, &input)
                case .binary: self.workFrame(slot, &input)
                case .text: self.workLine(slot, &input)
                }
            self.outbox.work += Self.workPerRequest + bytes - input.count
            if self.isCharged {
                self.connections[slot].effort.add(beginning + self.work - before, now: self.now)
                beginning = 0
            }
            guard goesOn else { return }
        }
    }

    /// To handle a request takes at least as long as to write so many bytes of an answer,
    private static let workPerRequest = 128
    /// and to read what one connection has sent and to send the answers, so many.
    private static let workPerBeginning = 1024

    private mutating func awaitTurnIfDue(_ slot: Int) {
        if self.connections[slot].effort.isGreat(now: self.now), !self.mustHold(slot) { self.awaitTurn(slot) }
    }

    private mutating func awaitTurn(_ slot: Int) {
        self.connections[slot].waitsForTurn = true
        self.waitingForTurn.append(self.connections[slot].id)
    }

    func mustHold(_ slot: Int) -> Bool {
        self.connections[slot].awaitsHello || self.connections[slot].waitsForTurn
            || self.connections[slot].isBackedUp
            || self.connections[slot].openLookUps >= Limits.pendingStoreRequests
    }

    /// Who asks faster than they read waits for their own reading, not for others.
    mutating func setBackedUp(_ id: ConnectionID, _ isBackedUp: Bool) {
        guard let slot = self.slot(of: id), self.connections[slot].isBackedUp != isBackedUp else { return }
        self.connections[slot].isBackedUp = isBackedUp
        if let player = self.connections[slot].player { self.setBehind(player, isBackedUp) }
        guard !isBackedUp else { return }
        self.resume(slot)
        guard self.connections[slot].id == id, self.connections[slot].missedQueueNews else { return }
        self.connections[slot].missedQueueNews = false
        if let player = self.connections[slot].player { self.tellQueueNews(to: player) }
    }

    /// Who has much to read yet is spared what others could cause without end.
    func isBackedUp(_ player: PlayerIndex) -> Bool {
        guard let id = self.players[player].connection, let slot = self.slot(of: id) else { return false }
        return self.connections[slot].isBackedUp
    }

    private mutating func hold(_ slot: Int, _ input: ArraySlice<UInt8>) {
        self.connections[slot].held.append(contentsOf: input)
        guard self.connections[slot].held.count > Limits.heldInputBytes, !self.connections[slot].isPaused
        else { return }
        self.connections[slot].isPaused = true
        self.outbox.outputs.append(.pauseReading(self.connections[slot].id))
    }

    /// Those who had more to ask than one turn answers go on: as many as one round has room for, in order.
    mutating func takeNextTurns() {
        let waiting = self.waitingForTurn
        let start = self.work
        self.waitingForTurn = []
        for (index, id) in waiting.enumerated() {
            guard self.work - start <= Limits.workPerRound else {
                self.waitingForTurn = waiting[index...] + self.waitingForTurn
                return
            }
            guard let slot = self.slot(of: id), self.connections[slot].waitsForTurn else { continue }
            self.connections[slot].waitsForTurn = false
            self.outbox.work += Self.workPerBeginning
            self.resume(slot, inTurn: true)
        }
    }

    /// Goes on with what was held, now that the answer is there or its turn has come.
    mutating func resume(_ slot: Int, inTurn: Bool = false) {
        guard !self.connections[slot].isClosing, !self.isStopping else { return }
        if !inTurn, !self.connections[slot].held.isEmpty { self.awaitTurnIfDue(slot) }
        guard !self.mustHold(slot) else { return }
        let id = self.connections[slot].id
        var input = self.connections[slot].held[...]
        self.connections[slot].held = []
        self.work(slot, &input)
        guard self.connections[slot].id == id, !self.connections[slot].isClosing, !self.mustHold(slot)
        else { return }
        if self.connections[slot].isPaused {
            self.connections[slot].isPaused = false
            self.outbox.outputs.append(.resumeReading(id))
        }
        self.closeIfAnswered(slot)
    }

    /// False when the input is used up; so for the two below.
    private mutating func workPreface(_ slot: Int, _ input: inout ArraySlice<UInt8>) -> Bool {
        do throws(ProtocolViolation) {
            try self.takePreface(slot, &input)
            return self.connections[slot].dialect == .binary
        } catch {
            return self.refuse(error, from: slot)
        }
    }

    private mutating func workFrame(_ slot: Int, _ input: inout ArraySlice<UInt8>) -> Bool {
        do throws(ProtocolViolation) {
            guard let message = try self.connections[slot].frames.next(in: &input) else { return false }
            self.connections[slot].lastMessage = self.now
            self.handle(message, from: slot)
            return true
        } catch {
            return self.refuse(error, from: slot)
        }
    }

    private mutating func workLine(_ slot: Int, _ input: inout ArraySlice<UInt8>) -> Bool {
        do throws(ProtocolViolation) {
            if self.connections[slot].lines == nil { self.connections[slot].lines = LineDecoder() }
            guard let text = try self.connections[slot].lines!.next(in: &input) else { return false }
            let id = self.connections[slot].id
            if text != .http { self.greet(slot) }
            switch text {
            case .message(let message):
                self.connections[slot].lastMessage = self.now
                self.handle(message, from: slot)
            case .command(let command):
                self.connections[slot].lastMessage = self.now
                self.handle(command, from: slot)
            case .violation(let violation): return self.refuse(violation, from: slot)
            case .reply(let bytes): self.sendBytes(bytes, to: id)
            case .http:
                self.close(
                    id, .violation, "this is a race server, not a web server: use nc or the catrace client")
            }
            return true
        } catch {
            self.greet(slot)
            return self.refuse(error, from: slot)
        }
    }

    /// True when the connection goes on.
    private mutating func refuse(_ violation: ProtocolViolation, from slot: Int) -> Bool {
        let id = self.connections[slot].id
        // One that closes is the last there is.
        guard violation.code.closesConnection || self.charge(.talk, slot, request: violation.request) else {
            return true
        }
        self.sendError(violation.code, violation.text, request: violation.request, to: id)
        guard violation.code.closesConnection else { return true }
        self.log(.info, "violation", [("connection", id.slot), ("code", violation.code.name)])
        self.close(id, .violation, violation.text)
        return false
    }
}
