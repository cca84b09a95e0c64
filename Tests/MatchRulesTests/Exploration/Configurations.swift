import RaceModel

extension Configuration {
    private static let secondFirst = [Seat(2), Seat(1)]
    private static let rotated = [Seat(2), Seat(3), Seat(1)]
    /// The order that distinct numbers give.
    private static func reversed(_ size: Int) -> [Seat] { (0..<size).reversed().map { Seat(index: $0) } }

    /// Explored on every run.
    static let small: [Configuration] = [
        Configuration(
            name: "2 players, turns to 4, both orders, with a stranger",
            settings: RaceSettings(rule: .turns, draw: .highest, finish: 4), size: 2, hasStranger: true,
            expected: Counts(states: 1457, edges: 12_810, refusals: 49_587, depth: 14, deadlines: 11)),
        Configuration(
            name: "2 players, turns to 3, sealed draw",
            settings: RaceSettings(rule: .turns, draw: .sealed, finish: 3), size: 2,
            followedOrder: Self.secondFirst,
            expected: Counts(states: 859, edges: 10_264, refusals: 17_399, depth: 14, deadlines: 11)),
        Configuration(
            name: "2 players, dash to 2, both orders, with a stranger",
            settings: RaceSettings(rule: .dash, draw: .highest, finish: 2), size: 2, hasStranger: true,
            expected: Counts(states: 722, edges: 5550, refusals: 23_991, depth: 11, deadlines: 8)),
        Configuration(
            name: "3 players, turns to 2",
            settings: RaceSettings(rule: .turns, draw: .highest, finish: 2), size: 3,
            followedOrder: Self.rotated,
            expected: Counts(states: 13_299, edges: 155_014, refusals: 409_801, depth: 19, deadlines: 14)),
        Configuration(
            name: "3 players, dash to 2, no ties",
            settings: RaceSettings(rule: .dash, draw: .highest, finish: 2), size: 3, tiedRounds: 0,
            followedOrder: Self.reversed(3),
            expected: Counts(states: 3503, edges: 33_494, refusals: 97_638, depth: 13, deadlines: 7)),
    ]

    /// Explored when `CATRACE_EXPLORE` is `full`. The first two are the real game of two, whole.
    static let large: [Configuration] = [
        Configuration(
            name: "2 players, turns to 25, die of six",
            settings: RaceSettings(rule: .turns, draw: .highest, finish: 25), size: 2, faces: 6,
            followedOrder: Self.secondFirst,
            expected: Counts(states: 25_467, edges: 507_112, refusals: 541_011, depth: 18, deadlines: 11)),
        Configuration(
            name: "2 players, dash to 25, sealed draw, with a stranger",
            settings: RaceSettings(rule: .dash, draw: .sealed, finish: 25), size: 2, hasStranger: true,
            expected: Counts(states: 8466, edges: 62_790, refusals: 256_367, depth: 55, deadlines: 8)),
        Configuration(
            name: "3 players, turns to 4, die of three",
            settings: RaceSettings(rule: .turns, draw: .highest, finish: 4), size: 3, faces: 3,
            followedOrder: Self.rotated,
            expected: Counts(states: 44_435, edges: 589_566, refusals: 1_447_209, depth: 20, deadlines: 14)),
        Configuration(
            name: "3 players, dash to 4, all orders, sealed draw",
            settings: RaceSettings(rule: .dash, draw: .sealed, finish: 4), size: 3,
            expected: Counts(states: 50_270, edges: 616_900, refusals: 1_459_307, depth: 20, deadlines: 9)),
        Configuration(
            name: "4 players, turns to 2, no ties",
            settings: RaceSettings(rule: .turns, draw: .highest, finish: 2), size: 4, tiedRounds: 0,
            followedOrder: Self.reversed(4),
            expected: Counts(states: 34_299, edges: 474_398, refusals: 1_308_181, depth: 23, deadlines: 15)),
        Configuration(
            name: "4 players, dash to 2, no ties",
            settings: RaceSettings(rule: .dash, draw: .highest, finish: 2), size: 4, tiedRounds: 0,
            followedOrder: Self.reversed(4),
            expected: Counts(states: 37_270, edges: 491_082, refusals: 1_384_748, depth: 16, deadlines: 8)),
    ]
}
