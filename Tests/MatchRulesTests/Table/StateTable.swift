import MatchRules
import Testing

/// A match as it stands, and what each event does to it.
struct Scene {
    /// What is told, and the state behind it.
    struct Row {
        let event: Match.Event
        let state: StateName?
        let effects: [Match.Effect]

        /// The event counts. Nil: the state stays.
        static func row(_ event: Match.Event, to state: StateName? = nil, _ effects: [Match.Effect]) -> Row {
            Row(event: event, state: state, effects: effects)
        }

        /// The event does not count.
        static func refused(_ event: Match.Event, _ refusal: Refusal) -> Row {
            Row(event: event, state: nil, effects: [.refused(refusal)])
        }
    }

    let name: String
    let bench: Bench
    let rows: [Row]

    init(_ name: String, _ bench: Bench, _ rows: [Row]) {
        self.name = name
        self.bench = bench
        self.rows = rows
    }
}

/// Goal: the rules of the game, to be read; every (state, event) pair with what it does, in scenes that tell
/// the cases apart. Method: each row starts from its scene anew; effects are compared whole and in order, and
/// what is refused must leave the match equal.
@Suite struct StateTable {
    static let scenes: [[Scene]] = [
        Self.waitingForMatch, Self.waitingForRandomNumber, Self.waitingForStart, Self.activeTurns,
        Self.activeDash,
        Self.done,
    ]

    @Test func `every event does in every state what the table says`() {
        for scene in Self.scenes.joined() {
            for row in scene.rows {
                var bench = scene.bench
                let effects = bench.apply(row.event)
                #expect(effects == row.effects, "\(scene.name): \(row.event)")
                let state = row.state ?? scene.bench.match.stateName
                #expect(bench.match.stateName == state, "\(scene.name): \(row.event)")
                if case .refused? = row.effects.first {
                    #expect(bench.match == scene.bench.match, "\(scene.name): \(row.event) changed the match")
                } else {
                    #expect(bench.match != scene.bench.match, "\(scene.name): \(row.event) changed nothing")
                }
            }
        }
    }

    @Test func `the table has every event in every scene`() {
        for scene in Self.scenes.joined() {
            let missing = Set(EventName.allCases).subtracting(scene.rows.map(\.event.name))
            #expect(missing.isEmpty, "\(scene.name)")
        }
        #expect(Set(Self.scenes.joined().map(\.bench.match.stateName)) == Set(StateName.allCases))
    }

    @Test func `the table shows every refusal`() {
        var shown = Set<Refusal>()
        for row in Self.scenes.joined().flatMap(\.rows) {
            if case .refused(let refusal)? = row.effects.first { shown.insert(refusal) }
        }
        #expect(shown == Set(Refusal.allCases))
    }
}
