/// Somebody at the text dialect, by the alias they have there.
struct Racer {
    let speaker: Speaker
    let alias: String

    /// Registers the alias.
    init(_ alias: String, _ speaker: Speaker) async throws {
        self.init(named: alias, speaker)
        try await speaker.register(alias)
    }

    /// Is that player already.
    init(named alias: String, _ speaker: Speaker) {
        self.speaker = speaker
        self.alias = alias
    }

    var lines: Lines { self.speaker.lines }
    func say(_ line: String) { self.speaker.say(line) }
    /// Several lines as one piece.
    func say(together lines: String...) {
        self.speaker.send(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// What one who wants to win does about a line: moves in turn, and in a dash after each of its steps.
    func answer(_ line: String, isDash: Bool) {
        switch line.prefix(while: { $0 != " " }) {
        case "begin": if isDash { self.say("move") }
        case "moved": if isDash, value("alias", in: line) == self.alias { self.say("move") }
        case "turn":
            if value("alias", in: line) == self.alias { self.say("move \(value("turn", in: line) ?? "")") }
        default: break
        }
    }
}

extension Speaker {
    /// Says who it is. Returns its key.
    @discardableResult
    func register(_ alias: String) async throws -> String {
        self.say("name \(alias)")
        return value("key", in: try await self.lines.wait(for: "welcome ")) ?? ""
    }
}

/// Plays until each of them is told that the race is over.
///
/// - Returns: each one's `over` line.
@discardableResult
func race(_ racers: [Racer], isDash: Bool = false, within seconds: Double = Lines.patience) async throws
    -> [String]
{
    var overs = [String?](repeating: nil, count: racers.count)
    let end = elapsed() + seconds
    while overs.contains(nil) {
        for (index, racer) in racers.enumerated() where overs[index] == nil {
            while overs[index] == nil, let line = racer.lines.nextNow() {
                if line.hasPrefix("over ") { overs[index] = line } else { racer.answer(line, isDash: isDash) }
            }
            guard elapsed() < end, overs[index] != nil || !racer.lines.hasEnded else {
                throw Lines.Missing(
                    description: "the end of the race for \(racer.alias):\n"
                        + racer.lines.all.suffix(25).joined(separator: "\n"))
            }
        }
        try await Task.sleep(for: .milliseconds(3))
    }
    return overs.compactMap { $0 }
}
