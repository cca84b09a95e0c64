import Lobby
import RaceModel
import Records
import ServerCore
import Store

/// The store, seen from the server: late, out of order, sometimes unable; and what is left of a server that dies.
extension World {
    /// What a store will say, and does at that moment: before, the end of the server takes it back.
    enum Answer: Sendable {
        case directory(DirectoryAnswer)
        case results(ResultAnswer)
        /// Is kept now.
        case keep(MatchRecord)
        /// Can't be kept now, but later.
        case delay(MatchRecord)
        case lose
    }

    /// From the answer that a result can't be kept now to the one that it is; seconds.
    static let longestKeepDelay = 90

    /// Players are known at once, as long as the answer may take: nothing depends on them.
    mutating func ask(_ lookUp: LookUpID, _ request: DirectoryRequest) {
        var isUnavailable = false
        switch request {
        case .claim, .findByAlias, .findByID, .aliases, .completions:
            isUnavailable = self.chance.chance(self.weather.storeUnavailable)
        case .forget: break
        }
        guard let answer = isUnavailable ? .unavailable : self.store.answer(request) else { return }
        self.plan(.directory(answer), to: lookUp)
    }

    mutating func ask(_ lookUp: LookUpID, _ request: ResultRequest) {
        switch request {
        case .keep(let record):
            if let fault = self.season.asked(record) { self.referee.report(fault) }
            if self.chance.chance(self.weather.keepDelayed) {
                self.plan(.delay(record), to: lookUp)
            } else if self.chance.chance(self.weather.keepLost) {
                self.plan(.lose, to: lookUp)
            } else {
                self.plan(.keep(record), to: lookUp)
            }
        case .save:
            self.losesRaces = self.chance.chance(self.weather.keepLost)
            let answer = self.losesRaces ? .unavailable : self.store.answer(request)
            self.answers[lookUp.value] = .results(answer ?? .unavailable)
            self.queue.plan(
                .answer(lookUp.value, life: self.life), at: self.now + self.chance.milliseconds(0...400))
        case .record, .history, .leaderboard, .reserveMatches:
            guard let answer = self.store.answer(request) else { return }
            let isUnavailable = self.chance.chance(self.weather.storeUnavailable)
            self.plan(.results(isUnavailable ? .unavailable : answer), to: lookUp)
        }
    }

    private mutating func plan(_ answer: Answer, to lookUp: LookUpID) {
        self.answers[lookUp.value] = answer
        self.queue.plan(
            .answer(lookUp.value, life: self.life),
            at: self.now + self.chance.milliseconds(self.weather.storeDelay))
    }

    mutating func deliverAnswer(_ number: UInt64, life: Int) {
        guard life == self.life, let answer = self.answers.removeValue(forKey: number) else { return }
        let lookUp = LookUpID(number)
        switch answer {
        case .directory(let answer): self.feed(.answered(lookUp, answer))
        case .results(let answer): self.feed(.resultsAnswered(lookUp, answer))
        case .keep(let record):
            guard let answer = self.store.answer(.keep(record)) else { return }
            self.season.kept(record)
            self.feed(.resultsAnswered(lookUp, answer))
        case .delay(let record):
            self.answers[number] = .keep(record)
            self.queue.plan(
                .answer(number, life: self.life),
                at: self.now + self.chance.milliseconds(100...Self.longestKeepDelay * 1000))
            self.feed(.resultsAnswered(lookUp, .delayed))
        case .lose: self.feed(.resultsAnswered(lookUp, .lost))
        }
    }

    // MARK: Sudden ends

    /// The server is gone in the middle of everything, and a new one begins with what the store has kept; or it is
    /// told to end, and its races go on in the new one.
    mutating func crash() {
        guard self.phase == .racing, let pause = self.weather.crashes else { return }
        self.queue.plan(.crash, at: self.now + .seconds(self.chance.within(pause)))
        if self.chance.chance(500) {
            self.note("the server drains")
            self.feed(.drain(.seconds(self.chance.within(0...5))))
        } else {
            self.note("the server dies")
            self.startAnew([], suddenly: true)
        }
    }

    /// What the store has yet to write, it writes before the process ends.
    mutating func rebirth() {
        for number in self.answers.keys.sorted() {
            guard case .keep(let record) = self.answers[number] else { continue }
            _ = self.store.answer(.keep(record))
            self.season.kept(record)
        }
        let saved = self.store.takeSavedMatches()
        self.note("another server goes on with \(saved.count) races")
        self.startAnew(saved, suddenly: false)
    }

    /// - Parameter saved: races that go on.
    mutating func startAnew(_ saved: [SavedMatch], suddenly: Bool) {
        self.life += 1
        self.answers = [:]
        self.serverDeadline = nil
        if let fault = self.season.missing(in: self.store) { self.referee.report(fault) }
        var configuration = ServerConfiguration()
        configuration.cachedAliases = self.weather.cachedAliases
        configuration.firstMatch = self.store.firstMatch
        configuration.keepsMatches = true
        configuration.beginsAfterSuddenEnd = suddenly ? self.now : nil
        self.server.startAnew(RaceServer(configuration: configuration, entropy: self.chance.fork()))
        for slot in self.links.indices where self.links[slot] != nil { self.breakOff(slot) }
        if !saved.isEmpty { self.feed(.restore(saved)) }
    }

    /// What the server had sent may still come; what it held is gone with it.
    private mutating func breakOff(_ slot: Int) {
        guard let id = self.links[slot]?.id else { return }
        self.links[slot]!.isLossTold = true
        self.links[slot]!.isServerClosing = true
        self.links[slot]!.holds = 0
        self.links[slot]!.held.discard()
        self.links[slot]!.toServer.discard()
        if self.links[slot]!.isClientGone {
            self.free(slot)
        } else if self.links[slot]!.toClient.count > 0 {
            self.planToClient(slot)
        } else {
            self.hangUp(id)
        }
    }
}
