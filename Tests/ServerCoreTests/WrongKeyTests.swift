import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Guessing keys.
struct WrongKeyTests {
    private static let wrong = "00000000000000000000000000000000"

    private static func guess(_ name: String, _ id: ConnectionID, _ script: inout ServerScript) -> String? {
        script.ask("name \(name) \(Self.wrong)", id).line("error")
    }

    @Test(arguments: ["ann", "nobody", "#1", "#99"])
    func `behind each wrong key the address waits twice as long, whoever is meant`(name: String) throws {
        var script = ServerScript()
        _ = script.join("ann")
        let id = script.connect(from: try DoorTests.address("203.0.113.7"))
        for wait in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(
                Self.guess(name, id, &script)
                    == "error re=name code=wrong-key text=\"no player has this alias and this key: check both\""
            )
            let told = "wrong keys came from your address: the next is looked at in"
            #expect(
                Self.guess(name, id, &script) == "error re=name code=slow-down text=\"\(told) \(wait) s\"")
            // Who only waits is not made to wait longer, and is not closed as nameless.
            for _ in 0..<wait * 2 - 1 {
                script.pass(seconds: 0.5)
                if script.now.nanoseconds % 40_000_000_000 == 0 { _ = script.ask("ping 1", id) }
            }
            #expect(Self.guess(name, id, &script)?.value("code") == "slow-down", "wait \(wait)")
            script.pass(seconds: 0.5)
        }
    }

    @Test func `the owner gets in from elsewhere, however often others guess`() throws {
        var script = ServerScript()
        let (first, key) = script.joinKeepingKey("ann")
        script.drop(first)
        // Eleven addresses, so that the name itself is known to be guessed.
        for number in 0..<11 {
            let id = script.connect(from: NetworkAddress(ipv4: 0xCB00_7100 + UInt32(number)))
            #expect(Self.guess("ann", id, &script)?.value("code") == "wrong-key")
            // Each waits as long as if it had made all guesses.
            let wait = try #require(Self.guess("ann", id, &script)).value("text") ?? ""
            #expect(wait.hasSuffix("in \(min(300, 1 << number)) s"), "\(wait)")
            // Nobody waits for taking a name.
            if number == 0 { #expect(script.ask("name bob", id).line("welcome") != nil) }
        }
        let owner = script.connect(from: try DoorTests.address("198.51.100.1"))
        #expect(script.ask("name ann \(key)", owner).line("welcome") != nil)
        script.pass(seconds: 900)
        #expect(script.server.census.guessedNames == 0)
    }

    @Test func `guesses that are under way together count each`() throws {
        var script = ServerScript()
        let home = try DoorTests.address("203.0.113.7")
        script.isStoreHeld = true
        let ids = (0..<6).map { _ in script.connect(from: home) }
        for id in ids { script.type("name ann \(Self.wrong)", id) }
        script.releaseStore()
        for id in ids { #expect(script.read(id).errorCode == "wrong-key") }
        #expect(Self.guess("ann", ids[0], &script)?.value("text")?.hasSuffix("in 32 s") == true)
    }

    @Test func `a wrong key is forgotten after a quarter of an hour, and a right one forgives nothing`()
        throws
    {
        var script = ServerScript()
        let (first, key) = script.joinKeepingKey("ann")
        script.drop(first)
        let home = try DoorTests.address("203.0.113.7")
        func guessOnce() -> String? {
            let id = script.connect(from: home)
            defer { script.drop(id) }
            #expect(Self.guess("bob", id, &script)?.value("code") == "wrong-key")
            return Self.guess("bob", id, &script)?.value("text")
        }
        #expect(guessOnce()?.hasSuffix("in 1 s") == true)
        script.pass(seconds: 1)
        let own = script.connect(from: home)
        #expect(script.ask("name ann \(key)", own).line("welcome") != nil)
        #expect(guessOnce()?.hasSuffix("in 2 s") == true)
        script.drop(own)
        script.pass(seconds: 899)
        #expect(guessOnce()?.hasSuffix("in 4 s") == true)
        script.pass(seconds: 900)
        #expect(script.server.census.addresses == 0)
        #expect(guessOnce()?.hasSuffix("in 1 s") == true)
    }

    @Test func `names that are guessed have a limit, whatever is tried`() throws {
        var script = ServerScript()
        script.keepsLogs = false
        for number in 0..<(Limits.guessedNames + 100) {
            let id = script.connect(from: NetworkAddress(ipv4: 0x0A00_0000 + UInt32(number)))
            script.type("name p\(number) \(Self.wrong)", id)
            script.skip(id)
            script.drop(id)
        }
        #expect(script.server.census.guessedNames == Limits.guessedNames)
        script.pass(seconds: 900)
        #expect(script.server.census.guessedNames == 0)
        #expect(script.server.census.addresses == 0)
        #expect(script.server.nextDeadline == nil)
    }
}
