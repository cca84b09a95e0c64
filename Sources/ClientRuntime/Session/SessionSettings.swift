package import ClientCore
package import RaceModel

/// How a session holds on to its server.
package struct SessionSettings: Sendable {
    package var address: ServerAddress
    /// Whether a lost connection is made again.
    package var returns: Bool
    /// How long that is tried. Seats are held for less.
    package var patience: Instant.Span
    /// The whole session must be over by then; nil: no limit.
    package var timeLimit: Instant.Span?
    /// Whether there is anything to ask a server.
    package var needsServer = true

    package init(
        address: ServerAddress, returns: Bool, patience: Instant.Span = .seconds(60),
        timeLimit: Instant.Span? = nil
    ) {
        self.address = address
        self.returns = returns
        self.patience = patience
        self.timeLimit = timeLimit
    }

    /// One address gets so long to answer.
    static let connectTime = Instant.Span.seconds(5)
    /// From a connection to the server's first word.
    static let greetingTime = Instant.Span.seconds(5)
    /// After so long a silence the server is asked whether it is there.
    static let quietTime = Instant.Span.seconds(10)
    /// And so long it may take to answer.
    static let answerTime = Instant.Span.seconds(10)
    /// Between our goodbye and the server's.
    static let goodbyeTime = Instant.Span.milliseconds(500)
}
