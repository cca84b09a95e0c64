import RaceModel

/// A limit of the code, and the row of the page that tells it.
struct LimitRow {
    /// The constant in `Limits`.
    var name: String
    var label: String
    var value: String

    init(_ name: String, _ label: String, _ value: some CustomStringConvertible, _ unit: String = "") {
        self.name = name
        self.label = label
        self.value = unit.isEmpty ? "\(value)" : "\(value) \(unit)"
    }

    static let all: [LimitRow] = play + door + budgets

    private static let play: [LimitRow] = [
        LimitRow("frameBytes", "frame", Limits.frameBytes, "bytes"),
        LimitRow("lineBytes", "line", Limits.lineBytes, "bytes"),
        LimitRow("lookUpIDs", "ids in a look-up", Limits.lookUpIDs),
        LimitRow("pageEntries", "entries of a page", Limits.pageEntries),
        LimitRow("prefixPages", "pages of players by a prefix", Limits.prefixPages),
        LimitRow("recordPageBytes", "page of a record", Limits.recordPageBytes, "bytes"),
        LimitRow("unreadOutputBytes", "output not read", Limits.unreadOutputBytes, "bytes"),
        LimitRow(
            "unreadOutputShareBytes", "output not read by all together, for each connection there may be",
            Limits.unreadOutputShareBytes, "bytes"),
        LimitRow("backedUpBytes", "output not read, of who goes on asking", Limits.backedUpBytes, "bytes"),
        LimitRow(
            "workPerTurn", "work for one in one turn of the server, as answers", Limits.workPerTurn, "bytes"),
        LimitRow(
            "workPerRound", "work for all who wait for a turn, at once", Limits.workPerRound, "bytes"),
        LimitRow("effort", "work for one of late, moves that count not among it", Limits.effort, "bytes"),
        LimitRow("effortForgotten", "forgotten of it each second", Limits.effortForgotten, "bytes"),
        LimitRow("heldInputBytes", "input that waits for an answer", Limits.heldInputBytes, "bytes"),
        LimitRow("textBytes", "text for people", Limits.textBytes, "bytes"),
        LimitRow("codeBytes", "code of a private race", Limits.codeBytes, "bytes"),
        LimitRow("playersPerMatch", "players in a match", Limits.playersPerMatch),
        LimitRow("finish", "finish", Limits.finish),
        LimitRow("aliasBytes", "alias", Limits.aliasBytes, "bytes"),
        LimitRow("aliasScalars", "alias, in scalars", Limits.aliasScalars),
        LimitRow("spectatorsPerMatch", "spectators of a match", Limits.spectatorsPerMatch),
        LimitRow("invitesPerPlayer", "invites you have open", Limits.invitesPerPlayer),
        LimitRow("invitesToPlayer", "invites open to you", Limits.invitesToPlayer),
        LimitRow("inviteLife", "life of an invite", Limits.inviteLife.seconds, "s"),
        LimitRow("privateRaceLife", "life of a private race", Limits.privateRaceLife.seconds, "s"),
        LimitRow("playerDrawRounds", "rounds the players draw", Limits.playerDrawRounds),
        LimitRow("drawRounds", "rounds in all", Limits.drawRounds),
        LimitRow("loggedEvents", "events kept of a race", Limits.loggedEvents),
        LimitRow("retoldEvents", "events told to who returns", Limits.retoldEvents),
        LimitRow("resultBacklog", "results waiting for the disk", Limits.resultBacklog),
        LimitRow("resultBacklogBytes", "records waiting for the disk", Limits.resultBacklogBytes, "bytes"),
        LimitRow("leaderboardPlaces", "places of a leaderboard", Limits.leaderboardPlaces),
        LimitRow("cachedAliases", "aliases in memory", Limits.cachedAliases),
        LimitRow("rememberedPlayers", "players in memory, without a disk", Limits.rememberedPlayers),
        LimitRow("rememberedRecords", "records in memory, without a disk", Limits.rememberedRecords),
        LimitRow("queuedTold", "others told of a ticket", Limits.queuedTold),
        LimitRow("guestMemory", "memory of a guest", Limits.guestMemory.seconds, "s"),
        LimitRow("suddenEndTold", "news of a sudden end", Limits.suddenEndTold.seconds, "s"),
        LimitRow("suddenEndKnown", "who need not be told it", Limits.suddenEndKnown),
        LimitRow("breakOffs", "starts broken off", Limits.breakOffs),
        LimitRow("breakOffSpan", "within", Limits.breakOffSpan.seconds, "s"),
        LimitRow("botThinks", "a bot thinks, at least", milliseconds(Limits.botThinks.lowerBound), "ms"),
        LimitRow("botThinks", "a bot thinks, at most", milliseconds(Limits.botThinks.upperBound), "ms"),
        LimitRow(
            "countdown", "countdown of a held seat",
            Limits.countdown.map { "\($0)" }.joined(separator: ", "), "s"),
        LimitRow("connections", "connections at once", Limits.connections),
        LimitRow("loops", "loops", Limits.loops),
        LimitRow("crossingInputs", "inputs of one of several loops under way", Limits.crossingInputs),
        LimitRow(
            "crossingInputBytes", "the same, in bytes", Limits.crossingInputBytes, "bytes"),
        LimitRow(
            "crossingOutputBytes", "output under way to one of several loops", Limits.crossingOutputBytes,
            "bytes"),
        LimitRow("preface", "preface", Limits.preface.seconds, "s"),
        LimitRow("greeting", "greeting", Limits.greeting.seconds, "s"),
        LimitRow("proxyLineBytes", "PROXY header, version 1", Limits.proxyLineBytes, "bytes"),
        LimitRow("proxyHeaderBytes", "PROXY header, version 2", Limits.proxyHeaderBytes, "bytes"),
        LimitRow("proxyNetworks", "networks of proxies", Limits.proxyNetworks),
        LimitRow("transportHandshake", "PROXY header, TLS handshake", Limits.transportHandshake.seconds, "s"),
        LimitRow("tlsHandshakeBytes", "input of a TLS handshake", Limits.tlsHandshakeBytes, "bytes"),
        LimitRow("tlsLateRecords", "changes of keys over TLS", Limits.tlsLateRecords),
        LimitRow("unnamed", "without a name", Limits.unnamed.seconds, "s"),
        LimitRow("pendingResults", "results that are to be kept", Limits.pendingResults),
        LimitRow("pendingStoreRequests", "look-ups waiting", Limits.pendingStoreRequests),
        LimitRow("storeRequests", "look-ups waiting, of all together", Limits.storeRequests),
        LimitRow("closing", "closing", Limits.closing.seconds, "s"),
    ]

    private static let door: [LimitRow] = [
        LimitRow("connectionsPerAddress", "connections of an address", Limits.connectionsPerAddress),
        LimitRow("connects", "connects of an address", told(Limits.connects)),
        LimitRow("refusalsTold", "refusals an address is told", told(Limits.refusalsTold)),
        LimitRow("newNames", "new names of an address", told(Limits.newNames)),
        LimitRow("races", "races begun from an address", told(Limits.races)),
        LimitRow(
            "wrongKeyWait", "wait behind a wrong key, at first", Limits.wrongKeyWait.lowerBound.seconds, "s"),
        LimitRow(
            "wrongKeyWait", "wait behind a wrong key, at most", Limits.wrongKeyWait.upperBound.seconds, "s"),
        LimitRow("wrongKeyMemory", "memory of a wrong key", Limits.wrongKeyMemory.seconds, "s"),
        LimitRow("guessedNames", "names whose keys are guessed", Limits.guessedNames),
        LimitRow(
            "rememberedAddresses", "addresses remembered without a connection", Limits.rememberedAddresses),
        LimitRow("bans", "bans", Limits.bans),
        LimitRow("banReasonBytes", "reason of a ban", Limits.banReasonBytes, "bytes"),
        LimitRow(
            "refusalLogSpan", "refusals at the door are logged every", Limits.refusalLogSpan.seconds, "s"),
        LimitRow("refusalLogEntries", "counts of refusals for the log", Limits.refusalLogEntries),
    ]

    private static let budgets: [LimitRow] = [
        LimitRow("refusedMoves", "moves and the like, refused", told(Limits.refusedMoves)),
        LimitRow("lookUps", "look-ups of aliases", told(Limits.lookUps)),
        LimitRow("lists", "lists", told(Limits.lists)),
        LimitRow("inviting", "invites and codes", told(Limits.inviting)),
        LimitRow("talk", "all other requests", told(Limits.talk)),
        LimitRow("slowDowns", "errors for asking too much", told(Limits.slowDowns)),
        LimitRow("returns", "returns to a held seat", told(Limits.returns)),
        LimitRow(
            "rematchesTakenBack", "wishes for a rematch taken back, in a match", Limits.rematchesTakenBack),
    ]

    private static func told(_ budget: Budget) -> String {
        let isSlow = budget.perSecond == 0
        let rate =
            isSlow
            ? "\(3_600_000_000_000 / budget.interval.nanoseconds) an hour" : "\(budget.perSecond) a second"
        return "\(budget.burst) at once, then \(rate)"
    }

    private static func milliseconds(_ span: Instant.Span) -> Int64 { span.nanoseconds / 1_000_000 }
}
