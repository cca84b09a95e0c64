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
        case .moves: RaceReplay(self.witness).moves
        case .result: RaceReplay(self.witness).result(self.over)
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
        var final = [UInt32](repeating: 0, count: self.witness.found.seats.count)
        for revealed in self.witness.numbers where final.indices.contains(revealed.seat.index) {
            final[revealed.seat.index] = revealed.number
        }
        var dice = self.nonce.dice(numbers: final)
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

    private func digest() -> RaceReport.Verdict {
        var record = RaceRecord(found: self.witness.found)
        for revealed in self.witness.numbers { record.append(.randomNumber(revealed)) }
        record.append(.playerOrder(self.witness.order))
        for event in self.witness.events { record.append(event.message) }
        return Digest.sha256(record.text) == self.over.digest
            ? .passed("of \(record.text.count) bytes of record")
            : .failed("the record seen here has another digest than the server's")
    }

    private func name(_ seat: Seat) -> String {
        self.witness.found.seats.first { $0.seat == seat }?.alias.text ?? "seat \(seat.value)"
    }
}
