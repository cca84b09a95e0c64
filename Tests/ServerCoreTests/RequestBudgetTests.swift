import RaceModel
import ServerCore
import Testing
import WireProtocol

/// How much one connection may ask for.
struct RequestBudgetTests {
    /// Small ones, so that the exact request shows.
    private static func script() -> ServerScript {
        var budgets = RequestBudgets()
        budgets.refusedMoves = Budget(perSecond: 2, burst: 4)
        budgets.lookUps = Budget(perSecond: 2, burst: 5)
        budgets.lists = Budget(perSecond: 2, burst: 6)
        budgets.inviting = Budget(perSecond: 2, burst: 7)
        budgets.talk = Budget(perSecond: 2, burst: 8)
        budgets.slowDowns = Budget(perSecond: 1, burst: 3)
        return ServerScript(budgets: budgets)
    }

    @Test(arguments: [
        ("alias 1", 5, "alias", "5 look-ups of aliases at once, then 2 a second"),
        ("who", 6, "who", "6 lists at once, then 2 a second"),
        ("matches", 6, "matches", "6 lists at once, then 2 a second"),
        ("invite nobody", 7, "invite", "7 invites and codes at once, then 2 a second"),
        ("join BALU-KITO-RA", 7, "join", "7 invites and codes at once, then 2 a second"),
        ("accept 9", 7, "answer", "7 invites and codes at once, then 2 a second"),
        ("move", 4, "move", "4 refused moves at once, then 2 a second"),
        ("ping 1", 5, "ping", "8 requests at once, then 2 a second"),
        ("why", 5, "why", "8 requests at once, then 2 a second"),
        ("unwatch", 5, "unwatch", "8 requests at once, then 2 a second"),
    ])
    func `a kind of request has its budget, and the first over it is told`(
        line: String, count: Int, re: String, text: String
    ) {
        var script = Self.script()
        // Two settings and a name are said on the way: three of the eight.
        let id = script.join("ann")
        for _ in 0..<count { #expect(script.ask(line, id).errorCode != "slow-down") }
        let over = script.ask(line, id)
        #expect(over == ["error re=\(re) code=slow-down text=\"too much at once: \(text)\""])
        // Half a second later there is one more.
        script.pass(seconds: 0.5)
        #expect(script.ask(line, id).errorCode != "slow-down")
        #expect(script.ask(line, id).errorCode == "slow-down")
        // Other kinds are not concerned, and one can always go.
        #expect(script.ask("quit", id).line("bye")?.value("reason") == "quit")
    }

    @Test func `who goes on asking is told so often, then closed, and every request is answered`() {
        var script = Self.script()
        let id = script.join("ann")
        script.send(Array(String(repeating: "alias 1\n", count: 1000).utf8), id)
        let verbs = script.readVerbs(id)
        #expect(
            verbs == [[String]](repeating: ["aliases", "alias"], count: 5).flatMap { $0 }
                + ["error", "error", "error", "bye"])
        #expect(script.isClosed.contains(id))
        #expect(script.logs.last?.event == "too-many-requests")
        // The new connection has a budget of its own.
        #expect(script.ask("alias 1", script.connect()).line("alias") != nil)
    }

    @Test func `frames have the same budgets, and the goodbye is a frame`() {
        var script = Self.script()
        let id = script.joinBinary("ann")
        for _ in 0..<9 { script.send(.lookUpAliases([PlayerID(1)]), id) }
        let messages = script.readMessages(id)
        #expect(messages.count == 9)
        guard case .error(let error) = messages[5], case .bye(.slowDown, _) = messages[8] else {
            Issue.record("\(messages)")
            return
        }
        #expect(error.code == .slowDown && error.request == ClientMessageNumber.lookUpAliases.rawValue)
    }

    @Test func `what is no message is charged like one`() {
        for (text, first) in [("nonsense", "unknown-verb"), ("ping x", "bad-value"), ("help", nil)] {
            var script = Self.script()
            let id = script.join("ann")
            for _ in 0..<5 { #expect(script.ask(text, id).errorCode == first) }
            #expect(script.ask(text, id).errorCode == "slow-down", "\(text)")
        }
    }

    /// Turns and steps that count are free, however fast they come, also for one whose budgets are used up.
    @Test func `a move that counts is never charged`() {
        for rule in ["rule=turns", "rule=dash"] {
            var script = Self.script()
            let ids = script.begunRace(["ann", "bob"], "\(rule) finish=2000")
            if rule == "rule=turns" {
                for _ in 0..<4 { _ = script.ask("move", ids[1]) }
                #expect(script.ask("move", ids[1]).errorCode == "slow-down")
            }
            while script.ask("ping 1", ids[0]).errorCode != "slow-down" {}
            script.skip(ids[0], ids[1])
            for number in 0..<500 {
                let id = ids[number % 2]
                #expect(script.ask("move", id).errorCode == nil)
            }
            #expect(script.isClosed.isEmpty)
        }
    }

    @Test func `race upon race is played without a charge`() {
        var script = Self.script()
        let ids = [script.joinBinary("ann"), script.joinBinary("bob")]
        for round in 1...100 {
            for (index, id) in ids.enumerated() {
                script.send(.findMatch(RaceRequest(settings: RaceSettings(rule: .dash, finish: 1))), id)
                script.send(.randomNumber(round: 0, number: UInt32(9 - index)), id)
            }
            script.send(.gameBegin, ids[0])
            script.send(.move(turn: 0), ids[0])
            let messages = script.readMessages(ids[1])
            #expect(messages.errorCode == nil, "round \(round)")
            #expect(messages.contains { if case .gameOver = $0 { true } else { false } }, "round \(round)")
        }
    }

    @Test func `fifty look-ups in one write have fifty answers`() {
        var script = ServerScript()
        let id = script.joinBinary("ann")
        script.send((0..<50).flatMap { _ in ClientMessage.lookUpAliases([PlayerID(1)]).frame }, id)
        let messages = script.readMessages(id)
        #expect(messages.count == 50 && messages.errorCode == nil)
    }
}
