import Lobby
import RaceModel
import Testing

struct TicketQueueReferenceTests {
    private static let fill = Instant.Span.seconds(10)

    private static func request(_ generator: inout SeededGenerator, pools: UInt64) -> RaceRequest {
        let bots = UInt8(generator.below(4) == 0 ? 1 : 0)
        let minimum = UInt8(2 + generator.below(3)) + bots
        let maximum = minimum + UInt8(generator.below(3))
        return RaceRequest(
            minimum: minimum, maximum: maximum, group: UInt32(generator.below(pools)), bots: bots)
    }

    private static func byPool(_ groups: [[Ticket]]) -> [[UInt32]: [[Ticket]]] {
        Dictionary(grouping: groups) { [$0[0].request.group, UInt32($0[0].request.bots)] }
    }

    /// Goal: the queue matches exactly as the plain rule says. Method: seeded comings, goings and waits of up
    /// to seven tickets; after each the groups of every pool equal those found by looking at every subset,
    /// and the deadline it names is the first moment at which a set is due.
    @Test func `the queue does what trying every subset does`() throws {
        var matched = 0
        for seed: UInt64 in 1...100 {
            var generator = SeededGenerator(seed: seed)
            var queue = TicketQueue(fill: Self.fill)
            var reference = ReferenceQueue(fill: Self.fill)
            var now = Instant.zero
            var lastPlayer: UInt64 = 0
            var cancelled: [Ticket] = []
            for _ in 0..<60 {
                now = now + .seconds(Int(generator.below(4)))
                switch generator.below(8) {
                case 0..<5 where reference.tickets.count < 7:
                    lastPlayer += 1
                    let ticket = Ticket(
                        player: PlayerID(lastPlayer), request: Self.request(&generator, pools: 2), since: now)
                    try queue.add(ticket, now: now)
                    reference.add(ticket)
                case 5 where !reference.tickets.isEmpty:
                    let index = Int(generator.below(UInt64(reference.tickets.count)))
                    let ticket = reference.tickets[index]
                    #expect(queue.remove(player: ticket.player) == ticket, "seed \(seed)")
                    reference.remove(ticket.player)
                case 6 where !cancelled.isEmpty && reference.tickets.count < 7:
                    let ticket = cancelled.removeLast()
                    queue.returnToHead([ticket])
                    reference.add(ticket)
                default: break
                }
                let groups = queue.advance(now: now).map(\.tickets)
                let expected = reference.advance(now: now)
                #expect(Self.byPool(groups) == Self.byPool(expected), "seed \(seed)")
                #expect(queue.count == reference.tickets.count, "seed \(seed)")
                matched += groups.count
                cancelled = groups.last.map { Array($0.prefix(1)) } ?? cancelled
                if let deadline = queue.nextDeadline {
                    #expect(deadline > now, "seed \(seed)")
                    #expect(
                        reference.dueSet(Instant(nanoseconds: deadline.nanoseconds - 1)) == nil,
                        "seed \(seed)")
                    #expect(reference.dueSet(deadline) != nil, "seed \(seed)")
                } else {
                    #expect(reference.dueSet(now + .seconds(1000)) == nil, "seed \(seed)")
                }
            }
        }
        #expect(matched > 250, "\(matched) groups: too few to say anything")
    }
}
