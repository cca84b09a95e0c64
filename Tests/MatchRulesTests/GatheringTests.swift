import MatchRules
import RaceModel
import Testing

@Suite struct GatheringTests {
    @Test func `the draw opens when all seats are taken and named, in whatever order names come`() {
        var bench = Bench(3)
        bench.play(.joined(ann), .joined(bob), .namesKnown(bob), .joined(fay), .namesKnown(fay))
        let effects = bench.play(.namesKnown(ann))
        #expect(effects == [.matched, .roundOpened(1, .first(3)), .startClock(.number)])
    }

    @Test func `the look-up clock starts with the first who joins, and only then`() {
        var bench = Bench(3)
        #expect(bench.play(.joined(ann)) == [.startClock(.aliasLookUp)])
        #expect(bench.play(.joined(bob), .joined(fay)) == [])
    }

    @Test func `numbers that come early count, and are shown with the others`() {
        var bench = Bench()
        bench.play(.joined(ann), .drewNumber(ann, round: 0, number: 9), .joined(bob), .namesKnown(ann))
        #expect(bench.play(.drewNumber(bob, round: 1, number: 11)) == [])
        let effects = bench.play(.namesKnown(bob))
        #expect(
            effects == [
                .matched, .roundOpened(1, .first(2)), .startClock(.number),
                .revealed(round: 1, seat: ann, number: 9, byServer: false),
                .revealed(round: 1, seat: bob, number: 11, byServer: false),
                .ordered(Lineup([bob, ann])), .startClock(.start),
            ])
        #expect(bench.match.stateName == .waitingForStart)
    }

    @Test func `early numbers can be equal, and then the second round is open at once`() {
        var bench = Bench()
        bench.play(.joined(ann), .joined(bob), .namesKnown(ann))
        bench.play(.drewNumber(ann, round: 1, number: 4), .drewNumber(bob, round: 1, number: 4))
        let effects = bench.play(.namesKnown(bob))
        #expect(effects.suffix(2) == [.roundOpened(2, .first(2)), .startClock(.number)])
        #expect(bench.match.draw?.round == 2)
    }

    @Test func `an alias that does not come is done without`() {
        var bench = Bench(3)
        bench.play(.joined(ann), .joined(bob), .joined(fay), .namesKnown(fay))
        let effects = bench.play(.deadlinePassed)
        #expect(effects == [.matched, .roundOpened(1, .first(3)), .startClock(.number)])
    }

    @Test func `a seat that nobody took cancels the match in its name`() {
        var bench = Bench(3)
        bench.play(.joined(ann), .namesKnown(ann))
        #expect(bench.play(.deadlinePassed) == [.cancelled(by: bob, .gone), .stopClock, .closed])
        #expect(bench.match.isClosed)
        #expect(bench.match.ending?.outcome == nil)
    }

    @Test func `before the race anyone who leaves, or does not come back, cancels it without a result`() {
        for begin in [Bench.drawing(3), Bench.starting(3)] {
            var leaving = begin
            #expect(
                leaving.play(.left(fay))
                    == [.cancelled(by: fay, .left), .departed(fay), .stopClock, .closed])
            #expect(leaving.match.ending?.outcome == nil && leaving.match.race == nil)

            var going = begin
            going.play(.dropped(bob))
            #expect(
                going.play(.graceExpired(bob))
                    == [.releaseSeat(bob), .cancelled(by: bob, .gone), .departed(bob), .stopClock, .closed])
        }
    }

    @Test func `seats that cannot exist are refused everywhere`() {
        for bench in StateTable.scenes.joined().map(\.bench) {
            for value: UInt8 in [0, bench.match.size + 1, 9, 64, 255] {
                let seat = Seat(value)
                for event: Match.Event in [
                    .joined(seat), .namesKnown(seat), .drewNumber(seat, round: 0, number: 1), .began(seat),
                    .moved(seat, turn: 0), .left(seat), .dropped(seat), .returned(seat), .graceExpired(seat),
                    .offeredRematch(seat), .withdrewRematch(seat),
                ] {
                    var bench = bench
                    let before = bench.match
                    let effects = bench.apply(event)
                    guard effects.count == 1, case .refused? = effects.first else {
                        Issue.record("\(event): \(effects)")
                        continue
                    }
                    #expect(bench.match == before)
                }
            }
        }
    }
}
