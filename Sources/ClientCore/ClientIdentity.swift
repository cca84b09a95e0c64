package import RaceModel

/// Who this client is to the server.
package struct ClientIdentity: Hashable, Sendable {
    package var player: PlayerID
    package var alias: Alias
    /// The secret that makes this player themselves again; nil only if the server never told it.
    package var key: PlayerKey?

    package init(player: PlayerID, alias: Alias, key: PlayerKey?) {
        self.player = player
        self.alias = alias
        self.key = key
    }
}
