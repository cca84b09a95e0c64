import RaceModel
import ServerCore
import Testing
import WireProtocol

/// Where keys may travel, and what the core makes of a connection that became secure.
struct SecureConnectionTests {
    private static let stranger = NetworkAddress(ipv4: 0xCB00_7109)

    private func isRefused(_ line: String, _ id: ConnectionID, _ script: inout ServerScript) -> Bool {
        script.ask(line, id).line("error")
            == "error re=name code=needs-tls "
            + "text=\"keys are taken over TLS only, and this one could be read on its way: connect over TLS\""
    }

    @Test func `where keys need TLS, a new player gets none on a plain connection, and races all the same`() {
        var script = ServerScript(keys: .tls)
        let id = script.connect(from: Self.stranger)
        let answer = script.ask("name ann", id)
        #expect(answer.line("welcome") == "welcome player=1 alias=ann")
        #expect(answer.contains { $0.hasPrefix("# no key, since others could read it here") })
        #expect(!answer.contains { $0.hasPrefix("# keep the key") })
        #expect(script.ask("play bots=1", id).line("found") != nil)
    }

    @Test func `where keys need TLS, a key on a plain connection is refused, right or not`() throws {
        var script = ServerScript(keys: .tls)
        let secure = script.connect(from: Self.stranger)
        script.feed(.secured(secure))
        let key = try #require(script.ask("name ann", secure).line("welcome")?.value("key"))
        let plain = script.connect(from: Self.stranger)
        #expect(self.isRefused("name ann \(key)", plain, &script))
        #expect(self.isRefused("name #1 \(key)", plain, &script))
        #expect(self.isRefused("name ann 00000000000000000000000000000000", plain, &script))
        #expect(script.ask("name bob", plain).line("welcome") != nil)
        let again = script.connect(from: Self.stranger)
        script.feed(.secured(again))
        #expect(script.ask("name ann \(key)", again).line("welcome") == "welcome player=1 alias=ann")
    }

    @Test(arguments: ["127.0.0.1:5555", "127.9.9.9:1", "[::1]:5555"])
    func `within this machine keys travel as over TLS`(address: String) throws {
        var script = ServerScript(keys: .tls)
        let here = try #require(NetworkAddress(endpoint: address))
        let id = script.connect(from: here)
        let key = try #require(script.ask("name ann", id).line("welcome")?.value("key"))
        let again = script.connect(from: here)
        #expect(script.ask("name ann \(key)", again).line("welcome") == "welcome player=1 alias=ann")
    }

    @Test(arguments: ["12.7.0.0:1", "[::11]:5555", "[2001:db8::1]:5555"])
    func `what only looks like this machine is a stranger`(address: String) throws {
        var script = ServerScript(keys: .tls)
        let id = script.connect(from: try #require(NetworkAddress(endpoint: address)))
        #expect(script.ask("name ann", id).line("welcome") == "welcome player=1 alias=ann")
    }

    @Test func `unless it is set, keys travel everywhere`() {
        var script = ServerScript()
        let id = script.connect(from: Self.stranger)
        #expect(script.ask("name ann", id).line("welcome")?.value("key") != nil)
    }

    @Test func `in binary the answer is the same`() {
        var script = ServerScript(keys: .tls)
        let id = script.connect(from: Self.stranger)
        script.send(ServerScript.preface, id)
        script.skip(id)
        script.send(.hello(Hello(name: "ann", key: PlayerKey(high: 1, low: 2))), id)
        #expect(script.readMessages(id).errorCode == .needsTLS)
    }

    @Test func `a handshake that took its time does not bring the greeting forward`() {
        var script = ServerScript()
        let id = script.connect(from: Self.stranger)
        script.pass(seconds: 0.9)
        script.feed(.secured(id))
        script.pass(seconds: 0.9)
        #expect(script.read(id) == [])
        script.pass(seconds: 0.2)
        #expect(script.read(id).first?.hasPrefix("hello server=catrace") == true)
    }

    @Test func `that somebody else's connection became secure concerns nobody`() {
        var script = ServerScript(keys: .tls)
        let id = script.connect(from: Self.stranger)
        script.feed(.secured(ConnectionID(slot: id.slot, generation: id.generation + 1)))
        script.feed(.secured(ConnectionID(slot: 99, generation: 1)))
        #expect(script.ask("name ann", id).line("welcome") == "welcome player=1 alias=ann")
    }
}
