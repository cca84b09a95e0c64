import ClientCore
import RaceModel
import Records
import Testing
import WireProtocol

@Suite struct ReplayShowTests {
    private func record(_ rule: RaceSettings.Rule = .turns) throws -> MatchRecord {
        let race = HonestRace(
            seed: 5, players: 3, settings: RaceSettings(rule: rule, draw: .highest, finish: 12), ownSeat: nil)
        return try #require(race.record)
    }

    private func report(_ record: MatchRecord) -> RaceReport {
        RaceCheck(witness: RaceWitness(record), over: record.over).report()
    }

    /// Tells all of it, and how long that took in seconds.
    private func run(_ show: inout ReplayShow, from start: Instant) -> ([ServerMessage], Double) {
        var now = start
        var told = show.advance(now: now)
        while let due = show.nextDeadline {
            now = due
            told += show.advance(now: now)
        }
        return (told, Double((now - start).nanoseconds) / 1e9)
    }

    @Test(arguments: RaceSettings.Rule.allCases)
    func `a replay tells what a spectator was told, and ends with the checks`(rule: RaceSettings.Rule) throws
    {
        let race = HonestRace(
            seed: 5, players: 3, settings: RaceSettings(rule: rule, draw: .highest, finish: 12), ownSeat: nil)
        let record = try #require(race.record)
        var show = ReplayShow(record, self.report(record), speed: .times(1), now: .zero)
        #expect(show.shownReport == nil)
        let (told, seconds) = self.run(&show, from: .zero)
        #expect(told.map(Self.withoutTimes) == race.messages.map(Self.withoutTimes))
        #expect(show.isOver && show.nextDeadline == nil)
        #expect(show.shownReport?.hasFailed == false)
        #expect(show.view.match?.over == record.over && show.view.match?.isSpectating == true)
        #expect(show.events.contains { $0.hasSuffix(" has won the race!") })
        #expect(seconds > 5 && seconds < 60)
    }

    private static func withoutTimes(_ message: ServerMessage) -> ServerMessage {
        switch message {
        case .gameBegin: .gameBegin(seconds: 0)
        case .turnStarted(let turn):
            .turnStarted(
                TurnStarted(sequence: turn.sequence, turn: turn.turn, player: turn.player, seconds: 0))
        default: message
        }
    }

    @Test func `plus and minus change the pace, and space stops it and goes on`() throws {
        let record = try self.record()
        var slow = ReplayShow(record, self.report(record), speed: .times(1), now: .zero)
        var fast = slow
        for _ in 1...3 { fast.press(.plus, now: .zero) }
        #expect(fast.status == "speed 8")
        let (_, slowly) = self.run(&slow, from: .zero)
        let (_, quickly) = self.run(&fast, from: .zero)
        #expect(abs(slowly / quickly - 8) < 0.1)

        var show = ReplayShow(record, self.report(record), speed: .times(64), now: .zero)
        show.press(.plus, now: .zero)
        #expect(show.speed == .times(100))
        for _ in 1...9 { show.press(.minus, now: .zero) }
        #expect(show.speed == .times(1))
        show.advance(now: .zero)
        show.press(.space, now: .zero)
        #expect(show.status == "paused" && show.nextDeadline == nil)
        #expect(show.advance(now: .zero + .seconds(999)).isEmpty)
        show.press(.space, now: .zero + .seconds(999))
        #expect(show.advance(now: .zero + .seconds(999)).count == 1)
    }

    @Test func `without pauses all is told at once`() throws {
        let record = try self.record(.dash)
        var show = ReplayShow(record, self.report(record), speed: .most, now: .zero)
        show.advance(now: .zero)
        #expect(show.isOver && show.status == "the end")
    }

    @Test func `the screen of a replay has keys of its own, and no time that runs`() throws {
        let record = try self.record()
        var show = ReplayShow(record, self.report(record), speed: .times(1), now: .zero)
        var now = Instant.zero
        while show.view.match?.onTurn == nil, let due = show.nextDeadline {
            now = due
            show.advance(now: now)
        }
        let screen = Screen(view: show.view, events: show.events, replay: show.status)
        let rows = screen.render(Screen.Size(columns: 70, rows: 20), now: now).map(\.text)
        #expect(rows[0] == "Cat Race  match 7, turns to 12  (replay)")
        #expect(rows.last == "space pause  + faster  - slower  q quit  (speed 1)")
        #expect(rows.contains { $0.hasSuffix("'s turn") })
        #expect(!rows.contains { $0.contains(" s)") })
    }
}

extension HonestRace {
    /// What is kept of it.
    var record: MatchRecord? {
        var found = self.found
        found.ownSeat = nil
        var numbers: [RevealedNumber] = []
        var log = RaceLog()
        for message in self.messages {
            switch message {
            case .randomNumber(let number): numbers.append(number)
            case .turnStarted(let turn): log.noteTurn(of: turn.player)
            case .moved(let moved):
                log.noteMove(of: moved.player, steps: moved.steps, automatic: moved.automatic)
            case .forfeited(let event): log.noteForfeit(of: event.player, event.reason)
            default: break
            }
        }
        return MatchRecord(found: found, numbers: numbers, order: self.order, events: log, over: self.over)
    }
}
