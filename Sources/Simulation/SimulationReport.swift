package import RaceModel

/// What came of one seed.
package struct SimulationReport: Sendable {
    package let seed: UInt64
    package let people: Int
    /// Races that came to a result or were abandoned.
    package let races: Int
    /// Matches that were told of.
    package let matches: Int
    /// Races checked in full by a client: seal, order, dice, moves, result and digest.
    package let checks: Int
    /// How often the server died, and began anew with what was kept.
    package let crashes: Int
    /// What the server was given.
    package let inputs: Int
    /// What happened in all.
    package let events: Int
    /// How much time passed, there.
    package let virtual: Instant
    /// SHA-256 over everything every client received, and all outcomes.
    package let digest: Bytes32
    package let violations: [String]
}
