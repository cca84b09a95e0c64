import Lobby
import RaceModel
import Testing

struct TicketQueueTests {
    static let fill = Instant.Span.seconds(10)

    static func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    static func ticket(
        _ player: UInt64, _ range: ClosedRange<UInt8> = 2...2, at seconds: Int = 0, bots: UInt8 = 0
    )
        -> Ticket
    {
        Ticket(
            player: PlayerID(player),
            request: RaceRequest(minimum: range.lowerBound, maximum: range.upperBound, bots: bots),
            since: Self.at(seconds))
    }

    static func players(_ groups: [Group]) -> [[UInt64]] { groups.map { $0.tickets.map(\.player.value) } }

    @Test func `two who want two are matched at once, oldest first`() throws {
        var queue = TicketQueue(fill: Self.fill)
        try queue.add(Self.ticket(2), now: Self.at(0))
        #expect(queue.advance(now: Self.at(0)).isEmpty)
        #expect(queue.nextDeadline == nil)
        try queue.add(Self.ticket(1, at: 1), now: Self.at(1))
        #expect(Self.players(queue.advance(now: Self.at(1))) == [[2, 1]])
        #expect(queue.count == 0)
        #expect(queue.nextDeadline == nil)
    }

    @Test func `a player has one ticket and is never matched with themselves`() throws {
        var queue = TicketQueue(fill: Self.fill)
        try queue.add(Self.ticket(1), now: Self.at(0))
        #expect(throws: TicketFault.alreadyQueued) { try queue.add(Self.ticket(1), now: Self.at(0)) }
        #expect(throws: TicketFault.alreadyQueued) { try queue.add(Self.ticket(1, 3...8), now: Self.at(0)) }
        #expect(queue.advance(now: Self.at(100)).isEmpty)
        #expect(queue.remove(player: PlayerID(1)) == Self.ticket(1))
        #expect(queue.remove(player: PlayerID(1)) == nil)
        try queue.add(Self.ticket(1), now: Self.at(101))
        try queue.add(Self.ticket(2, at: 102), now: Self.at(102))
        #expect(Self.players(queue.advance(now: Self.at(102))) == [[1, 2]])
    }

    @Test func `of five who want two one waits, and is matched when a sixth comes a minute later`() throws {
        var queue = TicketQueue(fill: Self.fill)
        var groups: [Group] = []
        for player: UInt64 in 1...5 {
            try queue.add(Self.ticket(player), now: Self.at(0))
            groups += queue.advance(now: Self.at(0))
        }
        #expect(Self.players(groups) == [[1, 2], [3, 4]])
        try queue.add(Self.ticket(6, at: 60), now: Self.at(60))
        #expect(Self.players(queue.advance(now: Self.at(60))) == [[5, 6]])
    }

    @Test func `interleaved sizes do not block each other`() throws {
        var queue = TicketQueue(fill: Self.fill)
        var groups: [Group] = []
        for (player, size) in [(1, 2), (2, 3), (3, 3), (4, 2), (5, 3)] as [(UInt64, UInt8)] {
            try queue.add(Self.ticket(player, size...size), now: Self.at(0))
            groups += queue.advance(now: Self.at(0))
        }
        #expect(Self.players(groups) == [[1, 4], [2, 3, 5]])
    }

    @Test func `a range waits for more once the fewest are there, and then starts with what there is`() throws
    {
        var queue = TicketQueue(fill: Self.fill)
        try queue.add(Self.ticket(1, 2...4), now: Self.at(0))
        #expect(try #require(queue.status(of: PlayerID(1))) == (1, nil))
        try queue.add(Self.ticket(2, 2...4, at: 5), now: Self.at(5))
        #expect(queue.advance(now: Self.at(5)).isEmpty)
        #expect(queue.nextDeadline == Self.at(15), "from the moment the fewest were there")
        #expect(try #require(queue.status(of: PlayerID(1))) == (2, Self.at(15)))
        try queue.add(Self.ticket(3, 2...4, at: 12), now: Self.at(12))
        #expect(queue.nextDeadline == Self.at(15), "a third does not make the others wait longer")
        #expect(queue.advance(now: Self.at(14)).isEmpty)
        #expect(Self.players(queue.advance(now: Self.at(15))) == [[1, 2, 3]])
    }

    @Test func `the most players start at once, and one more waits`() throws {
        var queue = TicketQueue(fill: Self.fill)
        for player: UInt64 in 1...9 { try queue.add(Self.ticket(player, 2...8), now: Self.at(0)) }
        #expect(Self.players(queue.advance(now: Self.at(0))) == [[1, 2, 3, 4, 5, 6, 7, 8]])
        #expect(queue.contains(PlayerID(9)))
        #expect(!queue.contains(PlayerID(8)))
    }

    @Test func `an older ticket that fits nobody blocks nobody`() throws {
        var queue = TicketQueue(fill: Self.fill)
        try queue.add(Self.ticket(1, 5...8), now: Self.at(0))
        try queue.add(Self.ticket(2, 2...4, at: 1), now: Self.at(1))
        try queue.add(Self.ticket(3, 3...5, at: 2), now: Self.at(2))
        #expect(queue.advance(now: Self.at(30)).isEmpty, "two are too few for 3-5")
        try queue.add(Self.ticket(4, 2...3, at: 31), now: Self.at(31))
        #expect(Self.players(queue.advance(now: Self.at(31))) == [[2, 3, 4]])
    }

    @Test func `only equal settings, groups and computer opponents meet`() throws {
        var queue = TicketQueue(fill: Self.fill)
        let requests = [
            RaceRequest(), RaceRequest(settings: RaceSettings(rule: .dash)),
            RaceRequest(settings: RaceSettings(draw: .sealed)),
            RaceRequest(settings: RaceSettings(finish: 26)),
            RaceRequest(group: 1), RaceRequest(minimum: 3, maximum: 3, bots: 1),
        ]
        for (index, request) in requests.enumerated() {
            try queue.add(
                Ticket(player: PlayerID(UInt64(index + 1)), request: request, since: .zero), now: .zero)
        }
        #expect(queue.advance(now: Self.at(1000)).isEmpty)
        for (index, request) in requests.enumerated() {
            try queue.add(
                Ticket(player: PlayerID(UInt64(index + 11)), request: request, since: .zero), now: .zero)
            let groups = queue.advance(now: .zero)
            #expect(Self.players(groups) == [[UInt64(index + 1), UInt64(index + 11)]])
            #expect(groups.first?.settings == request.settings)
            #expect(groups.first?.group == request.group)
            #expect(groups.first?.bots == request.bots)
        }
    }

    @Test func `computer opponents count among the players`() throws {
        var queue = TicketQueue(fill: Self.fill)
        try queue.add(Self.ticket(1, 2...2, bots: 1), now: Self.at(0))
        #expect(Self.players(queue.advance(now: Self.at(0))) == [[1]], "alone with one bot is a full race")
        try queue.add(Self.ticket(1, 2...8, bots: 7), now: Self.at(0))
        #expect(Self.players(queue.advance(now: Self.at(0))) == [[1]])
        try queue.add(Self.ticket(1, 2...4, bots: 1), now: Self.at(0))
        #expect(queue.advance(now: Self.at(0)).isEmpty, "others may still come")
        #expect(Self.players(queue.advance(now: Self.at(10))) == [[1]])
    }

    @Test func `impossible requests are refused`() {
        let cases: [(RaceRequest, RequestFault)] = [
            (RaceRequest(minimum: 0, maximum: 2), .tooFewPlayers),
            (RaceRequest(minimum: 1, maximum: 1), .tooFewPlayers),
            (RaceRequest(minimum: 3, maximum: 2), .rangeReversed),
            (RaceRequest(minimum: 2, maximum: 9), .tooManyPlayers),
            (RaceRequest(minimum: 255, maximum: 255), .tooManyPlayers),
            (RaceRequest(minimum: 2, maximum: 2, bots: 2), .tooManyBots),
            (RaceRequest(minimum: 2, maximum: 2, bots: 255), .tooManyBots),
            (RaceRequest(settings: RaceSettings(finish: 0)), .badFinish),
            (RaceRequest(settings: RaceSettings(finish: .max)), .badFinish),
        ]
        var queue = TicketQueue(fill: Self.fill)
        for (request, fault) in cases {
            #expect(throws: TicketFault.impossible(fault)) {
                try queue.add(Ticket(player: PlayerID(1), request: request, since: .zero), now: .zero)
            }
        }
        #expect(queue.count == 0)
    }

    @Test func `who comes back from a cancelled match is matched before younger tickets`() throws {
        var queue = TicketQueue(fill: Self.fill)
        for player: UInt64 in 1...2 { try queue.add(Self.ticket(player), now: Self.at(0)) }
        let tickets = try #require(queue.advance(now: Self.at(0)).first).tickets
        try queue.add(Self.ticket(3, at: 20), now: Self.at(20))
        queue.returnToHead([tickets[1]])
        queue.returnToHead([tickets[1]])
        #expect(queue.count == 2)
        #expect(Self.players(queue.advance(now: Self.at(20))) == [[2, 3]])
    }

    @Test func `a number that came early stays with its ticket`() throws {
        var queue = TicketQueue(fill: Self.fill)
        let early = queue.setEarlyNumber(player: PlayerID(1), number: 5)
        #expect(!early)
        try queue.add(Self.ticket(1), now: .zero)
        let kept = queue.setEarlyNumber(player: PlayerID(1), number: 5)
        #expect(kept)
        #expect(queue.ticket(of: PlayerID(1))?.earlyNumber == 5)
        try queue.add(Self.ticket(2), now: .zero)
        #expect(queue.advance(now: .zero).first?.tickets.map(\.earlyNumber) == [5, nil])
    }

    @Test func `status counts those who could share the race, companions names them`() throws {
        var queue = TicketQueue(fill: Self.fill)
        try queue.add(Self.ticket(1, 4...4), now: .zero)
        try queue.add(Self.ticket(2, 2...3), now: .zero)
        try queue.add(Self.ticket(3, 3...5), now: .zero)
        #expect(try #require(queue.status(of: PlayerID(1))) == (2, nil))
        #expect(try #require(queue.status(of: PlayerID(3))) == (3, nil))
        #expect(queue.status(of: PlayerID(4)) == nil)
        #expect(queue.companions(of: PlayerID(3), limit: 10) == [PlayerID(1), PlayerID(2)])
        #expect(queue.companions(of: PlayerID(3), limit: 1) == [PlayerID(1)])
        #expect(queue.companions(of: PlayerID(1), limit: 10) == [PlayerID(3)])
    }

    /// Goal: thousands of tickets at once are no trouble. Method: 20,000 in one pool and 10,000 pools of one
    /// ticket each, added before anything is matched; work that grew with either would not end in time.
    @Test(.timeLimit(.minutes(1))) func `thousands of tickets at once are matched in order`() throws {
        var queue = TicketQueue(fill: Self.fill)
        for group: UInt32 in 1...10_000 {
            let request = RaceRequest(group: group)
            try queue.add(
                Ticket(player: PlayerID(UInt64(group) + 100_000), request: request, since: .zero), now: .zero)
        }
        for player: UInt64 in 1...20_000 { try queue.add(Self.ticket(player), now: .zero) }
        let groups = queue.advance(now: .zero)
        #expect(groups.count == 10_000)
        #expect(Self.players(groups) == stride(from: 1, to: 20_000, by: 2).map { [$0, $0 + 1] })
        #expect(queue.count == 10_000)
    }
}
