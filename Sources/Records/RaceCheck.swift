import Fairness
import RaceModel
package import WireProtocol

/// Works out again, from the opened nonce, all that a race had of chance, and compares it with what was seen.
/// The formulas are those of the manual; nothing of the server's code is used but the hash.
package struct RaceCheck: Sendable {
    let witness: RaceWitness
    let over: GameOver
    let nonce: SealedNonce

    package init(witness: RaceWitness, over: GameOver) {
        self.witness = witness
        self.over = over
        self.nonce = SealedNonce(nonce: over.nonce)
    }

    package func report() -> RaceReport {
        RaceReport(
            lines: RaceReport.Subject.allCases.map { subject in
                RaceReport.Line(subject: subject, verdict: self.verdict(on: subject))
            })
    }

    private func verdict(on subject: RaceReport.Subject) -> RaceReport.Verdict {
        // The seal needs nothing else; all others need the whole race.
        if subject != .seal, let gap = self.witness.gap { return .notPossible(gap) }
        return switch subject {
        case .seal: self.seal()
        case .drawnNumbers: self.drawnNumbers()
        case .order: self.order()
        case .dice: self.dice()
        case .moves: self.moves()
        case .result: self.result()
        case .digest: self.digest()
        }
    }

    // MARK: One subject each

    private func seal() -> RaceReport.Verdict {
        self.nonce.seal == self.witness.found.seal
            ? .passed("the nonce's SHA-256 is the seal")
            : .failed("the nonce opened is not the one that was sealed")
    }

    private func drawnNumbers() -> RaceReport.Verdict {
        var count = 0
        for revealed in self.witness.numbers where revealed.drawnByServer {
            count += 1
            guard self.nonce.drawnNumber(round: revealed.round, seat: revealed.seat) == revealed.number else {
                return .failed(
                    "the server's number for \(self.name(revealed.seat)) in round \(revealed.round)")
            }
        }
        return .passed(count == 0 ? "the server drew none" : "\(count) drawn by the server")
    }

    private func order() -> RaceReport.Verdict {
        switch DrawReplay(self.witness.found, self.nonce).order(from: self.witness.numbers) {
        case .failure(let fault): return .failed(fault.text)
        case .success(let order):
            guard order == self.witness.order else {
                let names = order.map(self.name).joined(separator: ", ")
                return .failed("by the numbers it is \(names)")
            }
            return .passed("\(order.count) places by \(self.witness.numbers.count) numbers")
        }
    }

    private func dice() -> RaceReport.Verdict {
        var dice = self.nonce.dice(for: self.witness)
        var count = 0
        for case .moved(let moved) in self.witness.events {
            count += 1
            let due = self.witness.found.settings.rule == .turns ? dice.roll() : 1
            guard moved.steps == due else {
                let place = moved.turn > 0 ? "turn \(moved.turn)" : "move \(count)"
                return .failed("\(place) went \(moved.steps) fields, and it had to be \(due)")
            }
        }
        return .passed(
            self.witness.found.settings.rule == .turns ? "\(count) rolls" : "\(count) steps, no dice")
    }

    /// The race again up to its end, or what went wrong in it.
    private func replayed() -> Result<RaceReplay, RaceReplay.Fault> {
        guard var replay = RaceReplay(self.witness.found, order: self.witness.order) else {
            return .failure(RaceReplay.Fault(text: "the order of play was never told"))
        }
        for event in self.witness.events {
            do throws(RaceReplay.Fault) {
                try replay.take(event)
            } catch {
                return .failure(RaceReplay.Fault(text: "\(error.text) (event \(event.sequence))"))
            }
        }
        return .success(replay)
    }

    private func moves() -> RaceReport.Verdict {
        switch self.replayed() {
        case .failure(let fault): .failed(fault.text)
        case .success: .passed("\(self.witness.events.count) events by the rules")
        }
    }

    private func result() -> RaceReport.Verdict {
        guard case .success(let replay) = self.replayed() else { return .notPossible("the moves do not fit") }
        do throws(RaceReplay.Fault) {
            try replay.end(self.over)
        } catch {
            return .failed(error.text)
        }
        let winner = self.over.outcome.winner
        return replay.standings(winner: winner) == self.over.standings
            ? .passed(winner.map { "player \($0.value) has won" } ?? "no winner")
            : .failed("the places are not in order")
    }

    private func digest() -> RaceReport.Verdict {
        let text = self.witness.digestedText(before: self.over)
        return Digest.sha256(text) == self.over.digest
            ? .passed("of \(text.count) bytes of record")
            : .failed("the record seen here has another digest than the server's")
    }

    private func name(_ seat: Seat) -> String {
        self.witness.found.seats.first { $0.seat == seat }?.alias.text ?? "seat \(seat.value)"
    }
}

extension RaceWitness {
    /// The race without its end.
    var record: RaceRecord {
        var record = RaceRecord(found: self.found)
        for revealed in self.numbers { record.append(.randomNumber(revealed)) }
        record.append(.playerOrder(self.order))
        for event in self.events { record.append(event.message) }
        return record
    }

    /// What the digest of the race is of, if it ended so.
    func digestedText(before over: GameOver) -> [UInt8] {
        var record = self.record
        record.end(over.sequence, over.outcome)
        return record.text
    }
}

extension SealedNonce {
    /// Their key takes the last number of each seat.
    func dice(for witness: RaceWitness) -> DiceStream {
        var final = [UInt32](repeating: 0, count: witness.found.seats.count)
        for revealed in witness.numbers where final.indices.contains(revealed.seat.index) {
            final[revealed.seat.index] = revealed.number
        }
        return self.dice(numbers: final)
    }
}
