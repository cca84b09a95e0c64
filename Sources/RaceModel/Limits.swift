/// Every limit, and what happens at it. No byte from a peer may trap, block or grow the process.
package enum Limits {
    // MARK: Wire

    /// Type and body of a binary frame, in bytes. A longer one: error `frame-too-long`, then the connection
    /// is closed.
    package static let frameBytes = 4096
    /// A text line without its end, in bytes. A longer one: error `line-too-long`, then the connection is
    /// closed.
    package static let lineBytes = 512
    /// Ids in one alias look-up. More: error `too-many`.
    package static let lookUpIDs = 64
    /// Entries of one page of `who`, `matches` and `top`. The rest is on further pages.
    package static let pageEntries = 20
    /// Pages of `who PREFIX`. More players are found by a longer prefix.
    package static let prefixPages = 5
    /// The text of one page of a record, in bytes. The rest is on further pages.
    package static let recordPageBytes = 3900
    /// Output a client has not read yet, in bytes. Over it: the connection is closed without a word, since
    /// that could not be read either.
    package static let unreadOutputBytes = 256 * 1024
    /// What all together have not read yet, in bytes for each connection there may be. Over it: who has more than
    /// this unread is closed, as above, however much that was.
    package static let unreadOutputShareBytes = 8 * 1024
    /// Of one connection: over it, its requests wait until it has read all, so that nobody is closed for asking
    /// faster than they read.
    package static let backedUpBytes = 32 * 1024
    /// What one connection's requests take in one turn, in bytes of answers that take as long to write, well below
    /// what may be unread. Over it: what is left of its input is held, and goes on when it is its turn again, so that
    /// others get theirs.
    package static let workPerTurn = 4 * 1024
    /// The same for all who wait for a turn together, between two looks at the sockets. Over it: who waits waits one
    /// longer, so that however many ask at once, a batch stays small. Others get one answer each when a batch has
    /// taken as much already.
    package static let workPerRound = 8 * 1024
    /// What one connection's requests may have taken of late, in the same bytes; those that count are free. Over it:
    /// its requests wait for a turn, behind those of others.
    package static let effort = 8 * 1024
    /// So much of it is forgotten each second, about a hundredth of what a server can do. No more is remembered.
    package static let effortForgotten = 1024 * 1024
    /// Input kept while an answer must come first, in bytes. Over it: reading from that connection pauses.
    package static let heldInputBytes = 16 * 1024
    /// A free-text field (error text, notices), in bytes. Longer ones are cut.
    package static let textBytes = 200
    /// The code of a private race, in bytes. Longer ones: error `bad-value`.
    package static let codeBytes = 16

    // MARK: Players and matches

    package static let playersPerMatch = 8
    /// Where a race may end at the latest, so that no turn or event number can run over. More: error
    /// `bad-settings`.
    package static let finish: UInt32 = 100_000_000
    /// An alias, in UTF-8 bytes and in Unicode scalars. Longer ones: error `bad-alias`.
    package static let aliasBytes = 64
    package static let aliasScalars = 20
    /// Spectators of one match. More: error `full`.
    package static let spectatorsPerMatch = 64
    /// Invites one player has open. More: error `too-many`.
    package static let invitesPerPlayer = 5
    /// Invites open to one player. More: error `too-many`.
    package static let invitesToPlayer = 20
    /// An invite without an answer. Then: closed, outcome `no-answer`.
    package static let inviteLife = Instant.Span.seconds(60)
    /// A private race that did not start. Then: closed, and its code is void.
    package static let privateRaceLife = Instant.Span.seconds(600)
    /// Rounds players draw among themselves; from then on the server draws for the tied.
    package static let playerDrawRounds: UInt8 = 3
    /// Rounds in all; whoever is still tied then is ordered by seat.
    package static let drawRounds: UInt8 = 8
    /// Events of one match kept for those who return. A longer match: who returns gets a snapshot.
    package static let loggedEvents = 1 << 14
    /// Events told again to one who returns, far less than may be unread. More were missed: who returns gets a
    /// snapshot.
    package static let retoldEvents = 1024
    /// Places of a leaderboard that pages show. Further down, a player sees only their own rank.
    package static let leaderboardPlaces = 10_000
    /// Results that wait while the store can't be written, and their records in bytes. More: the result is lost, and
    /// its players are told so.
    package static let resultBacklog = 10_000
    package static let resultBacklogBytes = 64 * 1024 * 1024
    /// Aliases kept in memory beside those of players who are here. Over it: the oldest are looked up again.
    package static let cachedAliases = 100_000

    /// Players kept in memory, when there is no disk. More: error `unavailable`.
    package static let rememberedPlayers = 1_000_000
    /// Records kept in memory, when there is no disk. More: the oldest are forgotten, their results are not.
    package static let rememberedRecords = 10_000
    /// Others told of a new ticket that concerns them; more of them learn it from `why`.
    package static let queuedTold = 16
    /// A player who never finished a race is forgotten so long after going.
    package static let guestMemory = Instant.Span.seconds(24 * 60 * 60)
    /// Breaking off this many starts within `breakOffSpan` bars from looking for a race until the span is
    /// over.
    package static let breakOffs = 3
    package static let breakOffSpan = Instant.Span.seconds(60)
    /// How long a computer opponent thinks, at least and at most.
    package static let botThinks = Instant.Span.milliseconds(400)...Instant.Span.milliseconds(1200)
    /// Seconds left at which the others are told again that a held seat runs out.
    package static let countdown = [10, 5]

    /// After the sudden end of a server, who comes back to the next one within this time is told so, once.
    package static let suddenEndTold = Instant.Span.seconds(600)
    /// Of so many it is known that they need not be told. More: who comes back again may be told again.
    package static let suddenEndKnown = 100_000

    // MARK: Connections

    /// Connections at once, unless set. More: accepting pauses until one ends.
    package static let connections = 19_000
    /// Queues that sockets may be spread over.
    package static let loops = 16
    /// Of one of several loops, inputs that the core has not answered for yet, and their bytes. At either: that loop
    /// looks at no socket until half of them are.
    package static let crossingInputs = 4096
    package static let crossingInputBytes = 1024 * 1024
    /// Output on its way to one of several loops, in bytes. Over it: no loop is told of more room for inputs.
    package static let crossingOutputBytes = 4 * 1024 * 1024
    /// From the first byte of a binary preface to its last. Over it: closed, reason `handshake`.
    package static let preface = Instant.Span.seconds(5)
    /// A silent connection is greeted in text after so long.
    package static let greeting = Instant.Span.seconds(1)
    /// A line of version 1 of the PROXY protocol with its CR LF, in bytes. More: closed without a word.
    package static let proxyLineBytes = 107
    /// A header of its version 2 with all its fields, in bytes. More: closed without a word.
    package static let proxyHeaderBytes = 536
    /// Networks whose PROXY headers are believed. More: the server does not start.
    package static let proxyNetworks = 64
    /// For a PROXY header, and for a TLS handshake from its first byte on. Over it: closed without a word.
    package static let transportHandshake = Instant.Span.seconds(5)
    /// What a peer may send for a TLS handshake, in bytes. More: closed.
    package static let tlsHandshakeBytes = 16 * 1024
    /// Records of handshakes behind a connection's own, such as for new keys: each takes as long as a move, and
    /// nothing else is charged for it. More: closed.
    package static let tlsLateRecords = 32
    /// Without a name, since the last complete message. Over it: closed, reason `handshake`.
    package static let unnamed = Instant.Span.seconds(60)
    /// Results of which the server awaits that they are kept. More: who was told of the oldest is not told when it is.
    package static let pendingResults = 10_000
    /// Look-ups and claims one connection has waiting in the store. More: reading from it pauses.
    package static let pendingStoreRequests = 64
    /// The same of all connections together, those that are gone included. More: error `unavailable`.
    package static let storeRequests = 10_000
    /// Closing, when its peer takes what is left ever so slowly. Then: closed, whatever is left.
    package static let closing = Instant.Span.seconds(15)

    // MARK: At the door. An address is one of IPv4, or the first 64 bits of one of IPv6.

    /// Connections of one address at once, unless set. More: `bye` reason `full`.
    package static let connectionsPerAddress = 32
    /// Connects of one address, unless set. More: `bye` reason `slow-down`.
    package static let connects = Budget(perSecond: 10, burst: 40)
    /// Refusals at the door that one address is told of. More: closed without a word.
    package static let refusalsTold = Budget(perSecond: 1, burst: 8)
    /// New names of one address, unless set. More: error `slow-down`.
    package static let newNames = Budget(perHour: 100, burst: 100)
    /// Races that players of one address begin, unless set: each is kept on the disk. More: error `slow-down`.
    package static let races = Budget(perSecond: 4, burst: 240)
    /// The wait behind a wrong key: doubled with each, from the lower to the upper.
    package static let wrongKeyWait = Instant.Span.seconds(1)...Instant.Span.seconds(300)
    /// A wrong key counts so long.
    package static let wrongKeyMemory = Instant.Span.seconds(15 * 60)
    /// Names at which wrong keys were tried. More: the oldest is forgotten.
    package static let guessedNames = 10_000
    /// Addresses without a connection of which something is remembered. More: who would be forgotten first
    /// is, early.
    package static let rememberedAddresses = 65_536
    /// Bans at once. More: the operator is refused.
    package static let bans = 10_000
    /// Why somebody is banned or sent away, in bytes. Longer ones are cut.
    package static let banReasonBytes = 100
    /// Refusals of one address and reason are logged once in so long, the others are counted.
    package static let refusalLogSpan = Instant.Span.seconds(60)
    /// Addresses and reasons that are counted apart for the log. More: they are counted together.
    package static let refusalLogEntries = 1024

    // MARK: Budgets of one connection. Over one of them: error `slow-down`.

    /// Moves, numbers, begins, plays and rematches that are refused. Those that count are never charged.
    package static let refusedMoves = Budget(perSecond: 100, burst: 1000)
    package static let lookUps = Budget(perSecond: 50, burst: 500)
    /// `who` and `matches`.
    package static let lists = Budget(perSecond: 10, burst: 100)
    /// To invite, to answer and take back invites, and to try the code of a private race.
    package static let inviting = Budget(perSecond: 2, burst: 40)
    /// All else.
    package static let talk = Budget(perSecond: 50, burst: 500)
    /// Errors `slow-down` for asking too much. More: `bye` reason `slow-down`.
    package static let slowDowns = Budget(perSecond: 5, burst: 100)
    /// Returns of one player to a held seat, of which the others are told. More: error `slow-down`.
    package static let returns = Budget(perSecond: 5, burst: 60)
    /// Wishes for a rematch that one player takes back in one match. More: error `slow-down`.
    package static let rematchesTakenBack = 5
}
