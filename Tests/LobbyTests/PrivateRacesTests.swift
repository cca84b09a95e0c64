import Lobby
import RaceModel
import Testing

struct PrivateRacesTests {
    private static func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    private static func races() -> (PrivateRaces, SeededGenerator) {
        (PrivateRaces(fill: .seconds(10)), SeededGenerator(seed: 1))
    }

    private static func started(_ event: PrivateRace.Event?) -> [UInt64]? {
        if case .started(let group)? = event { return group.tickets.map(\.player.value) }
        return nil
    }

    @Test func `a guest with the code makes the race start at once, host first`() throws {
        var (races, generator) = Self.races()
        let race = try races.host(PlayerID(9), request: RaceRequest(), now: Self.at(0), using: &generator)
        #expect(race.starts == nil)
        #expect(races.advance(now: Self.at(5)).isEmpty)
        let joined = try races.join(PlayerID(2), code: race.code.description, now: Self.at(5))
        #expect(joined.players == [PlayerID(9), PlayerID(2)])
        #expect(throws: PrivateFault.noSuchCode) {
            try races.join(PlayerID(3), code: race.code.description, now: Self.at(5))
        }
        #expect(Self.started(races.advance(now: Self.at(5)).first) == [9, 2])
        #expect(races.count == 0)
        #expect(races.race(of: PlayerID(9)) == nil)
        #expect(races.nextDeadline == nil)
    }

    @Test func `a code can be typed in any case, without dashes, with spaces and look-alike digits`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let code = RaceCode(using: &generator)
            let text = code.description
            #expect(RaceCode(text.lowercased()) == code)
            #expect(RaceCode(String(text.filter { $0 != "-" })) == code)
            #expect(RaceCode(" \(text) ") == code)
            #expect(RaceCode(String(text.map { $0 == "O" ? "0" : $0 == "I" ? "1" : $0 })) == code)
            #expect(text.utf8.count == 12)
        }
        for text in [
            "", "-", "BALU", "BALU-KITO", "BALU-KITO-RAX", "BALU-KITO-RAXA", "BALU-KITO-XA", "ÄALU-KITO-RA",
        ] {
            #expect(RaceCode(text) == nil, "\(text)")
        }
        #expect(RaceCode("balu kito ra")?.description == "BALU-KITO-RA")
        #expect(RaceCode(String(repeating: "BA", count: 2000)) == nil)
    }

    /// Goal: codes cannot be guessed. Method: 20,000 codes of one seed; among some 3.3 billion about 0.06
    /// pairs are expected to be equal, and every letter must turn up in its places.
    @Test func `codes are drawn from all there are`() {
        var generator = SeededGenerator(seed: 4)
        let codes = (0..<20_000).map { _ in RaceCode(using: &generator).description }
        #expect(Set(codes).count >= 19_999)
        for position in [0, 2, 5, 7, 10] {
            let letters = Set(codes.map { Array($0)[position] })
            #expect(letters.count == 16)
        }
        for position in [1, 3, 6, 8, 11] { #expect(Set(codes.map { Array($0)[position] }).count == 5) }
    }

    @Test func `a range starts when its wait is over, and a guest may leave before`() throws {
        var (races, generator) = Self.races()
        let request = RaceRequest(minimum: 2, maximum: 4)
        let code = try races.host(PlayerID(1), request: request, now: Self.at(0), using: &generator).code
            .description
        _ = try races.join(PlayerID(2), code: code, now: Self.at(20))
        #expect(races.nextDeadline == Self.at(30))
        let left = races.leave(PlayerID(2), now: Self.at(21))
        #expect(left == races.race(of: PlayerID(1)).map { .left(PlayerID(2), $0) })
        #expect(races.race(of: PlayerID(1))?.starts == nil)
        _ = try races.join(PlayerID(3), code: code, now: Self.at(40))
        _ = try races.join(PlayerID(4), code: code, now: Self.at(45))
        #expect(races.advance(now: Self.at(49)).isEmpty)
        let events = races.advance(now: Self.at(50))
        #expect(events.count == 1)
        #expect(Self.started(events.first) == [1, 3, 4])
    }

    @Test func `a full race that loses a guest before it starts waits again`() throws {
        var (races, generator) = Self.races()
        let request = RaceRequest(minimum: 2, maximum: 3)
        let code = try races.host(PlayerID(1), request: request, now: Self.at(0), using: &generator).code
            .description
        _ = try races.join(PlayerID(2), code: code, now: Self.at(1))
        #expect(try races.join(PlayerID(3), code: code, now: Self.at(2)).starts == Self.at(2))
        _ = races.leave(PlayerID(3), now: Self.at(2))
        #expect(races.advance(now: Self.at(2)).isEmpty)
        #expect(races.nextDeadline == Self.at(11))
    }

    @Test func `the host's leaving closes the race and voids its code`() throws {
        var (races, generator) = Self.races()
        let request = RaceRequest(minimum: 3, maximum: 3)
        let code = try races.host(PlayerID(1), request: request, now: Self.at(0), using: &generator).code
            .description
        let race = try races.join(PlayerID(2), code: code, now: Self.at(1))
        #expect(races.leave(PlayerID(1), now: Self.at(2)) == .closed(race))
        #expect(races.leave(PlayerID(2), now: Self.at(2)) == nil, "the guest is free")
        #expect(throws: PrivateFault.noSuchCode) { try races.join(PlayerID(3), code: code, now: Self.at(2)) }
        #expect(races.nextDeadline == nil)
    }

    @Test func `a race that does not start is closed after ten minutes`() throws {
        var (races, generator) = Self.races()
        let race = try races.host(PlayerID(1), request: RaceRequest(), now: Self.at(0), using: &generator)
        #expect(races.nextDeadline == Self.at(600))
        #expect(races.advance(now: Self.at(599)).isEmpty)
        #expect(throws: PrivateFault.noSuchCode) {
            try races.join(PlayerID(2), code: race.code.description, now: Self.at(600))
        }
        #expect(races.advance(now: Self.at(600)) == [.expired(race)])
        #expect(races.count == 0)
    }

    @Test func `a player is in one private race at most`() throws {
        var (races, generator) = Self.races()
        let first = try races.host(PlayerID(1), request: RaceRequest(), now: Self.at(0), using: &generator)
        #expect(throws: PrivateFault.alreadyThere) {
            try races.host(PlayerID(1), request: RaceRequest(), now: Self.at(0), using: &generator)
        }
        #expect(throws: PrivateFault.alreadyThere) {
            try races.join(PlayerID(1), code: first.code.description, now: Self.at(0))
        }
        #expect(throws: PrivateFault.impossible(.tooFewPlayers)) {
            try races.host(
                PlayerID(2), request: RaceRequest(minimum: 1, maximum: 1), now: Self.at(0), using: &generator)
        }
    }

    @Test func `early numbers stay with their tickets, and computer opponents fill seats`() throws {
        var (races, generator) = Self.races()
        let request = RaceRequest(minimum: 4, maximum: 4, bots: 2)
        let race = try races.host(PlayerID(1), request: request, now: Self.at(0), using: &generator)
        let kept = races.setEarlyNumber(player: PlayerID(1), number: 7)
        #expect(kept)
        let stray = races.setEarlyNumber(player: PlayerID(2), number: 8)
        #expect(!stray)
        _ = try races.join(PlayerID(2), code: race.code.description, now: Self.at(0))
        guard case .started(let group)? = races.advance(now: Self.at(0)).first else {
            Issue.record("not started")
            return
        }
        #expect(group.tickets.map(\.earlyNumber) == [7, nil])
        #expect(group.bots == 2)
    }

    @Test func `many races start in the order of their deadlines`() throws {
        var (races, generator) = Self.races()
        for host: UInt64 in 1...100 {
            let solo = RaceRequest(minimum: 2, maximum: 2, bots: 1)
            _ = try races.host(PlayerID(host), request: solo, now: Self.at(0), using: &generator)
        }
        #expect(races.advance(now: Self.at(0)).map { Self.started($0) } == (1...100).map { [$0] })
    }
}
