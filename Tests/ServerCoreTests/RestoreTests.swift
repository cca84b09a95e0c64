import RaceModel
import Records
import ServerCore
import Store
import Testing
import WireProtocol

/// Races that one server saved and another goes on with.
struct RestoreTests {
    /// Some players with keys in one match, and all that has happened so far.
    struct Table {
        var script: ServerScript
        var names: [String]
        var ids: [ConnectionID] = []
        var keys: [String] = []

        init(_ names: [String], _ options: String) {
            self.script = ServerScript(keepsMatches: true)
            self.names = names
            for name in names {
                let (id, key) = self.script.joinKeepingKey(name, auto: false)
                self.ids.append(id)
                self.keys.append(key)
            }
            for id in self.ids { self.script.type("play \(options)", id) }
            self.skipAll()
        }

        mutating func skipAll() { for id in self.ids { self.script.skip(id) } }

        mutating func say(_ line: String, _ player: Int) { self.script.type(line, self.ids[player]) }

        /// Numbers in falling order, so that seats and player numbers are the same.
        mutating func begin() {
            for index in self.ids.indices { self.say("number \(1000 - index)", index) }
            self.say("begin", 0)
            self.skipAll()
        }

        /// Everybody who is still in it comes back to another server.
        mutating func restart(seq: UInt32 = 0, without absent: Set<Int> = []) {
            self.script.restart()
            for index in self.ids.indices where !absent.contains(index) {
                self.ids[index] = self.script.rejoin(
                    self.names[index], self.keys[index], seq: seq, auto: false)
            }
        }

        /// The rest of the race in the same way, whatever has happened: drawn, begun, and moved by whose turn it is.
        mutating func playOn() {
            for id in self.ids { self.script.type("set auto on", id) }
            for _ in 0..<200 where self.script.keptRecords.isEmpty {
                for id in self.ids { self.script.type("move", id) }
                self.script.pass(seconds: 0.5)
                self.skipAll()
            }
        }
    }

    enum Situation: String, CaseIterable {
        case nothingDrawn, oneDrawn, tied, tiedAndOneDrawn, manyTies, ordered, begun, underWay, missedTurn
        case forfeited, forfeitedAndLeft, left, held, twoRestarts

        func table(_ options: String) -> Table {
            var table = Table(["ann", "bob", "cat"], options)
            switch self {
            case .nothingDrawn: break
            case .oneDrawn: table.say("number 7", 1)
            case .tied, .tiedAndOneDrawn, .manyTies:
                for round in 0..<(self == .manyTies ? 3 : 1) {
                    for index in 0..<3 where round == 0 || index < 2 {
                        table.say("number \(index < 2 ? 5 : 4)", index)
                    }
                }
                if self == .tiedAndOneDrawn { table.say("number 9", 1) }
            case .ordered: for index in 0..<3 { table.say("number \(9 - index)", index) }
            case .begun: table.begin()
            case .underWay, .twoRestarts:
                table.begin()
                for index in [0, 1, 2, 0] { table.say("move", index) }
            case .missedTurn:
                table.begin()
                table.say("move", 0)
                table.script.pass(seconds: 21)
            case .forfeited, .forfeitedAndLeft:
                table.begin()
                // Bob misses two turns in a row.
                for _ in 0..<2 {
                    table.say("move", 0)
                    table.script.pass(seconds: 20.5)
                    table.say("move", 2)
                }
                if self == .forfeitedAndLeft { table.say("leave", 1) }
            case .left:
                table.begin()
                table.say("move", 0)
                table.say("leave", 1)
            case .held:
                table.begin()
                table.say("move", 0)
                table.script.drop(table.ids[2])
                table.script.pass(seconds: 5)
            }
            table.skipAll()
            return table
        }

        /// Who has no seat any more.
        var absent: Set<Int> { self == .left || self == .forfeitedAndLeft ? [1] : [] }
    }

    /// Goal: a restart changes nothing of a race. Method: the same race is played on with and without, and both leave
    /// the same record: numbers, order, dice, events, standings and digest.
    @Test(arguments: Situation.allCases, ["3 finish=14", "3 finish=14 draw=sealed", "3 finish=14 rule=dash"])
    func `a race goes on as if nothing had been`(situation: Situation, options: String) throws {
        let isDash = options.contains("dash")
        if isDash, [.missedTurn, .forfeited, .forfeitedAndLeft].contains(situation) { return }
        var restarted = situation.table(options)
        var steady = restarted
        if situation == .held { steady.ids[2] = steady.script.rejoin("cat", steady.keys[2], auto: false) }
        restarted.restart(without: situation.absent)
        if situation == .twoRestarts { restarted.restart(seq: 2) }
        #expect(restarted.script.logged("matches-restored", "count") == "1")
        #expect(restarted.script.logged("matches-restored", "left-out") == "0")
        for index in 0..<3 where !situation.absent.contains(index) {
            let lines = restarted.script.read(restarted.ids[index])
            #expect(lines.line("welcome") != nil && lines.line("error") == nil, "\(lines)")
            #expect(lines.line("snapshot")?.value("match") == "1" || situation == .twoRestarts, "\(lines)")
        }
        steady.playOn()
        restarted.playOn()
        let record = try #require(restarted.script.keptRecords.last)
        #expect(record == steady.script.keptRecords.last)
        #expect(record.workedOutDigest == record.over.digest)
        #expect(RecordCheck(record).fault == nil)
        #expect(restarted.script.store.keptMatches == [MatchID(1)])
    }

    @Test(arguments: ["turns", "dash"]) func `computer opponents go on too`(rule: String) throws {
        for moves in [0, 2] {
            var table = Table(["ann"], "bots=2 finish=20 rule=\(rule)")
            table.say("number 5", 0)
            if moves > 0 {
                table.say("set auto on", 0)
                for _ in 0..<moves {
                    table.script.pass(seconds: 3)
                    table.say("move", 0)
                }
            }
            table.restart()
            #expect(table.script.logged("matches-restored", "count") == "1")
            table.playOn()
            let record = try #require(table.script.keptRecords.last)
            #expect(record.over.outcome.reason == .finish, "\(moves) moves")
            #expect(RecordCheck(record).fault == nil)
        }
    }

    @Test func `numbers of an open round stay hidden, and count`() {
        var table = Situation.oneDrawn.table("3")
        table.restart()
        for index in 0..<3 { #expect(table.script.read(table.ids[index]).line("number") == nil) }
        #expect(table.script.ask("number 8", table.ids[1]).errorCode == "already-drew")
        table.say("number 6", 0)
        table.say("number 5", 2)
        #expect(table.script.read(table.ids[0]).line("order")?.value("seats") == "2,1,3")
    }

    @Test func `whoever saw everything is told nothing twice, and whoever saw a part is told the rest`() {
        var table = Situation.underWay.table("3 finish=100")
        // turn, moved, turn, moved, … : nine events.
        table.script.restart()
        let all = table.script.rejoin("ann", table.keys[0], seq: 9, auto: false)
        #expect(table.script.readVerbs(all) == ["welcome", "gone", "gone", "back"])
        let part = table.script.rejoin("bob", table.keys[1], seq: 6, auto: false)
        let lines = table.script.read(part)
        #expect(lines.lines("moved").map { $0.value("seq") } == ["8"], "\(lines)")
        #expect(lines.lines("turn").map { $0.value("seq") } == ["7", "9"])
        let none = table.script.rejoin("cat", table.keys[2], auto: false)
        #expect(table.script.read(none).line("snapshot")?.value("seq") == "9")
        #expect(table.script.ask("move", part).line("moved")?.value("seq") == "10")
    }

    @Test func `in binary one comes back by the same ways`() throws {
        var script = ServerScript(keepsMatches: true)
        let ann = script.connectBinary()
        script.send(.hello(Hello(name: "ann")), ann)
        guard case .welcome(_, _, let key?)? = script.readMessages(ann).first else {
            Issue.record("no key")
            return
        }
        let bob = script.join("bob", auto: false)
        script.send(.findMatch(RaceRequest(minimum: 2, maximum: 2)), ann)
        script.type("play 2", bob)
        script.restart()
        let back = script.connectBinary()
        script.send(.hello(Hello(name: "ann", key: key)), back)
        let messages = script.readMessages(back)
        guard case .snapshot(let snapshot)? = messages.dropFirst().first else {
            Issue.record("no snapshot in \(messages)")
            return
        }
        #expect(snapshot.state == .waitingForRandomNumber && snapshot.ownSeat == Seat(1))
    }

    @Test func `all clocks begin anew, so down time costs nobody a turn or a seat`() {
        var table = Situation.underWay.table("3 finish=100")
        table.script.pass(seconds: 19)
        table.skipAll()
        table.restart()
        #expect(table.script.read(table.ids[0]).line("snapshot")?.value("seconds") == "20")
        table.skipAll()
        table.script.pass(seconds: 19.9)
        #expect(table.script.read(table.ids[0]).line("moved") == nil)
        table.script.pass(seconds: 0.2)
        #expect(table.script.read(table.ids[0]).line("moved")?.contains("auto") == true)
    }

    @Test func `who does not come back loses the seat after the usual time, and nobody else does`() {
        var table = Situation.underWay.table("3 finish=100")
        table.restart(without: [1])
        table.skipAll()
        for _ in 0..<29 {
            table.script.pass(seconds: 1)
            for index in [0, 2] { table.say("move", index) }
        }
        #expect(table.script.read(table.ids[0]).lines("forfeit") == [])
        table.script.pass(seconds: 1.5)
        #expect(table.script.read(table.ids[0]).line("forfeit")?.value("reason") == "gone")
    }

    @Test func `when nobody comes back the race is abandoned and nothing is left`() {
        var table = Situation.underWay.table("3 finish=100")
        table.script.restart()
        table.script.pass(seconds: 300)
        #expect(table.script.keptRecords.map(\.over.outcome.reason) == [.abandoned])
        #expect(table.script.isEmpty())
    }

    @Test func `names of the race are its players' still, and match ids go on behind it`() {
        var table = Situation.underWay.table("3 finish=100")
        table.restart()
        #expect(table.script.ask("name ann", table.script.connect()).errorCode == "alias-taken")
        let others = table.script.begunRace(["dan", "eve"])
        #expect(
            table.script.ask("matches", others[0]).lines("match").compactMap { $0.value("id") }.sorted() == [
                "1", "2",
            ])
        #expect(table.script.ask("who ann", others[0]).line("player")?.value("state") == "racing")
    }

    @Test func `spectators can watch it again`() {
        var table = Situation.underWay.table("3 finish=100")
        table.restart()
        let eve = table.script.join("eve")
        #expect(table.script.ask("watch 1", eve).line("snapshot")?.value("seq") == "9")
    }

    @Test func `what is saved is taken once: behind a sudden end nothing comes back, and nobody loses`() {
        var table = Situation.underWay.table("3 finish=100")
        table.restart()
        table.script.beginAnew(with: table.script.store.takeSavedMatches())
        #expect(table.script.logged("matches-restored", "count") == "0")
        let ann = table.script.rejoin("ann", table.keys[0], seq: 9, auto: false)
        let lines = table.script.read(ann)
        #expect(lines.line("welcome") != nil && lines.line("snapshot") == nil)
        // By hand one is told so.
        let byHand = table.script.connect()
        table.script.type("name bob \(table.keys[1])", byHand)
        let note = table.script.read(byHand).last ?? ""
        #expect(note.hasPrefix("# you are in no race now: play looks for one"))
        #expect(table.script.ask("player ann", ann).line("standing")?.value("races") == "0")
        #expect(table.script.keptRecords == [])
        #expect(table.script.ask("play 2", ann).line("queued") != nil)
    }

    /// Goal: no saved match traps or half remains. Method: one of every situation, with one thing changed at a time.
    @Test func `a saved match that does not fit is left out whole, and the others are restored`() {
        var table = Situation.underWay.table("3 finish=100")
        _ = table.script.begunRace(["x1", "x2"])
        table.script.feed(.stop)
        let saved = table.script.store.takeSavedMatches()
        #expect(saved.count == 2)
        var faults: [(String, (inout SavedMatch) -> Void)] = [
            ("nonce", { $0.nonce = .zero }),
            ("another seal", { $0.found.seal = .zero }),
            ("a match id to come", { $0.found.match = MatchID(900) }),
            ("match 0", { $0.found.match = MatchID(0) }),
            ("a holder too few", { $0.holders.removeLast() }),
            ("nobody", { $0.holders = [nil, nil, nil] }),
            ("one player twice", { $0.found.seats[1].player = $0.found.seats[0].player }),
            ("a bot with a key", { $0.found.seats[1].player = PlayerID(0) }),
            ("other settings", { $0.request.settings.finish = 3 }),
            ("not begun", { $0.hasBegun = false }),
            ("a number more", { $0.hidden = [$0.numbers[0]] }),
            ("a number less", { $0.numbers.removeLast() }),
            ("another number", { $0.numbers[0].number ^= 1 }),
            ("no numbers", { $0.numbers = [] }),
            (
                "a move without its turn",
                { $0.events.noteMove(of: PlayerNumber(2), steps: 6, automatic: false) }
            ),
            ("a move out of turn", { $0.events.noteMove(of: PlayerNumber(1), steps: 1, automatic: false) }),
            ("a turn more", { $0.events.noteTurn(of: PlayerNumber(3)) }),
        ]
        faults.append(("the match is there already", { $0.found.match = MatchID(2) }))
        for (what, change) in faults {
            var script = table.script
            var wrong = saved[0]
            change(&wrong)
            script.beginAnew(with: [saved[1], wrong])
            #expect(script.logged("matches-restored", "count") == "1", "\(what)")
            #expect(script.logged("matches-restored", "left-out") == "1", "\(what)")
            #expect(script.server.census.matches == 1 && script.server.census.players == 2, "\(what)")
            script.pass(seconds: 300)
            #expect(script.isEmpty(), "\(what)")
        }
        var script = table.script
        script.beginAnew(with: saved)
        #expect(script.logged("matches-restored", "count") == "2")
    }
}
