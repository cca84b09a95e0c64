import MatchRules
import RaceModel
import Testing

/// An exploration that finds nothing says something only if it would have found it.
@Suite struct PlantedFaultTests {
    private static let configuration = Configuration(
        name: "2 players, turns to 3",
        settings: RaceSettings(rule: .turns, draw: .highest, finish: 3), size: 2,
        followedOrder: [Seat(2), Seat(1)], expected: .init())

    @Test func `every planted fault is found by the invariant it breaks`() {
        for fault in PlantedFault.all {
            var explorer = Explorer(Self.configuration, step: fault.step)
            let found = explorer.run().violations.map(\.invariant)
            #expect(found.contains(fault.noticedBy), "\(fault): found by \(found)")
        }
    }

    @Test func `without a fault nothing is found`() {
        var explorer = Explorer(Self.configuration)
        #expect(explorer.run().violations.map(\.description) == [])
    }

    @Test func `a violation comes with the shortest way to it`() throws {
        let fault = try #require(PlantedFault.all.first)
        var explorer = Explorer(Self.configuration, step: fault.step)
        let trace = try #require(explorer.run().violations.first?.trace)
        #expect(
            trace == [.joined(Seat(1)), .joined(Seat(2)), .deadlinePassed, .deadlinePassed, .deadlinePassed],
            "two join; the times for names, numbers and the start pass, and the first turn begins")
    }
}
