import ClientCore
import RaceModel
import WireProtocol

/// What to do when the server does not take the name.
struct Registration {
    /// The user named themselves; otherwise the name is only a proposal.
    let isNameGiven: Bool
    private let keys: KeptKeys?
    private var attempts = 0
    /// The server did not know the player whose key was kept.
    private var hasLostPlayer = false
    /// What the user is to be told.
    private var news: String?
    private static let mostAttempts = 8

    init(isNameGiven: Bool, keys: KeptKeys? = nil) {
        self.isNameGiven = isNameGiven
        self.keys = keys
    }

    /// What the user is to be told now, once.
    mutating func takeNews() -> String? {
        defer { self.news = nil }
        return self.news
    }

    /// Keeps who the server took us for.
    mutating func welcome(_ session: ClientSession) {
        guard let keys, let identity = session.client.view.identity,
            let key = identity.key ?? session.client.configuration.key
        else { return }
        self.news = keys.welcome(identity.player, identity.alias, key: key) ?? self.news
    }

    /// Handles the refusal of a Hello.
    ///
    /// - Returns: whether this was one.
    mutating func take(_ error: ErrorReply, in session: ClientSession) -> Bool {
        guard error.request == ClientMessageNumber.hello.rawValue else { return false }
        let name = session.client.configuration.name ?? ""
        let words = DisplayText.harmless(error.text)
        switch error.code {
        case .unavailable: session.comeBackLater("the server is busy (\(words))")
        case .wrongKey, .noSuchPlayer:
            if let news = self.keys?.refused() {
                self.news = news
                self.hasLostPlayer = true
                session.change { $0.configuration.key = nil }
                session.wish(.message(.hello(Hello(name: name))))
                break
            }
            session.end(SessionEnd(.usage, "\(words) (--name and CATRACE_KEY belong together)"))
        case .aliasTaken where session.client.isTakingAliasAgain:
            session.end(
                SessionEnd(
                    .usage,
                    "the server was started anew, and somebody else is \(DisplayText.harmless(name)) now: "
                        + "choose another alias with --name"))
        case .aliasTaken where self.hasLostPlayer:
            session.end(
                SessionEnd(
                    .usage,
                    "\(session.settings.address) does not know the kept player \(DisplayText.harmless(name)) any "
                        + "more, and somebody else is \(DisplayText.harmless(name)) there now: choose another alias "
                        + "with --name"))
        case .aliasTaken:
            self.attempts += 1
            guard !self.isNameGiven, self.attempts <= Self.mostAttempts,
                session.client.configuration.key == nil
            else {
                session.end(
                    SessionEnd(
                        .usage,
                        "the alias \(DisplayText.harmless(name)) is taken: choose another with --name, or "
                            + "be that player again with the key in CATRACE_KEY"))
                break
            }
            let another = PlayerName.madeUp()
            session.change { $0.configuration.name = another }
            session.wish(.message(.hello(Hello(name: another))))
        case .needsTLS: session.end(SessionEnd(.usage, "\(words): add --tls, and make a new player there"))
        case .badAlias: session.end(SessionEnd(.usage, "\(words): choose another alias with --name"))
        default: session.end(SessionEnd(.lost, words))
        }
        return true
    }
}

/// Aliases for those who did not choose one.
package enum PlayerName {
    /// The user's name on this machine where it is one a player can have; otherwise by chance.
    package static func proposal(user: String?) -> String {
        let kept = (user ?? "").utf8.filter { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        let text = String(decoding: kept.prefix(Limits.aliasScalars), as: UTF8.self)
        do {
            return try Alias(validating: text).text
        } catch {
            return self.madeUp()
        }
    }

    /// `cat-417`
    package static func madeUp() -> String {
        var generator = SystemRandomNumberGenerator()
        return "cat-\(100 + generator.next() % 900)"
    }
}
