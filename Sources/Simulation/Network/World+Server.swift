import RaceModel
import ServerCore

/// The server's inputs and outputs.
extension World {
    /// More than all connections together could want.
    private static let mostTurns = 1000

    mutating func feed(_ input: Input) {
        var outbox = Outbox()
        swap(&outbox, &self.outbox)
        outbox.clear()
        self.server.handle(input, now: self.now, into: &outbox)
        self.inputs += 1
        for output in outbox.outputs { self.carryOut(output, outbox) }
        for errand in outbox.errands { self.run(errand) }
        swap(&outbox, &self.outbox)
        self.planServerDeadline()
    }

    mutating func planServerDeadline() {
        guard let next = self.server.nextDeadline else { return }
        if let planned = self.serverDeadline, planned <= next { return }
        let due = max(next, self.now) + self.chance.milliseconds(self.weather.lateness)
        if let planned = self.serverDeadline, planned <= due { return }
        self.serverDeadline = due
        self.queue.plan(.serverDeadline, at: due)
    }

    mutating func passServerDeadline(planned due: Instant) {
        guard self.serverDeadline == due else { return }
        self.serverDeadline = nil
        self.feed(.deadlinePassed)
        guard let next = self.server.nextDeadline, next <= self.now else {
            self.turnsInARow = 0
            return
        }
        // Who asks a lot at once is answered in turns, one upon the other.
        self.turnsInARow += 1
        if self.turnsInARow > Self.mostTurns {
            self.referee.report("the server's next deadline is past, and stays so")
            self.isStuck = true
        }
    }

    private mutating func carryOut(_ output: Output, _ outbox: Outbox) {
        switch output {
        case .send(let id, let range):
            guard let slot = self.slot(of: id), !self.links[slot]!.isClientGone else { return }
            if self.links[slot]!.isServerClosing {
                self.referee.report("the server sent to a connection it had closed")
            }
            if self.links[slot]!.holds > 0 {
                self.links[slot]!.held.write(outbox.bytes[range])
            } else {
                self.links[slot]!.toClient.write(outbox.bytes[range])
                self.planToClient(slot)
            }
            if self.links[slot]!.toClient.count + self.links[slot]!.held.count > self.weather.unreadBytes {
                self.note("slow reader \(id.slot).\(id.generation)")
                self.planLoss(slot, .slowReader, within: 0...1)
                self.queue.plan(.hangUp(id), at: self.now)
            }
        case .close(let id):
            guard let slot = self.slot(of: id) else { return }
            self.links[slot]!.isServerClosing = true
            self.links[slot]!.toServer.discard()
            // A close waits for the output before it, and that for its release.
            if self.links[slot]!.held.count == 0 { self.finishClosing(slot) }
        case .abort(let id):
            guard let slot = self.slot(of: id) else { return }
            self.links[slot]!.isServerClosing = true
            self.links[slot]!.toServer.discard()
            self.planLoss(slot, .closed, within: 0...1)
            self.queue.plan(.hangUp(id), at: self.now)
        case .pauseReading(let id):
            if let slot = self.slot(of: id) { self.links[slot]!.isPaused = true }
        case .resumeReading(let id):
            if let slot = self.slot(of: id) {
                self.links[slot]!.isPaused = false
                self.planToServer(slot)
            }
        case .hold(let id):
            if let slot = self.slot(of: id) { self.links[slot]!.holds += 1 }
        case .release(let id):
            if let slot = self.slot(of: id) { self.release(slot) }
        case .sendAhead(let id, let range):
            guard let slot = self.slot(of: id), !self.links[slot]!.isClientGone else { return }
            self.links[slot]!.toClient.write(outbox.bytes[range])
            self.planToClient(slot)
        }
    }

    private mutating func run(_ errand: Errand) {
        switch errand {
        case .directory(let lookUp, let request): self.ask(lookUp, request)
        case .results(let lookUp, let request): self.ask(lookUp, request)
        case .operated, .bans: self.referee.report("the server answers an operator there is not")
        case .ended:
            self.queue.plan(
                .rebirth(life: self.life), at: self.now + self.chance.milliseconds(0...3000))
        case .log(let line):
            // An end in order loses no race.
            let isLoss = { (key: String) in line.fields.contains { $0.key == key && $0.value != "0" } }
            if line.event == "matches-saved", isLoss("lost"), !self.losesRaces {
                self.referee.report("a race is not saved")
            }
            if line.event == "matches-restored", isLoss("left-out") {
                self.referee.report("a race that was saved does not go on")
            }
            self.note(
                "log \(line.event) \(line.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " "))")
        }
    }

    private mutating func release(_ slot: Int) {
        guard self.links[slot]!.holds > 0 else {
            return self.referee.report("the server released output that was not held")
        }
        self.links[slot]!.holds -= 1
        guard self.links[slot]!.holds == 0, self.links[slot]!.held.count > 0 else { return }
        self.links[slot]!.letGo()
        self.planToClient(slot)
        if self.links[slot]!.isServerClosing { self.finishClosing(slot) }
    }

    private mutating func finishClosing(_ slot: Int) {
        self.planLoss(slot, .closed, within: self.weather.latency)
        self.planToClient(slot)
    }
}
