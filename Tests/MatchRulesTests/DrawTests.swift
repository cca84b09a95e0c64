import MatchRules
import RaceModel
import Testing

@Suite struct DrawTests {
    /// Each seat's number of the open round, in order of seats.
    private static func draw(_ numbers: [UInt32], by seats: [Seat], in bench: inout Bench) -> [Match.Effect] {
        var effects: [Match.Effect] = []
        for (seat, number) in zip(seats, numbers) {
            effects += bench.play(.drewNumber(seat, round: 0, number: number))
        }
        return effects
    }

    @Test func `the highest number is player 1`() {
        for (numbers, order) in [
            ([7, 9, 8] as [UInt32], [bob, fay, ann]), ([3, 2, 1], [ann, bob, fay]),
            ([0, .max, .max - 1], [bob, fay, ann]),
        ] {
            var bench = Bench.drawing(3)
            _ = Self.draw(numbers, by: [ann, bob, fay], in: &bench)
            #expect(bench.order == order, "\(numbers)")
        }
    }

    @Test func `in draw sealed the number and the mask decide together, so the maximum wins nothing`() {
        var bench = Bench.drawing(2, draw: .sealed)
        bench.chance.masks = [[.max, 0]]
        let effects = Self.draw([.max, 1], by: [ann, bob], in: &bench)
        #expect(bench.order == [bob, ann], "ann ranks max XOR max, which is 0")
        #expect(effects.contains(.revealed(round: 1, seat: ann, number: .max, byServer: false)))
    }

    @Test func `in draw highest no mask counts`() {
        var bench = Bench.drawing()
        bench.chance.masks = [[.max, 0]]
        _ = Self.draw([.max, 1], by: [ann, bob], in: &bench)
        #expect(bench.order == [ann, bob])
    }

    @Test func `in draw sealed it is the masked numbers that tie`() {
        var bench = Bench.drawing(2, draw: .sealed)
        bench.chance.masks = [[5, 6], [1, 0]]
        let effects = Self.draw([6, 5], by: [ann, bob], in: &bench)
        #expect(effects.suffix(2) == [.roundOpened(2, .first(2)), .startClock(.number)])
        _ = Self.draw([8, 8], by: [ann, bob], in: &bench)
        #expect(bench.order == [ann, bob], "9 against 8")
    }

    @Test func `two who are equal draw again`() {
        var bench = Bench.drawing()
        let effects = Self.draw([9, 9], by: [ann, bob], in: &bench)
        #expect(
            effects == [
                .revealed(round: 1, seat: ann, number: 9, byServer: false),
                .revealed(round: 1, seat: bob, number: 9, byServer: false),
                .roundOpened(2, .first(2)), .startClock(.number),
            ])
        _ = Self.draw([1, 2], by: [ann, bob], in: &bench)
        #expect(bench.order == [bob, ann])
    }

    @Test func `of 9, 9 and 1 only the nines draw again, and stay ahead of the one`() {
        var bench = Bench.drawing(3)
        let effects = Self.draw([9, 1, 9], by: [ann, bob, fay], in: &bench)
        #expect(effects.suffix(2) == [.roundOpened(2, SeatSet([ann, fay])), .startClock(.number)])
        bench.refuse(.drewNumber(bob, round: 2, number: 100), .notTied)
        _ = Self.draw([0, 0], by: [ann, fay], in: &bench)
        _ = Self.draw([0, 7], by: [ann, fay], in: &bench)
        #expect(bench.order == [fay, ann, bob])
    }

    @Test func `the tied behind the first draw for the places behind the first`() {
        var bench = Bench.drawing(3)
        _ = Self.draw([5, 5, 9], by: [ann, bob, fay], in: &bench)
        _ = Self.draw([.max - 1, .max], by: [ann, bob], in: &bench)
        #expect(bench.order == [fay, bob, ann])
    }

    @Test func `when all are tied all draw again, and a smaller tie can follow`() {
        var bench = Bench.drawing(4)
        var effects = Self.draw([3, 3, 3, 3], by: [ann, bob, fay, dan], in: &bench)
        #expect(effects.contains(.roundOpened(2, .first(4))))
        effects = Self.draw([1, 8, 8, 2], by: [ann, bob, fay, dan], in: &bench)
        #expect(effects.contains(.roundOpened(3, SeatSet([bob, fay]))))
        _ = Self.draw([4, 5], by: [bob, fay], in: &bench)
        #expect(bench.order == [fay, bob, dan, ann])
    }

    @Test func `two pairs draw again together, each for its own places`() {
        var bench = Bench.drawing(4)
        let effects = Self.draw([1, 9, 1, 9], by: [ann, bob, fay, dan], in: &bench)
        #expect(effects.contains(.roundOpened(2, .first(4))))
        _ = Self.draw([.max, 1, .max - 1, 2], by: [ann, bob, fay, dan], in: &bench)
        #expect(bench.order == [dan, bob, ann, fay], "a low pair cannot pass a high one")
    }

    @Test func `equal numbers of different pairs are no tie`() {
        var bench = Bench.drawing(4)
        _ = Self.draw([1, 9, 1, 9], by: [ann, bob, fay, dan], in: &bench)
        _ = Self.draw([5, 5, 6, 6], by: [ann, bob, fay, dan], in: &bench)
        #expect(bench.order == [dan, bob, fay, ann])
    }

    @Test func `after three rounds the server draws for the tied, at once`() {
        var bench = Bench.drawing(3)
        bench.chance.numbers = [[], [], [], [50, 60, 0]]
        _ = Self.draw([9, 9, 1], by: [ann, bob, fay], in: &bench)
        _ = Self.draw([8, 8], by: [ann, bob], in: &bench)
        let effects = Self.draw([7, 7], by: [ann, bob], in: &bench)
        #expect(
            effects == [
                .revealed(round: 3, seat: ann, number: 7, byServer: false),
                .revealed(round: 3, seat: bob, number: 7, byServer: false),
                .roundOpened(4, .first(2)), .startClock(.number),
                .revealed(round: 4, seat: ann, number: 50, byServer: true),
                .revealed(round: 4, seat: bob, number: 60, byServer: true),
                .ordered(Lineup([bob, ann, fay])), .startClock(.start),
            ])
    }

    @Test func `after eight rounds the lower seat goes first`() {
        var bench = Bench.drawing(3)
        bench.chance.numbers = [[UInt32]](repeating: [4, 4, 4], count: 8)
        var effects: [Match.Effect] = []
        for _ in 1...3 { effects = Self.draw([4, 4, 4], by: [ann, bob, fay], in: &bench) }
        let rounds = effects.compactMap { if case .roundOpened(let round, _) = $0 { round } else { nil } }
        #expect(rounds == [4, 5, 6, 7, 8])
        #expect(bench.order == [ann, bob, fay])
    }

    @Test func `the server draws for who is silent, and says so`() {
        var bench = Bench.drawing(3)
        bench.chance.numbers = [[10, 20, 30]]
        bench.play(.drewNumber(bob, round: 1, number: 25))
        let effects = bench.play(.deadlinePassed)
        #expect(
            effects == [
                .revealed(round: 1, seat: ann, number: 10, byServer: true),
                .revealed(round: 1, seat: bob, number: 25, byServer: false),
                .revealed(round: 1, seat: fay, number: 30, byServer: true),
                .ordered(Lineup([fay, bob, ann])), .startClock(.start),
            ])
    }

    @Test func `who asks the server for a number is told it is the server's`() {
        var bench = Bench.drawing()
        bench.chance.numbers = [[77, 0]]
        bench.play(.drewNumber(ann, round: 0, number: nil))
        let effects = bench.play(.drewNumber(bob, round: 0, number: 78))
        #expect(effects.first == .revealed(round: 1, seat: ann, number: 77, byServer: true))
    }

    @Test func `a number for a round that is over, or not open yet, is refused`() {
        var bench = Bench.drawing()
        bench.refuse(.drewNumber(ann, round: 2, number: 1), .wrongRound)
        _ = Self.draw([9, 9], by: [ann, bob], in: &bench)
        bench.refuse(.drewNumber(ann, round: 1, number: 1), .wrongRound)
        bench.refuse(.drewNumber(ann, round: 3, number: 1), .wrongRound)
        bench.play(.drewNumber(ann, round: 2, number: 1))
        bench.refuse(.drewNumber(ann, round: 2, number: 2), .alreadyDrew)
    }

    @Test func `the latest number of each seat is the one that is kept`() throws {
        var bench = Bench.drawing(3)
        _ = Self.draw([9, 9, 1], by: [ann, bob, fay], in: &bench)
        bench.play(.drewNumber(ann, round: 2, number: 6))
        let draw = try #require(bench.match.draw)
        #expect([ann, bob, fay].map { draw.number(of: $0) } == [6, 9, 1])
    }
}
