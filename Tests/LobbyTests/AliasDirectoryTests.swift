import Lobby
import RaceModel
import Testing

struct AliasDirectoryTests {
    private static func ids(_ values: UInt64...) -> [PlayerID] { values.map { PlayerID($0) } }

    private static func alias(_ id: UInt64) -> Alias { Alias.placeholder(for: PlayerID(id)) }

    /// Entries with an alias for each id but those given.
    private static func known(_ values: [UInt64], unknown: [UInt64] = []) -> [KnownAlias] {
        values.map { KnownAlias(id: PlayerID($0), alias: unknown.contains($0) ? nil : Self.alias($0)) }
    }

    @Test func `known ids are answered at once, the rest when the store has`() {
        var directory = AliasDirectory(capacity: 10)
        directory.remember(PlayerID(1), Self.alias(1))
        #expect(directory.ask(Self.ids(1, 1), as: LookUpID(1)) == .known(Self.known([1, 1])))
        #expect(
            directory.ask(Self.ids(3, 1, 2, 3), as: LookUpID(2)) == .waiting(.aliases(Self.ids(3, 2))))
        let completions = directory.answered(LookUpID(2), .aliases(Self.known([3, 2], unknown: [2])))
        #expect(
            completions == [
                AliasDirectory.Completion(
                    question: LookUpID(2), aliases: Self.known([3, 1, 2, 3], unknown: [2]), isComplete: true)
            ])
        #expect(directory.ask(Self.ids(3), as: LookUpID(3)) == .known(Self.known([3])), "remembered")
        #expect(directory.ask(Self.ids(2), as: LookUpID(4)) == .waiting(.aliases(Self.ids(2))), "asked again")
        #expect(directory.openQuestions == 1)
    }

    @Test func `an id that is asked for already is not asked for twice`() {
        var directory = AliasDirectory(capacity: 10)
        #expect(directory.ask(Self.ids(1, 2), as: LookUpID(1)) == .waiting(.aliases(Self.ids(1, 2))))
        #expect(directory.ask(Self.ids(2), as: LookUpID(2)) == .waiting(nil))
        #expect(directory.ask(Self.ids(2, 3), as: LookUpID(3)) == .waiting(.aliases(Self.ids(3))))
        #expect(directory.answered(LookUpID(3), .aliases(Self.known([3]))).isEmpty, "2 is still missing")
        let completions = directory.answered(LookUpID(1), .aliases(Self.known([1, 2])))
        #expect(completions.map(\.question) == [LookUpID(1), LookUpID(2), LookUpID(3)])
        #expect(completions.map(\.aliases) == [Self.known([1, 2]), Self.known([2]), Self.known([2, 3])])
        #expect(directory.answered(LookUpID(1), .aliases(Self.known([1, 2]))).isEmpty, "a second answer")
        #expect(directory.openQuestions == 0)
    }

    @Test func `a store that cannot answer completes with what is known`() {
        var directory = AliasDirectory(capacity: 10)
        directory.remember(PlayerID(1), Self.alias(1))
        _ = directory.ask(Self.ids(1, 2), as: LookUpID(1))
        #expect(
            directory.answered(LookUpID(1), .unavailable) == [
                AliasDirectory.Completion(
                    question: LookUpID(1), aliases: Self.known([1, 2], unknown: [2]), isComplete: false)
            ])
        #expect(directory.ask(Self.ids(2), as: LookUpID(2)) == .waiting(.aliases(Self.ids(2))))
    }

    @Test func `an answer that leaves out ids or names others harms nobody`() {
        var directory = AliasDirectory(capacity: 10)
        _ = directory.ask(Self.ids(1, 2), as: LookUpID(1))
        let completions = directory.answered(LookUpID(1), .aliases(Self.known([7, 2])))
        #expect(completions.map(\.aliases) == [Self.known([1, 2], unknown: [1])])
        #expect(directory.alias(of: PlayerID(7)) == nil, "7 was not asked for")
        #expect(directory.answered(LookUpID(99), .aliases(Self.known([1]))).isEmpty)
    }

    @Test func `a cancelled question is not answered, but its ids are remembered`() {
        var directory = AliasDirectory(capacity: 10)
        _ = directory.ask(Self.ids(1, 2), as: LookUpID(1))
        directory.cancel(LookUpID(1))
        #expect(directory.ask(Self.ids(2), as: LookUpID(2)) == .waiting(nil), "still on its way")
        let completions = directory.answered(LookUpID(1), .aliases(Self.known([1, 2])))
        #expect(completions.map(\.question) == [LookUpID(2)])
        #expect(directory.alias(of: PlayerID(1)) == Self.alias(1))
        #expect(directory.openQuestions == 0)
    }

    @Test func `the memory never holds more than its capacity; the oldest go first`() {
        var directory = AliasDirectory(capacity: 3)
        for id: UInt64 in 1...1000 {
            directory.remember(PlayerID(id), Self.alias(id))
            directory.remember(PlayerID(id), Self.alias(id))
            #expect(directory.count == min(3, Int(id)))
        }
        #expect(
            (996...1000).map { directory.alias(of: PlayerID($0)) != nil } == [false, false, true, true, true])
    }

    @Test func `a question keeps what it found even when the memory forgets it`() {
        var directory = AliasDirectory(capacity: 1)
        _ = directory.ask(Self.ids(1, 2, 3), as: LookUpID(1))
        let completions = directory.answered(LookUpID(1), .aliases(Self.known([1, 2, 3])))
        #expect(completions.map(\.aliases) == [Self.known([1, 2, 3])])
        #expect(directory.count == 1)
    }

    @Test func `a forgotten player's alias is asked for again`() {
        var directory = AliasDirectory(capacity: 2)
        directory.remember(PlayerID(1), Self.alias(1))
        directory.remember(PlayerID(2), Self.alias(2))
        directory.forget(PlayerID(1))
        directory.forget(PlayerID(9))
        #expect(directory.alias(of: PlayerID(1)) == nil)
        directory.remember(PlayerID(3), Self.alias(3))
        #expect(directory.alias(of: PlayerID(2)) == Self.alias(2))
        #expect(directory.count == 2)
    }

    @Test func `who is forgotten and remembered again counts as new, and forgetting all is quick`() {
        var directory = AliasDirectory(capacity: 2)
        for id: UInt64 in [1, 2] { directory.remember(PlayerID(id), Self.alias(id)) }
        directory.forget(PlayerID(1))
        directory.remember(PlayerID(1), Self.alias(1))
        directory.remember(PlayerID(3), Self.alias(3))
        #expect(directory.alias(of: PlayerID(2)) == nil, "the one remembered first goes")
        #expect(directory.alias(of: PlayerID(1)) == Self.alias(1))
        // A search for each through all of the others would take minutes.
        var many = AliasDirectory(capacity: 50_000)
        for id: UInt64 in 0..<50_000 { many.remember(PlayerID(id), Self.alias(1)) }
        for id in (0..<50_000).reversed() { many.forget(PlayerID(UInt64(id))) }
        #expect(many.count == 0)
        many.remember(PlayerID(7), Self.alias(7))
        #expect(many.alias(of: PlayerID(7)) == Self.alias(7))
    }

    @Test func `more ids than a look-up takes are a fault of the caller`() async {
        await #expect(processExitsWith: .failure) {
            var directory = AliasDirectory(capacity: 1)
            _ = directory.ask((0...64).map { PlayerID($0) }, as: LookUpID(1))
        }
        var directory = AliasDirectory(capacity: 1)
        let ids = (1...64).map { PlayerID($0) }
        #expect(directory.ask(ids, as: LookUpID(1)) == .waiting(.aliases(ids)))
    }

    @Test func `computer opponents of one match have different, reserved aliases`() {
        for match: UInt64 in [0, 1, 2, 11, 12, .max] {
            let aliases = BotNames.aliases(7, for: MatchID(match))
            #expect(Set(aliases).count == 7)
            for alias in aliases {
                #expect(Alias(alias.text) == alias)
                #expect(throws: AliasFault.reserved) { try Alias(validating: alias.text) }
            }
        }
        #expect(BotNames.aliases(0, for: MatchID(1)).isEmpty)
        #expect(BotNames.aliases(255, for: MatchID(1)).count == 7)
        #expect(BotNames.aliases(1, for: MatchID(1)) != BotNames.aliases(1, for: MatchID(2)))
    }
}
