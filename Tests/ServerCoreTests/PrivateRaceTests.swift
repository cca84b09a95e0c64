import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Races for those who were told the code.
struct PrivateRaceTests {
    private static func hosted(_ options: String = "") -> (ServerScript, [ConnectionID], code: String) {
        var script = ServerScript()
        let ids = ["ann", "bob", "cat"].map { script.join($0) }
        let line = script.ask("host \(options)", ids[0]).line("code")
        return (script, ids, line?.value("value") ?? "")
    }

    @Test func `the code lets others in, in any case, with or without dashes`() {
        let forms: [(String) -> String] = [
            { $0 }, { $0.lowercased() }, { $0.replacing("-", with: "") },
            { $0.lowercased().replacing("-", with: "") },
            { $0.replacing("O", with: "0").replacing("I", with: "1") },
        ]
        for form in forms {
            var (script, ids, code) = Self.hosted("finish=50")
            #expect(code.count == 12)
            let lines = script.ask("join \(form(code))", ids[1])
            #expect(lines.lines("seat").map { $0.value("alias") } == ["ann", "bob"])
            #expect(lines.line("found")?.value("finish") == "50")
        }
    }

    @Test func `a code that is wrong, used or expired is refused`() {
        var (script, ids, code) = Self.hosted()
        #expect(script.ask("join BABA-BABA-BA", ids[1]).errorCode == "no-such-code")
        #expect(script.ask("join 12345678901234567", ids[1]).errorCode == "bad-value")
        script.type("join \(code)", ids[1])
        #expect(script.ask("join \(code)", ids[2]).errorCode == "no-such-code")

        (script, ids, code) = Self.hosted()
        script.pass(seconds: 600)
        #expect(script.read(ids[0]) == ["stopped what=host"])
        #expect(script.ask("join \(code)", ids[1]).errorCode == "no-such-code")
    }

    @Test func `with the host the race goes, and the guests are told; a guest only goes alone`() {
        for way in ["cancel", "quit", "drop"] {
            var (script, ids, code) = Self.hosted("3")
            script.type("join \(code)", ids[1])
            #expect(script.read(ids[1]) == ["queued waiting=2 min=3 max=3"])
            if way == "drop" { script.drop(ids[0]) } else { script.type(way, ids[0]) }
            #expect(script.read(ids[1]) == ["stopped what=host"])
            #expect(script.ask("join \(code)", ids[2]).errorCode == "no-such-code")
        }
        var (script, ids, code) = Self.hosted("3")
        script.type("join \(code)", ids[1])
        script.skip(ids[0], ids[1])
        #expect(script.ask("cancel", ids[1]) == ["stopped what=host"])
        #expect(script.read(ids[0]) == ["queued waiting=1 min=3 max=3"])
        #expect(script.ask("join \(code)", ids[2]).first == "queued waiting=2 min=3 max=3")
    }

    @Test func `a range starts after the fill time, or at once when full`() {
        var (script, ids, code) = Self.hosted("2-3")
        script.type("join \(code)", ids[1])
        #expect(script.read(ids[0]) == ["queued waiting=2 min=2 max=3 starts=10"])
        script.pass(seconds: 5)
        #expect(script.ask("why", ids[0]).first?.value("left") == "5")
        script.pass(seconds: 5)
        #expect(script.read(ids[0]).line("found")?.value("of") == "2")

        (script, ids, code) = Self.hosted("2-3")
        script.type("join \(code)", ids[1])
        script.type("join \(code)", ids[2])
        #expect(script.read(ids[2]).line("found")?.value("of") == "3")
    }

    @Test func `a host is not in the queue at the same time`() {
        var (script, ids, _) = Self.hosted()
        #expect(script.ask("play", ids[0]).errorCode == "already-queued")
        #expect(script.ask("host", ids[0]).errorCode == "already-queued")
        script.type("play", ids[1])
        script.skip(ids[1])
        #expect(script.ask("host", ids[1]).errorCode == "already-queued")
    }

    @Test func `alone with bots a private race starts at once`() {
        var script = ServerScript()
        let ann = script.join("ann")
        #expect(script.ask("host 3 bots=2", ann).lines("seat").count == 3)
    }
}
