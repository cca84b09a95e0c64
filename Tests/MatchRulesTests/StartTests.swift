import MatchRules
import RaceModel
import Testing

@Suite struct StartTests {
    @Test func `player 1 begins, whatever their seat`() {
        var bench = Bench.drawing(3)
        bench.play(.drewNumber(ann, round: 1, number: 1), .drewNumber(bob, round: 1, number: 3))
        bench.play(.drewNumber(fay, round: 1, number: 2))
        bench.refuse(.began(ann), .notPlayerOne)
        bench.refuse(.began(fay), .notPlayerOne)
        #expect(
            bench.play(.began(bob)) == [
                .began(byServer: false), .turnStarted(sequence: 1, turn: 1, player: player1),
                .startClock(.turn),
            ])
        bench.refuse(.began(bob), .wrongState)
    }

    @Test func `when player 1 does not begin the server does, and says so`() {
        var turns = Bench.starting()
        #expect(
            turns.play(.deadlinePassed) == [
                .began(byServer: true), .turnStarted(sequence: 1, turn: 1, player: player1),
                .startClock(.turn),
            ])
        var dash = Bench.starting(2, .dash)
        #expect(dash.play(.deadlinePassed) == [.began(byServer: true), .startClock(.idle)])
    }

    @Test func `nobody moves before the race has begun`() {
        var bench = Bench.starting()
        bench.refuse(.moved(ann, turn: 0), .wrongState)
        bench.refuse(.moved(ann, turn: 1), .wrongState)
        bench.play(.began(ann), .moved(ann, turn: 1))
    }
}
