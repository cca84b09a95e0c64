package import RaceModel

/// Aliases by id: a bounded memory, and the questions that wait for the store.
///
/// A question is answered at once when all its ids are known, else when the store has answered for the rest;
/// an id that is asked for already is not asked for twice.
package struct AliasDirectory: Sendable {
    /// What to do about a question.
    package enum Reply: Hashable, Sendable {
        case known([KnownAlias])
        /// The answer comes from `answered`. The request, if there is one, goes to the store under the
        /// question's name; nil: others wait for the same ids already.
        case waiting(DirectoryRequest?)
    }

    /// A question whose answer is there.
    package struct Completion: Hashable, Sendable {
        package var question: LookUpID
        /// For each id of the question, in its order.
        package var aliases: [KnownAlias]
        /// False when the store could not answer for some: their aliases are nil, but they may exist.
        package var isComplete: Bool

        package init(question: LookUpID, aliases: [KnownAlias], isComplete: Bool) {
            self.question = question
            self.aliases = aliases
            self.isComplete = isComplete
        }
    }

    private struct Question: Sendable {
        var ids: [PlayerID]
        /// Kept here too: the memory may lose them before the last one comes.
        var found: [PlayerID: Alias]
        /// Different ids that are still to come.
        var missing: Int
        var isComplete = true
    }

    private struct Remembered: Sendable {
        var alias: Alias
        /// Its entry in `order`.
        var number: UInt64
    }

    private let capacity: Int
    private var memory: [PlayerID: Remembered] = [:]
    /// In the order of remembering. Entries before `oldest` are used up, and those whose number is not in the memory
    /// any more count for nothing.
    private var order: [(player: PlayerID, number: UInt64)] = []
    private var oldest = 0
    private var lastNumber: UInt64 = 0
    private var questions: [LookUpID: Question] = [:]
    /// Who waits for an id that the store was asked for, in order of asking.
    private var waiting: [PlayerID: [LookUpID]] = [:]
    private var requested: [LookUpID: [PlayerID]] = [:]

    /// `capacity`: aliases kept at most; over it the ones remembered first are forgotten. At least 1.
    package init(capacity: Int = Limits.cachedAliases) { self.capacity = max(1, capacity) }

    /// Aliases that are remembered.
    package var count: Int { self.memory.count }
    /// Questions without an answer yet.
    package var openQuestions: Int { self.questions.count }

    /// `ask` would answer at once.
    package func knows(_ ids: [PlayerID]) -> Bool { ids.allSatisfy { self.memory[$0] != nil } }

    package func alias(of player: PlayerID) -> Alias? { self.memory[player]?.alias }

    package mutating func remember(_ player: PlayerID, _ alias: Alias) {
        guard self.memory[player] == nil else {
            self.memory[player]?.alias = alias
            return
        }
        self.lastNumber += 1
        self.memory[player] = Remembered(alias: alias, number: self.lastNumber)
        self.order.append((player, self.lastNumber))
        while self.memory.count > self.capacity {
            if self.isLive(self.order[self.oldest]) { self.memory[self.order[self.oldest].player] = nil }
            self.oldest += 1
        }
        // More than half of the list is of no use: worth moving the rest once.
        if self.order.count > 2 * self.memory.count + 64 {
            self.order = self.order[self.oldest...].filter { self.isLive($0) }
            self.oldest = 0
        }
    }

    private func isLive(_ entry: (player: PlayerID, number: UInt64)) -> Bool {
        self.memory[entry.player]?.number == entry.number
    }

    /// The player is no more, and the alias may soon be another's.
    package mutating func forget(_ player: PlayerID) { self.memory[player] = nil }

    /// Asks for 1...`Limits.lookUpIDs` ids, known or not, under a name that no other open question or request
    /// has.
    package mutating func ask(_ ids: [PlayerID], as question: LookUpID) -> Reply {
        precondition(ids.count <= Limits.lookUpIDs, "more ids than one look-up takes")
        if let known = self.known(ids) { return .known(known) }
        var found: [PlayerID: Alias] = [:]
        var missing: [PlayerID] = []
        for id in ids where found[id] == nil && !missing.contains(id) {
            if let alias = self.memory[id]?.alias { found[id] = alias } else { missing.append(id) }
        }
        self.questions[question] = Question(ids: ids, found: found, missing: missing.count)
        let unasked = missing.filter { self.waiting[$0] == nil }
        for id in missing { self.waiting[id, default: []].append(question) }
        if unasked.isEmpty { return .waiting(nil) }
        self.requested[question] = unasked
        return .waiting(.aliases(unasked))
    }

    /// Nil when one of them is not remembered.
    private func known(_ ids: [PlayerID]) -> [KnownAlias]? {
        var known: [KnownAlias] = []
        known.reserveCapacity(ids.count)
        for id in ids {
            guard let alias = self.memory[id]?.alias else { return nil }
            known.append(KnownAlias(id: id, alias: alias))
        }
        return known
    }

    /// Nobody wants the answer any more. What the store was asked for is still remembered when it comes.
    package mutating func cancel(_ question: LookUpID) {
        guard let cancelled = self.questions.removeValue(forKey: question) else { return }
        // An empty list stays: the id is asked for all the same.
        for id in cancelled.ids { self.waiting[id]?.removeAll { $0 == question } }
    }

    /// Takes the store's answer to the request of this name: every question that it completes, in order of
    /// asking. Answers to requests that were never made, or for the second time, change nothing.
    package mutating func answered(_ request: LookUpID, _ answer: DirectoryAnswer) -> [Completion] {
        guard let ids = self.requested.removeValue(forKey: request) else { return [] }
        var aliases: [PlayerID: Alias] = [:]
        var isComplete = false
        if case .aliases(let known) = answer {
            isComplete = true
            for entry in known { aliases[entry.id] = entry.alias }
        }
        var completed: [LookUpID] = []
        for id in ids {
            if let alias = aliases[id] { self.remember(id, alias) }
            for question in self.waiting.removeValue(forKey: id) ?? [] {
                guard var waiting = self.questions[question] else { continue }
                waiting.missing -= 1
                waiting.found[id] = aliases[id]
                waiting.isComplete = waiting.isComplete && isComplete
                self.questions[question] = waiting
                if waiting.missing == 0 { completed.append(question) }
            }
        }
        completed.sort { $0.value < $1.value }
        return completed.compactMap { question in
            self.questions.removeValue(forKey: question).map { done in
                Completion(
                    question: question, aliases: done.ids.map { KnownAlias(id: $0, alias: done.found[$0]) },
                    isComplete: done.isComplete)
            }
        }
    }
}
