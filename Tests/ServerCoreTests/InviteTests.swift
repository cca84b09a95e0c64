import RaceModel
import ServerCore
import Testing
import WireProtocol

/// One player asks another.
struct InviteTests {
    private static func invited() -> (ServerScript, [ConnectionID]) {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat"].map { script.join($0) }
        script.type("invite bob rule=dash finish=9", ids[0])
        return (script, ids)
    }

    /// How invites ended, as each was told; that one is open is told its sender alone, and tested below.
    private func outcomes(_ script: inout ServerScript, _ ids: [ConnectionID]) -> [[String?]] {
        ids.map { script.read($0).lines("invite").map { $0.value("outcome") }.filter { $0 != "open" } }
    }

    @Test func `an invite says what is asked, and accepted it is a race of the two`() {
        var (script, ids) = Self.invited()
        #expect(
            script.read(ids[1]) == [
                "invited id=1 from=ann rule=dash draw=highest finish=9 group=0 bots=0 min=2 max=2"
            ])
        script.type("accept 1", ids[1])
        for (id, other) in [(ids[0], "bob"), (ids[1], "ann")] {
            let lines = script.read(id)
            let sent = id == ids[0] ? ["invite id=1 outcome=open alias=bob"] : []
            #expect(lines.lines("invite") == sent + ["invite id=1 outcome=accepted alias=\(other)"])
            #expect(lines.lines("seat").map { $0.value("alias") } == ["ann", "bob"])
            #expect(lines.line("found")?.value("rule") == "dash")
        }
        #expect(script.server.census.invites == 0)
        #expect(script.ask("accept 1", ids[1]).errorCode == "already-in-match")
    }

    @Test func `declined, cancelled, gone and unanswered: both are told once`() {
        for (outcome, act) in [
            ("declined", { $0.type("decline 1", $1[1]) }), ("cancelled", { $0.type("uninvite 1", $1[0]) }),
            ("no-answer", { script, _ in script.pass(seconds: 60) }),
            (
                "busy",
                { script, ids in
                    script.type("play", ids[0])
                }
            ),
            (
                "busy",
                { script, ids in
                    script.type("host", ids[1])
                }
            ),
        ] as [(String, (inout ServerScript, [ConnectionID]) -> Void)] {
            var (script, ids) = Self.invited()
            act(&script, ids)
            #expect(self.outcomes(&script, ids) == [[outcome], [outcome], []])
            script.pass(seconds: 100)
            #expect(self.outcomes(&script, ids) == [[], [], []])
            #expect(script.ask("accept 1", ids[1]).errorCode == "no-such-invite")
            #expect(script.ask("uninvite 1", ids[0]).errorCode == "no-such-invite")
            #expect(script.server.census.matches == 0 && script.server.census.invites == 0)
        }
        for gone in 0...1 {
            var (script, ids) = Self.invited()
            script.drop(ids[gone])
            #expect(self.outcomes(&script, ids)[1 - gone] == ["offline"])
            #expect(script.server.census.invites == 0)
        }
    }

    @Test func `an invite dies when one of the two starts another race`() {
        for starter in 0...1 {
            var (script, ids) = Self.invited()
            script.type("play", ids[starter])
            script.type("play", ids[2])
            #expect(self.outcomes(&script, ids) == [["busy"], ["busy"], []])
            #expect(script.server.census.invites == 0)
        }
    }

    @Test func `invites that cross are one race, and both invites are gone`() {
        var (script, ids) = Self.invited()
        script.type("invite ann rule=dash finish=9", ids[1])
        #expect(self.outcomes(&script, ids) == [["accepted"], ["accepted"], []])
        #expect(script.server.census.matches == 1 && script.server.census.invites == 0)

        // For another kind of race there is one to be answered first.
        (script, ids) = Self.invited()
        script.type("invite ann rule=turns", ids[1])
        #expect(self.outcomes(&script, ids) == [[], ["incompatible"], []])
        #expect(script.server.census.invites == 1)
        script.type("accept 1", ids[1])
        #expect(self.outcomes(&script, ids) == [["accepted"], ["accepted"], []])
        #expect(script.server.census.matches == 1 && script.server.census.invites == 0)
    }

    @Test func `a stranger can neither accept, decline nor take back, and learns nothing`() {
        var (script, ids) = Self.invited()
        var answers: Set<String> = []
        for line in ["accept 1", "accept 0", "accept 2", "accept 18446744073709551615"] {
            answers.formUnion(script.ask(line, ids[2]))
        }
        #expect(answers.count == 1 && answers.first?.value("code") == "no-such-invite")
        #expect(script.ask("decline 1", ids[2]).errorCode == "no-such-invite")
        #expect(script.ask("uninvite 1", ids[2]).errorCode == "no-such-invite")
        #expect(script.ask("accept 1", ids[0]).errorCode == "no-such-invite")
        #expect(script.ask("uninvite 1", ids[1]).errorCode == "no-such-invite")
        #expect(self.outcomes(&script, ids) == [[], [], []])
        #expect(script.server.census.invites == 1)
    }

    @Test func `cancel and accept, in either order, have exactly one outcome`() {
        for isCancelFirst in [true, false] {
            var (script, ids) = Self.invited()
            let lines = [("uninvite 1", ids[0]), ("accept 1", ids[1])]
            for (line, id) in isCancelFirst ? lines : lines.reversed() { script.type(line, id) }
            let expected = isCancelFirst ? "cancelled" : "accepted"
            #expect(self.outcomes(&script, ids) == [[expected], [expected], []])
            #expect(script.server.census.matches == (isCancelFirst ? 0 : 1))
        }
    }

    @Test func `accepted twice in one write it is one match`() {
        var (script, ids) = Self.invited()
        let lines = script.ask("accept 1\naccept 1", ids[1])
        #expect(lines.errorCode == "already-in-match")
        #expect(script.server.census.matches == 1)
    }

    @Test func `nobody there, or busy: the sender is told so at once`() {
        var script = ServerScript()
        let pair = script.begunRace(["ann", "bob"])
        let cat = script.join("cat")
        #expect(script.ask("invite ann", cat) == ["invite id=0 outcome=busy alias=ann"])
        #expect(script.ask("invite nobody", cat) == ["invite id=0 outcome=offline alias=nobody"])
        script.drop(pair[0])
        #expect(script.ask("invite ann", cat) == ["invite id=0 outcome=offline alias=ann"])
        #expect(script.ask("invite cat", cat).errorCode == "bad-settings")
        #expect(script.ask("invite \"a b\"", cat).errorCode == "no-such-player")
        #expect(script.ask("invite ANN", cat).line("invite")?.value("outcome") == "offline")
    }

    @Test func `five invites may be open, and each player once`() {
        var script = ServerScript()
        let ann = script.join("ann")
        for index in 0..<6 { _ = script.join("f\(index)") }
        for index in 0..<5 {
            #expect(
                script.ask("invite f\(index)", ann) == ["invite id=\(index + 1) outcome=open alias=f\(index)"]
            )
        }
        #expect(script.ask("invite f0", ann).errorCode == "too-many")
        #expect(script.ask("invite f5", ann).errorCode == "too-many")
        #expect(script.ask("invite f5 3", ann).errorCode == "bad-settings")
        #expect(script.server.census.invites == 5)
        script.type("quit", ann)
        #expect(script.server.census.invites == 0)
    }

    @Test func `an invite with bots is a race of two and those`() {
        var script = ServerScript()
        let ids = [script.join("ann"), script.join("bob")]
        script.type("invite bob 4 bots=2", ids[0])
        script.type("accept 1", ids[1])
        #expect(script.read(ids[0]).lines("seat").count == 4)
    }

    @Test func `who accepts from the queue or a private race leaves those`() {
        for line in ["play 5", "host"] {
            var script = ServerScript()
            let ids = ["ann", "bob", "cat"].map { script.join($0) }
            script.type(line, ids[1])
            script.type("invite bob", ids[0])
            #expect(script.ask("accept 1", ids[1]).line("found") != nil)
            #expect(script.server.census.tickets == 0)
            #expect(script.ask("who bob", ids[2]).line("player")?.value("state") == "racing")
        }
    }
}
