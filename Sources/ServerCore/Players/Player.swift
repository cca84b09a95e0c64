import RaceModel

typealias PlayerIndex = Slab<Player>.Index
typealias RoomIndex = Slab<Room>.Index

/// A player who is here, or whose seat is held.
struct Player: SlabElement {
    // What every move looks at comes first, as in `Room`.
    /// Nil while the connection is gone.
    private(set) var connection: ConnectionID?
    /// Of that connection; here, so that telling a room touches no connection.
    private(set) var readsText = false
    /// How far they have read what others do in a dash.
    var pace = Pace.abreast
    var seat = Seat(1)
    var room: RoomIndex?
    var lastMessage: Instant

    let id: PlayerID
    let alias: Alias
    /// The alias folded, as it is searched for.
    let aliasKey: AliasKey
    let keyDigest: Bytes32
    var watching: RoomIndex?
    var hasRaced: Bool
    /// Of returns to a held seat.
    var returns = Budget.Purse()
    /// In this match.
    var rematchesTakenBack = 0

    mutating func attach(_ connection: ConnectionID, readsText: Bool) {
        self.connection = connection
        self.readsText = readsText
        self.pace = .abreast
    }

    mutating func detach() { self.connection = nil }

    /// It holds no memory of its own.
    mutating func empty() {}

    init(
        id: PlayerID, alias: Alias, keyDigest: Bytes32, hasRaced: Bool, now: Instant
    ) {
        self.id = id
        self.alias = alias
        self.aliasKey = AliasKey(alias)
        self.keyDigest = keyDigest
        self.hasRaced = hasRaced
        self.lastMessage = now
    }
}
