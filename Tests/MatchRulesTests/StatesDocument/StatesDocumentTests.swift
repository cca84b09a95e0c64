import Foundation
import MatchRules
import Testing

@Suite struct StatesDocumentTests {
    private static var file: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Protocol/states.md")
    }

    @Test func `Protocol/states.md says what the exploration saw`() throws {
        let drawn = StatesDocument(Exploration.small).text
        if ProcessInfo.processInfo.environment["CATRACE_WRITE_STATES"] == "1" {
            try drawn.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let written = try String(contentsOf: Self.file, encoding: .utf8)
        let difference = zip(
            written.split(separator: "\n", omittingEmptySubsequences: false),
            drawn.split(separator: "\n", omittingEmptySubsequences: false)
        ).first { $0 != $1 }
        #expect(
            written == drawn,
            """
            first difference: \(String(describing: difference)); \
            CATRACE_WRITE_STATES=1 swift test --filter StatesDocument writes it again
            """)
    }

    @Test func `the exploration meets every refusal and every event`() {
        var observations = Observations()
        for exploration in Exploration.small { observations.merge(exploration.report.observations) }
        var refusals = Set<Refusal>()
        for state in StateName.allCases {
            for event in EventName.allCases {
                let cell = observations[state, event]
                refusals.formUnion(cell.refused)
                #expect(cell.isAccepted || !cell.refused.isEmpty, "\(event) in \(state)")
            }
        }
        #expect(refusals == Set(Refusal.allCases))
    }
}
