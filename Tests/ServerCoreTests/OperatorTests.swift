import RaceModel
import Records
import ServerCore
import Testing
import WireProtocol

/// What operators ask of a running server.
struct OperatorTests {
    private func operate(_ command: OperatorCommand, _ script: inout ServerScript) -> OperatorAnswer? {
        script.feed(.operated(7, command))
        return script.operatorAnswers.last
    }

    private func lines(_ command: OperatorCommand, _ script: inout ServerScript) -> [String] {
        let answer = self.operate(command, &script).map { ControlAnswer($0).bytes } ?? []
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a match that is stopped leaves no result, and its players and spectators are free`() throws {
        var script = ServerScript()
        let ids = script.begunRace()
        let watcher = script.join("cat")
        _ = script.ask("watch 1", watcher)
        script.skip(ids[0], ids[1])
        #expect(self.operate(.stop(MatchID(1)), &script) == .done(closed: 0))
        let notice = "notice code=operator seconds=0 text=\"the operator has ended match 1 without a result\""
        #expect(script.read(ids[0]) == [notice, "stopped what=match"])
        #expect(script.read(ids[1]) == [notice, "stopped what=match"])
        #expect(script.read(watcher) == [notice, "stopped what=watch"])
        for request in script.resultRequests {
            if case .keep = request { Issue.record("a result was kept") }
        }
        #expect(script.server.census.matches == 0)
        #expect(
            self.operate(.stop(MatchID(1)), &script)
                == .refused("there is no match 1 now: matches lists those there are", code: .noSuchMatch))
        // Nothing of the old match comes any more, and the next one is as ever.
        script.pass(seconds: 100)
        script.skip(ids[0], ids[1])
        #expect(script.ask("play", ids[0]).line("queued") != nil)
        #expect(script.ask("play", ids[1]).line("found")?.contains("match=2") == true)
    }

    @Test func `a match is stopped in every state, seats that are held included`() {
        for seconds in [0, 5, 30] as [Double] {
            var script = ServerScript()
            let ids = script.race(["ann", "bob"], auto: false)
            script.drop(ids[1])
            script.pass(seconds: seconds)
            script.skip(ids[0])
            guard script.server.census.matches == 1 else { continue }
            #expect(self.operate(.stop(MatchID(1)), &script) == .done(closed: 0))
            #expect(script.read(ids[0]).last == "stopped what=match")
            #expect(script.server.census.players == 1)
        }
    }

    @Test func `who had their match stopped is told why`() {
        var script = ServerScript()
        let ids = script.begunRace()
        script.skip(ids[0])
        _ = self.operate(.stop(MatchID(1), reason: "tea \"time\""), &script)
        #expect(
            script.read(ids[0]).first
                == "notice code=operator seconds=0 text=\"the operator has ended match 1 without a result, because: "
                + "tea \\\"time\\\"\"")
    }

    @Test func `a race that is over keeps its result whatever the operator wants`() {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=2")
        _ = script.playOut(ids)
        #expect(
            self.operate(.stop(MatchID(1)), &script)
                == .refused("match 1 is over already, and its result stands"))
    }

    @Test func `a word to all reaches both dialects, and nobody who has not spoken`() throws {
        var script = ServerScript()
        let (text, binary, silent) = (script.join("ann"), script.joinBinary("bob"), script.connect())
        script.skip(text, binary)
        #expect(self.operate(.tell(nil, "tea \"time\""), &script) == .told(2))
        #expect(script.read(text) == ["notice code=operator seconds=0 text=\"tea \\\"time\\\"\""])
        #expect(script.readMessages(binary) == [.notice(.operator, seconds: 0, text: "tea \"time\"")])
        #expect(script.read(silent) == [])
        #expect(self.operate(.tell(PlayerID(1), "you"), &script) == .told(1))
        #expect(script.read(text) == ["notice code=operator seconds=0 text=you"])
        #expect(script.readBytes(binary) == [])
        #expect(
            self.operate(.tell(PlayerID(9), "you"), &script)
                == .refused("player 9 is not here", code: .noSuchPlayer))
    }

    @Test func `players and matches are listed with what an operator needs to act`() throws {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "Bob"], "finish=30")
        script.drop(ids[1])
        #expect(
            self.lines(.players(prefix: "b"), &script) == [
                "player id=2 alias=Bob state=gone match=1 idle=0", "ok",
            ])
        #expect(
            self.lines(.players(prefix: ""), &script).first
                == "player id=1 alias=ann state=racing match=1 address=127.0.0.1 dialect=text idle=0")
        #expect(
            self.lines(.matches, &script) == [
                "match id=1 state=active rule=turns finish=30 aliases=ann,Bob spectators=0 age=0", "ok",
            ])
        let seats = self.lines(.match(MatchID(1)), &script)
        #expect(seats.count == 4)
        #expect(seats[1].hasPrefix("seat n=1 player=1 alias=ann occupant=here number="))
        #expect(seats[2].hasPrefix("seat n=2 player=2 alias=Bob occupant=gone number="))
        #expect(self.operate(.find(try #require(Alias("BOB"))), &script) == .found(PlayerID(2)))
    }

    @Test func `limits, deadlines and bans by setting change for those who come from then on`() throws {
        var door = DoorSettings()
        door.clockOrigin = WallTime(seconds: 1_798_131_600)
        var script = ServerScript(door: door)
        let kept = try #require(Ban.Subject("198.51.100.1"))
        _ = self.operate(.ban(kept, seconds: nil, reason: ""), &script)
        func bySetting(_ text: String) throws -> Ban {
            Ban(subject: try #require(Ban.Subject(text)), until: nil, reason: "", made: Ban.bySetting)
        }
        door.connectionsPerAddress = 1
        door.bans = [try bySetting("192.0.2.0/24")]
        var deadlines = Deadlines()
        deadlines.turn = .seconds(7)
        let home = try #require(NetworkAddress("192.0.2.9"))
        let id = script.connect(from: home)
        #expect(self.operate(.change(door, deadlines), &script) == .done(closed: 1))
        #expect(script.isClosed.contains(id))
        #expect(script.banChanges.count == 1)
        let ids = script.begunRace()
        #expect(script.ask("why", ids[0]).line("waiting")?.value("left") == "7")
        let other = try #require(NetworkAddress("203.0.113.1"))
        _ = script.connect(from: other)
        #expect(script.read(script.connect(from: other)).line("bye")?.contains("reason=full") == true)
        door.bans = []
        #expect(self.operate(.change(door, deadlines), &script) == .done(closed: 0))
        guard case .bans(let bans)? = self.operate(.bans, &script) else { return }
        #expect(bans.map(\.ban.subject) == [kept])
    }

    @Test func `refusals, waits and who is turned away are counted, and who speaks what`() throws {
        var script = ServerScript()
        let ann = script.join("ann")
        _ = script.ask("move", ann)
        _ = script.ask("frob", ann)
        _ = script.ask("player nobody", ann)
        _ = script.ask("play", ann)
        script.pass(seconds: 3)
        let bob = script.joinBinary("bob")
        script.send(.findMatch(.init()), bob)
        let figures = script.server.figures
        #expect(figures.refusals(.notInMatch) == 1 && figures.refusals(.unknownVerb) == 1)
        #expect(figures.refusals(.noSuchPlayer) == 1)
        #expect(figures.queueWait.count == 2 && figures.queueWait.sum >= .seconds(3))
        _ = script.connect()
        let population = script.server.population
        #expect(population.connections == ["text": 1, "binary": 1, "unknown": 1])
        #expect(population.matches.values.reduce(0, +) == 1)
        _ = self.operate(.ban(try #require(Ban.Subject("127.0.0.0/8")), seconds: nil, reason: ""), &script)
        _ = script.connect()
        #expect(script.server.figures.turnedAway == ["banned": 1, "full": 0, "too-fast": 0])
    }

    @Test func `a deadline that is met late is measured by how late it is`() {
        var script = ServerScript()
        _ = script.connect()
        script.now = script.now + .milliseconds(1250)
        script.feed(.deadlinePassed)
        #expect(script.server.figures.lag.sum == .milliseconds(250))
    }

    @Test func `lines are made from the level on that is set, and hold ids, codes and no key`() throws {
        var script = ServerScript()
        let (_, key) = script.joinKeepingKey("ann")
        #expect(!script.logs.contains { $0.level == .debug })
        _ = self.operate(.logLevel(.debug), &script)
        let id = script.join("bob")
        _ = script.ask("name bob \(key)", id)
        _ = script.ask("move", id)
        let events = script.logs.map(\.event)
        for event in ["connected", "named", "request-refused"] { #expect(events.contains(event), "\(event)") }
        let refused = try #require(script.logs.last { $0.event == "request-refused" })
        #expect(refused.fields.map(\.key) == ["connection", "player", "code", "request"])
        #expect(refused.fields[1].value == "2" && refused.fields[2].value == "not-in-match")
        #expect(!script.logs.contains { $0.fields.contains { $0.value.contains(key) } })
        _ = self.operate(.logLevel(.error), &script)
        let before = script.logs.count
        _ = script.race(["cat", "dog"])
        #expect(script.logs.count == before)
    }

    @Test func `a race leaves a line when it is made and one when it is over`() throws {
        var script = ServerScript()
        let ids = script.begunRace(["ann", "bob"], "finish=2")
        _ = script.playOut(ids)
        let made = try #require(script.logs.first { $0.event == "match-made" })
        #expect(made.fields.map { "\($0.key)=\($0.value)" } == ["match=1", "rule=turns", "players=1,2"])
        let over = try #require(script.logs.first { $0.event == "match-over" })
        #expect(over.fields.first { $0.key == "reason" }?.value == "finish")
        #expect(["1", "2"].contains(over.fields.first { $0.key == "winner" }?.value))
    }
}
