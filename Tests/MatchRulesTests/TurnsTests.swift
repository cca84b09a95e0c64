import MatchRules
import RaceModel
import Testing

@Suite struct TurnsTests {
    @Test func `players take turns in the order of play, and each turn is one roll`() {
        var bench = Bench.racing(3, rolls: [6, 5, 4, 3])
        for (turn, seat) in [ann, bob, fay, ann].enumerated() {
            bench.play(.moved(seat, turn: UInt32(turn + 1)))
        }
        #expect(bench.match.positions == [9, 5, 4])
        #expect(bench.onTurn == player2)
    }

    @Test func `to reach the finish wins, and to pass it wins as well`() {
        for (roll, position) in [(4, 10), (6, 12)] as [(UInt8, UInt32)] {
            var bench = Bench.racing(2, finish: 10, rolls: [6, 6, roll])
            bench.play(.moved(ann, turn: 1), .moved(bob, turn: 2))
            #expect(
                bench.play(.moved(ann, turn: 3)) == [
                    .moved(
                        sequence: 6, turn: 3, player: player1, steps: roll, position: position,
                        automatic: false),
                    .over(sequence: 7, Outcome(winner: player1, reason: .finish)), .startClock(.rematch),
                ])
        }
    }

    @Test func `one field short is not the finish`() {
        var bench = Bench.racing(2, finish: 7, rolls: [6])
        bench.play(.moved(ann, turn: 1))
        #expect(bench.match.stateName == .active)
        #expect(bench.match.positions == [6, 0])
    }

    @Test func `a second player can win, and player 1 has not won then`() {
        var bench = Bench.racing(2, finish: 6, rolls: [5, 6])
        bench.play(.moved(ann, turn: 1), .moved(bob, turn: 2))
        #expect(bench.match.ending?.outcome == Outcome(winner: player2, reason: .finish))
    }

    @Test func `a late or repeated move is refused, never played twice`() {
        var bench = Bench.racing()
        bench.play(.moved(ann, turn: 1))
        bench.refuse(.moved(ann, turn: 1), .staleTurn)
        bench.refuse(.moved(bob, turn: 3), .staleTurn)
        bench.refuse(.moved(ann, turn: 2), .notYourTurn)
        bench.play(.moved(bob, turn: 2))
        bench.refuse(.moved(bob, turn: 2), .staleTurn)
        bench.refuse(.moved(ann, turn: .max), .staleTurn)
    }

    @Test func `of five moves in one turn one is played`() {
        for turn: UInt32 in [0, 1] {
            var bench = Bench.racing(2, rolls: [3, 6, 6, 6, 6])
            let answers = (1...5).map { _ in bench.apply(.moved(ann, turn: turn)) }
            let refusal: Refusal = turn == 0 ? .notYourTurn : .staleTurn
            #expect(answers.dropFirst().allSatisfy { $0 == [.refused(refusal)] })
            #expect(bench.match.positions == [3, 0])
            #expect(bench.chance.rolls.count == 4, "a refused move does not use up a roll")
        }
    }

    @Test func `for who misses a turn the server rolls`() {
        var bench = Bench.racing(2, rolls: [5])
        #expect(
            bench.play(.deadlinePassed) == [
                .moved(sequence: 2, turn: 1, player: player1, steps: 5, position: 5, automatic: true),
                .turnStarted(sequence: 3, turn: 2, player: player2), .startClock(.turn),
            ])
    }

    @Test func `who misses two turns in a row forfeits`() {
        var bench = Bench.racing(3)
        bench.play(.deadlinePassed, .moved(bob, turn: 2), .moved(fay, turn: 3))
        #expect(
            bench.play(.deadlinePassed) == [
                .forfeited(sequence: 8, player: player1, reason: .missedTurns),
                .turnStarted(sequence: 9, turn: 5, player: player2), .startClock(.turn),
            ])
        bench.refuse(.moved(ann, turn: 5), .outOfRace)
        #expect(bench.match.positions == [1, 1, 1], "the second time nobody rolls")
        #expect(bench.match.members == .first(3), "who forfeits so is still there")
    }

    @Test func `a move between two missed turns forgives the first`() {
        var bench = Bench.racing(2)
        bench.play(.deadlinePassed, .moved(bob, turn: 2), .moved(ann, turn: 3), .moved(bob, turn: 4))
        let effects = bench.play(.deadlinePassed)
        #expect(
            effects.first
                == .moved(sequence: 10, turn: 5, player: player1, steps: 1, position: 3, automatic: true))
    }

    @Test func `another's missed turn does not count as one's own`() {
        var bench = Bench.racing(2)
        bench.play(.deadlinePassed, .deadlinePassed)
        #expect(bench.match.forfeited.isEmpty)
        #expect(bench.match.positions == [1, 1])
    }

    @Test func `a roll that the server makes can win`() {
        var bench = Bench.racing(2, finish: 6, rolls: [6])
        bench.play(.deadlinePassed)
        #expect(bench.match.ending?.outcome == Outcome(winner: player1, reason: .finish))
    }

    @Test func `the order of play passes over who is out`() {
        var bench = Bench.racing(4)
        bench.play(.left(bob), .left(fay), .moved(ann, turn: 1))
        #expect(bench.onTurn == PlayerNumber(4))
        bench.play(.moved(dan, turn: 2))
        #expect(bench.onTurn == player1)
    }

    @Test func `who leaves on turn passes the turn on, and who leaves off turn does not`() {
        var on = Bench.racing(3)
        #expect(
            on.play(.left(ann)) == [
                .forfeited(sequence: 2, player: player1, reason: .left), .departed(ann),
                .turnStarted(sequence: 3, turn: 2, player: player2), .startClock(.turn),
            ])
        var off = Bench.racing(3)
        #expect(
            off.play(.left(bob)) == [
                .forfeited(sequence: 2, player: player2, reason: .left), .departed(bob),
            ])
        off.play(.moved(ann, turn: 1))
        #expect(off.onTurn == player3)
    }
}
