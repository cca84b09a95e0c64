package import ClientCore
package import RaceModel

/// What the command line asks for.
package enum ClientCommand: Sendable {
    case play(ClientOptions)
    case bot(ClientOptions)
    case watch(MatchID, ClientOptions)
    case query(Query.Question, ClientOptions)
    case replay(ReplayPlan, ClientOptions)
    /// The record in this file; `-` is standard input.
    case verify(String)
    /// Text for standard output.
    case print(String)

    /// What is wrong with a command line, and what would be right.
    package struct Mistake: Error, Hashable, Sendable {
        package var text: String
    }
}

/// What the flags say, with what the environment says where they are silent.
package struct ClientOptions: Sendable {
    package var address: ServerAddress
    /// As the user wrote it on the command line; nil when it came from elsewhere.
    package var serverText: String?
    package var isSecure = false
    /// The file of the authorities that are trusted; nil: the system's are.
    package var authorities: String?
    package var name: String
    package var isNameGiven: Bool
    package var key: PlayerKey?
    package var request = RaceRequest()
    package var isManual = false
    package var isAutomatic = false
    package var pace = Instant.Span.milliseconds(300)
    package var races: Int?
    package var patience = Instant.Span.seconds(60)
    package var count = 1
    /// No key is used but one that is given, and none is kept.
    package var isGuest = false
    /// Of a leaderboard; nil: the first.
    package var page: UInt16?
    /// Nil: as it suits.
    package var speed: ReplayShow.Speed?
    /// Where the record goes.
    package var savePath: String?
    package var overwrites = false
}
