import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Every message in every situation of a player, in both dialects: accepted, or refused with this code; and
/// a refusal
/// changes nothing for the others.
struct MatrixTests {
    enum Situation: Int, CaseIterable {
        case unnamed, idle, queued, hosting, waitingForMatch, waitingForNumber, waitingForStart, active, done,
            watching, forfeited
    }

    /// Columns in the order of `Situation`; `ok` is accepted.
    private static let table: [(ClientMessage, String)] = [
        (
            .hello(Hello(name: "new")),
            "ok " + String(repeating: "already-named ", count: 10)
        ),
        (
            .randomNumber(round: 0, number: 5),
            "not-named not-in-match ok ok ok ok wrong-state wrong-state wrong-state read-only wrong-state"
        ),
        (
            .randomNumber(round: 9, number: 5),
            """
            not-named not-in-match wrong-round wrong-round wrong-round wrong-round wrong-state wrong-state \
            wrong-state read-only wrong-state
            """
        ),
        (
            .gameBegin,
            """
            not-named not-in-match not-in-match not-in-match wrong-state wrong-state not-player-1 wrong-state \
            wrong-state read-only wrong-state
            """
        ),
        (
            .move(turn: 0),
            """
            not-named not-in-match not-in-match not-in-match wrong-state wrong-state wrong-state not-your-turn \
            wrong-state read-only out-of-race
            """
        ),
        (
            .move(turn: 77),
            """
            not-named not-in-match not-in-match not-in-match wrong-state wrong-state wrong-state stale-turn \
            wrong-state read-only out-of-race
            """
        ),
        (
            .findMatch(RaceRequest()),
            """
            not-named ok already-queued already-queued already-in-match already-in-match already-in-match \
            already-in-match ok ok already-in-match
            """
        ),
        (
            .findMatch(RaceRequest(bots: 2)),
            """
            not-named bad-settings bad-settings already-queued already-in-match already-in-match \
            already-in-match already-in-match bad-settings bad-settings already-in-match
            """
        ),
        (
            .cancelFind,
            """
            not-named not-queued ok ok not-queued not-queued not-queued not-queued not-queued not-queued \
            not-queued
            """
        ),
        (
            .leave,
            "not-named not-in-match not-in-match not-in-match ok ok ok ok ok read-only ok"
        ),
        (
            .rematch,
            """
            not-named not-in-match not-in-match not-in-match wrong-state wrong-state wrong-state wrong-state ok \
            read-only wrong-state
            """
        ),
        (.lookUpAliases([PlayerID(1)]), String(repeating: "ok ", count: 11)),
        (.listPlayers(prefix: "a", page: 1), String(repeating: "ok ", count: 11)),
        (.listMatches(page: 1), String(repeating: "ok ", count: 11)),
        (.leaderboard(.turns, page: 1), String(repeating: "ok ", count: 11)),
        (.replay(MatchID(.max), page: 1), String(repeating: "no-such-match ", count: 11)),
        (.lookUpPlayer(alias: "zoe"), String(repeating: "ok ", count: 11)),
        (
            .watch(MatchID(.max)),
            """
            not-named no-such-match no-such-match no-such-match already-in-match already-in-match \
            already-in-match already-in-match already-in-match no-such-match already-in-match
            """
        ),
        (
            .unwatch,
            """
            not-named not-in-match not-in-match not-in-match not-in-match not-in-match not-in-match \
            not-in-match not-in-match ok not-in-match
            """
        ),
        (
            .invite(alias: "zoe", RaceRequest()),
            """
            not-named ok ok ok already-in-match already-in-match already-in-match already-in-match ok ok \
            already-in-match
            """
        ),
        (
            .answerInvite(InviteID(99), accept: true),
            """
            not-named no-such-invite no-such-invite no-such-invite already-in-match already-in-match \
            already-in-match already-in-match no-such-invite no-such-invite already-in-match
            """
        ),
        (
            .answerInvite(InviteID(99), accept: false),
            "not-named " + String(repeating: "no-such-invite ", count: 10)
        ),
        (.cancelInvite(InviteID(0)), "not-named " + String(repeating: "no-such-invite ", count: 10)),
        (
            .hostPrivate(RaceRequest()),
            """
            not-named ok already-queued already-queued already-in-match already-in-match already-in-match \
            already-in-match ok ok already-in-match
            """
        ),
        (
            .joinPrivate(code: "BABA-BABA-BA"),
            """
            not-named no-such-code already-queued already-queued already-in-match already-in-match \
            already-in-match already-in-match no-such-code no-such-code already-in-match
            """
        ),
        (.why, String(repeating: "ok ", count: 11)),
        (.ping(1), String(repeating: "ok ", count: 11)),
        (.quit, String(repeating: "ok ", count: 11)),
    ]

    private struct Scene {
        var script: ServerScript
        let subject: ConnectionID
        let others: [ConnectionID]
    }

    /// Ann in this situation; bob, dan and zoe are the others. In a match ann is the last to move.
    private func scene(_ situation: Situation, isText: Bool) -> Scene {
        var script = ServerScript(cachedAliases: situation == .waitingForMatch ? 1 : 1000)
        var ann: ConnectionID
        switch (situation, isText) {
        case (.unnamed, true):
            ann = script.connect()
            script.type("set notes off", ann)
        case (.unnamed, false): ann = script.connectBinary()
        case (_, true): ann = script.join("ann", auto: false)
        case (_, false): ann = script.joinBinary("ann")
        }
        let others = ["bob", "dan", "zoe"].map { script.join($0, auto: false) }
        let (bob, dan) = (others[0], others[1])
        func annSends(_ message: ClientMessage) { script.send(isText ? message.line : message.frame, ann) }
        func play(_ count: UInt8, finish: UInt32 = 1000) {
            let settings = RaceSettings(finish: finish)
            annSends(.findMatch(RaceRequest(minimum: count, maximum: count, settings: settings)))
            for other in others.prefix(Int(count) - 1) {
                script.type("play \(count) finish=\(finish)", other)
            }
        }
        func begin() {
            annSends(.randomNumber(round: 0, number: 1))
            for (index, other) in others.enumerated() { script.type("number \(20 - index)", other) }
            script.type("begin", bob)
        }
        switch situation {
        case .unnamed, .idle: break
        case .queued: annSends(.findMatch(RaceRequest(minimum: 5, maximum: 5)))
        case .hosting: annSends(.hostPrivate(RaceRequest()))
        case .waitingForMatch:
            script.isStoreHeld = true
            play(2)
            // Only the aliases of the match don't come.
            script.isStoreHeld = false
        case .waitingForNumber: play(2)
        case .waitingForStart:
            play(2)
            annSends(.randomNumber(round: 0, number: 1))
            script.type("number 20", bob)
        case .active:
            play(2)
            begin()
        case .done:
            play(2, finish: 1)
            begin()
            script.type("move", bob)
        case .watching:
            for other in [bob, dan] { script.type("play finish=1000", other) }
            annSends(.watch(MatchID(1)))
        case .forfeited:
            play(3)
            begin()
            for _ in 0..<2 {
                script.type("move", bob)
                script.type("move", dan)
                script.pass(seconds: 20)
            }
        }
        for id in [ann] + others { script.skip(id) }
        return Scene(script: script, subject: ann, others: others)
    }

    /// What a player can find out about their own situation.
    private func view(_ script: ServerScript, _ others: [ConnectionID]) -> [[String]] {
        var script = script
        return others.map { other in
            // How long a player was silent changes with every message, refused or not.
            script.ask("why\nmatches\nwho", other).map { line in
                line.value("idle").map { line.replacing(" idle=\($0)", with: "") } ?? line
            }
        }
    }

    @Test(arguments: [true, false])
    func `every message in every situation is answered as the table says`(isText: Bool) {
        for situation in Situation.allCases {
            let scene = self.scene(situation, isText: isText)
            #expect(self.state(scene) == situation, "the scene itself")
            for (message, row) in Self.table {
                let cells = row.split(separator: " ").map(String.init)
                #expect(cells.count == Situation.allCases.count, "the table: \(message)")
                let expected = cells[situation.rawValue]
                var script = scene.script
                script.send(isText ? message.line : message.frame, scene.subject)
                let code =
                    isText
                    ? script.read(scene.subject).errorCode
                    : script.readMessages(scene.subject).errorCode?.name
                #expect(
                    code ?? "ok" == expected, "\(message) while \(situation), \(isText ? "text" : "binary")")
                guard expected != "ok" else { continue }
                for other in scene.others {
                    #expect(script.read(other) == [], "\(message) while \(situation) reaches others")
                }
                #expect(self.view(script, scene.others) == self.view(scene.script, scene.others))
                #expect(script.server.census == scene.script.server.census)
            }
        }
    }

    /// The situation, as the others see it.
    private func state(_ scene: Scene) -> Situation? {
        var script = scene.script
        let lines = script.ask("who\nmatches\nwhy", scene.others[0])
        let ann = lines.lines("player").first { $0.value("alias") == "ann" }
        switch (ann?.value("state"), lines.line("match")?.value("state")) {
        case (nil, _): return .unnamed
        case ("idle", _): return .idle
        case ("queued", _): return .queued
        case ("hosting", _): return .hosting
        case ("starting", "waiting-for-match"): return .waitingForMatch
        case ("starting", "waiting-for-random-number"): return .waitingForNumber
        case ("starting", "waiting-for-start"): return .waitingForStart
        case ("racing", _):
            return lines.line("match")?.value("players") == "ann,bob,dan" ? .forfeited : .active
        case ("finished", _): return .done
        case ("watching", _): return .watching
        default: return nil
        }
    }

    @Test func `the table has a row for every message there is`() {
        let numbers = Set(Self.table.map(\.0.number))
        #expect(numbers == Set(ClientMessageNumber.allCases))
    }

    @Test func `begin and a move in one write begin the race and make the move`() {
        var script = ServerScript()
        let ids = script.race(["ann", "bob"], auto: false)
        script.type("number 9", ids[0])
        script.type("number 8", ids[1])
        script.skip(ids[0], ids[1])
        script.type("begin\nmove", ids[0])
        #expect(script.readVerbs(ids[1]) == ["begin", "turn", "moved", "turn"])
    }
}
