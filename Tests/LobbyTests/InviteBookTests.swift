import Lobby
import RaceModel
import Testing

struct InviteBookTests {
    private let ann = PlayerID(1)
    private let bob = PlayerID(2)
    private let cat = PlayerID(3)

    private func sent(_ answer: InviteBook.Answer) throws -> Invite {
        guard case .sent(let invite) = answer else {
            Issue.record("\(answer)")
            throw InviteFault.noSuchInvite
        }
        return invite
    }

    private func send(
        _ book: inout InviteBook, _ from: PlayerID, _ to: PlayerID, at now: Instant = .zero,
        _ request: RaceRequest = RaceRequest()
    ) throws -> Invite {
        try self.sent(book.invite(from: from, to: to, request: request, now: now))
    }

    @Test func `an invite is answered once, and only by who was invited`() throws {
        var book = InviteBook()
        let invite = try self.send(&book, self.ann, self.bob)
        #expect(invite.id == InviteID(1))
        for (id, player) in [
            (invite.id, self.cat), (invite.id, self.ann), (InviteID(0), self.bob), (InviteID(2), self.bob),
            (InviteID(.max), self.bob),
        ] {
            #expect(throws: InviteFault.noSuchInvite) {
                try book.answer(id, by: player, accept: true, now: .zero)
            }
        }
        let closure = try book.answer(invite.id, by: self.bob, accept: true, now: .zero)
        #expect(closure == Invite.Closure(invite: invite, ending: .accepted))
        #expect(throws: InviteFault.noSuchInvite) {
            try book.answer(invite.id, by: self.bob, accept: true, now: .zero)
        }
        #expect(book.count == 0)
        #expect(book.nextDeadline == nil)
    }

    @Test func `a declined invite is gone, and a new one gets a new id`() throws {
        var book = InviteBook()
        let invite = try self.send(&book, self.ann, self.bob)
        #expect(try book.answer(invite.id, by: self.bob, accept: false, now: .zero).ending == .declined)
        #expect(try self.send(&book, self.ann, self.bob).id == InviteID(2))
    }

    @Test func `only the sender cancels, and then nobody can accept`() throws {
        var book = InviteBook()
        let invite = try self.send(&book, self.ann, self.bob)
        #expect(throws: InviteFault.noSuchInvite) { try book.cancel(invite.id, by: self.bob) }
        #expect(throws: InviteFault.noSuchInvite) { try book.cancel(invite.id, by: self.cat) }
        #expect(try book.cancel(invite.id, by: self.ann).ending == .cancelled)
        #expect(throws: InviteFault.noSuchInvite) { try book.cancel(invite.id, by: self.ann) }
        #expect(throws: InviteFault.noSuchInvite) {
            try book.answer(invite.id, by: self.bob, accept: true, now: .zero)
        }
    }

    @Test func `without an answer it is closed after a minute, once, and cannot be accepted from then on`()
        throws
    {
        var book = InviteBook()
        let invite = try self.send(&book, self.ann, self.bob)
        #expect(book.nextDeadline == .zero + .seconds(60))
        #expect(book.advance(now: .zero + .milliseconds(59_999)).isEmpty)
        #expect(throws: InviteFault.noSuchInvite) {
            try book.answer(invite.id, by: self.bob, accept: true, now: .zero + .seconds(60))
        }
        let closure = Invite.Closure(invite: invite, ending: .noAnswer)
        #expect(book.advance(now: .zero + .seconds(60)) == [closure])
        #expect(book.advance(now: .zero + .seconds(600)).isEmpty)
    }

    @Test func `who starts another race or goes takes all their invites along`() throws {
        for ending in [Invite.Ending.busy, .offline] {
            var book = InviteBook()
            let first = try self.send(&book, self.ann, self.bob)
            let second = try self.send(&book, self.cat, self.ann)
            let third = try self.send(&book, self.cat, self.bob)
            #expect(
                book.drop(self.ann, ending)
                    == [first, second].map { Invite.Closure(invite: $0, ending: ending) })
            #expect(book.drop(self.ann, ending).isEmpty, "both sides are told once")
            #expect(book.received(by: self.bob) == [third])
            #expect(throws: InviteFault.noSuchInvite) {
                try book.answer(first.id, by: self.bob, accept: true, now: .zero)
            }
        }
    }

    @Test func `crossing invites for equal races are one race, and both are gone`() throws {
        var book = InviteBook()
        let invite = try self.send(&book, self.ann, self.bob)
        let answer = try book.invite(from: self.bob, to: self.ann, request: RaceRequest(), now: .zero)
        #expect(answer == .crossed(Invite.Closure(invite: invite, ending: .accepted)))
        #expect(book.count == 0)
    }

    @Test func `crossing invites for different races stay open side by side`() throws {
        var book = InviteBook()
        let first = try self.send(&book, self.ann, self.bob)
        let dash = RaceRequest(settings: RaceSettings(rule: .dash))
        let second = try self.send(&book, self.bob, self.ann, dash)
        #expect(book.sent(by: self.ann) == [first])
        #expect(book.received(by: self.ann) == [second])
        #expect(try book.answer(first.id, by: self.bob, accept: true, now: .zero).invite == first)
        #expect(book.drop(self.bob, .busy) == [Invite.Closure(invite: second, ending: .busy)])
    }

    @Test func `an invite whose time is over crosses nothing`() throws {
        var book = InviteBook()
        _ = try self.send(&book, self.ann, self.bob)
        #expect(try self.send(&book, self.bob, self.ann, at: .zero + .seconds(60)).id == InviteID(2))
    }

    @Test func `nobody invites themselves, twice, too many, or for a race that is not for two`() throws {
        var book = InviteBook()
        func fault(_ from: PlayerID, _ to: PlayerID, _ request: RaceRequest = RaceRequest()) -> InviteFault? {
            do throws(InviteFault) {
                _ = try book.invite(from: from, to: to, request: request, now: .zero)
                return nil
            } catch { return error }
        }
        #expect(fault(self.ann, self.ann) == .toYourself)
        #expect(fault(self.ann, self.bob, RaceRequest(minimum: 3, maximum: 4)) == .impossible(.notForTwo))
        #expect(fault(self.ann, self.bob, RaceRequest(bots: 1)) == .impossible(.notForTwo))
        #expect(fault(self.ann, self.bob, RaceRequest(maximum: 9)) == .impossible(.tooManyPlayers))
        #expect(fault(self.ann, self.bob, RaceRequest(minimum: 3, maximum: 3, bots: 1)) == nil)
        #expect(fault(self.ann, self.bob) == .alreadyInvited)
        for other: UInt64 in 10..<14 { #expect(fault(self.ann, PlayerID(other)) == nil) }
        #expect(fault(self.ann, PlayerID(14)) == .tooManySent)
        for other: UInt64 in 100..<119 { #expect(fault(PlayerID(other), self.bob) == nil) }
        #expect(fault(PlayerID(119), self.bob) == .tooManyReceived, "ann's and 19 more")
        #expect(book.count == 24)
    }
}
