import MatchRules
import RaceModel

/// `Protocol/states.md`, drawn from what the explorations saw.
struct StatesDocument {
    private let turns: Observations
    private let dash: Observations
    private let all: Observations

    init(_ explorations: [Exploration]) {
        func merged(_ rules: [RaceSettings.Rule]) -> Observations {
            var observations = Observations()
            for exploration in explorations where rules.contains(exploration.configuration.settings.rule) {
                observations.merge(exploration.report.observations)
            }
            return observations
        }
        self.turns = merged([.turns])
        self.dash = merged([.dash])
        self.all = merged(RaceSettings.Rule.allCases)
    }

    var text: String {
        let parts = [
            self.introduction, self.diagram, self.overview,
            self.section(
                "Waiting for match", .waitingForMatch, self.all, .waitingForMatch),
            self.section(
                "Waiting for random number", .waitingForRandomNumber, self.all, .waitingForRandomNumber),
            self.section("Waiting for start", .waitingForStart, self.all, .waitingForStart),
            self.section("Active, rule `turns`", .active, self.turns, .turns),
            self.section("Active, rule `dash`", .active, self.dash, .dash),
            self.section("Done", .done, self.all, .done),
            self.refusals,
        ]
        return parts.joined(separator: "\n\n") + "\n"
    }

    private var introduction: String {
        """
        # The states of a match

        A match is in one of five states. Each waits for something, has a clock, and does something by \
        name when the clock runs out, so that the clocks alone bring every match to its end. `why` tells \
        anyone in a match whom it waits for, until when, and what happens then.

        A connection that drops is not leaving: in every state the seat is held for \
        \(Deadlines().grace.seconds) s. What is refused leaves the match as it was. A match that is done \
        can be *closed* as well: then nothing more can come of it, and its players are free.

        This page is drawn by a test, from a search through every state that two and three players can \
        reach on a short track. Don't edit it: change the rules or the test's notes, and run \
        `CATRACE_WRITE_STATES=1 swift test --filter StatesDocument`.
        """
    }

    private var diagram: String {
        var lines = ["## As a picture", "", "```mermaid", "stateDiagram-v2"]
        for state in StateName.allCases {
            lines.append("    state \"\(state.plain)\" as \(state.identifier)")
        }
        lines.append("    [*] --> \(StateName.waitingForMatch.identifier)")
        for state in StateName.allCases {
            for next in StateName.allCases where next != state {
                let events = self.events(from: state) {
                    $0.next.contains(next) || (next == .done && $0.closes)
                }
                if events.isEmpty { continue }
                lines.append("    \(state.identifier) --> \(next.identifier): \(events)")
            }
        }
        lines.append("    \(StateName.done.identifier) --> [*]: \(self.events(from: .done) { $0.closes })")
        return (lines + ["```"]).joined(separator: "\n")
    }

    private func events(from state: StateName, where leads: (Observations.Cell) -> Bool) -> String {
        EventName.inOrder.filter { leads(self.all[state, $0]) }
            .map { $0.plain.filter { $0 != "`" } }.joined(separator: ", ")
    }

    private var overview: String {
        var lines = [
            "## As a table", "",
            "Where each event can lead. What cannot count in a state is refused there with `wrong-state`.",
            "", "| event | " + StateName.allCases.map(\.plain).joined(separator: " | ") + " |",
            "|---" + String(repeating: "|---", count: StateName.allCases.count) + "|",
        ]
        for event in EventName.inOrder {
            let cells = StateName.allCases.map { state in
                let cell = self.all[state, event]
                return cell.isAccepted ? Self.destinations(of: cell, from: state) : "refused"
            }
            lines.append("| \(event.plain) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func destinations(of cell: Observations.Cell, from state: StateName) -> String {
        var words = cell.next.map { $0 == state ? "stays" : "→ " + $0.plain }
        if cell.closes { words.append(state == .done ? "→ closed" : "→ done, closed") }
        return words.joined(separator: "; ")
    }

    private func section(
        _ title: String, _ state: StateName, _ observations: Observations, _ notes: StateNotes
    ) -> String {
        var lines = [
            "## \(title)", "",
            "- **Waits for** \(notes.waitsFor)",
            "- **Clock:** \(Self.clock(observations.clocks[state.rawValue]))",
            "- **At fault:** \(notes.atFault)",
            "- **When the clock runs out:** \(notes.atDeadline)",
            "- **When a connection drops:** \(notes.onDrop)",
            "- **When somebody leaves:** \(notes.onLeave)",
            "- **When somebody returns:** \(notes.onReturn)",
            "", "| event | can lead to | can be told | can be refused |", "|---|---|---|---|",
        ]
        for event in EventName.inOrder where observations[state, event].isAccepted {
            let cell = observations[state, event]
            let told = cell.told.map(\.plain).joined(separator: ", ")
            let refused = cell.refused.map(\.plain).joined(separator: ", ")
            lines.append(
                "| \(event.plain) | \(Self.destinations(of: cell, from: state)) "
                    + "| \(told.isEmpty ? "–" : told) | \(refused.isEmpty ? "–" : refused) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func clock(_ clocks: Set<Match.Clock>) -> String {
        let deadlines = Deadlines()
        return Match.Clock.allCases.filter(clocks.contains).map { clock in
            switch clock {
            case .aliasLookUp: "\(deadlines.aliasLookUp.seconds) s from the first player who joins."
            case .number: "\(deadlines.number.seconds) s a round."
            case .start: "\(deadlines.start.seconds) s."
            case .turn: "\(deadlines.turn.seconds) s a turn."
            case .idle: "\(deadlines.idle.seconds) s from the last move of anyone."
            case .rematch: "\(deadlines.rematch.seconds) s."
            }
        }.joined(separator: " ")
    }

    private var refusals: String {
        let seen = Refusal.allCases.filter { refusal in
            StateName.allCases.contains { state in
                EventName.allCases.contains { self.all[state, $0].refused.contains(refusal) }
            }
        }
        let lines = seen.map { "| \($0.plain) | \($0.meaning) |" }
        return (["## Refusals", "", "| refusal | meaning |", "|---|---|"] + lines).joined(separator: "\n")
    }
}
