/// What makes two aliases the same: equal keys. Case, width, composed or decomposed accents, and letters and
/// digits that look alike are folded; the key is never shown.
///
/// The text is in Unicode's normal form C, so that keys can be compared byte for byte, in a database too.
package struct AliasKey: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ alias: Alias) { self.text = Self.fold(alias.text) }

    /// A key, or the beginning of one, that was folded before.
    package init(folded text: String) { self.text = text }

    /// The first characters of a key, for `who PREFIX`: folded as aliases are. Any text may be asked for.
    package static func prefix(of text: String) -> String { Self.fold(text) }

    /// `prefix` is folded.
    package func hasPrefix(_ prefix: String) -> Bool { self.text.utf8.starts(with: prefix.utf8) }

    /// By bytes of UTF-8.
    package static func < (left: AliasKey, right: AliasKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Whether the server calls somebody so, or what looks like it: `player-17`, `bot-minka`, `anyone`,
    /// `server`.
    package var isReserved: Bool {
        if Self.reservedKeys.contains(self.text) || self.hasPrefix(Self.botPrefix) { return true }
        guard self.hasPrefix(Self.playerPrefix) else { return false }
        return self.text.utf8.dropFirst(Self.playerPrefix.utf8.count).allSatisfy {
            Self.digitKeys.contains($0)
        }
    }

    private static let reservedKeys = ["anyone", "server"].map(Self.fold)
    private static let botPrefix = Self.fold("bot-")
    private static let playerPrefix = Self.fold("player-")
    /// The ten digits, folded: 0 and 1 became letters.
    private static let digitKeys = Array(Self.fold("0123456789").utf8)
}
