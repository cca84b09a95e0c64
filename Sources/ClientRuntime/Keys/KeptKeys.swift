package import ClientCore
package import RaceModel
import WireProtocol

/// Which kept player a client is, and what it keeps of whom it becomes.
package final class KeptKeys {
    private let file: KeyFile
    private let server: String
    /// Whether a player that is made or named is kept; otherwise kept ones are only used.
    private let keeps: Bool
    /// The kept player whose key is tried.
    private var tried: KeyBook.Entry?
    /// Something was kept that was not before.
    private var hasNewKey = false
    private var failure: String?

    package init(file: KeyFile, server: ServerAddress, keeps: Bool) {
        self.file = file
        self.server = server.keptName
        self.keeps = keeps
    }

    /// Puts the name and key of a kept player into the options: of the one they name, or of whoever was played
    /// last and is not being played now.
    package func choose(_ options: inout ClientOptions) throws(KeyFile.Fault) {
        guard options.key == nil, !options.isGuest, options.isNameGiven || self.keeps else { return }
        let book = try self.file.read()
        let chosen: KeyBook.Entry?
        if options.isNameGiven {
            chosen = Alias(options.name).flatMap { book.player($0, of: self.server) }
            // Whoever says a name to play under it takes over; whoever only looks on does not.
            if let chosen, try !self.file.claim(chosen), !self.keeps { return }
        } else {
            var free: KeyBook.Entry?
            for entry in book.players(of: self.server) where free == nil {
                if try self.file.claim(entry) { free = entry }
            }
            chosen = free
        }
        guard let chosen else { return }
        options.name = chosen.alias.text
        options.key = chosen.key
        self.tried = chosen
    }

    /// The server refused a kept key: the player is not known any more.
    ///
    /// - Returns: what to say; nil when no kept key was used.
    package func refused() -> String? {
        guard let tried else { return nil }
        self.tried = nil
        return "\(self.server) does not know the kept player \(Self.shown(tried.alias)) any more: "
            + "a new player of that name is made"
    }

    /// The server took us for a player.
    ///
    /// - Parameter key: the one of that player, however it was come by.
    /// - Returns: what to say, if anything.
    package func welcome(_ player: PlayerID, _ alias: Alias, key: PlayerKey) -> String? {
        guard self.keeps else { return nil }
        let entry = KeyBook.Entry(server: self.server, player: player, alias: alias, key: key)
        let isNew = self.tried != entry
        self.tried = entry
        do throws(KeyFile.Fault) {
            let kept = try self.file.change { $0.keep(entry) }
            _ = isNew ? try self.file.claim(entry) : true
            self.failure = nil
            switch kept {
            case .kept:
                self.hasNewKey = self.hasNewKey || isNew
                return nil
            case .replaced(let old):
                self.hasNewKey = true
                return "the key of the former \(Self.shown(old.alias)) (player \(old.player.value)) stays in "
                    + "\(DisplayText.harmless(self.file.path)), marked as former"
            case .full:
                self.failure =
                    "\(self.file.path) has \(KeyBook.mostEntries) players: take out some that you need no more"
            }
        } catch {
            self.failure = error.text
        }
        return self.failure.map { "\(Self.shown(alias)) is not kept: \(DisplayText.harmless($0))" }
    }

    /// What to say at the end to who became a player: how to be it again.
    ///
    /// - Parameters:
    ///   - key: told by the server in this session; nil when it was known before.
    ///   - serverText: the server as the user wrote it; nil when it need not be said.
    package func farewell(_ alias: Alias, key: PlayerKey?, serverText: String?) -> String? {
        if let failure {
            return key.map {
                "\(Self.shown(alias)) is not kept (\(DisplayText.harmless(failure))). " + Self.secret($0)
            }
        }
        guard self.hasNewKey else { return nil }
        let server = serverText.map { " --connect \(DisplayText.harmless($0))" } ?? ""
        return "you are kept as \(Self.shown(alias)) on \(self.server): "
            + "catrace play --name \(Self.shown(alias))\(server) is you again"
    }

    /// For who keeps keys by themselves.
    package static func secret(_ key: PlayerKey) -> String {
        var digits: [UInt8] = []
        Hex.append(key, to: &digits)
        return
            "The key, shown only now: \(String(decoding: digits, as: UTF8.self)); in the variable CATRACE_KEY, "
            + "with --name, it makes you that player again"
    }

    private static func shown(_ alias: Alias) -> String { DisplayText.harmless(alias.text) }
}
