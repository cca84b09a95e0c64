import RaceModel
import Testing

/// What is explored, and what was counted there.
struct Configuration: Sendable {
    /// What an exploration finds; stored, so that a change of the rules cannot go unseen.
    struct Counts: Equatable, Sendable, CustomStringConvertible {
        var states = 0
        /// Accepted events, each with each way its chance can fall.
        var edges = 0
        /// Refused events.
        var refusals = 0
        /// Events from the start to the state that is furthest from it.
        var depth = 0
        /// The most deadlines that can pass, nothing else happening, before a match is closed.
        var deadlines = 0

        var description: String {
            "states: \(self.states), edges: \(self.edges), refusals: \(self.refusals), "
                + "depth: \(self.depth), deadlines: \(self.deadlines)"
        }
    }

    var name: String
    var settings: RaceSettings
    var size: Int
    /// The die shows 1...faces.
    var faces = 2
    /// Numbers can be equal in so many rounds: at most two, since from the fourth on the server draws.
    var tiedRounds: UInt8 = 2
    /// Which order of play is followed once it is drawn; nil is every order. Behind the draw the rules treat
    /// seats alike, and every set of held seats reaches every order, so that one shows all there is but the
    /// seats' names.
    var followedOrder: [Seat]?
    /// Whether a seat that does not exist sends events too.
    var hasStranger = false
    var expected: Counts
}

extension Configuration: CustomTestStringConvertible {
    var testDescription: String { self.name }
}
