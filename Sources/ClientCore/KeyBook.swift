package import RaceModel
import WireProtocol

/// The players somebody is, on each server, with the keys that make them so again. Its text is kept in a file.
package struct KeyBook: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Host in lower case and port, as the user named the server.
        package var server: String
        package var player: PlayerID
        package var alias: Alias
        package var key: PlayerKey

        package init(server: String, player: PlayerID, alias: Alias, key: PlayerKey) {
            self.server = server
            self.player = player
            self.alias = alias
            self.key = key
        }
    }

    /// What became of an entry that was to be kept.
    package enum Kept: Hashable, Sendable {
        case kept
        /// The server has another player of that alias now: this is who had it. The key stays in the book.
        case replaced(Entry)
        /// There are `mostEntries`: the book is as it was.
        case full
    }

    package struct Fault: Error, Hashable, Sendable {
        /// From 1.
        package var line: Int

        package init(line: Int) { self.line = line }
    }

    /// Players and former players. More: none is added, and the user is told.
    package static let mostEntries = 1000

    /// Who was played last comes first.
    package private(set) var entries: [Entry] = []
    /// Keys of players whose server knew them no more; nothing uses them.
    package private(set) var former: [Entry] = []

    package init() {}

    /// The players of one server, who was played last first.
    package func players(of server: String) -> [Entry] { self.entries.filter { $0.server == server } }

    /// The player of that alias, or of one that counts as the same.
    package func player(_ alias: Alias, of server: String) -> Entry? {
        self.players(of: server).first { AliasKey($0.alias) == AliasKey(alias) }
    }

    /// Puts a player in front.
    package mutating func keep(_ entry: Entry) -> Kept {
        let known = self.entries.firstIndex {
            $0.server == entry.server
                && ($0.player == entry.player || AliasKey($0.alias) == AliasKey(entry.alias))
        }
        let old = known.map { self.entries[$0] }
        let isSame = old.map { $0.player == entry.player && $0.key == entry.key } ?? false
        guard isSame || self.entries.count + self.former.count < Self.mostEntries else { return .full }
        if let known { self.entries.remove(at: known) }
        self.entries.insert(entry, at: 0)
        guard let old, !isSame else { return .kept }
        self.former.insert(old, at: 0)
        return .replaced(old)
    }

    // MARK: Text

    private static let head = """
        # Cat Race: your players, who was played last first, and former ones.
        # Whoever has a key is that player: show this file to nobody.
        # player SERVER ID KEY ALIAS

        """

    package var text: [UInt8] {
        var text = Array(Self.head.utf8)
        for entry in self.entries { Self.append("player", entry, to: &text) }
        for entry in self.former { Self.append("former", entry, to: &text) }
        return text
    }

    private static func append(_ word: String, _ entry: Entry, to text: inout [UInt8]) {
        text.append(contentsOf: "\(word) \(entry.server) \(entry.player.value) ".utf8)
        Hex.append(entry.key, to: &text)
        text.append(contentsOf: " \(entry.alias.text)\n".utf8)
    }

    /// Reads what `text` wrote; anything else is a fault, so that no key is lost by writing it anew.
    package init(text: [UInt8]) throws(Fault) {
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty && line.first != UInt8(ascii: "#") {
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 5, let player = UInt64(words[2]), let key = Hex.key(words[3].utf8),
                let alias = Alias(words[4]), !words[1].isEmpty
            else { throw Fault(line: index + 1) }
            let entry = Entry(server: words[1], player: PlayerID(player), alias: alias, key: key)
            switch words[0] {
            case "player": self.entries.append(entry)
            case "former": self.former.append(entry)
            default: throw Fault(line: index + 1)
            }
        }
    }
}

extension ServerAddress {
    /// What players are kept under: one server, one name.
    package var keptName: String {
        ServerAddress(host: self.host.lowercased(), port: self.port).description
    }
}
