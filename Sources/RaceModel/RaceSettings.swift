/// How a race is run. Only players who ask for equal settings meet.
package struct RaceSettings: Hashable, Sendable, BitwiseCopyable {
    /// What a move is and whose it is.
    package enum Rule: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// In player order; a move is one roll of a die; first to reach or pass the finish wins.
        case turns = 0
        /// Cat Race's own: anyone may move at any time, one step a move; first to the finish wins.
        case dash = 1
    }

    /// How the numbers that players send become the order of play.
    package enum Draw: UInt8, CaseIterable, Sendable, BitwiseCopyable {
        /// The highest number sent is player 1.
        case highest = 0
        /// The highest (number XOR a mask sealed beforehand) is player 1: sending the maximum wins nothing.
        case sealed = 1
    }

    package var rule: Rule
    package var draw: Draw
    /// Where the race ends, in fields from the start: 1...`Limits.finish`.
    package var finish: UInt32

    package init(rule: Rule = .turns, draw: Draw = .highest, finish: UInt32 = 25) {
        self.rule = rule
        self.draw = draw
        self.finish = finish
    }
}

/// What someone who looks for a race asks for.
package struct RaceRequest: Hashable, Sendable, BitwiseCopyable {
    /// Fewest and most players, both inclusive, themselves and computer opponents counted: 2...8.
    package var minimum: UInt8
    package var maximum: UInt8
    package var settings: RaceSettings
    /// Only players of the same group meet; 0 is everybody.
    package var group: UInt32
    /// Seats the server plays: 0...7. They count among the players.
    package var bots: UInt8

    package init(
        minimum: UInt8 = 2, maximum: UInt8 = 2, settings: RaceSettings = RaceSettings(), group: UInt32 = 0,
        bots: UInt8 = 0
    ) {
        self.minimum = minimum
        self.maximum = maximum
        self.settings = settings
        self.group = group
        self.bots = bots
    }
}
