package import RaceModel

/// Names one request to the directory, so that its answer finds back to who asked.
package struct LookUpID: Hashable, Sendable, BitwiseCopyable {
    package var value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// What the server core asks of whoever keeps the players. Answers come later, in any order; the core never
/// waits.
package enum DirectoryRequest: Hashable, Sendable {
    /// Make a new player of this alias, if no player has one that folds to the same key. Of the player's key
    /// only this digest is kept.
    case claim(Alias, keyDigest: Bytes32)
    case findByAlias(Alias)
    case findByID(PlayerID)
    /// 1...`Limits.lookUpIDs` ids; answered for each, in the same order.
    case aliases([PlayerID])
    /// Players whose aliases begin so, at most `limit`, in order of their keys. The prefix is folded
    /// (`AliasKey.prefix`).
    case completions(prefix: String, limit: Int)
    /// A guest is gone: unless a result that is kept names them, the alias is free again. Not answered.
    case forget(PlayerID)
}

package enum DirectoryAnswer: Hashable, Sendable {
    case claimed(PlayerID)
    case taken
    case found(PlayerRecord)
    case notFound
    case aliases([KnownAlias])
    case completions([PlayerName])
    /// The store can't answer now.
    case unavailable
}

package struct PlayerRecord: Hashable, Sendable {
    package var id: PlayerID
    package var alias: Alias
    package var keyDigest: Bytes32
    /// Whether a result that is kept names the player.
    package var hasRaced: Bool
    package init(id: PlayerID, alias: Alias, keyDigest: Bytes32, hasRaced: Bool) {
        self.id = id
        self.alias = alias
        self.keyDigest = keyDigest
        self.hasRaced = hasRaced
    }
}

package struct KnownAlias: Hashable, Sendable {
    package var id: PlayerID
    /// Nil: nobody has this id.
    package var alias: Alias?
    package init(id: PlayerID, alias: Alias?) {
        self.id = id
        self.alias = alias
    }
}

/// A player by id and alias.
package struct PlayerName: Hashable, Sendable {
    package var id: PlayerID
    package var alias: Alias
    package init(id: PlayerID, alias: Alias) {
        self.id = id
        self.alias = alias
    }
}
