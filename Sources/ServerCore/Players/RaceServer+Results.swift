import Lobby
import RaceModel
import Records
import WireProtocol

/// Leaderboards, records and histories.
extension RaceServer {
    mutating func tellLeaderboard(_ rule: RaceSettings.Rule, page: UInt16, to slot: Int) {
        guard !self.isStoreFull else { return self.answer(self.noAnswer(to: .leaderboard), to: slot) }
        let asker = self.connections[slot].player.map { self.players[$0].id }
        let lookUp = self.ask(.leaderboard, from: slot)
        self.outbox.errands.append(.results(lookUp, .leaderboard(rule, page: page, asker: asker)))
    }

    func leaderboard(_ answer: ResultAnswer) -> ServerMessage {
        guard case .leaderboard(let board) = answer else { return self.noAnswer(to: .leaderboard) }
        return .leaderboard(
            Leaderboard(
                rule: board.rule, page: Page(number: board.page, of: board.of), ownRank: board.ownRank,
                entries: board.entries.prefix(Limits.pageEntries).map { entry in
                    RankEntry(
                        rank: entry.rank, player: entry.player, alias: entry.alias, wins: entry.wins,
                        races: entry.races)
                }))
    }

    mutating func tellHistory(of name: String, to slot: Int) {
        guard let alias = Alias(name) else { return self.answer(self.noPlayer, to: slot) }
        guard !self.isStoreFull else { return self.answer(self.noAnswer(to: .lookUpPlayer), to: slot) }
        let lookUp = self.ask(.history, from: slot)
        self.outbox.errands.append(.results(lookUp, .history(alias)))
    }

    func history(_ answer: ResultAnswer) -> ServerMessage {
        switch answer {
        case .history(let history):
            .history(
                History(
                    player: history.player, alias: history.alias,
                    entries: history.entries.map { entry in
                        let standing = entry.standing
                        return History.Entry(
                            rule: entry.rule, races: standing.races, wins: standing.wins,
                            forfeits: standing.forfeits, best: standing.best, rank: entry.rank)
                    }))
        case .noSuchPlayer: self.noPlayer
        default: self.noAnswer(to: .lookUpPlayer)
        }
    }

    /// The record of a race that is kept; nobody learns from it what is not.
    mutating func tellRecord(of match: MatchID, page: UInt16, to slot: Int) {
        if self.results.entry(of: match) != nil {
            return self.answer(
                self.refusal(
                    .unavailable, "the result of match \(match.value) is not kept yet: try again in a moment",
                    .replay),
                to: slot)
        }
        if let room = self.roomsByMatch[match], self.rooms[room].state != .done {
            return self.answer(
                self.refusal(
                    .wrongState, "match \(match.value) is not over: watch \(match.value) shows it", .replay),
                to: slot)
        }
        if let last = self.lastReplayed, last.match == match {
            let message = self.page(page, of: match, last.text)
            return self.answer(message, to: slot)
        }
        guard !self.isStoreFull else { return self.answer(self.noAnswer(to: .replay), to: slot) }
        self.wantedRecords.append(self.ask(.record(match, page: page), from: slot))
        // Others who wait get theirs in a round of their own: it is not the work of who asks now.
        if self.wantedRecords.count == 1 { self.goOnWithRecords() }
    }

    /// A long record takes the store and us some milliseconds: one is asked for at a time, and what others wait for
    /// comes in between. Who wants the one that was read last is answered without the store, as many as one round has
    /// room for.
    /// - Parameter start: the work that was done before, and that leaves them their room all the same.
    mutating func goOnWithRecords(behind start: Int = 0) {
        // An answer lets its reader go on, who may ask for the next: that one waits for this loop.
        guard !self.goesOnWithRecords else { return }
        self.goesOnWithRecords = true
        defer { self.goesOnWithRecords = false }
        while self.askedRecord == nil, let wanted = self.firstWantedRecord() {
            guard let last = self.lastReplayed, last.match == wanted.match else {
                self.wantedRecords.removeFirst()
                self.askedRecord = wanted.lookUp
                return self.outbox.errands.append(.results(wanted.lookUp, .record(wanted.match)))
            }
            guard self.work - start <= Limits.workPerRound else { return }
            self.wantedRecords.removeFirst()
            self.questions[wanted.lookUp] = nil
            self.deliver(
                self.page(wanted.page, of: wanted.match, last.text), to: wanted.lookUp, of: wanted.connection)
        }
    }

    /// Passes over who is gone.
    private mutating func firstWantedRecord()
        -> (lookUp: LookUpID, match: MatchID, page: UInt16, connection: ConnectionID)?
    {
        var gone = 0
        defer { self.wantedRecords.removeFirst(gone) }
        for lookUp in self.wantedRecords {
            if let question = self.questions[lookUp], case .record(let match, let page) = question.subject,
                self.slot(of: question.connection) != nil
            {
                return (lookUp, match, page, question.connection)
            }
            self.questions[lookUp] = nil
            gone += 1
        }
        return nil
    }

    mutating func record(_ answer: ResultAnswer, of match: MatchID, page: UInt16) -> ServerMessage {
        switch answer {
        case .record(let record):
            guard let text = record.text else {
                return self.refusal(
                    .tooLong,
                    "match \(match.value) had \(Limits.loggedEvents) events or more: only its result is kept",
                    .replay)
            }
            self.lastReplayed = (match, text)
            return self.page(page, of: match, text)
        case .noRecord:
            return self.refusal(
                .noSuchMatch, "no record is kept of a match \(match.value): it never was, or it had no race",
                .replay)
        default: return self.noAnswer(to: .replay)
        }
    }

    private mutating func page(_ page: UInt16, of match: MatchID, _ text: [UInt8]) -> ServerMessage {
        // To find the page takes far less than to write all of the text.
        self.outbox.work += text.count / 8
        return .record(RecordPage(match: match, number: page, of: text))
    }

    private var noPlayer: ServerMessage {
        self.refusal(.noSuchPlayer, "nobody has that alias: who and its beginning find others", .lookUpPlayer)
    }

    private func noAnswer(to request: ClientMessageNumber) -> ServerMessage {
        self.refusal(.unavailable, "results cannot be looked up now: try again in a few seconds", request)
    }
}
