import Glibc
import Testing

extension EndToEndTests {
    /// Sockets spread over several loops: nobody can tell. (All other tests do so with `CATRACE_TEST_LOOPS=2`.)
    @Suite struct LoopsTests {
        @Test func `netcat, telnet and the client race, each on another loop`() async throws {
            let server = try await Server(["--loops", "3"])
            let client = try server.client(["play", "--name", "eve", "--players", "3"])
            let racers = [
                try await Racer("ann", server.netcat()), try await Racer("bob", server.telnet()),
                Racer(named: "eve", client),
            ]
            for racer in racers.dropLast() { racer.say("play 3") }
            let overs = try await race(racers)
            #expect(overs.allSatisfy { $0 == overs[0] }, "\(overs)")
            try await client.lines.holds("# check digest: passed")
            for racer in racers.dropLast() { racer.say("quit") }
            client.say("quit")
            #expect(try await client.exitCode() == 0)
            try await server.expectEmpty()
        }

        @Test func `whose connection is lost comes back into the seat over another loop`() async throws {
            let server = try await Server(["--loops", "2", "--turn-seconds", "600"])
            let ann = try server.socket()
            let key = try await ann.register("ann")
            let bob = try await Racer("bob", server.socket())
            ann.say("play 2")
            bob.say("play 2")
            try await bob.lines.wait(for: "begin ")
            ann.reset()
            try await bob.lines.wait(for: "gone ")
            // One comes between, so that she gets the other loop.
            let other = try await Racer("cat", server.socket())
            let again = try server.socket()
            again.say("name ann \(key)")
            try await again.lines.wait(for: "snapshot ")
            try await bob.lines.wait(for: "back ")
            #expect(!other.lines.hasEnded)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `a stop is told to all loops and over within two seconds`(signal: Int32) async throws {
            let server = try await Server(["--loops", "4"])
            var racers: [Racer] = []
            for number in 0..<12 { racers.append(try await Racer("p\(number)", server.socket())) }
            let silent = try server.socket()
            server.program.signal(signal)
            for racer in racers {
                let bye = try await racer.lines.wait(for: "bye ")
                #expect(bye.hasPrefix("bye reason=shutdown"))
            }
            // It is 1 when the server was not over within two seconds of hearing the signal.
            #expect(try await server.program.exitCode() == 0)
            #expect(try await silent.lines.next() != "")
        }
    }
}
