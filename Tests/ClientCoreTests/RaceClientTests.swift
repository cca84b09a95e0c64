import RaceModel
import Records
import Testing
import WireProtocol

@testable import ClientCore

@Suite struct RaceClientTests {
    private let key = PlayerKey(high: 1, low: 2)
    private let settings = RaceSettings(rule: .turns, draw: .highest, finish: 25)

    private func ann() throws -> Alias { try #require(Alias("ann")) }

    private func welcome(key: Bool = true) throws -> ServerMessage {
        .welcome(PlayerID(17), try self.ann(), key ? self.key : nil)
    }

    private func strategy(_ change: (inout Strategy) -> Void = { _ in }) -> Strategy {
        var strategy = Strategy(generator: SeededGenerator(seed: 5))
        change(&strategy)
        return strategy
    }

    @Test func `it says hello behind the preface and looks for its race once it is welcome`() throws {
        let request = RaceRequest(minimum: 2, maximum: 3)
        var client = RaceClient(RaceClient.Configuration(name: "ann", request: request))
        var outbox = ClientOutbox()
        client.handle(.connected, now: .zero, into: &outbox)
        var expected: [UInt8] = [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 1]
        BinaryEncoder.append(.hello(Hello(name: "ann")), to: &expected)
        #expect(outbox.bytes == expected)
        let events = client.feed([try self.welcome()])
        #expect(events.sent.last == .findMatch(request))
        #expect(
            client.view.identity == ClientIdentity(player: PlayerID(17), alias: try self.ann(), key: self.key)
        )
    }

    @Test func `it understands the same whatever the cuts, and whatever text comes first`() throws {
        let race = HonestRace(seed: 9, players: 3, settings: self.settings)
        var bytes = Array("hello server=catrace version=1\n# Welcome\n".utf8)
        Preface.appendAnswer(to: Preface.Offer(lowest: 1, highest: 1), to: &bytes)
        for message in race.messages { BinaryEncoder.append(message, to: &bytes) }
        for size in [1, 2, 3, 7, 64, bytes.count] {
            var client = RaceClient(RaceClient.Configuration(name: "ann"))
            var outbox = ClientOutbox()
            client.handle(.connected, now: .zero, into: &outbox)
            for start in stride(from: 0, to: bytes.count, by: size) {
                client.handle(
                    .received(bytes[start..<min(start + size, bytes.count)]), now: .zero, into: &outbox)
            }
            #expect(outbox.events.received == race.messages, "pieces of \(size)")
            #expect(!outbox.closes)
        }
    }

    @Test func `the view follows a race`() throws {
        let race = HonestRace(seed: 9, players: 3, settings: self.settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        _ = client.feed([try self.welcome()])
        let now = Instant(nanoseconds: 7)
        var positions: [PlayerNumber: UInt32] = [:]
        for message in race.messages {
            _ = client.feed([message], now: now, connects: false)
            let match = try #require(client.view.match)
            switch message {
            case .matchFound: #expect(match.state == .waitingForRandomNumber && match.ownSeat == Seat(1))
            case .playerOrder(let order):
                #expect(match.state == .waitingForStart)
                #expect(match.runners.sorted { $0.number! < $1.number! }.map(\.seat) == order)
            case .turnStarted(let turn):
                #expect(match.state == .active && match.onTurn == turn.player && match.turn == turn.turn)
                #expect(match.deadline == now + .seconds(20))
                #expect((match.duty == .move(turn: turn.turn)) == (turn.player == match.ownNumber))
            case .moved(let moved):
                positions[moved.player] = moved.position
                #expect(match.onTurn == nil && match.duty == nil && match.sequence == moved.sequence)
            case .gameOver(let over): #expect(match.state == .done && match.over == over)
            default: break
            }
            for runner in match.runners {
                #expect(runner.position == runner.number.flatMap { positions[$0] } ?? 0)
            }
        }
    }

    @Test func `it returns as the same player, with the last event it saw`() throws {
        let race = HonestRace(seed: 9, players: 2, settings: self.settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        let cut = race.messages.count - 4
        _ = client.feed([try self.welcome()] + race.messages[..<cut])
        let seen = try #require(client.view.match?.sequence)
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        let events = client.feed([try self.welcome(key: false)] + race.messages[cut...])
        #expect(events.sent == [.hello(Hello(name: "ann", key: self.key, lastSeen: seen)), .why])
        guard case .checked(let report) = events.last else {
            Issue.record("nothing was checked")
            return
        }
        #expect(!report.hasFailed && report.summary.hasPrefix("checked: seal, drawn numbers, order, dice"))
    }

    @Test func `events told twice change nothing`() throws {
        let race = HonestRace(seed: 9, players: 2, settings: self.settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        _ = client.feed([try self.welcome()] + race.messages)
        let view = client.view
        let again = race.messages.filter { message in
            switch message {
            case .moved, .turnStarted, .gameOver: true
            default: false
            }
        }
        let events = client.feed(again, connects: false)
        #expect(client.view == view)
        #expect(events.received == again && events.count == again.count)
    }

    @Test func `a match that ended meanwhile is given up after the return`() throws {
        let race = HonestRace(seed: 9, players: 2, settings: self.settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        _ = client.feed([try self.welcome()] + race.messages[..<8])
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        let nothing = WaitReason(waitingFor: "you", what: .nothing, since: 1, left: nil, then: "nothing")
        let events = client.feed([try self.welcome(key: false), .reason(nothing)])
        #expect(events.last == .matchLost(.overMeanwhile))
        #expect(client.view.match == nil)
    }

    @Test func `a match that a server took with it in a sudden end is given up, and known as lost`() throws {
        let race = HonestRace(seed: 9, players: 2, settings: self.settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        _ = client.feed([try self.welcome()] + race.messages[..<8])
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        let notice = ServerMessage.notice(.suddenEnd, seconds: 2, text: "the server ended suddenly")
        let nothing = WaitReason(waitingFor: "you", what: .nothing, since: 1, left: nil, then: "nothing")
        let events = client.feed([try self.welcome(key: false), notice, .reason(nothing)])
        #expect(events.filter { $0 == .matchLost(.serverEndedSuddenly) }.count == 1)
        #expect(!events.contains(.matchLost(.overMeanwhile)))
        #expect(client.view.match == nil)
    }

    @Test func `the news of a sudden end takes nothing from who had no match`() throws {
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        let notice = ServerMessage.notice(.suddenEnd, seconds: 2, text: "")
        let events = client.feed([try self.welcome(), notice])
        #expect(events.last == .message(notice))
    }

    @Test func `no common version, wrong magic and bad frames end the connection with their reasons`() {
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        var outbox = ClientOutbox()
        var refusal: [UInt8] = []
        Preface.appendAnswer(to: Preface.Offer(lowest: 7, highest: 9), to: &refusal)
        client.handle(.connected, now: .zero, into: &outbox)
        client.handle(.received(refusal[...]), now: .zero, into: &outbox)
        #expect(outbox.events.last == .versionRefused(Preface.refusal) && outbox.closes)

        let streams: [[UInt8]] = [
            [0xC8, 1, 2, 3], [0xCA, 0x7E, 0xAC, 0xE1], [UInt8](repeating: 65, count: 5000),
            [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0, 0, 0], [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0, 0xFF, 0xFF],
            [0xCA, 0x7E, 0xAC, 0xE0, 0, 1, 0, 0, 0, 2, 84, 1],
        ]
        for stream in streams {
            var outbox = ClientOutbox()
            client.handle(.connected, now: .zero, into: &outbox)
            client.handle(.received(stream[...]), now: .zero, into: &outbox)
            guard case .fault = outbox.events.last else {
                Issue.record("no fault for \(stream.prefix(12))")
                continue
            }
            #expect(outbox.closes)
        }
    }

    @Test func `a message of a newer server is passed over`() throws {
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        var outbox = ClientOutbox()
        client.handle(.connected, now: .zero, into: &outbox)
        var bytes: [UInt8] = []
        Preface.appendAnswer(to: Preface.Offer(lowest: 1, highest: 1), to: &bytes)
        bytes += [0, 3, 250, 1, 2]
        BinaryEncoder.append(.pong(7), to: &bytes)
        client.handle(.received(bytes[...]), now: .zero, into: &outbox)
        #expect(outbox.events.received == [.pong(7)])
        #expect(!outbox.closes)
    }

    @Test func `numbers that are told again behind a snapshot count once`() throws {
        let race = HonestRace(seed: 9, players: 3, settings: self.settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"))
        let numbers = race.messages.filter { if case .randomNumber = $0 { true } else { false } }
        _ = client.feed([try self.welcome()] + race.messages.prefix(while: { $0 != numbers[0] }) + numbers)
        let seen = client.view.match?.numbers
        _ = client.feed(numbers)
        #expect(client.view.match?.numbers == seen)
    }

    @Test func `random bytes from a server never trap a client`() throws {
        for seed in 1...300 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var client = RaceClient(
                RaceClient.Configuration(name: "ann", request: RaceRequest()), strategy: self.strategy())
            let race = HonestRace(seed: seed, players: 2 + Int(seed % 7), settings: self.settings)
            var bytes: [UInt8] = []
            Preface.appendAnswer(to: Preface.Offer(lowest: 1, highest: 1), to: &bytes)
            BinaryEncoder.append(try self.welcome(), to: &bytes)
            for message in race.messages where generator.below(8) > 0 {
                BinaryEncoder.append(message, to: &bytes)
            }
            for _ in 0..<5 {
                let index = 8 + Int(generator.below(UInt64(bytes.count - 8)))
                bytes[index] = UInt8(truncatingIfNeeded: generator.next())
            }
            var outbox = ClientOutbox()
            client.handle(.connected, now: .zero, into: &outbox)
            client.handle(.received(bytes[...]), now: .zero, into: &outbox)
            _ = Screen(view: client.view, events: ["x"]).render(
                Screen.Size(columns: 40, rows: 12), now: .zero)
            #expect(outbox.events.first == .sent(.hello(Hello(name: "ann"))), "seed \(seed)")
        }
    }

    // MARK: Strategy

    @Test func `it draws, begins, moves in its turns at its pace and looks for the next race`() throws {
        let race = HonestRace(seed: 9, players: 2, settings: self.settings)
        let pace = Instant.Span.milliseconds(300)
        var client = RaceClient(
            RaceClient.Configuration(name: "ann", request: RaceRequest()),
            strategy: self.strategy {
                $0.pace = pace
                $0.afterRace = .findRace
                $0.racesLeft = 2
            })
        _ = client.feed([try self.welcome()])
        var now = Instant(nanoseconds: 1)
        var sent: [ClientMessage] = []
        for message in race.messages {
            now = now + .seconds(1)
            sent += client.feed([message], now: now, connects: false).sent
            guard let due = client.nextDeadline else { continue }
            #expect(due == now + pace)
            var outbox = ClientOutbox()
            client.handle(.deadlinePassed, now: due, into: &outbox)
            sent += outbox.events.sent
        }
        let own = try #require(race.order.firstIndex(of: Seat(1)))
        let turns: [ClientMessage] = race.messages.compactMap { message in
            guard case .turnStarted(let turn) = message, turn.player.index == own else { return nil }
            return .move(turn: turn.turn)
        }
        var expected = turns + [.findMatch(RaceRequest())]
        if own == 0 { expected.insert(.gameBegin, at: 0) }
        let numbers = sent.filter { if case .randomNumber = $0 { true } else { false } }
        #expect(!numbers.isEmpty)
        #expect(sent.filter { !numbers.contains($0) } == expected)
    }

    @Test func `in a dash it steps again only once its last step was told`() throws {
        let settings = RaceSettings(rule: .dash, draw: .highest, finish: 25)
        let race = HonestRace(seed: 2, players: 2, settings: settings)
        var client = RaceClient(RaceClient.Configuration(name: "ann"), strategy: self.strategy())
        _ = client.feed([try self.welcome()])
        var steps = 0
        var own = 0
        for message in race.messages {
            let sent = client.feed([message], connects: false).sent
            steps += sent.filter { $0 == .move(turn: 0) }.count
            if case .moved(let moved) = message, moved.player == client.view.match?.ownNumber { own += 1 }
            if case .moved = message, client.view.match?.state == .active { #expect(steps == own + 1) }
        }
        #expect(own > 3)
    }

    @Test func `manual play sends nothing by itself`() throws {
        let race = HonestRace(seed: 9, players: 2, settings: self.settings)
        var client = RaceClient(
            RaceClient.Configuration(name: "ann"),
            strategy: self.strategy {
                $0.drawsNumber = false
                $0.begins = false
                $0.pace = nil
            })
        let events = client.feed([try self.welcome()] + race.messages)
        #expect(events.sent == [.hello(Hello(name: "ann"))])
    }

    @Test func `a race is looked for again after a return, if one was being looked for`() throws {
        let request = RaceRequest(minimum: 2, maximum: 2)
        var client = RaceClient(RaceClient.Configuration(name: "ann", request: request))
        let queued = Queued(waiting: 1, minimum: 2, maximum: 2, startsIn: nil)
        _ = client.feed([try self.welcome(), .queued(queued)])
        #expect(client.view.queued == queued)
        var outbox = ClientOutbox()
        client.handle(.disconnected, now: .zero, into: &outbox)
        #expect(client.view.queued == nil)
        #expect(client.feed([try self.welcome(key: false)]).sent.last == .findMatch(request))
        _ = client.feed([.stopped(.queue)], connects: false)
        client.handle(.disconnected, now: .zero, into: &outbox)
        #expect(client.feed([try self.welcome(key: false)]).sent.count == 1)
    }
}
