/// What could be checked of a race once its nonce was opened, in plain words.
package struct RaceReport: Hashable, Sendable {
    package enum Subject: Hashable, Sendable, CaseIterable {
        /// The nonce is the one that was sealed before the draw.
        case seal
        /// Numbers the server drew follow from the nonce.
        case drawnNumbers
        /// The order of play follows from the numbers.
        case order
        /// Each roll follows from the nonce and the numbers.
        case dice
        /// Each move was its player's to make, and led where it says.
        case moves
        /// Who won, why, and how all others stand.
        case result
        /// The record of the race is the one whose digest the server gave.
        case digest

        package var name: String {
            switch self {
            case .seal: "seal"
            case .drawnNumbers: "drawn numbers"
            case .order: "order"
            case .dice: "dice"
            case .moves: "moves"
            case .result: "result"
            case .digest: "digest"
            }
        }
    }

    package enum Verdict: Hashable, Sendable {
        /// With what was compared.
        case passed(String)
        /// With where it went wrong.
        case failed(String)
        /// With why nothing can be said.
        case notPossible(String)
    }

    package struct Line: Hashable, Sendable {
        package var subject: Subject
        package var verdict: Verdict
        package init(subject: Subject, verdict: Verdict) {
            self.subject = subject
            self.verdict = verdict
        }
    }

    /// One for each subject, in their order.
    package var lines: [Line]

    package init(lines: [Line]) { self.lines = lines }

    package var hasFailed: Bool {
        self.lines.contains { line in
            if case .failed = line.verdict { true } else { false }
        }
    }

    package func verdict(on subject: Subject) -> Verdict? {
        self.lines.first { $0.subject == subject }?.verdict
    }

    /// One sentence: `checked: seal, order, …` or the first thing that is wrong.
    package var summary: String {
        var passed: [String] = []
        var open: [String] = []
        for line in self.lines {
            switch line.verdict {
            case .passed: passed.append(line.subject.name)
            case .notPossible: open.append(line.subject.name)
            case .failed(let why): return "NOT FAIR: the \(line.subject.name) does not fit: \(why)"
            }
        }
        var text = passed.isEmpty ? "nothing could be checked" : "checked: \(passed.joined(separator: ", "))"
        if !open.isEmpty, !passed.isEmpty {
            text += "; could not be checked: \(open.joined(separator: ", "))"
        }
        return text
    }
}
