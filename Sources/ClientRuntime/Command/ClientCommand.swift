package import ClientCore
package import RaceModel

/// What the command line asks for.
package enum ClientCommand: Sendable {
    case play(ClientOptions)
    case bot(ClientOptions)
    case watch(MatchID, ClientOptions)
    case query(Query.Question, ClientOptions)
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
}
