import Lobby
package import RaceModel
package import Records
package import Store

/// Serves requests from a SQLite store, and knows what to do while it can't be read or written: look-ups are
/// answered `unavailable`, results wait in a list that has a limit, and every second it is tried again.
///
/// Used by one thread at a time. No call waits longer than `StoreFile.wait` for another program, and not at all
/// while it is known that one has the file for itself.
package final class StoreKeeper {
    private let store: StoreFile
    private(set) var fault: StoreFault?
    /// Since when it has been down, until all that waited is kept.
    private var downSince: Instant?
    private var isOpen = true
    private var hasEnded = false
    private var backlog = ResultBacklog()
    /// Ids to reserve, which could not be written yet.
    private var reserved: MatchID?
    /// Bans to keep, which could not be written yet, in order; the latest of each subject.
    private var bans: [BanChange] = []
    private var keptLate = 0
    private var lost = 0
    private var lastSweep: Instant?
    /// Of each kind of fault, when it was told last.
    private var told: [String: Instant] = [:]
    private var isTold = false
    /// For the operator, to be taken out after each call.
    package var notes: [StoreNote] = []

    package init(_ store: StoreFile) { self.store = store }

    /// Between two tries while it is down.
    package static let retry = Instant.Span.seconds(1)
    /// Results that are made up for in one transaction: look-ups go between.
    private static let atOnce = 500
    /// Changes of bans that wait; further ones hold until the server ends.
    private static let waitingBans = 1000
    /// The same fault is told again after so long, if it is there again or still.
    private static let silence = Instant.Span.seconds(60)

    /// Whether all could be read and written when it was last tried.
    package var isUp: Bool { self.fault == nil }

    /// Results that wait.
    package var waiting: Int { self.backlog.count }

    /// When `retry` is to be called; nil: not.
    package enum Retry: Hashable, Sendable {
        case atOnce
        case inASecond
    }
    package var wantsRetry: Retry? {
        if self.hasEnded { return nil }
        if self.fault != nil { return .inASecond }
        return self.backlog.isEmpty ? nil : .atOnce
    }

    // MARK: Requests

    /// Look-ups are answered first; then everything that changes the file, in one transaction, behind it.
    package func serve(
        _ requests: [StoreRequest], at moment: StoreMoment, _ deliver: ([StoreAnswer]) -> Void
    ) {
        var answers: [StoreAnswer] = []
        var changes: [StoreChange] = []
        for request in requests {
            if let change = StoreChange(request, ended: moment.wall) {
                changes.append(change)
            } else {
                answers.append(StoreAnswer(request.id, self.lookUp(request.subject, moment)))
            }
        }
        if !answers.isEmpty { deliver(answers) }
        if !changes.isEmpty { deliver(self.change(changes, moment)) }
        self.sweepIfDue(moment)
    }

    private func lookUp(_ subject: StoreRequest.Subject, _ moment: StoreMoment) -> StoreAnswer.Subject {
        if self.isOpen {
            do throws(StoreFault) { return try self.store.lookUp(subject) } catch { self.note(error, moment) }
        }
        switch subject {
        case .directory: return .directory(.unavailable)
        case .results, .bans: return .results(.unavailable)
        }
    }

    private func change(_ changes: [StoreChange], _ moment: StoreMoment) -> [StoreAnswer] {
        guard !self.hasEnded else { return changes.compactMap(\.refusal) }
        guard self.fault == nil else {
            guard changes.contains(where: \.isSave) else { return changes.compactMap { self.postpone($0) } }
            // The server's last words: they don't wait for the next second.
            self.store.waitForOthers(true)
            let late = self.retry(at: moment)
            guard self.fault == nil else { return changes.compactMap { self.postpone($0) } }
            return late + self.change(changes, moment)
        }
        // Results are kept in the order in which they came.
        guard self.backlog.isEmpty else {
            let waiting = changes.filter(\.isResult).compactMap { self.postpone($0) }
            let others = changes.filter { !$0.isResult }
            return waiting + (others.isEmpty ? [] : self.carryOut(others, moment))
        }
        return self.carryOut(changes, moment)
    }

    private func carryOut(_ changes: [StoreChange], _ moment: StoreMoment) -> [StoreAnswer] {
        do throws(StoreFault) {
            return try self.store.write { database throws(DatabaseError) in
                var answers: [StoreAnswer] = []
                for change in changes {
                    if let answer = try self.store.carryOut(change, now: moment.wall) {
                        answers.append(answer)
                    }
                }
                return answers
            }
        } catch {
            guard case .database(_, let reason) = error, reason.isOfRequest else {
                self.note(error, moment)
                return changes.compactMap { self.postpone($0) }
            }
            // One of them is at fault: the others must not suffer for it.
            if changes.count > 1 { return changes.flatMap { self.carryOut([$0], moment) } }
            self.notes.append(.refused(error))
            return changes.compactMap(\.refusal)
        }
    }

    /// What becomes of it while nothing can be written.
    private func postpone(_ change: StoreChange) -> StoreAnswer? {
        switch change {
        case .keep(let id, let race):
            if self.backlog.append(ResultBacklog.Entry(id: id, race: race)) {
                return StoreAnswer(id, .results(.delayed))
            }
            self.lost += 1
        case .reserve(let match): self.reserved = match
        // The guest is forgotten with those of earlier runs.
        case .forget(let player): self.store.heardOf.remove(player)
        case .ban(let ban):
            self.bans.removeAll { $0.subject == ban.subject }
            if self.bans.count < Self.waitingBans { self.bans.append(ban) }
        case .claim, .save: break
        }
        return change.refusal
    }

    // MARK: Trying again

    /// Answers to results that waited, if it went well.
    package func retry(at moment: StoreMoment) -> [StoreAnswer] {
        do throws(StoreFault) {
            try self.recover()
            let entries = self.backlog.first(Self.atOnce)
            let reserved = self.reserved
            let bans = self.bans
            let answers = try self.store.write { database throws(DatabaseError) in
                if let reserved { try self.store.reserveMatches(upTo: reserved) }
                for ban in bans { try self.store.keep(ban) }
                // Something must be written: only then it is known that it can be.
                try database.run("UPDATE counters SET value = value WHERE name = 'match'")
                var answers: [StoreAnswer] = []
                for entry in entries {
                    let isKept = try self.store.keep(entry.race)
                    answers.append(StoreAnswer(entry.id, .results(isKept ? .kept : .lost)))
                }
                return answers
            }
            self.reserved = nil
            self.bans = []
            self.backlog.removeFirst(entries.count)
            self.keptLate += entries.count
            self.fault = nil
            self.store.waitForOthers(true)
            if self.backlog.isEmpty { self.noteUp(moment) }
            return answers
        } catch {
            self.note(error, moment)
            return []
        }
    }

    private func recover() throws(StoreFault) {
        switch self.store.placeFault {
        case nil: if self.isOpen && self.fault?.needsReopening != true { return }
        case .logMoved: break
        case let fault?: throw fault
        }
        self.isOpen = false
        try self.store.reopen()
        self.isOpen = true
    }

    private func note(_ fault: StoreFault, _ moment: StoreMoment) {
        let isNew = self.fault?.name != fault.name
        self.fault = fault
        self.store.waitForOthers(false)
        if self.downSince == nil {
            self.downSince = moment.now
            self.isTold = false
        }
        guard isNew || !self.isTold else { return }
        if let last = self.told[fault.name], moment.now - last < Self.silence { return }
        self.told[fault.name] = moment.now
        self.isTold = true
        self.notes.append(.down(fault))
    }

    private func noteUp(_ moment: StoreMoment) {
        guard let since = self.downSince else { return }
        if self.isTold {
            self.notes.append(
                .up(seconds: (moment.now - since).seconds, kept: self.keptLate, lost: self.lost))
        }
        self.downSince = nil
        (self.keptLate, self.lost) = (0, 0)
    }

    // MARK: Guests, and the end

    private func sweepIfDue(_ moment: StoreMoment) {
        if let lastSweep, moment.now - lastSweep < StoreFile.guestSweep { return }
        guard self.fault == nil, !self.hasEnded else { return }
        self.lastSweep = moment.now
        do throws(StoreFault) {
            try self.store.write { _ throws(DatabaseError) in try self.store.sweepGuests(now: moment.wall) }
        } catch {
            self.note(error, moment)
        }
    }

    /// Ends before anything was served: races that were taken out are there again for the next server.
    ///
    /// - Returns: false when they could not be written.
    package func giveBack(_ matches: [SavedMatch]) -> Bool {
        guard !self.hasEnded else { return false }
        defer {
            self.store.close(isUnused: true)
            self.isOpen = false
            self.hasEnded = true
        }
        guard !matches.isEmpty else { return true }
        do throws(StoreFault) {
            try self.store.write { _ throws(DatabaseError) in try self.store.save(matches) }
            return true
        } catch { return false }
    }

    /// Tries once more to keep what waits, and ends.
    ///
    /// - Returns: results that are not kept.
    package func finish(at moment: StoreMoment) -> Int {
        if !self.bans.isEmpty { _ = self.retry(at: moment) }
        while !self.backlog.isEmpty {
            let before = self.backlog.count
            _ = self.retry(at: moment)
            if self.backlog.count == before { break }
        }
        self.store.close()
        self.isOpen = false
        self.hasEnded = true
        return self.backlog.count
    }
}
