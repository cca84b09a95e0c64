/// The name a player goes by: 1 to 20 scalars and at most 64 bytes of UTF-8, kept byte for byte as it was
/// written.
///
/// Letters of one script (or of those that are written together), decimal digits, `_`, `-`, `.` and simple
/// emoji. What is allowed and what counts as the same alias is written down in `Protocol/aliases.md`.
package struct Alias: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// An alias that a player may take. Use this for claims: it refuses what the server calls others by.
    package init(validating text: String) throws(AliasFault) {
        try Self.checkShape(of: text)
        self.text = text
        if AliasKey(self).isReserved { throw .reserved }
    }

    /// Any alias, the reserved ones too: what the server says, and whom a player asks for. Nil for all other
    /// text.
    package init?(_ text: String) {
        do throws(AliasFault) { try Self.checkShape(of: text) } catch { return nil }
        self.text = text
    }

    /// Trusts the text; for the fixed reserved names.
    private init(unchecked text: String) { self.text = text }

    /// `player-17`: shown for an alias that did not come in time. Of an id with more than 13 digits the last
    /// 13.
    package static func placeholder(for player: PlayerID) -> Alias {
        Alias(unchecked: "player-\(player.value % 10_000_000_000_000)")
    }

    /// `bot-` and a short word of ASCII letters: what computer opponents are called.
    package static func bot(_ word: StaticString) -> Alias { Alias(unchecked: "bot-\(word)") }

    package var description: String { self.text }
}
