import Fairness
import RaceModel
import WireProtocol

/// Checks the record of a race line by line, as its text has them. It uses nothing of the server's code but the
/// hash: a server can't make a record that fits by being wrong twice.
package struct RecordCheck: Sendable {
    /// What was found about one line.
    package struct Finding: Hashable, Sendable {
        /// From 1.
        package var line: Int
        /// What was checked, or, behind `fits` false, what is wrong and what would be right.
        package var text: String
        package var fits: Bool
    }

    /// The record as its file has it, without line ends.
    package let lines: [String]
    let witness: RaceWitness
    let over: GameOver
    let nonce: SealedNonce
    private let digest: Bytes32

    package init(_ record: MatchRecord) {
        self.witness = RaceWitness(record)
        self.over = record.over
        self.nonce = SealedNonce(nonce: record.over.nonce)
        self.digest = Digest.sha256(self.witness.digestedText(before: record.over))
        var text = self.witness.record.text
        let names = RosterNames(
            aliases: record.found.seats.map(\.alias), order: record.order,
            finish: record.found.settings.finish)
        LineEncoder.append(.gameOver(record.over), names: names, to: &text)
        self.lines = text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What does not fit first; nil when all fits.
    package var fault: Finding? { self.findings().last { !$0.fits } }

    /// A finding for each line, up to the first one that does not fit.
    package func findings() -> [Finding] {
        if let gap = self.witness.gap { return [Finding(line: 1, text: gap, fits: false)] }
        var walk = Walk(check: self)
        do throws(Finding) {
            try self.checkSeal(&walk)
            for entry in self.witness.found.seats { walk.pass(self.words(for: entry)) }
            try self.checkDraw(&walk)
            try self.checkRace(&walk)
        } catch {
            walk.findings.append(error)
        }
        return walk.findings
    }

    /// Whether the lines are those the server had; otherwise somebody changed them later.
    var hasDigest: Bool { self.digest == self.over.digest }

    /// The line of `over`.
    var overLine: Int { self.lines.count - self.over.standings.count }

    private func words(for entry: SeatEntry) -> String {
        let who = entry.player.value == 0 ? "a computer opponent" : "player id \(entry.player.value)"
        return "seat \(entry.seat.value) is \(entry.alias), \(who)"
    }

    func name(_ seat: Seat) -> String {
        self.witness.found.seats.first { $0.seat == seat }?.alias.text ?? "seat \(seat.value)"
    }

    func name(_ player: PlayerNumber) -> String {
        self.witness.order.indices.contains(player.index)
            ? self.name(self.witness.order[player.index]) : "player \(player.value)"
    }

    // MARK: Chance

    private func checkSeal(_ walk: inout Walk) throws(Finding) {
        let settings = self.witness.found.settings
        guard self.nonce.seal == self.witness.found.seal else {
            // The digest is of the seal too, and not of the nonce.
            guard self.hasDigest else {
                var due: [UInt8] = []
                Hex.append(self.nonce.seal, to: &due)
                throw walk.fault(
                    "the nonce of line \(self.overLine) has the seal \(String(decoding: due, as: UTF8.self)); "
                        + "this seal or that nonce was changed")
            }
            walk.line = self.overLine
            throw walk.fault(
                "the nonce is not the one that was sealed: its SHA-256 is not the seal of line 1")
        }
        walk.pass(
            "match \(self.witness.found.match.value), \(settings.rule.name) to \(settings.finish); "
                + "the seal is that of the nonce in line \(self.overLine)")
    }

    private func checkDraw(_ walk: inout Walk) throws(Finding) {
        let replayed = DrawReplay(self.witness.found, self.nonce).order(from: self.witness.numbers)
        for (index, revealed) in self.witness.numbers.enumerated() {
            if case .failure(let fault) = replayed, fault.index == index { throw walk.fault(fault.text) }
            try self.check(revealed, &walk)
        }
        let order: [Seat]
        switch replayed {
        case .failure(let fault): throw walk.fault(fault.text)
        case .success(let due): order = due
        }
        let names = order.map(self.name).joined(separator: ", ")
        guard order == self.witness.order else { throw walk.fault("by the numbers the order is \(names)") }
        walk.pass("by the numbers the order is \(names)")
    }

    private func check(_ revealed: RevealedNumber, _ walk: inout Walk) throws(Finding) {
        var words = "round \(revealed.round): \(self.name(revealed.seat)) sent it"
        if revealed.drawnByServer {
            let due = self.nonce.drawnNumber(round: revealed.round, seat: revealed.seat)
            guard revealed.number == due else {
                throw walk.fault(
                    "the server's number for \(self.name(revealed.seat)) in round \(revealed.round) is \(due) "
                        + "by the nonce, not \(revealed.number)")
            }
            words = "round \(revealed.round): drawn for \(self.name(revealed.seat)) from the nonce"
        }
        if self.witness.found.settings.draw == .sealed {
            let rank = self.nonce.rank(
                of: revealed.number, round: revealed.round, seat: revealed.seat, draw: .sealed)
            words += "; behind its mask it counts for \(rank)"
        }
        walk.pass(words)
    }

    // MARK: The race

    private func checkRace(_ walk: inout Walk) throws(Finding) {
        guard var replay = RaceReplay(self.witness.found, order: self.witness.order) else {
            throw walk.fault("the order names a seat that nobody has")
        }
        var dice = self.nonce.dice(for: self.witness)
        for event in self.witness.events {
            do throws(RaceReplay.Fault) {
                try replay.take(event)
            } catch {
                throw walk.fault(error.text)
            }
            if case .moved(let moved) = event {
                let due = self.witness.found.settings.rule == .turns ? dice.roll() : 1
                guard moved.steps == due else {
                    throw walk.fault(self.wrongSteps(moved, due))
                }
            }
            walk.pass(self.words(for: event))
        }
        do throws(RaceReplay.Fault) {
            try replay.end(self.over)
        } catch {
            throw walk.fault(error.text)
        }
        guard self.hasDigest else {
            throw walk.fault(
                "the digest is another than that of all before the nonce: something there was changed, "
                    + "or the digest")
        }
        walk.pass("\(self.ending); the digest is that of all before the nonce")
        let due = replay.standings(winner: self.over.outcome.winner)
        for (standing, place) in zip(due, self.over.standings) {
            let words =
                "place \(standing.rank) is \(self.name(standing.player))'s, on field \(standing.position)"
            guard standing == place else { throw walk.fault(words) }
            walk.pass(words)
        }
        guard due.count == self.over.standings.count else {
            throw walk.fault("there are \(due.count) places, one a player")
        }
    }

    private func wrongSteps(_ moved: Moved, _ due: UInt8) -> String {
        self.witness.found.settings.rule == .turns
            ? "the roll of turn \(moved.turn) is \(due) by the nonce and the numbers, not \(moved.steps)"
            : "in a dash each move is one step, not \(moved.steps)"
    }

    private func words(for event: RaceWitness.Event) -> String {
        switch event {
        case .forfeited(let forfeited):
            let name = self.name(forfeited.player)
            return switch forfeited.reason {
            case .left: "\(name) left"
            case .missedTurns: "\(name) missed a second turn in a row, and is out"
            case .gone: "\(name) did not come back, and is out"
            }
        case .moved(let moved):
            let name = self.name(moved.player)
            guard self.witness.found.settings.rule == .turns else {
                return "\(name) goes a step, to field \(moved.position)"
            }
            let who =
                moved.automatic ? "the server rolls for \(name), who missed this turn only:" : "\(name) rolls"
            return "turn \(moved.turn): \(who) \(moved.steps) by the dice, to field \(moved.position)"
        }
    }

    private var ending: String {
        let name = self.over.outcome.winner.map(self.name) ?? "nobody"
        return switch self.over.outcome.reason {
        case .finish: "\(name) has won: the first at the finish"
        case .forfeit: "\(name) has won: all others are out"
        case .idle: "\(name) has won: in front when nobody moved any more"
        case .noMoves: "nobody has won: there were no moves"
        case .abandoned: "nobody has won: nobody was left"
        }
    }
}

extension RecordCheck.Finding: Error {}

extension RecordCheck {
    /// Where the check has got to.
    private struct Walk {
        let check: RecordCheck
        var line = 1
        var findings: [Finding] = []

        init(check: RecordCheck) { self.check = check }

        mutating func pass(_ text: String) {
            self.findings.append(Finding(line: self.line, text: text, fits: true))
            self.line += 1
        }

        /// Whose doing it is can be told by the digest, which the server gave when the race was over.
        func fault(_ text: String) -> Finding {
            let isBeforeEnd = self.line < self.check.overLine
            let whose =
                self.check.hasDigest
                ? "; the digest fits: the server itself told it so"
                : "; the digest does not fit either: the lines are not those of the server"
            return Finding(line: self.line, text: text + (isBeforeEnd ? whose : ""), fits: false)
        }
    }
}
