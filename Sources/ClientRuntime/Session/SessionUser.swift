package import ClientCore
package import RaceModel

/// Who is served by a session: a screen, a bot, one question. Always called on the session's queue.
package protocol SessionUser: AnyObject {
    /// Something happened; in order.
    func take(_ event: ClientEvent, in session: ClientSession)
    /// `ClientSession.link` changed.
    func linkChanged(in session: ClientSession)
    /// All that was there is told: time to draw.
    func settled(in session: ClientSession)
    /// When `settled` is wanted again at the latest; nil: when something happens.
    func nextDeadline(in session: ClientSession) -> Instant?
    /// Bytes from standard input; empty at its end. Only after `readInput`.
    func read(_ bytes: [UInt8], in session: ClientSession)
    func signal(_ signal: ProgramSignals.Signal, in session: ClientSession)
    /// The session is over: the last thing called. What is printed here stays on the screen.
    func ended(_ end: SessionEnd, in session: ClientSession)
}

/// How a session ended, and what the program says and returns.
package struct SessionEnd: Hashable, Sendable {
    package enum Status: Hashable, Sendable {
        case fine, lost, usage, notFair
        case signal(Int32)

        /// What the shell is told.
        package var code: Int32 {
            switch self {
            case .fine: 0
            case .lost: 1
            case .usage: 2
            case .notFair: 3
            case .signal(let number): 128 + number
            }
        }
    }

    package var status: Status
    /// One sentence for a person: what happened and what to do. Nil: nothing needs to be said.
    package var sentence: String?

    /// Match ids of before mean other matches now, or none.
    static let watchedServerStartedAnew = Self(
        .lost, "the server was started anew: the match you watched ended without a result")

    package init(_ status: Status, _ sentence: String? = nil) {
        self.status = status
        self.sentence = sentence
    }
}
