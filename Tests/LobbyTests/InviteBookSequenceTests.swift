import Lobby
import RaceModel
import Testing

struct InviteBookSequenceTests {
    /// Goal: every invite ends exactly once, whatever happens in whatever order, and the limits hold
    /// throughout. Method: seeded invitations, answers, cancellations, goings and waits among six players; at
    /// the end everything still open is waited out.
    @Test func `every invite ends exactly once`() throws {
        for seed: UInt64 in 1...60 {
            var generator = SeededGenerator(seed: seed)
            var book = InviteBook()
            var now = Instant.zero
            var opened = Set<InviteID>()
            var closed: [InviteID] = []
            for _ in 0..<300 {
                now = now + .seconds(Int(generator.below(8)))
                closed += book.advance(now: now).map(\.invite.id)
                let player = PlayerID(1 + generator.below(6))
                let id = InviteID(generator.below(UInt64(opened.count) + 3))
                switch generator.below(8) {
                case 0..<4:
                    let request = RaceRequest(settings: RaceSettings(finish: UInt32(25 + generator.below(2))))
                    let other = PlayerID(1 + generator.below(6))
                    switch try? book.invite(from: player, to: other, request: request, now: now) {
                    case .sent(let invite)?: opened.insert(invite.id)
                    case .crossed(let closure)?: closed.append(closure.invite.id)
                    case nil: break
                    }
                case 4, 5:
                    let accept = generator.below(2) == 0
                    if let closure = try? book.answer(id, by: player, accept: accept, now: now) {
                        #expect(closure.invite.to == player, "seed \(seed)")
                        closed.append(closure.invite.id)
                    }
                case 6:
                    if let closure = try? book.cancel(id, by: player) {
                        #expect(closure.invite.from == player, "seed \(seed)")
                        closed.append(closure.invite.id)
                    }
                default: closed += book.drop(player, .offline).map(\.invite.id)
                }
                #expect(book.count == opened.count - closed.count, "seed \(seed)")
                for other: UInt64 in 1...6 {
                    #expect(book.sent(by: PlayerID(other)).count <= Limits.invitesPerPlayer, "seed \(seed)")
                }
            }
            closed += book.advance(now: now + Limits.inviteLife).map(\.invite.id)
            #expect(closed.count == opened.count, "seed \(seed)")
            #expect(Set(closed) == opened, "seed \(seed)")
            #expect(book.nextDeadline == nil, "seed \(seed)")
        }
    }
}
